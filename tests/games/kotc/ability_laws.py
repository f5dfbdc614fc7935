"""Laws of the ability grammars: nothing is lost, and what is put together is taken apart again."""

import re
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.ability import AbilityText, Part, parse

EDITIONS = st.sampled_from([1, 9, 11, 12, 17])
PHRASES = "NAME|2ND|When|you|this creature|Activate when|draw 1 card|and|to summon this creature|(hex-play)".split("|")
ANY_TEXT = (
    st.text(max_size=80)
    | st.lists(st.sampled_from(PHRASES) | st.sampled_from(":→,.!?;()'\"- \n"), max_size=24).map(" ".join)
    | st.lists(st.sampled_from(["->", *"Aa1:.;,!()→ \n"])).map("".join)
)


def gaps(parsed: AbilityText) -> list[str]:
    """Return what stands before, between and behind the parts."""
    parts = parsed.parts()
    edges = [0, *(edge for part in parts for edge in (part.start, part.end)), len(parsed.text)]
    return [parsed.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


@given(ANY_TEXT, EDITIONS, st.booleans())
def test_parts_and_separators_in_order_are_the_text(text: str, edition: int, is_spell: bool) -> None:
    parsed = parse(text, usual_grammar(edition), is_spell=is_spell)
    pieces = [gap + part.text for gap, part in zip(gaps(parsed), parsed.parts(), strict=False)]
    assert "".join(pieces) + gaps(parsed)[-1] == text


@given(ANY_TEXT, EDITIONS, st.booleans())
def test_no_word_is_outside_the_parts(text: str, edition: int, is_spell: bool) -> None:
    for gap in gaps(parse(text, usual_grammar(edition), is_spell=is_spell)):
        marks = re.sub(r"→|->|[:,]|\band\b", " ", gap)
        assert not marks.strip(), gap


@given(ANY_TEXT, EDITIONS, st.booleans())
def test_every_part_stands_where_it_says(text: str, edition: int, is_spell: bool) -> None:
    parsed = parse(text, usual_grammar(edition), is_spell=is_spell)
    for part in (*parsed.parts(), *parsed.red, *parsed.tutorials):
        assert part.text == text[part.start : part.end]
        assert part.text == part.text.strip() != ""


# --- abilities out of the components of the 17th Edition's Card Building Guide ---

NAMES = st.sampled_from(["GREED", "THOR'S HAMMER", "STAGE 2: REVENGE", "2ND WIND"])
CONDITIONS = st.sampled_from(
    [
        "When this card attacks, after Attack Formation (ghost-play)",
        "When this card attacks or defends, after Damage Allocation (ghost-play)",
        "When this card in your granary is destroyed (hex-play)",
        "When your on-field minion(s) is damaged",
        "When a card(s) in your hand is destroyed",
        "When enemy casts a spell or activates an ability",
    ]
)
COSTS = st.sampled_from(
    [
        "remove 2 counters on this card",
        "self-sheathe 3 random cards in your hand",
        "self-exhaust 1 resource",
        "gift-summon 1 minion in your hand",
        "pay 4 HP",
        "self-destroy 2 cards on top of your deck",
    ]
)
TARGETS = st.sampled_from(
    [
        "Target this card; ",
        "Target up to 2 cards in the current chain; ",
        "See enemy's granary and target up to 2 exhausted cards therein; ",
        "Excavate 3 cards and target up to 2 excavated cards; ",
        "Target all level 4 or lower minions in attacking team; ",
        "",
    ]
)
EFFECTS = st.sampled_from(
    [
        "place 2 Sword Counters on each target",
        "down-level each target by 2",
        "clone the targets up to 3 times",
        "exhaust and fatigue the targets",
        "hypnotize the targets until the end of this turn",
        "2-dice-heal yourself",
        "3-dice-wound yourself and enemy",
        "craft 2 level 3 pawns",
    ]
)
TUTORIALS = st.sampled_from(["(To draw a card is to take it.)", "(Roll 2 dice (six-sided). Add them.)"])
SENTENCES = st.builds(
    lambda target, effects: f"{target}{', then '.join(effects)}.", TARGETS, st.lists(EFFECTS, min_size=1, max_size=3)
)


@dataclass(frozen=True)
class Built:
    """The parts of an ability as a designer chooses them."""

    name: str | None
    condition: str | None
    costs: list[str]
    sentences: list[str]
    tutorial: str | None

    def text(self, arrow: str) -> str:
        start = [f"{words}:" for words in (self.name, self.condition) if words]
        costs = [f"{listed(self.costs)}{arrow}"] if self.costs else []
        return " ".join([*start, *costs, *self.sentences, *([self.tutorial] if self.tutorial else [])])


def listed(costs: list[str]) -> str:
    """Join costs as the guide says: two by "and", three or more by commas and "and"."""
    return " and ".join(costs) if len(costs) < 3 else f"{', '.join(costs[:-1])}, and {costs[-1]}"


def words_of(part: Part | None) -> str | None:
    return part.text if part else None


BUILT = st.builds(
    Built,
    st.none() | NAMES,
    st.none() | CONDITIONS,
    st.lists(COSTS, max_size=4),
    st.lists(SENTENCES, min_size=1, max_size=3),
    st.none() | TUTORIALS,
)


@given(st.lists(BUILT, max_size=3), st.sampled_from(["→", "->"]), st.sampled_from(["\n", "\n\n"]), st.booleans())
def test_abilities_that_are_put_together_are_taken_apart_again(
    built: list[Built], arrow: str, between: str, is_spell: bool
) -> None:
    parsed = parse(between.join(each.text(arrow) for each in built), usual_grammar(17), is_spell=is_spell)
    assert built == [
        Built(
            words_of(ability.name),
            words_of(ability.condition),
            [cost.text for cost in ability.costs],
            [sentence.text for sentence in ability.sub_abilities],
            words_of(ability.tutorial),
        )
        for ability in parsed.abilities
    ]

"""Laws of matching and rewording: what is filled in is found again, and no order changes what comes out."""

import random

from hypothesis import given
from hypothesis import strategies as st

from render.games.kotc.editions.wording import pattern
from render.games.kotc.legality.rewording import render_words, reword
from tests.support.rulebooks import ELEVENTH, NINTH, SEVENTEENTH

EDITIONS = (NINTH, ELEVENTH, SEVENTEENTH)
RULES = [
    *(component.text for edition in EDITIONS for component in edition.components),
    *(text for edition in EDITIONS for rule in edition.rewordings for text in (rule.old, rule.new)),
    *(text for edition in EDITIONS for text in edition.redacted),
    *(revision.text for edition in EDITIONS for revision in edition.revisions),
]
numbers = st.fixed_dictionaries({name: st.integers(1, 3) | st.integers(1, 10**6) for name in "xyz"})
likes = st.sampled_from(["", "it", "The target", "its", "Draw’s", "draw 1 card->", "“x”"])


@given(st.sampled_from(RULES), numbers, likes)
def test_a_text_that_was_filled_in_is_found_with_its_numbers(text: str, numbers: dict[str, int], like: str) -> None:
    match = pattern(text).match_whole(render_words(text, numbers, like))
    assert match is not None
    assert match.numbers == {name: numbers[name] for name in "xyz" if f"{{{name}}}" in text}


@given(
    st.sampled_from(RULES), numbers, likes, st.sampled_from(["", "then ", "(", "“"]), st.sampled_from(["", ".", " x"])
)
def test_a_text_is_found_within_others(text: str, numbers: dict[str, int], like: str, before: str, behind: str) -> None:
    words = render_words(text, numbers, like)
    found = list(pattern(text).finditer(f"{before}{words}{behind}"))
    assert [(match.start, match.words) for match in found] == [(len(before), words)]


PIECES = [
    *(rule.old for rule in SEVENTEENTH.rewordings),
    *(rule.old.replace("on-field minion", "in-play card") for rule in SEVENTEENTH.rewordings),
    "in-play cards",
    "draw {x} cards",
    "Target up to {x} in-play cards; silo the targets.",
    "self-exhaust {x} in-play cards",
]
JOINTS = [" ", ", ", "; ", ". ", "\n", ": ", " (", "  "]


@st.composite
def card_texts(draw: st.DrawFn) -> str:
    """Return a text of pieces of which most are outdated."""
    words = ""
    for _ in range(draw(st.integers(1, 5))):
        words += render_words(draw(st.sampled_from(PIECES)), draw(numbers), draw(likes)) + draw(st.sampled_from(JOINTS))
    return words


@given(card_texts(), st.randoms(use_true_random=False))
def test_the_order_of_the_rewordings_does_not_matter(text: str, chance: random.Random) -> None:
    rules = list(SEVENTEENTH.rewordings)
    chance.shuffle(rules)
    assert reword(text, rules) == reword(text, SEVENTEENTH.rewordings)


@given(card_texts(), st.randoms(use_true_random=False))
def test_any_order_of_the_places_gives_the_same_text(text: str, chance: random.Random) -> None:
    words = text
    while found := [(rule, match) for rule in SEVENTEENTH.rewordings for match in pattern(rule.old).finditer(words)]:
        rule, match = chance.choice(found)
        new = render_words(rule.new, match.numbers, match.words, text, plural=match.plural)
        words = words[: match.start] + new + words[match.end :]
    assert words == reword(text, SEVENTEENTH.rewordings).text


@given(card_texts())
def test_a_reworded_text_has_no_old_text_left(text: str) -> None:
    words = reword(text, SEVENTEENTH.rewordings).text
    assert not [rule for rule in SEVENTEENTH.rewordings for _ in pattern(rule.old).finditer(words)]
    assert reword(words, SEVENTEENTH.rewordings).changes == ()


@given(card_texts())
def test_everything_outside_the_changes_stays(text: str) -> None:
    changed = reword(text, SEVENTEENTH.rewordings)
    for stretches in (
        [(each.start, each.end, each.new) for each in changed.changes],
        [(each.start, each.end, each.new) for each in changed.edits],
    ):
        words, at = "", 0
        for start, end, new in stretches:
            assert at <= start <= end
            words, at = words + text[at:start] + new, end
        assert words + text[at:] == changed.text


@given(card_texts(), st.data())
def test_every_stretch_of_the_new_text_comes_from_one_of_the_old(text: str, data: st.DataObject) -> None:
    changed = reword(text, SEVENTEENTH.rewordings)
    start = data.draw(st.integers(0, len(changed.text) - 1))
    end = data.draw(st.integers(start + 1, len(changed.text)))
    first, last = changed.original(start, end)
    assert 0 <= first < last <= len(text)
    assert reword(text, ()).original(start, end) == (start, end)

"""Ability texts as they are printed, and what each word of them is."""

import pytest

from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.ability import AbilityText, parse


def minion(text: str, edition: int = 17) -> AbilityText:
    return parse(text, usual_grammar(edition), is_spell=False)


def spell(text: str, edition: int = 17) -> AbilityText:
    return parse(text, usual_grammar(edition), is_spell=True)


def outline(parsed: AbilityText) -> str:
    """Return one line for each part of the text: what it is and its words."""
    lines = [f"caveat: {parsed.caveat.text}"] if parsed.caveat else []
    for ability in parsed.abilities:
        parts = [("name", ability.name), ("condition", ability.condition)]
        parts += [("cost", cost) for cost in ability.costs]
        parts += [("sub-ability", sentence) for sentence in ability.sub_abilities]
        parts.append(("tutorial", ability.tutorial))
        lines += [f"{what}: {part.text}" for what, part in parts if part]
    return "\n".join(lines)


def drawn_red(parsed: AbilityText) -> list[str]:
    return [part.text for part in parsed.red]


# --- editions from the 12th on ---


THOR = "When this card attacks, after Attack Formation (ghost-play)", "Target 1 on-field minion; destroy it."
COSTS = "Self-exhaust 1 resource", "self-destroy 1 on-field minion", "self-sheathe 1 random card in your hand"
SEE = "See enemy's hand and target 1 card therein; bury it."
ROLL = "(Roll 2 dice and gain HP equal to the result.)"


@pytest.mark.parametrize(
    ("parsed", "parts"),
    [
        (
            minion(f"THOR'S HAMMER: {THOR[0]}: {THOR[1]}"),
            ["name: THOR'S HAMMER", f"condition: {THOR[0]}", f"sub-ability: {THOR[1]}"],
        ),
        # Tutorial text stands behind the last sentence, and several parentheses are one; within a sentence there is none.
        (spell(f"2-dice-heal yourself. {ROLL}"), ["sub-ability: 2-dice-heal yourself.", f"tutorial: {ROLL}"]),
        (spell("Draw 1 card. (Good.) (Very (very).)"), ["sub-ability: Draw 1 card.", "tutorial: (Good.) (Very (very).)"]),
        (spell("Draw 1 card (hex-play)."), ["sub-ability: Draw 1 card (hex-play)."]),
        (spell("Draw 1 card (hex-play)"), ["sub-ability: Draw 1 card (hex-play)"]),
        (minion("(This minion has no ability.)"), ["tutorial: (This minion has no ability.)"]),
        # Costs are a list.
        (
            spell(f"{COSTS[0]}, {COSTS[1]}, and {COSTS[2]}→ Draw 2 cards."),
            [*(f"cost: {cost}" for cost in COSTS), "sub-ability: Draw 2 cards."],
        ),
        (
            spell(f"When you take damage: pay 3 HP and self-bury 1 card in your hand-> {SEE}"),
            [
                "condition: When you take damage", "cost: pay 3 HP", "cost: self-bury 1 card in your hand",
                f"sub-ability: {SEE}",
            ],
        ),
        # Each paragraph is an ability; a name may hold colons, digits and marks.
        (
            minion("GREED: Draw 2 cards. Draw 1 card.\n\nHEAL: 2-dice-heal yourself.\n"),
            [
                "name: GREED", "sub-ability: Draw 2 cards.", "sub-ability: Draw 1 card.", "name: HEAL",
                "sub-ability: 2-dice-heal yourself.",
            ],
        ),
        *(
            (minion(f"{name}: Draw 1 card."), [f"name: {name}", "sub-ability: Draw 1 card."])
            for name in ("STAGE 2: REVENGE", "2ND WIND", "AT 12:30", "ÜBER-THOR'S", "C-4", "R&D (SECRET)")
        ),
        (minion("Greed: Draw 2 cards."), ["condition: Greed", "sub-ability: Draw 2 cards."]),
        (
            spell("Draw 1 card. Then: draw 2 cards→ win."),
            ["sub-ability: Draw 1 card.", "sub-ability: Then: draw 2 cards→ win."],
        ),
        # In old editions a cost behind an effect is one, and targets are destroyed as an effect.
        (
            spell("Draw 1 card. Sacrifice 1 card in play.", 9),
            ["sub-ability: Draw 1 card.", "sub-ability: Sacrifice 1 card in play."],
        ),
        (
            spell("Destroy 2 of your resources. Target this card. Destroy all targets.", 9),
            ["cost: Destroy 2 of your resources.", "sub-ability: Target this card.", "sub-ability: Destroy all targets."],
        ),
    ],
    ids=lambda value: value.text[:30] if isinstance(value, AbilityText) else "",
)  # fmt: skip
def test_what_each_word_of_a_text_is(parsed: AbilityText, parts: list[str]) -> None:
    assert outline(parsed).split("\n") == parts


def test_a_minion_may_have_no_ability() -> None:
    assert minion("") == AbilityText(text="", drawn="")


def test_arrows_are_drawn_as_arrows_and_places_count_what_is_written() -> None:
    parsed = spell("Pay 1 HP-> draw 1 card. Pay 1 HP-> x.")
    [ability] = parsed.abilities
    _, second = ability.sub_abilities
    assert parsed.drawn == "Pay 1 HP→ draw 1 card. Pay 1 HP→ x."
    assert parsed.text[second.start : second.end] == "Pay 1 HP-> x."


def test_a_spell_with_a_condition_is_red_up_to_its_colon_and_has_the_padlock() -> None:
    parsed = spell("When you take damage: Draw 1 card.")
    assert (drawn_red(parsed), parsed.padlock) == (["When you take damage:"], True)


@pytest.mark.parametrize("parsed", [minion("GREED: When you take damage: Draw 1 card."), spell("Draw 1 card.")])
def test_a_minion_and_a_spell_without_condition_have_neither_red_nor_padlock(parsed: AbilityText) -> None:
    assert (drawn_red(parsed), parsed.padlock) == ([], False)


# --- editions up to the 11th ---


def test_mourning_a_loss() -> None:
    condition = "Activate when at least 1 of your cards in play (excluding this card) is destroyed."
    effects = (
        "Target up to 2 cards on the top of one player's deck.",
        "Reveal all targets, then summon or cast any number of targets that are not in play (paying the usual costs).",
    )
    parsed = spell(" ".join([condition, *effects]), 9)
    assert outline(parsed) == f"condition: {condition}\nsub-ability: {effects[0]}\nsub-ability: {effects[1]}"
    assert (drawn_red(parsed), parsed.padlock) == ([condition], True)


def test_a_summoning_requirement_is_red_and_shows_the_padlock() -> None:
    caveat = "You must sacrifice 1 card in play to summon this creature."
    parsed = minion(f"{caveat}\nNECROMANCY: Remove 2 counters from this card. Target up to 2 cards in play.", 9)
    assert outline(parsed) == (
        f"caveat: {caveat}\nname: NECROMANCY\ncost: Remove 2 counters from this card.\n"
        "sub-ability: Target up to 2 cards in play."
    )
    assert (drawn_red(parsed), parsed.padlock) == ([caveat], True)


def test_up_to_the_10th_edition_only_a_caveat_about_summoning_is_red() -> None:
    for number in (9, 10):
        parsed = minion("This creature cannot attack.\nTarget this card. Place 1 counter on each target.", number)
        assert (drawn_red(parsed), parsed.padlock) == ([], False)


def test_in_the_11th_edition_another_caveat_is_red_without_the_padlock() -> None:
    parsed = minion("This creature cannot attack.\nTarget this card. Place 1 counter on each target.", 11)
    assert (drawn_red(parsed), parsed.padlock) == (["This creature cannot attack."], False)


def test_only_the_first_paragraph_is_a_caveat_and_only_of_creatures() -> None:
    text = "Draw 1 card.\nThis creature cannot attack."
    assert minion(text, 11).caveat is None
    assert spell("Destroy this creature.", 11).caveat is None


def test_the_condition_of_a_creature_is_red_without_the_padlock() -> None:
    parsed = minion("REBIRTH: Activate when this in-play card is destroyed. Pay 2 hitpoints. Target this card.", 9)
    assert outline(parsed) == (
        "name: REBIRTH\ncondition: Activate when this in-play card is destroyed.\n"
        "cost: Pay 2 hitpoints.\nsub-ability: Target this card."
    )
    assert (drawn_red(parsed), parsed.padlock) == (["Activate when this in-play card is destroyed."], False)


def test_every_condition_of_a_creature_is_red_behind_its_caveat() -> None:
    caveat, condition = "Action cost: Sacrifice 1 card.", "Activate when you take damage."
    parsed = minion(f"{caveat}\nONE: {condition} Draw 1 card.\nDraw 1 card.\n{condition} Draw 2 cards.", 11)
    assert (drawn_red(parsed), parsed.padlock) == ([caveat, condition, condition], False)


def test_a_condition_of_the_11th_edition_may_end_with_a_colon() -> None:
    text = "REBIRTH: When this in-play card is destroyed: Remove 2 counters from this card. Target this card."
    parsed = minion(text, 11)
    assert outline(parsed) == (
        "name: REBIRTH\ncondition: When this in-play card is destroyed\n"
        "cost: Remove 2 counters from this card.\nsub-ability: Target this card."
    )
    assert (drawn_red(parsed), parsed.padlock) == (["When this in-play card is destroyed:"], False)
    spoken = spell("When you take at least 5 damage: Draw 1 card.", 11)
    assert (drawn_red(spoken), spoken.padlock) == (["When you take at least 5 damage:"], True)
    assert drawn_red(minion(text, 9)) == []


def test_a_cost_of_the_11th_edition_ends_in_a_semicolon_or_before_then_and_a_target_selection() -> None:
    target, rest = "Target 1 in-play card; destroy it.", "Destroy it, then draw 1 card. (Any card.)"
    parsed = minion(f"Berzerker. (Destroyed if lazy.)\nONE: Self-exhaust 1 resource; {target}", 11)
    assert outline(parsed) == (
        "caveat: Berzerker.\ntutorial: (Destroyed if lazy.)\n"
        f"name: ONE\ncost: Self-exhaust 1 resource\nsub-ability: {target}"
    )
    parsed = spell(f"Self-exhaust 1 creature (enemy's choice), then target this card; {rest}", 11)
    assert outline(parsed) == (
        "cost: Self-exhaust 1 creature (enemy's choice)\n"
        "sub-ability: target this card; Destroy it, then draw 1 card.\ntutorial: (Any card.)"
    )
    assert outline(spell("Remove up to 2 counters from it; draw 1 card.", 11)).startswith("sub-ability")


def test_costs_are_joined_by_also_in_the_12th_and_13th_edition_and_by_and_from_the_14th_on() -> None:
    text = "Self-exhaust 1 resource, {} self-destroy 1 in-play card→ Draw 1 card."
    costs = ["cost: Self-exhaust 1 resource", "cost: self-destroy 1 in-play card"]
    for number, joint in ((12, "also"), (13, "also"), (14, "and"), (17, "and")):
        assert outline(spell(text.format(joint), number)).split("\n")[:2] == costs

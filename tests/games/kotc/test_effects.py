"""`kotc effects`: what may be written on a card, found by words, with prices and examples that are legal."""

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from render.games.kotc.composing import plan_of
from render.games.kotc.editions.finding import find
from render.games.kotc.languages.finding import find_words
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.lexicon.entries import entries
from render.games.kotc.lexicon.listing import limits_text
from render.games.kotc.lexicon.searching import search_texts
from render.games.kotc.model.edition import Role
from render.games.kotc.workshop.suggestions.suggesting import is_sound
from tests.support.level_cases import card
from tests.support.sets import kotc, write_set

EDITIONS = range(9, 18)


@pytest.mark.parametrize("number", EDITIONS)
def test_every_component_has_an_example_that_is_legal_and_has_it(number: int) -> None:
    edition = find(number)
    calculator = LevelCalculator(edition)
    for entry in entries(edition):
        is_caveat = entry.component.role is Role.CAVEAT
        example = card(entry.example, 9 if is_caveat else None, 9 if is_caveat else None, edition=number)
        derivation = calculator.derive(example)
        assert derivation is not None
        plan = plan_of(entry.example, derivation)
        assert plan, entry
        assert entry.component in [choice.component for choice in plan.choices()]
        right = replace(example, level=derivation.level, ultra_points=derivation.ultra_points)
        assert is_sound(right, calculator), entry.example


@pytest.mark.parametrize("language", ["de", "fr"])
def test_other_languages_have_all_components_with_examples_of_their_own(language: str) -> None:
    edition = find(17)
    listed = entries(edition, find_words(edition, language))
    english = {each.example for each in entries(edition)}
    assert [each.component for each in listed] == list(edition.components)
    assert all(each.example and each.example not in english for each in listed)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("draw", "draw x cards"),
        ("DRAWS", "draw x cards"),
        ("drawing card", "draw x cards"),
        ("kill", "destroy the targets"),
        ("destory", "destroy the targets"),
        ("killing", "destroy the targets"),
        ("token", "craft x level y pawns"),
        ("health", "x-dice-heal yourself"),
        ("steal", "hypnotize the targets until the end of this turn"),
        ("excav", "Excavate x cards and target up to y excavated cards"),
        ("counterspell", "negate the targets"),
        ("graveyard", "Target up to x cards in your grave"),
        ("exausting", "exhaust and fatigue the targets"),
        ("hp", "pay x HP"),
    ],
)
def test_words_find_components_in_any_form_and_by_other_words(query: str, text: str) -> None:
    texts = [each.words for each in entries(find(17))]
    assert text in [texts[at] for at in search_texts(query, texts).found]


def test_the_word_itself_comes_before_other_forms_of_it() -> None:
    texts = ["destroyed", "self-destroy x", "kills", "nothing"]
    assert search_texts("destroy", texts).found == (1, 0)
    assert search_texts("", texts).found == (0, 1, 2, 3)


def test_all_words_must_be_there() -> None:
    result = kotc("effects", "--edition", 17, "random", "hand", "--format", "json")
    assert all(
        {"random", "hand"} <= set(re.findall(r"random|hand", each["words"])) for each in json.loads(result.stdout)
    )
    assert len(json.loads(result.stdout)) == 4


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("number", [9, 11, 17])
def test_the_table_is_no_wider_than_the_terminal(number: int, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = kotc("effects", "--edition", number).stdout.split("\n")
    assert max(map(len, lines)) <= columns
    assert len(lines) > 2 * len(find(number).components)


def test_a_table_shows_price_levels_and_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = kotc("effects", "--edition", 17, "wound")
    assert result.stdout == (
        "EFFECTS: what it adds to the level; t: its targets\n"
        "                                                                     x = 1, 2, 3\n"
        "x-dice-wound enemy                                        +2x, 2 UP  +2, +4, +6\n"
        "    2-dice-wound enemy.\n"
        "x-dice-wound yourself and enemy                           +x, 2 UP   +1, +2, +3\n"
        "    2-dice-wound yourself and enemy.\n"
    )
    assert result.stderr == "17th Edition: 2 effects\n"


def test_programs_get_formulas_and_levels() -> None:
    found = json.loads(kotc("effects", "--edition", 11, "draw", "--format", "json").stdout)
    assert found == [
        {
            "edition": 11,
            "kind": "effect",
            "words": "Draw x cards",
            "level": "ax",
            "factor": None,
            "price": "+ax",
            "levels": ["+1", "+2", "+3"],
            "ultra_points": 0,
            "limits": {},
            "example": "Draw 2 cards.",
        }
    ]


def test_a_limit_is_told_and_ends_levels_and_example() -> None:
    limited = [replace(each, limits=(("x", 1),)) for each in find(17).components if each.text == "draw {x} cards"]
    (entry,) = entries(replace(find(17), components=tuple(limited)))
    assert (limits_text(entry), entry.levels, entry.example) == ("x at most 1", ("+2",), "Draw 1 card.")


def test_the_edition_is_that_of_the_set_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path, "", "name: Old\nedition: 9\n")
    assert kotc("effects", "draw").stderr.startswith("17th Edition")
    monkeypatch.chdir(tmp_path)
    assert kotc("effects", "draw").stderr.startswith("9th Edition")
    assert kotc("effects", "draw", "--edition", 11).stderr.startswith("11th Edition")
    (tmp_path / "set.yaml").write_text("edition: [\n")
    assert kotc("effects", "draw").stderr.startswith("17th Edition")


def test_nothing_found_is_said_with_the_nearest_words() -> None:
    result = kotc("effects", "--edition", 17, "hypnosis", "zzz")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "no component of the 17th Edition has `hypnosis zzz`; the nearest words are `hypnotize`\n"
    assert kotc("effects", "zzzz", "--format", "json").stdout == "[]\n"
    assert kotc("effects", "--edition", 17, "--kind", "caveat").stderr == "the 17th Edition has no caveats\n"


def test_the_page_has_every_component_and_escapes_what_is_not_markup(tmp_path: Path) -> None:
    page = tmp_path / "effects.html"
    assert kotc("effects", "--edition", 17, "--language", "de", "--page", page).exit_code == 0
    text = page.read_text("utf-8")
    assert text.count("<tr data-words=") == len(find(17).components)
    assert 'lang="de"' in text
    assert "ziehe x Karten" in text
    assert "{{" not in text

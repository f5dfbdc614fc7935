"""What an editor is told about a card while it is written: hints, words, outline, ways to other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from render.game import registry
from render.lsp.completing import completions
from render.lsp.hints import inlay_hints
from render.lsp.hovering import hover
from render.lsp.navigation import definitions, links
from render.lsp.outlines import found_cards, outline
from render.lsp.sources.edited_set import view_of
from render.lsp.sources.places import LineMap
from render.source.unsaved import with_unsaved
from tests.games.quartet.decks import GAME
from tests.support.marked_texts import card_file, unmarked

CARDS = """\
- name: Storm Hammer
  kind: minion
  level: auto
  sp: 4
  hp: 6
  text: "HAMMER: When this card attacks, after Attack Formation (ghost-play): Target 1 on-field minion; destroy it."
- name: Paper Boat
  kind: spell
  level: 9
  text: |
    Draw 2 cards.
"""


def offered(
    folder: Path, text: str, name: str = "cards.yaml", set_yaml: str = "name: Test\nedition: 17\n"
) -> list[str]:
    """Return the labels of what may be written at the mark."""
    plain, spot = unmarked(text)
    file, view = card_file(folder, plain, set_yaml, name)
    return [each.label for each in completions(plain, file, view, spot)]


def hovered(folder: Path, text: str) -> str:
    plain, spot = unmarked(text)
    file, view = card_file(folder, plain)
    said = hover(plain, file, view, spot)
    return said.words if said else ""


# --- hints ----------------------------------------------------------------------------------------------------------


def test_a_level_that_is_left_to_the_rules_or_wrong_is_shown_behind_it(tmp_path: Path) -> None:
    file, view = card_file(tmp_path, CARDS)
    hints = {(each.line, each.word) for each in inlay_hints(CARDS, file, view, 0, None)}
    assert {(2, "9"), (8, "4 by the rules")} <= hints


def test_a_right_level_has_no_hint(tmp_path: Path) -> None:
    text = CARDS.replace("level: 9", "level: 4")
    file, view = card_file(tmp_path, text)
    assert not inlay_hints(text, file, view, 8, 8)


def test_what_an_effect_adds_stands_behind_its_words(tmp_path: Path) -> None:
    file, view = card_file(tmp_path, CARDS)
    [hint] = inlay_hints(CARDS, file, view, 10, 10)
    line = CARDS.split("\n")[hint.line]
    assert (line[: hint.character].strip(), hint.word) == ("Draw 2 cards", "+4")


def test_only_the_lines_asked_for_have_hints_and_an_edit_moves_them(tmp_path: Path) -> None:
    file, view = card_file(tmp_path, CARDS)
    assert {each.line for each in inlay_hints(CARDS, file, view, 0, 4)} == {2}
    assert {each.line for each in inlay_hints(f"# two\n# lines\n{CARDS}", file, view, 0, 6)} == {4}


def test_a_broken_card_takes_no_hint_from_the_others(tmp_path: Path) -> None:
    text = f'- name: "Broken\n  kind: [\n{CARDS}'
    file, view = card_file(tmp_path, text)
    assert {each.word for each in inlay_hints(text, file, view, 0, None)} >= {"9", "4 by the rules"}


# --- hover ----------------------------------------------------------------------------------------------------------


def test_a_key_is_explained_in_the_words_of_the_reference(tmp_path: Path) -> None:
    said = hovered(tmp_path, CARDS.replace("kind: minion", "ki‸nd: minion"))
    assert said.startswith("`kind`: What the card is")


def test_the_level_is_explained_by_how_it_follows(tmp_path: Path) -> None:
    said = hovered(tmp_path, CARDS.replace("level: auto", "level: au‸to"))
    assert "**level 9**" in said
    assert "| destroy it | +2 | effect |" in said


def test_a_piece_of_an_ability_is_explained_with_what_it_adds(tmp_path: Path) -> None:
    assert hovered(tmp_path, CARDS.replace("Draw 2", "Dr‸aw 2")).startswith("effect **+4**: Draw 2 cards")


def test_where_no_word_is_nothing_is_said(tmp_path: Path) -> None:
    assert hovered(tmp_path, f"‸# a comment\n{CARDS}") == ""


# --- completion -----------------------------------------------------------------------------------------------------


def test_the_keys_of_a_spell_are_offered_but_for_those_that_it_has(tmp_path: Path) -> None:
    keys = offered(tmp_path, "- name: Boat\n  kind: spell\n  ‸")
    assert {"level", "text", "art", "ultra_points"} <= set(keys)
    assert not {"sp", "hp", "cost", "name", "kind"} & set(keys)


def test_an_old_creature_has_the_keys_of_its_game(tmp_path: Path) -> None:
    keys = offered(tmp_path, "- name: Boat\n  kind: creature\n  edition: 9\n  ‸")
    assert {"offense", "defense", "cost"} <= set(keys)
    assert not {"sp", "hp", "level", "ultra_points"} & set(keys)


@pytest.mark.parametrize(
    ("text", "name", "some"),
    [
        ("- name: Boat\n  kind: ‸", "cards.yaml", {"minion", "spell", "pawn", "tip"}),
        ("- name: Boat\n  art:\n    f‸", "cards.yaml", {"file", "fit", "author"}),
        ("- name: Boat\n  art: {fit: ‸", "cards.yaml", {"contain", "cover"}),
        ("- name: Boat\n  level: ‸", "cards.yaml", {"auto"}),
        ("name: x\n‸", "set.yaml", {"edition", "sheet", "outputs", "credit"}),
        ("name: x\nsheet:\n  ‸", "set.yaml", {"paper", "flip", "bleed"}),
        ("name: x\nsheet: {paper: ‸", "set.yaml", {"a4", "letter"}),
        ("name: x\noutputs: [‸", "set.yaml", {"png", "sheets", "gallery"}),
    ],
)
def test_what_may_stand_there_is_offered(tmp_path: Path, text: str, name: str, some: set[str]) -> None:
    plain, spot = unmarked(text)
    file, view = card_file(tmp_path, CARDS if name == "set.yaml" else plain)
    file = file.parent / name
    with with_unsaved({str(file.resolve()): plain}):
        assert some <= {each.label for each in completions(plain, file, view_of(file) or view, spot)}


def test_the_pictures_of_the_set_are_offered_and_hidden_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    for name in ("storm, one.png", ".hidden.png", "notes.txt"):
        (tmp_path / "art" / name).write_bytes(b"")
    plain, spot = unmarked("- name: Boat\n  art: ‸")
    file, view = card_file(tmp_path, plain)
    found = completions(plain, file, view, spot)
    assert [(each.label, each.new) for each in found] == [("art/storm, one.png", '"art/storm, one.png"')]


def test_pieces_of_an_ability_come_with_their_price_and_places_for_numbers(tmp_path: Path) -> None:
    plain, spot = unmarked('- name: Boat\n  kind: spell\n  text: "Draw 1 card. dra‸')
    file, view = card_file(tmp_path, plain)
    [draw] = [each for each in completions(plain, file, view, spot) if each.label == "Draw x cards"]
    assert (draw.new, draw.beside, draw.snippet) == ("Draw ${1:x} cards.", "+2x", True)
    replaced = LineMap(plain)
    assert plain[replaced.offset(draw.stretch.start) :] == "dra"
    assert "Example: " in draw.words


def test_pieces_are_those_of_the_edition_of_the_card(tmp_path: Path) -> None:
    old = offered(tmp_path, "- name: Boat\n  kind: spell\n  edition: 9\n  text: ‸")
    assert "Exhaust x of your resources." in old
    assert "Draw x cards" not in old


def test_a_deck_is_offered_the_cards_of_its_sets(tmp_path: Path) -> None:
    card_file(tmp_path / "mine", CARDS)
    plain, spot = unmarked("name: Deck\nedition: 17\nsets: [mine]\ncards:\n  st‸")
    file = tmp_path / "deck.yaml"
    file.write_text(plain, "utf-8")
    found = completions(plain, file, None, spot)
    assert [each.new for each in found] == ["storm-hammer: ", "paper-boat: "]


def test_another_game_is_offered_its_own_words_and_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._GAMES, GAME.name, GAME)
    said = "name: Beasts\ngame: quartet\ntheme: Fell\n"
    assert offered(tmp_path, "- name: Bear\n  kind: ‸", set_yaml=said) == ["beast", "token"]
    keys = offered(tmp_path, "- name: Bear\n  kind: beast\n  ‸", set_yaml=said)
    assert {"family", "weight"} <= set(keys)
    assert "level" not in keys


# --- outline and ways -----------------------------------------------------------------------------------------------


def test_the_outline_of_a_card_file_lists_cards_with_kind_and_level(tmp_path: Path) -> None:
    file, view = card_file(tmp_path, CARDS)
    assert [(each.name, each.beside) for each in outline(CARDS, file, view)] == [
        ("Storm Hammer", "minion level 9"),
        ("Paper Boat", "spell level 4"),
    ]


def test_the_outline_of_a_set_lists_its_keys(tmp_path: Path) -> None:
    said = "name: Test\nedition: 17\nsheet: {paper: a4}\n"
    file, view = card_file(tmp_path, CARDS, said)
    found = outline(said, file.parent / "set.yaml", view)
    assert [each.name for each in found] == ["name", "edition", "sheet"]
    assert [each.name for each in found[2].inner] == ["paper"]


def test_cards_are_found_by_words_of_their_names(tmp_path: Path) -> None:
    _, view = card_file(tmp_path, CARDS)
    assert [each.name for each in found_cards(iter([view]), "hammer storm")] == ["Storm Hammer"]


def test_a_kind_leads_to_its_template_and_that_of_the_set_comes_first(tmp_path: Path) -> None:
    plain, spot = unmarked(CARDS.replace("kind: spell", "kind: sp‸ell"))
    file, view = card_file(tmp_path, plain)
    [place] = definitions(plain, file, view, spot)
    assert place.file.name == "spell.svg"
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "spell.svg").write_text("<svg/>", "utf-8")
    assert [each.file for each in definitions(plain, file, view, spot)] == [tmp_path / "templates" / "spell.svg"]


def test_a_picture_is_a_link_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "boat.png").write_bytes(b"")
    text = CARDS + "  art: boat.png\n- name: No\n  art: ../gone.png\n"
    file, view = card_file(tmp_path, text)
    [link] = links(text, file, view)
    lines = LineMap(text)
    assert text[lines.offset(link.stretch.start) : lines.offset(link.stretch.end)] == "boat.png"
    assert link.file == (tmp_path / "boat.png").resolve()


def test_a_line_of_a_deck_leads_to_the_card(tmp_path: Path) -> None:
    cards, _ = card_file(tmp_path / "mine", CARDS)
    plain, spot = unmarked("name: Deck\nedition: 17\nsets: [mine]\ncards: {paper-‸boat: 2}\n")
    (tmp_path / "deck.yaml").write_text(plain, "utf-8")
    [place] = definitions(plain, tmp_path / "deck.yaml", None, spot)
    assert (place.file, place.stretch.start.line) == (cards, 6)

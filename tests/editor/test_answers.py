"""What an editor is told about a card while it is written: hints, words, outline, ways to other files."""

from pathlib import Path

import pytest
from lsprotocol.types import (
    CompletionItem,
    DefinitionParams,
    HoverParams,
    InlayHintParams,
    InsertTextFormat,
    Location,
    MarkupContent,
    Position,
    Range,
    TextEdit,
)

from render.base.reach import with_unsaved
from render.game import registry
from render.lsp.answers import definitions, find_cards, hover, inlay_hints, links, outline
from render.lsp.document import EditedDocument, LineMap
from tests.games.quartet.decks import GAME
from tests.support.marked_texts import NO_FILE, SET, completions, document_of, unmarked, write_document

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


def offered(folder: Path, text: str, name: str = "cards.yaml", set_yaml: str = SET) -> list[CompletionItem]:
    """Return what may be written at the mark."""
    plain, position = unmarked(text)
    file = write_document(folder, CARDS if name == "set.yaml" else plain, set_yaml=set_yaml).file.parent / name
    with with_unsaved({str(file.resolve()): plain}):
        return completions(document_of(file, plain), position)


def led_to(document: EditedDocument, position: Position) -> list[Location]:
    return definitions(document, DefinitionParams(NO_FILE, position))


def labels(items: list[CompletionItem]) -> set[str]:
    return {item.label for item in items}


def new_text(item: CompletionItem) -> str:
    assert item.text_edit
    return item.text_edit.new_text


# --- hints and hover ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines", "expected"),
    [
        # a level that is left to the rules, or wrong, is shown behind it, and what an effect adds behind its words
        (CARDS, (0, 2), {(2, 13, "9")}),
        (CARDS, (8, 8), {(8, 10, "4 by the rules")}),
        (CARDS, (10, 10), {(10, 16, "+4")}),
        (CARDS.replace("level: 9", "level: 4"), (8, 8), set()),
        # only the lines asked for have hints, and an edit moves them
        (f"# two\n# lines\n{CARDS}", (0, 6), {(4, 13, "9")}),
        # a broken card takes no hint from the others
        (f'- name: "Broken\n  kind: [\n{CARDS}', (4, 4), {(4, 13, "9")}),
        (f'- name: "Broken\n  kind: [\n{CARDS}', (10, 10), {(10, 10, "4 by the rules")}),
    ],
)
def test_hints_stand_behind_the_words_that_they_are_about(
    tmp_path: Path, text: str, lines: tuple[int, int], expected: set[tuple[int, int, str]]
) -> None:
    first, last = (Position(line, 0) for line in lines)
    hints = inlay_hints(write_document(tmp_path, text), InlayHintParams(NO_FILE, Range(first, last)))
    assert {(hint.position.line, hint.position.character, hint.label) for hint in hints} == expected


@pytest.mark.parametrize(
    ("old", "new", "begin", "inside"),
    [
        ("kind: minion", "ki‸nd: minion", "`kind`: What the card is", ""),
        ("level: auto", "level: au‸to", "`level`: ", "| destroy it | +2 | effect |"),
        ("level: auto", "level: au‸to", "`level`: ", "**level 9**"),
        ("Draw 2", "Dr‸aw 2", "effect **+4**: Draw 2 cards", ""),
    ],
)
def test_the_word_under_the_pointer_is_explained(tmp_path: Path, old: str, new: str, begin: str, inside: str) -> None:
    plain, position = unmarked(CARDS.replace(old, new))
    answer = hover(write_document(tmp_path, plain), HoverParams(NO_FILE, position))
    assert answer and isinstance(answer.contents, MarkupContent)
    assert answer.contents.value.startswith(begin) and inside in answer.contents.value


def test_where_no_word_is_nothing_is_said(tmp_path: Path) -> None:
    plain, position = unmarked(f"‸# a comment\n{CARDS}")
    assert hover(write_document(tmp_path, plain), HoverParams(NO_FILE, position)) is None


# --- completion -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "some", "none"),
    [
        ("- name: Boat\n  kind: ‸", "cards.yaml", "minion spell pawn tip", ""),
        ("- name: Boat\n  art:\n    f‸", "cards.yaml", "file fit author", ""),
        ("- name: Boat\n  art: {fit: ‸", "cards.yaml", "contain cover", ""),
        ("- name: Boat\n  level: ‸", "cards.yaml", "auto", ""),
        # the keys of the card's kind and edition, but for those that it has
        ("- name: Boat\n  kind: spell\n  ‸", "cards.yaml", "level text art ultra_points", "sp hp cost name kind"),
        (
            "- name: Boat\n  kind: creature\n  edition: 9\n  ‸",
            "cards.yaml",
            "offense defense cost",
            "sp hp level ultra_points",
        ),
        ("- name: Boat\n  words:\n    de:\n      ‸", "cards.yaml", "name flavor abilities", "kind"),
        ("boat:\n  ‸", "words.de.yaml", "name flavor abilities", "kind"),
        ("‸", "set.yaml", "name edition", ""),
        ("name: x\n‸", "set.yaml", "edition sheet outputs credit languages words", "name"),
        ("name: x\nsheet:\n  ‸", "set.yaml", "paper flip bleed", ""),
        ("name: x\nsheet: {paper: ‸", "set.yaml", "a4 letter", ""),
        ("name: x\noutputs: [‸", "set.yaml", "png sheets gallery", ""),
    ],
)
def test_what_may_stand_there_is_offered(tmp_path: Path, text: str, name: str, some: str, none: str) -> None:
    names = labels(offered(tmp_path, text, name))
    assert {*some.split()} <= names
    assert not {*none.split()} & names


def test_the_pictures_of_the_set_are_offered_and_hidden_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    for name in ("storm, one.png", ".hidden.png", "notes.txt"):
        (tmp_path / "art" / name).write_bytes(b"")
    [item] = offered(tmp_path, "- name: Boat\n  art: ‸")
    assert (item.label, new_text(item)) == ("art/storm, one.png", '"art/storm, one.png"')


def test_pieces_of_an_ability_come_with_their_price_and_places_for_numbers(tmp_path: Path) -> None:
    text = '- name: Boat\n  kind: spell\n  text: "Draw 1 card. dra‸'
    [draw] = [item for item in offered(tmp_path, text) if item.label == "Draw x cards"]
    assert (new_text(draw), draw.detail, draw.insert_text_format) == (
        "Draw ${1:x} cards.",
        "+2x",
        InsertTextFormat.Snippet,
    )
    assert isinstance(draw.text_edit, TextEdit) and isinstance(draw.documentation, MarkupContent)
    plain, _ = unmarked(text)
    assert plain[LineMap(plain).offset(draw.text_edit.range.start) :] == "dra"
    assert "Example: " in draw.documentation.value


def test_pieces_are_those_of_the_edition_of_the_card(tmp_path: Path) -> None:
    old = labels(offered(tmp_path, "- name: Boat\n  kind: spell\n  edition: 9\n  text: ‸"))
    assert "Exhaust x of your resources." in old
    assert "Draw x cards" not in old


def test_a_deck_is_offered_the_cards_of_its_sets(tmp_path: Path) -> None:
    write_document(tmp_path / "mine", CARDS)
    plain, position = unmarked("name: Deck\nedition: 17\nsets: [mine]\ncards:\n  st‸")
    file = tmp_path / "deck.yaml"
    file.write_text(plain, "utf-8")
    assert [new_text(item) for item in completions(document_of(file, plain), position)] == [
        "storm-hammer: ",
        "paper-boat: ",
    ]


def test_another_game_is_offered_its_own_words_and_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._GAMES, GAME.name, GAME)
    said = "name: Beasts\ngame: quartet\ntheme: Fell\n"
    assert labels(offered(tmp_path, "- name: Bear\n  kind: ‸", set_yaml=said)) == {"beast", "token"}
    keys = labels(offered(tmp_path, "- name: Bear\n  kind: beast\n  ‸", set_yaml=said))
    assert {"family", "weight"} <= keys
    assert "level" not in keys


# --- outline and ways -----------------------------------------------------------------------------------------------


def test_the_outline_lists_cards_with_kind_and_level_or_keys(tmp_path: Path) -> None:
    said = "name: Test\nedition: 17\nsheet: {paper: a4}\n"
    document = write_document(tmp_path, CARDS, set_yaml=said)
    assert [(symbol.name, symbol.detail) for symbol in outline(document, None)] == [
        ("Storm Hammer", "minion level 9"),
        ("Paper Boat", "spell level 4"),
    ]
    keys = outline(document_of(tmp_path / "set.yaml", said), None)
    assert [symbol.name for symbol in keys] == ["name", "edition", "sheet"]
    assert [symbol.name for symbol in keys[2].children or ()] == ["paper"]


def test_cards_are_found_by_words_of_their_names(tmp_path: Path) -> None:
    edited = write_document(tmp_path, CARDS).edited
    assert edited
    assert [symbol.name for symbol in find_cards([edited], "hammer storm", Path.as_uri)] == ["Storm Hammer"]


def test_a_kind_leads_to_its_template_and_that_of_the_set_comes_first(tmp_path: Path) -> None:
    plain, position = unmarked(CARDS.replace("kind: spell", "kind: sp‸ell"))
    document = write_document(tmp_path, plain)
    [place] = led_to(document, position)
    assert place.uri.endswith("/spell.svg")
    (tmp_path / "templates").mkdir()
    own = tmp_path / "templates" / "spell.svg"
    own.write_text("<svg/>", "utf-8")
    assert [each.uri for each in led_to(document, position)] == [own.as_uri()]


def test_a_picture_is_a_link_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "boat.png").write_bytes(b"")
    text = CARDS + "  art: boat.png\n- name: No\n  art: ../gone.png\n"
    [link] = links(write_document(tmp_path, text), None)
    lines = LineMap(text)
    assert text[lines.offset(link.range.start) : lines.offset(link.range.end)] == "boat.png"
    assert link.target == (tmp_path / "boat.png").resolve().as_uri()


def test_a_line_of_a_deck_leads_to_the_card(tmp_path: Path) -> None:
    cards = write_document(tmp_path / "mine", CARDS).file
    plain, position = unmarked("name: Deck\nedition: 17\nsets: [mine]\ncards: {paper-‸boat: 2}\n")
    (tmp_path / "deck.yaml").write_text(plain, "utf-8")
    [place] = led_to(document_of(tmp_path / "deck.yaml", plain), position)
    assert (place.uri, place.range.start.line) == (cards.as_uri(), 6)

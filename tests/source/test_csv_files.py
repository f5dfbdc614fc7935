"""CSV files as card files: what they mean, in every encoding, and what is said of mistakes in them."""

import json
import os
from pathlib import Path

import pytest

from render.base.findings import CellPlace, Problem, Span
from render.build.store import RecentMemory
from render.game.folder import find_sources
from render.games.kotc.sets import load_sets
from render.lsp.checking import by_file
from render.preview.set_view import SetView
from tests.support.messages import assert_says, words, write
from tests.support.sets import kotc
from tests.support.templates import with_plain_back

pytestmark = pytest.mark.usefixtures("in_empty_folder")

SET = "name: Starter\nedition: 17\n"
HEAD = "name,kind,level,text"
CARD = "Cat,spell,2,Draw 1 card."


def set_of(content: str | bytes, name: str = "cards.csv") -> Path:
    return write(Path("s"), {"set.yaml": SET, name: content})


def said(content: str | bytes) -> str:
    return kotc("check", set_of(content)).stdout.rstrip("\n")


def names(content: str | bytes, name: str = "cards.csv") -> list[str]:
    (card_set,) = load_sets([set_of(content, name)])
    return [card.name for card in card_set.cards]


def test_a_row_is_the_card_that_the_same_keys_in_yaml_are() -> None:
    row = "Cat,spell,2,Draw 1 card.,2,art/a.png,A. Author,Katze\n"
    table = write(Path("t"), {"set.yaml": SET, "a.csv": f"{HEAD},copies,art.file,art.author,words.de.name\n{row}"})
    card = """
        name: Cat
        kind: spell
        level: 2
        text: Draw 1 card.
        copies: 2
        art: {file: art/a.png, author: A. Author}
        words: {de: {name: Katze}}
    """
    (of_table,), (of_yaml,) = (
        each.cards
        for folder in (table, write(Path("y"), {"set.yaml": SET, "a.yaml": card}))
        for each in load_sets([folder])
    )
    assert of_table.art is not None
    assert of_yaml.art is not None
    assert repr(of_table).replace("/t/", "/y/") == repr(of_yaml)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_unicode_encoding_is_read(encoding: str) -> None:
    assert names(f"{HEAD}\nKöter,spell,2,Draw 1 card.\n".encode(encoding)) == ["Köter"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_separator_and_line_end_is_found(separator: str, line_end: str) -> None:
    rows = [HEAD.replace(",", separator), "", CARD.replace(",", separator)]
    assert names(line_end.join(rows)) == ["Cat"]


def test_the_first_line_of_excel_names_the_separator() -> None:
    assert names('sep=;\nname;kind;level;text\n"a, b; c";spell;2;Draw 1 card.\n') == ["a, b; c"]


def test_quotes_hold_separators_quotes_and_line_breaks() -> None:
    (card_set,) = load_sets([set_of(f'{HEAD}\nCat,spell,2,"A ""b"", c.\r\nNext."\n')])
    assert card_set.cards[0].text == 'A "b", c.\nNext.'


def test_empty_rows_are_skipped_and_copies_count() -> None:
    (card_set,) = load_sets([set_of(f"{HEAD},copies\n,,,,\n{CARD},3\n\n , ,,,\nDog,spell,2,Draw 1 card.,\n")])
    assert [(card.name, card.copies) for card in card_set.cards] == [("Cat", 3), ("Dog", 1)]


def test_a_quote_before_what_would_be_read_otherwise_is_left_out() -> None:
    rows = "".join(
        f"{name},spell,2,Draw 1 card.,{id}\n" for id, name in enumerate(["'=1", "'+2", "'Twas", "''TRUE", "'' x"])
    )
    assert names(f"{HEAD},id\n{rows}") == ["=1", "+2", "'Twas", "'TRUE", "' x"]


def test_a_cell_with_two_quotes_is_an_empty_text() -> None:
    write(Path("s"), {"set.yaml": f"{SET}credit: By us.\n"})
    (Path("s") / "a.csv").write_text(f'{HEAD},credit\n{CARD},""""""\nDog,spell,2,Draw 1 card.,\n')
    (card_set,) = load_sets([Path("s")])
    assert [card.credit for card in card_set.cards] == ["", "By us."]


def test_a_csv_file_that_holds_no_cards_is_let_alone() -> None:
    set_of(f"{HEAD}\n{CARD}\n")
    (Path("s") / "prices.csv").write_text("date,price\n2026-01-01,3\n")
    assert kotc("check", "s").output.strip() == "1 card checked: nothing to report"


def test_the_table_of_a_folder_of_pictures_is_no_card_file() -> None:
    with_plain_back(set_of(f"{HEAD}\n{CARD}\n"))
    assert kotc("table", "s", "--for", "folder", "-o", "p").exit_code == 0
    (Path("s") / "table.csv").write_bytes((Path("p") / "cards.csv").read_bytes())
    assert kotc("check", "s").output.strip() == "1 card checked: nothing to report"


MISTAKES: dict[str, tuple[str | bytes, list[str]]] = {
    "unknown heading": (
        f"{HEAD},nmae,flavour\nCat,spell,2,Draw 1 card.,x,y\nDog,pawn,,Draw 1 card.,x,y\n",
        [
            "E1 C002 unknown key `nmae` (did you mean `name`? to leave the column out, begin its heading with `#`)",
            "F1 C002 unknown key `flavour` (did you mean `flavor`? to leave the column out, begin its heading with `#`)",
        ],
    ),
    "nested heading": (
        f"{HEAD},art.autor\n{CARD},me\n",
        [
            "E1 C002 unknown key `autor` (did you mean `author`? to leave the column out, begin its heading with `#`)",
            "E2 C004 `art` has no `file` (add a column `art.file`, such as `art/storm-hammer.jpg`)",
        ],
    ),
    "key of another kind": (
        f"{HEAD},sp\n{CARD},3\n",
        ["E2 C003 a spell has no `sp` (remove it, or change `kind`)"],
    ),
    "missing value": (
        f"{HEAD},sp,hp\n{CARD},,\nDog,minion,2,,1,\n",
        ["A3 C004 `dog` has no `hp` (write it in the column `hp`, such as `6`)"],
    ),
    "missing column": (
        "name,level,text\nCat,2,Draw 1 card.\n",
        ["A2 C004 `cat` has no `kind` (add a column `kind`, such as `minion`)"],
    ),
    "no number": (
        f"{HEAD},copies\n{CARD},2.5\n",
        ["E2 C006 expected a whole number from 0 to 999, found `2.5`"],
    ),
    "heading twice": (
        "name,kind,level,text,name\nCat,spell,2,Draw 1 card.,Dog\n",
        ["E1 Y012 the key `name` is given twice, first in cell A1 (remove one of the two columns)"],
    ),
    "no heading": (
        f"{HEAD}\n{CARD}\nDog,spell,2,Draw 1 card.,,x\nFox,spell,2,Draw 1 card.,,y\n",
        ["F3 N007 nothing stands above this cell: column F has no heading"],
    ),
    "no key": (
        f"{HEAD},art..file\n{CARD},x\n",
        ["E1 N006 `art..file` is no heading"],
    ),
    "text and keys": (
        f"{HEAD},flavor,flavor.size\n{CARD},a.png,me\n",
        ["F2 N008 `flavor` has a value in cell E2, so it cannot have keys (empty one of the two cells)"],
    ),
    "gap": (
        f"{HEAD},words.de.name.1,words.de.name.3\n{CARD},a,b\n",
        [
            "E2 C005 expected a text, found a list, `[a, b]` (write `a, b` into one column `words.de.name`)",
            "F2 N008 `words.de.name.3` is filled, and one before it is not",
        ],
    ),
    "formula": (
        f"{HEAD}\nCat,spell,=1+1,Draw 1 card.\n",
        ["C2 N004 the cell holds the formula `=1+1` and no value of it"],
    ),
    "open quote": (
        f'{HEAD}\nCat,spell,2,"Draw 1 card.\nDog,spell,2,Draw 1 card.\n',
        ['D2 N003 no quote ends this cell (write `"` behind its last word)'],
    ),
    "quote within": (
        f'{HEAD}\nCat,spell,2,"Draw "1" card."\n',
        ["D2 N003 something stands behind the quote that ends the cell"],
    ),
    "control character": (
        f"{HEAD}\nC\x07at,spell,2,Draw 1 card.\n",
        [
            "A2 C015 U+FFFD is not a character that can be printed, in `name` of `c-at` (remove it)",
            "A2 Y005 the character U+0007 cannot be printed (remove it)",
        ],
    ),
    "same id": (
        f"{HEAD}\n{CARD}\n{CARD}\n",
        ["A3 C013 two cards have the id `cat`, the first at s/cards.csv, cell A2"],
    ),
    "place in a text": (
        f'{HEAD}\nCat,spell,2,"Draw 1 card.\n(One 一)"\n',
        ["D2 C017 no bundled font has `一` (U+4E00), in `text` of `cat` (write it with other characters)"],
    ),
    "wrong level": (
        f"{HEAD}\nCat,spell,7,Draw 1 card.\n",
        ["C2 V001 the level of `cat` is 2, not 7 (the ability 2 (Draw 1 card 2): level 2)"],
    ),
    "no text at all": (
        b"\x81\x8d\x8fname",
        ["s/cards.csv:1:1 N001 the file is no text"],
    ),
    "nothing": (
        b"",
        ["s/cards.csv:1:1 Y006 the file is empty (write a card, or remove the file)"],
    ),
    "no cards": (
        "date,price\n1,2\n",
        ["s/set.yaml:1:1 S021 the set has no cards"],
    ),
    "only a header": (
        f"{HEAD}\n",
        [
            "s/set.yaml:1:1 S021 the set has no cards (write a card into the second row of `s/cards.csv`, below the header)"
        ],
    ),
    "error of a formula": (
        f"{HEAD}\n#REF!,spell,2,Draw 1 card.\n",
        ["A2 N005 the cell holds the error `#REF!` of a formula"],
    ),
    "windows": (
        f"{HEAD}\nKöter,spell,2,Draw 1 card.\n".encode("cp1252"),
        ["A2 N002 warning: the file is not UTF-8; as Windows-1252 this is `ö`"],
    ),
    "mark read as letters": (
        f"\ufeff{HEAD}\nTea,spell,2,Draw 1 card.\n".encode().decode("cp1252"),
        ["s/cards.csv:1:1 N011 another program misread the letters of this file, and saved `Ã©` for `é`"],
    ),
    "letters read as others": (
        f"{HEAD}\nKöter,spell,2,Draw 1 card.\n".encode().decode("cp1252"),
        ["s/cards.csv:1:1 N011 another program misread the letters of this file, and saved `Ã©` for `é`"],
    ),
}


@pytest.mark.parametrize(("content", "wanted"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_names_its_cell_and_what_to_do(content: str | bytes, wanted: list[str]) -> None:
    assert_says(said(content), *wanted)


def test_findings_for_programs_have_line_column_and_cell() -> None:
    (finding,) = json.loads(
        kotc("check", set_of(f'{HEAD}\n"a\nb",spell,2,Draw 1 card.\nCat,x,2,Draw.\n'), "--format", "json").stdout
    )[1:]
    assert (finding["line"], finding["column"], finding["sheet"], finding["cell"]) == (4, 5, None, "B3")


def test_a_csv_file_in_the_folder_of_outputs_is_no_card_file() -> None:
    folder = set_of(f"{HEAD}\n{CARD}\n")
    os.chdir(folder)
    (Path("out") / "png").mkdir(parents=True)
    (Path("out") / "cards.csv").write_text(f"{HEAD}\n{CARD}\n")
    assert kotc("check").output.strip() == "1 card checked: nothing to report"


def test_a_build_makes_again_only_the_card_whose_row_changes() -> None:
    folder = set_of(f"{HEAD}\n{CARD}\nDog,spell,2,Draw 1 card.\n")
    kotc("build", folder)
    before = {file.name: file.stat().st_mtime_ns for file in Path("out/s/png").iterdir()}
    assert "(0 written, 3 unchanged)" in kotc("build", folder).output
    set_of(f"{HEAD}\n{CARD}\n\nDog,spell,2,Target 1 on-field minion; destroy it.\n")
    assert "(2 written, 1 unchanged)" in kotc("build", folder).output
    now = {file.name: file.stat().st_mtime_ns for file in Path("out/s/png").iterdir()}
    assert {name for name in now if now[name] != before[name]} == {"dog.png"}


def test_what_the_rules_find_is_said_again_in_the_next_build() -> None:
    folder = set_of(f"{HEAD}\nCat,spell,2,Target 1 in-play card; destroy it.\n")
    first, second = (kotc("build", folder).output for _ in range(2))
    message = "s/cards.csv, cell D2: warning: `in-play card` is refurbished in the 17th Edition [K006]"
    assert message in first
    assert message in second


def test_the_preview_shows_cards_of_a_table_and_their_cells() -> None:
    folder = set_of(f"{HEAD}\n{CARD}\nDog,spell,x,Draw 1 card.\n")
    ((files,), _) = find_sources([folder])
    view = SetView(files, RecentMemory())
    view.update(files, (), lambda: None)
    assert [*view.laid] == ["cat"]
    assert [str(finding.span) for finding in view.findings] == ["s/cards.csv, cell C3"]
    set_of(f"{HEAD}\n{CARD}\nDog,spell,2,Draw 1 card.\n")
    assert not view.look_quickly([folder / "cards.csv"])
    view.update(files, [folder / "cards.csv"], lambda: None)
    assert ([*view.laid], view.findings) == (["cat", "dog"], [])


def test_an_editor_is_told_of_cells_in_files_that_it_cannot_show() -> None:
    span = Span(file=Path("s/cards.xlsx"), cell=CellPlace(name="C1", sheet="Cards"))
    set_of(f"{HEAD}\n{CARD}\n")
    (told,) = by_file([Problem("C002", "unknown key").at(span)], Path("s"))[Path("s/set.yaml")]
    assert (told.message, told.span) == ('s/cards.xlsx, sheet "Cards", cell C1: unknown key', None)


def test_lists_are_counted_from_one_in_the_header_and_in_messages() -> None:
    game = """
        name: Pairs
        fields: {word: {type: line, required: true}}
        kinds: {pair: {fields: [word], faces: 2}}
    """
    rows = "name,kind,faces.1.name,faces.1.word,faces.2.name\nTwo,pair,A,a,B\n"
    folder = write(Path("g"), {"set.yaml": "name: G\n", "game.yaml": game, "cards.csv": rows})
    assert kotc("check", folder).stdout.rstrip("\n") == words(
        """
        g/cards.csv, cell E2: error: `faces.2` has no `word` [C004]
          E2 | B
             | ^
          hint: add a column `faces.2.word`, such as `Words`
        """
    )

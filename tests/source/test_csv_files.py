"""CSV files as card files: what they mean, in every encoding, and what is said of mistakes in them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from render.base.findings import CellPlace, Problem, Span
from render.game.folder import find_sets
from render.games.kotc.sets import load_sets
from render.lsp.checking import by_file
from render.preview.set_view import SetView
from tests.support.messages import words, write
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


MISTAKES = {
    "unknown heading": (
        f"{HEAD},nmae,flavour\nCat,spell,2,Draw 1 card.,x,y\nDog,pawn,,Draw 1 card.,x,y\n",
        """
        s/cards.csv, cell E1: error: unknown key `nmae` [C002]
          E1 | nmae
             | ^^^^
          hint: did you mean `name`? to leave the column out, begin its heading with `#`
        s/cards.csv, cell F1: error: unknown key `flavour` [C002]
          F1 | flavour
             | ^^^^^^^
          hint: did you mean `flavor`? to leave the column out, begin its heading with `#`
        """,
    ),
    "nested heading": (
        f"{HEAD},art.autor\n{CARD},me\n",
        """
        s/cards.csv, cell E1: error: unknown key `autor` [C002]
          E1 | art.autor
             | ^^^^^^^^^
          hint: did you mean `author`? to leave the column out, begin its heading with `#`
        s/cards.csv, cell E2: error: `art` has no `file` [C004]
          E2 | me
             | ^^
          hint: add a column `art.file`, such as `art/storm-hammer.jpg`
        """,
    ),
    "key of another kind": (
        f"{HEAD},sp\n{CARD},3\n",
        """
        s/cards.csv, cell E2: error: a spell has no `sp` [C003]
          E2 | 3
             | ^
          hint: remove it, or change `kind`
        """,
    ),
    "missing value": (
        f"{HEAD},sp,hp\n{CARD},,\nDog,minion,2,,1,\n",
        """
        s/cards.csv, cell A3: error: `dog` has no `hp` [C004]
          A3 | Dog
             | ^^^
          hint: write it in the column `hp`, such as `6`
        """,
    ),
    "missing column": (
        "name,level,text\nCat,2,Draw 1 card.\n",
        """
        s/cards.csv, cell A2: error: `cat` has no `kind` [C004]
          A2 | Cat
             | ^^^
          hint: add a column `kind`, such as `minion`
        """,
    ),
    "no number": (
        f"{HEAD},copies\n{CARD},2.5\n",
        """
        s/cards.csv, cell E2: error: expected a whole number from 0 to 999, found `2.5` [C006]
          E2 | 2.5
             | ^^^
        """,
    ),
    "heading twice": (
        "name,kind,level,text,name\nCat,spell,2,Draw 1 card.,Dog\n",
        """
        s/cards.csv, cell E1: error: the key `name` is given twice, first in cell A1 [Y012]
          E1 | name
             | ^^^^
          hint: remove one of the two columns
        """,
    ),
    "no heading": (
        f"{HEAD}\n{CARD}\nDog,spell,2,Draw 1 card.,,x\nFox,spell,2,Draw 1 card.,,y\n",
        """
        s/cards.csv, cell F3: error: nothing stands above this cell: column F has no heading [N007]
          F3 | x
             | ^
          hint: write the key into the header, or `#` to leave the column out; if it is the rest of a text, write that text in quotes
        """,
    ),
    "no key": (
        f"{HEAD},art..file\n{CARD},x\n",
        """
        s/cards.csv, cell E1: error: `art..file` is no heading [N006]
          E1 | art..file
             | ^^^^^^^^^
          hint: a heading is a key such as `name`, or keys with dots between them such as `art.file`
        """,
    ),
    "text and keys": (
        f"{HEAD},flavor,flavor.en\n{CARD},a.png,me\n",
        """
        s/cards.csv, cell F2: error: `flavor` has a value in cell E2, so it cannot have keys [N008]
          F2 | me
             | ^^
          hint: empty one of the two cells
        """,
    ),
    "gap": (
        f"{HEAD},words.de.name.1,words.de.name.3\n{CARD},a,b\n",
        """
        s/cards.csv, cell E2: error: expected a text, found a list, `[a, b]` [C005]
          E2 | a
             | ^
          hint: write `a, b` into one column `words.de.name`
        s/cards.csv, cell F2: error: `words.de.name.3` is filled, and one before it is not [N008]
          F2 | b
             | ^
          hint: lists are counted from 1 without gaps: fill `words.de.name.2` first
        """,
    ),
    "formula": (
        f"{HEAD}\nCat,spell,=1+1,Draw 1 card.\n",
        """
        s/cards.csv, cell C2: error: the cell holds the formula `=1+1` and no value of it [N004]
          C2 | =1+1
             | ^^^^
          hint: write its value; if it is a text, write `'` before the `=`
        """,
    ),
    "open quote": (
        f'{HEAD}\nCat,spell,2,"Draw 1 card.\nDog,spell,2,Draw 1 card.\n',
        """
        s/cards.csv, cell D2: error: no quote ends this cell [N003]
          D2 | "Draw 1 card.
             | ^^^^^^^^^^^^^
          hint: write `"` behind its last word
        """,
    ),
    "quote within": (
        f'{HEAD}\nCat,spell,2,"Draw "1" card."\n',
        """
        s/cards.csv, cell D2: error: something stands behind the quote that ends the cell [N003]
          D2 | Draw
             | ^^^^
          hint: in a cell in quotes, write `""` for each `"` of the text
        """,
    ),
    "control character": (
        f"{HEAD}\nC\x07at,spell,2,Draw 1 card.\n",
        """
        s/cards.csv, cell A2: error: U+FFFD is not a character that can be printed, in `name` of `c-at` [C015]
          A2 | C\ufffdat
             |  ^
          hint: remove it
        s/cards.csv, cell A2: error: the character U+0007 cannot be printed [Y005]
          A2 | C\ufffdat
             |  ^
          hint: remove it
        """,
    ),
    "same id": (
        f"{HEAD}\n{CARD}\n{CARD}\n",
        """
        s/cards.csv, cell A3: error: two cards have the id `cat`, the first at s/cards.csv, cell A2 [C013]
          A3 | Cat
             | ^^^
          hint: if they are the same card, keep one, and write `2` in the column `copies`; if not, give one of the two another `id`
        """,
    ),
    "place in a text": (
        f'{HEAD}\nCat,spell,2,"Draw 1 card.\n(One 一)"\n',
        """
        s/cards.csv, cell D2: error: no bundled font has `一` (U+4E00), in `text` of `cat` [C017]
          D2 | (One 一)
             |      ^^
          hint: write it with other characters
        """,
    ),
    "wrong level": (
        f"{HEAD}\nCat,spell,7,Draw 1 card.\n",
        """
        s/cards.csv, cell C2: error: the level of `cat` is 2, not 7 [V001]
          C2 | 7
             | ^
          hint: the ability 2 (Draw 1 card 2): level 2
        """,
    ),
    "no text at all": (
        b"\x81\x8d\x8fname",
        """
        s/cards.csv:1:1: error: the file is no text [N001]
          hint: in the spreadsheet program, save it as CSV in UTF-8, or as .ods or .xlsx
        """,
    ),
    "nothing": (
        b"",
        """
        s/cards.csv:1:1: error: the file is empty [Y006]
          hint: write a card, or remove the file
        """,
    ),
    "no cards": (
        "date,price\n1,2\n",
        """
        s/set.yaml:1:1: error: the set has no cards [S021]
          hint: `s/cards.csv` holds no cards: its first row must have the headings, `name` among them, with nothing above
        """,
    ),
    "only a header": (
        f"{HEAD}\n",
        """
        s/set.yaml:1:1: error: the set has no cards [S021]
          hint: write a card into the second row of `s/cards.csv`, below the header
        """,
    ),
    "error of a formula": (
        f"{HEAD}\n#REF!,spell,2,Draw 1 card.\n",
        """
        s/cards.csv, cell A2: error: the cell holds the error `#REF!` of a formula [N005]
          A2 | #REF!
             | ^^^^^
          hint: mend the formula, or write the value; before a text that says so, write `'`
        """,
    ),
    "windows": (
        f"{HEAD}\nKöter,spell,2,Draw 1 card.\n".encode("cp1252"),
        """
        s/cards.csv, cell A2: warning: the file is not UTF-8; as Windows-1252 this is `ö` [N002]
          A2 | Köter
             |  ^
          hint: save it as CSV in UTF-8: other programs read other letters
        """,
    ),
    "mark read as letters": (
        f"\ufeff{HEAD}\nTea,spell,2,Draw 1 card.\n".encode().decode("cp1252"),
        """
        s/cards.csv:1:1: error: another program misread the letters of this file, and saved `Ã©` for `é` [N011]
          hint: open the first file there again as UTF-8, and save it as .xlsx or .ods, which keep all letters
        """,
    ),
    "letters read as others": (
        f"{HEAD}\nKöter,spell,2,Draw 1 card.\n".encode().decode("cp1252"),
        """
        s/cards.csv:1:1: error: another program misread the letters of this file, and saved `Ã©` for `é` [N011]
          hint: open the first file there again as UTF-8, and save it as .xlsx or .ods, which keep all letters
        """,
    ),
}


@pytest.mark.parametrize(("content", "message"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_names_its_cell_and_what_to_do(content: str | bytes, message: str) -> None:
    assert said(content) == words(message)


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
    ((files,), _) = find_sets([folder])
    view = SetView(files)
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

"""Spreadsheets as people keep them: notes, capitals, merged cells, sections and totals; and damaged ones."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from proofs.damaged_tables import faults

from render.game.sources import load_sets
from tests.games.declared.lanterns import BACK, FILES, write_files
from tests.support.sets import kotc
from tests.support.table_files import ods, ods_row, xlsx, xlsx_row

pytestmark = pytest.mark.usefixtures("in_empty_folder")

HEAD = ("name", "kind", "family", "weight")
BEAR = ("Bear", "beast", "Bears", "300")
GAME = {name: text for name, text in FILES.items() if name != "cards.yaml"}
SIDES = """\
name: Sides
fields: {power: {type: number, required: true}, double: {value: power * 2}, note: line, tags: list, rules: rich}
kinds: {one: {check: [{that: power < 9, message: too strong}]}, two: {faces: 2}}
"""


SHOWS_RULES = BACK.replace("</svg>", '<text y="20" width="63">{{ card.rules }}</text></svg>')


def with_table(content: bytes | str, name: str = "cards.csv", files: Mapping[str, str] = {}) -> Path:
    write_files(Path("s"), {**GAME, **files})
    Path("s", name).write_bytes(content.encode() if isinstance(content, str) else content)
    return Path("s")


def csv(*rows: tuple[str, ...]) -> str:
    return "\n".join(",".join(row) for row in rows)


def said(folder: Path) -> list[tuple[str, str]]:
    """Return the code of each finding, and its cell or the place in its file."""
    output = kotc("check", folder).stdout
    return re.findall(
        r"^(?:\S+, (?:sheet \S+ )?cell |\S+/)?(\S+): (?:error|warning): .*\[(\w+)\]$", output, re.MULTILINE
    )


def hints(folder: Path) -> list[str]:
    return re.findall(r"^  hint: (.*)$", kotc("check", folder).stdout, re.MULTILINE)


def names(folder: Path) -> list[str]:
    return [card.name for card in load_sets([folder])[0].cards]


# --- files that broke off -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "place", "code"),
    [
        ('name,kind\n"', "A2", "N003"),
        ('name,kind\n"\n"\n"', "A3", "N003"),
        (f"name,{'.'.join(['a'] * 1000)}\nBear,x", "B1", "N006"),
    ],
)
def test_a_csv_file_with_nothing_but_slips_names_their_cell(table: str, place: str, code: str) -> None:
    assert said(with_table(table))[0] == (place, code)


@pytest.mark.parametrize("encoding", ["UTF-NaN", "hex", "zlib", "utf-7", "idna", "big5", "cp037"])
@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_a_part_in_an_unknown_encoding_is_a_damaged_file(encoding: str, ending: str) -> None:
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'
    content = ods([ods_row(*HEAD)], head=declared)
    if ending == "xlsx":
        content = xlsx([xlsx_row(*HEAD)], others={"xl/workbook.xml": f"{declared}<workbook/>".encode()})
    assert said(with_table(content, f"cards.{ending}")) == [(f"cards.{ending}:1:1", "N009")]


@pytest.mark.parametrize("encoding", ["UTF-8", "utf-8", "US-ASCII", "ISO-8859-1"])
def test_the_encodings_of_spreadsheets_are_read(encoding: str) -> None:
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'
    assert names(with_table(ods([ods_row(*HEAD), ods_row(*BEAR)], head=declared), "cards.ods")) == ["Bear"]


def test_space_that_is_no_ascii_alone_is_no_doubt_about_an_encoding() -> None:
    assert said(with_table(csv(HEAD, (*BEAR[:3], "300\u00a0")).encode("cp1252"))) == []


@pytest.mark.parametrize("number", range(20))
def test_a_damaged_table_ends_in_a_word_and_prints_if_it_is_passed(number: int, tmp_path: Path) -> None:
    assert len([*faults(number, tmp_path)]) == 1


# --- cells without a value ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", ["power", "Power"])
def test_a_formula_without_a_value_blames_no_rule_and_no_expression(head: str) -> None:
    rows = xlsx([xlsx_row("name", "kind", head), xlsx_row("Bear", "one", "=1+1")])
    folder = with_table(rows, "cards.xlsx", {"game.yaml": SIDES})
    assert [each for each in said(folder) if each[1] != "T001"] == [("C2", "N004")]


def test_a_formula_without_a_value_is_not_missed_below_other_keys() -> None:
    head = ("name", "kind", "faces.1.name", "faces.1.power", "faces.2.name", "faces.2.power")
    for cells in (("A", "=1", "B", "2"), ("", "=1", "B", "2"), ("A", "1", "", "=1")):
        folder = with_table(
            xlsx([xlsx_row(*head), xlsx_row("Both", "two", *cells)]), "cards.xlsx", {"game.yaml": SIDES}
        )
        lost = "D2" if cells[1] == "=1" else "F2"
        missing_name = [("D2" if "" in cells else "", "C004")] if "" in cells else []
        assert [each for each in said(folder) if each[1] != "C004"] == [(lost, "N004")], missing_name
        assert not [each for each in hints(folder) if "power" in each]


# --- columns, cells and rows that are no cards ----------------------------------------------------------------------


def test_columns_with_a_hash_and_those_that_the_set_ignores_are_left_out() -> None:
    rows = csv(
        (*HEAD, "# mine", "#", "Notes", "to do"),
        (*BEAR, "=A1", "x", "y", "z"),
        ("", "", "", "", "a heading", "", "", ""),
    )
    folder = with_table(rows, files={"set.yaml": "name: S\ntables: {ignore: [notes, TO DO]}\n"})
    assert (said(folder), names(folder)) == ([], ["Bear"])
    one = with_table(csv((*HEAD, "Notes"), (*BEAR, "y")), files={"set.yaml": "name: S\ntables: {ignore: notes}\n"})
    assert said(one) == []
    other = with_table(csv((*HEAD, "Notes"), (*BEAR, "y")), files={"set.yaml": "name: S\n"})
    assert said(other) == [("E1", "C002")]
    assert "begin its heading with `#`" in hints(other)[0]


def test_headings_stand_for_the_keys_that_the_set_says() -> None:
    head = ("Card Name", "Type", "family", "Weight in kg", "Qty")
    own = "name: S\ntables: {columns: {card name: name, TYPE: kind, Weight in kg: weight, Qty: copies}}\n"
    assert said(with_table(csv(head, (*BEAR, "2")), files={"set.yaml": own})) == []
    assert said(with_table(csv(head, (*BEAR, "two")), files={"set.yaml": own})) == [("E2", "C005")]


def test_headings_of_ones_own_may_end_in_a_language() -> None:
    head = ("Title", "kind", "family", "weight", "TITLE.de", "family.de", "Notes", "Notes.de")
    own = "name: S\nlanguages: [en, de]\ntables: {columns: {Title: name}, ignore: [notes]}\n"
    folder = with_table(csv(head, (*BEAR, "Bär", "Bären", "x", "y")), files={"set.yaml": own})
    assert said(folder) == []
    assert [card.name for card_set in load_sets([folder], "de") for card in card_set.cards] == ["Bär"]


def test_two_columns_cannot_stand_for_one_key() -> None:
    own = "name: S\ntables: {columns: {Title: name}}\n"
    assert said(with_table(csv((*HEAD, "Title"), (*BEAR, "x")), files={"set.yaml": own})) == [("E1", "Y012")]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("tables: {columns: [Qty]}", "`columns: {Qty: copies}`"),
        ("tables: {columns: {Qty: [copies]}}", "`columns: {Qty: copies}`"),
        ("ignore: [notes]", "`tables: {ignore: [notes]}`"),
        ("tables: {ignore: {a: b}}", "`ignore: [notes]`"),
        ("tables: {ignored: [notes]}", "did you mean `ignore`?"),
        ("tables: notes", "write its keys on the lines below `tables:`, indented"),
    ],
)
def test_slips_in_what_a_set_ignores_say_what_to_write(line: str, hint: str) -> None:
    assert hint in hints(with_table(csv(HEAD, BEAR), files={"set.yaml": f"name: S\n{line}\n"}))[0]


def test_headings_match_in_any_case() -> None:
    folder = with_table(csv(("NAME", "Kind", "Family", "weight"), BEAR))
    assert (said(folder), names(folder)) == ([], ["Bear"])
    assert said(with_table(csv((*HEAD, "Weight"), (*BEAR, "3")))) == [("E1", "Y012")]


def test_capitals_count_in_keys_in_quotes() -> None:
    head = ("name", "kind", "level", "sp", "hp", "text", "words.DE.abilities.Dive", 'words.de.abilities."LOOK UP"')
    text = "DIVE: Draw 1 card.\n\nLOOK UP: Draw 1 card."
    cells = ("Cat", "minion", "auto", "1", "1", text, "TAUCHEN", "SCHAU HOCH")
    table = xlsx([xlsx_row(*head), xlsx_row(*cells)])
    folder = with_table(table, "cards.xlsx", {"set.yaml": "name: S\nedition: 17\n"})
    (folder / "game.yaml").unlink()
    (card,) = load_sets([folder])[0].cards
    assert card.words[0].abilities == (("DIVE", "TAUCHEN"), ("LOOK UP", "SCHAU HOCH"))  # type: ignore[attr-defined]


MERGED = '<c t="inlineStr" r="{}"><is><t>{}</t></is></c>'


def test_merged_cells_read_as_filled() -> None:
    rows = [
        xlsx_row(*HEAD),
        xlsx_row(*BEAR),
        xlsx_row("Sun Bear", "", "", "60"),
        xlsx_row("Ice Bear", "", "", "400"),
        "</sheetData><mergeCells><mergeCell ref='B2:B4'/><mergeCell ref='C2:C9999'/></mergeCells><sheetData>",
    ]
    folder = with_table(xlsx(rows), "cards.xlsx")
    assert (said(folder), names(folder)) == ([], ["Bear", "Sun Bear", "Ice Bear"])
    (folder / "cards.xlsx").unlink()
    spanned = '<table:table-cell table:number-rows-spanned="2" table:number-columns-spanned="{}"><text:p>{}</text:p></table:table-cell>'
    covered = "<table:covered-table-cell/>"
    cells = [
        ods_row(*HEAD),
        ods_row("Bear", spanned.format(1, "beast"), spanned.format(1, "Bears"), "300"),
        ods_row("Sun Bear", covered, covered, "60"),
    ]
    folder = with_table(ods(cells), "cards.ods")
    assert (said(folder), names(folder)) == ([], ["Bear", "Sun Bear"])


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (("Large ones", "", "", ""), "A3"),
        (("", "Large ones", "", ""), "B3"),
        (("Total", "", "", "9999999"), "A3"),
        (("", "", "Sum", "36.5"), "C3"),
    ],
)
def test_a_row_without_what_every_card_needs_is_named_once(row: tuple[str, ...], place: str) -> None:
    folder = with_table(csv(HEAD, BEAR, row))
    assert said(folder) == [(place, "C004")]
    assert "row 3 has `" in kotc("check", folder).stdout
    assert "a column whose heading begins with `#`" in hints(folder)[0]


def test_a_section_in_one_merged_cell_is_one_row_that_is_no_card() -> None:
    merge = "</sheetData><mergeCells><mergeCell ref='A2:D2'/></mergeCells><sheetData>"
    folder = with_table(xlsx([xlsx_row(*HEAD), xlsx_row("Large ones"), xlsx_row(*BEAR), merge]), "cards.xlsx")
    assert said(folder) == [("A2", "C004")]


def test_merged_areas_without_end_cost_no_time() -> None:
    areas = "<mergeCell ref='A1:XFD1048576'/><mergeCell ref='B2:XFD9999999'/>" * 3000
    rows = [xlsx_row(*HEAD), *[xlsx_row(*BEAR)] * 300, f"</sheetData><mergeCells>{areas}</mergeCells><sheetData>"]
    assert {code for _, code in said(with_table(xlsx(rows), "cards.xlsx"))} == {"C013"}


# --- words ----------------------------------------------------------------------------------------------------------


def test_no_line_of_a_cell_is_a_comment() -> None:
    rows = xlsx([xlsx_row("name", "kind", "power", "rules"), xlsx_row("Bear", "one", "3", "a\n #: b c\n #d")])
    assert "Y017" not in kotc("check", with_table(rows, "cards.xlsx", {"game.yaml": SIDES})).stdout


@pytest.mark.parametrize(
    ("head", "cell", "hint"),
    [
        ("note", '"two\nlines"', "write the text in one line, without line breaks"),
        ("art", "C:\\bear.png", ""),
        ("id", "Big Bear", "write `big-bear`"),
        ("id", "null", "empty the cell: then the id follows from the name"),
        ("art", "art\\bear.png", "write `art/bear.png`"),
        ("rules.b", "x", "write the text in one cell of the column `rules`"),
        ("note.big", "x", "write `x` into one column `note`"),
        ("rules", "a\\nb", "begin a new line within the cell"),
        ("rules", "a <br> b", "begin a new line within the cell: Alt+Enter in Excel, Ctrl+Enter in LibreOffice"),
        ("power", "#3", ""),
        ("back", "nothing", "without a back, write `none`"),
        ("art.file", "art\\bear.png", "write `art/bear.png`"),
    ],
)
def test_hints_are_in_the_words_of_cells(head: str, cell: str, hint: str) -> None:
    power = "" if head == "power" else ",power"
    row = f"name,kind,{head}{power}\nBear,one,{cell}{power and ',3'}\n"
    told = hints(with_table(row, files={"game.yaml": SIDES, "templates/one.svg": SHOWS_RULES}))
    assert any(hint in each for each in told)
    assert not [each for each in told if re.search(r"`[a-z_]+: |\||>-|the line|indent", each)]


def test_hints_about_pictures_are_what_a_cell_may_say() -> None:
    head, cells = "name,kind,power,art.file,art.focus,art.tone", 'Bear,one,3,art/bear.svg,"{}",{}'
    shows = SHOWS_RULES.replace("</svg>", '<image href="{{ card.art.href }}" width="9" height="9"/></svg>')
    files = {"game.yaml": SIDES, "templates/one.svg": shows, "art/bear.svg": BACK}
    told = hints(with_table(f"{head}\n{cells.format('0,3 0,5', 'blue')}\n", files=files))
    assert told == ["write for example `0.3, 0.5`", "write `grey`, or `#7a3b1e`"]
    assert hints(with_table(f"{head}\n{cells.format('0.3, 0.5', '#7a3b1e')}\n", files=files)) == []

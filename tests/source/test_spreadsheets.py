"""XLSX and ODS files as card files: what their cells mean, and what is said of mistakes and of hostile files."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from render.games.kotc.sets import load_sets
from render.source.nodes import Mapping, Scalar, Sequence
from render.source.tables.reading import read_table
from tests.support.messages import words, write
from tests.support.sets import SET, kotc
from tests.support.table_files import ods, ods_row, xlsx, xlsx_row, zipped

pytestmark = pytest.mark.usefixtures("in_empty_folder")

HEAD = ("name", "kind", "level", "text")
CARD = ("Cat", "spell", "2", "Draw 1 card.")
STYLES = (
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="[$-407]d. mmm &quot;x&quot;yy"/></numFmts>'
    '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs>'
)


def said(content: bytes, name: str = "cards.xlsx") -> str:
    folder = write(Path("s"), {"set.yaml": SET, name: content})
    return kotc("check", folder).stdout.rstrip("\n")


def column(content: bytes, key: str = "value") -> list[str]:
    """Return the values of a key in all rows of a file."""
    Path("t.xlsx").write_bytes(content)
    reading = read_table(Path("t.xlsx"))
    assert reading.findings == ()
    assert reading.document is not None
    assert isinstance(reading.document.root, Sequence)
    found = [item.get(key) for item in reading.document.root.items if isinstance(item, Mapping)]
    return [node.value if isinstance(node, Scalar) else "" for node in found]


def of_xlsx(*cells: str, strings: str = "", workbook: str = "") -> list[str]:
    rows = [xlsx_row("name", "value"), *(xlsx_row("x", cell) for cell in cells)]
    return column(xlsx(rows, strings=strings, styles=STYLES, workbook=workbook))


def of_ods(*cells: str) -> list[str]:
    return column(ods([ods_row("name", "value"), *(ods_row("x", cell) for cell in cells)]))


def test_numbers_of_xlsx_are_written_as_in_yaml() -> None:
    written = ("3", "3.0", "-2", "0.1", "0.10000000000000001", "2.5E-3", "1E3", "123456789012", "3.0000000000000004")
    assert of_xlsx(*(f"<c><v>{each}</v></c>" for each in written)) == [
        "3", "3", "-2", "0.1", "0.1", "0.0025", "1000", "123456789012", "3.0000000000000004",
    ]  # fmt: skip


def test_dates_and_times_of_xlsx_are_iso() -> None:
    cells = (
        '<c s="1"><v>45413</v></c>',
        '<c s="2"><v>45413.5</v></c>',
        '<c s="1"><v>0.25</v></c>',
        '<c s="1"><v>1</v></c>',
    )
    more = ('<c s="3"><v>0.5</v></c>', '<c t="d"><v>2024-05-01T00:00:00</v></c>')
    assert of_xlsx(*cells, *more) == [
        "2024-05-01",
        "2024-05-01 12:00:00",
        "06:00:00",
        "1900-01-01",
        "0.5",
        "2024-05-01",
    ]
    assert of_xlsx(cells[0], workbook='<workbookPr date1904="1"/>') == ["2028-05-02"]


def test_truth_and_texts_of_xlsx() -> None:
    strings = (
        "<si><t>plain</t></si><si><r><t>in </t></r><r><rPr><b/></rPr><t>parts</t></r></si>"
        "<si><t>漢</t><rPh sb='0' eb='1'><t>kan</t></rPh></si><si><t>a_x000A_b_x005F_x0041_</t></si>"
    )
    shared = (f'<c t="s"><v>{number}</v></c>' for number in range(4))
    cells = ('<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>', '<c t="str"><f>A1</f><v>kept</v></c>', *shared)
    assert of_xlsx(*cells, strings=strings) == ["true", "false", "kept", "plain", "in parts", "漢", "a\nb_x0041_"]


def test_a_formula_counts_by_its_stored_value() -> None:
    assert of_xlsx("<c><f>1+1</f><v>2</v></c>", '<c t="str"><f>""</f><v></v></c>') == ["2", ""]
    assert of_ods('<table:table-cell table:formula="of:=1+1" office:value-type="float" office:value="2"/>') == ["2"]


def test_values_of_ods_are_written_as_in_yaml() -> None:
    cells = [
        f'<table:table-cell office:value-type="{kind}" office:{name}="{value}"><text:p>other</text:p>'
        "</table:table-cell>"
        for kind, name, value in (
            ("float", "value", "3.0"), ("percentage", "value", "0.5"), ("currency", "value", "2.50"),
            ("date", "date-value", "2024-05-01"), ("date", "date-value", "2024-05-01T09:30:00"),
            ("time", "time-value", "PT09H30M05S"), ("boolean", "boolean-value", "true"),
        )
    ]  # fmt: skip
    assert of_ods(*cells) == ["3", "0.5", "2.5", "2024-05-01", "2024-05-01 09:30:00", "09:30:05", "true"]


def test_texts_of_ods_have_lines_spaces_and_no_comments() -> None:
    cell = (
        '<table:table-cell office:value-type="string"><office:annotation><text:p>no</text:p></office:annotation>'
        '<text:p>a<text:s text:c="2"/><text:span>b</text:span><text:tab/>c</text:p>'
        "<text:p>d<text:line-break/>e</text:p>"
        "</table:table-cell>"
    )
    assert of_ods(cell) == ["a  b\tc\nd\ne"]


def test_repeated_cells_and_rows_of_ods_keep_their_places() -> None:
    empty = '<table:table-cell table:number-columns-repeated="2"/>'
    rows = [
        ods_row("", attributes='table:number-rows-repeated="3"'),
        ods_row("name", empty, "kind"),
        ods_row("Cat", empty, "spel", attributes='table:number-rows-repeated="1"'),
        ods_row(
            '<table:table-cell table:number-columns-repeated="16384"/>',
            attributes='table:number-rows-repeated="1048570"',
        ),
    ]
    assert "cell D5: error: expected" in said(ods(rows), "cards.ods")


def test_all_sheets_with_cards_count_hidden_ones_too() -> None:
    more = [xlsx_row(*HEAD), '<row r="9" hidden="1">' + xlsx_row("Dog", *CARD[1:])[5:]]
    content = xlsx([xlsx_row(*HEAD), xlsx_row(*CARD)], [xlsx_row("date", "sum"), xlsx_row("x", "y")], more)
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": SET, "cards.xlsx": content})])
    assert [card.name for card in card_set.cards] == ["Cat", "Dog"]


def test_a_file_is_known_by_what_is_in_it() -> None:
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": SET, "cards.csv": ods([ods_row(*HEAD), ods_row(*CARD)])})])
    assert card_set.cards[0].name == "Cat"


def test_the_lock_file_of_excel_is_no_card_file() -> None:
    folder = write(
        Path("s"), {"set.yaml": SET, "~$cards.xlsx": b"x", "cards.csv": f"{','.join(HEAD)}\n{','.join(CARD)}"}
    )
    assert kotc("check", folder).stdout == "1 card checked: nothing to report\n" or kotc("check", folder).exit_code == 0


ENCRYPTED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(600)
MISTAKES = {
    "heading": (
        xlsx([xlsx_row("name", "kind", "levle"), xlsx_row(*CARD[:3])]),
        """
        s/cards.xlsx, sheet "Cards", cell C1: error: unknown key `levle` [C002]
          C1 | levle
             | ^^^^^
          hint: did you mean `level`? to leave the column out, begin its heading with `#`
        s/cards.xlsx, sheet "Cards", cell A2: error: `cat` has no `text` [C004]
          A2 | Cat
             | ^^^
          hint: add a column `text`, such as `Draw 1 card.`
        """,
    ),
    "formula without a value": (
        xlsx([xlsx_row(*HEAD), xlsx_row("Cat", "spell", "=SUM(A1:A2)", CARD[3])]),
        """
        s/cards.xlsx, sheet "Cards", cell C2: error: the formula `=SUM(A1:A2)` has no stored value [N004]
          C2 | =SUM(A1:A2)
             | ^^^^^^^^^^^
          hint: open the file in a spreadsheet program and save it there, or write the value
        """,
    ),
    "formula with an error": (
        xlsx([xlsx_row(*HEAD), xlsx_row("Cat", "spell", '<c t="e"><f>Z1</f><v>#REF!</v></c>', CARD[3])]),
        """
        s/cards.xlsx, sheet "Cards", cell C2: error: the formula gives the error `#REF!` [N005]
          C2 | #REF!
             | ^^^^^
          hint: mend the formula, or write the value
        """,
    ),
    "half a copy": (
        xlsx([xlsx_row(*HEAD, "copies"), xlsx_row("Cat", "spell", "2", CARD[3], "<c><v>2.5</v></c>")]),
        """
        s/cards.xlsx, sheet "Cards", cell E2: error: expected a whole number from 0 to 999, found `2.5` [C006]
          E2 | 2.5
             | ^^^
          hint: write for example `2`
        """,
    ),
    "two sheets": (
        xlsx([xlsx_row(*HEAD), xlsx_row(*CARD)], [xlsx_row(*HEAD), xlsx_row(*CARD)]),
        """
        s/cards.xlsx, sheet "Sheet2", cell A2: error: two cards have the id `cat`, the first at {first} [C013]
          A2 | Cat
             | ^^^
          hint: if they are the same card, keep one, and write `2` in the column `copies`; if not, give one of the two another `id`
        """.replace("{first}", 's/cards.xlsx, sheet "Cards", cell A2'),
    ),
}

REFUSED = {
    "password": (ENCRYPTED, "the file is protected by a password"),
    "old Excel": (ENCRYPTED[:600], "the file is of the Excel of 1997 to 2003"),
    "text": (b"name,kind\n", "the file is no XLSX file"),
    "another package": (
        zipped({"cards.xlsx": xlsx([xlsx_row(*HEAD), xlsx_row(*CARD)])}),
        "the file is a package, and no spreadsheet",
    ),
    "cut off": (xlsx([xlsx_row(*HEAD)])[:900], "the file is damaged: it is no whole package"),
    "entities": (
        ods([ods_row("name")], head='<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'),
        "the file has a document type, which spreadsheets do not have",
    ),
    "password of ODS": (
        ods([ods_row("name")], {"META-INF/manifest.xml": "<m><manifest:encryption-data/></m>"}),
        "the file is protected by a password",
    ),
    "packed otherwise": (zipped({"content.xml": "x"}, zipfile.ZIP_LZMA), "the file is packed in an unusual way"),
}


@pytest.mark.parametrize(("content", "message"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_names_sheet_and_cell(content: bytes, message: str) -> None:
    assert said(content) == words(message)


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_file_that_is_no_spreadsheet_that_can_be_read_is_refused_as_a_whole(content: bytes, message: str) -> None:
    hint = "save it without a password" if "password" in message else "open it in the spreadsheet program, and save it"
    assert said(content).startswith(f"s/cards.xlsx:1:1: error: {message} [N009]\n  hint: {hint}")


@pytest.mark.parametrize("name", ["cards.xls", "cards.numbers", "cards.xlsm"])
def test_spreadsheets_of_other_kinds_are_refused_by_name(name: str) -> None:
    folder = write(Path("s"), {"set.yaml": SET, "a.csv": f"{','.join(HEAD)}\n{','.join(CARD)}\n", name: b"x"})
    hint = "if it holds cards, save it as .xlsx, .ods or .csv"
    words_of_it = f"`s/{name}` is a spreadsheet that is not read [P009]\n  hint: {hint}"
    assert f"warning: {words_of_it}" in kotc("check", folder).stdout
    result = kotc("check", folder / name)
    assert f"error: {words_of_it}" in result.stdout
    assert result.exit_code == 1


TOO_MUCH = "it takes more than 8 s and 400 MB to be read: too much memory"
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "one text in many cells": (
        lambda: xlsx(
            [xlsx_row("name"), '<row><c t="s"><v>0</v></c></row>' * 19_000], strings=f"<si><t>{'z' * 30_000}</t></si>"
        ),
        TOO_MUCH,
    ),
    "rows that stand for many": (
        lambda: ods([ods_row("name"), ods_row("x", attributes='table:number-rows-repeated="1048575"')]),
        "the table has more than 20,000 filled rows",
    ),
    "columns that stand for many": (
        lambda: ods(
            [ods_row('<table:table-cell table:number-columns-repeated="16384"><text:p>a</text:p></table:table-cell>')]
        ),
        "row 1 has more than 256 filled cells",
    ),
    "many columns of many rows": (
        lambda: ods([ods_row(*["x"] * 100, attributes='table:number-rows-repeated="2001"')]),
        "the table has more than 200,000 filled cells",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "message"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_takes_little_time_and_memory(make: Callable[[], bytes], message: str) -> None:
    Path("h.xlsx").write_bytes(make())
    assert [(each.code, each.message) for each in read_table(Path("h.xlsx")).findings] == [("N010", message)]


def test_a_million_empty_rows_are_skipped() -> None:
    rows = [ods_row(*HEAD), ods_row("", attributes='table:number-rows-repeated="1000000"'), ods_row(*CARD)]
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": SET, "cards.ods": ods(rows)})])
    assert [card.name for card in card_set.cards] == ["Cat"]

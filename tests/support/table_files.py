"""Spreadsheets as other programs write them, from the XML of their rows."""

import io
import zipfile
from collections.abc import Iterable, Mapping

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"


def zipped(parts: Mapping[str, str | bytes | Iterable[str]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a package; a part given in pieces is never in memory as a whole."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as package:
        for name, part in parts.items():
            with package.open(name, "w") as stream:
                for piece in [part] if isinstance(part, str | bytes) else part:
                    stream.write(piece.encode() if isinstance(piece, str) else piece)
    return written.getvalue()


def xlsx(
    *sheets: Iterable[str], strings: str = "", styles: str = "", workbook: str = "", others: Mapping[str, bytes] = {}
) -> bytes:
    """Return a workbook with the sheets "Cards", "Sheet2" and so on, each given by the XML of its rows."""
    names = ["Cards", *(f"Sheet{number}" for number in range(2, len(sheets) + 1))]
    book = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>' for number, name in enumerate(names, start=1)
    )
    relations = "".join(
        f'<Relationship Id="r{number}" Type="{_DOCUMENT}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in range(1, len(sheets) + 1)
    )
    relations += "".join(
        f'<Relationship Id="{name}" Type="{_DOCUMENT}/{name}" Target="/xl/{name}.xml"/>'
        for name in ("sharedStrings", "styles")
    )
    parts: dict[str, str | bytes | Iterable[str]] = {
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="a" Type="{_DOCUMENT}/officeDocument"'
        ' Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}">{workbook}<sheets>{book}</sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}">{relations}</Relationships>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{strings}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">{styles}</styleSheet>',
        **others,
    }
    for number, rows in enumerate(sheets, start=1):
        parts[f"xl/worksheets/sheet{number}.xml"] = _in_sheet(rows)
    return zipped(parts)


def _in_sheet(rows: Iterable[str]) -> Iterable[str]:
    yield f'<worksheet xmlns="{_MAIN}"><sheetData>'
    yield from rows
    yield "</sheetData></worksheet>"


def xlsx_row(*cells: str) -> str:
    """Return a row; a cell that begins with `<c` is taken as it is, `=` a formula without a value, all else a text."""
    return f"<row>{''.join(map(_xlsx_cell, cells))}</row>"


def _xlsx_cell(cell: str) -> str:
    if cell.startswith("<c") or not cell:
        return cell or "<c/>"
    if cell.startswith("="):
        return f"<c><f>{cell[1:]}</f></c>"
    return f'<c t="inlineStr"><is><t>{cell}</t></is></c>'


def ods(rows: Iterable[str], others: Mapping[str, str] = {}, head: str = "") -> bytes:
    """Return a spreadsheet with the sheet "Cards", given by the XML of its rows."""
    spaces = " ".join(f'xmlns:{each}="{_OASIS}{each}:1.0"' for each in ("office", "table", "text"))
    spaces += ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'

    def content() -> Iterable[str]:
        yield f"{head}<office:document-content {spaces}><office:body><office:spreadsheet>"
        yield '<table:table table:name="Cards">'
        yield from rows
        yield "</table:table></office:spreadsheet></office:body></office:document-content>"

    return zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content(), **others})


def ods_row(*cells: str, attributes: str = "") -> str:
    """Return a row; a cell that begins with `<` is taken as it is, all else is a text of paragraphs."""
    return f"<table:table-row {attributes}>{''.join(map(_ods_cell, cells))}</table:table-row>"


def _ods_cell(cell: str) -> str:
    if cell.startswith("<"):
        return cell
    words = "".join(f"<text:p>{line}</text:p>" for line in cell.split("\n"))
    return f'<table:table-cell office:value-type="string">{words}</table:table-cell>' if cell else "<table:table-cell/>"

"""Tables as files: CSV, and XLSX and ODS with one sheet. Rows are texts of cells, the first row is the header."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from render.base.patterns import regex
from render.source.tables.cells import column_name, number_text

TextRows = Sequence[Sequence[str]]

_NUMBER = regex(r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?")
_LIKE_FORMULA = regex(r"[=+\-@＝＋－＠']")
_LIKE_ESCAPE = regex(r"_(?=x[0-9A-Fa-f]{4}_)")
_ADDED = (1980, 1, 1, 0, 0, 0)  # the first time that a zip file knows: the same cards make the same bytes
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_WIDTHS = (8, 60)  # of columns, in characters

WRITERS: Mapping[str, Callable[[TextRows, str], bytes]]
"""What writes rows as the sheet of a name, by the ending of the file."""


def _is_number(text: str) -> bool:
    """Return whether a cell can be a number and be read as the same text."""
    return _NUMBER.fullmatch(text) is not None and len(text) < 16 and number_text(text) == text


def _widths(rows: TextRows) -> list[int]:
    longest = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    return [min(max(each, _WIDTHS[0]), _WIDTHS[1]) for each in longest]


# --- CSV ------------------------------------------------------------------------------------------------------------


def csv_bytes(rows: Iterable[Sequence[object]], line_end: str = "\r\n") -> bytes:
    """Return rows as CSV in UTF-8."""
    text = io.StringIO()
    csv.writer(text, lineterminator=line_end).writerows(rows)
    return text.getvalue().encode()


def _csv(rows: TextRows, _name: str) -> bytes:
    return b"\xef\xbb\xbf" + csv_bytes(rows)  # without that mark, Excel takes it for another encoding


# --- XLSX -----------------------------------------------------------------------------------------------------------

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_FORM = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_BOLD, _WORDS, _QUOTED = 1, 2, 3  # numbers of the styles below
_XLSX_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1">'
    '<alignment vertical="top" wrapText="1"/></xf>'
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyAlignment="1">'
    '<alignment vertical="top" wrapText="1"/></xf></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def _xlsx(rows: TextRows, name: str) -> bytes:
    rels = f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    return _zipped(
        {
            "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_FORM}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_FORM}.styles+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_FORM}.worksheet+xml"/></Types>',
            "_rels/.rels": f'{rels}<Relationship Id="rId1" Type="{_DOCUMENT}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>",
            "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}"><sheets>'
            f'<sheet name={quoteattr(name)} sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'{rels}<Relationship Id="rId1" Type="{_DOCUMENT}/worksheet"'
            f' Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="{_DOCUMENT}/styles" Target="styles.xml"/>'
            "</Relationships>",
            "xl/styles.xml": _XLSX_STYLES,
            "xl/worksheets/sheet1.xml": _xlsx_sheet(rows),
        }
    )


def _xlsx_sheet(rows: TextRows) -> str:
    columns = "".join(
        f'<col min="{number}" max="{number}" width="{width}" customWidth="1"/>'
        for number, width in enumerate(_widths(rows), start=1)
    )
    lines = "".join(
        f'<row r="{row}">{"".join(_xlsx_cell(text, row, column) for column, text in enumerate(cells, start=1))}</row>'
        for row, cells in enumerate(rows, start=1)
    )
    return (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        f"<cols>{columns}</cols><sheetData>{lines}</sheetData></worksheet>"
    )


def _xlsx_cell(text: str, row: int, column: int) -> str:
    place = f"{column_name(column)}{row}"
    if not text:
        return ""
    if _is_number(text) and row > 1:
        return f'<c r="{place}" s="{_WORDS}"><v>{text}</v></c>'
    # Marked as text, so that it does not become a formula when somebody edits it.
    style = _BOLD if row == 1 else _QUOTED if _LIKE_FORMULA.match(text) else _WORDS
    words = escape(_LIKE_ESCAPE.sub("_x005F_", text))
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{words}</t></is></c>'


# --- ODS ------------------------------------------------------------------------------------------------------------

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_ODS_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_SPACES = regex(r" {2,}|^ | $")


def _ods(rows: TextRows, name: str) -> bytes:
    spaces = " ".join(f'xmlns:{each}="{_OASIS}{each}:1.0"' for each in ("office", "table", "text", "style"))
    spaces += f' xmlns:fo="{_OASIS}xsl-fo-compatible:1.0"'
    widths = [f"{width * 0.19:.1f}" for width in _widths(rows)]  # cm of a character in 10 pt
    styles = "".join(
        f'<style:style style:name="w{each}" style:family="table-column"><style:table-column-properties'
        f' style:column-width="{each}cm"/></style:style>'
        for each in sorted(set(widths))
    )
    styles += (
        '<style:style style:name="words" style:family="table-cell"><style:table-cell-properties'
        ' fo:wrap-option="wrap" style:vertical-align="top"/></style:style>'
        '<style:style style:name="head" style:family="table-cell"><style:text-properties fo:font-weight="bold"/>'
        "</style:style>"
    )
    columns = "".join(f'<table:table-column table:style-name="w{each}"/>' for each in widths)
    lines = "".join(
        f"<table:table-row>{''.join(_ods_cell(text, is_head=not index) for text in cells)}</table:table-row>"
        for index, cells in enumerate(rows)
    )
    content = (
        f'{_XML}<office:document-content {spaces} office:version="1.3"><office:automatic-styles>{styles}'
        f"</office:automatic-styles><office:body><office:spreadsheet><table:table table:name={quoteattr(name)}>"
        f"{columns}{lines}</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        f'{_XML}<manifest:manifest xmlns:manifest="{_OASIS}manifest:1.0" manifest:version="1.3">'
        f'<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="{_ODS_TYPE}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
    )
    return _zipped({"mimetype": _ODS_TYPE, "content.xml": content, "META-INF/manifest.xml": manifest})


def _ods_cell(text: str, *, is_head: bool) -> str:
    if not text:
        return "<table:table-cell/>"
    words = "".join(f"<text:p>{_ods_words(line)}</text:p>" for line in text.split("\n"))
    style = "head" if is_head else "words"
    value = "string"
    if _is_number(text) and not is_head:
        value = f'float" office:value="{text}'
    return f'<table:table-cell table:style-name="{style}" office:value-type="{value}">{words}</table:table-cell>'


def _ods_words(line: str) -> str:
    """Return a line with elements for the spaces and tabs that a reader of the file would leave out."""
    spaced = _SPACES.sub(lambda match: f'<text:s text:c="{len(match[0])}"/>', escape(line))
    return spaced.replace("\t", "<text:tab/>")


def _zipped(parts: Mapping[str, str]) -> bytes:
    """Return a package of these parts, in their order."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as package:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, _ADDED)
            # The type of an ODS file stands unpacked at its beginning, where programs look for it.
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            package.writestr(entry, text.encode())
    return written.getvalue()


WRITERS = {".csv": _csv, ".xlsx": _xlsx, ".ods": _ods}

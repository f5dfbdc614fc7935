"""What an import understood, beside the words of the pages: as text, and as a page in HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from render.games.kotc.workshop.pages.sections import PassageRead

_NOT_UNDERSTOOD = "not understood"


def text_table(passages: Iterable[PassageRead]) -> Iterator[str]:
    """Yield the lines of a table: for each piece of a page its line, its words, and below them what they mean."""
    for file, group in groupby(passages, key=lambda each: each.place.file):
        yield f"{file}"
        for each in group:
            yield f"{each.place.line or 1:>6}  {each.words}"
            yield f"{'':6}  = {_meaning(each)}"


def html_table(passages: Sequence[PassageRead], title: str) -> str:
    """Return the same as a page of HTML that needs no other file."""
    rows = "\n".join(_row(each) for each in passages)
    return _PAGE.format(title=escape(title), rows=rows)


def _meaning(passage: PassageRead) -> str:
    if passage.problem is None:
        return passage.meaning
    return f"{_NOT_UNDERSTOOD}: {passage.problem.message}"


def _row(passage: PassageRead) -> str:
    mark = "" if passage.problem is None else ' class="unknown"'
    file = Path(str(passage.place.file)).name
    cells = (f"{file}:{passage.place.line or 1}", passage.words, passage.section, _meaning(passage))
    return f"<tr{mark}>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 15px/1.4 sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; }}
th, td {{ border: 1px solid #bbb; padding: 0.3em 0.6em; text-align: left; vertical-align: top; }}
.unknown td {{ background: #fdd; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>Left the words of the pages, right what was understood. Red rows were not understood.</p>
<table>
<tr><th>line</th><th>the page says</th><th>section</th><th>understood</th></tr>
{rows}
</table>
</body>
</html>
"""

"""Marks of other programs in texts: tags of HTML, entities, `\\n`, and `__` of Markdown in rich texts.

All are printed as they stand.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from render.base.findings import Diagnostic, Severity, quoted
from render.base.patterns import regex

_MAX_TOLD = 1  # marks of a text that are reported: of many, the others are of the same kind

_MARK = regex(
    r"(?P<tag></?(?P<name>b|i|u|em|strong|br|p|sup|sub|span|div|font|center|h[1-6]|li|ul|small|big)\b[^<>]{0,80}>)"
    r"|(?P<entity>&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{2,5});)"
    r"|(?P<escape>\\n(?=[\sA-Z\\]|\Z))"
    r"|(?<!\w)(?P<bars>__)(?=\S)[^_\n]{1,80}(?<=\S)__(?!\w)",
    re.IGNORECASE,
)
_STARS = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_BREAKS = ("br", "p", "div", "li")


def foreign_marks(text: str, *, lines: str, rich: bool) -> Iterator[Diagnostic]:
    """Yield a warning of the first mark of another program in a text.

    `lines` is the hint for a new line, "" if the text cannot have several; `rich` says whether it is in the notation of
    rich texts, in which a backslash is told of elsewhere.
    """
    found = (match for match in _MARK.finditer(text) if not match["escape" if rich else "bars"])
    for match, _ in zip(found, range(_MAX_TOLD), strict=False):
        message = f"{quoted(match[0])} is printed as it stands"
        hint = _instead(match, lines=lines, rich=rich)
        yield Diagnostic("Y021", message, hint, Severity.WARNING).within(*match.span())


def _instead(match: re.Match[str], *, lines: str, rich: bool) -> str:
    name = (match["name"] or "").lower()
    if match["escape"] or name in _BREAKS:
        return lines or "remove it: this text stands in one line"
    if match["entity"]:
        meant = html.unescape(match[0])
        return f"write {quoted(meant)}" if meant.strip() else "write a space"
    if rich and (stars := "**" if match["bars"] else _STARS.get(name)):
        return f"write `{stars}words{stars}` for what is {'bold' if len(stars) > 1 else 'italic'}"
    return "remove it: texts are not HTML"

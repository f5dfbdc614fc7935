"""Braces in the texts of a template that are no Jinja2, and are printed as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import jinja2

from render.base.caches import cached


class PrintedBraces(NamedTuple):
    """What is printed with its braces, what to do, and the indexes of the characters."""

    words: str
    hint: str
    start: int
    end: int


@cached(128)
def printed_braces(source: str) -> tuple[PrintedBraces, ...]:
    """Return the braces that a template prints in its texts; none if it cannot be read.

    Braces elsewhere, as in a style sheet, are no texts. What `{% raw %}` holds is meant as it stands, and so is what a
    value gives: `{{ '{' }}`.
    """
    source = re.sub("\r\n?", "\n", source)
    shown = _without_jinja(source)
    return tuple(_found_in(source, shown)) if shown else ()


def _found_in(source: str, shown: str) -> Iterator[PrintedBraces]:
    plain = re.sub(r"<!--.*?(?:-->|$)", _blank, shown, flags=re.DOTALL)
    for text in re.finditer(r"<text\b[^>]*>(?P<words>.*?)</text\s*>", plain, re.DOTALL):
        words = re.sub(r"<[^>]*>", _blank, text["words"])
        for found in re.finditer(r"\$?\{+[^{}\n]*\}+|[{}]+", words):
            start, end = (text.start("words") + index for index in found.span())
            yield PrintedBraces(source[start:end], _hint(source, start, found[0]), start, end)


def _hint(source: str, start: int, words: str) -> str:
    value = re.fullmatch(r"\$?\{\s*([\w.]+)\s*\}", words)
    if value and (value[1].startswith("card.") or value[1] == "value"):
        return f"write two on each side: `{{{{ {value[1]} }}}}`"
    if words.strip("}") == "" and source[:start].endswith("}}"):
        return "remove it: `}}` ends what begins with `{{`"
    return f"remove it, or print it as a text: `{{{{ '{words}' }}}}`"


def _without_jinja(source: str) -> str:
    """Return a template with spaces for all that is not SVG, and for what `{% raw %}` holds; "" after a mistake."""
    shown, behind, is_raw = list(_blank(source)), 0, False
    try:
        for _, kind, words in jinja2.Environment(autoescape=True).lexer.tokeniter(source, None):
            start = max(source.find(words, behind), behind)  # white space may have been left out between two
            behind = start + len(words)
            is_raw = kind == "raw_begin" or (is_raw and kind == "data")
            if kind == "data" and not is_raw:
                shown[start:behind] = words
    except jinja2.TemplateSyntaxError:
        return ""
    return "".join(shown)


def _blank(words: str | re.Match[str]) -> str:
    return " " * len(words if isinstance(words, str) else words[0])

"""Rich text as a value: paragraphs of lines of spans, which templates print as elements of `<text>`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import NamedTuple

from render.base.caches import cached
from render.layout.templates.engine.values import Elements


class Notation(NamedTuple):
    """What a game gives to the notation: files of icons by name (`#`: any number), colors by name as `#rrggbb`.

    `bold` are keywords, and `reminders` the texts in the notation that are printed behind keywords where they fit.
    `sizes` are heights of icons by name, in em, where they are not the usual one.
    """

    icons: tuple[tuple[str, str], ...] = ()
    colors: tuple[tuple[str, str], ...] = ()
    bold: tuple[str, ...] = ()
    reminders: tuple[tuple[str, str], ...] = ()
    sizes: tuple[tuple[str, float], ...] = ()


class RichSpan(NamedTuple):
    """Words of one look, or an icon by its name."""

    words: str = ""
    bold: bool = False
    italic: bool = False
    color: str = ""
    icon: str = ""

    @property
    def look(self) -> tuple[bool, bool, str]:
        return self.bold, self.italic, self.color


Line = tuple[RichSpan, ...]
Part = tuple[Line, ...]
"""The lines of a paragraph; a rule has none."""


@dataclass(frozen=True, slots=True)
class RichText(Elements):
    """A rich text. A template prints it as elements; `plain` is its words alone, `written` the notation.

    `reminders` are those of the notation, read: for each keyword the line behind it.
    """

    parts: tuple[Part, ...]
    notation: Notation
    reminders: tuple[tuple[str, Line], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __len__(self) -> int:
        return len(self.plain)

    def __str__(self) -> str:
        return self.plain

    def __html__(self) -> str:
        return _printed(self)

    @property
    def plain(self) -> str:
        """The words, with icons as `{T}`, line by line."""
        lines = ("\n".join("".join(map(_plain, line)) for line in part) for part in self.parts)
        return "\n".join(lines)

    @property
    def written(self) -> str:
        """The text in the notation, which is read as the same value."""
        return "\n\n".join(_written_part(part) if part else "---" for part in self.parts)


def _plain(span: RichSpan) -> str:
    return f"{{{span.icon}}}" if span.icon else span.words


# --- as elements ----------------------------------------------------------------------------------------------------


@cached(4096)
def _printed(text: RichText) -> str:
    printer = _Printer(text)
    if len(text.parts) == 1:
        return printer.paragraph(text.parts[0])
    blocks = (
        "<rule/>" if not part else f'<tspan display="block">{printer.paragraph(part)}</tspan>' for part in text.parts
    )
    return "".join(blocks)


class _Printer:
    """Prints the parts of one text; the reminder of a keyword once."""

    def __init__(self, text: RichText) -> None:
        notation = text.notation
        self._icons, self._colors = dict(notation.icons), dict(notation.colors)
        self._sizes = dict(notation.sizes)
        self._bold = frozenset(notation.bold)
        self._reminders = dict(text.reminders)
        self._keywords = _keywords(notation)

    def paragraph(self, part: Part) -> str:
        return "<br/>".join("".join(map(self._span, line)) for line in part)

    def _span(self, span: RichSpan) -> str:
        inner = self._icon(span.icon) if span.icon else self._words(span)
        given = [
            'font-weight="bold"' if span.bold else "",
            'font-style="italic"' if span.italic else "",
            f'fill="{escape(self._colors[span.color])}"' if span.color else "",
        ]
        attributes = " ".join(filter(None, given))
        return f"<tspan {attributes}>{inner}</tspan>" if attributes else inner

    def _icon(self, name: str) -> str:
        key = name if name in self._icons else "#"
        value = f' value="{escape(name)}"' if key != name else ""
        height = f' height="{self._sizes[key]:g}em"' if key in self._sizes else ""
        return f'<icon href="{escape(self._icons[key])}"{value} words="{escape(f"{{{name}}}")}"{height}/>'

    def _words(self, span: RichSpan) -> str:
        if self._keywords is None:
            return str(escape(span.words))
        return "".join(self._pieces(span, self._keywords))

    def _pieces(self, span: RichSpan, keywords: re.Pattern[str]) -> Iterator[str]:
        done = 0
        for match in keywords.finditer(span.words):
            word = match[0]
            yield str(escape(span.words[done : match.start()]))
            # Words that an author sets bold or italic keep their look: few fonts have a bold italic.
            plain = word not in self._bold or span.bold or span.italic
            yield str(escape(word)) if plain else f'<tspan font-weight="bold">{escape(word)}</tspan>'
            yield from self._reminder(word)
            done = match.end()
        yield str(escape(span.words[done:]))

    def _reminder(self, word: str) -> Iterator[str]:
        line = self._reminders.pop(word, ())
        if line:
            inner = "".join(map(self._reminded, line))
            # The words around may be bold: a reminder is not.
            yield f'<tspan optional="true" font-weight="normal" font-style="italic"> ({inner})</tspan>'

    def _reminded(self, span: RichSpan) -> str:
        """Return words of a reminder, which is italic as a whole: what is bold or italic in it stands upright."""
        inner = self._icon(span.icon) if span.icon else str(escape(span.words))
        given = [
            'font-weight="bold"' if span.bold else "",
            'font-style="normal"' if span.bold or span.italic else "",
            f'fill="{escape(self._colors[span.color])}"' if span.color else "",
        ]
        attributes = " ".join(filter(None, given))
        return f"<tspan {attributes}>{inner}</tspan>" if attributes else inner


@cached(64)
def _keywords(notation: Notation) -> re.Pattern[str] | None:
    """Return what finds the keywords of a game, the longest first; None if it has none."""
    words = {*notation.bold, *(word for word, _ in notation.reminders)} - {""}
    longest = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)") if longest else None


# --- in the notation ------------------------------------------------------------------------------------------------


def _written_part(part: Part) -> str:
    return "\n".join(map(_written_line, part))


def _written_line(line: Line) -> str:
    written = "".join(_written_look(tuple(spans)) for _, spans in groupby(line, key=lambda span: span.look))
    return f"\\{written}" if re.fullmatch("---+", written) else written


def _written_look(spans: Line) -> str:
    """Return neighbors of one look."""
    inner, span = "".join(map(_escaped, spans)), spans[0]
    # Signs stand at words: spaces go outside.
    bare = inner.strip(" ")
    before = inner[: len(inner) - len(inner.lstrip(" "))]
    after = inner[len(inner.rstrip(" ")) :] if bare else ""
    stars = "**" * span.bold + "*" * span.italic
    marked = f"{stars}{bare}{stars[::-1]}" if bare else ""
    if span.color and marked:
        return f"{before}[{span.color}: {marked}]{after}"
    return f"{before}{marked}{after}"


def _escaped(span: RichSpan) -> str:
    return f"{{{span.icon}}}" if span.icon else re.sub(r"[\\*{}\[\]]", lambda match: f"\\{match[0]}", span.words)

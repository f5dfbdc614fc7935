"""Messages as a terminal shows them: fitted to its width, with color.

What is laid out is the text of `findings.as_text`, and not the findings: builds remember their warnings as text, and
`watch` compares it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from render.base.columns import columns, cut_around
from render.cli.terminal.looks import StreamLook

# Colors that are dark enough for white and light enough for black backgrounds. Yellow, blue and grey are not.
_BOLD, _RED, _GREEN, _MAGENTA, _CYAN = "1", "31", "32", "35", "36"
_SEVERITIES = {"error": _RED, "warning": _MAGENTA, "cannot be judged": _CYAN}

_HEAD = re.compile(
    r"(?P<place>(?:(?!: ).)+: )?(?P<severity>error|warning|cannot be judged): .*?(?P<code> \[[A-Z]\d{3}\])?"
)
_LABELS = {"fixed": ("fixed:", _GREEN), "Error": ("Error:", _RED)}
_SOURCE = re.compile(r"  (?P<number>[A-Z]{0,3}\d+) \| (?P<line>.*)")  # a line, or a cell of a table
_CARETS = re.compile(r" +\| (?P<before> *)(?P<words>\^+)")
_HINT = "  hint: "
_WORDS = re.compile(r"`[^`]*`\S*|\S+")  # what is in backticks is copied as a whole, so it stays on one line
_SELECTORS = re.compile("[\ufe00-\ufe0f]")  # terminals disagree whether a picture with one is wider than without


@dataclass(frozen=True, slots=True)
class _Pen:
    """Writes in color, or plainly."""

    color: bool

    def in_style(self, text: str, *styles: str) -> str:
        return f"\x1b[{';'.join(styles)}m{text}\x1b[0m" if self.color and text else text


def lay_out_messages(text: str, look: StreamLook) -> str:
    """Return the text with its lines fitted to the width and in color, as far as the stream has either."""
    return text if look.width is None and not look.color else "\n".join(_lines(text.split("\n"), look))


def _lines(lines: list[str], look: StreamLook) -> Iterator[str]:
    pen, style = _Pen(look.color), _RED
    at = 0
    while at < len(lines):
        line = lines[at]
        source, carets = _SOURCE.fullmatch(line), _CARETS.fullmatch(lines[at + 1]) if at + 1 < len(lines) else None
        head = _HEAD.fullmatch(line)
        if source and carets:
            yield from _excerpt(source, carets, look, style)
            at += 1
        elif head:
            style = _SEVERITIES[head["severity"]]
            yield from _colored_head(_wrapped(line, look.width, "    "), head, pen, style)
        elif line.startswith(_HINT):
            first, *rest = _wrapped(line, look.width, " " * len(_HINT))
            yield first.replace("hint:", pen.in_style("hint:", _BOLD, _CYAN), 1)
            yield from rest
        else:
            first, *rest = _wrapped(line, look.width, f"{_indent(line)}  ")
            label, color = _LABELS.get(line.partition(":")[0], ("", ""))
            yield first.replace(label, pen.in_style(label, _BOLD, color), 1) if label else first
            yield from rest
        at += 1


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _colored_head(lines: list[str], head: re.Match[str], pen: _Pen, style: str) -> Iterator[str]:
    """Yield the lines of a heading with its place, severity and code in color, wherever the line breaks are."""
    place, label, code = (head["place"] or "").removesuffix(" "), f"{head['severity']}:", (head["code"] or "").strip()
    paths, labels = place.split(), label.split()
    for number, line in enumerate(lines):
        words = line
        if code and number == len(lines) - 1 and words.endswith(code):
            words = words.removesuffix(code) + pen.in_style(code, style)
        indent, words = _indent(words), words.lstrip(" ")
        shown = []
        while paths and words.startswith(paths[0]):
            shown.append(pen.in_style(paths[0], _BOLD))
            words = words[len(paths.pop(0)) :].lstrip(" ")
        while not paths and labels and words.startswith(labels[0]):
            shown.append(pen.in_style(labels[0], _BOLD, style))
            words = words[len(labels.pop(0)) :].lstrip(" ")
        yield indent + " ".join(filter(None, [*shown, words]))


def _excerpt(source: re.Match[str], carets: re.Match[str], look: StreamLook, style: str) -> Iterator[str]:
    """Yield a line of the author's and the carets below its words, cut around these to the width."""
    pen, number, line = _Pen(look.color), source["number"], source["line"]
    before, words = len(carets["before"]), len(carets["words"])
    if look.width is not None:
        line = _SELECTORS.sub("", line)
        start, end = _at_column(line, before), _at_column(line, before + words)
        cut = cut_around(line, start, end, look.width - len(number) - 5)
        line, before, words = cut.shown, cut.before, cut.words
    bar = pen.in_style("|", _CYAN)
    yield f"  {pen.in_style(number, _CYAN)} {bar} {line}"
    yield f"  {' ' * len(number)} {bar} {' ' * before}{pen.in_style('^' * words, _BOLD, style)}"


def _at_column(line: str, column: int) -> int:
    """Return the index of the character at a column; behind the last one, columns count as characters."""
    at = 0
    while column > 0 and at < len(line):
        column -= columns(line[at])
        at += 1
        while at < len(line) and columns(line[at]) == 0:
            at += 1
    return at


def _wrapped(line: str, width: int | None, indent: str) -> list[str]:
    """Return the line broken between words; lines after the first have the indent."""
    if width is None or columns(line) <= width:
        return [line]
    indent = indent[: max(width // 4, 0)]
    lines, now, room = [], _indent(line), width
    is_empty = True
    for word in _pieces(line, width - len(indent)):
        gap = "" if is_empty else " "
        if not is_empty and columns(now) + 1 + columns(word) > room:
            lines.append(now)
            now, gap = indent, ""
        now += gap + word
        is_empty = False
    return [*lines, now]


def _pieces(line: str, room: int) -> Iterator[str]:
    """Yield the words of a line; what is in backticks is one word, if it takes no more than half of the room."""
    for match in _WORDS.finditer(line):
        if columns(match[0]) * 2 <= room:
            yield match[0]
        else:
            yield from match[0].split(" ")

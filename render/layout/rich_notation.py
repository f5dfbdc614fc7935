"""The notation of rich text: `**bold**`, `*italic*`, `{icon}`, `[color: words]`, read with all its mistakes.

cards/reference/rich-text.md is the reference. A paragraph ends at an empty line, a line where a line ends; `---` on a line of its own
is a rule. A line that begins with `- ` or `1. ` is an item of a list, in which those that are indented more are lists or
lines of the item before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from msgspec import Struct

from render.base.caches import cached
from render.base.findings import Diagnostic, listed, nearest_word, quoted
from render.base.patterns import regex
from render.layout.templates.environment import Elements


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
    """Words of one look, or an icon by its name.

    What stands in a list has a `depth`, from 1 on; the first span of such a line has the `- ` or `1. ` of an item, or
    white space alone.
    """

    words: str = ""
    bold: bool = False
    italic: bool = False
    color: str = ""
    icon: str = ""
    depth: int = 0

    @property
    def look(self) -> tuple[bool, bool, str]:
        return self.bold, self.italic, self.color


Line = tuple[RichSpan, ...]
Part = tuple[Line, ...]
"""The lines of a paragraph; a rule has none."""


class RichText(Struct, Elements, frozen=True):
    """A rich text. A template prints it as elements; `plain` is its words alone.

    `reminders` are those of the notation, read: for each keyword the line behind it.
    """

    parts: tuple[Part, ...]
    notation: Notation
    reminders: tuple[tuple[str, Line], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __html__(self) -> str:
        return _as_elements(self)

    @property
    def plain(self) -> str:  # type: ignore[override] # it is never set
        """The words, with icons as `{T}`, line by line."""
        lines = (line for part in self.parts for line in part or ((),))
        return "\n".join("".join(f"{{{span.icon}}}" if span.icon else span.words for span in line) for line in lines)


@cached(4096)
def _as_elements(text: RichText) -> str:
    printer = _Printer(text)
    parts = ["".join(_elements(part, printer)) for part in text.parts]
    if len(parts) == 1:
        return parts[0]
    return "".join(f'<tspan display="block">{part}</tspan>' if part else "<rule/>" for part in parts)


def _elements(part: Part, printer: _Printer) -> Iterator[str]:
    """Yield the lines of a paragraph, with its lists."""
    within = 0
    for number, line in enumerate(part):
        depth = line[0].depth if line else 0
        sign = line[0].words.strip() if depth else ""
        yield "</li></ul>" * (within - depth)
        if sign:
            yield "</li>" if within >= depth else "<ul>"
            yield "<li>" if sign == "-" else f'<li sign="{escape(sign)}">'
        elif number:
            yield "<br/>"
        yield from map(printer.span, line[1:] if depth else line)
        within = depth
    yield "</li></ul>" * within


class _Printer:
    """Prints the spans of one text; the reminder of a keyword once."""

    def __init__(self, text: RichText) -> None:
        notation = text.notation
        self._icons, self._colors, self._sizes = dict(notation.icons), dict(notation.colors), dict(notation.sizes)
        self._bold, self._reminders = frozenset(notation.bold), dict(text.reminders)
        self._keywords = _keywords(notation)

    def span(self, span: RichSpan, *, reminds: bool = False) -> str:
        """Return words or an icon; what is bold or italic in a reminder, which is italic as a whole, stands upright."""
        if span.icon:
            inner = self._icon(span.icon)
        else:
            inner = escape(span.words) if reminds or self._keywords is None else "".join(self._with_keywords(span))
        style = ("normal" if span.bold or span.italic else "") if reminds else "italic" if span.italic else ""
        given = [
            'font-weight="bold"' if span.bold else "",
            f'font-style="{style}"' if style else "",
            f'fill="{escape(self._colors[span.color])}"' if span.color else "",
        ]
        attributes = " ".join(filter(None, given))
        return f"<tspan {attributes}>{inner}</tspan>" if attributes else inner

    def _icon(self, name: str) -> str:
        key = name if name in self._icons else "#"
        value = f' value="{escape(name)}"' if key != name else ""
        height = f' height="{self._sizes[key]:g}em"' if key in self._sizes else ""
        return f'<icon href="{escape(self._icons[key])}"{value} words="{escape(f"{{{name}}}")}"{height}/>'

    def _with_keywords(self, span: RichSpan) -> Iterator[str]:
        assert self._keywords is not None
        done = 0
        for match in self._keywords.finditer(span.words):
            word = match[0]
            yield escape(span.words[done : match.start()])
            # Words that an author sets bold or italic keep their look: few fonts have a bold italic.
            plain = word not in self._bold or span.bold or span.italic
            yield escape(word) if plain else f'<tspan font-weight="bold">{escape(word)}</tspan>'
            if reminder := self._reminders.pop(word, ()):
                inner = "".join(self.span(each, reminds=True) for each in reminder)
                # The words around may be bold: a reminder is not.
                yield f'<tspan optional="true" font-weight="normal" font-style="italic"> ({inner})</tspan>'
            done = match.end()
        yield escape(span.words[done:])


# Thai, Lao, Burmese and Khmer, kana and ideographs stand without spaces, and particles behind words in Hangul.
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"


@cached(64)
def _keywords(notation: Notation) -> re.Pattern[str] | None:
    """Return what finds the keywords of a game, the longest first; None if it has none."""
    words = {*notation.bold, *(word for word, _ in notation.reminders)} - {""}
    longest = sorted(words, key=lambda word: (-len(word), word))
    letter, any_of = rf"[^\W{_UNSPACED}]", "|".join(map(re.escape, longest))
    return re.compile(rf"(?<!{letter})(?:{any_of})(?!{letter})") if longest else None


_TOKEN = regex(
    r"\\(?P<escaped>.?)|(?P<stars>\*+)|\{(?P<icon>[^{}\n]*)\}"
    r"|\[(?P<color>[A-Za-z][\w-]*|#[0-9A-Fa-f]{3,8}|(?:rgb|hsl)a?\([^()\n]*\)):[ ]?|(?P<sign>[{}\]])",
    re.DOTALL,
)
_ESCAPED = "\\*{}[]-"
_RULE = regex(r"[ \t]*---+[ \t]*")
_ITEM = regex(r"[ \t]*(-|\d{1,2}[.)])[ \t]+(?=\S)")
_NUMBER = regex(r"\d+")


@cached(4096)
def read_rich(text: str, notation: Notation) -> tuple[RichText, tuple[Diagnostic, ...]]:
    """Return a text in the notation as a value, and everything that is wrong with it, with its place in the text.

    What is wrong stands in the value as it is written.
    """
    reading = _Reading(notation)
    parts: list[Part] = []
    lines: list[tuple[int, str]] = []
    at = 0
    for line in (*text.split("\n"), ""):
        if line.strip() and not _RULE.fullmatch(line):
            lines.append((at, line))
        else:
            part = reading.paragraph(lines)
            parts += [part] if part else []
            lines = []
            if line.strip() and parts and parts[-1]:
                parts.append(())
        at += len(line) + 1
    if parts and not parts[-1]:
        parts.pop()  # a rule stands between two parts
    problems = tuple(sorted(reading.problems, key=lambda each: each.start))
    return RichText(tuple(parts), notation, _reminders(notation) if notation.reminders else ()), problems


@cached(64)
def _reminders(notation: Notation) -> tuple[tuple[str, Line], ...]:
    """Return the reminders of a game, each as one line; what is wrong with them is told of the game."""
    plain = notation._replace(bold=(), reminders=())
    read = ((word, read_rich(words, plain)[0]) for word, words in notation.reminders)
    return tuple((word, tuple(span for part in each.parts for line in part for span in line)) for word, each in read)


@cached(4096)
def read_icons(text: str, notation: Notation) -> tuple[RichText, tuple[Diagnostic, ...]]:
    """Return a text of icons alone, such as a cost, and what is wrong with it, as `read_rich` does."""
    found, problems = read_rich(text, notation)
    strange = [
        match for match in re.finditer(r"\{[^{}\n]*\}|([^{}\s]+)|\n[ \t]*\n", text) if match[1] or not match[0].strip()
    ]
    mistakes = []
    for match in strange:
        if match[0].strip() and not text.endswith("{", 0, match.start()):  # of an open brace, that is said
            letters = "".join(f"{{{char}}}" for char in match[0])
            hint = f"write `{letters}`" if len(match[0]) <= 4 else "write names in braces: `{2}`"
            mistakes.append(Diagnostic("U007", f"{quoted(match[0].strip())} is no icon", hint).within(*match.span()))
    known = {problem.start for problem in problems}
    return found, tuple(
        sorted((*problems, *(each for each in mistakes if each.start not in known)), key=lambda each: each.start)
    )


class _Open(Struct):
    """A beginning that waits for its end: `**`, `*`, or a color with its name; `start` to `end` is where it stands."""

    kind: str
    start: int
    end: int
    color: str = ""


_WORD = regex(r"\w+")


_Place = tuple[int, int]
"""Where something begins and ends in the text."""


class _Reading:
    """Reads paragraphs, and collects what is wrong."""

    def __init__(self, notation: Notation) -> None:
        self._notation = notation
        self._icons, self._colors = dict(notation.icons), dict(notation.colors)
        self.problems: list[Diagnostic] = []
        self._open: list[_Open] = []
        self._spans: list[RichSpan] = []

    def paragraph(self, lines: list[tuple[int, str]]) -> Part:
        """Return the paragraph of these lines, each with its place in the text."""
        self._open = []
        part, around = list[Line](), list[int]()
        for at, words in lines:
            item = _ITEM.match(words)
            column = len(words) - len(words.lstrip(" \t"))
            while around and (around[-1] > column or (around[-1] == column and not item)):
                around.pop()
            if item and (not around or around[-1] < column):
                around.append(column)
            begin = item.end() if item else 0
            if line := self._line(at + begin, words[begin:]):
                depth = len(around)
                head = f"{'  ' * (depth - 1)}{item[1]} " if item else "  " * depth
                part.append((RichSpan(head, depth=depth), *line) if around else line)
        for each in self._open:
            self._unclosed(each)
        return tuple(part)

    def _line(self, at: int, words: str) -> Line:
        """Read a line. White space at its ends does not count, and between words it counts as one space."""
        self._spans = []
        done = 0
        for match in _TOKEN.finditer(words):
            self._add(words[done : match.start()])
            place = (at + match.start(), at + match.end())
            if match["escaped"] is not None:
                self._escape(match["escaped"], place)
            elif match["stars"]:
                self._stars(len(match["stars"]), words, match, at)
            elif match["icon"] is not None:
                self._icon(match["icon"], place)
            elif match["color"]:
                color = match["color"] if match["color"] in self._colors else ""
                if not color:
                    self._no_color(match["color"], place)
                self._open.append(_Open("color", *place, color))
            else:
                self._sign(match["sign"], place, words[match.end() :])
            done = match.end()
        self._add(words[done:])
        return joined_spans(self._spans)

    def _add(self, words: str, icon: str = "") -> None:
        if words or icon:
            kinds = {each.kind for each in self._open}
            color = next((each.color for each in reversed(self._open) if each.kind == "color"), "")
            self._spans.append(RichSpan(words, bold="**" in kinds, italic="*" in kinds, color=color, icon=icon))

    def _escape(self, char: str, place: _Place) -> None:
        if char and char in _ESCAPED:
            self._add(char)
            return
        self._add(f"\\{char}")
        hint = "write two, `\\\\`, for a backslash"
        if char == "n":
            hint = "for a new line, begin one: write the text on the lines below `|`, indented"
        before = quoted(char) if char else "nothing"
        self._note("U006", f"a backslash stands before {listed(tuple(_ESCAPED))}, not before {before}", place, hint)

    def _stars(self, count: int, words: str, match: re.Match[str], at: int) -> None:
        before, after = words[: match.start()][-1:], words[match.end() :][:1]
        can_end, can_begin = bool(before) and not before.isspace(), bool(after) and not after.isspace()
        start = at + match.start()
        while count:
            took = 0
            if count <= 3:
                took = (can_end and self._ended(count, can_begin=can_begin)) or (
                    can_begin and self._begun(count, start)
                )
            if not took:
                self._add("*" * count)
                if count > 1 or can_end or can_begin:
                    escaped, stars = quoted("\\*" * count), quoted("*" * count)
                    place = start, start + count
                    self._note("U003", f"{stars} begins and ends nothing here", place, f"write {escaped} to print it")
                return
            count, start = count - took, start + took

    def _ended(self, count: int, *, can_begin: bool) -> int:
        """End what these stars end; return how many of them that took."""
        last = self._open[-1].kind if self._open else ""
        if (last == "**" and count >= 2) or (
            last == "*" and not (count == 2 and can_begin and not self._is_open("**"))
        ):
            self._open.pop()
            return len(last)
        return 0

    def _begun(self, count: int, start: int) -> int:
        for kind in ("**", "*"):
            if count >= len(kind) and not self._is_open(kind) and not (kind == "*" and count == 2):
                self._open.append(_Open(kind, start, start + len(kind)))
                return len(kind)
        return 0

    def _is_open(self, kind: str) -> bool:
        return any(each.kind == kind for each in self._open)

    def _icon(self, name: str, place: _Place) -> None:
        if name in self._icons or (_NUMBER.fullmatch(name) and "#" in self._icons):
            self._add("", name)
            return
        self._add(f"{{{name}}}")
        names = tuple(name for name in self._icons if name != "#")
        # A name in other capitals is surely meant, however short it is.
        near = next((each for each in names if each.casefold() == name.casefold()), nearest_word(name, names))
        known = f"the game has {listed(tuple(f'{{{each}}}' for each in names[:12]), 'and')}" if names else ""
        known += ", and any number, such as `{2}`" if names and "#" in self._icons else ""
        hint = (
            (f"did you mean `{{{near}}}`?" if near else "")
            or known
            or "name it in `icons` of game.yaml, or write `\\{` for a brace"
        )
        message = f"there is no icon {quoted(f'{{{name}}}')}" if name.strip() else "there is no name between the braces"
        self._note("U001", message, place, hint, f"{{{near}}}" if near else "")

    def _no_color(self, name: str, place: _Place) -> None:
        """Note a color that the game has not, or that is written as a value."""
        same = next((each for each, value in self._colors.items() if value == name.lower()), "")
        if name[0] == "#" or "(" in name:
            value = name if name[0] == "#" else "#b5432a"
            other = f'give it a name below `colors` of game.yaml, as in `fire: "{value}"`, and write `[fire: words]`'
            hint, instead = (f"write `[{same}: `", f"[{same}: ") if same else (other, "")
            self._note("U004", f"a color stands by its name, found {quoted(name)}", place, hint, instead)
            return
        near = same or nearest_word(name, tuple(self._colors))
        instead = f"[{near}: " if near else ""
        known = f"the game has {listed(tuple(self._colors), 'and')}; " if self._colors else ""
        more = f"{known}add {quoted(name)} below `colors` of game.yaml, or write `\\[` for a bracket"
        hint = f"did you mean `{near}`?" if near else more
        self._note("U004", f"there is no color {quoted(name)}", place, hint, instead)

    def _sign(self, sign: str, place: _Place, behind: str) -> None:
        if sign == "]":
            while self._open and self._is_open("color"):
                last = self._open.pop()
                if last.kind == "color":
                    return
                self._unclosed(last)
            self._add(sign)
            return
        self._add(sign)
        word, meant = _WORD.match(behind) if sign == "{" else None, ""
        if word and (word[0] in self._icons or ("#" in self._icons and word[0].isdecimal())):
            meant = f"write `{{{word[0]}}}` for the icon, or "
        elif word and word[0] in self._colors:
            meant = f"write `[{word[0]}: words]` for words in that color, or "
        what = "is not closed" if sign == "{" else "closes nothing"
        self._note("U002", f"{quoted(sign)} {what}", place, f"{meant}write {quoted(chr(92) + sign)} for a brace")

    def _unclosed(self, each: _Open) -> None:
        place = (each.start, each.end)
        if each.kind == "color":
            hint = "write `]` behind its last word, or `\\[` for a bracket"
            self._note("U005", "the color is not closed", place, hint)
            return
        what = "bold" if each.kind == "**" else "italic"
        escaped = "".join(f"\\{star}" for star in each.kind)
        hint = f"write {quoted(each.kind)} behind the last {what} word, or {quoted(escaped)} to print it"
        self._note("U003", f"{quoted(each.kind)} is not closed", place, hint)

    def _note(self, code: str, message: str, place: _Place, hint: str, instead: str = "") -> None:
        self.problems.append(Diagnostic(code, message, hint, instead=instead).within(*place))


def joined_spans(spans: list[RichSpan]) -> Line:
    """Return spans as a line: neighbors of one look joined, white space as one space, none at the ends."""
    line: list[RichSpan] = []
    for given in spans:
        span = given if given.icon or given.words.strip() else RichSpan(given.words)  # a space has no look
        words = re.sub(r"[ \t\n]+", " ", span.words)
        if not span.icon and words.startswith(" ") and (not line or line[-1].words.endswith(" ")):
            words = words[1:]
        if not words and not span.icon:
            continue
        if line and not span.icon and not line[-1].icon and line[-1].look == span.look:
            line[-1] = line[-1]._replace(words=line[-1].words + words)
        else:
            line.append(span._replace(words=words))
    while line and not line[-1].icon and not line[-1].words.rstrip(" "):
        line.pop()
    if line and not line[-1].icon:
        line[-1] = line[-1]._replace(words=line[-1].words.rstrip(" "))
    return tuple(line)

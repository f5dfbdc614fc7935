"""Findings: what is wrong or doubtful in a user's files, as values with a place, a code and a next step."""

from __future__ import annotations

import enum
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from render.base.caches import cached
from render.base.columns import cut_around, wrap
from render.base.patterns import regex


# The values are words of messages and of `--format json`: a change breaks programs that read them.
class Severity(enum.Enum):
    ERROR = "error"
    WARNING = "warning"
    UNSURE = "cannot be judged"  # the program does not understand the thing well enough to call it right or wrong


class CellPlace(Struct, frozen=True):
    """A cell of a table, such as `C1`, in a sheet ("" in a file that has no sheets).

    `start` and `end` are indexes into the excerpt of its span: the words that are meant.
    """

    name: str
    sheet: str = ""
    start: int = 0
    end: int = 0

    def __str__(self) -> str:
        return f'sheet "{self.sheet}", cell {self.name}' if self.sheet else f"cell {self.name}"


class Span(Struct, frozen=True, kw_only=True):
    """A place in a file. Lines and columns count from 1; the end lies behind the last character.

    `excerpt` is the source line, which a message shows; it is empty if there is none to show. In a table, `cell` is
    the place, `excerpt` a line of the cell's text, and line and column are where the cell begins in a file of text,
    else its row and its column.
    """

    file: Path
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1
    excerpt: str = ""
    cell: CellPlace | None = None

    def __str__(self) -> str:
        return f"{self.file}, {self.cell}" if self.cell else f"{self.file}:{self.line}:{self.column}"

    @property
    def mark(self) -> tuple[int, int]:
        """Where in the excerpt the words that are meant begin and end."""
        if self.cell:
            return self.cell.start, self.cell.end
        return self.column - 1, self.end_column - 1 if self.end_line == self.line else len(self.excerpt.rstrip())

    @property
    def lines(self) -> range:
        """The lines that it is on."""
        return range(self.line, self.end_line + 1)

    @property
    def has_end(self) -> bool:
        """Whether it is a stretch of text: a place in a file that is no text has no end."""
        return (self.line, self.column) != (self.end_line, self.end_column)


class Diagnostic(Struct, frozen=True):
    """What is wrong or doubtful: a code, or "" where there is none, what was found, what to do, and where.

    `message` is lower case without a full stop, the author's words in backticks; `hint` is the next step. Messages and
    hints over 1,000 characters lose their middle. `instead` is for editors: the text that, written into the file in
    place of the span, does what the hint says; "" where no single text does. `card` is the card's id, `field` the
    dotted path of the key. In a table, the hint becomes one in the words of cells. Before its file is known, it may be
    about the characters from `start` to `end` of a text. `clause` says which standard asks for what is missed.
    """

    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    instead: str = ""
    span: Span | None = None
    card: str = ""
    field: str = ""
    start: int = 0
    end: int = 0
    clause: str = ""

    def __post_init__(self) -> None:
        if self.span and self.span.cell:
            force_setattr(self, "hint", in_cells(self.hint, self.field))
        for name in ("message", "hint"):
            words = getattr(self, name)
            if len(words) > _LONGEST:
                force_setattr(self, name, f"{words[:_BEGINNING]}…{words[_BEGINNING - _LONGEST + 1 :]}")

    def at(self, span: Span | None = None, card: str = "", field: str = "") -> Diagnostic:
        """Return it at that place of a file."""
        return replace(self, span=span, card=card, field=field, start=0, end=0)

    def within(self, start: int, end: int) -> Diagnostic:
        """Return it at these characters of a text."""
        return replace(self, start=start, end=end)


Finding = Diagnostic  # its name in `import render`
Problem = Diagnostic
Found = Callable[[Sequence[Diagnostic]], object]
"""Told of findings as they come, before the last is known."""


@cached(256)  # of a table, each row may say the same of a column
def in_cells(hint: str, field: str) -> str:
    """Return a hint about lines of YAML as one about the cell of a field; what it says of `set.yaml` and others stays."""
    if ".yaml" in hint:
        return hint
    own = re.escape(field.rpartition(".")[2])
    # A text in quotes, numbers in brackets, anything else that is one value: its cell has it alone.
    values = (r"'([^`']+)'", r"\[([-0-9., ]+)\]", r"([^`{|\[]+)") if own else ()
    for pattern, words in (*((f"`{own}: {value}`", r"`\1`") for value in values), *_IN_CELLS):
        hint = re.sub(pattern, words, hint)
    return hint


_NEW_LINE = "begin a new line within the cell: Alt+Enter in Excel, Ctrl+Enter in LibreOffice"
_IN_CELLS = (
    (r"or below `>-`", "without line breaks"),
    (r"write `([a-z_]+): \|`, and below it [^;]*", r"write the text in one cell of the column `\1`"),
    (r"write lines below `[a-z_]+: \|`", _NEW_LINE),
    (r"for a new line, begin one: write the text on the lines below `\|`, indented", _NEW_LINE),
    (r"write its keys on the lines below `([a-z_]+):`, indented", r"give each of its keys a column, `\1.…`"),
    (r"write `([a-z_]+):`, and below it one text behind each `- `", r"give each text a column, `\1.1` and so on"),
    (r"write `([a-z_]+): \{(?:[^`]*, )?([a-z_]+): \.\.\.\}`", r"call the column `\1.\2`"),
    (r"begin it exactly below `[a-z_]+`", "give it a column of its own"),
    (r"remove the line\b", "empty the cell"),
    (r"add a line such as ", "write "),
    (r" in YAML\b|, each on a line of its own", ""),
    (r"behind `([a-z_]+):`", r"in the column `\1`"),
    (r"`([a-z_][a-z0-9_.]*): ([^`{|\[]+)`", r"`\2` in the column `\1`"),
)  # fmt: skip


_LONGEST, _BEGINNING = 1000, 700  # characters: a longer text fills a terminal; the first 700 are kept, and the end


class Refused(Exception):
    """A stage found errors and stopped. `findings` holds all of them; `why` adds a reason that they do not give."""

    def __init__(self, findings: Iterable[Finding], why: str = "") -> None:
        self.findings = tuple(findings)
        self.why = why
        super().__init__("; ".join(f"{finding.code} {finding.message}" for finding in self.findings))


def has_errors(findings: Iterable[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def identity(finding: Finding) -> object:
    """Return what tells a finding from others: what is wrong with a value that several cards share is said once."""
    return replace(finding, card="", field="") if finding.span else finding


def sort_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings file by file, top to bottom, each once."""

    def place(finding: Finding) -> tuple[str, str, int, int, str, str]:
        span, said = finding.span, (finding.code, finding.message)
        if span is None:
            return "", "", 0, 0, *said
        return str(span.file), span.cell.sheet if span.cell else "", span.line, span.column, *said

    once: dict[object, Finding] = {}
    for finding in findings:
        once.setdefault(identity(finding), finding)
    return sorted(once.values(), key=place)


MAX_ALIKE = 50  # findings of one code to show: nobody reads more, and most have one cause


def counted(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order, the first 50 of each code, then one finding per code that counts the rest."""
    shown: list[Finding] = []
    seen: Counter[tuple[str, Severity]] = Counter()
    for finding in sort_findings(findings):
        seen[kind := (finding.code, finding.severity)] += 1
        if seen[kind] <= MAX_ALIKE:
            shown.append(finding)
    return [*shown, *more_like_these(seen)]


def more_like_these(counts: Mapping[tuple[str, Severity], int]) -> list[Finding]:
    """Return a finding for each code of which there are more than are shown."""
    return [
        Problem(code, f"and {count - MAX_ALIKE:,} more like these", severity=severity).at()
        for (code, severity), count in counts.items()
        if count > MAX_ALIKE
    ]


_NEAR = 0.6  # of `difflib`: the share of letters that two words have in common; its own default


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "did you mean `x`?" for the known word nearest to `word`, or "" if none is near."""
    near = nearest_word(word, known)
    return f"did you mean `{near}`?" if near else ""


def nearest_word(word: str, known: Iterable[str]) -> str:
    """Return the known word nearest to `word`, or "" if none is near."""
    return _nearest(word.lower(), tuple(known))


@cached(1024)
def _nearest(word: str, known: tuple[str, ...]) -> str:
    """Compare only words that share enough letters, which takes a tenth of the time of comparing all."""
    letters = set(word)
    # The same bound that `difflib` applies to letters in order: 2 * matches / (length + length).
    alike = [each for each in known if 2 * sum(char in letters for char in each) >= _NEAR * (len(word) + len(each))]
    import difflib

    near = difflib.get_close_matches(word, alike, n=1, cutoff=_NEAR) if alike else []
    return near[0] if near else ""


def listed(words: Sequence[str], last: str = "or") -> str:
    """Return `a`, `b` or `c`, each word in backticks."""
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


# What Python calls things in error messages, such as `<_io.BytesIO object at 0x7f993732c220>`: its address differs
# from run to run, and the file that was opened has another name.
_STREAM = r"(?:\bstream )?<_io\.\w+ object at 0x[0-9A-Fa-f]+>(?: \((?P<where>[^()]*)\))?:? ?"
_ADDRESS = r" at 0x[0-9A-Fa-f]+"


def reason(error: BaseException | str) -> str:
    """Return a library's words about an error as one line, without a full stop and without memory addresses.

    An error without words gives the name of its class.
    """
    said = error if isinstance(error, str) else str(error)
    plain = re.sub(
        _STREAM, lambda match: f"{match['where']}: " if match["where"] else "", said.removeprefix("WARNING: ")
    )
    words = printable(" ".join(re.sub(_ADDRESS, "", plain).split())).strip(" :.")
    return words or (error if isinstance(error, str) else type(error).__name__)


_LONGEST_QUOTE = 60  # characters of the author's words in a message: the rest can be read in the file


def quoted(words: str) -> str:
    """Return the author's words in backticks, on one line, shortened if long, without unprintable characters."""
    line = printable(" ".join(words.split()))
    return f"`{line}`" if len(line) <= _LONGEST_QUOTE else f"`{line[: _LONGEST_QUOTE - 1].rstrip()}…`"


# Invisible operators of MathML in formulas, and what is shown in their place: products, lists, mixed numbers.
_SEEN = {
    "\N{INVISIBLE TIMES}": "·",
    "\N{INVISIBLE SEPARATOR}": ",",
    "\N{INVISIBLE PLUS}": "+",
    "\N{FUNCTION APPLICATION}": " ",
}


def printable(line: str) -> str:
    """Return the line with U+FFFD for each control and format character, which could deceive a reader of a terminal.

    Invisible operators of formulas are shown. A byte of a file name that is not UTF-8 is shown as `\\xff`.
    """
    if line.isprintable():
        return line
    return "".join(
        char
        if char == "\t" or char.isprintable() or unicodedata.category(char) == "Zs"
        # Python decodes such a byte of a file name as U+DC00 plus the byte (PEP 383).
        else (f"\\x{ord(char) - 0xDC00:02x}" if "\udc80" <= char <= "\udcff" else _SEEN.get(char, "\ufffd"))
        for char in line
    )


def as_text(findings: Iterable[Finding]) -> str:
    """Return the findings for people: place and message, the line with the words underlined, the hint."""
    return "\n".join(line for finding in counted(findings) for line in paragraph(finding))


def as_json(findings: Iterable[Finding]) -> str:
    """Return a JSON list of objects with code, severity, message, file, place, card, field and hint.

    The end of a place lies behind its last character. A place in a table has `sheet` and `cell`, too, and what a
    standard asks for its `clause`.
    """
    rows = []
    for finding in counted(findings):
        span = finding.span
        rows.append(
            {
                "code": finding.code,
                "severity": finding.severity.value,
                "message": finding.message,
                "file": str(span.file) if span else None,
                "line": span.line if span else None,
                "column": span.column if span else None,
                "card": finding.card or None,
                "field": finding.field or None,
                "hint": finding.hint or None,
                "end_line": span.end_line if span and span.has_end else None,
                "end_column": span.end_column if span and span.has_end else None,
                **({"sheet": span.cell.sheet or None, "cell": span.cell.name} if span and span.cell else {}),
                **({"clause": finding.clause} if finding.clause else {}),
            }
        )
    return json.dumps(rows, ensure_ascii=False, indent=2)


def as_github(findings: Iterable[Finding]) -> str:
    """Return workflow commands, which GitHub shows beside the lines of a pull request."""

    def escaped(text: str, reserved: str = "") -> str:
        return "".join(f"%{ord(char):02X}" if char in f"%\r\n{reserved}" else char for char in text)

    lines = []
    for finding in counted(findings):
        span = finding.span
        text = finding.message + (f"; {finding.hint}" if finding.hint else "")
        text = escaped(f"{span.cell}: {text}" if span and span.cell else text)
        place = f" file={escaped(str(span.file), ':,')},line={span.line},col={span.column}," if span else " "
        kind = "notice" if finding.severity is Severity.UNSURE else finding.severity.value
        lines.append(f"::{kind}{place}title={finding.code}::{text}")
    return "\n".join(lines)


Paint = Callable[[str, str], str]
"""Returns a text in a style: `place`, `hint`, `bar`, or the value of a severity, which is bold behind `bold `."""


def paragraph(finding: Finding, width: int | None = None, paint: Paint = lambda text, _: text) -> list[str]:
    """Return the lines that tell people of a finding, fitted to a width, if there is one."""
    span, severity = finding.span, finding.severity.value
    place, label = f"{span}:" if span else "", f"{severity}:"
    code = f"[{', '.join(filter(None, (finding.code, finding.clause)))}]" if finding.code else ""
    head = printable(" ".join(filter(None, (place, label, finding.message, code))))
    styles = [(word, "place") for word in printable(place).split()] + [
        (each, f"bold {severity}") for each in label.split()
    ]
    lines = []
    for line in wrap(head, width, "    "):
        words = line.lstrip(" ")
        shown = [line[: len(line) - len(words)]]
        while styles and words.startswith(styles[0][0]):
            word, style = styles.pop(0)
            words = words[len(word) :].lstrip(" ")
            shown.append(paint(word, style) + (" " if words else ""))
        lines.append("".join([*shown, words]))
    if code and lines[-1].endswith(code):
        lines[-1] = lines[-1].removesuffix(code) + paint(code, severity)
    if span and span.excerpt.strip():
        lines += _underlined(span, width, severity, paint)
    if finding.hint:
        first, *rest = wrap(printable(f"  hint: {finding.hint}"), width, " " * len("  hint: "))
        lines += [first.replace("hint:", paint("hint:", "hint"), 1), *rest]
    return lines


_WIDEST_EXCERPT = 100  # columns: fits a terminal of 120 with the line's number before it
_SELECTORS = regex("[\ufe00-\ufe0f]")  # terminals disagree whether a picture with one is wider than without


def _underlined(span: Span, width: int | None, severity: str, paint: Paint) -> list[str]:
    """Return the source line and a line of carets below the words; a long line is cut around them."""
    line, (start, end) = printable(span.excerpt.rstrip().replace("\t", " ")), span.mark
    number, room = span.cell.name if span.cell else str(span.line), _WIDEST_EXCERPT
    if width is not None:
        room = min(room, width - len(number) - 5)
        start, end = (len(_SELECTORS.sub("", line[:at])) for at in (start, end))
        line = _SELECTORS.sub("", line)
    cut, bar = cut_around(line, start, end, room), paint("|", "bar")
    carets = paint("^" * cut.words, f"bold {severity}")
    return [f"  {paint(number, 'bar')} {bar} {cut.shown}", f"  {' ' * len(number)} {bar} {' ' * cut.before}{carets}"]


def plural(number: int, thing: str, things: str = "") -> str:
    """Return `1 card`, `2 cards`; `things` is the plural where it is not made by an `s`."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def errors_and_warnings(findings: Iterable[Finding]) -> tuple[int, int]:
    """Return how many errors and warnings there are."""
    words = [finding.severity.value for finding in sort_findings(findings)]
    return words.count("error"), words.count("warning")

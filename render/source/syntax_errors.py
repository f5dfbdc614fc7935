"""What is wrong where YAML cannot be read, for people who do not know its grammar.

The parser's own messages ("mapping values are not allowed in this context") speak of its grammar. Here each becomes
what the author wrote and what to write instead. The rules look for phrases that libyaml and PyYAML's own parser share.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from render.base.findings import Problem, TextProblem, quoted
from render.source.scalar_writing import write_anywhere


@dataclass(frozen=True, slots=True)
class ParserStop:
    """Where the parser stopped: its words, the text, and the offsets of the place and of what it was reading."""

    problem: str
    text: str
    at: int
    begun: int

    @property
    def char(self) -> str:
        return self.text[self.at : self.at + 1]

    @property
    def line(self) -> str:
        return self.text[self.line_start : _line_end(self.text, self.at)]

    @property
    def line_start(self) -> int:
        return _line_start(self.text, self.at)


def explain(slip: ParserStop) -> TextProblem:
    """Return what the author should know about the place where the parser stopped."""
    if "\t" in slip.text[slip.line_start : slip.at + 1] and _TAB.search(slip.problem):
        return _tab(slip)
    odd = _ODD_SPACE.match(slip.line)
    if odd:
        at = slip.line_start + odd.end() - 1
        message = f"a space that is none in YAML (U+{ord(slip.text[at]):04X}) is used as indentation"
        return TextProblem(Problem("Y008", message, "write ordinary spaces"), *_one(at))
    told = _no_yaml(slip)
    if told:
        return told
    for phrase, rule in _RULES:
        if phrase.search(slip.problem):
            return rule(slip)
    message = f"this is not YAML: {slip.problem}" if slip.problem else "this is not YAML"
    return _here(slip, message, "see the examples in cards/README.md")


def _no_yaml(slip: ParserStop) -> TextProblem | None:
    """Return what is said of the first line before the place that other languages, or git, have put there."""
    for pattern, message, hint in _OF_OTHERS:
        match = pattern.search(slip.text[: slip.at + MAX_LINE])
        if match and match.start() <= slip.at:
            return TextProblem(Problem("Y007", message, hint), *match.span())
    return None


_OF_OTHERS = (
    (
        re.compile("^<<<<<<<(?= )", re.MULTILINE),
        "git left two versions of these lines here",
        "keep one, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`",
    ),
    (re.compile(r"^//", re.MULTILINE), "a comment begins with `#`, not with `//`", "write `# ` in its place"),
    (
        re.compile(r"^\[\[?\w+\]\]?(?=\s*$)", re.MULTILINE),
        "this is how TOML begins a section, and cards are written in YAML",
        'begin each card with `- `, and write `name: Dog` for `name = "Dog"`',
    ),
)
# What the parsers say of a tab where indentation is expected.
_TAB = re.compile(r"cannot start any token|tab character|'\\t'")
_ODD_SPACE = re.compile("[ \t]*[\u00a0\u2000-\u200b\u202f\u3000]")  # of word processors
_CHECK_INDENT = "check the indentation: the keys of one card stand exactly below each other"
_PAIR = re.compile(r"\s*(?:- +)*(?P<key>[^\s:#'\"][^:]*): +(?P<value>\S.*?)\s*")
_HEADER = re.compile(r"[A-Za-z_.]+(?:[,;\t][A-Za-z_.]+){2,}")  # of a table: words between commas, nothing else
_BLOCK = re.compile(r"\s*(?:- +)*(?P<key>\w+): *[|>][-+0-9]*\s*")
MAX_LINES_OF_TEXT = 100  # behind which no hint looks for the key of a text
MAX_LINE = 4096  # characters of a line that is searched for a key and its value: spaces can make that slow
_LONG = 60  # characters of a value that a hint repeats
_PICTURE = re.compile(r"""\.(?:jpe?g|png|webp|svg|heic|avif|gif)["']?$""", re.IGNORECASE)
_DRIVE = re.compile(r"""["']?[A-Za-z]:[\\/]""")  # how a path of Windows begins


def _here(slip: ParserStop, message: str, hint: str, code: str = "Y007") -> TextProblem:
    return TextProblem(Problem(code, message, hint), slip.at, slip.at + 1)


def _tab(slip: ParserStop) -> TextProblem:
    tab = slip.text.index("\t", slip.line_start)
    return TextProblem(Problem("Y008", "a tab is used as indentation", "indent with spaces"), tab, tab + 1)


# --- values that need quotes ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pair:
    """A line such as `- flavor: *woof*`: its key, its value, and where the value stands."""

    key: str
    value: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.value)

    @property
    def quoted_value(self) -> str:
        """The value in quotes, so that it is read as it stands; "" if it is long, or holds every kind of quote."""
        for quote, forbidden in (('"', '"\\'), ("'", "'")):
            if len(self.value) <= _LONG and not set(forbidden) & set(self.value):
                return f"{quote}{self.value}{quote}"
        return ""

    @property
    def in_quotes(self) -> str:
        """How to write the value so that it is read as it stands."""
        if self.quoted_value:
            return f"write `{self.key}: {self.quoted_value}`"
        put = "put it in quotes, or write it" if len(self.value) > _LONG else "write it"
        return f"{put} below `{self.key}: |`, indented"

    def problem(self, message: str, hint: str = "", code: str = "Y007", instead: str = "") -> TextProblem:
        said = Problem(code, message, hint or self.in_quotes, instead=instead or ("" if hint else self.quoted_value))
        return TextProblem(said, self.start, self.end)


def _pair(text: str, at: int) -> _Pair | None:
    """Return key and value of the line of that place; None if the place is not in the value of such a line."""
    start = _line_start(text, at)
    line = text[start : _line_end(text, at)]
    match = _PAIR.fullmatch(line) if len(line) <= MAX_LINE else None
    if match is None or at < start + match.start("value"):
        return None
    return _Pair(match["key"], match["value"], start + match.start("value"))


def _second_colon(slip: ParserStop) -> TextProblem:
    pair = _pair(slip.text, slip.at)
    if pair is None:
        return _here(slip, "a key is not expected here", _after_dash(slip) or _CHECK_INDENT)
    both = _TWO_PAIRS.fullmatch(pair.value)
    if both and len(pair.value) <= _LONG:
        hint = f"write `{pair.key}: {both['value']}`, and on the next line `{both['rest']}`"
        return pair.problem("two keys stand on one line", hint)
    return pair.problem("a value without quotes cannot hold a colon and a space")


def _after_dash(slip: ParserStop) -> str:
    """Return the hint for a card that begins below the keys of another; "" where no `- ` begins the line."""
    if not slip.line.lstrip().startswith("- "):
        return ""
    return "if a new card begins here, write its `- ` below that of the card before; if not, remove it"


def _begins_oddly(text: str, at: int, why: str = "") -> TextProblem:
    """A value begins with a sign that means something in YAML."""
    if text[at : at + 2] == "* " and not text[_line_start(text, at) : at].strip():
        end = _line_end(text, at)
        hint = f"write {quoted('- ' + text[at + 2 : end])}"
        return TextProblem(Problem("Y007", "an item of a list begins with `- `, not with `*`", hint), *_one(at))
    message = f"a value without quotes cannot begin with `{text[at : at + 1]}`{why}"
    pair = _pair(text, at)
    if pair is None or pair.start != at:
        return TextProblem(Problem("Y007", message, "put the value in quotes"), at, at + 1)
    hint = pair.in_quotes
    if hint.startswith("write") and re.fullmatch(r"(\*+|_+|~+)\S.*\1.?", pair.value):  # of short values only
        hint += f"; the `{pair.value[0]}` are printed as they stand"
    return pair.problem(message, hint, instead=pair.quoted_value)


def unknown_alias(text: str, extent: tuple[int, int]) -> Problem:
    """Return what is said of `*name` where nothing has the anchor `&name`."""
    told = _begins_oddly(text, extent[0]).problem
    alias = text[slice(*extent)]
    return Problem("Y009", f"`{alias}` refers to an anchor `&{alias[1:]}`, and there is none before it", told.hint)


def unused_anchor(text: str, extent: tuple[int, int], value: str) -> Problem:
    """Return what is said of an anchor before a word that nothing refers to."""
    anchor = quoted(text[slice(*extent)])
    lost = f"{anchor} is no part of the text: it is an anchor" if value else f"{anchor} is an anchor without a value"
    hint = _begins_oddly(text, extent[0]).problem.hint
    return Problem("Y010", f"{lost}, and nothing refers to it", hint)


def tag(text: str, start: int, name: str) -> TextProblem:
    """Return what is said of a type such as `!!str`, or of a text that begins with `!`."""
    said = quoted(name.replace("tag:yaml.org,2002:", "!!"))
    if said.startswith("`!!") or text[start : start + 2] in ("!!", "!<"):
        hint = "remove it; numbers and texts need no tag"
        return TextProblem(Problem("Y011", f"the tag {said} is not allowed", hint), start, start + 1)
    told = _begins_oddly(text, start, ", which is a tag in YAML")
    return replace(told, problem=replace(told.problem, code="Y011"))


# --- keys -----------------------------------------------------------------------------------------------------------

_LINE_OF_KEY = re.compile(r"^(?P<indent>[ ]*)(?P<key>[^\s#:'\"\[\]{}|>&*!%@`-][^:\r\n]*):(?:[ \t]|$)", re.MULTILINE)
_NO_SPACE = re.compile(r"(?P<key>[A-Za-z_]+):(?P<value>[^\s:/\\].*)")
_EQUALS = re.compile(r"(?P<key>[A-Za-z_]+)\s*:?=>?\s*(?P<value>\S.*)")
_WIDE_COLON = re.compile(r"(?P<key>[A-Za-z_]+)\s*[\uff1a\ufe55\ua789]\s*(?P<value>\S.*)")
_TWO_WORDS = re.compile(r"(?P<key>[A-Za-z_]+)[ \t]+(?P<value>[0-9]+|auto)")


def misplaced_key(text: str, extent: tuple[int, int], column: int) -> TextProblem | None:
    """Return what is said of a key that stands in another column than that with which the stretch begins.

    None if the stretch does not begin with a key and a plain value: what follows may belong to it.
    """
    first = _line_end(text, extent[0])
    begun = _PAIR.fullmatch(text[extent[0] : first]) if first - extent[0] <= MAX_LINE else None
    if begun is None or begun["value"][0] in "|>[{" or not _is_complete(begun["value"]):
        return None
    for match in _LINE_OF_KEY.finditer(text, min(first + 1, extent[1]), extent[1]):
        indent = len(match["indent"])
        if indent != column and text[match.start() - 1 : match.start()] in ("\n", "\r"):
            message = (
                f"`{match['key']}` begins in column {indent + 1}, and `{begun['key']}` above it in column {column + 1}"
            )
            hint = f"begin it exactly below `{begun['key']}`: the keys of one card stand in one column"
            if not indent:
                value = text[match.end() : _line_end(text, match.end())].strip()
                hint = f"{hint}; or, if a new card begins here, write `- {match['key']}: {value}`"
            return TextProblem(Problem("Y007", message, hint), *match.span("key"))
    return None


def _is_complete(value: str) -> bool:
    """Return whether the value of a line ends there, and is no quote that goes on."""
    return value[0] not in "\"'" or (len(value) > 1 and value.endswith(value[0]))


_BEHIND_ANOTHER = re.compile(r"[ ,;](?P<key>[a-z_]{1,40}): ")  # in `sp: 2, hp: 2`
_TWO_PAIRS = re.compile(r"(?P<value>[0-9]{1,4}|auto|[a-z]{1,40}(?=[,;]))[,;]? *(?P<rest>[a-z_]{1,40}: .*)")
_MEANT_AS_KEY = re.compile(r"[ \t]*(?:- +)*(?P<key>[A-Za-z_]+)")


def keys_in(text: str, extent: tuple[int, int]) -> list[str]:
    """Return the words in a stretch that are keys, or seem to be meant as keys."""
    begins = [extent[0], *(match.end() for match in re.compile(r"\r\n|\r|\n").finditer(text, *extent))]
    found = (_MEANT_AS_KEY.match(text, begin, extent[1]) for begin in begins)
    behind = _BEHIND_ANOTHER.finditer(text, *extent)
    return [*(match["key"] for match in found if match), *(match["key"] for match in behind)]


def is_table(text: str, extent: tuple[int, int]) -> TextProblem | None:
    """Return what is said of a line that begins a table, such as `name,kind,level`; None if it does not."""
    line = text[slice(*extent)].rstrip()
    if len(line) > MAX_LINE or not _HEADER.fullmatch(line):
        return None
    message = f"this is a table, and the file is read as YAML: {quoted(line)}"
    problem = Problem("Y007", message, "save it as a file that ends with `.csv`; it is read as it is")
    return TextProblem(problem, extent[0], extent[0] + len(line))


def no_pair(text: str, extent: tuple[int, int]) -> TextProblem | None:
    """Return what is said of a line that is nearly a key with its value, such as `name:Dog`; None if it is not."""
    line = text[slice(*extent)].rstrip()
    if len(line) > MAX_LINE:
        return None
    for pattern, message in (
        (_NO_SPACE, "a space is missing behind the colon"),
        (_EQUALS, "a key and its value are separated by a colon and a space"),
        (_TWO_WORDS, "a colon is missing behind the key"),
        (_WIDE_COLON, "this is another sign than a colon and a space"),
    ):
        match = pattern.fullmatch(line)
        if match:
            pair = f"{match['key']}: {match['value']}"
            problem = Problem("Y007", f"{message}, in {quoted(line)}", f"write {quoted(pair)}", instead=pair)
            return TextProblem(problem, extent[0], extent[0] + len(line))
    return None


def no_space_behind_dash(text: str, extent: tuple[int, int]) -> TextProblem | None:
    """Return what is said of a card that begins with `-name: Dog`; None if the line is another one."""
    line = text[slice(*extent)].rstrip()
    other = re.match(r" *(---|[\u2010-\u2015\u2022\u2212+])[ \t]+([A-Za-z_]+:.*)", line[:MAX_LINE])
    if other:
        message = f"a card begins with `- `, not with `{other[1]}`"
        problem = Problem("Y007", message, f"write {quoted('- ' + other[2])}", instead="-")
        return TextProblem(problem, extent[0] + other.start(1), extent[0] + other.end(1))
    if not re.match(r" *-[A-Za-z_]+:", line):
        return None
    at = extent[0] + line.index("-")
    hint = f"write {quoted(line.strip().replace('-', '- ', 1))}"
    return TextProblem(Problem("Y007", "a space is missing behind the `-` of a card", hint), *_one(at))


def no_key(text: str, extent: tuple[int, int]) -> TextProblem:
    """Return what is said of a line that should be a key with its value, and is none."""
    told = no_pair(text, extent)
    if told:
        return told
    line = text[slice(*extent)].rstrip()
    hint = "a line begins with a key, as in `name: Storm Hammer`; indent the further lines of a long value"
    problem = Problem("Y007", f"expected a key and a colon, found {quoted(line)}", hint)
    return TextProblem(problem, extent[0], extent[0] + len(line))


# --- quotes and brackets --------------------------------------------------------------------------------------------


def _stray_end(slip: ParserStop) -> TextProblem:
    """A mapping cannot continue: words behind a closing quote, or a line that is indented like none above."""
    before = slip.text[slip.line_start : slip.at].rstrip()
    quote = before[-1:]
    pair = _pair(slip.text, slip.at)
    if pair and pair.value[0] in "[{":
        return _begins_oddly(slip.text, pair.start)
    if slip.char == "-" and slip.text[slip.at + 1 : slip.at + 2] == " " and not before:
        hint = "begin the first card of the file with `- `, too; set.yaml holds no cards: they have files of their own"
        return _here(slip, "a list begins here, below keys", hint)
    if quote not in ("'", '"') or not quote:
        return _here(slip, "this line belongs to nothing above it", _below_text(slip) or _CHECK_INDENT)
    message = "there are words after the closing quote"
    if pair and pair.value.startswith(quote):
        inner = pair.value.removeprefix(quote)
        # `'It's mine'` or `'It's mine`, where the quote is meant to be around all; or `"Woof" she said`.
        is_apostrophe = quote == "'" and slip.char.isalpha()
        meant = inner.removesuffix(quote) if is_apostrophe or inner.endswith(quote) else pair.value
        around = replace(pair, value=meant)
        return TextProblem(Problem("Y007", message, around.in_quotes), slip.at, pair.end)
    hint = f"a {quote} within single quotes is written twice: ''" if quote == "'" else f'write the inner {quote} as \\"'
    return _here(slip, message, hint)


def _below_text(slip: ParserStop) -> str:
    """Return the hint for a line behind a text such as `text: |` that is indented less; "" behind anything else."""
    for line in reversed(slip.text[: slip.line_start].splitlines()[-MAX_LINES_OF_TEXT:]):
        if begun := _BLOCK.fullmatch(line):
            return (
                f"if it belongs to the text, indent it as the line before; `{begun['key']}` ends where this line begins"
            )
        if len(line) - len(line.lstrip()) <= len(slip.line) - len(slip.line.lstrip()) and line.strip():
            return ""
    return ""


def _unclosed_quote(slip: ParserStop) -> TextProblem:
    quote = slip.text[slip.begun : slip.begun + 1]
    pair = _pair(slip.text, slip.begun)
    hint = f"end the text with {quote}"
    if pair and pair.start == slip.begun and len(pair.value) <= _LONG:
        hint = f"write `{pair.key}: {pair.value}{quote}`"
    return TextProblem(Problem("Y007", f"the quote {quote} is never closed", hint), *_one(slip.begun))


def _unclosed_bracket(slip: ParserStop) -> TextProblem:
    bracket = slip.text[slip.begun : slip.begun + 1]
    closing = {"[": "]", "{": "}"}.get(bracket, "]")
    line, _, _ = slip.text[slip.begun :].partition("\n")
    if re.search(r"\s#", line) and closing in line:
        hint = f"a space and `#` begin a comment, which hides `{closing}`: put the value with the `#` in quotes"
    else:
        hint = f"separate what is inside with commas and end it with `{closing}`"
    return TextProblem(Problem("Y007", f"`{bracket}` is not closed", hint), *_one(slip.begun))


def _odd_start(slip: ParserStop) -> TextProblem:
    return _begins_oddly(slip.text, slip.at)


def _odd_name(slip: ParserStop) -> TextProblem:
    """A sign that begins an alias, an anchor or a tag, and no name behind it: `*woof*`, `**bold**`, `& Sons`."""
    return _begins_oddly(slip.text, slip.begun)


def _unexpected(slip: ParserStop) -> TextProblem:
    if not slip.text[slip.at :].strip():
        return _here(slip, "the file ends where a value is expected", "write the value, and close what is open")
    if not slip.char.strip():
        return _here(slip, "a value is missing here", "write a value, or remove the key")
    return _here(slip, f"`{slip.char}` is not expected here", "put the value in quotes if it belongs to the words")


def _no_colon(slip: ParserStop) -> TextProblem:
    end = _line_end(slip.text, slip.begun)
    told = no_pair(slip.text, (slip.begun, end))
    if told:
        return told
    line = slip.text[slip.begun : end].rstrip()
    hint = "indent the further lines of a long value"
    key, _, value = line.partition(" ")
    if value and re.fullmatch(r"[a-z_]+", key):
        hint = f"if `{key}` is a key, put a colon behind it; otherwise {hint}"
    return TextProblem(Problem("Y007", f"expected a key and a colon, found {quoted(line)}", hint), slip.begun, end)


def _list_in_line(slip: ParserStop) -> TextProblem:
    pair = _pair(slip.text, slip.at)
    if pair and pair.start == slip.at:
        return _begins_oddly(slip.text, slip.at)
    return _here(slip, "a list cannot begin here", "begin each item on a line of its own, or put the value in quotes")


def _no_dash(slip: ParserStop) -> TextProblem:
    return _here(slip, "expected the next `- ` of the list", "the items of a list begin exactly below each other")


def _block_header(slip: ParserStop) -> TextProblem:
    mark = slip.text[slip.begun : slip.begun + 1]
    return _here(slip, f"there are words right after `{mark}`", f"begin the text on the line below `{mark}`, indented")


def _bad_escape(slip: ParserStop) -> TextProblem:
    """Both parsers point behind the backslash: at its letter, or at its digits."""
    start = slip.text.rfind("\\", slip.begun, slip.at + 1)
    start = start if start >= 0 else slip.at
    escape = re.compile(r"\\[uUx][0-9a-fA-F]*|\\.|", re.DOTALL).match(slip.text, start)
    written = escape[0] if escape else ""
    end = start + len(written)
    if re.search("invalid Unicode", slip.problem):
        return TextProblem(
            Problem("Y016", f"`{written}` is not a character that can be printed", "remove it"), start, end
        )
    pair = _pair(slip.text, slip.begun)
    if pair and _DRIVE.match(pair.value):
        return pair.problem(
            "this is a path of Windows, and pictures lie in the set's folder", own_copy(pair.key, pair.value)
        )
    if pair and _PICTURE.search(pair.value):
        path = pair.value.strip("\"'").replace("\\\\", "/").replace("\\", "/")
        return pair.problem("folders are separated by `/`", f"write `{pair.key}: {path}`", instead=write_anywhere(path))
    message = f"`{written}` means nothing: within double quotes, a backslash begins an escape"
    hint = "write `\\\\` for a backslash, or put the text in single quotes"
    if pair and pair.value[-1:] == '"' and not set(pair.value[1:-1]) & {"'", '"'} and len(pair.value) <= _LONG:
        hint = f"write `{pair.key}: '{pair.value[1:-1]}'`: in single quotes a backslash is a backslash"
    return TextProblem(Problem("Y007", message, hint), start, end)


def own_copy(key: str, path: str) -> str:
    """Return the hint for a picture that lies somewhere else on the computer."""
    name = re.split(r"[\\/]", path.strip("\"'"))[-1].strip() or "picture.jpg"
    return f"copy the picture into the set's folder, for example into `art`, and write `{key}: art/{name}`"


def _one(at: int) -> tuple[int, int]:
    return at, at + 1


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line_end(text: str, at: int) -> int:
    match = re.compile(r"[\r\n]|\Z").search(text, at)
    return match.start() if match else len(text)


# The first phrase that matches decides, so the more specific ones come first.
_RULES: tuple[tuple[re.Pattern[str], Callable[[ParserStop], TextProblem]], ...] = (
    (re.compile("mapping values are not allowed"), _second_colon),
    (re.compile("did not find expected key|but found '<(?:scalar|block mapping start)>'|<document start>"), _stray_end),
    (re.compile("expected '-' indicator|but found '\\?'"), _no_dash),
    (re.compile("expected ',' or"), _unclosed_bracket),
    (re.compile("unexpected end of stream"), _unclosed_quote),
    (re.compile("(?:block )?sequence entries are not allowed"), _list_in_line),
    (re.compile("cannot start any token|mapping keys are not allowed"), _odd_start),
    (re.compile("alphabetic|numeric|URI|expected whitespace or line break|expected ' '"), _odd_name),
    (re.compile("(?:expected|expected the) node content"), _unexpected),
    (re.compile("could not find expected ':'"), _no_colon),
    (re.compile("expected (?:a )?comment or "), _block_header),
    (re.compile("escape|hexdecimal"), _bad_escape),
)

"""What is wrong where YAML cannot be read, for people who do not know its grammar.

The parser's own messages ("mapping values are not allowed in this context") speak of its grammar. Here each becomes
what the author wrote and what to write instead. The rules look for phrases that libyaml and PyYAML's own parser share.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from render.base.findings import Problem, TextProblem, quoted


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
        return max(self.text.rfind("\n", 0, self.at), self.text.rfind("\r", 0, self.at)) + 1


def explain(slip: ParserStop) -> TextProblem:
    """Return what the author should know about the place where the parser stopped."""
    if "\t" in slip.text[slip.line_start : slip.at + 1] and _TAB.search(slip.problem):
        return _tab(slip)
    for phrase, rule in _RULES:
        if phrase.search(slip.problem):
            return rule(slip)
    message = f"this is not YAML: {slip.problem}" if slip.problem else "this is not YAML"
    return _here(slip, message, "see the examples in cards/README.md")


# What the parsers say of a tab where indentation is expected.
_TAB = re.compile(r"cannot start any token|tab character|'\\t'")
_CHECK_INDENT = "check the indentation: the keys of one card stand exactly below each other"
_PAIR = re.compile(r"\s*(?:- +)*(?P<key>[^\s:#'\"][^:]*): +(?P<value>\S.*?)\s*")


def _here(slip: ParserStop, message: str, hint: str, code: str = "Y007") -> TextProblem:
    return TextProblem(Problem(code, message, hint), slip.at, slip.at + 1)


def _tab(slip: ParserStop) -> TextProblem:
    tab = slip.text.index("\t", slip.line_start)
    return TextProblem(Problem("Y008", "a tab is used as indentation", "indent with spaces"), tab, tab + 1)


def _second_colon(slip: ParserStop) -> TextProblem:
    pair = _PAIR.fullmatch(slip.line)
    if pair is None or slip.at < slip.line_start + pair.start("value"):
        return _here(slip, "a key is not expected here", _CHECK_INDENT)
    key, value = pair["key"], pair["value"]
    short = len(value) <= 60 and not {'"', "\\"} & set(value)
    hint = f'write `{key}: "{value}"`' if short else f"put it in quotes, or write it below `{key}: |`, indented"
    start = slip.line_start + pair.start("value")
    end = start + len(value)
    message = "a value without quotes cannot hold a colon and a space"
    return TextProblem(Problem("Y007", message, hint, instead=f'"{value}"' if short else ""), start, end)


def _stray_end(slip: ParserStop) -> TextProblem:
    """A mapping cannot continue: words behind a closing quote, or a line that is indented like none above."""
    before = slip.text[slip.line_start : slip.at].rstrip()
    if before.endswith("'"):
        return _here(slip, "there are words after the closing quote", "a ' within single quotes is written twice: ''")
    if before.endswith('"'):
        return _here(slip, "there are words after the closing quote", 'a " within double quotes is written \\"')
    return _here(slip, "this line belongs to nothing above it", _CHECK_INDENT)


def _unclosed_quote(slip: ParserStop) -> TextProblem:
    quote = slip.text[slip.begun : slip.begun + 1]
    return TextProblem(
        Problem("Y007", f"the quote {quote} is never closed", f"end the text with {quote}"), *_one(slip.begun)
    )


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
    return _here(slip, f"a value without quotes cannot begin with `{slip.char}`", "put the value in quotes")


def _unexpected(slip: ParserStop) -> TextProblem:
    if not slip.text[slip.at :].strip():
        return _here(slip, "the file ends where a value is expected", "write the value, and close what is open")
    if not slip.char.strip():
        return _here(slip, "a value is missing here", "write a value, or remove the key")
    return _here(slip, f"`{slip.char}` is not expected here", "put the value in quotes if it belongs to the words")


def _no_colon(slip: ParserStop) -> TextProblem:
    end = _line_end(slip.text, slip.begun)
    message = f"expected a key and a colon, found {quoted(slip.text[slip.begun : end])}"
    return TextProblem(Problem("Y007", message, "indent the further lines of a long value"), slip.begun, end)


def _list_in_line(slip: ParserStop) -> TextProblem:
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
    if re.search("invalid Unicode", slip.problem):
        return TextProblem(
            Problem("Y016", f"`{written}` is not a character that can be printed", "remove it"),
            start,
            start + len(written),
        )
    hint = "within double quotes a backslash is written \\\\"
    return TextProblem(
        Problem("Y007", f"`{written}` is not an escape that YAML knows", hint), start, start + len(written)
    )


def _one(at: int) -> tuple[int, int]:
    return at, at + 1


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
    (re.compile("cannot start any token"), _odd_start),
    (re.compile("(?:expected|expected the) node content"), _unexpected),
    (re.compile("could not find expected ':'"), _no_colon),
    (re.compile("expected (?:a )?comment or "), _block_header),
    (re.compile("escape|hexdecimal"), _bad_escape),
)

"""What is wrong where YAML cannot be read, for people who do not know its grammar.

The parser's own messages ("mapping values are not allowed in this context") speak of its grammar. Here each becomes
what the author wrote and what to write instead. The rules look for phrases that libyaml and PyYAML's own parser share.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, quoted
from render.base.patterns import regex
from render.source.scalar_values import write_anywhere
from render.source.slips.odd_lines import (
    KEY_BEHIND_TAB,
    REPEATED,
    SEARCHED,
    begins_oddly,
    line_end,
    line_start,
    no_pair,
    pair_at,
    tab_as_indentation,
    table_header,
    without_comment,
)


class ParserStop(Struct, frozen=True):
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
        return self.text[self.line_start : line_end(self.text, self.at)]

    @property
    def line_start(self) -> int:
        return line_start(self.text, self.at)


def explain(stop: ParserStop) -> Diagnostic:
    """Return what the author should know about the place where the parser stopped."""
    if "\t" in stop.text[stop.line_start : stop.at + 1] and _TAB.search(stop.problem):
        return tab_as_indentation(stop.text.index("\t", stop.line_start))
    indented = KEY_BEHIND_TAB.match(stop.text, stop.line_start)
    if indented and _NO_PLACE_FOR_KEY.search(stop.problem):
        return tab_as_indentation(indented.end("before"))
    odd = _ODD_SPACE.match(stop.line)
    if odd:
        at = stop.line_start + odd.end() - 1
        message = f"a space that is none in YAML (U+{ord(stop.text[at]):04X}) is used as indentation"
        return Diagnostic("Y008", message, "write ordinary spaces").within(at, at + 1)
    line = stop.line_start, line_end(stop.text, stop.at)
    told = _no_yaml(stop) or _hidden_bracket(stop) or table_header(stop.text, line)
    if told:
        return told
    for phrase, rule in _RULES:
        if phrase.search(stop.problem):
            return rule(stop)
    message = f"this is not YAML: {stop.problem}" if stop.problem else "this is not YAML"
    return _here(stop, message, "see the examples in cards/reference/yaml.md")


def _no_yaml(stop: ParserStop) -> Diagnostic | None:
    """Return what is said of the first line before the place that other languages, or git, have put there."""
    for pattern, message, hint in _OF_OTHERS:
        match = pattern.search(stop.text[: stop.at + SEARCHED])
        if match and match.start() <= stop.at:
            return Diagnostic("Y007", message, hint).within(*match.span())
    return None


_OF_OTHERS = (
    (
        regex("^<<<<<<<(?= )", re.MULTILINE),
        "git left two versions of these lines here",
        "keep one, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`",
    ),
    (regex(r"^//", re.MULTILINE), "a comment begins with `#`, not with `//`", "write `# ` in its place"),
    (
        regex(r"^\[\[?\w+\]\]?(?=\s*$)", re.MULTILINE),
        "this is how TOML begins a section, and cards are written in YAML",
        'begin each card with `- `, and write `name: Dog` for `name = "Dog"`',
    ),
)
# What the parsers say of a tab where indentation is expected.
_TAB = regex(r"cannot start any token|tab character|'\\t'")
_NO_PLACE_FOR_KEY = regex("mapping values are not allowed|did not find expected key|but found '<block mapping start>'")
_ODD_SPACE = regex("[ \t]*[\u00a0\u2000-\u200b\u202f\u3000]")  # of word processors
_CHECK_INDENT = "check the indentation: the keys of one card stand exactly below each other"
_BLOCK = regex(r"\s*(?:- +)*(?P<key>\w+): *[|>][-+0-9]*\s*(?: #.*)?")
_MAX_LINES_OF_TEXT = 100  # behind which no hint looks for the key of a text
_PICTURE = regex(r"""\.(?:jpe?g|png|webp|svg|heic|avif|gif)["']?$""", re.IGNORECASE)
_DRIVE = regex(r"""["']?[A-Za-z]:[\\/]""")  # how a path of Windows begins
_PAIR_BELOW = regex(r"[a-z_]{1,40}: [\w./-]+")  # of `sheet: paper: a4`
_TYPOGRAPHIC = regex("[“„«].+[”“»]")  # quotes of word processors around a value
_TWO_PAIRS = regex(r"(?P<value>[0-9]{1,4}|auto|[a-z]{1,40}(?=[,;]))[,;]? *(?P<rest>[a-z_]{1,40}: .*)")


def _here(stop: ParserStop, message: str, hint: str, code: str = "Y007") -> Diagnostic:
    return Diagnostic(code, message, hint).within(stop.at, stop.at + 1)


def _second_colon(stop: ParserStop) -> Diagnostic:
    pair = pair_at(stop.text, stop.at)
    if pair is None:
        return _here(stop, "a key is not expected here", _after_dash(stop) or _CHECK_INDENT)
    both = _TWO_PAIRS.fullmatch(pair.value)
    if both and len(pair.value) <= REPEATED:
        hint = f"write `{pair.key}: {both['value']}`, and on the next line `{both['rest']}`"
        return pair.problem("two keys stand on one line", hint)
    message = "a value without quotes cannot hold a colon and a space"
    if _PAIR_BELOW.fullmatch(pair.value) and pair.quoted_value:
        hint = f"write `{pair.key}: {{{pair.value}}}` if that is a key below `{pair.key}`; if not, {pair.in_quotes}"
        return pair.problem(message, hint)
    inner = replace(pair, value=pair.value[1:-1])
    if _TYPOGRAPHIC.fullmatch(pair.value) and inner.quoted_value:
        hint = f"{inner.in_quotes}: `{pair.value[0]}` is no quote in YAML, and would be printed"
        return pair.problem(message, hint, instead=inner.quoted_value)
    return pair.problem(message)


def _after_dash(stop: ParserStop) -> str:
    """Return the hint for a card that begins below the keys of another; "" where no `- ` begins the line."""
    if not stop.line.lstrip().startswith("- "):
        return ""
    return "if a new card begins here, write its `- ` below that of the card before; if not, remove it"


def _stray_end(stop: ParserStop) -> Diagnostic:
    """A mapping cannot continue: words behind a closing quote, or a line that is indented like none above."""
    before = stop.text[stop.line_start : stop.at].rstrip()
    quote = before[-1:]
    pair = pair_at(stop.text, stop.at)
    if pair and pair.value[0] in "[{":
        return begins_oddly(stop.text, pair.start)
    if stop.char == "-" and stop.text[stop.at + 1 : stop.at + 2] == " " and not before:
        hint = "begin the first card of the file with `- `, too; set.yaml holds no cards: they have files of their own"
        return _here(stop, "a list begins here, below keys", hint)
    if quote not in ("'", '"'):
        return _here(stop, "this line belongs to nothing above it", _below_text(stop) or _CHECK_INDENT)
    message = "there are words after the closing quote"
    if pair and pair.value.startswith(quote):
        inner = pair.value.removeprefix(quote)
        # `'It's mine'` or `'It's mine`, where the quote is meant to be around all; or `"Woof" she said`.
        is_apostrophe = quote == "'" and stop.char.isalpha()
        meant = inner.removesuffix(quote) if is_apostrophe or inner.endswith(quote) else pair.value
        around = replace(pair, value=meant)
        return Diagnostic("Y007", message, around.in_quotes).within(stop.at, pair.end)
    hint = f"a {quote} within single quotes is written twice: ''" if quote == "'" else f'write the inner {quote} as \\"'
    return _here(stop, message, hint)


def _below_text(stop: ParserStop) -> str:
    """Return the hint for a line behind a text such as `text: |` that is indented less; "" behind anything else."""
    for line in reversed(stop.text[: stop.line_start].splitlines()[-_MAX_LINES_OF_TEXT:]):
        if begun := _BLOCK.fullmatch(line):
            first = stop.text[: stop.line_start].rstrip("\r\n").splitlines()[-1]
            spaces = len(first) - len(first.lstrip())
            if first == line:
                spaces = len(line.rstrip("\r\n")) - len(line.lstrip(" -")) + 2
                return f"if it belongs to `{begun['key']}`, indent it by {spaces} spaces"
            return (
                f"if it belongs to `{begun['key']}`, indent it by {spaces} spaces, like the line before;"
                " if not, write a key and its value"
            )
        if len(line) - len(line.lstrip()) <= len(stop.line) - len(stop.line.lstrip()) and line.strip():
            return ""
    return ""


def _unclosed_quote(stop: ParserStop) -> Diagnostic:
    quote = stop.text[stop.begun : stop.begun + 1]
    pair = pair_at(stop.text, stop.begun)
    hint = f"end the text with {quote}"
    if pair and pair.start == stop.begun and len(pair.value) <= REPEATED:
        hint = f"write `{pair.key}: {pair.value}{quote}`"
    return Diagnostic("Y007", f"the quote {quote} is never closed", hint).within(stop.begun, stop.begun + 1)


_COMMENT = regex(r"^(?P<before>[^#\r\n]*(?:[ \t{\[,]))(?P<hidden>#[^\r\n]*[]}][^\r\n]*)", re.MULTILINE)
_CLOSING = {"[": "]", "{": "}"}
_ITEM = regex(r"(?P<key>[^\s:]+): +(?P<value>.*)")


def _hidden_bracket(stop: ParserStop) -> Diagnostic | None:
    """Return what is said of a comment that hides the end of braces: `{ember: #b5432a}`; None if there is none."""
    searched = max(0, line_start(stop.text, stop.begun) - SEARCHED)
    for begun in reversed([*_COMMENT.finditer(stop.text, searched, stop.at)]):
        before, hidden = begun["before"], begun["hidden"]
        opened = next((mark for mark in ("{", "[") if before.count(mark) > before.count(_CLOSING[mark])), "")
        if opened and _CLOSING[opened] in hidden and hidden[1:2] != " ":
            at = begun.start("hidden")
            message = f"{quoted(hidden)} is a comment, which hides the `{_CLOSING[opened]}`"
            hint = f"a space and `#` begin a comment: write {quoted(_in_quotes(before, hidden))}"
            return Diagnostic("Y007", message, hint).within(at, at + len(hidden.rstrip()))
    return None


def _in_quotes(before: str, hidden: str) -> str:
    """Return how to write a value or a key in braces that begins with `#`."""
    if hidden.startswith("#:"):
        return '"#":' + re.split("[,}]", hidden[2:])[0]
    item = re.split("[{[,]", before)[-1].lstrip() + re.split("[]},]", hidden)[0].rstrip()
    pair = _ITEM.fullmatch(item[:REPEATED])
    return f'{pair["key"]}: "{pair["value"]}"' if pair else f'"{item}"'


def _unclosed_bracket(stop: ParserStop) -> Diagnostic:
    bracket = stop.text[stop.begun : stop.begun + 1]
    closing = _CLOSING.get(bracket, "]")
    line, _, _ = stop.text[stop.begun : stop.begun + SEARCHED].partition("\n")
    written = without_comment(line).rstrip()
    if written.endswith(closing) and written.count(bracket) == 1:
        return _missing_comma(stop, written)
    if re.search(r"\s#", written) and closing in written:
        hint = f"a space and `#` begin a comment, which hides `{closing}`: put the value with the `#` in quotes"
    else:
        hint = f"separate what is inside with commas and end it with `{closing}`"
    return Diagnostic("Y007", f"`{bracket}` is not closed", hint).within(stop.begun, stop.begun + 1)


_NO_COMMA = regex(r"(?<![,{\[\s])(?: *; *| +)(?=[\w-]+: )")


def _missing_comma(stop: ParserStop, written: str) -> Diagnostic:
    """Return what is said of brackets that are closed, in which the parser stopped all the same."""
    hint = "separate what is inside with commas, and put words with other signs in quotes"
    meant = _NO_COMMA.sub(", ", written)
    if meant != written and len(meant) <= REPEATED:
        hint = f"write `{meant}`"
    end = stop.begun + len(written)
    return Diagnostic("Y007", f"a comma is missing in {quoted(written)}", hint).within(stop.begun, end)


def _odd_start(stop: ParserStop) -> Diagnostic:
    return begins_oddly(stop.text, stop.at)


def _odd_name(stop: ParserStop) -> Diagnostic:
    """A sign that begins an alias, an anchor or a tag, and no name behind it: `*woof*`, `**bold**`, `& Sons`."""
    return begins_oddly(stop.text, stop.begun)


def _unexpected(stop: ParserStop) -> Diagnostic:
    if not stop.text[stop.at :].strip():
        return _here(stop, "the file ends where a value is expected", "write the value, and close what is open")
    if not stop.char.strip():
        return _here(stop, "a value is missing here", "write a value, or remove the key")
    return _here(stop, f"`{stop.char}` is not expected here", "put the value in quotes if it belongs to the words")


def _no_colon(stop: ParserStop) -> Diagnostic:
    end = line_end(stop.text, stop.begun)
    told = table_header(stop.text, (stop.begun, end)) or no_pair(stop.text, (stop.begun, end))
    if told:
        return told
    line = stop.text[stop.begun : end].rstrip()
    hint = _below_text(replace(stop, at=stop.begun))
    if hint:
        return Diagnostic("Y007", f"expected a key and a colon, found {quoted(line)}", hint).within(stop.begun, end)
    hint = "indent the further lines of a long value"
    key, _, value = line.partition(" ")
    if value and re.fullmatch(r"[a-z_]+", key):
        hint = f"if `{key}` is a key, put a colon behind it; otherwise {hint}"
    return Diagnostic("Y007", f"expected a key and a colon, found {quoted(line)}", hint).within(stop.begun, end)


def _list_in_line(stop: ParserStop) -> Diagnostic:
    pair = pair_at(stop.text, stop.at)
    if pair and pair.start == stop.at:
        return begins_oddly(stop.text, stop.at)
    return _here(stop, "a list cannot begin here", "begin each item on a line of its own, or put the value in quotes")


def _no_dash(stop: ParserStop) -> Diagnostic:
    hint = _below_text(stop) or "the items of a list begin exactly below each other"
    return _here(stop, "expected the next `- ` of the list", hint)


def _block_header(stop: ParserStop) -> Diagnostic:
    mark = stop.text[stop.begun : stop.begun + 1]
    return _here(stop, f"there are words right after `{mark}`", f"begin the text on the line below `{mark}`, indented")


def _bad_escape(stop: ParserStop) -> Diagnostic:
    """Both parsers point behind the backslash: at its letter, or at its digits."""
    start = stop.text.rfind("\\", stop.begun, stop.at + 1)
    start = start if start >= 0 else stop.at
    escape = re.compile(r"\\[uUx][0-9a-fA-F]*|\\.|", re.DOTALL).match(stop.text, start)
    written = escape[0] if escape else ""
    end = start + len(written)
    if re.search("invalid Unicode", stop.problem):
        return Diagnostic("Y016", f"`{written}` is not a character that can be printed", "remove it").within(start, end)
    pair = pair_at(stop.text, stop.begun)
    if pair and _DRIVE.match(pair.value):
        return pair.problem(
            "this is a path of Windows, and pictures lie in the set's folder", own_copy(pair.key, pair.value)
        )
    if pair and _PICTURE.search(pair.value):
        path = pair.value.strip("\"'").replace("\\\\", "/").replace("\\", "/")
        return pair.problem("folders are separated by `/`", f"write `{pair.key}: {path}`", instead=write_anywhere(path))
    message = f"`{written}` means nothing: within double quotes, a backslash begins an escape"
    hint = "write `\\\\` for a backslash, or put the text in single quotes"
    if pair and pair.value[-1:] == '"' and not set(pair.value[1:-1]) & {"'", '"'} and len(pair.value) <= REPEATED:
        hint = f"write `{pair.key}: '{pair.value[1:-1]}'`: in single quotes a backslash is a backslash"
    return Diagnostic("Y007", message, hint).within(start, end)


def own_copy(key: str, path: str) -> str:
    """Return the hint for a picture that lies somewhere else on the computer."""
    name = re.split(r"[\\/]", path.strip("\"'"))[-1].strip() or "picture.jpg"
    return f"copy the picture into the set's folder, for example into `art`, and write `{key}: art/{name}`"


# The first phrase that matches decides, so the more specific ones come first.
_RULES: tuple[tuple[re.Pattern[str], Callable[[ParserStop], Diagnostic]], ...] = (
    (regex("mapping values are not allowed"), _second_colon),
    (regex("did not find expected key|but found '<(?:scalar|block mapping start)>'|<document start>"), _stray_end),
    (regex("expected '-' indicator|but found '\\?'"), _no_dash),
    (regex("expected ',' or"), _unclosed_bracket),
    (regex("unexpected end of stream"), _unclosed_quote),
    (regex("(?:block )?sequence entries are not allowed"), _list_in_line),
    (regex("cannot start any token|mapping keys are not allowed"), _odd_start),
    (regex("alphabetic|numeric|URI|expected whitespace or line break|expected ' '"), _odd_name),
    (regex("(?:expected|expected the) node content"), _unexpected),
    (regex("could not find expected ':'"), _no_colon),
    (regex("expected (?:a )?comment or "), _block_header),
    (regex("escape|hexdecimal"), _bad_escape),
)

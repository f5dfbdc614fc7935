"""Patterns of texts: the usual signs of regular expressions, matched by RE2 in time that grows with the text alone.

Python's own expressions may take years for thirty characters, as `(a+)+b` does, and a set may come from anybody. Where
RE2 has no wheel they are used all the same, in a worker under the guard: a pattern that takes more than a second there
is an error of the text. Python's parser reads each pattern for both, and what only some engines can do is refused by
name: looking ahead, references to groups.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from re import _parser  # type: ignore[attr-defined] # has no public name, and has been as it is for long
from typing import Any, NamedTuple

from render.base import guard
from render.base.caches import cached
from render.base.limits import PATTERN, PATTERN_TIMES, TO_MATCH
from render.base.patterns import regex

try:
    import re2
except ImportError:
    re2 = None

_IMPOSSIBLE = {
    "ASSERT": "looking ahead or back",
    "ASSERT_NOT": "looking ahead or back",
    "AT": r"an edge such as `^`, `$` or `\b`",
    "GROUPREF": r"what refers to a group, such as `\1`,",
}
_CLASSES = {"DIGIT": "0-9", "WORD": r"\w", "SPACE": r"\s", "NOT_DIGIT": r"\D", "NOT_WORD": r"\W", "NOT_SPACE": r"\S"}
_OF_RE2 = {"DIGIT": "0-9", "WORD": r"\p{L}\p{N}_", "SPACE": r"\t-\r\x1c-\x20\x85\p{Z}"}  # the same characters

# A brace that begins no count, but for escaped ones and those in sets, which are passed over.
_ODD_COUNT = regex(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<count>\{(?![0-9]+(?:,[0-9]*)?\}))")

_USUAL = r"use `.`, `[a-z]`, `[^,]`, `\d`, `\w`, `\s`, `(...)`, `|`, `*`, `+`, `?` and `{2,5}`"


class PatternError(ValueError):
    """A pattern that cannot be used; `hint` says what to write."""

    def __init__(self, message: str, hint: str = _USUAL) -> None:
        super().__init__(message)
        self.hint = hint


class TextPattern(NamedTuple):
    """A pattern, ready to match whole texts, and a short text that is as it says."""

    matches: Callable[[str], bool]
    example: str


def matches(source: str, text: str) -> bool:
    """Return whether a whole text is as a pattern says."""
    return compiled_pattern(source).matches(text)


def example_text(source: str, usual: str) -> str:
    """Return a text that is as a pattern says: the usual one, if it is."""
    pattern = compiled_pattern(source)
    return usual if pattern.matches(usual) else pattern.example


@cached(256)
def compiled_pattern(source: str) -> TextPattern:
    """Return a pattern; PatternError if it cannot be used."""
    if len(source) > PATTERN.most:
        raise PatternError(f"it has {len(source)} characters, and may have {PATTERN.most}", "make it shorter")
    # A whole text is matched always, so these two say nothing new.
    source = re.sub(r"(?<!\\)\$$", "", source.removeprefix("^"))
    if any(odd["count"] for odd in _ODD_COUNT.finditer(source)):
        raise PatternError("a `{` begins a count such as `{2,5}`", r"write `\{` for the sign itself")
    try:
        parsed = _parser.parse(source)
    except (re.error, OverflowError, RecursionError) as error:
        hint = r"write `\` before a sign that stands for itself"
        raise PatternError(str(error).partition(" at position")[0], hint) from None
    if parsed.state.flags != re.UNICODE:
        raise PatternError("a group such as `(?i)` is not possible here")
    example = _example(parsed)
    if re2 is None:
        plain = _written(parsed, _python_set)
        return TextPattern(lambda text: _matches_in_worker(plain, text), example)
    options = re2.Options()
    options.dot_nl, options.log_errors = True, False
    try:
        compiled = re2.compile(_written(parsed, _re2_set), options)
    except re2.error:
        raise PatternError("it is too large", "make it shorter") from None
    return TextPattern(lambda text: compiled.fullmatch(text) is not None, example)


def _matches_in_worker(plain: str, text: str) -> bool:
    try:
        return bool(guard.run(python_matches, plain, text, limits=TO_MATCH))
    except guard.TooMuchError:
        return False


def python_matches(plain: str, text: str) -> bool:
    """Return whether a whole text is as a pattern says, in whatever time Python's engine takes."""
    return re.fullmatch(plain, text, re.DOTALL) is not None


# --- what a pattern is made of, as Python's parser says it ------------------------------------------------------------

_Part = tuple[Any, Any]
"""What kind of part it is, and what belongs to that kind."""


def _written(parts: Iterable[_Part], write_set: Callable[[list[_Part]], str], times: int = 1) -> str:
    """Return parts of a pattern as an engine has them; `times` is how often what is around them repeats them."""
    written = ""
    for kind, value in parts:
        match str(kind):
            case "LITERAL":
                written += re.escape(chr(value))
            case "NOT_LITERAL":
                written += f"[^{re.escape(chr(value))}]"
            case "ANY":
                written += "."
            case "IN":
                written += write_set(value)
            case "BRANCH":
                written += f"(?:{'|'.join(_written(way, write_set, times) for way in value[1])})"
            case "SUBPATTERN" if not value[1] and not value[2]:  # flags that begin or end with it
                written += f"(?:{_written(value[3], write_set, times)})"
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":  # of a whole text, they match the same
                least, most, inner = value
                end = "" if most == _parser.MAXREPEAT else most
                often = times * max(least, end or 1)
                if often > PATTERN_TIMES.most:
                    raise PatternError(f"it repeats something more than {PATTERN_TIMES}", "make it shorter")
                written += f"(?:{_written(inner, write_set, often)}){{{least},{end}}}"
            case other:
                raise PatternError(f"{_IMPOSSIBLE.get(other, 'a group such as `(?>...)`')} is not possible here")
    return written


def _python_set(items: list[_Part], classes: Mapping[str, str] = _CLASSES) -> str:
    """Return a set of characters; a class such as `\\w` is one as well."""
    written = ""
    for kind, value in items:
        match str(kind):
            case "NEGATE":
                written += "^"
            case "LITERAL":
                written += re.escape(chr(value))
            case "RANGE":
                written += "-".join(re.escape(chr(end)) for end in value)
            case _:
                written += classes[str(value).removeprefix("CATEGORY_")]
    return f"[{written}]"


def _re2_set(items: list[_Part]) -> str:
    if not any("_NOT_" in str(value) for _, value in items):
        return _python_set(items, _OF_RE2)
    # RE2 has no set of what is in one class and not in another, such as `[^\W\d]`: it gets the characters.
    signs = "".join(map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1))))  # without surrogates
    chosen = _python_set(items, _CLASSES | {"DIGIT": r"\d"})
    runs = (run[0] for run in re.finditer(f"{chosen}+", signs))
    return f"[{''.join(f'{re.escape(run[0])}-{re.escape(run[-1])}' for run in runs)}]"


_TRIED = ["A", "a", "1", *map(chr, range(32, 127))]


def _example(parts: Iterable[_Part]) -> str:
    """Return a short text that is as parts of a pattern say; of a set without a usual sign it is "?"."""
    text = ""
    for kind, value in parts:
        match str(kind):
            case "LITERAL":
                text += chr(value)
            case "BRANCH":
                text += _example(value[1][0])
            case "SUBPATTERN":
                text += _example(value[3])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                text += _example(value[2]) * value[0]
            case _:
                one = _written([(kind, value)], _python_set)
                text += next((sign for sign in _TRIED if re.match(one, sign)), "?")
    return text

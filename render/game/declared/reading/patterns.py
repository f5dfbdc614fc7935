"""Patterns of texts: the usual signs of regular expressions, matched in time that grows with the text alone.

Python's own expressions may take years for thirty characters, as `(a+)+b` does, and a set may come from anybody. Here
all ways through a pattern are followed at once (K. Thompson, 1968), so no pattern is slow: each character of a text
costs at most one look at each part of the pattern. What needs another way is refused by name: look-ahead, references to
groups.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from render.base.caches import cached

MAX_PATTERN = 200  # characters: what is longer, nobody reads
MAX_PARTS = 500  # of a pattern, with `a{3}` as three: a text of 4,000 characters then takes half a second at most
_MAX_KEPT = 2000  # steps of a pattern that are remembered
_CLASSES = {"d": "[0-9]", "D": "[^0-9]", "w": r"\w", "W": r"\W", "s": r"\s", "S": r"\S"}


class PatternError(ValueError):
    """A pattern that cannot be used; `hint` says what to write."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class _One:
    """One character: `allowed` says which, as Python's expressions write it."""

    allowed: str


@dataclass(frozen=True, slots=True)
class _Row:
    parts: tuple[_Part, ...]


@dataclass(frozen=True, slots=True)
class _Either:
    ways: tuple[_Part, ...]


@dataclass(frozen=True, slots=True)
class _Repeated:
    part: _Part
    least: int
    most: int | None


_Part = _One | _Row | _Either | _Repeated


class TextPattern:
    """A pattern, ready to match whole texts."""

    def __init__(self, source: str) -> None:
        part = _Parser(source).whole()
        self._added = 0
        # A state is a test of one character and the next state, or a choice of next states; the last one is the end.
        self._tests: list[tuple[Callable[[str], object], int] | None] = []
        self._choices: list[tuple[int, ...]] = []
        self._end = self._state(None, ())
        self._begin = self._closed({self._add(part, self._end)})
        self.example = _example(part)  # not sooner: a part with too many parts was refused
        self._kept: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def matches(self, text: str) -> bool:
        """Return whether the whole text is as the pattern says."""
        states = self._begin
        for char in text:
            if not states:
                return False
            key = (states, char)
            known = self._kept.get(key)
            if known is None:
                known = self._closed({test[1] for state in states if (test := self._tests[state]) and test[0](char)})
                if len(self._kept) < _MAX_KEPT:
                    self._kept[key] = known
            states = known
        return self._end in states

    def _state(self, test: tuple[Callable[[str], object], int] | None, choices: tuple[int, ...]) -> int:
        self._tests.append(test)
        self._choices.append(choices)
        return len(self._tests) - 1

    def _add(self, part: _Part, following: int) -> int:
        """Return the state at which a part begins that `following` follows."""
        self._added += 1  # empty groups make no state, and take time all the same
        if self._added > 2 * MAX_PARTS or len(self._tests) > MAX_PARTS:
            raise PatternError(f"it has more than {MAX_PARTS:,} parts, counting `a{{3}}` as three", "make it shorter")
        match part:
            case _One(allowed):
                return self._state((re.compile(allowed, re.DOTALL).match, following), ())
            case _Row(parts):
                for each in reversed(parts):
                    following = self._add(each, following)
                return following
            case _Either(ways):
                return self._state(None, tuple(self._add(way, following) for way in ways))
            case _Repeated(inner, least, most):
                return self._add_repeated(inner, (least, most), following)

    def _add_repeated(self, part: _Part, times: tuple[int, int | None], following: int) -> int:
        least, most = times
        if most is None:
            again = self._state(None, ())
            self._choices[again] = (self._add(part, again), following)
            following = again
        for _ in range(0 if most is None else most - least):
            following = self._state(None, (self._add(part, following), following))
        for _ in range(least):
            following = self._add(part, following)
        return following

    def _closed(self, states: set[int]) -> frozenset[int]:
        """Return the states with those that are reached from them without a character."""
        queue = [*states]
        while queue:
            for other in self._choices[queue.pop()]:
                if other not in states:
                    states.add(other)
                    queue.append(other)
        return frozenset(states)


@cached(256)
def compiled_pattern(source: str) -> TextPattern:
    """Return a pattern; PatternError if it cannot be used."""
    return TextPattern(source)


def matches(source: str, text: str) -> bool:
    """Return whether a whole text is as a pattern says."""
    return compiled_pattern(source).matches(text)


def example_text(source: str, usual: str) -> str:
    """Return a text that is as a pattern says: the usual one, if it is."""
    return usual if matches(source, usual) else compiled_pattern(source).example


_TRIED = ["A", "a", "1", *map(chr, range(32, 127))]


def _example(part: _Part) -> str:
    """Return a short text that is as a part says; of a set without a usual sign it is "?"."""
    match part:
        case _One(allowed):
            return next((char for char in _TRIED if re.match(allowed, char)), "?")
        case _Row(parts):
            return "".join(map(_example, parts))
        case _Either(ways):
            return _example(ways[0])
        case _Repeated(inner, least, _):
            return _example(inner) * least


class _Parser:
    """Reads a pattern."""

    def __init__(self, source: str) -> None:
        if len(source) > MAX_PATTERN:
            raise PatternError(f"it has {len(source)} characters, and may have {MAX_PATTERN}", "make it shorter")
        # A whole text is matched always, so these two say nothing new.
        self._source = re.sub(r"(?<!\\)\$$", "", source.removeprefix("^"))
        self._at = 0

    def whole(self) -> _Part:
        part = self._either(0)
        if self._at < len(self._source):
            raise PatternError("a `)` has no `(` before it", r"write `\)` for the sign itself")
        return part

    def _next(self) -> str:
        return self._source[self._at] if self._at < len(self._source) else ""

    def _take(self) -> str:
        self._at += 1
        return self._source[self._at - 1]

    def _either(self, depth: int) -> _Part:
        if depth > 20:
            raise PatternError("its groups are nested more than 20 deep", "make it simpler")
        ways = [self._row(depth)]
        while self._next() == "|":
            self._take()
            ways.append(self._row(depth))
        return ways[0] if len(ways) == 1 else _Either(tuple(ways))

    def _row(self, depth: int) -> _Part:
        parts = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated(self._one(depth)))
        return _Row(tuple(parts))

    def _repeated(self, part: _Part) -> _Part:
        while self._next() and self._next() in "*+?{":
            sign = self._take()
            part = _Repeated(part, *(_TIMES[sign] if sign in _TIMES else self._times()))
        return part

    def _times(self) -> tuple[int, int | None]:
        """Return how often something is repeated: `{3}`, `{2,5}` or `{2,}`, whose first sign was read."""
        found = _COUNTS.match(self._source, self._at)
        if not found:
            raise PatternError("a `{` begins a count such as `{2,5}`", r"write `\{` for the sign itself")
        self._at = found.end()
        least = int(found["least"])
        most = least if found["comma"] is None else int(found["most"]) if found["most"] else None
        if most is not None and most < least:
            raise PatternError(f"`{{{least},{most}}}` ends before it begins", f"write `{{{most},{least}}}`")
        return least, most

    def _one(self, depth: int) -> _Part:
        sign = self._take()
        if sign == "(":
            return self._group(depth)
        if sign == "[":
            return self._class()
        if sign in "*+?":
            raise PatternError(f"there is nothing before `{sign}`", f"write `\\{sign}` for the sign itself")
        if sign in "^$":
            raise PatternError(
                f"`{sign}` stands inside the pattern, which is for the whole text",
                f"write `\\{sign}` for the sign itself",
            )
        if sign == "\\":
            return _One(self._escaped())
        return _One("." if sign == "." else re.escape(sign))

    def _group(self, depth: int) -> _Part:
        if self._next() == "?":
            if not self._source.startswith("?:", self._at):
                raise PatternError(
                    f"`({self._source[self._at : self._at + 2]}` is not possible here", "write the group as `(...)`"
                )
            self._at += 2
        part = self._either(depth + 1)
        if self._next() != ")":
            raise PatternError("a `(` has no `)`", r"write `\(` for the sign itself")
        self._take()
        return part

    def _escaped(self) -> str:
        """Return what the sign behind a backslash stands for, as a class."""
        sign = self._take() if self._next() else ""
        if sign in _CLASSES:
            return _CLASSES[sign]
        if not sign or sign.isalnum():
            hint = "only `d`, `w`, `s`, their capitals and signs stand behind a backslash"
            raise PatternError(f"`\\{sign}` is not possible here", hint)
        return re.escape(sign)

    def _class(self) -> _One:
        """Return one of the characters in brackets, whose first sign was read."""
        found = _CLASS.match(self._source, self._at)
        if not found:
            raise PatternError("a `[` has no `]`", r"write `\[` for the sign itself")
        self._at = found.end()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of `[[]`, which may mean something else one day
                re.compile(f"[{found[0]}")
        except (re.error, OverflowError) as error:
            raise PatternError(f"`[{found[0]}` is no set of characters: {error}") from None
        return _One(f"[{found[0]}")


_TIMES: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_COUNTS = re.compile(r"(?P<least>[0-9]{1,3})(?P<comma>,(?P<most>[0-9]{0,3}))?\}")
_CLASS = re.compile(r"\^?\]?(?:\\.|[^\]\\])*\]")

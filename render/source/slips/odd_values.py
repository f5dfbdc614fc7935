"""Lines such as `name: Dog`, and values in them that YAML does not read as they stand unless they are in quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from render.base.findings import Diagnostic, quoted

PAIR = re.compile(r"\s*(?:- +)*(?P<key>[^\s:#'\"][^:]*): +(?P<value>\S.*?)\s*")
SEARCHED = 4096  # characters of a line that is searched for a key and its value: spaces can make that slow
REPEATED = 60  # characters of a value that a hint repeats


def line_start(text: str, at: int) -> int:
    """Return where the line begins in which a place is."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end(text: str, at: int) -> int:
    """Return where the line ends in which a place is, before its line break."""
    match = re.compile(r"[\r\n]|\Z").search(text, at)
    return match.start() if match else len(text)


@dataclass(frozen=True, slots=True)
class PairLine:
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
            if len(self.value) <= REPEATED and not set(forbidden) & set(self.value):
                return f"{quote}{self.value}{quote}"
        return ""

    @property
    def in_quotes(self) -> str:
        """How to write the value so that it is read as it stands."""
        if self.quoted_value:
            return f"write `{self.key}: {self.quoted_value}`"
        put = "put it in quotes, or write it" if len(self.value) > REPEATED else "write it"
        return f"{put} below `{self.key}: |`, indented"

    def problem(self, message: str, hint: str = "", code: str = "Y007", instead: str = "") -> Diagnostic:
        """Return what is said of the value; without a hint, to put it in quotes."""
        said = Diagnostic(code, message, hint or self.in_quotes, instead=instead or ("" if hint else self.quoted_value))
        return said.within(self.start, self.end)


def pair_at(text: str, at: int) -> PairLine | None:
    """Return key and value of the line of that place; None if the place is not in the value of such a line."""
    start = line_start(text, at)
    line = text[start : line_end(text, at)]
    match = PAIR.fullmatch(line) if len(line) <= SEARCHED else None
    if match is None or at < start + match.start("value"):
        return None
    return PairLine(match["key"], without_comment(match["value"]), start + match.start("value"))


_COMMENT = re.compile(r"[ \t]+#(?=[ \t])")  # a sign such as `#1` may be meant as part of the value


def without_comment(value: str) -> str:
    """Return a value without the comment behind it; in `"Woof" # said the dog`, where the quotes are in pairs."""
    quote = value[0] if value[0] in "\"'" else ""
    for comment in _COMMENT.finditer(value):
        before = value[: comment.start()]
        if not quote or before.endswith(quote) or before.count(quote) % 2 == 0:
            return before
    return value


def begins_oddly(text: str, at: int, why: str = "") -> Diagnostic:
    """Return what is said of a value that begins with a sign which means something in YAML; `why` says what."""
    if text[at : at + 2] == "* " and not text[line_start(text, at) : at].strip():
        end = line_end(text, at)
        hint = f"write {quoted('- ' + text[at + 2 : end])}"
        return Diagnostic("Y007", "an item of a list begins with `- `, not with `*`", hint).within(at, at + 1)
    message = f"a value without quotes cannot begin with `{text[at : at + 1]}`{why}"
    pair = pair_at(text, at)
    if pair is None or pair.start != at:
        return Diagnostic("Y007", message, "put the value in quotes").within(at, at + 1)
    hint = pair.in_quotes
    if hint.startswith("write") and re.fullmatch(r"(\*+|_+|~+)\S.*\1.?", pair.value):  # of short values only
        hint += f"; the `{pair.value[0]}` are printed as they stand"
    return pair.problem(message, hint, instead=pair.quoted_value)


def unknown_alias(text: str, extent: tuple[int, int]) -> Diagnostic:
    """Return what is said of `*name` where nothing has the anchor `&name`."""
    told = begins_oddly(text, extent[0])
    alias = text[slice(*extent)]
    return Diagnostic("Y009", f"`{alias}` refers to an anchor `&{alias[1:]}`, and there is none before it", told.hint)


def unused_anchor(text: str, extent: tuple[int, int], value: str) -> Diagnostic:
    """Return what is said of an anchor before a word that nothing refers to."""
    anchor = quoted(text[slice(*extent)])
    lost = f"{anchor} is no part of the text: it is an anchor" if value else f"{anchor} is an anchor without a value"
    hint = begins_oddly(text, extent[0]).hint
    return Diagnostic("Y010", f"{lost}, and nothing refers to it", hint)


def tag(text: str, start: int, name: str) -> Diagnostic:
    """Return what is said of a type such as `!!str`, or of a text that begins with `!`."""
    said = quoted(name.replace("tag:yaml.org,2002:", "!!"))
    if said.startswith("`!!") or text[start : start + 2] in ("!!", "!<"):
        hint = "remove it; numbers and texts need no tag"
        return Diagnostic("Y011", f"the tag {said} is not allowed", hint).within(start, start + 1)
    told = begins_oddly(text, start, ", which is a tag in YAML")
    return replace(told, code="Y011")

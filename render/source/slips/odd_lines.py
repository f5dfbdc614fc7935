"""Lines that YAML does not read as their author meant them: values that need quotes, and lines that are no key with its value."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, quoted
from render.base.patterns import regex

PAIR = regex(r"\s*(?:- +)*(?P<key>[^\s:#'\"][^:]*): +(?P<value>\S.*?)\s*")
SEARCHED = 4096  # characters of a line that is searched for a key and its value: spaces can make that slow
REPEATED = 60  # characters of a value that a hint repeats


def line_start(text: str, at: int) -> int:
    """Return where the line begins in which a place is."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def line_end(text: str, at: int) -> int:
    """Return where the line ends in which a place is, before its line break."""
    match = re.compile(r"[\r\n]|\Z").search(text, at)
    return match.start() if match else len(text)


class PairLine(Struct, frozen=True):
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


_COMMENT = regex(r"[ \t]+#(?=[ \t])")  # a sign such as `#1` may be meant as part of the value


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


# --- keys that are none, or stand where they do not belong ------------------------------------------------------------


# The header of a table: words between commas, perhaps in quotes, and nothing else.
_HEADER = regex(r"[\"']?[A-Za-z_.]+[\"']?(?:[ ]?[,;\t][ ]?[\"']?[A-Za-z_.]+[\"']?)+")
_NAMES = regex(r"\b(?:name|kind)\b", re.IGNORECASE)  # of columns: one of them has every such table
_LINE_OF_KEY = regex(r"^(?P<indent>[ ]*)(?P<key>[^\s#:'\"\[\]{}|>&*!%@`-][^:\r\n]*):(?:[ \t]|$)", re.MULTILINE)
_NO_SPACE = regex(r"(?P<key>[A-Za-z_]+):(?P<value>[^\s:/\\].*)")
_EQUALS = regex(r"(?P<key>[A-Za-z_]+)\s*:?=>?\s*(?P<value>\S.*)")
_WIDE_COLON = regex(r"(?P<key>[A-Za-z_]+)\s*[\uff1a\ufe55\ua789]\s*(?P<value>\S.*)")
_TWO_WORDS = regex(r"(?P<key>[A-Za-z_]+)[ \t]+(?P<value>[0-9]+|auto)")


KEY_BEHIND_TAB = regex(r"^(?P<before>[ ]*)\t[ \t]*(?:- +)?[A-Za-z_]\w*:(?=[ \t\r\n]|\Z)", re.MULTILINE)


def tab_as_indentation(at: int) -> Diagnostic:
    """Return what is said of a tab before the words of a line."""
    return Diagnostic("Y008", "a tab is used as indentation", "indent with spaces").within(at, at + 1)


def misplaced_key(text: str, extent: tuple[int, int], column: int) -> Diagnostic | None:
    """Return what is said of a key that stands in another column than that with which the stretch begins.

    None if the stretch does not begin with a key and a plain value: what follows may belong to it.
    """
    first = line_end(text, extent[0])
    begun = PAIR.fullmatch(text[extent[0] : first]) if first - extent[0] <= SEARCHED else None
    if begun is None or begun["value"][0] in "|>[{" or not _is_complete(begun["value"]):
        return None
    below = min(first + 1, extent[1])
    behind_tab = KEY_BEHIND_TAB.search(text, below, extent[1])
    if behind_tab:
        return tab_as_indentation(behind_tab.end("before"))
    item = _LINE_OF_CARD.search(text, below, extent[1])
    if item and all(len(key["indent"]) == column for key in _LINE_OF_KEY.finditer(text, below, item.start())):
        return _card_below_keys(text, item, column)
    for match in _LINE_OF_KEY.finditer(text, below, extent[1]):
        indent = len(match["indent"])
        if indent != column and text[match.start() - 1 : match.start()] in ("\n", "\r"):
            message = (
                f"`{match['key']}` begins in column {indent + 1}, and `{begun['key']}` above it in column {column + 1}"
            )
            hint = f"begin it exactly below `{begun['key']}`: the keys of one card stand in one column"
            if not indent:
                value = text[match.end() : line_end(text, match.end())].strip()
                hint = f"{hint}; or, if a new card begins here, write `- {match['key']}: {value}`"
            return Diagnostic("Y007", message, hint).within(*match.span("key"))
    return None


def indented_first(text: str, at: int, other: int) -> Diagnostic:
    """Return what is said of the first key of a file, at an index, which is indented, unlike the `other`."""
    first, second = (text[index : line_end(text, index)].partition(":")[0].strip() for index in (at, other))
    column = at - text.rfind("\n", 0, at)
    message = f"`{first}` begins in column {column}, and `{second}` below it in column 1"
    return Diagnostic("Y007", message, "remove the spaces before it").within(at, at + len(first))


_LINE_OF_CARD = regex(r"^(?P<indent> *)(?P<dash>-) +(?P<key>[a-z_]+): +\S", re.MULTILINE)
_DASH = regex(r"^(?P<indent> *)- ", re.MULTILINE)


def _card_below_keys(text: str, item: re.Match[str], column: int) -> Diagnostic:
    """Return what is said of a card whose `- ` stands below the keys of the card before."""
    dashes = [*_DASH.finditer(text, max(0, item.start() - SEARCHED), item.start())]
    message = f"a card begins here, in column {len(item['indent']) + 1}, among the keys of the card before"
    hint = "begin the first card of the file with `- `, too; set.yaml holds no cards: they have files of their own"
    if dashes and len(dashes[-1]["indent"]) < column:
        hint = f"begin its `- ` in column {len(dashes[-1]['indent']) + 1}, exactly below that of the card before"
    return Diagnostic("Y007", message, hint).within(item.start("dash"), item.end("key"))


def _is_complete(value: str) -> bool:
    """Return whether the value of a line ends there, and is no quote that goes on."""
    return value[0] not in "\"'" or (len(value) > 1 and value.endswith(value[0]))


_BEHIND_ANOTHER = regex(r"[ ,;](?P<key>[a-z_]{1,40}): ")  # in `sp: 2, hp: 2`
_MEANT_AS_KEY = regex(r"[ \t]*(?:- +)*(?P<key>[A-Za-z_]+)")


def keys_in(text: str, extent: tuple[int, int]) -> list[str]:
    """Return the words in a stretch that are keys, or seem to be meant as keys."""
    begins = [extent[0], *(match.end() for match in re.compile(r"\r\n|\r|\n").finditer(text, *extent))]
    found = (_MEANT_AS_KEY.match(text, begin, extent[1]) for begin in begins)
    behind = _BEHIND_ANOTHER.finditer(text, *extent)
    return [*(match["key"] for match in found if match), *(match["key"] for match in behind)]


def table_header(text: str, extent: tuple[int, int]) -> Diagnostic | None:
    """Return what is said of a line that begins a table, such as `name,kind,level`; None if it does not."""
    line = text[slice(*extent)].rstrip()
    if len(line) > SEARCHED or not _HEADER.fullmatch(line) or not _NAMES.search(line):
        return None
    message = f"this is a table, and the file is read as YAML: {quoted(line)}"
    hint = "save it as a file of its own that ends with `.csv`, beside this one; it is read as it is"
    problem = Diagnostic("Y007", message, hint)
    return problem.within(extent[0], extent[0] + len(line))


def no_pair(text: str, extent: tuple[int, int]) -> Diagnostic | None:
    """Return what is said of a line that is nearly a key with its value, such as `name:Dog`; None if it is not."""
    line = text[slice(*extent)].rstrip()
    if len(line) > SEARCHED:
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
            problem = Diagnostic("Y007", f"{message}, in {quoted(line)}", f"write {quoted(pair)}", instead=pair)
            return problem.within(extent[0], extent[0] + len(line))
    return None


def no_space_behind_dash(text: str, extent: tuple[int, int]) -> Diagnostic | None:
    """Return what is said of a card that begins with `-name: Dog`; None if the line is another one."""
    line = text[slice(*extent)].rstrip()
    other = re.match(r" *(---|[\u2010-\u2015\u2022\u2212+])[ \t]+([A-Za-z_]+:.*)", line[:SEARCHED])
    if other:
        message = f"a card begins with `- `, not with `{other[1]}`"
        problem = Diagnostic("Y007", message, f"write {quoted('- ' + other[2])}", instead="-")
        return problem.within(extent[0] + other.start(1), extent[0] + other.end(1))
    if not re.match(r" *-[A-Za-z_]+:", line):
        return None
    at = extent[0] + line.index("-")
    hint = f"write {quoted(line.strip().replace('-', '- ', 1))}"
    return Diagnostic("Y007", "a space is missing behind the `-` of a card", hint).within(at, at + 1)


def no_key(text: str, extent: tuple[int, int]) -> Diagnostic:
    """Return what is said of a line that should be a key with its value, and is none."""
    told = table_header(text, extent) or no_pair(text, extent)
    if told:
        return told
    line = text[slice(*extent)].rstrip()
    hint = "a line begins with a key, as in `name: Storm Hammer`; indent the further lines of a long value"
    problem = Diagnostic("Y007", f"expected a key and a colon, found {quoted(line)}", hint)
    return problem.within(extent[0], extent[0] + len(line))

"""Lines that should be a key with its value, and are not; keys that do not stand where they belong."""

from __future__ import annotations

import re

from render.base.findings import Diagnostic, quoted
from render.source.slips.odd_values import PAIR, SEARCHED, line_end

# The header of a table: words between commas, perhaps in quotes, and nothing else.
_HEADER = re.compile(r"[\"']?[A-Za-z_.]+[\"']?(?:[ ]?[,;\t][ ]?[\"']?[A-Za-z_.]+[\"']?)+")
_NAMES = re.compile(r"\b(?:name|kind)\b", re.IGNORECASE)  # of columns: one of them has every such table
_LINE_OF_KEY = re.compile(r"^(?P<indent>[ ]*)(?P<key>[^\s#:'\"\[\]{}|>&*!%@`-][^:\r\n]*):(?:[ \t]|$)", re.MULTILINE)
_NO_SPACE = re.compile(r"(?P<key>[A-Za-z_]+):(?P<value>[^\s:/\\].*)")
_EQUALS = re.compile(r"(?P<key>[A-Za-z_]+)\s*:?=>?\s*(?P<value>\S.*)")
_WIDE_COLON = re.compile(r"(?P<key>[A-Za-z_]+)\s*[\uff1a\ufe55\ua789]\s*(?P<value>\S.*)")
_TWO_WORDS = re.compile(r"(?P<key>[A-Za-z_]+)[ \t]+(?P<value>[0-9]+|auto)")


KEY_BEHIND_TAB = re.compile(r"^(?P<before>[ ]*)\t[ \t]*(?:- +)?[A-Za-z_]\w*:(?=[ \t\r\n]|\Z)", re.MULTILINE)


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


_LINE_OF_CARD = re.compile(r"^(?P<indent> *)(?P<dash>-) +(?P<key>[a-z_]+): +\S", re.MULTILINE)
_DASH = re.compile(r"^(?P<indent> *)- ", re.MULTILINE)


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


_BEHIND_ANOTHER = re.compile(r"[ ,;](?P<key>[a-z_]{1,40}): ")  # in `sp: 2, hp: 2`
_MEANT_AS_KEY = re.compile(r"[ \t]*(?:- +)*(?P<key>[A-Za-z_]+)")


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

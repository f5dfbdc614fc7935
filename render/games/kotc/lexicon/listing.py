"""The components of an edition as a table fitted to a terminal, as JSON, and as a page."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence

from msgspec import Struct

from render.base.findings import plural
from render.games.kotc.lexicon.entries import Entry
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Edition, Role

_ABOUT = {
    Role.CAVEAT: "what it takes off offense and defense",
    Role.CONDITION: "what it takes off the level",
    Role.COST: "what it takes off the level",
    Role.TARGET: "the t of the effects behind it",
    Role.EFFECT: "what it adds to the level; t: its targets",
}
"""What the price of a component is."""

_OLD_CONDITIONS = "the a of the effects behind it"
_NEW_CONDITIONS = "they cost no level"
MIN_WIDTH, MAX_WIDTH = 40, 120  # columns: less has no room for a price, more is hard to read
_NARROW = 64  # columns: below, what x = 1, 2, 3 give is left out
_GAP = 2


class Listing(Struct, frozen=True):
    """Entries of an edition, those of one kind together, and the language of their words."""

    edition: Edition
    language: str
    entries: tuple[Entry, ...]

    def of(self, role: Role) -> list[Entry]:
        """Return the entries of a kind."""
        return [each for each in self.entries if each.component.role is role]

    def about(self, role: Role) -> str:
        """Return what the price of a component of that kind is."""
        conditions = [each.component for each in self.of(role)] if role is Role.CONDITION else []
        if any(each.factor is not None for each in conditions):
            return _OLD_CONDITIONS
        if conditions and not any(each.level is not None for each in conditions):
            return _NEW_CONDITIONS
        return _ABOUT[role]


def limits_text(entry: Entry) -> str:
    """Return the greatest numbers that variables may have: `x at most 14`; "" without any."""
    return ", ".join(f"{name} at most {most}" for name, most in entry.component.limits)


def title(listing: Listing) -> str:
    """Return what the listing is of: `17th Edition: 38 effects`."""
    counts = ((len(listing.of(role)), role.value) for role in Role)
    return f"{ordinal(listing.edition.number)} Edition: " + ", ".join(
        plural(count, name) for count, name in counts if count
    )


# --- a table --------------------------------------------------------------------------------------------------------


def as_table(listing: Listing, width: int) -> str:
    """Return the entries in tables that are no wider than so many columns, with an example below each."""
    width = max(MIN_WIDTH, min(width, MAX_WIDTH))
    blocks = [_table(listing, role, width) for role in Role if listing.of(role)]
    return "\n\n".join("\n".join(lines) for lines in blocks)


def _table(listing: Listing, role: Role, width: int) -> list[str]:
    rows = [_cells(each, role, width) for each in listing.of(role)]
    names = ["", "", "x = 1, 2, 3"]
    widths = [max(len(row[column]) for row in rows) for column in range(1, 3)]
    if widths[1]:
        widths[1] = max(widths[1], len(names[2]))
    taken = sum(each + _GAP for each in widths if each)
    room = width - taken
    heading = f"{role.plural.upper()}: {listing.about(role)}"
    lines = [*textwrap.wrap(heading, width)]
    if widths[1]:
        lines.append(_line("", ["", names[2]], widths, room))
    for (words, *prices), entry in zip(rows, listing.of(role), strict=True):
        first, *rest = textwrap.wrap(words, room, subsequent_indent="  ") or [""]
        lines.append(_line(first, prices, widths, room))
        lines += rest
        lines += textwrap.wrap(entry.example, width, initial_indent="    ", subsequent_indent="      ")
    return lines


def _cells(entry: Entry, role: Role, width: int) -> tuple[str, str, str]:
    limits = limits_text(entry)
    words = f"{entry.words} ({limits})" if limits else entry.words
    points = entry.component.ultra_points
    price = ", ".join(filter(None, (entry.price, f"{points} UP" if points else "")))
    shown = "" if width < _NARROW or role is Role.TARGET else ", ".join(entry.levels)
    return words, price, shown


def _line(words: str, prices: Sequence[str], widths: Sequence[int], room: int) -> str:
    cells = [
        f"{words:{room}}",
        *(f"{' ' * _GAP}{cell:{wide}}" for cell, wide in zip(prices, widths, strict=True) if wide),
    ]
    return "".join(cells).rstrip()


# --- for programs and browsers --------------------------------------------------------------------------------------


def as_json(listing: Listing) -> str:
    """Return the entries as JSON; `levels` is what a component is worth for x = 1, 2 and 3, other variables being 1."""
    return json.dumps([dict(_values(each, listing)) for each in listing.entries], ensure_ascii=False, indent=2)


def _values(entry: Entry, listing: Listing) -> Iterator[tuple[str, object]]:
    component = entry.component
    yield "edition", listing.edition.number
    yield "kind", component.role.value
    yield "words", entry.words
    if entry.english:
        yield "language", listing.language
        yield "english", entry.english
    yield "level", str(component.level) if component.level else None
    yield "factor", str(component.factor) if component.factor else None
    yield "price", entry.price
    yield "levels", list(entry.levels)
    yield "ultra_points", component.ultra_points
    yield "limits", dict(component.limits)
    yield "example", entry.example


def as_page(listing: Listing) -> str:
    """Return an HTML page with the entries and a search of its own."""
    from render.games.kotc.lexicon.searching import SYNONYMS
    from render.layout.templates import rendering

    groups = [
        {
            "name": role.plural.capitalize(),
            "key": role.value,
            "about": listing.about(role),
            "entries": [_shown(each) for each in listing.of(role)],
        }
        for role in Role
        if listing.of(role)
    ]
    values = {
        "title": f"{ordinal(listing.edition.number)} Edition: what may be written",
        "language": listing.language,
        "groups": groups,
        "count": len(listing.entries),
        "synonyms": json.dumps(SYNONYMS).replace("<", "\\u003c"),
    }
    return rendering.page("report/effects", values)


def _shown(entry: Entry) -> dict[str, object]:
    return {
        "words": entry.words,
        "english": entry.english,
        "price": entry.price,
        "levels": ", ".join(entry.levels),
        "limits": limits_text(entry),
        "ultra_points": entry.component.ultra_points,
        "example": entry.example,
        "searched": " ".join(filter(None, (entry.words, entry.english))).lower(),
    }

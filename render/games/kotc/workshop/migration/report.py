"""A migration as a web page: each card before and after, rewordings with their rules, and why cards stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from render.base.findings import Refused
from render.games.kotc.files.keys import is_old, stat_key
from render.games.kotc.levels import explain
from render.games.kotc.levels.levels import LevelDerivation
from render.games.kotc.levels.rules import Rules
from render.games.kotc.model.cards import Card, Kind, indicator, ordinal
from render.games.kotc.model.edition import Rewording
from render.games.kotc.workshop.migration import marked
from render.games.kotc.workshop.migration.migration import Fate, MigratedCard, Migration
from render.layout.templates import rendering

Pictures = Mapping[str, str]
"""The address of each card's picture, a path from the page or a data URI, by card id."""

Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class ReprintSheets:
    """The sheets with the cards to reprint.

    `hrefs` are their files, as paths from the page; `says` is the number of sheets and cards; `copies` the copies of
    each card by id; `picture` shows the first sheet, if there is one.
    """

    hrefs: tuple[str, ...]
    says: str
    copies: Mapping[str, int]
    picture: str = ""


@dataclass(frozen=True, slots=True)
class ReportedSet:
    """What a page shows of a set."""

    migration: Migration
    before: Pictures = field(default_factory=dict)
    after: Pictures = field(default_factory=dict)
    sheet: ReprintSheets | None = None


def report(shown: Sequence[ReportedSet]) -> str:
    """Return an HTML page about the migrations of one or more sets."""
    editions = " and ".join(sorted({f"{ordinal(each.migration.edition)} Edition" for each in shown}))
    fates = Counter(card.fate for each in shown for card in _told(each.migration))
    values: Values = {
        "title": f"Migration to the {editions}",
        "count": sum(fates.values()),
        "fates": [{"key": _key(fate), "name": _NAMES[fate], "count": fates[fate]} for fate in _NAMES if fates[fate]],
        "sets": [_set(each, anchor) for each, anchor in zip(shown, _anchors(shown), strict=True)],
    }
    return rendering.page("report/migration", values)


def summary(migration: Migration) -> str:
    """Return how many cards have which fate: `3 refurbished, 36 unchanged, 1 pruned`."""
    counts = [(len(migration.of(fate)), fate.value) for fate in Fate]
    return ", ".join(f"{count} {fate}" for count, fate in counts if count) or "no cards"


def cards_to_show(migration: Migration) -> tuple[set[str], set[str]]:
    """Return the ids of the cards that a page shows as they were, and as they are."""
    told = _told(migration)
    return {card.before.id for card in told}, {card.before.id for card in told if _has_two_sides(card)}


# --- what is told of which cards ------------------------------------------------------------------------------------

_NAMES = {
    Fate.REFURBISHED: "refurbished",
    Fate.RELEVELLED: "re-levelled",
    Fate.PRUNED: "pruned",
    Fate.BANNED: "banned",
    Fate.LEFT: "left alone",
    Fate.UNJUDGED: "not judged",
    Fate.UNCHANGED: "only new Edition Indicator",
}
"""The page's words for fates, in the order of the page."""


def _key(fate: Fate) -> str:
    return fate.name.lower()


def _told(migration: Migration) -> list[MigratedCard]:
    """Return the cards about which the page says more than that they are unchanged."""
    return [card for card in migration.cards if card.is_changed or not card.fate.is_migrated]


def _has_two_sides(card: MigratedCard) -> bool:
    return card.is_changed and card.fate.is_migrated


def _anchors(shown: Iterable[ReportedSet]) -> Iterator[str]:
    """Yield the names of the sets' folders, numbered where several are equal."""
    seen: Counter[str] = Counter()
    for each in shown:
        # Python keeps bytes of a file name that are no UTF-8 as surrogates (PEP 383).
        name = quote(each.migration.card_set.folder.resolve().name, errors="surrogateescape")
        seen[name] += 1
        # `quote` escapes colons, so no folder has such a name itself.
        yield name if seen[name] == 1 else f"{name}:{seen[name]}"


# --- values ---------------------------------------------------------------------------------------------------------


def _set(shown: ReportedSet, anchor: str) -> Values:
    migration = shown.migration
    rules = Rules(migration.card_set.folder)
    told = _told(migration)
    cards = {
        fate: [
            _card(card, shown, rules) | {"anchor": f"{anchor}/{card.before.id}"} for card in told if card.fate is fate
        ]
        for fate in _NAMES
    }
    return {
        "name": migration.card_set.name,
        "anchor": anchor,
        "width": f"{migration.card_set.sheet.card_size.width:g}",
        "counts": {_key(fate): len(some) for fate, some in cards.items()},
        "groups": [_group(fate, some) for fate, some in cards.items() if some],
        "unchanged": [card.before.name or card.before.id for card in migration.cards if card not in told],
        "sheet": shown.sheet and _sheet(shown.sheet, migration, anchor),
    }


def _group(fate: Fate, cards: Sequence[Values]) -> Values:
    name = _NAMES[fate]
    is_brief = fate is Fate.UNCHANGED  # there is nothing to read
    return {"key": _key(fate), "title": name[0].upper() + name[1:], "cards": cards, "is_brief": is_brief}


def _sheet(sheet: ReprintSheets, migration: Migration, anchor: str) -> Values:
    told = {card.before.id for card in _told(migration)}
    names = {card.after.id: card.after.name or card.after.id for card in migration.cards}
    copies = [
        {"anchor": f"{anchor}/{name}" if name in told else "", "name": names.get(name, name), "count": count}
        for name, count in sheet.copies.items()
    ]
    files = [{"href": href, "name": unquote(href)} for href in sheet.hrefs]
    return {"files": files, "says": sheet.says, "copies": copies, "picture": sheet.picture}


def _card(card: MigratedCard, shown: ReportedSet, rules: Rules) -> Values:
    before, after = card.before, card.after
    words = (before.name, before.id, before.kind.value, before.text, after.text)
    return {
        "id": before.id,
        "name": after.name or after.id,
        "kind": after.kind.value,
        "is_changed": _has_two_sides(card),
        "edition": {"before": _edition(before), "after": _edition(after)},
        "before": shown.before.get(before.id, ""),
        "after": shown.after.get(after.id, ""),
        "numbers": list(_numbers(before, after)),
        "runs": [{"text": run.text, "mark": run.mark.value} for run in marked.runs(before.text, card.reworded.edits)],
        "rules": [{"old": rule.old, "new": rule.new} for rule in _rules(card)],
        "reasons": [_said(reason) for reason in card.reasons],
        "advice": [_said(each) for each in _advice(card, shown.migration.numbers)],
        "derivations": list(_derivations(card, rules)),
        "words": " ".join(" ".join(words).lower().split()),
    }


def _said(message: str) -> list[Values]:
    """Return a message in stretches: what is between backticks is quoted."""
    stretches = message.split("`")
    if len(stretches) % 2 == 0:  # one of them is a backtick of the card's own
        return [{"text": message, "quoted": False}]
    return [{"text": text, "quoted": index % 2 == 1} for index, text in enumerate(stretches) if text]


def _edition(card: Card) -> str:
    return indicator(card.edition) or "without Edition Indicator"


def _numbers(before: Card, after: Card) -> Iterator[Values]:
    """Yield the numbers that a card has, and what they were."""
    yield _number("edition", before.edition, after.edition)
    for stat in ("level", "ultra_points", "sp", "hp"):
        old, new = getattr(before, stat), getattr(after, stat)
        has_none = old is None if stat != "ultra_points" else is_old(after.era) or after.kind is Kind.TIP
        if not has_none:
            yield _number(_name(stat, after), old, new)


def _number(name: str, old: int | None, new: int | None) -> Values:
    return {"name": name, "old": "none" if old is None else str(old), "new": "none" if new is None else str(new)}


def _name(stat: str, card: Card) -> str:
    if is_old(card.era):
        return stat_key(stat, card.era)
    return {"ultra_points": "Ultra Points", "sp": "SP", "hp": "HP"}.get(stat, stat)


def _rules(card: MigratedCard) -> list[Rewording]:
    """Return the rules by which the text was reworded, each once."""
    return list(dict.fromkeys(rule for change in card.reworded.changes for rule in change.rules))


def _advice(card: MigratedCard, numbers: str) -> Iterator[str]:
    yield from card.advice
    if card.lacks_numbers and not card.fate.is_migrated:
        what = numbers.replace(" or ", " and ")
        yield f"nothing else keeps it out: with --relevel it gets the {what} of the new rules"


def _derivations(card: MigratedCard, rules: Rules) -> Iterator[str]:
    """Yield how level and Ultra Points followed before and follow now, if they differ."""
    before, after = card.before, card.after
    if (before.level, before.ultra_points) != (after.level, after.ultra_points):
        for each in (before, after):
            derived = _derived(each, rules)
            if derived:
                yield explain.as_text([explain.Explained(each, derived)])


def _derived(card: Card, rules: Rules) -> LevelDerivation | None:
    try:
        calculator = rules.of(card.edition, card.written_in) if card.edition else None
    except Refused:  # mistakes in the rules of an edition left behind need no repair now
        return None
    return calculator.derive(card) if calculator else None

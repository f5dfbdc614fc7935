"""A way to another edition as a web page: each card before and after, rewordings with their rules, why cards stay, and
the sheets to print.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from msgspec import Struct, field

from render.base.findings import Refused, listed, plural
from render.base.findings import as_json as as_findings
from render.base.geometry import Affine
from render.base.word_changes import mark_changes
from render.build.manifest import Comparison
from render.build.outputs import changed_cards, placeholders
from render.build.session import BuildResult
from render.exports.print_files import PrintJob, sheets
from render.game.authoring.change_set import FileChange, unified_diff
from render.game.faces import Faces, lay_out_valid
from render.games.kotc.files.keys import stat_key
from render.games.kotc.levels import explain
from render.games.kotc.levels.levels import LevelDerivation
from render.games.kotc.levels.rules import Rules
from render.games.kotc.model.cards import Card, CardSet, Kind, indicator, ordinal
from render.games.kotc.workshop.migration.cards import Fate, MigratedCard
from render.games.kotc.workshop.migration.decks import DeckAfter
from render.games.kotc.workshop.migration.planning import Migration
from render.games.kotc.workshop.migration.transition import SetTransition, SetTransitions, pictures
from render.layout.templates import rendering
from render.png.paint import data_uri
from render.scene.items import Group, Placement, Scene

Pictures = Mapping[str, str]
"""The address of each card's picture, a path from the page or a data URI, by card id."""

Values = dict[str, object]


class ReprintSheets(Struct, frozen=True):
    """The sheets with the cards to reprint.

    `hrefs` are their files, as paths from the page; `says` is the number of sheets and cards; `copies` the copies of
    each card by id; `picture` shows the first sheet, if there is one. In the cards `indicator` nothing changed but the
    Edition Indicator.
    """

    hrefs: tuple[str, ...]
    says: str
    copies: Mapping[str, int]
    picture: str = ""
    indicator: tuple[str, ...] = ()


class ReportedSet(Struct, frozen=True):
    """What a page shows of a set."""

    migration: Migration
    before: Pictures = field(default_factory=dict)
    after: Pictures = field(default_factory=dict)
    sheet: ReprintSheets | None = None


_SHEET_DPI = 72.0  # for the picture of a sheet: enough to tell the cards apart

Made = Callable[[int], object]


def report(shown: Sequence[ReportedSet], decks: Sequence[DeckAfter], number: int) -> str:
    """Return an HTML page about the ways of sets and decks to an edition."""
    fates = Counter(card.fate for each in shown for card in each.migration.told)
    values: Values = {
        "title": f"Migration to the {ordinal(number)} Edition",
        "count": sum(fates.values()),
        "fates": [{"key": _key(fate), "name": _NAMES[fate], "count": fates[fate]} for fate in _NAMES if fates[fate]],
        "sets": [_set(each, anchor) for each, anchor in zip(shown, _anchors(shown), strict=True)],
        "decks": [_deck(each) for each in decks],
    }
    return rendering.page("report/migration", values)


# --- what is told of which cards ------------------------------------------------------------------------------------

_NAMES = {
    Fate.REFURBISHED: "refurbished",
    Fate.RELEVELLED: "re-levelled",
    Fate.DRAFTED: "drafts to judge",
    Fate.PRUNED: "pruned",
    Fate.BANNED: "banned",
    Fate.LEFT: "left alone",
    Fate.UNJUDGED: "not judged",
    Fate.UNCHANGED: "only new Edition Indicator",
}
"""The page's words for fates, in the order of the page."""


def _key(fate: Fate) -> str:
    return fate.name.lower()


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
    told = migration.told
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


def _deck(deck: DeckAfter) -> Values:
    editions = {"before": deck.before, "after": deck.edition}
    return {
        "name": deck.name or deck.file.stem,
        "file": str(deck.file),
        "edition": {key: number and f"{ordinal(number)} Edition" for key, number in editions.items()},
        "size": deck.size,
        "unread": deck.unread,
        "stays": deck.stays,
        "errors": [
            {"place": each.span and str(each.span), "message": each.message, "hint": each.hint} for each in deck.errors
        ],
        "lack": deck.lack,
        "drafts": deck.drafts,
        "others": [str(each) for each in deck.others],
    }


def _group(fate: Fate, cards: Sequence[Values]) -> Values:
    name = _NAMES[fate]
    is_brief = fate is Fate.UNCHANGED  # there is nothing to read
    return {"key": _key(fate), "title": name[0].upper() + name[1:], "cards": cards, "is_brief": is_brief}


def _sheet(sheet: ReprintSheets, migration: Migration, anchor: str) -> Values:
    told = {card.before.id for card in migration.told}
    names = {card.after.id: card.after.name or card.after.id for card in migration.cards}
    copies = {
        name: {"anchor": f"{anchor}/{name}" if name in told else "", "name": names.get(name, name), "count": count}
        for name, count in sheet.copies.items()
    }
    parts = [
        [card for name, card in copies.items() if (name in sheet.indicator) is is_indicator]
        for is_indicator in (False, True)
    ]
    files = [{"href": href, "name": unquote(href)} for href in sheet.hrefs]
    return {"files": files, "says": sheet.says, "parts": parts, "picture": sheet.picture}


def _card(card: MigratedCard, shown: ReportedSet, rules: Rules) -> Values:
    before, after = card.before, card.after
    words = (before.name, before.id, before.kind.value, before.text, after.text)
    rules_of_text = dict.fromkeys(rule for change in card.reworded.changes for rule in change.rules)
    return {
        "id": before.id,
        "name": after.name or after.id,
        "kind": after.kind.value,
        "is_changed": card.has_two_sides,
        "edition": {"before": _edition(before), "after": _edition(after)},
        "before": shown.before.get(before.id, ""),
        "after": shown.after.get(after.id, ""),
        "numbers": list(_numbers(before, after)),
        "runs": mark_changes(before.text, card.reworded.edits),
        "rules": [{"old": rule.old, "new": rule.new} for rule in rules_of_text],
        "reasons": card.reasons,
        "advice": [*card.advice, *old_words(card)],
        "derivations": list(_derivations(card, rules)),
        "words": " ".join(" ".join(words).lower().split()),
    }


def _edition(card: Card) -> str:
    return indicator(card.edition) or "without Edition Indicator"


def _numbers(before: Card, after: Card) -> Iterator[Values]:
    """Yield the numbers that a card has, and what they were."""
    yield _number("edition", before.edition, after.edition)
    for stat in ("level", "ultra_points", "sp", "hp"):
        old, new = getattr(before, stat), getattr(after, stat)
        has_none = old is None if stat != "ultra_points" else after.grammar.of_creatures or after.kind is Kind.TIP
        if not has_none:
            yield _number(_name(stat, after), old, new)


def _number(name: str, old: int | None, new: int | None) -> Values:
    return {"name": name, "old": "none" if old is None else str(old), "new": "none" if new is None else str(new)}


def _name(stat: str, card: Card) -> str:
    if card.grammar.of_creatures:
        return stat_key(stat, card.grammar)
    return {"ultra_points": "Ultra Points", "sp": "SP", "hp": "HP"}.get(stat, stat)


def old_words(card: MigratedCard) -> Iterator[str]:
    """Yield what is to be done about texts in other languages that are those of before."""
    if card.old_words:
        yield f"its text in {listed(card.old_words, 'and')} below `words` is the old one: write it anew"


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


# --- sets that were built ---------------------------------------------------------------------------------------------


def count_pictures(transitions: SetTransitions, kept: Mapping[str, Pictures]) -> int:
    """Return how many pictures the page needs."""
    sides = [(each, *each.migration.pictured) for each in transitions.sets]
    return sum(len(after) + (0 if each.name in kept else len(before)) for each, before, after in sides)


def page(
    transitions: SetTransitions,
    file: Path,
    kept: Mapping[str, Pictures],
    results: Mapping[str, BuildResult],
    made: Made = lambda _: None,
) -> bytes:
    """Return the page for that file, from which its links to sheets start.

    `kept` are pictures of cards as they were, and `brought` the built sets, both by the names of the sets' folders;
    `made` is called for each picture.
    """
    shown = [_reported_set(each, file, kept, results.get(each.name), made) for each in transitions.sets]
    return report(shown, transitions.decks, transitions.number).encode("utf-8", "backslashreplace")


def _reported_set(
    transition: SetTransition, file: Path, kept: Mapping[str, Pictures], results: BuildResult | None, made: Made
) -> ReportedSet:
    as_it_was, as_it_is = transition.migration.pictured
    before = kept.get(transition.name)
    if before is None:
        before = pictures(lay_out_valid(transition.before), as_it_was, made)
    drawn = lay_out_valid(transition.after)
    sheet = _reprint_sheets(transition.after, drawn, file, results) if results else None
    return ReportedSet(transition.migration, before, pictures(drawn, as_it_is, made), sheet)


def _reprint_sheets(
    card_set: CardSet, drawn: Sequence[Faces], file: Path, results: BuildResult
) -> ReprintSheets | None:
    compared = results.compared
    if compared is None or not compared.files:
        return None
    hrefs = tuple(_link(results.folder / name, file) for name in compared.files)
    changes, picture = compared.changes, _first_sheet(card_set, drawn, compared)
    return ReprintSheets(hrefs, _says(compared), dict(changes.copies), picture, changes.indicator)


def _says(compared: Comparison) -> str:
    copies = compared.changes.copies
    number = sum(count for _, count in copies)
    says = f"{plural(number, 'copy', 'copies')} of {plural(len(copies), 'card')} on {plural(compared.sheets, 'sheet')}"
    left_out = {*compared.changes.indicator} - dict(copies).keys()
    return f"{says}, without {plural(len(left_out), 'card')} with only a new Edition Indicator" if left_out else says


def _link(target: Path, page: Path) -> str:
    """Return the address of a file as a link in the page."""
    try:
        return quote(os.fsencode(Path(os.path.relpath(target.resolve(), page.parent.resolve())).as_posix()))
    except ValueError:  # on another drive of Windows
        return target.resolve().as_uri()


def _first_sheet(card_set: CardSet, drawn: Sequence[Faces], compared: Comparison) -> str:
    """Return a picture of the front of the first sheet of changed cards."""
    part = changed_cards(card_set, compared.changes.copies)
    job = PrintJob((part,), placeholders(part, {each.card.id: each for each in drawn}))
    grid, imposed = sheets(job, part.sheet)
    return data_uri(Scene(grid.paper, tuple(map(_placed, imposed[0].front))), _SHEET_DPI)


def _placed(placement: Placement) -> Group:
    box = placement.box
    to_paper = Affine.move(box.x, box.y)
    if placement.turned:
        to_paper = to_paper @ Affine.move(box.width, box.height) @ Affine.scale(-1, -1)
    return Group(box.spread(placement.bleed), placement.face.items, to_paper)


# --- for programs -----------------------------------------------------------------------------------------------------


def as_json(
    migrations: Sequence[Migration],
    decks: Sequence[DeckAfter],
    files: Sequence[FileChange],
    results: Mapping[str, BuildResult],
    *,
    number: int,
    dry_run: bool,
) -> str:
    """Return the same for programs: each card and deck before and after, why cards stay, all files that are written.

    `results` are the built sets by the names of their folders.
    """
    values = {
        "edition": number,
        "dry_run": dry_run,
        "sets": [_set_for_programs(each, results.get(each.card_set.folder.resolve().name)) for each in migrations],
        "decks": [
            {
                "file": str(deck.file),
                "name": deck.name,
                "edition": {"before": deck.before, "after": deck.edition},
                "stays": deck.stays or None,
                "cards": deck.size,
                "playable": deck.playable,
                "drafts": deck.drafts,
                "older_cards_of": [str(folder) for folder in deck.others],
                "errors": json.loads(as_findings(deck.errors)),
            }
            for deck in decks
        ],
        "files": [{"file": str(each.file), "diff": unified_diff([each])} for each in files],
    }
    return json.dumps(values, ensure_ascii=False, indent=2)


_NUMBERS = ("edition", "level", "ultra_points", "sp", "hp", "text")


def _set_for_programs(migration: Migration, result: BuildResult | None) -> Values:
    compared = result.compared if result else None
    cards = [
        {
            "id": card.before.id,
            "name": card.before.name,
            "fate": card.fate.value,
            "before": {key: getattr(card.before, key) for key in _NUMBERS},
            "after": {key: getattr(card.after, key) for key in _NUMBERS},
            "reasons": card.reasons,
            "advice": (*card.advice, *old_words(card)),
        }
        for card in migration.cards
    ]
    values: Values = {"name": migration.card_set.name, "folder": str(migration.card_set.folder), "cards": cards}
    if result and compared:
        values["reprint"] = {
            "changed": compared.changes.changed,
            "changed_only_in_indicator": compared.changes.indicator,
            "copies": dict(compared.changes.copies),
            "sheets": compared.sheets,
            "files": [str(result.folder / name) for name in compared.files],
        }
    return values

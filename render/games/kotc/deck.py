"""Decks: cards of several sets with their counts, judged by the rules of an edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

from render.base.findings import (
    Finding,
    Problem,
    Refused,
    Severity,
    did_you_mean,
    has_errors,
    listed,
    nearest_word,
    printable,
    quoted,
    sort_findings,
)
from render.games.kotc.editions.finding import find
from render.games.kotc.files import deck_file
from render.games.kotc.files.deck_file import DeckFile, DeckLine
from render.games.kotc.legality import legality
from render.games.kotc.legality.doubts import decisive, doubt
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.levels.rules import Rules, of_card
from render.games.kotc.model.cards import Card, CardSet, Kind, ordinal
from render.games.kotc.model.edition import DeckRules, Edition
from render.games.kotc.sets import survey

PLAYED = (Kind.MINION, Kind.CREATURE, Kind.SPELL)  # pawns "do not exist as true cards" (Rulebook, "Pawns")


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """A card of a deck with its count; `line` is its place in the deck file.

    `ultra_points` are what one copy counts for in the deck.
    """

    card: Card
    card_set: CardSet
    count: int
    line: DeckLine
    ultra_points: int


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck with its cards in the order of the deck file, and the edition by whose rules it is played."""

    file: DeckFile
    edition: Edition
    entries: tuple[DeckEntry, ...]

    @property
    def name(self) -> str:
        """The name of the deck."""
        return self.file.name

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(entry.count for entry in self.entries)

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of all cards together."""
        return sum(entry.count * entry.ultra_points for entry in self.entries)

    @property
    def sets(self) -> tuple[CardSet, ...]:
        """The sets that have a card in the deck, in the order of the deck file."""
        return tuple({entry.card_set.folder: entry.card_set for entry in self.entries}.values())

    def printed(self) -> list[CardSet]:
        """Return the sets with only the cards of the deck, with as many copies as it has."""
        return [replace(card_set, cards=tuple(self._cards_of(card_set))) for card_set in self.sets]

    def _cards_of(self, card_set: CardSet) -> Iterator[Card]:
        for entry in self.entries:
            if entry.card_set.folder == card_set.folder:
                yield replace(entry.card, copies=entry.count)


@dataclass(frozen=True, slots=True)
class Checked:
    """A deck, and everything wrong or doubtful about it and its cards."""

    deck: Deck
    findings: tuple[Finding, ...]


def read(file: Path) -> Checked:
    """Read a deck with the sets that it names; Refused if its cards cannot be determined."""
    written = deck_file.read(file)
    edition = _edition(written)
    sets, findings = survey(written.sets)
    if not sets:
        raise Refused(sort_findings(findings))
    findings += written.doubts
    entries: dict[tuple[Path, str], DeckEntry] = {}
    for line in written.lines:
        found = _entry(line, sets)
        if isinstance(found, DeckEntry):
            other = entries.setdefault((found.card_set.folder, found.card.id), found)
            findings += [deck_file.twice(line, other.line.span)] if other is not found else []
        else:
            findings.append(found)
    if has_errors(findings):
        raise Refused(sort_findings(findings))
    deck = Deck(written, edition, tuple(_counted(entry, edition) for entry in entries.values()))
    return Checked(deck, tuple(sort_findings([*findings, *_of_deck(deck), *_of_cards(deck)])))


def _edition(written: DeckFile) -> Edition:
    """Return the rules of a deck's edition; if they are missing, Refused at the line that asks for the edition."""
    try:
        return find(written.edition, written.file.parent)
    except Refused as refused:
        raise Refused(replace(each, span=each.span or written.edition_place) for each in refused.findings) from None


def _entry(line: DeckLine, sets: Sequence[CardSet]) -> DeckEntry | Finding:
    """Return the card that a line of a deck means: an id, or a set's folder, a slash and an id."""
    folder, slash, wanted = line.card.rpartition("/")
    searched = [each for each in sets if not slash or each.folder.resolve().name == folder]
    found = [(card, each) for each in searched for card in each.cards if card.id == wanted]
    if not found:
        return _nothing(line, sets)
    if len(found) > 1:
        names = [f"{each.folder.resolve().name}/{wanted}" for _, each in found]
        message = f"{len(found)} sets have a card {quoted(wanted)}"
        return Problem("B023", message, f"write {listed(names)}").at(line.span, wanted, "cards")
    card, card_set = found[0]
    if card.kind not in PLAYED:
        message = f"{quoted(line.card)} is a {card.kind.value}, and does not belong in a deck"
        return Problem("B024", message, "remove it from the deck").at(line.span, card.id, "cards")
    return DeckEntry(card, card_set, line.count, line, card.ultra_points)


def _counted(entry: DeckEntry, edition: Edition) -> DeckEntry:
    """Return the entry with its Ultra Points recalculated if those of a text of an older card were revised.

    Rulebook from the 18th Edition on, "Revised Ultra Points".
    """
    if not edition.ultra_revisions:
        return entry
    judgement = legality.judge_design(legality.design_of(entry.card), edition)
    if all(each.problem.code != "K008" for each in judgement.objections):
        return entry
    # By the rules of the deck's edition, which know texts in their new wording only.
    anew = replace(entry.card, text=judgement.reworded.text, edition=edition.number)
    derivation = LevelCalculator(edition).derive(anew)
    return replace(entry, ultra_points=derivation.ultra_points) if derivation and derivation.is_sound else entry


def _nothing(line: DeckLine, sets: Sequence[CardSet]) -> Finding:
    known = [card.id for each in sets for card in each.cards]
    known += [f"{each.folder.resolve().name}/{card.id}" for each in sets for card in each.cards]
    names = listed([each.name for each in sets], "and")
    hint = did_you_mean(line.card, known) or f"the sets are {names}"
    near = nearest_word(line.card, known)
    return Problem("B022", f"no set has a card {quoted(line.card)}", hint, instead=near).at(line.span, field="cards")


# --- rules ----------------------------------------------------------------------------------------------------------


def _of_deck(deck: Deck) -> Iterator[Finding]:
    """Yield what is wrong with the deck as a whole: its size, its Ultra Points."""
    rules, place = deck.edition.deck, deck.file.place
    unread = decisive(deck.edition)
    if unread:
        yield doubt(deck.edition.number, unread).at(deck.file.edition_place, field="edition")
    owner = f"a deck of the {ordinal(deck.edition.number)} Edition"
    # Rulebook, "Setup and Deck Building": exactly 40 up to the 10th Edition, 40 to 60 from the 11th on.
    if not rules.least <= deck.size <= rules.most:
        message = f"{owner} has {_sizes(rules)}, and this one has {deck.size}"
        short = rules.least - deck.size
        hint = f"add {_cards(short)}" if short > 0 else f"take out {_cards(deck.size - rules.most)}"
        yield Problem("B025", message, hint).at(place, field="cards")
    most = rules.ultra_points  # rulebook, "Setup and Deck Building"; older editions have no Ultra Points
    if most is not None and deck.ultra_points > most:
        message = f"{owner} has at most {most} Ultra Points, and this one has {deck.ultra_points}"
        worth = [entry for entry in deck.entries if entry.ultra_points]
        terms = [f"`{entry.line.card}` {entry.count} x {entry.ultra_points}" for entry in worth]
        yield Problem("B026", message, f"they are of {', '.join(terms)}").at(place, field="cards")


def _sizes(rules: DeckRules) -> str:
    return f"exactly {_cards(rules.most)}" if rules.least == rules.most else f"{rules.least} to {_cards(rules.most)}"


def _of_cards(deck: Deck) -> Iterator[Finding]:
    """Yield for every card why it may not be in the deck, what in it is outdated, and which numbers are wrong."""
    # Legality is judged by the deck's edition, numbers by the edition on the card.
    rules = {card_set.folder: Rules(card_set.folder) for card_set in deck.sets}
    for entry in deck.entries:
        for finding in legality.findings(entry.card, deck.edition):
            yield _kept_out(entry, deck, finding) if finding.severity is Severity.ERROR else finding
        yield from of_card(entry.card, rules[entry.card_set.folder])


def _kept_out(entry: DeckEntry, deck: Deck, finding: Finding) -> Finding:
    """Return, at the line of the deck, why a card may not be in it; the card's own file may be right."""
    message = f"{quoted(entry.line.card)} may not be in a deck of the {ordinal(deck.edition.number)} Edition"
    hint = f"{finding.message} [{finding.code}], at {finding.span}"
    return Problem("B027", message, hint).at(entry.line.span, entry.card.id, "cards")


# --- the deck as a list ---------------------------------------------------------------------------------------------

_MIN_WIDTH = 20  # columns of a name, so that a heading has room above it
_LONGEST_BAR = 50  # marks: with the numbers before it, a line keeps within 80 columns


def as_text(deck: Deck) -> str:
    """Return the deck for people: its creatures or minions, its spells, and the number of cards of each level."""
    terms = deck.edition.terms
    head = f"{deck.name}, a deck of the {ordinal(deck.edition.number)} Edition: {_cards(deck.size)}"
    lines = [f"{head}, {_many(deck.ultra_points, 'Ultra Point')}" if _has_ultra_points(deck) else head]
    width = max((len(entry.card.name) for entry in deck.entries), default=0)
    for thing, are_spells in ((terms.minion, False), ("spell", True)):
        entries = [entry for entry in deck.entries if (entry.card.kind is Kind.SPELL) == are_spells]
        lines += ["", *_list(deck, entries, thing, max(width, _MIN_WIDTH))] if entries else []
    return "\n".join(printable(line) for line in (*lines, "", *_curve(deck)))


def _list(deck: Deck, entries: Sequence[DeckEntry], thing: str, width: int) -> Iterator[str]:
    """Yield a heading and the cards, lowest level first; `width` is that of the longest name."""
    count = _many(sum(entry.count for entry in entries), thing)
    has_ultra = _has_ultra_points(deck)
    yield f"{count:<{width + 5}}  {deck.edition.terms.level:>5}{'  UP' if has_ultra else ''}"
    for entry in sorted(entries, key=lambda entry: (entry.card.level or 0, entry.card.name)):
        ultra = f"{entry.ultra_points or '':>4}" if has_ultra else ""
        yield f"{entry.count:>3}  {entry.card.name:<{width}}  {entry.card.level or 0:>5}{ultra}".rstrip()


def _curve(deck: Deck) -> Iterator[str]:
    """Yield the number of cards of each level, from the lowest to the highest, with marks."""
    counts = Counter[int]()
    for entry in deck.entries:
        counts[entry.card.level or 0] += entry.count
    each = max(1, ceil(max(counts.values()) / _LONGEST_BAR)) if counts else 1  # cards a mark stands for
    for level in range(min(counts, default=0), max(counts, default=-1) + 1):
        yield f"{deck.edition.terms.level} {level:>2}  {counts[level]:>3}  {'#' * ceil(counts[level] / each)}".rstrip()


def _has_ultra_points(deck: Deck) -> bool:
    return deck.edition.deck.ultra_points is not None


def _cards(count: int) -> str:
    return _many(count, "card")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"

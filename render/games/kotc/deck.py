"""Decks: cards of several sets with their counts, judged by the rules of an edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import (
    Diagnostic,
    Refused,
    Severity,
    Span,
    has_errors,
    plural,
    printable,
    quoted,
    sort_findings,
)
from render.game.cards import DeckCard, DeckLine, GameCard, GameSet, home_of
from render.game.decks.deck_file import DECK, key_place
from render.game.sources import read_deck
from render.games.kotc.editions.finding import find
from render.games.kotc.legality import legality
from render.games.kotc.legality.legality import doubts
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.levels.rules import Rules, of_card
from render.games.kotc.model.cards import Card, CardSet, Kind, ordinal, own_card
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.model.edition import DeckRules, Edition
from render.source import shapes
from render.source.fields import Fields, fields_of
from render.source.key_tables import Key, KeyTable, Value


class DeckEntry(Struct, frozen=True):
    """A card of a deck with its count; `line` is its place in the deck file.

    `ultra_points` are what one copy counts for in the deck.
    """

    card: Card
    line: DeckLine
    ultra_points: int

    @property
    def count(self) -> int:
        """How many of the card the deck has."""
        return self.line.count


class Deck(Struct, frozen=True):
    """A deck with its cards in the order of the deck file, and the edition by whose rules it is played.

    `card_set` is the deck as a set of its cards.
    """

    card_set: CardSet
    edition: Edition
    entries: tuple[DeckEntry, ...]

    @property
    def name(self) -> str:
        """The name of the deck."""
        return self.card_set.name

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(entry.count for entry in self.entries)

    @property
    def ultra_points(self) -> int:
        """The Ultra Points of all cards together."""
        return sum(entry.count * entry.ultra_points for entry in self.entries)

    def place(self, key: str) -> Span:
        """Return the place of a key of the deck file."""
        assert self.card_set.source is not None, "it is read from a file"
        document, node = self.card_set.source
        return key_place(fields_of(DECK, document, node), key)


class Checked(Struct, frozen=True):
    """A deck, and everything wrong or doubtful about it and its cards."""

    deck: Deck
    findings: tuple[Diagnostic, ...]


def read(file: Path) -> Checked:
    """Read a deck with the sets that it names; Refused if its cards cannot be determined."""
    found = read_deck(file)
    if has_errors(found.findings) or not isinstance(found.card_set, CardSet):
        raise Refused(found.findings or [of_another_game(file, found.card_set)])
    deck = made(found.card_set, found.cards)
    return Checked(deck, tuple(sort_findings([*found.findings, *judge(deck)])))


def of_another_game(file: Path, card_set: GameSet | None) -> Diagnostic:
    """Return the finding about a deck of another game, for commands of this one."""
    message = f"`{file}` is a deck of the game `{card_set.game_name if card_set else ''}`"
    return Diagnostic(
        "S023",
        message,
        f"this command is for decks of `kotc`; `kotc check {file}` judges this one, `kotc balance {file}` shows it in "
        f"figures, and `kotc pdf {file}` prints it",
    ).at(Span(file=file))


def _edition(fields: Fields, key: str, _: object) -> int | None:
    """Return the edition of a deck; one without rules is noted."""
    edition = fields.whole(key, 1, LAST_EDITION)
    if edition:
        place = key_place(fields, key)
        try:
            find(edition, fields.document.file.parent)
        except Refused as refused:
            fields.findings += [replace(each, span=each.span or place) for each in refused.findings]
    return edition


DECK_TABLE = KeyTable(
    Key(
        "edition",
        Value(shapes.whole(1, LAST_EDITION), _edition),
        "the edition whose rules apply",
        "1 to 999",
        needed=True,
        example="17",
    )
)
"""The keys that a deck of this game has in addition to those of every game."""


def made(card_set: CardSet, cards: Sequence[DeckCard[GameCard]]) -> Deck:
    """Return a deck that was read, with the rules of its edition."""
    assert card_set.edition is not None, "a deck without one is refused"
    edition = find(card_set.edition, card_set.folder)
    own = ((own_card(each.card), each.line) for each in cards)
    entries = tuple(DeckEntry(card, line, ultra_points(card, edition)) for card, line in own)
    return Deck(card_set, edition, entries)


def judge(deck: Deck) -> list[Diagnostic]:
    """Return what the rules of its edition find in a deck and its cards."""
    return [*_of_deck(deck), *_of_cards(deck)]


def ultra_points(card: Card, edition: Edition) -> int:
    """Return what a card counts for in a deck: recalculated if the Ultra Points of a text of an older card were revised.

    Rulebook from the 18th Edition on, "Revised Ultra Points".
    """
    if not edition.ultra_revisions:
        return card.ultra_points
    judgement = legality.judge_design(legality.design_of(card), edition)
    if all(each.problem.code != "K008" for each in judgement.objections):
        return card.ultra_points
    # By the rules of the deck's edition, which know texts in their new wording only.
    anew = replace(card, text=judgement.reworded.text, edition=edition.number)
    derivation = LevelCalculator(edition).derive(anew)
    return derivation.ultra_points if derivation and derivation.is_sound else card.ultra_points


# --- rules ----------------------------------------------------------------------------------------------------------


def _of_deck(deck: Deck) -> Iterator[Diagnostic]:
    """Yield what is wrong with the deck as a whole: its size, its Ultra Points."""
    rules, place = deck.edition.deck, deck.place("cards")
    for doubt in doubts(deck.edition, deck.card_set.folder):
        yield doubt.at(deck.place("edition"), field="edition")
    owner = f"a deck of the {ordinal(deck.edition.number)} Edition"
    # Rulebook, "Setup and Deck Building": exactly 40 up to the 10th Edition, 40 to 60 from the 11th on.
    if not rules.least <= deck.size <= rules.most:
        message = f"{owner} has {_sizes(rules)}, and this one has {deck.size}"
        short = rules.least - deck.size
        hint = f"add {plural(short, 'card')}" if short > 0 else f"take out {plural(deck.size - rules.most, 'card')}"
        yield Diagnostic("B025", message, hint).at(place, field="cards")
    most = rules.ultra_points  # rulebook, "Setup and Deck Building"; older editions have no Ultra Points
    if most is not None and deck.ultra_points > most:
        message = f"{owner} has at most {most} Ultra Points, and this one has {deck.ultra_points}"
        worth = [entry for entry in deck.entries if entry.ultra_points]
        terms = [f"`{entry.line.card}` {entry.count} x {entry.ultra_points}" for entry in worth]
        yield Diagnostic("B026", message, f"they are of {', '.join(terms)}").at(place, field="cards")


def _sizes(rules: DeckRules) -> str:
    return (
        f"exactly {plural(rules.most, 'card')}"
        if rules.least == rules.most
        else f"{rules.least} to {plural(rules.most, 'card')}"
    )


def _of_cards(deck: Deck) -> Iterator[Diagnostic]:
    """Yield for every card why it may not be in the deck, what in it is outdated, and which numbers are wrong."""
    # Legality is judged by the deck's edition, numbers by the edition on the card.
    rules = {part.folder: Rules(part.folder) for part in deck.card_set.parts}
    for entry in deck.entries:
        for finding in legality.findings(entry.card, deck.edition):
            yield _kept_out(entry, deck, finding) if finding.severity is Severity.ERROR else finding
        yield from of_card(entry.card, rules[home_of(entry.card)])


def _kept_out(entry: DeckEntry, deck: Deck, finding: Diagnostic) -> Diagnostic:
    """Return, at the line of the deck, why a card may not be in it; the card's own file may be right."""
    message = f"{quoted(entry.line.card)} may not be in a deck of the {ordinal(deck.edition.number)} Edition"
    hint = f"{finding.message} [{finding.code}], at {finding.span}"
    return Diagnostic("B027", message, hint).at(entry.line.span, entry.card.id, "cards")


# --- the deck as a list ---------------------------------------------------------------------------------------------

_MIN_WIDTH = 20  # columns of a name, so that a heading has room above it
_LONGEST_BAR = 50  # marks: with the numbers before it, a line keeps within 80 columns


def as_text(deck: Deck) -> str:
    """Return the deck for people: its creatures or minions, its spells, and the number of cards of each level."""
    terms = deck.edition.terms
    head = f"{deck.name}, a deck of the {ordinal(deck.edition.number)} Edition: {plural(deck.size, 'card')}"
    lines = [f"{head}, {plural(deck.ultra_points, 'Ultra Point')}" if _has_ultra_points(deck) else head]
    width = max((len(entry.card.name) for entry in deck.entries), default=0)
    things = {Kind.MINION.value: terms.minion, Kind.CREATURE.value: terms.minion, Kind.SPELL.value: "spell"}
    things |= {kind.name: kind.name for kind in deck.edition.kinds}
    for thing in dict.fromkeys(things.values()):
        entries = [entry for entry in deck.entries if things.get(entry.card.kind.value, "") == thing]
        lines += ["", *_list(deck, entries, thing, max(width, _MIN_WIDTH))] if entries else []
    return "\n".join(printable(line) for line in (*lines, "", *_curve(deck)))


def _list(deck: Deck, entries: Sequence[DeckEntry], thing: str, width: int) -> Iterator[str]:
    """Yield a heading and the cards, lowest level first; `width` is that of the longest name."""
    count = plural(sum(entry.count for entry in entries), thing)
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

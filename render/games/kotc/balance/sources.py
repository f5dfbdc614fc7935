"""Decks and sets as cards that are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from render.base.findings import Diagnostic, Refused, has_errors
from render.games.kotc import deck
from render.games.kotc.balance.figures import Counted, Figures, figures
from render.games.kotc.editions.finding import find, known
from render.games.kotc.model.cards import CardSet
from render.games.kotc.sets import survey
from render.source import reader
from render.source.nodes import Mapping

DECK_KEYS = ("cards", "sets")  # a card has neither


def read_figures(paths: Sequence[Path]) -> tuple[list[Figures], list[Diagnostic]]:
    """Return the figures of decks and sets in the order of the paths, and what is wrong or doubtful about them.

    Refused if one of them cannot be read.
    """
    found: list[Figures] = []
    findings: list[Diagnostic] = []
    for path in paths:
        if _is_deck(path):
            checked = deck.read(path)
            found.append(_of_deck(checked.deck))
            findings += checked.findings
        else:
            sets, wrong = survey([path])
            findings += wrong
            if has_errors(wrong):
                raise Refused(findings)
            found += map(_of_set, sets)
    return found, findings


def _is_deck(path: Path) -> bool:
    """Return whether a file is a deck file. One that cannot be read is none, and is refused as a card file."""
    if not path.is_file():
        return False
    try:
        root = reader.read(path).root
    except Refused:
        return False
    return isinstance(root, Mapping) and all(root.get(key) is not None for key in DECK_KEYS)


def _of_deck(read: deck.Deck) -> Figures:
    cards = [Counted(entry.card, entry.count, entry.ultra_points) for entry in read.entries]
    most = read.edition.deck.ultra_points
    return figures(read.name, cards, read.edition.number, is_deck=True, most_ultra_points=most)


def _of_set(card_set: CardSet) -> Figures:
    """Return the figures of a set as if it were a deck, with as many copies as it has."""
    cards = [Counted(card, card.copies, card.ultra_points) for card in card_set.cards]
    edition = card_set.edition or _most_common(card.edition for card in card_set.cards if card.edition)
    there = edition is not None and edition in dict(known(card_set.folder))
    most = find(edition, card_set.folder).deck.ultra_points if edition and there else None
    return figures(card_set.name, cards, edition, most_ultra_points=most)


def _most_common(editions: Iterable[int]) -> int | None:
    counts = Counter(editions)
    return min(counts, key=lambda number: (-counts[number], number), default=None)

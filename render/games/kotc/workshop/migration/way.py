"""Where the way of a card to a later edition ends: at a clean slate, or at a text without successor.

Each rulebook lists all changes since the clean slate, so that the rules of the new edition alone say what becomes of a
card. The editions in between tell why: which of them was the first to refuse the card, or to do without a text of it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from render.base.findings import Refused, quoted
from render.games.kotc.editions.finding import known
from render.games.kotc.legality.legality import Objection, design_of, judge_design
from render.games.kotc.legality.rewording import reword
from render.games.kotc.levels.flaws import spoken
from render.games.kotc.levels.levels import LevelCalculator, LevelDerivation
from render.games.kotc.levels.rules import Rules
from render.games.kotc.levels.stretches import ComponentText, LevelFault
from render.games.kotc.model.cards import Card, ordinal


class Loss(NamedTuple):
    """A component of a card that a later edition does not have: why the card cannot go there, and what can be done."""

    reason: str
    advice: str


class Way:
    """The editions from those of a set's cards to a new one, as the set's folder finds them."""

    def __init__(self, folder: Path, calculator: LevelCalculator) -> None:
        self._calculator = calculator
        self.number = calculator.edition.number
        self._rules = Rules(folder)
        self._numbers = sorted(number for number, _ in known(folder) if number < calculator.edition.number)

    def refusal(self, card: Card, told: Container[str]) -> str:
        """Return what the first edition on the way says that refuses the card; "" if none does, or it is told."""
        for step in self._between(card):
            found = _refusal(card, step)
            if found:
                message = found.problem.message
                return (
                    "" if message in told else f"its way ends at the {ordinal(step.edition.number)} Edition: {message}"
                )
        return ""

    def losses(self, card: Card) -> list[Loss]:
        """Return the components of the card that have no successor in the new edition; [] if its own is not known."""
        own = self._of(card.edition)
        derivation = own.derive(card) if own else None
        lost = _lost(card, derivation, self._calculator) if derivation else []
        return [self._loss(card, derivation, piece) for piece in lost if derivation]

    def _loss(self, card: Card, derivation: LevelDerivation, piece: ComponentText) -> Loss:
        steps = (*self._between(card), self._calculator)
        first = next(step for step in steps if piece in _lost(card, derivation, step))
        edition = f"the {ordinal(first.edition.number)} Edition"
        reason = f"{quoted(piece.words.text)} has no successor: {edition} has no such {spoken(piece.role)}"
        near = self._calculator.components.nearest(piece.role, piece.words.text)
        return Loss(reason, f"the nearest is `{near}`" if near else "`kotc effects` lists what may be written")

    def _between(self, card: Card) -> Iterator[LevelCalculator]:
        """Yield the editions after the card's own and before the new one, from the oldest."""
        for number in self._numbers:
            step = self._of(number) if card.edition is not None and number > card.edition else None
            if step:
                yield step

    def _of(self, number: int | None) -> LevelCalculator | None:
        try:
            return self._rules.of(number) if number is not None else None
        except Refused:  # mistakes in the rules of an edition left behind need no repair now
            return None


def _refusal(card: Card, step: LevelCalculator) -> Objection | None:
    judgement = judge_design(design_of(card), step.edition)
    return next(iter(judgement.grounds), None)


def _lost(card: Card, derivation: LevelDerivation, step: LevelCalculator) -> list[ComponentText]:
    """Return the components of a card that the later edition neither has nor gives a new wording."""
    new = reword(card.text, step.edition.rewordings, step.edition.components)
    after = step.derive(replace(card, text=new.text, edition=step.edition.number))
    if after is None:
        return []
    strange = [flaw.words for flaw in after.flaws if flaw.fault is LevelFault.UNKNOWN]
    places = [new.original(words.start, words.end) for words in strange]
    kept = [piece for piece in _pieces(derivation) if not any(_overlap(piece, *each[:2]) for each in new.changes)]
    return [piece for piece in kept if any(_overlap(piece, *place) for place in places)]


def _pieces(derivation: LevelDerivation) -> list[ComponentText]:
    caveat = derivation.stats.caveat if derivation.stats else None
    pieces = [*([caveat] if caveat else []), *(piece for each in derivation.abilities for piece in each.pieces)]
    return [piece for piece in pieces if piece.found is not None]


def _overlap(piece: ComponentText, start: int, end: int) -> bool:
    return piece.words.start < end and start < piece.words.end

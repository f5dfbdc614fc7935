"""What becomes of the cards of a set in another edition.

Cards that the rules refurbish get the new text; these and unchanged ones get the new Edition Indicator. Cards that are
pruned or banned are left alone, and so are those with a component of which the new edition has no successor. A card
that is already of the edition has been migrated, and stays as it is.

Numbers that a card leaves to the rules are recalculated by those of the new edition; if they do not follow, the card is
left alone, since it could no longer be read.

Each rulebook lists all changes since the clean slate, so that the rules of the new edition alone say what becomes of a
card. The editions in between tell why: which of them was the first to refuse the card, or to do without a text of it.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Refused, quoted
from render.games.kotc.editions.finding import known
from render.games.kotc.files.keys import AUTO, stat_key
from render.games.kotc.legality.legality import Judgement, Legality, Objection, design_of, judge_design, objection
from render.games.kotc.legality.rewording import Change, Reworded, reword
from render.games.kotc.levels.costing import obstacles as obstacles_to_numbers
from render.games.kotc.levels.costing import spoken
from render.games.kotc.levels.levels import LevelCalculator, LevelDerivation
from render.games.kotc.levels.rules import Rules
from render.games.kotc.levels.stretches import ComponentText, LevelFault
from render.games.kotc.model.cards import OLD_NAMES, Card, CardSet, ordinal
from render.games.kotc.model.edition import Edition
from render.games.kotc.workshop.drafts.drafting import Drafter
from render.source.nodes import Scalar

Relevel = Callable[[Card, str], tuple[int, int] | None]
"""Returns level and Ultra Points of a card with another text by the rules of the new edition; None if unknown."""


class Fate(enum.Enum):
    """What becomes of a card. The last four are left alone."""

    REFURBISHED = "refurbished"
    RELEVELLED = "re-levelled"
    UNCHANGED = "unchanged"
    DRAFTED = "drafted"
    PRUNED = "pruned"
    BANNED = "banned"
    LEFT = "left alone"
    UNJUDGED = "not judged"

    @property
    def is_migrated(self) -> bool:
        """Whether the card has the new Edition Indicator."""
        return self in (Fate.REFURBISHED, Fate.RELEVELLED, Fate.UNCHANGED, Fate.DRAFTED)


class MigratedCard(Struct, frozen=True, kw_only=True):
    """A card before and after. `reasons` say why it is left alone, `reworded` what became of its text if it is not.

    Of a draft, `reasons` are what became of its parts.

    `advice` is what its author can do about the reasons. `lacks_numbers` says that the rules of the new edition give it
    another level or other Ultra Points, and, if it is left alone, that this is the only reason.
    """

    before: Card
    after: Card
    fate: Fate
    reworded: Reworded
    reasons: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    lacks_numbers: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether anything of the card changed. The era of a card without edition is that of its set."""
        return replace(self.before, era=self.after.era, grammar=self.after.grammar) != self.after

    @property
    def is_to_be_designed_anew(self) -> bool:
        """Whether the rules do not allow the card as it is, and new numbers are no help."""
        return self.fate in (Fate.PRUNED, Fate.BANNED, Fate.LEFT) and not self.lacks_numbers

    @property
    def old_words(self) -> tuple[str, ...]:
        """The languages in which the card has a text of its own that is that of before: its author writes it anew."""
        is_new = self.after.text != self.before.text
        return tuple(each.language for each in self.before.words if each.text and is_new)

    @property
    def has_two_sides(self) -> bool:
        """Whether it is another card now, of which a page shows both."""
        return self.is_changed and self.fate.is_migrated


def migrated_cards(
    card_set: CardSet, edition: Edition, relevel: Relevel | None = None, *, draft: bool = False
) -> tuple[MigratedCard, ...]:
    """Return what becomes of the cards of a set, whether or not that can be written into its files.

    With `draft`, those that are to be designed anew become drafts, unless new numbers are all that they lack.
    """
    calculator = LevelCalculator(edition)
    way = Way(card_set.folder, calculator)
    migrated = (_migrated(card, calculator, relevel, way) for card in card_set.cards)
    cards = tuple(_if_judged(_without_losses(card, way), calculator) for card in migrated)
    drafter = Drafter(card_set, edition) if draft else None
    return tuple(_drafted(card, drafter) if drafter else card for card in cards)


def _drafted(card: MigratedCard, drafter: Drafter) -> MigratedCard:
    """Return a draft in place of a card that stays behind; the card itself if there can be none."""
    before = card.before
    drafted = drafter.draft(before) if card.is_to_be_designed_anew else None
    if drafted is None:
        return card
    change = Change(0, len(before.text), before.text, drafted.card.text, ())
    reworded = Reworded(drafted.card.text, (change,) if drafted.card.text != before.text else ())
    return MigratedCard(before=before, after=drafted.card, fate=Fate.DRAFTED, reworded=reworded, reasons=drafted.notes)


def numbers_of(edition: Edition) -> str:
    """Return which numbers of cards follow from the rules: "cost", "level", or "level or Ultra Points"."""
    has_ultra_points = edition.deck.ultra_points is not None or any(each.ultra_points for each in edition.components)
    return f"{stat_key('level', edition.grammar)}{' or Ultra Points' if has_ultra_points else ''}"


def by_rules(edition: Edition) -> Relevel:
    """Return a function that gives level and Ultra Points of cards by the rules."""
    calculator = LevelCalculator(edition)

    def numbers(card: Card, text: str) -> tuple[int, int] | None:
        derived = calculator.derive(replace(card, text=text, edition=edition.number))
        return (derived.level, derived.ultra_points) if derived and derived.is_sound else None

    return numbers


# --- cards ----------------------------------------------------------------------------------------------------------

_REVISED = ("K003", "K004", "K008")  # level, cost or Ultra Points of a text were revised: new numbers fix that


def _migrated(card: Card, calculator: LevelCalculator, relevel: Relevel | None, way: Way) -> MigratedCard:
    edition = calculator.edition
    if card.edition == edition.number:
        return MigratedCard(before=card, after=card, fate=Fate.UNCHANGED, reworded=Reworded(card.text))
    judged = design_of(card)
    judgement = judge_design(judged, edition)
    if card.written and judgement.reworded.text != card.text:
        # The new words of the rules are English, and its file is not.
        reason = f"a text has new words in the {ordinal(edition.number)} Edition"
        reason += f", and the card is written in `{card.written.language}`"
        return _left(card, Fate.LEFT, [reason], ["write the new words by hand, and the new edition"])
    stale = [each for each in judgement.objections if each.problem.code in _REVISED]
    # Tips, and pawns without numbers, have no level that could change.
    numbers = relevel(card, judgement.reworded.text) if relevel and card.level is not None else None
    grounds = [each for each in _grounds(card, edition, judgement) if each not in stale or numbers is None]
    if grounds:
        told = [each.problem.message for each in grounds]
        reasons = filter(None, (*told, way.refusal(card, told)))
        lacks_numbers = edition.levels is not None and all(each in stale for each in grounds)
        new_numbers = numbers_of(edition).replace(" or ", " and ")
        way_in = f"with --relevel it gets the {new_numbers} of the new rules; or design the card anew"
        advice = [way_in] if lacks_numbers and not relevel else [each.problem.hint for each in grounds]
        return replace(_left(card, _fate_of(grounds), reasons, advice), lacks_numbers=lacks_numbers)
    after = replace(card, text=judgement.reworded.text)
    if card.edition is not None or judged.is_played:  # a tip needs no Edition Indicator
        kind = next((each for each in edition.kinds if each.name == card.kind.value), card.kind)
        after = replace(after, edition=edition.number, era=edition.number, grammar=edition.grammar, kind=kind)
    if numbers is None:
        return _with_numbers_left_to_rules(card, after, judgement.reworded, calculator)
    after = replace(after, level=numbers[0], ultra_points=numbers[1])
    relevelled = bool(stale) or (after.level, after.ultra_points) != (card.level, card.ultra_points)
    return MigratedCard(before=card, after=after, fate=_fate(card, after, relevelled), reworded=judgement.reworded)


def _left(card: Card, fate: Fate, reasons: Iterable[str], advice: Iterable[str]) -> MigratedCard:
    """Return a card that stays as it is, with each reason and each advice once."""
    return MigratedCard(
        before=card,
        after=card,
        fate=fate,
        reworded=Reworded(card.text),
        reasons=tuple(dict.fromkeys(reasons)),
        advice=tuple(dict.fromkeys(filter(None, advice))),
    )


def _without_losses(card: MigratedCard, way: Way) -> MigratedCard:
    """Return the card, left alone if it would lose the sense of a component: the new edition has no successor of it."""
    losses = way.losses(card.before) if card.fate.is_migrated and card.before.edition != way.number else []
    reasons, advice = (each.reason for each in losses), (each.advice for each in losses)
    return _left(card.before, Fate.LEFT, reasons, advice) if losses else card


def _if_judged(card: MigratedCard, calculator: LevelCalculator) -> MigratedCard:
    """Return the card, left alone if no level follows from it by the new rules: nobody knows whether it is one of them."""
    number = calculator.edition.number
    has_level = card.after.level is not None and (card.after.has_stats)
    if not (card.fate.is_migrated and has_level and card.after.edition == number) or card.before.edition == number:
        return card
    obstacles = obstacles_to_numbers(card.after, calculator)
    reasons, advice = (each.message for each in obstacles), (each.hint for each in obstacles)
    return _left(card.before, Fate.UNJUDGED, reasons, advice) if obstacles else card


def _fate(before: Card, after: Card, relevelled: bool) -> Fate:
    if after.text != before.text:
        return Fate.REFURBISHED
    return Fate.RELEVELLED if relevelled else Fate.UNCHANGED


def _with_numbers_left_to_rules(
    card: Card, after: Card, reworded: Reworded, calculator: LevelCalculator
) -> MigratedCard:
    """Return the card with the numbers calculated that it leaves to the rules, or left alone if they do not follow."""
    auto = [key for key in AUTO if isinstance(node := card.node.get(key), Scalar) and node.value == "auto"]
    obstacles = obstacles_to_numbers(after, calculator) if auto and after.edition else ()
    if obstacles:
        what = " and ".join(f"`{key}: auto`" for key in auto)
        reasons = (f"{what} cannot be worked out: {each.message}" for each in obstacles)
        general = f"write numbers in place of {what}, or words that the rules of the edition know"
        return _left(card, Fate.LEFT, reasons, (each.hint or general for each in obstacles))
    derived = calculator.derive(after)
    numbers = (
        (derived.level, derived.ultra_points) if derived and derived.is_sound else (after.level, after.ultra_points)
    )
    if "level" in auto or OLD_NAMES["level"] in auto:
        after = replace(after, level=numbers[0])
    if "ultra_points" in auto:
        after = replace(after, ultra_points=numbers[1])
    is_new = (after.level, after.ultra_points) != (card.level, card.ultra_points)
    lacks_numbers = after.level is not None and (after.level, after.ultra_points) != numbers
    return MigratedCard(
        before=card, after=after, fate=_fate(card, after, is_new), reworded=reworded, lacks_numbers=lacks_numbers
    )


def _grounds(card: Card, edition: Edition, judgement: Judgement) -> list[Objection]:
    """Return why the card cannot be migrated: objections of the rules that new words do not remove."""
    found = [each for each in judgement.objections if not each.verdict.playable or each.problem.code in _REVISED]
    # Creatures became minions with the 12th Edition, and cards of one game have no level or cost in the other.
    other_game = card.grammar.cards is not edition.grammar.cards
    if other_game or (card.edition is not None and card.edition > edition.number):
        origin = f"of the {ordinal(card.edition)} Edition" if card.edition else "without Edition Indicator"
        message = f"a {card.kind.value} {origin} has no way to the {ordinal(edition.number)}"
        found = found or [objection(Legality.INVALID, "K007", message)]
    if judgement.reworded.open:
        rules = " and ".join(f"`{rule.old}`" for rule in judgement.reworded.open)
        found.append(objection(Legality.INVALID, "K007", f"the rules would go on rewording {rules} for ever"))
    return found


def _fate_of(grounds: Iterable[Objection]) -> Fate:
    verdicts = {each.verdict for each in grounds}
    if Legality.PRUNED in verdicts:
        return Fate.PRUNED
    return Fate.BANNED if Legality.BANNED in verdicts else Fate.LEFT


# --- the way between editions ---------------------------------------------------------------------------------------


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
        near = self._calculator.vocabulary.nearest(piece.role, piece.words.text)
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

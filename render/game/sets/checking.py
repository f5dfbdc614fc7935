"""Everything wrong or doubtful about sets: whether they can be drawn, and what the rules of their games find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.codes import EVERY_CODE, CodeChoice
from render.base.findings import Diagnostic, Found, Refused, has_errors
from render.base.forking import in_background
from render.base.lazily import joined, where
from render.base.progress import stage
from render.game import faces, registry
from render.game.cards import GameSet, SomeSet, homes
from render.game.known_cards import SoundCards
from render.game.side_layout import OddPages

_MIN_JUDGED = 50  # cards: fewer are judged in the time that a second process costs


class CheckReport(Struct, frozen=True):
    """Everything wrong or doubtful about sets: which of it the rules find, how many cards there are, and their pictures.

    `cards` is None if there are errors for which nothing can be made.
    """

    findings: tuple[Diagnostic, ...]
    by_rules: tuple[Diagnostic, ...] = ()
    cards: int | None = None
    pictures: frozenset[Path] = frozenset()


def check_read(
    sets: Sequence[GameSet],
    found: Iterable[Diagnostic],
    edition: int | None = None,
    sound: Callable[[GameSet], SoundCards] | None = None,
    codes: CodeChoice = EVERY_CODE,
    told: Found = lambda _: None,
    *,
    are_whole: bool = True,
) -> CheckReport:
    """Check sets and decks that were read with these findings, as `sources.check_sets` does.

    `sound` is as in `faces.findings`; of `codes` are the findings to report, and those are `told` as they come.
    Of sets that are not `are_whole`, nothing is said of what none of their cards shows.
    """
    remembered: dict[int, tuple[GameSet, SoundCards]] = {}

    def sound_of(card_set: GameSet) -> SoundCards:
        if id(card_set) not in remembered:
            assert sound
            remembered[id(card_set)] = card_set, sound(card_set)
        return remembered[id(card_set)][1]

    # What is wrong in every language is said once.
    made = [*found, *_by_drawing(sets, sound and sound_of, told)]
    # What cards give and nothing shows; of the cards of decks, their sets say it, and of variants, the cards as they are.
    own = [card_set for card_set in sets if not card_set.deck]
    plain = {each.folder for each in own if not each.variant.name}
    with stage("check", 0):
        unshown = (
            finding
            for each in own
            if are_whole and not (each.variant.name and each.folder in plain)
            for finding in each.codes.of_files(registry.game_of(each).unshown(each))
        )
        doubts = _beside(made, unshown)
    drawn = codes.of_files(dict.fromkeys([*made, *doubts]))
    known = {id(each): sound_of(each) for each in own} if sound and edition is None else {}
    waiting = [_without(each, known.get(id(each))) for each in sets]
    try:
        found = judge_sets([with_flawed(each) for each in waiting], edition)
    except Refused as refused:
        return CheckReport((*drawn, *refused.findings))
    if not found:
        for each in known.values():
            each.judged_all()
    ruled = codes.of_rules(found)
    # By origin: a set that is checked in several languages or variants has its cards once.
    cards: dict[Path, int] = {}
    for card_set in sets:
        cards[card_set.origin] = max(len(card_set.cards), cards.get(card_set.origin, 0))
    pictures = frozenset(each.file for card_set in sets for card in card_set.cards for each in card.pictures.values())
    return CheckReport((*drawn, *ruled), tuple(ruled), None if has_errors(drawn) else sum(cards.values()), pictures)


def _without(card_set: SomeSet, known: SoundCards | None) -> SomeSet:
    """Return a set without the cards in which the rules find nothing."""
    if known is None:
        return card_set
    return replace(card_set, cards=where(card_set.cards, lambda card: not known.is_lawful(card)))


def everything_wrong(sets: Iterable[GameSet], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return all that `check` would say of sets that cannot be made: `found` so far, drawing, and the rules."""
    sets = list(sets)
    return list(dict.fromkeys([*found, *_by_drawing(sets), *_said_by_rules([with_flawed(each) for each in sets])]))


def with_flawed(card_set: SomeSet) -> SomeSet:
    """Return a set for the rules: with those of its flawed cards whose mistakes are none of theirs."""
    return replace(card_set, cards=joined(card_set.cards, [each.card for each in card_set.flawed if each.judged]))


def _by_drawing(
    sets: Iterable[GameSet],
    sound: Callable[[GameSet], SoundCards] | None = None,
    told: Found = lambda _: None,
) -> Iterator[Diagnostic]:
    odd = OddPages()  # a game's template draws cards of several sets
    return (finding for card_set in sets for finding in odd.once(faces.findings(card_set, sound, told)))


_OF_WAYS = ("T001", "T002", "T003")
"""The codes of what a card stops at in a template: of ways that no card takes, they are warnings."""


def _beside(made: Iterable[Diagnostic], doubts: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return doubts without those about lines of templates at which a card stops already, and what is said already."""
    said = {(each.code, each.message, each.span) for each in made}
    stopped = {(each.span.file, each.span.line) for each in made if each.span and each.code in _OF_WAYS}
    at = ((each, each.span) for each in doubts if (each.code, each.message, each.span) not in said)
    return [each for each, span in at if not (span and each.code in _OF_WAYS and (span.file, span.line) in stopped)]


def judge_sets(sets: Sequence[GameSet], edition: int | None = None) -> list[Diagnostic]:
    """Return what the rules find in cards that can be drawn, each set by those of its own game.

    With a number, cards are checked against the rules of that edition. Refused if there are no such rules.
    """
    of_game: dict[str, list[GameSet]] = {}
    for each in sets:
        # A deck was judged while it was read, by the edition that it is of.
        for card_set in [each] if not each.deck else [] if edition is None else homes(each):
            of_game.setdefault(card_set.game_name, []).append(card_set)
    found = (finding for some in of_game.values() for finding in registry.game_of(some[0]).judge(some, edition))
    of_decks = (finding for each in sets if edition is None for finding in each.ruled)
    chosen = {card_set.folder: card_set.codes for some in of_game.values() for card_set in some if card_set.codes}
    with stage("check", sum(len(card_set.cards) for some in of_game.values() for card_set in some)):
        everything = dict.fromkeys([*of_decks, *found])
    return [each for each in everything if not chosen or _is_wanted(each, chosen)]


def _is_wanted(finding: Diagnostic, chosen: Mapping[Path, CodeChoice]) -> bool:
    """Return whether the keeper of the set in whose file a finding is wants to see it."""
    codes = chosen.get(finding.span.file.parent) if finding.span else None
    return codes is None or codes.wants(finding.code)


@contextmanager
def judge_in_background(
    sets: Sequence[GameSet], *, strict: str = "", worth: bool = True
) -> Iterator[Callable[[], Sequence[Diagnostic]]]:
    """Judge sets by the rules of their games, and give a function that returns the findings.

    A second process judges many cards meanwhile if it is `worth` its memory; else, and few of them, are judged when the
    function is called. With words for `strict`,
    all are judged at once; Refused, with these words, if the rules find anything.
    """
    if not strict:
        are_many = sum(len(card_set.cards) for card_set in sets) >= _MIN_JUDGED
        with in_background(lambda: [_said_by_rules(sets)], worth=worth and are_many) as results:
            yield partial(next, results, ())
        return
    found = _said_by_rules(sets)
    if found:
        raise Refused(found, strict)
    yield tuple


def _said_by_rules(sets: Sequence[GameSet]) -> list[Diagnostic]:
    """Return what the rules find, and what is wrong with the rules themselves."""
    try:
        return judge_sets(sets)
    except Refused as refused:
        return [*refused.findings]

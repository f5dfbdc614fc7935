"""Blank cards: the frames of a set's cards, to be filled in by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from render.base.findings import did_you_mean, listed
from render.game.folder import SET_FILE
from render.games.kotc.editions.finding import grammar_of, known, look_of, new_kinds
from render.games.kotc.files import keys
from render.games.kotc.files.keys import KINDS
from render.games.kotc.model.cards import AnyKind, Card, CardSet, Kind, indicator, ordinal
from render.games.kotc.model.edition import NewKind
from render.games.kotc.reading import frame_of
from render.source.nodes import Document
from render.source.nodes import Mapping as Nodes

NO_SET = CardSet(folder=Path("blank"), name="Blank cards")
"""The set for blank cards without a set: built-in templates, the built-in back and the default sheets."""


def blank_set(
    sets: Sequence[CardSet], counts: Mapping[str, int], edition: int | None, *, chosen: bool
) -> tuple[CardSet, str]:
    """Return a set with so many blank cards of each kind in place of its own, and a word about whose frames it took.

    `sets` are those that may lend their frames; without one, the program's own are taken. ValueError if there is no
    such kind, or the edition lacks it.
    """
    own = [each for each in sets if isinstance(each, CardSet)]  # of the sets here some may be of other games
    new = {kind.name: kind for each in own or [NO_SET] for kind in new_kinds(each.folder)}
    kinds = {_kind(word, new): count for word, count in counts.items()}
    card_set, said = _frames(own, kinds, edition, chosen=chosen)
    return _filled(card_set, kinds, edition or card_set.edition or known()[-1][0]), said  # or the newest


def _kind(word: str, new: Mapping[str, NewKind]) -> AnyKind:
    names = (*KINDS, *new)
    if word not in names:
        hint = did_you_mean(word, names)
        raise ValueError(f"expected {listed(names)}, found `{word}`{f': {hint}' if hint else ''}")
    return new[word] if word in new else Kind(word)


def _frames(
    sets: Sequence[CardSet], kinds: Iterable[AnyKind], edition: int | None, *, chosen: bool
) -> tuple[CardSet, str]:
    """Return the first set whose edition has all kinds that are asked for, or ours; and which, if there is a choice."""
    if not sets:
        return NO_SET, ""
    if len(sets) == 1 and (chosen or edition):
        return sets[0], ""
    fitting = [each for each in sets if not (_lacks(kinds, edition, each) or _lacks(kinds, each.edition, each))]
    if fitting and len(sets) > 1:
        of = indicator(edition or fitting[0].edition)
        taken = f"`{fitting[0].folder}`{of and f', {of}'}"
        return fitting[0], f"frames, backs and sheets of {taken}; for those of another set, give its folder"
    if not fitting and not chosen and not edition and not _lacks(kinds, known()[-1][0], NO_SET):
        return NO_SET, "built-in frames, backs and sheets: no set here is of an edition with such cards"
    return (fitting or sets)[0], ""


def _lacks(kinds: Iterable[AnyKind], edition: int | None, card_set: CardSet) -> bool:
    """Whether an edition lacks one of the kinds; none is lacking where the edition is still to be chosen."""
    return edition is not None and any(_wrong(kind, edition, card_set) for kind in kinds)


def _wrong(kind: AnyKind, edition: int, card_set: CardSet) -> str:
    """Return why an edition has no cards of that kind, and what to ask for; "" if it has."""
    if isinstance(kind, NewKind):
        if kind.name in (each.name for each in look_of(edition, card_set.folder)[1]):
            return ""
        return f"the {ordinal(edition)} Edition has no cards of the kind `{kind.name}`: ask for another edition with --edition"
    if wrong := keys.wrong_era(kind, edition, grammar_of(edition)):
        return f"{wrong[0]}: ask for `{wrong[2].value}`, or for another edition with --edition"
    return ""


def _filled(card_set: CardSet, counts: Mapping[AnyKind, int], edition: int) -> CardSet:
    for wrong in (_wrong(kind, edition, card_set) for kind in counts):
        if wrong:
            raise ValueError(wrong)
    name = card_set.name if card_set.source is None else f"{card_set.name}, blank cards"
    return replace(card_set, name=name, cards=tuple(_blank(card_set, *each, edition) for each in counts.items()))


def _blank(card_set: CardSet, kind: AnyKind, copies: int, edition: int) -> Card:
    """Return a card that says nothing; templates recognize it by its missing name."""
    # A blank card stands in no file, so nothing can be said about a place of it.
    nowhere = Nodes((), 0, 0)
    return Card(
        id=f"blank-{kind.value}",
        name="",
        kind=kind,
        edition=edition,
        era=edition,
        grammar=grammar_of(edition, card_set.folder),
        level=None,
        ultra_points=0,
        sp=None,
        hp=None,
        text="",
        flavor="",
        art=None,
        credit="",
        back=card_set.backs.of(kind),
        template=frame_of(kind, card_set.folder),
        copies=copies,
        document=Document(card_set.folder / SET_FILE, "", nowhere),
        node=nowhere,
    )

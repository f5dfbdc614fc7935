"""Cards with an error, when the others are made all the same: which they are, and the blanks in their place on sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from render.base.findings import Finding, Refused, has_errors, listed, sort_findings
from render.base.geometry import Size
from render.base.resources import TEMPLATES
from render.game import ids
from render.game.cards import NO_BACK, GameCard, GameSet, MissingCard, UnreadCard, home_of, on_sheets
from render.game.faces import Drawn, Faces, lay_out_possible
from render.images.inspect import Artwork
from render.layout.lay_out import lay_out
from render.layout.templates.template import Templates
from render.scene.items import Scene
from render.source.nodes import Mapping, Node
from render.source.nodes import Sequence as NodeSequence


class GoodCards(NamedTuple):
    """A set with its good cards, and the faces of all that is on its sheets, blanks included."""

    card_set: GameSet
    drawn: Drawn


def keep_good_cards(sets: Sequence[GameSet], findings: Iterable[Finding]) -> tuple[list[GoodCards], list[Finding]]:
    """Lay out sets that were read with these findings, with marked blanks for cards that have an error.

    Return everything that is wrong or doubtful, too. Refused with all of it if an error is no single card's, such as
    one in `set.yaml`, or if a set has no good card.
    """
    errors: list[Finding] = []
    doubts: list[Finding] = []
    for finding in findings:
        (errors if has_errors([finding]) else doubts).append(finding)
    drawn = [lay_out_possible(card_set) for card_set in sets]
    everything = list(dict.fromkeys([*errors, *doubts, *(finding for each in drawn for finding in each.findings)]))
    kept = [_with_blanks(card_set, each, errors) for card_set, each in zip(sets, drawn, strict=True)]
    if not all(each.card_set.cards for each in kept) or any(_is_of_no_card(error, sets) for error in errors):
        raise Refused(sort_findings(everything))
    return kept, sort_findings(everything)


def _with_blanks(card_set: GameSet, drawn: Drawn, errors: Sequence[Finding]) -> GoodCards:
    """Return a set with its good cards, and marked blanks for those that are wrong, in their places."""
    wrong = {_key(card): finding for card, finding in drawn.failed}
    for card in card_set.cards:
        own = next((error for error in errors if _is_at(card, error)), None)
        if own or _is_partly_lost(card.node):
            wrong.setdefault(_key(card), own or errors[0])
    taken = {card.id for card in card_set.cards}
    written: list[GameCard | UnreadCard] = [*card_set.cards]
    for unread in card_set.unread:
        if unread.number is not None:
            written.insert(unread.number, unread)
    missing: list[tuple[int, MissingCard]] = []
    for number, entry in enumerate(written):
        if isinstance(entry, UnreadCard):
            name = _free(entry.id if ids.is_id(entry.id) else f"card-{number + 1}", taken)
            taken.add(name)
            own = next((error for error in errors if entry.is_at(error.span)), errors[0])
            missing.append((number, _missing(entry, name, own)))
        elif _key(entry) in wrong:
            missing.append((number, _missing(entry, entry.id, wrong[_key(entry)])))
    good = tuple(card for card in card_set.cards if _key(card) not in wrong)
    kept = replace(card_set, cards=good, missing=tuple(missing))
    faces = {_key(each.card): each for each in drawn.faces}
    shown = (
        blank_faces(card, card_set.sheet.card_size) if isinstance(card, MissingCard) else faces[_key(card)]
        for card in on_sheets(kept)
    )
    return GoodCards(kept, Drawn(tuple(shown), drawn.findings))


def _key(card: GameCard) -> tuple[Path, str]:
    """Return what tells a card of a deck from all others: cards of two sets may have one id."""
    return home_of(card), card.id


def describe_missing(card_set: GameSet, waiting: Sequence[str] = ()) -> str:
    """Return which cards of a set are missing, and what else `waiting` outputs are not made for that; "" if none is."""
    if not card_set.missing:
        return ""
    number, names = len(card_set.missing), listed([card.id for _, card in card_set.missing], "and")
    has = "has an error and was not made" if number == 1 else "have an error and were not made"
    without = f"; without {'it' if number == 1 else 'them'}, there are no {' and no '.join(waiting)}" if waiting else ""
    return f"{number} of {number + len(card_set.cards)} cards {has}: {names}{without}"


def blank_faces(card: MissingCard, size: Size) -> Faces:
    """Return the marked blank of a missing card: both its sides say which card is missing there."""
    template = Templates((), (TEMPLATES / "sheets",)).get("missing-card")
    words = {"name": card.name, "code": card.code, "key": card.key, "width": size.width, "height": size.height}
    try:
        front = lay_out(template, {"card": words}, _no_picture)
    except Refused:  # a name in letters that no font of ours has, or that is too long
        front = lay_out(template, {"card": {**words, "name": card.id}}, _no_picture)
    return Faces(card, front, None if card.back == NO_BACK else Scene(front.size, front.items))


def _no_picture(href: str) -> Artwork:
    raise AssertionError(href)


def _missing(card: GameCard | UnreadCard, name: str, error: Finding) -> MissingCard:
    return MissingCard(
        id=name,
        name=card.name,
        back=card.back if isinstance(card, GameCard) else "",
        copies=card.copies,
        document=card.document,
        node=card.node if isinstance(card, GameCard) else Mapping((), 0, 0),
        code=error.code,
        key=error.field,
    )


def _free(name: str, taken: Iterable[str]) -> str:
    """Return an id that no card has, as near to `name` as can be."""
    numbered = (name if number == 1 else f"{name[: ids.LONGEST - 5]}-{number}" for number in range(1, 10_000))
    return next(each for each in numbered if each not in taken)


# --- whose error it is ----------------------------------------------------------------------------------------------


def _is_of_no_card(error: Finding, sets: Sequence[GameSet]) -> bool:
    return not any(
        any(unread.is_at(error.span) for unread in card_set.unread)
        or any(_is_at(card, error) for card in card_set.cards)
        for card_set in sets
    )


def _is_at(card: GameCard, error: Finding) -> bool:
    """Return whether the place of an error is in what is written of a card."""
    own, at = card.document.span(card.node), error.span
    return at is not None and at.file == own.file and own.line <= at.line <= own.end_line


def _is_partly_lost(node: Node) -> bool:
    """Return whether a part of a card could not be read, and was left out."""
    return any(isinstance(each, Mapping) and each.lost for each in _nodes(node))


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    inner = node.items if isinstance(node, NodeSequence) else ()
    for each in (value for _, value in node.entries) if isinstance(node, Mapping) else inner:
        yield from _nodes(each)

"""Cards with an error, when the others are made all the same: which they are, and the blanks in their place on sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Span, has_errors, listed, sort_findings
from render.base.geometry import Size
from render.base.resources import TEMPLATES
from render.game import ids
from render.game.cards import (
    NO_BACK,
    UNKNOWN_KIND,
    GameCard,
    GameSet,
    MissingCard,
    UnreadCard,
    home_of,
    on_sheets,
    size_of,
)
from render.game.faces import Drawn, Faces, lay_out_possible
from render.images.inspect import Artwork
from render.layout.lay_out import lay_out
from render.layout.templates.template import Templates
from render.scene.items import Scene
from render.source import nodes


class GoodCards(Struct, frozen=True):
    """A set with its good cards, and the faces of all that is on its sheets, blanks included."""

    card_set: GameSet
    drawn: Drawn


def keep_good_cards(
    sets: Sequence[GameSet], findings: Iterable[Diagnostic]
) -> tuple[list[GoodCards], list[Diagnostic]]:
    """Lay out sets that were read with these findings, with marked blanks for cards that have an error.

    Return everything that is wrong or doubtful, too. Refused with all of it if an error is no single card's, such as
    one in `set.yaml`, or if a set has no good card.
    """
    errors: list[Diagnostic] = []
    doubts: list[Diagnostic] = []
    for finding in findings:
        (errors if has_errors([finding]) else doubts).append(finding)
    drawn = [lay_out_possible(card_set) for card_set in sets]
    everything = list(dict.fromkeys([*errors, *doubts, *(finding for each in drawn for finding in each.findings)]))
    try:
        own = _own_errors(sets, errors)
    except Refused:
        raise Refused(sort_findings(everything)) from None
    kept = [_with_blanks(card_set, each, own) for card_set, each in zip(sets, drawn, strict=True)]
    if not all(each.card_set.cards for each in kept):
        raise Refused(sort_findings(everything))
    return kept, sort_findings(everything)


def _with_blanks(card_set: GameSet, drawn: Drawn, own: Mapping[Span, Diagnostic]) -> GoodCards:
    """Return a set with its good cards, and marked blanks for those that are wrong, in their places."""
    failed = {_key(card): finding for card, finding in drawn.failed}
    written: list[GameCard | UnreadCard] = [*card_set.cards]
    for unread in card_set.unread:
        if unread.number is not None:
            written.insert(unread.number, unread)
    taken = {card.id for card in card_set.cards}
    missing: list[tuple[int, MissingCard]] = []
    good: list[GameCard] = []
    for number, card in enumerate(written):
        if isinstance(card, UnreadCard):
            name = _free(card.id if ids.is_id(card.id) else f"card-{number + 1}", taken)
            taken.add(name)
            missing.append((number, _missing(card, name, own.get(card.span))))
        elif (error := failed.get(_key(card)) or own.get(card.document.span(card.node))) or _is_partly_lost(card.node):
            missing.append((number, _missing(card, card.id, error)))
        else:
            good.append(card)
    kept = replace(card_set, cards=tuple(good), missing=tuple(missing))
    faces = {_key(each.card): each for each in drawn.faces}
    shown = (
        blank_faces(card, size_of(card, card_set.sheet.card_size))
        if isinstance(card, MissingCard)
        else faces[_key(card)]
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
    text = f"{number} of {number + len(card_set.cards)} cards {has}: {names}"
    if waiting:
        *first, last = (f"no {output.removeprefix('a ')}" for output in waiting)
        there = "there is" if waiting[0].startswith("a ") else "there are"
        outputs = f"{', '.join(first)} and {last}" if first else last
        text += f"; without {'it' if number == 1 else 'them'}, {there} {outputs}"
    return text


def blank_faces(card: MissingCard, size: Size) -> Faces:
    """Return the marked blank of a missing card: both its sides say which card is missing there."""
    template = Templates((), (TEMPLATES / "sheets",)).get("missing-card")
    error = f"error {card.code}" if card.code else "error"
    said = f"{error} in {card.key}" if card.key else error
    # The name, the id or the key may be in letters that no font of ours has, or too long; the last words fit in any case.
    for name, words in product((card.name, card.id, "a card"), (said, error)):
        with suppress(Refused):
            shown = {"name": name, "error": words, "width": size.width, "height": size.height}
            front = lay_out(template, {"card": shown}, _no_picture)
            break
    return Faces(card, front, None if card.back == NO_BACK else Scene(front.size, front.items))


def _no_picture(href: str) -> Artwork:
    raise AssertionError(href)


def _missing(card: GameCard | UnreadCard, name: str, error: Diagnostic | None) -> MissingCard:
    return MissingCard(
        id=name,
        name=card.name,
        kind=card.kind if isinstance(card, GameCard) else UNKNOWN_KIND,
        back=card.back if isinstance(card, GameCard) else "",
        copies=card.copies,
        document=card.document,
        node=card.node if isinstance(card, GameCard) else nodes.Mapping((), 0, 0),
        code=error.code if error else "",
        key=error.field if error else "",
    )


def _free(name: str, taken: Iterable[str]) -> str:
    """Return an id that no card has, as near to `name` as can be."""
    numbered = (name if number == 1 else f"{name[: ids.LONGEST - 5]}-{number}" for number in range(1, 10_000))
    return next(each for each in numbered if each not in taken)


# --- whose error it is ----------------------------------------------------------------------------------------------


def _own_errors(sets: Sequence[GameSet], errors: Iterable[Diagnostic]) -> dict[Span, Diagnostic]:
    """Return the first error in what is written of each card, by the place of the card; Refused for any other error."""
    cards = {card.document.span(card.node) for card_set in sets for card in card_set.cards}
    unread = {each.span for card_set in sets for each in card_set.unread}
    own: dict[Span, Diagnostic] = {}
    for error in errors:
        begun = [place for place in cards | unread if error.span and _begins_before(place, error.span)]
        # What was read of a broken file may reach into the next card: the one that began last counts.
        whole = max(begun, key=lambda place: (place.line, place.column), default=None)
        if whole is None or error.span is None or error.span.line > max(whole.line, whole.end_line):
            raise Refused([error])
        own.setdefault(whole, error)
    return own


def _begins_before(card: Span, place: Span) -> bool:
    return (card.file, card.cell and card.cell.sheet) == (place.file, place.cell and place.cell.sheet) and (
        (card.line, card.column) <= (place.line, place.column)
    )


def _is_partly_lost(node: nodes.Node) -> bool:
    """Return whether a part of a card could not be read, and was left out."""
    return any(isinstance(each, nodes.Mapping) and each.lost for each in _inside(node))


def _inside(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a node and all nodes within it."""
    yield node
    items = node.items if isinstance(node, nodes.Sequence) else ()
    for inner in (value for _, value in node.entries) if isinstance(node, nodes.Mapping) else items:
        yield from _inside(inner)

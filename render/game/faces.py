"""The faces of a card: its values for the template, its picture, and the scenes made from them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Found, Refused, has_errors
from render.base.forking import FOR_ONE, Work, map_in_two_processes
from render.base.geometry import Size
from render.base.lazily import Lazily, OneOf, chosen, joined, thing_of, where, with_handles
from render.base.progress import stage
from render.base.spill import Spill
from render.game.cards import NO_BACK, GameCard, GameSet, SharedBack, cut_of, home_of, homes, shared_back
from render.game.home import home_folders
from render.game.registry import game_of
from render.game.side_layout import ODD_PAGE, LayOut, OddPages, OwnSides, Read, SetLayouter, Values
from render.layout.lay_out import FacePart, lay_out, lay_out_parts, validate
from render.layout.template_walk import Pictures
from render.layout.templates.template import Template
from render.scene import at_rest
from render.scene.items import Scene
from render.sheets.cut_shapes import HEXAGON, ROUND
from render.source.at_rest import DocumentAtRest
from render.text.font_book import FontBook
from render.text.font_roles import FontStyle

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from render.game.known_cards import SoundCards


class Faces(Struct, frozen=True):
    """A card with its two faces, or without a back. Cards with the same back share one scene, which is drawn once.

    `handle` is the card, or stands for it if it is at rest.
    """

    handle: GameCard | OneOf[GameCard]
    front: Scene
    back: Scene | None

    @property
    def card(self) -> GameCard:
        """The card."""
        return thing_of(self.handle)


def by_shape(faces: Iterable[Faces], usual: Size | None = None) -> dict[tuple[Size, str], list[Faces]]:
    """Return cards by trim size and cut, in order; rectangles of a `usual` size come first, even if there are none.

    Cards that lie are with those that stand, unless they are cut along a path, which is drawn for one of the two.
    """
    shapes: dict[tuple[Size, str], list[Faces]] = {(usual, ""): []} if usual else {}
    for face in faces:
        size, cut = face.front.size, cut_of(face.card)
        lying = size.sideways, cut
        is_among_them = lying in shapes and (not cut or cut in (ROUND, HEXAGON))
        shapes.setdefault(lying if is_among_them else (size, cut), []).append(face)
    return shapes


def cards_by_back(card_set: GameSet, backs: Mapping[str, Scene]) -> list[tuple[Scene, list[GameCard]]]:
    """Return each different one of the backs that cards share, drawn, with its cards.

    `backs` are drawn for the first card with each (`with_each_back`), by its id. Cards that lie may have that of others.
    """
    drawn = {shared_back(card, card_set): backs[card.id] for card in card_set.cards if card.id in backs}
    found: dict[object, tuple[Scene, list[GameCard]]] = {}
    for card in card_set.cards:
        if not card.has_own_back and (scene := drawn.get(shared_back(card, card_set))):
            found.setdefault((home_of(card), card.back, scene.size, scene.cut), (scene, []))[1].append(card)
    return list(found.values())


class Drawn(Struct, frozen=True):
    """The faces of a set's cards in order, and the warnings about them.

    `failed` are the cards that could not be drawn, each with its first error, `doubtful` the ids of those that gave a warning.
    `noted` is what was noted of cards' own sides, by their ids.
    """

    faces: tuple[Faces, ...]
    findings: tuple[Diagnostic, ...]
    failed: tuple[tuple[GameCard, Diagnostic], ...] = ()
    doubtful: tuple[str, ...] = ()
    noted: Mapping[str, Any] = {}


def _as_laid_out(scene: Scene, _is_back: bool = False) -> Scene:
    return scene


class Finish(Struct, frozen=True):
    """What is made of a card's own side once it is laid out, such as its drawing.

    `draw` is told whether the side is a back; another process may do it, and sends what it returns. `keep` gives the face
    that stands for that in this process. `lay_out` lays out a template, unless it knows what that gives.
    """

    draw: Callable[[Scene, bool], Any] = _as_laid_out
    keep: Callable[[Any], Scene] = _as_laid_out
    lay_out: LayOut = lay_out
    note: Callable[[GameCard, OwnSides], Any] | None = None
    """Returns what is to be known of a card's own sides as they were laid out."""
    known: Callable[[GameSet], Mapping[str, OwnSides]] | None = None
    """Returns the finished sides of cards of a set that are known, by their ids: nothing is wrong with them."""
    remember: Callable[[GameSet, Mapping[str, OwnSides]], object] | None = None
    """Is given those that were finished now."""


def usual_finish(card_set: GameSet) -> Finish:
    """Return what keeps the scenes of many cards out of memory, and those of a few cards as they are."""
    is_large = len(card_set.cards) > at_rest.MANY
    return Finish(at_rest.pack, partial(at_rest.put_to_rest, Spill())) if is_large else Finish()


def lay_out_set(card_set: GameSet, finish: Finish | None = None, *, executor: Executor | None = None) -> Drawn:
    """Lay out every card of a set; Refused with all errors and warnings of all cards.

    The workers of an executor see the files of the set under the same paths, and `finish` must be picklable for them.
    """
    drawn = lay_out_possible(card_set, finish, executor)
    if has_errors(drawn.findings):
        raise Refused(drawn.findings)
    return drawn


def lay_out_valid(card_set: GameSet) -> tuple[Faces, ...]:
    """Lay out every card of a set, and leave out cards with an error."""
    return lay_out_possible(card_set).faces


def lay_out_named(card_set: GameSet, card: GameCard, name: str) -> tuple[Scene | None, list[Diagnostic]]:
    """Return what a template or a picture draws that is named as the back of a card is, and what is found; None if wrong."""
    part = next(part for part in homes(card_set) if part.folder == home_of(card))
    layouter = SetLayouter(part, lay_out)
    return layouter.noted(partial(layouter.tried, layouter.laid_out_back), replace(card, back=name))


def own_letters(card_set: GameSet, face: str) -> str:
    """Return a bundled face that is bold, with the fonts of a set and its game for letters that it lacks."""
    game = game_of(card_set)
    book = FontBook(home_folders(card_set, game.folder), game.font_roles, card_set.language)
    return book.filling(face, FontStyle(weight=700.0))


def lay_out_possible(card_set: GameSet, finish: Finish | None = None, executor: Executor | None = None) -> Drawn:
    """Lay out every card of a set or a deck that has no error; after one on one side, the other is still checked."""
    drawn = []
    for part in homes(card_set):
        how = finish or usual_finish(part)
        drawn.append(_drawn_set(SetLayouter(part, how.lay_out), how, OddPages(), executor))
    if not card_set.deck:
        return drawn[0]
    faces = {_key(each.card): each for part in drawn for each in part.faces}
    ordered = tuple(faces[_key(card)] for card in card_set.cards if _key(card) in faces)
    findings = tuple(finding for part in drawn for finding in part.findings)
    return Drawn(ordered, findings, tuple(each for part in drawn for each in part.failed))


def _key(card: GameCard) -> tuple[Path, str]:
    """Return what tells a card of a deck from all others: cards of two sets may have one id."""
    return home_of(card), card.id


def _drawn_set(
    layouter: SetLayouter,
    finish: Finish,
    odd: OddPages,
    executor: Executor | None = None,
    is_wanted: Callable[[GameCard], bool] = lambda _card: True,
) -> Drawn:
    """Lay out the own sides of the cards that are wanted, and the backs that all of them share."""
    card_set = layouter.set
    faces: list[Faces] = []
    found, doubtful = layouter.lost_layers(), list[str]()
    failed: list[tuple[GameCard, Diagnostic]] = []
    # What is wrong with a back is said once, with the first card that has it.
    of_backs: dict[str, list[Diagnostic]] = {}

    here = partial(_own_sides, layouter, finish)

    def keep(card: GameCard, made: MadeOfCard) -> OfCard:
        if executor and has_errors(made.found):  # perhaps a worker does not see a file
            made = next(here([card]))
        layouter.depend_on(made.read)
        front, own = made.sides
        return OfCard((front and finish.keep(front), own and finish.keep(own)), made.found or (), made.noted)

    known = finish.known(card_set) if finish.known else {}
    waiting = where(card_set.cards, lambda card: card.id not in known and is_wanted(card))
    if executor:
        drawn = iter(_by_workers(executor, replace(card_set, cards=waiting), finish, keep))
    else:
        drawn = iter(_in_two_processes(here, waiting, keep, _AT_ONCE))
    sound: dict[str, OwnSides] = {}
    noted: dict[str, Any] = {}
    for card, handle in with_handles(card_set.cards):
        if card.id in known:
            made = OfCard(known[card.id], (), None)
        else:
            made = next(drawn) if is_wanted(card) else _NOTHING
            if made.noted:
                noted[card.id] = made.noted
            if finish.remember and not made.found:
                sound[card.id] = made.sides
        front, own = made.sides
        back, of_back = (own, []) if card.has_own_back else layouter.noted(layouter.shared_back, card)
        if told := odd.once([*made.found, *of_back]):
            doubtful.append(card.id)
            found += told
        errors = [each for each in (*made.found, *of_backs.setdefault(card.back, of_back)) if has_errors([each])]
        if front and (back or card.back == NO_BACK):
            faces.append(Faces(handle, front, back))
        elif errors:
            failed.append((card, errors[0]))
    # What is odd about a template is told with one card, and would not be if that were not laid out.
    if finish.remember and not any(each.span and each.span.file.suffix == ".svg" for each in found):
        finish.remember(card_set, sound)
    return Drawn(tuple(faces), tuple(card_set.codes.of_files(found)), tuple(failed), tuple(doubtful), noted)


class OfCard(NamedTuple):
    """The own sides of a card, what is wrong or doubtful about them, and what was noted of them."""

    sides: OwnSides
    found: Sequence[Diagnostic]
    noted: Any


_NOTHING = OfCard((None, None), (), None)


class MadeOfCard(NamedTuple):
    """The same, with what `Finish.draw` returns of the sides.

    With the last of several cards comes what templates have `read` in the process that laid them out.
    """

    sides: tuple[Any, Any]
    found: Sequence[Diagnostic]
    noted: Any
    read: Read


def _own_sides(layouter: SetLayouter, finish: Finish, cards: Sequence[GameCard]) -> Iterator[MadeOfCard]:
    for left, card, (sides, found) in zip(range(len(cards))[::-1], cards, layouter.own_sides(cards), strict=True):
        read = {} if left else layouter.read()
        front, own = sides
        # In the process that laid it out: a drawing is smaller than what it was made of.
        drawn = front and finish.draw(front, False), own and finish.draw(own, True)
        yield MadeOfCard(drawn, found, finish.note and finish.note(card, sides), read)


def _by_workers(
    executor: Executor, card_set: GameSet, finish: Finish, keep: Callable[[GameCard, MadeOfCard], OfCard]
) -> list[OfCard]:
    from render.base.executors import map_by_workers

    # Of the file of a card, they are sent the text and the card.
    cards = Lazily(card_set.cards, _sent)
    bare = replace(card_set, cards=(), flawed=(), unread=(), missing=())
    # What lays out shared backs, which is done here, may know this machine.
    work = partial(_sides_at_worker, bare, Finish(finish.draw, _unkept, note=finish.note))
    return _in_two_processes(work, cards, keep, mapped=partial(map_by_workers, executor))


def _sent(card: GameCard) -> GameCard:
    at_rest = isinstance(card.document, DocumentAtRest)
    return card if at_rest else replace(card, document=replace(card.document, root=card.node))


def _unkept(made: Any) -> Scene:
    raise AssertionError(made)


def _sides_at_worker(card_set: GameSet, finish: Finish, cards: Sequence[GameCard]) -> Iterator[MadeOfCard]:
    # A thread of this process must not leave out what another part had, which may be lost.
    return _own_sides(SetLayouter(card_set, lay_out), replace(finish, draw=deepcopy(finish.draw)), cards)


class Redrawn(Struct, frozen=True):
    """The result of laying out some cards of a set: their faces by id, all shared backs, and the warnings.

    `doubtful` are the cards that gave a warning. `read` are the files that each template, by name, depended on: its
    own, those it asks for, the pictures that it names, and places where another template would take precedence.
    `noted` is what was noted of cards' own sides, by their ids.
    """

    faces: Mapping[str, Faces]
    backs: Mapping[SharedBack, Scene]
    findings: tuple[Diagnostic, ...]
    doubtful: tuple[str, ...]
    read: Mapping[str, tuple[Path, ...]]
    noted: Mapping[str, Any]


def redraw(
    card_set: GameSet,
    ids: Container[str],
    others: Container[str] = (),
    missed: Callable[[Read], Container[str]] = lambda _: (),
    finish: Finish | None = None,
) -> Redrawn:
    """Lay out the cards with these ids, and every shared back; Refused with all errors of all of them.

    `others` are laid out too, one by one, as long as templates are `missed`, which asked for more files before than
    now. `finish` says what is made of sides, other than what `usual_finish` does. In a deck, no two cards have one id.
    """
    drawn: list[Redrawn] = []
    findings: list[Diagnostic] = []
    for part in homes(card_set):
        try:
            drawn.append(_redrawn_set(part, ids, others, missed, finish or usual_finish(part)))
        except Refused as refused:  # the other sets are laid out all the same
            findings += refused.findings
    if findings:
        raise Refused([*(each for part in drawn for each in part.findings), *findings])
    return drawn[0] if len(drawn) == 1 else _together(drawn)


def _together(drawn: Sequence[Redrawn]) -> Redrawn:
    """Return the parts of a deck as one; templates of one name depend on the files of all of them."""
    read: dict[str, tuple[Path, ...]] = {}
    for part in drawn:
        for name, files in part.read.items():
            read[name] = (*read.get(name, ()), *files)
    return Redrawn(
        {name: face for part in drawn for name, face in part.faces.items()},
        {name: back for part in drawn for name, back in part.backs.items()},
        tuple(finding for part in drawn for finding in part.findings),
        tuple(name for part in drawn for name in part.doubtful),
        read,
        {name: noted for part in drawn for name, noted in part.noted.items()},
    )


def _redrawn_set(
    card_set: GameSet,
    ids: Container[str],
    others: Container[str],
    missed: Callable[[Read], Container[str]],
    finish: Finish,
) -> Redrawn:
    layouter, odd = SetLayouter(card_set, finish.lay_out), OddPages()
    drawn = _drawn_set(layouter, finish, odd, is_wanted=lambda card: card.id in ids)
    faces, noted = {each.card.id: each for each in drawn.faces}, {**drawn.noted}
    layouter.findings = []
    waiting = where(card_set.cards, lambda card: card.id in others and card.id not in ids)
    for card, sides in layouter.sides_while(waiting, missed):
        front, own = sides
        faces[card.id] = Faces(card, front, own if card.has_own_back else layouter.shared_back(card))
        if finish.note:
            noted[card.id] = finish.note(card, sides)
    found = (*drawn.findings, *card_set.codes.of_files(odd.once(layouter.findings)))
    if has_errors(found):
        raise Refused(found)
    backs = {(card_set.folder, *back): scene for back, scene in layouter.backs.items() if scene}
    return Redrawn(faces, backs, found, drawn.doubtful, layouter.read(), noted)


class CardParts(NamedTuple):
    """A card's own sides and the back that it shares, and what the elements of their templates drew, in order."""

    front: Scene | None
    own_back: Scene | None
    shared_back: Scene | None
    parts: list[FacePart]


def sides_with_parts(card_set: GameSet, cards: Sequence[GameCard]) -> Iterator[CardParts]:
    """Lay cards out one by one, with their parts; those of a shared back come with the first card that has it."""
    parts: list[FacePart] = []

    def lay_out_noted(template: Template, values: Values, pictures: Pictures, _doubts: list[Diagnostic]) -> Scene:
        scene, drawn = lay_out_parts(template, values, pictures)
        parts.extend(drawn)
        return scene

    layouter = SetLayouter(card_set, lay_out_noted)
    for card, ((front, own), _) in zip(cards, layouter.own_sides(cards), strict=True):
        yield CardParts(front, own, layouter.shared_back(card), [*parts])
        parts.clear()


class CardFaces:
    """Lays out single cards of a set whenever asked, and keeps templates and backs for the next ones.

    It stays right as long as templates and everything in `set.yaml` but the cards stay as they are.
    """

    def __init__(self, card_set: GameSet) -> None:
        self._layouter = SetLayouter(card_set, lay_out)
        self._of_backs: dict[str, list[Diagnostic]] = {}

    def faces(self, card: GameCard) -> tuple[Faces | None, list[Diagnostic]]:
        """Return the faces of a card, None if they cannot be drawn, and what is wrong or doubtful about them."""
        layouter = self._layouter
        layouter.odd_pages.clear()  # each card tells: it may be the only one that is left
        (front, back), found = layouter.noted(layouter.sides, card)
        if not card.has_own_back:
            back, of_back = layouter.noted(layouter.shared_back, card)
            found = [*found, *self._of_backs.setdefault(card.back, of_back)]
        return (Faces(card, front, back) if front and (back or card.back == NO_BACK) else None), found

    def parts(self, card: GameCard, side: int) -> tuple[Size, list[FacePart]]:
        """Return the size of the template of a side, and what each of its elements drew; Refused as in `lay_out_set`.

        The front is side 0; a back that is the card's own is side 1.
        """
        listed: list[tuple[Size, list[FacePart]]] = []

        def list_parts(template: Template, values: Values, pictures: Pictures, _doubts: list[Diagnostic]) -> Scene:
            scene, parts = lay_out_parts(template, values, pictures)
            listed.append((scene.size, parts))
            return Scene(scene.size, ())

        SetLayouter(self._layouter.set, list_parts, self._layouter.templates).side(card, side)
        return listed[-1]

    def read(self) -> frozenset[Path]:
        """Return the files that templates depended on so far: their own, and pictures that they name."""
        return frozenset(file for files in self._layouter.read().values() for file in files)


def findings(
    card_set: GameSet, sound: Callable[[GameSet], SoundCards] | None = None, found: Found = lambda _: None
) -> list[Diagnostic]:
    """Return all errors and warnings that drawing the cards of a set or a deck would give, without drawing them.

    Flawed cards are tried, too, without what is wrong with them. `sound` gives what is remembered of a set. `found` is
    told of findings as they come.
    """
    parts = homes(card_set)
    return [finding for part in parts for finding in _findings_in(part, sound(part) if sound else None, found)]


_AT_ONCE = 64  # cards whose findings are told together


def _findings_in(card_set: GameSet, sound: SoundCards | None, told: Found) -> list[Diagnostic]:
    layouter = SetLayouter(card_set, validate)
    found, so_far = layouter.lost_layers(), list[Diagnostic]()
    cards = joined(card_set.cards, [each.card for each in card_set.flawed])

    def tell(of_cards: Iterable[Sequence[Diagnostic]]) -> None:
        of_own = [each for some in of_cards for each in some]
        so_far.extend(of_own)
        told(card_set.codes.of_files(each for each in of_own if each.code != ODD_PAGE))

    def judged(card: GameCard, of_own: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
        if sound is not None:
            # What is odd about a template is said once, with its first card, which may be another one next time.
            sound.judged(card, is_sound=not (of_own or layouter.odd or layouter.odd_pages))
        return of_own or ()  # which is the same for all

    waiting = [number for number, card in enumerate(cards) if sound is None or not sound.has(card)]
    try:
        of_sides = _in_two_processes(layouter.findings_of_sides, chosen(cards, waiting), judged, _AT_ONCE, tell)
    except BaseException:
        if sound is not None:  # whoever listens may have heard enough, and asks again
            sound.end(so_far)
        raise
    of_own = {number: found for number, found in zip(waiting, of_sides, strict=True) if found}
    for number, card in enumerate(cards):
        found += [*of_own.get(number, ()), *layouter.noted(layouter.shared_back, card)[1]]
    if sound is not None:
        sound.end(found)
    return card_set.codes.of_files(OddPages().once(found))


Made = TypeVar("Made")
Result = TypeVar("Result")


def _in_two_processes(
    work: Work[GameCard, Made],
    cards: Sequence[GameCard],
    keep: Callable[[GameCard, Made], Result],
    size: int = 0,
    tell: Callable[[Sequence[Result]], object] = lambda _: None,
    mapped: Callable[..., Iterator[Made]] = map_in_two_processes,
) -> list[Result]:
    """Return what `work` makes of each card, as this process is to `keep` it, in order.

    Two processes work on many cards, or what `mapped` says. Of `FOR_ONE` cards, those with the same picture go to the same
    process, so that each picture is decoded once. With a `size`, what is made of so many cards comes, and is told, at once.
    """
    firsts: dict[str, int] = {}
    for number, card in enumerate(cards):
        firsts.setdefault(card.main_picture, number)
    order = sorted(range(len(cards)), key=lambda number: (number // FOR_ONE, firsts[cards[number].main_picture]))
    kept: list[Any] = [None] * len(cards)
    last: list[Result] = []
    with stage("lay out", len(cards), "cards") as step:
        ordered = chosen(cards, order)
        for number, card, each in zip(order, ordered, mapped(work, ordered, step, size), strict=True):
            kept[number] = keep(card, each)
            last.append(kept[number])
            if len(last) >= (size or len(cards)):
                tell(last)
                last.clear()
    tell(last)
    return kept

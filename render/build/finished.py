"""The faces and pages of a set's sheets: those that the store has from before, and those that are drawn now, for it to keep.

A page that the store has needs no faces: so after one change, a sheet is drawn, and all others are copied.

Of sheets for a press, whose cards are laid out apart, only `kotc pdf` keeps faces, and none for files without transparency. It
keeps the built-in back as well, which is the same on the cards of all sets.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from render.base.findings import Diagnostic
from render.base.geometry import Affine
from render.base.lazily import with_handles
from render.base.resources import is_ours
from render.build.context import BuildContext
from render.build.inputs import Inputs
from render.exports.print_files import SizedJob, cards_of_sheets, drawn_for, grid_of, slug
from render.game.cards import GameCard, GameSet, MissingCard, SharedBack, shared_back, size_of
from render.game.faces import Faces, Finish
from render.game.side_layout import OwnSides
from render.layout.lay_out import lay_out
from render.layout.template_walk import Pictures
from render.layout.templates.template import Template
from render.scene.items import DrawnFace, Scene
from render.sheets.imposition import Sheet
from render.sheets.options import USUAL, Backs, SheetOptions

if TYPE_CHECKING:
    from render.build.outputs import Keys
    from render.build.store import Finished, IsUnchanged, Store
    from render.pdf.document import DrawnPage
    from render.pdf.objects import Piece
    from render.pdf.spool import Spool

Sides = tuple[DrawnFace, DrawnFace | None]
"""A card's front, and its back if that is its own."""


PageNumber = tuple[int, bool]
"""A side of a sheet: the number of the sheet, from 0, and whether it is the back."""


PageKeys = Mapping[int, Mapping[PageNumber, bytes]]
"""Digests of all that the sides of sheets depend on, by the number of the sheet, of those that can be kept.

The store has one page for each side of a sheet in a folder of outputs, and lets go of that once it has another.
"""


class FoundPages(NamedTuple):
    """Pages of the sheets of cards of one size that the store has, among the pieces of a spool.

    `cards` are the ids of those that are on no other pages. `keys` are those of all sheets, unless they are to be made anew.
    """

    spool: Spool
    names: Mapping[PageNumber, bytes]
    cards: frozenset[str]
    keys: PageKeys


class Found(NamedTuple):
    """What the store has of a set's sheets: own sides of cards by id, and pages by the suffix of their file.

    Of the cards `on_pages`, nothing but the back that they share is needed.
    """

    sides: Mapping[str, Sides] = {}
    pages: Mapping[str, FoundPages] = {}
    on_pages: Container[str] = frozenset()

    def without_keys(self) -> Found:
        """Return it with keys of pages to be made anew, since they depend on other files than was thought."""
        return self._replace(pages={suffix: each._replace(keys={}) for suffix, each in self.pages.items()})


def find(
    context: BuildContext,
    card_set: GameSet,
    sized: Sequence[SizedJob],
    on_stale: set[str],
    known: Mapping[str, object],
    keys: Keys,
    correction: Affine,
) -> Found:
    """Return what the store has of the cards `on_stale` sheets.

    `sized` are the cards of all sheets by size, and `known` those that are made from the same things as before.
    """
    pages = find_pages(context, sized, known, keys, correction) if on_stale else {}
    with_own = {card.id for card in card_set.cards if card.has_own_back}  # a file says of which card each is
    on_pages = {name for each in pages.values() for name in each.cards} - with_own
    return Found(
        find_sides(context.store, card_set, on_stale & known.keys() - on_pages, keys, context.inputs), pages, on_pages
    )


def page_keys(sized: SizedJob, keys: Keys, correction: Affine) -> PageKeys:
    """Return the keys of the pages of sheets that show no blanks. Of faces, only the sizes are looked at."""
    job, options, _ = sized
    on_sheets = cards_of_sheets(job, grid_of(job, options, correction))
    made_of = {
        name: (name, keys.sides(face.card), "" if face.card.has_own_back else keys.shared_back(face.card))
        for name, face in zip(job.names, job.faces, strict=True)
        if not isinstance(face.card, MissingCard)
    }
    shared = _digest((options, job.cut, correction, slug(job, options), len(on_sheets)))
    sides = (False, True) if options.backs in (Backs.DUPLEX, Backs.SEPARATE) else (False,)

    def key(at: PageNumber, names: Sequence[str]) -> bytes:
        return _digest((shared, at, [made_of[name] for name in names]))

    return {
        number: {(number, is_back): key((number, is_back), names) for is_back in sides}
        for number, names in enumerate(on_sheets)
        if made_of.keys() >= {*names}
    }


def _place_of(folder: Path, sized: SizedJob, at: PageNumber) -> bytes:
    """Return by which key the store has a page of sheets in a folder of outputs."""
    return _digest((os.path.abspath(folder), sized.suffix, at))  # noqa: PTH100 - pathlib has no such function


def find_pages(
    context: BuildContext, of_sizes: Sequence[SizedJob], known: Container[str], keys: Keys, correction: Affine
) -> dict[str, FoundPages]:
    """Return what the store has of pages with `known` cards alone, by the suffix of the file of their cards' size."""
    from render.pdf.spool import Spool

    found: dict[str, FoundPages] = {}
    if context.store is None:
        return found
    for sized in of_sizes:
        if sized.options.for_press:
            continue
        of_sheets = page_keys(sized, keys, correction)
        ids = dict(zip(sized.job.names, (face.card.id for face in sized.job.faces), strict=True))
        grid = grid_of(sized.job, sized.options, correction)
        on_sheets = [[ids[name] for name in names] for names in cards_of_sheets(sized.job, grid)]
        of_known = [sides for number, sides in of_sheets.items() if all(name in known for name in on_sheets[number])]
        places = {at: _place_of(context.folder, sized, at) for sides in of_known for at in sides}
        said = {places[at]: key for sides in of_known for at, key in sides.items()}
        spool = Spool()
        kept = context.store.find(places, spool, is_as_it_was(context.inputs), said)
        names = {at: name for at, (name, _) in kept.items()}
        whole = {number for number, sides in of_sheets.items() if names.keys() >= sides.keys()}
        names = {at: name for at, name in names.items() if at[0] in whole}
        others = {name for number, ids_on_it in enumerate(on_sheets) if number not in whole for name in ids_on_it}
        found[sized.suffix] = FoundPages(spool, names, frozenset(ids.values()) - others, of_sheets)
    return found


class KnownPages:
    """The pages of the sheets of one size: those that were found, and others, which the store is to keep."""

    def __init__(self, context: BuildContext, sized: SizedJob, found: FoundPages | None, keys: PageKeys) -> None:
        from render.pdf.spool import Spool

        self._context, self._sized, self._found, self._keys = context, sized, found, keys
        self._made: dict[bytes, Finished] = {}
        self._spool = Spool()

    def find(self, number: int, *, is_back: bool) -> DrawnPage | None:
        """Return a side of a sheet, if it was found."""
        from render.pdf.document import DrawnPage

        name = self._found.names.get((number, is_back)) if self._found else None
        return DrawnPage(self._found.spool, name) if self._found and name else None

    def keep(self, number: int, sheet: Sheet, page: Piece, *, is_back: bool) -> None:
        """Keep what a side of a sheet was drawn as, together with the forms of the fronts on it."""
        from render.build.store import Finished

        key = self._keys.get(number, {}).get((number, is_back))
        if key is None:
            return
        self._spool.add(page)
        fronts = {each.face.form[1] for each in sheet.front if isinstance(each.face, DrawnFace)}
        place = _place_of(self._context.folder, self._sized, (number, is_back))
        self._made[place] = Finished(self._spool, page.name, key, {*fronts, *(part.name for part in page.parts)})
        if len(self._made) == _PAGES_AT_ONCE:
            self.end()

    def end(self) -> None:
        """Have the store keep what it was not given yet."""
        from render.pdf.spool import Spool

        if self._made and self._context.store:
            self._context.store.keep(self._made)
        self._made.clear()
        self._spool = Spool()  # what it had is in the store


_PAGES_AT_ONCE, _FACES_AT_ONCE = 64, 1024


def is_as_it_was(inputs: Inputs) -> IsUnchanged:
    """Return what tells whether a file still has some SHA-256."""
    return lambda file, digest: inputs.peek(inputs.labels.label(file)) == digest


def find_sides(
    store: Store | None, card_set: GameSet, names: Collection[str], keys: Keys, inputs: Inputs
) -> dict[str, Sides]:
    """Return the own sides of the cards with these ids, of all that the store has."""
    if store is None or card_set.sheet.for_press:
        return {}
    wanted = {card.id: card for card in card_set.cards if card.id in names}
    asked = {
        f"{side} {name}": key
        for name, card in wanted.items()
        for side, key in enumerate(_keys(card, keys, card_set.sheet))
    }
    from render.pdf.spool import Spool

    found = store.find_faces(asked, Spool(), is_as_it_was(inputs))
    return {
        name: (found[f"0 {name}"], found.get(f"1 {name}"))
        for name, card in wanted.items()
        if f"0 {name}" in found and (f"1 {name}" in found or not card.has_own_back)
    }


def found_faces(card_set: GameSet, found: Found, backs: Mapping[SharedBack, Scene]) -> dict[str, Faces]:
    """Return the faces of cards whose sides were found, and blank ones, but for the backs, of those on pages that were."""
    faces: dict[str, Faces] = {}
    for card, handle in with_handles(card_set.cards):
        if card.id in found.sides or card.id in found.on_pages:
            blank = Scene(size_of(card, card_set.sheet.card_size), ())
            front, own = found.sides.get(card.id) or (blank, None)
            faces[card.id] = Faces(handle, front, own or backs.get(shared_back(card, card_set)))
    return faces


def finish(
    store: Store | None, card_set: GameSet, drawn: Mapping[str, Faces], found: Mapping[str, Faces], keys: Keys
) -> dict[str, Faces]:
    """Return the faces that were laid out and those that were found as sheets print them; the store keeps the former."""
    drawing = None if card_set.sheet.for_press else drawn_for(card_set.sheet)
    if store is None or drawing is None:
        return {**drawn}
    sheet, finished, kept = card_set.sheet, {**found}, dict[bytes, DrawnFace]()
    for name, faces in drawn.items():
        card, front = faces.card, _drawn(drawing, faces.front, is_back=False)
        own = _drawn(drawing, faces.back, is_back=True) if faces.back and card.has_own_back else None
        finished[name] = faces if front is faces.front else Faces(faces.handle, front, own or faces.back)
        kept.update(zip(_keys(card, keys, sheet), (front, own) if own else (front,), strict=False))
        if len(kept) >= _FACES_AT_ONCE:
            store.keep_faces(kept)
            kept.clear()
    store.keep_faces(kept)
    return finished


def _keys(card: GameCard, keys: Keys, sheet: SheetOptions) -> list[bytes]:
    """Return the keys of a card's own sides: digests of all that they are made from, and of how sheets print them."""
    sides = [("front", sheet.bleed), ("back", sheet.back_bleed)][: 1 + card.has_own_back]
    return [_key(keys.sides(card), side, sheet) for side in sides]


def _key(made_of: object, side: tuple[str, float], sheet: SheetOptions) -> bytes:
    how = (
        sheet.bleed_from,
        sheet.proof.value,
        sheet.corner_radius,
        sheet.art_dpi,
        sheet.standard.value,
        sheet.rich_black,
    )
    return _digest((made_of, side, how))


def _digest(value: object) -> bytes:
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).digest()


def _drawn(drawing: Finish, face: Scene, *, is_back: bool) -> DrawnFace:
    if isinstance(face, DrawnFace):
        return face
    drawn = drawing.keep(drawing.draw(face, is_back))
    assert isinstance(drawn, DrawnFace)
    return drawn


def finish_with_store(drawing: Finish, sheet: SheetOptions, store: Store) -> Finish:
    """Return what draws the sides of sets for such sheets as they are laid out, and keeps them in a store.

    Kept are cards in which nothing is wrong or doubtful, and a shared back that a single built-in template makes of
    shapes alone: the program and that template decide it.
    """
    from render.pdf.spool import Spool

    spool = Spool()
    program, size, side = store.program, sheet.card_size, ("back", sheet.back_bleed)
    # Of each set the keys of its cards' own sides, from the files as they were before these were drawn.
    keys_before: dict[Path, dict[tuple[str, int], bytes]] = {}

    def known(card_set: GameSet) -> dict[str, OwnSides]:
        from render.game.known_cards import card_keys

        whole = structs.replace(card_set, sheet=SheetOptions(card_size=size), outputs=USUAL)
        of_cards, sides = card_keys(whole), (("front", sheet.bleed), side)
        keys = keys_before[card_set.folder] = {
            (card.id, at): _key((program, of_cards[card.id]), sides[at], sheet)
            for card in card_set.cards
            for at in range(1 + card.has_own_back)
        }
        found = store.find_faces(keys, spool, lambda *_: True)  # they say it of all files
        own = ((card, (found.get((card.id, 0)), found.get((card.id, 1)))) for card in card_set.cards)
        return {card.id: faces for card, faces in own if all(faces[: 1 + card.has_own_back])}

    def remember(card_set: GameSet, made: Mapping[str, OwnSides]) -> None:
        keys = keys_before[card_set.folder]
        drawn = ((keys[name, at], face) for name, faces in made.items() for at, face in enumerate(faces) if face)
        store.keep_faces({key: face for key, face in drawn if isinstance(face, DrawnFace)})

    def lay_out_or_find(
        template: Template, values: Mapping[str, object], pictures: Pictures, doubts: list[Diagnostic]
    ) -> Scene:
        is_plain = is_ours(str(template.file)) and not template.templates.layers
        if values or not is_plain:  # a shared back has no values
            return lay_out(template, values, pictures, doubts)
        key = _key((program, template.source.digest, size.width, size.height), side, sheet)
        known = store.find_faces({"": key}, spool, lambda *_: False).get("")
        if known:
            return known
        scene = lay_out(template, values, pictures, doubts)
        if scene.size != size or doubts:
            return scene
        drawn, name = _drawn(drawing, scene, is_back=True), f"{template.name}.svg"
        if _is_shapes(drawn) and template.templates.reached(name) == {name}:
            store.keep_faces({key: drawn})
        return drawn

    return structs.replace(drawing, lay_out=lay_out_or_find, known=known, remember=remember)


def _is_shapes(face: DrawnFace) -> bool:
    """Whether a face shows neither words nor pictures, which are in other files."""
    spool, name = face.form
    waiting: list[Piece] = [spool.piece(name)]
    for piece in waiting:
        waiting += piece.parts
    return not any(piece.fonts or piece.pictures for piece in waiting)

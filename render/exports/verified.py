"""Finished files against the sets that they were made of: each card is laid out again for `verify` to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

from msgspec.structs import replace

from render.base.files import Paths, as_paths
from render.base.geometry import Flip, Size
from render.base.sizes import parse_paper
from render.exports.print_files import PrintJob, by_size, shared_options, sheet_options, sheets, ticket
from render.game.cards import GameSet, for_press, size_of
from render.game.faces import Faces, lay_out_set
from render.scene.items import Scene
from render.sheets.options import Backs, Orientation, Structure
from render.verify.faces import Cards, WantedCards
from render.verify.verdict import Verdict, verify


def verify_files(files: Paths, sets: Iterable[GameSet] = ()) -> Verdict:
    """Return the verdict on print sheets and shop files; with sets, also whether all their cards are in the files.

    OSError; Refused if a card of the sets cannot be drawn. A file that is named twice counts once.
    """
    asked = tuple(sets)
    return verify(as_paths(files), wanted_cards(asked) if asked else None)


def wanted_cards(sets: Sequence[GameSet]) -> WantedCards:
    """Return what sets ask for: copies and names of their cards, and what gives their faces at a size."""
    cards = [card for card_set in sets for card in card_set.cards]
    copies = Counter[str]()
    for card in cards:
        copies[card.id] += card.copies

    own = {card.id: (size_of(card, each.sheet.card_size), each.sheet.card_size) for each in sets for card in each.cards}
    sizes = {name: size for name, (size, usual) in own.items() if size not in (usual, usual.sideways)}
    are_theirs = {side for size in sizes.values() for side in (size, size.sideways)}

    @cache  # several files mostly have cards of one size, and laying out takes longer than reading them
    def laid_out(size: Size, is_for_press: bool) -> tuple[Faces, ...]:
        # A file may be of cards with a size of their own, and those that lie may stand in its slots.
        sized = (
            each
            if size in are_theirs or each.sheet.card_size == size.sideways
            else replace(each, sheet=replace(each.sheet, card_size=size))
            for each in sets
        )
        return tuple(faces for each in sized for faces in lay_out_set(for_press(each) if is_for_press else each).faces)

    def faces(size: Size, is_for_press: bool) -> Cards:
        by_id: dict[str, list[tuple[Scene, Scene | None]]] = {}
        for drawn in laid_out(size, is_for_press):
            by_id.setdefault(drawn.card.id, []).append((drawn.front, drawn.back))
        return by_id

    def tickets(paper: Size) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the options and tickets of sheets in one file: as the sets ask for them, then printed in other ways."""
        try:
            size = parse_paper(f"{paper.width:g}x{paper.height:g}")
            asked = shared_options(
                replace(each, paper=size, orientation=Orientation.AS_GIVEN) for each in sheet_options(sets)
            )
        except ValueError:  # no paper is so large, or sets ask for different sheets
            return
        standards = dict.fromkeys((asked.standard, Structure.HOME, Structure.X_4))
        ways = dict.fromkeys(((asked.backs, asked.flip), *((Backs.DUPLEX, flip) for flip in Flip)))
        ways |= dict.fromkeys(((Backs.FOLD, asked.flip), (Backs.NONE, asked.flip)))
        for standard, (backs, flip) in product(standards, ways):
            options = replace(asked, standard=standard, backs=backs, flip=flip)
            drawn = laid_out(options.card_size, options.for_press)
            whole = PrintJob(tuple(sets), tuple(face for face in drawn if not (options.for_press and face.card.draft)))
            for job, sized, _ in by_size(whole, options):
                try:
                    imposed = sheets(job, sized)
                except ValueError:  # such as a fold-over sheet on small paper
                    continue
                said = ticket(job, imposed, range(len(imposed.sheets)))
                backs_of = {name: back for name, _, back in said["cards"]}
                said["cards"] = [
                    [name, each.card.copies, backs_of[name]]
                    for name, each in zip(job.names, job.faces, strict=True)
                    if each.card.copies
                ]
                yield (
                    (
                        f"--paper {paper.width:g}x{paper.height:g} --backs {backs.value} --flip {flip.value}"
                        f" --standard {standard.value}"
                    ),
                    said,
                )

    asking = [part for card_set in sets for part in (card_set.parts or (card_set,))]
    sources = tuple(dict.fromkeys(part.sheet.bleed_from for part in asking))
    wanted = {name: number for name, number in copies.items() if number}
    drafts = frozenset(card.id for card in cards if card.draft)
    return WantedCards(wanted, {card.id: card.name for card in cards}, faces, sources, drafts, tickets, sizes)

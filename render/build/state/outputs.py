"""The outputs that a set asks for, each with its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from render.build.state.keys import Keys, key_digest
from render.build.state.manifest import Key
from render.exports.print_files import PrintJob, sheets, split, suffixes
from render.game.cards import NO_BACK, GameSet, MissingCard, for_press, on_sheets, with_each_back
from render.game.faces import Faces
from render.game.missing_cards import blank_faces
from render.png.canvas import Canvas
from render.scene.items import Scene
from render.sheets.imposition import Sheet
from render.sheets.printable import correction_by

if TYPE_CHECKING:
    from render.sheets.calibration.fit import Calibration
    from render.shops.profiles import Shop

SHEETS = "sheets.pdf"
CHANGED = "changed.pdf"
GALLERY = "gallery.html"
GALLERY_PAGE = tuple(f"<templates>/{name}" for name in (GALLERY, "page/head.html"))


class OutputKind(Enum):
    """The kind of an output; the value is its plural."""

    PNG = "PNGs"
    SHEETS = "sheets"
    CHANGED = "sheets of changed cards"
    SHOP = "files for shops"
    GALLERY = "galleries"


@dataclass(frozen=True, slots=True)
class Output:
    """Something to make: its name, which is that of its file or folder, and the cards that it needs drawn."""

    name: str
    kind: OutputKind
    key: Key
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WantedOutputs:
    """All outputs of a set, and the number of its sheets."""

    outputs: tuple[Output, ...]
    sheets: int


def wanted_outputs(card_set: GameSet, keys: Keys, printer: Calibration | None = None) -> WantedOutputs:
    """Return what a set asks for, its sheets for that printer."""
    asked = card_set.outputs
    # Only sheets have blanks for missing cards: nobody is to order or play with these unawares.
    shops, has_gallery = ((), False) if card_set.missing else (asked.shops, asked.gallery)
    imposed = _imposed(card_set, printer) if asked.sheets else []
    return WantedOutputs(
        (
            *_pngs(card_set, keys),
            *_sheet_files(card_set, keys, imposed, OutputKind.SHEETS, printer),
            *(output for name in shops for output in _shop(card_set, keys, shop_named(name, card_set))),
            *(_galleries(card_set, keys) if has_gallery else ()),
        ),
        len(imposed),
    )


def with_changed(
    asked: WantedOutputs,
    card_set: GameSet,
    keys: Keys,
    copies: Iterable[tuple[str, int]],
    printer: Calibration | None = None,
) -> tuple[WantedOutputs, int]:
    """Return what is asked for with the sheets of these copies, and the number of those sheets."""
    part = changed_cards(card_set, copies)
    imposed = _imposed(part, printer)
    files = _sheet_files(part, keys, imposed, OutputKind.CHANGED, printer)
    return replace(asked, outputs=(*asked.outputs, *files)), len(imposed)


def _imposed(card_set: GameSet, printer: Calibration | None) -> Sequence[Sheet]:
    return sheets(PrintJob((card_set,), placeholders(card_set)), card_set.sheet, correction_by(printer)).sheets


def changed_cards(card_set: GameSet, copies: Iterable[tuple[str, int]]) -> GameSet:
    """Return the set with only these cards, with that many copies of each."""
    number = dict(copies)
    cards = tuple(replace(card, copies=number[card.id]) for card in card_set.cards if card.id in number)
    return replace(card_set, name=f"{card_set.name}, changed cards", cards=cards, missing=())


def file_of(kind: OutputKind) -> str:
    """Return the file name of sheets, from which the names of several files are derived."""
    return CHANGED if kind is OutputKind.CHANGED else SHEETS


def png_of(card: str) -> str:
    """Return the name of the PNG of the card with that id."""
    return f"png/{card}.png"


def back_png_of(card: str) -> str:
    """Return the name of the PNG of the back of a card that has its own. No id has a dot, so none is named so."""
    return f"png/{card}.back.png"


def canvas_of(card_set: GameSet) -> Canvas:
    """Return the pixel grid of a set's PNGs."""
    pngs = card_set.outputs.pngs
    return Canvas(pngs.dpi, pngs.bleed) if pngs else Canvas(0)


def placeholders(card_set: GameSet, drawn: Mapping[str, Faces] | None = None) -> tuple[Faces, ...]:
    """Return the faces of all cards on sheets, with their copies; blank faces for cards that are not drawn."""
    blank = Scene(card_set.sheet.card_size, ())
    known = drawn or {}
    return tuple(
        blank_faces(card, card_set.sheet.card_size)
        if isinstance(card, MissingCard)
        else replace(known[card.id], card=card)
        if card.id in known
        else Faces(card, blank, None if card.back == NO_BACK else blank)
        for card in on_sheets(card_set)
    )


def shop_named(name: str, card_set: GameSet) -> Shop:
    """Return the existing print shop of that name, with its product of the set's size."""
    from render.shops.profiles import for_cards, shops

    return for_cards(shops()[name], card_set.sheet.card_size)


def printed_by_shop(card_set: GameSet, shop: Shop) -> GameSet:
    """Return the set as a shop prints it: the cards with copies, with no type that is too small."""
    from render.shops.profiles import is_press

    kept = replace(card_set, cards=tuple(card for card in card_set.cards if card.copies))
    return for_press(kept) if is_press(shop) else kept


def _pngs(card_set: GameSet, keys: Keys) -> Iterator[Output]:
    if card_set.outputs.pngs:
        options = key_digest((canvas_of(card_set), card_set.sheet.bleed_from if card_set.outputs.pngs.bleed else ""))
        for card in card_set.cards:
            yield Output(png_of(card.id), OutputKind.PNG, keys.picture(card, options), (card.id,))
            if card.has_own_back:
                yield Output(back_png_of(card.id), OutputKind.PNG, keys.own_back(card, options), (card.id,))


def _sheet_files(
    card_set: GameSet, keys: Keys, imposed: Sequence[Sheet], kind: OutputKind, printer: Calibration | None
) -> Iterator[Output]:
    cards = {card.id: card for card in card_set.cards}
    # What every sheet shows or depends on: the slug has the number of all sheets.
    of_all = key_digest((card_set.sheet, PrintJob((card_set,), placeholders(card_set)).about, len(imposed)))
    blanks = {card.id: (card.name, card.code, card.key) for _, card in card_set.missing}
    by_printer = {"calibration": key_digest(tuple(printer.correction))} if printer else {}
    stem, _, ending = file_of(kind).rpartition(".")
    for number, part in split(len(imposed), card_set.sheet):
        copies = Counter(face.name for at in part for face in imposed[at].front if not face.is_back)
        counted = [(cards[name], count) for name, count in copies.items() if name in cards]
        marked = [(at, blanks[name], copies[name]) for at, name in enumerate(copies) if name in blanks]
        by_blanks = {"blanks": key_digest(marked)} if marked else {}
        for suffix in suffixes(card_set.sheet.backs):
            options = (of_all, part.start, suffix)
            key = {**keys.sheets(counted, options), **by_printer, **by_blanks}
            yield Output(f"{stem}{number}{suffix}.{ending}", kind, key, tuple(card.id for card, _ in counted))


def _shop(card_set: GameSet, keys: Keys, shop: Shop) -> Iterator[Output]:
    cards = tuple(card for card in card_set.cards if card.copies)
    if cards:
        # A shop's demands are part of the program, whose version is in the key.
        sheet = card_set.sheet
        options = (shop.name, sheet.bleed_from, sheet.card_size, sheet.rich_black)
        key = keys.sheets([(card, card.copies) for card in cards], options)
        yield Output(shop.name, OutputKind.SHOP, key, tuple(card.id for card in cards))


def _galleries(card_set: GameSet, keys: Keys) -> Iterator[Output]:
    with_backs = with_each_back(card_set)
    key = keys.gallery(card_set.cards, with_backs, GALLERY_PAGE)
    yield Output(GALLERY, OutputKind.GALLERY, key, tuple(card.id for card in with_backs))

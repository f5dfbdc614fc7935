"""The outputs that a set asks for, each with its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from render.base.geometry import IDENTITY
from render.build.keys import Keys, key_digest
from render.build.manifest import Key
from render.exports.print_files import PrintJob, sheets, split, suffixes
from render.game.cards import NO_BACK, GameSet, MissingCard, for_press, on_sheets, with_each_back
from render.game.faces import Faces
from render.game.missing_cards import blank_faces
from render.png.canvas import Canvas
from render.scene.items import Scene

if TYPE_CHECKING:
    from render.sheets.calibration.printers import Calibration
    from render.shops.profiles import Shop

SHEETS, CHANGED, GALLERY = "sheets.pdf", "changed.pdf", "gallery.html"
GALLERY_PAGE = tuple(f"<templates>/{name}" for name in (GALLERY, "page/head.html"))


class OutputKind(Enum):
    """The kind of an output; the value is its plural."""

    PNG = "PNGs"
    SHEETS = "sheets"
    CHANGED = "sheets of changed cards"
    SHOP = "files for shops"
    GALLERY = "galleries"


class Output(NamedTuple):
    """Something to make: its name, which is that of its file or folder, and the cards that it needs drawn."""

    name: str
    kind: OutputKind
    key: Key
    cards: tuple[str, ...]


def expected_outputs(card_set: GameSet, keys: Keys, printer: Calibration | None) -> tuple[list[Output], int]:
    """Return what a set asks for, its sheets for that printer, and the number of these sheets."""
    outputs: list[Output] = []
    if card_set.outputs.pngs:
        with_bleed = card_set.sheet.bleed_from if card_set.outputs.pngs.bleed else ""
        options = key_digest((canvas_of(card_set), with_bleed))
        for card in card_set.cards:
            outputs.append(Output(png_of(card.id), OutputKind.PNG, keys.picture(card, options), (card.id,)))
            if card.has_own_back:
                key = keys.picture(card, options, 1)
                outputs.append(Output(back_png_of(card.id), OutputKind.PNG, key, (card.id,)))
    number = 0
    if card_set.outputs.sheets:
        of_sheets, number = sheet_outputs(card_set, keys, printer)
        outputs += of_sheets
    # Only sheets have blanks for missing cards: nobody is to order or play with these unawares.
    if not card_set.missing:
        outputs += [output for name in card_set.outputs.shops for output in _shop(card_set, keys, name)]
        if card_set.outputs.gallery:
            with_backs = with_each_back(card_set)
            key = keys.gallery(card_set.cards, with_backs, GALLERY_PAGE)
            outputs.append(Output(GALLERY, OutputKind.GALLERY, key, tuple(card.id for card in with_backs)))
    return outputs, number


def sheet_outputs(
    card_set: GameSet, keys: Keys, printer: Calibration | None, kind: OutputKind = OutputKind.SHEETS
) -> tuple[list[Output], int]:
    """Return the files of the sheets of a set, and the number of these sheets."""
    job = PrintJob((card_set,), placeholders(card_set))
    imposed = sheets(job, card_set.sheet, printer.correction if printer else IDENTITY).sheets
    cards = {card.id: card for card in card_set.cards}
    # What every sheet shows or depends on: the slug has the number of all sheets.
    of_all = key_digest((card_set.sheet, job.about, len(imposed)))
    blanks = {card.id: (card.name, card.code, card.key) for _, card in card_set.missing}
    stem, _, ending = file_of(kind).rpartition(".")
    outputs = []
    for number, part in split(len(imposed), card_set.sheet):
        copies = Counter(face.name for at in part for face in imposed[at].front if not face.is_back)
        counted = [(cards[name], count) for name, count in copies.items() if name in cards]
        marked = [(at, blanks[name], copies[name]) for at, name in enumerate(copies) if name in blanks]
        for suffix in suffixes(card_set.sheet.backs):
            key = keys.sheets(counted, (of_all, part.start, suffix))
            if printer:
                key["calibration"] = key_digest(tuple(printer.correction))
            if marked:
                key["blanks"] = key_digest(marked)
            outputs.append(Output(f"{stem}{number}{suffix}.{ending}", kind, key, tuple(card.id for card, _ in counted)))
    return outputs, len(imposed)


def _shop(card_set: GameSet, keys: Keys, name: str) -> Iterator[Output]:
    cards = tuple(card for card in card_set.cards if card.copies)
    if cards:
        # A shop's demands are part of the program, whose version is in the key.
        shop, sheet = shop_named(name, card_set), card_set.sheet
        options = (shop.name, sheet.bleed_from, sheet.card_size, sheet.rich_black)
        key = keys.sheets([(card, card.copies) for card in cards], options)
        yield Output(shop.name, OutputKind.SHOP, key, tuple(card.id for card in cards))


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


def other_outputs(card_set: GameSet) -> list[str]:
    """Return the outputs that are neither PNGs nor sheets, in words."""
    asked: Sequence[str] = card_set.outputs.shops
    return [f"files for {name}" for name in asked] + (["a gallery"] if card_set.outputs.gallery else [])

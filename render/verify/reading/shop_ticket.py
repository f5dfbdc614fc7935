"""The ticket of a file for a print shop: a page for each face, each a card with its bleed.

Such a file is judged like sheets of one card each, whose paper is the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from render.base.geometry import IDENTITY, Flip, Size
from render.images.press import Press
from render.pdf.standards import STANDARDS
from render.sheets.options import Backs, Crop, Registration, Sides, Where
from render.shops.profiles import PdfShop, presses, shops
from render.verify.reading import ticket
from render.verify.reading.ticket import ShopPages, Ticket, TicketMarks

KIND = "shop"

_NO_MARKS = TicketMarks(
    white=0.0,
    check=None,
    crop=Crop.OFF,
    length=0.0,
    offset=0.0,
    line=0.1,
    sides=Sides.BOTH,
    ruler=False,
    slug=None,
    cut_line=False,
    registration=Registration.NONE,
)


def read(words: str) -> Ticket:
    """Return the ticket written in JSON, of sheets or of a shop; ValueError says what is wrong with it."""
    said = ticket.read_object(words)
    return _of_shop(said) if said.get("kind") == KIND else ticket.read(said)


def press_of(ticket: Ticket) -> Press | None:
    """Return the press that a file is for; None for colors in sRGB."""
    if ticket.shop is None:
        return next(iter(presses().values())) if ticket.standard else None
    shop = shops().get(ticket.shop.name)
    return shop.press if isinstance(shop, PdfShop) else None


def condition_of(ticket: Ticket) -> tuple[str, str] | None:
    """Return the printing condition that a file must name, and its profile's file name; None if it names none."""
    press = press_of(ticket)
    if press:
        return press.condition, press.profile
    return ("sRGB", "sRGB2014.icc") if ticket.standard else None


def _of_shop(said: Mapping[str, object]) -> Ticket:
    card = ticket.read_size(said, "card")
    (bleed,) = ticket.read_numbers([said.get("bleed")], "bleed", 1)
    if not 0 <= bleed <= ticket.MAX_SHOP_BLEED:
        raise ValueError(f"`bleed` is {bleed:g} mm, and it is at most {ticket.MAX_SHOP_BLEED:g}")
    cards = ticket.read_cards(said.get("cards"))
    number = sum(each.copies for each in cards.values())
    if number > ticket.MAX_CARDS:
        raise ValueError(f"{number} cards")
    standard = said.get("standard")
    if not isinstance(standard, str) or standard not in STANDARDS:
        raise ValueError("`standard` is none of those that are known")
    paper = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    order = tuple(name for name, each in cards.items() for _ in range(each.copies))
    return Ticket(
        paper=paper,
        card=card,
        columns=1,
        rows=1,
        gutter=(0.0, 0.0),
        offset=(0.0, 0.0),
        margin=0.0,
        bleed=(bleed, bleed),
        where=Where.EACH,
        backs=Backs.DUPLEX,
        flip=Flip.LONG_EDGE if paper.height >= paper.width else Flip.SHORT_EDGE,  # about an upright line
        is_fold_upright=False,
        correction=IDENTITY,
        side=ticket.FileSide.BOTH,
        first=1,
        last=number,
        sheets=number,
        cards=cards,
        marks=_NO_MARKS,
        drawing=ticket.read_drawing(said),
        standard=standard,
        shop=ShopPages(str(said.get("shop")), said.get("backs_first") is True, order, said.get("copies") == "each"),
    )

"""What goes with the pictures or the PDF to a print shop: the order, as the shop or a program reads it, and a page of facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from render.base.findings import plural
from render.base.reach import read_bounded
from render.exports.print_files import PrintJob, by_size, grid_of
from render.layout.templates import rendering
from render.scene.items import scene_digest
from render.shops.profiles import OrderFile, PdfShop, PictureShop, Shop
from render.source.tables.writing import csv_bytes

TABLE, PAGE = "order.csv", "order.html"
COLUMNS = ("front", "back", "copies", "name")
BLANK = "backs/blank-.png"  # of no back that somebody named: such a name does not end in a line
STOCK = "(S30) Standard Smooth"  # the usual of MPC Autofill; who orders chooses another there
_OWN = b"<!-- Made by kotc, which removes this file when it makes the order here anew. -->"
_ORDER, _LARGEST = r"order(-[0-9]+)?\.xml", 10_000_000  # bytes


class OrderLine(NamedTuple):
    """A card of an order: the files of its sides, "" for none, how many there are, and its name."""

    front: str
    back: str
    copies: int
    name: str


def order_files(lines: Sequence[OrderLine], shop: PictureShop) -> Iterator[tuple[str, bytes]]:
    """Yield the files that say which picture is which side of how many cards."""
    yield TABLE, csv_bytes((COLUMNS, *(line._replace(back="") if line.back == BLANK else line for line in lines)), "\n")
    if shop.order is OrderFile.AUTOFILL:
        orders = list(_split(lines, shop.most))
        for number, order in enumerate(orders, start=1):
            yield "order.xml" if len(orders) == 1 else f"order-{number}.xml", _autofill(order)


def _split(lines: Iterable[OrderLine], most: int | None) -> Iterator[list[OrderLine]]:
    """Yield the lines in orders of at most so many cards; the copies of a card may be in two of them."""
    order, free = list[OrderLine](), most or 0
    for line in lines:
        rest = line.copies
        while most and rest > free:
            yield [*order, *([line._replace(copies=free)] if free else [])]
            order, rest, free = [], rest - free, most
        order.append(line._replace(copies=rest))
        free -= rest
    yield order


def _autofill(lines: Sequence[OrderLine]) -> bytes:
    """Return an order as `desktop-tool/src/order.py` of chilli-axe/mpc-autofill reads it.

    Slots are counted from 0, one for each copy. A slot that no back names has the one of `cardback`.
    """
    fronts, backs = dict[str, list[int]](), dict[str, list[int]]()
    names = {line.front: line.name for line in lines}
    slot = 0
    for line in lines:
        slots = range(slot, slot + line.copies)
        fronts.setdefault(line.front, []).extend(slots)
        backs.setdefault(line.back, []).extend(slots)
        slot += line.copies
    usual = max(backs, key=lambda back: len(backs[back]))
    root = etree.Element("order")
    details = etree.SubElement(root, "details")
    for tag, text in (("quantity", str(slot)), ("stock", STOCK), ("foil", "false")):
        etree.SubElement(details, tag).text = text
    for tag, pictures in (
        ("fronts", fronts),
        ("backs", {name: slots for name, slots in backs.items() if name != usual}),
    ):
        sides = etree.SubElement(root, tag)
        for file, taken in pictures.items():
            card = etree.SubElement(sides, "card")
            told = {
                "id": file,
                "sourceType": "Local File",
                "slots": ",".join(map(str, taken)),
                "name": file.split("/")[-1],
            }
            for key, text in {**told, "query": names.get(file, "")}.items():
                etree.SubElement(card, key).text = "".join(char for char in text if char.isprintable())
    etree.SubElement(root, "cardback").text = usual
    data: bytes = etree.tostring(root, encoding="utf-8", pretty_print=True)
    return b"<?xml version='1.0' encoding='utf-8'?>\n%s\n%s" % (_OWN, data)


def other_orders(folder: Path, made: Iterable[Path]) -> Iterator[tuple[Path, bool]]:
    """Yield the files that MPC Autofill would order besides those just `made`, each with whether an earlier run made it."""
    for file in sorted({*folder.glob("order*.xml")} - {*made}):
        if re.fullmatch(_ORDER, file.name):
            yield file, _OWN in (read_bounded(file, _LARGEST) or b"")[:200]


# --- the page -------------------------------------------------------------------------------------------------------


def order_page(job: PrintJob, shop: Shop, pictures: Mapping[str, OrderLine]) -> bytes:
    """Return a page of what an order costs by: copies, sizes, sheets; `pictures` are the lines of cards that have some, by id."""
    copies = Counter(face.front.size for face in job.faces for _ in range(face.card.copies))
    backs = {scene_digest(face.back) for face in job.faces if face.back}
    blank = sum(face.card.copies for face in job.faces if not face.back)
    without = f", and {plural(blank, 'card')} without a back" if blank else ""
    facts = [
        ("shop", shop.title),
        ("copies", plural(copies.total(), "card")),
        ("different cards", str(len(job.faces))),
        ("different backs", f"{len(backs)}{without}"),
        ("size of a card", ", ".join(f"{size}: {plural(number, 'card')}" for size, number in copies.items())),
        ("of a picture" if isinstance(shop, PictureShop) else "of a page", _with_bleed(shop)),
        *_prices(shop, copies.total()),
        ("printed at home", _at_home(job, copies.total())),
    ]
    values = {
        "title": f"{job.title}: an order at {shop.title}",
        "facts": facts,
        "link": shop.link,
        "checked": shop.checked,
        "cards": [
            (face.card.name or face.card.id, face.card.copies, [*filter(None, pictures.get(face.card.id, ())[:2])])
            for face in job.faces
        ],
    }
    return rendering.page("order", values).encode("utf-8", "replace")


def _with_bleed(shop: Shop) -> str:
    bleed = f"{round(shop.bleed, 3):g} mm of bleed"
    if isinstance(shop, PictureShop):
        width, height = shop.pixels
        return f"{width} x {height} pixels, {shop.dpi:g} dpi, with {bleed}"
    return f"the card with {bleed}"


def _prices(shop: Shop, copies: int) -> Iterator[tuple[str, str]]:
    if isinstance(shop, PdfShop):
        return
    if shop.most:
        orders = -(-copies // shop.most)
        yield "orders", f"{orders}, of at most {shop.most} cards each"
    if shop.steps:
        rest = copies % shop.steps[-1]
        whole = copies - rest
        priced = whole + next((step for step in shop.steps if step >= rest), 0) if rest else whole
        yield "priced as", f"{plural(priced, 'card')}: {priced - copies} more would cost the same"


def _at_home(job: PrintJob, copies: int) -> str:
    """Return how many sheets the cards need on one's own printer, to compare what it costs."""
    options = by_size(job, job.sets[0].sheet)[0].options
    try:
        grid = grid_of(job, options)
    except ValueError:  # the cards do not fit the paper
        return "no sheets: the cards do not fit the paper of the set"
    paper = grid.options.page
    return f"{plural(-(-copies // grid.count), 'sheet')} of {paper}, {plural(grid.count, 'card')} each"

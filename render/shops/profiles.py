"""Print shops: what each asks for, as values. The profiles are data, in `shops.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.geometry import MM_PER_INCH, Size, parse_length
from render.base.sizes import CARDS
from render.images.press import Press
from render.pdf.standards import STANDARDS, Standard

PROFILES = Path(__file__).resolve().parent / "shops.yaml"


class Copies(Enum):
    """Whether a file has each card once, with copies ordered at the shop, or as many times as the set says."""

    ONCE = "once"
    EACH = "each"


class OrderFile(Enum):
    """What says which picture is which side of how many cards: a table alone, or the file of MPC Autofill beside it."""

    TABLE = "table"
    AUTOFILL = "autofill"


class Product(Struct, frozen=True):
    """Cards of one size that a shop prints: name, trim size, and the pixels of a picture of them, bleed included.

    `identity` is what The Game Crafter's API calls a deck of them.
    """

    name: str
    card: Size
    pixels: tuple[int, int] = (0, 0)
    identity: str = ""


class PictureShop(Struct, frozen=True, kw_only=True):
    """A shop that takes RGB pictures with an exact number of pixels; `safe` is in mm.

    `product` is the one to be printed, out of `products`. `most` is how many cards an order may have, and `steps` the
    numbers of cards that have a price. Where all this is said is `link`, looked up in the month `checked`.
    """

    name: str
    title: str
    product: Product
    products: tuple[Product, ...]
    dpi: float
    safe: float
    order: OrderFile = OrderFile.TABLE
    most: int | None = None
    steps: tuple[int, ...] = ()
    link: str = ""
    checked: str = ""

    @property
    def card(self) -> Size:
        return self.product.card

    @property
    def pixels(self) -> tuple[int, int]:
        """The pixels of a picture, bleed included."""
        return self.product.pixels

    @property
    def bleed(self) -> float:
        """The bleed that the pixels leave around the trim, in mm."""
        return (self.pixels[0] / self.dpi * MM_PER_INCH - self.card.width) / 2


class PdfShop(Struct, frozen=True, kw_only=True):
    """A shop that takes a PDF with a page for each face.

    `product` is the one to be printed, out of `products`; a shop without products prints cards of any size. `press` is
    None for sRGB; `bleed` and `safe` are in mm. `dpi` is the resolution that pictures should have, None if the file is
    not for printing. `backs_first` is the order of a card's two pages. `largest` is how many MB a file may have.
    """

    name: str
    title: str
    product: Product | None
    products: tuple[Product, ...]
    standard: Standard
    press: Press | None
    bleed: float
    safe: float
    dpi: float | None
    backs_first: bool
    copies: Copies
    largest: float | None = None
    link: str = ""
    checked: str = ""

    @property
    def card(self) -> Size | None:
        """The trim size; None for that of the set."""
        return self.product.card if self.product else None

    @property
    def sides(self) -> tuple[str, str]:
        """The sides of a card in the order of its pages."""
        return ("Back", "Front") if self.backs_first else ("Front", "Back")


Shop = PictureShop | PdfShop


def is_press(shop: Shop) -> bool:
    """Return whether the shop prints cards from its files; an archive keeps them as they are."""
    return isinstance(shop, PictureShop) or shop.press is not None


class NoProduct(ValueError):
    """A shop prints no cards of that size or shape."""


def for_cards(shop: Shop, size: Size, *, are_tokens: bool = False) -> Shop:
    """Return the shop with its product of that trim size; NoProduct, with what it prints, if it has none.

    Tokens are cut along an outline, which is for a PDF of any size to be agreed on: all products are rectangles.
    """
    if not shop.products:
        return shop
    if are_tokens:
        raise NoProduct(f"{shop.title} is known to cut rectangles, and no tokens of {size}")
    for product in shop.products:
        if product.card == size:
            return replace(shop, product=product)
    raise NoProduct(f"{shop.title} prints {sizes(shop.products)}, and not {size}")


def sizes(products: Iterable[Product]) -> str:
    """Return `poker (63.5 x 88.9 mm), tarot (69.85 x 120.65 mm)`."""
    return ", ".join(f"{each.name} ({each.card})" for each in products)


# --- the file of profiles -------------------------------------------------------------------------------------------


@cached(1)
def shops() -> Mapping[str, Shop]:
    """Return the shops by name, in the order of the file."""
    return {name: _read_shop(name, **entry) for name, entry in _profiles()["shops"].items()}


@cached(1)
def presses() -> Mapping[str, Press]:
    """Return the printing conditions by name, in the order of the file."""
    return {name: _read_press(**entry) for name, entry in _profiles()["presses"].items()}


@cached(1)
def _profiles() -> Any:
    return yaml.load(PROFILES.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _read_press(condition: str, profile: str, ink: float, dpi: float, rich_black: str = "0 0 0 100") -> Press:
    cyan, magenta, yellow, black = (float(share) / 100 for share in rich_black.split())
    return Press(condition, profile, float(ink), float(dpi), (cyan, magenta, yellow, black))


def _read_shop(name: str, file: str, products: Mapping[str, Mapping[str, str]] | None = None, **entry: Any) -> Shop:
    """Return the shop of an entry; TypeError for a key that it has not, or one that is missing."""
    read = []
    for size, product in (products or {}).items():
        width, height = map(int, product.get("pixels", "0x0").split("x"))
        read.append(Product(size, CARDS[size], (width, height), product.get("identity", "")))
    readers: dict[str, Callable[[Any], float]] = {"bleed": parse_length, "safe": parse_length, "dpi": float}
    entry |= {key: read_value(entry[key]) for key, read_value in readers.items() if key in entry}
    if file == "png":
        order, steps = OrderFile(entry.pop("order", "table")), tuple(entry.pop("steps", ()))
        return PictureShop(name=name, product=read[0], products=tuple(read), order=order, steps=steps, **entry)
    return PdfShop(
        name=name,
        product=read[0] if read else None,
        products=tuple(read),
        standard=STANDARDS[entry.pop("standard")],
        press=presses()[entry.pop("press")] if "press" in entry else None,
        copies=Copies(entry.pop("copies")),
        backs_first=entry.pop("pages") == "back front",
        dpi=entry.pop("dpi", None),
        **entry,
    )

"""Print shops: what each asks for, as values. The profiles are data, in `shops.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import yaml
from msgspec import Struct, ValidationError, convert

from render.base.caches import cached
from render.base.geometry import MM_PER_INCH, Size, parse_length
from render.base.sizes import CARDS
from render.images.press import Inks, Press
from render.pdf.standards import STANDARDS, Standard

PROFILES = Path(__file__).resolve().parent / "shops.yaml"


class Copies(Enum):
    """Whether a file has each card once, with copies ordered at the shop, or as many times as the set says."""

    ONCE = "once"
    EACH = "each"


@dataclass(frozen=True, slots=True)
class Product:
    """Cards of one size that a shop prints: name, trim size, and the pixels of a picture of them, bleed included."""

    name: str
    card: Size
    pixels: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureShop:
    """A shop that takes RGB pictures with an exact number of pixels; `safe` is in mm.

    `product` is the one to be printed, out of `products`.
    """

    name: str
    title: str
    product: Product
    products: tuple[Product, ...]
    dpi: float
    safe: float

    @property
    def card(self) -> Size:
        """The trim size."""
        return self.product.card

    @property
    def pixels(self) -> tuple[int, int]:
        """The pixels of a picture, bleed included."""
        return self.product.pixels

    @property
    def bleed(self) -> float:
        """The bleed that the pixels leave around the trim, in mm."""
        return (self.pixels[0] / self.dpi * MM_PER_INCH - self.card.width) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfShop:
    """A shop that takes a PDF with a page for each face.

    `product` is the one to be printed, out of `products`; a shop without products prints cards of any size. `press` is
    None for sRGB; `bleed` and `safe` are in mm. `dpi` is the resolution that pictures should have, None if the file is
    not for printing. `backs_first` is the order of a card's two pages.
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
    """A shop prints no cards of that size."""


def for_cards(shop: Shop, size: Size) -> Shop:
    """Return the shop with its product of that trim size; NoProduct, with what it prints, if it has none."""
    if not shop.products:
        return shop
    for product in shop.products:
        if product.card == size:
            return replace(shop, product=product)
    raise NoProduct(f"{shop.title} prints {sizes(shop.products)}, and not {size}")


def sizes(products: Iterable[Product]) -> str:
    """Return `poker (63.5 x 88.9 mm), tarot (69.85 x 120.65 mm)`."""
    return ", ".join(f"{each.name} ({each.card})" for each in products)


# --- the file of profiles -------------------------------------------------------------------------------------------


class _PressEntry(Struct, forbid_unknown_fields=True):
    condition: str
    profile: str
    ink: float
    dpi: float
    rich_black: str = "0 0 0 100"


class _ProductEntry(Struct, forbid_unknown_fields=True):
    source: str  # of the figures: each product names it
    pixels: str = "0x0"


class _PictureEntry(Struct, forbid_unknown_fields=True, tag_field="file", tag="png"):
    title: str
    products: dict[str, _ProductEntry]
    dpi: float
    safe: str


class _PdfEntry(Struct, forbid_unknown_fields=True, tag_field="file", tag="pdf"):
    title: str
    standard: str
    bleed: str
    safe: str
    pages: Literal["back front", "front back"]
    copies: Copies
    products: dict[str, _ProductEntry] = {}
    press: str | None = None
    dpi: float | None = None


@cached(1)
def shops() -> Mapping[str, Shop]:
    """Return the shops by name, in the order of the file."""
    return read_shops(PROFILES)


@cached(1)
def presses() -> Mapping[str, Press]:
    """Return the printing conditions by name, in the order of the file."""
    return _read_presses(_load(PROFILES))


def read_shops(file: Path) -> Mapping[str, Shop]:
    """Return the shops of a file of profiles by name; ValueError, naming the entry, for anything else in it."""
    root = _load(file)
    presses, read = _read_presses(root), dict[str, Shop]()
    for name, entry in _entries(root, "shops", _PictureEntry | _PdfEntry):
        try:
            products = tuple(_read_product(*each) for each in entry.products.items())
            if isinstance(entry, _PictureEntry):
                safe = parse_length(entry.safe)
                read[name] = PictureShop(
                    name=name, title=entry.title, product=products[0], products=products, dpi=entry.dpi, safe=safe
                )
            else:
                read[name] = PdfShop(
                    name=name,
                    title=entry.title,
                    product=products[0] if products else None,
                    products=products,
                    standard=STANDARDS[entry.standard],
                    press=presses[entry.press] if entry.press else None,
                    bleed=parse_length(entry.bleed),
                    safe=parse_length(entry.safe),
                    dpi=entry.dpi,
                    backs_first=entry.pages == "back front",
                    copies=entry.copies,
                )
        except (ValueError, LookupError) as error:
            raise ValueError(f"`shops.{name}`: {error}") from error
    return read


def _load(file: Path) -> Any:
    """Return the content of a file of profiles; ValueError unless it has presses and shops, and nothing else."""
    root = yaml.load(file.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(root, dict) or {*root} != {"presses", "shops"}:
        raise ValueError(f"expected `presses` and `shops`, found {', '.join(f'`{key}`' for key in root)}")
    return root


def _entries(root: Any, key: str, kind: Any) -> Iterator[tuple[str, Any]]:
    for name, entry in root[key].items():
        try:
            yield name, convert(entry, kind)
        except ValidationError as error:
            raise ValueError(f"`{key}.{name}`: {error}") from error


def _read_presses(root: Any) -> Mapping[str, Press]:
    return {
        name: Press(entry.condition, entry.profile, entry.ink, entry.dpi, _rich_black(entry.rich_black, entry.ink))
        for name, entry in _entries(root, "presses", _PressEntry)
    }


def _rich_black(text: str, limit: float) -> Inks:
    """Return four inks written in per cent, cyan first; ValueError beyond the limit."""
    cyan, magenta, yellow, black = (float(ink) for ink in text.split())
    inks = cyan, magenta, yellow, black
    if not all(0 <= ink <= 100 for ink in inks) or sum(inks) > limit:
        raise ValueError(f"expected four inks from 0 to 100 %, together at most {limit:g} %, found `{text}`")
    return cyan / 100, magenta / 100, yellow / 100, black / 100


def _read_product(name: str, entry: _ProductEntry) -> Product:
    width, _, height = entry.pixels.partition("x")
    return Product(name, CARDS[name], (int(width), int(height)))

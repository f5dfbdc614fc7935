"""Print shops: what each asks for, as values. The profiles are data, in `shops.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from render.base.geometry import (
    MM_PER_INCH,
    Size,
    parse_length,
)
from render.base.sizes import (
    CARDS,
)
from render.images.press import BLACK, Inks, Press
from render.pdf.standards import STANDARDS, Standard
from render.source import nodes, reader

PROFILES = Path(__file__).resolve().parent / "shops.yaml"

T = TypeVar("T")


class Copies(Enum):
    """Whether a card is in a file once, and ordered as often as wanted, or as often as the set says."""

    ONCE = "once"
    EACH = "each"


@dataclass(frozen=True, slots=True)
class Product:
    """Cards of one size that a shop prints: their name, their trim size, and the pixels of a picture of them."""

    name: str
    card: Size
    pixels: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class PictureShop:
    """A shop that takes RGB pictures of exactly so many pixels; `safe` is in mm.

    `product` is what is to be printed, one of `products`.
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
        """What the pixels leave around the trim, in mm."""
        return (self.pixels[0] / self.dpi * MM_PER_INCH - self.card.width) / 2


@dataclass(frozen=True, slots=True)
class PdfShop:
    """A shop that takes a PDF with a page for each face.

    `product` is what is to be printed, one of `products`; a shop without products prints cards of any size. `press`
    are the inks, nothing for sRGB; `bleed` and `safe` are in mm. `dpi` is what pictures are to have, nothing if the
    file is not to be printed. `backs_first` is the order of a card's two pages.
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
        """The trim size; nothing for that of the set."""
        return self.product.card if self.product else None

    @property
    def sides(self) -> tuple[str, str]:
        """The sides of a card in the order of its pages."""
        return ("Back", "Front") if self.backs_first else ("Front", "Back")


Shop = PictureShop | PdfShop


def is_press(shop: Shop) -> bool:
    """Whether cards are printed of its files: in those of an archive they are as they are."""
    return isinstance(shop, PictureShop) or shop.press is not None


@lru_cache(maxsize=1)
def shops() -> Mapping[str, Shop]:
    """Return the shops by name, in the order of the file."""
    return read_shops(PROFILES)


@lru_cache(maxsize=1)
def presses() -> Mapping[str, Press]:
    """Return the printing conditions by name, in the order of the file."""
    return _presses(_Entry("", reader.read(PROFILES).root))


def _presses(root: _Entry) -> Mapping[str, Press]:
    return {name: _press(entry) for name, entry in root.entries("presses")}


class NoProduct(ValueError):  # noqa: N818 - it is a result, not a mistake of the program
    """A shop prints no cards of that size."""


def for_cards(shop: Shop, size: Size) -> Shop:
    """Return the shop with its product of that trim size; NoProduct, with what it prints, if it has none."""
    if not shop.products:
        return shop
    for product in shop.products:
        if product.card == size:
            return replace(shop, product=product)
    raise NoProduct(f"{shop.title} prints {sizes(shop.products)}, and not {_words(size)}")


def sizes(products: Iterable[Product]) -> str:
    """Return `poker (63.5 x 88.9 mm), tarot (69.85 x 120.65 mm)`."""
    return ", ".join(f"{each.name} ({_words(each.card)})" for each in products)


def _words(size: Size) -> str:
    return f"{size.width:g} x {size.height:g} mm"


def read_shops(file: Path) -> Mapping[str, Shop]:
    """Return the shops of a file of profiles by name; ValueError, naming the entry, for anything else in it."""
    root = _Entry("", reader.read(file).root)
    presses = _presses(root)
    made: dict[str, Shop] = {}
    for name, entry in root.entries("shops"):
        kind = entry.one_of("file", {"png": False, "pdf": True})
        made[name] = _pdf(name, entry, presses) if kind else _picture(name, entry)
        entry.finish()
    root.finish()
    return made


def _press(entry: _Entry) -> Press:
    condition, profile, limit = entry.text("condition"), entry.text("profile"), entry.read("ink", float)
    dpi = entry.read("dpi", float)
    rich = entry.read("rich_black", lambda text: _rich_black(text, limit)) if entry.has("rich_black") else BLACK
    entry.finish()
    return Press(condition, profile, limit, dpi, rich)


def _rich_black(text: str, limit: float) -> Inks:
    """Return four inks that are written in per cent, cyan first."""
    cyan, magenta, yellow, black = (float(ink) for ink in text.split())
    inks = cyan, magenta, yellow, black
    if not all(0 <= ink <= 100 for ink in inks) or sum(inks) > limit:
        raise ValueError(f"expected four inks from 0 to 100 %, together at most {limit:g} %, found `{text}`")
    return cyan / 100, magenta / 100, yellow / 100, black / 100


def _picture(name: str, entry: _Entry) -> PictureShop:
    products = _products(entry, with_pixels=True)
    return PictureShop(
        name,
        entry.text("title"),
        products[0],
        products,
        entry.read("dpi", float),
        entry.read("safe", parse_length),
    )


def _pdf(name: str, entry: _Entry, presses: Mapping[str, Press]) -> PdfShop:
    products = _products(entry, with_pixels=False) if entry.has("products") else ()
    return PdfShop(
        name,
        entry.text("title"),
        products[0] if products else None,
        products,
        entry.one_of("standard", STANDARDS),
        entry.one_of("press", presses) if entry.has("press") else None,
        entry.read("bleed", parse_length),
        entry.read("safe", parse_length),
        entry.read("dpi", float) if entry.has("dpi") else None,
        entry.one_of("pages", {"back front": True, "front back": False}),
        entry.read("copies", Copies),
    )


def _products(entry: _Entry, *, with_pixels: bool) -> tuple[Product, ...]:
    """Return what a shop prints, the usual first; each says where its figures come from."""
    made = []
    for name, one in entry.entries("products"):
        if name not in CARDS:
            raise ValueError(f"`{name}` is no name of a card size")
        one.text("source")
        made.append(Product(name, CARDS[name], one.read("pixels", _pixels) if with_pixels else (0, 0)))
        one.finish()
    return tuple(made)


def _pixels(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


class _Entry:
    """A mapping of the file: its values by key, each asked for once; what was not asked for is a mistake."""

    def __init__(self, where: str, node: nodes.Node | None) -> None:
        if not isinstance(node, nodes.Mapping):
            raise ValueError(f"`{where or 'the file'}` is no list of keys and values")
        self._where = where
        self._values = {key.value: value for key, value in node.entries}

    def entries(self, key: str) -> list[tuple[str, _Entry]]:
        """Return the mappings below a key by name."""
        below = _Entry(self._place(key), self._values.pop(key, None))
        return [(name, _Entry(below._place(name), node)) for name, node in below._values.items()]

    def has(self, key: str) -> bool:
        return key in self._values

    def text(self, key: str) -> str:
        node = self._values.pop(key, None)
        if not isinstance(node, nodes.Scalar) or not node.value:
            raise ValueError(f"`{self._place(key)}` is missing")
        return node.value

    def read(self, key: str, read: Callable[[str], T]) -> T:
        try:
            return read(self.text(key))
        except ValueError as error:
            raise ValueError(f"`{self._place(key)}`: {error}") from None

    def one_of(self, key: str, known: Mapping[str, T]) -> T:
        word = self.text(key)
        if word not in known:
            raise ValueError(f"`{self._place(key)}`: expected one of {', '.join(known)}, found `{word}`")
        return known[word]

    def finish(self) -> None:
        if self._values:
            raise ValueError(f"`{self._place(next(iter(self._values)))}` is not known")

    def _place(self, key: str) -> str:
        return f"{self._where}.{key}" if self._where else key

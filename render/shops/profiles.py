"""Print shops: what each asks for, as values. The profiles are data, in `shops.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TypeVar

from render.base.caches import cached
from render.base.findings import did_you_mean
from render.base.geometry import MM_PER_INCH, Size, parse_length
from render.base.sizes import CARDS
from render.images.press import BLACK, Inks, Press
from render.pdf.standards import STANDARDS, Standard
from render.source import reader
from render.source.fields import Fields, fields_of
from render.source.file_kinds import FileKind

PROFILES = Path(__file__).resolve().parent / "shops.yaml"

T = TypeVar("T")

_PROFILES = FileKind(
    "E",
    "file of profiles",
    {
        "presses": "{fogra39: {ink: 300}}", "shops": "{mine: {file: png}}", "condition": "FOGRA39", "profile": "a.icc",
        "ink": "300", "dpi": "300", "file": "pdf", "title": "My Shop", "products": "{poker: {source: https://}}",
        "standard": "x-4", "bleed": "3mm", "safe": "3mm", "pages": "front back", "copies": "once",
        "source": "https://", "pixels": "822x1122",
    },
)  # fmt: skip


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


@cached(1)
def shops() -> Mapping[str, Shop]:
    """Return the shops by name, in the order of the file."""
    return read_shops(PROFILES)


@cached(1)
def presses() -> Mapping[str, Press]:
    """Return the printing conditions by name, in the order of the file."""
    root = _fields(PROFILES)
    found = _presses(root)
    _refuse(root)
    return found


def _fields(file: Path) -> Fields:
    document = reader.read(file)
    return fields_of(_PROFILES, document, document.root)


def _refuse(root: Fields) -> None:
    """ValueError, naming the entries, if anything is wrong: the file belongs to the program, and not to its user."""
    if root.findings:
        raise ValueError("; ".join(f"`{each.field}`: {each.message}" for each in root.findings))


def _presses(root: Fields) -> Mapping[str, Press]:
    return {name: _press(entry) for name, entry in _entries(root, "presses")}


def _entries(fields: Fields, key: str) -> Iterator[tuple[str, Fields]]:
    """Yield the mappings below a key by name."""
    below = fields.inner(key) if fields.given(key) else None
    for name in below.values if below else ():
        entry = below.inner(name) if below else None
        if entry:
            yield name, entry


def _number(fields: Fields, key: str) -> float:
    return (fields.read(key, float, "a number") if fields.given(key) else None) or 0.0


def _length(fields: Fields, key: str) -> float:
    return (fields.read(key, parse_length, "a length") if fields.given(key) else None) or 0.0


def _one_of(fields: Fields, key: str, known: Mapping[str, T]) -> T:
    """Return what the known word that is given stands for; of the first, where it is not given, which is noted."""
    default = next(iter(known))
    return known[fields.word(key, known, default) if fields.given(key) else default]


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


def read_shops(file: Path) -> Mapping[str, Shop]:
    """Return the shops of a file of profiles by name; ValueError, naming the entry, for anything else in it."""
    root = _fields(file)
    root.check_keys(("presses", "shops"))
    presses = _presses(root)
    made: dict[str, Shop] = {}
    for name, entry in _entries(root, "shops"):
        is_pdf = _one_of(entry, "file", {"png": False, "pdf": True})
        made[name] = _pdf(name, entry, presses) if is_pdf else _picture(name, entry)
    _refuse(root)
    return made


def _press(entry: Fields) -> Press:
    entry.check_keys(("condition", "profile", "ink", "dpi", "rich_black"))
    limit = _number(entry, "ink")
    rich = entry.read("rich_black", partial(_rich_black, limit=limit)) if "rich_black" in entry.values else BLACK
    return Press(entry.words("condition"), entry.words("profile"), limit, _number(entry, "dpi"), rich or BLACK)


def _rich_black(text: str, limit: float) -> Inks:
    """Return four inks written in per cent, cyan first; ValueError beyond the limit."""
    cyan, magenta, yellow, black = (float(ink) for ink in text.split())
    inks = cyan, magenta, yellow, black
    if not all(0 <= ink <= 100 for ink in inks) or sum(inks) > limit:
        raise ValueError(f"expected four inks from 0 to 100 %, together at most {limit:g} %, found `{text}`")
    return cyan / 100, magenta / 100, yellow / 100, black / 100


def _picture(name: str, entry: Fields) -> PictureShop:
    entry.check_keys(("file", "title", "products", "dpi", "safe"))
    products = _products(entry, with_pixels=True)
    return PictureShop(
        name=name,
        title=entry.words("title"),
        product=products[0] if products else Product("", CARDS["poker"]),
        products=products,
        dpi=_number(entry, "dpi"),
        safe=_length(entry, "safe"),
    )


def _pdf(name: str, entry: Fields, presses: Mapping[str, Press]) -> PdfShop:
    entry.check_keys(
        ("file", "title", "products", "standard", "press", "bleed", "safe", "dpi", "pages", "copies"),
    )
    products = _products(entry, with_pixels=False) if "products" in entry.values else ()
    return PdfShop(
        name=name,
        title=entry.words("title"),
        product=products[0] if products else None,
        products=products,
        standard=_one_of(entry, "standard", STANDARDS),
        press=_one_of(entry, "press", presses) if "press" in entry.values else None,
        bleed=_length(entry, "bleed"),
        safe=_length(entry, "safe"),
        dpi=_number(entry, "dpi") if "dpi" in entry.values else None,
        backs_first=_one_of(entry, "pages", {"back front": True, "front back": False}),
        copies=_one_of(entry, "copies", {each.value: each for each in Copies}),
    )


def _products(entry: Fields, *, with_pixels: bool) -> tuple[Product, ...]:
    """Return what a shop prints, the usual product first; each entry must name the source of its figures."""
    made = []
    for name, one in _entries(entry, "products"):
        one.check_keys(("source", "pixels") if with_pixels else ("source",))
        if name not in CARDS:
            one.note("007", f"`{name}` is no name of a card size", one.start, did_you_mean(name, CARDS))
            continue
        one.words("source")
        pixels = one.read("pixels", _pixels, "a size in pixels") if with_pixels and one.given("pixels") else None
        made.append(Product(name, CARDS[name], pixels or (0, 0)))
    return tuple(made)


def _pixels(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)

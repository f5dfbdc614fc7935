"""A finished PDF judged as a whole: by its standard, and by what a shop asks for beyond it.

`rules` has the table of faults. `claims` reads what the file says of itself, `pages` its boxes and faces, `drawing` what
it draws, with `colors`, `functions`, `pictures` and `fonts`.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

import pikepdf
from msgspec import Struct
from msgspec.structs import replace
from pikepdf import Pdf

from render.base import guard
from render.base.findings import Diagnostic, Severity
from render.base.geometry import Size
from render.base.limits import TO_PREFLIGHT
from render.base.progress import in_stage, stage
from render.pdf.standards import A_2B, STANDARDS, Standard
from render.shops.preflight import claims, pages
from render.shops.preflight.colors import ColorRules
from render.shops.preflight.drawing import PageJudge
from render.shops.preflight.fonts import judge_font
from render.shops.preflight.pages import Face, Note, PageShape, list_pages
from render.shops.preflight.picture_file import preflight_png
from render.shops.preflight.rules import Rules
from render.shops.print_fitness import Fitness, FoundDoubt, describe_doubts, find_doubts, several_sizes
from render.shops.profiles import PdfShop, PictureShop, shops
from render.source.reader import read_bytes

# A file may take a second more for so many bytes: 40 MB of fine lines, packed in 13, take 75 s. Small ones get none, or
# what was made to take time would have it.
_BYTES_A_SECOND, _SMALL = 100_000, 500_000
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.UNSURE: 2}


class Demands(Struct, frozen=True, kw_only=True):
    """What a file must meet: a standard, and what a shop asks for beyond it.

    `ink_limit` is in per cent; `sides` are `Back` and `Front` in the order of a card's pages; `fitness` is what can be
    printed and cut. With `is_for_shop`, what a shop refuses is an error; with `is_srgb`, RGB has to be sRGB.
    """

    standard: Standard
    ink_limit: float | None = None
    shape: PageShape | None = None
    sides: tuple[str, ...] = ()
    fitness: Fitness | None = None
    is_for_shop: bool = False
    is_srgb: bool = False

    @property
    def severity(self) -> Severity:
        """That of what a shop refuses, and what may be intended in other files."""
        return Severity.ERROR if self.is_for_shop else Severity.WARNING


def demands(shop: PdfShop, cards: Iterable[Size]) -> Demands:
    """Return what a shop's file with cards of these sizes must meet."""
    sizes = [*set(cards)]
    page = Size(sizes[0].width + 2 * shop.bleed, sizes[0].height + 2 * shop.bleed) if len(sizes) == 1 else None
    return Demands(
        standard=shop.standard,
        ink_limit=shop.press.ink_limit if shop.press else None,
        shape=PageShape(page, shop.bleed) if page else None,
        sides=shop.sides,
        is_for_shop=shop.dpi is not None,
        is_srgb=shop.press is None,
    )


def preflight_file(file: Path, name: str, ink_limit: float | None = None) -> list[Diagnostic]:
    """Return what `preflight_as` says of a file that anybody may have made; a worker reads it. Refused; OSError."""
    size = file.stat().st_size
    limits = TO_PREFLIGHT.plus(max(size - _SMALL, 0) / _BYTES_A_SECOND, 2 * size)
    asked = os.fspath(file.absolute()), size, name, ink_limit
    try:
        with stage("check"):
            found: list[Diagnostic] = guard.run(_preflight_file, *asked, limits=limits, gives=list[Diagnostic])
    except guard.TooMuchError as error:
        return [Diagnostic("F001", f"it takes more than {limits} to be judged: too much {error.what}")]
    except guard.WorkFailedError as error:
        return [Diagnostic("F001", f"the file cannot be read: {_plain(error)}")]
    return found


def _preflight_file(file: str, size: int, name: str, ink_limit: float | None) -> list[Diagnostic]:
    return preflight_as(read_bytes(Path(file), size), name, ink_limit)


def preflight_as(data: bytes, name: str, ink_limit: float | None = None) -> list[Diagnostic]:
    """Return all problems of a PDF or a picture by the standard or the shop of that name."""
    shop = shops().get(name)
    if isinstance(shop, PictureShop):
        return preflight_png(data, [product.pixels for product in shop.products])
    if shop is None:
        fitness = None if name == A_2B.name else Fitness()
        return preflight(data, Demands(standard=STANDARDS[name], ink_limit=ink_limit, fitness=fitness))
    fitness = Fitness(safe=shop.safe, dpi=shop.dpi, bleed=shop.bleed) if shop.dpi else None
    asked = replace(demands(shop, [shop.card] if shop.card else []), fitness=fitness)
    return preflight(data, replace(asked, ink_limit=ink_limit) if ink_limit else asked)


def preflight(data: bytes, demands: Demands) -> list[Diagnostic]:
    """Return all problems of a PDF, each kind once, with the pages that have it."""
    try:
        with warnings.catch_warnings(), Pdf.open(BytesIO(data), suppress_warnings=True) as pdf:
            warnings.simplefilter("ignore")  # what matters is asked for below
            return _judge(pdf, data, demands)
    except pikepdf.PasswordError:
        return [Diagnostic("F001", "the file is encrypted, and opens with a password only")]
    except MemoryError:
        raise  # the guard says how much it may take
    except Exception as error:  # a file can hold any kind of value in any place
        return [Diagnostic("F001", f"the file cannot be read as a PDF: {_plain(error)}")]


def _plain(error: object) -> str:
    """Return a library's words about a file, without the name of the stream or an address in memory."""
    words = str(error).removeprefix("WARNING: ")
    words = re.sub(r"<[^<>]* at 0x[0-9a-fA-F]+>:?\s*", "", words).strip(" :") or type(error).__name__
    words = re.sub(r"^stream \((.*?)\): ", r"\1: ", words)
    return re.sub(r"0x[0-9a-fA-F]{6,}", "?", words.splitlines()[0])[:200]


def _judge(pdf: Pdf, data: bytes, demands: Demands) -> list[Diagnostic]:
    rules = Rules(demands.standard, demands.severity)
    found: dict[Diagnostic, list[int]] = {}  # with the pages that have it; none for what is of the whole file

    def note(faults: Iterable[Diagnostic], pages: Iterable[int] = ()) -> None:
        for fault in faults:
            found.setdefault(fault, []).extend(pages)

    for faults in (
        _judge_syntax(pdf, rules),
        claims.judge_claim(pdf, data, rules),
        claims.judge_catalog(pdf, rules),
        claims.judge_streams(pdf, rules),
        _judge_pages(pdf, demands, rules, note),
    ):
        try:
            note(faults)
        except pikepdf.PdfError as error:
            note(rules("file", "damaged", _plain(error)))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            note(rules("file", "odd", _plain(error)))
    said = [
        replace(fault, message=f"{where}: {fault.message}" if where else fault.message)
        for fault, numbers in found.items()
        for where in list_pages(numbers) or [""]
    ]
    return sorted(said, key=lambda fault: (_ORDER[fault.severity], fault.code, fault.message))


def _judge_syntax(pdf: Pdf, rules: Rules) -> Iterator[Diagnostic]:
    if pdf.is_encrypted:
        yield from rules("file", "encrypted")
    for problem in [*pdf.get_warnings(), *pdf.check_pdf_syntax()][:20]:
        yield from rules("file", "damaged", _plain(problem))


def _judge_pages(pdf: Pdf, demands: Demands, rules: Rules, note: Note) -> Iterator[Diagnostic]:
    """Yield what is wrong with the pages as a whole, and note what is wrong with each."""
    fitness, is_srgb = demands.fitness, demands.is_srgb
    space, faults = claims.read_intent(pdf, rules, is_srgb=is_srgb)
    yield from faults
    colors = ColorRules(rules, space, demands.ink_limit, has_spots=not demands.is_for_shop, is_srgb=is_srgb)
    drawing = PageJudge(colors, fitness)
    doubts: list[tuple[int, FoundDoubt]] = []
    faces: list[Sequence[Face]] = []
    sizes = set[tuple[float, float]]()
    try:
        for number, page in enumerate(in_stage("check", "pages", [*pdf.pages]), start=1):
            note(pages.judge_page(page, rules, demands.shape, fitness.bleed if fitness else None), [number])
            trim = pages.trim_box(page)
            drawn, size = drawing.judge(page, number, trim), pages.size_of(trim)
            note(drawn.faults, [number])
            faces.append(drawn.faces)
            sizes.add((round(size.width, 1), round(size.height, 1)))
            if fitness:
                doubts += ((number, doubt) for doubt in find_doubts(drawn.pieces, size, fitness))
        pages.judge_faces(faces, demands.sides, claims.copies_of_cards(pdf), rules, note)
    finally:  # what of a damaged file could be read
        for font in drawing.fonts.values():
            note(judge_font(font, rules), font.pages)
        if fitness:
            yield from describe_doubts(doubts, fitness, list_pages)
        if not space and colors.device:
            yield from rules("intent", "none")
    if fitness and not demands.shape:
        yield from several_sizes(sorted(sizes), demands.severity)

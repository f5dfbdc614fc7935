"""Scenes on pages as a PDF: vector shapes, embedded fonts, each picture and each repeated drawing once in the file."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial

from msgspec import Struct
from reportlab.pdfbase import pdfdoc

from render.base.caches import cached
from render.base.geometry import IDENTITY, MM_PER_POINT, Affine, Flip, Rect, Size
from render.base.progress import in_stage
from render.images.press import ART_DPI, Press
from render.pdf import operators, pictures
from render.pdf.drawing import Content, Drawer
from render.pdf.file import PdfFile, page_of
from render.pdf.fonts import glyph_font
from render.pdf.objects import Piece, dictionary, font_name, picture_name, string, to
from render.pdf.spool import Spool
from render.scene.items import Item, Placement


class Page(Struct, frozen=True, kw_only=True):
    """A side of a sheet: the faces on it, and the marks around them.

    `shift` is applied to all that is drawn, in mm of the page with y down: it corrects what a printer does to that
    side. The page's boxes stay. `trim` and `bleed` are the page's boxes if the page is one card to be cut, not a sheet.
    `drawn` is given the page once it is drawn.
    """

    size: Size
    placements: tuple[Placement, ...]
    marks: tuple[Item, ...] = ()
    shift: Affine = IDENTITY
    trim: Rect | None = None
    bleed: Rect | None = None
    drawn: Callable[[Piece], object] | None = None


class DrawnPage(Struct, frozen=True):
    """A page that was drawn before, by its name among the pieces of a spool."""

    spool: Spool
    name: bytes


class PdfOptions(Struct, frozen=True):
    """What the file says of itself: its title, and the edge about which a printer turns sheets (None: one side only).

    `ticket` is what `verify` checks the file against, as JSON. Colors are in the inks of `press`; without one, in sRGB.
    Pictures have at most `art_dpi` dots per inch where they are printed largest, and no more than `press` asks for.
    """

    title: str
    flip: Flip | None = None
    ticket: str = ""
    press: Press | None = None
    art_dpi: float = ART_DPI


def write(pages: Sequence[Page | DrawnPage], options: PdfOptions) -> bytes:
    """Return the pages as a PDF whose bytes depend on the pages and the options alone."""
    return b"".join(parts(pages, options))


def parts(pages: Sequence[Page | DrawnPage], options: PdfOptions) -> Iterator[bytes]:
    """Yield the PDF of at least one page in parts of a few MB, so that it is never in memory as a whole.

    OSError if a picture has changed since it was laid out.
    """
    drawer = Drawer(options.press, options.art_dpi)
    adds = (partial(_add_page, drawer=drawer, page=page) for page in in_stage("draw", "pages", pages))
    yield from file_parts(adds, lambda _: _catalog(options), options.title, options.press)


def file_parts(
    pages: Iterable[Callable[[PdfFile], object]],
    catalog: Callable[[PdfFile], pdfdoc.PDFDictionary],
    title: str,
    press: Press | None = None,
) -> Iterator[bytes]:
    """Yield a file in parts of a few MB; each of `pages` adds one, and `catalog` what belongs to all of them."""
    out = io.BytesIO()
    file = PdfFile(out)

    def written(*, at_least: int = _PART) -> Iterator[bytes]:
        if out.tell() >= at_least:
            yield out.getvalue()
            out.seek(0)
            out.truncate()

    for add in pages:
        add(file)
        yield from written()
    for face, glyphs in file.fonts.items():
        file.add(glyph_font(face).embedded(glyphs), font_name(face))
    shown = [*file.pictures.values()]
    with closing(pictures.pieces(shown, press)) as made:  # at once, if Ctrl-C comes: threads may draw them
        for each in in_stage("pack", "pictures", shown):
            file.add(next(made), picture_name(each))
            yield from written()
    file.finish(catalog(file), _info(title))
    yield from written(at_least=1)


_PART = 4_000_000  # bytes

_DUPLEX = {None: "/Simplex", Flip.LONG_EDGE: "/DuplexFlipLongEdge", Flip.SHORT_EDGE: "/DuplexFlipShortEdge"}
_DATE = pdfdoc.PDFString("D:20000101000000Z")  # a real date would make every file differ


def _catalog(options: PdfOptions) -> pdfdoc.PDFDictionary:
    # ISO 32000-1, table 150: cards printed at another size than 100 % are wrong.
    preferences = dictionary(PrintScaling="/None", Duplex=_DUPLEX[options.flip])
    catalog = dictionary(Lang=pdfdoc.PDFString("en"), PageMode="/UseNone", ViewerPreferences=preferences)
    if options.ticket:
        # Private data of this program, which viewers pass over (14.5). The date is required there.
        private = dictionary(LastModified=_DATE, Private=string(options.ticket))
        catalog["PieceInfo"] = dictionary(kotc=private)
    return catalog


def _info(title: str) -> pdfdoc.PDFDictionary:
    made = dictionary(CreationDate=_DATE, ModDate=_DATE, Trapped="/False")
    for key, text in (("Title", title), ("Creator", "kotc"), ("Producer", "kotc")):
        made[key] = pdfdoc.PDFString(text)
    return made


def _add_page(file: PdfFile, drawer: Drawer, page: Page | DrawnPage) -> None:
    if isinstance(page, DrawnPage):
        file.add_page(page.spool.piece(page.name))
        return
    drawn = _drawn(drawer, page)
    file.add_page(drawn)
    if page.drawn:
        page.drawn(drawn)


def _drawn(drawer: Drawer, page: Page) -> Piece:
    """Draw a page: its faces, each clipped to its box, then the marks."""
    content, scale = Content(), 1 / MM_PER_POINT
    # PDF counts y from the bottom of the page: one flip here, and all else stays in mm with y down.
    height = page.size.height * scale
    to_points = Affine(scale, 0, 0, -scale, 0, height)
    # 8 digits: a correction turns by small angles, which must hold over a whole sheet.
    content.add(f"{operators.matrix(to_points @ page.shift, digits=8)} cm")
    for placement in page.placements:
        _place(content, drawer, placement)
    drawer.add_items(content, page.marks)
    stream = content.stream(content.parts)
    entries = dictionary(
        Type="/Page",
        MediaBox=[0, 0, page.size.width * scale, height],
        TrimBox=corners(page.trim or page.size.rect, to_points),
        Contents=to(stream),
        Resources=content.resources,
        **({"BleedBox": corners(page.bleed, to_points)} if page.bleed else {}),
    )
    return page_of(entries, (stream,))


def _place(content: Content, drawer: Drawer, placement: Placement) -> None:
    side = "Back" if placement.is_back else "Front"
    # Marked content (ISO 32000-1, 14.6) by which `verify` finds each card on the sheet.
    name = placement.name
    # A text beyond ASCII is UTF-16, in hexadecimal digits (7.9.2.2).
    text = f"({name})" if name.isascii() else f"<feff{name.encode('utf-16-be').hex()}>"
    content.add(f"/Card << /Name {text} /Side /{side} >> BDC", "q")
    content.add(*_placed(placement.box.spread(placement.bleed), placement.place))
    content.draw("face", drawer.face(placement.face))
    content.add("Q", "EMC")


@cached(256)  # those of the slots of a sheet are on all sheets
def _placed(box: Rect, place: Affine) -> tuple[str, str]:
    # `W n`: clip, and paint nothing (8.5.4).
    return f"{operators.box(box)} re W n", f"{operators.matrix(place)} cm"


def corners(box: Rect, to_points: Affine) -> list[float]:
    """Return a box of a page in PDF's terms: left, bottom, right, top in points."""
    (left, top), (right, bottom) = to_points.apply(box.x, box.y), to_points.apply(box.right, box.bottom)
    return [left, bottom, right, top]

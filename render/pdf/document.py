"""Scenes on pages as a PDF: vector shapes, embedded fonts, each picture and each repeated drawing once in the file.

ReportLab, used here and in `fonts` and `pictures`, writes the file's structure. The content streams are our own, in mm
with y down like the scenes. Nothing is measured here, and no content can make it fail.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, assert_never

from msgspec import Struct, field
from reportlab import rl_config
from reportlab.pdfbase import pdfdoc

from render.base.geometry import IDENTITY, MAX_DISTANCE, MM_PER_POINT, Affine, Flip, Rect, Size
from render.base.progress import in_stage, stage
from render.images.art_dpi import ART_DPI
from render.images.press import Press
from render.pdf import operators
from render.pdf.fonts import GlyphFont
from render.pdf.objects import dictionary
from render.pdf.pictures import PdfPictures
from render.scene.items import (
    REACH,
    Color,
    Group,
    Item,
    Layer,
    Path,
    Picture,
    Placement,
    TextRun,
    UnseenRun,
    is_shaded,
)

if TYPE_CHECKING:
    from render.pdf.gradients import PdfGradients
    from render.scene.gradients import Gradient

_UNSEEN = 3  # the rendering mode of text that is neither filled nor stroked (ISO 32000-1, table 106)
# The bounding box of forms whose extent nobody needs to know.
_ANYWHERE = Rect(-MAX_DISTANCE, -MAX_DISTANCE, 2 * MAX_DISTANCE, 2 * MAX_DISTANCE)
# The graphics state of what overprints. In mode 1, an ink with the tint 0 is left as it is (ISO 32000-1 8.6.7).
_OVERPRINTING = dictionary(**{operators.OVERPRINT: dictionary(Type="/ExtGState", OP="true", op="true", OPM=1)})

# Groups of transparency (11.6.6): isolated, so that what they are drawn on does not show in them. A mask's has a color
# space, which its lightness is that of.
_GROUP = dictionary(Type="/Group", S="/Transparency", I="true")
_LIGHT_GROUP = dictionary(Type="/Group", S="/Transparency", I="true", CS="/DeviceGray")


class Page(Struct, frozen=True, kw_only=True):
    """A side of a sheet: the faces on it, and the marks around them.

    `shift` is applied to all that is drawn, in mm of the page with y down: it corrects what a printer does to that
    side. The page's boxes stay. `trim` and `bleed` are the page's boxes if the page is one card to be cut, not a sheet.
    """

    size: Size
    placements: tuple[Placement, ...]
    marks: tuple[Item, ...] = ()
    shift: Affine = IDENTITY
    trim: Rect | None = None
    bleed: Rect | None = None


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


def write(pages: Sequence[Page], options: PdfOptions) -> bytes:
    """Return the pages as a PDF whose bytes depend on the pages and the options alone."""
    rl_config.useA85 = 0  # ReportLab's default, ASCII85, makes files a quarter larger and takes time
    with _no_clock():
        file = pdfdoc.PDFDocument(compression=1, invariant=1, pdfVersion=(1, 6), lang="en")
    file.setTitle(options.title)
    file.setCreator("kotc")
    preferences = file.Catalog.ViewerPreferences = pdfdoc.ViewerPreferencesPDFDictionary()
    # ISO 32000-1, table 150: cards printed at another size than 100 % are wrong.
    preferences["PrintScaling"] = "None"
    preferences["Duplex"] = _DUPLEX[options.flip]
    if options.ticket:
        _keep(file, options.ticket)
    document = _Document(file, pages, options)
    for page in in_stage("draw", "pages", pages):
        document.add_page(page)
    document.finish()
    with stage("pack", document.pictures.count, "pictures") as step, document.pictures.drawn_ahead(step):
        data: bytes = file.GetPDFData(canvas=None)  # with a canvas ReportLab would add an outline
    return data


_DUPLEX = {None: "Simplex", Flip.LONG_EDGE: "DuplexFlipLongEdge", Flip.SHORT_EDGE: "DuplexFlipShortEdge"}


def _keep(document: pdfdoc.PDFDocument, ticket: str) -> None:
    """Store the ticket as private data of this program, which viewers pass over (ISO 32000-1, 14.5)."""
    date = pdfdoc.PDFString("D:20000101000000Z")  # required there; a real date would make every file differ
    private = dictionary(LastModified=date, Private=pdfdoc.PDFString(ticket))
    catalog = document.Catalog
    catalog.PieceInfo = dictionary(kotc=private)
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "PieceInfo"]  # ReportLab drops entries that it does not know


@contextmanager
def _no_clock() -> Iterator[None]:
    """Hide the variable by which ReportLab dates even an invariant file, and which stops it if it holds no number."""
    date = os.environ.pop("SOURCE_DATE_EPOCH", None)
    try:
        yield
    finally:
        if date is not None:
            os.environ["SOURCE_DATE_EPOCH"] = date


class _Content(Struct):
    """A content stream being made: its operators, the XObjects that they use, and whether anything overprints.

    `patterns` and `states` are the gradients and the graphics states by which something shows through.
    """

    code: list[str] = field(default_factory=list)
    uses: dict[str, None] = field(default_factory=dict)
    overprints: bool = False
    patterns: dict[str, pdfdoc.PDFObjectReference] = field(default_factory=dict)
    states: dict[str, pdfdoc.PDFObjectReference] = field(default_factory=dict)

    def add(self, *operators: str) -> None:
        self.code.extend(operators)

    def draw(self, name: str) -> None:
        """Draw the XObject of that name."""
        self.uses[name] = None
        self.code.append(f"/{pdfdoc.xObjectName(name)} Do")

    def add_resources(self, resources: pdfdoc.PDFResourceDictionary) -> None:
        """Add what its operators name besides XObjects."""
        if self.states:
            overprinting = _OVERPRINTING.dict if self.overprints else {}
            resources.ExtGState = pdfdoc.PDFDictionary({**overprinting, **self.states})
        elif self.overprints:
            resources.ExtGState = _OVERPRINTING
        if self.patterns:
            resources.Pattern = pdfdoc.PDFDictionary(self.patterns)


class _Document:
    """The objects of a file: drawn once, then used by name."""

    def __init__(self, document: pdfdoc.PDFDocument, pages: Sequence[Page], options: PdfOptions) -> None:
        self._document = document
        self._press = options.press
        self._fonts: dict[str, GlyphFont] = {}
        self._forms: dict[str, dict[Hashable, str]] = {}
        self._shapes: dict[Path, int] = {}
        self._known: dict[int, tuple[int, Path]] = {}
        self._states: dict[tuple[float, tuple[Path, ...]], str] = {}
        self._gradients: PdfGradients | None = None
        self.pictures = PdfPictures(document, options.press, options.art_dpi)
        # By identity: equal scenes of two cards are rare, and comparing all of them is slow.
        self._uses = Counter(id(placement.face) for page in pages for placement in page.placements)

    def add_page(self, page: Page) -> None:
        """Draw a page: its faces, each clipped to its box, then the marks."""
        content = _Content()
        scale = 1 / MM_PER_POINT
        # PDF counts y from the bottom of the page: one flip here, and all else stays in mm with y down.
        height = page.size.height * scale
        to_points = Affine(scale, 0, 0, -scale, 0, height)
        # 8 digits: a correction turns by small angles, which must hold over a whole sheet.
        content.add(f"{operators.matrix(to_points @ page.shift, digits=8)} cm")
        for placement in page.placements:
            self._place(content, placement)
        self._items(content, page.marks)
        made = pdfdoc.PDFPage()
        made.pagewidth, made.pageheight = page.size.width * scale, height
        made.TrimBox = _corners(page.trim or page.size.rect, to_points)
        if page.bleed:
            made.BleedBox = _corners(page.bleed, to_points)
        made.setCompression(1)
        made.setStream(content.code)
        made.Resources = pdfdoc.PDFResourceDictionary()
        made.Resources.basicFonts()
        made.Resources.allProcs()
        made.Resources.XObject = self._document.xobjDict(content.uses)
        content.add_resources(made.Resources)
        self._document.addPage(made)

    def finish(self) -> None:
        """Embed the fonts, once all glyphs are known."""
        for font in self._fonts.values():
            font.add_to(self._document)

    def _place(self, content: _Content, placement: Placement) -> None:
        box, face = placement.box, placement.face
        side = "Back" if placement.is_back else "Front"
        # Marked content (ISO 32000-1, 14.6) by which `verify` finds each card on the sheet.
        content.add(f"/Card << /Name ({placement.name}) /Side /{side} >> BDC")
        # `W n`: clip, and paint nothing (8.5.4).
        content.add("q", f"{operators.box(box.spread(placement.bleed))} re W n")
        place = Affine.move(box.x, box.y)
        if placement.turned:
            place = Affine.move(box.right, box.bottom) @ Affine.rotate(180)
        content.add(f"{operators.matrix(place)} cm")
        if self._uses[id(face)] > 1:  # with the bleed that placements may show
            content.draw(self._form("face", id(face), face.items, face.size.rect.outset(REACH)))
        else:
            self._items(content, face.items)
        content.add("Q", "EMC")

    def _new_name(self, kind: str, key: Hashable) -> str:
        """Return the name of a form of its kind, such as `face1`; "" if there is one with this key."""
        known = self._forms.setdefault(kind, {})
        if key in known:
            return ""
        known[key] = f"{kind}{len(known) + 1}"
        return known[key]

    def _form(
        self,
        kind: str,
        key: Hashable,
        items: Iterable[Item],
        box: Rect = _ANYWHERE,
        group: pdfdoc.PDFDictionary | None = None,
    ) -> str:
        """Return the name of items that are drawn once, as a form, and used more than once."""
        if name := self._new_name(kind, key):
            inner = _Content()
            self._items(inner, items)
            self._add_form(name, box, inner, group)
        return self._forms[kind][key]

    def _items(self, content: _Content, items: Iterable[Item]) -> None:
        # Neighbors of one kind go together: shapes into one form, runs into one text object.
        for kind, group in groupby(items, key=lambda item: Path if isinstance(item, Path) else type(item)):
            batch = tuple(group)
            if kind is Path:
                content.draw(self._drawing(tuple(item for item in batch if isinstance(item, Path))))
            elif kind is TextRun:
                self._runs(content, [item for item in batch if isinstance(item, TextRun)])
            else:
                for item in batch:
                    self._item(content, item)

    def _item(self, content: _Content, item: Item) -> None:
        match item:
            case Picture():
                self._picture(content, item)
            case Group():
                content.add("q", f"{operators.box(item.clip)} re W n")
                if item.transform == IDENTITY:
                    self._items(content, item.items)
                else:  # those of bleed, which are drawn more than once
                    content.add(f"{operators.matrix(item.transform)} cm")
                    content.draw(self._form("group", id(item.items), item.items))
                content.add("Q")
            case Layer():
                self._layer(content, item)
            case Path():
                content.draw(self._drawing((item,)))
            case UnseenRun():
                self._runs(content, [item], mode=_UNSEEN)
            case TextRun():
                self._runs(content, [item])
            case _:
                assert_never(item)

    def _drawing(self, paths: tuple[Path, ...]) -> str:
        """Return the name of neighboring shapes as a form; equal shapes of another card use the same form."""
        key = tuple(map(self._number, paths))
        if name := self._new_name("drawing", key):
            inner = _Content()
            parts = [part for path in paths for part in (_plain(path) if is_shaded(path) else (path,))]
            for part in parts:
                if isinstance(part, Layer):
                    self._layer(inner, part)
                else:
                    self._path(inner, part)
            is_plain = all(
                isinstance(part, Path) and (part.stroke is None or isinstance(part.stroke.color, tuple))
                for part in parts
            )
            self._add_form(name, operators.bounds(paths) if is_plain else _ANYWHERE, inner)
        return self._forms["drawing"][key]

    def _number(self, path: Path) -> int:
        """Return the number of a shape in the document; equal shapes have the same.

        Most shapes are the same objects on all cards, and to compare those by value would look at all their points.
        """
        known = self._known.get(id(path))
        if known is None:  # what is known is kept with the shape, whose identity would else be given to another
            known = self._known[id(path)] = self._shapes.setdefault(path, len(self._shapes)), path
        return known[0]

    def _path(self, content: _Content, path: Path, *, is_light: bool = False) -> None:
        """Fill and stroke a shape; one that `is_light` belongs to a mask, which has no inks."""

        def name_of(gradient: Gradient) -> str:
            if self._gradients is None:
                from render.pdf.gradients import PdfGradients

                self._gradients = PdfGradients(self._document, self._press)
            name = self._gradients.name(gradient, is_light=is_light)
            content.patterns[name] = pdfdoc.PDFObjectReference(name)
            return name

        content.add(*operators.path_operators(path, None if is_light else self._press, name_of))
        colors = (path.fill, path.stroke.color if path.stroke else None)
        content.overprints |= any(map(operators.overprints, colors))

    def _layer(self, content: _Content, layer: Layer) -> None:
        """Draw items clipped and placed; if something shows through them, as one group (11.4)."""
        if not all(clip.outlines for clip in layer.clips):  # nothing shows
            return
        content.add("q", *map(operators.clip, layer.clips))
        if layer.transform != IDENTITY:
            content.add(f"{operators.matrix(layer.transform)} cm")
        if layer.is_solid:
            self._items(content, layer.items)
        else:
            name = self._state(layer)
            content.states[name] = pdfdoc.PDFObjectReference(name)
            content.add(f"/{name} gs")
            content.draw(self._form("layer", layer.items, layer.items, group=_GROUP))
        content.add("Q")

    def _state(self, layer: Layer) -> str:
        """Return the name of the graphics state with a layer's opacity and mask (8.4.5 and 11.6.5.2)."""
        key = (layer.opacity, layer.mask)
        name = self._states.get(key)
        if name is None:
            name = self._states[key] = f"Seen{len(self._states) + 1}"
            opacity, entries = operators.number(layer.opacity), dict[str, object]()
            if layer.mask:
                mask = f"mask{len(self._states)}"
                self._add_mask(mask, layer.mask)
                light = pdfdoc.PDFObjectReference(pdfdoc.xObjectName(mask))
                entries["SMask"] = dictionary(Type="/Mask", S="/Luminosity", G=light)
            self._document.Reference(dictionary(Type="/ExtGState", ca=opacity, CA=opacity, **entries), name)
        return name

    def _add_mask(self, name: str, shapes: tuple[Path, ...]) -> None:
        inner = _Content()
        for part in (part for shape in shapes for part in _plain(shape)):
            match part:
                case Path():
                    self._path(inner, part, is_light=True)
                case Layer():  # one of the times that a gradient repeats
                    inner.add("q", *map(operators.clip, part.clips))
                    for path in part.items:
                        assert isinstance(path, Path)
                        self._path(inner, path, is_light=True)
                    inner.add("Q")
        self._add_form(name, _ANYWHERE, inner, _LIGHT_GROUP)

    def _add_form(self, name: str, box: Rect, content: _Content, group: pdfdoc.PDFDictionary | None = None) -> None:
        form = pdfdoc.PDFFormXObject(*(round(value, 3) for value in (box.x, box.y, box.right, box.bottom)))
        form.compression = 1
        code = "\n".join(content.code) or "n"  # ReportLab fills an empty form with a test picture
        form.setStreamList(code.encode("ascii"))
        form.XObjects = self._document.xobjDict(content.uses)
        if content.overprints or content.states or content.patterns:
            form.Resources = pdfdoc.PDFResourceDictionary(XObject=form.XObjects)
            content.add_resources(form.Resources)
            form.Resources.basicFonts()
        if group is not None:
            form.Contents = pdfdoc.PDFStream(dictionary(Group=group), form.stream)
        self._document.addForm(name, form)

    def _runs(self, content: _Content, runs: Iterable[TextRun], mode: int = 0) -> None:
        for overprints, group in groupby(runs, key=lambda run: operators.overprints(run.fill)):
            content.overprints |= overprints
            content.add(*(["q", f"/{operators.OVERPRINT} gs"] if overprints else []))
            content.add("BT", *([f"{mode} Tr"] if mode else []))
            fill: Color | None = None  # one text object: Tf and color are set only when they change
            font: tuple[str, float, float] | None = None
            for run in group:
                if run.fill != fill:
                    content.add(operators.fill(run.fill, self._press))
                    fill = run.fill
                glyphs = self._fonts.get(run.face) or self._fonts.setdefault(run.face, GlyphFont(run.face))
                if (run.face, run.size, run.stretch) != font:
                    # Tf sets font and size, Tz the horizontal scaling in per cent (9.3.4).
                    size, stretch = operators.number(run.size), operators.number(run.stretch * 100)
                    content.add(f"/{glyphs.name} {size} Tf {stretch} Tz")
                    font = (run.face, run.size, run.stretch)
                at = run.transform
                # Tm: the text's y axis points up, that of the page here down, hence the signs.
                content.add(f"{operators.matrix(Affine(at.a, at.b, -at.c, -at.d, at.e, at.f))} Tm", glyphs.show(run))
            content.add(*(["0 Tr"] if mode else []), "ET", *(["Q"] if overprints else []))

    def _picture(self, content: _Content, picture: Picture) -> None:
        """Draw the crop of a picture: the whole picture, larger than its box, and clipped to it."""
        box, crop = picture.box, picture.crop
        width, height = box.width / crop.width, box.height / crop.height
        # An image fills the unit square with its bottom at y = 0 (8.9.4).
        whole = Affine(width, 0, 0, -height, box.x - crop.x * width, box.y - crop.y * height + height)
        if picture.turned:
            middle = box.center
            whole = Affine.move(*middle) @ Affine.rotate(180) @ Affine.move(-middle[0], -middle[1]) @ whole
        content.add("q")
        if (crop.width, crop.height) != (1.0, 1.0):
            content.add(f"{operators.box(box)} re W n")
        content.add(f"{operators.matrix(whole)} cm")
        content.draw(self.pictures.name(picture))
        content.add("Q")


def _plain(path: Path) -> tuple[Path | Layer, ...]:
    """Return a shape as shapes and layers that a PDF can hold."""
    from render.scene.plain import plain

    return plain(path)


def _corners(box: Rect, to_points: Affine) -> pdfdoc.PDFArray:
    """Return a page box in PDF's terms: left, bottom, right, top in points."""
    (left, top), (right, bottom) = to_points.apply(box.x, box.y), to_points.apply(box.right, box.bottom)
    return pdfdoc.PDFArray([left, bottom, right, top])

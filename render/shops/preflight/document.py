"""A finished PDF judged as a whole: by its standard, and by what a shop asks for beyond it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO

import pikepdf
from pikepdf import Name, Pdf, Stream

from render.base.findings import Problem, Severity
from render.base.geometry import MM_PER_POINT, Affine
from render.pdf.standards import A_2B, Standard
from render.shops.preflight import boxes, catalogue, claims
from render.shops.preflight.boxes import Face, PageShape
from render.shops.preflight.content.resources import ResourceChecker
from render.shops.preflight.content.state import PageState
from render.shops.preflight.drawing import ContentTracer
from render.shops.preflight.font_rules import of_font
from render.shops.preflight.objects.inks import Inks
from render.shops.preflight.objects.reading import Effort, TooMuchWork, filters, inflated_length
from render.shops.print_fitness import Fitness, FoundDoubt, describe_doubts, find_doubts, several_sizes

_MAX_BYTES = 512 << 20  # that any file may unpack to; a large one may unpack to more
_RATIO = 20  # bytes more for each byte of the file
_MAX_STEPS = 700_000  # steps of work that any file may take, and one more for each of its bytes
_LARGEST_PICTURE = 1 << 29  # bytes that a picture may unpack to, or _RATIO for each of its bytes
_LARGEST_CONTENT = 1 << 25  # and everything else: contents, fonts, profiles
_PAGE_STEPS = 30
_MIN_PACKED = 64  # times: the growth assumed for filters whose output is not measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a file must meet: a standard, and what a shop asks for beyond it.

    `ink_limit` is in per cent; `sides` are `Back` and `Front` in the order of a card's pages; `fitness` is what can be
    printed and cut. With `is_for_shop`, what a shop refuses is an error; with `is_srgb`, RGB has to be sRGB. With `is_trusted`, the file was just made by
    this program, and its size is not limited.
    """

    standard: Standard
    ink_limit: float | None = None
    shape: PageShape | None = None
    sides: tuple[str, ...] = ()
    fitness: Fitness | None = None
    is_for_shop: bool = False
    is_srgb: bool = False
    is_trusted: bool = False

    @property
    def severity(self) -> Severity:
        """That of what a shop refuses, and what may be intended in other files."""
        return Severity.ERROR if self.is_for_shop else Severity.WARNING


def preflight(data: bytes, demands: Demands) -> list[Problem]:
    """Return all problems of a PDF, each kind once, with the pages that have it."""
    try:
        with warnings.catch_warnings(), Pdf.open(BytesIO(data), suppress_warnings=True) as pdf:
            warnings.simplefilter("ignore")  # what matters is asked for below
            return _Judge(pdf, data, demands).findings()
    except pikepdf.PasswordError:
        return [Problem("F001", "the file is encrypted, and opens with a password only")]
    except Exception as error:  # a file can hold any kind of value in any place
        return [Problem("F001", f"the file cannot be read as a PDF: {plain(error)}")]


def plain(error: object) -> str:
    """Return a library's words about a file, without the name of the stream or an address in memory."""
    said = str(error).removeprefix("WARNING: ")
    reason = re.sub(r"<[^<>]* at 0x[0-9a-fA-F]+>:?\s*", "", said).strip(" :") or type(error).__name__
    reason = re.sub(r"^stream \((.*?)\): ", r"\1: ", reason)
    return re.sub(r"0x[0-9a-fA-F]{6,}", "?", reason.splitlines()[0])[:200]


class _Judge:
    """One file being judged."""

    def __init__(self, pdf: Pdf, data: bytes, demands: Demands) -> None:
        self._pdf, self._data, self._demands = pdf, data, demands
        self._standard = demands.standard
        free = demands.is_trusted
        # Work may grow with the file: no file is too large, but a small one may not ask for as much as a large one.
        self._effort = Effort() if free else Effort(_MAX_BYTES + _RATIO * len(data), _MAX_STEPS + len(data))
        self._found: dict[Problem, list[int]] = {}
        self._whole: dict[Problem, None] = {}

    def findings(self) -> list[Problem]:
        for check in (self._syntax, self._document, self._pages):
            try:
                check()
            except TooMuchWork as much:
                self._note([Problem("F001", f"it is too large to be judged: {much}")])
            except pikepdf.PdfError as error:
                self._note([Problem("F001", f"the file is damaged: {plain(error)}")])
        by_page = (
            replace(fault, message=f"{boxes.list_pages(pages)}: {fault.message}")
            for fault, pages in self._found.items()
        )
        return sorted([*self._whole, *by_page], key=lambda each: (_ORDER[each.severity], each.code, each.message))

    def _note(self, found: Iterator[Problem] | list[Problem]) -> None:
        self._whole.update(dict.fromkeys(found))

    def _note_on(self, number: int, found: Iterator[Problem]) -> None:
        for fault in dict.fromkeys(found):
            self._found.setdefault(fault, []).append(number)

    def _syntax(self) -> None:
        pdf = self._pdf
        if pdf.is_encrypted:
            self._note([Problem("F001", "the file is encrypted", "save it without a password")])
        if not self._demands.is_trusted:
            for stream in pdf.objects:
                if isinstance(stream, Stream):
                    self._weigh(stream)
        problems = [*pdf.get_warnings(), *pdf.check_pdf_syntax()]
        self._note([Problem("F001", f"the file is damaged: {plain(problem)}") for problem in problems[:20]])

    def _weigh(self, stream: Stream) -> None:
        """Count what a stream unpacks to; TooMuchWork if no picture or content is ever as large."""
        packed = [name for name in filters(stream) if name in ("FlateDecode", "LZWDecode", "RunLengthDecode")]
        if not packed:
            return
        is_picture = stream.get("/Subtype") == Name.Image
        packed_length = len(stream.read_raw_bytes())
        most = max(_LARGEST_PICTURE if is_picture else _LARGEST_CONTENT, _RATIO * packed_length)
        if packed[0] == "FlateDecode":
            length = inflated_length(stream.read_raw_bytes(), most)
        else:
            length = packed_length * _MIN_PACKED
        if len(packed) > 1:
            length *= _MIN_PACKED
        if length > most:
            raise TooMuchWork("something unpacks to more than anybody could print")
        self._effort.unpack(length)

    def _document(self) -> None:
        standard = self._standard
        checks: tuple[Callable[[], Iterator[Problem]], ...] = (
            lambda: claims.of_claim(claims.read_claims(self._pdf, self._data, self._effort), standard),
            lambda: catalogue.of_catalogue(self._pdf, standard, self._demands.severity),
            lambda: catalogue.of_streams(self._pdf, standard),
        )
        for check in checks:
            try:
                self._note(check())
            except (ValueError, TypeError, KeyError, IndexError, AttributeError, UnicodeError) as error:
                self._note([Problem("F001", f"the file is not built as a PDF should be: {plain(error)}")])

    def _pages(self) -> None:
        pdf, demands = self._pdf, self._demands
        intent = claims.intent(pdf, self._standard, self._effort, is_srgb=demands.is_srgb)
        self._note(list(intent.faults))
        inks = Inks(
            standard=self._standard,
            intent=intent.space,
            limit=demands.ink_limit,
            effort=self._effort,
            spots=False if demands.is_for_shop else None,
        )
        drawing = ContentTracer(resources=ResourceChecker(inks), gathers=demands.fitness is not None)
        unfit: list[tuple[int, FoundDoubt]] = []
        faces: list[Sequence[Face]] = []
        try:
            for number, page in enumerate(pdf.pages, start=1):
                faces.append(self._page(page, number, drawing, unfit))
            copies = claims.copies_of_cards(pdf)
            self._note(boxes.of_faces(faces, demands.sides, copies, demands.severity))
        finally:
            for font in drawing.resources.fonts.values():
                for fault in of_font(font, self._standard):
                    self._found.setdefault(fault, []).extend(sorted(font.pages))
            if demands.fitness:
                self._note(describe_doubts(unfit, demands.fitness, boxes.list_pages))
            if self._standard is A_2B and not intent.space and inks.device:
                message = "there is no output intent, and there are colors of a device"
                self._note([Problem("F010", message, "name what they were made for: sRGB, or a press")])
        if demands.fitness and not demands.shape:
            sizes = {(round(size.width, 1), round(size.height, 1)) for size in map(boxes.trim_size, pdf.pages)}
            self._note(several_sizes(sorted(sizes), demands.severity))

    def _page(
        self, page: pikepdf.Page, number: int, drawing: ContentTracer, unfit: list[tuple[int, FoundDoubt]]
    ) -> Sequence[Face]:
        """Judge a page, and return the faces that it says it shows."""
        self._effort.step(_PAGE_STEPS)
        demands, left, top = self._demands, *boxes.trim(page)[::3]
        # From points with y up, from the page's corner, to mm with y down, from the trim's top left corner.
        by = Affine(MM_PER_POINT, 0, 0, -MM_PER_POINT, -left * MM_PER_POINT, top * MM_PER_POINT)
        self._note_on(number, boxes.boxes(page, self._standard))
        self._note_on(number, catalogue.page_of_limits(page, self._standard))
        self._note_on(number, catalogue.of_page(page, self._standard))
        if demands.shape:
            self._note_on(number, boxes.of_shape(page, demands.shape))
        if demands.fitness:
            is_shaped = demands.shape is not None
            bleed = boxes.of_bleed(page, demands.fitness.bleed, demands.severity, is_shape_asked=is_shaped)
            self._note_on(number, bleed)
        drawn: PageState = drawing.follow(page, number, by)
        self._note_on(number, iter(drawn.faults))
        if demands.fitness:
            size = boxes.trim_size(page)
            unfit += [(number, each) for each in find_doubts(drawn.inked, size, demands.fitness)]
        return drawn.faces


_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.UNSURE: 2}

"""Faces as a tagged PDF: a page each, whose words are read out in order, with words for its pictures.

The structure of a file (ISO 32000-1, 14.7 and 14.8) is a tree beside its pages. Each leaf names stretches of the pages'
content by numbers, and what has none is decoration. A face is drawn into its page itself, and not as a form, so that
these numbers are those of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import hypot
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfbase import pdfdoc

from render.base.geometry import IDENTITY, MM_PER_POINT, Affine, Rect
from render.base.progress import in_stage
from render.images.press import ART_DPI
from render.layout.bounds import around, of_item
from render.pdf import operators
from render.pdf.document import corners, file_parts
from render.pdf.drawing import Content, Drawer
from render.pdf.file import PdfFile, page_of
from render.pdf.fonts import GlyphFont
from render.pdf.objects import Reference, dictionary, piece, to
from render.pdf.standards import xmp_packet
from render.scene.items import Group, Item, Layer, Scene, TextRun, UnseenRun, walk
from render.text import fonts
from render.text.unicode_breaks import has_parts

HEADING, PARAGRAPH, FIGURE = "H1", "P", "Figure"

_OWN_SIGNS = (range(0xE000, 0xF900), range(0xF0000, 0x110000))  # letters of private use, which nobody can read out


class ReadPart(Struct, frozen=True):
    """What is read as one: a heading, a paragraph, or a figure; `said`, if any, is read in place of it.

    `items` are those of its face.
    """

    tag: str
    items: tuple[Item, ...]
    said: str = ""


class ReadFace(Struct, frozen=True):
    """A face, and what is read of it in order; what is in no part is decoration. `name` and `language` are the card's.

    `icons` tells what is read in place of the words of icons in texts, such as `{H}`.
    """

    face: Scene
    name: str
    language: str
    parts: tuple[ReadPart, ...]
    icons: Mapping[str, str]


def tagged_parts(faces: Sequence[ReadFace], title: str) -> Iterator[bytes]:
    """Yield a PDF with a page for each of at least one face, in parts of a few MB.

    It claims to be PDF/UA-1 (ISO 14289-1) only if all that it shows has words. OSError if a picture has changed since
    it was laid out.
    """
    tree = _Tree()

    def catalog(file: PdfFile) -> pdfdoc.PDFDictionary:
        says = [("pdfuaid:part", "1")] if title and all(map(_has_words, faces)) else []
        packet = xmp_packet(says, "PDF/UA-1", title)
        file.add(piece(dictionary(Type="/Metadata", Subtype="/XML"), packet), b"metadata")
        tree.finish(file)
        return dictionary(
            Lang=pdfdoc.PDFString(faces[0].language),
            MarkInfo=dictionary(Marked="true"),
            StructTreeRoot=Reference(b"tree"),
            Metadata=Reference(b"metadata"),
            ViewerPreferences=dictionary(DisplayDocTitle="true", PrintScaling="/None"),
        )

    # Drawn one by one, so that a page is let go once it is written.
    adds = (partial(_add_page, tree=tree, face=face) for face in in_stage("draw", "pages", faces))
    yield from file_parts(adds, catalog, title)


def _has_words(face: ReadFace) -> bool:
    """Return whether all words of a face can be read out, and all its figures have words."""
    words = "".join(item.words for item in walk(face.face.items) if isinstance(item, TextRun))
    has_own_signs = any(ord(char) in signs for char in set(words) for signs in _OWN_SIGNS)
    return not has_own_signs and all(part.said for part in face.parts if part.tag == FIGURE)


class _Tree:
    """The tree of a file being written: a section for each card, and in it what is read of its faces."""

    def __init__(self) -> None:
        self._sections: list[tuple[ReadFace, list[Reference]]] = []  # of neighboring faces with one name
        self._pages: list[list[Reference]] = []  # of each page the elements that its numbers belong to
        self._count = 0
        self.letters: dict[str, dict[int, str]] = {}  # of each face of a font what its glyphs first stand for

    @property
    def page(self) -> int:
        """The number of the page that comes next, from 0."""
        return len(self._pages)

    def add(self, file: PdfFile, face: ReadFace, marks: Sequence[_Mark], to_points: Affine) -> None:
        """Add what is read of the next page: its parts, those of which something is drawn."""
        if not self._sections or self._sections[-1][0].name != face.name:
            self._sections.append((face, []))
        page, leaves = Reference(b"page %d" % (self.page + 1)), self._sections[-1][1]
        owners: dict[int, Reference] = {}

        def element(tag: str, above: Reference, said: str, **entries: object) -> Reference:
            self._count += 1
            told = {"Alt" if tag == FIGURE else "ActualText": pdfdoc.PDFString(said)} if said else {}
            made = piece(dictionary(S=f"/{tag}", P=above, Pg=page, **told, **entries))
            file.add(made, name := b"element %d" % self._count)
            return Reference(name)

        for at, part in enumerate(face.parts):
            numbers = [number for number, mark in enumerate(marks) if mark.part == at]
            if not numbers:
                continue
            own = Reference(b"element %d" % (self._count + 1 + sum(bool(marks[each].said) for each in numbers)))
            for number in numbers:
                said = marks[number].said
                owners[number] = element("Span", own, said, K=[number]) if said else own
            shape = {}
            if part.tag == FIGURE:
                box = around(marks[each].box for each in numbers).shared(face.face.size.rect)
                shape = {"A": dictionary(O="/Layout", BBox=corners(box, to_points))}
            kids = [owners[number] if marks[number].said else number for number in numbers]
            leaves.append(element(part.tag, Reference(self._section), part.said, K=kids, **shape))
        self._pages.append([owners[number] for number in range(len(marks))])

    @property
    def _section(self) -> bytes:
        return b"section %d" % len(self._sections)

    def finish(self, file: PdfFile) -> None:
        """Write what holds the parts of all pages."""
        sections = [Reference(b"section %d" % number) for number in range(1, len(self._sections) + 1)]
        for section, (face, leaves) in zip(sections, self._sections, strict=True):
            entries = dictionary(S="/Sect", P=Reference(b"document"), T=pdfdoc.PDFString(face.name), K=leaves)
            entries["Lang"] = pdfdoc.PDFString(face.language)
            file.add(piece(entries), section.name)
        file.add(piece(dictionary(S="/Document", P=Reference(b"tree"), K=sections)), b"document")
        numbered = [each for number, owners in enumerate(self._pages) for each in (number, owners)]
        parents = dictionary(Nums=numbered)
        root = dictionary(Type="/StructTreeRoot", K=[Reference(b"document")], ParentTree=parents)
        root["ParentTreeNextKey"] = len(self._pages)
        file.add(piece(root), b"tree")


def _add_page(file: PdfFile, *, tree: _Tree, face: ReadFace) -> None:
    size, scale = face.face.size, 1 / MM_PER_POINT
    to_points = Affine(scale, 0, 0, -scale, 0, size.height * scale)
    content, drawer = Content(), _ReadDrawer(face, tree.letters)
    content.add(f"{operators.matrix(to_points, digits=8)} cm")
    drawer.add_items(content, face.face.items)
    stream = content.stream(content.parts)
    file.add(stream)
    entries = dictionary(
        Type="/Page",
        MediaBox=[0, 0, size.width * scale, size.height * scale],
        TrimBox=corners(size.rect, to_points),
        Contents=to(stream),
        Resources=content.resources,
        StructParents=tree.page,
    )
    tree.add(file, face, drawer.marks, to_points)
    file.add_page(page_of(entries, [stream]))


class _Mark(NamedTuple):
    """A numbered stretch of the content of a page: the part of the face that it belongs to, and the box around it.

    `said` is read in place of an icon.
    """

    part: int
    box: Rect
    said: str


class _ReadDrawer(Drawer):
    """Draws a face, and marks what of it is read, and what is decoration (14.6, 14.8.2.2)."""

    def __init__(self, face: ReadFace, letters: dict[str, dict[int, str]]) -> None:
        super().__init__(None, ART_DPI)
        self._letters = letters
        self._part_of = {id(item): number for number, part in enumerate(face.parts) for item in part.items}
        self._tags, self._icons = [part.tag for part in face.parts], face.icons
        self._space, self._is_marked = IDENTITY, False
        self.marks: list[_Mark] = []

    def add_items(self, content: Content, items: Iterable[Item]) -> None:
        """Add items to a content stream, marked unless what they are in is."""
        if self._is_marked:
            super().add_items(content, items)
            return
        for part, group in groupby(items, key=self._part):
            batch = tuple(group)
            if part == _INNER:
                for item in batch:
                    self._add_inner(content, item)
                continue
            if part is None:
                content.add("/Artifact BMC")
                self._add_marked(content, batch)
                continue
            followed = zip(batch, (*batch[1:], None), strict=True)
            for _, some in groupby(followed, key=lambda two: bool(self._said(two))):
                two = [*some]
                said, read = "".join(map(self._said, two)), [*map(_ended, two)]
                content.add(f"/{'Span' if said else self._tags[part]} << /MCID {len(self.marks)} >> BDC")
                self.marks.append(_Mark(part, around(self._space.box(of_item(item)) for item in read), said))
                self._add_marked(content, read)

    def _add_marked(self, content: Content, items: Iterable[Item]) -> None:
        self._is_marked = True
        super().add_items(content, items)
        self._is_marked = False
        content.add("EMC")

    def _said(self, two: tuple[Item, Item | None]) -> str:
        """Return what is read in place of an icon, before another one with white behind it; "" for anything else."""
        item, after = two
        if not (isinstance(item, UnseenRun) and item.words.startswith("{")):
            return ""
        said = self._icons.get(item.words, item.words.strip("{}"))
        return f"{said} " if isinstance(after, UnseenRun) else said

    def _shown(self, run: TextRun, glyphs: GlyphFont) -> str:
        """Return the operators that show a run; only this file has it, whose font says what ligatures stand for."""
        letters = self._letters.setdefault(run.face, {})
        for glyph, text in zip(run.glyphs, run.text, strict=True):
            letters.setdefault(glyph, text)
        return glyphs.show(run, letters)

    def _part(self, item: Item) -> int | None:
        """Return the part that an item belongs to; None for decoration, and _INNER for what holds several of a face.

        What is seen through is drawn as one, and belongs to the first part in it.
        """
        parts = self._parts_in(item)
        if id(item) not in self._part_of and parts and not (isinstance(item, Layer) and not item.is_solid):
            return _INNER
        return min(parts, default=None)

    def _parts_in(self, item: Item) -> set[int]:
        if id(item) in self._part_of:
            return {self._part_of[id(item)]}
        return set().union(*map(self._parts_in, item.items)) if isinstance(item, Group | Layer) else set()

    def _add_inner(self, content: Content, item: Item) -> None:
        assert isinstance(item, Group | Layer)
        around_it, self._space = self._space, self._space @ item.transform
        if isinstance(item, Group):
            content.add("q", f"{operators.box(item.clip)} re W n", f"{operators.matrix(item.transform)} cm")
            self.add_items(content, item.items)
            content.add("Q")
        else:
            self._layer(content, item)
        self._space = around_it


_INNER = -1


def _ended(two: tuple[Item, Item | None]) -> Item:
    """Return the first of two items, with white behind it if it is the last run of a line, and the other one follows."""
    item, after = two
    if not isinstance(item, TextRun) or not isinstance(after, TextRun):
        return item
    white = fonts.face(item.face).font.get_nominal_glyph(ord(" "))
    is_last = abs(_depth(after) - _depth(item)) > _NEXT_LINE * item.size
    ends_within = item.words.endswith((" ", "-", "\N{SOFT HYPHEN}")) or has_parts((item.words[-1:], after.words[:1]))
    if not (is_last and white) or ends_within:
        return item
    rises = (*item.rises, 0) if item.rises else ()
    ended = (*item.glyphs, white), (*item.advances, 0), (*item.text, " ")
    return replace(item, glyphs=ended[0], advances=ended[1], text=ended[2], rises=rises)


_NEXT_LINE = 0.3  # em: by which the baselines of two lines differ at least


def _depth(run: TextRun) -> float:
    """Return how far below the corner of the card the line of a run stands, whichever way it runs (mm)."""
    along = run.transform
    return (along.a * along.f - along.b * along.e) / hypot(along.a, along.b)

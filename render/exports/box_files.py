"""Tuck boxes and dividers as files: nets with what is printed on them, on paper, as a PDF and as cuts for a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path as FilePath
from typing import NamedTuple

from msgspec.structs import replace

from render.base.geometry import Affine, Edges, Rect, Size
from render.base.sizes import PAPERS
from render.exports import cut_files
from render.layout.bleed import add_bleed
from render.pdf import document
from render.scene.items import ClipShape, Item, Layer, Outline, Path, Placement, Scene, Stroke
from render.scene.outlines import move_outlines, rect_of
from render.sheets import imposition, marks
from render.sheets.cutting import CutLine, CutShape, CutSheet, registration_marks
from render.sheets.imposition import Grid, ImposedCard
from render.sheets.options import Backs, Crop, Orientation, SheetOptions
from render.sheets.tuck_box import Net
from render.text import fonts
from render.text.fitting import TextLine, set_line
from render.text.line_breaking import TextStyle

BLEED = 2.0  # mm that print goes on beyond a cut: these are cut by hand
_CUT = Stroke(color=(0, 0, 0), width=0.15)
_FOLD = replace(_CUT, dashes=(2.0, 1.0))
_AROUND_CUTS = Stroke(color=(255, 255, 255), width=0.4)  # by which the line is seen on dark pictures
_BLACK = (0, 0, 0)
_PLAIN = TextStyle("DejaVu Sans Condensed", _BLACK)
BOLD = "DejaVu Sans Condensed Bold"
_SMALLEST, _NARROWEST = 1.8, 0.6  # mm of type, about 5 pt, and the share of its width that it is condensed to
_WHITE = 2.0  # mm around words


class Piece(NamedTuple):
    """A net with what is printed on it, the lines to cut and to fold included."""

    net: Net
    scene: Scene


def box_piece(net: Net, faces: Mapping[str, Scene | None], title: str, bleed_from: str, letters: str = BOLD) -> Piece:
    """Return a box with faces on its panels, by their names, and its title on the sides and the lid if it has room.

    `letters` is the face of the title.
    """
    items: list[Item] = []
    cut_at = {"front": Edges(top=BLEED), "back": Edges(bottom=BLEED)}  # all other edges of these are folded
    for name, face in faces.items():
        if face:
            items.append(_on_panel(face, net.panels[name], cut_at.get(name, Edges()), bleed_from))
    for name, degrees in (("left", 90), ("right", 90), ("lid", 180)):  # the lid is read from the front
        items += _words(title, net.panels[name], TextStyle(letters, _BLACK), 5.0, degrees)
    for name, degrees in (("side tab", 270), ("bottom tab", 0)):  # these are glued with their printed side
        items += _words("glue", net.panels[name], _PLAIN, 3.0, degrees)
    return _finished(net, items)


def divider_piece(net: Net, name: str, note: str, letters: str = BOLD) -> Piece:
    """Return a divider with its name on the tab, and below it with a note; ValueError if the tab cannot show its name.

    `letters` is the face of the name.
    """
    if not name.strip():
        raise ValueError("a tab needs a name, and one is empty")
    if missing := fonts.missing(name, letters):
        raise ValueError(f"no font for tabs has `{name[missing[0]]}`, which is in the name `{name}`")
    bold = TextStyle(letters, _BLACK)
    on_tab = _words(name, net.panels["tab"], bold, 4.0)
    if not on_tab:
        wide = net.panels["tab"].width
        raise ValueError(f"the name `{name}` is too long for a tab {wide:.3g} mm wide; fewer --places make tabs wider")
    body = net.panels["body"]
    head = Rect(body.x, body.y + 4.0, body.width, 10.0)
    return _finished(net, [*on_tab, *_words(name, head, bold, 6.0), *_words(note, head.moved(0, 8), _PLAIN, 3.0)])


def _finished(net: Net, items: Sequence[Item]) -> Piece:
    lines = tuple(Outline(start, (end,), False) for start, end in net.folds)
    folds = (Path(lines, stroke=_FOLD),) if lines else ()
    cuts = (Path(net.cut, stroke=line) for line in (_AROUND_CUTS, _CUT))
    return Piece(net, Scene(net.size, (*items, *folds, *cuts)))


def _on_panel(face: Scene, panel: Rect, beyond: Edges, bleed_from: str) -> Layer:
    """Return a face in its size in the middle of a panel, which its bleed fills, and beyond what is cut."""
    lies = (face.size.width > face.size.height) != (panel.width > panel.height)
    size = face.size.sideways if lies and face.size.width != face.size.height else face.size
    x, y = panel.center
    box = Rect(x - size.width / 2, y - size.height / 2, size.width, size.height)
    bleed = max(panel.width - size.width, panel.height - size.height) / 2 + BLEED
    clip = ClipShape(rect_of(panel.spread(beyond)))
    return Layer(
        items=add_bleed(face, bleed, bleed_from).items,
        clips=(clip,),
        transform=Placement(face=face, box=box).place,
    )


def _words(words: str, box: Rect, style: TextStyle, size: float, degrees: int = 0) -> tuple[Item, ...]:
    """Return words in the middle of a box, turned clockwise, smaller if they must be; nothing if they have no room."""
    length, depth = (box.height, box.width) if degrees % 180 else (box.width, box.height)
    size = min(size, depth - _WHITE)
    if size < _SMALLEST:
        return ()
    room = TextLine(0.0, fonts.CAP_HEIGHT * size / 2, "middle", size, length - 2 * _WHITE, _NARROWEST, _SMALLEST)
    place = Affine.move(*box.center) @ Affine.rotate(degrees)
    return tuple(run.taken(place) for run in set_line(words, style, room))


# --- on paper -------------------------------------------------------------------------------------------------------


def fit(size: Size, options: SheetOptions, *, only: bool) -> Grid:
    """Return the slots for pieces of a size, or for the `only` one, on paper that is turned if they fit only so.

    The options say all but size, backs, bleed and crop marks. ValueError, which says what would do, if none fits.
    """
    middle = (1, 1) if only else None
    options = replace(options, card_size=size, grid=middle, backs=Backs.NONE, bleed=BLEED, crop_marks=Crop.OFF)
    if grid := _fitting(options):
        registration_marks(grid)  # ValueError
        return grid
    papers = sorted(PAPERS, key=lambda name: PAPERS[name].width * PAPERS[name].height)
    enough = [name for name in papers if _fitting(replace(options, paper=PAPERS[name]))]
    hint = f"--paper {' or '.join(enough[:2])} holds it" if enough else "no paper with a name does: give --paper WxH"
    room = options.page.rect.outset(-options.margin - BLEED)
    left = f"a paper of {options.page} with margins of {options.margin:g} mm leaves {room.width:g} x {room.height:g} mm"
    raise ValueError(f"one is {size.width:.4g} x {size.height:.4g} mm flat, and {left}: {hint}")


def _fitting(options: SheetOptions) -> Grid | None:
    """Return the grid on a paper as it lies, or else turned if the options leave that open; None if none fits."""
    other = Orientation.LANDSCAPE if options.page.height >= options.page.width else Orientation.PORTRAIT
    turned = [replace(options, orientation=other)] if options.orientation is Orientation.AS_GIVEN else []
    for way in (options, *turned):
        with suppress(ValueError):
            return imposition.fit_grid(way)
    return None


def files(pieces: Sequence[Piece], grid: Grid, title: str, words: str, file: FilePath) -> dict[FilePath, bytes]:
    """Return a PDF and, beside it, the cuts of each of its sheets as SVG and DXF. Slugs begin with these words."""
    pages, cuts = list[document.Page](), dict[FilePath, bytes]()
    sheets = imposition.impose([ImposedCard(piece.scene, None, name="piece") for piece in pieces], grid)
    for number, sheet in enumerate(sheets):
        slug = f"{words} · sheet {number + 1} of {len(sheets)}"
        pages.append(document.Page(size=grid.paper, placements=sheet.front, marks=marks.front(grid, slug, sheet)))
        placed = [*zip(pieces[number * grid.count :], (each.place for each in sheet.front), strict=False)]
        lines = CutSheet(
            grid.paper,
            tuple(CutShape(each) for piece, place in placed for each in move_outlines(piece.net.cut, place)),
            registration_marks(grid),
            tuple(
                CutLine(place.apply(*start), place.apply(*end))
                for piece, place in placed
                for start, end in piece.net.folds
            ),
        )
        name = f"{file.stem}-cuts{f'-{number + 1}' if number else ''}"
        cuts[file.with_name(f"{name}.svg")] = cut_files.svg(lines)
        cuts[file.with_name(f"{name}.dxf")] = cut_files.dxf(lines)
    return {file: document.write(pages, document.PdfOptions(title, art_dpi=grid.options.art_dpi)), **cuts}

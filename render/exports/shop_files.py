"""A job as files for a print shop: a folder of pictures, or a PDF with a page for each face.

Nothing is written before everything is drawn and has passed preflight.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryFile
from typing import assert_never

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image

from render.base.caches import cached
from render.base.files import replace_files
from render.base.findings import Finding, Problem, Refused, Severity, has_errors
from render.base.geometry import Edges, Rect, Size
from render.base.progress import in_stage, stage
from render.exports import press_files
from render.exports.orders import BLANK, PAGE, OrderLine, order_files, order_page
from render.exports.print_files import PrintJob, back_marks, lying
from render.game.faces import Faces
from render.game.file_names import free_name
from render.images import inks
from render.images.press import Press
from render.layout.bleed import add_bleed
from render.layout.press import PressLook, of_letters
from render.pdf import document
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Placement, Scene, TextRun, scene_digest
from render.scene.proof_kinds import Proof
from render.shops.flattening import inked_face
from render.shops.preflight.document import demands, preflight
from render.shops.preflight.picture_file import preflight_png
from render.shops.print_fitness import Fitness, describe_doubts, find_doubts, list_faces, read_pieces, several_sizes
from render.shops.profiles import Copies, OrderFile, PdfShop, PictureShop, Shop

PDF = "cards.pdf"

_GLANCE_DPI = 60.0  # enough to see how much of a face changes its color
_MUCH = 0.25  # of a face: nobody notices less without the screen beside it


class ShopOptions(Struct, frozen=True):
    """How often a PDF has each card (None: as the shop wants it), and the source of bleed.

    `rich_black` asks for large black areas in the rich black of the shop's press.
    """

    copies: Copies | None = None
    bleed_from: str = "auto"
    rich_black: bool = False


def shop_files(
    job: PrintJob, shop: Shop, options: ShopOptions, problems: list[Problem] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a job, each checked: its name relative to the folder, with `/`, and its bytes.

    `problems` are what `unfit` returns, if it was called. Refused if a face cannot be printed, or preflight finds a
    fault.
    """
    # First, because it takes no drawing to know.
    _refuse(unfit(job, shop) if problems is None else problems)
    look = _look(shop, options)
    add = partial(inked_face, look=look) if look else add_bleed
    # By identity, since cards share backs: to compare scenes would cost more than it saves.
    faces = in_stage("impose", "faces", [*_scenes(job)])
    bled = {id(scene): add(scene, shop.bleed, options.bleed_from) for _, _, scene in faces}
    match shop:
        case PictureShop():
            yield from _pictures(job, shop, bled)
        case PdfShop():
            files = _pdfs(job, shop, options, bled)
            for number, data in enumerate(files, 1):
                name = PDF if len(files) == 1 else PDF.replace(".", f"-{number}.")
                with stage("check", 0):
                    _refuse(preflight(data, demands(shop, [standing(job, shop)])), name)
                yield name, data
            if shop.press:  # an archive is no order
                yield PAGE, order_page(job, shop, {})
        case _:
            assert_never(shop)


def write_shop_files(
    made: Iterable[tuple[str, bytes]],
    folder: Path,
    below: Path,
    about_to: Callable[[dict[str, str]], object] = lambda _: None,
) -> list[Path]:
    """Write all files or none once the last one is made, and return their paths; they wait on the disk, not in memory.

    `below` is as in `render.base.files`. `about_to` gets their names and SHA-256 before the first one is written.
    """
    lengths: list[tuple[Path, int]] = []
    digests: dict[str, str] = {}
    with TemporaryFile() as waiting:
        for name, data in made:
            lengths.append((folder / name, waiting.write(data)))
            digests[name] = hashlib.sha256(data).hexdigest()
        waiting.seek(0)
        about_to(digests)
        replace_files(((file, partial(waiting.read, length)) for file, length in lengths), below)
        return [file for file, _ in lengths]


def print_doubts(job: PrintJob, shop: Shop, problems: list[Problem]) -> Iterator[Finding]:
    """Yield what the shop may doubt: what `unfit` found that is no error, and colors outside its inks."""
    yield from (each.at() for each in problems if each.severity is not Severity.ERROR)
    if isinstance(shop, PictureShop) or shop.press is None:
        return
    for side, face, scene in in_stage("check", "faces", [*_scenes(job)]):
        if (share := _share_shifted(scene, shop.press)) >= _MUCH:
            message = f"{share:.0%} of the {side} of `{face.card.id}` has colors that ink cannot show"
            hint = "they are printed as the nearest ones, less bright: look at a proof"
            yield Problem("F032", message, hint, severity=Severity.WARNING).at(card=face.card.id)


def _share_shifted(scene: Scene, press: Press) -> float:
    """Return the share of a face whose color is visibly different in print, if it is much.

    Gray words have no color that could be, and only hide what has. So they are painted only where it matters: in most
    sets a picture stands on many faces, and looks alike on all of them.
    """
    canvas, words = Canvas(_GLANCE_DPI), [item for item in scene.items if isinstance(item, TextRun)]
    if all(len(set(run.fill)) == 1 for run in words) and not inks.shifts(_GRAYS, press).any():
        others = tuple(item for item in scene.items if not isinstance(item, TextRun))
        shifts, is_colored = _wordless(Scene(scene.size, others), press)
        at_most = shifts.copy()
        for box in (canvas.to_px.box(run.transform.box(of_letters(run))).outset(1) for run in words):  # 1 px for edges
            part = np.s_[max(int(box.y), 0) : max(ceil(box.bottom), 0), max(int(box.x), 0) : max(ceil(box.right), 0)]
            at_most[part] |= is_colored[part]
        if at_most.mean() < _MUCH:
            return 0.0
    return float(inks.shifts(paint.paint(scene, canvas), press).mean())


_GRAYS = Image.frombytes("L", (256, 1), bytes(range(256)))


@cached(128)
def _wordless(scene: Scene, press: Press) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each pixel of a face whether its color is visibly different in print, and whether it is no gray."""
    image = paint.paint(scene, Canvas(_GLANCE_DPI))
    red, green, blue = np.moveaxis(np.asarray(image), -1, 0)
    return inks.shifts(image, press), (red != green) | (green != blue)


def unfit(job: PrintJob, shop: Shop) -> list[Problem]:
    """Return what cannot be printed or cut well, as far as the shop states its demands."""
    if shop.dpi is None:
        return []
    look = _look(shop, ShopOptions())
    asked = Fitness(safe=shop.safe, dpi=shop.dpi, bleed=shop.bleed)
    found = (
        (f"the {side} of `{face.card.id}`", each)
        for side, face, scene in in_stage("check", "faces", [*_scenes(job)])
        for each in find_doubts(read_pieces(scene, look.press if look else None), scene.size, asked)
    )
    card = standing(job, shop)
    shown = {scene.size for _, _, scene in _scenes(job)}
    sizes = sorted(
        {(card if size == card.sideways else size) for size in shown}, key=lambda size: (size.width, size.height)
    )
    several = several_sizes([(size.width, size.height) for size in sizes])
    return [*describe_doubts(found, asked, list_faces), *several]


def standing(job: PrintJob, shop: Shop) -> Size:
    """Return the size of the shop's pages and pictures, in which some faces may lie: that of its product, or of cards."""
    sizes = [face.front.size for face in job.faces]
    return shop.card or next((size for size in sizes if size.height >= size.width), sizes[0])


def _scenes(job: PrintJob) -> Iterator[tuple[str, Faces, Scene]]:
    """Yield each different face of a job, with its side and the first card that has it."""
    seen: set[int] = set()
    for face in job.faces:
        for side, scene in (("front", face.front), ("back", face.back)):
            if scene is not None and id(scene) not in seen:
                seen.add(id(scene))
                yield side, face, scene


def _look(shop: Shop, options: ShopOptions) -> PressLook | None:
    """Return how the shop's press inks faces; None if its files are in RGB."""
    if isinstance(shop, PictureShop) or shop.press is None:
        return None
    return PressLook(shop.press, options.rich_black, shop.standard.transparency)


def _refuse(problems: list[Problem], name: str = "") -> None:
    if has_errors(problems):
        where = f"{name}: " if name else ""
        raise Refused(replace(each, message=f"{where}{each.message}").at() for each in problems)


# --- pictures -------------------------------------------------------------------------------------------------------


def _pictures(job: PrintJob, shop: PictureShop, bled: Mapping[int, Scene]) -> Iterator[tuple[str, bytes]]:
    """Yield a picture of each front and of each different back, and the list for the order."""

    card = standing(job, shop)

    def picture(name: str, scene: Scene, *, is_back: bool = False) -> tuple[str, bytes]:
        quarters = Placement(face=scene, box=card.rect, is_back=is_back).quarters
        data = packing.encode(
            paint.turn(paint.paint(bled[id(scene)], Canvas(shop.dpi, shop.bleed)), quarters), shop.dpi
        )
        _refuse(preflight_png(data, [shop.pixels]), name)
        return name, data

    backs: dict[str, str] = {}
    lines: dict[str, OrderLine] = {}
    for face in in_stage("draw", "cards", job.faces):
        front = f"fronts/{face.card.id}.png"
        yield picture(front, face.front)
        seen = scene_digest(face.back) if face.back else ""
        if face.back and seen not in backs:
            # Its own name in the letters of ids, numbered if it is taken.
            own = Path(face.card.id if face.card.has_own_back else face.card.back).stem.lower()
            taken = map(os.path.basename, backs.values())
            name = free_name(re.sub(r"[^a-z0-9_-]+", "-", own).strip("-"), ".png", taken, instead="back")
            backs[seen] = f"backs/{name}"
            yield picture(backs[seen], face.back, is_back=True)
        if not face.back and shop.order is OrderFile.AUTOFILL:  # it gives all other cards the usual back
            if seen not in backs:
                blank = paint.paint(Scene(card, ()), Canvas(shop.dpi, shop.bleed))
                yield BLANK, packing.encode(blank, shop.dpi)
            backs[seen] = BLANK
        lines[face.card.id] = OrderLine(front, backs.get(seen, ""), face.card.copies, face.card.name)
    yield from order_files([*lines.values()], shop)  # last, so that it never names a missing picture
    yield PAGE, order_page(job, shop, lines)


# --- a PDF ----------------------------------------------------------------------------------------------------------


def _pdfs(job: PrintJob, shop: PdfShop, options: ShopOptions, bled: Mapping[int, Scene]) -> list[bytes]:
    """Return the PDF, or several with half of the cards each, and so on, until the shop takes each; OSError if none does."""
    data, half = _pdf(job, shop, options, bled), -(-len(job.faces) // 2)
    if shop.largest is None or len(data) <= shop.largest * 1e6:
        return [data]
    if half == len(job.faces):
        raise OSError(errno.EFBIG, f"{shop.title} takes files of at most {shop.largest:g} MB", PDF)
    parts = (replace(job, faces=faces) for faces in (job.faces[:half], job.faces[half:]))
    return [file for part in parts for file in _pdfs(part, shop, options, bled)]


def _pdf(job: PrintJob, shop: PdfShop, options: ShopOptions, bled: Mapping[int, Scene]) -> bytes:
    """Return the PDF: for each card a page of its front and one of its back, in the shop's order."""
    is_each, card = (options.copies or shop.copies) is Copies.EACH, standing(job, shop)
    pages: list[document.Page] = []
    for face in job.faces:
        # Shops tell fronts from backs by counting pages, so a card without a back has a blank one.
        back = bled[id(face.back)] if face.back else Scene(card, ())
        front = bled[id(face.front)]
        pair = _page(front, card, face, shop.bleed), _page(back, card, face, shop.bleed, is_back=True)
        pages += (pair[::-1] if shop.backs_first else pair) * (face.card.copies if is_each else 1)
    marks = back_marks(face.back for face in job.faces)
    sideways = lying(placed for page in pages for placed in page.placements)
    # What the file says about itself, and `verify` proves. Lengths in mm; cards in order.
    ticket = {
        "kind": "shop",
        "shop": shop.name,
        "standard": shop.standard.name,
        "card": [card.width, card.height],
        "bleed": shop.bleed,
        "backs_first": shop.backs_first,
        "copies": (Copies.EACH if is_each else Copies.ONCE).value,
        "bleed_from": options.bleed_from,
        "proof": Proof.NONE.value,
        "radius": 0.0,
        "rich_black": shop.press is not None and options.rich_black,
        "cards": [[face.card.id, face.card.copies if is_each else 1, marks.get(id(face.back))] for face in job.faces],
        **({"sideways": sideways} if sideways else {}),
    }
    words = json.dumps(ticket, separators=(",", ":"))
    return press_files.structured(pages, document.PdfOptions(job.title, ticket=words, press=shop.press), shop.standard)


def _page(scene: Scene, card: Size, of: Faces, bleed: float, *, is_back: bool = False) -> document.Page:
    trim, edges = Rect(bleed, bleed, card.width, card.height), Edges(bleed, bleed, bleed, bleed)
    placement = Placement(face=scene, box=trim, bleed=edges, name=of.card.id, is_back=is_back)
    size = Size(card.width + 2 * bleed, card.height + 2 * bleed)
    return document.Page(size=size, placements=(placement,), trim=trim, bleed=size.rect)

"""A job as files for a print shop: a folder of pictures, or a PDF with a page for each face.

Nothing is written before everything is drawn and has passed preflight.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import assert_never

from render.base.files import replace_files
from render.base.findings import Finding, Problem, Refused, Severity, has_errors
from render.base.geometry import Edges, Rect, Size
from render.exports import press_files
from render.exports.print_files import PrintJob
from render.game.faces import Faces
from render.game.file_names import free_name
from render.images import inks
from render.layout.bleed import add_bleed
from render.layout.press import PressLook, inked
from render.pdf import document
from render.pdf.standards import OutputIntent, add_structure
from render.png import packing, paint
from render.png.canvas import Canvas
from render.scene.items import Scene, scene_digest
from render.scene.placement import Placement
from render.scene.proof_kinds import Proof
from render.shops.preflight.document import Demands, preflight
from render.shops.preflight.pages import PageShape
from render.shops.preflight.picture_file import preflight_png
from render.shops.print_fitness import Fitness, describe_doubts, find_doubts, list_faces, several_sizes
from render.shops.profiles import Copies, PdfShop, PictureShop, Shop
from render.shops.scene_fitness import SceneReader

ORDER = "order.csv"
PDF = "cards.pdf"

_SRGB = "sRGB2014.icc"
_GLANCE_DPI = 60.0  # enough to see how much of a face changes its color
_MUCH = 0.25  # of a face: nobody notices less without the screen beside it


@dataclass(frozen=True, slots=True)
class ShopOptions:
    """How often a PDF has each card (None: as the shop wants it), and the source of bleed.

    `rich_black` asks for large black areas in the rich black of the shop's press.
    """

    copies: Copies | None = None
    bleed_from: str = "auto"
    rich_black: bool = False


@dataclass(frozen=True, slots=True)
class ShopFile:
    """A file for a shop: its name relative to the folder, with `/`, and its data."""

    name: str
    data: bytes


def shop_files(job: PrintJob, shop: Shop, options: ShopOptions) -> Iterator[ShopFile]:
    """Yield the files of a job, each checked; Refused if a face cannot be printed, or preflight finds a fault."""
    # First, because it takes no drawing to know.
    _refuse(unfit(job, shop))
    bled = _Bled(shop.bleed, options.bleed_from, _look(shop, options))
    match shop:
        case PictureShop():
            yield from _pictures(job, shop, bled)
        case PdfShop():
            data = _pdf(job, shop, options.copies or shop.copies, bled)
            _refuse(preflight(data, demands(shop, (face.front.size for face in job.faces))), PDF)
            yield ShopFile(PDF, data)
        case _:
            assert_never(shop)


def write_shop_files(
    made: Iterable[ShopFile], folder: Path, below: Path, about_to: Callable[[dict[str, str]], object] = lambda _: None
) -> list[Path]:
    """Write all files or none once the last one is made, and return their paths; they wait on the disk, not in memory.

    `below` is as in `render.base.files`. `about_to` gets their names and SHA-256 before the first one is written.
    """
    lengths: list[tuple[Path, int]] = []
    digests: dict[str, str] = {}
    with TemporaryFile() as waiting:
        for file in made:
            lengths.append((folder / file.name, waiting.write(file.data)))
            digests[file.name] = hashlib.sha256(file.data).hexdigest()
        waiting.seek(0)
        about_to(digests)
        replace_files(((file, partial(waiting.read, length)) for file, length in lengths), below)
        return [file for file, _ in lengths]


def demands(shop: PdfShop, cards: Iterable[Size]) -> Demands:
    """Return what a shop's file with cards of these sizes must meet."""
    sizes = set(cards)
    shape = None
    if len(sizes) == 1:
        page = sizes.pop().rect.outset(shop.bleed)
        shape = PageShape(Size(page.width, page.height), shop.bleed)
    limit = shop.press.ink_limit if shop.press else None
    return Demands(
        standard=shop.standard,
        ink_limit=limit,
        shape=shape,
        sides=shop.sides,
        is_for_shop=shop.dpi is not None,
        is_srgb=shop.press is None,
        is_trusted=True,
    )


def print_doubts(job: PrintJob, shop: Shop) -> Iterator[Finding]:
    """Yield what the shop may doubt: what cannot be printed or cut well, and colors outside its inks."""
    yield from (each.at() for each in unfit(job, shop) if each.severity is not Severity.ERROR)
    if isinstance(shop, PictureShop) or shop.press is None:
        return
    for side, face, scene in _scenes(job):
        share = inks.shifted(paint.paint(scene, Canvas(_GLANCE_DPI)), shop.press)
        if share >= _MUCH:
            message = f"{share:.0%} of the {side} of `{face.card.id}` has colors that ink cannot show"
            hint = "they are printed as the nearest ones, less bright: look at a proof"
            yield Problem("F032", message, hint, severity=Severity.WARNING).at(card=face.card.id)


def unfit(job: PrintJob, shop: Shop) -> list[Problem]:
    """Return what cannot be printed or cut well, as far as the shop states its demands."""
    if shop.dpi is None:
        return []
    look = _look(shop, ShopOptions())
    reader = SceneReader(look.press if look else None)
    asked = Fitness(safe=shop.safe, dpi=shop.dpi, bleed=shop.bleed)
    found = (
        (f"the {side} of `{face.card.id}`", each)
        for side, face, scene in _scenes(job)
        for each in find_doubts(reader.inked(inked(scene, look) if look else scene), scene.size, asked)
    )
    sizes = sorted({(scene.size.width, scene.size.height) for _, _, scene in _scenes(job)})
    return [*describe_doubts(found, asked, list_faces), *several_sizes(sizes)]


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


class _Bled:
    """The scenes of a job with their bleed; cards with the same back share its scene."""

    def __init__(self, bleed: float, bleed_from: str, look: PressLook | None) -> None:
        self._bleed, self.bleed_from, self._look = bleed, bleed_from, look
        self.is_rich = look is not None and look.rich_black
        self._made: dict[int, Scene] = {}
        self._blanks: dict[Size, Scene] = {}

    def __call__(self, scene: Scene) -> Scene:
        # By identity: to compare scenes would cost more than it saves.
        if id(scene) not in self._made:
            bled = partial(press_files.inked_face, look=self._look) if self._look else add_bleed
            self._made[id(scene)] = bled(scene, self._bleed, self.bleed_from)
        return self._made[id(scene)]

    def blank(self, size: Size) -> Scene:
        """Return the back for a card without one, so that pages stay paired."""
        return self._blanks.setdefault(size, Scene(size, ()))


# --- pictures -------------------------------------------------------------------------------------------------------


def _pictures(job: PrintJob, shop: PictureShop, bled: _Bled) -> Iterator[ShopFile]:
    """Yield a picture of each front and of each different back, and the list for the order."""
    backs: dict[str, str] = {}
    rows = []
    for face in job.faces:
        front = f"fronts/{face.card.id}.png"
        yield _picture(front, bled(face.front), shop)
        seen = scene_digest(face.back) if face.back else ""
        if face.back and seen not in backs:
            own = face.card.id if face.card.has_own_back else face.card.back
            backs[seen] = _picture_of_back(own, backs.values())
            yield _picture(backs[seen], bled(face.back), shop)
        rows.append((front, backs.get(seen, ""), face.card.copies, face.card.name))
    yield ShopFile(ORDER, _order(rows))  # last, so that it never names a missing picture


def _picture(name: str, scene: Scene, shop: PictureShop) -> ShopFile:
    data = packing.encode(paint.paint(scene, Canvas(shop.dpi, shop.bleed)), shop.dpi)
    _refuse(preflight_png(data, [shop.pixels]), name)
    return ShopFile(name, data)


def _picture_of_back(back: str, taken: Iterable[str]) -> str:
    """Return a file for the picture of a back: its own name in the letters of ids, numbered if it is taken."""
    name = re.sub(r"[^a-z0-9_-]+", "-", Path(back).stem.lower()).strip("-")
    return f"backs/{free_name(name, '.png', map(os.path.basename, taken), instead='back')}"


def _order(rows: Iterable[tuple[str, str, int, str]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("front", "back", "copies", "name"))
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


# --- a PDF ----------------------------------------------------------------------------------------------------------


def _pdf(job: PrintJob, shop: PdfShop, copies: Copies, bled: _Bled) -> bytes:
    """Return the PDF: for each card a page of its front and one of its back, in the shop's order."""
    pages: list[document.Page] = []
    for face in job.faces:
        front = _page(bled(face.front), face.card.id, shop.bleed, is_back=False)
        # Shops tell fronts from backs by counting pages.
        drawn_back = bled(face.back) if face.back else bled.blank(face.front.size)
        back = _page(drawn_back, face.card.id, shop.bleed, is_back=True)
        pair = (back, front) if shop.backs_first else (front, back)
        pages += pair * (face.card.copies if copies is Copies.EACH else 1)
    profile, condition = (shop.press.profile, shop.press.condition) if shop.press else (_SRGB, "sRGB")
    intent = OutputIntent(condition, inks.profile_bytes(profile))
    ticket = _ticket(job, shop, copies, bled.bleed_from, is_rich=bled.is_rich)
    said = document.PdfOptions(job.title, ticket=ticket, press=shop.press)
    return add_structure(document.write(pages, said), shop.standard, intent, job.title)


def _ticket(job: PrintJob, shop: PdfShop, copies: Copies, bleed_from: str, *, is_rich: bool) -> str:
    """Return the file's ticket: what it says about itself, and `verify` proves. Lengths in mm; cards in order."""
    card = job.faces[0].front.size
    marks = {
        id(face.back): scene_digest(face.back)[:8]
        for face in {id(face.back): face for face in job.faces}.values()
        if face.back
    }
    said = {
        "kind": "shop",
        "shop": shop.name,
        "standard": shop.standard.name,
        "card": [card.width, card.height],
        "bleed": shop.bleed,
        "backs_first": shop.backs_first,
        "copies": copies.value,
        "bleed_from": bleed_from,
        "proof": Proof.NONE.value,
        "radius": 0.0,
        "rich_black": is_rich,
        "cards": [
            [face.card.id, face.card.copies if copies is Copies.EACH else 1, marks.get(id(face.back))]
            for face in job.faces
        ],
    }
    return json.dumps(said, separators=(",", ":"))


def _page(scene: Scene, card: str, bleed: float, *, is_back: bool) -> document.Page:
    trim = Rect(bleed, bleed, scene.size.width, scene.size.height)
    edges = Edges(bleed, bleed, bleed, bleed)
    placement = Placement(face=scene, box=trim, bleed=edges, name=card, is_back=is_back)
    page = trim.outset(bleed)
    return document.Page(size=Size(page.width, page.height), placements=(placement,), trim=trim, bleed=page)

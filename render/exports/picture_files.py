"""A PNG of each card: its name, and the job to make it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from render.base.addresses import Named, Place, given_place
from render.base.findings import Finding, Refused
from render.base.lazily import Lazily
from render.game.cards import GameSet
from render.game.faces import Faces, lay_out_set
from render.png.canvas import Canvas, canvas_for
from render.png.workers import Workers, make_all
from render.png.writer import PngJob
from render.scene.items import Scene
from render.sheets.options import SheetOptions

if TYPE_CHECKING:
    from concurrent.futures import Executor


class PictureFolder(NamedTuple):
    """A folder for the PNGs of cards, and the options of their set; `below` is as in `base/files`."""

    faces: Sequence[Faces]
    place: Place
    sheet: SheetOptions
    below: Path | None = None


def picture_jobs(folders: Iterable[PictureFolder], canvas: Canvas, *, cut_line: bool = False) -> Lazily[PngJob]:
    """Return the jobs to make the PNGs of cards in their folders."""

    def job(asked: tuple[PictureFolder, Faces, int]) -> PngJob:
        folder, face, side = asked
        name, scene = pictures_of(face)[side]
        return PngJob(
            file=folder.place / name,
            scene=scene,
            canvas=canvas,
            bleed_from=folder.sheet.bleed_from,
            cut_radius=folder.sheet.corner_radius if cut_line else None,
            digested=False,  # only the manifest of a build remembers digests
            below=folder.below,
            kind=face.card.kind.value,
        )

    asked = ((folder, face) for folder in folders for face in folder.faces)
    return Lazily([(*each, side) for each in asked for side in range(len(pictures_of(each[1])))], job)


def pictures_of(face: Faces) -> list[tuple[str, Scene]]:
    """Return the sides of a card that are its own, by the names of their files, as in a build."""
    front = (f"{face.card.id}.png", face.front)
    return [front, (f"{face.card.id}.back.png", face.back)] if face.card.has_own_back and face.back else [front]


def write_pngs(
    sets: Sequence[GameSet],
    folder: Named | str,
    *,
    dpi: float = 300.0,
    bleed: float = 0.0,
    executor: Executor | None = None,
) -> list[Named]:
    """Draw a PNG of each card of sets into a folder, with `bleed` mm around it, and return the files.

    Processes of this machine draw, or the workers of an `executor`, which are sent the pictures and fonts. Refused with
    all errors of all cards; ValueError if two cards have one id, or as `draw_png` raises it; OSError for the first file that cannot be written,
    once the others are.
    """
    findings: list[Finding] = []
    place, canvas = given_place(folder), canvas_for(dpi, bleed)
    folders: list[PictureFolder] = []
    for card_set in sets:
        try:
            folders.append(PictureFolder(lay_out_set(card_set).faces, place, card_set.sheet))
        except Refused as refused:
            findings += refused.findings
    if findings:
        raise Refused(findings)
    jobs = picture_jobs(folders, canvas)
    files: list[Named] = [place / job.file.name for job in jobs]
    if len({*files}) < len(files):
        raise ValueError("cards of two sets have one id: write each set into its own folder")
    if failed := make_all(jobs, Workers(executor=executor)):
        raise failed[0].error
    return files

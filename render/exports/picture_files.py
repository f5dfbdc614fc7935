"""A PNG of each card: its name, and the job to make it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from render.base.addresses import Named, Place, given_place
from render.base.findings import Finding, Refused
from render.game.cards import GameSet
from render.game.faces import Faces, lay_out_set
from render.png.canvas import Canvas, canvas_for
from render.png.workers import Workers, make
from render.png.writer import Failed, PngJob
from render.scene.items import Scene
from render.sheets.options import SheetOptions

if TYPE_CHECKING:
    from concurrent.futures import Executor


def picture_jobs(
    faces: Sequence[Faces],
    folder: Place,
    canvas: Canvas,
    sheet: SheetOptions,
    *,
    cut_line: bool = False,
    below: Path | None = None,
) -> list[PngJob]:
    """Return the jobs to make the PNGs of cards in a folder; `below` is as in `base/files`."""
    return [
        PngJob(
            file=folder / name,
            scene=scene,
            canvas=canvas,
            bleed_from=sheet.bleed_from,
            cut_radius=sheet.corner_radius if cut_line else None,
            digested=False,  # only the manifest of a build remembers digests
            below=below,
        )
        for face in faces
        for name, scene in pictures_of(face)
    ]


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
    jobs: list[PngJob] = []
    for card_set in sets:
        try:
            jobs += picture_jobs(lay_out_set(card_set).faces, place, canvas, card_set.sheet)
        except Refused as refused:
            findings += refused.findings
    if findings:
        raise Refused(findings)
    files: list[Named] = [place / job.file.name for job in jobs]
    if len({*files}) < len(files):
        raise ValueError("cards of two sets have one id: write each set into its own folder")
    with closing(make(jobs, Workers(executor=executor))) as results:
        failed = [result for result in results if isinstance(result, Failed)]
    if failed:
        raise failed[0].error
    return files

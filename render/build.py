"""Build: what a set declares, into its folder of outputs, and only what is stale.

An output is stale when its key, a digest of all that it depends on, is not the one it was written with, or when its
file is not the one that was written. The manifest that remembers both is written last.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from render import __version__, marks, png
from render.bleed import bled
from render.files import replace_file
from render.games.kotc.cards import CardSet
from render.games.kotc.faces import Drawn, Faces
from render.scene import Scene, digest
from render.sheet_options import SheetOptions
from render.sheets import Job, print_files, sheets

MANIFEST = ".kotc.json"
_AHEAD = 3  # outputs drawn and not yet written, so that memory stays small
BUILD_DPI = 300.0


@dataclass(frozen=True, slots=True)
class Output:
    """A file that can be made: `key` gives the digest of all that its bytes depend on.

    `make` draws it and gives what packs it into bytes, which may run while the next output is drawn.
    """

    file: Path
    key: Callable[[], str]
    make: Callable[[], Callable[[], bytes]]


@dataclass(frozen=True, slots=True)
class Built:
    """What became of a set's outputs."""

    folder: Path
    pngs: int
    sheets: int
    written: int
    unchanged: int
    removed: int


@dataclass(frozen=True, slots=True)
class Edge:
    """What a picture shows at the edge of a card: what bleed is made of, and the radius of a cut line, if it has one.

    How far it bleeds is told by its canvas.
    """

    bleed_from: str = "auto"
    cut_radius: float | None = None

    def drawn(self, scene: Scene, bleed: float) -> Scene:
        """Return a face with its bleed and its cut line."""
        face = bled(scene, bleed, self.bleed_from)
        if self.cut_radius is None:
            return face
        return Scene(face.size, (*face.items, marks.cut_line(face.size.rect, self.cut_radius)))


def png_outputs(faces: Iterable[Faces], folder: Path, canvas: png.Canvas, edge: Edge = Edge()) -> list[Output]:
    """Return one PNG of the front for each card, named by its id."""
    return [_png(face, folder / f"{face.card.id}.png", canvas, edge) for face in faces]


def sheets_outputs(job: Job, file: Path, options: SheetOptions) -> list[Output]:
    """Return the PDFs of a job's sheets."""

    def key() -> str:
        backs = {id(face.back): face.back and digest(face.back) for face in job.faces}
        parts = [f"{digest(face.front)} {backs[id(face.back)]} {face.card.copies}" for face in job.faces]
        return _key("pdf", options, job.title, job.editions, *parts)

    return [Output(part.beside(file), key, partial(_as_it_is, part.data)) for part in print_files(job, options)]


def _as_it_is(packed: Callable[[], bytes]) -> Callable[[], bytes]:
    """Sheets are drawn and packed in one go."""
    return packed


def write(outputs: Iterable[Output]) -> None:
    """Make and write the outputs in order; OSError if one cannot be written, and none after it is.

    While one is drawn, the one before is packed and written: both let go of the interpreter's lock.
    """
    waiting: deque[Future[None]] = deque()
    with ThreadPoolExecutor(max_workers=1) as writer:
        try:
            for output in outputs:
                waiting.append(writer.submit(_write, output.file, output.make()))
                while len(waiting) > _AHEAD:
                    waiting.popleft().result()
            while waiting:
                waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _write(file: Path, packed: Callable[[], bytes]) -> None:
    replace_file(file, packed())


def build(card_set: CardSet, drawn: Drawn, out: Path) -> Built:
    """Bring the folder `out/<set's folder name>/` up to date; OSError if something cannot be written."""
    folder = out / card_set.folder.resolve().name
    job, options = Job((card_set,), drawn.faces), card_set.sheet
    pngs = png_outputs(drawn.faces, folder / "png", png.Canvas(BUILD_DPI))
    count = len(sheets(job, options)[1])
    outputs = [*pngs, *sheets_outputs(job, folder / "sheets.pdf", options)]
    manifest = _read_manifest(folder)
    stale = [output for output in outputs if not _fresh(output, folder, manifest)]
    try:
        for output in stale:
            write([output])
            manifest[_name(output, folder)] = _entry(output)
        removed = _remove_unwanted(folder, manifest, outputs)
    finally:
        if stale or len(manifest) != len(outputs):
            _write_manifest(folder, manifest, outputs)
    return Built(folder, len(pngs), count, len(stale), len(outputs) - len(stale), removed)


def _remove_unwanted(folder: Path, manifest: Manifest, outputs: Sequence[Output]) -> int:
    """Remove outputs that no card asks for any more, if they are still as they were written; return how many."""
    wanted = {_name(output, folder) for output in outputs}
    removed = 0
    for name in sorted(set(manifest) - wanted):
        file = folder / name
        if file.is_file() and _stamp(file) == manifest[name][1:]:
            file.unlink()
            removed += 1
    return removed


def _png(face: Faces, file: Path, canvas: png.Canvas, edge: Edge) -> Output:
    return Output(
        file,
        lambda: _key("png", canvas, edge, digest(face.front)),
        lambda: partial(png.encode, png.paint(edge.drawn(face.front, canvas.bleed), canvas), canvas.dpi),
    )


def _key(*parts: object) -> str:
    return hashlib.sha256(repr((__version__, *parts)).encode("utf-8")).hexdigest()


Manifest = dict[str, list[object]]
"""For each output its key, and the size and time of its file when it was written."""


def _fresh(output: Output, folder: Path, manifest: Manifest) -> bool:
    entry = manifest.get(_name(output, folder))
    try:
        return entry is not None and entry == _entry(output)
    except OSError:
        return False


def _entry(output: Output) -> list[object]:
    return [output.key(), *_stamp(output.file)]


def _stamp(file: Path) -> list[object]:
    status = file.stat()
    return [status.st_size, status.st_mtime_ns]


def _name(output: Output, folder: Path) -> str:
    return output.file.relative_to(folder).as_posix()


def _read_manifest(folder: Path) -> Manifest:
    """Return the manifest; an unreadable one is none, so that everything is made again."""
    file = folder / MANIFEST
    try:
        read = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _write_manifest(folder: Path, manifest: Manifest, outputs: Sequence[Output]) -> None:
    """Remember the outputs that the set asks for; what became of others is no concern of the next build."""
    wanted = {_name(output, folder) for output in outputs}
    kept = {name: entry for name, entry in sorted(manifest.items()) if name in wanted}
    replace_file(folder / MANIFEST, json.dumps(kept, indent=1).encode("utf-8"))

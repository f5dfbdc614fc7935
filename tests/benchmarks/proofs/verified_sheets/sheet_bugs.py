"""Bugs, each put into `render.sheets` in a process of its own, which then writes sheets as `kotc pdf` does.

`python tests/benchmarks/prove.py verified_sheets.sheet_bugs BUG PATH ...` runs `kotc pdf PATH ...` with this bug.
Nobody but `kotc verify` is to find them, in our own file: its arithmetic is its own.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from multiprocessing import Process
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec.structs import replace

from proofs.verified_sheets.whole_sheets import Sheets, few
from render.base.caches import clear_caches
from render.base.geometry import Edges, Rect
from render.cli.main import main as kotc
from render.scene.items import Item, Outline, Placement
from render.scene.items import Path as Lines
from render.sheets import imposition, marks
from render.sheets.imposition import Grid, Sheet
from tests.support import sets


def _moved(box: Rect, across: float, down: float = 0.0) -> Rect:
    return replace(box, x=box.x + across, y=box.y + down)


def _changed(owner: object, name: str, change: Callable[[Callable[..., Any]], Any]) -> None:
    """Replace a function, or what a property of a class reads, by what a change makes of it."""
    was = vars(owner)[name]
    is_property = isinstance(was, property)
    made = change(was.fget if is_property else was)
    setattr(owner, name, property(made) if is_property else made)


def _on_backs(change: Callable[[Grid, Sheet], Sequence[Placement]]) -> None:
    """Replace the backs of every sheet."""

    def impose(was: Callable[..., list[Sheet]]) -> Callable[..., list[Sheet]]:
        return lambda cards, grid: [
            replace(sheet, back=tuple(change(grid, sheet))) if sheet.back else sheet for sheet in was(cards, grid)
        ]

    _changed(imposition, "impose", impose)


# --- the bugs ---------------------------------------------------------------------------------------------------------


def mirrored_about_the_wrong_axis() -> None:
    _changed(imposition, "turns_about_vertical", lambda was: lambda paper, flip: not was(paper, flip))


def not_turned_on_the_short_edge() -> None:
    _on_backs(lambda _, sheet: [replace(face, turned=False) for face in sheet.back or ()])


def grid_half_a_mm_off() -> None:
    _changed(Grid, "block", lambda was: lambda grid: _moved(was(grid), 0.5))


def mark_missing() -> None:
    _on_marks(lambda outlines: outlines[1:])


def mark_off() -> None:
    def off(outline: Outline) -> Outline:
        (x, y), ((to_x, to_y),) = outline.start, outline.segments
        return replace(outline, start=(x + 0.3, y), segments=((to_x + 0.3, to_y),))

    _on_marks(lambda outlines: (off(outlines[0]), *outlines[1:]))


def _on_marks(change: Callable[[tuple[Outline, ...]], tuple[Outline, ...]]) -> None:
    def crop_marks(was: Callable[..., tuple[Item, ...]]) -> Callable[..., tuple[Item, ...]]:
        def marked(*arguments: Any, **options: Any) -> tuple[Item, ...]:
            (lines,) = was(*arguments, **options)
            assert isinstance(lines, Lines)
            return (replace(lines, outlines=change(lines.outlines)),)

        return marked

    _changed(marks, "crop_marks", crop_marks)


def bleed_not_drawn() -> None:
    _changed(Grid, "bleed", lambda _: lambda *_slot, **_side: Edges(0.0, 0.0, 0.0, 0.0))


def gutter_too_wide() -> None:
    _changed(
        Grid,
        "slots",
        lambda was: (
            lambda grid: tuple(
                _moved(box, 0.4 * (number % grid.columns), 0.4 * (number // grid.columns))
                for number, box in enumerate(was(grid))
            )
        ),
    )


def backs_in_the_order_of_the_fronts() -> None:
    """The first back lies in the first slot as it is read, and not behind the first front."""
    _on_backs(
        lambda grid, sheet: [replace(face, box=box) for face, box in zip(sheet.back or (), grid.slots, strict=False)]
    )


def one_copy_less() -> None:
    def impose(was: Callable[..., list[Sheet]]) -> Callable[..., list[Sheet]]:
        return lambda cards, grid: was([replace(card, copies=max(1, card.copies - 1)) for card in cards], grid)

    _changed(imposition, "impose", impose)


def nudged_the_wrong_way() -> None:
    """The correction of a printer is added where it is to be taken away."""
    _on_backs(
        lambda grid, sheet: [
            replace(face, box=_moved(face.box, -2 * grid.correction.e, -2 * grid.correction.f))
            for face in sheet.back or ()
        ]
    )


def turned_beside_the_fold() -> None:
    def impose(was: Callable[..., list[Sheet]]) -> Callable[..., list[Sheet]]:
        return lambda cards, grid: [
            replace(
                sheet,
                front=tuple(replace(face, turned=not face.turned) if face.is_back else face for face in sheet.front),
            )
            for sheet in was(cards, grid)
        ]

    _changed(imposition, "impose", impose)


class Bug(NamedTuple):
    """How a bug is put into the program, with which options of `kotc pdf` it shows, and if only the cards show it."""

    put_in: Callable[[], None]
    options: tuple[str, ...] = ("--paper", "150x210")
    needs_set: bool = False


_PRINTER = ("--paper", "letter", "--printer", "den")
BUGS = {
    bug.put_in.__name__: bug
    for bug in (
        Bug(mirrored_about_the_wrong_axis),
        Bug(not_turned_on_the_short_edge, ("--paper", "150x210", "--flip", "short-edge")),
        Bug(grid_half_a_mm_off),
        Bug(mark_missing),
        Bug(mark_off),
        Bug(bleed_not_drawn, ("--paper", "150x210", "--bleed", "2")),
        Bug(gutter_too_wide, ("--paper", "150x210", "--gutter", "4")),
        Bug(backs_in_the_order_of_the_fronts),
        Bug(one_copy_less, needs_set=True),
        Bug(nudged_the_wrong_way, _PRINTER),
        Bug(turned_beside_the_fold, ("--paper", "a3", "--backs", "fold")),
    )
}


def written_with(name: str) -> Sheets:
    """Return the sheets of four cards that the program writes with a bug; with "" it has none, and no less care."""
    options = BUGS[name].options if name in BUGS else _PRINTER
    with TemporaryDirectory() as home:
        file = Path(home) / "sheets.pdf"
        child = Process(target=_write, args=(name, home, str(few()), "--out", str(file), *options))
        child.start()
        child.join()
        assert child.exitcode == 0
        return Sheets({file.name: file.read_bytes()}, few())


def _write(name: str, home: str, *arguments: str) -> None:
    gc.freeze()  # to look for garbage in what is shared would copy it
    clear_caches(by_content=True)  # of grids and sheets without the bug
    os.environ["KOTC_CONFIG"] = home
    write(name, *arguments)


def write(name: str, *arguments: str) -> None:
    if "--printer" in arguments:
        made = sets.kotc("calibrate", "--paper", "letter", "--printer", "den", "--offset", "0.6,-0.4")
        assert made.exit_code == 0, made.output
    if name:
        BUGS[name].put_in()
    kotc(["pdf", *arguments, "--quiet"])


if __name__ == "__main__":
    write(*sys.argv[1:])

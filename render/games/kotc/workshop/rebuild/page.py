"""The page about sets that went to another edition: every card before and after, and the sheets to print."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from render.base.findings import plural
from render.base.geometry import Affine
from render.build.manifest import Comparison
from render.build.outputs import changed_cards, placeholders
from render.build.session import BuildResult
from render.exports.print_files import PrintJob, sheets
from render.game.faces import Faces, lay_out_valid
from render.games.kotc.drawing.card_pictures import pictures
from render.games.kotc.model.cards import CardSet
from render.games.kotc.workshop.migration.report import Pictures, ReportedSet, ReprintSheets, cards_to_show, report
from render.games.kotc.workshop.rebuild.transition import SetTransition
from render.png.paint import data_uri
from render.scene.items import Group, Placement, Scene

_SHEET_DPI = 72.0  # for the picture of a sheet: enough to tell the cards apart

Made = Callable[[int], object]


def count(transitions: Sequence[SetTransition], kept: Mapping[str, Pictures]) -> int:
    """Return how many pictures the page needs."""
    sides = [(each, *cards_to_show(each.migration)) for each in transitions]
    return sum(len(after) + (0 if each.name in kept else len(before)) for each, before, after in sides)


def page(
    transitions: Sequence[SetTransition],
    file: Path,
    kept: Mapping[str, Pictures],
    results: Mapping[str, BuildResult],
    made: Made = lambda _: None,
) -> bytes:
    """Return the page for that file, from which its links to sheets start.

    `kept` are pictures of cards as they were, and `brought` the built sets, both by the names of the sets' folders;
    `made` is called for each picture.
    """
    return report([_shown(each, file, kept, results.get(each.name), made) for each in transitions]).encode(
        "utf-8", "backslashreplace"
    )


def _shown(
    transition: SetTransition, file: Path, kept: Mapping[str, Pictures], results: BuildResult | None, made: Made
) -> ReportedSet:
    as_it_was, as_it_is = cards_to_show(transition.migration)
    before = kept.get(transition.name)
    if before is None:
        before = pictures(lay_out_valid(transition.before), as_it_was, made)
    drawn = lay_out_valid(transition.after)
    sheet = _sheet(transition.after, drawn, file, results) if results else None
    return ReportedSet(transition.migration, before, pictures(drawn, as_it_is, made), sheet)


def _sheet(card_set: CardSet, drawn: Sequence[Faces], file: Path, results: BuildResult) -> ReprintSheets | None:
    compared = results.compared
    if compared is None or not compared.files:
        return None
    hrefs = tuple(_link(results.folder / name, file) for name in compared.files)
    return ReprintSheets(hrefs, _says(compared), dict(compared.changes.copies), _first_sheet(card_set, drawn, compared))


def _says(compared: Comparison) -> str:
    copies = compared.changes.copies
    number = sum(count for _, count in copies)
    copies_of = f"{plural(number, 'copy', 'copies')} of {plural(len(copies), 'card')}"
    return f"{copies_of} on {plural(compared.sheets, 'sheet')}"


def _link(target: Path, page: Path) -> str:
    """Return the address of a file as a link in the page."""
    try:
        return quote(os.fsencode(Path(os.path.relpath(target.resolve(), page.parent.resolve())).as_posix()))
    except ValueError:  # on another drive of Windows
        return target.resolve().as_uri()


def _first_sheet(card_set: CardSet, drawn: Sequence[Faces], compared: Comparison) -> str:
    """Return a picture of the front of the first sheet of changed cards."""
    part = changed_cards(card_set, compared.changes.copies)
    job = PrintJob((part,), placeholders(part, {each.card.id: each for each in drawn}))
    grid, imposed = sheets(job, part.sheet)
    return data_uri(Scene(grid.paper, tuple(map(_placed, imposed[0].front))), _SHEET_DPI)


def _placed(placement: Placement) -> Group:
    box = placement.box
    to_paper = Affine.move(box.x, box.y)
    if placement.turned:
        to_paper = to_paper @ Affine.move(box.width, box.height) @ Affine.scale(-1, -1)
    return Group(box.spread(placement.bleed), placement.face.items, to_paper)

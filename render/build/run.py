"""Carry out a plan: make what is stale, remove what is no longer asked for, and record both."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from render.base.files import (
    check_no_link,
    flush_folder,
    remove_empty_folder,
    remove_file,
    remove_leftovers,
    replace_file,
)
from render.base.findings import sort_findings
from render.base.forking import in_background
from render.build.compare import appearance
from render.build.plan import Plan
from render.build.state import manifest
from render.build.state.inputs import file_stamps, sha256_of_output
from render.build.state.journal import Journal, Note
from render.build.state.manifest import BuildSummary, Manifest, OutputRecord
from render.build.state.outputs import (
    Output,
    OutputKind,
    back_png_of,
    canvas_of,
    changed_cards,
    file_of,
    placeholders,
    shop_named,
)
from render.exports.print_files import PrintJob, print_files, sheets
from render.game.faces import Faces
from render.png.workers import USUAL_WORKERS, Workers, make
from render.png.writer import Done, PngJob
from render.scene.items import Scene
from render.sheets.options import Outputs
from render.sheets.printable import correction_by


@dataclass(frozen=True, slots=True)
class Built:
    """The result of building a set; `report` sums up what it made and found."""

    folder: Path
    report: BuildSummary
    written: int = 0
    unchanged: int = 0
    removed: int = 0


Made = tuple[Output, OutputRecord]


def run(plan: Plan, workers: Workers = USUAL_WORKERS) -> Built:
    """Bring a locked folder up to date; OSError if a file cannot be written, after the other PNGs are made.

    Whatever stops it leaves whole files, old or new, and a journal from which the next build continues.
    """
    folder, before = plan.begun.folder, plan.begun.before
    # The manifest is written last: better to learn of a link in its place before everything is drawn.
    check_no_link(folder / manifest.MANIFEST, folder.parent)
    remove_leftovers(folder, folder.parent)
    entries = {output.name: before.outputs[output.name] for output in _fresh(plan)}
    if plan.stale or before.pending:
        # A shop's output is a folder; its files are noted by name once they are known, in `_shop`.
        names = [output.name for output, _ in plan.stale if output.kind is not OutputKind.SHOP]
        with Journal(folder, names, plan.read) as journal, closing(_made(plan, workers, journal)) as made:
            for output, entry in made:
                journal.done(output.name, entry.fields)
                entries[output.name] = entry
    after = _after(plan, entries)
    removed = _remove_unwanted(folder, before, after)
    for each in sorted({(folder / name).parent for name in after.files} | {folder}):
        # The names must be on the disk before the manifest that speaks of them.
        if plan.stale:
            flush_folder(each, folder.parent)
    manifest.write(folder, after)
    return built(plan, after, removed)


def built(plan: Plan, after: Manifest, removed: int) -> Built:
    """Return the result; written files are counted, whichever output they belong to."""
    stale = {output.name for output, _ in plan.stale}
    written = sum(len(entry.files) for name, entry in after.outputs.items() if name in stale)
    return Built(plan.begun.folder, after.report, written, len(after.files) - written, removed)


def _fresh(plan: Plan) -> list[Output]:
    stale = {output.name for output, _ in plan.stale}
    return [output for output in plan.wanted.outputs if output.name not in stale]


def _after(plan: Plan, entries: dict[str, OutputRecord]) -> Manifest:
    """Return what to remember. A fresh output gets a new key if it might depend on more than before."""
    outputs = {output.name: replace(entries[output.name], key=output.key) for output in plan.wanted.outputs}
    stale = {output.name for output, _ in plan.stale}
    fresh = {file for name, entry in outputs.items() if name not in stale for file in entry.files}
    return Manifest(
        complete=True,
        name=plan.card_set.name,
        program=plan.program,
        cards=plan.begun.cards,
        inputs=plan.begun.inputs.digests,
        read=plan.read,
        outputs=outputs,
        seen=plan.seen,
        made={
            **file_stamps(plan.begun.folder, (name for entry in outputs.values() for name in entry.files)),
            **{name: plan.made[name] for name in fresh},
        },
        report=build_summary(plan, outputs.values()),
        pictures=plan.looks,
        painted=appearance.grid(plan.card_set),
        since=plan.compared.said if plan.compared else {},
        asked=plan.asked,
        missing=tuple(card.id for _, card in plan.card_set.missing),
    )


def build_summary(plan: Plan, entries: Iterable[OutputRecord]) -> BuildSummary:
    """Return what there is to report about a set with these outputs."""
    asked = plan.card_set.outputs
    others = [] if plan.card_set.missing else other_outputs(asked)
    pngs = sum(output.kind is OutputKind.PNG for output in plan.wanted.outputs)
    ruled = plan.ruled
    return BuildSummary(
        pngs=pngs,
        sheets=plan.wanted.sheets,
        others=tuple(others),
        findings=(*plan.findings, *(finding for entry in entries for finding in entry.warnings)),
        doubtful=plan.doubtful,
        rule_findings=tuple(sort_findings(ruled.findings)),
        ruled=ruled.memory,
        ruled_by=ruled.rules,
    )


def other_outputs(asked: Outputs) -> list[str]:
    """Return the outputs that are neither PNGs nor sheets, in words."""
    return [f"files for {name}" for name in asked.shops] + (["a gallery"] if asked.gallery else [])


def _remove_unwanted(folder: Path, before: Manifest, after: Manifest) -> int:
    """Remove files that belong to no output any more, if they are unchanged since they were written.

    Return how many.
    """
    removed = 0
    for name in sorted({*before.files, *before.wrote} - set(after.files)):
        # A file that somebody has changed or put there is theirs.
        if before.is_ours(name, sha256_of_output(folder, name)):
            file = folder / name
            remove_file(file, folder.parent)
            removed += 1
            if file.parent != folder:
                remove_empty_folder(file.parent, folder.parent)
    return removed


# --- making ---------------------------------------------------------------------------------------------------------


def _made(plan: Plan, workers: Workers, journal: Journal) -> Generator[Made]:
    stale = [output for output, _ in plan.stale]
    pngs, sheets, swapped = (
        [output for output in stale if output.kind is kind]
        for kind in (OutputKind.PNG, OutputKind.SHEETS, OutputKind.CHANGED)
    )

    def printed() -> Iterator[bytes]:
        yield from _sheet_files(plan, OutputKind.SHEETS, sheets)
        yield from _sheet_files(plan, OutputKind.CHANGED, swapped)

    # Pages are made by another process while PNGs are drawn; alone, they would gain nothing by it.
    with in_background(printed, worth=bool(pngs and (sheets or swapped))) as pages:
        yield from _pngs(plan, pngs, workers)
        for output, data in zip([*sheets, *swapped], pages, strict=True):
            yield output, _written(plan, output, data, journal)
    for output in stale:
        if output.kind is OutputKind.SHOP:
            yield output, _shop(plan, output, journal)
        elif output.kind is OutputKind.GALLERY:
            from render.exports import gallery

            backs = {name: scene for name in output.cards if (scene := plan.drawn[name].back)}
            yield output, _written(plan, output, gallery.page(plan.card_set, backs).encode("utf-8"), journal)


def _pngs(plan: Plan, stale: Sequence[Output], workers: Workers) -> Iterator[Made]:
    """Make the PNGs. If some fail, the others are made, and then the first error is raised.

    Cards with the same picture are drawn one after the other; each result is recorded at once.
    """
    arts = {card.id: card.main_picture for card in plan.card_set.cards}
    stale = sorted(stale, key=lambda output: arts[output.cards[0]])
    canvas, folder = canvas_of(plan.card_set), plan.begun.folder
    jobs = [
        PngJob(
            file=folder / output.name,
            scene=_side(output, plan.drawn[output.cards[0]]),
            canvas=canvas,
            bleed_from=plan.card_set.sheet.bleed_from,
            below=folder.parent,
            note=Note(folder, output.name),
        )
        for output in stale
    ]
    errors = []
    with closing(make(jobs, workers)) as results:  # Ctrl-C stops the processes at once
        for output, done in zip(stale, results, strict=True):
            if isinstance(done, Done):
                yield output, OutputRecord(output.key, {output.name: done.digest}, pixels=done.pixels)
            else:
                errors.append(done.error)
    if errors:
        raise errors[0]


def _side(output: Output, faces: Faces) -> Scene:
    """Return the side of a card that a PNG shows."""
    is_back = faces.back is not None and output.name == back_png_of(faces.card.id)
    return faces.back if is_back and faces.back else faces.front


def _sheet_files(plan: Plan, kind: OutputKind, stale: Sequence[Output]) -> Iterator[bytes]:
    if not stale:
        return
    copies = plan.compared.changes.copies if plan.compared else ()
    printed = changed_cards(plan.card_set, copies) if kind is OutputKind.CHANGED else plan.card_set
    # Cards that are not laid out are on no stale sheet, so the blank faces here are never drawn.
    job = PrintJob((printed,), placeholders(printed, plan.for_sheets or plan.drawn))
    made = {
        part.beside(Path(file_of(kind))).name: part
        for part in print_files(job, sheets(job, printed.sheet, correction_by(plan.printer)))
    }
    for output in stale:
        yield made[output.name].data()


def _shop(plan: Plan, output: Output, journal: Journal) -> OutputRecord:
    from render.exports.shop_files import ShopOptions, print_doubts, shop_files, write_shop_files

    shop, folder = shop_named(output.name, plan.card_set), plan.begun.folder / output.name
    faces = plan.for_shops.get(output.name) or tuple(plan.drawn[name] for name in output.cards)
    job = PrintJob((plan.card_set,), faces)
    sheet = plan.card_set.sheet
    options = ShopOptions(bleed_from=sheet.bleed_from, rich_black=sheet.rich_black)

    made: dict[str, str] = {}

    def about_to(digests: Mapping[str, str]) -> None:
        made.update((f"{output.name}/{name}", digest) for name, digest in digests.items())
        journal.writes(made)

    write_shop_files(shop_files(job, shop, options), folder, plan.begun.folder.parent, about_to)
    return OutputRecord(output.key, made, tuple(print_doubts(job, shop)))


def _written(plan: Plan, output: Output, data: bytes, journal: Journal) -> OutputRecord:
    digests = {output.name: hashlib.sha256(data).hexdigest()}
    # Before the file has its name: stopped in between, the next build knows whose it is.
    journal.writes(digests)
    replace_file(plan.begun.folder / output.name, data, plan.begun.folder.parent)
    return OutputRecord(output.key, digests)

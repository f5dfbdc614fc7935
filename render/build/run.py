"""Carry out a plan: make what is stale, remove what is no longer asked for, and record both."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from msgspec.structs import replace as set_replace

from render.base.caches import clear_caches
from render.base.files import (
    check_no_link,
    flush_folder,
    remove_empty_folder,
    remove_file,
    remove_leftovers,
    replace_files,
)
from render.base.forking import in_background
from render.base.geometry import IDENTITY
from render.base.lazily import AT_HAND, Lazily
from render.base.reach import sha256
from render.build import manifest as manifests
from render.build.finished import KnownPages, finish, page_keys
from render.build.inputs import file_stamps
from render.build.made_apart import made_apart
from render.build.manifest import (
    JOURNAL,
    MANIFEST,
    Manifest,
    NotOurs,
    Ours,
    OutputRecord,
    begin_journal,
    note_output,
    note_png,
)
from render.build.outputs import (
    Output,
    OutputKind,
    back_png_of,
    canvas_of,
    changed_cards,
    file_of,
    placeholders,
)
from render.build.plan import Plan
from render.exports.print_files import PrintFile, PrintJob, by_size, in_volumes, print_files, sheets
from render.game.cards import published
from render.pdf.pictures import remembering
from render.png.workers import USUAL_WORKERS, Workers, make
from render.png.writer import Done, PngJob
from render.scene.at_rest import MANY

Made = tuple[Output, OutputRecord]
Contents = Sequence[tuple[str, Iterable[bytes]]]
"""The files of an output: their names and their parts."""


def run(plan: Plan, workers: Workers = USUAL_WORKERS) -> tuple[Manifest, int]:
    """Bring a locked folder up to date; return its manifest, and how many files were removed.

    OSError if a file cannot be written, which is NotOurs if it would replace somebody's; other PNGs are made first. Whatever
    stops it leaves whole files, old or new, and a journal from which the next build continues.
    """
    folder, below, before = plan.context.folder, plan.context.folder.parent, plan.context.before
    for name in (MANIFEST, JOURNAL):
        # The manifest is written last: better to learn of a link in its place before everything is drawn.
        check_no_link(folder / name, below)
    remove_leftovers(folder, below)
    records = dict(plan.after.outputs)
    made = {name: plan.made[name] for record in records.values() for name in record.files}
    if plan.stale:
        begin_journal(folder, before, plan.after.read)
        store = None if plan.context.forced else plan.context.store
        with remembering(store.memory() if store else None), closing(_make(plan, workers)) as results:
            records.update((output.name, record) for output, record in results)
    records = {output.name: records[output.name] for output in plan.outputs}
    files = {name: digest for record in records.values() for name, digest in record.files.items()}
    removed = _remove_unwanted(folder, before, {*files})
    if plan.stale:
        for each in sorted({(folder / name).parent for name in files} | {folder}):
            # The names must be on the disk before the manifest that speaks of them.
            flush_folder(each, below)
    report = plan.after.report
    warnings = (warning for record in records.values() for warning in record.warnings)
    after = replace(
        plan.after,
        outputs=records,
        made={**file_stamps(folder, files.keys() - made.keys()), **made},
        report=replace(report, findings=(*report.findings, *warnings)),
    )
    manifests.save(folder, after)
    return after, removed


def _remove_unwanted(folder: Path, before: Manifest, wanted: set[str]) -> int:
    """Remove files that belong to no output any more; return how many."""
    removed = 0
    for name in sorted({*before.files, *before.ours} - wanted):
        # A file that somebody has changed or put there is theirs.
        if before.is_ours(name, sha256(folder / name, folder.parent)):
            file = folder / name
            remove_file(file, folder.parent)
            removed += 1
            if file.parent != folder:
                remove_empty_folder(file.parent, folder.parent)
    return removed


# --- making ---------------------------------------------------------------------------------------------------------


def _make(plan: Plan, workers: Workers) -> Generator[Made]:
    by_kind = {kind: [output for output, _ in plan.stale if output.kind is kind] for kind in OutputKind}
    pngs, of_set, of_changed = (by_kind[kind] for kind in (OutputKind.PNG, OutputKind.SHEETS, OutputKind.CHANGED))
    ours = _remembered(plan)

    def draw_sheets() -> Iterator[PrintFile[Path]]:
        yield from _sheet_files(plan, OutputKind.SHEETS, of_set)
        yield from _sheet_files(plan, OutputKind.CHANGED, of_changed)

    def drawn() -> Iterator[Contents]:
        return (
            in_volumes(each, lambda files: [(file.name.name, [*file.data()]) for file in files])
            for each in draw_sheets()
        )

    # Pages are made by another process while PNGs are drawn; alone, they would gain nothing by it, and those of many cards
    # take as much memory as all else.
    is_apart = bool(pngs and (of_set or of_changed)) and len(plan.card_set.cards) <= MANY
    draw: Callable[[], Iterator[PrintFile[Path] | Contents]] = drawn if is_apart else draw_sheets
    with in_background(draw, worth=is_apart) as made:
        yield from _make_pngs(plan, pngs, ours, workers)
        for output, each in zip([*of_set, *of_changed], made, strict=True):
            yield output, _write_sheets(plan, output, each, ours)
    for output in by_kind[OutputKind.SHOP]:
        yield output, _make_shop_files(plan, output, ours)
    for output in by_kind[OutputKind.GALLERY]:
        from render.exports.site import gallery

        backs = {name: scene for name in output.cards if (scene := plan.drawn[name].back)}
        shown = set_replace(plan.card_set, cards=published(plan.card_set))
        page = gallery(shown, backs).encode("utf-8")
        yield output, _write(plan, output, [(output.name, [page])], ours)


def _make_pngs(plan: Plan, stale: Sequence[Output], ours: Ours, workers: Workers) -> Iterator[Made]:
    """Make the PNGs. If some fail, the others are made, and then the first error is raised.

    Cards with the same picture are drawn one after the other.
    """
    arts = {card.id: card.main_picture for card in plan.card_set.cards}
    stale = sorted(stale, key=lambda output: arts[output.cards[0]])
    canvas, folder = canvas_of(plan.card_set), plan.context.folder

    def job(output: Output) -> PngJob:
        faces = plan.drawn[output.cards[0]]
        own_back = faces.back if output.name == back_png_of(faces.card.id) else None
        return PngJob(
            file=folder / output.name,
            scene=own_back or faces.front,
            canvas=canvas,
            bleed_from=plan.card_set.sheet.bleed_from,
            below=folder.parent,
            kind=faces.card.kind.value,
            note=partial(note_png, folder, output.name, output.key, is_ours=ours is None or output.name in ours),
        )

    errors = []
    with closing(make(Lazily(stale, job), workers)) as results:  # Ctrl-C stops the processes at once
        for output, done in zip(stale, results, strict=True):
            if isinstance(done, Done):
                yield output, OutputRecord(output.key, {output.name: done.digest}, pixels=done.pixels)
            else:
                errors.append(done.error)
    if theirs := [error for error in errors if isinstance(error, NotOurs)]:
        raise NotOurs(theirs[0].filename, len(theirs))
    if errors:
        raise errors[0]


def _remembered(plan: Plan) -> Ours:
    """Return what builds and other commands made there, as far as is known."""
    context = plan.context
    if context.forced or context.is_copy:
        return None
    return context.before.files.keys() | context.before.ours.keys() | made_apart(context.folder)


def _sheet_files(plan: Plan, kind: OutputKind, stale: Sequence[Output]) -> Iterator[PrintFile[Path]]:
    if not stale:
        return
    is_changed = kind is OutputKind.CHANGED
    card_set = changed_cards(plan.card_set, plan.after.since.changes.copies) if is_changed else plan.card_set
    faces, store = plan.for_sheets or plan.drawn, plan.context.store
    if not is_changed:
        faces = finish(store, card_set, faces, plan.finished, plan.keys)
        if len(card_set.cards) > AT_HAND:
            clear_caches()  # of the words that were set
    correction = plan.printer.correction if plan.printer else IDENTITY
    # Cards that are not laid out are on no stale sheet, so the blank faces here are never drawn.
    files: dict[str, PrintFile[Path]] = {}
    pages = list[KnownPages]()
    for each in by_size(PrintJob((card_set,), placeholders(card_set, faces)), card_set.sheet):
        imposed, known = sheets(each.job, each.options, correction), None
        if store and not is_changed and not card_set.sheet.for_press:
            found = plan.pages.get(each.suffix)
            of_pages = (found and found.keys) or page_keys(each, plan.keys, correction)
            known = KnownPages(plan.context, each, found, of_pages)
            pages.append(known)
        files |= {
            file.name.name: file for file in print_files(each.job, imposed, each.file(Path(file_of(kind))), known)
        }
    for output in stale:
        yield files[output.name]
    for known in pages:
        known.end()


def _make_shop_files(plan: Plan, output: Output, ours: Ours) -> OutputRecord:
    from render.exports.shop_files import ShopOptions, print_doubts, shop_files, unfit, write_shop_files

    shop, folder, sheet = output.shop, plan.context.folder, plan.card_set.sheet
    assert shop  # of every output of this kind
    faces = plan.for_shops.get(output.name) or tuple(plan.drawn[name] for name in output.cards)
    job = PrintJob((plan.card_set,), faces)
    problems = unfit(job, shop)
    doubts = tuple(print_doubts(job, shop, problems))
    record = OutputRecord(output.key, {}, doubts)

    def note(digests: dict[str, str]) -> None:
        record.files.update({f"{output.name}/{name}": digest for name, digest in digests.items()})
        note_output(folder, output.name, record, ours)

    options = ShopOptions(bleed_from=sheet.bleed_from, rich_black=sheet.rich_black)
    write_shop_files(shop_files(job, shop, options, problems), folder / output.name, folder.parent, note)
    return record


def _write_sheets(plan: Plan, output: Output, made: PrintFile[Path] | Contents, ours: Ours) -> OutputRecord:
    """Write a PDF, or as many as it takes, of which the parts may be there already."""
    if not isinstance(made, PrintFile):
        return _write(plan, output, made, ours)
    return in_volumes(made, lambda files: _write(plan, output, [(file.name.name, file.data()) for file in files], ours))


def _write(plan: Plan, output: Output, files: Contents, ours: Ours) -> OutputRecord:
    folder, record = plan.context.folder, OutputRecord(output.key, {})

    def contents(name: str, parts: Iterable[bytes]) -> Iterator[bytes]:
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part)
            yield part
        record.files[name] = digest.hexdigest()
        if len(record.files) == len(files):
            # Before they have their names: stopped in between, the next build knows whose they are.
            note_output(folder, output.name, record, ours)

    replace_files([(folder / name, partial(contents, name, parts)) for name, parts in files], folder.parent)
    return record

"""Bring sets up to date: the way from the files of sets to built folders, for building once and for `watch`.

A lock lets one build at a time run in a folder.
"""

from __future__ import annotations

import errno
import os
import platform
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

from render.base.addresses import Address, Place, check_reachable, given_place
from render.base.files import Paths, as_paths, is_running, remove_empty_folder
from render.base.findings import Finding, Problem, Refused, has_errors, plural
from render.base.progress import in_stage, stage
from render.base.reach import Folder, open_folder
from render.build import manifest as manifests
from render.build.inputs import is_up_to_date
from render.build.manifest import LOCK, BuildSummary, Comparison, Manifest
from render.game.file_names import folded
from render.game.home import EVERY_VERSION, Versions

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from render.base.caches import Memory
    from render.build.compare import Baseline
    from render.build.plan import Plan
    from render.build.store import Store
    from render.game.cards import GameSet
    from render.game.folder import Source
    from render.game.home import SetOrDeck
    from render.png.workers import Workers
    from render.sheets.options import SheetOptions

    Hire = Callable[[int], AbstractContextManager[Workers]]


class Target(Struct, frozen=True):
    """The files of a set, and the folder for its outputs; all of them are made if `forced`, up to date or not.

    With an address, the folder is a copy of what lies there.
    """

    files: Source
    folder: Path
    forced: bool = False
    address: Address | None = None

    @property
    def place(self) -> Place:
        """Where its outputs are for the user to find."""
        return self.address or self.folder


class BuildResult(Struct, frozen=True, kw_only=True):
    """A set that is up to date: what there is to report, counts in words, and whether nothing had to be done.

    `compared` is the result of comparing, if there was something to compare with. `asked` are the options of sheets
    that the command line gave, in words, and `asked_before` those of the build before. `lost` says that sheets were
    corrected for a printer, and are not any more. `printing` are the options of sheets that were made now. `missing` says
    which cards have an error and were not made. `address` is the one to which what lies in `folder` was sent.
    """

    name: str
    folder: Path
    report: BuildSummary
    counts: str
    idle: bool
    compared: Comparison | None = None
    asked: str = ""
    asked_before: str = ""
    lost: str = ""
    printing: SheetOptions | None = None
    missing: str = ""
    address: Address | None = None

    @property
    def place(self) -> Place:
        """Where its outputs are for the user to find."""
        return self.address or self.folder

    @property
    def summary(self) -> str:
        """A line such as `My Set: 1 PNG and 1 sheet in out/mine (2 written, 0 unchanged)`."""
        made = [plural(self.report.pngs, "PNG"), plural(self.report.sheets, "sheet"), *self.report.others]
        return f"{self.name}: {', '.join(made[:-1])} and {made[-1]} in {self.place} ({self.counts})"


# --- which sets -----------------------------------------------------------------------------------------------------


def target(files: Source, out: Path) -> Target:
    """Return a set or a deck with its folder of outputs, which has its name; another language, or a variant, has its own."""
    return Target(files, out / files.output_name / files.subfolder)


def targets_in(
    files: Source, out: Path, language: str | None = None, versions: Versions = EVERY_VERSION
) -> list[Target]:
    """Return a set as `target` does, once for each language and version: those named, or all that the set declares."""
    from render.game.sources import in_versions

    return [target(each, out) for each in in_versions(files, language, versions)]


def clash_of_names(sources: Sequence[SetOrDeck]) -> str:
    """Return why sets and decks cannot be built side by side, if two have outputs of the same name."""
    origins: dict[str, Path] = {}
    for each in sources:
        other = origins.setdefault(folded(each.output_name), each.origin)
        if other != each.origin:
            message = f"`{other}` and `{each.origin}` would both be written to `{each.output_name}`"
            return f"{message}: make them one after the other, with --out"
    return ""


def find_targets(
    paths: Iterable[Path],
    out: Place,
    language: str | None = "",
    versions: Versions = EVERY_VERSION,
    store: Path | None = None,
) -> tuple[list[Target], list[Finding]]:
    """Return the sets that the paths mean, each with its folder in `out`, and the warnings about the paths.

    `language` and `versions` are as in `sources.survey`, `store` is the folder of the store if it is not the user's own one.
    Refused if something is wrong with the paths; ValueError if two sets have folders of one name, or an address cannot have
    it; OSError if an address does not answer.
    """
    from render.game.folder import find_sources

    sets, findings = find_sources(paths)
    if has_errors(findings):
        raise Refused(findings)
    if clash := clash_of_names(sets):
        raise ValueError(clash)
    home = _copies_of(out, store) if isinstance(out, Address) else out
    found = [each for files in sets for each in targets_in(files, home, language, versions)]
    if isinstance(out, Address):
        found = [structs.replace(each, address=_address_in(out, each.folder.relative_to(home))) for each in found]
    return found, findings


def _copies_of(address: Address, store: Path | None) -> Path:
    """Return the folder of this machine in which outputs for an address are made."""
    from render.build.far import stand_in
    from render.build.store import folder_of_store

    check_reachable(address)
    return stand_in(address, folder_of_store(store))


def _address_in(out: Address, folder: Path) -> Address:
    name = folder.as_posix()
    if "::" in name:
        raise ValueError(
            f"`{name}` cannot be part of an address, where `::` has a meaning: rename the folder of the set"
        )
    return out / name


# --- building -------------------------------------------------------------------------------------------------------


def build_sets(
    paths: Paths,
    out: Place | str = "out",
    *,
    drafts: bool = False,
    store: Path | str | None = None,
    use_store: bool = True,
    executor: Executor | None = None,
) -> list[BuildResult]:
    """Bring the outputs of sets up to date, each in a folder of `out`, and return what was done.

    For an address, they are made in a folder beside the store, and what changed is sent. A path is the folder of a set, or a
    folder of sets. With `drafts`, what others get has cards that are drafts, too. `store` is the folder of the store of
    finished faces, None for the user's own one. The workers of an `executor` draw the PNGs, instead of processes here. Refused
    with all that is wrong in all sets, before anything is made; ValueError as `find_targets` raises it; Busy if another process
    is building there; OSError.
    """
    from render.png.workers import Workers

    place: Place = out if isinstance(out, Address) else given_place(out)
    kept = Path(store) if store else None
    targets, _ = find_targets(as_paths(paths), place, None, store=kept)
    with lock_folders([each.folder for each in targets]):
        built = bring_up_to_date(
            targets,
            lambda _: nullcontext(Workers(executor=executor)),
            drafts=drafts,
            store=kept,
            use_store=use_store,
        )
        return list(built)


def bring_up_to_date(
    targets: Sequence[Target],
    hire: Hire,
    *,
    explain: Callable[[Sequence[str]], object] | None = None,
    dry_run: bool = False,
    since: Mapping[Path, Baseline] | None = None,
    strict: str = "",
    sheet: Mapping[str, object] | None = None,
    keep_going: bool = False,
    drafts: bool = False,
    store: Path | None = None,
    use_store: bool = True,
) -> Iterator[BuildResult]:
    """Build the sets that have something to do, in held folders; yield each result, in order, once all is at its address.

    `hire` gives the workers for what is to be drawn. `explain` is given the lines that say why a set's outputs are
    built. `since` is what sets are compared with, by their folders. `sheet` are options of sheets that count for this
    build instead of those of the sets. Nothing is made before all of them are read and
    laid out: Refused with everything wrong in all of them, and, with words for `strict`, also if the rules find
    anything. To keep going, the cards that have no error are made. With `drafts`, what others get has them, too. `store`
    is the folder of the store, if it is not the user's own one.
    """
    layers = ",".join(f"{'+' if on else '-'}{name}" for name, on in (targets[0].files.layers if targets else ()))
    flags = (_as_flags(sheet or {}), f"--layers {layers}" if layers else "", "--drafts" if drafts else "")
    options = " ".join(filter(None, flags))
    # A set is compared with what it looked like in its own language, and with its cards as they are.
    baselines = {each.folder: (since or {}).get(each.files.origin) for each in targets if not each.files.subfolder}
    known = {each.folder: manifests.read(each.folder) for each in targets}

    def is_stale(target: Target) -> bool:
        before, baseline = known[target.folder], baselines.get(target.folder)
        mark = baseline.mark if baseline else ""
        is_good = is_up_to_date(target.files, target.folder, before, mark, options)
        return target.forced or not is_good or bool(strict and before.report.rule_findings)

    stale = [each for each in in_stage("compare", "sets", targets) if is_stale(each)]
    # All of them before any is built, so that one run says what is wrong in all sets.
    plans = {}
    if stale:
        from render.build.store import store_in

        kept = store_in(store, [each.files.folder for each in targets]) if use_store else None
        memory = kept.memory() if kept and not dry_run else None
        plans = _plan_all(stale, known, baselines, sheet or {}, options, strict, kept, memory, keep_going=keep_going)
    for each in targets:
        plan = plans.get(each.folder)
        if plan and explain:
            explain(plan.explanation)
        result = _build(plan, hire, dry_run=dry_run) if plan else _idle_result(each.folder, known[each.folder])
        yield _sent(result, each, dry_run=dry_run) if each.address else result


def _sent(result: BuildResult, target: Target, *, dry_run: bool) -> BuildResult:
    """Return the result of a build once what changed of it is at its address; a dry run sends nothing. NotOurs, OSError."""
    from render.build.far import send

    result = structs.replace(result, address=target.address)
    if dry_run or not target.address:
        return result
    sent, removed = send(target.folder, target.address, forced=target.forced)
    counts = f"{result.counts}; {f'{sent} sent' if sent else 'nothing to send'}"
    if removed:
        counts += f", {removed} removed there"
    return structs.replace(result, counts=counts, idle=result.idle and not (sent or removed))


def _plan_all(
    targets: Sequence[Target],
    known: Mapping[Path, Manifest],
    baselines: Mapping[Path, Baseline | None],
    sheet: Mapping[str, object],
    options: str,
    strict: str,
    store: Store | None,
    memory: Memory | None,
    *,
    keep_going: bool,
) -> dict[Path, Plan]:
    """Read sets and lay out what is stale in them; Refused with everything wrong in all of them."""
    from render.build.context import begin
    from render.build.plan import plan
    from render.game.missing_cards import keep_good_cards
    from render.game.sets.checking import everything_wrong
    from render.game.sources import read

    plans: dict[Path, Plan] = {}
    wrong: list[Finding] = []
    # All inputs of all sets are looked at before the first is read: what is saved during the build counts as a change.
    contexts = [
        begin(
            each.files,
            each.folder,
            known[each.folder],
            forced=each.forced,
            store=store,
            is_copy=each.address is not None,
        )
        for each in targets
    ]
    for each, context in zip(targets, contexts, strict=True):
        card_set, findings = read(each.files, memory=None if each.forced else memory)
        if card_set and sheet:
            card_set, of_options = _with_options(card_set, sheet)
            findings += of_options
        if card_set and options.endswith("--drafts"):
            card_set = replace(card_set, outputs=replace(card_set.outputs, drafts=True))
        try:
            if card_set and keep_going:
                (good,), everything = keep_good_cards([card_set], findings)
                card_set = good.card_set
                # What is doubtful about the other cards is found once more when they are laid out.
                findings = [finding for finding in everything if has_errors([finding]) or finding in findings]
            is_possible = keep_going or not has_errors(findings)
            unmakeable = _unmakeable(card_set) if card_set and is_possible else []
            findings += unmakeable
            if card_set and is_possible and not unmakeable:
                baseline = baselines.get(each.folder)
                with stage("compare"):
                    plans[each.folder] = plan(context, card_set, findings, baseline, options)
                continue
            if card_set:  # such as two cards with one id: nothing can be planned
                findings = everything_wrong([card_set], findings)
        except Refused as refused:
            findings = [*refused.findings]
        wrong += findings
    if has_errors(wrong):
        raise Refused(wrong)
    ruled = [finding for each in plans.values() for finding in each.ruled] if strict else []
    if ruled:
        raise Refused([*wrong, *ruled], strict)
    return plans


def _unmakeable(card_set: GameSet) -> list[Finding]:
    """Return why a deck cannot be built, whose sets ask for different sheets or have cards with one id."""
    if not card_set.deck or card_set.source is None:
        return []
    from render.exports.print_files import shared_options, sheet_options
    from render.game.cards import same_id
    from render.source.nodes import first_key

    document, node = card_set.source
    counts = Counter(card.id for card in card_set.cards)
    same = sorted(name for name, number in counts.items() if number > 1)
    problems = [Problem("B031", f"two cards have the id `{name}`", same_id(card_set, name)) for name in same]
    try:
        shared_options(sheet_options([card_set]))
    except ValueError as error:
        problems.append(Problem("B032", str(error), "write these keys under `sheet` in the deck file"))
    return [problem.at(document.span(first_key(node))) for problem in problems]


def _as_flags(sheet: Mapping[str, object]) -> str:
    """Return options of sheets as the command line writes them: `--paper letter --no-slug`."""
    from render.sheets.option_values import written
    from render.sheets.options import OPTIONS

    flags = []
    for option in OPTIONS:
        if option.key in sheet:
            words = written(sheet[option.key]) or "none"
            quoted = f'"{words}"' if " " in words else words
            switch = option.flag if sheet[option.key] else option.off_flag
            flags.append(switch if option.is_switch else f"{option.flag} {quoted}")
    return " ".join(flags)


def _with_options(card_set: GameSet, sheet: Mapping[str, Any]) -> tuple[GameSet, list[Finding]]:
    from render.sheets.cutting import misfit
    from render.sheets.options import option_doubts

    options = replace(card_set.sheet, **sheet)
    parts = tuple(replace(part, sheet=replace(part.sheet, **sheet)) for part in card_set.parts)
    doubts = [doubt for doubt, keys in option_doubts(options) if any(key in sheet for key in keys)]
    misfits = misfit(options)
    if misfits:
        doubts.append(Problem("S007", misfits[0], f"the command line asks for `{_as_flags(sheet)}`").at())
    return replace(card_set, sheet=options, parts=parts), doubts


# --- results --------------------------------------------------------------------------------------------------------


def _idle_result(folder: Path, known: Manifest) -> BuildResult:
    return BuildResult(
        name=known.name,
        folder=folder,
        report=known.report,
        counts=f"0 written, {len(known.files)} unchanged",
        idle=True,
        compared=known.since if known.since.mark else None,
        asked=known.asked,
        asked_before=known.asked,
    )


def _build(plan: Plan, hire: Hire, *, dry_run: bool) -> BuildResult:
    from render.build.outputs import OutputKind, other_outputs
    from render.build.run import run
    from render.exports.print_files import lost_correction
    from render.game.missing_cards import describe_missing

    folder, stale = plan.context.folder, [output for output, _ in plan.stale]
    missing = describe_missing(plan.card_set, other_outputs(plan.card_set))
    result = structs.replace(_idle_result(folder, plan.after), asked_before=plan.context.before.asked, missing=missing)
    if dry_run:
        return structs.replace(
            result, counts=f"{plural(len(stale), 'output')} would be made, {len(plan.unwanted)} removed"
        )
    sheets = [output.name for output in stale if output.kind is OutputKind.SHEETS]
    # If sheets that were corrected for a printer are made anew without a correction.
    before = plan.context.before.outputs
    old = [file for name in sheets for file in (name, *(before[name].files if name in before else ()))]
    lost = "" if plan.printer else next(filter(None, (lost_correction(folder / file) for file in old)), "")
    with hire(sum(output.kind is OutputKind.PNG for output in stale)) as workers:
        after, removed = run(plan, workers)
    written = sum(len(after.outputs[output.name].files) for output in stale)
    counts = f"{written} written, {len(after.files) - written} unchanged"
    return structs.replace(
        result,
        report=after.report,
        counts=f"{counts}, {removed} removed" if removed else counts,
        idle=not written and not removed,
        lost=lost,
        printing=plan.card_set.sheet if sheets else None,
    )


# --- the lock -------------------------------------------------------------------------------------------------------

_TRIES, _PAUSE = 10, 0.01  # seconds between tries, while the holder writes its name
_TRIES_OF_THE_GONE = 200  # while the children of a killed build are about to end


class Busy(OSError):
    """Another process is building in the folder; `strerror` says which, and `hint` what to do."""

    hint = "try again when it is done, or choose another folder with --out"


class Holder(Struct):
    """The process that holds a folder."""

    pid: int
    host: str
    since: str


@contextmanager
def lock_folders(folders: Iterable[Path]) -> Iterator[None]:
    """Hold folders of outputs; Busy if another process is building in one."""
    with ExitStack() as held:
        for folder in folders:
            held.enter_context(lock_folder(folder))
        yield


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the folder, made if needed; Busy, naming the holder, if another process has it.

    The system releases the lock when the process ends, however that happens. A folder in which nothing was made is
    removed.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        with open_folder(folder, folder.parent, made=True) as place:
            handle = _hold(place)
            try:
                yield
            finally:
                with suppress(OSError):  # before the lock is released: whoever has opened it finds that it has no name
                    place.remove(LOCK)
                os.close(handle)
                with suppress(OSError):  # Windows cannot remove an open file
                    place.remove(LOCK) if sys.platform == "win32" else None
    finally:
        for each in missing:
            remove_empty_folder(each, each.parent)


def _hold(folder: Folder) -> int:
    """Return the open lock file, locked and with our name in it; OSError if what is there is not a file of ours."""
    tries = 0
    while True:
        handle = folder.open(LOCK, os.O_RDWR | os.O_CREAT)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EEXIST, "not a file that can be written to", str(folder.path / LOCK))
            if not _lock(handle):
                tries += 1
                _wait_for(handle, tries, folder)
            elif status.st_nlink > 1:  # its contents are somebody's, under another name
                folder.remove(LOCK)
            # Opened before the former holder removed it, it would be a lock that nobody else can see.
            elif (found := folder.look(LOCK)) and os.path.samestat(status, found):
                # socket.gethostname would give the same; importing `socket` is 4 % of a build with nothing to do.
                since = datetime.now().astimezone().isoformat(" ", "seconds")
                os.ftruncate(handle, 0)
                os.write(handle, msgspec.json.encode(Holder(os.getpid(), platform.node(), since)))
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _wait_for(handle: int, tries: int, folder: Folder) -> None:
    """Wait a moment if the holder has not written its name yet, or has ended; else, and after many tries, Busy."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        holder = msgspec.json.decode(os.read(handle, 4096), type=Holder)
    except (OSError, ValueError, RecursionError):
        if tries > _TRIES:
            raise Busy(errno.EAGAIN, "another process is building there", str(folder.path)) from None
    else:
        is_ours = holder.host == platform.node()  # on a shared disk, the number may be one of another machine
        is_gone = is_ours and holder.pid != os.getpid() and not is_running(holder.pid)
        if not is_gone or tries > _TRIES_OF_THE_GONE:
            words = f"process {holder.pid} on {holder.host} has been building there since {holder.since}"
            raise Busy(errno.EAGAIN, words, str(folder.path))
    sleep(_PAUSE)


if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 20  # on Windows a locked byte cannot be read, so one behind the text is locked

    def _lock(handle: int) -> bool:
        os.lseek(handle, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

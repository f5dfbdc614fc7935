"""Bring sets up to date: the way from the files of sets to built folders, for building once and for `watch`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from render.base.files import Paths, as_paths
from render.base.findings import Finding, Refused, has_errors, plural
from render.game.file_names import folded

if TYPE_CHECKING:
    from render.build.compare.diff import Baseline, Compared
    from render.build.plan import Plan
    from render.build.state.manifest import BuildSummary, Manifest
    from render.game.cards import GameSet
    from render.game.folder import SetFiles
    from render.game.home import SetOrDeck
    from render.png.workers import Workers
    from render.sheets.options import SheetOptions

    Hire = Callable[[int], AbstractContextManager[Workers]]


@dataclass(frozen=True, slots=True)
class Target:
    """The files of a set, and the folder for its outputs; all of them are made if `forced`, up to date or not."""

    files: SetFiles
    folder: Path
    forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """A set that is up to date: what there is to report, counts in words, and whether nothing had to be done.

    `compared` is the result of comparing, if there was something to compare with. `asked` are the options of sheets
    that the command line gave, in words, and `asked_before` those of the build before. `lost` says that sheets were
    corrected for a printer, and are not any more. `printing` are the options of sheets that were made now. `missing` says
    which cards have an error and were not made.
    """

    name: str
    folder: Path
    report: BuildSummary
    counts: str
    idle: bool
    compared: Compared | None = None
    asked: str = ""
    asked_before: str = ""
    lost: str = ""
    printing: SheetOptions | None = None
    missing: str = ""

    @property
    def summary(self) -> str:
        """A line such as `My Set: 1 PNG and 1 sheet in out/mine (2 written, 0 unchanged)`."""
        made = [plural(self.report.pngs, "PNG"), plural(self.report.sheets, "sheet"), *self.report.others]
        return f"{self.name}: {', '.join(made[:-1])} and {made[-1]} in {self.folder} ({self.counts})"


def target(files: SetFiles, out: Path) -> Target:
    """Return a set or a deck with its folder of outputs, which has its name; another language has its own."""
    return Target(files, out / files.output_name / files.language)


def targets_in(files: SetFiles, out: Path, language: str | None = None) -> list[Target]:
    """Return a set as `target` does, once for each language: the one named, or all that the set declares."""
    from render.game.folder import may_have_languages

    if not (language or (language is None and may_have_languages(files))):
        return [target(files, out)]
    from render.game.decks.sources import in_languages

    return [target(each, out) for each in in_languages(files, language)]


def clash_of_names(sources: Sequence[SetOrDeck]) -> str:
    """Return why sets and decks cannot be built side by side, if two have outputs of the same name."""
    seen: dict[str, Path] = {}
    for each in sources:
        other = seen.setdefault(folded(each.output_name), each.origin)
        if other != each.origin:
            message = f"`{other}` and `{each.origin}` would both be written to `{each.output_name}`"
            return f"{message}: make them one after the other, with --out"
    return ""


def find_targets(paths: Iterable[Path], out: Path, language: str | None = "") -> tuple[list[Target], list[Finding]]:
    """Return the sets that the paths mean, each with its folder in `out`, and the warnings about the paths.

    `language` is as in `set_reader.survey`.
    Refused if something is wrong with the paths; ValueError if two sets have folders of one name.
    """
    from render.game.folder import find_sets

    sets, findings = find_sets(paths)
    if has_errors(findings):
        raise Refused(findings)
    clash = clash_of_names(sets)
    if clash:
        raise ValueError(clash)
    return [each for files in sets for each in targets_in(files, out, language)], findings


def build_sets(paths: Paths, out: Path | str = "out") -> list[BuildResult]:
    """Bring the outputs of sets up to date, each in a folder of `out`, and return what was done.

    A path is the folder of a set, or a folder of sets. Refused with all that is wrong in all sets, before anything is
    made; ValueError if two sets have folders of one name; Busy if another process is building there; OSError.
    """
    from render.png.workers import USUAL_WORKERS

    targets, _ = find_targets(as_paths(paths), Path(out), None)
    with lock_folders([each.folder for each in targets]):
        return list(bring_up_to_date(targets, lambda _: nullcontext(USUAL_WORKERS)))


@contextmanager
def lock_folders(folders: Iterable[Path]) -> Iterator[None]:
    """Hold folders of outputs; Busy if another process is building in one."""
    from render.build.state.lock import lock_folder

    with ExitStack() as held:
        for folder in folders:
            held.enter_context(lock_folder(folder))
        yield


NOTHING: Mapping[Path, Baseline] = {}
NO_OPTIONS: Mapping[str, object] = {}


def bring_up_to_date(
    sets: Sequence[Target],
    hire: Hire,
    *,
    explain: Callable[[Sequence[str]], object] | None = None,
    dry_run: bool = False,
    since: Mapping[Path, Baseline] = NOTHING,
    strict: str = "",
    sheet: Mapping[str, object] = NO_OPTIONS,
    keep_going: bool = False,
) -> Iterator[BuildResult]:
    """Build the sets that have something to do, in held folders; yield each result, in order.

    `hire` gives the workers for what is to be drawn. `explain` is given the lines that say why a set's outputs are
    built. `since` is what sets are compared with, by their folders. `sheet` are options of sheets that count for this
    build instead of those of the sets. Nothing is made before all of them are read and
    laid out: Refused with everything wrong in all of them, and, with words for `strict`, also if the rules find
    anything. To keep going, the cards that have no error are made.
    """
    from render.build.state import manifest
    from render.build.state.settled import is_settled

    before = [(each, manifest.read(each.folder)) for each in sets]
    options = in_words(sheet)
    marks = {folder: baseline.mark for folder, baseline in since.items()}
    stale = [
        (each, known)
        for each, known in before
        if not is_settled(
            each.files, each.folder, known, "" if each.files.language else marks.get(each.files.origin, ""), options
        )
        or (strict and known.report.rule_findings)
        or each.forced
    ]
    # All of them before any is built, so that one run says what is wrong in all sets.
    plans = _planned(stale, since, strict, sheet, keep_going=keep_going)
    for each, known in before:
        plan = plans.get(each.folder)
        if plan is None:
            counts = f"0 written, {len(known.files)} unchanged"
            yield BuildResult(
                name=known.name,
                folder=each.folder,
                report=known.report,
                counts=counts,
                idle=True,
                compared=_compared(known),
                asked=known.asked,
                asked_before=known.asked,
            )
        else:
            if explain:
                explain(plan.explanation)
            yield _would_be(plan) if dry_run else _run(plan, hire)


def _compared(known: Manifest) -> Compared | None:
    if not known.since:
        return None
    from render.build.compare.diff import said_before

    return said_before(known.since)


def _planned(
    sets: Sequence[tuple[Target, Manifest]],
    since: Mapping[Path, Baseline],
    strict: str,
    sheet: Mapping[str, object],
    *,
    keep_going: bool,
) -> dict[Path, Plan]:
    """Read sets and lay out what is stale in them; Refused with everything wrong in all of them."""
    if not sets:
        return {}
    from render.build.plan import begin, plan
    from render.game.decks.sources import read_source
    from render.game.sets.checking import everything_wrong

    plans: dict[Path, Plan] = {}
    found = []
    # All inputs of all sets are looked at before the first is read: what is saved during the build counts as a change.
    for each in [begin(target.files, target.folder, known, forced=target.forced) for target, known in sets]:
        card_set, findings = read_source(each.files)
        card_set, wrong = _with_options(card_set, sheet) if card_set and sheet else (card_set, [])
        findings += wrong
        try:
            if card_set and keep_going:
                card_set, findings = _with_good_cards(card_set, findings)
            errors = _unmakeable(card_set) if card_set and (keep_going or not has_errors(findings)) else []
            findings += errors
            if card_set and not errors and (keep_going or not has_errors(findings)):
                plans[each.folder] = plan(
                    each, card_set, findings, _of_own_language(since, each.files), in_words(sheet)
                )
                continue
            if card_set:  # such as two cards with one id: nothing can be planned
                findings = everything_wrong([card_set], findings)
        except Refused as refused:
            findings = [*refused.findings]
        found += findings
    if has_errors(found):
        raise Refused(found)
    ruled = [finding for each in plans.values() for finding in each.ruled.findings] if strict else []
    if ruled:
        raise Refused([*found, *ruled], strict)
    return plans


def _with_good_cards(card_set: GameSet, findings: Sequence[Finding]) -> tuple[GameSet, list[Finding]]:
    """Return a set without the cards that have an error, and the findings; Refused if it cannot be made without them."""
    from render.game.missing_cards import keep_good_cards

    (good,), everything = keep_good_cards([card_set], findings)
    # What is doubtful about the other cards is found once more when they are laid out.
    return good.card_set, [each for each in everything if has_errors([each]) or each in findings]


def in_words(sheet: Mapping[str, object]) -> str:
    """Return options of sheets as the command line writes them: `--paper letter --no-slug`."""
    from render.sheets.option_values import SWITCH, written
    from render.sheets.options import OPTIONS

    words = []
    for option in OPTIONS:
        if option.key in sheet:
            value = sheet[option.key]
            is_off = option.values == SWITCH and not value
            flag = f"--no-{option.flag[2:]}" if is_off else option.flag
            words.append(flag if option.values == SWITCH else f"{flag} {_quoted(written(value) or 'none')}")
    return " ".join(words)


def _quoted(value: str) -> str:
    return f'"{value}"' if " " in value else value


def _with_options(card_set: GameSet, sheet: Mapping[str, Any]) -> tuple[GameSet, list[Finding]]:
    """Return a set with these options for its sheets, and why that is impossible or doubtful."""
    from render.base.findings import Problem
    from render.game.sets.set_keys import misfit
    from render.sheets.options import option_doubts

    options = replace(card_set.sheet, **sheet)
    parts = tuple(replace(part, sheet=replace(part.sheet, **sheet)) for part in card_set.parts)
    doubts = [doubt for doubt, keys in option_doubts(options) if any(key in sheet for key in keys)]
    misfitting = misfit(options)
    asked = f"the command line asks for `{in_words(sheet)}`"
    wrong = [Problem("S007", misfitting[0], asked).at()] if misfitting else []
    return replace(card_set, sheet=options, parts=parts), [*doubts, *wrong]


def _unmakeable(card_set: GameSet) -> list[Finding]:
    """Return why a deck cannot be built, whose sets ask for different sheets or have cards with one id."""
    if not card_set.deck or card_set.source is None:
        return []
    from render.base.findings import Problem
    from render.exports.print_files import shared_options
    from render.game.cards import same_id
    from render.source.nodes import first_key

    document, node = card_set.source
    counts = Counter(card.id for card in card_set.cards)
    same = sorted(name for name, number in counts.items() if number > 1)
    found = [Problem("B031", f"two cards have the id `{name}`", same_id(card_set, name)) for name in same]
    try:
        shared_options([card_set], {})
    except ValueError as error:
        found.append(Problem("B032", str(error), "write these keys under `sheet` in the deck file"))
    return [problem.at(document.span(first_key(node))) for problem in found]


def _of_own_language(since: Mapping[Path, Baseline], files: SetFiles) -> Baseline | None:
    """Return what a set is compared with: what it looked like in its own language."""
    return None if files.language else since.get(files.origin)


def _would_be(plan: Plan) -> BuildResult:
    from render.build.run import build_summary, other_outputs
    from render.game.missing_cards import describe_missing

    counts = f"{plural(len(plan.stale), 'output')} would be made, {len(plan.unwanted)} removed"
    return BuildResult(
        name=plan.card_set.name,
        folder=plan.begun.folder,
        report=build_summary(plan, ()),
        counts=counts,
        idle=True,
        compared=plan.compared,
        asked=plan.asked,
        asked_before=plan.begun.before.asked,
        missing=describe_missing(plan.card_set, other_outputs(plan.card_set.outputs)),
    )


def _run(plan: Plan, hire: Hire) -> BuildResult:
    from render.build.run import other_outputs, run
    from render.build.state.outputs import OutputKind
    from render.game.missing_cards import describe_missing

    pngs = sum(output.kind is OutputKind.PNG for output, _ in plan.stale)
    lost = _lost_correction(plan)
    with hire(pngs) as hired:
        built = run(plan, hired)
    removed = f", {built.removed} removed" if built.removed else ""
    counts = f"{built.written} written, {built.unchanged} unchanged{removed}"
    idle = not built.written and not built.removed
    return BuildResult(
        name=plan.card_set.name,
        folder=built.folder,
        report=built.report,
        counts=counts,
        idle=idle,
        compared=plan.compared,
        asked=plan.asked,
        asked_before=plan.begun.before.asked,
        missing=describe_missing(plan.card_set, other_outputs(plan.card_set.outputs)),
        lost=lost,
        printing=plan.card_set.sheet if any(output.kind is OutputKind.SHEETS for output, _ in plan.stale) else None,
    )


def _lost_correction(plan: Plan) -> str:
    """Return what to say if sheets that were corrected for a printer are made anew without a correction."""
    from render.build.state.outputs import OutputKind
    from render.exports.sheet_files import lost_correction

    sheets = [output.name for output, _ in plan.stale if output.kind is OutputKind.SHEETS and not plan.printer]
    return next(filter(None, (lost_correction(plan.begun.folder / name) for name in sheets)), "")

"""What there is to do for a set: which outputs are stale and why, and the cards laid out for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, structs
from msgspec.structs import replace

from render.base.caches import clear_caches
from render.base.findings import Finding, Problem, Refused, Span, has_errors, sort_findings
from render.base.geometry import IDENTITY
from render.base.lazily import chosen, thing_of, with_handles
from render.base.reach import sha256
from render.build import inputs as program
from render.build.compare import Baseline, digest_set, grid_of, looks_of, rows, still_known
from render.build.context import BuildContext
from render.build.finished import Found, FoundPages, find, found_faces
from render.build.inputs import Inputs, file_stamps
from render.build.manifest import PROGRAM, BuildSummary, Comparison, Manifest, Stamp
from render.build.outputs import (
    Keys,
    Output,
    OutputKind,
    changed_cards,
    differences,
    expected_outputs,
    explain,
    key_digest,
    other_outputs,
    printed_by_shop,
    sheet_outputs,
    sized_blanks,
)
from render.exports.print_files import SizedJob, drawn_for
from render.game import registry
from render.game.cards import GameCard, GameSet, for_press, place_of_sheet_key
from render.game.faces import Faces, Finish, redraw, usual_finish
from render.game.side_layout import Read
from render.scene.at_rest import MANY

if TYPE_CHECKING:
    from render.sheets.calibration.printers import Calibration


class Plan(Struct, frozen=True, kw_only=True):
    """What there is to do. `stale` are outputs with the reason, `made` the stamps of the files that are there.

    `drawn` are the faces of the cards that were laid out, finished if only sheets show them; `finished` are those of others
    that the store has, blank if it also has their `pages`; `keys` are what all of them depend on. `for_shops` are those for
    shops that print no type as small, `for_sheets` those of sheets for a press. `printer` is the one for which sheets are
    corrected. `after` is what to remember, of outputs those that are fresh. `ruled` is what the rules find.
    """

    context: BuildContext
    card_set: GameSet
    outputs: Sequence[Output]
    stale: Sequence[tuple[Output, str]]
    made: Mapping[str, Stamp]
    drawn: Mapping[str, Faces]
    finished: Mapping[str, Faces]
    pages: Mapping[str, FoundPages]
    keys: Keys
    for_shops: Mapping[str, tuple[Faces, ...]]
    for_sheets: Mapping[str, Faces]
    printer: Calibration | None
    after: Manifest
    ruled: tuple[Finding, ...]

    @property
    def unwanted(self) -> list[str]:
        """The files of outputs that are no longer asked for."""
        names = {output.name for output in self.outputs}
        before = sorted(self.context.before.outputs.items())
        return [file for name, record in before if name not in names for file in sorted(record.files)]

    @property
    def explanation(self) -> list[str]:
        """Lines that say why outputs are stale, and which outputs are no longer asked for."""
        counts = {kind.value: sum(output.kind is kind for output in self.outputs) for kind in OutputKind}
        stale = [(output.kind.value, output.name, reason) for output, reason in self.stale]
        return [*explain(stale, counts), *(f"{name}: no longer asked for" for name in self.unwanted)]


def plan(
    context: BuildContext,
    card_set: GameSet,
    findings: Sequence[Finding],
    baseline: Baseline | None = None,
    options: str = "",
) -> Plan:
    """Decide what to do; Refused with all errors of the cards that are laid out, and `findings` among them.

    With a baseline, the cards that changed since are wanted on sheets of their own. `options` are those of sheets that
    the command line gave, in words.
    """
    before, inputs = context.before, context.inputs
    printer = _printer(card_set, inputs, findings) if card_set.outputs.sheets or baseline else None
    # The stamps before the version: a program that is replaced in between is noticed by the next build.
    stamp = program.program_stamp()
    is_same = before.program and before.seen.get(PROGRAM) == stamp
    version = before.program if is_same else program.program_version(stamp)
    keys = Keys(card_set, inputs, before.read, version)
    outputs, sheets = expected_outputs(card_set, sized := _sized(card_set), keys, printer)
    made = file_stamps(context.folder, before.files)
    reasons = _reasons(context, outputs, made)
    stale = [output for output in outputs if output.name in reasons]
    shown = {card for output in outputs for card in output.cards}
    known = still_known(before, card_set, keys)
    correction = printer.correction if printer else IDENTITY
    found = Found()
    if not baseline and shown.issuperset(before.report.doubtful):
        found = find(context, card_set, sized, _on_sheets(stale), known, keys, correction)
    to_draw = _to_draw(stale, shown, known, found, before.report.doubtful)
    if baseline:
        to_draw = to_draw | {card.id for card in card_set.cards if card.copies}
    finish = _finish_for(card_set, stale, baseline)
    del sized, stale  # what stands for each card there need not be in memory while they are laid out

    def missed(read: Read) -> set[str]:
        """Return the templates that once asked for files that they have not asked for now.

        Another card may still ask; only if none does, the outputs no longer depend on these files.
        """
        now = {name: {inputs.labels.label(file) for file in files} for name, files in read.items()}
        return {name for name, files in before.read.items() if not now.get(name, set()).issuperset(files)}

    with check_in_background(card_set, before, known, inputs, version) as ask_rules:
        try:
            redrawn = redraw(card_set, to_draw, shown, missed, finish)
            for_shops, of_shops = _lay_out_for_shops(card_set, outputs, reasons)
        except Refused as refused:
            # Warnings of the files and of the rules as well: the errors hide nothing.
            raise Refused([*findings, *refused.findings, *ask_rules().findings]) from None
        ruled = ask_rules()
    if len(card_set.cards) > MANY:
        clear_caches()  # of the words that were set: what follows takes their place
    names = {each.template_name for each in card_set.cards} | {each.back for each in card_set.cards}
    read = {
        name: sorted({inputs.labels.label(file) for file in redrawn.read[name]}) for name in names & redrawn.read.keys()
    }
    for label in {label for labels in read.values() for label in labels}:
        inputs.digest(label)
    if read != before.read:  # templates asked for other files than last time, which is known only now
        keys = Keys(card_set, inputs, read, version)
        found = found.without_keys()
        del outputs
        outputs, _ = expected_outputs(card_set, _sized(card_set), keys, printer)
    is_known = known if read == before.read and not baseline else {}
    laid_out = (faces for name, faces in redrawn.faces.items() if name not in is_known)
    now = digest_set(card_set, laid_out, redrawn.noted)
    pictures = rows(card_set, shown, now, known, redrawn, keys)
    plain = {name: (now if name in now.cards else before).plain.get(name, "") for name in pictures}
    comparison = Comparison()
    if baseline and not has_errors(findings):
        # Their sheets are known only after the comparison, which needs the cards laid out.
        changes = baseline.changes(now)
        to_print = changed_cards(card_set, changes.copies)
        changed, number = sheet_outputs(to_print, sized_blanks(to_print), keys, printer, OutputKind.CHANGED)
        comparison = Comparison(baseline.mark, changes, number, tuple(output.name for output in changed))
        outputs = [*outputs, *changed]
        reasons |= _reasons(context, changed, made)
    doubtful = printer.doubts(card_set.sheet) if printer else ()
    everything = (*findings, *doubtful, *dict.fromkeys((*redrawn.findings, *of_shops)))
    places = (file for each in (card_set, *card_set.parts) for file in registry.game_of(each).rule_places(each))
    of_rules = {label: inputs.stamp(label) for label in map(inputs.labels.label, places)}
    after = Manifest(
        complete=not card_set.missing,
        name=card_set.name,
        program=version,
        cards=context.cards,
        inputs=inputs.digests,
        read=read,
        # A fresh output gets a new key: it might depend on more than before.
        outputs={
            output.name: structs.replace(before.outputs[output.name], key=output.key)
            for output in outputs
            if output.name not in reasons
        },
        seen={**of_rules, **inputs.stamps, PROGRAM: stamp},
        report=BuildSummary(
            pngs=sum(output.kind is OutputKind.PNG for output in outputs),
            sheets=sheets,
            others=() if card_set.missing else tuple(other_outputs(card_set)),
            findings=everything,
            doubtful=redrawn.doubtful,
            rule_findings=tuple(sort_findings(ruled.findings)),
        ),
        pictures=pictures,
        plain={name: digest for name, digest in plain.items() if digest},
        painted=grid_of(card_set),
        since=comparison,
        asked=options,
        rules=ruled.rules,
        checked={**ruled.checked},
        missing=tuple(card.id for _, card in card_set.missing),
    )
    return Plan(
        context=context,
        card_set=card_set,
        outputs=outputs,
        stale=[(output, reasons[output.name]) for output in outputs if output.name in reasons],
        made=made,
        drawn=redrawn.faces,
        finished=found_faces(card_set, found, redrawn.backs),
        pages=found.pages,
        keys=keys,
        for_shops=for_shops,
        for_sheets=_lay_out_for_press(card_set, outputs, reasons),
        printer=printer,
        after=after,
        ruled=ruled.findings,
    )


def _sized(card_set: GameSet) -> list[SizedJob]:
    return sized_blanks(card_set) if card_set.outputs.sheets else []


def _on_sheets(stale: Iterable[Output]) -> set[str]:
    return {card for output in stale if output.kind is OutputKind.SHEETS for card in output.cards}


def _to_draw(
    stale: Iterable[Output], shown: set[str], known: Container[str], found: Found, doubtful: Collection[str]
) -> set[str]:
    """Return the ids of the cards to lay out: those that stale outputs need, gave a warning before, or are not known."""
    if not shown.issuperset(doubtful):  # another card of a template is to be warned about now
        return shown
    needed = {
        card
        for output in stale
        for card in output.cards
        if output.kind is not OutputKind.SHEETS or not (card in found.sides or card in found.on_pages)
    }
    needed.update(doubtful, (card for card in shown if card not in known))
    return shown if needed == shown else needed  # which takes 8 MB for 100 000 cards


def _finish_for(card_set: GameSet, stale: Iterable[Output], baseline: Baseline | None) -> Finish:
    """Return what is made of cards once they are laid out: their scenes, or the drawings of them if only sheets show them."""
    are_sheets = {output.kind for output in stale} == {OutputKind.SHEETS}
    is_drawable = are_sheets and not (baseline or card_set.sheet.for_press)
    drawing = (drawn_for(card_set.sheet) if is_drawable else None) or usual_finish(card_set)
    return replace(drawing, note=looks_of)


def _printer(card_set: GameSet, inputs: Inputs, findings: Iterable[Finding]) -> Calibration | None:
    """Return the calibration of the printer that the sheets name; Refused if it is unknown, or for other sheets."""
    if not card_set.sheet.printer:
        return None
    from render.sheets.calibration import printers

    inputs.note(printers.folder() / printers.FILE)
    try:
        return printers.calibration_of(card_set.sheet)
    except ValueError as error:
        hint = "`kotc calibrate --list` shows the printers; --printer none makes sheets without a correction"
        where = place_of_sheet_key(card_set, "printer")
        raise Refused([*findings, Problem("R017", str(error), hint).at(where, field="sheet.printer")]) from None


def _reasons(context: BuildContext, outputs: Iterable[Output], made: Mapping[str, Stamp]) -> dict[str, str]:
    """Return why outputs must be made, by name; those that are up to date are left out."""
    before, reasons = context.before, {}

    def damage(name: str, digest: str) -> str:
        if made[name] is None:
            return "file is missing"
        # A file that was only touched, or copied with its folder, has another stamp and the same bytes.
        if (
            made[name] == before.made.get(name)
            or (now := sha256(context.folder / name, context.folder.parent)) == digest
        ):
            return ""
        return "the last build was stopped" if before.is_ours(name, now) else "file was changed by hand"

    for output in outputs:
        record = before.outputs.get(output.name)
        if record is None:
            reasons[output.name] = "--force" if context.forced else "new"
        elif reason := differences(record.key, output.key) or next(
            filter(None, (damage(*file) for file in record.files.items())), ""
        ):
            reasons[output.name] = reason
    return reasons


def _lay_out_for_shops(
    card_set: GameSet, outputs: Iterable[Output], stale: Mapping[str, str]
) -> tuple[dict[str, tuple[Faces, ...]], list[Finding]]:
    faces: dict[str, tuple[Faces, ...]] = {}
    findings: list[Finding] = []
    for output in outputs:
        if output.shop and output.name in stale:
            for_shop = printed_by_shop(card_set, output.shop)
            if for_shop.least_type:
                redrawn = redraw(for_shop, frozenset(output.cards))
                faces[output.name] = tuple(redrawn.faces[name] for name in output.cards)
                findings += redrawn.findings
    if has_errors(findings):
        raise Refused(findings)
    return faces, findings


def _lay_out_for_press(card_set: GameSet, outputs: Iterable[Output], stale: Mapping[str, str]) -> Mapping[str, Faces]:
    """Lay out the cards of sheets for a press, which prints no type as small as the cards have; {} for other sheets."""
    if not card_set.sheet.for_press:
        return {}
    on_sheets = (output for output in outputs if output.kind in (OutputKind.SHEETS, OutputKind.CHANGED))
    cards = {card for output in on_sheets if output.name in stale for card in output.cards}
    return redraw(for_press(card_set), cards).faces if cards else {}


# --- what the rules find --------------------------------------------------------------------------------------------


class RuleFindings(NamedTuple):
    """What the rules find, and what to remember: a digest of these rules and of the program, and rows for cards."""

    findings: tuple[Finding, ...]
    rules: str = ""
    checked: Mapping[str, tuple[str, int]] = {}


@contextmanager
def check_in_background(
    card_set: GameSet, before: Manifest, same: Container[str], inputs: Inputs, program: str
) -> Iterator[Callable[[], RuleFindings]]:
    """Let a second process judge cards, and give a function that returns what the rules find.

    For cards that are the `same` as in the build before, the same rules find what they found then, perhaps at other
    lines.
    """
    if card_set.deck:  # judged as a whole while it was read
        yield lambda: RuleFindings(card_set.ruled)
        return
    game = registry.game_of(card_set)
    files = [(number, inputs.labels.label(file), file) for number, file in game.rule_files(card_set.folder)]
    digests = [(number, label, inputs.digest(label)) for number, label, _ in files]
    # What a set does not want to see is not remembered.
    rules = key_digest((program, digests, card_set.codes) if card_set.codes else (program, digests))
    # What is said of an edition without rules is said once, so one card more or less may be another one's turn.
    numbers = {number for number, _, _ in files}
    without_rules = {card.id for card in card_set.cards if game.rules_of(card) not in numbers}
    checked: dict[str, tuple[str, int]] = {}
    findings: list[Finding] = []
    todo = []
    for number, card in enumerate(card_set.cards):
        mark, line = before.checked.get(card.id, ("", 0))
        is_same = mark == _mark(card) if mark else card.id in same  # the findings may quote its lines
        if before.rules != rules or card.id in without_rules or not is_same:
            todo.append(number)
        elif mark:
            span = card.document.span(card.node)
            checked[card.id] = mark, span.line
            of_card = (each for each in before.report.rule_findings if each.card == card.id)
            findings += [moved(each, span.file, span.line - line) for each in of_card]

    def remember(found: Sequence[Finding]) -> RuleFindings:
        """Return all findings. If any is not in the lines of a card, nothing is remembered, and all is judged again."""
        everything, named = (*findings, *found), {finding.card for finding in found}
        handles = {card.id: handle for card, handle in with_handles(card_set.cards) if card.id in named}
        for finding in found:
            handle = handles.get(finding.card)
            if handle is None or not _is_within(card := thing_of(handle), finding.span):
                return RuleFindings(everything)
            if card.id not in without_rules and card.id not in checked:
                checked[card.id] = _mark(card), card.document.span(card.node).line
        return RuleFindings(everything, rules, checked)

    if not todo:
        yield lambda: remember(())
        return
    from render.game.sets.checking import judge_in_background

    with judge_in_background([replace(card_set, cards=chosen(card_set.cards, todo))]) as judged:
        yield lambda: remember(judged())


def _mark(card: GameCard) -> str:
    """Return a digest of the lines of a card, and of what else its findings depend on besides the rules."""
    game = registry.game_of(card)
    return key_digest((lines_of(card), game.rules_of(card), game.parts(card)))


def _is_within(card: GameCard, span: Span | None) -> bool:
    """Return whether a place is in the lines of a card; that of an alias is elsewhere, and moves by itself.

    A cell of a spreadsheet has a name, which does not move by lines.
    """
    whole = card.document.span(card.node)
    return bool(span and span.file == whole.file and not span.cell and whole.line <= span.line <= whole.end_line)


def lines_of(card: GameCard) -> str:
    """Return the text of all lines of a card."""
    text, node = card.document.text, card.node
    start, end = text.rfind("\n", 0, node.start) + 1, text.find("\n", node.end)
    return text[start : end if end >= 0 else None]


def moved(finding: Finding, file: Path, down: int) -> Finding:
    """Return a finding in the lines of a card that begins so many lines further down now."""
    span = finding.span
    if span is None:
        return finding
    return replace(finding, span=replace(span, file=file, line=span.line + down, end_line=span.end_line + down))

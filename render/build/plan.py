"""What there is to do for a set: which outputs are stale and why, and the cards laid out for them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from render.base.findings import Finding, Problem, Refused, has_errors
from render.build import reasons
from render.build.compare import appearance
from render.build.compare.appearance import Row, SetDigests
from render.build.compare.diff import Baseline, Compared
from render.build.judged import Ruled, judge_meanwhile
from render.build.state import manifest as manifests
from render.build.state.inputs import Inputs, Labels, file_stamps, sha256_of_output
from render.build.state.keys import Keys
from render.build.state.manifest import Manifest, OutputRecord, Stamp, forgotten
from render.build.state.outputs import (
    Output,
    OutputKind,
    WantedOutputs,
    printed_by_shop,
    shop_named,
    wanted_outputs,
    with_changed,
)
from render.build.state.settled import labels_of, names_of_cards, trusted_program
from render.game import registry
from render.game.cards import GameSet, for_press, place_of_sheet_key
from render.game.decks.behind import sets_behind
from render.game.faces import Faces, Redrawn, redraw
from render.game.folder import GAME_FILE, SET_FILE, SetFiles
from render.game.sets.named_games import game_in
from render.game.side_layout import Read
from render.sheets.printable import calibration_of, doubts_about

if TYPE_CHECKING:
    from render.sheets.calibration.fit import Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A set or a deck before it is read: its files, its folder of outputs, its manifest, its inputs as they are now.

    `cards` are the names of the card files. If it is `forced`, the manifest is one that remembers nothing.
    """

    files: SetFiles
    folder: Path
    before: Manifest
    inputs: Inputs
    cards: tuple[str, ...]
    forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What there is to do. `stale` are outputs with the reason; `read` and `seen` are for the manifest.

    `drawn` are the faces of the cards that were laid out, `for_shops` those for shops that print no type as small,
    `for_sheets` those of sheets for a press. `made` are the stamps of fresh output files. `looks` is for the manifest.
    `compared` is set if there is something to compare with. `ruled` is what the rules find. `printer` is the one for
    which sheets are corrected, and `asked` are the options of sheets that the command line gave, in words.
    """

    begun: Begun
    card_set: GameSet
    wanted: WantedOutputs
    stale: tuple[tuple[Output, str], ...]
    unwanted: tuple[str, ...]
    drawn: Mapping[str, Faces]
    for_shops: Mapping[str, tuple[Faces, ...]]
    for_sheets: Mapping[str, Faces]
    findings: tuple[Finding, ...]
    doubtful: tuple[str, ...]
    read: Mapping[str, Sequence[str]]
    seen: Mapping[str, Stamp | str]
    made: Mapping[str, Stamp]
    program: str
    looks: Mapping[str, Row]
    compared: Compared | None
    ruled: Ruled
    printer: Calibration | None
    asked: str

    @property
    def explanation(self) -> list[str]:
        """Lines that say why outputs are stale, and which outputs are no longer asked for."""
        counts = {kind.value: sum(output.kind is kind for output in self.wanted.outputs) for kind in OutputKind}
        stale = [(output.kind.value, output.name, reason) for output, reason in self.stale]
        return [*reasons.explained(stale, counts), *(f"{name}: no longer asked for" for name in self.unwanted)]


def begin(files: SetFiles, folder: Path, before: Manifest, *, forced: bool = False) -> Begun:
    """Record the state of everything that will be read, so that the next build notices later changes.

    If it is `forced`, everything is made again.
    """
    before = forgotten(before) if forced else before
    sets = sets_behind(files)
    inputs = Inputs(labels_of(files, sets), before)
    for each in sets:
        inputs.note(each.folder / SET_FILE, *each.cards, *(file for _, file in game_in(each).rule_files(each.folder)))
        inputs.note(each.folder / GAME_FILE)  # which may not be there: once it is, all cards are of another game
    if files.deck:
        inputs.note(files.deck, *(file for each in sets[:1] for _, file in game_in(each).rule_files(files.folder)))
    homes = dict.fromkeys(place for each in sets for place in (each.folder, game_in(each).folder) if place)
    homes_of_templates = (place for each in homes for place in (each / "templates", each))
    for folder_of_templates in (*homes_of_templates, *registry.template_folders()):
        for file in sorted(folder_of_templates.glob("*.svg")):
            inputs.digest_of(file)
    return Begun(
        files=files,
        folder=folder,
        before=before,
        inputs=inputs,
        cards=names_of_cards(files, sets),
        forced=forced,
    )


def plan(
    begun: Begun, card_set: GameSet, findings: Iterable[Finding], baseline: Baseline | None = None, options: str = ""
) -> Plan:
    """Decide what to do; Refused with all errors of the cards that are laid out, and `findings` among them.

    With a baseline, the cards that changed since are wanted on sheets of their own. `options` are those of sheets that
    the command line gave, in words.
    """
    before, inputs = begun.before, begun.inputs
    printer = _printer(card_set, inputs, findings) if card_set.outputs.sheets or baseline else None
    # The stamps before the version: a program that is replaced in between is noticed by the next build.
    looks, program = trusted_program(before)
    keys = Keys(card_set, inputs, before.read, program)
    asked = wanted_outputs(card_set, keys, printer)
    made = file_stamps(begun.folder, before.files)
    reason = _reasons(begun, asked.outputs, made)
    known = appearance.still_known(before, card_set, keys)
    counted = {card.id for card in card_set.cards if card.copies and baseline}
    with judge_meanwhile(card_set, before, known, inputs, program) as ask_rules:
        try:
            to_draw = _to_draw(before, asked, reason, known) | counted
            redrawn = redraw(card_set, to_draw, _shown(asked), partial(_missed, before, inputs.labels))
            for_shops, more = _for_shops(card_set, asked, reason)
        except Refused as refused:
            # Warnings of the files and of the rules as well: the errors hide nothing.
            raise Refused([*findings, *refused.findings, *ask_rules().findings]) from None
        ruled = ask_rules()
    read = _read(card_set, redrawn, inputs.labels)
    inputs.count(label for labels in read.values() for label in labels)
    if read != before.read:  # templates asked for other files than last time, which is known only now
        keys = Keys(card_set, inputs, read, program)
        asked = wanted_outputs(card_set, keys, printer)
    now = _looks(card_set, redrawn, () if baseline or read != before.read else known)
    remembered = appearance.rows(card_set, _shown(asked), now=now, known=known, drawn=redrawn, keys=keys)
    compared: Compared | None = None
    if baseline and not has_errors(findings):
        asked, compared = _compared(baseline, now, asked, card_set, keys, printer=printer)
    # Those of changed cards are known only after the comparison, which needs the cards laid out.
    reason |= _reasons(begun, (each for each in asked.outputs if each.kind is OutputKind.CHANGED), made)
    return Plan(
        begun=begun,
        card_set=card_set,
        wanted=asked,
        stale=tuple((output, reason[output.name]) for output in asked.outputs if output.name in reason),
        unwanted=tuple(_unwanted(before, asked)),
        drawn=redrawn.faces,
        for_shops=for_shops,
        for_sheets=_for_sheets(card_set, asked, reason),
        findings=(*findings, *doubts_about(card_set.sheet, printer), *dict.fromkeys((*redrawn.findings, *more))),
        doubtful=redrawn.doubtful,
        read=read,
        seen={**inputs.seen(_labels_of_rules(card_set, inputs.labels)), **inputs.all_seen, manifests.PROGRAM: looks},
        made=made,
        program=program,
        looks=remembered,
        compared=compared,
        ruled=ruled,
        printer=printer,
        asked=options,
    )


def _printer(card_set: GameSet, inputs: Inputs, findings: Iterable[Finding]) -> Calibration | None:
    """Return the calibration of the printer that the sheets name; Refused if it is unknown, or for other sheets."""
    if not card_set.sheet.printer:
        return None
    from render.sheets.calibration import printers

    inputs.note(printers.folder() / printers.FILE)
    try:
        return calibration_of(card_set.sheet)
    except ValueError as error:
        hint = "`kotc calibrate --list` shows the printers; --printer none makes sheets without a correction"
        where = place_of_sheet_key(card_set, "printer")
        raise Refused([*findings, Problem("R017", str(error), hint).at(where, field="sheet.printer")]) from None


def _reasons(begun: Begun, outputs: Iterable[Output], made: Mapping[str, Stamp]) -> dict[str, str]:
    """Return why outputs must be made, by name; those that are up to date are left out."""
    return {output.name: why for output in outputs if (why := _staleness(begun, output, made))}


def _staleness(begun: Begun, output: Output, made: Mapping[str, Stamp]) -> str:
    """Return why an output must be made; empty if it is up to date."""
    entry = begun.before.outputs.get(output.name)
    if entry is None:
        return reasons.FORCED if begun.forced else reasons.NEW
    return reasons.differences(entry.key, output.key) or next(_file_troubles(begun, entry, made), "")


def _file_troubles(begun: Begun, entry: OutputRecord, made: Mapping[str, Stamp]) -> Iterator[str]:
    for name, digest in entry.files.items():
        now = made[name]
        if now is None:
            yield reasons.MISSING
        # A file that was only touched, or copied with its folder, has another stamp and the same bytes.
        elif now != begun.before.made.get(name) and sha256_of_output(begun.folder, name) != digest:
            yield reasons.BY_HAND


def _to_draw(before: Manifest, asked: WantedOutputs, stale: Mapping[str, str], known: Container[str]) -> set[str]:
    """Return the cards that stale outputs show, those with unknown pictures, and doubtful ones, to warn again."""
    ids = _shown(asked)
    if not ids.issuperset(before.report.doubtful):  # another card of its template is to be warned about now
        return ids
    return {
        card for output in asked.outputs for card in output.cards if output.name in stale or card not in known
    }.union(before.report.doubtful)


def _shown(asked: WantedOutputs) -> set[str]:
    return {card for output in asked.outputs for card in output.cards}


def _looks(card_set: GameSet, redrawn: Redrawn, known: Container[str]) -> SetDigests:
    """Return what cards look like that were laid out, without those of `known` looks: they are made as before."""
    return appearance.of(card_set, (each for name, each in redrawn.faces.items() if name not in known))


def _compared(
    baseline: Baseline,
    now: SetDigests,
    asked: WantedOutputs,
    card_set: GameSet,
    keys: Keys,
    printer: Calibration | None,
) -> tuple[WantedOutputs, Compared]:
    """Return what is wanted, with sheets of what changed since the baseline, and the comparison."""
    changes = baseline.changes(now)
    wanted_too, number = with_changed(asked, card_set, keys, changes.copies, printer)
    files = tuple(output.name for output in wanted_too.outputs if output.kind is OutputKind.CHANGED)
    return wanted_too, Compared(baseline.mark, changes, number, files)


def _for_shops(
    card_set: GameSet, asked: WantedOutputs, stale: Mapping[str, str]
) -> tuple[dict[str, tuple[Faces, ...]], list[Finding]]:
    """Lay out cards for shops that print no type as small as the cards have."""
    faces: dict[str, tuple[Faces, ...]] = {}
    findings: list[Finding] = []
    for output in asked.outputs:
        if output.kind is not OutputKind.SHOP or output.name not in stale:
            continue
        for_shop = printed_by_shop(card_set, shop_named(output.name, card_set))
        if for_shop.least_type:
            redrawn = redraw(for_shop, frozenset(output.cards))
            faces[output.name] = tuple(redrawn.faces[name] for name in output.cards)
            findings += redrawn.findings
    if has_errors(findings):
        raise Refused(findings)
    return faces, findings


def _for_sheets(card_set: GameSet, asked: WantedOutputs, stale: Mapping[str, str]) -> Mapping[str, Faces]:
    """Lay out the cards of sheets for a press, which prints no type as small as the cards have; {} for other sheets."""
    if not card_set.sheet.for_press:
        return {}
    on_sheets = (output for output in asked.outputs if output.kind in (OutputKind.SHEETS, OutputKind.CHANGED))
    cards = {card for output in on_sheets if output.name in stale for card in output.cards}
    return redraw(for_press(card_set), cards).faces if cards else {}


def _missed(before: Manifest, labels: Labels, read: Read) -> set[str]:
    """Return the templates that once asked for files that they have not asked for now.

    Another card may still ask; only if none does, the outputs no longer depend on these files.
    """
    now = {name: {labels.label(file) for file in files} for name, files in read.items()}
    return {name for name, files in before.read.items() if not now.get(name, set()).issuperset(files)}


def _read(card_set: GameSet, redrawn: Redrawn, labels: Labels) -> dict[str, Sequence[str]]:
    """Return the labels of the files that each template depended on."""
    names = {each.template_name for each in card_set.cards} | {each.back for each in card_set.cards}
    return {
        name: sorted({labels.label(file) for file in redrawn.read[name]})
        for name in sorted(names & redrawn.read.keys())
    }


def _labels_of_rules(card_set: GameSet, labels: Labels) -> list[str]:
    """Return where rules were looked for that gave numbers to cards."""
    asking = (card_set, *card_set.parts)
    return [labels.label(file) for each in asking for file in registry.game_of(each).rule_places(each)]


def _unwanted(before: Manifest, asked: WantedOutputs) -> Iterator[str]:
    """Yield the files of outputs that are no longer asked for."""
    names = {output.name for output in asked.outputs}
    for name, entry in sorted(before.outputs.items()):
        if name not in names:
            yield from sorted(entry.files)

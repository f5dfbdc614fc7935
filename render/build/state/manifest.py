"""The manifest: what was made, from what, and the stamps of files then.

It is written last. Until then the journal says which files are being made and which are done, so that a build stopped
at any moment can be continued. A damaged manifest counts as none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from render.base.files import replace_file
from render.base.findings import CellPlace, Diagnostic, Severity, Span, as_text, errors_and_warnings
from render.build.state import journal, sealed_values
from render.build.state.sealed_values import NOT_EXACT

MANIFEST = ".kotc.json"
FORMAT = 3

_NESTED = ("cards", "templates")  # the parts of a key that are digests by names; `keys` has them

PROGRAM = "<program>"
"""The label of the program as a whole among the inputs."""

Key = Mapping[str, Any]
"""What an output depends on: a digest of each part by name; for several cards, digests by id."""

LookAt = Callable[[Iterable[Any]], None]

Stamp = Sequence[int] | None
"""Size, time of change in ns and inode of a file; None for a missing file."""


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """An output as it was made: its key, the SHA-256 of its files by name, and the warnings when it was made.

    Names of files are relative to the folder, with `/`. `pixels` is the digest of a PNG's pixels.
    """

    key: Key
    files: Mapping[str, str]
    warnings: tuple[Diagnostic, ...] = ()
    pixels: str = ""

    @property
    def fields(self) -> dict[str, object]:
        """What to remember of it."""
        more = {"warnings": [*map(_row, self.warnings)], "pixels": self.pixels}
        return {"key": self.key, "files": self.files, **{name: value for name, value in more.items() if value}}


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSummary:
    """The report of the last build: counts of PNGs and sheets, its warnings, and the cards that gave them.

    `rule_findings` is what the rules found; `ruled` is the same in the form of `judged`, and `ruled_by` the digest of
    the rules.
    """

    pngs: int = 0
    sheets: int = 0
    others: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    doubtful: tuple[str, ...] = ()
    rule_findings: tuple[Diagnostic, ...] = ()
    ruled: str = ""
    ruled_by: str = ""

    @property
    def warnings(self) -> str:
        """Its warnings, for people."""
        return as_text(self.findings)

    @property
    def rules(self) -> str:
        """What the rules found, for people."""
        return as_text(self.rule_findings)

    @property
    def rule_errors(self) -> int:
        """How many errors the rules found."""
        return errors_and_warnings(self.rule_findings)[0]

    @property
    def rule_warnings(self) -> int:
        """How many warnings the rules found."""
        return errors_and_warnings(self.rule_findings)[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """All that is remembered of a set's outputs. `name` is the set's, `cards` are the names of its card files.

    `inputs` are the SHA-256 of files by label, "" for missing ones. `read` are the labels of the files that each
    template depended on. `seen` are the stamps of inputs, `made` those of outputs. `pictures` and `painted` are the
    looks of cards (see `appearance`), `since` is the last comparison (see `diff`), `asked` are the options of sheets
    that the command line of the last build gave. `missing` are the cards with an error, without which it was built. It
    is not `complete` if there are such cards, or a build was stopped since; `pending` are the outputs that the build was about to make, and `wrote` the SHA-256 of everything
    that builds may have left under a name, some of which may still have to be removed.
    """

    complete: bool = False
    name: str = ""
    program: str = ""
    cards: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    read: Mapping[str, Sequence[str]] = field(default_factory=dict)
    outputs: Mapping[str, OutputRecord] = field(default_factory=dict)
    seen: Mapping[str, Stamp | str] = field(default_factory=dict)
    made: Mapping[str, Stamp] = field(default_factory=dict)
    report: BuildSummary = BuildSummary()
    pictures: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    painted: Mapping[str, Any] = field(default_factory=dict)
    since: Mapping[str, Any] = field(default_factory=dict)
    asked: str = ""
    missing: tuple[str, ...] = ()
    pending: frozenset[str] = frozenset()
    wrote: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of every file of every output."""
        return {name: digest for entry in self.outputs.values() for name, digest in entry.files.items()}

    def is_ours(self, name: str, digest: str) -> bool:
        """Return whether a build wrote the file of that name with that digest."""
        return digest != "" and (self.files.get(name) == digest or digest in self.wrote.get(name, ()))


def forgotten(manifest: Manifest) -> Manifest:
    """Return a manifest that remembers nothing but which files are ours, so that everything is made again."""
    earlier, nothing = manifest.wrote, frozenset[str]()
    wrote = {name: earlier.get(name, nothing) | {digest} for name, digest in manifest.files.items()}
    return Manifest(name=manifest.name, wrote={**earlier, **wrote})


def read(folder: Path) -> Manifest:
    """Return the manifest of a folder, including what a stopped build did since; a damaged one counts as none."""
    manifest = Manifest()
    data = sealed_values.read_beside(folder / MANIFEST)
    if sealed_values.is_sealed(data):
        with suppress(*NOT_EXACT):
            manifest = parsed(sealed_values.loaded(data))
    return _continued(manifest, journal.lines(folder)) if journal.is_there(folder) else manifest


def write(folder: Path, manifest: Manifest) -> None:
    """Write the manifest unless it is unchanged, and remove the journal."""
    data = sealed_values.sealed(text(manifest))
    file = folder / MANIFEST
    # A build that changes nothing writes nothing: synchronized folders and backups would copy it again.
    if sealed_values.read_beside(file) != data:
        replace_file(file, data, folder.parent)
    journal.remove(folder)


def _continued(manifest: Manifest, lines: Iterable[Mapping[str, Any]]) -> Manifest:
    """Return the manifest continued by the journal's lines; lines that this program did not write do not count."""
    outputs, read_by, pending = dict(manifest.outputs), manifest.read, set(manifest.pending)
    wrote: dict[str, set[str]] = {}

    def left(files: Mapping[str, str]) -> None:
        for name, digest in files.items():
            wrote.setdefault(name, set()).add(digest)

    left(manifest.files)
    for line in lines:
        try:
            if "making" in line:
                making, read_by = sealed_values.listed(line["making"], sealed_values.name), _read(line["read"])
                pending.update(making)
            elif "writes" in line:
                left(_table(line["writes"], sealed_values.names, sealed_values.digests))
            else:
                name, entry = sealed_values.name(line["name"]), _entry(line)
                left(entry.files)
                outputs[name] = entry
        # One line may be cut off; what the others say of files on the disk is needed all the same.
        except NOT_EXACT:
            continue
    kept = {name: frozenset(digests) for name, digests in wrote.items()}
    return replace(manifest, complete=False, outputs=outputs, read=read_by, pending=frozenset(pending), wrote=kept)


def _entry(values: Mapping[str, Any]) -> OutputRecord:
    return _entries({"": values})[""]


def _entries(values: Mapping[str, Mapping[str, Any]]) -> dict[str, OutputRecord]:
    """Return the records of outputs by name; the names are checked elsewhere."""
    entries = {
        name: OutputRecord(each["key"], each["files"], _findings(each.get("warnings", [])), each.get("pixels", ""))
        for name, each in values.items()
    }
    # Gathered and checked at once: a thousand cards have ten thousand values, and each check costs a call.
    words, names, digests = set[str](), set[str](), list[str]()
    for entry in entries.values():
        parts, files = {**entry.key}, entry.files
        for of in [parts.pop(part) for part in _NESTED if part in parts]:
            words.update(of)
            digests += of.values()
        words.update(parts)
        names.update(files)
        digests += [*parts.values(), *files.values(), entry.pixels]
    sealed_values.words(words)
    sealed_values.names(names)
    sealed_values.digests(digests)
    return entries


def _table(table: Mapping[str, Any], keys: LookAt, values: LookAt) -> dict[str, Any]:
    """Return values by key, after both were checked."""
    keys(table)
    values(table.values())
    return {**table}


def _rules(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what the rules found; nothing if an older program wrote the manifest."""
    if values is None:
        return {}
    return {
        "rule_findings": _findings(values["said"]),
        "ruled": sealed_values.word(values["cards"]),
        "ruled_by": sealed_values.word(values["by"]),
    }


def _said_of_rules(report: BuildSummary) -> dict[str, object]:
    return {"said": [*map(_row, report.rule_findings)], "cards": report.ruled, "by": report.ruled_by}


def _row(finding: Diagnostic) -> list[object]:
    """Return what to remember of a finding."""
    span = finding.span
    place = span and [str(span.file), span.line, span.column, span.end_line, span.end_column, span.excerpt, span.cell]
    words = (finding.code, finding.severity.value, finding.message, finding.hint, finding.card, finding.field)
    return [*words, place]


def _findings(rows: object) -> tuple[Diagnostic, ...]:
    """Return remembered findings; none if an older program wrote the manifest, with a text in their place."""
    return () if isinstance(rows, str) else sealed_values.listed(rows, _finding)


def _finding(row: Any) -> Diagnostic:
    *words, place = row
    code, severity, message, hint, card, field = map(sealed_values.word, words)
    span = None
    if place is not None:
        file, *numbers, excerpt, cell = place
        line, column, end_line, end_column = map(sealed_values.whole, numbers)
        if cell is not None:
            name, sheet, start, end = cell
            whole = sealed_values.whole
            cell = CellPlace(sealed_values.word(name), sealed_values.word(sheet), whole(start), whole(end))
        span = Span(
            file=Path(sealed_values.word(file)),
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            excerpt=sealed_values.word(excerpt),
            cell=cell,
        )
    return Diagnostic(code, message, hint, Severity(severity), span=span, card=card, field=field)


def _read(values: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    return {
        sealed_values.word(name): [*sealed_values.listed(labels, sealed_values.label_to_read)]
        for name, labels in values.items()
    }


def _seen(values: Mapping[str, Any]) -> dict[str, Stamp | str]:
    seen = {label: look for label, look in values.items() if label != sealed_values.SEAL}
    sealed_values.labels(seen)
    sealed_values.digests(look for label, look in seen.items() if label == PROGRAM)
    sealed_values.stamps(look for label, look in seen.items() if label != PROGRAM)
    return seen


def _outputs(values: Mapping[str, Any]) -> dict[str, OutputRecord]:
    sealed_values.names(values)
    return _entries(values)


def _told(values: Mapping[str, Any]) -> BuildSummary:
    return BuildSummary(
        pngs=sealed_values.whole(values["pngs"]),
        sheets=sealed_values.whole(values["sheets"]),
        others=sealed_values.listed(values["others"], sealed_values.word),
        findings=_findings(values["warnings"]),
        doubtful=sealed_values.listed(values["doubtful"], sealed_values.word),
        **_rules(values.get("rules")),
    )


def _pictures(values: Mapping[str, Any]) -> dict[str, tuple[int, str, str, str]]:
    """Return the looks of cards; {} if they are in another form."""
    rows = [(name, copies, front, back, of) for name, (copies, front, back, of) in values.items()]
    try:
        sealed_values.words(values)
        sealed_values.digests(digest for row in rows for digest in row[2:])
        return {name: (sealed_values.whole(copies), front, back, of) for name, copies, front, back, of in rows}
    except NOT_EXACT:
        return {}


def _painted(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return how they are compared; {} if it is in another form."""
    try:
        return {
            "size": sealed_values.listed(values["size"], sealed_values.length),
            "canvas": sealed_values.listed(values["canvas"], sealed_values.length),
            "bleed_from": sealed_values.word(values["bleed_from"]),
            "backs": _table(values["backs"], sealed_values.words, sealed_values.digests),
        }
    except NOT_EXACT:
        return {}


def _since(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the last comparison; {} if it is in another form."""
    try:
        return {
            "mark": sealed_values.word(values["mark"]),
            "changes": {kind: sealed_values.listed(values["changes"][kind], each) for kind, each in _CHANGES.items()},
            "sheets": sealed_values.whole(values["sheets"]),
            "files": sealed_values.listed(values["files"], sealed_values.name),
        }
    except NOT_EXACT:
        return {}


def _renamed(values: object) -> tuple[str, str]:
    old, new = sealed_values.listed(values, sealed_values.word)
    return old, new


def _counted(values: object) -> tuple[str, int]:
    card, number = sealed_values.listed(values, lambda each: each)
    return sealed_values.word(card), sealed_values.whole(number)


_CHANGES: Mapping[str, Callable[[object], object]] = {
    **dict.fromkeys(("changed", "added", "removed"), sealed_values.word),
    "renamed": _renamed,
    **dict.fromkeys(("more", "fewer", "copies"), _counted),
}
"""The form of each part of the changes, as in `diff`."""


def parsed(values: Mapping[str, Any]) -> Manifest:
    """Return the manifest, empty if its format is another one. Raises what NOT_EXACT names for anything else."""
    if sealed_values.whole(values["format"]) != FORMAT:
        return Manifest()
    missing = sealed_values.listed(values.get("missing", []), sealed_values.word)
    return Manifest(
        complete=not missing,
        name=sealed_values.word(values["name"]),
        program=sealed_values.digest(values["program"]),
        cards=sealed_values.listed(values["cards"], sealed_values.label_to_read),
        inputs=_table(values["inputs"], sealed_values.labels, sealed_values.digests),
        read=_read(values["read"]),
        outputs=_outputs(values["outputs"]),
        seen=_seen(values["seen"]),
        made=_table(values["made"], sealed_values.names, sealed_values.stamps),
        report=_told(values["told"]),
        pictures=_pictures(values["pictures"]),
        painted=_painted(values["painted"]),
        since=_since(values["since"]),
        asked=sealed_values.word(values.get("asked", "")),
        missing=missing,
    )


def text(manifest: Manifest) -> str:
    """Return the manifest as JSON, a line for each file and output, always in the same order."""
    report = manifest.report
    parts = {
        "format": str(FORMAT),
        "name": json.dumps(manifest.name),
        "program": json.dumps(manifest.program),
        "cards": json.dumps(manifest.cards),
        "inputs": _object(manifest.inputs),
        "read": _object(manifest.read),
        "outputs": _object({name: entry.fields for name, entry in manifest.outputs.items()}),
        "seen": _object({**manifest.seen, sealed_values.SEAL: sealed_values.NO_SEAL}),
        "made": _object(manifest.made),
        "told": json.dumps(
            {
                "pngs": report.pngs,
                "sheets": report.sheets,
                "others": report.others,
                "warnings": [*map(_row, report.findings)],
                "doubtful": report.doubtful,
                "rules": _said_of_rules(report),
            }
        ),
        "pictures": _object(manifest.pictures),
        "painted": json.dumps(manifest.painted),
        "since": json.dumps(manifest.since),
        **({"asked": json.dumps(manifest.asked)} if manifest.asked else {}),
        **({"missing": json.dumps(manifest.missing)} if manifest.missing else {}),
    }
    return "{\n" + ",\n".join(f'"{name}": {text}' for name, text in parts.items()) + "\n}\n"


_as_json = json.JSONEncoder(separators=(",", ":")).encode


def _object(values: Mapping[str, object]) -> str:
    lines = (f"{_as_json(name)}: {_as_json(values[name])}" for name in sorted(values))
    return "{\n" + ",\n".join(lines) + "\n}"

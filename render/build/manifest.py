"""The manifest: what was made, of what, and how files looked then; and the journal of a build that is under way.

The manifest is written last. Until then the journal tells which files are being made and which are done, so that a
build that was stopped, at whatever moment, can be continued.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from render.files import replace_file

MANIFEST = ".kotc.json"
JOURNAL = ".kotc.journal"
FORMAT = 3

_NESTED = ("cards", "templates")  # the parts of a key that are digests by names; `keys` has them

PROGRAM = "<program>"
"""The label of the program as a whole among the inputs."""

Key = Mapping[str, Any]
"""What an output depends on: a digest of each part by its name; or, of several cards, digests by their ids."""

Stamp = Sequence[int] | None
"""Size, time of change in ns and inode of a file; nothing for one that is not there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An output as it was made: its key, the SHA-256 of its files by name, and what was said when it was made.

    The names of files are below the folder, with `/`. `pixels` is the digest of those of a PNG.
    """

    key: Key
    files: Mapping[str, str]
    warnings: str = ""
    pixels: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """What the last build said: counts of PNGs and sheets, its warnings, and the cards that gave them.

    `rules` is what the rules found, how many errors and warnings that are, about which cards (`ruled`), and by which
    rules.
    """

    pngs: int = 0
    sheets: int = 0
    others: tuple[str, ...] = ()
    warnings: str = ""
    doubtful: tuple[str, ...] = ()
    rules: str = ""
    rule_errors: int = 0
    rule_warnings: int = 0
    ruled: tuple[str, ...] = ()
    ruled_by: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that is remembered of a set's outputs. `name` is that of the set, `cards` are the names of its card files.

    `inputs` are the SHA-256 of files by their labels, empty for those that were not there. `read` are the labels of
    the files by which each template was drawn. `seen` are the stamps of inputs and `made` those of outputs. `pictures`
    and `painted` tell what cards look like, as `pictures` has it, `since` what they were compared with last, as
    `changes` has it. It is not `complete` if a build was stopped since; `pending` are the files that it was about to
    make, and `replaced` the SHA-256 of those that outputs had before it made them anew: some may still have to be
    removed.
    """

    complete: bool = False
    name: str = ""
    program: str = ""
    cards: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    read: Mapping[str, Sequence[str]] = field(default_factory=dict)
    outputs: Mapping[str, Entry] = field(default_factory=dict)
    seen: Mapping[str, Stamp | str] = field(default_factory=dict)
    made: Mapping[str, Stamp] = field(default_factory=dict)
    told: Told = Told()
    pictures: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    painted: Mapping[str, Any] = field(default_factory=dict)
    since: Mapping[str, Any] = field(default_factory=dict)
    pending: frozenset[str] = frozenset()
    replaced: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of every file of every output."""
        return {name: digest for entry in self.outputs.values() for name, digest in entry.files.items()}


def read(folder: Path) -> Manifest:
    """Return the manifest of a folder, with what a stopped build did since; an unreadable one is none."""
    try:
        manifest = parsed(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        manifest = Manifest()
    for line in _lines(folder / JOURNAL):
        with suppress(KeyError, TypeError, ValueError, AttributeError):  # not a line of ours
            manifest = _continued(manifest, line)
    return manifest


def write(folder: Path, manifest: Manifest) -> None:
    """Write the manifest, unless it says what it said, and let go of the journal."""
    data = text(manifest).encode("utf-8")
    file = folder / MANIFEST
    if not file.is_file() or file.read_bytes() != data:
        replace_file(file, data)
    (folder / JOURNAL).unlink(missing_ok=True)


class Journal:
    """What a build notes while it runs: a line for each output that is done."""

    def __init__(self, folder: Path, making: Iterable[str], read: Mapping[str, Sequence[str]]) -> None:
        self._stream = (folder / JOURNAL).open("a", encoding="utf-8")
        self._note({"making": sorted(making), "read": read})

    def about_to_make(self, names: Iterable[str]) -> None:
        """Note the names of files before there are any by these names."""
        self._note({"making": sorted(names)})

    def done(self, name: str, entry: Entry) -> None:
        """Note that the files of an output are written."""
        self._note({"name": name, **_said(entry)})

    def _note(self, what: Mapping[str, object]) -> None:
        self._stream.write(f"\n{json.dumps(what)}\n")  # the line before may have been cut off
        self._stream.flush()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()


def _lines(journal: Path) -> Iterator[Mapping[str, Any]]:
    try:
        text = journal.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in filter(None, text.split("\n")):
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict):
            yield said


def _continued(manifest: Manifest, line: Mapping[str, Any]) -> Manifest:
    if "making" in line:
        pending = manifest.pending.union(map(_below, line["making"]))
        read = _read(line["read"]) if "read" in line else manifest.read
        return replace(manifest, complete=False, read=read, pending=pending)
    before = manifest.outputs.get(_word(line["name"]))
    replaced = {**manifest.replaced, **(before.files if before else {})}
    return replace(
        manifest, complete=False, outputs={**manifest.outputs, line["name"]: _entry(line)}, replaced=replaced
    )


def _said(entry: Entry) -> dict[str, object]:
    more = {"warnings": entry.warnings, "pixels": entry.pixels}
    return {"key": entry.key, "files": entry.files, **{name: said for name, said in more.items() if said}}


def _entry(said: Mapping[str, Any]) -> Entry:
    files = {_below(name): _word(digest) for name, digest in said["files"].items()}
    return Entry(_key(said["key"]), files, _word(said.get("warnings", "")), _word(said.get("pixels", "")))


def _rules(said: Mapping[str, Any] | None) -> tuple[str, int, int, tuple[str, ...], str]:
    """Return what the rules found; nothing, if the manifest is of a program that did not say."""
    if said is None:
        return "", 0, 0, (), ""
    ruled = tuple(map(_word, said["cards"]))
    return _word(said["said"]), whole(said["errors"]), whole(said["warnings"]), ruled, _word(said["by"])


def _said_of_rules(told: Told) -> dict[str, object]:
    counts = {"errors": told.rule_errors, "warnings": told.rule_warnings}
    return {"said": told.rules, **counts, "cards": told.ruled, "by": told.ruled_by}


def _key(said: Mapping[str, Any]) -> Key:
    return {
        part: {name: _word(digest) for name, digest in of.items()} if part in _NESTED else _word(of)
        for part, of in said.items()
    }


def _read(said: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    return {name: [_name(label) for label in labels] for name, labels in said.items()}


def _word(said: object) -> str:
    if not isinstance(said, str):
        raise TypeError
    return said


def _name(said: object) -> str:
    """Return the name of a file; TypeError if it is no text, ValueError if no file can have it."""
    if b"\0" in os.fsencode(name := _word(said)):
        raise ValueError
    return name


def whole(said: object) -> int:
    """Return a whole number as it is read from JSON; TypeError if it is something else, such as `1e999`."""
    if not isinstance(said, int):
        raise TypeError
    return said


def _below(name: object) -> str:
    """Return the name of a file that may be made and removed: one below the folder, and not the folder itself."""
    parts = _name(name).split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError
    return "/".join(parts)


def parsed(said: Mapping[str, Any]) -> Manifest:
    """Return the manifest; an empty one of another format. KeyError, TypeError, ValueError or AttributeError if it is
    something else."""
    if said["format"] != FORMAT:
        return Manifest()
    told = said["told"]
    return Manifest(
        True,
        _word(said["name"]),
        _word(said["program"]),
        tuple(map(_word, said["cards"])),
        {label: _word(digest) for label, digest in said["inputs"].items()},
        _read(said["read"]),
        {name: _entry(entry) for name, entry in said["outputs"].items()},
        dict(said["seen"]),
        dict(said["made"]),
        Told(
            whole(told["pngs"]),
            whole(told["sheets"]),
            tuple(map(_word, told["others"])),
            _word(told["warnings"]),
            tuple(map(_word, told["doubtful"])),
            *_rules(told.get("rules")),
        ),
        {name: (copies, front, back, of) for name, (copies, front, back, of) in said["pictures"].items()},
        dict(said["painted"]),
        dict(said["since"]),
    )


def text(manifest: Manifest) -> str:
    """Return the manifest as JSON, a line for each file and output, in an order that depends on nothing."""
    told = manifest.told
    parts = {
        "format": str(FORMAT),
        "name": json.dumps(manifest.name),
        "program": json.dumps(manifest.program),
        "cards": json.dumps(manifest.cards),
        "inputs": _object(manifest.inputs),
        "read": _object(manifest.read),
        "outputs": _object({name: _said(entry) for name, entry in manifest.outputs.items()}),
        "seen": _object(manifest.seen),
        "made": _object(manifest.made),
        "told": json.dumps(
            {
                "pngs": told.pngs,
                "sheets": told.sheets,
                "others": told.others,
                "warnings": told.warnings,
                "doubtful": told.doubtful,
                "rules": _said_of_rules(told),
            }
        ),
        "pictures": _object(manifest.pictures),
        "painted": json.dumps(manifest.painted),
        "since": json.dumps(manifest.since),
    }
    return "{\n" + ",\n".join(f'"{name}": {text}' for name, text in parts.items()) + "\n}\n"


_as_json = json.JSONEncoder(separators=(",", ":")).encode


def _object(values: Mapping[str, object]) -> str:
    lines = (f"{_as_json(name)}: {_as_json(values[name])}" for name in sorted(values))
    return "{\n" + ",\n".join(lines) + "\n}"

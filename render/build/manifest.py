"""The manifest: what was made, from what, and how files looked then; and the journal of a build that is under way.

The manifest is written last, and replaces the former one as a whole. It is lines of JSON, each with few entries of its
mappings, so that it may have any number of them. Until then the journal has a line for each output, written before its files
get their names. So whatever stops a build, the next one knows which files are ours, and makes none of them again that is
right. A damaged line of the journal counts as none, and so does a manifest with one: all is built anew.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, convert
from msgspec.structs import replace

from render.base.addresses import Address, read_far
from render.base.files import remove_file, replace_files
from render.base.findings import Diagnostic, as_text
from render.base.reach import open_folder, open_regular, read_bounded, sha256

MANIFEST, JOURNAL, LOCK = ".kotc.json", ".kotc.journal", ".kotc.lock"

PRINTED = ".kotc.printed.json"
"""The manifest of the last print, kept beside that of the last build until something is printed again."""

FORMAT, OLDEST = 4, 3  # of a manifest of format 3, what it says of files and looks is used; all outputs are made again

PROGRAM = "<program>"
"""The label of the program as a whole among the inputs."""

LARGEST = 512 << 20  # bytes: with PNGs, each card has 0.9 kB of it
_MAX_VALUES = 24_000_000  # a card has 40; each takes up to 100 bytes of memory

UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, RecursionError)
"""What reading anything else than this program wrote raises."""

Key = dict[str, str | dict[str, str]]
"""What an output depends on: a digest of each part by name; for several cards, digests by id."""

Stamp = list[int] | None
"""Size, time of change in ns and inode of a file; None for a missing file."""

Row = tuple[int, str, str, str]
"""A card: its copies, the digests of its front and back, and of what its own sides are made from."""


class OutputRecord(Struct, frozen=True, omit_defaults=True):
    """An output as it was made: its key, the SHA-256 of its files by name, and the warnings when it was made.

    Names of files are relative to the folder, with `/`. `pixels` is the digest of a PNG's pixels.
    """

    key: Key
    files: dict[str, str]
    warnings: tuple[Diagnostic, ...] = ()
    pixels: str = ""


class BuildSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The report of a build: counts of PNGs and sheets, its warnings, and the cards that gave them; what rules found."""

    pngs: int = 0
    sheets: int = 0
    others: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    doubtful: tuple[str, ...] = ()
    rule_findings: tuple[Diagnostic, ...] = ()

    @property
    def warnings(self) -> str:
        """Its warnings, for people."""
        return as_text(self.findings)


class ChangedCards(Struct, frozen=True, kw_only=True):
    """The ids of cards, in the order of their set; cards without copies do not count.

    Those in `indicator` changed in nothing but their Edition Indicator, and are not among the `changed`.
    `renamed` are pairs of the old and the new id of a card that looks the same. `more` and `fewer` are numbers of
    copies. `copies` are those to print: all of a card that changed or is new, else the additional ones.
    """

    changed: tuple[str, ...] = ()
    indicator: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    more: tuple[tuple[str, int], ...] = ()
    fewer: tuple[tuple[str, int], ...] = ()
    copies: tuple[tuple[str, int], ...] = ()


class Comparison(Struct, frozen=True):
    """The result of comparing with the baseline of that mark, "" for none: the changes, and their sheets and files."""

    mark: str = ""
    changes: ChangedCards = ChangedCards()
    sheets: int = 0
    files: tuple[str, ...] = ()


class Grid(Struct, frozen=True):
    """How the pixels of cards are compared: trim size, resolution and bleed, and the digests of backs that are known."""

    size: tuple[float, float] = (0.0, 0.0)
    canvas: tuple[float, float] = (0.0, 0.0)
    bleed_from: str = ""
    backs: dict[str, str] = {}


class Manifest(Struct, frozen=True, kw_only=True):
    """All that is remembered of a set's outputs. `name` is the set's, `cards` are the names of its card files.

    `inputs` are the SHA-256 of files by label, "" for missing ones. `read` are the labels of the files that each
    template depended on. `seen` are the stamps of inputs, `made` those of outputs. `pictures` and `painted` are the
    looks of cards, `plain` digests of fronts without Edition Indicator, `since` is the last comparison, `asked` are the options of sheets that the command line gave.
    If the rules of the digest `rules` found anything in a card, `checked` is a digest of what that depends on, and the
    first line of the card. `missing` are the cards with an error, without which it was
    built; it is not `complete` then, nor if a build was stopped since. `ours` are the SHA-256 of everything that builds
    which were stopped may have left under a name. `lines` is how many lines its file has.
    """

    format: int = FORMAT
    lines: int = 1
    complete: bool = False
    name: str = ""
    program: str = ""
    cards: tuple[str, ...] = ()
    inputs: dict[str, str] = {}
    read: dict[str, list[str]] = {}
    outputs: dict[str, OutputRecord] = {}
    seen: dict[str, Stamp | str] = {}
    made: dict[str, Stamp] = {}
    report: BuildSummary = BuildSummary()
    pictures: dict[str, Row] = {}
    plain: dict[str, str] = {}
    painted: Grid = Grid()
    since: Comparison = Comparison()
    asked: str = ""
    rules: str = ""
    checked: dict[str, tuple[str, int]] = {}
    missing: tuple[str, ...] = ()
    ours: dict[str, set[str]] = {}

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of every file of every output."""
        return {name: digest for record in self.outputs.values() for name, digest in record.files.items()}

    def is_ours(self, name: str, digest: str) -> bool:
        """Return whether a build wrote the file of that name with that digest."""
        return digest != "" and (self.files.get(name) == digest or digest in self.ours.get(name, ()))

    def forgotten(self) -> Manifest:
        """Return a manifest that remembers nothing but which files are ours, so that everything is made again."""
        return Manifest(name=self.name, ours=_with_files(self.ours, self.files))


def _with_files(ours: Mapping[str, set[str]], files: Mapping[str, str]) -> dict[str, set[str]]:
    return {**ours, **{name: ours.get(name, set()) | {digest} for name, digest in files.items()}}


# --- reading and writing --------------------------------------------------------------------------------------------


class _Line(Struct, omit_defaults=True):
    """A line of the journal: what templates depend on in this build, or an output whose files are about to be there."""

    read: dict[str, list[str]] | None = None
    name: str = ""
    record: OutputRecord | None = None


T = TypeVar("T", bound=Struct)


class _Head(Struct):
    format: int


class NotOurs(OSError):
    """A file that no build remembers would be lost, and perhaps more of so `many`; `hint` says what to do."""

    hint = "move it away, or let `build` write over it with --force"

    def __init__(self, file: str, many: int = 1) -> None:
        more = f" (and {many - 1} more like it)" if many > 1 else ""
        super().__init__(errno.EEXIST, f"no build remembers this file, and it is not what would be written{more}", file)
        self._many = many

    def __reduce__(self) -> tuple[type[NotOurs], tuple[str, int]]:
        return NotOurs, (self.filename, self._many)


class OtherFormatError(ValueError):
    """A manifest has the format of `an older` program or of `a newer` one; the message says which."""


def read(folder: Path) -> Manifest:
    """Return the manifest of a folder, including what a stopped build did since; a damaged one counts as none."""
    is_stopped = os.path.lexists(folder / JOURNAL)
    return parse_with_journal(read_beside(folder / MANIFEST), read_beside(folder / JOURNAL) if is_stopped else None)


def read_at(address: Address) -> Manifest:
    """Return the manifest of outputs at an address, as `read` does. OSError."""
    return parse_with_journal(read_far(address / MANIFEST), read_far(address / JOURNAL) or None)


def parse_with_journal(data: bytes, journal: bytes | None) -> Manifest:
    """Return a manifest as `read` does, from its bytes and those of the journal, if there is one."""
    try:
        known = parse(data)
    except UNREADABLE:
        known = Manifest()
    if journal is None:
        return known
    outputs, made, dependencies = dict(known.outputs), dict(known.made), known.read
    ours = _with_files(known.ours, known.files)
    for each in filter(None, journal.split(b"\n")):
        # A line that was cut off says nothing; what the others say of files on the disk is needed all the same.
        with suppress(*UNREADABLE):
            line = parse_json(each, _Line)
            if line.record:
                _check_names([line.name, *line.record.files])
                outputs[line.name], ours = line.record, _with_files(ours, line.record.files)
                for name in line.record.files:  # which may be the old one, if the build was stopped just then
                    made.pop(name, None)
            elif line.read is not None:
                _check_labels(chain(*line.read.values()), to_read=True)
                dependencies = line.read
    return replace(known, complete=False, outputs=outputs, made=made, ours=ours, read=dependencies)


def parse(data: bytes) -> Manifest:
    """Return a manifest from its bytes; OtherFormatError, or what else `UNREADABLE` names if it is none."""
    _check_number_of_values(data)
    lines = io.BytesIO(data)
    first = last = next(lines, b"")
    found = _decoded(first, _Head).format
    if not OLDEST <= found <= FORMAT:
        raise OtherFormatError("an older" if found < OLDEST else "a newer")
    if found == FORMAT:
        known = parse_json(first, Manifest)
    else:  # warnings were texts
        values = json.loads(first)
        values["outputs"] = {name: {**record, "warnings": ()} for name, record in values["outputs"].items()}
        known = convert(values, Manifest, dec_hook=_path)
    entries: dict[str, dict[str, object]] = {name: {**getattr(known, name)} for name in _LONG}
    for _, line in zip(range(1, known.lines), lines, strict=True):
        more, last = parse_json(line, Manifest, after=last), line
        for name in _LONG:
            entries[name].update(getattr(more, name))
    known = replace(known, lines=1, **entries)
    _check_names([*known.outputs, *known.files, *known.made, *known.since.files, *known.ours])
    _check_labels(chain(known.inputs, known.seen))
    _check_labels(chain(known.cards, *known.read.values()), to_read=True)
    return known


def save(folder: Path, manifest: Manifest) -> None:
    """Write the manifest unless it is unchanged, and remove the journal."""
    # A build that changes nothing writes nothing: synchronized folders and backups would copy it again.
    if not _has(folder / MANIFEST, _lines(manifest)):
        replace_files([(folder / MANIFEST, lambda: _lines(manifest))], folder.parent)
    with suppress(FileNotFoundError):
        remove_file(folder / JOURNAL, folder.parent)


def _has(file: Path, parts: Iterable[bytes]) -> bool:
    """Return whether a file beside outputs consists of these parts."""
    try:
        with os.fdopen(open_regular(file, file.parent.parent), "rb") as stream:
            return all(stream.read(len(part)) == part for part in parts) and not stream.read(1)
    except OSError:
        return False


_LONG = ("inputs", "outputs", "seen", "made", "pictures", "plain", "checked", "ours")
"""The fields of a manifest that grow with the cards: mappings."""

_AT_ONCE = 1000  # of their entries, in one line


def _lines(manifest: Manifest) -> Iterator[bytes]:
    """Yield the lines of a manifest: one that says how many there are, then those with the entries of long mappings.

    The checksum of each depends on the line before, so that lines of other manifests, or in another order, are noticed.
    """
    long = {name: sorted(entries) for name in _LONG if len(entries := getattr(manifest, name)) > _AT_ONCE}
    number = 1 + sum(-(-len(keys) // _AT_ONCE) for keys in long.values())
    yield (line := dump_json(replace(manifest, lines=number, **{name: {} for name in long})))
    for name, keys in long.items():
        entries = getattr(manifest, name)
        for at in range(0, len(keys), _AT_ONCE):
            yield (line := dump_json({name: {key: entries[key] for key in keys[at : at + _AT_ONCE]}}, after=line))


def read_beside(file: Path) -> bytes:
    """Return the bytes of a file beside outputs, whose folder is inside that of all outputs; b"" if it is no file."""
    return read_bounded(file, LARGEST, file.parent.parent) or b""


def _check_names(names: Iterable[str]) -> None:
    """Raise ValueError if any could be a file outside the folder of outputs."""
    joined = "/".join(["", *names, ""])
    if len(joined) > 1 and any(part in joined for part in ("//", "/./", "/../", "\\", ":", "\0")):
        raise ValueError
    os.fsencode(joined)


def _check_labels(labels: Iterable[str], *, to_read: bool = False) -> None:
    """Raise ValueError if any label climbs out of its folder, or is a path to read that no folder is known for."""
    for label in labels:
        os.fsencode(label)
        climbs = ".." in label and ".." in label.replace(os.sep, "/").split("/")
        if not label or "\0" in label or climbs or (to_read and os.path.isabs(label)):  # noqa: PTH117 - a label is no path
            raise ValueError


_MARK = b',"checksum":"'


def dump_json(value: Struct | Mapping[str, object], after: bytes = b"") -> bytes:
    """Return a value as a line of JSON whose last key is a checksum, so that damage is noticed however small it is.

    The checksum covers the line `after` which this one stands, too.
    """
    try:
        data = _ENCODER.encode(value)
    except UnicodeEncodeError:  # names of files may hold bytes that are not UTF-8, which only escapes can say
        values = msgspec.to_builtins(value, order="deterministic", enc_hook=str)
        data = json.dumps(values, separators=(",", ":")).encode("ascii")
    return b'%b%b%b"}\n' % (data[:-1], _MARK, _checksum(data[:-1], after))


_ENCODER = msgspec.json.Encoder(order="deterministic", enc_hook=str)


def parse_json(data: bytes, of: type[T], after: bytes = b"") -> T:
    """Return a value that `dump_json` wrote; one of `UNREADABLE` for anything else."""
    if not _is_whole(data, after):
        raise ValueError
    return _decoded(data, of)


def _path(_type: type, value: object) -> object:
    """Return a path, the only value of findings that JSON does not know."""
    if not isinstance(value, str):
        raise TypeError
    return Path(value)


def _is_whole(data: bytes, after: bytes) -> bool:
    at = data.rfind(_MARK)
    return at > 0 and data[at:].rstrip(b"\n") == b'%b%b"}' % (_MARK, _checksum(memoryview(data)[:at], after))


def _checksum(data: bytes | memoryview, after: bytes) -> bytes:
    digest = hashlib.sha256(after)
    digest.update(data)
    return digest.hexdigest().encode("ascii")


def _check_number_of_values(data: bytes) -> None:
    """Raise ValueError for more than fit into memory."""
    # A short file can hold no more values than bytes, so only long ones are counted.
    if len(data) > 1 << 20 and sum(map(data.count, (b",", b"[", b"{"))) > _MAX_VALUES:
        raise ValueError


def _decoded(data: bytes, of: type[T]) -> T:
    """Return the value in JSON; one of `UNREADABLE` if it is none, or would take much memory."""
    _check_number_of_values(data)
    try:
        return msgspec.json.decode(data, type=of, dec_hook=_path)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:  # perhaps for escapes of bytes that are not UTF-8
        return convert(json.loads(data), of, dec_hook=_path)


# --- the journal ----------------------------------------------------------------------------------------------------


def begin_journal(folder: Path, before: Manifest, read: Mapping[str, Sequence[str]]) -> None:
    """Begin the journal of a build. What a stopped one noted, and is known `before`, goes into the manifest first."""
    if os.path.lexists(folder / JOURNAL):
        save(folder, before)
    with open_folder(folder, folder.parent, made=True) as place:
        # A new file: what somebody has under another name (hard link) is not appended to.
        os.close(place.open(JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    _append(folder, _Line(read={name: [*labels] for name, labels in read.items()}))


Ours = Collection[str] | None
"""The names of files that may be written over, since they are ours; None for all."""


def note_output(folder: Path, name: str, record: OutputRecord, ours: Ours = None) -> None:
    """Note in the journal of a folder that the files of an output are about to be written. NotOurs, OSError.

    It may be called by another process, which inherits no open file.
    """
    for file, digest in record.files.items():
        if ours is not None and file not in ours and sha256(folder / file, folder.parent) not in ("", digest):
            raise NotOurs(str(folder / file))
    _append(folder, _Line(name=name, record=record))


def note_png(folder: Path, name: str, key: Key, digest: str, pixels: str, *, is_ours: bool) -> None:
    """Note a PNG, whose output has its name, by the digests of the file and of its pixels."""
    note_output(folder, name, OutputRecord(key, {name: digest}, pixels=pixels), (name,) if is_ours else ())


def as_journal(outputs: Mapping[str, OutputRecord]) -> bytes:
    """Return what a journal says of outputs by their names, to go to its end."""
    return b"".join(_as_line(_Line(name=name, record=record)) for name, record in outputs.items())


def _as_line(line: _Line) -> bytes:
    return b"\n" + dump_json(line)  # the line before may have been cut off


def _append(folder: Path, line: _Line) -> None:
    data = _as_line(line)
    with open_folder(folder, folder.parent) as place:
        # POSIX, write(): what several processes append does not mix.
        handle = place.open(JOURNAL, os.O_WRONLY | os.O_APPEND)
    try:
        if os.write(handle, data) < len(data):  # which is no error to Python: the disk is full
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), JOURNAL)
    finally:
        os.close(handle)

"""Read a YAML file into nodes.

Nodes are built from the parser's events, not by its loader: values stay the text that was written (`no` is not false),
and whatever has no place in a card file (anchors, aliases, tags, keys given twice) is refused by name. No other module
uses PyYAML.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NoReturn, Protocol

import yaml

from render.base.findings import Finding, Problem, Refused, Span, quoted
from render.base.reach import describe_escape, open_real, real_path
from render.source import scalar_ranges, syntax_errors
from render.source.nodes import BOM, Document, Mapping, Node, Scalar, Sequence, span
from render.source.scalar_ranges import Range, ScalarStyle

LARGEST_FILE = 1 << 20  # bytes: a thousand long cards have half as many
MAX_FINDINGS = 100  # of one file: a picture named .yaml would give thousands
MAX_ENTRIES = 20_000  # of one list or mapping: ten times the cards of the whole game
MAX_DEPTH = 32  # a card file nests four levels deep; a file of 100 000 brackets must cost no time


def read(file: Path, home: Path | None = None) -> Document:
    """Read a YAML file; Refused with all findings if it cannot be read or holds what a card file must not.

    `home` is the folder of the set that the file belongs to: a link that leads out of it is refused.
    """
    return parse(_decoded(file, read_bytes(file, home=home)), file)


def read_as(text: str, file: Path) -> Document:
    """Read a text as if it were in the file; Refused as in `read`."""
    _check_size(text.encode("utf-8", "surrogatepass"), file)
    return parse(text, file)


def parse(text: str, file: Path) -> Document:
    """Turn the text of a file into nodes; Refused with all findings."""
    findings = _unprintable(file, text)
    if findings:
        raise Refused(findings)
    builder = _Builder(file, text)
    root = builder.document()
    if builder.findings or root is None:
        raise Refused(builder.findings)
    return Document(file, text, root)


def read_bytes(file: Path, largest: int = LARGEST_FILE, home: Path | None = None) -> bytes:
    """Return the bytes of a regular file of at most `largest` bytes; Refused for anything else, without waiting.

    `home` is as in `read`.
    """
    path = real_path(file, home) if home else None
    if home and path is None:
        hint = "copy the file into the set"
        raise _refused("Y018", file, f"`{file}` {describe_escape(file, 'the set')}", hint)
    # Without O_NONBLOCK, opening a pipe that nobody writes to waits forever. Windows has neither flag nor such pipes.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        if file.is_dir():
            raise _refused("Y002", file, f"`{file}` is a folder, not a file")
        with os.fdopen(open_real(path) if path else os.open(file, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise _refused("Y002", file, f"`{file}` is not a regular file")
            content = stream.read(largest + 1)  # one byte more than allowed tells that there is more
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refused("Y001", file, f"cannot read `{file}`: {reason.lower()}") from None
    _check_size(content, file, largest)
    return content


def _check_size(content: bytes, file: Path, largest: int = LARGEST_FILE) -> None:
    if len(content) > largest:
        raise _refused("Y003", file, f"the file is larger than {largest >> 20} MiB", "split it into several files")


# --- characters -----------------------------------------------------------------------------------------------------

# Characters that no card needs and that confuse terminals, fonts or the parser: control characters, the Unicode line
# breaks that only YAML 1.1 knows, byte order marks inside the text, surrogates and non-characters.
_UNPRINTABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def _decoded(file: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        place = span(file, before + "\ufffd", (len(before), len(before) + 1))
        message = f"the byte 0x{content[error.start]:02x} is not UTF-8"
        raise Refused([Problem("Y004", message, "save the file as UTF-8").at(place)]) from None


def _unprintable(file: Path, text: str) -> list[Finding]:
    found = _UNPRINTABLE.finditer(text, 1 if text.startswith(BOM) else 0)
    return [_not_printable(match[0], span(file, text, match.span())) for match in islice(found, MAX_FINDINGS)]


def _not_printable(char: str, place: Span) -> Finding:
    return Problem("Y005", f"the character U+{ord(char):04X} cannot be printed", "remove it").at(place)


# --- events to nodes ------------------------------------------------------------------------------------------------


class _Parser(Protocol):
    def get_event(self) -> yaml.Event | None: ...


try:
    from yaml.cyaml import CSafeLoader as _Loader
except ImportError:  # PyYAML was built without libyaml; its own parser is seven times slower

    def _parser(text: str) -> _Parser:
        return yaml.SafeLoader(text)
else:

    def _parser(text: str) -> _Parser:
        return _Loader(text)


_STYLES = {
    None: ScalarStyle.PLAIN,
    "": ScalarStyle.PLAIN,
    "'": ScalarStyle.SINGLE,
    '"': ScalarStyle.DOUBLE,
    "|": ScalarStyle.LITERAL,
    ">": ScalarStyle.FOLDED,
}


class _Stop(Exception):  # noqa: N818 - it ends the reading of a file, whose findings say why
    """Nothing more can be read from this file."""


class _Builder:
    """Builds the nodes of one file from events, and notes everything that a card file must not hold."""

    def __init__(self, file: Path, text: str) -> None:
        self.findings: list[Finding] = []
        self._file, self._text = file, text
        # The two parsers disagree on whether a byte order mark counts in offsets, so they never see it.
        self._shift = 1 if text.startswith(BOM) else 0
        self._next: Callable[[], yaml.Event] = _parser(text[self._shift :]).get_event  # type: ignore[assignment] # none is asked for after the last

    def document(self) -> Node | None:
        """Return the root of the only document; None if reading ended early."""
        try:
            return self._document()
        except _Stop:
            return None
        except yaml.MarkedYAMLError as error:
            self.findings.append(self._explained(error))
        except (yaml.YAMLError, ValueError, OverflowError):  # PyYAML's own parser, on escapes beyond Unicode
            message = "the file holds an escape that is not a character"
            self.findings.append(Problem("Y016", message, "remove it").at(Span(file=self._file)))
        return None

    def _document(self) -> Node:
        self._next()  # the start of the stream
        start = self._next()
        root = None if isinstance(start, yaml.StreamEndEvent) else self._node(self._next(), depth=1)
        if root is None or (isinstance(root, Scalar) and root.start == root.end):
            is_set = self._file.name == "set.yaml"
            hint = "write a line such as `name: Starter`" if is_set else "write a card, or remove the file"
            self.findings.append(Problem("Y006", "the file is empty", hint).at(Span(file=self._file)))
            raise _Stop
        self._next()  # the end of the document
        further = self._next()
        if not isinstance(further, yaml.StreamEndEvent):
            hint = "remove the line `---`; several cards are written as a list"
            self._note("Y014", "a second document begins here", self._extent(further), hint)
        return root

    def _node(self, event: yaml.Event, depth: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        assert isinstance(event, yaml.CollectionStartEvent)
        if depth > MAX_DEPTH:
            self._note("Y015", f"nested more than {MAX_DEPTH} levels deep", self._extent(event), "a card needs four")
            raise _Stop
        self._refuse_properties(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        if event.anchor is not None or event.tag is not None:
            self._refuse_properties(event)
        value = event.value
        if not (value.isascii() or unicodedata.is_normalized("NFC", value)):
            value = unicodedata.normalize("NFC", value)
        start, end, shift = event.start_mark, event.end_mark, self._shift  # not by `_extent`: most events come here
        assert start is not None, "both parsers mark every event"
        assert end is not None, "both parsers mark every event"
        node = Scalar(value, _STYLES[event.style], start.index + shift, end.index + shift)
        if event.style == '"' and not value.isprintable():
            self._refuse_escapes(node)
        return node

    def _alias(self, event: yaml.AliasEvent) -> Scalar:
        extent = self._extent(event)
        self._note("Y009", f"the alias `*{event.anchor}` is not allowed", extent, "write the value out")
        return Scalar("", ScalarStyle.PLAIN, *extent)

    def _sequence(self, event: yaml.Event, depth: int) -> Sequence:
        items: list[Node] = []
        while not isinstance(following := self._next(), yaml.SequenceEndEvent):
            if len(items) == MAX_ENTRIES:
                self._stop_at_length(event)
            items.append(self._node(following, depth + 1))
        return Sequence(tuple(items), self._start(event), self._end(following))

    def _mapping(self, event: yaml.Event, depth: int) -> Mapping:
        entries: dict[str, tuple[Scalar, Node]] = {}
        while not isinstance(following := self._next(), yaml.MappingEndEvent):
            if len(entries) == MAX_ENTRIES:
                self._stop_at_length(event)
            key, value = self._node(following, depth + 1), self._node(self._next(), depth + 1)
            if not isinstance(key, Scalar):
                self._note("Y013", "a list or mapping cannot be a key", (key.start, key.start + 1), "write a word")
            elif key.value in entries:
                self._refuse_twice(entries[key.value][0], key)
            else:
                entries[key.value] = (key, value)
        return Mapping(tuple(entries.values()), self._start(event), self._end(following))

    # --- findings -----

    def _stop_at_length(self, event: yaml.Event) -> NoReturn:
        """Stop at a list or mapping longer than any in a card file, a deck or the rules of an edition."""
        extent = self._start(event), self._start(event) + 1
        message = f"a list or mapping of more than {MAX_ENTRIES:,} entries begins here"
        self._note("Y019", message, extent, "split the file into several")
        raise _Stop

    def _note(self, code: str, message: str, extent: Range, hint: str) -> None:
        self.findings.append(Problem(code, message, hint).at(span(self._file, self._text, extent)))
        if len(self.findings) == MAX_FINDINGS:
            raise _Stop

    def _explained(self, error: yaml.MarkedYAMLError) -> Finding:
        begun, at = (
            min(mark.index + self._shift, len(self._text)) if mark else 0
            for mark in (error.context_mark or error.problem_mark, error.problem_mark)
        )
        told = syntax_errors.explain(syntax_errors.ParserStop(error.problem or "", self._text, at, begun))
        return told.problem.at(span(self._file, self._text, (told.start, told.end)))

    def _refuse_properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        extent = self._start(event), self._start(event) + 1
        if event.anchor is not None:
            self._note("Y010", f"the anchor `&{event.anchor}` is not allowed", extent, "remove it")
        if event.tag is not None:
            tag = quoted(event.tag.replace("tag:yaml.org,2002:", "!!"))
            self._note("Y011", f"the tag {tag} is not allowed", extent, "remove it; numbers and texts need no tag")

    def _refuse_twice(self, first: Scalar, second: Scalar) -> None:
        place = span(self._file, self._text, (first.start, first.end))
        message = f"the key {quoted(second.value)} is given twice, first at {place}"
        self._note("Y012", message, (second.start, second.end), "remove one of the two")

    def _refuse_escapes(self, node: Scalar) -> None:
        found = list(_UNPRINTABLE.finditer(node.value))
        places = scalar_ranges.ranges(self._text, (node.start, node.end), node.style, node.value) if found else []
        for match in found:
            place = places[match.start()]
            message = f"{quoted(self._text[slice(*place)])} is not a character that can be printed"
            self._note("Y016", message, place, "remove it")

    def _extent(self, event: yaml.Event) -> Range:
        return self._start(event), self._end(event)

    def _start(self, event: yaml.Event) -> int:
        return (event.start_mark.index if event.start_mark else 0) + self._shift

    def _end(self, event: yaml.Event) -> int:
        return (event.end_mark.index if event.end_mark else 0) + self._shift


def _refused(code: str, file: Path, message: str, hint: str = "") -> Refused:
    return Refused([Problem(code, message, hint).at(Span(file=file))])

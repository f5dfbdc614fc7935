"""Build nodes from the events of the YAML parser. No other module uses PyYAML.

Values stay the text that was written (`no` is not false), and whatever has no place in a card file (tags, keys given
twice) is refused by name. An alias is the very node of its anchor: a mistake in it has one place, however often it is
used.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn, Protocol

import yaml
from msgspec import Struct, field

from render.base.findings import Diagnostic, Span, nearest_word, quoted
from render.base.limits import FILE_FINDINGS, YAML_ENTRIES, YAML_LEVELS, YAML_REPEATED
from render.base.patterns import regex
from render.source import scalar_values
from render.source.nodes import BOM, Mapping, Node, Scalar, Sequence, span
from render.source.scalar_values import Range, ScalarStyle

# Characters that no card needs and that confuse terminals, fonts or the parser: control characters, the Unicode line
# breaks that only YAML 1.1 knows, byte order marks inside the text, surrogates and non-characters.
UNPRINTABLE = regex("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


class _Parser(Protocol):
    def get_event(self) -> yaml.Event | None: ...


# Without libyaml, PyYAML's own parser is seven times slower.
_parser: Callable[[str], _Parser] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_STYLES = {
    None: ScalarStyle.PLAIN,
    "": ScalarStyle.PLAIN,
    "'": ScalarStyle.SINGLE,
    '"': ScalarStyle.DOUBLE,
    "|": ScalarStyle.LITERAL,
    ">": ScalarStyle.FOLDED,
}
MERGE = "<<"
_PROPERTY = regex(r"&[\w-]+(?:\s|#[^\r\n]*)*")  # an anchor, and what stands between it and its value
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"  # stands for what cannot be printed
_LOST = Scalar("", ScalarStyle.PLAIN, -1, -1)  # in place of an alias of nothing: neither a value nor an empty one


class _Stop(Exception):
    """Nothing more can be read from this file."""


class _Anchored(Struct, frozen=True):
    """A node with an anchor: how many characters it has with every alias in it written out, and how many levels."""

    node: Node
    size: int
    depth: int
    at: Range


class Anchors(Struct):
    """The anchors of a file, in the order in which they are read; a part of a file may refer to an earlier part."""

    known: dict[str, _Anchored] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)  # each is said once
    repeated: int = 0  # characters that aliases stand for


class NodeBuilder:
    """Builds the nodes of a file, or of a part of it, and notes everything that a card file must not hold.

    `stopped` is set if the parser could not go on.
    """

    def __init__(self, file: Path, text: str, extent: Range | None = None, anchors: Anchors | None = None) -> None:
        self.findings: list[Diagnostic] = []
        self.stopped = False
        self._file, self._text = file, text
        # The two parsers disagree on whether a byte order mark counts in offsets, so they never see it.
        self._shift, self._stop = extent or (1 if text.startswith(BOM) else 0, len(text))
        self._anchors = anchors or Anchors()
        self._in_part = extent is not None
        self._open: list[str] = []  # anchors whose nodes are being built
        self._deepest = 0
        self._flaws = 0
        self._next: Callable[[], yaml.Event] = _parser(text[self._shift : self._stop]).get_event  # type: ignore[assignment] # none is asked for after the last

    @property
    def has_anchors(self) -> bool:
        """Whether anchors or aliases were read."""
        return bool(self._anchors.known or self._anchors.unknown)

    def document(self) -> Node | None:
        """Return the root of the only document; None if reading ended early."""
        try:
            return self._document()
        except _Stop:
            return None
        except yaml.MarkedYAMLError as error:
            self.stopped = True
            self.findings.append(self._explained(error))
        except (yaml.YAMLError, ValueError, OverflowError):  # PyYAML's own parser, on escapes beyond Unicode
            message = "the file holds an escape that is not a character"
            self.findings.append(Diagnostic("Y016", message, "remove it").at(Span(file=self._file)))
        return None

    def _document(self) -> Node:
        self._next()  # the start of the stream
        start = self._next()
        root = None if isinstance(start, yaml.StreamEndEvent) else self._node(self._next(), depth=1)
        if root is None or (isinstance(root, Scalar) and root.start == root.end and not self.findings):
            is_set = self._file.name == "set.yaml"
            hint = "write a line such as `name: Starter`" if is_set else "write a card, or remove the file"
            self.findings.append(Diagnostic("Y006", "the file is empty", hint).at(Span(file=self._file)))
            raise _Stop
        self._next()  # the end of the document
        further = self._next()
        if not isinstance(further, yaml.StreamEndEvent):
            hint = "remove the line `---`; several cards are written as a list"
            self._note("Y014", "a second document begins here", self._extent(further), hint)
        if not self._in_part:
            self._note_unused()
        return root

    def _node(self, event: yaml.Event, depth: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        assert isinstance(event, yaml.CollectionStartEvent)
        if depth > YAML_LEVELS.most:
            self._stop_at_depth(event)
        if event.tag is not None:
            self._refuse_tag(event)
        if event.anchor is not None:
            return self._anchored(event, depth)
        return self._collection(event, depth)

    def _collection(self, event: yaml.CollectionStartEvent, depth: int) -> Sequence | Mapping:
        self._deepest = max(self._deepest, depth)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        value = event.value
        if not (value.isascii() or unicodedata.is_normalized("NFC", value)):
            value = unicodedata.normalize("NFC", value)
        start, end, shift = event.start_mark, event.end_mark, self._shift  # not by `_extent`: most events come here
        assert start is not None, "both parsers mark every event"
        assert end is not None, "both parsers mark every event"
        node = Scalar(value, _STYLES[event.style], start.index + shift, end.index + shift)
        if event.anchor is not None or event.tag is not None:
            node = self._with_properties(event, node)
        if event.style == '"' and not value.isprintable():
            self._refuse_escapes(node)
        return node

    def _with_properties(self, event: yaml.ScalarEvent, node: Scalar) -> Scalar:
        """Return a scalar without the anchor before it, which is remembered; a tag is refused."""
        if event.tag is not None:
            self._refuse_tag(event)
        if event.anchor is None:
            return node
        match = _PROPERTY.match(self._text, node.start)
        bare = node._replace(start=min(match.end() if match else node.start, node.end))
        at = (node.start, node.start + 1 + len(event.anchor))
        self._anchors.known[event.anchor] = _Anchored(bare, bare.end - bare.start, 0, at)
        return bare

    # --- anchors -----

    def _anchored(self, event: yaml.CollectionStartEvent, depth: int) -> Node:
        """Return a list or mapping, and remember how large it is with the aliases in it."""
        outer, self._deepest = self._deepest, depth
        before = self._anchors.repeated
        name = str(event.anchor)
        self._open.append(name)
        node = self._collection(event, depth)
        self._open.pop()
        size = node.end - node.start + self._anchors.repeated - before
        at = (self._start(event), self._start(event) + 1 + len(name))
        self._anchors.known[name] = _Anchored(node, size, self._deepest - depth + 1, at)
        self._anchors.used.add(name)  # nothing of a list or mapping is lost if nothing refers to it
        self._deepest = max(outer, self._deepest)
        return node

    def _alias(self, event: yaml.AliasEvent, depth: int) -> Node:
        """Return the node of an anchor; how much aliases stand for, and how deep it is nested, has a limit."""
        name, anchors = str(event.anchor), self._anchors
        found = anchors.known.get(name)
        if name in self._open or found is None:
            self._refuse_alias(name, self._extent(event))
            return _LOST
        anchors.used.add(name)
        anchors.repeated += found.size
        if anchors.repeated > YAML_REPEATED.most:
            message = f"with every alias written out, the file is larger than {YAML_REPEATED}"
            self._note("Y009", message, self._extent(event), "use fewer aliases, or split the file into several")
            raise _Stop
        deepest = depth + found.depth - 1
        if deepest > YAML_LEVELS.most:
            self._stop_at_depth(event)
        self._deepest = max(self._deepest, deepest)
        if isinstance(found.node, Mapping) and found.node.lost:
            self._flaws += 1
        return found.node

    def _refuse_alias(self, name: str, extent: Range) -> None:
        self._flaws += 1
        if name in self._anchors.unknown:
            return
        self._anchors.unknown.add(name)
        instead = ""
        if name in self._open:
            message, hint = f"`*{name}` stands inside what it refers to", "write the value out"
        elif re.search(rf"&{re.escape(name)}(?![\w-])", self._text[: extent[0]]):
            return  # what it refers to could not be read, which is said there
        else:
            from render.source.slips import odd_lines

            told = odd_lines.unknown_alias(self._text, extent)
            near = nearest_word(name, self._anchors.known)
            message, hint = told.message, f"did you mean `*{near}`?" if near else told.hint
            instead = f"*{near}" if near else ""
        self._note("Y009", message, extent, hint, instead)

    def _note_unused(self) -> None:
        """Refuse an anchor of a word that nothing refers to: `flavor: &co is here` would lose the `&co`."""
        for name, each in self._anchors.known.items():
            if name not in self._anchors.used and isinstance(each.node, Scalar):
                from render.source.slips import odd_lines

                told = odd_lines.unused_anchor(self._text, each.at, each.node.value)
                self._note("Y010", told.message, each.at, told.hint)

    # --- lists and mappings -----

    def _sequence(self, event: yaml.Event, depth: int) -> Sequence:
        items: list[Node] = []
        while not isinstance(following := self._next(), yaml.SequenceEndEvent):
            if len(items) == YAML_ENTRIES.most:
                self._stop_at_length(event)
            items.append(self._node(following, depth + 1))
        if self._flaws:
            items = [item for item in items if item is not _LOST]
        return Sequence(tuple(items), self._start(event), self._end(following))

    def _mapping(self, event: yaml.Event, depth: int) -> Mapping:
        entries: dict[str, tuple[Scalar, Node]] = {}
        flaws, lost = self._flaws, list[str]()
        again: Scalar | None = None
        while not isinstance(following := self._next(), yaml.MappingEndEvent):
            if len(entries) == YAML_ENTRIES.most:
                self._stop_at_length(event)
            key, value = self._node(following, depth + 1), self._node(self._next(), depth + 1)
            if not isinstance(key, Scalar):
                self._note("Y013", "a list or mapping cannot be a key", (key.start, key.start + 1), "write a word")
            elif key.value in entries:
                again = again or self._begins_again(entries, key)
                self._refuse_twice(entries[key.value][0], key, again)
            elif value is not _LOST and key is not _LOST:
                entries[key.value] = (key, value)
            if flaws != self._flaws:
                flaws = self._flaws
                lost.append(key.value if isinstance(key, Scalar) else "")
        merged = entries.get(MERGE)
        if merged and merged[0].style is ScalarStyle.PLAIN:
            lost += self._merge(entries, event)
        return Mapping(tuple(entries.values()), self._start(event), self._end(following), tuple(lost))

    def _merge(self, entries: dict[str, tuple[Scalar, Node]], event: yaml.Event) -> Iterator[str]:
        """Replace the key `<<` by the entries that it takes over; keys of the mapping's own come first.

        Yield the keys that were lost where they come from.
        """
        key, value = entries.pop(MERGE)
        for each in value.items if isinstance(value, Sequence) else (value,):
            if not isinstance(each, Mapping):
                extent = (key.start, key.end)
                hint = "write `<<: *base` where `&base` stands before the keys to take over"
                self._note("Y020", "`<<` takes over keys and values, and this is something else", extent, hint)
                yield MERGE
                return
            yield from each.lost
            for name, node in each.entries:
                entries.setdefault(name.value, (name, node))
            if len(entries) > YAML_ENTRIES.most:
                self._stop_at_length(event)

    # --- findings -----

    def _stop_at_length(self, event: yaml.Event) -> NoReturn:
        """Stop at a list or mapping longer than any in a card file, a deck or the rules of an edition."""
        extent = self._start(event), self._start(event) + 1
        message = f"a list or mapping of more than {YAML_ENTRIES} begins here"
        self._note("Y019", message, extent, "split the file into several")
        raise _Stop

    def _stop_at_depth(self, event: yaml.Event) -> NoReturn:
        self._note("Y015", f"nested more than {YAML_LEVELS} deep", self._extent(event), "a card needs four")
        raise _Stop

    def _note(self, code: str, message: str, extent: Range, hint: str, instead: str = "") -> None:
        self._flaws += 1
        self.findings.append(Diagnostic(code, message, hint, instead=instead).at(span(self._file, self._text, extent)))
        if len(self.findings) == FILE_FINDINGS.most:
            raise _Stop

    def _explained(self, error: yaml.MarkedYAMLError) -> Diagnostic:
        from render.source.slips import syntax_errors

        begun, at = (
            min(mark.index + self._shift, self._stop) if mark else self._shift
            for mark in (error.context_mark or error.problem_mark, error.problem_mark)
        )
        if "nesting depth" in (
            error.problem or ""
        ):  # libyaml 0.2.6 looks ahead in a line, before the events of its levels
            deep = Diagnostic("Y015", f"nested more than {YAML_LEVELS} deep", "a card needs four")
            return deep.at(span(self._file, self._text, (at, at)))
        slip = syntax_errors.ParserStop(error.problem or "", self._text[: self._stop], at, begun)
        told = syntax_errors.explain(slip)
        return told.at(span(self._file, self._text, (told.start, told.end)))

    def _refuse_tag(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        from render.source.slips import odd_lines

        told = odd_lines.tag(self._text, self._start(event), str(event.tag))
        self._note(told.code, told.message, (told.start, told.end), told.hint)

    def _begins_again(self, entries: dict[str, tuple[Scalar, Node]], key: Scalar) -> Scalar | None:
        """Return a key with which a card of a list begins, and which is given again: another card without its dash."""
        first = next(iter(entries.values()))[0]
        return key if first.value == key.value and self._text.endswith("- ", 0, first.start) else None

    def _refuse_twice(self, first: Scalar, second: Scalar, again: Scalar | None) -> None:
        """Note a key that is given twice; of a card without its dash, which begins with `again`, only that key."""
        if again not in (None, second):
            self._flaws += 1
            return
        place = span(self._file, self._text, (first.start, first.end))
        message = f"the key {quoted(second.value)} is given twice, first at {place}"
        new = f"if a new card begins here, write `- ` before it, exactly below that of line {place.line}; if not, "
        self._note("Y012", message, (second.start, second.end), f"{new if again else ''}remove one of the two")

    def _refuse_escapes(self, node: Scalar) -> None:
        found = list(UNPRINTABLE.finditer(node.value))
        places = scalar_values.ranges(self._text, (node.start, node.end), node.style, node.value) if found else []
        for match in found:
            place = places[match.start()]
            escape = self._text[slice(*place)]
            message = f"{quoted(escape)} is not a character that can be printed"
            # `"art\back.jpg"`: a backslash before a letter that is meant as one.
            meant = len(escape) == len(r"\b") and escape[1:].isalpha()
            hint = "within double quotes a backslash begins an escape: write `/` in a path, and `\\\\` in a text"
            self._note("Y016", message, place, hint if meant else "remove it")

    def _extent(self, event: yaml.Event) -> Range:
        return self._start(event), self._end(event)

    def _start(self, event: yaml.Event) -> int:
        return (event.start_mark.index if event.start_mark else 0) + self._shift

    def _end(self, event: yaml.Event) -> int:
        return (event.end_mark.index if event.end_mark else 0) + self._shift

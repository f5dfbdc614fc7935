"""The keys of a mapping: those that are unknown or missing, and findings with the places of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable

from msgspec import Struct, field

from render.base.findings import MAX_ALIKE, Diagnostic, Span, listed, quoted
from render.source.comments import comment_behind, cut_off
from render.source.file_kinds import FileKind
from render.source.nodes import Document, Mapping, Node, Scalar, describe_node, first_key
from render.source.scalar_values import ScalarStyle, write_anywhere
from render.text.characters import NO_MORE, MoreFonts

_BETWEEN_KEYS = r" *[/,&+|] *"


class MappingKeys(Struct, kw_only=True):
    """The keys of one mapping. Its findings name the id `card`, and begin their dotted paths with `path`."""

    document: Document
    node: Mapping
    kind: FileKind
    card: str = ""
    path: str = ""
    findings: list[Diagnostic] = field(default_factory=list)
    values: dict[str, Node] = field(default_factory=dict)
    meant: set[str] = field(default_factory=set)
    """The keys that are meant by keys that do not exist: they are not missed, too."""
    fonts: MoreFonts = NO_MORE
    """The fonts of the set and its game."""

    def __post_init__(self) -> None:
        self.values = {key.value: value for key, value in self.node.entries}

    @property
    def family(self) -> str:
        """The letter of the codes of its findings."""
        return self.kind.family

    def check_keys(
        self, known: Collection[str], misplaced: Callable[[str], tuple[str, str, str] | None] = lambda _: None
    ) -> None:
        """Note every key that is not known; `misplaced` says message and hint of those that are known elsewhere, and
        the key that is right here, or "".

        Of thousands of them only the first are shown: the others need no hint, which takes longest to find.
        """
        before: tuple[Scalar, Node] | None = None
        unknown: list[tuple[Scalar, tuple[Scalar, Node] | None]] = []
        for entry in self.node.entries:
            unknown += [(entry[0], before)] if entry[0].value not in known else []
            before = entry
        for index, (key, before) in enumerate(unknown):
            elsewhere = misplaced(key.value)
            if elsewhere:
                message, hint, right = elsewhere
                self.note("003", message, self.document.span(key), hint, key.value, instead=self._unwritten(right))
                continue
            if self._as_heading(key, known) or self._as_several(key, known) or self._as_decimals(key, before):
                continue
            hint = near = heading = ""
            place = self.document.heading(key)
            if index < MAX_ALIKE:
                heading = self.document.heading_meant(key, known)
                meant = "faces" if heading else self.kind.meant(key.value, known)
                self._count_as_given(meant)
                near = self._unwritten(meant)
                hint = f"did you mean `{heading or meant}`?" if meant else f"the keys are {listed(tuple(known), 'and')}"
                hint = self._as_line_of_text(before) or hint
                new = "" if self.path or heading else self.kind.new_key
                if more := ", or ".join(filter(None, (new, self.document.leaving_out))):
                    hint = f"{hint}{' ' if meant else '; '}{more}"
            is_whole = heading or place.excerpt.lower() == key.value  # of a table, with its capitals
            message = f"unknown key {quoted(place.excerpt if is_whole else key.value)}"
            self.note("002", message, place, hint, key.value, instead=near)

    def _as_heading(self, key: Scalar, known: Collection[str]) -> bool:
        """Note a name that stands above the keys of what it names, as `Dog:`; return whether it does."""
        below, first = self.values[key.value], next(iter(self.kind.examples))
        if self.path or first in self.values or first not in known or not isinstance(below, Mapping):
            return False
        inner = [name.value for name, _ in below.entries if name.value in known]
        if inner:
            for each in (first, *known):
                self._count_as_given(each)
            hint = f"write {quoted(f'{first}: {key.value}')}, and exactly below it `{inner[0]}` and the other keys"
            self.note(
                "002",
                f"{quoted(key.value)} is no key: it stands where one is expected",
                self.document.span(key),
                hint,
                key.value,
            )
        return bool(inner)

    def _as_several(self, key: Scalar, known: Collection[str]) -> bool:
        """Note several keys in one, as in `sp/hp: 2/2`; return whether it is that."""
        meant = re.split(_BETWEEN_KEYS, key.value)
        if len(meant) == 1 or not set(meant) <= set(known):
            return False
        value = self.values[key.value]
        values = re.split(_BETWEEN_KEYS, value.value) if isinstance(value, Scalar) else []
        values = values if len(values) == len(meant) else ["..."] * len(meant)
        lines = [f"{name}: {value}" for name, value in zip(meant, values, strict=True)]
        for each in meant:
            self._count_as_given(each)
        hint = f"write {listed(lines, 'and')}, each on a line of its own"
        self.note("002", f"{quoted(key.value)} is {len(meant)} keys in one", self.document.span(key), hint, key.value)
        return True

    def _as_decimals(self, key: Scalar, before: tuple[Scalar, Node] | None) -> bool:
        """Note what follows a decimal comma in braces, as in `{gutter: 2,5}`; return whether it is that."""
        value = self.values[key.value]
        match before, value:
            case (name, Scalar(value=whole, start=start, end=end)), Scalar(value="") if (
                end == key.start - 1 and whole.isdecimal() and key.value.isdecimal()
            ):
                written = self.document.between(start, key.end)
                hint = f"write `{name.value}: {whole}.{key.value}`, with a point"
                message = f"in braces a comma ends a value, in `{name.value}: {whole},{key.value}`"
                self.note("002", message, written, hint, name.value)
                return True
        return False

    def _as_line_of_text(self, before: tuple[Scalar, Node] | None) -> str:
        """Return the hint for a line that seems to belong below `text: |` before it; "" if there is none."""
        match before:
            case (name, Scalar(value="", style=ScalarStyle.LITERAL | ScalarStyle.FOLDED)):
                return f"if it belongs to `{name.value}`, indent it below `{name.value}: |`"
        return ""

    def _unwritten(self, key: str) -> str:
        """Return the key; "" if the mapping has it, and would have it twice."""
        return "" if key in self.values else key

    def _count_as_given(self, key: str) -> None:
        """Do not say of a key that it is missing: one mistake has one message."""
        if key:
            self.meant.add(key)
            missing = f"{self.family}004", f"{self.path}{key}"
            self.findings[:] = [each for each in self.findings if (each.code, each.field) != missing]

    def given(self, key: str, example: str = "") -> bool:
        """Whether a key is given that must be; if it is not, that is noted, with an example."""
        if key not in self.values:
            self.missing(key, example)
        return key in self.values

    def note(self, number: str, message: str, span: Span, hint: str = "", key: str = "", *, instead: str = "") -> None:
        """Note an error; `number` is its code without the letter, `instead` as in `Problem`."""
        self.add(Diagnostic(f"{self.family}{number}", message, hint, instead=instead), span, key)

    def note_word(
        self,
        number: str,
        message: str,
        span: Span,
        written: str,
        known: Iterable[str],
        *,
        key: str = "",
        usual: str = "",
    ) -> None:
        """Note that a word is none of the known ones, of which the nearest may be meant; `usual` is the hint if not."""
        words = tuple(known)
        near = self.kind.meant(written, words) if written else ""
        hint = f"did you mean `{near}`?" if near else usual
        self.note(number, message, span, hint, key, instead=write_anywhere(near))

    def add(self, problem: Diagnostic, span: Span, key: str = "") -> None:
        """Note a problem of the value of that key."""
        self.findings.append(problem.at(span, self.card, f"{self.path}{key}" if key else ""))

    def note_cut_off(self, texts: Collection[str]) -> None:
        """Warn of texts that a comment seems to cut off; `texts` are the keys whose values are texts."""
        for problem, span, key in cut_off(self.document, self.node, texts):
            self.add(problem, span, key)

    def expected(self, key: str, wanted: str, hint: str = "", *, instead: str = "", number: str = "005") -> None:
        """Note that the value of the key has the wrong type; `number` is that of the code."""
        comment = comment_behind(self.document, self.values[key])
        if comment:
            message, hint = f"expected {wanted}, found nothing: `{comment}` is a comment", self._without_comment(key)
        else:
            message = f"expected {wanted}, found {describe_node(self.values[key])}"
        self.note(number, message, self.place(key), hint, key, instead=instead)

    def _without_comment(self, key: str) -> str:
        """Return the hint for a value that begins with `#`, as in `power: #3` and `color: #b5432a`."""
        value = comment_behind(self.document, self.values[key])
        meant = value.lstrip("# ")
        written = f"{key}: {meant}" if meant.isdecimal() and meant.isascii() else f'{key}: "{value}"'
        return f"a space and `#` begin a comment: write {quoted(written)}"

    def expected_one(self, key: str, wanted: str, value: str = "", *, number: str = "005") -> None:
        """Note that a list, or keys and values, stand where one value is expected.

        `value` is the one that the author means, as YAML; without it, an example is given.
        """
        example = self.kind.examples.get(f"{self.path}{key}") or self.kind.examples.get(key, "")
        hint = self.document.giving(key, value, self.path) if value else f"write one value behind `{key}:`"
        if example and not value:
            hint = f"{hint}, such as `{example}`"
        self.expected(key, wanted, hint, number=number)

    def missing(self, key: str, example: str = "", more: str = "") -> None:
        """Note that a key is missing, unless it could not be read; `example` is a value for it, `more` a further hint."""
        if key in self.meant or key in self.node.lost:
            return
        example = example or self.kind.examples.get(f"{self.path}{key}") or self.kind.examples.get(key, "")
        hint = self.document.adding(key, example, self.path) + (f": {more}" if more else "")
        self.note("004", f"{self.owner} has no `{key}`", self.start, hint, key)

    @property
    def owner(self) -> str:
        """What has these keys, for a message."""
        if self.path or self.card:
            return f"`{self.document.named(self.path).rstrip('.') or self.card}`"
        return f"the {self.kind.noun}"

    def place(self, key: str) -> Span:
        """Return the place of a given value; of its key, if nothing is written behind it."""
        name, node = next((name, node) for name, node in self.node.entries if name.value == key)
        return self.document.span(node if node.end > node.start else name)

    @property
    def start(self) -> Span:
        """The place of the first key."""
        return self.document.span(first_key(self.node))

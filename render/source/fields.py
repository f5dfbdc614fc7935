"""Take typed values out of a mapping. Every mistake becomes a finding; nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Mapping as Examples
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeVar

from render.base.caches import cached
from render.base.findings import (
    MAX_ALIKE,
    Finding,
    Problem,
    Refused,
    Severity,
    Span,
    TextProblem,
    listed,
    nearest_word,
    quoted,
)
from render.source.nodes import Document, Mapping, Node, Scalar, first_key
from render.source.number_words import meant_number
from render.source.scalar_ranges import ScalarStyle
from render.source.scalar_writing import write_anywhere
from render.text.characters import flaws

HIGHEST = 9999  # more digits fit no symbol of a card
LONGEST_TEXT = 4000  # characters: at 5 pt, the smallest size, a whole card has room for half of it

_WHOLE = re.compile(r"0|[1-9][0-9]*")  # no sign, no leading zero, which YAML 1.1 would read as octal
_NUMBER = re.compile(r"[-+]?[0-9][0-9_]*(\.[0-9]+)?")
_NUMBERS = re.compile(r"[0-9]{1,4}(?: *[-–/|,] *[0-9]{1,4})+")  # several, as in `2/2` and `3-4`
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?")

_BETWEEN_KEYS = r" *[/,&+|] *"

_TRUTHS = {"yes": ("true",), "on": ("true",), "1": ("true",), "no": ("false",), "off": ("false",), "0": ("false",)}
_PUNCTUATION = re.compile(r"[\s_-]+")

E = TypeVar("E", bound=Enum)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file describes: the letter of its codes, the word for it in messages, and an example for each key.

    `examples` begins with the key that such a file begins with. An example may be given for a dotted path. `synonyms`
    are words that people write, each with the keys that it may mean.
    """

    family: str
    noun: str
    examples: Examples[str, str]
    synonyms: Examples[str, tuple[str, ...]] = field(default_factory=dict)

    def meant(self, word: str, known: Collection[str]) -> str:
        """Return the known key that somebody means who writes `word`: in other letters, another word; "" if none."""
        plain = _PUNCTUATION.sub("_", word.strip()).lower()
        synonyms: tuple[str, ...] = (*self.synonyms.get(plain, ()), *_TRUTHS.get(plain, ()))
        for each in (plain, *synonyms):
            if each in known and each != word:
                return each
        return nearest_word(word, known)

    def of_mapping(self, document: Document, node: Node, path: str = "") -> Fields:
        """Return the fields of a mapping; Refused if the node is something else."""
        if isinstance(node, Mapping):
            return Fields(document=document, node=node, kind=self, path=path)
        raise Refused([self.no_mapping(document, node)])

    def no_mapping(self, document: Document, node: Node) -> Finding:
        """Return what is said of a node that is no mapping."""
        if isinstance(node, Scalar) and node.style is ScalarStyle.PLAIN:
            from render.source import syntax_errors  # noqa: PLC0415 - after a mistake only

            extent = node.start, node.start + len(document.text[node.start : node.end].partition("\n")[0])
            told = syntax_errors.is_table(document.text, extent) or syntax_errors.no_pair(document.text, extent)
            if told:
                problem = replace(told.problem, code=f"{self.family}001")
                return problem.at(document.between(told.start, told.end))
        a_noun = f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"
        key, example = next(iter(self.examples.items()))
        hint = f"{a_noun} begins with a line such as `{key}: {example}`"
        if isinstance(node, Scalar) and not node.value and document.text[: node.start].endswith("-"):
            hint = f"remove the `-`, or write {a_noun} behind it"
        message = f"expected the keys of {a_noun}, found {describe_node(node)}"
        return Problem(f"{self.family}001", message, hint).at(document.span(node))


@dataclass(slots=True, kw_only=True)
class Fields:
    """The values of one mapping; its findings name the id `card`, and begin their dotted paths with `path`."""

    document: Document
    node: Mapping
    kind: FileKind
    card: str = ""
    path: str = ""
    findings: list[Finding] = field(default_factory=list)
    values: dict[str, Node] = field(init=False)
    meant: set[str] = field(default_factory=set)
    """The keys that are meant by keys that do not exist: they are not missed, too."""
    prints: Callable[[str], bool] | None = None
    """Whether a font of the set or its game has a character; None if they have no fonts."""

    def __post_init__(self) -> None:
        self.values = {key.value: value for key, value in self.node.entries}

    @property
    def family(self) -> str:
        """The letter of the codes of its findings."""
        return self.kind.family

    # --- keys -----

    def check_keys(
        self, known: Collection[str], misplaced: Callable[[str], tuple[str, str, str] | None] = lambda _: None
    ) -> None:
        """Note every key that is not known; `misplaced` says message and hint of those that are known elsewhere, and
        the key that is right here, or "".

        Of thousands of them only the first are shown: the others need no hint, which takes longest to find.
        """
        for index, key in enumerate(key for key, _ in self.node.entries if key.value not in known):
            elsewhere = misplaced(key.value)
            if elsewhere:
                message, hint, right = elsewhere
                self.note("003", message, self.document.span(key), hint, key.value, instead=self._unwritten(right))
                continue
            if self._as_heading(key, known) or self._as_several(key, known):
                continue
            hint = near = ""
            if index < MAX_ALIKE:
                meant = self.kind.meant(key.value, known)
                self._count_as_given(meant)
                near = self._unwritten(meant)
                hint = f"did you mean `{meant}`?" if meant else f"the keys are {listed(tuple(known), 'and')}"
                hint = self._as_line_of_text(key) or hint
            message = f"unknown key {quoted(key.value)}"
            self.note("002", message, self.document.heading(key), hint, key.value, instead=near)

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

    def _as_line_of_text(self, key: Scalar) -> str:
        """Return the hint for a line that seems to belong below `text: |` before it; "" if there is none."""
        before = None
        for each in self.node.entries:
            if each[0] is key:
                break
            before = each
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

    # --- values -----

    def text(self, key: str, *, lines: bool = False) -> str:
        """Return a text without trailing space; "" if it is not given. `lines` allows line breaks."""
        node = self.values.get(key)
        if node is None:
            return ""
        if not isinstance(node, Scalar):
            below = f"write `{key}: |`, and below it the lines of the text, indented, without `- `"
            self.expected(key, "a text", below if lines else "")
            return ""
        text = node.value.rstrip()
        if len(text) > LONGEST_TEXT:
            message = f"`{self.path}{key}` has {len(text)} characters, and no card has room for {LONGEST_TEXT}"
            self.note("019", message, self.place(key), "shorten it", key)
        else:
            self._check_characters(key, node, list(flaws(text, self.family, lines=lines, prints=self.prints)))
        return text

    def _check_characters(self, key: str, node: Scalar, flawed: list[TextProblem]) -> None:
        places = self.document.places(node) if flawed else []
        subject = f"`{self.path}{key}`" + (f" of `{self.card}`" if self.card else "")
        for flaw in flawed:
            span = self.document.between(places[flaw.start][0], places[flaw.end - 1][1])
            self.add(replace(flaw.problem, message=f"{flaw.problem.message}, in {subject}"), span, key)

    def words(self, key: str, *, lines: bool = False, what: str = "") -> str:
        """Return a text that must be given and not be empty. Otherwise a finding is noted, and the text is ""."""
        if not self.given(key):
            return ""
        text = self.text(key, lines=lines)
        if not text and isinstance(self.values[key], Scalar):
            self.note("009", f"`{self.path}{key}` is empty", self.place(key), f"write a {what or key}", key)
        return text

    def whole(self, key: str, least: int = 0, most: int = HIGHEST, or_word: str = "") -> int | None:
        """Return a whole number from `least` to `most`; None if it is missing, or wrong, which is noted.

        `or_word` is a word that the caller also allows.
        """
        node = self.values.get(key)
        if node is None:
            return None
        written = node.value if isinstance(node, Scalar) and node.style is ScalarStyle.PLAIN else ""
        # Python refuses to read numbers of thousands of digits, and no card holds five.
        if _WHOLE.fullmatch(written) and len(written) <= len(str(most)) and least <= int(written) <= most:
            return int(written)
        wanted = f"a whole number from {least} to {most}" + (f" or `{or_word}`" if or_word else "")
        meant = meant_number(node.value) if isinstance(node, Scalar) else None
        if (
            isinstance(node, Scalar)
            and meant is not None
            and least <= meant <= most
            and not _WHOLE.fullmatch(node.value)
        ):
            number = "006" if _NUMBER.fullmatch(node.value) else "005"
            message = f"expected {wanted}, found {describe_node(node)}"
            self.note(number, message, self.place(key), f"write `{key}: {meant}`", key, instead=str(meant))
        else:
            self._not_number(key, node, wanted, pattern=_WHOLE, or_word=or_word)
        return None

    def points(self, key: str, least: float, most: float, or_word: str = "", hint: str = "") -> float | None:
        """Return a size in pt from `least` to `most`; None if it is missing, or wrong, which is noted.

        `or_word` is a word that the caller also allows; `hint` is for a number that is too small.
        """
        node = self.values.get(key)
        if node is None:
            return None
        written = node.value if isinstance(node, Scalar) and node.style is ScalarStyle.PLAIN else ""
        if _DECIMAL.fullmatch(written) and least <= float(written) <= most:
            return float(written)
        wanted = f"a size in pt from {least:g} to {most:g}" + (f" or `{or_word}`" if or_word else "")
        if _DECIMAL.fullmatch(written):
            hint = hint if float(written) < least else ""
        elif not written.startswith("-"):
            hint = "write it with at most 4 digits before the point and behind it, as in `6.12`"
        self._not_number(key, node, wanted, pattern=_DECIMAL, or_word=or_word, hint=hint)
        return None

    def _not_number(
        self, key: str, node: Node, wanted: str, *, pattern: re.Pattern[str], or_word: str, hint: str = ""
    ) -> None:
        if not isinstance(node, Scalar):
            self.expected(key, wanted)
        elif or_word and _letters(node.value).startswith(or_word):
            self.expected(key, wanted, f"write `{key}: {or_word}`", instead=or_word)
        elif node.style is not ScalarStyle.PLAIN and pattern.fullmatch(node.value):
            self.expected(key, wanted, f"remove the quotes: `{key}: {node.value}`", instead=node.value)
        elif _NUMBER.fullmatch(node.value):
            self.note("006", f"expected {wanted}, found {quoted(node.value)}", self.place(key), hint, key)
        elif _NUMBERS.fullmatch(node.value):
            first = re.split(r"[^0-9]", node.value)[0]
            self.expected(key, wanted, f"write a single number, such as `{key}: {first}`")
        else:
            self.expected(key, wanted)

    def truth(self, key: str, default: bool) -> bool:
        """Return the truth value that `true` or `false` gives."""
        return self.word(key, ("true", "false"), str(default).lower()) == "true"

    def choice(self, key: str, default: E) -> E:
        """Return the member of the default's enumeration whose value is given."""
        kinds = type(default)
        return kinds(self.word(key, [kind.value for kind in kinds], default.value))

    def word(self, key: str, known: Iterable[str], default: str) -> str:
        """Return the one of the known words that is given; another word is noted."""
        node = self.values.get(key)
        if node is None:
            return default
        known = list(known)
        if isinstance(node, Scalar) and node.value in known:
            return node.value
        written = node.value if isinstance(node, Scalar) else ""
        message = f"expected {listed(known)}, found {describe_node(node)}"
        self.note_word("007", message, self.place(key), written, known, key=key)
        return default

    def inner(self, key: str) -> Fields | None:
        """Return the fields of an inner mapping; None without one. Its findings are added to these."""
        node = self.values.get(key)
        if isinstance(node, Mapping):
            return self.within(key, node)
        if node is not None:
            self.expected(key, "keys and values", f"write its keys on the lines below `{key}:`, indented")
        return None

    def within(self, key: str, node: Mapping) -> Fields:
        """Return the fields of a mapping that stands at that key; their findings go where these go."""
        return Fields(
            document=self.document,
            node=node,
            kind=self.kind,
            card=self.card,
            path=f"{self.path}{key}.",
            findings=self.findings,
            prints=self.prints,
        )

    def read(self, key: str, read: Callable[[str], T], wanted: str = "a text", words: Iterable[str] = ()) -> T | None:
        """Return what `read` makes of a value that is given; nothing, which is noted, where it raises a ValueError.

        `wanted` says what it reads, `words` are those that it knows.
        """
        node = self.values[key]
        if not isinstance(node, Scalar):
            self.expected(key, wanted)
            return None
        try:
            return read(node.value)
        except ValueError as error:
            self.note_word("007", str(error), self.place(key), node.value, words, key=key)
            return None

    # --- findings -----

    def note(self, number: str, message: str, span: Span, hint: str = "", key: str = "", *, instead: str = "") -> None:
        """Note an error; `number` is its code without the letter, `instead` as in `Problem`."""
        self.add(Problem(f"{self.family}{number}", message, hint, instead=instead), span, key)

    def note_word(
        self, number: str, message: str, span: Span, written: str, known: Iterable[str], *, key: str = ""
    ) -> None:
        """Note that a word is none of the known ones, of which the nearest may be meant."""
        words = tuple(known)
        near = self.kind.meant(written, words) if written else ""
        hint = f"did you mean `{near}`?" if near else ""
        self.note(number, message, span, hint, key, instead=write_anywhere(near))

    def add(self, problem: Problem, span: Span, key: str = "") -> None:
        """Note a problem of the value of that key."""
        self.findings.append(problem.at(span, self.card, f"{self.path}{key}" if key else ""))

    def note_cut_off(self) -> None:
        """Warn of texts that a comment seems to cut off: `text: Draw #1` means `Draw`.

        A real comment has a space behind its `#`, as in `name: Wolf  # my first card`.
        """
        if not _has_cuts(self.document.text):
            return
        for key, value in _scalars(self.node):
            cut = (
                _CUT.match(self.document.text, value.end)
                if key in _TEXTS and value.style is ScalarStyle.PLAIN
                else None
            )
            if cut:
                span = self.document.between(cut.start("lost"), cut.end())
                lost = quoted(cut["lost"])
                what = f"ends before {lost}" if value.value else f"says nothing, {lost} is left out"
                message = f"`{key}` {what}: a space and `#` begin a comment"
                whole = self.document.text[value.start : cut.end()].strip()
                quotes = len(whole) <= _SHORT and not set(whole) & {'"', "\\", "\r", "\n"}
                write = f'write `{key}: "{whole}"`' if quotes else "put the whole value in quotes"
                hint = f"{write}; if it is a comment, write a space behind the `#`"
                self.add(Problem("Y017", message, hint, Severity.WARNING), span, key)

    def expected(self, key: str, wanted: str, hint: str = "", *, instead: str = "") -> None:
        """Note that the value of the key has the wrong type."""
        message = f"expected {wanted}, found {describe_node(self.values[key])}"
        self.note("005", message, self.place(key), hint, key, instead=instead)

    def missing(self, key: str, example: str = "") -> None:
        """Note that a key is missing, unless it could not be read; `example` is a value for it."""
        if key in self.meant or key in self.node.lost:
            return
        example = example or self.kind.examples.get(f"{self.path}{key}") or self.kind.examples.get(key, "")
        hint = self.document.adding(key, example, self.path)
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


def _letters(written: str) -> str:
    return written.strip(" \"'.,;").lower()


_SHORT = 60  # characters of a value that a hint repeats
_TEXTS = frozenset(
    ("name", "text", "flavor", "credit", "art", "file", "author", "license", "back", "id", *("minion", "spell"))
)
# A `#` behind a space, but not one that surely begins a comment: before a space, or in a ruler such as `#----`.
_CUT = re.compile(r"[ \t]+(?P<lost>#[^\s#*=~-][^\r\n]*)")
_MAY_CUT = re.compile(r"#(?<=[ \t]#)[^\s#*=~-]")  # the same, faster: it begins with the rare character


@cached(16)
def _has_cuts(text: str) -> bool:
    """Return whether a file has anything that might cut off a value; most files have no `#` at all."""
    return _MAY_CUT.search(text) is not None


def _scalars(node: Mapping) -> Iterator[tuple[str, Scalar]]:
    """Yield the values of a mapping and of the mappings in it, each with its key."""
    for key, value in node.entries:
        if isinstance(value, Scalar):
            yield key.value, value
        elif isinstance(value, Mapping):
            yield from _scalars(value)


def describe_node(node: Node) -> str:
    """Return in words what the author wrote."""
    match node:
        case Scalar(value="", style=ScalarStyle.PLAIN):
            return "nothing"
        case Scalar(value=value, style=ScalarStyle.PLAIN):
            return quoted(value)
        case Scalar(value=value):
            return f"the text {quoted(value)}"
        case Mapping():
            return "keys and values"
    return "a list"

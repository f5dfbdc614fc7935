"""Read a language file, `editions/NN.de.yaml`; `editions/README.md` describes the format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from render.base.findings import Refused, Span, quoted
from render.games.kotc.editions.reading import ROLES
from render.games.kotc.editions.soundness import normalize_quotes, variables
from render.games.kotc.editions.wording import TargetForm, has_targets
from render.games.kotc.languages.notation import ANY, TargetWords, Variant, variants
from render.games.kotc.languages.vocabulary import (
    TERMS,
    Joints,
    LanguageWords,
    NoBreak,
    WordedComponent,
    clashes,
)
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Component, Edition, Role
from render.source import reader as source
from render.source.fields import Fields, fields_of
from render.source.file_kinds import FileKind
from render.source.nodes import Mapping, Scalar, Sequence

KEYS = ("edition", "language", "name", "terms", "joints", "no_break", "targets_as", *ROLES)
NO_BREAK = NoBreak._fields
JOINTS = ("colon", "semicolon", "then", "also", "and", "last_and")
SPOKEN = ("many", "one", "it")

MAX_GENDERS = 20  # noun classes of a language: Bantu languages have that many, most have up to 3
MAX_FORMS = 50_000  # of all texts of a file together: German has seven hundred

LANGUAGE = FileKind("W", "language file", {
    "edition": "17", "language": "de", "name": "Deutsch", "terms": "{minion: Diener}", "joints": '{and: " und "}',
    "text": "draw {x} cards", "words": "ziehe {x} [Karte|Karten]", "it": "f", "many": "die Ziele", "one": "das Ziel",
})  # fmt: skip


def read(file: Path, edition: Edition, home: Path | None = None) -> LanguageWords:
    """Return the words of an edition in a file; Refused with every mistake in it. `home` is as in `source.reader`."""
    document = source.read(file, home)
    reader = _WordReader(fields_of(LANGUAGE, document, document.root), edition)
    words = reader.words()
    if reader.fields.findings:
        raise Refused(reader.fields.findings)
    return words


class SharedWords(TypedDict):
    """What a language file says besides the words of an edition."""

    language: str
    name: str
    joints: Joints
    targets: dict[str, TargetWords]


def read_shared(file: Path) -> SharedWords:
    """Return what a file without an edition says; Refused with every mistake in it."""
    document = source.read(file)
    fields = fields_of(LANGUAGE, document, document.root)
    shared = SharedWords(
        language=fields.words("language"), name=fields.words("name"), joints=_joints(fields), targets=_targets(fields)
    )
    if fields.findings:
        raise Refused(fields.findings)
    return shared


@dataclass(slots=True)
class _WordReader:
    """Reads one language file of an edition, and remembers the places of its entries."""

    fields: Fields
    edition: Edition
    forms: int = 0
    places: dict[tuple[Role, str], Callable[[], Span]] = field(default_factory=dict)

    def words(self) -> LanguageWords:
        """Return the words; what is wrong is noted, and something stands in for it."""
        fields = self.fields
        fields.check_keys(KEYS)
        number = fields.whole("edition", 1) if fields.given("edition") else None
        if number is not None and number != self.edition.number:
            message = f"the file is of the {ordinal(self.edition.number)} Edition, and says `edition: {number}`"
            fields.note("037", message, fields.place("edition"), key="edition")
        if not self.edition.grammar.has_sub_abilities:
            message = f"the {ordinal(self.edition.number)} Edition has no words in other languages"
            hint = "languages are for editions from the 12th on"
            fields.note("036", message, fields.place("edition"), hint, "edition")
        targets = _targets(fields)
        components = tuple(each for key, (role, _) in ROLES.items() for each in self._list(key, role, targets))
        # One example for each pair: texts that are the same mostly have all forms in common.
        pairs = {(one, other): (one, other, words) for one, other, words in reversed(clashes(components))}
        for one, other, words in reversed(pairs.values()):
            first, second = quoted(one.component.text), quoted(other.component.text)
            alike = f"{first} and {second} are both" if one is not other else f"two forms of {first} are"
            message = f"{alike} {quoted(words)}"
            fields.note("035", message, self._place(other), "give each words of its own")
        terms = _inner(fields, "terms", ("edition", *TERMS))
        return LanguageWords(
            language=fields.words("language"),
            name=fields.words("name"),
            terms={key: words for key, words in terms.items() if key != "edition"},
            indicator=self._variants(fields, terms.get("edition", ""), {}, "terms"),
            joints=_joints(fields),
            targets=targets,
            components=components,
            no_break=_no_break(fields),
        )

    def _place(self, each: WordedComponent) -> Span:
        return self.places[each.component.role, each.component.text]()

    # --- components -----

    def _list(self, key: str, role: Role, targets: dict[str, TargetWords]) -> Iterator[WordedComponent]:
        node = self.fields.values.get(key)
        if node is not None and not isinstance(node, Sequence):
            self.fields.expected(key, "a list")
        genders = sorted({gender for each in targets.values() for gender in each.it} - {ANY})
        known = {component.text: component for component in self.edition.components if component.role is role}
        for index, item in enumerate(node.items if isinstance(node, Sequence) else ()):
            if not isinstance(item, Mapping):
                self.fields.note("005", "expected `text` and `words`", self.fields.document.span(item), key=key)
                continue
            fields = self.fields.within(f"{key}.{index}", item)
            has_gender = role is Role.TARGET and bool(genders)
            fields.check_keys(("text", "words", "it") if has_gender else ("text", "words"))
            component = self._component(fields, role, known)
            words = fields.words("words")
            gender = fields.word("it", genders, ANY) if has_gender and fields.given("it") else ANY
            if component and words:
                said = self._variants(fields, words, targets, "words", component)
                self.places[role, component.text] = _placer(fields)
                yield WordedComponent(component, said, gender)

    def _component(self, fields: Fields, role: Role, known: dict[str, Component]) -> Component | None:
        text = normalize_quotes(fields.words("text"))
        if not text:
            return None
        if text not in known:
            message = f"the {ordinal(self.edition.number)} Edition has no {role.value} {quoted(text)}"
            fields.note_word("032", message, fields.place("text"), text, known, key="text")
            return None
        if (role, text) in self.places:
            message = f"{quoted(text)} is given twice, first at {self.places[role, text]()}"
            fields.note("033", message, fields.place("text"), key="text")
        return known[text]

    def _variants(
        self,
        fields: Fields,
        words: str,
        targets: dict[str, TargetWords],
        key: str,
        component: Component | None = None,
    ) -> tuple[Variant, ...]:
        if self.forms > MAX_FORMS:  # which is noted already
            return ()
        try:
            found = variants(words, targets)
            self.forms += len(found)
            if component:
                _check_variants(component, found)
        except ValueError as error:
            fields.note("034", f"{quoted(words)} cannot be used: {error}", fields.place(key), key=key)
            return ()
        if self.forms > MAX_FORMS:
            fields.note("038", f"the texts have more than {MAX_FORMS:,} forms together", fields.place(key), key=key)
        return found


# --- what all texts share --------------------------------------------------------------------------------------------


def _inner(fields: Fields, key: str, known: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of a mapping that has all these keys; spaces around them count."""
    inner = fields.inner(key) if fields.given(key) else None
    if inner is None:
        return {}
    inner.check_keys(known)
    found = {}
    for each in known:
        node = inner.values.get(each)
        if inner.words(each) and isinstance(node, Scalar):
            found[each] = node.value
    return found


def _joints(fields: Fields) -> Joints:
    found = _inner(fields, "joints", JOINTS)
    colon, semicolon, then, also, both, last = (found.get(key, "") for key in JOINTS)
    return Joints(colon=colon, semicolon=semicolon, then=then, also=also, and_=both, last_and=last)


def _no_break(fields: Fields) -> NoBreak:
    inner = fields.inner("no_break") if "no_break" in fields.values else None
    if inner is None:
        return NoBreak()
    inner.check_keys(NO_BREAK)
    return NoBreak(*(inner.text(key) for key in NO_BREAK))


def _targets(fields: Fields) -> dict[str, TargetWords]:
    inner = fields.inner("targets_as") if "targets_as" in fields.values else None
    found = {}
    for name in inner.values if inner else ():
        each = inner.inner(name) if inner else None
        if each:
            each.check_keys(SPOKEN)
            found[name] = TargetWords(_exact(each, "many"), _exact(each, "one"), _by_gender(each))
    return found


def _placer(fields: Fields) -> Callable[[], Span]:
    return lambda: fields.place("text")


def _exact(fields: Fields, key: str) -> str:
    """Return a text with the spaces around it; it may be empty."""
    node = fields.values.get(key) if fields.given(key) else None
    if node is not None and not isinstance(node, Scalar):
        fields.expected(key, "a text")
    return node.value if isinstance(node, Scalar) else ""


def _by_gender(fields: Fields) -> dict[str, str]:
    """Return the words for "it" by gender: one text for all, or one for each."""
    if not isinstance(fields.values.get("it"), Mapping):
        return {ANY: _exact(fields, "it")}
    inner = fields.inner("it")
    if inner and len(inner.values) > MAX_GENDERS:
        message = f"words for {len(inner.values)} genders are given, and a language has at most {MAX_GENDERS}"
        fields.note("038", message, fields.place("it"), key="it")
        return {}
    return {gender: _exact(inner, gender) for gender in inner.values} if inner else {}


_DIGIT = re.compile(r"[0-9]")


def _check_variants(component: Component, found: tuple[Variant, ...]) -> None:
    """ValueError if variants cannot say what the component says."""
    wanted = variables(component.text)
    for each in found:
        if frozenset(each.variables) | each.ones != wanted:
            raise ValueError(f"it has other numbers than {quoted(component.text)}")
    if (found[0].form is not None) is not has_targets(component):
        raise ValueError("words such as `{acc}` stand where the text speaks of the targets")
    if found[0].form is not None and {each.form for each in found} != set(TargetForm):
        raise ValueError("the words for the targets have no form for `it` in common")
    first = component.text[:1]
    for each in found:
        if _DIGIT.search(each.words):
            raise ValueError("numbers stand as in the text, such as `{x}`")
        # The way back would lose whether a text begins with a capital.
        if first.isalpha() and each.words[:1].isupper() is not first.isupper():
            case = "a capital" if first.isupper() else "a small letter"
            raise ValueError(f"it begins with {case}, as {quoted(component.text)} does")

"""Read a language file, `editions/NN.de.yaml`; `editions/README.md` describes the format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from render.base.findings import Refused, Span, quoted
from render.base.patterns import regex
from render.games.kotc.editions.reading import mapped
from render.games.kotc.editions.soundness import normalize_quotes
from render.games.kotc.editions.wording import TargetForm, has_targets, variables
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
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.model.edition import Component, Edition, Role
from render.source import reader as source
from render.source import shapes
from render.source.fields import Fields, fields_of
from render.source.file_kinds import FileKind
from render.source.key_tables import FULL_LINE, LINE, Key, KeyTable, Value
from render.source.nodes import Mapping, Scalar, Sequence
from render.source.shapes import Shape

MAX_GENDERS = 20  # noun classes of a language: Bantu languages have that many, most have up to 3
MAX_FORMS = 50_000  # of all texts of a file together: German has seven hundred

LANGUAGE = FileKind("W", "language file", {
    "edition": "17", "language": "de", "name": "Deutsch", "terms": "{minion: Diener}", "joints": '{and: " und "}',
    "text": "draw {x} cards", "words": "ziehe {x} [Karte|Karten]", "it": "f", "many": "die Ziele", "one": "das Ziel",
})  # fmt: skip


# --- keys -----------------------------------------------------------------------------------------------------------


def _exact(fields: Fields, key: str, _: object = None) -> str:
    """Return a text with the spaces around it; it may be empty."""
    node = fields.values[key]
    if not isinstance(node, Scalar):
        fields.expected(key, "a text")
    return node.value if isinstance(node, Scalar) else ""


def _joint(fields: Fields, key: str, _: object) -> str:
    """Return a text with the spaces around it, which is not empty."""
    return _exact(fields, key) if fields.words(key) else ""


def _by_gender(fields: Fields, key: str, _: object) -> dict[str, str]:
    """Return the words for "it" by gender: one text for all, or one for each."""
    if not isinstance(fields.values[key], Mapping):
        return {ANY: _exact(fields, key)}
    inner = fields.inner(key)
    if inner and len(inner.values) > MAX_GENDERS:
        message = f"words for {len(inner.values)} genders are given, and a language has at most {MAX_GENDERS}"
        fields.note("038", message, fields.place(key), key=key)
        return {}
    return {gender: _exact(inner, gender) for gender in inner.values} if inner else {}


def _spoken(fields: Fields, key: str, _: object) -> dict[str, TargetWords]:
    names = fields.inner(key)
    each = {name: names.inner(name) for name in names.values} if names else {}
    return {name: TargetWords(**SPOKEN.read(inner)) for name, inner in each.items() if inner}


JOINT = Value(shapes.FULL_LINE, _joint)
EXACT = Value(shapes.TEXT, _exact)
GENDERS: Shape = {"type": "object", "maxProperties": MAX_GENDERS, "additionalProperties": shapes.TEXT}
SPOKEN = KeyTable(
    Key("many", EXACT, needed=True, default=""),
    Key("one", EXACT, needed=True, default=""),
    Key("it", Value(shapes.either(shapes.TEXT, GENDERS), _by_gender), needed=True, default={ANY: ""}),
)
WORDS_FOR = KeyTable(*(Key(each, JOINT, needed=True, default="") for each in ("edition", *TERMS)))
JOINTS = KeyTable(*(
    Key(each.rstrip("_"), JOINT, needed=True, default="", attribute=each) for each in Joints.__struct_fields__
))  # fmt: skip
NO_BREAK = KeyTable(*(Key(each, LINE, default="") for each in NoBreak._fields))


def _component(*more: Key) -> Value:
    """Return the components of a role, which are read when all else is known."""
    table = KeyTable(Key("text", FULL_LINE, needed=True), Key("words", FULL_LINE, needed=True), *more)
    return Value(shapes.listing(table.shape))


_OF_FILE = "the number of the edition and the language, those of the file's name"
_COMPONENTS = (
    "the components: the `text` of the edition's own file, and its `words`. `it`, at a target selection, is the gender of "
    "a single target"
)
SHARED = KeyTable(
    Key("language", FULL_LINE, _OF_FILE, needed=True, default=""),
    Key("name", FULL_LINE, "what the language calls itself", needed=True, default=""),
    Key(
        "joints",
        mapped(JOINTS, Joints),
        "what stands between components, with its spaces: behind a name or condition (`colon`), behind "
        "a target selection (`semicolon`), between effects (`then`, `also`), between two costs (`and`), "
        "before the last of more (`last_and`)",
        needed=True,
    ),
    Key(
        "targets_as",
        Value(shapes.named({}, SPOKEN.shape), _spoken),
        'how effects speak of the targets, under names of your own: of `many` ("the targets", "each '
        'target"), of `one` ("the target"), and as `it`, for which there may be words for each gender',
        default={},
        attribute="targets",
    ),
)
"""What a file says of a language besides the words of one edition."""

KEYS = KeyTable(
    Key(
        "edition",
        Value(shapes.whole(1, LAST_EDITION), lambda fields, key, _: fields.whole(key, 1)),
        _OF_FILE,
        needed=True,
    ),
    SHARED["language"],
    SHARED["name"],
    Key(
        "terms",
        mapped(WORDS_FOR, dict),
        "the language's words for kinds of card and their numbers; `edition` is the Edition Indicator, "
        "where `{x}` is its number",
        needed=True,
        default={},
    ),
    SHARED["joints"],
    Key(
        "no_break",
        mapped(NO_BREAK, NoBreak),
        "optional: signs that stay on the line of their word. A space `before` or `after` them is "
        "printed as a no-break space, before those of `narrow_before` as a narrow one",
        default=NoBreak(),
    ),
    SHARED["targets_as"],
    Key("caveats", _component()),
    Key("conditions", _component(), _COMPONENTS),
    Key("costs", _component(), _COMPONENTS),
    Key("targets", _component(Key("it", EXACT)), _COMPONENTS),
    Key("effects", _component(), _COMPONENTS),
)

# --- the file -------------------------------------------------------------------------------------------------------


def read(file: Path, edition: Edition, home: Path | None = None) -> LanguageWords:
    """Return the words of an edition in a file; Refused with every mistake in it. `home` is as in `source.reader`."""
    document = source.read(file, home)
    reader = _WordReader(fields_of(LANGUAGE, document, document.root), edition)
    words = reader.words()
    if reader.fields.findings:
        raise Refused(reader.fields.findings)
    return words


def read_shared(file: Path) -> dict[str, Any]:
    """Return what a file without an edition says, by the fields of `LanguageWords`; Refused with every mistake in it."""
    document = source.read(file)
    fields = fields_of(LANGUAGE, document, document.root)
    values = SHARED.read(fields)
    if fields.findings:
        raise Refused(fields.findings)
    return values


class _WordReader(Struct):
    """Reads one language file of an edition, and remembers the places of its entries."""

    fields: Fields
    edition: Edition
    forms: int = 0
    places: dict[tuple[Role, str], Callable[[], Span]] = field(default_factory=dict)

    def words(self) -> LanguageWords:
        """Return the words; what is wrong is noted, and something stands in for it."""
        fields = self.fields
        values = KEYS.read(fields)
        number, targets, terms = values.pop("edition"), values.pop("targets"), values.pop("terms") or {}
        if number is not None and number != self.edition.number:
            message = f"the file is of the {ordinal(self.edition.number)} Edition, and says `edition: {number}`"
            fields.note("037", message, fields.place("edition"), key="edition")
        if not self.edition.grammar.has_sub_abilities:
            message = f"the {ordinal(self.edition.number)} Edition has no words in other languages"
            hint = "languages are for editions from the 12th on"
            fields.note("036", message, fields.place("edition"), hint, "edition")
        components = tuple(each for role in Role for each in self._list(role.plural, role, targets))
        # One example for each pair: texts that are the same mostly have all forms in common.
        pairs = {(one, other): (one, other, words) for one, other, words in reversed(clashes(components))}
        for one, other, words in reversed(pairs.values()):
            first, second = quoted(one.component.text), quoted(other.component.text)
            alike = f"{first} and {second} are both" if one is not other else f"two forms of {first} are"
            message = f"{alike} {quoted(words)}"
            fields.note("035", message, self._place(other), "give each words of its own")
        indicator = self._variants(fields, terms.get("edition", ""), {}, "terms")
        terms = {key: words for key, words in terms.items() if key != "edition"}
        return LanguageWords(terms=terms, indicator=indicator, targets=targets, components=components, **values)

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
                self.places[role, component.text] = partial(fields.place, "text")
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


_DIGIT = regex(r"[0-9]")


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

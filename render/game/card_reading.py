"""Read a card: from its mapping in a file, through a table of its keys, to a frozen value with exact types.

`CardReader.read` has the steps, which are those of every game. A game derives its own reader and says there what is its
own: games in YAML in `declared/card_reading`, *Keeper of the Cards* in its `card_reading`. The keys that cards of every
game have follow below.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Mapping as MappingOf
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from render.base.codes import DRAFT_CODE
from render.base.findings import Diagnostic, Severity, Span, has_errors, quoted
from render.game import ids
from render.game.cards import CardKind, FlawedCard, GameCard, GameSet
from render.game.home import Home
from render.game.variants import KEY, OF_VARIANT, VARIANTS_OF_CARD, fits
from render.source import shapes
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.key_tables import FULL_LINE, Key, KeyTable, Value
from render.source.nodes import Document, Mapping, Node, Scalar
from render.source.scalar_values import ScalarStyle, write_anywhere
from render.source.shapes import Shape
from render.text.characters import NO_MORE, MoreFonts

CARD = FileKind(
    "C",
    "card",
    {"name": "Storm Hammer"},
    {
        "type": ("kind",), "class": ("kind",),
        **dict.fromkeys(("card_name", "cardname", "title", "card"), ("name",)),
        **dict.fromkeys(("image", "picture", "photo", "img", "artwork", "illustration"), ("art",)),
        **dict.fromkeys(
            ("qty", "quantity", "count", "amount", "number_of_copies", "duplication", "duplicates"), ("copies",)
        ),
    },
)  # fmt: skip
"""Card files as messages name them; a game may have examples and synonyms for keys of its own."""

TEXT_KEYS = ("id", "name", "art", "back")
"""The keys of cards of every game whose values are texts, in which a `#` may stand."""

PICTURE: Shape = {
    **shapes.WORD,
    "pattern": r"^(?!/|[A-Za-z]:)[^\\]+$",
    "patternErrorMessage": "expected a path from the set's folder, with `/` between folders",
}
"""The path of a picture in the set."""

MAX_COPIES = 999
LONGEST_PATH = 1000  # characters: systems take 4096 bytes at most, and each folder in it is looked up


class Surroundings(Struct, frozen=True):
    """What a card takes from its set.

    If the set's own file is not `sound`, a value missing on a card may be missing there, and no card is blamed. `words`
    are those that a file of the set's language gives, by the id or the name of a card, by its keys. `values_of` a card
    are what expressions see of it.
    """

    card_set: GameSet
    home: Home
    sound: bool
    words: MappingOf[str, MappingOf[str, Any]] = {}
    values_of: Callable[[Any], MappingOf[str, Any]] = lambda _: {}


class CardReading(Struct, frozen=True):
    """The result of reading a mapping: the card unless something is wrong, the id that it claims, and the findings.

    `complete` calculates what the card leaves to the rules; it returns the whole card, or what is wrong. If something
    is wrong, `flawed` is the card without it, for further findings; None if it is unclear what the card is.
    """

    card: GameCard | None
    claim: ids.Claim | None
    findings: tuple[Diagnostic, ...]
    complete: Callable[[], GameCard | Sequence[Diagnostic]] | None = None
    flawed: FlawedCard | None = None


What = TypeVar("What")
"""What a card is, as far as it is clear before its values are read: in simple games its kind."""

SomeCard = TypeVar("SomeCard", bound=GameCard)


class CardReader(ABC, Generic[What, SomeCard]):
    """Reads the cards of one set. `texts` are the keys whose values are texts, in which a `#` may stand."""

    file: FileKind = CARD
    texts: Collection[str] = TEXT_KEYS
    fonts: MoreFonts = NO_MORE
    card_type: type[GameCard] | None = None
    """The class of cards that may be kept as bytes (`known_cards`), with `shared`; without one, all are always read."""
    shared_fields: Collection[str] = ()
    """The fields of cards that `shared` gives, beside `kind`."""
    field_types: ClassVar[MappingOf[str, Any]] = {}
    """The types of fields, if they are to be said more simply than the class does, for cards that are kept as bytes."""
    in_all_variants: Collection[str] = ("id", "kind", "words", "draft", KEY)
    """The keys of a card that say the same in all its variants."""
    every_key: Collection[str] = ()
    """All keys that any card of the game may have."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self._given_by_set: dict[int, tuple[KeyTable, MappingOf[str, Any]]] = {}
        self._why_not: Diagnostic | None = None  # why it cannot be told which cards have the variant

    def read(self, document: Document, node: Mapping) -> CardReading:
        """Return the result of reading the mapping of a card."""
        fields = Fields(document=document, node=node, kind=self.file, fonts=self.fonts)
        what, claim = self.recognize(fields)
        table = self.table(fields, what)
        given = table.read(fields, self.around, partial(self.misplaced, what))
        own = self._own_variant(fields, table) if KEY in fields.values and CARD_KEYS[KEY] in table.keys else None
        fields.note_cut_off(self.texts)
        reading = self.finish(fields, self.card(fields, what, given), claim)
        if reading.card is None or not self.around.card_set.variant.name:
            return reading
        return replace(reading, complete=partial(self._in_variant, fields, table, reading, own))

    @abstractmethod
    def recognize(self, fields: Fields) -> tuple[What, ids.Claim | None]:
        """Return what a card is and the id that it claims (`claimed_id`)."""

    @abstractmethod
    def table(self, fields: Fields, what: What) -> KeyTable:
        """Return the table of the keys that the card may have. Their values are read with the `around` of this reader."""

    def misplaced(self, what: What, key: str) -> tuple[str, str, str] | None:
        """Return what is said of a key that only other cards have, as `Fields.check_keys` asks for it."""
        return None

    @abstractmethod
    def card(self, fields: Fields, what: What, given: MappingOf[str, Any]) -> SomeCard | None:
        """Return the card of the values that are given, with empty ones in place of mistakes; None if it can be none."""

    def shared(self, kind: str, values: MappingOf[str, Any]) -> MappingOf[str, Any]:
        """Return the kind of that name, and other values that all cards like one with these values share.

        KeyError if there is no such kind.
        """
        raise KeyError(kind)

    def finish(self, fields: Fields, card: SomeCard | None, claim: ids.Claim | None) -> CardReading:
        """Return the reading of a card, which is sound if nothing is wrong with it."""
        is_sound = not (fields.node.lost or has_errors(fields.findings))
        return CardReading(card if is_sound else None, claim, tuple(fields.findings))

    def values(self, fields: Fields, kind: CardKind, given: MappingOf[str, Any], template: str = "") -> dict[str, Any]:
        """Return the values of a card of a kind: those that are given, its id and place, its template and back."""
        own = {
            "template": given.get("template") or template,
            "back": given.get("back") or self.around.card_set.backs.of(kind),
        }
        return {**given, **own, "id": fields.card, "kind": kind, "document": fields.document, "node": fields.node}

    # --- in the variant of its set -----

    def varied(self, fields: Fields, card: SomeCard, values: MappingOf[str, Any]) -> GameCard | Sequence[Diagnostic]:
        """Return a card with these values, by the attributes of its keys, or what does not follow from them."""
        return replace(card, **values)

    @cached_property
    def of_variant(self) -> Fields | None:
        """What `set.yaml` says of the variant of the set, and collects what is wrong in it; None for cards as they are."""
        variant, (document, root) = self.around.card_set.variant, self.around.card_set.source or (None, None)
        if not (variant.name and document and root):
            return None
        fields = Fields(document=document, node=root, kind=self.file, fonts=self.fonts).inner(KEY)
        fields = fields and fields.inner(variant.name)
        if fields:
            known = (name for name in self.every_key if name not in self.in_all_variants)
            fields.check_keys((*OF_VARIANT.names, *known), self._same_in_all)
        return fields

    @cached_property
    def places_in_set(self) -> tuple[tuple[str, Span], ...]:
        """The keys that the set gives its cards in its variant, with their places."""
        fields = self.of_variant
        names = [name for name in fields.values if name not in OF_VARIANT.names] if fields else []
        return tuple((name, fields.place(name)) for name in names) if fields else ()

    @property
    def is_variant_sound(self) -> bool:
        """Whether nothing is wrong so far with the variant of the set."""
        return not (self._why_not or (self.of_variant and self.of_variant.findings))

    def findings_of_variant(self, *, is_empty: bool) -> list[Diagnostic]:
        """Return what is wrong with the variant of the set, once its cards are read; it `is_empty` if none has it."""
        fields, variant, found = self.of_variant, self.around.card_set.variant, self._why_not
        if fields is None:
            return []
        if is_empty and self.is_variant_sound:
            hint = f"change `where`, or give it to cards: `variants: {{{variant.name}: {{}}}}`"
            found = Diagnostic("S037", f"no card has the variant `{variant.name}`", hint, Severity.WARNING)
        if found:
            fields.add(found, fields.place("where") if "where" in fields.values else fields.start, "where")
        return [*dict.fromkeys(fields.findings)]

    def _same_in_all(self, key: str) -> tuple[str, str, str] | None:
        if key in self.in_all_variants:
            return f"`{key}` is the same in all variants of a card", "remove it", ""
        return None

    def _own_variant(self, fields: Fields, table: KeyTable) -> MappingOf[str, Any] | None:
        """Return what a card gives in the variant of the set, None if it does not have it by itself.

        What is wrong with others that it gives is noted, too.
        """
        inner, card_set, given = fields.inner(KEY), self.around.card_set, dict[str, MappingOf[str, Any]]()
        if inner is None:
            return None
        names = card_set.variants if self.around.sound else tuple(inner.values)
        if not names:
            hint = f"write `{KEY}: {{{next(iter(inner.values), 'foil')}: {{}}}}` in set.yaml"
            fields.note("003", f"the set has no `{KEY}`", fields.place(KEY), hint, KEY)
            return None
        inner.check_keys(names)
        table = self._in_variants(table)
        for name in names:
            if name in inner.values and (each := inner.inner(name)):
                each.check_keys(table.every_name, self._same_in_all)
                given[name] = table.given(each, self.around)
        return given.get(card_set.variant.name)

    def _in_variant(
        self, fields: Fields, table: KeyTable, reading: CardReading, own: MappingOf[str, Any] | None
    ) -> GameCard | Sequence[Diagnostic]:
        """Return a card as it is in the variant of the set, or as it is if it does not have it; or what is wrong."""
        plain = reading.complete() if reading.complete else reading.card
        of_set = self._of_set(table)
        if not isinstance(plain, GameCard) or (own is None and not self._has_it(plain)):
            return plain or ()
        card = replace(plain, variant=self.around.card_set.variant.name, varied=self.places_in_set)
        return self.varied(replace(fields, findings=[]), card, {**of_set, **(own or {})})  # type: ignore[arg-type] # of its game

    def _in_variants(self, table: KeyTable) -> KeyTable:
        """Return the table of those keys that may say something else in a variant; names are read, too."""
        return table.without(self.in_all_variants).with_value("name", FULL_LINE)

    def _of_set(self, table: KeyTable) -> MappingOf[str, Any]:
        """Return what the set gives cards with the keys of a table in its variant."""
        if id(table) not in self._given_by_set:
            varied, fields = self._in_variants(table).without(OF_VARIANT.names), self.of_variant
            given = varied.given(fields, self.around) if fields else {}
            self._given_by_set[id(table)] = table, given
        return self._given_by_set[id(table)][1]

    def _has_it(self, card: GameCard) -> bool:
        where = self.around.card_set.variant.where
        if self._why_not or not where:
            return not where
        answer = fits(where, self.around.values_of(card))
        if isinstance(answer, Diagnostic):
            self._why_not = answer
        return answer is True


# --- what a card is -------------------------------------------------------------------------------------------------


def claimed_id(fields: Fields, name: str = "", node: Node | None = None) -> ids.Claim | None:
    """Return the id that is given, or follows from a name that stands at a node, usually the one given as `name`.

    Findings call the card by it from now on. An impossible id is noted.
    """
    if node is None and isinstance(own := fields.values.get("name"), Scalar):
        name, node = own.value, own
    claim = _given_id(fields) if "id" in fields.values else _id_of_name(fields, name, node)
    fields.card = claim.id if claim and ids.is_id(claim.id) else ""
    return claim


def _id_of_name(fields: Fields, name: str, node: Node | None) -> ids.Claim | None:
    if node is None or not name.strip():
        return None  # a missing name is noted where it is read
    slug = ids.slug(name)
    if not ids.is_id(slug):
        why = ids.why_reserved(slug) or "it has no letters and no digits"
        message = f"no id can be made of the name {quoted(name)}: {why}"
        fields.note("012", message, fields.document.span(node), fields.document.adding("id", "my-card"), "id")
        return None
    return ids.Claim(slug, fields.document, node)


def _given_id(fields: Fields) -> ids.Claim | None:
    node = fields.values["id"]
    if not isinstance(node, Scalar) or not node.value:
        fields.expected_one("id", "an id")
        return None
    if node.value == "null" and node.style is ScalarStyle.PLAIN:  # other readers take it for nothing
        fields.expected("id", "an id", "remove the line: then the id follows from the name")
        return None
    if why := ids.why_reserved(node.value):
        fields.note("011", why, fields.place("id"), "choose another id", "id")
    elif not ids.is_id(node.value):
        slug = ids.slug(node.value)
        hint = f"write `id: {slug}`" if ids.is_id(slug) else "write a word such as `storm-hammer`"
        message = f"an id is made of small letters, digits, `-` and `_`, found {quoted(node.value)}"
        if len(node.value) > ids.LONGEST:
            message = f"an id has at most {ids.LONGEST} characters, found {len(node.value)}"
        meant = slug if hint == f"write `id: {slug}`" else ""
        fields.note("011", message, fields.place("id"), hint, "id", instead=meant)
    # An impossible id counts, too: whether another card has it is known in the same run.
    return ids.Claim(node.value, fields.document, node)


SomeKind = TypeVar("SomeKind", bound=CardKind)


def read_kind(fields: Fields, kinds: Iterable[SomeKind], list_of_all: str = "") -> SomeKind | None:
    """Return the kind that is given; None, and a finding, if there is none of that name.

    `list_of_all` is where an author may add one, "" for nowhere.
    """
    known = {str(each.value): each for each in kinds}
    if not fields.given("kind", example=next(iter(known))):
        return None
    return known.get(fields.word("kind", known, "", list_of_all))


# --- the keys of every card -----------------------------------------------------------------------------------------


def _copies(fields: Fields, key: str, _: object) -> int:
    number = fields.whole(key, 0, MAX_COPIES)
    return 1 if number is None else number


def _draft(fields: Fields, key: str, _: object) -> bool:
    """Return whether the card is a draft, of which a warning reminds until somebody removes the key."""
    is_draft = fields.truth(key, default=False)
    if is_draft:
        hint = "judge the card, change what you like, and remove `draft`; until then, files for shops and tables leave it out unless --drafts is given"
        message = f"{fields.owner} is a draft"
        fields.add(Diagnostic(DRAFT_CODE, message, hint, Severity.WARNING), fields.place(key), key)
    return is_draft


def read_back(fields: Fields, key: str, default: str, home: Home) -> str:
    """Return the back as written, or the default; a picture must lie in the set's folder."""
    if key not in fields.values:
        return default
    name = fields.words(key, what="back")
    # No name of a template has one of these characters; anything else must be a file.
    if re.search(r"[./\\:]", name) and read_picture_file(fields, key, name, home) is None:
        return default
    return name


def _own_copy(key: str, name: str) -> str:
    from render.source.slips.syntax_errors import own_copy

    return own_copy(key, name)


def read_picture_file(fields: Fields, key: str, name: str, home: Home) -> Path | None:
    """Return the absolute path of a named picture; None, and a finding, if it cannot be in the set."""
    hint = instead = ""
    if len(name) > LONGEST_PATH:
        message, hint = f"the path has {len(name):,} characters, and may have {LONGEST_PATH:,}", "shorten it"
    elif re.match("(?:https?|file):", name):
        message = f"{quoted(name)} is an address, and pictures are files in the set's folder"
        hint = _own_copy(key, name.partition("?")[0]).replace("copy", "save", 1)
    # A drive (`C:`) is refused on every system, so that a set that works here works there.
    elif PurePosixPath(name).is_absolute() or re.match(r"[A-Za-z]:|\\\\|~", name):
        message, hint = f"{quoted(name)} is not in the set's folder", _own_copy(key, name)
    elif "\\" in name:
        meant = name.replace("\\", "/")
        message, hint = "folders are separated by `/`", f"write {quoted(f'{key}: {meant}')}"
        instead = write_anywhere(meant)
    elif (file := home.file(name)) is not None:
        return file
    else:
        message, hint = f"{quoted(name)} lies outside the set's folder", "copy the picture into the set's folder"
    fields.note("018", message, fields.place(key), hint, key, instead=instead)
    return None


# What YAML takes for a number or a truth value can be an id: `id: 007`.
_IDENTIFIER: Shape = {
    "type": shapes.WORD["type"],
    "pattern": f"^{ids.PATTERN}$",
    "patternErrorMessage": "an id is made of small letters, digits, `-` and `_`",
}
CARD_KEYS = KeyTable(
    Key("name", FULL_LINE, "the name on the card", "text in one line", needed=True, default=""),
    Key(
        "id",
        Value(_IDENTIFIER),
        "names the picture: `out/mine/png/<id>.png`",
        "small letters, digits, `-` and `_`, at most 64",
        "from the name",
    ),
    Key("kind", Value(shapes.word), needed=True),
    Key(
        "back",
        Value(PICTURE, lambda fields, key, around: read_back(fields, key, "", around.home)),
        "the card's back: `back`, or for example `art/my-back.png`",
        "a template, or a picture in the set",
        "the set's",
        default="",
    ),
    Key(
        "copies",
        Value({**shapes.whole(0, MAX_COPIES), "default": 1}, _copies),
        "how often the card is on the sheets; with 0 it has a PNG but is on no sheet",
        "0 to 999",
        "`1`",
        default=1,
    ),
    Key(
        "draft",
        Value(shapes.truth(default=False), _draft),
        "a [proposal](../new-edition.md#drafts) that nobody has judged yet: files for shops and tables leave the card out",
        "`true`, `false`",
        "`false`",
        default=False,
    ),
    Key(
        KEY,
        Value(VARIANTS_OF_CARD),
        "what the card is in a [variant](sets.md#variants) of its set: keys in place of its own",
        "names of variants, with keys",
        "the set's",
    ),
)
"""The keys that cards of every game have; their schemas depend on the kinds of card."""


def card_files(examples: MappingOf[str, str], synonyms: MappingOf[str, tuple[str, ...]]) -> FileKind:
    """Return the card files of a game, with examples and synonyms for keys of its own."""
    return replace(CARD, examples={**CARD.examples, **examples}, synonyms={**CARD.synonyms, **synonyms})


def common_card(kinds: Iterable[str]) -> Shape:
    """Return the schema of a card of a game that says nothing of its own keys: these may be any."""
    return {"type": "object", "properties": CARD_KEYS.properties_in(kinds), "required": ["kind", "name"]}


def card_file(card: Shape, parts: MappingOf[str, Shape] | None = None) -> Shape:
    """Return the schema of a file with one card, or a list of them; `parts` are what the card's schema refers to."""
    one: Shape = {"$ref": "#/$defs/card"}
    return {"anyOf": [shapes.listing(one), one], "$defs": {"card": card, **(parts or {})}}


def of_kind(*names: str) -> Shape:
    """Return the schema of the cards of these kinds, as a condition: it says nothing of their other keys."""
    return {"properties": {"kind": {"enum": [*names]}}, "required": ["kind"]}

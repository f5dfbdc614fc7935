"""A game that is written in YAML, as the core asks for it; `protocol.Game` says what each member is for."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from render.base.findings import Finding
from render.base.lazily import chosen
from render.game.card_reading import Surroundings
from render.game.cards import ART, CardBacks, CardFacts, CardKind, CardPicture, CardTrait, DeckCard, key_of_face
from render.game.declared.cards import BETWEEN, DeclaredCard, DeclaredSet
from render.game.declared.reading.field_keys import DeclaredField, FieldType, FieldValue
from render.game.declared.reading.game_rules import GameRules, game_file_shape, rich_value
from render.game.folder import GAME_FILE
from render.game.protocol import Game, NewValue, ShownIcon

if TYPE_CHECKING:
    from render.base.findings import Span
    from render.game.declared.card_reading import DeclaredCardReader
    from render.game.derivations import Origin
    from render.images.inspect import Artwork
    from render.source.key_tables import KeyTable
    from render.source.shapes import Shape
    from render.text.font_roles import FontRole

COLUMNS = ("id", "name", "kind", "copies")
"""The columns of tables of a game that names none."""

_RULES = "game"
_OF_TEXT = (FieldType.TEXT, FieldType.RICH)
"""What the rules of the game are called where reasons of builds name them."""


@dataclass(frozen=True, slots=True)  # structs cannot be abstract
class DeclaredGame(Game[DeclaredCard, DeclaredSet]):
    """A game by its rules. Its name is its folder: two folders may call their games the same."""

    rules: GameRules

    # --- what it is -----

    @property
    def name(self) -> str:
        """The folder as it was named first, since `game:` of a set names a folder."""
        return str(self.rules.folder)

    @property
    def folder(self) -> Path | None:
        return self.rules.folder

    @property
    def templates(self) -> Path:
        return self.rules.folder / "templates"

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(kind.value for kind in self.rules.kinds)

    @property
    def picture_keys(self) -> tuple[str, ...]:
        """The key `art`, and the fields that are pictures, by all their names."""
        fields = [each for each in self.rules.fields if each.is_picture]
        return ("art", *(name for each in fields for name in (each.name, *each.aliases)))

    @property
    def two_sided(self) -> tuple[str, ...]:
        return tuple(kind.value for kind in self.rules.kinds if kind.has_two_sides)

    @property
    def card_words(self) -> KeyTable:
        from render.game.declared.card_table import words_table

        return words_table(self.rules)

    # --- reading a set -----

    @property
    def font_roles(self) -> Sequence[FontRole]:
        return self.rules.fonts

    def new_set(self, folder: Path, name: str) -> DeclaredSet:
        backs = CardBacks(of_kind=tuple((kind.value, kind.back) for kind in self.rules.kinds if kind.back))
        return DeclaredSet(folder=folder, name=name, backs=backs, of_game=self)

    def card_reader(self, around: Surroundings) -> DeclaredCardReader:
        from render.game.declared.card_reading import DeclaredCardReader

        return DeclaredCardReader(self, self.rules, around)

    def first_files(self, folder: Path, name: str, edition: int | None, paper: str) -> Mapping[str, bytes]:
        from render.game.declared.new_files import first_files

        return first_files(self.rules, folder, name, paper)

    def new_card(self, given: Mapping[str, str], card_set: DeclaredSet) -> Mapping[str, NewValue]:
        from render.game.declared.new_files import new_card

        return new_card(self.rules, given)

    def ordered(self, cards: Sequence[DeclaredCard]) -> Sequence[DeclaredCard]:
        """Return the cards by the fields of `order`: kinds as the game lists them, the rest by number or alphabet."""
        if not self.rules.order:
            return cards
        kinds = {kind: rank for rank, kind in enumerate(self.kinds)}
        fields = {each.name: each for each in self.rules.fields}

        def key(card: DeclaredCard) -> tuple[tuple[object, ...], ...]:
            own = {"kind": kinds[card.kind.value], "id": card.id, "name": card.name, "back": card.back,
                   "template": card.template_name, "copies": card.copies, **dict(card.values)}  # fmt: skip
            return tuple(_rank(own.get(name, ""), fields.get(name)) for name in self.rules.order)

        return chosen(cards, sorted(range(len(cards)), key=lambda number: key(cards[number])))

    # --- laying cards out -----

    def values(
        self, card: DeclaredCard, card_set: DeclaredSet, artworks: Mapping[str, Artwork], least_type: float
    ) -> Mapping[str, object]:
        every = {"set": card_set.name, "least_type": least_type}  # `IN_TEMPLATES` keeps fields from these names
        small = [
            {**self._own_values(each, {**artworks, **_of_face(artworks, number, each)}), **every}
            for number, each in enumerate(card.small)
        ]
        return {**self._own_values(card, artworks), **every, "faces": small}

    def _own_values(self, card: DeclaredCard, artworks: Mapping[str, Artwork]) -> dict[str, object]:
        """Return the values of a card, or of a small card that it shows."""
        texts = self.texts_of(card)
        values = dict(card.values)
        chosen = {
            "kind": card.kind.value,
            **{each.name: values[each.name] for each in self.rules.fields if each.choices},
        }
        said = {name: texts.get(str(word), word) for name, word in chosen.items()}
        pictures = {key: _picture(picture, artworks[key]) for key, picture in card.pictures.items() if key in artworks}
        return {
            "language": card.language,  # a game may have fields of this name, and of the next ones
            "variant": card.variant,
            "words": {**texts, **said},
            **{name: _shown(value) for name, value in card.values},
            **self._rich_values(card),
            **{each.name: pictures.get(each.name) for each in self.rules.fields if each.is_picture},
            "id": card.id,
            "name": card.name,
            "kind": card.kind.value,
            "copies": card.copies,
            "art": pictures.get(ART),
        }

    def _rich_values(self, card: DeclaredCard) -> dict[str, object]:
        """Return the values of rich texts and icons, which templates print as elements."""
        if not self.rules.is_rich:
            return {}
        own = dict(card.values)
        return {
            each.name: rich_value(self.rules, each, str(own[each.name]), card.language)
            for each in self.rules.fields
            if each.is_rich
        }

    def texts_of(self, card: DeclaredCard) -> Mapping[str, str]:
        """Return what stands for words of the game in the language of a card."""
        return dict(self.rules.words.in_language(card.language).texts)

    def _plain_values(self, card: DeclaredCard) -> dict[str, FieldValue]:
        """Return the values of a card for lists: rich texts as their words alone."""
        return {**dict(card.values), **{name: str(text) for name, text in self._rich_values(card).items()}}

    def expression_values(self, card: DeclaredCard) -> Mapping[str, object]:
        from render.game.declared.card_reading import in_expressions

        return {**Game.expression_values(self, card), **in_expressions(card)}

    # --- words -----

    def about(self, card: DeclaredCard) -> str:
        """Return the kind, and the first short text of the table."""
        return " · ".join(filter(None, (self.texts_of(card).get(card.kind.value, card.kind.value), *self._told(card))))

    def _told(self, card: DeclaredCard) -> Iterator[str]:
        """Yield what the columns of `table` say of a card: numbers with their names, of flags the names."""
        values, apart = self._plain_values(card), _told_apart(card) if card.small else {}
        texts = self.texts_of(card)
        for name in self.rules.table:
            value, label = values.get(name), texts.get(name, name.replace("_", " "))
            if isinstance(value, bool):
                yield label if value else ""
            elif isinstance(value, int | float) or name in apart:
                yield f"{label} {apart.get(name, value)}"
            elif value:
                yield texts.get(_in_words(value), _in_words(value))

    def words(self, card: DeclaredCard) -> str:
        texts = (_in_words(value) for each in card.small or (card,) for value in self._plain_values(each).values())
        return " ".join(filter(None, (card.name, card.kind.value, *texts, *card.names[1:]))).lower()

    def description(self, card: DeclaredCard) -> str:
        """Return the fields of a card that say something, each in a line; the small cards that it shows by name."""
        if card.small:
            return "\n\n".join(f"{each.name}\n{self.description(each)}".strip() for each in card.small)
        return "\n".join(f"{label}: {words}" for label, words in self._shown(card, ()))

    def _shown(self, card: DeclaredCard, known: Container[str]) -> Iterator[tuple[str, str]]:
        """Yield the fields of a card that say something, but those that are `known`, by what people call them."""
        # What follows from other fields is often meant for templates alone, such as a color.
        hidden = {each.name for each in self.rules.fields if each.value and each.name not in self.rules.table}
        hidden |= {name for name, _ in card.shown_pictures}
        texts = self.texts_of(card)
        for name, value in self._plain_values(card).items():
            if name not in hidden and name not in known and (words := _in_words(value)):
                yield texts.get(name, name.replace("_", " ")), texts.get(words, words)

    def facts(self, card: DeclaredCard) -> CardFacts:
        """Return what the gallery says of a card."""
        return CardFacts(
            kind=self.texts_of(card).get(card.kind.value, card.kind.value),
            told="; ".join(filter(None, self.description(card).splitlines())),
            text="\n".join(self._sentences(card)),
            traits=tuple(self._traits(card)),
            others=tuple(self._others(card)),
        )

    def _others(self, card: DeclaredCard) -> Iterator[tuple[str, str]]:
        """Yield the fields of a card, of both faces of one that has two, that are neither sentences nor in the table."""
        texts = {each.name for each in self.rules.fields if each.type in _OF_TEXT}
        faces = [dict(self._shown(each, {*texts, *self.rules.table})) for each in card.small or (card,)]
        for label in dict.fromkeys(label for face in faces for label in face):
            yield label, ", ".join(dict.fromkeys(face[label] for face in faces if label in face))

    def _sentences(self, card: DeclaredCard) -> Iterator[str]:
        """Yield the texts of a card, of one with two faces below the name of each."""
        of_text = {each.name for each in self.rules.fields if each.type in _OF_TEXT}
        for face in card.small or (card,):
            texts = [str(value) for name, value in self._plain_values(face).items() if name in of_text and value]
            yield from (*([face.name] if card.small and texts else ()), *texts)

    def _traits(self, card: DeclaredCard) -> Iterator[CardTrait]:
        """Yield what the columns of `table` tell of a card, of both faces of one that has two."""
        faces, texts = [self._plain_values(each) for each in card.small or (card,)], self.texts_of(card)
        for name in self.rules.table:
            declared = self.rules.field_named(name)
            if declared is None or declared.type in (FieldType.PICTURE, *_OF_TEXT):
                continue
            found = dict.fromkeys(each for face in faces for each in _as_items(face[name]) if each not in ("", None))
            words = ["no" if each is False else str(_in_cell(each)) for each in found]
            ranks = [rank for each in found if (rank := _rank(each, declared))[0] == 0]
            yield CardTrait(
                label=texts.get(name, name.replace("_", " ")),
                values=tuple(texts.get(word, word) for word in words),
                ranks=tuple(float(rank[1]) for rank in ranks) if len(ranks) == len(found) else (),  # type: ignore[arg-type] # a number
            )

    @property
    def icon_names(self) -> Mapping[str, str]:
        return {icon.name: PurePath(icon.file).stem.replace("-", " ") for icon in self.rules.icons}

    @property
    def columns(self) -> tuple[str, ...]:
        return self.rules.table or COLUMNS

    def row(self, card: DeclaredCard) -> tuple[object, ...]:
        own = {
            "id": card.id, "name": card.name, "kind": card.kind.value, "template": card.template_name,
            "back": card.back, "copies": card.copies, **self._plain_values(card),
        }  # fmt: skip
        apart = _told_apart(card) if card.small else {}
        return tuple(apart.get(name) or _in_cell(own[name]) for name in self.columns)

    # --- what makes an output stale -----

    def place_of_template(self, card: DeclaredCard, face: int) -> Span:
        from render.game.declared.own_files import place_of_template

        return place_of_template(self.rules, card.kind, face)

    def place_of_back(self, card: DeclaredCard) -> Span:
        from render.game.declared.own_files import place_of_back

        return place_of_back(self.rules, card.kind)

    def parts(self, card: DeclaredCard) -> Mapping[str, object]:
        own = {"name": card.name, "kind": card.kind.value, "template": card.template_name, "copies": card.copies}
        own |= dict(card.values)
        return {**own, "faces": tuple((each.name, each.values) for each in card.small)} if card.small else own

    def shared_parts(self, card_set: DeclaredSet) -> object:
        rules = self.rules
        # A text in the notation of rich texts, and a picture, look otherwise than the same words in a line.
        types = tuple((each.name, each.type.value) for each in rules.fields if each.is_rich or each.is_picture)
        return card_set.name, card_set.language, rules.icons, rules.colors, rules.fonts, rules.words, types

    def rule_files(self, folder: Path) -> Sequence[tuple[object, Path]]:
        cuts = ((kind.cut_file, self.rules.folder / kind.cut_file) for kind in self.rules.kinds if kind.cut_file)
        return [(_RULES, self.rules.folder / GAME_FILE), *cuts]

    def rules_of(self, card: DeclaredCard) -> object:
        return _RULES

    # --- checks -----

    def judge(self, sets: Sequence[DeclaredSet], edition: int | None = None) -> list[Finding]:
        from render.game.declared.checks import findings_by_rules, lacking_texts, lacking_words
        from render.game.declared.own_files import unnamed_icons

        cards = (card for card_set in sets for card in card_set.cards)
        lacking = (each for card_set in sets for each in lacking_words(self.rules, card_set))
        languages = dict.fromkeys(card_set.foreign for card_set in sets if card_set.foreign)
        texts = lacking_texts(self.rules, languages)
        return [*unnamed_icons(self.rules), *findings_by_rules(self.rules, cards), *lacking, *texts]

    def unshown(self, card_set: DeclaredSet) -> Iterator[Finding]:
        from render.game.declared.checks import (
            blank_icons,
            braces_in_texts,
            off_card,
            templates_of,
            unreached,
            unshown_fields,
        )

        yield from unshown_fields(self.rules, card_set)
        yield from braces_in_texts(templates_of(self.rules, card_set), card_set, self.rules.icons)
        yield from blank_icons(self.rules, card_set)
        yield from unreached(self.rules, card_set)
        yield from off_card(card_set)

    def icons(self, card_set: DeclaredSet) -> Iterator[ShownIcon]:
        from render.game.declared.checks import shown_icons

        return shown_icons(self.rules, card_set)

    def origin(self, card: DeclaredCard, card_set: DeclaredSet, name: str) -> Origin | None:
        from render.game.declared.own_files import origin_in_game

        return origin_in_game(self.rules, card, name)

    # --- figures -----

    def counted(self, cards: Sequence[DeclaredCard]) -> Mapping[str, Sequence[str]]:
        """Return the numbers, choices, lists and flags, and those that follow from other fields and are numbers."""
        types = (FieldType.NUMBER, FieldType.CHOICE, FieldType.LIST, FieldType.FLAG)
        words = {name for card in cards for name, value in card.values if not isinstance(value, int | float | None)}
        counts = (each for each in self.rules.fields if (each.name not in words if each.value else each.type in types))
        return {each.name: each.choices for each in counts}

    # --- decks -----

    def is_played(self, card: DeclaredCard) -> bool:
        return card.kind.in_decks

    def judge_deck(self, deck: DeclaredSet, cards: Sequence[DeckCard[DeclaredCard]]) -> list[Finding]:
        from render.game.declared.checks import findings_of_deck

        return findings_of_deck(self.rules, cards)

    # --- schemas for editors -----

    def card_file_schema(self, edition: int | None = None, kinds: Sequence[CardKind] = ()) -> Shape:
        from render.game.declared.card_table import card_file_shape

        return card_file_shape(self.rules)

    def other_schemas(self) -> Mapping[str, Shape]:
        return {"game": game_file_shape()}


def _of_face(artworks: Mapping[str, Artwork], number: int, face: DeclaredCard) -> Mapping[str, Artwork]:
    """Return the pictures that only a small card has, by its own keys."""
    keys = {key: key_of_face(number, key) for key in face.pictures}
    return {key: artworks[of_card] for key, of_card in keys.items() if of_card in artworks}


def _picture(picture: CardPicture, artwork: Artwork) -> Mapping[str, object]:
    """Return what a template sees of a picture."""
    shape, said = artwork.shape, {"author": picture.author, "license": picture.license}
    return {"href": picture.href, "width": round(shape.width), "height": round(shape.height), **said}


def _shown(value: FieldValue) -> object:
    """Return a value as a template has it: lists as lists, and texts of several lines with their line breaks."""
    if isinstance(value, str) and "\n" in value:
        from render.layout.templates.environment import Lines

        return Lines(value)
    return [_shown(each) for each in value] if isinstance(value, tuple) else value


def _rank(value: FieldValue, declared: DeclaredField | None) -> tuple[object, ...]:
    """Return by what a value is sorted: numbers before words, choices as the game lists them, nothing last."""
    if value is None or value == "":
        return (3,)
    if declared and declared.choices and value in declared.choices:
        return 0, declared.choices.index(str(value))
    if isinstance(value, int | float):
        return 0, value
    words = _in_words(value)
    return 1, words.casefold(), words


def _as_items(value: FieldValue) -> tuple[FieldValue, ...]:
    return value if isinstance(value, tuple) else (value,)


def _in_words(value: FieldValue) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    return ", ".join(map(_in_words, value)) if isinstance(value, tuple) else str(value)


def _told_apart(card: DeclaredCard) -> Mapping[str, str]:
    """Return what the small cards of a card say differently and the card itself cannot: numbers, choices and flags."""
    first, *others = [{name: _in_cell(value) for name, value in each.values} for each in card.small]
    own = {name: _in_cell(value) for name, value in card.values}
    differing = [
        name for name in first if own[name] == first[name] and any(each[name] != first[name] for each in others)
    ]
    return {name: BETWEEN.join(str(each[name] or "–") for each in (first, *others)) for name in differing}


def _in_cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else None
    return _in_words(value) if isinstance(value, tuple) else None if value == "" else value

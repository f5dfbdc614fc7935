"""What `game.yaml` says, as values, the table of its keys, and how it is read. cards/reference/games.md is the reference."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic, Problem, Refused, has_errors
from render.base.limits import DECK_CARDS
from render.base.patterns import regex
from render.base.values import PartlyCompared
from render.game.declared.reading.field_keys import FIELD, TYPES, DeclaredField, FieldType, read_fields
from render.game.declared.reading.file_keys import (
    FONT,
    ICON,
    DeclaredIcon,
    read_colors,
    read_fonts,
    read_icons,
)
from render.game.declared.reading.game_keys import GAME as FILE
from render.game.declared.reading.game_keys import GameReading, entries, note_in_text
from render.game.declared.reading.kind_keys import KIND, DeclaredKind, read_id_template, read_kinds, read_names
from render.game.folder import GAME_FILE
from render.game.languages import LANGUAGE_NAME, read_by_language
from render.source import reader, shapes
from render.source.fields import Fields
from render.source.key_tables import NAME, WORDS_SHAPE, Key, KeyTable, Read, Value, whole, words
from render.source.nodes import Document, Node, Scalar, Sequence
from render.source.nodes import Mapping as Nodes
from render.source.shapes import Shape
from render.text.characters import ANY_FONT
from render.text.font_roles import FontRole

if TYPE_CHECKING:
    from render.layout.rich_notation import Notation, RichText


class GameWords(Struct, frozen=True):
    """Keywords that rich texts set bold, the reminders that are printed behind keywords where they fit, and `texts` by
    the words that stand for them; and the same in other languages."""

    bold: tuple[str, ...] = ()
    reminders: tuple[tuple[str, str], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    languages: tuple[tuple[str, GameWords], ...] = ()

    def in_language(self, language: str) -> GameWords:
        """Return the words for cards in a language, which may also say something in that of the game.

        What has a text in any language stands for itself in the others.
        """
        if not self.languages:
            return self
        own = dict(self.languages).get(language, GameWords())
        names = tuple((name, name) for _, each in self.languages for name, _ in each.texts)
        texts = _joined(names, self.texts, own.texts)
        return GameWords((*own.bold, *self.bold), _joined(self.reminders, own.reminders), texts)


def _joined(*pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple({name: text for some in pairs for name, text in some}.items())


def read_words(root: Fields, key: str, _: GameReading) -> GameWords:
    """Return the keywords, and the reminders behind them."""
    fields = root.inner(key)
    return GameWords(**WORDS.read(fields)) if fields else GameWords()


def _texts(what: str) -> Read:
    def read(fields: Fields, key: str, _: object) -> tuple[tuple[str, str], ...]:
        # That a font has their letters is seen where they are drawn: it may be one for another language.
        of_any = replace(fields, fonts=ANY_FONT)
        texts = [
            (name.value, inner.words(name.value, what=what)) for name, _, inner in entries(of_any, key, f"{what}s")
        ]
        return tuple((name, words) for name, words in texts if words)

    return read


def _of_languages(fields: Fields, key: str, _: object) -> tuple[tuple[str, GameWords], ...]:
    return tuple((language, GameWords(**said)) for language, said in read_by_language(fields, key, _IN_ONE).items())


_IN_ONE = KeyTable(
    Key("bold", words("[Flying, Swift]"), "keywords that rich texts set bold", "words", "none", default=()),
    Key(
        "reminders",
        Value(shapes.named(shapes.WORD, shapes.FULL_LINE), _texts("reminder")),
        "what is printed behind a keyword, where it fits",
        "rich texts by keyword",
        "none",
        default=(),
    ),
    Key(
        "texts",
        Value(shapes.named(shapes.WORD, shapes.FULL_LINE), _texts("text")),
        "what templates print as `card.words`: for kinds, choices, and words of your own",
        "texts by word",
        "none",
        default=(),
    ),
)
WORDS = _IN_ONE + KeyTable(
    Key(
        "languages",
        Value(shapes.named(LANGUAGE_NAME, _IN_ONE.shape), _of_languages),
        "all this in other [languages](../languages.md#games-of-your-own)",
        "keys by language",
        "none",
        default=(),
    ),
)
"""The keys of `words`."""


class DeckLimits(Struct, frozen=True):
    """How many cards a deck has, at least and at most, and how often it may have one; None where there is no limit."""

    least: int | None = None
    most: int | None = None
    copies: int | None = None


def read_deck(root: Fields, key: str, _: GameReading) -> DeckLimits:
    """Return how large decks are, and how often they may have a card."""
    node = root.values[key]
    if isinstance(node, Scalar) and _whole(node):
        root.expected(key, "keys and values", f"write `deck: {{size: {node.value}}}`")
        return DeckLimits()
    fields = root.inner(key)
    given = DECK.read(fields) if fields else {"size": (None, None)}
    least, most = given.pop("size")
    return DeckLimits(least, most, **given)


def _size(fields: Fields, key: str, _: object) -> tuple[int | None, int | None]:
    """Return the least and the most; `size: 60` is for both, and `[40]` has no most."""
    node = fields.values[key]
    wanted = f"a number of cards from 1 to {DECK_CARDS.most}, or the least and the most"
    if isinstance(node, Scalar) and (both := _FROM_TO.fullmatch(node.value)):
        fields.expected("size", wanted, f"write `size: [{both[1]}, {both[2]}]`", instead=f"[{both[1]}, {both[2]}]")
        return None, None
    if not isinstance(node, Sequence):
        size = fields.whole("size", 1, DECK_CARDS.most)
        return size, size
    numbers = [_whole(item) for item in node.items]
    if len(numbers) not in (1, 2) or None in numbers:
        fields.expected("size", wanted, "write for example `size: [40, 60]`")
        return None, None
    least, most = (numbers[0], numbers[-1] if len(numbers) > 1 else None)
    if least is not None and most is not None and least > most:
        message = f"a deck has at least {least} cards, and at most {most}"
        fields.note("006", message, fields.place("size"), f"write `size: [{most}, {least}]`", "size")
    return least, most


_FROM_TO = regex(r"([1-9][0-9]{0,3}) ?(?:-|–|to|\.\.\.?) ?([1-9][0-9]{0,3})")


def _whole(node: Node) -> int | None:
    written = node.value if isinstance(node, Scalar) else ""
    return int(written) if re.fullmatch("[1-9][0-9]{0,3}", written) else None


_COUNT = shapes.whole(1, DECK_CARDS.most)
DECK = KeyTable(
    Key(
        "size",
        Value(shapes.either(_COUNT, {**shapes.listing(_COUNT, 1), "maxItems": 2}), _size),
        "how many cards a deck has",
        "a number, or the least and the most such as `[40, 60]`",
        "no limit",
        default=(None, None),
    ),
    Key("copies", whole(1, DECK_CARDS.most), "how often a deck may have one card", "a number", "no limit"),
)
"""The keys of `deck`."""


# --- the game -------------------------------------------------------------------------------------------------------


IN_LANGUAGE = " in "
"""Stands between the name of a role of fonts and a language for which it has files of its own."""

_NO_LIMITS, _NO_WORDS = DeckLimits(), GameWords()


class GameRules(PartlyCompared, frozen=True, kw_only=True):
    """All that `game.yaml` in `folder` says. `table` are the columns of tables, `order` is by what cards are sorted.

    `id_template` gives the id of a card that has none; "" for the slug of its name. `document` is the file.
    """

    uncompared: ClassVar = frozenset({"document"})

    folder: Path
    name: str
    fields: tuple[DeclaredField, ...] = ()
    kinds: tuple[DeclaredKind, ...] = ()
    icons: tuple[DeclaredIcon, ...] = ()
    colors: tuple[tuple[str, str], ...] = ()
    fonts: tuple[FontRole, ...] = ()
    words: GameWords = _NO_WORDS
    deck: DeckLimits = _NO_LIMITS
    table: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    id_template: str = ""
    document: Document

    @property
    def is_rich(self) -> bool:
        """Whether texts of its cards are in the notation of rich texts."""
        return any(each.is_rich for each in self.fields)

    @property
    def every_font(self) -> tuple[FontRole, ...]:
        """The roles of fonts, and as roles of their own those for other languages."""
        of_languages = (
            FontRole(name=f"{role.name}{IN_LANGUAGE}{language}", files=files)
            for role in self.fonts
            for language, files in role.of_languages
        )
        return (*self.fonts, *of_languages)

    @property
    def icon_names(self) -> tuple[str, ...]:
        """The names of the icons, in their order."""
        return tuple(each.name for each in self.icons)

    @property
    def kinds_by_name(self) -> dict[str, DeclaredKind]:
        """The kinds by their names, in their order."""
        return {each.value: each for each in self.kinds}

    def field_named(self, name: str) -> DeclaredField | None:
        """Return the field of that name; None if there is none."""
        return next((each for each in self.fields if each.name == name), None)

    def node(self, *path: str) -> Node | None:
        """Return the value at a path of keys in the file; None if there is none."""
        node: Node | None = self.document.root
        for name in path:
            node = node.get(name) if isinstance(node, Nodes) else None
        return node


_NAME: Shape = {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"}
_COLOR = shapes.matching("^#([0-9a-fA-F]{3}){1,2}$", "a color such as #b5432a")

GAME = KeyTable(
    Key("name", NAME, "what messages call the game", "text in one line", needed=True, default=""),
    Key(
        "kinds",
        Value({**shapes.named(_NAME, shapes.either(KIND.shape, {"type": "null"})), "minProperties": 1}, read_kinds),
        "the kinds of card",
        "names with [their keys](#kinds)",
        needed=True,
        default=(),
    ),
    Key(
        "fields",
        Value(shapes.named(_NAME, shapes.either(shapes.word(TYPES), FIELD.shape, {"type": "null"}))),
        "what cards have besides the keys of every card",
        "names with [their keys](#fields)",
        "none",
    ),
    Key(
        "icons",
        Value(shapes.named(shapes.WORD, shapes.either(shapes.WORD, ICON.shape)), read_icons),
        "pictures that stand in texts: [icons](rich-text.md#icons-and-colors)",
        "names with SVG files, perhaps with a `size`",
        "none",
        default=(),
    ),
    Key(
        "colors",
        Value(shapes.named(shapes.WORD, _COLOR), read_colors),
        "colors that texts may name",
        'names with `"#b5432a"`',
        "none",
        default=(),
    ),
    Key(
        "fonts",
        Value(shapes.named(shapes.WORD, shapes.either(shapes.WORD, FONT.shape)), read_fonts),
        "[fonts](#fonts) of the game's folder",
        "roles with files",
        "none",
        default=(),
    ),
    Key(
        "words",
        Value(WORDS.shape, read_words),
        "[keywords](rich-text.md#words)",
        "`bold`, `reminders`, `texts`, `languages`",
        "none",
        default=_NO_WORDS,
    ),
    Key(
        "deck",
        Value(DECK.shape, read_deck),
        "[how large decks are](#decks)",
        "`size`, `copies`",
        "no limit",
        default=_NO_LIMITS,
    ),
    Key(
        "table",
        Value(WORDS_SHAPE, read_names),
        "the columns of `cards.csv`; what the gallery tells of a card, and filters and orders cards by",
        "names of fields",
        "`[id, name, kind, copies]`",
        default=(),
    ),
    Key(
        "order",
        Value(WORDS_SHAPE, read_names),
        "the order of the cards in all outputs",
        "names of fields",
        "as written",
        default=(),
    ),
    Key(
        "id",
        Value(shapes.FULL_LINE, read_id_template),
        'the ids of cards that give none, made of fields of the game: `"{{ name }}-{{ power }}"`',
        "text with `{{ }}`",
        "from the name",
        default="",
        attribute="id_template",
    ),
)
"""The keys of `game.yaml`."""


def game_file_shape() -> Shape:
    """Return the schema of `game.yaml`."""
    return {"title": "Game", **GAME.shape}


# --- reading the file ---------------------------------------------------------------------------------------------------


def read_game(folder: Path) -> tuple[GameRules | None, tuple[Diagnostic, ...]]:
    """Return what the `game.yaml` of a folder says, None if that is wrong, and all findings in it."""
    try:
        text = reader.read_text(folder / GAME_FILE, folder)
    except Refused as refused:
        return None, tuple(refused.findings)
    return understood(text, folder)


@cached(16)
def understood(text: str, folder: Path) -> tuple[GameRules | None, tuple[Diagnostic, ...]]:
    """Return what a text says as the `game.yaml` of a folder, as in `read_game`. No file is looked for."""
    document, findings = reader.read_as_partly(text, folder / GAME_FILE)
    if document is None:
        hint = "write `name:` and `kinds:` of the game, or remove the file"
        return None, tuple(replace(each, hint=hint) if each.code == "Y006" else each for each in findings)
    if not isinstance(document.root, Nodes):
        return None, (*findings, FILE.no_mapping(document, document.root))
    rules = _rules(Fields(document=document, node=document.root, kind=FILE, findings=findings), folder)
    return None if has_errors(findings) else rules, tuple(findings)


def _rules(root: Fields, folder: Path) -> GameRules:
    root.note_cut_off(("name", "back", "file"))
    own = read_fields(root)
    derived = frozenset(each.name for each in own if each.value)
    reading = GameReading(root, derived, frozenset(each.name for each in own if each.required))
    rules = GameRules(folder=folder, fields=own, document=root.document, **GAME.read(root, reading))
    if derived:
        from render.game.declared.reading.derived import check_circles

        check_circles(root, own)
    if rules.is_rich or rules.words.reminders:
        _check_own_texts(root, rules)
    return rules


# --- rich texts and icons: what is wrong in them, and what they are to templates and to lists -----------------------------


def _notation_of(rules: GameRules, language: str) -> Notation:
    """Return what the game gives to the notation of rich texts in a language."""
    from render.layout.rich_notation import Notation

    words = rules.words.in_language(language)
    return Notation(
        tuple((each.name, each.file) for each in rules.icons),
        rules.colors,
        words.bold,
        words.reminders,
        tuple((each.name, each.size) for each in rules.icons if each.size),
    )


def rich_value(rules: GameRules, declared: DeclaredField, text: str, language: str) -> RichText:
    """Return a rich text, or a text of icons, as templates have it."""
    return _read(rules, declared, text, language)[0]


def note_rich(fields: Fields, key: str, declared: DeclaredField, rules: GameRules, text: str) -> None:
    """Note everything that is wrong with the text of a key, at its place."""
    for problem in _read(rules, declared, text)[1]:
        note_in_text(fields, key, problem)


def _read(
    rules: GameRules, declared: DeclaredField, text: str, language: str = ""
) -> tuple[RichText, tuple[Problem, ...]]:
    from render.layout.rich_notation import read_icons, read_rich

    read = read_icons if declared.type is FieldType.ICONS else read_rich
    return read(text, _notation_of(rules, language))


def _check_own_texts(root: Fields, rules: GameRules) -> None:
    """Note what is wrong with the defaults and the reminders of a game."""
    for each in rules.fields:
        node = rules.node("fields", each.name)
        if each.is_rich and each.default and isinstance(node, Nodes):
            below = Fields(
                document=root.document, node=node, kind=root.kind, path=f"fields.{each.name}.", findings=root.findings
            )
            note_rich(below, "default", each, rules, str(each.default))
    of_languages = ((("languages", language), each) for language, each in rules.words.languages)
    for way, own in ((), rules.words), *of_languages:
        reminders = rules.node("words", *way, "reminders")
        if isinstance(reminders, Nodes):
            path = ".".join(("words", *way, "reminders", ""))
            below = Fields(document=root.document, node=reminders, kind=root.kind, path=path, findings=root.findings)
            for name, text in own.reminders:
                note_rich(below, name, DeclaredField(name=name, type=FieldType.RICH), rules, text)

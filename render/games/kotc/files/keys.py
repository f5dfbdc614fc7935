"""The keys of a card, as a table; which of them a card has, by kind and edition; and messages about those it has not."""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import quoted
from render.base.geometry import MM_PER_POINT
from render.game.card_reading import CARD_KEYS, PICTURE, Surroundings, read_picture_file
from render.game.declared.reading.field_keys import FieldType
from render.game.languages import words_shape
from render.game.picture_keys import framed, framing_keys
from render.games.kotc.editions.reading import SHIPPED, usual_grammar
from render.games.kotc.files.words_key import WORDS, read_words
from render.games.kotc.model.cards import CREDIT_FONTS, OLD_NAMES, AnyKind, Art, ArtFit, Corner, Kind, ordinal, own_set
from render.games.kotc.model.declaration import LAST_EDITION, declaration, declared_kind
from render.games.kotc.model.edition import Grammar, NewKind
from render.source import shapes
from render.source.fields import HIGHEST, Fields
from render.source.key_tables import LINE, WORD, Key, KeyTable, Value, cell_of, choice, whole, word
from render.source.nodes import Scalar, Sequence, scalars_of
from render.source.scalar_values import ScalarStyle
from render.source.shapes import Shape

NO_EDITION = "none"  # what a card without Edition Indicator says of its edition
KINDS = tuple(kind.value for kind in declaration().kinds)
AUTO = ("level", OLD_NAMES["level"], "ultra_points")  # the numbers that the rules of an edition can give
SMALLEST, LARGEST = 3.5, 24.0  # pt: smaller letters nobody reads, and larger ones leave no room for a text
LARGEST_LEAST = 8.0  # pt: what a set may ask for at least
SMALLEST_FLAVOR = 2.0  # pt
SPACING = (-1.5, 6.0)  # pt: letters that stand closer run into each other
COLORS = ("white", "black")  # of the names upon a picture


# --- sizes ----------------------------------------------------------------------------------------------------------


def _text_size(fields: Fields, key: str, around: Surroundings) -> float | None:
    # What is wrong with `least_text` is noted there.
    least = own_set(around.card_set).least_text / MM_PER_POINT if around.sound else SMALLEST
    hint = f"the smallest size is `least_text` of set.yaml, which may be {SMALLEST:g} to {LARGEST_LEAST:g}"
    return _size(fields, key, round(least, 4), hint)


def _size(fields: Fields, key: str, least: float, hint: str = "") -> float | None:
    """Return the size in mm that an author chose; None where it is left to the program."""
    node = fields.values[key]
    if isinstance(node, Scalar) and node.value == "auto":
        return None
    size = fields.points(key, least, LARGEST, or_word="auto", hint=hint)
    return None if size is None else size * MM_PER_POINT


def _size_shape(least: float) -> Shape:
    return shapes.number(least, LARGEST, "auto")


def _size_from(least: float) -> Value:
    return Value(_size_shape(least), lambda fields, key, _: _size(fields, key, least))


# --- numbers and texts ---------------------------------------------------------------------------------------------


def is_auto(fields: Fields, key: str) -> bool:
    """Return whether a card leaves a number to the rules of its edition."""
    return key in AUTO and isinstance(node := fields.values.get(key), Scalar) and node.value == "auto"


_AUTO_NUMBER = Value(
    shapes.whole(0, HIGHEST, "auto"),
    lambda fields, key, _: None if is_auto(fields, key) else fields.whole(key, 0, HIGHEST, or_word="auto"),
)


_TEXT = Value(shapes.TEXT, lambda fields, key, _: fields.text(key, lines=True))
_FULL_TEXT = Value(shapes.TEXT, lambda fields, key, _: fields.words(key, lines=True))


# --- pictures -------------------------------------------------------------------------------------------------------


def _art(fields: Fields, key: str, around: Surroundings) -> Art | None:
    node = fields.values[key]
    if isinstance(node, Scalar):
        if not node.value and node.style is ScalarStyle.PLAIN:
            fields.expected(key, "a picture file", "remove the key if the card has no picture")
            return None
        file = read_picture_file(fields, key, node.value, around.home)
        return Art(node.value, file) if file else None
    if isinstance(node, Sequence):
        named = next((each for each in scalars_of(node) if "." in each), "art/picture.jpg")
        hint = f"write {quoted(f'art: {named}')}: a card has one picture"
        fields.expected(key, "a picture file, or keys and values", hint)
        return None
    inner = fields.inner(key)
    if inner is None:
        return None
    given = ART.read(inner, misplaced=_misplaced_below_art)
    file = read_picture_file(inner, "file", given["name"], around.home) if given["name"] else None
    framing, rest = framed(given)
    return Art(file=file, framing=framing, **rest) if file else None


def _misplaced_below_art(key: str) -> tuple[str, str, str] | None:
    """Return message and hint for a key of the card that stands below `art`, as `misplaced`; None for another."""
    if key not in CARD.names:
        return None
    return f"`{key}` is a key of the card, and stands below `art`", "begin it exactly below `art`", ""


ART = KeyTable(
    Key(
        "file",
        Value(PICTURE, lambda fields, key, _: fields.words(key)),
        "a JPEG, PNG, WebP, AVIF or [SVG](#drawings-svg) in that folder",
        "path from the set's folder, with `/`",
        needed=True,
        default="",
        attribute="name",
    ),
    Key("author", LINE, "who made the picture; printed on it", "text in one line", "none", default=""),
    Key(
        "license",
        LINE,
        "its license, for example `CC0` or `CC BY-SA`; printed below the author",
        "text in one line",
        "none",
        default="",
    ),
    Key(
        "corner",
        choice(Corner.TOP_LEFT),
        "the corner for author and license",
        cell_of(corner.value for corner in Corner),
        "`top-left`",
        default=Corner.TOP_LEFT,
    ),
    Key(
        "color",
        word(COLORS, "white"),
        "the color of the author's name",
        cell_of(COLORS),
        "`white`",
        default="white",
    ),
    Key(
        "fit",
        choice(ArtFit.CONTAIN),
        "`contain` shows the whole picture; `cover` fills the box and cuts off the rest",
        cell_of(fit.value for fit in ArtFit),
        "`contain`",
        default=ArtFit.CONTAIN,
    ),
    *framing_keys(),
)
"""The keys of `art`."""

CARD = KeyTable(
    CARD_KEYS["name"],
    Key(
        "name_size", _size_from(SMALLEST), "for a name that is set [smaller and closer](#sizes-of-texts)", "sizes in pt"
    ),
    Key(
        "name_spacing",
        Value(shapes.number(*SPACING), lambda fields, key, _: (fields.points(key, *SPACING) or 0.0) * MM_PER_POINT),
        "for a name that is set [smaller and closer](#sizes-of-texts)",
        "sizes in pt",
        default=0.0,
    ),
    Key(
        "kind",
        Value(shapes.word(KINDS)),
        "what the card is: its [numbers](#numbers-of-a-card) follow from it",
        cell_of(KINDS),
        "*required*",
        needed=True,
    ),
    CARD_KEYS["id"],
    Key(
        "edition",
        Value(shapes.whole(1, LAST_EDITION, NO_EDITION)),
        "the edition for whose rules the card is designed; it is printed on the card. `none`: a card [without "
        "Edition Indicator](#cards-without-edition-indicator)",
        "1 to 999, `none`",
        "the set's",
    ),
    Key(
        "level",
        _AUTO_NUMBER,
        "for minions and spells from the 12th Edition on; `auto`: [calculated](levels.md) by the rules",
        "whole number, `auto`",
        "*required*",
    ),
    Key("sp", whole(0, HIGHEST), "for minions", "whole number", "*required*"),
    Key("hp", whole(0, HIGHEST), "for minions", "whole number", "*required*"),
    Key(
        "ultra_points",
        _AUTO_NUMBER,
        "for minions, spells and pawns from the 12th Edition on; drawn if above 0",
        "whole number, `auto`",
        "`0`",
    ),
    Key(
        "cost",
        _AUTO_NUMBER,
        "for creatures and spells up to the 11th Edition; `auto` as for `level`",
        "whole number, `auto`",
        "*required*",
    ),
    Key("offense", whole(0, HIGHEST), "for creatures", "whole number", "*required*"),
    Key("defense", whole(0, HIGHEST), "for creatures", "whole number", "*required*"),
    Key(
        "text",
        _TEXT,
        "the [ability text](ability-text.md) exactly as printed; a spell and a tip need one",
        "text, one line for each ability",
        "none",
        default="",
    ),
    Key(
        "text_size",
        Value(_size_shape(SMALLEST), _text_size),
        "the [size of the text](#sizes-of-texts)",
        "size in pt, `auto`",
        "`auto`",
    ),
    Key("flavor", LINE, "the words in italics at the bottom", "text in one line", "none", default=""),
    Key(
        "flavor_size",
        _size_from(SMALLEST_FLAVOR),
        "the [size of the flavor](#sizes-of-texts)",
        "size in pt, `auto`",
        "`auto`",
    ),
    Key(
        "art",
        Value(shapes.either(PICTURE, ART.shape), _art),
        "[the picture](pictures.md); without one, a placeholder is drawn",
        "a picture file, or keys",
        "none",
    ),
    Key("credit", LINE, "the small line under the picture", "text in one line", "the set's"),
    Key(
        "credit_font",
        Value(shapes.word(CREDIT_FONTS), lambda fields, key, _: fields.word(key, CREDIT_FONTS, "")),
        "its [font](#sizes-of-texts)",
        cell_of(CREDIT_FONTS),
        "the template's",
        default="",
    ),
    CARD_KEYS["back"],
    Key(
        "template",
        WORD,
        "the [template](../../templates/README.md) of its front",
        "a template",
        "that of its kind",
        default="",
    ),
    Key(
        "words",
        Value(words_shape(WORDS), lambda fields, key, _: read_words(fields)),
        "what the card says [in other languages](../languages.md)",
        "languages, with keys",
        "none",
        default=(),
    ),
    CARD_KEYS["copies"],
    CARD_KEYS["draft"],
    CARD_KEYS["variants"],
)
"""The keys of a card; which of them a card has follows from its kind and its edition."""


# --- which keys a card has ---------------------------------------------------------------------------------------------

_NUMBERS = tuple(each.name for each in declaration().fields if each.type is FieldType.NUMBER and each.name != "edition")
_COMMON = tuple(name for name in CARD.names if name not in _NUMBERS)
_ARTISTS = ("artist", "illustrator", "photographer", "painter")
SYNONYMS = {
    "artist": ("author",), "effect": ("text",),
    "effects": ("text",), "ability": ("text",), "abilities": ("text",), "description": ("text",), "rules": ("text",),
    "body": ("text",), "quote": ("flavor",), "flavour": ("flavor",), "flavortext": ("flavor",),
    "flavor_text": ("flavor",), "flavour_text": ("flavor",), "attack": ("sp", "offense"), "atk": ("sp", "offense"),
    "strength": ("sp", "offense"), "power": ("sp", "offense"), "offence": ("offense", "sp"), "str": ("sp", "offense"),
    "health": ("hp", "defense"), "life": ("hp", "defense"), "hitpoints": ("hp", "defense"),
    "hit_points": ("hp", "defense"), "defence": ("defense", "hp"), "def": ("hp", "defense"),
    "lvl": ("level", "cost"), "mana": ("level", "cost"), "price": ("level", "cost"), "up": ("ultra_points",),
    "ultra": ("ultra_points",), "number": ("copies",), "licence": ("license",), "colour": ("color",),
    "monster": ("minion", "creature"), "unit": ("minion", "creature"), "character": ("minion", "creature"),
    "animal": ("minion", "creature"), "magic": ("spell",), "action": ("spell",), "instant": ("spell",),
    "sorcery": ("spell",), "token": ("pawn",), "rule": ("tip",), "help": ("tip",), "hint": ("tip",),
    "src": ("file",), "path": ("file",), "source": ("file",), "url": ("file",), "href": ("file",),
}  # fmt: skip
"""Words of other games and languages, each with the keys or kinds that it may mean."""

_NEW_NAMES = {old: new for new, old in OLD_NAMES.items()}
_ULTRA = "ultra_points"
_NEWEST_LOOK = 17  # the last edition that changed how a card looks (templates/kotc/symbols.svg)
NUMBERS = (*OLD_NAMES, *_NEW_NAMES, _ULTRA)
_ALL = (*_COMMON, *NUMBERS)
OLD_NUMBERS, NEW_NUMBERS = tuple(_NEW_NAMES), (*OLD_NAMES, _ULTRA)


@cached(1)
def last_of_creatures() -> int:
    """Return the last edition of the game of creatures, by the files of the program."""
    numbers = (int(file.stem) for file in SHIPPED.glob("??.yaml"))
    return max(number for number in numbers if usual_grammar(number).of_creatures)


def _where(edition: int, grammar: Grammar) -> str:
    """Return in which editions cards are written as in this one."""
    last = last_of_creatures()
    if grammar.of_creatures is not (edition <= last):  # as its own file says, and no other
        return f"in the {ordinal(edition)} Edition"
    return f"up to the {ordinal(last)} Edition" if grammar.of_creatures else f"from the {ordinal(last + 1)} Edition on"


def era(kind: AnyKind | None, given: Container[str], edition: int | None) -> int:
    """Return the edition by which a card without Edition Indicator is read and drawn: the last of its game.

    Its kind tells whether that is the game of creatures or of minions, else its numbers, else the `edition` of its set.
    """
    old = _is_of_creatures(kind, given)
    if old is None:
        old = edition is not None and usual_grammar(edition).of_creatures
    return last_of_creatures() if old else _NEWEST_LOOK


def _is_of_creatures(kind: AnyKind | None, given: Container[str]) -> bool | None:
    """Return whether a card is of the game of creatures; None if neither kind nor numbers tell."""
    if isinstance(kind, NewKind):
        return False
    if kind in (Kind.CREATURE, Kind.MINION):
        return kind is Kind.CREATURE
    if any(key in given for key in OLD_NUMBERS):
        return True
    return False if any(key in given for key in NEW_NUMBERS) else None


def stat_key(stat: str, grammar: Grammar) -> str:
    """Return the key for `sp`, `hp` or `level`."""
    return OLD_NAMES[stat] if grammar.of_creatures else stat


def is_played(kind: AnyKind) -> bool:
    """Return whether cards of that kind belong in decks."""
    return declared_kind(kind).in_decks


@cached(64)
def stats(kind: AnyKind) -> tuple[str, ...]:
    """Return which of `sp`, `hp` and `level` a card of that kind has, whatever its edition calls them."""
    own = declared_kind(kind).fields
    return tuple(new for new, old in OLD_NAMES.items() if new in own or old in own)


@cached(64)
def is_required(kind: AnyKind | None, key: str) -> bool:
    """Return whether cards of a kind must give `text`, or one of `sp`, `hp` and `level` whatever it is called."""
    return kind is not None and not {key, OLD_NAMES.get(key, key)}.isdisjoint(declared_kind(kind).required)


@cached(128)
def of_card(kind: AnyKind | None, grammar: Grammar | None) -> tuple[str, ...]:
    """Return the keys of a card; all keys if its kind or edition is unknown."""
    if kind is None or grammar is None:
        return _ALL
    numbers = tuple(stat_key(stat, grammar) for stat in stats(kind))
    ultra = (_ULTRA,) if _ULTRA in declared_kind(kind).fields and not grammar.of_creatures else ()
    return (*_COMMON, *numbers, *ultra)


def table_of(kind: AnyKind | None, grammar: Grammar | None, given: Container[str]) -> KeyTable:
    """Return the table of the keys of a card, of which those that it must give are needed.

    A number that is `given` by its name in the other game is noted as such, not as missing, too.
    """
    numbers = stats(kind) if kind and grammar else ()
    needed = (stat for stat in numbers if is_required(kind, stat) and not (stat in given or OLD_NAMES[stat] in given))
    return _table(kind, grammar, tuple(stat_key(stat, grammar or Grammar()) for stat in needed))


@cached(128)
def _table(kind: AnyKind | None, grammar: Grammar | None, needed: tuple[str, ...]) -> KeyTable:
    rows = {row.name: row for row in CARD.keys}
    if is_required(kind, "text"):
        rows["text"] = replace(rows["text"], value=_FULL_TEXT, needed=True)
    return KeyTable(*(rows[key] for key in of_card(kind, grammar))).needing(needed)


def misplaced(
    key: str, kind: AnyKind | None, edition: int | None, grammar: Grammar | None
) -> tuple[str, str, str] | None:
    """Return message and hint for a key that only other cards have, and its name on this card or ""; None if no card
    has it.
    """
    known = of_card(kind, grammar)
    if key in ART.names and key not in known:
        return f"`{key}` belongs below `art`", f"write `art: {{file: art/picture.jpg, {key}: ...}}`", ""
    if key in _ARTISTS:
        return f"`{key}` belongs below `art`, as `author`", "write `art: {file: art/picture.jpg, author: ...}`", ""
    if key in ("sheet", "outputs", "red", "least_text", "language", "languages", "written"):
        return f"`{key}` is a key of set.yaml", "move it there: it is for all cards of the set", ""
    if key not in _ALL or kind is None or edition is None or grammar is None:
        return None
    era = f"the {ordinal(edition)} Edition has no `{key}`"
    if _NEW_NAMES.get(key) in known:
        return era, f"{_where(edition, grammar)} it is called `{_NEW_NAMES[key]}`", _NEW_NAMES[key]
    if OLD_NAMES.get(key) in known:
        return era, f"{_where(edition, grammar)} it is called `{OLD_NAMES[key]}`", OLD_NAMES[key]
    if key == _ULTRA and grammar.of_creatures and kind is not Kind.TIP:
        last = last_of_creatures()
        later = f"; Ultra Points are of the {ordinal(last + 1)} Edition and later" if edition <= last else ""
        return era, f"remove it{later}", ""
    hint = "remove it, or change `kind`"
    if isinstance(kind, NewKind) and key in ("sp", "hp"):
        hint += (
            f"; for {kind.value}s with a number that does not count in their level, its edition needs `{key}_share: 0`"
        )
    return f"a {kind.value} has no `{key}`", hint, ""


def wrong_era(kind: AnyKind, edition: int, grammar: Grammar) -> tuple[str, str, Kind] | None:
    """Return message, hint and the right kind if the edition has no cards of that kind; None if it has."""
    if kind is Kind.CREATURE and not grammar.of_creatures:
        message = f"the {ordinal(edition)} Edition has no creatures"
        return message, f"{_where(edition, grammar)} write `kind: minion`", Kind.MINION
    if kind is Kind.MINION and grammar.of_creatures:
        message = f"the {ordinal(edition)} Edition has no minions"
        return message, f"{_where(edition, grammar)} write `kind: creature`", Kind.CREATURE
    return None

"""The keys of a card of this game, as a table: sizes of texts, the picture, and what each key is for editors and readers."""

from __future__ import annotations

from typing import NamedTuple

from render.base.findings import quoted
from render.base.geometry import MM_PER_POINT
from render.game.card_keys import CARD_KEYS, PICTURE, read_picture_file
from render.game.home import Home
from render.games.kotc.files.words_key import LANGUAGE_NAME, WORDS_SHAPE, read_words
from render.games.kotc.model.cards import CREDIT_FONTS, OLD_NAMES, Art, ArtFit, CardSet, Corner
from render.games.kotc.model.declaration import LAST_EDITION, declaration
from render.source import shapes
from render.source.fields import HIGHEST, Fields
from render.source.key_tables import LINE, WORD, Key, KeyTable, Value, cell_of, choice, word
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


class CardAround(NamedTuple):
    """What the values of a card depend on: its set, whether the set's own file is sound, and where pictures lie."""

    card_set: CardSet
    sound: bool
    home: Home


# --- sizes ----------------------------------------------------------------------------------------------------------


def _text_size(fields: Fields, key: str, around: CardAround) -> float | None:
    # What is wrong with `least_text` is noted there.
    least = around.card_set.least_text / MM_PER_POINT if around.sound else SMALLEST
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


# --- pictures -------------------------------------------------------------------------------------------------------


def _art(fields: Fields, key: str, around: CardAround) -> Art | None:
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
    return Art(file=file, **given) if file else None


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
        Value(shapes.whole(0, HIGHEST, "auto")),
        "for minions and spells from the 12th Edition on; `auto`: [calculated](levels.md) by the rules",
        "whole number, `auto`",
        "*required*",
    ),
    Key("sp", Value(shapes.whole(0, HIGHEST)), "for minions", "whole number", "*required*"),
    Key("hp", Value(shapes.whole(0, HIGHEST)), "for minions", "whole number", "*required*"),
    Key(
        "ultra_points",
        Value(shapes.whole(0, HIGHEST, "auto")),
        "for minions, spells and pawns from the 12th Edition on; drawn if above 0",
        "whole number, `auto`",
        "`0`",
    ),
    Key(
        "cost",
        Value(shapes.whole(0, HIGHEST, "auto")),
        "for creatures and spells up to the 11th Edition; `auto` as for `level`",
        "whole number, `auto`",
        "*required*",
    ),
    Key("offense", Value(shapes.whole(0, HIGHEST)), "for creatures", "whole number", "*required*"),
    Key("defense", Value(shapes.whole(0, HIGHEST)), "for creatures", "whole number", "*required*"),
    Key(
        "text",
        Value(shapes.TEXT),
        "the [ability text](ability-text.md) exactly as printed; a spell and a tip need one",
        "text, one line for each ability",
        "none",
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
        Value(shapes.named(LANGUAGE_NAME, WORDS_SHAPE), lambda fields, key, _: read_words(fields)),
        "what the card says [in other languages](../languages.md)",
        "languages, with keys",
        "none",
        default=(),
    ),
    CARD_KEYS["copies"],
    CARD_KEYS["draft"],
)
"""The keys of a card; which of them a card has follows from its kind and its edition."""

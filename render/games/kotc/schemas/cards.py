"""The schema of card files: which keys a card has follows from its kind and from the game of its edition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from render.game.card_keys import PICTURE
from render.game.schemas import card_schema
from render.game.schemas.card_schema import card_file, common_keys
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files import card_file as reader
from render.games.kotc.files import keys
from render.games.kotc.files.words_key import LANGUAGE_NAME, WORDS
from render.games.kotc.model.cards import CREDIT_FONTS, ArtFit, Corner, Kind
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.model.edition import Cards, Grammar
from render.source import shapes
from render.source.fields import HIGHEST
from render.source.shapes import KeyRow, Shape

ROWS = (
    *card_schema.ROWS,
    KeyRow(
        "`name_size`, `name_spacing`",
        "for a name that is set [smaller and closer](#sizes-of-texts)",
        "sizes in pt",
    ),
    KeyRow(
        "`kind`",
        "what the card is: its [numbers](#numbers-of-a-card) follow from it",
        ", ".join(f"`{kind}`" for kind in keys.KINDS),
        "*required*",
    ),
    KeyRow(
        "`edition`",
        "the edition for whose rules the card is designed; it is printed on the card. `none`: a card [without "
        "Edition Indicator](#cards-without-edition-indicator)",
        "1 to 999, `none`",
        "the set's",
    ),
    KeyRow(
        "`level`",
        "for minions and spells from the 12th Edition on; `auto`: [calculated](levels.md) by the rules",
        "whole number, `auto`",
        "*required*",
    ),
    KeyRow("`sp`, `hp`", "for minions", "whole number", "*required*"),
    KeyRow(
        "`ultra_points`",
        "for minions, spells and pawns from the 12th Edition on; drawn if above 0",
        "whole number, `auto`",
        "`0`",
    ),
    KeyRow(
        "`cost`",
        "for creatures and spells up to the 11th Edition; `auto` as for `level`",
        "whole number, `auto`",
        "*required*",
    ),
    KeyRow("`offense`, `defense`", "for creatures", "whole number", "*required*"),
    KeyRow(
        "`text`",
        "the [ability text](ability-text.md) exactly as printed; a spell and a tip need one",
        "text, one line for each ability",
        "none",
    ),
    KeyRow("`text_size`", "the [size of the text](#sizes-of-texts)", "size in pt, `auto`", "`auto`"),
    KeyRow("`flavor`", "the words in italics at the bottom", "text in one line", "none"),
    KeyRow("`flavor_size`", "the [size of the flavor](#sizes-of-texts)", "size in pt, `auto`", "`auto`"),
    KeyRow(
        "`art`",
        "[the picture](pictures.md); without one, a placeholder is drawn",
        "a picture file, or keys",
        "none",
    ),
    KeyRow("`credit`", "the small line under the picture", "text in one line", "the set's"),
    KeyRow(
        "`credit_font`",
        "its [font](#sizes-of-texts)",
        ", ".join(f"`{font}`" for font in CREDIT_FONTS),
        "the template's",
    ),
    KeyRow("`template`", "the [template](../../templates/README.md) of its front", "a template", "that of its kind"),
    KeyRow("`words`", "what the card says [in other languages](../languages.md)", "languages, with keys", "none"),
)
"""What the reference says of the keys of a card."""

ART_ROWS = (
    KeyRow(
        "`file`",
        "a JPEG, PNG, WebP, AVIF or [SVG](#drawings-svg) in that folder",
        "path from the set's folder, with `/`",
        "*required*",
    ),
    KeyRow("`author`", "who made the picture; printed on it", "text in one line", "none"),
    KeyRow(
        "`license`",
        "its license, for example `CC0` or `CC BY-SA`; printed below the author",
        "text in one line",
        "none",
    ),
    KeyRow(
        "`corner`",
        "the corner for author and license",
        ", ".join(f"`{corner.value}`" for corner in Corner),
        "`top-left`",
    ),
    KeyRow("`color`", "the color of the author's name", ", ".join(f"`{color}`" for color in reader.COLORS), "`white`"),
    KeyRow(
        "`fit`",
        "`contain` shows the whole picture; `cover` fills the box and cuts off the rest",
        ", ".join(f"`{fit.value}`" for fit in ArtFit),
        "`contain`",
    ),
)
"""What the reference says of the keys of `art`."""


def card_file_schema(edition: int | None) -> Shape:
    """Return the schema of a card file; with an edition, for cards that name no other.

    Without one, a card that names none may be of either game, and its own numbers tell of which.
    """
    own = _keys()
    parts = {key: own.pop(key) for key in keys.NUMBERS}
    of_kinds = [_then(_is_kind(kind), _of_kind(kind, edition)) for kind in Kind]
    unclear = _then({"not": _is_kind(*Kind)}, _branch(tuple(own), keys.NUMBERS, {}))
    card: Shape = {
        "type": "object",
        "properties": own,
        "required": ["kind", "name"],
        "allOf": [*of_kinds, unclear],
    }
    return card_file(card, {**parts, "of_creatures": _of_creatures(edition)})


# --- values of keys --------------------------------------------------------------------------------------------------


def _keys() -> dict[str, Shape]:
    """Return the schema of each key that a card may have."""
    number, size = shapes.whole(0, HIGHEST), partial(shapes.number, most=reader.LARGEST, or_word="auto")
    numbers = {key: shapes.whole(0, HIGHEST, "auto") if key in reader.AUTO else number for key in keys.NUMBERS}
    own: dict[str, Shape] = {
        **common_keys(keys.KINDS),
        **numbers,
        "name_size": size(reader.SMALLEST),
        "name_spacing": shapes.number(*reader.SPACING),
        "edition": shapes.whole(1, LAST_EDITION, reader.NO_EDITION),
        "text": shapes.TEXT,
        "text_size": size(reader.SMALLEST),
        "flavor": shapes.LINE,
        "flavor_size": size(reader.SMALLEST_FLAVOR),
        "art": shapes.either(PICTURE, _art()),
        "credit": shapes.LINE,
        "credit_font": shapes.word(CREDIT_FONTS),
        "template": shapes.WORD,
        "words": shapes.named(LANGUAGE_NAME, _words()),
    }
    return shapes.described(own, ROWS)


def _art() -> Shape:
    own: dict[str, Shape] = {
        "file": PICTURE,
        "author": shapes.LINE,
        "license": shapes.LINE,
        "corner": shapes.word([corner.value for corner in Corner], Corner.TOP_LEFT.value),
        "color": shapes.word(reader.COLORS, reader.COLORS[0]),
        "fit": shapes.word([fit.value for fit in ArtFit], ArtFit.CONTAIN.value),
    }
    return shapes.mapping(shapes.described(own, ART_ROWS), ["file"])


# Only the small letters of Latin-1 and œ: patterns of Python and JavaScript name no others in the same way.
_CAPITALS = shapes.matching("^[^a-zß-öø-ÿœ]*$", "the name of an ability in capital letters")


def _words() -> Shape:
    """Return the schema of what a card says in one language."""
    own: dict[str, Shape] = dict.fromkeys(WORDS, shapes.LINE)
    several = {"text": shapes.TEXT, "tutorials": shapes.TEXT}
    return shapes.mapping({**own, **several, "abilities": shapes.named({}, {**_CAPITALS, **_scalar(_CAPITALS)})})


def _scalar(shape: Shape) -> Shape:
    return {**shape, "type": shapes.TEXT["type"]}


# --- which keys a card has -------------------------------------------------------------------------------------------


def _then(condition: Shape, shape: Shape) -> Shape:
    return {"if": condition, "then": shape}


def _is_kind(*kinds: Kind) -> Shape:
    return {"properties": {"kind": {"enum": [kind.value for kind in kinds]}}, "required": ["kind"]}


def _of_kind(kind: Kind, edition: int | None) -> Shape:
    """Return the keys of the cards of a kind, in the editions that have it."""
    if kind in (Kind.MINION, Kind.CREATURE):
        return _of_one_game(kind, edition, old=kind is Kind.CREATURE)
    old, new = (_keys_of(kind, Grammar(cards=game)) for game in (Cards.CREATURES, Cards.MINIONS))
    return new if old == new else {"if": {"$ref": "#/$defs/of_creatures"}, "then": old, "else": new}


def _of_one_game(kind: Kind, edition: int | None, *, old: bool) -> Shape:
    """Return the keys of a kind that only the old, or only the new, game has; its cards may have to say so."""
    least, most = (1, keys.last_of_creatures()) if old else (keys.last_of_creatures() + 1, LAST_EDITION)
    of_game = shapes.whole(least, most, reader.NO_EDITION)
    must_say = () if edition is None or usual_grammar(edition).of_creatures is old else ("edition",)
    return _keys_of(kind, usual_grammar(least), must_say, {"edition": of_game})


def _keys_of(
    kind: Kind, grammar: Grammar, further: Iterable[str] = (), narrower: Mapping[str, Shape] | None = None
) -> Shape:
    """Return the schema of the keys that cards of a kind have in an edition.

    `further` are required, too, and of `narrower` keys the kind allows less than others.
    """
    known = keys.of_card(kind, grammar)
    numbers = [key for key in known if key in keys.NUMBERS]
    needed = [keys.stat_key(stat, grammar) for stat in keys.stats(kind) if keys.is_required(kind, stat)]
    needed += [*further, *(("text",) if keys.is_required(kind, "text") else ())]
    common = [key for key in known if key not in numbers]
    branch = {"title": kind.value, **_branch(common, numbers, narrower or {})}
    return {**branch, "required": sorted(needed)} if needed else branch


def _branch(common: Iterable[str], numbers: Iterable[str], narrower: Mapping[str, Shape]) -> Shape:
    """Return the schema of a card with these keys and no other; what the common ones may be is said for all kinds."""
    allowed: dict[str, object] = dict.fromkeys(common, True)
    referred = {key: {"$ref": f"#/$defs/{key}"} for key in numbers}
    return {"properties": {**allowed, **referred, **narrower}, "additionalProperties": False}


def _of_creatures(edition: int | None) -> Shape:
    """Return the schema of a card of the game of creatures; `keys.era` says the same."""
    has_old = {"anyOf": [{"required": [key]} for key in keys.OLD_NUMBERS]}
    has_new = {"anyOf": [{"required": [key]} for key in keys.NEW_NUMBERS]}
    by_set = edition is not None and usual_grammar(edition).of_creatures
    by_numbers = {"anyOf": [has_old, {"not": has_new}]} if by_set else has_old
    numbered = {"properties": {"edition": {"type": "integer"}}, "required": ["edition"]}
    without = by_numbers if edition is None else {"if": {"required": ["edition"]}, "then": by_numbers, "else": by_set}
    return {"if": numbered, "then": {"properties": {"edition": {"maximum": keys.last_of_creatures()}}}, "else": without}

"""The schemas of `set.yaml` and of deck files: the keys that every game has, and those of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from render.game import registry
from render.game.decks.deck_file import DECK, MAX_COPIES
from render.game.registry import AnyGame
from render.game.schemas.card_schema import PICTURE
from render.sheets.options import MAX_DPI, MIN_DPI, OPTIONS, Pngs
from render.shops.declared_outputs import KEYS as OUTPUTS
from render.shops.profiles import shops
from render.source import shapes
from render.source.shapes import KeyRow, Shape

ROWS = (
    KeyRow("`name`", "the name of the set, printed in the margin of the sheets", "text", "*required*"),
    KeyRow(
        "`game`",
        "the game whose cards these are: `kotc`, or a folder with a [game of your own](../games.md); one beside "
        "`set.yaml` needs no key",
        "`kotc`, or a folder such as `../my-game`",
        "`kotc`",
    ),
    KeyRow(
        "`back`",
        "the back of cards without `back`",
        "a template, a picture in the set, `none`, or one for each [kind](#backs)",
        "`back`",
    ),
    KeyRow(
        "`outputs`",
        "what `kotc build` makes: [PNGs, sheets, a gallery, files for shops](#outputs)",
        "a list, or keys",
        "PNGs and sheets",
    ),
    KeyRow(
        "`sheet`",
        "how the sheets are printed: [every option of sheets](../../out/sheets.md)",
        "`paper`, `flip`, `bleed` and more",
    ),
    KeyRow("`ignore`", "[codes](errors.md) of warnings and findings of the rules that are not reported", "`[V003, K]`"),
    KeyRow(
        "`tables`",
        "`ignore`: the headings of columns of its [spreadsheets](../spreadsheets.md) that are left out",
        "`{ignore: [notes]}`",
    ),
    KeyRow("`select`", "the only codes of warnings and findings of the rules that are reported", "`[V, K]`"),
)
"""What the reference says of the keys that `set_keys` reads."""


DECK_ROWS = (
    KeyRow("`name`", "the name of the deck, printed in the margin of its sheets", "text in one line"),
    KeyRow(
        "`sets`",
        "where its cards are: folders of sets, or folders that hold several sets, relative to the deck file",
        "folders",
    ),
    KeyRow(
        "`cards`",
        "ids or exact names: `paper-boat: 4`, `Paper Boat: 4`, or with the set's folder, `starter/paper-boat: 4`, if "
        "several sets have the card; or a list, in which a card without a count counts once",
        "cards and counts, 1 to 999",
    ),
    KeyRow(
        "`back`",
        "the back of those cards that name none themselves, instead of the back of their set; its file lies in the sets",
        "as in `set.yaml`",
    ),
    KeyRow("`sheet`", "how its sheets are made; what it leaves out comes from its sets", "as in `set.yaml`"),
    KeyRow("`outputs`", "what `kotc build` makes; the default is PNGs and sheets", "as in `set.yaml`"),
    KeyRow("`game`", "the game of its sets", "`kotc`"),
)
"""What the reference says of the keys that `deck_file` reads."""


_CODE = shapes.matching("^[ABCDKLPRSTVWY]([0-9]{1,3})?$", "a code such as `V003`, or its beginning such as `V`")
_CODES = shapes.either(_CODE, shapes.listing(_CODE))


def set_schema(game: AnyGame) -> Shape:
    """Return the schema of the `set.yaml` of a game's sets."""
    own: dict[str, Shape] = {
        "name": shapes.FULL_LINE,
        "ignore": _CODES,
        "select": _CODES,
        "tables": shapes.mapping({"ignore": shapes.either(shapes.WORD, shapes.listing(shapes.WORD))}),
        **_common(game),
    }
    return _with_those_of(game, shapes.described(own, ROWS), ["name"], game.set_shape)


def deck_schema(game: AnyGame) -> Shape:
    """Return the schema of the deck files of a game."""
    counted: Shape = {"type": "object", "additionalProperties": shapes.whole(1, MAX_COPIES)}
    folder: Shape = {**shapes.WORD, "pattern": r"\S"}
    own: dict[str, Shape] = {
        "name": shapes.FULL_LINE,
        "sets": shapes.either(folder, shapes.listing(folder, least=1)),
        "cards": shapes.either(counted, shapes.listing(shapes.either(shapes.WORD, counted))),
        **_common(game),
    }
    return _with_those_of(game, shapes.described(own, DECK_ROWS), DECK.examples, game.deck_shape)


def _common(game: AnyGame) -> dict[str, Shape]:
    """Return the keys that sets and decks have alike."""
    sheet = {option.key: option.schema for option in OPTIONS}
    named = shapes.WORD if game.folder else shapes.word([game.name])
    back = shapes.either(PICTURE, shapes.mapping(dict.fromkeys(game.kinds, PICTURE)))
    return {"back": back, "game": named, "outputs": _outputs(sheet["bleed"]), "sheet": shapes.mapping(sheet)}


def _with_those_of(game: AnyGame, common: Mapping[str, Shape], required: Iterable[str], of_game: Shape) -> Shape:
    """Return the schema of the keys of every game and those of one, which its files name unless it is the usual one."""
    own, needed = of_game["properties"], of_game.get("required", ())
    assert isinstance(own, Mapping), "a game gives its keys as `properties`"
    assert isinstance(needed, Sequence), "a list, as in every schema"
    must_name = () if game.name == registry.DEFAULT or game.folder else ("game",)
    return {**of_game, **shapes.mapping({**common, **own}, [*required, *needed, *must_name])}


def _outputs(bleed: Shape) -> Shape:
    """Return the schema of `outputs`. The gallery shows the PNGs, so it is not made without them."""
    names = [key for key in OUTPUTS if key != "shops"]
    listed: Shape = {
        **shapes.listing(shapes.word((*names, *shops()))),
        "if": {"contains": {"const": "gallery"}},
        "then": {"contains": {"const": "png"}},
    }
    png = shapes.mapping({"dpi": {**shapes.whole(MIN_DPI, MAX_DPI), "default": int(Pngs().dpi)}, "bleed": bleed})
    shop = shapes.word(sorted(shops()))
    keys: dict[str, Shape] = {
        "png": shapes.either(shapes.truth(default=False), png),
        "sheets": shapes.truth(default=False),
        "shops": shapes.either(shop, shapes.listing(shop)),
        "gallery": shapes.truth(default=False),
    }
    made: Shape = {"enum": [True, "true"]}
    mapped: Shape = {
        **shapes.mapping(keys),
        "if": {"properties": {"gallery": made}, "required": ["gallery"]},
        "then": {"properties": {"png": {"not": {"enum": [False, "false"]}}}, "required": ["png"]},
    }
    return shapes.either(listed, mapped)

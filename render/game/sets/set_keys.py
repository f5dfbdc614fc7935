"""What `set.yaml` says for every game, as a table of its keys: backs, sheets, outputs, and which findings count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from render.base.codes import CodeChoice, read_codes
from render.base.findings import quoted
from render.base.sizes import PAPERS
from render.game.card_reading import PICTURE, read_back
from render.game.cards import CardBacks, GameSet
from render.game.file_names import is_portable
from render.game.folder import Source
from render.game.home import Home
from render.game.languages import (
    language_shape,
    languages_shape,
    read_language,
    read_languages,
    read_words,
    words_shape,
)
from render.game.registry import AnyGame
from render.game.variants import LAYERS, VARIANTS, read_layers, read_variants
from render.sheets.options import KEYS as SHEET_KEYS
from render.sheets.options import MAX_DPI, MIN_DPI, OPTIONS, USUAL, Pngs, SheetOptions, option_doubts
from render.source import shapes
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.key_tables import NAME, Key, KeyTable, Value
from render.source.nodes import Mapping, Scalar, Sequence
from render.source.shapes import Shape

SET = FileKind(
    "S",
    "set",
    {"name": "Starter"},
    {
        "title": ("name",), "author": ("credit",), "lang": ("language",), "output": ("outputs",), "sheets": ("sheet",),
        "print": ("sheet",), "pdf": ("sheets",), "pngs": ("png",), "images": ("png",), "pictures": ("png",),
        "jpg": ("png",), "html": ("gallery",), "page": ("gallery",),
    },
)  # fmt: skip
_LONGEST_CODE = 4  # characters
_OUTPUT_KEYS = ("png", "sheets", "shops", "gallery", "dpi")


_CODE = shapes.matching("^[ABCDKLPRSTVWY]([0-9]{1,3})?$", "a code such as `V003`, or its beginning such as `V`")


_ADDRESS = shapes.matching("^https?://", "an address such as `https://example.com/cards.csv`")


class SetAround(NamedTuple):
    """What the keys of a set or a deck depend on: the game, where pictures lie, and the backs if none are named."""

    game: AnyGame
    home: Home
    backs: CardBacks = CardBacks()


def declared_set(fields: Fields, files: Source, home: Home, game: AnyGame) -> GameSet:
    """Return what set.yaml declares; defaults in place of mistakes, so that the cards can be checked."""
    folder, of_game = files.folder, game.set_table
    defaults = game.new_set(folder, folder.name)
    table = SET_KEYS + of_game
    given = table.read(fields, SetAround(game, home, defaults.backs), partial(_misplaced, fields))
    fields.note_cut_off(("name", "back", *game.kinds, *of_game.texts))
    sheet, node = None, fields.values.get("sheet")
    if isinstance(node, Scalar) and node.value.lower() in PAPERS:  # a word in place of the options may be the paper
        fields.expected("sheet", "keys and values", f"write `sheet: {{paper: {node.value.lower()}}}`")
    elif (sheet := fields.inner("sheet")) is not None:
        sheet.check_keys(SHEET_KEYS)
    options, outputs = _sheet(sheet) if sheet else defaults.sheet, USUAL
    if "outputs" in fields.values:
        from render.shops.declared_outputs import read_outputs

        outputs = read_outputs(fields, options.card_size)
    languages = given["languages"] or ((given["language"],) if given["language"] else defaults.languages)
    language = files.language or next(iter(languages), "")
    variants = read_variants(fields, files.variant, languages, options.card_size)
    layers = {**dict(given["layers"]), **dict(variants.asked.layers), **dict(files.layers)}
    common = replace(
        defaults,
        name=given["name"] or folder.name,
        language=language,
        languages=languages,
        variants=variants.names,
        variant=variants.asked,
        layers=tuple(layers.items()),
        source=(fields.document, fields.node),
        backs=given["back"] or defaults.backs,
        sheet=options,
        outputs=variants.outputs or outputs,
        codes=CodeChoice(given["select"], given["ignore"]),
        columns=given["tables"],
        published=given["cards"],
    )
    whole: GameSet = game.read_set(fields, common, {name: given[name] for name in of_game.attributes})
    said = read_words(fields, game.set_words).get(language, {})
    return replace(whole, **{key: words for key, words in said.items() if words})


def _misplaced(fields: Fields, key: str) -> tuple[str, str, str] | None:
    """Return what is said of a key of `set.yaml` that belongs somewhere else, as `Fields.check_keys` asks for it."""
    if key == "card":
        return f"`{key}` is no key of set.yaml", _OWN_FILES, ""
    place = "sheet" if key in SHEET_KEYS else "outputs" if key in _OUTPUT_KEYS else ""
    if not place:
        return None
    node = fields.values[key]
    if isinstance(node, Mapping) and place == "outputs" and any(name.value in SHEET_KEYS for name, _ in node.entries):
        return f"`{key}` has the keys of `sheet`", "write `sheet`", "sheet"
    value = node.value if isinstance(node, Scalar) and node.value else "..."
    return f"`{key}` belongs below `{place}`", f"write `{place}: {{{key}: {value}}}`", ""


_OWN_FILES = "write cards into files of their own beside it, such as `cards.yaml`"


def _published(fields: Fields, key: str, _: SetAround) -> tuple[tuple[str, str], ...]:
    """Return the addresses of published sheets by their files: `cards: https://...`, or one for each file."""
    node = fields.values[key]
    entries = (
        [(name.value, each) for name, each in node.entries] if isinstance(node, Mapping) else [("cards.csv", node)]
    )
    found: list[tuple[str, str]] = []
    for name, each in entries:
        if not isinstance(each, Scalar) or not re.match("https?://[^/]", each.value, re.IGNORECASE):
            place = fields.document.span(next(named for named, value in fields.node.entries if value is node))
            fields.note(
                "003",
                "`cards` of set.yaml is the address of a published sheet, and holds no cards",
                place,
                _OWN_FILES,
                key,
            )
            return ()
        if not (is_portable(name) and name.lower().endswith(".csv")):
            message = f"expected the name of a CSV file in the folder of the set, found {quoted(name)}"
            fields.note(
                "007", message, fields.document.span(each), "write for example `cards: {spells.csv: https://...}`", key
            )
        found.append((name, each.value.strip()))
    return tuple(found)


def _codes(fields: Fields, key: str, around: SetAround) -> tuple[str, ...]:
    """Return the codes of a key such as `ignore: [V003, K]`; one may be written without brackets."""
    node = fields.values[key]
    if isinstance(node, Mapping):
        fields.expected(key, "codes", f"write `{key}: [V003, K]`")
        return ()
    found: list[str] = []
    for each in node.items if isinstance(node, Sequence) else (node,):
        written = each.value if isinstance(each, Scalar) else ""
        try:
            found += read_codes([written])
        except ValueError as error:
            message, _, hint = str(error).partition(": ")
            if key == "ignore" and len(written) > _LONGEST_CODE:
                hint = f"to leave a column of tables out, write {quoted(f'tables: {{ignore: [{written}]}}')}"
            fields.note("007", message, fields.document.span(each), hint, key)
    return tuple(found)


def _columns(fields: Fields, key: str, _: SetAround) -> tuple[tuple[str, str], ...]:
    """Return the keys of the headings that `tables: {columns: {Qty: copies}, ignore: [notes]}` names.

    They are "" for those to ignore, of which one may be written without brackets.
    """
    tables = fields.inner(key)
    if tables is None:
        return ()
    tables.check_keys(("ignore", "columns"))
    node = tables.values.get("ignore", Sequence((), 0, 0))
    items = node.items if isinstance(node, Sequence) else (node,)
    ignored = [each.value.strip() for each in items if isinstance(each, Scalar) and each.value.strip()]
    if len(ignored) < len(items):
        tables.expected("ignore", "headings of tables", "write for example `ignore: [notes]`")
    named = tables.values.get("columns", Mapping((), 0, 0))
    entries = named.entries if isinstance(named, Mapping) else ()
    keys = [
        (name.value, each.value.strip()) for name, each in entries if isinstance(each, Scalar) and each.value.strip()
    ]
    if not isinstance(named, Mapping) or len(keys) < len(entries):
        tables.expected("columns", "the keys of headings", "write for example `columns: {Qty: copies}`")
    return (*keys, *((name, "") for name in ignored))


def read_backs(fields: Fields, key: str, around: SetAround) -> CardBacks:
    """Return one back for all cards, or those of the kinds that are named; other kinds have the usual ones."""
    node, (game, home, usual) = fields.values[key], around
    if not isinstance(node, Mapping):
        if isinstance(node, Sequence):
            hint = f"write `back: {{{game.kinds[0]}: back, {game.kinds[-1]}: none}}`"
            fields.expected(key, "a back, or a back for each kind", hint)
            return CardBacks()
        return CardBacks(read_back(fields, key, CardBacks().every, home))
    inner = fields.within(key, node)
    new = (str(kind.value) for kind in game.new_kinds(game.new_set(home.folder, "")))
    kinds = [kind for kind in (*game.kinds, *new) if kind not in game.two_sided]
    inner.check_keys(kinds, partial(_of_two_sides, game))
    every = usual.every
    named = [kind for kind in kinds if kind in inner.values]
    own = {kind: read_back(inner, kind, every, home) for kind in named}
    return CardBacks(every, tuple({**dict(usual.of_kind), **own}.items()))


def back_shape(game: AnyGame, new: Iterable[str] = ()) -> Shape:
    """Return the schema of a back, or one for each kind, the new ones of a set's rules too."""
    return shapes.either(PICTURE, shapes.mapping(dict.fromkeys((*game.kinds, *new), PICTURE)))


def game_shape(game: AnyGame) -> Shape:
    """Return the schema of what a set or a deck says of its game."""
    return shapes.WORD if game.folder else shapes.word([game.name])


def _of_two_sides(game: AnyGame, kind: str) -> tuple[str, str, str] | None:
    """Return what is said of the back of a kind whose cards have two sides, as `Fields.check_keys` asks for it."""
    if kind not in game.two_sided:
        return None
    return f"the cards of the kind `{kind}` have two sides of their own", "remove it: their game draws both", ""


def _sheet(fields: Fields) -> SheetOptions:
    """Return how the set's sheets are made; the defaults if that is wrong or does not fit the paper."""
    count = len(fields.findings)
    values = sheet_values(fields)
    return SheetOptions() if len(fields.findings) > count else checked_sheet(fields, values, SheetOptions())


def sheet_values(fields: Fields) -> dict[str, object]:
    """Return the values of the options of sheets that are given; none if one is wrong, which is noted."""
    count = len(fields.findings)
    asked = [option for option in OPTIONS if option.key in fields.values]
    values = {
        option.key: fields.read(option.key, option.read, option.values, option.words, option.default)
        for option in asked
    }
    return values if len(fields.findings) == count else {}


def checked_sheet(fields: Fields, values: MappingOf[str, object], usual: SheetOptions) -> SheetOptions:
    """Return `usual` with these values, and note what is doubtful; `usual` itself if they do not fit the paper."""
    options = replace(usual, **values)
    for doubt, keys in option_doubts(options):
        key = next((key for key in keys if key in fields.values), None)
        if key:  # no default is doubtful, and those of a deck's sets are said where these are read
            fields.findings.append(doubt.at(fields.place(key), field=f"sheet.{key}"))
    from render.sheets.cutting import misfit

    wrong = misfit(options)
    if wrong is None:
        return options
    message, blamed = wrong
    # A finding stands where the author wrote something, and an option that is left out stands nowhere.
    key = next((key for key in blamed if key in values), next(iter(values)))
    fields.note("007", message, fields.place(key), key=key)
    return usual


def sheet_shape(_: object) -> Shape:
    """Return the schema of the options of sheets."""
    return shapes.mapping({option.key: option.schema for option in OPTIONS})


def outputs_shape(_: object) -> Shape:
    """Return the schema of `outputs`. The gallery shows the PNGs, so it is not made without them."""
    from render.shops.declared_outputs import KEYS as OUTPUTS
    from render.shops.profiles import shops

    names = [key for key in OUTPUTS if key != "shops"]
    listed: Shape = {
        **shapes.listing(shapes.word((*names, *shops()))),
        "if": {"contains": {"const": "gallery"}},
        "then": {"contains": {"const": "png"}},
    }
    bleed = next(option.schema for option in OPTIONS if option.key == "bleed")
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


_OF_LANGUAGES = (
    "the language in which cards are [printed](../languages.md); of several, the first is the set's own",
    "`de`, or a list such as `[en, de]`",
    "`en`",
)

SET_KEYS = KeyTable(
    Key("name", NAME, "the name of the set, printed in the margin of the sheets", "text", needed=True, default=""),
    Key(
        "game",
        Value(game_shape),
        "the game whose cards these are: `kotc`, or a folder with a [game of your own](../games.md); one beside "
        "`set.yaml` needs no key",
        "`kotc`, or a folder such as `../my-game`",
        "`kotc`",
    ),
    Key("language", Value(language_shape, read_language), *_OF_LANGUAGES, default=""),
    Key("languages", Value(languages_shape, read_languages), *_OF_LANGUAGES, default=()),
    Key(
        "words",
        Value(lambda game: words_shape(game.set_words)),
        "both [in other languages](../languages.md)",
        "languages, with `name` and `credit`",
        "none",
    ),
    Key(
        "back",
        Value(back_shape, read_backs),
        "the back of cards without `back`",
        "a template, a picture in the set, `none`, or one for each [kind](#backs)",
        "`back`",
    ),
    Key(
        "outputs",
        Value(outputs_shape),
        "what `kotc build` makes: [PNGs, sheets, a gallery, files for shops](#outputs)",
        "a list, or keys",
        "PNGs and sheets",
    ),
    Key(
        "sheet",
        Value(sheet_shape),
        "how the sheets are printed: [every option of sheets](../../out/sheets.md)",
        "`paper`, `flip`, `bleed` and more",
    ),
    Key(
        "variants",
        Value(VARIANTS),
        "other versions of the cards, such as [a foil one](#variants)",
        "names, with keys",
        "none",
    ),
    Key(
        "layers",
        Value(LAYERS, read_layers),
        "[layers](#layers) of templates that are on or off",
        "`{shine: false}`",
        "as they are drawn",
        default=(),
    ),
    Key(
        "ignore",
        Value(shapes.either(_CODE, shapes.listing(_CODE)), _codes),
        "[codes](errors.md) of warnings and findings of the rules that are not reported",
        "`[V003, K]`",
        default=(),
    ),
    Key(
        "tables",
        Value(
            shapes.mapping(
                {
                    "columns": shapes.named(shapes.WORD, shapes.WORD),
                    "ignore": shapes.either(shapes.WORD, shapes.listing(shapes.WORD)),
                }
            ),
            _columns,
        ),
        "of columns of its [spreadsheets](../spreadsheets.md#headings), which keys their headings stand for, and which are left out",
        "`{columns: {Qty: copies}, ignore: [notes]}`",
        default=(),
    ),
    Key(
        "cards",
        Value(shapes.either(_ADDRESS, shapes.named(shapes.WORD, _ADDRESS)), _published),
        "the address of a [published sheet](../spreadsheets.md#published-sheets) that `kotc pull` fetches into `cards.csv`, or one for each file",
        "`https://.../pub?output=csv`, or `{spells.csv: https://...}`",
        default=(),
    ),
    Key(
        "select",
        Value(shapes.either(_CODE, shapes.listing(_CODE)), _codes),
        "the only codes of warnings and findings of the rules that are reported",
        "`[V, K]`",
        default=(),
    ),
    also={"if": {"required": ["languages"]}, "then": {"properties": {"language": False}}},
)
"""The keys that `set.yaml` has in every game."""

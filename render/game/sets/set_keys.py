"""What `set.yaml` says for every game: backs, sheets, outputs, and which findings count."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import replace
from functools import partial

from render.base.codes import CodeChoice, read_codes
from render.base.findings import quoted
from render.base.sizes import PAPERS
from render.game.card_keys import read_back
from render.game.cards import CardBacks, GameSet
from render.game.folder import SetFiles
from render.game.home import Home
from render.game.registry import AnyGame
from render.sheets.options import KEYS as SHEET_KEYS
from render.sheets.options import OPTIONS, USUAL, SheetOptions, option_doubts
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.nodes import Mapping, Scalar, Sequence

KEYS = ("game", "name", "back", "sheet", "outputs", "select", "ignore", "tables")
"""The keys that `set.yaml` has in every game."""

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


def declared_set(fields: Fields, files: SetFiles, home: Home, game: AnyGame) -> GameSet:
    """Return what set.yaml declares; defaults in place of mistakes, so that the cards can be checked."""
    folder = files.folder
    fields.check_keys((*KEYS, *game.set_keys), partial(_misplaced, fields))
    fields.note_cut_off(("name", "back", *game.kinds, *game.text_keys))
    defaults = game.new_set(folder, fields.words("name") or folder.name)
    sheet, node = None, fields.values.get("sheet")
    if isinstance(node, Scalar) and node.value.lower() in PAPERS:  # a word in place of the options may be the paper
        fields.expected("sheet", "keys and values", f"write `sheet: {{paper: {node.value.lower()}}}`")
    elif (sheet := fields.inner("sheet")) is not None:
        sheet.check_keys(SHEET_KEYS)
    options, outputs = _sheet(sheet) if sheet else defaults.sheet, USUAL
    if "outputs" in fields.values:
        from render.shops.declared_outputs import read_outputs

        outputs = read_outputs(fields, options.card_size)
    common = replace(
        defaults,
        language=files.language,
        source=(fields.document, fields.node),
        backs=read_backs(fields, home, game, defaults.backs),
        sheet=options,
        outputs=outputs,
        codes=CodeChoice(_codes(fields, "select"), _codes(fields, "ignore")),
        ignored_columns=_ignored_columns(fields),
    )
    whole: GameSet = game.read_set(fields, common)
    return whole


def _misplaced(fields: Fields, key: str) -> tuple[str, str, str] | None:
    """Return what is said of a key of `set.yaml` that belongs somewhere else, as `Fields.check_keys` asks for it."""
    if key in ("cards", "card"):
        hint = "write cards into files of their own beside it, such as `cards.yaml`"
        return f"`{key}` is no key of set.yaml", hint, ""
    place = "sheet" if key in SHEET_KEYS else "outputs" if key in _OUTPUT_KEYS else ""
    if not place:
        return None
    node = fields.values[key]
    if isinstance(node, Mapping) and place == "outputs" and any(name.value in SHEET_KEYS for name, _ in node.entries):
        return f"`{key}` has the keys of `sheet`", "write `sheet`", "sheet"
    value = node.value if isinstance(node, Scalar) and node.value else "..."
    return f"`{key}` belongs below `{place}`", f"write `{place}: {{{key}: {value}}}`", ""


def _codes(fields: Fields, key: str) -> tuple[str, ...]:
    """Return the codes of a key such as `ignore: [V003, K]`; one may be written without brackets."""
    node = fields.values.get(key)
    if node is None:
        return ()
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


def _ignored_columns(fields: Fields) -> tuple[str, ...]:
    """Return the headings of `tables: {ignore: [notes]}`; one may be written without brackets."""
    tables = fields.inner("tables")
    node = tables.values.get("ignore") if tables else None
    if tables:
        tables.check_keys(("ignore",))
    if tables is None or node is None:
        return ()
    items = node.items if isinstance(node, Sequence) else (node,)
    words = tuple(each.value.strip() for each in items if isinstance(each, Scalar) and each.value.strip())
    if len(words) < len(items):
        tables.expected("ignore", "headings of tables", "write for example `ignore: [notes]`")
    return words


def read_backs(fields: Fields, home: Home, game: AnyGame, usual: CardBacks) -> CardBacks:
    """Return one back for all cards, or those of the kinds that are named; other kinds have the usual ones."""
    node = fields.values.get("back")
    if node is None:
        return usual
    if not isinstance(node, Mapping):
        if isinstance(node, Sequence):
            hint = f"write `back: {{{game.kinds[0]}: back, {game.kinds[-1]}: none}}`"
            fields.expected("back", "a back, or a back for each kind", hint)
            return CardBacks()
        return CardBacks(read_back(fields, "back", CardBacks().every, home))
    inner = fields.within("back", node)
    inner.check_keys([kind for kind in game.kinds if kind not in game.two_sided], partial(_of_two_sides, game))
    every = usual.every
    named = [kind for kind in game.kinds if kind in inner.values and kind not in game.two_sided]
    own = {kind: read_back(inner, kind, every, home) for kind in named}
    return CardBacks(every, tuple({**dict(usual.of_kind), **own}.items()))


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
    options = replace(usual, **values)  # type: ignore[arg-type] # each was read by its option
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

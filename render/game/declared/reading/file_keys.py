"""The icons, colors and fonts of a game, as `game.yaml` says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from render.base.findings import quoted
from render.base.patterns import regex
from render.game.card_reading import LONGEST_PATH
from render.game.cards import PICTURES
from render.game.declared.reading.game_keys import GameReading, entries
from render.game.languages import LANGUAGE_NAME, is_language
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import LINE, WORDS_SHAPE, Key, KeyTable, Value, words_of
from render.source.nodes import Mapping, Node, Scalar, Sequence, describe_node
from render.text.font_roles import FontRole

MIN_ICON_SIZE, MAX_ICON_SIZE = 0.25, 4.0  # em: what `<icon height>` of a template may be

_ICON = regex(r"[^{}\s]{1,20}")
_COLOR = regex(r"#(?:[0-9a-fA-F]{3}){1,2}")
_COLOR_NAME = regex(r"[a-z][a-z0-9_-]{0,39}")
_AXIS = regex(r"[A-Za-z][A-Za-z0-9]{3}")
_NUMBER = regex(r"-?[0-9]{1,5}(\.[0-9]{1,4})?")
_FONTS = (".ttf", ".otf", ".ttc", ".otc")  # which faces a collection has is said where it is read
_PACKED = {
    ".woff": "packed for web pages (WOFF)", ".woff2": "packed for web pages (WOFF2)",
    ".eot": "packed for old web pages (EOT)",
    ".pfb": "a Type 1 font", ".pfa": "a Type 1 font", ".fon": "a bitmap font", ".sfd": "the work of a font editor",
}  # fmt: skip


class DeclaredIcon(Struct, frozen=True):
    """An icon by what stands in braces, `#` for any number: its file, and its height in em, 0 for the usual one."""

    name: str
    file: str
    size: float = 0.0


def read_icons(root: Fields, key: str, _: GameReading) -> tuple[DeclaredIcon, ...]:
    """Return the icons by the names that stand in braces; `T: icons/turn.svg` is short for one of the usual size."""
    found = []
    for name, node, inner in entries(root, key, "icons"):
        if not _ICON.fullmatch(name.value):
            message = f"the name of an icon is 1 to 20 characters without spaces and braces, found {quoted(name.value)}"
            hint = (
                f"write `{name.value[1:-1]}`" if re.fullmatch(r"\{[^{}\s]+\}", name.value) else "write one such as `T`"
            )
            inner.note("021", message, root.document.span(name), hint, name.value)
            continue
        if isinstance(node, Mapping):
            icon = DeclaredIcon(name.value, **ICON.read(inner.within(name.value, node)))
        else:
            icon = DeclaredIcon(name.value, _file(inner, name.value, (".svg",), "an SVG file"))
        if icon.file:
            found.append(icon)
    return tuple(found)


def _size_of_icon(fields: Fields, key: str, _: object) -> float:
    """Return how high an icon is, as a share of the size of the words around; 0 if that is wrong."""
    node = fields.values[key]
    written = node.value if isinstance(node, Scalar) else ""
    size = _as_number(written)
    if MIN_ICON_SIZE <= size <= MAX_ICON_SIZE:
        return size
    share = re.fullmatch(r"([0-9]{1,3}) ?%|([0-9.]{1,6}) ?em", written)
    meant = (float(share[1]) / 100 if share[1] else _as_number(share[2])) if share else 0.0
    write = f"{meant:g}" if MIN_ICON_SIZE <= meant <= MAX_ICON_SIZE else "0.9"
    hint = (
        f"write `size: {write}`"
        if share
        else f"write for example `size: {write}`, the usual one: 0.9 times the size of the words"
    )
    wanted = f"a number from {MIN_ICON_SIZE:g} to {MAX_ICON_SIZE:g}"
    fields.note("006", f"expected {wanted}, found {describe_node(node)}", fields.place(key), hint, key)
    return 0.0


ICON = KeyTable(
    Key(
        "file",
        Value(shapes.WORD, lambda fields, key, _: _file(fields, key, (".svg",), "an SVG file")),
        "its drawing",
        "an SVG file of the folder",
        needed=True,
        example="icons/sun.svg",
        default="",
    ),
    Key(
        "size",
        Value(shapes.number(MIN_ICON_SIZE, MAX_ICON_SIZE), _size_of_icon),
        "how high it is, times the size of the words around it",
        "0.25 to 4",
        "0.9",
        default=0.0,
    ),
)
"""The keys of an icon."""


def _as_number(written: str) -> float:
    return float(written) if _NUMBER.fullmatch(written) else 0.0


def _file(fields: Fields, key: str, endings: tuple[str, ...], what: str) -> str:
    """Return the path of a file of the game's folder; "" and a finding, if it is none."""
    name = fields.words(key, what="path")
    if not name:
        return ""
    usual = "icons/sun.svg" if ".svg" in endings else "fonts/title.ttf"
    example = f"write a path in the folder of the game, such as `{key}: {usual}`"
    if len(name) > LONGEST_PATH:
        message, hint = f"the path has {len(name):,} characters, and may have {LONGEST_PATH:,}", "shorten it"
    elif re.match("(?:https?|file):", name):
        message, hint = f"{quoted(name)} is an address, and files lie in the folder of the game", example
    elif "\\" in name:
        message, hint = "folders are separated by `/`", f"write {quoted(f'{key}: ' + name.replace(chr(92), '/'))}"
    elif PurePosixPath(name).is_absolute() or re.match("[A-Za-z]:|~", name) or ".." in PurePosixPath(name).parts:
        message, hint = f"{quoted(name)} lies outside the folder of the game", example
    elif endings == _FONTS and PurePosixPath(name).suffix.lower() in _PACKED:
        packed = PurePosixPath(name)
        message = f"{quoted(name)} is {_PACKED[packed.suffix.lower()]}, which cannot be used"
        hint = f"get the font as `.ttf` or `.otf`, and write `{key}: {packed.with_suffix('.ttf')}`"
    elif endings != _FONTS and PurePosixPath(name).suffix in map(str.upper, endings):
        small = PurePosixPath(name).with_suffix(PurePosixPath(name).suffix.lower())
        message, hint = f"the ending of {quoted(name)} is in capitals", f"rename the file, and write `{key}: {small}`"
    elif PurePosixPath(name).suffix.lower() not in endings:
        message, hint = f"{quoted(name)} is not {what}", example
        if endings != _FONTS and PurePosixPath(name).suffix.lower() in PICTURES:
            shown = f'<svg viewBox="0 0 9 9"><image href="{name}" width="9" height="9"/></svg>'
            hint = f"name an SVG file, and write into it `{shown}`"
    else:
        return name
    fields.note("018", message, fields.place(key), hint, key)
    return ""


def read_colors(root: Fields, key: str, _: GameReading) -> tuple[tuple[str, str], ...]:
    """Return the colors of the game by name."""
    found = []
    for name, node, inner in entries(root, key, "colors"):
        if not _COLOR_NAME.fullmatch(name.value):
            message = f"the name of a color is made of a-z, 0-9, `-` and `_`, found {quoted(name.value)}"
            inner.note("021", message, root.document.span(name), "write a word such as `ember`", name.value)
            continue
        color = node.value if isinstance(node, Scalar) else ""
        if _COLOR.fullmatch(color):
            found.append((name.value, color.lower()))
            continue
        # `#b5432a` without quotes is a comment, so that nothing is left.
        from render.layout.svg.css import read_tint, why_no_color

        what = "three or six of 0-9 and a-f behind a `#`" if color else "it in quotes"
        named = read_tint(color) if color.isalpha() else None
        hint = f'write `"{named.words}"`' if named else f'write {what}, for example `"#b5432a"`'
        if (not named and color[:1] == "#") or re.fullmatch(r"(?:[0-9a-fA-F]{3}){1,2}", color):
            hint = why_no_color(color)
        inner.expected(name.value, "a color such as `#b5432a`", hint)
    return tuple(found)


# --- fonts ----------------------------------------------------------------------------------------------------------


def read_fonts(root: Fields, key: str, _: GameReading) -> tuple[FontRole, ...]:
    """Return the fonts of the game by role; `body: fonts/Body.ttf` is short for one file."""
    found = []
    for name, node, inner in entries(root, key, "fonts"):
        if isinstance(node, Scalar) and node.value:
            file = _file(inner, name.value, _FONTS, "a font")
            found.append(FontRole(name=name.value, files=(file,) if file else ()))
        elif isinstance(node, Mapping):
            found.append(_font(inner.within(name.value, node), name.value))
        else:
            several = _fonts_of(node.items) if isinstance(node, Sequence) else ""
            said = f"{{files: {several}}}" if several else "fonts/Body-Regular.ttf"
            inner.expected(name.value, "a font", f"write {'' if several else 'for example '}`{name.value}: {said}`")
    return tuple(found)


def _fonts_of(nodes: Iterable[Node]) -> str:
    """Return the files that nodes name as a list in YAML; "" if one of them names no font."""
    files = [node.value if isinstance(node, Scalar) else "" for node in nodes]
    return f"[{', '.join(files)}]" if files and all(file.lower().endswith(_FONTS) for file in files) else ""


def _font(fields: Fields, role: str) -> FontRole:
    if several := _fonts_of(node for _, node in fields.node.entries if not fields.values.keys() & {"file", "files"}):
        key = fields.node.entries[0][0].value
        message = f"`{key}` is no key of a font: each file says itself whether it is bold or italic"
        place = fields.document.span(fields.node.entries[0][0])
        fields.note("002", message, place, f"write `{role}: {{files: {several}}}`", key)
        return FontRole(name=role, files=())
    given = FONT.read(fields)
    if "files" in fields.values and "file" in fields.values:
        message = "the files are named twice, by `file` and by `files`"
        fields.note("023", message, fields.place("file"), "remove one of the two", "file")
    elif not fields.values.keys() & {"files", "languages"}:
        fields.given("file")
    one = given.pop("file")
    return FontRole(name=role, **{**given, "files": given["files"] or ((one,) if one else ())})


def _files(fields: Fields, key: str, _: object) -> tuple[str, ...]:
    files: list[str] = []
    for word in (
        words_of(fields, key, "[fonts/Body-Regular.ttf, fonts/Body-Italic.ttf]") if "file" not in fields.values else ()
    ):
        if any(word.value == each for each in files):
            message = f"{quoted(word.value)} is listed twice"
            fields.note("025", message, fields.document.span(word), "remove one of the two", key)
            continue
        one = fields.within(key, Mapping(((word._replace(value="file"), word),), word.start, word.end))
        files.append(_file(one, "file", _FONTS, "a font"))
    return tuple(filter(None, files))


def _of_languages(fields: Fields, key: str, _: object) -> Iterator[tuple[str, tuple[str, ...]]]:
    inner = fields.inner(key)
    for language in inner.values if inner else ():
        if inner and is_language(inner, language):
            words = words_of(inner, language, "[fonts/Gothic-Regular.otf, fonts/Gothic-Bold.otf]")
            each_of = [Mapping(((word._replace(value=language), word),), word.start, word.end) for word in words]
            found = [_file(inner.within(language, each), language, _FONTS, "a font") for each in each_of]
            yield language, tuple(filter(None, found))


def _axes(fields: Fields, key: str, _: object) -> Iterator[tuple[str, float]]:
    for name, node, inner in entries(fields, key, "axes"):
        if not _AXIS.fullmatch(name.value):
            message = f"an axis has four letters or digits, found {quoted(name.value)}"
            inner.note("021", message, fields.document.span(name), "write for example `wght`", name.value)
        elif isinstance(node, Scalar) and _NUMBER.fullmatch(node.value):
            yield name.value, float(node.value)
        else:
            inner.expected(name.value, "a number", f"write for example `{name.value}: 650`")


FONT = KeyTable(
    Key(
        "file",
        Value(
            shapes.WORD,
            lambda fields, key, _: "" if "files" in fields.values else _file(fields, key, _FONTS, "a font"),
        ),
        "the one file of the font",
        "a TrueType or OpenType font of the folder",
        default="",
    ),
    Key("files", Value(WORDS_SHAPE, _files), "its files, if it has several", "fonts of the folder", default=()),
    Key("instance", LINE, "the named instance of a variable font", "text in one line", "none", default=""),
    Key(
        "axes",
        Value(
            shapes.named(shapes.WORD, {"type": "number"}),
            lambda fields, key, _: tuple(_axes(fields, key, _)),
        ),
        "the axes of a variable font",
        "numbers by axis, such as `{wght: 650}`",
        "none",
        default=(),
    ),
    Key(
        "fallback",
        Value(
            WORDS_SHAPE,
            lambda fields, key, _: tuple(word.value for word in words_of(fields, key, "[DejaVu Sans]")),
        ),
        "roles and families that are asked for characters that these files lack",
        "names",
        "none",
        default=(),
    ),
    Key(
        "languages",
        Value(
            shapes.named(LANGUAGE_NAME, WORDS_SHAPE),
            lambda fields, key, _: tuple(_of_languages(fields, key, _)),
        ),
        "its files for texts in other [languages](../languages.md); for characters that they lack, the usual ones follow",
        "files by language, such as `{ja: fonts/Gothic.otf}`",
        "none",
        default=(),
        attribute="of_languages",
    ),
)
"""The keys of a font, which has `file` or `files`."""

"""Read `icons`, `colors`, `fonts`, `words` and `deck` of `game.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from render.base.findings import quoted
from render.game.card_keys import LONGEST_PATH
from render.game.declared.reading.game_keys import GameReading, entries, words_of
from render.game.declared.reading.rules import MAX_CARDS, DeckLimits, GameWords
from render.source.fields import Fields
from render.source.nodes import Mapping, Node, Scalar, Sequence
from render.text.font_roles import FontRole

KEYS_OF_FONTS = ("file", "files", "instance", "axes", "fallback")
KEYS_OF_WORDS = ("bold", "reminders")
KEYS_OF_DECKS = ("size", "copies")
_ICON = re.compile(r"[^{}\s]{1,20}")
_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_COLOR_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_AXIS = re.compile(r"[A-Za-z][A-Za-z0-9]{3}")
_NUMBER = re.compile(r"-?[0-9]{1,5}(\.[0-9]{1,4})?")
_FONTS = (".ttf", ".otf")


def read_icons(reading: GameReading) -> tuple[tuple[str, str], ...]:
    """Return the files of icons, by the names that stand in braces; `#` is any number."""
    found = []
    for name, _, inner in entries(reading.root, "icons", "icons"):
        if not _ICON.fullmatch(name.value):
            message = f"the name of an icon is 1 to 20 characters without spaces and braces, found {quoted(name.value)}"
            hint = (
                f"write `{name.value[1:-1]}`" if re.fullmatch(r"\{[^{}\s]+\}", name.value) else "write one such as `T`"
            )
            inner.note("021", message, reading.root.document.span(name), hint, name.value)
        elif file := _file(inner, name.value, (".svg",), "an SVG file"):
            found.append((name.value, file))
    return tuple(found)


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
    elif PurePosixPath(name).suffix.lower() not in endings:
        message, hint = f"{quoted(name)} is not {what}", example
    else:
        return name
    fields.note("018", message, fields.place(key), hint, key)
    return ""


def read_colors(reading: GameReading) -> tuple[tuple[str, str], ...]:
    """Return the colors of the game by name."""
    found = []
    for name, node, inner in entries(reading.root, "colors", "colors"):
        if not _COLOR_NAME.fullmatch(name.value):
            message = f"the name of a color is made of a-z, 0-9, `-` and `_`, found {quoted(name.value)}"
            inner.note("021", message, reading.root.document.span(name), "write a word such as `ember`", name.value)
            continue
        color = node.value if isinstance(node, Scalar) else ""
        if _COLOR.fullmatch(color):
            found.append((name.value, color.lower()))
            continue
        # `#b5432a` without quotes is a comment, so that nothing is left.
        what = "three or six of 0-9 and a-f behind a `#`" if color else "it in quotes"
        hint = f'write {what}, for example `"#b5432a"`'
        inner.expected(name.value, "a color such as `#b5432a`", hint)
    return tuple(found)


# --- fonts ----------------------------------------------------------------------------------------------------------


def read_fonts(reading: GameReading) -> tuple[FontRole, ...]:
    """Return the fonts of the game by role; `body: fonts/Body.ttf` is short for one file."""
    found = []
    for name, node, inner in entries(reading.root, "fonts", "fonts"):
        if isinstance(node, Scalar) and node.value:
            file = _file(inner, name.value, _FONTS, "a font")
            found.append(FontRole(name=name.value, files=(file,) if file else ()))
        elif isinstance(node, Mapping):
            found.append(_font(inner.within(name.value, node), name.value))
        else:
            inner.expected(name.value, "a font", f"write for example `{name.value}: fonts/Body-Regular.ttf`")
    return tuple(found)


def _font(fields: Fields, role: str) -> FontRole:
    fields.check_keys(KEYS_OF_FONTS)
    files: list[str] = []
    if "files" in fields.values and "file" in fields.values:
        message = "the files are named twice, by `file` and by `files`"
        fields.note("023", message, fields.place("file"), "remove one of the two", "file")
    elif "files" in fields.values:
        for word in words_of(fields, "files", "[fonts/Body-Regular.ttf, fonts/Body-Italic.ttf]"):
            one = fields.within("files", Mapping(((word._replace(value="file"), word),), word.start, word.end))
            files.append(_file(one, "file", _FONTS, "a font"))
    elif fields.given("file"):
        files.append(_file(fields, "file", _FONTS, "a font"))
    return FontRole(
        name=role,
        files=tuple(filter(None, files)),
        instance=fields.text("instance"),
        axes=tuple(_axes(fields)),
        fallback=tuple(word.value for word in words_of(fields, "fallback", "[DejaVu Sans]")),
    )


def _axes(fields: Fields) -> Iterator[tuple[str, float]]:
    for name, node, inner in entries(fields, "axes", "axes"):
        if not _AXIS.fullmatch(name.value):
            message = f"an axis has four letters or digits, found {quoted(name.value)}"
            inner.note("021", message, fields.document.span(name), "write for example `wght`", name.value)
        elif isinstance(node, Scalar) and _NUMBER.fullmatch(node.value):
            yield name.value, float(node.value)
        else:
            inner.expected(name.value, "a number", f"write for example `{name.value}: 650`")


# --- words and decks ------------------------------------------------------------------------------------------------


def read_words(reading: GameReading) -> GameWords:
    """Return the keywords, and the reminders behind them."""
    fields = reading.root.inner("words")
    if fields is None:
        return GameWords()
    fields.check_keys(KEYS_OF_WORDS)
    bold = tuple(dict.fromkeys(word.value for word in words_of(fields, "bold", "[Flying, Swift]")))
    reminders = [
        (name.value, inner.words(name.value, what="reminder"))
        for name, _, inner in entries(fields, "reminders", "reminders")
    ]
    return GameWords(bold=bold, reminders=tuple((name, words) for name, words in reminders if words))


def read_deck(reading: GameReading) -> DeckLimits:
    """Return how large decks are, and how often they may have a card."""
    fields = reading.root.inner("deck")
    if fields is None:
        return DeckLimits()
    fields.check_keys(KEYS_OF_DECKS)
    least, most = _size(fields)
    return DeckLimits(least=least, most=most, copies=fields.whole("copies", 1, MAX_CARDS))


def _size(fields: Fields) -> tuple[int | None, int | None]:
    """Return the least and the most; `size: 60` is for both, and `[40]` has no most."""
    node = fields.values.get("size")
    if node is None:
        return None, None
    if not isinstance(node, Sequence):
        size = fields.whole("size", 1, MAX_CARDS)
        return size, size
    numbers = [_whole(item) for item in node.items]
    if len(numbers) not in (1, 2) or None in numbers:
        wanted = f"a number of cards from 1 to {MAX_CARDS}, or the least and the most"
        fields.expected("size", wanted, "write for example `size: [40, 60]`")
        return None, None
    least, most = (numbers[0], numbers[-1] if len(numbers) > 1 else None)
    if least is not None and most is not None and least > most:
        message = f"a deck has at least {least} cards, and at most {most}"
        fields.note("006", message, fields.place("size"), f"write `size: [{most}, {least}]`", "size")
    return least, most


def _whole(node: Node) -> int | None:
    written = node.value if isinstance(node, Scalar) else ""
    return int(written) if re.fullmatch("[1-9][0-9]{0,3}", written) else None

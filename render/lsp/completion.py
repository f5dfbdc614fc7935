"""What may be written at a place: keys and words by the schema of the file, files, cards, and pieces of ability texts.

Where somebody types is found by the lines of the file alone: half a key is no YAML, and completions are wanted just there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
    CompletionList,
    CompletionParams,
    InsertTextFormat,
    MarkupContent,
    MarkupKind,
    Position,
    Range,
    TextEdit,
)
from msgspec import Struct, field

from render.base.caches import cached
from render.base.patterns import regex
from render.game.cards import PICTURES, CardKind
from render.game.decks.deck_file import sets_near
from render.game.folder import GAME_FILE, SET_FILE, is_deck, is_game, is_words
from render.game.registry import DEFAULT, AnyGame, game_named
from render.game.schemas import all_schemas
from render.lsp.document import EditedDocument, EditedSet, cards_of_deck, line_map
from render.source import shapes
from render.source.scalar_values import write_anywhere

_MAX_FILES = 2000


def complete(document: EditedDocument, params: CompletionParams) -> CompletionList:
    """Return what may be written at a position of a file, in the order in which it should be shown."""
    file, position, edited = document.file, params.position, document.edited
    lines = line_map(document.text)
    begin, offset = lines.offset(Position(position.line, 0)), lines.offset(position)
    cursor = cursor_at(lines.lines(), position.line, offset - begin)
    where = Range(lines.position(begin + cursor.start), position)
    schema = schema_of(file, edited)
    items: Iterable[CompletionItem] = ()
    if cursor.path[-1:] == ("text",) and cursor.in_value and edited is not None:
        phrase_start = [match.end() for match in _PHRASE_START.finditer(cursor.typed)][-1]
        where = Range(lines.position(begin + cursor.start + phrase_start), position)
        items = _phrases(edited, cursor, phrase_start, where)
    elif schema is None:
        pass
    elif is_deck(file) and cursor.path[:1] == ("sets",):
        names = sets_near(file.parent)
        items = [_item(where, name, CompletionItemKind.File, write_anywhere(name)) for name in names]
    elif is_deck(file) and cursor.path[:1] == ("cards",):
        items = _cards(document, cursor, where) if len(cursor.path) == 1 and not cursor.in_value else ()
    elif not cursor.in_value and not (cursor.in_list and cursor.path):
        items = _keys(schema, cursor, where)
    else:
        words = schema.words(cursor.path, cursor.values, in_list=cursor.in_list)
        about = schema.description(cursor.path, cursor.values)
        items = [_item(where, word, CompletionItemKind.EnumMember, about=about) for word in words]
        items += _files(edited, cursor, where) if edited else ()
    numbered = list(items)
    for number, item in enumerate(numbered):
        item.sort_text = f"{number:05}"
    return CompletionList(is_incomplete=False, items=numbered)


def _item(
    where: Range, label: str, kind: CompletionItemKind, new: str | None = None, detail: str = "", about: str = ""
) -> CompletionItem:
    return CompletionItem(
        label,
        kind=kind,
        detail=detail or None,
        documentation=MarkupContent(MarkupKind.Markdown, about) if about else None,
        insert_text_format=InsertTextFormat.PlainText,
        text_edit=TextEdit(where, label if new is None else new),
    )


def _keys(schema: Schema, cursor: Cursor, where: Range) -> Iterator[CompletionItem]:
    for key, shape in schema.keys(cursor.path, cursor.values).items():
        if key not in cursor.values:
            new = f"{key}:" if "properties" in shape else f"{key}: "
            yield _item(where, key, CompletionItemKind.Property, new, about=str(shape.get("description", "")))


# --- files and cards ------------------------------------------------------------------------------------------------


def _files(edited: EditedSet, cursor: Cursor, where: Range) -> Iterator[CompletionItem]:
    is_art = cursor.path[-1] in edited.game.picture_keys or cursor.path[-2:] == ("art", "file")
    if not is_art and cursor.path[0] != "back":
        return
    for name in _pictures(edited.folder):
        yield _item(where, name, CompletionItemKind.File, name if cursor.quote else write_anywhere(name))
    if not is_art:
        own = (file.stem for file in (edited.folder / "templates").glob("*.svg"))
        backs = (file.stem for file in edited.game.templates.glob("*back*.svg"))
        for name in sorted({*(name for name in own if name not in edited.game.kinds), *backs, "none"}):
            yield _item(where, name, CompletionItemKind.File)


def _pictures(folder: Path) -> list[str]:
    pictures: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "templates")
        inside = Path(place).relative_to(folder)
        shown = (name for name in sorted(names) if not name.startswith(".") and not re.search(r"[\x00-\x1f]", name))
        pictures += [(inside / name).as_posix() for name in shown if name.lower().endswith(PICTURES)]
        if len(pictures) > _MAX_FILES:
            break
    return pictures[:_MAX_FILES]


def _cards(document: EditedDocument, cursor: Cursor, where: Range) -> Iterator[CompletionItem]:
    for card, card_set in cards_of_deck(document):
        new = card.id if cursor.in_list else f"{card.id}: "
        yield _item(where, card.id, CompletionItemKind.Reference, new, detail=f"{card.name}, {card_set.name}")


# --- pieces of an ability -------------------------------------------------------------------------------------------

_PHRASE_START = regex(r"[.;:→,(]\s*|(?<=\s)(?:then|also|and)\s+|^\s*")
_WITHIN_SENTENCE = (";", "→", ",", "then", "also", "and")
_NUMBER = regex(r"\{([a-z])\}")


def _phrases(edited: EditedSet, cursor: Cursor, start: int, where: Range) -> Iterator[CompletionItem]:
    """Yield the pieces of abilities that may stand in the text, from the character `start` of what is typed."""
    starts_sentence = not cursor.typed[:start].rstrip().endswith(_WITHIN_SENTENCE)
    for phrase in edited.game.phrases(edited.card_set, cursor.values):
        words = phrase.words
        first = words[:1].upper() if starts_sentence or not words[1:2].islower() else words[:1].lower()
        words = first + words[1:]
        new = words + phrase.ending.rstrip(" ")
        if cursor.quote == "'" and not cursor.block:
            new = new.replace("'", "''")
        elif cursor.quote and not cursor.block:
            new = new.replace("\\", "\\\\").replace('"', '\\"')
        numbers = dict.fromkeys(_NUMBER.findall(new))
        if numbers:  # a snippet, with a place to fill in for each number
            new = new.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
            for place, name in enumerate(numbers, 1):
                new = new.replace(f"{{{name}\\}}", f"${{{place}:{name}}}")
        label, detail = _NUMBER.sub(r"\1", words), phrase.price or phrase.role
        price = f"{phrase.role}, {phrase.price}" if phrase.price else phrase.role
        example = f"Example: {phrase.example}" if phrase.example else ""
        about = "\n\n".join(filter(None, (price, phrase.note, example)))
        item = _item(where, label, CompletionItemKind.Snippet, new, detail, about)
        if numbers:
            item.insert_text_format = InsertTextFormat.Snippet
        yield item


# --- schemas --------------------------------------------------------------------------------------------------------

Part: TypeAlias = Mapping[str, Any]
"""A part of a JSON Schema."""

Values: TypeAlias = Mapping[str, str]
"""The values of a mapping that are written in one line, by their keys."""

_FIGURE = regex(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")


def schema_of(file: Path, edited: EditedSet | None) -> Schema | None:
    """Return the schema of a game's or a set's file, of a deck, or of a card file in a set; None for other files."""
    game = cast(Hashable, edited.game if edited else game_named(DEFAULT))  # mypy takes no protocol for hashable
    if file.name == GAME_FILE and is_game(file):
        return _schema(None, "game")
    if file.name == SET_FILE or is_deck(file):
        return _schema(game, "set" if file.name == SET_FILE else "deck")
    return _schema(game, "words" if is_words(file) else "cards", *_of_set(edited)) if edited else None


def _of_set(edited: EditedSet) -> tuple[int | None, tuple[CardKind, ...]]:
    return edited.game.edition_of(edited.card_set), tuple(edited.game.new_kinds(edited.card_set))


@cached(32)
def _schema(game: Hashable, kind: str, edition: int | None = None, kinds: tuple[CardKind, ...] = ()) -> Schema:
    if kind == "game":
        from render.game.declared.reading.game_rules import game_file_shape

        return Schema(game_file_shape())
    if kind == "words":
        return Schema(shapes.named(shapes.WORD, cast("AnyGame", game).card_words.shape))
    return Schema(all_schemas(cast("AnyGame", game), edition, kinds)[kind])


class Schema:
    """A schema that is asked by the keys that lead to a place. Nothing is checked against it here."""

    def __init__(self, root: Part) -> None:
        self._root = root

    def keys(self, path: Sequence[str], values: Values) -> dict[str, Part]:
        """Return what each key of the mapping at a path may be, if it has these values."""
        keys: dict[str, Part] = {}
        for part in self._mappings_at(path, values):
            keys = keys | self._keys(part, values) | keys  # the first wins
        return keys

    def description(self, path: Sequence[str], values: Values) -> str:
        """Return what the last key of a path is; "" if that is not known."""
        shape = self.keys(path[:-1], values).get(path[-1], {}) if path else {}
        return str(shape.get("description", ""))

    def words(self, path: Sequence[str], values: Values, *, in_list: bool = False) -> list[str]:
        """Return the words that the last key of a path may have as its value, or in a list as an item."""
        # A mapping may be one of several, such as a card of one of the kinds: what any of them allows may stand there.
        shapes = [self._keys(part, values).get(path[-1], {}) for part in self._mappings_at(path[:-1], values)]
        parts = self._alternatives(shapes)
        if in_list:
            parts = self._alternatives(part["items"] for part in parts if "items" in part)
        known: list[str] = []
        for part in parts:
            values_of_part = (*part.get("enum", ()), *((part["const"],) if "const" in part else ()))
            known += [str(value).lower() if isinstance(value, bool) else str(value) for value in values_of_part]
            known += ["true", "false"] if part.get("pattern") == "^(true|false)$" else []
        return list(dict.fromkeys(known))

    def _mappings_at(self, path: Sequence[str], values: Values) -> list[Part]:
        """Return the mappings that may stand at a path, or in a list there; values count for the last key alone."""
        parts = self._alternatives([self._root])
        for key in (*path, None):
            parts += self._alternatives(part["items"] for part in parts if "items" in part)
            parts = [part for part in parts if {"properties", "additionalProperties"} & part.keys()]
            if key is not None:
                inner = []
                for part in parts:
                    others = part.get("additionalProperties")  # keys whose names the author chooses
                    own = self._keys(part, values if key == path[-1] else {}).get(key)
                    inner.append(own or (others if isinstance(others, Mapping) else {}))
                parts = self._alternatives(inner)
        return parts

    def _alternatives(self, parts: Iterable[Part]) -> list[Part]:
        """Return parts and what each may be instead."""
        alternatives: list[Part] = []
        for part in map(self._resolve, parts):
            alternatives += (part, *self._alternatives((*part.get("anyOf", ()), *part.get("oneOf", ()))))
        return alternatives

    def _resolve(self, part: Part) -> Part:
        while "$ref" in part:
            target: Any = self._root
            for name in part["$ref"].removeprefix("#/").split("/"):
                target = target.get(name, {})
            part = {**target, **{key: value for key, value in part.items() if key != "$ref"}}
        return part

    def _keys(self, part: Part, values: Values) -> dict[str, Part]:
        """Return the keys of a mapping, narrowed to those that it may have with these values."""
        keys: dict[str, Part] = {}
        for each in self._applying(part, values):
            own = {key: shape for key, shape in each.get("properties", {}).items() if shape is not False}
            if each.get("additionalProperties") is False and each is not part:
                keys = {key: shape for key, shape in keys.items() if key in own}
            for key, shape in own.items():
                keys[key] = {**keys.get(key, {}), **({} if shape is True else self._resolve(shape))}
        return keys

    def _applying(self, part: Part, values: Values) -> Iterator[Part]:
        """Yield a part, and the parts that hold besides it for these values."""
        part = self._resolve(part)
        yield part
        for each in part.get("allOf", ()):
            yield from self._applying(each, values)
        if "if" in part:
            branch = part.get("then" if self._holds(part["if"], values) else "else")
            if isinstance(branch, Mapping):
                yield from self._applying(branch, values)

    def _holds(self, condition: Any, values: Values) -> bool:
        """Return whether what a condition says of a mapping is so."""
        if isinstance(condition, bool):
            return condition
        condition = self._resolve(condition)
        shapes = condition.get("properties", {})
        branch = "then" if "if" in condition and self._holds(condition["if"], values) else "else"
        return (
            all(key in values for key in condition.get("required", ()))
            and all(_fits(values[key], shape) for key, shape in shapes.items() if key in values)
            and any(self._holds(each, values) for each in condition.get("anyOf", (True,)))
            and not self._holds(condition.get("not", False), values)
            and self._holds(condition.get(branch, True) if "if" in condition else True, values)
        )


def _fits(value: str, shape: Any) -> bool:
    """Return whether a value may be what a schema says of it: a word of a list, a number within bounds."""
    if not isinstance(shape, Mapping):
        return bool(shape)
    if "enum" in shape and value not in map(str, shape["enum"]):
        return False
    number = float(value) if _FIGURE.fullmatch(value) else None
    if number is None or (shape.get("type") == "integer" and not number.is_integer()):
        return shape.get("type") != "integer"
    return bool(shape.get("minimum", number) <= number <= shape.get("maximum", number))


# --- where somebody types ---------------------------------------------------------------------------------------------

_DASHES = regex(r"[ ]*(?:-(?:[ ]+|$))*")
_KEY = regex(r"""(?P<quote>["']?)(?P<key>[\w.\-/ ]+?)(?P=quote)[ \t]*:(?:[ \t]+(?P<value>.*))?$""")
_BLOCK = regex(r"[|>][-+0-9]*[ \t]*(?:#.*)?")
_MAX_LINES = 2000  # above and below: more lines of one card nobody reads


class Cursor(Struct, frozen=True, kw_only=True):
    """A place in a file.

    `path` are the keys around it, the outermost first; with `in_value`, the last one is that whose value is written.
    `values` are the values in one line of the mapping that it is in, by their keys. `typed` is what stands between the
    start of the key or value and the place, and begins at the character `start` of the line. `in_list` says that an
    item of a list is written, as the last part of the path's value. `quote` is the quote that the value began with.
    """

    path: tuple[str, ...]
    typed: str
    start: int
    in_value: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
    in_list: bool = False
    quote: str = ""
    block: bool = False


def cursor_at(lines: Sequence[str], line: int, column: int) -> Cursor:
    """Return where in lines the character `column` of a line is, both from 0."""
    if not 0 <= line < len(lines):
        lines, line = [*lines, ""], len(lines)
    text = lines[line][:column]
    text = text.removeprefix("\ufeff") if line == 0 else text
    return _in_long_value(lines, line, text) or _on_line(lines, line, text)


def _on_line(lines: Sequence[str], line: int, text: str) -> Cursor:
    """Return the place at the end of `text`, with which the line begins: in a key, a value or an item of a list."""
    column, is_item = _indent(text)
    path, values = _path(lines, line, column, is_item=is_item), dict(_siblings(lines, line, column))
    in_list, words = is_item and bool(path), text[column:]
    pair = _KEY.match(words)
    if opened := _open_brackets(words):
        keys, bracket, begin = opened
        path, in_list = (*path, *keys), bracket == "["
        *before, words = words[begin:].split(",")
        words = words.lstrip()
        pair = None if in_list else _KEY.match(words)
        if not in_list:  # the braces may be those of a whole card: what is in them are the card's values
            pairs = filter(None, (_KEY.match(each.strip()) for each in before))
            values = {each["key"]: _plain(each["value"]) for each in pairs}
    if pair:
        value = pair["value"] or ""
        quote = _quote(value)
        typed, path = value[len(quote) :], (*path, pair["key"])
        return Cursor(path=path, typed=typed, start=len(text) - len(typed), in_value=True, values=values, quote=quote)
    typed = words.lstrip("\"'")
    return Cursor(path=path, typed=typed, start=len(text) - len(typed), values=values, in_list=in_list)


def _open_brackets(words: str) -> tuple[list[str], str, int] | None:
    """Return the keys before the brackets that are open at the end, the last of these, and where it ends."""
    opened: list[tuple[str, int, str]] = []
    quote, begin = "", 0
    for number, char in enumerate(words):
        is_first = not words[begin:number].strip()
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and (is_first or words[:number].rstrip()[-1:] in ":,{["):
            quote = char
        elif char in "{[" and (is_first or words[:number].rstrip().endswith(":")):
            key = _KEY.match(words[begin:number].strip())
            begin = number + 1
            opened.append((char, begin, key["key"] if key else ""))
        elif char in "]}" and opened:
            opened.pop()
        elif char == "," and opened:
            begin = number + 1
    return ([key for _, _, key in opened if key], opened[-1][0], opened[-1][1]) if opened else None


def _in_long_value(lines: Sequence[str], line: int, text: str) -> Cursor | None:
    """Return the place within a value of several lines, that begins in a line above; None if it is in none."""
    indent = len(text) - len(text.lstrip(" ")) if text.strip() else len(text)
    for above in range(line - 1, max(-1, line - _MAX_LINES), -1):
        depth = len(lines[above]) - len(lines[above].lstrip(" "))
        if depth >= indent or not lines[above].strip():
            continue
        column, is_item = _indent(lines[above])
        pair = _KEY.match(lines[above][column:])
        if pair is None:
            indent = depth  # a line of the same long value, perhaps
            continue
        value = (pair["value"] or "").strip()
        quote = _quote(value)
        is_open = quote and column < indent and not re.search(rf"(?<!\\){quote}\s*(?:#.*)?$", value[1:])
        if not is_open and not _BLOCK.fullmatch(value):
            return None
        typed = text.lstrip(" ")
        return Cursor(
            path=(*_path(lines, above, column, is_item=is_item), pair["key"]),
            typed=typed,
            start=len(text) - len(typed),
            in_value=True,
            values=dict(_siblings(lines, above, column)),
            quote=quote,
            block=not quote,
        )
    return None


def _path(lines: Sequence[str], line: int, column: int, *, is_item: bool) -> tuple[str, ...]:
    """Return the keys around a line whose words begin in a column, the outermost first."""
    path: tuple[str, ...] = ()
    least = lines[line].find("-") if is_item else column
    same_allowed = is_item  # a list may begin in the column of its key
    for above in range(line - 1, max(-1, line - _MAX_LINES), -1):
        words = lines[above]
        begin, has_dash = _indent(words)
        if not words[begin:].strip() or words[begin:].startswith("#"):
            continue
        first = words.find("-") if has_dash else begin
        is_parent = begin < least or (same_allowed and begin == least and not has_dash)
        pair = _KEY.match(words[begin:]) if is_parent else None
        if pair and not (pair["value"] or "").split("#")[0].strip():
            path = (pair["key"], *path)
            least, same_allowed = first, has_dash
        elif has_dash and first < least:
            least, same_allowed = first, True
        if least == 0 and not same_allowed:
            break
    return path


def _siblings(lines: Sequence[str], line: int, column: int) -> Iterator[tuple[str, str]]:
    """Yield the keys and values in one line of the mapping whose keys stand in a column, around a line."""
    for numbers in (range(line, -1, -1)[:_MAX_LINES], range(line + 1, len(lines))[:_MAX_LINES]):
        for number in numbers:
            begin, has_dash = _indent(lines[number])
            words = lines[number][begin:]
            if not words.strip():
                continue
            if begin < column or (number > line and has_dash and begin == column):
                break
            if begin == column and number != line and (pair := _KEY.match(words)):
                yield pair["key"], _plain(pair["value"])
            if begin == column and has_dash and number <= line:
                break


def _indent(line: str) -> tuple[int, bool]:
    """Return where the words of a line begin, and whether behind the dash of a list."""
    dashes = _DASHES.match(line)
    begin = dashes.end() if dashes else 0
    return begin, "-" in line[:begin]


def _quote(value: str) -> str:
    return value[:1] if value[:1] in ("'", '"') else ""


def _plain(value: str | None) -> str:
    """Return a value in one line without its quotes and its comment."""
    value = (value or "").strip()
    if quote := _quote(value):
        return value[1:].partition(quote)[0]
    return re.split(r"\s#", value)[0].rstrip(" ,}]")

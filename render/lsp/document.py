"""The edited document: its places as the protocol counts them, its cards one by one, and the set that it belongs to.

Each card of a list is parsed by itself, so that one edit, or one mistake, concerns one card.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, NamedTuple

from lsprotocol.types import Position, Range
from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached, cached_texts
from render.base.findings import Diagnostic, Finding, Refused, Span
from render.base.reach import unsaved_content
from render.base.values import PartlyCompared
from render.game.cards import GameCard, GameSet
from render.game.decks.deck_file import read_sets
from render.game.derivations import Derivation
from render.game.folder import GAME_FILE, SET_FILE, Source, is_game
from render.game.registry import DEFAULT, AnyGame, game_named, game_of
from render.game.sets.named_games import game_in
from render.game.sets.set_reader import read_alone, read_set
from render.game.sources import survey
from render.source import reader
from render.source.items import cut
from render.source.nodes import BOM, Document, Mapping, Node, Scalar, Sequence, line_starts


def text_of(file: Path) -> str | None:
    """Return the text of a file, or what an editor has not saved of it; None if it cannot be read."""
    try:
        return reader.read_bytes(file).decode("utf-8", "replace")
    except Refused:
        return None


KEPT = 4_000_000  # characters of texts whose results are kept: four times the largest file


@cached_texts(KEPT)
def parse(text: str, file: Path) -> Document | None:
    """Parse a text as a YAML file; None if it is none."""
    try:
        return reader.parse(text, file)
    except Refused:
        return None


# --- lines and characters -------------------------------------------------------------------------------------------


class LineMap:
    """A text by its lines, counted from 0, and in them units of UTF-16; a position behind a line means its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = line_starts(text)
        self._latest = (0, 0)  # the offset that was asked for last, and the units before it in its line

    def __len__(self) -> int:
        return len(self._starts)

    def lines(self) -> list[str]:
        """Return all lines, without their ends."""
        return re.split("\r\n|\r|\n", self.text)

    def line(self, number: int) -> str:
        """Return a line without its end; "" if there is none."""
        if not 0 <= number < len(self):
            return ""
        end = self._starts[number + 1] if number + 1 < len(self) else len(self.text)
        return self.text[self._starts[number] : end].rstrip("\r\n")

    def offset(self, position: Position) -> int:
        """Return the offset of a position; a character that is cut in two does not count."""
        if position.line >= len(self):
            return len(self.text)
        line, start = self.line(position.line), self._starts[position.line]
        if line.isascii():
            return start + min(position.character, len(line))
        units = 0
        for number, char in enumerate(line):
            units += 2 if ord(char) > 0xFFFF else 1
            if units > position.character:
                return start + number
        return start + len(line)

    def line_of(self, offset: int) -> int:
        """Return the line of an offset."""
        return bisect_right(self._starts, offset) - 1

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        line = self.line_of(offset)
        # Places are asked for one after another: of a line of 200 kB, each would count all characters before it again.
        counted, units = self._latest
        if not self._starts[line] <= counted <= offset:
            counted, units = self._starts[line], 0
        units += _units(self.text[counted:offset])
        self._latest = offset, units
        return Position(line, units)

    def range(self, start: int, end: int) -> Range:
        """Return the range between two offsets."""
        return Range(self.position(start), self.position(end))

    def range_of(self, span: Span) -> Range:
        """Return the range of a place of this text; one that is not in it means the nearest that is."""
        return Range(self._position_of(span.line, span.column), self._position_of(span.end_line, span.end_column))

    def _position_of(self, line: int, column: int) -> Position:
        if line > len(self):
            return self.position(len(self.text))
        words = self.line(line - 1)
        mark = line == 1 and words.startswith(BOM)  # which is no column of a span
        return Position(line - 1, _units(words[: column - 1 + mark]))


line_map = cached_texts(KEPT)(LineMap)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


# --- pieces ---------------------------------------------------------------------------------------------------------


class Piece(Struct, frozen=True):
    """A card of a list, or a whole file that is no list: its text, and its first line in the file, from 0."""

    file: Path
    text: str
    first: int

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The cards in it, or the mapping that it is; () if it cannot be parsed alone."""
        document = parse(self.text, self.file)
        return document.items if document else ()

    def range(self, start: int, end: int) -> Range:
        """Return the range in the file between two offsets in the piece."""
        inner = line_map(self.text).range(start, end)
        return Range(*(Position(each.line + self.first, each.character) for each in (inner.start, inner.end)))

    def range_of(self, node: Node) -> Range:
        """Return the range of a node in the file, without the blank lines behind it."""
        return self.range(node.start, node.start + len(self.text[node.start : node.end].rstrip()))

    def offset(self, position: Position) -> int:
        """Return the offset in the piece of a position in the file."""
        return line_map(self.text).offset(Position(position.line - self.first, position.character))


def split_pieces(text: str, file: Path, first: int = 0, last: int | None = None) -> list[Piece]:
    """Return the pieces of a file that have a line from `first` to `last`, counted from 0."""
    starts, numbers = _items(text)
    if not starts:
        return [Piece(file, text, 0)]
    begin = max(0, bisect_right(numbers, first) - 1)
    end = len(starts) if last is None else bisect_right(numbers, last)
    ends = (*starts[1:], len(text))
    return [Piece(file, text[starts[at] : ends[at]], numbers[at]) for at in range(begin, end)]


@cached(2)
def _items(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the offset and the line of each item of the list that a file is; nothing if it is no list."""
    starts, indent = cut(text)
    if not starts or text[starts[0]] != "-":
        return (), ()
    return tuple(start - indent for start in starts), tuple(map(line_map(text).line_of, starts))


def move_findings(findings: Iterable[Diagnostic], file: Path, before: str, now: str) -> tuple[Diagnostic, ...]:
    """Return those of the findings of a text whose cards are the same in another text, at the lines where these are."""
    pieces, lines = split_pieces(before, file), {piece.text: piece.first for piece in split_pieces(now, file)}
    starts, moved = [piece.first for piece in pieces], list[Diagnostic]()
    for finding in findings:
        span = finding.span or Span(file=file)
        piece = pieces[max(0, bisect_right(starts, span.line - 1) - 1)]
        if finding.span is None:
            moved.append(finding)
        elif piece.text in lines:
            by = lines[piece.text] - piece.first
            moved.append(replace(finding, span=replace(span, line=span.line + by, end_line=span.end_line + by)))
    return tuple(moved)


class Word(NamedTuple):
    """A scalar of a piece: the keys that lead to it, the mapping that it is in, and whether it is the last key itself."""

    piece: Piece
    path: tuple[str, ...]
    scalar: Scalar
    card: Mapping
    is_key: bool


def word_at(document: EditedDocument, position: Position) -> Word | None:
    """Return the key or value at a position; None if there is none."""
    for piece in split_pieces(document.text, document.file, position.line, position.line):
        offset = piece.offset(position)
        for node in piece.nodes:
            if isinstance(node, Mapping) and node.start <= offset <= node.end:
                return _find_word(piece, node, node, offset, ())
    return None


def _find_word(piece: Piece, card: Mapping, node: Node, offset: int, path: tuple[str, ...]) -> Word | None:
    if not node.start <= offset <= node.end:
        return None
    match node:
        case Scalar():
            is_inside = offset <= node.start + len(piece.text[node.start : node.end].rstrip())
            return Word(piece, path, node, card, False) if is_inside else None
        case Sequence():
            words = (_find_word(piece, card, item, offset, path) for item in node.items)
            return next(filter(None, words), None)
    for key, value in node.entries:
        inside = (*path, key.value)
        if key.start <= offset <= key.end:
            return Word(piece, inside, key, card, True)
        if word := _find_word(piece, card, value, offset, inside):
            return word
    return None


# --- the set and its cards ------------------------------------------------------------------------------------------


class EditedSet(PartlyCompared, frozen=True):
    """A set without its cards; mistakes in its file are left out. Equal sets see cards the same."""

    uncompared: ClassVar = frozenset({"card_set"})

    folder: Path
    digest: Hashable
    card_set: GameSet

    @property
    def game(self) -> AnyGame:
        """The game of the set."""
        return game_of(self.card_set)


class EditedDocument(NamedTuple):
    """A file as an editor has it: its text, its set if it is in one, and what was found in it."""

    file: Path
    text: str
    edited: EditedSet | None
    findings: tuple[Finding, ...] = ()
    uri_of: Callable[[Path], str] = Path.as_uri
    """What gives the address of a file as the client writes it."""


def set_of(file: Path) -> EditedSet | None:
    """Return the set in whose folder a file is; None if there is none."""
    folder = file.parent
    try:
        content = reader.read_bytes(folder / SET_FILE, home=folder)
    except Refused:
        return None
    stamps: list[Hashable] = []  # what changes with the files of rules that apply to its cards
    for name, rules in game_in(Source(folder)).rule_files(folder):
        with suppress(OSError):
            unsaved = unsaved_content(rules)
            status = None if unsaved is not None else rules.stat()
            stamps.append((name, rules, status and (status.st_mtime_ns, status.st_size), unsaved))
    return _edited_set(folder, content, tuple(stamps))


@cached(16)
def _edited_set(folder: Path, content: bytes, rules: Hashable) -> EditedSet | None:
    card_set, _ = read_set(Source(folder))
    if card_set is None and is_game(folder / GAME_FILE):
        return None  # nothing is known of its cards as long as the game has mistakes
    # Another set stands in for one whose own file cannot be read.
    return EditedSet(folder, (content, rules), card_set or game_named(DEFAULT).new_set(folder, folder.name))


@cached(4)
def _reader(edited: EditedSet) -> Callable[[Document, Mapping], GameCard | None]:
    return read_alone(edited.card_set)  # which looks for the files of the rules, once


@cached_texts(KEPT)
def read_piece(text: str, file: Path, edited: EditedSet) -> tuple[tuple[Mapping, Derivation | None], ...]:
    """Return the cards of a piece: the mapping of each, and how its level follows; None for one with an error."""
    document = parse(text, file)
    if document is None:
        return ()
    return tuple((node, derive(document, node, edited)) for node in document.mappings)


def derive(document: Document, node: Mapping, edited: EditedSet) -> Derivation | None:
    """Return how the level of a card follows; None for one with an error."""
    card = _reader(edited)(document, node)
    return edited.game.derivation(card, edited.card_set) if card else None


def cards_of_deck(deck: EditedDocument) -> Iterator[tuple[GameCard, GameSet]]:
    """Return the cards of the sets that a deck names, with their sets, whatever is wrong in its other lines."""
    sets, _ = survey(read_sets(deck.file))
    return ((card, card_set) for card_set in sets for card in card_set.cards)

"""Cards that were read before: as bytes, by the lines that they were read from, so that only changed cards are read again.

Remembered are cards in which nothing was wrong or doubtful. They are the same again as long as their lines are, and all
that reading a card looks at: its set as `set.yaml` declares it, and the files of `_surroundings`. Spreadsheets are read
whole. Reading the bytes executes nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from render.base.caches import Memory
from render.base.findings import Diagnostic, Refused
from render.base.reach import unsaved_change
from render.base.resources import FONTS, TEMPLATES
from render.game import ids, registry
from render.game.card_reading import CardReader, CardReading, Surroundings
from render.game.cards import GameCard, GameSet
from render.game.folder import card_files
from render.game.home import home_folders
from render.game.packed_cards import ENCODER, Packing, Row
from render.source import reader as yaml
from render.source.items import KnownItem, ReadItem, items_of
from render.source.nodes import Document, Mapping, Node, Scalar
from render.source.scalar_values import ScalarStyle

_ROWS = msgspec.msgpack.Decoder(Row)

_PHOTOS = (".png", ".jpg", ".jpeg", ".webp", ".avif")  # pictures that reading a card never looks at


class KnownCards:
    """The cards of one set, of which `memory` has those that were read before."""

    def __init__(
        self, memory: Memory, around: Surroundings, reader: CardReader[Any, Any], files: Iterable[Path]
    ) -> None:
        self._memory, self._home, self._packing = memory, around.home, Packing(reader)
        self._state = hashlib.sha256(
            repr((around.card_set, around.sound, _surroundings(around, files))).encode("utf-8", "surrogatepass")
        )
        self._fresh: dict[bytes, bytes] = {}
        self._items: dict[str, bytes] = {}
        self._read: dict[int, tuple[str, int, Node]] = {}

    # --- the items of a file, as `read_by_items` asks for them -----

    def look_up(self, file: Path) -> None:
        """Find what is known of the items of a file, which is about to be read."""
        self._items, self._read = {}, {}
        with suppress(Refused):  # which is told when it is read
            items = items_of(yaml.read_text(file, self._home.folder))
            keys = {self._key(words): words for words in items}
            self._items = {keys[key]: row for key, row in self._memory.find(keys.keys()).items()}

    def find(self, key: str) -> ReadItem | None:
        """Return the place of an item that is known; its card comes later."""
        data = self._items.get(key)
        with suppress(msgspec.MsgspecError, RecursionError):
            row = _ROWS.decode(data) if data else None
            if row and 0 <= row.start < row.end <= len(key):
                return ReadItem((KnownItem((), row.start, row.end, kept=row),), 0)
        return None

    def put(self, key: str, made: ReadItem) -> None:
        """Note which item a node was read from."""
        node = made.nodes[0]
        self._read[id(node)] = key, made.begin, node

    # --- cards -----

    def reading(self, node: KnownItem, at_rest: Document) -> CardReading | None:
        """Return the result of reading an item that is known; None if it is to be read after all."""
        row = node.kept
        assert isinstance(row, Row)
        begin = node.start - row.start
        try:
            card = self._packing.card(row, at_rest, begin)
        except (msgspec.MsgspecError, KeyError, ValueError):
            return None
        # Whoever may write what is remembered names no file out of the set, or out of the folder of outputs.
        if not ids.is_id(card.id) or any(self._home.file(each.name) != each.file for each in card.pictures.values()):
            return None
        name = Scalar("", ScalarStyle.PLAIN, row.claimed[0] + begin, row.claimed[1] + begin)
        return CardReading(card, ids.Claim(card.id, at_rest, name), ())

    def note(self, node: Mapping, card: GameCard, claim: ids.Claim | None) -> None:
        """Remember a card in which nothing is wrong, and which was read from a node."""
        item = self._read.get(id(node))
        if item and claim and claim.id == card.id:
            words, begin, _ = item
            claimed = claim.node.start - begin, claim.node.end - begin
            if row := self._packing.row_of_all(card, begin, claimed):
                self._fresh[self._key(words)] = ENCODER.encode(row)

    def keep(self) -> None:
        """Keep what was remembered."""
        if self._fresh:
            self._memory.keep(self._fresh)
            self._fresh = {}

    def _key(self, words: str) -> bytes:
        key = self._state.copy()
        key.update(words.encode("utf-8", "surrogatepass"))
        return key.digest()


def _surroundings(around: Surroundings, files: Iterable[Path]) -> list[Stamp]:
    """Return the stamps of what reading a card looks at: fonts, templates and icons in the folders of set and game, and rules."""
    game = registry.game_of(around.card_set)
    rules = [file for _, file in game.rule_files(around.card_set.folder)]
    return stamps(
        (FONTS, *home_folders(around.card_set, game.folder), *rules),
        {os.path.realpath(file) for file in files},
        _PHOTOS,
    )


Stamp = tuple[str, int, int, int, int]
"""A file, its size in bytes, when its content and when it itself changed in ns, and its inode; 0 for a missing file.

Who copies or moves a file over another may keep the former time, but not the latter. Of what an editor has not saved of
a file, there is a digest in the place of times.
"""

_EDITED = (".yaml", ".yml")
_ASIDE = (".git", ".DS_Store", ".swp")  # how hidden files end that no template names: of git, of macOS, of Vim


def stamps(paths: Iterable[Path], left_out: Collection[str], endings: tuple[str, ...] = ()) -> list[Stamp]:
    """Return the stamps of files, and of those in folders and below, in order, but for those `left_out`.

    These are real paths; nor are files with one of these endings looked at.
    """
    found = (each for path in paths for each in _below(os.path.realpath(path), endings))
    return [stamp(each) for each in dict.fromkeys(found) if each not in left_out]


def _below(path: str, endings: tuple[str, ...]) -> Iterator[str]:
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except OSError:  # it is a file, or is not there
        yield path
        return
    for entry in entries:
        is_aside = entry.name.startswith(".") and entry.name.endswith(_ASIDE)
        if is_aside or entry.name.lower().endswith(endings):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, endings)
        else:
            yield entry.path


def stamp(file: str) -> Stamp:
    if file.endswith(_EDITED) and (content := unsaved_change(Path(file))) is not None:
        return file, len(content), int(hashlib.sha256(content).hexdigest(), 16), 0, 0
    with suppress(OSError):
        status = Path(file).stat()
        return file, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
    return file, 0, 0, 0, 0


# --- cards that can be drawn ------------------------------------------------------------------------------------------


def card_keys(card_set: GameSet) -> dict[str, bytes]:
    """Return, by id, digests of everything that laying out the sides of each card, and judging it, depends on."""
    game = registry.game_of(card_set)
    shown = {picture.file for card in card_set.cards for picture in card.pictures.values()}
    written = {card.document.file for card in card_set.cards}
    written |= {each for each in card_files(card_set.folder) if each not in written and _is_unreadable(each)}
    rules = (file for _, file in game.rule_files(card_set.folder))
    of_others = {*map(os.path.realpath, written)}
    files = stamps(home_folders(card_set, game.folder), of_others | {*map(str, shown)})
    if any(name.endswith(".svg") for name, *_ in files):  # which may show a picture that is another card's, too
        files = stamps(home_folders(card_set, game.folder), of_others)
    files += stamps((FONTS, TEMPLATES, game.templates, *rules), of_others)
    declared = replace(card_set, cards=(), flawed=(), unread=(), missing=())
    state = hashlib.sha256(repr((declared, files)).encode("utf-8", "surrogatepass"))
    pictures = {file: stamp(str(file)) for file in shown}
    keys: dict[str, bytes] = {}
    for card in card_set.cards:
        key = state.copy()
        own = card, [pictures[each.file] for each in card.pictures.values()]
        key.update(repr(own).encode("utf-8", "surrogatepass"))
        keys[card.id] = key.digest()
    return keys


def _is_unreadable(file: Path) -> bool:
    try:
        yaml.read_text(file, file.parent)
    except Refused:
        return True
    return False


class SoundCards:
    """The cards of a set in which nothing was found, kept in a `memory` from one check to the next.

    These are the cards whose own sides gave no finding; and, if the rules find nothing in a whole set, its cards. Where
    they find anything, it may be told with one card and mean others.
    """

    def __init__(self, memory: Memory, card_set: GameSet) -> None:
        self._keys = card_keys(card_set)
        asked = [*self._keys.values(), *map(_of_rules, self._keys.values())]
        self._memory, self._known = memory, set(memory.find(asked))
        self._sound: set[bytes] = set()

    def has(self, card: GameCard) -> bool:
        """Return whether the sides of such a card gave no finding; they are not checked again."""
        return self._keys.get(card.id) in self._known

    def judged(self, card: GameCard, *, is_sound: bool) -> None:
        """Learn whether the sides of a card gave no finding."""
        if is_sound and card.id in self._keys:
            self._sound.add(self._keys[card.id])

    def end(self, found: Iterable[Diagnostic]) -> None:
        """Keep what was remembered, given everything that was found.

        Not if a template is odd: that is said with one of its cards, and would not be said if that is gone.
        """
        if not any(each.span and each.span.file.suffix == ".svg" for each in found):
            self._memory.keep(dict.fromkeys(self._sound - self._known, b""))

    def is_lawful(self, card: GameCard) -> bool:
        """Return whether the rules found nothing in a set with such a card."""
        return card.id in self._keys and _of_rules(self._keys[card.id]) in self._known

    def judged_all(self) -> None:
        """Keep that the rules find nothing in the set."""
        self._memory.keep(dict.fromkeys({*map(_of_rules, self._keys.values())} - self._known, b""))


def _of_rules(key: bytes) -> bytes:
    return key + b" rules"

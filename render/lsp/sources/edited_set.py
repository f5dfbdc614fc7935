"""The set that a file belongs to, as far as it can be read, and the cards of single pieces of its files."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from render.base.caches import cached
from render.base.findings import Refused
from render.game.cards import GameCard, GameSet
from render.game.derivations import Derivation
from render.game.folder import GAME_FILE, SET_FILE, SetFiles, is_game
from render.game.registry import DEFAULT, AnyGame, game_named, game_of
from render.game.sets.named_games import game_in
from render.game.sets.set_reader import read_cards, read_set
from render.lsp.sources.pieces import FilePiece, document_of
from render.source.nodes import Document, Mapping, Sequence
from render.source.reader import read_bytes
from render.source.unsaved import unsaved_content


@dataclass(frozen=True, slots=True)
class EditedSet:
    """A set without its cards; mistakes in its file are left out. Equal views see cards the same."""

    folder: Path
    looks: Hashable
    card_set: GameSet = field(compare=False)

    @property
    def game(self) -> AnyGame:
        """The game of the set."""
        return game_of(self.card_set)


def view_of(file: Path) -> EditedSet | None:
    """Return the set in whose folder a file is; None if there is none."""
    folder = file.parent
    try:
        said = read_bytes(folder / SET_FILE, home=folder)
    except Refused:
        return None
    return _view(folder, said, _rules(game_in(SetFiles(folder, ())), folder))


@cached(16)
def _view(folder: Path, said: bytes, rules: Hashable) -> EditedSet | None:
    files = SetFiles(folder, ())
    card_set, _ = read_set(files)
    if card_set is None and is_game(folder / GAME_FILE):
        return None  # nothing is known of its cards as long as the game has mistakes
    # Another set stands in for one whose own file cannot be read.
    return EditedSet(folder, (said, rules), card_set or game_named(DEFAULT).new_set(folder, folder.name))


def _rules(game: AnyGame, folder: Path) -> Hashable:
    """Return the looks of the files of rules that apply to cards of a set in the folder."""
    found = []
    for name, file in game.rule_files(folder):
        with suppress(OSError):
            unsaved = unsaved_content(file)
            if unsaved is not None:
                found.append((str(name), str(file), 0, hash(unsaved)))
                continue
            status = file.stat()
            found.append((str(name), str(file), status.st_mtime_ns, status.st_size))
    return tuple(found)


def text_of(file: Path) -> str | None:
    """Return the text of a file, or what an editor has not saved of it; None if it cannot be read."""
    try:
        return read_bytes(file).decode("utf-8", "replace")
    except Refused:
        return None


@dataclass(frozen=True, slots=True)
class CardPiece:
    """A card of a piece of a file: its mapping, and the card with what follows of it; None for one with an error."""

    node: Mapping
    card: GameCard | None
    derivation: Derivation | None


def card_pieces(piece: FilePiece, view: EditedSet) -> tuple[CardPiece, ...]:
    """Return the cards of a piece of a card file of the set."""
    return _cards_of(piece.text, piece.file, view)


@cached(8192)
def _cards_of(text: str, file: Path, view: EditedSet) -> tuple[CardPiece, ...]:
    return tuple(_card_pieces(document_of(text, file), view))


def _card_pieces(document: Document | None, view: EditedSet) -> Iterator[CardPiece]:
    if document is None:
        return
    root = document.root
    nodes = [node for node in (root.items if isinstance(root, Sequence) else (root,)) if isinstance(node, Mapping)]
    for node, card in zip(nodes, read_cards(view.card_set, document, nodes), strict=True):
        yield CardPiece(node, card, view.game.derivation(card, view.card_set) if card else None)

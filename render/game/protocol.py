"""What the core asks of a game. Whoever implements `Game` gets checks, PNGs, sheets, files for shops and tables, the
gallery, builds and `verify` for cards of their own.

The way of a set is: `folder` finds its files, `set_reader` reads `set.yaml` and asks the game for each card, `faces`
lays the cards out by the game's templates with the game's values, and everything after that sees scenes only.

To make a game:

1. Derive a card from `cards.GameCard` and a set from `cards.GameSet`, frozen dataclasses with `game_name` as a class
   variable, and name the kinds of card in an enumeration.
2. Draw a template for each kind, `<kind>.svg`, and `back.svg`, in one folder.
3. Derive a class from `Game` and write the members below that raise NotImplementedError. The others answer for a game
   that has no such thing: no keys of its own in `set.yaml`, no rules, no blank cards.
4. `registry.register` it. Sets then say `game: <name>` in `set.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from render.base.findings import Finding
from render.game.card_keys import CardReader, Surroundings
from render.game.cards import GameCard, GameSet
from render.images.inspect import Artwork
from render.source.fields import Fields

Card_contra = TypeVar("Card_contra", bound=GameCard, contravariant=True)
SetOfGame = TypeVar("SetOfGame", bound=GameSet)


class Game(Protocol[Card_contra, SetOfGame]):
    """A game: how its cards are read, what their templates see, what is said of them, and the rules they obey."""

    # --- what it is -----

    @property
    def name(self) -> str:
        """Its name in `game:` of `set.yaml`, in lower case."""
        raise NotImplementedError

    @property
    def templates(self) -> Path:
        """The folder of its own templates. Those of a set's folder come before them."""
        raise NotImplementedError

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of card, as card files and templates name them."""
        raise NotImplementedError

    @property
    def set_keys(self) -> tuple[str, ...]:
        """The keys that `set.yaml` may have beside those of every game (`set_reader.KEYS`)."""
        return ()

    # --- reading a set -----

    def new_set(self, folder: Path, name: str) -> SetOfGame:
        """Return a set of which nothing is known but its folder and its name."""
        raise NotImplementedError

    def read_set(self, fields: Fields, common: SetOfGame) -> SetOfGame:
        """Return the set with what `set.yaml` says for this game alone; findings go into `fields`.

        `common` is `new_set` with what is read for every game.
        """
        return common

    def card_reader(self, around: Surroundings) -> CardReader:
        """Return what reads the cards of one set. `card_keys` reads what cards of every game have."""
        raise NotImplementedError

    # --- laying cards out -----

    def values(
        self, card: Card_contra, card_set: SetOfGame, artwork: Artwork | None, least_type: float
    ) -> Mapping[str, object]:
        """Return what the template sees as `card`.

        `artwork` is the card's picture, inspected. `least_type` is the smallest size of type in mm of the template.
        """
        raise NotImplementedError

    # --- words -----

    def about(self, card: Card_contra) -> str:
        """Return what the gallery says beside the name of a card, in one line."""
        raise NotImplementedError

    def words(self, card: Card_contra) -> str:
        """Return the words by which the gallery's search finds a card."""
        raise NotImplementedError

    def description(self, card: Card_contra) -> str:
        """Return what a virtual table shows when a player looks at a card closely, in lines."""
        raise NotImplementedError

    def slug(self, cards: Sequence[Card_contra]) -> str:
        """Return what the slug of a sheet says of cards beside the names of their sets; it may be empty."""
        return ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table `cards.csv`, before those of the pictures."""
        raise NotImplementedError

    def row(self, card: Card_contra) -> tuple[object, ...]:
        """Return what the columns hold for a card; nothing is `None`."""
        raise NotImplementedError

    # --- what makes an output stale -----

    def parts(self, card: Card_contra) -> Mapping[str, object]:
        """Return all that a card's front shows, by the names that `build --explain` says; its pictures' files not."""
        raise NotImplementedError

    def shared_parts(self, card_set: SetOfGame) -> object:
        """Return what changes how every card of a set looks, beside templates and size."""
        return None

    def rule_files(self, folder: Path) -> Sequence[tuple[object, Path]]:
        """Return the rules that the cards of a set in the folder may be judged by: a name for each, and its file."""
        return ()

    def rule_places(self, card_set: SetOfGame) -> Sequence[Path]:
        """Return where files were looked for that changed what was read: a file that comes to be there is a change."""
        return ()

    def rule_folders(self) -> Sequence[Path]:
        """Return the folders outside sets in which rules may be."""
        return ()

    # --- checks -----

    def rules_of(self, card: Card_contra) -> object:
        """Return the name of the rules that a card is judged by, as `rule_files` has it; nothing if there are none."""
        return None

    def judge(self, sets: Sequence[SetOfGame], edition: int | None = None) -> list[Finding]:
        """Return what the rules find in cards that can be drawn; by those of an edition if there is a number.

        Refused if there are no such rules, or they cannot be read.
        """
        return []

    # --- blank cards -----

    def blank_set(
        self, sets: Sequence[SetOfGame], counts: Mapping[str, int], edition: int | None, *, chosen: bool
    ) -> tuple[SetOfGame, str]:
        """Return a set with so many blank cards of each kind, and a word about whose frames it took, if there is one.

        `sets` are those that may lend their frames, without their cards; `chosen` tells that somebody named them.
        ValueError with a message if there are no such cards, or none at all.
        """
        raise ValueError(f"the game `{self.name}` has no blank cards")

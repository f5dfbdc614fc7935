"""What the core asks of a game. Whoever implements `Game` gets checks, PNGs, sheets, files for shops and tables, the
gallery, builds and `verify` for cards of their own.

A set takes this way: `sources` finds its files, `set_reader` reads `set.yaml` and asks the game for each card, `faces`
lays the cards out with the templates and values of the game. Everything after that works on scenes alone.

To make a game:

1. Derive a card from `cards.GameCard` and a set from `cards.GameSet`, frozen structs of msgspec with `game_name` as a class
   variable, and name the kinds of card in an enumeration.
2. List the keys of cards in tables, which begin with `card_reading.CARD_KEYS`, and derive a reader from
   `card_reading.CardReader` that says which table a card has.
3. Draw a template for each kind, `<kind>.svg`, and `back.svg`, in one folder.
4. Derive a class from `Game` and write its abstract members. The others answer for a game that has no such thing: no
   keys of its own in `set.yaml`, no rules, no blank cards.
5. `registry.register` it. Sets then say `game: <name>` in `set.yaml`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace

from render.base.findings import Diagnostic, Span
from render.game.card_reading import CardReader, Surroundings
from render.game.cards import CardFacts, CardKind, DeckCard, GameCard, GameSet
from render.game.derivations import Derivation, Origin, Phrase, ShownCards, ShownFigures
from render.game.languages import SET_WORDS, check_declared
from render.images.inspect import Artwork
from render.scene.items import Scene
from render.source.fields import Fields
from render.source.key_tables import KeyTable
from render.source.shapes import Shape
from render.text.font_roles import FontRole

Card_contra = TypeVar("Card_contra", bound=GameCard, contravariant=True)
SetOfGame = TypeVar("SetOfGame", bound=GameSet)

NewValue: TypeAlias = "str | int | tuple[str, ...] | tuple[Mapping[str, NewValue], ...]"
"""A value of a new card: words, a number or truth, a list of words, or the keys of each of its faces."""


class ShownIcon(NamedTuple):
    """An icon of texts by itself, with the place that names its file.

    `words` stand for it in texts, such as `{H}`, and `told` is what it is called where it is read out.
    """

    name: str
    words: str
    told: str
    place: Span
    scene: Scene


class Game(Protocol[Card_contra, SetOfGame]):
    """A game: how its cards are read, what their templates see, the words about them, and their rules."""

    # --- what it is -----

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the game in `game:` of `set.yaml`, in lower case."""

    @property
    @abstractmethod
    def templates(self) -> Path:
        """The folder of the game's templates. Templates in a set's folder come first."""

    @property
    @abstractmethod
    def kinds(self) -> tuple[str, ...]:
        """The kinds of card, as card files and templates name them."""

    @property
    def folder(self) -> Path | None:
        """The folder with files of the game's own: templates, pictures, icons; None if it comes with the program.

        What a set names is looked for in the set's folder, then in this one.
        """
        return None

    @property
    def picture_keys(self) -> tuple[str, ...]:
        """The keys of cards, and of their faces, that name pictures; `back` may name one in every game."""
        return ("art",)

    @property
    def two_sided(self) -> tuple[str, ...]:
        """The kinds whose cards have two sides of their own, and so no back."""
        return ()

    @property
    def set_table(self) -> KeyTable:
        """The keys that `set.yaml` may have in addition to those of every game (`set_keys.SET_KEYS`)."""
        return KeyTable()

    @property
    def set_words(self) -> KeyTable:
        """The keys of what `set.yaml` says in one language, below `words`."""
        return SET_WORDS

    @property
    def card_words(self) -> KeyTable:
        """The keys of what any card may say in one language, which a file of that language gives."""
        return KeyTable()

    def known_languages(self) -> Iterable[str]:
        """Return the languages of which the game has words of its own: an editor offers them."""
        return ()

    # --- reading a set -----

    @abstractmethod
    def new_set(self, folder: Path, name: str) -> SetOfGame:
        """Return a set with this folder and name, and defaults for everything else."""

    def read_set(self, fields: Fields, common: SetOfGame, given: Mapping[str, Any]) -> SetOfGame:
        """Return `common`, which has what every game reads from `set.yaml`, with what that gives for `set_table`.

        `fields` are its keys, and collect further findings.
        """
        check_declared(fields, common)
        return replace(common, **given)

    @abstractmethod
    def card_reader(self, around: Surroundings) -> CardReader[Any, Any]:
        """Return the reader of the cards of a set, which says what is the game's own in reading them."""

    def ordered(self, cards: Sequence[Any]) -> Sequence[Any]:
        """Return the cards of a set in the order of its outputs; usually as they are written."""
        return cards

    def first_files(self, folder: Path, name: str, edition: int | None, paper: str) -> Mapping[str, bytes]:
        """Return the files of a new set, `set.yaml` and cards that show the usual keys, by their names in its folder.

        Names have `/` between folders; `paper` is as in `sheet:`. ValueError if the game has none of that edition.
        """
        raise ValueError(f"the game `{self.name}` has no cards to begin a set with")

    def new_card(self, given: Mapping[str, str], card_set: SetOfGame) -> Mapping[str, NewValue]:
        """Return the keys of a new card of the set, as an author orders them, with values to begin with.

        `given` has `name` and `kind`, and what else the author said. Words and numbers are written differently; a
        tuple has the keys of each face of the card.
        """
        names = {key: given[key] for key in ("id", "name", "kind") if key in given}
        others = {key: int(value) if value.isdecimal() else value for key, value in given.items() if key not in names}
        return {**names, **others}

    # --- laying cards out -----

    @abstractmethod
    def values(
        self, card: Card_contra, card_set: SetOfGame, artworks: Mapping[str, Artwork], least_type: float
    ) -> Mapping[str, object]:
        """Return what the template sees as `card`.

        `artworks` are the `pictures` of the card, inspected. `least_type` is the smallest type in mm of the template.
        """

    def expression_values(self, card: Card_contra) -> Mapping[str, object]:
        """Return what expressions see of a card, by name: texts, numbers, truth values and lists; None for no number."""
        own = {"id": card.id, "name": card.name, "kind": card.kind.value, "copies": card.copies, "draft": card.draft}
        return {**own, "art": card.art.name if card.art else ""}

    @property
    def font_roles(self) -> Sequence[FontRole]:
        """The fonts that templates call by a role; families in `fonts` of the set's or the game's folder need none."""
        return ()

    def icons(self, card_set: SetOfGame) -> Iterable[ShownIcon]:
        """Return the icons that texts of cards show; those that cannot be drawn are left out."""
        return ()

    @property
    def size_keys(self) -> Mapping[str, str]:
        """The keys by which people set a text of a card smaller, in words, by the key of the text."""
        return {}

    # --- words -----

    @abstractmethod
    def about(self, card: Card_contra) -> str:
        """Return the line below the name of a card in the gallery."""

    @abstractmethod
    def words(self, card: Card_contra) -> str:
        """Return the words by which the gallery's search finds a card."""

    @abstractmethod
    def description(self, card: Card_contra) -> str:
        """Return the text, in lines, that a virtual table shows when a player points at a card."""

    def facts(self, card: Card_contra) -> CardFacts:
        """Return what the gallery filters and sorts cards by, reads out in place of a picture, and credits."""
        return CardFacts(kind=card.kind.value, told=" ".join(self.description(card).split()))

    @property
    def rank_word(self) -> str:
        """What the game calls the `rank` of a card, such as `level`; "" if its cards have none."""
        return ""

    @property
    def icon_names(self) -> Mapping[str, str]:
        """What the icons in texts are called, by what stands in braces."""
        return {}

    def slug(self, cards: Sequence[Card_contra]) -> str:
        """Return what the slug of a sheet says about its cards, after the names of their sets."""
        return ""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the first columns of `cards.csv`; the columns of the pictures follow."""

    def row(self, card: Card_contra) -> tuple[object, ...]:
        """Return the values of these columns for a card; None for an empty cell."""
        return tuple(card.kind.value if name == "kind" else getattr(card, name) for name in self.columns)

    def indicator(self, card: Card_contra) -> str:
        """Return the words on a card that no player looks for when they change, such as its edition; "" for none."""
        return ""

    # --- what makes an output stale -----

    def place_of_template(self, card: Card_contra, face: int) -> Span | None:
        """Return where the game names the template of a side of a card that names none itself; None if nowhere."""
        return None

    def place_of_back(self, card: Card_contra) -> Span | None:
        """Return where the game names the back of a card that names none itself; None if nowhere."""
        return None

    @abstractmethod
    def parts(self, card: Card_contra) -> Mapping[str, object]:
        """Return everything that a card's front shows but picture files, by the names that `build --explain` prints."""

    def shared_parts(self, card_set: SetOfGame) -> object:
        """Return what else changes the look of every card of a set, in addition to templates and size."""
        return None

    def rule_files(self, folder: Path) -> Sequence[tuple[object, Path]]:
        """Return the names and files of all rules that apply to cards of a set in this folder."""
        return ()

    def rule_places(self, card_set: SetOfGame) -> Sequence[Path]:
        """Return the files looked for while the set was read, existing or not: a new file there is a change."""
        return ()

    def rule_folders(self) -> Sequence[Path]:
        """Return the folders outside sets that may hold rules."""
        return ()

    # --- checks -----

    def rules_of(self, card: Card_contra) -> object:
        """Return the name, as in `rule_files`, of the rules that apply to a card; None if there are none."""
        return None

    def judge(self, sets: Sequence[SetOfGame], edition: int | None = None) -> list[Diagnostic]:
        """Return what the rules find in cards that can be drawn. With a number, the rules of that edition apply.

        Refused if there are no such rules, or they cannot be read.
        """
        return []

    def illegal_in(self, card_set: SetOfGame) -> Mapping[int, Mapping[str, str]]:
        """Return for each edition of the game why cards of the set, by their ids, may not be played in it."""
        return {}

    def unshown(self, card_set: SetOfGame) -> Iterable[Diagnostic]:
        """Return a warning for each key that cards of a set give and no template shows; usually nobody looks."""
        return ()

    def derivation(self, card: Card_contra, card_set: SetOfGame) -> Derivation | None:
        """Return how the numbers of a card follow from its words; None if the game, or the card, has no such rules."""
        return None

    def explained(self, cards: Sequence[Card_contra], card_set: SetOfGame) -> ShownCards | None:
        """Return how the numbers of cards follow, at length; None if the game has no such rules."""
        return None

    def origin(self, card: Card_contra, card_set: SetOfGame, name: str) -> Origin | None:
        """Return where a value of `expression_values`, or the `size` or `cut`, of a card comes from; None if the card gives it."""
        return None

    def phrases(self, card_set: SetOfGame, values: Mapping[str, str]) -> Sequence[Phrase]:
        """Return what may be written in the text of a card of the set, in the order of a guide.

        `values` are those that the card has in one line, by their keys, as written.
        """
        return ()

    # --- figures -----

    def counted(self, cards: Sequence[Card_contra]) -> Mapping[str, Sequence[str]]:
        """Return the numbers and choices by which cards are counted: names of `expression_values`, with words of choices."""
        return {}

    def texts_of(self, card: Card_contra) -> Mapping[str, str]:
        """Return what fields, kinds and choices are called in the language of a card, if not as the game names them."""
        return {}

    @property
    def hand(self) -> int:
        """The number of cards of an opening hand."""
        return 7

    def figures(self, card_set: SetOfGame, hand: int) -> ShownFigures | None:
        """Return a set or a deck in figures of the game's own, with the odds of such a hand; None for those of every game."""
        return None

    # --- decks -----

    @property
    def deck_table(self) -> KeyTable:
        """The keys that a deck file may have in addition to those of every game (`deck_file.DECK_KEYS`)."""
        return KeyTable()

    def is_played(self, card: Card_contra) -> bool:
        """Return whether a deck may have such a card."""
        return True

    def read_deck(self, common: SetOfGame, given: Mapping[str, Any]) -> SetOfGame:
        """Return `common` with what a deck gives for the keys of `deck_table`."""
        return replace(common, **given)

    def judge_deck(self, deck: SetOfGame, cards: Sequence[DeckCard[Card_contra]]) -> list[Diagnostic]:
        """Return what the rules find in a deck: its cards in their order, each with its line in the file."""
        return []

    # --- schemas for editors -----

    def card_file_schema(self, edition: int | None = None, kinds: Sequence[CardKind] = ()) -> Shape | None:
        """Return the JSON Schema of a card file; with an edition, for cards that name no other.

        `kinds` are those that only the rules of its set have.
        None if the game says nothing of the keys of its cards: an editor then takes any beside those of every game.
        """
        return None

    def new_kinds(self, card_set: SetOfGame) -> Sequence[CardKind]:
        """Return the kinds of card beside `kinds` that the rules of a set have, such as those of an edition of its own."""
        return ()

    def edition_of(self, card_set: SetOfGame) -> int | None:
        """Return the edition of those cards of a set that name none; None if there is no such thing."""
        return None

    def other_schemas(self) -> Mapping[str, Shape]:
        """Return the JSON Schemas of the other files that the game reads, such as rules, by their names."""
        return {}

    # --- blank cards -----

    def blank_set(
        self, sets: Sequence[SetOfGame], counts: Mapping[str, int], edition: int | None, *, chosen: bool
    ) -> tuple[SetOfGame, str]:
        """Return a set with that many blank cards of each kind, and a message about whose frames it uses, or "".

        `sets`, loaded without cards, may provide the frames; `chosen` says that the user named them.
        ValueError if there are no such cards.
        """
        raise ValueError(f"the game `{self.name}` has no blank cards")

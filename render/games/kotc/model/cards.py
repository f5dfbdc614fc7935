"""Cards and sets as values: what a card file says, checked, in exact types."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

from msgspec import Struct

from render.base.geometry import MM_PER_POINT
from render.game.cards import CardPicture, GameCard, GameSet
from render.games.kotc.model.edition import Grammar, NewKind


class Kind(enum.Enum):
    """The kind of a card: creatures up to the 11th Edition, minions from the 12th on, the others in every edition."""

    MINION = "minion"
    SPELL = "spell"
    CREATURE = "creature"
    PAWN = "pawn"
    TIP = "tip"


AnyKind: TypeAlias = Kind | NewKind


def is_spell(kind: AnyKind) -> bool:
    """Return whether cards of a kind are spells, or nearest to them."""
    return kind is Kind.SPELL or (isinstance(kind, NewKind) and kind.nearest == Kind.SPELL.value)


class Corner(enum.Enum):
    """The corner of the picture with the names of its author and license."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


class ArtFit(enum.Enum):
    """Whether a picture is shown whole in its box, or fills the box and is cropped."""

    CONTAIN = "contain"
    COVER = "cover"


class Art(CardPicture, frozen=True):
    """The picture of a card. `color` is that of the author's name upon the picture: `white` or `black`."""

    corner: Corner = Corner.TOP_LEFT
    color: str = "white"
    fit: ArtFit = ArtFit.CONTAIN


MIN_TEXT = 5 * MM_PER_POINT  # mm: the smallest size of ability texts, unless a set chooses another

ENGLISH = "en"
"""The language of the rules, and of sets that name no other."""


class WrittenWords(Struct, frozen=True):
    """The ability text as it is in a card's file, if it is not in English, and its language."""

    language: str
    text: str


class PrintedWords(Struct, frozen=True, kw_only=True):
    """The ability text as it is printed, if it is not the one of the rules, and its language.

    `indicator` is the Edition Indicator, `terms` are the language's words for kinds of card and their numbers, by their
    names in language files; both are empty in English. `missing` says in words what only people can give and have not,
    `unused` is what they have given for names and tutorial texts that the card does not have.
    """

    language: str
    text: str
    missing: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    indicator: str = ""
    terms: tuple[tuple[str, str], ...] = ()


class CardWords(Struct, frozen=True, kw_only=True):
    """What a card says by hand in another language: `abilities` are names by the names in its text.

    With a `text`, nothing is translated. `tutorials` are the tutorial texts in order, in parentheses.
    """

    language: str
    name: str = ""
    text: str = ""
    flavor: str = ""
    credit: str = ""
    abilities: tuple[tuple[str, str], ...] = ()
    tutorials: tuple[str, ...] = ()


CREDIT_FONTS: Mapping[str, str] = {
    "DejaVu Sans": "DejaVu Sans",
    "DejaVu Sans Condensed": "DejaVu Sans Condensed",
    "Droid Sans": "Droid Sans Latin",
    "Roboto": "Roboto Latin",
}
"""The fonts that a card's credit may be set in, each with its bundled face.

They are those of the official cards, whose authors asked for any sans serif.
"""

OLD_NAMES = {"sp": "offense", "hp": "defense", "level": "cost"}  # what the keys are called up to the 11th Edition


class Card(GameCard, frozen=True, kw_only=True):
    """A card of a set.

    `edition` is what its Edition Indicator says, nothing if it has none; `era` is the edition by which it is read and
    drawn: the same, if there is one; `grammar` is the one of that edition. Of creatures, `sp`, `hp` and `level` hold
    offense, defense and cost; they are missing where a card has none, or where people write them on a pawn.
    `name_size`, `text_size` and `flavor_size` are in mm, where the author chose them, and so is `name_spacing`, what is
    added between the letters of the name. `credit_font` is one of `CREDIT_FONTS`; "" leaves it to the template.

    `text` is the ability text in English, by which the rules judge it; name, flavor and credit are those that are
    printed. `written` and `printed` are set if the card's file, or the print, is not in English.
    """

    game_name: ClassVar[str] = "kotc"
    other_keys: ClassVar[Mapping[str, str]] = OLD_NAMES

    kind: AnyKind
    art: Art | None
    edition: int | None
    era: int
    grammar: Grammar
    level: int | None
    ultra_points: int
    sp: int | None
    hp: int | None
    text: str
    flavor: str
    credit: str
    name_size: float | None = None
    name_spacing: float = 0.0
    text_size: float | None = None
    flavor_size: float | None = None
    credit_font: str = ""
    words: tuple[CardWords, ...] = ()
    written: WrittenWords | None = None
    printed: PrintedWords | None = None

    @property
    def is_spell(self) -> bool:
        """Whether its text is that of a spell, whose condition restricts when it is played."""
        return is_spell(self.kind)

    @property
    def has_stats(self) -> bool:
        """Whether it has the numbers from which a level follows: SP and HP, unless it is of a kind without them."""
        if isinstance(self.kind, NewKind):
            return all(getattr(self, stat) is not None for stat in self.kind.stats if stat != "level")
        return self.kind is Kind.SPELL or None not in (self.sp, self.hp)

    @property
    def written_text(self) -> str:
        """The ability text as it is in the card's file."""
        return self.written.text if self.written else self.text

    @property
    def written_in(self) -> str:
        """The language of the card's file."""
        return self.written.language if self.written else ENGLISH

    @property
    def shown_text(self) -> str:
        """The ability text as it is printed."""
        return self.printed.text if self.printed else self.text

    @property
    def indicator(self) -> str:
        """The words of the Edition Indicator; "" for a card without one."""
        if self.edition is None:
            return ""
        return self.printed.indicator if self.printed and self.printed.indicator else indicator(self.edition)

    def term(self, name: str, usual: str) -> str:
        """Return the word of the printed language for a kind or a number; `usual` is the English word."""
        return dict(self.printed.terms).get(name, usual) if self.printed else usual


class CardSet(GameSet, frozen=True, kw_only=True):
    """A folder of cards.

    `edition` is that of the cards that give none; `red` tells whether any text is drawn red. `least_text` is the
    smallest size in mm of an ability text. `written` is the language of its card files, if `set.yaml` says it.
    """

    game_name: ClassVar[str] = "kotc"

    languages: tuple[str, ...] = (ENGLISH,)
    edition: int | None = None
    credit: str = ""
    red: bool = True
    least_text: float = MIN_TEXT
    written: str = ""
    cards: Sequence[Card] = ()

    @property
    def written_in(self) -> str:
        """The language of its card files: the one that `set.yaml` says, else the first in which it is printed."""
        return self.written or self.languages[0]


def own_card(card: GameCard) -> Card:
    """Return a card that is of this game, as the core asks its game about it."""
    assert isinstance(card, Card), card
    return card


def own_set(card_set: GameSet) -> CardSet:
    """Return a set that is of this game, as the core asks its game about it."""
    assert isinstance(card_set, CardSet), card_set
    return card_set


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th, 21st, as an Edition Indicator says it."""
    if number % 100 in (11, 12, 13):  # eleventh, twelfth, thirteenth
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def indicator(edition: int | None) -> str:
    """Return the words of an Edition Indicator: `17th Edition`; "" for a card without one."""
    return "" if edition is None else f"{ordinal(edition)} Edition"

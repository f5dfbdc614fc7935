"""The rules of a numbered edition as values: what its data file says, checked, in exact types.

Texts of the game are stored as the rulebooks and guides print them, with straight quotes and apostrophes, `→` for the
arrow behind a cost, and `{x}`, `{y}`, `{z}` for the numbers that a card fills in.
"""

from __future__ import annotations

import enum
from fractions import Fraction

from msgspec import Struct

from render.games.kotc.model.formula import TARGETS, Formula


class Role(enum.Enum):
    """The role of a component in an ability; a caveat is one of a whole creature, up to the 11th Edition."""

    CAVEAT = "caveat"
    CONDITION = "condition"
    COST = "cost"
    TARGET = "target"
    EFFECT = "effect"

    @property
    def plural(self) -> str:
        """What lists of such components are called, in data files and elsewhere."""
        return f"{self.value}s"


class Component(Struct, frozen=True, kw_only=True):
    """A text that abilities are built from (Card Building Guide, "Card Texts").

    `level` is what an effect adds and a cost subtracts, with `t` for the targets and `a` for the condition; for a
    target selection it is `t` itself. A condition has none from the 12th Edition on. Up to the 10th its `level` is
    subtracted, as that of a cost; in the 11th `factor` gives the `a` of the effects. That of a caveat is taken off the
    creature's SP and HP. `limits` are the greatest numbers that variables may have.

    `text` omits what stands behind a component in an ability: from the 11th Edition on the colon of a condition, the
    arrow or semicolon of a cost, the semicolon of a target selection and the full stop of an effect.
    """

    role: Role
    text: str
    level: Formula | None = None
    ultra_points: int = 0
    factor: Formula | None = None
    limits: tuple[tuple[str, int], ...] = ()

    @property
    def counts_targets(self) -> bool:
        """Whether its level depends on the targets, so that there must be some."""
        return self.level is not None and TARGETS in self.level.variables


class Rewording(Struct, frozen=True):
    """An old text and the text that replaces it (refurbished or revised texts)."""

    old: str
    new: str


class Revision(Struct, frozen=True):
    """A text whose level or cost was revised in `edition`: older designs with it may not be played."""

    text: str
    edition: int


class Terms(Struct, frozen=True):
    """The edition's words for minions and their numbers: minion, SP, HP, level, or creature, offense, ..."""

    minion: str
    sp: str
    hp: str
    level: str


class Rounding(enum.Enum):
    """What is rounded up: the sum of a whole card (up to the 11th Edition), or each ability by itself."""

    CARD = "card"
    ABILITY = "ability"


class LevelRules(Struct, frozen=True):
    """How a level is calculated: SP plus a share of the HP, and the least level of an ability and of a minion.

    Guide, "Level", up to the 10th Edition "Resource Cost". `missing` are keys that nobody knows, whose values here mean
    nothing: no level is calculated by them.
    """

    hp_share: Fraction
    least_of_minion_ability: int
    least_of_spell_ability: int
    rounding: Rounding = Rounding.ABILITY
    least_of_minion: int = 0
    missing: frozenset[str] = frozenset()

    def tell_of(self, *, spells: bool) -> bool:
        """Return whether the levels of spells, or of minions, follow from what is known."""
        needed = {"least_of_spell_ability"} if spells else {"hp_share", "least_of_minion_ability"}
        return not needed & self.missing


class AbilityCount(enum.Enum):
    """How many abilities a card may have."""

    ANY = "any"
    ONE = "one"
    NONE = "none"


class NewKind(Struct, frozen=True, kw_only=True):
    """A kind of card that an edition has beside minions and spells, and how the level of its cards is reckoned.

    Cards without an SP have no `sp_share`, and so with HP. `least_of_ability` is the least level of an ability, `least`
    that of a card. `frame` names the kind in whose frame such cards are drawn; "" leaves it to what they have.
    """

    name: str
    sp_share: Fraction | None = None
    hp_share: Fraction | None = None
    abilities: AbilityCount = AbilityCount.ANY
    least: int = 0
    least_of_ability: int = 0
    frame: str = ""

    @property
    def value(self) -> str:
        """Its name, as card files say it."""
        return self.name

    @property
    def nearest(self) -> str:
        """The kind in whose frame its cards are drawn, until they have a template of their own."""
        return self.frame or ("spell" if self.sp_share is self.hp_share is None else "minion")

    @property
    def stats(self) -> tuple[str, ...]:
        """Which of `sp`, `hp` and `level` its cards have."""
        return tuple(key for key in ("sp", "hp", "level") if getattr(self, f"{key}_share", 1) is not None)


class DeckRules(Struct, frozen=True):
    """How many cards a deck has, and its most Ultra Points (None: the edition has none)."""

    least: int
    most: int
    ultra_points: int | None = None


class UnknownWords(Struct, frozen=True):
    """Words of the game's pages that an import did not understand, in a section of the data file, with their line.

    What they would say is missing, so that nothing follows from the section where they might apply. `kind` is the new
    kind of card of which alone they speak, if they do: then other cards are judged.
    """

    section: str
    line: int
    words: str
    kind: str = ""


class Cards(enum.Enum):
    """What an edition calls its cards with two numbers, and with that what they have.

    Creatures have offense, defense and cost, and caveats; minions SP, HP, level and Ultra Points.
    """

    CREATURES = "creatures"
    MINIONS = "minions"


class Abilities(enum.Enum):
    """How an ability is put together.

    Of sentences, each a component; of clauses, that end with marks; or of a condition, costs and sub-abilities, each of
    which has its own target selection and effects. The first two have one target selection, and effects behind it.
    """

    SENTENCES = "sentences"
    CLAUSES = "clauses"
    SUB_ABILITIES = "sub-abilities"


class Costs(enum.Enum):
    """How many costs an ability has: one, or more that "also" or a list with "and" joins."""

    ONE = "one"
    ALSO = "also"
    AND = "and"


class Conditions(enum.Enum):
    """What a condition does to the level of its ability: takes its own off, gives `a` to the effects, or nothing."""

    LEVEL = "level"
    FACTOR = "a"
    NOTHING = "nothing"


class Verdict(enum.Enum):
    """What a card is that may not be played: banned, where changed texts are revised, or pruned, and refurbished."""

    BANNED = "banned"
    PRUNED = "pruned"


_MARKS = {
    Abilities.SENTENCES: {},
    Abilities.CLAUSES: {Role.CONDITION: ":", Role.COST: ";", Role.TARGET: ";", Role.EFFECT: "."},
    Abilities.SUB_ABILITIES: {Role.CONDITION: ":", Role.COST: "→", Role.TARGET: ";", Role.EFFECT: "."},
}


class Grammar(Struct, frozen=True, kw_only=True):
    """How an edition writes its cards, in what it does otherwise than the newest one (guide, "Constructing Abilities").

    `one_target` says whether effects on one target speak of "it" or "the target", and a selection of "up to 1" leaves
    "up to" out.
    """

    cards: Cards = Cards.MINIONS
    abilities: Abilities = Abilities.SUB_ABILITIES
    costs: Costs = Costs.AND
    conditions: Conditions = Conditions.NOTHING
    one_target: bool = True
    verdict: Verdict = Verdict.PRUNED

    @property
    def of_creatures(self) -> bool:
        """Whether its cards are of the game of creatures."""
        return self.cards is Cards.CREATURES

    @property
    def of_sentences(self) -> bool:
        """Whether every component is a sentence."""
        return self.abilities is Abilities.SENTENCES

    @property
    def has_sub_abilities(self) -> bool:
        """Whether abilities have sub-abilities, each with its own target selection."""
        return self.abilities is Abilities.SUB_ABILITIES

    def ending(self, role: Role) -> str:
        """Return what stands behind a component and is not part of its text; "" if nothing does."""
        return _MARKS[self.abilities].get(role, "")


class Edition(Struct, frozen=True, kw_only=True):
    """The rules of an edition. `clean_slate` is the oldest design edition that may be played, if there is one.

    `ultra_revisions` are texts whose Ultra Points were revised: those of an older design are recalculated for a deck
    (rulebook from the 18th Edition on, "Revised Ultra Points").
    """

    number: int
    terms: Terms
    deck: DeckRules
    grammar: Grammar = Grammar()
    clean_slate: int | None = None
    levels: LevelRules | None = None
    kinds: tuple[NewKind, ...] = ()
    rewordings: tuple[Rewording, ...] = ()
    redacted: tuple[str, ...] = ()
    revisions: tuple[Revision, ...] = ()
    ultra_revisions: tuple[Revision, ...] = ()
    components: tuple[Component, ...] = ()
    unknown: tuple[UnknownWords, ...] = ()

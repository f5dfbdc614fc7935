"""Cards for tests of levels, and what the rules of the 17th Edition say of them."""

from fractions import Fraction
from math import ceil
from pathlib import Path

from render.games.kotc.editions.finding import find
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.legality.rewording import render_words
from render.games.kotc.levels.levels import LevelCalculator, LevelDerivation
from render.games.kotc.model.cards import Card, Kind
from render.games.kotc.model.edition import Component, Edition, Role
from render.source.nodes import Document, Mapping

EDITION: Edition = find(17)
RECKONER = LevelCalculator(EDITION)
NOWHERE = Mapping((), 0, 0)


def card(text: str, sp: int | None = None, hp: int | None = None, *, edition: int = 17) -> Card:
    """Return a minion, or a spell if it has no SP."""
    kind = Kind.SPELL if sp is None else Kind.MINION
    document = Document(Path("card.yaml"), "", NOWHERE)
    return Card(
        id="card",
        name="Card",
        kind=kind,
        edition=edition,
        era=edition,
        grammar=usual_grammar(edition),
        level=0,
        ultra_points=0,
        sp=sp,
        hp=hp,
        text=text,
        flavor="",
        art=None,
        credit="",
        back="back",
        copies=1,
        document=document,
        node=NOWHERE,
    )


def derived(text: str, sp: int | None = None, hp: int | None = None) -> LevelDerivation:
    """Return how the level of a minion, or of a spell if it has no SP, comes about in the 17th Edition."""
    derivation = RECKONER.derive(card(text, sp, hp))
    assert derivation is not None
    return derivation


def numbers_of(text: str, sp: int | None = None, hp: int | None = None) -> tuple[int, int]:
    """Return level and Ultra Points of a minion or spell in whose text there is no flaw."""
    derivation = derived(text, sp, hp)
    assert derivation.flaws == ()
    return derivation.level, derivation.ultra_points


def components(role: Role) -> list[Component]:
    """Return the components of the 17th Edition of that role."""
    return [component for component in EDITION.components if component.role is role]


def printed(component: Component, numbers: dict[str, int], *, starts: bool = False, single: bool = False) -> str:
    """Return a component as a card prints it: with a capital where a sentence starts, "it" for a single target."""
    words = render_words(component.text, numbers, "it" if single else "")
    return words[:1].upper() + words[1:] if starts else words


def value(component: Component, numbers: dict[str, int], targets: Fraction = Fraction(0)) -> Fraction:
    """Return what the formula of a component gives."""
    if component.level is None:
        return Fraction(0)
    return component.level.value({name: Fraction(number) for name, number in numbers.items()} | {"t": targets})


def spell_level(exact: Fraction) -> int:
    """Return the level of a spell's ability: rounded up, and at least 0."""
    return max(0, ceil(exact))

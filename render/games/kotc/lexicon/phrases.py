"""The components of an edition as pieces of a text that is being written."""

from __future__ import annotations

from collections.abc import Mapping

from render.base.caches import cached
from render.base.findings import Refused, plural
from render.game.derivations import Phrase
from render.games.kotc.editions.finding import find
from render.games.kotc.languages.finding import find_foreign
from render.games.kotc.languages.vocabulary import Foreign
from render.games.kotc.lexicon.entries import Entry, entries
from render.games.kotc.model.cards import ENGLISH, CardSet
from render.games.kotc.model.edition import Edition, Grammar, Role


def phrases_for(card_set: CardSet, values: Mapping[str, str]) -> tuple[Phrase, ...]:
    """Return the components that a card with these values may have in its text; none without rules of its edition."""
    said = values.get("edition", "")
    number = int(said) if said.isascii() and said.isdecimal() and len(said) < 4 else card_set.edition
    if not number:
        return ()
    try:
        edition = find(number, card_set.folder)
        foreign = None
        if card_set.written_in != ENGLISH:
            foreign = find_foreign(edition, card_set.written_in, card_set.folder)
        return _phrases(edition, foreign)
    except Refused:  # which is a finding of checks
        return ()


@cached(16)
def _phrases(edition: Edition, foreign: Foreign | None) -> tuple[Phrase, ...]:
    return tuple(_phrase(each, edition.grammar, is_foreign=foreign is not None) for each in entries(edition, foreign))


def _phrase(entry: Entry, grammar: Grammar, *, is_foreign: bool) -> Phrase:
    component = entry.component
    ending = grammar.ending(component.role)
    notes = [f"x = 1, 2, 3: {', '.join(entry.levels)}"] if entry.levels else []
    notes += [plural(component.ultra_points, "Ultra Point")] if component.ultra_points else []
    notes += [f"{name} is at most {most}" for name, most in component.limits]
    return Phrase(
        words=entry.words if is_foreign else component.text,
        ending=f"{ending} " if component.role is not Role.EFFECT and ending else ending,
        role=component.role.value,
        price=entry.price,
        note="; ".join(notes),
        example=entry.example,
    )

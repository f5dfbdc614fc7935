"""The components of an edition as entries of a list, in English or in another language."""

from __future__ import annotations

from dataclasses import dataclass

from render.base.findings import Refused
from render.games.kotc.languages.vocabulary import English, Foreign
from render.games.kotc.levels.components import Components, component_text
from render.games.kotc.levels.stretches import Reader
from render.games.kotc.lexicon.examples import Examples
from render.games.kotc.lexicon.prices import levels, price
from render.games.kotc.model.edition import Component, Edition
from render.games.kotc.translation.texts import TextReader, translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A component with its words, as guides print them: `draw x cards`.

    `english` are those in English if `words` are not, and `levels` what it is worth for x = 1, 2 and 3.
    """

    component: Component
    words: str
    english: str
    price: str
    levels: tuple[str, ...]
    example: str


def entries(edition: Edition, foreign: Foreign | None = None) -> list[Entry]:
    """Return the components in the order of the guide; without those for which the language has no words."""
    examples = Examples(edition)
    reader = TextReader(Reader(Components(edition.components)), English(edition))
    found = []
    for component in edition.components:
        words = english = component_text(component)
        example = examples.text(component)
        if foreign is not None:
            words, example = foreign.printed(component), _translated(example, edition, reader, foreign)
        if words:
            found.append(
                Entry(
                    component=component,
                    words=words,
                    english=english if foreign else "",
                    price=price(component),
                    levels=levels(component),
                    example=example,
                )
            )
    return found


def _translated(text: str, edition: Edition, reader: TextReader, foreign: Foreign) -> str:
    try:
        found = translate(text, edition.grammar, reader, foreign)
    except Refused:
        return ""
    return "" if found.unknown else found.text

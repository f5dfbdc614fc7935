"""The parts of the text that is printed on a card, in any language: what is red or in italics, and the padlock."""

from __future__ import annotations

import re
from collections.abc import Iterator

from render.games.kotc.model.ability import Ability, AbilityText, Part, parse
from render.games.kotc.model.cards import Card
from render.games.kotc.model.edition import Grammar

_TO_COLON = re.compile(r"\s*:")


def parse_shown(card: Card) -> AbilityText:
    """Return the parts of the printed text of a card with abilities.

    From the 12th Edition on signs show them, which are the same in every language. Up to the 11th words do, which are
    known in English only: a text given by hand in another language is red where its English text is, paragraph by
    paragraph.
    """
    is_spell = card.is_spell
    if card.printed is None or card.grammar.has_sub_abilities:
        return parse(card.shown_text, card.grammar, is_spell=is_spell)
    english, text = parse(card.text, card.grammar, is_spell=is_spell), card.shown_text
    own = parse(text, Grammar(), is_spell=is_spell)
    return AbilityText(text=text, drawn=text, red=tuple(_reds(english, own)), padlock=english.padlock)


def _reds(english: AbilityText, own: AbilityText) -> Iterator[Part]:
    """Yield the words that are red: a caveat, which is a paragraph, and conditions, which begin one."""
    paragraphs = list(own.abilities)
    if english.caveat and paragraphs:
        first = paragraphs.pop(0)
        yield Part(own.text[first.start : first.end], first.start, first.end)
    for said, each in zip(english.abilities, paragraphs, strict=False):
        if said.condition:
            yield from _first_words(own.text, each)


def _first_words(text: str, each: Ability) -> Iterator[Part]:
    """Yield what stands before a colon, with the colon, or else the first sentence."""
    if each.condition:
        colon = _TO_COLON.match(text, each.condition.end)
        end = colon.end() if colon else each.condition.end
        yield Part(text[each.condition.start : end], each.condition.start, end)
    else:
        yield from each.sub_abilities[:1]

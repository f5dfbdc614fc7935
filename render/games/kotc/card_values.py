"""A card as its template sees it: words, numbers, runs of text and its picture, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from render.base.patterns import regex
from render.games.kotc.files.keys import stats
from render.games.kotc.model import ability
from render.games.kotc.model.cards import CREDIT_FONTS, Card, CardSet, Kind
from render.games.kotc.model.edition import Grammar
from render.images import inspect

Run = dict[str, object]


def template_values(
    card: Card, card_set: CardSet, artwork: inspect.Artwork | None, least_type: float = 0.0
) -> dict[str, object]:
    """Return what a template sees as `card`; templates/README.md is the reference."""
    parsed = parse_shown(card) if _has_abilities(card) else None
    return {
        "name": card.name,
        "name_size": card.name_size,
        "name_spacing": card.name_spacing,
        "blank": not card.name,
        "kind": card.kind.value,
        "edition": card.era,
        "edition_indicator": card.indicator,
        "level": card.level,
        "ultra_points": card.ultra_points,
        "numbers": stats(card.kind),
        "sp": card.sp,
        "hp": card.hp,
        "paragraphs": paragraphs(card.shown_text, parsed, red=card_set.red),
        "padlock": parsed is not None and parsed.padlock,
        "text_size": card.text_size,
        "least_text": card_set.least_text,
        "flavor": card.flavor,
        "flavor_size": card.flavor_size,
        "credit": card.credit,
        "credit_font": CREDIT_FONTS.get(card.credit_font, ""),
        "art": _art_values(card, artwork),
        "least_type": least_type,
        "variant": card.variant,
    }


def paragraphs(text: str, parsed: ability.AbilityText | None, *, red: bool) -> list[list[Run]]:
    """Return the paragraphs as runs with `text`, `red` (see `model.ability`) and `italic` (tutorial text)."""
    reds = parsed.red if parsed is not None and red else ()
    italics = parsed.tutorials if parsed is not None else ()
    runs: list[list[Run]] = []
    at = 0
    for line in text.split("\n"):
        if line.strip():
            runs.append(list(_runs(text, at, at + len(line), reds, italics)))
        at += len(line) + 1
    return runs


Spans = Sequence[ability.Part]


def _runs(text: str, start: int, end: int, reds: Spans, italics: Spans) -> Iterator[Run]:
    # A run begins wherever red or italic words begin or end.
    edges = {start, end} | {edge for part in (*reds, *italics) for edge in (part.start, part.end) if start < edge < end}
    for a, b in pairwise(sorted(edges)):
        # People type `->` for the arrow behind a cost.
        yield {
            "text": text[a:b].replace("->", ability.ARROW),
            "red": _within(a, reds),
            "italic": _within(a, italics),
        }


def _within(index: int, parts: Spans) -> bool:
    return any(part.start <= index < part.end for part in parts)


def _has_abilities(card: Card) -> bool:
    return card.kind is not Kind.TIP and bool(card.text.strip())


def _art_values(card: Card, artwork: inspect.Artwork | None) -> dict[str, object] | None:
    if card.art is None or artwork is None:
        return None
    return {
        "href": card.art.href,
        "width": round(artwork.shape.width),
        "height": round(artwork.shape.height),
        "author": card.art.author,
        "license": card.art.license,
        "corner": card.art.corner.value,
        "color": card.art.color,
        "fit": card.art.fit.value,
    }


# --- red words of the printed text, in any language ------------------------------------------------------------------

_TO_COLON = regex(r"\s*:")


def parse_shown(card: Card) -> ability.AbilityText:
    """Return the parts of the printed text of a card with abilities.

    From the 12th Edition on signs show them, which are the same in every language. Up to the 11th words do, which are
    known in English only: a text given by hand in another language is red where its English text is, paragraph by
    paragraph.
    """
    is_spell = card.is_spell
    if card.printed is None or card.grammar.has_sub_abilities:
        return ability.parse(card.shown_text, card.grammar, is_spell=is_spell)
    english, text = ability.parse(card.text, card.grammar, is_spell=is_spell), card.shown_text
    own = ability.parse(text, Grammar(), is_spell=is_spell)
    return ability.AbilityText(text=text, drawn=text, red=tuple(_reds(english, own)), padlock=english.padlock)


def _reds(english: ability.AbilityText, own: ability.AbilityText) -> Iterator[ability.Part]:
    """Yield the words that are red: a caveat, which is a paragraph, and conditions, which begin one."""
    paragraphs = list(own.abilities)
    if english.caveat and paragraphs:
        first = paragraphs.pop(0)
        yield ability.Part(own.text[first.start : first.end], first.start, first.end)
    for said, each in zip(english.abilities, paragraphs, strict=False):
        if said.condition:
            yield from _first_words(own.text, each)


def _first_words(text: str, each: ability.Ability) -> Iterator[ability.Part]:
    """Yield what stands before a colon, with the colon, or else the first sentence."""
    if each.condition:
        colon = _TO_COLON.match(text, each.condition.end)
        end = colon.end() if colon else each.condition.end
        yield ability.Part(text[each.condition.start : end], each.condition.start, end)
    else:
        yield from each.sub_abilities[:1]

"""What is said of a card beside its picture: in the gallery, in tables, on the slug, and by `build --explain`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from render.game.cards import CardFacts
from render.games.kotc.model.cards import Card, ordinal
from render.games.kotc.model.declaration import declaration


def about(card: Card) -> str:
    """Return kind and edition: `minion · 17th Edition`."""
    return " · ".join(filter(None, (card.term(card.kind.value, card.kind.value), card.indicator)))


def words(card: Card) -> str:
    """Return the words by which the gallery's search finds a card."""
    kind = card.term(card.kind.value, card.kind.value)
    return " ".join(f"{card.name} {kind} {card.shown_text}".lower().split())


def facts(card: Card) -> CardFacts:
    """Return what the gallery knows of a card."""
    word = card.term("level", "cost" if card.grammar.of_creatures else "level")
    return CardFacts(
        kind=card.term(card.kind.value, card.kind.value),
        told=" ".join(_told(card).split()),
        rank=card.level,
        ranked="" if card.level is None else f"{word} {card.level}",
        credits=tuple(_credits(card)),
    )


def _told(card: Card) -> str:
    """Return a card in the words of the game's own pages: `level 4 minion with 2 SP, 4 HP, and no abilities`."""
    text = card.shown_text.strip()
    if card.printed and card.printed.terms:  # the word order is that of English
        lines = description(replace(card, flavor="")).splitlines()
        return " ".join(line if line.endswith((".", "!", "?", ")")) else f"{line}." for line in lines if line)
    old = card.grammar.of_creatures
    level = "" if card.level is None else f"{'cost' if old else 'level'} {card.level} "
    words = ("offense", "defense") if old else ("SP", "HP")
    has = [f"{number} {word}" for word, number in zip(words, (card.sp, card.hp), strict=True) if number is not None]
    if card.ultra_points:
        has.append(f"{card.ultra_points} Ultra Point{'s' if card.ultra_points > 1 else ''}")
    if not text:
        has.append("no abilities")
    listed = " and ".join(has) if len(has) < 3 else f"{', '.join(has[:-1])}, and {has[-1]}"
    return f"{level}{card.kind.value}{' with ' if has else ''}{listed}{': ' if text else ''}{text}"


def _credits(card: Card) -> Iterator[str]:
    if card.credit.strip():
        yield " ".join(card.credit.split())
    by = ", ".join(filter(None, (card.art.author, card.art.license))) if card.art else ""
    if by:
        yield f"Picture: {by}"


def description(card: Card) -> str:
    """Return what is shown of a card beside its name: its kind, its numbers, its text."""
    words = ("Cost", "Offense", "Defense") if card.grammar.of_creatures else ("Level", "SP", "HP")
    if card.printed:
        words = (card.term("level", words[0]), card.term("sp", words[1]), card.term("hp", words[2]))
    ultra = card.term("ultra_points", "Ultra Points")
    numbers = zip((*words, ultra), (card.level, card.sp, card.hp, card.ultra_points or None), strict=True)
    shown = ", ".join(f"{word} {number}" for word, number in numbers if number is not None)
    kind = card.term(card.kind.value, card.kind.value)
    head = ", ".join(filter(None, (f"{kind[:1].upper()}{kind[1:]}", card.indicator)))
    return "\n".join(part for part in (head, shown, card.shown_text.strip(), card.flavor.strip()) if part)


def slug(cards: Iterable[Card]) -> str:
    """Return the editions of cards: `11th and 17th Edition`; empty if none has any.

    Those of another language are listed: `11. Edition, 17. Edition`.
    """
    shown = sorted(cards, key=lambda card: card.edition or 0)
    if any(card.printed and card.printed.indicator for card in shown):
        return ", ".join(dict.fromkeys(card.indicator for card in shown if card.edition))
    found = [ordinal(edition) for edition in sorted({card.edition or 0 for card in shown} - {0})]
    if not found:
        return ""
    return f"{' and '.join([', '.join(found[:-1]), found[-1]]) if len(found) > 1 else found[0]} Edition"


def row(card: Card) -> tuple[object, ...]:
    """Return what the columns of `cards.csv` hold; a level that a card does not have is empty."""
    own = {"id": card.id, "name": card.name, "kind": card.kind.value, "edition": card.edition, "level": card.level}
    own |= {"ultra_points": card.ultra_points, "copies": card.copies}
    return tuple(own[name] for name in declaration().table)


def parts(card: Card) -> Mapping[str, object]:
    """Return all that a card's front shows, by the names that `build --explain` says."""
    found: dict[str, object] = {
        "name": card.name,
        "kind": card.kind.value,
        "level": card.level,
        "ultra points": card.ultra_points,
        "sp": card.sp,
        "hp": card.hp,
        "flavor": card.flavor,
        "credit": card.credit,
        "text": card.shown_text,
        "name size": (card.name_size, card.name_spacing),
        "text size": card.text_size,
        "flavor size": card.flavor_size,
        "edition": (card.edition, card.era),
    }
    if card.printed:
        found["language"] = (card.printed.language, card.printed.indicator, card.written_in)
    if card.credit_font:
        found["credit font"] = card.credit_font
    if card.template:
        found["template"] = card.template
    if card.art:
        art = card.art
        found["art"] = (art.name, art.author, art.license, art.corner.value, art.color, art.fit.value)
    return found

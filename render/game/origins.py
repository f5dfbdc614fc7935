"""Where each value of a card comes from: its file, a cell of a table, its set, its game, words in its language, a formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from render.base.files import shortest
from render.base.findings import Refused, Span, quoted
from render.game.cards import (
    NO_BACK,
    GameCard,
    GameSet,
    cut_of,
    in_variant,
    is_given,
    is_picture,
    key_of_face,
    place_in_variant,
    place_of_back,
    place_of_sheet_key,
    size_of,
    value_of_key,
)
from render.game.derivations import Origin
from render.game.folder import GAME_FILE
from render.game.home import file_inside
from render.game.languages import place_of_words
from render.game.registry import game_of
from render.game.side_layout import SetLayouter
from render.layout.lay_out import validate
from render.layout.templates.lint import texts_of
from render.source.nodes import Node, Scalar, describe_node, node_at
from render.source.tables.documents import TableDocument

Explained = tuple[str, object, Origin]
"""The name of a value, the value, and where it comes from."""


def explain_card(card: GameCard, card_set: GameSet) -> list[Explained]:
    """Return the values of a card: those of its game's expressions, others that it gives, and what it looks like.

    Values of small cards, or of two sides, have names such as `faces.0.name`. What is not given has no value.
    """
    found = [*_values(card, card, card_set)]
    for number, face in enumerate(card.faces):
        named = (each for each in _values(face, card, card_set) if each[0] not in ("id", "kind", "copies", "draft"))
        found += [(key_of_face(number, name), value, origin) for name, value, origin in named]
    look = [*_look(card, card_set)]
    told = {"faces", "words", "variants", *(name for name, _, _ in (*found, *look))}
    told |= {card.other_keys.get(name, name) for name in told}
    for key, node in card.node.entries:
        if key.value not in told:
            words = node.value if isinstance(node, Scalar) else describe_node(node)
            origin = Origin(how=_way(card, card_set, key.value, node), place=card.document.span(node))
            found.append((key.value, words, origin))
    return [*found, *look]


_USUAL = {"id": "follows from the name", "kind": "the only kind", "copies": "the default"}


def _values(shown: GameCard, card: GameCard, card_set: GameSet) -> Iterator[Explained]:
    """Yield the values of a card, or of a small card that it shows."""
    game = game_of(card_set)
    for name, value in game.expression_values(shown).items():
        if name in shown.pictures or f"{name}.file" in shown.pictures:
            continue  # told with what they look like
        is_whole = shown is card
        origin = (
            _of_language(shown, card, card_set, name)
            or (game.origin(shown, card_set, name) if is_whole else None)
            or _given(shown, card_set, name)
            or (None if is_whole else _given(card, card_set, name) or game.origin(shown, card_set, name))
        )
        if is_whole and name in _USUAL:
            origin = origin or Origin(how=_USUAL[name])
        if origin:
            yield name, value, origin
        elif name != "draft" and not (is_whole and card.faces):  # else its faces say it
            yield name, None, Origin(how="not given")


def _given(card: GameCard, card_set: GameSet, key: str) -> Origin | None:
    """Return where a card gives a key, or its set gives it in its place."""
    if is_given(card, key):
        return _of_card(card, card_set, key)
    document, of_set = card_set.source or (None, None)
    if of_set is None or key not in game_of(card_set).set_table.names:
        return None
    node = node_at(of_set.get("words"), (card_set.foreign, key)) or of_set.get(key)
    return Origin(how="the set", place=document.span(node)) if document and node else None


def _of_card(card: GameCard, card_set: GameSet, key: str) -> Origin:
    """Return how and where a card gives a key, or its set does in the variant of the card."""
    of_set, node = place_in_variant(card, key), value_of_key(card, key)
    if of_set:
        return Origin(how=f"the variant {quoted(card.variant)} of the set", place=of_set)
    how = _way(card, card_set, key, node) if node else "the card"
    return Origin(how=how, place=card.document.span(node) if node else None)


def _way(card: GameCard, card_set: GameSet, key: str, node: Node) -> str:
    """Return in words how a card gives a key: in a column, by another name, by an alias or a merge of YAML."""
    entries = {name.value: name for name, _ in card.node.entries}
    first = key.partition(".")[0]
    name = entries.get(first) or entries.get(card.other_keys.get(first, first))
    if name and isinstance(card.document, TableDocument):
        heading = card.document.heading(name).excerpt
        own = next((words for words, meant in card_set.columns if meant == heading), heading)
        return f"the column {quoted(own)}"
    if in_variant(card.node, card.variant, key) is not card.node:
        return f"the variant {quoted(card.variant)} of the card"
    inside = [card.node.start <= each.start < card.node.end for each in (name, node) if each]
    words = "the card" if all(inside) else "an alias in the card" if inside[0] else "taken over by `<<`"
    return words if name is None or name.value == first else f"{words}, as {quoted(name.value)}"


def _of_language(shown: GameCard, card: GameCard, card_set: GameSet, key: str) -> Origin | None:
    place = place_of_words(card, card_set, key if shown is card else key_of_face(card.faces.index(shown), key))
    return Origin(how=f"the words in `{card_set.foreign}`", place=place) if place else None


# --- what a card looks like -------------------------------------------------------------------------------------------


def _look(card: GameCard, card_set: GameSet) -> Iterator[Explained]:
    """Yield the pictures, templates, back, size and cut of a card, with the files that are meant."""
    game, layouter = game_of(card_set), SetLayouter(card_set, validate)
    for key, picture in card.pictures.items():
        origin = _of_card(card, card_set, key)
        yield key.removesuffix(".file"), picture.name, replace(origin, files=(shortest(picture.file),))
    for face, name in enumerate(card.own_templates):
        place = game.place_of_template(card, face)
        of_kind = Origin(how="the game" if place and _says(place, name) else "that of the kind", place=place)
        origin = _of_card(card, card_set, "template") if face == 0 and is_given(card, "template") else of_kind
        yield ("template", "template of the back")[face], name, replace(origin, files=_template_files(layouter, name))
    if not card.has_own_back:
        yield "back", card.back, _of_back(card, card_set, layouter)
    usual = place_of_sheet_key(card_set, "card_size")
    of_set = Origin(how="the set" if usual else "the default", place=usual)
    yield "size", str(size_of(card, card_set.sheet.card_size)), game.origin(card, card_set, "size") or of_set
    if cut_of(card):
        yield "cut", cut_of(card), game.origin(card, card_set, "cut") or Origin(how="the kind")


def _of_back(card: GameCard, card_set: GameSet, layouter: SetLayouter) -> Origin:
    """Return where the back is named that a card shares with others, and its files."""
    files: tuple[str, ...] = ()
    if is_picture(card.back):
        with suppress(OSError, Refused):
            files = (shortest(file_inside(layouter.folders, card.back)),)
    elif card.back != NO_BACK:
        files = _template_files(layouter, card.back)
    if is_given(card, "back"):
        return replace(_of_card(card, card_set, "back"), files=files)
    place = place_of_back(card, card_set, layouter.game.place_of_back(card))
    if not _says(place, card.back):  # nothing names it
        return Origin(how="the default", files=files)
    return Origin(how="the game" if place.file.name == GAME_FILE else "the set", place=place, files=files)


def _template_files(layouter: SetLayouter, name: str) -> tuple[str, ...]:
    """Return the file of a template, and those that it extends, includes and imports, but for built-in ones."""
    files = [file for file, _ in texts_of(layouter.templates, [name])]
    with suppress(LookupError, OSError, Refused):
        files = files or [Path(layouter.templates.found(f"{name}.svg").file)]
    return tuple(map(shortest, files))


def _says(place: Span, words: str) -> bool:
    """Return whether what stands at a place are these words."""
    start, end = place.mark
    return place.excerpt[start:end].strip("'\"") == words


# --- for programs -----------------------------------------------------------------------------------------------------


def as_value(card: GameCard, card_set: GameSet) -> Mapping[str, object]:
    """Return a card with the origins of its values as an object of JSON; lines and columns count from 1."""
    values = []
    for name, value, origin in explain_card(card, card_set):
        place = origin.place
        where = {"file": str(place.file), "line": place.line, "column": place.column} if place else {}
        cell = {"cell": place.cell.name, "sheet": place.cell.sheet} if place and place.cell else {}
        values.append({"name": name, "value": value, "from": origin.how, **where, **cell, "files": origin.files})
    own = {"card": card.id, "name": card.name, "kind": card.kind.value, "set": card_set.name, "variant": card.variant}
    return {**own, "values": values}

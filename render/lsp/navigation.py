"""Where words of a file lead: to a picture, to a template, to the card that a line of a deck means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from render.base.resources import TEMPLATES
from render.game.cards import is_picture, place_of_key
from render.game.folder import is_deck
from render.game.home import Home
from render.lsp.answers import FileLink, FilePlace
from render.lsp.sources.deck_cards import cards_of_deck
from render.lsp.sources.edited_set import EditedSet
from render.lsp.sources.pieces import NodePlace, line_map, node_at, pieces_of
from render.lsp.sources.places import Spot, Stretch
from render.source.nodes import Mapping, Node, Scalar
from render.source.nodes import Sequence as Nodes

_START = Stretch(Spot(0, 0), Spot(0, 0))


def definitions(text: str, file: Path, view: EditedSet | None, spot: Spot) -> list[FilePlace]:
    """Return the places that the word at a spot leads to."""
    for piece in pieces_of(text, file, spot.line, spot.line):
        place = node_at(piece, spot)
        if place is None:
            continue
        if is_deck(file) and place.path[:1] == ("cards",):
            return list(_card_of_deck(place, file, text))
        if view is not None and place.path:
            target = _target(place, view)
            return [FilePlace(target, _START)] if target else []
    return []


def links(text: str, file: Path, view: EditedSet | None) -> list[FileLink]:
    """Return the names of pictures in a file, with the files."""
    if view is None:
        return []
    home = Home(view.folder)
    found = []
    for piece in pieces_of(text, file):
        for node in piece.nodes:
            for named in _pictures(node, view.game.picture_keys):
                target = home.file(named.value)
                if target is not None and target.is_file():
                    found.append(FileLink(piece.of_node(named), target))
    return found


def _pictures(node: Node, keys: Sequence[str]) -> Iterator[Scalar]:
    """Yield the names of pictures that a card and its faces give at these keys, and at `back`."""
    if not isinstance(node, Mapping):
        return
    back, faces = node.get("back"), node.get("faces")
    given = [node.get(key) for key in keys]
    named = [each.get("file") if isinstance(each, Mapping) else each for each in given]
    named += [value for _, value in back.entries] if isinstance(back, Mapping) else [back]
    for each in named:
        if isinstance(each, Scalar) and each.value and is_picture(each.value):
            yield each
    for face in faces.items if isinstance(faces, Nodes) else ():
        yield from _pictures(face, keys)


def _target(place: NodePlace, view: EditedSet) -> Path | None:
    """Return the file that the value at a place names; on a key, that of its value."""
    value = place.scalar.value
    if place.on_key:
        node = place.card.get(place.path[0])
        value = node.value if isinstance(node, Scalar) else ""
    match place.path[0]:
        case "kind":
            return _template(value, view)
        case "back" if not is_picture(value):
            return _template(value, view)
    if not {"back", *view.game.picture_keys}.intersection(place.path) or not is_picture(value):
        return None
    target = Home(view.folder).file(value)
    return target if target and target.is_file() else None


def _template(name: str, view: EditedSet) -> Path | None:
    folders = (view.folder / "templates", view.folder, view.game.templates, TEMPLATES)
    if not name or "/" in name or "\\" in name or "\0" in name:
        return None
    return next((file for folder in folders if (file := folder / f"{name}.svg").is_file()), None)


def _card_of_deck(place: NodePlace, file: Path, text: str) -> Iterator[FilePlace]:
    wanted = place.path[-1] if place.on_key else place.scalar.value
    folder, _, name = wanted.rpartition("/")
    for card, card_set in cards_of_deck(file, text):
        if name in (card.id, *card.names) and folder in ("", card_set.folder.resolve().name):
            span = place_of_key(card, "name")
            yield FilePlace(span.file, line_map(card.document.text).of_span(span))

"""The cards of a card file as an import finds and writes them: their keys in the usual order, comments kept."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf

from render.games.kotc.workshop.imports.imported import ORDER, Value, one_line_each
from render.source import edit
from render.source.nodes import Document, Mapping, Scalar, Sequence

Changes = MappingOf[str, Value | None]
"""New values of keys; None removes a key."""


def cards_in(document: Document) -> list[Mapping]:
    """Return the cards of a file as they are written."""
    root = document.root
    nodes = root.items if isinstance(root, Sequence) else (root,)
    return [node for node in nodes if isinstance(node, Mapping)]


def said_by(card: Mapping) -> dict[str, Value]:
    """Return the values of a card by their keys, those that an import writes."""
    found: dict[str, Value] = {}
    for key, node in card.entries:
        if key.value not in ORDER:
            continue
        if isinstance(node, Scalar):
            found[key.value] = _said(key.value, node)
        elif isinstance(node, Mapping) and all(isinstance(inner, Scalar) for _, inner in node.entries):
            found[key.value] = {name.value: inner.value for name, inner in node.entries if isinstance(inner, Scalar)}
        else:
            found[key.value] = ""
    return found


def _said(key: str, node: Scalar) -> Value:
    if key == "art":
        return {"file": node.value}
    return one_line_each(node.value) if key == "text" else node.value.strip()


def edited(document: Document, index: int, changes: Changes) -> Document | None:
    """Return the file with changes to one of its cards, the first being 0; None if they cannot be written into it."""
    card = cards_in(document)[index]
    there = [key.value for key, _ in card.entries]
    stays = [key for key in there if changes.get(key, "") is not None]
    edits: list[edit.Edit] = []
    for key in in_order(dict.fromkeys(changes, "")):
        value = changes[key]
        if value is not None:
            earlier = [each for each in stays if each in ORDER[: ORDER.index(key)]]
            after = max(earlier, key=ORDER.index) if earlier else stays[-1] if stays else ""
            edits.append(edit.SetKey(card, key, _to_write(key, value), after))
        elif key in there:
            edits.append(edit.RemoveKey(card, key))
    return edit.edited(document, edits)


# --- values of a card as YAML ----------------------------------------------------------------------------------------


def new_card(values: MappingOf[str, Value], remarks: MappingOf[str, str]) -> str:
    """Return a card file with these values, and remarks about some of them as comments."""
    lines = []
    for key in in_order(values):
        first, *others = edit.write_mapping({key: _to_write(key, values[key])})
        lines += [f"{first}  # {remarks[key]}" if key in remarks else first, *others]
    return "".join(f"{line}\n" for line in lines)


def in_order(values: MappingOf[str, Value]) -> list[str]:
    """Return the keys in the order in which they are written."""
    return sorted(values, key=ORDER.index)


def _to_write(key: str, value: Value) -> edit.Value:
    if isinstance(value, str):
        return edit.Block(value) if key == "text" else edit.plain(value)
    if set(value) == {"file"}:
        return edit.plain(value["file"])
    return {inner: edit.plain(words) for inner, words in value.items()}

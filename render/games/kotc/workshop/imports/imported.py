"""A card as another program's file shows it, and as a card file has it: its keys in the usual order, comments kept."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from render.base.findings import Diagnostic
from render.base.patterns import regex
from render.game import ids
from render.source import edit, nodes, writing

Value = str | Mapping[str, str]
"""The value of a key, as its text; a mapping for the keys of a picture."""

ORDER = (
    "id", "name", "name_size", "name_spacing", "kind", "edition", "level", "cost", "ultra_points", "sp", "offense",
    "hp", "defense", "text", "text_size", "flavor", "flavor_size", "art", "credit",
    "credit_font",
)  # fmt: skip
"""The keys that an import writes, in the order in which they are written."""


class ImportedCard(Struct, frozen=True, kw_only=True):
    """What a file says of a card.

    `values` has the keys of card files; what the file does not say is missing, and so is what is not sure, but for the
    keys of `unsure`, which a card must have: each has a remark for the card file there. `complete` tells that nothing
    is unsure: a key that is missing then goes from the card, and the picture is the best there is. `art` has the keys
    of a picture but `file`. `picture` is a PNG, or nothing. `findings` are warnings: what was left out, and what
    differs from the rules.
    """

    source: Path
    values: Mapping[str, Value]
    complete: bool = True
    picture: bytes = b""
    findings: Sequence[Diagnostic] = field(default=())
    unsure: Mapping[str, str] = field(default_factory=dict)
    own_id: str = ""

    @property
    def id(self) -> str:
        """The id that the card gets: from its name, or, where that gives none, from the name of the file.

        `own_id` comes first: it is for a card that has the name of another.
        """
        if self.own_id:
            return self.own_id
        name = self.values.get("name", "")
        slugs = (ids.slug(each) for each in (name, self.source.stem) if isinstance(each, str))
        return next((slug for slug in slugs if ids.is_id(slug)), "card")


_SPACE = regex(r"[ \t\r\n\f\v\x1c-\x1f\x85\u2028\u2029]+")  # with all ends of lines


def unprintable(text: str) -> str:
    """Return the characters of a text that a card file must not have: control and format characters."""
    return "".join(dict.fromkeys(char for char in text if not (char.isprintable() or char.isspace())))


def one_line(text: str) -> str:
    """Return a text as one line, with single spaces, in Unicode's form NFC, without what cannot be printed."""
    words = text.translate(dict.fromkeys(map(ord, unprintable(text))))
    return unicodedata.normalize("NFC", _SPACE.sub(" ", words).strip())


def one_line_each(text: str) -> str:
    """Return a text with one line for each paragraph, as card files have it."""
    return "\n".join(line for line in map(one_line, text.splitlines()) if line)


# --- in a card file ---------------------------------------------------------------------------------------------------


Changes = Mapping[str, Value | None]
"""New values of keys; None removes a key."""


def said_by(card: nodes.Mapping) -> dict[str, Value]:
    """Return the values of a card by their keys, those that an import writes."""
    found: dict[str, Value] = {}
    for key, node in card.entries:
        if key.value not in ORDER:
            continue
        if isinstance(node, nodes.Scalar):
            found[key.value] = _said(key.value, node)
        elif isinstance(node, nodes.Mapping) and all(isinstance(inner, nodes.Scalar) for _, inner in node.entries):
            found[key.value] = {
                name.value: inner.value for name, inner in node.entries if isinstance(inner, nodes.Scalar)
            }
        else:
            found[key.value] = ""
    return found


def _said(key: str, node: nodes.Scalar) -> Value:
    if key == "art":
        return {"file": node.value}
    return one_line_each(node.value) if key == "text" else node.value.strip()


def edited(document: nodes.Document, index: int, changes: Changes) -> nodes.Document | None:
    """Return the file with changes to one of its cards, the first being 0; None if they cannot be written into it."""
    card = document.mappings[index]
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


def new_card(values: Mapping[str, Value], remarks: Mapping[str, str]) -> str:
    """Return a card file with these values, and remarks about some of them as comments."""
    lines = []
    for key in in_order(values):
        first, *others = writing.write_mapping({key: _to_write(key, values[key])})
        lines += [f"{first}  # {remarks[key]}" if key in remarks else first, *others]
    return "".join(f"{line}\n" for line in lines)


def in_order(values: Mapping[str, Value]) -> list[str]:
    """Return the keys in the order in which they are written."""
    return sorted(values, key=ORDER.index)


def _to_write(key: str, value: Value) -> writing.Value:
    if isinstance(value, str):
        return writing.Block(value) if key == "text" else writing.plain(value)
    if set(value) == {"file"}:
        return writing.plain(value["file"])
    return {inner: writing.plain(words) for inner, words in value.items()}

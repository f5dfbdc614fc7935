"""Variants of cards, such as a foil one: other values of some keys, and layers of templates that are on or off."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf
from typing import Any, NamedTuple

from msgspec import Struct

from render.base.findings import Diagnostic, did_you_mean, listed
from render.base.geometry import Size
from render.game import ids
from render.game.home import ALL, PLAIN, Layers
from render.sheets.options import Outputs
from render.source import shapes
from render.source.fields import Fields
from render.source.key_tables import WORD, Key, KeyTable, Value
from render.source.nodes import Scalar
from render.source.shapes import Shape

KEY = "variants"
"""The key of sets and of cards that names variants."""


class Variant(Struct, frozen=True):
    """A variant of a set's cards; without a name, the cards as they are.

    Cards have it for which the expression `where` holds, all for "", and those that give it themselves. `written` is
    the whole variant as `set.yaml` has it.
    """

    name: str = ""
    where: str = ""
    layers: Layers = ()
    written: str = ""


class DeclaredVariants(NamedTuple):
    """The names of the variants that a set declares, the one that is asked for, and what a build makes of it."""

    names: tuple[str, ...] = ()
    asked: Variant = Variant()
    outputs: Outputs | None = None


# --- what set.yaml says -----------------------------------------------------------------------------------------------


def read_layers(fields: Fields, key: str, _: object = None) -> Layers:
    """Return the layers that are switched, such as `{shine: true}`."""
    inner = fields.inner(key)
    return tuple((name, inner.truth(name, default=True)) for name in inner.values) if inner else ()


def _where(fields: Fields, key: str, _: object) -> str:
    from render.layout.templates.expressions import ExpressionFailed, names_in

    where = fields.words(key)
    try:
        names_in(where)
    except ExpressionFailed as failed:
        node, at = fields.values[key], failed.place
        place = fields.document.locate(node, *at) if isinstance(node, Scalar) and at else fields.place(key)
        fields.note("007", f"`{key}`: {failed}", place, failed.hint, key)
        return ""
    return where


def _outputs(fields: Fields, _: str, card_size: Size) -> Outputs:
    from render.shops.declared_outputs import read_outputs

    return read_outputs(fields, card_size)


LAYERS: Shape = shapes.named(shapes.WORD, shapes.truth(default=True))

OF_VARIANT = KeyTable(
    Key("where", Value(WORD.shape, _where), "which cards have it: an [expression](games.md#expressions)", "`copies > 1`", "all cards", default=""),
    Key("layers", Value(LAYERS, read_layers), "[layers](#layers) of templates that are on or off", "`{shine: true}`", "those of the set", default=()),
    Key("outputs", Value(shapes.ANYTHING, _outputs), "what `kotc build` makes of it, as in [`outputs`](#outputs)", "`[png]`", "those of the set"),
)  # fmt: skip
"""What a variant has beside keys of cards."""

_NAME = shapes.matching(f"^{ids.PATTERN}$", "small letters, digits, `-` and `_`")
VARIANTS_OF_CARD: Shape = shapes.named(shapes.WORD, {"type": "object"})
VARIANTS: Shape = shapes.named(_NAME, {"type": "object", "properties": OF_VARIANT.properties_in()})


def read_variants(fields: Fields, wanted: str, languages: tuple[str, ...], card_size: Size) -> DeclaredVariants:
    """Return what `set.yaml` declares for cards of that size; a variant that is wanted and not there is noted."""
    inner = fields.inner(KEY) if KEY in fields.values else None
    names = tuple(inner.values) if inner else ()
    found = DeclaredVariants(names)
    for name in names:
        assert inner is not None
        each = inner.inner(name)
        if wrong := _no_name(name, languages):
            place = fields.document.span(next(key for key, _ in inner.node.entries if key.value == name))
            inner.note("007", wrong, place, "choose another name", name)
        elif each:
            given = OF_VARIANT.given(each, card_size)
            if name == wanted:
                written = each.document.text[each.node.start : each.node.end]
                variant = Variant(name, given.get("where", ""), given.get("layers", ()), written)
                found = DeclaredVariants(names, variant, given.get("outputs"))
    if wanted not in ("", *names):
        there_are = f"the variants are {listed(names, 'and')}" if names else f"write `{KEY}: {{{wanted}: {{}}}}`"
        place = fields.place(KEY) if names else fields.start
        hint = did_you_mean(wanted, names) or there_are
        fields.note("036", f"the set has no variant `{wanted}`", place, hint, KEY)
    return found


def _no_name(name: str, languages: tuple[str, ...]) -> str:
    """Return why a variant cannot have that name; "" if it can."""
    from render.shops.profiles import shops

    if why := ids.why_reserved(name, "folder"):
        return why
    if not ids.is_id(name):
        return f"the name of a variant has small letters, digits, `-` and `_`, found `{name}`"
    if name in (PLAIN, ALL):
        return (
            f"`--variant {name}` means the {'cards as they are' if name == PLAIN else 'plain cards and all variants'}"
        )
    if name in ("png", *shops(), *languages):  # folders beside that of the variant
        return f"`{name}` is a folder of other outputs"
    return ""


# --- which cards have it ----------------------------------------------------------------------------------------------


def holds(where: str, values: MappingOf[str, object]) -> bool:
    """Return whether an expression holds for the values of a card; ExpressionFailed.

    A number that a card does not give fits no comparison.
    """
    from render.layout.templates.expressions import ExpressionFailed, evaluate
    from render.layout.templates.mistakes import lacks_value

    try:
        return bool(evaluate(where, values))
    except ExpressionFailed as failed:
        if lacks_value(str(failed)) and not re.search(r"\b(or|not|if)\b", where):
            return False
        raise


def fits(where: str, values: MappingOf[str, Any]) -> bool | Diagnostic:
    """Return whether a card with these values has a variant, or why that cannot be told."""
    from render.layout.templates.expressions import ExpressionFailed, names_in

    try:
        if unknown := sorted(names_in(where) - values.keys()):
            hint = did_you_mean(unknown[0], values) or f"cards have {listed([*values], 'and')}"
            return Diagnostic("S007", f"`where`: nothing is called `{unknown[0]}`", hint)
        return holds(where, values)
    except ExpressionFailed as failed:
        return Diagnostic("S007", f"`where` stops for the card `{values['id']}`: {failed}", failed.hint)

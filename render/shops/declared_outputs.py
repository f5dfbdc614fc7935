"""The key `outputs` of a set: a list of what is made from it, or a mapping that also says how."""

from __future__ import annotations

from msgspec.structs import replace

from render.base.findings import listed
from render.base.geometry import Size
from render.sheets.options import MAX_DPI, MIN_DPI, OPTIONS, USUAL, Outputs, Pngs
from render.shops.profiles import NoProduct, for_cards, shops
from render.source.fields import Fields
from render.source.nodes import Mapping, Node, Scalar, Sequence

KEYS = ("png", "sheets", "shops", "gallery")


def read_outputs(fields: Fields, card_size: Size) -> Outputs:
    """Return what a set with cards of that size declares, or the default; mistakes are noted."""
    node = fields.values.get("outputs")
    match node:
        case None:
            return USUAL
        case Sequence():
            # A list has no place for what belongs to a key, so in it shops are named like the other outputs.
            known = (*(key for key in KEYS if key != "shops"), *shops())
            words = {_word(fields, item, known, "outputs") for item in node.items}
            pngs = Pngs() if "png" in words else None
            made = Outputs(pngs, "sheets" in words, tuple(sorted(words & shops().keys())), "gallery" in words)
        case Mapping():
            inner = fields.within("outputs", node)
            inner.check_keys(KEYS)
            gallery, sheets = (inner.truth(key, default=False) for key in ("gallery", "sheets"))
            made = Outputs(_pngs(inner), sheets, _shops(inner), gallery)
        case _:
            example = "write `outputs: [png, sheets]` or `outputs: {png: {dpi: 600}, sheets: true}`"
            fields.expected("outputs", "a list or keys and values", example)
            return USUAL
    if made.gallery and made.pngs is None:
        hint = "add `png`, or leave `gallery` out"
        fields.note("007", "the gallery shows the PNGs, and none are made", fields.place("outputs"), hint, "outputs")
    printing = []
    for name in made.shops:
        try:
            for_cards(shops()[name], card_size)
        except NoProduct as error:
            hint = "change `card_size` under `sheet`, or leave the shop out"
            fields.note("007", str(error), fields.place("outputs"), hint, "outputs")
        else:
            printing.append(name)
    return replace(made, shops=tuple(printing))


def _pngs(fields: Fields) -> Pngs | None:
    if not isinstance(fields.values.get("png"), Mapping):
        return Pngs() if fields.truth("png", default=False) else None
    inner = fields.inner("png")
    assert inner is not None, "it is a mapping"
    inner.check_keys(("dpi", "bleed"))
    dpi, bleed = inner.whole("dpi", MIN_DPI, MAX_DPI) or Pngs().dpi, None
    if "bleed" in inner.values:
        # Read as `bleed` of sheets is: in the same units, within the same bounds.
        option = next(option for option in OPTIONS if option.key == "bleed")
        bleed = inner.read("bleed", option.read, option.values)
    return Pngs(float(dpi), float(bleed or 0))  # type: ignore[arg-type] # it is a length


def _shops(fields: Fields) -> tuple[str, ...]:
    node = fields.values.get("shops")
    items = () if node is None else node.items if isinstance(node, Sequence) else (node,)
    found = {_word(fields, item, tuple(shops()), "shops") for item in items}
    # Sorted: to write shops in another order makes no output stale.
    return tuple(sorted(found - {""}))


def _word(fields: Fields, node: Node, known: tuple[str, ...], key: str) -> str:
    """Return a known word; "", and a finding, for anything else."""
    written = node.value if isinstance(node, Scalar) else ""
    if written in known:
        return written
    message = f"expected {listed(known)}, found {f'`{written}`' if written else 'something else'}"
    fields.note_word("007", message, fields.document.span(node), written, known, key=key)
    return ""

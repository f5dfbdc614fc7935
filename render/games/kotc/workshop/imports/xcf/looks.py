"""Fonts and places of the words in a GIMP file, compared with those of the authors' template."""

from __future__ import annotations

from collections.abc import Mapping

from render.base.findings import listed, quoted
from render.games.kotc.model.cards import CREDIT_FONTS
from render.games.kotc.workshop.imports.imported import Value
from render.games.kotc.workshop.imports.xcf.credit_fonts import font_of_credit
from render.games.kotc.workshop.imports.xcf.layers import BOXES
from render.games.kotc.workshop.imports.xcf.notes import XcfNotes
from render.games.kotc.workshop.imports.xcf.reds import is_black, is_plain
from render.games.kotc.workshop.imports.xcf.texts import SaidText, Texts
from render.images.xcf.model import Extent, XcfImage

# What the names of the template's faces are made of: GIMP calls one face condensed here and semi-condensed there.
_USUAL_FACES = frozenset(("dejavu", "sans", "condensed", "semi-condensed", "oblique", "italic", "book", "regular"))
# The sizes that no key of a card changes, in pixels of a card that is 1000 wide.
_SIZES: Mapping[str, float] = {"credit": 16.66, "edition": 18.0, "sp": 100.0, "level": 100.0, "hp": 100.0}
_MAX_SIZE_OFF = 0.03  # of a size
_MAX_PLACE_OFF = 2  # px of such a card


def credit_font_key(image: XcfImage, said: SaidText, notes: XcfNotes) -> dict[str, Value]:
    """Return the key `credit_font` of a card with its value, if it has one; warn if no card may have that font."""
    font = font_of_credit(image, said.layer, said.text)
    if font == "":
        known = listed(tuple(CREDIT_FONTS), "and")
        what = f"the font of the credit, {quoted(said.text.font)}, is left out: it looks like none of {known}"
        notes.warn("X023", what)
    return {"credit_font": font} if font else {}


def note_faces(texts: Texts, notes: XcfNotes) -> None:
    """Warn of words in fonts that the template does not have: kotc draws them in its own."""
    for use in BOXES:
        font = texts[use].text.font if use in texts and use != "credit" else ""
        if not {*font.lower().replace(",", " ").split()} <= _USUAL_FACES:
            layer = quoted(texts[use].layer.name)
            what = f"the font of the layer {layer}, {quoted(font)}, is left out: kotc sets it in DejaVu Sans"
            notes.warn("X023", what)


def note_setting(texts: Texts, notes: XcfNotes) -> None:
    """Warn of texts that are set otherwise than the template's: in another color, wider, closer, or to another side."""
    for use in (each for each in BOXES if each in texts):
        text = texts[use].text
        usual, leading = ("fill", 0.5) if use == "text" else ("center", 0.0)
        found = {
            "letter spacing": text.spacing if use != "name" else 0.0,
            "line spacing": text.leading - leading if text.leading else 0.0,
            "indent": text.indent,
            f"color `{text.color}`": not (is_plain(text.color) if use == "text" else is_black(text.color)),
            f"alignment `{text.justify}`": text.justify not in ("", usual),
        }
        for what in (what for what, differs in found.items() if differs):
            notes.warn("X023", f"the {what} of the layer {quoted(texts[use].layer.name)} is left out")


def note_sizes(texts: Texts, card: Extent, notes: XcfNotes) -> None:
    """Warn of texts whose size a card file cannot hold."""
    for use, usual in _SIZES.items():
        size = (texts[use].text.size if use in texts else None) or 0.0
        if size and abs(size * 1000 / card.width / usual - 1) > _MAX_SIZE_OFF:
            there, here = (f"{each * 180 / 1000:.3g}" for each in (size * 1000 / card.width, usual))
            layer = quoted(texts[use].layer.name)
            notes.warn("X023", f"the size of the layer {layer}, {there} pt, is left out: kotc sets {here} pt")


def note_places(texts: Texts, card: Extent, notes: XcfNotes) -> None:
    """Warn of texts that do not stand where the template has them, or in boxes of another width."""
    scale = card.width / 1000
    for use, (x, y, width) in BOXES.items():
        if use not in texts or not _is_boxed(texts[use]):
            continue
        box = texts[use].layer.extent
        there = (round((box.x - card.x) / scale), round((box.y - card.y) / scale), round(box.width / scale))
        if max(abs(a - b) for a, b in zip(there, (x, y, width), strict=True)) > _MAX_PLACE_OFF:
            layer = quoted(texts[use].layer.name)
            what = f"at {there[0]}, {there[1]} and is {there[2]} wide, not at {x}, {y} and {width}"
            notes.warn("X023", f"the layer {layer} stands {what}: kotc draws it where the authors' template has it")


def _is_boxed(said: SaidText) -> bool:
    """Return whether a text is set in a box, which its layer then fills."""
    box, extent = said.text.box, said.layer.extent
    return box is not None and abs(box[0] - extent.width) <= 1 and abs(box[1] - extent.height) <= 1

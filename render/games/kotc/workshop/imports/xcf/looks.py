"""Fonts and places of the words in a GIMP file, compared with those of the authors' template; the credit's by its pixels.

The authors asked for `Sans`, which is another font on every machine. GIMP stores the words as they looked on theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from render.base.findings import listed, quoted
from render.games.kotc.model.cards import CREDIT_FONTS
from render.games.kotc.workshop.imports.imported import Value
from render.games.kotc.workshop.imports.xcf.layers import BOXES
from render.games.kotc.workshop.imports.xcf.texts import SaidText, Texts, XcfNotes, is_black, is_plain
from render.images.xcf.model import BrokenXcf, Extent, XcfImage, XcfLayer
from render.images.xcf.pixels import inked_columns
from render.images.xcf.text_layers import TextLayer
from render.text import fonts, hinting

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


# --- the font of a credit --------------------------------------------------------------------------------------------

_MIN_SIZE, _MAX_SIZE = 6, 200  # px: sizes at which letters can be told apart, and that a credit may have
_MAX_WORDS = 100  # of a line that is read at all
_MAX_OFF, _MIN_APART = 3.0, 1.0  # px: of the words, and between the best font and the next


def font_of_credit(image: XcfImage, layer: XcfLayer, text: TextLayer) -> str | None:
    """Return which of `CREDIT_FONTS` a credit is set in; "" if it is none of them, None if nothing tells.

    Where the pixels do not tell fonts apart, the name counts that the layer gives.
    """
    words = text.text.split()
    if not 0 < len(words) <= _MAX_WORDS or text.size is None or not _MIN_SIZE <= text.size <= _MAX_SIZE or text.spacing:
        return None
    shown = _word_places(_ink(image, layer), len(words))
    if not shown:
        return None
    off = sorted((_off(shown, _set_places(face, words, round(text.size))), name) for name, face in CREDIT_FONTS.items())
    (least, best), (second, _) = off[:2]
    if least > _MAX_OFF:
        return ""
    named = text.font if text.font in CREDIT_FONTS else None
    return best if second - least >= _MIN_APART else named


def _ink(image: XcfImage, layer: XcfLayer) -> list[int]:
    """Return the columns in which a layer has ink; none if its pixels cannot be read."""
    try:
        return inked_columns(image, layer)
    except BrokenXcf:
        return []


def _word_places(columns: Sequence[int], count: int) -> list[float]:
    """Return where so many words begin and the last one ends; nothing if there are not so many."""
    if len(columns) <= count:
        return []
    widest = sorted(pairwise(columns), key=lambda gap: gap[0] - gap[1])[: count - 1]
    return [columns[0], *sorted(after for _, after in widest), columns[-1] + 1]


def _set_places(name: str, words: Sequence[str], pixels: int) -> list[float]:
    """Return the same places, in pixels, for words that are set in a font."""
    space = _width(name, " ", pixels)
    at, places = 0.0, []
    for word in words:
        first = fonts.shape(name, word)[0]
        places.append(at + fonts.left_edge(first) * pixels / fonts.face(first.face).units_per_em)
        at += _width(name, word, pixels) + space
    return [*places, at - space]


def _width(name: str, word: str, pixels: int) -> float:
    return sum(piece.width for piece in hinting.shape_on_pixels(name, word, pixels)) * pixels


def _off(shown: Sequence[float], wanted: Sequence[float]) -> float:
    """Return by how many pixels a place is off at most, wherever the line begins."""
    off = [here - there for here, there in zip(shown, wanted, strict=True)]
    middle = median(off)
    return max(abs(each - middle) for each in off)

"""The texts of a card's layers as keys of a card file: words, numbers, sizes, and red words as the rules make them red; and
fonts and places of the words, compared with those of the authors' template.

The authors asked for `Sans`, which is another font on every machine. GIMP stores the words as they looked on theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from statistics import median

from msgspec import Struct, field

from render.base.findings import Diagnostic, Refused, Severity, Span, listed, quoted
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.files import keys
from render.games.kotc.files.keys import LARGEST, SMALLEST, SMALLEST_FLAVOR, SPACING
from render.games.kotc.model import ability
from render.games.kotc.model.cards import CREDIT_FONTS, Corner, Kind
from render.games.kotc.model.declaration import LAST_EDITION
from render.games.kotc.workshop.imports.imported import Value, one_line, one_line_each, unprintable
from render.games.kotc.workshop.imports.xcf.layers import BOXES, KnownLayers
from render.images.xcf.pixels import inked_columns
from render.images.xcf.reading import BrokenXcf, Extent, XcfImage, XcfLayer
from render.images.xcf.text_layers import TextLayer, read_text_layer
from render.text import fonts, hinting

# --- what an import says about a file --------------------------------------------------------------------------------

_GIVE_NAME = "name it as the authors' template does, if it belongs on the card"


class XcfNotes(Struct, frozen=True):
    """Collects warnings about one file."""

    file: Path
    findings: list[Diagnostic] = field(default_factory=list)

    def warn(self, code: str, message: str, hint: str = "") -> None:
        """Add a warning."""
        self.findings.append(Diagnostic(code, message, hint, Severity.WARNING).at(Span(file=self.file)))

    def leave_out(self, layer: XcfLayer, why: str, hint: str = _GIVE_NAME) -> None:
        """Say that a layer is not on the card."""
        self.warn("X020", f"the layer {quoted(layer.name)} is left out: {why}", hint)

    def refuse(self, code: str, message: str, hint: str) -> Refused:
        """Return the error that ends the import of the file."""
        return Refused([Diagnostic(code, f"`{self.file.name}` {message}", hint).at(Span(file=self.file))])


# --- texts -----------------------------------------------------------------------------------------------------------

_CARD_WIDTH = 180  # pt: 63.5 mm
_NO_TEXTS = ("picture", "padlock", "background")
_NUMBERS = ("level", "ultra_points", "sp", "hp")
_USUAL_NAME, _SAME_SIZE = 12.0, 0.1  # pt
_MAX_DIGITS = 4  # of a number of a card


class SaidText(Struct, frozen=True):
    """A text layer and what it says."""

    layer: XcfLayer
    text: TextLayer


Texts = Mapping[str, SaidText]
"""The text layers of a card by what they are for."""


def read_texts(image: XcfImage, layers: KnownLayers, notes: XcfNotes) -> Texts:
    """Return the topmost visible text layer of each use. BrokenXcf."""
    found: dict[str, SaidText] = {}
    for use, of_use in layers.by_use.items():
        for layer in of_use if use not in _NO_TEXTS else ():
            text = read_text_layer(image, layer)
            if text is None:
                notes.leave_out(layer, "it is no text layer, and its words are pixels", "write its words by hand")
            elif use in found:
                notes.leave_out(layer, f"the layer {quoted(found[use].layer.name)} above it is for the same")
            else:
                found[use] = SaidText(layer, text)
                _note_doubts(found[use], notes)
    return found


def _note_doubts(said: SaidText, notes: XcfNotes) -> None:
    """Warn of a text that was painted on, and of characters that card files must not have."""
    if said.layer.painted_on:
        what = f"the layer {quoted(said.layer.name)} was painted on, and may show other words than its text"
        notes.warn("X031", what, "compare the card with the file")
    codes = ", ".join(f"U+{ord(char):04X}" for char in unprintable(said.text.text))
    if codes:
        notes.warn("X030", f"the layer {quoted(said.layer.name)} has {codes}, which cannot be printed: left out")


def edition_of(texts: Texts, notes: XcfNotes) -> int | None:
    """Return the edition that the Edition Indicator names; None for a card without one."""
    if "edition" not in texts:
        return None
    said = texts["edition"].text.text
    found = re.findall("[0-9]+", said)
    if len(found) == 1 and len(found[0]) <= _MAX_DIGITS and 0 < int(found[0]) <= LAST_EDITION:
        return int(found[0])
    notes.warn("X021", f"the layer {quoted(texts['edition'].layer.name)} says {quoted(said)}, which is no edition")
    return None


def numbers(texts: Texts, kind: Kind, edition: int | None, notes: XcfNotes) -> dict[str, Value]:
    """Return the numbers of a card by the keys of its edition."""
    old = {"cost", "offense", "defense"} & {texts[use].layer.name.lower() for use in _NUMBERS if use in texts}
    grammar = usual_grammar(edition or keys.era(kind, old, None))
    wanted = {stat: keys.stat_key(stat, grammar) for stat in keys.stats(kind)}
    if "ultra_points" in keys.of_card(kind, grammar):
        wanted["ultra_points"] = "ultra_points"
    found: dict[str, Value] = {}
    for use in _NUMBERS:
        if use not in texts:
            continue
        words = one_line(texts[use].text.text)
        layer = texts[use].layer
        if use not in wanted:
            notes.leave_out(layer, f"a {kind.value} has no such number", "let it be invisible")
        elif words.isascii() and words.isdigit() and len(words) <= _MAX_DIGITS:
            found[wanted[use]] = str(int(words))
        elif words:
            notes.warn("X021", f"the layer {quoted(layer.name)} says {quoted(words)}, which is no whole number")
    required = {**wanted, "text": "text"}
    _note_missing(kind, [required[use] for use in required if use not in texts and keys.is_required(kind, use)], notes)
    return found


def _note_missing(kind: Kind, missing: Sequence[str], notes: XcfNotes) -> None:
    """Warn of what a card must say, and no visible layer of the file says."""
    for key in missing:
        notes.warn(
            "X021", f"no visible text layer says the {key} of the {kind.value}", f"add `{key}` to the card by hand"
        )


def words(texts: Texts, card: Extent, notes: XcfNotes) -> dict[str, Value]:
    """Return ability text, flavor and credit, the first two with the sizes in pt that the layers have on this card."""
    found: dict[str, Value] = {}
    for key in ("text", "flavor", "credit"):
        if key not in texts:
            continue
        said = texts[key].text
        written = one_line_each(said.text) if key == "text" else one_line(said.text)
        if not written:
            continue
        found[key] = written
        if key != "credit" and said.size:
            found |= _size(key, said.size * _CARD_WIDTH / card.width, notes)
    return found


def name_look(texts: Texts, card: Extent, notes: XcfNotes) -> dict[str, Value]:
    """Return size and spacing in pt of a name that is not set as names usually are."""
    said, scale = texts["name"].text, _CARD_WIDTH / card.width
    found: dict[str, Value] = {}
    if said.size and abs(said.size * scale - _USUAL_NAME) > _SAME_SIZE:
        found |= _size("name", said.size * scale, notes)
    spacing = _decimal(said.spacing * scale)
    if spacing != "0" and SPACING[0] <= float(spacing) <= SPACING[1]:
        found["name_spacing"] = spacing
    elif spacing != "0":
        notes.warn(
            "X023", f"the spacing of the name, {spacing} pt, is left out: {SPACING[0]:g} to {SPACING[1]:g} pt are set"
        )
    return found


def _decimal(number: float) -> str:
    return f"{round(number, 2) or 0.0:.2f}".rstrip("0").rstrip(".")


def _size(key: str, size: float, notes: XcfNotes) -> dict[str, Value]:
    """Return the size of a text in pt by its key; nothing if no card may have it."""
    written = _decimal(size)
    least = SMALLEST_FLAVOR if key == "flavor" else SMALLEST
    if least <= float(written) <= LARGEST:
        return {f"{key}_size": written}
    notes.warn("X023", f"the size of the {key}, {written} pt, is left out: {least:g} to {LARGEST:g} pt are set")
    return {}


def attribution(texts: Texts, frame: Extent) -> dict[str, str]:
    """Return the keys of a picture that name its author and its license, where these are text layers upon it."""
    found = {use: one_line(texts[use].text.text) for use in ("author", "license") if use in texts}
    if "author and license" in texts:
        lines = one_line_each(texts["author and license"].text.text).split("\n")
        found |= dict(zip(("author", "license"), (lines[0], " ".join(lines[1:])), strict=True))
    found = {key: value for key, value in found.items() if value}
    if not found:
        return {}
    said = next(texts[use] for use in ("author", "author and license", "license") if use in texts)
    corner = _corner(said.layer.extent, frame)
    if corner is not Corner.TOP_LEFT:
        found["corner"] = corner.value
    if "author" in found and int(said.text.color[1:3], 16) < 128:
        found["color"] = "black"
    return found


def _corner(box: Extent, frame: Extent) -> Corner:
    """Return the corner of a frame that the middle of a box is nearest to."""
    right = box.x + box.right > frame.x + frame.right
    bottom = box.y + box.bottom > frame.y + frame.bottom
    return Corner(f"{'bottom' if bottom else 'top'}-{'right' if right else 'left'}")


# --- red words, compared with those that the rules of the edition make red -------------------------------------------

_NO_LOOKS = ("lang", "insert_hyphens")


def compare_reds(text: TextLayer, written: str, parsed: ability.AbilityText, notes: XcfNotes) -> None:
    """Warn of words that are red in the file and black by the rules, or the other way round.

    `written` is the text as the card file has it, which `parsed` is made of. Only spaces may differ from the file's.
    """
    whole = (0, len(text.text), _is_red(text.color))
    in_file = _reds(
        text.text, (whole, *((each.start, each.end, _is_red(each.color)) for each in text.styles if each.color))
    )
    by_rules = _reds(written, ((part.start, part.end, True) for part in parsed.red))
    if len(in_file) != len(by_rules):
        return  # an accent was composed: letters cannot be compared one by one
    both = [(at, here, there) for (_, here), (at, there) in zip(in_file, by_rules, strict=True)]
    for (here, there), run in groupby(both, key=lambda each: each[1:]):
        if here != there:
            places = [at for at, _, _ in run]
            said = quoted(written[places[0] : places[-1] + 1])
            look = ("red", "black") if here else ("black", "red")
            notes.warn(
                "X022", f"{said} is {look[0]} in the file and {look[1]} by the rules", "kotc colors by the rules"
            )


def note_looks(text: TextLayer, what: str, notes: XcfNotes) -> None:
    """Warn of words whose look the card file cannot hold: bold ones, underlined ones, other colors."""
    looks = [f"`{key}`" for each in text.styles for key in each.others if key not in _NO_LOOKS]
    looks += [f"the color `{each.color}`" for each in text.styles if each.color and not is_plain(each.color)]
    for look in dict.fromkeys(looks):
        notes.warn("X023", f"{look} of words of the {what} is left out", "")


def _reds(text: str, stretches: Iterable[tuple[int, int, bool]]) -> list[tuple[int, bool]]:
    """Return the places of all characters but spaces, and whether each is red; later stretches win."""
    red = bytearray(len(text))
    for start, end, is_red in stretches:
        red[start:end] = bytes([is_red]) * (end - start)
    return [(at, bool(red[at])) for at, char in enumerate(text) if not char.isspace()]


def _levels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _is_red(color: str) -> bool:
    """Return whether a color is a red such as the `#800000` of the cards."""
    if len(color) != 7:
        return False
    red, green, blue = _levels(color)
    return red >= 96 and max(green, blue) <= red // 3


def is_black(color: str) -> bool:
    """Return whether a color is black, or next to it."""
    return len(color) == 7 and max(_levels(color)) < 64


def is_plain(color: str) -> bool:
    """Return whether a color is one that the words of an ability text have: red, or next to black."""
    return _is_red(color) or is_black(color)


# --- fonts and places -------------------------------------------------------------------------------------------------


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

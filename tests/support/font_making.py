"""Small fonts for tests, drawn here: every letter is a box of its own width, so that nobody's rights are touched."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.fontBuilder import FontBuilder
from fontTools.misc.psCharStrings import T2CharString
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables.TupleVariation import TupleVariation

LETTERS = "".join(map(chr, range(0x20, 0x7F)))


class Made(NamedTuple):
    """What a made font is like."""

    family: str = "Made"
    style: str = "Regular"
    weight: int = 400
    italic: bool = False
    compact: bool = False  # outlines of PostScript (CFF) instead of TrueType's
    em: int = 1000
    characters: str = LETTERS
    embedding: int = 0  # fsType
    features: str = ""  # in the language of feature files; glyphs are called u0061
    axis: tuple[float, float, float] = ()  # type: ignore[assignment] # least, usual and greatest weight; none: not variable


def write_font(file: Path, made: Made = Made(), **tables: bytes | None) -> Path:  # noqa: B008 - it is a value
    """Write a font with `fi` as a ligature; `tables` replace some of it, or leave them out."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(font_bytes(made, tables))
    return file


def font_bytes(made: Made, tables: Mapping[str, bytes | None] = {}) -> bytes:
    """Return a font as a file."""
    builder = _built(made)
    font = builder.font
    for tag, content in tables.items():
        if content is None:
            del font[tag]
        else:
            font[tag] = _raw(tag, content)
    out = BytesIO()
    font.save(out, reorderTables=None)
    return out.getvalue()


def _raw(tag: str, content: bytes) -> Any:
    from fontTools.ttLib.tables.DefaultTable import DefaultTable

    table = DefaultTable(tag)
    table.data = content
    return table


def _built(made: Made) -> FontBuilder:
    builder = FontBuilder(made.em, isTTF=not made.compact)
    names = {char: f"u{ord(char):04X}" for char in made.characters}
    order = [".notdef", *names.values(), *(["fi"] if set("fi") <= set(names) else [])]
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({ord(char): name for char, name in names.items()})
    unit = made.em / 1000
    widths = {name: round((420 + 7 * (number % 40)) * unit) for number, name in enumerate(order)}
    blank = {names.get(" "), names.get("\u3000")}
    boxes = {name: _box(number, widths[name], unit) for number, name in enumerate(order) if name not in blank}
    title = f"{made.family}-{made.style}".replace(" ", "")
    version = {"familyName": made.family, "styleName": made.style, "psName": title}
    builder.setupNameTable(version)
    if made.axis:
        heavy = {"location": {"wght": made.axis[2]}, "stylename": "Heavy"}
        builder.setupFvar([("wght", *made.axis, "Weight")], [heavy])
    if made.compact and made.axis:
        varying = {name: _varying(boxes.get(name)) for name in order}
        builder.setupCFF2(varying, regions=[{"wght": (0.0, 1.0, 1.0)}])
    elif made.compact:
        strings = {name: _compact(boxes.get(name), widths[name]) for name in order}
        builder.setupCFF(title, {"FullName": title}, strings, {})
        if made.em != 1000:
            builder.font["CFF "].cff.topDictIndex[0].FontMatrix = [1 / made.em, 0, 0, 1 / made.em, 0, 0]
    else:
        builder.setupGlyf({name: _outline(boxes.get(name)) for name in order})
    builder.setupHorizontalMetrics({name: (widths[name], boxes.get(name, (0,))[0]) for name in order})
    builder.setupHorizontalHeader(ascent=round(950 * unit), descent=-round(250 * unit))
    builder.setupOS2(
        usWeightClass=made.weight, fsType=made.embedding, sCapHeight=round(700 * unit), sxHeight=round(500 * unit),
        fsSelection=(1 if made.italic else 0x40), version=4,
    )  # fmt: skip
    builder.setupPost(italicAngle=-12 if made.italic else 0)
    if made.axis and not made.compact:
        # At the greatest weight all boxes reach 100 units higher, and are 50 wider.
        builder.setupGvar({name: [_heavier(unit)] for name in boxes})
    if "fi" in order:
        liga = f"feature liga {{ sub {names['f']} {names['i']} by fi; }} liga;"
        builder.addOpenTypeFeatures(liga + made.features)
    return builder


_Box = tuple[int, int, int, int]


def _box(number: int, width: int, unit: float) -> _Box:
    return round(40 * unit), 0, width - round(60 * unit), round((400 + 5 * (number % 60)) * unit)


def _outline(box: _Box | None) -> Any:
    pen = TTGlyphPen(None)
    _draw(pen, box)
    return pen.glyph()


def _varying(box: _Box | None) -> T2CharString:
    """Return the outline of CFF2, which reaches 100 units higher at the greatest weight."""
    if box is None:
        return T2CharString(program=[])
    left, bottom, right, top = box
    up, down = [top - bottom, 100, 1, "blend"], [bottom - top, -100, 1, "blend"]
    return T2CharString(program=[left, bottom, "rmoveto", *up, "vlineto", right - left, "hlineto", *down, "vlineto"])


def _compact(box: _Box | None, width: int) -> Any:
    pen = T2CharStringPen(width, None)
    _draw(pen, box)
    return pen.getCharString()


def _draw(pen: Any, box: _Box | None) -> None:
    if box is None:
        return
    left, bottom, right, top = box
    pen.moveTo((left, bottom))
    pen.lineTo((left, top))
    pen.lineTo((right, top))
    pen.lineTo((right, bottom))
    pen.closePath()


def _heavier(unit: float) -> TupleVariation:
    wide, high = round(50 * unit), round(100 * unit)
    corners = [(0, 0), (0, high), (wide, high), (wide, 0)]
    phantom = [(0, 0), (wide, 0), (0, 0), (0, 0)]
    return TupleVariation({"wght": (0.0, 1.0, 1.0)}, [*corners, *phantom])

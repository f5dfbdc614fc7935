"""What the standards ask of fonts: programs in the file, glyphs that exist, widths that agree."""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Name, Stream

from render.base.findings import Problem, Severity
from render.pdf.standards import A_2B, Standard
from render.shops.preflight.content.fonts import UsedFont
from render.shops.preflight.objects.reading import as_array, as_dictionary, as_name
from render.text.programs.glyph_names import character

_AGREES = 1.0  # thousandths of an em by which rounding may change a width (ISO 19005-2, 6.2.11.5)
_SYMBOLIC, _NONSYMBOLIC = 4, 32  # flags of a font descriptor (ISO 32000-1, table 123)
_SIMPLE = ("Type1", "MMType1", "TrueType")


def of_font(font: UsedFont, standard: Standard) -> Iterator[Problem]:
    """Yield what is wrong with a font, used or not (ISO 15930-4, 6.3; ISO 15930-7, 6.5; ISO 19005-2, 6.2.11)."""
    if font.kind == "Type3":  # its glyphs are content streams in the file
        return
    if not font.is_embedded:
        hint = "another one would be printed in its place"
        if font.used:
            yield Problem("F042", f"the font `{font.name}` is not embedded", hint)
        else:
            message = f"the font `{font.name}` is not embedded, and nothing is set in it"
            yield Problem("F042", message, severity=Severity.WARNING)
        return
    if font.is_cut:
        yield Problem(
            "F042", f"the program of the font `{font.name}` is cut off: its end is missing", "embed the font again"
        )
        return
    if font.is_damaged or font.program is None:
        message = f"the program of the font `{font.name}` cannot be read"
        yield Problem("F042", message, severity=Severity.UNSURE)
        return
    yield from _missing(font, standard)
    if standard is A_2B:
        yield from _widths(font)
        yield from _of_composite(font) if font.is_composite else _of_truetype(font)


def _missing(font: UsedFont, standard: Standard) -> Iterator[Problem]:
    """Yield a problem if a text shows the missing glyph (ISO 19005-2, 6.2.11.8), which prints as a box."""
    missing = [each for each in font.used.values() if each.glyph == 0]
    if missing:
        codes = ", ".join(f"{each.code:#x}" for each in sorted(missing, key=lambda each: each.code)[:3])
        message = f"a text shows glyphs that the font `{font.name}` does not have (`.notdef`): code {codes}"
        severity = Severity.ERROR if standard is A_2B else Severity.WARNING
        yield Problem("F042", message, "a box or nothing is printed", severity=severity)


def _widths(font: UsedFont) -> Iterator[Problem]:
    """Yield a problem if file and font program disagree about the width of a shown glyph."""
    assert font.program is not None
    if not font.is_composite and font.kind in _SIMPLE and not as_array(font.source.get("/Widths")):
        yield Problem("F042", f"the font `{font.name}` has no widths in the file: `Widths`")
        return
    for each in sorted(font.used.values(), key=lambda each: each.code):
        own = font.program.width(each.glyph) if each.glyph else None
        if own is not None and abs(own - each.width) > _AGREES + 0.01:  # 0.01 for rounding in the comparison itself
            message = (
                f"the font `{font.name}` has other widths than the file says:"
                f" code {each.code:#x} is {own:.0f} and not {each.width:.0f} wide"
            )
            yield Problem("F042", message, "embed the font again")
            return


def _of_composite(font: UsedFont) -> Iterator[Problem]:
    """Judge a composite font (ISO 19005-2, 6.2.11.3): the file says how codes become glyphs."""
    places = font.descendant.get("/CIDToGIDMap")
    is_truetype = as_name(font.descendant.get("/Subtype")) == "CIDFontType2"
    if is_truetype and not (isinstance(places, Stream) or places == Name.Identity):
        yield Problem("F042", f"the font `{font.name}` does not say which glyph is which: `CIDToGIDMap`")
    said = font.source.get("/Encoding")
    if isinstance(said, Stream):
        inside = as_dictionary(said).get("/WMode", 0)
        if inside not in (0, 1):
            yield Problem("F042", f"the character map of the font `{font.name}` has no direction: `WMode`")
    elif as_name(said) not in _PREDEFINED:
        yield Problem("F042", f"the character map of the font `{font.name}` is not in the file: `{as_name(said)}`")


def _of_truetype(font: UsedFont) -> Iterator[Problem]:
    """Judge a TrueType font (ISO 19005-2, 6.2.11.6): its encoding means the same everywhere."""
    if font.kind != "TrueType" or font.program is None:
        return
    said, flags = font.source.get("/Encoding"), font.flags
    symbolic, nonsymbolic = bool(flags & _SYMBOLIC), bool(flags & _NONSYMBOLIC)
    if symbolic and not nonsymbolic:
        if said is not None:
            yield Problem("F042", f"the font `{font.name}` is symbolic and has an encoding")
        # Platform 3, encoding 0 is the map of a symbolic font.
        elif font.program.maps and len(font.program.maps) != 1 and (3, 0) not in font.program.maps:
            yield Problem("F042", f"the font `{font.name}` is symbolic, and has no map for symbols (3, 0)")
    elif nonsymbolic and not symbolic:
        base = as_name(said) if isinstance(said, Name) else as_name(as_dictionary(said).get("/BaseEncoding"))
        if base not in ("WinAnsiEncoding", "MacRomanEncoding"):
            message = f"the font `{font.name}` is not symbolic, and its encoding is neither WinAnsi nor MacRoman"
            yield Problem("F042", message)
        odd = [as_name(each) for each in as_array(as_dictionary(said).get("/Differences")) if isinstance(each, Name)]
        # Platform 3, encoding 1 is the map of Unicode.
        if any(character(name) is None for name in odd if name != ".notdef") and (3, 1) not in font.program.maps:
            yield Problem("F042", f"the font `{font.name}` names glyphs that nobody knows")


_PREDEFINED = {
    "Identity-H", "Identity-V",
    *(f"{name}-{way}" for way in "HV" for name in (
        "GB-EUC", "GBpc-EUC", "GBK-EUC", "GBKp-EUC", "GBK2K", "UniGB-UCS2", "UniGB-UTF16",
        "B5pc", "HKscs-B5", "ETen-B5", "ETenms-B5", "CNS-EUC", "UniCNS-UCS2", "UniCNS-UTF16",
        "83pv-RKSJ", "90ms-RKSJ", "90msp-RKSJ", "90pv-RKSJ", "Add-RKSJ", "EUC", "Ext-RKSJ",
        "UniJIS-UCS2", "UniJIS-UCS2-HW", "UniJIS-UTF16",
        "KSC-EUC", "KSCms-UHC", "KSCms-UHC-HW", "KSCpc-EUC", "UniKS-UCS2", "UniKS-UTF16",
    )),
    "H", "V",
}  # fmt: skip
"""The character maps that every reader has (ISO 32000-1, table 118)."""

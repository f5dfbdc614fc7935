"""What is a fault by which standard: one table of codes, standards, predicates, messages and next steps.

The other chapters read a file and name what they find by the keys of the table; rules with a predicate are asked of
whole dictionaries. A fact that the standard of a file has nothing against becomes no finding.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from pikepdf import Dictionary, Name

from render.base.findings import Diagnostic, Severity
from render.pdf.reading.values import (
    as_dictionary,
    as_integer,
    as_items,
    as_name,
    as_number,
    as_numbers,
    is_false,
    is_true,
)
from render.pdf.standards import A_2B, X_1A, X_4, Standard

ALL, PRESS, ARCHIVE, OPAQUE, SEEN_THROUGH = (X_1A, X_4, A_2B), (X_1A, X_4), (A_2B,), (X_1A,), (X_4, A_2B)
ERROR, WARNING, UNSURE = Severity.ERROR, Severity.WARNING, Severity.UNSURE
REFUSED = None  # an error in a file for a shop, a warning in others, where it may be intended

INTENTS = ("RelativeColorimetric", "AbsoluteColorimetric", "Perceptual", "Saturation")  # table 70
_BLENDS = frozenset(
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference"
    " Exclusion Hue Saturation Color Luminosity".split()
)  # 11.3.5
_NAMED_ACTIONS = ("NextPage", "PrevPage", "FirstPage", "LastPage")
_ACTIONS = (
    "Launch", "Sound", "Movie", "ResetForm", "ImportData", "JavaScript", "Hide", "SetOCGState", "Rendition", "Trans",
    "GoTo3DView",
)  # fmt: skip
# The kinds of annotations of PDF 1.7 that an archive may have (ISO 19005-2, 6.3.1), and its flags (table 165).
_NOTES = (
    "Text", "Link", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline", "Squiggly",
    "StrikeOut", "Stamp", "Caret", "Ink", "Popup", "FileAttachment", "Widget", "PrinterMark", "TrapNet", "Watermark",
    "Redact",
)  # fmt: skip
_INVISIBLE, _HIDDEN, _PRINT, _NO_VIEW, _TOGGLE = 1, 2, 4, 32, 256
_FILTERS = (
    "FlateDecode", "Fl", "ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "RunLengthDecode", "RL", "CCITTFaxDecode",
    "CCF", "DCTDecode", "DCT", "JBIG2Decode", "JPXDecode", "Crypt", "LZWDecode", "LZW",
)  # fmt: skip

Predicate = Callable[[Dictionary], object]
"""Returns whether an entry is at fault, or the word that the message names it by."""


class Rule(NamedTuple):
    """A fault: its code, the standards that know it, its message with `{}` for what is found, and the next step.

    A rule with a predicate is asked of a whole dictionary; others are named by what reads the file.
    """

    code: str
    standards: tuple[Standard, ...]
    message: str
    when: Predicate | None = None
    hint: str = ""
    severity: Severity | None = ERROR


class Rules(NamedTuple):
    """The table for one standard. `refused` is the severity of what a shop refuses, and others may intend."""

    standard: Standard
    refused: Severity

    def __call__(self, subject: str, key: str, *values: object) -> Iterator[Diagnostic]:
        """Yield the problem of a fact, if the standard has something against it."""
        rule = RULES[subject][key]
        if self.standard in rule.standards:
            message, hint = rule.message.format(*values), rule.hint.format(*values)
            yield Diagnostic(rule.code, message, hint, severity=rule.severity or self.refused)

    def of(self, subject: str, entries: Dictionary, *values: object) -> Iterator[Diagnostic]:
        """Yield what the predicates have against a dictionary."""
        for key, rule in RULES[subject].items():
            if rule.when is not None and self.standard in rule.standards and (word := rule.when(entries)):
                yield from self(subject, key, word, *values)


# --- predicates -----------------------------------------------------------------------------------------------------


def _has(*path: str) -> Predicate:
    """Return whether a dictionary has an entry, or has it in another of its entries."""
    *outer, key = path

    def has(entries: Dictionary) -> bool:
        for name in outer:
            entries = as_dictionary(entries.get(f"/{name}"))
        return f"/{key}" in entries

    return has


def _viewed_part(root: Dictionary) -> str:
    shown = as_dictionary(root.get("/ViewerPreferences"))
    parts = ("ViewArea", "ViewClip", "PrintArea", "PrintClip")
    whole = ("MediaBox", "BleedBox")
    return next((part for part in parts if f"/{part}" in shown and as_name(shown[f"/{part}"]) not in whole), "")


def _asks_for_more(root: Dictionary) -> str:
    return next((key for key in ("Requirements", "NeedsRendering") if not is_false(root.get(f"/{key}", False))), "")


def _odd_rights(root: Dictionary) -> object:
    # Usage rights and certification are allowed (ISO 19005-2, 6.1.12).
    return set(as_dictionary(root.get("/Perms")).keys()) - {"/UR3", "/DocMDP"}


def _needs_drawing(root: Dictionary) -> bool:
    return is_true(as_dictionary(root.get("/AcroForm")).get("/NeedAppearances"))


def _filters(stream: Dictionary) -> list[str]:
    return [as_name(name) for name in as_items(stream.get("/Filter"))]


def _packed(*names: str) -> Predicate:
    return lambda stream: set(names) & set(_filters(stream))


def _odd_filter(stream: Dictionary) -> str:
    return next((name or "?" for name in _filters(stream) if name not in _FILTERS), "")


def _lies_elsewhere(stream: Dictionary) -> object:
    return {"/F", "/FFilter", "/FDecodeParms"} & set(stream.keys())


def _odd_action(action: Dictionary) -> str:
    kind = as_name(action.get("/S"))
    is_odd_name = kind == "Named" and as_name(action.get("/N")) not in _NAMED_ACTIONS
    return kind if kind in _ACTIONS or is_odd_name else ""


def _kind(entries: Dictionary) -> str:
    return as_name(entries.get("/Subtype")) or "?"


def _odd_note(note: Dictionary) -> str:
    return "" if _kind(note) in _NOTES else _kind(note)


def _unseen_note(note: Dictionary) -> str:
    flags = as_integer(note.get("/F"))
    is_shown = flags & _PRINT and not flags & (_INVISIBLE | _HIDDEN | _NO_VIEW | _TOGGLE)
    return "" if is_shown or _kind(note) == "Popup" else _kind(note)


def _note_without_looks(note: Dictionary) -> str:
    corners, looks = as_numbers(note.get("/Rect"), 4), as_dictionary(note.get("/AP"))
    is_empty = bool(corners) and corners[:2] == corners[2:]
    has_looks = "/N" in looks and len(looks.keys()) == 1
    return "" if has_looks or is_empty or _kind(note) in ("Link", "Popup") else _kind(note)


def _holds_postscript(form: Dictionary) -> bool:
    return as_name(form.get("/Subtype2")) == "PS" or "/PS" in form


def _has_soft_mask(state: Dictionary) -> bool:
    return state.get("/SMask", Name("/None")) != Name("/None")


def _is_clear(state: Dictionary) -> bool:
    return any(as_number(state.get(key, 1), 1.0) != 1 for key in ("/ca", "/CA"))  # opacity of fills and of lines


def _blends(state: Dictionary, allowed: Collection[str] = ("Normal", "Compatible")) -> str:
    return next((mode or "?" for mode in map(as_name, as_items(state.get("/BM"))) if mode not in allowed), "")


def _odd_blends(state: Dictionary) -> str:
    return _blends(state, _BLENDS)


def _transfers(state: Dictionary) -> bool:
    return "/TR" in state or "/HTP" in state or as_name(state.get("/TR2", Name.Default)) != "Default"


def _halftone_curve(state: Dictionary) -> bool:
    halftone = as_dictionary(state.get("/HT"))
    return any("/TransferFunction" in as_dictionary(part) for part in (halftone, *halftone.values()))


def _odd_halftone(state: Dictionary) -> bool:
    halftone = as_dictionary(state.get("/HT"))
    return bool(halftone) and (as_integer(halftone.get("/HalftoneType")) not in (1, 5) or "/HalftoneName" in halftone)


def _picture_mask(picture: Dictionary) -> bool:
    return "/SMask" in picture or as_integer(picture.get("/SMaskInData")) != 0


def _is_smoothed(picture: Dictionary) -> bool:
    return is_true(picture.get("/Interpolate"))


def _is_exchanged(picture: Dictionary) -> bool:
    return "/OPI" in picture or "/Alternates" in picture


def _odd_intent(picture: Dictionary) -> str:
    intent = as_name(picture.get("/Intent", Name.Perceptual))
    return "" if intent in INTENTS else intent or "?"


def _bits(picture: Dictionary) -> int:
    is_free = "/BitsPerComponent" not in picture or "JPXDecode" in _filters(picture)
    return 8 if is_free else as_integer(picture["/BitsPerComponent"])


def _odd_bits(picture: Dictionary) -> str:
    bits = _bits(picture)
    return "" if bits in (1, 2, 4, 8, 16) else str(bits)


def _mask_bits(picture: Dictionary) -> bool:
    return is_true(picture.get("/ImageMask")) and as_integer(picture.get("/BitsPerComponent"), 1) != 1


# --- the table ------------------------------------------------------------------------------------------------------

_NAME_THEM = "name what they were made for: sRGB, or a press"
_TURN_ON = "leave it out, or turn it on: some programs print what is off"
_NO_BLEED = "without one nobody can tell how far color reaches beyond the trim"
_STACK = "cards that are cut in a stack would differ"
_TURN_IT = "turn it, or the card behind it is upside down"
_NO_OVERPRINT = "white leaves the ink beneath as it is: turn off its overprinting"
_LOOK = "look at its ink in another program, or draw it as a picture of 8 bits"
_BOX = "a box or nothing is printed"


RULES: dict[str, dict[str, Rule]] = {
    # What a file says of itself (ISO 15930-4, 5, 6.7, 6.17; -7, 6.9-6.11; ISO 19005-2, 6.1.2, 6.1.3, 6.6.2, 6.6.4).
    "file": {
        "encrypted": Rule("F001", ALL, "the file is encrypted", hint="save it without a password"),
        "damaged": Rule("F001", ALL, "the file is damaged: {}"),
        "odd": Rule("F001", ALL, "the file is not built as a PDF should be: {}"),
        "version": Rule("F005", ALL, "it is PDF {}, and {} is at most PDF {}"),
        "no ID": Rule("F005", ALL, "the file has no ID in its trailer"),
        "packed objects": Rule("F005", OPAQUE, "its objects are packed together in streams, which PDF 1.5 brought"),
        "older": Rule("F005", ALL, "it says that it is PDF/X-1a:2001, which is older than {}", severity=WARNING),
        "no claim": Rule("F005", ALL, "it does not say that it is {}: `{}` in {}"),
        "no key": Rule("F005", ALL, "there is no `{}` in {}"),
        "no ID of XMP": Rule("F005", ALL, "its XMP metadata have no `{}`", severity=WARNING),
        "no date": Rule("F005", ALL, "`{}` in the Info dictionary is no date: `{:.40}`"),
        "not trapped": Rule("F005", PRESS, "it does not say whether it is trapped: `Trapped` is to be True or False"),
        "head": Rule("F005", ARCHIVE, "its head is not `%PDF-1.7` and a line of signs above 127, as the standard asks"),
        "tail": Rule("F005", ARCHIVE, "something follows its end: `%%EOF`"),
        "packet": Rule("F005", ARCHIVE, "the packet of its XMP metadata says how long it is, or in which signs"),
        "undescribed": Rule("F005", ARCHIVE, "its XMP metadata have properties that they do not describe: `{:.40}`"),
    },
    # Output intents (ISO 15930-4, 6.2; ISO 15930-7, 6.4; ISO 19005-2, 6.2.3).
    "intent": {
        "count": Rule("F010", ALL, "there are {} output intents `{}`, and there is to be one"),
        "none": Rule("F010", ARCHIVE, "there is no output intent, and there are colors of a device", hint=_NAME_THEM),
        "nameless": Rule("F010", ALL, "the output intent does not name its printing condition"),
        "elsewhere": Rule("F010", ALL, "the profile of the output intent lies in another file"),
        "no profile": Rule("F010", ALL, "the output intent has no color profile"),
        "no ICC": Rule("F010", ALL, "the color profile of the output intent is none"),
        "kind": Rule("F010", ALL, "the color profile of the output intent is `{}`, `{}`, not `{}`, `{}`"),
        "channels": Rule("F010", ALL, "the color profile of the output intent has more or fewer channels than it says"),
        "cut off": Rule("F010", ALL, "the color profile of the output intent is cut off"),
        "later": Rule("F010", ALL, "the color profile of the output intent is of ICC {}, and 4 is the latest"),
        "not sRGB": Rule("F010", ALL, "the color profile of the output intent is not sRGB, and the shop asks for sRGB"),
    },
    # The catalog (ISO 15930-4, 6.14, 6.17; ISO 15930-7, 6.18, 6.21, 6.24, 6.26; ISO 19005-2, 6.4, 6.5, 6.8-6.11).
    "catalog": {
        "JavaScript": Rule("F051", ALL, "the file holds JavaScript", _has("Names", "JavaScript")),
        "action": Rule("F051", PRESS, "the file holds an action: `OpenAction`", _has("OpenAction")),
        "actions": Rule("F051", ALL, "the file holds actions: `AA`", _has("AA")),
        "form": Rule("F051", PRESS, "the file holds a form to fill in: `AcroForm`", _has("AcroForm")),
        "portfolio": Rule("F051", PRESS, "the file holds a portfolio: `Collection`", _has("Collection")),
        "files": Rule("F051", PRESS, "the file holds other files", _has("Names", "EmbeddedFiles")),
        "part": Rule("F052", PRESS, "a part of the page is to be shown or printed: `{}`", _viewed_part),
        "more": Rule("F051", ARCHIVE, "the file asks its reader for more than to show it: `{}`", _asks_for_more),
        "rights": Rule("F051", ARCHIVE, "the file says who may do what with it: `Perms`", _odd_rights),
        "XFA": Rule("F051", ARCHIVE, "the file holds a form of another kind: `XFA`", _has("AcroForm", "XFA")),
        "draw": Rule("F051", ARCHIVE, "the file asks its reader to draw its fields: `NeedAppearances`", _needs_drawing),
        "no archive": Rule("F051", ARCHIVE, "the file holds other files, one of which is no PDF/A"),
        "ways": Rule("F051", ALL, "the file has other ways to present it", _has("Names", "AlternatePresentations")),
        "layers": Rule("F041", OPAQUE, "the file has layers that can be hidden", _has("OCProperties")),
        "nameless": Rule("F041", ARCHIVE, "a way to show the layers has no name"),
        "switched": Rule("F041", SEEN_THROUGH, "layers are switched by whoever shows the file: `AS`"),
        "off": Rule("F041", SEEN_THROUGH, "the layer `{:.40}` is off", hint=_TURN_ON, severity=REFUSED),
    },
    "action": {"acts": Rule("F051", ALL, "the file asks its reader to act: `{}`", _odd_action)},
    # Streams (ISO 15930-4, 6.4, 6.5; ISO 15930-7, 6.7, 6.8; ISO 19005-2, 6.1.7).
    "stream": {
        "LZW": Rule("F052", ALL, "something is packed with LZW", _packed("LZWDecode", "LZW"), "pack it with Flate"),
        "JBIG2": Rule("F052", OPAQUE, "something is packed with JBIG2, which PDF/X-1a lacks", _packed("JBIG2Decode")),
        "JPX": Rule("F052", OPAQUE, "something is packed with JPEG 2000, which PDF/X-1a lacks", _packed("JPXDecode")),
        "odd": Rule("F052", ALL, "something is packed in a way that PDF does not have: `{:.40}`", _odd_filter),
        "Crypt": Rule("F052", ALL, "something is encrypted by itself: `Crypt`", _packed("Crypt")),
        "elsewhere": Rule("F052", ALL, "something lies in another file", _lies_elsewhere),
        "page": Rule("F052", ALL, "a form stands for a page of another file", _has("Ref")),  # ISO 32000-1, 8.10.4
    },
    # Pages and their boxes (ISO 15930-4, 6.8; ISO 15930-7, 6.12; ISO 19005-2, 6.1.13, 6.5).
    "page": {
        "actions": Rule("F051", ALL, "there are actions: `AA`", _has("AA")),
        "steps": Rule("F051", ARCHIVE, "there are steps of a presentation: `PresSteps`", _has("PresSteps")),
        "notes": Rule("F051", ALL, "what is laid over it cannot be read: `Annots`"),
        "rotated": Rule("F020", PRESS, "it is rotated by {} degrees", lambda page: page.get("/Rotate", 0)),
        "unit": Rule("F020", PRESS, "its unit is not the point", lambda page: page.get("/UserUnit", 1) != 1),
        "no trim": Rule("F020", PRESS, "there is no trim box", hint="nobody can tell where the card ends"),
        "two trims": Rule("F020", PRESS, "there are a trim box and an art box, and one is allowed"),
        "beyond": Rule("F020", ALL, "the {} box reaches beyond the {} box"),
        "no bleed box": Rule("F020", ALL, "there is no bleed box", hint=_NO_BLEED, severity=WARNING),
        "uneven": Rule(
            "F020",
            ALL,
            "the trim is off the middle: left, bottom, right, top {} mm around it",
            hint=_STACK,
            severity=REFUSED,
        ),
        "limits": Rule("F052", ARCHIVE, "it is smaller or larger than readers need to show"),
        "size": Rule("F024", ALL, "it is {:.2f} x {:.2f} mm, and the shop asks for {:g} x {:g} mm"),
        "bleed": Rule("F024", ALL, "the bleed is {:.2f} mm, and the shop asks for {:g} mm"),
        "less bleed": Rule(
            "F024", ALL, "there are {:.2f} mm of bleed, and the shop asks for {:g} mm", severity=REFUSED
        ),
    },
    # What lies over a page (ISO 15930-4, 6.13; ISO 15930-7, 6.17; ISO 19005-2, 6.3).
    "note": {
        "in print": Rule("F051", PRESS, "there are annotations, links or fields on the page: `{}`"),
        "kind": Rule("F051", ARCHIVE, "something is laid over it that the standard does not have: `{}`", _odd_note),
        "acts": Rule("F051", ARCHIVE, "a field or a note acts: `AA`", _has("AA")),
        "unseen": Rule("F051", ARCHIVE, "something laid over it is not always seen and printed: `{}`", _unseen_note),
        "looks": Rule("F051", ARCHIVE, "something laid over it does not say how it looks: `{}`", _note_without_looks),
    },
    # Faces on pages, as files of this program name them.
    "faces": {
        "count": Rule("F024", ALL, "there are {} pages, and each card has {}"),
        "unknown": Rule(
            "F024",
            ALL,
            "the pages do not say which face they show, and are to be {} in turn",
            hint="look at them",
            severity=UNSURE,
        ),
        "order": Rule("F024", ALL, "{}: {} of a card, not the {}"),
        "pair": Rule("F024", ALL, "{}: what is to be the sides of one card are those of different cards"),
        "turned": Rule("F024", ALL, "{}: {} upside down", hint=_TURN_IT, severity=REFUSED),
        "again": Rule("F024", ALL, "{}: {} is printed {}{}", hint="leave out what is too much", severity=REFUSED),
    },
    # What content draws (ISO 15930-4, 6.9, 6.10, 6.16; ISO 15930-7, 6.13, 6.14; ISO 19005-2, 6.2.2, 6.2.5-6.2.10).
    "content": {
        "damaged": Rule("F001", ALL, "what it draws is damaged{}"),
        "operator": Rule("F052", ALL, "there is an operator that PDF does not have: `{:.20}`"),
        "nested": Rule("F052", ALL, "states are nested more than 28 deep: `q`"),  # ISO 32000-1, annex C
        "intent": Rule("F052", ALL, "the rendering intent is none: `{}`"),
        "neither": Rule("F052", ALL, "something is drawn that is neither a picture nor a form"),
        "group": Rule("F041", OPAQUE, "a transparency group"),
        "vanishes": Rule("F032", ALL, "white overprints, and vanishes", hint=_NO_OVERPRINT),
        "overprint": Rule(
            "F032", ALL, "the ink of what overprints cannot be read: it may add up to {:.0f} %", severity=UNSURE
        ),
    },
    "form": {
        "PostScript": Rule("F052", ALL, "a form holds PostScript", _holds_postscript),
        "OPI": Rule("F052", ALL, "another picture stands in for one", _has("OPI")),  # ISO 32000-1, 14.11.7
    },
    "state": {
        "mask": Rule("F041", OPAQUE, "a graphics state has a soft mask", _has_soft_mask),
        "opacity": Rule("F041", OPAQUE, "what is drawn is not opaque", _is_clear),
        "blend": Rule("F041", OPAQUE, "colors are blended: `{}`", _blends),
        "odd blend": Rule("F041", SEEN_THROUGH, "colors are blended as PDF does not: `{}`", _odd_blends),
        "transfer": Rule("F052", ALL, "a transfer curve or halftone changes the tones", _transfers),
        "halftone curve": Rule("F052", ALL, "a halftone has a transfer curve", _halftone_curve),
        "halftone": Rule("F052", ALL, "a halftone is of a kind that the standard does not have", _odd_halftone),
    },
    # Colors (ISO 15930-4, 6.2; ISO 15930-7, 6.4; ISO 19005-2, 6.2.4).
    "color": {
        "space": Rule("F030", ALL, "colors are {1}: {0}", hint="{2} has none such here: convert it by the profile"),
        "default": Rule("F030", ALL, "a default color space is one of a device"),
        "no profile": Rule("F030", ALL, "colors have no profile: {}"),
        "no ICC": Rule("F030", ALL, "the profile of colors is none: {}"),
        "profile": Rule("F030", ALL, "the profile of colors is `{}`, `{}`: {}"),
        "not sRGB": Rule("F030", ALL, "the profile of colors is not sRGB, and the shop asks for sRGB: {}"),
        "spot": Rule("F030", ALL, "the spot color `{}` is used", hint="convert it to the four inks"),
        "ink": Rule("F032", ALL, "{} asks for {:.0f} % ink", hint="at most {2:g} %, or it does not dry"),
        "unknown ink": Rule("F032", ALL, "the ink of {} cannot be read", hint=_LOOK, severity=UNSURE),
    },
    # Pictures (ISO 15930-4, 6.12, 6.16; ISO 15930-7, 6.16, 6.23, 6.27; ISO 19005-2, 6.2.6, 6.2.8).
    "picture": {
        "mask": Rule("F041", OPAQUE, "{1} has a soft mask", _picture_mask, "lay it on its ground first"),
        "other": Rule("F052", ALL, "another picture stands in for {1}", _is_exchanged),
        "smooth": Rule("F037", ARCHIVE, "{1} is to be smoothed by whoever shows it", _is_smoothed),
        "intent": Rule("F052", ALL, "the rendering intent of {1} is none: `{0}`", _odd_intent),
        "bits": Rule("F037", ALL, "{1} has {0} bits for a color", _odd_bits),
        "16 bits": Rule("F005", OPAQUE, "{1} has 16 bits for a color, which PDF 1.5 brought", lambda p: _bits(p) == 16),
        "bits of mask": Rule("F037", ALL, "a mask has more than one bit", _mask_bits),
        "ink": Rule(
            "F032", ALL, "{} has {:.0f} % ink", hint="at most {2:g} %: convert it by a profile that keeps to it"
        ),
        "no pixels": Rule("F037", ALL, "{} has no pixels"),
        "damaged": Rule("F001", ALL, "the data of {} are damaged"),
        "data": Rule("F037", ALL, "{} has {} of the {} bytes that its pixels take"),
        "channels": Rule("F037", ALL, "{} has {} components, and its color space has {}"),
    },
    "inline picture": {
        "smooth": Rule("F037", ARCHIVE, "{1} is to be smoothed by whoever shows it", _is_smoothed),
        "LZW": Rule("F052", ALL, "{1} is packed with LZW", _packed("LZWDecode"), "pack it with Flate"),
    },
    # Fonts (ISO 15930-4, 6.3; ISO 15930-7, 6.5; ISO 19005-2, 6.2.11).
    "font": {
        "elsewhere": Rule(
            "F042", ALL, "the font `{}` is not embedded", hint="another one would be printed in its place"
        ),
        "unused": Rule("F042", ALL, "the font `{}` is not embedded, and nothing is set in it", severity=WARNING),
        "cut off": Rule("F042", ALL, "the program of the font `{}` is cut off: its end is missing"),
        "unread": Rule("F042", ALL, "the program of the font `{}` cannot be read", severity=UNSURE),
        "missing": Rule("F042", ARCHIVE, "a text shows glyphs that the font `{}` does not have: code {}", hint=_BOX),
        "lost": Rule(
            "F042", PRESS, "a text shows glyphs that the font `{}` does not have: code {}", hint=_BOX, severity=WARNING
        ),
        "no widths": Rule("F042", ARCHIVE, "the font `{}` has no widths in the file: `Widths`"),
        "widths": Rule(
            "F042", ARCHIVE, "code {1:#x} of the font `{0}` is {2:.0f} wide, and not {3:.0f} as the file says"
        ),
        "no glyph map": Rule("F042", ARCHIVE, "the font `{}` does not say which glyph is which: `CIDToGIDMap`"),
        "no direction": Rule("F042", ARCHIVE, "the character map of the font `{}` has no direction: `WMode`"),
        "no map": Rule("F042", ARCHIVE, "the character map of the font `{}` is not in the file: `{}`"),
        "symbolic": Rule("F042", ARCHIVE, "the font `{}` is symbolic and has an encoding"),
        "no symbols": Rule("F042", ARCHIVE, "the font `{}` is symbolic, and has no map for symbols (3, 0)"),
        "encoding": Rule(
            "F042", ARCHIVE, "the font `{}` has letters, and its encoding is neither WinAnsi nor MacRoman"
        ),
        "names": Rule("F042", ARCHIVE, "the font `{}` names glyphs that nobody knows"),
    },
}

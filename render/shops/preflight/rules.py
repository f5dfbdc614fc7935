"""What is a fault by which standard: one table of codes, standards, clauses, messages, predicates and next steps.

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
SHOP = "a wish of print shops"  # rather than a clause of a standard
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

    `clause` is SHOP, or that of ISO 19005-2, or names its document; "" is somewhere in the part of ISO 15930. A rule
    with a predicate is asked of a whole dictionary; others are named by what reads the file.
    """

    code: str
    standards: tuple[Standard, ...]
    clause: str
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
            clause = rule.clause
            if not clause[:1].isalpha():
                clause = f"{self.standard.iso}, {clause}" if self.standard is A_2B else self.standard.iso
            yield Diagnostic(rule.code, message, hint, severity=rule.severity or self.refused, clause=clause)

    def of(self, subject: str, entries: Dictionary, *values: object) -> Iterator[Diagnostic]:
        """Yield what the predicates have against a dictionary."""
        for key, rule in RULES[subject].items():
            if rule.when is not None and self.standard in rule.standards and (word := rule.when(entries)):
                yield from self(subject, key, word, *values)


# --- predicates -----------------------------------------------------------------------------------------------------


def _value(entries: Dictionary, path: str) -> object:
    """Return an entry, or that of an entry: `Names.JavaScript`; None if there is none."""
    *outer, key = path.split(".")
    for name in outer:
        entries = as_dictionary(entries.get(f"/{name}"))
    return entries.get(f"/{key}")


def _has(*paths: str) -> Predicate:
    return lambda entries: any(_value(entries, path) is not None for path in paths)


def _is_on(path: str) -> Predicate:
    return lambda entries: is_true(_value(entries, path))


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


def _filters(stream: Dictionary) -> list[str]:
    return [as_name(name) for name in as_items(stream.get("/Filter"))]


def _packed(*names: str) -> Predicate:
    return lambda stream: set(names) & set(_filters(stream))


_is_lzw = _packed("LZWDecode", "LZW")


def _odd_filter(stream: Dictionary) -> str:
    return next((name or "?" for name in _filters(stream) if name not in _FILTERS), "")


def _odd_action(action: Dictionary) -> str:
    kind = as_name(action.get("/S"))
    is_odd_name = kind == "Named" and as_name(action.get("/N")) not in _NAMED_ACTIONS
    return kind if kind in _ACTIONS or is_odd_name else ""


def _odd_note(note: Dictionary) -> str:
    return "" if _named(note, "Subtype") in _NOTES else _named(note, "Subtype")


def _unseen_note(note: Dictionary) -> str:
    flags = as_integer(note.get("/F"))
    is_shown = flags & _PRINT and not flags & (_INVISIBLE | _HIDDEN | _NO_VIEW | _TOGGLE)
    return "" if is_shown or _named(note, "Subtype") == "Popup" else _named(note, "Subtype")


def _note_without_looks(note: Dictionary) -> str:
    corners, looks = as_numbers(note.get("/Rect"), 4), as_dictionary(note.get("/AP"))
    is_empty = bool(corners) and corners[:2] == corners[2:]
    has_looks = "/N" in looks and len(looks.keys()) == 1
    return "" if has_looks or is_empty or _named(note, "Subtype") in ("Link", "Popup") else _named(note, "Subtype")


def _holds_postscript(form: Dictionary) -> bool:
    return as_name(form.get("/Subtype2")) == "PS" or "/PS" in form


def _has_soft_mask(state: Dictionary) -> bool:
    return state.get("/SMask", Name("/None")) != Name("/None")


def _is_clear(state: Dictionary) -> bool:
    return any(as_number(state.get(key, 1), 1.0) != 1 for key in ("/ca", "/CA"))  # opacity of fills and of lines


def _blends(state: Dictionary, allowed: Collection[str] = ("Normal", "Compatible")) -> str:
    return next((mode or "?" for mode in map(as_name, as_items(state.get("/BM"))) if mode not in allowed), "")


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


def _odd_intent(key: str) -> Predicate:
    return lambda entries: f"/{key}" in entries and as_name(entries[f"/{key}"]) not in INTENTS and _named(entries, key)


def _named(entries: Dictionary, key: str) -> str:
    return as_name(entries.get(f"/{key}")) or "?"


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
_CONVERT = "{2} has none such here: convert it by the profile"
_BOX = "a box or nothing is printed"


RULES: dict[str, dict[str, Rule]] = {
    "file": {
        "encrypted": Rule("F001", ALL, "6.1.3", "the file is encrypted", hint="save it without a password"),
        "damaged": Rule("F001", ALL, "ISO 32000-1", "the file is damaged: {}"),
        "odd": Rule("F001", ALL, "ISO 32000-1", "the file is not built as a PDF should be: {}"),
        "version": Rule("F005", ALL, "6.1.2", "it is PDF {}, and {} is at most PDF {}"),
        "no ID": Rule("F005", ALL, "6.1.3", "the file has no ID in its trailer"),
        "packed objects": Rule("F005", OPAQUE, "", "its objects are packed together in streams, which PDF 1.5 brought"),
        "older": Rule("F005", OPAQUE, "", "it says that it is PDF/X-1a:2001, which is older than {}", severity=WARNING),
        "no claim": Rule("F005", ALL, "6.6.4", "it does not say that it is {}: `{}` in {}"),
        "no key": Rule("F005", PRESS, "", "there is no `{}` in {}"),
        "no ID of XMP": Rule("F005", (X_4,), "", "its XMP metadata have no `{}`", severity=WARNING),
        "no date": Rule("F005", PRESS, "", "`{}` in the Info dictionary is no date: `{:.40}`"),
        "not trapped": Rule("F005", PRESS, "", "`Trapped` is neither True nor False"),
        "head": Rule("F005", ARCHIVE, "6.1.2", "its head is not `%PDF-1.7` and a line of signs above 127"),
        "tail": Rule("F005", ARCHIVE, "6.1.3", "something follows its end: `%%EOF`"),
        "packet": Rule("F005", ARCHIVE, "6.6.2.1", "its XMP packet gives its length or its encoding"),
        "undescribed": Rule("F005", ARCHIVE, "6.6.2.3.1", "its XMP metadata do not describe the properties `{:.40}`"),
    },
    "intent": {
        "count": Rule("F010", ALL, "6.2.3", "there are {} output intents `{}`, and there is to be one"),
        "none": Rule("F010", ARCHIVE, "6.2.4.3", "colors of a device have no output intent", hint=_NAME_THEM),
        "nameless": Rule("F010", ALL, "ISO 32000-1, 14.11.5", "the output intent does not name its printing condition"),
        "elsewhere": Rule("F010", ALL, "6.2.3", "the output intent's profile lies in another file"),
        "no profile": Rule("F010", ALL, "6.2.3", "the output intent has no color profile"),
        "no ICC": Rule("F010", ALL, "6.2.3", "the output intent's profile is none"),
        "kind": Rule("F010", ALL, "6.2.3", "the output intent's profile is `{}`, `{}`, not `{}`, `{}`"),
        "channels": Rule(
            "F010", ALL, "ISO 32000-1, 8.6.5.5", "the output intent's profile has other channels than it says"
        ),
        "cut off": Rule("F010", ALL, "6.2.3", "the output intent's profile is cut off"),
        "later": Rule("F010", ALL, "6.2.3", "the output intent's profile is of ICC {}, and 4 is the latest"),
        "not sRGB": Rule("F010", ALL, SHOP, "the output intent's profile is not sRGB"),
    },
    "catalog": {
        "JavaScript": Rule("F051", ALL, "6.5.1", "the file holds JavaScript", _has("Names.JavaScript")),
        "action": Rule("F051", PRESS, "", "the file holds an action: `OpenAction`", _has("OpenAction")),
        "actions": Rule("F051", ALL, "6.5.2", "the file holds actions: `AA`", _has("AA")),
        "form": Rule("F051", PRESS, "", "the file holds a form to fill in: `AcroForm`", _has("AcroForm")),
        "portfolio": Rule("F051", PRESS, "", "the file holds a portfolio: `Collection`", _has("Collection")),
        "files": Rule("F051", PRESS, "", "the file holds other files", _has("Names.EmbeddedFiles")),
        "part": Rule("F052", PRESS, "", "a part of the page is to be shown or printed: `{}`", _viewed_part),
        "more": Rule("F051", ARCHIVE, "6.4.2", "the file asks for more than to be shown: `{}`", _asks_for_more),
        "rights": Rule("F051", ARCHIVE, "6.1.12", "the file says who may do what with it: `Perms`", _odd_rights),
        "XFA": Rule("F051", ARCHIVE, "6.4.2", "the file holds a form of another kind: `XFA`", _has("AcroForm.XFA")),
        "draw": Rule(
            "F051", ARCHIVE, "6.4.1", "readers draw its fields: `NeedAppearances`", _is_on("AcroForm.NeedAppearances")
        ),
        "no archive": Rule("F051", ARCHIVE, "6.8", "the file holds other files, one of which is no PDF/A"),
        "ways": Rule("F051", ALL, "6.10", "there are other ways to show it", _has("Names.AlternatePresentations")),
        "layers": Rule("F041", OPAQUE, "", "the file has layers that can be hidden", _has("OCProperties")),
        "nameless": Rule("F041", ARCHIVE, "6.9", "a way to show the layers has no name"),
        "switched": Rule("F041", SEEN_THROUGH, "6.9", "layers are switched by whoever shows the file: `AS`"),
        "off": Rule("F041", SEEN_THROUGH, SHOP, "the layer `{:.40}` is off", hint=_TURN_ON, severity=REFUSED),
    },
    "action": {"acts": Rule("F051", ALL, "6.5.1", "the file asks its reader to act: `{}`", _odd_action)},
    "stream": {
        "LZW": Rule("F052", ALL, "6.1.7.2", "something is packed with LZW", _is_lzw, "pack it with Flate"),
        "JBIG2": Rule("F052", OPAQUE, "", "something is packed with JBIG2", _packed("JBIG2Decode")),
        "JPX": Rule("F052", OPAQUE, "", "something is packed with JPEG 2000", _packed("JPXDecode")),
        "odd": Rule("F052", ALL, "6.1.7.2", "something is packed as PDF cannot: `{:.40}`", _odd_filter),
        "Crypt": Rule("F052", ALL, "6.1.7.2", "something is encrypted by itself: `Crypt`", _packed("Crypt")),
        "elsewhere": Rule(
            "F052", ALL, "6.1.7.1", "something lies in another file", _has("F", "FFilter", "FDecodeParms")
        ),
        "page": Rule("F052", ALL, "6.2.9", "a form stands for a page of another file", _has("Ref")),
    },
    "page": {
        "actions": Rule("F051", ALL, "6.5.2", "there are actions: `AA`", _has("AA")),
        "steps": Rule("F051", ARCHIVE, "6.10", "there are steps of a presentation: `PresSteps`", _has("PresSteps")),
        "notes": Rule("F051", ALL, "ISO 32000-1, 12.5", "what is laid over it cannot be read: `Annots`"),
        "rotated": Rule("F020", PRESS, SHOP, "it is rotated by {} degrees", lambda page: page.get("/Rotate", 0)),
        "unit": Rule("F020", PRESS, SHOP, "its unit is not the point", lambda page: page.get("/UserUnit", 1) != 1),
        "no trim": Rule("F020", PRESS, "", "there is no trim box", hint="nobody can tell where the card ends"),
        "two trims": Rule("F020", PRESS, "", "there are a trim box and an art box, and one is allowed"),
        "beyond": Rule("F020", ALL, "ISO 32000-1, 14.11.2", "the {} box reaches beyond the {} box"),
        "no bleed box": Rule("F020", ALL, SHOP, "there is no bleed box", hint=_NO_BLEED, severity=WARNING),
        "uneven": Rule(
            "F020",
            ALL,
            SHOP,
            "the trim is off the middle: left, bottom, right, top {} mm",
            hint=_STACK,
            severity=REFUSED,
        ),
        "limits": Rule("F052", ARCHIVE, "6.1.13", "it is smaller or larger than readers need to show"),
        "size": Rule("F024", ALL, SHOP, "it is {:.2f} x {:.2f} mm, and the shop asks for {:g} x {:g} mm"),
        "bleed": Rule("F024", ALL, SHOP, "the bleed is {:.2f} mm, and the shop asks for {:g} mm"),
        "less bleed": Rule("F024", ALL, SHOP, "the bleed is {:.2f} mm, and the shop asks for {:g}", severity=REFUSED),
    },
    "note": {
        "in print": Rule("F051", PRESS, "", "there are annotations, links or fields on the page: `{}`"),
        "kind": Rule("F051", ARCHIVE, "6.3.1", "what lies over it is not in the standard: `{}`", _odd_note),
        "acts": Rule("F051", ARCHIVE, "6.4.1", "a field or a note acts: `AA`", _has("AA")),
        "unseen": Rule("F051", ARCHIVE, "6.3.2", "what lies over it is not always seen: `{}`", _unseen_note),
        "looks": Rule("F051", ARCHIVE, "6.3.3", "what lies over it has no appearance: `{}`", _note_without_looks),
    },
    # Faces on pages, as files of this program name them.
    "faces": {
        "count": Rule("F024", ALL, SHOP, "there are {} pages, and each card has {}"),
        "unknown": Rule(
            "F024", ALL, SHOP, "no page names its face: {} in turn are due", hint="look at them", severity=UNSURE
        ),
        "order": Rule("F024", ALL, SHOP, "{} of a card, not the {}"),
        "pair": Rule("F024", ALL, SHOP, "what is to be the sides of one card are those of different cards"),
        "turned": Rule("F024", ALL, SHOP, "a face is upside down", hint=_TURN_IT, severity=REFUSED),
        "again": Rule("F024", ALL, SHOP, "{} is printed {}{}", hint="leave out what is too much", severity=REFUSED),
    },
    "content": {
        "damaged": Rule("F001", ALL, "ISO 32000-1, 7.8", "what it draws is damaged{}"),
        "operator": Rule("F052", ALL, "6.2.2", "there is an operator that PDF does not have: `{:.20}`"),
        "nested": Rule("F052", ALL, "ISO 32000-1, annex C", "states are nested more than 28 deep: `q`"),
        "intent": Rule("F052", ALL, "6.2.6", "the rendering intent is none: `{}`"),
        "neither": Rule("F052", ALL, "6.2.9", "something is drawn that is neither a picture nor a form"),
        "group": Rule("F041", OPAQUE, "", "a transparency group"),
        "vanishes": Rule("F032", ALL, SHOP, "white overprints, and vanishes", hint=_NO_OVERPRINT),
        "overprint": Rule("F032", ALL, SHOP, "with what overprints, ink may add up to {:.0f} %", severity=UNSURE),
    },
    "form": {
        "PostScript": Rule("F052", ALL, "6.2.9", "a form holds PostScript", _holds_postscript),
        "OPI": Rule("F052", ALL, "6.2.9", "another picture stands in for one", _has("OPI")),
    },
    "state": {
        "mask": Rule("F041", OPAQUE, "", "a graphics state has a soft mask", _has_soft_mask),
        "opacity": Rule("F041", OPAQUE, "", "what is drawn is not opaque", _is_clear),
        "blend": Rule("F041", OPAQUE, "", "colors are blended: `{}`", _blends),
        "odd blend": Rule(
            "F041",
            SEEN_THROUGH,
            "6.2.10",
            "there is a blend that PDF lacks: `{}`",
            lambda state: _blends(state, _BLENDS),
        ),
        "intent": Rule("F052", ALL, "6.2.6", "the rendering intent is none: `{}`", _odd_intent("RI")),
        "transfer": Rule("F052", ALL, "6.2.5", "a transfer curve or halftone changes the tones", _transfers),
        "halftone curve": Rule("F052", ALL, "6.2.5", "a halftone has a transfer curve", _halftone_curve),
        "halftone": Rule("F052", ALL, "6.2.5", "a halftone is not in the standard", _odd_halftone),
    },
    "color": {
        "space": Rule("F030", ALL, "6.2.4.3", "colors are {1}: {0}", hint=_CONVERT),
        "default": Rule("F030", ALL, "6.2.4.3", "a default color space is one of a device"),
        "no profile": Rule("F030", ALL, "6.2.4.2", "colors have no profile: {}"),
        "no ICC": Rule("F030", ALL, "6.2.4.2", "the profile of colors is none: {}"),
        "profile": Rule("F030", ALL, "6.2.4.2", "the profile of colors is `{}`, `{}`: {}"),
        "not sRGB": Rule("F030", ALL, SHOP, "the profile of colors is not sRGB: {}"),
        "spot": Rule("F030", ALL, SHOP, "the spot color `{}` is used", hint="convert it to the four inks"),
        "ink": Rule("F032", ALL, SHOP, "{} asks for {:.0f} % ink", hint="at most {2:g} %, or it does not dry"),
        "unknown ink": Rule("F032", ALL, SHOP, "the ink of {} cannot be read", hint=_LOOK, severity=UNSURE),
    },
    "picture": {
        "mask": Rule("F041", OPAQUE, "", "{1} has a soft mask", _picture_mask, "lay it on its ground first"),
        "other": Rule("F052", ALL, "6.2.8", "another picture stands in for {1}", _has("OPI", "Alternates")),
        "smooth": Rule("F037", ARCHIVE, "6.2.8", "{1} is to be smoothed by whoever shows it", _is_on("Interpolate")),
        "intent": Rule("F052", ALL, "6.2.6", "the rendering intent of {1} is none: `{0}`", _odd_intent("Intent")),
        "bits": Rule("F037", ALL, "6.2.8", "{1} has {0} bits for a color", _odd_bits),
        "16 bits": Rule("F005", OPAQUE, "", "{1} has 16 bits for a color, which is PDF 1.5", lambda p: _bits(p) == 16),
        "bits of mask": Rule("F037", ALL, "6.2.8", "a mask has more than one bit", _mask_bits),
        "ink": Rule("F032", ALL, SHOP, "{} has {:.0f} % ink", hint="at most {2:g} %: take a profile with less"),
        "no pixels": Rule("F037", ALL, "ISO 32000-1, 8.9.5", "{} has no pixels"),
        "damaged": Rule("F001", ALL, "ISO 32000-1, 7.4", "the data of {} are damaged"),
        "data": Rule("F037", ALL, "ISO 32000-1, 8.9.3", "{} has {} of the {} bytes that its pixels take"),
        "channels": Rule("F037", ALL, "ISO 32000-1, 8.9.5", "{} has {} components, and its color space has {}"),
    },
    "inline picture": {
        "smooth": Rule("F037", ARCHIVE, "6.2.8", "{1} is to be smoothed by whoever shows it", _is_on("Interpolate")),
        "LZW": Rule("F052", ALL, "6.1.10", "{1} is packed with LZW", _is_lzw, "pack it with Flate"),
    },
    "font": {
        "elsewhere": Rule(
            "F042", ALL, "6.2.11.4.1", "the font `{}` is not embedded", hint="another is printed instead"
        ),
        "unused": Rule("F042", ALL, SHOP, "the font `{}` is not embedded, and nothing is set in it", severity=WARNING),
        "cut off": Rule("F042", ALL, "6.2.11.2", "the program of the font `{}` is cut off: its end is missing"),
        "unread": Rule("F042", ALL, "6.2.11.2", "the program of the font `{}` cannot be read", severity=UNSURE),
        "missing": Rule("F042", ARCHIVE, "6.2.11.8", "texts show glyphs that the font `{}` lacks: code {}", hint=_BOX),
        "lost": Rule(
            "F042", PRESS, SHOP, "texts show glyphs that the font `{}` lacks: code {}", hint=_BOX, severity=WARNING
        ),
        "no widths": Rule("F042", ARCHIVE, "6.2.11.2", "the font `{}` has no widths in the file: `Widths`"),
        "widths": Rule("F042", ARCHIVE, "6.2.11.5", "code {1:#x} of the font `{0}` is {2:.0f} wide, not {3:.0f}"),
        "no glyph map": Rule("F042", ARCHIVE, "6.2.11.3.2", "the font `{}` does not map its glyphs: `CIDToGIDMap`"),
        "no direction": Rule("F042", ARCHIVE, "6.2.11.3.3", "the map of the font `{}` has no direction: `WMode`"),
        "no map": Rule("F042", ARCHIVE, "6.2.11.3.3", "the character map of the font `{}` is not in the file: `{}`"),
        "symbolic": Rule("F042", ARCHIVE, "6.2.11.6", "the font `{}` is symbolic and has an encoding"),
        "no symbols": Rule("F042", ARCHIVE, "6.2.11.6", "the font `{}` is symbolic, and has no map for symbols (3, 0)"),
        "encoding": Rule("F042", ARCHIVE, "6.2.11.6", "the font `{}` is neither in WinAnsi nor in MacRoman"),
        "names": Rule("F042", ARCHIVE, "6.2.11.6", "the font `{}` names glyphs that nobody knows"),
    },
}

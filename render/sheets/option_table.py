"""The table of sheet options: name, reader, writer and help of each.

An option has one name, in `sheet:` of a set and on the command line, where `_` becomes `-`; both are made from
`OPTIONS`. Whatever one of them can say, the other can, the default included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from typing import TypeVar
from unicodedata import normalize

from render.base.geometry import Flip, Size, parse_length
from render.base.sizes import CARDS, PAPERS, parse_card_size, parse_paper
from render.scene.proof_kinds import Proof
from render.sheets.options import (
    MAX_BLEED,
    Backs,
    Crop,
    Orientation,
    Registration,
    SheetOptions,
    Sides,
    Structure,
    Where,
)

MAX_MARGIN = 100.0  # mm: beyond, no card is left on any paper
MAX_SHEETS = 9999
LONGEST_DATE = 40

MIN_ART_DPI, MAX_ART_DPI = 150, 1200

AUTO = "auto"  # the program works the value out
ORIGINAL = "original"  # no limit
NO_PRINTER = "none"
SWITCH = "true|false"  # values of options that are on or off


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its name in a set, its reader (ValueError says what was expected), and its help.

    `values` are the forms of its value: words as they are written, placeholders in capitals (`MM`, `WxH`). `bounds`
    are those of a value that is one number.
    """

    key: str
    read: Callable[[str], object]
    values: str
    help: str
    bounds: tuple[float, float] = (0, inf)

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return "--" + self.key.replace("_", "-")

    @property
    def words(self) -> tuple[str, ...]:
        """Those of its values that are words."""
        return tuple(value for value in self.values.split("|") if value.islower())

    @property
    def default(self) -> str:
        """Its default value, as it would be written."""
        return written(getattr(_DEFAULTS, self.key))


def written(value: object) -> str:
    """Return an option's value as a set and the command line write it; its reader gives the same value."""
    match value:
        case None:
            return AUTO
        case float() if value == inf:
            return ORIGINAL
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case Size():
            return _NAMES.get(value) or written((value.width, value.height))
        case tuple():
            return "x".join(written(each) for each in value)
    return str(value).removesuffix(".0")  # `5.0` is written `5`


# --- how values are read --------------------------------------------------------------------------------------------

T = TypeVar("T")


def _one_of(meanings: Mapping[str, object]) -> Callable[[str], object]:
    *words, last = (f"`{word}`" for word in meanings)

    def read(text: str) -> object:
        if text not in meanings:
            raise _unexpected(f"{', '.join(words)} or {last}", text)
        return meanings[text]

    return read


def _length(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        with suppress(ValueError):
            length = parse_length(text)
            if least <= length <= most:
                return length
        raise _unexpected(f"{least:g} to {most:g} mm", text)

    return read


def _or_auto(read: Callable[[str], T]) -> Callable[[str], T | None]:
    return lambda text: None if text == AUTO else read(text)


def _grid(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"\s*([1-9][0-9]?)\s*[x×]\s*([1-9][0-9]?)\s*", text.lower())
    if match is None:
        raise _unexpected("columns x rows, such as `3x3`, or `auto`", text)
    return int(match[1]), int(match[2])


def _gutter(text: str) -> tuple[float, float]:
    across, cross, down = text.lower().replace("×", "x").partition("x")
    read = _length(0, MAX_MARGIN)
    try:
        return read(across), read(down if cross else across)
    except ValueError:
        raise _unexpected(f"0 to {MAX_MARGIN:g} mm, two such lengths as `2x3`, or `auto`", text) from None


def _bleed_from(text: str) -> str:
    """Return the source of bleed. The message quotes the color, since `#` begins a comment in YAML and in a shell."""
    if text in ("auto", "template", "mirror", "stretch") or re.fullmatch("#[0-9a-fA-F]{6}", text):
        return text.lower()
    error = _unexpected("`auto`, `template`, `mirror`, `stretch` or a color in quotes such as `'#800000'`", text)
    if text.startswith("#"):
        from render.layout.svg.css.colors import why_no_color

        error = ValueError(f"{error}: {why_no_color(text)}")
    raise error


def _date(text: str) -> str:
    words = normalize("NFC", text)  # as texts of sets are
    if len(words) > LONGEST_DATE or not words.isprintable():
        raise _unexpected(f"at most {LONGEST_DATE} characters in one line", text)
    from render.text.characters import flaws

    for flaw in flaws(words, "S", lines=False):
        raise ValueError(f"expected a line that can be printed: {flaw.message}")
    return words


def _printer(text: str) -> str:
    """Return a printer's name; "" for none. Whether it is calibrated here is asked when sheets are made."""
    if text.strip() in ("", NO_PRINTER):
        return ""
    from render.sheets.printer_names import clean_name

    try:
        return clean_name(text)
    except ValueError as error:
        raise ValueError(f"expected the name of a printer: {error}") from None


def _count(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise _unexpected(f"a whole number from 0 to {MAX_SHEETS}", text)
    return int(text)


def _dpi(text: str) -> float:
    if text == ORIGINAL:
        return inf
    if re.fullmatch("[0-9]{3,4}", text) and MIN_ART_DPI <= int(text) <= MAX_ART_DPI:
        return float(text)
    raise _unexpected(f"a whole number from {MIN_ART_DPI} to {MAX_ART_DPI}, or `{ORIGINAL}`", text)


_COMMA = re.compile(r"(?P<whole>[0-9]{1,3}),(?P<part>[0-9]{1,3})(?= ?(?:mm)?$)")


def _unexpected(wanted: str, text: str) -> ValueError:
    from render.base.findings import quoted

    point = _COMMA.sub(r"\g<whole>.\g<part>", text)
    hint = f": write {quoted(point)}, with a point" if point != text else ""
    return ValueError(f"expected {wanted}, found {quoted(text) if text.strip() else 'nothing'}{hint}")


# --- the options ----------------------------------------------------------------------------------------------------


def _size(key: str, read: Callable[[str], Size], named: Mapping[str, Size], words: str) -> Option:
    return Option(key, read, "|".join((*named, "WxH")), f"{words}{', '.join(named)}, or WxH in mm.")


def _mm(key: str, least: float, most: float, words: str) -> Option:
    return Option(key, _length(least, most), "MM", words, (least, most))


def _word(key: str, kind: type[Enum], words: str) -> Option:
    meanings = {member.value: member for member in kind}
    return Option(key, _one_of(meanings), "|".join(meanings), words)


def _standard(words: str) -> Option:
    """Return the option of the standard of sheets, which also knows it by the name that it has as a shop."""
    option = _word("standard", Structure, words)
    as_shops = {f"pdf-{member.value.replace('-', '')}": member.value for member in (Structure.X_1A, Structure.X_4)}

    def read(text: str) -> object:
        return option.read(as_shops.get(text, text))

    return replace(option, read=read)


def _truth(key: str, words: str) -> Option:
    return Option(key, _one_of({"true": True, "false": False}), SWITCH, words)


_BLEED_FROM = (
    "What bleed is made from: template, what the template draws beyond the trim; mirror or stretch, the edge of the "
    "card; a color; or auto, template if it reaches far enough, else mirror."
)

SECTIONS = {
    "Paper and grid": (
        _size("paper", parse_paper, PAPERS, "Paper size: "),
        _word(
            "orientation",
            Orientation,
            "Paper orientation: portrait or landscape; as-given keeps --paper as it is given, "
            "or for sheets to be folded turns it if it then holds more cards.",
        ),
        _size("card_size", parse_card_size, CARDS, "Trim size of the cards: "),
        Option(
            "grid", _or_auto(_grid), "CxR|auto", "Columns x rows of cards on a sheet; auto fits as many as possible."
        ),
        _mm("margin", 0, MAX_MARGIN, "Space left white along the edges of the paper."),
        Option(
            "gutter",
            _or_auto(_gutter),
            "MM|WxH|auto",
            "Space between cards, or between columns x between rows; auto leaves room for bleed.",
            (0, MAX_MARGIN),
        ),
    ),
    "Backs and bleed": (
        _word(
            "backs",
            Backs,
            "How backs are printed: duplex, behind the fronts; separate, in a second file; "
            "fold, beside the fronts; or none.",
        ),
        _truth("reverse_backs", "Reverse the pages of separate backs, for printers that stack pages face up."),
        _word("flip", Flip, "Edge on which the printer flips the paper: long-edge or short-edge."),
        Option(
            "printer",
            _printer,
            f"NAME|{NO_PRINTER}",
            "Apply this printer's correction to back pages, see `kotc calibrate`; none applies no correction.",
        ),
        _mm("bleed", 0, MAX_BLEED, f"Width of color beyond the trim, 0 to {MAX_BLEED:g}."),
        Option(
            "bleed_backs",
            _or_auto(_length(0, MAX_BLEED)),
            "MM|auto",
            "Bleed of the backs; auto is that of --bleed.",
            (0, MAX_BLEED),
        ),
        _word(
            "bleed_where",
            Where,
            "Where cards bleed: each, around every card; or block, only on the outside of the grid.",
        ),
        Option("bleed_from", _bleed_from, "auto|template|mirror|stretch|#RRGGBB", _BLEED_FROM),
    ),
    "Marks": (
        _word(
            "crop_marks",
            Crop,
            "Crop marks: edge, in the margins; corner, also at the corners of all cards; "
            "full, lines across the sheet; or off.",
        ),
        _mm("mark_length", 0.5, 20, "Length of crop marks."),
        _mm("mark_offset", 0, 20, "Gap between crop marks and the card or its bleed."),
        _mm("mark_line", 0.05, 1, "Stroke width of crop marks."),
        _word("mark_sides", Sides, "Pages with crop marks: fronts, backs or both."),
        _truth("ruler", "Print rulers, to check that the print was not scaled."),
        _truth("slug", "Print a line that names set, edition, sheet and side."),
        Option("date", _date, "TEXT", "Date, or other words, to print in the slug."),
    ),
    "Cutting, proofs and files": (
        _truth("cut_line", "Draw the cut as a magenta line, as a preview."),
        _mm("corner_radius", 0, 15, "Corner radius of the cut."),
        _word(
            "proof",
            Proof,
            "Kind of proof: low-ink, to play with; grey, with pale pictures; outline, to try the cut; or none.",
        ),
        _word("registration", Registration, "Registration marks for a cutting machine: silhouette or none."),
        Option("sheets_per_file", _count, "N", "Start a new PDF every N sheets; 0 = never split.", (0, MAX_SHEETS)),
        Option(
            "art_dpi",
            _dpi,
            f"N|{ORIGINAL}",
            "Highest resolution of pictures in dots per inch; original keeps all pixels.",
            (MIN_ART_DPI, MAX_ART_DPI),
        ),
    ),
    "For a press": (
        _standard("Make CMYK sheets for a print shop: x-1a or x-4 (PDF/X); none is for a home printer."),
        _truth("rich_black", "Print large black areas of CMYK files in four inks."),
    ),
}
"""All options by subject, in the order of the fields of `SheetOptions`."""

OPTIONS = tuple(option for section in SECTIONS.values() for option in section)
KEYS = tuple(option.key for option in OPTIONS)

_DEFAULTS = SheetOptions()
_NAMES = {size: name for name, size in (*PAPERS.items(), *CARDS.items())}

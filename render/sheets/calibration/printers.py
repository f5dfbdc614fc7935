"""The calibrations of printers, and the file `printers.yaml` of the user's configuration folder that has them by name."""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.files import replace_file, user_folder
from render.base.findings import Diagnostic, Refused, Severity, listed, printable, quoted
from render.base.geometry import Affine, Flip, Size
from render.base.patterns import regex
from render.base.sizes import PAPERS, parse_paper
from render.sheets.calibration.fit import correct_back, map_through
from render.sheets.imposition import fewer_printable, fit_grid, fit_printable, is_printable, nearest
from render.sheets.option_values import clean_name
from render.sheets.options import MIN_MARGIN, Backs, SheetOptions
from render.source import reader
from render.source.fields import fields_of
from render.source.file_kinds import FileKind
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence


class Calibration(Struct, frozen=True, kw_only=True):
    """The correction for a printer, and what it was measured for.

    `correction` is applied to all that is drawn on back pages: a map of the page, in mm from its top left as the back
    is seen, y down. `printer` is the name under which it is stored; `tray` is a note for people.
    """

    printer: str
    tray: str
    paper: Size
    flip: Flip
    correction: Affine
    confirmed: bool = False

    def check(self, paper: Size, flip: Flip) -> str | None:
        """Return why this does not suit sheets of that paper and flip; None if it does."""
        if max(abs(paper.width - self.paper.width), abs(paper.height - self.paper.height)) > 0.01:
            return f"`{self.printer}` was calibrated for paper of {self.paper}, not of {paper}"
        if flip is not self.flip:
            return f"`{self.printer}` was calibrated for flipping on the {self.flip.words}, not on the {flip.words}"
        return None

    @property
    def code(self) -> str:
        """Six characters that tell this correction from any other, printed on its check sheets."""
        state = (self.printer.casefold(), *self.correction, self.paper.width, self.paper.height, self.flip.value)
        return hashlib.sha256(repr(state).encode()).hexdigest()[:6]

    @property
    def lands(self) -> Affine:
        """Where the points of the back land according to the readings that the correction was made from."""
        return correct_back(self.correction, map_through(self.paper, self.flip))

    def refined(self, lands: Affine) -> Calibration:
        """Return the calibration, improved by where the back lands of a sheet printed with this one.

        The result is not confirmed yet.
        """
        further = correct_back(lands, map_through(self.paper, self.flip))
        return replace(self, correction=self.correction @ further, confirmed=False)

    @property
    def farthest(self) -> tuple[float, str]:
        """The largest distance in mm that the correction moves a corner of the paper, and that corner of the back."""
        width, height = self.paper.width, self.paper.height
        corners = {"top left": (0.0, 0.0), "bottom left": (0.0, height)}
        corners |= {"top right": (width, 0.0), "bottom right": (width, height)}
        return max((math.dist(self.correction.apply(*corner), corner), name) for name, corner in corners.items())

    def doubts(self, options: SheetOptions) -> Iterator[Diagnostic]:
        """Yield what is doubtful about sheets that are corrected so; ValueError if no card fits."""
        if not self.confirmed:
            message = (
                f"the correction of {quoted(self.printer)} is not confirmed: a slip in the readings can make it worse"
            )
            hint = f'`kotc calibrate --printer "{self.printer}"` prints the check sheet: type what you read on it'
            yield Diagnostic("R014", message, hint, Severity.WARNING)
        yield from self.doubts_of_edges(options)

    def doubts_of_edges(self, options: SheetOptions) -> Iterator[Diagnostic]:
        """Yield a warning if backs came too near to the edge: what was done, and what would help."""
        grid = fit_printable(options, self.correction)
        before = replace(fit_grid(options), correction=self.correction)
        length, edge, on_back = nearest(before)
        if is_printable(before) or not on_back:  # fronts have the margin that the user asked for
            return
        white = min(MIN_MARGIN, options.margin)
        limit = "that is off the paper" if white == 0 else f"{white:g} mm are to stay white"
        if white == MIN_MARGIN:
            limit = f"most printers leave {white:g} mm white"
        cards = f"for {quoted(self.printer)} the corrected backs of {before.columns} x {before.rows} cards"
        where = f"{_mm(abs(length))} mm {'beyond' if length < 0 else 'from'} the {edge} edge of the paper"
        done, hints = [], []
        if grid.count != before.count:
            done.append(f"there are {grid.columns} x {grid.rows} cards on a sheet instead")
        if any(grid.offset):
            ways = zip(grid.offset, (("to the right", "to the left"), ("down", "up")), strict=True)
            moved = " and ".join(f"{_mm(abs(by))} mm {words[by < 0]}" for by, words in ways if by)
            done.append(f"all cards, fronts and backs, are moved by {moved}")
        if done:
            kept = nearest(grid)[0]
            hints.append(f"{' and '.join(done)}, which leaves {_mm(kept) if kept >= 0 else 'no'} mm")
        if not is_printable(grid):
            hints.append("use larger paper, and calibrate the printer for it")
            if smaller := fewer_printable(before):
                option, kept = f"--grid {smaller.columns}x{smaller.rows}", nearest(smaller)[0]
                hints[-1] = f"use `{option}`, which leaves {_mm(kept)} mm, or larger paper"
        yield Diagnostic("I001", f"{cards} are printed {where}, and {limit}", "; ".join(hints), Severity.WARNING).at()


# --- sheets for a printer -------------------------------------------------------------------------------------------


def calibration_of(options: SheetOptions) -> Calibration | None:
    """Return the calibration for sheets; None if they name no printer, or have no back side to correct.

    ValueError if the printer is unknown here, or was calibrated for other sheets; Refused if the file of printers is
    damaged; OSError.
    """
    if not options.printer or options.backs in (Backs.FOLD, Backs.NONE):
        return None
    found = calibration(options.printer)
    if reason := found.check(options.page, options.flip):
        raise ValueError(reason)
    return found


def _mm(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".")


# --- printers by name -----------------------------------------------------------------------------------------------

FILE = "printers.yaml"
_EXAMPLES = {
    "tray": '"2"', "paper": "210x297", "flip": "long-edge", "correction": "[1, 0, 0, 1, 0.5, -0.2]", "confirmed": "true",
}  # fmt: skip
_MEND = "calibrate the printer again, or write it as the others are"

_NUMBER = regex(r"-?\d+(\.\d+)?(e-?\d+)?")
_MAX_SHIFT, _MAX_CHANGE = 50.0, 0.1  # mm at the paper's corner, and of 1: no printer is off by as much

_HEAD = """\
# How to make up for what printers do to the backs of sheets; written by `kotc calibrate`, shown by its option --list.
# A point (x, y) of the back, in mm from its top left, is drawn at (a x + c y + e, b x + d y + f).
"""


def folder() -> Path:
    """Return the configuration folder; OSError if this machine has no place for one."""
    given = os.environ.get("KOTC_CONFIG", "")
    if given:
        return Path(given)
    user = user_folder("config")
    if user is None:
        raise OSError("there is no home folder: set KOTC_CONFIG to the folder for the list of printers")
    return user / "kotc"


def calibrations() -> list[Calibration]:
    """Return all calibrations, in the order of the printers' names; Refused if the file is damaged."""
    file = folder() / FILE
    return _read(file) if file.exists() else []


def existing(name: str) -> Calibration | None:
    """Return the calibration of that name, ignoring capitals; None if there is none.

    ValueError if it is not an allowed name; Refused if the file is damaged; OSError if there is no place for it.
    """
    wanted = clean_name(name).casefold()
    return next((one for one in calibrations() if one.printer.casefold() == wanted), None)


def calibration(name: str) -> Calibration:
    """Return the calibration of a printer, as `existing` does; ValueError with the known names if there is none."""
    if found := existing(name):
        return found
    message = f"there is no printer {quoted(clean_name(name))}"
    known = {one.printer.casefold(): one.printer for one in calibrations()}
    if not known:
        raise ValueError(f"{message}: none is calibrated yet, `kotc calibrate` does that")
    near = difflib.get_close_matches(clean_name(name).casefold(), known, 1)
    hint = f"did you mean `{known[near[0]]}`?" if near else f"there is {listed([*known.values()], 'and')}"
    raise ValueError(f"{message}: {hint}")


def keep(new: Calibration) -> Path:
    """Store a calibration in place of the printer's former one, and return the file.

    ValueError if no printer can be off by as much, Refused if the file is damaged, OSError if it cannot be written.
    """
    _check_size(new)
    return _write([*(one for one in calibrations() if one.printer.casefold() != new.printer.casefold()), new])


def remove(name: str) -> str:
    """Remove a printer and return its stored name; ValueError with the known names if there is none."""
    gone = calibration(name)
    _write([one for one in calibrations() if one != gone])
    return gone.printer


# --- the file -------------------------------------------------------------------------------------------------------


def _write(calibrations: list[Calibration]) -> Path:
    file, text = folder() / FILE, ""
    for one in sorted(calibrations, key=lambda one: (one.printer.casefold(), one.printer)):
        # A JSON string is a YAML string in double quotes.
        printer, tray = (json.dumps(words, ensure_ascii=False) for words in (one.printer, one.tray))
        text += (
            f"{printer}:\n"
            f"  tray: {tray}\n"
            f"  paper: {one.paper.width:.10g}x{one.paper.height:.10g}\n"
            f"  flip: {one.flip.value}\n"
            f"  correction: [{', '.join(map(repr, one.correction))}]\n"
            f"  confirmed: {str(one.confirmed).lower()}\n"
        )
    replace_file(file, (_HEAD + (text or "{}\n")).encode())
    return file


def _read(file: Path) -> list[Calibration]:
    try:
        document = reader.read(file)
    except Refused as error:  # examples of cards do not suit this file
        again = "remove the file, and calibrate your printers again"
        unsuited = [one.code == "Y006" or "cards/reference/yaml.md" in one.hint for one in error.findings]
        found = zip(error.findings, unsuited, strict=True)
        raise Refused(replace(one, hint=again if is_unsuited else one.hint) for one, is_unsuited in found) from None
    if not isinstance(document.root, Mapping):
        problem = Diagnostic("R001", "expected printers by their names", _MEND)
        raise Refused([problem.at(document.span(document.root))])
    return [_printer(document, name, node) for name, node in document.root.entries]


def _printer(document: Document, name: Scalar, node: Node) -> Calibration:
    """Return the calibration that an entry of the file holds; Refused with all that is wrong with it."""
    fields = fields_of(FileKind("R", "printer", _EXAMPLES), document, node, f"{printable(name.value)}.")
    fields.check_keys(_EXAMPLES)
    # In files from before corrections were confirmed, none is.
    is_given = {key: fields.given(key) for key in _EXAMPLES if key != "confirmed"}
    paper = fields.read("paper", parse_paper, "a size such as `210x297`") if is_given["paper"] else None
    numbers = fields.values.get("correction")
    correction = Affine()
    written = (
        [item.value for item in numbers.items if isinstance(item, Scalar)] if isinstance(numbers, Sequence) else []
    )
    if len(written) == 6 and all(map(_NUMBER.fullmatch, written)):
        correction = Affine(*map(float, written))
    elif is_given["correction"]:
        fields.expected("correction", "six numbers in brackets", _MEND)
    made = Calibration(
        printer=name.value,
        tray=(fields.read("tray", str) if is_given["tray"] else None) or "",
        paper=paper or PAPERS["a4"],
        flip=fields.choice("flip", Flip.LONG_EDGE),
        correction=correction,
        confirmed=fields.truth("confirmed", default=False),
    )
    try:
        made = replace(made, printer=clean_name(name.value))
    except ValueError as error:
        fields.note("007", str(error), fields.document.span(name), _MEND)
    try:
        _check_size(made)
    except ValueError as error:
        fields.note("007", str(error), fields.place("correction"), _MEND, "correction")
    if fields.findings:
        raise Refused(fields.findings)
    return made


def _check_size(one: Calibration) -> None:
    """Raise ValueError if no printer is off by as much, so that the numbers must be wrong."""
    at = one.correction
    if max(abs(at.a - 1), abs(at.b), abs(at.c), abs(at.d - 1)) > _MAX_CHANGE or one.farthest[0] > _MAX_SHIFT:
        raise ValueError(f"it would move the back by {one.farthest[0]:.3g} mm, and no printer is off by so much")

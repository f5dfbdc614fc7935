"""The calibrations of printers, by name, in the file `printers.yaml` of the user's configuration folder."""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

from render.base.files import replace_file
from render.base.findings import Diagnostic, Refused, listed, printable, quoted
from render.base.geometry import Affine, Flip
from render.base.sizes import PAPERS, parse_paper
from render.sheets.calibration.fit import Calibration
from render.sheets.option_values import clean_name
from render.source import reader
from render.source.fields import Fields, fields_of
from render.source.file_kinds import FileKind
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence

FILE = "printers.yaml"
_PRINTER = FileKind(
    "R",
    "printer",
    {
        "tray": '"2"', "paper": "210x297", "flip": "long-edge", "correction": "[1, 0, 0, 1, 0.5, -0.2]",
        "confirmed": "true",
    },
)  # fmt: skip
_MEND = "calibrate the printer again, or write it as the others are"
NEEDED = ("tray", "paper", "flip", "correction")  # in files from before corrections were confirmed, none is

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
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
    if sys.platform == "win32" and os.environ.get("APPDATA"):
        return Path(os.environ["APPDATA"]) / "kotc"
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if Path(base).is_absolute():  # a relative path must be ignored (XDG Base Directory Specification)
        return Path(base) / "kotc"
    home = Path("~").expanduser()
    if not home.is_absolute():
        raise OSError("there is no home folder: set KOTC_CONFIG to the folder for the list of printers")
    return home / ".config" / "kotc"


def clean_tray(text: str) -> str:
    """Return the note about a tray as it is stored; ValueError if it is not allowed."""
    return clean_name(text) if text.strip() else ""


def calibration(name: str) -> Calibration:
    """Return the calibration of a printer, ignoring capitals; ValueError with the known names if there is none.

    Refused if the file is damaged; OSError if there is no place for it.
    """
    known = calibrations()
    found = _named(known, clean_name(name))
    if found is None:
        raise ValueError(_unknown(name, [one.printer for one in known]))
    return found


def calibrations() -> list[Calibration]:
    """Return all calibrations, in the order of the printers' names; Refused if the file is damaged."""
    file = folder() / FILE
    return _read(file) if file.exists() else []


def existing(name: str) -> Calibration | None:
    """Return the calibration of that name; None if there is none; ValueError if it is not an allowed name."""
    return _named(calibrations(), clean_name(name))


def keep(new: Calibration) -> Path:
    """Store a calibration in place of the printer's former one, and return the file.

    ValueError if no printer can be off by as much, Refused if the file is damaged, OSError if it cannot be written.
    """
    return _write([*(one for one in calibrations() if not _is(one, new.printer)), _sound(new)])


def remove(name: str) -> str:
    """Remove a printer and return its stored name; ValueError with the known names if there is none."""
    gone = calibration(name)
    _write([one for one in calibrations() if one != gone])
    return gone.printer


def _named(known: list[Calibration], name: str) -> Calibration | None:
    return next((one for one in known if _is(one, name)), None)


def _is(one: Calibration, name: str) -> bool:
    return one.printer.casefold() == name.casefold()


def _unknown(name: str, known: list[str]) -> str:
    message = f"there is no printer {quoted(name)}"
    if not known:
        return f"{message}: none is calibrated yet, `kotc calibrate` does that"
    near = difflib.get_close_matches(name.casefold(), [other.casefold() for other in known], 1)
    known_names = listed(known, "and")
    meant = next((other for other in known if other.casefold() in near), None)
    return f"{message}: {f'did you mean `{meant}`?' if meant else f'there is {known_names}'}"


# --- the file -------------------------------------------------------------------------------------------------------


def _write(all_of_them: list[Calibration]) -> Path:
    file = folder() / FILE
    in_order = sorted(all_of_them, key=lambda one: (one.printer.casefold(), one.printer))
    text = _HEAD + ("".join(map(_entry, in_order)) or "{}\n")
    replace_file(file, text.encode())
    return file


def _entry(one: Calibration) -> str:
    at = one.correction
    numbers = ", ".join(map(repr, (at.a, at.b, at.c, at.d, at.e, at.f)))
    return (
        f"{_quoted(one.printer)}:\n"
        f"  tray: {_quoted(one.tray)}\n"
        f"  paper: {one.paper.width:.10g}x{one.paper.height:.10g}\n"
        f"  flip: {one.flip.value}\n"
        f"  correction: [{numbers}]\n"
        f"  confirmed: {str(one.confirmed).lower()}\n"
    )


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)  # a JSON string is a YAML string in double quotes


def _read(file: Path) -> list[Calibration]:
    try:
        document = reader.read(file)
    except Refused as error:
        raise Refused([replace(one, hint=_mend(one)) for one in error.findings]) from None
    if not isinstance(document.root, Mapping):
        problem = Diagnostic("R001", "expected printers by their names", _MEND)
        raise Refused([problem.at(document.span(document.root))])
    return [_printer(document, name, node) for name, node in document.root.entries]


def _mend(finding: Diagnostic) -> str:
    """Return the hint of a finding; examples of cards do not suit this file."""
    if finding.code == "Y006" or "cards/README.md" in finding.hint:
        return "remove the file, and calibrate your printers again"
    return finding.hint


def _printer(document: Document, name: Scalar, node: Node) -> Calibration:
    """Return the calibration that an entry of the file holds; Refused with all that is wrong with it."""
    fields = fields_of(_PRINTER, document, node, f"{printable(name.value)}.")
    fields.check_keys(_PRINTER.examples)
    given = [key for key in NEEDED if fields.given(key)]
    paper = fields.read("paper", parse_paper, "a size such as `210x297`") if "paper" in given else None
    tray = fields.read("tray", str) if "tray" in given else None
    correction = _correction(fields)
    made = Calibration(
        printer=_name(fields, name),
        tray=tray or "",
        paper=paper or PAPERS["a4"],
        flip=fields.choice("flip", Flip.LONG_EDGE),
        correction=correction or Affine(),
        confirmed=fields.truth("confirmed", default=False),
    )
    try:
        _sound(made)
    except ValueError as error:
        fields.note("007", str(error), fields.place("correction"), _MEND, "correction")
    if fields.findings:
        raise Refused(fields.findings)
    return made


def _name(fields: Fields, name: Scalar) -> str:
    try:
        return clean_name(name.value)
    except ValueError as error:
        fields.note("007", str(error), fields.document.span(name), _MEND)
        return ""


def _correction(fields: Fields) -> Affine | None:
    node = fields.values.get("correction")
    numbers = [item.value for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
    if node is None or (len(numbers) == 6 and all(map(_NUMBER.fullmatch, numbers))):
        return Affine(*map(float, numbers)) if node else None
    fields.expected("correction", "six numbers in brackets", _MEND)
    return None


def _sound(one: Calibration) -> Calibration:
    """Return the calibration; ValueError if no printer is off by as much, so that the numbers must be wrong."""
    at = one.correction
    if max(abs(at.a - 1), abs(at.b), abs(at.c), abs(at.d - 1)) > _MAX_CHANGE or one.farthest[0] > _MAX_SHIFT:
        raise ValueError(f"it would move the back by {one.farthest[0]:.3g} mm, and no printer is off by so much")
    return one

"""Sheets for a press: pages in its inks, structured by a standard, and checked before they are written."""

from __future__ import annotations

from collections.abc import Sequence

from render.base.findings import Refused, has_errors
from render.base.progress import stage
from render.images import inks
from render.images.press import Press
from render.layout.press import PressLook
from render.pdf import document
from render.pdf.standards import STANDARDS, OutputIntent, Standard, add_structure
from render.sheets.options import SheetOptions
from render.shops.preflight.document import Demands, preflight
from render.shops.profiles import presses


def press() -> Press:
    """Return the printing condition for sheets: the first one in `shops.yaml`."""
    return next(iter(presses().values()))


def standard_of(options: SheetOptions) -> Standard:
    """Return the standard of sheets for a press."""
    return STANDARDS[options.standard.value]


def look(options: SheetOptions) -> PressLook:
    """Return how faces on sheets for a press are inked."""
    return PressLook(press(), options.rich_black, standard_of(options).transparency)


def structured(
    pages: Sequence[document.Page | document.DrawnPage], options: document.PdfOptions, standard: Standard
) -> bytes:
    """Return the pages as a PDF of that standard, in the inks of the press, or else in sRGB."""
    press = options.press
    profile, condition = (press.profile, press.condition) if press else ("sRGB2014.icc", "sRGB")
    intent = OutputIntent(condition, inks.profile_bytes(profile))
    data = document.write(pages, options)
    with stage("pack", 0):
        return add_structure(data, standard, intent, options.title)


def written(
    pages: Sequence[document.Page | document.DrawnPage], options: document.PdfOptions, standard: Standard
) -> bytes:
    """Return what `structured` does; Refused with what preflight finds wrong."""
    data = structured(pages, options, standard)
    # A shop would find the same, but only after it was sent the file.
    limit = options.press.ink_limit if options.press else None
    with stage("check", 0):
        problems = preflight(data, Demands(standard=standard, ink_limit=limit))
    if has_errors(problems):
        raise Refused(problem.at() for problem in problems)
    return data

"""What is found while a face is laid out: mistakes of its template, of its card and of its fonts, each at its place."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

from render.base.findings import Finding, Problem, Refused, Severity, Span
from render.base.geometry import IDENTITY, Affine, Rect
from render.layout.drawable import MAX_DRAWN_DISTANCE, MAX_OVERHANG, Undrawable, check_box, overhang
from render.layout.style import WrongFace, WrongValue
from render.layout.templates.mistakes.wording import shorten_words
from render.layout.templates.rendering import Filled
from render.layout.templates.subset import element_name
from render.layout.templates.template import Template
from render.layout.text_element import box_of_line, overhanging
from render.text.fitting import FittedLine
from render.text.font_files.font_fault import FontFault

MAX_FINDINGS = 100  # of one face


class WalkFindings:
    """Collects what is found about the elements of a template, once it is filled in."""

    template: Template
    filled: Filled
    findings: list[Finding]
    doubts: list[Finding]  # warnings, with which the face is drawn all the same
    trim: Rect | None  # the face, of which a line may not hang out; None for an icon

    def wrong(self, element: ET.Element, error: WrongValue) -> None:
        """Note a value that an attribute cannot have."""
        name = f"`{error.attribute}` of `{error.element or element_name(element)}`"
        if not isinstance(error, WrongFace):
            self.note("T007", f"{name}: {shorten_words(str(error))}", element, error.attribute, error.hint)
        elif not element.get("id"):
            self.note("L007", str(error), element)
        elif len(self.findings) < MAX_FINDINGS:
            self.findings.append(self.finding(element, "L007", str(error)))

    def note_refused(self, element: ET.Element, error: Refused) -> None:
        """Note what is wrong with a file that an element names; what has a place of its own keeps it."""
        name = f"`href` of `{element_name(element)}`"
        for finding in error.findings:
            told = Problem(finding.code, f"{name}: {finding.message}", finding.hint)
            place = self.filled.place(element, "href")
            self.findings.append(self.filled.told(told, place) if finding.span is None else finding)

    def undrawable(self, element: ET.Element, error: Undrawable) -> None:
        """Note what cannot be drawn."""
        self.note("T011", f"`{element_name(element)}` {error}", element)

    def check_overhang(self, element: ET.Element, line: FittedLine, space: Affine) -> None:
        """Note a line that leaves the face by more than its bleed."""
        box = space.box(box_of_line(line))
        beyond = overhang(box, self.trim) if self.trim else 0.0
        if self.trim and beyond > MAX_OVERHANG:
            told = self.finding(element, *overhanging(element, line, space, beyond))
            on_card = box.shared(self.trim)
            if on_card.width <= 0 or on_card.height <= 0:
                told = replace(told, hint="move it: no part of it is on the card")
            self.doubts.append(replace(told, severity=Severity.WARNING))

    def note_font(self, fault: FontFault) -> None:
        """Note what is wrong with a font, at its file."""
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(fault.problem.at(Span(file=fault.file or self.template.file)))

    def note(self, code: str, message: str, element: ET.Element, attribute: str = "", hint: str = "") -> None:
        """Note a mistake of an element or of an attribute, unless there are many already."""
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(self.filled.told(Problem(code, message, hint), self.filled.place(element, attribute)))

    def finding(self, element: ET.Element, code: str, message: str, hint: str = "") -> Finding:
        """Return a finding about a text: of the card's key that its `id` names, or else of the template."""
        field = element.get("id", "")
        place = Span(file=self.template.file) if field else self.filled.place(element)
        return Problem(code, message, hint).at(place, field=field)


def check_line(line: FittedLine, space: Affine) -> None:
    """Check how far a line reaches, unless it plainly does not reach far; Undrawable."""
    x, y = line.setting.x, line.setting.baseline
    if space != IDENTITY or not abs(x) + abs(y) + line.length < MAX_DRAWN_DISTANCE:
        check_box(space.box(Rect(x, y, line.length, 0.0)))

"""Findings as corrections: what an editor writes where a finding names the text that mends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from render.base.findings import Finding, quoted
from render.lsp.answers import Correction
from render.lsp.sources.places import LineMap, Stretch

Edit = tuple[Stretch, str]


def corrections(findings: Iterable[Finding], lines: LineMap, wanted: Stretch) -> list[Correction]:
    """Return the corrections of the findings of one file that meet a stretch, and one for all of the file."""
    mended = [(finding, edit) for finding in findings if (edit := edit_of(finding, lines))]
    here = [(finding, edit) for finding, edit in mended if edit[0].meets(wanted)]
    found = [
        Correction(f"write {quoted(finding.instead)}", (finding.code,), (edit,))
        for finding, edit in dict.fromkeys(here)
    ]
    edits = tuple(without_overlaps(edit for _, edit in mended))
    if len(edits) > 1 or (edits and not found):
        codes = tuple(dict.fromkeys(finding.code for finding, _ in mended))
        found.append(Correction(f"correct all {len(edits)} in this file", codes, edits, for_file=True))
    return found


def edit_of(finding: Finding, lines: LineMap) -> Edit | None:
    """Return the edit that mends a finding; None if it names none, or no words of the file."""
    span = finding.span
    if not finding.instead or span is None or (span.line, span.column) == (span.end_line, span.end_column):
        return None
    stretch = lines.of_span(span)
    now = lines.text[lines.offset(stretch.start) : lines.offset(stretch.end)]
    return (stretch, finding.instead) if now and now != finding.instead else None


def without_overlaps(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield edits in order, without those that overlap one before."""
    end = None
    for edit in sorted(set(edits)):
        if end is None or edit[0].start >= end:
            yield edit
            end = edit[0].end

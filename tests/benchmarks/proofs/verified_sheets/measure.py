"""How well `kotc verify` judges: every row of `measure.txt`, the sound files of `sound`, the bugs of `sheet_bugs`.

`python tests/benchmarks/prove.py verified_sheets.measure [--only WORD] [--set]` prints a line for each: what is
expected, what came of it, and how long it took; then sums. With `--set`, what is to be found in a file alone is also
judged with the cards.
It exits with 1 if a row is not as it should be and is not listed as awaited, or is and is listed.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pypdfium2
from pikepdf import Pdf

from proofs.verified_sheets import card_faults, face_faults, faults, file_faults
from proofs.verified_sheets.sheet_bugs import BUGS, written_with
from proofs.verified_sheets.sound import CMYK, GHOSTSCRIPT, Sound, saved_by
from proofs.verified_sheets.sound import TABLE as SOUND
from proofs.verified_sheets.whole_sheets import GARDEN_OPTIONS, Sheets, garden, printed, sheets
from tests.support.sheet_files import unfolded, verified

TABLE = Path(__file__).parent / "measure.txt"


class Row(NamedTuple):
    """A fault: where it is seen, into which sheets it is put, how it is found, and by which codes (any, if none)."""

    name: str
    kind: str
    sheets: str
    needs_set: bool
    codes: frozenset[str]
    in_sample: bool

    @property
    def title(self) -> str:
        """What it is called where it is awaited."""
        return f"{self.name}, {self.sheets}"


@cache
def rows() -> tuple[Row, ...]:
    return tuple(_rows())


def _rows() -> Iterator[Row]:
    for line in _section("faults"):
        name, kind, on, needs, codes, *marks = [cell.strip() for cell in line.split("|")]
        yield Row(name, kind, on, needs == "set", frozenset(codes.split()), "sample" in marks)


def _section(title: str) -> list[str]:
    text = TABLE.read_text(encoding="utf-8").split(f"== {title} ==\n")[1].split("\n== ")[0]
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@cache
def awaited() -> frozenset[str]:
    """The names of rows that are known not to be as they should be yet."""
    return frozenset(line.strip() for line in _section("awaited"))


# --- a fault --------------------------------------------------------------------------------------------------------


def faulty(row: Row) -> Sheets:
    """Return sheets with this fault."""
    if hasattr(card_faults, row.name):
        return _of_other_cards(row)
    name, _, number = row.sheets.partition("/")
    whole = sheets(name)
    changed = list(whole.files)[int(number or 1) - 1]
    return whole._replace(files={**whole.files, changed: seeded(row.name, whole.files[changed])})


def _of_other_cards(row: Row) -> Sheets:
    with tempfile.TemporaryDirectory() as home:
        other = shutil.copytree(garden(), Path(home) / "garden")
        getattr(card_faults, row.name)(other)
        return Sheets(printed(other, *GARDEN_OPTIONS[row.sheets]), garden())


def seeded(name: str, data: bytes) -> bytes:
    """Return a file with a fault."""
    change = next(getattr(module, name) for module in (faults, face_faults, file_faults) if hasattr(module, name))
    out = io.BytesIO()
    with Pdf.open(io.BytesIO(data)) as pdf:
        unfolded(pdf)
        options: dict[str, Any] = dict(change(pdf) or {})
        kept = options.pop("kept", 1.0)
        pdf.save(out, **options)
    return out.getvalue()[: round(len(out.getvalue()) * kept)]


class Judged(NamedTuple):
    """What `kotc verify` says of files: the codes and messages of what it found, and the rest."""

    found: list[tuple[str, str]]
    exit_code: int
    said: str


def judge(whole: Sheets, *, with_set: bool) -> Judged:
    """Judge files in a folder of their own."""
    with tempfile.TemporaryDirectory() as home:
        for name, data in whole.files.items():
            (Path(home) / name).write_bytes(data)
        files = [Path(home) / name for name in whole.files]
        held_to = ("--set", whole.folder) if with_set else ()
        result = verified(*files, *held_to, "--format", "json")
    found = [(row["code"], row["message"]) for row in json.loads(result.stdout or "[]")]
    return Judged(found, result.exit_code, result.stderr)


# --- what is harmless -------------------------------------------------------------------------------------------------

DPI = 600


def alters_paper(one: bytes, other: bytes, password: str = "") -> str:
    """Return in which state which page has other pixels at 600 dpi, as PDFium draws it; "" if none has."""
    with pypdfium2.PdfDocument(one) as first, pypdfium2.PdfDocument(other) as second:
        if len(first) != len(second):
            return f"{len(second)} pages, not {len(first)}"
        for number in range(len(first)):
            for state in (None, "print"):
                drawn = (
                    page.render(scale=DPI / 72, optimize_mode=state, no_smoothtext=False).to_numpy()
                    for page in (first[number], second[number])
                )
                here, there = drawn
                if here.shape != there.shape or not np.array_equal(here, there):
                    return f"page {number + 1} {'in print' if state else 'on the screen'}"
    return ""


# --- the driver -------------------------------------------------------------------------------------------------------


def outcome(row: Row, *, with_set: bool | None = None) -> str:
    """Return why a fault is not judged as it should be; "" if it is."""
    made = faulty(row)
    if row.kind == "harmless":
        whole = sheets(row.sheets)
        altered = [alters_paper(seeded("nothing", whole.files[name]), data) for name, data in made.files.items()]
        return f"is not harmless: {'; '.join(filter(None, altered))}" if any(altered) else ""
    judged = judge(made, with_set=row.needs_set if with_set is None else with_set)
    codes = {code for code, _ in judged.found}
    if judged.exit_code != 1 or not codes:
        return "not found"
    if row.codes and not row.codes & codes:
        return f"found as {' '.join(sorted(codes))}: {judged.found[0][1]}"
    return ""


def outcome_of_sound(sound: Sound) -> str:
    """Return why a sound file is not judged as it should be; "" if it is.

    One that lost what kotc says of it is held to its cards; without them it is not called right in all.
    """
    whole = sound.make()
    for with_set in (True, False) if sound.has_notes else (True,):
        judged = judge(whole, with_set=with_set)
        if judged.exit_code or judged.found:
            how = "with its cards" if with_set else "alone"
            return f"is refused {how}: {'; '.join(message for _, message in judged.found[:2])}"
    return ""


LOST: dict[tuple[str, str], tuple[str, ...]] = {
    ("letter_for_another", "garden"): (),
    ("letter_for_another", "garden x-4"): ("-dPDFSETTINGS=/prepress",),
    ("comma_lost", "garden"): CMYK,
    ("hue_of_a_name", "garden"): ("-dPDFSETTINGS=/prepress",),
    ("copy_too_few", "garden"): CMYK,
    ("glyph_for_another", "few"): (),
    ("missing", "few"): (),
}
"""Faults, and the sheets that have them, which are found after Ghostscript dropped what the file is to be, with options."""


def outcome_of_lost(name: str, of: str) -> str:
    """Return why a fault in a file that lost what it is to be is not found; "" if it is."""
    whole = sheets(of)
    (file, data), *_ = whole.files.items()
    judged = judge(
        whole._replace(files={file: saved_by((*GHOSTSCRIPT, *LOST[name, of], "IN"), seeded(name, data))}), with_set=True
    )
    codes = {code for code, _ in judged.found}
    return "" if judged.exit_code == 1 and codes and codes <= {"Q080", "Q090"} else f"found as {sorted(codes)}"


def outcome_of_bug(name: str) -> str:
    """Return why a bug of `render.sheets` is not found; "" if it is."""
    judged = judge(written_with(name), with_set=BUGS[name].needs_set)
    return "" if judged.exit_code == 1 and judged.found else "not found"


def trials(*, with_set: bool = False) -> Iterator[tuple[str, str, Callable[[], str]]]:
    """Yield the kind and title of every row, and what tells why it is not as it should be."""
    for row in rows():
        yield row.kind, row.title, partial(outcome, row, with_set=with_set or None)
    for sound in SOUND:
        if sound.is_missing:
            print(f"sound: {sound.name}: not judged: there is no {sound.program}")
        else:
            yield "sound", sound.name, partial(outcome_of_sound, sound)
    for name, of in LOST if shutil.which("gs") else ():
        yield "lost", f"{name}, {of}", partial(outcome_of_lost, name, of)
    for name in BUGS:
        yield "bug", name, partial(outcome_of_bug, name)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python tests/benchmarks/prove.py verified_sheets.measure", description=__doc__
    )
    parser.add_argument("--only", default="", metavar="WORD", help="rows in which this word occurs")
    parser.add_argument("--set", action="store_true", help="hold every file to its cards")
    asked = parser.parse_args()
    sums: Counter[tuple[str, str]] = Counter()
    for kind, title, judge_it in trials(with_set=asked.set):
        if asked.only not in f"{kind}: {title}":
            continue
        start = time.process_time()
        why = judge_it()
        got = "awaited" if why and title in awaited() else "WRONG" if why or title in awaited() else "right"
        why = why or ("is named under `awaited`, and judged as it should be" if got == "WRONG" else "")
        sums[kind, got] += 1
        print(f"{kind}: {title}: {got}, {time.process_time() - start:.2f} s{': ' if why else ''}{why}", flush=True)
    for (kind, got), number in sorted(sums.items()):
        print(f"{number} {kind}: {got}")
    return int(any(got == "WRONG" for _, got in sums))


if __name__ == "__main__":
    sys.exit(main())

"""Official cards beside what kotc makes of their GIMP files: how much a card differs, and where its lines end.

    python -m tests.support.official_cards FOLDER

prints a table of all cards in the folder: each `NAME.xcf` beside its published `NAME.png` of 1200 x 1600 pixels, in
whose middle the card of 1000 x 1400 lies.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import render
from render.game.faces import lay_out_valid
from render.scene.items import TextRun, walk
from tests.support import rasters
from tests.support.rasters import Pixels

Mask = NDArray[np.bool_]

MAX_DIFFERENCE = 1.5  # of 255: the mean difference outside picture, ability text and flavor
_SAME_WORD = 6  # pixels: letters snap to pixels; another word differs by more

ZONES = {
    "art": np.s_[170:730, 50:950],
    "text": np.s_[780:1070, 110:890],
    "flavor": np.s_[1259:1340, 70:930],
}
"""The boxes of the authors' template, in pixels of the card."""

_MM = 63.5 / 1000  # of a pixel


@dataclass(frozen=True)
class Beside:
    """An official card and ours: the mean difference of the frame, and the lines of `text` and `flavor` that differ."""

    name: str
    difference: float
    text: tuple[str, ...]
    flavor: tuple[str, ...]


def compare(files: Sequence[Path], folder: Path) -> Iterator[Beside]:
    """Import the GIMP files into a folder, and yield how each card differs from the PNG beside its file."""
    report = render.import_cards(files, folder / "cards")
    return beside_files(folder / "cards", {each.card: each.source.with_suffix(".png") for each in report.cards})


def beside_files(folder: Path, published: Mapping[str, Path]) -> Iterator[Beside]:
    """Draw the cards of a set that fit, and yield how each differs from its published picture, by the card's id."""
    (card_set,) = render.load_sets(folder)
    for faces in lay_out_valid(card_set):
        file = published[faces.card.id]
        with Image.open(file) as opened:
            theirs = rasters.pixels(opened)[100:-100, 100:-100]
        ours = rasters.png(render.draw_png(faces.front, dpi=400))
        runs = [item for item in walk(faces.front.items) if isinstance(item, TextRun)]
        wrong = {zone: tuple(_other_lines(zone, runs, ours, theirs)) for zone in ("text", "flavor")}
        yield Beside(file.stem, frame_difference(ours, theirs), wrong["text"], wrong["flavor"])


def frame_difference(ours: Pixels, theirs: Pixels) -> float:
    """Return the mean difference of two cards outside the boxes of their words and picture."""
    difference = np.abs(ours - theirs).mean(axis=2)
    for zone in ZONES.values():
        difference[zone] = np.nan
    return float(np.nanmean(difference))


def _other_lines(zone: str, runs: Sequence[TextRun], ours: Pixels, theirs: Pixels) -> Iterator[str]:
    """Yield the lines of ours that are not those of the official card: in words, and in the width of each word."""
    said = _lines_of(zone, runs)
    mine, wanted = (rasters.darkest(pixels[ZONES[zone]]) < 128 for pixels in (ours, theirs))
    rows, other_rows = list(rasters.lines(mine)), list(rasters.lines(wanted))
    if not len(said) == len(rows) == len(other_rows):
        yield f"{len(said)} lines, drawn {len(rows)}, and {len(other_rows)} on the official card"
        return
    for words, row, other in zip(said, rows, other_rows, strict=True):
        widths, other_widths = (
            _word_widths(mask[line.top : line.bottom + 1], len(words)) for mask, line in ((mine, row), (wanted, other))
        )
        if len(widths) != len(other_widths) or np.abs(widths - other_widths).max() > _SAME_WORD:
            yield " ".join(words)


def _lines_of(zone: str, runs: Sequence[TextRun]) -> list[list[str]]:
    """Return the words of each line in a zone, by the baselines of the runs."""
    rows, columns = ZONES[zone]
    lines: dict[int, list[TextRun]] = {}
    for run in runs:
        x, y = run.transform.e / _MM, run.transform.f / _MM
        if rows.start < y < rows.stop + 10 and columns.start - 2 <= x < columns.stop:
            lines.setdefault(round(y), []).append(run)
    in_order = (
        [run.words for run in sorted(line, key=lambda run: run.transform.e)] for _, line in sorted(lines.items())
    )
    return ["".join(words).split() for words in in_order]


def _word_widths(line: Mask, count: int) -> NDArray[np.intp]:
    """Return the widths in pixels of so many words of a line: the widest gaps are those between words."""
    inked = np.flatnonzero(line.any(axis=0))
    gaps = np.diff(inked)
    ends = np.sort(np.argsort(-gaps, kind="stable")[: count - 1])
    starts = np.concatenate(([0], ends + 1))
    stops = np.concatenate((ends, [len(inked) - 1]))
    return np.asarray(inked[stops] - inked[starts])


def main() -> None:
    files = sorted(file for file in Path(sys.argv[1]).glob("*.xcf") if file.with_suffix(".png").exists())
    with tempfile.TemporaryDirectory() as folder:
        found = list(compare(files, Path(folder)))
    print(f"{'card':40} frame  text  flavor")
    bad = 0
    for card in found:
        bad += card.difference > MAX_DIFFERENCE or bool(card.text or card.flavor)
        lines = ("same" if not wrong else f"{len(wrong)} other" for wrong in (card.text, card.flavor))
        print(f"{card.name:40} {card.difference:5.2f}  {'  '.join(lines)}")
        for line in (*card.text, *card.flavor):
            print(f"    {line}")
    missing = sorted({file.stem for file in files} - {card.name for card in found})
    print(f"{len(found)} cards, {bad} that differ by more than {MAX_DIFFERENCE} of 255 or in a line")
    print(f"{len(missing)} that are not drawn: {', '.join(missing) or 'none'}")


if __name__ == "__main__":
    main()

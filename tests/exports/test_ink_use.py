"""`pdf --estimate-ink` says what a drawing of the finished pages shows."""

import re
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from tests.support.sets import kotc, write_set
from tests.support.templates import PLAIN_BACK

CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, art: a.png, copies: 7}
- {name: Two, kind: spell, level: 2, text: "Draw 1 card.", art: b.png, copies: 5}
"""
APART = 0.012  # of a page: rounding to whole per cent, and marks, which are not counted


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = write_set(tmp_path / "s", CARDS)
    (folder / "back.svg").write_text(PLAIN_BACK, encoding="utf-8")
    Image.new("RGB", (700, 430), "#0080ff").save(folder / "a.png")
    Image.linear_gradient("L").resize((700, 430)).save(folder / "b.png")
    return folder


def drawn_ink(file: Path) -> list[float]:
    """Return cyan, magenta, yellow and black of the average page, as PDFium draws it, edges in proportion."""
    pages = []
    for page in pypdfium2.PdfDocument(file):
        lack = 1 - np.asarray(page.render(scale=1).to_pil().convert("RGB"), np.float64) / 255
        black = lack.min(axis=2)
        pages.append([*(lack - black[:, :, None]).mean(axis=(0, 1)), black.mean()])
    return [float(share) for share in np.mean(pages, axis=0)]


def estimated(said: str) -> list[float]:
    """Return the same as the command says it."""
    (line,) = re.findall("ink on the average page: about (.*)", said)
    return [int(share) / 100 for share in re.findall(r"(\d+) %", line)]


@pytest.mark.parametrize(
    "asked",
    [
        (), ("--bleed", "3"), ("--paper", "letter", "--backs", "fold"), ("--backs", "none"), ("--proof", "grey"),
        ("--bleed", "3", "--bleed-where", "block", "--gutter", "0"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_estimate_is_what_the_pages_show(folder: Path, asked: tuple[str, ...]) -> None:
    result = kotc("pdf", folder, "--out", "s.pdf", "--estimate-ink", *asked)
    assert result.exit_code == 0, result.output
    assert estimated(result.stderr) == pytest.approx(drawn_ink(Path("s.pdf")), abs=APART)


def test_it_is_said_in_pages_of_text_and_leaves_the_file_as_it_is(folder: Path) -> None:
    assert "ink" not in kotc("pdf", folder, "--out", "plain.pdf").stderr
    said = kotc("pdf", folder, "--out", "s.pdf", "--estimate-ink").stderr
    assert Path("plain.pdf").read_bytes() == Path("s.pdf").read_bytes()
    (pages,) = re.findall(r"about as much as (\d+) pages of text", said)
    all_ink = sum(drawn_ink(Path("s.pdf"))) * len(pypdfium2.PdfDocument("s.pdf"))
    assert int(pages) == pytest.approx(all_ink / 0.05, rel=0.03)

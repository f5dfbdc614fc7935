"""A file is held against the gradients, opacity and clips that its cards ask for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

from render.scene import outlines as shapes
from render.scene.gradients import GradientStop
from render.scene.items import ClipShape, Item
from render.verify.faces.drawn import PageTracer
from render.verify.faces.painting import Painter
from render.verify.faces.scenes import expected_paint
from render.verify.likeness import unlike
from render.verify.reading import pdf_reading
from tests.pdf.test_gradients import FACES
from tests.support import painted_scenes as painted


def found(file: Path, wanted: tuple[Item, ...]) -> tuple[tuple[object, ...], str]:
    """Return what is odd about a file, and how its first face differs from what is wanted."""
    document = pdf_reading.read(file)
    page = document.pages[0]
    drawn = PageTracer().page(page)
    if drawn.oddities:
        return (*document.odd, *drawn.oddities), ""
    differs = unlike(Painter().painted(drawn.faces[0].body, page.resources), list(expected_paint(wanted)))
    return document.odd, differs[1] if differs else ""


def compared(tmp_path: Path, face: tuple[Item, ...], wanted: tuple[Item, ...]) -> str:
    (tmp_path / "face.pdf").write_bytes(painted.as_pdf(face))
    odd, differs = found(tmp_path / "face.pdf", wanted)
    assert odd == ()
    return differs


@pytest.mark.parametrize("face", FACES)
def test_what_was_written_is_proved(tmp_path: Path, face: str) -> None:
    assert compared(tmp_path, FACES[face], FACES[face]) == ""


FIRST, MIDDLE, LAST = painted.STOPS
COLOR = "a filled shape is drawn on it in another color than its card's"
SEEN = "something that is seen through is drawn on it with another opacity, clip or mask than its card's"


@pytest.mark.parametrize(
    ("face", "wanted", "difference"),
    [
        (
            painted.filled(painted.linear()),
            painted.filled(painted.linear((FIRST, GradientStop(0.5, (250, 240, 62)), LAST))),
            COLOR,
        ),
        (
            painted.filled(painted.linear()),
            painted.filled(painted.linear((FIRST, replace(MIDDLE, at=0.51), LAST))),
            "a filled shape is drawn on it 0.17 mm from where its card has it",
        ),
        (
            painted.filled(painted.linear(painted.FADING)),
            painted.filled(painted.linear((painted.FADING[0], replace(painted.FADING[1], opacity=0.1)))),
            COLOR,
        ),
        (painted.see_through(0.5), painted.see_through(0.55), SEEN),
        (
            painted.see_through(0.5),
            painted.see_through(1.0),
            "something that is seen through is drawn on it, and its card has none",
        ),
        (painted.see_through(0.5), painted.see_through(0.5, ClipShape(shapes.ellipse(14, 20, 9, 9))), SEEN),
        (painted.see_through(0.5), painted.see_through(0.5, ClipShape(painted.BLOB)), SEEN),
    ],
)
def test_a_difference_is_found(
    tmp_path: Path, face: tuple[Item, ...], wanted: tuple[Item, ...], difference: str
) -> None:
    assert compared(tmp_path, face, wanted) == difference


def changed(tmp_path: Path, face: tuple[Item, ...], kind: str, key: str, value: object) -> str:
    """Return all that is found in a file in which an entry of each object of a kind was changed."""
    file = tmp_path / "face.pdf"
    file.write_bytes(painted.as_pdf(face))
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        for each in pdf.objects:
            held = each if isinstance(each, pikepdf.Dictionary | pikepdf.Stream) else pikepdf.Dictionary()
            if held.get("/PatternType") == 2 and kind == "pattern":
                held.Shading[key] = value
            if held.get("/Type") == pikepdf.Name(f"/{kind}"):
                held[key] = value
        pdf.save(file)
    odd, differs = found(file, face)
    return " ".join([*map(str, odd), differs])


@pytest.mark.parametrize(
    ("kind", "key", "value", "said"),
    [
        ("ExtGState", "/ca", 0.25, "lines of another opacity"),
        ("ExtGState", "/BM", pikepdf.Name.Multiply, "`BM` in a graphics state of opacity"),
        ("pattern", "/Extend", [True, False], "a gradient of another kind"),
        ("pattern", "/Background", [1], "a gradient of another kind"),
        ("pattern", "/Coords", [3, 3, 20, 20], "a filled shape is drawn on it otherwise than its card says"),
    ],
)
def test_a_change_of_the_file_is_found(tmp_path: Path, kind: str, key: str, value: object, said: str) -> None:
    assert said in changed(tmp_path, painted.see_through(), kind, key, value)

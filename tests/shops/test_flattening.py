"""Files that may not have transparency: what is seen through is a picture, the rest stays text and shapes."""

import hashlib
import io
from pathlib import Path as FilePath

import numpy as np
import pikepdf
import pytest
from PIL import Image

from render.base.geometry import Edges, Rect, Size
from render.exports import press_files
from render.images.inks import gradient_inks
from render.layout.press import PressLook
from render.pdf.document import Page, PdfOptions
from render.pdf.standards import X_1A, X_4, Standard
from render.scene import outlines as shapes
from render.scene.gradients import GradientStop
from render.scene.items import Item, Layer, Path, Picture, Placement, Scene
from render.scene.proof_kinds import Proof
from render.scene.proofs import proof
from render.shops.flattening import flattened, inked_face
from render.shops.preflight.document import Demands, preflight
from tests.support import painted_scenes as painted
from tests.support import rasters

BLEED = 3.0
LABEL = Path(painted.BAR.outlines, (0, 0, 0))


def written(items: tuple[Item, ...], standard: Standard) -> bytes:
    press = press_files.press()
    look = PressLook(press, has_transparency=standard.transparency)
    face = inked_face(painted.scene(items), BLEED, "auto", look)
    box = face.size.rect.moved(BLEED, BLEED)
    size = Size(face.size.width + 2 * BLEED, face.size.height + 2 * BLEED)
    around = Edges(BLEED, BLEED, BLEED, BLEED)
    page = Page(
        size=size, placements=(Placement(face=face, box=box, bleed=around, name="a"),), trim=box, bleed=size.rect
    )
    return press_files.written([page], PdfOptions("A face", press=press), standard)


def cut_out(folder: FilePath) -> tuple[Item, ...]:
    """Return a picture of 1 cm2 over a bar, transparent but for a green square in its middle."""
    image = Image.new("RGBA", (300, 300))
    image.paste((20, 160, 60, 255), (100, 100, 200, 200))
    image.save(folder / "cut-out.png")
    digest = hashlib.sha256((folder / "cut-out.png").read_bytes()).hexdigest()
    box, whole = Rect(10, 15, 10, 10), Rect(0, 0, 1, 1)
    figure = Picture(file=folder / "cut-out.png", digest=digest, box=box, crop=whole, is_sheer=True)
    return painted.GROUND, painted.BAR, figure


def pictures(data: bytes) -> list[tuple[int, int]]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        return [(int(each.Width), int(each.Height)) for each in streams if each.get("/Subtype") == pikepdf.Name.Image]


@pytest.mark.parametrize("standard", [X_1A, X_4], ids=lambda standard: standard.name)
@pytest.mark.parametrize("face", ["fading", "see-through", "cut out", "opaque"])
def test_a_shop_finds_nothing_wrong(tmp_path: FilePath, face: str, standard: Standard) -> None:
    items = {
        "fading": painted.filled(painted.linear(painted.FADING)),
        "see-through": painted.see_through(),
        "cut out": cut_out(tmp_path),
        "opaque": painted.filled(painted.radial(spread="reflect")),
    }[face]
    demands = Demands(standard=standard, ink_limit=press_files.press().ink_limit)
    assert preflight(written(items, standard), demands) == []


def test_transparency_is_found_where_there_may_be_none() -> None:
    demands = Demands(standard=X_1A, ink_limit=press_files.press().ink_limit)
    found = [problem.message for problem in preflight(written(painted.see_through(), X_4), demands)]
    assert "page 1: a transparency group" in found
    assert "page 1: what is drawn is not opaque" in found


def test_only_what_is_seen_through_becomes_a_picture_of_600_dpi() -> None:
    left = Layer(items=(Path(painted.GROUND.outlines, (200, 0, 0)), LABEL), opacity=0.5, clips=())
    inside = Rect(2.54, 2.54, 2.54, 5.08)
    small = Layer(items=(Path(shapes.rect(inside.x, inside.y, inside.width, inside.height), (0, 0, 200)),), opacity=0.5)
    assert pictures(written((painted.GROUND, small, LABEL), X_1A)) == [(60, 120)]
    assert pictures(written((painted.GROUND, LABEL), X_1A)) == []
    assert len(pictures(written((painted.GROUND, left), X_1A))) == 1


def test_a_picture_that_a_later_one_covers_is_left_out() -> None:
    over = Layer(items=(Path(painted.GROUND.outlines, (0, 200, 0)),), opacity=0.2)
    assert len(pictures(written((*painted.see_through(), over), X_1A))) == 1


@pytest.mark.parametrize("face", ["see-through", "cut out"])
def test_the_flat_face_looks_as_the_face_does(tmp_path: FilePath, face: str) -> None:
    items = cut_out(tmp_path) if face == "cut out" else painted.see_through()
    assert painted.mean_difference(painted.as_png(items), painted.as_png(flattened(painted.scene(items)).items)) < 1.0


def test_a_cut_out_figure_keeps_its_mask_or_becomes_one_picture_with_its_ground(tmp_path: FilePath) -> None:
    assert pictures(written(cut_out(tmp_path), X_1A)) == [(237, 237)]
    assert sorted(pictures(written(cut_out(tmp_path), X_4))) == [(119, 119), (119, 119)]
    for standard in (X_1A, X_4):
        seen = rasters.page(written(cut_out(tmp_path), standard), 0, 100)
        places = (15, 20), (11, 16), (25, 30)
        figure, bar, ground = (
            seen[round((y + BLEED) * 100 / 25.4), round((x + BLEED) * 100 / 25.4)] for x, y in places
        )
        assert bar.max() < 70 < figure[1] - figure[0]
        assert ground.min() > 180


def test_grays_in_a_flat_part_are_black_ink_alone() -> None:
    gray = Layer(items=(LABEL,), opacity=0.5)
    data = written((Path(painted.GROUND.outlines, (255, 255, 255)), gray), X_1A)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        (image,) = [
            each
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == pikepdf.Name.Image
        ]
        pixels = np.asarray(pikepdf.PdfImage(image).as_pil_image())
    assert (pixels[..., :3] == 0).all()
    assert pixels[..., 3].max() > 50


def test_an_opaque_face_and_a_proof_are_left_as_they_are() -> None:
    opaque = painted.scene(painted.filled(painted.linear()))
    fading = painted.scene((*painted.see_through(), *painted.filled(painted.linear(painted.FADING))))
    for face in (opaque, proof(fading, Proof.LOW_INK)):
        assert flattened(face) is face


def test_a_low_ink_proof_of_what_is_seen_through_hides_nothing() -> None:
    label = Path(shapes.rect(10, 10, 10, 4), (0, 0, 0))
    glass = Layer(items=(Path(shapes.rect(5, 5, 20, 20), (255, 255, 200)),), opacity=0.3)
    kept = rasters.darkest(painted.as_png(proof(Scene(painted.SIZE, (label, glass)), Proof.LOW_INK).items))
    assert (kept[118:166, 118:236] < 200).any()


def test_a_gray_gradient_is_black_ink_alone_and_no_color_of_one_is_over_the_ink_limit() -> None:
    press = press_files.press()
    gray, dark = (
        gradient_inks((GradientStop(0.0, (0, 0, 0)), GradientStop(1.0, end)), press)
        for end in ((255, 255, 255), (60, 0, 20))
    )
    assert {inks[:3] for inks in gray} == {(0.0, 0.0, 0.0)}
    assert [gray[0][3], gray[-1][3]] == [1.0, 0.0]
    assert max(map(sum, dark)) <= press.ink_limit / 100

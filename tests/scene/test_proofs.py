"""Proofs spare ink and still say what is printed where."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath

import numpy as np
import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image

from render.base.geometry import IDENTITY, Affine, Rect, Size
from render.base.sizes import POKER
from render.game.faces import Faces, lay_out_set
from render.games.kotc.sets import load_sets
from render.png import paint
from render.png.canvas import Canvas
from render.scene import outlines, proofs
from render.scene.items import Color, Group, Item, Path, Picture, Scene, Stroke, TextRun, fit_scene, walk
from render.scene.proof_kinds import Proof
from tests.support import rasters
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set

CARDS = ROOT / "cards"
DPI = 50  # coverage of pixels is exact: how much ink there is does not depend on it
SPARING = [Proof.LOW_INK, Proof.GREY, Proof.OUTLINE]


@cache
def starter() -> tuple[Faces, ...]:
    """Return every fourth card of the set, of every kind."""
    (card_set,) = load_sets([CARDS / "starter"])
    assert {card.kind for card in card_set.cards[::4]} == {card.kind for card in card_set.cards}
    return lay_out_set(replace(card_set, cards=card_set.cards[::4])).faces


def scenes(side: str) -> list[Scene]:
    """Return the scenes of a side of the set, one that cards share once."""
    return list({id(scene): scene for faces in starter() for scene in [getattr(faces, side)]}.values())


def drawn(scene: Scene, dpi: float = DPI, bleed: float = 0.0) -> rasters.Pixels:
    return rasters.pixels(paint.paint(scene, Canvas(dpi, bleed)))


BEYOND = 4.0  # mm around each card
EDGE = int(BEYOND * DPI / 25.4)  # px that lie beyond the trim as a whole


@cache
def spared(side: str, kind: Proof) -> list[rasters.Pixels]:
    """Return the proofs of a side of the set as pixels, with what lies around them."""
    return [drawn(proofs.proof(scene, kind), bleed=BEYOND) for scene in scenes(side)]


def ink(side: str, kind: Proof) -> float:
    """Return how dark proofs are on average, 0 to 1."""
    inner = slice(EDGE + 1, -EDGE - 1)
    return float(np.mean([1 - pixels[inner, inner].mean() / 255 for pixels in spared(side, kind)]))


def box(x: float, y: float, width: float, height: float, fill: Color | None, stroke: Stroke | None = None) -> Path:
    return Path(outlines.rect(x, y, width, height), fill, stroke=stroke)


def inside(scene: Scene, kind: Proof = Proof.LOW_INK) -> rasters.Pixels:
    """Return a proof as pixels, without the edge of the card."""
    return drawn(proofs.proof(scene, kind), 300)[12:-12, 12:-12]


def strokes(items: tuple[Item, ...], scale: float = 1.0) -> Iterator[tuple[Stroke, float]]:
    """Yield the lines of a scene, and how thick they are on paper."""
    for item in items:
        if isinstance(item, Group):
            yield from strokes(item.items, scale * item.transform.growth)
        elif isinstance(item, Path) and item.stroke:
            yield item.stroke, item.stroke.width * scale


# --- how much ink ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "kind", "share"), [
    ("front", Proof.LOW_INK, 1 / 4),
    ("back", Proof.LOW_INK, 1 / 5),
    ("front", Proof.GREY, 1 / 2),
    ("back", Proof.GREY, 1 / 5),
    ("front", Proof.OUTLINE, 1 / 16),
    ("back", Proof.OUTLINE, 1 / 64),
])  # fmt: skip
def test_a_proof_of_the_starter_set_takes_a_share_of_its_ink(side: str, kind: Proof, share: float) -> None:
    assert 0 < ink(side, kind) < share * ink(side, Proof.NONE)


@pytest.mark.parametrize("kind", SPARING)
@pytest.mark.parametrize("side", ["front", "back"])
def test_a_proof_is_drawn_with_black_alone(side: str, kind: Proof) -> None:
    for pixels in spared(side, kind):
        assert (pixels == pixels[:, :, :1]).all()


@pytest.mark.parametrize("kind", SPARING)
@pytest.mark.parametrize("side", ["front", "back"])
def test_nothing_of_a_proof_lies_beyond_the_trim(side: str, kind: Proof) -> None:
    for pixels in spared(side, kind):
        assert (pixels[:EDGE] == 255).all()
        assert (pixels[:, :EDGE] == 255).all()
        assert (pixels[-EDGE:] == 255).all()
        assert (pixels[:, -EDGE:] == 255).all()


def test_without_a_proof_a_scene_stays_as_it_is() -> None:
    scene = scenes("front")[0]
    assert proofs.proof(scene, Proof.NONE) is scene


# --- low ink --------------------------------------------------------------------------------------------------------


def test_low_ink_keeps_every_text_in_its_place() -> None:
    for scene in scenes("front"):
        runs, spared = ([item for item in walk(each.items) if isinstance(item, TextRun)]
                        for each in (scene, proofs.proof(scene, Proof.LOW_INK)))  # fmt: skip
        assert [(run.words, run.transform, run.size) for run in runs] == [
            (run.words, run.transform, run.size) for run in spared
        ]
        assert {run.fill for run in spared} == {(0, 0, 0)}


def test_a_grey_proof_has_every_text_of_a_low_ink_one_and_its_pictures_in_light_grey() -> None:
    for scene in scenes("front"):
        low, grey = (list(walk(proofs.proof(scene, kind).items)) for kind in (Proof.LOW_INK, Proof.GREY))
        assert [item for item in grey if isinstance(item, TextRun)] == [
            item for item in low if isinstance(item, TextRun)
        ]
        pictures = [item for item in walk(scene.items) if isinstance(item, Picture)]
        assert [item for item in grey if isinstance(item, Picture)] == [replace(item, tone="pale") for item in pictures]


def test_a_pale_picture_keeps_a_third_of_its_darkness(tmp_path: FilePath) -> None:
    file = tmp_path / "steps.png"
    steps = np.repeat(np.array([[[0, 0, 0], [128, 128, 128], [255, 0, 0], [255, 255, 255]]], np.uint8), 100, axis=1)
    Image.fromarray(np.repeat(steps, 100, axis=0)).save(file)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    scene = Scene(POKER, (Picture(file=file, digest=digest, box=POKER.rect, crop=Rect(0, 0, 1, 1)),))
    pixels = drawn(proofs.proof(scene, Proof.GREY))
    middle = pixels[len(pixels) // 2]
    shown = [int(middle[int(len(middle) * at)][0]) for at in (1 / 8, 3 / 8, 5 / 8, 7 / 8)]
    assert shown == [166, 211, 192, 255]  # 255 less 35 % of the darkness of its grey: 0, 128, 76 (red), 255


def test_low_ink_has_no_picture_but_its_box_crossed_out() -> None:
    scene = Scene(
        POKER, (Picture(file=FilePath("none.jpg"), digest="", box=Rect(10, 20, 40, 30), crop=Rect(0, 0, 1, 1)),)
    )
    spared = proofs.proof(scene, Proof.LOW_INK)
    assert not any(isinstance(item, Picture) for item in walk(spared.items))
    inked = rasters.darkest(inside(scene)) < 230
    found = rasters.extent(inked)
    mm = 25.4 / 300
    assert [12 * mm + at * mm for at in (found.left, found.right, found.top, found.bottom)] == pytest.approx(
        [10, 50, 20, 50], abs=0.15
    )
    middle = round(35 / mm) - 12, round(30 / mm) - 12
    assert inked[middle[0] - 2 : middle[0] + 3, middle[1] - 2 : middle[1] + 3].any()
    assert inked.mean() < 0.02


def test_low_ink_shows_a_filled_shape_as_a_thin_line() -> None:
    inked = rasters.darkest(inside(Scene(POKER, (box(10, 20, 40, 30, (200, 0, 0)),)))) < 128
    mm = 25.4 / 300
    assert inked.any()
    within = [round(at / mm) - 12 for at in (10.2, 49.8, 20.2, 49.8)]
    assert not inked[within[2] : within[3], within[0] : within[1]].any()


def test_low_ink_thins_thick_lines_and_leaves_thin_ones() -> None:
    lines = tuple(
        box(9, at, 20, 3, None, Stroke(color=(9, 99, 9), width=width)) for at, width in ((9, 3.0), (20, 0.05))
    )
    widths = [width for _, width in strokes(proofs.proof(Scene(POKER, lines), Proof.LOW_INK).items)]
    assert widths[:2] == [0.1, 0.05]


@pytest.mark.parametrize("white", [
    box(-5, -5, 70, 99, (255, 255, 255)),
    box(10, 10, 20, 20, None, Stroke(color=(255, 255, 255), width=2.0)),
])  # fmt: skip
def test_low_ink_shows_nothing_of_what_is_white(white: Path) -> None:
    assert (inside(Scene(POKER, (white,))) == 255).all()


def test_low_ink_shows_a_white_emblem_on_a_color_as_a_thin_line() -> None:
    white = (255, 255, 255)
    ground, sheet = box(10, 10, 40, 60, (99, 0, 0)), box(-5, -5, 70, 99, white)
    lined = inside(Scene(POKER, (ground, box(20, 20, 10, 10, (0, 0, 99)))))
    for emblem in (
        box(20, 20, 10, 10, white),
        box(20, 20, 10, 10, white, Stroke(color=white, width=1.0)),
        box(20, 20, 10, 10, None, Stroke(color=white, width=1.0)),
    ):
        assert (inside(Scene(POKER, (ground, emblem))) == lined).all()
        assert (inside(Scene(POKER, (ground, sheet, emblem))) == 255).all()


def test_low_ink_does_not_show_what_another_shape_hides() -> None:
    hidden = box(20, 20, 10, 10, (0, 0, 99))
    for cover in (box(10, 10, 40, 60, (255, 255, 255)), box(10, 10, 40, 60, (99, 0, 0))):
        assert (inside(Scene(POKER, (hidden, cover))) == inside(Scene(POKER, (cover,)))).all()


@pytest.mark.parametrize("size", [Size(66.0, 91.0), Size(44.45, 63.5), Size(140.0, 240.0)])
def test_lines_are_as_thin_on_a_card_that_is_scaled(size: Size) -> None:
    spared = proofs.proof(fit_scene(scenes("back")[0], size), Proof.LOW_INK)
    assert isinstance(spared.items[0], Group)
    widths = {round(width, 6) for _, width in strokes(spared.items)}
    assert max(widths) == 0.1


# --- outline --------------------------------------------------------------------------------------------------------


def name(scene: Scene) -> str:
    return "".join(item.words for item in walk(proofs.proof(scene, Proof.OUTLINE).items) if isinstance(item, TextRun))


@pytest.mark.parametrize("folder", ["starter", "eleventh"])
def test_an_outline_names_its_card(folder: str) -> None:
    (card_set,) = load_sets([CARDS / folder])
    faces = lay_out_set(card_set).faces
    assert [name(each.front) for each in faces] == [each.card.name for each in faces]


def test_an_outline_of_a_scaled_card_has_the_name_where_the_card_has_it() -> None:
    scene = fit_scene(scenes("front")[0], Size(44.45, 63.5))
    (run,) = (item for item in proofs.proof(scene, Proof.OUTLINE).items if isinstance(item, TextRun))
    (group,) = scene.items
    assert isinstance(group, Group)
    whole = next(item for item in group.items if isinstance(item, TextRun))
    assert run.transform == group.transform @ whole.transform != whole.transform


def test_an_outline_of_a_back_without_words_has_none() -> None:
    assert name(scenes("back")[0]) == ""


@pytest.mark.parametrize("radius", [0.0, 3.0, 50.0])
def test_an_outline_shows_trim_and_safe_zone(radius: float) -> None:
    edge, safe = proofs.proof(Scene(POKER, ()), Proof.OUTLINE, radius).items
    assert isinstance(edge, Path)
    assert isinstance(safe, Path)
    assert bounds(edge) == pytest.approx((0.05, 0.05, 63.45, 88.85))
    assert bounds(safe) == pytest.approx((3.175, 3.175, 60.325, 85.725))
    assert safe.stroke is not None
    assert safe.stroke.dashes
    corner = drawn(Scene(POKER, (edge,)), 300)[:3, :3]
    assert (corner.min() < 128) == (radius == 0)


def bounds(path: Path) -> tuple[float, ...]:
    points = [path.outlines[0].start, *(segment[-2:] for segment in path.outlines[0].segments)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def test_groups_within_groups_are_spared_too() -> None:
    inner = Group(POKER.rect, (box(10, 10, 40, 40, (9, 9, 9)),), Affine.scale(0.5, 0.5))
    scene = Scene(POKER, (Group(POKER.rect, (inner,), IDENTITY),))
    assert (rasters.darkest(inside(scene)) < 200).mean() < 0.02


def test_sheets_of_a_grey_proof_are_verified_against_their_cards(tmp_path: FilePath) -> None:
    photo = Image.linear_gradient("L").resize((640, 480)).convert("RGB")
    photo.save(write_set(tmp_path / "s", CARD) / "a.jpg")
    sheets = tmp_path / "sheets.pdf"
    assert kotc("pdf", tmp_path / "s", "--proof", "grey", "--out", sheets).exit_code == 0
    with pikepdf.open(sheets) as pdf:
        colors = {str(each.get("/ColorSpace")) for each in pdf.objects if isinstance(each, pikepdf.Stream)}
        assert "/DeviceGray" in colors
        assert "/DeviceRGB" not in colors
    assert kotc("verify", sheets, "--set", tmp_path / "s").exit_code == 0
    Image.linear_gradient("L").rotate(90).resize((640, 480)).convert("RGB").save(tmp_path / "s/a.jpg")
    found = kotc("verify", sheets, "--set", tmp_path / "s").stdout
    assert "`one`: it looks otherwise than its card" in found
    assert "[Q090]" in found


CARD = "{name: One, kind: minion, level: 1, sp: 1, hp: 0, art: a.jpg}\n"

"""From sRGB to ink: by a profile, within the ink limit, black text in black ink alone."""

import ast
import hashlib
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from render.base.caches import clear_caches
from render.base.geometry import Rect
from render.images import inks, resample
from render.pdf import operators
from render.scene.items import Picture
from tests.support.picture_files import WHOLE, far, in_bytes

RENDER = Path(inks.__file__).parent
PRESS = inks.Press("CGATS TR 006", "cgats-tr-006-tac236.icc", ink_limit=240, dpi=300)
PROFILES = {
    "cgats-tr-006-tac236.icc": "2420d771e12da3fd2d932d47c3c23949d197b7f342e11ad6bd0ab6cb0417d3a7",
    "sRGB2014.icc": "384b832de3412066743b52a75ee906b6fb9fb8d9e09e936fc2c43223815c6e0a",
}

PAPER_TO_SRGB = ImageCms.buildTransform(
    str(RENDER / "profiles" / PRESS.profile),
    ImageCms.createProfile("sRGB"),
    "CMYK",
    "RGB",
    ImageCms.Intent.RELATIVE_COLORIMETRIC,
    ImageCms.Flags.BLACKPOINTCOMPENSATION,
)

channels = st.integers(0, 255)
colors = st.tuples(channels, channels, channels)


def every_fourth_color() -> Image.Image:
    steps = np.append(np.arange(0, 255, 4), 255)
    return Image.fromarray(np.stack(np.meshgrid(steps, steps, steps), -1).reshape(-1, len(steps), 3).astype(np.uint8))


def most_ink(image: Image.Image) -> float:
    """Return the most ink on a pixel in per cent."""
    assert image.mode == "CMYK"
    return float(np.asarray(image).astype(int).sum(axis=2).max()) * 100 / 255


# --- the profiles ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_the_profiles_are_the_ones_whose_making_is_written_down(name: str) -> None:
    assert hashlib.sha256(inks.profile_bytes(name)).hexdigest() == PROFILES[name]
    assert PROFILES[name] in (RENDER / "profiles" / "README.md").read_text(encoding="utf-8")


def test_the_press_profile_names_the_source_of_its_data() -> None:
    profile = ImageCms.getOpenProfile(str(RENDER / "profiles" / PRESS.profile)).profile
    assert (profile.device_class, profile.xcolor_space.strip()) == ("prtr", "CMYK")
    assert "TR 006-2007" in str(profile.copyright)
    assert "NPES" in str(profile.copyright)


# --- ink ------------------------------------------------------------------------------------------------------------


def test_no_color_takes_more_ink_than_the_limit() -> None:
    assert most_ink(inks.separate(every_fourth_color(), PRESS)) <= 240


@given(colors)
def test_no_single_color_takes_more_ink_than_the_limit(color: tuple[int, int, int]) -> None:
    assert sum(inks.inks(color, PRESS)) <= 2.4


@pytest.mark.parametrize("limit", [150, 200, 220])
def test_a_lower_limit_is_kept_on_every_pixel(limit: float) -> None:
    press = inks.Press(PRESS.condition, PRESS.profile, ink_limit=limit)
    free, held = (np.asarray(inks.separate(every_fourth_color(), each)).astype(int) for each in (PRESS, press))
    above = free.sum(axis=2) > limit * 255 / 100
    assert above.any(), "the limit is put to the test"
    assert held.sum(axis=2).max() <= limit * 255 / 100
    assert (held[~above] == free[~above]).all(), "what keeps to the limit is left alone"
    assert (held[..., 3] == free[..., 3]).all(), "black is kept: it carries the drawing"


def test_pillows_own_formula_would_break_the_limit() -> None:
    assert most_ink(Image.new("RGB", (1, 1)).convert("CMYK")) == 300


# --- colors --------------------------------------------------------------------------------------------------------


@given(channels)
def test_a_gray_is_black_ink_alone(gray: int) -> None:
    cyan, magenta, yellow, _ = inks.inks((gray, gray, gray), PRESS)
    assert (cyan, magenta, yellow) == (0, 0, 0)


def test_grays_run_from_all_of_the_black_ink_to_none() -> None:
    blacks = [inks.inks((gray, gray, gray), PRESS)[3] for gray in range(256)]
    assert (blacks[0], blacks[255]) == (1, 0)
    assert all(one >= other for one, other in pairwise(blacks))
    assert 0.5 < blacks[128] < 0.65, "dots spread: half a grey is near half the ink, and above it"


@given(st.tuples(st.integers(120, 170), st.integers(120, 170), st.integers(120, 170)))
def test_a_muted_color_comes_back_from_paper(color: tuple[int, int, int]) -> None:
    printed = PAPER_TO_SRGB.apply(inks.separate(Image.new("RGB", (1, 1), color), PRESS)).getpixel((0, 0))
    assert isinstance(printed, tuple)
    assert far(color, printed) <= 8


def test_colors_that_ink_cannot_show_are_told_from_those_it_can() -> None:
    def shifted(*color: int) -> float:
        return float(inks.shifts(Image.new("RGB", (2, 2), color), PRESS).mean())

    assert [shifted(0, 255, 0), shifted(0, 0, 255)] == [1, 1]
    assert [shifted(0, 0, 0), shifted(255, 255, 255), shifted(128, 0, 0), shifted(120, 110, 90)] == [0, 0, 0, 0]


def test_which_colors_these_are_does_not_depend_on_pictures_seen_before() -> None:
    noise = Image.effect_noise((60, 60), 90).convert("RGB")
    greens = Image.new("RGB", (60, 20), (0, 255, 0))
    noise.paste(greens)
    first = inks.shifts(noise, PRESS)
    clear_caches()
    assert not inks.shifts(noise.crop((0, 20, 60, 60)), PRESS).any()
    assert np.array_equal(inks.shifts(noise, PRESS), first)
    assert first[:20].all()


def test_no_module_converts_to_cmyk_by_a_formula() -> None:
    found = [module.name for module in sorted(RENDER.rglob("*.py")) if formulas(module.read_text(encoding="utf-8"))]
    assert found == []
    assert formulas('image.convert("CMYK")')
    assert formulas("image.convert(mode='CMYK', dither=None)")


def formulas(code: str) -> bool:
    """Return whether the code calls `convert` for CMYK."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    converts = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "convert"]
    return any(
        isinstance(value, ast.Constant) and value.value == "CMYK"
        for call in converts
        for value in (*call.args, *(keyword.value for keyword in call.keywords))
    )


# --- pictures and operators -----------------------------------------------------------------------------------------


def picture(folder: Path, size: tuple[int, int], box: Rect, crop: Rect = WHOLE) -> Picture:
    data = in_bytes(Image.effect_noise(size, 120).convert("RGB"), "PNG")
    (folder / "picture.png").write_bytes(data)
    return Picture(file=folder / "picture.png", digest=hashlib.sha256(data).hexdigest(), box=box, crop=crop)


def printable(item: Picture) -> resample.Embedded:
    return resample.printable(item, PRESS, resample.printed_size(item, PRESS.dpi))


def test_a_picture_is_brought_to_the_resolution_of_the_press(tmp_path: Path) -> None:
    fine = picture(tmp_path, (1000, 500), Rect(0, 0, 25.4, 12.7))
    packed = printable(fine)
    assert (packed.width, packed.height, packed.channels) == (300, 150, 4)


def test_a_cropped_picture_is_stored_at_the_resolution_of_its_visible_part(tmp_path: Path) -> None:
    half = picture(tmp_path, (1000, 500), Rect(0, 0, 25.4, 25.4), Rect(0.25, 0, 0.5, 1))
    packed = printable(half)
    assert (packed.width, packed.height) == (600, 300)


def test_a_coarse_picture_keeps_its_pixels(tmp_path: Path) -> None:
    packed = printable(picture(tmp_path, (100, 50), Rect(0, 0, 25.4, 12.7)))
    assert (packed.width, packed.height) == (100, 50)


def test_operators_are_of_the_press_or_of_the_screen() -> None:
    assert operators.fill((0, 0, 0), PRESS) == "0 0 0 1 k"
    assert operators.fill((255, 255, 255), PRESS) == "0 0 0 0 k"
    assert re.fullmatch(r"0 0\.\d+ 0\.\d+ 0\.\d+ k", operators.fill((128, 0, 0), PRESS))
    assert operators.fill((128, 0, 0)) == "0.502 0 0 rg"
    assert operators.fill((0, 0, 0)) == "0 g"
    assert operators.fill((51, 51, 51)) == "0.2 g"

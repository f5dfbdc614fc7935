"""Laws of pictures: where they go, and that no broken one is ever drawn."""

import functools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageChops

from render.base.geometry import MM_PER_INCH, Rect
from render.images.decode import check_picture, decode_picture, open_raster
from render.images.files.parts import UnusablePicture
from render.images.inspect import CONTAIN, COVER, Artwork, Fit, PicturePlacement, Scaling, effective_dpi, place
from render.images.patches import PixelBox
from render.images.resample import scaled
from tests.support.picture_files import in_bytes, on_card, painted

pixel_counts = st.integers(1, 8000)
artworks = st.builds(Artwork, st.just(Path("art.png")), st.just(""), pixel_counts, pixel_counts)
lengths = st.floats(0.1, 300)
boxes = st.builds(Rect, st.floats(-50, 250), st.floats(-50, 250), lengths, lengths)
shares = st.sampled_from([0.0, 0.5, 1.0])
fits = st.builds(Fit, st.sampled_from(Scaling), shares, shares)
near = functools.partial(pytest.approx, rel=1e-6, abs=1e-6)


def shown(artwork: Artwork, placement: PicturePlacement) -> tuple[float, float]:
    """Return the width and height in pixels of the part of the picture that is seen."""
    return artwork.width * placement.crop.width, artwork.height * placement.crop.height


@given(artworks, boxes, fits)
def test_a_picture_stays_in_its_box_and_shows_what_it_has(artwork: Artwork, box: Rect, fit: Fit) -> None:
    placement = place(artwork, box, fit)
    for inner, outer in ((placement.box, box), (placement.crop, Rect(0, 0, 1, 1))):
        assert inner.x >= outer.x - 1e-6
        assert inner.y >= outer.y - 1e-6
        assert inner.right <= outer.right + 1e-6
        assert inner.bottom <= outer.bottom + 1e-6
        assert inner.width > 0
        assert inner.height > 0


@given(artworks, boxes, shares, shares, st.sampled_from([Scaling.MEET, Scaling.SLICE]))
def test_a_picture_keeps_its_proportions(artwork: Artwork, box: Rect, x: float, y: float, scaling: Scaling) -> None:
    placement = place(artwork, box, Fit(scaling, x, y))
    width, height = shown(artwork, placement)
    assert width * placement.box.height == near(height * placement.box.width)


@given(artworks, boxes)
def test_a_contained_picture_is_whole_centerd_and_as_large_as_can_be(artwork: Artwork, box: Rect) -> None:
    placement = place(artwork, box, CONTAIN)
    assert placement.crop == Rect(0, 0, 1, 1)
    assert placement.box.center == near(box.center)
    assert placement.box.width == near(box.width) or placement.box.height == near(box.height)


@given(artworks, boxes)
def test_a_covering_picture_fills_the_box_and_loses_as_much_on_either_side(artwork: Artwork, box: Rect) -> None:
    placement = place(artwork, box, COVER)
    assert placement.box == box
    assert placement.crop.center == near((0.5, 0.5))
    assert max(placement.crop.width, placement.crop.height) == 1


@given(artworks, boxes, fits)
def test_the_alignment_says_which_edges_meet(artwork: Artwork, box: Rect, fit: Fit) -> None:
    placement = place(artwork, box, fit)
    for inner, outer in ((placement.box, box), (placement.crop, Rect(0, 0, 1, 1))):
        assert inner.x - outer.x == near((outer.width - inner.width) * fit.x)
        assert inner.y - outer.y == near((outer.height - inner.height) * fit.y)


@given(artworks, boxes, fits, st.floats(0.1, 10))
def test_twice_the_size_is_half_the_dpi(artwork: Artwork, box: Rect, fit: Fit, times: float) -> None:
    larger = Rect(box.x, box.y, box.width * times, box.height * times)
    dpi = effective_dpi(artwork, place(artwork, box, fit))
    assert effective_dpi(artwork, place(artwork, larger, fit)) * times == near(dpi)


@given(artworks, boxes, st.sampled_from([CONTAIN, COVER]))
def test_dpi_times_inches_are_the_pixels_seen(artwork: Artwork, box: Rect, fit: Fit) -> None:
    placement = place(artwork, box, fit)
    width, _ = shown(artwork, placement)
    assert effective_dpi(artwork, placement) * placement.box.width / MM_PER_INCH == near(width)


PICTURE = painted("RGB KWY", 16)
FILES = {
    "JPEG": in_bytes(PICTURE, "JPEG"),
    "progressive JPEG": in_bytes(PICTURE, "JPEG", progressive=True),
    "JPEG with a preview": in_bytes(PICTURE, "JPEG", exif=b"Exif\0\0" + in_bytes(painted("RGB"), "JPEG")),
    "PNG": in_bytes(PICTURE, "PNG"),
    "WebP": in_bytes(PICTURE, "WEBP"),
    "lossless WebP": in_bytes(PICTURE, "WEBP", lossless=True),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_picture_that_was_cut_short_anywhere_is_found(content: bytes) -> None:
    for length in range(len(content)):
        with pytest.raises(UnusablePicture):
            check_picture(content[:length])


@given(st.sampled_from(list(FILES.values())), st.data())
def test_damage_is_found_or_does_no_harm(content: bytes, data: st.DataObject) -> None:
    """What `check` has let through can be drawn: nothing but UnusablePicture comes of it, and nothing at all later."""
    at = data.draw(st.integers(0, len(content) - 1), "at")
    damage = data.draw(st.binary(min_size=1, max_size=8), "damage")
    damaged = content[:at] + damage + content[at + len(damage) :]
    try:
        check_picture(damaged)
    except UnusablePicture:
        return
    assert decode_picture(open_raster(damaged)).mode in ("L", "RGB")


starts = st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\x10\0\0\0WEBPVP8 "])


@given(st.binary(max_size=200), starts)
def test_no_bytes_at_all_surprise_us(content: bytes, start: bytes) -> None:
    try:
        check_picture(start + content)
    except UnusablePicture as unfit:
        assert unfit.problem.message


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("art") / "picture"
    file.write_bytes(FILES["PNG"])
    return file


crops = st.builds(Rect, st.floats(0, 0.5), st.floats(0, 0.5), st.floats(0.01, 0.5), st.floats(0.01, 0.5))


def targets(smallest: float) -> st.SearchStrategy[PixelBox]:
    """Return boxes of pixels whose sides are at least that long."""
    edges, sides = st.floats(-20, 60), st.floats(smallest, 40)
    return st.builds(lambda x, y, width, height: (x, y, x + width, y + height), edges, edges, sides, sides)


@given(targets(0.01), crops, st.booleans())
def test_as_much_is_covered_as_the_target_is_large(file: Path, target: PixelBox, crop: Rect, turned: bool) -> None:
    patch = scaled(on_card(file, crop, turned=turned), target)
    left, top, right, bottom = target
    assert patch.left <= left + 0.001
    assert patch.top <= top + 0.001
    assert patch.left + patch.image.width >= right - 0.001
    assert patch.top + patch.image.height >= bottom - 0.001
    whole = patch.image.width * patch.image.height
    covered = whole if patch.coverage is None else sum(patch.coverage.tobytes()) / 255
    pixels_at_the_edge = 2 * (patch.image.width + patch.image.height)
    assert covered == pytest.approx((right - left) * (bottom - top), abs=0.004 * pixels_at_the_edge)


@given(targets(1), crops)
def test_turning_a_picture_over_turns_its_pixels_over(file: Path, target: PixelBox, crop: Rect) -> None:
    """Turned about a point of the grid, the target and all: then nothing but rounding tells them apart."""
    left, top, right, bottom = target
    upright = scaled(on_card(file, crop), target)
    turned = scaled(on_card(file, crop, turned=True), (-right, -bottom, -left, -top))
    assert (turned.left, turned.top) == (-upright.left - upright.image.width, -upright.top - upright.image.height)
    apart = ImageChops.difference(upright.image.rotate(180), turned.image)
    assert max(apart.tobytes()) <= 2

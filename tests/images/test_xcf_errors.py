"""Broken and hostile GIMP files: the exact words, with the byte, and bounded work."""

import struct
import time
import tracemalloc
import zlib
from collections.abc import Callable

import numpy as np
import pytest

from render.images.xcf.pixels import flattened
from render.images.xcf.reading import BrokenXcf, Extent, read_xcf
from render.images.xcf.text_layers import read_text_layer
from tests.support.xcf_files import NONE, RLE, ZLIB, MadeLayer, picture, said, xcf

LAYERS = [MadeLayer(name="Text", text=said("Howls")), MadeLayer(name="Image", pixels=picture(70, 70))]
SOUND = xcf(LAYERS)


def patched(at: int, words: bytes, data: bytes = SOUND) -> bytes:
    return data[:at] + words + data[at + len(words) :]


def after(mark: bytes, words: bytes, distance: int = 0, data: bytes = SOUND) -> bytes:
    return patched(data.index(mark) + len(mark) + distance, words, data)


def number(value: int) -> bytes:
    return struct.pack(">I", value)


BEYOND = f"points to byte 1073741824, and has {len(SOUND)} bytes"
PROPERTY = SOUND.index(b"Image\0") + 6 + 8  # behind the number and the length of the first property of that layer
FIRST_LAYER = 26 + (8 + 1) + (8 + 8) + 8  # behind the header, compression, resolution and the end of the properties


def read_all(data: bytes) -> None:
    image = read_xcf(data)
    for layer in image.layers:
        read_text_layer(image, layer)
    flattened(image, image.within(None), Extent(0, 0, image.width, image.height))


@pytest.mark.parametrize(
    ("data", "said_of_it"),
    [
        (b"", "X001 is no file of GIMP at byte 0"),
        (b"gimp xcf v1\0", "X001 is no file of GIMP at byte 0"),
        (SOUND[:16], "X002 ends too early at byte 14"),
        (SOUND[:40], "X002 ends too early at byte 39"),
        (patched(14, number(0)), "X003 gives a side of 0 pixels at byte 14"),
        (patched(22, number(7)), "X005 has the unknown color model 7 at byte 22"),
        (patched(FIRST_LAYER, number(1 << 30)), f"X002 {BEYOND} at byte 63"),
        (patched(FIRST_LAYER + 4, SOUND[FIRST_LAYER : FIRST_LAYER + 4]), "X003 has one layer twice at byte 67"),
        (after(b"Image\0", number(2_000_000), 4), f"X002 ends too early at byte {PROPERTY}"),
    ],
)  # fmt: skip
def test_a_broken_file_is_told_with_the_byte(data: bytes, said_of_it: str) -> None:
    with pytest.raises(BrokenXcf) as broken:
        read_all(data)
    assert str(broken.value) == said_of_it


@pytest.mark.parametrize(
    ("attached", "code"),
    [
        ('(text "Howls', "X007"),
        ('((((((((((((((((((((text "Howls"))))', "X007"),
        (")", "X007"),
        ('(markup "<b>Howls</markup>")', "X007"),
        ('(markup "<markup>Howls < 3</markup>")', "X007"),
        (f'(markup "{"<b>" * 100}")', "X007"),
    ],
)
def test_a_broken_text_layer_is_told(attached: str, code: str) -> None:
    with pytest.raises(BrokenXcf) as broken:
        read_all(xcf([MadeLayer(name="Text", text=attached)]))
    assert broken.value.code == code


def image_of(tile: bytes, compression: int, size: int = 64) -> bytes:
    """Return a file whose first tile is replaced by other bytes."""
    data = xcf([MadeLayer(name="Image", pixels=np.zeros((size, size, 4), np.uint8))], compression=compression)
    start = len(data) - len(zlib.compress(bytes(4 * 64 * 64))) if compression == ZLIB else len(data) - 16
    return data[:start] + tile


@pytest.mark.parametrize(
    ("tile", "compression", "code"),
    [
        (b"not deflate at all", ZLIB, "X006"),
        (zlib.compress(b"short"), ZLIB, "X006"),
        (b"\x7f", RLE, "X002"),
        (b"\x7f\xff\xff\0" + bytes(100), RLE, "X006"),
        (b"\x80\x10\0abc", RLE, "X002"),
    ],
)
def test_a_damaged_tile_is_told(tile: bytes, compression: int, code: str) -> None:
    with pytest.raises(BrokenXcf) as broken:
        read_all(image_of(tile, compression))
    assert broken.value.code == code


def test_a_tile_that_inflates_to_many_megabytes_is_cut_at_its_size() -> None:
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(20)) + packer.flush()
    found = read_xcf(image_of(bomb, ZLIB))
    tracemalloc.start()
    assert flattened(found, found.layers, Extent(0, 0, 64, 64)).shape == (64, 64, 4)
    assert tracemalloc.get_traced_memory()[1] < 4 << 20
    tracemalloc.stop()


def many_layers() -> bytes:
    """Return a file in which thousands of layers share their pixels."""
    return xcf([MadeLayer(name="x", size=(1, 1)) for _ in range(2001)], compression=NONE)


def deep_groups() -> bytes:
    layers = [MadeLayer(name="g", group=True, size=(9, 9), path=(0,) * depth) for depth in range(1, 64)]
    return xcf(layers, (300, 400), version=3)


def many_effects() -> bytes:
    return xcf([MadeLayer(name="Image", effects=["Blur"] * 250)], version=20)


@pytest.mark.parametrize("make", [many_layers, deep_groups, many_effects])
def test_what_a_file_only_declares_takes_no_time(make: Callable[[], bytes]) -> None:
    data = make()
    began = time.process_time()
    read_all(data)
    assert time.process_time() - began < 10

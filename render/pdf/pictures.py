"""The pictures of a PDF, each in the file once: decoded and packed as the file is written, one at a time."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, assert_never

from render.base.interrupts import defer_interrupt
from render.images import resample
from render.images.press import Press, svg_dpi
from render.pdf.objects import Piece, Shown, dictionary, piece
from render.scene.items import Picture

if TYPE_CHECKING:
    from concurrent.futures import Future

_DRAWERS = 2  # threads; each waits for a process that draws an SVG, and packs it
_AHEAD = 4  # SVGs packed before they are due


def shown(picture: Picture, press: Press | None, art_dpi: float) -> Shown:
    """Return a picture as it is shown in its box, named by its contents; names of files do not matter.

    For a press, there is one object for each size: such a file is packed at the size of its print. Any other has at
    most `art_dpi`, and keeps a smaller picture; its object is as large as its largest print.
    """
    if isinstance(picture, resample.FlatPicture):
        size = picture.pixels
    elif press:
        size = resample.printed_size(picture, min(press.dpi, art_dpi))
    else:
        size = resample.most_pixels(picture, svg_dpi(art_dpi) if _is_svg(picture) else art_dpi)
    name = f"{picture.digest}{' pale' if picture.pale else ''}"
    return Shown(f"{name} {size[0]}x{size[1]}" if press else name, picture, size)


def pieces(pictures: Sequence[Shown], press: Press | None) -> Generator[Piece]:
    """Yield the objects of pictures in their order, one at a time; the SVGs that are next are drawn meanwhile.

    OSError if the file of one has changed since it was laid out.
    """
    drawings = [] if press else [each for each in pictures if _is_svg(each.picture)]
    if not drawings:
        for each in pictures:
            yield _image(_packed(each, press))
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(_DRAWERS)
    try:
        begun: dict[str, Future[resample.Embedded]] = {}
        for each in pictures:
            with defer_interrupt():
                if _is_svg(each.picture):
                    for drawing in drawings[:_AHEAD]:
                        if drawing.name not in begun:
                            begun[drawing.name] = pool.submit(_packed, drawing, press)
                    drawings.remove(each)
                    packed = begun.pop(each.name).result()
                else:
                    packed = _packed(each, press)
            yield _image(packed)
    finally:
        with defer_interrupt():
            pool.shutdown(cancel_futures=True)


def _packed(each: Shown, press: Press | None) -> resample.Embedded:
    if press:
        return resample.printable(each.picture, press, each.size)
    return resample.embeddable(each.picture, each.size)


def _is_svg(picture: Picture) -> bool:
    """Whether a picture is an SVG by its name, which is enough to decide when to draw it, and with which resolution."""
    return picture.file.suffix.lower() == ".svg"


def _image(packed: resample.Embedded) -> Piece:
    match packed:
        case resample.Jpeg():
            packing: dict[str, object] = {"Filter": "/DCTDecode"}  # a JPEG file as it is (ISO 32000-1, 7.4.8)
        case resample.Deflated():
            # 15: each row names its own PNG filter (7.4.4.4).
            rows = dictionary(Predictor=15, Colors=packed.channels, Columns=packed.width, BitsPerComponent=8)
            packing = {"Filter": "/FlateDecode", "DecodeParms": rows}
        case _:
            assert_never(packed)
    entries = dictionary(
        Type="/XObject",
        Subtype="/Image",
        Width=packed.width,
        Height=packed.height,
        BitsPerComponent=8,
        ColorSpace={1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}[packed.channels],
        **packing,
    )
    return piece(entries, packed.data)

"""The pictures of a PDF, each in the file once: decoded and packed as the file is written, one at a time.

What they were packed to may be remembered, since most pictures are the same the next time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, assert_never

import msgspec

from render.base.caches import Memory
from render.base.interrupts import defer_interrupt
from render.base.spill import Part, Spill
from render.images import resample
from render.images.press import Press, svg_dpi
from render.pdf.objects import Piece, Shown, dictionary, piece, to
from render.scene.items import Picture

if TYPE_CHECKING:
    from concurrent.futures import Future

_DRAWERS = 2  # threads; each waits for a process that draws an SVG, and packs it
_AHEAD = 4  # SVGs packed before they are due
_AT_ONCE = 16  # pictures that are looked up together, and are in memory then

_SPACES = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}

_MEMORY: ContextVar[Memory | None] = ContextVar("memory", default=None)
_DECODER: msgspec.msgpack.Decoder[resample.Embedded] = msgspec.msgpack.Decoder(resample.Jpeg | resample.Deflated)


@contextmanager
def remembering(memory: Memory | None) -> Iterator[None]:
    """Let pictures, in this thread and until the block ends, be packed only if the memory does not have them."""
    token = _MEMORY.set(memory)
    try:
        yield
    finally:
        _MEMORY.reset(token)


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
    name = f"{picture.digest}{' ' * bool(picture.tone)}{picture.tone}{' sheer' * picture.is_sheer}"
    return Shown(f"{name} {size[0]}x{size[1]}" if press else name, picture, size)


def pieces(pictures: Sequence[Shown], press: Press | None) -> Generator[Piece]:
    """Yield the objects of pictures in their order, one at a time; the SVGs that are next are drawn meanwhile.

    OSError if the file of one has changed since it was laid out.
    """
    packing = _Packing(pictures, press)
    drawings = [] if press else [each for each in pictures if _is_svg(each.picture) and not packing.knows(each)]
    if not drawings:
        for each in pictures:
            yield _image(packing.packed(each))
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(_DRAWERS)
    try:
        begun: dict[str, Future[resample.Embedded]] = {}
        for each in pictures:
            with defer_interrupt():
                if each in drawings:
                    for drawing in drawings[:_AHEAD]:
                        if drawing.name not in begun:
                            begun[drawing.name] = pool.submit(packing.packed, drawing)
                    drawings.remove(each)
                    packed = begun.pop(each.name).result()
                else:
                    packed = packing.packed(each)
            yield _image(packed)
    finally:
        with defer_interrupt():
            pool.shutdown(cancel_futures=True)


class _Packing:
    """Packs pictures of one file, unless a memory has them; what it has lies on the disk until it is asked for."""

    def __init__(self, pictures: Sequence[Shown], press: Press | None) -> None:
        self._press, self._memory = press, _MEMORY.get()
        self._known: dict[str, Part] = {}
        spill = Spill()
        for start in range(0, len(pictures) if self._memory else 0, _AT_ONCE):
            names = {self._key(each): each.name for each in pictures[start : start + _AT_ONCE]}
            for key, row in self._memory.find(names.keys()).items() if self._memory else ():
                self._known[names[key]] = spill.put(row)

    def knows(self, each: Shown) -> bool:
        return each.name in self._known

    def packed(self, each: Shown) -> resample.Embedded:
        """Return a picture as the file stores it; PictureChangedError as in `resample`."""
        if self.knows(each):
            with suppress(msgspec.MsgspecError):
                packed = _DECODER.decode(self._known[each.name].read())
                if packed.channels in _SPACES:
                    return packed
        if self._press:
            packed = resample.printable(each.picture, self._press, each.size)
        else:
            packed = resample.embeddable(each.picture, each.size)
        if self._memory and not (isinstance(packed, resample.Jpeg) and packed.is_own):
            self._memory.keep({self._key(each): msgspec.msgpack.encode(packed)})
        return packed

    def _key(self, each: Shown) -> bytes:
        picture = each.picture
        kind = type(picture).__name__ + " sheer" * picture.is_sheer
        made_of = kind, picture.digest, picture.tone, each.size, self._press
        return hashlib.sha256(f"picture {made_of!r}".encode()).digest()


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
    masks = []
    if packed.opacity:  # as a grey picture of as many pixels (11.6.5.3)
        masks.append(_image(resample.Deflated(packed.opacity, packed.width, packed.height, 1)))
        packing["SMask"] = to(masks[0])
    entries = dictionary(
        Type="/XObject",
        Subtype="/Image",
        Width=packed.width,
        Height=packed.height,
        BitsPerComponent=8,
        ColorSpace=_SPACES[packed.channels],
        **packing,
    )
    return piece(entries, packed.data, masks)

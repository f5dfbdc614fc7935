"""GIMP files of every version, made on the spot: what GIMP writes, or says that it would."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

Array = NDArray[np.generic]
NONE, RLE, ZLIB = 0, 1, 2
BLACK = "(color-rgb 0.000000 0.000000 0.000000)"


class MadeLayer(Struct, frozen=True, kw_only=True):
    """A layer to write; `pixels` are rows of pixels of 1 to 4 numbers, `text` is what a text layer says."""

    name: str
    pixels: Array | None = None
    size: tuple[int, int] = (10, 10)
    at: tuple[int, int] = (0, 0)
    visible: bool = True
    opacity: float = 1.0
    mode: int = 0
    text: str = ""
    path: tuple[int, ...] = ()
    group: bool = False
    painted_on: bool = False
    mask: Array | None = None
    effects: Sequence[str] = field(default=())

    @property
    def stored(self) -> Array:
        """The pixels, or empty ones of the size."""
        width, height = self.size
        return np.zeros((height, width, 4), np.uint8) if self.pixels is None else self.pixels


def xcf(
    layers: Iterable[MadeLayer],
    size: tuple[int, int] = (100, 140),
    *,
    version: int = 0,
    compression: int = RLE,
    base: int = 0,
    colors: bytes = b"",
    profile: bytes = b"",
) -> bytes:
    """Return a file. Its precision is that of the pixels of the first layer, which a screen shows."""
    made = list(layers)
    return _Writer(version, compression, base, colors).file(made, size, profile)


class _Writer:
    def __init__(self, version: int, compression: int, base: int, colors: bytes) -> None:
        self._version, self._compression, self._base, self._colors = version, compression, base, colors
        self._pointer = ">Q" if version >= 11 else ">I"
        self._data = bytearray()

    def file(self, layers: Sequence[MadeLayer], size: tuple[int, int], profile: bytes) -> bytes:
        name = "file" if self._version == 0 else f"v{self._version:03}"
        self._data += f"gimp xcf {name}\0".encode() + struct.pack(">III", *size, self._base)
        if self._version >= 4:
            self._data += struct.pack(">I", self._precision(layers[0].stored.dtype))
        colors = struct.pack(">I", len(self._colors) // 3) + self._colors
        attached = _text("icc-profile") + struct.pack(">II", 0, len(profile)) + profile
        self._properties(
            (1, colors if self._colors else None),
            (17, bytes([self._compression])),
            (19, _reals(400, 400)),
            (21, attached if profile else None),
        )
        table = self._table(len(layers) + 1)
        self._table(1 + (self._version >= 18))  # no channels, no paths
        for index, layer in enumerate(layers):
            self._fill(table, index, self._layer(layer))
        return bytes(self._data)

    def _precision(self, kind: np.dtype[np.generic]) -> int:
        names = {"uint8": 1, "uint16": 2, "uint32": 3, "float16": 5, "float32": 6, "float64": 7}
        if self._version == 4:
            return {1: 0, 2: 1}[names[kind.name]]
        return names[kind.name] * 100 + 50 - (100 if self._version < 7 and names[kind.name] >= 5 else 0)

    def _layer(self, layer: MadeLayer) -> int:
        start = len(self._data)
        height, width, channels = layer.stored.shape
        kind = 2 * self._base + (channels % 2 == 0)
        self._data += struct.pack(">III", width, height, kind) + _text(layer.name)
        parasite = _text("gimp-text-layer") + struct.pack(">II", 1, len(layer.text.encode()) + 1) + layer.text.encode()
        self._properties(
            (6, struct.pack(">I", round(layer.opacity * 255))),
            (8, struct.pack(">I", layer.visible)),
            (11, struct.pack(">I", layer.mask is not None)),
            (15, struct.pack(">ii", *layer.at)),
            (7, struct.pack(">I", layer.mode)),
            (33, _reals(layer.opacity)),
            (99, b"of a later version"),
            (26, struct.pack(">I", 2 if layer.painted_on else 1) if layer.text else None),
            (29, b"" if layer.group else None),
            (30, struct.pack(f">{len(layer.path)}I", *layer.path) if layer.path else None),
            (21, parasite + b"\0" if layer.text else None),
        )
        table = self._table(2)
        effects = self._table(len(layer.effects) + 1) if self._version >= 20 else 0
        for index, effect in enumerate(layer.effects):
            self._fill(effects, index, len(self._data))
            self._data += _text(effect) + _text("icon") + _text("gegl:effect") + bytes(16)
        self._fill(table, 0, self._hierarchy(layer.stored))
        if layer.mask is not None:
            self._fill(table, 1, self._channel(layer.mask))
        return start

    def _channel(self, mask: Array) -> int:
        start = len(self._data)
        self._data += struct.pack(">II", mask.shape[1], mask.shape[0]) + _text("mask")
        self._properties()
        table = self._table(1)
        self._fill(table, 0, self._hierarchy(mask[:, :, None]))
        return start

    def _hierarchy(self, pixels: Array) -> int:
        start = len(self._data)
        height, width, channels = pixels.shape
        self._data += struct.pack(">III", width, height, channels * pixels.itemsize)
        table = self._table(2)
        self._fill(table, 0, len(self._data))
        self._data += struct.pack(">II", width, height)
        tiles = [pixels[y : y + 64, x : x + 64] for y in range(0, height, 64) for x in range(0, width, 64)]
        pointers = self._table(len(tiles) + 1)
        for index, tile in enumerate(tiles):
            self._fill(pointers, index, len(self._data))
            self._data += self._tile(tile)
        return start

    def _tile(self, tile: Array) -> bytes:
        order = ">" if self._version >= 12 else "<"
        stored = np.ascontiguousarray(tile, tile.dtype.str.replace("<", order)).view(np.uint8)
        match self._compression:
            case 0:
                return stored.tobytes()
            case 1:
                planes = stored.reshape(-1, stored.shape[2]).T
                return b"".join(_run_lengths(plane.tobytes()) for plane in planes)
        return zlib.compress(stored.tobytes())

    def _properties(self, *entries: tuple[int, bytes | None]) -> None:
        for number, body in (*entries, (0, b"")):
            if body is not None:
                self._data += struct.pack(">II", number, len(body)) + body

    def _table(self, count: int) -> int:
        """Leave room for pointers; return where they begin."""
        start = len(self._data)
        self._data += bytes(count * struct.calcsize(self._pointer))
        return start

    def _fill(self, table: int, index: int, target: int) -> None:
        struct.pack_into(self._pointer, self._data, table + index * struct.calcsize(self._pointer), target)


def _text(words: str) -> bytes:
    return struct.pack(">I", len(words.encode()) + 1) + words.encode() + b"\0"


def _reals(*values: float) -> bytes:
    return struct.pack(f">{len(values)}f", *values)


def _run_lengths(plane: bytes) -> bytes:
    """Pack bytes with every kind of code: short and long runs, short and long copies."""
    packed, copied = bytearray(), bytearray()
    for value, run in groupby(plane):
        count = len(list(run))
        if count < 3:
            copied += bytes([value]) * count
            continue
        packed += _copy(bytes(copied))
        copied.clear()
        packed += bytes([count - 1, value]) if count < 128 else struct.pack(">BHB", 127, count, value)
    return bytes(packed + _copy(bytes(copied)))


def _copy(piece: bytes) -> bytes:
    if not piece:
        return b""
    head = bytes([256 - len(piece)]) if len(piece) < 128 else struct.pack(">BH", 128, len(piece))
    return head + piece


# --- text layers and cards --------------------------------------------------------------------------------------------


def said(words: str, size: float = 20 / 3, *, markup: bool = False, unit: str = "pixels", color: str = BLACK) -> str:
    """Return the attachment of a text layer as GIMP 2 writes it."""
    quoted = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    kind = "markup" if markup else "text"
    return (
        f'({kind} "{quoted}")\n(font "DejaVu Sans Condensed")\n(font-size {size:f})\n(font-size-unit {unit})\n'
        f"(antialias yes)\n(color {color})\n(box-width 78.000000)\n(box-height 29.000000)\n"
    )


def picture(width: int, height: int, channels: int = 4, kind: str = "uint8") -> Array:
    """Return pixels with runs and noise; alpha is opaque."""
    y, x = np.mgrid[:height, :width]
    top = np.iinfo(kind).max if np.dtype(kind).kind == "u" else 1
    planes = [(x * 3 + y) % 256 / 255, (x // 9 % 2), (x * 7919 + y * 104729) % 251 / 250, np.ones_like(x)]
    chosen = {1: planes[:1], 2: planes[:1] + planes[3:], 3: planes[:3], 4: planes}[channels]
    return np.stack([plane * top for plane in chosen], axis=2).astype(kind)


def card_layers(**changes: MadeLayer | None) -> list[MadeLayer]:
    """Return the layers of a creature of 100 x 140 pixels, with changes by the keys below; None removes one."""
    usual: dict[str, MadeLayer | None] = {
        "flavor": MadeLayer(name="Flavor Text", text=said("Howls.", 22 / 10)),
        "edition": MadeLayer(name="Edition Indicator", text=said("9th Edition", 18 / 10)),
        "defense": MadeLayer(name="Defense", text=said("10", 10)),
        "cost": MadeLayer(name="Cost", text=said("5", 10)),
        "offense": MadeLayer(name="Offense", text=said("3", 10)),
        "text": MadeLayer(name="Effect Text", text=said("HOWL: Draw 1 card.", 34 / 10)),
        "name": MadeLayer(name="Name", text=said("Old Wolf", 12 / 10, unit="points")),
        "credit": MadeLayer(name="Card License", text=said("Card design by A. Author, CC0.", 3 / 10, unit="points")),
        "template": MadeLayer(name="Creature Template", size=(100, 140)),
        "other": MadeLayer(name="Spell Template", size=(100, 140), visible=False),
        "picture": MadeLayer(name="Image", pixels=picture(90, 56), at=(5, 17)),
        "background": MadeLayer(name="Background", pixels=np.full((140, 100, 4), 255, np.uint8)),
    }
    return [layer for layer in (usual | changes).values() if layer]

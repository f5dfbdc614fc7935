"""Damaged and mutated PDFs against `kotc preflight`: bytes changed, cut and repeated, values exchanged, and bombs.

They grow from the sound files of other programs beside the tests, and from small files that are put together here.
"""

from __future__ import annotations

import random
import re
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from io import BytesIO
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf, StreamDecodeLevel, String

from proofs.hostile.bounds import Case
from render.exports import shop_files  # noqa: F401 - loaded once, so that no child of a run need do it
from tests.support.repository import ROOT

SOUND = ROOT / "tests/shops/sound"
AS = ("x-1a", "x-4", "a-2b", "drivethrucards", "pdf-x4", "pdf-a2b")
_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_NAME = re.compile(rb"/[A-Za-z][A-Za-z0-9]*")
_ODD_NUMBERS = (
    b"0",
    b"-1",
    b"1e9",
    b"4294967296",
    b"99999999999999999999",
    b"-0.0000001",
    b"65535",
    b"(a)",
    b"null",
    b"/N",
)
_ODD = (b"null", b"true", b"(x)", b"<FFFE00>", b"[]", b"<<>>", b"-1", b"[[[[[[[[]]]]]]]]", b"99 0 R", b"1 0 R", b"/X")
_CONTENTS = (
    b"q " * 30_000, b"Q " * 1000, b"[" * 5000, b"<<" * 5000, b"(" * 5000, b"0 0 m " + b"1 1 l " * 20_000 + b"S",
    b"BI /W 9 /H 9 /BPC 8 /CS /CMYK ID xyz", b"1e309 0 0 1 0 0 cm 0 0 9 9 re f", b"0 0 0 0 0 0 cm 0 0 9 9 re S",
    b"/F1 9 Tf (a) Tj", b"BT /F0 1e300 Tf (aaaa) Tj ET", b"1 2 3 4 5 6 7 re f", b"/P cs /P scn 0 0 9 9 re f",
    b"999999999999 w 0 0 m 9 9 l S", b"nan inf re f", b"%" * 9000, b"1 0 0 1 1 1 cm " * 30_000, b"\xff" * 999,
    b"BT /F0 9 Tf " + b"(abc) Tj " * 20_000 + b"ET", b"/Fm0 Do " * 5000,
    b"-----5 ++5 5..5 re f", b"0 0 9 9 re W n " * 9999,
)  # fmt: skip


@cache
def _seeds() -> tuple[bytes, ...]:
    """Return the sound files, unpacked as far as that makes them easier to hurt."""
    made = []
    for file in sorted(SOUND.glob("*.pdf")):
        made.append(file.read_bytes())
        out = BytesIO()
        with Pdf.open(file) as pdf:
            pdf.save(
                out, object_stream_mode=ObjectStreamMode.disable, stream_decode_level=StreamDecodeLevel.generalized
            )
        made.append(out.getvalue())
    return tuple(made)


def cases(seed: int) -> Iterator[Case]:
    """Yield damaged files without end."""
    chance = random.Random(seed)
    kinds = (*(_bytes_changed, _cut, _spliced, _numbers, _names, _values, _objects) * 3, _content, _bomb, _tangled)
    while True:
        kind, name = chance.choice(kinds), chance.choice(AS)
        try:
            with warnings.catch_warnings(action="ignore"):
                data = kind(chance)
        except (pikepdf.PdfError, RuntimeError, ValueError, TypeError):
            continue  # it is so broken that pikepdf does not write it
        write = partial(_write, data)
        yield Case(f"{kind.__name__[1:]} as {name}", write, (("preflight", "file.pdf", "--as", name),))


def _write(data: bytes, folder: Path) -> None:
    (folder / "file.pdf").write_bytes(data)


def _bytes_changed(chance: random.Random) -> bytes:
    data = bytearray(chance.choice(_seeds()))
    for _ in range(chance.choice((1, 3, 20, 300))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def _cut(chance: random.Random) -> bytes:
    data = chance.choice(_seeds())
    return data[chance.randrange(50) : chance.randrange(len(data))]


def _spliced(chance: random.Random) -> bytes:
    one, other = chance.choice(_seeds()), chance.choice(_seeds())
    at, start = chance.randrange(len(one)), chance.randrange(len(other))
    return one[:at] + other[start : start + chance.randrange(5000)] + one[at:]


def _replaced(chance: random.Random, what: re.Pattern[bytes], by: tuple[bytes, ...]) -> bytes:
    data = chance.choice(_seeds())
    found = list(what.finditer(data))
    for match in sorted(chance.sample(found, min(len(found), chance.choice((1, 2, 8)))), key=lambda one: -one.start()):
        data = data[: match.start()] + chance.choice(by) + data[match.end() :]
    return data


def _numbers(chance: random.Random) -> bytes:
    return _replaced(chance, _NUMBER, _ODD_NUMBERS)


def _names(chance: random.Random) -> bytes:
    known = tuple(sorted(set(_NAME.findall(chance.choice(_seeds())))))
    return _replaced(chance, _NAME, known)


def _values(chance: random.Random) -> bytes:
    return _replaced(chance, re.compile(rb"(?<=\s)(?:\d+ 0 R|\[[^\[\]]{0,80}\]|/[A-Za-z0-9]+)(?=\s)"), _ODD)


def _saved(change: Callable[[Pdf], object], chance: random.Random) -> bytes:
    out = BytesIO()
    with Pdf.open(BytesIO(chance.choice(_seeds()))) as pdf:
        change(pdf)
        pdf.save(out, compress_streams=False, stream_decode_level=StreamDecodeLevel.none, fix_metadata_version=False)
    return out.getvalue()


def _objects(chance: random.Random) -> bytes:
    """Exchange entries of dictionaries: what a file says stays in order, and means something else."""

    def change(pdf: Pdf) -> None:
        every = [each for each in pdf.objects if isinstance(each, Dictionary | pikepdf.Stream) and len(each.keys())]
        odd = [None, Name.X, -1, 0, 1 << 31, String("x"), Array([]), Dictionary(), Array([1, 2]), True]
        for _ in range(chance.choice((1, 2, 6))):
            one, other = chance.choice(every), chance.choice(every)
            key = chance.choice(sorted(one.keys()))
            value = chance.choice([other, other[chance.choice(sorted(other.keys()))], *odd])
            if key == "/Length":
                continue
            if value is None:
                del one[key]
            else:
                one[key] = value

    return _saved(change, chance)


def _content(chance: random.Random) -> bytes:
    def change(pdf: Pdf) -> None:
        streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        target = chance.choice([pdf.pages[0].obj, *streams])
        data = b"\n".join(chance.sample(_CONTENTS, 3))
        if isinstance(target, pikepdf.Stream):
            target.write(data)
        else:
            pdf.pages[0].contents_add(data)

    return _saved(change, chance)


def _packed(length: int, chance: random.Random) -> bytes:
    piece = chance.choice((b"\0", b" ", b"q Q ", b"0 0 m 9 9 l S ", b"1 1 1 1 k "))
    pack = zlib.compressobj(9)
    block = (piece * (1 << 20))[: 1 << 20]
    return b"".join(pack.compress(block) for _ in range(length >> 20)) + pack.flush()


def _bomb(chance: random.Random) -> bytes:
    """Put something into a file that unpacks to far more than it is."""

    def change(pdf: Pdf) -> None:
        bomb = _packed(chance.choice((8, 64, 300, 900)) << 20, chance)
        if chance.random() < 0.2:
            bomb = zlib.compress(bomb, 9)
        kind = chance.choice(("content", "picture", "font", "profile", "metadata", "function", "extra"))
        stream = pdf.make_stream(b"")
        stream.write(bomb, filter=Name.FlateDecode if chance.random() < 0.8 else Array([Name.FlateDecode] * 2))
        fonts = [each for each in pdf.objects if isinstance(each, Dictionary) and "/FontFile2" in each]
        match kind:
            case "content":
                pdf.pages[0].obj.Contents = stream
            case "font" if fonts:
                fonts[0].FontFile2 = stream
            case "profile" if "/OutputIntents" in pdf.Root:
                pdf.Root.OutputIntents[0].DestOutputProfile = stream
            case "metadata":
                pdf.Root.Metadata = stream
            case "picture":
                side = chance.choice((1, 1000, 15_000, 60_000))
                stream.Type, stream.Subtype, stream.Width, stream.Height = Name.XObject, Name.Image, side, side
                stream.ColorSpace, stream.BitsPerComponent = Name.DeviceCMYK, 8
                pdf.pages[0].add_resource(stream, Name.XObject)
            case "function":
                stream.FunctionType, stream.BitsPerSample = chance.choice((0, 4)), 8
                stream.Domain, stream.Range, stream.Size = Array([0, 1]), Array([0, 1] * 4), Array([1 << 20])
                blend = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Function=stream)
                pdf.pages[0].add_resource(blend, Name.Shading)
            case _:
                pdf.Root.Extra = stream

    return _saved(change, chance)


def _tangled(chance: random.Random) -> bytes:
    """Let forms draw forms, many times over or in a circle; let spaces be made of spaces, and pages be many."""

    def change(pdf: Pdf) -> None:
        kind, times = chance.choice(("forms", "circle", "spaces", "pages", "deep")), chance.choice((2, 10, 60))
        inner = pdf.make_stream(b"0 0 m 5 5 l S\n" * 10)
        inner.Type, inner.Subtype, inner.BBox = Name.XObject, Name.Form, Array([0, 0, 99, 99])
        for _ in range(12 if kind == "forms" else 2):
            outer = pdf.make_stream(b"/In Do " * times)
            outer.Type, outer.Subtype, outer.BBox = Name.XObject, Name.Form, Array([0, 0, 99, 99])
            outer.Resources = Dictionary(XObject=Dictionary(In=inner))
            inner = pdf.make_indirect(outer)
        if kind == "circle":
            inner.Resources.XObject.In = inner
        name = pdf.pages[0].add_resource(inner, Name.XObject)
        pdf.pages[0].contents_add(f"{name} Do".encode())
        if kind == "spaces":
            of = pdf.make_indirect(Array([Name.Indexed, Name.DeviceRGB, 1, String("abc")]))
            of[1] = of
            pdf.pages[0].add_resource(of, Name.ColorSpace, Name.Own)
            pdf.pages[0].contents_add(b"/Own cs 1 sc")
        if kind == "pages":
            for _ in range(times * 20):
                pdf.pages.append(pdf.pages[0])
        if kind == "deep":
            value = Array([])
            for _ in range(400):
                value = Array([value])
            pdf.pages[0].obj.TrimBox = value

    return _saved(change, chance)

"""Damaged and changed PDFs against `kotc verify`: sheets and a file of a shop, whose bytes, values, contents, fonts,
pictures and tickets are others; alone, or held to the cards of their set."""

from __future__ import annotations

import io
import json
import random
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from PIL import Image

from proofs.hostile.bounds import Case
from render.base.geometry import Size
from render.exports.print_files import PrintJob, print_files, sheets
from render.exports.shop_files import ShopOptions, shop_files
from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.sheets.options import Backs, Crop, SheetOptions
from render.shops.profiles import shops
from tests.support.sets import write_set
from tests.support.templates import with_plain_back

SET = "name: Few\nedition: 17\n"
CARDS = """\
- {name: Gnu, kind: minion, level: 3, sp: 1, hp: 4, text: "GRAZE: When this card rests: Draw a card.", art: gnu.png}
- {name: Hen, kind: pawn, copies: 2}
"""

Change = Callable[[Pdf, random.Random], object]


def cases(seed: int) -> Iterator[Case]:
    """Yield changed files, of all kinds in turn."""
    chance = random.Random(seed)
    for number in count():
        base = chance.choice(_bases())
        kind = number % (len(CHANGES) + 1)
        own = chance.randrange(2**32)
        data = _bytes_changed(base, random.Random(own)) if kind == len(CHANGES) else b""
        name = f"{'bytes' if data else CHANGES[kind].__name__} {own}"
        with_set = chance.random() < 0.1
        command = ("verify", "a.pdf", "--set", str(_set())) if with_set else ("verify", "a.pdf")

        def write(folder: Path, base: bytes = base, kind: int = kind, own: int = own, data: bytes = data) -> None:
            (folder / "a.pdf").write_bytes(data or _changed(base, CHANGES[kind], random.Random(own)))

        yield Case(name, write, (command,))


_HOME = TemporaryDirectory(prefix="kotc-hostile-set-")


@cache
def _set() -> Path:
    folder = with_plain_back(write_set(Path(_HOME.name) / "few", CARDS, SET))
    picture = io.BytesIO()
    Image.linear_gradient("L").convert("RGB").resize((675, 420)).save(picture, "PNG")
    (folder / "gnu.png").write_bytes(picture.getvalue())
    return folder


@cache
def _bases() -> tuple[bytes, ...]:
    """Return files that pass: sheets of several kinds, and that of a shop."""
    sets, _ = survey([_set()])
    job = PrintJob(tuple(sets), tuple(face for card_set in sets for face in lay_out_set(card_set).faces))
    small = Size(150.0, 210.0)
    options = (
        SheetOptions(paper=small),
        SheetOptions(bleed=2.0, crop_marks=Crop.CORNER, cut_line=True),
        SheetOptions(backs=Backs.FOLD, paper=Size(420.0, 297.0)),
    )
    made = [b"".join(print_files(job, sheets(job, each), Path("sheets.pdf"))[0].data()) for each in options]
    shop = dict(shop_files(job, shops()["pdf-x4"], ShopOptions()))["cards.pdf"]
    return (*made, shop)


def _changed(base: bytes, change: Change, chance: random.Random) -> bytes:
    """Return a file changed, in the plain structure that is read on."""
    with Pdf.open(io.BytesIO(base)) as pdf:
        for _ in range(chance.choice([1, 1, 2, 5])):
            with suppress(Exception):  # what an earlier change took away cannot be changed again
                change(pdf, chance)
        out = io.BytesIO()
        pdf.save(out, static_id=True)
    return out.getvalue()


def _bytes_changed(base: bytes, chance: random.Random) -> bytes:
    data = bytearray(base)
    for _ in range(chance.choice([1, 3, 30, 300])):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0 | 1:
                data[at] = chance.randrange(256)
            case 2:
                del data[at : at + chance.randrange(1, 40)]
            case 3:
                data[at:at] = data[chance.randrange(len(data)) :][: chance.randrange(1, 2000)]
    return bytes(data)


# --- values and tickets ---------------------------------------------------------------------------------------------

JUNK: list[Callable[[Pdf], object]] = [
    lambda _: 0,
    lambda _: -1,
    lambda _: 2**62,
    lambda _: True,
    lambda _: Name.Junk,
    lambda _: String("junk"),
    lambda _: Array(),
    lambda _: Array([1, Name.A, Array()]),
    lambda _: Array([2**40] * 6),
    lambda _: Dictionary(),
    lambda pdf: pdf.make_stream(b"junk"),
    lambda pdf: pdf.pages[0].obj,
    lambda pdf: pdf.Root,
]


def value(pdf: Pdf, chance: random.Random) -> None:
    holders = [held for owner in pdf.objects for held in _dictionaries(owner, 4)]
    holder = chance.choice([held for held in holders if len(held.keys())])
    key = chance.choice(sorted(set(holder.keys()) - {"/Length"}) or ["/Added"])
    holder[key] = chance.choice(JUNK)(pdf)


def _dictionaries(held: object, depth: int) -> list[Object]:
    if not isinstance(held, Dictionary | Stream) or depth == 0:
        return []
    inner = (one for _, one in sorted(held.items()) if isinstance(one, Dictionary) and not one.is_indirect)
    return [held, *(found for one in inner for found in _dictionaries(one, depth - 1))]


def ticket(pdf: Pdf, chance: random.Random) -> None:
    held = pdf.Root.PieceInfo.kotc
    said = json.loads(str(held.Private))
    inner = said["marks"] if "marks" in said and chance.random() < 0.4 else said
    key = chance.choice(sorted(inner))
    inner[key] = chance.choice(TICKETS)
    if chance.random() < 0.2:
        said |= {"paper": [2000, 2000], "card": [10, 10], "grid": [99, 99], "gutter": [chance.random() * 10, 0]}
    held.Private = String(json.dumps(said))


TICKETS: list[object] = [
    0,
    -1,
    1e9,
    1e308,
    5e-324,
    None,
    True,
    "",
    "full",
    "corner",
    "mirror",
    "x" * 5000,
    [],
    {},
    [1, 2],
    [0, 0],
]
TICKETS += [[1e6, 1e6], [99, 99], [1, 999999, 999999], [["gnu", 999999, None]], [["gnu", 1, "a"]] * 3, [[[[]]]]]


# --- contents -------------------------------------------------------------------------------------------------------

PIECES = [
    *(b"q", b"Q", b"W", b"n", b"W n", b"f", b"f*", b"S", b"B", b"h", b"BT", b"ET", b"EMC", b"BI", b"sh", b"gs"),
    *(b"0 0 9 9 re", b"1 0 0 1 5 5 cm", b"0 0 0 0 0 0 cm", b"999999999 0 0 999999999 0 0 cm", b"/Card BDC", b"1 g"),
    *(b"0 G .1 w 0 J 0 j 4 M 9 9 m 99 99 l S", b"3 Tr", b"[1 2] 0 d", b"1 Ts", b"/A Do", b"[<0024>] TJ", b"[<", b"%"),
    *(b"1 g 20 20 m 90 20 l 90 90 l h f", b"9" * 400 + b" w", b"[" * 99, b"(" * 99, b"<<" * 99, b"1 " * 5000),
    *(b"/Card << /Name (gnu) /Side /Front >> BDC", b"q 0 0 1 1 re W n 1 0 0 1 0 0 cm Q EMC", b"1e9 0 m", b"--1 w"),
]


def pieces(pdf: Pdf, chance: random.Random) -> None:
    """Put instructions into a content, or take some out."""
    stream = chance.choice(_contents(pdf))
    words = stream.read_bytes().split(b"\n")
    for _ in range(chance.choice([1, 2, 9])):
        at = chance.randrange(len(words) + 1)
        if chance.random() < 0.5:
            words[at:at] = [chance.choice(PIECES)] * chance.choice([1, 1, 1, 2, 2000])
        else:
            del words[at : at + chance.choice([1, 1, 3])]
    stream.write(b"\n".join(words))


def numbers(pdf: Pdf, chance: random.Random) -> None:
    """Change numbers of a content."""
    stream = chance.choice(_contents(pdf))
    words = stream.read_bytes().split(b" ")
    for _ in range(chance.choice([1, 3, 20])):
        words[chance.randrange(len(words))] = chance.choice(
            [b"0", b"-1", b"1000000", b".001", b"-99999", b"7", b"1.5.5"]
        )
    stream.write(b" ".join(words))


def flood(pdf: Pdf, chance: random.Random) -> None:
    """Let a content be very long, or its forms very many."""
    stream = chance.choice(_contents(pdf))
    piece = chance.choice(
        [b"q Q ", b"9 9 m 5 5 l ", b"[<0024>] TJ ", b"0 g ", b"1 0 0 1 1 1 cm ", b"/A Do ", b"1 2 3 "]
    )
    body = piece * chance.choice([1000, 100_000, 2_000_000])
    stream.write(stream.read_bytes() + b"\n" + (b"BT " + body + b"ET" if b"TJ" in piece else body))


def nested(pdf: Pdf, chance: random.Random) -> None:
    """Draw forms that draw forms."""
    held = Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=Array([-9999, -9999, 9999, 9999]))
    body = chance.choice([b"0 g 1 1 m 9 9 l 9 1 l h f", b"0 g", b""])
    drawn = pdf.make_stream(body, held)
    for _ in range(chance.choice([3, 9, 11, 40])):
        inner = drawn
        drawn = pdf.make_stream(b"/A Do " * chance.choice([1, 10, 100]), held)
        drawn.Resources = Dictionary(XObject=Dictionary(A=inner))
    page = chance.choice(list(pdf.pages))
    page.Resources.XObject.Added = drawn
    page.Contents = pdf.make_stream(page.Contents.read_bytes() + b"\n/Added Do")


def _contents(pdf: Pdf) -> list[Stream]:
    forms = [held for held in pdf.objects if isinstance(held, Stream) and held.get("/Subtype") == Name.Form]
    return [held for page in pdf.pages if isinstance(held := page.get("/Contents"), Stream)] + forms


# --- what is packed -------------------------------------------------------------------------------------------------


def fonts(pdf: Pdf, chance: random.Random) -> None:
    """Change a font's program, its map to letters or its widths."""
    descriptors = [held for held in pdf.objects if isinstance(held, Dictionary) and "/FontFile2" in held]
    held = [held for held in pdf.objects if isinstance(held, Dictionary) and "/ToUnicode" in held]
    if not descriptors or not held:
        return
    stream = chance.choice([chance.choice(descriptors).FontFile2, chance.choice(held).ToUnicode])
    data = bytearray(stream.read_bytes())
    for _ in range(chance.choice([1, 5, 100])):
        data[chance.randrange(len(data))] = chance.randrange(256)
    stream.write(bytes(data[: chance.choice([len(data), len(data), len(data) // 2, 13])]))


def pictures(pdf: Pdf, chance: random.Random) -> None:
    """Change a picture: its data, its size, or both."""
    held = [held for held in pdf.objects if isinstance(held, Stream) and held.get("/Subtype") == Name.Image]
    if not held:
        return
    picture = chance.choice(held)
    match chance.randrange(4):
        case 0:
            picture.Width = chance.choice([0, -5, 1, 7999, 2**31])
        case 1:
            data = zlib.compress(bytes(chance.choice([1, 1000, 100_000_000])), 9)
            picture.write(
                data, filter=Name.FlateDecode, decode_parms=cast("Dictionary | None", picture.get("/DecodeParms"))
            )
        case 2:
            out = io.BytesIO()
            Image.new("RGB", (chance.choice([1, 675, 5000]), chance.choice([1, 420, 5000]))).save(out, "JPEG")
            cut = out.getvalue()[: chance.choice([10**9, 700, 20])]
            picture.write(cut, filter=Name.DCTDecode)
            if "/DecodeParms" in picture:
                del picture.DecodeParms
        case _:
            picture.ColorSpace = chance.choice([Name.DeviceCMYK, Name.DeviceGray, Name.Pattern])


def pages(pdf: Pdf, chance: random.Random) -> None:
    """Lose, repeat or exchange pages, or change their boxes."""
    match chance.randrange(4):
        case 0 if len(pdf.pages) > 1:
            del pdf.pages[chance.randrange(len(pdf.pages))]
        case 1:
            for _ in range(chance.choice([1, 3, 60])):
                pdf.pages.append(pdf.pages[0])
        case 2:
            pdf.pages.reverse()
        case _:
            box: list[float] = chance.choice([[0, 0, 10**6, 10**6], [0, 0, 0, 0], [5, 5, 1, 1], [-1e9, -1e9, 1e9, 1e9]])
            chance.choice(list(pdf.pages))[chance.choice(["/MediaBox", "/CropBox", "/TrimBox"])] = Array(box)


CHANGES: tuple[Change, ...] = (value, ticket, pieces, numbers, flood, nested, fonts, pictures, pages)

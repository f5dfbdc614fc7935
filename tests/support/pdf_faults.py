"""Faults that are put into a finished PDF, one by one: what each is called, and what does it."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, StreamDecodeLevel, String
from PIL import Image

from render.exports.print_files import PrintJob
from render.exports.shop_files import ShopOptions, shop_files
from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.shops.profiles import PdfShop, shops
from tests.support.sets import write_set

Fault = Callable[[Pdf], object]


def draws(operators: str) -> Fault:
    """Return the fault of drawing more on the first page."""

    def seed(pdf: Pdf) -> None:
        pdf.pages[0].contents_add(operators.encode())

    return seed


def in_a_form(operators: str) -> Fault:
    """Return the fault of drawing within a form within a form of the second page."""

    def seed(pdf: Pdf) -> None:
        inner = pdf.make_stream(operators.encode())
        inner.Type, inner.Subtype, inner.BBox = Name.XObject, Name.Form, Array([0, 0, 10, 10])
        outer = pdf.make_stream(b"/Inner Do")
        outer.Type, outer.Subtype, outer.BBox = Name.XObject, Name.Form, Array([0, 0, 10, 10])
        outer.Resources = Dictionary(XObject=Dictionary(Inner=inner))
        pdf.pages[1].add_resource(outer, Name.XObject)

    return seed


def page(**entries: Any) -> Fault:
    def seed(pdf: Pdf) -> None:
        for key, value in entries.items():
            pdf.pages[0].obj[f"/{key}"] = value

    return seed


def picture(data: bytes, **entries: Any) -> Fault:
    """Return the fault of a picture of 1 x 1 pixel among the resources of the first page."""

    def seed(pdf: Pdf) -> None:
        image = pdf.make_stream(data)
        image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, 1, 1
        image.BitsPerComponent = 8
        for key, value in entries.items():
            image[f"/{key}"] = pdf.make_stream(value) if isinstance(value, bytes) else value
        pdf.pages[0].add_resource(image, Name.XObject)

    return seed


def state(**entries: Any) -> Fault:
    def seed(pdf: Pdf) -> None:
        pdf.pages[0].add_resource(Dictionary(**entries), Name.ExtGState)

    return seed


def root(key: str, value: object) -> Fault:
    def seed(pdf: Pdf) -> None:
        pdf.Root[f"/{key}"] = value

    return seed


def info(key: str, value: object | None) -> Fault:
    def seed(pdf: Pdf) -> None:
        if value is None:
            del pdf.docinfo[f"/{key}"]
        else:
            pdf.docinfo[f"/{key}"] = value

    return seed


def intent(change: Callable[[pikepdf.Object], object]) -> Fault:
    return lambda pdf: change(pdf.Root.OutputIntents[0])


def no_intent(pdf: Pdf) -> None:
    del pdf.Root.OutputIntents


def two_intents(pdf: Pdf) -> None:
    pdf.Root.OutputIntents.append(pdf.Root.OutputIntents[0])


def profile(start: int, word: bytes) -> Fault:
    """Return the fault of a profile whose header says something else."""

    def change(one: pikepdf.Object) -> None:
        data = one.DestOutputProfile.read_bytes()
        one.DestOutputProfile.write(data[:start] + word + data[start + len(word) :])

    return intent(change)


def no_condition(one: pikepdf.Object) -> None:
    del one["/OutputConditionIdentifier"]


def no_trim_box(pdf: Pdf) -> None:
    del pdf.pages[0].obj["/TrimBox"]


def no_bleed(pdf: Pdf) -> None:
    pdf.pages[0].obj.TrimBox = pdf.pages[0].obj.MediaBox


def no_font_file(pdf: Pdf) -> None:
    descriptor = next(each for each in pdf.objects if isinstance(each, Dictionary) and "/FontFile2" in each)
    del descriptor["/FontFile2"]


def other_font(pdf: Pdf) -> None:
    pdf.pages[0].add_resource(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica), Name.Font)


def lzw(pdf: Pdf) -> None:
    stream = pdf.make_stream(b"")
    stream.write(b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", filter=Name.LZWDecode)
    pdf.Root.Extra = stream


def another_file(pdf: Pdf) -> None:
    stream = pdf.make_stream(b"")
    stream.F = String("elsewhere.bin")
    pdf.Root.Extra = stream


def page_of_another_file(pdf: Pdf) -> None:
    form = pdf.make_stream(b"")
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 10, 10])
    form.Ref = Dictionary(F=String("elsewhere.pdf"), Page=0)
    pdf.pages[0].add_resource(form, Name.XObject)


def untouched(_: Pdf) -> None:
    pass


def pages_swapped(pdf: Pdf) -> None:
    first = pdf.pages[0]
    del pdf.pages[0]
    pdf.pages.insert(1, first)


def page_missing(pdf: Pdf) -> None:
    del pdf.pages[-1]


def backs_exchanged(pdf: Pdf) -> None:
    kids = pdf.Root.Pages.Kids
    kids[0], kids[2] = pdf.pages[2].obj, pdf.pages[0].obj


def script(pdf: Pdf) -> None:
    names = Dictionary(JavaScript=Dictionary(Names=Array([])))
    pdf.Root.Names = names


def tint(name: str, transform: str, operators: str) -> Fault:
    """Return the fault of a spot color, whose alternate space is CMYK or another, drawn with these operators."""

    def seed(pdf: Pdf) -> None:
        function = Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1)
        space = Array([Name.Separation, Name(f"/{name}"), Name(f"/{transform}"), function])
        pdf.pages[0].add_resource(space, Name.ColorSpace, Name.Spot)
        pdf.pages[0].contents_add(operators.encode())

    return seed


SHADING = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK)
TRANSPARENT = Dictionary(S=Name.Transparency)


def changed(data: bytes, seed: Fault, version: str = "1.4") -> bytes:
    out = BytesIO()
    with Pdf.open(BytesIO(data)) as pdf:
        seed(pdf)
        kept = {"compress_streams": False, "stream_decode_level": StreamDecodeLevel.none}
        pdf.save(out, force_version=version, deterministic_id=True, fix_metadata_version=False, **kept)
    return out.getvalue()


CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: picture.png, back: none}
- {name: Two, kind: spell, level: 2, text: Draw 1 card., back: none}
"""


def job_of_two(folder: Path) -> PrintJob:
    """Return two cards, one of them with a picture."""
    written = write_set(folder, CARDS)
    Image.new("RGB", (700, 500), "teal").save(written / "picture.png")
    (card_set,) = load_sets([written])
    return PrintJob((card_set,), lay_out_set(card_set).faces)


def shop_file(job: PrintJob, name: str) -> bytes:
    """Return the PDF that is made of a job for a shop."""
    found = shops()[name]
    assert isinstance(found, PdfShop)
    return next(iter(shop_files(job, found, ShopOptions())))[1]


def font_of(pdf: Pdf, kind: str = "/CIDFontType2") -> pikepdf.Object:
    """Return a font of a file."""
    return next(each for each in pdf.objects if isinstance(each, Dictionary) and each.get("/Subtype") == Name(kind))


def text(size: float, x: float, y: float, color: str = "0 0 0 1 k") -> Fault:
    """Return the fault of a glyph of that size in pt at that place of the first page, set in a font of the file."""

    def seed(pdf: Pdf) -> None:
        first = pdf.pages[1]
        forms = (each for each in pdf.objects if isinstance(each, pikepdf.Stream) and "/Resources" in each)
        fonts = next(form.Resources.Font for form in forms if "/Font" in form.Resources)
        name = min(fonts.keys())
        parts = list(fonts[name].DescendantFonts[0].W)
        listed = ((int(start), list(widths)) for start, widths in zip(parts[::2], parts[1::2], strict=True))
        glyph = next(start + k for start, widths in listed for k, width in enumerate(widths) if int(width) > 500)
        first.obj.Resources.Font = fonts
        _add(first, f"BT {color} {name} {size} Tf {x} {y} Td <{glyph:04x}> Tj ET")

    return seed


def on_front(operators: str) -> Fault:
    """Return the fault of drawing more on the second page, which is a front at most shops."""

    def seed(pdf: Pdf) -> None:
        _add(pdf.pages[1], operators)

    return seed


def _add(page: pikepdf.Page, operators: str) -> None:
    """Draw more on a page, in points from its corner whatever was drawn before."""
    page.contents_add(b"q\n", prepend=True)
    page.contents_add(f"\nQ\n{operators}".encode())


def drawn_picture(data: bytes, width: int, height: int, where: str, **entries: Any) -> Fault:
    """Return the fault of a picture drawn on the first page by a matrix, packed as `entries` say."""

    def seed(pdf: Pdf) -> None:
        image = pdf.make_stream(b"")
        packed = entries.pop("Filter", None)
        image.write(data, filter=packed) if packed is not None else image.write(data)
        image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, width, height
        image.BitsPerComponent = 8
        for key, value in entries.items():
            image[f"/{key}"] = value
        name = pdf.pages[0].add_resource(image, Name.XObject)
        _add(pdf.pages[0], f"q {where} cm {name} Do Q")

    return seed


def shading(**entries: Any) -> Fault:
    """Return the fault of a blend, which is painted."""

    def seed(pdf: Pdf) -> None:
        name = pdf.pages[0].add_resource(Dictionary(**entries), Name.Shading)
        pdf.pages[0].contents_add(f"q {name} sh Q".encode())

    return seed


def resource(kind: Name, value: object, name: Name | None = None) -> Fault:
    return lambda pdf: pdf.pages[0].add_resource(value, kind, name)  # type: ignore[arg-type]


def note(pdf: Pdf, **entries: Any) -> None:
    """Lay a note over the first page."""
    said = Dictionary(Type=Name.Annot, Rect=Array([40, 40, 60, 60]), **entries)
    pdf.pages[0].obj.Annots = Array([pdf.make_indirect(said)])


def noted(**entries: Any) -> Fault:
    return lambda pdf: note(pdf, **entries)


def looking(operators: str) -> Fault:
    """Return the fault of a note that looks so."""

    def seed(pdf: Pdf) -> None:
        look = pdf.make_stream(operators.encode("ascii"), Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 20, 20])
        note(pdf, Subtype=Name.Square, F=4, AP=Dictionary(N=look))

    return seed


def xmp(old: bytes, new: bytes) -> Fault:
    """Return the fault of other words in the XMP packet."""

    def seed(pdf: Pdf) -> None:
        words = pdf.Root.Metadata.read_bytes()
        assert old in words
        pdf.Root.Metadata.write(words.replace(old, new))

    return seed


def font(change: Callable[[pikepdf.Object], object]) -> Fault:
    """Return the fault of another entry of a font."""
    return lambda pdf: (change(font_of(pdf)), None)[1]


def embedded(name: str, data: bytes) -> Fault:
    def seed(pdf: Pdf) -> None:
        pdf.attachments[name] = pikepdf.AttachedFileSpec(
            pdf, data, filename=name, description="", mime_type="", creation_date="", mod_date=""
        )

    return seed


def jpeg(mode: str, color: tuple[int, ...]) -> bytes:
    out = BytesIO()
    Image.new(mode, (32, 32), color).save(out, "JPEG")
    return out.getvalue()

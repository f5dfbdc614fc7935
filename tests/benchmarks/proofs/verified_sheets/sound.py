"""Sound sheets: our own with other options, and as other programs save them again; `kotc verify` refuses none.

Each is made of sheets of `whole_sheets`. A program that is missing is said, and its files are not judged.
"""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pypdfium2
from pikepdf import (
    Array,
    AttachedFileSpec,
    Dictionary,
    Encryption,
    Name,
    ObjectStreamMode,
    OutlineItem,
    Pdf,
    String,
)

from proofs.verified_sheets.right_sheets import font_set, made_fonts
from proofs.verified_sheets.whole_sheets import Sheets, garden, printed, sheets, starter

Edit = Callable[[Pdf], None]


class Sound(NamedTuple):
    """A sound file: its name, how it is made, by which program, and whether it says what it is to be, as ours do."""

    name: str
    make: Callable[[], Sheets]
    program: str = "kotc"
    has_notes: bool = True
    in_sample: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether its program is not installed."""
        if self.program == "pypdf":
            return find_spec("pypdf") is None
        return self.program in ("gs", "mutool", "qpdf") and shutil.which(self.program) is None


# --- saved by pikepdf -------------------------------------------------------------------------------------------------


def _resaved(of: str, change: Edit | None = None, **options: Any) -> Sheets:
    """Return sheets after a change, saved again."""
    return _each(of, partial(_saved, change=change, options=options))


def _saved(data: bytes, change: Edit | None, options: Mapping[str, Any]) -> bytes:
    out = io.BytesIO()
    with Pdf.open(io.BytesIO(data)) as pdf:
        if change:
            change(pdf)
        pdf.save(out, **options)
    return out.getvalue()


def _each(of: str, change: Callable[[bytes], bytes]) -> Sheets:
    whole = sheets(of)
    return whole._replace(files={name: change(data) for name, data in whole.files.items()})


def _metadata(pdf: Pdf) -> None:
    with pdf.open_metadata() as said:
        said["dc:title"] = "Garden, for the print shop"
        said["xmp:CreatorTool"] = "Another program"
        said["dc:creator"] = ["Somebody"]
    pdf.docinfo[Name.Author] = "Somebody"


def _outlines(pdf: Pdf) -> None:
    with pdf.open_outline() as outline:
        outline.root.extend(OutlineItem(f"Page {number + 1}", number) for number in range(len(pdf.pages)))


def _page_labels(pdf: Pdf) -> None:
    pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.r), 2, Dictionary(S=Name.D, P=String("A-"))]))


def _destinations(pdf: Pdf) -> None:
    target = Array([pdf.pages[0].obj, Name.Fit])
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([String("first"), target])))


def _attachment(pdf: Pdf) -> None:
    pdf.attachments["order.txt"] = AttachedFileSpec(pdf, b"200 copies, please", filename="order.txt")


def _thumbnails(pdf: Pdf) -> None:
    for page in pdf.pages:
        small = pdf.make_stream(bytes(48), Width=4, Height=4, BitsPerComponent=8)
        small.ColorSpace = Name.DeviceRGB
        page.Thumb = small


def _opens_so(pdf: Pdf) -> None:
    """As another viewer leaves it: the window fits the page, and two pages are side by side."""
    wishes = pdf.Root.ViewerPreferences
    wishes.HideToolbar, wishes.FitWindow, wishes.CenterWindow, wishes.DisplayDocTitle = True, True, True, True
    wishes.NonFullScreenPageMode, wishes.Direction = Name.UseThumbs, Name.L2R
    pdf.Root.PageLayout, pdf.Root.PageMode = Name.TwoPageRight, Name.UseThumbs
    pdf.Root.OpenAction = Array([pdf.pages[0].obj, Name.Fit])


def _contents_in_parts(pdf: Pdf) -> None:
    for page in pdf.pages:
        lines = page.Contents.read_bytes().splitlines(keepends=True)
        third = len(lines) // 3 + 1
        parts = (lines[:third], lines[third : 2 * third], lines[2 * third :])
        page.Contents = Array([pdf.make_stream(b"".join(part)) for part in parts])


def _resources_inherited(pdf: Pdf) -> None:
    """Each page has a node of the page tree above it, which has its resources."""
    root, kids = pdf.Root.Pages, []
    for page in [page.obj for page in pdf.pages]:
        node = Dictionary(Type=Name.Pages, Count=1, Kids=Array([page]), Resources=page.Resources, Parent=root)
        kids.append(pdf.make_indirect(node))
        page.Parent = kids[-1]
        del page["/Resources"]
    root.Kids = Array(kids)


def _boxes_inherited(pdf: Pdf) -> None:
    pdf.Root.Pages.MediaBox = pdf.pages[0].MediaBox
    for page in pdf.pages:
        del page.obj["/MediaBox"]


def _boxes_by_reference(pdf: Pdf) -> None:
    for page in pdf.pages:
        page.obj.MediaBox = pdf.make_indirect(Array([pdf.make_indirect(value) for value in page.MediaBox]))
        page.obj.Rotate = 0


def _more_boxes(pdf: Pdf) -> None:
    for page in pdf.pages:
        page.obj.CropBox = page.obj.BleedBox = page.obj.ArtBox = page.MediaBox


def _nested_page_tree(pdf: Pdf) -> None:
    root, kids = pdf.Root.Pages, list(pdf.Root.Pages.Kids)
    nodes = []
    for start in range(0, len(kids), 2):
        node = pdf.make_indirect(Dictionary(Type=Name.Pages, Parent=root, Kids=Array(kids[start : start + 2]), Count=2))
        for kid in kids[start : start + 2]:
            kid.Parent = node
        nodes.append(node)
    root.Kids = Array(nodes)


def _tagged(pdf: Pdf) -> None:
    pdf.Root.StructTreeRoot = Dictionary(Type=Name.StructTreeRoot)
    pdf.Root.MarkInfo = Dictionary(Marked=False)


def _group_of_the_page(pdf: Pdf) -> None:
    """As programs write it that know of transparency."""
    for page in pdf.pages:
        page.Group = Dictionary(Type=Name.Group, S=Name.Transparency, CS=Name.DeviceRGB)


def _wrapped(pdf: Pdf) -> None:
    """What is drawn is put between `q` and `Q`, as programs do that add to a page."""
    for page in pdf.pages:
        page.contents_add(b"q\n", prepend=True)
        page.contents_add(b"\nQ\n")


EDITS: dict[str, Edit] = {
    "metadata and XMP": _metadata,
    "outlines": _outlines,
    "page labels": _page_labels,
    "named destinations": _destinations,
    "an attachment": _attachment,
    "thumbnails": _thumbnails,
    "preferences of another viewer": _opens_so,
    "contents in several streams": _contents_in_parts,
    "resources of the page tree": _resources_inherited,
    "boxes of the page tree": _boxes_inherited,
    "boxes by reference": _boxes_by_reference,
    "a CropBox, BleedBox and ArtBox of the whole page": _more_boxes,
    "a page tree of two levels": _nested_page_tree,
    "a root of tags": _tagged,
    "a group of each page": _group_of_the_page,
    "contents between q and Q": _wrapped,
}
_SAVED: dict[str, dict[str, Any]] = {
    "linearised": {"linearize": True},
    "with object streams": {"object_stream_mode": ObjectStreamMode.generate},
    "without object streams": {"object_stream_mode": ObjectStreamMode.disable},
    "uncompressed": {"compress_streams": False, "stream_decode_level": None},
    "recompressed": {"recompress_flate": True},
    "with normal contents": {"normalize_content": True},
    "as PDF 2.0": {"force_version": "2.0"},
    "as PDF 1.4": {"force_version": "1.4"},
    "encrypted with an empty password": {"encryption": Encryption(owner="keeper", user="")},
    "encrypted by RC4 with an empty password": {
        "encryption": Encryption(owner="keeper", user="", R=3, aes=False, metadata=False)
    },
}


# --- saved by other programs ------------------------------------------------------------------------------------------


def _run(of: str, *command: str) -> Sheets:
    """Return sheets that a program has saved."""
    return _each(of, partial(saved_by, command))


def saved_by(command: Sequence[str], data: bytes) -> bytes:
    """Return a file that a program has saved: in its command `IN` and `OUT` stand for files."""
    with TemporaryDirectory() as home:
        before, after = Path(home) / "in.pdf", Path(home) / "out.pdf"
        before.write_bytes(data)
        words = [word.replace("IN", str(before)).replace("OUT", str(after)) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert after.is_file(), done.stderr
        return after.read_bytes()


GHOSTSCRIPT = ("gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-sOutputFile=OUT")
CMYK = ("-sProcessColorModel=DeviceCMYK", "-sColorConversionStrategy=CMYK")
_GRAY = ("-sProcessColorModel=DeviceGray", "-sColorConversionStrategy=Gray")
_SAVERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("saved by Ghostscript", "garden"): (*GHOSTSCRIPT, "IN"),
    ("saved by Ghostscript, /prepress", "ox"): (*GHOSTSCRIPT, "-dPDFSETTINGS=/prepress", "IN"),
    ("saved by Ghostscript, /prepress", "garden"): (*GHOSTSCRIPT, "-dPDFSETTINGS=/prepress", "IN"),
    ("saved by Ghostscript, /printer", "garden"): (*GHOSTSCRIPT, "-dPDFSETTINGS=/printer", "IN"),
    ("saved by Ghostscript, /prepress", "starter"): (*GHOSTSCRIPT, "-dPDFSETTINGS=/prepress", "IN"),
    ("saved by Ghostscript, /prepress", "garden fold"): (*GHOSTSCRIPT, "-dPDFSETTINGS=/prepress", "IN"),
    ("saved by Ghostscript, /prepress", "garden x-4"): (*GHOSTSCRIPT, "-dPDFSETTINGS=/prepress", "IN"),
    ("saved by Ghostscript, CMYK", "ox"): (*GHOSTSCRIPT, *CMYK, "IN"),
    ("saved by Ghostscript, CMYK", "garden"): (*GHOSTSCRIPT, *CMYK, "IN"),
    ("saved by Ghostscript, CMYK and /prepress", "starter"): (*GHOSTSCRIPT, *CMYK, "-dPDFSETTINGS=/prepress", "IN"),
    ("saved by Ghostscript, gray", "garden"): (*GHOSTSCRIPT, *_GRAY, "IN"),
    ("saved by Ghostscript, gray", "garden x-4"): (*GHOSTSCRIPT, *_GRAY, "IN"),
    ("saved by mutool", "garden"): ("mutool", "clean", "IN", "OUT"),
    ("saved by mutool, all compressed anew", "garden"): ("mutool", "clean", "-gggg", "-z", "-f", "-i", "IN", "OUT"),
    ("saved by mutool, contents made clean", "garden"): ("mutool", "clean", "-gggg", "-s", "IN", "OUT"),
    ("saved by mutool", "starter"): ("mutool", "clean", "-gg", "-z", "IN", "OUT"),
    ("saved by qpdf, for editors", "starter"): ("qpdf", "--qdf", "IN", "OUT"),
    ("saved by qpdf, for the web", "starter"): ("qpdf", "--linearize", "--object-streams=generate", "IN", "OUT"),
    ("saved by qpdf, contents joined", "garden"): ("qpdf", "--coalesce-contents", "--recompress-flate", "IN", "OUT"),
}
"""Commands by what they do, and to which sheets."""


def _by_pdfium(of: str) -> Sheets:
    def saved(data: bytes) -> bytes:
        out = io.BytesIO()
        with pypdfium2.PdfDocument(data) as pdf:
            pdf.save(out)
        return out.getvalue()

    return _each(of, saved)


def _by_pypdf(of: str, *, is_compressed: bool = False) -> Sheets:
    from pypdf import PdfReader, PdfWriter

    def saved(data: bytes) -> bytes:
        out = io.BytesIO()
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
        for page in writer.pages if is_compressed else ():
            page.compress_content_streams()
        writer.write(out)
        return out.getvalue()

    return _each(of, saved)


# --- ours, with other options -----------------------------------------------------------------------------------------

_OURS: dict[str, tuple[Callable[[], Path], tuple[str, ...]]] = {
    "pictures at 150 dpi": (garden, ("--art-dpi", "150")),
    "pictures at 437 dpi": (starter, ("--art-dpi", "437")),
    "a grey proof": (starter, ("--proof", "grey")),
    "an outline proof": (garden, ("--proof", "outline")),
    "lines to cut along": (garden, ("--cut-line", "--corner-radius", "4")),
    "for a cutting machine": (garden, ("--paper", "a3", "--registration", "silhouette", "--crop-marks", "off")),
    "on SRA3 with bleed": (garden, ("--paper", "sra3", "--bleed", "3", "--crop-marks", "corner")),
    "lines across the sheet": (garden, ("--crop-marks", "full", "--gutter", "4x7")),
    "on paper of its own": (garden, ("--paper", "333x222", "--margin", "9", "--no-slug", "--no-ruler")),
}


def _with_options(folder: Callable[[], Path], options: tuple[str, ...]) -> Sheets:
    return Sheets(printed(folder(), *options), folder())


def _font_sheets(number: int) -> Sheets:
    made = _font_sets()[number]
    return Sheets(printed(made), made)


@cache
def _font_sets() -> list[Path]:
    home = Path(_HOME.name)
    return [
        font_set(home / str(number), font, role)
        for number, (font, role) in enumerate(made_fonts(home / "fonts").items())
    ]


_HOME = TemporaryDirectory()


def _table() -> Iterator[Sound]:
    sample = {"linearised", "encrypted with an empty password", "metadata and XMP", "outlines", "page labels"}
    sample |= {"contents in several streams", "resources of the page tree", "preferences of another viewer"}
    sample |= {"pictures at 150 dpi", "on SRA3 with bleed", "with object streams", "a group of each page"}
    for name, options in _SAVED.items():
        yield Sound(name, partial(_resaved, "garden", **options), "pikepdf", in_sample=name in sample)
    for name, change in EDITS.items():
        yield Sound(f"with {name}", partial(_resaved, "garden", change), "pikepdf", in_sample=name in sample)
    for (name, of), command in _SAVERS.items():
        # One card: such a file is drawn again and again.
        in_sample = (name, of) == ("saved by Ghostscript, CMYK", "ox") if command[0] == "gs" else of == "garden"
        yield Sound(
            f"{of} {name}", partial(_run, of, *command), command[0],
            has_notes=command[0] != "gs" and "made clean" not in name, in_sample=in_sample,
        )  # fmt: skip
    yield Sound("saved by PDFium", partial(_by_pdfium, "garden"), "pypdfium2", in_sample=True)
    yield Sound("starter saved by PDFium", partial(_by_pdfium, "starter"), "pypdfium2")
    yield Sound("saved by pypdf", partial(_by_pypdf, "garden"), "pypdf", in_sample=True)
    yield Sound("compressed by pypdf", partial(_by_pypdf, "starter", is_compressed=True), "pypdf")
    yield Sound("linearised for a press", partial(_resaved, "garden x-4", linearize=True), "pikepdf")
    yield Sound("files apart, linearised", partial(_resaved, "garden apart", linearize=True), "pikepdf")
    yield Sound(
        "for a shop, with object streams", partial(_resaved, "shop", **_SAVED["with object streams"]), "pikepdf"
    )
    for name, (folder, wishes) in _OURS.items():
        yield Sound(f"ours, {name}", partial(_with_options, folder, wishes), in_sample=name in sample)
    for name in ("garden short", "garden fold", "garden x-1a", "four corrected", "starter letter"):
        yield Sound(f"ours, {name}", partial(sheets, name))
    for number, kind in enumerate(("static", "compact", "variable", "both", "vertical", "of rules")):
        yield Sound(f"ours, a {kind} font", partial(_font_sheets, number))


TABLE = tuple(_table())

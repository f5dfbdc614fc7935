"""Reading of PDF files: content with its state, marks and layers, and digests that do not depend on packing."""

import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pikepdf import (
    Array,
    Dictionary,
    Name,
    ObjectStreamMode,
    Pdf,
    PdfInlineImage,
    Stream,
    parse_content_stream,
    unparse_content_stream,
)

from render.base.geometry import IDENTITY, Affine
from render.pdf.reading import content as reading_content
from render.pdf.reading.content import (
    ContentWalker,
    GraphicsState,
    Layers,
    Mark,
    Path,
    content_streams,
    read_instructions,
)
from render.pdf.reading.values import digest, inherited, page_boxes


class Recorder(ContentWalker):
    """Notes what it sees as short words."""

    def __init__(self, layers: Layers | None = None) -> None:
        super().__init__(layers)
        self.seen: list[object] = []

    def draw_path(self, path: Path, state: GraphicsState, *, fills: bool, strokes: bool) -> None:
        paint = state.fill if fills else state.stroke
        box = state.visible(path.box)
        corners = box and (box.x, box.y, box.right, box.bottom)
        self.seen.append(("path", corners, paint.space.family, paint.tints, self.shows("View"), self.shows("Print")))

    def draw_text(self, strings: Sequence[bytes | float], state: GraphicsState) -> None:
        at = state.ctm @ self.text_matrix
        self.seen.append(("text", strings, at.e, at.f, state.font_size))

    def draw_image(self, image: Stream, state: GraphicsState) -> None:
        self.seen.append(("image", tuple(state.ctm)))

    def draw_inline_image(self, image: PdfInlineImage, state: GraphicsState) -> None:
        self.seen.append(("inline", image.width, image.height))

    def begin_mark(self, mark: Mark, state: GraphicsState) -> None:
        self.seen.append(("mark", mark.tag, str(mark.properties.get("/Name")), state.ctm.e))

    def end_mark(self, mark: Mark, state: GraphicsState) -> None:
        self.seen.append(("end", mark.tag))

    def damaged(self, reason: str) -> None:
        self.seen.append(("damaged", reason))


def seen(content: bytes, of: Pdf | None = None, layers: Layers | None = None, **resources: Any) -> list[object]:
    pdf = of or Pdf.new()
    page = pdf.add_blank_page()
    page.obj.Contents = pdf.make_stream(content)
    page.obj.Resources = Dictionary(**resources)
    recorder = Recorder(layers)
    recorder.walk_page(page, IDENTITY)
    return recorder.seen


GREY = ("DeviceGray", (0.0,), True, True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"2 0 0 2 10 0 cm 0 0 5 5 re f", [("path", (10, 0, 20, 10), *GREY)]),
        (b"q 1 0 0 1 9 9 cm Q 1 2 m 3 4 l S", [("path", (1, 2, 3, 4), *GREY)]),
        (b"0 0 4 4 re W n 2 2 9 9 re f", [("path", (2, 2, 4, 4), *GREY)]),
        (b"0 1 1 0 k 0 0 1 1 re f", [("path", (0, 0, 1, 1), "DeviceCMYK", (0, 1, 1, 0), True, True)]),
        (b"BT 1 0 0 1 5 6 Tm 3 TL T* [(a) -5 (b)] TJ ET", [("text", [b"a", -5.0, b"b"], 5, 3, 0)]),
        (b"BI /W 2 /H 1 /BPC 8 /CS /G ID ab EI", [("inline", 2, 1)]),
        (
            b"1 0 0 1 7 0 cm /Card <</Name (x)>> BDC /Span BMC EMC EMC",
            [("mark", "Card", "x", 7), ("mark", "Span", "None", 7), ("end", "Span"), ("end", "Card")],
        ),
        (b"/Nothing Do", [("damaged", "there is no form or picture `Nothing`")]),
        (b"0 0 m ] l", [("damaged", "an operator has other operands than it takes")]),
        (b"0 0 1 1 re f (abc", [("path", (0, 0, 1, 1), *GREY), ("damaged", "it ends within an instruction")]),
    ],
)
def test_operators_are_followed_with_their_state(content: bytes, expected: list[object]) -> None:
    assert seen(content) == expected


def form(pdf: Pdf, content: bytes, **entries: object) -> Stream:
    stream = pdf.make_stream(content)
    stream.stream_dict.update(Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 9, 9]))
    for key, value in entries.items():
        stream[f"/{key}"] = value
    return stream


SOME = (  # strings and a picture with operators in them
    b"0 0 5 5 re f", b"1 2 m 3 4 l n", b"(I am a f n S cat) Tj", b"(a S b (c f d) e n f) Tj", b"/A BMC", b"EMC", b"q", b"S",
    b"/B <</X (a f b)>> BDC", b"BI /W 4 /H 4 /BPC 8 /CS /G ID S f n  S f n  q q EI",
)  # fmt: skip


@given(parts=st.lists(st.sampled_from(SOME), min_size=3, max_size=12), piece=st.integers(10, 80))
def test_long_content_that_is_read_in_pieces_says_the_same(parts: list[bytes], piece: int) -> None:
    pdf = Pdf.new()
    content = pdf.make_stream(b"\n".join(parts))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading_content, "_PIECE", piece)
        read = list(read_instructions([content]))
    assert unparse_content_stream(read) == unparse_content_stream(parse_content_stream(content))


def test_what_others_warn_of_meanwhile_damages_no_content() -> None:
    pdf = Pdf.new()  # its streams live as long
    content = pdf.make_stream(b"q 1 0 0 1 0 0 cm Q\n" * 2000)
    ended = threading.Event()

    def warn() -> None:
        while not ended.wait(0.0001):
            with suppress(ResourceWarning):
                warnings.warn("a file was left open", ResourceWarning, stacklevel=1)

    other = threading.Thread(target=warn)
    other.start()
    try:
        assert len(list(read_instructions([content]))) == 6000
    finally:
        ended.set()
        other.join()


def test_forms_are_followed_in_their_place_and_a_circle_ends() -> None:
    pdf = Pdf.new()
    inner = form(pdf, b"0 0 20 1 re f /In Do", Matrix=Array([1, 0, 0, 1, 5, 0]))
    inner.Resources = Dictionary(XObject=Dictionary(In=inner))
    page = pdf.add_blank_page()
    page.obj.Resources = Dictionary(XObject=Dictionary(In=inner))
    page.obj.Contents = Array([pdf.make_stream(b"q 2 0 0 2"), pdf.make_stream(b"0 0 cm /In Do Q")])
    recorder = Recorder()
    recorder.walk_page(page, Affine.move(100, 0))
    assert recorder.seen == [("path", (110, 0, 128, 2), *GREY)]
    assert list(content_streams(page.obj.Resources)) == [inner]


def test_layers_show_on_screen_and_in_print_as_the_file_says() -> None:
    pdf = Pdf.new()
    on, off, printed = (pdf.make_indirect(Dictionary(Type=Name.OCG, Name=name)) for name in ("a", "b", "c"))
    printed.Usage = Dictionary(Print=Dictionary(PrintState=Name.OFF))
    usual = Dictionary(OFF=Array([off]), AS=Array([Dictionary(Event=Name.Print, OCGs=Array([printed]))]))
    layers = Layers(Dictionary(OCProperties=Dictionary(OCGs=Array([on, off, printed]), D=usual)))
    both = Dictionary(Type=Name.OCMD, OCGs=Array([on, off]), P=Name.AllOn)
    either = Dictionary(Type=Name.OCMD, VE=Array([Name.Or, off, Array([Name.Not, off])]))
    for layer, shows in ((on, "VP"), (off, ""), (printed, "V"), (both, ""), (either, "VP")):
        _, path, _ = seen(b"/OC /L BDC 0 0 1 1 re f EMC", pdf, layers, Properties=Dictionary(L=layer))
        assert isinstance(path, tuple)
        assert path[4:] == ("V" in shows, "P" in shows), layer


def test_a_digest_counts_what_is_drawn_and_not_how_it_is_packed() -> None:
    def file(content: bytes, grey: float) -> Pdf:
        pdf = Pdf.new()
        state = pdf.make_indirect(Dictionary(ca=grey))
        pdf.add_blank_page().obj.Form = form(pdf, content, Resources=Dictionary(ExtGState=Dictionary(A=state)))
        return pdf

    def digest_of(pdf: Pdf) -> bytes:
        return digest(pdf.pages[0].obj.Form)

    one, out = file(b"/A gs 0 0 1 1 re f", 0.5), BytesIO()
    one.save(out, object_stream_mode=ObjectStreamMode.generate, recompress_flate=True, compress_streams=True)
    assert digest_of(Pdf.open(out)) == digest_of(one)
    assert digest_of(file(b"/A gs 0 0 1 2 re f", 0.5)) != digest_of(one) != digest_of(file(b"/A gs 0 0 1 1 re f", 0.4))


def test_boxes_are_inherited_and_have_their_corners_in_order() -> None:
    pdf = Pdf.new()
    page = pdf.add_blank_page().obj
    pdf.Root.Pages.MediaBox = Array([10, 20, 0, 0])
    del page["/MediaBox"]
    page.TrimBox = Array([1, 1, 5, "x"])
    assert page_boxes(page) == {"MediaBox": (0, 0, 10, 20)}
    assert inherited(page, "/MediaBox") == pdf.Root.Pages.MediaBox

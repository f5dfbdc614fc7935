"""Faults of what a card shows: letters, colors, lines, pictures. Only its card can show them: `kotc verify --set`.

They are put into the sheets of the garden (see `whole_sheets`), whose first page has Rose, Fern and two of Moss.
"""

from __future__ import annotations

from collections.abc import Callable

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from PIL import Image, ImageOps

from proofs.verified_sheets.faults import drawing, fault, redrawn, replaced
from proofs.verified_sheets.right_sheets import cropped, drawn_pictures, in_other_hues, shown, with_a_letter
from proofs.verified_sheets.right_sheets import replaced as repainted
from tests.support.sheet_files import Change, face, rewritten

# --- letters ----------------------------------------------------------------------------------------------------------

comma_lost = fault(replaced, rb"<000F>", rb"<0003>")
full_stop_lost = fault(replaced, rb"00580055>18<00510011>", rb"00580055>18<00510003>")
letter_changed = fault(replaced, rb"<0033>22<004C0046", rb"<0033>22<004C0048")
digit_changed = fault(replaced, rb"\[<0016>\] TJ", rb"[<0018>] TJ")
letters_transposed = fault(replaced, rb"<0052005100480003", rb"<0052004800510003")
line_of_text_lost = fault(replaced, rb"\[<0052005100480003.*?\] TJ\n", b"")
text_a_little_smaller = fault(replaced, rb"/DejaVuSans 3 Tf", rb"/DejaVuSans 2.9 Tf")
text_a_little_narrower = fault(replaced, rb"/DejaVuSans 3 Tf 100 Tz", rb"/DejaVuSans 3 Tf 97 Tz")
line_of_text_moved = fault(replaced, rb"1 0 0 -1 7 61\.35 Tm", rb"1 0 0 -1 7 61.75 Tm")
letters_outlined = fault(replaced, rb"/DejaVuSans 3 Tf 100 Tz", rb"/DejaVuSans 3 Tf 100 Tz 1 Tr .02 w")
# Rose is called Moss: its glyphs are there.
name_of_another_card = fault(replaced, rb"\[<0035>45<005200560048>\] TJ", rb"[<0030005200560056>] TJ")


# --- colors and lines -------------------------------------------------------------------------------------------------

ROSE, AS_LIGHT = "0.7529 0.1882 0.2824", "0.1882 0.4431 0.451"
"""A hue, and another one of the same lightness."""
hue_of_a_name = fault(replaced, ROSE.encode() + rb" rg\n/DejaVuSans 4.5", AS_LIGHT.encode() + rb" rg\n/DejaVuSans 4.5")
hue_of_a_frame = fault(redrawn, 1, f"q {ROSE} RG 0.5 w", f"q {AS_LIGHT} RG 0.5 w")
frame_thinner = fault(redrawn, 1, f"{ROSE} RG 0.5 w", f"{ROSE} RG 0.3 w")
ground_of_the_text_darker = fault(redrawn, 1, "1 0.9922 0.9647 rg", "0.96 0.9522 0.9247 rg")


def circle_moved(pdf: Pdf) -> None:
    form = drawing(pdf, 1, "25 19 m 25 22.3137")
    form.write(b"1 0 0 1 .3 0 cm " + form.read_bytes())


def opacity_changed(pdf: Pdf) -> None:
    for state in of_kind(pdf, "ca"):
        state.ca = 0.6


opacity_lost = fault(replaced, rb"/Seen1 gs\n", b"")
clip_lost = fault(replaced, rb"8 12 m 20 6 44 6 56 14 c 60 28 54 44 30 46 c 10 44 4 30 8 12 c h W n", b"")
clip_of_another_shape = fault(replaced, rb"8 12 m 20 6 44 6 56 14 c", rb"8 12 m 14 12 44 14 56 14 c")


def gradient_shifted(pdf: Pdf) -> None:
    for pattern in of_kind(pdf, "PatternType"):
        pattern.Shading.Coords = Array([float(value) + 4 for value in pattern.Shading.Coords])


def gradient_reversed(pdf: Pdf) -> None:
    for pattern in of_kind(pdf, "PatternType"):
        first, last = pattern.Shading.Coords[:2], pattern.Shading.Coords[2:]
        pattern.Shading.Coords = Array([*last, *first])


def gradient_that_ends(pdf: Pdf) -> None:
    for pattern in of_kind(pdf, "PatternType"):
        pattern.Shading.Extend = Array([True, False])


def group_that_multiplies(pdf: Pdf) -> None:
    for state in of_kind(pdf, "ca"):
        state.BM = Name.Multiply


def stop_in_another_hue(pdf: Pdf) -> None:
    """The end of a gradient is greenish instead of reddish, and as light."""
    for pattern in of_kind(pdf, "PatternType"):
        pattern.Shading.Function = Dictionary(FunctionType=2, Domain=[0, 1], N=1, C0=[0.8, 0.95, 0.85], C1=[1, 0.8, 1])


def of_kind(pdf: Pdf, key: str) -> list[Object]:
    """Return the dictionaries of a file that have this key, also those within others."""
    found: list[Object] = []

    def walk(held: Object) -> None:
        if not isinstance(held, Dictionary | Stream):
            return
        if f"/{key}" in held:
            found.append(held)
        for name, value in held.items():
            if isinstance(value, Dictionary) and not value.is_indirect and name != "/Parent":
                walk(value)

    for each in pdf.objects:
        walk(each)
    assert found
    return found


# --- pictures ---------------------------------------------------------------------------------------------------------


def _picture(change: Callable[[Image.Image], Image.Image], number: int = 0) -> Change:
    """Return the fault of a picture of the first page changed: 0 is a photo, 1 a drawing, 2 smooth."""

    def changed(pdf: Pdf) -> None:
        stream = drawn_pictures(pdf)[number]
        repainted(stream, change(shown(stream)))

    return changed


picture_cropped = _picture(cropped)
picture_of_lines_cropped = _picture(cropped, 1)
picture_in_other_hues = _picture(in_other_hues)
picture_of_lines_in_other_hues = _picture(in_other_hues, 1)
picture_with_a_letter = _picture(with_a_letter)
picture_of_lines_with_a_letter = _picture(with_a_letter, 1)
picture_mirrored = _picture(ImageOps.mirror)
picture_turned = _picture(lambda image: image.rotate(180))
picture_coarse = _picture(lambda image: image.reduce(8).resize(image.size, Image.Resampling.BILINEAR))
picture_paler = _picture(lambda image: Image.blend(image, Image.new(image.mode, image.size, "white"), 0.05))
picture_cast = _picture(lambda image: Image.blend(image, Image.new(image.mode, image.size, "#ffff00"), 0.05), 1)
picture_shifted = _picture(lambda image: image.transform(image.size, Image.Transform.AFFINE, (1, 0, 6, 0, 1, 0)))
picture_blank = _picture(lambda image: Image.new(image.mode, image.size, "gray"))


def pictures_exchanged(pdf: Pdf) -> None:
    one, other = drawn_pictures(pdf)[:2]
    first, second = shown(one), shown(other)
    repainted(one, second)
    repainted(other, first)


picture_lost = fault(replaced, rb"/picture1\S* Do", b"")
# It is 4 % higher, so that another part of it is seen.
picture_stretched = fault(replaced, rb"53\.5 0 0 -35\.109375 5 46\.554687 cm", rb"53.5 0 0 -36.513 5 47.257 cm")


def picture_inverted(pdf: Pdf) -> None:
    drawn_pictures(pdf)[0].Decode = Array([1, 0, 1, 0, 1, 0])


def _masked(pdf: Pdf, opacities: bytes) -> None:
    mask = pdf.make_stream(opacities, Type=Name.XObject, Subtype=Name.Image, Width=2, Height=1)
    mask.ColorSpace, mask.BitsPerComponent = Name.DeviceGray, 8
    drawn_pictures(pdf)[0].SMask = mask


picture_half_seen = fault(_masked, bytes([255, 0]))
# All of it is seen through by 5 %.
picture_nearly_covering = fault(_masked, bytes([242, 242]))


def picture_without_its_light_parts(pdf: Pdf) -> None:
    drawn_pictures(pdf)[1].Mask = Array([200, 255, 0, 255, 0, 255])


# --- drawn within a card ----------------------------------------------------------------------------------------------


def within(code: str) -> Change:
    """Return the fault of something drawn at last by the face of Rose, in mm of the card."""

    def changed(pdf: Pdf) -> None:
        rose = face(pdf, 1, 0)
        rewritten(pdf, 1, (rose, rose.removesuffix("Q\nEMC\n") + f"{code}\nQ\nEMC\n"))

    return changed


white_over_a_word = within("1 0.9922 0.9647 rg 16 55.2 8 3.4 re f")
dot_on_a_card = within("0 g 30 70 .5 .5 re f")
hairline_on_a_card = within("0 G .08 w 5 66 m 58 68 l S")
letter_stamped_on_a_card = within("BT 0 g /DejaVuSans 4 Tf 100 Tz 1 0 0 -1 20 72 Tm [<0035>] TJ ET")

"""Pictures that cannot be used: exactly what their author reads."""

import os
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from proofs.hostile.pictures import many_passes, many_tables, segment, with_segments

from render.base.findings import Span, as_text
from render.base.geometry import Rect
from render.base.limits import PICTURE
from render.images.inspect import COVER, PictureReference, coarse, inspect, place
from tests.support.messages import assert_says
from tests.support.picture_files import in_bytes, painted, png_chunk
from tests.support.sets import kotc, write_set
from tests.support.systems import not_as_superuser, with_devices, with_pipes, with_sockets

STORM = painted("RGB KWY", 16)
JPEG, PNG, WEBP = (in_bytes(STORM, kind) for kind in ("JPEG", "PNG", "WEBP"))
LINE = "  art: art/storm.jpg"
SPAN = Span(file=Path("storm.yaml"), line=7, column=8, end_line=7, end_column=21, excerpt=LINE)


@pytest.fixture
def art(tmp_path: Path) -> Path:
    """The folder `art` of a set."""
    folder = tmp_path / "art"
    folder.mkdir()
    return folder


def said_of(file: Path) -> str:
    """Return all that is said of the picture when a card names it."""
    return as_text(inspect(file, PictureReference("art/storm.jpg", SPAN, "storm")).findings)


def said_of_content(art: Path, content: bytes) -> str:
    (art / "storm.jpg").write_bytes(content)
    return said_of(art / "storm.jpg")


def lay(file: Path, **others: bytes) -> None:
    for name, content in others.items():
        (file.parent / name.replace("_", ".")).write_bytes(content)


def truncate(file: Path) -> None:
    with file.open("wb") as stream:
        stream.truncate(PICTURE.most + 1_500_000)


NONE, IT = "A001 no picture `art/storm.jpg`", "the picture `art/storm.jpg`"
AT_300 = "(save it smaller: a whole card at 300 dpi is 750 x 1050)"
PLACES: dict[str, tuple[Callable[[Path], object], str]] = {
    "another name": (
        lambda file: lay(file, sturm_jpg=JPEG, notes_txt=JPEG, lighthouse_jpg=JPEG),
        f"{NONE} (did you mean `art/sturm.jpg`?)",
    ),
    "another ending and case": (lambda file: lay(file, Storm_PNG=PNG), f"{NONE} (did you mean `art/Storm.PNG`?)"),
    "nothing that is near": (
        lambda file: lay(file, lighthouse_webp=WEBP),
        f"{NONE} (put it into `art`, or write the name of one that is there)",
    ),
    "nothing": (lambda _: None, f"{NONE} (there is no picture at all in `art`)"),
    "no folder": (lambda file: file.parent.rmdir(), f"{NONE} (there is no folder `art`)"),
    "a folder": (lambda file: file.mkdir(), f"A002 {IT} is a folder (name a file in it)"),
    "a link to itself": (
        lambda file: file.symlink_to(file),
        f"A003 {IT} cannot be read: too many levels of symbolic links",
    ),
    "too many bytes": (truncate, f"A004 {IT} is 51.5 MB large, and at most 50 MB are read {AT_300}"),
}


@pytest.mark.parametrize(("put_there", "wanted"), PLACES.values(), ids=PLACES)
def test_what_is_said_of_what_lies_there(art: Path, put_there: Callable[[Path], object], wanted: str) -> None:
    put_there(art / "storm.jpg")
    assert_says(said_of(art / "storm.jpg"), f"storm.yaml:7:8 {wanted}")


@with_pipes
def test_a_pipe_that_nobody_writes_to(art: Path) -> None:
    os.mkfifo(art / "storm.jpg")
    assert_says(said_of(art / "storm.jpg"), f"storm.yaml:7:8 A002 {IT} is a pipe, not a file")


@with_devices
def test_a_device() -> None:
    assert_says(said_of(Path("/dev/zero")), f"storm.yaml:7:8 A002 {IT} is a device, not a file")


@with_sockets
def test_a_socket(art: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(art / "s"))
        (art / "s").rename(art / "storm.jpg")
        assert_says(said_of(art / "storm.jpg"), f"storm.yaml:7:8 A003 {IT} cannot be read: no such device or address")


@not_as_superuser
def test_a_file_that_may_not_be_read(art: Path) -> None:
    (art / "storm.jpg").touch(mode=0o000)
    hint = f"let your account read it: `chmod u+r {art / 'storm.jpg'}`"
    assert_says(said_of(art / "storm.jpg"), f"storm.yaml:7:8 A003 {IT} cannot be read: permission denied ({hint})")


SAVE = "save it as PNG or JPEG"
AGAIN = "copy it here again, or export it anew"
ANEW = "(open it in an image program and save it anew as PNG or JPEG)"
PHONE = "export it as JPEG (an iPhone takes JPEGs with Settings, Camera, Formats, Most Compatible)"
EXPORT = "export it as a PNG of 300 dpi or more at its printed size"


@pytest.mark.parametrize(
    ("content", "what", "hint"),
    [
        (in_bytes(STORM, "GIF"), "a GIF", "a card does not move: save one picture of it as PNG or JPEG"),
        (in_bytes(STORM, "BMP"), "a BMP", SAVE),
        (in_bytes(STORM, "TIFF"), "a TIFF", SAVE),
        (b"MM\0*\0\0\0\x08", "a TIFF", SAVE),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "a HEIC", PHONE),
        (b"\0\0\0\x0cJXL \r\n\x87\n", "a JPEG XL", SAVE),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "a JPEG 2000", SAVE),
        (b"8BPS\0\1", "a Photoshop file", SAVE),
        (b"gimp xcf v011\0", "a GIMP file", SAVE),
        (b"\x1f\x8b\x08\0\0\0\0\0", "a packed SVG", "save it as plain SVG, not packed"),
        (b"%PDF-1.7\n", "a PDF", EXPORT),
        (b"<!DOCTYPE html>\n<html><body>404</body></html>", "a web page", "download the picture itself"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            "a Git LFS pointer",
            "run `git lfs pull` to get the picture itself",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("a") else "",
)
def test_a_picture_of_another_kind_is_called_by_its_name(art: Path, content: bytes, what: str, hint: str) -> None:
    wanted = f"A005 {IT} is {what}, and only JPEG, PNG, WebP, AVIF and SVG are read ({hint})"
    assert_says(said_of_content(art, content), f"storm.yaml:7:8 {wanted}")


@pytest.mark.parametrize(("kind", "whole"), [("JPEG", JPEG), ("PNG", PNG), ("WebP", WEBP)])
@pytest.mark.parametrize("missing", [0.99, 0.5, "two bytes", "one byte"])
def test_a_picture_that_was_cut_short(art: Path, kind: str, whole: bytes, missing: float | str) -> None:
    count = {"one byte": 1, "two bytes": 2}[missing] if isinstance(missing, str) else int(missing * (len(whole) - 12))
    wanted = f"A006 {IT} is a {kind} that ends too early ({AGAIN})"
    assert_says(said_of_content(art, whole[:-count]), f"storm.yaml:7:8 {wanted}")


HUGE_HEADER = png_chunk(b"IHDR", struct.pack(">II5B", 20_000, 10_000, 8, 2, 0, 0, 0))
HUGE_PNG = b"\x89PNG\r\n\x1a\n" + HUGE_HEADER + png_chunk(b"IEND", b"")
JPEG_SIZE_AT = JPEG.index(b"\xff\xc0") + 5
HUGE_JPEG = JPEG[:JPEG_SIZE_AT] + struct.pack(">HH", 10_000, 20_000) + JPEG[JPEG_SIZE_AT + 4 :]


def webp_of(width: int, height: int) -> bytes:
    """Return the beginning of a WebP, which says how large it is."""
    size = b"".join((side - 1).to_bytes(3, "little") for side in (width, height))
    return b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + size


def of_four_inks(width: int, height: int) -> bytes:
    """Return a progressive JPEG of four inks that says it is so large."""
    inks = in_bytes(Image.new("CMYK", (8, 8)), "JPEG", progressive=True, subsampling=0)
    size_at = inks.index(b"\xff\xc2") + 5
    return inks[:size_at] + struct.pack(">HH", height, width) + inks[size_at + 4 :]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of a process")
def test_a_webp_of_tables_that_take_too_much_memory(art: Path) -> None:
    what = "is a WebP that is damaged, or takes more than 480 MB of memory or 8 s to decode"
    assert_says(said_of_content(art, many_tables(1024, 65_536)), f"storm.yaml:7:8 A006 {IT} {what} {ANEW}")


IDAT, SOF = PNG.index(b"IDAT") + 8, JPEG.index(b"\xff\xc0") + 4
NO_PICTURE = f"A005 {IT} is not a picture: it is no JPEG, PNG, WebP, AVIF or SVG inside, whatever its name ({SAVE})"
TOO_LARGE = f"A007 {IT} has 20000 x 10000 pixels, 200 megapixels: at most 40 megapixels are read {AT_300}"
PIECES = f"in more than 100,000 pieces, and no more are read {ANEW}"
CONTENTS: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", f"A005 {IT} is empty ({AGAIN})"),
    "words": (b"this is no picture\n", NO_PICTURE),
    "zeros": (bytes(1000), NO_PICTURE),
    "the beginning of a jpeg": (b"\xff\xd8", NO_PICTURE),
    "a sound": (b"RIFF\0\0\0\0WAVE", NO_PICTURE),
    "an end without a middle": (
        PNG[:IDAT] + bytes(len(PNG) - IDAT - 16) + PNG[-16:],
        f"A006 {IT} is a PNG that cannot be decoded: broken data stream when reading image file ({AGAIN})",
    ),
    "a jpeg of twelve bits": (
        JPEG[:SOF] + b"\x0c" + JPEG[SOF + 1 :],
        f"A006 {IT} is a JPEG that cannot be decoded: cannot handle 12-bit layers ({AGAIN})",
    ),
    "a jpeg with arithmetic coding": (
        JPEG.replace(b"\xff\xc0", b"\xff\xc9"),
        f"A006 {IT} is a JPEG with arithmetic coding, which hardly any program reads {ANEW}",
    ),
    "a picture that is a line": (
        HUGE_PNG.replace(HUGE_HEADER, png_chunk(b"IHDR", struct.pack(">II5B", 1, 40_000_000, 8, 2, 0, 0, 0))),
        f"A007 {IT} has 1 x 40000000 pixels: at most 65,535 on a side are read {AT_300}",
    ),
    "a png of 200 megapixels": (HUGE_PNG, TOO_LARGE),
    "a jpeg of 200 megapixels": (HUGE_JPEG, TOO_LARGE),
    "a webp of 200 megapixels": (webp_of(20_000, 10_000), TOO_LARGE),
    "a webp that takes too much memory": (
        webp_of(5000, 4100),
        f"A007 {IT} has 5000 x 4100 pixels, 20 megapixels: at most 20 megapixels are read, since a WebP like this takes"
        f" 20 bytes of memory a pixel {AT_300}",
    ),
    "a progressive jpeg of four inks that takes too much memory": (
        of_four_inks(7000, 5000),
        f"A007 {IT} has 7000 x 5000 pixels, 35 megapixels: at most 33 megapixels are read, since a JPEG like this takes"
        f" 12 bytes of memory a pixel {AT_300}",
    ),
    "a jpeg of too many pieces": (
        with_segments(JPEG, *[segment(0xFE, b"a")] * 100_001),
        f"A012 {IT} is a JPEG {PIECES}",
    ),
    "a png of too many pieces": (
        PNG[:-12] + png_chunk(b"tEXt", b"a\0") * 100_001 + PNG[-12:],
        f"A012 {IT} is a PNG {PIECES}",
    ),
}


@pytest.mark.parametrize(("content", "wanted"), CONTENTS.values(), ids=CONTENTS)
def test_what_is_said_of_a_file(art: Path, content: bytes, wanted: str) -> None:
    assert_says(said_of_content(art, content), f"storm.yaml:7:8 {wanted}")


@pytest.mark.parametrize(("size", "most"), [(64, 100), (6320, 25)])
def test_a_jpeg_of_too_many_passes(art: Path, size: int, most: int) -> None:
    wanted = f"A012 {IT} is a JPEG of {size} x {size} pixels in 5,000 passes: at most {most} are read {ANEW}"
    assert_says(said_of_content(art, many_passes(size, 4994)), f"storm.yaml:7:8 {wanted}")


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_picture_that_moves(art: Path, kind: str) -> None:
    frames = [painted("RGB"), painted("KWY"), painted("GGG")]
    said = said_of_content(art, in_bytes(frames[0], kind, save_all=True, append_images=frames[1:]))
    assert_says(said, f"storm.yaml:7:8 A008 {IT} is animated: it has 3 frames (save one of them as PNG or JPEG)")


def test_a_picture_that_is_coarse_at_its_printed_size(art: Path) -> None:
    (art / "storm.jpg").write_bytes(in_bytes(Image.new("L", (320, 320)), "PNG"))
    mention = PictureReference("art/storm.jpg", SPAN, "storm")
    artwork = inspect(art / "storm.jpg", mention).artwork
    assert artwork is not None
    finding = coarse(artwork, place(artwork, Rect(0, 0, 57.15, 35.56), COVER), mention)
    assert finding is not None
    assert as_text([finding]).split("\n") == [
        f"storm.yaml:7:8: warning: {IT} has only 142 dpi at its printed size of 57.1 x 35.6 mm [A011]",
        f"  7 | {LINE}",
        "    |        ^^^^^^^^^^^^^",
        "  hint: it has 320 x 320 pixels: 150 dpi need 338 x 338, 300 dpi 675 x 675",
    ]


def test_a_picture_of_150_dpi_is_enough(art: Path) -> None:
    (art / "storm.jpg").write_bytes(in_bytes(Image.new("L", (300, 150)), "PNG"))
    artwork = inspect(art / "storm.jpg", PictureReference("art/storm.jpg")).artwork
    assert artwork is not None
    assert coarse(artwork, place(artwork, Rect(0, 0, 50.8, 25.4)), PictureReference("art/storm.jpg")) is None


def test_two_cards_that_name_a_bad_picture_are_both_told(art: Path) -> None:
    (art / "storm.jpg").write_bytes(b"")
    places = [Span(file=Path("a.yaml"), line=1), Span(file=Path("b.yaml"), line=2)]
    found = [inspect(art / "storm.jpg", PictureReference("art/storm.jpg", place)).findings[0] for place in places]
    assert [finding.span for finding in found] == places


# --- a picture of that name elsewhere in the set ---


@pytest.mark.parametrize(
    ("there", "named", "hint"),
    [
        ("art/IMG_2041.JPG", "IMG_2041.JPG", "it lies elsewhere in the set: write `art: art/IMG_2041.JPG`"),
        ("art/IMG_2041.JPG", "img_2041.jpg", "it lies elsewhere in the set: write `art: art/IMG_2041.JPG`"),
        ("art/IMG_2041.JPG", "photos/img_2041.png", "it lies elsewhere in the set: write `art: art/IMG_2041.JPG`"),
        ("IMG_2041.JPG", "art/IMG_2041.JPG", "it lies elsewhere in the set: write `art: IMG_2041.JPG`"),
        ("art/a b/cat.webp", "cat", "it lies elsewhere in the set: write `art: art/a b/cat.webp`"),
        ("art/wolf, grey.png", "wolf, grey.png", "it lies elsewhere in the set: write `art/wolf, grey.png`"),
        ("out/set/png/cat.png", "cat.png", "there is no picture at all in the folder of the set"),
        ("art/cat.JPG", "art/cat.jpg", "did you mean `art/cat.JPG`?"),
    ],
)
def test_a_missing_picture_that_lies_elsewhere_in_the_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str, named: str, hint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_set(Path("set"), f'- name: Cat\n  kind: minion\n  level: 1\n  sp: 1\n  hp: 0\n  art: "{named}"\n')
    (folder / "cards.yaml").write_text((folder / "cards.yaml").read_text().replace(f'"{named}"', named))
    (folder / there).parent.mkdir(parents=True, exist_ok=True)
    (folder / there).write_bytes(PNG)
    assert f"no picture `{named}` [A001]" in kotc("check", "set").stdout
    assert f"  hint: {hint}\n" in kotc("check", "set").stdout


def test_of_two_pictures_of_that_name_none_is_guessed(tmp_path: Path) -> None:
    folder = write_set(tmp_path, "- {name: Cat, kind: minion, level: 1, sp: 1, hp: 0, art: cat.png}\n")
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "cat.png").write_bytes(PNG)
    assert "there is no picture at all in the folder of the set" in kotc("check", tmp_path).stdout

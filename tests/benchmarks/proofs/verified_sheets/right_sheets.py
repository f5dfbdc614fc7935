"""Right sheets pass `kotc verify --set`, and wrong pictures do not: kinds, sizes, resolutions and fits, fonts, papers.

`python tests/benchmarks/prove.py verified_sheets.right_sheets [--only PART] [--fonts FOLDER]` tries the whole
table, and exits with 1 if a right sheet is refused or a wrong picture is not found. FOLDER has more fonts, as `.ttf` and
`.otf` files.
"""

from __future__ import annotations

import argparse
import io
import itertools
import shutil
import sys
import tempfile
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.ttLib import TTFont, newTable
from numpy.typing import NDArray
from pikepdf import Name, Pdf, Stream
from PIL import Image, ImageDraw

from render.text import fonts
from tests.support.font_making import Made, write_font
from tests.support.sets import kotc

# --- pictures -------------------------------------------------------------------------------------------------------

Size = tuple[int, int]


class Kind(NamedTuple):
    """A kind of file: its suffix, the mode of its pixels, and how Pillow saves it."""

    suffix: str
    mode: str
    options: dict[str, Any]


class Sample(NamedTuple):
    """A picture of the table: what it shows, as which kind of file, with how many pixels."""

    subject: str
    kind: str
    size: Size

    @property
    def name(self) -> str:
        """The name of its card."""
        return f"{self.subject} {self.kind} {self.size[0]} x {self.size[1]}"


def _turned() -> Image.Exif:
    exif = Image.Exif()
    exif[0x112] = 6  # Orientation: to be turned clockwise
    return exif


KINDS = {
    "rgb": Kind("png", "RGB", {}),
    "photo": Kind("jpg", "RGB", {"quality": 90}),
    "palette": Kind("png", "P", {}),
    "coarse photo": Kind("jpg", "RGB", {"quality": 60}),
    "bilevel": Kind("png", "1", {}),
    "turned photo": Kind("jpg", "RGB", {"exif": _turned()}),
    "see-through": Kind("png", "RGBA", {}),
    "gray photo": Kind("jpg", "L", {"progressive": True}),
    "gray": Kind("png", "L", {}),
    "webp": Kind("webp", "RGB", {"quality": 80}),
    "cmyk photo": Kind("jpg", "CMYK", {}),
    "lossless webp": Kind("webp", "RGB", {"lossless": True}),
    "svg": Kind("svg", "", {}),
}
SUBJECTS = ("landscape", "lines", "noise", "letters", "checks", "stripes", "hues")
SIZES = (
    (1500, 1000),
    (675, 420),
    (40, 30),
    (2400, 1600),
    (300, 200),
    (977, 1481),
    (3000, 160),
    (257, 255),
    (16, 16),
    (750, 1050),
    (1800, 2520),
)
SAMPLES = tuple(
    Sample(subject, kind, size)
    for _, subject, kind, size in zip(
        range(42), itertools.cycle(SUBJECTS), itertools.cycle(KINDS), itertools.cycle(SIZES), strict=False
    )
)


def pixels(subject: str, size: Size) -> Image.Image:
    """Return what a picture shows, in RGB: what reducing treats gently, and what it treats worst."""
    width, height = size
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    chance = np.random.default_rng(width * 31 + height)
    values: NDArray[Any]
    match subject:
        case "landscape":  # light and dark at all scales, as in photographs
            values = np.zeros((height, width, 3))
            for scale in (2, 7, 30, 120):
                coarse = chance.integers(0, 256, (height // scale + 2, width // scale + 2, 3)).astype(np.uint8)
                values += np.asarray(Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)) / 4
        case "noise":
            values = chance.integers(0, 256, (height, width, 3))
        case "checks":
            values = np.repeat((((x + y) % 2) * 255)[:, :, None], 3, axis=2)
        case "stripes":
            values = np.stack([(x * 3 + y * 2) % 7 * 42, (x - y) % 5 * 63, (x + 9 * y) % 11 * 25], axis=2)
        case "hues":
            values = np.stack([x * 255 // width, y * 255 // height, 255 - x * 255 // width], axis=2)
        case _:
            return _drawn(subject, size)
    return Image.fromarray(values.astype(np.uint8))


def _drawn(subject: str, size: Size) -> Image.Image:
    """Return thin lines and flat colors, or letters, black on white."""
    image = Image.new("RGB", size, "white")
    drawing = ImageDraw.Draw(image)
    step = max(size) // 40 + 2
    for number, (left, top) in enumerate(itertools.product(range(0, size[0], step * 2), range(0, size[1], step * 2))):
        if subject == "letters":
            drawing.text((left, top), chr(65 + number * 7 % 58), "black", font_size=step * 1.8)
        else:
            color = f"hsl({number * 47 % 360}, 90%, 45%)"
            drawing.ellipse((left, top, left + step, top + step), color, "black", 1 + number % 3)
            drawing.line((left, top, left + 2 * step, top + number * 5 % (2 * step)), "black", 1)
    return image


def content(sample: Sample) -> bytes:
    """Return the file of a picture."""
    kind = KINDS[sample.kind]
    if kind.suffix == "svg":
        return _svg(sample.size)
    image = pixels(sample.subject, sample.size)
    if kind.mode == "RGBA":
        image.putalpha(image.getchannel(0))
    stream = io.BytesIO()
    image.convert(kind.mode).save(stream, {"jpg": "JPEG"}.get(kind.suffix, kind.suffix.upper()), **kind.options)
    return stream.getvalue()


def _svg(size: Size) -> bytes:
    width, height = size
    lines = "".join(
        f'<path d="M{number * width / 30:g} 0L{width - number * width / 30:g} {height}" fill="none"'
        f' stroke="hsl({number * 12}, 80%, 40%)" stroke-width="{width / 400:g}"/>'
        for number in range(31)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{lines}</svg>'.encode()


# --- sets -----------------------------------------------------------------------------------------------------------

FITS = {
    "whole": 'x="3" y="14" width="57.5" height="38" preserveAspectRatio="xMidYMid meet"',
    "filling": 'x="-3" y="-3" width="69.5" height="94.9" preserveAspectRatio="xMidYMid slice"',
    "from a corner": 'x="3" y="14" width="57.5" height="12.3" preserveAspectRatio="xMaxYMin slice"',
    "stamp": 'x="9" y="14" width="8.47" height="9.1" preserveAspectRatio="xMidYMax slice"',
}
GAME = "name: Sheets\nfields: {text: {type: text}}\nkinds: {card: {fields: [text]}}\n"
FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">
<rect x="-3" y="-3" width="69.5" height="94.9" fill="#dfe8d0"/>
{image}
<text x="4" y="10" width="55" font-size="3.2" min-size="1" min-stretch="0.4">{{{{ card.name }}}}</text>
<text x="4" y="56" width="55" height="26" font-size="4" min-size="1.5" {font}>{{{{ card.text }}}}</text>
</svg>
"""
BACK = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"><rect x="-3" y="-3" width="69.5" height="94.9"/></svg>'


def write_set(folder: Path, cards: str, *, image: str = "", game: str = GAME, font: str = "") -> Path:
    """Write a set of a game in YAML, and return its folder."""
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "templates" / "card.svg").write_text(FRONT.format(image=image, font=font), encoding="utf-8")
    (folder / "templates" / "back.svg").write_text(BACK, encoding="utf-8")
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    (folder / "set.yaml").write_text("name: Right\n", encoding="utf-8")
    (folder / "cards.yaml").write_text(cards, encoding="utf-8")
    return folder


def picture_set(folder: Path, fit: str, samples: Sequence[Sample]) -> Path:
    """Write a set with a card for each picture."""
    cards = []
    for number, sample in enumerate(samples):
        file = f"{number}.{KINDS[sample.kind].suffix}"
        cards.append(f"- {{name: {sample.name}, art: {file}, text: Of a right sheet.}}\n")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content(sample))
    return write_set(folder, "".join(cards), image=f'<image href="{{{{ card.art.href }}}}" {FITS[fit]}/>')


def refused(folder: Path, *options: object) -> str:
    """Write the sheets of a set and return what is found in them: nothing, if all is right."""
    file = folder / "sheets.pdf"
    result = kotc("pdf", folder, "--out", file, "--quiet", *options)
    if result.exit_code:
        return f"not written: {result.output}"
    result = kotc("verify", file, "--set", folder)
    return "" if result.exit_code == 0 and not result.stdout else result.output


# --- wrong pictures -------------------------------------------------------------------------------------------------


def cropped(image: Image.Image) -> Image.Image:
    """Return the picture without 4 % of its width on the left and of its height at the top."""
    left, top = image.width // 25 + 1, image.height // 25 + 1
    return image.crop((left, top, image.width, image.height)).resize(image.size, Image.Resampling.BICUBIC)


def in_other_hues(image: Image.Image) -> Image.Image:
    """Return the picture with its colors exchanged, and as light as it was."""
    light, blue, red = image.convert("YCbCr").split()
    return Image.merge("YCbCr", (light, red, blue)).convert(image.mode)


def with_a_letter(image: Image.Image, at: tuple[float, float] = (0.5, 0.5)) -> Image.Image:
    """Return the picture with another letter: half a millimetre high where it is shown in its whole width."""
    changed, high = image.copy(), max(12, image.height // 25, image.width // 120)
    x, y = int(image.width * at[0]), int(image.height * at[1])
    drawing = ImageDraw.Draw(changed)
    back = np.asarray(image.crop((x, y, x + high, y + high)).convert("L")).mean()
    drawing.text((x, y), "W", "black" if back > 127 else "white", font_size=high * 1.3)
    return changed


Changes = dict[str, Callable[[Image.Image], Image.Image]]
SHOWING = [
    sample for sample in SAMPLES if sample.subject in ("landscape", "lines", "letters") and min(sample.size) > 40
]
"""Pictures that a reader would see changed: no fine patterns, which grow gray when they are reduced."""


def drawn_pictures(pdf: Pdf) -> list[Stream]:
    """Return the pictures of a file, each once."""
    return [each for each in pdf.objects if isinstance(each, Stream) and each.get("/Subtype") == Name.Image]


def replaced(stream: Stream, image: Image.Image) -> None:
    """Put another picture of the same size in the place of one."""
    if stream.Filter == Name.DCTDecode:
        packed = io.BytesIO()
        image.save(packed, "JPEG", quality=90, subsampling=0)
        stream.write(packed.getvalue(), filter=Name.DCTDecode)
        return
    rows = np.asarray(image).reshape(image.height, -1)
    data = np.hstack([np.zeros((image.height, 1), np.uint8), rows]).tobytes()  # PNG's filter 0, None, for each row
    parameters = stream.DecodeParms
    stream.write(zlib.compress(data), filter=Name.FlateDecode)
    stream.DecodeParms = parameters


def shown(stream: Stream) -> Image.Image:
    """Return the picture of a stream."""
    if stream.Filter == Name.DCTDecode:
        return Image.open(io.BytesIO(stream.read_raw_bytes()))
    channels = int(stream.DecodeParms.Colors)
    size = int(stream.Width), int(stream.Height)
    return Image.frombytes({1: "L", 3: "RGB"}[channels], size, stream.read_bytes())


def missed(folder: Path, names: Sequence[str], fit: str, *options: object) -> Iterator[str]:
    """Yield which wrong pictures are not found in the sheets of a set, whose cards have these names."""
    letter = partial(with_a_letter, at=(0.9, 0.04) if fit == "from a corner" else (0.5, 0.5))
    wrong: Changes = {"cropped": cropped, "in other hues": in_other_hues, "with a letter": letter}
    file, changed = folder / "sheets.pdf", folder / "changed.pdf"
    assert kotc("pdf", folder, "--out", file, "--quiet", *options).exit_code == 0
    for what, change in wrong.items():
        with Pdf.open(file) as pdf:
            number = 0
            for stream in drawn_pictures(pdf):
                image = shown(stream)
                if what == "in other hues" and (image.mode != "RGB" or not _has_hues(image)):
                    continue
                replaced(stream, change(image))
                number += 1
            pdf.save(changed, static_id=True)
        yield from _unnamed(changed, folder, what, number)
    with Pdf.open(file) as pdf:
        _exchange(drawn_pictures(pdf))
        pdf.save(changed, static_id=True)
    yield from _unnamed(changed, folder, "exchanged", len(names))


def _has_hues(image: Image.Image) -> bool:
    """Return whether red and blue differ in the YCbCr of a picture, so that an exchange of both shows."""
    _, blue, red = (np.asarray(band.reduce(4), np.int16) for band in image.convert("YCbCr").split())
    return float(np.abs(blue - red).mean()) > 4


def _exchange(pictures: Sequence[Stream]) -> None:
    """Give each picture the content of the next one."""
    contents = [(each.read_raw_bytes(), {key: each.get(key) for key in _CONTENT}) for each in pictures]
    for stream, (data, entries) in zip(pictures, contents[1:] + contents[:1], strict=True):
        stream.write(data)
        for key, value in entries.items():
            if value is not None:
                stream[key] = value


_CONTENT = ("/Filter", "/DecodeParms", "/Width", "/Height", "/ColorSpace")


def _unnamed(file: Path, folder: Path, what: str, number: int) -> Iterator[str]:
    """Yield a sentence if other than `number` cards are named in what is found about pictures."""
    rows = yaml.safe_load(kotc("verify", file, "--set", folder, "--format", "json").stdout)
    count = sum(
        row["message"].count("`") // 2 + _more(row["message"]) for row in rows if "looks otherwise" in row["message"]
    )
    if count != number:
        yield f"{what}: {number} pictures are wrong, and {count} are found"


def _more(message: str) -> int:
    """Return how many cards a message counts without naming them."""
    return int(message.partition(" and ")[2].partition(" more")[0]) if " more:" in message else 0


# --- fonts ----------------------------------------------------------------------------------------------------------


def with_vertical_metrics(file: Path) -> None:
    """Give a font what lines from top to bottom take, as fonts for Japanese have it."""
    font = TTFont(file)
    header, metrics = newTable("vhea"), newTable("vmtx")
    header.tableVersion, header.ascent, header.descent, header.lineGap = 0x00011000, 500, -500, 0
    for key in ("minTopSideBearing", "minBottomSideBearing", "yMaxExtent", "caretSlopeRise", "caretSlopeRun"):
        setattr(header, key, 0)
    header.advanceHeightMax, header.metricDataFormat, header.numberOfVMetrics = 1000, 0, 1
    for key in ("caretOffset", "reserved1", "reserved2", "reserved3", "reserved4"):
        setattr(header, key, 0)
    metrics.metrics = dict.fromkeys(font.getGlyphOrder(), (1000, 0))
    font["vhea"], font["vmtx"] = header, metrics
    font.save(file)


def with_rules_of_context(file: Path) -> None:
    """Let a font draw `a` before `b` with the glyph of `c`, and `e` as two glyphs."""
    font = TTFont(file)
    name = font.getBestCmap()
    a, b, c, e, x = (name[ord(letter)] for letter in "abcex")
    rules = f"feature calt {{ sub {a}' {b} by {c}; }} calt; feature ccmp {{ sub {e} by {x} {c}; }} ccmp;"
    addOpenTypeFeaturesFromString(font, rules)
    font.save(file)


def made_fonts(folder: Path) -> dict[Path, str]:
    """Write fonts of all kinds, and return them with what a role says besides the file."""
    varied = ", axes: {wght: 650}"
    kinds = {
        "Static.ttf": (Made("Static", em=2048), ""),
        "Compact.otf": (Made("Compact", compact=True), ""),
        "Varied.ttf": (Made("Varied", axis=(100, 400, 900)), varied),
        "Both.otf": (Made("Both", compact=True, axis=(100, 400, 900)), varied),
        "Upright.ttf": (Made("Upright"), ""),
        "Context.ttf": (Made("Context"), ""),
    }
    files = {write_font(folder / name, made): axes for name, (made, axes) in kinds.items()}
    with_vertical_metrics(folder / "Upright.ttf")
    with_rules_of_context(folder / "Context.ttf")
    return files


def font_set(folder: Path, font: Path, role: str = "") -> Path:
    """Write a set with a card of letters from all parts of a font."""
    characters = [char for char in map(chr, sorted(TTFont(font, lazy=True).getBestCmap())) if _is_written(char)]
    letters = characters[:: max(1, len(characters) // 90)][:90]
    words = ["".join(letters[at : at + 6]) for at in range(0, len(letters), 6)]
    (folder / "fonts").mkdir(parents=True)
    shutil.copy(font, folder / "fonts" / font.name)
    game = f"{GAME}fonts: {{body: {{file: fonts/{font.name}{role}}}}}\n"
    cards = [{"name": "Of all", "text": " ".join(words)}, {"name": "Of some", "text": "abcdef office fjord 0123"}]
    written = yaml.safe_dump(cards, allow_unicode=True)
    return write_set(folder, written, game=game, font='font-family="body"')


def letter_set(folder: Path, face: str, letters: Sequence[str]) -> Path:
    """Write a set with all these letters in a bundled face, on as many cards as they take."""
    words = ["".join(letters[at : at + 5]) for at in range(0, len(letters), 5)]
    cards = [{"name": f"Card {at}", "text": " ".join(words[at : at + 40])} for at in range(0, len(words), 40)]
    return write_set(folder, yaml.safe_dump(cards, allow_unicode=True), font=f'font-family="{face}"')


def letters_of(face: str) -> list[str]:
    """Return the letters of a bundled face that a card may have."""
    return [char for char in map(chr, sorted(fonts.face(face).font.face.unicodes)) if _is_written(char)]


def _is_written(char: str) -> bool:
    """Return whether a card may have a character by itself."""
    if (
        unicodedata.category(char)[0] not in "LNPS"
        or char in "\N{OBJECT REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"
    ):
        return False
    return unicodedata.normalize("NFC", char) == char


# --- the table ------------------------------------------------------------------------------------------------------

ART_DPI = ("150", "200", "300", "437", "600", "1200", "original")
PAPERS = ("a4", "a3", "letter", "legal", "tabloid", "sra3", "150x210", "297x210")
BLEEDS = ("0", "1.5", "3")
OTHERS: tuple[tuple[object, ...], ...] = (
    ("--proof", "grey"),
    ("--proof", "low-ink"),
    ("--backs", "fold", "--paper", "a3"),
    ("--standard", "x-1a"),
    ("--standard", "x-4", "--bleed", "3"),
    ("--standard", "x-1a", "--art-dpi", "200"),
)
"""What else changes how a sheet is drawn."""

Trial = tuple[str, list[str]]


def try_pictures(folder: Path) -> Iterator[Trial]:
    """Yield what is said of right sheets with all pictures, for each fit and resolution, and on other sheets."""
    for fit in FITS:
        made = picture_set(folder / fit.replace(" ", "-"), fit, SAMPLES)
        for dpi in ART_DPI:
            yield f"{len(SAMPLES)} pictures, {fit}, {dpi} dpi", [refused(made, "--art-dpi", dpi)]
        for options in OTHERS:
            yield f"{len(SAMPLES)} pictures, {fit}, {' '.join(map(str, options))}", [refused(made, *options)]


def try_wrong(folder: Path) -> Iterator[Trial]:
    """Yield which wrong pictures are missed, for each fit and resolution."""
    for fit in FITS:
        made = picture_set(folder / fit.replace(" ", "-"), fit, SHOWING)
        for dpi in ART_DPI:
            names = [sample.name for sample in SHOWING]
            yield f"{len(SHOWING)} wrong pictures, {fit}, {dpi} dpi", list(missed(made, names, fit, "--art-dpi", dpi))


def try_fonts(folder: Path, more: Path | None) -> Iterator[Trial]:
    """Yield what is said of right sheets in each font, for a printer at home and for a press."""
    files = made_fonts(folder / "made")
    files |= dict.fromkeys(sorted(more.glob("*.[ot]tf")), "") if more else {}
    for number, (font, role) in enumerate(files.items()):
        made = font_set(folder / str(number), font, role)
        yield font.name, [refused(made), refused(made, "--standard", "x-1a")]


def try_letters(folder: Path) -> Iterator[Trial]:
    """Yield what is said of right sheets with all letters of each bundled face."""
    for face in fonts.FILES:
        made = letter_set(folder / face.replace(" ", "-"), face, letters_of(face))
        yield f"all letters of {face}", [refused(made)]


def try_papers(folder: Path) -> Iterator[Trial]:
    """Yield what is said of right sheets of some pictures, for each paper and bleed."""
    made = picture_set(folder / "papers", "filling", SAMPLES[:6])
    for paper, bleed in itertools.product(PAPERS, BLEEDS):
        yield f"{paper}, bleed {bleed} mm", [refused(made, "--paper", paper, "--bleed", bleed)]


def main() -> int:
    parts: Mapping[str, Callable[[Path], Iterator[Trial]]] = {
        "pictures": try_pictures,
        "wrong": try_wrong,
        "fonts": lambda folder: try_fonts(folder, chosen.fonts),
        "letters": try_letters,
        "papers": try_papers,
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=parts)
    parser.add_argument("--fonts", type=Path, metavar="FOLDER")
    chosen = parser.parse_args()
    count = failed = 0
    with tempfile.TemporaryDirectory() as home:
        for part in [chosen.only] if chosen.only else parts:
            for title, findings in parts[part](Path(home) / part):
                wrong = [finding for finding in findings if finding]
                count, failed = count + 1, failed + bool(wrong)
                print(f"{title}: {'FAILED' if wrong else 'as it should be'}", *wrong, sep="\n  ", flush=True)
    print(f"{count} files tried, {failed} not as they should be")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())

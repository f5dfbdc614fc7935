"""Tokens: cards that are cut to no rectangle, from PNG to the cutting machine."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from render.game.declared.game import DeclaredGame
from render.game.sets.named_games import game_in_folder
from tests.games.declared.isles import face, ran
from tests.games.declared.lanterns import write_files
from tests.support.sets import kotc

TOKENS = """
name: Isles
kinds:
  coin: {size: 30x30, back: plain, cut: round}
  hex: {size: 50x43.3, back: plain, cut: hexagon}
  tag: {size: mini, back: plain, cut: tag.svg}
"""
TAG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="M0 30 L50 0 L100 30 V100 H20 Z"/></svg>'


SIZES = {"coin": (30.0, 30.0), "hex": (50.0, 43.3), "tag": (44.45, 63.5)}
CORNERS = {
    "hex": ((0, 50), (25, 0), (75, 0), (100, 50), (75, 100), (25, 100)),
    "tag": ((0, 30), (50, 0), (100, 30), (100, 100), (20, 100)),
}
FINER = 16


@pytest.fixture(autouse=True)
def tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a set of tokens of three shapes, the last of which has no axis; commands run in it."""
    monkeypatch.chdir(tmp_path)
    files = {"game.yaml": TOKENS, "set.yaml": "name: Isles\n", "tag.svg": TAG, "templates/plain.svg": face(63.5, 88.9)}
    files["cards.yaml"] = "".join(f"- {{name: {kind}, kind: {kind}, copies: 3}}\n" for kind in SIZES)
    files |= {f"templates/{kind}.svg": face(*size) for kind, size in SIZES.items()}
    write_files(tmp_path / "tokens", files)
    return tmp_path


def edit_game(old: str, new: str) -> None:
    """Replace a part of the game's file."""
    text = Path("tokens/game.yaml").read_text(encoding="utf-8")
    assert old in text
    Path("tokens/game.yaml").write_text(text.replace(old, new), encoding="utf-8")


def outline(kind: str, dpi: float, *, mirrored: bool = False) -> NDArray[np.int64]:
    """Return how much of each pixel, 0 to 255, lies in the shape of a token, as Pillow draws it."""
    width, height = SIZES[kind]
    pixels = tuple(round(side * dpi / 25.4) for side in SIZES[kind])
    image = Image.new("L", (FINER * pixels[0], FINER * pixels[1]))
    scale, draw = FINER * dpi / 25.4, ImageDraw.Draw(image)
    if kind == "coin":
        draw.ellipse((0, 0, width * scale, height * scale), 255)
    else:
        places = ((100 - x if mirrored else x, y) for x, y in CORNERS[kind])
        draw.polygon([(x / 100 * width * scale, y / 100 * height * scale) for x, y in places], 255)
    return np.asarray(image.reduce(FINER), np.int64)


def shows_only(picture: Image.Image, shape: NDArray[np.int64]) -> bool:
    """Whether a picture is opaque within a shape and transparent elsewhere, with edges to a quarter of a pixel."""
    return picture.mode == "RGBA" and bool(abs(np.asarray(picture.getchannel("A"), np.int64) - shape).max() < 64)


@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
def test_tokens_have_sheets_of_their_own_with_cut_lines_along_their_outline(flip: str) -> None:
    ran("pdf", "tokens", "--out", "all.pdf", "--cut-line", "--gutter", "4", "--flip", flip)
    files = ["all-30x30-round.pdf", "all-50x43.3-hexagon.pdf", "all-mini-cut.pdf"]
    assert sorted(path.name for path in Path().glob("all*.pdf")) == files
    assert ran("verify", *files, "--set", "tokens").count("all right") == 1


def test_the_cut_of_a_token_is_mirrored_on_the_back_as_scissors_meet_it() -> None:
    ran("pdf", "tokens", "--out", "all.pdf", "--cut-line", "--gutter", "4", "--kind", "tag")
    front, back = (
        np.asarray(pypdfium2.PdfDocument("all-mini-cut.pdf")[page].render(scale=150 / 72).to_pil().convert("RGB"), int)
        for page in (0, 1)
    )
    lines = [(abs(page - [255, 0, 255]).sum(axis=2) < 200) for page in (front, back)]
    assert lines[0].sum() > 1000
    mirrored = lines[1][:, ::-1]
    assert (lines[0] & mirrored).sum() > 0.9 * lines[0].sum()


def test_a_cutter_follows_the_outline_in_mm() -> None:
    ran("cut", "tokens", "--gutter", "2")
    tag = Path("out/tokens/cuts-mini-cut.svg").read_text()
    first = next(line for line in tag.splitlines() if "<path" in line)
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", first.split('d="')[1])]
    x, y = numbers[0::2], numbers[1::2]
    assert (max(x) - min(x), max(y) - min(y)) == pytest.approx((44.45, 63.5), abs=0.001)
    ran("cut", "tokens", "--gutter", "2", "--format", "dxf")
    drawing = Path("out/tokens/cuts-30x30-round.dxf").read_text()
    assert drawing.count("POLYLINE") == Path("out/tokens/cuts-30x30-round.svg").read_text().count("<path")


@pytest.mark.parametrize("kind", SIZES)
def test_pictures_of_tokens_are_transparent_beyond_their_cut(kind: str) -> None:
    ran("png", "tokens", "--out", "pngs", "--dpi", "635")
    ran("table", "tokens", "--for", "folder")
    with Image.open(f"pngs/{kind}.png") as front:
        assert shows_only(front, outline(kind, 635))
    folder = Path("out/tokens/folder")
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as lines:
        (row,) = (row for row in csv.DictReader(lines) if row["front"] == f"{kind}.png")
    with Image.open(folder / row["back"]) as back:
        assert shows_only(back, outline(kind, 300, mirrored=True))


def test_pngs_with_bleed_show_all_of_a_token() -> None:
    ran("png", "tokens", "--out", "pngs", "--bleed", "2", "--dpi", "254")
    for kind, size in (("coin", (340, 340)), ("hex", (540, 473)), ("tag", (485, 675))):
        with Image.open(f"pngs/{kind}.png") as picture:
            assert (picture.mode, picture.size) == ("RGB", size)


def test_a_hole_in_a_token_is_seen_through() -> None:
    edit_game(
        "30x30, back: plain, cut: round", '40x40, back: none, cut: "M 0 0 H 40 V 40 H 0 Z M 10 10 H 30 V 30 H 10 Z"'
    )
    ran("png", "tokens", "--out", "pngs", "--dpi", "254", "--kind", "coin")
    with Image.open("pngs/coin.png") as picture:
        alpha = np.asarray(picture.getchannel("A"))
    assert not alpha[100:300, 100:300].any()
    assert np.count_nonzero(alpha == 255) == 400 * 400 - 200 * 200


def test_pngs_with_a_cut_line_show_the_outline() -> None:
    ran("png", "tokens", "--out", "pngs", "--cut-line", "--bleed", "2", "--dpi", "254")
    with Image.open("pngs/hex.png") as picture:
        rows, columns = (abs(np.asarray(picture, int) - [255, 0, 255]).sum(axis=2) < 60).nonzero()
    x, y = columns / 10 - 2, rows / 10 - 2
    left = x < 12.4
    assert left.sum() > 400
    # On the left, two edges meet in the middle, each as steep as 21.65 mm to 12.5 mm.
    assert abs(x[left] - abs(21.65 - y[left]) * 12.5 / 21.65).max() < 0.2


@pytest.mark.parametrize("kind", ["low-ink", "grey", "outline"])
def test_proofs_of_tokens_end_at_their_cut(kind: str) -> None:
    ran("pdf", "tokens", "--out", "all.pdf", "--proof", kind, "--card-size", "mini", "--grid", "1x1")
    assert "all right" in ran("verify", *map(str, Path().glob("all*.pdf")), "--set", "tokens")
    left, top = (round((side - card) / 2 * 300 / 25.4) for side, card in zip((210, 297), SIZES["tag"], strict=True))
    for number in (0, 1):
        page = pypdfium2.PdfDocument("all-cut.pdf")[number].render(scale=300 / 72).to_pil().convert("L")
        shape = outline("tag", 300, mirrored=number == 1)
        slot = np.asarray(page.crop((left, top, left + shape.shape[1], top + shape.shape[0])))
        around = np.asarray(Image.fromarray(shape.astype(np.uint8)).filter(ImageFilter.MaxFilter(5)))
        assert (slot[around == 0] == 255).all()
        assert (slot[around > 0] < 128).sum() > 1000


def test_the_safe_line_of_an_outline_proof_lies_that_far_inside_the_cut() -> None:
    ran(
        "pdf",
        "tokens",
        "--out",
        "all.pdf",
        "--proof",
        "outline",
        "--kind",
        "coin",
        "--card-size",
        "30x30",
        "--grid",
        "1x1",
    )
    page = pypdfium2.PdfDocument("all-round.pdf")[0].render(scale=600 / 72).to_pil().convert("L")
    rows, columns = (np.asarray(page) < 200).nonzero()
    apart = np.hypot((columns + 0.5) * 25.4 / 600 - 105, (rows + 0.5) * 25.4 / 600 - 148.5)
    lines = apart[apart < 16]
    assert {round(float(each), 1) for each in lines} <= {11.8, 11.9, 14.9, 15.0, 15.1}
    assert len(lines) > 2000


def test_a_table_knows_the_shape_of_tokens() -> None:
    ran("table", "tokens", "--for", "tabletop-simulator")
    saved = json.loads(Path("out/tokens/tabletop-simulator/tokens.json").read_text(encoding="utf-8"))
    assert [next(iter(pile["CustomDeck"].values()))["Type"] for pile in saved["ObjectStates"]] == [4, 3, 1]
    (file,) = Path("out/tokens/tabletop-simulator").glob("tokens-3-fronts*.png")
    with Image.open(file) as grid:
        shape = outline("tag", 300)
        assert shows_only(grid.crop((0, 0, shape.shape[1], shape.shape[0])), shape)


@pytest.mark.parametrize(
    "drawing",
    [
        '<path transform="translate(10 0)" d="M0 0 H40 V100 Z"/>',
        '<g opacity="0.5"><polygon points="10,0 50,0 50,100" fill="none" stroke="#f00"/></g>',
        '<!-- <path d="M0 0 H9 V9 Z"/> --><defs><path id="a" d="M0 0 H40 V100 Z"/></defs><use href="#a" x="10"/>',
    ],
)
def test_a_cut_is_the_first_shape_of_its_drawing_wherever_that_puts_it(tokens: Path, drawing: str) -> None:
    (tokens / "tokens/tag.svg").write_text(TAG[: TAG.index("<path")] + drawing + "</svg>", encoding="utf-8")
    game, findings = game_in_folder(tokens / "tokens")
    assert isinstance(game, DeclaredGame)
    assert (game.rules.kinds_by_name["tag"].cut, findings) == ("M 4.445 0 L 22.225 0 L 22.225 63.5 Z", ())


def test_another_cut_makes_its_sheets_anew(tokens: Path) -> None:
    (tokens / "tokens/set.yaml").write_text("name: Isles\noutputs: [sheets]\n", encoding="utf-8")
    ran("build", "tokens")
    (tokens / "tokens/tag.svg").write_text(TAG.replace("H20", "H30"), encoding="utf-8")
    assert "1 written" in ran("build", "tokens")
    ran("verify", *map(str, Path("out/tokens").glob("*.pdf")), "--set", "tokens")


def test_another_cut_makes_its_pictures_and_the_gallery_anew(tokens: Path) -> None:
    (tokens / "tokens/set.yaml").write_text("name: Isles\noutputs: [png, gallery]\n", encoding="utf-8")
    ran("build", "tokens")
    (tokens / "tokens/tag.svg").write_text(TAG.replace("H20", "H30"), encoding="utf-8")
    said = ran("build", "tokens", "--explain")
    assert "tag.png: cut changed" in said
    assert "gallery.html: backs changed" in said
    assert "2 written, 2 unchanged" in said


def test_a_cut_is_read_from_no_file_out_of_the_folder_of_the_game(tokens: Path) -> None:
    (tokens / "tokens/tag.svg").rename(tokens / "tag.svg")
    (tokens / "tokens/tag.svg").symlink_to(tokens / "tag.svg")
    result = kotc("check", "tokens")
    assert result.exit_code == 1
    assert "tokens/game.yaml:6:39: error: the drawing `tag.svg`" in result.output


@pytest.mark.parametrize(
    ("cut", "said"),
    [
        ("M 0 0 H 40", "a cut is a closed path"),
        ("M 0 0 H 400 V 9 Z", "the path reaches from 0, 0 to 400, 9, and the card is 30 x 30 mm"),
        ("other.svg", "there is no drawing `other.svg` in `tokens`"),
        ("../tag.svg", "the drawing `../tag.svg`"),
        ("empty.svg", "`empty.svg`: the file draws no shape"),
        ("wide.svg", "the path reaches from 0, 0 to 60, 30, and the card is 30 x 30 mm"),
        ("star", "write `round`, `hexagon`, `cut.svg` or a path"),
    ],
)
def test_a_cut_that_is_none_is_told_of_at_its_place(cut: str, said: str) -> None:
    Path("tag.svg").write_text(TAG, encoding="utf-8")
    start = TAG[: TAG.index("<path")]
    Path("tokens/empty.svg").write_text(f"{start}</svg>", encoding="utf-8")
    Path("tokens/wide.svg").write_text(f'{start}<rect width="200" height="100"/></svg>', encoding="utf-8")
    edit_game("cut: round", f'cut: "{cut}"')
    result = kotc("check", "tokens")
    assert result.exit_code == 1
    assert result.output.startswith("tokens/game.yaml:4:")
    assert said in result.output


@pytest.mark.parametrize("size", ["", "size: landscape, ", "size: tiny, "])
def test_a_path_is_that_of_cards_of_one_size(size: str) -> None:
    edit_game("size: mini, ", size)
    result = kotc("check", "tokens")
    assert result.exit_code == 1
    said = "expected `landscape`" if "tiny" in size else "a path is that of a card of one `size`, such as `size: 30x30`"
    assert result.output.count("error:") == 1
    assert said in result.output


def test_a_gallery_and_a_site_show_tokens_without_a_frame_and_the_back_of_each_shape(tokens: Path) -> None:
    (tokens / "tokens/set.yaml").write_text("name: Isles\noutputs: [png, gallery]\n", encoding="utf-8")
    ran("build", "tokens")
    page = (tokens / "out/tokens/gallery.html").read_text(encoding="utf-8")
    assert (page.count('<li class="card token"'), page.count('<li class="card back token"')) == (3, 3)
    ran("site", "tokens", "--out", "site")
    listing = (tokens / "site/index.html").read_text(encoding="utf-8")
    assert listing.count('<li class="card token"') == 3
    with Image.open(next((tokens / "site/pictures").rglob("coin.webp"))) as picture:
        assert picture.getchannel("A").getextrema() == (0, 255)

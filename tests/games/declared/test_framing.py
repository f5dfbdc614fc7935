"""A card says how its pictures lie in the boxes of their template: `art: {file, focus, zoom, crop, turn, tone}`."""

from pathlib import Path

import pytest
from PIL import Image

from tests.games.declared.lanterns import FILES, SVG, write_files
from tests.support.sets import kotc, write_set

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)
BOXES = SVG.format("""\
  <image x="0" y="0" width="20" height="20" href="{{ card.art.href }}" preserveAspectRatio="xMidYMid slice"/>
  {% if card.badge %}
  <image x="30" y="0" width="20" height="20" href="{{ card.badge.href }}" preserveAspectRatio="xMidYMid slice"/>
  {% endif %}
  <image x="0" y="30" width="20" height="20" href="{{ card.art.href }}" tone="#0000ff"/>
  <text x="3" y="80">{{ card.art.author }} {{ card.art.width }}</text>
""")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set with a picture of three stripes, from left to right red, green and blue; commands run beside it."""
    monkeypatch.chdir(tmp_path)
    game = "name: Badges\nfields: {badge: picture}\nkinds: {beast: {}}\n"
    write_files(tmp_path / "set", {**FILES, "game.yaml": game, "templates/beast.svg": BOXES})
    stripes(tmp_path / "set/stripes.png")
    return tmp_path


def stripes(file: Path) -> None:
    image = Image.new("RGB", (600, 200), RED)
    image.paste(GREEN, (200, 0, 400, 200))
    image.paste(BLUE, (400, 0, 600, 200))
    image.save(file)


def colors(cards: str, *places: tuple[float, float]) -> list[tuple[int, ...]]:
    """Return the colors of the first card at these places, in mm."""
    Path("set/cards.yaml").write_text(cards, encoding="utf-8")
    result = kotc("png", "set", "--out", "pngs", "--dpi", "254")
    assert result.exit_code == 0, result.output
    image = Image.open(next(Path("pngs").glob("*.png"))).convert("RGB")
    return [image.getpixel((round(x * 10), round(y * 10))) for x, y in places]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("framing", "middle"),
    [
        ("focus: [0.1, 0.5]", RED),
        ("focus: 90% 50%", BLUE),
        ("crop: [0.67, 0, 0.33, 1]", BLUE),
        ("zoom: 3", GREEN),
        ("turn: 180, focus: [0, 0]", RED),
        ("fit: contain, focus: [0, 0]", GREEN),
        ("focus: [1, 0], tone: grey", (29, 29, 29)),
        ("focus: [1, 0], tone: '#7a3b1e'", (137, 81, 56)),
    ],
)
def test_the_middle_of_the_box_shows_what_the_card_asks_for(framing: str, middle: tuple[int, ...]) -> None:
    cards = f"- {{name: Bear, art: {{file: stripes.png, {framing}}}}}\n"
    assert colors(cards, (10, 10)) == [pytest.approx(middle, abs=1)]


def test_one_file_is_framed_in_two_ways_on_one_card() -> None:
    cards = "- {name: Bear, art: {file: stripes.png, focus: [0, 0]}, badge: {file: stripes.png, focus: [1, 0]}}\n"
    assert colors(cards, (10, 10), (40, 10)) == [RED, BLUE]


def test_a_turn_by_a_quarter_is_clockwise_and_stays_in_the_box() -> None:
    cards = "- {name: Bear, art: {file: stripes.png, turn: 90, fit: contain}}\n"
    assert colors(cards, (10, 2), (10, 10), (10, 18), (21, 10), (2, 10)) == [RED, GREEN, BLUE, WHITE, WHITE]


def test_a_picture_that_is_turned_aslant_is_clipped_to_its_box() -> None:
    cards = "- {name: Bear, art: {file: stripes.png, turn: 30}}\n"
    inside, right, below = colors(cards, (19.5, 0.5), (20.5, 10), (10, 20.5))
    assert inside != WHITE
    assert (right, below) == (WHITE, WHITE)


def test_a_template_gives_all_its_pictures_a_tone_unless_the_card_does() -> None:
    assert colors("- {name: Bear, art: stripes.png}\n", (10, 40)) == [pytest.approx((75, 75, 255), abs=1)]
    assert colors("- {name: Bear, art: {file: stripes.png, tone: grey}}\n", (10, 40)) == [(75, 75, 75)]


def test_a_table_frames_pictures_too_and_sheets_show_them_so() -> None:
    Path("set/cards.yaml").unlink()
    Path("set/beasts.csv").write_text(
        "name,kind,art.file,art.focus,art.author\nBear,beast,stripes.png,0.9 0.5,A. Author\n", encoding="utf-8"
    )
    assert kotc("build", "set").exit_code == 0
    image = Image.open("out/set/png/bear.png").convert("RGB")
    assert image.getpixel((39, 39)) == BLUE
    assert "all right" in kotc("verify", "out/set/sheets.pdf", "--set", "set").output


def test_another_framing_makes_the_picture_anew() -> None:
    for framing, middle in (("focus: [0, 0]", RED), ("focus: [1, 0]", BLUE)):
        card = f"- {{name: Bear, art: {{file: stripes.png, {framing}}}}}\n"
        Path("set/cards.yaml").write_text(card, encoding="utf-8")
        assert kotc("build", "set").exit_code == 0
        assert Image.open("out/set/png/bear.png").convert("RGB").getpixel((39, 39)) == middle


@pytest.mark.parametrize(
    ("framing", "said"),
    [
        ("focus: [0.5]", "expected two shares of its width and height from 0 to 1"),
        ("focus: [2, 0]", "expected two shares of its width and height from 0 to 1"),
        ("zoom: 0.5", "expected a factor from 1 to 20"),
        ("crop: [0.5, 0, 0.6, 1]", "expected left, top, width and height of a part"),
        ("turn: north", "expected degrees from -360 to 360"),
        ("tone: sepia", "expected `grey` or a color such as `#7a3b1e`"),
        ("fit: fill", "expected `cover`, `contain` or `stretch`"),
        ("fokus: [0, 0]", "did you mean `focus`?"),
    ],
)
def test_a_mistake_is_told_of_at_its_place(framing: str, said: str) -> None:
    Path("set/cards.yaml").write_text(f"- {{name: Bear, art: {{file: stripes.png, {framing}}}}}\n", encoding="utf-8")
    result = kotc("check", "set")
    assert result.exit_code == 1
    assert result.output.startswith("set/cards.yaml:1:")
    assert said in result.output


def test_a_file_that_is_missing_is_told_of_where_it_is_named() -> None:
    Path("set/cards.yaml").write_text(
        "- name: Bear\n  art: stripes.png\n  badge:\n    focus: [0, 0]\n    file: strips.png\n", encoding="utf-8"
    )
    result = kotc("check", "set")
    assert "set/cards.yaml:5:11: error: no picture `strips.png`" in result.output
    assert "did you mean `stripes.png`?" in result.output


def test_cards_of_keeper_of_the_cards_frame_theirs_as_well(tmp_path: Path) -> None:
    art = "{file: s.png, fit: cover, crop: [0, 0, 0.33, 1], tone: grey}"
    write_set(tmp_path / "own", f"- {{name: Cat, kind: minion, level: 1, sp: 1, hp: 1, art: {art}}}\n")
    stripes(tmp_path / "own/s.png")
    result = kotc("png", "own", "--out", "pngs", "--dpi", "254")
    assert result.exit_code == 0, result.output
    image = Image.open("pngs/cat.png").convert("RGB")
    assert image.getpixel((317, 250)) == pytest.approx((76, 76, 76), abs=1)

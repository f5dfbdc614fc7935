"""A card may have several pictures: each is inspected, drawn, built and offered as `art` is."""

import json
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from render.game.authoring.pictures import loose_pictures
from render.lsp.answers import links
from tests.games.declared.lanterns import FILES, SVG, write_files
from tests.games.declared.two_faces import CARDS as OF_FACES
from tests.games.declared.two_faces import write_two_faces
from tests.support.marked_texts import completions, document_of, unmarked
from tests.support.sets import kotc

GAME = """\
name: Badges
fields:
  badge: {type: picture, aliases: [sign]}
kinds: {beast: {}}
"""
CARDS = """\
- {name: Bear, art: art/bear.png, badge: art/star.png}
- {name: Wolf, sign: art/moon.png}
"""
FRONT = SVG.format("""\
  {% if card.art %}<image x="5" y="5" width="40" height="40" href="{{ card.art.href }}"/>{% endif %}
  <image x="5" y="60" width="{{ card.badge.width / 20 }}" height="20" href="{{ card.badge.href }}"/>
""")
GROUND = '<rect x="-5" y="-5" width="80" height="110" fill="#336699"/>'
COLORS = {"bear": "#885533", "star": "#ffcc00", "moon": "#ccccff", "loose": "#000000"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set whose cards have two pictures, and a folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    files = {"game.yaml": GAME, "cards.yaml": CARDS, "templates/beast.svg": FRONT}
    write_files(tmp_path / "set", {**FILES, **files})
    (tmp_path / "set/art").mkdir()
    for name, color in COLORS.items():
        picture(name, color)
    return tmp_path


def picture(name: str, color: str) -> None:
    Image.new("RGB", (400, 400), color).save(f"set/art/{name}.png")


def pixel(card: str, x: float, y: float) -> str:
    """Return the color of a PNG of 100 dpi at a place in mm."""
    image = Image.open(f"out/set/png/{card}.png").convert("RGB")
    return "#{:02x}{:02x}{:02x}".format(*image.getpixel((round(x * 100 / 25.4), round(y * 100 / 25.4))))  # type: ignore[misc]


def test_a_template_shows_each_picture_with_its_size() -> None:
    assert kotc("build", "set").exit_code == 0
    assert (pixel("bear", 20, 20), pixel("bear", 15, 70)) == (COLORS["bear"], COLORS["star"])
    assert (pixel("wolf", 20, 20), pixel("wolf", 15, 70)) == ("#ffffff", COLORS["moon"])


def test_a_card_is_built_again_when_any_of_its_pictures_changes() -> None:
    assert kotc("build", "set").exit_code == 0
    picture("star", "#ff0000")
    explained = kotc("build", "set", "--explain").output
    assert "png/bear.png: picture `badge` changed" in explained
    assert "wolf.png" not in explained
    assert pixel("bear", 15, 70) == "#ff0000"


def test_missing_pictures_are_told_all_at_once_each_at_its_key() -> None:
    write_files(Path("set"), {"cards.yaml": CARDS.replace("bear.png", "bare.png").replace("star.png", "stair.png")})
    found = json.loads(kotc("check", "set", "--format", "json").stdout)
    assert [(each["code"], each["field"], each["column"], each["message"]) for each in found] == [
        ("A001", "art.file", 21, "no picture `art/bare.png`"),
        ("A001", "badge", 42, "no picture `art/stair.png`"),
    ]


def test_a_picture_that_a_field_names_is_not_loose() -> None:
    assert loose_pictures(Path("set")) == ["art/loose.png"]


@pytest.mark.parametrize("more", ["icons: {moon: art/loose.png}", "  other: {back: art/loose.png}"])
def test_what_the_game_itself_names_is_not_loose(more: str) -> None:
    write_files(Path("set"), {"game.yaml": GAME + more + "\n"})
    assert loose_pictures(Path("set")) == []


def test_editors_lead_to_each_picture_and_offer_them_for_each_field(tmp_path: Path) -> None:
    file = tmp_path / "set/cards.yaml"
    assert [Path(str(each.target)).name for each in links(document_of(file, CARDS), None)] == [
        "bear.png",
        "star.png",
        "moon.png",
    ]
    plain, spot = unmarked("- name: Bear\n  badge: ‸\n")
    assert "art/star.png" in [each.label for each in completions(document_of(file, plain), spot)]
    write_two_faces(tmp_path / "faces")
    file = tmp_path / "faces/cards.yaml"
    assert [Path(str(each.target)).name for each in links(document_of(file, OF_FACES), None)] == [
        "fire.png",
        "ice.png",
        "fire.png",
    ]
    plain, spot = unmarked("- kind: split\n  faces:\n    - name: Fire\n      art: ‸\n")
    assert "art/ice.png" in [each.label for each in completions(document_of(file, plain), spot)]


def test_a_cut_out_picture_shows_the_card_beneath_it_in_every_file_and_its_sheets_are_proved() -> None:
    write_files(Path("set"), {"templates/beast.svg": FRONT.replace("<image", GROUND + "<image", 1)})
    figure = Image.new("RGBA", (400, 400))
    figure.paste(COLORS["bear"], (100, 100, 300, 300))
    figure.save("set/art/bear.png")
    assert kotc("build", "set").exit_code == 0
    assert (pixel("bear", 25, 25), pixel("bear", 10, 10)) == (COLORS["bear"], "#336699")
    sheets = Path("out/set/sheets.pdf")
    assert kotc("verify", sheets, "--set", "set").exit_code == 0
    with pikepdf.open(sheets, allow_overwriting_input=True) as pdf:
        (masked,) = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and "/SMask" in each]
        del masked.SMask
        pdf.save()
    found = kotc("verify", sheets, "--set", "set")
    assert (found.exit_code, "`bear`" in found.stdout) == (1, True)

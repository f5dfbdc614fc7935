"""Cards are read back from their pictures; what cannot be read for sure is left out, and said."""

from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from PIL import Image, ImageDraw
from proofs.cards_read_back import LOOKS, STARTERS, drawn, expected, outcomes, plain, write_set

from render.base.findings import Refused, Severity
from render.games.kotc.model.cards import Card
from render.games.kotc.workshop.imports.import_files import import_cards
from render.games.kotc.workshop.imports.xcf.cards import read_xcf_card
from render.games.kotc.workshop.recognition.card_reading import read_card, read_picture_card
from render.games.kotc.workshop.recognition.places import background
from render.scene.items import Scene
from tests.games.kotc.gimp_texts import CREATURE, FLAVOR, NAME, drawn_layer

OFFICIAL = Path(__file__).parents[4] / "shared" / "reference" / "ninth"
PNG, JPEG = LOOKS[0], LOOKS[2]


@cache
def starter(name: str) -> tuple[Card, Scene]:
    (found,) = (each for folder in STARTERS for each in drawn(folder, name))
    return found


def as_file(image: Image.Image) -> bytes:
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def test_every_field_of_a_card_is_read_from_its_picture_for_sure() -> None:
    told, scene = starter("castle-gate")
    found = outcomes(read_card(JPEG.picture(scene)), told)
    assert [each for each in found if each.verdict != "exact"] == []


def test_a_card_that_was_scaled_and_has_white_around_it_is_found() -> None:
    card, scene = starter("paper-boat")
    page = Image.new("RGB", (1000, 1400), "white")
    page.paste(LOOKS[1].picture(scene).resize((930, 1302), Image.Resampling.LANCZOS), (31, 40))
    read = read_card(page).fields
    wanted = expected(card)
    assert {key: each.value for key, each in read.items() if each.is_sure and each.value != wanted[key]} == {}
    assert read["name"].value == "Paper Boat"


def test_a_word_that_was_painted_over_is_left_out_and_said() -> None:
    _, scene = starter("rust-golem")
    image = PNG.picture(scene)
    ImageDraw.Draw(image).line((310, 80, 430, 112), "black", 5)
    with TemporaryDirectory() as scratch:
        file = Path(scratch, "golem.png")
        file.write_bytes(as_file(image))
        report = import_cards(file, Path(scratch, "made"))
        assert "name:" not in report.cards[0].file.read_text("utf-8")
    assert [finding.field for finding in report.findings if finding.code == "X036"] == ["name"]
    # The card is there, and lacks a name, which the import says as `kotc check` does.
    assert (report.files, len(report.cards), report.checked) == (1, 1, 1)
    missing = [(each.field, each.severity) for each in report.findings if each.code == "C004"]
    assert missing == [("name", Severity.WARNING)]


def test_the_name_of_a_card_without_other_words_is_written_and_marked_as_unsure(tmp_path: Path) -> None:
    cards = [
        {"name": "Iron Illusion", "kind": "minion", "edition": 17, "level": 12, "sp": 10, "hp": 7},
        {"name": "Il Lupo", "kind": "creature", "edition": 9, "cost": 3, "offense": 2, "defense": 2},
    ]
    write_set(tmp_path, cards, 1)
    files = [tmp_path / f"{number}.png" for number in range(2)]
    for file, (_, scene) in zip(files, drawn(tmp_path), strict=True):
        file.write_bytes(as_file(PNG.picture(scene)))
    report = import_cards(files, tmp_path / "made")
    assert (report.files, len(report.cards), report.checked) == (2, 2, 2)
    assert [(each.code, each.field) for each in report.findings] == [("X036", "name")] * 2
    for card, wanted in zip(report.cards, cards, strict=True):
        text = card.file.read_text("utf-8")
        assert f"name: {wanted['name']}  # 50 % sure: compare it with the picture\n" in text
    read = [(card.name, card.kind.value) for card, _ in drawn(tmp_path / "made")]
    assert sorted(read) == sorted((card["name"], card["kind"]) for card in cards)
    # What a person corrects stays, and what is there agrees with the picture.
    first = report.cards[0].file
    first.write_text(first.read_text("utf-8").replace("Illusion", "Allusion"), "utf-8")
    again = import_cards(files, tmp_path / "made")
    assert ([each.outcome for each in again.cards], again.checked) == (["unchanged", "unchanged"], 2)
    assert [each.field for each in again.findings] == ["name"]
    assert "Allusion" in first.read_text("utf-8")


@pytest.mark.parametrize("size", [(750, 1050), (40, 60), (1, 1), (3000, 20)])
def test_a_picture_without_the_frame_is_no_card(size: tuple[int, int]) -> None:
    noise = Image.effect_noise(size, 90).convert("RGB")
    with pytest.raises(Refused) as refused:
        read_picture_card(Path("noise.png"), as_file(noise))
    assert [finding.code for finding in refused.value.findings] == ["X035"]


@pytest.mark.parametrize("card", ["castle-gate", "sea-serpent"])
def test_a_card_upside_down_is_no_card(card: str) -> None:
    _, scene = starter(card)
    with pytest.raises(Refused) as refused:
        read_picture_card(Path("turned.png"), as_file(PNG.picture(scene).rotate(180)))
    assert [finding.code for finding in refused.value.findings] == ["X035"]


def test_an_imported_picture_gives_a_card_that_is_drawn_the_same() -> None:
    _, scene = starter("hourglass")
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "hourglass.png").write_bytes(as_file(PNG.picture(scene)))
        report = import_cards(folder / "hourglass.png", folder / "made")
        assert [finding.code for finding in report.findings] == []
        ((card, again),) = drawn(folder / "made")
        assert card.text == starter("hourglass")[0].text
        before, after = PNG.picture(scene), PNG.picture(again)
        # The picture was cut out at whole pixels, so it may lie half a pixel beside; below, all is where it was.
        below = (0, round(46.5 / 25.4 * 300), *before.size)
        assert before.crop(below).tobytes() == after.crop(below).tobytes()


def test_a_name_that_gimp_drew_is_not_sure_when_the_picture_was_scaled() -> None:
    ink = drawn_layer("American Robin", NAME) + drawn_layer("Robins lack any meaningful offense.", FLAVOR)
    blank = np.asarray(background(CREATURE, 400.0).convert("RGB"), np.float32)
    card = Image.fromarray(np.rint(blank * (1 - ink[:, :, None])).astype(np.uint8))
    page = Image.new("RGB", (1200, 1600), "white")
    page.paste(card, (100, 100))
    read = read_card(page.resize((600, 800), Image.Resampling.LANCZOS)).fields
    assert [key for key in ("name", "flavor") if read[key].is_sure] == []


def test_a_picture_by_the_authors_is_read_by_the_letters_of_gimp() -> None:
    file = OFFICIAL / "thor.png"
    if not file.is_file():
        pytest.skip(f"without {file}")
    gimp = read_xcf_card(file.with_suffix(".xcf"), file.with_suffix(".xcf").read_bytes()).values
    read = read_picture_card(file, file.read_bytes())
    keys = ("kind", "edition", "name", "cost", "offense", "defense", "text", "flavor", "credit", "credit_font")
    wanted = {key: plain(str(gimp[key])) for key in keys}
    assert {key: plain(str(read.values.get(key))) for key in keys} == wanted
    assert [finding for finding in read.findings if finding.code == "X036"] == []


def test_a_name_whose_letters_the_authors_set_closer_is_read_with_its_spaces() -> None:
    file = OFFICIAL / "war_-_2nd_horseman_of_the_apocalypse.png"
    if not file.is_file():
        pytest.skip(f"without {file}")
    read = read_card(Image.open(file).convert("RGB")).fields["name"]
    assert (read.value, read.is_sure) == ("War - 2nd Horseman of the Apocalypse", True)


def test_a_credit_of_the_authors_in_a_font_that_cannot_be_read_is_left_out() -> None:
    file = OFFICIAL / "lucifer.png"
    if not file.is_file():
        pytest.skip(f"without {file}")
    read = read_picture_card(file, file.read_bytes())
    assert {"credit", "credit_font"} & read.values.keys() == set()
    assert "credit" in [finding.field for finding in read.findings if finding.code == "X036"]

"""The game in `cards/kettle`, thirty cards of a table in two languages, with cards that lie and round tokens, is whole."""

import csv
import json
import shutil
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image

from tests.support.repository import ROOT
from tests.support.sets import kotc

KETTLE = ROOT / "cards" / "kettle"
FEW = ("Old Tanuki", "Old Photograph", "Whale Harbor", "Timetable", "Steam")


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a card of each kind: all of them take twenty seconds."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(KETTLE, "kettle")
    with (KETTLE / "cards.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    with Path("kettle/cards.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *(row for row in rows if row[1] in FEW)])


def test_nothing_is_doubtful_about_the_set_and_its_deck_and_no_word_is_missing_in_japanese() -> None:
    assert kotc("check", str(KETTLE), "--strict").output == "30 cards checked: nothing to report\n"
    assert kotc("check", str(ROOT / "cards/decks/first-ride.yaml")).output == "12 cards checked: nothing to report\n"


@pytest.mark.parametrize(("language", "name"), [("en", "Old Tanuki"), ("ja", "たぬきのおじいさん")])
def test_its_sheets_are_proved_in_both_languages_and_their_names_can_be_read(
    few: None, language: str, name: str
) -> None:
    assert kotc("pdf", "kettle", "--language", language, "--out", "sheets.pdf").exit_code == 0
    files = ("sheets.pdf", "sheets-30x30-round.pdf")
    proved = kotc("verify", *files, "--set", "kettle", "--language", language)
    assert "all right" in proved.output, proved.output
    with pdfium.PdfDocument("sheets.pdf") as pages:
        assert name in pages[0].get_textpage().get_text_bounded()


def test_boxes_and_dividers_have_japanese_words_in_the_letters_of_the_game(few: None) -> None:
    made = {"box": [], "dividers": ["--places", "2"]}
    for command, more in made.items():
        done = kotc(command, "kettle", "--language", "ja", "--kind", "passenger", "--out", f"{command}.pdf", *more)
        assert done.exit_code == 0, done.output
    for command, words in (("box", "やかん鉄道"), ("dividers", "お客さん")):
        with pdfium.PdfDocument(f"{command}.pdf") as pages:
            assert words in pages[0].get_textpage().get_text_bounded()


def test_stations_lie_the_photograph_is_grey_and_the_table_gets_cards_and_round_tokens(few: None) -> None:
    pictures = ("old-photograph", "whale-harbor")
    chosen = [word for each in pictures for word in ("--card", each)]
    assert kotc("png", "kettle", "--language", "en", "--dpi", "72", "--out", "png", *chosen).exit_code == 0
    photograph, harbor = (Image.open(f"png/{each}.png").convert("RGB") for each in pictures)
    assert harbor.width > harbor.height
    red, green, blue = photograph.crop((50, 50, 130, 120)).split()
    assert red.tobytes() == green.tobytes() == blue.tobytes()
    assert kotc("table", "kettle", "--for", "tabletop-simulator", "--language", "en", "--out", "table").exit_code == 0
    saved = json.dumps(json.loads(Path("table/kettle.json").read_text(encoding="utf-8")))
    assert '"Whale Harbor"' in saved and '"Steam"' in saved

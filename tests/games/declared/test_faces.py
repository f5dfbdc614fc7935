"""Cards with two faces: two small cards on one front, or a front and a back that both know the card."""

import csv
import json
import shutil
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from tests.games.declared.lanterns import write_files
from tests.games.declared.two_faces import FILES, write_two_faces
from tests.support.sets import kotc

PNGS = ["fire-ice", "rock", "tide", "tide.back", "watcher-howler", "watcher-howler.back"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a set whose cards have two faces, beside which commands run."""
    monkeypatch.chdir(tmp_path)
    write_two_faces(tmp_path / "set")
    return tmp_path


def edit(before: str, after: str, name: str = "cards.yaml") -> None:
    file = Path("set", name)
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def pixel(card: str, x: float, y: float) -> tuple[int, ...]:
    """Return the color of a PNG of 100 dpi at a place in mm."""
    image = Image.open(f"out/set/png/{card}.png").convert("RGB")
    found = image.getpixel((round(x * 100 / 25.4), round(y * 100 / 25.4)))
    assert isinstance(found, tuple)
    return found


def stale(explained: str) -> list[str]:
    """Return the PNGs that a build explains, in order."""
    return sorted(line.split("png/")[1].split(".png")[0] for line in explained.splitlines() if ".png:" in line)


# --- pictures and sheets ---


def test_each_face_has_its_values_and_each_side_its_png() -> None:
    assert kotc("check", "set").output == "4 cards checked: nothing to report\n"
    assert kotc("build", "set").exit_code == 0
    assert kotc("png", "set", "--out", "pngs").output == "Dusk: 6 PNGs in pngs\n"
    for folder in ("out/set/png", "pngs"):
        assert sorted(path.stem for path in Path(folder).iterdir()) == PNGS
    assert pixel("fire-ice", 5, 60) == (255, 204, 170)
    assert pixel("fire-ice", 5, 10) == (170, 204, 255)
    assert pixel("watcher-howler", 20, 30) == (204, 51, 0)
    assert pixel("watcher-howler.back", 20, 30) == (32, 32, 64)


def test_the_back_of_each_card_lies_behind_its_front() -> None:
    """PDFium reads the words; on the back, a column is the one that is mirrored at the long edge."""
    assert kotc("pdf", "set", "--out", "sheets.pdf").exit_code == 0
    front, back = (page.get_textpage() for page in pypdfium2.PdfDocument("sheets.pdf"))
    width = pypdfium2.PdfDocument("sheets.pdf")[0].get_width()
    for one, other in (("Watcher 1", "Howler 5"), ("Ebb 2", "Flood 2")):
        places, behind = places_of(front, one, width), places_of(back, other, width)
        assert len(places) == len(behind) == (2 if one == "Watcher 1" else 1)
        mirrored = sorted((2 - column, round(y)) for column, y in behind)
        assert mirrored == sorted((column, round(y)) for column, y in places)


def places_of(page: pypdfium2.PdfTextPage, words: str, width: float) -> list[tuple[int, float]]:
    """Return the column, from 0 to 2, and the height of each occurrence of words."""
    search, found = page.search(words), []
    while at := search.get_next():
        left, bottom, _, _ = page.get_charbox(at[0])
        found.append((int(left * 3 / width), bottom))
    return found


def test_verify_proves_each_back_and_refuses_that_of_another_card() -> None:
    assert kotc("pdf", "set", "--out", "sheets.pdf").exit_code == 0
    proved = kotc("verify", "sheets.pdf", "--set", "set")
    assert (proved.exit_code, "all right" in proved.output) == (0, True), proved.output
    edit("It howls.", "It sleeps.")
    refused = kotc("verify", "sheets.pdf", "--set", "set")
    assert refused.exit_code == 1
    assert "watcher-howler" in refused.output
    assert "tide" not in refused.output


# --- builds ---


def test_a_side_is_made_again_only_for_what_it_shows() -> None:
    assert kotc("build", "set").exit_code == 0
    assert "(0 written," in kotc("build", "set").output
    edit("It howls.", "It sleeps.")
    assert stale(kotc("build", "set", "--explain").output) == ["watcher-howler.back"]
    edit("power: 1", "power: 3")
    assert stale(kotc("build", "set", "--explain").output) == ["watcher-howler"]
    edit("#202040", "#000000", "templates/night.svg")
    assert stale(kotc("build", "set", "--explain").output) == ["tide.back", "watcher-howler.back"]
    Image.new("RGB", (600, 450), "#00ff00").save("set/art/ice.png")
    assert stale(kotc("build", "set", "--explain").output) == ["fire-ice"]


@pytest.mark.parametrize(
    "shown", ["{{ card.faces[1].rules }}", "{{ card.cost }}", "{% set other = card %}{{ other.name }}"]
)
def test_a_side_that_shows_more_of_the_card_is_made_again_for_it(shown: str) -> None:
    edit("</svg>", f'<text x="5" y="80" width="50" font-size="3">{shown}</text></svg>', "templates/day.svg")
    assert kotc("build", "set").exit_code == 0
    edit("It howls.", "It sleeps.")
    assert stale(kotc("build", "set", "--explain").output) == ["watcher-howler", "watcher-howler.back"]


def test_builds_one_after_the_other_end_in_the_files_of_one(folder: Path) -> None:
    assert kotc("build", "set").exit_code == 0
    edit("It howls.", "It sleeps.")
    edit("name: Tide", "name: Tides")
    assert kotc("build", "set").exit_code == 0
    assert kotc("build", "set", "--out", "anew").exit_code == 0
    one, other = (
        {path.relative_to(root): path.read_bytes() for path in sorted(root.rglob("*.p*"))}
        for root in (folder / "out", folder / "anew")
    )
    assert one == other
    assert not Path("out/set/png/tide.back.png").exists()


def test_cards_that_changed_on_their_back_are_printed_again() -> None:
    assert kotc("build", "set").exit_code == 0
    shutil.copy("out/set/.kotc.json", "printed.json")
    edit("{name: Flood, rules: In.", "{name: Flood, rules: Inward.")
    said = kotc("build", "set", "--changed-since", "printed.json").output
    assert "1 card changed (tide): 1 copy on 1 sheet" in said


# --- shops and tables ---


def test_a_table_has_each_back_and_what_the_faces_say() -> None:
    assert kotc("table", "set", "--for", "folder", "--out", "table").exit_code == 0
    with Path("table/cards.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[1] == ["fire-ice", "Fire // Ice", "split", "{1} // {2}", "", "rare", "1", "fire-ice.png", "backs/1.png"]
    assert rows[2][:5] == ["watcher-howler", "Watcher // Howler", "moon", "", "1 // 5"]
    assert len({row[-1] for row in rows[1:]}) == 3  # that of two cards, and two of their own


def test_tabletop_simulator_gets_unique_backs_and_words_of_both_faces() -> None:
    assert kotc("table", "set", "--for", "tabletop-simulator", "--out", "table").exit_code == 0
    (saved,) = Path("table").glob("[!.]*.json")
    pile = json.loads(saved.read_text(encoding="utf-8"))["ObjectStates"][0]
    (deck,) = pile["CustomDeck"].values()
    assert deck["UniqueBack"] is True
    words = {card["Nickname"]: card["Description"] for card in pile["ContainedObjects"]}
    assert "It howls." in words["Watcher // Howler"]
    assert "Freeze it." in words["Fire // Ice"]


# --- words and decks ---


@pytest.mark.parametrize("line", ["Howler", "Watcher", "Watcher // Howler", "watcher-howler"])
def test_a_deck_names_a_card_by_any_of_its_names(line: str) -> None:
    write_files(Path(), {"deck.yaml": f"name: D\nsets: [set]\ngame: set\ncards: {{{line}: 3}}\n"})
    assert kotc("pdf", "deck.yaml", "--out", "deck.pdf").exit_code == 0
    assert kotc("verify", "deck.pdf", "--set", "deck.yaml").exit_code == 0


WRONG = [
    ("    - {name: Ebb, rules: Out., power: 2}\n", "", "C005", "faces"),
    ("name: Ebb, rules: Out.", "name: Ebb", "C004", "faces.0.rules"),
    ("name: Ebb, rules: Out.", "rules: Out.", "C004", "faces.0.name"),
    ("name: Ebb, rules: Out.", "name: Ebb, rules: Out., kind: moon", "C003", "faces.0.kind"),
    ("name: Ebb, rules: Out.", "name: Ebb, ruls: Out.", "C002", "faces.0.ruls"),
    ("name: Ebb, rules: Out.", "name: Ebb, rules: Out., text: Out.", "C022", "faces.0.text"),
    ("  name: Tide\n", "  name: Tide\n  back: back\n", "C003", "back"),
    ("art: art/ice.png", "art: art/ise.png", "A001", "faces.1.art.file"),
    ("power: 5", "power: many", "C005", "faces.1.power"),
    ("{name: Rock,", "{name: Rock, faces: [],", "C003", "faces"),
]


@pytest.mark.parametrize(("before", "after", "code", "field"), WRONG)
def test_mistakes_in_faces_are_told_at_their_key(before: str, after: str, code: str, field: str) -> None:
    edit(before, after)
    found = [(each["code"], each["field"]) for each in json.loads(kotc("check", "set", "--format", "json").stdout)]
    assert (code, field) in found, found


def test_a_rule_is_held_against_each_face() -> None:
    edit("power: 5", "power: 9")
    (finding,) = json.loads(kotc("check", "set", "--format", "json").stdout)
    place = finding["code"], finding["line"], finding["message"], finding["card"]
    assert place == ("M040", 10, "a moon has a power below 9", "watcher-howler")


@pytest.mark.parametrize(
    ("text", "field", "line"),
    [("Freeze it.", "faces.1.rules", 5), ("It sees.", "faces.0.rules", 9), ("It howls.", "faces.1.rules", 10)],
)
def test_a_text_that_is_too_long_is_told_in_its_face(text: str, field: str, line: int) -> None:
    edit(text, f"{text} " * 40)
    (finding,) = json.loads(kotc("check", "set", "--format", "json").stdout)
    assert (finding["code"], finding["field"], finding["line"]) == ("L001", field, line)


def test_a_back_for_a_kind_that_has_two_sides_is_refused_in_the_set_and_in_the_game() -> None:
    written = Path("set/set.yaml").read_text(encoding="utf-8")
    Path("set/set.yaml").write_text(written + "back: {moon: back}\n", encoding="utf-8")
    assert "the cards of the kind `moon` have two sides of their own [S003]" in kotc("check", "set").output
    Path("set/set.yaml").write_text(written, encoding="utf-8")
    edit("faces: [day, night]", "faces: [day, night]\n    back: back", "game.yaml")
    assert "the back is drawn by the second template of `faces` [M023]" in kotc("check", "set").output


def test_faces_that_a_slip_in_yaml_cuts_off_stop_nothing_else(folder: Path) -> None:
    order = "order: [kind, rules, cost]\nid: '{{ rules }}'\n"
    slip = "- kind: split\n  faces:\n    - {name: Dusk, rules: x}\n    - {name: Dawn, rules: Come {X}.}\n"
    write_files(
        folder / "set", {"game.yaml": f"{FILES['game.yaml']}{order}", "cards.yaml": f"{FILES['cards.yaml']}{slip}"}
    )
    result = kotc("check", "set")
    assert result.exit_code == 1
    assert ": error: " in result.output
    assert "`{` is not closed" in result.output
    assert result.output.endswith("\n1 error\n")

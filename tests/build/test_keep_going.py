"""`--keep-going`: one bad card does not stop the others, and a marked blank on sheets says which it is."""

import re
from pathlib import Path

import pikepdf
import pytest

from tests.support.builds import tree
from tests.support.messages import write
from tests.support.pdf_contents import pages, ticket
from tests.support.sets import SET, kotc, write_set
from tests.support.templates import with_plain_back

pytestmark = pytest.mark.usefixtures("in_empty_folder")

GOOD = [
    "{name: Ant, kind: minion, level: 1, sp: 1, hp: 0}",
    "{name: Bear, kind: minion, level: 2, sp: 2, hp: 0}",
    "{name: Crow, kind: minion, level: 3, sp: 3, hp: 0, copies: 2}",
]
MISTAKES = {
    "an unknown kind": ("{name: Bear, kind: minon, level: 2, sp: 2, hp: 0}", "C007", "kind"),
    "a missing key": ("{name: Bear, kind: minion, sp: 2, hp: 0}", "C004", "level"),
    "no name": ("{id: bear, kind: minion, level: 2, sp: 2, hp: 0}", "C004", "name"),
    "the id of another card": ("{name: Bear, id: ant, kind: minion, level: 2, sp: 2, hp: 0}", "C013", "id"),
    "a picture that is not there": ("{name: Bear, kind: minion, level: 2, sp: 2, hp: 0, art: a.png}", "A001", "art.file"),
    "a text without room": (f"{{name: Bear, kind: minion, level: 2, sp: 2, hp: 0, text: {'Draw 1 card. ' * 200}}}", "L001", "text"),
    "a back that is not there": ("{name: Bear, kind: minion, level: 2, sp: 2, hp: 0, back: nowhere}", "T001", "back"),
    "no card": ("Bear", "C001", ""),
    "a colon in a text": ("name: Bear\n  kind: minion\n  level: 2\n  sp: 2\n  hp: 0\n  flavor: a: b", "Y007", ""),
    "a key twice": ("{name: Bear, kind: minion, level: 2, level: 2, sp: 2, hp: 0}", "Y012", ""),
}  # fmt: skip


def cards(*lines: str) -> str:
    return "".join(f"- {line}\n" for line in lines)


def fronts() -> list[str]:
    """Return the cards on the fronts of `sheets.pdf`, in the order in which they are drawn."""
    with pikepdf.open("sheets.pdf") as pdf:
        contents = pdf.pages[0].Contents.read_bytes()
    return [name.decode() for name in re.findall(rb"/Card *<<[^>]*/Name *\(([^)]*)\)", contents)]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_blank_with_name_code_and_key_is_in_the_place_of_a_bad_card(mistake: str) -> None:
    line, code, key = MISTAKES[mistake]
    write_set(Path("set"), cards(GOOD[0], line, GOOD[2]))
    checked = kotc("check", "set")
    result = kotc("pdf", "set", "-o", "sheets.pdf", "--keep-going")
    assert (result.exit_code, checked.exit_code) == (1, 1)
    assert f"[{code}" in result.stderr
    names = fronts()
    assert [names[0], *names[2:]] == ["ant", "crow", "crow"]
    assert len(ticket(Path("sheets.pdf"))["missing"]) == 1
    words = pages(Path("sheets.pdf"))[0].replace("\r", "").split("\n")
    at = words.index("CARD MISSING")
    assert words[at + 1].strip().lower() == "bear"
    assert words[at + 2].strip().startswith(f"error {code}")
    assert words[at + 2].strip().endswith(key)
    assert kotc("pdf", "set", "-o", "stopped.pdf").exit_code == 1
    assert not Path("stopped.pdf").exists()


def test_verify_names_each_blank_even_where_nobody_gives_it_the_set() -> None:
    write_set(Path("set"), cards(GOOD[0], MISTAKES["an unknown kind"][0]))
    kotc("pdf", "set", "-o", "sheets.pdf", "--keep-going")
    result = kotc("verify", "sheets.pdf")
    assert (result.exit_code, result.stdout.count("[Q060]"), "`bear`" in result.stdout) == (1, 1, True)
    assert "places, backs, marks, fonts, edges, print hints: all right" in result.stderr


@pytest.mark.parametrize(
    "broken",
    [
        {"set.yaml": SET + "backk: x\n"},
        {"cards.yaml": cards(*GOOD) + "\t- x"},
        {"cards.yaml": cards(MISTAKES["an unknown kind"][0])},
    ],
    ids=["set.yaml", "a file", "no good card"],
)
def test_what_is_no_single_cards_mistake_stops_everything(broken: dict[str, str]) -> None:
    write_set(Path("set"), cards(*GOOD))
    write(Path("set"), broken)
    assert kotc("build", "set", "--keep-going").exit_code == 1
    assert kotc("pdf", "set", "--keep-going", "-o", "sheets.pdf").exit_code == 1
    assert not Path("sheets.pdf").exists()
    assert not Path("out").exists() or not any(Path("out").rglob("*.p*"))


OUTPUTS = SET + "outputs: {png: {dpi: 72}, sheets: true, shops: [pdf-a2b], gallery: true}\n"


def test_once_the_mistake_is_mended_a_build_makes_what_a_clean_one_makes() -> None:
    set_folder = with_plain_back(write_set(Path("set"), cards(*GOOD), OUTPUTS))
    assert kotc("build", "set").exit_code == 0
    for line in (MISTAKES["an unknown kind"][0], MISTAKES["a picture that is not there"][0]):
        write_set(set_folder, cards(GOOD[0], line, GOOD[2]), OUTPUTS)
        result = kotc("build", "set", "--keep-going")
        assert result.exit_code == 1
        assert "Test: 2 PNGs and 1 sheet in" in result.stderr
        told = "1 of 3 cards has an error and was not made: `bear`; without it, there are "
        assert f"{told}no files for pdf-a2b and no gallery\n" in result.stderr
        made = sorted(path.relative_to("out/set").as_posix() for path in Path("out/set").rglob("*.*") if path.is_file())
        assert made == [".kotc.json", "png/ant.png", "png/crow.png", "sheets.pdf"]
        assert ticket(Path("out/set/sheets.pdf"))["missing"] == ["bear"]
        # Nothing passes for done: neither the next build, nor a reprint of what changed.
        assert kotc("build", "set").exit_code == 1
        assert kotc("build", "set", "--mark-printed").exit_code == 1
        assert "built without the card `bear`" in kotc("build", "set", "--verify").stderr
        assert "0 written" in kotc("build", "set", "--keep-going").stderr
    write_set(set_folder, cards(*GOOD), OUTPUTS)
    assert kotc("build", "set").exit_code == 0
    assert kotc("build", "set", "-o", "clean").exit_code == 0
    assert tree(Path("out")) == tree(Path("clean"))


def test_a_blank_changes_with_what_it_says_and_leaves_other_sheets_alone() -> None:
    sheet = SET + "sheet: {grid: 1x1, sheets_per_file: 1}\n"
    write_set(Path("set"), cards(GOOD[0], MISTAKES["an unknown kind"][0]), sheet)
    kotc("build", "set", "--keep-going")
    write_set(Path("set"), cards(GOOD[0], MISTAKES["a picture that is not there"][0]), sheet)
    explained = kotc("build", "set", "--keep-going", "--explain").stderr
    assert ("sheets-2.pdf: " in explained, "sheets-1.pdf: " in explained) == (True, False)


@pytest.mark.parametrize("command", ["table", "shop makeplayingcards", "cut -o x.svg", "watch"])
def test_what_would_get_blanks_unawares_has_no_such_option(command: str) -> None:
    write_set(Path("set"), cards(GOOD[0], MISTAKES["an unknown kind"][0]))
    assert kotc(*command.split(), "set", "--keep-going").exit_code == 2


def test_a_deck_has_blanks_for_its_bad_cards_and_bad_lines_as_often_as_it_has_them() -> None:
    write_set(Path("one"), cards(GOOD[0], MISTAKES["an unknown kind"][0], MISTAKES["no card"][0]))
    write_set(Path("two"), cards(GOOD[2]))
    write(Path("decks"), {"zoo.yaml": "name: Zoo\nedition: 17\nsets: [../one, ../two]\n"
                                      "cards: {crow: 1, Bear: 2, nobody: 1, ant: 1}\n"})  # fmt: skip
    result = kotc("pdf", "decks/zoo.yaml", "-o", "sheets.pdf", "--keep-going")
    assert result.exit_code == 1
    assert fronts() == ["crow", "bear", "bear", "nobody", "ant"]


def test_pictures_are_made_of_good_cards_alone() -> None:
    write_set(Path("set"), cards(GOOD[0], MISTAKES["a picture that is not there"][0]))
    result = kotc("png", "set", "-o", "png", "--dpi", 72, "--keep-going")
    assert (result.exit_code, [path.name for path in Path("png").iterdir()]) == (1, ["ant.png"])


NAMES = ["The " + "very " * 60 + "long name", "W" * 300, "名前", "🐜", "a\u0301<&>", " "]


@pytest.mark.parametrize("size", ["57x87", "120x70"])
def test_a_blank_has_room_for_any_name_on_any_size(size: str) -> None:
    lines = [MISTAKES["an unknown kind"][0].replace("Bear", f'"{name}"') for name in NAMES]
    lines += [f"{{name: Bear, {key}: 1}}" for key in ("名前", "k" * 300)]
    write_set(Path("set"), cards(GOOD[0], *lines))
    result = kotc("pdf", "set", "-o", "sheets.pdf", "--keep-going", "--card-size", size, "--paper", "a3")
    words = pages(Path("sheets.pdf"))[0]
    assert (result.exit_code, words.count("CARD MISSING"), len(re.findall("error C0[0-9]+", words))) == (1, 8, 8)

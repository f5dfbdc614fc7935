"""Blank cards: frames to be filled in by hand."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from tests.support import rasters
from tests.support.sets import kotc, write_set
from tests.support.templates import place, svg

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARDS = "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1, flavor: Howl., text: 'HOWL: Draw 1 card.'}\n"
KINDS = {"minion": 17, "spell": 17, "pawn": 17, "tip": 17, "creature": 11}
EVERY_KIND = pytest.mark.parametrize(("kind", "edition"), KINDS.items(), ids=KINDS)

# Where something is on a card of 300 dpi: rows, then columns.
NAME = np.s_[50:118, 45:705]
PICTURE = np.s_[132:544, 45:705]
TEXT_BOX = np.s_[588:800, 82:668]


def picture(kind: str, *asked: str) -> rasters.Pixels:
    """Return the PNG of a blank card."""
    result = kotc("png", "--blank", kind, "--out", "png", *asked)
    assert result.exit_code == 0, result.output
    return rasters.png(Path(f"png/blank-{kind}.png").read_bytes())


def words_of(file: str) -> list[list[str]]:
    """Return the words on each page of a PDF."""
    return [page.get_textpage().get_text_range().split() for page in pypdfium2.PdfDocument(file)]


# --- what is on them ------------------------------------------------------------------------------------------------


@EVERY_KIND
def test_a_blank_card_says_its_edition_and_nothing_else(kind: str, edition: int) -> None:
    asked = ["--edition", str(edition), "--crop-marks", "off", "--no-ruler", "--no-slug"]
    assert kotc("pdf", "--blank", kind, "--out", "a.pdf", *asked).exit_code == 0
    assert words_of("a.pdf") == [[f"{edition}th", "Edition"], []]


@EVERY_KIND
def test_nothing_dark_is_drawn_where_people_write(kind: str, edition: int) -> None:
    shown = picture(kind, "--edition", str(edition))
    zones = [NAME] if kind == "tip" else [NAME, PICTURE, TEXT_BOX]
    for zone in zones:
        assert shown[zone].min() >= 180, "only faint lines"


@EVERY_KIND
def test_there_are_lines_to_write_on(kind: str, edition: int) -> None:
    shown = picture(kind, "--edition", str(edition))
    columns = shown[:, 375].max(axis=1) < 250 if kind != "tip" else shown[400:, 375].max(axis=1) < 250
    assert (shown[105:118, 375].min(axis=1) < 250).any(), "for the name"
    assert columns.any()
    assert len(list(rasters.lines(rasters.darkest(shown[TEXT_BOX]) < 250))) >= 3, "for the text"


def test_a_card_of_a_set_without_a_text_has_no_lines() -> None:
    write_set(Path("s"), "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}")
    kotc("png", "s", "--out", "png")
    assert (rasters.png(Path("png/wolf.png").read_bytes())[TEXT_BOX] == 255).all()


@pytest.mark.parametrize(
    ("kind", "edition", "colors"),
    [
        ("minion", 17, {"sp": "#ffaaaa", "level": "#aaffaa", "hp": "#afafff"}),
        ("pawn", 17, {"sp": "#ffaaaa", "level": "#aaffaa", "hp": "#afafff"}),
        ("creature", 9, {"sp": "#ffaaaa", "level": "#aaffaa", "hp": "#afafff"}),
        ("spell", 17, {"sp": "#660080", "level": "#aaffaa", "hp": "#660080"}),
        ("tip", 17, {}),
    ],
)
def test_symbols_are_there_without_numbers(kind: str, edition: int, colors: dict[str, str]) -> None:
    shown = picture(kind, "--edition", str(edition))
    middles = {"sp": (881, 114), "level": (881, 375), "hp": (881, 637)}
    for symbol, (y, x) in middles.items():
        wanted = bytes.fromhex(colors.get(symbol, "#ffffff")[1:])
        if kind != "tip":
            assert tuple(shown[y, x]) == tuple(wanted), symbol


@EVERY_KIND
def test_blank_cards_have_the_back_of_their_kind(kind: str, edition: int) -> None:
    place(write_set(Path("s"), CARDS, f"name: T\nedition: 17\nback: {{{kind}: red}}\n"), {
        "red.svg": svg('<rect x="-5" y="-5" width="73.5" height="98.9" fill="#c03030"/>')
    })  # fmt: skip
    kotc("pdf", "s", "--blank", kind, "--edition", str(edition), "--out", "a.pdf")
    back = rasters.page(Path("a.pdf").read_bytes(), 1, 72)
    assert (back == (0xC0, 0x30, 0x30)).all(axis=2).any()


def test_blank_cards_have_the_templates_sizes_and_sheets_of_the_set() -> None:
    set_yaml = "name: T\nedition: 12\nsheet: {card_size: 40x60, paper: 60x80, backs: none}\n"
    small = 'xmlns="http://www.w3.org/2000/svg" width="40" height="60"'
    content = '<rect width="40" height="60" fill="#203040"/><text x="5" y="9">{{ card.edition }}{{ card.blank }}</text>'
    place(write_set(Path("s"), CARDS, set_yaml), {"spell.svg": svg(content, small)})
    kotc("pdf", "s", "--blank", "spell:2", "--no-ruler", "--out", "a.pdf")
    assert words_of("a.pdf") == [["12True"], ["12True"]]


def test_a_card_that_is_not_blank_is_not_blank() -> None:
    content = "<text x='5' y='9'>{{ card.blank }}</text>"
    place(write_set(Path("s"), CARDS), {"minion.svg": svg(content)})
    kotc("pdf", "s", "--out", "a.pdf", "--backs", "none", "--no-slug", "--no-ruler")
    assert words_of("a.pdf") == [["False"]]


# --- how many, and where --------------------------------------------------------------------------------------------


def test_as_many_are_printed_as_are_asked_for_and_no_others() -> None:
    write_set(Path("cards/s"), CARDS)
    result = kotc("pdf", "--blank", "minion:9", "--blank", "spell:3", "--blank", "minion:1", "--no-slug", "--no-ruler")
    assert result.stderr.splitlines()[0] == f"Test, blank cards: 2 sheets in {Path('out/s/blank.pdf')}"
    fronts = words_of("out/s/blank.pdf")[::2]
    assert [page.count("Edition") for page in fronts] == [9, 4]
    assert not any("Wolf" in page for page in fronts)


def test_without_a_set_they_are_of_the_newest_edition_with_our_back_and_the_same_bytes_each_time() -> None:
    Path("cards").mkdir()  # a folder without a set is as good as none
    result = kotc("pdf", "--blank", "tip:2")
    assert result.stderr.splitlines()[0] == f"Blank cards: 1 sheet in {Path('out/blank/blank.pdf')}"
    assert "17th" in words_of("out/blank/blank.pdf")[0]
    kotc("pdf", "--blank", "tip:2", "--out", "a.pdf")
    assert Path("a.pdf").read_bytes() == Path("out/blank/blank.pdf").read_bytes()
    assert picture("minion", "--bleed", "3", "--card-size", "square").shape == (821, 821, 3)


@pytest.mark.parametrize(
    ("cards", "path"), [(CARDS, "s/cards.yaml"), ("{name: Wolf}", "s"), ("", "s")], ids=["file", "wrong", "none"]
)
def test_a_set_lends_its_edition_whatever_its_cards_are(cards: str, path: str) -> None:
    folder = write_set(Path("s"), cards, "name: T\nedition: 14\n")
    if not cards:
        (folder / "cards.yaml").unlink()
    assert kotc("pdf", path, "--blank", "minion", "--out", "a.pdf").exit_code == 0
    assert "14th" in words_of("a.pdf")[0]


def test_the_first_set_whose_edition_has_such_cards_is_used_and_named() -> None:
    write_set(Path("cards/a"), CARDS, "name: Old\nedition: 11\n")
    write_set(Path("cards/b"), CARDS, "name: New\nedition: 16\n")
    write_set(Path("cards/c"), CARDS, "name: Newer\nedition: 17\n")
    for asked, taken, title in (
        ("minion:9", "b`, 16th", "New"),
        ("creature", "a`, 11th", "Old"),
        ("tip", "a`, 11th", "Old"),
    ):
        result = kotc("pdf", "--blank", asked, "--out", "a.pdf")
        assert result.stderr.splitlines()[:2] == [
            f"frames, backs and sheets of `cards/{taken} Edition; for those of another set, give its folder",
            f"{title}, blank cards: 1 sheet in a.pdf",
        ]
    result = kotc("pdf", "--blank", "minion", "--edition", "12", "--out", "a.pdf")
    assert result.stderr.startswith("frames, backs and sheets of `cards/b`, 12th Edition;")


def test_built_in_frames_are_used_and_named_if_no_set_has_an_edition_with_such_cards() -> None:
    write_set(Path("cards/a"), CARDS, "name: Old\nedition: 11\n")
    assert kotc("pdf", "--blank", "minion:9").stderr.splitlines()[:2] == [
        "built-in frames, backs and sheets: no set here is of an edition with such cards",
        "Blank cards: 1 sheet in out/blank/blank.pdf",
    ]
    of_both = kotc("pdf", "--blank", "minion:9", "--blank", "creature")
    assert "the 11th Edition has no minions: ask for `creature`, or for another edition" in of_both.stderr
    named = kotc("pdf", "--blank", "minion:9", "cards/a")
    assert "the 11th Edition has no minions: ask for `creature`, or for another edition" in named.stderr


# --- what is wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--blank", "minin:3"], "found `minin`: did you mean `minion`?"),
        (["--blank", "dog"], "expected `minion`, `spell`, `creature`, `pawn` or `tip`, found `dog`"),
        (["--blank", "minion:"], "expected a number from 1 to 999, such as `minion:9`, found `minion:`"),
        (["--blank", "minion:0"], "expected a number from 1 to 999, such as `minion:9`, found `minion:0`"),
        (["--blank", "minion:1000"], "expected a number from 1 to 999, such as `minion:9`, found `minion:1000`"),
        (["--blank", "minion:-1"], "found `minion:-1`"),
        (["--blank", "minion:١"], "found `minion:١`"),
        (["--blank", "creature"], "the 17th Edition has no creatures: ask for `minion`, or for another edition"),
        (["--blank", "minion", "--edition", "9"], "the 9th Edition has no minions: ask for `creature`, or for another"),
        (["--blank", "minion", "--card", "wolf"], "--blank makes only blank cards: leave out --card"),
        (["--blank", "minion", "s", "s"], "blank cards use the frames of one set: give one PATH"),
        (["--blank", "minion", "none"], "`none` does not exist"),
        (["--edition", "17", "s"], "--edition needs --blank"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("command", ["pdf", "png"])
def test_wrong_usage(command: str, asked: list[str], said: str) -> None:
    write_set(Path("s"), CARDS)
    result = kotc(command, *asked)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not list(Path().glob("out/**/*.p*"))


@pytest.mark.parametrize(
    ("set_yaml", "said"),
    [
        ("name: T\nedition: 17\nbakc: red\n", "s/set.yaml:3:1: error: unknown key `bakc` [S002]"),
        ("name: T\nedition: 17\n", "[T003]"),  # a template that needs what a blank card has not
    ],
)
def test_a_set_whose_own_file_or_template_is_wrong_will_not_do(set_yaml: str, said: str) -> None:
    place(write_set(Path("s"), CARDS, set_yaml), {"minion.svg": svg("<text>{{ card.art.href }}</text>")})
    result = kotc("pdf", "s", "--blank", "minion")
    assert (result.exit_code, said in result.stderr) == (1, True)


def test_sets_of_other_games_beside_it_lend_no_frames() -> None:
    write_set(Path("cards/a"), CARDS)
    place(write_set(Path("cards/b"), "{name: Ox}\n"), {"beast.svg": svg("")})
    Path("cards/b/set.yaml").write_text("name: Herds\n", encoding="utf-8")
    Path("cards/b/game.yaml").write_text("name: Herds\nkinds: {beast: {}}\n", encoding="utf-8")
    write_set(Path("cards/c"), CARDS)
    result = kotc("pdf", "--blank", "minion", "--out", "a.pdf")
    assert result.exit_code == 0, result.output
    assert "frames, backs and sheets of `cards/a`" in result.stderr

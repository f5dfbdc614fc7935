"""A deck file is a source for every command, as a set is: its cards, in its order, as often as it says."""

import csv
import json
import re
import shutil
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from tests.support.builds import times
from tests.support.messages import words, write
from tests.support.repository import ROOT
from tests.support.sets import kotc
from tests.support.templates import PLAIN_BACK
from tests.support.watches import watched

BASIC = """
    - {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}
    - {name: Storm Bear, kind: minion, level: 4, sp: 2, hp: 4}
    - {name: Dawn, kind: spell, level: 2, text: Draw 1 card.}
    - {name: Unused, kind: minion, level: 3, sp: 3, hp: 0}
"""
ULTRA = """
    - {name: Ant, kind: minion, level: 3, sp: 3, hp: 0}
    - {name: Comet, kind: spell, level: 2, ultra_points: 2, text: 1-dice-wound enemy.}
"""
DECK = """
    name: Zoo
    edition: 17
    sets: [../basic, ../ultra]
    outputs: {png: {dpi: 72}, sheets: true}
    cards: {comet: 2, basic/ant: 20, Storm Bear: 10, dawn: 8}
"""
NAMES = ["comet", "ant", "storm-bear", "dawn"]
SHEETS = "5 sheets, 40 cards, 10 pages: "


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with two sets, and a deck of both in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    write(Path("basic"), {"set.yaml": "name: Basic\nedition: 17\n", "cards.yaml": BASIC, "back.svg": PLAIN_BACK})
    write(Path("ultra"), {"set.yaml": "name: Ultra\nedition: 17\n", "cards.yaml": ULTRA, "back.svg": PLAIN_BACK})
    write(Path("decks"), {"zoo.yaml": DECK})
    return tmp_path


def done(*command: object) -> str:
    result = kotc(*command)
    assert result.exit_code == 0, result.output
    return result.stderr


def refused(*command: object) -> str:
    result = kotc(*command)
    assert result.exit_code in (1, 2), result.output
    return result.stderr


def with_line(old: str, new: str, file: Path = Path("decks/zoo.yaml")) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def fronts_of(file: Path) -> list[str]:
    """Return the names on the fronts of a PDF in the order in which they are printed."""
    pages = list(pypdfium2.PdfDocument(file))[::2]
    text = "\n".join(page.get_textpage().get_text_range() for page in pages)
    return re.findall(r"^(Ant|Storm Bear|Dawn|Comet)\s*$", text, re.MULTILINE)


def test_sheets_have_the_cards_of_a_deck_in_its_order_and_are_those_of_the_command_deck() -> None:
    assert f"Zoo: 5 sheets in {Path('out/zoo/sheets.pdf')}" in done("pdf", "decks/zoo.yaml")
    assert fronts_of(Path("out/zoo/sheets.pdf")) == ["Comet"] * 2 + ["Ant"] * 20 + ["Storm Bear"] * 10 + ["Dawn"] * 8
    done("deck", "decks/zoo.yaml", "--pdf", "zoo.pdf")
    assert Path("zoo.pdf").read_bytes() == Path("out/zoo/sheets.pdf").read_bytes()
    verified = kotc("verify", "zoo.pdf", "--set", "decks/zoo.yaml")
    assert (verified.exit_code, verified.stderr.startswith(SHEETS)) == (0, True)


def test_sheets_of_another_deck_are_not_right() -> None:
    done("pdf", "decks/zoo.yaml")
    with_line("dawn: 8", "dawn: 9")
    assert "dawn" in kotc("verify", "out/zoo/sheets.pdf", "--set", "decks/zoo.yaml").stdout


def test_each_card_of_a_deck_gets_a_picture_and_others_get_none() -> None:
    done("png", "decks/zoo.yaml", "--dpi", 72)
    assert sorted(path.stem for path in Path("out/zoo/png").iterdir()) == sorted(NAMES)
    with Image.open("out/zoo/png/ant.png") as ant:
        assert ant.size == (180, 252)


def test_a_deck_is_put_on_a_table_with_its_counts() -> None:
    done("table", "--for", "folder", "--out", "table", "decks/zoo.yaml")
    with Path("table/cards.csv").open(encoding="utf-8", newline="") as stream:
        rows = [(row["id"], row["copies"]) for row in csv.DictReader(stream)]
    assert rows == list(zip(NAMES, ["2", "20", "10", "8"], strict=True))
    done("table", "--for", "tabletop-simulator", "--out", "tts", "decks/zoo.yaml")
    (pile,) = json.loads(Path("tts/zoo.json").read_text(encoding="utf-8"))["ObjectStates"]
    assert len(pile["DeckIDs"]) == 40


def test_a_shop_gets_every_copy_of_a_deck() -> None:
    done("shop", "drivethrucards", "decks/zoo.yaml")
    with pikepdf.open("out/zoo/drivethrucards/cards.pdf") as pdf:
        assert len(pdf.pages) == 80


def test_the_last_sheet_of_a_deck_is_cut_where_it_has_cards() -> None:
    assert "Zoo: 4 cards of a sheet" in done("cut", "decks/zoo.yaml", "--sheet", 5, "--out", "cut.svg")


def test_check_says_what_is_wrong_with_a_deck_and_its_sets() -> None:
    assert done("check", "decks/zoo.yaml") == "4 cards checked: nothing to report\n"
    with_line("dawn: 8", "dawn: 7")
    result = kotc("check", "decks/zoo.yaml")
    assert (result.exit_code, "has 40 to 60 cards, and this one has 39 [B025]" in result.stdout) == (1, True)


@pytest.mark.parametrize("command", ["pdf", "png", "build", "shop drivethrucards", "cut --out x.svg"])
def test_nothing_is_made_of_a_deck_that_may_not_be_played(command: str, here: Path) -> None:
    with_line("dawn: 8", "dawn: 7")
    assert "[B025]" in refused(*command.split(), "decks/zoo.yaml")
    assert [*here.rglob("*.p[nd][gf]"), *here.rglob("x.svg")] == []


OLD = "{name: Old, kind: spell, edition: 13, level: 4, text: Target up to 2 in-play cards; destroy the targets.}\n"


def test_warnings_of_the_rules_are_said_and_stop_only_with_strict(here: Path) -> None:
    write(Path("basic"), {"old.yaml": OLD})
    with_line("dawn: 8", "dawn: 7, old: 1")
    assert "old.yaml:1:" in refused("build", "--strict", "decks/zoo.yaml")
    assert not [*here.rglob("*.pdf")]
    for command in ("build", "build", "pdf"):
        said = done(command, "decks/zoo.yaml")
        assert "1 warning from the rules; --strict stops at it" in said, command


def test_a_deck_in_a_folder_is_made_only_if_it_is_named_and_is_no_loose_card_file() -> None:
    write(Path(), {"loose.yaml": DECK.replace("../", "")})
    said = done("build", ".")
    assert "P004" not in said
    assert sorted(path.name for path in Path("out").iterdir()) == ["basic", "ultra"]
    assert "Zoo: 4 PNGs and 5 sheets" in done("build", "loose.yaml")


@pytest.mark.parametrize("command", ["explain", "preview --no-open"])
def test_commands_for_sets_alone_say_so_of_a_deck(command: str) -> None:
    said = refused(*command.split(), "decks/zoo.yaml")
    assert "`decks/zoo.yaml` is a deck, and sets are needed here [P008]" in said
    assert "hint: give the folders `basic` and `ultra` of its cards\n" in said


def test_a_deck_with_a_mistake_in_its_yaml_is_still_known_as_a_deck() -> None:
    write(Path("decks"), {"bad.yaml": "name: Bad\nedition: 17\nsets: [../basic\ncards:\n  ant: 40\n"})
    said = refused("pdf", "decks/bad.yaml")
    assert "decks/bad.yaml:" in said
    assert "set.yaml" not in said


# --- names ----------------------------------------------------------------------------------------------------------


def test_a_name_in_other_letters_gets_the_right_one() -> None:
    with_line("Storm Bear", "storm bear")
    assert "no set has a card `storm bear` [B022]" in kotc("check", "decks/zoo.yaml").stdout
    assert "did you mean `Storm Bear`?" in kotc("check", "decks/zoo.yaml").stdout


def test_a_name_that_two_cards_have_gets_their_ids() -> None:
    with_line("{name: Unused", "{name: Storm Bear, id: bear-2", Path("basic/cards.yaml"))
    assert "2 cards have the name `Storm Bear` [B029]" in kotc("check", "decks/zoo.yaml").stdout
    assert "write the id of one: `storm-bear` or `bear-2`" in kotc("check", "decks/zoo.yaml").stdout
    with_line("basic/ant", "Ant")
    assert "2 cards have the name `Ant` [B029]" in kotc("check", "decks/zoo.yaml").stdout
    assert "write the id of one: `basic/ant` or `ultra/ant`" in kotc("check", "decks/zoo.yaml").stdout


def test_a_name_may_stand_behind_its_set_and_an_id_comes_first() -> None:
    with_line("basic/ant", "basic/Ant")
    assert done("check", "decks/zoo.yaml") == "4 cards checked: nothing to report\n"


def test_a_card_that_is_listed_by_id_and_by_name_is_listed_twice() -> None:
    with_line("dawn: 8", "dawn: 8, Dawn: 1")
    assert "`Dawn` is listed twice, first at" in kotc("check", "decks/zoo.yaml").stdout


# --- building -------------------------------------------------------------------------------------------------------


def test_a_build_of_a_deck_makes_only_what_is_stale() -> None:
    assert "Zoo: 4 PNGs and 5 sheets in out/zoo (5 written, 0 unchanged)" in done("build", "decks/zoo.yaml")
    before = times(Path("out"))
    assert "(0 written, 5 unchanged)" in done("build", "decks/zoo.yaml")
    assert times(Path("out")) == before
    with_line("name: Dawn", "name: Dusk, id: dawn", Path("basic/cards.yaml"))
    said = done("build", "decks/zoo.yaml", "--explain")
    assert said.startswith("png/dawn.png: name changed\nsheets.pdf: dawn changed\n")
    with_line("comet: 2", "comet: 1")
    with_line("dawn: 8", "dawn: 9")
    said = done("build", "decks/zoo.yaml", "--explain")
    assert said.startswith("sheets.pdf: comet and dawn changed\n")
    assert "all unchanged" in done("build", "decks/zoo.yaml", "--verify")


@pytest.mark.parametrize(
    ("file", "reason"),
    [("ultra/set.yaml", "set changed"), ("basic/minion.svg", "template changed"), ("basic/cards.yaml", "")],
)
def test_whatever_of_its_sets_changes_is_noticed(file: str, reason: str) -> None:
    done("build", "decks/zoo.yaml")
    was = Path(file).read_text(encoding="utf-8") if Path(file).exists() else PLAIN_BACK
    Path(file).write_text(f"{was}\nred: false\n" if file.endswith("set.yaml") else f"{was}\n", encoding="utf-8")
    said = done("build", "decks/zoo.yaml", "--explain")
    assert reason in said
    assert ("(0 written" in said) == (not reason)


def test_two_cards_of_one_id_are_printed_but_get_no_files_of_their_own() -> None:
    with_line("comet: 2", "ultra/ant: 2")
    done("pdf", "decks/zoo.yaml")
    assert len(fronts_of(Path("out/zoo/sheets.pdf"))) == 40
    for command in ("png", "build", "table --for folder --out t"):
        said = refused(*command.split(), "decks/zoo.yaml")
        assert "`basic/ant` and `ultra/ant` would both be written to `ant`: give one of them another `id`" in said


def test_sets_that_ask_for_different_sheets_leave_the_choice_to_the_deck() -> None:
    with_line("edition: 17", "edition: 17\nsheet: {paper: letter}", Path("ultra/set.yaml"))
    assert "the sets ask for different sheets: choose with `--paper`" in refused("pdf", "decks/zoo.yaml")
    assert "[B032]" in refused("build", "decks/zoo.yaml")
    with_line("edition: 17", "edition: 17\nsheet: {paper: a4}")
    done("build", "decks/zoo.yaml")
    with pikepdf.open("out/zoo/sheets.pdf") as pdf:
        assert [round(float(length)) for length in pdf.pages[0].mediabox] == [0, 0, 595, 842]


def test_a_set_and_a_deck_of_one_name_are_not_built_side_by_side() -> None:
    Path("decks/zoo.yaml").rename("decks/basic.yaml")
    assert "would both be written to `basic`" in refused("build", "basic", "decks/basic.yaml")


def test_changed_cards_of_a_deck_are_printed_alone() -> None:
    done("build", "decks/zoo.yaml")
    shutil.copy("out/zoo/.kotc.json", "printed.json")
    with_line("name: Dawn", "name: Dusk, id: dawn", Path("basic/cards.yaml"))
    said = done("build", "decks/zoo.yaml", "--changed-since", "printed.json")
    assert "1 card changed (dawn): 8 copies on 1 sheet in out/zoo/changed.pdf" in said
    assert "give the `.kotc.json` of an earlier build" in refused("build", "decks/zoo.yaml", "--changed-since", "HEAD")


def test_watch_builds_a_deck_again_when_a_card_of_its_sets_is_saved(here: Path) -> None:
    with watched(here / "decks/zoo.yaml", out=here / "out") as watch:
        with_line("name: Dawn", "name: Dusk, id: dawn", Path("basic/cards.yaml"))
        watch.until_said("(2 written, 3 unchanged)")
        with_line("comet: 2", "comet: 3")
        watch.until_said("(1 written, 4 unchanged)")


# --- mistakes -------------------------------------------------------------------------------------------------------


def test_keys_of_a_deck_that_nobody_knows_and_a_sheet_that_does_not_fit() -> None:
    write(Path("decks"), {"zoo.yaml": "name: Zoo\nedtion: 17\nsets: ../basic\ncards: {ant: 40}\nsheet: {gird: 9x9}\n"})
    assert (
        kotc("check", "decks/zoo.yaml").stdout
        == words("""
        decks/zoo.yaml:2:1: error: unknown key `edtion` [B002]
          2 | edtion: 17
            | ^^^^^^
          hint: did you mean `edition`?
        decks/zoo.yaml:5:9: error: unknown key `gird` [B002]
          5 | sheet: {gird: 9x9}
            |         ^^^^
          hint: did you mean `grid`?
    """)
        + "\n"
    )


def test_a_deck_without_its_sets_is_told_so_and_a_folder_of_decks_how_to_name_one() -> None:
    write(Path("decks"), {"zoo.yaml": "name: Zoo\nedition: 17\ncards: {ant: 40}\n"})
    assert "the deck has no `sets` [B004]" in refused("pdf", "decks/zoo.yaml")
    write(Path("decks"), {"zoo.yaml": DECK})
    said = refused("pdf", "decks")
    assert "`decks` has decks and no set [S020]" in said
    assert "give the file of a deck, such as `decks/zoo.yaml`; `kotc check decks` checks all of them" in said


@pytest.mark.parametrize(
    ("deck", "place", "told", "hint"),
    [
        (b"name: Bad\nedition: 17\nsets: [../basic]\n", "1:1", "the deck has no `cards` [B004]", "add a line such as"),
        (b"name: Bad\nedition: 17\n", "1:1", "the deck has no `sets` [B004]", "add a line such as"),
        (b"name: B\xe4d\nsets: [../basic]\ncards: {ant: 40}\n", "1:8", "is not UTF-8 [Y004]", "save the file as UTF-8"),
        ("name: Bad\ncards: {ant: 40}".encode("utf-16"), "1:1", "is not UTF-8 [Y004]", "save the file as UTF-8"),
        (b"name: Bad\nsets: [../basic\ncards: {ant: 40}\n", "2:7", "`[` is not closed [Y007]", "end it with `]`"),
        (b"name: Bad\n\tsets: [../basic]\n", "2:1", "a tab is used as indentation [Y008]", "indent with spaces"),
    ],
)
def test_a_deck_that_is_broken_is_named_and_its_folder_is_still_one_of_decks(
    deck: bytes, place: str, told: str, hint: str
) -> None:
    Path("decks/bad.yaml").write_bytes(deck)
    for command in ("check decks", "upgrade decks --dry-run", "balance decks", "check decks/bad.yaml"):
        result = kotc(*command.split())
        assert result.exit_code in (0, 1), command
        assert f"decks/bad.yaml:{place}: " in result.output, command
        assert told in result.output, command
        assert hint in result.output, command
        assert not {"S020", "P008"} & {*re.findall("[A-Z][0-9]{3}", result.output)}, command
    assert "`decks` has decks and no set [S020]" in refused("pdf", "decks")


def test_a_deck_in_utf_16_is_told_so_where_no_other_deck_is() -> None:
    file = Path("decks/zoo.yaml")
    file.write_bytes(file.read_text(encoding="utf-8").encode("utf-16"))
    for command in ("check decks", "pdf decks/zoo.yaml", "build decks/zoo.yaml", "upgrade decks --dry-run"):
        output = kotc(*command.split()).output
        assert "decks/zoo.yaml:1:1: error: the byte 0xff is not UTF-8 [Y004]" in output, command
        assert "save the file as UTF-8" in output, command


def test_a_folder_of_cards_without_a_set_is_none_of_decks() -> None:
    write(Path("decks"), {"cards.yaml": "cards:\n- {name: Ox, kind: minion, level: 1, sp: 1, hp: 0}\n"})
    assert "`decks` has card files but no `set.yaml` [S020]" in kotc("check", "decks").output


def test_a_file_of_another_program_beside_decks_is_none_of_them() -> None:
    write(Path("decks"), {"site.yml": "site_name: Our decks\nnav: [index.md]\n"})
    assert done("check", "decks") == "4 cards checked: nothing to report\n"


def test_names_of_a_deck_are_those_of_its_card_files_in_every_language(tmp_path: Path) -> None:
    starter = ROOT / "cards/starter"
    deck = f"name: Two\nedition: 17\nsets: {starter}\ncards: {{Paper Boat: 20, harbour-fox: 20}}\n"
    write(tmp_path, {"two.yaml": deck})
    for language in ("en", "de"):
        done("pdf", "two.yaml", "--card", "paper-boat", "--language", language, "--out", f"{language}.pdf")
    texts = [pypdfium2.PdfDocument(f"{language}.pdf")[0].get_textpage().get_text_range() for language in ("en", "de")]
    assert "Paper Boat" in texts[0]
    assert "Papierboot" in texts[1]


PLAIN = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"><rect width="63.5" height="88.9" fill="{}"/></svg>'


def backs_of(file: Path) -> list[tuple[int, ...]]:
    """Return the colors in the middle of the first three backs of a file of sheets."""
    page = pypdfium2.PdfDocument(file)[1].render(scale=1).to_pil()
    middle, top = page.width / 2, 60 * 72 / 25.4
    return [page.getpixel((round(middle + (1 - at) * 63.5 * 72 / 25.4), round(top))) for at in range(3)]


def test_three_decks_of_one_set_have_three_backs() -> None:
    colors = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255)}
    write(Path("basic"), {f"{name}.svg": PLAIN.format(name) for name in [*colors, "gold"]})
    with_line("text: Draw 1 card.}", "text: Draw 1 card., back: gold}", Path("basic/cards.yaml"))
    for name, color in colors.items():
        cards = "{ant: 1, storm-bear: 1, dawn: 38}"
        write(
            Path("decks"), {f"{name}.yaml": f"name: A\nedition: 17\nsets: [../basic]\ncards: {cards}\nback: {name}\n"}
        )
        kotc("pdf", f"decks/{name}.yaml", "-o", f"{name}.pdf")
        # A card that names its own back keeps it.
        assert backs_of(Path(f"{name}.pdf")) == [color, color, (255, 215, 0)]
        assert kotc("verify", f"{name}.pdf", "--set", f"decks/{name}.yaml").exit_code == 0
        assert kotc("build", f"decks/{name}.yaml").exit_code == 0
        assert backs_of(Path(f"out/{name}/sheets.pdf")) == [color, color, (255, 215, 0)]
    with_line("back: blue", "back: red", Path("decks/blue.yaml"))
    kotc("build", "decks/blue.yaml")
    assert backs_of(Path("out/blue/sheets.pdf")) == [colors["red"], colors["red"], (255, 215, 0)]


@pytest.mark.parametrize(
    ("back", "code", "column"),
    [("nowhere", "T001", 7), ("{minion: nowhere}", "T001", 16), ("a.png", "A001", 7), ("[red]", "B005", 7), ("{ant: red}", "B002", 8)],
)  # fmt: skip
def test_a_back_that_is_wrong_is_said_where_the_deck_names_it(back: str, code: str, column: int) -> None:
    text = Path("decks/zoo.yaml").read_text(encoding="utf-8")
    Path("decks/zoo.yaml").write_text(f"back: {back}\n{text}", encoding="utf-8")
    told = kotc("check", "decks/zoo.yaml").stdout
    assert (f"decks/zoo.yaml:1:{column}: error" in told, f"[{code}]" in told) == (True, True), told

"""A game that is written in YAML goes the whole way: checked, drawn, built, proved, put into tables and decks."""

import csv
import json
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from render.build.watch import take_snapshot
from tests.games.declared.lanterns import BACK, CARDS, FILES, GAME, SET, SVG, write_files
from tests.support.builds import tree
from tests.support.sets import kotc

APART = {
    **{f"game/{name}": text for name, text in FILES.items() if name not in ("set.yaml", "cards.yaml")},
    "set/set.yaml": f"{SET}game: ../game\n",
    "set/cards.yaml": CARDS,
}
BESIDE = {f"set/{name}": text for name, text in FILES.items()}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("files", [BESIDE, APART], ids=["beside", "apart"])
def test_a_set_is_built_and_its_sheets_are_proved(folder: Path, files: dict[str, str]) -> None:
    write_files(folder, files)
    assert kotc("check", "set").output == "3 cards checked: nothing to report\n"
    assert kotc("build", "set").exit_code == 0
    assert sorted(path.name for path in Path("out/set/png").iterdir()) == [
        "brown-bear.png",
        "joker.png",
        "sun-bear.png",
    ]
    proved = kotc("verify", "out/set/sheets.pdf", "--set", "set")
    assert proved.exit_code == 0, proved.output
    assert "all right" in proved.output


def test_a_second_build_writes_nothing_until_the_game_or_a_template_changes(folder: Path) -> None:
    write_files(folder, APART)
    assert kotc("build", "set").exit_code == 0
    assert "(0 written," in kotc("build", "set").output
    write_files(folder, {"game/game.yaml": GAME.replace("weight > 200", "weight > 20")})
    explained = kotc("build", "set", "--explain").output
    assert [name in explained for name in ("sun-bear", "heavy", "brown-bear")] == [True, True, False]
    write_files(folder, {"game/templates/token.svg": FILES["templates/token.svg"].replace('y="10"', 'y="12"')})
    explained = kotc("build", "set", "--explain").output
    assert [name in explained for name in ("joker", "sun-bear")] == [True, False]


@pytest.mark.parametrize("name", ["picture", "font", "options", "templates", "cards", "rarity"])
def test_a_card_is_made_again_for_a_field_of_any_name(folder: Path, name: str) -> None:
    Image.new("RGB", (60, 40)).save(folder / "a.png")
    token = SVG.format(
        "<image href='{{ card.art.href }}' width='6' height='4'/>"
        f"<text x='5' y='10' font-size='5'>{{{{ card.name }}}} {{{{ card.{name} }}}}</text>"
    )
    game = f"name: Lamps\nfields: {{{name}: line}}\nkinds: {{token: {{back: none}}}}\n"
    card = f"- {{name: Joker, art: a.png, {name}: common}}\n"
    write_files(folder, {"game.yaml": game, "set.yaml": SET, "cards.yaml": card, "templates/token.svg": token})
    assert kotc("build", ".").exit_code == 0
    write_files(folder, {"cards.yaml": card.replace("common", "rare")})
    explained = kotc("build", ".", "--explain").output
    called = name if name == "rarity" else f"field `{name}`"
    assert f"joker.png: {called} changed\n" in explained


def test_texts_that_become_rich_are_made_again(folder: Path) -> None:
    files = {**FILES, "game.yaml": f"{GAME}words: {{bold: [Bears]}}\n".replace('pattern: "[A-Z].*"', "type: line")}
    files["game.yaml"] = files["game.yaml"].replace(", hint: begin with a capital", "")
    write_files(folder, files)
    assert kotc("build", ".").exit_code == 0
    write_files(folder, {"game.yaml": files["game.yaml"].replace("type: line", "type: rich")})
    assert kotc("build", ".").exit_code == 0
    after = tree(folder / "out")
    kotc("build", ".", "--out", "fresh")
    assert after == tree(folder / "fresh")


def test_a_watch_sees_the_folder_of_a_game_that_was_never_built(folder: Path) -> None:
    write_files(folder, {**APART, "game/game.yaml": "name: ["})
    before = take_snapshot([Path("set")], Path("out"), {})
    write_files(folder, {"game/game.yaml": GAME})
    now = take_snapshot([Path("set")], Path("out"), {})
    assert [files.folder for files in now.concerned(before)] == [Path("set")]


def test_rules_that_do_not_hold_are_told_at_the_field_that_they_name(folder: Path) -> None:
    write_files(folder, BESIDE | {"set/cards.yaml": CARDS.replace("300", "1300")})
    (finding,) = json.loads(kotc("check", "set", "--format", "json").stdout)
    place = (finding["code"], finding["line"], finding["column"], finding["card"], finding["field"])
    assert place == ("M040", 1, 58, "brown-bear", "weight")
    assert finding["message"] == "a beast weighs less than 1000 kg"
    assert kotc("check", "set", "--ignore", "M040").output == "3 cards checked: nothing to report\n"


def test_a_key_or_a_kind_that_is_not_known_is_told_of_its_card(folder: Path) -> None:
    cards = CARDS.replace("rarity: rare", "rarety: rare").replace("kind: token", "kind: tokne")
    write_files(folder, BESIDE | {"set/cards.yaml": cards})
    found = json.loads(kotc("check", "set", "--format", "json").stdout)
    assert [(each["code"], each["card"]) for each in found] == [("C002", "sun-bear"), ("C007", "joker")]


def test_the_folder_of_a_game_is_no_set(folder: Path) -> None:
    write_files(folder, APART)
    said = kotc("check", "game").output
    assert "`game` is the folder of a game, and no set" in said
    assert "`kotc init --game game`" in said
    assert kotc("check", ".").output == "3 cards checked: nothing to report\n"


OX = "# Mine\n- {name: Ox, kind: spell, level: 2, text: Draw 1 card.}\n"


@pytest.mark.parametrize(
    ("files", "count"),
    [
        # Lists of a game may begin at the margin, and a file of cards may still be called `game.yaml`.
        (BESIDE | {"set/game.yaml": GAME.replace("[id, name, family, weight, heavy, copies]", "\n- name")}, "3 cards"),
        ({"set/set.yaml": "name: Mine\nedition: 17\n", "set/game.yaml": OX}, "1 card"),
    ],
)
def test_nothing_is_said_of_files_that_are_sound(folder: Path, files: dict[str, str], count: str) -> None:
    write_files(folder, files)
    assert kotc("check", "set").output == f"{count} checked: nothing to report\n"


def test_cards_are_in_the_order_of_the_game(folder: Path) -> None:
    write_files(folder, BESIDE | {"set/game.yaml": f"{GAME}order: [rarity, name]\n"})
    assert kotc("table", "set", "--for", "folder", "--out", "table").exit_code == 0
    names = [row[1] for row in csv.reader(Path("table/cards.csv").read_text("utf-8").splitlines())][1:]
    assert names == ["Brown Bear", "Sun Bear", "Joker"]


def test_a_set_and_a_card_are_begun_with_what_the_game_asks_for(folder: Path) -> None:
    write_files(
        folder, {f"game/{name}": text for name, text in FILES.items() if name not in ("set.yaml", "cards.yaml")}
    )
    assert kotc("init", "zoo", "--game", "game").exit_code == 0
    assert kotc("check", "zoo").output == "2 cards checked: nothing to report\n"
    assert kotc("new", "beast", "Sea Cow", "family=Cows", "--to", "zoo").exit_code == 0
    assert (
        Path("zoo/cards.yaml")
        .read_text("utf-8")
        .endswith("\n- name: Sea Cow\n  kind: beast\n  family: Cows\n  weight: 1\n")
    )
    assert kotc("check", "zoo").output == "3 cards checked: nothing to report\n"


def test_editors_know_the_keys_of_the_game(folder: Path) -> None:
    write_files(folder, BESIDE)
    assert kotc("schema", "--update", "set").exit_code == 0
    assert sorted(path.name for path in Path("set/.kotc").iterdir()) == [
        "cards.schema.json",
        "game.schema.json",
        "set.schema.json",
    ]
    assert kotc("schema", "--update", "--lines", "set").exit_code == 0
    first = Path("set/game.yaml").read_text("utf-8").partition("\n")[0]
    assert first == "# yaml-language-server: $schema=.kotc/game.schema.json"
    cards = Draft202012Validator(json.loads(Path("set/.kotc/cards.schema.json").read_text("utf-8")))
    sound = {"name": "Sun Bear", "kind": "beast", "family": "Bears", "weight": 60, "rarity": "rare"}
    assert list(cards.iter_errors(sound)) == []
    for wrong in ({"weight": 0}, {"rarity": "odd"}, {"wings": 2}, {"kind": "token"}):
        assert list(cards.iter_errors({**sound, **wrong})) != [], wrong


RICH = {
    "set/set.yaml": SET,
    "set/game.yaml": "name: Lamps\nfields: {cost: icons, rules: rich}\nkinds: {spell: {}}\ntable: [name, cost, rules]\n"
    'icons: {T: icons/turn.svg, "#": icons/number.svg}\n',
    "set/cards.yaml": '- {name: Ebb, cost: "{2}{T}", rules: "**Quick.** {T}: Draw *a card*."}\n',
    "set/icons/turn.svg": '<svg width="9" height="9"><circle cx="4.5" cy="4.5" r="4.5" fill="#2a6fb5"/></svg>\n',
    "set/icons/number.svg": '<svg width="9" height="9"><text x="1" y="8" font-size="8">{{ value }}</text></svg>\n',
    "set/back.svg": BACK,
    "set/spell.svg": SVG.format(
        '<text x="5" y="10" font-size="5">{{ card.cost }}</text>\n'
        '<text x="5" y="20" width="53" height="30" font-size="4">{{ card.rules }}</text>\n'
    ),
}


def test_rich_texts_are_printed_with_icons_and_listed_as_plain_words(folder: Path) -> None:
    write_files(folder, RICH)
    assert kotc("build", "set").exit_code == 0
    with pdfium.PdfDocument("out/set/sheets.pdf") as sheets:
        words = sheets[0].get_textpage().get_text_bounded()
    assert "{2}{T}" in words
    assert "Quick. {T}: Draw a card." in words
    assert 'Quick. <abbr title="turn">{T}</abbr>: Draw a card.' in Path("out/set/gallery.html").read_text("utf-8")
    proved = kotc("verify", "out/set/sheets.pdf", "--set", "set")
    assert proved.exit_code == 0, proved.output
    write_files(folder, {"set/icons/turn.svg": RICH["set/icons/turn.svg"].replace("2a6fb5", "2ab56f")})
    assert "png/ebb.png: template changed" in kotc("build", "set", "--explain").output


def test_mistakes_in_rich_texts_are_told_where_they_stand(folder: Path) -> None:
    write_files(folder, {**RICH, "set/cards.yaml": '- {name: Ebb, cost: "{2}{X}", rules: "**Quick. {T}"}\n'})
    found = json.loads(kotc("check", "set", "--format", "json").stdout)
    assert [(each["column"], each["field"], each["message"]) for each in found] == [
        (25, "cost", "there is no icon `{X}`"),
        (39, "rules", "`**` is not closed"),
    ]


SPLIT = {
    "set/set.yaml": SET,
    "set/game.yaml": "name: Lamps\n"
    "fields: {cost: {type: number, required: true}, rarity: line, twice: {value: cost * 2}}\n"
    "kinds:\n  split:\n    faces: 2\n    check: [{that: cost < 9, message: too dear}]\n",
    "set/cards.yaml": "- rarity: rare\n  faces:\n    - {name: Dusk, cost: 1}\n"
    "    - {name: Dawn, cost: 2, rarity: odd}\n",
    "set/back.svg": BACK,
    "set/split.svg": SVG.format(
        "{% for face in card.faces %}\n"
        '<text x="5" y="{{ 10 + 10 * loop.index }}">{{ face.name }} {{ face.rarity }} {{ face.twice }}</text>\n'
        "{% endfor %}\n"
    ),
}


def test_a_card_may_show_two_small_cards(folder: Path) -> None:
    write_files(folder, SPLIT)
    assert kotc("build", "set").exit_code == 0
    assert [path.name for path in Path("out/set/png").iterdir()] == ["dusk-dawn.png"]
    with pdfium.PdfDocument("out/set/sheets.pdf") as sheets:
        words = sheets[0].get_textpage().get_text_bounded()
    assert "Dusk rare 2" in words
    assert "Dawn odd 4" in words
    page = Path("out/set/gallery.html").read_text("utf-8")
    assert "Dusk // Dawn" in page
    assert all(words in page for words in ("rare", "odd", "Dusk<br>"))


def test_mistakes_of_small_cards_are_told_where_they_stand(folder: Path) -> None:
    wrong = "- faces:\n    - {name: Dusk, cost: x}\n    - {name: Dawn, kind: split}\n"
    write_files(folder, {**SPLIT, "set/cards.yaml": wrong})
    found = json.loads(kotc("check", "set", "--format", "json").stdout)
    assert [(each["line"], each["column"], each["field"], each["message"]) for each in found] == [
        (2, 26, "faces.0.cost", "expected a whole number from 0 to 9999, found `x`"),
        (3, 8, "faces.1.cost", "`faces.1` has no `cost`"),
        (3, 20, "faces.1.kind", "`kind` is a key of the whole card"),
    ]
    write_files(folder, {"set/cards.yaml": SPLIT["set/cards.yaml"].replace("cost: 2", "cost: 9")})
    assert "set/cards.yaml:4:26: error: too dear [M040]" in kotc("check", "set").output


def test_tables_have_the_columns_of_the_game(folder: Path) -> None:
    write_files(folder, BESIDE)
    assert kotc("table", "set", "--for", "folder", "--out", "table").exit_code == 0
    with Path("table/cards.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["id", "name", "family", "weight", "heavy", "copies", "front", "back"]
    assert rows[1][:6] == ["brown-bear", "Brown Bear", "Bears", "300", "yes", "1"]


DECK = "name: Zoo\nsets: [set]\ngame: set\ncards: {brown-bear: %s, sun-bear: 1}\n"


def test_decks_have_the_sizes_and_copies_that_the_game_allows(folder: Path) -> None:
    write_files(folder, BESIDE | {"zoo.yaml": DECK % 2})
    assert kotc("check", "zoo.yaml").output == "2 cards checked: nothing to report\n"
    write_files(folder, {"zoo.yaml": DECK % 5})
    said = kotc("check", "zoo.yaml").output
    assert "a deck of Lanterns has a card at most 2 times, found 5 [M043]" in said
    assert "a deck of Lanterns has at most 5 cards, found 6 [M042]" in said
    write_files(folder, {"zoo.yaml": DECK.replace("sun-bear", "joker") % 2})
    assert "`joker` is a token, and does not belong in a deck" in kotc("check", "zoo.yaml").output


def test_what_lists_decks_of_kotc_names_the_commands_for_those_of_other_games(folder: Path) -> None:
    write_files(folder, BESIDE | {"zoo.yaml": DECK % 2})
    said = kotc("deck", "zoo.yaml").output
    assert "[S023]" in said
    for command in ("check", "balance", "pdf"):
        assert f"`kotc {command} zoo.yaml`" in said
        assert kotc(command, "zoo.yaml").exit_code == 0


OWN_COPIES = """\
name: Lamps
kinds:
  hero: {copies: 1, template: all}
  haven: {copies: any, template: all}
  spell: {template: all}
deck: {copies: 4}
"""
DECK_OF_LAMPS = "name: Lit\nsets: [set]\ngame: set\ncards: {sun: %s, hill: %s, glow: %s}\n"


def test_a_kind_may_say_how_often_a_deck_has_one_of_its_cards(folder: Path) -> None:
    cards = "- {name: Sun, kind: hero}\n- {name: Hill, kind: haven}\n- {name: Glow, kind: spell}\n"
    files = {"set/set.yaml": "name: Set\n", "set/game.yaml": OWN_COPIES, "set/cards.yaml": cards}
    write_files(folder, {**files, "set/all.svg": BACK, "set/back.svg": BACK, "lit.yaml": DECK_OF_LAMPS % (1, 30, 4)})
    assert kotc("check", "lit.yaml").output == "3 cards checked: nothing to report\n"
    write_files(folder, {"lit.yaml": DECK_OF_LAMPS % (2, 30, 5)})
    found = json.loads(kotc("check", "lit.yaml", "--format", "json").stdout)
    assert [(each["code"], each["message"], each["hint"]) for each in found] == [
        ("M043", "a deck of Lamps has a hero at most once, found 2", "write `sun: 1`"),
        ("M043", "a deck of Lamps has a card at most 4 times, found 5", "write `glow: 4`"),
    ]


@pytest.mark.parametrize("name", ["game.yml", "Game.yaml"])
def test_a_game_in_a_file_of_nearly_the_right_name_is_found(name: str, tmp_path: Path) -> None:
    write_files(
        tmp_path / "s", {"set.yaml": "name: S\n", name: "name: G\nkinds: {a: {}}\n", "cards.yaml": "- name: X\n"}
    )
    said = kotc("check", str(tmp_path / "s")).output
    assert f"`{name}` is not read: a game is written in `game.yaml` [S033]\n  hint: rename it to `game.yaml`" in said
    assert said.endswith("1 error\n")


KINDS = """\
name: Lamps
fields:
  power: number
  twice: {value: power * 2}
  most: {value: twice if twice is not none else 0}
  title: {value: name ~ '!'}
kinds:
  lamp: {fields: [power!, twice]}
  wick: {fields: []}
  other: {}
table: [id, twice, most, title]
"""


def test_a_derived_field_that_kinds_name_is_of_these_and_of_kinds_with_all_fields(folder: Path) -> None:
    cards = "- {name: A, kind: lamp, power: 2}\n- {name: B, kind: wick}\n- {name: C, kind: other, power: 4}\n"
    shown = SVG.format('<text x="5" y="10">{{ card.title }}{{ card.twice }}</text>\n')
    kinds = {f"set/{kind}.svg": shown for kind in ("lamp", "wick", "other")}
    files = {"set/game.yaml": KINDS, "set/set.yaml": "name: Set\nback: none\n", "set/cards.yaml": cards}
    write_files(folder, {**files, **kinds})
    assert kotc("table", "set", "--for", "folder", "--out", "table").exit_code == 0
    with Path("table/cards.csv").open(encoding="utf-8", newline="") as table:
        rows = [row[:4] for row in csv.reader(table)]
    assert rows == [
        ["id", "twice", "most", "title"],
        ["a", "4", "4", "A!"],
        ["b", "", "0", "B!"],
        ["c", "8", "8", "C!"],
    ]


def test_a_kind_that_has_all_fields_is_asked_for_what_its_derived_fields_need(folder: Path) -> None:
    files = {"set/game.yaml": KINDS, "set/set.yaml": "name: Set\n", "set/cards.yaml": "- {name: C, kind: other}\n"}
    write_files(folder, files)
    assert "`twice` does not follow without `power`, which an other may lack" in kotc("check", "set").output

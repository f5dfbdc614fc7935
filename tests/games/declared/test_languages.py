"""Sets of games in YAML that are printed in several languages: what is on the cards, what is said, where the files go."""

import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pypdfium2
import pytest

from render.game.declared.cards import DeclaredCard
from render.game.registry import game_of
from render.game.sources import load_sets, survey
from render.games.kotc.model.cards import Card
from tests.games.declared.lanterns import SVG, write_files
from tests.games.declared.test_games_page import FILES as LANTERNS
from tests.support.pages import page
from tests.support.preview_process import is_drawn, previewed
from tests.support.sets import kotc

FONT = Path(__file__).parents[2] / "text" / "fonts" / "NotoSansCJKjp-Subset.otf"
GAME = """\
name: Stars
fields:
  rules:  rich
  flavor: {type: line}
  artist: {type: line, words: false}
  sphere: {type: choice, choices: [fire, earth], default: fire}
  tint:   {value: "{'fire': '#b5432a', 'earth': '#4c7a34'}[sphere]"}
  title:  {value: "name ~ '!'"}
kinds:
  beast: {fields: [rules, flavor, artist, sphere]}
  pair:  {fields: [rules, sphere], faces: 2}
fonts: {DejaVu Sans: {languages: {ja: fonts/Gothic.otf}}}
icons: {W: icons/w.svg}
table: [name, kind, sphere, rules]
"""
SET = "name: Stars\nlanguages: [en, ja]\nwords: {ja: {name: Hoshi}}\noutputs: [png, sheets, gallery]\n"
CARDS = """\
- name: Wildcat
  kind: beast
  rules: "**Fire:** {W}, draw a card."
  flavor: Quiet.
  artist: A. Author
  words: {ja: {name: 山猫, rules: "火の時：{W}、札を引く。", flavor: 静か}}
- {name: Stone, kind: beast, sphere: earth, words: {ja: {name: 土}}}
- {name: Water, kind: beast, words: {ja: {name: 水}}}
- {name: Wind, kind: beast, rules: "{W}{W}", words: {ja: {name: 風}}}
- kind: pair
  id: day-and-night
  rules: Wait.
  faces: [{name: Fire}, {name: Dark, rules: Sleep.}]
  words: {ja: {rules: 待て, faces: [{name: 火}, {name: 闇, rules: 眠る}]}}
"""
FRONT = SVG.format(
    """\
  <rect width="63.5" height="88.9" fill="{{ card.tint }}"/>
  <text x="5" y="10" width="53" font-size="5" fill="#ffffff">{{ card.title }} {{ card.language }}</text>
  <text x="5" y="20" width="53" font-size="4">{{ card.rules }}</text>
  <text x="5" y="60" width="53" font-size="4" font-style="italic">{{ card.flavor }} {{ card.artist }}</text>
"""
)
PAIR = SVG.format(
    """\
  {% for each in card.faces %}
  <text x="5" y="{{ loop.index * 30 }}" width="53" font-size="4">{{ each.title }} {{ each.rules }}</text>
  {% endfor %}
"""
)
FILES = {
    "game.yaml": GAME, "set.yaml": SET, "cards.yaml": CARDS, "icons/w.svg": SVG.format('<circle r="9"/>'),
    "templates/beast.svg": FRONT, "templates/pair.svg": PAIR, "templates/back.svg": SVG.format('<circle r="9"/>'),
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the set `stars`."""
    monkeypatch.chdir(tmp_path)
    write_files(Path("stars"), FILES)
    Path("stars/fonts").mkdir()
    shutil.copy(FONT, "stars/fonts/Gothic.otf")


def printed(pdf: str) -> str:
    """Return the words on all pages of a PDF, as another program reads them."""
    with pypdfium2.PdfDocument(pdf) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in document)


def cards_in(language: str) -> dict[str, DeclaredCard]:
    (card_set,) = load_sets("stars", language)
    return {card.id: card for card in card_set.cards if isinstance(card, DeclaredCard)}


# --- what is printed ------------------------------------------------------------------------------------------------


def test_five_cards_are_built_in_two_languages_and_proved() -> None:
    assert kotc("check", "stars").output == "5 cards checked: nothing to report\n"
    built = kotc("build", "stars").output
    assert "Stars: 5 PNGs, 1 sheet and a gallery in out/stars (" in built
    assert "Hoshi: 5 PNGs, 1 sheet and a gallery in out/stars/ja (" in built
    english, japanese = printed("out/stars/sheets.pdf"), printed("out/stars/ja/sheets.pdf")
    assert "Wildcat! en" in english
    assert "Fire! Wait." in english
    assert not re.search(r"[\u3000-\u9fff]", english)
    for words in ("山猫! ja", "火の時", "札を引く", "静か A. Author", "土! ja", "火! 待て", "闇! 眠る"):
        assert words in japanese
    for file, language in (("out/stars/sheets.pdf", "en"), ("out/stars/ja/sheets.pdf", "ja")):
        assert kotc("verify", file, "--set", "stars", "--language", language).exit_code == 0
    assert kotc("verify", "out/stars/ja/sheets.pdf", "--set", "stars").exit_code == 1
    assert kotc("build", "stars").output.count("0 written") == 2


def test_a_change_of_words_makes_the_outputs_of_their_language_anew() -> None:
    kotc("build", "stars")
    Path("stars/cards.yaml").write_text(CARDS.replace("水", "然"), encoding="utf-8")
    english, japanese = (line for line in kotc("build", "stars").output.splitlines() if " in out/" in line)
    assert "(0 written, " in english
    assert "(3 written, 4 unchanged)" in japanese


def test_ids_choices_and_what_follows_from_them_are_the_same_in_every_language() -> None:
    english, japanese = cards_in(""), cards_in("ja")
    assert english.keys() == japanese.keys()
    values = dict(japanese["stone"].values)
    assert (values["sphere"], values["tint"], values["title"]) == ("earth", "#4c7a34", "土!")


def test_lists_and_pages_have_the_words_of_the_language() -> None:
    (card_set,) = load_sets("stars", "ja")
    cat, *_, pair = card_set.cards
    game = game_of(card_set)
    assert game.facts(cat).told.startswith("rules: 火の時：{W}、札を引く。; flavor: 静か")
    assert "闇" in game.words(pair)
    assert pair.name == "火 // 闇"


def test_the_table_of_one_language_is_made() -> None:
    assert kotc("table", "stars", "--language", "ja", "--for", "folder").exit_code == 0
    (table,) = Path("out").rglob("cards.csv")
    assert "山猫" in table.read_text(encoding="utf-8-sig")


def test_a_deck_is_printed_in_a_language() -> None:
    deck = Path("deck.yaml")
    deck.write_text("name: Few\ngame: stars\nsets: [stars]\ncards: {Wildcat: 2, stone: 1}\n", encoding="utf-8")
    assert kotc("pdf", deck, "--language", "ja", "--out", "few.pdf").exit_code == 0
    assert printed("few.pdf").count("山猫") == 2


def test_the_preview_shows_cards_in_a_language_by_names_of_any_script() -> None:
    (Path("stars") / "cards.yaml").write_text("- {name: 山, kind: beast, words: {ja: {name: 火}}}\n", encoding="utf-8")
    with previewed(Path("stars"), "--language", "ja") as shown:
        news = next(each for each in shown.events() if is_drawn(each))
        assert [card["name"] for card in news["cards"].values()] == ["火"]
        status, _, content = shown.get(f"cards/s1/{quote('山')}")
        assert status == 200, content


# --- what is said ---------------------------------------------------------------------------------------------------


def test_words_that_cards_lack_are_listed_for_each_card() -> None:
    cards = CARDS.replace("name: 山猫, ", "").replace(", flavor: 静か", "").replace("name: 闇, ", "")
    Path("stars/cards.yaml").write_text(cards, encoding="utf-8")
    said = [line for line in kotc("check", "stars").output.splitlines() if "C025" in line]
    assert said == [
        "stars/cards.yaml:6:10: warning: `wildcat` has no name and no flavor in `ja` [C025]",
        "stars/cards.yaml:14:10: warning: `day-and-night` has no `name` of `Dark` in `ja` [C025]",
    ]
    assert cards_in("ja")["wildcat"].name == "Wildcat"


def test_texts_that_the_game_lacks_in_a_language_are_listed_once_for_all_sets() -> None:
    texts = "words:\n  texts: {by: By, star: ★, fire: Fire}\n  languages:\n    ja: {texts: {by: 作}}\n    de: {texts: {beast: Tier}}\n"
    write_files(Path("stars"), {"game.yaml": f"{GAME}{texts}"})
    write_files(Path("more"), {"set.yaml": "game: ../stars\nname: More\nlanguages: [en, ja]\n", "cards.yaml": CARDS})
    line = (Path("stars") / "game.yaml").read_text(encoding="utf-8").splitlines().index("    ja: {texts: {by: 作}}") + 1
    said = [each for each in kotc("check", "stars", "more").output.splitlines() if "C025" in each]
    assert said == [f"stars/game.yaml:{line}:17: warning: the game has no texts for `beast` and `fire` in `ja` [C025]"]


@pytest.mark.parametrize("command", ["png", "pdf", "build", "check", "table"])
def test_a_language_that_the_set_does_not_name_is_refused(command: str) -> None:
    said = kotc(command, "stars", "--language", "de", *(["--for", "folder"] if command == "table" else []))
    assert "the set has no words in `de`: it is printed in `en` and `ja` [S034]" in said.output
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("{jp: {name: X}}", "no language is called `jp` [C007]"),
        ("{ja: {nam: X}}", "unknown key `nam` [C002]"),
        ("{ja: {sphere: 火}}", "unknown key `sphere` [C002]"),
        ("{ja: {rules: '{Z}'}}", "there is no icon `{Z}` [U001]"),
        ("{ja: {faces: [{name: X}]}}", "unknown key `faces` [C002]"),
    ],
)
def test_mistakes_in_words_are_told_in_every_language(words: str, said: str) -> None:
    Path("stars/cards.yaml").write_text(f"- {{name: Ox, kind: beast, words: {words}}}\n", encoding="utf-8")
    assert said in kotc("check", "stars", "--language", "en").output


def test_more_small_cards_than_there_are_have_no_words() -> None:
    Path("stars/cards.yaml").write_text(
        CARDS.replace("faces: [{name: 火}", "faces: [{name: 土}, {name: 火}"), encoding="utf-8"
    )
    assert "expected the words of at most 2 small cards, found a list [C005]" in kotc("check", "stars").output


def test_the_example_of_the_page_says_what_stands_there() -> None:
    part = page("cards/languages.md").partition("## Games of your own")[2]
    files = dict(re.findall(r"^```yaml\n# lanterns/([\w.]+)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL))
    write_files(Path("lanterns"), {**LANTERNS, **files})
    session = part.partition("```console\n")[2].partition("```")[0]
    for command, said in re.findall(r"^\$ kotc (.*)\n((?:[^$].*\n)*)", session, re.MULTILINE):
        assert kotc(*command.split()).output == said


def test_the_nodes_of_a_table_give_words_by_their_keys() -> None:
    Path("stars/cards.yaml").unlink()
    Path("stars/beasts.csv").write_text("name,kind,words.ja.name\nWildcat,beast,山猫\n", encoding="utf-8")
    (_, japanese), findings = survey([Path("stars")], None)
    assert findings == []
    assert [card.name for card in japanese.cards] == ["山猫"]


def test_a_language_may_have_a_script_or_a_country() -> None:
    Path("stars/set.yaml").write_text("name: Stars\nlanguages: [pt, pt-br, zh-hant]\n", encoding="utf-8")
    Path("stars/cards.csv").write_text("name.pt,name.pt-br,name.zh-hant,kind\nA,B,水,beast\n", encoding="utf-8")
    Path("stars/cards.yaml").unlink()
    Path("stars/game.yaml").write_text(GAME.replace("ja:", "zh-hant:"), encoding="utf-8")
    assert kotc("check", "stars").output == "1 card checked: nothing to report\n"
    assert [cards_in(each)["a"].name for each in ("", "pt-br", "zh-hant")] == ["A", "B", "水"]


def test_a_font_of_a_language_that_has_no_bold_face_is_told_with_the_language() -> None:
    write_files(Path("stars"), {"cards.yaml": CARDS.replace("rules: 待て", "rules: '**待て**'")})
    output = kotc("check", "stars").output
    assert (
        "the font `DejaVu Sans` in `ja` has no bold face: add its file, or take it from `languages` and write" in output
    )
    assert 'write `font-family="DejaVu Sans, Noto Sans CJK JP"` in templates; `待て` asks for it' in output


def test_letters_that_no_font_has_are_told_once_and_how_to_get_them() -> None:
    without = {"game.yaml": GAME.replace("fonts: {DejaVu Sans: {languages: {ja: fonts/Gothic.otf}}}\n", "")}
    write_files(Path("stars"), without)
    told = kotc("check", "stars").output
    assert "no bundled font has the characters `山` (U+5C71), `猫` (U+732B) of `<text>` [L003]" in told
    shutil.rmtree("stars/fonts")
    told = kotc("check", "stars").output
    assert "no bundled font has `山猫` (U+5C71, U+732B), in `words.ja.name` of `wildcat` [C017]" in told
    assert "or put a font that has it into `fonts`, and name its family in `font-family` of the templates, too" in told


@pytest.mark.parametrize(
    ("words", "file", "place"),
    [
        (", words: {de: {name: 山猫}}", "", "cards.yaml:1:80"),
        ("", "boat: {text: Zieh 1 Karte., name: 山猫}\n", "words.de.yaml:1:35"),
        ("", "Boat: {name: 山猫}\n", "words.de.yaml:1:14"),
    ],
    ids=["in the card", "in the file of the language", "in the file by the name"],
)
def test_what_is_wrong_with_drawn_words_is_told_where_they_stand(words: str, file: str, place: str) -> None:
    cards = f"- {{name: Boat, kind: spell, level: 2, text: 'Draw 1 card.'{words}}}\n"
    files = {"set.yaml": "name: Sea\nedition: 17\nlanguages: [en, de]\n", "cards.yaml": cards, "words.de.yaml": file}
    write_files(Path("sea"), files)
    shutil.copytree("stars/fonts", "sea/fonts")
    told = f"sea/{place}: error: no bundled font has the characters `山` (U+5C71), `猫` (U+732B) of `<text id="
    assert told in kotc("check", "sea").output


# --- where words may stand --------------------------------------------------------------------------------------------


def test_columns_of_a_table_end_in_a_language() -> None:
    Path("stars/cards.yaml").unlink()
    table = "name.en,kind,Rules,rules.ja,name.ja,faces.1.name,faces.1.name.ja,faces.2.name\n"
    rows = "Wildcat,beast,Wait.,待て,山猫\n,pair,,,,Fire,火,Dark\n"
    Path("stars/beasts.csv").write_text(table + rows, encoding="utf-8")
    (english, japanese), findings = survey([Path("stars")], None)
    assert findings == []
    assert [card.name for card in english.cards] == ["Wildcat", "Fire // Dark"]
    assert [card.name for card in japanese.cards] == ["山猫", "火 // Dark"]
    assert kotc("check", "stars").output.count("[C025]") == 1


OF_FILE = "wildcat: {flavor: 風, rules: 引く}\nStone: {name: 土}\n"


def test_a_file_beside_the_cards_gives_their_words_by_id_or_name() -> None:
    Path("stars/words.ja.yaml").write_text(OF_FILE, encoding="utf-8")
    Path("stars/cards.yaml").write_text(CARDS.replace(", words: {ja: {name: 土}}", ""), encoding="utf-8")
    assert kotc("check", "stars").output == "5 cards checked: nothing to report\n"
    cards = cards_in("ja")
    assert cards["stone"].name == "土"
    assert dict(cards["wildcat"].values)["flavor"] == "静か"  # what the card itself says


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("wildcta: {name: 火}\n", "words.ja.yaml:1:1: error: no card has the id or name `wildcta` [C002]"),
        ("wildcat: {nam: 火}\n", "words.ja.yaml:1:11: error: unknown key `nam` [C002]"),
        ("wildcat: 火\n", "words.ja.yaml:1:10: error: expected keys and values, found `火` [C005]"),
        ("- {name: 火}\n", "words.ja.yaml:1:1: error: expected the keys of a card, found a list [C001]"),
    ],
)
def test_mistakes_in_the_file_of_a_language_are_told_at_their_places(file: str, said: str) -> None:
    Path("stars/words.ja.yaml").write_text(file, encoding="utf-8")
    assert f"stars/{said}" in kotc("check", "stars").output


def test_a_change_in_the_file_of_a_language_makes_its_outputs_anew() -> None:
    Path("stars/words.ja.yaml").write_text("Wind: {flavor: 静か}\n", encoding="utf-8")
    kotc("build", "stars")
    assert kotc("build", "stars").output.count("(0 written, ") == 2
    Path("stars/words.ja.yaml").write_text("Wind: {flavor: 風}\n", encoding="utf-8")
    assert kotc("build", "stars").output.count("(0 written, ") == 1
    assert "風" in printed("out/stars/ja/sheets.pdf")


def test_the_own_game_reads_the_file_of_a_language_too() -> None:
    cards = "- {name: Boat, kind: spell, level: 2, text: 'When you take damage: Draw 1 card.'}\n"
    files = {"set.yaml": "name: Sea\nedition: 17\nlanguages: [en, de]\n", "cards.yaml": cards}
    write_files(Path("sea"), {**files, "words.de.yaml": "boat: {name: Boot}\n"})
    assert kotc("check", "sea").output == "1 card checked: nothing to report\n"
    assert [card.name for card in load_sets("sea", "de")[0].cards] == ["Boot"]
    own = cards.replace("}", ", words: {de: {name: Kahn}}}")
    write_files(Path("sea"), {**files, "cards.yaml": own, "words.de.yaml": "boat: {name: Boot, flavor: Ruhig.}\n"})
    (card,) = load_sets("sea", "de")[0].cards
    assert isinstance(card, Card)
    assert (card.name, card.flavor) == ("Kahn", "Ruhig."), "what the card itself says counts before it, key by key"


def test_keywords_in_a_language_have_its_reminders_also_where_no_space_ends_them() -> None:
    words = "words: {reminders: {Fire: Burn}, languages: {ja: {reminders: {火: 待て}}}}\n"
    cards = CARDS.replace("Stone,", "Stone, rules: Fire.,").replace("name: 土", "name: 土, rules: 火の時")
    write_files(Path("stars"), {"game.yaml": GAME + words, "cards.yaml": cards})
    kotc("pdf", "stars")
    assert "Fire (Burn)." in printed("out/stars/sheets.pdf")
    assert "火 (待て)の時" in printed("out/stars/ja/sheets.pdf")


def test_texts_of_the_game_are_in_the_language_of_the_card() -> None:
    words = "words: {bold: [Fire], texts: {beast: Beast}, languages: {ja: {bold: [火], texts: {beast: 猫, fire: 火, sphere: 待, by: 撃}}}}\n"
    template = SVG.format(
        '<text x="5" y="9" font-size="4">{{ card.words.kind }} {{ card.words.sphere }} {{ card.words.by }}</text>'
    )
    files = {"game.yaml": GAME + words, "templates/beast.svg": template, "cards.yaml": CARDS.split("- kind")[0]}
    write_files(Path("stars"), files)
    kotc("pdf", "stars")
    assert "Beast fire by" in printed("out/stars/sheets.pdf")
    assert "猫 火 撃" in printed("out/stars/ja/sheets.pdf")
    (card_set,) = load_sets("stars", "ja")
    facts = game_of(card_set).facts(card_set.cards[0])
    assert (facts.kind, facts.told.split("; ")[-1]) == ("猫", "待: 火")
    assert [(each.label, each.values) for each in facts.traits] == [("待", ("火",))]  # what the gallery filters by


def test_a_set_has_a_name_in_any_script_and_the_margin_calls_it_by_its_folder() -> None:
    Path("stars/set.yaml").write_text(
        "name: 星の旅\nlanguages: [en, ja]\nwords: {ja: {name: 星の旅}}\n", encoding="utf-8"
    )
    assert kotc("build", "stars").output.startswith("星の旅: 5 PNGs and 1 sheet in out/stars")
    assert "stars · sheet 1 of 1" in printed("out/stars/sheets.pdf")
    assert kotc("verify", "out/stars/sheets.pdf", "--set", "stars").exit_code == 0


def test_a_set_with_names_of_another_script_is_built_and_proved() -> None:
    Path("stars").rename("星の旅")
    files = {
        "set.yaml": "name: 星の旅\nlanguage: ja\noutputs: [png, sheets, gallery, makeplayingcards]\n",
        "cards.yaml": "- {name: 山猫, kind: beast, rules: 待て, copies: 2}\n- {name: 水, kind: beast}\n",
    }
    write_files(Path("星の旅"), files)
    assert kotc("check", "星の旅").output == "2 cards checked: nothing to report\n"
    assert "(9 written, 0 unchanged)" in kotc("build", "星の旅").output
    assert "(0 written, 9 unchanged)" in kotc("build", "星の旅").output
    assert sorted(file.name for file in Path("out/星の旅/png").iterdir()) == ["山猫.png", "水.png"]
    for made in ("sheets.pdf", "makeplayingcards"):
        assert kotc("verify", Path("out/星の旅") / made, "--set", "星の旅").exit_code == 0
    assert "風: a new beast" in kotc("new", "beast", "風", "--to", "星の旅").output
    assert "二: a set in 二" in kotc("init", "二", "--game", "星の旅").output

"""Variants of cards and layers of templates: what is on the cards, where the files go, what is made anew, what is said."""

from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from render.exports.print_files import printable_title
from render.game.card_reading import CardReading
from render.game.declared.cards import DeclaredCard
from render.game.home import Versions
from render.game.known_cards import KnownCards
from render.game.sources import load_sets, survey
from render.source.items import KnownItem
from render.source.nodes import Document
from tests.build.test_known_cards import memory_in
from tests.games.declared.lanterns import SVG, write_files
from tests.support.preview_process import is_drawn, previewed
from tests.support.sets import kotc

GAME = """\
name: Lamps
fields:
  rarity: {type: choice, choices: [common, rare], default: common}
  frame:  {type: line, default: "#4c7a34"}
  power:  {type: number, range: [0, 9]}
  double: {value: power * 2 if power is not none else none}
  rules:  {type: line}
kinds:
  lamp: {fields: [rarity, frame, power, rules]}
  pair: {fields: [frame, rules], faces: 2}
table: [name, rarity, double, rules]
"""
SET = """\
name: Lamps
outputs: [png]
variants:
  foil: {where: rarity == 'rare', frame: "#d4a017", layers: {shine: true}, back: gold}
  promo: {where: false}
"""
CARDS = """\
- {name: Wick, kind: lamp, power: 3, rarity: rare, copies: 3}
- {name: Moss, kind: lamp, power: 2, variants: {promo: {}}}
- name: Ebb
  kind: lamp
  power: 4
  variants: {foil: {frame: "#aa0000", power: 5, name: Golden Ebb, copies: 2}}
"""
LAMP = SVG.format(
    """\
  <rect width="63.5" height="88.9" fill="{{ card.frame }}"/>
  <text x="5" y="40" width="53" font-size="5">{{ card.name }} {{ card.double }} {{ card.variant }}</text>
  <text x="5" y="60" width="53" font-size="5">{{ card.rarity }} {{ card.rules }}</text>
  <g id="shine" style="display: none"><rect width="10" height="10" fill="#ffffff"/></g>
  <rect id="guides" y="80" width="10" height="8.9" fill="#0000ff"/>
"""
)
PAIR = SVG.format(
    '{% for each in card.faces %}<rect y="{{ loop.index * 30 }}" width="9" height="9" fill="{{ each.frame }}"/>'
    '<text y="{{ loop.index * 30 }}" x="20">{{ each.name }} {{ each.rules }} {{ each.variant }}</text>{% endfor %}'
    '<g id="shine"/>'
)
FILES = {
    "game.yaml": GAME, "set.yaml": SET, "cards.yaml": CARDS, "templates/lamp.svg": LAMP, "templates/pair.svg": PAIR,
    "templates/back.svg": SVG.format('<circle r="9"/>'), "templates/gold.svg": SVG.format('<circle r="19"/>'),
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the set `lamps`."""
    monkeypatch.chdir(tmp_path)
    write_files(Path("lamps"), FILES)


def cards_in(variant: str, language: str = "") -> dict[str, DeclaredCard]:
    (card_set,) = load_sets("lamps", language, versions=Versions((variant,)))
    return {card.id: card for card in card_set.cards if isinstance(card, DeclaredCard)}


def change(file: str, before: str, after: str) -> None:
    text = Path("lamps", file).read_text(encoding="utf-8")
    assert before in text
    Path("lamps", file).write_text(text.replace(before, after), encoding="utf-8")


def pixel(file: str, x: float, y: float) -> tuple[int, ...]:
    """Return the color of a PNG at a place in mm."""
    with Image.open(file) as image:
        found = image.convert("RGB").getpixel((round(x * image.width / 63.5), round(y * image.height / 88.9)))
    assert isinstance(found, tuple)
    return found


def words_of(file: str) -> str:
    document = pypdfium2.PdfDocument(file)
    return "\n".join(document[number].get_textpage().get_text_range() for number in range(len(document)))


# --- the cards ------------------------------------------------------------------------------------------------------


def test_a_variant_has_the_cards_that_fit_and_those_that_give_it() -> None:
    assert list(cards_in("")) == ["wick", "moss", "ebb"]
    assert list(cards_in("foil")) == ["wick", "ebb"]
    assert list(cards_in("promo")) == ["moss"]


def test_values_of_the_set_take_the_place_of_the_cards_and_those_of_the_card_that_of_the_sets() -> None:
    wick, ebb = cards_in("foil").values()
    assert (wick.name, wick.copies, wick.back, dict(wick.values)["frame"]) == ("Wick", 3, "gold", "#d4a017")
    assert (ebb.name, ebb.copies, ebb.back, dict(ebb.values)["frame"]) == ("Golden Ebb", 2, "gold", "#aa0000")
    assert dict(cards_in("")["ebb"].values)["frame"] == "#4c7a34"


def test_what_follows_from_a_value_follows_anew() -> None:
    assert dict(cards_in("")["ebb"].values)["double"] == 8
    assert dict(cards_in("foil")["ebb"].values)["double"] == 10


def test_the_small_cards_of_a_card_are_in_its_variant() -> None:
    change("set.yaml", "where: rarity == 'rare', ", "")
    pair = "- {kind: pair, name: Two, rules: Wait., faces: [{name: Day}, {name: Night, rules: Sleep.}]}\n"
    Path("lamps/cards.yaml").write_text(pair, encoding="utf-8")
    (two,) = cards_in("foil").values()
    values = [dict(each.values) for each in (two, *two.small)]
    assert [each["frame"] for each in values] == ["#d4a017"] * 3
    assert [each["rules"] for each in values] == ["Wait.", "Wait.", "Sleep."]
    assert kotc("png", "lamps", "--variant", "foil").exit_code == 0
    assert pixel("out/lamps/foil/png/two.png", 4, 34) == (0xD4, 0xA0, 0x17)


def test_a_table_gives_variants_in_columns() -> None:
    assert kotc("export", "lamps", "--to", "all.csv").exit_code == 0
    assert "variants.foil.frame" in Path("all.csv").read_text(encoding="utf-8-sig")
    before = [cards_in(each) for each in ("", "foil", "promo")]
    Path("lamps/cards.yaml").unlink()
    table = "name,kind,power,rarity,copies,variants.foil.frame,variants.foil.power,variants.foil.name,variants.foil.copies,variants.promo.frame\n"
    table += "Wick,lamp,3,rare,3,,,,,\nMoss,lamp,2,,,,,,,#4c7a34\nEbb,lamp,4,,,#aa0000,5,Golden Ebb,2,\n"
    Path("lamps/cards.csv").write_text(table, encoding="utf-8")
    assert [cards_in(each) for each in ("", "foil", "promo")] == before


def test_the_preview_shows_a_variant() -> None:
    with previewed(Path("lamps"), "--variant", "foil") as shown:
        news = next(each for each in shown.events() if is_drawn(each))
        assert [card["name"] for card in news["cards"].values()] == ["Wick", "Golden Ebb"]


def test_a_game_may_have_a_field_called_variants() -> None:
    change("game.yaml", "rules:  {type: line}", "rules:  {type: line}\n  variants: {type: number}")
    change("game.yaml", "power, rules]", "power, rules, variants]")
    Path("lamps/cards.yaml").write_text("- {name: Ox, kind: lamp, rarity: rare, variants: 7}\n", encoding="utf-8")
    assert dict(cards_in("foil")["ox"].values)["variants"] == 7


def test_sheets_of_several_variants_name_their_set_once() -> None:
    sets = [card_set for variant in ("", "foil") for card_set in load_sets("lamps", versions=Versions((variant,)))]
    assert len(sets) == 2
    assert printable_title(sets) == "Lamps"


def test_a_sheet_names_its_variants_unless_its_cards_are_as_they_are() -> None:
    for variant, slug in (("plain", ""), ("foil", "foil · "), ("foil,plain", "foil, plain · ")):
        assert kotc("pdf", "lamps", "--variant", variant, "--out", "a.pdf").exit_code == 0
        assert f"Lamps · {slug}sheet 1 of" in words_of("a.pdf")
        assert kotc("verify", "a.pdf", "--set", "lamps", "--variant", variant).exit_code == 0


def test_a_variant_is_printed_in_each_language() -> None:
    change("set.yaml", "outputs", "languages: [en, de]\noutputs")
    change("cards.yaml", "copies: 3}", "copies: 3, words: {de: {name: Docht}}}")
    wick = cards_in("foil", "de")["wick"]
    assert (wick.name, dict(wick.values)["frame"]) == ("Docht", "#d4a017")
    built = kotc("build", "lamps", "--variant", "foil").output
    assert "in out/lamps/foil (" in built
    assert "in out/lamps/de/foil (" in built


# --- what is made ---------------------------------------------------------------------------------------------------


def test_a_build_makes_all_variants_each_in_its_folder_and_then_nothing() -> None:
    kotc("build", "lamps")
    made = sorted(file.relative_to("out/lamps").as_posix() for file in Path("out").rglob("*.png"))
    assert made == ["foil/png/ebb.png", "foil/png/wick.png", "png/ebb.png", "png/moss.png", "png/wick.png",
                    "promo/png/moss.png"]  # fmt: skip
    assert pixel("out/lamps/png/wick.png", 30, 60) == (0x4C, 0x7A, 0x34)
    assert pixel("out/lamps/foil/png/wick.png", 30, 60) == (0xD4, 0xA0, 0x17)
    assert pixel("out/lamps/foil/png/ebb.png", 30, 60) == (0xAA, 0, 0)
    assert kotc("build", "lamps").output.count("0 written") == 3


def written(*options: str) -> list[str]:
    """Return which folders a build writes to."""
    lines = kotc("build", "lamps", *options).output.splitlines()
    return [line.split(" in ")[1].split(" (")[0] for line in lines if " in out/" in line and "(0 written" not in line]


@pytest.mark.parametrize(
    ("file", "before", "after", "folders"),
    [
        ("set.yaml", "#d4a017", "#eeee00", ["out/lamps/foil"]),
        ("set.yaml", "promo: {where: false}", "promo: {where: false, power: 9}", ["out/lamps/promo"]),
        ("set.yaml", "shine: true", "guides: false", ["out/lamps/foil"]),
        ("set.yaml", "{where: false}", "{where: power < 3}", []),  # the same cards as before
        ("set.yaml", "outputs", "layers: {guides: false}\noutputs", ["out/lamps", "out/lamps/foil", "out/lamps/promo"]),
        ("cards.yaml", "#aa0000", "#bb0000", ["out/lamps/foil"]),
    ],
)
def test_only_the_outputs_that_a_change_concerns_are_made_anew(
    file: str, before: str, after: str, folders: list[str]
) -> None:
    written()
    change(file, before, after)
    assert written() == folders
    assert written() == []


def test_a_build_after_a_change_gives_the_pictures_of_a_fresh_one() -> None:
    written()
    change("set.yaml", "shine: true", "shine: false")
    written()
    after = {file: file.read_bytes() for file in Path("out").rglob("*.png")}
    assert pixel("out/lamps/foil/png/wick.png", 5, 5) == (0xD4, 0xA0, 0x17)
    kotc("build", "lamps", "--out", "fresh", "--no-store")
    assert after == {Path("out", file.relative_to("fresh")): file.read_bytes() for file in Path("fresh").rglob("*.png")}


def test_a_variant_may_have_outputs_of_its_own() -> None:
    change("set.yaml", "promo: {where: false}", "promo: {where: false, outputs: {png: {dpi: 72}}}")
    kotc("build", "lamps", "--variant", "all")
    assert [Image.open(f"out/lamps/{each}png/moss.png").width for each in ("", "promo/")] == [750, 180]


def test_layers_are_shown_and_left_out_by_variant_and_by_option() -> None:
    white, blue, green, gold = (255, 255, 255), (0, 0, 255), (0x4C, 0x7A, 0x34), (0xD4, 0xA0, 0x17)
    corners = {
        (): (green, blue),
        ("--variant", "foil"): (white, blue),
        ("--layers", "+shine,-guides"): (white, green),
        ("--layers", "-shine", "--variant", "foil"): (gold, blue),
    }
    for options, (top, bottom) in corners.items():
        assert kotc("png", "lamps", "--card", "wick", "--out", "here", *options).exit_code == 0
        assert (pixel("here/wick.png", 5, 5), pixel("here/wick.png", 5, 84)) == (top, bottom)


def test_a_layer_of_inkscape_is_known_by_its_name() -> None:
    change("templates/lamp.svg", '<g id="shine"', '<g id="g8" inkscape:label="Shine 2"')
    change("templates/lamp.svg", "<svg ", '<svg xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ')
    change("set.yaml", "layers: {shine: true}, ", "")
    assert kotc("png", "lamps", "--layers", "Shine 2").exit_code == 0
    assert pixel("out/lamps/png/wick.png", 5, 5) == (255, 255, 255)


def test_a_sheet_of_plain_cards_and_a_variant_is_printed_and_proved() -> None:
    options = ("--variant", "plain,foil")
    assert "10 cards" in kotc("pdf", "lamps", *options, "--out", "both.pdf").output
    assert words_of("both.pdf").count("Wick 6") == 6
    assert words_of("both.pdf").count("Golden Ebb 10 foil") == 2
    assert kotc("verify", "both.pdf", "--set", "lamps", *options).exit_code == 0
    assert kotc("verify", "both.pdf", "--set", "lamps").exit_code == 1


def test_a_deck_has_its_other_cards_as_they_are() -> None:
    deck = Path("deck.yaml")
    deck.write_text("name: Few\ngame: lamps\nsets: [lamps]\ncards: {wick: 2, moss: 1}\n", encoding="utf-8")
    assert kotc("pdf", deck, "--variant", "foil").exit_code == 0
    assert words_of("out/deck/foil/sheets.pdf").count("Wick 6 foil") == 2
    assert words_of("out/deck/foil/sheets.pdf").count("Moss 4\r\n") == 1
    kotc("png", deck, "--variant", "foil")
    assert pixel("out/deck/foil/png/wick.png", 5, 5) == (255, 255, 255)
    assert pixel("out/deck/foil/png/moss.png", 5, 5) == (0x4C, 0x7A, 0x34)  # nor has it the layers of the variant
    (few,) = load_sets(deck, decks=True, versions=Versions(("foil",)))
    assert [card.back for card in few.cards] == ["gold", "back"]


@pytest.mark.parametrize("command", [("table", "--for", "folder"), ("shop", "--as", "makeplayingcards")])
def test_tables_and_shops_get_a_variant(command: tuple[str, ...]) -> None:
    name, *options = command
    options = ["makeplayingcards"] if name == "shop" else options
    first = [*options, "lamps"] if name == "shop" else ["lamps", *options]
    assert kotc(name, *first, "--variant", "foil").exit_code == 0
    assert all("foil" in file.parts for file in Path("out").rglob("*") if file.is_file())


def test_two_variants_in_one_folder_are_refused() -> None:
    said = kotc("png", "lamps", "--variant", "all", "--out", "here").output
    assert (
        "`Lamps` is printed as `plain`, `foil` and `promo`, and one folder takes one of them: choose it with --variant"
        in said
    )


def test_cards_of_a_variant_are_known_by_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, foil = memory_in(tmp_path / "store"), Versions(("foil",))
    first = survey([Path("lamps")], memory=memory, versions=foil)
    known, reading = list[KnownItem](), KnownCards.reading

    def counted(cards: KnownCards, node: KnownItem, at_rest: Document) -> CardReading | None:
        known.append(node)
        return reading(cards, node, at_rest)

    monkeypatch.setattr(KnownCards, "reading", counted)
    assert survey([Path("lamps")], memory=memory, versions=foil) == first
    assert len(known) == 3
    change("set.yaml", "#d4a017", "#eeee00")
    ((foils,), _) = survey([Path("lamps")], memory=memory, versions=foil)
    assert dict(foils.cards[0].values)["frame"] == "#eeee00"  # type: ignore[attr-defined]


# --- what is said ---------------------------------------------------------------------------------------------------


def findings() -> list[str]:
    return [line for line in kotc("check", "lamps").output.splitlines() if line.endswith("]")]


def test_sound_variants_give_no_finding_and_each_card_counts_once() -> None:
    assert kotc("check", "lamps").output == "3 cards checked: nothing to report\n"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("frame:", "fram:", "4:35: error: unknown key `fram` [C002]"),
        ("frame:", "kind:", "4:35: error: `kind` is the same in all variants of a card [C003]"),
        ('frame: "#d4a017"', "power: many", "4:42: error: expected a whole number from 0 to 9, found `many` [C005]"),
        ('frame: "#d4a017"', "art: a.png", "4:40: error: no picture `a.png` [A001]"),
        ("rarity ==", "raity ==", "4:17: error: `where`: nothing is called `raity` [S007]"),
        ("'rare'", "'rare' and", "4:34: error: `where`: something is missing behind `and` [S007]"),
        ("'rare'", "'odd'", ""),
        ("shine", "shin", "4:62: error: no template of these cards has a layer `shin` [T021]"),
        ("back: gold", "back: golden", "4:82: error: there is no template `golden` [T001]"),
        ("promo", "png", "5:3: error: `png` is a folder of other outputs [S007]"),
        ("promo", "nul", "5:3: error: Windows keeps the name `nul` for a device, and no folder can have it [S007]"),
        ("promo", "drivethrucards", "5:3: error: `drivethrucards` is a folder of other outputs [S007]"),
        ("promo", "all", "5:3: error: `--variant all` means the plain cards and all variants [S007]"),
        ("where: false", "where: power > 8", "5:18: warning: no card has the variant `promo` [S037]"),
    ],
)
def test_a_mistake_in_a_variant_is_told_once_at_its_place_again_and_again(before: str, after: str, said: str) -> None:
    if "promo" in before or "power > 8" in after:
        change("cards.yaml", ", variants: {promo: {}}", "")
    change("set.yaml", before, after)
    for _ in range(2):
        assert findings() == ([f"lamps/set.yaml:{said}"] if said else [])


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("promo: {}", "prom: {}", "unknown key `prom` [C002]"),
        ("promo: {}", "promo: {id: x}", "`id` is the same in all variants of a card [C003]"),
        ("power: 5", "power: 50", "expected a whole number from 0 to 9, found `50` [C006]"),
        ("power: 5", "powr: 5", "unknown key `powr` [C002]"),
    ],
)
def test_a_mistake_in_the_variant_of_a_card_is_told_in_every_variant(before: str, after: str, said: str) -> None:
    change("cards.yaml", before, after)
    assert [line.partition("error: ")[2] for line in findings()] == [said]
    assert said in kotc("png", "lamps").output


def test_a_card_cannot_have_a_variant_that_no_set_declares() -> None:
    Path("lamps/set.yaml").write_text("name: Lamps\n", encoding="utf-8")
    assert "the set has no `variants` [C003]" in findings()[0]


@pytest.mark.parametrize("command", ["png", "pdf", "build", "check", "table"])
def test_a_variant_that_the_set_does_not_name_is_refused(command: str) -> None:
    said = kotc(command, "lamps", "--variant", "fiol", *(["--for", "folder"] if command == "table" else [])).output
    assert "lamps/set.yaml:4:3: error: the set has no variant `fiol` [S036]" in said
    assert "hint: did you mean `foil`?" in said
    assert not Path("out").exists()


def test_a_text_that_does_not_fit_in_a_variant_is_told_with_it() -> None:
    change("cards.yaml", "Golden Ebb", "Golden Ebb of the long and winding road to the sea")
    assert any("on `ebb` as foil, `<text>` does not fit" in line for line in findings())


def test_a_layer_of_the_command_that_no_template_has_is_refused() -> None:
    said = kotc("pdf", "lamps", "--layers", "-guide").output
    assert "no template of these cards has a layer `guide` [T021]\n  hint: did you mean `guides`?" in said

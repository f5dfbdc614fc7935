"""`--where` chooses cards by an expression over their values, in every command that makes something of cards."""

import csv
from pathlib import Path

import pytest

from tests.support.messages import words
from tests.support.pdf_contents import ticket
from tests.support.sets import kotc, write_set

ZOO = """
- {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}
- {name: Ox, kind: minion, level: 4, sp: 4, hp: 2, copies: 2}
- {name: Dawn, kind: spell, level: 2, text: Draw 1 card.}
- {name: Rules, kind: tip, text: Draw.}
"""
GAME = """
name: Lanterns
fields:
  rarity: {type: choice, choices: [common, rare], default: common}
  cost: number
  tags: list
  worth: {value: "copies * 2"}
kinds: {lamp: {}}
"""
LAMPS = """
- {name: Wick, rarity: rare, cost: 2, tags: [old, tin]}
- {name: Oil, cost: 1, copies: 3}
- {name: Soot, rarity: rare, cost: 5}
- {name: Dark, rarity: rare}
"""
LAMP = """<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">
<text x="5" y="20" font-size="5">{{ card.name }} {{ card.rarity }} {{ card.cost }} {{ card.tags|join }} {{ card.worth }}</text></svg>"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_set(Path("zoo"), ZOO)
    write_set(Path("lamps"), LAMPS, "name: Lamps\n")
    (Path("lamps") / "game.yaml").write_text(GAME)
    (Path("lamps") / "templates").mkdir()
    for name in ("lamp", "back"):
        text = LAMP if name == "lamp" else '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"/>'
        (Path("lamps") / "templates" / f"{name}.svg").write_text(text)


def drawn(where: str, folder: str = "lamps") -> list[str]:
    result = kotc("png", folder, "-o", "png", "--dpi", 72, "--where", where)
    assert result.exit_code == 0, result.stderr
    return sorted(path.stem for path in Path("png").iterdir())


def refusal(*arguments: object) -> str:
    result = kotc(*arguments)
    assert result.exit_code == 2, result.output
    return result.stderr.partition("Error: Invalid value for --where: ")[2].rstrip("\n")


@pytest.mark.parametrize(
    ("where", "cards"),
    [
        ("rarity == 'rare' and cost < 3", ["wick"]),
        ("rarity == 'rare'", ["dark", "soot", "wick"]),
        ("'tin' in tags", ["wick"]),
        ("worth > 2", ["oil"]),
        ("id in ['oil', 'soot']", ["oil", "soot"]),
        ("cost", ["oil", "soot", "wick"]),
        ("cost is none or cost > 4", ["dark", "soot"]),
    ],
)
def test_cards_of_another_game_are_chosen_by_their_fields(where: str, cards: list[str]) -> None:
    assert drawn(where) == cards


@pytest.mark.parametrize(
    ("where", "cards"),
    [
        ("kind == 'spell' or level > 3", ["dawn", "ox"]),
        ("sp > 2", ["ox"]),
        ("'Draw' in text", ["dawn", "rules"]),
        ("edition == 17 and copies == 2", ["ox"]),
    ],
)
def test_cards_of_the_game_are_chosen_by_their_numbers_and_words(where: str, cards: list[str]) -> None:
    if " or " in where:
        where = where.replace("level >", "level is not none and level >")
    assert drawn(where, "zoo") == cards


def test_every_command_that_makes_something_of_cards_takes_the_same_cards() -> None:
    where = ("--where", "level > 1")
    assert kotc("pdf", "zoo", "-o", "s.pdf", *where).exit_code == 0
    assert sorted(name for name, *_ in ticket(Path("s.pdf"))["cards"]) == ["dawn", "ox"]
    assert kotc("export", "zoo", "--to", "z.csv", *where).exit_code == 0
    assert [row["name"] for row in csv.DictReader(Path("z.csv").read_text("utf-8-sig").splitlines())] == ["Ox", "Dawn"]
    assert kotc("table", "zoo", "--for", "folder", "-o", "t", *where).exit_code == 0
    assert {path.name for path in Path("t").iterdir()} >= {"ox.png", "dawn.png"} and not Path("t/ant.png").exists()
    assert kotc("shop", "x-4", "zoo", "-o", "x", *where).exit_code == 0
    assert "3 cards of a sheet" in kotc("cut", "zoo", "--sheet", 1, "-o", "c.svg", *where).stderr


@pytest.mark.parametrize("chosen", [("--where", "level > 3"), ("--card", "ox"), ("--kind", "tip"), "zoo/cards.yaml"])
def test_sheets_of_some_cards_lie_beside_those_of_all(chosen: tuple[str, str] | str) -> None:
    assert kotc("pdf", "zoo").exit_code == 0
    whole = Path("out/zoo/sheets.pdf").read_bytes()
    assert kotc("pdf", *([chosen] if isinstance(chosen, str) else ["zoo", *chosen])).exit_code == 0
    assert Path("out/zoo/sheets.pdf").read_bytes() == whole
    assert Path("out/zoo/chosen.pdf").is_file()


def test_a_choice_by_values_narrows_that_by_kind_and_id() -> None:
    result = kotc("png", "zoo", "-o", "png", "--dpi", 72, "--kind", "minion", "--where", "sp > 2")
    assert (result.exit_code, [path.stem for path in Path("png").iterdir()]) == (0, ["ox"])


def test_only_cards_that_fit_are_checked() -> None:
    write_set(Path("zoo"), ZOO.replace("level: 1", "level: 9"))
    assert "level" in kotc("check", "zoo").stdout
    result = kotc("check", "zoo", "--where", "kind == 'tip'")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "1 card checked: nothing to report\n")


def test_an_error_in_a_card_is_told_whatever_is_chosen() -> None:
    write_set(Path("zoo"), ZOO.replace("hp: 2", "hp: two"))
    for command in (("check",), ("png", "--dpi", 72)):
        result = kotc(*command, "zoo", "--where", "kind == 'tip'")
        assert (result.exit_code, "found `two`" in result.output) == (1, True)
    write_set(Path("zoo"), "- {name: Ant, kind: minoin}\n")
    assert "found `minoin`" in kotc("check", "zoo", "--where", "kind == 'tip'").output


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (
            "level = 3",
            "`=` does not compare: write `==`\n    level = 3\n          ^",
        ),
        ("level <", "something is missing behind `<`: write what follows it\n    level <\n          ^"),
        ("", "expected an expression, found nothing"),
        ("{{ level }}", "it stands in braces: write the expression without `{{ }}`"),
    ],
)
def test_a_slip_in_the_expression_is_shown_at_its_sign(where: str, said: str) -> None:
    assert refusal("png", "zoo", "--where", where) == said


@pytest.mark.parametrize("command", ["png", "check"])
def test_a_name_that_no_card_has_is_told_with_those_that_there_are(command: str) -> None:
    said = refusal(command, "lamps", "--where", "rarity == 'rare' and csot < 3")
    head, *rest = said.split("\n")
    assert head.startswith("nothing is called `csot`: did you mean `cost`?; cards have `id`, `name`, ")
    assert rest == ["    rarity == 'rare' and csot < 3", "                         ^^^^"]
    assert "write names without `card.`" in refusal(command, "lamps", "--where", "card.cost < 3")


def test_a_text_without_quotes_is_told_if_a_card_has_it() -> None:
    said = "`rare` is a text: write it in quotes: `'rare'`\n    rarity == rare\n              ^^^^"
    assert refusal("png", "lamps", "--where", "rarity == rare") == said


def test_a_part_of_a_text_is_asked_for_by_in() -> None:
    assert "asked by `in`: `'Night' in name`" in refusal("png", "lamps", "--where", "name contains 'oil'")


@pytest.mark.parametrize("command", ["png", "pdf", "check", "cut"])
def test_that_no_card_fits_is_told_with_what_the_cards_say(command: str) -> None:
    said = refusal(command, "lamps", "--where", "rarity == 'mythic' or 0 < copies < 1")
    assert said == (
        "no card fits `rarity == 'mythic' or 0 < copies < 1`: `copies` is 1 to 3; `rarity` is `common`, `rare`"
    )


def test_a_number_that_may_be_missing_has_to_be_asked_for_where_its_card_could_fit_all_the_same() -> None:
    assert refusal("png", "lamps", "--where", "cost < 2 or rarity == 'rare'") == (
        "it stops for the card `dark`: `<` cannot be used between none and a number: ask first whether"
        " `cost is not none`"
    )


def test_blank_cards_have_no_values() -> None:
    result = kotc("png", "zoo", "--blank", "minion", "--where", "level > 1")
    assert (result.exit_code, "leave out --where" in words(result.stderr)) == (2, True)


def test_a_whole_set_is_built_so_build_has_no_such_option() -> None:
    assert "`--where` is an option of" in words(kotc("build", "zoo", "--where", "level > 1").stderr)

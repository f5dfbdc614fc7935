"""`kotc init --game new`: a game that is checked and built at once, or one that fits a table of cards."""

from pathlib import Path

import pytest

from render.base.findings import Severity
from render.game.declared.game import DeclaredGame
from render.game.declared.reading.field_keys import FieldType
from render.game.sets.named_games import game_in_folder
from render.game.sources import check_sets, load_sets
from tests.support.messages import words
from tests.support.sets import kotc
from tests.support.table_files import xlsx, xlsx_row

BEASTS = """\
Title,Rarity,Cost,Attack Power,Species,Rules,Qty,Legendary,Picture,# mine
Ash Wolf,common,{1}{F},3,Wolf,"When it attacks, draw a card.
**Pack:** it gets {F}.",3,FALSE,art/wolf.svg,a
Ember Crow,common,{F},1,Bird,Flying,2,FALSE,,b
Old King,rare,{3}{F}{F},-7,Human,Choose a card.,1,TRUE,,c
Wall,common,{1},0,,,4,FALSE,,
"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10" fill="red"/></svg>'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def begin(folder: str, *arguments: object) -> str:
    result = kotc("init", folder, "--game", "new", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stderr


def game_in(folder: str) -> DeclaredGame:
    game, findings = game_in_folder(Path(folder))
    assert isinstance(game, DeclaredGame), findings
    return game


def types(folder: str) -> dict[str, FieldType]:
    return {each.name: each.type for each in game_in(folder).rules.fields if not each.value}


def built(folder: str) -> list[str]:
    result = kotc("build", folder)
    assert result.exit_code == 0, result.stderr
    return sorted(path.stem for path in Path("out", folder, "png").iterdir())


def test_a_new_game_is_checked_built_and_proved_at_once_without_a_warning() -> None:
    begin("moon-market")
    assert check_sets("moon-market").findings == ()
    assert game_in("moon-market").kinds == ("ally", "event")
    assert built("moon-market") == ["lantern-fox", "quiet-harvest", "tide-caller"]
    assert kotc("verify", "out/moon-market/sheets.pdf", "--set", "moon-market").exit_code == 0


def test_a_new_game_takes_new_cards() -> None:
    begin("moon-market", "--name", 'It\'s: a "market"')
    assert kotc("new", "event", "Flood", "suit=sea", "--to", "moon-market").exit_code == 0
    (card_set,) = load_sets("moon-market")
    assert (card_set.name, len(card_set.cards)) == ('It\'s: a "market"', 4)


def test_a_table_becomes_the_cards_of_a_game_whose_fields_are_its_columns() -> None:
    Path("art").mkdir()
    Path("art/wolf.svg").write_text(PICTURE)
    Path("beasts.csv").write_text(BEASTS)
    assert "beasts/beasts.csv\n" in begin("beasts", "--from", "beasts.csv")
    assert types("beasts") == {
        "rarity": FieldType.CHOICE, "cost": FieldType.ICONS, "attack_power": FieldType.NUMBER,
        "species": FieldType.LINE, "rules": FieldType.RICH, "legendary": FieldType.FLAG,
    }  # fmt: skip
    assert Path("beasts/beasts.csv").read_text() == BEASTS
    assert check_sets("beasts").findings == ()  # T014 would say that a template shows no such field
    (card_set,) = load_sets("beasts")
    assert {card.name: card.copies for card in card_set.cards} == {
        "Ash Wolf": 3, "Ember Crow": 2, "Old King": 1, "Wall": 4,
    }  # fmt: skip
    assert card_set.cards[0].main_picture == "art/wolf.svg"
    assert built("beasts") == ["ash-wolf", "ember-crow", "old-king", "wall"]


def test_a_column_that_is_not_quite_rich_text_says_why() -> None:
    Path("t.csv").write_text("name,rules\nWolf,{T}: Howl.\nOx,[red: Rest.]\n")
    begin("t", "--from", "t.csv")
    assert "  rules: {type: text}  # not `rich`: there is no color `red`\n" in Path("t/game.yaml").read_text()


@pytest.mark.parametrize("heading", ["Qty", "Quantity", "Duplication", "duplicates"])
def test_copies_have_the_headings_of_other_tools(heading: str) -> None:
    Path("t.csv").write_text(f"Name,{heading}\nWolf,3\nOx,2\n")
    begin("t", "--from", "t.csv")
    (card_set,) = load_sets("t")
    assert [card.copies for card in card_set.cards] == [3, 2]


@pytest.mark.parametrize(
    ("headings", "picture"), [("Bild,Tide", "art/a.svg"), ("Logo,image", "art/b.svg"), ("back,Bild", "art/b.svg")]
)
def test_a_column_of_pictures_is_known_by_its_heading_or_its_cells(headings: str, picture: str) -> None:
    Path("art").mkdir()
    for name in ("a", "b"):
        Path(f"art/{name}.svg").write_text(PICTURE)
    Path("t.csv").write_text(f"name,{headings}\nWolf,art/a.svg,art/b.svg\n")
    begin("t", "--from", "t.csv")
    (card_set,) = load_sets("t")
    assert card_set.cards[0].main_picture == picture


def test_columns_in_another_language_are_its_words() -> None:
    Path("t.csv").write_text("Title,Title.de,Long Text,Long Text.de,v1.5\nWolf,Der Wolf,Howl.,Heul.,a\nOx,,Rest.,,b\n")
    begin("t", "--from", "t.csv")
    assert "languages: [en, de]" in Path("t/set.yaml").read_text()
    (card_set,) = load_sets("t", "de")
    wolf = card_set.cards[0]
    assert (wolf.name, dict(wolf.values)["long_text"]) == ("Der Wolf", "Heul.")  # type: ignore[attr-defined] # of a game in YAML
    assert set(types("t")) == {"long_text", "v1_5"}


def test_a_workbook_will_do_and_its_kinds_are_those_of_the_game() -> None:
    rows = [xlsx_row("name", "kind", "power"), xlsx_row("Fox", "beast", "3"), xlsx_row("Fog", "weather", "")]
    Path("w.xlsx").write_bytes(xlsx(rows))
    begin("w", "--from", "w.xlsx")
    assert (game_in("w").kinds, types("w")) == (("beast", "weather"), {"power": FieldType.NUMBER})
    assert check_sets("w").findings == ()
    assert built("w") == ["fog", "fox"]


def test_a_table_in_the_folder_of_the_set_stays_where_it_is() -> None:
    Path("beasts").mkdir()
    Path("beasts/beasts.csv").write_text(BEASTS.replace("art/wolf.svg", ""))
    begin("beasts", "--from", "beasts/beasts.csv")
    assert built("beasts") == ["ash-wolf", "ember-crow", "old-king", "wall"]


@pytest.mark.parametrize(
    "heading",
    ["items", "set", "Back", "frame_color", "draft", "Wert %", "{% raw %}", "{{ x }}", "a & b < c", "技", "$name", "2nd",
     "x: y", "Long heading, longer than the name of any field may be"],
)  # fmt: skip
def test_any_heading_becomes_a_field_that_the_template_shows(heading: str) -> None:
    Path("t.csv").write_text(f'name,"{heading}",power\nAnt,one,1\nBee,two,2\n', encoding="utf-8")
    begin("t", "--from", "t.csv")
    assert [each.message for each in check_sets("t").findings] == []
    assert len(types("t")) == 2


def test_a_column_of_kinds_that_cannot_be_some_is_a_field() -> None:
    for cells in (("beast", ""), ("back", "frame"), ("Beast", "Rock"), ("none", "true")):
        Path("t.csv").write_text("name,kind\n" + "".join(f"card {n},{kind}\n" for n, kind in enumerate(cells)))
        begin("-".join(("t", *cells)), "--from", "t.csv")
        assert check_sets("-".join(("t", *cells))).findings == ()
        assert list(types("-".join(("t", *cells)))) == ["kind_1"]


def test_no_picture_comes_from_elsewhere(tmp_path: Path) -> None:
    Path("in").mkdir()
    Path("secret.png").write_text("hidden")
    Path("in/link.png").symlink_to("../secret.png")
    absolute = tmp_path / "secret.png"
    Path("in/t.csv").write_text(f"name,art\nA,link.png\nB,../secret.png\nC,{absolute}\n")
    begin("t", "--from", "in/t.csv")
    assert list(Path("t").rglob("*.png")) == []


@pytest.mark.parametrize("text", ["a {b c} **x", "[x: y] {Z}", "\\", "{% x %}", "<b>&", "{}", "*", "---"])
def test_any_text_in_a_cell_is_printed(text: str) -> None:
    Path("t.csv").write_text(f'name,rules\nAnt,"{text} and more words so that it is a long text of sixty characters"\n')
    begin("t", "--from", "t.csv")
    assert [each.message for each in check_sets("t").findings if each.severity is Severity.ERROR] == []


def test_a_table_of_many_long_columns_fits_its_cards() -> None:
    heads = ",".join(f"value {number}" for number in range(14))
    numbers = ",".join(str(number) for number in range(14))
    Path("t.csv").write_text(f"name,flavor,rules,{heads}\nAnt,{'so it goes ' * 10},{'draw a card ' * 20},{numbers}\n")
    begin("t", "--from", "t.csv")
    assert [each.message for each in check_sets("t").findings] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "t.csv"), "no column of `t.csv` can be the names of cards"),
        (("--from", "empty.csv"), "`empty.csv` has no cards"),
        (("--from", "formula.csv"), "formula.csv, cell B2: error: the cell holds the formula `=1`"),
        (("--from", "no.csv"), "`no.csv` does not exist"),
        (("--edition", "3"), "leave out --edition"),
    ],
)
def test_what_cannot_begin_a_game_is_said_and_nothing_is_written(arguments: tuple[str, ...], said: str) -> None:
    Path("t.csv").write_text("cost\n1\n1\n")
    Path("empty.csv").write_text("name,cost\n")
    Path("formula.csv").write_text("name,cost\nAnt,=1\n")
    result = kotc("init", "new-one", "--game", "new", *arguments)
    assert (result.exit_code in (1, 2), said in words(result.stderr)) == (True, True), result.stderr
    assert not Path("new-one").exists()


def test_a_table_needs_a_new_game_and_a_new_game_a_folder_without_other_cards() -> None:
    Path("t.csv").write_text(BEASTS)
    assert "give --game new" in words(kotc("init", "s", "--from", "t.csv").stderr)
    Path("s").mkdir()
    Path("s/cards.csv").write_text(BEASTS)
    said = words(kotc("init", "s", "--game", "new").stderr)
    assert "`s` has cards already: `cards.csv`" in said and "--from s/cards.csv" in said
    assert [path.name for path in Path("s").iterdir()] == ["cards.csv"]

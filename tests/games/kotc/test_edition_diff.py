"""What changed between editions, which cards that touches, and how the file of a new edition begins."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from render.games.kotc.commands.edition import edition
from render.games.kotc.editions.differences import ComponentChange, ValueChange, compare_editions
from render.games.kotc.editions.finding import SHIPPED, find
from render.games.kotc.editions.reading import read
from render.games.kotc.model.edition import Component, Role
from render.games.kotc.model.formula import parse
from tests.support.messages import words
from tests.support.sets import write_set

pytestmark = pytest.mark.usefixtures("in_empty_folder")


def kotc_edition(*arguments: str) -> Result:
    return CliRunner().invoke(edition, list(arguments), catch_exceptions=False)


def test_an_edition_does_not_differ_from_itself() -> None:
    assert compare_editions(find(17), find(17)).is_empty
    assert kotc_edition("diff", "17", "17").stdout == "17th to 17th Edition\n  nothing is different\n"


def test_a_text_is_followed_through_the_rewordings_of_the_rulebook() -> None:
    changes = compare_editions(find(15), find(16)).components
    became = {change.old.text: change.new.text for change in changes if change.old and change.new}
    assert became["Target up to {x} of your resources"] == "Target up to {x} cards in your granary"
    assert became["self-bury {x} in-play cards"] == "self-bury {x} on-field minions"


def test_a_text_that_only_looks_alike_is_called_so() -> None:
    change = next(each for each in compare_editions(find(15), find(16)).components if each.is_alike)
    assert change.old is not None
    assert change.new is not None
    assert (change.old.text, change.new.text) == (
        "remove up to {x} counters from each target", "remove up to {x} counters on each target",
    )  # fmt: skip


def test_what_becomes_of_a_component() -> None:
    old, cheap, new = (Component(role=Role.COST, text=text, level=parse("x")) for text in ("pay {x}", "pay {x}", "sow"))
    assert ComponentChange(old, None).kind == "removed"
    assert ComponentChange(None, new).kind == "added"
    assert ComponentChange(old, new).kind == "reworded"
    assert ComponentChange(old, replace(cheap, level=parse("x/2"))).kind == "repriced"
    assert ComponentChange(old, replace(new, ultra_points=1)).kind == "reworded and repriced"


def test_figures_of_levels_decks_and_clean_slates() -> None:
    values = compare_editions(find(12), find(13)).values
    assert values == (
        ValueChange("grammar.verdict", "banned", "pruned"),
        ValueChange("clean_slate", "12", "13"),
        ValueChange("levels.hp_share", "1/5", "1/2"),
    )
    assert compare_editions(find(16), find(17)).values == (ValueChange("deck.ultra_points", "", "10"),)


CARDS = """\
- {name: Silo, kind: spell, level: 3, text: "Target 1 on-field minion; silo it."}
- {name: Draw, kind: spell, level: 2, text: "Draw 1 card."}
- {name: Hurt, kind: minion, level: 9, sp: 4, hp: 4, text: "OW: When this on-field minion is damaged: Draw 1 card."}
- {name: Late, kind: spell, edition: 17, level: 2, text: "Draw 1 card."}
"""


def test_a_card_is_touched_by_what_its_own_text_has(tmp_path: Path) -> None:
    write_set(tmp_path / "mine", CARDS, "name: Mine\nedition: 16\n")
    assert kotc_edition("diff", "16", "17", "mine").stdout.partition("\n\n")[2].rstrip("\n") == words("""
        mine: 1 of 3 cards of the 16th Edition touched
          hurt: reworded: When this on-field minion is damaged
                reworded: When this on-field minion is damaged:
    """)


def test_a_clean_slate_and_a_share_of_the_hp_touch_every_card(tmp_path: Path) -> None:
    write_set(tmp_path / "mine", CARDS.replace("on-field minion", "in-play card"), "name: Mine\nedition: 12\n")
    shown = json.loads(kotc_edition("diff", "12", "13", "mine", "--format", "json").stdout)
    assert [(each["card"], each["reasons"]) for each in shown["sets"][0]["cards"]] == [
        ("silo", ["clean_slate"]),
        ("draw", ["clean_slate", "repriced: draw {x} cards"]),
        ("hurt", ["clean_slate", "repriced: draw {x} cards", "levels.hp_share"]),
    ]


def test_the_json_has_every_figure_as_its_file_does() -> None:
    shown = json.loads(kotc_edition("diff", "16", "17", "--format", "json").stdout)
    assert {"old", "new", "values", "components", "added", "removed", "sets"} == set(shown)
    paid = next(each for each in shown["components"] if each["new"] and each["new"]["text"] == "pay {x} HP")
    assert paid == {
        "list": "costs",
        "change": "added",
        "alike": False,
        "old": None,
        "new": {"text": "pay {x} HP", "level": "x/4", "ultra_points": "1"},
    }


def test_a_new_edition_begins_as_the_last_one() -> None:
    result = kotc_edition("new", "18")
    assert (result.exit_code, result.stdout) == (0, "")
    file = Path("editions/18.yaml")
    assert read(file) == replace(read(SHIPPED / "17.yaml"), number=18)
    assert file.read_text(encoding="utf-8").startswith(
        "# Rules of the 18th Edition of Keeper of the Cards.\n#\n# Begun from the 17th Edition: nothing of the 18th is"
    )
    assert compare_editions(find(17), find(18)).is_empty


@pytest.mark.parametrize("there", ["file", "link to nothing"])
def test_a_new_edition_never_overwrites(there: str) -> None:
    file = Path("editions/18.yaml")
    file.parent.mkdir()
    if there == "file":
        file.write_text("mine\n", encoding="utf-8")
    else:
        file.symlink_to("elsewhere.yaml")
    result = kotc_edition("new", "18")
    assert result.exit_code == 1
    said = result.stderr.rstrip("\n").replace("\\", "/").splitlines()
    assert said[0] == "editions/18.yaml:1:1: error: `editions/18.yaml` is there already [D041]"
    assert said[-2:] == ["  hint: change it, or move it away", "1 error"]
    assert file.is_symlink() or file.read_text(encoding="utf-8") == "mine\n"
    assert not Path("editions/elsewhere.yaml").exists()


def test_a_new_edition_does_not_take_the_place_of_installed_rules() -> None:
    result = kotc_edition("new", "17")
    assert result.exit_code == 1
    assert "17.yaml:1:1: error: there are rules of the 17th Edition already [D041]" in result.stderr
    assert not Path("editions").exists()


def test_there_is_nothing_to_begin_the_first_edition_from() -> None:
    result = kotc_edition("new", "3")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (1, "error: there is no edition before the 3rd [D042]")
    assert not Path("editions").exists()

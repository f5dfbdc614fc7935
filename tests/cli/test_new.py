"""`kotc new`: a card goes into a file as its author would write it, and everything else in the file stays."""

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from render.game import registry
from render.game.authoring.card_text import with_card
from render.game.authoring.pictures import loose_pictures
from render.game.sets import set_reader
from render.game.sources import load_sets
from tests.games.quartet.game import GAME as QUARTET
from tests.support.sets import kotc, write_set

WOLF = "- {name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}\n"
HAMMER = "- name: Storm Hammer\n  kind: minion\n  level: auto\n  sp: 1\n  hp: 1\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder of a set with one card."""
    write_set(tmp_path / "mine", WOLF)
    monkeypatch.chdir(tmp_path / "mine")


def card_file(text: str) -> Path:
    file = Path("cards.yaml")
    file.write_bytes(text.encode())
    return file


def picture(name: str | Path, color: str = "red") -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Image.new("RGB", (800, 800), color).save(name, "PNG")


def test_what_it_writes_and_says() -> None:
    result = kotc("new", "minion", "Storm Hammer")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "Storm Hammer: a new minion in cards.yaml:2\n"
        "  write its text and numbers there, and save\n"
        "next:\n"
        "  kotc preview\n"
        "  kotc build\n"
    )
    assert Path("cards.yaml").read_text(encoding="utf-8") == WOLF + HAMMER


@pytest.mark.parametrize(
    ("before", "added"),
    [
        ("", HAMMER),
        ("# My cards.\n", HAMMER),
        ("---\n# My cards.\n\n", HAMMER),
        ("# My cards.", "\n" + HAMMER),
        (WOLF.rstrip("\n"), "\n" + HAMMER),
        (WOLF + "\n\n", HAMMER),
        (WOLF + "# the end\n", HAMMER),
        ("\ufeff" + WOLF, HAMMER),
        (WOLF.replace("\n", "\r\n"), HAMMER.replace("\n", "\r\n")),
        (
            "  - name: Wolf\n    kind: tip\n    text: |\n      Two\n      lines\n",
            "".join(f"  {line}\n" for line in HAMMER.splitlines()),
        ),
        (
            "-   name: Wolf\n    kind: tip\n    text: Go.",
            "\n" + HAMMER.replace("- ", "-   ").replace("\n  ", "\n    "),
        ),
        ("-\n  name: Wolf\n  kind: tip\n  text: Go.\n", HAMMER),
        ("- {name: A, kind: tip, text: a}\n\n- {name: B, kind: tip, text: b}\n", "\n" + HAMMER),
        ("- {name: A, kind: tip, text: a}\n# B\n- {name: B, kind: tip, text: b}\n", HAMMER),
        ("- {name: A, kind: tip, text: a}\n\n# B\n- {name: B, kind: tip, text: b}\n", "\n" + HAMMER),
    ],
)
def test_everything_else_in_the_file_stays(before: str, added: str) -> None:
    file = card_file(before)
    assert kotc("new", "minion", "Storm Hammer").exit_code == 0
    assert file.read_bytes().decode() == before + added
    assert kotc("check").exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "[{name: Wolf, kind: tip, text: Go.}]\n",
        "name: Wolf\nkind: tip\ntext: Go.\n",
    ],
)
def test_a_file_that_is_no_list_of_cards_stays_as_it_is(text: str) -> None:
    file = card_file(text)
    result = kotc("new", "minion", "Storm Hammer", "--to", file)
    assert (result.exit_code, file.read_bytes().decode()) == (1, text)
    assert result.stderr.startswith(
        "error: `cards.yaml` is no list of cards, each behind a dash, so no card can be added to it [S025]\n"
    )


def test_a_card_goes_before_the_end_that_a_file_names() -> None:
    file = card_file(WOLF + "...\n# the end\n")
    assert kotc("new", "minion", "Storm Hammer").exit_code == 0
    assert file.read_text(encoding="utf-8") == f"{WOLF}{HAMMER}...\n# the end\n"


def test_cards_that_are_added_at_once_are_all_there() -> None:
    start = [sys.executable, "-m", "render", "new", "minion"]
    at_once = [subprocess.Popen([*start, f"Hammer {number}"], stderr=subprocess.DEVNULL) for number in range(3)]
    assert [each.wait() for each in at_once] == [0, 0, 0]
    (card_set,) = load_sets(".")
    assert sorted(card.id for card in card_set.cards) == ["hammer-0", "hammer-1", "hammer-2", "wolf"]


def test_a_file_that_its_author_protected_stays_as_it_is() -> None:
    card_file(WOLF).chmod(0o444)
    result = kotc("new", "minion", "Storm Hammer")
    assert (result.exit_code, Path("cards.yaml").read_text(encoding="utf-8")) == (3, WOLF)
    assert "the file is read-only: nothing was written; let it change with `chmod u+w cards.yaml`" in result.stderr


def test_where_each_card_has_a_file_a_new_one_gets_its_own() -> None:
    card_file("name: Wolf\nkind: tip\ntext: Go.\n")
    kotc("new", "minion", "Storm Hammer")
    assert Path("storm-hammer.yaml").read_text(encoding="utf-8") == HAMMER.replace("- ", "").replace("\n  ", "\n")
    assert kotc("check").exit_code == 0


def test_a_card_goes_where_cards_of_its_kind_are() -> None:
    Path("spells.yaml").write_text("- {name: Nap, kind: spell, level: 2, text: Draw 1 card.}\n", encoding="utf-8")
    assert "in spells.yaml:2\n" in kotc("new", "spell", "Rest").stderr
    assert "in cards.yaml:2\n" in kotc("new", "minion", "Cat").stderr
    assert "in cards.yaml:7\n" in kotc("new", "pawn", "Mouse").stderr


def test_a_file_that_is_named_is_made() -> None:
    assert "in more.yaml:1\n" in kotc("new", "minion", "Cat", "--to", "more.yaml").stderr


@pytest.mark.parametrize(
    "name",
    [
        "Agent #7", "Cat: Nap", "yes", "No", "12", "1e3", "0x1F", "2026-11-22", "null", "~", "- x", "? y", "'It's",
        '"Quoted"', "{a}", "[b]", "*woof*", "&c", "!d", "%e", "@f", "`g`", "| h", "> i", "a: b # c", "C:\\temp",
        "100% dog", " leading", "trailing ", "two  spaces", "Café → ★", "a,b", "-", "---", "...", "=", "<<",
    ],
)  # fmt: skip
def test_every_name_is_written_so_that_it_is_read_back(name: str) -> None:
    made = with_card("", Path("cards.yaml"), {"name": name, "kind": "tip", "text": name})
    assert made is not None
    assert kotc("new", "--", "tip", name, "text=Go.").exit_code == 0
    (card_set,) = load_sets("cards.yaml")
    assert card_set.cards[-1].name == name.strip()


def test_names_by_chance_are_read_back() -> None:
    random = Random(13)
    for _ in range(300):
        name = "".join(random.choice("ab: #-'\"{}[]*&!%@`|>\\,~é→0.") for _ in range(random.randint(1, 12)))
        assert with_card(WOLF, Path("cards.yaml"), {"name": name, "kind": "tip"}) is not None, name


def test_keys_stand_in_the_order_of_authors() -> None:
    kotc("new", "minion", "Cat", "copies=2", "flavor=Purr: purr.", "hp=4", "text=PURR: Draw 1 card.", "id=tom")
    assert Path("cards.yaml").read_text(encoding="utf-8").removeprefix(WOLF) == (
        "- id: tom\n  name: Cat\n  kind: minion\n  level: auto\n  sp: 1\n  hp: 4\n"
        '  text: "PURR: Draw 1 card."\n  flavor: "Purr: purr."\n  copies: 2\n'
    )


@pytest.mark.parametrize("edition", range(9, 18))
def test_a_new_card_of_each_kind_is_sound_in_every_edition(edition: int) -> None:
    Path("set.yaml").write_text(f"name: Test\nedition: {edition}\n", encoding="utf-8")
    card_file("")
    for kind in ("creature" if edition < 12 else "minion", "spell", "pawn", "tip"):
        assert kotc("new", kind, f"My {kind}").exit_code == 0
    checked = kotc("check", "--strict")
    assert (checked.exit_code, checked.stderr) == (0, "4 cards checked: nothing to report\n")


def test_a_set_without_an_edition_gives_the_card_the_newest() -> None:
    Path("set.yaml").write_text("name: Test\n", encoding="utf-8")
    card_file("")
    kotc("new", "minion", "Cat")
    assert "  edition: 17\n" in Path("cards.yaml").read_text(encoding="utf-8")


def test_a_second_card_of_a_name_gets_an_id_of_its_own() -> None:
    assert kotc("new", "minion", "Wolf").stderr.startswith(
        "Wolf: a new minion in cards.yaml:2\n"
        "  its id is wolf-2, which names its files: another card has that of its name\n"
    )
    kotc("new", "minion", "Wolf")
    assert [card.id for card in load_sets(".")[0].cards] == ["wolf", "wolf-2", "wolf-3"]


def test_a_name_of_which_no_id_can_be_made_gets_one() -> None:
    kotc("new", "tip", "→ ★")
    kotc("new", "tip", "CON")
    assert [card.id for card in load_sets(".")[0].cards] == ["wolf", "tip", "tip-con"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["minoin", "Cat"], 2, "there is no kind `minoin`: did you mean `minion`?"),
        (["creature", "Cat"], 1, "error: the 17th Edition has no creatures [C008]"),
        (
            ["minion", "Cat", "sp=four"],
            1,
            "`sp`: expected a whole number from 0 to 9999, found `four` [C005]\n  hint: write `sp=4`",
        ),
        (["minion", "Cat", "levl=4"], 1, "error: unknown key `levl` [C002]"),
        (["minion", "Cat", "id=wolf"], 1, "error: two cards have the id `wolf`"),
        (["minion", "Cat", "Dog"], 2, "expected a key and its value such as `sp=4`, found `Dog`"),
        (["minion", "Cat", "sp=1", "sp=2"], 2, "`sp` is given twice"),
        (["minion", " "], 2, "expected printable characters, found ' '"),
        (["minion", "Cat\x07"], 2, "expected printable characters, found 'Cat\\x07'"),
        (["minion", "Cat", "--art", "cat.jpg"], 2, "Invalid value for --art: `cat.jpg` does not exist"),
        (["minion", "Cat", "--art", "cards.yml"], 2, "`cards.yml` does not exist: did you mean `cards.yaml`?"),
        (["minion", "Cat", "--art", "https://a.org/cat.jpg"], 2, "is an address: save the picture, and give its file"),
        (["Harbor Cat", "minion"], 2, "the kind comes first, as in `kotc new minion 'Harbor Cat'`"),
        (["minion", "Cat", "--art", "set.yaml"], 1, "error: the picture `set.yaml` is not a picture"),
    ],
)
def test_nothing_is_written_if_something_is_wrong(arguments: list[str], status: int, said: str) -> None:
    result = kotc("new", *arguments)
    assert result.exit_code == status
    assert said in result.stderr
    assert Path("cards.yaml").read_text(encoding="utf-8") == WOLF
    assert sorted(each.name for each in Path().iterdir()) == ["cards.yaml", "set.yaml"]


def test_of_several_sets_one_has_to_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path / "yours", WOLF)
    monkeypatch.chdir(tmp_path)
    assert "there are 2 sets: name one, such as --to mine or --to yours" in kotc("new", "minion", "Cat").stderr
    assert "next:\n  kotc preview yours\n" in kotc("new", "minion", "Cat", "--to", "yours").stderr


def test_a_mistake_elsewhere_in_the_set_does_not_stop_it() -> None:
    Path("broken.yaml").write_text("- {name: Dog, kind: minoin}\n", encoding="utf-8")
    assert kotc("new", "minion", "Cat").exit_code == 0


# --- pictures -------------------------------------------------------------------------------------------------------


def art() -> str | None:
    picture = load_sets(".")[0].cards[-1].art
    return picture.name if picture else None


def test_the_only_picture_that_no_card_uses_is_taken_along() -> None:
    picture("art/IMG_2041.png")
    assert "  its picture: art/IMG_2041.png\n" in kotc("new", "minion", "Storm Hammer").stderr
    assert art() == "art/IMG_2041.png"
    kotc("new", "minion", "Cat")
    assert art() is None


def test_of_several_the_one_of_the_name_is_taken_along() -> None:
    picture("art/Storm Hammer.png")
    picture("art/IMG_2041.png")
    kotc("new", "minion", "Storm Hammer")
    assert art() == "art/Storm Hammer.png"


def test_of_several_with_other_names_none_is_guessed() -> None:
    picture("art/one.png")
    picture("art/two.png")
    said = kotc("new", "minion", "Storm Hammer").stderr
    assert "without a picture: `art/one.png` and `art/two.png` are used by no card" in said
    assert art() is None


def test_a_picture_that_a_template_or_a_back_shows_is_not_taken() -> None:
    for name in ("art/logo.png", "art/back.png", "art/words.png"):
        picture(name)
    Path("templates").mkdir()
    Path("templates/other.svg").write_text('<svg><image href="art/logo.png"/></svg>', encoding="utf-8")
    Path("set.yaml").write_text("name: Test\nedition: 17\nback: art/back.png\n", encoding="utf-8")
    card_file("- {name: Wolf, kind: minion, level: 2, sp: 1, hp: 1, art: {file: ./art/../art/words.png}}\n")
    kotc("new", "minion", "Cat")
    assert art() is None


def test_a_picture_from_elsewhere_is_copied_into_the_set() -> None:
    picture("../IMG_2041.PNG")
    result = kotc("new", "minion", "Cat", "--art", "../IMG_2041.PNG")
    assert "  its picture: art/IMG_2041.PNG (a copy)\n" in result.stderr
    assert Path("art/IMG_2041.PNG").read_bytes() == Path("../IMG_2041.PNG").read_bytes()
    assert kotc("build").exit_code == 0


@pytest.mark.parametrize(("name", "copied"), [("con.png", "fox.png"), ("a:b.PNG", "fox.png"), ("WOLF.png", "fox.png")])
def test_a_copy_has_a_name_that_every_system_takes_for_its_own(name: str, copied: str, tmp_path: Path) -> None:
    write_set(Path(), "name: Wolf\nkind: pawn\nart: art/wolf.png\n")
    picture("art/wolf.png")
    picture(str(tmp_path / name), "blue")
    assert kotc("new", "pawn", "Fox", "--art", tmp_path / name).exit_code == 0
    assert {file.name for file in Path("art").iterdir()} == {"wolf.png", copied}


def test_no_card_gets_the_name_of_a_file_that_means_more() -> None:
    card_file("name: Wolf\nkind: pawn\n").rename("wolf.yaml")
    names = ("Set", "Game", "Deck", "Cards", "CON", "😀", "...", "WOLF", "Wo\u0308lf")
    for name in names:
        assert kotc("new", "pawn", name).exit_code == 0
    (card_set,) = load_sets(Path())
    assert sorted(card.name for card in card_set.cards) == sorted((*names[:-1], "W\u00f6lf", "Wolf"))
    assert not Path("game.yaml").exists()


@pytest.mark.parametrize("name", ["game.yaml", "Game.yaml"])
def test_no_new_file_of_cards_is_named_as_that_of_a_game(name: str) -> None:
    assert f"`{name}` is not for cards" in kotc("new", "pawn", "Fox", "--to", name).stderr
    assert not Path(name).exists()


def test_a_copy_overwrites_no_picture() -> None:
    picture("art/cat.png", "blue")
    before = Path("art/cat.png").read_bytes()
    picture("../cat.png")
    kotc("new", "minion", "Old Cat", "--art", "../cat.png")
    assert art() == "art/old-cat.png"
    kotc("new", "minion", "New Cat", "--art", "../cat.png")
    assert (art(), Path("art/cat.png").read_bytes()) == ("art/new-cat.png", before)
    kotc("new", "minion", "Blue Cat", "--art", "art/cat.png")
    assert art() == "art/cat.png"


@pytest.mark.parametrize(
    ("written", "is_used"),
    [
        ("art: art/cat.png", True),
        ("art: {file: art/cat.png, fit: cover}", True),
        ('art: "art/cat.png"', True),
        ("art:\n    file: art/cat.png  # a cat", True),
        ("art: ./art/../art/cat.png", True),
        ("art: art/CAT.png", True),
        ("# art: art/cat.png", False),
        ("art: art/bobcat.png", False),
        ("flavor: A cat.", False),
    ],
)
def test_which_pictures_are_used(written: str, is_used: bool) -> None:
    picture("art/cat.png")
    card_file(f"- name: Wolf\n  kind: minion\n  level: 2\n  sp: 1\n  hp: 1\n  {written}\n")
    assert loose_pictures(Path()) == ([] if is_used else ["art/cat.png"])


def test_pictures_with_odd_names_are_found_in_quotes() -> None:
    names = ["a #1.png", "it's.png", "café.png", "a, b.png", "a: b.png"]
    for name in names:
        picture(f"art/{name}")
        kotc("new", "minion", "Cat", "--art", f"art/{name}")
    assert loose_pictures(Path()) == []
    assert [card.art.name for card in load_sets(".")[0].cards if card.art] == [f"art/{name}" for name in names]


def test_pictures_that_templates_of_the_game_include_or_put_together_are_used(tmp_path: Path) -> None:
    files = {
        "game/game.yaml": "name: T\nfields: {suit: line, icon: {from: \"'art/' + suit + '-icon.png'\"}}\n",
        "game/templates/beast.svg": '{% include "parts/frame.svg" %}<image href="art/{{ card.suit }}.png"/>',
        "game/templates/parts/frame.svg": """<image href="art/gold.png"/><image href="{{ 'art/' ~ card.id ~ '.jpg' }}"/>""",
        "game/templates/back.svg": '{% for n in range(3) %}<image href="art/pip-{{ n }}.png"/>{% endfor %}',
        "set/set.yaml": "game: ../game\nname: T\n",
        "set/cards.yaml": "- {name: Old Dog, kind: beast, suit: cup}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    used = ("gold.png", "cup.png", "cup-icon.png", "old-dog.jpg", "pip-0.png")
    for name in (*used, "sword.png", "sword-icon.png", "old-cat.jpg", "silver.jpg"):
        picture(tmp_path / f"set/art/{name}")
    loose = ["art/old-cat.jpg", "art/silver.jpg", "art/sword-icon.png", "art/sword.png"]
    assert loose_pictures(tmp_path / "set") == loose


def test_check_tells_of_pictures_that_no_card_uses_and_counts_them_nowhere() -> None:
    picture("art/cat.png")
    result = kotc("check", "--strict")
    assert (result.exit_code, result.stdout, result.stderr) == (
        0,
        "",
        "1 card checked: nothing to report\nnote: no card uses `art/cat.png`; `kotc new` takes such a picture along\n",
    )
    assert kotc("check", "--format", "json").stdout == "[]\n"
    for number in range(8):
        picture(f"art/cat-{number}.png")
    assert "`art/cat-3.png`, `art/cat-4.png` and 4 more;" in kotc("check").stderr


# --- another game ---------------------------------------------------------------------------------------------------


def test_another_game_says_which_kinds_and_keys_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._GAMES, "quartet", QUARTET)
    write_set(Path("bears"), "- {name: Joker, kind: token}\n", "game: quartet\nname: Bears\n")
    assert kotc("new", "beast", "Brown Bear", "family=Bears", "weight=300", "--to", "bears").exit_code == 0
    assert (
        Path("bears/cards.yaml")
        .read_text(encoding="utf-8")
        .endswith("- name: Brown Bear\n  kind: beast\n  family: Bears\n  weight: 300\n")
    )
    assert "there are `beast` and `token`" in kotc("new", "minion", "Cat", "--to", "bears").stderr


@pytest.mark.parametrize("saves", [1, 100])
def test_what_is_saved_meanwhile_is_not_lost(saves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    file, read, left = card_file(WOLF), set_reader.read_set, iter(range(saves))

    def read_while_the_author_saves(*given: Any) -> Any:
        if (number := next(left, None)) is not None:
            file.write_text(f"{WOLF}# saved {number}\n", encoding="utf-8")
        return read(*given)

    monkeypatch.setattr(set_reader, "read_set", read_while_the_author_saves)
    result = kotc("new", "minion", "Storm Hammer")
    assert f"{WOLF}# saved " in file.read_text(encoding="utf-8")
    if saves == 1:
        assert result.exit_code == 0 and HAMMER in file.read_text(encoding="utf-8")
    else:
        assert result.exit_code == 3 and HAMMER not in file.read_text(encoding="utf-8")
        assert "it is changed again and again; run the command again [E001]" in result.stderr

"""Names of files and folders that mean something to somebody, or are no text at all, do no harm."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render.build.inputs import Labels
from render.game.file_names import folded, free_name, is_portable
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

POSIX = pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have names that are no text")
CARDS = (
    "- {name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}\n- {name: Fox, kind: spell, level: 2, text: Draw 1 card.}\n"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@POSIX
@pytest.mark.parametrize("name", ["<x>.yaml", "<fonts>.yaml", "<.yaml", "<templates>", "<", "a\nb.yaml", "-", "~"])
def test_a_file_may_have_the_name_of_an_internal_label(name: str) -> None:
    folder = with_plain_back(write_set(Path("s"), CARDS))
    (folder / "art").mkdir()
    path = folder / (name if name.endswith(".yaml") else f"{name}/cards.yaml")
    path.parent.mkdir(exist_ok=True)
    (folder / "cards.yaml").rename(folder / Path(name).name if name.endswith(".yaml") else folder / "c.yaml")
    first, second = kotc("build", "s"), kotc("build", "s")
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert "(3 written, 0 unchanged)" in first.stderr
    assert "(0 written, 3 unchanged)" in second.stderr


@POSIX
@pytest.mark.parametrize("name", ["<x>.yaml", "<fonts>/a.ttf", "<fonts>", "a/<b>", "<", "./<x>"])
def test_a_label_means_the_file_that_it_was_made_of(name: str) -> None:
    labels = Labels(Path("s"))
    file = Path("s") / name
    assert Path(labels.path(labels.label(file))).resolve() == file.resolve()
    assert labels.label(file).lstrip("./") == name.lstrip("./")


@POSIX
def test_names_that_are_no_utf_8_are_in_nobodys_way() -> None:
    name = os.fsdecode(b"s\xff")
    folder = with_plain_back(write_set(Path(name), CARDS, "name: T\nedition: 17\noutputs: [png, sheets, gallery]\n"))
    (folder / "cards.yaml").rename(folder / os.fsdecode(b"c\xfc.yaml"))
    for arguments in (
        ("check", name, "--format", "json"),
        ("build", name),
        ("build", name, "--verify"),
        ("pdf", name, "--out", f"{name}.pdf"),
        ("verify", f"{name}.pdf", "--set", name, "--format", "json"),
        ("preflight", f"{name}.pdf", "--as", "x-4"),
        ("table", name, "--for", "tabletop-simulator", "--out", "t"),
        ("migrate", name, "--to", "17", "--report", f"{name}.html"),
        ("upgrade", name, "--to", "17", "--dry-run", "--report", f"{name}.html"),
    ):
        assert kotc(*arguments).exit_code == (1 if arguments[0] == "preflight" else 0), arguments
    saved = json.loads(Path(f"t/{name}.json").read_bytes())
    assert os.fsencode(name) in os.fsencode(json.dumps(saved, ensure_ascii=False))


@pytest.mark.parametrize("second", ["Wolf!", "wolf", "WÖLF"])
def test_two_names_that_give_one_id_end_a_build_in_the_words_of_check(second: str) -> None:
    write_set(Path("s"), f"{CARDS}- {{name: '{second}', kind: pawn}}\n")
    checked, built = kotc("check", "s"), kotc("build", "s")
    assert "two cards have the id `wolf`, the first at s/cards.yaml:1:10 [C013]" in built.stderr.replace("\\", "/")
    assert (built.exit_code, built.stderr) == (1, f"{checked.stdout}1 error\n")


@pytest.mark.parametrize(
    ("wanted", "taken", "name"),
    [
        ("wolf", (), "wolf.yaml"),
        ("wolf", ("WOLF.yaml", "wolf-2.YAML"), "wolf-3.yaml"),
        ("caf\u00e9", ("cafe\u0301.yaml",), "caf\u00e9-2.yaml"),
        ("set", (), "set-card.yaml"),
        ("Game", (), "Game-card.yaml"),
        ("deck", ("deck-card.yaml",), "deck-card-2.yaml"),
        ("con", (), "card.yaml"),
        ("Aux.old", (), "aux-old.yaml"),
        ("COM\u00b9", (), "card.yaml"),
        ("a:b/c", (), "a-b-c.yaml"),
        ("..", (), "card.yaml"),
        ("-rf", (), "rf.yaml"),
        ("wolf ", (), "wolf.yaml"),
        ("\U0001f600\n", ("card.yaml",), "card-2.yaml"),
        ("x" * 300, (), f"{'x' * 64}.yaml"),
        ("x" * 64, (f"{'x' * 64}.yaml",), f"{'x' * 59}-2.yaml"),
    ],
)
def test_a_name_becomes_that_of_a_file_which_is_safe_free_and_means_nothing_else(
    wanted: str, taken: tuple[str, ...], name: str
) -> None:
    assert free_name(wanted, ".yaml", taken) == name


@settings(max_examples=30)
@given(st.text(), st.lists(st.text(max_size=3), max_size=4), st.sampled_from([".yaml", ".png"]))
def test_any_name_becomes_a_portable_one_that_no_system_takes_for_another(
    wanted: str, others: list[str], ending: str
) -> None:
    taken: list[str] = []
    for each in (wanted, *others, wanted, wanted.swapcase()):
        taken.append(free_name(each, ending, taken))
    assert all(map(is_portable, taken))
    assert len(set(map(folded, taken))) == len(taken)
    assert {"set.yaml", "game.yaml"}.isdisjoint(map(folded, taken))

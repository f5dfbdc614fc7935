"""Sets and paths that are wrong: exactly what their author reads."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from render.base.findings import as_text
from render.games.kotc.sets import survey
from tests.support.messages import SET, assert_says, said_of_card, said_of_set, words, write
from tests.support.pages import pages_of
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.systems import not_as_superuser, with_pipes

pytestmark = pytest.mark.usefixtures("in_empty_folder")

PAWN = "name: Soldier\nkind: pawn\n"


def said_of(*paths: str) -> str:
    return as_text(survey([Path(path) for path in paths])[1])


# --- set.yaml ---


SAID: dict[str, tuple[Any, ...]] = {
    "everything that can be wrong in a set": (
        PAWN,
        "nam: Starter\nedition: 17th\nred: no\nback: ../back.png\nsheet: {paper: a5, flip: long, dpi: 300}\n",
        [
            "s/set.yaml:1:1 S002 unknown key `nam` (did you mean `name`?)",
            "s/set.yaml:2:10 S005 expected a whole number from 1 to 999, found `17th` (write `edition: 17`)",
            "s/set.yaml:3:6 S007 expected `true` or `false`, found `no` (did you mean `false`?)",
            "s/set.yaml:4:7 S018 `../back.png` lies outside the set's folder (copy the picture into the set's folder)",
            "s/set.yaml:5:16 S007 expected `a4`, `a3`, `letter`, `legal`, `tabloid`, `sra3`, `sra4`, `arch-b`, `super-b` or a size such as `210x297`, found `a5`",
            "s/set.yaml:5:26 S007 expected `long-edge` or `short-edge`, found `long` (did you mean `long-edge`?)",
            "s/set.yaml:5:32 S002 unknown key `dpi` (did you mean `art_dpi`?)",
        ],
    ),
    "a set that is a list": (
        PAWN,
        "- name: Starter\n",
        [
            "s/set.yaml:1:1 S001 expected the keys of a set, found a list (a set begins with a line such as `name: Starter`)"
        ],
    ),
    "a set whose only file is an empty list": (
        "[]\n",
        ["s/set.yaml:1:1 S021 the set has no cards (write a card into a file such as `s/cards.yaml`)"],
    ),
    "an empty card file is named and the set is not called empty": (
        "",
        ["1:1 Y006 the file is empty (write a card, or remove the file)"],
    ),
}


@pytest.mark.parametrize("title", SAID)
def test_what_its_author_reads(title: str) -> None:
    *given, wanted = SAID[title]
    assert_says(said_of_card(*given), *wanted)


def test_a_back_that_lies_outside_is_said_once() -> None:
    write_set(Path("s"), "- {name: Ant, kind: pawn}\n", "name: T\nedition: 17\nback: ../back.png\n")
    result = kotc("check", "s")
    assert re.findall(r"`../back.png` lies outside the set's folder \[(\w+)\]", result.output) == ["S018"]
    assert result.output.endswith("1 error\n")


def test_a_broken_file_hides_nothing_that_is_wrong_in_the_others() -> None:
    said = said_of_set({"set.yaml": "name: a: b\n", "a.yaml": "name: @x\n", "b.yaml": "kind: pawn\nsp: x\n"})
    assert [line.split(": ", 1)[0] for line in said.split("\n") if "error:" in line] == [
        "s/a.yaml:1:1",
        "s/a.yaml:1:7",
        "s/b.yaml:1:1",
        "s/b.yaml:2:5",
        "s/set.yaml:1:7",
    ]


def test_cards_are_not_blamed_for_the_edition_of_a_broken_set() -> None:
    assert "S005" in (said := said_of_card(PAWN, "name: Starter\nedition: seventeen\n"))
    assert said.count("error:") == 1


@with_pipes
def test_a_pipe_and_a_folder_among_the_cards() -> None:
    write(Path("s"), {"set.yaml": SET, "card.yaml": PAWN})
    os.mkfifo("s/pipe.yaml")
    Path("s/folder.yml").mkdir()
    assert_says(
        said_of("s"),
        "s/folder.yml:1:1 Y002 `s/folder.yml` is a folder, not a file",
        "s/pipe.yaml:1:1 Y002 `s/pipe.yaml` is not a regular file",
    )


# --- paths ---


@pytest.mark.parametrize(
    ("files", "paths", "message", "hint"),
    [
        (
            ["cards/starter/set.yaml", "cards/starter/card.yaml"], "cards/startr",
            "there is no `cards/startr` [P001]", "did you mean `starter`?",
        ),
        (["s/storm.jpg"], "s/storm.jpg", "`s/storm.jpg` is neither a folder nor a card file [P002]", "card files end in `.yaml`"),
        ([], "x" * 300, f"cannot look into `{'x' * 300}`: file name too long [P003]", ""),
        *(
            (
                ["my-set/card.yaml"], path, "`my-set` has card files but no `set.yaml` [S020]",
                "create `my-set/set.yaml` with two lines, `name: My Set` and `edition: 17`",
            )
            for path in ("my-set", "my-set/card.yaml")
        ),
        (
            ["cards/notes.txt"], "cards",
            "there is no set in `cards`: neither the folder nor a subfolder has a `set.yaml` [S020]",
            "`kotc init cards` makes one there",
        ),
        (["s/set.yml", "s/card.yml"], "s", "`s` has no `set.yaml` [S020]", "rename its `set.yml` to `set.yaml`"),
        ([], "a b", "there is no `a` [P001]\nerror: there is no `b` [P001]", ""),
    ],
)  # fmt: skip
def test_a_path_that_means_no_set(files: list[str], paths: str, message: str, hint: str) -> None:
    for file in files:
        write(Path(file).parent, {Path(file).name: SET if "set.y" in file else PAWN})
    assert said_of(*paths.split()) == f"error: {message}" + (f"\n  hint: {hint}" if hint else "")


@not_as_superuser
def test_a_set_that_is_forbidden_is_named_and_the_others_are_read() -> None:
    for name in ("one", "two"):
        write(Path("cards") / name, {"set.yaml": SET, "card.yaml": PAWN})
    Path("cards/one").chmod(0o000)
    try:
        sets, findings = survey([Path("cards")])
    finally:
        Path("cards/one").chmod(0o700)
    assert [each.folder.name for each in sets] == ["two"]
    assert as_text(findings) == words("""
        error: cannot look into `cards/one`: permission denied [P003]
          hint: let your account read it: `chmod u+rwx cards/one`
    """)


def test_a_set_whose_file_ends_in_yml_is_not_passed_over_among_others() -> None:
    write(Path("cards/one"), {"set.yaml": SET, "card.yaml": PAWN})
    write(Path("cards/two"), {"set.yml": SET, "card.yml": PAWN})
    write(Path("cards/decks"), {"deck.yaml": "name: Of cards\n"})
    expected = words("""
        error: `cards/two` has no `set.yaml` [S020]
          hint: rename its `set.yml` to `set.yaml`
    """)
    assert said_of("cards") == expected
    (Path("cards/one") / "set.yaml").rename("cards/one.off")
    assert said_of("cards") == expected


# --- the table of codes ---


def test_every_code_is_explained_to_authors() -> None:
    reference = pages_of("cards")
    sources = [
        *(ROOT / "render/source").glob("*.py"),
        *(ROOT / "render/game").glob("*.py"),
        *(ROOT / "render/games/kotc").rglob("*.py"),
    ]
    code = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    numbers = set(re.findall(r'"(?:\{[\w.]+\})?(0\d\d)"', code))
    codes = set(re.findall(r'"([YCSPKVBDG]\d\d\d)"', code))
    shared = {f"{letter}{number}" for letter in "SBD" for number in re.findall(r"\| C(0[01]\d) ", reference)}
    assert {each for each in codes - shared if f"| {each} " not in reference} == set()
    assert {number for number in numbers if not re.search(rf"\| [CDBG]{number} ", reference)} == set()


def test_every_code_of_templates_and_prints_is_explained() -> None:
    explained = pages_of("cards", "templates", "out")
    code = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "render").rglob("*.py"))
    codes = set(re.findall(r'"([AEFILQRT]\d\d\d)"', code))
    assert len(codes) > 60
    assert {each for each in codes if not re.search(rf"\b{each}\b", explained)} == set()


# --- what is passed over ---


def test_a_folder_of_card_files_beside_sets_is_said_and_one_of_decks_is_not(tmp_path: Path) -> None:
    write_set(tmp_path / "a", "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}")
    for folder, written in (("dragons", "- {'kind': minion}\n"), ("decks", "name: D\nsets: [../a]\n"), ("old", "x\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.yaml").write_text(written, encoding="utf-8")
    assert kotc("check", tmp_path).stdout == (
        f"warning: `{tmp_path / 'dragons'}` has card files but no `set.yaml`, and is ignored [P005]\n"
        f"  hint: create `{tmp_path / 'dragons/set.yaml'}` with two lines, `name: Dragons` and `edition: 17`\n"
    )


def test_card_files_in_a_folder_of_a_set_are_said(tmp_path: Path) -> None:
    home = write_set(tmp_path / "a", "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}")
    for folder in ("more", ".old", "editions"):
        (home / folder).mkdir()
        words = "kind: minion\n" if folder != "editions" else "edition: 18\n"
        (home / folder / "x.yml").write_text(words, encoding="utf-8")
    said = f"`{home / 'more'}` has card files, but a set has them in its own folder: they are ignored [P005]\n"
    for command in ("check", "build"):
        result = kotc(command, home, *(("--out", tmp_path / "out") if command == "build" else ()))
        assert (result.exit_code, result.output.count("P005"), said in result.output) == (0, 1, True)


def test_a_template_whose_name_differs_from_ours_in_case_is_said(tmp_path: Path) -> None:
    home = write_set(tmp_path / "a", "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}")
    (home / "templates").mkdir()
    for name in ("Minion.svg", "templates/FRAME.svg", "Dragon.svg", "templates/spell.svg", "templates/Spell.svg"):
        (home / name).write_text('<svg width="63.5" height="88.9"/>', encoding="utf-8")
    assert kotc("check", home).stdout == (
        f"warning: `{home / 'Minion.svg'}` is ignored: its name must be exactly `minion.svg` [P006]\n"
        "  hint: rename it to `minion.svg`\n"
        f"warning: `{home / 'templates/FRAME.svg'}` is ignored: its name must be exactly `frame.svg` [P006]\n"
        "  hint: rename it to `frame.svg`\n"
    )


def test_a_folder_of_templates_whose_name_differs_in_case_is_said(tmp_path: Path) -> None:
    home = write_set(tmp_path / "a", "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}")
    (home / "Templates").mkdir()
    said = f"warning: `{home / 'Templates'}` is ignored: its name must be exactly `templates` [P006]"
    assert said in kotc("check", home).stdout


def test_a_set_whose_own_file_has_a_name_in_other_case_is_an_error(tmp_path: Path) -> None:
    home = write_set(tmp_path / "a", "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}")
    (home / "set.yaml").rename(home / "Set.YAML")
    assert kotc("check", tmp_path).stdout == (
        f"error: `{home}` has no `set.yaml` [S020]\n  hint: rename its `Set.YAML` to `set.yaml`\n"
    )


def test_a_path_whose_name_differs_in_case_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(tmp_path / "Cards/a", "{name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}")
    monkeypatch.chdir(tmp_path)
    said = "`Cards/a/CARDS.yaml` does not exist, but there is `cards.yaml` (mind upper and lower case)\n"
    assert kotc("check", "Cards/a/CARDS.yaml").stderr.endswith(f"Invalid value for PATH: {said}")
    assert "no folder `cards` here, but there is `Cards` (mind upper and lower case); " in kotc("check").stderr


# --- what a comment cuts off ---


def test_a_text_that_a_comment_cuts_off_is_said(tmp_path: Path) -> None:
    cards = """
    - name: Agent #7
      kind: spell
      level: 2
      text: Draw 1
        card #now.
      flavor: #blessed
    """
    result = kotc("check", write_set(tmp_path, cards, "name: T #1\nedition: 17\n"))
    said = re.findall(r"([\w.]+:\d+:\d+): (?:warning: )(.*)", result.stdout)
    cut = ": a space and `#` begin a comment [Y017]"
    assert said[:4] == [
        ("cards.yaml:2:15", f"`name` ends before `#7`{cut}"),
        ("cards.yaml:6:10", f"`text` ends before `#now.`{cut}"),
        ("cards.yaml:7:11", f"`flavor` is empty without `#blessed`{cut}"),
        ("set.yaml:1:9", f"`name` ends before `#1`{cut}"),
    ]
    comment = "if it is a comment, write a space behind the `#`"
    assert re.findall("hint: (.*)", result.stdout)[:4] == [
        f'write `name: "Agent #7"`; {comment}',
        f"put the whole value in quotes; {comment}",
        f'write `flavor: "#blessed"`; {comment}',
        f'write `name: "T #1"`; {comment}',
    ]


def test_a_comment_is_no_matter(tmp_path: Path) -> None:
    cards = """
    - name: Wolf  # my first card
      kind: minion #todo
      level: 2 #as printed
      sp: 1  # as printed
      hp: 1
      text: |  #keep
        # no comment, and #1 neither
        HOWL: Draw 1 card.
      flavor: "Howl #2."  #3
      credit: none #-----
    """
    found = kotc("check", write_set(tmp_path, cards)).stdout
    assert "Y017" not in found

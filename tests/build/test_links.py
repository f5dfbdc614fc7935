"""No link leads out of a set or its outputs: nothing is read, written, replaced or removed through one."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from render.base.caches import clear_caches
from render.base.files import replace_file
from render.base.reach import LinkError
from render.build import manifest, session
from render.build.manifest import Manifest, OutputRecord, note_output
from render.games.kotc.workshop.migration import transition
from render.games.kotc.workshop.migration.transition import Before
from tests.support.builds import tree
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

SET = "name: Test\nedition: 17\noutputs: {png: {dpi: 72}, sheets: true, gallery: true}\n"
CARDS = "- {name: One, kind: minion, level: 1, sp: 1, hp: 0}\n"
MINION = '{% extends "kotc/minion.svg" %}{% block symbols %}{% include "mark.svg" %}{% endblock %}'
PRIVATE = "private\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="making links asks for a privilege there")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a set, beside somebody's files."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with_plain_back(write_set(Path("cards/set"), CARDS, SET))
    Path("../theirs/png").mkdir(parents=True)
    for name in ("file", "set.yaml", "cards.yaml", "mark.svg", "one.png", "png/one.png"):
        Path("../theirs", name).write_text(PRIVATE)


def theirs(name: str = "file") -> Path:
    return Path("../theirs").resolve() / name


def link(path: str, to: Path) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).symlink_to(to)


def ran(*arguments: str) -> tuple[int, str]:
    """Run a command; nobody else's files are others afterwards."""
    before = tree(theirs("."))
    result = kotc(*arguments)
    assert tree(theirs(".")) == before
    assert PRIVATE.strip() not in result.output
    return result.exit_code, result.output


# --- writing --------------------------------------------------------------------------------------------------------

NOT_THROUGH = "it is a link, and nothing is written through links; it leads to"


@pytest.mark.parametrize(
    "name",
    [".kotc.lock", ".kotc.json", ".kotc.journal", "sheets.pdf", "gallery.html", "png/one.png", "png"],
)
def test_a_build_writes_through_no_link(name: str) -> None:
    link(f"out/set/{name}", theirs("png" if name == "png" else "file"))
    status, said = ran("build")
    assert (status, said.splitlines()[-1]) == (
        3,
        f"error: cannot use `out/set/{name}`: {NOT_THROUGH} `{Path('out/set', name).readlink()}`: remove it [E001]",
    )
    assert Path("out/set", name).is_symlink()


@pytest.mark.parametrize("command", ["build", "png", "pdf", "upgrade --to 17", "calibrate --paper a4"])
def test_the_usual_folder_of_outputs_may_come_with_the_set_and_is_not_followed(command: str) -> None:
    link("out", theirs("."))
    status, said = ran(*command.split())
    hint = f"`{theirs('.')}`: to write there, name the folder with --out"
    if command.startswith("upgrade"):
        hint = f"`{theirs('.')}`: remove it"
    assert (status, said.splitlines()[-1]) == (3, f"error: cannot use `out`: {NOT_THROUGH} {hint} [E001]")


def test_a_folder_of_outputs_that_is_named_is_followed_and_none_below_it() -> None:
    Path("disk").mkdir()
    link("out", Path("disk"))
    assert kotc("build", "--out", "out").exit_code == 0
    assert Path("disk/set/png/one.png").is_file()
    shutil.rmtree("disk/set/png")
    link("disk/set/png", theirs("png"))
    status, said = ran("build", "--out", "out")
    assert (status, "set/png`: it is a link" in said) == (3, True)


@pytest.mark.parametrize(
    "command", ["pdf --out", "cut --out", "calibrate --paper a4 --out", "migrate --to 17 --report"]
)
def test_a_file_that_is_named_and_is_a_link_is_not_replaced(command: str) -> None:
    name = {"cut": "x.svg", "migrate": "x.html"}.get(command.split(maxsplit=1)[0], "x.pdf")
    link(name, theirs())
    assert ran(*command.split(), name) == (
        3,
        f"error: cannot use `{name}`: {NOT_THROUGH} `{theirs()}`: remove it [E001]\n",
    )


def test_a_link_that_is_put_in_the_way_meanwhile_is_not_followed() -> None:
    """The folder of PNGs is taken away for a link and put back, thousands of times, while builds write into it."""
    swapping = (
        "import os\n"
        "while True:\n"
        "    for old, new in (('png', 'kept'), ('away', 'png'), ('png', 'away'), ('kept', 'png')):\n"
        "        try: os.rename(old, new)\n"
        "        except OSError: pass\n"
    )
    assert kotc("build").exit_code == 0
    link("out/set/away", theirs("png"))
    other = subprocess.Popen([sys.executable, "-c", swapping], cwd="out/set")
    try:
        before, end = tree(theirs(".")), time.monotonic() + 1
        while time.monotonic() < end:
            for number in range(50):
                try:
                    replace_file(Path(f"out/set/png/new-{number}.png"), b"new", Path("out"))
                except OSError as error:
                    assert isinstance(error, LinkError | FileExistsError | FileNotFoundError | NotADirectoryError)
    finally:
        other.kill()
        other.wait()
    assert tree(theirs(".")) == before


def test_a_second_name_of_a_file_keeps_what_it_held() -> None:
    Path("out/set/png").mkdir(parents=True)
    for name in (".kotc.lock", ".kotc.json", ".kotc.journal", "sheets.pdf", "png/one.png"):
        os.link(theirs(), Path("out/set", name))
    status, said = ran("build")
    assert status == 3 and "no build remembers this file" in said
    status, _ = ran("build", "--force")
    assert status == 0
    assert theirs().stat().st_nlink == 1


# --- removing -------------------------------------------------------------------------------------------------------


def journal(name: str, digest: str) -> None:
    """Write a journal of a build that was stopped when a file was about to be there."""
    Path("out/set").mkdir(parents=True, exist_ok=True)
    manifest.begin_journal(Path("out/set"), manifest.read(Path("out/set")), {})
    note_output(Path("out/set"), name, OutputRecord({}, {name: digest}))


def test_a_file_below_a_linked_folder_is_not_removed_because_a_journal_names_it() -> None:
    digest = tree(theirs("."))["one.png"]
    journal("linked/one.png", digest)
    link("out/set/linked", theirs("."))
    assert ran("build")[0] == 0


def test_a_file_beside_the_outputs_is_removed_only_if_a_build_wrote_just_that() -> None:
    assert kotc("build").exit_code == 0
    journal("mine.png", "0" * 64)
    Path("out/set/mine.png").write_text("mine")
    assert "removed" not in ran("build")[1]
    assert Path("out/set/mine.png").read_text() == "mine"
    journal("mine.png", tree(Path("out/set"))["mine.png"])
    assert "1 removed)" in ran("build")[1]
    assert not Path("out/set/mine.png").exists()


def test_leftover_files_behind_a_link_are_not_removed() -> None:
    theirs(".a.png.kotc-999999999-abcd1234.part").write_text(PRIVATE)
    assert kotc("build").exit_code == 0
    link("out/set/linked", theirs("."))
    write_set(Path("cards/set"), CARDS.replace("level: 1", "level: 2"), SET)
    assert ran("build")[0] == 0


# --- reading --------------------------------------------------------------------------------------------------------


def test_a_template_that_is_included_is_not_read_from_elsewhere() -> None:
    Path("cards/set/minion.svg").write_text(MINION)
    link("cards/set/mark.svg", Path("../../../theirs/mark.svg"))
    message = (
        f"cards/set/mark.svg:1:1: error: the template `mark.svg` is a link out of the set, to `{theirs('mark.svg')}` "
        "[T012]\n  hint: copy the template into the set\n1 error\n"
    )
    for command in ("check", "build", "pdf", "png"):
        assert ran(command) == (1, message)


def test_a_template_behind_a_linked_folder_is_not_read_either() -> None:
    Path("cards/set/minion.svg").write_text(MINION)
    shutil.rmtree("cards/set/templates")
    link("cards/set/templates", theirs("."))
    assert "the template `mark.svg` lies behind a link out of the set, to" in ran("check")[1]


def test_a_template_that_leads_nowhere_is_not_passed_over() -> None:
    link("cards/set/templates/minion.svg", Path("gone.svg"))
    assert "error: the template `minion.svg` is a link to `gone.svg`, which is no file [T001]" in ran("check")[1]


@pytest.mark.parametrize("name", ["set.yaml", "cards.yaml"])
def test_files_of_a_set_are_not_read_from_elsewhere(name: str) -> None:
    Path("cards/set", name).unlink()
    link(f"cards/set/{name}", theirs(name))
    assert (
        f"cards/set/{name}:1:1: error: `cards/set/{name}` is a link out of the set, to `{theirs(name)}` [Y018]\n"
        "  hint: copy the file into the set\n"
    ) in ran("check")[1]


def test_a_set_of_a_folder_is_not_read_from_elsewhere_unless_it_is_named() -> None:
    shutil.copytree("cards/set", theirs("mine"))
    link("cards/mine", theirs("mine"))
    assert ran("check") == (
        1,
        f"error: the set `cards/mine` is a link out of `cards`, to `{theirs('mine')}` [P007]\n"
        "  hint: to use it, give it as a PATH of its own\n1 error\n",
    )
    assert kotc("check", "cards/mine").exit_code == 0


def test_the_usual_folder_of_sets_is_not_followed_elsewhere() -> None:
    shutil.move("cards", theirs("cards"))
    link("cards", theirs("cards"))
    said = f"the folder `cards` is a link out of this folder, to `{theirs('cards')}`: to use it, give it as PATH"
    for command in ("check", "pdf --blank minion:1"):
        status, words = ran(*command.split())
        assert (status, said in words) == (2, True)
    assert kotc("check", "cards").exit_code == 0


def test_a_deck_does_not_lead_elsewhere_by_a_link() -> None:
    shutil.copytree("cards/set", theirs("mine"))
    link("mine", theirs("mine"))
    Path("deck.yaml").write_text("name: Deck\nedition: 17\nsets: [mine]\ncards: {one: 2}\n")
    assert (
        f"the set `mine` is a link out of the folder of the deck, to `{theirs('mine')}` [B028]"
        in ran("deck", "deck.yaml")[1]
    )


def test_a_deck_and_a_folder_of_outputs_may_be_links_in_a_circle() -> None:
    link("round", Path("round"))
    Path("deck.yaml").write_text("name: Deck\nedition: 17\nsets: [round]\ncards: {one: 2}\n")
    assert "there is no folder `round` [B020]" in ran("deck", "deck.yaml")[1]
    for command in ("build", "shop makeplayingcards", "table --for folder", "png"):
        status, said = ran(*command.split(), "--out", "round")
        assert status in (2, 3)
        assert "round" in said


def test_links_within_a_set_or_repository_are_followed_but_not_to_hidden_files() -> None:
    Path("cards/set/minion.svg").write_text(MINION)
    Path("cards/set/inner.svg").write_text('<circle r="1"/>')
    link("cards/set/mark.svg", Path("inner.svg"))
    assert ran("check")[0] == 0
    Path("cards/set/mark.svg").unlink()
    Path("shared").mkdir()
    Path("cards/set/inner.svg").rename("shared/mark.svg")
    link("cards/set/mark.svg", Path("../../shared/mark.svg"))
    assert "[T012]" in ran("check")[1]
    Path(".git").mkdir()
    clear_caches()  # it is remembered where there was no repository
    assert ran("check")[0] == 0
    Path("shared").rename(".hidden")
    Path("cards/set/mark.svg").unlink()
    link("cards/set/mark.svg", Path("../../.hidden/mark.svg"))
    assert "[T012]" in ran("check")[1]
    clear_caches()


@pytest.mark.parametrize("command", ["check cards/set", "deck deck.yaml"])
def test_a_set_whose_file_is_a_link_to_a_pipe_elsewhere_keeps_nobody_waiting(command: str) -> None:
    Path("deck.yaml").write_text("name: Deck\nedition: 17\nsets: [cards/set]\ncards: {one: 2}\n")
    Path("cards/set/set.yaml").unlink()
    os.mkfifo(theirs("pipe"))
    link("cards/set/set.yaml", theirs("pipe"))
    words, variables = [sys.executable, "-m", "render", *command.split()], {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=30, check=False)
    assert result.returncode == 1
    assert "is a link out of the set" in result.stdout + result.stderr


def test_a_pipe_among_templates_keeps_nobody_waiting() -> None:
    os.mkfifo("cards/set/other.svg")
    assert ran("build")[0] == 0


# --- what is remembered ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["/etc/passwd", "../../../theirs/file", "<here>/../theirs/file", "a\0b", ""])
def test_a_manifest_that_names_inputs_elsewhere_is_none(label: str) -> None:
    assert kotc("build").exit_code == 0
    file = Path("out/set/.kotc.json")
    file.write_bytes(manifest.dump_json(replace(manifest.read(file.parent), read={"minion": [label]})))
    assert "(3 written, 0 unchanged)" in ran("build")[1]


def test_a_manifest_of_which_one_letter_is_another_is_none() -> None:
    assert kotc("build").exit_code == 0
    file = Path("out/set/.kotc.json")
    file.write_bytes(file.read_bytes().replace(b'"name":"Test"', b'"name":"Tess"'))
    assert ran("build", "--changed-since", "out/set")[1] == (
        "error: `out/set/.kotc.json` is not the manifest of a build [H001]\n"
        "  hint: give a `.kotc.json`, or a copy of one\n1 error\n"
    )
    assert "(3 written, 0 unchanged)" in ran("build")[1]


def test_what_is_kept_of_a_rebuild_names_only_card_files_of_the_set() -> None:
    before, after = (
        {"../../../theirs/file": PRIVATE, "set.yaml": SET},
        {"../../../theirs/file": "ours", "set.yaml": SET},
    )
    Path("out").mkdir()
    transition.write_kept(Path("out"), transition.Kept({"set": Before(before, after, {}, Manifest())}))
    assert transition.read_kept(Path("out")) == transition.Kept()
    ran("upgrade", "--to", "17")


def test_the_holder_of_a_folder_is_said_only_if_it_can_be() -> None:
    held = Path("out/set")
    with session.lock_folder(held):
        (held / manifest.LOCK).write_text(json.dumps({"pid": "\x1b[2J", "host": [], "since": None}))
        status, said = ran("build")
    assert (status, said) == (
        3,
        "error: cannot use `out/set`: another process is building there; "
        "try again when it is done, or choose another folder with --out [E001]\n",
    )

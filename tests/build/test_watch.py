"""`kotc watch`: whatever is saved, however it is saved, is built, and ends in the tree of a clean build."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from render.build import session
from render.build import watch as watching
from render.build.watch import BuiltFiles, ChangeWatcher, built_files, take_snapshot
from tests.support.builds import built
from tests.support.repository import ROOT
from tests.support.sets import SET, kotc, write_set
from tests.support.templates import PLAIN_BACK
from tests.support.watches import PATIENCE, outputs, watched, watched_by_a_process

CARDS = """
- {name: One, kind: minion, level: 3, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: a.png}
- {name: Two, kind: minion, level: 2, sp: 2, hp: 0}
"""
SMALL = SET + "outputs: {png: {dpi: 72}}\n"
MARKED = ("{% block symbols %}", '{% block symbols %}<rect x="5" y="5" width="9" height="9"/>')
OWN_MINION = (ROOT / "templates/kotc/minion.svg").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of two cards in a folder of sets."""
    return a_set(tmp_path / "cards" / "one")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def a_set(folder: Path, name: str = "One") -> Path:
    write_set(folder, CARDS, SMALL.replace("Test", name))
    paint(folder / "a.png", "red")
    # In the folder of the set: tests make and remove its `templates`. The shipped back takes a tenth of each build.
    (folder / "back.svg").write_text(PLAIN_BACK, encoding="utf-8")
    return folder


def paint(file: Path, color: str, size: tuple[int, int] = (700, 430)) -> None:
    Image.new("RGB", size, color).save(file)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


# --- what is built --------------------------------------------------------------------------------------------------


def test_a_saved_file_builds_its_own_set_and_ctrl_c_ends_the_watch(folder: Path, out: Path) -> None:
    other = a_set(folder.parent / "other", "Other")
    with watched_by_a_process(folder.parent, out=out) as watch:
        watch.until_built(folder, out)
        watch.until_built(other, out)
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        watch.until_built(folder, out)
        paint(folder / "a.png", "blue")
        watch.until_built(folder, out)
        change(folder / "set.yaml", "dpi: 72", "dpi: 80")
        watch.until_built(folder, out)
        watch.until_said("One: ", times=4)
        assert watch.said.count("Other: ") == 1
        assert watch.stop() == 130
        assert watch.said.endswith("\nstopped\n")


def test_files_that_are_not_there_yet_are_built_when_they_come(folder: Path, out: Path) -> None:
    change(folder / "cards.yaml", "art: a.png", "art: art/new.png")
    with watched(folder, out=out) as watch:
        watch.until_said("no picture `art/new.png`")
        (folder / "art").mkdir()
        paint(folder / "art/new.png", "green")
        watch.until_built(folder, out)
        (folder / "templates").mkdir()
        (folder / "templates/minion.svg").write_text(OWN_MINION.replace("block", "blok"), encoding="utf-8")
        watch.until_said("minion.svg")
        (folder / "templates/minion.svg").write_text(OWN_MINION.replace(*MARKED), encoding="utf-8")
        watch.until_built(folder, out)
        shutil.rmtree(folder / "templates")
        watch.until_built(folder, out)
        (folder / "more.yaml").write_text("{name: Three, kind: spell, level: 2, text: Draw 1 card.}", encoding="utf-8")
        watch.until_built(folder, out)


def test_the_rules_of_an_edition_in_the_users_folder_are_watched(
    folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(out.parent / "data"))
    change(folder / "set.yaml", "edition: 17", "edition: 18")
    change(folder / "cards.yaml", "level: 2", "level: auto")
    rules = (ROOT / "render/games/kotc/editions/data/17.yaml").read_text(encoding="utf-8")
    with watched(folder, out=out) as watch:
        watch.until_said("no rules for levels are known of the 18th")
        editions = out.parent / "data/kotc/editions"
        editions.mkdir(parents=True)
        (editions / "18.yaml").write_text(rules.replace("edition: 17", "edition: 18", 1), encoding="utf-8")
        watch.until_said("fixed: ")
        watch.until_built(folder, out)


def test_files_of_the_program_are_watched_too(folder: Path, out: Path) -> None:
    root = out.parent / "program"
    for part in ("render", "templates", "fonts"):
        shutil.copytree(ROOT / part, root / part)  # with the times of its files, so that compiled ones hold
    change(folder / "cards.yaml", "level: 2", "level: auto")

    def until_as_if_built_by_a_new_process() -> None:
        fresh = out.parent / f"fresh-{time.monotonic_ns()}"
        subprocess.run(
            [sys.executable, "-m", "render", "build", folder, "--out", fresh],
            env={**os.environ, "PYTHONPATH": str(root)},
            cwd=out.parent,
            check=True,
            capture_output=True,
        )
        clean = outputs(fresh / folder.name)
        watch.until(lambda: outputs(out / folder.name) == clean)

    with watched_by_a_process(folder, out=out, root=root) as watch:
        for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansCondensed.ttf"):
            shutil.copyfile(root / "fonts/DejaVuSansCondensed-Oblique.ttf", root / "fonts" / name)
        until_as_if_built_by_a_new_process()
        change(root / "templates/kotc/minion.svg", *MARKED)
        until_as_if_built_by_a_new_process()
        change(root / "render/games/kotc/editions/data/17.yaml", "sp:", "sp: ")
        until_as_if_built_by_a_new_process()
        (root / "render/base/geometry.py").write_text("MM_PER_INCH = 25.0\n", encoding="utf-8")
        assert watch.process.wait(60) == 3
        assert "replaced by another version" in watch.said


# --- errors ---------------------------------------------------------------------------------------------------------


def test_errors_are_said_once_and_again_when_they_are_mended(folder: Path, out: Path) -> None:
    other = a_set(folder.parent / "other", "Other")
    with watched(folder.parent, out=out) as watch:
        change(folder / "cards.yaml", "kind: minion, level: 2", "flavr: yes, kind: minoin, level: 2")
        watch.until_said("2 errors")
        change(folder / "cards.yaml", "- {name: One", "# moved down by a line\n- {name: One")
        change(other / "cards.yaml", "Draw 1", "Draw 2")
        watch.until_built(other, out)
        change(folder / "cards.yaml", "minoin", "minion")
        watch.until_said("1 error left")
        change(folder / "cards.yaml", "flavr", "flavor")
        watch.until_built(folder, out)
        watch.until_said("fixed: ", times=2)
        said = watch.said
        assert [said.count(words) for words in ("found `minoin`", "unknown key `flavr`", "2 errors")] == [2, 2, 1]


def test_a_broken_file_hides_warnings_that_are_not_said_again(folder: Path, out: Path) -> None:
    paint(folder / "a.png", "red", (70, 43))
    with watched(folder, out=out) as watch:
        watch.until_said("dpi at its printed size")
        whole = (folder / "cards.yaml").read_text(encoding="utf-8")
        (folder / "cards.yaml").write_text("- {name: One, kind: [", encoding="utf-8")
        watch.until_said("1 error")
        (folder / "cards.yaml").write_text(whole.replace("Draw 1", "Draw 2"), encoding="utf-8")
        watch.until_built(folder, out)
        watch.until_said("One: ", times=2)
        assert watch.said.count("dpi at its printed size") == 1
        assert watch.said.count("fixed: ") == 1


def test_a_file_that_is_saved_bit_by_bit_is_built_at_last(folder: Path, out: Path) -> None:
    whole = (folder / "cards.yaml").read_text(encoding="utf-8").replace("Draw 1", "Draw 2")
    with watched(folder, out=out) as watch:
        with (folder / "cards.yaml").open("w", encoding="utf-8") as stream:
            for at in range(0, len(whole), 40):
                stream.write(whole[at : at + 40])
                stream.flush()
                time.sleep(0.02)
        watch.until_built(folder, out)


# --- folders that come and go ---------------------------------------------------------------------------------------


def test_a_folder_that_is_deleted_and_made_anew_at_once_is_still_watched(folder: Path, out: Path) -> None:
    whole = {file.name: file.read_bytes() for file in folder.iterdir()}
    with watched(folder, out=out) as watch:
        for times in range(1, 4):
            number = folder.stat().st_ino
            for _ in range(20):  # until the new folder has the number of the old one, where the disk gives it again
                shutil.rmtree(folder)
                folder.mkdir()
                if folder.stat().st_ino == number:
                    break
            for name, content in whole.items():
                (folder / name).write_bytes(content)
            change(folder / "cards.yaml", "Draw 1", f"Draw {times + 1}")
            watch.until_built(folder, out)
            change(folder / "cards.yaml", "hp: 0", "hp: 2")
            watch.until_built(folder, out)


def test_sets_are_found_lost_and_renamed(folder: Path, out: Path) -> None:
    with watched(folder.parent, out=out) as watch:
        new = a_set(folder.parent / "new", "New")
        watch.until_built(new, out)
        renamed = new.rename(folder.parent / "renamed")
        watch.until_said("new` is gone; its outputs stay in")
        watch.until_built(renamed, out)
        shutil.rmtree(folder)
        shutil.rmtree(renamed)
        watch.until_said("there is no set in")
        a_set(folder)
        watch.until_said("fixed: there is no set in")
        watch.until_built(folder, out)
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        watch.until_built(folder, out)


def test_a_folder_without_its_set_file_is_not_said_to_be_gone(folder: Path, out: Path) -> None:
    a_set(folder.parent / "other", "Other")
    with watched(folder.parent, out=out) as watch:
        away = (folder / "set.yaml").rename(folder / "set.txt")
        watch.until_said(f"`{folder}` is no longer a set; its outputs stay in")
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        away.rename(folder / "set.yaml")
        watch.until_built(folder, out)
        assert "is gone" not in watch.said


def test_a_set_whose_folder_is_renamed_away_and_back_is_still_watched(folder: Path, out: Path) -> None:
    with watched(folder, out=out) as watch:
        away = folder.rename(folder.parent / "away")
        watch.until_said("there is no `")
        change(away / "cards.yaml", "Draw 1", "Draw 2")
        away.rename(folder)
        watch.until_built(folder, out)
        change(folder / "cards.yaml", "Draw 2", "Draw 3")
        watch.until_built(folder, out)


# --- ways of saving -------------------------------------------------------------------------------------------------


def test_editors_that_save_by_another_file_are_seen(folder: Path, out: Path) -> None:
    cards = folder / "cards.yaml"
    with watched(cards, out=out) as watch:
        new = folder / ".cards.yaml.tmp-1"
        new.write_text(cards.read_text(encoding="utf-8").replace("Draw 1", "Draw 2"), encoding="utf-8")
        new.replace(cards)
        watch.until_built(folder, out)
        old = cards.rename(folder / "cards.yaml~")
        cards.write_text(old.read_text(encoding="utf-8").replace("Draw 2", "Draw 3"), encoding="utf-8")
        old.unlink()
        watch.until_built(folder, out)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_checkout_of_many_files_is_built(folder: Path, out: Path) -> None:
    (folder / "set.yaml").write_text(SET + "outputs: [sheets]\n", encoding="utf-8")
    for number in range(100):
        card = f"{{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0, copies: 0}}"
        (folder / f"card-{number}.yaml").write_text(card, encoding="utf-8")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Level 1")
    git(folder, "checkout", "-qb", "other")
    for file in folder.glob("*.yaml"):
        file.write_text(file.read_text(encoding="utf-8").replace("level: 1", "level: 3"), encoding="utf-8")
    git(folder, "commit", "-qam", "Level 3")
    with watched(folder, out=out) as watch:
        git(folder, "checkout", "-q", "main")
        watch.until_built(folder, out)
        for number in range(30):  # and of files that come slowly, as from a server: for longer than a build takes
            change(folder / f"card-{number}.yaml", "level: 1", "level: 4")
            change(folder / "cards.yaml", "Draw ", "Draw 1")
            time.sleep(0.04)
        watch.until_built(folder, out)


@dataclass
class SlowSaving:
    """Time that passes only while somebody waits: `save` is called every 40 ms of it, so many `times`."""

    save: Callable[[], None]
    times: int
    now: float = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        before, self.now = self.now, self.now + seconds
        if self.times and before // 0.04 < self.now // 0.04:
            self.times -= 1
            self.save()

    def wait(self, _seconds: float) -> bool:
        """Be noticed, as a source of notices is."""
        self.sleep(0.04)
        return True


def test_files_that_come_slowly_are_one_change(folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def save() -> None:
        for name in ("cards.yaml", "set.yaml"):
            with (folder / name).open("a", encoding="utf-8") as stream:
                stream.write("# and more\n")

    saving, watcher = SlowSaving(save, 30), ChangeWatcher((folder,), out)
    monkeypatch.setattr(watching, "time", saving)
    seen = watcher.next_change(watcher.look(), lambda _: nullcontext(saving.wait))
    assert saving.times == 0
    assert watcher.look() == seen


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@b.c")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_card_that_is_saved_while_a_build_is_running_is_built_again(folder: Path, out: Path) -> None:
    (folder / "set.yaml").write_text(SET + "outputs: {png: {dpi: 150}}\n", encoding="utf-8")
    more = "".join(f"- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0}}\n" for number in range(24))
    (folder / "more.yaml").write_text(more, encoding="utf-8")
    with watched(folder, out=out, flags=("--workers", "1")) as watch:
        first = out / folder.name / "png/one.png"
        before = first.stat().st_mtime_ns
        change(folder / "set.yaml", "name: Test", "name: Test\nred: false")
        watch.until(lambda: first.stat().st_mtime_ns != before)
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        watch.until_built(folder, out)


# --- outputs, and others ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["cards/one/out", "cards", "."])
def test_a_file_that_a_build_makes_is_not_taken_for_a_change(folder: Path, tmp_path: Path, place: str) -> None:
    out = tmp_path / place
    target = out / folder.name
    seen = take_snapshot([folder.parent], out, {})
    (files,) = seen.sets
    result = kotc("build", folder, "--out", out)
    assert result.exit_code == 0, result.output
    after = take_snapshot([folder.parent], out, {folder: built_files(files, target)})
    assert after.changed(seen) == {}
    assert after == seen
    if target != folder:
        (target / "theirs.txt").write_text("not a file of the set", encoding="utf-8")
        assert take_snapshot([folder.parent], out, {folder: built_files(files, target)}) == seen
    change(folder / "cards.yaml", "Draw 1", "Draw 2")
    assert take_snapshot([folder.parent], out, {folder: built_files(files, target)}) != seen


def test_who_builds_in_the_folder_is_waited_for(folder: Path, out: Path) -> None:
    with watched(folder, out=out) as watch:
        with session.lock_folder(out / folder.name):
            change(folder / "cards.yaml", "Draw 1", "Draw 2")
            watch.until_said("has been building there")
        watch.until_built(folder, out)
        built(folder, "--out", str(out))  # nobody holds the folder while the watch waits
        assert watch.said.count("has been building there") == 1


def test_sets_of_the_same_name_are_not_built_until_one_is_gone(folder: Path, tmp_path: Path, out: Path) -> None:
    (tmp_path / "more").mkdir()
    a_set(tmp_path / "more" / "other")
    with watched(folder.parent, tmp_path / "more", out=out) as watch:
        same = a_set(tmp_path / "more" / "one")
        watch.until_said("would both be written to `one`")
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        shutil.rmtree(same)
        watch.until_said("fixed: `")
        watch.until_built(folder, out)


def test_a_folder_that_cannot_be_written_is_tried_again(folder: Path, out: Path) -> None:
    with watched(folder, out=out) as watch:
        png = out / folder.name / "png"
        shutil.rmtree(png)
        png.write_text("in the way", encoding="utf-8")
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        watch.until_said("error: cannot use")
        png.unlink()
        watch.until_said("fixed: cannot use")
        watch.until_built(folder, out)


def test_changes_are_seen_where_the_system_tells_of_none(folder: Path, out: Path) -> None:
    with watched(folder, out=out, WATCHFILES_FORCE_POLLING="1") as watch:
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        watch.until_built(folder, out)


def test_it_is_seen_that_a_file_may_be_read_again(folder: Path, out: Path) -> None:
    """Whoever runs the tests may be allowed to read all, so the look itself is asked."""
    asked = folder / ".hidden.png"
    paint(asked, "red")
    known = {folder: BuiltFiles(frozenset({str(asked)}))}
    for file in (folder / "cards.yaml", folder / "a.png", asked):
        file.chmod(0o400)
        before = take_snapshot([folder], out, known)
        assert take_snapshot([folder], out, known) == before
        file.chmod(0o600)
        after = take_snapshot([folder], out, known)
        assert [Path(path).name for path in after.changed(before)] == [file.name]


def test_a_name_that_is_no_text_does_no_harm(folder: Path, out: Path) -> None:
    with watched(folder, out=out) as watch:
        try:
            Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).write_bytes(b"")
        except OSError:
            pytest.skip("this file system has no such names")
        change(folder / "cards.yaml", "Draw 1", "Draw 2")
        watch.until_built(folder, out)


def test_a_watch_whose_words_nobody_reads_any_more_ends(folder: Path, out: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "render", "watch", folder, "--out", out], cwd=ROOT, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    while b"press Ctrl-C to stop" not in process.stderr.readline():
        assert process.poll() is None
    process.stderr.close()
    cards = folder / "cards.yaml"
    cards.write_text(f"{cards.read_text(encoding='utf-8')}- {{name: Late, kind: pawn}}\n", encoding="utf-8")
    assert process.wait(PATIENCE) == 0


def test_a_file_that_goes_while_a_set_is_looked_at_is_a_change_at_the_next_look(folder: Path, out: Path) -> None:
    (folder / "late.yaml").write_text("{name: Late, kind: pawn}\n", encoding="utf-8")
    with_it = take_snapshot([folder], out, {})
    (folder / "late.yaml").unlink()
    without = take_snapshot([folder], out, {})
    between = replace(without, sets=with_it.sets)  # found before, looked at after it went
    assert without != between
    assert without.concerned(between) == list(without.sets)


def test_without_the_package_there_is_a_way_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("watchfiles")]:  # if it was imported before
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "watchfiles._rust_notify", None)
    result = kotc("watch", folder)
    assert result.exit_code == 2
    assert "pip install 'kotc[watch]'" in result.output


def test_there_must_be_something_to_watch(tmp_path: Path) -> None:
    assert kotc("watch", tmp_path / "nothing").exit_code == 2

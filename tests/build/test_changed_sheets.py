"""The sheets of changed cards are an output like others: made as the set's sheets are, remembered, removed, proved."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from render.build import manifest
from tests.support.builds import built, check_truth, rewritten, times, tree
from tests.support.changed_cards import (
    CARDS,
    NOTHING,
    ODIN,
    SET,
    change,
    changed_odin,
    out,
    printed,
    printed_set,
    since,
)
from tests.support.full_disk import Failing
from tests.support.sets import kotc, write_set
from tests.support.sheet_files import verified


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return printed_set(tmp_path)


def test_a_second_build_writes_nothing_and_says_the_same(folder: Path) -> None:
    said = since(changed_odin(folder))
    before = times(out(folder)), tree(out(folder))
    again = built(folder, "--changed-since", "printed.json")
    assert "(0 written, 6 unchanged)" in again
    assert again.splitlines()[-1].endswith(said.replace("changed.pdf", f"{out(folder) / 'changed.pdf'}"))
    assert (times(out(folder)), tree(out(folder))) == before


def test_a_build_that_compares_with_nothing_removes_the_sheet(folder: Path) -> None:
    shutil.copytree(out(folder), "before")
    since(changed_odin(folder))
    assert "changed.pdf: no longer asked for" in built(folder, "--dry-run")
    assert (out(folder) / "changed.pdf").exists()
    assert "(0 written, 5 unchanged, 1 removed)" in built(folder)
    assert not (out(folder) / "changed.pdf").exists()
    clean = tree(out(folder))
    shutil.rmtree(out(folder))
    built(folder)
    assert tree(out(folder)) == clean


def test_a_sheet_is_removed_once_nothing_differs_any_more(folder: Path) -> None:
    since(changed_odin(folder))
    change(folder, ("level: 3, sp: 2", "level: 2, sp: 2"))
    assert since(folder) == NOTHING
    assert not (out(folder) / "changed.pdf").exists()


def test_compared_with_its_own_last_build_the_sheet_has_what_this_build_changes(folder: Path) -> None:
    said = ODIN.replace("changed.pdf", str(out(folder) / "changed.pdf"))
    for what in (out(folder), out(folder) / ".kotc.json", out(folder).parent):
        write_set(folder, CARDS, SET)
        built(folder)
        assert f"since {what}: {said}" in built(changed_odin(folder), "--changed-since", str(what))
        assert f"since {what}: {NOTHING}" in built(folder, "--changed-since", str(what))


def test_a_dry_run_says_what_would_be_printed_and_writes_nothing(folder: Path) -> None:
    before = times(Path())
    said = since(changed_odin(folder), "--dry-run")
    assert said == "1 card changed (odin): 3 copies on 1 sheet would be in changed.pdf"
    assert times(Path()) == before | {"set/cards.yaml": times(Path())["set/cards.yaml"]}


def test_a_sheet_that_was_changed_by_hand_or_lost_is_found_and_made_again(folder: Path) -> None:
    since(changed_odin(folder))
    right, before = tree(out(folder)), times(out(folder))
    (out(folder) / "changed.pdf").write_bytes(b"no")
    result = kotc("build", folder, "--out", "out", "--verify")
    assert (result.exit_code, result.output) == (1, "error: `out/set/changed.pdf` was changed after the build\n")
    assert "changed.pdf: file was changed by hand" in built(folder, "--changed-since", "printed.json", "--explain")
    (out(folder) / "changed.pdf").unlink()
    since(folder)
    assert tree(out(folder)) == right
    assert rewritten(before, out(folder)) == {"changed.pdf"}


def test_a_sheet_says_why_it_is_made_again(folder: Path) -> None:
    since(changed_odin(folder))
    change(folder, ("copies: 2", "copies: 5"))
    explained = built(folder, "--changed-since", "printed.json", "--explain")
    assert "\nchanged.pdf: loki new\n" in explained


@pytest.mark.parametrize(
    ("sheet", "files"),
    [
        ("backs: separate", ["changed-fronts.pdf", "changed-backs.pdf"]),
        ("grid: 1x1, sheets_per_file: 2", ["changed-1.pdf", "changed-2.pdf"]),
        ("backs: fold", ["changed.pdf"]),
        ("bleed: 2, paper: letter, flip: short-edge", ["changed.pdf"]),
    ],
)
def test_the_sheet_is_made_as_those_of_the_set_are(folder: Path, sheet: str, files: list[str]) -> None:
    change(folder, ("{slug: false}", f"{{slug: false, {sheet}}}"), name="set.yaml")
    assert since(changed_odin(folder)).endswith(" and ".join(files))
    assert {path.name for path in out(folder).glob("changed*")} == {*files}
    assert verified(*(out(folder) / name for name in files)).exit_code == 0
    copies = sum((Counter(printed(folder, name, 1)) for name in files), Counter())
    assert copies == {"Odin": 3}
    built(folder)
    assert not [*out(folder).glob("changed*")]


@pytest.mark.parametrize(("outputs", "step"), [("{png: {dpi: 72}, sheets: true}", 1), ("{png: {dpi: 72}}", 3)])
def test_each_failing_write_leaves_whole_files_and_the_next_build_completes_them(
    folder: Path, outputs: str, step: int
) -> None:
    change(folder, ("{png: {dpi: 72}, sheets: true}", outputs), name="set.yaml")
    built(folder)
    shutil.copytree(out(folder), "before")
    changed_odin(folder)
    since(folder)
    right = tree(out(folder))
    for at in range(1, 1000, step):
        shutil.rmtree(out(folder))
        shutil.copytree("before", out(folder))
        with pytest.MonkeyPatch.context() as patch:
            failing = Failing(patch, at)
            result = kotc("build", folder, "--out", "out", "--changed-since", "printed.json")
        assert result.exit_code in (0, 3), result.output
        check_truth(out(folder))
        since(folder)
        assert tree(out(folder)) == right, at
        if failing.calls < at:
            break
    assert at > 10


def test_what_a_build_remembers_is_true_after_it_was_stopped(folder: Path) -> None:
    """Its PNGs are made, and it does not come to its end: what cards look like is remembered at the end only."""
    change(folder, ("{png: {dpi: 72}, sheets: true}", "{png: {dpi: 72}}"), name="set.yaml")
    built(folder)
    changed_odin(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest, "save", stopped)
        with pytest.raises(ZeroDivisionError):
            kotc("build", folder, "--out", "out")
    assert "(0 written, 4 unchanged)" in built(folder)
    right = tree(out(folder))
    shutil.rmtree(out(folder))
    built(folder)
    assert tree(out(folder)) == right


def stopped(*_: object) -> None:
    raise ZeroDivisionError


def test_long_lists_are_cut_short_unless_everything_is_to_be_explained(folder: Path) -> None:
    write_set(
        folder, "\n".join(f"- {{name: Odin {n:02}, kind: minion, level: 1, sp: 1, hp: 0}}" for n in range(14)), SET
    )
    names = ", ".join(f"odin-{n:02}" for n in range(10))
    assert since(folder).startswith(
        f"14 cards added ({names}, and 4 more), 4 removed (loki, odin, thor, tyr): 14 copies on 2"
    )
    assert "odin-13)" in since(folder, "--explain")


def test_several_sets_are_compared_each_with_its_own_manifest(folder: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(folder, Path("sets") / name)
    kotc("build", "sets", "--out", "out")
    shutil.copytree("out", "printed")
    shutil.rmtree("printed/two")
    changed_odin(Path("sets/one"))
    result = kotc("build", "sets", "--out", "out", "--changed-since", "printed")
    assert result.exit_code == 0
    assert [line for line in result.output.splitlines() if line.startswith("since")] == [
        "since printed: 1 card changed (odin): 3 copies on 1 sheet in out/one/changed.pdf",
        "since printed, which has no such set: 4 cards added (thor, odin, tyr, loki): 7 copies on 1 sheet in"
        " out/two/changed.pdf",
    ]

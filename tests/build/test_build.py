"""`kotc build`: everything a set declares, only what is stale, and whole files or none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from render.base import files
from tests.support.sets import kotc, write_set
from tests.support.systems import with_pipes

pytestmark = pytest.mark.usefixtures("all_cores")

CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0}
- {name: Two, kind: minion, level: 2, sp: 2, hp: 0}
"""
OUTPUTS = ("png/one.png", "png/two.png", "sheets.pdf")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_set(tmp_path / "set", CARDS)


def build(folder: Path) -> str:
    return build_of(folder, folder.parent / "out")


def build_of(path: Path, out: Path) -> str:
    result = kotc("build", path, "--out", out)
    assert result.exit_code == 0, result.output
    return result.output


def times(folder: Path) -> dict[str, int]:
    out = folder.parent / "out" / "set"
    return {name: (out / name).stat().st_mtime_ns for name in OUTPUTS}


def test_a_build_makes_a_png_of_each_card_and_the_sheets(folder: Path) -> None:
    out = folder.parent / "out"
    assert build(folder) == (
        f"Test: 2 PNGs and 1 sheet in {out / 'set'} (3 written, 0 unchanged)\n"
        "  sheets: print at 100 % (actual size), both sides, flipped on the long edge\n"
    )
    assert build(folder) == f"Test: 2 PNGs and 1 sheet in {out / 'set'} (0 written, 3 unchanged)\n"
    made = sorted(path.relative_to(out / "set").as_posix() for path in (out / "set").rglob("*") if path.is_file())
    assert made == [".kotc.json", *OUTPUTS]


def test_a_second_build_writes_nothing(folder: Path) -> None:
    build(folder)
    before = times(folder)
    assert "(0 written, 3 unchanged)" in build(folder)
    assert times(folder) == before


def test_a_changed_card_makes_its_png_and_the_sheets_again(folder: Path) -> None:
    build(folder)
    before = times(folder)
    write_set(folder, CARDS.replace("level: 2", "level: 3"))
    assert "(2 written, 1 unchanged)" in build(folder)
    after = times(folder)
    assert [after[name] == before[name] for name in OUTPUTS] == [True, False, False]


def test_a_file_that_was_changed_or_lost_is_made_again(folder: Path) -> None:
    build(folder)
    out = folder.parent / "out" / "set"
    right = (out / "png/one.png").read_bytes()
    (out / "png/one.png").write_bytes(b"scribbled over")
    (out / "sheets.pdf").unlink()
    assert "(2 written, 1 unchanged)" in build(folder)
    assert (out / "png/one.png").read_bytes() == right


def test_a_set_with_an_error_writes_nothing(folder: Path) -> None:
    write_set(folder, CARDS.replace("kind: minion, level: 2", "kind: minyon, level: 2"))
    result = kotc("build", folder, "--out", folder.parent / "out")
    assert result.exit_code == 1
    assert not (folder.parent / "out").exists()


def test_the_picture_of_a_card_that_is_gone_is_removed(folder: Path) -> None:
    build(folder)
    write_set(folder, CARDS.splitlines()[1])
    assert "(1 written, 1 unchanged, 1 removed)" in build(folder)
    assert sorted(path.name for path in (folder.parent / "out/set/png").iterdir()) == ["one.png"]


def test_a_picture_that_someone_else_put_there_is_left_alone(folder: Path) -> None:
    build(folder)
    theirs = folder.parent / "out/set/png/theirs.png"
    theirs.write_bytes(b"theirs")
    (folder.parent / "out/set/png/two.png").write_bytes(b"changed by hand")
    write_set(folder, CARDS.splitlines()[1])
    build(folder)
    assert theirs.read_bytes() == b"theirs"
    assert (folder.parent / "out/set/png/two.png").read_bytes() == b"changed by hand"


def test_sheets_are_removed_when_no_card_has_a_copy_any_more(folder: Path) -> None:
    build(folder)
    write_set(folder, CARDS.replace("hp: 0}", "hp: 0, copies: 0}"))
    assert "2 PNGs and 0 sheets" in build(folder)
    assert not (folder.parent / "out/set/sheets.pdf").exists()


def test_a_card_file_stands_for_its_whole_set(folder: Path) -> None:
    build(folder)
    assert "(0 written, 3 unchanged)" in build_of(folder / "cards.yaml", folder.parent / "out")


def test_an_unreadable_manifest_is_none(folder: Path) -> None:
    build(folder)
    (folder.parent / "out/set/.kotc.json").write_text("[" * 100_000, encoding="utf-8")
    assert "(3 written, 0 unchanged)" in build(folder)


@with_pipes
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    with pytest.raises(OSError, match="not a file that can be replaced"):
        files.replace_file(tmp_path / "pipe.pdf", b"new")
    assert (tmp_path / "pipe.pdf").is_fifo()


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "card.png"
    file.write_bytes(b"old")
    with pytest.raises(TypeError):
        files.replace_file(file, "not bytes")  # type: ignore[arg-type]
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["card.png"]


def test_a_new_file_has_the_mode_that_the_user_asks_of_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        files.replace_file(tmp_path / "card.png", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "card.png").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("flags", [["--dry-run"], ["--explain"], ["--changed-since", "v1.0"]], ids=" ".join)
def test_a_verification_takes_no_flag_that_could_do_nothing(tmp_path: Path, flags: list[str]) -> None:
    result = kotc("build", write_set(tmp_path / "set", "[]"), "--verify", *flags)
    assert result.exit_code == 2
    assert f"leave out {flags[0]}" in result.output


def test_who_draws_is_said_once(tmp_path: Path) -> None:
    flags = ["--workers", "2", "--scheduler", "tcp://127.0.0.1:1"]
    result = kotc("build", write_set(tmp_path / "set", "[]"), *flags)
    assert result.exit_code == 2
    assert "use --scheduler or --workers, not both" in result.output

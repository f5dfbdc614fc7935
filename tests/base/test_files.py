"""A file is written as a whole, and several files all of them or none."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from render.base.files import ChangedMeanwhile, permission_hint, replace_file, replace_files
from tests.support.systems import with_pipes

pytestmark = pytest.mark.usefixtures("in_empty_folder")


def now() -> dict[str, str]:
    """Return what all files here hold, hidden ones too."""
    return {path.name: path.read_text() for path in sorted(Path().iterdir()) if path.is_file()}


def holding(text: str) -> Callable[[], bytes]:
    return text.encode


def test_all_files_are_written_new_ones_and_old_ones() -> None:
    Path("b").write_text("old")
    replace_files([(Path(name), holding(f"new {name}")) for name in "abc"])
    assert now() == {"a": "new a", "b": "new b", "c": "new c"}


def test_folders_are_made() -> None:
    replace_files([(Path("out/one/a"), holding("a")), (Path("out/two/b"), holding("b"))])
    assert (Path("out/one/a").read_text(), Path("out/two/b").read_text()) == ("a", "b")


def test_no_file_is_nothing_to_do() -> None:
    replace_files([])
    assert now() == {}


def test_each_is_made_when_it_is_its_turn_and_lies_on_the_disk_before_the_next() -> None:
    """So that the bytes of one file at a time are in memory; none has its name before all are there."""
    seen: list[dict[str, str]] = []

    def made() -> bytes:
        seen.append(now())
        return b"b"

    Path("a").write_text("old")
    replace_files([(Path("a"), holding("a")), (Path("b"), made)])
    (before,) = seen
    assert before.pop("a") == "old"
    ((name, text),) = before.items()
    assert name.startswith(".a.")
    assert text == "a"
    assert now() == {"a": "a", "b": "b"}


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_what_cannot_be_made_leaves_all_as_they_were(failing: int) -> None:
    def fail() -> bytes:
        raise OSError(28, "No space left on device", "c")

    for name in "ac":
        Path(name).write_text("old")
    wanted = [(Path(name), holding("new")) for name in "abc"]
    wanted[failing] = (wanted[failing][0], fail)
    with pytest.raises(OSError, match="No space left"):
        replace_files(wanted)
    assert now() == {"a": "old", "c": "old"}


def test_a_folder_in_the_place_of_any_is_found_before_one_is_made() -> None:
    Path("c").mkdir()
    made: list[str] = []

    def making(name: str) -> Callable[[], bytes]:
        return lambda: made.append(name) or b""  # type: ignore[func-returns-value]

    with pytest.raises(IsADirectoryError) as refused:
        replace_files([(Path(name), making(name)) for name in "abc"])
    assert (refused.value.filename, made, now()) == ("c", [], {})


@pytest.mark.parametrize("failing", "abcd")
def test_one_that_cannot_take_its_name_gives_the_others_their_old_contents_back(failing: str) -> None:
    """As when another program gets hold of a file meanwhile."""

    def a_folder_appears() -> bytes:
        Path(failing).unlink(missing_ok=True)
        Path(failing).mkdir()
        return b"new"

    for name in "ac":
        Path(name).write_text("old")
    os.link("a", "a second name of a")
    wanted = [(Path(name), holding("new")) for name in "abc"]
    with pytest.raises(IsADirectoryError) as refused:
        replace_files([*wanted, (Path("d"), holding("new")), (Path("e"), a_folder_appears)])
    assert refused.value.filename == failing
    left = {"a": "old", "a second name of a": "old", "c": "old"}
    assert now() == {name: text for name, text in left.items() if name != failing}


def test_old_contents_are_given_back_where_there_are_no_hard_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    def a_folder_appears() -> bytes:
        Path("b").mkdir()
        return b"new"

    Path("a").write_text("old")
    monkeypatch.setattr(os, "link", none)
    with pytest.raises(IsADirectoryError):
        replace_files([(Path("a"), holding("new")), (Path("b"), a_folder_appears)])
    assert now() == {"a": "old"}


@pytest.mark.parametrize("saved", ["a", "new"])
def test_a_file_that_is_saved_while_others_are_made_keeps_what_was_saved(saved: str) -> None:
    def made() -> bytes:
        Path(saved).write_text("saved by its author")
        return b"new"

    Path("a").write_text("old")
    with pytest.raises(ChangedMeanwhile) as refused:
        replace_files([(Path("a"), holding("a")), (Path("new"), made)], held={Path("a"): b"old", Path("new"): b""})
    assert refused.value.filename == saved
    assert now() == {"a": "old"} | {saved: "saved by its author"}


def test_modes_are_kept() -> None:
    Path("file").write_text("old")
    Path("file").chmod(0o600)
    replace_files([(Path("file"), holding("new")), (Path("other"), holding("other"))])
    assert (Path("file").read_text(), Path("file").stat().st_mode & 0o777) == ("new", 0o600)


@pytest.mark.skipif(sys.platform == "win32", reason="there a folder in which a program runs cannot be removed")
def test_a_refused_path_is_explained_even_where_this_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    assert permission_hint(refused, tmp_path) == f"let your account read it: `chmod u+rwx {tmp_path}`"


@with_pipes
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    with pytest.raises(OSError, match="not a file that can be replaced"):
        replace_file(tmp_path / "pipe.pdf", b"new")
    assert (tmp_path / "pipe.pdf").is_fifo()


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "card.png"
    file.write_bytes(b"old")
    with pytest.raises(TypeError):
        replace_file(file, "not bytes")  # type: ignore[arg-type]
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["card.png"]


def test_a_new_file_has_the_mode_that_the_user_asks_of_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_file(tmp_path / "card.png", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "card.png").stat().st_mode & 0o777 == 0o640

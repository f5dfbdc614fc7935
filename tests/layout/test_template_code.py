"""The kept code of templates saves time and changes nothing, whatever lies in its place."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import jinja2
import pytest

from render.base.caches import clear_caches
from render.base.resources import TEMPLATES
from render.layout.templates import environment
from render.layout.templates.rendering import fill_in
from render.layout.templates.template import Templates
from tests.support.sets import kotc, write_set

KEPT = "back.svg.*.jinja2"
OURS = [TEMPLATES / "kotc", TEMPLATES]


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which Python keeps byte code during a test."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "kept"


def back(*folders: Path) -> str:
    """Return the SVG of the back as a run that begins now would make it."""
    environment._COMPILED.clear()  # which is that of this process
    return Templates(folders, OURS).filled("back.svg", {})


def kept_file(kept: Path) -> Path:
    (file,) = kept.rglob(KEPT)
    return file


def written(kept: Path) -> tuple[int, int]:
    """Return which file it is and when it was written; systems also note when a file was read."""
    found = kept_file(kept).stat()
    return found.st_ino, found.st_mtime_ns


def test_the_code_is_kept_and_used(kept: Path) -> None:
    first = back()
    before = written(kept)
    assert back() == first
    assert written(kept) == before, "what is not used is written anew"


def damaged(content: bytes) -> bytes:
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


GARBAGE: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "noise": lambda content: os.urandom(len(content)),
    "a part": lambda content: content[: len(content) // 2],
    "the seal alone": lambda content: content[:32],
    "one wrong bit": damaged,
}


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_is_not_run_but_replaced(kept: Path, garbage: str) -> None:
    wanted = back()
    sound = kept_file(kept).read_bytes()
    kept_file(kept).write_bytes(GARBAGE[garbage](sound))
    assert back() == wanted
    assert kept_file(kept).read_bytes() == sound


def test_the_code_of_another_template_is_not_run(kept: Path) -> None:
    wanted = back()
    Templates([], OURS).filled("licenses.svg", {})
    (other,) = kept.rglob("licenses.svg.*.jinja2")
    kept_file(kept).write_bytes(other.read_bytes())
    assert back() == wanted


def test_another_jinja2_compiles_anew(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = back()
    before = kept_file(kept).read_bytes()
    monkeypatch.setattr(jinja2, "__version__", "99.0")
    assert back() == wanted
    assert kept_file(kept).read_bytes()[:32] != before[:32]


def test_a_place_that_cannot_be_written_is_left_alone(kept: Path) -> None:
    kept.write_text("no folder", encoding="utf-8")
    assert "<svg" in back()
    assert kept.read_text(encoding="utf-8") == "no folder"


def test_a_folder_in_the_place_of_the_code_does_not_matter(kept: Path) -> None:
    wanted = back()
    file = kept_file(kept)
    file.unlink()
    file.mkdir()
    assert back() == wanted


def test_nothing_is_kept_where_python_keeps_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert "<svg" in back()
    assert not kept.exists()


def test_the_templates_of_a_set_are_not_kept(kept: Path, tmp_path: Path) -> None:
    own = tmp_path / "set"
    own.mkdir()
    (own / "back.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"/>', "utf-8")
    back()
    before = kept_file(kept).read_bytes()
    assert "path" not in back(own)
    assert [*kept.rglob(KEPT)] == [kept_file(kept)]
    assert kept_file(kept).read_bytes() == before
    assert fill_in(Templates([], OURS).get("back"), {}).root.get("width") == "63.5"


def test_what_the_back_gave_is_remembered_for_its_own_text_alone(tmp_path: Path) -> None:
    (tmp_path / "back.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="50" height="70"/>', "utf-8")
    (tmp_path / "frame.svg").write_text('{% extends "back.svg" %}', "utf-8")
    for folders in ([], [tmp_path], []):
        templates = Templates(folders, OURS)
        assert fill_in(templates.get("back"), {}).root.get("width") == ("50" if folders else "63.5")
        assert templates.files("back") == [folder / "back.svg" for folder in [*folders, OURS[0]]][:1]
    assert fill_in(Templates([tmp_path], OURS).get("frame"), {}).root.get("width") == "50"


def test_pdfs_with_and_without_kept_code_are_the_same(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card_set = write_set(tmp_path / "set", "{name: A, kind: minion, level: 1, sp: 1, hp: 0, text: 'GO: Draw 1 card.'}")
    monkeypatch.setenv("KOTC_STORE", str(card_set))  # within a set there is none, which would know the back

    def made() -> bytes:
        clear_caches(by_content=True)  # nothing is left of the run before but its files
        assert kotc("pdf", card_set, "--out", tmp_path / "a.pdf").exit_code == 0
        return (tmp_path / "a.pdf").read_bytes()

    with monkeypatch.context() as patched:
        patched.setattr(sys, "dont_write_bytecode", True)
        without = made()
    assert not kept.exists()
    assert made() == without
    first = written(kept)
    assert made() == without
    assert written(kept) == first, "it was used"

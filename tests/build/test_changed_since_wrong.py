"""What cannot be compared with is refused in exact words, and nothing is written."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from render.base.findings import printable
from tests.support.builds import built, times
from tests.support.changed_cards import change, printed_set
from tests.support.sets import kotc
from tests.support.systems import with_pipes


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return printed_set(tmp_path)


INVALID = (
    "Usage: kotc build [OPTIONS] [PATH]...\nTry 'kotc build --help' for help.\n\n"
    "Error: Invalid value for --changed-since: "
)
NOT_ONE = "is not the manifest of a build [H001]\n  hint: give a `.kotc.json`, or a copy of one\n1 error\n"
NO_PICTURES = (
    "does not remember what any card looked like [H003]\n"
    "  hint: compare with the manifest of a build that made PNGs or sheets\n1 error\n"
)
OTHER = "kotc, whose manifests have another format [H002]\n  hint: compare with a revision of git instead\n1 error\n"

PAINTED: dict[str, object] = {"size": [63.5, 88.9], "canvas": [72.0, 0.0], "bleed_from": "", "backs": {}}


def refused(folder: Path, given: str, *paths: Path) -> tuple[int, str]:
    before = times(Path())
    result = kotc("build", *(paths or (folder,)), "--out", "out", "--changed-since", given)
    assert times(Path()) == before
    return result.exit_code, result.output


def altered(**changes: object) -> bytes:
    """Return the manifest with other values, as an older kotc wrote it, which had no checksum."""
    return json.dumps({**json.loads(Path("printed.json").read_bytes()), "format": 3, **changes}).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda: b"", NOT_ONE),
        (lambda: b"\xff\xfe", NOT_ONE),
        (lambda: b"[]", NOT_ONE),
        (lambda: b"{}", NOT_ONE),
        (lambda: b"[" * 100_000, NOT_ONE),
        (lambda: Path("printed.json").read_bytes()[:-9], NOT_ONE),
        (lambda: altered(format=4), NOT_ONE),
        (lambda: altered(format="new"), NOT_ONE),
        (lambda: altered(format=float("inf")), NOT_ONE),
        (lambda: altered(pictures=[]), NOT_ONE),
        (lambda: altered(pictures={"thor": [1]}), NOT_ONE),
        (lambda: altered(format=2), f"was written by an older {OTHER}"),
        (lambda: altered(format=99), f"was written by a newer {OTHER}"),
        (lambda: altered(pictures={}), NO_PICTURES),
        (lambda: altered(painted={}), NO_PICTURES),
        (lambda: altered(pictures={"thor": ["1", "a", "b", "c"]}), NOT_ONE),
        (lambda: altered(pictures={"thor": [-1, "a", "b", "c"]}), NO_PICTURES),
        (lambda: altered(pictures={"thor": [1, ["a"], "b", "c"]}), NOT_ONE),
        (lambda: altered(painted={**PAINTED, "canvas": [5000, 0]}), NO_PICTURES),
        (lambda: altered(painted={**PAINTED, "canvas": [0, 0]}), NO_PICTURES),
        (lambda: altered(painted={**PAINTED, "canvas": [72, 6]}), NO_PICTURES),
        (lambda: altered(painted={**PAINTED, "canvas": [300, 0, 1]}), NOT_ONE),
        (lambda: altered(painted={**PAINTED, "size": [float("nan"), 1]}), NO_PICTURES),
        (lambda: altered(painted={**PAINTED, "bleed_from": "#zz"}), NO_PICTURES),
        (lambda: altered(painted={**PAINTED, "backs": {"a": 1}}), NOT_ONE),
    ],
)
def test_a_file_that_is_no_manifest_is_refused(folder: Path, content: Callable[[], bytes], message: str) -> None:
    Path("x.json").write_bytes(content())
    assert refused(folder, "x.json") == (1, f"error: `x.json` {message}")


def test_a_manifest_of_a_build_that_drew_no_card_is_refused(folder: Path) -> None:
    change(folder, ("{png: {dpi: 72}, sheets: true}", "[]"), name="set.yaml")
    built(folder)
    assert refused(folder, "out/set/.kotc.json") == (1, f"error: `out/set/.kotc.json` {NO_PICTURES}")


@with_pipes
def test_what_is_no_file_and_no_folder_of_a_build_is_wrong_usage(folder: Path) -> None:
    Path("empty").mkdir()
    empty = "there is neither `empty/.kotc.json` nor `empty/set/.kotc.json`\n"
    assert refused(folder, "empty") == (2, f"{INVALID}{empty}")
    os.mkfifo("pipe")
    assert refused(folder, "pipe") == (1, f"error: `pipe` {NOT_ONE}")
    for odd in ("", "-x", "--output=x", "a\0b", "a\nb"):
        seen = "\n".join(map(printable, odd.split("\n")))
        message = f"there is no file `{seen}`, and it cannot be a revision of git\n"
        assert refused(folder, odd) == (2, f"{INVALID}{message}")


def test_a_manifest_is_of_one_set(folder: Path) -> None:
    shutil.copytree(folder, "other")
    message = "`printed.json` is of one set, and 2 are built: give the folder that holds those of all\n"
    assert refused(folder, "printed.json", folder, Path("other")) == (2, f"{INVALID}{message}")
    message = message.replace("printed.json", "out/set")
    assert refused(folder, "out/set", folder, Path("other")) == (2, f"{INVALID}{message}")

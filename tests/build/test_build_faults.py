"""Builds that are stopped: files stay whole, the manifest stays true, and the next build ends in the clean tree."""

import errno
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from render.build import manifest, session
from render.build.manifest import Manifest, OutputRecord
from tests.support.builds import built, check_truth, copied, ended, forked, times, tree
from tests.support.full_disk import WITH_OPENING, Failing
from tests.support.repository import ROOT
from tests.support.sets import SET, kotc, write_set
from tests.support.templates import with_plain_back

OLD = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: a.png}
- {name: Two, kind: minion, level: 2, sp: 2, hp: 0}
- {name: Gone, kind: spell, level: 2, text: Draw 1 card.}
"""
UNCHANGED = OLD.splitlines(keepends=True)[2]
NEW = OLD.replace("level: 1", "level: 3").replace("Gone", "Three")
FILES = "png: {dpi: 72}, sheets: true, gallery: true"
SHOPS = "shops: [makeplayingcards, pdf-a2b]"


def a_set(folder: Path, cards: str, outputs: str = FILES) -> Path:
    with_plain_back(write_set(folder, cards, f"{SET}outputs: {{{outputs}}}\n"))
    Image.new("RGB", (700, 430), "red").save(folder / "a.png")
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set of the new cards, built."""
    home = tmp_path_factory.mktemp("home")
    built(a_set(home / "set", NEW))
    return home


@pytest.fixture
def clean(home: Path) -> dict[str, str]:
    """The tree of a clean build of the new cards."""
    return tree(home / "out/set")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set that was built and whose cards have changed since."""
    folder = a_set(tmp_path / "set", OLD)
    built(folder)
    return a_set(folder, NEW)


# --- a call of the system that fails --------------------------------------------------------------------------------

STEP = int(os.environ.get("KOTC_STEP", "3"))  # 1 by the workflow: at every call
SECOND_NAME = re.compile(r"/\.[^/]+\.old$")


@pytest.mark.parametrize(("outputs", "step"), [(FILES, STEP), (SHOPS, STEP + 5)], ids=["files", "files for shops"])
def test_a_write_that_fails_at_any_call_leaves_whole_files_and_the_next_build_completes_them(
    tmp_path: Path, outputs: str, step: int
) -> None:
    old, new = (cards.replace(UNCHANGED, "") for cards in (OLD, NEW))  # or it would take long
    folder = a_set(tmp_path / "set", new, outputs)
    built(folder)
    out, before = tmp_path / "out/set", tmp_path / "before"
    clean = tree(out)
    shutil.rmtree(out)
    built(a_set(folder, old, outputs))
    out.rename(before)
    a_set(folder, new, outputs)
    failed = 0
    for at in range(1, 1000, step):
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(before, out)
        with pytest.MonkeyPatch.context() as patch:
            failing = Failing(patch, at, names=WITH_OPENING)
            result = kotc("build", folder, "--out", out.parent)
        check_truth(out)
        failed += result.exit_code != 0
        assert result.exit_code in (0, 3), result.output
        built(folder)
        # A second name that could not be removed is left beside its file, until the next build that has work to do.
        assert {name: what for name, what in tree(out).items() if not SECOND_NAME.search(name)} == clean, at
        if failing.calls < at:
            break
    assert failed > 10 / step
    assert failing.calls < at


with_fork = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")

# --- kill -9 --------------------------------------------------------------------------------------------------------


@with_fork
def test_a_build_may_be_killed_at_any_moment(tmp_path: Path) -> None:
    """Twenty times, at moments spread over the whole of a build, each going on where the one before was killed."""
    folder, out = a_set(tmp_path / "set", NEW), tmp_path / "out"
    start = time.monotonic()
    assert ended(forked("build", folder, "--out", out)) == 0
    lasts = time.monotonic() - start
    right, moments, stopped = tree(out / "set"), random.Random(5), 0
    for number in range(20):
        cards = (OLD, NEW)[number % 2]
        a_set(folder, cards)
        build = forked("build", folder, "--out", out)
        moment = moments.uniform(0.0, 1.0) * lasts
        time.sleep(moment)
        os.kill(build, signal.SIGKILL)
        if ended(build) == -signal.SIGKILL:
            stopped += 1
        else:
            lasts = moment  # at most: the machine has less else to do by now
        check_truth(out / "set")
    assert stopped > 5
    a_set(folder, NEW)
    built(folder)
    assert tree(out / "set") == right


def test_a_build_that_was_stopped_is_continued(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = folder.parent / "out/set"
    with monkeypatch.context() as patch:
        patch.setattr("render.build.run.print_files", _fail)
        assert kotc("build", folder, "--out", out.parent).exit_code == 3
    before = times(out / "png")
    said = built(folder, "--explain")
    assert "png" not in said.replace("png/gone.png: no longer asked for", "")
    assert times(out / "png") == {name: stamp for name, stamp in before.items() if name != "gone.png"}


def test_a_file_that_a_shop_no_longer_gets_is_removed_even_after_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = a_set(tmp_path / "set", OLD, "shops: [makeplayingcards]")
    built(folder)
    a_set(folder, NEW, "shops: [makeplayingcards]")
    fronts = tmp_path / "out/set/makeplayingcards/fronts"
    with monkeypatch.context() as patch:
        patch.setattr("render.build.run.remove_file", _fail)
        assert kotc("build", folder, "--out", tmp_path / "out").exit_code == 3
    assert (fronts / "gone.png").exists()
    assert "(0 written, 6 unchanged, 1 removed)" in built(folder)
    assert not (fronts / "gone.png").exists()


def _fail(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "sheets.pdf")


def test_what_a_killed_process_left_is_removed_and_nothing_else(folder: Path) -> None:
    out = folder.parent / "out/set"
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    ours, theirs = f".one.png.kotc-{ended.pid}-abcd1234.part", ".one.png.part"
    for name in (ours, theirs):
        (out / "png" / name).write_bytes(b"half")
    built(folder)
    assert not (out / "png" / ours).exists()
    assert (out / "png" / theirs).exists()


# --- a full disk ----------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that is full when the first PNGs are there."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "kotc", disk], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted by root")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="mount works differently elsewhere")
def test_a_full_disk_leaves_whole_files_and_the_next_build_completes_them(
    tmp_path: Path, small_disk: Path, clean: dict[str, str]
) -> None:
    folder, out = a_set(tmp_path / "set", NEW), small_disk / "out"
    result = kotc("build", folder, "--out", out)
    assert result.exit_code == 3
    assert "no space left" in result.output
    check_truth(out / "set")
    subprocess.run(["mount", "-o", "remount,size=60m", small_disk], check=True)
    assert kotc("build", folder, "--out", out).exit_code == 0
    assert tree(out / "set") == clean


# --- two at once ----------------------------------------------------------------------------------------------------


@with_fork
def test_two_builds_at_once_are_one_and_one_that_says_so(tmp_path: Path, clean: dict[str, str]) -> None:
    folder = a_set(tmp_path / "set", NEW)
    codes = []
    for number in range(5):
        out = tmp_path / f"out{number}"
        words = [tmp_path / f"{name}{number}" for name in ("one", "other")]
        both = [forked("build", folder, "--out", out, said=file) for file in words]
        codes.append(sorted(map(ended, both)))
        said = [file.read_text() for file in words]
        assert codes[-1] in ([0, 3], [0, 0]), said  # the second may come when the first is done
        if codes[-1] == [0, 3]:
            assert any("has been building there since" in each for each in said), said
        assert tree(out / "set") == clean
    assert [0, 3] in codes


def test_who_holds_the_folder_is_said(folder: Path) -> None:
    out = folder.parent / "out"
    with session.lock_folder(out / "set"):
        result = kotc("build", folder, "--out", out)
        verified = kotc("build", folder, "--out", out, "--verify")
        looked = kotc("build", folder, "--out", out, "--dry-run")
    assert (result.exit_code, verified.exit_code, looked.exit_code) == (3, 3, 0)
    assert f"cannot use `{out / 'set'}`: process {os.getpid()} on " in result.output
    assert "; try again when it is done, or choose another folder with --out [E001]" in result.output
    assert not (out / "set" / manifest.LOCK).exists()
    built(folder)


def test_a_lock_leaves_no_folder_in_which_nothing_was_made(tmp_path: Path) -> None:
    with session.lock_folder(tmp_path / "a/b"):
        assert (tmp_path / "a/b").is_dir()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_whose_holder_was_killed_is_no_lock(tmp_path: Path) -> None:
    code = "import os, pathlib; from render.build.session import lock_folder\nwith lock_folder(pathlib.Path()): os._exit(9)"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )
    assert ended.returncode == 9
    assert (tmp_path / manifest.LOCK).exists()
    with session.lock_folder(tmp_path):
        pass
    assert not (tmp_path / manifest.LOCK).exists()


# --- what is remembered makes no sense ------------------------------------------------------------------------------


def checked(values: object) -> str:
    """Return values as a build writes them: in one line, with a checksum that is right."""
    body = json.dumps(values, separators=(",", ":"))[:-1]
    return f'{body},"checksum":"{hashlib.sha256(body.encode("ascii")).hexdigest()}"}}\n'


RECORD = {"key": {}, "files": {"mine": "0" * 64}}


@pytest.mark.parametrize(
    "line",
    [
        {"a": 1},
        {"name": 5, "record": RECORD},
        {"name": "png/one.png", "record": {"key": 1, "files": {}}},
        {"name": "x", "record": {**RECORD, "files": {"../mine": hashlib.sha256(b"mine").hexdigest()}}},
        {"read": {"minion": ["/etc/passwd"]}},
        {"read": 7},
    ],
    ids=str,
)
def test_a_line_that_is_no_line_of_ours_does_no_harm(home: Path, tmp_path: Path, line: object) -> None:
    copied(home, tmp_path)
    folder, out = tmp_path / "set", tmp_path / "out/set"
    clean = tree(out)
    (tmp_path / "out/mine").write_text("mine")
    (out / ".kotc.journal").write_text(checked(line))
    (folder / "cards.yaml").write_text((folder / "cards.yaml").read_text() + "\n")
    built(folder)
    assert tree(out) == clean
    assert (tmp_path / "out/mine").read_text() == "mine"


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("program", 5),
        ("read", {"minion": 5}),
        ("read", {"minion": ["a\0b"]}),
        ("read", {"minion": ["a\ud800b"]}),
        ("seen", {"a\0b": None}),
        ("seen", {"a\ud800b": None}),
        ("report", {"pngs": "x"}),
        ("report", {"pngs": float("inf")}),
        ("report", {"findings": [{"code": "X"}]}),
        ("report", {"findings": [{"code": "X", "message": "x", "span": {"file": 5}}]}),
        ("inputs", {"cards.yaml": 3}),
        ("outputs", {"sheets.pdf": {"key": {"cards": 5}, "files": {}}}),
        ("outputs", {"sheets.pdf": {"key": {}, "files": {"../mine": "0"}}}),
    ],
    ids=str,
)
def test_a_manifest_that_makes_no_sense_is_as_good_as_none(
    home: Path, tmp_path: Path, part: str, value: object
) -> None:
    copied(home, tmp_path)
    folder, out = tmp_path / "set", tmp_path / "out/set"
    clean = tree(out)
    remembered = json.loads((out / ".kotc.json").read_text())
    del remembered["checksum"]
    (out / ".kotc.json").write_text(checked({**remembered, part: value}))
    built(folder, "--explain")
    assert tree(out) == clean


def test_the_files_of_an_older_manifest_are_ours(folder: Path) -> None:
    out = folder.parent / "out/set"
    known = json.loads((out / ".kotc.json").read_text())
    for part in ("checksum", "complete", "report", "rules", "checked", "since", "asked", "missing", "ours"):
        known.pop(part)
    report = {"pngs": 3, "sheets": 1, "others": [], "warnings": "", "doubtful": []}
    outputs = {name: {**record, "warnings": "as text"} for name, record in known["outputs"].items()}
    seen = {**known["seen"], "<seal>": "0" * 64}
    old = {**known, "format": 3, "outputs": outputs, "seen": seen, "since": {}, "painted": {}, "told": report}
    (out / ".kotc.json").write_text(json.dumps(old))
    explained = built(folder, "--explain")
    assert "png/gone.png: no longer asked for" in explained
    assert "1 removed)" in explained
    assert not (out / "png/gone.png").exists()


def test_a_manifest_of_any_number_of_cards_has_few_in_a_line_and_none_can_be_lost(tmp_path: Path) -> None:
    folder = tmp_path / "out/set"
    folder.mkdir(parents=True)
    cards = [f"card-{number}" for number in range(2500)]
    outputs = {f"png/{card}.png": OutputRecord({"text": "1"}, {f"png/{card}.png": "2"}) for card in cards[::2]}
    whole = Manifest(
        complete=True, name="Set", outputs=outputs, pictures={card: (1, card, "", "3") for card in reversed(cards)}
    )
    manifest.save(folder, whole)
    assert manifest.read(folder) == whole
    file = folder / ".kotc.json"
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 2 + 3
    assert (
        max(len(entries) for line in lines for entries in json.loads(line).values() if isinstance(entries, dict))
        == 1000
    )
    before = times(folder)
    manifest.save(folder, whole)
    assert times(folder) == before
    manifest.save(folder, replace(whole, name="Another"))
    of_another = file.read_bytes().splitlines(keepends=True)
    damaged = [
        [*lines[:2], lines[3], lines[2], *lines[4:]],
        [*lines[:2], lines[1], *lines[3:]],
        [lines[0], *of_another[1:]],
    ]
    for number, line in enumerate(lines):
        others: tuple[list[bytes], ...] = [], [line.replace(b"1", b"7", 1)], [line, line], [line[:-9]]
        damaged += [[*lines[:number], *other, *lines[number + 1 :]] for other in others]
    for parts in damaged:
        file.write_bytes(b"".join(parts))
        assert manifest.read(folder) == Manifest()

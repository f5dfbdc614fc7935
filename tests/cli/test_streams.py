"""The standard streams: whatever they are, a command ends in words and with the right status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import forks
from tests.support.forks import PATIENCE
from tests.support.repository import ROOT
from tests.support.sets import write_set
from tests.support.templates import with_plain_back

COMMAND = f"'{sys.executable}' -m render"
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no `/dev/full`")
POSIX = pytest.mark.skipif(os.name != "posix", reason="only a POSIX shell closes streams")


def shell(line: str, folder: Path, encoding: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell in a folder, with standard streams in an encoding."""
    where = {"PYTHONPATH": str(ROOT), **({"PYTHONIOENCODING": encoding} if encoding else {})}
    return subprocess.run(["sh", "-c", line], cwd=folder, env={**os.environ, **where}, capture_output=True, check=False)


def said_in(encoding: str, folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a folder, with standard streams in an encoding."""
    return forks.ran(*words, folder=folder, environment={**os.environ, "PYTHONIOENCODING": encoding})


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A folder with a set that has a mistake, in words that few encodings have."""
    write_set(tmp_path / "set", "{name: Mårten →, kind: minion, level: 1, sp: 1, hp: 1, text: '→ 龍 😀'}\n")
    return tmp_path


# --- what a stream cannot show ---


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "no bundled font has `龍`"),
        ("latin-1", "no bundled font has `\\u9f8d`"),
        ("cp1252", "no bundled font has `\\u9f8d`"),
        ("cp437", "{name: Mårten \\u2192,"),
        ("ascii", "{name: M\\xe5rten \\u2192,"),
    ],
)
def test_what_a_stream_cannot_show_is_escaped(wrong: Path, encoding: str, shown: str) -> None:
    ended = said_in(encoding, wrong, "check", "set")
    assert (ended.returncode, b"Traceback" in ended.stderr) == (1, False)
    assert shown in ended.stdout.decode(encoding)


@POSIX
@pytest.mark.parametrize("encoding", ["utf-8", "cp437"])
def test_a_process_of_its_own_says_the_same(wrong: Path, encoding: str) -> None:
    forked = said_in(encoding, wrong, "check", "set")
    ended = shell(f"{COMMAND} check set", wrong, encoding)
    assert (ended.returncode, ended.stdout, ended.stderr) == (forked.returncode, forked.stdout, forked.stderr)


@pytest.mark.parametrize("encoding", ["latin-1", "cp437", "utf-8"])
def test_json_is_ascii_where_the_stream_is_not_utf_8(wrong: Path, encoding: str) -> None:
    ended = said_in(encoding, wrong, "check", "set", "--format", "json")
    assert ended.returncode == 1
    assert ended.stdout.isascii() is (encoding != "utf-8")
    assert "`龍`" in json.loads(ended.stdout)[0]["message"]


@POSIX
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8:surrogateescape"])
def test_a_name_that_is_not_utf_8_is_shown_by_its_bytes_and_escaped_in_json(wrong: Path, encoding: str) -> None:
    name = os.fsdecode(b"b\xff.yaml")
    (wrong / "set/cards.yaml").rename(wrong / "set" / name)
    for form in ("text", "github"):
        said = said_in(encoding, wrong, "check", "set", "--format", form).stdout.decode("latin-1")
        assert said.count("set/b\\xff.yaml") == 1
    said = said_in(encoding, wrong, "check", "set", "--format", "json").stdout.decode("ascii", "replace")
    listed = json.loads(said)
    assert listed[0]["file"] == f"set/{name}"


# --- what is closed or full ---


@POSIX
@pytest.mark.parametrize("command", ["check set", "check set --format json", "edition list", "--help"])
def test_a_standard_output_that_is_closed_is_an_error_of_the_environment(wrong: Path, command: str) -> None:
    ended = shell(f"{COMMAND} {command} >&-", wrong)
    assert (ended.returncode, ended.stderr) == (3, b"error: cannot use `standard output`: it is closed [E001]\n")


@FULL
@pytest.mark.parametrize(("command", "what"), [("check set", "use `standard output`"), ("pdf --help", "print")])
def test_a_standard_output_that_is_full_is_one_too(wrong: Path, command: str, what: str) -> None:
    ended = shell(f"{COMMAND} {command} >/dev/full", wrong)
    said = f"error: cannot {what}: no space left on device [E001]\n"
    assert (ended.returncode, ended.stderr.decode()) == (3, said)


@FULL
@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full"])
def test_where_nothing_can_be_said_the_status_still_is_right(wrong: Path, streams: str) -> None:
    ended = shell(f"( {COMMAND} check set {streams} )", wrong)
    assert (ended.returncode, ended.stderr) == (3, b"")


@POSIX
def test_a_command_that_has_nothing_to_print_does_not_need_the_stream(tmp_path: Path) -> None:
    with_plain_back(write_set(tmp_path / "set", "{name: Wolf, kind: minion, level: 1, sp: 1, hp: 1}\n"))
    ended = shell(f"{COMMAND} build set <&- >&-", tmp_path)
    assert (ended.returncode, b"1 PNG and 1 sheet in out/set" in ended.stderr) == (0, True)


@POSIX
def test_no_file_that_is_written_takes_the_place_of_a_stream_that_is_closed(tmp_path: Path) -> None:
    with_plain_back(write_set(tmp_path / "set", "{name: Wolf, kind: minion, level: 1, sp: 1, hp: 1}\n"))
    shell(f"{COMMAND} pdf set --out open.pdf; {COMMAND} pdf set --out closed.pdf <&- >&- 2>&-", tmp_path)
    assert (tmp_path / "closed.pdf").read_bytes() == (tmp_path / "open.pdf").read_bytes()


@POSIX
@pytest.mark.parametrize("unread", ["stdout", "stderr"])
def test_so_does_a_process_of_its_own(wrong: Path, unread: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    other = {"stdout": "stderr", "stderr": "stdout"}[unread]
    line = [sys.executable, "-m", "render", "check", "set"]
    ended = subprocess.run(line, cwd=wrong, env=where, check=False, **{unread: writer, other: subprocess.PIPE})  # type: ignore[call-overload] # streams by name
    os.close(writer)
    assert ended.returncode == 1
    assert b"Traceback" not in (ended.stderr or b"")


@POSIX
@pytest.mark.parametrize(
    ("command", "status"),
    [("check set", 1), ("check set --format json", 1), ("check sound", 0), ("png sound --out made", 0)],
)
@pytest.mark.parametrize("unread", ["stdout", "stderr"])
def test_a_command_goes_on_when_nobody_reads_what_it_says(
    wrong: Path, command: str, status: int, unread: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write_set(wrong / "sound", "{name: Ant, kind: minion, level: 3, sp: 1, hp: 1, text: 'BITE: Nap.'}\n")
    reader, writer = os.pipe()
    os.close(reader)
    streams = (0, writer, 2) if unread == "stdout" else (0, 1, writer)
    child = forks.begun(*command.split(), folder=wrong, environment=os.environ, streams=streams)
    os.close(writer)
    assert child.wait(PATIENCE) == status
    assert "Traceback" not in capfd.readouterr().err
    assert (wrong / "made/ant.png").exists() is command.startswith("png")


# --- what a system does not give ---


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to these limits")
@pytest.mark.parametrize(
    ("command", "limit"),
    [
        *[("check", limit) for limit in ("-v 80000", "-n 10")],
        *[("build", limit) for limit in ("-v 60000", "-v 80000", "-v 100000", "-n 8", "-n 10", "-n 12")],
    ],
)
def test_a_system_that_gives_too_little_ends_a_command_in_words(command: str, limit: str, tmp_path: Path) -> None:
    line = f"ulimit {limit} && exec {COMMAND} {command} '{ROOT}/cards/windfall'"
    ended = shell(line, tmp_path)
    assert ended.returncode in (0, 3), ended.stderr
    assert b"Traceback" not in ended.stderr
    assert ended.returncode == 0 or ended.stderr.splitlines()[0].startswith(b"error: ")

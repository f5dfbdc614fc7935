"""Workers stay for the next request, none outlives its work, and what ends one does not reach the next request."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import pytest

from render.base import forking, guard
from render.base.guard import TooMuchError, WorkFailedError
from render.base.limits import Limits
from render.base.memory import lacks_memory
from tests.support import guarded_work as work
from tests.support.repository import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists processes like this")

LIMITS = Limits(1.0, 200_000_000)
WAYS = {"forked": True, "started": False}


@pytest.fixture(params=WAYS, autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """How a worker begins: both ways answer alike."""
    guard._WORKERS.end()
    monkeypatch.setattr(forking, "is_single_threaded", lambda: WAYS[request.param])
    yield
    guard._WORKERS.end()


def children(parent: int) -> set[int]:
    """Return the numbers of the processes that a process has."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return {int(number) for task in tasks for number in task.read_text().split()}


def alone() -> int:
    """Return the number of the worker that answers."""
    answer: int = guard.run(work.number, limits=LIMITS)
    return answer


def gone(numbers: set[int], seconds: float = 60) -> bool:
    """Whether all processes have ended, in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not any(map(_runs, numbers)):
            return True
        time.sleep(0.02)
    return False


def _runs(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_values_and_bytes_come_back_as_they_were() -> None:
    values = [None, True, 1.5, 10**40, "ü\ud800", b"\0\xff", ["a", [b"", {"b": b"cd", "e": {}}]], b"x" * 300_000]
    assert guard.run(work.give_back, b"", {}, limits=LIMITS) == [b"", {}]
    assert guard.run(work.give_back, *values, limits=LIMITS) == values


def test_one_worker_answers_one_request_after_the_other() -> None:
    assert len({alone() for _ in range(20)}) == 1


def test_threads_have_workers_of_their_own_and_get_their_own_answers() -> None:
    with ThreadPoolExecutor(3) as pool:
        answers = [*pool.map(lambda each: guard.run(work.give_back, each, limits=LIMITS), range(50))]
    assert answers == [[each] for each in range(50)]


@pytest.mark.parametrize("end", work.ENDS)
def test_what_ends_a_worker_is_told_and_the_next_answers(end: str) -> None:
    function, args = work.ENDS[end]
    before, start = alone(), time.process_time()
    with pytest.raises(TooMuchError) as error:
        guard.run(function, *args, limits=Limits(0.3, 200_000_000))
    assert error.value.what == ("time" if end in ("time", "one instruction") else "memory")
    assert time.process_time() - start < 1  # here, where it was waited for
    assert alone() not in (before, os.getpid())


def test_an_error_keeps_its_name_and_its_words() -> None:
    with pytest.raises(WorkFailedError, match="no such thing") as error:
        guard.run(work.raise_error, "no such thing", limits=LIMITS)
    assert error.value.kind == "LookupError"
    with pytest.raises(WorkFailedError) as error:
        guard.run(work.recurse, limits=LIMITS)
    assert error.value.kind == "RecursionError"


def test_a_worker_that_waits_for_something_is_late_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_LEAST_PATIENCE", 0.2)
    with pytest.raises(TooMuchError) as error:
        guard.run(work.sleep, limits=Limits(0.1, 200_000_000))
    assert error.value.what == "time"


def test_the_time_and_memory_of_one_request_are_not_taken_from_the_next() -> None:
    numbers = {guard.run(work.spin, 0.1, limits=Limits(0.25, 200_000_000)) for _ in range(4)}
    assert numbers == {alone()}
    for _ in range(4):
        assert guard.run(work.take_memory, 150_000_000, limits=LIMITS) == 150_000_000
    with pytest.raises(TooMuchError):
        guard.run(work.take_memory, 2_000_000_000, limits=LIMITS)  # freed memory may still be mapped


def test_an_idle_worker_that_is_killed_is_replaced_unseen() -> None:
    before = alone()
    os.kill(before, signal.SIGKILL)
    assert alone() != before


def test_a_worker_that_is_killed_while_it_works_is_replaced_unseen(tmp_path: Path) -> None:
    assert guard.run(work.stop_once, str(tmp_path / "stopped"), limits=LIMITS) == str(tmp_path / "stopped")


def test_a_worker_whose_folder_was_removed_stands_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    worker = alone()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gone").rmdir()
    assert guard.run(work.folder, limits=LIMITS) == os.sep
    assert alone() == worker


def test_what_is_printed_is_no_answer() -> None:
    assert guard.run(work.print_words, limits=LIMITS) == "done"


def test_a_worker_has_no_file_of_this_process_open(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w"):
        assert str(tmp_path / "lock") not in guard.run(work.open_files, limits=LIMITS)


def test_a_worker_may_be_started_with_variables() -> None:
    for value in ("a", "b"):
        assert guard.run(work.variable, "KOTC_X", limits=LIMITS, environment={"KOTC_X": value}) == value
    assert guard.run(work.variable, "KOTC_X", limits=LIMITS) is None


def test_a_forked_process_has_workers_of_its_own() -> None:
    before = alone()
    child = os.fork()
    if not child:
        os._exit(0 if alone() != before and alone() == alone() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert alone() == before


PROGRAM = f"""
import sys, threading, time
sys.path.insert(0, {str(ROOT)!r})
from render.base import forking, guard, limits
from tests.support import guarded_work as work
forking.is_single_threaded = lambda: {{}}
guard.run(work.number, limits=limits.Limits(1.0, 10**9))
print("ready", flush=True)
{{}}
"""


def program(does: str) -> subprocess.Popen[bytes]:
    forks = forking.is_single_threaded()
    command = [sys.executable, "-c", PROGRAM.format(forks, does)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.mark.parametrize(
    ("does", "by"),
    [("pass", None), ("time.sleep(60)", signal.SIGKILL), ("time.sleep(60)", signal.SIGTERM), ("1 / 0", None)],
    ids=["ends", "is killed", "is stopped", "fails"],
)
def test_workers_end_with_the_process_that_they_work_for(does: str, by: signal.Signals | None) -> None:
    with program(does) as process:
        found = children(process.pid) if by else set()
        if by:
            assert found
            process.send_signal(by)
        process.wait()
        assert gone(found)


def test_ctrl_c_ends_work_that_is_under_way_at_once() -> None:
    with program("guard.run(work.spin, limits=limits.Limits(60.0, 10**9))") as process:
        found = children(process.pid)
        time.sleep(0.3)
        start = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait() != 0
        assert time.monotonic() - start < 20
        assert gone(found)


def test_a_worker_can_be_forked_before_there_are_threads() -> None:
    guard.prepare()
    idle = len(guard._WORKERS._idle)
    answers: list[object] = []
    thread = Thread(target=lambda: answers.append(alone()))
    thread.start()
    thread.join()
    assert idle == forking.is_single_threaded()
    assert answers


def test_a_library_without_room_is_a_lack_of_memory_however_deep_it_was_met() -> None:
    no_room = ImportError("libzstd.so: failed to map segment from shared object")
    try:
        try:
            raise no_room
        except ImportError as error:
            raise RuntimeError("the core of Pillow is missing") from error
    except RuntimeError as error:
        assert lacks_memory(error)
    assert lacks_memory(no_room)
    assert not lacks_memory(ImportError("No module named 'fsspec'"))

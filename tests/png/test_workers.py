"""PNGs by several processes: the same bytes whoever makes them, in order, and none lost to the error of another."""

import errno
import hashlib
import itertools
import multiprocessing.synchronize
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Thread
from weakref import WeakSet

import pytest
from msgspec.structs import replace
from PIL import Image

from render.base.geometry import Rect, Size
from render.base.lazily import Lazily
from render.base.spill import Spill
from render.png import packing, workers, writer
from render.png.canvas import Canvas
from render.png.writer import Done, Failed, PngJob
from render.scene.at_rest import pack, put_to_rest
from render.scene.items import Outline, Picture, Scene
from render.scene.items import Path as Shape
from tests.support.builds import without_progress
from tests.support.full_disk import Failing
from tests.support.interruptions import interrupted_after, interrupted_at_line
from tests.support.sets import kotc, write_set

pytestmark = pytest.mark.usefixtures("all_cores")

SIZE = Size(63.5, 88.9)
CANVAS = Canvas(72)


def shape(at: float) -> Shape:
    return Shape((Outline((at, 5.0), ((at + 20, 5.0), (at + 20, 60.0), (at, 60.0)), True),), (20, 90, 160))


def jobs(folder: Path, count: int) -> list[PngJob]:
    return [
        PngJob(file=folder / f"{n:03}.png", scene=Scene(SIZE, (shape(n % 40),)), canvas=CANVAS) for n in range(count)
    ]


def pictured(folder: Path, count: int, pictures: int, turn: int = 0) -> list[PngJob]:
    """Return jobs that show so many pictures in turn."""
    found = []
    for n in range(pictures):
        file = folder / f"art{n}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.linear_gradient("L").resize((60, 40)).rotate(17 * n + turn).convert("RGB").save(file)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        found.append(Picture(file=file, digest=digest, box=Rect(5, 10, 50, 40), crop=Rect(0, 0, 1, 1)))
    return [
        PngJob(file=folder / f"{n:03}.png", scene=Scene(SIZE, (shape(n % 40), found[n % pictures])), canvas=CANVAS)
        for n in range(count)
    ]


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("[0-9]*"))}


@pytest.mark.parametrize("count", [2, 3])
def test_processes_make_the_bytes_that_one_makes(tmp_path: Path, count: int) -> None:
    alone = list(workers.make(pictured(tmp_path / "one", 30, 4), workers.Workers(1)))
    shared = list(workers.make(pictured(tmp_path / "many", 30, 4), workers.Workers(count)))
    assert [result.file.name for result in shared] == [f"{n:03}.png" for n in range(30)]
    assert shared == [replace(result, file=tmp_path / "many" / result.file.name) for result in alone]
    assert contents(tmp_path / "many") == contents(tmp_path / "one")


def test_a_system_without_shared_memory_has_one_process_do_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "read-only file system")

    monkeypatch.setattr(multiprocessing.synchronize.SemLock, "__init__", refuse)
    assert [type(each) for each in workers.make(jobs(tmp_path, 30), workers.Workers(2))] == [Done] * 30


def test_a_result_tells_the_digests_of_the_file_and_of_its_pixels(tmp_path: Path) -> None:
    (done,) = workers.make(jobs(tmp_path, 1))
    file = tmp_path / "000.png"
    with Image.open(file) as image:
        pixels = packing.digest(image)
    assert done == Done(file, hashlib.sha256(file.read_bytes()).hexdigest(), pixels)


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_in_one_card_does_not_lose_the_others(tmp_path: Path, count: int) -> None:
    wanted = pictured(tmp_path, 30, 3, turn=count)  # none that is known already
    (tmp_path / "art1.png").write_bytes(b"changed")
    (tmp_path / "000.png").mkdir()
    results = list(workers.make(wanted, workers.Workers(count)))
    failed = [index for index, result in enumerate(results) if isinstance(result, Failed)]
    assert failed == sorted({0, *range(1, 30, 3)})
    assert isinstance(results[0], Failed) and isinstance(results[0].error, IsADirectoryError)
    assert len(contents_of_files(tmp_path)) == 30 - len(failed)


@pytest.mark.parametrize("count", [1, 2])
def test_of_all_files_those_that_failed_are_told_in_order(tmp_path: Path, count: int) -> None:
    wanted = pictured(tmp_path, 30, 3, turn=10 + count)
    for name in ("028", "002", "017"):
        (tmp_path / f"{name}.png").mkdir()
    failed = workers.make_all(wanted, workers.Workers(count))
    assert [each.file.name for each in failed] == ["002.png", "017.png", "028.png"]
    assert len(contents_of_files(tmp_path)) == 27


def contents_of_files(folder: Path) -> list[Path]:
    return [file for file in folder.glob("[0-9]*.png") if file.is_file()]


def test_all_are_counted_as_they_are_made(tmp_path: Path) -> None:
    told: list[int] = []
    list(workers.make(jobs(tmp_path, 45), workers.Workers(2, made=told.append)))
    assert sum(told) == 45
    assert len(told) > 4


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of another kind there")
@pytest.mark.parametrize("count", [1, 2])
def test_all_that_are_made_are_counted_whenever_ctrl_c_comes(tmp_path: Path, count: int) -> None:
    told = [0]

    def work(turn: int) -> None:
        list(workers.make(jobs(tmp_path / str(turn), 40), workers.Workers(count, made=told.append)))

    lasts, moments, stopped = 1.0, random.Random(count), 0
    for turn in itertools.count():
        told[:], start = [0], time.monotonic()
        if interrupted_after(moments.uniform(0.1, 0.9) * lasts, partial(work, turn)):
            stopped += 1
        else:
            lasts = time.monotonic() - start
        assert sum(told) == len(contents(tmp_path / str(turn)))
        if stopped > 8 // count:
            break


@pytest.mark.parametrize(("count", "cards", "most", "step"), [(1, 3, 800, 11), (2, 20, 1800, 151)])
def test_ctrl_c_within_pythons_own_locks_leaves_none_of_them_locked(
    tmp_path: Path, count: int, cards: int, most: int, step: int
) -> None:
    """A lock that stays locked is waited for when the threads end, for ever."""
    told = [0]

    def work(at: int) -> None:
        list(workers.make(jobs(tmp_path / str(at), cards), workers.Workers(count, made=told.append)))

    came = 0
    for at in range(1, most, step):
        told[:] = [0]
        came += interrupted_at_line(at, partial(work, at))
        assert sum(told) == len(contents(tmp_path / str(at)))
    assert came > 5  # else Python no longer has its locks where this looks for them


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of another kind there")
@pytest.mark.parametrize("at", [1, 20, 30])
def test_a_file_that_ctrl_c_finds_half_written_is_written_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    told = [0]
    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as executor:
        renaming = Failing(patch, at, lambda: signal.raise_signal(signal.SIGINT), ["replace"])
        with pytest.raises(KeyboardInterrupt):
            list(workers.make(jobs(tmp_path, 30), workers.Workers(executor=executor, made=told.append)))
    assert renaming.calls >= at
    assert sum(told) == len(contents(tmp_path)) >= at


def test_a_process_that_ignores_ctrl_c_is_not_stopped_by_it_as_it_ends_its_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As workers do: a signal that comes while their writers are waited for is no reason to lose cards."""
    shut_down = ThreadPoolExecutor.shutdown

    def disturbed(self: ThreadPoolExecutor, wait: bool = True, *, cancel_futures: bool = False) -> None:
        signal.raise_signal(signal.SIGINT)
        shut_down(self, wait, cancel_futures=cancel_futures)

    monkeypatch.setattr(ThreadPoolExecutor, "shutdown", disturbed)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert len(list(writer.write_jobs(jobs(tmp_path, 3)))) == 3
    finally:
        signal.signal(signal.SIGINT, before)


def test_cards_with_the_same_picture_are_made_one_after_the_other(tmp_path: Path) -> None:
    chunks = list(workers.chunks(pictured(tmp_path, 40, 4), 10))
    assert [[number % 4 for number in chunk] for chunk in chunks] == [[n] * 10 for n in range(4)]


def test_of_cards_with_the_same_picture_those_of_a_kind_follow_each_other(tmp_path: Path) -> None:
    jobs = [replace(job, kind=f"{number % 3}") for number, job in enumerate(pictured(tmp_path, 40, 2))]
    chunk, *_ = workers.chunks(jobs, 20)
    assert [number % 3 for number in chunk] == sorted(number % 3 for number in range(0, 40, 2))


@pytest.mark.parametrize(("count", "pictures", "size"), [(100, 100, 13), (31, 2, 4), (30, 7, 25), (1, 1, 4)])
def test_every_card_is_in_one_chunk_and_none_is_too_large(tmp_path: Path, count: int, pictures: int, size: int) -> None:
    chunks = list(workers.chunks(pictured(tmp_path, count, pictures), size))
    assert sorted(number for chunk in chunks for number in chunk) == list(range(count))
    assert max(map(len, chunks)) <= size


class Job(PngJob, frozen=True, kw_only=True, weakref=True):
    """A job of which is known whether it is still in memory."""


@pytest.mark.parametrize("rests", [False, True])
def test_few_jobs_are_in_memory_at_a_time(tmp_path: Path, rests: bool) -> None:
    spill, wanted, drawn = Spill(), jobs(tmp_path, 400), 0
    alive, most = WeakSet[Job](), 0

    def make(job: PngJob) -> PngJob:
        nonlocal most
        fresh = Job(file=job.file, scene=put_to_rest(spill, pack(job.scene)) if rests else job.scene, canvas=CANVAS)
        alive.add(fresh)
        most = max(most, len(alive))
        return fresh

    for result in workers.make(Lazily(wanted, make), workers.Workers(2)):
        drawn += isinstance(result, Done)
    assert drawn == 400
    assert most <= 200  # of 400


def test_a_worker_that_dies_fails_its_cards_with_words(tmp_path: Path) -> None:
    wanted = [*jobs(tmp_path, 29), Deadly(file=tmp_path / "029.png", scene=Scene(SIZE, ()), canvas=CANVAS)]
    results = list(workers.make(wanted, workers.Workers(2)))
    assert isinstance(results[29], Failed)
    assert isinstance(results[29].error, OSError)
    assert "another program stopped a process" in str(results[29].error)


class Deadly(PngJob, frozen=True):
    """A process that draws it is gone."""

    @property
    def shown(self) -> Scene:
        os._exit(1)


@pytest.fixture
def hundred(tmp_path: Path) -> Path:
    cards = "".join(f"- {{name: Card {n}, kind: minion, level: 1, sp: 1, hp: 0}}\n" for n in range(100))
    return write_set(tmp_path / "set", cards)


def test_the_command_makes_the_same_bytes_with_one_worker_and_with_two(hundred: Path, tmp_path: Path) -> None:
    for count in "1", "2":
        result = kotc("png", hundred, "--dpi", "72", "--workers", count, "--out", tmp_path / count)
        assert result.exit_code == 0, result.output
    assert len(contents_of_cards(tmp_path / "1")) == 100
    assert contents_of_cards(tmp_path / "1") == contents_of_cards(tmp_path / "2")


def contents_of_cards(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def ended_by(
    sent: Callable[[int, int], None], number: int, hundred: Path, folder: Path, *options: str
) -> tuple[subprocess.Popen[str], Path]:
    """Begin to draw in large, send a signal once there are files, and return the process that it ended, and them."""
    for turn in range(100):  # it may be done before it is ended
        out = folder / str(turn)
        command = [sys.executable, "-m", "render", "png", str(hundred), "--dpi", "600", "--out", str(out), *options]
        process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True
        )
        while process.poll() is None and len(list(out.glob("card*.png"))) < 3:
            time.sleep(0.02)
        if process.poll() is None:
            sent(process.pid, number)
        if process.wait(60):
            break
    return process, out


@pytest.fixture(params=["1", "2"])
def count(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of another kind there")
def test_ctrl_c_stops_with_whole_files_and_says_how_many(hundred: Path, tmp_path: Path, count: str) -> None:
    # The whole group, as a terminal does: the workers get it too.
    process, out = ended_by(os.killpg, signal.SIGINT, hundred, tmp_path, "--workers", count)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130, said
    files = list(out.iterdir())
    assert without_progress(said) == f"stopped after {len(files)} of 100 PNGs\n"
    for file in files:
        assert file.suffix == ".png"
        Image.open(file).load()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_leave_when_the_process_is_killed_that_began_them(hundred: Path, tmp_path: Path) -> None:
    process, out = ended_by(os.kill, signal.SIGKILL, hundred, tmp_path, "--workers", "2")
    assert process.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 60
    while group_of(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for file in out.glob("card*.png"):
        Image.open(file).load()


@pytest.mark.skipif(sys.platform != "linux", reason="signals are of another kind there")
@pytest.mark.parametrize("anew", [False, True])
def test_what_a_killed_worker_had_is_lost_and_the_rest_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, anew: bool
) -> None:
    monkeypatch.setattr(workers, "MANY", 25)
    told: list[int] = []

    def kill_one(count: int) -> None:
        told.append(count)
        if len(told) == 1:
            os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)

    jobs = pictured(tmp_path, 300, 4)
    results = list(workers.make(jobs, workers.Workers(2, made=kill_one, anew=anew)))
    lost = [each for each in results if isinstance(each, Failed)]
    assert {str(each.error) for each in lost} == {"[Errno 10] another program stopped a process that was drawing"}
    assert 0 < len(lost) <= 150
    assert [each.file for each in results] == [job.file for job in jobs]
    for each in tmp_path.glob("[0-9]*.png"):
        Image.open(each).load()


def group_of(number: int) -> list[str]:
    """Return the processes of a session that are not gone."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == number and fields[0] != "Z":
            found.append(status.parent.name)
    return found


@pytest.mark.parametrize("answer", [None, b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", bytes(8)])
def test_a_scheduler_that_does_not_answer_is_said_to_be_silent(
    answer: bytes | None, hundred: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens, or somebody does and says nothing, or is a server of another kind."""
    pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    monkeypatch.setattr("render.base.dask.PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1] if answer is not None else 9
        if answer:
            Thread(target=lambda: server.accept()[0].sendall(answer), daemon=True).start()
        begun = time.monotonic()
        result = kotc("png", hundred, "--scheduler", f"tcp://127.0.0.1:{port}", "--out", tmp_path / "out")
    assert result.exit_code == 3
    assert "no scheduler answers there" in result.output
    assert time.monotonic() - begun < 30


def test_processes_that_begin_anew_make_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MANY", 25)
    told: list[int] = []
    usual = list(workers.make(pictured(tmp_path / "usual", 30, 4), workers.Workers(2)))
    anew = list(workers.make(pictured(tmp_path / "anew", 30, 4), workers.Workers(2, made=told.append, anew=True)))
    assert sum(told) == 30
    assert [(each.digest, each.pixels) for each in anew] == [(each.digest, each.pixels) for each in usual]  # type: ignore[union-attr]

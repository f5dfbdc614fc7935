"""Sheets and pictures by the workers of any executor: the same bytes and the same findings as by this process alone."""

import errno
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import render
from render.base.caches import clear_caches
from render.base.executors import ForeignWorkerError, check_version, leaving_beside, map_by_workers
from tests.support.builds import tree
from tests.support.full_set import everything
from tests.support.repository import ROOT
from tests.support.sets import kotc


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("render.base.executors._PART", 10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set with pictures and templates of its own, whose cards are three parts; one picture is too small."""
    made = everything(tmp_path_factory.mktemp("by-workers") / "set", [])
    cards = [f"- {{name: Card {n}, kind: minion, level: 2, sp: 1, hp: 1, art: {'ab'[n % 2]}.{('jpg', 'png')[n % 2]}}}"
             for n in range(24)]  # fmt: skip
    (made / "more.yaml").write_text("\n".join(cards), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Dask cluster of two workers on this machine."""
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    with distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=2, dashboard_address=":0") as found:
        yield found.scheduler_address


@pytest.fixture(scope="module", params=["threads", "processes", "cluster"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param == "cluster":
        pytest.importorskip("distributed", reason="the extra `dask` is not installed")
        from render.base.dask import connect

        with connect(request.getfixturevalue("cluster")) as connected:
            yield connected
    else:
        spawned = multiprocessing.get_context("spawn")
        with ThreadPoolExecutor(2) if request.param == "threads" else ProcessPoolExecutor(2, spawned) as pool:
            yield pool


def test_sheets_are_the_same(folder: Path, executor: Executor, tmp_path: Path) -> None:
    of_yaml = [ROOT / "cards/windfall"] if isinstance(executor, ProcessPoolExecutor) else []  # its game goes along
    for place in (folder, *of_yaml):
        sets = render.load_sets(place)
        here = render.write_sheets(sets, tmp_path / "here.pdf")
        there = render.write_sheets(sets, tmp_path / "there.pdf", executor=executor)
        assert [file.read_bytes() for file in there] == [file.read_bytes() for file in here]


def test_pictures_are_the_same(folder: Path, executor: Executor, tmp_path: Path) -> None:
    sets = render.load_sets(ROOT / "cards/windfall")
    here = render.write_pngs(sets, tmp_path / "here", dpi=72, bleed=2)
    there = render.write_pngs(sets, tmp_path / "there", dpi=72, bleed=2, executor=executor)
    assert [file.name for file in there] == [file.name for file in here]
    assert [file.read_bytes() for file in there] == [file.read_bytes() for file in here]
    render.build_sets(folder, tmp_path / "here")
    render.build_sets(folder, tmp_path / "there", executor=executor)
    built = sorted((tmp_path / "here/set/png").iterdir())
    assert [file.read_bytes() for file in sorted((tmp_path / "there/set/png").iterdir())] == [
        file.read_bytes() for file in built
    ]


def test_findings_are_the_same(folder: Path, executor: Executor) -> None:
    (card_set,) = render.load_sets(folder)
    here, there = render.lay_out_set(card_set), render.lay_out_set(card_set, executor=executor)
    assert there == here
    assert there.findings
    (folder / "wrong.yaml").write_text(
        "- {name: Wrong, kind: spell, level: 2, text: Draw 1 card., art: gone.jpg}\n"
        "- {name: Long, kind: spell, level: 2, text: 'Draw 1 card.', template: none-such}\n",
        encoding="utf-8",
    )
    try:
        (card_set,) = render.load_sets(folder)
        refused = []
        for by in (None, executor):
            with pytest.raises(render.Refused) as error:
                render.lay_out_set(card_set, executor=by)
            refused.append(error.value.findings)
        assert refused[0] == refused[1]
    finally:
        (folder / "wrong.yaml").unlink()


COMMANDS = {
    "pdf": ["--sheets-per-file", "0", "--out", "{}/all.pdf"],
    "png": ["--dpi", "72", "--out", "{}"],
    "build": ["--out", "{}"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_uses_a_cluster_that_stands_in_another_folder(
    command: str, folder: Path, cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its workers find no file by the names that are used here."""
    monkeypatch.chdir(folder.parent)
    for name, options in (("here", []), ("there", ["--scheduler", cluster])):
        (tmp_path / name).mkdir()
        where = [each.format(tmp_path / name) for each in COMMANDS[command]]
        result = kotc(command, "set", "--no-store", *where, *options)
        assert result.exit_code == 0, result.output
    assert tree(tmp_path / "there") == tree(tmp_path / "here") != {}


def test_an_error_at_a_cluster_does_not_lose_the_others(folder: Path, cluster: str, tmp_path: Path) -> None:
    (tmp_path / "card-7.png").mkdir()
    result = kotc("png", folder, "--dpi", "72", "--scheduler", cluster, "--out", tmp_path)
    assert result.exit_code == 3
    assert f"cannot use `{tmp_path / 'card-7.png'}`: is a directory" in result.output
    assert len([file for file in tmp_path.iterdir() if file.is_file()]) == 26


def test_what_workers_do_not_see_is_laid_out_here(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their own folder is another one, and the paths of the set are relative."""
    sets = render.load_sets(folder)
    render.write_sheets(sets, tmp_path / "here.pdf")
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(os.chdir, tmp_path).result()
        monkeypatch.chdir(folder.parent)
        render.write_sheets(render.load_sets("set"), tmp_path / "there.pdf", executor=pool)
    here, there = (sorted(tmp_path.glob(f"{name}*.pdf")) for name in ("here", "there"))
    assert [file.read_bytes() for file in there] == [file.read_bytes() for file in here]


def test_workers_that_live_long_see_what_changes(tmp_path: Path) -> None:
    folder = everything(tmp_path / "set", [])
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        before = render.write_sheets(render.load_sets(folder), tmp_path / "before.pdf", executor=pool)
        Image.linear_gradient("L").convert("RGB").resize((700, 430)).save(folder / "a.jpg")
        frame = folder / "frame.svg"
        frame.write_text(frame.read_text(encoding="utf-8").replace('width="57.125"', 'width="50"'), encoding="utf-8")
        there = render.write_sheets(render.load_sets(folder), tmp_path / "there.pdf", executor=pool)
    clear_caches()
    here = render.write_sheets(render.load_sets(folder), tmp_path / "here.pdf")
    assert [file.read_bytes() for file in there] == [file.read_bytes() for file in here]
    assert [file.read_bytes() for file in there] != [file.read_bytes() for file in before]


# --- the workers themselves -----------------------------------------------------------------------------------------


def squares(numbers: Sequence[int]) -> list[int]:
    return [number * number for number in numbers]


def squares_of_the_living(numbers: Sequence[int]) -> list[int]:
    if 42 in numbers and multiprocessing.parent_process():
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(numbers)


def test_results_come_in_order_and_are_counted(executor: Executor) -> None:
    steps: list[int] = []
    assert list(map_by_workers(executor, squares, range(1050), steps.append, size=10)) == squares(range(1050))
    assert sum(steps) == 1050


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of another kind there")
def test_what_a_killed_worker_had_is_done_here() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = list(map_by_workers(pool, squares_of_the_living, range(100), size=10))
    assert found == squares(range(100))


def test_an_error_is_raised_and_what_waits_is_cancelled() -> None:
    begun: list[int] = []

    def fail(numbers: Sequence[int]) -> list[int]:
        begun.extend(numbers)
        raise ValueError("no")

    with ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="no"):
        list(map_by_workers(pool, fail, range(1000), size=1))
    assert len(begun) < 30


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(ForeignWorkerError, match=r"a worker of the cluster has kotc 0.*, and this is 99"):
        check_version("99")


# --- what workers leave beside an output ----------------------------------------------------------------------------


class Told(ThreadPoolExecutor):
    """Notes what its workers return, and lets something happen to what they left."""

    def __init__(self, place: Path, happens: Callable[[Path], object] = lambda _: None) -> None:
        super().__init__(2)
        self.returned, self._place, self._happens = list[Any](), place, happens

    def submit(self, *given: Any, **named: Any) -> Future[Any]:
        future = super().submit(*given, **named)
        self.returned.append(future.result())
        for left in self._place.rglob(".*.part"):
            if b"beside this file" not in left.read_bytes():  # else it is the mark
                self._happens(left)
        return future


@pytest.mark.parametrize("is_far", [False, True])
def test_digests_alone_come_back_and_nothing_stays_beside_the_sheets(
    folder: Path, tmp_path: Path, *, is_far: bool
) -> None:
    if is_far:
        pytest.importorskip("fsspec", reason="the extra `url` is not installed")
    sets = render.load_sets(folder)
    here = render.write_sheets(sets, tmp_path / "here.pdf")
    place = tmp_path / "new"
    seen: list[Path] = []
    with Told(tmp_path, seen.append) as pool:
        if is_far:
            place.mkdir()
            render.write_sheets(sets, render.Address(f"local://{place}") / "a.pdf", executor=pool)
        else:
            render.write_sheets(sets, place / "a.pdf", executor=pool)
    assert len({*seen}) == len(pool.returned) > 2
    assert all(len(pickle.dumps(each)) < 200 for each in pool.returned)
    there = [place / file.name.replace("here", "a") for file in here]
    assert [file.read_bytes() for file in there] == [file.read_bytes() for file in here]
    assert {file.suffix for file in tmp_path.rglob("*") if file != place} == {".pdf"}


def _damaged(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1] + b"?")


@pytest.mark.parametrize("happens", [Path.unlink, _damaged])
def test_what_was_left_and_is_lost_or_damaged_is_done_here(
    happens: Callable[[Path], object], folder: Path, tmp_path: Path
) -> None:
    sets = render.load_sets(folder)
    here = render.write_sheets(sets, tmp_path / "here.pdf")
    with Told(tmp_path, happens) as pool:
        there = render.write_sheets(sets, tmp_path / "there.pdf", executor=pool)
    assert [file.read_bytes() for file in there] == [file.read_bytes() for file in here]


def test_who_does_not_see_the_place_of_the_output_sends_all_back(tmp_path: Path) -> None:
    with Told(tmp_path) as pool, leaving_beside(tmp_path / "a.pdf", pool) as leaving:
        assert leaving
        (mark,) = tmp_path.iterdir()
        mark.unlink()
        assert list(map_by_workers(leaving, squares, range(20), size=10)) == squares(range(20))
    assert pool.returned[0][0] == squares(range(10))
    assert not [*tmp_path.iterdir()]


def outputs(folder: Path) -> list[Any]:
    pytest.importorskip("fsspec", reason="the extra `url` is not installed")
    return [folder / "a.pdf", render.Address(f"local://{folder}/a.pdf")]


def fail_while_others_work(numbers: Sequence[int]) -> list[int]:
    if 0 in numbers:
        time.sleep(0.1)
        raise ValueError("no")
    time.sleep(0.3)
    return squares(numbers)


def test_what_was_left_for_nobody_is_removed_even_if_it_came_later(tmp_path: Path) -> None:
    for output in outputs(tmp_path):
        with ThreadPoolExecutor(3) as pool:
            with pytest.raises(ValueError, match="no"), leaving_beside(output, pool) as leaving:
                assert leaving
                leaving.submit(squares, [1])  # is left by then
                time.sleep(0.05)
                list(map_by_workers(leaving, fail_while_others_work, range(60), size=10))
            assert len([*tmp_path.iterdir()]) <= 1
        assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("denied", ["put_far", "read_far"])
def test_where_files_cannot_be_left_or_fetched_all_is_sent_back(
    denied: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_: object) -> bytes:
        raise PermissionError

    _, address = outputs(tmp_path)
    monkeypatch.setattr(f"render.base.executors.{denied}", deny)
    with ThreadPoolExecutor(1) as pool, leaving_beside(address, pool) as given:
        assert given is pool
    for nowhere in (tmp_path / ("x" * 300), Path("/")):
        with ThreadPoolExecutor(1) as pool, leaving_beside(nowhere, pool) as given:
            assert given


def test_a_part_that_was_written_in_part_is_sent_back_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_half(place: render.Address, data: bytes) -> None:
        Path(place.url.removeprefix("local://")).write_bytes(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "no space left")

    _, address = outputs(tmp_path)
    with ThreadPoolExecutor(1) as pool, leaving_beside(address, pool) as leaving:
        assert leaving
        monkeypatch.setattr("render.base.executors.put_far", write_half)
        assert list(map_by_workers(leaving, squares, range(20), size=10)) == squares(range(20))
    assert not [*tmp_path.iterdir()]


def test_parts_of_a_process_that_was_killed_are_removed_by_the_next(tmp_path: Path) -> None:
    dead, other = (tmp_path / f".{name}.pdf.kotc-{10**9}-abcd.part" for name in "ab")
    dead.touch()
    other.touch()
    with ThreadPoolExecutor(1) as pool, leaving_beside(tmp_path / "a.pdf", pool):
        assert not dead.exists() and other.exists()

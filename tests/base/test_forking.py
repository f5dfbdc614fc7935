"""Work that is shared with a second process, and checking, which uses it: the same results, in the same order."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import sleep

import pytest
from msgspec.structs import replace
from PIL import Image

from render.base import findings, forking
from render.base.findings import Refused
from render.game import faces
from render.games.kotc.sets import load_sets
from tests.support import sets

pytestmark = pytest.mark.usefixtures("all_cores")

many = range(1000)


def squares(numbers: Iterable[int]) -> list[int]:
    return [number * number for number in numbers]


def workers_of(numbers: Iterable[int]) -> list[int]:
    return [os.getpid() for _ in numbers]


def test_shared_work_gives_the_same_results_in_the_same_order() -> None:
    assert list(forking.map_in_two_processes(squares, many)) == squares(many)


def test_a_second_process_does_the_second_half_if_there_is_a_core_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forking, "can_fork", lambda: hasattr(os, "fork"))
    workers = list(forking.map_in_two_processes(workers_of, many))
    assert set(workers[:500]) == {os.getpid()}
    assert len(set(workers[500:])) == 1
    assert (workers[500] != os.getpid()) == hasattr(os, "fork")


def test_in_parts_processes_take_turns_and_results_come_in_order_as_they_are_made() -> None:
    """This process makes parts of the first things alone, so that of many it keeps little memory."""

    def told(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
        for number in numbers:
            begun.append(number)
            yield number, os.getpid()

    begun: list[int] = []
    steps: list[int] = []
    found = forking.map_in_two_processes(told, many, steps.append, size=64)
    first = next(found)
    assert (first, begun) == ((0, os.getpid()), [0])
    results = [first, *found]
    assert [number for number, _ in results] == [*many]
    if hasattr(os, "fork") and forking.can_fork():
        assert [pid == os.getpid() for _, pid in results[32::64]] == [True, False] * 4 + [False] * 8
        assert len(begun) == 256
        assert sum(steps) == 2 * 512  # the last part is as long as the others, as far as this process knows


def test_little_work_is_done_here() -> None:
    assert list(forking.map_in_two_processes(workers_of, many[:50])) == [os.getpid()] * 50


def test_an_error_in_the_second_process_is_raised_here() -> None:
    def fail_at_the_end(numbers: Iterable[int]) -> Iterator[int]:
        for number in numbers:
            if number == 999:
                raise OSError("the font is missing")
            yield number

    with pytest.raises(OSError, match="the font is missing"):
        list(forking.map_in_two_processes(fail_at_the_end, many))


def test_what_a_killed_process_leaves_undone_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forking, "can_fork", lambda: hasattr(os, "fork"))
    here = os.getpid()

    def killed_elsewhere(numbers: Iterable[int]) -> Iterable[int]:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return numbers

    assert list(forking.map_in_two_processes(killed_elsewhere, many)) == list(many)


def slowly() -> Iterator[int]:
    for number in range(100):
        yield os.getpid()
        sleep(0.01 * number)


def test_work_in_the_background_is_done_by_a_second_process_and_arrives_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forking, "can_fork", lambda: hasattr(os, "fork"))
    with forking.in_background(lambda: ((number, os.getpid()) for number in range(5))) as results:
        found = list(results)
    assert [number for number, _ in found] == [0, 1, 2, 3, 4]
    assert ({process for _, process in found} == {os.getpid()}) != hasattr(os, "fork")


def test_results_that_a_killed_process_could_not_give_are_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forking, "can_fork", lambda: hasattr(os, "fork"))
    here = os.getpid()

    def killed_on_the_way() -> Iterator[int]:
        yield from (1, 2)
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        yield 3

    with forking.in_background(killed_on_the_way) as results:
        assert list(results) == [1, 2, 3]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no second process")
def test_a_second_process_whose_results_nobody_wants_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forking, "can_fork", lambda: True)
    with forking.in_background(slowly) as results:
        other = next(results)
    with pytest.raises(ProcessLookupError):
        os.kill(other, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shares work")
def test_a_second_process_ends_with_the_one_that_began_it() -> None:
    """It would go on holding the lock of a folder."""
    script = (
        "import os, signal, sys, time; from render.base import forking\n"
        "def work():\n    yield os.getpid()\n    time.sleep(600)\n"
        "forking.can_fork = lambda: True\n"
        "with forking.in_background(work) as results:\n"
        "    print(next(results), flush=True)\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # Both have the same standard output, which ends when both have.
    done = subprocess.run([sys.executable, "-c", script], check=False, stdout=subprocess.PIPE, timeout=60)
    assert done.returncode == -signal.SIGKILL


def test_without_another_process_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise OSError("no more processes")

    monkeypatch.setattr(os, "fork", refused, raising=False)
    assert list(forking.map_in_two_processes(workers_of, many)) == [os.getpid()] * 1000


CARD = "- name: Card {number}\n  kind: tip\n  text: {text}\n"


@pytest.mark.parametrize("fault", ["a word of " + "W" * 80, "short"])
def test_checking_finds_what_drawing_finds(tmp_path: Path, fault: str) -> None:
    texts = [fault if number % 70 == 5 else f"Text {number}." for number in range(160)]
    cards = "".join(CARD.format(number=number, text=text) for number, text in enumerate(texts))
    (card_set,) = load_sets([sets.write_set(tmp_path, cards)])
    card_set = replace(card_set, cards=(*card_set.cards, replace(card_set.cards[0], back="nowhere")))
    with pytest.raises(Refused) as drawn:
        faces.lay_out_set(card_set)
    assert tuple(faces.findings(card_set)) == drawn.value.findings


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no second process")
def test_two_processes_lay_out_what_one_does_and_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sets.write_set(
        tmp_path,
        "".join(
            f"- {{name: Card {number}, kind: spell, level: 1, text: Draw {number} cards., art: {number % 3}.png}}\n"
            for number in range(160)
        ),
        f"{sets.SET}sheet: {{card_size: square}}\n",  # which the frame is not: a warning, once a template
    )
    for number, size in enumerate([(700, 430), (90, 60), (500, 500)]):  # one is too coarse
        Image.radial_gradient("L").convert("RGB").resize(size).save(tmp_path / f"{number}.png")
    (card_set,) = load_sets([tmp_path])
    monkeypatch.setattr(forking, "can_fork", lambda: False)
    alone = faces.lay_out_set(card_set)
    monkeypatch.setattr(forking, "can_fork", lambda: True)
    by_two = faces.lay_out_set(card_set)
    assert by_two.faces == alone.faces
    for number in 0, 70, 159:
        (by_itself,) = faces.lay_out_set(replace(card_set, cards=(card_set.cards[number],))).faces
        assert by_two.faces[number] == by_itself
    assert findings.as_text(by_two.findings) == findings.as_text(alone.findings)
    assert "[A011]" in findings.as_text(alone.findings) and "[T008]" in findings.as_text(alone.findings)

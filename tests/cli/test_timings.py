"""`--timings` says where the time went; a terminal shows how far each stage is; findings are shown as they come."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from render.base import progress
from render.cli.main import command as command_named
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back
from tests.support.terminals import NEEDS_TERMINALS, on_a_terminal, plain_environment

pytestmark = pytest.mark.usefixtures("in_empty_folder")

TABLE = re.compile(r"^(\w[\w ]*?) +(\d+) +(\d+\.\d\d) +(\d+)%$", re.MULTILINE)
TOTAL = re.compile(r"^(\d+\.\d\d) s of work in (\d+\.\d\d) s$", re.MULTILINE)


def a_set(number: int, name: str = "s", cards: str = "") -> Path:
    wolves = "".join(f"- {{name: Wolf {n}, kind: minion, level: 2, sp: 1, hp: 1}}\n" for n in range(number))
    return with_plain_back(write_set(Path(name), wolves + cards))


def counts(said: str) -> dict[str, int]:
    """Return how many things each stage of a table had to do."""
    return {name: int(count) for name, count, _, _ in TABLE.findall(said)}


@pytest.mark.parametrize(
    ("line", "stages"),
    [
        ("check s", {"read": 1, "load": 3, "lay out": 3, "check": 3}),
        ("png s --dpi 72", {"read": 1, "load": 3, "lay out": 3, "draw": 3, "pack": 3, "write": 4}),
        ("pdf s", {"read": 1, "load": 3, "lay out": 3, "impose": 3, "draw": 2, "write": 2}),
        ("build s", {"compare": 2, "read": 1, "load": 3, "lay out": 3, "draw": 5, "write": 5}),
        ("shop makeplayingcards s", {"lay out": 3, "draw": 3, "write": 7}),
        ("table s --for folder", {"lay out": 3, "draw": 5, "write": 5}),
    ],
)
def test_a_command_says_how_often_each_stage_had_to_work(line: str, stages: dict[str, int]) -> None:
    a_set(3)
    result = kotc(*line.split(), "--timings")
    assert result.exit_code == 0
    said = counts(result.stderr)
    assert {name: said.get(name) for name in stages} == stages


def test_shares_add_up_and_the_work_takes_no_less_than_the_clock_says() -> None:
    a_set(3)
    said = kotc("png", "s", "--dpi", "72", "--timings", "--workers", "1").stderr
    assert 97 <= sum(int(share) for *_, share in TABLE.findall(said)) <= 103
    ((work, clock),) = TOTAL.findall(said)
    assert float(work) >= float(clock) - 0.02


def test_without_the_option_nothing_is_said_and_nothing_timed() -> None:
    a_set(3)
    assert not TABLE.findall(kotc("check", "s").stderr)
    assert not progress.is_timed()


def test_errors_are_timed_too() -> None:
    a_set(1, cards="- {name: Bear}\n")
    result = kotc("check", "s", "--timings")
    assert result.exit_code == 1
    assert counts(result.stderr)["load"] == 2


def test_with_json_the_last_line_of_what_is_said_is_json_and_the_result_stays_what_it_was() -> None:
    a_set(3)
    plain, timed = (kotc("check", "s", "--format", "json", *more) for more in ((), ("--timings",)))
    assert timed.stdout == plain.stdout
    timings = json.loads(timed.stderr.splitlines()[-1])["timings"]
    assert timings.keys() == {"seconds", "work", "stages"}
    assert timings["stages"][0].keys() == {"stage", "count", "seconds", "share"}
    assert sum(each["share"] for each in timings["stages"]) == pytest.approx(1, abs=0.01)
    assert sum(each["seconds"] for each in timings["stages"]) == pytest.approx(timings["work"], abs=0.01)


@pytest.mark.usefixtures("all_cores")
@pytest.mark.skipif(sys.platform != "linux", reason="others do not fork")
def test_the_times_of_other_processes_are_added() -> None:
    a_set(160)
    said = kotc("png", "s", "--dpi", "72", "--timings", "--workers", "2").stderr
    assert {name: counts(said)[name] for name in ("lay out", "draw", "pack", "write")} == {
        "lay out": 160,
        "draw": 160,
        "pack": 160,
        "write": 161,
    }
    spent = {name: float(seconds) for name, _, seconds, _ in TABLE.findall(said)}
    assert spent["draw"] > 0.2  # in workers alone: this process only waits


def test_times_of_a_stage_within_another_count_once() -> None:
    with progress.time_stages() as told:
        with progress.stage("outer", 2), progress.stage("inner"):
            time.sleep(0.05)
        with progress.stage("inner", 3):
            pass
    seconds, spent = told()
    assert spent["inner"][0] == 4
    assert spent["inner"][1] >= 0.05 > spent["outer"][1]
    assert seconds >= 0.05
    assert spent["outer"][0] == 2


def test_every_command_that_makes_or_checks_something_has_the_option() -> None:
    for name in ("check", "build", "png", "pdf", "cut", "shop", "table", "verify", "preflight", "import", "migrate"):
        assert any("--timings" in option.opts for option in command_named(name).params), name


# --- how far it is ---

AT_ONCE = """\
from render.base import progress
from render.__main__ import main
progress._PATIENCE = progress._REDRAWN = 0
main()
"""


@NEEDS_TERMINALS
def test_a_terminal_shows_how_far_each_stage_of_each_command_is_and_then_only_results() -> None:
    folder = a_set(12)
    assert kotc("pdf", folder, "--out", "s.pdf").exit_code == 0
    for line, bars in (
        ("check s", [("load", "cards"), ("lay out", "cards")]),
        ("pdf s", [("lay out", "cards"), ("draw", "pages")]),
        ("shop makeplayingcards s", [("draw", "cards")]),
        ("verify s.pdf --set s", [("read", "pages"), ("measure", "faces")]),
        ("preflight s.pdf --as x-4", [("check", "pages")]),
    ):
        command = [sys.executable, "-c", AT_ONCE, *line.split()]
        written, status = on_a_terminal(command, 100, environment=plain_environment())
        assert status == (1 if line.startswith("preflight") else 0), written
        for stage, things in bars:
            assert re.search(rf"\[[#-]{{24}}\] {stage}: \d+ of \d+ {things}", written), line
        last = written.replace("\r\n", "\n").split("\n")[-2]
        assert not last.rpartition("\r")[2].startswith("["), line


@NEEDS_TERMINALS
def test_a_quiet_command_shows_no_stage() -> None:
    a_set(12)
    command = [sys.executable, "-c", AT_ONCE, "check", "s", "--quiet"]
    assert on_a_terminal(command, 100, environment=plain_environment()) == ("", 0)


# --- findings as they come ---


def test_the_first_finding_is_there_long_before_the_last_card_is_checked() -> None:
    a_set(0, "a", "- {name: Bear, kind: minoin}\n")
    a_set(1500, "b")
    command = [sys.executable, "-m", "render", "check", "a", "b"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=plain_environment(PYTHONPATH=str(ROOT)),
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert "[C007]" in first
    assert process.poll() is None
    process.stdout.close()
    process.kill()
    process.wait()


def test_findings_come_by_stage_and_within_one_in_order_the_same_in_each_run() -> None:
    long = "word " * 400
    text = "".join(f"- {{name: W{n}, kind: spell, level: 1, text: '{long}'}}\n" for n in range(3))
    a_set(60, "a", f"{text}- {{name: Bear, kind: minoin}}\n")
    a_set(60, "b", "- {name: Fox, kind: minoin}\n")
    runs = {kotc("check", "a", "b").stdout for _ in range(2)}
    assert len(runs) == 1
    places = re.findall(r"^(\w)/cards\.yaml:(\d+):\d+: \w+: .*\[(\w)\d+\]$", runs.pop(), re.MULTILINE)
    read, drawn, ruled = ([place for *place, code in places if code == letter] for letter in ("C", "L", "V"))
    assert [code for *_, code in places] == sorted((code for *_, code in places), key="CLV".index)
    assert read == [["a", "64"], ["b", "61"]]
    assert drawn == [["a", "61"], ["a", "62"], ["a", "63"]]
    assert ruled == drawn  # they are spells of a wrong level, too


def test_what_is_shown_early_is_what_a_program_gets() -> None:
    long = "word " * 400
    a_set(80, "a", f"- {{name: W, kind: spell, level: 2, text: '{long}'}}\n- {{name: Bear, kind: minoin}}\n")
    shown, told = kotc("check", "a"), kotc("check", "a", "--format", "json")
    heads = re.findall(r"^a/cards\.yaml:(\d+):(\d+): .*\[(\w+)\]$", shown.stdout, re.MULTILINE)
    rows = [(str(each["line"]), str(each["column"]), each["code"]) for each in json.loads(told.stdout) if each["line"]]
    assert sorted(heads) == sorted(rows)

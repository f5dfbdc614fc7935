"""A watch may run for days: what it remembers neither grows without end nor shows in what it makes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repository import ROOT
from tests.support.watches import clean_outputs, outputs

TIMES = 40
ENOUGH = 3  # readings, one after every 8 rebuilds, until all that is kept within bounds is there


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux says of a process")
def test_after_40_rebuilds_a_process_takes_no_more_memory_and_makes_the_same_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    result = subprocess.run(
        [sys.executable, "-m", "tests.support.repeated_builds", folder, tmp_path / "out", str(TIMES)],
        env={"PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr.count("Test: ") >= TIMES
    taken = [int(line) for line in result.stdout.split()]
    assert len(taken) == 6
    assert taken[-1] - taken[ENOUGH] < 2.4 * 1024  # KiB: a picture of a card kept by each rebuild would be 5 MiB
    assert outputs(tmp_path / "out/set") == clean_outputs(folder)

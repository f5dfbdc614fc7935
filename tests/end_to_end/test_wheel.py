"""A wheel built from this tree works from anywhere, with templates and fonts inside."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.support.sets import write_set

ROOT = Path(__file__).parents[2]


def test_a_wheel_works_from_anywhere(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("kotc-*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    write_set(tmp_path / "set", "{name: A, kind: minion, level: 3, sp: 1, hp: 0, text: 'GO: Draw 1 card.'}")
    result = subprocess.run(
        [sys.executable, "-P", "-m", "render", "build", "set"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "Test: 1 PNG and 1 sheet in out/set (2 written, 0 unchanged)\n")
    code = "import render, render.base.resources as r; print(render.__file__, r.FONTS, r.TEMPLATES)"
    where = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert all(path.startswith(str(tmp_path / "installed")) for path in where)

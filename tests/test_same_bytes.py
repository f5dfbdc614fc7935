"""Same input, same bytes: wherever, whenever and however often it is made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests import rasters
from tests.sets import kotc, write_set

CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: a.jpg, copies: 2}
- {name: Two, kind: spell, level: 2, text: Draw 1 card., art: b.png}
"""
WORLDS = {
    "another time zone and hash seed": {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1"},
    "another locale": {"LC_ALL": "C", "PYTHONHASHSEED": "4242", "TZ": "America/New_York"},
    "another date": {"SOURCE_DATE_EPOCH": "1999999999"},
    "no date at all": {"SOURCE_DATE_EPOCH": "yesterday"},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_set(tmp_path_factory.mktemp("here") / "set", CARDS)
    picture = Image.radial_gradient("L").convert("RGB").resize((700, 430))
    picture.save(folder / "a.jpg")
    picture.rotate(180).save(folder / "b.png")
    assert kotc("build", folder, "--out", folder / "out").exit_code == 0
    return folder


@pytest.mark.parametrize("world", WORLDS)
def test_another_run_elsewhere_gives_the_same_pdf_and_the_same_pixels(made: Path, tmp_path: Path, world: str) -> None:
    elsewhere = tmp_path / "a folder of another name" / "set"
    shutil.copytree(made, elsewhere, ignore=shutil.ignore_patterns("out"))
    subprocess.run(
        [sys.executable, "-m", "render", "build", elsewhere, "--out", tmp_path / "out"],
        env={**os.environ, **WORLDS[world]},
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "out/set/sheets.pdf").read_bytes() == (made / "out/set/sheets.pdf").read_bytes()
    for name in ("one.png", "two.png"):
        mine, other = ((folder / "set/png" / name).read_bytes() for folder in (made / "out", tmp_path / "out"))
        assert (rasters.png(mine) == rasters.png(other)).all()

"""Neovim, without a window, shows what is wrong with a card, mends it, and explains its level."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repository import ROOT
from tests.support.sets import write_set

NEOVIM = shutil.which("nvim")
CARD = """\
- name: Storm 😀 Hammer
  kind: minoin
  level: 9
  sp: 4
  hp: 6
  text: 'GO: Draw 1 card.'
"""


@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed (apt-get install neovim)")
def test_neovim_shows_mends_and_explains_a_card(tmp_path: Path) -> None:
    file, result = write_set(tmp_path.resolve() / "mine", CARD) / "cards.yaml", tmp_path / "result.txt"
    where = {"KOTC_FILE": str(file), "KOTC_PYTHON": sys.executable, "KOTC_RESULT": str(result)}
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
    command = [str(NEOVIM), "--headless", "--clean", "-S", str(Path(__file__).parent / "neovim.lua")]
    said = subprocess.run(
        command,
        env={**os.environ, **where, **homes, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    lines = result.read_text("utf-8").splitlines()
    assert said.returncode == 0, said.stderr
    kinds = "`minion`, `spell`, `creature`, `pawn` or `tip`"
    assert lines == [
        f"shown 2 9 C007 expected {kinds}, found `minoin` / hint: did you mean `minion`?",
        "correction write `minion`",
        "line   kind: minion",
        "left 0 ",
        lines[-1],
    ]
    assert "**level 9**" in lines[-1]

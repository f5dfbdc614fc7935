"""How the program ends: at once, with all that it has printed."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(("word", "status"), [("--help", 0), ("--nope", 2)])
def test_the_program_ends_with_its_status_after_what_was_to_be_done_at_the_end(word: str, status: int) -> None:
    code = f"""
import atexit, sys, threading, time
import render.__main__, render.cli.main
sys.argv = ["kotc", {word!r}]


def end_late():
    time.sleep(0.3)
    print("a thread")
    atexit.register(print, "at the end")


threading.Thread(target=end_late).start()
render.__main__.program()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert done.stdout.endswith("a thread\nat the end\n")

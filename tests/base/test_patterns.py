"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from render.base.patterns import regex


def test_a_pattern_matches_as_one_that_is_compiled() -> None:
    assert regex("a(b+)c", re.IGNORECASE).sub(r"\1", "xABBCx") == "xBBx"
    assert regex(rb"[0-9]+").findall(b"1 22") == [b"1", b"22"]
    assert regex("(?P<year>[0-9]+)").groupindex == {"year": 1}


def test_a_pattern_is_compiled_at_its_first_use() -> None:
    wrong = regex("a(b")
    assert wrong.pattern == "a(b"
    with pytest.raises(re.error):
        wrong.match("ab")


_COMPILE_ALL = """
import gc, importlib, pkgutil, render
from render.base.patterns import regex
for module in pkgutil.walk_packages(render.__path__, "render."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
patterns = [each for each in gc.get_objects() if type(each) is type(regex(""))]
for each in patterns:
    each.groups
print(len(patterns))
"""


def test_every_pattern_of_the_program_is_one() -> None:
    done = subprocess.run([sys.executable, "-c", _COMPILE_ALL], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 300

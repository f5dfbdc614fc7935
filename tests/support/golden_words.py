"""Files of golden words: what is said of each mistake, below a line `=== NAME`."""

import os
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.support.repository import ROOT


def golden_words(file: Path) -> dict[str, str]:
    """Return what a file says of each mistake, by its name."""
    parts = re.split(r"^=== (.*)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def write_golden(file: Path, names: Iterable[str], told_of: Callable[[str], str]) -> None:
    """Write what is said of each mistake today; each is made in an empty working folder of its own."""
    here = Path.cwd()
    lines = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            lines.append(f"=== {name}\n{told_of(name)}")
            os.chdir(here)
    file.write_text("".join(lines), encoding="utf-8")
    print(f"{file.relative_to(ROOT)}: {len(lines)} mistakes")

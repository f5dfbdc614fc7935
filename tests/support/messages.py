"""Sets on disk for tests, and what is said of them."""

import re
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from textwrap import dedent

from render.base.findings import as_text
from render.games.kotc.sets import survey
from tests.support.schema_verdicts import of_set

SET = "name: Starter\nedition: 17\n"


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a folder that is made if it is missing; text is taken without the indentation of the test."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(dedent(content).lstrip("\n").encode() if isinstance(content, str) else content)
    return folder


def said_of_set(files: Mapping[str, str | bytes]) -> str:
    """Return all that is said of a set of these files in the folder `s`, of which the schemas say the same."""
    folder = write(Path("s"), files)
    findings = survey([folder])[1]
    assert list(of_set(folder, findings)) == []
    return as_text(findings)


def said_of_card(card: str, set_yaml: str = SET) -> str:
    """Return all that is said of the card file `s/card.yaml`."""
    return said_of_set({"set.yaml": set_yaml, "card.yaml": card})


def words(text: str) -> str:
    """Return the text without the indentation of the test and without the line breaks around it."""
    return dedent(text).strip("\n")


_FINDING = re.compile(r"(\S.*?)(?:, cell (\w+)|:(\d+:\d+)): (error|warning): (.*) \[([A-Z]\d+)\]$")


def facts(text: str) -> list[str]:
    """Return what is said, a finding each: `3:1 C002 unknown key (hint)`, with the file if it is not that of the card."""
    found: list[str] = []
    for line in text.splitlines():
        if finding := _FINDING.match(line):
            file, cell, place, severity, message, code = finding.groups()
            place = cell or (place if file.endswith("card.yaml") else f"{file}:{place}")
            found.append(f"{place} {code} {'warning: ' if severity == 'warning' else ''}{message}")
        elif line.startswith("  hint: "):
            found[-1] += f" ({line.removeprefix('  hint: ')})"
    return found


def assert_says(text: str, *wanted: str) -> None:
    """Hold that just this is said, each as far as it is wanted: a long hint may be left out."""
    assert [fact[: len(each)] for fact, each in zip_longest(facts(text), wanted, fillvalue="")] == list(wanted)

"""What a page asks its readers to do: files to write and to edit, commands to run; and doing it, where we stand."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from render.cli.main import commands
from tests.support.sets import kotc

ENDLESS = {"watch", "preview", "lsp"}
"""Commands that end only with Ctrl-C; their own tests run them."""

NOT_RUN = ("sudo ", "python3 -m venv", ". .venv", "lp ", ".venv/bin", "python ", "pip ")
"""Beginnings of commands that are tried elsewhere, as those that install, or that print on paper."""

OPEN = {"--printer", "--pdf", "--set"}
"""Options of which a sentence does not say the value."""

SHOWN = r"(?:^`(\S+/\S+)`\n\n)?^ *```(\w+)\n(.*?)^ *```$|`(kotc [^`]+)`"
"""A block, perhaps below the name of a file, or a command within a sentence."""

ABSENT = re.compile(r"does not exist|is there already|is marked as printed|is calibrated already")
"""What a command within a sentence may say of files and printers that its readers have, and that are not here."""

PLACEHOLDER = re.compile(r"\b(?:[A-Z]{3,}|ID|N)\b|…|\|")


class Step(NamedTuple):
    """What a page asks for: to write a file or to edit one, of that name, or to run a command, which says that if it is shown."""

    kind: str
    text: str
    about: str | None = None


def steps(of: str) -> Iterator[Step]:
    """Yield what a page asks for, in its order."""
    for match in re.finditer(SHOWN, of, re.DOTALL | re.MULTILINE):
        named, kind, body, inline = match.groups()
        if named:
            yield Step("file", body, named)
        elif inline:
            yield Step("inline", " ".join(inline.replace("\\|", "|").split()))
        elif kind in {"console", "sh"}:
            yield from typed(kind, dedent(body))
        elif kind in {"yaml", "diff"} and (first := re.match(r"# (\S+/\S+\.\w+)\n", body)):
            yield Step("file" if kind == "yaml" else kind, body, first[1])


def typed(kind: str, body: str) -> Iterator[Step]:
    """Yield the commands of a block: in `console` behind a `$`, with what they say below."""
    if kind == "sh":
        yield from (Step("run", line) for line in body.replace("\\\n", " ").splitlines() if line.strip())
    for entry in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:] if kind == "console" else ():
        line, _, output = entry.partition("\n")
        yield Step("run", line, output)


def write_file(name: str, text: str) -> None:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def edit_file(name: str, body: str) -> None:
    """Replace lines of a file, as a block of changes says below the name."""
    lines = body.rstrip().split("\n")[1:]
    old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] in signs) for signs in (" -", " +"))
    before = Path(name).read_text(encoding="utf-8")
    assert before.count(old) == 1, body
    Path(name).write_text(before.replace(old, new), encoding="utf-8")


def run(line: str, says: str | None) -> None:
    """Run a command line, which succeeds unless it shows an error, and says what is shown."""
    if line.startswith(NOT_RUN):
        return
    program, *words = [
        str(Path(each).expanduser()) if each.startswith("~/") else each for each in shlex.split(line, comments=True)
    ]
    words = [name for word in words for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]
    if program != "kotc":
        {"cp": copy, "mkdir": make_folders, "git": run_git}[program](words)
    elif words[0] in ENDLESS:
        assert kotc(words[0], "--help").exit_code == 0
    else:
        result = kotc(*words)
        expected_status = 1 if says and re.search(r"^\d+ errors?$|: \d+ errors?\b|cannot", says, re.MULTILINE) else 0
        assert result.exit_code == expected_status, f"{line}\n{result.output}"
        if says:
            assert re.fullmatch(pattern(says), result.output), f"{line}\n{result.output}"


def pattern(says: str) -> str:
    """Return a pattern for what a page shows, in which `...` stands for anything."""
    return re.escape(says).replace(re.escape("..."), "[\\s\\S]*?")


def copy(words: list[str]) -> None:
    *sources, target = words
    for source in sources:
        shutil.copy(source, target)


def make_folders(words: list[str]) -> None:
    for word in words:
        if word != "-p":
            Path(word).mkdir(parents=True)


def run_git(words: list[str]) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True)


def run_inline(line: str) -> None:
    """Run a command within a sentence; of one that leaves something open, or names no set, it and its options exist."""
    words = shlex.split(line.partition(" | ")[0])[1:]
    name = next((word for word in words if not word.startswith("-")), "")
    if not name or name.isupper():
        return
    assert name in commands(), line
    below = words[1:2] if name == "edition" else []
    is_open = PLACEHOLDER.search(line) or words[-1] in OPEN or name in ENDLESS
    if is_open or not any("/" in word for word in words[1 + len(below) :]):
        known = kotc(name, *below, "--help").output
        assert [word for word in words if word.startswith("--") and word.split("=")[0] not in known] == [], line
    else:
        result = kotc(*words)
        assert result.exit_code in {0, 1} or ABSENT.search(result.output), f"{line}\n{result.output}"


def follow(text: str) -> None:
    """Do all that a page asks for, where we stand."""
    for step in steps(text):
        match step:
            case Step("file", body, name) if name:
                write_file(name, body)
            case Step("diff", body, name) if name:
                edit_file(name, body)
            case Step("run", line, says):
                run(line, says)
            case Step(_, line):
                run_inline(line)

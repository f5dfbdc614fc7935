"""Explanations of error codes, from data files with one letter each: `Y.yaml`, `C.yaml`.

A file begins with what the letter is `about`, and with the `file` and the command (`run`) of its examples. Each code
has its row of the reference (`what`, and the message that is `shown`), and says `why` it matters. `wrong` and `right`
are the text of the file, or texts by file; `mended` is the command that is right, `mend` says in words what to do, and
`comes` how a code comes about for which no small example can be made. Examples are run in a folder with the set `mine`.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from render.base.caches import cached
from render.base.findings import printable
from render.source.nodes import Mapping as Nodes
from render.source.nodes import Node, Scalar
from render.source.reader import parse

DATA = Path(__file__).resolve().parent / "codes/data"
"""Explanations of the codes that every game can give."""

_CODE = re.compile(r"([A-Za-z])(\d{1,5})")


@dataclass(frozen=True, slots=True)
class Example:
    """Files by their paths, and the command that is run beside them; empty for a code without an example.

    `shown` are the files as people are to see them, where a file holds what cannot be seen.
    """

    files: Mapping[str, str]
    run: str
    encoding: str = "utf-8"
    shown: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeExplanation:
    """What a code means. `wrong` gives it, `right` does not; `advice` says in words what to do.

    `about` is what all codes of the letter are about; `what` and `message` are the row of the reference.
    """

    code: str
    about: str
    what: str
    message: str
    why: str
    wrong: Example | None
    right: Example | None
    advice: str


def normal_code(word: str) -> str:
    """Return a word as codes are written, `C007` for `c7`; "" if it is none."""
    found = _CODE.fullmatch(word)
    return f"{found[1].upper()}{int(found[2]):03}" if found else ""


def letters(folders: Sequence[Path]) -> list[str]:
    """Return the letters with which codes begin, sorted."""
    return sorted(file.stem for folder in folders for file in folder.glob("?.yaml"))


def explanations_of(letter: str, folders: Sequence[Path]) -> Mapping[str, CodeExplanation]:
    """Return the explanations of all codes that begin with a letter, by code; {} if there are none."""
    file = next((folder / f"{letter}.yaml" for folder in folders if (folder / f"{letter}.yaml").is_file()), None)
    return _read(file) if file else {}


@cached(32)
def _read(file: Path) -> Mapping[str, CodeExplanation]:
    root = parse(file.read_text(encoding="utf-8"), file).root
    values = _values(root)
    about, usual = _text(values["about"]), (_said(values, "file"), _said(values, "run"))
    return {
        code: _explanation(code, about, _values(node), usual)
        for code, node in values.items()
        if code == normal_code(code)
    }


def _explanation(code: str, about: str, said: Mapping[str, Node], usual: tuple[str, str]) -> CodeExplanation:
    file, run = usual[0], _said(said, "run") or usual[1]
    wrong = _files(said.get("wrong"), file)
    right = _files(said.get("right"), file)
    makes = bool(wrong) or "run" in said
    shown = {file: _said(said, "escaped")} if "escaped" in said else None
    mended = _said(said, "mended") or usual[1] if right and "run" not in said else _said(said, "mended") or run
    return CodeExplanation(
        code=code,
        about=about,
        what=_said(said, "what"),
        message=_said(said, "shown"),
        why=_said(said, "why"),
        wrong=Example(wrong, run, _said(said, "encoding") or "utf-8", shown) if makes else None,
        right=Example(right, mended) if makes and (right or "mended" in said) else None,
        advice=_said(said, "mend") or _said(said, "comes"),
    )


def _files(node: Node | None, usual: str) -> Mapping[str, str]:
    if isinstance(node, Nodes):
        return {key.value: _text(value) for key, value in node.entries}
    return {usual: _text(node)} if node else {}


def _values(node: Node) -> dict[str, Node]:
    assert isinstance(node, Nodes), node
    return {key.value: value for key, value in node.entries}


def _said(values: Mapping[str, Node], key: str) -> str:
    node = values.get(key)
    return _text(node) if node else ""


def _text(node: Node) -> str:
    assert isinstance(node, Scalar), node
    return node.value


_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")  # of Markdown, as rows of references have it
_MAX_WIDTH = 100  # columns of prose: longer lines are hard to read


def explained_as_text(found: Sequence[CodeExplanation], width: int) -> str:
    """Return explanations for people; only prose is fitted to the width in columns."""
    return "\n\n".join("\n".join(_lines(each, min(width, _MAX_WIDTH))) for each in found)


def explained_as_json(found: Sequence[CodeExplanation]) -> str:
    """Return explanations as a JSON list; an example has its files by path, and the command to run beside them."""
    return json.dumps([_json_values(each) for each in found], ensure_ascii=False, indent=2)


def _plain(words: str) -> str:
    """Return the words of a table of the references without Markdown, but for backticks."""
    return _LINK.sub(r"\1", words).replace("*", "").replace("`` ", "").replace(" ``", "").replace("``", "")


def _lines(each: CodeExplanation, width: int) -> Iterator[str]:
    yield from textwrap.wrap(f"{each.code}: {_plain(each.what)}", width, subsequent_indent="  ")
    yield ""
    yield from textwrap.wrap(each.why, width, initial_indent="  ", subsequent_indent="  ")
    if each.message:
        yield from ("", "  It says, for example:")
        yield from textwrap.wrap(_plain(each.message), width, initial_indent="    ", subsequent_indent="    ")
    if each.wrong:
        yield from _example("This gives it", each.wrong)
    if each.right:
        yield from _example("This does not", each.right)
    if each.advice:
        yield ""
        yield from textwrap.wrap(each.advice, width, initial_indent="  ", subsequent_indent="  ")


def _example(title: str, example: Example) -> Iterator[str]:
    if not example.files:
        yield from ("", f"  {title}:", f"    {example.run}")
        return
    for at, (file, text) in enumerate((example.shown or example.files).items()):
        yield from ("", f"  {title} (`{example.run}`), {file}:" if at == 0 else f"  {file}:")
        yield from (printable(f"    {line}".rstrip()) for line in text.rstrip("\n").split("\n"))


def _json_values(each: CodeExplanation) -> dict[str, object]:
    return {
        "code": each.code,
        "about": each.about,
        "what": _plain(each.what),
        "message": _plain(each.message) or None,
        "why": each.why,
        "wrong": _example_values(each.wrong),
        "right": _example_values(each.right),
        "advice": each.advice or None,
    }


def _example_values(example: Example | None) -> dict[str, object] | None:
    return {"files": dict(example.files), "run": example.run} if example else None

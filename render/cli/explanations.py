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
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import printable
from render.game import registry
from render.source.nodes import Mapping as Nodes
from render.source.nodes import Node, Scalar
from render.source.reader import parse

FOLDERS = (Path(__file__).resolve().parent / "codes/data", *(each / "codes/data" for each in registry.folders()))
"""Explanations of the codes that every game can give, and of those of each game that comes with the program."""


class Example(Struct, frozen=True):
    """Files by their paths, and the command that is run beside them; empty for a code without an example.

    `shown` are the files as people are to see them, where a file holds what cannot be seen.
    """

    files: Mapping[str, str]
    run: str
    encoding: str = "utf-8"
    shown: Mapping[str, str] | None = None


class CodeExplanation(Struct, frozen=True, kw_only=True):
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
    code = re.fullmatch(r"([A-Za-z])(\d{1,5})", word)
    return f"{code[1].upper()}{int(code[2]):03}" if code else ""


def code_files() -> list[Path]:
    """Return the files of explanations, by their letters."""
    return sorted((file for folder in FOLDERS for file in folder.glob("?.yaml")), key=lambda file: file.stem)


def all_explanations() -> dict[str, CodeExplanation]:
    """Return the explanations of all codes that have one of their own, by code."""
    return dict(sorted(entry for file in code_files() for entry in _read(file).items()))


def words_of_codes() -> Iterator[tuple[str, str]]:
    """Yield the codes with what each means; lines are searched, because a shell waits for them."""
    for file in code_files():
        text = file.read_text(encoding="utf-8")
        for code, what in re.findall(r'^([A-Z]\d{3}):\n  what: "?(.*?)"?$', text, re.MULTILINE):
            yield code, what.replace("*", "").replace("`", "")


_FIRST_NUMBERS = range(2, 20)  # which mean the same in all files that are made of keys and values
_LIKE_CARDS: Mapping[str, str] = {
    "S": "`set.yaml`",
    "B": "a deck file",
    "M": "`game.yaml`",
    "D": "the data file of an edition",
    "W": "a language file, or `words` of a card",
}
_MAX_NEAR = 3


def explained(code: str) -> CodeExplanation | None:
    """Return the explanation of a code, such as `C007`; None if there is no such code."""
    own = _of_letter(code[0]).get(code)
    if own or code[0] not in _LIKE_CARDS or int(code[1:]) not in _FIRST_NUMBERS:
        return own
    like = _of_letter("C").get(f"C{code[1:]}")
    if like is None:
        return None
    advice = f"{code} means for {_LIKE_CARDS[code[0]]} what {like.code} means for a card, as in this example."
    return replace(like, code=code, advice=f"{advice} {like.advice}".strip())


def nearest_codes(code: str) -> list[str]:
    """Return the codes that may have been meant: those of the letter with the nearest numbers, else of the number."""
    known = all_explanations()
    same = (
        [each for each in known if each[0] == code[0]] or [each for each in known if each[1:] == code[1:]] or [*known]
    )
    return sorted(sorted(same, key=lambda each: (abs(int(each[1:]) - int(code[1:])), each))[:_MAX_NEAR])


def _of_letter(letter: str) -> Mapping[str, CodeExplanation]:
    return next((_read(file) for file in code_files() if file.stem == letter), {})


@cached(32)
def _read(file: Path) -> Mapping[str, CodeExplanation]:
    usual = _values(parse(file.read_text(encoding="utf-8"), file).root)
    return {code: _explanation(code, own, usual) for code, own in usual.items() if code == normal_code(code)}


def _values(node: Node) -> Any:
    """Return texts, and mappings of them."""
    if isinstance(node, Nodes):
        return {key.value: _values(value) for key, value in node.entries}
    assert isinstance(node, Scalar), node
    return node.value


def _explanation(code: str, own: Mapping[str, Any], usual: Mapping[str, Any]) -> CodeExplanation:
    usual_run, file = usual.get("run", ""), usual.get("file", "")
    run = own.get("run") or usual_run
    texts = (own.get("wrong") or {}, own.get("right") or {})
    wrong, right = ({file: text} if isinstance(text, str) else text for text in texts)
    makes = bool(wrong) or "run" in own
    mended = own.get("mended") or (usual_run if right and "run" not in own else run)
    shown = {file: own["escaped"]} if "escaped" in own else None
    return CodeExplanation(
        code=code,
        about=usual.get("about", ""),
        what=own.get("what", ""),
        message=own.get("shown", ""),
        why=own.get("why", ""),
        wrong=Example(wrong, run, own.get("encoding") or "utf-8", shown) if makes else None,
        right=Example(right, mended) if makes and (right or "mended" in own) else None,
        advice=own.get("mend") or own.get("comes") or "",
    )


def explained_as_text(explanations: Sequence[CodeExplanation], width: int) -> str:
    """Return explanations for people; only prose is fitted to the width in columns, of which it takes 100 at most."""
    return "\n\n".join("\n".join(_lines(each, min(width, 100))) for each in explanations)


def explained_as_json(explanations: Sequence[CodeExplanation]) -> str:
    """Return explanations as a JSON list; an example has its files by path, and the command to run beside them."""

    def values(example: Example | None) -> dict[str, object] | None:
        return {"files": dict(example.files), "run": example.run} if example else None

    rows = [
        {
            "code": each.code,
            "about": each.about,
            "what": _plain(each.what),
            "message": _plain(each.message) or None,
            "why": each.why,
            "wrong": values(each.wrong),
            "right": values(each.right),
            "advice": each.advice or None,
        }
        for each in explanations
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2)


def _plain(words: str) -> str:
    """Return the words of a table of the references without Markdown, but for backticks."""
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return without_links.replace("*", "").replace("`` ", "").replace(" ``", "").replace("``", "")


def _lines(each: CodeExplanation, width: int) -> Iterator[str]:
    def wrapped(text: str, indent: str) -> list[str]:
        return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)

    yield from textwrap.wrap(f"{each.code}: {_plain(each.what)}", width, subsequent_indent="  ")
    yield from ("", *wrapped(each.why, "  "))
    if each.message:
        yield from ("", "  It says, for example:", *wrapped(_plain(each.message), "    "))
    for title, example in (("This gives it", each.wrong), ("This does not", each.right)):
        if example and not example.files:
            yield from ("", f"  {title}:", f"    {example.run}")
        elif example:
            for at, (file, text) in enumerate((example.shown or example.files).items()):
                yield from ("", f"  {title} (`{example.run}`), {file}:" if at == 0 else f"  {file}:")
                yield from (printable(f"    {line}".rstrip()) for line in text.rstrip("\n").split("\n"))
    if each.advice:
        yield from ("", *wrapped(each.advice, "  "))

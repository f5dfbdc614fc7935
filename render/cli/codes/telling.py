"""Explanations of error codes for people and for programs."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Sequence

from render.base.findings import printable
from render.cli.codes.explanations import CodeExplanation, Example

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")  # of Markdown, as rows of references have it
_MAX_WIDTH = 100  # columns of prose: longer lines are hard to read


def explained_as_text(found: Sequence[CodeExplanation], width: int) -> str:
    """Return explanations for people; only prose is fitted to the width in columns."""
    return "\n\n".join("\n".join(_lines(each, min(width, _MAX_WIDTH))) for each in found)


def explained_as_json(found: Sequence[CodeExplanation]) -> str:
    """Return explanations as a JSON list; an example has its files by path, and the command to run beside them."""
    return json.dumps([_values(each) for each in found], ensure_ascii=False, indent=2)


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


def _values(each: CodeExplanation) -> dict[str, object]:
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

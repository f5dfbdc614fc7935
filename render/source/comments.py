"""Values that a comment cuts off: YAML begins one at each `#` behind a space."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from render.base.caches import cached
from render.base.findings import Diagnostic, Severity, Span, quoted
from render.base.patterns import regex
from render.source.nodes import Document, Mapping, Node, Scalar
from render.source.scalar_values import ScalarStyle

_MAX_REPEATED = 60  # characters of a value that a hint repeats
# A `#` behind a space, but not one that surely begins a comment: before a space, or in a ruler such as `#----`.
_CUT = regex(r"[ \t]+(?P<lost>#[^\s#*=~-][^\r\n]*)")
_COMMENT = regex(r"[ \t]+(?P<lost>#[^\r\n]*)")
_KEY = regex(r"^[ \t]+(?P<line>#:[ \t]+(?P<value>[^\s#][^\r\n]*))", re.MULTILINE)
_MAY_CUT = regex(r"#(?<=[ \t]#)[^\s#*=~-]")  # the same, faster: it begins with the rare character


def comment_behind(document: Document, node: Node) -> str:
    """Return the comment that stands where a value is missing, as in `power: #3`; "" if there is none."""
    if not isinstance(node, Scalar) or node.value or node.style is not ScalarStyle.PLAIN:
        return ""
    begun = _COMMENT.match(document.text, node.end)
    return begun["lost"].rstrip() if begun else ""


def cut_off(document: Document, node: Mapping, texts: Collection[str]) -> Iterator[tuple[Diagnostic, Span, str]]:
    """Yield warnings of texts that a comment seems to cut off, each with its place and key: `text: Draw #1`.

    `texts` are the keys whose values are texts. A real comment has a space behind its `#`, as in
    `name: Wolf  # my first card`.
    """
    if not (document.has_comments and _has_cuts(document.text)):
        return
    yield from _keys_in_comments(document, node)
    for key, value in _scalars(node):
        plain = key in texts and value.style is ScalarStyle.PLAIN
        cut = _CUT.match(document.text, value.end) if plain else None
        if cut:
            from render.source.slips.odd_lines import without_comment

            lost = without_comment(cut["lost"])
            whole = document.text[value.start : cut.start("lost") + len(lost)].strip()
            problem = _of_cut(key, value.value, lost, whole)
            yield problem, document.between(cut.start("lost"), cut.start("lost") + len(lost)), key


def _keys_in_comments(document: Document, node: Mapping) -> Iterator[tuple[Diagnostic, Span, str]]:
    """Yield a warning for each line such as `#: icons/number.svg`, which is a comment."""
    for line in _KEY.finditer(document.text, node.start, node.end):
        hint = f"""write {quoted(f'"#": {line["value"]}')}; if it is a comment, write a space behind the `#`"""
        message = f"{quoted(line['line'])} is a comment: a line that begins with `#` is not read"
        yield Diagnostic("Y017", message, hint, Severity.WARNING), document.between(*line.span("line")), "#"


def _of_cut(key: str, kept: str, lost: str, whole: str) -> Diagnostic:
    what = f"ends before {quoted(lost)}" if kept else f"is empty without {quoted(lost)}"
    quotes = len(whole) <= _MAX_REPEATED and not set(whole) & {'"', "\\", "\r", "\n"}
    write = f'write `{key}: "{whole}"`' if quotes else "put the whole value in quotes"
    hint = f"{write}; if it is a comment, write a space behind the `#`"
    return Diagnostic("Y017", f"`{key}` {what}: a space and `#` begin a comment", hint, Severity.WARNING)


@cached(2)  # each keeps its text
def _has_cuts(text: str) -> bool:
    """Return whether a file has anything that might cut off a value; most files have no `#` at all."""
    return _MAY_CUT.search(text) is not None


def _scalars(node: Mapping) -> Iterator[tuple[str, Scalar]]:
    """Yield the values of a mapping and of the mappings in it, each with its key."""
    for key, value in node.entries:
        if isinstance(value, Scalar):
            yield key.value, value
        elif isinstance(value, Mapping):
            yield from _scalars(value)

"""Laws of edits of YAML files: what was asked for is said, and everything else stays, comments too."""

from __future__ import annotations

import json
from collections.abc import Mapping as Mappings
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from render.source import reader
from render.source.edit import AddItem, Edit, Remark, RemoveKey, Rewrite, SetKey, edited, replace_scalar
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence
from render.source.writing import Block, Value, plain

WORDS = st.sampled_from(["HOWL: Draw 1.", "'q' s", "- dash", "5", "no: yes", 'a "b" # c', "x", "yes", "", "a,b]", "{x"])
KEYS = ("name", "text", "no", "7", "odd key")
SIDE = st.sampled_from(["", "", "  # beside"])


@st.composite
def in_line(draw: st.DrawFn, depth: int = 2) -> str:
    """Return a value as it may stand in braces."""
    kind = draw(st.integers(0, 4 if depth else 2))
    if kind <= 2:
        words = draw(WORDS)
        return [json.dumps(words), "'" + words.replace("'", "''") + "'", draw(st.sampled_from(["a", "5", "b c"]))][kind]
    gap = draw(st.sampled_from([" ", " ", "  # inside\n      "]))
    if kind == 3:
        return f"[{f',{gap}'.join(draw(st.lists(in_line(depth - 1), max_size=3)))}]"
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=3))
    return f"{{{f',{gap}'.join(f'{key}: {draw(in_line(depth - 1))}' for key in keys)}}}"


@st.composite
def lines(draw: st.DrawFn, depth: int = 2) -> list[str]:
    """Return a mapping or list in lines, with comments and blank lines in any place."""
    is_list = depth < 2 and draw(st.booleans())
    made: list[str] = []
    for lead in (
        ["-"] * draw(st.integers(1, 3)) if is_list else draw(st.lists(st.sampled_from(KEYS), unique=True, min_size=1))
    ):
        made += draw(st.sampled_from([[], [], ["# above"], [""]])) if made else []
        keys = [f"{lead}:", f'"{lead}":', f"{lead} :", f"? {lead}\n:", f"? {lead}  # x: y\n:"]
        key, side = lead if is_list else draw(st.sampled_from(keys)), draw(SIDE)
        words = draw(WORDS).replace("'", "''")
        match draw(st.integers(0, 7 if depth else 5)):
            case 0:
                made += [f"{key} |{side}", f"   {words or 'z'}", *draw(st.sampled_from([[], ["", "   end"], [""]]))]
            case 1:
                made += [f"{key} >-{side}", f"  {words or 'z'}", "", "  end"]
            case 2:
                made += [f"{key} |+{side}", f"  {words or 'z'}", "", ""]
            case 3:
                made += [f"{key} 'a", f"    {words}'{side}"]
            case 6 | 7:
                inner = draw(lines(depth - 1))
                made += [f"{key}{side}", *(f"  {line}" if line else "" for line in inner)]
            case _:
                made += [f"{key}{draw(st.sampled_from([' ', '   ']))}{draw(in_line())}{side}"]
    return [row for each in made for row in each.split("\n")]


@st.composite
def documents(draw: st.DrawFn) -> Document:
    cards = [draw(lines()) for _ in range(draw(st.integers(1, 3)))]
    rows = cards[0]
    if draw(st.booleans()):
        gap = draw(st.sampled_from([[], [""]]))
        rows = [row for one in cards for row in (f"- {one[0]}", *(f"  {row}" if row else "" for row in one[1:]), *gap)]
    end = draw(st.sampled_from(["\n", "\n", "\n# the end\n", "\n...\n# the end\n"]))
    text = draw(st.sampled_from(["", "\ufeff", "# first\n", "--- # first\n"])) + "\n".join(rows) + end
    return reader.parse(text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"]))), Path("cards.yaml"))


def nodes(node: Node) -> list[Node]:
    inner = [each for _, each in node.entries] if isinstance(node, Mapping) else []
    inner = [*node.items] if isinstance(node, Sequence) else inner
    return [node, *(each for one in inner for each in nodes(one))]


VALUES: st.SearchStrategy[Value] = st.one_of(
    WORDS, WORDS.map(Block), st.sampled_from([7, True, plain("auto"), Block("A: b.\n\nC d.\n"), "a\nb", ("x", "y, z")]),
    st.just({"file": "a.png", "no": "yes"}), st.just(({"name": "Front"}, {"name": "Back", "text": "a\nb"})),
)  # fmt: skip


@st.composite
def edits(draw: st.DrawFn, document: Document) -> Edit:
    place = draw(st.sampled_from(nodes(document.root)))
    match place:
        case Scalar():
            return replace_scalar(place, draw(st.sampled_from(["13", "Some words"])))
        case Sequence():
            return AddItem(place, draw(VALUES))
    names = [key.value for key, _ in place.entries]
    if names and draw(st.integers(0, 2)) == 0:
        return RemoveKey(place, draw(st.sampled_from(names)))
    return SetKey(place, draw(st.sampled_from(KEYS)), draw(VALUES), draw(st.sampled_from(["", *names[:1]])))


def said(value: Value) -> object:
    """Return what a value says, as Python has it."""
    match value:
        case Scalar():
            return value.value.rstrip("\n")
        case str():
            return value.rstrip("\n")
        case int():
            return str(value).lower()
        case Mapping():
            return {key.value: said(each) for key, each in value.entries}
        case Sequence():
            return [said(each) for each in value.items]
    if isinstance(value, Mappings):
        return {key: said(each) for key, each in value.items()}
    return [said(each) for each in value]


def meant(node: Node, edit: Edit) -> object:
    """Return what a file should say after an edit."""
    if isinstance(node, Scalar):
        return edit.changes[0][2] if isinstance(edit, Rewrite) and edit.scalar is node else said(node)
    if isinstance(node, Sequence):
        added = [said(edit.value)] if isinstance(edit, AddItem) and edit.items is node else []
        return [*(meant(each, edit) for each in node.items), *added]
    values = {key.value: meant(each, edit) for key, each in node.entries}
    if isinstance(edit, SetKey) and edit.mapping is node:
        values[edit.key] = said(edit.value)
    if isinstance(edit, RemoveKey) and edit.mapping is node:
        del values[edit.key]
    return values


def comments(text: str) -> int:
    return sum(text.count(each) for each in ("# beside", "# above", "# first", "# the end", "# inside", "# x: y"))


@given(st.data())
def test_an_edit_says_what_was_asked_and_everything_else_stays(data: st.DataObject) -> None:
    document = data.draw(documents())
    edit = data.draw(edits(document))
    result = edited(document, [edit])
    assert result is not None, (document.text, edit)
    assert said(result.root) == meant(document.root, edit)
    lost = 0
    match edit:
        case RemoveKey(mapping, key) | SetKey(mapping, key):
            gone = [entry for entry in mapping.entries if entry[0].value == key]
            starts = (name.start if isinstance(edit, RemoveKey) else value.start for name, value in gone)
            lost = sum(comments(document.text[start : gone[0][1].end]) for start in starts)
            lost += isinstance(edit, RemoveKey)
    assert comments(document.text) - lost <= comments(result.text) <= comments(document.text), (document.text, edit)
    ends = {"\r\n": document.text.count("\r\n"), "\r": document.text.count("\r"), "\n": document.text.count("\n")}
    kinds = {end for end, count in ends.items() if count and not (end != "\r\n" and ends["\r\n"])}
    if len(kinds) == 1:
        (end,) = kinds
        assert not set(result.text.replace(end, "")) & {"\r", "\n"}
    assert document.text.startswith("\ufeff") is result.text.startswith("\ufeff")


SHARED = """\
- &wolf
  name: Wolf
  text: &howl Howl.  # loud
- name: Dog
  text: *howl
- <<: *wolf
  name: Fox
"""


def cards() -> tuple[Document, list[Mapping]]:
    document = reader.parse(SHARED, Path("cards.yaml"))
    assert isinstance(document.root, Sequence)
    return document, [each for each in document.root.items if isinstance(each, Mapping)]


def test_a_value_that_several_places_share_changes_in_all_of_them_or_in_none() -> None:
    document, (wolf, dog, fox) = cards()
    howl = wolf.get("text")
    assert isinstance(howl, Scalar)
    rewritten = edited(document, [replace_scalar(howl, "Bark.")] * 3)
    assert rewritten is not None
    assert rewritten.text == SHARED.replace("Howl", "Bark")
    assert edited(document, [replace_scalar(howl, "Bark.")] * 2) is None  # one card keeps its words
    own = edited(document, [SetKey(dog, "text", Block("Bark."))])
    assert own is None  # nothing would use the anchor
    assert edited(document, [SetKey(fox, "text", "Bark.")]) is None
    assert edited(document, [SetKey(wolf, "text", "Bark.")]) is None


def test_a_comment_stands_above_its_key_once() -> None:
    document, (wolf, *_) = cards()
    remark = Remark(wolf, "text", ("of before",))
    once = edited(document, [remark])
    assert once is not None
    assert once.text == SHARED.replace("  text: &howl", "  # of before\n  text: &howl")
    assert isinstance(once.root, Sequence)
    again = edited(
        once, [Remark(each, "text", remark.comment) for each in once.root.items[:1] if isinstance(each, Mapping)]
    )
    assert again == once


def test_a_comment_that_stands_deeper_does_not_become_a_line_of_the_text_above_it() -> None:
    text = "name: A\ntext: Draw.\n\n      # more of it later\nlevel: 2\n"
    document = reader.parse(text, Path("card.yaml"))
    assert isinstance(document.root, Mapping)
    result = edited(document, [SetKey(document.root, "text", Block("Howl: draw.\nGo."))])
    assert result is not None
    assert result.text == text.replace("Draw.", '"Howl: draw.\\nGo."')

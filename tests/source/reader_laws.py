"""Laws of reading: nothing but findings comes out of bad bytes, and every character of a value is found in the file."""

import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from render.base.findings import Refused, as_json, as_text
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence
from render.source.reader import parse, read

FILE = Path("card.yaml")

CARD = """\
- name: 'It''s'
  text: "HAMMER:\\u0041 draw
    1 card.\\n"
  flavor: >-
    one
    two

     three
  art: {file: a.jpg, corner: top-left}
- &x name: |2
     indented

    text
  sp: [1, 2]  # comment
"""
FRAGMENTS = (
    st.sampled_from(
        ["\t", "\n", "\r\n", "\r", " ", "  ", '"', "'", ": ", "- ", "? ", "[", "]", "{", "}", ", ", "|", ">+"]
    )
    | st.sampled_from(["#", " #", "&a ", "*a ", "!!str ", "!", "%", "@", "`", "\\", "\\x", "\\uD800", "\\\n", "---\n"])
    | st.sampled_from(["...\n", "\0", "\x85", "\u2028", "\ufeff", "\u202e", "e\u0301", "\U0001f525"])
)


@st.composite
def mutated_cards(draw: st.DrawFn) -> str:
    """Return a card file in which pieces were cut out and YAML's own characters were put in."""
    text = CARD
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 8))
        text = text[:at] + draw(FRAGMENTS | st.just("")) + text[at + cut :]
    return text


def scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence():
            for item in node.items:
                yield from scalars(item)
        case Mapping():
            for key, value in node.entries:
                yield from (key, *scalars(value))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "card.yaml"
    file.write_bytes(content)
    try:
        assert read(file).text.encode() == content
    except Refused as refused:
        assert as_text(refused.findings)
        assert as_json(refused.findings)


@given(st.text(max_size=80) | mutated_cards())
def test_any_text_is_read_or_refused_and_its_values_are_found_in_it(text: str) -> None:
    try:
        document = parse(text, FILE)
    except Refused as refused:
        assert as_text(refused.findings)
        return
    for scalar in scalars(document.root):
        assert_found(document, scalar)


def assert_found(document: Document, scalar: Scalar) -> None:
    """Check that each character stands where it is said to, unless folding, an escape or composition made it."""
    end = document.offset(scalar, 0)
    for index, char in enumerate(scalar.value):
        start, end = document.extent(scalar, index, index + 1)
        written = document.text[start:end]
        assert scalar.start <= start < end <= scalar.end
        assert written == char or stands_for(written, char), (document.text, scalar)
    assert document.offset(scalar, len(scalar.value)) == end


def stands_for(written: str, char: str) -> bool:
    breaks = written.strip(" \t")
    return (
        written == "''"
        or (written[0] == "\\" and len(written) > 1)
        or (char in " \n" and breaks != "" and not breaks.strip("\r\n\t "))
        or char in unicodedata.normalize("NFC", written)
    )


# --- the five styles ---

LETTERS = st.text(st.sampled_from("ab Z9.:#-'\"\\{}[],&*!|>%@`→é\n"), max_size=60)


def in_style(style: str | None, value: str, width: int) -> tuple[Document, Scalar]:
    """Return the document `text: value` and its value, written in that style and as narrow as PyYAML makes it."""
    key = yaml.ScalarNode("tag:yaml.org,2002:str", "text")
    node = yaml.ScalarNode("tag:yaml.org,2002:str", value, style=style)
    mapping = yaml.MappingNode("tag:yaml.org,2002:map", [(key, node)])
    document = parse(yaml.serialize(mapping, allow_unicode=True, width=width), FILE)
    _, scalar = scalars(document.root)
    return document, scalar


@pytest.mark.parametrize("style", [None, "'", '"', "|", ">"])
@given(value=LETTERS, width=st.sampled_from([8, 20, 1000]))
def test_every_style_gives_each_character_its_place(style: str | None, value: str, width: int) -> None:
    document, scalar = in_style(style, value, width)
    assert scalar.value == unicodedata.normalize("NFC", value)
    assert_found(document, scalar)


WORDS = st.lists(st.sampled_from(["draw", "1", "card", "it's", "é", "e\u0301", "→"]), min_size=1, max_size=12)


@pytest.mark.parametrize("style", [None, "'", '"', "|", ">"])
@given(words=WORDS, data=st.data())
def test_a_word_replaced_at_its_place_is_replaced_in_the_value(
    style: str | None, words: list[str], data: st.DataObject
) -> None:
    document, scalar = in_style(style, "x " + " ".join(words), width=12)
    chosen = data.draw(st.sampled_from(list(re.finditer("[^ ]+", scalar.value))))
    start, end = document.extent(scalar, *chosen.span())
    _, rewritten = scalars(parse(document.text[:start] + "NEW" + document.text[end:], FILE).root)
    assert rewritten.value == scalar.value[: chosen.start()] + "NEW" + scalar.value[chosen.end() :]


def test_both_parsers_give_the_same_nodes() -> None:
    text = CARD.replace("&x ", "")
    code = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from pathlib import Path; from render.source.reader import parse\n"
        "print(ascii(parse(sys.argv[1], Path('card.yaml')).root))"
    )
    printed = subprocess.run([sys.executable, "-c", code, text], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == ascii(parse(text, FILE).root)

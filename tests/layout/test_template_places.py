"""Mistakes of templates: each stands at its line and column in the file where it was written."""

from pathlib import Path

import pytest

from render.base.findings import Refused
from tests.support.templates import laid_out, svg

PARTS = {
    "frame.svg": svg("{% block inside %}{% endblock %}"),
    "part.svg": "{# a part #}\n<g>\n   <circle r='2' wide='1'/>\n</g>\n",
    "macros.svg": '{% macro dot(r) -%}\n  <circle r="{{ r }}"\n          stroke-width="1"/>\n{%- endmacro %}\n',
}


def places_of(folder: Path, template: str, **values: object) -> list[tuple[str, int, int]]:
    """Return where mistakes stand: file, line, column."""
    for name, text in PARTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        laid_out(folder, template, **values)
    spans = [finding.span for finding in refused.value.findings]
    return [(span.file.name, span.line, span.column) for span in spans if span]


@pytest.mark.parametrize(
    ("template", "place"),
    [
        (svg('{% include "part.svg" %}'), ("part.svg", 3, 18)),
        ('{% extends "frame.svg" %}\n{% block inside %}\n\n <rect wide="1"/>\n{% endblock %}', ("tried.svg", 4, 8)),
        (svg('{% import "macros.svg" as m %}\n{{ m.dot("x") }}'), ("macros.svg", 2, 11)),
        (svg('{% from "macros.svg" import dot %}\n<g>{{ dot(1) }}{{ dot("1 mm 2") }}</g>'), ("macros.svg", 2, 11)),
    ],
    ids=["include", "extends", "import", "from"],
)
def test_a_mistake_stands_in_the_file_that_it_was_written_in(
    template: str, place: tuple[str, int, int], tmp_path: Path
) -> None:
    assert places_of(tmp_path, template) == [place]


PLACES = {
    "the wrong one of two elements alike": (
        '<rect width="1" height="1"/>\n<rect width="1" height="1"/> <rect width="x" height="1"/>', 3, 36
    ),
    "of two attributes that a condition chooses from the one that was chosen": (
        '<rect {% if wide %}width="x"{% else %}width="1"{% endif %} height="1"/>', 2, 20
    ),
    "what a value gives, where the value is printed": ("<g>\n  {{ made|safe }}\n</g>", 3, 3),
    "a property of a style": ('<rect width="1" height="1"\n      style="stroke:none;fill:blurple"/>', 3, 26),
    "a copy, where its original stands": (
        '<defs><g id="a">\n<rect width="x" height="1"/></g></defs>\n<use href="#a"/>', 3, 7
    ),
    "an element that is left open, where it begins": ("<g>\n  <circle r='1'></g>\n</g>", 3, 3),
    "behind letters of any alphabet": ("<text>Ünïcödé 猫 😀</text>\n<g wide='1'/>", 3, 4),
    # Marks change what it gives, so that no place is known by them.
    "the file of a template that counts its own letters": (
        "{% macro m() %}<g/>{% endmacro %}\n<text>{{ m()|length }}</text>\n<rect wide='1'/>", 1, 1
    ),
}  # fmt: skip


@pytest.mark.parametrize(("content", "line", "column"), PLACES.values(), ids=PLACES)
def test_a_mistake_is_shown_at_its_place(tmp_path: Path, content: str, line: int, column: int) -> None:
    values = {"wide": True, "made": "<rect wide='1'/>"}
    assert places_of(tmp_path, svg(content), **values)[-1] == ("tried.svg", line, column)


@pytest.mark.parametrize("encoding", ["UTF-8", "utf-7", "hex", "UTF-NaN", "utf-16", "big5", "latin-1"])
@pytest.mark.parametrize(
    "content", ['<rect wide="1"/>', "<rect ä='1' wide='1'/>", "<rect", "<text>ä</text><rect wide='1'/>"]
)
def test_a_mistake_has_its_place_whatever_encoding_a_template_declares(
    encoding: str, content: str, tmp_path: Path
) -> None:
    declared = f'<?xml version="1.0" encoding="{encoding}"?>'
    plain, other = (places_of(tmp_path, head + svg(content)) for head in ("", declared))
    assert [(name, line, column + len(declared) * (line == 1)) for name, line, column in plain] == other

"""Filters, tests and functions that a template names: those that do not exist are told when it is read, no others."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from render.base.findings import Refused
from render.base.resources import TEMPLATES
from render.layout.lay_out import lay_out
from render.layout.templates.lint import unreached_parts
from render.layout.templates.template import Templates

PAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">{}</svg>'
TITLE = "{% macro title(words) %}<g/>{% endmacro %}"

SOUND: Mapping[str, Mapping[str, str]] = {
    "a macro of a template that this one extends": {
        "tried": '{% extends "frame.svg" %}{% block own %}{{ title("A") }}{% endblock %}',
        "frame": TITLE + PAGE.format("{% block own %}{% endblock %}"),
    },
    "a macro of a template that extends this one": {
        "tried": f'{{% extends "frame.svg" %}}{TITLE}',
        "frame": PAGE.format('{{ title("A") }}'),
    },
    "a macro of a template that includes this one": {
        "tried": PAGE.format(TITLE + '{% include "part.svg" %}'),
        "part": '{{ title("A") }}',
    },
    "a macro of a template that is included within another": {
        "tried": PAGE.format(TITLE + '{% include "part.svg" %}'),
        "part": '{% include "inner.svg" %}',
        "inner": '{{ title("A") }}',
    },
    "macros that are imported": {
        "tried": '{% import "macros.svg" as macros %}{% from "macros.svg" import title, title as max %}'
        + PAGE.format('{{ macros.title("A") }}{{ title("A") }}{{ max("A") }}'),
        "macros": TITLE,
    },
    "a template whose name is worked out": {
        "tried": PAGE.format(
            '{% set file = "part" ~ ".svg" %}{% if false %}{% include file %}{{ title("A") }}{% endif %}'
        ),
    },
    "a function that is asked for first": {
        "tried": PAGE.format(
            "{% if len is defined %}{{ len(3) }}{% endif %}{% if 'shine' is filter %}{{ 1|shine }}{% endif %}"
        ),
    },
    "functions of every template": {
        "tried": PAGE.format(
            "{% set lists = namespace(a=dict(b=range(3)|list)) %}"
            "{% macro frame() %}{{ caller() }}{% if varargs %}{% endif %}"
            "{% endmacro %}{% call frame() %}<g/>{% endcall %}{% for x in [] recursive %}{{ loop([]) }}{% endfor %}"
        ),
    },
    "a part that is not there": {"tried": PAGE.format('{% include ["no.svg", "part.svg"] ignore missing %}')},
}
"""Templates that name nothing unknown, whatever card comes."""


def told_of(folder: Path, files: Mapping[str, str]) -> list[tuple[str, str]]:
    for name, text in files.items():
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")
    try:
        lay_out(Templates([folder], [TEMPLATES]).get("tried"), {}, lambda _: 1 / 0)  # type: ignore[arg-type,return-value]
    except Refused as refused:
        return [(each.message, each.hint) for each in refused.findings]
    return []


@pytest.mark.parametrize("name", SOUND)
def test_what_another_template_brings_is_no_mistake(tmp_path: Path, name: str) -> None:
    assert told_of(tmp_path, SOUND[name]) == []


@pytest.mark.parametrize(
    ("shown", "said", "hint"),
    [
        ("{{ [1]|select('evn')|join }}", "there is no test `evn`", "did you mean `even`?"),
        ("{{ [{}]|selectattr('a', 'defned')|join }}", "there is no test `defned`", "did you mean `defined`?"),
        ("{% filter uper %}a{% endfilter %}", "there is no filter `uper`", "did you mean `upper`?"),
        ("{{ 1|abss }}{{ 1|rond }}", "there is no filter `abss`", "did you mean `abs`?"),
        ("{{ upper('a') }}", "there is no function `upper`", "write `value|upper`: `upper` is a filter"),
        ("{{ truncate('a') }}", "there is no function `truncate`", "write `value|truncate`"),
        ("{{ nmespace() }}", "there is no function `nmespace`", "did you mean `namespace`?"),
    ],
)
def test_a_name_that_no_card_asks_for_is_told(tmp_path: Path, shown: str, said: str, hint: str) -> None:
    found = told_of(tmp_path, {"tried": PAGE.format(f"{{% if false %}}{shown}{{% endif %}}")})
    assert found == [(f"the template `tried` is not valid Jinja2: {said}", hint)]


def test_a_name_of_a_part_that_a_card_shows_is_told_in_its_file(tmp_path: Path) -> None:
    files = {"tried": PAGE.format('{% include "part.svg" %}'), "part": "{% if false %}{{ 1|abss }}{% endif %}"}
    said = "the template `part` is not valid Jinja2: there is no filter `abss`"
    assert told_of(tmp_path, files) == [(said, "did you mean `abs`?")]


def test_a_chain_that_is_deeper_than_the_stack_is_linted(tmp_path: Path) -> None:
    (tmp_path / "tried.svg").write_text(PAGE.format("{{ 1" + "+1" * 20_000 + " + nmae }}"), encoding="utf-8")
    (warning,) = unreached_parts(Templates([tmp_path], [TEMPLATES]), ["tried"], ["name"], {})
    assert warning.message == "the template `tried` asks for `nmae`, which nothing gives"

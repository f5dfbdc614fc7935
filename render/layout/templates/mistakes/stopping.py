"""What is said of a template or an expression that was read, and then stopped: in the words of its author."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from render.base.findings import did_you_mean, listed, nearest_word
from render.layout.templates.engine.unknown import AS_FILTERS


class WhyStopped(NamedTuple):
    """Why something stopped, a hint, and the word of the line in question; "" where there is none."""

    said: str
    hint: str = ""
    word: str = ""


_NO_ATTRIBUTE = re.compile(r"'(?P<type>[\w.]+) object' has no attribute '(?P<name>\w+)'")
_NO_MACRO = re.compile(r"the template '(?P<file>[^']+)' .* does not export the requested name '(?P<name>\w+)'")
_MACRO = "write the name as it stands behind `{% macro` in that template"
_NO_NAME = re.compile(r"'(?P<name>\w+)' is undefined")
NO_SUCH = re.compile(r"No (?P<what>filter|test|function) named '(?P<name>[\w.]+)'(?: found)?")
"""What Jinja2 says of a filter or a test that it does not have, while it reads or runs; and we, of a function."""

_COMPARED = re.compile(r"'(?P<sign>\S+)' not supported between instances of '(?P<left>\w+)' and '(?P<right>\w+)'")
_NO_LIST = re.compile(r"'(?P<type>\w+)' object is not iterable")
_DIVIDED = re.compile(r"(?:division|modulo) by zero$")
_TYPES = {
    "int": "a number", "float": "a number", "str": "a text", "NoneType": "none", "bool": "a truth value",
    "list": "a list", "tuple": "a list", "dict": "a dictionary", "Markup": "a text", "RichText": "a rich text",
}  # fmt: skip
_WITH_NONE = re.compile(r"`(?P<sign>\S+)` cannot be used between (?:none and .*|.* and none)")


def why_template_stopped(said: str, line: str, keys: Collection[str], filters: Collection[str]) -> WhyStopped:
    """Return why a template stopped in a line, of which Jinja2 says `said`.

    `keys` are what its card has, none for a back; `filters` are those that there are.
    """
    attribute, name, unknown = _NO_ATTRIBUTE.search(said), _NO_NAME.fullmatch(said), NO_SUCH.fullmatch(said)
    lost = _NO_MACRO.search(said)
    if lost:
        return WhyStopped(f"the template `{lost['file']}` has no macro `{lost['name']}`", _MACRO, lost["name"])
    if attribute and attribute["type"].endswith("TemplateModule"):
        return WhyStopped(f"the imported template has no macro `{attribute['name']}`", _MACRO, attribute["name"])
    if attribute:
        word = attribute["name"]
        hint = did_you_mean(word, sorted(keys)) or (f"a card has {listed(sorted(keys), 'and')}" if keys else "")
        return WhyStopped(f"nothing is called `{word}` here", hint, word)
    if name and (file := re.search(rf"\b(?:include|extends|import|from)\s+({name['name']}[\w./-]*)", line)):
        return WhyStopped(f"the template `{file[1]}` stands without quotes", f'write `"{file[1]}"`', name["name"])
    if name:
        return WhyStopped(f"nothing is called `{name['name']}` here", _about_name(name["name"], keys), name["name"])
    if unknown:
        what, word = unknown["what"], unknown["name"]
        near = about_filter(word, sorted(filters))[0] if what == "filter" else ""
        return WhyStopped(f"there is no {what} `{word}`", near or f"templates/README.md lists the {what}s", word)
    if _NO_LIST.fullmatch(said):
        return WhyStopped(
            compared_words(said), "print it whole, without `for`; only a field of the type `list` is a list"
        )
    said = compared_words(said)
    guard = "a card may lack the value: ask first, as in `{% if card.power is not none %}`"
    return WhyStopped(said, guard if _WITH_NONE.fullmatch(said) else "")


def _about_name(name: str, keys: Collection[str]) -> str:
    if name == "card":
        return "a back serves all cards: leave out what is of one, such as its name"
    near = nearest_word(name, sorted(keys))
    return as_filter(name) or (f"did you mean `card.{near}`?" if near else "")


def compared_words(said: str) -> str:
    """Return Python's words about values that cannot be compared, or are no lists, as ours; others as they are."""
    compared, misused = _COMPARED.match(said), _NO_LIST.fullmatch(said)
    if misused:
        return f"{_TYPES.get(misused['type'], 'something else')} stands where a list is needed"
    if not compared:
        return "it divides by 0" if _DIVIDED.search(said) else said
    left, right = (_TYPES.get(compared[side], "something else") for side in ("left", "right"))
    return f"`{compared['sign']}` cannot be used between {left} and {right}"


def why_expression_stopped(said: str) -> WhyStopped:
    """Return why an expression stopped, of which Jinja2 says `said`."""
    member, name = _NO_ATTRIBUTE.fullmatch(said), _NO_NAME.fullmatch(said)
    if member:
        owner = _TYPES.get(member["type"].rpartition(".")[2], "it")
        return WhyStopped(f"{owner} has no `{member['name']}`", as_filter(member["name"]))
    if name:
        return WhyStopped(in_backticks(said), "", name["name"])
    return WhyStopped(in_backticks(compared_words(said)))


def in_backticks(said: str) -> str:
    """Return words of Jinja2 or Python with backticks for their quotes; the apostrophe of `doesn't` stays one."""
    return re.sub(r"(?<!\w)'|'(?!\w)", "`", said)


def lacks_value(said: str) -> bool:
    """Whether an expression stopped since a value is none."""
    return _WITH_NONE.fullmatch(said) is not None


def as_filter(name: str, value: str = "value") -> str:
    """Return a hint on how to write a function of another language here; "" for one that is not known."""
    return f"write `{value}|{AS_FILTERS[name]}`: `{name}` is a filter" if name in AS_FILTERS else ""


_IN_OPERATORS = {
    "square": "value ** 2", "squared": "value ** 2", "sqrt": "value ** 0.5", "pow": "value ** 2", "power": "value ** 2",
    "floor": "value // 1", "concat": "value ~ other", "odd": "value is odd", "even": "value is even",
    "substring": "value[:3]", "split": "value.split(',')", "contains": "'a' in value",
}  # fmt: skip
"""Filters of other languages that are operators, tests or methods here."""


def about_filter(name: str, filters: Collection[str]) -> tuple[str, str]:
    """Return a hint on what to write for a filter that does not exist, and the filter to use instead; "" for none."""
    near = nearest_word(name, sorted({*filters, *_IN_OPERATORS}))
    if near in _IN_OPERATORS and near not in filters:
        return f"write `{_IN_OPERATORS[near]}`", ""
    return (f"did you mean `{near}`?" if near else "templates/README.md lists the filters"), near

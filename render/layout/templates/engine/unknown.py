"""Filters, tests and functions that a template names and that do not exist: found when it is read.

Jinja2 asks for those within an `if`, an `else` or a macro only when a card comes that way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import jinja2
from jinja2 import meta, nodes

from render.base.findings import Refused, nearest_word

AS_FILTERS = {
    "len": "length", "length": "length", "size": "length", "count": "length", "str": "string", "int": "int",
    "float": "float", "round": "round", "abs": "abs", "sum": "sum", "min": "min", "max": "max", "sorted": "sort",
    "sort": "sort", "upper": "upper", "lower": "lower", "title": "title", "reversed": "reverse", "list": "list",
    "join": "join", "replace": "replace", "unique": "unique", "floor": "round(0, 'floor')", "ceil": "round(0, 'ceil')",
}  # fmt: skip
"""Functions of other languages, and the filters that do what they do."""

_BY_NAME = {"map": ("filter", 0), "select": ("test", 0), "reject": ("test", 0), "selectattr": ("test", 1),
            "rejectattr": ("test", 1)}  # fmt: skip
"""Filters that are given the name of another filter, or of a test, and as which argument."""

_OF_JINJA = frozenset(("caller", "loop", "self", "super", "varargs", "kwargs"))


class Asked(NamedTuple):
    """What a template asks for by name: a `filter`, a `test` or a `function`, and in which line."""

    what: str
    name: str
    line: int


def asked_for(tree: nodes.Node) -> list[Asked]:
    """Return all filters, tests and functions that a template names, line by line."""
    found = [
        *(Asked("filter", each.name, each.lineno) for each in tree.find_all(nodes.Filter)),
        *(Asked("test", each.name, each.lineno) for each in tree.find_all(nodes.Test)),
        *(each for node in tree.find_all(nodes.Filter) for each in _by_name(node)),
        *(
            Asked("function", each.node.name, each.node.lineno)
            for each in tree.find_all(nodes.Call)
            if isinstance(each.node, nodes.Name)
        ),
    ]
    return sorted(found, key=lambda each: each.line)


def _by_name(node: nodes.Filter) -> Iterator[Asked]:
    what, number = _BY_NAME.get(node.name, ("", 0))
    if not what or len(node.args) <= number:
        return
    named = node.args[number]
    if isinstance(named, nodes.Const) and isinstance(named.value, str):
        yield Asked(what, named.value, node.lineno)


def refuse_unknown(tree: nodes.Template, filters: Collection[str], tests: Collection[str]) -> None:
    """Raise what Jinja2 does for the first filter or test that does not exist."""
    known = {"filter": filters, "test": tests}
    # `{% if "svg" is filter %}` asks whether there is one.
    guarded = {each.node.value for each in tree.find_all(nodes.Test) if isinstance(each.node, nodes.Const)}
    for what, name, line in asked_for(tree):
        if what in known and name not in known[what] and name not in guarded:
            raise jinja2.TemplateSyntaxError(f"No {what} named {name!r}.", line)


def refuse_unknown_functions(tree: nodes.Template, environment: jinja2.Environment) -> None:
    """Raise the same for the first function that does not exist, if it is plain what is meant.

    What another template brings may not be known here: a name that is near none, and no filter, waits for its card.
    """
    called = [each for each in asked_for(tree) if each.what == "function" and each.name not in environment.globals]
    if not called:
        return
    tests = [each for each in tree.find_all(nodes.Test) if each.name in ("defined", "undefined")]
    known = {*names_given(tree), *(each.node.name for each in tests if isinstance(each.node, nodes.Name)), *_OF_JINJA}
    missing = [each for each in called if each.name not in known]
    if not missing or (brought := _brought(tree, environment)) is None:
        return
    near = functions_near(tree, environment)
    for _, name, line in missing:
        is_filter = name in environment.filters or name in AS_FILTERS
        if name not in brought and (is_filter or nearest_word(name, near)):
            raise jinja2.TemplateSyntaxError(f"No function named {name!r}.", line)


def functions_near(tree: nodes.Node, environment: jinja2.Environment) -> list[str]:
    """Return the functions of all templates, and the macros that this one has or imports, by their names in it."""
    return sorted({*environment.globals, *_macros(tree)})


def names_given(tree: nodes.Node) -> set[str]:
    """Return all names that a template gives to anything."""
    named = {each.name for each in tree.find_all(nodes.Name) if each.ctx in ("store", "param")}
    return named | {each.target for each in tree.find_all(nodes.Import)} | _macros(tree)


def _macros(tree: nodes.Node) -> set[str]:
    imported = (name for node in tree.find_all(nodes.FromImport) for name in node.names)
    macros = (each.name for each in tree.find_all(nodes.Macro))
    return {*macros, *(each if isinstance(each, str) else each[1] for each in imported)}


def _brought(tree: nodes.Template, environment: jinja2.Environment) -> set[str] | None:
    """Return the names of all templates that were read so far, and of those that they and this one ask for.

    Macros of a template are known to those that it extends and includes. None if one asks for another by a name that
    it works out, or cannot be read.
    """
    loaded = [name for _, name in environment.cache or {}]
    found, seen, queue = set[str](), set[str | None](), [*loaded, *meta.find_referenced_templates(tree)]
    while queue:
        name = queue.pop()
        if name is None or environment.loader is None:
            return None
        if name in seen:
            continue
        seen.add(name)
        try:
            source, file, _ = environment.loader.get_source(environment, name)
            other = jinja2.Environment().parse(source, name, file)
        except jinja2.TemplateNotFound:
            continue  # an `include` may name several, of which not all are there
        except (jinja2.TemplateError, Refused, OSError, ValueError, RecursionError):
            return None
        found |= names_given(other)
        queue += meta.find_referenced_templates(other)
    return found

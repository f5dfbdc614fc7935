"""What a template or an expression names, found in its syntax tree: all ways through it count, and nothing is run.

Jinja2 asks for what stands within an `if`, an `else` or a macro only when a card comes that way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple, TypeVar

import jinja2
from jinja2 import meta, nodes

from render.base.caches import cached
from render.base.findings import Refused, nearest_word
from render.layout.templates.environment import Sandbox
from render.layout.templates.filling import STOPS, Source

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

OF_JINJA = frozenset(("caller", "loop", "self", "super", "varargs", "kwargs"))
UNREAD = (jinja2.TemplateError, Refused, OSError, UnicodeDecodeError)
"""The exceptions of a template that is not there, or cannot be read."""


@cached(1)
def sandbox() -> Sandbox:
    """Return what reads templates and expressions, and knows which filters, tests and functions there are."""
    return Sandbox()


@cached(128)
def _tree(text: str) -> nodes.Template:
    return sandbox().parse(text)


def parsed(text: str) -> nodes.Template | None:
    """Return the tree of a template; None if it cannot be read, which is told where it is drawn."""
    try:
        return _tree(text)
    except STOPS:
        return None


N = TypeVar("N", bound=nodes.Node)


def every(tree: nodes.Node, *kinds: type[N]) -> Iterator[N]:
    """Yield the nodes of these kinds in a tree, which is gone through once for all who ask."""
    return (each for each in _flat(tree) if isinstance(each, kinds))


@cached(256)
def _flat(tree: nodes.Node) -> tuple[nodes.Node, ...]:
    found, queue = list[nodes.Node](), [tree]
    while queue:  # no recursion: a template may nest deeper than Python's stack is
        found.append(node := queue.pop())
        queue += reversed([*node.iter_child_nodes()])
    return tuple(found[1:])


@cached(256)
def referenced(tree: nodes.Template) -> tuple[str, ...]:
    """Return the names of the templates that one extends, includes and imports; "" for one that it works out."""
    return tuple(name or "" for name in meta.find_referenced_templates(tree))


Find = Callable[[str], Source]
"""Returns a template by its name, such as `card.svg`; one of UNREAD if it cannot."""


def reached(names: Iterable[str], find: Find) -> Iterator[tuple[str, Source | None, nodes.Template | None]]:
    """Yield templates, and those that they extend, include and import: the name, the source if it is there, the tree.

    What cannot be read has no tree. The name of one that is worked out is "".
    """
    seen, queue = set[str](), [*names]
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            source = find(name) if name else None
        except UNREAD:
            source = None
        tree = parsed(source.text) if source else None
        yield name, source, tree
        queue += referenced(tree) if tree else ()


class Asked(NamedTuple):
    """What a template asks for by name: a `filter`, a `test` or a `function`, and in which line."""

    what: str
    name: str
    line: int


@cached(256)
def asked_for(tree: nodes.Node) -> list[Asked]:
    """Return all filters, tests and functions that a template names, line by line."""
    found = []
    for each in every(tree, nodes.Filter, nodes.Test, nodes.Call):
        match each:
            case nodes.Filter():
                found.append(Asked("filter", each.name, each.lineno))
                what, number = _BY_NAME.get(each.name, ("", len(each.args)))
                named = each.args[number] if number < len(each.args) else None
                if isinstance(named, nodes.Const) and isinstance(named.value, str):
                    found.append(Asked(what, named.value, each.lineno))
            case nodes.Test():
                found.append(Asked("test", each.name, each.lineno))
            case nodes.Call() if isinstance(each.node, nodes.Name):
                found.append(Asked("function", each.node.name, each.node.lineno))
    return sorted(found, key=lambda each: each.line)


@cached(256)
def names_given(tree: nodes.Node) -> frozenset[str]:
    """Return all names that a template gives to anything."""
    named = {each.name for each in every(tree, nodes.Name) if each.ctx in ("store", "param")}
    return frozenset(named.union((each.target for each in every(tree, nodes.Import)), _macros(tree)))


def names_used(tree: nodes.Node) -> set[str]:
    """Return the names that a template asks for, and that neither itself nor Jinja2 gives to anything."""
    used = {each.name for each in every(tree, nodes.Name) if each.ctx == "load"} - names_given(tree)
    return used - {"loop"} if tree.find(nodes.For) else used


def _macros(tree: nodes.Node) -> set[str]:
    imported = (name for each in every(tree, nodes.FromImport) for name in each.names)
    return {
        *(each.name for each in every(tree, nodes.Macro)),
        *(name if isinstance(name, str) else name[1] for name in imported),
    }


def functions_near(tree: nodes.Node) -> list[str]:
    """Return the functions of all templates, and the macros that this one has or imports, by their names in it."""
    return sorted({*sandbox().globals, *_macros(tree)})


def is_name(node: nodes.Node | None, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.name == name


def asked_of(tree: nodes.Node, name: str) -> set[str]:
    """Return what is asked of a name, as `parts` of `name.parts`."""
    return {each.attr for each in every(tree, nodes.Getattr) if is_name(each.node, name)}


def asked_first(tree: nodes.Node) -> list[nodes.Expr]:
    """Return what a template asks about before it uses it: `is defined`, or with a default."""
    tests = [each.node for each in every(tree, nodes.Test) if each.name in ("defined", "undefined")]
    return tests + [each.node for each in every(tree, nodes.Filter) if each.name in ("default", "d") and each.node]


# --- filters, tests and functions that do not exist -------------------------------------------------------------------


def refuse_unknown(source: Source, name: str, read: Iterable[str], find: Find) -> None:
    """Read a template; TemplateSyntaxError also for the first filter, test or function that does not exist.

    `read` are the names of the templates that were read before.
    """
    try:
        tree = _tree(source.text)
        refuse_unknown_filters(tree)
        _refuse_unknown_functions(tree, read, find)
    except jinja2.TemplateSyntaxError as error:
        error.name, error.filename, error.source = name, source.file, source.text
        raise


def refuse_unknown_filters(tree: nodes.Template) -> None:
    """Raise what Jinja2 does for the first filter or test that does not exist."""
    known = {"filter": sandbox().filters, "test": sandbox().tests}
    # `{% if "svg" is filter %}` asks whether there is one.
    guarded = {each.node.value for each in every(tree, nodes.Test) if isinstance(each.node, nodes.Const)}
    for what, name, line in asked_for(tree):
        if what in known and name not in known[what] and name not in guarded:
            raise jinja2.TemplateSyntaxError(f"No {what} named {name!r}.", line)


def _refuse_unknown_functions(tree: nodes.Template, read: Iterable[str], find: Find) -> None:
    """Raise the same for the first function that does not exist, if it is plain what is meant.

    What another template brings may not be known here: a name that is near none, and no filter, waits for its card.
    """
    first = (each.name for each in asked_first(tree) if isinstance(each, nodes.Name))
    known = {*sandbox().globals, *names_given(tree), *first, *OF_JINJA}
    missing = [each for each in asked_for(tree) if each.what == "function" and each.name not in known]
    if not missing or (brought := _brought(tree, read, find)) is None:
        return
    near = functions_near(tree)
    for _, name, line in missing:
        is_filter = name in sandbox().filters or name in AS_FILTERS
        if name not in brought and (is_filter or nearest_word(name, near)):
            raise jinja2.TemplateSyntaxError(f"No function named {name!r}.", line)


def _brought(tree: nodes.Template, read: Iterable[str], find: Find) -> set[str] | None:
    """Return the names of all templates that were read so far, and of those that they and this one ask for.

    Macros of a template are known to those that it extends and includes. None if one asks for another by a name that
    it works out, or cannot be read.
    """
    found = set[str]()
    for name, source, other in reached([*read, *referenced(tree)], find):
        if other:
            found |= names_given(other)
        elif source or not name:
            return None
    return found


# --- words that are compared ------------------------------------------------------------------------------------------


def compared_words(tree: nodes.Node, *, of_card: bool) -> Iterator[tuple[str, str]]:
    """Yield each name with a word that it is compared with, looked for among, or looked up as a key.

    The names are those of an expression, or the keys that a template asks of `card`.
    """

    def pairs(node: nodes.Node, words: Iterable[nodes.Node]) -> Iterator[tuple[str, str]]:
        name = ""
        if of_card and isinstance(node, nodes.Getattr) and is_name(node.node, "card"):
            name = node.attr
        elif not of_card and isinstance(node, nodes.Name):
            name = node.name
        for word in words if name else ():
            if isinstance(word, nodes.Const) and isinstance(word.value, str) and word.value:
                yield name, word.value

    for compare in every(tree, nodes.Compare):
        left = compare.expr
        for operand in compare.ops:
            if operand.op in ("eq", "ne"):
                yield from pairs(left, [operand.expr])
                yield from pairs(operand.expr, [left])
            elif operand.op in ("in", "notin") and isinstance(operand.expr, nodes.List | nodes.Tuple):
                yield from pairs(left, operand.expr.items)
            left = operand.expr
    for item in every(tree, nodes.Getitem):
        if isinstance(item.node, nodes.Dict):
            yield from pairs(item.arg, [each.key for each in item.node.items])


def as_number(word: str) -> str:
    """Return the hint for a text with which a number is compared."""
    return (
        f"write `{word}`, without quotes" if word.isdecimal() else "a number is compared with a number, or with `none`"
    )


# --- names of other languages -------------------------------------------------------------------------------------------

NO_SUCH = re.compile(r"No (?P<what>filter|test|function) named '(?P<name>[\w.]+)'(?: found)?")
"""What Jinja2 says of a filter or a test that it does not have, while it reads or runs; and we, of a function."""


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

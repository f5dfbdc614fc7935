"""Expressions outside of templates, such as `power + toughness`, run where templates run: with the same names, within
the same kind of budget.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.parser import Parser

from render.base.caches import cached
from render.base.findings import nearest_word, reason
from render.layout.templates.budget import Limits, Overspent
from render.layout.templates.counting import Excess, instrument
from render.layout.templates.offered import FILTERS, TESTS
from render.layout.templates.rendering import STOPS
from render.layout.templates.sandbox import Sandbox

EXPRESSION_LIMITS = Limits(turns=10_000, steps=100_000, output=100_000, value=10_000, seconds=2.0)
"""What one expression may spend for one card: a hundred times what any of the examples does."""

MAX_EXPRESSION = 2000  # characters: longer ones belong into a template
_NAME = "expression"


class ExpressionFailed(Exception):  # noqa: N818 - it is a result, not a mistake of the program
    """An expression cannot be read, or gives nothing for these values: the message says why, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ExpressionOverspent(ExpressionFailed):
    """An expression spends more than it may, which takes a while: whoever has thousands of cards tries it no more."""


@dataclass(frozen=True, slots=True)
class _Program:
    """A compiled expression, and the names that it asks for."""

    template: jinja2.Template
    names: frozenset[str]


def names_in(source: str, *, is_text: bool = False) -> frozenset[str]:
    """Return the names that an expression asks for, or a text with expressions in `{{ }}`; ExpressionFailed."""
    return _compiled(source, is_text).names


def evaluate(source: str, values: Mapping[str, object]) -> object:
    """Return what an expression gives for these values: texts, numbers, truth values, lists of them, or None.

    ExpressionFailed, if it cannot be read, stops or spends too much.
    """
    program = _compiled(source, False)
    context = program.template.new_context(dict(values))

    def result() -> object:
        for _ in program.template.root_render_func(context):
            pass
        return _plain(context.vars["result"])

    return _run(result, values)


def fill_in(source: str, values: Mapping[str, object]) -> str:
    """Return a text in which the expressions in `{{ }}` are replaced by what they give; ExpressionFailed."""
    return str(_run(lambda: _compiled(source, True).template.render(values), values))


@cached(1)
def _sandbox() -> Sandbox:
    sandbox = Sandbox(EXPRESSION_LIMITS)
    sandbox.autoescape = False  # what comes out is no SVG
    return sandbox


@cached(512)
def _compiled(source: str, is_text: bool) -> _Program:
    if len(source) > MAX_EXPRESSION:
        raise ExpressionFailed(f"it has {len(source):,} characters, and may have {MAX_EXPRESSION:,}", "shorten it")
    sandbox = _sandbox()
    try:
        tree = sandbox.parse(source) if is_text else _parsed(sandbox, source)
        names = frozenset(meta.find_undeclared_variables(tree))
        code = sandbox.compile(source if is_text else tree, _NAME)
        template = sandbox.template_class.from_code(sandbox, code, sandbox.make_globals(None))
    except jinja2.TemplateSyntaxError as error:
        raise _unreadable(error.message or "", source, is_text=is_text) from None
    except (Excess, *STOPS) as error:
        raise ExpressionFailed(
            "it is nested too deep" if isinstance(error, RecursionError) else reason(error)
        ) from None
    return _Program(template, names - sandbox.globals.keys())


_NO_SUCH = re.compile(r"No (?P<what>filter|test) named '(?P<name>\w+)'")


def _unreadable(said: str, source: str, *, is_text: bool) -> ExpressionFailed:
    """Return in our words what is wrong with the writing of an expression."""
    if "{{" in source and not is_text:
        return ExpressionFailed("it stands in braces", "write the expression without `{{ }}`")
    if "end of template" in said or "end of print statement" in said:
        return ExpressionFailed("something is missing at its end", "write what follows, or a closing bracket or quote")
    unknown = _NO_SUCH.match(said)
    if unknown:
        known = FILTERS if unknown["what"] == "filter" else TESTS
        near = nearest_word(unknown["name"], sorted(known))
        hint = f"did you mean `{near}`?" if near else "templates/README.md lists those that there are"
        return ExpressionFailed(f"there is no {unknown['what']} `{unknown['name']}`", hint)
    return ExpressionFailed(said.rstrip(".").replace("'", "`"), "write it as in a template, such as `power + 1`")


def _parsed(sandbox: Sandbox, source: str) -> nodes.Template:
    """Return a template that keeps the value of an expression as `result`."""
    parser = Parser(sandbox, source, _NAME, state="variable")
    value = parser.parse_expression()
    if not parser.stream.eos:
        parser.fail(f"`{parser.stream.current.value}` stands behind the end of the expression")
    kept = nodes.Assign(nodes.Name("result", "store"), value)
    tree = nodes.Template([kept])
    tree.set_environment(sandbox)
    tree.set_lineno(1)
    return instrument(tree, foreign=True)


def _run(work: Any, values: Mapping[str, object]) -> Any:
    _sandbox().start()
    try:
        return work()
    except Overspent as error:
        raise ExpressionOverspent(f"it asks for too much: {error}", "ask for less") from None
    except STOPS as error:
        said = reason(error)
        if isinstance(error, jinja2.UndefinedError) and said.endswith("is undefined"):
            near = nearest_word(said.split("'")[1], list(values)) if "'" in said else ""
            raise ExpressionFailed(said.replace("'", "`"), f"did you mean `{near}`?" if near else "") from None
        if isinstance(error, RecursionError):
            said = "it calls itself without end"
        compared = _COMPARED.match(said)
        if compared:
            left, right = (_TYPES.get(compared[side], "something else") for side in ("left", "right"))
            said = f"`{compared['sign']}` cannot be used between {left} and {right}"
        raise ExpressionFailed(said.replace("'", "`")) from None


_COMPARED = re.compile(r"'(?P<sign>\S+)' not supported between instances of '(?P<left>\w+)' and '(?P<right>\w+)'")
_TYPES = {
    "int": "a number", "float": "a number", "str": "a text", "NoneType": "none", "bool": "a truth value",
    "list": "a list", "tuple": "a list", "dict": "a dictionary",
}  # fmt: skip


def _plain(value: object) -> object:
    """Return a result as it is kept: lists as tuples, texts as plain texts."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str | jinja2.Undefined):
        return str(value)  # of what is not there, it raises the error that names it
    if isinstance(value, list | tuple | range):
        return tuple(map(_plain, value))
    raise ExpressionFailed(f"it gives {_kind_of(value)}, which no card can hold", "let it give a text or a number")


def _kind_of(value: object) -> str:
    return "keys and values" if isinstance(value, Mapping) else "a function"


def unknown_names(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the names that are not known, sorted."""
    return sorted(set(names) - set(known))

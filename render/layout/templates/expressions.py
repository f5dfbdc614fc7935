"""Expressions outside of templates, such as `power + toughness`, run where templates run: with the same names, within
the same kind of budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.parser import Parser

from render.base.caches import cached
from render.base.findings import nearest_word, reason
from render.layout.templates.compared_words import as_name, compared_words
from render.layout.templates.engine.budget import Limits, Overspent
from render.layout.templates.engine.counting import Excess, instrument
from render.layout.templates.engine.offered import FILTERS
from render.layout.templates.engine.sandbox import Sandbox
from render.layout.templates.engine.unknown import refuse_unknown
from render.layout.templates.mistakes.stopping import in_backticks, why_expression_stopped
from render.layout.templates.mistakes.wording import STOPS

EXPRESSION_LIMITS = Limits(turns=10_000, steps=100_000, output=100_000, value=10_000, seconds=2.0)
"""What one expression may spend for one card: a hundred times what any of the examples does."""

MAX_EXPRESSION = 2000  # characters: longer ones belong into a template
_NAME = "expression"


class ExpressionFailed(Exception):
    """An expression cannot be read, or gives nothing for these values: the message says why, `hint` what to do.

    `place` are the indexes of the characters that are meant, None for all; `instead` is what to write in their place.
    """

    def __init__(self, message: str, hint: str = "", place: tuple[int, int] | None = None, instead: str = "") -> None:
        super().__init__(message)
        self.hint, self.place, self.instead = hint, place, instead


class ExpressionOverspent(ExpressionFailed):
    """An expression spends more than it may, which takes a while: whoever has thousands of cards tries it no more."""


@dataclass(frozen=True, slots=True)
class _Program:
    """A compiled expression, the sandbox that counts what it spends, and the names that it asks for.

    `compared` are names with the words that they are compared with.
    """

    template: jinja2.Template
    sandbox: Sandbox
    names: frozenset[str]
    compared: tuple[tuple[str, str], ...]


def names_in(source: str, *, is_text: bool = False) -> frozenset[str]:
    """Return the names that an expression asks for, or a text with expressions in `{{ }}`; ExpressionFailed."""
    return _compiled(source, is_text).names


def words_compared(source: str, *, is_text: bool = False) -> tuple[tuple[str, str], ...]:
    """Return the words with which an expression compares names, each with its name; ExpressionFailed."""
    return _compiled(source, is_text).compared


def evaluate(source: str, values: Mapping[str, object]) -> object:
    """Return what an expression gives for these values: texts, numbers, truth values, lists of them, or None.

    ExpressionFailed, if it cannot be read, stops or spends too much.
    """
    asked_for = _compiled(source, False).names
    told = tuple([_Told(name, value) for name, value in values.items() if name in asked_for])
    try:
        return _given(source, told)
    except ExpressionOverspent:
        raise
    except ExpressionFailed:
        return _evaluated(source, values)  # its message may name any of the values


class _Told:
    """A name and its value, equal to another only if they look alike as well: 1, 1.0 and true are equal."""

    __slots__ = ("looks", "name", "value")

    def __init__(self, name: str, value: object) -> None:
        self.name, self.value = name, value
        self.looks = name, type(value), value if type(value) is str else repr(value)

    def __hash__(self) -> int:
        return hash(self.looks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Told) and self.looks == other.looks


@cached(4096)
def _given(source: str, told: tuple[_Told, ...]) -> object:
    """Return what an expression gives for all that it asks for: many cards of a set say the same."""
    return _evaluated(source, {each.name: each.value for each in told})


def _evaluated(source: str, values: Mapping[str, object]) -> object:
    program = _compiled(source, False)
    context = program.template.new_context(dict(values))

    def result() -> object:
        for _ in program.template.root_render_func(context):
            pass
        return _plain(context.vars["result"])

    return _run(program, result, values)


def fill_in(source: str, values: Mapping[str, object]) -> str:
    """Return a text in which the expressions in `{{ }}` are replaced by what they give; ExpressionFailed."""
    program = _compiled(source, True)
    return str(_run(program, lambda: program.template.render(values), values))


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
        refuse_unknown(tree, sandbox.filters, sandbox.tests)
        compared = tuple(compared_words(tree, as_name))  # before Jinja2 works out what is constant
        names = frozenset(meta.find_undeclared_variables(tree) | _own_names(tree))
        code = sandbox.compile(source if is_text else tree, _NAME)
        template = sandbox.template_class.from_code(sandbox, code, sandbox.make_globals(None))
    except jinja2.TemplateSyntaxError as error:
        raise _unreadable(error.message or "", source, is_text=is_text) from None
    except (Excess, *STOPS) as error:
        raise ExpressionFailed(
            "it is nested too deep" if isinstance(error, RecursionError) else reason(error)
        ) from None
    return _Program(template, sandbox, names - sandbox.globals.keys(), compared)


def _own_names(tree: nodes.Template) -> set[str]:
    """Return `self` if it is asked for: to Jinja2 these are the blocks of a template, which no expression has."""
    return {"self"} if any(node.name == "self" for node in tree.find_all(nodes.Name)) else set()


def _unreadable(said: str, source: str, *, is_text: bool) -> ExpressionFailed:
    """Return in our words what is wrong with the writing of an expression."""
    from render.layout.templates.mistakes.jinja_syntax import read_again

    if not is_text and source.lstrip().startswith("{{"):
        return ExpressionFailed("it stands in braces", "write the expression without `{{ }}`")
    found = read_again(_sandbox(), source, said, FILTERS, is_expression=not is_text)
    if found:
        return ExpressionFailed(found.said, found.hint, (found.start, found.end), found.instead)
    return ExpressionFailed(in_backticks(said.rstrip(".")), "write it as in a template, such as `power + 1`")


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


def _run(program: _Program, work: Any, values: Mapping[str, object]) -> Any:
    program.sandbox.start()  # its own: when caches are emptied, another thread may keep a program of an earlier one
    try:
        return work()
    except Overspent as error:
        hint = "ask for less: smaller ranges, fewer filters and turns of loops"
        raise ExpressionOverspent(f"it asks for too much: {error}", hint) from None
    except STOPS as error:
        why = why_expression_stopped(
            "it calls itself without end" if isinstance(error, RecursionError) else reason(error)
        )
        near = nearest_word(why.word, list(values)) if why.word and not why.hint else ""
        raise ExpressionFailed(why.said, why.hint or (f"did you mean `{near}`?" if near else "")) from None


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

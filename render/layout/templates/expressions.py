"""Expressions outside of templates, such as `power + toughness`: with the same names as in templates, and as bounded.

Most expressions can only make a little of what they are given. They run here; any other runs in a worker of the guard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jinja2
from jinja2 import nodes

from render.base import guard
from render.base.caches import BoundedCache, cached, stored
from render.base.findings import nearest_word
from render.base.limits import EXPRESSION, EXPRESSION_RESULT, TO_EVALUATE
from render.layout.templates.environment import ENDLESS, Sandbox
from render.layout.templates.filling import STOPS, OutOfTime, Stopped, decoded, encoded, telling_time, why_stopped
from render.layout.templates.mistakes import why_expression_stopped
from render.layout.templates.syntax import Syntax, WrongSyntax, read, refuse_unknown


class ExpressionFailed(Exception):
    """An expression cannot be read, or gives nothing for these values: the message says why, `hint` what to do.

    `place` are the indexes of the characters that are meant, None for all; `instead` is what to write in their place.
    """

    def __init__(self, message: str, hint: str = "", place: tuple[int, int] | None = None, instead: str = "") -> None:
        super().__init__(message)
        self.hint, self.place, self.instead = hint, place, instead


class ExpressionOverspent(ExpressionFailed):
    """An expression takes more than it may, which takes a while: whoever has thousands of cards tries it no more."""


@cached(512)
def names_in(source: str, *, is_text: bool = False) -> frozenset[str]:
    """Return the names that an expression asks for, or a text with expressions in `{{ }}`; ExpressionFailed."""
    return frozenset(_read(source, is_text).unknown())


def words_compared(source: str, *, is_text: bool = False) -> dict[tuple[str, str], int]:
    """Return the names that an expression compares with words, with these and their indexes; ExpressionFailed."""
    return {pair: at for pair, at in _read(source, is_text).compared.items() if "." not in pair[0]}


def evaluate(source: str, values: Mapping[str, object]) -> object:
    """Return what an expression gives for these values: texts, numbers, truth values, lists of them, or None.

    ExpressionFailed, if it cannot be read, stops or takes too much.
    """
    return _result(source, values, is_text=False)


def fill_in(source: str, values: Mapping[str, object]) -> str:
    """Return a text in which the expressions in `{{ }}` are replaced by what they give; ExpressionFailed."""
    return str(_result(source, values, is_text=True))


# --- reading ----------------------------------------------------------------------------------------------------------


def _read(source: str, is_text: bool) -> Syntax:
    if len(source) > EXPRESSION.most:
        raise ExpressionFailed(f"it has {len(source):,} characters, and may have {EXPRESSION.most:,}", "shorten it")
    try:
        refuse_unknown(syntax := read(source, is_expression=not is_text))
        return syntax
    except WrongSyntax as wrong:
        problem = wrong.problem
        if not is_text and source.lstrip().startswith("{{"):
            raise ExpressionFailed("it stands in braces", "write the expression without `{{ }}`") from None
        place = (problem.start, problem.end) if problem.end else None
        raise ExpressionFailed(problem.message, problem.hint, place, problem.instead) from None


_SMALL_FILTERS = frozenset(
    "abs capitalize count d default escape first float int last length list lower max min reverse round sort string sum"
    " title trim unique upper wordcount".split()
)
_SMALL_METHODS = frozenset("count endswith find index lower split startswith strip title upper".split())


@cached(512)
def _is_small(source: str, is_text: bool) -> bool:
    """Return whether what an expression makes grows no faster than its text and its values.

    Of operators, it is known only when they run.
    """
    for node in _read(source, is_text).nodes:
        match node:
            case nodes.Filter():
                is_plain = not (node.kwargs or node.dyn_args or node.dyn_kwargs)
                are_short = all(isinstance(each, nodes.Const) and len(str(each.value)) <= 2 for each in node.args)
                if node.name not in _SMALL_FILTERS or not is_plain or not are_short:
                    return False
            case nodes.Call() if not isinstance(node.node, nodes.Getattr) or node.node.attr not in _SMALL_METHODS:
                return False
            case nodes.Stmt() if not isinstance(node, nodes.Output | nodes.Assign):
                return False
    return True


# --- running ----------------------------------------------------------------------------------------------------------


class _TooLarge(Exception):
    """An operator may make much: it is for a worker."""


class _Small(Sandbox):
    """Runs expressions that can only make a little."""

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operator on two values."""
        if operator in ("*", "**", "%"):
            numbers = isinstance(left, int | float) and isinstance(right, int | float)
            if not numbers or abs(left) > ENDLESS or (operator == "**" and abs(right) > _MAX_POWER):
                raise _TooLarge
        return super().call_binop(context, operator, left, right)


_MAX_POWER = 20


@cached(1)
def _sandboxes() -> tuple[Sandbox, Sandbox]:
    """Return where expressions run, and where only those run that can make a little."""
    return Sandbox(autoescape=False), _Small(autoescape=False)  # what comes out is no SVG


_RESULTS = stored(BoundedCache[tuple[str, object]](4096, lambda _: 1))


def _result(source: str, values: Mapping[str, object], *, is_text: bool) -> object:
    asked_for = names_in(source, is_text=is_text)
    given = {name: value for name, value in values.items() if name in asked_for}
    # Many cards of a set say the same. 1, 1.0 and true are equal, and look different.
    looks = tuple((name, type(each), each if type(each) is str else repr(each)) for name, each in given.items())
    kind, said = _RESULTS.get((source, is_text, looks), lambda: _worked_out(source, is_text, given))
    if kind == "gives":
        return said
    if kind == "cannot":
        raise ExpressionFailed(str(said), "let it give a text or a number")
    words, hint, word = why_expression_stopped("it calls itself without end" if kind == "circle" else str(said))
    near = nearest_word(word, list(values)) if word and not hint else ""
    raise ExpressionFailed(words, hint or (f"did you mean `{near}`?" if near else ""))


def _worked_out(source: str, is_text: bool, values: dict[str, object]) -> tuple[str, object]:
    """Return what `run` does; ExpressionOverspent, which is not kept, since the machine may have been busy."""
    if _is_small(source, is_text):
        try:
            return _run(source, is_text, values, is_small=True)
        except _TooLarge:
            pass
    try:
        kind, said = guard.run(run, source, is_text, encoded(values), limits=TO_EVALUATE)
    except guard.TooMuchError as error:
        kind, said = error.what, ""
    except guard.WorkFailedError as error:  # such as of a number with more digits than Python writes
        return "value", str(error)
    if kind not in ("time", "memory"):
        return kind, decoded(said)
    most = f"{TO_EVALUATE.seconds:g} s of processor time"
    most = most if kind == "time" else f"{TO_EVALUATE.memory / 1e6:.0f} MB of memory"
    hint = "ask for less: smaller ranges, fewer filters and turns of loops"
    raise ExpressionOverspent(f"it asks for too much: it takes more than {most}", hint)


def run(source: str, is_text: bool, values: Any) -> tuple[str, object]:
    """Return what an expression gives, in a worker; see `_run`."""
    try:
        with telling_time(TO_EVALUATE.seconds):
            kind, said = _run(source, is_text, decoded(values), is_small=False)
    except OutOfTime:
        return "time", ""
    return kind, encoded(said)


def _run(source: str, is_text: bool, values: dict[str, object], *, is_small: bool) -> tuple[str, object]:
    """Return `gives` and a result; `cannot` and why no card can hold it; or the kind of Stopped and what is said."""
    try:
        template = _compiled(source, is_text, is_small)
        context = template.new_context(values)
        text = "".join(template.root_render_func(context))
        result = text if is_text else _plain(context.vars["result"])
        if len(str(result)) > EXPRESSION_RESULT.most:
            raise Stopped("cannot", f"it gives more than {EXPRESSION_RESULT}, which no card can hold")
        return "gives", result
    except (Stopped, *STOPS) as error:
        stopped = error if isinstance(error, Stopped) else why_stopped(error)
        return stopped.kind, stopped.said


@cached(512)
def _compiled(source: str, is_text: bool, is_small: bool) -> jinja2.Template:
    return _sandboxes()[is_small].from_string(_read(source, is_text).tree)


def _plain(value: object) -> object:
    """Return a result as it is kept: lists as tuples, texts as plain texts."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) > ENDLESS:
        raise ValueError("numbers go up to 1e30")
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str | jinja2.Undefined):
        return str(value)  # of what is not there, it raises the error that names it
    if isinstance(value, list | tuple | range):
        return tuple(map(_plain, value))
    what = "keys and values" if isinstance(value, Mapping) else "a function"
    raise Stopped("cannot", f"it gives {what}, which no card can hold")

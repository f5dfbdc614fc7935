"""Where templates run: what they may use, and what they may spend.

What is not listed does not exist for a template: filters, tests, functions, methods. Everything listed gives the same
for the same card, in every run and on every machine. `budget` counts what a template makes and how long it takes, by
calls that `counting` inserts before it is compiled.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from itertools import islice
from types import CodeType
from typing import Any, cast

import jinja2
from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from markupsafe import Markup

from render.base.resources import is_ours
from render.layout.templates.engine.budget import Budget, Limits
from render.layout.templates.engine.counting import (
    COMPARED,
    HELD,
    JOINED,
    MAX_DEPTH,
    MAXIMUM,
    MINIMUM,
    STEP,
    TURN,
    Excess,
    counted_tokens,
    instrument,
)
from render.layout.templates.engine.offered import (
    AT_A_GLANCE,
    FILTERS,
    OF_A_TEXT,
    OF_DICTIONARIES,
    OF_LISTS,
    OF_LOOPS,
    OF_MACROS,
    OF_NUMBERS,
    OF_TEXTS,
    TESTS,
    BlockContext,
    Function,
    Names,
    block,
    bounded_range,
    check_printable,
    is_same,
    join,
    told,
)
from render.layout.templates.engine.unknown import refuse_unknown, refuse_unknown_functions
from render.layout.templates.engine.values import (
    Elements,
    Lines,
    apply_operator,
    check_call,
    count_weight,
    type_name,
    weight,
)

_MEMBERS: Mapping[type, frozenset[str]] = {
    **dict.fromkeys((str, Markup, Lines), OF_TEXTS),
    **dict.fromkeys((list, tuple), OF_LISTS),
    dict: OF_DICTIONARIES,
    float: OF_NUMBERS,
    LoopContext: OF_LOOPS,
    Macro: OF_MACROS,
}
"""What a template may ask of a value, by the value's type."""

_DICT = frozenset(dir(dict))
_AT_ONCE = 16  # pieces of a template's output that are read before their length is counted

OPTIONS: Mapping[str, Any] = {
    "autoescape": True,
    "undefined": jinja2.StrictUndefined,  # a misspelled name is an error, and no empty text
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "auto_reload": False,  # a template's file is not looked at again for each face
    "cache_size": -1,  # without limit: no template is compiled twice
}
"""How templates are read; compiled code depends on it."""

Named = Mapping[str, Callable[..., Any]]


class _Template(jinja2.Template):
    environment: Sandbox

    @classmethod
    def _from_namespace(cls, *args: Any) -> jinja2.Template:
        """Return a template. Set templates that draw each other are counted; built-in ones draw no set template."""
        template = super()._from_namespace(*args)
        if not is_ours(template.filename):
            template.root_render_func = _counted(template.environment, template.root_render_func)
        return template

    def make_module(self, *args: Any, **kwargs: Any) -> Any:
        """Return the template as `import` sees it; its output is one counted text."""
        module = super().make_module(*args, **kwargs)
        # The attribute that Jinja2 joins whenever the module is printed.
        module._body_stream = [self.environment.concat(module._body_stream)]
        return module


def _counted(sandbox: Any, draw: Callable[[Context], Iterator[str]]) -> Callable[[Context], Iterator[str]]:
    def drawn(context: Context) -> Iterator[str]:
        (budget := sandbox.budget).enter()
        try:
            yield from draw(context)
        finally:
            budget.leave()

    return drawn


class Sandbox(ImmutableSandboxedEnvironment):
    """Where templates run. `asked_for` are the templates that each one has included, extended or imported so far."""

    context_class = BlockContext
    template_class = _Template
    # Jinja2 compiles these operators into calls of `call_binop`, and works out none of their constants itself: neither
    # when it compiles, nor when it is asked which names a tree has.
    intercepted_binops = frozenset(ImmutableSandboxedEnvironment.default_binop_table)

    def __init__(self, limits: Limits, **options: Any) -> None:
        super().__init__(**options, **OPTIONS)
        self.budget = Budget(limits)
        self.asked_for: dict[str, set[str]] = {}
        self.parts: dict[object, Any] = {}  # what templates show as parts of their faces, such as icons, filled in
        self.marking: object = None  # what finds places, once a mistake was found
        self.finalize = check_printable
        self._kept_state = False
        self.filters = {
            name: self._guarded(name, run)
            for name, run in {**cast(Named, self.filters), "join": join}.items()
            if name in FILTERS
        }
        self.tests = {
            name: run if name in AT_A_GLANCE else self._guarded(name, run)
            for name, run in cast(Named, self.tests).items()
            if name in TESTS
        }
        self.tests["sameas"] = is_same
        self.filters |= self._counters()
        functions: dict[str, Callable[..., Any]] = {
            "range": bounded_range,
            "dict": self._dict,
            "namespace": self._namespace,
        }
        self.globals = {name: Function(name, run) for name, run in functions.items()}

    def start(self) -> None:
        """Begin with a new face: forget what was spent, and what a template kept for itself."""
        self.budget.start()
        if self._kept_state:
            self._kept_state = False
            for template in (self.cache or {}).values():
                # Jinja2 keeps what `import` gave, and with it the namespaces that the last face filled.
                template._module = None

    # --- templates -----

    def join_path(self, template: str, parent: str) -> str:
        """Return the name of a template that another one asks for, and note it."""
        self.asked_for.setdefault(parent, set()).add(template)
        return super().join_path(template, parent)

    def compile(self, source: Any, name: Any = None, filename: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Compile a template; constants that Jinja2 works out on the way are not counted."""
        foreign = not is_ours(filename)
        budget, self.budget = self.budget, Budget(self.budget.limits)
        if not foreign:
            self.intercepted_binops, self.finalize = frozenset(), None
        try:
            return super().compile(source, name, filename, *args, **kwargs)
        finally:
            self.intercepted_binops = Sandbox.intercepted_binops
            self.budget, self.finalize = budget, check_printable

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        try:
            tree = super()._parse(source, name, filename)
            if foreign := not is_ours(filename):
                refuse_unknown(tree, self.filters, self.tests)
                if name is not None:  # an expression has names of its own, which whoever reads it knows
                    refuse_unknown_functions(tree, self)
            return instrument(tree, foreign=foreign)
        except jinja2.TemplateSyntaxError as error:
            error.name, error.filename = name, filename
            raise
        except Excess as error:
            raise jinja2.TemplateSyntaxError(str(error), error.line, name, filename) from None
        except RecursionError:
            message = f"expressions and tags are nested more than {MAX_DEPTH} deep"
            raise jinja2.TemplateSyntaxError(message, 1, name, filename) from None

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            with warnings.catch_warnings():
                # What Python doubts, such as `1.5[0]`, it tells programmers; when that runs, it stops with our words.
                warnings.simplefilter("ignore", SyntaxWarning)
                return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError):  # Python allows 20 nested blocks
            raise jinja2.TemplateSyntaxError("tags are nested too deep", 1, None, filename) from None

    def _tokenize(self, source: str, name: str | None, filename: str | None = None, state: str | None = None) -> Any:
        stream = super()._tokenize(source, name, filename, state)
        stream._iter = counted_tokens(stream._iter)
        return stream

    # --- values -----

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute`. The contents of a dictionary are allowed; its methods come first, as in Jinja2."""
        if type(obj) is dict and attribute in obj and attribute not in _DICT:
            return obj[attribute]
        if type(obj) is TemplateModule and not attribute.startswith("_") and attribute in vars(obj):
            return vars(obj)[attribute]
        if isinstance(obj, (Namespace, jinja2.Undefined)):
            return super().getattr(obj, attribute)
        if isinstance(obj, TemplateReference):
            return self._block(obj, attribute)
        if isinstance(obj, Function) and attribute == "super" and isinstance(obj.run, BlockReference):
            return block("super", obj.run.super)
        if isinstance(obj, Function):
            return self.undefined(f"`{obj.name}` is a function, and has no `{attribute}`")
        value = super().getattr(obj, attribute)
        if attribute in _MEMBERS.get(type(obj), ()):
            return self._method(obj, attribute, value) if callable(value) and not isinstance(value, Macro) else value
        if isinstance(obj, TemplateModule) and not attribute.startswith("_"):
            return value
        if isinstance(value, jinja2.Undefined) or (isinstance(obj, Elements) and attribute in Elements.OFFERED):
            return value
        return self.unsafe_undefined(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return `obj[argument]`."""
        if isinstance(obj, TemplateReference):
            return self._block(obj, argument)
        if isinstance(obj, dict | list | tuple | str | range):
            try:
                return obj[argument]
            except (TypeError, LookupError):
                pass
        return self.getattr(obj, argument) if isinstance(argument, str) else self.undefined(obj=obj, name=argument)

    def _block(self, drawn: TemplateReference, name: str) -> Any:
        try:
            return block(name, drawn[name])
        except (LookupError, TypeError):
            return self.undefined(obj=drawn, name=name)

    def _method(self, obj: Any, name: str, run: Callable[..., Any]) -> Function:
        # Filters of these names take other arguments than the methods.
        checked = f".{name}" if name in ("format", "format_map", "join") else name

        def method(*args: Any, **kwargs: Any) -> Any:
            check_call(checked, obj, (*args, *kwargs.values()), self.budget)
            return self._made(run(*args, **kwargs))

        return Function(name, method if type(obj) in (str, Markup, Lines, list, tuple, dict) else run)

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the result of a function, method, macro or loop; the depth of calls is counted."""
        budget = self.budget
        budget.enter()
        try:
            if isinstance(obj, Macro):
                if obj.catch_varargs or obj.catch_kwargs:
                    # Jinja2 passes these two along with the template's own arguments.
                    given = [value for name, value in kwargs.items() if name not in ("_loop_vars", "_block_vars")]
                    count_weight((*args, *given), budget)
            elif isinstance(obj, Function):
                kwargs.pop("_loop_vars", None)
                kwargs.pop("_block_vars", None)
                return obj.run(*args, **kwargs)
            elif not isinstance(obj, LoopContext | jinja2.Undefined):
                raise SecurityError(f"{type_name(obj)} cannot be called")
            return context.call(obj, *args, **kwargs)
        finally:
            budget.leave()

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operator on two values."""
        return apply_operator(operator, self.binop_table[operator], (left, right), self.budget)

    def call_filter(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Return the result of a filter that is given by name, as in `map("upper")`."""
        # The counting filters begin with a space: no template reaches them by a name that it makes up.
        if not name or name[0] == " ":
            raise SecurityError(f"No filter named {name!r}")
        return super().call_filter(name, *args, **kwargs)

    def concat(self, parts: Iterable[str]) -> str:
        """Return texts as one, counted."""
        if isinstance(parts, list):  # of a macro, whose steps were counted
            self.budget.write(sum(map(len, parts)))
            return "".join(parts)
        found: list[str] = []
        length, most, rest = 0, self.budget.limits.output, iter(parts)
        while length <= most and (some := list(islice(rest, _AT_ONCE))):
            found += some
            length += sum(map(len, some))
            if len(some) < _AT_ONCE:
                break
        self.budget.write(length)
        return "".join(found)

    # --- what there is -----

    def _guarded(self, name: str, run: Callable[..., Any]) -> Callable[..., Any]:
        """Return a filter or test whose cost and result are counted; a generator's values become a list."""
        # Some filters get the environment or context before the value.
        first = 1 if getattr(run, "jinja_pass_arg", None) is not None else 0

        of_a_text = name in OF_A_TEXT

        @wraps(run)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if of_a_text and args[first] is None:
                args = (*args[:first], "", *args[first + 1 :])
            check_call(name, args[first], (*args[first + 1 :], *kwargs.values()), self.budget)
            return self._made(run(*args, **kwargs))

        return guarded

    def _made(self, value: Any) -> Any:
        """Return a new value, counted."""
        kind = type(value)
        if kind is bool or kind is Function:
            return value
        if hasattr(value, "__next__"):
            value = self._listed(value)
        return count_weight(value, self.budget)

    def _listed(self, values: Iterable[object]) -> list[object]:
        found = []
        for value in values:
            found.append(value)
            self.budget.step(1)
        return found

    def _counters(self) -> dict[str, Callable[..., Any]]:
        """Return the counting functions, as filters with names that no template can write."""

        @jinja2.pass_context
        def turn(_context: Context, steps: int) -> bool:
            self.budget.turn(steps)
            return True

        @jinja2.pass_context
        def step(_context: Context, steps: int) -> bool:
            self.budget.step(steps)
            return True

        def held(value: Any) -> Any:
            return count_weight(value, self.budget)

        def compared(value: Any) -> Any:
            if not isinstance(value, int | float):
                self.budget.step(weight(value, self.budget.limits.value))
            return value

        @jinja2.pass_eval_context
        def joined(context: nodes.EvalContext, values: list[Any]) -> Any:
            self.budget.write(sum(64 * weight(value, self.budget.limits.value) for value in values))
            return (jinja2.runtime.markup_join if context.autoescape else jinja2.runtime.str_join)(told(values))

        return {
            TURN: turn, STEP: step, HELD: held, COMPARED: compared, JOINED: joined, MAXIMUM: max, MINIMUM: min,
        }  # fmt: skip

    def _dict(self, *args: Any, **kwargs: Any) -> Any:
        return count_weight(dict(*args, **kwargs), self.budget)

    def _namespace(self, *args: Any, **kwargs: Any) -> Names:
        self._kept_state = True
        return Names(*args, **kwargs)

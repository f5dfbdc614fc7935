"""What templates may use: filters, tests, functions, members of values. All of it gives the same in every run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import jinja2
from jinja2.exceptions import SecurityError
from jinja2.filters import do_join, make_attrgetter
from jinja2.nodes import EvalContext
from jinja2.runtime import BlockReference, Context
from jinja2.utils import Namespace

from render.layout.templates.engine.values import Elements, type_name

# Jinja2's own, without `random`, which differs from run to run, without `attr`, which asks for members by name, and
# without those for web pages.
FILTERS = frozenset(
    "abs batch capitalize center count d default dictsort e escape first float forceescape format groupby indent int"
    " items join last length list lower map max min reject rejectattr replace reverse round safe select selectattr"
    " slice sort string sum title trim truncate unique upper wordcount".split()
)
TESTS = frozenset(
    "!= < <= == > >= boolean callable defined divisibleby eq equalto escaped even false filter float ge greaterthan gt"
    " in integer iterable le lessthan lower lt mapping ne none number odd sameas sequence string test true undefined"
    " upper".split()
)
OF_A_TEXT = frozenset(
    "capitalize center e escape forceescape indent lower replace string title trim truncate upper wordcount".split()
)
"""The filters whose subject is a text; of `none` they take the empty text."""
AT_A_GLANCE = frozenset("boolean callable defined false none number string true undefined".split())
"""The tests that take one step, however large the value."""

OF_TEXTS = frozenset(
    "capitalize casefold center count endswith find format format_map index isalnum isalpha isascii isdecimal isdigit"
    " islower isnumeric isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace"
    " rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill".split()
)
OF_LOOPS = frozenset(
    "changed cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0".split()
)
OF_LISTS = frozenset(("count", "index"))
OF_DICTIONARIES = frozenset("copy get items keys values".split())
OF_NUMBERS = frozenset(("is_integer",))
OF_MACROS = frozenset("name arguments catch_kwargs catch_varargs caller".split())

LONGEST_RANGE = 100_000  # as `MAX_RANGE` of Jinja2's own sandbox
_PRINTED = (str, int, float, jinja2.Undefined, Elements)


class Function:
    """A function of a template: it can be called but not printed, since its address would differ from run to run."""

    __slots__ = ("name", "run")

    def __init__(self, name: str, run: Callable[..., Any]) -> None:
        self.name, self.run = name, run

    def __repr__(self) -> str:
        raise SecurityError(f"`{self.name}` is a function, and cannot be printed; call it: `{self.name}()`")


class Names(Namespace):
    """A namespace, which cannot be printed: it may hold itself."""

    def __repr__(self) -> str:
        raise SecurityError("a namespace cannot be printed, only what it holds")


class BlockContext(Context):
    """The names that a template knows. A block that it asks for is a Function."""

    def super(self, name: str, current: Any) -> Any:
        """Return what draws the block that this one overrides."""
        return block("super", super().super(name, current))


def block(name: str, found: Any) -> Any:
    """Return a block as a Function of this name; anything else unchanged."""
    return Function(name, found) if isinstance(found, BlockReference) else found


def bounded_range(*args: int) -> range:
    """Return a range; ValueError if it is too long."""
    found = range(*args)
    if len(found) > LONGEST_RANGE:
        raise ValueError(f"a range has at most {LONGEST_RANGE:,} numbers, not {len(found):,}")
    return found


def told(values: Iterable[object]) -> list[object]:
    """Return values that become one text: `none` is the empty text, as where it is printed."""
    return ["" if value is None else value for value in values]


@jinja2.pass_eval_context
def join(context: EvalContext, values: Iterable[Any], between: str = "", attribute: str | int | None = None) -> Any:
    """Return values as one text with `between` between them: Jinja2's own filter, but for `none`."""
    if attribute is not None:
        values = map(make_attrgetter(context.environment, attribute), values)
    return do_join(context, told(values), between)


def is_same(value: object, other: object) -> bool:
    """Return whether two values are equal and of one type; which values are one object depends on Python."""
    return type(value) is type(other) and value == other


def check_printable(value: Any) -> Any:
    """Return a value as it is printed on a card, `none` as the empty text; SecurityError for what may not be."""
    if value is None:
        return ""
    if isinstance(value, _PRINTED):
        return value
    if isinstance(value, Function | Names):
        repr(value)
    raise SecurityError(f"{type_name(value)} cannot be printed, only texts and numbers")

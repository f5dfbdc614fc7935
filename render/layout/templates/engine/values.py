"""The weight of a template's values, and of what an operation would make of them, known before it is done.

A value consists of texts, numbers, truth values, none, lists, tuples and dictionaries. Its weight is the number of
things in it, each as often as it occurs, and one more for 64 characters of text: a list of two lists of two lists of
two, and so on, is small in memory, and endless to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import cast

from markupsafe import escape

from render.layout.templates.engine.budget import Budget

LARGEST = 10**30  # no number on a card has as many digits
TOO_LARGE = "numbers go up to 1e30"
WIDEST = 10_000  # characters to which a text may be padded, or things in a row
_FINEST = 20  # decimals


class Elements:
    """A value that is printed as elements of SVG, by `__html__`: it escapes all words in it."""

    __slots__ = ()
    OFFERED = frozenset({"plain"})
    """What a template may ask of it."""


class Lines(str):
    """A text of several lines, to templates a text like any other. It is printed with its line breaks.

    An empty line begins a paragraph. What a filter makes of such a text is a usual text.
    """

    __slots__ = ()

    def __html__(self) -> str:
        paragraphs = [str(escape(part)).replace("\n", "<br/>") for part in _EMPTY_LINES.split(self.strip("\n"))]
        if len(paragraphs) == 1:
            return paragraphs[0]
        return "".join(f'<tspan display="block">{each}</tspan>' for each in paragraphs)


_EMPTY_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")

_EMPTY: dict[str, object] = {}
VIEWS: tuple[type, ...] = (type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items()))
_HELD = (list, tuple, *VIEWS)


def weight(value: object, most: float) -> int:
    """Return the weight of a value; some number above `most` if it weighs more."""
    if isinstance(value, str):  # as most are
        return 1 + (len(value) >> 6)
    total, queue = 0, [value]
    while queue:
        each = queue.pop()
        total += 1
        if isinstance(each, range):
            total += len(each) >> 1
        elif isinstance(each, str):
            total += len(each) >> 6
        elif isinstance(each, _HELD):
            queue.extend(cast(Iterable[object], each))
        elif isinstance(each, dict):
            queue.extend(each)
            queue.extend(each.values())
        if total + len(queue) > most:
            return total + len(queue)
    return total


def count_weight(value: object, budget: Budget) -> object:
    """Count a new value; ValueError for a number that no card has."""
    if isinstance(value, int | float):
        if abs(value) > LARGEST:
            raise ValueError(TOO_LARGE)
    elif isinstance(value, str):
        budget.write(len(value))
    elif value is not None:
        budget.hold(weight(value, budget.limits.value))
    return value


def apply_operator(
    operator: str, run: Callable[[object, object], object], sides: tuple[object, object], budget: Budget
) -> object:
    """Return the result of an operator; TypeError or ValueError for what it must not be used for."""
    left, right = sides
    if isinstance(left, int | float) and isinstance(right, int | float):
        if operator == "**":
            _check_power(left, right)
    elif operator == "%" and isinstance(left, str):
        check_percent(left, right, budget)
    elif operator == "*" and isinstance(left, int) != isinstance(right, int):
        times, repeated = (left, right) if isinstance(left, int) else (right, left)
        if not isinstance(repeated, str | list | tuple):
            raise TypeError(_unfit(operator, sides))
        _check_repeated(repeated, max(int(times), 0), budget)  # type: ignore[call-overload] # it is an int
    elif operator == "+" and isinstance(left, str | list | tuple):
        budget.hold(weight(left, budget.limits.value) + weight(right, budget.limits.value))
    else:
        _refuse_unless_undefined(operator, sides)
    try:
        return count_weight(run(left, right), budget)
    except OverflowError:
        raise ValueError(TOO_LARGE) from None


def _refuse_unless_undefined(operator: str, sides: tuple[object, object]) -> None:
    """Raise TypeError, but not for an undefined value: its own error says more."""
    if not any(hasattr(type(side), "_fail_with_undefined_error") for side in sides):
        raise TypeError(_unfit(operator, sides))


def _unfit(operator: str, sides: tuple[object, object]) -> str:
    return f"`{operator}` cannot be used between {type_name(sides[0])} and {type_name(sides[1])}"


def type_name(value: object) -> str:
    """Return what a value is, for a message."""
    for kinds, name in _CALLED:
        if isinstance(value, kinds):
            return name
    return "a function" if callable(value) else "something else"


_CALLED: Sequence[tuple[type | tuple[type, ...], str]] = (
    (str, "a text"), (bool, "a truth value"), ((int, float), "a number"), (type(None), "none"),
    ((list, *VIEWS), "a list"), (tuple, "a tuple"), (dict, "a dictionary"), (range, "a range"),
    (Elements, "a rich text"),
)  # fmt: skip


def _check_power(base: float, exponent: float) -> None:
    # The bits of a power are about the base's bits times the exponent.
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * exponent > 4 * LARGEST.bit_length():
        raise ValueError(TOO_LARGE)


def _check_repeated(value: str | list[object] | tuple[object, ...], times: int, budget: Budget) -> None:
    if isinstance(value, str):
        budget.write(len(value) * times)
    else:
        budget.hold(weight(value, budget.limits.value) * times)


# --- filters and methods --------------------------------------------------------------------------------------------


def check_call(name: str, subject: object, args: Sequence[object], budget: Budget) -> None:
    """Count what a filter or method reads, and refuse it if it would make too much."""
    most = budget.limits.value
    budget.step(weight(subject, most) * _EFFORT.get(name, 1) + sum(weight(arg, most) for arg in args))
    check = _CHECKS.get(name)
    if check is not None:
        check(subject, args, budget)


_EFFORT = {"sort": 8, "dictsort": 8, "groupby": 8, "unique": 2}  # times the cost of reading


def _check_width(_subject: object, args: Sequence[object], _budget: Budget) -> None:
    if any(isinstance(arg, int | float) and not abs(arg) <= WIDEST for arg in args):
        raise ValueError(f"a width is at most {WIDEST}")


def _check_digits(_subject: object, args: Sequence[object], _budget: Budget) -> None:
    if any(isinstance(arg, int | float) and not abs(arg) <= _FINEST for arg in args):
        raise ValueError(f"a number has at most {_FINEST} decimals")


def _check_indented(subject: object, args: Sequence[object], budget: Budget) -> None:
    _check_width(subject, args, budget)
    widest = max(
        (len(arg) if isinstance(arg, str) else int(arg) for arg in args if isinstance(arg, str | int)), default=4
    )
    budget.write(_length(subject) + (str(subject).count("\n") + 1) * widest)


def _check_joined(subject: object, args: Sequence[object], budget: Budget) -> None:
    """Check the filter `join`, whose subject is the things."""
    between = _length(args[0]) if args else 0
    budget.write(between * len(subject) if isinstance(subject, list | tuple | dict | str | range) else 0)


def _check_join(subject: object, args: Sequence[object], budget: Budget) -> None:
    """Check the method `join`, whose subject is what stands between the things."""
    _check_joined(args[0] if args else (), (subject,), budget)


def _check_replaced(subject: object, args: Sequence[object], budget: Budget) -> None:
    if len(args) >= 2:
        text, old = str(subject), str(args[0])
        budget.write(len(text) + text.count(old) * _length(args[1]))


def _check_stripped(subject: object, args: Sequence[object], budget: Budget) -> None:
    budget.step(_length(subject) * sum(map(_length, args)) >> 6)


def _check_sum(_subject: object, args: Sequence[object], _budget: Budget) -> None:
    if any(isinstance(arg, list | tuple) for arg in args):
        raise TypeError("`sum` adds numbers")


def _check_formatted(subject: object, args: Sequence[object], budget: Budget) -> None:
    check_percent(str(subject), tuple(args), budget)


def _check_braces(subject: object, args: Sequence[object], budget: Budget) -> None:
    """Check `format` of a text: the widths that it asks for."""
    widest, fields = 0, 0
    for _, field, spec, _ in Formatter().parse(str(subject)):
        if field is None:
            continue
        if "{" in (spec or ""):
            raise ValueError("a format within a format is not allowed")
        fields, widest = fields + 1, max(widest, _widest(re.findall(_DIGITS, spec or "")))
    _check_filled(str(subject), (fields, widest), args, budget)


_DIGITS = r"\d+"
_PERCENT = r"%(?:\([^)]*\))?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?"


def check_percent(text: str, args: object, budget: Budget) -> None:
    """Check `text % args`: the widths that it asks for."""
    widths = [width for match in re.finditer(_PERCENT, text) for width in match.groups("")]
    if "*" in widths:
        raise ValueError("a width is written as a number, and not as `*`")
    _check_filled(text, (len(widths) // 2, _widest(widths)), (args,), budget)


def _check_filled(text: str, fields: tuple[int, int], args: Sequence[object], budget: Budget) -> None:
    count, widest = fields
    most = budget.limits.value
    budget.write(len(text) + count * (widest + 64 * sum(weight(arg, most) for arg in args)))


def _widest(widths: Sequence[str]) -> int:
    """Return the largest of the widths; ValueError if it is too large."""
    longest = max(map(len, widths), default=0)
    widest = max((int(width) for width in widths if width), default=0) if longest <= len(str(WIDEST)) else WIDEST + 1
    if widest > WIDEST:
        raise ValueError(f"a width is at most {WIDEST}")
    return widest


def _length(value: object) -> int:
    """Return the length of a value as a text, or a little more."""
    return len(value) if isinstance(value, str) else 64 * weight(value, 1000)


_CHECKS: Mapping[str, Callable[[object, Sequence[object], Budget], None]] = {
    **dict.fromkeys(("center", "ljust", "rjust", "zfill", "batch", "slice", "truncate"), _check_width),
    "round": _check_digits,
    "indent": _check_indented,
    "join": _check_joined,
    ".join": _check_join,
    "replace": _check_replaced,
    **dict.fromkeys(("strip", "lstrip", "rstrip", "trim"), _check_stripped),
    "sum": _check_sum,
    "format": _check_formatted,
    **dict.fromkeys((".format", ".format_map"), _check_braces),
}

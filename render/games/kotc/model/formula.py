"""Formulas of levels: `x/2`, `xt/2`, `(x + 4y)/5`, `y^2/x`, `x/(10 - y)`. Parsed, never run; exact fractions."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from render.base.caches import cached
from render.base.patterns import regex

# What the activation condition gives (guide of the 11th Edition, "Activation Conditions"), the numbers of a text, and
# the targets ("Target Selections"), in the order in which the guides print them: `axt/2`.
VARIABLES = "axyzt"
FACTOR, TARGETS = VARIABLES[0], VARIABLES[-1]
LONGEST = 200  # characters: the longest formula of a guide, that of Excavate, has ten
# The parser calls itself for each; Python's own limit of recursion is far away.
MAX_DEPTH = 16  # parentheses inside each other
MAX_TERMS = 200  # of a sum that has been multiplied out: those of the guides have two
MAX_POWER = 9  # the guides square

Product = tuple[str, ...]
Terms = tuple[tuple[Product, Fraction], ...]

ONE: Terms = (((), Fraction(1)),)


class Formula(Struct, frozen=True, dict=True):
    """A sum of products of variables with fractions: `terms` maps the variables of a product to its coefficient.

    Terms are sorted, the variables of a product are in the order a, x, y, z, t, a power stands there as often as it
    says, and no coefficient is 0; `()` stands for the constant term. All is divided by `below`, another such sum: 1
    unless variables stand below the line, as in `x/(y + 1)`.
    """

    terms: Terms
    below: Terms = ONE

    @cached_property
    def variables(self) -> frozenset[str]:
        """The variables on which the value depends; kept, since they are asked for more often than the value."""
        return frozenset(variable for product, _ in (*self.terms, *self.below) for variable in product)

    def value(self, numbers: Mapping[str, Fraction]) -> Fraction:
        """Return the value for the numbers of the variables; KeyError if one is missing.

        ZeroDivisionError if what stands below the line is 0.
        """
        total = _value(self.terms, numbers)
        return total if self.below is ONE else total / _value(self.below, numbers)

    def has_value(self, numbers: Mapping[str, Fraction]) -> bool:
        """Return whether what stands below the line is more than 0; KeyError if a number is missing.

        `x/(10 - y)` is meant for the levels of cards, and says nothing of targets of level 10.
        """
        return self.below is ONE or _value(self.below, numbers) > 0

    def __str__(self) -> str:
        return printed(self)


@cached(1024)
def parse(text: str) -> Formula:
    """Return the written formula: sums, differences, products and quotients of numbers and variables, and powers.

    A product needs no sign (`2x`, `x t`); its signs are `*`, `·`, `×` and the invisible times of MathML. A power is
    that of a variable, `y^2` or `y²`. ValueError names the words at fault, including ambiguous ones such as `x/2y`.
    """
    if len(text) > LONGEST:
        raise ValueError(f"it has {len(text)} characters, and {LONGEST} are allowed")
    parser = _Parser(_tokens(text))
    total = parser.sum()
    parser.expect_end()
    return total.formula()


def printed(formula: Formula) -> str:
    """Return the canonical text of a formula, over one line: `(x + 4y)/5`, `5/(2x)`; it parses to the same."""
    denominator = math.lcm(*(coefficient.denominator for _, coefficient in formula.terms))
    over = _sum_text(formula.terms, denominator)
    below = _sum_text(formula.below, denominator, by=Fraction(denominator))
    if below == "1":
        return over
    # Only a number, a variable or a power needs no parentheses below the line; `x/2y` would be ambiguous.
    closed = below.isdigit() or re.fullmatch(r"[a-z](?:\^[0-9])?", below)
    return f"{_in_parentheses(over)}/{below if closed else f'({below})'}"


def _in_parentheses(words: str) -> str:
    return f"({words})" if " " in words else words


def _sum_text(terms: Terms, denominator: int, by: Fraction | None = None) -> str:
    """Return a sum whose coefficients are multiplied by `by`, or by `denominator`, and then whole."""
    factor = denominator if by is None else by
    # The constant comes last, as in print, but behind what has a minus, as in `10 - y`.
    ordered = sorted(terms, key=lambda term: (not term[0], _place(term[0])))
    ordered.sort(key=lambda term: term[1] < 0)
    words = "".join(_term(product, int(coefficient * factor)) for product, coefficient in ordered)
    return (words.removeprefix(" + ") if not words.startswith(" - ") else f"-{words.removeprefix(' - ')}") or "0"


def _term(product: Product, coefficient: int) -> str:
    """Return a term with its sign, such as ` + 4xt` or ` - y^2`."""
    number = "" if abs(coefficient) == 1 and product else str(abs(coefficient))
    powers = (
        f"{variable}{'' if (times := product.count(variable)) == 1 else f'^{times}'}"
        for variable in dict.fromkeys(product)
    )
    return f" {'-' if coefficient < 0 else '+'} {number}{''.join(powers)}"


# --- sums of products, and their quotients --------------------------------------------------------------------------

_Sum = dict[Product, Fraction]


def _value(terms: Terms, numbers: Mapping[str, Fraction]) -> Fraction:
    total = None
    for variables, coefficient in terms:
        product = coefficient
        for variable in variables:
            product *= numbers[variable]
        total = product if total is None else total + product
    return Fraction(0) if total is None else total


def _place(product: Product) -> tuple[int, ...]:
    return tuple(map(VARIABLES.index, product))


def _terms(total: _Sum) -> Terms:
    return tuple(sorted(_used(total).items(), key=lambda term: _place(term[0])))


def _used(total: _Sum) -> _Sum:
    return {product: coefficient for product, coefficient in total.items() if coefficient}


def _added(one: _Sum, other: _Sum, sign: int) -> _Sum:
    total = dict(one)
    for product, coefficient in other.items():
        total[product] = total.get(product, Fraction(0)) + sign * coefficient
    return _used(total)


def _multiplied(one: _Sum, other: _Sum) -> _Sum:
    total: _Sum = {}
    for left, by in one.items():
        for right, times in other.items():
            product = tuple(sorted(left + right, key=VARIABLES.index))
            if len(product) > MAX_POWER and max(map(product.count, product)) > MAX_POWER:
                raise ValueError(f"a power is greater than {MAX_POWER}")
            total[product] = total.get(product, Fraction(0)) + by * times
    if len(total) > MAX_TERMS:
        raise ValueError(f"multiplied out, it has more than {MAX_TERMS} terms")
    return _used(total)


class _Quotient(Struct, frozen=True):
    """A sum above a line, and the one below it."""

    over: _Sum
    below: _Sum

    def plus(self, other: _Quotient, sign: int) -> _Quotient:
        if self.below == other.below:
            return _Quotient(_added(self.over, other.over, sign), self.below)
        left, right = _multiplied(self.over, other.below), _multiplied(other.over, self.below)
        return _Quotient(_added(left, right, sign), _multiplied(self.below, other.below))

    def times(self, other: _Quotient) -> _Quotient:
        return _Quotient(_multiplied(self.over, other.over), _multiplied(self.below, other.below))

    def inverse(self) -> _Quotient:
        if not self.over:
            raise ValueError("it divides by 0")
        return _Quotient(self.below, self.over)

    def formula(self) -> Formula:
        """Return the quotient with common factors that are numbers or variables removed from both sums."""
        if not self.over:
            return Formula(())
        common = _common((*self.over, *self.below))
        over, below = _without(self.over, common), _without(self.below, common)
        by = _unit(below)
        over, below = ({product: each / by for product, each in total.items()} for total in (over, below))
        terms = _terms(below)
        return Formula(_terms(over), ONE if terms == ONE else terms)


def _common(products: Iterable[Product]) -> Product:
    """Return the variables that all products have, as often as all of them have them."""
    counts = [Counter(product) for product in products]
    return tuple(variable for variable in VARIABLES for _ in range(min(count[variable] for count in counts)))


def _without(total: _Sum, common: Product) -> _Sum:
    left = {product: Counter(product) - Counter(common) for product in total}
    return {tuple(sorted(left[each].elements(), key=VARIABLES.index)): value for each, value in total.items()}


def _unit(total: _Sum) -> Fraction:
    """Return by what to divide a sum so that its coefficients are whole, without common factor, and begin positive."""
    first = total.get((), next(iter(dict(_terms(total)).values())))
    divisor = math.gcd(*(each.numerator for each in total.values()))
    return Fraction(divisor, math.lcm(*(each.denominator for each in total.values()))) * (-1 if first < 0 else 1)


# --- words to sums --------------------------------------------------------------------------------------------------

_TOKEN = regex(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<variable>[axyzt])|(?P<sign>[-+*/()^]))")
# What the formulas of the guides' pages, which are MathML, and typographers write in place of ASCII signs.
_SIGNS = str.maketrans({
    "\N{INVISIBLE TIMES}": "*", "·": "*", "×": "*", "⋅": "*", "−": "-", "∕": "/", "⁄": "/", "²": "^2", "³": "^3",
})  # fmt: skip
_END = ""


def _tokens(text: str) -> list[str]:
    text = text.translate(_SIGNS).rstrip()
    tokens, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(_not_a_token(text[at:].lstrip()))
        tokens.append(match[0].strip())
        at = match.end()
    return tokens


def _not_a_token(rest: str) -> str:
    word = re.match(r"[^\W\d_]+|.", rest, re.DOTALL)
    found = word[0] if word else rest
    if found.isalpha():
        wrong = next(letter for letter in found if letter not in VARIABLES)
        return f"`{wrong}` is no variable: they are `a`, `x`, `y`, `z` and `t`"
    if not found.isprintable():
        return f"U+{ord(found):04X}, which cannot be seen, has no place in a formula"
    return f"`{found}` has no place in a formula"


class _Parser:
    """Reads tokens from left to right: sums of terms, terms of factors."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self._tokens = list(tokens)
        self._at = 0
        self._depth = 0

    def sum(self) -> _Quotient:
        total = self._term() if self._next != "-" else _Quotient({}, _CONSTANT)  # a sum may begin with its sign
        while self._next in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            total = total.plus(self._term(), sign)
        return total

    def expect_end(self) -> None:
        if self._next != _END:
            raise ValueError(f"`{self._next}` is one too many")

    def _term(self) -> _Quotient:
        total = self._factor()
        divided = False
        while self._next not in ("+", "-", ")", _END):
            sign = self._take() if self._next in ("*", "/") else ""
            # `x/2y` may mean `x/(2y)` or `(x/2)y`: the guides never write it.
            if divided and not sign:
                raise ValueError(f"`{self._next}` may stand below the line or behind it: write parentheses or `*`")
            if not sign and self._next[:1].isdigit():
                raise ValueError(f"a number does not follow without a sign: write `*` before `{self._next}`")
            factor = self._factor()
            divided = sign == "/"
            total = total.times(factor.inverse() if divided else factor)
        return total

    def _factor(self) -> _Quotient:
        token = self._take()
        if token == "(":
            return self._inner()
        if token in tuple(VARIABLES):
            return _Quotient({(token,) * self._power(): Fraction(1)}, _CONSTANT)
        if token[:1].isdigit():
            # Exact, also for `0.5`, as levels are rounded up.
            return _Quotient(_used({(): Fraction(token)}), _CONSTANT)
        raise ValueError(f"a number or a variable is missing {f'before `{token}`' if token else 'at the end'}")

    def _power(self) -> int:
        if self._next != "^":
            return 1
        self._take()
        power = self._take()
        if power not in _POWERS:
            raise ValueError(f"behind `^` a number from 1 to {MAX_POWER} must stand")
        return int(power)

    def _inner(self) -> _Quotient:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ValueError(f"it has more than {MAX_DEPTH} parentheses within each other")
        total = self.sum()
        if self._take() != ")":
            raise ValueError("a `(` is never closed")
        self._depth -= 1
        return total

    @property
    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else _END

    def _take(self) -> str:
        token = self._next
        self._at += 1
        return token


_CONSTANT: _Sum = {(): Fraction(1)}
_POWERS = tuple(str(power) for power in range(1, MAX_POWER + 1))

"""Formulas of levels: `x`, `2x`, `x/2`, `xt/2`, `(x + 4y)/5`. Parsed, never evaluated as code; exact fractions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from render.base.caches import cached

VARIABLES = "xyzt"  # the numbers of a text, and the targets (Card Building Guide, "Target Selections")
LONGEST = 200  # characters: the longest formula of a guide, that of Excavate, has ten
# The parser calls itself for each; Python's own limit of recursion is far away.
MAX_DEPTH = 16  # parentheses inside each other

Product = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A sum of products of variables with fractions: `terms` maps the variables of a product to its coefficient.

    Terms are sorted, the variables of a product are in the order x, y, z, t, and no coefficient is 0; `()` stands for
    the constant term.
    """

    terms: tuple[tuple[Product, Fraction], ...]

    def value(self, numbers: Mapping[str, Fraction]) -> Fraction:
        """Return the value for the numbers of the variables; KeyError if one is missing."""
        total = Fraction(0)
        for variables, coefficient in self.terms:
            product = coefficient
            for variable in variables:
                product *= numbers[variable]
            total += product
        return total

    @property
    def variables(self) -> frozenset[str]:
        """The variables on which the value depends."""
        return frozenset(variable for product, _ in self.terms for variable in product)

    def __str__(self) -> str:
        return printed(self)


@cached(1024)
def parse(text: str) -> Formula:
    """Return the written formula: sums, differences, products and quotients of numbers and variables.

    A product needs no sign (`2x`, `x t`); its signs are `*`, `·`, `×` and the invisible times of MathML. ValueError
    names the words at fault, including ambiguous ones such as `x/2y`.
    """
    if len(text) > LONGEST:
        raise ValueError(f"it has {len(text)} characters, and {LONGEST} are allowed")
    parser = _Parser(_tokens(text))
    formula = _formula(parser.sum())
    parser.expect_end()
    return formula


def printed(formula: Formula) -> str:
    """Return the canonical text of a formula, over one common denominator: `(x + 4y)/5`; it parses to the same."""
    denominator = math.lcm(*(coefficient.denominator for _, coefficient in formula.terms))
    # The constant comes last, as in print.
    ordered = sorted(formula.terms, key=lambda term: (not term[0], _place(term[0])))
    over = "".join(_term(product, int(coefficient * denominator)) for product, coefficient in ordered)
    over = over.removeprefix(" + ") if not over.startswith(" - ") else f"-{over.removeprefix(' - ')}"
    if denominator == 1:
        return over or "0"
    return f"{over}/{denominator}" if len(ordered) == 1 else f"({over})/{denominator}"


def _term(product: Product, coefficient: int) -> str:
    """Return a term with its sign, such as ` + 4xt`."""
    number = "" if abs(coefficient) == 1 and product else str(abs(coefficient))
    return f" {'-' if coefficient < 0 else '+'} {number}{''.join(product)}"


# --- sums of products -----------------------------------------------------------------------------------------------

_Sum = dict[Product, Fraction]


def _place(product: Product) -> tuple[int, ...]:
    return tuple(map(VARIABLES.index, product))


def _formula(terms: _Sum) -> Formula:
    kept = [(product, coefficient) for product, coefficient in terms.items() if coefficient]
    return Formula(tuple(sorted(kept, key=lambda term: _place(term[0]))))


def _added(one: _Sum, other: _Sum, sign: int) -> _Sum:
    total = dict(one)
    for product, coefficient in other.items():
        total[product] = total.get(product, Fraction(0)) + sign * coefficient
    return total


def _multiplied(one: _Sum, other: _Sum) -> _Sum:
    total: _Sum = {}
    for left, by in one.items():
        for right, times in other.items():
            product = tuple(sorted(left + right, key=VARIABLES.index))
            total[product] = total.get(product, Fraction(0)) + by * times
    return total


def _constant(terms: _Sum) -> Fraction | None:
    """Return the value of a sum without variables; None if it has any."""
    used = {product: coefficient for product, coefficient in terms.items() if coefficient}
    return used.get((), Fraction(0)) if set(used) <= {()} else None


# --- words to sums --------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<variable>[xyzt])|(?P<sign>[-+*/()]))")
# What the formulas of the guides' pages, which are MathML, and typographers write in place of ASCII signs.
_SIGNS = str.maketrans({"\N{INVISIBLE TIMES}": "*", "·": "*", "×": "*", "⋅": "*", "−": "-", "∕": "/", "⁄": "/"})
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
        return f"`{wrong}` is not a variable: they are `x`, `y`, `z` and `t`"
    if not found.isprintable():
        return f"U+{ord(found):04X}, which cannot be seen, has no place in a formula"
    return f"`{found}` has no place in a formula"


class _Parser:
    """Reads tokens from left to right: sums of terms, terms of factors."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self._tokens = list(tokens)
        self._at = 0
        self._depth = 0

    def sum(self) -> _Sum:
        total = self._term() if self._next != "-" else {}  # a sum may begin with its sign
        while self._next in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            total = _added(total, self._term(), sign)
        return total

    def expect_end(self) -> None:
        if self._next != _END:
            raise ValueError(f"`{self._next}` is one too many")

    def _term(self) -> _Sum:
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
            total = _multiplied(total, _inverse(factor) if divided else factor)
        return total

    def _factor(self) -> _Sum:
        token = self._take()
        if token == "(":
            return self._inner()
        if token in tuple(VARIABLES):
            return {(token,): Fraction(1)}
        if token[:1].isdigit():
            return {(): Fraction(token)}  # exact, also for `0.5`, as levels are rounded up
        raise ValueError(f"a number or a variable is missing {f'before `{token}`' if token else 'at the end'}")

    def _inner(self) -> _Sum:
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


def _inverse(divisor: _Sum) -> _Sum:
    value = _constant(divisor)
    # No formula of a guide divides by a variable, and a quotient of sums would be no sum of products.
    if value is None:
        raise ValueError(f"`{_formula(divisor)}` is below the line: only a number can be")
    if value == 0:
        raise ValueError("it divides by 0")
    return {(): 1 / value}

"""Laws of formulas: what is printed is read again, and reading is arithmetic."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.games.kotc.model.formula import VARIABLES, Formula, parse, printed

FRACTIONS = st.fractions(min_value=-50, max_value=50, max_denominator=60)
NUMBERS = st.fixed_dictionaries(dict.fromkeys(VARIABLES, FRACTIONS))
WORDS = st.recursive(
    st.integers(0, 30).map(str) | st.sampled_from(VARIABLES),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda each: f"({each[0]} {each[1]} {each[2]})")
        | st.tuples(inner, st.integers(1, 9)).map(lambda each: f"({each[0]})/{each[1]}")
        | st.tuples(inner, st.sampled_from(VARIABLES)).map(lambda each: f"({each[0]})/({each[1]} + 60)")
        | st.tuples(inner, st.sampled_from(VARIABLES)).map(lambda each: f"({each[0]}){each[1]}^2")
    ),
    max_leaves=6,
)


@given(WORDS)
def test_what_is_printed_is_read_again(words: str) -> None:
    formula = parse(words)
    assert parse(printed(formula)) == formula == parse(str(formula))
    assert printed(parse(printed(formula))) == printed(formula)


@given(WORDS, NUMBERS)
def test_the_value_is_that_of_the_arithmetic(words: str, numbers: dict[str, Fraction]) -> None:
    python = words.replace(")/", ")*Fraction(1)/").replace("^", "**")
    expected = eval(re.sub(r"\)(?=[a-z])", ")*", python), {"Fraction": Fraction}, dict(numbers))
    assert parse(words).value(numbers) == expected


@given(WORDS, WORDS, NUMBERS)
def test_sums_and_products_of_formulas_are_those_of_their_values(
    one: str, other: str, numbers: dict[str, Fraction]
) -> None:
    first, second = parse(one).value(numbers), parse(other).value(numbers)
    assert parse(f"{one} + {other}").value(numbers) == first + second
    assert parse(f"({one})({other})").value(numbers) == first * second


@given(WORDS)
def test_a_formula_has_no_zeros_and_one_form(words: str) -> None:
    formula = parse(words)
    for terms in (formula.terms, formula.below):
        assert all(coefficient for _, coefficient in terms)
        assert len({product for product, _ in terms}) == len(terms)
    assert formula == Formula(formula.terms, formula.below)


@given(st.text(max_size=40) | st.text(alphabet="axyzt0123456789+-*/^²·(). ", max_size=40))
def test_any_text_is_a_formula_or_a_value_error(text: str) -> None:
    try:
        parse(text)
    except ValueError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        ("x", "x"),
        ("2x", "2x"),
        ("2 x", "2x"),
        ("2\N{INVISIBLE TIMES}x", "2x"),
        ("2·x×t", "2xt"),
        ("x/2", "x/2"),
        ("xt/2", "xt/2"),
        ("x t / 2", "xt/2"),
        ("3x/2", "3x/2"),
        ("t x", "xt"),
        ("(x + 4y)/5", "(x + 4y)/5"),
        ("x + 4y/5", "(5x + 4y)/5"),
        ("0.5x", "x/2"),
        ("1 + x", "x + 1"),
        ("x − 1", "x - 1"),
        ("-x", "-x"),
        ("1/2", "1/2"),
        ("x - x", "0"),
        ("3-x", "3 - x"),
        ("y²/x", "y^2/x"),
        ("yy/x", "y^2/x"),
        ("x/(10 - y)", "x/(10 - y)"),
        ("x/(y+1)", "x/(y + 1)"),
        ("5/(2x)", "5/(2x)"),
        ("xy/x", "y"),
        ("x/(2y + 2)", "x/(2y + 2)"),
        ("1/x - 1/x", "0"),
        ("t x a", "axt"),
        ("a(x + t)/12", "(ax + at)/12"),
        ("1/6", "1/6"),
    ],
)
def test_a_formula_has_a_canonical_text(words: str, canonical: str) -> None:
    assert str(parse(words)) == canonical


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("", "a number or a variable is missing at the end"),
        ("x +", "a number or a variable is missing at the end"),
        ("x // 2", "a number or a variable is missing before `/`"),
        ("2n", "`n` is no variable: they are `a`, `x`, `y`, `z` and `t`"),
        ("X", "`X` is no variable: they are `a`, `x`, `y`, `z` and `t`"),
        ("x¹", "`¹` has no place in a formula"),
        ("x^y", "behind `^` a number from 1 to 9 must stand"),
        ("x^10", "behind `^` a number from 1 to 9 must stand"),
        ("x^9 x", "a power is greater than 9"),
        ("(x + y + z + t + a)" * 9, "multiplied out, it has more than 200 terms"),
        ("__import__", "`_` has no place in a formula"),
        ("(x", "a `(` is never closed"),
        ("x)", "`)` is one too many"),
        ("x/(y - y)", "it divides by 0"),
        ("x/(1 - 1)", "it divides by 0"),
        ("x/2y", "`y` may stand below the line or behind it: write parentheses or `*`"),
        ("x2", "a number does not follow without a sign: write `*` before `2`"),
        ("(" * 20 + "x" + ")" * 20, "it has more than 16 parentheses within each other"),
        ("x" * 201, "it has 201 characters, and 200 are allowed"),
    ],
)
def test_a_mistake_is_named(words: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(complaint)}$"):
        parse(words)

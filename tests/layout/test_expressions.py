"""What expressions give is kept by all that they ask for, and no card gets what another one's values give."""

import tracemalloc

import pytest

from render.base import guard
from render.base.caches import clear_caches
from render.layout.templates.expressions import ExpressionFailed, evaluate, names_in


@pytest.mark.parametrize(
    "values", [(1, True, 1.0), (0.0, -0.0, False), ("1", 1), (("1",), (1,), "('1',)"), (None, "None", "")]
)
def test_values_that_are_equal_and_look_different_give_different_results(values: tuple[object, ...]) -> None:
    sources = ("size", "size ~ ''", "size is none", "[size]|length")
    for source in (*sources, *sources):
        kept = [evaluate(source, {"size": value, "name": "Ant"}) for value in values]
        apart = [evaluate(f"{source}{' ' * number}", {"size": value}) for number, value in enumerate(values, 1)]
        assert list(map(repr, kept)) == list(map(repr, apart))


def test_what_python_doubts_is_said_in_our_words_alone(recwarn: pytest.WarningsRecorder) -> None:
    with pytest.raises(ExpressionFailed, match="float object has no element 0"):
        evaluate("(1.5)[0]", {})
    assert [str(each.message) for each in recwarn] == []


def test_an_apostrophe_in_words_of_python_is_no_quote() -> None:
    with pytest.raises(ExpressionFailed, match="type list doesn't define __round__ method"):
        evaluate("[1]|round", {})


def test_what_fails_names_what_is_near_among_the_values_of_its_own_card() -> None:
    for near in ("power", "powder"):
        with pytest.raises(ExpressionFailed) as failed:
            evaluate("powwer", {near: 1})
        assert failed.value.hint == f"did you mean `{near}`?"


def test_an_expression_spends_what_it_asks_for_itself_whatever_caches_were_emptied_since_it_was_read() -> None:
    source = "range(power)|list|length"
    assert evaluate(source, {"power": 1}) == 1
    clear_caches(by_content=True)
    assert [evaluate(source, {"power": 9000 + number}) for number in range(20)] == [*range(9000, 9020)]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("'a' * 10**9", "it asks for too much: it takes more than 128 MB of memory"),
        ("'%999999999d' % 1", "it asks for too much: it takes more than 128 MB of memory"),
        ("9**99999999", "it asks for too much: it takes more than 1 s of processor time"),
        ("1e999", "numbers go up to 1e30"),
        ("power + " + "9" * 40, "numbers go up to 1e30"),
        ("((((9**20)**20)**20)**20)**20 > power", "it asks for too much: it takes more than 1 s of processor time"),
    ],
)
def test_what_takes_much_is_worked_out_elsewhere(source: str, why: str) -> None:
    evaluate("power", {"power": 1})  # what is imported at the first expression is not counted
    clear_caches(by_content=True)  # the first expression of a process is worked out with a new sandbox
    guard.prepare()  # a worker that is forked while memory is traced is slow ever after
    tracemalloc.start()
    try:
        for ask in (names_in, lambda text: evaluate(text, {"power": 1})):
            try:
                ask(source)
            except ExpressionFailed as failed:
                last = str(failed)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert last == why


@pytest.mark.parametrize("source", ["word ~ word ~ word", "[word, word, word]", "[[word], word, word]"])
def test_what_gives_more_than_a_card_holds_is_refused_before_another_expression_multiplies_it(source: str) -> None:
    assert evaluate(source, {"word": "a" * 6000})
    with pytest.raises(ExpressionFailed, match="it gives more than 20,000 characters, which no card can hold"):
        evaluate(source, {"word": "a" * 7000})

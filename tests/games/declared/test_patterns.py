"""Patterns of fields: what they match, by RE2 and, where it has no wheel, by Python's engine under the guard."""

import time

import pytest

from render.base.limits import TO_MATCH
from render.game.declared.reading import patterns
from render.game.declared.reading.patterns import PatternError, compiled_pattern, matches

TABLE = (  # a pattern, texts that are as it says, and texts that are not
    ("[A-Z].*", ("A", "Ab c", "A\nb"), ("a", "")),
    (r"\d{1,3}/\d{1,3}", ("1/1", "123/045"), ("1/", "1/1234", "٣/1")),
    (r"\w+", ("é_1字",), ("a b", "")),
    (r"[^\W\d_]+", ("éß字",), ("a1", "_", "٣")),
    (r"[\w\-]+ ?", ("a-b ",), ("a+b",)),
    (r"\s\S", (" x", "\u00a0x"), ("xx",)),
    ("(ab|a)(bc)?", ("abbc", "abc", "a"), ("ac",)),
    ("^[]a-c]$", ("]", "b"), ("d", "ab")),
    (r"\{a\}", ("{a}",), ("a",)),
    (r"[{}#&~ ]+", ("{#} &~",), ("a",)),
)
HOSTILE = ("(a+)+b", "(.*)*x", "(a*)*(b*)*c")


@pytest.fixture(params=["RE2", "Python"], autouse=True)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "Python":
        monkeypatch.setattr("render.game.declared.reading.patterns.re2", None)
    else:
        pytest.importorskip("re2")
    compiled_pattern.cache_clear()
    return str(request.param)


@pytest.mark.parametrize(("source", "right", "wrong"), TABLE)
def test_a_pattern_is_about_the_whole_text(
    source: str, right: tuple[str, ...], wrong: tuple[str, ...], engine: str
) -> None:
    assert [text for text in right if not matches(source, text)] == []
    assert matches(source, compiled_pattern(source).example)
    if (source, engine) != (r"[^\W\d_]+", "Python"):  # Python's engine takes digits of other scripts for letters
        assert [text for text in wrong if matches(source, text)] == []


@pytest.mark.parametrize("source", HOSTILE)
def test_no_pattern_takes_long(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        patterns, "TO_MATCH", TO_MATCH._replace(seconds=0.2)
    )  # what stops after a second does so earlier
    began = time.process_time()
    assert not matches(source, "a" * 4000)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "source", ["(?=a)", r"(a)\1", r"\b", "a^", "(?i)a", "(?i:a)", "(?>a)", "a{2;3}", "(a{99}){99}", "[a"]
)
def test_what_only_some_engines_can_do_is_refused(source: str) -> None:
    with pytest.raises(PatternError):
        compiled_pattern(source)

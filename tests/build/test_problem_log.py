"""The same is not complained of twice, and what is mended is said to be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from render.base.findings import Diagnostic, Severity, Span
from render.build.problem_log import ProblemLog


def at(line: int, code: str, message: str, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic(code, message, severity=severity).at(Span(file=Path("a.yaml"), line=line))


WRONG = replace(at(2, "C002", "unknown key `levl`"), hint="did you mean `level`?")
MOVED = replace(WRONG, span=at(9, "", "").span)
OTHER = at(5, "C004", "`thor` has no `level`")
DOUBT = at(7, "A011", "the picture has only 28 dpi", Severity.WARNING)
MENDED = "fixed: a.yaml: unknown key `levl` [C002]"


def heard(*findings: list[Diagnostic]) -> list[list[str | Diagnostic]]:
    log = ProblemLog()
    return [log.update("set", each) for each in findings]


def test_what_is_said_is_not_said_again_even_if_it_moved() -> None:
    assert heard([WRONG], [WRONG], [MOVED]) == [[WRONG, "1 error"], [], []]


def test_a_correction_is_reported_once() -> None:
    assert heard([WRONG], [], []) == [[WRONG, "1 error"], [MENDED], []]


def test_only_what_is_new_is_said_with_the_number_of_all() -> None:
    assert heard([WRONG], [WRONG, OTHER])[1] == [OTHER, "2 errors"]


def test_errors_that_are_left_are_counted() -> None:
    assert heard([WRONG, OTHER], [OTHER], [])[1:] == [
        ["1 error left"],
        [MENDED, "fixed: a.yaml: `thor` has no `level` [C004]"],
    ]


def test_an_error_that_comes_again_is_said_again() -> None:
    assert heard([WRONG, OTHER], [OTHER], [MOVED, OTHER])[2] == [MOVED, "2 errors"]


def test_the_same_error_a_second_time_is_new() -> None:
    assert heard([WRONG], [WRONG, MOVED], [WRONG])[1:] == [[MOVED, "2 errors"], ["1 error left"]]


def test_what_an_error_hides_is_neither_mended_nor_said_again() -> None:
    assert heard([DOUBT], [WRONG], [DOUBT]) == [[DOUBT], [WRONG, "1 error"], [MENDED]]


def test_only_some_of_many_corrected_files_are_named() -> None:
    many = [at(number, "C004", f"`thor-{number}` has no `level`") for number in range(20)]
    lines = heard(many, [])[1]
    assert len(lines) == 5
    assert lines[-1] == "fixed: 16 more"


def test_each_thing_has_its_own_log() -> None:
    log = ProblemLog()
    assert log.update("one", [WRONG]) == log.update("other", [WRONG])
    log.drop("one")
    assert log.update("one", []) == []

"""The same is not complained of twice, and what is mended is said to be."""

from __future__ import annotations

from render.build.problem_log import ProblemLog

WRONG = "a.yaml:2:3: error: unknown key `levl` [C002]\n  2 | levl: 1\n    | ^^^^\n  hint: did you mean `level`?"
MOVED = WRONG.replace(":2:3:", ":9:3:").replace("  2 |", "  9 |")
OTHER = "a.yaml:5:1: error: `thor` has no `level` [C004]"
DOUBT = "a.yaml:7:1: warning: the picture has only 28 dpi [A011]"
MENDED = "fixed: a.yaml: unknown key `levl` [C002]"


def heard(*texts: str) -> list[list[str]]:
    complaints = ProblemLog()
    return [complaints.update("set", text) for text in texts]


def test_what_is_said_is_not_said_again_even_if_it_moved() -> None:
    assert heard(WRONG, WRONG, MOVED) == [[WRONG, "1 error"], [], []]


def test_a_correction_is_reported_once() -> None:
    assert heard(WRONG, "", "") == [[WRONG, "1 error"], [MENDED], []]


def test_only_what_is_new_is_said_with_the_number_of_all() -> None:
    assert heard(WRONG, f"{WRONG}\n{OTHER}")[1] == [OTHER, "2 errors"]


def test_errors_that_are_left_are_counted() -> None:
    assert heard(f"{WRONG}\n{OTHER}", OTHER, "")[1:] == [["1 error left"], [MENDED, f"fixed: {plain(OTHER)}"]]


def test_an_error_that_comes_again_is_said_again() -> None:
    assert heard(f"{WRONG}\n{OTHER}", OTHER, f"{MOVED}\n{OTHER}")[2] == [MOVED, "2 errors"]


def test_the_same_error_a_second_time_is_new() -> None:
    assert heard(WRONG, f"{WRONG}\n{MOVED}", WRONG)[1:] == [[MOVED, "2 errors"], ["1 error left"]]


def test_what_an_error_hides_is_neither_mended_nor_said_again() -> None:
    assert heard(DOUBT, WRONG, DOUBT) == [[DOUBT], [WRONG, "1 error"], [MENDED]]


def test_only_some_of_many_corrected_files_are_named() -> None:
    many = "\n".join(OTHER.replace("thor", f"thor-{number}") for number in range(20))
    lines = heard(many, "")[1]
    assert len(lines) == 5
    assert lines[-1] == "fixed: 16 more"


def test_each_thing_has_its_own_complaints() -> None:
    complaints = ProblemLog()
    assert complaints.update("one", WRONG) == complaints.update("other", WRONG)
    complaints.drop("one")
    assert complaints.update("one", "") == []


def plain(block: str) -> str:
    return block.replace(":5:1: error", "")

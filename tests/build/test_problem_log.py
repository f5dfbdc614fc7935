"""The same is not complained of twice, and what is mended is said to be."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from render.base.findings import Diagnostic, Severity, Span
from render.cli.commands.watch import ProblemLog


def at(line: int, code: str, message: str, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic(code, message, severity=severity).at(Span(file=Path("a.yaml"), line=line))


WRONG = replace(at(2, "C002", "unknown key `levl`"), hint="did you mean `level`?")
MOVED = replace(WRONG, span=at(9, "", "").span)
OTHER = at(5, "C004", "`thor` has no `level`")
DOUBT = at(7, "A011", "the picture has only 28 dpi", Severity.WARNING)
MENDED, OTHER_MENDED = "fixed: a.yaml: unknown key `levl` [C002]", "fixed: a.yaml: `thor` has no `level` [C004]"


def heard(*findings: list[Diagnostic]) -> list[list[str | Diagnostic]]:
    log = ProblemLog()
    return [log.update("set", each) for each in findings]


@pytest.mark.parametrize(
    ("findings", "news"),
    [
        pytest.param([[WRONG], [WRONG], [MOVED]], [[WRONG, "1 error"], [], []], id="nothing twice, even if it moved"),
        pytest.param([[WRONG], [], []], [[WRONG, "1 error"], [MENDED], []], id="a correction once"),
        pytest.param(
            [[WRONG], [WRONG, OTHER]], [[WRONG, "1 error"], [OTHER, "2 errors"]], id="what is new, and how many"
        ),
        pytest.param(
            [[WRONG, OTHER], [OTHER], []],
            [[WRONG, OTHER, "2 errors"], ["1 error left"], [MENDED, OTHER_MENDED]],
            id="the rest",
        ),
        pytest.param(
            [[WRONG, OTHER], [OTHER], [MOVED, OTHER]],
            [[WRONG, OTHER, "2 errors"], ["1 error left"], [MOVED, "2 errors"]],
            id="what comes again",
        ),
        pytest.param(
            [[WRONG], [WRONG, MOVED], [WRONG]],
            [[WRONG, "1 error"], [MOVED, "2 errors"], ["1 error left"]],
            id="the same a second time",
        ),
        pytest.param(
            [[DOUBT], [WRONG], [DOUBT]], [[DOUBT], [WRONG, "1 error"], [MENDED]], id="not what an error hides"
        ),
    ],
)
def test_what_is_new_is_said(findings: list[list[Diagnostic]], news: list[list[str | Diagnostic]]) -> None:
    assert heard(*findings) == news


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

"""What is checked while somebody types: it waits for nobody, keeps nobody waiting, and is told before it ends."""

import threading
from pathlib import Path

import pytest

from render.lsp.checking import Findings, IncrementalCheck, OpenFiles, Superseded
from tests.support.sets import write_set

CAT = "- {name: Cat, kind: spel, level: 2, text: Draw 1 card.}\n"
DOG = "- {name: Dog, kind: spell, level: 2, text: Draw 1 card.}\n"
MANY = "".join(CAT.replace("Cat", f"Cat {number}") for number in range(500))


class Checked:
    """An open file that a thread checks until the block ends, and what that published."""

    def __init__(self, file: Path, text: str) -> None:
        self.published: list[Findings] = []
        self.some = threading.Event()
        self.files = OpenFiles(self._publish)
        self.files.put(file, text)
        self.thread = threading.Thread(target=self.files.work)

    def _publish(self, findings: Findings) -> None:
        self.published.append(findings)
        self.some.set()

    def __enter__(self) -> "Checked":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.files.end()
        self.thread.join()


def test_a_check_ends_among_the_cards_that_are_read_once_it_is_superseded(tmp_path: Path) -> None:
    folder, told = write_set(tmp_path / "mine", MANY), list[int]()
    with pytest.raises(Superseded):
        IncrementalCheck().findings(folder, {}, lambda: sum(told) > 0, lambda findings: told.append(len(findings)))
    assert 0 < sum(told) < 500


def test_a_long_check_says_what_it_has_found_before_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("render.lsp.checking.FIRST_NEWS", 0.0)  # any check takes longer
    file = write_set(tmp_path / "mine", MANY) / "cards.yaml"
    with Checked(file, MANY) as checked:
        assert checked.some.wait(60)
        while len(checked.published[-1][file]) < 500:
            checked.some.clear()
            assert checked.some.wait(60)
    assert 0 < len(checked.published[0][file]) < 500


def test_a_check_waits_while_a_request_is_answered(tmp_path: Path) -> None:
    file = write_set(tmp_path / "mine", CAT) / "cards.yaml"
    checked = Checked(file, CAT)
    with checked.files.reading():
        checked.thread.start()
        assert not checked.some.wait(0.5)
    assert checked.some.wait(60)
    checked.__exit__()


def test_what_was_found_in_a_card_moves_with_it_until_it_is_checked_again(tmp_path: Path) -> None:
    file = write_set(tmp_path / "mine", CAT + DOG) / "cards.yaml"
    with Checked(file, CAT + DOG) as checked:
        assert checked.some.wait(60)
    files = checked.files
    (found,) = files.findings(file, CAT + DOG)
    (moved,) = files.findings(file, f"# one\n# two\n{DOG}{CAT}")
    assert found.span
    assert moved.span
    assert (moved.code, moved.span.line, moved.span.end_line) == (found.code, 4, 4)
    assert (moved.span.column, moved.span.excerpt) == (found.span.column, found.span.excerpt)
    assert files.findings(file, DOG + CAT.replace("spel", "spell")) == ()

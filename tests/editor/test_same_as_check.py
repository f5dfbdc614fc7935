"""Whatever is typed, an editor shows what `check` says of it."""

from __future__ import annotations

from tests.editor.same_as_check import tried


def test_a_text_that_is_typed_has_the_findings_of_the_text_that_is_saved() -> None:
    assert tried(count=10, seed=13) == []

"""The tables of keys in the reference are those by which the program reads them."""

from collections import Counter
from pathlib import Path

import pytest

from tests.reference import PAGES, TABLES, names_in, written


@pytest.mark.parametrize("page", [page for page in PAGES if names_in(page)], ids=lambda page: page.stem)
def test_a_page_says_of_keys_what_the_program_does(page: Path) -> None:
    """If not, `python -m tests.reference` writes it anew."""
    text = page.read_text(encoding="utf-8")
    assert written(text) == text


def test_each_table_of_keys_stands_in_one_place() -> None:
    assert Counter(name for page in PAGES for name in names_in(page)) == dict.fromkeys(TABLES, 1)

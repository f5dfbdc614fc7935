"""The page of `kotc effects` in a browser: its search, its width on a phone, and what aids can read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import Scheme, browser, opened, violations
from tests.support.sets import kotc

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "effects.html"
    assert kotc("effects", "--edition", 17, "--language", "de", "--page", file).exit_code == 0
    return file


def test_the_search_finds_other_words_and_slips_and_says_when_nothing_is_found(
    browser: Browser, page_file: Path
) -> None:
    with opened(browser, page_file.as_uri()) as page:
        shown = page.locator("tbody tr:visible")
        whole = shown.count()
        for query, found in (("kill", 14), ("zerstör", 14), ("draw cards", 1), ("token", 1), ("counterspell", 1)):
            page.fill("#search", query)
            assert (query, shown.count()) == (query, found)
        page.fill("#search", "frobnicate")
        assert shown.count() == 0
        assert page.locator("#none").inner_text().startswith("Nothing says “frobnicate”.")
        page.fill("#search", "")
        assert shown.count() == whole == 91


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_cut_off_and_aids_can_read_it(browser: Browser, page_file: Path, scheme: Scheme) -> None:
    with opened(browser, page_file.as_uri(), width=390, height=844, scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert violations(page) == []

"""The pages of `kotc upgrade`, `balance` and `effects` in a browser: search, marks, a phone, and what aids can read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import Scheme, browser, opened, violations
from tests.support.sets import SET, kotc, write_set

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

CARDS = """
- {name: Bolt, kind: spell, edition: 16, level: 4, text: "Target 1 on-field minion; destroy it."}
- {name: Plain, kind: minion, edition: 16, level: 4, sp: 2, hp: 4}
- {name: Wolf, kind: creature, edition: 11, cost: 2, offense: 1, defense: 2}
- {name: Kept, kind: minion, level: 4, sp: 2, hp: 4}
"""
DECK = "- {name: Kept, kind: minion, level: 4, sp: 2, hp: 4, copies: 7}\n"
NEW = "- {name: Mill, kind: spell, edition: 13, level: 1, text: Target 1 in-play card; destroy it.}\n"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with `upgrade.html`, of two sets whose cards have each a fate, `balance.html` and `effects.html`."""
    folder = tmp_path_factory.mktemp("pages")
    sets = write_set(folder / "lanterns", CARDS), write_set(folder / "tides", NEW)
    asked = ("--to", 17, "--relevel", "--dry-run", "--report", folder / "upgrade.html")
    result = kotc("upgrade", *sets, *asked)
    assert result.exit_code == 0, result.output
    deck = write_set(folder / "deck", DECK, SET)
    assert kotc("balance", deck, "--page", folder / "balance.html").exit_code == 0
    effects = kotc("effects", "--edition", 17, "--language", "de", "--page", folder / "effects.html")
    assert effects.exit_code == 0
    return folder


def test_a_changed_number_is_marked_under_each_picture(browser: Browser, pages: Path) -> None:
    with opened(browser, (pages / "upgrade.html").as_uri()) as page:
        captions = page.locator("[id='lanterns/bolt'] figcaption").all_inner_texts()
        assert captions == ["16th Edition\nlevel 4", "17th Edition\nlevel 2"]
        assert page.locator("[id='lanterns/plain'] figcaption").all_inner_texts() == ["16th Edition", "17th Edition"]


def test_a_search_without_a_result_says_so(browser: Browser, pages: Path) -> None:
    with opened(browser, (pages / "upgrade.html").as_uri()) as page:
        page.get_by_label("Search names and texts").fill("dodo")
        assert page.locator("article:visible").count() == 0
        assert page.get_by_role("status").filter(has_text="dodo").inner_text() == (
            "No card is found for “dodo”. Try fewer words."
        )


def test_on_a_phone_every_count_stands_beside_its_name(browser: Browser, pages: Path) -> None:
    with opened(browser, (pages / "upgrade.html").as_uri(), width=390, height=844) as page:
        page.mouse.wheel(0, 2000)
        page.wait_for_function("scrollY > 0")
        assert (page.locator("header").bounding_box() or {"y": 0})["y"] < 0  # it covers nothing
        boxes = [each.bounding_box() for each in page.locator(".summary td").all()]
        assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
        last = page.locator(".summary tr").nth(1).locator("td").last
        assert "as it was" in last.evaluate("cell => getComputedStyle(cell, '::after').content")


def test_the_search_finds_other_words_and_slips_and_says_when_nothing_is_found(browser: Browser, pages: Path) -> None:
    with opened(browser, (pages / "effects.html").as_uri()) as page:
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


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        ("upgrade", 390, "dark"),
        ("balance", 390, "light"),
        ("upgrade", 1400, "light"),
        ("effects", 390, "dark"),
    ],
)
def test_it_fits_every_screen_and_aids_can_read_it(
    browser: Browser, pages: Path, width: int, scheme: Scheme, name: str
) -> None:
    with opened(browser, (pages / f"{name}.html").as_uri(), width=width, scheme=scheme) as page:
        for details in page.locator("summary").all():
            details.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []

"""The gallery of another game has the game's own words: filters, facts and orders by its table, and cards that turn."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.games.declared.two_faces import write_two_faces
from tests.support.browser import Scheme, browser, opened, violations
from tests.support.sets import kotc

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    write_two_faces(folder / "set")
    result = kotc("build", folder / "set", "--out", folder / "out", "--workers", 1)
    assert result.exit_code == 0, result.output
    return folder / "out/set/gallery.html"


def shown(page: Page) -> list[str]:
    """Return the names of the cards that are on the page, in their order."""
    names = page.locator(".cards").first.locator("figure:visible figcaption").all_inner_texts()
    return [name.split("\n")[0] for name in names]


def test_no_word_of_the_first_game_is_on_the_page(page_file: Path) -> None:
    page = page_file.read_text(encoding="utf-8")
    assert re.findall(r"(?i)\b(?:keepers?|levels?|ultra|minions?|editions?|spells?)\b", page) == []
    assert "<small>moon · power 1 // 5 · common</small>" in page


def test_cards_are_filtered_and_sorted_by_the_columns_of_the_game(browser: Browser, page_file: Path) -> None:
    with opened(browser, page_file.as_uri()) as page:
        page.get_by_label("Rarity").select_option("rare")
        assert shown(page) == ["Fire // Ice"]
        page.get_by_label("Kind").select_option("moon")
        assert shown(page) == []
        assert page.get_by_role("status").filter(has_text="found").inner_text() == (
            "No card is found among those of: moon, rare. Try fewer words, or fewer filters."
        )
        page.get_by_label("Rarity").select_option("any rarity")
        page.get_by_label("Kind").select_option("all kinds")
        page.get_by_label("Order").select_option("by power")
        assert shown(page) == ["Watcher // Howler", "Tide", "Rock", "Fire // Ice"]
        page.get_by_label("Order").select_option("by name")
        assert shown(page) == ["Fire // Ice", "Rock", "Tide", "Watcher // Howler"]


def test_the_search_finds_words_of_both_faces(browser: Browser, page_file: Path) -> None:
    asked = {
        "howls": "Watcher // Howler",
        "watcher": "Watcher // Howler",
        "flood": "Tide",
        "freeze fire": "Fire // Ice",
    }
    with opened(browser, page_file.as_uri()) as page:
        for words, card in asked.items():
            page.get_by_label("Search names and texts").fill(words)
            assert shown(page) == [card]


def test_a_card_with_two_sides_turns(browser: Browser, page_file: Path) -> None:
    with opened(browser, page_file.as_uri()) as page:
        card = page.locator("#watcher-howler")
        picture, button = card.locator("img"), card.get_by_role("button", name="turn Watcher // Howler")
        assert picture.get_attribute("alt") == "Watcher: rules: It sees.; power: 1; rarity: common"
        for side, alt in ((".back", "Howler: rules: It howls.; power: 5; rarity: common"), ("", "Watcher: rules")):
            button.click()
            assert str(picture.get_attribute("src")).endswith(f"png/watcher-howler{side}.png")
            assert str(picture.get_attribute("alt")).startswith(alt)
            assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 250
        assert page.get_by_role("button").count() == 2


def test_without_scripts_the_other_side_is_a_link(browser: Browser, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(page_file.as_uri())
        assert page.locator("#tide a.turn").get_attribute("href") == "png/tide.back.png"
        assert page.locator("input:visible, select:visible").count() == 0
    finally:
        context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_it_fits_every_screen_and_aids_can_read_it(
    browser: Browser, page_file: Path, width: int, scheme: Scheme
) -> None:
    with opened(browser, page_file.as_uri(), width=width, scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []

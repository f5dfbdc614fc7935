"""The gallery in a browser: its search, filters and order, its width on a phone, and what aids can read.

That of another game has the game's own words: filters, facts and orders by its table, and cards that turn.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.games.declared.two_faces import write_two_faces
from tests.support.browser import Scheme, browser, opened, violations
from tests.support.sets import SET, kotc, write_set
from tests.support.templates import with_plain_back

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]

CARDS = """
- {name: Rook, kind: minion, level: 2, sp: 1, hp: 1, text: "PERCH: Target 1 minion of level 4; exhaust it."}
- {name: Velociraptor, kind: minion, level: 4, sp: 2, hp: 4, copies: 2}
- name: Bolt
  kind: spell
  level: 4
  ultra_points: 1
  back: none
  credit: Bolt by somebody else, CC BY.
  text: |
    Target 1 on-field minion; destroy it.
- {id: search, name: Aid, kind: tip, text: How to play.}
"""


def built(folder: Path) -> Path:
    result = kotc("build", folder, "--out", folder.parent / "out", "--workers", 1)
    assert result.exit_code == 0, result.output
    return folder.parent / "out" / folder.name / "gallery.html"


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery") / "birds"
    return built(with_plain_back(write_set(folder, CARDS, f"{SET}outputs: {{png: {{dpi: 72}}, gallery: true}}\n")))


@pytest.fixture(scope="module")
def two_faces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a game in YAML whose cards have two faces."""
    folder = tmp_path_factory.mktemp("gallery") / "set"
    write_two_faces(folder)
    return built(folder)


def shown(page: Page) -> str:
    """Return the names of the cards that are on the page, in their order, also of those that are not painted yet."""
    return ",".join(page.locator(".found .cards b:visible").all_text_contents())


def search(page: Page, query: str) -> str:
    page.get_by_role("searchbox").fill(query)
    return shown(page)


def test_what_a_card_says_stands_beside_its_picture_for_those_who_do_not_see_it(birds: Path) -> None:
    page = birds.read_text(encoding="utf-8")
    assert ">PERCH: Target 1 minion of level 4; exhaust it.</p>" in page
    assert ">level 2 · minion · 17th Edition</small>" in page


def test_backs_and_credits_are_on_the_page_with_their_cards(browser: Browser, birds: Path) -> None:
    with opened(browser, birds.as_uri()) as page:
        (back,) = page.locator(".back").all()
        assert " ".join(back.inner_text().split()) == "Back Rook, Velociraptor, Aid"
        assert back.locator("img").evaluate("image => image.naturalWidth") > 300
        assert page.locator("dl").last.inner_text().split("\n")[-2:] == ["Bolt by somebody else, CC BY.", "Bolt"]
        back.get_by_role("link", name="Aid").click()
        assert page.url.endswith("#search")


def test_the_search_takes_a_level_for_the_level_of_a_card(browser: Browser, birds: Path) -> None:
    asked = {
        "level 4": "Velociraptor,Bolt",
        "Level: 4 raptor": "Velociraptor",
        "spell level 4": "Bolt",
        "minion level 2 exhaust": "Rook",
        "level": "Rook,Velociraptor,Bolt",
        "level 44": "",
        "velo": "Velociraptor",
        "": "Rook,Velociraptor,Bolt,Aid",
    }
    with opened(browser, birds.as_uri()) as page:
        assert {query: search(page, query) for query in asked} == asked


def test_cards_are_filtered_and_sorted_and_an_empty_result_says_so(browser: Browser, birds: Path) -> None:
    with opened(browser, birds.as_uri()) as page:
        page.get_by_label("order").select_option("name")
        assert shown(page) == "Aid,Bolt,Rook,Velociraptor"
        page.get_by_label("order").select_option("level")
        assert shown(page) == "Rook,Velociraptor,Bolt,Aid"
        page.locator("[data-field=level] button", has_text="4").click()
        page.locator("[data-field=kind] button", has_text="spell").click()
        assert shown(page) == "Bolt"
        assert page.locator("output").inner_text() == "1 of 4 cards"
        assert search(page, "dodo") == ""
        assert page.locator("output").inner_text() == "No card is found"


def test_without_scripts_the_page_is_a_plain_grid_and_the_other_side_of_a_card_a_link(
    browser: Browser, birds: Path, two_faces: Path
) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(birds.as_uri())
        assert shown(page) == "Rook,Velociraptor,Bolt,Aid"
        assert page.locator("[type=search]:visible, select:visible").count() == 0
        page.goto(two_faces.as_uri())
        assert page.locator("#tide a.turn").get_attribute("href") == "png/tide.back.png"
    finally:
        context.close()


def test_that_of_another_game_fits_a_phone_and_aids_can_read_it(browser: Browser, two_faces: Path) -> None:
    with opened(browser, two_faces.as_uri(), width=390, scheme="dark") as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert violations(page) == []


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (2200, "light")])
def test_it_fits_every_screen_and_aids_can_read_it(browser: Browser, birds: Path, width: int, scheme: Scheme) -> None:
    with opened(browser, birds.as_uri(), width=width, scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        first, second = (page.locator(each).bounding_box() for each in ("#rook", "#velociraptor"))
        assert first and second
        assert first["y"] == second["y"]  # two cards a row at least
        assert violations(page) == []


# --- the gallery of another game ---


def test_no_word_of_the_first_game_is_on_the_page(browser: Browser, two_faces: Path) -> None:
    with opened(browser, two_faces.as_uri()) as page:
        page.add_style_tag(content=".card { content-visibility: visible }")  # what is not painted yet has no words
        words = page.locator("main").inner_text()
    assert re.findall(r"(?i)\b(?:keepers?|levels?|ultra|minions?|editions?|spells?)\b", words) == []
    assert "moon · power 1 // 5 · common" in words


def test_cards_are_filtered_and_sorted_by_the_columns_of_the_game(browser: Browser, two_faces: Path) -> None:
    with opened(browser, two_faces.as_uri()) as page:
        page.locator("[data-field=rarity] button", has_text="rare").click()
        assert shown(page) == "Fire // Ice"
        assert search(page, "kind:moon rarity:rare") == ""
        assert search(page, "sort:power") == "Watcher // Howler,Tide,Rock,Fire // Ice"
        assert search(page, "sort:name") == "Fire // Ice,Rock,Tide,Watcher // Howler"


def test_the_search_finds_words_of_both_faces(browser: Browser, two_faces: Path) -> None:
    asked = {
        "howls": "Watcher // Howler",
        "watcher": "Watcher // Howler",
        "flood": "Tide",
        "freeze fire": "Fire // Ice",
    }
    with opened(browser, two_faces.as_uri()) as page:
        assert {words: search(page, words) for words in asked} == asked


def test_a_card_with_two_sides_turns(browser: Browser, two_faces: Path) -> None:
    with opened(browser, two_faces.as_uri()) as page:
        card = page.locator("#watcher-howler")
        picture, button = card.locator("img"), card.get_by_role("button", name="turn Watcher // Howler")
        for side in (".back", ""):
            button.click()
            assert str(picture.get_attribute("src")).endswith(f"png/watcher-howler{side}.png")
            assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 250
        assert page.locator("button.turn").count() == 2

"""The gallery in a browser: its search, filters and order, its width on a phone, and what aids can read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    with_plain_back(write_set(folder / "birds", CARDS, f"{SET}outputs: {{png: {{dpi: 72}}, gallery: true}}\n"))
    result = kotc("build", folder / "birds", "--out", folder / "out", "--workers", 1)
    assert result.exit_code == 0, result.output
    return folder / "out/birds/gallery.html"


def shown(page: Page) -> str:
    """Return the names of the cards that are on the page, in their order."""
    names = page.locator(".cards").first.locator("figure:visible figcaption").all_inner_texts()
    return ",".join(name.split("\n")[0] for name in names)


def test_a_picture_is_read_out_with_what_the_card_shows(page_file: Path) -> None:
    page = page_file.read_text(encoding="utf-8")
    assert 'alt="Velociraptor: level 4 minion with 2 SP, 4 HP, and no abilities"' in page
    assert 'alt="Rook: level 2 minion with 1 SP and 1 HP: PERCH: Target 1 minion of level 4; exhaust it."' in page
    assert 'alt="Bolt: level 4 spell with 1 Ultra Point: Target 1 on-field minion; destroy it."' in page
    assert 'alt="Aid: tip: How to play."' in page
    assert "Rook<small>level 2 · minion · 17th Edition</small>" in page


def test_backs_and_credits_are_on_the_page_with_their_cards(browser: Browser, page_file: Path) -> None:
    with opened(browser, page_file.as_uri()) as page:
        (back,) = page.locator(".back").all()
        assert " ".join(back.inner_text().split()) == "Back 3 cards: Rook, Velociraptor, Aid"
        assert back.locator("img").evaluate("image => image.naturalWidth") > 300
        assert page.locator("dl").inner_text().split("\n")[-2:] == ["Bolt by somebody else, CC BY.", "1 card: Bolt"]


def test_the_search_takes_a_level_for_the_level_of_a_card(browser: Browser, page_file: Path) -> None:
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
    with opened(browser, page_file.as_uri()) as page:
        found = {}
        for query in asked:
            page.get_by_label("Search names and texts").fill(query)
            found[query] = shown(page)
        assert found == asked


def test_cards_are_filtered_and_sorted_and_an_empty_result_says_so(browser: Browser, page_file: Path) -> None:
    with opened(browser, page_file.as_uri()) as page:
        page.get_by_label("Order").select_option("by name")
        assert shown(page) == "Aid,Bolt,Rook,Velociraptor"
        page.get_by_label("Order").select_option("by level")
        assert shown(page) == "Rook,Velociraptor,Bolt,Aid"
        page.get_by_label("Level", exact=True).select_option("level 4")
        page.get_by_label("Kind").select_option("spell")
        assert shown(page) == "Bolt"
        assert page.locator("output").inner_text() == "1 of 4 cards"
        page.get_by_label("Search names and texts").fill("dodo")
        assert shown(page) == ""
        assert page.get_by_role("status").filter(has_text="dodo").inner_text() == (
            "No card is found for “dodo” among those of: spell, level 4. Try fewer words, or all kinds and levels."
        )


def test_without_scripts_the_page_is_a_plain_grid(browser: Browser, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(page_file.as_uri())
        assert shown(page) == "Rook,Velociraptor,Bolt,Aid"
        assert page.locator("input:visible, select:visible").count() == 0
    finally:
        context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (2200, "light")])
def test_it_fits_every_screen_and_aids_can_read_it(
    browser: Browser, page_file: Path, width: int, scheme: Scheme
) -> None:
    with opened(browser, page_file.as_uri(), width=width, scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        title, first, second = (
            page.locator(each).bounding_box() for each in ("h1", "figure:nth-child(1) >> nth=0", "#velociraptor")
        )
        assert title and first and second
        assert first["y"] == second["y"]  # two cards a row at least
        assert title["x"] == first["x"]
        assert violations(page) == []

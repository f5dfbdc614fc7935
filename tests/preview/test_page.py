"""The page of `kotc preview` in a browser: what somebody sees who edits cards."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.browser import browser, opened, violations
from tests.support.messages import write
from tests.support.preview_process import PATIENCE, Previewed, is_drawn, previewed
from tests.support.templates import with_plain_back

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]

EDITS = int(os.environ.get("KOTC_EDITS", "15"))  # two hundred by hand

CARDS = """\
- name: Wolf
  kind: minion
  level: 3
  sp: 1
  hp: 0
  text: "GO: Draw 1 card."
- name: Fox
  kind: spell
  level: 2
  text: Draw 1 card.
- {name: Rules, kind: tip, text: Draw a card.}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("preview") / "cards"


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Previewed]:
    """A preview of a small set, for all tests of this module: each leaves the set as it found it."""
    write(folder, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": CARDS})
    with_plain_back(folder)
    with previewed(folder, "--editor", "vscode") as found:
        found.board(is_drawn)
        yield found


@pytest.fixture
def page(browser: Browser, running: Previewed, folder: Path) -> Iterator[Page]:
    write(folder, {"cards.yaml": CARDS})
    running.board(is_as_before)
    with opened(browser, running.address) as found:
        found.wait_for_selector("[data-key='s1/wolf'] img")
        found.click("[data-key='s1/wolf'] button")
        until(found, lambda: shown(found) == found.get_attribute("#large", "data-face"))
        yield found


def is_as_before(told: dict[str, Any]) -> bool:
    names = [card["name"] for card in told["cards"].values() if not card["findings"]]
    return is_drawn(told) and sorted(names) == ["Fox", "Rules", "Wolf"]


def edit(folder: Path, old: str, new: str, name: str = "cards.yaml") -> None:
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def shown(page: Page) -> str:
    """Return the id of the large picture that is on the screen."""
    return str(page.evaluate("document.getElementById('large').dataset.shown"))


def until(page: Page, outcome: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not outcome():
        assert time.monotonic() < end, page.inner_text("body")
        page.wait_for_timeout(20)


def test_a_saved_card_is_shown_large_and_the_place_in_the_list_stays(page: Page, folder: Path) -> None:
    page.evaluate("window.before = document.querySelector(\"[data-key='s1/fox']\")")
    page.fill("#search", "o")
    page.focus("#search")
    before = shown(page)
    edit(folder, "Draw 1 card.\n- {name: Rules", "Draw 2 cards.\n- {name: Rules")
    until(page, lambda: shown(page) != before)
    assert page.inner_text("#stage-name") == "Fox"
    assert page.get_attribute("[data-key='s1/fox'] button", "aria-current") == "true"
    assert page.evaluate("document.activeElement.id") == "search"
    assert page.input_value("#search") == "o"
    # It is the same element: nothing was loaded anew.
    assert page.evaluate("window.before === document.querySelector(\"[data-key='s1/fox']\")")
    until(page, lambda: "Level 4" in page.inner_text("#derivation"))
    until(page, lambda: "the level of `fox` is 4, not 2".replace("`", "") in page.inner_text("#stage-findings"))


def test_while_a_file_is_broken_the_last_good_picture_stays_with_the_error_over_it(page: Page, folder: Path) -> None:
    good = shown(page)
    edit(folder, "kind: minion", "kind: minoin")
    page.wait_for_selector("#over:not([hidden])")
    words = page.inner_text("#over")
    assert "expected minion, spell, creature, pawn or tip, found minoin" in words
    assert "cards.yaml, line 2" in words and "hint: did you mean minion?" in words
    assert shown(page) == good and page.is_visible("#large")
    assert "stale" in str(page.get_attribute("#picture", "class"))
    assert page.get_attribute("#over a", "href") == f"vscode://file{folder}/cards.yaml:2:9"
    edit(folder, "kind: minoin", "kind: minion")
    page.wait_for_selector("#over", state="hidden")
    assert shown(page) == good


def test_what_is_no_yaml_keeps_every_card_of_its_file(page: Page, folder: Path) -> None:
    edit(folder, "  kind: spell", "\tkind: spell")
    page.wait_for_selector("#over:not([hidden])")
    assert page.inner_text("#stage-name") == "Fox"
    assert page.locator("#grid li:visible").count() == 3
    edit(folder, "\tkind: spell", "  kind: spell")
    page.wait_for_selector("#over", state="hidden")


def test_while_the_set_cannot_be_read_the_page_says_that_it_shows_what_was_before(page: Page, folder: Path) -> None:
    edit(folder, "name: Test", "- name: Test", "set.yaml")
    page.wait_for_selector("#unread:not([hidden])")
    words = "set.yaml has an error. Until that is mended, the cards are shown as they were before."
    assert page.inner_text("#unread") == words
    assert page.locator(".thumb.stale").count() == page.locator(".thumb").count() == 3
    assert page.get_attribute("#picture", "class") == "picture stale"
    assert "set.yaml" in page.inner_text("#problems")
    edit(folder, "- name: Test", "name: Test", "set.yaml")
    page.wait_for_selector("#unread", state="hidden")
    until(page, lambda: page.locator(".stale").count() == 0)
    assert page.inner_text("#stage-name") == "Wolf"


def test_cards_and_files_come_and_go(page: Page, folder: Path) -> None:
    def names() -> list[str]:
        return page.locator("#grid .name").all_text_contents()  # also of those that are not painted yet

    edit(folder, "name: Fox", "name: Red Fox")
    until(page, lambda: names() == ["Wolf", "Red Fox", "Rules"])
    assert page.inner_text("#stage-name") == "Red Fox"
    (folder / "more.yaml").write_text("{name: Owl, kind: spell, level: 2, text: Draw 1 card.}\n", encoding="utf-8")
    until(page, lambda: names() == ["Wolf", "Red Fox", "Rules", "Owl"])
    assert page.inner_text("#stage-name") == "Owl"
    (folder / "more.yaml").unlink()
    until(page, lambda: names() == ["Wolf", "Red Fox", "Rules"])
    edit(folder, "- {name: Rules, kind: tip, text: Draw a card.}\n", "")
    until(page, lambda: names() == ["Wolf", "Red Fox"])
    assert page.inner_text("#count") == "2"


def test_a_click_on_a_part_names_its_line_and_opens_it(page: Page, folder: Path) -> None:
    page.wait_for_selector("#parts a")
    links = {part.get_attribute("aria-label"): part.get_attribute("href") for part in page.locator("#parts a").all()}
    assert links["name: line 1, Wolf"] == f"vscode://file{folder}/cards.yaml:1:9"
    assert links["level: line 3, 3"] == f"vscode://file{folder}/cards.yaml:3:10"
    assert links["text: line 6, GO: Draw 1 card."] == f"vscode://file{folder}/cards.yaml:6:9"
    page.evaluate("document.addEventListener('click', event => event.preventDefault())")
    page.click("#parts a[aria-label^='sp:']")
    assert page.inner_text("#part-place") == "sp stands in cards.yaml, line 4, column 7"


TABLE = "name,kind,level,text\nOtter,spell,2,Draw 1 card.\nHeron,spell,2,Draw 1 card.\n"


def test_a_saved_cell_changes_the_picture_and_parts_name_their_cells(page: Page, folder: Path) -> None:
    write(folder, {"more.csv": TABLE})
    try:
        page.wait_for_selector("[data-key='s1/otter'] img")
        page.click("[data-key='s1/otter'] button")
        until(page, lambda: page.inner_text("#stage-name") == "Otter" and page.locator("#parts a").count() > 0)
        before = shown(page)
        edit(folder, "Draw 1 card.\nHeron", "Draw 2 cards.\nHeron", "more.csv")
        until(page, lambda: shown(page) not in ("", before) and "Draw 2 cards" in page.inner_text("#derivation"))
        links = {
            part.get_attribute("aria-label"): part.get_attribute("href") for part in page.locator("#parts a").all()
        }
        assert links["text: cell D2, Draw 2 cards."] == f"vscode://file{folder}/more.csv:2:15"
        assert "cell C2" in page.inner_text("#stage-findings"), "the level is 4 now"
        page.evaluate("document.addEventListener('click', event => event.preventDefault())")
        page.click("#parts a[aria-label^='level:']")
        assert page.inner_text("#part-place") == "level stands in more.csv, cell C2"
        edit(folder, "Otter,spell", "Otter,spel", "more.csv")
        page.wait_for_selector("#over:not([hidden])")
        assert "more.csv, cell B2" in page.inner_text("#over")
    finally:
        (folder / "more.csv").unlink()


def test_cards_are_found_filtered_and_sorted(page: Page) -> None:
    def visible() -> list[str]:
        return page.locator("#grid li:visible .name").all_text_contents()

    page.fill("#search", "draw card")
    assert visible() == ["Wolf", "Fox", "Rules"]
    page.fill("#search", "wolf")
    assert visible() == ["Wolf"]
    page.fill("#search", "no such words")
    assert page.is_visible("#nothing")
    page.click("#clear")
    page.select_option("#kind", "spell")
    assert visible() == ["Fox"]
    page.select_option("#kind", "")
    page.select_option("#facts select[aria-label=Level]", "3")
    assert visible() == ["Wolf"]
    page.select_option("#facts select[aria-label=Level]", "")
    page.select_option("#sort", "name")
    assert visible() == ["Fox", "Rules", "Wolf"]


def test_it_can_be_used_by_the_keyboard(page: Page) -> None:
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#stage-name") == "Fox"
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#stage-name") == "Wolf"
    page.keyboard.press("b")
    assert page.get_attribute("#turn", "aria-pressed") == "true"
    page.keyboard.press("b")
    page.keyboard.press("/")
    page.keyboard.type("fox/")
    assert page.input_value("#search") == "fox/"
    page.keyboard.press("Escape")
    assert page.input_value("#search") == ""


def test_sheets_are_shown_with_both_sides(page: Page) -> None:
    page.click("nav a[href='#sheets']")
    page.wait_for_selector(".sides img")
    names = [image.get_attribute("alt") for image in page.locator(".sides img").all()]
    assert names == ["Sheet 1, front: wolf, fox, rules", "Sheet 1, back: wolf, fox, rules"]
    assert "1 sheet of 210 × 297 mm, flipped on the long edge" in page.inner_text("#sheets-about")
    page.locator(".sides img").last.scroll_into_view_if_needed()
    drawn = "images => images.every(image => image.complete && image.naturalWidth > 400)"
    until(page, lambda: bool(page.locator(".sides img").evaluate_all(drawn)))


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_nothing_stands_in_the_way_of_people_with_disabilities(
    browser: Browser, running: Previewed, folder: Path, scheme: Any, width: int
) -> None:
    write(folder, {"cards.yaml": CARDS.replace("level: 3", "level: 4").replace("kind: spell", "kind: spel")})
    with opened(browser, running.address, width=width, scheme=scheme) as page:
        page.wait_for_selector("#over:not([hidden])")
        page.wait_for_selector("#stage-place a")
        assert violations(page) == []
        page.click("nav a[href='#sheets']")
        page.wait_for_selector(".sides img")
        assert violations(page) == []
    write(folder, {"cards.yaml": CARDS})


def test_nothing_comes_from_elsewhere_and_no_script_stands_in_the_page(page: Page, running: Previewed) -> None:
    loaded = page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    assert loaded and all(each.startswith(running.address) for each in loaded)
    assert not re.search(r"<script(?![^>]* src=)|\son\w+=|<style|\sstyle=", running.get("")[2].decode())


def test_many_edits_leave_nothing_behind(page: Page, running: Previewed, folder: Path) -> None:
    session = page.context.new_cdp_session(page)

    def counted() -> dict[str, float]:
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return {"heap": metrics["JSHeapUsedSize"], "nodes": metrics["Nodes"]}

    page.evaluate("window.loadedOnce = true")
    texts = {number: CARDS.replace("hp: 0", f"hp: {number % 7}") for number in range(EDITS + 10)}

    def save(numbers: range) -> None:
        for number in numbers:
            (folder / "cards.yaml").write_text(texts[number], encoding="utf-8")
            running.board(partial(has_hp, number % 7))

    def has_hp(number: int, told: dict[str, Any]) -> bool:
        return f"HP {number}" in told["cards"]["s1/wolf"]["says"]

    save(range(1, EDITS // 3))
    before, memory, threads = (
        counted(),
        resident(running),
        len(list(Path(f"/proc/{running.process.pid}/task").iterdir())),
    )
    save(range(EDITS // 3, EDITS + 1))
    until(page, lambda: f"HP {EDITS % 7}" in str(page.get_attribute("#large", "alt")))
    after = counted()
    assert page.evaluate("window.loadedOnce")
    assert after["nodes"] <= before["nodes"] * 1.2 + 200, (before, after)
    assert after["heap"] <= before["heap"] * 1.3 + 1_000_000, (before, after)
    assert resident(running) <= memory + 20_000, "KiB of the server"
    assert len(list(Path(f"/proc/{running.process.pid}/task").iterdir())) <= threads + 2


def resident(running: Previewed) -> int:
    """Return the memory of the server in KiB."""
    status = Path(f"/proc/{running.process.pid}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0])

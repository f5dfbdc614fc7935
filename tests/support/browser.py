"""A browser without a window, for tests of pages: Debian's Chromium, driven by playwright.

There is one for each module of tests: `from tests.support.browser import browser` gives the fixture.

Tests that ask for it are skipped, with the reason, where there is no Chromium or no playwright.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

Scheme = Literal["light", "dark"]

CHROMIUM = "/usr/bin/chromium"
_PATIENCE = 120_000  # ms, on a machine that has much else to do


def chromium() -> str:
    """Return the program; "" if there is none."""
    named = os.environ.get("CHROMIUM", CHROMIUM)
    return named if os.access(named, os.X_OK) else shutil.which("chromium") or shutil.which("chromium-browser") or ""


# Not for the session: as long as playwright is at work, no other test of the same process can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give the browser for the tests of a module."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = chromium()
    if not program:
        pytest.skip("there is no Chromium: install the package `chromium`")
    with started(playwright, program) as found:
        yield found


@contextmanager
def started(playwright: object, program: str) -> Iterator[Browser]:
    """Start the browser; `playwright` is the module `playwright.sync_api`."""
    with playwright.sync_playwright() as driver:  # type: ignore[attr-defined]
        # As root, Chromium starts without its sandbox only; the pages are our own.
        flags = ["--no-sandbox", "--disable-gpu"]
        found = driver.chromium.launch(executable_path=program, args=flags, timeout=_PATIENCE)
        try:
            yield found
        finally:
            found.close()


@contextmanager
def opened(
    browser: Browser, address: str, *, width: int = 1400, height: int = 900, scheme: Scheme = "light"
) -> Iterator[Page]:
    """Open an address, where nothing is kept of other pages; an error of its scripts fails the test.

    There is one window for all: another one is another process, and takes more than a second.
    """
    size: ViewportSize = {"width": width, "height": height}
    context = next(iter(browser.contexts), None) or browser.new_context()
    context.set_default_timeout(_PATIENCE)
    page = next(iter(context.pages), None) or context.new_page()
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    complaints: list[str] = []
    heard: dict[str, Callable[[Any], None]] = {
        "pageerror": lambda error: complaints.append(str(error)),
        "console": lambda said: complaints.append(said.text) if said.type == "error" else None,
    }
    for event, hear in heard.items():
        page.on(event, hear)  # type: ignore[call-overload]
    page.goto(address)
    try:
        yield page
        assert not complaints, complaints
    finally:
        for event, hear in heard.items():
            page.remove_listener(event, hear)
        page.evaluate("localStorage.clear()")
        context.clear_cookies()


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong for people with disabilities, a line for each; skipped where it is missing.

    It reads no style sheets anew: those beside a page in a folder, the browser would not give it.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page, options={"preload": False, "resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {each['help']}: {node['html'][:120]}" for each in found for node in each["nodes"]]

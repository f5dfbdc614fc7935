"""From saving a card to its new picture on a screen: `kotc preview` in a browser without a window."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from measure import ROOT
from report import Figure, Row
from workload import Bench

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SAVES = 40  # of each set, after some that do not count
_UNCOUNTED = 5
_MOST = {40: 250, 1000: 400}  # ms, for 95 of 100 saves
_PAUSE = 0.4  # seconds between two saves: somebody types in between
_BROWSER = "/usr/bin/chromium"

# Resolves with the time at which the large picture is another one, decoded and painted.
_SHOWN = """face => new Promise((done, failed) => {
  setTimeout(() => failed("no new picture came"), 30000);
  const large = document.getElementById("large");
  const look = async () => {
    if (large.dataset.shown === face || !large.dataset.shown) return requestAnimationFrame(look);
    await large.decode();
    requestAnimationFrame(() => done(Date.now() / 1000));
  };
  look();
})"""


def measured(bench: Bench) -> Iterator[Row]:
    """Yield how long a new picture takes in a set of 40 cards and in one of 1000."""
    for count, most in _MOST.items():
        times = sorted(_times(bench.cards(count, level="auto"), max(20, _SAVES * bench.runs // 5)))
        late = times[max(0, -(-95 * len(times) // 100) - 1)]
        half = times[len(times) // 2]
        yield Row(
            f"preview of {count} cards: from saving one to its picture on the screen",
            (Figure(late * 1000, "ms", "for 95 of 100 saves", most), Figure(half * 1000, "ms", "for half of them")),
        )


def _times(folder: Path, saves: int) -> list[float]:
    """Return the seconds that each save took; cards all over the file are saved."""
    file = folder / "cards.yaml"
    text = file.read_text(encoding="utf-8")
    try:
        with _page(folder) as page:
            found = []
            for number in range(saves + _UNCOUNTED):
                changed = _edited(text, number)
                face = page.evaluate("document.getElementById('large').dataset.shown")
                page.evaluate(f"window.shown = ({_SHOWN})({face!r}); 0")
                began = time.time()
                file.write_text(changed, encoding="utf-8")
                found.append(page.evaluate("window.shown") - began)
                text = changed
                time.sleep(_PAUSE)
    finally:
        file.write_text(text, encoding="utf-8")
    return found[_UNCOUNTED:]


def _edited(text: str, number: int) -> str:
    """Return the text with another HP of one of its cards."""
    places = [*re.finditer(r"\n  hp: (\d+)", text)]
    start, end = places[number * 7 % len(places)].span(1)
    return text[:start] + ("4" if text[start:end] == "3" else "3") + text[end:]


@contextmanager
def _page(folder: Path) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "render", "preview", "--no-open", str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        address = process.stdout.readline().split()[-1]
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=_BROWSER, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.goto(address)
            page.wait_for_selector("#status[data-state=good]", timeout=120_000)
            page.wait_for_selector("#large[data-shown]")
            yield page
            browser.close()
    finally:
        process.kill()
        process.wait()

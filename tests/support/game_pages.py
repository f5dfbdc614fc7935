"""The game's own pages, when they lie beside the repository, by edition."""

from pathlib import Path

import pytest

from tests.support.repository import ROOT

RULEBOOKS = ROOT.parent / "shared" / "rulebooks"
EDITIONS = range(9, 18)

with_pages = pytest.mark.skipif(not RULEBOOKS.is_dir(), reason=f"the game's own pages are not in {RULEBOOKS}")


def pages_of(number: int) -> list[Path]:
    """Return the rulebook and the guide of an edition."""
    if number <= 10:
        return [RULEBOOKS / f"rulebook-{number:02}.txt", RULEBOOKS / f"cardbuilding-{number}.fodt"]
    return [RULEBOOKS / f"rulebook-{number}.html", RULEBOOKS / f"cardbuilding-{number}.html"]

"""What changed since a revision of git is what changed since the build of it, and what looks otherwise; run by hand.

`python tests/benchmarks/prove.py fuzzed_revisions 0 10` tries ten rows of edits of a game with two faces, tables and a deck.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from proofs.fuzzed_cards import empty_caches
from proofs.fuzzed_tides import begin_tides, edit_tides
from render.game.sources import load_sets
from tests.support.builds import tree
from tests.support.sets import kotc

_NOBODY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"} | {
    f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}
_NOTHING = "no card changed: nothing to print"


def _git(home: Path, *words: str) -> str:
    run = subprocess.run(
        ["git", *words], cwd=home, check=True, capture_output=True, text=True, env={**os.environ, **_NOBODY}
    )
    return run.stdout.strip()


def _looks(home: Path, out: str) -> Mapping[str, object] | None:
    """Build afresh, and return what each card with copies looks like, and how many there are; None if it is refused."""
    shutil.rmtree(home / out, ignore_errors=True)
    empty_caches()
    if kotc("build", "tides", "--out", out, "--workers", "1").exit_code:
        return None
    files = tree(home / out / "tides" / "png")
    (card_set,) = load_sets([home / "tides"])
    folders = [home / "tides/templates", home / "game/templates"]
    backs = {
        card.back: next((file.read_text() for folder in folders if (file := folder / f"{card.back}.svg").exists()), "")
        for card in card_set.cards
    }
    return {
        card.id: (files[f"{card.id}.png"], files.get(f"{card.id}.back.png", backs[card.back]), card.copies)
        for card in card_set.cards
        if card.copies
    }


def _since(what: str, out: str) -> str:
    """Return what a build says of the changes since then."""
    result = kotc("build", "tides", "--out", out, "--workers", "1", "--changed-since", what)
    said = result.output.splitlines()[-1] if result.output else ""
    return said.removeprefix(f"since {what}: ").replace(f"{out}/", "")


def differences(seed: int, home: Path, rounds: int = 4) -> Iterator[str]:
    """Yield what is said otherwise of changes since a revision."""
    chance, done = Random(seed), list[str]()
    begin_tides(home)
    (home / ".gitignore").write_text("/out\n/then\n/now\n/fresh\n/.kept\n")
    _git(home, "init", "-q", "--template=")
    for _ in range(rounds):
        _git(home, "add", "-A")
        _git(home, "commit", "-q", "--allow-empty", "-m", "then")
        then = _looks(home, "then")
        done += [edit_tides(home, chance) for _ in range(chance.randrange(4))]
        now = _looks(home, "now")
        if then is not None and now is not None:
            yield from (f"{done}: {found}" for found in _differ(home, is_same=then == now))


def _differ(home: Path, *, is_same: bool) -> Iterator[str]:
    revision = _git(home, "rev-parse", "HEAD")
    by_git = _since(revision, "out")
    again = _since(revision, "out")
    shutil.rmtree(home / "fresh", ignore_errors=True)
    empty_caches()
    fresh = _since(revision, "fresh")
    by_file = _since("then/tides/.kotc.json", "now")
    if not by_git == again == fresh == by_file:
        yield f"\n  {by_git}\n  {again}\n  {fresh}\n  {by_file}"
    # At another resolution all pictures are other ones, though no card is.
    same_size = "dpi: 72" in (home / "tides/set.yaml").read_text() and "dpi: 72" in _git(
        home, "show", "HEAD:tides/set.yaml"
    )
    if same_size and (by_git == _NOTHING) is not is_same:
        yield f"{'all looks the same' if is_same else 'something looks otherwise'}: {by_git}"
    one, other = (tree(home / out / "tides") for out in ("out", "fresh"))
    wrong = [name for name in sorted({*one, *other} - {".kotc.json"}) if one.get(name) != other.get(name)]
    if wrong:
        yield f"files {wrong}"


def main(first: int, last: int) -> int:
    """Try seeds, and return how many differences they have."""
    told = 0
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as home:
            os.chdir(home)
            for found in differences(seed, Path(home)):
                told += 1
                print(f"seed {seed}: {found}", flush=True)
    print(f"{last - first} rows of edits, {told} differences")
    return told


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)

"""Names become names of files: safe on every system, free, and none that means something in the folder of a set."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from unicodedata import normalize

from render.game import ids
from render.game.folder import GAME_FILE, SET_FILE

_MEANT = frozenset({SET_FILE, GAME_FILE, "cards.yaml", "deck.yaml"})
"""Files of a set that mean more than one card: what it is, its game, the cards of `kotc new`, its deck."""

_LONGEST = 150  # bytes: systems take 255, and temporary files have longer names
_FORBIDDEN = frozenset('<>:"/\\|?*')  # by Windows, beside what cannot be printed


def folded(name: str) -> str:
    """Return a name as systems compare it that tell neither case nor the way of writing accents apart."""
    return normalize("NFC", name).casefold()


def is_portable(name: str) -> bool:
    """Return whether a file can have the name on every system, and is not hidden or an option of a command."""
    stem = normalize("NFKC", name).partition(".")[0]
    marked = name.startswith((".", "-", "~")) or name.endswith(".") or not _FORBIDDEN.isdisjoint(name)
    if not name.isprintable() or marked or name != name.strip() or stem != stem.rstrip():
        return False
    return 0 < len(name.encode()) <= _LONGEST and stem.lower() not in ids.DEVICES


def is_for_cards(name: str) -> bool:
    """Return whether cards may be written into a file of the name: it is not that of a set or a game, in any case."""
    return folded(name) not in (SET_FILE, GAME_FILE)


def free_name(wanted: str, ending: str = "", taken: Iterable[str] = (), instead: str = "card") -> str:
    """Return the name for a file with an ending, such as `.yaml`: the wanted one, numbered if it is taken.

    Where that is not portable, its slug is wanted, or `instead` if it has none; where it means more, it is told apart,
    as `set-card.yaml` is from `set.yaml`. `taken` are names with their endings.
    """
    stem = wanted if is_portable(f"{wanted}{ending}") else ids.slug(wanted)
    stem = stem if is_portable(f"{stem}{ending}") else instead
    stem = f"{stem}-card" if folded(f"{stem}{ending}") in _MEANT else stem
    used = set(map(folded, taken))
    names = (f"{f'{stem[: ids.LONGEST - 5]}-{number}' if number > 1 else stem}{ending}" for number in count(1))
    return next(name for name in names if folded(name) not in used)


def free_file(folder: Path, wanted: str, ending: str, taken: Iterable[str] = ()) -> Path:
    """Return a file of a `free_name` of which there is none in the folder, which need not exist."""
    there = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return folder / free_name(wanted, ending, (*there, *taken))

"""Ids of cards. They name the output files, so they must be safe on every file system."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from render.base.findings import Diagnostic, Span, quoted
from render.base.patterns import regex
from render.source.nodes import Document, Node

LONGEST = 64

PATTERN = rf"[a-z0-9][a-z0-9_-]{{0,{LONGEST - 1}}}"
_ID = regex(PATTERN)
_APOSTROPHES = regex("['’‘ʼ]")
_OTHER = regex("[^a-z0-9]+")
# Latin letters whose accents do not come off by decomposition.
_SPELT = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "þ": "th", "ð": "d", "đ": "d", "ł": "l", "ı": "i"})
# Windows reserves these names for devices, with any ending.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


class Claim(Struct, frozen=True):
    """An id that a card claims, as written, and the node that says so: the card's `id`, or its name."""

    id: str
    document: Document
    node: Node

    @property
    def span(self) -> Span:
        """The place of the id or name."""
        return self.document.span(self.node)


def is_id(text: str) -> bool:
    """Return whether the text can be an id: 1 to 64 of a-z, 0-9, - and _, and no name that Windows reserves."""
    return _ID.fullmatch(text) is not None and text not in _RESERVED


def is_reserved(text: str) -> bool:
    """Return whether Windows reserves the name for a device."""
    return text in _RESERVED


def slug(name: str) -> str:
    """Return the name in lower case without accents and apostrophes, with `-` for all else; it may be empty."""
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKD", name))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return _OTHER.sub("-", letters.lower().translate(_SPELT)).strip("-")[:LONGEST].rstrip("-")


def collisions(claims: Iterable[Claim]) -> Iterator[Diagnostic]:
    """Yield a finding for every id that another card of the set already has, ignoring case.

    Files that hold the same cards are told once.
    """
    first: dict[str, Claim] = {}
    taken: list[tuple[Claim, Claim]] = []
    claimed = [*claims]
    for claim in claimed:
        # Windows and macOS take files whose names differ only in case for one.
        other = first.setdefault(claim.id.casefold(), claim)
        taken += [(other, claim)] if other is not claim else []
    whole = _same_files(claimed, taken) if taken else {}
    yield from whole.values()
    for other, claim in taken:
        if (other.document.file, claim.document.file) in whole:
            continue
        if other.id == claim.id:
            message = f"two cards have the id {quoted(claim.id)}, the first at {other.span}"
            hint = (
                "if they are the same card, keep one, and write `copies: 2`; if not, give one of the two another `id`"
            )
        else:
            both = f"{quoted(claim.id)} and {quoted(other.id)}"
            message = f"the ids {both} differ only in case, the first is at {other.span}"
            hint = "give one of the two another `id`"
        yield Diagnostic("C013", message, hint).at(claim.span, claim.id, "id")


MIN_SHARED = 2  # cards that two files have in common, at least half of one of them: then they hold the same cards
MAX_LISTED = 3  # ids that such a finding names


def _same_files(claims: list[Claim], taken: list[tuple[Claim, Claim]]) -> dict[tuple[Path, Path], Diagnostic]:
    """Return a finding for each two files that hold the same cards, as after an export beside the cards."""
    sizes = Counter(claim.document.file for claim in claims)
    shared: dict[tuple[Path, Path], list[Claim]] = {}
    for other, claim in taken:
        if other.document.file != claim.document.file:
            shared.setdefault((other.document.file, claim.document.file), []).append(claim)
    found: dict[tuple[Path, Path], Diagnostic] = {}
    hint = "remove one of the two files, or move it out of the set: after `kotc export`, a set needs only one"
    for (file, second), same in shared.items():
        if len(same) >= MIN_SHARED and 2 * len(same) >= min(sizes[file], sizes[second]):
            more = f" and {len(same) - MAX_LISTED} more" if len(same) > MAX_LISTED else ""
            what = ", ".join(quoted(claim.id) for claim in same[:MAX_LISTED])
            message = f"`{file}` and `{second}` hold the same {len(same)} cards: {what}{more}"
            found[file, second] = Diagnostic("C013", message, hint).at(same[0].span, same[0].id, "id")
    return found

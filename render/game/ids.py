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

_LONGEST_BYTES = 150  # systems take 255 for the name of a file, and temporary files have longer names

# Of letters beyond ASCII, patterns of Python and JavaScript know no small ones in the same way.
PATTERN = (
    r"[^\u0000-\u002f\u003a-\u0060\u007b-\u00a9]"
    rf"[^\u0000-\u002c\u002e\u002f\u003a-\u005e\u0060\u007b-\u00a9]{{0,{LONGEST - 1}}}"
)
_ID = regex(rf"[a-z0-9][a-z0-9_-]{{0,{LONGEST - 1}}}")
_APOSTROPHES = regex("['’‘ʼ]")
_OTHER = regex("[^a-z0-9]+")
# Latin letters whose accents do not come off by decomposition.
_SPELT = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "þ": "th", "ð": "d", "đ": "d", "ł": "l", "ı": "i"})
DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
"""The names that Windows reserves for devices, with any ending."""


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
    """Return whether the text can be an id: 1 to 64 small letters of any script, digits, - and _, of at most 150 bytes,
    and no name that Windows reserves."""
    if _ID.fullmatch(text):
        return text not in DEVICES
    fits = 0 < len(text) <= LONGEST and text[0] not in "-_" and len(text.encode("utf-8", "replace")) <= _LONGEST_BYTES
    return fits and all(char in "-_" or _is_letter(char) for char in text) and text == _as_systems_have_it(text)


def _is_letter(char: str) -> bool:
    """Return whether a character is a letter, a mark at one, or a digit."""
    return unicodedata.category(char)[0] in "LMN"


def _as_systems_have_it(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).lower())


def why_reserved(name: str, what: str = "file") -> str:
    """Return why no file, or `what` it is, can have a name that Windows keeps for a device; "" for any other name."""
    return f"Windows keeps the name `{name}` for a device, and no {what} can have it" if name in DEVICES else ""


def slug(name: str) -> str:
    """Return the name in small letters with `-` for all that is no letter and no digit; it may be empty.

    Accents and apostrophes are left out. If it has no letters of the Latin alphabet, those of its own stay as they are.
    """
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKD", name))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    latin = _OTHER.sub("-", letters.lower().translate(_SPELT)).strip("-")[:LONGEST].rstrip("-")
    if name.isascii() or any("a" <= char <= "z" for char in latin) or not any(map(str.isalpha, name)):
        return latin
    own = "".join(char if _is_letter(char) else " " for char in _as_systems_have_it(name))
    own = "-".join(own.split())[:LONGEST].encode()[:_LONGEST_BYTES].decode("utf-8", "ignore").rstrip("-")
    return own if is_id(own) else latin


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

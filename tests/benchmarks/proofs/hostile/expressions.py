"""Expressions of a game from anywhere: constants that no machine can hold, and random ones, wherever one may stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from proofs.hostile.bounds import Case
from proofs.hostile.templates import Maker
from tests.support.templates import PLAIN_BACK, svg

BOMBS = (
    "'a' * 10**10", "'%999999999d' % 1", "9**99999999", "1e999", "-1e400", "[0] * 10**10", "(1, 2) * 10**9",
    "'ab' * 10**9 ~ 'c'", "'%s' * 10**9 % 1", "10**10**10", "-(9**99999999)", "'a'.center(10**10)", "2.0**99999",
    "('a' * 10**10)[0]", "'a' * 10**10 == 'b'", "1 if 'a' * 10**10 else 2", "not 9**99999999", "'a' * (9**9**9 % 7)",
    "{1: 'a' * 10**10}[1]", "'a' * 10**10 in 'b'", "range(10**9) | list", "9" * 1900,
)  # fmt: skip
PLACES = (
    "fields: {x: {value: %s}}", "kinds: {note: {check: [{that: %s, message: No}]}}", "id: %s",
    "kinds: {note: {check: [{that: false, message: %s}]}}",
)  # fmt: skip
COMMANDS = (("check", "s"), ("png", "s", "--out", "p"))


def cases(seed: int) -> Iterator[Case]:
    """Yield games without end, each with an expression at one of the places where one may stand."""
    for number in count(seed * 1_000_003):
        maker = Maker(number)
        source = maker.pick(BOMBS) if number % 2 else maker.value()
        place = maker.pick(PLACES)
        yield Case(f"{place % source} {number}", _writer(place, source), COMMANDS)


def _writer(place: str, source: str) -> Callable[[Path], None]:
    written = source if "value" in place or "that: %s" in place else f"{{{{ {source} }}}}"
    quoted = "'" + written.replace("'", "''") + "'"

    def write(folder: Path) -> None:
        (folder / "s" / "templates").mkdir(parents=True)
        kinds = "" if place.startswith("kinds") else "kinds: {note: {}}\n"
        for file, text in {
            "game.yaml": f"name: G\n{kinds}{place % quoted}\n",
            "set.yaml": "name: S\n",
            "cards.yaml": "- {name: Note, kind: note}\n- {name: Other, kind: note}\n",
            "templates/back.svg": PLAIN_BACK,
            "templates/note.svg": svg("<text x='5' y='9'>{{ card.x | default(card.name) }}</text>"),
        }.items():
            (folder / "s" / file).write_text(text, encoding="utf-8")

    return write

"""Why the rules of an edition may not tell the truth about cards, or nothing at all of their levels.

An import did not understand all of its pages, or they lack what the edition before has: levels, or all prices of a
kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from render.base.findings import Diagnostic, Refused, Severity, listed
from render.games.kotc.editions.finding import find, known
from render.games.kotc.editions.reading import NEEDED_LEVELS, ROLES
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Edition, Role, UnknownWords

# The parts of a data file on which every card depends; words of components are told card by card.
_DECISIVE = ("terms", "clean_slate", "deck", "levels", "reworded", "redacted", "revised_levels", "revised_ultra_points")
_MAX_NAMED = 3  # named in one message


def doubts(edition: Edition, set_folder: Path) -> Iterator[Diagnostic]:
    """Yield warnings: of rules that were not understood, and of those that the edition before has and this one lacks."""
    name = f"the {ordinal(edition.number)} Edition"
    decisive = [each for each in edition.unknown if each.section in _DECISIVE]
    unread, of_new_kinds = [[each for each in decisive if bool(each.kind) is new] for new in (False, True)]
    if unread:
        message = f"cards of {name} are judged with doubt: its import did not understand all rules"
        hint = f"see `unknown` in its file, {_where_they_stand(unread)}: write it where it belongs"
        yield Diagnostic("K012", message, hint, severity=Severity.WARNING)
    if of_new_kinds:
        kinds = listed([*dict.fromkeys(kind for each in of_new_kinds for kind in each.kind.split(", "))], "and")
        message = f"{name} has cards of a kind that is not known, {kinds}: only others are judged"
        hint = f"see `unknown` in its file, {_where_they_stand(of_new_kinds)}"
        yield Diagnostic("K012", message, hint, severity=Severity.WARNING)
    before = _edition_before(edition, set_folder)
    lost = [key for key in _prices(before) if key not in _prices(edition)] if before else []
    if edition.levels is None:
        lost = [*dict.fromkeys(key.partition(".")[0] for key in lost)]
    if before and lost:
        message = f"the rules of {name} have no {listed(lost, 'and')}, which those of the {ordinal(before.number)} have"
        hint = "write into its file what the pages say of it: until then, levels that need it are not judged"
        yield Diagnostic("K012", message, hint, severity=Severity.WARNING)


def _edition_before(edition: Edition, set_folder: Path) -> Edition | None:
    numbers = [number for number, _ in known(set_folder) if number < edition.number]
    with suppress(Refused):  # mistakes in the rules of another edition are told where its cards are judged
        return find(numbers[-1], set_folder) if numbers else None
    return None


def _prices(edition: Edition) -> list[str]:
    """Return the keys of the data file from which levels follow, as far as the edition has them."""
    levels = edition.levels
    keys = [f"levels.{key}" for key in NEEDED_LEVELS if key not in levels.missing] if levels else []
    roles = {each.role for each in edition.components} - {Role.CAVEAT}  # of which there are none since the 12th
    return keys + [key for key, (role, _) in ROLES.items() if role in roles]


def _where_they_stand(unread: Sequence[UnknownWords]) -> str:
    """Return `line 7 of the page for `redacted``, and so on, for a message."""
    places = [*dict.fromkeys(f"line {each.line} of the page for `{each.section}`" for each in unread)]
    shown = ", ".join(places[:_MAX_NAMED])
    return f"{shown} and {len(places) - _MAX_NAMED} more" if len(places) > _MAX_NAMED else shown

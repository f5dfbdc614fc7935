"""What an import of an edition did not understand and may decide whether cards may be played, or their levels."""

from __future__ import annotations

from collections.abc import Sequence

from render.base.findings import Problem, Severity
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Edition, UnknownWords

# The parts of a data file on which every card depends; words of components are told card by card.
_DECISIVE = ("terms", "clean_slate", "deck", "levels", "reworded", "redacted", "revised_levels", "revised_ultra_points")
_MAX_NAMED = 3  # named in one message


def decisive(edition: Edition) -> list[UnknownWords]:
    """Return the words of the pages that were not understood and may concern every card."""
    return [each for each in edition.unknown if each.section in _DECISIVE]


def doubt(number: int, unread: Sequence[UnknownWords]) -> Problem:
    """Return the warning that cards are judged by rules of which not all were understood."""
    message = f"cards of the {ordinal(number)} Edition are judged with doubt: its import did not understand all rules"
    hint = f"see `unknown` in its file, {where_they_stand(unread)}: write it where it belongs"
    return Problem("K012", message, hint, severity=Severity.WARNING)


def where_they_stand(unread: Sequence[UnknownWords]) -> str:
    """Return `line 7 of the page for `redacted``, and so on, for a message."""
    listed = ", ".join(f"line {each.line} of the page for `{each.section}`" for each in unread[:_MAX_NAMED])
    return f"{listed} and {len(unread) - _MAX_NAMED} more" if len(unread) > _MAX_NAMED else listed

"""`--changed-since`: what a build is compared with, as a flag, and the result in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural

if TYPE_CHECKING:
    from render.game.folder import SetFiles
    from render.incremental.compare.diff import Baseline, ChangedCards, Compared
    from render.incremental.session import Target

_MAX_NAMED = 10  # cards, unless all should be listed
_MAX_FILES = 2  # fronts and backs

CHANGED_SINCE = click.option(
    "--changed-since",
    "since",
    metavar="FILE|GIT-REV",
    help="Also make changed.pdf: sheets of only the cards whose picture changed since FILE, the .kotc.json of an "
    "earlier build, or since a revision of git.",
)

SINCE_PRINT = click.option(
    "--since-print",
    is_flag=True,
    help="Also make changed.pdf: sheets of only the cards whose picture changed since --mark-printed.",
)
MARK_PRINTED = click.option(
    "--mark-printed", is_flag=True, help="Note that the sheets are printed as they are; build nothing."
)


def baselines_of_print(targets: Sequence[Target]) -> dict[Path, Baseline]:
    """Return what was printed last of each set, by its origin; wrong usage if nothing is marked. Refused, OSError."""
    from render.incremental.compare.baseline import UnusableError
    from render.incremental.compare.printed import since_print

    try:
        return since_print({each.files.origin: each.folder for each in targets})
    except UnusableError as error:
        raise click.BadParameter(str(error), param_hint="--since-print") from None


def baselines(since: str | None, sets: Sequence[SetFiles]) -> dict[Path, Baseline]:
    """Return what to compare each set with, by its folder; {} if the flag is not given. Refused, OSError."""
    if since is None:
        return {}
    from render.incremental.compare.baseline import UnusableError, find_baselines

    try:
        return find_baselines(since, sets)
    except UnusableError as error:
        raise click.BadParameter(str(error), param_hint="--changed-since") from None


def describe_since(
    since: str, compared: Compared, folder: Path, *, complete: bool = False, would_be: bool = False
) -> str:
    """Return what changed and what of it is printed; lists of names are shortened unless `complete`."""
    found = list(_differences(compared.changes, complete))
    copies = sum(number for _, number in compared.changes.copies)
    differences = f"since {since}: {', '.join(found) or 'no card changed'}"
    # Cards may have changed all the same: those with fewer copies, or gone, leave nothing to print.
    if not copies:
        return f"{differences}: nothing to print"
    printed = f"{plural(copies, 'copy', 'copies')} on {plural(compared.sheets, 'sheet')}"
    would = " would be" if would_be else ""
    return f"{differences}: {printed}{would} in {_files(compared.files, folder)}"


def _differences(changes: ChangedCards, complete: bool) -> Iterator[str]:
    """Yield `3 cards changed (thor, odin, loki)`, `1 added (freya)` and so on."""
    kinds = {
        "changed": changes.changed,
        "added": changes.added,
        "removed": changes.removed,
        "renamed": [f"{old} is now {new}" for old, new in changes.renamed],
        "with more copies": [f"{name}: {number} more" for name, number in changes.more],
        "with fewer copies": [f"{name}: {number} fewer" for name, number in changes.fewer],
    }
    first = True
    for kind, names in kinds.items():
        if names:
            number = plural(len(names), "card") if first else str(len(names))
            yield f"{number} {kind} ({', '.join(names if complete else _few(names))})"
            first = False


def _few(names: Sequence[str]) -> list[str]:
    more = len(names) - _MAX_NAMED
    return [*names[:_MAX_NAMED], f"and {more} more"] if more > 0 else [*names]


def _files(names: Sequence[str], folder: Path) -> str:
    """Return where the copies are: one file, two of fronts and backs, or many parts."""
    if len(names) > _MAX_FILES:
        return f"{len(names)} files, {folder / names[0]} to {names[-1]}"
    return " and ".join(str(folder / name) for name in names)

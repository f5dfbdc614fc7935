"""The command `effects`: what may be written on a card, with prices."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.cli.command import kotc_command
from render.cli.console import TEXT_OR_JSON, say, tell, tell_json
from render.cli.streams import room_of

if TYPE_CHECKING:
    from render.games.kotc.lexicon.listing import Listing

_KINDS = ("caveat", "condition", "cost", "target", "effect")


@kotc_command(examples=("kotc effects draw card", "kotc effects --kind condition --edition 17"))
@click.argument("words", nargs=-1)
@click.option(
    "--edition",
    "number",
    type=click.IntRange(1, 999),
    help="Edition of the rules.  [default: that of the set in this folder, else the newest]",
)
@click.option("--language", default="en", show_default=True, help="Language of the words, such as de or fr.")
@click.option("--kind", "kinds", type=click.Choice(_KINDS), multiple=True, help="Only this kind; can be repeated.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="HTML page with the same, to search in.")
@TEXT_OR_JSON
def effects(
    words: tuple[str, ...], number: int | None, language: str, kinds: tuple[str, ...], page: Path | None, style: str
) -> None:
    """List what may be written on a card, with its price.

    Shown are the conditions, costs, targets and effects that have all WORDS, in any form; without WORDS all. Words of
    other games find what this one calls the same, as in `kotc effects kill`.
    """
    from render.base.files import replace_file
    from render.games.kotc.lexicon import listing

    chosen, nearest = _chosen(" ".join(words), number, language, kinds)
    if page:
        replace_file(page, listing.as_page(chosen).encode("utf-8", "backslashreplace"))
    if style == "json":
        tell_json(listing.as_json(chosen))
    elif chosen.entries and not page:
        tell(listing.as_table(chosen, room_of(sys.stdout)))
    say(_summary(chosen, " ".join(words), kinds, nearest) + (f" in {page}" if page else ""))


def _chosen(query: str, number: int | None, language: str, kinds: tuple[str, ...]) -> tuple[Listing, tuple[str, ...]]:
    """Return what was asked for, and the nearest words if nothing was found."""
    from render.games.kotc.editions.finding import find, known
    from render.games.kotc.languages.finding import find_words
    from render.games.kotc.lexicon.entries import edition_of_folder, entries
    from render.games.kotc.lexicon.listing import Listing
    from render.games.kotc.lexicon.searching import search_texts

    here = Path()
    edition = find(number or edition_of_folder(here) or known()[-1][0], here)
    found = entries(edition, find_words(edition, language, here) if language != "en" else None)
    found = [each for each in found if not kinds or each.component.role.value in kinds]
    result = search_texts(query, [f"{each.words} {each.english}" for each in found])
    return Listing(edition, language, tuple(found[at] for at in result.found)), result.nearest


def _summary(chosen: Listing, query: str, kinds: tuple[str, ...], nearest: tuple[str, ...]) -> str:
    from render.base.findings import listed, quoted
    from render.games.kotc.lexicon.listing import title
    from render.games.kotc.model.cards import ordinal

    if chosen.entries:
        return title(chosen)
    name = f"the {ordinal(chosen.edition.number)} Edition"
    if not query.strip():
        return f"{name} has no {' and no '.join(f'{kind}s' for kind in kinds)}"
    said = f"no {listed(kinds) if kinds else 'component'} of {name} has {quoted(query)}"
    if nearest:
        return f"{said}; the nearest words are {listed(nearest, 'and')}"
    return f"{said}; try fewer words, or `kotc effects` for all"

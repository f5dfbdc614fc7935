"""The command `suggest`: cards of a wish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.console import reporting, say, tell, tell_json

if TYPE_CHECKING:
    from render.games.kotc.model.edition import Edition
    from render.games.kotc.suggestions.suggesting import Suggestions
    from render.games.kotc.suggestions.wish import Wish

_NUMBER = click.IntRange(0, 9999)


@click.command()
@click.option("--edition", "number", type=click.IntRange(1, 999), help="Edition of the cards.  [default: the newest]")
@click.option("--kind", type=click.Choice(["spell", "minion", "creature"]), default="spell", show_default=True)
@click.option("--level", type=click.IntRange(0, 999), required=True, help="Level of the cards, or cost.")
@click.option("--sp", type=_NUMBER, help="SP or offense of a minion.  [default: any]")
@click.option("--hp", type=_NUMBER, help="HP or defense of a minion.  [default: any]")
@click.option("--ultra-points", type=_NUMBER, help="Ultra Points at most.  [default: any]")
@click.option("--with", "words", multiple=True, metavar="WORDS", help="Words that must occur; can be repeated.")
@click.option("--without", "unwanted", multiple=True, metavar="WORDS", help="Words that must not; can be repeated.")
@click.option("--condition/--no-condition", default=None, help="Whether abilities have an activation condition.")
@click.option(
    "--sub-abilities",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="Sub-abilities of an ability at most.",
)
@click.option(
    "--abilities", type=click.IntRange(0, 2), default=1, show_default=True, help="How many abilities a minion has."
)
@click.option("--count", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many cards.")
@click.option("--all-numbers", is_flag=True, help="Show components again with other numbers.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="text is YAML to paste into a card file, json for programs.",
)
@reporting
def suggest(number: int | None, kind: str, style: str, count: int, *, all_numbers: bool, **wished: object) -> None:
    """Suggest legal cards of a wish, those with the shortest text first.

    WORDS are looked for in each component of a card, in any case, in the singular or plural: `--with draw`, `--with "2
    cards"`. All numbers from 1 to 999 are tried, and up to 3 activation costs and 3 effects.
    """
    from render.games.kotc.suggestions import suggesting
    from render.games.kotc.suggestions.wish import Wish

    edition = _edition(number, kind)
    if kind == "spell" and (wished["sp"] is not None or wished["hp"] is not None):
        raise click.UsageError("a spell has no SP and no HP: leave out --sp and --hp, or ask for --kind minion")
    wish = Wish(is_spell=kind == "spell", **wished)  # type: ignore[arg-type] # of the types of the options
    if wish.is_spell and wish.abilities != 1:
        raise click.UsageError("a spell has one ability: leave out --abilities")
    _check_words(wish, edition)
    found = suggesting.suggest(wish, edition, count, all_numbers=all_numbers)
    if style == "json":
        tell_json(suggesting.as_json(found.cards))
    elif found.cards:
        tell(suggesting.as_yaml(found.cards))
    say(_summary(found, kind, wish, edition))


def _edition(number: int | None, kind: str) -> Edition:
    """Return the rules of the edition; a usage error if it lacks the kind or has no rules for levels."""
    from render.games.kotc.editions.finding import find, known
    from render.games.kotc.files.keys import is_old
    from render.games.kotc.model.cards import ordinal

    edition = find(number or known()[-1][0])
    name = f"the {ordinal(edition.number)} Edition"
    if kind != "spell" and is_old(edition.number) != (kind == "creature"):
        other = "minion" if kind == "creature" else "creature"
        raise click.BadParameter(f"{name} has no {kind}s: ask for `{other}`", param_hint="--kind")
    if edition.levels is None or not edition.components:
        raise click.BadParameter(f"the rules of {name} that are installed have no components", param_hint="--edition")
    return edition


def _check_words(wish: Wish, edition: Edition) -> None:
    """Raise a usage error for wished words that no component of the edition has."""
    from render.base.findings import did_you_mean, listed
    from render.games.kotc.levels.components import component_text
    from render.games.kotc.model.cards import ordinal
    from render.games.kotc.suggestions.suggesting import unknown_words

    unknown = unknown_words(wish.words, edition)
    if unknown:
        known = {word for each in edition.components for word in component_text(each).split()}
        hint = did_you_mean(unknown[0], known)
        message = f"no component of the {ordinal(edition.number)} Edition has {listed(unknown)}"
        raise click.BadParameter(f"{message}{f': {hint}' if hint else ''}", param_hint="--with")


def _summary(found: Suggestions, kind: str, wish: Wish, edition: Edition) -> str:
    from render.games.kotc.model.cards import ordinal

    name = f"of {edition.terms.level} {wish.level}, {ordinal(edition.number)} Edition"
    if not found.cards:
        gave_up = "" if found.is_all else " among the shortest; the search was given up, so wish for less"
        return f"there is no {kind} {name}, that is wished for{gave_up}"
    head = f"{plural(len(found.cards), kind)} {name}, the shortest text first"
    if found.repeating:
        head += "; nothing fits without components that are there twice or target selections that no effect needs"
    return head if found.is_all else f"{head}; the search was given up there"

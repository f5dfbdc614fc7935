"""The command `explain`: how a card's level and Ultra Points follow from its text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.cli.console import TEXT_OR_JSON, reporting, say, tell, tell_json
from render.cli.selection import or_here

if TYPE_CHECKING:
    from render.base.findings import Finding
    from render.games.kotc.levels.explain import Explained


@click.command()
@click.argument("words", nargs=-1, metavar="[CARD]... [PATH]...")
@TEXT_OR_JSON
@reporting
def explain(words: tuple[str, ...], style: str) -> None:
    """Show how a card's level and Ultra Points are calculated.

    CARD is the id of a card; the default is all cards of the sets. The numbers are shown for each part of the text.
    """
    from render.games.kotc.levels import explain

    # An id is a word of a-z, 0-9, - and _; anything else, or the name of something that exists, is a path.
    paths = tuple(Path(word) for word in words if not _is_card(word))
    ids = tuple(word for word in words if _is_card(word))
    explained = _explained(paths, ids)
    if style == "json":
        tell_json(explain.as_json(explained))
    else:
        tell(explain.as_text(explained))


def _is_card(word: str) -> bool:
    from render.game.ids import is_id

    return is_id(word) and not Path(word).exists()


def _explained(paths: tuple[Path, ...], ids: tuple[str, ...]) -> list[Explained]:
    """Return the cards named, or all, and print what is wrong with them; Refused if one cannot be read."""
    from render.base.findings import Refused, as_text, did_you_mean, has_errors, listed
    from render.games.kotc.levels.costing import without_levels
    from render.games.kotc.levels.explain import Explained
    from render.games.kotc.levels.rules import Rules, of_card
    from render.games.kotc.sets import survey

    sets, findings = survey(or_here(paths))
    known = {card.id for card_set in sets for card in card_set.cards}
    unknown = [wanted for wanted in ids if wanted not in known]
    if has_errors(findings) and (unknown or not ids):
        raise Refused(findings)
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise click.BadParameter(f"there is no card {listed(unknown)}{f': {hint}' if hint else ''}", param_hint="CARD")

    explained: list[Explained] = []
    doubtful: list[Finding] = []
    for card_set in sets:
        rules = Rules(card_set.folder)
        for card in card_set.cards:
            if not ids or card.id in ids:
                calculator = rules.of(card.edition, card.written_in) if card.edition else None
                derivation = calculator.derive(card) if calculator else None
                why_not = without_levels(card.edition, calculator) if card.edition else ""
                explained.append(Explained(card, derivation, why_not))
                doubtful += of_card(card, rules)
    if doubtful:
        say(as_text(doubtful))
    return explained

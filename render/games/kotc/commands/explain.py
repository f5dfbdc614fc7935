"""The command `explain`: how a card's level and Ultra Points follow from its text, and what an error code means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.cli.command import kotc_command
from render.cli.console import TEXT_OR_JSON, end_with_errors, say, say_findings, tell, tell_json
from render.cli.selection import check_paths, or_here
from render.cli.streams import room_of

if TYPE_CHECKING:
    from render.base.findings import Diagnostic
    from render.games.kotc.levels.explain import Explained


@kotc_command(examples=("kotc explain wharf-cat cards/starter", "kotc explain C007"))
@click.argument("words", nargs=-1, metavar="[CARD|CODE]... [PATH]...")
@TEXT_OR_JSON
def explain(words: tuple[str, ...], style: str) -> None:
    """Explain a card's level, or an error code.

    CARD is the id of a card; the default is all cards of the sets. How its level and Ultra Points are calculated is
    shown for each part of the text. CODE is that of an error or a warning, such as C007.
    """
    from render.games.kotc.levels import explain

    codes = _codes(words)
    if codes:
        _tell_codes(codes, style)
        return

    # An id is a word of a-z, 0-9, - and _; anything else, or the name of something that exists, is a path.
    paths = tuple(Path(word) for word in words if not _is_card(word))
    ids = tuple(word for word in words if _is_card(word))
    explained = _explained(paths, ids)
    if style == "json":
        tell_json(explain.as_json(explained))
    else:
        tell(explain.as_text(explained))


def _codes(words: tuple[str, ...]) -> list[str]:
    """Return the error codes that are meant; [] if cards are. A word in small letters may be the id of a card, too."""
    from render.cli.explanations import normal_code

    codes = [normal_code(word) for word in words if not Path(word).exists()]
    if not all(codes) or len(codes) < len(words):
        capital = [word for word in words if word[:1].isupper() and normal_code(word)]
        if capital and not Path(capital[0]).exists():
            raise click.UsageError(f"`{capital[0]}` is an error code: explain codes and cards one after the other")
        return []
    known = _ids_here() if any(word.islower() for word in words) else set()
    cards = [word for word in words if word in known]
    if cards:
        code = normal_code(cards[0])
        say(f"`{cards[0]}` is a card here; for the error code, type `kotc explain {code}`")
        return []
    return codes


def _ids_here() -> set[str]:
    """Return the ids of the cards that are meant where no path is given; none if there are no sets."""
    from render.games.kotc.sets import survey

    try:
        sets, _ = survey(or_here(()))
    except click.UsageError:  # there are no sets here
        return set()
    return {card.id for card_set in sets for card in card_set.cards}


def _tell_codes(codes: list[str], style: str) -> None:
    from render.base.findings import listed
    from render.cli.explanations import explained_as_json, explained_as_text
    from render.games.kotc.codes.lookup import explained, nearest_codes

    found = {code: explained(code) for code in codes}
    for code, each in found.items():
        if each is None:
            near = nearest_codes(code)
            hint = f"the nearest are {listed(near, 'and')}" if len(near) > 1 else f"did you mean `{near[0]}`?"
            raise click.BadParameter(f"there is no error code `{code}`: {hint}", param_hint="CODE")
    shown = [each for each in found.values() if each]
    if style == "json":
        tell_json(explained_as_json(shown))
    else:
        tell(explained_as_text(shown, room_of(sys.stdout)))


def _is_card(word: str) -> bool:
    from render.game.ids import is_id

    return is_id(word) and not Path(word).exists()


def _explained(paths: tuple[Path, ...], ids: tuple[str, ...]) -> list[Explained]:
    """Return the cards named, or all that could be read, and print what is wrong; Refused if there is nothing to show."""
    from render.base.findings import Refused, did_you_mean, has_errors, listed, sort_findings
    from render.game.sets.checking import with_flawed
    from render.games.kotc.levels.costing import without_levels
    from render.games.kotc.levels.explain import Explained
    from render.games.kotc.levels.rules import Rules, of_card
    from render.games.kotc.sets import survey

    sets, findings = survey(check_paths(paths))
    # A card whose mistake has nothing to do with its numbers has these all the same.
    sets = [with_flawed(card_set) for card_set in sets]
    known = {card.id for card_set in sets for card in card_set.cards}
    unknown = [wanted for wanted in ids if wanted not in known]
    if has_errors(findings) and (unknown or not known):
        raise Refused(findings)
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise click.BadParameter(f"there is no card {listed(unknown)}{f': {hint}' if hint else ''}", param_hint="CARD")

    explained: list[Explained] = []
    doubtful: list[Diagnostic] = []
    for card_set in sets:
        rules = Rules(card_set.folder)
        for card in card_set.cards:
            if not ids or card.id in ids:
                calculator = rules.of(card.edition, card.written_in) if card.edition else None
                derivation = calculator.derive(card) if calculator else None
                why_not = without_levels(card.edition, calculator) if card.edition else ""
                explained.append(Explained(card, derivation, why_not))
                doubtful += of_card(card, rules)
    if has_errors(findings) and not ids:  # the other cards are explained all the same
        doubtful = sort_findings([*findings, *doubtful])
        end_with_errors()
    say_findings(doubtful)
    return explained

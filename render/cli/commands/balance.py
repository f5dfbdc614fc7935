"""The command `balance`: a deck or a set in figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from msgspec.structs import replace

from render.base import lazily
from render.base.findings import did_you_mean, has_errors, listed
from render.cli.command import kotc_command
from render.cli.console import DONE, ERRORS, format_option, say, say_findings, tell, tell_json
from render.cli.selection import PATHS, WHERE, check_paths, fitting


@kotc_command(examples=("kotc balance cards/starter", "kotc balance cards/starter --by level --hand 7"))
@PATHS
@format_option("text is for people, json for programs, csv for spreadsheets.", "text", "json", "csv")
@WHERE
@click.option(
    "--hand",
    type=click.IntRange(1, 999),
    help="Number of cards of an opening hand.  [default: that of the game's rules, else 7]",
)
@click.option(
    "--by",
    "names",
    multiple=True,
    metavar="VALUE",
    help="Count by this value of cards, instead of by all numbers and choices; repeatable.",
)
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="HTML page with the same figures.")
def balance(
    paths: tuple[Path, ...], style: str, where: str, hand: int | None, names: tuple[str, ...], page: Path | None
) -> None:
    """Show a deck or a set in figures, with the odds of a hand.

    PATH may also be a deck file. A set counts as a deck with as many copies of each card as it has. Cards are counted
    by every number and choice of their game. The odds are exact, for an opening hand before a mulligan.
    """
    from render.base.files import replace_file
    from render.game import figures
    from render.game.registry import game_of
    from render.layout.templates import rendering
    from render.source.tables.writing import csv_bytes

    sets, findings = figures.read_sets(check_paths(paths))
    for card in (each.cards[0] for each in sets if each.cards):
        known = [*game_of(card).expression_values(card)]
        for name in (each for each in names if each not in known):
            hint = did_you_mean(name, known) or f"they have {listed(known, 'and')}"
            raise click.BadParameter(f"cards have no `{name}`: {hint}", param_hint="--by")
    if where:
        fits = fitting(where, (card for card_set in sets for card in card_set.cards))
        sets = [replace(card_set, cards=lazily.where(card_set.cards, fits)) for card_set in sets]
    hands = [hand or game_of(each).hand for each in sets]
    shown = [
        (None if names else game_of(each).figures(each, drawn)) or figures.shown(figures.figures_of(each, drawn, names))
        for each, drawn in zip(sets, hands, strict=True)
    ]
    say_findings(findings)
    if page and not has_errors(findings):
        title = f"Balance of {', '.join(each.name for each in sets)}"
        text = rendering.page("report/balance", {"title": title, "shown": [each.page for each in shown]})
        replace_file(page, text.encode("utf-8", "backslashreplace"))
        say(f"figures in {page}")
    if style == "json":
        tell_json(json.dumps([each.value for each in shown], ensure_ascii=False, indent=2))
    elif style == "csv":
        counted = (figures.figures_of(each, drawn, names) for each, drawn in zip(sets, hands, strict=True))
        tell(csv_bytes(figures.as_rows(counted), "\n").decode(), end="")
    else:
        tell("\n\n".join(each.text for each in shown))
    sys.exit(ERRORS if has_errors(findings) else DONE)

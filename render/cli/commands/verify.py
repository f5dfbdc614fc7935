"""The command `verify`: whether finished print sheets are right."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.console import DONE, ERRORS, FORMAT, count, reporting, say, show

if TYPE_CHECKING:
    from render.base.geometry import Size
    from render.verify.against_cards import WantedCards
    from render.verify.likeness import Cards, Faces
    from render.verify.verdict import Verdict


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True), metavar="FILE...")
@click.option(
    "--set",
    "--cards",
    "sets",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="Compare the files with the cards of this set or card file; repeatable.",
)
@FORMAT
@reporting
def verify(files: tuple[Path, ...], sets: tuple[Path, ...], style: str) -> None:
    """Measure finished print sheets and shop files for mistakes.

    FILE is a PDF that kotc wrote, or a folder of pictures from `kotc shop`. The command checks the size of pages, the
    place of each card, the back behind each front, the number of copies, fonts, white edges, marks and print settings,
    and that nothing lies over a card. --set also compares each face with its card file. Give all parts of a split
    job in one command, and so fronts and backs.
    """
    from render.base import findings as diag
    from render.verify.verdict import verify as judge

    verdict = judge(files, _wanted(sets) if sets else None)
    show(verdict.findings, style)
    for gap in verdict.unproved:
        say(f"not checked: {gap}")
    say(summary(verdict))
    sys.exit(ERRORS if diag.has_errors(verdict.findings) else DONE)


def summary(verdict: Verdict) -> str:
    """Return what is in the files, what was proved, and what is wrong."""
    sizes = [plural(verdict.cards, "card")]
    if verdict.pages or not verdict.pictures:
        sizes.append(plural(verdict.pages, "page"))
    if verdict.pictures:
        sizes.append(plural(verdict.pictures, "picture"))
    if verdict.sheets or not verdict.cards:
        sizes.insert(0, plural(verdict.sheets, "sheet"))
    parts = [f"{', '.join(verdict.right)}: all right"] if verdict.right else []
    if verdict.findings:
        about = f" in {', '.join(verdict.wrong)}" if verdict.wrong else ""
        parts.insert(0, f"{count(verdict.findings)}{about}")
    return f"{', '.join(sizes)}: {'; '.join(parts)}"


def _wanted(paths: tuple[Path, ...]) -> WantedCards:
    """Return what the sets ask for; Refused if they have errors."""
    from dataclasses import replace

    from render.base.findings import Refused, has_errors
    from render.game.cards import for_press
    from render.game.faces import lay_out_set
    from render.game.set_reader import survey
    from render.verify.against_cards import WantedCards

    sets, findings = survey(paths)
    if has_errors(findings):
        raise Refused(findings)
    cards = [card for card_set in sets for card in card_set.cards]
    copies: dict[str, int] = {}
    for card in cards:
        copies[card.id] = copies.get(card.id, 0) + card.copies
    names = {card.id: card.name for card in cards}

    known: dict[tuple[Size, bool], Cards] = {}

    def faces(size: Size, is_for_press: bool) -> Cards:
        if (size, is_for_press) not in known:
            known[size, is_for_press] = laid_out(size, is_for_press)
        return known[size, is_for_press]

    def laid_out(size: Size, is_for_press: bool) -> Cards:
        found: dict[str, list[Faces]] = {}
        for card_set in map(for_press, sets) if is_for_press else sets:
            for drawn in lay_out_set(replace(card_set, sheet=replace(card_set.sheet, card_size=size))).faces:
                found.setdefault(drawn.card.id, []).append((drawn.front, drawn.back))
        return found

    sources = tuple(dict.fromkeys(card_set.sheet.bleed_from for card_set in sets))
    return WantedCards({name: number for name, number in copies.items() if number}, names, faces, sources)

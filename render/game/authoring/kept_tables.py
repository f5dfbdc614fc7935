"""Spreadsheets of cards, which no command rewrites: what is said of them where card files are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from render.base.findings import Finding, Problem, Span
from render.game.folder import table_files
from render.source.nodes import Document


def card_tables(folder: Path) -> Iterator[Document]:
    """Yield the spreadsheets in a folder that hold cards, as far as they can be read."""
    for file in table_files(folder):
        from render.source.tables.reading import read_table

        document = read_table(file, folder).document
        if document is not None:
            yield document


def no_new_card(table: Path) -> Finding:
    """Return what is said of a spreadsheet in the place of adding a card to it."""
    return replace(
        not_rewritten(table), hint=f"write the card into a row of it, or give `--to {table.parent / 'new.yaml'}`"
    )


def not_rewritten(table: Path) -> Finding:
    """Return what is said of a spreadsheet in the place of rewriting it."""
    message = f"`{table}` is a spreadsheet, and only YAML files are rewritten"
    hint = f"`kotc export {table.parent} --to cards.yaml` makes a YAML file; move it there in place of the spreadsheet"
    return Problem("N012", message, hint).at(Span(file=table))

"""The commands `edition`: list editions, show their rules, and import rules from the game's own pages."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import plural
from render.cli.command import KotcGroup, list_option
from render.cli.console import TEXT_OR_JSON, say, say_findings, tell, tell_json
from render.cli.selection import check_given

if TYPE_CHECKING:
    from render.games.kotc.model.edition import Edition


def _list_editions(context: click.Context) -> None:
    context.invoke(list_command)


@click.group(cls=KotcGroup)
@list_option(_list_editions, "List the editions, as `kotc edition list` does.")
def edition() -> None:
    """List, show and import the rules of editions."""


@edition.command(name="list", examples=("kotc edition list",))
def list_command() -> None:
    """List the editions whose rules kotc has, with their files, and the languages that it has words in."""
    from render.games.kotc.editions.finding import known
    from render.games.kotc.languages.finding import known_words
    from render.games.kotc.model.cards import ordinal

    for number, file in known():
        tell(f"{ordinal(number):>5} Edition  {file}")
    for number, language, file in known_words():
        tell(f"{ordinal(number):>5} Edition, words in {language}  {file}")


@edition.command(examples=("kotc edition show 17",))
@click.argument("number", type=click.IntRange(1, 999), metavar="N")
def show(number: int) -> None:
    """Print the rules of edition N as a data file."""
    from render.games.kotc.editions.finding import find
    from render.games.kotc.editions.writing import write_edition

    tell(write_edition(find(number)), end="")


@edition.command(name="import", examples=("kotc edition import rulebook.html guide.html --table",))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for the rules.  [default: editions/NN.yaml]",
)
@click.option("--table", "shows_table", is_flag=True, help="Print what was understood beside the words of the pages.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="HTML file for the same table.")
def import_command(files: tuple[Path, ...], out: Path | None, shows_table: bool, page: Path | None) -> None:
    """Turn the game's own pages into the data file of an edition.

    Give the rulebook and the Card Building Guide of one edition, in any order: HTML, flat OpenDocument text (.fodt) or
    plain text. What kotc does not understand goes into the file under `unknown`, with the line and words of the page,
    for you to fill in. If the pages contradict each other, nothing is written. A file that is there and says something
    else is kept as NN.yaml.old, or NN.yaml.old2 and so on.
    """
    from render.base.files import replace_file
    from render.games.kotc.editions.finding import FOLDER, file_name
    from render.games.kotc.editions.writing import write_edition
    from render.games.kotc.workshop.guide.importing import html_table, read_pages, text_table

    check_given(files, "FILE")
    imported = read_pages(files)
    rules = imported.edition
    file = out or Path(FOLDER) / file_name(rules.number)
    kept = _replace_rules(file, write_edition(rules, imported.missing).encode(), None if out else Path(FOLDER))
    if page is not None:
        replace_file(page, html_table(imported.passages, f"{_named(rules)} as understood").encode())
    if shows_table:
        for line in text_table(imported.passages):
            tell(line)
    say_findings(imported.findings)
    say(f"{_summary(rules)} in {file}")
    if kept:
        say(f"  the file that was there is now {kept}")
    if rules.unknown:
        say("  fill in what `unknown` lists there: until then, nothing is judged that depends on it")
    if not rules.components:
        say("  without the Card Building Guide there are no components: levels cannot be worked out")


def _replace_rules(file: Path, data: bytes, below: Path | None) -> Path | None:
    """Write a data file, and keep one that says something else, since people fill in these; return where it is kept."""
    from render.base.files import replace_files

    before = file.read_bytes() if file.is_file() else data
    names = (file.with_name(f"{file.name}.old{number if number > 1 else ''}") for number in count(1))
    old = next(each for each in names if not os.path.lexists(each))  # what was filled in before the last import, too
    kept = [(old, lambda: before)] if before != data else []
    replace_files([*kept, (file, lambda: data)], below)
    return old if kept else None


def _named(rules: Edition) -> str:
    from render.games.kotc.model.cards import ordinal

    return f"{ordinal(rules.number)} Edition"


def _summary(imported: Edition) -> str:
    revised = len(imported.revisions) + len(imported.ultra_revisions)
    counts = [
        plural(len(imported.components), "component"),
        f"{plural(len(imported.rewordings), 'text')} reworded",
        f"{len(imported.redacted)} redacted",
        f"{revised} revised",
    ]
    if imported.unknown:
        counts.append(f"{len(imported.unknown)} not understood")
    return f"{_named(imported)}: {', '.join(counts)}"


@edition.command(name="diff", examples=("kotc edition diff 16 17 cards/starter",))
@click.argument("old", type=click.IntRange(1, 999), metavar="OLD")
@click.argument("new", type=click.IntRange(1, 999), metavar="NEW")
@click.argument("sets", nargs=-1, type=click.Path(path_type=Path), metavar="[SET]...")
@TEXT_OR_JSON
def diff_command(old: int, new: int, sets: tuple[Path, ...], style: str) -> None:
    """Show what changed between two editions, and which cards of sets it touches.

    A card is touched if it was designed for edition OLD and a change concerns its text or its level.
    """
    from render.games.kotc.editions.differences import (
        compare_editions,
        difference_as_json,
        difference_as_text,
        touched_cards,
    )
    from render.games.kotc.editions.finding import find
    from render.games.kotc.sets import load_sets

    check_given(sets, "SET")
    difference = compare_editions(find(old), find(new))
    touched = [(card_set, touched_cards(difference, card_set)) for card_set in (load_sets(sets) if sets else [])]
    if style == "json":
        tell_json(difference_as_json(difference, touched))
    else:
        tell(difference_as_text(difference, touched))


@edition.command(name="new", examples=("kotc edition new 19",))
@click.argument("number", type=click.IntRange(1, 999), metavar="N")
def new_command(number: int) -> None:
    """Begin the data file of edition N with the rules of the last one before it.

    The file is editions/NN.yaml in the current folder. Rules that are there already are not overwritten, and a new file
    does not take their place.
    """
    from render.base.files import replace_file
    from render.base.findings import Diagnostic, Refused, Span
    from render.games.kotc.editions.finding import FOLDER, file_name, find, known
    from render.games.kotc.editions.writing import begin_edition
    from render.games.kotc.model.cards import ordinal

    file = Path(FOLDER) / file_name(number)
    if file.exists() or file.is_symlink():
        raise Refused(
            [Diagnostic("D041", f"`{file}` is there already", "change it, or move it away").at(Span(file=file))]
        )
    installed = dict(known())
    if number in installed:  # which the new file would put out of use, for every set in this folder
        message = f"there are rules of the {ordinal(number)} Edition already"
        hint = f"to change them, copy `{installed[number]}` to `{file}`"
        raise Refused([Diagnostic("D041", message, hint).at(Span(file=installed[number]))])
    earlier = [each for each in installed if each < number]
    if not earlier:
        raise Refused(
            [Diagnostic("D042", f"there is no edition before the {ordinal(number)}", "name a later one").at()]
        )
    replace_file(file, begin_edition(find(earlier[-1]), number).encode(), Path(FOLDER))
    say(f"{file} begins as a copy of edition {earlier[-1]}: the comment in it says what to change")

"""The command `schema`: writes JSON Schemas, by which editors check and complete the files of sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import did_you_mean, listed, plural
from render.cli.command import kotc_command, list_option
from render.cli.console import say, tell
from render.cli.selection import or_here, out_option
from render.game import registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from render.source.shapes import Shape


@kotc_command(examples=("kotc schema --list", "kotc schema --update cards/starter"))
@click.argument("names", nargs=-1, metavar="[NAME | PATH]...")
@list_option(lambda _: tell(_list(_schemas())), "List the schemas.")
@out_option("Folder for the files; all without a NAME.", folder=True)
@click.option("--edition", "number", type=click.IntRange(1, 999), help="Edition of cards that name none.")
@click.option(
    "--game",
    type=click.Choice(registry.names()),
    default=registry.DEFAULT,
    show_default=True,
    help="Game of the cards.",
)
@click.option(
    "--update",
    "updates",
    is_flag=True,
    help="Write the schemas of the sets that PATH means into their folders .kotc.  [default PATH: the set here]",
)
@click.option(
    "--lines", "adds_lines", is_flag=True, help="Also begin the sets' files with the line that names the schema."
)
def schema(
    names: tuple[str, ...],
    out: Path | None,
    number: int | None,
    game: str,
    *,
    updates: bool,
    adds_lines: bool,
) -> None:
    """Write JSON Schemas, by which editors check and complete files.

    A schema is printed if you NAME it; cards/editors.md shows how editors are set up.
    """
    if adds_lines and not updates:
        raise click.UsageError("--lines needs --update")
    if updates and (out or number):
        raise click.UsageError("--update takes folder and edition from the sets: leave --out and --edition away")
    if updates:
        _update(or_here(tuple(map(Path, names))), adds_lines=adds_lines)
        return
    from render.game.schemas import schema_file_name, schema_text, write_schemas

    shapes = _schemas(game, number)
    if unknown := next((name for name in names if name not in shapes), ""):
        hint = did_you_mean(unknown, shapes) or f"there are {listed(tuple(shapes), 'and')}"
        raise click.UsageError(f"there is no schema `{unknown}`: {hint}; --update writes those of a set and its game")
    if out:
        texts = {out / schema_file_name(name): schema_text(shapes[name]) for name in names or shapes}
        _say_written(out, texts, write_schemas(texts))
    elif not names:
        tell(_list(shapes))
    elif len(names) > 1:
        raise click.UsageError("one schema is printed: name one, or give a folder with --out")
    else:
        tell(schema_text(shapes[names[0]]), end="")


def _schemas(game: str = registry.DEFAULT, edition: int | None = None) -> Mapping[str, Shape]:
    from render.game.schemas import all_schemas

    return all_schemas(registry.game_named(game), edition)


def _list(shapes: Mapping[str, Shape]) -> str:
    widest = max(map(len, shapes))
    return "\n".join(f"{name:{widest}}  {shape.get('title', '')}" for name, shape in shapes.items())


def _say_written(folder: Path, texts: Mapping[Path, str], written: Sequence[Path]) -> None:
    new = len(set(texts) & set(written))
    say(f"{plural(len(texts), 'schema')} in {folder} ({new} written, {len(texts) - new} unchanged)")


def _update(paths: tuple[Path, ...], *, adds_lines: bool) -> None:
    """Write the schemas into the folders of sets, and say or mend which files do not name theirs yet."""
    from render.game.authoring.change_set import FileChange, write_all
    from render.game.folder import GAME_FILE, SET_FILE, card_files, is_game
    from render.game.schemas import (
        FOLDER,
        begin_with_line,
        schema_line,
        schemas_of_set,
        without_line,
        write_schemas,
    )
    from render.game.sources import declared

    for card_set in [each for path in paths for each in declared(path)]:
        folder = card_set.folder
        texts = schemas_of_set(card_set)
        own = [folder / GAME_FILE] if is_game(folder / GAME_FILE) else []
        silent = without_line([folder / SET_FILE, *own, *card_files(folder)], folder)
        if adds_lines:
            begun = (FileChange(file, text, begin_with_line(file.name, text)) for file, text in silent.items())
            write_all(begun, below=folder)
        _say_written(folder / FOLDER, texts, write_schemas(texts, folder))
        for file in silent:
            if adds_lines:
                say(f"  {file} now begins with the line that names its schema")
            else:
                say(f"  {file} does not name its schema: begin it with the line\n    {schema_line(file.name)}")
        if silent and not adds_lines:
            say("  or let --lines do that")

"""The command `schema`: writes JSON Schemas, by which editors check and complete the files of sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import did_you_mean, listed, plural
from render.cli.console import reporting, say, tell
from render.game import registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from render.source.shapes import Shape


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--list", "wants_list", is_flag=True, help="List the schemas.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the files; all without a NAME."
)
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
    "paths",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Write the schemas of this set, or of the sets in this folder, into the set's folder .kotc; repeatable.",
)
@reporting
def schema(
    names: tuple[str, ...],
    out: Path | None,
    number: int | None,
    game: str,
    paths: tuple[Path, ...],
    *,
    wants_list: bool,
) -> None:
    """Write JSON Schemas, by which editors check and complete files.

    With one NAME, the schema is printed. cards/editors.md shows how editors are set up.

    \b
    Example:
      kotc schema --update cards/mine
    """
    if paths and (names or out or number or wants_list):
        raise click.UsageError("--update takes what it needs from the sets: give it alone")
    if paths:
        _update(paths)
        return
    from render.game.schemas.schema_files import all_schemas, schema_file_name, schema_text, write_schemas

    shapes = all_schemas(registry.game_named(game), number)
    _check_names(names, shapes)
    if wants_list or not (names or out):
        _tell_list(shapes)
    elif out:
        texts = {out / schema_file_name(name): schema_text(shapes[name]) for name in names or shapes}
        written = write_schemas(texts)
        say(f"{plural(len(texts), 'schema')} in {out} ({written} written, {len(texts) - written} unchanged)")
    elif len(names) > 1:
        raise click.UsageError("one schema is printed: name one, or give a folder with --out")
    else:
        tell(schema_text(shapes[names[0]]), end="")


def _check_names(names: tuple[str, ...], shapes: Mapping[str, Shape]) -> None:
    for name in names:
        if name not in shapes:
            hint = did_you_mean(name, shapes) or f"there are {listed(tuple(shapes), 'and')}"
            raise click.UsageError(f"there is no schema `{name}`: {hint}")


def _tell_list(shapes: Mapping[str, Shape]) -> None:
    widest = max(map(len, shapes))
    for name, shape in shapes.items():
        tell(f"{name:{widest}}  {shape.get('title', '')}")


def _update(paths: tuple[Path, ...]) -> None:
    """Write the schemas into the folders of sets, and say which files do not name theirs yet."""
    from render.game.folder import SET_FILE, card_files
    from render.game.schemas.schema_files import FOLDER, schema_line, schemas_of_set, without_line, write_schemas
    from render.game.set_reader import declared

    for card_set in [each for path in paths for each in declared(path)]:
        folder = card_set.folder
        texts = schemas_of_set(card_set)
        written = write_schemas(texts, folder)
        place = folder / FOLDER
        say(f"{plural(len(texts), 'schema')} in {place} ({written} written, {len(texts) - written} unchanged)")
        for file in without_line(iter([folder / SET_FILE, *card_files(folder)])):
            say(f"  {file} does not name its schema: begin it with the line\n    {schema_line(file.name)}")

"""The command `export`: the cards of a set in one file of another format."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import replace

from render.base import lazily
from render.base.findings import listed, plural
from render.cli.command import kotc_command
from render.cli.console import say
from render.cli.selection import PATHS, WHERE, check_paths, fitting


@kotc_command(examples=("kotc export cards/starter --to starter.xlsx",))
@PATHS
@click.option(
    "--to",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File to write; its ending, .xlsx, .ods, .csv, .json or .yaml, says the format.  Has to be given.",
)
@WHERE
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def export(paths: tuple[Path, ...], to: Path | None, where: str, *, force: bool) -> None:
    """Write the cards of a set as one table, JSON or YAML file.

    The file has every key of every card. As a card file, a table or YAML file gives the same cards. Pictures stay
    where they are, and what is no card, such as set.yaml, is left out.
    """
    from render.base.files import replace_file
    from render.game.authoring.exported_cards import ENDINGS, check_place, exported
    from render.game.file_names import is_for_cards
    from render.game.sources import load_sets

    if to is None:
        endings = ".xlsx, .ods, .csv, .json or .yaml"
        raise click.UsageError(f"--to is missing: name the file, such as `--to cards.xlsx`; its ending is {endings}")
    ending = to.suffix.lower()
    if ending not in ENDINGS:
        raise click.BadParameter(f"`{to}` must end in {listed(ENDINGS)}", param_hint="--to")
    if not is_for_cards(to.name):
        raise click.BadParameter(f"`{to.name}` is not for cards", param_hint="--to")
    found = load_sets(check_paths(paths))
    if len(found) != 1:
        each = " or ".join(f"`{card_set.folder}`" for card_set in found[:3])
        raise click.UsageError(f"there are {len(found)} sets, and one file is for one: name {each}")
    card_set = found[0]
    check_place(card_set, to)
    if to.exists() and not force:
        raise click.UsageError(f"`{to}` is there already: name another file, or write over it with --force")
    if where:
        card_set = replace(card_set, cards=lazily.where(card_set.cards, fitting(where, card_set.cards)))
    replace_file(to, exported(card_set, ending))
    say(f"{card_set.name}: {plural(len(card_set.cards), 'card')} in {to}")

"""The command line: arguments, printing, exit codes. What the commands need is imported when they run.

Exit status: 0 done; 1 errors in the user's files; 2 wrong usage; 3 the environment (disk full, folder not writable,
unreadable font); 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import gc

import click

from render import __version__
from render.cli_build import build
from render.cli_calibrate import calibrate
from render.cli_check import check
from render.cli_cut import cut
from render.cli_deck import deck
from render.cli_edition import edition
from render.cli_explain import explain
from render.cli_png import png
from render.cli_preflight import preflight
from render.cli_rules import migrate
from render.cli_sheets import pdf
from render.cli_shop import shop
from render.cli_table import table
from render.cli_verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="kotc")
def main() -> None:
    """Turn hand-written YAML into printed cards for Keeper of the Cards.

    A PATH is the folder of a set, a card file, or a folder of sets; without one it is the folder `cards`.
    """
    gc.set_threshold(100_000, 20, 20)  # cards are values without cycles: looking for cycles finds next to nothing


for command in (
    check,
    png,
    build,
    pdf,
    shop,
    table,
    cut,
    calibrate,
    verify,
    preflight,
    migrate,
    explain,
    deck,
    edition,
):
    main.add_command(command)

"""The command `preflight`: what is wrong with a file that is to go to a print shop."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.console import DONE, ERRORS, Number, count, reporting, say, tell

if TYPE_CHECKING:
    from render.diag import Diagnostic

_LARGEST = 1 << 31  # bytes: whatever is larger is no file for a print shop


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE")
@click.option("--as", "name", required=True, metavar="NAME", help="x-1a, x-4, a-2b, or a shop of `kotc shop --list`.")
@click.option("--ink", type=Number(100, 400), help="Most ink in per cent.  [default: the shop's]")
@reporting
def preflight(file: Path, name: str, ink: float | None) -> None:
    """Say what is wrong with a PDF or a PNG that is to be printed, by a standard or by what a shop asks for.

    The file is read back and nothing is believed of it. No fault found is no certificate.
    """
    from render.diag import as_text
    from render.source import read_bytes

    findings = _findings(read_bytes(file, _LARGEST), name, ink)
    for finding in findings:
        tell(as_text([finding]))
    say(f"{file} as {name}: {count(findings)}")
    sys.exit(ERRORS if findings else DONE)


def _findings(data: bytes, name: str, ink: float | None) -> list[Diagnostic]:
    """Return the faults of a file by the standard or the shop of that name; wrong usage if there is neither."""
    from dataclasses import replace

    from render.preflight import Demands, preflight
    from render.preflight_png import preflight_png
    from render.shop_files import demands
    from render.shops import PictureShop, shops
    from render.standards import A_2B, STANDARDS

    shop = shops().get(name)
    if ink is not None and (isinstance(shop, PictureShop) or name == A_2B.name or (shop and shop.press is None)):
        raise click.BadParameter(f"files as {name} are in RGB, which is no ink", param_hint="--ink")
    if isinstance(shop, PictureShop):
        return preflight_png(data, shop.pixels)
    if shop is None and name not in STANDARDS:
        known = ", ".join((*STANDARDS, *shops()))
        raise click.BadParameter(f"there is no standard and no shop `{name}`: there are {known}", param_hint="--as")
    asked = demands(shop, [shop.card] if shop.card else []) if shop else Demands(STANDARDS[name])
    return preflight(data, replace(asked, ink_limit=ink) if ink else asked)

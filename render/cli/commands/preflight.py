"""The command `preflight`: what is wrong with a file for a print shop."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import click

from render.base.findings import Diagnostic, has_errors
from render.cli.command import kotc_command
from render.cli.console import DONE, ERRORS, Number, describe_counts, say, show


@kotc_command(examples=("kotc preflight sheets.pdf --as x-4", "kotc preflight --list"))
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE")
@click.option("--as", "name", metavar="NAME", help="Standard (x-1a, x-4, a-2b) or shop, from --list; has to be given.")
@click.option("--ink", type=Number(100, 400), help="Highest total of all inks in percent.  [default: the shop's]")
@click.option("--strict", is_flag=True, help="Exit with 1 also for warnings and for what cannot be judged.")
@click.option(
    "--fail-on",
    "failing",
    metavar="CODE",
    multiple=True,
    help="Exit with 1 also for warnings of this code, such as F070, and what of it cannot be judged. May be repeated.",
)
def preflight(file: Path, name: str | None, ink: float | None, *, strict: bool, failing: tuple[str, ...]) -> None:
    """Check a PDF or PNG by a print standard or a shop's rules.

    The file is checked from scratch, whichever program made it. A clean result is not a certificate. "Cannot be judged"
    is neither right nor wrong: look at that part of the file yourself.
    """
    from render.source.reader import read_bytes

    if name is None:
        raise click.UsageError(f"--as is missing: by whose rules? There are {', '.join(_known())}")
    codes = {code.upper() for code in failing}
    if unknown := sorted(code for code in codes if not re.fullmatch(r"F\d{3}", code)):
        raise click.BadParameter(f"`{unknown[0]}` is no code of a finding, such as F070", param_hint="--fail-on")
    findings = judged_as(read_bytes(file, file.stat().st_size), name, ink)
    for finding in findings:  # in their order
        show([finding], "text", strict=strict)
    say(f"{file} as {name}: {describe_counts(findings)}")
    fails = has_errors(findings) or (strict and findings) or any(each.code in codes for each in findings)
    sys.exit(ERRORS if fails else DONE)


def _known() -> list[str]:
    from render.pdf.standards import STANDARDS
    from render.shops.profiles import shops

    return [*STANDARDS, *shops()]


def judged_as(data: bytes, name: str, ink: float | None = None) -> list[Diagnostic]:
    """Return the faults of a file by the standard or the shop of that name; wrong usage if there is neither."""
    from render.pdf.standards import A_2B, STANDARDS
    from render.shops.preflight.document import Demands, demands, preflight
    from render.shops.preflight.picture_file import preflight_png
    from render.shops.print_fitness import Fitness
    from render.shops.profiles import PictureShop, shops

    shop, standard = shops().get(name), STANDARDS.get(name)
    if ink is not None and (isinstance(shop, PictureShop) or name == A_2B.name or (shop and shop.press is None)):
        raise click.BadParameter(f"files as {name} are in RGB, without inks", param_hint="--ink")
    if isinstance(shop, PictureShop):
        return preflight_png(data, [product.pixels for product in shop.products])
    if shop is not None:  # what it asks of a file that anybody may have made
        fitness = Fitness(safe=shop.safe, dpi=shop.dpi, bleed=shop.bleed) if shop.dpi else None
        asked = replace(demands(shop, [shop.card] if shop.card else []), fitness=fitness, is_trusted=False)
        return preflight(data, replace(asked, ink_limit=ink) if ink else asked)
    if standard is None:
        known = ", ".join(_known())
        raise click.BadParameter(f"there is no standard and no shop `{name}`: there are {known}", param_hint="--as")
    return preflight(data, Demands(standard=standard, ink_limit=ink, fitness=None if standard is A_2B else Fitness()))

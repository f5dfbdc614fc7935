"""The command `preflight`: what is wrong with a file for a print shop."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from render.base.findings import has_errors
from render.cli.command import kotc_command
from render.cli.console import DONE, ERRORS, Number, describe_counts, say, show


@kotc_command(examples=("kotc preflight sheets.pdf --as x-4", "kotc preflight --list"), is_timed=True)
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
    from render.shops.preflight.document import preflight_file

    name = _check_usage(name, ink)
    codes = {code.upper() for code in failing}
    if unknown := sorted(code for code in codes if not re.fullmatch(r"F\d{3}", code)):
        raise click.BadParameter(f"`{unknown[0]}` is no code of a finding, such as F070", param_hint="--fail-on")
    findings = preflight_file(file, name, ink)
    for finding in findings:  # in their order
        show([finding], "text", strict=strict)
    say(f"{file} as {name}: {describe_counts(findings)}")
    fails = has_errors(findings) or (strict and findings) or any(each.code in codes for each in findings)
    sys.exit(ERRORS if fails else DONE)


def _check_usage(name: str | None, ink: float | None) -> str:
    """Return the name of a standard or a shop; wrong usage if there is none of that name, or none with inks."""
    from render.pdf.standards import A_2B, STANDARDS
    from render.shops.profiles import PdfShop, shops

    known = {**STANDARDS, **shops()}
    if name is None:
        raise click.UsageError(f"--as is missing: by whose rules? There are {', '.join(known)}")
    if name not in known:
        words = f"there is no standard and no shop `{name}`: there are {', '.join(known)}"
        raise click.BadParameter(words, param_hint="--as")
    shop = shops().get(name)
    has_inks = shop.press is not None if isinstance(shop, PdfShop) else shop is None and name != A_2B.name
    if ink is not None and not has_inks:
        raise click.BadParameter(f"files as {name} are in RGB, without inks", param_hint="--ink")
    return name

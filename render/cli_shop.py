"""The command `shop`: cards as a print shop takes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.choosing import CARDS, PATHS, Chosen, check_folders_differ, check_ids_differ, chosen, default_folder, job_of
from render.console import many, reporting, say, tell
from render.sheet_flags import sheet_flag

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from render.shop_files import ShopOptions
    from render.shops import PdfShop, PictureShop, Shop


@click.command()
@click.argument("name", required=False, metavar="NAME")
@PATHS
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: _show_list(context, wanted),
    help="Show the shops and what they ask for.",
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder.  [default: out/<set>/NAME]")
@click.option("--copies", type=click.Choice(["once", "each"]), help="Cards of a PDF once, or as often as the set says.")
@sheet_flag("bleed_from")
@sheet_flag("rich_black")
@CARDS
@reporting
def shop(
    name: str | None,
    paths: tuple[Path, ...],
    out: Path | None,
    copies: str | None,
    ids: tuple[str, ...],
    **asked: object,
) -> None:
    """Make the files that a print shop asks for.

    NAME is one of those that `kotc shop --list` shows. Each file is checked before any is written.
    """
    from render.shop_files import doubts, files, write
    from render.shops import is_press

    wanted = _named(name)
    found = _printed(chosen(paths, ids, wanted.card, lambda _: is_press(wanted)))
    (check_ids_differ if out else check_folders_differ)(found)
    groups = [found] if out else _singly(found)
    jobs = [(job_of(group), _options(group, wanted, copies, asked)) for group in groups]
    for job, options in jobs:
        folder = out or default_folder(job.sets[0]) / wanted.name
        made = write(files(job, wanted, options), folder)
        for doubt in doubts(job, wanted):
            say(_warning(doubt.message, doubt.hint, doubt.code))
        where = made[0] if len(made) == 1 else folder
        say(f"{job.title}: {many(len(job.faces), 'card')} for {wanted.title} in {where}")
        for line in _advice(wanted, options):
            say(f"  {line}")


def _show_list(context: click.Context, wanted: bool) -> None:
    if wanted:
        tell("\n".join(_table()))
        context.exit()


def _warning(message: str, hint: str, code: str) -> str:
    return f"warning: {message} [{code}]\n  hint: {hint}"


def _named(name: str | None) -> Shop:
    """Return the shop of that name; wrong usage if there is none like it."""
    from render.diag import did_you_mean
    from render.shops import shops

    if name is None:
        raise click.UsageError("name a shop: `kotc shop --list` shows them")
    if name not in shops():
        hint = did_you_mean(name, shops()) or f"there are {', '.join(shops())}"
        raise click.BadParameter(f"there is no shop `{name}`: {hint}", param_hint="NAME")
    return shops()[name]


def _printed(found: Chosen) -> Chosen:
    """Leave out the cards of which no copy is to be printed."""
    from dataclasses import replace

    return [
        (card_set, replace(drawn, faces=tuple(face for face in drawn.faces if face.card.copies)))
        for card_set, drawn in found
    ]


def _singly(found: Chosen) -> list[Chosen]:
    return [[one] for one in found]


def _options(group: Chosen, wanted: Shop, copies: str | None, asked: Mapping[str, object]) -> ShopOptions:
    from render.shop_files import ShopOptions
    from render.shops import Copies, PictureShop

    if copies and isinstance(wanted, PictureShop):
        raise click.UsageError("--copies is for PDFs: of pictures, `order.csv` says how many of each to order")
    sources = {str(asked["bleed_from"])} if asked["bleed_from"] else {each.sheet.bleed_from for each, _ in group}
    if len(sources) > 1:
        raise click.UsageError("the sets make their bleed of different things: choose with --bleed-from")
    rich_black = _rich_black(group, wanted, asked["rich_black"])
    return ShopOptions(Copies(copies) if copies else None, sources.pop() if sources else "auto", rich_black)


def _rich_black(group: Chosen, wanted: Shop, asked: object) -> bool:
    """Return whether large black areas are of rich black, as asked for or as a set says; wrong usage without inks."""
    from render.shops import PictureShop

    if asked and (isinstance(wanted, PictureShop) or wanted.press is None):
        raise click.UsageError(f"--rich-black is for inks: files for {wanted.title} are in RGB")
    return any(card_set.sheet.rich_black for card_set, _ in group) if asked is None else bool(asked)


def _advice(wanted: Shop, options: ShopOptions) -> Iterator[str]:
    """Yield what there is to know when the files are handed in."""
    from render.shops import Copies, PdfShop

    if not isinstance(wanted, PdfShop):
        yield f"{_size(wanted)} pixels, RGB; order.csv says which back belongs to which front, and how many of each"
        return
    often = "each card once" if (options.copies or wanted.copies) is Copies.ONCE else "each copy"
    yield f"{often}, {' then '.join(wanted.sides).lower()}; structured as {wanted.standard.title}, not certified"


def _table() -> Iterator[str]:
    """Yield the shops as lines of a table."""
    from render.shops import PictureShop, shops

    rows = [("name", "file", "page or picture", "bleed", "safe within", "colours", "pages")]
    for each in shops().values():
        edges = (f"{round(each.bleed, 3):g} mm", f"{each.safe:g} mm")
        if isinstance(each, PictureShop):
            rows.append((each.name, "PNG", f"{_size(each)} pixels", *edges, "RGB", "fronts, backs"))
        else:
            rows.append((each.name, each.standard.title, _page(each), *edges, _colours(each), _order(each)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _size(picture: PictureShop) -> str:
    return f"{picture.pixels[0]} x {picture.pixels[1]}"


def _page(pdf: PdfShop) -> str:
    if pdf.card is None:
        return "the card and its bleed"
    page = pdf.card.rect.outset(pdf.bleed)
    return f"{page.width:g} x {page.height:g} mm"


def _colours(pdf: PdfShop) -> str:
    return f"{pdf.press.condition}, at most {pdf.press.ink_limit:g} % ink" if pdf.press else "sRGB"


def _order(pdf: PdfShop) -> str:
    return " then ".join(pdf.sides).lower()

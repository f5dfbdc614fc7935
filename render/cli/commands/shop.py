"""The command `shop`: makes files for a print shop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from render.base.findings import Problem, plural
from render.cli.command import kotc_command, list_option
from render.cli.console import say, say_findings, tell
from render.cli.options import sheet_flag
from render.cli.selection import (
    CARDS,
    LANGUAGE,
    PATHS,
    Chosen,
    check_folders_differ,
    check_ids_differ,
    check_ids_in_decks,
    chosen,
    default_folder,
    job_of,
    named_folder,
    only,
    outputs_here,
    typed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from render.exports.print_files import PrintJob
    from render.exports.shop_files import ShopOptions
    from render.shops.profiles import PdfShop, Product, Shop


@kotc_command(
    examples=(
        "kotc shop --list",
        "kotc shop makeplayingcards cards/starter --card wharf-cat",
    )
)
@click.argument("name", required=False, metavar="NAME")
@PATHS
@list_option(lambda _: tell("\n".join(_table())), "List the shops and what they ask for.")
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    callback=lambda *asked: asked[-1] and named_folder(*asked),  # this --out has no default, so it may be None
    help="Folder for the files.  [default: out/<set>/NAME]",
)
@click.option("--copies", type=click.Choice(["once", "each"]), help="How often a PDF holds a card: once, or each copy.")
@sheet_flag("card_size")
@sheet_flag("bleed_from")
@sheet_flag("rich_black")
@CARDS
@LANGUAGE
def shop(
    name: str | None,
    paths: tuple[Path, ...],
    out: Path | None,
    ids: tuple[str, ...],
    language: str | None,
    **given: object,
) -> None:
    """Make the files that a print shop asks for.

    NAME is a shop from `kotc shop --list`. All files are checked before any is written.
    """
    from render.exports.shop_files import print_doubts, shop_files, write_shop_files
    from render.shops.profiles import is_press

    named, size = _named(name, paths), given["card_size"]
    found = chosen(paths, ids, size, lambda _: is_press(named), language)  # type: ignore[arg-type] # read as a Size
    found = only(found, lambda face: face.card.copies > 0)
    (check_ids_differ if out else check_folders_differ)(found)
    check_ids_in_decks(found)
    groups = [found] if out else [[one] for one in found]
    # All are checked before the first is written: half an order is worse than none.
    jobs = [(job_of(group), _product(group, named), _options(group, named, given)) for group in groups]
    for job, wanted, options in jobs:
        folder = out or default_folder(job.sets[0]) / wanted.name
        doubtful = list(print_doubts(job, wanted))
        made = write_shop_files(shop_files(job, wanted, options), folder, out or outputs_here())
        say_findings(doubtful)
        where = made[0] if len(made) == 1 else folder
        say(f"{job.title}: {plural(len(job.faces), 'card')} for {_printed_as(wanted)} in {where}")
        for line in _advice(job, wanted, options):
            say(f"  {line}")


def _named(name: str | None, paths: tuple[Path, ...]) -> Shop:
    """Return the shop of that name; wrong usage if there is none, or if one of the `paths` stands in its place."""
    from render.base.findings import did_you_mean, listed
    from render.shops.profiles import shops

    there_are = f"{listed(list(shops()), 'and')}; `{typed('shop', '--list')}` says what each asks for"
    if name is None:
        raise click.UsageError(f"name a shop: there are {there_are}")
    # A standard has a shop of its own, and people use the name that it has elsewhere: `x-4` for `pdf-x4`.
    as_shop = f"pdf-{name.replace('-', '')}"
    name = as_shop if name not in shops() and as_shop in shops() else name
    if name in shops():
        return shops()[name]
    if Path(name).exists():
        raise click.UsageError(_shop_first(name, paths))
    hint = did_you_mean(name, shops()) or f"there are {there_are}"
    raise click.BadParameter(f"there is no shop `{name}`: {hint}", param_hint="NAME")


def _shop_first(path: str, others: tuple[Path, ...]) -> str:
    """Return what to type where a path stands in the place of the shop."""
    from render.shops.profiles import shops

    named = next((str(each) for each in others if str(each) in shops()), "")
    if named:
        rest = [each for each in others if str(each) != named]
        return f"the shop comes first: `{typed('shop', named, path, *rest)}`"
    example = typed("shop", next(iter(shops())), path, *others)
    return f"`{path}` is no shop: the shop comes first, as in `{example}`; `{typed('shop', '--list')}` shows all"


def _product(group: Chosen, named: Shop) -> Shop:
    """Return the shop with the product of these cards' size; Refused if it has none."""
    from render.base.findings import Refused
    from render.shops.profiles import NoProduct, for_cards

    wanted, refused = named, []
    for card_set, _ in group:
        try:
            wanted = for_cards(named, card_set.sheet.card_size)
        except NoProduct as error:
            hint = "choose one of these with --card-size, or with `card_size` under `sheet` in set.yaml"
            refused.append(Problem("F024", f"{card_set.name}: {error}", hint).at())
    if refused:
        raise Refused(refused)
    return wanted


def _printed_as(wanted: Shop) -> str:
    """Return the shop, and what it prints, in words."""
    return f"{wanted.title}, {wanted.product.name} size" if wanted.product else wanted.title


def _options(group: Chosen, wanted: Shop, given: Mapping[str, object]) -> ShopOptions:
    from render.exports.shop_files import ShopOptions
    from render.shops.profiles import Copies, PictureShop

    copies, bleed_from = given["copies"], given["bleed_from"]
    if copies and isinstance(wanted, PictureShop):
        raise click.UsageError("--copies is only for PDFs: for pictures, `order.csv` says how many of each to order")
    sources = {str(bleed_from)} if bleed_from else {card_set.sheet.bleed_from for card_set, _ in group}
    if len(sources) > 1:
        raise click.UsageError("the sets have different `bleed_from`: choose one with --bleed-from")
    rich_black = _rich_black(group, wanted, given["rich_black"])
    return ShopOptions(Copies(copies) if copies else None, sources.pop() if sources else "auto", rich_black)


def _rich_black(group: Chosen, wanted: Shop, asked: object) -> bool:
    """Return whether large black areas are rich black, as asked for or as a set says; wrong usage for files in RGB."""
    from render.shops.profiles import PictureShop

    if asked and (isinstance(wanted, PictureShop) or wanted.press is None):
        raise click.UsageError(f"--rich-black is for CMYK: files for {wanted.title} are in RGB")
    return any(card_set.sheet.rich_black for card_set, _ in group) if asked is None else bool(asked)


def _advice(job: PrintJob, wanted: Shop, options: ShopOptions) -> Iterator[str]:
    """Yield what to know for handing in the files."""
    from render.shops.profiles import Copies, PdfShop

    if not isinstance(wanted, PdfShop):
        order = "order.csv says which back belongs to which front, and how many of each"
        yield f"{_size(wanted.pixels)} pixels, RGB; {order}"
        return
    is_once = (options.copies or wanted.copies) is Copies.ONCE
    often = "each card once" if is_once else "each copy"
    yield f"{often}, {' then '.join(wanted.sides).lower()}; structured as {wanted.standard.title}, not certified"
    several = sum(face.card.copies > 1 for face in job.faces)
    if is_once and several:
        copies = sum(face.card.copies for face in job.faces)
        more = f"{plural(several, 'card')} {'has' if several == 1 else 'have'} more copies than one, {copies} in all"
        order = "--copies each repeats them" if wanted.dpi is None else "say so when you order, or use --copies each"
        yield f"{more}: {order}"


def _table() -> Iterator[str]:
    """Yield the shops as lines of a table."""
    from render.shops.profiles import PictureShop, shops

    rows = [("name", "file", "cards", "page or picture", "bleed", "safe within", "colors", "pages")]
    for each in shops().values():
        edges = (f"{round(each.bleed, 3):g} mm", f"{each.safe:g} mm")
        for product in each.products or (None,):
            cards = product.name if product else "any size"
            if isinstance(each, PictureShop):
                pixels = product.pixels if product else (0, 0)
                what = (f"{_size(pixels)} pixels", *edges, "RGB", "fronts, backs")
                rows.append((each.name, "PNG", cards, *what))
            else:
                page = _page(product, each.bleed)
                rows.append((each.name, each.standard.title, cards, page, *edges, _colors(each), _order(each)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _size(pixels: tuple[int, int]) -> str:
    return f"{pixels[0]} x {pixels[1]}"


def _page(product: Product | None, bleed: float) -> str:
    if product is None:
        return "the card and its bleed"
    page = product.card.rect.outset(bleed)
    return f"{page.width:g} x {page.height:g} mm"


def _colors(pdf: PdfShop) -> str:
    return f"{pdf.press.condition}, at most {pdf.press.ink_limit:g} % ink" if pdf.press else "sRGB"


def _order(pdf: PdfShop) -> str:
    return " then ".join(pdf.sides).lower()

"""The command `shop`: makes files for a print shop."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from render.base.findings import Diagnostic, Refused, did_you_mean, listed, plural
from render.base.progress import stage
from render.cli.command import kotc_command, list_option
from render.cli.console import say, say_findings, tell
from render.cli.options import sheet_flag
from render.cli.selection import (
    CARDS,
    DRAFTS,
    LANGUAGE,
    NO_STORE,
    PATHS,
    STORE,
    VERSIONS,
    WHERE,
    CardSelection,
    Chosen,
    check_ids_differ,
    check_ids_in_decks,
    job_of,
    named_folder,
    only,
    out_option,
    place_outputs,
    typed,
    without_drafts,
)
from render.game.home import Versions

if TYPE_CHECKING:
    from render.exports.game_crafter import Account
    from render.exports.print_files import PrintJob, SizedJob
    from render.exports.shop_files import ShopOptions
    from render.shops.profiles import Shop

_PUSHED = "the-game-crafter"  # the only shop with an API


@kotc_command(
    examples=(
        "kotc shop --list",
        "kotc shop makeplayingcards cards/starter --card wharf-cat",
    ),
    is_timed=True,
)
@click.argument("name", required=False, metavar="NAME")
@PATHS
@list_option(lambda _: tell("\n".join(_table())), "List the shops and what they ask for.")
@out_option("Folder for the files.  [default: out/<set>/NAME]", folder=True, callback=named_folder)
@click.option("--copies", type=click.Choice(["once", "each"]), help="How often a PDF holds a card: once, or each copy.")
@click.option("--push", is_flag=True, help="Upload the files to your account at The Game Crafter, too.")
@sheet_flag("card_size")
@sheet_flag("bleed_from")
@sheet_flag("rich_black")
@CARDS
@WHERE
@LANGUAGE
@VERSIONS
@DRAFTS
@STORE
@NO_STORE
def shop(
    versions: Versions,
    /,
    name: str | None,
    paths: tuple[Path, ...],
    out: Path | None,
    ids: tuple[str, ...],
    where: str,
    language: str | None,
    store: Path | None,
    *,
    drafts: bool,
    no_store: bool,
    push: bool,
    **given: Any,
) -> None:
    """Make the files that a print shop asks for.

    NAME is a shop from `kotc shop --list`. All files are checked before any is written.
    """
    from render.build.made_apart import note_made
    from render.exports.print_files import by_size
    from render.exports.shop_files import print_doubts, shop_files, unfit, write_shop_files
    from render.pdf.pictures import remembering
    from render.shops.profiles import is_press

    named = _named(name, paths)
    account = _account(named) if push else None
    selection = CardSelection(
        paths, ids, language, where, variants=versions.variants, layers=versions.layers, store=store, no_store=no_store
    )
    printed = selection.chosen(given["card_size"], lambda _: is_press(named))
    printed = only(printed if drafts else without_drafts(printed), lambda face: face.card.copies > 0)
    places = place_outputs(printed, out, named.name)
    (check_ids_differ if out else check_ids_in_decks)(printed)
    # All are checked before the first is written: half an order is worse than none.
    jobs = [
        (sized.job, _product(sized, named), _options(group, named, given), to, below or to)
        for group, folder, below in places
        for sized in by_size(job_of(group), group[0][0].sheet)
        for to in [sized.file(folder)]
    ]
    kept = selection.kept()
    for job, wanted, options, folder, below in jobs:
        problems = unfit(job, wanted)
        doubtful = list(print_doubts(job, wanted, problems))
        with remembering(kept.memory() if kept else None):
            made = write_shop_files(shop_files(job, wanted, options, problems), folder, below)
        if out is None:
            note_made(folder.parent, made, below)
        orders = [file.name for file in made if file.suffix == ".xml"]
        left = list(_orders_left(made, folder, below)) if orders else []
        say_findings(doubtful)
        pdfs = [file for file in made if file.suffix == ".pdf"]
        place = pdfs[0] if len(pdfs) == 1 else folder
        title = f"{wanted.title}, {wanted.product.name} size" if wanted.product else wanted.title
        say(f"{job.title}: {plural(len(job.faces), 'card')} for {title} in {place}")
        say(*(f"  {line}" for line in (*_advice(job, wanted, options, orders), *left)))
    if account:
        _push([(job.title, wanted, folder) for job, wanted, _, folder, _ in jobs], account)


def _named(name: str | None, paths: tuple[Path, ...]) -> Shop:
    """Return the shop of that name; wrong usage if there is none, or if one of the `paths` stands in its place."""
    from render.shops.profiles import shops

    known, to_list = shops(), f"`{typed('shop', '--list')}`"
    there_are = f"{listed(list(known), 'and')}; {to_list} says what each asks for"
    if name is None:
        raise click.UsageError(f"name a shop: there are {there_are}")
    # A standard has a shop of its own, and people use the name that it has elsewhere: `x-4` for `pdf-x4`.
    name = next((each for each in (name, f"pdf-{name.replace('-', '')}") if each in known), name)
    if name in known:
        return known[name]
    if Path(name).exists():
        if named := next((str(each) for each in paths if str(each) in known), ""):
            others = [each for each in paths if str(each) != named]
            raise click.UsageError(f"the shop comes first: `{typed('shop', named, name, *others)}`")
        example = typed("shop", next(iter(known)), name, *paths)
        raise click.UsageError(f"`{name}` is no shop: the shop comes first, as in `{example}`; {to_list} shows all")
    hint = did_you_mean(name, known) or f"there are {there_are}"
    raise click.BadParameter(f"there is no shop `{name}`: {hint}", param_hint="NAME")


def _account(named: Shop) -> Account:
    """Return the account that the environment opens; wrong usage if there is none."""
    from render.exports.game_crafter import KEYS, account_in

    if named.name != _PUSHED:
        raise click.BadParameter(f"only `{_PUSHED}` takes files from a program", param_hint="--push")
    try:
        return account_in(os.environ)
    except ValueError as error:
        message = f"{error}: --push needs {', '.join(KEYS[:-1])} and {KEYS[-1]}"
        raise click.BadParameter(message, param_hint="--push") from None


def _push(made: Sequence[tuple[str, Shop, Path]], account: Account) -> None:
    """Make one game of all folders."""
    from render.exports import game_crafter

    decks = [
        game_crafter.Deck(folder.name if len(made) > 1 else title, shop.product.identity, folder)
        for title, shop, folder in made
        if shop.product
    ]
    title = " and ".join(dict.fromkeys(title for title, _, _ in made))
    with stage("upload", sum(len(list(deck.folder.glob("*/*.png"))) for deck in decks), "pictures") as step:
        game_crafter.push(title, decks, account, step)
    say(f"  the game `{title}` is in your account at The Game Crafter: look at each picture there before you order")


def _product(sized: SizedJob, named: Shop) -> Shop:
    """Return the shop with the product of these cards' size; Refused if it has none."""
    from render.shops.profiles import NoProduct, for_cards

    try:
        return for_cards(named, sized.options.card_size, are_tokens=bool(sized.job.cut))
    except NoProduct as error:
        hint = "choose one of these with --card-size, or with `card_size` under `sheet` in set.yaml"
        if sized.suffix:
            key = "no `cut`" if sized.job.cut else "another `size`"
            kinds = dict.fromkeys(str(face.card.kind.value) for face in sized.job.faces)
            others = " and ".join(f"kind != '{kind}'" for kind in kinds)
            hint = f'give these cards {key} in game.yaml, or leave them out with --where "{others}"'
        raise Refused([Diagnostic("F024", f"{sized.job.title}: {error}", hint)]) from None


def _options(group: Chosen, wanted: Shop, given: Mapping[str, Any]) -> ShopOptions:
    from render.exports.shop_files import ShopOptions
    from render.shops.profiles import Copies, PictureShop

    copies, bleed_from, rich_black = given["copies"], given["bleed_from"], given["rich_black"]
    if copies and isinstance(wanted, PictureShop):
        raise click.UsageError("--copies is only for PDFs: for pictures, `order.csv` says how many of each to order")
    sources = {bleed_from} if bleed_from else {card_set.sheet.bleed_from for card_set, _ in group}
    if len(sources) > 1:
        raise click.UsageError("the sets have different `bleed_from`: choose one with --bleed-from")
    if rich_black and (isinstance(wanted, PictureShop) or wanted.press is None):
        raise click.UsageError(f"--rich-black is for CMYK: files for {wanted.title} are in RGB")
    if rich_black is None:
        rich_black = any(card_set.sheet.rich_black for card_set, _ in group)
    return ShopOptions(Copies(copies) if copies else None, sources.pop() if sources else "auto", rich_black)


def _orders_left(made: Sequence[Path], folder: Path, below: Path) -> Iterator[str]:
    """Remove orders that an earlier run made in more or fewer parts, and yield what to know of those of others."""
    from render.base.files import remove_file
    from render.exports.orders import other_orders

    for file, is_ours in other_orders(folder, made):
        if is_ours:
            remove_file(file, below)
        else:
            yield f"kotc did not make {file.name}, and MPC Autofill would order it, too: move it out of the folder"


def _advice(job: PrintJob, wanted: Shop, options: ShopOptions, orders: Sequence[str]) -> Iterator[str]:
    """Yield what to know for handing in the files."""
    from render.shops.profiles import Copies, OrderFile, PdfShop

    if not isinstance(wanted, PdfShop):
        width, height = wanted.pixels
        order = "order.csv says which back belongs to which front, and how many of each"
        if wanted.order is OrderFile.AUTOFILL:
            order = f"put the program into the folder and run it there; it reads {listed(orders, 'and')}".replace(
                "`", ""
            )
        yield f"{width} x {height} pixels, RGB; {order}"
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
                width, height = product.pixels if product else (0, 0)
                rows.append((each.name, "PNG", cards, f"{width} x {height} pixels", *edges, "RGB", "fronts, backs"))
                continue
            page = product and product.card.rect.outset(each.bleed)
            shape = f"{page.width:g} x {page.height:g} mm" if page else "the card and its bleed"
            press = each.press
            colors = f"{press.condition}, at most {press.ink_limit:g} % ink" if press else "sRGB"
            order = " then ".join(each.sides).lower()
            rows.append((each.name, each.standard.title, cards, shape, *edges, colors, order))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    for each in shops().values():
        if each.link:
            yield f"{each.name.ljust(widths[0])}  {each.checked}  {each.link}"

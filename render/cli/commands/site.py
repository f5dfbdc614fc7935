"""The command `site`: the cards of sets as pages for a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from render import __version__
from render.base.findings import plural
from render.cli.command import kotc_command
from render.cli.console import Number, say
from render.cli.options import Hire, worker_options
from render.cli.selection import (
    CARDS,
    DRAFTS,
    LANGUAGE,
    PATHS,
    WHERE,
    CardSelection,
    check_paths,
    out_option,
    without_drafts,
)

if TYPE_CHECKING:
    from render.exports.site_cards import Version

_THUMB_DPI = 110  # 275 pixels across for a card of 63.5 mm: as wide as a list shows it on most screens
_RECORD = "site.json"


@kotc_command(
    examples=(
        "kotc site cards/starter --out site",
        "kotc site cards/starter --where \"kind == 'spell'\" --title Spells",
        "kotc site cards/starter --history HEAD~1",
    ),
    is_timed=True,
)
@PATHS
@out_option("Folder of the site.  [default: site in the folder of outputs]", folder=True)
@click.option("--title", help="Name of the site.  [default: that of the only set]")
@click.option(
    "--url", metavar="ADDRESS", help="Address that the site will have, by which links to cards show a picture."
)
@click.option(
    "--theme",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="CSS file whose rules come after those of the site.",
)
@click.option(
    "--history",
    "versions",
    multiple=True,
    metavar="REVISION",
    help="Show on each card's page what has changed since this version, a revision of git; repeatable, oldest first.",
)
@click.option("--dpi", type=Number(72, 1200), default=300, show_default=True, help="Resolution in dots per inch.")
@CARDS
@WHERE
@LANGUAGE
@DRAFTS
@worker_options
def site(
    hire: Hire,
    /,
    paths: tuple[Path, ...],
    out: Path | None,
    title: str | None,
    url: str | None,
    theme: Path | None,
    versions: tuple[str, ...],
    dpi: float,
    ids: tuple[str, ...],
    where: str,
    language: str | None,
    *,
    drafts: bool,
) -> None:
    """Write a web site of sets and decks.

    It has all cards with a search, a page for each, and figures.

    The site opens from its folder, without a server, and works on any host. Every language of a set has its pages.
    Files that an earlier run wrote and that are no longer part of the site are removed.
    """
    from render.base.files import replace_file
    from render.base.reach import read_bounded
    from render.cli.selection import outputs_here
    from render.exports.site import SiteOptions, parts_of, site_files
    from render.game.sources import decks_of
    from render.png.canvas import Canvas
    from render.png.workers import make_all
    from render.png.writer import PngJob
    from render.scene.items import scene_digest

    if url is not None and not url.startswith(("http://", "https://")):
        raise click.BadParameter(f"expected http:// or https://, found `{url}`", param_hint="--url")
    files = tuple(file for path in check_paths(paths) for file in (decks_of(path) or [path]))
    chosen = CardSelection(files, ids, language, where).chosen()
    chosen = chosen if drafts else without_drafts(chosen)
    parts = parts_of([(card_set, drawn.faces) for card_set, drawn in chosen])
    folders = {card_set.folder: None for part in parts for card_set, _ in part.sets}
    history = _history(versions, folders, drafts=drafts)
    below, folder = (None, out) if out else (outputs_here(), outputs_here() / "site")
    before = _record_in(folder)
    replace_file(folder / _RECORD, _record(before), below)  # a run that is stopped leaves a site, too
    made: dict[str, str] = {}
    jobs: list[PngJob] = []
    for name, scene in ((name, scene) for part in parts for name, scene in part.scenes.items()):
        for kind, resolution in (("pictures", dpi), ("thumbs", float(_THUMB_DPI))):
            file = f"{kind}/{name}.webp"
            made[file] = _digest(repr((__version__, resolution, scene_digest(scene))).encode())
            if before.get(file) != made[file] or not (folder / file).is_file():
                jobs.append(
                    PngJob(file=folder / file, scene=scene, canvas=Canvas(resolution), digested=False, below=below)
                )
    with hire(len(jobs), hint="") as workers:
        failed = make_all(jobs, workers)
    if failed:
        raise failed[0].error
    replace_file(folder / _RECORD, _record({**before, **made}), below)
    address = f"{url.rstrip('/')}/" if url else ""
    options = SiteOptions(title or "", address, read_bounded(theme, 1_000_000) if theme else None, history)
    written = 0
    for name, data in site_files(parts, options):
        made[name] = _digest(data)
        if before.get(name) != made[name] or not (folder / name).is_file():
            replace_file(folder / name, data, below)
            written += 1
    _remove(folder, before.keys() - made.keys())
    replace_file(folder / _RECORD, _record(made), below)
    first = parts[0]
    said = [plural(len(first.cards), "card"), f"of {plural(len(first.sets), 'set')}"]
    said += [f"and {plural(len(first.decks), 'deck')}"] if first.decks else []
    said += [f"in {plural(len(parts), 'language')}"] if len(parts) > 1 else []
    changed = f"{plural(len(jobs), 'picture')} and {plural(written, 'page')} written"
    say(f"{' '.join(said)} in {folder} ({changed}); open {folder / 'index.html'}")


def _history(versions: Sequence[str], folders: Iterable[Path], *, drafts: bool) -> tuple[Version, ...]:
    """Return the versions of sets that pages of cards tell of; wrong usage if they cannot be had."""
    if not versions:
        return ()
    from render.build.compare import UnusableError
    from render.build.history import history_of

    try:
        return history_of(versions, list(folders), drafts=drafts)
    except UnusableError as error:
        raise click.BadParameter(str(error), param_hint="--history") from None


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:24]


def _record(files: Mapping[str, str]) -> bytes:
    return f"{json.dumps({'files': files}, indent=0)}\n".encode()


def _record_in(folder: Path) -> Mapping[str, str]:
    """Return the digests of the files of the site in a folder; wrong usage if something else lies there."""
    from render.base.reach import read_bounded

    data = read_bounded(folder / _RECORD, 100_000_000)
    try:
        files = json.loads(data or b"{}")["files"]
        return {str(name): str(digest) for name, digest in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        if folder.is_dir() and any(folder.iterdir()):
            message = f"`{folder}` holds files that are no site: name a new or an empty folder"
            raise click.BadParameter(message, param_hint="--out") from None
        return {}


def _remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files of an earlier site; names that lead elsewhere, in a record that somebody wrote, are passed over."""
    from contextlib import suppress

    from render.base.files import remove_empty_folder, remove_file

    for name in sorted(names):
        if re.fullmatch(_OWN, name):
            with suppress(OSError):  # it is gone already
                remove_file(folder / name, folder)
            remove_empty_folder((folder / name).parent, folder)


_OWN = r"(pictures|thumbs|cards|data)(/(?!\.\.?(/|$))[^/\\:\0]+)+"  # below these, and nowhere else, files are removed

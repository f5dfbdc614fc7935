"""kotc: trading cards of *Keeper of the Cards* from YAML to PNG and print-ready duplex PDF.

As a library, it offers what `__all__` names:

    import render

    report = render.check_sets("my-set")        # everything wrong or doubtful
    (card_set,) = render.load_sets("my-set")
    faces = render.lay_out_set(card_set).faces
    picture = render.draw_png(faces[0].front, dpi=300)
    render.write_sheets([card_set], "sheets.pdf")
    verdict = render.verify_files("sheets.pdf", [card_set])
    render.write_pngs([card_set], "pictures")
    render.build_sets("my-set", "out")

What writes files shares the work with the workers of an `executor`, if it is given one: a pool of `concurrent.futures`,
or that of a Dask cluster, `distributed.Client(...).get_executor()`. The files are the same.
A file or a folder to write may also be an address, as in `render.write_pngs([card_set], render.Address("s3://bucket/cards"))`.

Of files of other programs, it makes cards:

    imported = render.import_cards(["anubis.xcf", "thor.xcf"], "my-set")

These names, their arguments and the fields of what they return stay as they are until the next major version; so do the
codes of findings. All other modules may change with any version. The map of the package is `render/README.md`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from render.base.addresses import Address
    from render.base.findings import Finding, Refused
    from render.build.session import build_sets
    from render.exports.picture_files import write_pngs
    from render.exports.print_files import write_sheets
    from render.exports.verified import verify_files
    from render.game.cards import GameSet
    from render.game.faces import lay_out_set
    from render.game.sources import check_sets, load_sets
    from render.games.kotc.workshop.imports.import_files import import_cards
    from render.png.paint import draw_png
    from render.sheets.options import SheetOptions

__version__ = "0.1.0"

__all__ = [
    "Address",
    "Finding",
    "GameSet",
    "Refused",
    "SheetOptions",
    "__version__",
    "build_sets",
    "check_sets",
    "draw_png",
    "import_cards",
    "lay_out_set",
    "load_sets",
    "verify_files",
    "write_pngs",
    "write_sheets",
]

_HOMES = {
    "Address": "base.addresses",
    "Finding": "base.findings",
    "GameSet": "game.cards",
    "Refused": "base.findings",
    "SheetOptions": "sheets.options",
    "build_sets": "build.session",
    "check_sets": "game.sources",
    "draw_png": "png.paint",
    "import_cards": "games.kotc.workshop.imports.import_files",
    "lay_out_set": "game.faces",
    "load_sets": "game.sources",
    "verify_files": "exports.verified",
    "write_pngs": "exports.picture_files",
    "write_sheets": "exports.print_files",
}


def __getattr__(name: str) -> object:
    """Import what is asked for (PEP 562): `kotc --help` needs none of it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"render.{_HOMES[name]}"), name)

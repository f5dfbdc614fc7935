"""Sheets of our own that faults are put into, and that other programs save again: each written once, as `kotc` does."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from contextlib import chdir
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PIL import Image

from proofs.verified_sheets.right_sheets import pixels
from render.base.geometry import IDENTITY, Affine, Flip
from render.base.sizes import PAPERS
from render.exports.print_files import PrintJob
from render.exports.shop_files import ShopOptions, shop_files
from render.game.cards import for_press
from render.game.faces import lay_out_set
from render.games.kotc.sets import survey
from render.sheets.options import Backs, Crop, Registration, Structure
from render.shops.profiles import shops
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.sheet_files import SMALL, cards, written
from tests.support.templates import place, svg, with_plain_back

_HOME = TemporaryDirectory()


class Sheets(NamedTuple):
    """The files of a job by name, and the folder of the set that they show."""

    files: dict[str, bytes]
    folder: Path


# --- four cards of the game with pictures and text --------------------------------------------------------------------

FEW = """\
- {name: Gnu, kind: minion, level: 3, sp: 1, hp: 4, text: "GRAZE: When this card rests: Draw a card.", art: gnu.png}
- {name: Hen, kind: minion, level: 3, sp: 2, hp: 3, text: "PECK: When this card attacks: Target a card.", art: hen.jpg}
- {name: Imp, kind: pawn, copies: 2, back: none}
"""


@cache
def few() -> Path:
    """Return the folder of a set of four cards with pictures and text."""
    made = with_plain_back(write_set(Path(_HOME.name) / "few", FEW, "name: Few\nedition: 17\n"))
    for number, name in enumerate(("gnu.png", "hen.jpg")):
        picture = io.BytesIO()
        Image.linear_gradient("L").resize((675, 420)).rotate(180 * number + 8).convert("RGB").save(
            picture, "PNG" if name.endswith("png") else "JPEG"
        )
        (made / name).write_bytes(picture.getvalue())
    return made


# --- one card on a tint, for a press ----------------------------------------------------------------------------------

OX = """
<rect x="-5" y="-5" width="73.5" height="98.9" fill="#ffe0a0"/>
<image x="10" y="40" width="40" height="30" href="photo.jpg"/>
<image x="10" y="5" width="9" height="9" href="plain.png"/>
<text x="31.75" y="20" font-size="4">{{ card.name }}</text>
<text x="31.75" y="30" font-size="4" fill="#808080">grey</text>
<text x="10" y="80" font-size="4">e\N{COMBINING ACUTE ACCENT} \N{LATIN SMALL LETTER E WITH ACUTE} oe</text>
"""


@cache
def ox() -> Path:
    """Return the folder of a set of one card, with black text on a tint."""
    made = write_set(Path(_HOME.name) / "ox", "- {name: Ox, kind: pawn}\n", "name: One\nedition: 17\n")
    Image.linear_gradient("L").resize((400, 300)).convert("RGB").save(made / "photo.jpg", quality=90)
    Image.linear_gradient("L").resize((90, 90)).convert("RGB").rotate(45).save(made / "plain.png")
    return place(made, {"pawn.svg": svg(OX)})


@cache
def job(folder: Path, *, is_for_press: bool = False) -> PrintJob:
    """Return the faces of the cards of a folder."""
    sets, findings = survey([folder])
    assert not findings
    sets = list(map(for_press, sets)) if is_for_press else sets
    return PrintJob(tuple(sets), tuple(each for card_set in sets for each in lay_out_set(card_set).faces))


# --- a game of its own: pictures, gradients, what is seen through, two kinds of backs ---------------------------------

GARDEN_GAME = """\
name: Garden
fields: {text: {type: text}, points: {type: text}, hue: {type: text}, far: {type: text}}
kinds: {card: {fields: [text, points, hue, far]}}
"""
GARDEN = """\
- {name: Rose, points: "3", hue: "#c03048", art: rose.jpg, text: "Pick it, smell it, and keep it for one more turn."}
- {name: Fern, points: "5", hue: "#2f7d3a", art: fern.png, text: "Grows in the shade, where nobody looks.", back: far}
- {name: Moss, points: "1", hue: "#2f6f8c", art: moss.png, text: "Soft, patient, and older than the wall.", copies: 3}
- {name: Wall, points: "8", hue: "#7a5a30", art: wall.jpg, text: "It stands. It has always stood, they say.", back: far}
"""
GARDEN_FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">
<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0.3" y2="1">
<stop offset="0" stop-color="#dfefff"/><stop offset="0.5" stop-color="#fae0a0"/><stop offset="1" stop-color="#f0b8b0"/>
</linearGradient>
<linearGradient id="fade"><stop offset="0" stop-color="#203050"/><stop offset="1" stop-color="#203050" stop-opacity="0"/></linearGradient>
<clipPath id="round"><path d="M8 12 C20 6 44 6 56 14 C60 28 54 44 30 46 C10 44 4 30 8 12 Z"/></clipPath>
</defs>
<rect x="-4" y="-4" width="71.5" height="96.9" fill="url(#sky)"/>
<image x="5" y="12" width="53.5" height="34" preserveAspectRatio="xMidYMid slice" href="{{ card.art.href }}"/>
<g opacity="0.5" clip-path="url(#round)">
<circle cx="14" cy="16" r="7" fill="{{ card.hue }}"/><circle cx="19" cy="19" r="6" fill="#ffffff"/>
</g>
<rect x="5" y="50" width="53.5" height="30" fill="#fffdf6" stroke="{{ card.hue }}" stroke-width="0.5"/>
<rect x="5" y="82" width="53.5" height="3" fill="url(#fade)"/>
<text x="5" y="9" width="40" font-size="4.5" fill="{{ card.hue }}">{{ card.name }}</text>
<text x="58" y="9" font-size="5" text-anchor="end">{{ card.points }}</text>
<text x="7" y="55" width="49" height="24" font-size="3">{{ card.text }}</text>
</svg>
"""
NEAR = """\
<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">
<rect x="-4" y="-4" width="71.5" height="96.9" fill="#24506b"/>
<path d="M31.75 20 L52 44 L31.75 70 L11 44 Z" fill="#f0e6c8"/>
<text x="31.75" y="46" font-size="5" text-anchor="middle">Garden</text>
</svg>
"""
FAR = NEAR.replace("#24506b", "#6b2440")


@cache
def garden() -> Path:
    """Return the folder of a set of six cards with photos, drawings, gradients, opacity and two backs."""
    made = Path(_HOME.name) / "garden"
    (made / "templates").mkdir(parents=True)
    for name, text in {
        "game.yaml": GARDEN_GAME,
        "set.yaml": "name: Garden\n",
        "cards.yaml": GARDEN,
        "templates/card.svg": GARDEN_FRONT,
        "templates/back.svg": NEAR,
        "templates/far.svg": FAR,
    }.items():
        (made / name).write_text(text, encoding="utf-8")
    pixels("landscape", (640, 420)).save(made / "rose.jpg", quality=90)
    pixels("landscape", (600, 500)).save(made / "wall.jpg", quality=90)
    pixels("lines", (640, 420)).save(made / "fern.png")
    seen = pixels("hues", (500, 420)).convert("RGBA")
    seen.putalpha(Image.linear_gradient("L").resize(seen.size))
    seen.save(made / "moss.png")
    return made


# --- cards of the starter set, as they are ----------------------------------------------------------------------------


@cache
def starter() -> Path:
    """Return the folder of a set of the first six cards of the starter set, with their pictures and the shipped back."""
    made, shipped = Path(_HOME.name) / "starter", ROOT / "cards" / "starter"
    shutil.copytree(shipped / "art", made / "art")
    shutil.copy(shipped / "set.yaml", made)
    first = (shipped / "minions.yaml").read_text(encoding="utf-8").split("\n- id: ")[:6]
    (made / "cards.yaml").write_text("\n- id: ".join(first) + "\n", encoding="utf-8")
    return made


# --- the files ----------------------------------------------------------------------------------------------------------


def printed(folder: Path, *options: str) -> dict[str, bytes]:
    """Return the files that `kotc pdf` makes of a set, by name."""
    with TemporaryDirectory() as home:
        result = kotc("pdf", folder, "--out", Path(home) / "sheets.pdf", "--quiet", *options)
        assert result.exit_code == 0, result.output
        return {file.name: file.read_bytes() for file in sorted(Path(home).glob("*.pdf"))}


def _written(folder: Path | None, correction: Affine = IDENTITY, **options: Any) -> dict[str, bytes]:
    """Return the files of the cards of a folder, or else of the twelve cards of `sheet_files`."""
    press = options.get("standard", Structure.HOME) is not Structure.HOME
    with TemporaryDirectory() as home, chdir(home):
        files = written(correction, printed=job(folder, is_for_press=press) if folder else None, **options)
        return {file.name: file.read_bytes() for file in files}


def _for_a_shop() -> dict[str, bytes]:
    return dict(shop_files(job(few(), is_for_press=True), shops()["pdf-x4"], ShopOptions()))


_FEW = partial(_written, paper=SMALL)
_SILHOUETTE: dict[str, Any] = {"registration": Registration.SILHOUETTE, "grid": (2, 3), "crop_marks": Crop.OFF}
GARDEN_OPTIONS = {
    "garden": ("--paper", "150x210"),
    "garden bleed": ("--paper", "a4", "--bleed", "2"),
    "garden short": ("--paper", "150x210", "--flip", "short-edge"),
    "garden fold": ("--paper", "a3", "--backs", "fold"),
    "garden apart": ("--paper", "letter", "--backs", "separate"),
    "garden x-4": ("--paper", "150x210", "--standard", "x-4"),
    "garden x-1a": ("--paper", "150x210", "--standard", "x-1a"),
}
"""Options of `kotc pdf` by the name of the sheets that it makes of the garden."""

_WRITERS: dict[str, tuple[Callable[[], Path], Callable[[], dict[str, bytes]]]] = {
    "few": (few, lambda: _FEW(few())),
    "few bleed": (few, lambda: _FEW(few(), bleed=1.0)),
    "few fold": (few, lambda: _written(few(), backs=Backs.FOLD, paper=PAPERS["a3"])),
    "few silhouette": (few, lambda: _written(few(), paper=PAPERS["a4"], **_SILHOUETTE)),
    "shop": (few, _for_a_shop),
    "four": (cards, lambda: _written(None)),
    "four short": (cards, lambda: _written(None, flip=Flip.SHORT_EDGE)),
    "four fold": (cards, lambda: _written(None, backs=Backs.FOLD, paper=PAPERS["a3"], bleed=2.0)),
    "four corrected": (cards, lambda: _written(None, Affine.move(0.3, -0.1))),
    "four apart": (cards, lambda: _written(None, backs=Backs.SEPARATE)),
    "ox x-4": (ox, lambda: _FEW(ox(), standard=Structure.X_4)),
    "ox x-1a": (ox, lambda: _FEW(ox(), standard=Structure.X_1A)),
    "ox": (ox, lambda: _FEW(ox())),
    "starter": (starter, lambda: printed(starter(), "--paper", "a4")),
    "starter letter": (starter, lambda: printed(starter(), "--paper", "letter", "--bleed", "1.5")),
}


@cache
def sheets(name: str) -> Sheets:
    """Return the sheets of that name: the set that they show, and how they are written."""
    if name in GARDEN_OPTIONS:
        return Sheets(printed(garden(), *GARDEN_OPTIONS[name]), garden())
    folder, write = _WRITERS[name]
    return Sheets(write(), folder())

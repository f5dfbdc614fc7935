"""A set that was built and printed, and what is printed of it when it is compared with that."""

import re
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2

from tests.support.builds import built, copied
from tests.support.sets import write_set
from tests.support.sheet_files import verified
from tests.support.templates import place, svg

SET = "name: Test\nedition: 17\noutputs: {png: {dpi: 72}, sheets: true}\nsheet: {slug: false}\n"
CARDS = """
- {name: Thor, kind: minion, level: 1, sp: 1, hp: 0}
- {name: Odin, kind: minion, level: 2, sp: 2, hp: 0, copies: 3}
- {name: Tyr, kind: spell, level: 2, text: Draw 1 card.}
- {name: Loki, kind: spell, level: 4, text: Draw 2 cards., copies: 2}
"""
NAMES = ("Thor", "Odin", "Tyr", "Loki", "Freya")
WORD = '<text id="name" x="30" y="20" text-anchor="middle" font-size="5">{{ card.name }} {{ card.level }}</text>'
FREYA = "- {name: Freya, kind: spell, level: 9, text: Heal.}"
BOX = '<rect x="10" y="30" width="40" height="20" fill="#336699"/>'
SAME_BOX = '<path d="M 10 30 v 20 h 40 v -20 z" fill="#336699"/>'  # the other way round
DOT = '<rect x="20" y="70" width="0.3" height="0.3" fill="#000000"/>'  # at 72 dpi it is seen in one pixel
BACK = '<rect x="-5" y="-5" width="73.5" height="98.9" fill="#c03030"/>'
SAME_BACK = '<rect x="-6" y="-6" width="75.5" height="100.9" fill="#c03030"/>'


def templates(folder: Path, **contents: str) -> Path:
    return place(folder, {f"{name}.svg": svg(content) for name, content in contents.items()})


def printed_set(home: Path) -> Path:
    """Return the folder of a set of four cards, seven copies, built; `printed.json` is a copy of its manifest."""
    copied(_printed_once(), home)
    return home / "set"


@cache
def _printed_once() -> Path:
    """Return a folder with such a set and its outputs."""
    home = Path(_HOME.name)
    folder = templates(write_set(home / "set", CARDS, SET), minion=WORD + BOX, spell=WORD + BOX, back=BACK)
    built(folder)
    shutil.copy(out(folder) / ".kotc.json", home / "printed.json")
    return home


_HOME = TemporaryDirectory()


def out(folder: Path) -> Path:
    return folder.parent / "out" / folder.name


def change(folder: Path, *changes: tuple[str, str], name: str = "cards.yaml") -> None:
    text = (folder / name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / name).write_text(text, encoding="utf-8")


def since(folder: Path, *flags: str, what: str = "printed.json") -> str:
    """Build and return what is said of the changes."""
    said = built(folder, "--out", "out", "--changed-since", what, *flags).splitlines()[-1]
    assert said.startswith(f"since {what}: ")
    return said.removeprefix(f"since {what}: ").replace(f"{out(folder).relative_to(Path.cwd())}/", "")


def printed(folder: Path, name: str = "changed.pdf", step: int = 2) -> dict[str, int]:
    """Return how often each card is on the fronts of a file, as PDFium reads its text; it passes `verify`."""
    file = out(folder) / name
    if not file.exists():
        return {}
    assert verified(file).exit_code == 0
    with pypdfium2.PdfDocument(file) as pdf:
        words = " ".join(pdf[number].get_textpage().get_text_range() for number in range(0, len(pdf), step))
    return dict(Counter(re.findall("|".join(NAMES), words)))


def changed_odin(folder: Path) -> Path:
    """Change the picture of a card that has three copies."""
    change(folder, ("level: 2, sp: 2", "level: 3, sp: 2"))
    return folder


ODIN = "1 card changed (odin): 3 copies on 1 sheet in changed.pdf"
NOTHING = "no card changed: nothing to print"

"""Sets and folders of outputs with links of every kind: whatever a command does, nobody else's files are touched."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from PIL import Image

from proofs.hostile.bounds import Attempt, Case, Sentinels
from tests.support.sets import kotc

SET = "name: Test\nedition: 17\nback: back.png\noutputs: {png: {dpi: 72}, sheets: true, gallery: true}\n"
CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, art: art/a.png, credit: A}
- {name: Two, kind: spell, level: auto, text: Draw 1 card.}
"""
MINION = '{% extends "kotc/minion.svg" %}{% block symbols %}{% include "mark.svg" %}{% endblock %}'
MARK = '<circle cx="30" cy="40" r="2" fill="#ff0000"/>'
DECK = "name: Deck\nedition: 17\nsets: [cards/set]\ncards: {one: 2}\n"

IN_SET = (
    "cards/set", "cards/set/set.yaml", "cards/set/cards.yaml", "cards/set/more.yaml", "cards/set/templates",
    "cards/set/templates/minion.svg", "cards/set/templates/mark.svg", "cards/set/templates/frame.svg",
    "cards/set/minion.svg", "cards/set/back.png", "cards/set/art", "cards/set/art/a.png", "cards/set/editions",
    "cards/set/editions/17.yaml", "cards/other", "cards", "editions", "editions/18.yaml", "editions/17.yaml",
)  # fmt: skip
IN_OUT = (
    "out", "out/set", "out/.kotc.lock", "out/.kotc.rebuild", "out/rebuild-to-18.html", "out/calibration.pdf",
    "out/set/.kotc.lock", "out/set/.kotc.json", "out/set/.kotc.journal", "out/set/png", "out/set/png/one.png",
    "out/set/png/two.png", "out/set/sheets.pdf", "out/set/changed.pdf", "out/set/gallery.html",
    "out/set/makeplayingcards", "out/set/makeplayingcards/fronts", "out/set/makeplayingcards/order.csv",
    "out/set/pdf-a2b", "out/set/pdf-a2b/cards.pdf", "out/set/png/.one.png.kotc-1-abcd1234.part",
)  # fmt: skip
COMMANDS = (
    ("check",), ("build",), ("build", "--verify"), ("build", "--dry-run", "--explain"),
    ("build", "--changed-since", "out"), ("build", "--changed-since", "out/set/.kotc.json"), ("png",), ("pdf",),
    ("pdf", "--blank", "minion:1"), ("shop", "makeplayingcards"), ("shop", "pdf-a2b"), ("migrate", "--to", "18"),
    ("upgrade", "--to", "18"), ("upgrade", "--to", "18", "--dry-run"), ("deck", "deck.yaml", "--pdf", "deck.pdf"),
    ("explain",), ("calibrate", "--paper", "a4"), ("edition", "show", "17"),
    ("cut", "--out", "cut.svg"), ("table", "--for", "folder", "--out", "table"),
)  # fmt: skip


def outside(home: Path) -> Path:
    """Return the folder of somebody else's files: not below that in which commands are run."""
    return home.with_name(f"{home.name}-outside")


def cases(seed: int) -> Iterator[Case]:
    """Yield sets with links, one or a few in each, and commands that come upon them."""
    chance = random.Random(seed)
    while True:
        yield _case(random.Random(chance.random()))


def _case(chance: random.Random) -> Case:
    places = chance.sample(IN_SET + IN_OUT, chance.choice((1, 1, 1, 2, 4)))
    planned = [(place, chance.choice(KINDS), chance.random()) for place in places]
    is_built, is_changed = chance.random() < 0.6, chance.random() < 0.5
    guards: list[Sentinels] = []

    def write(folder: Path) -> None:
        shutil.copytree(_made(built=is_built), folder, dirs_exist_ok=True)
        if is_changed:
            (folder / "cards/set/cards.yaml").write_text(CARDS.replace("level: 1", "level: 2").replace("Two", "Zwei"))
        guards.append(Sentinels(outside(folder)))
        for place, kind, number in planned:
            _in_place(folder / place, folder, kind, random.Random(number))
        guards[-1].touched()

    def check(folder: Path, _attempts: Sequence[Attempt]) -> list[str]:
        touched = guards[-1].touched()
        guards.pop().close()
        shutil.rmtree(outside(folder))
        return touched

    name = ", ".join(f"{kind.__name__} at {place}" for place, kind, _ in planned)
    return Case(f"{name}{' (built)' if is_built else ''}", write, tuple(chance.sample(COMMANDS, 3)), check)


@cache
def _made(*, built: bool) -> Path:
    """Return a folder with a set and a deck, and what was built of it."""
    home = Path(mkdtemp(prefix="kotc-hostile-"))
    folder = home / "cards/set"
    (folder / "templates").mkdir(parents=True)
    (folder / "art").mkdir()
    (folder / "set.yaml").write_text(SET)
    (folder / "cards.yaml").write_text(CARDS)
    (folder / "templates/minion.svg").write_text(MINION)
    (folder / "templates/mark.svg").write_text(MARK)
    (home / "deck.yaml").write_text(DECK)
    Image.new("RGB", (700, 430), "red").save(folder / "art/a.png")
    Image.new("RGB", (635, 889), "blue").save(folder / "back.png")
    if built:
        result = kotc("build", folder, "--out", home / "out")
        assert result.exit_code == 0, result.output
    return home


Put = Callable[[Path, Path, random.Random], object]


def _in_place(file: Path, home: Path, kind: Put, chance: random.Random) -> None:
    """Put something in the place of a file or folder."""
    try:
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        file.unlink(missing_ok=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        kind(file, home, chance)
    except OSError:  # what lies above it is another of the links
        return


def _foreign(file: Path, home: Path, chance: random.Random) -> Path:
    """Return something outside that would do in the place of the file."""
    names = [".bashrc", "id_rsa", "minion.svg", "cards.yaml", "set.yaml", "picture.png", "sheets.pdf", "not-there"]
    return outside(home) / ("" if file.suffix == "" and chance.random() < 0.8 else chance.choice(names))


def absolute(file: Path, home: Path, chance: random.Random) -> None:
    file.symlink_to(_foreign(file, home, chance))


def relative(file: Path, home: Path, chance: random.Random) -> None:
    file.symlink_to(os.path.relpath(_foreign(file, home, chance), file.parent))


def chain(file: Path, home: Path, chance: random.Random) -> None:
    step = home / f"step-{chance.randrange(1000)}"
    step.symlink_to(_foreign(file, home, chance))
    file.symlink_to(os.path.relpath(step, file.parent))


def roundabout(file: Path, home: Path, chance: random.Random) -> None:
    way = os.path.relpath(_foreign(file, home, chance), home)
    file.symlink_to(f"{os.path.relpath(home, file.parent)}/cards/../{way}")


def by_process(file: Path, home: Path, chance: random.Random) -> None:
    file.symlink_to(f"/proc/self/cwd/{os.path.relpath(_foreign(file, home, chance), home)}")


def handle(file: Path, _: Path, chance: random.Random) -> None:
    file.symlink_to(f"/proc/self/fd/{chance.randrange(12)}")


def circle(file: Path, *_: object) -> None:
    file.symlink_to(file.name)


def above(file: Path, *_: object) -> None:
    file.symlink_to("..")


def root(file: Path, *_: object) -> None:
    file.symlink_to("/")


def device(file: Path, _: Path, chance: random.Random) -> None:
    file.symlink_to(chance.choice(("/dev/zero", "/dev/full", "/dev/stdin", "/dev/urandom", "/dev/null")))


def pipe(file: Path, *_: object) -> None:
    os.mkfifo(file)


def second_name(file: Path, home: Path, chance: random.Random) -> None:
    os.link(_foreign(file.with_suffix(".x"), home, chance), file)


def inside(file: Path, home: Path, *_: object) -> None:
    file.symlink_to(os.path.relpath(home / "cards/set/cards.yaml", file.parent))


KINDS = (
    absolute, relative, chain, roundabout, by_process, handle, circle, above, root, device, pipe, second_name, inside,
)  # fmt: skip

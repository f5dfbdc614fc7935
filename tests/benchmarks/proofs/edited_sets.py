"""After random edits, builds that use the store make what a fresh build without it makes, byte for byte; run by hand.

`python tests/benchmarks/prove.py edited_sets --edits 1000 --seed 1` edits a small set a thousand times, or a copy of another:
texts, numbers, names, colors, the order and copies of cards, cards themselves, lines above them, templates, pictures,
`set.yaml`. Some builds run twice at once with one store, some are killed at a random moment, and some find outputs gone, a
store that was emptied, or one that may keep little. Others do without the store, which then has only what was drawn before,
or find no record of what was built. Every few edits, all files are compared with those of a fresh build in another folder,
and what `check`, `png` and `pdf` make with the store with what they make without. An edit that is an error must be the same
error for all, and is taken back.

`--fault KIND` lets the keys of the store say nothing of some files or options. That must be found.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import yaml
from msgspec.structs import replace
from PIL import Image, ImageOps

from proofs.fuzzed_builds import unequal
from render.build import finished
from render.build.inputs import Inputs
from render.build.outputs import Keys
from render.game import known_cards
from render.game.cards import GameSet
from render.pdf import pictures
from render.sheets.options import SheetOptions
from tests.support.builds import ended, forked, tree
from tests.support.repository import ROOT
from tests.support.sets import kotc

_WORDS = ("lamp", "again", "moth", "very", "nobody", "once", "seventeen", "salt")
_NAMES = ("Ash", "Birch", "Cedar", "Dune", "Elder", "Flint", "Gale", "Heath")
# A card whose PNG is stale is drawn, whatever the store has: most of the time, sheets are asked for alone.
_OUTPUTS: tuple[Any, ...] = (
    *[{"sheets": True}] * 3,
    {"png": {"dpi": 72}, "sheets": True},
    {"png": {"dpi": 90, "bleed": 2}, "sheets": True, "gallery": True},
    {"sheets": True, "shops": ["pdf-a2b"]},
)
_SHEETS: tuple[Any, ...] = (
    {}, {}, {"bleed": 1}, {"bleed": 2, "grid": "2x2"}, {"sheets_per_file": 1}, {"paper": "letter", "flip": "short-edge"},
    {"backs": "separate"}, {"slug": False}, {"bleed_backs": 3}, {"art_dpi": 150}, {"standard": "x-1a"}, {"standard": "x-4"},
    {"proof": "low-ink"}, {"bleed_from": "#aa3355"},
)  # fmt: skip
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")


def edit(folder: Path, chance: Random) -> str:
    """Change something in a set, and return what."""
    return chance.choice(_EDITS)(folder, chance)


def _card_file(folder: Path, chance: Random) -> Path:
    return chance.choice([each for each in sorted(folder.glob("*.yaml")) if each.stem not in ("set", "game")])


def _one_of(files: list[Path], chance: Random) -> Path:
    """Return one of some files: first a folder is chosen, since templates and fonts are few, and pictures many."""
    folder = chance.choice(sorted({each.parent for each in files}))
    return chance.choice([each for each in files if each.parent == folder])


def _replace_one(file: Path, pattern: str, new: Callable[[re.Match[str]], str], chance: Random) -> str:
    """Replace one of the places in a file that are like a pattern."""
    text = file.read_text(encoding="utf-8")
    places = [*re.finditer(pattern, text)]
    if not places:
        return f"{file.name}: nothing"
    place = chance.choice(places)
    file.write_text(text[: place.start()] + new(place) + text[place.end() :], encoding="utf-8")
    return f"{file.name}: {place[0]!r} is {new(place)!r}"


def _change_word(folder: Path, chance: Random) -> str:
    word = chance.choice(_WORDS)
    return _replace_one(_card_file(folder, chance), r"(?<=[a-z] )[a-z]{3,}(?= [a-z])", lambda _: word, chance)


def _change_name(folder: Path, chance: Random) -> str:
    name = chance.choice(_NAMES)
    return _replace_one(_card_file(folder, chance), r"(?<=name: )[A-Z]\w+", lambda _: name, chance)


def _change_number(folder: Path, chance: Random) -> str:
    number = str(chance.randrange(12))
    return _replace_one(_card_file(folder, chance), r"(?<=: )\d{1,2}\b", lambda _: number, chance)


def _change_color(folder: Path, chance: Random) -> str:
    """Change a color of a card, a template, a drawing or the game."""
    files = [each for each in sorted(folder.rglob("*")) if each.suffix in (".svg", ".yaml")]
    color = f"#{chance.randrange(1 << 24):06x}"
    return _replace_one(_one_of(files, chance), r"#[0-9a-fA-F]{6}\b", lambda _: color, chance)


def _move_cards(folder: Path, chance: Random) -> str:
    """Put cards in another order, write one twice under another name, leave one out, or move one to another file."""
    file, other = _card_file(folder, chance), _card_file(folder, chance)
    head, *cards = _cards_of(file)
    match way := chance.choice(("order", "turned", "more", "less", "elsewhere")):
        case "order":
            chance.shuffle(cards)
        case "turned":
            cards.reverse()
        case "more" if cards:
            number, new = chance.randrange(1000), chance.choice(cards)
            new = re.sub(r"\bid: ([\w-]+)", rf"id: \1-{number}", re.sub(r"\bname: (\w+)", rf"name: \1 {number}", new))
            cards.insert(chance.randrange(len(cards) + 1), new)
        case "less" if len(cards) > 4:
            del cards[chance.randrange(len(cards))]
        case "elsewhere" if cards and other != file:
            other.write_text("".join([*_cards_of(other), cards.pop()]), encoding="utf-8")
    file.write_text("".join([head, *cards]), encoding="utf-8")
    return f"{file.name}: {way}"


def _cards_of(file: Path) -> list[str]:
    """Return what stands above the cards of a file, and the text of each card."""
    text = file.read_text(encoding="utf-8")
    return re.split(r"(?m)^(?=- )", text if text.endswith("\n") else f"{text}\n")


def _change_copies(folder: Path, chance: Random) -> str:
    file = _card_file(folder, chance)
    head, *cards = _cards_of(file)
    if not cards:
        return f"{file.name}: no card"
    at, copies = chance.randrange(len(cards)), chance.randrange(4)
    old = re.sub(r",? *\bcopies: \d+,?|^  copies: \d+\n", "", cards[at], flags=re.MULTILINE)
    cards[at] = re.sub(
        r"\A- (\{?)", lambda begin: f"- {begin[1]}copies: {copies}{',' if begin[1] else chr(10) + ' '} ", old
    )
    file.write_text("".join([head, *cards]), encoding="utf-8")
    return f"{file.name}: {copies} copies"


def _insert_lines(folder: Path, chance: Random) -> str:
    """Write lines above everything, or above a card, so that others only stand elsewhere."""
    file = _card_file(folder, chance)
    parts = _cards_of(file)
    parts.insert(chance.randrange(len(parts)), chance.choice(("\n", "# a line\n", "# several\n\n\n# lines\n")))
    file.write_text("".join(parts), encoding="utf-8")
    return f"{file.name}: lines above"


def _change_picture(folder: Path, chance: Random) -> str:
    pictures = [each for each in sorted(folder.rglob("*")) if each.suffix in _PICTURES]
    if not pictures:
        return _exchange(folder, chance)
    file = chance.choice(pictures)
    with Image.open(file) as image:
        way = chance.choice((ImageOps.mirror, ImageOps.flip, ImageOps.invert))
        way(image.convert("RGB")).save(file)
    return f"{file.name}: {way.__name__}"


def _exchange(folder: Path, chance: Random) -> str:
    """Give two files of a kind, such as pictures or fonts, each other's contents."""
    files = [each for each in sorted(folder.rglob("*")) if each.is_file() and each.suffix != ".yaml"]
    one = _one_of(files, chance)
    other = chance.choice([each for each in files if (each.parent, each.suffix) == (one.parent, one.suffix)])
    data = one.read_bytes(), other.read_bytes()
    other.write_bytes(data[0])
    one.write_bytes(data[1])
    return f"{one.name} and {other.name} exchanged"


def _touch(folder: Path, chance: Random) -> str:
    file = chance.choice([each for each in sorted(folder.rglob("*")) if each.is_file()])
    os.utime(file)
    return f"{file.name} touched"


def _own_template(folder: Path, chance: Random) -> str:
    """Give a set of the built-in game a template of its own, or take it away."""
    if (folder / "game.yaml").exists():
        return _change_color(folder, chance)
    template = chance.choice(sorted((ROOT / "templates/kotc").glob("*.svg")))
    own = folder / "templates" / template.name
    own.parent.mkdir(exist_ok=True)
    if own.exists():
        own.unlink()
    else:
        shutil.copyfile(template, own)
        _replace_one(own, r"#[0-9a-fA-F]{6}\b", lambda _: f"#{chance.randrange(1 << 24):06x}", chance)
    return f"templates/{own.name}"


def _change_set(folder: Path, chance: Random) -> str:
    """Change outputs, the way of printing, or the name of the set."""
    file = folder / "set.yaml"
    said = yaml.safe_load(file.read_text(encoding="utf-8"))
    key, values = chance.choice((("outputs", _OUTPUTS), *[("sheet", _SHEETS)] * 3, ("name", _NAMES)))
    said[key] = chance.choice(values)
    file.write_text(yaml.safe_dump(said, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return f"set.yaml: {key} {said[key]}"


_EDITS = (
    *[_change_word] * 5, *[_change_name] * 2, *[_change_number] * 3, *[_change_color] * 4, *[_move_cards] * 3,
    *[_change_copies] * 2, *[_insert_lines] * 2, *[_change_picture] * 2, *[_exchange] * 3, _touch, _own_template,
    *[_change_set] * 3,
)  # fmt: skip


class EditedSet:
    """A copy of a set in a folder, which is edited and built there, in a process of its own each time."""

    def __init__(self, source: Path | None, home: Path, chance: Random) -> None:
        self._home, self._chance = home, chance
        self._folder = shutil.copytree(source, home / source.name) if source else _write_small_set(home / "small")
        _move_outputs(self._folder)
        self._good = _contents(self._folder)
        self._longest = 1.0  # seconds of a build
        self._others = [each for each in (("check",), ("png", "--dpi", "72"), ("pdf",)) if _knows_store(each[0])]
        self.done: list[str] = []  # since what was last compared
        self.ways = Counter[str]()

    def step(self, *, compare: bool) -> Iterator[str]:
        """Edit the set, build it somehow, and yield what differs from a fresh build, if that is asked."""
        self.done.append(edit(self._folder, self._chance))
        way = self._chance.choices(
            ("one", "two", "killed", "forced", "lost", "without", "gone", "emptied", "little"),
            (45, 12, 12, 2, 6, 12, 6, 1, 1),
        )[0]
        self.ways[way] += 1
        self.done[-1] += f" ({way})"
        match way:
            case "two":
                pids = [self._build("out"), self._build("other")]
                if len({*map(ended, pids)}) > 1:
                    yield "two builds at once do not end alike"
            case "killed":
                pid = self._build("out")
                time.sleep(self._chance.uniform(0, self._longest))
                os.kill(pid, signal.SIGKILL)
                ended(pid)
            case "forced":
                ended(self._build("out", "--force"))
            case "lost":
                made = sorted((self._home / "out").rglob("[!.]*.*"))
                for file in self._chance.sample(made, min(2, len(made))):
                    file.unlink()
            case "without":  # the record goes on, and the store stays behind
                ended(self._build("out", "--no-store"))
            case "gone":
                shutil.rmtree(self._home / "out", ignore_errors=True)
            case "emptied":
                kotc("store", "--clear")
            case "little":
                kotc("store", "--most", self._chance.choice((1, 1000)))
        if compare:
            yield from self._compare()

    def _build(self, out: str, *flags: str) -> int:
        said = self._home / f"{out}.txt"
        workers = self._chance.choice(("1", "1", "2"))
        return forked("build", self._folder, "--out", self._home / out, "--workers", workers, *flags, said=said)

    def _compare(self) -> Iterator[str]:
        began = time.monotonic()
        outs = self._chance.choice((["out"], ["out", "other"], ["out", "empty"]))  # the last knows the store alone
        statuses = [ended(pid) for pid in [self._build(out) for out in outs]]
        self._longest = max(time.monotonic() - began, 0.2)
        statuses.append(ended(self._build("fresh", "--no-store")))
        if len({*statuses}) > 1:
            yield f"statuses {statuses}: {self._said(outs[0])} {self._said('fresh')}"
        elif statuses[0]:
            if self._said("out") != self._said("fresh"):
                yield f"messages: {self._said('out')} {self._said('fresh')}"
        else:
            for out in outs:
                if wrong := unequal(self._home / out, self._home / "fresh"):
                    yield f"files of {out}: {wrong}"
            yield from self._other_commands()
        for out in ("fresh", "empty"):
            shutil.rmtree(self._home / out, ignore_errors=True)
        if statuses[-1]:
            _restore(self._folder, self._good)
            self.ways["wrong, and taken back"] += 1
        else:
            self._good = _contents(self._folder)

    def _said(self, out: str) -> str:
        return (self._home / f"{out}.txt").read_text(encoding="utf-8").replace(f"{self._home / out}", "OUT")

    def _other_commands(self) -> Iterator[str]:
        """Yield what differs if other commands use the store; those that know none do not differ."""
        out = self._home / "made"
        for command, *options in self._others:
            if command != "pdf" and self._chance.random() < 0.7:  # which has no record: the store alone decides
                continue
            made = []
            for flags in ((), ("--no-store",)):
                target = {"check": [], "png": ["--out", str(out)], "pdf": ["--out", f"{out}/cards.pdf"]}[command]
                out.mkdir()
                pid = forked(command, self._folder, *options, *target, *flags, said=self._home / "made.txt")
                status = ended(pid)
                made.append((status, (self._home / "made.txt").read_text(encoding="utf-8"), tree(out)))
                shutil.rmtree(out)
            if made[0] != made[1]:
                yield f"{command}: {made}"


def _write_small_set(folder: Path) -> Path:
    """Write a set of five cards with a template, two fonts, and pictures of three kinds, and return its folder."""
    shutil.copytree(ROOT / "cards/windfall", folder)
    (folder / "fonts").mkdir()
    for name in ("VollkornLining-Regular.ttf", "VollkornLining-Bold.ttf"):
        shutil.copy(ROOT / "cards/fivewinds/fonts" / name, folder / "fonts")
    with (folder / "game.yaml").open("a", encoding="utf-8") as game:
        game.write("fonts: {title: {file: fonts/VollkornLining-Regular.ttf}}\n")
    template, file = folder / "templates/thing.svg", folder / "cards.yaml"
    words = template.read_text(encoding="utf-8").replace('id="name"', 'id="name" font-family="title"')
    template.write_text(words, encoding="utf-8")
    cards = "".join(_cards_of(file)[:6]).replace("apple.svg", "apple.png").replace("acorn.svg", "acorn.jpg")
    file.write_text(cards, encoding="utf-8")
    picture = Image.radial_gradient("L").resize((600, 400))
    for name in ("apple.png", "acorn.jpg"):
        ImageOps.colorize(picture, "white", "teal").save(folder / "art" / name)
    for art in (folder / "art").iterdir():
        if art.name not in cards and art.stem != "back":
            art.unlink()
    return folder


def _knows_store(command: str) -> bool:
    return "--no-store" in kotc(command, "--help").output


def _move_outputs(folder: Path) -> None:
    """Let builds make sheets alone."""
    file = folder / "set.yaml"
    said = yaml.safe_load(file.read_text(encoding="utf-8"))
    said["outputs"] = _OUTPUTS[0]
    file.write_text(yaml.safe_dump(said, sort_keys=False, allow_unicode=True), encoding="utf-8")


def _contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def _restore(folder: Path, contents: dict[Path, bytes]) -> None:
    """Write what was changed as it was, and take away what was not there."""
    now = _contents(folder)
    for file in now.keys() - contents.keys():
        file.unlink()
    for file, data in contents.items():
        if now.get(file) != data:
            file.write_bytes(data)


def differences(source: Path | None, seed: int, home: Path, edits: int, every: int) -> Iterator[str]:
    """Yield how builds of a set after edits differ from fresh ones; each `every`-th edit is compared, and the last."""
    edited = EditedSet(source, home, Random(seed))
    for number in range(1, edits + 1):
        for found in edited.step(compare=number % every == 0 or number == edits):
            yield f"edit {number}, after {edited.done}: {found}"
        if number % every == 0:
            edited.done.clear()
        if number % 20 == 0 or number == edits:
            print(f"{number} edits: {dict(edited.ways)}", file=sys.stderr, flush=True)


# --- faults -----------------------------------------------------------------------------------------------------------


def _forget_files(*endings: str) -> None:
    """Let the keys of faces and cards say nothing of what is in files with these endings."""

    class Blind(Inputs):
        def __init__(self, inputs: Inputs) -> None:
            self.__dict__ = inputs.__dict__

        def peek(self, label: str) -> str:
            return "" if label.endswith(endings) else super().peek(label)

    def init(keys: Any, card_set: GameSet, inputs: Inputs, *others: Any) -> None:
        make(keys, card_set, inputs, *others)
        if not isinstance(inputs, Blind):
            blind = Keys(card_set, Blind(inputs), *others)
            keys.sides = blind.sides

    make, stamp = Keys.__init__, known_cards.stamp
    Keys.__init__ = init  # type: ignore[method-assign, assignment]
    known_cards.stamp = lambda file: (file, 0, 0, 0, 0) if file.endswith(endings) else stamp(file)


def _forget_look() -> None:
    """Let the keys of faces say nothing of how sheets show them."""
    key = finished._key
    finished._key = lambda made_of, side, sheet: key(made_of, (side[0], 0.0), SheetOptions())


def _forget_size() -> None:
    """Let the keys of pictures say nothing of their size."""
    key = pictures._Packing._key
    pictures._Packing._key = lambda self, each: key(self, replace(each, size=(1, 1)))  # type: ignore[method-assign]


FAULTS: dict[str, Callable[[], None]] = {
    "template": partial(_forget_files, ".svg"),
    "font": partial(_forget_files, ".ttf", ".otf"),
    "picture": partial(_forget_files, *_PICTURES),
    "look": _forget_look,
    "size": _forget_size,
}


def main() -> None:
    """Try as many edits as wanted, and say each difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "set", type=Path, nargs="?", help="folder of a set; without it, a small one that has everything"
    )
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=4, help="compare after so many edits")
    parser.add_argument("--fault", choices=FAULTS, help="let the keys of the store say too little")
    asked = parser.parse_args()
    if asked.fault:
        FAULTS[asked.fault]()
    told = 0
    with tempfile.TemporaryDirectory() as home:
        os.environ["KOTC_STORE"] = f"{home}/store"
        for found in differences(asked.set, asked.seed, Path(home), asked.edits, asked.every):
            told += 1
            print(found, flush=True)
            if asked.fault:
                break
    print(f"{asked.edits} edits, {told} differences")
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()

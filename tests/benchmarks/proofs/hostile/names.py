"""Names: of folders, card files, templates, pictures, cards and sets, with bytes that no text has, words that mean
something to somebody, and streams that cannot show them."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from PIL import Image

from proofs.hostile.bounds import Attempt, Case
from tests.support.picture_files import in_bytes

PIECES: tuple[str, ...] = (
    *(
        "a",
        "b",
        "Wolf",
        "thor",
        ".",
        "..",
        " ",
        "-",
        "--",
        "--out",
        "con",
        "nul",
        "set",
        "templates",
        "editions",
        "cards",
    ),
    *(
        "<",
        ">",
        "<x>",
        "<fonts>",
        "<templates>",
        "<here>",
        "&",
        "'",
        '"',
        "`",
        "\\",
        "#",
        "%",
        "%s",
        "{}",
        "{0}",
        "${x}",
    ),
    *("~", "$HOME", "*", "?", "[", "]", "|", ";", ":", "=", ",", "@", "\n", "\r", "\t", "\x1b[31m", "\x7f"),
    *("ä", "ß", "İ", "ı", "日本", "😀", "\u202e", "\u200b", "\u0301", "é", "e\u0301"),
    *(".kotc", ".json", ".svg", ".png", ".pdf", ".YAML", ".part"),
    *("\udcff", "\udc80", "\udcfc", "\udcc3", "\udce2\udc82"),
)
"""What names are put together of; the last row are bytes that are no UTF-8, as Python has them."""

KINDS = ("minion", "spell", "pawn", "tip")
COMMANDS = (
    ("check", "{}"),
    ("check", "{}", "--format", "json"),
    ("check", "{}", "--format", "github"),
    ("build", "{}", "--out", "{out}"),
    ("build", "{}", "--out", "{out}", "--explain"),
    ("build", "{}", "--out", "{out}", "--verify"),
    ("pdf", "{}", "--out", "{out}/a.pdf"),
    ("pdf", "{}", "--blank", "tip"),
    ("png", "{}"),
    ("cut", "{}", "--out", "{out}/a.svg"),
    ("table", "{}", "--for", "tabletop-simulator", "--out", "{out}/t"),
    ("table", "{}", "--for", "tabletop-simulator", "--out", "{out}/u", "--url", "https://example.org/{out}"),
    ("table", "{}", "--for", "folder", "--out", "{out}/f"),
    ("shop", "drivethrucards", "{}", "--out", "{out}/s"),
    ("shop", "makeplayingcards", "{}"),
    ("explain", "{}", "--format", "json"),
    ("explain", "{out}"),
    ("migrate", "{}", "--to", "17", "--dry-run"),
    ("migrate", "{}", "--to", "17", "--report", "{out}/r.html"),
    ("upgrade", "{}", "--to", "17", "--out", "{out}"),
    ("deck", "{out}.yaml"),
    ("verify", "{out}/a.pdf", "--set", "{}", "--format", "json"),
    ("preflight", "{out}/a.pdf", "--as", "x-4"),
    ("pdf", "{}", "--printer", "{out}", "--card", "{out}"),
    ("calibrate", "--paper", "a4", "--printer", "{out}", "--read", "A 0 0, B 0 0, C 0 0, D 0 0, E 0 0"),
    ("edition", "import", "{out}.yaml"),
)


def cases(seed: int) -> Iterator[Case]:
    """Yield sets with such names, and commands for them."""
    chance = random.Random(seed)
    number = 0
    while True:
        case = random.Random(chance.getrandbits(64))
        folder, out = _name(case), _name(case)
        commands: list[tuple[str, ...]] = [("check", folder, "--format", "json"), ("build", folder, "--out", out)]
        commands += [
            tuple(word.replace("{out}", out).replace("{}", folder) for word in case.choice(COMMANDS)) for _ in "123"
        ]
        yield Case(f"names {number}", partial(_write, case.getrandbits(64), folder, out), tuple(commands), _is_json)
        number += 1


def _name(chance: random.Random) -> str:
    """Return the name of a file that the system takes, and that is not one of the folders it always has."""
    while True:
        name = "".join(chance.choices(PIECES, k=chance.randint(1, 4))).replace("/", "")[:60]
        if name not in ("", ".", "..") and not name.startswith("-"):
            return name


def _write(seed: int, folder: str, out: str, into: Path) -> None:
    """Write a set into a folder of that name, and a deck of it."""
    chance = random.Random(seed)
    home = into / folder
    home.mkdir()
    title = json.dumps(_text(chance))
    edition = chance.choice((9, 11, 16, 17))
    (home / "set.yaml").write_text(f"name: {title}\nedition: {edition}\noutputs: [png, sheets, gallery]\n", "utf-8")
    picture = f"{_name(chance)}.png"
    (home / picture).write_bytes(in_bytes(Image.new("RGB", (4, 3)), "PNG"))
    for _ in range(chance.randint(1, 3)):
        (home / f"{_name(chance)}{chance.choice(('.yaml', '.yml', '.YAML', ''))}").write_text(
            _cards(chance, picture), "utf-8"
        )
    if chance.random() < 0.3:
        (home / f"{_name(chance)}.svg").write_text('<svg width="63.5" height="88.9" viewBox="0 0 63.5 88.9"/>', "utf-8")
    if chance.random() < 0.3:
        (into / _name(chance)).mkdir(exist_ok=True)
    deck = f"name: {title}\nedition: 17\nsets: [{json.dumps(_text(chance))}, '.']\ncards: {{wolf: 4}}\n"
    (into / f"{out}.yaml").write_text(deck, "utf-8")


def _cards(chance: random.Random, picture: str) -> str:
    cards = []
    for _ in range(chance.randint(1, 3)):
        name = chance.choice(("Wolf", "wolf!", "WOLF", _text(chance), _text(chance)))
        card = {"name": name, "kind": chance.choice(KINDS), "level": 2, "text": "Draw 1 card.", "flavor": _text(chance)}
        if card["kind"] == "minion":
            card |= {"sp": 1, "hp": 1}
        if chance.random() < 0.3:
            card["art"] = chance.choice((picture.encode("utf-8", "replace").decode(), _text(chance)))
        if chance.random() < 0.2:
            card["id"] = _text(chance)
        cards.append(f"- {json.dumps(card)}\n")
    return "".join(cards)


def _text(chance: random.Random) -> str:
    """Return words that a YAML file can hold, though not every card."""
    return "".join(chance.choices([piece for piece in PIECES if piece.isprintable()], k=chance.randint(1, 3)))


def _is_json(_folder: Path, attempts: Sequence[Attempt]) -> Sequence[str]:
    """Say whether what is to be read by programs can be, and every file that was written is text."""
    wrong = []
    for each in attempts:
        if "json" in each.arguments and each.out:
            try:
                json.loads(each.out.decode("utf-8"))
            except ValueError as error:
                wrong.append(f"kotc {' '.join(each.arguments)}: no JSON: {error}")
    return wrong


if os.name != "posix":  # elsewhere all names are text
    PIECES = tuple(piece for piece in PIECES if piece.isprintable())

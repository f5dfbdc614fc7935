"""YAML files of sets from anywhere: card files, set.yaml, decks and rules of editions, broken, endless or nonsense.

What is wrong is said in bounded time and words; `check`, `png` and `pdf` agree whether the cards can be drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from proofs.hostile.bounds import Attempt, Case
from tests.support.templates import PLAIN_BACK

CARDS = """\
- name: Storm Hammer
  kind: minion
  level: 9
  sp: 4
  hp: 6
  text: "HAMMER: When this card attacks, after Attack Formation (ghost-play): Target 1 on-field minion; destroy it."
  flavor: It always comes back.
- {name: Note, kind: tip, text: Draw 1 card., copies: 2, art: {file: a.png, author: Me}}
- id: lightning
  name: Lightning
  kind: spell
  level: auto
  edition: 17
  text: "When enemy attacks, after Attack Formation: Draw 2 cards."
"""
SET = "name: Test\nedition: 17\ncredit: CC0\nback: back\nsheet: {paper: a4, flip: long-edge}\noutputs: [png, sheets]\n"
DECK = "name: Deck\nedition: 17\nsets: [s]\ncards:\n  storm-hammer: 2\n  note: 1\n  lightning: 1\n"
EDITION = "number: 21\nchanges: []\ncomponents:\n  - {text: Draw 1 card., level: 3}\n"
PIECES = (
    "[", "]", "{", "}", ":", ": ", "- ", "? ", "&a ", "*a", "!!str ", "!x ", "|\n", ">-\n", "'", '"', "\\", "#", " #",
    "%YAML 1.1\n", "---\n", "...\n", "\t", "\r", "\r\n", "\n\n", "\ufeff", "\0", "\x07", "\u200b", "\u202e", "\ud7ff",
    "\u2028", "\U0001f600", "e\u0301", "猫", "null", "~", "true", "no", "1e999", "0x7f", "-1", "1_000", ".inf",
    "9" * 50, "9" * 5000, "../" * 40, "/" * 2000, "C:\\x", "a" * 70, "x" * 3000, "name: ", "kind: ", "id: ",
    "edition: ", "text: ", "art: ", "copies: ", "back: ", "sheet: ", "outputs: ", "unknown: ", "minion", "creature",
    "auto", "none", "->", "→", "(", ")", "Target ", "<", "&", "`", "\x1b[2J", "\\u0000", "\\x", "\\U00110000",
)  # fmt: skip
FLOODS = (
    "- {name: N%d, kind: tip, text: Hi.}\n", "- {kind: tip, text: Hi.}\n",
    "- {id: x, name: N%d, kind: tip, text: Hi.}\n", "k%d: 1\n", "kind%d: 1\n", "- {}\n", "- a\n", "[", "{a: ", "- ",
    "? ", "a: ", "---\n", "- &a%d x\n", "- *a\n", "# %d\n", "- {name: N%d, kind: spel}\n",
    "- {name: N%d, kind: tip, text: Hi., art: a%d.png}\n", "- {name: N%d, kind: tip, text: Hi., back: b%d}\n", "/",
    "../", "\n", "'", "- {name: N%d, kind: minion, sp: 1, hp: 1, level: 1, text: \"A: Draw %d cards.\"}\n",
    "- {name: \"\u200b%d\", kind: tip, text: a}\n",
)  # fmt: skip
FILES = ("cards.yaml", "set.yaml", "more.yaml", "deck", "edition")


def cases(seed: int) -> Iterator[Case]:
    """Yield sets in which one file was spoilt."""
    number = 0
    while True:
        rng = random.Random(seed * 1_000_003 + number)
        what = rng.choice(FILES)
        commands: tuple[tuple[str, ...], ...] = (
            ("check", "s"),
            ("png", "s", "--out", "one"),
            ("pdf", "s", "--out", "o.pdf"),
        )
        if what == "deck":
            commands = (("deck", "deck.yaml"),)
        if number % 20 == 0:
            commands = (("check", "s"), ("check", "s", "--format", "json"), ("check", "s", "--format", "github"))
        yield Case(
            f"{seed}:{number}:{what}", partial(_write, what=what, number=seed * 1_000_003 + number), commands, _agree
        )
        number += 1


def _write(folder: Path, what: str, number: int) -> None:
    rng = random.Random(number)
    files = {
        "s/set.yaml": SET,
        "s/cards.yaml": CARDS.replace(", art: {file: a.png, author: Me}", ""),
        "s/templates/back.svg": PLAIN_BACK,
    }
    if what == "deck":
        files["deck.yaml"] = spoilt(DECK, rng)
    elif what == "edition":
        files["s/editions/21.yaml"] = spoilt(EDITION, rng)
        files["s/cards.yaml"] = files["s/cards.yaml"].replace("edition: 17", "edition: 21")
    else:
        files[f"s/{what}"] = spoilt(SET if what == "set.yaml" else CARDS, rng)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))


def spoilt(text: str, rng: random.Random) -> str:
    """Return a text with something in it that does not belong there, or far too much of something."""
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(text) + 1)
        roll = rng.random()
        if roll < 0.35:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif roll < 0.5:
            text = text[:at] + text[at + rng.choice((1, 2, 10, 50)) :]
        elif roll < 0.6:
            words = text.split()
            text = text.replace(rng.choice(words or ["x"]), rng.choice(PIECES), 1)
        elif roll < 0.7:
            lines = text.split("\n")
            rng.shuffle(lines)
            text = "\n".join(lines)
        elif roll < 0.8:
            text = text[:at] + rng.choice(PIECES) * rng.choice((2, 50, 400)) + text[at:]
        elif roll < 0.83:
            text = flood(rng)
        else:
            text = text[:at] + text[max(at - rng.choice((5, 60)), 0) :]
    return text


def flood(rng: random.Random) -> str:
    """Return the same thing very often."""
    unit, size = rng.choice(FLOODS), rng.choice((1000, 30_000, 300_000))
    return "".join(unit.replace("%d", str(number)) for number in range(size // len(unit)))


MAX_WORDS = 300_000  # bytes: 50 findings of each kind


def _agree(_folder: Path, attempts: Sequence[Attempt]) -> list[str]:
    drawn = [attempt for attempt in attempts if attempt.arguments[0] in ("check", "png", "pdf")]
    sound = {attempt.status == 0 for attempt in drawn}
    faults = [f"{' and '.join(attempt.arguments[0] for attempt in drawn)} do not agree"] if len(sound) > 1 else []
    loud = [attempt for attempt in attempts if len(attempt.out) + len(attempt.err) > MAX_WORDS]
    return faults + [f"{attempt.arguments[0]} prints {len(attempt.out) + len(attempt.err)} bytes" for attempt in loud]

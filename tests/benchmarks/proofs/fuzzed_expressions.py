"""Random expressions of a game say the same of a card in any order of cards, of it alone, and in two processes.

`python tests/benchmarks/prove.py fuzzed_expressions 0 50` tries the derived fields and rules of fifty games on 160 cards.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from proofs.fuzzed_cards import empty_caches
from render.base.findings import Refused
from render.base.forking import MIN_THINGS
from render.game.sources import check_sets, load_sets
from tests.games.declared.lanterns import BACK, SVG, write_files

CARDS = MIN_THINGS + 10
_NAMES = ("power", "grit", "name", "kind", "copies", "tags", "swift", "light", "words", "d0", "d1", "d2")
_ATOMS = (*_NAMES, *_NAMES, "0", "2", "-1", "'a'", "''", "none", "true", "['a', 'b']", "1.5")
_TWO = ("+", "-", "*", "//", "%", "~", "==", "!=", "<", ">=", "in", "not in", "and", "or")
_AFTER = (
    "|length", "|upper", "|replace('a', 'b')", "|join('/')", "|default('x')", "|int", "|abs", "|first", "|last",
    "|sort", "|unique|list", "|title", "|string", "|list", " is none", " is string", " is number", " is not none",
    "[0]", "[-1]", ".count('a')", "|round", "|select('string')|list", "|map('upper')|list", "|reverse|list",
    "[:2]", " is even",
)  # fmt: skip


def expression(chance: Random, known: Sequence[str], depth: int = 3) -> str:
    """Return an expression that names some of the fields that are known."""
    if depth == 0 or chance.random() < 0.2:
        atom = chance.choice(_ATOMS)
        return atom if atom not in ("d0", "d1", "d2") or atom in known else "power"
    one, other = (expression(chance, known, depth - 1) for _ in range(2))
    match chance.randrange(6):
        case 0 | 1:
            return f"({one} {chance.choice(_TWO)} {other})"
        case 2:
            return f"({one}){chance.choice(_AFTER)}"
        case 3:
            return f"({one} if {other} else {expression(chance, known, depth - 1)})"
        case 4:
            return f"{{'ember': {one}, 'tide': {other}}}.get(light, {chance.choice(_ATOMS[-6:])})"
    return f"(not {one})"


def _game(chance: Random) -> str:
    derived = [expression(chance, [f"d{each}" for each in range(number)]) for number in range(3)]
    rules = [expression(chance, ("d0", "d1", "d2")) for _ in range(3)]
    fields = {
        "power": {"type": "number"},
        "grit": {"type": "number", "default": 2},
        "tags": {"type": "list"},
        "swift": {"type": "flag"},
        "light": {"type": "choice", "choices": ["ember", "tide", "moss"]},
        "words": {"type": "text"},
        **{f"d{number}": {"value": value} for number, value in enumerate(derived)},
    }
    checks = [{"that": each, "message": f"{{{{ name }}}} {number} {{{{ d0 }}}}"} for number, each in enumerate(rules)]
    kinds = {"plain": {"check": checks}, "split": {"faces": 2, "check": checks[:1], "template": "plain"}}
    return json.dumps({"name": "Odd", "fields": fields, "kinds": kinds})


def _card(chance: Random, number: int) -> Mapping[str, object]:
    every: dict[str, object] = {
        "power": chance.randrange(5),
        "grit": chance.randrange(5),
        "tags": [chance.choice("abc") for _ in range(chance.randrange(3))],
        "swift": chance.random() < 0.5,
        "light": chance.choice(("ember", "tide", "moss")),
        "words": chance.choice(("a", "banana", "7", "True", "none")),
    }
    card = {key: value for key, value in every.items() if chance.random() < 0.7}
    if number % 10:
        return {"id": f"c{number}", "name": chance.choice(("Ant", "Bee", "Cat")), "kind": "plain", **card}
    return {"id": f"c{number}", "kind": "split", **card, "faces": [{"name": "Up", "power": 1}, {"name": "Down"}]}


def _told(folder: Path, cards: Sequence[Mapping[str, object]]) -> Counter[tuple[str, ...]]:
    """Return what `check` says of cards, and how often, without places and without what it says once for many cards."""
    write_files(folder, {"cards.yaml": json.dumps(cards)})
    empty_caches()
    found = [(each.code, each.card, each.message, each.hint) for each in check_sets(folder).findings]
    # What stops for want of a value is said once, at the expression.
    once = (each for each in found if each[0] == "C021" and not each[3].startswith("it is written at"))
    return Counter[tuple[str, ...]](each for each in found if each[0] != "T014") - Counter[tuple[str, ...]](once)


def _of_cards(told: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Return what is said of single cards: not that a rule stops, which is said of the first card."""
    return Counter({each: number for each, number in told.items() if each[1]})


def _values(folder: Path) -> Mapping[str, str]:
    """Return what the cards of a set are, by id; {} if there are mistakes."""
    try:
        return {card.id: repr(getattr(card, "values", ())) for card in load_sets([folder])[0].cards}
    except Refused:
        return {}


def differences(seed: int, home: Path, count: int = CARDS, alone: int = 6) -> Iterator[str]:
    """Yield how findings and values of cards differ by their order, and by how many processes there are."""
    chance, folder = Random(seed), home / "odd"
    plain = SVG.format("<text x='5' y='9' font-size='5' width='50' min-size='0.1'>{{ card.d0 }}{{ card.d1 }}</text>")
    write_files(folder, {"game.yaml": _game(chance), "set.yaml": "name: Odd\n"})
    write_files(folder, {"templates/plain.svg": plain, "templates/back.svg": BACK})
    cards = [_card(chance, number) for number in range(count)]
    cores = os.sched_getaffinity(0)
    in_order, values = _told(folder, cards), _values(folder)
    os.sched_setaffinity(0, {min(cores)})  # then there is no second process
    try:
        if (by_one := _told(folder, cards)) != in_order:
            yield f"by one process\n  {by_one - in_order}\n  {in_order - by_one}"
    finally:
        os.sched_setaffinity(0, cores)
    one, other = (_of_cards(each) for each in (_told(folder, cards[::-1]), in_order))
    if one != other:
        yield f"backwards\n  {one - other}\n  {other - one}"
    if _values(folder) != values:
        yield "values backwards"
    for card in chance.sample(cards, alone):
        told = Counter({each: 1 for each in _told(folder, [card]) if each[1]})
        among = Counter({each: 1 for each in in_order if each[1] == card["id"]})
        if told != among:
            yield f"alone {card}\n  {told - among}\n  {among - told}"
        if values and _values(folder).get(str(card["id"])) != values[str(card["id"])]:
            yield f"values of {card}\n  {_values(folder)}\n  {values[str(card['id'])]}"


def main(first: int, last: int) -> int:
    """Try seeds, and return how many differences they have."""
    told, codes = 0, Counter[str]()
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as home:
            os.chdir(home)
            for found in differences(seed, Path(home)):
                told += 1
                print(f"seed {seed}: {found}", flush=True)
            codes.update({each.code for each in check_sets(Path(home) / "odd").findings} or {"none"})
    print(f"{last - first} games, {told} differences; what was found in the last cards: {dict(codes)}")
    return told


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)

"""What kotc remembers, damaged or made up: manifests, journals, locks, rebuilds, printers and kept code.

A file that was damaged is as good as none: the next build ends in the tree of a clean one. One that somebody made,
with a checksum that is right, may say what it likes: nobody else's files are touched, and the outputs are those of a clean
build.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from proofs.hostile.bounds import Attempt, Case, Sentinels
from render.base.geometry import IDENTITY, Flip, Size
from render.build import manifest
from render.games.kotc.editions.finding import SHIPPED
from render.games.kotc.workshop.migration import transition
from render.games.kotc.workshop.migration.transition import Before
from render.layout.templates import environment, rendering
from render.sheets.calibration import printers
from render.sheets.calibration.printers import Calibration
from tests.support.builds import tree
from tests.support.sets import kotc

SET = "name: Test\nedition: 17\noutputs: {png: {dpi: 72}, sheets: true}\n"
CARDS = (
    "- {name: One, kind: minion, level: 1, sp: 1, hp: 0}\n- {name: Two, kind: spell, level: auto, text: Draw 1 card.}\n"
)
OUT = Path("out/set")
BUILD = ("build", "cards/set")
SINCE = (*BUILD, "--changed-since")
NAMES = (
    "../../.outside/id_rsa",
    "../../../.outside/id_rsa",
    "png/../../../.outside/.bashrc",
    "/etc/passwd",
    "C:\\x",
    "con",
    "a\\b",
)
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2**31, 10**30, -(10**30), 1.5, float("inf"), float("nan"), "", "x", "\0", "\ud800",
    "a\nb", "\x1b[2J", "x" * 100_000, [], {}, [[]], {"": ""}, [None], {"a": {"b": {"c": []}}}, *NAMES,
)  # fmt: skip
RAW = (
    b"1e400",
    b"-1e400",
    b"NaN",
    b"9" * 5000,
    b"[" * 3000 + b"]" * 3000,
    b'{"a":' * 900 + b"1" + b"}" * 900,
    b'"\\ud800"',
)


def cases(seed: int) -> Iterator[Case]:
    """Yield built sets of which something that is remembered is another."""
    chance = random.Random(seed)
    while True:
        yield _case(random.Random(chance.random()))


@dataclass(frozen=True, slots=True)
class Kind:
    """A file that is remembered, what is run then, and what makes its checksums anew."""

    file: Path
    commands: Sequence[tuple[str, ...]]
    checked: Callable[[bytes], bytes] | None = None


def _case(chance: random.Random) -> Case:
    kind = KINDS[chance.choices([*KINDS], [6, 3, 1, 2, 1, 1])[0]]
    damage, number = chance.choice(DAMAGE), chance.random()
    made_up = kind.checked is not None and chance.random() < 0.5
    restored: list[Callable[[], None]] = []
    guards: list[Sentinels] = []

    def write(folder: Path) -> None:
        shutil.copytree(_made(), folder, dirs_exist_ok=True)
        restored.append(_surroundings(folder))
        guards.append(Sentinels(folder / ".outside"))
        file, undamaged = _file(folder, kind), _undamaged(folder, kind)
        data = damage(undamaged.read_bytes(), random.Random(number))
        file.write_bytes(kind.checked(data) if made_up and kind.checked else data)
        guards[-1].touched()

    def check(folder: Path, attempts: Sequence[Attempt]) -> list[str]:
        restored.pop()()
        found = guards[-1].touched()
        guards.pop().close()
        for each in attempts:
            if "--changed-since" in each.arguments and each.status and (each.status != 1 or b"[H00" not in each.err):
                found.append(f"--changed-since ended with {each.status}: {each.err.decode(errors='replace')}")
        if kind is KINDS["rebuild"]:
            return found
        if attempts[-1].status:
            found.append(
                f"the last build ended with {attempts[-1].status}: {attempts[-1].err.decode(errors='replace')}"
            )
        left, clean = tree(folder / OUT), dict(_clean())
        if made_up:
            left.pop(".kotc.json", None), clean.pop(".kotc.json")
        if left != clean:
            wrong = sorted(name for name in {*left, *clean} if left.get(name) != clean.get(name))
            found.append(f"not the tree of a clean build: {', '.join(wrong)}")
        return found

    what = f"{kind.file}: {damage.__name__}{', with its checksum' if made_up else ''}"
    commands = (*chance.sample([*kind.commands], 1), *([] if kind is KINDS["rebuild"] else [BUILD]))
    return Case(what, write, commands, check)


def _file(folder: Path, kind: Kind) -> Path:
    """Return the file of a kind; that of kept code has a name that depends on the Python."""
    if kind is not KINDS["code"]:
        return folder / kind.file
    return min((folder / "code").rglob("*.jinja2"))


def _undamaged(folder: Path, kind: Kind) -> Path:
    """Return the file that is damaged: what no build leaves lies apart."""
    apart = folder / kind.file.name.removeprefix(".kotc.")
    return apart if apart.is_file() else _file(folder, kind)


def _surroundings(folder: Path) -> Callable[[], None]:
    """Let printers and code be kept in a folder; return what puts things back."""
    before = sys.pycache_prefix, os.environ.get("KOTC_CONFIG"), sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = str(folder / "code"), False
    os.environ["KOTC_CONFIG"] = str(folder / "config")
    environment._COMPILED.clear()
    rendering._SAME_TEXTS.clear()  # so that the code runs

    def restore() -> None:
        sys.pycache_prefix, sys.dont_write_bytecode = before[0], before[2]
        os.environ.pop("KOTC_CONFIG")
        if before[1] is not None:
            os.environ["KOTC_CONFIG"] = before[1]

    return restore


@cache
def _made() -> Path:
    """Return a folder with a set that was built, and all that can be remembered of it."""
    home = Path(mkdtemp(prefix="kotc-hostile-"))
    folder = home / "cards/set"
    (folder / "editions").mkdir(parents=True)
    (folder / "set.yaml").write_text(SET)
    (folder / "cards.yaml").write_text(CARDS)
    rules = (SHIPPED / "17.yaml").read_text().replace("edition: 17", "edition: 18", 1)
    (folder / "editions/18.yaml").write_text(rules)
    restore, here = _surroundings(home), Path.cwd()
    os.chdir(home)
    result = kotc(*BUILD)
    assert result.exit_code == 0, result.output
    _clean_tree.append(tree(OUT))
    known = manifest.read(OUT.absolute())
    manifest.begin_journal(OUT.absolute(), known, known.read)
    for name, record in known.outputs.items():
        manifest.note_output(OUT.absolute(), name, record)
    (OUT / ".kotc.journal").rename("journal")
    (home / "lock").write_text(json.dumps({"pid": 1, "host": "vm", "since": "2026-01-01"}))
    texts = {"cards.yaml": CARDS, "set.yaml": SET}
    new = {"set.yaml": SET.replace("17", "18"), "cards.yaml": CARDS}
    uri = "data:image/webp;base64,AAAA"
    transition.write_kept(Path("out"), transition.Kept({"set": Before(texts, new, {"one": uri}, known)}))
    Path("out/.kotc.rebuild").rename("rebuild")
    printers.keep(
        Calibration(printer="Living room", tray="", paper=Size(210, 297), flip=Flip.LONG_EDGE, correction=IDENTITY)
    )
    os.chdir(here)
    restore()
    return home


_clean_tree: list[dict[str, str]] = []


def _clean() -> dict[str, str]:
    _made()
    return _clean_tree[0]


# --- damage ---------------------------------------------------------------------------------------------------------


def flipped(data: bytes, chance: random.Random) -> bytes:
    held = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 3, 30))):
        held[chance.randrange(len(held))] ^= 1 << chance.randrange(8)
    return bytes(held)


def cut_off(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def beheaded(data: bytes, chance: random.Random) -> bytes:
    return data[chance.randrange(len(data)) :]


def torn_out(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.randrange(200) :]


def doubled(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[max(0, start - chance.randrange(400)) :]


def zeroed(data: bytes, chance: random.Random) -> bytes:
    start, length = chance.randrange(len(data)), chance.randrange(1, 4096)
    return data[:start] + bytes(len(data[start : start + length])) + data[start + length :]


def noise(_: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.choice((0, 1, 20, 5000)))


def nested(_: bytes, chance: random.Random) -> bytes:
    return chance.choice((b"[", b'{"format":', b"- ", b"{a: ")) * chance.choice((900, 100_000))


def otherwise_encoded(data: bytes, chance: random.Random) -> bytes:
    return data.decode("latin-1").encode(chance.choice(("utf-16", "utf-32", "utf-8-sig", "utf-16-le")))


def large(data: bytes, chance: random.Random) -> bytes:
    return data.rstrip() + chance.choice((b" ", b"\n", b"[],", b"{}")) * (1 << 23)


def another_value(data: bytes, chance: random.Random) -> bytes:
    """Put something else in the place of a value or a key of JSON, once or a few times; of other files, of a word."""
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        data = _another(data, chance)
    return data


def _another(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chosen = [number for number, line in enumerate(lines) if line.startswith(b"{")]
    if len(chosen) > 1:  # a journal: each line is an object
        number = chance.choice(chosen)
        lines[number] = _replaced(lines[number], chance)
        return b"\n".join(lines)
    return _replaced(data, chance)


def _replaced(data: bytes, chance: random.Random) -> bytes:
    try:
        said = json.loads(data)
        places = [*_places(said)]
    except (ValueError, RecursionError):
        words = data.split(b" ")
        words[chance.randrange(len(words))] = json.dumps(chance.choice(VALUES)).encode()
        return b" ".join(words)
    if not places:
        return json.dumps(chance.choice(VALUES)).encode()
    holder, key = chance.choice(places)
    mark = "\0 here"
    match chance.randrange(4):
        case 0 if isinstance(holder, dict):
            holder[chance.choice([value for value in VALUES if isinstance(value, str)])] = holder.pop(key)
        case 1:
            del holder[key]
        case 2:
            holder[key] = mark
        case _:
            holder[key] = chance.choice(VALUES)
    raw = chance.choice(RAW)
    return _as_we_write(said).replace(json.dumps(mark).encode(), raw)


def _as_we_write(said: Any) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode()


def _places(said: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a value, in all that is held."""
    entries = said.items() if isinstance(said, dict) else enumerate(said) if isinstance(said, list) else ()
    for key, value in [*entries]:
        yield said, key
        yield from _places(value)


DAMAGE = (
    flipped, flipped, cut_off, beheaded, torn_out, doubled, zeroed, noise, nested, otherwise_encoded, large,
    *[another_value] * 8,
)  # fmt: skip


# --- checksums ------------------------------------------------------------------------------------------------------


def _checked(data: bytes) -> bytes:
    """Return a file, or each of its lines, with a checksum that is right, if it still has one."""
    return b"\n".join(map(_checked_line, data.split(b"\n")))


def _checked_line(line: bytes) -> bytes:
    body, mark, _ = line.rpartition(b',"checksum":"')
    return b'%s%s%s"}' % (body, mark, hashlib.sha256(body).hexdigest().encode()) if mark else line


KINDS = {
    "manifest": Kind(
        OUT / ".kotc.json", (BUILD, (*SINCE, "out"), (*SINCE, "out/set/.kotc.json"), (*BUILD, "--explain")), _checked
    ),
    "journal": Kind(OUT / ".kotc.journal", (BUILD, (*BUILD, "--explain"), (*BUILD, "--verify")), _checked),
    "lock": Kind(OUT / ".kotc.lock", (BUILD,)),
    "rebuild": Kind(Path("out/.kotc.rebuild"), (("upgrade", "cards/set", "--to", "18"),), _checked),
    "printers": Kind(
        Path("config/printers.yaml"),
        (("calibrate", "--list"), ("pdf", "cards/set", "--printer", "Living room", "--out", "x.pdf")),
    ),
    "code": Kind(Path("code"), (BUILD, ("check", "cards/set"))),
}

"""Damaged spreadsheets end in a word: `check`, `png` and `pdf` never break off, and what `check` passes, `pdf` prints.

`python tests/benchmarks/prove.py damaged_tables --count 500` tries 300 XLSX and ODS files and 200 CSV files.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from click.testing import CliRunner

from render.cli.main import main as program
from tests.games.declared.lanterns import BACK, FRONT, GAME, write_files
from tests.support.table_files import ods as ods_file
from tests.support.table_files import ods_row, xlsx, xlsx_row, zipped

FILES = {
    "game.yaml": GAME,
    "set.yaml": "name: Beasts\ntables: {ignore: [notes]}\n",
    "templates/beast.svg": FRONT,
    "templates/token.svg": FRONT,
    "templates/back.svg": BACK,
}
ROWS = (
    ("name", "kind", "family", "weight", "rarity", "copies", "Notes"),
    ("Brown Bear", "beast", "Bears", "<c><v>300</v></c>", "", "2", "a café"),
    ("Sun Bear", "beast", "Bears", "<c><f>30*2</f><v>60</v></c>", "rare", "", ""),
    ("Joker", "token", "", "", "", "1", "the last"),
)
_ODD = (
    "", "-1", "0", "1e400", "NaN", "99999999999999999999", "=", "#REF!", "é", "\ud7ff", "&", "<", '"', "'", '""', "[]",
    ".", ".".join(["a"] * 1000), "a..b", "faces.1.name", "name.x", "kind", "#", "#notes", "\u00a0", "\x00", "\x0b", "\ufeff",
    "x" * 40_000, "A1:XFD1048576", "XFD1048576", "inlineStr", "s", "e", "d", "str", "true", "=A1", "\r", "\n", ";", "\t",
)  # fmt: skip
_HEADINGS = ("", "#", "KIND", "a..b", "faces.1.name", "name.x", ".".join(["a"] * 1000), '"a".' * 2000, "x" * 40_000)
_ENCODINGS = ("UTF-NaN", "hex", "zlib", "utf-7", "utf-16", "big5", "cp037", "idna", "windows-1252", "ascii")


def _csv(chance: Random) -> bytes:
    """Return a CSV file with up to four kinds of damage, in some encoding."""
    rows = [[re.sub("<f>.*?</f>|<.*?>", "", cell) for cell in row] for row in ROWS]
    for _ in range(chance.randrange(3)):
        row = chance.choice(rows)
        row[chance.randrange(len(row))] = chance.choice(_ODD)
    if chance.random() < 0.1:
        rows[0][chance.randrange(1, len(rows[0]))] = chance.choice(_HEADINGS)
    if chance.random() < 0.05:
        rows[1:] = [['"']]
    if chance.random() < 0.3:
        chance.choice(rows).append(chance.choice(_ODD))
    between = chance.choice(",,;\t|")
    text = chance.choice(("\n", "\r\n", "\r")).join(
        between.join(f'"{cell}"' if chance.random() < 0.2 else cell for cell in row) for row in rows
    )
    data = text.encode(chance.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252")), "replace")
    return _cut_up(chance, data, (b'"', b'""', b"\0", b"\xff", b"\n", b",", b"\xa0", b"="))


def _cut_up(chance: Random, data: bytes, pieces: Sequence[bytes]) -> bytes:
    """Return bytes of which a few are other ones, are missing, or stand there twice."""
    for _ in range(chance.choice((0, 0, 1, 1, 2, 6))):
        at, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        short = min(end, at + chance.randrange(1, 9))
        data = chance.choice(
            (
                data[:at] + chance.choice(pieces) + data[short:],
                data[:at] + chance.choice(pieces) + data[at:],
                data[:at] + data[short:],
                data[:at] + data[at:end] + data[at:],
                data[:at] if chance.random() < 0.3 else data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
            )
        )
    return data


def _xlsx(chance: Random) -> bytes:
    merged = {"xl/worksheets/sheet2.xml": b""} if chance.random() < 0.05 else {}
    return _damaged_package(chance, xlsx([xlsx_row(*row) for row in ROWS], others=merged))


def _ods(chance: Random) -> bytes:
    cells = [[re.sub("<f>.*?</f>|<.*?>", "", cell) for cell in row] for row in ROWS]
    return _damaged_package(chance, ods_file([ods_row(*row) for row in cells]))


def _damaged_package(chance: Random, content: bytes) -> bytes:
    """Return a package with damage in its parts, or in its bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    damages = (_other_value, _other_value, _other_element, _other_encoding, _other_text, _merged, _cut_part)
    for _ in range(chance.randrange(1, 4)):
        name = chance.choice([*parts, *[name for name in parts if "sheet" in name or "content" in name] * 3])
        parts[name] = chance.choice(damages)(chance, parts[name])
    if chance.random() < 0.1:
        parts.pop(chance.choice([*parts]))
    packed = zipped({name: text.encode("utf-8", "surrogatepass") for name, text in parts.items()})
    return _cut_up(chance, packed, (b"PK\3\4", b"\0\0", b"\xff\xff")) if chance.random() < 0.3 else packed


def _other_value(chance: Random, part: str) -> str:
    return _replaced(chance, part, r'="([^"]*)"', lambda old: f'="{_escaped(chance.choice(_ODD))}"')


def _other_text(chance: Random, part: str) -> str:
    return _replaced(chance, part, r">[^<]+<", lambda old: f">{_escaped(chance.choice(_ODD))}<")


def _other_element(chance: Random, part: str) -> str:
    others = ("", "<c>", "</c>", "<c><f>1</f></c>", '<c t="s"><v>7</v></c>', '<c r="ZZZ9999999"/>', "<row>", "<!-- -->")
    return _replaced(chance, part, r"<[^>]*>", lambda old: chance.choice((*others, old * 2, old * 300)))


def _other_encoding(chance: Random, part: str) -> str:
    return f'<?xml version="1.0" encoding="{chance.choice(_ENCODINGS)}"?>{part}'


def _merged(chance: Random, part: str) -> str:
    areas = "".join(
        f'<mergeCell ref="{chance.choice("ABCG")}{chance.randrange(5)}:{chance.choice("BCDG")}{chance.choice((2, 3, 9, 9999999))}"/>'
        for _ in range(chance.choice((1, 3, 400)))
    )
    part = part.replace("</sheetData>", f"</sheetData><mergeCells>{areas}</mergeCells>")
    spans = (
        f' table:number-rows-spanned="{chance.randrange(4)}" table:number-columns-spanned="{chance.randrange(9999999)}"'
    )
    return _replaced(chance, part, "<table:table-cell", lambda old: old + spans)


def _cut_part(chance: Random, part: str) -> str:
    return _cut_up(chance, part.encode("utf-8", "surrogatepass"), (b"<", b">", b"\0", b"&", b"\xff")).decode(
        "utf-8", "replace"
    )


def _replaced(chance: Random, part: str, pattern: str, new: Callable[[str], str]) -> str:
    found = [*re.finditer(pattern, part)]
    if not found:
        return part
    match = chance.choice(found)
    return part[: match.start()] + new(match[0]) + part[match.end() :]


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


KINDS: Sequence[tuple[str, Callable[[Random], bytes]]] = (
    ("xlsx", _xlsx), ("csv", _csv), ("ods", _ods), ("csv", _csv), ("xlsx", _xlsx), ("ods", _ods), ("xlsx", _xlsx),
    ("csv", _csv), ("ods", _ods), ("csv", _csv),
)  # fmt: skip
"""What stands in for what: of ten files four are CSV."""


def faults(number: int, home: Path) -> Iterator[str]:
    """Yield what goes wrong with a damaged file, and at last what `check` said: `passed` or its codes."""
    ending, damage = KINDS[number % len(KINDS)]
    folder = home / str(number)
    write_files(folder, FILES)
    (folder / f"cards.{ending}").write_bytes(damage(Random(number)))
    exits = {}
    words = ""
    for command, *options in (("check",), ("png", "--dpi", "72", "--workers", "1"), ("pdf",)):
        ending_of_out = ".pdf" if command == "pdf" else ""
        out = [] if command == "check" else ["--out", str(home / f"out-{number}{ending_of_out}")]
        result = CliRunner().invoke(program, [command, str(folder), *options, *out])
        if result.exception and not isinstance(result.exception, SystemExit):
            yield f"{number}: {command} of cards.{ending} breaks off: {result.exception!r}"
        exits[command] = result.exit_code
        words = words or result.output
    for command in ("png", "pdf"):
        if exits["check"] == 0 != exits[command]:
            yield f"{number}: check passes cards.{ending}, and {command} refuses it"
    yield "passed" if exits["check"] == 0 else " ".join(sorted({*re.findall(r"\[([A-Z]\d{3})\]", words)}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the number of the first file, which is its seed")
    parser.add_argument("--count", type=int, default=500)
    asked = parser.parse_args()
    wrong, verdicts = 0, Counter[str]()
    for number in range(asked.first, asked.first + asked.count):
        with tempfile.TemporaryDirectory() as home:
            os.chdir(home)
            *told, verdict = faults(number, Path(home))
        verdicts[f"{KINDS[number % len(KINDS)][0]} {verdict}"] += 1
        wrong += len(told)
        for words in told:
            print(words, flush=True)
    for verdict, count in sorted(verdicts.items()):
        print(f"{count:5} {verdict}")
    print(f"{asked.count} damaged files, {wrong} faults")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main() else 0)

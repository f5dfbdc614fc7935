"""Files made at random, sound and with one mistake, about which the program and its schemas must agree.

`python tests/benchmarks/prove.py generated_files 2000` makes that many of each: for each sound one, one with a mistake.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from render.base.findings import Diagnostic, Refused, Severity
from render.game.sources import read_deck
from render.games.kotc.editions import reading as edition_reading
from render.games.kotc.editions.finding import SHIPPED
from render.games.kotc.languages import reading as language_reading
from render.games.kotc.model.edition import Edition
from render.games.kotc.sets import survey
from render.shops.profiles import shops
from tests.support.schema_verdicts import disagreements

Value: TypeAlias = Any
"""A value as it is written: a scalar with its quotes, a list of values, or a dictionary of keys and values."""

TEXTS = [
    "Wolf",
    "17",
    "1.5",
    "true",
    "no",
    "null",
    "2024-01-01",
    "'It''s'",
    '"a: b"',
    "Ünïcode",
    "a, b",
    "'#5'",
    "0x1F",
]
EDITIONS = range(9, 18)


@dataclass(slots=True)
class Maker:
    """Makes sound files; `random` decides everything."""

    random: random.Random
    named: int = 0
    folders: Sequence[str] = field(default_factory=lambda: ["basic"])

    def some(self, share: float = 0.4) -> bool:
        return self.random.random() < share

    def one(self, of: Iterable[str]) -> str:
        return self.random.choice(list(of))

    def whole(self, least: int = 0, most: int = 9999) -> str:
        return str(self.random.choice([least, most, self.random.randint(least, most)]))

    def points(self, least: float, most: float) -> str:
        return f"{self.random.choice([least, most, round(self.random.uniform(least, most), 2)]):g}"

    def size(self, least: float) -> str:
        return self.one(["auto", '"auto"', self.points(least, 24)])

    def formula(self) -> str:
        return self.one(["2", "x", "x/2", '"(x + 4)/5"'])

    def text(self) -> str:
        return self.one(TEXTS)

    def lines(self) -> str:
        return self.one([*TEXTS, '"A\\nB"', '""', "null"])

    def may(self, **keys: Callable[[], Value]) -> dict[str, Value]:
        """Return some of these keys with values."""
        return {key: value() for key, value in keys.items() if self.some()}

    # --- cards -----

    def card(self, of_set: int | None) -> dict[str, Value]:
        edition: str | None = None
        number = of_set or 17
        if of_set is None or self.some(0.3):
            number = self.random.choice(EDITIONS)
            edition = str(number)
        old = number <= 11
        kind = self.one(["creature" if old else "minion", "spell", "pawn", "tip"])
        if edition and self.some(0.2) and kind in ("creature", "minion", "spell"):
            edition = "none"
        self.named += 1
        given = {"edition": edition} if edition else {}
        own: dict[str, Value] = {
            "name": f"Card {self.named} {self.one(['', 'of 9', 'é'])}".rstrip(),
            "kind": kind,
            **given,
        }
        keys = [*own.items(), *self.numbers(kind, old=old, auto=edition != "none").items(), *self.common(kind).items()]
        self.random.shuffle(keys)
        return dict(keys)

    def numbers(self, kind: str, *, old: bool, auto: bool) -> dict[str, Value]:
        level, points = ("cost", ("offense", "defense")) if old else ("level", ("sp", "hp"))
        keys = {"minion": (level, *points), "creature": (level, *points), "pawn": (level, *points), "spell": (level,)}
        wanted = [key for key in keys.get(kind, ()) if kind != "pawn" or self.some()]
        # Without rules of which the texts are made, no number can be worked out.
        found: dict[str, Value] = {key: self.whole() for key in wanted}
        return found | ({} if old or kind == "tip" or not auto else self.may(ultra_points=self.whole))

    def common(self, kind: str) -> dict[str, Value]:
        text = {"text": self.text()} if kind in ("spell", "tip") else self.may(text=self.lines)
        return text | self.may(
            id=lambda: self.one([f"card-{self.named}", f"{self.named}", f"'{self.named}x'"]),
            name_size=lambda: self.size(3.5),
            name_spacing=lambda: self.points(-1.5, 6),
            text_size=lambda: self.size(5),
            flavor=self.text,
            flavor_size=lambda: self.size(2),
            art=self.art,
            credit=self.text,
            credit_font=lambda: self.one(["Droid Sans", "Roboto", "DejaVu Sans"]),
            back=lambda: self.one(["back", "none", "art/back.png"]),
            copies=lambda: self.whole(0, 999),
            words=lambda: {language: self.words() for language in self.random.sample(["de", "fr", "nds", "no"], 2)},
        )

    def art(self) -> Value:
        if self.some():
            return self.one(["art/a.jpg", '"b.png"', "1.svg"])
        return {"file": "art/a.jpg"} | self.may(
            author=self.text,
            license=self.text,
            corner=lambda: self.one(["top-left", "bottom-right", '"top-right"']),
            color=lambda: self.one(["white", "black"]),
            fit=lambda: self.one(["contain", "cover"]),
        )

    def words(self) -> Value:
        return self.may(
            name=self.text,
            text=self.lines,
            flavor=self.text,
            credit=self.text,
            abilities=lambda: {self.one(["DIVE", "GO ON", "12"]): self.one(["TAUCHEN", "'ÄÖÜ: 9'", "7"])},
            tutorials=self.lines,
        )

    # --- other files -----

    def set_file(self, edition: int | None) -> dict[str, Value]:
        languages: list[dict[str, Value]] = [{}, {"language": "en"}, {"languages": ["en", '"de"']}, {"written": "fr"}]
        own: dict[str, Value] = {"name": self.text(), **({"edition": str(edition)} if edition else {})}
        return (
            own
            | self.random.choice(languages)
            | self.may(
                game=lambda: "kotc",
                back=lambda: self.random.choice(["back", "none", "a.png", {"minion": "back", "tip": "none"}, {}]),
                outputs=self.outputs,
                sheet=self.sheet,
                credit=self.text,
                red=lambda: self.one(["true", "false", '"true"']),
                least_text=lambda: self.points(3.5, 5),
                words=lambda: {"de": self.may(name=self.text, credit=self.text)},
            )
        )

    def outputs(self) -> Value:
        names = ["png", "sheets", *shops()]
        if self.some():
            return [*self.random.sample(names, 3), *self.random.choice([[], ["png", "gallery"]])]
        details = {"dpi": self.whole(72, 1200), "bleed": self.one(["0", "1.5", "2mm"])}
        return {"png": self.random.choice(["true", details, {}])} | self.may(
            sheets=lambda: self.one(["true", "false"]),
            gallery=lambda: "true",
            shops=lambda: self.random.choice([[], [self.one(shops())], self.one(shops())]),
        )

    def sheet(self) -> Value:
        """Return options that do not contradict each other: each is tried by itself elsewhere."""
        values = {
            "paper": ["a4", "A3", "210x297", '"letter"', "8.5in x 11in"], "grid": ["auto", "2x2", "1X2"],
            "margin": ["5", "6mm", "0.2in"], "gutter": ["auto", "1", "1x2"], "flip": ["long-edge", "short-edge"],
            "bleed": ["0", "1", "2mm", '"1"'], "bleed_from": ["auto", "mirror", "'#80aaFF'"],
            "crop_marks": ["off", "edge"], "ruler": ["true", "false", '"false"'], "date": ["2024-01-01", "7", "null"],
            "sheets_per_file": ["0", "12", '"3"'], "art_dpi": ["600", "original"], "mark_line": ["0.1", "1pt"],
        }  # fmt: skip
        return {key: self.one(values[key]) for key in values if self.some(0.3)}

    def deck(self) -> dict[str, Value]:
        cards: list[Value] = [
            {"wolf": "4", "basic/bear": self.whole(1, 999), "7": "2"},
            ["wolf", "7", {"bear": self.whole(1, 999)}],
            {},
        ]
        sets: list[Value] = ["basic", ["basic"], ['"basic"', "basic/../basic"]]
        return {
            "name": self.text(),
            "edition": str(self.random.choice(EDITIONS)),
            "sets": self.random.choice(sets),
            "cards": self.random.choice(cards),
            **self.may(sheet=self.sheet, outputs=self.outputs, game=lambda: "kotc"),
        }

    def edition(self) -> dict[str, Value]:
        revised: Value = [{"text": f"Revise {{x}} {self.named}", "edition": "16"}]
        lists: dict[str, Callable[[], Value]] = {
            "reworded": lambda: [{"old": '"an old text"', "new": '"a new text"'}],
            "redacted": lambda: ['"Pay {x} hitpoints."', "Silo it", "17"],
            "revised_levels": lambda: revised,
            "revised_ultra_points": lambda: revised,
            "conditions": lambda: [{"text": '"When {x} go"'} | self.may(ultra_points=lambda: self.whole(0, 9))],
            "costs": lambda: [{"text": '"pay {x} HP"', "level": self.formula()} | self.may(limits=lambda: {"x": "14"})],
            "targets": lambda: [{"text": '"Target {x} cards"', "t": self.formula()}],
            "effects": lambda: [{"text": '"go {x}"', "level": self.formula()} | self.may(ultra_points=lambda: "1")],
            "unknown": lambda: [
                {"section": self.one(["effects", "deck"]), "line": self.whole(1, 999), "words": "“Frob”"}
            ],
        }
        levels = {
            "hp_share": self.one(["1/2", "0", "1"]),
            "least_of_minion_ability": "1",
            "least_of_spell_ability": "0",
        }
        return {
            "edition": "18",
            "terms": {"minion": "minion", "sp": "SP", "hp": "HP", "level": "level"},
            "deck": {"cards": self.one(["40", "40-60"])} | self.may(ultra_points=lambda: "10"),
            **self.may(clean_slate=lambda: self.whole(1, 18)),
            **self.may(levels=lambda: levels | self.may(round=lambda: self.one(["card", "ability"]))),
            **self.may(**lists),
        }

    def language(self) -> dict[str, Value]:
        words = {"edition": '"{x}. Edition"', "minion": "Diener", "spell": "Zauber", "pawn": "Bauer", "tip": "Tipp",
                 "sp": "SP", "hp": "TP", "level": "Stufe", "ultra_points": "Ultrapunkte"}  # fmt: skip
        joints = {"colon": '": "', "semicolon": '"; "', "then": '", dann "', "also": '", außerdem "',
                  "and": '" und "', "last_and": '" und "'}  # fmt: skip
        genders: list[Value] = [{"f": "sie", "m": "ihn"}, "es"]
        it = self.random.choice(genders)
        spoken: Value = {"many": '"die Ziele"', "one": '"das Ziel"', "it": it}
        target: dict[str, Value] = {"text": '"Target this card"', "words": '"Wähle diese Karte als Ziel"'}
        return {
            "edition": "17", "language": "de", "name": "Deutsch",
            "terms": dict(words), "joints": dict(joints), "targets_as": {"acc": spoken},
            **self.may(no_break=lambda: {"before": '"»"', "after": '"«"'}),
            "targets": [target | ({"it": "f"} if isinstance(it, dict) else {})],
            **self.may(effects=lambda: [{"text": '"destroy the targets"', "words": '"zerstöre {acc}"'}]),
        }  # fmt: skip


# --- as YAML ---------------------------------------------------------------------------------------------------------


def in_yaml(value: Value, random: random.Random, indent: str = "") -> str:
    """Return a value as people write it: in lines, or at times in brackets."""
    if isinstance(value, str):
        return value
    if not value or random.random() < 0.2:
        return in_brackets(value)
    inner = f"{indent}  "
    if isinstance(value, list):
        rows = [f"{indent}- {in_yaml(item, random, inner).lstrip()}" for item in value]
    else:
        rows = [f"{indent}{key}:{_behind(item, random, inner)}" for key, item in value.items()]
    return "\n".join(rows)


def _behind(value: Value, random: random.Random, indent: str) -> str:
    words = in_yaml(value, random, indent)
    return f"\n{words}" if words.startswith(indent) and not isinstance(value, str) else f" {words}"


def in_brackets(value: Value) -> str:
    """Return a value in one line; words that brackets would change are in quotes there."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {in_brackets(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_brackets, value)) + "]"
    return f'"{value}"' if value[:1] not in ("'", '"') and any(char in value for char in ",[]{}") else value


# --- mistakes --------------------------------------------------------------------------------------------------------

WRONG: tuple[Value, ...] = (
    "word",
    '"9"',
    "-1",
    "99999",
    "2.5",
    "true",
    "",
    '""',
    ["a"],
    {"a": "b"},
    [],
    {},
    "'a\n\n  b'",
)


def with_mistake(value: dict[str, Value], random: random.Random) -> dict[str, Value]:
    """Return keys and values with one change: a key misspelt, added or left out, or another value."""
    inner = [key for key, item in value.items() if isinstance(item, dict) and item]
    if inner and random.random() < 0.4:
        key = random.choice(inner)
        return value | {key: with_mistake(value[key], random)}
    listed = [key for key, item in value.items() if isinstance(item, list) and item and isinstance(item[0], dict)]
    if listed and random.random() < 0.4:
        key = random.choice(listed)
        items = value[key]
        return value | {key: [with_mistake(items[0], random), *items[1:]]}
    key = random.choice(list(value))
    others = {each: item for each, item in value.items() if each != key}
    match random.randrange(4):
        case 0:
            return others
        case 1:
            return others | {random.choice([f"{key}s", key[:-1] or "q", "flavour", "hp", "cost", "level"]): value[key]}
        case 2:
            return value | {random.choice(["colour", "sp", "cost", "edition", "text", "it", "language"]): "3"}
    return value | {key: random.choice(WRONG)}


# --- verdicts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trial:
    """A kind of file: its schema, a sound file, and what the program says of a text; with the edition of its set."""

    schema: str
    made: dict[str, Value]
    said: Callable[[str], list[Diagnostic]]
    edition: int | None = None


def trial(random: random.Random, folder: Path) -> Trial:
    """Return a sound file at random, of which sorts with more rules come more often."""
    make = Maker(random)
    edition = random.choice([None, *EDITIONS])
    match random.choices(["cards", "set", "deck", "edition", "language"], [8, 4, 2, 2, 1])[0]:
        case "cards":
            return Trial("cards", make.card(edition), lambda text: _of_card(text, edition, folder), edition)
        case "set":
            return Trial("set", make.set_file(edition), lambda text: _of_set(text, folder))
        case "deck":
            return Trial("deck", make.deck(), lambda text: _of_deck(text, folder))
        case "edition":
            return Trial("edition", make.edition(), lambda text: _of_edition(text, folder))
    return Trial("language", make.language(), lambda text: _of_language(text, folder))


def _of_card(text: str, edition: int | None, folder: Path) -> list[Diagnostic]:
    (folder / "set.yaml").write_text(f"name: S\n{f'edition: {edition}' if edition else ''}\n", encoding="utf-8")
    (folder / "card.yaml").write_text(text, encoding="utf-8")
    return survey([folder])[1]


def _of_set(text: str, folder: Path) -> list[Diagnostic]:
    (folder / "set.yaml").write_text(text, encoding="utf-8")
    (folder / "card.yaml").write_text("{name: A, kind: pawn, edition: 17}\n", encoding="utf-8")
    return [each for each in survey([folder])[1] if each.code[0] != "C"]


def _of_deck(text: str, folder: Path) -> list[Diagnostic]:
    home, file = folder / "other/basic", folder / "other/deck.yaml"
    home.mkdir(parents=True, exist_ok=True)
    (home / "set.yaml").write_text("name: S\nedition: 17\n", encoding="utf-8")
    cards = "".join(f"- {{name: {name}, kind: minion, level: 1, sp: 1, hp: 1}}\n" for name in ("Wolf", "Bear", "7"))
    (home / "cards.yaml").write_text(cards, encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    return [each for each in read_deck(file).findings if each.span and each.span.file == file]


def _of_edition(text: str, folder: Path) -> list[Diagnostic]:
    return _read(edition_reading.read, text, folder / "other/18.yaml")


def _of_language(text: str, folder: Path) -> list[Diagnostic]:
    return _read(lambda file: language_reading.read(file, _seventeenth()), text, folder / "other/17.de.yaml")


def _seventeenth(known: list[Edition] = []) -> Edition:  # noqa: B006 - it is read once
    known or known.append(edition_reading.read(SHIPPED / "17.yaml"))  # type: ignore[func-returns-value]
    return known[0]


def _read(read: Callable[[Path], object], text: str, file: Path) -> list[Diagnostic]:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    try:
        read(file)
    except Refused as refused:
        return list(refused.findings)
    return []


def tried(count: int, seed: int, folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield so many sound files and as many with a mistake: the schema, the codes found, and how verdicts differ."""
    random_ = random.Random(seed)
    for _ in range(count):
        one = trial(random_, folder)
        for made in (one.made, with_mistake(one.made, random_)):
            text = in_yaml(made, random_) + "\n"
            findings = one.said(text)
            errors = sorted({each.code for each in findings if each.severity is Severity.ERROR})
            differ = list(disagreements(one.schema, text, findings, one.edition))
            if made is one.made and errors:
                differ.append(f"made to be sound: {errors} {findings[0].message}\n{text}")
            yield one.schema, " ".join(errors) or "sound", differ


def main() -> None:
    """Print what was tried, and every disagreement."""
    count, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 2000, int(sys.argv[2]) if len(sys.argv) > 2 else 1
    verdicts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for schema, codes, differ in tried(count, seed, Path(folder)):
            verdicts[schema, codes] += 1
            wrong += bool(differ)
            for each in differ:
                print(each)
    for (schema, codes), times in sorted(verdicts.items()):
        print(f"{times:6} {schema:9} {codes}")
    print(f"{sum(verdicts.values())} files, {wrong} with a disagreement")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()

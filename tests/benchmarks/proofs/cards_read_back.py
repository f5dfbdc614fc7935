"""Cards drawn by the program and read back from their pictures: how many fields are exact, and how sure the others.

`python tests/benchmarks/prove.py cards_read_back --count 200` prints it for cards of all kinds, at 300 and 400 dpi, as PNG
and as JPEG of quality 85. A sample is in `test_recognition`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from msgspec import structs
from PIL import Image

from render.game.faces import lay_out_set
from render.game.sources import load_sets
from render.games.kotc.model.cards import OLD_NAMES, Card, Kind, own_card
from render.games.kotc.workshop.recognition.card_reading import FieldReading, RecognizedCard, read_card
from render.png.canvas import Canvas
from render.png.paint import paint
from render.scene.items import Scene

ROOT = Path(__file__).parents[3]
STARTERS = ROOT / "cards" / "starter", ROOT / "cards" / "eleventh"
NOTHING = FieldReading(None, 1.0)

_CONDITIONS = (
    "When this card attacks, after Attack Formation (ghost-play):",
    "When your on-field minion(s) is damaged:",
    "When enemy attacks, after Attack Formation:",
    "When you take damage:",
)
_COSTS = ("self-exhaust {x} resources→", "self-bury {x} cards in your hand→", "pay {x} HP and self-destroy 1 minion->")
_TARGETS = (
    "Target up to {x} on-field minions;",
    "Target up to {x} cards in any grave randomly;",
    "Target 1 on-field minion;",
)
_EFFECTS = ("destroy the targets", "place {x} Sword Counters on each target", "down-level each target by {x}")
_PLAIN = ("Draw {x} cards.", "{x}-dice-heal yourself.", "{x}-dice-burn the battlefield.", "Craft {x} level {x} pawns.")
_TUTORIALS = ("(Roll {x} dice and gain HP equal to the result.)", "(It joins its owner's granary: “face down”.)")
_CAVEATS = (
    "This creature cannot attack.",
    "You must exhaust {x} of your unexhausted creatures in play to summon this creature.",
)
_OLD_CONDITIONS = (
    "Activate when you take at least {x} damage.",
    "Activate when at least {x} of your cards in play is destroyed.",
)
_OLD_COSTS = ("Sacrifice {x} cards in play.", "Remove {x} counters from this card.")
_OLD_EFFECTS = (
    "Target up to {x} cards in play. Destroy all targets.",
    "Roll {x} six-sided dice and inflict the result of each die as damage to one target.",
    "Increase targets' offense by a total of {x}.",
    "Draw {x} cards.",
)
_NAMES = tuple(
    "Thor's Hammer|Ill Will|Illinois|O0O|Il1l|Agent #7|Mårten Eskil Winge|Æther — Éclair|Naïve Łódź|War: 2nd Horseman|"
    "Jörð & Ægir|Façade|Queen’s Gambit|“Quoted”|Serpent's Temptation|Multi-Tool 3000|1st & 10|Iii!|Re-roll?|Åse|"
    "Fjord Waffle|Zażółć|A Very Long Name for a Very Small Card of Paper|VAULT".split("|")
)
_SURNAMES = (
    "Golem Tornado Raptor Wizard Mule Flower Knight Yeti Offering Wave Avalanche Fox Tyrant Sniffer Lill Dæmon".split()
)
_ABILITIES = ("OPENING MOVE", "LAST WORD", "THOR'S HAMMER", "PLAN B: SECOND WIND", "IL0 O1I", "DÉJÀ VU", "X-RAY 100%")
_WORDS = (
    "the first of its kind to difficult cliffs and flat fields where office workers fear AVATAR To Tyrant Wave “nobody”"
    " and efficient affluent baffled waffles reflect a fierce final flame over flooded floors without effort it's 1–2"
    " Il naïve café coöperate rn m cl d vv w 0O 5S 8B (perhaps) re-roll self-exhaust; however: 'tis Ålesund"
).split()
_EDITIONS = {True: (9, 10, 11), False: (12, 13, 16, 17, 17, 17, 21, 102)}


@dataclass(frozen=True, slots=True)
class Look:
    """How a card becomes a file: its dots per inch, and the quality of a JPEG; 0 is a PNG."""

    dpi: int
    quality: int

    def picture(self, scene: Scene) -> Image.Image:
        """Return the card as it is read from its file."""
        image, stream = paint(scene, Canvas(self.dpi)), BytesIO()
        if self.quality:
            image.save(stream, "JPEG", quality=self.quality)
        else:
            image.save(stream, "PNG")
        return Image.open(stream).convert("RGB")

    @property
    def called(self) -> str:
        return f"{self.dpi} dpi, {f'JPEG {self.quality}' if self.quality else 'PNG'}"


LOOKS = Look(300, 0), Look(400, 0), Look(300, 85), Look(400, 85)


# --- cards ------------------------------------------------------------------------------------------------------------


def generated(count: int, seed: int) -> list[dict[str, object]]:
    """Return cards of all kinds and frames, as card files have them."""
    rng = random.Random(seed)
    kinds = ("minion", "minion", "spell", "spell", "creature", "creature", "pawn", "tip", "old spell")
    return [_card(rng, kinds[index % len(kinds)], index) for index in range(count)]


def _card(rng: random.Random, kind: str, index: int) -> dict[str, object]:
    card: dict[str, object] = {
        "id": f"card-{index:04d}",
        "name": rng.choice(_NAMES)
        if rng.random() < 0.5
        else f"{rng.choice(_NAMES).split()[0]} {rng.choice(_SURNAMES)}",
        "kind": kind.rsplit(maxsplit=1)[-1],
        "edition": _edition(rng, kind),
    }
    card |= _numbers(rng, kind)
    text = _text(rng, kind)
    if text:
        card["text"] = text
    if rng.random() < 0.8:
        flavor = " ".join(rng.choice(_WORDS) for _ in range(rng.randint(4, 26)))
        card["flavor"] = flavor[0].upper() + flavor[1:] + "."
    if rng.random() < 0.7:
        card["credit"] = rng.choice(
            ("Card design by the benchmark, CC0.", "© 2024 Łukasz O'Neill & Søren; CC BY-SA 4.0")
        )
    if rng.random() < 0.8:
        card["art"] = f"a{index % 8}.jpg"
    return card


def _edition(rng: random.Random, kind: str) -> int | str:
    if rng.random() < 0.1 and kind in ("minion", "creature"):
        return "none"
    return rng.choice(_EDITIONS[kind in ("creature", "old spell")])


def _numbers(rng: random.Random, kind: str) -> dict[str, object]:
    def any_number() -> int:
        return rng.choice((rng.randint(0, 9), rng.randint(0, 20), rng.randint(10, 120)))

    match kind:
        case "minion":
            return {
                "level": any_number(),
                "sp": any_number(),
                "hp": any_number(),
                "ultra_points": rng.choice((0, 0, 1, 3, 12)),
            }
        case "creature":
            return {"cost": any_number(), "offense": any_number(), "defense": any_number()}
        case "spell":
            return {"level": any_number(), "ultra_points": rng.choice((0, 2))}
        case "old spell":
            return {"cost": any_number()}
        case "pawn":
            some = rng.choice(((), ("level",), ("sp", "hp")))
            return {key: any_number() for key in some}
    return {}


def _text(rng: random.Random, kind: str) -> str:
    x = rng.randint(2, 12)
    if kind in ("creature", "old spell"):
        lines = [rng.choice(_CAVEATS)] if kind == "creature" and rng.random() < 0.5 else []
        for _ in range(rng.randint(1, 2) if kind == "creature" else 1):
            start = [f"{rng.choice(_ABILITIES)}:"] if kind == "creature" and rng.random() < 0.7 else []
            start += [rng.choice(_OLD_CONDITIONS)] if rng.random() < 0.5 else []
            start += [rng.choice(_OLD_COSTS)] if rng.random() < 0.3 else []
            lines.append(" ".join([*start, *rng.sample(_OLD_EFFECTS, rng.randint(1, 2))]))
        return "\n".join(lines).format(x=x)
    if kind == "tip":
        words = [" ".join(rng.choice(_WORDS) for _ in range(rng.randint(6, 40))) for _ in range(rng.randint(1, 3))]
        return "\n".join(f"{each[0].upper()}{each[1:]}." for each in words)
    if (kind == "minion" and rng.random() < 0.15) or (kind == "pawn" and rng.random() < 0.6):
        return ""
    lines = []
    for _ in range(1 if kind == "spell" else rng.randint(1, 2)):
        start = [] if kind == "spell" else [f"{rng.choice(_ABILITIES)}:"]
        start += [rng.choice(_CONDITIONS)] if rng.random() < 0.5 else []
        start += [rng.choice(_COSTS)] if rng.random() < 0.3 else []
        parts = [f"{rng.choice(_TARGETS)} {', then '.join(rng.sample(_EFFECTS, rng.randint(1, 2)))}."]
        parts += rng.sample(_PLAIN, rng.randint(0, 2))
        parts += [rng.choice(_TUTORIALS)] if rng.random() < 0.4 else []
        lines.append(" ".join([*start, *parts]))
    return "\n".join(lines).format(x=x)


def write_set(folder: Path, cards: Sequence[dict[str, object]], seed: int) -> None:
    """Write cards as a set, with pictures that have detail at every scale."""
    (folder / "set.yaml").write_text("name: Read Back\nedition: 17\nleast_text: 3.5\n", encoding="utf-8")
    (folder / "cards.yaml").write_text(yaml.safe_dump(list(cards), allow_unicode=True), encoding="utf-8")
    rng = random.Random(seed)
    for index in range(8):
        small = Image.frombytes("RGB", (24, 15), rng.randbytes(24 * 15 * 3))
        wide = (1063, 650) if index % 3 else (500, 650)
        small.resize(wide, Image.Resampling.BICUBIC).save(folder / f"a{index}.jpg", quality=90)


def drawn(folder: Path, *ids: str) -> Iterator[tuple[Card, Scene]]:
    """Yield the cards of a set, or those with these ids, and their fronts; those that do not fit are left out."""
    for card_set in load_sets(folder):
        cards = tuple(card for card in card_set.cards if not ids or card.id in ids)
        for faces in lay_out_set(structs.replace(card_set, cards=cards)).faces:
            yield own_card(faces.card), faces.front


# --- what is read -----------------------------------------------------------------------------------------------------


def plain(text: str) -> str | None:
    """Return a text as its picture shows it: single spaces, one line a paragraph, arrows as arrows."""
    lines = (" ".join(line.split()) for line in text.replace("->", "→").split("\n"))
    return "\n".join(line for line in lines if line) or None


def expected(card: Card) -> dict[str, str | int | None]:
    """Return what a reading of a card's picture should be, by the keys of card files."""
    found: dict[str, str | int | None] = {
        "kind": card.kind.value,
        "edition": card.edition if card.edition is not None else "none",
        "name": plain(card.name),
        "text": plain(card.text),
        "flavor": plain(card.flavor),
        "credit": plain(card.credit),
        "ultra_points": card.ultra_points or None,
    }
    numbers = {"level": card.level, "sp": card.sp, "hp": card.hp} if card.kind is not Kind.TIP else {}
    found |= {OLD_NAMES[key] if card.era <= 11 else key: value for key, value in numbers.items()}
    return {key: value for key, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A field of a reading: its key, what was expected and what was read, and how sure that was."""

    key: str
    expected: str | int | None
    read: str | int | None
    sure: float

    @property
    def verdict(self) -> str:
        """`exact`, `wrong` (and called sure), or `unsure`."""
        if FieldReading(self.read, self.sure).is_sure:
            return "exact" if self.read == self.expected else "wrong"
        return "unsure"


def outcomes(reading: RecognizedCard, card: Card) -> list[Outcome]:
    """Return every field that a card has or that was read."""
    wanted = expected(card)
    keys = sorted({*wanted, *reading.fields})
    read = {key: reading.fields.get(key, NOTHING) for key in keys}
    return [Outcome(key, wanted.get(key), read[key].value, read[key].confidence) for key in keys]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="cards")
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--verbose", action="store_true", help="show each field that is not exact")
    parser.add_argument("--starters", action="store_true", help="read the starter sets as well")
    parser.add_argument("--looks", type=int, nargs="*", default=[0, 1, 2, 3], help="which of the four looks")
    args = parser.parse_args()
    with TemporaryDirectory() as scratch:
        write_set(Path(scratch), generated(args.count, args.seed), args.seed)
        folders = [Path(scratch), *(STARTERS if args.starters else ())]
        cards = [each for folder in folders for each in drawn(folder)]
        print(f"{len(cards)} cards")
        wrong = sum(_report(LOOKS[index], cards, verbose=args.verbose) for index in args.looks)
    return int(wrong > 0)


def _report(look: Look, cards: Sequence[tuple[Card, Scene]], *, verbose: bool) -> int:
    """Print how the cards were read at a look; return how many fields were wrong and called sure."""
    found, start, slowest = Counter[str](), time.process_time(), 0.0
    for card, scene in cards:
        picture, begun = look.picture(scene), time.process_time()
        for each in outcomes(read_card(picture), card):
            found[each.verdict] += 1
            if verbose and each.verdict != "exact":
                print(f"  {card.id} {card.kind.value} {each}", flush=True)
        slowest = max(slowest, time.process_time() - begun)
    fields, spent = found.total(), (time.process_time() - start) / len(cards)
    exact = found["exact"] / fields
    print(f"{look.called}: {fields} fields, {exact:.2%} exact, {found['unsure']} not sure, {found['wrong']} wrong")
    print(f"  {spent:.1f} s of CPU a card, {slowest:.1f} s at most", flush=True)
    return found["wrong"]


if __name__ == "__main__":
    raise SystemExit(main())

"""Drafts of all cards of a clean slate: legal, at the level told, each with what was lost, and all else as it was.

The 14 official cards of the 9th Edition, a card for each component of an edition, and cards of random components are
upgraded with `--draft`, in files of several styles; then the files are read anew. An edition with a clean slate is
invented, too: the 18th, with another share of the HP, and without some components of the 17th.

    python tests/benchmarks/prove.py drafts 40    # so many random cards of each edition
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from render.game.authoring.change_set import write_all
from render.games.kotc.composing import AbilityPlan, AbilityWriter, SubAbilityPlan, TextPlan
from render.games.kotc.editions.finding import find
from render.games.kotc.editions.wording import needs_targets
from render.games.kotc.languages.vocabulary import ComponentUse
from render.games.kotc.legality.legality import Legality, verdict
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.cards import Card, CardSet, Kind
from render.games.kotc.model.edition import Component, Edition, Role
from render.games.kotc.sets import load_sets
from render.games.kotc.workshop.drafts.drafting import SAME as SAME_MEANING
from render.games.kotc.workshop.drafts.drafting import likeness
from render.games.kotc.workshop.migration.cards import Fate, MigratedCard
from render.games.kotc.workshop.migration.planning import Migration, migrate
from render.games.kotc.workshop.suggestions.suggesting import is_sound
from tests.support.ability_plans import random_ability

ROOT = Path(__file__).resolve().parents[3]
OFFICIAL = ROOT / "tests/games/kotc/official_cards_of_the_9th.yaml"
DATA = ROOT / "render/games/kotc/editions/data"
WAYS = ((9, 11), (9, 17), (10, 12), (11, 12), (11, 13), (11, 17), (12, 13), (12, 17), (17, 11), (17, 9), (17, 18))
SAME = ("id", "name", "flavor", "art", "credit", "copies", "template")


def invented() -> str:
    """Return the data file of an 18th Edition with a clean slate."""
    text = (DATA / "17.yaml").read_text(encoding="utf-8")
    text = text.replace("edition: 17", "edition: 18", 1).replace("clean_slate: 13", "clean_slate: 18")
    text = re.sub(r"^reworded:\n.*?(?=^conditions)", "", text, flags=re.DOTALL | re.MULTILINE)
    text = text.replace("hp_share: 1/2", "hp_share: 1/3")
    gone = ("self-destroy", "Excavate", "exhaust and fatigue", "When this card attacks, after", "bounce the targets")
    kept = [line for line in text.splitlines() if not any(words in line for words in gone)]
    return "\n".join(kept).replace("on-field minion", "fielded minion") + "\n"


def cards_of(edition: Edition, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield texts of an edition with the kinds of their cards: one for each component, and so many by chance."""
    writer, chance = AbilityWriter(edition.grammar), random.Random(seed)
    creature = "creature" if edition.grammar.of_creatures else "minion"
    of = {role: [each for each in edition.components if each.role is role] for role in Role}
    alone = next(each for each in of[Role.EFFECT] if not needs_targets(each))
    selected = next(each for each in of[Role.EFFECT] if needs_targets(each) and not _names(each))
    for component in edition.components:
        choice = ComponentUse(component, tuple((name, 2) for name in _names(component)))
        target = choice if component.role is Role.TARGET else ComponentUse(of[Role.TARGET][0])
        effect = choice if component.role is Role.EFFECT else ComponentUse(selected if choice is target else alone)
        if effect.component is alone:
            effect = ComponentUse(alone, tuple((name, 2) for name in _names(alone)))
        plan = SubAbilityPlan((effect,), target if needs_targets(effect.component) else None)
        ability = AbilityPlan(
            sub_abilities=(plan,),
            condition=choice if component.role is Role.CONDITION else None,
            costs=(choice,) if component.role is Role.COST else (),
            name="",
        )
        if component.role is Role.CAVEAT:
            yield creature, writer.text(TextPlan((replace(ability, name="ROAR"),), choice))
        else:
            yield "spell", writer.text(TextPlan((ability,)))
    for number in range(count):
        is_spell = number % 3 == 0
        abilities = [random_ability(edition, chance, name="" if is_spell else f"ROAR {at}") for at in range(number % 3)]
        abilities = abilities or [random_ability(edition, chance)]
        caveats = of[Role.CAVEAT] if not is_spell and number % 2 else []
        caveat = chance.choice(caveats) if caveats else None
        chosen = ComponentUse(caveat, tuple((name, 1) for name in _names(caveat))) if caveat else None
        yield "spell" if is_spell else creature, writer.text(TextPlan(tuple(abilities), chosen))


def _names(component: Component) -> list[str]:
    return sorted(set(re.findall(r"\{([xyz])\}", component.text)))


def written_set(folder: Path, old: int, count: int, seed: int, *, official: bool) -> CardSet:
    """Write a set of an edition, with cards in lines and in braces, and return it."""
    folder.mkdir(parents=True)
    (folder / "editions").mkdir()
    (folder / "editions/18.yaml").write_text(invented(), encoding="utf-8")
    (folder / "set.yaml").write_text(f"name: Old\nedition: {old}\n")
    edition = find(old, folder)
    calculator, chance = LevelCalculator(edition), random.Random(seed)
    names = ("cost", "offense", "defense") if edition.grammar.of_creatures else ("level", "sp", "hp")
    blank = load_blank(folder, edition)
    entries = []
    for number, (kind, text) in enumerate(cards_of(edition, count, seed)):
        sp, hp = chance.randint(0, 9), chance.choice((0, 2, 5, 10, 15, 30))
        card = replace(blank, kind=Kind(kind), text=text, sp=sp, hp=hp)
        derived = calculator.derive(card)
        if derived is None or not derived.is_sound:
            continue
        stats = {} if kind == "spell" else {names[1]: sp, names[2]: hp}
        points = {"ultra_points": derived.ultra_points} if derived.ultra_points else {}
        keys = {"name": f"Card {number}", "kind": kind, names[0]: derived.level, **stats, **points, "text": text}
        keys |= {"flavor": f"It was number {number}.", "copies": number % 4}
        entries.append(_in_braces(keys) if number % 5 == 0 else _in_lines(keys))
    (folder / "cards.yaml").write_text("# Old cards.\n" + "".join(entries), encoding="utf-8")
    if official:
        (folder / "official.yaml").write_text(OFFICIAL.read_text(encoding="utf-8"), encoding="utf-8")
    return read(folder)


def load_blank(folder: Path, edition: Edition) -> Card:
    """Return a card of an edition to give texts."""
    (folder / "blank.yaml").write_text("- {name: Blank, kind: spell, level: 1, cost: 1, text: Draw 1 card.}\n")
    old = edition.grammar.of_creatures
    words = (folder / "blank.yaml").read_text().replace("level: 1, " if old else "cost: 1, ", "")
    (folder / "blank.yaml").write_text(words)
    card = read(folder).cards[0]
    (folder / "blank.yaml").unlink()
    return card


def _in_lines(keys: dict[str, object]) -> str:
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items() if key != "text"]
    text = "".join(f"    {line}\n" for line in str(keys["text"]).split("\n"))
    return "- " + "\n  ".join(lines) + f"\n  text: |  # as printed\n{text}"


def _in_braces(keys: dict[str, object]) -> str:
    return "- {" + ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()) + "}\n"


def read(folder: Path) -> CardSet:
    """Return the set of a folder."""
    return load_sets([folder])[0]


def drafted(folder: Path, old: int, new: int, count: int, seed: int) -> tuple[Migration, CardSet]:
    """Return the upgrade of a set with drafts, and the set as its files say it then; AssertionError if a law is broken."""
    card_set = written_set(folder, old, count, seed, official=old == 9)
    edition = find(new, folder)
    migration = migrate(card_set, edition, draft=True)
    write_all(migration.files)
    after = read(folder)
    assert [card.after for card in migration.cards] == list(after.cards)
    texts = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.yaml"))
    rules = LevelCalculator(find(old, folder))
    for card, now in zip(migration.cards, after.cards, strict=True):
        _judge(card, now, edition, texts)
        _account_for_all(card, rules)
    again = migrate(after, edition, draft=True)
    assert not again.files, "a second run changes nothing"
    return migration, after


def _judge(card: MigratedCard, now: Card, edition: Edition, texts: str) -> None:
    assert card.fate is Fate.DRAFTED, (card.before.text, card.fate, card.reasons)
    assert now.draft
    assert now.edition == edition.number
    derived = LevelCalculator(edition).derive(now)
    assert derived is not None
    assert derived.is_sound, now.text
    assert (derived.level, derived.ultra_points) == (now.level, now.ultra_points), now.text
    assert is_sound(now, LevelCalculator(edition)), now.text
    assert verdict(now, edition) is Legality.LEGAL, now.text
    assert [getattr(card.before, key) for key in SAME] == [getattr(now, key) for key in SAME]
    assert f"# `{now.id}` was of the " in texts, "each card has a comment about what was lost"


def _account_for_all(card: MigratedCard, old: LevelCalculator) -> None:
    """Every component is there in words of the same meaning, or a note names it."""
    notes = " ".join(card.reasons)
    now = _component_texts(card.after, LevelCalculator(find(card.after.era, _folder(card))))
    for words, text in _component_texts(card.before, old):
        is_there = any(likeness(text, other) >= SAME_MEANING for _, other in now)
        assert is_there or f"`{words}`" in notes, (words, card.reasons, card.after.text)


def _folder(card: MigratedCard) -> Path:
    return card.before.document.file.parent


def _component_texts(card: Card, calculator: LevelCalculator) -> list[tuple[str, str]]:
    """Return the words of a card's components, each with that component's text."""
    derivation = calculator.derive(card)
    assert derivation is not None
    caveat = derivation.stats.caveat if derivation.stats else None
    pieces = [*([caveat] if caveat else []), *(piece for each in derivation.abilities for piece in each.pieces)]
    return [(piece.words.text, piece.found.component.text) for piece in pieces if piece.found]


def main(count: int) -> None:
    """Prove all ways with so many random cards each."""
    for old, new in WAYS:
        with TemporaryDirectory() as name:
            migration, after = drafted(Path(name) / "set", old, new, count, seed=old * 100 + new)
        levels = [(card.before.level or 0, card.after.level or 0) for card in migration.cards]
        mean = [sum(each) / len(levels) for each in zip(*levels, strict=True)]
        notes = sum(len(card.reasons) for card in migration.cards)
        empty = sum(not card.text or "no abilities" in card.text for card in after.cards)
        print(
            f"{old} to {new}: {len(levels)} drafts, all legal at the level told; mean level {mean[0]:.1f} to"
            f" {mean[1]:.1f}, {notes} notes, {empty} without abilities"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)

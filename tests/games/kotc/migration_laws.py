"""Laws of migration, on card files written in every way there is."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from render.game.authoring.change_set import write_all
from render.games.kotc.editions.wording import pattern
from render.games.kotc.legality.legality import Legality, verdict
from render.games.kotc.model.cards import Card, CardSet
from render.games.kotc.sets import load_sets
from render.games.kotc.workshop.migration.planning import Migration, migrate
from render.source.nodes import Node, Scalar
from tests.support.laws import costly
from tests.support.rulebooks import SEVENTEENTH

SENTENCES = [
    "Draw 2 cards.",
    "Target up to 4 in-play cards; clone the targets.",
    'Target 1 in-play card; it\'s "cloned".',
    "Self-exhaust 1 of your resources and self-exhaust 2 minions→ Summon 2 level 1 pawns.",
    "When this in-play card is destroyed (ghost-play): Draw 1 card.",
    "When this card as a resource is destroyed (ghost-play, must pay resource cost): Draw 1 card.",
    "When your in-play card(s) (excluding this card) is damaged: Pay 1 HP-> Draw 1 card.",
    "See enemy’s hand and target 1 card therein; silo it.",
    "Target 1 on-field minion; bury it. (To bury an in-play card is to place it below its owner’s deck.)",
]


def literal(text: str, indent: str) -> str:
    return "|\n" + "\n".join(f"{indent}  {line}" for line in text.split("\n"))


def folded(text: str, indent: str) -> str:
    lines = text.replace("\n", "\n\n").replace(" card", f"\n{indent}  card")
    return ">-\n" + "\n".join(f"{indent}  {line.strip()}" if line.strip() else "" for line in lines.split("\n"))


def double(text: str, indent: str) -> str:
    return json.dumps(text).replace(" in-play", f" \\\n{indent}  \\x20in\\x2dplay")


def single(text: str, indent: str) -> str:
    return "'" + text.replace("'", "''").replace("\n", "\n\n").replace(" card", f"\n{indent}  card") + "'"


@st.composite
def cards(draw: st.DrawFn, number: int) -> str:
    """Return the item of a list that is a card: in lines or within braces, with comments, its keys in any order."""
    text = "\n".join(draw(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3)))
    edition = draw(st.sampled_from([None, None, 12, 13, 16, 17, 18, "none"]))
    keys = {"name": f"Card {number}", "kind": "spell", "level": "2"} | ({"edition": str(edition)} if edition else {})
    order = draw(st.permutations([*keys, "text"]))
    if draw(st.integers(0, 4)) == 0:
        quoted = keys | {"text": json.dumps(text)}
        return "- {" + ", ".join(f"{key}: {quoted[key]}" for key in order) + "}\n"
    styled = keys | {"text": draw(st.sampled_from([literal, folded, double, single]))(text, "  ")}
    comments = st.sampled_from(["", "", "  # in-play card\n", "\n"])
    lines = [f"{draw(comments)}  {key}: {styled[key]}\n" for key in order]
    return "- " + "".join(lines).lstrip(" #\n").removeprefix("in-play card").lstrip()


@dataclass(frozen=True)
class Files:
    """The files of a set."""

    set_yaml: str
    card_files: tuple[str, ...]


@st.composite
def sets(draw: st.DrawFn) -> Files:
    edition = draw(st.sampled_from([12, 13, 16, 17]))
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    number, files = 0, []
    for _ in range(draw(st.integers(1, 2))):
        text = ""
        for _ in range(draw(st.integers(1, 3))):
            number += 1
            text += draw(cards(number))
        text = text if draw(st.booleans()) else text.rstrip("\n")
        files.append(draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", ends))
    return Files(f"name: Test\nedition: {edition}  # the edition\n".replace("\n", ends), tuple(files))


@contextmanager
def written(files: Files) -> Iterator[Path]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "set.yaml").write_bytes(files.set_yaml.encode())
        for index, text in enumerate(files.card_files):
            (folder / f"{index}.yaml").write_bytes(text.encode())
        yield folder


def read(folder: Path) -> CardSet:
    return load_sets([folder])[0]


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def migrated(folder: Path) -> Migration:
    migration = migrate(read(folder), SEVENTEENTH)
    write_all(migration.files)
    return migration


@costly
@given(sets())
def test_migrating_twice_is_migrating_once(files: Files) -> None:
    with written(files) as folder:
        migrated(folder)
        once = content(folder)
        assert migrated(folder).files == ()
        assert content(folder) == once


@costly
@given(sets())
def test_the_files_say_what_the_migration_says(files: Files) -> None:
    with written(files) as folder:
        migration = migrated(folder)
        assert [card.after for card in migration.cards] == list(read(folder).cards)


@costly
@given(sets())
def test_a_migrated_card_has_no_old_text_left_and_may_be_played(files: Files) -> None:
    with written(files) as folder:
        migration = migrated(folder)
        for card in migration.cards:
            if card.fate.is_migrated and card.before.edition != SEVENTEENTH.number:
                assert not [
                    rule for rule in SEVENTEENTH.rewordings for _ in pattern(rule.old).finditer(card.after.text)
                ]
                assert verdict(card.after, SEVENTEENTH) is Legality.LEGAL


@costly
@given(sets())
def test_migrating_to_the_same_edition_changes_nothing(files: Files) -> None:
    with written(files) as folder:
        for file in folder.iterdir():
            file.write_bytes(re.sub(rb"\bedition: [0-9]+", b"edition: 17", file.read_bytes()))
        before = content(folder)
        migrated(folder)
        assert content(folder) == before


@costly
@given(sets())
def test_every_other_value_and_comment_stays(files: Files) -> None:
    with written(files) as folder:
        migration = migrate(read(folder), SEVENTEENTH)
        for change in migration.files:
            assert change.before != change.after
            assert change.before.count("#") == change.after.count("#")
            assert change.before.count("\r") == change.after.count("\r") - added_lines(migration, change.file)
        write_all(migration.files)
        for card, after in zip(migration.cards, read(folder).cards, strict=True):
            assert without_changed(card.before) == without_changed(after)


def added_lines(migration: Migration, file: Path) -> int:
    """Return how many lines with an edition the cards of a file with CRLF line ends were given."""
    of_file = [card for card in migration.cards if card.before.document.file == file]
    changed = [change.after for change in migration.files if change.file == file]
    if not of_file or "\r\n" not in changed[0]:
        return 0
    return changed[0].count("\n") - of_file[0].before.document.text.count("\n")


def without_changed(card: Card) -> list[tuple[str, Node | str]]:
    entries = ((key.value, value) for key, value in card.node.entries if key.value not in ("edition", "text"))
    return [(key, value.value if isinstance(value, Scalar) else value) for key, value in entries]

"""Cards that a store knows: they are what reading them anew gives, and are read anew as soon as that could differ."""

import os
import random
import shutil
import sqlite3
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from render.base.caches import Memory
from render.base.findings import Diagnostic
from render.build.finished import finish_with_store
from render.build.store import FILE, ProgramMemory, store_in
from render.exports.print_files import drawn_for
from render.game import known_cards
from render.game.card_reading import CardReading
from render.game.cards import GameCard, GameSet
from render.game.faces import lay_out_set
from render.game.side_layout import OwnSides
from render.game.sources import survey
from render.source.items import KnownItem
from render.source.nodes import Document
from tests.support.sets import kotc, write_set

EXAMPLES = [Path("cards", name) for name in ("starter", "eleventh", "fivewinds", "windfall")]
SET = 'name: Test\nedition: 17\ncredit: "Card design by me, CC0."\nback: back\n'


def memory_in(folder: Path) -> ProgramMemory:
    store = store_in(folder)
    assert store
    return store.memory()


def all_of(card: GameCard) -> tuple[object, ...]:
    places = [card.document.span(each.node) for each in (card, *card.faces)]
    return card, card.node.entries, [each.node.entries for each in card.faces], places


def read(folder: Path, memory: Memory | None) -> tuple[list[GameSet], list[tuple[object, ...]], list[Diagnostic]]:
    sets, findings = survey([folder], None, memory=memory)
    return sets, [all_of(card) for each in sets for card in each.cards], findings


@pytest.mark.parametrize("folder", EXAMPLES, ids=str)
def test_known_cards_are_those_that_are_read(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, memory = read(folder, None), memory_in(tmp_path)
    assert read(folder, memory) == expected
    unpacked: list[object] = []
    reading = known_cards.KnownCards.reading

    def counted(known: known_cards.KnownCards, node: KnownItem, at_rest: Document) -> CardReading | None:
        unpacked.append(node)
        return reading(known, node, at_rest)

    with monkeypatch.context() as patch:
        patch.setattr(known_cards.KnownCards, "reading", counted)
        assert read(folder, memory) == expected
    # Cards with a warning are read each time.
    warned = {finding.card for finding in expected[2]}
    assert len(unpacked) >= sum(card.id not in warned for each in expected[0] for card in each.cards)


_LINES = (
    "- {name: New, kind: minion, level: 1, sp: 1, hp: 0}",
    "- {name: Card 3, kind: minion, level: 1, sp: 1, hp: 0}",  # an id that is there
    "- name: Open\n  kind: minion\n  level: 1\n  sp: 1\n  hp: 0\n  text: |\n    Draw 1 card.\n    {Draw it.}",
    "- &anchor {name: Anchored, kind: minion, level: 1, sp: 1, hp: 0}\n- {<<: *anchor, name: Merged}",
    '- {name: "Not closed, kind: minion}',
    "# a comment",
    "",
    "- {name: Wrong, kind: minion, levle: 1, sp: 1, hp: 0}",
    "- {name: Doubtful, kind: minion, level: 7, sp: 1, hp: 0, draft: true}",
    "- {name: Auto, kind: minion, level: auto, sp: 3, hp: 4, text: Draw 1 card.}",
)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_after_any_edits_a_set_is_as_if_nothing_were_known(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    tmp_path, chance = tmp_path_factory.mktemp("edits"), random.Random(seed)
    lines = [f"- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0}}" for number in range(8)]
    folder, memory = write_set(tmp_path / "set", "\n".join(lines), SET), memory_in(tmp_path / "store")
    for _ in range(6):
        assert read(folder, memory) == read(folder, None)
        at = chance.randrange(len(lines) + 1)
        match chance.randrange(3):
            case 0:
                lines.insert(at, chance.choice(_LINES))
            case 1:
                del lines[at : at + 1]
            case 2:
                chance.shuffle(lines)
        (folder / "cards.yaml").write_text("\n".join([*lines, ""]), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("set.yaml", SET.replace("17", "16")),
        ("editions/17.yaml", "edition: 17\n"),
        ("templates/minion.svg", "<svg/>"),
        ("fonts/a.ttf", "no font"),
    ],
)
def test_cards_are_read_anew_when_what_they_depend_on_changes(name: str, words: str, tmp_path: Path) -> None:
    cards = "- {name: Card, kind: minion, level: auto, sp: 3, hp: 4, text: Draw 1 card.}"
    folder, memory = write_set(tmp_path / "set", cards, SET), memory_in(tmp_path / "store")
    read(folder, memory)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(words, encoding="utf-8")
    assert read(folder, memory) == read(folder, None)


def test_a_picture_that_became_a_link_out_of_the_set_is_refused(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", "- {name: Card, kind: minion, level: 1, sp: 1, hp: 0, art: a.png}", SET)
    memory = memory_in(tmp_path / "store")
    read(folder, memory)
    (folder / "a.png").symlink_to(tmp_path / "elsewhere.png")
    _, cards, findings = read(folder, memory)
    assert (cards, findings) == read(folder, None)[1:]
    assert [each.code for each in findings] == ["C018"]


class Rows:
    """A memory that somebody else may write."""

    def __init__(self) -> None:
        self.rows: dict[bytes, bytes] = {}

    def find(self, keys: Collection[bytes]) -> dict[bytes, bytes]:
        return {key: self.rows[key] for key in keys if key in self.rows}

    def keep(self, rows: Mapping[bytes, bytes]) -> None:
        self.rows.update(rows)


def test_rows_of_somebody_else_lead_to_no_place_or_file_elsewhere(tmp_path: Path) -> None:
    folder, rows = write_set(tmp_path, "- {name: Card, kind: minion, level: 1, sp: 1, hp: 0}", SET), Rows()
    expected = read(folder, rows)
    ((key, row),) = rows.rows.items()
    start, end, claimed, kind, (name, *fields), small = msgspec.msgpack.decode(row)
    for changed in (
        (-5, end, claimed, kind, (name, *fields), small),
        (start, 10**12, claimed, kind, (name, *fields), small),
        (start, end, claimed, kind, ("../" + name, *fields), small),
    ):
        rows.rows[key] = msgspec.msgpack.encode(changed)
        assert read(folder, rows) == expected
    rows.rows[key] = (b"\x96" + row[1:-1] + b"\x91") * 5000 + row
    assert read(folder, rows) == expected


@pytest.mark.parametrize("part", ["program_stamp", "stamps"])
def test_another_program_or_other_fonts_know_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    memory_in(tmp_path).keep({b"key": b"row"})
    assert memory_in(tmp_path).find([b"key"]) == {b"key": b"row"}
    monkeypatch.setattr(f"render.build.store.{part}", lambda *_: "another")
    assert memory_in(tmp_path).find([b"key"]) == {}


# --- check --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KOTC_STORE", str(tmp_path / "store"))
    words = "Of this card there is not much to be told, but that it is one of many. " * 2
    cards = (
        f'- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0, flavor: "{words}{number}"}}'
        for number in range(120)
    )
    return write_set(tmp_path / "large", "\n".join(cards), SET)


def checked(folder: Path, *options: str) -> tuple[str, int]:
    result = kotc("check", folder, "--timings", *options)
    (row,) = [line.split() for line in result.stderr.splitlines() if line.startswith("lay out")]
    said = [line for line in result.stdout.splitlines() if line]
    return "\n".join(said), int(row[2])


def test_a_second_check_lays_out_only_what_changed_and_says_the_same(large: Path) -> None:
    said, number = checked(large)
    assert number == 120
    assert checked(large) == (said, 0)
    text = (large / "cards.yaml").read_text(encoding="utf-8")
    (large / "cards.yaml").write_text("# more\n" + text.replace("sp: 1, hp: 0", "sp: 1, hp: 1", 1), encoding="utf-8")
    changed, number = checked(large)
    assert number == 1
    assert changed == checked(large, "--no-store")[0]
    assert "cards.yaml:2:" in changed


def test_a_card_file_that_cannot_be_read_makes_no_other_cards_anew(large: Path) -> None:
    checked(large)
    for wrong in (b"- {name: \xff}", b"- {name: \xfe}", b"#" * (1 << 20) + b"more"):
        (large / "other.yaml").write_bytes(wrong)
        said, number = checked(large)
        assert number == 0
        assert "Y00" in said
        assert said == checked(large, "--no-store")[0]


def test_findings_of_cards_and_rules_are_told_each_time(large: Path) -> None:
    text = (large / "cards.yaml").read_text(encoding="utf-8")
    wrong = text.replace("sp: 1, hp: 0", "sp: 1, hp: 9", 1).replace("sp: 1, hp: 0", 'sp: 1, hp: 0, text: "Drw."', 1)
    (large / "cards.yaml").write_text(wrong, encoding="utf-8")
    expected = checked(large, "--no-store")[0]
    assert [checked(large)[0] for _ in range(3)] == [expected] * 3
    (large / "cards.yaml").write_text(text, encoding="utf-8")
    assert checked(large)[0] == checked(large, "--no-store")[0]


def test_a_picture_a_template_and_another_size_are_checked_again(large: Path) -> None:
    checked(large)
    template = Path("templates", "kotc", "minion.svg").read_text(encoding="utf-8")
    (large / "templates").mkdir()
    (large / "templates" / "minion.svg").write_text(template, encoding="utf-8")
    assert checked(large)[1] == 120
    (large / "set.yaml").write_text(SET + "sheet: {bleed: 2 mm}\n", encoding="utf-8")
    assert checked(large)[1] == 120
    assert checked(large)[1] == 0


def test_a_picture_of_one_card_that_a_template_shows_on_all_is_drawn_anew_on_all(large: Path, tmp_path: Path) -> None:
    Image.new("RGB", (700, 430), "teal").save(large / "a.png")
    template = Path("templates", "kotc", "minion.svg").read_text(encoding="utf-8")
    picture = '<image href="a.png" x="10" y="10" width="10" height="10"/>'
    shown = template.replace("{% endblock %}", f"{picture}{{% endblock %}}")
    (large / "templates").mkdir()
    (large / "templates" / "minion.svg").write_text(shown, encoding="utf-8")
    with (large / "cards.yaml").open("a", encoding="utf-8") as file:
        file.write("\n- {name: With it, kind: minion, level: 1, sp: 1, hp: 0, art: a.png}\n")

    def sheets(name: str, *options: str) -> bytes:
        result = kotc("pdf", large, "--out", tmp_path / name, *options)
        assert result.exit_code == 0, result.output
        return (tmp_path / name).read_bytes()

    for color in ("teal", "gold"):
        Image.new("RGB", (700, 430), color).save(large / "a.png")
        assert sheets("kept.pdf") == sheets("again.pdf") == sheets("fresh.pdf", "--no-store")


def test_hidden_templates_and_files_with_their_former_time_are_seen(large: Path) -> None:
    template = Path("templates", "kotc", "minion.svg").read_text(encoding="utf-8")
    minion, inner = large / "templates" / "minion.svg", large / "templates" / ".inner.svg"
    minion.parent.mkdir()
    minion.write_text(template.replace("{% endblock %}", '{% include ".inner.svg" %}{% endblock %}'), encoding="utf-8")
    inner.write_text('<rect width="9" height="9"/>', encoding="utf-8")
    checked(large)
    assert checked(large)[1] == 0
    inner.write_text('<rext width="9" height="9"/>', encoding="utf-8")
    assert "<rext>" in checked(large)[0]
    inner.write_text('<rect width="9" height="9"/>', encoding="utf-8")
    checked(large)
    before, text = minion.stat(), minion.read_text(encoding="utf-8")
    minion.write_text(text.replace("include", "inclube"), encoding="utf-8")
    os.utime(minion, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "inclube" in checked(large)[0]


def test_what_is_saved_while_cards_are_drawn_is_drawn_anew(large: Path, tmp_path: Path) -> None:
    (card_set,), _ = survey([large], None)
    drawing, store = drawn_for(card_set.sheet), store_in(tmp_path / "store")
    assert drawing
    assert store
    finish = finish_with_store(drawing, card_set.sheet, store)
    assert finish.known

    def save_and_remember(card_set: GameSet, made: Mapping[str, OwnSides]) -> None:
        assert finish.remember
        write_set(large / "templates", "", "")  # whatever it is: a new file there may be a template
        finish.remember(card_set, made)

    lay_out_set(card_set, replace(finish, remember=save_and_remember))
    assert finish.known(card_set) == {}
    lay_out_set(card_set, finish)
    assert len(finish.known(card_set)) == 120


def test_no_store_and_few_cards_keep_nothing(large: Path, tmp_path: Path) -> None:
    checked(large, "--no-store")
    assert not (tmp_path / "store" / FILE).exists()
    small = write_set(tmp_path / "small", "- {name: Card, kind: minion, level: 1, sp: 1, hp: 0}", SET)
    kotc("check", small)
    assert not (tmp_path / "store" / FILE).exists()
    result = kotc("check", large, "--store", str(large / "store"))
    assert result.exit_code == 2
    assert "the store may not lie in the folder of a set" in result.output


def test_damaged_rows_are_read_anew(large: Path, tmp_path: Path) -> None:
    said, _ = checked(large)
    with sqlite3.connect(tmp_path / "store" / FILE) as database:
        database.execute("update kept set data = x'00'")
    assert checked(large) == (said, 120)
    assert checked(large, "--store", "x" * 300) == (said, 120)  # longer than systems allow
    shutil.rmtree(tmp_path / "store")
    (tmp_path / "store").write_text("no folder", encoding="utf-8")
    assert checked(large) == (said, 120)

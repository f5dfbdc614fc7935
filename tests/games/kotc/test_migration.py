"""What becomes of sets, of their files and of the numbers of cards when the rules change."""

import os
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from render.base.findings import Refused, as_text
from render.base.reach import LinkError
from render.base.word_changes import Edit, mark_changes
from render.game.authoring.change_set import FileChange, unified_diff, write_all
from render.games.kotc.editions.finding import find
from render.games.kotc.model.cards import Card, CardSet
from render.games.kotc.model.edition import Edition
from render.games.kotc.sets import load_sets
from render.games.kotc.workshop.migration.cards import Fate, by_rules
from render.games.kotc.workshop.migration.planning import Migration, migrate
from render.games.kotc.workshop.migration.report import ReportedSet, ReprintSheets, report
from tests.support.messages import assert_says, words, write
from tests.support.rulebooks import ELEVENTH, SEVENTEENTH, TENTH, revisions

pytestmark = pytest.mark.usefixtures("in_empty_folder")

OUTDATED = "Target up to 4 in-play cards; clone the targets."
NEW = "Target up to 4 on-field minions; clone the targets."
PRUNED = "Target 1 on-field minion; silo it."
LEGAL = "Draw 2 cards."


def spell(name: str, text: str, *lines: str) -> str:
    return "\n  ".join([f"- name: {name}", "kind: spell", *lines, "level: 2", f"text: '{text}'"]) + "\n"


def loaded(card_yaml: str | bytes, set_yaml: str | bytes = "name: Test\nedition: 13\n") -> CardSet:
    (card_set,) = load_sets([write(Path("s"), {"set.yaml": set_yaml, "cards.yaml": card_yaml})])
    return card_set


def files(migration: Migration) -> dict[str, str]:
    return {change.file.name: change.after for change in migration.files}


def migrated(card_yaml: str | bytes, set_yaml: str | bytes = "name: Test\nedition: 13\n") -> dict[str, str]:
    """Return the files that a migration to the 17th Edition changes."""
    return files(migrate(loaded(card_yaml, set_yaml), SEVENTEENTH))


# --- fates ---


@pytest.mark.parametrize(
    ("text", "edition", "to", "fate"),
    [
        (OUTDATED, 13, SEVENTEENTH, Fate.REFURBISHED),
        (LEGAL, 13, SEVENTEENTH, Fate.UNCHANGED),
        (PRUNED, 13, SEVENTEENTH, Fate.PRUNED),
        (PRUNED, 16, SEVENTEENTH, Fate.UNCHANGED),
        (LEGAL, 12, SEVENTEENTH, Fate.PRUNED),
        (LEGAL, 18, SEVENTEENTH, Fate.LEFT),
        (OUTDATED, 17, SEVENTEENTH, Fate.UNCHANGED),
        (LEGAL, 13, ELEVENTH, Fate.LEFT),
        ("Pay 5 hitpoints. Draw 1 card.", 9, TENTH, Fate.BANNED),
    ],
)
def test_the_fate_of_a_card(text: str, edition: int, to: Edition, fate: Fate) -> None:
    card = spell("A", text, f"edition: {edition}").replace("level", "cost" if edition <= 11 else "level")
    assert migrate(loaded(card), to).cards[0].fate is fate


def test_a_card_that_is_left_alone_has_a_reason() -> None:
    (card,) = migrate(loaded(spell("A", PRUNED)), SEVENTEENTH).cards
    assert card.reasons == ("the level of `silo it` was revised in the 16th Edition, the card is of the 13th",)
    assert card.after == card.before


# --- editions ---


def test_the_edition_of_a_card_is_replaced_where_it_stands() -> None:
    card = spell("A", OUTDATED, "edition: 13   # long ago")
    assert migrated(card) == {"cards.yaml": card.replace("13 ", "17 ").replace(OUTDATED, NEW)}


TIP = "- name: Tip\n  kind: tip\n  text: Draw.\n"
MOVED = {"set.yaml": "name: Test\nedition: 17\n"}


def test_the_edition_of_a_set_is_replaced_where_it_stands() -> None:
    set_yaml = "edition: 13 # the 13th\r\nname: 'Test'\r\n"
    assert migrated(spell("A", LEGAL), set_yaml.encode()) == {"set.yaml": set_yaml.replace("13 ", "17 ")}


@pytest.mark.parametrize(
    ("cards", "changed"),
    [
        # The set moves with the cards that take its edition; a pruned one then has its own.
        (spell("A", LEGAL), MOVED),
        (
            spell("A", LEGAL) + spell("B", PRUNED),
            MOVED | {"cards.yaml": spell("A", LEGAL) + spell("B", PRUNED, "edition: 13")},
        ),
        # It stays if all its cards are pruned, if none takes its edition, and if only a tip would move it.
        (spell("A", PRUNED) + spell("B", PRUNED), {}),
        (spell("A", LEGAL, "edition: 13"), {"cards.yaml": spell("A", LEGAL, "edition: 17")}),
        (TIP + spell("B", PRUNED), {"cards.yaml": TIP.replace("tip\n", "tip\n  edition: 17\n") + spell("B", PRUNED)}),
        (TIP, MOVED),
    ],
)
def test_the_set_moves_with_the_cards_that_take_its_edition(cards: str, changed: dict[str, str]) -> None:
    assert migrated(cards) == changed


def test_the_set_stays_if_only_one_of_its_files_is_migrated() -> None:
    write(
        Path("s"), {"set.yaml": "name: Test\nedition: 13\n", "a.yaml": spell("A", LEGAL), "b.yaml": spell("B", LEGAL)}
    )
    (card_set,) = load_sets([Path("s/a.yaml")])
    assert files(migrate(card_set, SEVENTEENTH)) == {"a.yaml": spell("A", LEGAL, "edition: 17")}


@pytest.mark.parametrize(
    ("card", "pinned"),
    [
        ("{name: B, kind: spell, level: 2, text: %}", "{name: B, kind: spell, edition: 13, level: 2, text: %}"),
        ("{name: B, level: 2, text: %, kind: spell }", "{name: B, level: 2, text: %, kind: spell, edition: 13 }"),
        (
            '{"name":"B","kind":"spell","level":2,"text":"%"}',
            '{"name":"B","kind":"spell", "edition": 13,"level":2,"text":"%"}',
        ),
        (
            "kind: spell # a\r\n  # b\r\n  name: B\r\n  level: 2\r\n  text: %",
            "kind: spell # a\r\n  edition: 13\r\n  # b\r\n  name: B\r\n  level: 2\r\n  text: %",
        ),
        (
            "name: B\n  level: 2\n  text: %\n  kind: spell",
            "name: B\n  level: 2\n  text: %\n  kind: spell\n  edition: 13",
        ),
        (
            "? kind\n  : spell\n  ? name\n  : B\n  ? level\n  : 2\n  ? text\n  : %",
            "? kind\n  : spell\n  edition: 13\n  ? name\n  : B\n  ? level\n  : 2\n  ? text\n  : %",
        ),
        (
            "kind: >-\n    spell\n\n  name: B\n  level: 2\n  text: %",
            "kind: >-\n    spell\n  edition: 13\n\n  name: B\n  level: 2\n  text: %",
        ),
    ],
)
def test_a_line_is_added_in_the_way_of_the_card(card: str, pinned: str) -> None:
    def written(one: str) -> str:
        return spell("A", LEGAL) + "- " + one.replace("%", PRUNED)

    assert migrated(written(card).encode()) == {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": written(pinned)}


def test_a_line_is_added_behind_a_byte_order_mark() -> None:
    one = f"\ufeffname: A\nkind: spell\nlevel: 2\ntext: {PRUNED}\n"
    two = f"\ufeffname: B\nkind: spell\nlevel: 2\ntext: {LEGAL}\n"
    write(Path("s"), {"set.yaml": "name: Test\nedition: 13\n", "a.yaml": one, "b.yaml": two})
    (card_set,) = load_sets([Path("s")])
    assert files(migrate(card_set, SEVENTEENTH))["a.yaml"] == one.replace("spell\n", "spell\nedition: 13\n")


# --- texts ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|\n    A: Clone 2 in-play\n    in-play cards.", "|\n    A: Clone 2 in-play\n    on-field minions."),
        (
            ">-\n    Target up to 4\n    in-play cards; clone\n    them.",
            ">-\n    Target up to 4\n    on-field minions; clone\n    them.",
        ),
        (">-\n    Target 1 in-play\n    card; go.", ">-\n    Target 1 on-field\n    minion; go."),
        ('"4 in-play cards; \\"go\\"\\u002e"', '"4 on-field minions; \\"go\\"\\u002e"'),
        ('"4 in\\x2dplay \\\n     cards"', '"4 on-field \\\n     minions"'),
        ("'It''s 4 in-play cards; go'", "'It''s 4 on-field minions; go'"),
        ("4 in-play\n    cards # all\n", "4 on-field\n    minions # all\n"),
        (
            '"When this in-play card is destroyed (ghost-play): Draw 1 card."',
            '"When this card in your battlefield is destroyed (ghost-play): Draw 1 card."',
        ),
    ],
)
def test_a_text_is_rewritten_in_its_own_style(text: str, expected: str) -> None:
    card = "- name: A\n  kind: tip\n  edition: 17\n  text: {}\n"
    given = card.replace("17", "13")
    assert migrated(given.format(text)) == {"cards.yaml": card.format(expected)}


def test_new_words_are_escaped_as_the_value_demands() -> None:
    rules = replace(TENTH, rewordings=(replace(TENTH.rewordings[0], old="red card", new='card\'s "back"'),))
    for style, expected in (("'a red card'", "'a card''s \"back\"'"), ('"a red card"', '"a card\'s \\"back\\""')):
        card = "name: A\nkind: tip\nedition: {}\ntext: {}\n"
        after = files(migrate(loaded(card.format(9, style)), rules))
        assert after == {"cards.yaml": card.format(10, expected)}


def test_what_cannot_be_written_without_quotes_is_refused() -> None:
    rules = replace(TENTH, rewordings=(replace(TENTH.rewordings[0], old="red card", new="card: red"),))
    cards = loaded("name: A\nkind: tip\nedition: 9\ntext: a red card\n")
    with pytest.raises(Refused) as refused:
        migrate(cards, rules)
    assert_says(
        as_text(refused.value.findings),
        "s/cards.yaml:4:7 K009 the new wording of `a` cannot be written where the old one stands",
    )


SHARED_WITH_PRUNED = f"""\
- &a
  name: A
  kind: spell
  edition: 13
  level: 6
  text: {OUTDATED}
- <<: *a
  name: B
  text: {PRUNED}
"""
SHARED_IN_A_CARD = f"- name: A\n  kind: spell\n  edition: 13\n  level: &n 5\n  copies: *n\n  text: {OUTDATED}\n"


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (SHARED_WITH_PRUNED, "4:12 K009 what becomes of `a` cannot be written: it shares keys or values with another card"),
        (SHARED_IN_A_CARD, "4:13 K009 what becomes of `a` cannot be written: two of its keys share a value"),
    ],
)  # fmt: skip
def test_a_shared_value_does_not_change_where_it_should_stay(cards: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        migrate(loaded(cards), SEVENTEENTH, by_rules(SEVENTEENTH) if "copies" in cards else None)
    assert_says(as_text(refused.value.findings), f"s/cards.yaml:{said}")


def test_the_edition_of_a_set_does_not_take_its_name_along() -> None:
    cards = loaded(spell("A", OUTDATED))
    Path("s/set.yaml").write_text("name: &n 13\nedition: *n\n", encoding="utf-8")
    with pytest.raises(Refused) as refused:
        migrate(load_sets([cards.folder])[0], SEVENTEENTH)
    assert_says(as_text(refused.value.findings), "s/set.yaml:1:10 K009 its edition cannot be written")


def test_a_text_in_another_language_is_marked_as_that_of_before_and_the_report_says_so() -> None:
    card = spell("A", OUTDATED, "words:", "  de: {name: Ah, text: Alt.}", "  fr: {name: Ah}", "edition: 13")
    migration = migrate(loaded(card), SEVENTEENTH)
    marked = "    # the old wording: write it anew, since `text` has changed\n    de:"
    (after,) = (text for name, text in files(migration).items() if name == "cards.yaml")
    assert after == card.replace(OUTDATED, NEW).replace("    de:", marked).replace("edition: 13", "edition: 17")
    assert "its text in <q>de</q> below <q>words</q> is the old one: write it anew" in page(migration)


# --- files ---


def test_the_difference_is_a_unified_diff() -> None:
    change = FileChange(Path("s/a.yaml"), "a\r\nb\nc", "a\r\nB\nc\n")
    assert (
        unified_diff([change])
        == words("""
        --- a/s/a.yaml
        +++ b/s/a.yaml
        @@ -1,3 +1,3 @@
         a
        -b
        -c
        \\ No newline at end of file
        +B
        +c
    """)
        + "\n"
    )


def two_files() -> list[FileChange]:
    for name in "ab":
        Path(name).write_bytes(b"old\r\n")
    Path("a").chmod(0o640)
    return [FileChange(Path(name), "old\r\n", "new\r\n") for name in "ab"]


def test_the_file_of_a_set_is_written_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no card that takes its edition from there seems migrated if the process is killed before it is."""
    loaded(spell("A", OUTDATED) + spell("B", PRUNED))
    named: list[str] = []
    rename = os.replace

    def noted(old: str, new: str, **within: int) -> None:
        named.append(new)
        rename(old, new, **within)

    monkeypatch.setattr(os, "replace", noted)
    write_all(migrate(load_sets([Path("s")])[0], SEVENTEENTH).files)
    assert named == ["cards.yaml", "set.yaml"]


def test_files_are_written_with_their_modes_and_none_if_one_was_changed_meanwhile() -> None:
    write_all(two_files())
    assert [Path(name).read_bytes() for name in "ab"] == [b"new\r\n"] * 2
    assert Path("a").stat().st_mode & 0o777 == 0o640
    changes = two_files()
    Path("b").write_bytes(b"mine\n")
    with pytest.raises(Refused) as refused:
        write_all(changes)
    assert [finding.code for finding in refused.value.findings] == ["K010"]
    assert [Path(name).read_bytes() for name in "ab"] == [b"old\r\n", b"mine\n"]
    assert sorted(file.name for file in Path().iterdir()) == ["a", "b"]


def test_what_was_written_is_taken_back_if_a_file_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = two_files()
    rename = os.replace

    def refuse_b(old: str, new: str, **within: int) -> None:
        if new == "b":
            raise PermissionError(13, "Permission denied", "b")
        rename(old, new, **within)

    monkeypatch.setattr(os, "replace", refuse_b)
    with pytest.raises(PermissionError):
        write_all(changes)
    assert [Path(name).read_bytes() for name in "ab"] == [b"old\r\n"] * 2
    assert sorted(file.name for file in Path().iterdir()) == ["a", "b"]


def test_nothing_is_written_through_a_link() -> None:
    for name in "ab":
        Path(name).write_bytes(b"old")
    Path("link").symlink_to("a")
    with pytest.raises(OSError, match="it is a link") as refused:
        write_all([FileChange(Path(name), "old", "new") for name in ("b", "link")])
    assert refused.value.filename == "link"
    assert isinstance(refused.value, LinkError)
    assert refused.value.hint == "it leads to `a`: put the file itself in its place"
    assert (Path("link").is_symlink(), Path("a").read_bytes(), Path("b").read_bytes()) == (True, b"old", b"old")


# --- the report ---


def page(migration: Migration) -> str:
    before = {card.before.id: f"{card.before.id}-before.webp" for card in migration.cards}
    after = {card.after.id: f"{card.after.id}-after.webp" for card in migration.cards}
    return report([ReportedSet(migration, before, after)], [], migration.edition)


def test_the_report_shows_both_sides_with_the_changed_words_marked() -> None:
    cards = spell("<A>", "Target 1 in-play card; clone it.") + spell("B", PRUNED) + spell("C", LEGAL)
    migration = migrate(loaded(cards), SEVENTEENTH)
    assert migration.summary == "1 refurbished, 1 unchanged, 1 pruned"
    shown = page(migration)
    assert "<h1>Migration to the 17th Edition</h1>" in shown
    assert "Target 1 <del>in-play card</del><ins>on-field minion</ins>; clone it." in shown
    assert "&lt;A&gt;" in shown
    assert "<A>" not in shown
    pictures = re.findall(r'src="(.+?)\.webp"', shown)
    assert pictures == ["a-before", "a-after", "b-before", "c-before", "c-after"]
    assert "the level of <q>silo it</q> was revised in the 16th Edition" in shown
    assert "<li><q>in-play card</q> is now <q>on-field minion</q></li>" in shown
    assert len(re.findall("<li>(with --relevel .+ or design the card anew)</li>", shown)) == 1
    shown = page(migrate(loaded(spell("A", LEGAL, "edition: 17") + spell("B", OUTDATED)), SEVENTEENTH))
    assert re.findall('<article .*id="(.+?)"', shown) == ["s/b"]
    assert "<p>A</p>" in shown, "an unchanged card is only named"


def test_the_report_names_the_numbers_that_a_card_has() -> None:
    texts = "- {name: T, kind: tip, text: in-play card}\n- {name: P, kind: pawn, text: 'A: clone an in-play card.'}\n"
    numbers = '<p class="numbers">edition <del>13</del> <ins>17</ins>'
    shown = page(migrate(loaded(texts), SEVENTEENTH))
    assert [shown.count(f"{numbers}{more}</p>") for more in ("", ", Ultra Points 0")] == [1, 1]
    text = "Activate when this card in your hand is destroyed. Target this card. Exhaust all targets."
    old = f"{{name: W, kind: creature, edition: 9, offense: 1, defense: 2, cost: 3, text: {text}}}\n"
    shown = page(migrate(loaded(old), TENTH))
    assert "edition <del>9</del> <ins>10</ins>, cost 3, offense 1, defense 2</p>" in shown


def test_the_report_tells_how_a_new_level_comes_about() -> None:
    shown = page(migrate(loaded(spell("B", PRUNED).replace("2", "1")), SEVENTEENTH, by_rules(SEVENTEENTH)))
    assert "level <del>1</del> <ins>2</ins>" in shown
    before, derived = re.findall("<pre>(.+?)</pre>", shown, re.DOTALL)
    assert before.startswith("B (b), spell of the 13th Edition\n")
    assert derived.startswith("B (b), spell of the 17th Edition\n")
    assert "silo it" in derived


def test_the_sheet_to_be_printed_is_listed() -> None:
    migration = migrate(loaded(spell("A", OUTDATED)), SEVENTEENTH)
    sheet = ReprintSheets(("s/changed.pdf",), "1 sheet", {"a": 2})
    shown = report([ReportedSet(migration, sheet=sheet)], [], 17)
    assert '<a href="s/changed.pdf">s/changed.pdf</a>: 1 sheet' in shown
    assert '<li><a href="#s/a">A</a> <small>× 2</small></li>' in shown


# --- marked words ---


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "one two three"),
        ([Edit(0, 3, "1")], "-one+1| two three"),
        ([Edit(0, 3, "1"), Edit(4, 7, "2")], "-one two+1 2| three"),
        ([Edit(0, 3, "1"), Edit(8, 13, "3")], "-one+1| two -three+3"),
        ([Edit(3, 7, "")], "one- two| three"),
        ([Edit(13, 13, " four")], "one two three+ four"),
    ],
)
def test_old_words_stand_before_new_ones(edits: list[Edit], expected: str) -> None:
    signs = {"": "|", "old": "-", "new": "+"}
    marked = "".join(signs[mark] + words for words, mark in mark_changes("one two three", edits)).removeprefix("|")
    assert marked == expected


# --- where the way ends ---


def left(text: str, edition: int, to: Edition, *lines: str) -> tuple[Fate, tuple[str, ...], tuple[str, ...]]:
    """Return the fate of a spell, the reasons, and the advice."""
    number = "cost" if edition <= 11 else "level"
    card_yaml = spell("A", text, *lines).replace("level", number)
    (card,) = migrate(loaded(card_yaml, f"name: Test\nedition: {edition}\n"), to).cards
    assert card.after == card.before
    return card.fate, card.reasons, card.advice


@pytest.mark.parametrize(
    ("edition", "first"),
    [
        (9, "its way ends at the 11th Edition: a card of the 9th Edition is banned in the 11th Edition"),
        (10, "its way ends at the 11th Edition: a card of the 10th Edition is banned in the 11th Edition"),
        (11, "its way ends at the 12th Edition: a card of the 11th Edition is banned in the 12th Edition"),
        (12, "its way ends at the 13th Edition: a card of the 12th Edition is pruned in the 13th Edition"),
    ],
)
def test_the_first_clean_slate_ends_the_way_to_the_17th_edition(edition: int, first: str) -> None:
    fate, reasons, advice = left("Draw 2 cards.", edition, SEVENTEENTH)
    assert fate is Fate.PRUNED
    assert reasons[1:] == (first,)
    assert advice == ("the 13th Edition was a clean slate: design the card anew",)


@pytest.mark.parametrize(("edition", "to"), [(9, 10), (13, 14), (13, 15), (13, 16), (13, 17), (14, 17), (16, 17)])
def test_between_clean_slates_there_is_a_way(edition: int, to: int) -> None:
    number = "cost" if edition <= 11 else "level"
    card = spell("A", "Draw 2 cards.").replace("level", number)
    (after,) = migrate(loaded(card, f"name: Test\nedition: {edition}\n"), find(to)).cards
    assert (after.fate, after.after.edition) == (Fate.UNCHANGED, to)


def test_a_text_without_successor_ends_the_way() -> None:
    text = "Target up to 2 cards on the top of any deck; remove up to 1 counter from each target."
    fate, reasons, advice = left(text, 13, SEVENTEENTH)
    assert fate is Fate.LEFT
    assert reasons == (
        "`Target up to 2 cards on the top of any deck` has no successor: the 17th Edition has no such target selection",
        "`remove up to 1 counter from each target` has no successor: the 16th Edition has no such effect",
    )
    assert advice == (
        "the nearest is `Target up to x cards on top of any deck`",
        "the nearest is `remove up to x counters on each target`",
    )


@pytest.mark.parametrize(
    "text", ["Frobnicate 2 cards.", "Target 1 in-play card; frobnicate it.", "Destroy the targets."]
)
def test_a_card_from_which_no_level_follows_is_not_judged_and_keeps_its_edition(text: str) -> None:
    migration = migrate(loaded(spell("A", text)), SEVENTEENTH)
    (card,) = migration.cards
    assert (card.fate, card.after, migration.files) == (Fate.UNJUDGED, card.before, ())
    assert migration.summary == "1 not judged"
    assert len(card.reasons) == 1


# --- level and Ultra Points ---

COMPONENTS = SEVENTEENTH.components


def relevelled(level: int, points: int, card: str) -> dict[str, str]:
    seen: list[str] = []

    def relevel(_: Card, text: str) -> tuple[int, int]:
        seen.append(text)
        return level, points

    after = files(migrate(loaded(card), SEVENTEENTH, relevel))
    assert all("in-play" not in text for text in seen)
    return after


def test_a_card_that_was_pruned_for_its_level_gets_a_new_one() -> None:
    card = spell("A", PRUNED, "edition: 13")
    assert relevelled(3, 0, card) == {"cards.yaml": card.replace("13", "17").replace("level: 2", "level: 3")}


def test_new_ultra_points_stand_behind_the_level() -> None:
    card = spell("A", OUTDATED, "edition: 13")
    expected = spell("A", NEW, "edition: 17").replace("level: 2", "level: 2\n  ultra_points: 4")
    assert relevelled(2, 4, card) == {"cards.yaml": expected}
    given = spell("A", LEGAL, "edition: 13", "ultra_points: 3")
    assert relevelled(2, 0, given) == {"cards.yaml": spell("A", LEGAL, "edition: 17", "ultra_points: 0")}


@pytest.mark.parametrize(("edition", "numbers", "lacks"), [("edition: 13", None, True), ("edition: 12", (1, 0), False)])
def test_a_card_without_a_new_level_or_pruned_for_more_is_pruned(
    edition: str, numbers: tuple[int, int] | None, lacks: bool
) -> None:
    (card,) = migrate(loaded(spell("A", PRUNED, edition)), SEVENTEENTH, lambda *_: numbers).cards
    assert (card.fate, card.lacks_numbers) == (Fate.PRUNED, lacks)


def test_numbers_that_are_left_to_the_rules_are_worked_out_by_the_new_ones() -> None:
    card = spell("A", LEGAL, "edition: 17").replace("level: 2", "level: auto")
    effects = [replace(each, ultra_points=1) if each.text == "draw {x} cards" else each for each in COMPONENTS]
    rules = replace(SEVENTEENTH, number=18, components=tuple(effects))
    migration = migrate(loaded(card), rules)
    (moved,) = migration.cards
    assert (moved.fate, moved.after.level, moved.after.ultra_points) == (Fate.UNCHANGED, 4, 0)
    assert moved.lacks_numbers
    assert files(migration) == {"cards.yaml": card.replace("17", "18")}
    (moved,) = migrate(loaded(card.replace("level: auto", "level: auto\n  ultra_points: auto")), rules).cards
    assert (moved.fate, moved.after.ultra_points, moved.lacks_numbers) == (Fate.RELEVELLED, 1, False)


def test_a_card_whose_numbers_do_not_follow_from_the_new_rules_is_left_alone() -> None:
    card = spell("A", LEGAL, "edition: 17").replace("level: 2", "level: auto")
    fewer = tuple(each for each in COMPONENTS if each.text != "draw {x} cards")
    migration = migrate(loaded(card), replace(SEVENTEENTH, number=18, components=fewer))
    assert migration.files == ()
    assert migration.cards[0].fate is Fate.LEFT
    (reason,) = migration.cards[0].reasons
    assert reason == f"`level: auto` cannot be worked out: `{LEGAL.removesuffix('.')}` is no effect of the 18th Edition"


def test_revised_ultra_points_need_new_ones() -> None:
    rules = replace(SEVENTEENTH, ultra_revisions=revisions(17, "draw {x} cards"))
    cards = loaded(spell("A", LEGAL))
    assert migrate(cards, rules).cards[0].fate is Fate.LEFT
    assert migrate(cards, rules, lambda *_: (2, 1)).cards[0].fate is Fate.RELEVELLED

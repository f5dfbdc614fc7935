"""The command `migrate`, as people run it."""

from pathlib import Path

import pytest
from click.testing import Result

from render.games.kotc.checking import legality_findings
from render.games.kotc.sets import load_sets
from tests.support.messages import words, write
from tests.support.sets import kotc

SET = "name: Test\nedition: 13\n"
CARDS = """
    - name: Wave
      kind: spell
      level: 6
      text: |  # a comment
        Target up to 3 in-play cards; destroy the targets.
    - name: Barn
      kind: spell
      level: 1
      text: Target 1 on-field minion; silo it.
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(Path("s"), {"set.yaml": SET, "cards.yaml": CARDS})


def run(*arguments: str) -> Result:
    return kotc("migrate", *arguments)


def content() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in Path("s").iterdir()}


REASON = "the level of `silo it` was revised in the 16th Edition, the card is of the 13th"
HINT = "    hint: with --relevel it gets the level and Ultra Points of the new rules; or design the card anew"


def test_a_dry_run_shows_the_difference_and_writes_nothing() -> None:
    before = content()
    result = run("s", "--to", "17", "--dry-run")
    assert (
        result.stdout
        == words("""
        --- a/s/set.yaml
        +++ b/s/set.yaml
        @@ -1,2 +1,2 @@
         name: Test
        -edition: 13
        +edition: 17
        --- a/s/cards.yaml
        +++ b/s/cards.yaml
        @@ -2,8 +2,9 @@
           kind: spell
           level: 6
           text: |  # a comment
        -    Target up to 3 in-play cards; destroy the targets.
        +    Target up to 3 on-field minions; destroy the targets.
         - name: Barn
           kind: spell
        +  edition: 13
           level: 1
           text: Target 1 on-field minion; silo it.
    """)
        + "\n"
    )
    assert (
        result.stderr
        == words(f"""
        Test: 1 refurbished, 1 pruned
          pruned: `barn`: {REASON}
        {HINT}
        2 files would be written
    """)
        + "\n"
    )
    assert content() == before


def test_a_migrated_set_is_read_again_and_has_nothing_to_migrate() -> None:
    assert run("s", "--to", "17").stderr.endswith("2 files written\n")
    after = content()
    again = run("s", "--to", "17").stderr
    assert again.startswith(f"Test: 1 unchanged, 1 pruned\n  pruned: `barn`: {REASON}\n")
    assert again.endswith("nothing to write\n")
    assert content() == after


def test_levels_follow_the_rules_of_the_edition_if_that_is_asked_for() -> None:
    assert run("s", "--to", "17", "--relevel").stderr == "Test: 1 refurbished, 1 re-levelled\n2 files written\n"
    (card_set,) = load_sets([Path("s")])
    assert [(card.id, card.edition, card.level) for card in card_set.cards] == [("wave", 17, 6), ("barn", 17, 2)]


def test_it_is_said_which_numbers_are_others_by_the_new_rules() -> None:
    cards = words(CARDS).replace("level: 6", "level: 5").split("- name: Barn")[0]
    Path("s/cards.yaml").write_text(cards, encoding="utf-8")
    said = "  1 card whose level or Ultra Points differ by the new rules: --relevel writes the new ones\n"
    assert run("s", "--to", "17", "--dry-run").stderr == f"Test: 1 refurbished\n{said}2 files would be written\n"
    assert run("s", "--to", "17", "--relevel").stderr == "Test: 1 refurbished\n2 files written\n"


def test_the_report_holds_the_pictures_of_both_sides() -> None:
    run("s", "--to", "17", "--dry-run", "--report", "report.html")
    assert Path("report.html").read_text(encoding="utf-8").count('src="data:image/webp;base64,') == 3


def test_a_report_does_not_take_the_place_of_a_card_file() -> None:
    before = content()
    assert run("s", "--to", "17", "--report", "s/cards.yaml").exit_code == 2
    assert content() == before


def test_nothing_is_written_if_the_report_cannot_be() -> None:
    before = content()
    assert run("s", "--to", "17", "--report", "s/set.yaml/report.html").exit_code == 3
    assert content() == before


def test_a_read_only_file_is_not_replaced() -> None:
    Path("s/cards.yaml").chmod(0o444)
    before = content()
    result = run("s", "--to", "17")
    assert (result.exit_code, "cards.yaml" in result.stderr, "read-only" in result.stderr) == (3, True, True)
    assert content() == before


def test_what_a_killed_run_left_is_removed() -> None:
    left = Path("s/.cards.yaml.kotc-999999999-89abcdef.old")
    left.touch()
    run("s", "--to", "17")
    assert not left.exists()


def test_an_edition_that_nobody_knows_is_refused() -> None:
    result = run("s", "--to", "99")
    assert (result.exit_code, result.stderr.startswith("s/set.yaml:1:1: error: the rules of the 99th")) == (1, True)


def test_a_set_with_an_error_is_not_migrated() -> None:
    Path("s/cards.yaml").write_text("name: A\n", encoding="utf-8")
    before = content()
    assert run("s", "--to", "17").exit_code == 1
    assert content() == before


def test_cards_are_judged_by_their_own_edition_or_by_the_one_that_is_asked_for() -> None:
    sets = load_sets([Path("s")])
    assert [finding.code for finding in legality_findings(sets, 17)] == ["K006", "K003"]
    assert legality_findings(sets) == []
    run("s", "--to", "17", "--relevel")
    assert legality_findings(load_sets([Path("s")])) == []


IMPORT = "import its rules with `kotc edition import`"


@pytest.mark.parametrize(
    ("edition", "hint"),
    [("7", f"{IMPORT}, or judge them by those of a later one with `--edition 9`"), ("18", IMPORT)],
)
def test_another_edition_is_named_only_if_it_can_judge_the_card(edition: str, hint: str) -> None:
    number = "level" if int(edition) > 11 else "cost"
    write(Path("s"), {"set.yaml": SET.replace("13", edition), "cards.yaml": CARDS.replace("level", number)})
    assert [finding.hint for finding in legality_findings(load_sets([Path("s")]))] == [hint]


def test_rules_that_an_import_did_not_understand_are_named() -> None:
    rules = """
        edition: 18
        terms: {minion: minion, sp: SP, hp: HP, level: level}
        deck: {cards: 40-60}
        unknown:
        - {section: reworded, line: 812, words: "frobnicate is now frown"}
        - {section: effects, line: 830, words: "frown"}
    """
    write(Path("s/editions"), {"18.yaml": rules})
    said = run("s", "--to", "18", "--dry-run").stderr
    assert (
        "  warning: cards of the 18th Edition are judged with doubt: its import did not understand all rules\n"
        "    hint: see `unknown` in its file, line 812 of the page for `reworded`: write it where it belongs\n"
    ) in said


def test_cards_that_are_left_alone_for_one_reason_are_told_together() -> None:
    cards = "\n".join(f"- {{name: Wolf {n}, kind: minion, level: 2, sp: 1, hp: 1}}" for n in range(12))
    write(Path("s"), {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": f"{cards}\n"})
    named = ", ".join(f"`wolf-{n}`" for n in range(10))
    assert run("s", "--to", "16").stderr == (
        "Test: 12 left alone\n"
        f"  left alone: {named} and 2 more:"
        " a card of the 17th Edition cannot be judged by the rules of the 16th Edition\n"
        "    hint: ask for the edition of its design or a later one\n"
        "nothing to write\n"
    )


def test_what_the_new_edition_has_instead_of_a_text_is_named() -> None:
    text = "When this on-field minion is ability-targeted: Draw 1 card."
    card = f"{{name: Owl, kind: minion, level: auto, sp: 1, hp: 1, text: '{text}'}}"
    write(Path("s"), {"set.yaml": "name: Test\nedition: 16\n", "cards.yaml": f"- {card}\n"})
    assert run("s", "--to", "17").stderr == (
        "Test: 1 left alone\n"
        "  left alone: `owl`: `level: auto` cannot be worked out: `When this on-field minion is ability-targeted` is no"
        " activation condition of the 17th Edition\n"
        "    hint: the nearest is `When this on-field minion is targeted`; `kotc effects WORDS --edition 17` finds"
        " others, `kotc explain V003` says more\n"
        "nothing to write\n"
    )

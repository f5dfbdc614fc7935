"""What the rules find is said by every command that makes something of cards, in the words of `check`."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from render.base.findings import Finding
from render.game.sets import checking
from render.game.sets.checking import judge_in_background
from render.games.kotc.model.cards import CardSet
from tests.support import sets
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

pytestmark = pytest.mark.usefixtures("in_empty_folder")

SET = f"{sets.SET}outputs: {{png: {{dpi: 72}}, sheets: true}}\n"
LEGAL = "- {name: Wolf, kind: minion, level: 2, sp: 1, hp: 1}\n"
WRONG = "- {name: Bear, kind: minion, level: 9, sp: 1, hp: 1}\n"
ODD = "- {name: Fox, kind: spell, level: 1, text: Wiggle your ears.}\n"
COMMANDS = (("build",), ("build", "--dry-run"), ("pdf", "--out", "a.pdf"), ("png", "--out", "png", "--dpi", "72"))
NO_STOP = "1 error, 1 warning from the rules; --strict stops at them"


def a_set(name: str, cards: str, set_yaml: str = SET) -> Path:
    return with_plain_back(write_set(Path(name), cards, set_yaml))


def said(words: str) -> list[str]:
    """Return the findings among the words, each with its place, its code and its hint."""
    return re.findall(r"^\S+:\d+:\d+: .*\]\n(?:  .*\n)*", f"{words}\n", re.MULTILINE)


def test_check_build_pdf_and_png_say_the_same() -> None:
    a_set("s", LEGAL + WRONG + ODD)
    checked = kotc("check", "s")
    assert len(said(checked.stdout)) == 2
    for command in COMMANDS:
        result = kotc(command[0], "s", *command[1:])
        assert (result.exit_code, said(result.stderr)) == (0, said(checked.stdout)), command
        assert NO_STOP in result.stderr


def test_a_build_with_nothing_to_do_says_it_too_and_only_once() -> None:
    a_set("s", LEGAL + WRONG + ODD)
    first, second = kotc("build", "s"), kotc("build", "s")
    assert "(0 written, 4 unchanged)" in second.stderr
    assert said(second.stderr) == said(first.stderr)
    assert second.stderr.count(NO_STOP) == 1


def test_nothing_is_said_of_legal_cards() -> None:
    a_set("s", LEGAL)
    for command in COMMANDS:
        assert "from the rules" not in kotc(command[0], "s", *command[1:], "--strict").stderr


@pytest.mark.parametrize("cards", [LEGAL + WRONG, LEGAL + ODD], ids=["error", "warning"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_strict_stops_before_anything_is_made(command: tuple[str, ...], cards: str) -> None:
    a_set("s", cards)
    result = kotc(command[0], "s", *command[1:], "--strict")
    assert (result.exit_code, len(said(result.stderr))) == (1, 1)
    assert result.stderr.endswith("\nnothing was made: --strict stops at errors and warnings from the rules\n")
    assert not [*Path().rglob("*.pdf"), *Path().rglob("*.png")]
    assert kotc("check", "s", "--strict").exit_code == 1


def test_strict_also_stops_a_build_with_nothing_to_do_before_another_set_is_built() -> None:
    a_set("cards/a", LEGAL)
    a_set("cards/b", LEGAL + WRONG)
    kotc("build", "cards/b")
    result = kotc("build", "--strict")
    assert (result.exit_code, len(said(result.stderr))) == (1, 1)
    assert not Path("out/a/sheets.pdf").exists()


def test_a_remembered_finding_keeps_its_place_when_lines_move_and_goes_when_corrected() -> None:
    cards = a_set("s", LEGAL + WRONG) / "cards.yaml"
    assert "s/cards.yaml:2:37: error: the level of `bear` is 2, not 9 [V001]" in kotc("build", "s").stderr
    cards.write_text(f"# two\n# lines\n{LEGAL}{WRONG}", encoding="utf-8")
    assert "s/cards.yaml:4:37: error: the level of `bear` is 2, not 9 [V001]" in kotc("build", "s").stderr
    cards.write_text(LEGAL + WRONG.replace("9", "2"), encoding="utf-8")
    assert "[V001]" not in kotc("build", "s").stderr
    cards.write_text(LEGAL.replace("2", "3") + WRONG.replace("9", "2"), encoding="utf-8")
    assert "the level of `wolf` is 2, not 3 [V001]" in kotc("build", "s").stderr


def test_new_rules_are_heard_of_though_no_card_has_changed() -> None:
    folder = a_set("s", LEGAL)
    kotc("build", "s")
    rules = kotc("edition", "show", "17").stdout
    (folder / "editions").mkdir()
    (folder / "editions/17.yaml").write_text(re.sub(r"hp_share: \S+", "hp_share: 3", rules), encoding="utf-8")
    result = kotc("build", "s")
    assert said(result.stderr) == said(kotc("check", "s").stdout) != []


def test_missing_rules_of_an_edition_are_reported_once_whichever_card_comes_first() -> None:
    cards = a_set("s", LEGAL + WRONG, "name: T\nedition: 18\n") / "cards.yaml"
    for text in (LEGAL + WRONG, WRONG.replace("Bear", "Boar"), f"{WRONG.replace('Bear', 'Boar')}{LEGAL}"):
        cards.write_text(text, encoding="utf-8")
        built = kotc("build", "s").stderr
        assert (built.count("[K011]"), said(built)) == (1, said(kotc("check", "s").stdout))


def test_only_the_cards_that_are_asked_for_are_spoken_of_and_blank_ones_never() -> None:
    a_set("s", LEGAL + WRONG)
    assert "from the rules" not in kotc("pdf", "s", "--card", "wolf", "--out", "a.pdf").stderr
    assert "from the rules" not in kotc("pdf", "s", "--blank", "minion:9", "--strict", "--out", "a.pdf").stderr


def test_errors_of_another_kind_come_first_and_build_says_those_of_check() -> None:
    a_set("s", WRONG + "- {name: Bear, kind: minion, level: 9, sp: 1, hp: x}\n- {name: bear, kind: tip, text: →}\n")
    checked, built = kotc("check", "s"), kotc("build", "s")
    assert (built.exit_code, said(built.stderr)) == (1, said(checked.stdout))
    assert {"C005", "C013"} <= set(re.findall(r"\[(\w+)\]", built.stderr))


def test_a_damaged_memory_of_findings_is_as_good_as_none() -> None:
    folder = a_set("s", LEGAL + WRONG)
    kotc("build", "s")
    file = Path("out/s/.kotc.json")
    others: list[object] = [
        3,
        [],
        {"bear": 3},
        {"bear": [1, 2]},
        {"bear": ["x", 2, [["V001"]]]},
        {"bear": ["x", 2, []]},
    ]
    for damaged in others:
        kotc("build", "s")
        manifest = json.loads(file.read_bytes()) | {"checked": damaged}
        body = json.dumps({key: manifest[key] for key in manifest if key != "checksum"}, separators=(",", ":"))[:-1]
        checksum = hashlib.sha256(body.encode("ascii")).hexdigest()
        file.write_text(f'{body},"checksum":"{checksum}"}}\n', encoding="utf-8")
        with (folder / "cards.yaml").open("a", encoding="utf-8") as cards:
            cards.write("\n")
        assert "the level of `bear` is 2, not 9 [V001]" in kotc("build", "s").stderr


def test_what_is_remembered_of_cards_that_were_moved_is_what_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines and files change; nothing is judged again but what was touched."""
    folder = a_set("s", LEGAL + WRONG + ODD)
    kotc("build", "s")
    asked: list[str] = []

    def watched(
        sets: Sequence[CardSet], *, strict: str = ""
    ) -> AbstractContextManager[Callable[[], Sequence[Finding]]]:
        asked.extend(card.id for card_set in sets for card in card_set.cards)
        return judge_in_background(sets, strict=strict)

    monkeypatch.setattr(checking, "judge_in_background", watched)
    (folder / "cards.yaml").write_text(f"\n\n{LEGAL}\n# here\n{ODD}", encoding="utf-8")
    (folder / "more.yaml").write_text(f"# a bear\n{WRONG}", encoding="utf-8")
    built = kotc("build", "s")
    assert (said(built.stderr), asked) == (said(kotc("check", "s").stdout), [])
    (folder / "more.yaml").write_text(f"# a bear\n{WRONG.rstrip()} # quite\n", encoding="utf-8")
    built = kotc("build", "s")
    assert (said(built.stderr), asked) == (said(kotc("check", "s").stdout), ["bear"])

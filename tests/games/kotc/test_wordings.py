"""`kotc suggest --fit`: other wordings of a card that are set in larger type, at the same level."""

import json
from pathlib import Path

import pytest

from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.scene.items import Group, Item, TextRun
from tests.support.sets import kotc, write_set

SET = "name: Wordings\nedition: 17\n"
LONG = (
    "Target 1 on-field minion; place 2 Shield Counters on the target, then hypnotize the target until the end of this "
    "turn, then draw 1 card, also 2-dice-heal yourself, then craft 1 level 1 pawn."
)
NEW = (
    "Target 1 on-field minion; place 2 Shield Counters on the target, then hypnotize the target until the end of this "
    "turn. Draw 1 card, also 2-dice-heal yourself. Craft 1 level 1 pawn."
)


def write(folder: Path, text: str) -> None:
    write_set(folder, f"- {{name: Long, kind: spell, level: auto, ultra_points: auto, text: '{text}'}}\n", SET)


def runs(items: tuple[Item, ...]) -> list[TextRun]:
    inner = [run for item in items if isinstance(item, Group) for run in runs(item.items)]
    return [*inner, *(item for item in items if isinstance(item, TextRun))]


def drawn_size(folder: Path) -> float:
    """Return the size in points in which the first line of the ability text is drawn."""
    (front,) = (faces.front for faces in lay_out_set(load_sets([folder])[0]).faces)
    return next(run.size for run in runs(front.items) if run.words.startswith("Target 1")) * 72 / 25.4


def test_the_best_wording_is_first_with_the_size_that_it_is_drawn_in(tmp_path: Path) -> None:
    write(tmp_path, LONG)
    found = json.loads(kotc("suggest", "--fit", "long", tmp_path, "--format", "json").stdout)
    best = found["wordings"][0]
    assert best["text"] == NEW
    assert best["changes"] == ["effects without targets as sentences of their own"]
    assert ['"it" for one target'] in [each["changes"] for each in found["wordings"]]
    assert found["size"] == pytest.approx(drawn_size(tmp_path), abs=0.01)
    write(tmp_path, best["text"])
    assert best["size"] == pytest.approx(drawn_size(tmp_path), abs=0.01)
    assert best["size"] > found["size"]
    assert kotc("check", tmp_path).output == "1 card checked: nothing to report\n"


def test_tutorial_text_is_left_out_where_that_helps(tmp_path: Path) -> None:
    write(tmp_path, f"Draw 1 card. (Take the topmost card {'of your own deck ' * 12}into your hand.)")
    said = kotc("suggest", "--fit", "long", tmp_path)
    assert said.exit_code == 0
    assert said.stdout.split("\n")[2].endswith(" pt, without tutorial text")
    assert said.stdout.endswith("\n  Draw 1 card.\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Draw 1 card.", "no other wording of `long` is set in larger type"),
        ("Draw 2 cards, also 2-dice-heal yourself.", "no other wording of `long` is set in larger type"),
        (
            "Frobnicate it.",
            "`long` has words that are no component of its edition in English, so no other wording is known",
        ),
    ],
)
def test_if_none_is_better_or_known_it_says_so(text: str, message: str, tmp_path: Path) -> None:
    write_set(tmp_path, f"- {{name: Long, kind: spell, level: 1, text: '{text}'}}\n", SET)
    assert kotc("suggest", "--fit", "long", tmp_path).output.endswith(f"{message}\n")


def test_a_card_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    write(tmp_path, "Draw 1 card.")
    said = kotc("suggest", "--fit", "lnog", tmp_path)
    assert said.exit_code == 2
    assert "there is no card `lnog`: did you mean `long`?" in said.stderr

"""`kotc build --changed-since`: the cards whose picture changed are printed and named: pixels, and not files."""

import json
import shutil
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from render.build import compare, manifest
from render.build.compare import SetDigests, baseline_in
from render.build.manifest import ChangedCards
from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.images import deflate
from render.png import packing
from tests.support.builds import built
from tests.support.changed_cards import (
    BACK,
    BOX,
    CARDS,
    DOT,
    FREYA,
    NAMES,
    NOTHING,
    ODIN,
    SAME_BACK,
    SAME_BOX,
    SET,
    WORD,
    change,
    changed_odin,
    out,
    printed,
    printed_set,
    since,
    templates,
)
from tests.support.sets import write_set


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return printed_set(tmp_path)


# --- what changed ---------------------------------------------------------------------------------------------------

Edit = Callable[[Path], object]


def both(one: Edit, other: Edit) -> Edit:
    """Return one edit after the other."""

    def edit(folder: Path) -> None:
        one(folder)
        other(folder)

    return edit


EDITS: dict[str, tuple[Edit, str, dict[str, int]]] = {
    "nothing": (lambda _: None, NOTHING, {}),
    "a card": (
        changed_odin,
        ODIN,
        {"Odin": 3},
    ),
    "what is not drawn": (lambda folder: change(folder, ("Draw 1 card.", "Draw 3 cards.")), NOTHING, {}),
    "a comment": (lambda folder: change(folder, ("- {name: Tyr", "# a god\n- {name: Tyr")), NOTHING, {}),
    "the order": (lambda folder: write_set(folder, "\n".join(CARDS.split("\n")[::-1]), SET), NOTHING, {}),
    "a card that is new": (
        lambda folder: change(folder, ("- {name: Tyr", f"{FREYA}\n- {{name: Tyr")),
        "1 card added (freya): 1 copy on 1 sheet in changed.pdf",
        {"Freya": 1},
    ),
    "a card that is gone": (
        lambda folder: write_set(folder, "\n".join(CARDS.split("\n")[:4]), SET),
        "1 card removed (loki): nothing to print",
        {},
    ),
    "more copies": (
        lambda folder: change(folder, ("copies: 2", "copies: 5")),
        "1 card with more copies (loki: 3 more): 3 copies on 1 sheet in changed.pdf",
        {"Loki": 3},
    ),
    "fewer copies": (
        lambda folder: change(folder, ("copies: 3", "copies: 1")),
        "1 card with fewer copies (odin: 2 fewer): nothing to print",
        {},
    ),
    "more copies of another picture": (
        lambda folder: change(folder, ("level: 4", "level: 5"), ("copies: 2", "copies: 5")),
        "1 card changed (loki): 5 copies on 1 sheet in changed.pdf",
        {"Loki": 5},
    ),
    "no copies": (
        lambda folder: change(folder, ("copies: 3", "copies: 0")),
        "1 card removed (odin): nothing to print",
        {},
    ),
    "another id": (
        lambda folder: change(folder, ("{name: Odin", "{id: wotan, name: Odin")),
        "1 card renamed (odin is now wotan): nothing to print",
        {},
    ),
    "another id and more copies": (
        lambda folder: change(folder, ("{name: Odin", "{id: wotan, name: Odin"), ("copies: 3", "copies: 4")),
        "1 card renamed (odin is now wotan), 1 with more copies (wotan: 1 more): 1 copy on 1 sheet in changed.pdf",
        {"Odin": 1},
    ),
    "ids that change places": (
        lambda folder: change(folder, ("{name: Thor", "{id: tyr, name: Thor"), ("{name: Tyr", "{id: thor, name: Tyr")),
        "2 cards renamed (thor is now tyr, tyr is now thor): nothing to print",
        {},
    ),
    "an id that another card takes over": (
        lambda folder: change(
            folder, ("- {name: Odin", "- {id: thor, name: Freya, kind: spell, level: 9, text: Heal.}\n- {name: Odin"),
            ("{name: Thor", "{id: donar, name: Thor"),
        ),
        "1 card added (thor), 1 renamed (thor is now donar): 1 copy on 1 sheet in changed.pdf",
        {"Freya": 1},
    ),
    "a template that draws the same": (lambda folder: templates(folder, minion=WORD + SAME_BOX), NOTHING, {}),
    "one that draws the same, and another id": (
        both(
            lambda folder: templates(folder, minion=WORD + SAME_BOX),
            lambda folder: change(folder, ("{name: Odin", "{id: wotan, name: Odin")),
        ),
        "1 card renamed (odin is now wotan): nothing to print",
        {},
    ),
    "one pixel": (
        lambda folder: templates(folder, minion=WORD + BOX + DOT),
        "2 cards changed (thor, odin): 4 copies on 1 sheet in changed.pdf",
        {"Thor": 1, "Odin": 3},
    ),
    "the back": (
        lambda folder: templates(folder, back=BACK + DOT),
        "4 cards changed (thor, odin, tyr, loki): 7 copies on 1 sheet in changed.pdf",
        {"Thor": 1, "Odin": 3, "Tyr": 1, "Loki": 2},
    ),
    "the back of a card": (
        both(
            lambda folder: templates(folder, other=DOT),
            lambda folder: change(folder, ("copies: 2", "copies: 2, back: other")),
        ),
        "1 card changed (loki): 2 copies on 1 sheet in changed.pdf",
        {"Loki": 2},
    ),
    "a card without back": (
        lambda folder: change(folder, ("copies: 2", "copies: 2, back: none")),
        "1 card changed (loki): 2 copies on 1 sheet in changed.pdf",
        {"Loki": 2},
    ),
    "the dots of the PNGs": (lambda folder: change(folder, ("72", "100"), name="set.yaml"), NOTHING, {}),
    "the dots, and a template that draws the same": (
        both(
            lambda folder: change(folder, ("72", "100"), name="set.yaml"),
            lambda folder: templates(folder, minion=WORD + SAME_BOX),
        ),
        NOTHING,
        {},
    ),
    "the size of the cards": (
        lambda folder: change(folder, ("{slug: false}", "{slug: false, card_size: 63.5x88.8}"), name="set.yaml"),
        "4 cards changed (thor, odin, tyr, loki): 7 copies on 1 sheet in changed.pdf",
        {"Thor": 1, "Odin": 3, "Tyr": 1, "Loki": 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_only_changed_cards_are_printed_and_named(folder: Path, what: str) -> None:
    edit, said, copies = EDITS[what]
    edit(folder)
    assert since(folder) == said
    assert printed(folder) == copies


def test_a_card_that_had_no_copies_is_new_once_it_has_some(folder: Path) -> None:
    change(folder, ("copies: 3", "copies: 0"))
    built(folder)
    shutil.copy(out(folder) / ".kotc.json", "printed.json")
    change(folder, ("copies: 0", "copies: 3"))
    assert since(folder) == "1 card added (odin): 3 copies on 1 sheet in changed.pdf"


def test_pngs_that_another_encoder_packed_are_the_same_pictures(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {file.name: file.read_bytes() for file in (out(folder) / "png").iterdir()}
    monkeypatch.setattr(deflate, "zlib", zlib)
    monkeypatch.setattr(deflate, "_LEVEL", 9)
    monkeypatch.setattr(packing, "_LAST", [[]])
    shutil.rmtree(out(folder))
    templates(folder, minion=WORD + SAME_BOX)
    assert since(folder) == NOTHING
    assert all((out(folder) / "png" / name).read_bytes() != data for name, data in before.items())


def test_a_digest_of_pixels_is_that_of_the_picture_in_the_file(folder: Path) -> None:
    said = json.loads((out(folder) / ".kotc.json").read_bytes())["outputs"]
    for name in ("png/thor.png", "png/odin.png"):
        with Image.open(out(folder) / name) as image:
            assert packing.digest(image.convert("RGB")) == said[name]["pixels"]
            image.putpixel((3, 200), (1, 2, 3))
            assert packing.digest(image) != said[name]["pixels"]
            assert packing.digest(image.crop((0, 0, image.width, 100))) != packing.digest(
                image.crop((0, 0, image.width, 101))
            )


def test_without_pngs_the_drawing_decides(folder: Path) -> None:
    change(folder, ("{png: {dpi: 72}, sheets: true}", "[sheets]"), name="set.yaml")
    built(folder)
    shutil.copy(out(folder) / ".kotc.json", "printed.json")
    change(folder, ("- {name: Tyr", "# a god\n- {name: Tyr"))
    assert since(folder) == NOTHING
    templates(folder, minion=WORD + SAME_BOX)
    assert since(folder) == "2 cards changed (thor, odin): 4 copies on 1 sheet in changed.pdf"


def test_a_manifest_does_not_know_the_pixels_of_backs(folder: Path) -> None:
    templates(folder, back=SAME_BACK)
    assert since(folder).startswith("4 cards changed (thor, odin, tyr, loki)")


def test_backs_that_are_not_printed_do_not_count(folder: Path) -> None:
    change(folder, ("{slug: false}", "{slug: false, backs: none}"), name="set.yaml")
    built(folder)
    shutil.copy(out(folder) / ".kotc.json", "printed.json")
    templates(folder, back=DOT)
    assert since(folder) == NOTHING


# --- law: pixels, of cards as they are read from the PNGs -----------------------------------------------------------

STYLES = {"plain": BOX, "same": SAME_BOX, "dotted": BOX + DOT, "empty": ""}
ids = st.sampled_from(["thor", "odin", "tyr", "loki"])
card = st.tuples(st.sampled_from(NAMES), st.sampled_from([1, 2]), st.integers(0, 3))
whole_set = st.tuples(
    st.dictionaries(ids, card, min_size=1), st.sampled_from(sorted(STYLES)), st.sampled_from([BACK, DOT])
)


def write_deck(folder: Path, deck: tuple[Mapping[str, tuple[str, int, int]], str, str]) -> Path:
    cards, style, back = deck
    lines = [
        f"- {{id: {name}, name: {title}, kind: minion, level: {level}, sp: 1, hp: 0, copies: {copies}}}"
        for name, (title, level, copies) in cards.items()
    ]
    return templates(write_set(folder, "\n".join(lines), SET), minion=WORD + STYLES[style], back=back)


def pixels(
    folder: Path, deck: tuple[Mapping[str, tuple[str, int, int]], str, str]
) -> dict[str, tuple[bytes, str, int]]:
    """Return the pixels of each card that has copies, its back, and its copies."""
    found = {}
    for name, (_, _, copies) in deck[0].items():
        with Image.open(out(folder) / "png" / f"{name}.png") as image:
            found[name] = image.tobytes(), deck[2], copies
    return {name: seen for name, seen in found.items() if seen[2]}


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whole_set, whole_set)
def test_exactly_the_cards_whose_pixels_differ_are_printed(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    one: tuple[Mapping[str, tuple[str, int, int]], str, str],
    other: tuple[Mapping[str, tuple[str, int, int]], str, str],
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("decks"))
    folder = write_deck(Path("set").resolve(), one)
    built(folder)
    before = pixels(folder, one)
    shutil.copy(out(folder) / ".kotc.json", "printed.json")
    write_deck(folder, other)
    since(folder)
    now = pixels(folder, other)
    had = {
        name: (before[name][2] if name in before and before[name][:2] == seen[:2] else 0) for name, seen in now.items()
    }
    lost = [before[name] for name in before if name not in now or now[name][:2] != before[name][:2]]
    for name, seen in now.items():  # a picture that another id had
        found = next((each for each in lost if not had[name] and each[:2] == seen[:2]), None)
        if found:
            had[name] = found[2]
            lost.remove(found)
    wanted: Counter[str] = Counter()
    for name, (_, _, copies) in now.items():
        wanted[other[0][name][0]] += max(0, copies - had[name])
    assert printed(folder) == {name: number for name, number in wanted.items() if number}


# --- pictures in memory ---------------------------------------------------------------------------------------------


def looks(folder: Path) -> SetDigests:
    (card_set,) = load_sets([folder])
    return compare.digest_set(card_set, lay_out_set(card_set).faces)


def test_pictures_in_memory_are_compared_and_written_and_read_back(folder: Path) -> None:
    before = looks(folder)
    templates(folder, minion=WORD + SAME_BOX, back=SAME_BACK)
    change(folder, ("level: 4", "level: 5"))
    now = looks(folder)
    assert compare.differences(before, now, {}).changed == ("thor", "odin", "tyr", "loki")
    pixels = compare.paint_differences(before, now)
    assert compare.differences(before, now, pixels) == ChangedCards(changed=("loki",), copies=(("loki", 2),))
    Path("kept.json").write_bytes(manifest.dump_json(compare.as_manifest(replace(before, pixels=pixels), "Test")))
    kept = baseline_in(Path("kept.json")).looks
    assert isinstance(kept, SetDigests)
    assert kept == replace(before, pixels=kept.pixels)
    assert compare.compare(kept, now) == ChangedCards(changed=("loki",), copies=(("loki", 2),))
    assert since(folder, what="kept.json") == "1 card changed (loki): 2 copies on 1 sheet in changed.pdf"
    assert manifest.read(out(folder)).since.mark == baseline_in(Path("kept.json")).mark

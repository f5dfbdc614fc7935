"""A set of any size: what is put to rest outside of memory is what it was, in every file that is made of it."""

import multiprocessing
import os
import pickle
import re
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from render.base.lazily import Lazily
from render.base.spill import Spill
from render.build import run
from render.game import packed_cards
from render.game.cards import GameCard
from render.game.faces import lay_out_set
from render.game.home import EVERY_VERSION
from render.game.sources import load_sets, survey
from render.pdf import spool as spools
from render.pdf.objects import dictionary, packed, piece
from render.pdf.spool import Spool
from render.scene import at_rest
from render.sheets import imposition
from tests.support.sets import kotc, write_set

SET = 'name: Test\nedition: 17\ncredit: "Card design by me, CC0."\nback: back\n'
NUMBERS = range(12)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cards = (f"- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0}}" for number in NUMBERS)
    return write_set(tmp_path / "set", "\n".join(cards), SET)


def made(folder: Path, out: Path) -> dict[str, bytes]:
    kotc("pdf", folder, "--no-store", "--out", out / "sheets.pdf")
    kotc("pdf", folder, "--no-store", "--standard", "x-4", "--out", out / "press.pdf")
    kotc("png", folder, "--no-store", "--dpi", "72", "--out", out / "png")
    kotc("build", folder, "--no-store", "--out", out / "built")
    files = [file for file in sorted(out.rglob("*")) if file.suffix in (".pdf", ".png")]
    assert len(files) == 2 * len(NUMBERS) + 3
    return {str(file.relative_to(out)): file.read_bytes() for file in files}


def test_files_have_the_same_bytes_when_everything_is_put_to_rest(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = made(folder, tmp_path / "usual")
    monkeypatch.setattr(at_rest, "MANY", 0)
    for module in (packed_cards, imposition, run):
        monkeypatch.setattr(module, "AT_HAND", 0)
    monkeypatch.setattr(spools, "_IN_MEMORY", 0)
    assert made(folder, tmp_path / "at-rest") == expected


@pytest.mark.parametrize("name", ["starter", "eleventh", "fivewinds", "windfall"])
def test_cards_at_rest_are_those_that_were_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, findings = survey([Path("cards", name)], None, versions=EVERY_VERSION)
    monkeypatch.setattr(packed_cards, "AT_HAND", 0)
    sets, same = survey([Path("cards", name)], None, versions=EVERY_VERSION)
    assert same == findings
    for expected, card_set in zip(usual, sets, strict=True):
        assert isinstance(card_set.cards, Lazily) and not isinstance(expected.cards, Lazily)
        assert [*map(all_of, card_set.cards)] == [*map(all_of, expected.cards)]


@pytest.mark.parametrize("name", ["fivewinds", "windfall", "kettle"])
def test_cards_of_other_games_at_rest_are_drawn_as_they_were(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def printed(out: Path) -> list[bytes]:
        kotc("pdf", Path("cards", name), "--no-store", "--out", out / "sheets.pdf")
        kotc("pdf", Path("cards", name), "--no-store", "--where", "copies > 1", "--out", out / "some.pdf")
        return [file.read_bytes() for file in sorted(out.iterdir())]

    expected = printed(tmp_path / "usual")
    monkeypatch.setattr(packed_cards, "AT_HAND", 0)
    assert printed(tmp_path / "at-rest") == expected
    assert expected


@pytest.mark.parametrize("where", ["level == 1", "copies > 0", "'Draw' in text"])
def test_cards_at_rest_are_chosen_as_others_are(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("check", Path("cards", "starter"), "--no-store", "--where", where)
    expected = kotc(*words)
    monkeypatch.setattr(packed_cards, "AT_HAND", 0)
    assert (kotc(*words).output, kotc(*words).exit_code) == (expected.output, expected.exit_code)


@pytest.mark.parametrize("name", ["starter", "kettle"])
def test_workers_lay_out_cards_at_rest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_cards, "AT_HAND", 0)
    (card_set,) = load_sets([Path("cards", name)])
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        drawn = lay_out_set(card_set, executor=executor)
    assert [each.front.items for each in drawn.faces] == [each.front.items for each in lay_out_set(card_set).faces]


@pytest.mark.parametrize("value", ["10**30", "[[1,2],[3]]"])
def test_cards_of_which_bytes_cannot_say_all_stay_as_they_are(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(Path("cards", "windfall"), tmp_path / "set")
    game = (tmp_path / "set/game.yaml").read_text(encoding="utf-8")
    more = game.replace("\nfields:\n", f'\nfields:\n  big: {{value: "{value}"}}\n')
    assert more != game
    (tmp_path / "set/game.yaml").write_text(more, encoding="utf-8")
    expected, _ = survey([tmp_path / "set"])
    monkeypatch.setattr(packed_cards, "AT_HAND", 0)
    sets, _ = survey([tmp_path / "set"])
    assert [*map(all_of, sets[0].cards)] == [*map(all_of, expected[0].cards)]


def all_of(card: GameCard) -> tuple[object, ...]:
    places = [card.document.span(each.node) for each in (card, *card.faces)]
    return card, card.varied, card.node.entries, [each.node.entries for each in card.faces], places


@pytest.mark.parametrize("end", ["", "copies: 0\n", "levle: 1\n", "art: none.png\n", "text: Draw 1 card\n"])
def test_a_check_of_cards_at_rest_says_the_same(end: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = "".join(f"- name: More\n  id: {name}\n  kind: minion\n  level: 3\n  sp: 1\n  hp: 0\n" for name in "aba")
    (folder / "more.yaml").write_text(more + f"  {end}" * bool(end), encoding="utf-8")
    expected = kotc("check", folder, "--no-store").output
    monkeypatch.setattr(packed_cards, "AT_HAND", 0)
    assert kotc("check", folder, "--no-store").output == expected
    assert [kotc("check", folder, "--store", folder.parent / "store").output for _ in range(2)] == [expected] * 2


def test_a_scene_at_rest_shows_what_it_did_and_leaves_as_a_usual_one(folder: Path) -> None:
    scenes = [faces.front for faces in lay_out_set(load_sets([folder])[0]).faces]
    spill = Spill()
    resting = [at_rest.put_to_rest(spill, at_rest.pack(scene)) for scene in scenes]
    assert [(each.size, each.items) for each in resting] == [(each.size, each.items) for each in scenes]
    assert [pickle.loads(pickle.dumps(each)) for each in resting] == scenes
    with pytest.raises(AssertionError):  # nobody would ever see them
        replace(resting[0], items=scenes[1].items)


def test_forked_processes_read_the_same_file_at_once() -> None:
    spill = Spill()
    parts = [spill.put(bytes([number]) * 5000) for number in range(200)]
    children = []
    for _ in range(3):
        child = os.fork()
        if not child:
            good = all(part.read() == bytes([number]) * 5000 for number, part in enumerate(parts))
            os._exit(0 if good else 1)
        children.append(child)
    assert all(part.read()[0] == number for number, part in enumerate(parts))
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]


def test_a_full_disk_takes_no_part_for_the_whole() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))  # bytes
    try:
        with pytest.raises(OSError, match=re.escape(tempfile.gettempdir())):
            Spill().put(b"more than ten bytes")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_piece_from_the_spool_is_what_was_put_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spools, "_IN_MEMORY", 40)
    part = packed(b"0 0 m", Type="/XObject")
    whole = piece(dictionary(Type="/Page"), b"stream", (part, part), {"DejaVu Sans": {36: "A"}})
    spool, known = Spool(), set[bytes]()
    sent = [*spools.packed(whole, known)]
    assert [name for name, _ in sent] == [part.name, whole.name]
    assert [*spools.packed(whole, known)] == []
    for name, data in sent:
        spool.put(name, data)
    assert spool.piece(whole.name) == whole


def test_places_of_findings_and_keys_are_read_again_from_the_lines_of_a_card(tmp_path: Path) -> None:
    words = "- &one {name: Ant, kind: minion, level: 1, sp: 1, hp: 0}\n- {<<: *one, name: Bee}\n- name: Cat\n  kind: minion\n"
    folder = write_set(tmp_path / "set", words + "  level: 1\n  sp: 1\n  hp: 0\n  art: none.png\n", SET)
    result = kotc("check", folder)
    assert f"{folder / 'cards.yaml'}:8:8: error" in result.output
    (card_set,) = load_sets([folder]) if result.exit_code == 0 else [None]
    assert card_set is None

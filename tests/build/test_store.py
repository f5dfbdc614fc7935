"""The store of finished faces: the same bytes whatever it holds, and nothing is trusted that is not as it was written."""

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image
from proofs import edited_sets

from render.build.store import FILE
from render.images import resample
from render.pdf import document
from render.pdf.objects import name_of
from render.pdf.spool import unpacked
from render.scene.items import Picture
from tests.support.forks import CAN_FORK
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

SET = 'name: Test\nedition: 17\ncredit: "Card design by me, CC0."\nback: back\noutputs: [sheets]\n'
CARDS = 12


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KOTC_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = with_plain_back(write_set(tmp_path / "set", "\n".join(map(card, range(CARDS))), SET))
    Image.new("RGB", (700, 430), "teal").save(folder / "a.png")
    return folder


def card(number: int, words: str = "") -> str:
    art = ", art: a.png" if number % 3 == 0 else ""
    return f'- {{name: Card {number}, kind: minion, level: 1, sp: 1, hp: 0, flavor: "Of {number}{words}."{art}}}'


def sheets(folder: Path, *options: object, out: str = "out") -> bytes:
    result = kotc("build", folder, "--out", folder.parent / out, *options)
    assert result.exit_code == 0, result.output
    return (folder.parent / out / folder.name / "sheets.pdf").read_bytes()


def fresh(folder: Path) -> bytes:
    shutil.rmtree(folder.parent / "fresh", ignore_errors=True)
    return sheets(folder, "--no-store", out="fresh")


def faces_in(store: Path) -> int:
    with sqlite3.connect(store / FILE) as database:
        (count,) = database.execute("select count(*) from kept where is_face").fetchone()
    return int(count)


def change_card(folder: Path, number: int, words: str) -> None:
    lines = (folder / "cards.yaml").read_text(encoding="utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if f"name: Card {number}," in line)
    lines[at] = card(number, words)
    (folder / "cards.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def laid_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Build, and return which cards were drawn."""
    from render.build import finished

    drawn: list[str] = []
    finish = finished.finish

    def told(store: object, card_set: object, faces: dict[str, object], *others: object) -> object:
        drawn.extend(faces)
        return finish(store, card_set, faces, *others)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr("render.build.run.finish", told)
        sheets(folder)
    return drawn


def test_only_the_card_that_changed_is_drawn_again(folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(laid_out(folder, monkeypatch)) == CARDS
    change_card(folder, 7, " or so")
    assert laid_out(folder, monkeypatch) == ["card-7"]
    assert faces_in(store) == CARDS + 1


def pages_drawn(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Build sheets of four cards, and return how many pages were drawn."""
    drawn: list[object] = []
    draw = document._drawn

    def told(drawer: Any, page: Any) -> object:
        drawn.append(page)
        return draw(drawer, page)

    with monkeypatch.context() as patch:
        patch.setattr(document, "_drawn", told)
        sheets(folder, "--grid", "2x2")
    return len(drawn)


def test_a_card_is_drawn_on_a_sheet_that_changed_though_another_sheet_with_it_is_known(
    folder: Path, store: Path
) -> None:
    file = folder / "cards.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("{name: Card 2,", "{copies: 10, name: Card 2,"), encoding="utf-8"
    )
    sheets(folder)
    change_card(folder, 5, " or so")
    assert sheets(folder) == fresh(folder)


def test_only_the_sheet_of_the_card_that_changed_is_drawn_again(
    folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = -(-CARDS // 4)
    assert pages_drawn(folder, monkeypatch) == 2 * number
    change_card(folder, 7, " or so")
    assert pages_drawn(folder, monkeypatch) == 2
    words = (folder / "set.yaml").read_text(encoding="utf-8")
    for changed in (words.replace("name: Test", "name: Another"), f"{words}sheet: {{slug: false}}\n"):
        (folder / "set.yaml").write_text(changed, encoding="utf-8")
        assert pages_drawn(folder, monkeypatch) == 2 * number, "each page shows it"
    back = folder / "templates" / "back.svg"
    back.write_text(back.read_text(encoding="utf-8").replace("<rect", '<rect opacity="0.5"', 1), encoding="utf-8")
    assert pages_drawn(folder, monkeypatch) == 2 * number
    assert sheets(folder) == fresh(folder)


def test_it_has_one_page_for_each_side_of_a_sheet(folder: Path, store: Path) -> None:
    counts = []
    for name in ("Test", "Another", "A third"):
        (folder / "set.yaml").write_text(SET.replace("Test", name), encoding="utf-8")
        sheets(folder, "--grid", "2x2")
        with sqlite3.connect(store / FILE) as database:
            rows = [data[16:] for (data,) in database.execute("select data from kept where not is_face")]
        counts.append(sum(len(msgspec.msgpack.decode(row)) == DRAWN for row in rows if row))
    assert counts == [2 * CARDS // 4] * 3


def print_sheets(folder: Path, *options: str) -> bytes:
    result = kotc("pdf", folder, "--out", folder.parent / "sheets.pdf", *options)
    assert result.exit_code == 0, result.output
    return (folder.parent / "sheets.pdf").read_bytes()


def test_printing_keeps_the_built_in_back(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_set(tmp_path / "set", card(1), SET)
    first = print_sheets(folder)
    assert faces_in(store) == 2, "a front and the back"
    assert print_sheets(folder) == first
    assert faces_in(store) == 2
    print_sheets(folder, "--bleed-backs", "2")
    assert faces_in(store) == 3
    monkeypatch.setenv("KOTC_STORE", str(folder / "store"))  # where none may lie
    assert print_sheets(folder) == first


# Not as in the file: an SVG, which is drawn, a PNG, which is packed anew, and a JPEG that is turned. And one that is.
ART = ("a.svg", "a.png", "turned.jpg", "a.jpg")


@pytest.fixture
def pictured(tmp_path: Path) -> Path:
    lines = (f"{card(number)[:-1]}, art: {name}}}" for number, name in zip((1, 2, 4, 5), ART, strict=True))
    folder = write_set(tmp_path / "set", "\n".join(lines), SET)
    words = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 70 43"><path d="M0 0h70v43H0z" fill="teal"/></svg>'
    (folder / ART[0]).write_text(words, encoding="utf-8")
    picture, turned = Image.radial_gradient("L").resize((700, 430)).convert("RGB"), Image.Exif()
    turned[0x0112] = 3  # the other way up
    picture.save(folder / ART[1])
    picture.save(folder / ART[2], exif=turned)
    picture.save(folder / ART[3])
    return folder


def reword(folder: Path) -> None:
    file = folder / "cards.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("Of 1", "Of one"), encoding="utf-8")


def packed_now(monkeypatch: pytest.MonkeyPatch, make: Callable[[], object]) -> list[str]:
    """Return the names of the pictures that are packed meanwhile."""
    packed: list[str] = []
    with monkeypatch.context() as patch:
        for name in ("embeddable", "printable"):
            way = getattr(resample, name)

            def told(picture: Picture, *how: object, way: Callable[..., object] = way) -> object:
                packed.append(picture.file.name)
                return way(picture, *how)

            patch.setattr(resample, name, told)
        make()
    return sorted(packed)


@pytest.mark.parametrize("standard", ["none", "x-1a", "x-4"])
def test_a_picture_is_packed_once_for_each_way_of_printing(
    pictured: Path, store: Path, monkeypatch: pytest.MonkeyPatch, standard: str
) -> None:
    def make() -> bytes:
        return print_sheets(pictured, "--standard", standard)

    assert packed_now(monkeypatch, make) == sorted(ART)
    reword(pictured)
    always = ["a.jpg"] if standard == "none" else []  # which goes in as it is
    assert packed_now(monkeypatch, make) == always
    Image.new("RGB", (700, 430), "teal").save(pictured / "a.png")
    assert packed_now(monkeypatch, make) == sorted(["a.png", *always])
    assert make() == print_sheets(pictured, "--standard", standard, "--no-store")


@pytest.mark.parametrize(("standard", "count"), [("x-4", CARDS), ("x-1a", 0)])
def test_printing_keeps_faces_for_a_press_if_they_may_be_transparent(
    folder: Path, store: Path, standard: str, count: int
) -> None:
    first = print_sheets(folder, "--standard", standard)
    assert faces_in(store) == count
    assert print_sheets(folder, "--standard", standard) == first
    print_sheets(folder)  # in other colors
    assert faces_in(store) == count + CARDS
    change_card(folder, 7, " or so")
    printed = print_sheets(folder, "--standard", standard, "--rich-black")
    assert faces_in(store) == 2 * count + CARDS
    assert printed == print_sheets(folder, "--standard", standard, "--rich-black", "--no-store")


def test_pictures_are_kept_for_builds_and_for_shops_too(
    pictured: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def order(*options: str) -> bytes:
        result = kotc("shop", "pdf-x4", pictured, "--out", pictured.parent / "shop", *options)
        assert result.exit_code == 0, result.output
        return next((pictured.parent / "shop").glob("*.pdf")).read_bytes()

    assert packed_now(monkeypatch, order) == sorted(ART)
    assert packed_now(monkeypatch, order) == []
    assert order() == order("--no-store")
    assert packed_now(monkeypatch, lambda: sheets(pictured)) == sorted(ART)
    assert packed_now(monkeypatch, lambda: sheets(pictured, "--force")) == sorted(ART)
    reword(pictured)
    assert packed_now(monkeypatch, lambda: sheets(pictured)) == ["a.jpg"]
    assert sheets(pictured) == fresh(pictured)


def test_a_kept_picture_that_is_none_is_packed_anew(
    pictured: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = print_sheets(pictured)
    for wrong in (b"", b"no picture", msgspec.msgpack.encode(resample.Deflated(b"", 1, 1, 2))):
        with monkeypatch.context() as patch:
            patch.setattr("render.build.store.ProgramMemory.find", lambda _, keys, row=wrong: dict.fromkeys(keys, row))
            assert print_sheets(pictured) == right


def test_printing_keeps_no_back_of_a_set(folder: Path, store: Path) -> None:
    print_sheets(folder)
    assert faces_in(store) == CARDS


@pytest.mark.skipif(not CAN_FORK, reason="this system cannot fork")
def test_the_same_bytes_as_without_it_after_edits_in_any_order(folder: Path, store: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert [*edited_sets.differences(folder, seed=2, home=home, edits=8, every=4)] == []


def _flip(store: Path) -> None:
    with sqlite3.connect(store / FILE) as database:
        for name, data in database.execute("select name, data from kept").fetchall():
            database.execute("update kept set data = ? where name = ?", (data[:-1] + bytes([data[-1] ^ 1]), name))


def _exchange(store: Path) -> None:
    """Give each face the contents of another one, which are whole."""
    with sqlite3.connect(store / FILE) as database:
        rows = database.execute("select name, data from kept where is_face order by name").fetchall()
        for (name, _), (_, data) in zip(rows, rows[1:] + rows[:1], strict=True):
            database.execute("update kept set data = ? where name = ?", (data, name))


def _lose_forms(store: Path) -> None:
    with sqlite3.connect(store / FILE) as database:
        database.execute("delete from kept where not is_face and rowid % 2")


def _cut(store: Path) -> None:
    data = (store / FILE).read_bytes()
    (store / FILE).write_bytes(data[: len(data) // 2])


def _other_table(store: Path) -> None:
    (store / FILE).unlink()
    with sqlite3.connect(store / FILE) as database:
        database.execute("create table kept (theirs)")


def _fold(store: Path) -> None:
    (store / FILE).unlink()
    (store / FILE).mkdir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "each entry changed": _flip,
    "entries exchanged": _exchange,
    "half of the forms gone": _lose_forms,
    "cut in half": _cut,
    "no database": lambda store: (store / FILE).write_bytes(b"no database" * 999),
    "empty": lambda store: (store / FILE).write_bytes(b""),
    "other tables": _other_table,
    "gone": shutil.rmtree,
    "a folder in its place": _fold,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_drawn_anew(folder: Path, store: Path, damage: str) -> None:
    sheets(folder)
    for ending in ("-wal", "-shm"):
        (store / f"{FILE}{ending}").unlink(missing_ok=True)
    DAMAGE[damage](store)
    change_card(folder, 3, " or so")
    assert sheets(folder) == fresh(folder)


def _rewrite(store: Path, change: Callable[[bytes, list[Any]], list[Any]]) -> None:
    """Write faces, pages and pieces otherwise, as the store would have written that."""
    with sqlite3.connect(store / FILE) as database:
        for name, data in database.execute("select name, data from kept").fetchall():
            row = msgspec.msgpack.decode(data[16:]) if len(data) > 16 else None
            if isinstance(row, list) and len(row) in (DRAWN, PIECE):
                if len(row) == DRAWN:
                    own = {each: change(each, msgspec.msgpack.decode(piece)) for each, piece in row[2].items()}
                    row[2] = {each: msgspec.msgpack.encode(piece) for each, piece in own.items()}
                packed = msgspec.msgpack.encode(change(name, row))
                whole = hashlib.sha256(name + packed).digest()[:16] + packed
                database.execute("update kept set data = ? where name = ?", (whole, name))


DRAWN, PIECE = 3, 5  # fields of a row: what is said of a face or a page, its name and its own pieces; those of a piece


def _within_itself(name: bytes, row: list[Any]) -> list[Any]:
    return [*row[:2], [name], *row[3:]] if len(row) == PIECE else row


def _of_other_kinds(name: bytes, row: list[Any]) -> list[Any]:
    return row[::-1]


def _without_form(name: bytes, row: list[Any]) -> list[Any]:
    return [row[0], b"none", row[2]] if len(row) == DRAWN else row


def _without_own_pieces(name: bytes, row: list[Any]) -> list[Any]:
    return [*row[:2], {}] if len(row) == DRAWN else row


def _in_other_fonts(name: bytes, row: list[Any]) -> list[Any]:
    if len(row) == DRAWN:
        return row
    return [*row[:3], [["No font", None, glyphs] for _, _, glyphs in row[3]], row[4]]


@pytest.mark.parametrize(
    "change", [_within_itself, _of_other_kinds, _without_form, _without_own_pieces, _in_other_fonts]
)
def test_what_somebody_wrote_who_knows_how_is_drawn_anew(
    folder: Path, store: Path, change: Callable[[bytes, list[Any]], list[Any]]
) -> None:
    right = print_sheets(folder)
    assert sheets(folder) == fresh(folder)
    _rewrite(store, change)
    assert print_sheets(folder) == right
    change_card(folder, 3, " or so")
    assert sheets(folder) == fresh(folder)


def test_a_piece_in_an_unknown_font_is_none() -> None:
    for font, is_one in (("DejaVu Sans", True), ("No font", False)):
        data = msgspec.msgpack.encode([b"<<>>", b"", [], [[font, None, {}]], []])
        assert bool(unpacked(name_of(b"<<>>", b"", [], [font], []), data)) is is_one


def test_a_picture_is_looked_at_where_it_lies_now(folder: Path, store: Path) -> None:
    sheets(folder)
    moved = folder.rename(folder.parent / "moved")
    shutil.copytree(folder.parent / "out" / "set", folder.parent / "out" / "moved")
    change_card(moved, 3, " or so")
    assert sheets(moved) == fresh(moved)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are texts there")
def test_a_font_whose_name_is_no_text_is_drawn_with_and_found_again(tmp_path: Path, store: Path) -> None:
    folder = write_set(tmp_path / "set", "- {name: One}\n", "name: Test\nback: none\noutputs: [sheets]\n")
    (folder / "game.yaml").write_text("name: Test\nkinds: {card: {}}\n", encoding="utf-8")
    (folder / "fonts").mkdir()
    font = ROOT / "cards/fivewinds/fonts/VollkornLining-Regular.ttf"
    shutil.copy(font, folder / "fonts" / os.fsdecode(b"\xff\xfe.ttf"))
    words = '<text x="5" y="20" width="40" font-size="5" font-family="Vollkorn Lining">{{ card.name }}</text>'
    (folder / "card.svg").write_text(f'<svg width="63.5mm" height="88.9mm">{words}</svg>', encoding="utf-8")
    first = sheets(folder)
    shutil.rmtree(tmp_path / "out")
    assert sheets(folder) == first == fresh(folder)


def test_it_is_not_used_within_a_set(folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = kotc("build", folder, "--out", folder.parent / "out", "--store", folder / "cache")
    assert (result.exit_code, "the store may not lie in the folder of a set" in result.output) == (2, True)
    with monkeypatch.context() as patch:
        patch.setenv("KOTC_STORE", str(folder / "cache"))
        sheets(folder)
    assert not (folder / "cache").exists()
    sheets(folder, "--store", folder.parent / "elsewhere", "--force")
    assert faces_in(folder.parent / "elsewhere") == CARDS
    assert not store.exists()


def test_a_dry_run_and_a_question_make_none(folder: Path, store: Path) -> None:
    kotc("build", folder, "--out", folder.parent / "out", "--dry-run")
    assert kotc("store").output == f"{store}: 0 faces, 0.0 MB of 1000 MB at most\n"
    kotc("store", "--clear")
    assert not store.exists()


def test_a_python_without_sqlite_does_without(folder: Path, store: Path) -> None:
    code = "import sys; sys.modules['sqlite3'] = None; from render.__main__ import main; main()"
    command = [sys.executable, "-c", code, "build", str(folder), "--out", str(folder.parent / "out")]
    assert subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode == 0
    assert not store.exists()


def test_a_folder_that_cannot_be_written_is_no_error(folder: Path, store: Path) -> None:
    store.write_text("a file", encoding="utf-8")
    assert sheets(folder) == fresh(folder)
    assert store.read_text(encoding="utf-8") == "a file"


def test_one_that_another_process_holds_is_done_without(folder: Path, store: Path) -> None:
    sheets(folder)
    change_card(folder, 3, " or so")
    with sqlite3.connect(store / FILE) as database:
        database.execute("begin exclusive")
        assert sheets(folder) == fresh(folder)


def _building(folder: Path, out: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "render", "build", str(folder), "--out", str(folder.parent / out), "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_two_builds_at_once_share_it(folder: Path, store: Path) -> None:
    sheets(folder)
    shutil.copytree(folder.parent / "out", folder.parent / "other")
    change_card(folder, 3, " or so")
    both = [_building(folder, "out"), _building(folder, "other")]
    assert [each.wait() for each in both] == [0, 0]
    made = [(folder.parent / out / "set/sheets.pdf").read_bytes() for out in ("out", "other")]
    assert made == [fresh(folder)] * 2


@pytest.mark.skipif(os.name != "posix", reason="kills as only POSIX does")
def test_a_kill_leaves_it_of_use(folder: Path, store: Path) -> None:
    for number, moment in enumerate((0.25, 0.4, 0.5)):
        change_card(folder, number, f" at {moment}")
        process = _building(folder, "out")
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert sheets(folder) == fresh(folder)
    assert sheets(folder, "--force") == fresh(folder)


def test_it_is_measured_limited_and_emptied(folder: Path, store: Path) -> None:
    sheets(folder)
    (said,) = kotc("store").output.splitlines()
    assert said.startswith(f"{store}: {CARDS} faces, ")
    assert said.endswith(" MB of 1000 MB at most")
    kotc("store", "--most", 1)
    assert kotc("store", "--size").output.endswith(" of 1 MB at most\n")
    assert kotc("store", "--clear").output == ""
    assert kotc("store").output.startswith(f"{store}: 0 faces, ")


def test_the_oldest_go_when_there_is_too_much(folder: Path, store: Path) -> None:
    sheets(folder)
    with sqlite3.connect(store / FILE) as database:
        database.execute("insert or replace into settings values ('most', 60000)")
        database.execute("update kept set day = day - 3")
        database.execute("insert into kept values (x'00', 1, 1, ?)", (bytes(100_000),))
    change_card(folder, 3, " or so")
    assert sheets(folder) == fresh(folder)
    with sqlite3.connect(store / FILE) as database:
        assert database.execute("select count(*) from kept where name = x'00'").fetchone() == (0,)


def test_a_deck_of_two_sets_keeps_the_faces_of_each_with_its_own_back(tmp_path: Path, store: Path) -> None:
    for name, color, numbers in (("one", "teal", range(5)), ("two", "gold", range(5, 10))):
        words = "\n".join(map(card, numbers)).replace(", art: a.png", "")
        folder = write_set(tmp_path / "sets" / name, words, SET)
        back = f'<svg width="63.5" height="88.9"><rect width="63.5" height="88.9" fill="{color}"/></svg>'
        (folder / "templates").mkdir()
        (folder / "templates" / "back.svg").write_text(back, encoding="utf-8")
    deck = tmp_path / "decks" / "deck.yaml"
    deck.parent.mkdir()
    cards = ", ".join(f"card-{number}: 4" for number in range(10))
    head = "name: Deck\nedition: 17\nsets: [../sets/one, ../sets/two]\noutputs: [sheets]\n"
    deck.write_text(f"{head}cards: {{{cards}}}\n", encoding="utf-8")

    def built(out: str, *options: str) -> bytes:
        result = kotc("build", deck, "--out", tmp_path / out, *options)
        assert result.exit_code == 0, result.output
        return (tmp_path / out / "deck" / "sheets.pdf").read_bytes()

    first = built("out")
    assert faces_in(store) == 10
    file = tmp_path / "sets" / "two" / "cards.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("Of 5", "Of five"), encoding="utf-8")
    assert built("out") == built("fresh", "--no-store") != first
    assert faces_in(store) == 11

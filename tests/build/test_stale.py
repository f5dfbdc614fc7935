"""What is stale and why: a build does no more than it must, and always ends in the tree of a clean build."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from render.base.resources import TEMPLATES
from render.build import inputs
from render.build.outputs import GALLERY_PAGE
from tests.support import sets
from tests.support.builds import built, copied, rewritten, times, tree
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.templates import with_plain_back

CARDS = """
- {name: One, kind: minion, level: 1, sp: 1, hp: 0, text: "GO: Draw 1 card.", art: a.png}
- {name: Two, kind: minion, level: 2, sp: 2, hp: 0}
- {name: Three, kind: spell, level: 2, text: Draw 1 card.}
"""
SET = sets.SET + "outputs: {png: {dpi: 72}, sheets: true}\n"
PNGS = {"png/one.png", "png/two.png", "png/three.png"}
SHEETS = "sheets.pdf"
OWN_MINION = (ROOT / "templates/kotc/minion.svg").read_text(encoding="utf-8")
OWN_FRAME = (ROOT / "templates/kotc/frame.svg").read_text(encoding="utf-8")
END = "{% endblock %}"
MORE = '{% if card.level == 1 %}{% include "more.svg" %}{% endif %}'


def paint(file: Path, color: str) -> None:
    Image.new("RGB", (700, 430), color).save(file)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set of three cards, built."""
    home = tmp_path_factory.mktemp("home")
    folder = with_plain_back(write_set(home / "set", CARDS, SET))
    paint(folder / "a.png", "red")
    built(folder)
    return home


@pytest.fixture
def folder(home: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    copied(home, tmp_path)
    return tmp_path / "set"


def out(folder: Path) -> Path:
    return folder.parent / "out" / folder.name


def change(folder: Path, old: str, new: str, name: str = "cards.yaml") -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")


def test_a_build_makes_a_png_of_each_card_and_the_sheets_unless_something_else_is_declared(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", "\n".join(CARDS.split("\n")[2:]))
    made = f"Test: 2 PNGs and 1 sheet in {out(folder)}"
    how = "  sheets: print at 100 % (actual size), both sides, flipped on the long edge\n"
    assert built(folder) == f"{made} (3 written, 0 unchanged)\n{how}"
    assert built(folder) == f"{made} (0 written, 3 unchanged)\n"
    assert [*tree(out(folder))] == [".kotc.json", "png/three.png", "png/two.png", SHEETS]
    assert (
        kotc("build", folder / "cards.yaml", "--out", out(folder).parent).output == f"{made} (0 written, 3 unchanged)\n"
    )


def test_a_second_build_writes_nothing_at_all(folder: Path) -> None:
    built(folder)
    before = times(out(folder)), tree(out(folder))
    assert "(0 written, 4 unchanged)" in built(folder)
    assert (times(out(folder)), tree(out(folder))) == before


def test_a_build_of_a_set_that_was_touched_writes_no_output(folder: Path) -> None:
    before = times(out(folder))
    for file in folder.iterdir():
        os.utime(file, ns=(1, 1))
    assert "(0 written, 4 unchanged)" in built(folder, "--explain")
    assert rewritten(before, out(folder)) == set()


def test_a_picture_that_someone_else_put_there_is_left_alone(folder: Path) -> None:
    theirs = {out(folder) / "png/theirs.png": b"theirs", out(folder) / "png/three.png": b"changed by hand"}
    for file, content in theirs.items():
        file.write_bytes(content)
    write_set(folder, "\n".join(CARDS.split("\n")[:3]), SET)
    built(folder)
    assert {file: file.read_bytes() for file in theirs} == theirs


@pytest.mark.parametrize("name", ["png/two.png", "sheets.pdf", "gallery.html", "the-game-crafter/fronts/one.png"])
def test_a_file_that_no_build_remembers_is_not_written_over_unless_it_is_the_same(folder: Path, name: str) -> None:
    write_set(folder, CARDS, SET.replace("sheets: true", "sheets: true, gallery: true, shops: [the-game-crafter]"))
    built(folder)
    made = tree(out(folder))
    (out(folder) / ".kotc.json").unlink()
    built(folder)  # what is there is what would be written
    assert tree(out(folder)) == made
    (out(folder) / ".kotc.json").unlink()
    (out(folder) / name).write_text("somebody's")
    result = kotc("build", folder, "--out", out(folder).parent)
    assert result.exit_code == 3
    assert (
        f"{name}`: no build remembers this file, and it is not what would be written; move it away, or" in result.stderr
    )
    assert (out(folder) / name).read_text() == "somebody's"
    built(folder, "--force")
    assert tree(out(folder)) == made


@pytest.mark.parametrize(
    ("command", "name"),
    [("png", "png/two.png"), ("pdf", "sheets.pdf"), ("shop the-game-crafter", "the-game-crafter/fronts/two.png")],
)
def test_what_other_commands_made_is_written_over_as_long_as_nobody_changed_it(
    folder: Path, command: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(folder, CARDS, SET.replace("sheets: true", "sheets: true, shops: [the-game-crafter]"))
    monkeypatch.chdir(folder.parent)
    for words, status in ((None, 0), ("somebody's", 3)):
        shutil.rmtree(out(folder), ignore_errors=True)
        write_set(folder, CARDS, (folder / "set.yaml").read_text())
        assert kotc(*command.split(), folder).exit_code == 0
        if words:
            (out(folder) / name).write_text(words)
        change(folder, "hp: 0}\n- {name: Three", f'hp: 0, flavor: "{status}"}}\n- {{name: Three')
        before = (out(folder) / name).read_bytes()
        result = kotc("build", folder)
        assert result.exit_code == status, result.output
        assert ((out(folder) / name).read_bytes() == before) is bool(words)


def test_sheets_are_removed_when_no_card_has_a_copy_any_more(folder: Path) -> None:
    write_set(folder, re.sub("kind", "copies: 0, kind", CARDS), SET)
    assert "3 PNGs and 0 sheets" in built(folder)
    assert not (out(folder) / SHEETS).exists()


CHANGES: dict[str, tuple[Callable[[Path], object], set[str], list[str]]] = {
    "a text": (
        lambda folder: change(folder, "GO: Draw 1 card.", "GO: Draw 2 cards."),
        {"png/one.png", SHEETS},
        ["png/one.png: text changed", "sheets.pdf: one changed"],
    ),
    "copies": (lambda folder: change(folder, "sp: 2,", "sp: 2, copies: 3,"), {SHEETS}, ["sheets.pdf: two changed"]),
    "a picture": (
        lambda folder: paint(folder / "a.png", "blue"),
        {"png/one.png", SHEETS},
        ["png/one.png: picture changed", "sheets.pdf: one changed"],
    ),
    "a template": (
        lambda folder: (folder / "minion.svg").write_text(OWN_MINION + "<!-- -->", encoding="utf-8"),
        {"png/one.png", "png/two.png", SHEETS},
        ["png/one.png: template changed", "png/two.png: template changed", "sheets.pdf: template changed"],
    ),
    "a back": (
        lambda folder: (folder / "templates/back.svg").unlink(),  # then it is the shipped one
        {SHEETS},
        ["sheets.pdf: template changed"],
    ),
    "the credit of the set": (
        lambda folder: change(folder, "anonymous", "unknown", "set.yaml"),
        {*PNGS, SHEETS},
        ["all PNGs: credit changed", "sheets.pdf: one, two and three changed"],
    ),
    "the size of a text": (
        lambda folder: change(folder, "level: 1,", "level: 1, text_size: 9, flavor_size: 4,"),
        {"png/one.png", SHEETS},
        ["png/one.png: text size and flavor size changed", "sheets.pdf: one changed"],
    ),
    "the smallest size of texts": (
        lambda folder: change(folder, "edition: 17", "edition: 17\nleast_text: 4.5", "set.yaml"),
        {*PNGS, SHEETS},
        ["all PNGs: set changed", "sheets.pdf: set changed"],
    ),
    "the sheets": (
        lambda folder: (folder / "set.yaml").write_text(f"{SET}sheet: {{ruler: false}}\n"),
        {SHEETS},
        ["sheets.pdf: options changed"],
    ),
    "the order": (
        lambda folder: write_set(folder, "\n".join(CARDS.split("\n")[::-1]), SET),
        {SHEETS},
        ["sheets.pdf: order of the cards changed"],
    ),
    "a file by hand": (
        lambda folder: (out(folder) / "png/two.png").write_bytes(b"scribbled"),
        {"png/two.png"},
        ["png/two.png: file was changed by hand"],
    ),
    "a lost file": (
        lambda folder: (out(folder) / "png/two.png").unlink(),
        {"png/two.png"},
        ["png/two.png: file is missing"],
    ),
    "a card less": (
        lambda folder: write_set(folder, "\n".join(CARDS.split("\n")[:3]), SET),
        {"png/three.png", SHEETS},
        ["sheets.pdf: three gone", "png/three.png: no longer asked for"],
    ),
}


def reasons_in(said: str) -> list[str]:
    """Return why outputs are made, without what the rules find of the cards."""
    return [line for line in said.splitlines() if re.match(r"(?:png/|all PNGs|sheets)[^ ]*(?: PNGs)?: ", line)]


@pytest.mark.parametrize("what", CHANGES)
def test_only_changed_files_are_made_again_and_a_dry_run_says_so_and_does_nothing(folder: Path, what: str) -> None:
    do, made, reasons = CHANGES[what]
    before = times(out(folder))
    do(folder)
    changed = times(out(folder))
    assert reasons_in(built(folder, "--dry-run")) == reasons
    assert times(out(folder)) == changed
    assert reasons_in(built(folder, "--explain")) == reasons
    assert rewritten(before, out(folder)) == made


def test_another_version_of_the_program_makes_everything_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "program_stamp", lambda: "another")
    monkeypatch.setattr(inputs, "program_version", lambda _: "another")
    said = built(folder, "--explain")
    assert "all PNGs: program version changed\nsheets.pdf: program version changed\n" in said


def test_other_fonts_make_every_picture_again(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "fonts", tmp_path / "fonts")
    monkeypatch.setattr("render.build.outputs.FONTS", tmp_path / "fonts")
    os.utime(folder / "cards.yaml", ns=(1, 1))
    assert "(0 written, 4 unchanged)" in built(folder)
    with (tmp_path / "fonts/DejaVuSans-Bold.ttf").open("ab") as font:
        font.write(b"\0")
    assert "all PNGs: font changed\nsheets.pdf: font changed\n" in built(folder, "--explain")


def test_a_level_that_is_left_to_the_rules_changes_with_them(tmp_path: Path) -> None:
    folder = with_plain_back(write_set(tmp_path / "set", CARDS.replace("level: 2, sp", "level: auto, sp"), SET))
    paint(folder / "a.png", "red")
    built(folder)
    rules = (ROOT / "render/games/kotc/editions/data/17.yaml").read_text(encoding="utf-8")
    (folder / "editions").mkdir()
    (folder / "editions/17.yaml").write_text(rules + "\n", encoding="utf-8")
    assert "(0 written, 4 unchanged)" in built(folder)
    change(folder, "level: auto", "level: 77")
    assert "png/two.png: level changed" in built(folder, "--explain")


def test_a_rule_that_moves_a_level_makes_the_cards_again_whose_level_it_moves(tmp_path: Path) -> None:
    set_yaml = SET + "sheet: {grid: 1x1, sheets_per_file: 1}\n"
    folder = with_plain_back(write_set(tmp_path / "set", LEFT_TO_THE_RULES, set_yaml))
    (folder / "editions").mkdir()
    shutil.copy(ROOT / "render/games/kotc/editions/data/17.yaml", folder / "editions")
    built(folder)
    before = times(out(folder))
    change(folder, 'text: "draw {x} cards", level: 2x', 'text: "draw {x} cards", level: 3x', "editions/17.yaml")
    said = built(folder, "--explain")
    assert rewritten(before, out(folder)) == {"png/moved.png", "png/moved-too.png", "sheets-1.pdf", "sheets-4.pdf"}
    assert reasons_in(said) == [
        "png/moved.png: level changed",
        "png/moved-too.png: level changed",
        "sheets-1.pdf: moved changed",
        "sheets-4.pdf: moved-too changed",
    ]


LEFT_TO_THE_RULES = """
- {name: Moved, kind: minion, level: auto, sp: 1, hp: 0, text: "GO: Draw 2 cards."}
- {name: Stays, kind: minion, level: auto, sp: 1, hp: 2}
- {name: Says So, kind: spell, level: 4, text: Draw 2 cards.}
- {name: Moved Too, kind: spell, level: auto, text: Draw 2 cards.}
"""


def test_a_template_that_is_included_counts_even_if_it_is_chosen_by_the_card(folder: Path) -> None:
    (folder / "spell.svg").write_text(
        '{% include "kotc/spell.svg" %}{% if false %}{% include card.name ~ ".svg" %}{% endif %}', encoding="utf-8"
    )
    built(folder)
    before = times(out(folder))
    (folder / "frame.svg").write_text((ROOT / "templates/kotc/frame.svg").read_text(encoding="utf-8") + "\n")
    built(folder)
    assert rewritten(before, out(folder)) == {*PNGS, SHEETS}


@pytest.mark.usefixtures("all_cores")
@pytest.mark.parametrize("pngs", [False, True])
def test_a_template_counts_that_only_a_second_process_has_read(tmp_path: Path, pngs: bool) -> None:
    levels = [1 if number == 99 else 2 for number in range(130)]
    cards = [f"- {{name: Card {number}, kind: minion, level: {n}, sp: {n}, hp: 0}}" for number, n in enumerate(levels)]
    outputs = "outputs: {png: {dpi: 72}, sheets: true}" if pngs else "outputs: {sheets: true}"
    folder = with_plain_back(write_set(tmp_path / "set", "\n".join(cards), f"{sets.SET}{outputs}\n"))
    (folder / "templates").mkdir(exist_ok=True)
    (folder / "templates/minion.svg").write_text(OWN_MINION.replace(END, MORE + END), encoding="utf-8")
    (folder / "templates/more.svg").write_text('<circle cx="9" cy="9" r="5"/>', encoding="utf-8")
    built(folder)
    assert "(0 written" in built(folder)
    (folder / "templates/more.svg").write_text('<circle cx="9" cy="9" r="6"/>', encoding="utf-8")
    assert "(0 written" not in built(folder)
    check_clean(folder)


def test_an_error_is_never_forgotten(folder: Path) -> None:
    before = times(out(folder)), tree(out(folder))
    change(folder, "sp: 2,", "sp: two,")
    for _ in range(2):
        assert kotc("build", folder, "--out", folder.parent / "out").exit_code == 1
        assert (times(out(folder)), tree(out(folder))) == before
    change(folder, "sp: two,", "sp: 2,")
    assert "(0 written, 4 unchanged)" in built(folder)


@pytest.mark.parametrize("trouble", ["a.png", "spell.svg"])
def test_an_error_in_a_picture_or_a_template_is_found_however_fresh_the_rest_is(folder: Path, trouble: str) -> None:
    (folder / trouble).write_text("neither", encoding="utf-8")
    for _ in range(2):
        assert kotc("build", folder, "--out", folder.parent / "out").exit_code == 1


def test_warnings_are_said_again_while_their_cause_lasts(folder: Path) -> None:
    Image.new("RGB", (70, 43)).save(folder / "a.png")
    first, second = built(folder), built(folder)
    assert "only" in first and "[A011]" in first
    # What was made, and how to print it, is said behind the warnings.
    assert second.split("\n")[:-2] == first.split("\n")[:-3]
    change(folder, "sp: 2,", "sp: 3,")
    assert "[A011]" in built(folder)
    paint(folder / "a.png", "red")
    assert "[A011]" not in built(folder)


def test_what_is_remembered_of_the_rules_does_not_tell_which_cards_were_judged_last(folder: Path) -> None:
    write_set(folder, CARDS.replace("level: 1,", "level: 8,").replace("level: 2, sp", "level: 9, sp"), SET)
    built(folder)
    write_set(folder, CARDS.replace("level: 1,", "level: 7,").replace("level: 2, sp", "level: 9, sp"), SET)
    assert built(folder).count("[V001]") == 2
    check_clean(folder)


def test_a_verification_names_what_was_changed_or_lost(folder: Path) -> None:
    def verified() -> tuple[int, str]:
        result = kotc("build", folder, "--out", folder.parent / "out", "--verify")
        return result.exit_code, result.output

    assert verified() == (0, f"{out(folder)}: 4 files, all unchanged\n")
    file = out(folder) / "png/one.png"
    status, data = file.stat(), file.read_bytes()
    file.write_bytes(data[:-1] + b"\0")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    (out(folder) / SHEETS).unlink()
    lines = [f"error: `{file}` was changed after the build", f"error: `{out(folder) / SHEETS}` is missing"]
    assert verified() == (1, "\n".join(lines) + "\n")
    shutil.rmtree(out(folder))
    assert verified() == (1, f"error: nothing was built in `{out(folder)}`\n")


# --- what a set declares --------------------------------------------------------------------------------------------


def declaring(folder: Path, outputs: str) -> str:
    (folder / "set.yaml").write_text(f"{sets.SET}outputs: {outputs}\n")
    result = kotc("build", folder, "--out", folder.parent / "out")
    return result.output if result.exit_code else ",".join(name for name in tree(out(folder)) if name[0] != ".")


@pytest.mark.parametrize(
    ("outputs", "names"),
    [
        ("[png]", "png/one.png,png/three.png,png/two.png"),
        ("{sheets: true}", "sheets.pdf"),
        ("[png, gallery]", "gallery.html,png/one.png,png/three.png,png/two.png"),
        ("[pdf-a2b]", "pdf-a2b/cards.pdf"),
        ("{shops: pdf-a2b, sheets: true}", "pdf-a2b/cards.pdf,sheets.pdf"),
        ("[]", ""),
    ],
)
def test_what_is_declared_is_made_and_what_is_not_is_removed(folder: Path, outputs: str, names: str) -> None:
    assert declaring(folder, outputs) == names


def test_a_png_has_the_dots_and_the_bleed_that_are_declared(folder: Path) -> None:
    declaring(folder, "{png: {dpi: 72, bleed: 3}}")
    with Image.open(out(folder) / "png/one.png") as image:
        assert image.size == (round(69.5 * 72 / 25.4), round(94.9 * 72 / 25.4))


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ("png", "expected a list or keys and values, found `png` [S005]"),
        ("{pngs: true}", "unknown key `pngs` [S002]"),
        ("{png: {dpi: 20}}", "expected a whole number from 72 to 1200, found `20` [S006]"),
        ("{png: {bleed: 9}}", "[S007]"),
        ("{png: true, shops: [drivethrucard]}", "found `drivethrucard` [S007]"),
        ("[gallery]", "the gallery shows the PNGs, and none are made [S007]"),
    ],
)
def test_a_declaration_that_is_wrong_is_refused(folder: Path, outputs: str, message: str) -> None:
    assert message in declaring(folder, outputs)


def test_the_files_of_a_shop_are_made_again_with_its_cards_only(folder: Path) -> None:
    declaring(folder, "[pdf-a2b]")
    before = times(out(folder))
    change(folder, "level: 2, sp: 2", "level: 3, sp: 2")
    assert "pdf-a2b: two changed\n" in built(folder, "--explain")
    assert rewritten(before, out(folder)) == {"pdf-a2b/cards.pdf"}
    assert "(0 written, 1 unchanged)" in built(folder)


def test_the_gallery_shows_every_card_and_escapes_what_they_say(folder: Path) -> None:
    change(folder, "Draw 1 card.}", 'Draw "1" <b>card</b>.}')
    declaring(folder, "[png, gallery]")
    page = (out(folder) / "gallery.html").read_text(encoding="utf-8")
    assert page.count('<li class="card') == 3 + 2  # the back, and the pattern for what the search finds
    assert 'src="png/three.png"' in page
    assert "<b>card" not in page
    change(folder, "name: Three,", "name: Three, edition: 16,")
    assert "gallery.html: three changed" in built(folder, "--explain")
    # Which its search finds, and its buttons count.
    change(folder, "name: Three,", "name: Three, copies: 3,")
    assert "gallery.html: three changed" in built(folder, "--explain")
    built(folder, "--out", str(folder.parent / "fresh"))
    assert (folder.parent / "fresh/set/gallery.html").read_bytes() == (out(folder) / "gallery.html").read_bytes()


def test_a_gallery_is_made_again_with_a_back(folder: Path) -> None:
    declaring(folder, "[png, gallery]")
    before = times(out(folder))
    back = folder / "templates/back.svg"
    back.write_text(back.read_text(encoding="utf-8").replace("</svg>", '<circle cx="9" cy="9" r="5"/></svg>'), "utf-8")
    assert "gallery.html: template changed" in built(folder, "--explain")
    assert rewritten(before, out(folder)) == {"gallery.html"}
    change(folder, "level: 2, text", "back: none, level: 2, text")
    assert "gallery.html: backs changed" in built(folder, "--explain")
    assert "(0 written, 4 unchanged)" in built(folder)


def test_the_gallery_depends_on_every_part_of_its_page() -> None:
    page = (TEMPLATES / "site/index.html").read_text(encoding="utf-8")
    parts = re.findall(r'{% (?:include|extends|import|from) "(.+?)"', page)
    others = ("site/index.html", "site/site.css", "site/site.js", "site/words.yaml")
    assert {f"<templates>/{name}" for name in (*parts, *others)} == set(GALLERY_PAGE)


# --- any order of changes -------------------------------------------------------------------------------------------

EDITS: dict[str, Callable[[Path], object]] = {
    "shorter": lambda folder: write_set(folder, "\n".join(CARDS.split("\n")[:3]), _set_yaml(folder)),
    "longer": lambda folder: write_set(folder, CARDS, _set_yaml(folder)),
    "backwards": lambda folder: write_set(folder, "\n".join(CARDS.split("\n")[::-1]), _set_yaml(folder)),
    "renamed": lambda folder: write_set(folder, CARDS.replace("Two", "Four"), _set_yaml(folder)),
    "blue": lambda folder: paint(folder / "a.png", "blue"),
    "red": lambda folder: paint(folder / "a.png", "red"),
    "own template": lambda folder: (folder / "minion.svg").write_text(OWN_MINION + "<!-- -->", encoding="utf-8"),
    "our template": lambda folder: (folder / "minion.svg").unlink(missing_ok=True),
    "a minion asks for more": lambda folder: _templates(
        folder, minion=OWN_MINION.replace(END, MORE + END), more="<g/>"
    ),
    "all ask for more": lambda folder: _templates(
        folder, frame=OWN_FRAME.replace("</svg>", MORE + "</svg>"), more="<g/>"
    ),
    "nobody asks": lambda folder: write_set(folder, CARDS.replace("level: 1,", "level: 3,"), _set_yaml(folder)),
    "no templates": lambda folder: shutil.rmtree(folder / "templates", ignore_errors=True),
    "usual": lambda folder: (folder / "set.yaml").write_text(SET),
    "split": lambda folder: (folder / "set.yaml").write_text(SET + "sheet: {grid: 1x1, sheets_per_file: 1}\n"),
    "nothing": lambda folder: (folder / "set.yaml").write_text(sets.SET + "outputs: []\n"),
    "one less": lambda folder: write_set(folder, "\n".join(CARDS.split("\n")[2:]), _set_yaml(folder)),
    "pictures alone": lambda folder: (folder / "set.yaml").write_text(sets.SET + "outputs: [png]\n"),
    "gallery": lambda folder: (folder / "set.yaml").write_text(sets.SET + "outputs: [png, gallery]\n"),
    "lost": lambda folder: shutil.rmtree(out(folder) / "png", ignore_errors=True),
    "built": built,
}


def _templates(folder: Path, **texts: str) -> None:
    (folder / "templates").mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"templates/{name}.svg").write_text(text, encoding="utf-8")


def _set_yaml(folder: Path) -> str:
    return (folder / "set.yaml").read_text(encoding="utf-8")


SHORT_OF = [
    ("own template", "our template"),
    ("pictures alone", "a minion asks for more", "nobody asks"),
    ("pictures alone", "all ask for more", "nobody asks"),
    ("pictures alone", "all ask for more", "one less"),
    ("a minion asks for more", "nothing", "usual"),
    ("all ask for more", "no templates"),
]
"""Changes after which fewer files are asked for, or other cards ask for them."""


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(sorted(EDITS)), min_size=2, max_size=8))
def test_any_order_of_changes_ends_in_the_tree_of_a_clean_build(
    tmp_path_factory: pytest.TempPathFactory, edits: list[str]
) -> None:
    folder = with_plain_back(write_set(tmp_path_factory.mktemp("edited") / "set", CARDS, SET))
    paint(folder / "a.png", "red")
    built(folder)
    for edit in edits:
        EDITS[edit](folder)
    built(folder)
    check_clean(folder)


@pytest.mark.parametrize("edits", SHORT_OF, ids=" then ".join)
def test_what_nothing_asks_for_any_more_is_forgotten(folder: Path, edits: tuple[str, ...]) -> None:
    for edit in edits:
        EDITS[edit](folder)
        built(folder)
    check_clean(folder)


def check_clean(folder: Path) -> None:
    """Check that what builds made one after the other is what one makes in an empty folder."""
    edited = tree(out(folder))
    shutil.rmtree(out(folder))
    built(folder)
    assert edited == tree(out(folder))

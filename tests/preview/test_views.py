"""What `kotc preview` shows, without a browser: what everything else draws and says, and never less than before."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from render.base.findings import Span
from render.build.store import RecentMemory
from render.game.faces import CardFaces, lay_out_set
from render.game.folder import find_sources
from render.game.sources import check_sets, load_sets
from render.png.paint import draw_png
from render.preview.details import EDITORS, card_details, editor_link, read_editor
from render.preview.set_view import SetView, card_at_work, changed_cards
from render.preview.state import RESOLUTIONS, Pictures, PreviewState, sheet_sides
from tests.games.declared.lanterns import CARDS, FILES, GAME, SVG, write_files
from tests.support import rasters
from tests.support.messages import write
from tests.support.preview_process import is_drawn, previewed
from tests.support.repository import ROOT
from tests.support.sets import kotc
from tests.support.table_files import xlsx, xlsx_row

STARTER = ROOT / "cards" / "starter"
FIVEWINDS = ROOT / "cards" / "fivewinds"
TWO = """\
- {name: Wolf, kind: minion, level: 3, sp: 1, hp: 0, text: 'GO: Draw 1 card.'}
- {name: Rules, kind: tip, text: Draw.}
"""


def view_of(folder: Path, cards: str = TWO) -> SetView:
    write(folder, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": cards})
    return opened(folder)


def opened(folder: Path) -> SetView:
    ((files,), _) = find_sources([folder])
    view = SetView(files, RecentMemory())
    update(view)
    return view


def update(view: SetView, *changed: str) -> None:
    ((files,), _) = find_sources([view.files.folder])
    view.update(files, [view.files.folder / name for name in changed], lambda: None)


def shown_by(view: SetView) -> PreviewState:
    state = PreviewState()
    state.views["s1"] = view
    state.publish()
    return state


def test_what_is_shown_at_once_is_what_reading_all_of_it_shows() -> None:
    text = (STARTER / "spells.yaml").read_text(encoding="utf-8")
    ((card_set,)) = load_sets([STARTER])
    file = STARTER / "spells.yaml"
    cards = {card.id: card for card in card_set.cards if card.document.file == file}
    starts = [match.start() for match in re.finditer(r"^- ", text, re.MULTILINE)]
    assert len(starts) == len(cards)
    for start in starts:
        changed = text[:start] + re.sub(r"name: (.*)", r"name: \1 II", text[start:], count=1)
        (found,) = changed_cards(card_set, text, changed, file)
        known = next(card for card in cards.values() if found.name == f"{card.name} II")
        assert (found.level, found.text) == (known.level, known.text)  # type: ignore[attr-defined]
        assert found.document.span(found.node).line == known.document.span(known.node).line


@pytest.mark.parametrize(
    "text",
    [
        "- name: 'Wolf\n- no item'\n  kind: tip\n",
        "- {name: Wolf, kind: tip\n",
        "{name: Wolf, kind: tip}\n",
        "- &a {name: Wolf, kind: tip}\n- *a\n",
        "\ufeff- name: \0\n",
        "",
    ],
)
def test_a_text_that_only_looks_like_a_list_shows_nothing_wrong_at_once(text: str, tmp_path: Path) -> None:
    view = view_of(tmp_path)
    assert view.set is not None
    for card in changed_cards(view.set, TWO, text, tmp_path / "cards.yaml"):
        assert card.name in ("Wolf", "Wolf - no item")


def test_a_broken_card_keeps_its_last_good_picture_and_is_the_one_card_at_work(tmp_path: Path) -> None:
    view = view_of(tmp_path)
    good = view.laid["rules"].faces
    write(tmp_path, {"cards.yaml": TWO.replace("kind: tip", "kind: tipp")})
    update(view, "cards.yaml")
    assert view.laid["rules"].stale and view.laid["rules"].faces is good
    assert not view.laid["wolf"].stale
    assert (view.latest, [view.card_of(finding) for finding in view.found]) == ("rules", ["rules"])
    write(tmp_path, {"cards.yaml": TWO})
    update(view, "cards.yaml")
    assert not view.laid["rules"].stale and not view.found


def test_it_begins_with_the_last_card_of_the_file_that_was_saved_last(tmp_path: Path) -> None:
    views = {}
    for name, saved in (("s1", 3000), ("s2", 5000), ("s3", 4000)):
        write(tmp_path / name, {"before.yaml": "- {name: Owl, kind: tip, text: Draw.}\n"})
        views[name] = view_of(tmp_path / name)
        os.utime(tmp_path / name / "before.yaml", (2000, 2000))
        os.utime(tmp_path / name / "cards.yaml", (saved, saved))
        view_again = SetView(views[name].files, RecentMemory())
        view_again.update(views[name].files, [], lambda: None)
        views[name] = view_again
    assert {name: view.latest for name, view in views.items()} == dict.fromkeys(views, "rules")
    assert card_at_work(views) == "s2/rules"
    assert card_at_work({}) == ""


def test_a_card_that_is_gone_from_a_readable_file_goes(tmp_path: Path) -> None:
    view = view_of(tmp_path)
    write(tmp_path, {"cards.yaml": TWO.splitlines()[0]})
    update(view, "cards.yaml")
    assert [*view.laid] == ["wolf"]


def test_a_new_card_with_an_error_has_a_place_and_its_errors(tmp_path: Path) -> None:
    view = view_of(tmp_path, TWO + "- {name: Owl, kind: owl}\n")
    board = shown_by(view)
    owl = board.whole()["cards"]["s1/owl"]  # type: ignore[index]
    assert (owl["face"], [each["code"] for each in owl["findings"]]) == ("", ["C007"])


def test_only_what_changed_is_laid_out_again(tmp_path: Path) -> None:
    view = view_of(tmp_path)
    before = {name: laid.faces for name, laid in view.laid.items()}
    write(tmp_path, {"cards.yaml": "# a line more\n" + TWO.replace("hp: 0", "hp: 1")})
    update(view, "cards.yaml")
    assert view.laid["rules"].faces is before["rules"]
    assert view.laid["wolf"].faces is not before["wolf"]
    rules = view.laid["rules"].card
    assert rules.document.span(rules.node).line == 3
    (tmp_path / "templates").mkdir()
    write(tmp_path, {"templates/tip.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9"/>'})
    update(view, "templates/tip.svg")
    assert view.laid["rules"].faces is not before["rules"]


def shown_beasts(folder: Path, files: Mapping[str, str]) -> SetView:
    """Return the view of a set of a game in YAML."""
    write_files(folder, {**FILES, **files})
    return opened(folder)


def parts_of(view: SetView, name: str) -> list[dict[str, Any]]:
    """Return the parts of a card as the page is told of them."""
    assert view.set is not None
    return card_details(view.laid[name], view, CardFaces(view.set), "")["parts"]  # type: ignore[return-value]


def test_what_a_game_says_anew_is_shown_on_cards_that_say_what_they_said(tmp_path: Path) -> None:
    game = GAME.replace('pattern: "[A-Z].*", hint: begin with a capital', "type: rich")
    view = shown_beasts(tmp_path, {"game.yaml": game})
    board = shown_by(view)
    before = {key: card["face"] for key, card in board.whole()["cards"].items()}  # type: ignore[attr-defined]
    another = game.replace("[id, name, family", "[id, name, rarity")
    write(tmp_path, {"game.yaml": f"{another}words: {{bold: [Bears]}}\n"})
    update(view, "game.yaml")
    board.publish()
    cards: dict[str, dict[str, object]] = board.whole()["cards"]  # type: ignore[assignment]
    assert [key for key, card in cards.items() if card["face"] != before[key]] == ["s1/brown-bear", "s1/sun-bear"]
    assert cards["s1/sun-bear"]["facts"] == {"rarity": "rare", "weight": 60}


def test_an_error_is_shown_at_its_own_card_though_that_never_could_be_drawn(tmp_path: Path) -> None:
    cards = CARDS.replace("family: Bears, weight: 60", "famly: Bears, weight: 60")
    view = shown_beasts(tmp_path, {"cards.yaml": cards})
    assert [(each.code, each.card) for each in view.found] == [("C002", "sun-bear")]


def test_an_error_behind_the_last_card_that_could_be_read_is_not_shown_at_it(tmp_path: Path) -> None:
    view = shown_beasts(tmp_path, {"cards.yaml": CARDS.replace("- {name: Joker", "- name: Joker")})
    assert [(each.code, view.card_of(each)) for each in view.found] == [("Y007", "")]
    assert [*view.laid] == ["brown-bear", "sun-bear"]


def test_what_was_doubtful_about_a_card_is_not_said_of_words_that_are_gone(tmp_path: Path) -> None:
    long = CARDS.replace("Joker", "Joker of all Jokers " * 9)
    view = shown_beasts(tmp_path, {"cards.yaml": long.replace("name: Joker", "id: joker, name: Joker")})
    assert [each.code for each in view.findings] == ["L010"]
    write(tmp_path, {"cards.yaml": CARDS.replace("kind: token", "kind: tokne")})
    update(view, "cards.yaml")
    assert [(each.code, each.card) for each in view.findings] == [("C007", "joker")]


def test_a_finding_moves_with_the_lines_of_its_card(tmp_path: Path) -> None:
    Image.new("RGB", (20, 30)).save(tmp_path / "a.png")
    cards = CARDS.replace("kind: token", "kind: token, art: a.png")
    token = SVG.format("<image href='{{ card.art.href }}' width='20' height='30'/>")
    view = shown_beasts(tmp_path, {"cards.yaml": cards, "templates/token.svg": token})
    before = {name: laid.faces for name, laid in view.laid.items()}
    write(tmp_path, {"cards.yaml": f"# one\n# two\n{cards}"})
    update(view, "cards.yaml")
    assert [(each.code, each.span and each.span.line) for each in view.findings] == [("A011", 5)]
    assert all(laid.faces is before[name] for name, laid in view.laid.items())
    write(tmp_path, {"cards.yaml": f"# one\n{cards}".replace("- {name: Jo", "-  {name: Jo")})
    update(view, "cards.yaml")
    ((_, checked),) = [(each.code, each.span) for each in check_sets((tmp_path,)).findings]
    assert [each.span for each in view.findings] == [checked]


def test_what_else_is_wrong_with_a_card_that_has_the_id_of_another_is_said(tmp_path: Path) -> None:
    second = "- {name: Sun Bear, kind: beast, family: Bears, weight: 2000}\n"
    view = shown_beasts(tmp_path, {"cards.yaml": CARDS + second})
    view.judge()
    assert {(each.code, each.span) for each in view.findings} == {
        (each.code, each.span) for each in check_sets((tmp_path,)).findings if each.code != "T014"
    }
    assert "M040" in {each.code for each in view.findings}


def test_every_part_of_a_card_stands_where_it_is_said_to_stand() -> None:
    view, checked = opened(STARTER), 0
    for name, laid in view.laid.items():
        lines = laid.card.document.text.split("\n")
        for part in parts_of(view, name):
            x, y, width, height = part["box"]
            assert 0 <= x <= x + width <= 1.001 and 0 <= y <= y + height <= 1.001
            if part["key"] == "text":
                checked += 1
                place = part["place"]
                rest = lines[place["line"] - 1][place["column"] - 1 :]
                assert rest.startswith(part["label"].split()[0].rstrip("-")[:4]), (part, rest)
    assert checked > 60


def test_parts_of_a_card_in_a_table_stand_in_cells_and_a_changed_row_alone_is_laid_out(tmp_path: Path) -> None:
    def sheet(card: tuple[str, ...]) -> list[str]:
        return [xlsx_row("name", "kind", "level", "text"), xlsx_row(*card)]

    wolf, fox = ("Wolf", "tip", "", "Draw."), ("Fox", "spell", "2", "Draw 1 card.")
    write(tmp_path, {"set.yaml": "name: Test\nedition: 17\n"})
    (tmp_path / "more.xlsx").write_bytes(xlsx(sheet(wolf), sheet(fox)))
    view = opened(tmp_path)
    before = {name: laid.faces for name, laid in view.laid.items()}
    (tmp_path / "more.xlsx").write_bytes(xlsx(sheet(wolf), sheet((*fox[:3], "Draw 2 cards."))))
    update(view, "more.xlsx")
    assert view.laid["wolf"].faces is before["wolf"]
    assert view.laid["fox"].faces is not before["fox"]
    told = {part["key"]: (part["label"], part["place"]["cell"]) for part in parts_of(view, "fox")}
    assert told["text"] == ("Draw 2 cards.", 'sheet "Sheet2", cell D2')


def test_parts_of_small_cards_stand_below_their_faces_and_lie_on_their_sides() -> None:
    view = opened(FIVEWINDS)
    split, twofold = (
        {(part["side"], part["key"]): part for part in parts_of(view, name)}
        for name in ("sow-reap", "frog-of-the-pond-the-pond-prince")
    )
    assert {side for side, _ in split} == {0}
    assert {(0, f"faces.{face}.{key}") for face in (0, 1) for key in ("name", "gusts", "rules_text", "art")} <= set(
        split
    )
    names = [split[0, "faces.0.name"], split[0, "faces.1.name"]]
    assert [each["label"] for each in names] == ["Sow", "Reap"]
    assert names[0]["box"][1] > names[1]["box"][1], "the card lies on its side: the first is the lower one"
    assert split[0, "faces.1.rules_text"]["label"].startswith("for each creature"), "its second line"
    assert {key for side, key in twofold if side == 1} >= {"faces.1.name", "faces.1.rules_text", "faces.1.art"}
    assert {key.partition(".name")[0] for side, key in twofold if side == 0 and key.endswith("name")} == {"faces.0"}


def test_a_picture_is_the_one_that_png_draws_and_no_other_can_be_had() -> None:
    (card_set,) = load_sets([STARTER])
    face = lay_out_set(card_set).faces[0]
    pictures = Pictures()
    name = pictures.show(face.front)
    assert pictures.png(name, 150) == draw_png(face.front, 150)
    assert pictures.png("0" * 24, 150) is None
    assert pictures.png(name, 151) is None and 151 not in RESOLUTIONS
    for number in range(70):
        pictures.keep([])
        pictures.show(type(face.front)(type(face.front.size)(10 + number, 10), ()))
    assert pictures.png(name, 150) is None


def test_a_sheet_looks_as_it_does_in_the_pdf(tmp_path: Path) -> None:
    assert kotc("pdf", STARTER, "--out", tmp_path / "sheets.pdf").exit_code == 0
    (card_set,) = load_sets([STARTER])
    pictures = Pictures()
    told = sheet_sides(card_set, lay_out_set(card_set).faces, pictures)
    sides = told["sides"]
    pdf = (tmp_path / "sheets.pdf").read_bytes()
    for number, side in enumerate(sides[:2]):  # type: ignore[index]
        png = pictures.png(side["picture"], 100)
        assert png
        ours, printed = rasters.png(png), rasters.page(pdf, number, 100)
        assert np.abs(blocks(ours) - blocks(printed)).mean() < 2.7  # upside down or mirrored, more than 3.3


def blocks(page: rasters.Pixels) -> NDArray[np.float64]:
    """Return the mean colors of blocks of 8 pixels: of single ones, two programs draw every edge a little otherwise."""
    high, wide = page.shape[0] // 8, page.shape[1] // 8
    found: NDArray[np.float64] = page[: high * 8, : wide * 8].reshape(high, 8, wide, 8, 3).mean(axis=(1, 3))
    return found


def test_editors_are_known_by_name_or_by_their_address() -> None:
    place = Span(file=Path("/cards of mine/a&b.yaml"), line=3, column=7)
    assert editor_link(EDITORS["vscode"], place) == "vscode://file/cards%20of%20mine/a%26b.yaml:3:7"
    assert editor_link(read_editor("x://open?f={file}#{line}"), place) == "x://open?f=/cards%20of%20mine/a%26b.yaml#3"
    for wrong in (
        "javascript:alert('{file}')",
        "vscod",
        "data:{file}",
        "x://open",
        "x://{file}/{token}",
        "JavaScript:{file}",
    ):
        with pytest.raises(ValueError, match=r"opens no editor|expected|has no|in braces"):
            read_editor(wrong)


def test_it_works_without_notices_of_changes(tmp_path: Path) -> None:
    folder, hidden = tmp_path / "cards", tmp_path / "hidden"
    write(folder, {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": TWO})
    write(hidden, {"sitecustomize.py": "import sys\nsys.modules['watchfiles'] = None\n"})
    with previewed(folder, PYTHONPATH=f"{hidden}:{ROOT}") as running:
        running.board(is_drawn)
        write(folder, {"cards.yaml": TWO.replace("hp: 0", "hp: 2")})
        running.board(lambda told: "HP 2" in told["cards"]["s1/wolf"]["says"])


def test_a_picture_that_is_painted_over_is_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    art = tmp_path / "cards" / "art.png"
    write(
        art.parent,
        {"set.yaml": "name: Test\nedition: 17\n", "cards.yaml": TWO.replace("Draw.}", "Draw., art: art.png}")},
    )
    Image.new("RGB", (900, 600), "red").save(art)
    with previewed("cards") as running:
        before = running.board(is_drawn)["cards"]["s1/rules"]["face"]
        Image.new("RGB", (900, 600), "blue").save(art)
        running.board(lambda told: told["cards"]["s1/rules"]["face"] != before)

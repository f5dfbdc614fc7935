"""Sets taken to another edition in one go: all of it or nothing, whatever stops it, and a page that tells of it."""

import base64
import io
import json
import os
import random
import re
import shutil
import signal
import sys
import time
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import Result
from PIL import Image

from render.build.manifest import Manifest
from render.games.kotc.editions.finding import SHIPPED
from render.games.kotc.workshop.migration import transition
from tests.support.builds import check_truth, copied, ended, forked, times, tree
from tests.support.full_disk import Failing
from tests.support.messages import words, write
from tests.support.pdf_contents import pages
from tests.support.sets import kotc
from tests.support.templates import with_plain_back

CARDS_OF_STARTER = Path(__file__).parents[2] / "cards/starter"
SET = "name: Harbour\nedition: 17\noutputs: {png: {dpi: 72}, sheets: true}\n"
CARDS = """
    - name: Night & Owl
      kind: minion
      level: 4
      sp: 1
      hp: 2
      ultra_points: 1
      text: |  # sees all
        SWOOP: When this card in your battlefield is destroyed (ghost-play): Target 1 card in your grave; bounce it.
    - name: Kite
      kind: spell
      level: auto
      text: Draw 2 cards.
      copies: 2
    - {name: Boat, kind: minion, level: 1, sp: 1, hp: 0}
    - {name: Courier, kind: spell, level: 2, text: Target 1 card on top of any deck; silo it.}
    - {name: Hint, kind: tip, edition: none, text: Draw a card.}
"""


DECK = "name: Shelf\nedition: 17\nsets: [../harbour]\ncards: {owl: 40}\n"


def eighteenth() -> str:
    """Return an edition made of the 17th: one word is another, a card costs more to draw, and a level was revised."""
    text = (SHIPPED / "17.yaml").read_text(encoding="utf-8").replace("edition: 17", "edition: 18", 1)
    text = text.replace("grave", "boneyard").replace('draw {x} cards", level: 2x', 'draw {x} cards", level: 3x')
    text = text.replace("reworded:\n", 'reworded:\n- {old: "grave", new: "boneyard"}\n', 1)
    return text.replace('"silo the targets", edition: 16', '"silo the targets", edition: 18')


def a_set(folder: Path, cards: str = CARDS, set_yaml: str = SET) -> Path:
    write(folder, {"set.yaml": set_yaml, "cards.yaml": cards})
    write(folder / "editions", {"18.yaml": eighteenth()})
    return with_plain_back(folder)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the set `cards/harbour`, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    a_set(Path("cards/harbour"))
    return tmp_path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which that command was run."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        a_set(Path("cards/harbour"))
        Path("said").write_text(rebuilt(), encoding="utf-8")
    return folder


@pytest.fixture
def done(finished: Path, here: Path) -> str:
    """Take a copy of that folder for the working one, and return what was said."""
    copied(finished, here)
    return Path("said").read_text(encoding="utf-8")


def upgraded(*arguments: str) -> Result:
    return kotc("upgrade", "--to", "18", *arguments)


def rebuilt(*arguments: str) -> str:
    result = upgraded(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


# --- the page, as a browser reads it --------------------------------------------------------------------------------


@dataclass
class Told:
    """What the page tells of a card."""

    fate: str = ""
    pictures: list[str] = field(default_factory=list)
    marked: dict[str, list[str]] = field(default_factory=dict)
    words: str = ""


class Page(HTMLParser):
    """Reads a page: its cards by anchor, all ids and all links."""

    def __init__(self, file: Path = Path("out/rebuild-to-18.html")) -> None:
        super().__init__()
        self.text = file.read_text(encoding="utf-8")
        self.cards: dict[str, Told] = {}
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self._card: Told | None = None
        self._mark = ""
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        if tag == "article":
            self._card = self.cards[values["id"]] = Told(values["data-fate"])
        if tag == "img" and self._card:
            self._card.pictures.append(values["src"])
        if "src" in values and not values["src"].startswith("data:"):
            self.outside.append(values["src"])
        self._mark = tag if tag in ("del", "ins", "pre", "li") else self._mark

    def handle_endtag(self, tag: str) -> None:
        self._card = None if tag == "article" else self._card
        self._mark = "" if tag == self._mark else self._mark

    def handle_data(self, data: str) -> None:
        if self._card:
            self._card.words += data
            self._card.marked.setdefault(self._mark, []).append(data)


def picture(address: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))


# --- all that it does -----------------------------------------------------------------------------------------------

REASON = "the level of `silo it` was revised in the 18th Edition, the card is of the 17th"
HINT = "    hint: with --relevel it gets the level and Ultra Points of the new rules; or design the card anew"
PRINTED = "4 copies on 1 sheet in out/harbour/changed.pdf"
SAID = f"""
    Harbour: 1 refurbished, 1 re-levelled, 2 unchanged, 1 pruned
      pruned: `courier`: {REASON}
    {HINT}
    2 files written
    Harbour: 5 PNGs and 1 sheet in out/harbour (7 written, 0 unchanged)
    since before the 18th Edition: 2 cards changed (night-owl, kite), 1 changed only in the Edition Indicator (boat): {PRINTED}
    before and after in out/rebuild-to-18.html
"""


def test_one_command_migrates_builds_and_tells(done: str) -> None:
    assert done == words(SAID) + "\n"
    assert Path("cards/harbour/set.yaml").read_text() == SET.replace("17", "18")
    cards = (
        words(CARDS)
        .replace("grave;", "boneyard;")
        .replace("{name: Courier, kind: spell,", "{name: Courier, kind: spell, edition: 17,")
    )
    assert Path("cards/harbour/cards.yaml").read_text() == cards + "\n"
    printed = pages(Path("out/harbour/changed.pdf"))[0]
    assert [printed.count(name) for name in ("Night & Owl", "Kite", "Boat", "Courier")] == [1, 2, 1, 0]
    assert sorted(file.name for file in Path("out").iterdir()) == ["harbour", "rebuild-to-18.html"]


def test_of_33_cards_only_those_that_a_player_sees_changed_are_printed_again_if_that_is_asked_for() -> None:
    starter = Path("cards/starter")
    shutil.copytree(CARDS_OF_STARTER, starter, ignore=shutil.ignore_patterns(".kotc"))
    with (starter / "set.yaml").open("a", encoding="utf-8") as file:
        file.write("outputs: {png: {dpi: 72}, sheets: true}\n")
    write(Path("editions"), {"18.yaml": eighteenth()})
    told = json.loads(upgraded("cards/starter", "--relevel", "--noticed-only", "--format", "json").stdout)
    (starter_told,) = told["sets"]
    numbers = ("level", "ultra_points", "text")
    noticed = {
        card["id"]
        for card in starter_told["cards"]
        if any(card["before"][key] != card["after"][key] for key in numbers)
    }
    reprint = starter_told["reprint"]
    assert (len(noticed), len(reprint["changed_only_in_indicator"])) == (7, 26)
    assert set(reprint["changed"]) == set(reprint["copies"]) == noticed
    printed = "".join(pages(Path("out/starter/changed.pdf")))
    assert ("Wharf Cat" in printed, "Paper Boat" in printed) == (True, False)
    says = r"\d+ copies of 7 cards on \d sheets?, without 26 cards with only a new Edition Indicator"
    assert re.search(says, Page().text)


@pytest.mark.usefixtures("done")
def test_the_sheets_of_all_cards_are_counted_apart_on_the_page() -> None:
    page = Page().text
    for title, count, name in (
        ("numbers, words or picture changed", 2, "Kite"),
        ("only a new Edition Indicator", 1, "Boat"),
    ):
        assert f"<h4>{title} <small>{count}</small></h4>" in page
        part = page.partition(f"<h4>{title} <small>")[2].partition("</ul>")[0]
        assert f">{name}</a>" in part


@pytest.mark.usefixtures("done")
def test_the_page_tells_what_became_of_each_card() -> None:
    cards = Page().cards
    assert {name: told.fate for name, told in cards.items()} == {
        "harbour/night-owl": "refurbished",
        "harbour/kite": "relevelled",
        "harbour/courier": "pruned",
        "harbour/boat": "unchanged",
    }
    owl, kite, courier, boat = cards.values()
    assert (owl.marked["del"], owl.marked["ins"]) == (["17", "grave"], ["18", "boneyard"])
    assert "level 4, Ultra Points 1, SP 1, HP 2" in owl.words
    assert "grave is now boneyard" in owl.words
    assert (kite.marked["del"], kite.marked["ins"]) == (["level 4", "17", "4"], ["level 6", "18", "6"])
    assert [text.split("\n")[0] for text in kite.marked["pre"]] == [
        f"Kite (kite), spell of the {edition}th Edition" for edition in (17, 18)
    ]
    assert REASON.replace("`", "") in courier.words
    assert "design the card anew" in courier.words and "--relevel" in courier.words
    assert "del" not in courier.marked
    assert boat.marked["del"] == ["17"]


@pytest.mark.usefixtures("done")
def test_every_card_that_changed_has_two_pictures_that_differ() -> None:
    for name, told in Page().cards.items():
        assert len(told.pictures) == (1 if told.fate == "pruned" else 2), name
        assert len(set(told.pictures)) == len(told.pictures)
        assert {picture(each).size for each in told.pictures} == {(480, 672)}


def test_the_page_stands_alone_and_its_links_lead_somewhere() -> None:
    Path("cards/harbour").rename("cards/my #1 harbour")
    rebuilt()
    page = Page()
    assert page.outside == []
    assert len(set(page.ids)) == len(page.ids)
    assert not any(re.search(r"\s", each) for each in page.ids)
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert inner <= set(page.ids)
    assert "my%20%231%20harbour/kite" in inner
    outer = {unquote(link) for link in page.links if not link.startswith("#")}
    assert outer == {"my #1 harbour/changed.pdf"}
    assert all((Path("out") / link).is_file() for link in outer)
    assert ">my #1 harbour/changed.pdf</a>" in page.text


def test_what_cards_say_is_escaped() -> None:
    a_set(Path("cards/harbour"), CARDS.replace("Kite", "<img src=x>"))
    rebuilt()
    assert "<img src=x>" not in Page().text
    assert "Night &amp; Owl" in Page().text


def test_the_page_lies_where_it_is_asked_for_and_finds_the_sheet() -> None:
    rebuilt("--report", "told/here.html", "--out", "made")
    page = Page(Path("told/here.html"))
    assert "../made/harbour/changed.pdf" in page.links


def test_the_same_sets_give_the_same_bytes(finished: Path, tmp_path: Path) -> None:
    rebuilt()
    assert tree(tmp_path) == {name: digest for name, digest in tree(finished).items() if name != "said"}


def test_levels_follow_the_rules_if_that_is_asked_for() -> None:
    assert "1 refurbished, 2 re-levelled, 2 unchanged\n" in rebuilt("--relevel")
    assert Page().cards["harbour/courier"].fate == "relevelled"
    assert "edition: 17" not in Path("cards/harbour/cards.yaml").read_text()


def test_a_set_of_the_8th_edition_goes_to_the_10th() -> None:
    old = """
        - {name: Bear, kind: creature, offense: 2, defense: 2, cost: 4, text: "Activate when you take damage. Target this card. Exhaust all targets."}
        - {name: Leech, kind: spell, cost: 1, text: Target this card. See all targets.}
    """
    write(Path("old"), {"set.yaml": "name: Old\nedition: 8\noutputs: [sheets]\n", "cards.yaml": old})
    result = kotc("upgrade", "old", "--to", "10")
    assert result.exit_code == 0, result.output
    bear, leech = Page(Path("out/rebuild-to-10.html")).cards.values()
    assert bear.marked["ins"] == ["10", "at least 5 "]
    assert (leech.fate, len(leech.pictures)) == ("banned", 1)


def test_cards_of_several_sets_are_told_of_on_one_page() -> None:
    a_set(Path("cards/other"), "{name: Star, kind: minion, level: 1, sp: 1, hp: 0}", SET.replace("Harbour", "Other"))
    a_set(Path("cards/third"), "{name: Moth, kind: spell, level: 2, text: Target 1 on-field minion; silo it.}")
    said = rebuilt()
    assert said.count("PNG") == 2  # the third has nothing to write, and is not built
    assert not Path("out/third").exists()
    cards = Page().cards
    assert {name.partition("/")[0] for name in cards} == {"harbour", "other", "third"}
    assert (cards["third/moth"].fate, len(cards["third/moth"].pictures)) == ("pruned", 1)


# --- nothing, or all ------------------------------------------------------------------------------------------------


def test_what_would_have_errors_is_not_written(tmp_path: Path) -> None:
    """What is wrong is said of the user's own files, at the places that it will have in them."""
    a_set(Path("cards/harbour"), CARDS.replace("level: auto", "level: 4"))
    before = tree(tmp_path)
    result = upgraded()
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr
        == words("""
        nothing was written: `kotc check` would find errors in the migrated cards:
          --relevel changes such numbers to what the new rules give
        cards/harbour/cards.yaml:11:10: error: the level of `kite` is 6, not 4 [V001]
          11 |   level: 4
             |          ^
          hint: the ability 6 (Draw 2 cards 6): level 6
        1 error
    """)
        + "\n"
    )
    assert tree(tmp_path) == before
    assert upgraded("--relevel").exit_code == 0


def test_a_new_wording_that_has_no_room_is_found_before_it_is_written(tmp_path: Path) -> None:
    long = eighteenth().replace("boneyard", ("boneyard " * 80).rstrip())
    Path("cards/harbour/editions/18.yaml").write_text(long, encoding="utf-8")
    before = tree(tmp_path)
    result = upgraded()
    assert result.exit_code == 1
    assert "cards/harbour/cards.yaml:7:9: error: `text` does not fit" in result.stderr
    assert tree(tmp_path) == before


@pytest.mark.parametrize("trouble", ["a card", "a number", "an edition", "a file", "the page"])
def test_a_refusal_leaves_every_byte_as_it_was(tmp_path: Path, trouble: str) -> None:
    arguments = ["--to", "18"]
    match trouble:
        case "a card":
            a_set(Path("cards/other"), "{name: Star, kind: minoin}")
        case "a number":
            arguments = ["--to", "99"]
        case "an edition":
            Path("cards/harbour/editions/18.yaml").write_text("edition: 17\n")
        case "a file":
            Path("cards/harbour/set.yaml").chmod(0o444)
        case "the page":
            arguments += ["--report", "cards/harbour/set.yaml/page.html"]
    before = times(tmp_path)
    assert kotc("upgrade", *arguments).exit_code == (3 if trouble in ("a file", "the page") else 1)
    assert times(tmp_path) == before


@pytest.mark.parametrize("report", ["cards/harbour/new.yaml", "cards/harbour/kite.png", "out/harbour/sheets.pdf", "-"])
def test_a_page_takes_the_name_of_nothing_but_a_page(tmp_path: Path, report: str) -> None:
    before = times(tmp_path)
    result = upgraded("--report", report)
    assert (result.exit_code, "it must end in `.html`" in result.output) == (2, True)
    assert times(tmp_path) == before


def test_a_dry_run_shows_the_difference_and_writes_nothing(tmp_path: Path) -> None:
    before = times(tmp_path)
    result = upgraded("--dry-run")
    assert result.exit_code == 0
    assert result.stdout == kotc("migrate", "--to", "18", "--dry-run").stdout
    assert "-        SWOOP" not in result.stdout  # it shows what stands there, without the indentation of this test
    assert "+    SWOOP: When this card in your battlefield is destroyed" in result.stdout
    assert result.stderr.endswith("2 files would be written\n")
    assert times(tmp_path) == before


def test_a_dry_run_writes_the_page_that_is_asked_for_and_nothing_else(tmp_path: Path) -> None:
    before = times(tmp_path)
    rebuilt("--dry-run", "--report", "page.html")
    assert times(tmp_path).keys() - before.keys() == {"page.html"}
    page = Page(Path("page.html"))
    assert len(page.cards["harbour/kite"].pictures) == 2
    assert all(link.startswith("#") for link in page.links)


@pytest.mark.usefixtures("done")
def test_a_second_run_says_that_there_is_nothing_to_do_and_writes_nothing(tmp_path: Path) -> None:
    before = times(tmp_path)
    said = rebuilt()
    assert said.startswith(f"Harbour: 4 unchanged, 1 pruned\n  pruned: `courier`: {REASON}\n")
    assert said.endswith("nothing to migrate; `kotc build` updates the outputs\n")
    assert times(tmp_path) == before


@pytest.mark.usefixtures("done")
def test_a_build_leaves_the_page_alone() -> None:
    before = Path("out/rebuild-to-18.html").read_bytes()
    assert kotc("build").exit_code == 0
    assert Path("out/rebuild-to-18.html").read_bytes() == before


def test_two_at_once_are_one_and_one_that_says_so() -> None:
    from render.build.session import lock_folder

    with lock_folder(Path("out")):
        result = upgraded()
    assert (result.exit_code, "has been building there since" in result.output) == (3, True)


# --- stopped on the way ---------------------------------------------------------------------------------------------

SMALL = """
    - {name: Owl, kind: spell, level: auto, ultra_points: auto, art: a.png,
       text: Target 1 card in your grave; bounce it.}
    - {name: Courier, kind: spell, level: 2, text: Target 1 card on top of any deck; silo it.}
"""


@pytest.fixture
def begun(here: Path) -> Path:
    """The folder with a smaller set, built for the 17th Edition, and a deck of it, to be taken back to."""
    a_set(Path("cards/harbour"), SMALL)
    write(Path("cards/decks"), {"shelf.yaml": DECK})
    write(Path("editions"), {"18.yaml": eighteenth()})
    Image.new("RGB", (700, 430), "red").save("cards/harbour/a.png")
    assert kotc("build").exit_code == 0
    shutil.copytree("cards", "start/cards")
    shutil.copytree("out", "start/out")
    return here


def go_back() -> None:
    for name in ("cards", "out"):
        shutil.rmtree(name)
        shutil.copytree(f"start/{name}", name)


def cards() -> dict[str, str]:
    """Return the digests of the card files."""
    return tree(Path("cards"))


def end() -> dict[str, str]:
    """Return the digest of every card file, output and page, and of whatever else lies there."""
    return {f"{name}/{file}": digest for name in ("cards", "out") for file, digest in tree(Path(name)).items()}


@pytest.mark.usefixtures("begun")
def test_the_same_command_completes_a_failed_write() -> None:
    rebuilt()
    right, failed, went_on = end(), 0, 0
    for at in range(3, 1000, 7):
        go_back()
        before = cards()
        with pytest.MonkeyPatch.context() as patch:
            failing = Failing(patch, at)
            result = upgraded()
        assert result.exit_code in (0, 3), result.output
        check_truth(Path("out/harbour"))
        if "files written" not in result.output:
            assert cards() == before
        elif result.exit_code:
            assert "run the same command to resume" in result.output
        failed += result.exit_code != 0
        went_on += "resuming the run that was stopped" in rebuilt()
        assert end() == right, at
        if failing.calls < at:
            break
    assert failing.calls < at
    assert 0 < went_on < failed


def killed_at(call: int) -> bool:
    """Run the command in a process that is gone at its n-th call; return whether it was, or nothing was left to do."""
    child = os.fork()
    if child == 0:
        try:
            with pytest.MonkeyPatch.context() as patch:
                Failing(patch, call, lambda: os._exit(9))
                upgraded()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.usefixtures("begun")
def test_whenever_it_is_killed_the_same_command_ends_as_if_nothing_had_been() -> None:
    """At every call while the cards are written, and at some of those before and after."""
    assert not killed_at(1000)
    right, half = end(), 0
    for at in [5, *range(8, 15), *range(20, 1000, 120)]:
        go_back()
        was_killed = killed_at(at)
        half += "18" in Path("cards/harbour/set.yaml").read_text()
        half -= "boneyard" in Path("cards/harbour/cards.yaml").read_text()
        rebuilt()
        assert end() == right, at
        if not was_killed:
            break
    assert not was_killed
    assert half < 0  # some cards were written when their set was not


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.usefixtures("begun")
def test_it_may_be_killed_at_any_moment() -> None:
    start = time.monotonic()
    assert ended(forked("upgrade", "--to", "18")) == 0
    lasts, right, moments = time.monotonic() - start, end(), random.Random(18)
    for _ in range(2):
        go_back()
        for _ in range(2):
            killed = forked("upgrade", "--to", "18")
            time.sleep(moments.uniform(0.0, 1.0) * lasts)
            os.kill(killed, signal.SIGKILL)
            ended(killed)
        rebuilt()
        assert end() == right


FULL = OSError(28, "No space left on device", "sheets.pdf")


def stopped_after_the_cards(monkeypatch: pytest.MonkeyPatch, stop: BaseException = FULL) -> Result:
    def fail(*_: object) -> None:
        raise stop

    with monkeypatch.context() as patch:
        patch.setattr("render.build.run.print_files", fail)
        return upgraded()


@pytest.mark.parametrize(
    ("stop", "code", "said"),
    [
        (FULL, 3, "error: cannot use `sheets.pdf`: no space left on device [E001]"),
        (KeyboardInterrupt(), 130, "stopped after 5 of 5 PNGs; run the command again to continue"),
    ],
)
def test_it_is_said_how_to_go_on(monkeypatch: pytest.MonkeyPatch, stop: BaseException, code: int, said: str) -> None:
    result = stopped_after_the_cards(monkeypatch, stop)
    assert result.exit_code == code
    last = ["the cards are migrated, but the build did not finish; run the same command to resume", said]
    assert result.stderr.splitlines()[-2:] == last
    assert rebuilt().splitlines()[3:5] == ["resuming the run that was stopped", "nothing to write"]


def test_old_pictures_are_those_of_before_whatever_was_changed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    def start() -> None:
        shutil.rmtree("out", ignore_errors=True)
        a_set(Path("cards/harbour"), CARDS.replace("sp: 1, hp: 0", "sp: 1, hp: 0, art: a.png"))
        Image.new("RGB", (700, 430), "red").save("cards/harbour/a.png")

    start()
    rebuilt()
    before = Page().cards
    start()
    stopped_after_the_cards(monkeypatch)
    Image.new("RGB", (700, 430), "blue").save("cards/harbour/a.png")
    file = Path("cards/harbour/cards.yaml")
    file.write_text(
        file.read_text().replace("bounce it.", "bounce it. (Hoot.)").replace("level: 1, sp: 1", "level: 3, sp: 3")
    )
    rebuilt()
    now = Page().cards
    assert [now[name].pictures[0] for name in now] == [before[name].pictures[0] for name in now]
    assert now["harbour/boat"].pictures[1] != before["harbour/boat"].pictures[1]
    assert now["harbour/boat"].fate == "relevelled"
    assert now["harbour/night-owl"].marked["ins"] == ["18", "boneyard", " (Hoot.)"]


def test_what_was_kept_of_a_run_that_wrote_nothing_is_forgotten(tmp_path: Path) -> None:
    rebuilt("--relevel")
    right = tree(tmp_path)
    shutil.rmtree("out")
    a_set(Path("cards/harbour"))
    texts = {name: (Path("cards/harbour") / name).read_text() for name in ("set.yaml", "cards.yaml")}
    stale = {name: text.replace("Boat", "Ship") for name, text in texts.items()}
    kept = {"harbour": transition.Before(stale, {}, {"boat": "data:,"}, Manifest())}
    transition.write_kept(Path("out"), transition.Kept(kept))
    assert "going on" not in rebuilt("--relevel")
    assert tree(tmp_path) == right


def test_who_goes_to_an_older_edition_meanwhile_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped_after_the_cards(monkeypatch)
    result = kotc("upgrade", "--to", "17")
    assert (result.exit_code, "nothing to migrate" in result.output) == (0, True)
    assert "resuming the run that was stopped" in rebuilt()


def test_what_is_kept_of_other_sets_stays_until_it_is_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    a_set(Path("cards/other"), "{name: Star, kind: minion, level: 1, sp: 1, hp: 0}", SET.replace("Harbour", "Other"))
    stopped_after_the_cards(monkeypatch)
    rebuilt("cards/other")
    assert list(transition.read_kept(Path("out")).sets) == ["harbour"]
    assert "resuming the run that was stopped" in rebuilt()
    assert not (Path("out") / transition.KEPT).exists()


def test_a_file_of_what_is_kept_that_makes_no_sense_is_none() -> None:
    write(Path("out"), {transition.KEPT: '{"format": 1, "sets": []}'})
    assert transition.read_kept(Path("out")) == transition.Kept()
    rebuilt()
    assert not (Path("out") / transition.KEPT).exists()

"""`kotc compare` tells each change between two branches of a repository, and no other one."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.support.browser import Scheme, browser, opened, violations
from tests.support.changed_cards import BACK, BOX, DOT, WORD, change, templates
from tests.support.repository import ROOT
from tests.support.schema_verdicts import as_editors_read
from tests.support.sets import kotc, write_set

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

SET = "name: Norse\nedition: 17\nlanguages: [en, de]\nignore: W042\n"
CARDS = """
- {id: nail, name: Naglfar, kind: minion, level: 1, sp: 1, hp: 0}
- {name: Fenrir, kind: minion, level: 2, sp: 2, hp: 0}
- {name: Tyr, kind: spell, level: 2, text: Draw 1 card., flavor: He gave his right hand for it.}
- {name: Baldr, kind: minion, level: 1, sp: 1, hp: 0, art: baldr.png}
- {name: Hel, kind: pawn}
- {name: Idun, kind: spell, level: 2, text: Draw 1 card., words: {de: {flavor: Apfel}}}
- {name: Loki, kind: spell, level: 2, text: Draw 1 card., flavor: Nobody trusts him.}
- {name: Ymir, kind: spell, level: 2, text: Draw 1 card., flavor: The first of all giants.}
- {name: Bragi, kind: spell, level: 3, text: Draw 1 card.}
- {name: Same, kind: spell, level: 2, text: Draw 1 card., flavor: It stays as it is.}
"""
OLD = "- {name: Surtr, kind: spell, level: 2, text: Draw 1 card.}\n- {name: Muspel, kind: spell, level: 2, text: Draw 1 card., edition: 17}\n"
NEW = "- {name: Sif, kind: spell, level: 2, text: Draw 1 card., flavor: Her hair is gold.}\n"
WORDS = '<text x="5" y="60" font-size="3">{{ card.flavor }}</text><text x="5" y="80" font-size="3">{{ card.edition_indicator }}</text>'
TABLE = "name,kind,level,text\nRan,spell,2,Draw 1 card.\nAegir,spell,2,Draw 1 card.\n"
DECK = "name: Doom\nsets: [../norse]\ncards: {Same: 2, Tyr: 1}\n"


def git(*arguments: str, at: Path = Path()) -> str:
    return subprocess.run(["git", *arguments], cwd=at, check=True, capture_output=True, text=True).stdout


def commit(message: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", message)


def art(folder: Path, color: str) -> None:
    Image.new("RGB", (400, 300), color).save(folder / "baldr.png")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository with the branches `main`, and `topic` with 13 changes; `topic` is checked out."""
    home = tmp_path_factory.mktemp("repository")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"NAME": "A", "EMAIL": "a@example.org"}.items():
            patch.setenv(f"GIT_AUTHOR_{name}", value)
            patch.setenv(f"GIT_COMMITTER_{name}", value)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.chdir(home)
        git("init", "-q", "-b", "main", "--template=")
        folder = write_set(home / "cards/norse", CARDS, SET)
        picture = '<image href="{{ card.art.href }}" x="5" y="25" width="50" height="30"/>'
        minion = f"{WORD}{{% if card.art %}}{picture}{{% endif %}}"
        templates(folder, minion=minion, spell=WORD + WORDS, pawn=WORD + BOX, back=BACK)
        (folder / "more.csv").write_text(TABLE, encoding="utf-8")
        art(folder, "red")
        templates(write_set(home / "cards/elder", OLD, "name: Elder\nedition: 17\n"), spell=WORD + WORDS, back=BACK)
        (home / "cards/decks").mkdir()
        (home / "cards/decks/doom.yaml").write_text(DECK, encoding="utf-8")
        commit("before")
        git("checkout", "-q", "-b", "topic")
        change(
            folder,
            ("name: Naglfar", "name: Nagelfar"),
            ("level: 2, sp: 2", "level: 3, sp: 3"),
            ("his right hand", "his whole left hand"),
            ("Apfel", "Äpfel"),
            ("name: Loki", "name: Loge"),
            ("- {name: Ymir, kind: spell, level: 2, text: Draw 1 card., flavor: The first of all giants.}\n", NEW),
            ("{name: Bragi, kind: spell, level: 3", "{name: Bragi, kind: spell, level: 2"),
        )
        templates(folder, pawn=WORD + BOX + DOT.replace("0.3", "3"))
        art(folder, "blue")
        change(home / "cards/elder", ("edition: 17", "edition: 16"), name="set.yaml")
        change(folder, ("Aegir,spell,2", "Aegir,spell,5"), name="more.csv")
        (home / "cards/decks/doom.yaml").write_text(DECK.replace("Same: 2", "Same: 3"), encoding="utf-8")
        commit("after")
        yield home


@pytest.fixture
def here(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(repository)
    return repository


def compared(*words: object) -> dict[str, Any]:
    result = kotc("compare", *words, "--format", "json", "-q")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


# --- two branches -----------------------------------------------------------------------------------------------------

TOLD = {
    "surtr": "only another Edition Indicator: edition 17 → 16",
    "nail": "changed: name Naglfar → Nagelfar",
    "fenrir": (
        "changed: sp 2 → 3; level 2 → 3; level: SP 2 + 1/2 of HP 0 = 2: level 2 → SP 3 + 1/2 of HP 0 = 3: level 3"
    ),
    "tyr": "changed: flavor: He gave his [-right-]{+whole left+} hand for it.",
    "baldr": "changed: another picture in `baldr.png`",
    "hel": "changed: `templates/pawn.svg` changed",
    "bragi": "changed: level 3 → 2",
    "aegir": "changed: level 2 → 5",
    "loge": "renamed: it was loki; name Loki → Loge",
    "sif": "new",
    "ymir": "removed",
    "idun": "changed: flavor Apfel → Äpfel",
}
DECKS = ["Doom (cards/decks/doom.yaml) changed: Same 2 → 3; changed cards: Tyr"]
NEW_ERROR = "cards/norse/more.csv, cell C3: error: the level of `aegir` is 2, not 5 (V001)"
MENDED = "cards/norse/cards.yaml:10:37: error: the level of `bragi` is 2, not 3 (V001)"
ALL = (
    "main → topic: 8 cards changed, 1 renamed, 1 new, 1 removed, 1 with only another Edition Indicator,"
    " 1 deck touched, 1 finding new, 1 finding mended"
)


def cards_in(lines: list[str], opening: str, closing: str) -> dict[str, str]:
    """Return what is told of each card, by its id."""
    found = (line.partition(f" ({opening}") for line in lines if f"{closing}) " in line)
    parts = ((rest.partition(f"{closing}) ")) for _, _, rest in found)
    return {name: told for name, _, told in parts if "/" not in name}


@pytest.mark.usefixtures("here")
def test_each_change_is_told_in_words_and_no_other_one() -> None:
    result = kotc("compare", "main..topic")
    lines = result.stdout.splitlines()
    assert cards_in(lines, "", "") == TOLD
    titles = [lines.index(title) for title in ("Decks", "New findings", "Mended findings")]
    deck, new, mended = (lines[at + 1 : end] for at, end in zip(titles, (*titles[1:], -1), strict=True))
    assert [line.strip() for line in deck] == DECKS
    assert [line.strip() for line in new] == [NEW_ERROR]
    assert [line.strip() for line in mended] == [MENDED]
    assert lines[-1] == ALL
    assert result.exit_code == 1  # of the error that is new


@pytest.mark.usefixtures("here")
def test_markdown_tells_the_same() -> None:
    told = kotc("compare", "main..topic", "--format", "markdown").stdout
    found = cards_in(told.splitlines(), "`", "`")
    assert found.keys() == TOLD.keys()
    assert found["tyr"] == "changed: flavor: He gave his <del>right</del><ins>whole left</ins> hand for it."
    assert found["loge"] == "renamed: it was `loki`; name Loki → Loge"
    assert f"\n- {NEW_ERROR}\n" in told
    assert f"\n- {MENDED}\n" in told
    assert told.startswith(f"### main → topic\n\n**{ALL.removeprefix('main → topic: ')}**\n")


@pytest.mark.usefixtures("here")
def test_json_has_the_same_cards() -> None:
    found = compared("main..topic")
    assert {card["id"] for each in found["sets"] for card in each["cards"]} == TOLD.keys()
    assert (found["base"], found["head"], found["changed"]) == ("main", "topic", True)


@pytest.mark.usefixtures("here")
def test_the_other_way_round_what_is_new_is_removed() -> None:
    fates = {card["id"]: card["fate"] for each in compared("topic..main")["sets"] for card in each["cards"]}
    assert (fates["sif"], fates["ymir"], fates["loki"]) == ("removed", "new", "renamed")


@pytest.mark.usefixtures("here")
def test_only_what_a_player_notices_is_asked_for() -> None:
    found = compared("main..topic", "--noticed-only")
    assert {card["id"] for each in found["sets"] for card in each["cards"]} == TOLD.keys() - {"surtr"}
    assert kotc("compare", "main..topic", "cards/elder", "--noticed-only", "--exit-code").exit_code == 0


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(repository)
        kotc("compare", "main..topic", "--out", repository.parent / "page.html")
    return (repository.parent / "page.html").as_uri()


def test_the_page_shows_each_card_before_and_after(browser: Browser, page: str) -> None:
    with opened(browser, page) as shown:
        names = [each.inner_text().split()[-1] for each in shown.locator("article h4").all()]
        assert {each.removesuffix(",") for each in shown.locator("article h4 small").all_inner_texts()} == {
            "loge, it was loki" if name == "loge" else name for name in TOLD
        }, names
        two = shown.locator("article", has_text="Tyr")
        assert [each.get_attribute("alt") for each in two.locator("img").all()] == ["Tyr, before", "Tyr, after"]
        assert (two.locator("del").inner_text(), two.locator("ins").inner_text()) == ("right", "whole left")
        assert shown.locator("article", has_text="Sif").locator("img").count() == 1
        loaded = "[...document.images].every(each => each.complete && each.naturalWidth)"
        assert shown.evaluate(loaded)
        sources = shown.evaluate("performance.getEntriesByType('resource').map(each => each.name.slice(0, 5))")
        assert set(sources) <= {"data:"}


def test_the_slider_is_moved_by_keys_and_the_veil_leaves_what_differs(browser: Browser, page: str) -> None:
    with opened(browser, page) as shown:
        shown.get_by_label("side by side").focus()
        shown.keyboard.press("ArrowRight")
        card = shown.locator("article", has_text="Hel")
        card.get_by_role("slider").focus()
        shown.keyboard.press("Home")
        assert card.locator(".pair").evaluate("pair => pair.style.getPropertyValue('--at')") == "0%"
        shown.get_by_label("differences").check()
        shown.wait_for_selector("article canvas")
        clear = """canvas => {
            const {width, height} = canvas, data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
            return data.filter((value, at) => at % 4 == 3 && !value).length / (width * height);
        }"""
        share = card.locator("canvas").evaluate(clear)
        assert share == pytest.approx(3 * 3 / (63.5 * 88.9), rel=0.3)  # the new square of 3 mm


@pytest.mark.parametrize("view", ["", "slider", "veil"])
@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1300, "dark")])
def test_the_page_fits_a_phone_and_has_no_barrier(
    browser: Browser, page: str, view: str, width: int, scheme: Scheme
) -> None:
    with opened(browser, page, width=width, scheme=scheme) as shown:
        shown.locator(f"[name=view][value='{view}']").check()
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(shown) == []


def test_without_script_both_pictures_are_there(browser: Browser, page: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(page)
    boxes = [each.bounding_box() for each in shown.locator("article", has_text="Tyr").locator("img").all()]
    assert len(boxes) == 2
    assert all(box and box["width"] > 100 for box in boxes)
    assert boxes[0] != boxes[1]
    assert shown.locator(".tools").filter(visible=True).count() == 0
    context.close()


# --- what is compared -------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(repository, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


def ids(found: dict[str, Any]) -> list[str]:
    return [card["id"] for each in found["sets"] for card in each["cards"]]


def test_a_revision_is_compared_with_the_files_as_they_are(copy: Path) -> None:
    assert (
        kotc("compare", "HEAD..", "--exit-code", "cards/elder").stdout == "HEAD → the working tree: nothing changed\n"
    )
    change(copy / "cards/norse", ("text: Draw 1 card., flavor: It stays", "text: Draw 2 cards., flavor: It stays"))
    for words in (["HEAD.."], ["topic"], ["HEAD..", "cards/norse"]):
        assert ids(compared(*words)) == ["same", "same"]  # in both languages
    assert compared("HEAD..")["decks"][0]["touched"] == ["Same"]
    result = kotc("compare", "HEAD..", "--exit-code", "cards/elder")
    assert (result.exit_code, kotc("compare", "main..", "--exit-code", "cards/elder").exit_code) == (0, 1)
    assert kotc("compare", "main..", "cards/elder").exit_code == 0


def test_three_dots_begin_where_the_branches_parted(copy: Path) -> None:
    git("checkout", "-q", "main")
    change(copy / "cards/norse", ("It stays as it is", "It changed on main"))
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qam", "more")
    assert "same" in ids(compared("main..topic"))
    found = compared("main...topic")
    assert sorted(ids(found)) == sorted(TOLD)
    assert found["base"] == "where main and topic parted"


def test_two_folders_are_compared(copy: Path) -> None:
    shutil.copytree("cards/norse", copy.parent / "old")
    change(copy / "cards/norse", ("Her hair is gold", "Her hair is of gold"))
    assert ids(compared("../old", "cards/norse")) == ["sif"]


def test_a_build_is_remembered_with_its_pictures(copy: Path) -> None:
    shutil.rmtree("cards/norse")
    folder = write_set(copy / "cards/norse", CARDS, "name: Norse\nedition: 17\noutputs: {png: {dpi: 72}}\n")
    templates(folder, minion=WORD, spell=WORD + WORDS, pawn=WORD, back=BACK)
    art(folder, "red")
    assert kotc("build", folder).exit_code == 0
    change(folder, ("his right hand", "his left hand"), ("level: 3, text", "level: 2, text"))
    for words in (["out", "cards/norse"], ["out/norse", "cards/norse"], ["out/norse/.kotc.json", "cards/norse"]):
        found = compared(*words)
        assert {card["id"]: card["reasons"] for each in found["sets"] for card in each["cards"]} == {
            "tyr": ["`flavor` changed"],
            "bragi": ["`level` changed"],
        }
        assert [each["code"] for each in found["findings"]["mended"]] == ["V001"]
    kotc("compare", "out", folder, "--out", "page.html")
    assert Path("page.html").read_text(encoding="utf-8").count("data:image/png;base64,") == 2


def test_a_card_with_an_error_is_neither_gone_nor_new(copy: Path) -> None:
    change(copy / "cards/norse", ("name: Fenrir, kind: minion", "name: Fenrir, kind: minion, art: none.png"))
    result = kotc("compare", "HEAD..", "cards/norse")
    assert result.exit_code == 1
    assert cards_in(result.stdout.splitlines(), "", "") == {
        "fenrir": "changed: art {+none.png+}; it has an error and cannot be drawn"
    }


def test_a_picture_that_one_variant_has_is_seen(tmp_path: Path) -> None:
    for time, color in (("before", "navy"), ("after", "teal")):
        cards = "- {name: Hel, kind: spell, level: 2, text: Draw 1 card., variants: {foil: {art: baldr.png}}}\n"
        folder = write_set(tmp_path / time, cards, "name: Norse\nedition: 17\nvariants: {foil: {}}\n")
        art(folder, color)
    result = kotc("compare", tmp_path / "before", tmp_path / "after", "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert [(each["language"], each["variant"]) for each in found["sets"]] == [("", "foil")]
    assert ids(found) == ["hel"]


def test_a_language_or_variant_that_is_new_or_gone_is_named_once(tmp_path: Path) -> None:
    few, many = "languages: [en]\n", "languages: [en, de]\nvariants: {foil: {}, matt: {}}\n"
    for time, versions in (("few", few), ("many", many)):
        write_set(
            tmp_path / time / "norse",
            "- {name: Hel, kind: spell, level: 2, text: Draw 1 card.}\n",
            f"name: Norse\nedition: 17\nignore: W042\n{versions}",
        )
    for old, new, fate in (("few", "many", "new"), ("many", "few", "removed")):
        out = tmp_path / "page.html"
        result = kotc("compare", tmp_path / old, tmp_path / new, "--out", out, "-q")
        numbers = f"1 language {fate}, 2 variants {fate}"
        assert result.stdout.splitlines() == [
            *(f"Norse (norse, {each}, {fate})" for each in ("de", "foil", "matt")),
            f"{tmp_path / old} → {tmp_path / new}: {numbers}",
        ]
        found = compared(tmp_path / old, tmp_path / new)
        assert [(each["language"], each["variant"], each["fate"], each["cards"]) for each in found["sets"]] == [
            ("de", "", fate, []),
            ("", "foil", fate, []),
            ("", "matt", fate, []),
        ]
        told = kotc("compare", tmp_path / old, tmp_path / new, "--format", "markdown").stdout
        assert f"**{numbers}**\n\n#### Norse (norse, de, {fate})\n" in told
        html = out.read_text(encoding="utf-8")
        assert [f"Norse <small>norse, {each}, {fate}</small>" in html for each in ("de", "foil", "matt")] == [True] * 3


def test_a_back_that_cards_share_is_shown_once(copy: Path) -> None:
    templates(copy / "cards/norse", back=BACK + DOT.replace("0.3", "3"))
    change(copy / "cards/norse", ("It stays as it is", "It changes"))
    cards = [card for each in compared("HEAD..", "cards/norse")["sets"] for card in each["cards"]]
    own = [(card["id"], card["reasons"], len(card["alike"])) for card in cards]
    assert own == [
        ("same", ["`templates/back.svg` changed"], 0),
        ("nail", ["`templates/back.svg` changed"], 10),
    ]


def test_rules_are_those_of_each_revision(copy: Path) -> None:
    """An edition in the folder of the user belongs to the revision as the cards do."""
    assert kotc("edition", "new", 18).exit_code == 0
    change(copy / "cards/elder", ("edition: 16", "edition: 18"), name="set.yaml")
    git("add", "-A")
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "rules")
    found = compared("HEAD~1..HEAD", "cards/elder")
    assert found["findings"]["new"] == []
    shutil.rmtree("editions")
    assert [each["code"] for each in compared("HEAD..", "cards/elder")["findings"]["new"]] != []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere..topic"], "`nowhere` does not exist as a file or folder, and no such revision in the repository of"),
        (["nowhere"], "`nowhere` does not exist as a file or folder"),
        (["../nowhere"], "there is no `../nowhere`"),
        (["cards", "cards/norse", "cards/elder"], "`cards` is a folder of sets: give the one folder"),
        (["cards/decks"], "there is neither a set nor the memory of a build"),
        (["--upload-pack=x..topic"], "there is no option `--upload-pack`"),
        (["main..", "--out", "page.png"], "it must end in `.html`"),
    ],
)
def test_what_cannot_be_compared_is_wrong_usage(here: Path, words: list[str], said: str) -> None:
    result = kotc("compare", *words)
    assert result.exit_code == 2, here
    assert said in result.output


def test_without_git_a_message_says_so(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(here / "nowhere"))
    result = kotc("compare", "main..")
    assert (result.exit_code, "cannot use `git`: it is not installed" in result.output) == (3, True)


# --- repositories of strangers ----------------------------------------------------------------------------------------


def test_nothing_of_a_hostile_repository_is_run_or_followed(copy: Path) -> None:
    secret = copy.parent / "secret.yaml"
    secret.write_text("- {name: Secret, kind: pawn}\n", encoding="utf-8")
    (copy / "cards/norse/link.yaml").symlink_to(secret)
    (copy / "cards/norse/hel.svg").symlink_to("/etc/passwd")
    (copy / ".gitattributes").write_text("* filter=evil diff=evil export-subst\n")
    (copy / ".gitmodules").write_text('[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ran\n')
    git("add", "-A")
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "hostile")
    ran = f"touch {copy.parent / 'ran'}; cat"
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "diff.external", "core.fsmonitor"):
        git("config", key, ran)
    git("config", "core.hooksPath", "hooks")
    (copy / "hooks").mkdir()
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        (copy / "hooks" / hook).write_text(f"#!/bin/sh\n{ran}\n", encoding="utf-8")
        (copy / "hooks" / hook).chmod(0o755)
    result = kotc("compare", "main..HEAD", "--format", "markdown", "--out", "page.html")
    assert not (copy.parent / "ran").exists()
    assert "Secret" not in result.output + Path("page.html").read_text(encoding="utf-8")
    assert "`cards/norse/link.yaml` is a link that leads out of the repository" in result.output.replace("\\", "")


def test_words_of_strangers_are_no_markup(copy: Path) -> None:
    evil = "<script>alert(1)</script> ![x](https://e.example/x.png) @octocat #1 **b** `c` | www.e.example"
    change(copy / "cards/norse", ("Her hair is gold.", f"'{evil}'"))
    told = kotc("compare", "HEAD..", "--format", "markdown").stdout
    line = next(line for line in told.splitlines() if line.startswith("- Sif"))
    assert "<script" not in line
    for markup in ("![x](", "https://", "@octocat", "#1", " **b**", " `c`", " | ", "www.e"):
        assert markup not in line
    kotc("compare", "HEAD..", "--out", "page.html")
    assert "<script>alert" not in Path("page.html").read_text(encoding="utf-8")


# --- on GitHub, and before a commit -----------------------------------------------------------------------------------

ACTION: Any = as_editors_read((ROOT / ".github/actions/compare/action.yml").read_text(encoding="utf-8"))
PAGE = (ROOT / "cards/changes.md").read_text(encoding="utf-8")


def run_step(copy: Path, **inputs: str) -> tuple[int, str]:
    """Run the script of the action that compares, as a runner does; return its status and the summary."""
    (step,) = (each for each in ACTION["runs"]["steps"] if each.get("id") == "compare")
    place = copy.parent / "runner"
    (place / "kotc/bin").mkdir(parents=True, exist_ok=True)
    if not (place / "kotc/bin/kotc").exists():
        (place / "kotc/bin/kotc").symlink_to(Path(sys.executable).with_name("kotc"))
    names = {re.sub(r"[^a-z-]|inputs", "", value): name for name, value in step["env"].items() if "{{" in value}
    variables = {names[key.replace("_", "-")]: value for key, value in inputs.items()}
    files = {"RUNNER_TEMP": place, "GITHUB_OUTPUT": place / "output", "GITHUB_STEP_SUMMARY": place / "summary"}
    environment = {**os.environ, **{name: str(path) for name, path in files.items()}, **variables}
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]  # as GitHub runs it
    status = subprocess.run(words, env=environment, cwd=copy, check=False).returncode
    return status, (place / "summary").read_text(encoding="utf-8")


def test_the_action_tells_what_a_pull_request_changes(copy: Path) -> None:
    status, told = run_step(copy, sets="cards", base="main", head="topic", fail_on_change="false")
    assert status == 1  # of the error
    assert told.startswith("### where main and topic parted → topic\n")
    assert cards_in(told.splitlines(), "`", "`").keys() == TOLD.keys()
    assert "Surtr" in (copy.parent / "runner/changes.html").read_text(encoding="utf-8")
    assert (copy.parent / "runner/output").read_text(encoding="utf-8") == f"page={copy.parent}/runner/changes.html\n"
    elder = {"sets": "cards/elder", "base": "main", "head": "topic"}
    assert run_step(copy, **elder, fail_on_change="false")[0] == 0
    assert run_step(copy, **elder, fail_on_change="true")[0] == 1


@pytest.mark.parametrize("key", ["sets", "base", "head"])
def test_no_input_of_the_action_is_run(copy: Path, key: str) -> None:
    inputs = {"sets": "cards", "base": "main", "head": "topic", "fail_on_change": "false"}
    run_step(copy, **(inputs | {key: f"x; touch {copy.parent}/ran $(touch {copy.parent}/ran)"}))
    assert not (copy.parent / "ran").exists()


def test_the_action_needs_no_secret_and_is_safe_for_forks() -> None:
    text = (ROOT / ".github/actions/compare/action.yml").read_text(encoding="utf-8")
    assert not re.findall(r"secrets\.|github\.token|GITHUB_TOKEN|pull_request_target", text)
    assert not [each for each in ACTION["runs"]["steps"] if "${{" in each.get("run", "")]
    (workflow,) = (body for body in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "jobs:" in body)
    read: Any = as_editors_read(workflow)
    assert "\non: pull_request\n" in workflow
    assert read["permissions"] == {"contents": "read"}
    checkout, compare = read["jobs"]["compare"]["steps"]
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
    assert compare["uses"].split("/", 2)[2] == ".github/actions/compare@main"
    assert set(compare["with"]) <= set(ACTION["inputs"])


def test_the_hook_shows_what_a_commit_changes(copy: Path) -> None:
    hooks: Any = as_editors_read((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = (each for each in hooks if each["id"] == "kotc-compare")
    program, *words = shlex.split(hook["entry"])
    change(copy / "cards/elder", ("name: Surtr", "name: Surt"))
    git("add", "-A")
    result = kotc(*words, "cards/elder")
    assert (program, hook["pass_filenames"], hook["language"]) == ("kotc", False, "python")
    assert (result.exit_code, ids(json.loads(kotc(*words, "cards/elder", "--format", "json").stdout))) == (0, ["surt"])
    assert all(re.search(hook["files"], file) for file in ("cards/a/set.yaml", "more.csv", "art/IMG.JPG", "minion.svg"))
    assert f"- id: {hook['id']}\n" in PAGE

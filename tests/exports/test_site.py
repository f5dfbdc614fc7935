"""The site of sets as its visitors have it: found by a search, read by aids, opened from a folder, on a phone, on paper.

Searches are answered as plain conditions on the JSON files of the cards say.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import unicodedata
from collections.abc import Callable
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.games.declared.lanterns import FILES, GAME, write_files
from tests.games.declared.two_faces import write_two_faces
from tests.support.browser import Scheme, browser, opened, violations
from tests.support.changed_cards import change
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.templates import svg, with_plain_back

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]

Card = dict[str, Any]

SET = "name: Burg\nedition: 17\ncredit: Card design by Ada, CC0.\nlanguages: [en, de]\nwords: {de: {credit: 'Entwurf von Ada, CC0.'}}\n"
CARDS = """
- {name: Rook, kind: minion, level: auto, sp: 1, hp: 1, text: "PERCH: Draw 2 cards.", art: rook.jpg, words: {de: {name: Krähe}}}
- {name: Ox & <Cow>, kind: minion, level: 4, sp: 2, hp: 4, copies: 2, words: {de: {name: Ochse}}}
- {name: Bolt, kind: spell, level: 2, text: Draw 1 card., words: {de: {name: Blitz}}}
- {name: Secret, kind: spell, level: 2, draft: true, text: Draw 1 card.}
"""


def written(*arguments: object) -> Path:
    """Run the command with small pictures, and return the folder of the site."""
    folder = Path(str(arguments[-1]))
    result = kotc("site", *arguments[:-1], "--out", folder, "--dpi", 72, "--workers", 1)
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the example sets that are in one language, and of the decks."""
    sets = (ROOT / "cards" / name for name in ("eleventh", "fivewinds", "starter", "windfall"))
    return written(*sets, ROOT / "cards/decks", tmp_path_factory.mktemp("examples") / "site")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set in two languages, with a picture that says where it was taken."""
    home = tmp_path_factory.mktemp("home")
    folder = with_plain_back(write_set(home / "burg", CARDS, SET))
    exif = Image.Exif()
    exif[0x010F] = "Camera of Ada"
    Image.radial_gradient("L").convert("RGB").resize((600, 370)).save(folder / "rook.jpg", exif=exif)
    return home


@pytest.fixture(scope="module")
def burg(home: Path) -> Path:
    return written(home / "burg", "--url", "https://example.org/burg", home / "site")


@pytest.fixture(scope="module")
def cards(examples: Path) -> dict[str, Card]:
    """What the JSON files of the example sets say, by the ids of the cards' places in a list."""
    files = sorted((examples / "cards").rglob("*.json"))
    return {f"{file.parent.name}-{file.stem}": json.loads(file.read_text(encoding="utf-8")) for file in files}


def listed(page: Page) -> list[str]:
    ids: list[str] = page.locator(".found .cards > li").evaluate_all("items => items.map(item => item.id)")
    return ids


def search(page: Page, query: str) -> list[str]:
    page.get_by_role("searchbox").fill(query)
    return listed(page)


# --- the search ---


def low(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text).lower() if not unicodedata.combining(char))


def says(card: Card, words: str) -> bool:
    return low(words) in low("\n".join((*card["names"], card["about"], card["text"], card["id"])))


def has_number(card: Card, number: str) -> bool:
    return number in re.findall(
        r"\w+", "\n".join((*card["names"], card["about"], card["text"], card["id"])).replace("_", " ")
    )


def of(card: Card, label: str) -> float:
    """Return a number of a card; one that it does not have is like no other."""
    facts = card["facts"]
    return float(
        next(iter(facts.get(label) or facts.get({"level": "cost"}.get(label, label), [])), "nan")
    )  # up to the 11th Edition


def is_minion(card: Card) -> bool:
    return bool(card["kind"] == "minion")


RARITIES = ["common", "uncommon", "rare"]


def rarity(card: Card) -> int:
    """Return the place of its rarity, -9 for none."""
    return RARITIES.index(card["facts"]["rarity"][0]) if card["facts"].get("rarity") else -9


SEARCHES: dict[str, Callable[[Card], object]] = {
    "": lambda card: True,
    "moon": lambda card: says(card, "moon"),
    "MOON night": lambda card: says(card, "moon") and says(card, "night"),
    "krahe": lambda card: says(card, "krähe"),
    "harbour": lambda card: says(card, "harbour"),
    "2": lambda card: has_number(card, "2"),
    "draw 2": lambda card: says(card, "draw") and has_number(card, "2"),
    '"draw 2"': lambda card: says(card, "draw 2"),
    '"Draw 2 cards"': lambda card: says(card, "draw 2 cards"),
    '"2 card': lambda card: says(card, "2 card"),
    "-draw": lambda card: not says(card, "draw"),
    "- draw": lambda card: not says(card, "draw"),
    '-"draw 2"': lambda card: not says(card, "draw 2"),
    "fox or owl": lambda card: says(card, "fox") or says(card, "owl"),
    "fox OR owl or bell": lambda card: says(card, "fox") or says(card, "owl") or says(card, "bell"),
    "minion fox or spell bell": lambda card: (
        (says(card, "minion") and says(card, "fox")) or (says(card, "spell") and says(card, "bell"))
    ),
    "minion (fox or bell)": lambda card: says(card, "minion") and (says(card, "fox") or says(card, "bell")),
    "-(fox or minion)": lambda card: not (says(card, "fox") or says(card, "minion")),
    "(fox": lambda card: says(card, "fox"),
    "fox) owl": lambda card: says(card, "fox") and says(card, "owl"),
    "kind:minion": is_minion,
    "kind: minion": is_minion,
    "k:minion": is_minion,
    "Kind:MINI": is_minion,
    "kind=mini": lambda card: False,
    "kind!=minion": lambda card: not is_minion(card),
    "-kind:minion": lambda card: not is_minion(card),
    "level>=5": lambda card: of(card, "level") >= 5,
    "level 4": lambda card: of(card, "level") == 4,
    "level:4": lambda card: of(card, "level") == 4,
    "l<3": lambda card: of(card, "level") < 3,
    "level!=4": lambda card: of(card, "level") != 4,
    "kind:minion level>=5 -text:draw": lambda card: (
        is_minion(card) and of(card, "level") >= 5 and "draw" not in low(card["text"])
    ),
    "sp>=3 hp<=4": lambda card: of(card, "SP") >= 3 and of(card, "HP") <= 4,
    "ultra_points>0": lambda card: of(card, "Ultra Points") > 0,
    "rarity:common": lambda card: 0 <= rarity(card) <= 1,
    "rarity=common": lambda card: rarity(card) == 0,
    "rarity>=uncommon": lambda card: rarity(card) >= 1,
    "rarity<rare": lambda card: 0 <= rarity(card) < 2,
    'set:"lamplit coast" legal:17': lambda card: card["set"] == "The Lamplit Coast" and 17 in card["legal_in"],
    "legal=11": lambda card: 11 in card["legal_in"],
    "credit:workshop": lambda card: any("workshop" in low(line) for line in card["credits"]),
    "copies>1": lambda card: card["copies"] > 1,
    "id=harbour-fox": lambda card: card["id"] == "harbour-fox",
    'name:"pond prince"': lambda card: any("pond prince" in low(name) for name in card["names"]),
    "n:the": lambda card: any("the" in low(name) for name in card["names"]),
    "text:draw or level>6": lambda card: "draw" in low(card["text"]) or of(card, "level") > 6,
}
BEGUN: dict[str, Callable[[Card], object]] = {
    **dict.fromkeys(("-", "(", "-(", "-()", "((", "-((", '"', '-"', '""', "- -", ")"), lambda card: True),
    **dict.fromkeys(("sort:", "sort:-", 'sort:"', "-sort:-", "sort:- ", "(sort:-)"), lambda card: True),
    **dict.fromkeys(("name:", "name:-", "name: -", 'name:"', '-name:"', "-name:-"), lambda card: True),
    **dict.fromkeys(('text:"', 'rarity:"', 'rarity="', 'rarity>="', 'level="', "level>=-", "(level<"), lambda card: True),
    **dict.fromkeys(('moon -"', "moon -(", "moon sort:-", "sort:- moon", "name:- moon", 'moon text:"', "moon or"), SEARCHES["moon"]),
    **dict.fromkeys(("-moon -(", "-(moon or", "-(moon or (", '-(moon or "', "-(moon -", "-moon level<"), lambda card: not says(card, "moon")),
}  # fmt: skip
"""What somebody types on the way to a query, and of which cards it speaks already."""


def test_the_search_answers_as_the_cards_say(browser: Browser, examples: Path, cards: dict[str, Card]) -> None:
    searches = SEARCHES | BEGUN
    with opened(browser, (examples / "index.html").as_uri()) as page:
        answers = page.evaluate(ANSWERS, list(searches))
    fitting = [[name for name, card in cards.items() if fits(card)] for fits in searches.values()]
    assert {query: (sorted(ids), complains) for query, (ids, complains) in zip(searches, answers, strict=True)} == {
        query: (sorted(names), False) for query, names in zip(searches, fitting, strict=True)
    }


ANSWERS = """queries => queries.map(query => {
  const box = document.querySelector("input[type=search]");
  box.value = query;
  box.dispatchEvent(new Event("input", {bubbles: true}));
  const listed = [...document.querySelectorAll(".found .cards > li")].map(item => item.id);
  return [listed, document.querySelector("[role=alert]").checkVisibility()];
})"""
"""What is listed for each query that is typed, and whether the page complains; nothing is drawn between two of them."""


def test_cards_are_put_in_order_and_those_without_a_value_come_last(
    browser: Browser, examples: Path, cards: dict[str, Card]
) -> None:
    with opened(browser, (examples / "index.html").as_uri()) as page:
        levels = [of(cards[name], "level") for name in search(page, "kind:spell sort:-level sort:name")]
        rarities = [rarity(cards[name]) for name in search(page, "set:hollowmere sort:rarity")]
        page.get_by_label("order").select_option("level")
        assert page.get_by_role("searchbox").input_value() == "set:hollowmere sort:rarity sort:level".replace(
            " sort:rarity", ""
        )
    assert levels == sorted(levels, reverse=True)
    there = [each for each in rarities if each >= 0]
    assert rarities == sorted(there) + [-9] * (len(rarities) - len(there))


def test_an_unknown_field_is_told_and_the_cards_stay(browser: Browser, examples: Path) -> None:
    with opened(browser, (examples / "index.html").as_uri()) as page:
        before = search(page, "kind:minion")
        assert search(page, "kind:minion colour:red") == before
        assert (
            page.get_by_role("alert")
            .inner_text()
            .startswith("there is no field “colour”; Fields: name, text, kind, level")
        )
        assert search(page, "kind:minion level:") == before  # whose value is still to come
        assert page.get_by_role("alert").is_hidden()


def test_filters_count_what_each_choice_leaves_and_the_address_keeps_the_search(
    browser: Browser, examples: Path, cards: dict[str, Card]
) -> None:
    with opened(browser, (examples / "index.html").as_uri()) as page:
        page.get_by_role("button", name=re.compile("^minion")).click()
        page.get_by_role("button", name=re.compile("^5 ")).first.click()
        assert page.get_by_role("searchbox").input_value() == "kind:minion level=5"
        count = int(page.get_by_role("button", name=re.compile("^spell")).locator("i").inner_text())
        assert page.locator("output").inner_text() == f"{len(listed(page))} of {len(cards)} cards"
        page.get_by_text("list", exact=True).click()
        address = page.url
        page.get_by_role("button", name=re.compile("^spell")).click()
        assert page.get_by_role("searchbox").input_value() == "level=5 kind:spell"
        assert len(listed(page)) == count
        page.goto("about:blank")
        page.goto(address)
        assert page.get_by_role("searchbox").input_value() == "kind:minion level=5"
        assert page.get_by_role("radio", name="list").is_checked()


# --- how it is read ---


PAGES = {
    (360, "dark"): ("index.html#q=level%3D4", "index.html#q=level%3D4&view=table", "cards/starter/harbour-fox.html"),
    (1400, "light"): (
        "index.html#q=level%3D4&view=list",
        "figures.html",
        "decks.html",
        "cards/fivewinds/frog-of-the-pond-the-pond-prince.html",
    ),
}


@pytest.mark.parametrize(("width", "scheme"), PAGES)
def test_every_page_fits_its_screen_and_aids_can_read_it(
    browser: Browser, examples: Path, width: int, scheme: Scheme
) -> None:
    for name in (name for names in PAGES.values() for name in names):
        with opened(browser, f"{examples.as_uri()}/{name}", width=width, scheme=scheme) as page:
            page.reload()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            if name in PAGES[width, scheme]:
                assert violations(page) == [], name


def test_no_word_of_the_views_is_broken_on_a_phone(browser: Browser, examples: Path) -> None:
    for width in (360, 420):
        with opened(browser, f"{examples.as_uri()}/index.html", width=width) as page:
            heights = {label.bounding_box()["height"] for label in page.locator(".views label").all()}  # type: ignore[index]
            assert len(heights) == 1 and heights.pop() < 50, width


def test_a_keyboard_is_enough_to_find_a_card_and_to_go_through_the_set(
    browser: Browser, examples: Path, cards: dict[str, Card]
) -> None:
    with opened(browser, (examples / "index.html").as_uri()) as page:
        page.keyboard.press("/")
        page.keyboard.type("harbour fox")
        assert page.locator("output").inner_text() == f"1 of {len(cards)} cards"
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.closest('.cards') !== null"):
                break
        page.keyboard.press("Enter")
        page.wait_for_url("**/harbour-fox.html")
        assert page.locator("h1").inner_text() == "Harbour Fox"
        page.get_by_role("link", name="→").press("Enter")
        page.wait_for_url(re.compile("cards/starter/(?!harbour-fox)"))


def test_without_scripts_all_cards_are_listed_and_each_view_works(
    browser: Browser, examples: Path, cards: dict[str, Card]
) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto((examples / "index.html").as_uri())
        assert page.locator(".found .cards > li").count() == len(cards)
        assert page.get_by_role("searchbox").is_hidden()
        page.get_by_text("table", exact=True).click()
        assert page.get_by_role("row").count() == len(cards) + 1
        page.get_by_role("row", name="Harbour Fox").get_by_role("link").click()
        page.wait_for_url("**/harbour-fox.html")
    finally:
        context.close()


def test_more_cards_than_a_page_holds_are_on_further_pages_and_in_the_search(browser: Browser, tmp_path: Path) -> None:
    cards = "".join(f"- {{name: Card {number}, kind: spell, level: 2, text: Draw 1 card.}}\n" for number in range(130))
    site = written(with_plain_back(write_set(tmp_path / "many", cards)), tmp_path / "site")
    listing = (site / "all-2.html").read_text(encoding="utf-8")
    assert listing.count('<li class="card') == 11  # and the pattern of the script
    with opened(browser, (site / "all-2.html").as_uri()) as page:
        assert len(listed(page)) == 120
        page.get_by_role("button", name="more cards").click()
        assert len(listed(page)) == 130
        assert search(page, '"card 129"') == ["many-card-129"]


# --- cards, decks, paper ---


def test_a_card_has_its_text_its_numbers_and_where_they_come_from(browser: Browser, examples: Path) -> None:
    with opened(browser, f"{examples.as_uri()}/cards/starter/balloonist.html") as page:
        told = page.locator(".told").inner_text()
    for words in (
        "level 4 · minion",
        "DROP BALLAST: Self-exhaust 2 resources",
        "Keeper's Workshop, CC0",
        "self-bury 1 card",
    ):
        assert words in told


def test_a_deck_shows_its_cards_with_their_odds(browser: Browser, examples: Path) -> None:
    with opened(browser, (examples / "cards/fivewinds/hive-warden.html").as_uri()) as page:
        page.get_by_role("link", name="Honey and Moss").click()
        page.wait_for_url("**/decks.html#part-*")
        warden = page.locator(".card", has_text="Hive Warden")
        name, odds = (warden.locator(each).text_content() or "" for each in ("b", "small"))  # painted or not
    assert name == "4× Hive Warden"
    assert odds.startswith(f"odds {100 * (1 - comb(40 - 4, 7) / comb(40, 7)):.1f} %")


def test_a_card_and_a_selection_are_printed_in_their_true_size(browser: Browser, burg: Path) -> None:
    wide = pytest.approx(63.5 / 25.4 * 96, abs=0.5)  # pixels of a browser
    with opened(browser, (burg / "cards/burg/rook.html").as_uri()) as page:
        page.emulate_media(media="print")
        assert page.locator(".sides img").evaluate("picture => picture.getBoundingClientRect().width") == wide
        page.emulate_media(media="screen")
    with opened(browser, (burg / "index.html").as_uri()) as page:
        page.evaluate("window.print = () => document.title = 'printed'")
        for name in ("Rook", "Bolt"):
            page.get_by_label(f"select: {name}").check()
        page.get_by_role("button", name="print the selection (2)").click()
        page.wait_for_function("document.title === 'printed'")
        page.emulate_media(media="print")
        shown = page.locator("main img:visible")
        assert shown.evaluate_all("pictures => pictures.map(each => each.getBoundingClientRect().width)") == [
            wide,
            wide,
        ]
        page.emulate_media(media="screen")


def test_both_sides_of_a_card_are_shown(browser: Browser, tmp_path: Path) -> None:
    write_two_faces(tmp_path / "dusk")
    site = written(tmp_path / "dusk", tmp_path / "site")
    with opened(browser, (site / "index.html").as_uri()) as page:
        picture = page.locator("#dusk-watcher-howler img")
        page.get_by_role("button", name="turn Watcher // Howler").click()
        assert str(picture.get_attribute("src")).endswith("watcher-howler.back.webp")
        assert search(page, "howls") == ["dusk-watcher-howler"]
    with opened(browser, (site / "cards/dusk/watcher-howler.html").as_uri()) as page:
        alts = page.locator(".sides img").evaluate_all("pictures => pictures.map(each => each.alt)")
        assert [alt.split(":")[0] for alt in alts] == ["Watcher", "Howler"]
        assert page.locator("abbr").count() == 0
    with opened(browser, (site / "cards/dusk/fire-ice.html").as_uri()) as page:
        assert page.locator("dd abbr").first.get_attribute("title") == "one"


# --- what is published ---


def test_no_draft_no_source_and_no_camera_is_published(burg: Path) -> None:
    names = [file.relative_to(burg).as_posix() for file in burg.rglob("*") if file.is_file()]
    assert not [
        name for name in names if "secret" in name or not name.endswith((".html", ".json", ".js", ".css", ".webp"))
    ]
    for file in burg.rglob("*.*"):
        assert b"Camera of Ada" not in file.read_bytes()
        assert b"Secret" not in file.read_bytes()
    assert not Image.open(burg / "pictures/burg/rook.webp").getexif()


def test_drafts_are_there_when_asked_for(home: Path, tmp_path: Path) -> None:
    assert (written(home / "burg", "--drafts", "--language", "en", tmp_path) / "cards/burg/secret.html").is_file()


def test_a_link_to_a_card_has_a_preview_and_its_page_says_whose_the_card_is(burg: Path) -> None:
    page = (burg / "cards/burg/ox-cow.html").read_text(encoding="utf-8")
    assert '<meta property="og:image" content="https://example.org/burg/pictures/burg/ox-cow.webp">' in page
    assert '<meta property="og:title" content="Ox &amp; &lt;Cow&gt; – Burg">' in page
    assert "Card design by Ada, CC0." in page


def test_each_language_has_its_pages_and_its_words(browser: Browser, burg: Path) -> None:
    with opened(browser, (burg / "cards/burg/rook.html").as_uri()) as page:
        page.locator("dd").get_by_role("link", name="Krähe").click()
        page.wait_for_url("**/de/cards/burg/rook.html")
        assert page.locator("h1").inner_text() == "Krähe"
        assert "Entwurf von Ada, CC0." in page.locator("dl").first.inner_text()
        page.get_by_role("link", name="Karten", exact=True).click()
        assert page.locator("output").inner_text() == "3 Karten"
        assert search(page, "krahe") == ["burg-rook"]
        page.get_by_role("link", name="English").click()
        page.wait_for_url(f"{burg.as_uri()}/index.html")


def test_figures_are_in_the_words_of_the_game_for_fields_and_choices(tmp_path: Path) -> None:
    texts = "words: {texts: {rare: Seldom seen}, languages: {de: {texts: {rarity: Seltenheit, rare: Selten}}}}\n"
    files = {**FILES, "game.yaml": f"{GAME}{texts}", "set.yaml": "name: Beasts\nlanguages: [en, de]\n"}
    write_files(tmp_path / "beasts", files)
    site = written(tmp_path / "beasts", tmp_path / "site")
    english, german = (Path(site, name).read_text("utf-8") for name in ("figures.html", "de/figures.html"))
    assert ("Seldom seen" in english, ">rare<" in english, ">common<" in english) == (True, False, True)
    assert [">Seltenheit<" in german, ">Selten<" in german, ">rarity<" in german] == [True, True, False]


def committed(home: Path, tag: str) -> None:
    """Commit all files in a folder, which becomes a repository, and tag them."""

    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words], cwd=home, check=True)

    git("init", "-q", "--template=")
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", tag)
    git("tag", tag)


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a set with the versions v1 and v2, and changes that are not committed."""
    home = tmp_path_factory.mktemp("versions")
    folder = with_plain_back(write_set(home / "burg", CARDS, f"{SET}ignore: W042\n"))
    Image.new("RGB", (600, 370), "teal").save(folder / "rook.jpg")

    committed(home, "v1")
    change(
        folder,
        ("name: Bolt,", "name: Bolt, copies: 3,"),
        ("name: Ox & <Cow>", "name: Ox"),
    )
    committed(home, "v2")
    change(
        folder,
        (
            "level: 2, text: Draw 1 card., words: {de: {name: Blitz",
            "level: 4, text: Draw 2 cards., words: {de: {name: Blitz & Donner",
        ),
    )
    change(folder, ("level: auto, sp: 1", "id: raven, level: auto, sp: 1"))
    cards = folder / "cards.yaml"
    cards.write_text(
        cards.read_text(encoding="utf-8") + "- {name: Owl, kind: spell, level: 2, text: Draw 1 card.}\n",
        encoding="utf-8",
    )
    return written(folder, "--history", "v1", "--history", "v2", home / "site")


def told_history(site: Path, card: str) -> list[dict[str, Any]]:
    history: list[dict[str, Any]] = json.loads((site / card).read_text(encoding="utf-8"))["history"]
    return history


def test_a_card_tells_what_each_version_made_of_it(versions: Path) -> None:
    bolt = [
        {
            "version": "",
            "new": False,
            "was": "",
            "values": {"level": ["2", "4"], "text": ["Draw 1 card.", "Draw 2 cards."]},
        },
        {"version": "v2", "new": False, "was": "", "values": {"copies": ["1", "3"]}},
    ]
    assert told_history(versions, "cards/burg/bolt.json") == bolt
    assert told_history(versions, "cards/burg/owl.json") == [{"version": "", "new": True, "was": "", "values": {}}]
    raven, ox = (told_history(versions, f"cards/burg/{name}.json")[0] for name in ("raven", "ox"))
    assert (raven["was"], ox["was"], ox["values"]["name"]) == ("rook", "ox-cow", ["Ox & <Cow>", "Ox"])
    german = told_history(versions, "de/cards/burg/bolt.json")[0]["values"]
    assert german["name"] == ["Blitz", "Blitz & Donner"], "in its own words"


LAMPS = {
    "set.yaml": "name: Lamps\nlanguages: [en, de]\n",
    "game.yaml": """
name: Lanterns
fields:
  power: {type: number, range: [0, 99]}
  types: line
  rules: text
  color: {value: "'#ff' ~ power"}
table: [id, name, kind, power, copies]
kinds: {lamp: {back: none}}
words: {languages: {de: {texts: {lamp: Lampe, power: Kraft, types: Typen}}}}
""",
    "cards.yaml": "- {name: Glow, kind: lamp, power: 1, types: Old lamp, rules: Shine., art: one.png, words: {de: {rules: Leuchte., types: Alt}}}\n",
    "templates/lamp.svg": svg('<image href="{{ card.art.href }}" x="5" y="5" width="50" height="40"/>'),
}


def test_a_history_tells_what_pages_tell_and_no_more_of_a_card(tmp_path: Path) -> None:
    folder = tmp_path / "home/lamps"
    (folder / "templates").mkdir(parents=True)
    for name, text in LAMPS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("one", "unreleased"):
        Image.new("RGB", (600, 480), "teal").save(folder / f"{name}.png")
    committed(folder.parent, "v1")
    change(
        folder, ("power: 1", "power: 2"), ("types: Old", "types: New"), ("one.png", "unreleased.png"), ("Alt", "Neu")
    )
    site = written(folder, "--history", "v1", tmp_path / "site")
    english, german = (told_history(site, f"{part}cards/lamps/glow.json")[0]["values"] for part in ("", "de/"))
    assert english == {"power": ["1", "2"], "types": ["Old lamp", "New lamp"]}, (
        "neither files nor what templates ask for"
    )
    assert german == {"Kraft": ["1", "2"], "Typen": ["Alt", "Neu"]}


def test_a_history_has_no_words_of_drafts(tmp_path: Path) -> None:
    card = "- {{name: {}, kind: spell, level: 2, text: {}}}\n".format
    versions = (
        card("Bolt", "Draw 1 card.") + card("Idea", "Draw 7 cards., draft: true") + card("Unfit", "Heal., draft: true"),
        card("Bolt", "Draw 8 cards., draft: true") + card("Idea", "Draw 1 card.") + card("Fit", "Heal."),
        card("Bolt", "Draw 2 cards.") + card("Idea", "Draw 3 cards.") + card("Fit", "Heal."),
    )
    for number, cards in enumerate(versions, start=1):
        folder = with_plain_back(write_set(tmp_path / "home/burg", cards))
        committed(folder.parent, f"v{number}")
    since = ("--history", "v1", "--history", "v2", "--history", "v3")
    site = written(folder, *since, tmp_path / "site")
    bolt, idea, fit = (told_history(site, f"cards/burg/{name}.json") for name in ("bolt", "idea", "fit"))
    assert [(each["version"], each["new"]) for each in bolt] == [("v3", True)]
    assert [(each["version"], each["new"]) for each in idea] == [("v3", False), ("v2", True)]
    assert fit == [{"version": "v2", "new": True, "was": "", "values": {}}]
    with_drafts = written(folder, *since, "--drafts", tmp_path / "drafts")
    assert told_history(with_drafts, "cards/burg/idea.json")[1]["values"]["text"] == ["Draw 7 cards.", "Draw 1 card."]


def test_versions_in_the_wrong_order_or_with_unreadable_files_are_refused(tmp_path: Path) -> None:
    folder = with_plain_back(write_set(tmp_path / "home/burg", CARDS.replace(", art: rook.jpg", ""), SET))
    good = {name: (folder / name).read_text(encoding="utf-8") for name in ("set.yaml", "cards.yaml")}
    committed(folder.parent, "v1")
    for name, text in good.items():
        (folder / name).write_text("- [", encoding="utf-8")
        committed(folder.parent, f"bad-{name}")
        (folder / name).write_text(text, encoding="utf-8")
    committed(folder.parent, "v2")

    def refused(*versions: str) -> str:
        since = (f"--history={each}" for each in versions)
        result = kotc("site", folder, *since, "--out", tmp_path / "site")
        assert result.exit_code == 2
        assert not (tmp_path / "site").exists()
        return " ".join(result.output.split())

    assert "`v1` is older than `v2`: give the oldest version first" in refused("v2", "v1")
    assert "`v1..v2` does not exist" in refused("v1..v2")
    for name in good:
        told = refused("v1", f"bad-{name}", "v2")
        assert f"`burg/{name}` as it was at `bad-{name}` has an error" in told
        assert "leave this version out" in told


def test_a_new_card_has_nothing_of_one_that_had_its_id_and_none_tells_of_errors_or_of_backs(tmp_path: Path) -> None:
    card = "- {{name: {}, id: {}, kind: minion, level: {}, sp: {}, hp: 2}}\n".format
    versions = (
        card("Rook", "rook", 2, 2) + card("Ox", "ox", 2, 2),
        card("Raven", "rook", 2, 2) + card("Ox", "ox", 4, 4),
        card("Raven", "raven", 2, 2) + card("Tower", "rook", 9, 9) + card("Ox", "ox", "none", 4),
        card("Raven", "raven", 2, 2) + card("Tower", "rook", 9, 9) + card("Ox", "ox", 4, 4),
    )
    for number, cards in enumerate(versions, start=1):
        folder = with_plain_back(write_set(tmp_path / "home/burg", cards))
        committed(folder.parent, f"v{number}")
    change(folder, ("1b2447", "a02447"), name="templates/back.svg")
    site = written(folder, *(f"--history=v{number}" for number in range(1, 5)), tmp_path / "site")
    raven, tower, ox = (told_history(site, f"cards/burg/{name}.json") for name in ("raven", "rook", "ox"))
    assert [(each["version"], each["was"], each["values"]) for each in raven] == [
        ("v3", "rook", {}),
        ("v2", "", {"name": ["Rook", "Raven"]}),
    ]
    assert [(each["version"], each["new"]) for each in tower] == [("v3", True)]
    assert [(each["version"], each["values"]) for each in ox] == [("v2", {"level": ["2", "4"], "SP": ["2", "4"]})]


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1300, "light")])
def test_a_history_is_read_in_the_language_of_the_site(
    browser: Browser, versions: Path, width: int, scheme: Scheme
) -> None:
    with opened(browser, (versions / "de/cards/burg/bolt.html").as_uri(), width=width, scheme=scheme) as page:
        history = page.locator(".history")
        assert history.locator("summary").inner_text() == "Verlauf"
        assert history.locator("dt").all_inner_texts() == ["jetzt", "v2"]
        assert "Blitz & Donner" in history.inner_text()
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_version_that_does_not_exist_is_told_before_anything_is_written(home: Path, tmp_path: Path) -> None:
    result = kotc("site", home / "burg", "--history", "v9", "--out", tmp_path / "site")
    assert result.exit_code == 2
    assert "`v9` does not exist" in result.output
    assert not (tmp_path / "site").exists()


def test_a_theme_has_the_last_word(browser: Browser, home: Path, tmp_path: Path) -> None:
    (tmp_path / "red.css").write_text(":root { --paper: rgb(200, 10, 10); }")
    site = written(home / "burg", "--language", "en", "--theme", tmp_path / "red.css", tmp_path / "site")
    with opened(browser, (site / "cards/burg/rook.html").as_uri()) as page:
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(200, 10, 10)"


def test_a_second_run_writes_what_changed_and_removes_what_is_gone(home: Path, tmp_path: Path) -> None:
    command = ("site", home / "burg", "--language", "en", "--dpi", 72, "--out", tmp_path / "site")
    kotc(*command)
    assert "(0 pictures and 0 pages written)" in kotc(*command).output
    (tmp_path / "site/cards/burg/own.html").write_text("not ours")
    kotc(*command, "--card", "bolt")
    assert sorted(file.name for file in (tmp_path / "site/cards/burg").iterdir()) == [
        "bolt.html",
        "bolt.json",
        "own.html",
    ]
    assert [file.name for file in (tmp_path / "site/pictures/burg").iterdir()] == ["bolt.webp"]


def test_a_folder_of_other_files_is_left_alone(home: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ada")
    result = kotc("site", home / "burg", "--out", tmp_path)
    assert result.exit_code == 2
    assert "holds files that are no site: name a new or an empty folder" in result.output
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_a_record_that_somebody_wrote_removes_nothing_elsewhere(home: Path, tmp_path: Path) -> None:
    site = written(home / "burg", tmp_path / "site")
    (tmp_path / "letter.txt").write_text("Dear Ada")
    record = json.loads((site / "site.json").read_text(encoding="utf-8"))
    odd = [
        "cards/../../letter.txt",
        "cards/",
        "cards/.",
        "cards",
        "data/..",
        "data/\0",
        "/etc/hosts",
        "cards\\..\\..\\x",
    ]
    record["files"] |= dict.fromkeys(odd, "")
    (site / "site.json").write_text(json.dumps(record), encoding="utf-8")
    written(home / "burg", site)
    assert (tmp_path / "letter.txt").read_text() == "Dear Ada"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no folders of such names")
def test_a_set_whose_folder_has_an_odd_name_is_reached(browser: Browser, tmp_path: Path) -> None:
    cards = "- {name: Bolt, kind: spell, level: 2, text: Draw 1 card.}\n"
    names = ('50% #1? "<b>" $& é', "Fire", "fire", "FIRE", "שלום")
    sets = [write_set(tmp_path / str(number) / name, cards) for number, name in enumerate(names)]
    site = written(*sets, tmp_path / "site")
    homes = [folder.name for folder in (site / "cards").iterdir()]
    assert len({name.casefold() for name in homes}) == len(names), "no two are the same on a disk that knows no case"
    with opened(browser, (site / "index.html").as_uri()) as page:
        for query in ("", "bolt"):  # the cards of the page, and those of the script
            page.get_by_role("searchbox").fill(query)
            links = page.locator(".found .cards a").evaluate_all("all => all.map(each => each.href)")
            assert len(links) == len(names)
            for link in links:
                page.goto(link)
                assert page.get_by_role("heading").first.inner_text() == "Bolt"
                picture = page.get_by_role("img").first
                assert picture.evaluate("async image => { await image.decode(); return image.naturalWidth }")
            page.goto((site / "index.html").as_uri())


def test_an_address_without_its_scheme_is_refused(home: Path) -> None:
    result = kotc("site", home / "burg", "--url", "example.org")
    assert result.exit_code == 2
    assert "expected http:// or https://, found `example.org`" in result.output

"""Damaged and hostile pages: a small sample of `damaged_pages`, and pages made to cost time or memory."""

import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from proofs.damaged_pages import cases, faults

from render.base.findings import Refused
from render.games.kotc.workshop.guide.importing import read_pages
from tests.support.game_pages import with_pages
from tests.support.rule_pages import GUIDE, RULEBOOK, write_pages

SAMPLE = 12
SECONDS = 20.0  # of CPU for one import; the worst takes two
MANY = 200_000  # characters: no page may be larger than a mebibyte


@with_pages
@pytest.mark.parametrize("index", range(SAMPLE))
def test_no_damage_changes_a_figure_unsaid(index: int) -> None:
    case = next(islice(cases(2026), index, None))
    assert faults(case) == [], case.how


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
    '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">&c;</office:document>'
)
OUTSIDE = BOMB.replace('"ha"', 'SYSTEM "file:///etc/passwd"')
OFFICE = (
    '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>{}'
    "</office:text></office:body></office:document>"
)
IN_EFFECTS = "<h4>Effects</h4>\n<ul>"


def in_guide(words: str) -> str:
    return GUIDE.replace(IN_EFFECTS, IN_EFFECTS + (words * (MANY // len(words)))[: MANY - len(GUIDE)])


def in_rulebook(words: str) -> str:
    return RULEBOOK.replace("<table>", "<table>" + (words * (MANY // len(words)))[: MANY - len(RULEBOOK)])


HOSTILE: dict[str, Callable[[], tuple[str, str]]] = {
    "entities": lambda: (RULEBOOK, BOMB),
    "entities from outside": lambda: (RULEBOOK, OUTSIDE),
    "deep XML": lambda: (RULEBOOK, OFFICE.format("<text:p>" * 50_000)),
    "headings of no rank": lambda: (RULEBOOK, OFFICE.format('<text:h text:outline-level="x">deck</text:h>' * 5_000)),
    "many paragraphs": lambda: (RULEBOOK, OFFICE.format("<text:p>deck</text:p>" * 10_000)),
    "rewordings within the bound": lambda: (
        RULEBOOK.replace("<table>", "<table>" + "".join(f"<tr><td>a{i} b<td>b a{i + 1}" for i in range(1_900))),
        GUIDE,
    ),
    "deep HTML": lambda: (RULEBOOK, in_guide("<b>")),
    "deep formulas": lambda: (RULEBOOK, in_guide("<math><mrow>")),
    "many items": lambda: (RULEBOOK, in_guide("<li>(x) “win.”")),
    "quotation marks": lambda: (RULEBOOK, in_guide("“”")),
    "one sentence": lambda: (RULEBOOK, in_guide("deck must contain ")),
    "decks": lambda: (in_rulebook("</table>the deck of each must contain <table>"), GUIDE),
    "comments": lambda: (RULEBOOK, in_guide("<!--")),
    "tags": lambda: (RULEBOOK, in_guide("<a <a ")),
    "entities of HTML": lambda: (RULEBOOK, in_guide("&amp")),
    "rewordings": lambda: (in_rulebook("<tr><td>bury<td>inter"), GUIDE),
    "different rewordings": lambda: (
        RULEBOOK.replace("<table>", "<table>" + "".join(f"<tr><td>a{i} b<td>b a{i + 1}" for i in range(5_000))),
        GUIDE,
    ),
    "parentheses": lambda: (RULEBOOK, in_guide("(")),
    "pipes": lambda: ("Rulebook (18th Edition)\n" + "|a" * 100_000, GUIDE),
    "stars": lambda: ("Rulebook (18th Edition)\n" + "* \n" * 100_000, GUIDE),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_costs_bounded_time(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = write_pages(*HOSTILE[name]())
    begin = time.process_time()
    try:
        read_pages(files)
    except Refused as refused:
        assert refused.findings
    assert time.process_time() - begin < SECONDS

"""What a template may take, and what it cannot reach: exact words, and the same bytes in every run."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from render.base.limits import Limits
from render.layout.templates import template
from tests.support.pages import page
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.template_costs import ROWS, most, row
from tests.support.templates import place, svg

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARD = "{name: Note, kind: tip, text: Draw 1 card.}\n"
TOO_MUCH = "the template `tip` asks for too much: it spent"


CHECK = ("check", "s")
EVERY = (CHECK, ("png", "s"), ("pdf", "s", "--out", "o.pdf"))


def said_of(content: str, commands: Sequence[tuple[str, ...]] = EVERY) -> str:
    """Return the first line of what commands say, after it was seen that all say the same."""
    place(write_set(Path("s"), CARD), {"tip.svg": svg(content)})
    said = [kotc(*command) for command in commands]
    lines = {(result.stdout or result.stderr).split("\n")[0] for result in said}
    assert {result.exit_code for result in said} == {1}
    assert len(lines) == 1, lines
    return lines.pop().partition("error: ")[2]


RECT = '<rect width="1" height="1"/>'
SPENT = {
    RECT * 10_001: "10,002 of 10,000 elements",
    f'<path d="M0 0{" L1 1" * 100_000}"/>': "100,001 of 100,000 points of outlines",
    '<g transform="scale(0.001)"><line x2="9999" stroke="black" stroke-width="9" stroke-dasharray="0.1 0.1"/></g>'
    * 3: "299,970 of 20,000 dashes",
    "<text>{{ 'Hello ' * 4000 }}</text>": "24,000 of 20,000 characters of text",
    '<rect width="63" height="88"/>' * 300: "52,800 of 50,000 mm of edges, measured downwards",
    '<rect width="63" height="9"/>' * 3000: "54,000 of 50,000 mm of edges, measured downwards",
    '<polyline stroke="black" fill="none" points="' + "1,1 1,1.1 " * 30_000 + '"/>': (
        "60,000 of 50,000 pieces of lines"
    ),
}


@pytest.mark.parametrize(("content", "spent"), SPENT.items(), ids=SPENT.values())
def test_a_template_that_asks_for_too_much_is_told_what_it_spent(content: str, spent: str) -> None:
    assert said_of(content, [CHECK]) == f"{TOO_MUCH} {spent} [T010]"


def test_every_command_says_that_a_template_asks_for_too_much() -> None:
    assert said_of(RECT * 10_001) == f"{TOO_MUCH} 10,002 of 10,000 elements [T010]"


MACRO = "{% macro m(n) %}{{ m(n - 1) ~ m(n - 1) if n }}{% endmacro %}{{ m(50) }}"
LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
GROWING = "{% set n = namespace(a=['a']) %}{% for b in range(99) %}{% set n.a = n.a + n.a %}{% endfor %}"
TIME, MEMORY = "2 s of processor time", "256 MB of memory"
TOO_LONG = {
    LOOPS: TIME,
    MACRO: TIME,
    "{{ 9**99999999 }}": TIME,
    "{{ 'a' * 10**10 }}": MEMORY,
    "{{ [0] * 10**10 }}": MEMORY,
    "{{ 'a'|center(10000000000) }}": MEMORY,
    "{{ '%9999999999d' % 1 }}": MEMORY,
    "{{ '%*d' % (999999999, 1) }}": MEMORY,
    "{{ '{:9999999999}'.format(1) }}": MEMORY,
    "{{ ('a' * 99999)|replace('a', 'b' * 99999) }}": MEMORY,
    GROWING: MEMORY,
}


@pytest.mark.parametrize(("content", "most"), TOO_LONG.items(), ids=[content[:40] for content in TOO_LONG])
def test_a_template_that_takes_too_much_is_told_what_and_for_which_card(
    content: str, most: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if most is TIME and content != LOOPS:  # what works for two seconds works for less; the words are the same
        monkeypatch.setattr(template, "TO_FILL_IN", Limits(0.2, 256_000_000))
    assert said_of(content, [CHECK]) == f"{LATE} {most} [T010]"


LATE = "the template `tip` asks for too much: filling it in for `Note` takes more than"


def test_more_svg_than_a_face_may_have_is_told_of() -> None:
    content = "{% for b in range(99999) %}" + "x" * 100 + "{% endfor %}"
    length = f"{9_999_899 + len(svg('')):,}"
    assert said_of(content, [CHECK]) == (
        f"the template `tip` asks for too much: {length} of 2,000,000 characters of SVG for `Note` [T010]"
    )


def test_the_line_is_told_in_which_a_loop_takes_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "TO_FILL_IN", Limits(0.2, 256_000_000))
    place(write_set(Path("s"), CARD), {"tip.svg": svg(f"<g/>\n{LOOPS}")})
    assert kotc("check", "s").stdout == (
        f"s/templates/tip.svg:3:1: error: {LATE} {TIME} [T010]\n"
        f"  3 | {LOOPS}\n"
        f"    | {'^' * len(LOOPS)}\n"
        "  hint: draw less, or draw it as a picture\n"
    )


def test_a_template_that_takes_too_much_is_not_tried_for_many_cards_and_others_are() -> None:
    cards = "".join(f"- {{name: Card {number}, kind: tip, text: Draw 1 card.}}\n" for number in range(9))
    folder = write_set(Path("s"), f"{cards}- {{name: Good, kind: spell, text: Draw 1 card., template: good}}\n")
    place(folder, {"tip.svg": svg("{{ 'a' * 10**10 }}"), "good.svg": svg("{{ card.nix }}")})
    said = kotc("check", "s").stdout
    assert said.count("takes more than 256 MB") == 2
    assert said.count("it was not tried for others") == 1
    assert "the template `good` stopped" in said


def test_what_was_late_on_a_busy_machine_is_drawn_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = place(
        write_set(Path("s"), CARD),
        {"tip.svg": svg("{% for a in range(9999) %}{% for b in range(9) %}{% endfor %}{% endfor %}")},
    )
    with monkeypatch.context() as patched:
        patched.setattr(template, "TO_FILL_IN", Limits(0.001, 256_000_000))
        assert "[T010]" in kotc("build", "s", "--out", "o").stderr
    assert kotc("build", "s", "--out", "o").exit_code == 0
    assert folder


FAR = ", and nothing is drawn beyond 30 m"
CANNOT_BE_DRAWN = {
    '<g transform="scale(9999)">' * 9 + RECT + "</g>" * 9: "`<g>` makes things more than 1,000,000 times larger",
    '<rect transform="skewX(90)" width="3" height="3"/>': "`<rect>` makes things more than 1,000,000 times larger",
    '<circle transform="scale(9999)" r="99"/>': "`<circle>` reaches 990 m beyond the card" + FAR,
    '<path d="M0 0 l9999 0 9999 0 9999 0 9999 0"/>': "`<path>` reaches 40 m beyond the card" + FAR,
    '<line x2="9" stroke="black" stroke-width="1e-300"/>': (
        "`<line>` has a line of 1e-300 mm, and lines are drawn from 0.001 to 1,000 mm"
    ),
    '<text font-size="5000">Hello</text>': "`<text>` has letters of 5,000 mm, and letters are drawn up to 1,000 mm",
    '<text font-size="1e-300">Hello</text>': "`<text>` has letters of 1e-300 mm, and letters are drawn from 0.01 mm on",
    '<text width="9" min-size="1e-300">Hello</text>': (
        "`<text>` has letters of 1e-300 mm, and letters are drawn from 0.01 mm on"
    ),
    "<text font-size='900'>{{ 'Hello ' * 99 }}</text>": "`<text>` reaches 254 m beyond the card" + FAR,
    '<svg width="9" height="9">' * 9 + "</svg>" * 9: (
        "`<svg>` stands within 8 others that clip it, and no more are drawn"
    ),
}


@pytest.mark.parametrize(("content", "says"), CANNOT_BE_DRAWN.items(), ids=CANNOT_BE_DRAWN.values())
def test_what_cannot_be_drawn_is_an_error_of_every_command(content: str, says: str) -> None:
    assert said_of(content) == f"template `tip`: {says} [T011]"


@pytest.mark.parametrize("size", ["", 'width="50"', 'width="50" height="80" font-size="3" min-size="1"'])
def test_a_word_without_end_does_not_fit(size: str) -> None:
    said = said_of(f"<text {size}>{{{{ 'a' * 100000 }}}}</text>")
    assert said == f"{TOO_MUCH} 100,000 of 20,000 characters of text [T010]"


@pytest.mark.parametrize(
    "drawing",
    [
        '<path d="M0 0 A 1e-300 1e-300 0 0 1 10 10"/>',
        '<g transform="scale(0)"><text>Hello</text><rect width="9" height="9" stroke="black"/></g>',
        '<text>near</text><text x="9000" y="9000">far</text>',
        '<text font-size="900">Hello</text>',
        '<svg width="1e-300" height="1e-300" viewBox="0 0 99 99"><rect width="1" height="1"/></svg>',
        '<polyline points="0,0 30,0.0001 0,0" stroke="black" stroke-miterlimit="9999"/>',
    ],
)
def test_what_check_passes_can_be_drawn(drawing: str) -> None:
    place(write_set(Path("s"), CARD), {"tip.svg": svg(drawing)})
    said = [kotc(*command) for command in EVERY]
    assert [result.exit_code for result in said] == [0, 0, 0]


REFUSED = {
    "{{ [1, 2]|random }}": "the template `tip` is not valid Jinja2: there is no filter `random` [T002]",
    "{{ 'letters' | truncate(-1) }}": "the template `tip` stopped: expected length >= 3, got -1 [T003]",
    "{{ lipsum() }}": "the template `tip` stopped: nothing is called `lipsum` here [T003]",
    "{{ range }}": (
        "the template `tip` stopped: `range` is a function, and cannot be printed; call it: `range()` [T003]"
    ),
    "{{ 'a'.upper|string }}": (
        "the template `tip` stopped: `upper` is a function, and cannot be printed; call it: `upper()` [T003]"
    ),
    "{{ ['a'.upper]|join }}": (
        "the template `tip` stopped: `upper` is a function, and cannot be printed; call it: `upper()` [T003]"
    ),
    "{% block a %}{% endblock %}{{ self.a ~ '' }}": (
        "the template `tip` stopped: `a` is a function, and cannot be printed; call it: `a()` [T003]"
    ),
    "{{ [card.name] }}": "the template `tip` stopped: a list cannot be printed, only texts and numbers [T003]",
    "{{ namespace(a=1) ~ '' }}": "the template `tip` stopped: a namespace cannot be printed, only what it holds [T003]",
    "{{ card.keys() - [] }}": "the template `tip` stopped: `-` cannot be used between a list and a list [T003]",
    "{{ " + "(" * 300 + "1" + ")" * 300 + " }}": (
        "the template `tip` is not valid Jinja2: expressions and tags are nested too deep [T002]"
    ),
    "{{ 1" + "+1" * 60_000 + " }}": (
        "the template `tip` is not valid Jinja2: a template has at most 100,000 words and signs in its tags [T002]"
    ),
    "{{ 1e999 }}": "the template `tip` is not valid Jinja2: numbers go up to 1e30 [T002]",
}


@pytest.mark.parametrize(("content", "says"), REFUSED.items(), ids=[content[:40] for content in REFUSED])
def test_what_differs_from_run_to_run_or_has_no_bounds_cannot_be_used(content: str, says: str) -> None:
    assert said_of(content, [CHECK]) == says


def test_a_card_does_not_depend_on_the_cards_before_it() -> None:
    """An imported template is read once for all cards; what it keeps for itself is forgotten all the same."""
    part = (
        "{% set n = namespace(count=0) %}{% macro next() %}{% set n.count = n.count + 1 %}{{ n.count }}{% endmacro %}"
    )
    drawing = '{% import "part.svg" as part %}<text y="9">{{ part.next() }}{{ part.next() }}</text>'
    cards = "".join(f"- {{name: {name}, kind: tip, text: Hi.}}\n" for name in ("One", "Two", "Three"))
    place(write_set(Path("s"), cards), {"tip.svg": svg(drawing), "part.svg": part})
    assert kotc("png", "s", "--out", "p").exit_code == 0
    assert len({path.read_bytes() for path in Path("p").rglob("*.png")}) == 1


def test_the_order_of_words_in_memory_reaches_no_card() -> None:
    drawing = (
        "<text y='9'>{{ ['b', 'a', 'c', 'b']|unique|join }}{% for a in {'x': 1, 'y': 2} %}{{ a }}{% endfor %}</text>"
    )
    place(write_set(Path("s"), CARD), {"tip.svg": svg(drawing)})
    drawn = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "render", "png", "s", "--dpi", "72", "--out", seed]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        drawn |= {path.read_bytes() for path in Path(seed).rglob("*.png")}
    assert len(drawn) == 1


def test_the_reference_says_what_a_face_may_take_and_what_our_own_cards_take() -> None:
    reference = page("templates/jinja.md")
    spent = most()
    for called, (what, limit) in ROWS.items():
        assert row(called, spent.get(what, 0.0), limit) in reference

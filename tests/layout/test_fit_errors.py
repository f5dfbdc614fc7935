"""Texts that are too long for their card: exactly what their author reads, and that nothing is drawn."""

from pathlib import Path

import pytest
from PIL import Image

from render.base.findings import Refused
from tests.support.messages import assert_says
from tests.support.sets import kotc, write_set
from tests.support.templates import laid_out, place, svg

pytestmark = pytest.mark.usefixtures("in_empty_folder")

MINION = "kind: minion\nlevel: 1\nsp: 1\nhp: 1\n"
SENTENCE = "Target up to 2 on-field minions and destroy the targets, then draw 1 card. "


def said_of(card: str) -> str:
    """Return what `kotc check` prints of a card in a set with a picture of 600 x 400 pixels."""
    folder = write_set(Path("s"), card)
    Image.new("L", (600, 400)).save(folder / "a.png")
    result = kotc("check", "s", "--ignore", "V")
    assert result.exit_code == 1, result.output
    return result.stdout.rstrip("\n")


def message_of(card: str) -> str:
    """Return what is said without the picture of the place, where that is as long as the text."""
    first, *rest = said_of(card).split("\n")
    return "\n".join([first, *(line for line in rest if line.startswith("  hint"))])


LONG = "`text` does not fit: at 5.0 pt, its smallest size,"
SHRUNK = "does not fit: condensed and shrunk to"
SAID = {
    "an ability text that is too long at its smallest size": (
        f"text: |\n  GO: {SENTENCE * 12}\n",
        f"6:7 L001 {LONG} it takes 15 lines, and there is room for 9; it would fit at 3.7 pt",
    ),
    "a word that is longer than a line": (
        f"text: 'GO: {'W' * 40}'\n",
        f"6:7 L001 {LONG} a word is 63.3 mm long, and the lines 49.5 mm; it would fit at 3.7 pt",
    ),
    "an ability text that is one line too long": (
        f"text: 'GO: {SENTENCE * 8}'\n",
        f"6:7 L001 {LONG} it takes 10 lines, and there is room for 9; it would fit at 4.6 pt",
    ),
    "the gaps between abilities count as lines": (
        f"text: |\n  GO: {SENTENCE * 7}\n  NO: {SENTENCE * 7}\n",
        f"6:7 L001 {LONG} it takes 19 lines, and there is room for 9; it would fit at 3.4 pt",
    ),
    "a flavor text that is too long": (
        f"flavor: {'It always comes back, whatever anybody says about it. ' * 8}\n",
        "6:9 L001 `flavor` does not fit: at 3.2 pt, its smallest size, it takes 5 lines, and there is room for 3;"
        " it would fit at 2.7 pt",
    ),
    "a credit that is too long": (
        f"credit: {'Card design by anonymous author, CC0. ' * 5}\n",
        f"6:9 L002 `credit` {SHRUNK} 2.6 pt it is 66.4 mm long, and its line 56.0 mm",
    ),
    "an author whose name is wider than the picture": (
        f"art: {{file: a.png, author: {'A. Author and all of her many friends ' * 4}}}\n",
        f"6:28 L002 `art.author` {SHRUNK} 2.8 pt it is 59.5 mm long, and its line 50.8 mm",
    ),
    # The label is drawn in units of its own, 88 to its 9.5 mm: they mean nothing to an author.
    "a licence that is too long for its label is measured in mm of the card": (
        f"art: {{file: a.png, license: Free {'W' * 40}}}\n",
        f"6:29 L002 `art.license` {SHRUNK} 1.2 pt it is 12.0 mm long, and its line 8.3 mm",
    ),
}


@pytest.mark.parametrize(("given", "wanted"), SAID.values(), ids=SAID)
def test_what_its_author_reads(given: str, wanted: str) -> None:
    assert_says(message_of(f"name: A\n{MINION}{given}"), f"s/cards.yaml:{wanted}")


def test_a_name_that_is_too_long_even_condensed_and_shrunk() -> None:
    assert_says(
        said_of(f"name: The Very Long Name of a Card That Nobody Can Say in One Breath\n{MINION}"),
        f"s/cards.yaml:1:7 L002 `name` {SHRUNK} 7.4 pt it is 62.9 mm long, and its line 54.6 mm",
    )


def test_an_ability_text_that_is_not_a_line_too_long() -> None:
    write_set(Path("s"), f"name: A\n{MINION}text: 'GO: {SENTENCE * 7}'\n")
    assert kotc("check", "s", "--ignore", "V").exit_code == 0


def test_a_hyphen_lets_a_word_break() -> None:
    write_set(Path("s"), f"name: A\n{MINION}text: 'GO: {'W' * 20}-{'W' * 20}'\n")
    assert kotc("check", "s", "--ignore", "V").exit_code == 0


def test_a_text_of_a_template_without_an_id_is_named_as_an_element() -> None:
    place(write_set(Path("s"), "{name: Note, kind: tip, text: Hi.}"), {"tip.svg": svg('<text width="3">Hello</text>')})
    assert_says(
        kotc("check", "s", "--ignore", "V").stdout.rstrip("\n"),
        "s/templates/tip.svg:2:1 L002 on `note`, `<text>` does not fit: condensed and shrunk to 8.5 pt it is 7.6 mm long, and its line 3.0 mm",
    )


OVERHANGING = {
    '<text x="50" y="9" font-size="8">Beyond the card</text>': ["on `note`, `<text>` hangs 52.4 mm out of the card"],
    '<g transform="translate(50)"><text y="9" font-size="8">Beyond the card</text></g>': ["hangs 52.4 mm"],
    '<text x="5" y="99" font-size="5">below</text>': ["hangs 10.1 mm"],
    '<text x="50" y="9" width="90" font-size="8">Beyond the card</text>': [],
    '<text x="50" y="93" font-size="8">Ha</text>': [],
    '<svg width="63.5" height="88.9"><text x="50" y="9" font-size="8">Beyond the card</text></svg>': [],
}


@pytest.mark.parametrize("content", OVERHANGING)
def test_a_line_without_width_that_leaves_the_card_is_a_warning_unless_something_clips_it(content: str) -> None:
    place(write_set(Path("s"), "{name: Note, kind: tip, text: Hi.}"), {"tip.svg": svg(content)})
    result = kotc("check", "s", "--ignore", "V")
    assert result.exit_code == 0
    found = [line for line in result.stdout.split("\n") if "[L010]" in line]
    assert len(found) == len(OVERHANGING[content])
    assert all(words in line for words, line in zip(OVERHANGING[content], found, strict=True))


def test_a_line_that_hangs_out_is_told_of_the_key_that_its_id_names() -> None:
    place(
        write_set(Path("s"), "{name: Note, kind: tip, text: Hi.}"),
        {"tip.svg": svg('<text id="name" x="60">{{ card.name }} of ten words</text>')},
    )
    assert kotc("check", "s", "--ignore", "V").stdout.startswith("s/cards.yaml:1:8: warning: `name` hangs ")


def test_all_texts_of_all_cards_that_do_not_fit_are_told_at_once() -> None:
    card = f"- name: {'Long ' * 25}\n  id: {{}}\n  kind: tip\n  text: {'W' * 60}\n"
    said = said_of(card.format("one") + card.format("two"))
    assert [line.split(" error:")[0] for line in said.split("\n") if "error:" in line] == [
        "s/cards.yaml:1:9:",
        "s/cards.yaml:4:9:",
        "s/cards.yaml:5:9:",
        "s/cards.yaml:8:9:",
    ]


@pytest.mark.parametrize("command", ["png", "pdf", "build"])
def test_nothing_is_written_if_one_card_of_a_set_does_not_fit(command: str) -> None:
    fits = "- {name: One, kind: minion, level: 2, sp: 1, hp: 1}\n"
    write_set(Path("s"), fits + f"- {{name: Two, kind: tip, text: {'W' * 60}}}\n")
    result = kotc(command, "s")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.split("\n  hint: ")[1].startswith("a hyphen lets a word break")
    assert result.stderr.endswith("\n1 error\n")
    assert [path.name for path in Path.cwd().iterdir()] == ["s"]


ICON = '<icon href="icon.svg" words="I" height="{}"/>'


@pytest.mark.parametrize(
    ("box", "content", "code"),
    [
        ('width="45" height="2"', "a line that is taller than its box", "L001"),
        ('width="45" height="6"', 'a <tspan font-size="9">taller</tspan> word', "L001"),
        ('width="45" height="4"', f"an icon {ICON.format('4em')} taller than the box", "L001"),
        ('width="5" height="13"', ICON.format("4em"), "L001"),
        ('width="30" height="5" leading="0.6"', "lines that lie close, and are one too many for it " * 2, "L001"),
        ('width="9" height="9"', "Wortzusammensetzung", "L001"),
        ('width="4"', "too long a line", "L002"),
        ('width="4"', f"icons {ICON.format('1em')} in it", "L002"),
    ],
)
def test_what_would_leave_its_box_is_an_error(tmp_path: Path, box: str, content: str, code: str) -> None:
    icon = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    (tmp_path / "icon.svg").write_text(icon, encoding="utf-8")
    with pytest.raises(Refused) as error:
        laid_out(tmp_path, svg(f'<text x="6" y="30" font-size="3" {box}>{content}</text>'))
    assert [finding.code for finding in error.value.findings] == [code]

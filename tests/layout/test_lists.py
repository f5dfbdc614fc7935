"""Lists: what is written as one becomes one, and each line of an item stands in from its sign."""

from pathlib import Path

import pypdfium2
import pytest

from render.base.findings import Refused
from render.layout.rich_notation import Notation, read_rich
from render.pdf import document
from render.scene.items import Placement, TextRun
from tests.support.templates import laid_out, runs, svg

WRITTEN = """\
Choose one:
- Deal **two** damage
  - to a creature
  - or a player,
  at once
- Draw a card
Then go on:
9. First
10. Second"""
PRINTED = (
    'Choose one:<ul><li>Deal <tspan font-weight="bold">two</tspan> damage<ul><li>to a creature</li>'
    "<li>or a player,</li></ul><br/>at once</li><li>Draw a card</li></ul><br/>Then go on:"
    '<ul><li sign="9.">First</li><li sign="10.">Second</li></ul>'
)
LONG = "An item that is so long that it takes more than one line of its box"


def lines(folder: Path, words: str, attributes: str = "") -> list[tuple[float, float, str]]:
    """Return the lines of a box of 40 mm from x = 10 on: their left ends, heights and words, top to bottom."""
    box = f'x="10" y="10" width="40" height="40" font-size="3" min-size="1.5" {attributes}'
    found = runs(laid_out(folder, svg(f"<text {box}>{words}</text>")))
    return [(run.transform.e, run.transform.f, run.words) for run in found]


def right(run: TextRun) -> float:
    return run.transform.e + sum(run.advances) * run.size / 2048


def test_lines_that_begin_with_a_dash_or_a_number_are_lists() -> None:
    text, problems = read_rich(WRITTEN, Notation())
    assert problems == ()
    assert text.__html__() == PRINTED
    assert text.plain == WRITTEN.replace("**", "")


@pytest.mark.parametrize("words", ["\\- Old saying", "-1 life", "1.5 times", "-", "A - b", "2024. A year"])
def test_other_lines_are_none(words: str) -> None:
    assert "<li" not in read_rich(words, Notation())[0].__html__()


def test_a_list_holds_its_lines_in_from_its_signs(tmp_path: Path) -> None:
    sign, *of_item, after, last = lines(tmp_path, f"<ul><li>{LONG}</li><li>Two</li></ul>")
    assert (sign[2], after[2], last[2]) == ("•", "•", "Two")
    assert sign[0] == after[0] == pytest.approx(10)
    assert len(of_item) > 1
    assert {round(x, 4) for x, _, _ in (*of_item, last)} == {round(last[0], 4)}
    assert last[0] > 11.5
    assert sign[1] == of_item[0][1]


def test_numbers_end_at_one_place_and_a_list_in_a_list_stands_in_farther(tmp_path: Path) -> None:
    words = '<ol start="9"><li>Nine</li><li>Ten<ul><li sign="★">inner</li></ul></li></ol>After'
    scene = laid_out(tmp_path, svg(f'<text x="10" y="10" width="40" height="40" font-size="3">{words}</text>'))
    nine, first, ten, second, star, inner, after = runs(scene)
    assert [run.words for run in (nine, ten, star, after)] == ["9.", "10.", "★", "After"]
    assert right(nine) == pytest.approx(right(ten))
    assert first.transform.e == second.transform.e == pytest.approx(star.transform.e)
    assert inner.transform.e > second.transform.e > ten.transform.e == after.transform.e == 10


def test_a_list_from_right_to_left_has_its_signs_at_the_right(tmp_path: Path) -> None:
    words = "<ul><li>שלוף שני קלפים מן החפיסה ואז השלך קלף אחד</li></ul>"
    scene = laid_out(tmp_path, svg(f'<text x="10" y="10" width="40" height="40" font-size="3">{words}</text>'))
    sign, *of_item = runs(scene)
    assert right(sign) == pytest.approx(50)
    assert len(of_item) > 1
    assert {round(right(run), 3) for run in of_item} == {round(right(of_item[0]), 3)}
    assert right(of_item[0]) < sign.transform.e


def test_a_list_goes_around_a_box_and_shrinks(tmp_path: Path) -> None:
    items = "".join(f"<li>{LONG}</li>" for _ in range(6))
    found = lines(tmp_path, f"<ul>{items}</ul>", 'around="10 10 12 8" text-anchor="justify"')
    signs = [(x, y) for x, y, words in found if words == "•"]
    assert len(signs) == 6
    assert {round(x, 3) for x, y in signs if y < 18} == {22}
    assert {round(x, 3) for x, y in signs if y > 20} == {10}
    assert max(y for _, y, _ in found) < 50


def test_a_list_in_a_line_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"T007 .*`height` of `<text>`: expected a length"):
        laid_out(tmp_path, svg('<text y="9"><ul><li>a</li></ul></text>'))
    with pytest.raises(Refused, match="holds the text `a`"):
        laid_out(tmp_path, svg('<text height="9" width="9"><ul>a</ul></text>'))


def test_a_pdf_reads_a_list_line_by_line(tmp_path: Path) -> None:
    box = '<text x="10" y="10" width="50" height="50" font-size="3">'
    scene = laid_out(tmp_path, svg(f"{box}{PRINTED}</text>"))
    page = document.Page(size=scene.size, placements=(Placement(face=scene, box=scene.size.rect),))
    read = pypdfium2.PdfDocument(document.write([page], document.PdfOptions("Card")))
    assert read[0].get_textpage().get_text_range().split("\r\n") == [
        "Choose one:", "• Deal two damage", "– to a creature", "– or a player,", "at once", "• Draw a card",
        "Then go on:", "9. First", "10. Second",
    ]  # fmt: skip

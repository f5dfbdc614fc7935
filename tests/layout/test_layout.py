"""Laws of layout, seen through small templates and through the cards that people write."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from render.base.geometry import MM_PER_INCH, MM_PER_POINT, Rect
from render.game.faces import lay_out_set
from render.games.kotc.sets import load_sets
from render.scene.items import Group, Scene, TextRun, walk
from render.scene.items import Path as Drawing
from render.text import fonts
from tests.support import rasters
from tests.support.picture_files import letters, text
from tests.support.rasters import Extent
from tests.support.repository import ROOT
from tests.support.sets import SET, write_set
from tests.support.templates import as_pdf, as_png, laid_out, pictures, place, runs, svg

MINION = "kind: minion\nlevel: 1\nsp: 1\nhp: 1\n"
PX_PER_MM = 10
RED = (255, 0, 0)
DARK_RED = (128, 0, 0)
QUARTERS = """
    <rect width="1" height="1" fill="#f00"/>
    <rect x="1" width="1" height="1" fill="#00f"/>
    <rect y="1" width="1" height="1" fill="#0f0"/>
    <rect x="1" y="1" width="1" height="1" fill="#000"/>
"""


def small(folder: Path, content: str, width: int = 8, height: int = 4) -> Scene:
    """Return the scene of a template of so many mm."""
    root = f'xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    return laid_out(folder, svg(content, root))


def seen(scene: Scene) -> str:
    """Return the face as letters, one for the middle of each mm, after making sure that the PDF shows the same."""
    as_they_show_it = (lay_out_set(scene, PX_PER_MM * MM_PER_INCH) for lay_out_set in (as_png, as_pdf))
    one, other = (letters(Image.fromarray(pixels.astype(np.uint8)), PX_PER_MM) for pixels in as_they_show_it)
    assert one == other
    return one


def shapes(scene: Scene) -> list[Drawing]:
    return [item for item in walk(scene.items) if isinstance(item, Drawing)]


def width(run: TextRun) -> float:
    return sum(run.advances) / fonts.face(run.face).units_per_em * run.size * run.stretch


def set_lines(scene: Scene) -> list[tuple[float, float, float]]:
    """Return baseline, start and end of each line of text, from the top."""
    found: dict[float, list[TextRun]] = {}
    for run in runs(scene):
        found.setdefault(round(run.transform.f, 6), []).append(run)
    return [
        (y, min(run.transform.e for run in line), max(run.transform.e + width(run) for run in line))
        for y, line in sorted(found.items())
    ]


def fronts(folder: Path, cards: str, set_yaml: str = SET) -> list[Scene]:
    """Return the fronts of the cards of a set."""
    (card_set,) = load_sets([write_set(folder, cards, set_yaml)])
    return [faces.front for faces in lay_out_set(card_set).faces]


def front(folder: Path, card: str, set_yaml: str = SET) -> Scene:
    (scene,) = fronts(folder, card, set_yaml)
    return scene


def words(scene: Scene) -> list[str]:
    return [run.words for run in runs(scene)]


# --- presentation ---


def test_presentation_is_inherited_and_the_nearest_wins(tmp_path: Path) -> None:
    scene = small(
        tmp_path,
        """
        <g fill="#f00"><rect width="1" height="1"/><g fill="#0f0">
          <rect width="1" height="1"/><rect fill="#00f" width="1" height="1"/>
        </g></g>
        <rect width="1" height="1"/>
        """,
    )
    assert [shape.fill for shape in shapes(scene)] == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)]


def test_the_root_passes_its_presentation_on(tmp_path: Path) -> None:
    root = 'xmlns="http://www.w3.org/2000/svg" width="8" height="4" fill="#f00" font-weight="bold" font-size="2"'
    (run,) = runs(laid_out(tmp_path, svg("<text>Hello</text>", root)))
    assert (run.fill, run.face, run.size) == (RED, "DejaVu Sans Bold", 2)


def test_strokes_and_dashes_grow_with_the_transform(tmp_path: Path) -> None:
    scene = small(
        tmp_path,
        '<g stroke="#f00" stroke-width="0.5" stroke-dasharray="2 1"><path transform="scale(3)" d="M0 0 H1"/></g>',
    )
    stroke = shapes(scene)[0].stroke
    assert stroke is not None
    assert (stroke.width, stroke.dashes) == (1.5, (6, 3))


def test_an_odd_number_of_dashes_is_taken_twice(tmp_path: Path) -> None:
    stroke = shapes(small(tmp_path, '<path stroke="#f00" stroke-dasharray="2" d="M0 0 H8"/>'))[0].stroke
    assert stroke is not None
    assert stroke.dashes == (2, 2)


@pytest.mark.parametrize("content", ['<rect fill="none" width="1" height="1"/>', '<path d=""/>', '<circle r="0"/>'])
def test_what_cannot_be_seen_is_not_drawn(tmp_path: Path, content: str) -> None:
    assert small(tmp_path, content).items == ()


def test_a_line_has_no_inside(tmp_path: Path) -> None:
    assert shapes(small(tmp_path, '<line x2="8" fill="#f00" stroke="#00f"/>'))[0].fill is None


# --- nested drawings ---


@pytest.mark.parametrize(
    ("aspect", "picture"),
    [
        ("", "WWRRBBWW WWRRBBWW WWGGKKWW WWGGKKWW"),
        ("xMidYMid meet", "WWRRBBWW WWRRBBWW WWGGKKWW WWGGKKWW"),
        ("xMinYMid", "RRBBWWWW RRBBWWWW GGKKWWWW GGKKWWWW"),
        ("xMaxYMin meet", "WWWWRRBB WWWWRRBB WWWWGGKK WWWWGGKK"),
        ("xMidYMid slice", "RRRRBBBB RRRRBBBB GGGGKKKK GGGGKKKK"),
        ("xMidYMin slice", "RRRRBBBB RRRRBBBB RRRRBBBB RRRRBBBB"),
        ("xMidYMax slice", "GGGGKKKK GGGGKKKK GGGGKKKK GGGGKKKK"),
        ("none", "RRRRBBBB RRRRBBBB GGGGKKKK GGGGKKKK"),
    ],
)
def test_a_view_box_fills_its_box_as_it_is_told(tmp_path: Path, aspect: str, picture: str) -> None:
    told = f'preserveAspectRatio="{aspect}"' if aspect else ""
    scene = small(tmp_path, f'<svg width="8" height="4" viewBox="0 0 2 2" {told}>{QUARTERS}</svg>')
    assert seen(scene) == text(picture)


@pytest.mark.parametrize(
    ("content", "picture"),
    [
        pytest.param(
            f'<svg x="2" width="4" height="4" viewBox="1 0 2 2">{QUARTERS}</svg>',
            "WWBBWWWW WWBBWWWW WWKKWWWW WWKKWWWW",
            id="a view box may start anywhere",
        ),
        pytest.param(
            f'<svg x="3" y="1" width="4" height="3">{QUARTERS}</svg>',
            "WWWWWWWW WWWRBWWW WWWGKWWW WWWWWWWW",
            id="without a view box a nested drawing is only moved",
        ),
        pytest.param(
            '<svg x="2" y="1" width="4" height="2"><circle r="99" fill="#f00"/></svg>',
            "WWWWWWWW WWRRRRWW WWRRRRWW WWWWWWWW",
            id="a nested drawing clips what it holds",
        ),
        pytest.param(
            f'<svg x="2" width="1" height="1" overflow="visible">{QUARTERS}</svg>',
            "WWRBWWWW WWGKWWWW WWWWWWWW WWWWWWWW",
            id="overflow that is visible is seen",
        ),
        pytest.param(
            '<svg x="1" y="1" width="5" height="2"><svg x="2" y="-2" width="9" height="4"><rect x="-9" y="-9" width="99" height="99" fill="#f00"/></svg></svg>',
            "WWWWWWWW WWWRRRWW WWWRRRWW WWWWWWWW",
            id="a clip within a clip shows what both let through",
        ),
    ],
)
def test_nested_drawings_are_moved_scaled_and_clipped(tmp_path: Path, content: str, picture: str) -> None:
    assert seen(small(tmp_path, content)) == text(picture)


def test_a_clip_cuts_pictures_and_does_not_reach_beyond_its_end(tmp_path: Path) -> None:
    Image.new("RGB", (40, 40), "#00f").save(tmp_path / "a.png")
    scene = small(
        tmp_path,
        """
        <svg x="1" width="2" height="2"><image x="-1" width="4" height="4" href="a.png"/></svg>
        <image x="5" width="3" height="3" href="a.png"/>
        """,
    )
    assert seen(scene) == text("WBBWWBBB WBBWWBBB WWWWWBBB WWWWWWWW")


@pytest.mark.parametrize(
    ("turn", "clip"),
    [(90, Rect(3, 2, 1, 2)), (180, Rect(4, 3, 2, 1)), (270, Rect(4, 4, 1, 2)), (-90, Rect(4, 4, 1, 2))],
)
def test_a_clip_can_be_turned_by_quarters(tmp_path: Path, turn: int, clip: Rect) -> None:
    """The box from (-2, 0) to (0, 1), turned about the origin, which stands at (4, 4)."""
    nested = f'<svg x="-2" width="2" height="1">{QUARTERS}</svg>'
    (group,) = small(tmp_path, f'<g transform="translate(4 4) rotate({turn})">{nested}</g>').items
    assert isinstance(group, Group)
    assert group.clip == clip


def test_text_is_clipped_in_png_and_pdf_alike(tmp_path: Path) -> None:
    words = '<text x="-1" y="3.5" font-size="5" font-weight="bold">MWMW</text>'
    clipped = small(tmp_path, f'<svg x="2" width="3" height="4">{words}</svg>')
    for drawing in (as_png(clipped, 254), as_pdf(clipped, 254)):
        ink = rasters.extent(rasters.darkest(drawing) < 128)
        assert (ink.left, ink.right) == (20, 49)


# --- pictures ---


@pytest.mark.parametrize(
    ("aspect", "picture"),
    [
        ("xMidYMid meet", "WWRRBBWW WWRRBBWW WWGGKKWW WWGGKKWW"),
        ("xMinYMin slice", "RRRRBBBB RRRRBBBB RRRRBBBB RRRRBBBB"),
        ("none", "RRRRBBBB RRRRBBBB GGGGKKKK GGGGKKKK"),
    ],
)
def test_a_picture_fills_its_box_as_it_is_told(tmp_path: Path, aspect: str, picture: str) -> None:
    image = Image.new("RGB", (400, 400), "#f00")
    image.paste("#00f", (200, 0, 400, 200))
    image.paste("#0f0", (0, 200, 200, 400))
    image.paste("#000", (200, 200, 400, 400))
    image.save(tmp_path / "a.png")
    box = f'<image width="8" height="4" href="a.png" preserveAspectRatio="{aspect}"/>'
    assert seen(small(tmp_path, box)) == text(picture)


def test_a_picture_turned_by_180_degrees_stands_on_its_head(tmp_path: Path) -> None:
    image = Image.new("RGB", (400, 200), "#f00")
    image.paste("#00f", (200, 0, 400, 200))
    image.save(tmp_path / "a.png")
    turned = '<image transform="rotate(180 4 2)" width="4" height="4" href="a.png" preserveAspectRatio="none"/>'
    assert seen(small(tmp_path, turned)) == text("WWWWBBRR WWWWBBRR WWWWBBRR WWWWBBRR")


# --- styles within a text ---


def test_a_tspan_changes_face_and_color_of_its_words_only(tmp_path: Path) -> None:
    scene = small(
        tmp_path,
        """
        <text>one <tspan font-style="italic" fill="#f00">two <tspan font-style="normal">three</tspan></tspan>
        four</text>
        """,
    )
    assert [(run.words, run.face, run.fill) for run in runs(scene)] == [
        ("one ", "DejaVu Sans", (0, 0, 0)),
        ("two ", "DejaVu Sans Oblique", RED),
        ("three ", "DejaVu Sans", RED),
        ("four", "DejaVu Sans", (0, 0, 0)),
    ]


def test_a_run_starts_where_the_one_before_it_ends(tmp_path: Path) -> None:
    scene = small(tmp_path, '<text x="1">one <tspan fill="#f00">two</tspan>, three</text>')
    for one, other in pairwise(runs(scene)):
        assert other.transform.e == pytest.approx(one.transform.e + width(one))


def test_a_tspan_without_a_style_of_its_own_leaves_ligatures_whole(tmp_path: Path) -> None:
    (run,) = runs(small(tmp_path, "<text>on-<tspan>f</tspan>ield</text>"))
    assert "fi" in run.text


@pytest.mark.parametrize(
    "content",
    [
        "<text>\n   one\n   two\n three  </text>",
        "<text>\n\tone\n\ttwo\tthree\n</text>",
        "<text>one<tspan> </tspan>two<tspan>\n</tspan>three</text>",
    ],
    ids=["spaces", "tabs", "spaces in a tspan"],
)
def test_spaces_and_line_breaks_count_as_one_space_and_none_at_the_ends(tmp_path: Path, content: str) -> None:
    assert words(small(tmp_path, content)) == ["one two three"]


@pytest.mark.parametrize(("anchor", "share"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_the_anchor_of_a_line_is_its_start_middle_or_end(tmp_path: Path, anchor: str, share: float) -> None:
    (run,) = runs(small(tmp_path, f'<text x="5" y="3" text-anchor="{anchor}">Hello</text>'))
    assert run.transform.e + width(run) * share == pytest.approx(5)


def test_a_transform_moves_text_as_it_moves_shapes(tmp_path: Path) -> None:
    scene = small(tmp_path, '<g transform="translate(4 2) rotate(90)"><text x="1" y="-1">I</text></g>')
    at = runs(scene)[0].transform
    assert (at.a, at.b, at.c, at.d, at.e, at.f) == (0, 1, -1, 0, 5, 3)


# --- lines and boxes of text ---

LONG = "Target up to 2 on-field minions; destroy the targets, then draw 1 card and heal yourself."


def box(content: str, attributes: str) -> str:
    return f'<text x="5" y="7" width="30" height="40" font-size="3" {attributes}>{content}</text>'


def test_justified_lines_fill_the_width_but_for_the_last(tmp_path: Path) -> None:
    found = set_lines(small(tmp_path, box(LONG, 'text-anchor="justify"')))
    assert len(found) > 3
    assert [start for _, start, _ in found] == pytest.approx([5] * len(found))
    assert [end for _, _, end in found[:-1]] == pytest.approx([35] * (len(found) - 1), abs=0.01)
    assert found[-1][2] < 34


def test_the_last_line_of_a_justified_paragraph_is_as_it_would_be_set_alone(tmp_path: Path) -> None:
    *_, last = runs(small(tmp_path, box(LONG, 'text-anchor="justify"')))
    (alone,) = runs(small(tmp_path, box(last.words, 'text-anchor="start"')))
    assert last.advances == alone.advances


@pytest.mark.parametrize(("anchor", "share"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_lines_of_a_box_stand_at_its_start_middle_or_end(tmp_path: Path, anchor: str, share: float) -> None:
    found = set_lines(small(tmp_path, box(LONG, f'text-anchor="{anchor}"')))
    assert [start + (end - start) * share for _, start, end in found] == pytest.approx([5 + 30 * share] * len(found))


def test_paragraphs_are_separated_by_an_empty_line(tmp_path: Path) -> None:
    blocks = "".join(f'<tspan display="block">{word}</tspan>' for word in ("One one.", "Two two.", "Three."))
    baselines = [y for y, _, _ in set_lines(small(tmp_path, box(blocks, 'leading="1.2"')))]
    assert np.diff(baselines) == pytest.approx([2 * 1.2 * 3] * 2)


def test_the_gap_between_paragraphs_can_be_half_a_line(tmp_path: Path) -> None:
    blocks = '<tspan display="block">One.</tspan><tspan display="block">Two.</tspan>'
    baselines = [y for y, _, _ in set_lines(small(tmp_path, box(blocks, 'leading="1.2" paragraph-gap="0.5"')))]
    assert np.diff(baselines) == pytest.approx([1.5 * 1.2 * 3])


def test_an_empty_paragraph_leaves_no_gap(tmp_path: Path) -> None:
    empty = '<tspan display="block"> </tspan>'
    two = '<tspan display="block">One.</tspan>{}<tspan display="block">Two.</tspan>'
    one, other = (small(tmp_path, box(two.format(between), "")) for between in ("", empty))
    assert one == other


@pytest.mark.parametrize("size", ["8pt", "3.02", "1.333"])
def test_a_text_that_has_only_one_size_is_set_at_it(tmp_path: Path, size: str) -> None:
    (run,) = runs(small(tmp_path, f'<text width="30" height="10" font-size="{size}">Hello</text>'))
    assert run.size == pytest.approx(8 * MM_PER_POINT if size == "8pt" else float(size))


def test_a_text_takes_the_largest_size_at_which_it_fits(tmp_path: Path) -> None:
    scene = small(tmp_path, f'<text width="30" height="12" font-size="5" min-size="1">{LONG}</text>')
    (size,) = {run.size for run in runs(scene)}
    larger = f'<text width="30" height="12" font-size="{size + 0.05}" min-size="1">{LONG}</text>'
    assert 1 < size < 5
    assert {run.size for run in runs(small(tmp_path, larger))} == {size}


def test_a_line_that_is_too_long_is_condensed_before_it_is_shrunk(tmp_path: Path) -> None:
    def fitted(width: float) -> tuple[float, float]:
        line = f'<text width="{width}" font-size="3" min-stretch="0.8" min-size="1">Hello there</text>'
        (run,) = runs(small(tmp_path, line))
        return run.stretch, run.size

    natural = width(runs(small(tmp_path, '<text font-size="3">Hello there</text>'))[0])
    assert fitted(natural) == (1, 3)
    assert fitted(natural * 0.9) == pytest.approx((0.9, 3))
    assert fitted(natural * 0.8) == pytest.approx((0.8, 3))
    assert fitted(natural * 0.4) == pytest.approx((0.8, 1.5))


# --- the numbers in the symbols ---


SYMBOLS = {"sp": 6.0, "level": 5.4, "hp": 5.6}
"""The width in mm that a number may take in its symbol."""

Numbers = dict[int, dict[str, TextRun]]


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Numbers:
    """How SP, level and HP of a minion are set, by their value."""
    values = (8, 16, 99, 100, 999)
    cards = "".join(f"- {{name: A {n}, kind: minion, level: {n}, sp: {n}, hp: {n}}}\n" for n in values)
    scenes = fronts(tmp_path_factory.mktemp("numbers"), cards)
    return {
        value: dict(zip(SYMBOLS, (run for run in runs(scene) if run.words == str(value)), strict=True))
        for value, scene in zip(values, scenes, strict=True)
    }


@pytest.mark.parametrize("value", [16, 99, 100, 999])
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_numbers_of_two_and_three_digits_shrink_about_the_middle_of_one(
    numbers: Numbers, value: int, symbol: str
) -> None:
    def middle(run: TextRun) -> tuple[float, float]:
        return run.transform.e + width(run) / 2, run.transform.f - run.size * fonts.CAP_HEIGHT / 2

    one, more = numbers[8][symbol], numbers[value][symbol]
    assert middle(more) == pytest.approx(middle(one), abs=1e-6)
    assert width(more) <= SYMBOLS[symbol] + 1e-6


def test_three_digits_are_smaller_than_two(numbers: Numbers) -> None:
    assert numbers[100]["level"].size < numbers[99]["level"].size


# --- templates of the set ---


def test_a_template_of_the_set_wins_over_a_built_in_one(tmp_path: Path) -> None:
    place(tmp_path, {"minion.svg": svg('<text id="name" y="9">{{ card.name }}!</text>')})
    assert words(front(tmp_path, f"name: Storm\n{MINION}")) == ["Storm!"]


def test_the_folder_of_templates_wins_over_the_sets_own_folder(tmp_path: Path) -> None:
    place(tmp_path, {"minion.svg": svg("<text>from templates</text>")})
    (tmp_path / "minion.svg").write_text(svg("<text>from the set</text>"))
    (tmp_path / "spell.svg").write_text(svg("<text>from the set</text>"))
    cards = "- {name: A, kind: minion, level: 1, sp: 1, hp: 1}\n- {name: B, kind: spell, level: 1, text: Draw.}\n"
    assert [words(scene) for scene in fronts(tmp_path, cards)] == [["from templates"], ["from the set"]]


def test_a_template_of_the_set_can_extend_a_built_in_one(tmp_path: Path) -> None:
    card = f"name: Storm\n{MINION}"
    whole = words(front(tmp_path, card))
    place(tmp_path, {"minion.svg": '{% extends "kotc/minion.svg" %}{% block credit %}{% endblock %}'})
    credit = next(words for words in whole if words.startswith("Card design"))
    assert words(front(tmp_path, card)) == [each for each in whole if each != credit]


KINDS = """
- {name: A, kind: minion, level: 1, sp: 1, hp: 1}
- {name: B, kind: spell, level: 1, text: Draw 1 card.}
- {name: C, kind: pawn}
- {name: D, kind: tip, text: Draw 1 card.}
- {name: E, kind: creature, edition: 9, cost: 1, offense: 1, defense: 1}
"""


def test_a_frame_of_the_set_changes_every_kind_of_card(tmp_path: Path) -> None:
    place(tmp_path, {"frame.svg": '{% extends "kotc/frame.svg" %}{% block edition %}<text>ours</text>{% endblock %}'})
    scenes = fronts(tmp_path, KINDS)
    place(tmp_path, {"frame.svg": svg("<text>ours</text>")})
    bare = fronts(tmp_path, KINDS)
    assert [words(scene) for scene in bare] == [["ours"]] * 5
    assert [words(scene).count("ours") for scene in scenes] == [1, 1, 1, 0, 1], "a tip has an edition of its own"


def test_the_symbols_of_the_set_change_every_card_that_shows_them(tmp_path: Path) -> None:
    symbols = (ROOT / "templates/kotc/symbols.svg").read_text(encoding="utf-8")
    place(tmp_path, {"symbols.svg": symbols.replace("#aaffaa", "#ff0000")})
    scenes = fronts(tmp_path, KINDS)
    assert [any(shape.fill == RED for shape in shapes(scene)) for scene in scenes] == [True, True, True, False, True]


def test_a_back_of_the_set_is_used_by_its_name(tmp_path: Path) -> None:
    place(tmp_path, {"sky.svg": svg("<text>sky</text>")})
    (card_set,) = load_sets([write_set(tmp_path, f"name: A\nback: sky\n{MINION}")])
    back = lay_out_set(card_set).faces[0].back
    assert back
    assert words(back) == ["sky"]


# --- red, and the padlock ---

CONDITION = 'name: A\nkind: spell\nlevel: 1\ntext: "When you take damage: Draw 1 card."\n'


def reds(scene: Scene) -> list[str]:
    return [run.words.strip() for run in runs(scene) if run.fill == DARK_RED]


def test_the_condition_of_a_spell_is_red(tmp_path: Path) -> None:
    assert reds(front(tmp_path, CONDITION)) == ["When you take damage:"]


def test_a_set_can_turn_the_red_off(tmp_path: Path) -> None:
    colored, plain = front(tmp_path, CONDITION), front(tmp_path, CONDITION, SET + "red: false\n")
    assert reds(plain) == []
    assert shapes(plain) == shapes(colored), "the padlock stays"
    assert "".join(words(plain)) == "".join(words(colored))


# --- the picture of a card ---

ART = Rect(3.175, 10.795, 57.15, 35.56)


def card_with_art(folder: Path, size: tuple[int, int], keys: str) -> Scene:
    """Return a minion whose picture is all blue."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, "#00f").save(folder / "a.png")
    return front(folder, f"name: A\n{MINION}art: {{file: a.png, {keys}}}\n")


def blue(pixels: rasters.Pixels) -> Extent:
    return rasters.extent((np.abs(pixels - np.array((0, 0, 255))) < 24).all(axis=2))


@pytest.mark.parametrize("draw_it", [as_png, as_pdf])
@pytest.mark.parametrize("size", [(400, 400), (800, 200), (600, 300)])
def test_cover_fills_the_box_of_the_picture(tmp_path: Path, size: tuple[int, int], draw_it: object) -> None:
    pixels = draw_it(card_with_art(tmp_path, size, "fit: cover"), 254)  # type: ignore[operator]
    assert blue(pixels).distance(Extent(108, 463, 32, 602)) <= 2


@pytest.mark.parametrize("draw_it", [as_png, as_pdf])
def test_contain_shows_all_of_a_tall_picture_between_two_white_bars(tmp_path: Path, draw_it: object) -> None:
    pixels = draw_it(card_with_art(tmp_path, (400, 400), "fit: contain"), 254)  # type: ignore[operator]
    assert blue(pixels).distance(Extent(108, 463, 140, 495)) <= 2
    assert (pixels[120:450, 40:130] == 255).all() and (pixels[120:450, 505:595] == 255).all()


@pytest.mark.parametrize("draw_it", [as_png, as_pdf])
def test_contain_shows_all_of_a_wide_picture_between_two_white_bars(tmp_path: Path, draw_it: object) -> None:
    pixels = draw_it(card_with_art(tmp_path, (800, 400), "fit: contain"), 254)  # type: ignore[operator]
    assert blue(pixels).distance(Extent(143, 428, 32, 602)) <= 2
    assert (pixels[112:138, 40:595] == 255).all() and (pixels[434:460, 40:595] == 255).all()


def test_contain_is_what_nobody_asks_for(tmp_path: Path) -> None:
    plain, contained = (card_with_art(tmp_path, (400, 400), keys) for keys in ("author: ''", "fit: contain"))
    assert plain == contained


CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")


@dataclass(frozen=True)
class Gaps:
    """How far the ink of author and licence stays from the edges of the picture, in mm."""

    top: float
    bottom: float
    left: float
    right: float

    @property
    def ends(self) -> tuple[float, float, float, float]:
        return self.top, self.bottom, self.left, self.right


def gaps(folder: Path, keys: str, size: tuple[int, int] = (643, 400)) -> Gaps:
    """Return the gaps between the ink upon the picture of a card and the picture's edges."""
    scene = card_with_art(folder, size, keys)
    box = pictures(scene)[0].box
    edges = [round(each * PX_PER_MM) for each in (box.y, box.bottom, box.x, box.right)]
    top, bottom, left, right = edges[0] + 1, edges[1] - 1, edges[2] + 1, edges[3] - 1
    upon = as_png(scene, PX_PER_MM * MM_PER_INCH)[top:bottom, left:right]
    ink = rasters.extent(rasters.lightest(np.abs(upon - np.array((0, 0, 255)))) > 64)
    height, width, _ = upon.shape
    ends = (ink.top, height - 1 - ink.bottom, ink.left, width - 1 - ink.right)
    return Gaps(*((end + 1) / PX_PER_MM for end in ends))


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("keys", ["author: A. Author, license: CC0", "author: A. Author", "license: CC BY-SA 4.0"])
@pytest.mark.parametrize("size", [(643, 400), (400, 400)], ids=["a wide picture", "a tall picture"])
def test_author_and_licence_stand_in_the_corner_of_the_picture_that_is_named(
    tmp_path: Path, corner: str, keys: str, size: tuple[int, int]
) -> None:
    """Their ink keeps 1.25 mm from both edges, the side bearing of a letter apart."""
    found = gaps(tmp_path, f"{keys}, corner: {corner}", size)
    down, across = corner.split("-")
    near = {name: getattr(found, name) for name in (down, across)}
    assert near == pytest.approx({down: 1.25, across: 1.25}, abs=0.25)
    assert all(gap > 10 for gap in (found.ends) if gap not in near.values())


@pytest.mark.parametrize("corner", ["top-left", "bottom-right"])
def test_the_author_is_nearer_to_the_edge_than_the_licence(tmp_path: Path, corner: str) -> None:
    keys = f"author: A. Author, corner: {corner}"
    author, both = gaps(tmp_path / "author", keys), gaps(tmp_path / "both", f"{keys}, license: CC0")
    if corner == "top-left":
        assert both.top == author.top
        assert both.bottom < author.bottom - 3
    else:
        assert both.bottom == author.bottom
        assert both.top < author.top - 3


@pytest.mark.parametrize(("color", "fill"), [("white", (255, 255, 255)), ("black", (0, 0, 0))])
def test_the_authors_name_has_the_color_that_is_asked_for(
    tmp_path: Path, color: str, fill: tuple[int, int, int]
) -> None:
    scene = card_with_art(tmp_path, (600, 400), f"author: A. Author, color: {color}")
    assert [run.fill for run in runs(scene) if run.words == "A. Author"] == [fill]


def test_a_card_without_a_picture_has_a_drawn_one_in_its_place(tmp_path: Path) -> None:
    scene = front(tmp_path, f"name: A\n{MINION}")
    assert pictures(scene) == []
    (group,) = (item for item in scene.items if isinstance(item, Group))
    assert group.clip == ART

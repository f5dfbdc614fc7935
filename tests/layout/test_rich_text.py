"""Rich text: its notation, icons in lines, sizes, rules, boxes in corners; the same in PNG and PDF, and searched."""

import shutil
import subprocess
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from render.base.findings import Refused
from render.base.geometry import Rect
from render.images import inspect
from render.layout.bleed import add_bleed
from render.layout.lay_out import lay_out, validate
from render.layout.rich_notation import Notation, RichText, read_icons, read_rich
from render.layout.templates.template import Templates
from render.pdf import document
from render.pdf.document import Page, PdfOptions
from render.png.paint import draw_png
from render.scene.items import Path as Shape
from render.scene.items import Placement, Scene, TextRun, UnseenRun
from render.scene.proof_kinds import Proof
from render.scene.proofs import proof
from render.text.box_lines import Leading, TextBlock, TextBox
from render.text.fitting import FittedBox, fit_box
from render.text.line_breaking import ICON, InlineIcon, TextStyle
from tests.support import rasters
from tests.support.scene_dumps import dump

NOTATION = Notation(
    icons=(("T", "turn.svg"), ("R", "turn.svg"), ("#", "number.svg")),
    colors=(("ember", "#b5432a"),),
    bold=("Flying", "First strike"),
    reminders=(("Flying", "can be blocked only by what flies"),),
)
_SVG = '<svg xmlns="http://www.w3.org/2000/svg"'
TURN = f'{_SVG} viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="{{{{ color }}}}"/></svg>'
NUMBER = (
    f'{_SVG} viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#dddddd"/>'
    '<text x="5" y="7.6" width="9" text-anchor="middle" font-size="7" min-stretch="0.5">{{ value }}</text></svg>'
)

Laid = Callable[..., Scene]


@pytest.fixture
def laid(tmp_path: Path) -> Laid:
    """Lay out the elements of a template of 63.5 x 88.9 mm, with values."""
    (tmp_path / "turn.svg").write_text(TURN)
    (tmp_path / "number.svg").write_text(NUMBER)

    def lay(body: str, **values: object) -> Scene:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">{body}</svg>'
        (tmp_path / "face.svg").write_text(svg)
        return lay_out(Templates([tmp_path]).get("face"), values, _no_picture)

    return lay


def _no_picture(_href: str) -> inspect.Artwork:
    raise Refused([])


def rich(text: str) -> RichText:
    found, problems = read_rich(text, NOTATION)
    assert problems == ()
    return found


def said(text: str) -> list[tuple[str, str, str]]:
    """Return code, words and message of each mistake in a text."""
    _, problems = read_rich(text, NOTATION)
    return [(each.code, text[each.start : each.end], each.message) for each in problems]


# --- the notation ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a **b** *c* d", 'a <tspan font-weight="bold">b</tspan> <tspan font-style="italic">c</tspan> d'),
        ("**a**b", '<tspan font-weight="bold">a</tspan>b'),
        ("2 * 3 and \\*", "2 * 3 and *"),
        ("{T}: <&>", '<icon href="turn.svg" words="{T}"/>: &lt;&amp;&gt;'),
        ("{12}", '<icon href="number.svg" value="12" words="{12}"/>'),
        ("[ember: hot] [x] [", '<tspan fill="#b5432a">hot</tspan> [x] ['),
        ("one\ntwo", "one<br/>two"),
        ("one\n\ntwo", '<tspan display="block">one</tspan><tspan display="block">two</tspan>'),
        ("one\n---\ntwo", '<tspan display="block">one</tspan><rule/><tspan display="block">two</tspan>'),
        ("---\none\n---\n---\n", "one"),
        ("First strike, strike", '<tspan font-weight="bold">First strike</tspan>, strike'),
        ("", ""),
    ],
)
def test_a_text_is_printed_as_elements(text: str, printed: str) -> None:
    assert rich(text).__html__() == printed


def test_a_reminder_stands_behind_its_keyword_once() -> None:
    html = rich("Flying. Flying creatures are *Flying*.").__html__()
    assert html.count("optional") == 1
    assert html.startswith('<tspan font-weight="bold">Flying</tspan><tspan optional="true"')


def test_what_is_marked_in_a_reminder_is_printed() -> None:
    notation = NOTATION._replace(reminders=(("Flying", "**only** by *what* [ember: burns] {T}"),))
    html = read_rich("Flying", notation)[0].__html__()
    assert html.endswith(
        ' (<tspan font-weight="bold" font-style="normal">only</tspan> by <tspan font-style="normal">what</tspan>'
        ' <tspan fill="#b5432a">burns</tspan> <icon href="turn.svg" words="{T}"/>)</tspan>'
    )


def test_all_mistakes_are_told_at_once_each_at_its_place() -> None:
    assert said("{t} **a [embr: b]\nc* \\q }\n\n[ember: d") == [
        ("U001", "{t}", "there is no icon `{t}`"),
        ("U003", "**", "`**` is not closed"),
        ("U004", "[embr: ", "there is no color `embr`"),
        ("U003", "*", "`*` begins and ends nothing here"),
        (
            "U006", "\\q", "a backslash stands before `\\`, `*`, `{`, `}`, `[`, `]` or `-`, not before `q`",
        ),
        ("U002", "}", "`}` closes nothing"),
        ("U005", "[ember: ", "the color is not closed"),
    ]  # fmt: skip


def test_a_cost_holds_nothing_but_icons() -> None:
    assert read_icons("{2} {T}", NOTATION)[1] == ()
    assert [each.message for each in read_icons("{2}R", NOTATION)[1]] == ["`R` is no icon"]


@given(st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read(text: str) -> None:
    read, problems = read_rich(text, NOTATION)
    assert all(0 <= each.start < each.end <= len(text) for each in problems)
    assert isinstance(read.__html__(), str)


# --- fitting --------------------------------------------------------------------------------------------------------

_PLAIN = TextStyle("DejaVu Sans", (0, 0, 0))
_ICON = InlineIcon(("turn.svg", ""), "{T}", 0.9, 0.9)
_TURN = replace(_PLAIN, icon=_ICON)
_STYLED = st.sampled_from(
    ((ICON, _TURN), ("word ", _PLAIN), (" longer-word, ", _PLAIN), ("small ", replace(_PLAIN, scale=0.8)),
     ("TALL", replace(_PLAIN, scale=1.5)), (ICON, replace(_TURN, icon=replace(_ICON, height=1.6)))),
)  # fmt: skip


@given(st.lists(_STYLED, min_size=1, max_size=30), st.sampled_from(((), (Rect(20.0, 15.0, 10.0, 5.0),))))
@settings(max_examples=60, deadline=None)
def test_a_text_with_icons_that_fits_at_a_size_fits_at_every_smaller_one(
    styled: list[tuple[str, TextStyle]], around: tuple[Rect, ...]
) -> None:
    def fits(size: float) -> bool:
        box = TextBox(room=Rect(0.0, 0.0, 30.0, 20.0), align="start", largest=size, smallest=size, step=0.05,
                      leading=Leading(1.2), around=around)  # fmt: skip
        return isinstance(fit_box([TextBlock(tuple(styled))], box), FittedBox)

    found = [fits(tenth / 10) for tenth in range(8, 60, 4)]
    assert found == sorted(found, reverse=True)


def test_no_line_breaks_between_an_icon_and_what_it_touches(laid: Laid) -> None:
    icon = '<icon href="turn.svg" words="{T}"/>'
    for width in range(8, 40):
        scene = laid(
            f'<text x="2" y="2" width="{width}" height="80" font-size="3">aa {icon}{icon}, bb ({icon}) cc</text>'
        )
        lines: dict[float, str] = {}
        for run in scene.items:
            if isinstance(run, TextRun):
                lines[run.transform.f] = lines.get(run.transform.f, "") + run.words
        assert " ".join(each.strip() for each in lines.values()).split() == ["aa", "{T}{T},", "bb", "({T})", "cc"]
        assert all("({T})" in each or "{T}{T}," in each or "{T}" not in each for each in lines.values())


def test_a_text_stands_at_the_top_in_the_middle_or_at_the_bottom_of_its_box(laid: Laid) -> None:
    def baseline(align: str) -> float:
        box = f'x="2" y="10" width="50" height="40" font-size="4" leading="1" vertical-align="{align}"'
        (run,) = laid(f"<text {box}>Word</text>").items
        assert isinstance(run, TextRun)
        return run.transform.f

    top, middle, bottom = map(baseline, ("top", "middle", "bottom"))
    assert (middle - top, bottom - top) == pytest.approx((18.0, 36.0))


def test_lines_beside_a_box_are_shorter_and_no_word_lies_on_it(laid: Laid) -> None:
    for place in ("40 30 20 10", "40 2 20 10", "0 30 20 10"):
        room = f'x="2" y="2" width="58" height="38" font-size="4" min-size="1" around="{place}"'
        scene = laid(f"<text {room}>{'words ' * 70}</text>")
        x, y, width, height = map(float, place.split())
        seen = [run for run in scene.items if isinstance(run, TextRun)]
        for run in seen:
            left, right = run.transform.e, run.transform.e + sum(run.advances) / 2048 * run.size
            beside = run.transform.f > y and run.transform.f - 0.7 * run.size < y + height
            assert not beside or right <= x + 1 or left >= x + width - 1e-6
        assert sum(run.words.count("words") for run in seen) == 70


def test_an_optional_part_is_printed_only_where_it_fits(laid: Laid) -> None:
    def words(height: float, least: str = "") -> str:
        text = laid(
            f'<text x="2" y="2" width="30" height="{height}" font-size="4" min-size="2" {least}>{{{{ rules }}}}</text>',
            rules=rich("Flying"),
        )
        return "".join(run.words for run in text.items if isinstance(run, TextRun))

    assert words(20).startswith("Flying (can")
    assert words(4) == "Flying"
    assert words(12, 'optional-size="4"') == "Flying"


def test_a_scene_with_icons_says_what_stands_where(laid: Laid) -> None:
    scene = laid('<text x="2" y="10" font-size="4" fill="#102030">a <icon href="turn.svg" words="{T}"/>.</text>')
    assert dump(scene) == (
        "size 63.5 88.9\n"
        "text 2 10 size 4 #102030 DejaVu Sans advance 1906 'a '\n"
        "unseen text 5.723 10 size 4 stretch 0.531 #102030 DejaVu Sans advance 3857 '{T}'\n"
        "text 9.723 10 size 4 #102030 DejaVu Sans advance 651 '.'\n"
        "path fill #102030 M 9.523 8.542 C 9.523 9.536 8.717 10.342 7.723 10.342 C 6.729 10.342 5.923 9.536 5.923 8.542"
        " C 5.923 7.548 6.729 6.742 7.723 6.742 C 8.717 6.742 9.523 7.548 9.523 8.542 Z\n"
    )


def test_a_template_of_a_drawing_program_has_the_same_texts(laid: Laid) -> None:
    text = '<text x="2" y="9" width="40" height="30" font-size="4">a <icon href="turn.svg" words="{T}" height="1.2em"/>'
    text += '<tspan font-size="50%">small</tspan><rule width="50%"/>b<br/>c</text>'
    plain, styled = laid(text), laid(f'<rect width="1px" height="1px" fill="teal"/>{text}')
    assert dump(styled).splitlines()[2:] == dump(plain).splitlines()[1:]


# --- mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<icon href="trn.svg"/>', "`href` of `<text>`: there is no file `trn.svg`"),
        ('<icon href="turn.png"/>', "`href` of `<icon>`: expected the name of an SVG file, found `turn.png`"),
        ('<icon href="turn.svg" height="9mm"/>', "`height` of `<icon>`: expected `0.25em` to `4em`, found `9mm`"),
        ('<tspan font-size="900%">a</tspan>', "`font-size` of `<tspan>`: expected 0.75 to 12, a quarter to four times"),
        ('<tspan optional="yes">a</tspan>', "`optional` of `<tspan>`: expected `true` or `false`, found `yes`"),
        ('<rule width="120%"/>', "`width` of `<rule>`: expected `1%` to `100%`, found `120%`"),
    ],
)
def test_a_mistake_names_its_element(laid: Laid, text: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        laid(f'<text x="2" y="2" width="40" height="20">{text}</text>')
    assert message in refused.value.findings[0].message


def test_an_icon_cannot_hold_icons_and_its_mistakes_are_its_own(laid: Laid, tmp_path: Path) -> None:
    (tmp_path / "loop.svg").write_text(
        f'{_SVG} viewBox="0 0 9 9"><text x="1" y="8"><icon href="loop.svg"/></text></svg>'
    )
    with pytest.raises(Refused) as refused:
        laid('<text x="2" y="9"><icon href="loop.svg"/></text>')
    (finding,) = refused.value.findings
    assert "an icon holds no other icon" in finding.message
    assert finding.span is not None
    assert finding.span.file.name == "loop.svg"


def test_a_trial_finds_mistakes_inside_icons(tmp_path: Path) -> None:
    (tmp_path / "turn.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="-1"/></svg>'
    )
    (tmp_path / "face.svg").write_text(
        f'{_SVG} width="60" height="80"><text y="9"><icon href="turn.svg"/></text></svg>'
    )
    with pytest.raises(Refused) as refused:
        validate(Templates([tmp_path]).get("face"), {}, _no_picture)
    assert "`r` of `<circle>`" in refused.value.findings[0].message


def test_icons_that_were_drawn_before_look_as_they_would_alone(tmp_path: Path) -> None:
    (tmp_path / "turn.svg").write_text(TURN)
    (tmp_path / "number.svg").write_text(NUMBER)
    (tmp_path / "face.svg").write_text(f'{_SVG} width="60" height="80">{_TEXT}</svg>')

    def face(templates: Templates, cost: str, rules: str) -> Scene:
        values = {"cost": read_icons(cost, NOTATION)[0], "rules": rich(rules)}
        return lay_out(templates.get("face"), values, _no_picture)

    cards = [("{2}{T}", "{T}: Draw."), ("{3}{R}", "{T}: Draw."), ("{2}{T}", "Draw. {2}"), ("{2}{T}", "{T}: Draw.")]
    templates = Templates([tmp_path])
    together = [face(templates, *card) for card in cards]
    assert together == [face(Templates([tmp_path]), *card) for card in cards]
    assert together[0].items[-1] is together[3].items[-1]


def test_icons_that_were_drawn_before_are_counted_again(tmp_path: Path) -> None:
    see_through = '<g opacity="0.5"><circle cx="5" cy="5" r="5"/><circle r="5"/></g>' * 150
    (tmp_path / "turn.svg").write_text(f'{_SVG} viewBox="0 0 10 10">{see_through}</svg>')
    icon = '<text y="9"><icon href="turn.svg"/></text>'
    (tmp_path / "face.svg").write_text(f'{_SVG} width="60" height="80">{icon}{{% if twice %}}{icon}{{% endif %}}</svg>')
    template = Templates([tmp_path]).get("face")
    assert lay_out(template, {"twice": False}, _no_picture).items
    with pytest.raises(Refused) as refused:
        lay_out(template, {"twice": True}, _no_picture)
    assert "300 of 250 cards of painted area" in refused.value.findings[0].message


# --- in files -------------------------------------------------------------------------------------------------------

_TEXT = (
    '<text x="4" y="10" width="55" height="60" font-size="4">{{ rules }}</text>'
    '<text x="59" y="8" text-anchor="end" font-size="4">{{ cost }}</text>'
)


@pytest.fixture
def scene(laid: Laid) -> Scene:
    rules = rich("{2}{T}: Draw **two** cards, {12} or ({T}).\n\n[ember: Embers] burn.\n---\n*So it goes.*")
    return laid(_TEXT, rules=rules, cost=read_icons("{2}{T}", NOTATION)[0])


def _pdf(scene: Scene) -> bytes:
    placed = Placement(face=scene, box=scene.size.rect, name="x")
    return document.write([Page(size=scene.size, placements=(placed,))], PdfOptions(title="x"))


def test_a_text_with_icons_is_the_same_in_png_and_pdf(scene: Scene) -> None:
    png = np.asarray(Image.open(BytesIO(draw_png(scene, 300))).convert("RGB")).astype(float)
    apart = np.abs(png - rasters.reduced(_pdf(scene), 300 * (1 - 1e-5), 8))
    assert float(apart[60:560, 40:710].mean()) <= 1.0


def test_icons_are_found_by_their_words(scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    file.write_bytes(_pdf(scene))
    page = pypdfium2.PdfDocument(file)[0].get_textpage()
    readings = [page.get_text_range()]
    if shutil.which("pdftotext"):
        done = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, check=True)
        readings.append(done.stdout.decode())
    for reading in readings:
        assert "{2}{T}: Draw two cards, {12} or ({T})." in " ".join(reading.split())
    with pikepdf.open(file) as opened:
        shown = pikepdf.parse_content_stream(opened.pages[0].Resources.XObject.face1)
        modes = [int(each.operands[0]) for each in shown if str(each.operator) == "Tr"]
    assert modes[::2] == [3] * (len(modes) // 2)
    assert modes[1::2] == [0] * (len(modes) // 2)
    assert len(modes) == 2 * 6


def test_bleed_and_proofs_keep_the_icons(scene: Scene) -> None:
    unseen = [run.words for run in scene.items if isinstance(run, UnseenRun)]
    low = proof(scene, Proof.LOW_INK)
    assert unseen == ["{2}", "{T}", "{12}", "{T}", "{2}", "{T}"]
    assert dump(low).count("unseen text") == len(unseen)
    assert any(isinstance(item, Shape) for item in scene.items)
    assert dump(add_bleed(scene, 3.0, "mirror")).count("unseen text") >= len(unseen)


# --- proofs ---------------------------------------------------------------------------------------------------------

ON_RED = '<circle cx="5" cy="5" r="5" fill="#c00"/><rect x="3" y="3" width="4" height="4" fill="{}"/>'
ICONS = {  # what icons draw, and whether it is black in their middle, and at their edge, in a low-ink proof
    "white on red": (ON_RED.format("#fff"), True, False),
    "black on red": (ON_RED.format("#000"), True, False),
    "a letter on red": (ON_RED.format("#c00") + '<text x="5" y="9" text-anchor="middle" font-size="11" fill="#fff">I</text>', True, False),
    "white alone": ('<rect x="0" y="0" width="10" height="10" fill="#fff"/>', True, True),
    "white lines on red": (
        '<circle cx="5" cy="5" r="5" fill="#c00"/><path d="M5 2v6" stroke="#fff" stroke-width="3"/>', True, False,
    ),
    "red on yellow on red": (
        '<circle cx="5" cy="5" r="5" fill="#c00"/><circle cx="5" cy="5" r="3" fill="#ff0"/>'
        '<rect x="4" y="4" width="2" height="2" fill="#c00"/>', False, False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ICONS)
@pytest.mark.parametrize("kind", [Proof.LOW_INK, Proof.GREY])
def test_an_icon_stays_readable_in_a_proof(laid: Laid, tmp_path: Path, name: str, kind: Proof) -> None:
    shapes, in_the_middle, at_the_edge = ICONS[name]
    (tmp_path / "sign.svg").write_text(f'{_SVG} viewBox="0 0 10 10">{shapes}</svg>')
    words = '<text x="5" y="40" font-size="40" fill="#fff"><icon href="sign.svg" words="S"/></text>'
    scene = laid(f'<rect width="63.5" height="88.9" fill="#123"/>{words}')
    pixels = np.asarray(Image.open(BytesIO(draw_png(proof(scene, kind), 100))).convert("L"))
    # The icon is 36 mm high, 2 mm from its left end, and its middle is that of the capitals.
    x, y = 5 + 2 + 18, 40 - 0.729 * 40 / 2
    dark = [pixels[round(down * 100 / 25.4), round(across * 100 / 25.4)] < 64 for across, down in ((x, y), (x - 15, y))]
    assert dark == [in_the_middle, at_the_edge]

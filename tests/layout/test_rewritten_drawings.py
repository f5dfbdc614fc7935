"""Drawings are rewritten in plain elements; what others became is used again, and no card can tell by picture or error."""

import gc
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from render.base.caches import clear_caches
from render.base.findings import Refused
from render.images.inspect import Artwork
from render.layout.lay_out import lay_out
from render.layout.svg import memo
from render.layout.svg.resolving import resolve
from render.layout.svg.subset import SVG
from render.layout.templates.template import Templates
from render.scene.items import Scene
from tests.support.repository import ROOT
from tests.support.templates import laid_out, svg

DRAWINGS = sorted((ROOT / "tests" / "layout" / "drawings").glob("*.svg"))
ROOT_OF = "xmlns='http://www.w3.org/2000/svg' width='63.5' height='88.9'"


def rewritten(text: str) -> str | None:
    """Return what a drawing is rewritten as; None if there is a mistake in it."""
    root, drawing = resolve(ET.fromstring(text), lambda _: None)
    return None if drawing.mistakes else "\n".join(written(root))


def written(element: ET.Element) -> Iterator[str]:
    """Yield an element and those in it; a gradient or a clip is the value of an attribute."""
    yield f"<{element.tag} {element.attrib}>{element.text}"
    for child in element:
        yield from written(child)
    yield f"</{element.tag}>{element.tail}"


SKY = '<linearGradient id="sky"><stop offset="0" stop-color="{}"/><stop offset="1" stop-color="#fff"/></linearGradient>'
STAR = '<rect id="star" width="{}" height="2"/>'
PAIRS = {
    "a gradient": (f'<defs>{SKY}</defs><rect width="9" height="9" fill="url(#sky)"/>', ("red", "blue")),
    "a gradient behind it": (f'<rect width="9" height="9" fill="url(#sky)"/><defs>{SKY}</defs>', ("red", "blue")),
    "a style sheet": ('<style>.a {{ fill: {} }}</style><rect class="a" width="9" height="9"/>', ("red", "blue")),
    "a clip": (
        '<clipPath id="c"><circle r="{}"/></clipPath><g clip-path="url(#c)"><rect width="9" height="9"/></g>',
        ("1", "2"),
    ),
    "what is copied": (f'{STAR}<use href="#star" x="5"/>', ("1", "2")),
    "what a copy copies": (f'<g id="b">{STAR}</g><use href="#b" x="5"/>', ("1", "2")),
    "what is copied in a clip": (
        f'{STAR}<clipPath id="c"><use href="#star"/></clipPath><path clip-path="url(#c)" d="M0 0h9v9z"/>',
        ("1", "2"),
    ),
    "a symbol": ('<symbol id="s"><rect width="{}" height="2"/></symbol><use href="#s"/>', ("1", "2")),
    "what is inherited": ('<g fill="{}"><g><rect width="9" height="9"/></g></g>', ("red", "blue")),
    "the color of a text": ('<g fill="{}"><text x="1" y="9">Ant<tspan>s</tspan></text></g>', ("red", "blue")),
    "the style of a text": (
        '<style>tspan {{ fill: {} }}</style><text x="1" y="9">Ant<tspan>s</tspan></text>',
        ("red", "blue"),
    ),
    "the size of what is in a text": (
        '<text x="1" y="9" font-size="{}">Ant<tspan font-size="50%">s</tspan></text>',
        ("3", "4"),
    ),
    "the words of a text": ('<text x="1" y="9" fill="teal">{}</text>', ("Ant", "Bee")),
    "what is in a text": ('<text x="1" y="9" fill="teal">Ant{}</text>', ("", "<tspan>s</tspan>", "<!-- -->s")),
    "a picture": ('<g opacity="0.5"><image width="9" height="9" href="{}"/></g>', ("a.png", "b.png")),
    "units": ('<svg width="{}" height="9"><rect width="50%" height="9"/></svg>', ("9", "18")),
}


def alone(text: str) -> str | None:
    """Return what a drawing is rewritten as by itself."""
    memo._PARTS.clear()
    return rewritten(text)


@pytest.mark.parametrize(("drawing", "values"), PAIRS.values(), ids=PAIRS)
def test_parts_that_say_the_same_differ_by_what_they_look_up(drawing: str, values: tuple[str, ...]) -> None:
    texts = [f"<svg {ROOT_OF}>{drawing.format(value)}</svg>" for value in values]
    single = [alone(text) for text in texts]
    assert None not in single
    assert len(set(single)) == len(values)
    memo._PARTS.clear()
    assert [rewritten(text) for text in [*texts, *texts]] == [*single, *single]


def test_drawings_are_the_same_with_what_all_others_became() -> None:
    texts = [file.read_text(encoding="utf-8") for file in DRAWINGS]
    single = [alone(text) for text in texts]
    assert [rewritten(text) for text in [*texts, *texts]] == [*single, *single]


@pytest.mark.parametrize("drawing", ['<g><use href="#g"/></g>', '<g id="g"><use href="#g"/></g>', '<rect rx="-1"/>'])
def test_a_mistake_is_none_of_what_others_may_use(drawing: str) -> None:
    shape = '<rect width="9" height="9" fill="teal"/>'
    texts = [f"<svg {ROOT_OF}>{inside}</svg>" for inside in (f'<g id="g"/>{drawing}', drawing, f"{drawing}{shape}")]
    single = [alone(text) for text in texts]
    memo._PARTS.clear()
    assert [rewritten(text) for text in [*texts, *reversed(texts)]] == [*single, *reversed(single)]


def test_each_element_stands_for_one_of_its_own_drawing_and_for_one_alone() -> None:
    shape = '<rect width="9" height="9"/>'
    group = f'<g fill="red">{shape}{shape}</g>'
    for inside in (group, group, f'{group}<g fill="red">{shape}</g>', group * 2):
        root = ET.fromstring(f"<svg {ROOT_OF}>{inside}</svg>")
        made, drawing = resolve(root, lambda _: None)
        assert [drawing.origins[each] for each in made.iter("rect")] == list(root.iter(f"{SVG}rect"))


def test_what_is_kept_is_bounded_by_its_characters() -> None:
    memo._PARTS.clear()
    long = "M0 0" + "h1" * 200_000
    for number in range(60):
        rewritten(f'<svg {ROOT_OF}><path d="{long}" stroke-width="{number}px"/></svg>')
    assert 0 < len(memo._PARTS) <= memo._MOST // len(long)


def test_a_rewritten_drawing_is_freed_at_once_and_not_left_to_the_garbage_collector() -> None:
    texts = [file.read_text(encoding="utf-8") for file in DRAWINGS]
    for text in texts:  # caches what later ones use
        rewritten(text)
    gc.collect()
    gc.disable()
    try:
        for text in texts:
            rewritten(text)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_order_of_two_elements_with_one_id_decides() -> None:
    sky = '<linearGradient id="sky"><stop offset="0" stop-color="red"/></linearGradient>'
    shape = '<rect width="9" height="9" fill="url(#sky)"/>'
    assert rewritten(f"<svg {ROOT_OF}>{sky}{shape}</svg>") is not None
    assert rewritten(f'<svg {ROOT_OF}><g id="sky"/>{sky}{shape}</svg>') is None


def test_copies_of_copies_are_counted_as_often_as_they_are_drawn() -> None:
    ten = '<rect id="r" width="1" height="1" fill="teal"/><g id="g">' + '<use href="#r"/>' * 10 + "</g>"
    text = f"<svg {ROOT_OF}>{ten}" + '<use href="#g"/>' * 10 + "</svg>"
    amounts: list[int] = []
    resolve(ET.fromstring(text), amounts.append)
    # The shape and the group with its ten copies of it, then ten such groups, each behind its own `use`.
    assert sum(amounts) == 1 + (1 + 10 * 2) + 10 * (2 + 10 * 2)


def test_a_clip_is_read_as_each_that_uses_it_asks() -> None:
    clip = '<clipPath id="c"><path d="M0 0h9v9h-9z M2 2h3v3h-3z"/><rect width="50%" height="9"/></clipPath>'
    used = '<g clip-rule="evenodd"><rect clip-path="url(#c)" width="9" height="9"/></g>'
    other = '<svg width="5" height="9"><rect clip-path="url(#c)" width="9" height="9"/></svg>'
    made = rewritten(f"<svg {ROOT_OF}>{clip}{used}{other}</svg>") or ""
    assert ("even_odd=True" in made, "even_odd=False" in made) == (True, True)
    assert ("31.75" in made, "2.5" in made) == (True, True)


def test_a_paint_that_is_none_leaves_it_to_the_color_behind_it() -> None:
    shape = '<rect width="9" height="9" fill="url(#here) gold"/>'
    alone, together = (rewritten(f"<svg {ROOT_OF}>{shape}{other}</svg>") for other in ("", '<g id="here"/>'))
    assert alone == together is not None


@pytest.mark.parametrize(
    ("drawing", "found"),
    [
        ('<rect width="9px" height="{{ size }}"/>', [("T007", 2)]),
        ('<rect width="9px" height="9"/>\n<rect width="9" height="{{ size }}" rx="-1"/>', [("T007", 3)]),
        ('<rect width="9px" height="-1"/>\n<g><rect width="9px" height="-1"/></g>', [("T007", 2), ("T007", 3)]),
        ('<rect width="9px" height="9"/>\n<text x="5" y="9" width="1">{{ size }} words too long</text>', [("L002", 3)]),
    ],
)
def test_a_mistake_is_found_where_it_is_on_every_card(
    drawing: str, found: list[tuple[str, int]], tmp_path: Path
) -> None:
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            laid_out(tmp_path, svg(drawing), size="-1")
        told = [(each.code, each.span.line) for each in refused.value.findings if each.span is not None]
        assert told == found


@pytest.mark.parametrize(
    "drawing",
    [
        '<rect width="9px" height="9"/>\n<text x="5" y="9" width="9">{{ words }}</text>',
        '<rect width="9px" height="9"/>\n<text x="5" y="9" font-size="{{ size }}">Ant</text>\n<circle r="1px"/>',
        '<rect width="9px" height="9"/>\n<text x="5" y="9" fill="{{ words }}">Ant</text>',
        '<rect width="9px" height="9"/>\n<text x="5" y="9">{{ words|safe }}</text>\n<circle r="1px"/>',
        '<rect width="9px" height="{{ size }}"/>\n<text x="5" y="9">Ant</text>',
    ],
)
def test_a_card_behind_sound_ones_is_told_the_same_as_a_card_by_itself(drawing: str, tmp_path: Path) -> None:
    (tmp_path / "face.svg").write_text(svg(drawing), encoding="utf-8")
    sound, odd = {"words": "red", "size": "3"}, {"words": "a<b>much too long for its place", "size": "-1"}

    def told(*cards: dict[str, str]) -> list[object]:
        template, said = Templates([tmp_path]).get("face"), list[object]()
        for card in cards:
            if len(cards) == 1:
                clear_caches()
            try:
                said.append(lay_out(template, card, no_pictures))
            except Refused as refused:
                said.append(refused.findings)
        return said

    alone = [*told(sound), *told(odd)]
    assert isinstance(alone[0], Scene)
    assert not isinstance(alone[1], Scene)
    assert told(sound, sound, odd, sound, odd) == [alone[0], *alone, *alone]


def no_pictures(href: str) -> Artwork:
    raise AssertionError(href)


ICON_WITH_MISTAKE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9px" height="9" {}/></svg>'
)


@pytest.mark.parametrize("mistake", ['fill="url(#nothing)"', 'fill="{{ words }}"'])
def test_an_icon_with_a_mistake_is_told_on_every_card_that_shows_it(mistake: str, tmp_path: Path) -> None:
    (tmp_path / "odd.svg").write_text(ICON_WITH_MISTAKE.format(mistake), encoding="utf-8")
    drawing = '<text y="9">{{ size }}<icon href="odd.svg" words="{{ words }}"/></text><rect width="-1" height="9"/>'
    (tmp_path / "face.svg").write_text(svg(drawing), encoding="utf-8")
    template = Templates([tmp_path]).get("face")
    odd, sound = {"size": "1", "words": "url(#nothing)"}, {"size": "1", "words": "red"}
    told = []
    for card in (odd, odd, sound, odd):
        with pytest.raises(Refused) as refused:
            lay_out(template, card, no_pictures)
        told.append([each.message for each in refused.value.findings])
    assert told[0] == told[1] == told[3]
    assert len(told[0]) == 2  # the mistake of the icon, and that of the rectangle


@pytest.mark.parametrize("names", ["a b", "b a", "x a y b z"])
def test_of_rules_as_exact_as_each_other_the_later_one_wins(names: str) -> None:
    rules = "".join(f".{name} {{ fill: gray }}" for name in "xyz")
    text = f'<svg {ROOT_OF}><style>{rules} .b {{ fill: red }} .a {{ fill: teal }}</style><rect class="{names}"/></svg>'
    assert "#008080" in (rewritten(text) or "")


def test_a_document_type_in_a_value_is_refused_behind_other_cards_too(tmp_path: Path) -> None:
    drawing = '<rect width="9px" height="9"/><text y="9">{{ words|safe }}</text>'
    (tmp_path / "face.svg").write_text(svg(drawing), encoding="utf-8")
    template = Templates([tmp_path]).get("face")
    for _ in range(2):
        lay_out(template, {"words": "A"}, no_pictures)
    with pytest.raises(Refused, match="has a document type"):
        lay_out(template, {"words": "<!-- <!DOCTYPE x [<!ENTITY a 'b'>]> -->B"}, no_pictures)

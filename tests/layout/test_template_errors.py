"""Templates that are wrong: exactly what their author reads."""

import re
from pathlib import Path

import pytest

from tests.support.messages import assert_says, facts, words
from tests.support.pages import page
from tests.support.repository import ROOT
from tests.support.sets import kotc, write_set
from tests.support.templates import place, svg

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARD = "{name: Note, kind: tip, text: Draw 1 card.}\n"
KEYS = (
    "`art`, `blank`, `credit`, `credit_font`, `edition`, `edition_indicator`, `flavor`, `flavor_size`, `hp`, `kind`,"
    " `least_text`, `least_type`, `level`, `name`, `name_size`, `name_spacing`, `numbers`, `padlock`, `paragraphs`, `sp`,"
    " `text_size`, `ultra_points` and `variant`"
)


def said_of_file(template: str, **others: str) -> str:
    """Return what `kotc check` prints of a set whose tips have this template, with `others` beside it."""
    place(write_set(Path("s"), CARD), {"tip.svg": template, **{f"{name}.svg": text for name, text in others.items()}})
    result = kotc("check", "s")
    assert result.exit_code == 1, result.output
    return result.stdout.rstrip("\n")


def said_of(content: str) -> str:
    """Return what is said of a template with this content, with its places in the template."""
    return said_of_file(svg(content))


def of_the_template(said: str) -> list[str]:
    """Return what is said of the template, wherever in it."""
    return [re.sub(r"^s/templates/tip\.svg:\d+:\d+ ", "", fact) for fact in facts(said)]


def assert_marked(content: str, place: str, message: str = "", hint: str = "") -> None:
    """Assert what is said of a template, and that the words at that place are marked, as in `2:4 ^^^`."""
    where, carets = place.split(" ")
    first, _, under, *others = said_of(content).split("\n")
    assert (first.split(": ")[0], under.strip(" |")) == (f"s/templates/tip.svg:{where}", carets)
    assert first.endswith(message)
    assert not hint or others[0].startswith(f"  hint: {hint}")


def test_nothing_is_said_of_a_sound_template() -> None:
    place(write_set(Path("s"), CARD), {"tip.svg": svg('<text id="name" y="9">{{ card.name }}</text>')})
    result = kotc("check", "s")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "1 card checked: nothing to report\n")


# --- T001: templates that are not there ---


@pytest.mark.parametrize(
    ("card", "set_yaml", "place"), [(", back: bakc", "", "cards.yaml:1:51"), ("", "back: bakc\n", "set.yaml:3:7")]
)
def test_the_template_of_a_back_that_is_not_there(card: str, set_yaml: str, place: str) -> None:
    write_set(Path("s"), f"{{name: Note, kind: tip, text: Draw 1 card.{card}}}", f"name: Test\nedition: 17\n{set_yaml}")
    said = kotc("check", "s").stdout.rstrip("\n")
    assert_says(said, f"s/{place} T001 there is no template `bakc` (did you mean `back`?)")


@pytest.mark.parametrize("tag", ["extends", "include", "import"])
def test_a_template_that_another_names_and_that_is_not_there(tag: str) -> None:
    line = '{% TAG "framme.svg" AS %}'.replace("TAG", tag).replace("AS", "as frame" * (tag == "import"))
    column = line.index("framme") + 1
    assert said_of(line) == words(f"""
        s/templates/tip.svg:2:{column}: error: there is no template `framme.svg` [T001]
          2 | {line}
            | {" " * (column - 1)}^^^^^^^^^^
          hint: did you mean `frame.svg`?
    """)


def test_a_template_that_a_part_names_and_that_is_not_there_stands_in_the_part() -> None:
    said = said_of_file(svg('{% include "part.svg" %}'), part='<g>{% include "zigzag.svg" %}</g>')
    assert_says(said, "s/templates/part.svg:1:16 T001 there is no template `zigzag.svg`")


def test_a_template_outside_the_set_is_not_there() -> None:
    Path("secret.svg").write_text(svg(""))
    assert "there is no template `../../secret.svg` [T001]" in said_of('{% include "../../secret.svg" %}')


def test_a_template_that_differs_in_the_case_of_its_letters_is_told_once() -> None:
    cards = "- {name: One, kind: tip, text: Hi.}\n- {name: Two, kind: tip, text: Hi.}\n"
    own = {"tip.svg": svg('{% include "seal.svg" %}'), "Seal.svg": "<g/>"}
    (place(write_set(Path("s"), cards), own) / "seal.svg").write_text("<g/>", encoding="utf-8")
    result = kotc("check", "s")
    assert (result.exit_code, result.stdout.rstrip("\n")) == (
        0,
        words("""
            s/templates/Seal.svg:1:1: warning: the template `Seal.svg` differs from `seal.svg`, which is looked for, in upper and lower case [T013]
              hint: rename it to `seal.svg`
        """),
    )


def test_a_template_that_is_there_in_another_case_only() -> None:
    place(write_set(Path("s"), "{name: Note, kind: tip, text: Hi., back: sky}"), {"Sky.svg": svg("")})
    assert "hint: rename `Sky.svg` to `sky.svg`: upper and lower case differ" in kotc("check", "s").stdout


def test_a_template_that_is_not_utf8() -> None:
    place(write_set(Path("s"), CARD), {})
    Path("s/templates/tip.svg").write_bytes("<svg>Grüße</svg>".encode("latin-1"))
    assert kotc("check", "s").stdout == (
        "error: the template `tip` cannot be read: "
        "'utf-8' codec can't decode byte 0xfc in position 7: invalid start byte [T001]\n"
    )


# --- T002: Jinja2 that is not valid ---


def test_a_mistake_in_an_included_template_is_shown_there() -> None:
    assert_says(
        said_of_file(svg('{% include "part.svg" %}'), part="<g>\n{{ card.name }\n</g>\n"),
        "s/templates/part.svg:2:14 T002 the template `part` is not valid Jinja2: a `}` stands alone",
    )


SYNTAX = {
    "{% if card.name }": ("2:17 ^", "a `}` stands alone", "write `%}` where it ends"),
    "{% if card.name %}": ("2:4 ^^", "`{% if %}` is not ended", "write `{% endif %}` where it ends"),
    "{{ card.name|uper }}": ("2:14 ^^^^", "there is no filter `uper`", "did you mean `upper`?"),
    "{{ card.name|shout }}": ("2:14 ^^^^^", "there is no filter `shout`", ""),
    "{{ 1 + 1e999 }}": ("2:8 ^^^^^", "numbers go up to 1e30", ""),
    "{{ }}": ("2:4 ^^", "there is nothing between the braces", "write what is to be printed between `{{` and `}}`"),
    "{% iff card.name %}": ("2:4 ^^^", "there is no tag `iff`", "did you mean `if`?"),
    "{% endblok %}": ("2:4 ^^^^^^^", "there is no tag `endblok`", "did you mean `endblock`?"),
    "{% picture %}": ("2:4 ^^^^^^^", "there is no tag `picture`", "the tags are `autoescape`, `block`"),
    "{% if 1 %}{% elseif 1 %}{% endif %}": ("2:14 ^^^^^^", "there is no tag `elseif`", "write `elif`"),
    "{% if 1 %}\n<g/>{% endfor %}": (
        "3:8 ^^^^^^",
        "`{% endfor %}` stands where `{% endif %}` is missing",
        "`{% if %}` of line 2 ends with `{% endif %}`",
    ),
    "{% endif %}": ("2:4 ^^^^^", "`{% endif %}` ends nothing", "remove it, or write `{% if … %}` where it begins"),
    "{% else %}": ("2:4 ^^^^", "`{% else %}` stands outside of `{% if %}`", "move it before `{% endif %}`"),
    "{% set a %}x{% endset %}\n{% for n in [] %}": ("3:4 ^^^", "`{% for %}` is not ended", "write `{% endfor %}`"),
    "{# note": ("2:1 ^^", "the comment is not closed", "`{#` begins a comment, which ends with `#}`"),
    "{{ (card.name }}": ("2:4 ^", "`(` is not closed", "write `)` where it ends"),
    "{{ card.name) }}": ("2:13 ^", "`)` closes nothing", "remove it, or write `(` before it"),
    '{{ "abc }}': ("2:4 ^", "the quote is not closed", 'write `"` behind the text, too'),
    "{{ card.name = 1 }}": ("2:14 ^", "`=` does not compare", "write `==`"),
    "{% if 1 && 2 %}{% endif %}": ("2:9 ^^", "there is no operator `&&`", "write `and`"),
    "{% if 1 || 2 %}{% endif %}": ("2:9 ^^", "there is no operator `||`", "write `or`"),
    "{% if !card.art %}{% endif %}": ("2:7 ^", "there is no operator `!`", "write `not`"),
    "{% if 1 => 2 %}{% endif %}": ("2:9 ^^", "there is no operator `=>`", "write `>=`"),
    "{% if 1 &lt; 2 %}{% endif %}": ("2:9 ^^^^", "`&lt;` means nothing in an expression", "write `<`"),
    "{{ “abc” }}": ("2:4 ^", "`“` begins no text", 'write `"`'),
    "{% set x == 3 %}": ("2:10 ^^", "expected `%}`, found `==`", "a name gets its value by `=`"),
    "{% for x of [] %}{% endfor %}": ("2:10 ^^", "expected `in`, found `of`", "write for example `{% for line in"),
    '{% import "a.svg" %}': ("2:19 ^^", "expected `as`, found `%}`", 'write for example `{% import "symbols.svg"'),
    "{{ card.name card.kind }}": ("2:14 ^^^^", "expected `}}`, found `card`", "write an operator between two values"),
    "{{ card..name }}": ("2:9 ^", "a name is missing behind `.`", "write it, such as `card.name`"),
    "{{{ card.name }}}": ("2:1 ^^^", "there are too many braces", "write two on each side: `{{ card.name }}`"),
    "{% block a %}{% endblock %}\n{% block a %}{% endblock %}": (
        "3:10 ^",
        "there are two blocks `a`",
        "rename one of the two, or print the first again: `{{ self.a() }}`",
    ),
}


@pytest.mark.parametrize("content", SYNTAX)
def test_a_slip_in_jinja_is_shown_at_its_sign_with_what_to_write(content: str) -> None:
    place, what, hint = SYNTAX[content]
    assert_marked(content, place, f"is not valid Jinja2: {what} [T002]", hint)


# --- T003: what Jinja2 cannot work out, or must not ---


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("{{ card.__class__ }}", "'__class__' of 'dict' object"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "'__class__' of 'str' object"),
        ("{{ card.update(name='Other') }}", "'update' of 'dict' object"),
        ("{{ card.paragraphs.clear() }}", "'clear' of 'list' object"),
        ("{{ '{0.__class__}'.format(card) }}", "'__class__' of 'dict' object"),
    ],
)
def test_a_template_that_reaches_for_what_it_must_not(words: str, what: str) -> None:
    said = said_of(f"<text>{words}</text>").replace(" is unsafe.", " is unsafe")  # the full stop has its own test
    assert of_the_template(said) == [f"T003 the template `tip` stopped: access to attribute {what} is unsafe"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{% include "tip.svg" %}', "asks for itself without end: `tip.svg` asks for `tip.svg`"),
        ('{% extends "tip.svg" %}', "asks for itself without end: `tip.svg` asks for `tip.svg`"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "stopped: "),
    ],
    ids=["includes itself", "extends itself", "calls itself"],
)
def test_a_template_that_goes_round_in_circles(content: str, says: str) -> None:
    assert of_the_template(said_of(content))[0].startswith(f"T003 the template `tip` {says}")


# --- T004: what comes out is not SVG ---


TAGS = {
    '<g>\n<text id="a">x\n</g>': (
        "3:1 ^^^^^",
        '`<text id="a">` is not closed, where `</g>` stands in line 4',
        "write `</text>` where it ends",
    ),
    "{% if 1 %}<g>{% endif %}": ("2:11 ^^", "`<g>` is not closed, where `</svg>` stands in line 3", "write `</g>`"),
    "<text>x</txet>": ("2:8 ^^^^^^", "`</txet>` closes nothing: `<text>` is open", "did you mean `</text>`?"),
    "</g>": ("2:1 ^^^", "`</g>` closes nothing: `<svg>` is open", "remove it, or write `<g>` where it begins"),
    "<rect width=3/>": ("2:7 ^^^^^^^", "the value of `width` stands without quotes", 'write `width="3"`'),
    '<rect width="3/>\n<g/>': ("2:7 ^^^^^", "the quote around the value of `width` is not closed", 'write `"`'),
    '<rect width="3"\n<g/>': ("2:1 ^^^^^", "`<rect` does not end", "write `>` or `/>` where the tag ends"),
    "<text>a < b</text>": ("2:9 ^", "`<` begins no element", "write `&lt;`"),
    '<g/>\n<rect ink:label="ä"/>': ("3:1 ^^^^^", "unbound prefix", "an attribute with a colon"),
}


@pytest.mark.parametrize("content", TAGS)
def test_a_tag_that_is_wrong_is_shown_where_it_begins(content: str) -> None:
    place, what, hint = TAGS[content]
    assert_marked(content, place, f"does not give well-formed SVG: {what} [T004]", hint)


def test_an_element_left_open_in_an_included_template_is_shown_there() -> None:
    said = said_of_file(svg('{% include "part.svg" %}'), part="<g>\n<text>x\n</g>\n")
    assert said.startswith(
        "s/templates/part.svg:2:1: error: the template `part` does not give well-formed SVG: `<text>` is not closed,"
        " where `</g>` stands in line 3 [T004]\n"
    )


@pytest.mark.parametrize(
    "entities",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
        '<!ENTITY % b "c">',
        '<!ENTITY b "<rect/>">',
    ],
)
def test_an_entity_that_stands_for_more_than_words(entities: str) -> None:
    said = said_of_file(f"<!DOCTYPE svg [{entities}]>\n" + svg("<text>&b;</text>"))
    assert "has a document type, in which names stand for more than words [T004]" in said


def test_entities_that_stand_for_too_much() -> None:
    said = said_of_file(f"<!DOCTYPE svg [<!ENTITY b '{'a' * 200}'>]>\n" + svg(f"<text>{'&b;' * 1001}</text>"))
    assert "whose names stand for more than 200,000 characters [T004]" in said


# --- T006: attributes that are not allowed ---


@pytest.mark.parametrize(
    ("element", "attribute"),
    [
        ('<rect id="sky" onclick="run()" width="3" height="2"/>', "onclick"),
        ('<circle r="1" width="1"/>', "width"),
    ],
)
def test_an_attribute_that_is_not_in_the_subset(element: str, attribute: str) -> None:
    assert f"has the attribute `{attribute}`, which is not in the subset [T006]" in said_of(element)


# --- T007: values that are not allowed ---

A_COLOR = "expected a color such as `#808080`, `teal` or `rgb(0, 128, 128)`, or `none`, found"
A_LENGTH = "expected a length such as 3, 3mm, 8pt or 2.5in, found"
FONTS = (
    "`DejaVu Sans`, `DejaVu Sans Oblique`, `DejaVu Sans Bold`, `DejaVu Sans Condensed`, `DejaVu Sans Condensed Oblique`"
    " and `DejaVu Sans Condensed Bold`"
)
WRONG_VALUES = {
    '<rect fill="#12345" width="1" height="1"/>': f"`fill` of `<rect>`: {A_COLOR} `#12345` (a color has 3 or 6 digits behind the `#`, and this one 5)",
    '<g stroke="rgb(1,2)"/>': f"`stroke` of `<g>`: {A_COLOR} `rgb(1,2)`",
    '<text><tspan fill="rad">Hello</tspan></text>': f"`fill` of `<tspan>`: {A_COLOR} `rad` (did you mean `red`?)",
    '<text fill="none">Hello</text>': "`fill` of `<text>`: is `none`, and text must have a color or a line",
    '<rect width="3xp" height="2"/>': f"`width` of `<rect>`: {A_LENGTH} `3xp`",
    '<rect width="1e999" height="2"/>': "`width` of `<rect>`: expected at most 10000 mm, found `1e999`",
    '<circle cx="" r="1"/>': f"`cx` of `<circle>`: {A_LENGTH} ``",
    '<circle r="-1"/>': "`r` of `<circle>`: expected a length of at least 0, found `-1`",
    '<text font-size="0">Hello</text>': "`font-size` of `<text>`: expected a length of above 0, found `0`",
    '<image href="a.png" width="3"/>': "`height` of `<image>`: is missing",
    '<text height="3">Hello</text>': "`width` of `<text>`: is missing",
    '<image width="3" height="3"/>': "`href` of `<image>`: expected the name of a picture",
    '<path d="M 0 0 L 3"/>': "`d` of `<path>`: path command `L` takes 2 numbers",
    '<path d="L 3 3"/>': "`d` of `<path>`: path data must start with `M`",
    '<path d="M 0 0 X 3 3"/>': "`d` of `<path>`: unknown path command `X`",
    '<path d="M 0 0 3;3"/>': "`d` of `<path>`: unexpected `;` in path data",
    '<g transform="turn(3)"/>': "`transform` of `<g>`: unknown transform `turn` with 1 numbers",
    '<g transform="rotate(1 2)"/>': "`transform` of `<g>`: unknown transform `rotate` with 2 numbers",
    '<g transform="rotate(45deg)"/>': "`transform` of `<g>`: expected numbers, found `45deg`",
    '<g transform="rotate 45"/>': (
        "`transform` of `<g>`: expected a transform such as `rotate(45)`, found `rotate 45`"
    ),
    '<polygon points="1,2 3"/>': "`points` of `<polygon>`: expected pairs of numbers, found `1,2 3`",
    '<polyline points="1,2 x,4"/>': "`points` of `<polyline>`: expected numbers, found `1,2 x,4`",
    '<text text-anchor="center">Hello</text>': (
        "`text-anchor` of `<text>`: expected `start`, `middle` or `end`, found `center` (did you mean `middle`?)"
    ),
    '<text text-anchor="justify">Hello</text>': (
        "`text-anchor` of `<text>`: expected `start`, `middle` or `end`, found `justify`"
    ),
    '<text text-anchor="left" width="9" height="9">Hello</text>': (
        "`text-anchor` of `<text>`: expected `start`, `middle`, `end` or `justify`, found `left`"
        " (did you mean `start`?)"
    ),
    '<text font-family="Comic Sans">Hello</text>': (
        f"`font-family` of `<text>`: there is no font `Comic Sans` (the fonts are {FONTS}; put any other into the folder"
        " `fonts`)"
    ),
    '<text font-weight="bold" font-style="italic">Hello</text>': (
        f"`font-family` of `<text>`: the font `DejaVu Sans` has no bold oblique face (there are {FONTS})"
    ),
    '<g font-weight="heavy"/>': (
        "`font-weight` of `<g>`: expected `normal`, `bold`, `light` and so on, or 1 to 1000, found `heavy`"
    ),
    '<g fill-rule="odd"/>': "`fill-rule` of `<g>`: expected `nonzero` or `evenodd`, found `odd` (did you mean `evenodd`?)",
    '<g stroke-linejoin="sharp"/>': (
        "`stroke-linejoin` of `<g>`: expected `miter`, `round` or `bevel`, found `sharp` (did you mean `miter`?)"
    ),
    '<g stroke-dasharray="0.01 0"/>': (
        "`stroke-dasharray` of `<g>`: expected dashes and gaps of at least 0.05 mm, found `0.01 0`"
    ),
    '<g stroke-dasharray="2xp"/>': "`stroke-dasharray` of `<g>`: expected numbers, found `2xp`",
    '<g stroke-miterlimit="0.5"/>': "`stroke-miterlimit` of `<g>`: expected a length of at least 1, found `0.5`",
    '<svg width="1" height="1" overflow="round"/>': (
        "`overflow` of `<svg>`: expected `hidden` or `visible`, found `round`"
    ),
    '<svg width="1" height="1" viewBox="0 0 1"/>': ("`viewBox` of `<svg>`: expected four numbers, found `0 0 1`"),
    '<svg width="1" height="1" viewBox="0 0 1 1" preserveAspectRatio="middle"/>': (
        "`preserveAspectRatio` of `<svg>`: expected `none` or an alignment such as `xMidYMid slice`, found `middle`"
    ),
    '<text width="9" height="9" font-size="2" min-size="3">Hello</text>': (
        "`min-size` of `<text>`: is 3, larger than the font-size, 2"
    ),
    '<text width="9" height="9" font-size="3" min-size="2" pixel="0.1">Hello</text>': (
        "`pixel` of `<text>`: is for text of one size, without `min-size`"
    ),
    '<text font-size="3" pixel="1">Hello</text>': ("`pixel` of `<text>`: expected 6 to 600 in the font-size, 3"),
    '<text font-size="3" letter-spacing="-2">Hello</text>': (
        "`letter-spacing` of `<text>`: expected -0.5 to 2 of the font-size, 3"
    ),
    '<text width="9" font-size="2" min-size="3">Hello</text>': (
        "`min-size` of `<text>`: is 3, larger than the font-size, 2"
    ),
}


@pytest.mark.parametrize(("content", "says"), WRONG_VALUES.items(), ids=WRONG_VALUES)
def test_a_value_that_is_not_allowed(content: str, says: str) -> None:
    assert of_the_template(said_of(content)) == [f"T007 template `tip`: {says}"]


@pytest.mark.parametrize("box", ["0 0 0 1", "0 0 1 0", "0 0 -1 1", "0 0 1e999 1"])
def test_a_view_box_without_an_area(box: str) -> None:
    said = said_of(f'<svg width="1" height="1" viewBox="{box}"><rect width="1" height="1"/></svg>')
    assert "template `tip`: `viewBox` of `<svg>`: " in said
    assert f"found `{box}` [T007]" in said


@pytest.mark.parametrize(
    "content",
    ['<path d="M 0 0 L 1e999 1"/>', '<polygon points="0,0 1e999,1 1,1"/>', '<g transform="translate(1e999)"/>'],
)
def test_a_number_that_is_too_large_to_be_one(content: str) -> None:
    assert "[T007]" in said_of(content)


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ('width="100" height="88.9"', "100 x 88.9 mm, and is scaled to 64%"),
        ('width="63.5" height="1"', "63.5 x 1 mm, and is scaled to 100%"),
        ('width="70" height="0.01"', "70 x 0.01 mm, and is scaled to 91%"),
    ],
)
def test_a_face_of_another_shape_than_a_card_is_doubtful(size: str, found: str) -> None:
    place(write_set(Path("s"), CARD), {"tip.svg": svg("", f'xmlns="http://www.w3.org/2000/svg" {size}')})
    result = kotc("check", "s")
    assert result.exit_code == 0
    assert_says(
        result.stdout.rstrip("\n"),
        f"s/templates/tip.svg:1:1 T008 warning: template `tip`: `<svg>` is {found} on a card of 63.5 x 88.9 mm",
    )


def test_a_drawing_that_is_nested_too_deep() -> None:
    assert "[T00" in said_of("<g>" * 3000 + "</g>" * 3000)


def test_all_wrong_values_of_a_template_are_told_at_once() -> None:
    assert said_of('<rect width="3xp" height="2"/><g fill="red"><circle r="x"/></g><path d="M"/>').count("[T007]") == 3


def test_elements_and_attributes_that_are_wrong_are_told_at_once() -> None:
    said = said_of('<widget/><use/><rect colour="red" width="1" height="1"/><g>Hello</g>')
    assert sorted(re.findall(r"\[T\d+\]", said)) == ["[T005]", "[T005]", "[T006]", "[T007]"]


# --- T009: pictures of a template's own ---


@pytest.mark.parametrize("href", ["../paper.png", "/paper.png", "art/../../paper.png"])
def test_a_picture_outside_the_set(href: str) -> None:
    Path("paper.png").write_bytes(b"")
    said = said_of(f'<image href="{href}" width="3" height="3"/>')
    assert of_the_template(said) == [
        f"T009 template `tip`: `href` of `<image>`: `{href}` lies outside the set's folder"
    ]


NOT_DRAWN = "template `tip`: the element `<{}>` is not drawn ({})"


def within(content: str, inner: str, outer: str) -> tuple[str, str]:
    """Return a template of which an element stands in the wrong place, and what is said of it."""
    return svg(content), f"T005 template `tip`: `<{inner}>` stands within `<{outer}>`, where it is not allowed"


SAID = {
    "a value that a card does not have": (
        svg("<text>{{ card.titel }}</text>"),
        f"T003 the template `tip` stopped: nothing is called `titel` here (a card has {KEYS})",
    ),
    "a value that does not exist": (
        svg("<text>{{ titel }}</text>"),
        "T003 the template `tip` stopped: nothing is called `titel` here",
    ),
    "a division by zero": (
        svg('<rect width="{{ 1 / card.ultra_points }}" height="1"/>'),
        "T003 the template `tip` stopped: it divides by 0",
    ),
    "a range without end": (
        svg("{% for step in range(100001) %}{% endfor %}"),
        "T003 the template `tip` stopped: a range has at most 100,000 numbers, not 100,001",
    ),
    "an element that is not closed": (
        svg('<g>\n<rect width="3">\n</g>'),
        "T004 the template `tip` does not give well-formed SVG: `<rect>` is not closed, where `</g>` stands in line 4 (write `/>` at the end of the tag, or `</rect>` where it ends)",
    ),
    "an ampersand that is not escaped": (
        svg("<text>salt & pepper</text>"),
        "T004 the template `tip` does not give well-formed SVG: `&` begins no sign (write `&amp;`)",
    ),
    "a template that gives nothing": (
        "{# nothing #}",
        "T004 the template `tip` does not give well-formed SVG: no element found: line 1, column 0 (the file ends before `</svg>`)",
    ),
    "a document type that is not of svg": (
        "<!DOCTYPE html>\n" + svg(""),
        "T004 the template `tip` has a document type, which is not that of an SVG file (remove the lines from `<!DOCTYPE` on)",
    ),
    "an element that is not in the subset": (
        svg('<widget id="g"/>'),
        'T005 template `tip`: the element `<widget id="g">` is not in the subset',
    ),
    "an element that is misspelt": (
        svg("<rectt/>"),
        "T005 template `tip`: the element `<rectt>` is not in the subset (did you mean `rect`?)",
    ),
    "a root that is not svg": (
        '<g xmlns="http://www.w3.org/2000/svg"/>',
        "T005 template `tip`: the root is `<g>`, expected `<svg>`",
    ),
    "text outside of a text element": (
        svg('<g id="a">Hello <rect width="1" height="1"/> there</g>'),
        'T005 template `tip`: `<g id="a">` holds the text `Hello   there` (text stands in `<text>` or `<tspan>`)',
    ),
    "an attribute that is misspelt": (
        svg('<rect widht="3" height="2"/>'),
        "T006 template `tip`: `<rect>` has the attribute `widht`, which is not in the subset (did you mean `width`?)",
    ),
    "a view box that is wrong on the root": (
        svg("").replace("<svg", '<svg viewBox="63.5 88.9"'),
        "T007 template `tip`: `viewBox` of `<svg>`: expected four numbers, found `63.5 88.9`",
    ),
    "an element is named by its id": (
        svg('<rect id="sky" width="3xp" height="2"/>'),
        f'T007 template `tip`: `width` of `<rect id="sky">`: {A_LENGTH} `3xp`',
    ),
    "a picture of a template that is not there": (
        svg('<image href="art/paper.png" width="3" height="3"/>'),
        "A001 template `tip`: `href` of `<image>`: no picture `art/paper.png` (there is no folder `art`)",
    ),
    "a rectangle that holds a circle": within('<rect width="1" height="1"><circle r="1"/></rect>', "circle", "rect"),
    "a span outside of a text": within("<g><tspan>Hello</tspan></g>", "tspan", "g"),
    "a text in a text": within("<text><text>Hello</text></text>", "text", "text"),
    "a group in a span": within("<text><tspan><g/></tspan></text>", "g", "tspan"),
    "an element that holds what is no svg": (
        svg("<foreignObject/>"),
        f"T005 {NOT_DRAWN.format('foreignObject', 'it holds what is no SVG')}",
    ),
    "an element that moves": (svg("<animate/>"), f"T005 {NOT_DRAWN.format('animate', 'a card does not move')}"),
    "an element that does something": (svg("<script/>"), f"T005 {NOT_DRAWN.format('script', 'a card does nothing')}"),
}


@pytest.mark.parametrize(("template", "fact"), SAID.values(), ids=SAID)
def test_what_is_said_of_a_template_wherever_in_it(template: str, fact: str) -> None:
    """The places have tests of their own."""
    assert of_the_template(said_of_file(template)) == [fact]


# --- who is told ---


TWO = "- {name: One, kind: tip, text: Hi.}\n- {name: Two, kind: tip, text: Hi.}\n"


@pytest.mark.parametrize(
    ("cards", "name"),
    [(TWO, "tip"), ("{name: Note, kind: tip, text: Hi., back: sky}", "sky")],
    ids=["fronts", "a back"],
)
def test_a_mistake_of_a_template_is_told_once_however_many_cards_it_draws(cards: str, name: str) -> None:
    place(write_set(Path("s"), cards), {f"{name}.svg": svg("<widget/>")})
    assert kotc("check", "s").stdout == (
        f"s/templates/{name}.svg:2:1: error: template `{name}`: the element `<widget>` is not in the subset [T005]\n"
        "  2 | <widget/>\n    | ^^^^^^^\n"
    )


@pytest.mark.parametrize("command", ["png", "pdf", "build"])
def test_nothing_is_written_where_a_template_is_wrong(command: str) -> None:
    place(write_set(Path("s"), CARD), {"tip.svg": svg("<widget/>")})
    assert kotc(command, "s").exit_code == 1
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["s"]


# --- the table of codes ---


def test_every_code_is_explained_to_authors() -> None:
    reference = page("templates/errors.md")
    sources = [*(ROOT / "render/layout").glob("*.py"), ROOT / "render/game/faces.py"]
    code = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    assert {each for each in re.findall(r'"([TL]\d\d\d)"', code) if f"| {each} " not in reference} == set()


# --- what would take for ever, or all memory ---


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('<text width="9" height="9" font-size="3" min-size="1" size-step="1e-9">Hello</text>', "T007"),
        ('<text width="9" height="1" leading="1" line-gap="-3" font-size="3">Hello Hello Hello</text>', "T007"),
        ('<line x2="60" y2="60" stroke="black" stroke-dasharray="1e-6 1e-6"/>', "T007"),
        ("{{ 'a' * 10**13 }}", "T010"),
        ("{{ 2**100000 }}", "T003"),
        ("{{ '\\ud800' }}", "T004"),
        ("{% if 1 %}" * 500 + "{% endif %}" * 500, "T002"),
        ("<text>" + "<tspan>" * 1500 + "</tspan>" * 1500 + "</text>", "T005"),
    ],
    ids=["steps", "gap", "dashes", "memory", "digits", "surrogate", "blocks", "spans"],
)
def test_a_template_that_asks_for_too_much_is_refused_at_once(content: str, code: str) -> None:
    assert f"[{code}]" in said_of(content)


PLACES = {
    "<g/>\n  <circel r='3'/>": "3:3 ^^^^^^^",
    "<g/>\n<rect x='1' widht='3' height='2'/>": "3:13 ^^^^^",
    "<g/>\n<text y='3'>{{ card.nmae }}</text>": "3:21 ^^^^",
    "<rect id='a'/>\n<rect id='b' width='3xp' height='2'/>": "3:14 ^^^^^",
    "{% for n in [1, 2] %}\n<g>\n{% endfor %}": "3:1 ^^",
}


@pytest.mark.parametrize("content", PLACES)
def test_a_mistake_has_its_line_and_column_in_the_template(content: str) -> None:
    assert_marked(content, PLACES[content])

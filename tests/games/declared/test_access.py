"""What `check --access` finds on drawn cards: faint words, small ones, and what is told by color alone.

The contrasts that are expected are those of the two colors as WCAG defines them, worked out here.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.games.declared.lanterns import BACK, SVG, write_files
from tests.support.sets import kotc

GAME = "name: Moles\nkinds:\n  mole: {fields: []}\n"
ON_WHITE = '<rect width="63.5" height="88.9" fill="#ffffff"/>\n'


@pytest.fixture(autouse=True)
def _in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def words(more: str, size: float = 3.5) -> str:
    """Return a line of 9.9 pt, or of a size in mm."""
    return f'<text id="name" x="5" y="30" width="50" font-size="{size}" {more}>{{{{ card.name }}}}</text>\n'


def found(
    front: str,
    *options: str,
    cards: str = "- {name: Mole, kind: mole}\n",
    game: str = GAME,
    back: str = BACK,
    of_set: str = "",
) -> list[dict[str, Any]]:
    """Return what `check --access` finds on cards with such a front."""
    write_files(
        Path(),
        {
            "pack/set.yaml": f"name: Moles\n{of_set}",
            "pack/game.yaml": game,
            "pack/cards.yaml": cards,
            "pack/templates/mole.svg": SVG.format(front),
            "pack/templates/back.svg": back,
        },
    )
    findings: list[dict[str, Any]] = json.loads(kotc("check", "pack", "--format", "json", "--access", *options).stdout)
    return findings


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors."""

    def light(color: str) -> float:
        red, green, blue = (
            share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
            for share in (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05

    return max(light(one), light(other)) / min(light(one), light(other))


def told(findings: list[dict[str, Any]]) -> float:
    """Return the contrast that the one finding tells."""
    (finding,) = findings
    assert finding["code"] == "L013"
    figure = re.search(r"([0-9.]+):1 is", finding["message"])
    assert figure
    return float(figure[1])


@pytest.mark.parametrize(
    ("letters", "ground"),
    [("#999999", "#ffffff"), ("#7a7a7a", "#ffffff"), ("#555555", "#222222"), ("#d94f3a", "#3a7f4f")],
)
def test_faint_letters_are_told_with_their_contrast(letters: str, ground: str) -> None:
    front = f'<rect width="63.5" height="88.9" fill="{ground}"/>\n' + words(f'fill="{letters}"')
    assert told(found(front)) == pytest.approx(contrast(letters, ground), abs=0.051)


@pytest.mark.parametrize("color", ["#000000", "#767676", "#0000ff", "#c00000"])
@pytest.mark.parametrize("size", [2.2, 3.5, 9.0])
def test_letters_that_stand_out_are_not_told_however_thin_they_are(color: str, size: float) -> None:
    assert contrast(color, "#ffffff") > 4.5
    assert found(ON_WHITE + words(f'fill="{color}"', size)) == []


@pytest.mark.parametrize(
    ("points", "weight", "is_large"), [(18, 400, True), (14, 700, True), (17, 400, False), (13, 700, False)]
)
def test_large_letters_need_less_contrast(points: float, weight: int, is_large: bool) -> None:
    assert 3 < contrast("#949494", "#ffffff") < 3.1
    front = ON_WHITE + words(f'fill="#949494" font-weight="{weight}"', points * 25.4 / 72)
    assert (found(front) == []) is is_large


def test_a_line_around_letters_is_their_edge() -> None:
    line = 'fill="#ffffff" stroke="{}" stroke-width="0.5" paint-order="stroke"'
    assert found(ON_WHITE + words(line.format("#000000"), 5)) == []
    assert told(found(ON_WHITE + words(line.format("#cccccc"), 5))) == pytest.approx(1.6, abs=0.1)


def test_a_line_of_the_color_of_the_letters_only_makes_them_bolder() -> None:
    assert found(ON_WHITE + words('fill="#800000" stroke="#800000" stroke-width="0.3"', 5)) == []
    faint = 'fill="#dddddd" stroke="#dddddd" stroke-width="0.3"'
    assert told(found(ON_WHITE + words(faint, 5))) == pytest.approx(contrast("#dddddd", "#ffffff"), abs=0.051)


def test_a_dark_glow_behind_white_letters_makes_them_stand_out() -> None:
    glow = 'fill="#ffffff" stroke="#000000" stroke-width="0.8" paint-order="stroke" text-shadow="0 0 2 #000000"'
    assert found(ON_WHITE + words(glow, 5)) == []


def test_letters_that_are_seen_through_are_as_faint_as_they_look() -> None:
    front = ON_WHITE + f'<g opacity="0.3">{words("")}</g>'
    assert told(found(front)) == pytest.approx(contrast("#b3b3b3", "#ffffff"), abs=0.051)


def test_the_part_of_a_line_that_lies_on_a_light_part_of_a_picture_counts() -> None:
    write_files(Path(), {"pack/set.yaml": "name: Moles\n"})
    picture = Image.new("RGB", (400, 560), (20, 30, 40))
    picture.paste((240, 235, 200), (70, 0, 110, 560))
    picture.save("pack/sky.png")
    sky = '<image href="sky.png" width="63.5" height="88.9"/>\n'
    line = words('fill="#ffffff"', 7)
    assert told(found(sky + line)) == pytest.approx(contrast("#ffffff", "#f0ebc8"), abs=0.06)
    picture.paste((20, 30, 40), (0, 0, 400, 560))
    picture.save("pack/sky.png")
    assert found(sky + line) == []


def test_equal_findings_of_many_cards_are_one_with_the_worst_card() -> None:
    shades = ["000000", "999999", "bbbbbb", "aaaaaa"]
    cards = "".join(f"- {{name: Mole {number}, kind: mole}}\n" for number in range(4))
    chosen = f"{{{{ {shades!r}[card.name[-1]|int] }}}}"
    (finding,) = found(ON_WHITE + words(f'fill="#{chosen}"'), cards=cards)
    assert finding["message"] == (
        "`name` of `mole` on 3 of 4 cards, worst on `mole-2`: 1.9:1 is too little contrast, "
        "and letters of that size need 4.5:1: `Mole 2`"
    )
    assert (finding["file"], finding["line"], finding["card"]) == ("pack/cards.yaml", 3, "mole-2")


def test_what_is_faint_in_a_variant_alone_is_told_with_it() -> None:
    front = ON_WHITE + words("fill=\"{{ '#bbbbbb' if card.variant else '#000000' }}\"")
    (finding,) = found(front, cards="- name: Mole\n- name: Vole\n", of_set="variants: {foil: {where: id == 'vole'}}\n")
    assert finding["message"].startswith("`name` of `mole` on 1 of 2 cards, worst on `vole` as `foil`: 1.9:1")


def test_what_is_wrong_on_all_cards_is_told_at_the_template() -> None:
    (finding,) = found(
        ON_WHITE + words('fill="#aaaaaa"'), cards="- {name: Mole, kind: mole}\n- {name: Vole, kind: mole}\n"
    )
    assert (finding["file"], finding["field"]) == ("pack/templates/mole.svg", "name")
    assert '<text id="name"' in Path(finding["file"]).read_text().splitlines()[finding["line"] - 1]


def test_type_under_a_size_is_told_with_its_size() -> None:
    front = ON_WHITE + words("", 2.0)  # 5.7 pt
    (finding,) = found(front)
    assert (finding["code"], "5.7 pt" in finding["message"]) == ("L014", True)
    assert found(front, "--least-type", "5.5") == []
    assert found(ON_WHITE + words("", 2.1167)) == []  # 6 pt


def test_type_is_measured_on_the_card_and_not_in_the_template() -> None:
    cards = "- {name: Mole, kind: mole}\n"
    assert found(ON_WHITE + f'<g transform="scale(0.5)">{words("", 4.0)}</g>', cards=cards)[0]["code"] == "L014"
    assert found(ON_WHITE + f'<g transform="scale(2)">{words("", 1.2)}</g>', cards=cards) == []


def test_what_a_back_says_is_told_once() -> None:
    cards = "- {name: Mole, kind: mole}\n- {name: Vole, kind: mole}\n"
    back = ON_WHITE + '<text x="5" y="40" font-size="4" fill="#eeeeee">Burrow</text>'
    (finding,) = found(ON_WHITE, cards=cards, back=SVG.format(back))
    assert finding["message"].startswith("a text of the back `back`: 1.2:1 is too little contrast")


def test_findings_are_silenced_as_others_are() -> None:
    front = ON_WHITE + words('fill="#aaaaaa"', 2.0)
    assert {each["code"] for each in found(front)} == {"L013", "L014"}
    assert [each["code"] for each in found(front, "--ignore", "L014")] == ["L013"]
    write_files(Path(), {"pack/set.yaml": "name: Moles\nignore: [L013, L014]\n"})
    assert json.loads(kotc("check", "pack", "--format", "json", "--access").stdout) == []


def test_nobody_is_told_who_did_not_ask() -> None:
    assert found(ON_WHITE + words('fill="#aaaaaa"', 2.0))
    assert kotc("check", "pack").output == "1 card checked: nothing to report\n"


# --- colors ---

AMBER, GREEN = "#c09020", "#40b020"  # alike to who sees no red or no green


def kinds(moles: str, voles: str, others: str = "") -> list[dict[str, Any]]:
    """Return what is found on three cards each of two kinds with these fronts."""
    named = {"mole": ["Ash", "Birch", "Cedar"], "vole": ["Date", "Elm", "Fir"]}
    cards = "".join(f"- {{name: {name}, kind: {kind}}}\n" for kind, names in named.items() for name in names)
    write_files(Path(), {"pack/set.yaml": "name: Moles\n"})
    Path("pack/game.yaml").write_text("name: Moles\nkinds:\n  mole: {fields: []}\n  vole: {fields: []}\n")
    write_files(
        Path(),
        {
            "pack/cards.yaml": cards,
            "pack/templates/mole.svg": SVG.format(moles + others),
            "pack/templates/vole.svg": SVG.format(voles + others),
            "pack/templates/back.svg": BACK,
        },
    )
    findings: list[dict[str, Any]] = json.loads(kotc("check", "pack", "--format", "json", "--access").stdout)
    return findings


def frame(color: str) -> str:
    return f'{ON_WHITE}<rect x="3" y="3" width="57.5" height="10" fill="{color}"/>\n'


def test_kinds_whose_fronts_differ_by_color_alone_are_told() -> None:
    (finding,) = kinds(frame(AMBER), frame(GREEN), words("", 5))
    assert finding["message"] == (
        "the fronts of `mole` and `vole` differ by color alone: who sees no red (protanopia) or no green "
        "(deuteranopia) cannot tell them apart"
    )
    assert (finding["code"], finding["field"]) == ("L015", "kind")


def test_kinds_that_differ_in_lightness_or_by_a_sign_or_in_words_are_not_told() -> None:
    assert kinds(frame(AMBER), frame("#204010")) == []
    assert kinds(frame(AMBER), frame(GREEN) + '<circle cx="50" cy="70" r="6" fill="#000000"/>') == []
    kind = '<text x="5" y="60" font-size="7">{{ card.kind }}</text>'
    assert kinds(frame(AMBER) + kind, frame(GREEN) + kind) == []


def test_choices_of_a_kind_that_differ_by_color_alone_are_told() -> None:
    field = "fields: {suit: {type: choice, choices: [sun, moon]}}\nkinds:\n  mole: {fields: [suit]}\n"
    suits = ["sun"] * 3 + ["moon"] * 3
    cards = "".join(
        f"- {{name: {name}, kind: mole, suit: {suit}}}\n" for name, suit in zip("ABCDEF", suits, strict=True)
    )
    front = frame("{{ '#c09020' if card.suit == 'sun' else '#40b020' }}") + words("", 5)
    (finding,) = found(front, cards=cards, game=f"name: Moles\n{field}")
    assert finding["message"].startswith("the fronts of `suit: sun` and `suit: moon` differ by color alone")
    assert (finding["file"], finding["line"], finding["field"]) == ("pack/cards.yaml", 4, "suit")


def icons(one: str, other: str) -> list[dict[str, Any]]:
    """Return what is found of two icons."""
    write_files(
        Path(),
        {
            "pack/set.yaml": "name: Moles\n",
            "pack/game.yaml": GAME + "icons: {sun: icons/sun.svg, moon: icons/moon.svg}\n",
            "pack/cards.yaml": "- {name: Mole, kind: mole}\n",
            "pack/icons/sun.svg": f'<svg width="10" height="10">{one}</svg>\n',
            "pack/icons/moon.svg": f'<svg width="10" height="10">{other}</svg>\n',
            "pack/templates/mole.svg": SVG.format(ON_WHITE),
            "pack/templates/back.svg": BACK,
        },
    )
    findings: list[dict[str, Any]] = json.loads(kotc("check", "pack", "--format", "json", "--access").stdout)
    return findings


def test_icons_of_one_shape_that_differ_by_color_alone_are_told_at_the_game() -> None:
    disc = '<circle cx="5" cy="5" r="5" fill="{}"/>'
    (finding,) = icons(disc.format(AMBER), disc.format(GREEN))
    assert finding["message"].startswith("the icons `sun` and `moon` differ by color alone: who sees no red")
    assert (finding["file"], finding["line"]) == ("pack/game.yaml", 4)


@pytest.mark.parametrize(
    "other",
    [f'<rect width="10" height="10" fill="{GREEN}"/>', '<circle cx="5" cy="5" r="5" fill="#3050c0"/>'],
    ids=["another shape", "another lightness or a blue"],
)
def test_icons_that_differ_for_all_eyes_are_not_told(other: str) -> None:
    assert icons(f'<circle cx="5" cy="5" r="5" fill="{AMBER}"/>', other) == []

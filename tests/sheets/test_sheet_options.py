"""The options of sheets: one list for sets and command line, exact messages, and which side has the last word."""

import json
import re
import tempfile
from enum import Enum
from functools import partial
from math import inf
from pathlib import Path
from typing import Any
from unicodedata import normalize

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import assume, example, given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from render.base.findings import as_text
from render.base.geometry import Flip, Size
from render.base.sizes import CARDS, PAPERS
from render.cli.commands.cut import cut
from render.cli.commands.pdf import pdf
from render.cli.options import Asked, SheetCommand, say_doubts, sheet_flag, sheet_flags
from render.game.sources import declared, survey
from render.games.kotc.commands.deck import deck
from render.scene.proof_kinds import Proof
from render.sheets.cutting import registration_marks
from render.sheets.imposition import fit_grid, remedies
from render.sheets.option_values import written
from render.sheets.options import (
    KEYS,
    MIN_MARGIN,
    OPTIONS,
    SECTIONS,
    Backs,
    Crop,
    Option,
    Orientation,
    Registration,
    SheetOptions,
    Sides,
    Structure,
    Where,
)
from tests.support.messages import assert_says, write
from tests.support.pdf_contents import pages, ticket
from tests.support.sets import kotc
from tests.support.templates import with_plain_back

pytestmark = pytest.mark.usefixtures("in_empty_folder")

CARD = "- {name: Storm, kind: minion, level: 2, sp: 1, hp: 1}\n"
BY_KEY = {option.key: option for option in OPTIONS}
VALUED = [option for option in OPTIONS if not option.is_switch]
EACH_VALUED = pytest.mark.parametrize("option", VALUED, ids=lambda option: option.key)
EACH = pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)


@click.command(cls=SheetCommand)
@click.option("--out", help="Where to.")
@sheet_flags
def show(asked: Asked, out: str | None) -> None:
    """Show what is asked for."""
    click.echo("".join(f"{key}: {written(value)}\n" for key, value in asked.items()), nl=False)
    say_doubts(SheetOptions(**asked), asked)


def shown(*arguments: str) -> Result:
    return CliRunner().invoke(show, arguments)


def flags(values: dict[str, Any]) -> list[str]:
    """Return the values as they are given on the command line."""
    given = []
    for key, value in values.items():
        option = BY_KEY[key]
        switch = option.flag if value else option.off_flag
        given += [switch] if option.is_switch else [option.flag, written(value)]
    return given


def yaml(values: dict[str, Any]) -> str:
    """Return the values as a set has them: words and numbers as they are, but a color and free text in quotes."""
    texts = {key: written(value) for key, value in values.items()}
    quoted = {
        key: json.dumps(texts[key], ensure_ascii=False) for key in ("bleed_from", "date", "printer") if key in texts
    }
    return "sheet:\n" + "".join(f"  {key}: {text}\n" for key, text in (texts | quoted).items())


def a_set(sheet: str, folder: Path = Path("s"), name: str = "Test") -> Path:
    made = write(folder, {"set.yaml": f"name: {name}\nedition: 17\nsheet: {sheet}\n", "cards.yaml": CARD})
    return with_plain_back(made)


def said_of_sheet(sheet: str) -> str:
    return as_text(survey([a_set(sheet)])[1])


def refusal(result: Result) -> str:
    """Return what is said of wrong usage, behind the lines that say where the help is."""
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    return result.stderr.rstrip("\n").rpartition("\n")[2].removeprefix("Error: ")


# --- one list -------------------------------------------------------------------------------------------------------


def test_every_key_is_an_option_and_every_option_a_field_in_the_same_order() -> None:
    assert tuple(field.name for field in fields(SheetOptions)) == KEYS


@pytest.mark.parametrize("command", [pdf, deck, cut], ids=lambda command: command.name)
def test_every_command_that_makes_sheets_has_a_flag_for_each_option_in_the_same_order(command: click.Command) -> None:
    assert tuple(each.name for each in command.params if each.name in KEYS) == KEYS


def test_a_set_may_have_every_option_and_no_other_key() -> None:
    a_set("{" + ", ".join(f"{key}: {json.dumps(option.default)}" for key, option in BY_KEY.items()) + "}")
    assert next(declared(Path("s"))).sheet == SheetOptions()
    assert_says(said_of_sheet("{papr: a4}"), "s/set.yaml:3:9 S002 unknown key `papr` (did you mean `paper`?)")


@EACH_VALUED
def test_the_default_can_be_asked_for(option: Option) -> None:
    """So that a command can undo what a set asks for."""
    assert option.read(option.default) == getattr(SheetOptions(), option.key)
    assert shown(option.flag, option.default).stdout == f"{option.key}: {option.default}\n"


# --- the same on both sides -----------------------------------------------------------------------------------------


def lengths(least: float, most: float) -> st.SearchStrategy[float]:
    return st.floats(least, most)


def sizes(longest: float) -> st.SearchStrategy[Size]:
    sides = lengths(10, longest).map(lambda mm: round(mm, 9))
    return st.builds(Size, sides, sides)


VALUES: dict[str, st.SearchStrategy[object]] = {
    "paper": st.sampled_from(list(PAPERS.values())) | sizes(2000),
    "orientation": st.sampled_from(Orientation),
    "card_size": st.sampled_from(list(CARDS.values())) | sizes(300),
    "grid": st.none() | st.tuples(st.integers(1, 99), st.integers(1, 99)),
    "margin": lengths(0, 100),
    "gutter": st.none() | st.tuples(lengths(0, 100), lengths(0, 100)),
    "backs": st.sampled_from(Backs),
    "flip": st.sampled_from(Flip),
    "bleed": lengths(0, 5),
    "reverse_backs": st.booleans(),
    "bleed_backs": st.none() | lengths(0, 5),
    "bleed_where": st.sampled_from(Where),
    "bleed_from": st.sampled_from(["auto", "template", "mirror"]) | st.from_regex("#[0-9a-f]{6}", fullmatch=True),
    "crop_marks": st.sampled_from(Crop),
    "mark_length": lengths(0.5, 20),
    "mark_offset": lengths(0, 20),
    "mark_line": lengths(0.05, 1),
    "mark_sides": st.sampled_from(Sides),
    "ruler": st.booleans(),
    "slug": st.booleans(),
    "date": st.text(st.sampled_from("Aé1ж, ·→"), max_size=13).map(partial(normalize, "NFC")),
    "printer": st.text(st.sampled_from("Aé1ж-"), max_size=9).map(lambda name: f"P{name}" if name else ""),
    "cut_line": st.booleans(),
    "corner_radius": lengths(0, 15),
    "proof": st.sampled_from(Proof),
    "registration": st.sampled_from(Registration),
    "sheets_per_file": st.integers(0, 9999),
    "standard": st.sampled_from(Structure),
    "rich_black": st.booleans(),
    "art_dpi": st.integers(150, 1200).map(float) | st.just(inf),
}  # fmt: skip


@given(st.fixed_dictionaries({}, optional=VALUES))
@example(dict.fromkeys(("grid", "gutter", "bleed_backs")))
def test_the_command_line_reads_any_value_as_it_is_written(values: dict[str, Any]) -> None:
    seen: list[Asked] = []
    command = click.command()(sheet_flags(seen.append))
    result = CliRunner().invoke(command, flags(values))
    assert (result.exit_code, seen) == (0, [values]), result.output


@given(st.fixed_dictionaries({}, optional={key: value for key, value in VALUES.items() if key != "grid"}))
def test_a_set_reads_any_value_as_the_command_line_does(values: dict[str, Any]) -> None:
    options = replace(SheetOptions(), **values)
    try:
        registration_marks(fit_grid(options))
    except ValueError:
        assume(False)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"set.yaml": f"name: Test\nedition: 17\n{yaml(values) if values else ''}"})
        assert next(declared(Path(folder))).sheet == options


@given(st.text(max_size=12))
@example("٣x٣")
@example("٣")
@example("1e400")
@example("nan")
@example("3x")
@example("")
def test_any_other_text_is_refused_with_what_was_expected(text: str) -> None:
    for option in OPTIONS:
        try:
            value = option.read(text)
        except ValueError as error:
            assert str(error).startswith("expected "), option.key
        else:
            assert option.read(written(value)) == value


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("paper", "A4", PAPERS["a4"]),
        ("paper", "21cm x 29.7cm", PAPERS["a4"]),
        ("paper", "8.5in x 11in", PAPERS["letter"]),
        ("paper", "11in x 17in", PAPERS["tabloid"]),
        ("card_size", "2.5in x 3.5in", CARDS["poker"]),
        ("card_size", "63×88", CARDS["standard"]),
        ("grid", "3 x 2", (3, 2)),
        ("grid", "3X2", (3, 2)),
        ("gutter", "2", (2.0, 2.0)),
        ("gutter", "2 x 0.4cm", (2.0, 4.0)),
        ("margin", "0.25in", 6.35),
        ("bleed_from", "#8000FF", "#8000ff"),
        ("date", "e\N{COMBINING ACUTE ACCENT}t\N{LATIN SMALL LETTER E WITH ACUTE}", "\xe9t\xe9"),
    ],
)
def test_values_may_be_written_as_people_do(key: str, text: str, value: object) -> None:
    assert BY_KEY[key].read(text) == value
    a_set(f"\n  {key}: '{text}'")
    assert getattr(next(declared(Path("s"))).sheet, key) == value


# --- wrong values ---------------------------------------------------------------------------------------------------

WRONG = [
    ("paper", "lettr", "letter"),
    ("paper", "5x5", "5inx5in"),
    ("orientation", "portrai", "portrait"),
    ("card_size", "pokr", "poker"),
    ("grid", "3", "3x3"),
    ("grid", "0x3", "3x3"),
    ("grid", "100x3", "3x3"),
    ("margin", "-1", "0 to 100 mm"),
    ("margin", "5 metres", "0 to 100 mm"),
    ("gutter", "3x", "2x3"),
    ("gutter", "101", "0 to 100 mm"),
    ("gutter", "aut", "auto"),
    ("backs", "Duplx", "duplex"),
    ("flip", "long", "long-edge"),
    ("bleed", "6", "0 to 5 mm"),
    ("bleed_backs", "5.1", "0 to 5 mm"),
    ("bleed_where", "all", "block"),
    ("bleed_from", "miror", "mirror"),
    ("bleed_from", "800000", "'#800000'"),
    ("crop_marks", "corners", "corner"),
    ("mark_length", "0", "0.5 to 20 mm"),
    ("mark_offset", "21", "0 to 20 mm"),
    ("mark_line", "0.01", "0.05 to 1 mm"),
    ("mark_sides", "front", "fronts"),
    ("date", "1 \u16a0", "U+16A0"),
    ("date", "a line that is longer than any date or draft", "40 characters"),
    ("printer", "A`", "```"),
    ("corner_radius", "16", "0 to 15 mm"),
    ("proof", "low ink", "low-ink"),
    ("registration", "silhouete", "silhouette"),
    ("sheets_per_file", "-2", "0 to 9999"),
    ("sheets_per_file", "2.5", "0 to 9999"),
    ("standard", "x1a", "x-1a"),
    ("standard", "a-2b", "x-4"),
    ("art_dpi", "149", "150 to 1200"),
    ("art_dpi", "1201", "150 to 1200"),
    ("art_dpi", "orginal", "original"),
]
"""Keys, wrong values, and what their messages say besides that something else was expected."""


@pytest.mark.parametrize(("key", "text", "fact"), WRONG, ids=[f"{key} {text}" for key, text, _ in WRONG])
def test_a_wrong_value_is_said_with_what_was_expected_on_both_sides(key: str, text: str, fact: str) -> None:
    flag, line = BY_KEY[key].flag, f"  {key}: {text}"
    column = len(line) - len(text)
    on_command_line, in_set = refusal(shown(flag, text)), said_of_sheet(f"\n{line}").split("\n")
    assert on_command_line.startswith(f"Invalid value for '{flag}': expected ")
    assert in_set[0].startswith(f"s/set.yaml:4:{column + 1}: error: expected ")
    assert in_set[0].endswith(" [S007]")
    assert in_set[1:3] == [f"  4 | {line}", f"    | {' ' * column}{'^' * len(text)}"]
    for message in (on_command_line, "\n".join(in_set)):
        assert fact in message


def test_every_option_has_a_wrong_value_here() -> None:
    switches = {option.key for option in OPTIONS if option.is_switch}
    assert {key for key, *_ in WRONG} == set(KEYS) - switches


@pytest.mark.parametrize("key", [option.key for option in OPTIONS if option.is_switch])
def test_switches_are_true_or_false_in_a_set_and_have_no_value_on_the_command_line(key: str) -> None:
    assert f"expected `true` or `false`, found `yes` [S007]\n  4 |   {key}: yes" in said_of_sheet(f"\n  {key}: yes")
    flag = BY_KEY[key].flag
    assert refusal(shown(f"{flag}=true")) == f"Option '{flag}' does not take a value."
    assert shown(flag).stdout + shown(f"--no-{flag[2:]}").stdout == f"{key}: true\n{key}: false\n"


@pytest.mark.parametrize(
    ("sheet", "facts"),
    [
        ("{bleed: 6, grid: 3, backs: both, slug: on}", ["[S007]"] * 4),
        ("\n  bleed_from: #800000", ["s/set.yaml:4:3", "expected `auto`, `template`", "[S007]"]),
        ("{grid: [3, 3]}", ["expected CxR|auto, found a list, `[3, 3]` [S005]", "write `grid: 3x3`"]),
        ("{paper: }", ["expected `a4`", "found nothing"]),
    ],
)
def test_wrong_values_of_a_set_are_all_named(sheet: str, facts: list[str]) -> None:
    said = said_of_sheet(sheet)
    assert [fact for fact in facts if said.count(fact) < facts.count(fact)] == []


# --- what is doubtful -----------------------------------------------------------------------------------------------


def test_what_is_doubtful_in_a_set_is_a_warning_of_check_at_its_place() -> None:
    a_set("{card_size: guide, margin: 4}")
    result = kotc("check", "s")
    assert (result.exit_code, result.stderr) == (0, "1 card checked: 2 warnings\n")
    found = re.findall(r"^(s/set.yaml:\S+) warning: .*\[(I\d+)\]$", result.stdout, re.MULTILINE)
    assert found == [("s/set.yaml:3:20:", "I002"), ("s/set.yaml:3:35:", "I001")]


@pytest.mark.parametrize(
    ("sheet", "asked", "codes"),
    [
        ("paper: a4", "pdf s --out s.pdf --margin 4 --card-size 66x91", ["I001", "I002"]),
        ("paper: a4", "png s --card-size guide", ["I002"]),
        ("margin: 4", "pdf s --out s.pdf", ["I001"]),
    ],
)
def test_what_is_doubtful_is_said_once_and_done(sheet: str, asked: str, codes: list[str]) -> None:
    a_set(f"{{{sheet}}}")
    result = kotc(*asked.split())
    assert result.exit_code == 0
    assert re.findall(r"^.*warning: .*\[(I\d+)\]$", result.stderr, re.MULTILINE) == codes


@pytest.mark.parametrize(
    ("asked", "facts"),
    [
        *((f"--card-size {size}", ["I002", "poker"]) for size in ("guide", "66x91", "6.6cmx9.1cm")),
        *((f"--card-size {size}", []) for size in ("poker", "standard", "91x66", "tarot")),
        ("--margin 4.29", ["I001", " 4.29 mm"]),
        (f"--margin {MIN_MARGIN}", []),
        ("--bleed 3 --gutter 1", ["I003", " 0.5 mm", " 6 mm"]),
        ("--bleed 3 --gutter 9x5", ["I003", " 2.5 mm", " 6 mm"]),
        ("--bleed 1 --bleed-backs 3 --gutter 0", ["I003", " 0 mm", " 6 mm"]),
        ("--bleed 3 --gutter 6", []),
        ("--bleed 3", []),
        ("--bleed 3 --gutter 1 --bleed-where block", []),
        ("--bleed 3 --gutter 9x5 --grid 2x1", []),
        ("--bleed 3 --gutter 1 --proof outline", []),
        *((f"--reverse-backs --backs {backs}", ["I004", f"`backs: {backs}`"]) for backs in ("duplex", "fold", "none")),
        ("--reverse-backs --backs separate", []),
    ],
)
def test_what_is_doubtful_is_warned_of_and_nothing_else(asked: str, facts: list[str]) -> None:
    said = shown(*asked.split()).stderr
    assert [fact for fact in facts if fact not in said] == []
    assert said.count("warning:") == bool(facts)


def test_bleed_that_is_asked_for_is_doubtful_in_a_gutter_of_the_set() -> None:
    a_set("{gutter: 1}")
    assert "[I003]" not in kotc("check", "s").stdout
    assert "[I003]" in kotc("pdf", "s", "--bleed", "2", "--out", "s.pdf").stderr


# --- what does not fit ----------------------------------------------------------------------------------------------

WITH_BLEED = (
    "3 x 3 cards of 63.5 x 88.9 mm, 6 mm apart, do not fit a paper of 210 x 297 mm with margins of 5 mm and a bleed of "
    "3 mm: 2 x 3 do; 3 x 3 do with a bleed of 1.5 mm or with bleed only around the block"
)


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ("--grid 3x3 --bleed 3", WITH_BLEED),
        ("--grid 4x2", ": 3 x 3 do; 4 x 2 do in landscape"),
        ("--grid 3x2 --gutter 20x5", ": 2 x 3 do; 3 x 2 do in landscape or with a gutter of 4.7 mm"),
        ("--grid 3x3 --margin 12", ": 2 x 3 do; 3 x 3 do with margins of 9.7 mm"),
        ("--grid 3x3 --backs fold", "beside a fold do not fit a paper of 210 x 297 mm with margins of 5 mm: 2 x 2 do"),
        ("--paper 100x80", ": it must be at least 73.5 x 98.9 mm; one fits in portrait"),
        ("--paper 60x80", ": it must be at least 73.5 x 98.9 mm"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_and_one_that_fits_is_suggested(asked: str, fits: str) -> None:
    a_set("{paper: a4}")
    assert refusal(kotc("pdf", "s", *asked.split())).endswith(fits)


@pytest.mark.parametrize(
    "asked",
    [
        "--orientation landscape --bleed 3 --grid 4x2",
        "--bleed 1.5 --grid 3x3",
        "--bleed 3 --bleed-where block --grid 3x3",
    ],
)
def test_what_is_suggested_to_fit_fits(asked: str) -> None:
    a_set("{paper: a4}")
    assert kotc("pdf", "s", *asked.split(), "--out", "s.pdf").exit_code == 0


@given(
    st.sampled_from(list(PAPERS.values())),
    st.fixed_dictionaries(
        {"margin": lengths(0, 20), "bleed": lengths(0, 5)},
        optional={"gutter": st.tuples(lengths(0, 30), lengths(0, 30)), "backs": VALUES["backs"]},
    ),
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
)
def test_a_length_with_which_it_would_fit_is_the_longest_in_tenths(
    paper: Size, values: dict[str, Any], grid: tuple[int, int]
) -> None:
    options = SheetOptions(paper=paper, grid=grid, **values)
    for name in ("margin", "bleed", "gutter"):
        for words_of, changed in remedies(options, grid).items():
            now, before = (getattr(each, name) for each in (changed, options))
            if now == before or not words_of.startswith("with"):
                continue
            assert fit_grid(changed).slots
            longer = round(max(now) if isinstance(now, tuple) else now, 1) + 0.1
            most = max(before) if isinstance(before, tuple) else before
            if longer >= most:
                continue
            more = tuple(min(each, longer) for each in before) if isinstance(before, tuple) else longer
            with pytest.raises(ValueError, match="fit"):
                fit_grid(replace(options, **dict[str, Any]({name: more})))


@pytest.mark.parametrize(
    ("sheet", "value", "message"),
    [("{bleed: 3, grid: 3x3}", "3x3", WITH_BLEED), ("{margin: 5, paper: 100x80}", "100x80", "fits in portrait")],
)
def test_a_sheet_that_does_not_fit_is_one_error_at_the_key_that_asks_for_too_much(
    sheet: str, value: str, message: str
) -> None:
    said, column = said_of_sheet(sheet).split("\n"), f"sheet: {sheet}".index(value)
    assert re.fullmatch(rf"s/set.yaml:3:{column + 1}: error: .*{re.escape(message)} \[S007\]", said[0])
    assert said[1:] == [f"  3 | sheet: {sheet}", f"    | {' ' * column}{'^' * len(value)}"]


# --- command line over set over default -----------------------------------------------------------------------------


def made(*arguments: str) -> dict[str, Any]:
    """Return what a file of sheets says of itself, once it is made."""
    result = kotc("pdf", *arguments, "--out", "out.pdf")
    assert result.exit_code == 0, result.output
    return ticket(Path("out.pdf"))


@pytest.mark.parametrize(
    ("said", "default", "sheet", "of_set", "asked", "of_command"),
    [
        ("paper", [210, 297], "{paper: letter}", [215.9, 279.4], "--paper a3", [297, 420]),
        ("paper", [210, 297], "{orientation: landscape}", [297, 210], "--orientation portrait", [210, 297]),
        ("paper", [210, 297], "{orientation: landscape}", [297, 210], "--orientation as-given", [210, 297]),
        ("card", [63.5, 88.9], "{card_size: bridge}", [57.15, 88.9], "--card-size 50x60", [50, 60]),
        ("grid", [3, 3], "{grid: 2x2}", [2, 2], "--grid 1x3", [1, 3]),
        ("grid", [3, 3], "{grid: 2x2}", [2, 2], "--grid auto", [3, 3]),
        ("gutter", [0, 0], "{gutter: 2}", [2, 2], "--gutter 1x4", [1, 4]),
        ("gutter", [0, 0], "{gutter: 2}", [2, 2], "--gutter auto", [0, 0]),
        ("margin", 5, "{margin: 8}", 8, "--margin 6", 6),
        ("bleed", [0, 0], "{bleed: 1}", [1, 1], "--bleed 1.5", [1.5, 1.5]),
        ("bleed", [0, 0], "{bleed_backs: 1}", [0, 1], "--bleed-backs auto", [0, 0]),
        ("backs", "duplex", "{backs: fold}", "fold", "--backs none", "none"),
        ("flip", "long-edge", "{flip: short-edge}", "short-edge", "--flip long-edge", "long-edge"),
    ],
)
def test_the_command_line_goes_before_the_set_and_the_set_before_the_default(
    said: str, default: object, sheet: str, of_set: object, asked: str, of_command: object
) -> None:
    a_set("{paper: a4}", Path("plain"))
    a_set(sheet)
    assert [made("plain")[said], made("s")[said], made("s", *asked.split())[said]] == [default, of_set, of_command]


def printed(*arguments: str) -> str:
    """Return the words of the first page, once it is made."""
    made(*arguments)
    return pages(Path("out.pdf"))[0]


@pytest.mark.parametrize(("key", "mark"), [("slug", "sheet 1 of 1"), ("ruler", "100 mm")])
def test_the_command_line_turns_switches_on_and_off_whatever_the_set_says(key: str, mark: str) -> None:
    for in_set in ("true", "false"):
        a_set(f"{{{key}: {in_set}}}")
        assert (mark in printed("s")) == (in_set == "true")
        assert mark in printed("s", f"--{key}")
        assert mark not in printed("s", f"--no-{key}")


def test_no_date_can_be_asked_for_over_that_of_a_set() -> None:
    a_set("{date: spring}")
    assert "· spring ·" in printed("s")
    assert "· autumn ·" in printed("s", "--date", "autumn")
    assert "· spring ·" not in printed("s", "--date", "")


ANOTHER = {
    "paper": "letter", "orientation": "landscape", "card_size": "bridge", "grid": "2x2", "margin": "6", "gutter": "2",
    "backs": "none", "reverse_backs": "true", "flip": "short-edge", "bleed": "1", "bleed_backs": "1",
    "printer": "Attic",
    "bleed_where": "block", "bleed_from": "mirror", "crop_marks": "off", "mark_length": "4", "mark_offset": "2",
    "mark_line": "0.2", "mark_sides": "backs", "ruler": "false", "slug": "false", "date": "May", "cut_line": "true",
    "corner_radius": "2", "proof": "outline", "registration": "silhouette", "sheets_per_file": "2",
    "standard": "x-1a", "rich_black": "true", "art_dpi": "original",
}  # fmt: skip
"""For each option a value that is not the default."""


@EACH
def test_sets_that_disagree_are_told_the_flag_to_choose_with(option: Option) -> None:
    roomy = "grid: 2x1, " if option.key == "registration" else ""
    a_set(f"{{{roomy}paper: a4}}", Path("one"), "One")
    a_set(f"{{{roomy}{option.key}: {ANOTHER[option.key]}}}", Path("two"), "Two")
    said = refusal(kotc("pdf", "one", "two", "--out", "out.pdf"))
    assert said == f"the sets ask for different sheets: choose with `{option.flag}`"
    chosen = [option.off_flag] if option.is_switch else [option.flag, option.default]
    assert kotc("pdf", "one", "two", "--out", "out.pdf", *chosen).exit_code == 0


def test_sets_that_disagree_are_told_all_flags_at_once_unless_each_has_a_file_of_its_own() -> None:
    a_set("{paper: letter, slug: false, gutter: 2}", Path("one"), "One")
    a_set("{bleed: 1}", Path("two"), "Two")
    said = refusal(kotc("pdf", "one", "two", "--out", "out.pdf", "--gutter", "0"))
    assert said == "the sets ask for different sheets: choose with `--paper`, `--bleed` and `--slug`"
    assert kotc("pdf", "one", "two").exit_code == 0
    assert [ticket(Path(f"out/{name}/sheets.pdf"))["paper"] for name in ("one", "two")] == [[215.9, 279.4], [210, 297]]


def test_the_sheets_of_a_deck_take_the_same_flags() -> None:
    a_set("{paper: letter, grid: 2x2, slug: true}")
    write(Path(), {"d.yaml": "name: D\nedition: 17\nsets: s\ncards: {storm: 40}\n"})
    result = kotc("deck", "d.yaml", "--pdf", "d.pdf")
    assert result.exit_code == 0, result.output
    assert (ticket(Path("d.pdf"))["paper"], ticket(Path("d.pdf"))["grid"]) == ([215.9, 279.4], [2, 2])
    result = kotc("deck", "d.yaml", "--pdf", "d.pdf", "--paper", "a4", "--grid", "auto", "--bleed", "1", "--no-slug")
    assert result.exit_code == 0, result.output
    told = ticket(Path("d.pdf"))
    assert (told["paper"], told["grid"], told["bleed"]) == ([210, 297], [3, 3], [1, 1])


# --- help -----------------------------------------------------------------------------------------------------------


def test_the_help_has_the_options_in_sections_each_in_its_own() -> None:
    *_, own, paper, backs, marks, files, press = shown("--help").stdout.split("\n\n")
    assert [part.split(":")[0] for part in (own, paper, backs, marks, files, press)] == ["Options", *SECTIONS]
    assert "--out TEXT" in own
    for part, options in zip((paper, backs, marks, files, press), SECTIONS.values(), strict=True):
        named = [line.split()[0] for line in part.split("\n") if line.startswith("  --")]
        assert named == [option.flag for option in options]


@EACH
def test_the_help_of_an_option_names_its_words_and_its_default(option: Option) -> None:
    (said,) = (each.help or "" for each in show.params if isinstance(each, click.Option) and each.name == option.key)
    if option.is_switch:
        assert said.endswith(f"[default: {option.flag[2:] if option.default == 'true' else f'no-{option.flag[2:]}'}]")
    else:
        assert [word for word in option.words if word not in said] == []
        assert said.endswith(f"[default: {option.default}]") or not option.default


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_help_keeps_to_its_width_and_breaks_no_value(width: int) -> None:
    lines = CliRunner().invoke(show, ["--help"], terminal_width=width).stdout.split("\n")
    assert max(map(len, lines)) <= width
    assert not [line for line in lines if line.endswith(("-", "[default:"))]


@pytest.mark.parametrize(("given", "said"), [(None, "[default: a4]"), ("yours", "[default: yours]"), ("", "")])
def test_the_help_of_a_single_flag_names_the_default_of_sheets_or_that_of_its_command(
    given: str | None, said: str
) -> None:
    @click.command()
    @sheet_flag("paper", default=given)
    def command(paper: Size) -> None:
        click.echo(written(paper))

    assert re.findall(r"\[default: \w+\]", CliRunner().invoke(command, ["--help"]).stdout) == [said] * bool(said)
    assert CliRunner().invoke(command, ["--paper", "letter"]).stdout == "letter\n"
    assert CliRunner().invoke(command).stdout == "auto\n"


def test_every_word_of_an_enumeration_is_a_value_of_its_option() -> None:
    for option in OPTIONS:
        default = getattr(SheetOptions(), option.key)
        if isinstance(default, Enum):
            assert option.words == tuple(member.value for member in type(default))


@pytest.mark.parametrize("command", [pdf, deck, cut], ids=lambda command: command.name)
def test_every_command_that_makes_sheets_has_its_help_in_sections(command: click.Command) -> None:
    said = CliRunner().invoke(command, ["--help"]).stdout
    assert [title for title in SECTIONS if f"\n\n{title}:\n  --" in said] == list(SECTIONS)
    assert "]..." not in said.partition("Options:")[2]

"""Data files of editions and pages of the game that are wrong: exactly what their author reads."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from render.base.findings import Refused, as_text
from render.games.kotc.commands.edition import edition
from render.games.kotc.editions import finding
from render.games.kotc.model.cards import ordinal
from tests.support.messages import words
from tests.support.rule_pages import GUIDE, RULEBOOK, changed, write_pages
from tests.support.schema_verdicts import disagreements

HEAD = "edition: 18\nterms: {minion: minion, sp: SP, hp: HP, level: level}\ndeck: {cards: 40-60}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that places are as short as the author's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("APPDATA" if sys.platform == "win32" else "XDG_DATA_HOME", str(tmp_path / "data"))


def said_of(text: str, number: int = 18) -> str:
    """Return all that is said of this data file of the edition."""
    file = Path(f"editions/{number}.yaml")
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refused:
        finding.find(number)
    assert list(disagreements("edition", text, refused.value.findings)) == []
    return as_text(refused.value.findings)


def kotc_edition(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(edition, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def doubts(rulebook: str = RULEBOOK, guide: str = GUIDE) -> str:
    """Return what is said of pages of which not everything is understood; what is not stands in the file."""
    result = kotc_edition("import", *write_pages(rulebook, guide))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "unknown:" in Path("editions/18.yaml").read_text(encoding="utf-8")
    return result.stderr.rstrip("\n").replace("\\", "/")


def refusal(rulebook: str = RULEBOOK, guide: str = GUIDE) -> str:
    """Return what is said of pages that cannot be imported; nothing is written."""
    files = write_pages(rulebook, guide)
    result = kotc_edition("import", *files)
    assert (result.exit_code, result.stdout) == (1, "")
    assert sorted(Path().rglob("*")) == sorted(files)
    return result.stderr.rstrip("\n")


# --- data files ---


def test_keys_and_values_of_every_wrong_kind() -> None:
    said = said_of("""\
editon: 18
terms: {minion: minion, sp: SP, hp: '', lvl: level}
clean_slate: x
deck: {cards: many, ultra_points: -1}
levels: {hp_share: half, least_of_minion_ability: 1}
reworded:
- in-play card
redacted: Draw 2 cards.
revised_levels:
- {text: "silo the targets"}
effects:
- {text: "destroy the targets", level: n}
- {text: "draw 2 cards", t: 4}
""")
    assert said == words("""
        editions/18.yaml:1:1: error: unknown key `editon` [D002]
          1 | editon: 18
            | ^^^^^^
          hint: did you mean `edition`?
        editions/18.yaml:2:37: error: `terms.hp` is empty [D009]
          2 | terms: {minion: minion, sp: SP, hp: '', lvl: level}
            |                                     ^^
          hint: write a hp
        editions/18.yaml:2:41: error: unknown key `lvl` [D002]
          2 | terms: {minion: minion, sp: SP, hp: '', lvl: level}
            |                                         ^^^
          hint: did you mean `level`?
        editions/18.yaml:3:14: error: expected a whole number from 1 to 999, found `x` [D005]
          3 | clean_slate: x
            |              ^
        editions/18.yaml:4:15: error: expected a number of cards such as `40` or `40-60`, found `many` [D005]
          4 | deck: {cards: many, ultra_points: -1}
            |               ^^^^
        editions/18.yaml:4:35: error: expected a whole number from 0 to 9999, found `-1` [D006]
          4 | deck: {cards: many, ultra_points: -1}
            |                                   ^^
        editions/18.yaml:5:20: error: expected a fraction such as `1/2`, found `half` [D005]
          5 | levels: {hp_share: half, least_of_minion_ability: 1}
            |                    ^^^^
        editions/18.yaml:7:3: error: expected keys and values such as `old: in-play card`, found `in-play card` [D005]
          7 | - in-play card
            |   ^^^^^^^^^^^^
        editions/18.yaml:8:11: error: expected a list, found `Draw 2 cards.` [D005]
          8 | redacted: Draw 2 cards.
            |           ^^^^^^^^^^^^^
        editions/18.yaml:10:4: error: `revised_levels.0` has no `edition` [D004]
          10 | - {text: "silo the targets"}
             |    ^^^^
          hint: add a line such as `edition: 17`
        editions/18.yaml:12:40: error: `n` is no formula: `n` is no variable: they are `a`, `x`, `y`, `z` and `t` [D030]
          12 | - {text: "destroy the targets", level: n}
             |                                        ^
          hint: write one such as `x`, `2x`, `xt/2` or `(x + 4y)/5`
        editions/18.yaml:13:4: error: `effects.1` has no `level` [D004]
          13 | - {text: "draw 2 cards", t: 4}
             |    ^^^^
          hint: add a line such as `level: x/2`
        editions/18.yaml:13:26: error: unknown key `t` [D002]
          13 | - {text: "draw 2 cards", t: 4}
             |                          ^
          hint: the keys are `text`, `level`, `ultra_points` and `limits`
    """)


def test_entries_that_disagree() -> None:
    said = said_of(f"""\
{HEAD.replace("40-60", "60-40")}clean_slate: 19
reworded:
- {{old: "hurl {{x}} cards", new: "fling {{y}} cards"}}
- {{old: "draw [x] cards", new: "draw {{n}} cards"}}
revised_levels:
- {{text: "silo the targets", edition: 19}}
conditions:
- {{text: "When you take damage:"}}
costs:
- {{text: "pay {{x}} HP", level: xt}}
- {{text: "pay {{x}} HP", level: y/2}}
""")
    assert said == words("""
        editions/18.yaml:3:7: error: a deck of 60 to 40 cards cannot be [D038]
          3 | deck: {cards: 60-40}
            |       ^^^^^^^^^^^^^^
          hint: write 40-60
        editions/18.yaml:4:14: error: the 18th Edition cannot know of the 19th [D037]
          4 | clean_slate: 19
            |              ^^
          hint: write an edition that is not later
        editions/18.yaml:6:32: error: the new text speaks of `y`, the old text `hurl {x} cards` does not [D032]
          6 | - {old: "hurl {x} cards", new: "fling {y} cards"}
            |                                ^^^^^^^^^^^^^^^^^
          hint: a new text has only numbers that the old one has
        editions/18.yaml:7:32: error: `{n}` is not a variable of a text [D031]
          7 | - {old: "draw [x] cards", new: "draw {n} cards"}
            |                                ^^^^^^^^^^^^^^^^
          hint: write `{x}`, `{y}` or `{z}` where a card puts in a number
        editions/18.yaml:9:39: error: the 18th Edition cannot know of the 19th [D037]
          9 | - {text: "silo the targets", edition: 19}
            |                                       ^^
          hint: write the edition in which the text was revised
        editions/18.yaml:11:10: error: `When you take damage:` ends in `:`, which is no part of a condition [D031]
          11 | - {text: "When you take damage:"}
             |          ^^^^^^^^^^^^^^^^^^^^^^^
          hint: remove the `:`
        editions/18.yaml:13:31: error: the formula `xt` speaks of `t`, the text does not [D032]
          13 | - {text: "pay {x} HP", level: xt}
             |                               ^^
          hint: only effects have targets
        editions/18.yaml:14:10: error: `pay {x} HP` is given twice, first at editions/18.yaml:13:10 [D033]
          14 | - {text: "pay {x} HP", level: y/2}
             |          ^^^^^^^^^^^^
          hint: remove one of the two
        editions/18.yaml:14:31: error: the formula `y/2` speaks of `y`, the text does not [D032]
          14 | - {text: "pay {x} HP", level: y/2}
             |                               ^^^
          hint: write `{y}` into the text
    """)


OLD_HEAD = "edition: 10\nterms: {minion: creature, sp: offense, hp: defense, level: cost}\ndeck: {cards: 40}\n"


def test_entries_of_an_old_edition_that_disagree() -> None:
    said = said_of(
        f"""\
{OLD_HEAD}levels: {{hp_share: 1/5, round: never, least_of_minion_ability: 1, least_of_spell_ability: 1}}
caveats:
- {{text: "Cannot attack", level: 2}}
conditions:
- {{text: "When you take {{x}} damage.", level: x, a: 1/x}}
- {{text: "When you take damage.", a: at}}
effects:
- {{text: "Draw {{x}} cards.", level: 2x, limits: {{y: 14}}}}
- {{text: "Draw {{x}} random cards.", level: x, limits: {{n: 14, x: many}}}}
unknown:
- {{section: deck, line: 0, words: "Frobnicate."}}
- {{section: spells, line: 8, words: ""}}
""",
        10,
    )
    assert said == words("""
        editions/10.yaml:4:32: error: expected `card` or `ability`, found `never` [D007]
          4 | levels: {hp_share: 1/5, round: never, least_of_minion_ability: 1, least_of_spell_ability: 1}
            |                                ^^^^^
        editions/10.yaml:6:10: error: `Cannot attack` does not end in `.`, as a caveat does [D031]
          6 | - {text: "Cannot attack", level: 2}
            |          ^^^^^^^^^^^^^^^
          hint: add the `.`
        editions/10.yaml:8:52: error: `When you take {x} damage.` has both `level` and `a` [D039]
          8 | - {text: "When you take {x} damage.", level: x, a: 1/x}
            |                                                    ^^^
          hint: remove one of the two
        editions/10.yaml:9:38: error: the formula `at` speaks of `a` and `t`, the text does not [D032]
          9 | - {text: "When you take damage.", a: at}
            |                                      ^^
          hint: only effects follow a condition
        editions/10.yaml:11:48: error: the limits speak of `y`, the text does not [D032]
          11 | - {text: "Draw {x} cards.", level: 2x, limits: {y: 14}}
             |                                                ^^^^^^^
          hint: write `{y}` into the text, or remove its limit
        editions/10.yaml:12:55: error: unknown key `n` [D002]
          12 | - {text: "Draw {x} random cards.", level: x, limits: {n: 14, x: many}}
             |                                                       ^
          hint: the keys are `x`, `y` and `z`
        editions/10.yaml:12:65: error: expected a whole number from 1 to 9999, found `many` [D005]
          12 | - {text: "Draw {x} random cards.", level: x, limits: {n: 14, x: many}}
             |                                                                 ^^^^
        editions/10.yaml:14:25: error: expected a whole number from 1 to 9999999, found `0` [D006]
          14 | - {section: deck, line: 0, words: "Frobnicate."}
             |                         ^
        editions/10.yaml:15:13: error: expected a key of such a file, as `effects`, found `spells` [D005]
          15 | - {section: spells, line: 8, words: ""}
             |             ^^^^^^
        editions/10.yaml:15:37: error: `unknown.1.words` is empty [D009]
          15 | - {section: spells, line: 8, words: ""}
             |                                     ^^
          hint: write a piece of the page
    """)


def test_a_caveat_where_none_are() -> None:
    assert said_of(HEAD + 'caveats: [{text: "Cannot attack.", level: 2}]\n') == words("""
        editions/18.yaml:4:18: error: the 18th Edition has no caveats [D040]
          4 | caveats: [{text: "Cannot attack.", level: 2}]
            |                  ^^^^^^^^^^^^^^^^
          hint: they ended with the 11th: write it into the list that it belongs to
    """)


def test_rewordings_that_go_round_in_a_circle() -> None:
    rewordings = 'reworded:\n- {old: "bury it", new: "sink it"}\n- {old: "sink it", new: "bury it"}\n'
    assert said_of(HEAD + rewordings) == words("""
        editions/18.yaml:5:9: error: `bury it`, then `sink it` bring the same text back, without end [D034]
          5 | - {old: "bury it", new: "sink it"}
            |         ^^^^^^^^^
          hint: change or remove one of the rewordings
    """)


def test_a_rewording_that_makes_its_own_old_text() -> None:
    assert said_of(HEAD + 'reworded: [{old: "1 card", new: "1 card in play"}]\n') == words("""
        editions/18.yaml:4:18: error: the new text of `1 card` makes the old one again, without end [D034]
          4 | reworded: [{old: "1 card", new: "1 card in play"}]
            |                  ^^^^^^^^
          hint: change or remove one of the rewordings
    """)


def test_a_list_is_no_edition() -> None:
    assert said_of("- edition: 18\n") == words("""
        editions/18.yaml:1:1: error: expected the keys of an edition, found a list [D001]
          1 | - edition: 18
            | ^^^^^^^^^^^^^
          hint: an edition begins with a line such as `edition: 17`
    """)


def test_a_file_of_the_wrong_name() -> None:
    assert said_of(HEAD.replace("18", "19")) == words("""
        editions/18.yaml:1:1: error: `18.yaml` holds the rules of the 19th Edition [D035]
          hint: rename it to `19.yaml`
    """)


def test_an_edition_that_is_not_there() -> None:
    result = kotc_edition("show", "18")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.rstrip("\n") == words("""
        error: the rules of the 18th Edition are not installed; installed are those of `9`, `10`, `11`, `12`, `13`, `14`, `15`, `16` and `17` [D036]
          hint: `kotc edition import` makes `editions/18.yaml` from the game's rulebook and guide
        1 error
    """)


# --- pages ---


def test_pages_with_mistakes_of_every_kind_are_told_all_of_them() -> None:
    rulebook = changed(
        RULEBOOK,
        ("There are 2 types", "There are several types"),
        ("must contain 50&ndash;70", "must contain at least 50"),
        ("14<sup>th</sup> Edition is considered", "The 14<sup>th</sup> Edition was"),
        (
            "<tr><td>hurl",
            "<tr><td>one</td></tr>\n"
            "<tr><td>an <ins>old</ins> text</td><td>a <del>new</del> text</td></tr>\n"
            "<tr><td>x cards</td><td><var>n</var> cards</td></tr>\n"
            "<tr><td>hurl",
        ),
        ("&ldquo;fling the targets&rdquo;", "fling&rdquo; the targets"),
        ("</ul>\n</main>", "<li>“bury”\n<li>“sheathe” (19th Edition)\n</ul>\n<h4>Revised Limits</h4>\n</main>"),
    )
    guide = changed(
        GUIDE,
        ("one fifth", "rather more"),
        ("than 2, set to 2", "than 2, set to 3"),
        (
            "<li>&ldquo;When you take",
            "<li>“When you wake”\n<li>[1] “When you rest:”\n<li>When you dream:\n<li>&ldquo;When you take",
        ),
        ("<mfrac><mi>x</mi><mn>3</mn></mfrac>", "<msqrt><mi>x</mi></msqrt>"),
        ("<mi>t</mi><mo>=</mo><mi>x</mi>", "<mi>x</mi>"),
        ("<mn>2</mn><mo>&InvisibleTimes;</mo><mi>t</mi>", "<mi>y</mi><mo>!</mo>"),
        ("<h5>Ultra Effects</h5>", "<h5>Super Effects</h5>\n<h5>Ultra Effects</h5>"),
        ("[+2] <math>", "<math>"),
    )
    assert refusal(rulebook, guide) == words("""
        guide.html:6:5: warning: no sentence was found that says the least level of a minion's ability [G040]
          6 | <h4>Level</h4>
            |     ^^^^^
          hint: the rules may say it in new words, which this version cannot read
        guide.html:6:5: warning: no sentence was found that says what part of its HP is added to a minion's SP [G040]
          6 | <h4>Level</h4>
            |     ^^^^^
          hint: the rules may say it in new words, which this version cannot read
        guide.html:7:4: warning: what is less than `2` is set to `3` [G040]
          7 | <p>To determine a level of an ability, add together the ability's sub-ability levels, then if the a…
            |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: the rules may say it in new words, which this version cannot read
        guide.html:11:4: warning: new words: `To determine the level of a minion, add together the minion…` [G042]
          11 | <p>To determine the level of a minion, add together the minion's SP and rather more of its HP and r…
             |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: the rules may say it in new words, which this version cannot read
        guide.html:17:5: warning: expected `When you wake` to end in `:`, as every condition does [G030]
          17 | <li>“When you wake”
             |     ^^^^^^^^^^^^^^^
        guide.html:18:5: warning: expected Ultra Points such as `[+1]`, found `[1]` [G033]
          18 | <li>[1] “When you rest:”
             |     ^^^^^^^^^^^^^^^^^^^^
        guide.html:19:5: warning: expected a text in quotes as item of a list, found `When you dream:` [G030]
          19 | <li>When you dream:
             |     ^^^^^^^^^^^^^^^
        guide.html:24:18: warning: the formula `(x)` is not understood: `<msqrt>` is not understood [G032]
          24 | <li><math><mtext>(</mtext><msqrt><mi>x</mi></msqrt><mtext>)</mtext></math>
             |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        guide.html:29:18: warning: expected a formula of `t` before a target selection, found `(x)` [G032]
          29 | <li><math><mtext>(</mtext><mi>x</mi><mtext>)</mtext></math>
             |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^
        guide.html:34:18: warning: the formula `(y!)` is not understood: `!` has no place in a formula [G032]
          34 | <li><math><mtext>(</mtext><mi>y</mi><mo>!</mo><mtext>)</mtext></math>
             |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        guide.html:37:5: warning: the section `Super Effects` is not known [G021]
          37 | <h5>Super Effects</h5>
             |     ^^^^^^^^^^^^^
          hint: its title is misspelt, or the rules have something new that this version cannot read
        guide.html:40:18: warning: expected Ultra Points such as `[+1]`, found none [G033]
          40 | <li><math><mtext>(</mtext><mi>x</mi><mtext>)</mtext></math>
             |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        rulebook.html:6:4: warning: new words: `There are several types of cards in Keeper of the Cards: mi…` [G042]
          6 | <p>There are several types of cards in Keeper of the Cards: minions, and spells.
            |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: the rules may say it in new words, which this version cannot read
        rulebook.html:12:5: warning: no sentence was found that says how many cards a deck has [G040]
          12 | <h3>Setup and Deck Building</h3>
             |     ^^^^^^^^^^^^^^^^^^^^^^^
          hint: the rules may say it in new words, which this version cannot read
        rulebook.html:14:5: warning: new words: `The deck must contain at least 50 cards.` [G042]
          14 | <li>The deck must contain at least 50 cards.</li>
             |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: the rules may say it in new words, which this version cannot read
        rulebook.html:18:5: warning: the section `Clean Slate Edition` does not say which edition it is [G040]
          18 | <h4>Clean Slate Edition</h4>
             |     ^^^^^^^^^^^^^^^^^^^
          hint: the rules may say it in new words, which this version cannot read
        rulebook.html:19:4: warning: new words: `The 14th Edition was to be a clean slate edition, meaning t…` [G042]
          19 | <p>The 14<sup>th</sup> Edition was to be a <dfn>clean slate edition</dfn>, meaning that any card wh…
             |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          hint: the rules may say it in new words, which this version cannot read
        rulebook.html:24:9: warning: expected an old and a new text in a row, found 1 cell [G030]
          24 | <tr><td>one</td></tr>
             |         ^^^
        rulebook.html:25:17: warning: `<ins>` in a text is not understood [G031]
          25 | <tr><td>an <ins>old</ins> text</td><td>a <del>new</del> text</td></tr>
             |                 ^^^
        rulebook.html:25:47: warning: `<del>` in a text is not understood [G031]
          25 | <tr><td>an <ins>old</ins> text</td><td>a <del>new</del> text</td></tr>
             |                                               ^^^
        rulebook.html:26:9: warning: `x` in `x cards` is not marked as a variable [G031]
          26 | <tr><td>x cards</td><td><var>n</var> cards</td></tr>
             |         ^^^^^^^
          hint: if it is a variable, it is written `<var>x</var>`
        rulebook.html:26:30: warning: `n` is not a variable [G031]
          26 | <tr><td>x cards</td><td><var>n</var> cards</td></tr>
             |                              ^
          hint: texts have `x`, `y` and `z`
        rulebook.html:31:5: warning: expected a text in quotes, found `fling” the targets (17th Edition)` [G030]
          31 | <li>fling&rdquo; the targets <i>(17<sup>th</sup> Edition)</i></li>
             |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        rulebook.html:32:5: warning: expected the edition behind `bury`, such as `(16th Edition)` [G030]
          32 | <li>“bury”
             |     ^^^^^^
        rulebook.html:33:5: error: the 18th Edition cannot know of the 19th [D037]
          33 | <li>“sheathe” (19th Edition)
             |     ^^^^^^^^^^^^^^^^^^^^^^^^
          hint: write the edition in which the text was revised
        rulebook.html:35:5: warning: the section `Revised Limits` is not known [G021]
          35 | <h4>Revised Limits</h4>
             |     ^^^^^^^^^^^^^^
          hint: its title is misspelt, or the rules have something new that this version cannot read
        1 error, 25 warnings
    """)


RULE = "(17<sup>th</sup> Edition)</i></li>\n"
REVISED = "<h4>Revised Levels</h4>"
IN_PARENTHESES = "<math><mtext>(</mtext><mi>x</mi><mtext>)</mtext></math>"

MISTAKES_IN_THE_RULEBOOK = {
    ("(18th Edition)", "(19th Edition)"): (
        "4:5: error: this is the 18th Edition, but rulebook.html:2:20 says the 19th [G012]",
    ),
    ("deck must be no greater than 12", "deck must be few"): (
        "12:5: warning: no sentence was found that says how many Ultra Points a deck may have [G040]",
        "15:5: warning: new words: `The total amount of Ultra Points in the deck must be few.` [G042]",
        '- {section: deck, line: 12, words: "Setup and Deck Building"}',
        '- {section: deck, line: 15, words: "The total amount of Ultra Points in the deck must be few."}',
    ),
    (REVISED, f"<h4>Refurbished Card Texts</h4><p>None.</p>{REVISED}"): (
        "26:5: warning: the section `Refurbished Card Texts` lists no texts [G022]",
        "26:35: warning: new words: `None.` [G042]",
        '- {section: reworded, line: 26, words: "None."}',
        '- {section: reworded, line: 26, words: "Refurbished Card Texts"}',
    ),
    ("<h4>Refurbished Card Texts</h4>\n", ""): (
        "22:9: warning: expected sentences in the section `Clean Slate Edition`, found a table [G030]",
        '- {section: clean_slate, line: 22, words: "Original Text New Text hurl {x} cards fling {x} cards"}',
    ),
    ("<h3>Card Types and Layout</h3>", "<nav><a>Revised Costs</a></nav><h3>Card Types and Layout</h3>"): (
        "5:9: warning: the contents name the section `Revised Costs`, which is not there [G020]",
        '- {section: redacted, line: 5, words: "Revised Costs"}',
    ),
    (REVISED, f"<ul><li>a</ul>{REVISED}"): (
        "26:9: warning: expected an old and a new text, found `a` [G030]",
        '- {section: reworded, line: 26, words: "a"}',
    ),
    ("<tr><td>hurl", "<tr><td>hurl <var>x</var> cards<td>a<tr><td>hurl"): (
        "24:45: error: `hurl {x} cards` is given twice, first at rulebook.html:24:9 [D033]",
    ),
    ("fling <var>x</var> cards", "hurl <var>x</var> cards too"): (
        "24:9: error: the new text of `hurl {x} cards` makes the old one again, without end [D034]",
    ),
    ("fling <var>x</var> cards", "fling <var>y</var> cards"): (
        "24:9: warning: the new text speaks of `y`, the old text `hurl {x} cards` does not [G031]",
        '- {section: reworded, line: 24, words: "hurl {x} cards fling {y} cards"}',
    ),
    ("50&ndash;70", "70&ndash;50"): ("1:1: error: a deck of 70 to 50 cards cannot be [D038]",),
    (RULE, f"{RULE}<h5>Banned Names</h5>"): (
        "29:5: warning: the section `Banned Names` is not known [G021]",
        '- {section: redacted, line: 29, words: "Banned Names"}',
    ),
    (RULE, f"{RULE}loose"): (
        "29:1: warning: expected a list, found `loose` [G030]",
        '- {section: revised_levels, line: 29, words: "loose"}',
    ),
    ("&ldquo;fling the targets", "&ldquo;fl\u200bing the targets"): (
        "28:5: warning: U+200B is a character that cannot be seen, in `fl\ufffding the targets` [G031]",
        '- {section: revised_levels, line: 28, words: "“fl ing the targets” (17th Edition)"}',
    ),
    ("</main></body></html>", ""): ("2:1: error: the page breaks off: `<html>` is never closed [G002]",),
    (REVISED, f"<!-- {REVISED}"): ("26:1: error: the comment that begins here is never closed [G002]",),
    (REVISED, f"<!-- {REVISED} <!-- old -->"): (
        "26:1: error: the comment that begins here reaches over the next one [G002]",
    ),
    ("<tr><td>hurl", '<tr><td class="old>hurl <b class="new">'): (
        "24:5: error: the tag that begins here reaches over the next one [G002]",
    ),
}
MISTAKES_IN_THE_GUIDE = {
    ("<h4>Effects</h4>", "<h4>Effects</h4><h5>More</h5>"): (
        "29:5: warning: the section `Effects` lists no texts [G022]",
        "29:21: warning: the section `More` is not known [G021]",
        "31:18: warning: it stands in a section that is not known, `More` [G021]",
        '- {section: levels, line: 29, words: "More"}',
        '- {section: levels, line: 31, words: "(2t) “fling the targets.”"}',
        '- {section: effects, line: 29, words: "Effects"}',
    ),
    ("Round the\nresult up to the next integer if it isn't one already. If", "Round it\ndown. If"): (
        "6:5: warning: no sentence was found that says that the level of an ability is rounded up [G040]",
        "6:5: warning: no sentence was found that says the least level of a minion's ability [G040]",
        "6:5: warning: no sentence was found that says the least level of a spell's ability [G040]",
        "7:4: warning: new words: `Round it down. If less than 0, set to 0.` [G042]",
        '- {section: levels, line: 6, words: "Level"}',
        '- {section: levels, line: 7, words: "Round it down. If less than 0, set to 0."}',
    ),
    ("<h3>Card Texts</h3>", "<p>A deck cannot have more than 9 Ultra Points.</p><h3>Card Texts</h3>"): (
        "14:4: error: this says `9`, but rulebook.html:15:5 says `12` [G041]",
        "14:4: warning: new words: `A deck cannot have more than 9 Ultra Points.` [G042]",
    ),
    ("<h4>Activation Conditions</h4>", "<h4>Conditions</h4>"): (
        "4:5: warning: the guide has no section `Activation Conditions` [G020]",
        "15:5: warning: the section `Conditions` is not known [G021]",
        "17:5: warning: it stands in a section that is not known, `Conditions` [G021]",
        '- {section: conditions, line: 4, words: "Card Building Guide (18th Edition)"}',
        '- {section: conditions, line: 15, words: "Conditions"}',
        '- {section: conditions, line: 17, words: "“When you take damage:”"}',
    ),
    ("<li>&ldquo;When you", "<p>&ldquo;When you sleep:&rdquo;<li>&ldquo;When you"): (
        "17:4: warning: expected a text in quotes as item of a list, found `“When you sleep:”` [G030]",
        '- {section: conditions, line: 17, words: "“When you sleep:”"}',
    ),
    ("<li>&ldquo;When you", f"<li>{IN_PARENTHESES} &ldquo;When you"): (
        "17:18: warning: expected no formula before a condition, found 1 [G032]",
        '- {section: conditions, line: 17, words: "(x) “When you take damage:”"}',
    ),
    ("<mfrac><mi>x</mi><mn>3</mn></mfrac>", "<mi>y</mi>"): (
        "21:18: warning: the formula speaks of `y`, the text `pay {x} HP` does not [G032]",
        '- {section: costs, line: 21, words: "(y) “pay {x} HP→”"}',
    ),
    ("<mfrac><mi>x</mi><mn>3</mn></mfrac>", "<mfrac><mi>x</mi></mfrac>"): (
        "21:18: warning: the formula `(x)` is not understood: a fraction needs two parts, and here are 1 [G032]",
        '- {section: costs, line: 21, words: "(x) “pay {x} HP→”"}',
    ),
    ("pay <var>x</var> HP", "pay <var>x</var> <u><sub>HP</sub></u>"): (
        "22:27: warning: `<sub>` in a text is not understood [G031]",
        '- {section: costs, line: 22, words: "(x/3) “pay {x} HP→”"}',
    ),
    ("pay <var>x</var> HP", "pay x HP"): (
        "21:18: warning: `x` in `pay x HP→` is not marked as a variable [G031]",
        '- {section: costs, line: 21, words: "(x/3) “pay x HP→”"}',
    ),
    ("“pay", "“pay” or “spend"): (
        "21:18: warning: expected a text in quotes as item of a list, found `(…) “pay” or “spend {x} HP→”` [G030]",
        '- {section: costs, line: 21, words: "(x/3) “pay” or “spend {x} HP→”"}',
    ),
}


def said_of_page(rulebook: str = RULEBOOK, guide: str = GUIDE) -> tuple[str, ...]:
    """Return what is said of pages, without the name of the page, and what was written under `unknown`."""
    file = Path("editions/18.yaml")
    result = kotc_edition("import", *write_pages(rulebook, guide))
    findings = [line for line in result.stderr.splitlines() if "error: " in line or "warning: " in line]
    assert (result.exit_code == 1) is any("error: " in line for line in findings)
    assert file.exists() is (result.exit_code == 0)
    written = file.read_text(encoding="utf-8").partition("unknown:\n")[2].splitlines() if file.exists() else []
    return (*(line.partition(".html:")[2] for line in findings), *written)


@pytest.mark.parametrize("change", MISTAKES_IN_THE_RULEBOOK)
def test_a_mistake_in_the_rulebook(change: tuple[str, str]) -> None:
    assert said_of_page(rulebook=changed(RULEBOOK, change)) == MISTAKES_IN_THE_RULEBOOK[change]


@pytest.mark.parametrize("change", MISTAKES_IN_THE_GUIDE)
def test_a_mistake_in_the_guide(change: tuple[str, str]) -> None:
    guide = GUIDE.replace("&ldquo;pay", "“pay")
    assert said_of_page(guide=changed(guide, change)) == MISTAKES_IN_THE_GUIDE[change]


def test_one_of_the_places_that_name_the_edition_is_enough() -> None:
    assert kotc_edition("import", *write_pages(changed(RULEBOOK, ("(18th Edition)", "")))).exit_code == 0


def test_pages_that_do_not_belong_together() -> None:
    assert refusal(RULEBOOK.replace("18", "19")) == words("""
        guide.html:1:1: error: the pages are of different editions, the 18th and the 19th [G012]
          hint: give the pages of one edition
        1 error
    """)
    assert refusal(GUIDE) == words("""
        guide.html:1:1: error: `rulebook.html` and `guide.html` are both a Card Building Guide [G010]
          hint: give the pages of one edition
        1 error
    """)
    assert refusal(RULEBOOK, "<title>Card Building Examples</title>") == words("""
        guide.html:1:1: error: `guide.html` is neither a rulebook nor a guide [G010]
          hint: the pages that are read are called `Rulebook` and `Card Building Guide`
        1 error
    """)


def test_a_guide_alone() -> None:
    result = kotc_edition("import", write_pages()[1])
    assert result.exit_code == 1
    assert result.stderr.rstrip("\n") == words("""
        error: there is no rulebook among the pages [G011]
          hint: give the rulebook as well
        1 error
    """)


def test_files_that_are_no_pages() -> None:
    Path("latin.html").write_bytes(b"<title>Rulebook\n \xe9</title>")
    Path("folder.html").mkdir()
    result = kotc_edition("import", "latin.html", "folder.html")
    assert result.exit_code == 1
    assert result.stderr.rstrip("\n") == words("""
        folder.html:1:1: error: `folder.html` is a folder, not a file [Y002]
        latin.html:2:1: error: the byte 0xe9 is not UTF-8 [G001]
          hint: save the page as UTF-8
        2 errors
    """)
    missing = kotc_edition("import", "missing.html")
    assert (missing.exit_code, "`missing.html` does not exist" in missing.stderr) == (2, True)


# --- the commands, when all is well ---


def test_an_import_is_found_under_its_number() -> None:
    result = kotc_edition("import", *write_pages())
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.rstrip("\n").replace("\\", "/") == words("""
        18th Edition: 5 components, 1 text reworded, 0 redacted, 1 revised in editions/18.yaml
    """)
    assert finding.find(18).deck.most == 70
    assert kotc_edition("show", "18").stdout == Path("editions/18.yaml").read_text(encoding="utf-8")
    listed = [line for line in kotc_edition("list").stdout.splitlines() if "words in" not in line]
    assert [line.split()[0] for line in listed] == [ordinal(number) for number in range(9, 19)]
    assert Path(listed[-1].split(maxsplit=2)[2]) == Path("editions/18.yaml")


def test_an_import_goes_where_it_is_told() -> None:
    result = kotc_edition("import", write_pages()[0], "--out", "mine/18.yaml")
    assert result.stderr.rstrip("\n").replace("\\", "/") == words("""
        18th Edition: 0 components, 1 text reworded, 0 redacted, 1 revised in mine/18.yaml
          without the Card Building Guide there are no components: levels cannot be worked out
    """)
    assert Path("mine/18.yaml").is_file()


def test_what_was_imported_before_stays_if_a_page_has_a_mistake() -> None:
    kotc_edition("import", *write_pages())
    before = Path("editions/18.yaml").read_bytes()
    assert kotc_edition("import", *write_pages(RULEBOOK.replace("50&ndash;70", "70&ndash;50"))).exit_code == 1
    assert Path("editions/18.yaml").read_bytes() == before

"""Data files of editions and pages of the game that are wrong: exactly what their author reads."""

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from render.base.findings import Refused, as_text
from render.games.kotc.commands.edition import edition
from render.games.kotc.editions import finding
from render.games.kotc.model.cards import ordinal
from tests.support.messages import assert_says, words
from tests.support.rule_pages import GUIDE, RULEBOOK, changed, write_pages
from tests.support.schema_verdicts import disagreements
from tests.support.sets import kotc, write_set

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
    assert_says(
        said,
        "editions/18.yaml:1:1 D002 unknown key `editon` (did you mean `edition`?)",
        "editions/18.yaml:2:37 D009 `terms.hp` is empty (write a hp)",
        "editions/18.yaml:2:41 D002 unknown key `lvl` (did you mean `level`?)",
        "editions/18.yaml:3:14 D005 expected a whole number from 1 to 999, found `x`",
        "editions/18.yaml:4:15 D005 expected a number of cards such as `40` or `40-60`, found `many`",
        "editions/18.yaml:4:35 D006 expected a whole number from 0 to 9999, found `-1`",
        "editions/18.yaml:5:20 D005 expected a fraction such as `1/2`, found `half`",
        "editions/18.yaml:7:3 D005 expected keys and values such as `old: in-play card`, found `in-play card`",
        "editions/18.yaml:8:11 D005 expected a list, found `Draw 2 cards.`",
        "editions/18.yaml:10:4 D004 `revised_levels.0` has no `edition` (add a line such as `edition: 17`)",
        "editions/18.yaml:12:40 D030 `n` is no formula: `n` is no variable: they are `a`, `x`, `y`, `z` and `t`",
        "editions/18.yaml:13:4 D004 `effects.1` has no `level` (add a line such as `level: x/2`)",
        "editions/18.yaml:13:26 D002 unknown key `t` (the keys are `text`, `level`, `ultra_points` and `limits`)",
    )


def test_a_grammar_that_does_not_exist() -> None:
    said = said_of(HEAD + "grammar: {cards: creature, costs: 2, one_target: maybe, joints: and}\n")
    assert_says(
        said,
        "editions/18.yaml:4:18 D007 expected `creatures` or `minions`, found `creature` (did you mean `creatures`?)",
        "editions/18.yaml:4:35 D007 expected `one`, `also` or `and`, found `2`",
        "editions/18.yaml:4:50 D007 expected `true` or `false`, found `maybe`",
        "editions/18.yaml:4:57 D002 unknown key `joints` "
        "(the keys are `cards`, `abilities`, `costs`, `conditions`, `one_target` and `verdict`)",
    )


def test_kinds_that_cannot_be() -> None:
    said = said_of(
        HEAD
        + """\
kinds:
- {name: minion, hp_share: 1/2}
- {name: Big Relic}
- {hp_share: 1}
- {name: relic, hp_share: half, abilities: two, least: -1, frame: pawn, hp: 1}
- {name: hero}
- {name: hero}
- {name: back}
- {name: null}
"""
    )
    assert_says(
        said,
        "editions/18.yaml:5:10 D005 expected a word for a new kind of card, such as `relic`, found `minion` "
        "(`minion` is a kind of card already: give the new kind another name)",
        "editions/18.yaml:6:10 D005 expected a word for a new kind of card, such as `relic`, found `Big Relic`",
        "editions/18.yaml:7:4 D004 `kinds.2` has no `name` (add a line such as `name: relic`)",
        "editions/18.yaml:8:27 D005 expected a fraction such as `1/2`, found `half`",
        "editions/18.yaml:8:44 D007 expected `any`, `one` or `none`, found `two`",
        "editions/18.yaml:8:56 D006 expected a whole number from 0 to 999, found `-1`",
        "editions/18.yaml:8:67 D007 expected `minion` or `spell`, found `pawn`",
        "editions/18.yaml:8:73 D002 unknown key `hp`",
        "editions/18.yaml:10:10 D033 `hero` is given twice, first at editions/18.yaml:9:10 (remove one of the two)",
        "editions/18.yaml:11:10 D005 expected a word for a new kind of card, such as `relic`, found `back` "
        "(the template `back` draws something else: give the new kind another name)",
        "editions/18.yaml:12:10 D005 expected a word for a new kind of card, such as `relic`, found `null` "
        "(`null` says in YAML, or on a card, something else than a name: give the new kind another name)",
    )


@pytest.mark.parametrize("value", ["back", "null"])
def test_kinds_that_are_no_list(value: str) -> None:
    assert_says(
        said_of(f"{HEAD}kinds: {value}\n"),
        f"editions/18.yaml:4:8 D005 expected a list, found `{value}` (write below `kinds:` each entry behind `- `, "
        "such as `- {name: relic, hp_share: 1/3}`; without any, remove `kinds`)",
    )


@pytest.mark.parametrize(
    ("card", "hint"),
    [
        ("kind: minion, level: 1, sp: 1, hp: 1", "in the 18th Edition write `kind: creature`"),
        ("kind: creature, cost: 1, sp: 1, defense: 1", "in the 18th Edition it is called `offense`"),
        ("kind: creature, cost: 1, offense: 1, defense: 1, ultra_points: 1", "hint: remove it\n"),
    ],
)
def test_what_a_later_edition_of_creatures_does_not_have(card: str, hint: str) -> None:
    Path("editions").mkdir()
    Path("editions/18.yaml").write_text(f"{HEAD}grammar: {{cards: creatures}}\n", encoding="utf-8")
    assert hint in kotc("check", write_set(Path("s"), f"- {{name: A, {card}}}\n", "name: S\nedition: 18\n")).output


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
    assert_says(
        said,
        "editions/18.yaml:3:7 D038 a deck of 60 to 40 cards cannot be (write 40-60)",
        "editions/18.yaml:4:14 D037 the 18th Edition cannot know of the 19th (write an edition that is not later)",
        "editions/18.yaml:6:32 D032 the new text speaks of `y`, the old text `hurl {x} cards` does not",
        "editions/18.yaml:7:32 D031 `{n}` is not a variable of a text",
        "editions/18.yaml:9:39 D037 the 18th Edition cannot know of the 19th",
        "editions/18.yaml:11:10 D031 `When you take damage:` ends in `:`, which is no part of a condition",
        "editions/18.yaml:13:31 D032 the formula `xt` speaks of `t`, the text does not (only effects have targets)",
        "editions/18.yaml:14:10 D033 `pay {x} HP` is given twice, first at editions/18.yaml:13:10 (remove one of the two)",
        "editions/18.yaml:14:31 D032 the formula `y/2` speaks of `y`, the text does not (write `{y}` into the text)",
    )


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
    assert_says(
        said,
        "editions/10.yaml:4:32 D007 expected `card` or `ability`, found `never`",
        "editions/10.yaml:6:10 D031 `Cannot attack` does not end in `.`, as a caveat does (add the `.`)",
        "editions/10.yaml:8:52 D039 `When you take {x} damage.` has both `level` and `a` (remove one of the two)",
        "editions/10.yaml:9:38 D032 the formula `at` speaks of `a` and `t`, the text does not",
        "editions/10.yaml:11:48 D032 the limits speak of `y`, the text does not",
        "editions/10.yaml:12:55 D002 unknown key `n` (the keys are `x`, `y` and `z`)",
        "editions/10.yaml:12:65 D005 expected a whole number from 1 to 9999, found `many`",
        "editions/10.yaml:14:25 D006 expected a whole number from 1 to 9999999, found `0`",
        "editions/10.yaml:15:13 D005 expected a key of such a file, as `effects`, found `spells`",
        "editions/10.yaml:15:37 D009 `unknown.1.words` is empty (write a piece of the page)",
    )


SAID: dict[str, tuple[Any, ...]] = {
    "a caveat where none are": (
        HEAD + 'caveats: [{text: "Cannot attack.", level: 2}]\n',
        ["editions/18.yaml:4:18 D040 the 18th Edition has no caveats"],
    ),
    "a rewording that makes its own old text": (
        HEAD + 'reworded: [{old: "1 card", new: "1 card in play"}]\n',
        ["editions/18.yaml:4:18 D034 the new text of `1 card` makes the old one again, without end"],
    ),
    "a list is no edition": (
        "- edition: 18\n",
        ["editions/18.yaml:1:1 D001 expected the keys of an edition, found a list"],
    ),
    "a file of the wrong name": (
        HEAD.replace("18", "19"),
        ["editions/18.yaml:1:1 D035 `18.yaml` holds the rules of the 19th Edition (rename it to `19.yaml`)"],
    ),
}


@pytest.mark.parametrize(("given", "wanted"), SAID.values(), ids=SAID)
def test_what_its_author_reads(given: Any, wanted: list[str]) -> None:
    assert_says(said_of(given), *wanted)


def test_rewordings_that_go_round_in_a_circle() -> None:
    rewordings = 'reworded:\n- {old: "bury it", new: "sink it"}\n- {old: "sink it", new: "bury it"}\n'
    assert_says(
        said_of(HEAD + rewordings),
        "editions/18.yaml:5:9 D034 `bury it`, then `sink it` bring the same text back, without end",
    )


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
    assert_says(
        refusal(rulebook, guide),
        "guide.html:6:5 G040 warning: no sentence was found that says the least level of a minion's ability",
        "guide.html:6:5 G040 warning: no sentence was found that says what part of its HP is added to a minion's SP",
        "guide.html:7:4 G040 warning: what is less than `2` is set to `3`",
        "guide.html:11:4 G042 warning: new words: `To determine the level of a minion, add together the minion…`",
        "guide.html:17:5 G030 warning: expected `When you wake` to end in `:`, as every condition does",
        "guide.html:18:5 G033 warning: expected Ultra Points such as `[+1]`, found `[1]`",
        "guide.html:19:5 G030 warning: expected a text in quotes as item of a list, found `When you dream:`",
        "guide.html:24:18 G032 warning: the formula `(x)` is not understood: `<msqrt>` is not understood",
        "guide.html:29:18 G032 warning: expected a formula of `t` before a target selection, found `(x)`",
        "guide.html:34:18 G032 warning: the formula `(y!)` is not understood: `!` has no place in a formula",
        "guide.html:37:5 G021 warning: the section `Super Effects` is not known",
        "guide.html:40:18 G033 warning: expected Ultra Points such as `[+1]`, found none",
        "rulebook.html:6:4 G042 warning: new words: `There are several types of cards in Keeper of the Cards: mi…`",
        "rulebook.html:12:5 G040 warning: no sentence was found that says how many cards a deck has",
        "rulebook.html:14:5 G042 warning: new words: `The deck must contain at least 50 cards.`",
        "rulebook.html:18:5 G040 warning: the section `Clean Slate Edition` does not say which edition it is",
        "rulebook.html:19:4 G042 warning: new words: `The 14th Edition was to be a clean slate edition, meaning t…`",
        "rulebook.html:24:9 G030 warning: expected an old and a new text in a row, found 1 cell",
        "rulebook.html:25:17 G031 warning: `<ins>` in a text is not understood",
        "rulebook.html:25:47 G031 warning: `<del>` in a text is not understood",
        "rulebook.html:26:9 G031 warning: `x` in `x cards` is not marked as a variable",
        "rulebook.html:26:30 G031 warning: `n` is not a variable (texts have `x`, `y` and `z`)",
        "rulebook.html:31:5 G030 warning: expected a text in quotes, found `fling” the targets (17th Edition)`",
        "rulebook.html:32:5 G030 warning: expected the edition behind `bury`, such as `(16th Edition)`",
        "rulebook.html:33:5 D037 the 18th Edition cannot know of the 19th",
        "rulebook.html:35:5 G021 warning: the section `Revised Limits` is not known",
    )


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
    assert_says(
        refusal(RULEBOOK.replace("18", "19")),
        "guide.html:1:1 G012 the pages are of different editions, the 18th and the 19th (give the pages of one edition)",
    )
    assert_says(refusal(GUIDE), "guide.html:1:1 G010 `rulebook.html` and `guide.html` are both a Card Building Guide")
    assert_says(
        refusal(RULEBOOK, "<title>Card Building Examples</title>"),
        "guide.html:1:1 G010 `guide.html` is neither a rulebook nor a guide",
    )


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
    assert_says(
        result.stderr.rstrip("\n"),
        "folder.html:1:1 Y002 `folder.html` is a folder, not a file",
        "latin.html:2:1 G001 the byte 0xe9 is not UTF-8 (save the page as UTF-8)",
    )
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

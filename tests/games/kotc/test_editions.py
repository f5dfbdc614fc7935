"""The rules of editions: what is shipped, where data files are found, and that they are written as they are read."""

import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.base.findings import Refused
from render.games.kotc.editions import finding, reading
from render.games.kotc.editions.soundness import is_sentence, loop
from render.games.kotc.editions.writing import write_edition
from render.games.kotc.model.edition import (
    Abilities,
    AbilityCount,
    Cards,
    Component,
    Conditions,
    Costs,
    DeckRules,
    Edition,
    Grammar,
    LevelRules,
    NewKind,
    Revision,
    Rewording,
    Role,
    Rounding,
    Terms,
    UnknownWords,
    Verdict,
)
from render.games.kotc.model.formula import parse
from tests.support.laws import costly
from tests.support.sets import kotc, write_set

SHIPPED = list(range(9, 18))
SMALL = "edition: {}\nterms: {{minion: hero, sp: SP, hp: HP, level: rank}}\ndeck: {{cards: 30}}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, with a data folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("APPDATA" if sys.platform == "win32" else "XDG_DATA_HOME", str(tmp_path / "data"))


def put(folder: str, number: int) -> Path:
    file = Path(folder) / f"{number:02}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(SMALL.format(number), encoding="utf-8")
    return file


# --- what is shipped ---


@pytest.mark.parametrize("number", SHIPPED)
def test_a_shipped_file_is_what_its_rules_are_written_as(number: int) -> None:
    file = finding.SHIPPED / f"{number:02}.yaml"
    assert write_edition(finding.find(number)) == file.read_text(encoding="utf-8")


def test_the_17th_edition_has_the_ultra_card_texts_of_its_guide() -> None:
    assert sum(each.ultra_points > 0 for each in finding.find(17).components) == 14


@pytest.mark.parametrize(
    "component",
    [
        Component(role=Role.CONDITION, text="When this card attacks, after Attack Formation (ghost-play)"),
        Component(role=Role.CONDITION, text="When enemy summons a minion", ultra_points=2),
        Component(role=Role.COST, text="self-sheathe {x} cards in your hand", level=parse("x/2")),
        Component(role=Role.COST, text="pay {x} HP", level=parse("x/4"), ultra_points=1),
        Component(role=Role.TARGET, text="Target this card", level=parse("1")),
        Component(role=Role.TARGET, text="See enemy's hand and target up to {x} cards therein", level=parse("2x")),
        Component(
            role=Role.TARGET, text="Excavate {x} cards and target up to {y} excavated cards", level=parse("(x + 4y)/5")
        ),
        Component(role=Role.EFFECT, text="remove up to {x} counters on each target", level=parse("xt/2")),
        Component(role=Role.EFFECT, text="{x}-dice-wound yourself and enemy", level=parse("x"), ultra_points=2),
    ],
    ids=lambda component: component.text,
)
def test_a_component_of_the_17th_edition(component: Component) -> None:
    assert component in finding.find(17).components


def test_the_17th_edition_in_figures() -> None:
    edition = finding.find(17)
    assert edition.terms == Terms("minion", "SP", "HP", "level")
    assert edition.deck == DeckRules(40, 60, 10)
    assert edition.levels == LevelRules(Fraction(1, 2), 1, 0)
    assert edition.clean_slate == 13
    assert len(edition.rewordings) == 9
    # The row whose end tag is misplaced in the page.
    assert Rewording("self-exhaust {x} minions", "self-exhaust {x} on-field minions") in edition.rewordings
    # The section on redacted texts lies in a comment of the page.
    assert edition.redacted == ()
    assert Revision("silo the targets", 16) in edition.revisions


@pytest.mark.parametrize("number", [9, 10])
def test_the_old_editions_in_figures(number: int) -> None:
    edition = finding.find(number)
    assert edition.terms == Terms("creature", "offense", "defense", "cost")
    assert (edition.deck, edition.clean_slate) == (DeckRules(40, 40), None)
    assert (len(edition.rewordings), len(edition.redacted), len(edition.revisions)) == (13, 17, 5)
    assert edition.levels == LevelRules(Fraction(1, 5), 1, 1, Rounding.CARD, 1)


@pytest.mark.parametrize(
    ("number", "share", "least", "clean_slate"),
    [(12, "1/5", (1, 1), 12), (13, "1/2", (1, 1), 13), (14, "1/2", (1, 0), 13), (16, "1/2", (1, 0), 13)],
)
def test_the_editions_of_minions_in_figures(number: int, share: str, least: tuple[int, int], clean_slate: int) -> None:
    edition = finding.find(number)
    assert edition.terms == Terms("minion", "SP", "HP", "level")
    assert (edition.deck, edition.clean_slate) == (DeckRules(40, 60), clean_slate)
    assert edition.levels == LevelRules(Fraction(share), *least)


@pytest.mark.parametrize(
    ("number", "counts"),
    [
        (9, (12, 11, 12, 16, 25)),
        (10, (25, 11, 12, 16, 25)),
        (12, (0, 14, 11, 9, 18)),
        (13, (0, 14, 11, 9, 18)),
        (14, (0, 14, 11, 9, 21)),
        (15, (0, 15, 11, 9, 26)),
        (16, (0, 15, 17, 10, 26)),
        (17, (0, 19, 19, 15, 38)),
    ],
)
def test_an_edition_has_all_components_of_its_guide(number: int, counts: tuple[int, ...]) -> None:
    components = finding.find(number).components
    assert tuple(sum(each.role is role for each in components) for role in Role) == counts


def test_no_shipped_text_has_curly_quotes_or_marks_of_the_page() -> None:
    for number in SHIPPED:
        text = write_edition(finding.find(number))
        assert not set(text) & set("“”‘’*[]→\N{NO-BREAK SPACE}"), number


# --- where files are found ---


def test_the_set_comes_first_then_here_then_the_user_then_the_package() -> None:
    places = ["cards/mine/editions", "editions", "data/kotc/editions"]
    files = [put(place, 17) for place in places]
    for file in files:
        assert dict(finding.known(Path("cards/mine")))[17].resolve() == file.resolve()
        assert finding.find(17, Path("cards/mine")).terms.level == "rank"
        file.unlink()
    assert finding.find(17, Path("cards/mine")).terms.level == "level"


def test_editions_of_all_places_are_known_by_number() -> None:
    for number in (18, 100):
        put("editions", number)
    (Path("editions") / "readme.yaml").write_text("a: b\n", encoding="utf-8")
    assert [number for number, _ in finding.known()] == [*SHIPPED, 18, 100]


def test_another_edition_never_takes_the_place_of_a_missing_one() -> None:
    with pytest.raises(Refused) as refused:
        finding.find(18)
    assert refused.value.findings[0].code == "D036"


def test_a_file_with_mistakes_is_not_passed_over_for_a_sound_one() -> None:
    put("editions", 17).write_text("edition: 17\n", encoding="utf-8")
    with pytest.raises(Refused):
        finding.find(17)


# --- grammars ---


@pytest.mark.parametrize(("number", "other"), [(9, 10), (5, 10), (18, 17), (12, 12)])
def test_a_file_without_a_grammar_has_that_of_the_shipped_one(number: int, other: int) -> None:
    before = finding.grammar_of(number)
    put("editions", number)
    assert finding.find(number).grammar == before == reading.read(finding.SHIPPED / f"{other:02}.yaml").grammar


COSTLY = """\
edition: 18
terms: {minion: minion, sp: SP, hp: HP, level: level}
grammar: {costs: also}
deck: {cards: 40}
levels: {hp_share: 1/2, least_of_minion_ability: 1, least_of_spell_ability: 0}
costs:
- {text: "pay {x} HP", level: x/4}
- {text: "sacrifice {x} cards", level: x}
effects:
- {text: "draw {x} cards", level: 2x}
"""


@pytest.mark.parametrize(("joint", "code"), [(", also ", ""), (" and ", "V003")])
def test_cards_are_read_by_the_grammar_of_the_file_beside_them(joint: str, code: str) -> None:
    text = f"Pay 4 HP{joint}sacrifice 1 card→ draw 3 cards."
    folder = write_set(Path("s"), f"- {{name: A, kind: spell, edition: 18, level: 4, text: '{text}'}}\n")
    file = put("s/editions", 18)
    file.write_text(COSTLY, encoding="utf-8")
    assert re.findall(r"\[(V[0-9]{3})\]", kotc("check", folder).output) == [code][: bool(code)]


# --- writing and reading ---

TEXTS = st.text(alphabet="abcxyz AEIOU-'(),.\"\\#&*!|%@`é", min_size=1, max_size=30).map(
    lambda text: " ".join(text.split())
)
SOUND_TEXTS = TEXTS.filter(bool).filter(lambda text: text[-1] not in ".;:")
FORMULAS = st.sampled_from(["x", "2x", "x/2", "(x + 4y)/5", "1", "x - 1", "0", "y^2/x", "x/(10 - y)"]).map(parse)
EFFECTS = st.sampled_from(["axt/2", "(ax + at)/12", "ax^2", "8t"]).map(parse)
LIMITS = st.sampled_from([(), (("x", 14),), (("x", 7), ("y", 999))])
ULTRA_POINTS = st.integers(0, 3)


def components_of(role: Role, grammar: Grammar) -> st.SearchStrategy[Component]:
    """Any sound component of that role in that grammar."""
    end = "e." if is_sentence(role, grammar) else "e"
    text = SOUND_TEXTS.map(lambda words: f"{words} {{x}} {{y}} {end}")
    if role is Role.CONDITION:
        measures = st.tuples(st.none() | FORMULAS, st.none()) | st.tuples(st.none(), FORMULAS)
    else:
        measures = st.tuples(EFFECTS if role is Role.EFFECT else FORMULAS, st.none())
    return st.builds(
        lambda words, measured, ultra_points, limits: Component(
            role=role, text=words, level=measured[0], ultra_points=ultra_points, factor=measured[1], limits=limits
        ),
        text, measures, ULTRA_POINTS, LIMITS,
    )  # fmt: skip


GRAMMARS = st.builds(
    Grammar,
    cards=st.sampled_from(Cards),
    abilities=st.sampled_from(Abilities),
    costs=st.sampled_from(Costs),
    conditions=st.sampled_from(Conditions),
    one_target=st.booleans(),
    verdict=st.sampled_from(Verdict),
)


SHARES = st.none() | st.fractions(0, 2, max_denominator=20)
KINDS = st.builds(
    NewKind,
    name=st.sampled_from(["relic", "hero", "war-machine"]),
    sp_share=SHARES,
    hp_share=SHARES,
    abilities=st.sampled_from(AbilityCount),
    least=st.integers(0, 9),
    least_of_ability=st.integers(0, 9),
    frame=st.sampled_from(["", "minion", "spell"]),
)


def editions(number: int, grammar: Grammar) -> st.SearchStrategy[Edition]:
    """Any sound edition of that number."""
    roles = [role for role in Role if role is not Role.CAVEAT or grammar.of_creatures]
    return st.builds(
        Edition,
        number=st.just(number),
        grammar=st.just(grammar),
        terms=st.just(Terms("minion", "SP", "HP", "level")),
        deck=st.builds(DeckRules, st.integers(1, 40), st.integers(40, 90), st.none() | st.integers(0, 20)),
        clean_slate=st.none() | st.integers(1, number),
        levels=st.none()
        | st.builds(
            LevelRules,
            st.fractions(0, 2, max_denominator=20),
            st.integers(0, 3),
            st.integers(0, 3),
            st.sampled_from(Rounding),
            st.integers(0, 3),
        ),
        kinds=st.lists(KINDS, max_size=2, unique_by=lambda kind: kind.name).map(tuple),
        redacted=st.lists(SOUND_TEXTS, max_size=3, unique=True).map(tuple),
        revisions=st.lists(
            st.builds(Revision, SOUND_TEXTS, st.integers(1, number)), max_size=3, unique_by=lambda r: r.text
        ).map(tuple),
        components=st.tuples(
            *(
                st.lists(components_of(role, grammar), max_size=1 + (role is Role.COST), unique_by=lambda c: c.text)
                for role in roles
            )
        ).map(lambda lists: tuple(each for components in lists for each in components)),
        unknown=st.lists(
            st.builds(UnknownWords, st.sampled_from(["effects", "levels"]), st.integers(1, 9999), SOUND_TEXTS),
            max_size=2,
        ).map(tuple),
    )


EDITIONS = st.tuples(st.sampled_from([9, 10, 11, 12, 17, 30, 999]), GRAMMARS).flatmap(lambda each: editions(*each))


@costly
@given(edition=EDITIONS)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, edition: Edition) -> None:
    file = tmp_path_factory.getbasetemp() / "written.yaml"
    file.write_text(write_edition(edition), encoding="utf-8")
    assert reading.read(file) == edition


def test_quotes_are_straight_and_arrows_single_whatever_is_written() -> None:
    file = put("editions", 18)
    file.write_text(file.read_text(encoding="utf-8") + "redacted: [an opponent’s  “turn” -> end]\n", encoding="utf-8")
    assert finding.find(18).redacted == ('an opponent\'s "turn" → end',)


# --- loops ---


@pytest.mark.parametrize(
    ("rewordings", "steps"),
    [
        ([("a", "b"), ("b", "c")], ()),
        ([("in-play card", "on-field minion"), ("this on-field minion dies", "this card dies")], ()),
        ([("a", "a")], (0,)),
        ([("a", "b a c")], (0,)),
        ([("a", "b"), ("b", "a")], (0, 1)),
        ([("a", "b"), ("c", "d"), ("b", "e"), ("e", "a")], (0, 2, 3)),
        ([("b c", "d"), ("a d", "a b c")], (0, 1)),
        ([("draw {x} cards", "take {x} cards"), ("take {y} cards", "draw {y} cards")], (0, 1)),
        ([("draw {x} cards", "take {x} cards"), ("take 2 cards", "draw 2 cards")], (0, 1)),
        ([("destroy it", "bury it"), ("bury the targets", "destroy the targets")], (0, 1)),
        ([("minions", "level {x} minion")], (0,)),
        ([("self-exhaust {x} minions", "self-exhaust {x} on-field minions")], ()),
        ([("draw cards.", "draw cards by paying.")], ()),
    ],
)
def test_loops_are_found(rewordings: list[tuple[str, str]], steps: tuple[int, ...]) -> None:
    assert loop([Rewording(old, new) for old, new in rewordings]) == steps

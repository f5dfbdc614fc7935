"""Sets printed and written in other languages: what is on the cards, what is said of them, where the files go."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from render.game import registry, sources
from render.games.kotc.card_values import template_values
from render.games.kotc.model.cards import Card, CardSet
from render.games.kotc.model.edition import Rewording
from render.games.kotc.sets import load_sets, survey
from render.games.kotc.translation import missing_words
from render.games.kotc.workshop.migration.cards import Fate, migrated_cards
from tests.support.level_cases import EDITION
from tests.support.messages import words, write
from tests.support.pages import page
from tests.support.repository import ROOT
from tests.support.sets import kotc

PLAIN = "name: Ships\nedition: 17\n"
SEVERAL = f"{PLAIN}languages: [en, de]\n"
ENGLISH_CARD = """
- name: Submarine
  kind: minion
  level: auto
  sp: 3
  hp: 2
  text: "DIVE: Self-exhaust 2 resources→ Target this card; place 2 Sword Counters on it. (Use them.)"
  flavor: Rated to forty fathoms.
  words:
    de: {name: U-Boot, flavor: Bis vierzig Faden., abilities: {DIVE: TAUCHEN}, tutorials: Nutze sie.}
"""
IN_GERMAN = (
    "TAUCHEN: Erschöpfe 2 eigene Ressourcen→ Wähle diese Karte als Ziel; lege 2 Schwertmarken auf sie. (Nutze sie.)"
)
GERMAN_CARD = f"""
- name: U-Boot
  kind: minion
  level: auto
  sp: 3
  hp: 2
  text: "{IN_GERMAN}"
  flavor: Bis vierzig Faden.
"""
SPELL = """
- name: Boot
  kind: spell
  level: 2
  text: "When you take damage: Draw 1 card."
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, so that places are as short as the author's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def a_set(cards: str, set_yaml: str = PLAIN) -> Path:
    return write(Path("s"), {"set.yaml": set_yaml, "cards.yaml": cards})


def the_card(cards: str, set_yaml: str) -> Card:
    (card_set,), findings = survey([a_set(cards, set_yaml)])
    assert findings == []
    (card,) = card_set.cards
    return card


# --- what is printed ------------------------------------------------------------------------------------------------


def test_an_english_card_is_printed_in_german() -> None:
    card = the_card(ENGLISH_CARD, f"{PLAIN}language: de\nwritten: en\n")
    assert (card.name, card.flavor, card.shown_text) == ("U-Boot", "Bis vierzig Faden.", IN_GERMAN)
    assert (card.indicator, card.level) == ("17. Edition", the_card(ENGLISH_CARD, PLAIN).level)


def test_a_card_written_in_german_says_the_same_as_in_english() -> None:
    german, english = the_card(GERMAN_CARD, f"{PLAIN}language: de\n"), the_card(ENGLISH_CARD, PLAIN)
    assert german.shown_text == german.written_text == IN_GERMAN
    assert german.text == english.text.replace("DIVE", "TAUCHEN").replace("(Use them.)", "(Nutze sie.)")
    assert german.level == english.level


def test_an_english_text_in_a_german_set_is_known_by_its_words() -> None:
    card = the_card(ENGLISH_CARD, f"{PLAIN}language: de\n")
    assert (card.name, card.shown_text, card.written_in) == ("U-Boot", IN_GERMAN, "en")


def test_a_german_card_is_printed_in_french_and_in_english() -> None:
    cards = GERMAN_CARD + "  words: {fr: {name: Sous-marin}}\n"
    (_, french, english), _ = survey_all(cards, f"{PLAIN}languages: [de, fr, en]\n")
    assert french.cards[0].name == "Sous-marin"
    assert french.cards[0].shown_text == (
        "TAUCHEN\u00a0: Épuisez 2 de vos ressources→ Ciblez cette carte\u202f; "
        "placez 2 marqueurs Épée sur elle. (Nutze sie.)"
    )
    assert english.cards[0].shown_text.endswith("Target this card; place 2 Sword Counters on it. (Nutze sie.)")


def survey_all(cards: str, set_yaml: str) -> tuple[list[CardSet], list[object]]:
    sets, findings = sources.survey([a_set(cards, set_yaml)], None)
    return [each for each in sets if isinstance(each, CardSet)], list(findings)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_conditions_are_red_tutorials_in_italics_and_the_padlock_is_there(language: str) -> None:
    spell = SPELL.replace('card."', 'card. (Now.)"')
    sets, _ = survey_all(spell, f"{PLAIN}language: {language}\nwritten: en\n")
    values = template_values(sets[0].cards[0], sets[0], None)
    paragraphs = values["paragraphs"]
    assert isinstance(paragraphs, list)
    (runs,) = paragraphs
    red, plain, italic = ([run["text"] for run in runs if wanted(run)] for wanted in (is_red, is_plain, is_italic))
    assert values["padlock"] is True
    assert red == [{"de": "Wenn du Schaden nimmst:", "fr": "Quand vous subissez des dégâts\u00a0:"}[language]]
    assert plain == [{"de": " Ziehe 1 Karte. ", "fr": " Piochez 1 carte. "}[language]]
    assert italic == ["(Now.)"]


OLD_CARD = """
name: Wolf
kind: creature
edition: 11
offense: 2
defense: 3
cost: 1
text: |
  You must exhaust 1 creature to summon this creature.
  HOWL: Activate when you take at least 5 damage. Draw 1 card.
words:
  de:
    name: Wolf
    text: |
      Du musst 1 Kreatur erschöpfen, um diese Kreatur zu beschwören.
      GEHEUL: Aktiviere, wenn du mindestens 5 Schaden nimmst. Ziehe 1 Karte.
"""


def test_a_text_of_an_old_edition_given_by_hand_is_red_where_the_english_one_is() -> None:
    sets, findings = survey_all(OLD_CARD, f"{PLAIN}language: de\nwritten: en\n")
    values = template_values(sets[0].cards[0], sets[0], None)
    paragraphs = values["paragraphs"]
    assert findings == []
    assert isinstance(paragraphs, list)
    assert values["padlock"] is True
    assert [run["text"] for runs in paragraphs for run in runs if is_red(run)] == [
        "Du musst 1 Kreatur erschöpfen, um diese Kreatur zu beschwören.",
        "Aktiviere, wenn du mindestens 5 Schaden nimmst.",
    ]


def is_red(run: dict[str, object]) -> bool:
    return bool(run["red"])


def is_italic(run: dict[str, object]) -> bool:
    return bool(run["italic"])


def is_plain(run: dict[str, object]) -> bool:
    return not (run["red"] or run["italic"])


def test_search_tables_and_the_gallery_have_the_words_of_the_language() -> None:
    card, game = the_card(ENGLISH_CARD, f"{PLAIN}language: de\nwritten: en\n"), registry.game_named("kotc")
    assert game.about(card) == "Diener · 17. Edition"
    assert game.slug([card, replace(card, edition=None)]) == "17. Edition"
    assert game.facts(card).told.startswith("Diener, 17. Edition. Stufe 5, SP 3, TP 2. TAUCHEN: Erschöpfe")
    assert game.facts(card).ranked == "Stufe 5"
    assert "u-boot diener tauchen: erschöpfe 2 eigene ressourcen" in game.words(card)
    assert game.description(card).startswith("Diener, 17. Edition\nStufe 5, SP 3, TP 2\nTAUCHEN: Erschöpfe")


def test_words_of_other_languages_change_nothing_on_an_english_card() -> None:
    plain, game = the_card(ENGLISH_CARD.split("  words:", maxsplit=1)[0], PLAIN), registry.game_named("kotc")
    with_words = the_card(ENGLISH_CARD, PLAIN)
    assert game.parts(with_words) == game.parts(plain)
    assert replace(with_words, words=()) == plain


def test_spaces_before_french_signs_keep_the_line_together() -> None:
    given = "name: Un ! Deux, flavor: 'Il dit : « Non ? »', abilities: {DIVE: PLONGÉE}, tutorials: Oui"
    in_french = f"  words: {{fr: {{{given}}}}}\n"
    card = the_card(ENGLISH_CARD.split("  words:", maxsplit=1)[0] + in_french, f"{PLAIN}language: fr\nwritten: en\n")
    assert (card.name, card.flavor) == ("Un\u202f! Deux", "Il dit\u00a0: «\u00a0Non\u202f?\u00a0»")


def test_the_card_of_the_reference_is_printed_as_it_says() -> None:
    card, after = page("cards/languages.md").partition("```yaml\n")[2].split("```", maxsplit=1)
    part = after.partition("## ")[0]
    printed = " ".join(line.strip() for line in part.splitlines() if line.startswith("    "))
    assert the_card(card, f"{PLAIN}language: de\nwritten: en\n").shown_text == printed


# --- what is said ---------------------------------------------------------------------------------------------------


def test_a_wrong_level_of_a_german_card_is_explained_in_its_words() -> None:
    wrong = GERMAN_CARD.replace("level: auto", "level: 6")
    assert kotc("check", a_set(wrong, f"{PLAIN}language: de\n")).output == said("""
        s/cards.yaml:3:10: error: the level of `u-boot` is 5, not 6 [V001]
          3 |   level: 6
            |          ^
          hint: SP 3 + 1/2 of HP 2 = 4, TAUCHEN 1 (lege 2 Schwertmarken auf sie 2 - Erschöpfe 2 eigene Ressourcen 1): level 5
        1 card checked: 1 error
    """)
    shown = kotc("explain", "u-boot", Path("s")).stdout
    assert "cost      Erschöpfe 2 eigene" in shown
    assert "effect    lege 2 Schwertmarken auf" in shown


def said(text: str) -> str:
    return f"{words(text)}\n"


def test_words_that_a_card_lacks_are_listed() -> None:
    assert kotc("check", a_set(SPELL), "--language", "de").output == said("""
        s/cards.yaml:1:9: warning: `boot` has no name in `de` [W042]
          1 | - name: Boot
            |         ^^^^
          hint: add them below `words:` and `de:`; what is missing is printed as it is
        1 card checked: 1 warning
    """)


NO_SIGN = SPELL.replace("When you take damage: Draw 1 card", "Ziehe # Karten")
UNUSED = "gives words in `de` that are not used: for"
ODD_LANGUAGE = "expected a language of two or three letters such as `de`, found"


@pytest.mark.parametrize(
    ("cards", "keys", "facts"),
    [
        (ENGLISH_CARD.replace("{DIVE: TAUCHEN}", "{DIVE: TAUCHEN, DIV: TAUCHN}"), "", [f"{UNUSED} `DIV` [W043]"]),
        (ENGLISH_CARD.replace("Nutze sie.}", '"Nutze sie.\\nJa."}'), "", [f"{UNUSED} `(Ja.)` [W043]"]),
        (f"{GERMAN_CARD}  words: {{de: {{name: Boot}}}}\n", "language: de", [f"{UNUSED} `de` [W043]"]),
        (
            GERMAN_CARD.replace("lege 2 Schwertmarken", "lege 2 Schwertmarkn").replace("auto", "6"), "language: de",
            [
                "warning: `lege 2 Schwertmarkn auf sie` is no effect of the 17th Edition [V003]",
                "hint: the nearest is `lege x Schwertmarken auf jedes Ziel`",
            ],
        ),
        (NO_SIGN, "language: de", ["`Ziehe # Karten` is no effect"]),
        (SPELL, "language: 7", [f"{ODD_LANGUAGE} `7` [S005]"]),
        (
            SPELL, "languages: [de, de]",
            ["a list of different languages such as `[en, de]`, found a list, `[de, de]` [S005]", "`de` stands in it twice"],
        ),
        (SPELL, "languages: [de, FR]", ["hint: `FR` is no language: it has two or three small letters"]),
        (SPELL, "language: de\nlanguages: [de]", ["a set has `language` or `languages`, not both [S003]"]),
        (f"{SPELL}  words: {{de: {{nam: A}}}}\n", "", ["unknown key `nam` [C002]"]),
        (f"{SPELL}  words: {{german: {{name: A}}}}\n", "", [f"{ODD_LANGUAGE} `german` [C007]"]),
        (
            f"{SPELL}  words: {{de: {{abilities: {{DIVE: Tauchen}}}}}}\n", "",
            ["the name of an ability is in capital letters, found `Tauchen` [C007]"],
        ),
    ],
)  # fmt: skip
def test_words_and_languages_that_cannot_be_or_have_no_place(cards: str, keys: str, facts: list[str]) -> None:
    asked = () if keys else ("--language", "de")
    shown = kotc("check", a_set(cards, f"{PLAIN}{keys}\n"), *asked).stdout
    assert [fact for fact in facts if fact not in shown] == []


def test_a_card_without_abilities_is_english_if_it_gives_words_in_the_language() -> None:
    rock = "- name: Rock\n  kind: minion\n  level: 1\n  sp: 1\n  hp: 0\n"
    assert the_card(rock, f"{PLAIN}language: de\n").name == "Rock"
    assert the_card(f"{rock}  words: {{de: {{name: Fels}}}}\n", f"{PLAIN}language: de\n").name == "Fels"


def test_a_text_that_cannot_be_translated_is_named() -> None:
    wrong = SPELL.replace("Draw 1 card", "Drew 1 card").replace(
        "kind: spell", "words: {de: {name: Boot}}\n  kind: spell"
    )
    assert kotc("check", a_set(wrong), "--language", "de").output == said("""
        s/cards.yaml:5:32: error: `Drew 1 card` cannot be translated into `de`: it is no effect that the rules know [W041]
          5 |   text: "When you take damage: Drew 1 card."
            |                                ^^^^^^^^^^^
          hint: the nearest is `draw x cards`; or give the whole text by hand as `words: {de: {text: ...}}`
        1 error
    """)


def test_a_text_given_by_hand_need_not_be_legal() -> None:
    cards = SPELL.replace("Draw 1 card", "Drew 1 card") + "  words: {de: {name: Boot, text: Zog 1 Karte.}}\n"
    assert the_card(cards, f"{PLAIN}language: de\nwritten: en\n").shown_text == "Zog 1 Karte."


def test_a_language_without_words_is_named_with_those_that_there_are() -> None:
    assert kotc("check", a_set(SPELL, f"{PLAIN}language: dk\n")).output == said("""
        s/set.yaml:3:11: error: no edition has words in `dk` [W030]
          3 | language: dk
            |           ^^
          hint: there are those in `de`, `en` and `fr`
        1 error
    """)


def test_texts_are_not_judged_in_a_language_that_does_not_exist() -> None:
    german = SPELL.replace("level: 2", "level: auto").replace("Draw 1 card", "Ziehe 1 Karte")
    said_of_it = kotc("check", a_set(german, f"{PLAIN}language: dk\n")).stdout
    assert "W030" in said_of_it
    assert "C010" not in said_of_it


@pytest.mark.parametrize("edition", [16, 11])
def test_an_edition_without_words_in_the_language_needs_the_text_by_hand(edition: int) -> None:
    old = SPELL.replace("level: 2", f"edition: {edition}\n  {'cost' if edition == 11 else 'level'}: 2")
    said_of_it = kotc("check", a_set(old), "--language", "de").stdout
    assert f"there are no words of the {edition}th Edition in the language `de` [W030]" in said_of_it
    assert "there are words in it of the 17th Edition" in said_of_it
    assert ("give the card's whole `text` below `words`" in said_of_it) == (edition == 11)
    by_hand = f"{old}  words: {{de: {{name: Boot, text: Ziehe 1 Karte.}}}}\n"
    assert the_card(by_hand, f"{PLAIN}language: de\nwritten: en\n").indicator == f"{edition}. Edition"


def test_a_migration_writes_no_english_words_into_a_german_card() -> None:
    both = GERMAN_CARD + SPELL.replace("Draw 1 card", "Ziehe 1 Karte").replace("When you take damage: ", "")
    (card_set,), _ = survey([a_set(both, f"{PLAIN}language: de\n")])
    new = replace(EDITION, number=18, rewordings=(Rewording("draw {x} cards", "take {x} cards"),), revisions=())
    submarine, boat = migrated_cards(card_set, new)
    assert (submarine.fate, boat.fate) == (Fate.UNCHANGED, Fate.LEFT)
    assert boat.reasons == ("a text has new words in the 18th Edition, and the card is written in `de`",)


def test_the_list_of_editions_has_the_languages() -> None:
    lines = [line.split("  ")[0].strip() for line in kotc("edition", "list").stdout.splitlines()]
    assert lines[-2:] == ["17th Edition, words in de", "17th Edition, words in fr"]


def test_the_starter_has_all_words_in_its_languages() -> None:
    (english,) = load_sets([ROOT / "cards" / "starter"])
    for language in ("de", "fr"):
        (starter,), findings = sources.survey([ROOT / "cards" / "starter"], language)
        assert isinstance(starter, CardSet)
        assert (findings, list(missing_words(starter))) == ([], [])
        assert [(card.id, card.text) for card in starter.cards] == [(card.id, card.text) for card in english.cards]


# --- where files go -------------------------------------------------------------------------------------------------


def files(folder: str) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*.p*") if path.is_file())


def test_other_languages_have_a_folder_of_their_own() -> None:
    several = a_set(ENGLISH_CARD, SEVERAL)
    assert kotc("png", several, "--dpi", 72).exit_code == 0
    assert files("out") == ["s/de/png/submarine.png", "s/png/submarine.png"]
    assert Path("out/s/de/png/submarine.png").read_bytes() != Path("out/s/png/submarine.png").read_bytes()


def built(cards: str) -> list[str]:
    """Build the set in both languages, and return the counts of each."""
    result = kotc("build", a_set(cards, f"{SEVERAL}outputs: {{png: {{dpi: 72}}}}\n"))
    return [line.split(" (")[1] for line in result.output.splitlines()]


def test_a_build_makes_all_languages_and_then_only_what_changed() -> None:
    made, kept = "1 written, 0 unchanged)", "0 written, 1 unchanged)"
    assert built(ENGLISH_CARD) == [made, made]
    assert built(ENGLISH_CARD) == [kept, kept]
    assert built(ENGLISH_CARD.replace("U-Boot", "Unterseeboot")) == [kept, made]


def test_one_folder_for_pngs_takes_one_language() -> None:
    several = a_set(ENGLISH_CARD, f"{SEVERAL}words: {{de: {{name: Schiffe}}}}\n")
    said = kotc("png", several, "--out", "here").stderr
    assert "`Ships` is printed in `en` and `de`, and one folder takes one of them: choose it with --language" in said
    assert kotc("png", several, "--out", "here", "--dpi", 72, "--language", "de").exit_code == 0

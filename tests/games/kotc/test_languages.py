"""Ability texts in other languages: there and back, with the same levels; the shipped words are complete."""

import re
from pathlib import Path

import pytest
from proofs.translations import EDITION, LANGUAGES, back, legal_texts, numbers_of, there

from render.games.kotc.editions.finding import SHIPPED, find
from render.games.kotc.languages.english import EnglishVocabulary
from render.games.kotc.languages.finding import find_words, known_words
from render.games.kotc.languages.reading import read
from render.games.kotc.languages.vocabulary import ForeignVocabulary
from render.games.kotc.levels.stretches import Reader
from render.games.kotc.model.cards import Kind
from render.games.kotc.sets import load_sets
from render.games.kotc.translation import translate
from tests.support.repository import ROOT

GERMAN = SHIPPED / "17.de.yaml"
SAMPLE = 50  # of the texts of which `python tests/benchmarks/prove.py translations 2000` tries more


@pytest.mark.parametrize("language", LANGUAGES)
def test_legal_texts_come_back_byte_for_byte(language: str) -> None:
    for text, _ in legal_texts(SAMPLE):
        assert back(there(text, language), language) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_of_the_starter_come_back_byte_for_byte(language: str) -> None:
    (card_set,) = load_sets([ROOT / "cards" / "starter"])
    texts = [each.text for each in card_set.cards if each.text and each.kind is not Kind.TIP]
    assert len(texts) > 20
    assert [text for text in texts if back(there(text, language), language) != text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_are_equal_in_all_languages(language: str) -> None:
    for text, is_spell in legal_texts(SAMPLE, seed=18):
        english = numbers_of(text, "en", is_spell=is_spell)
        assert english[2] == 0
        assert numbers_of(there(text, language), language, is_spell=is_spell) == english


def test_every_shipped_language_has_words_for_every_component() -> None:
    shipped = [(number, language) for number, language, _ in known_words() if number == 17]
    assert [language for _, language in shipped] == [*LANGUAGES]
    for number, language in shipped:
        words = find_words(find(number), language)
        assert {each.component for each in words.components} == set(EDITION.components)


def test_a_card_may_have_any_spaces_and_apostrophes() -> None:
    assert back("Ciblez  jusqu'à 2 serviteurs sur le terrain ; détruisez les cibles.", "fr") == (
        "Target up to 2 on-field minions; destroy the targets."
    )


def test_pronouns_agree_with_what_was_targeted() -> None:
    on_minion, on_card = "Target 1 on-field minion; destroy it.", "Target 1 card in your grave; destroy it."
    assert there(on_minion, "de").endswith("; zerstöre ihn.")
    assert there(on_card, "de").endswith("; zerstöre sie.")
    assert there(on_minion, "fr").endswith("; détruisez-le.")
    assert there(on_card, "fr").endswith("; détruisez-la.")


@pytest.mark.parametrize(
    ("text", "german", "french"),
    [
        ("Draw 1 card.", "Ziehe 1 Karte.", "Piochez 1 carte."),
        ("Draw 2 cards.", "Ziehe 2 Karten.", "Piochez 2 cartes."),
        ("1-dice-heal yourself.", "Heile dich mit 1 Würfel.", "Soignez-vous avec 1 dé."),
        ("3-dice-heal yourself.", "Heile dich mit 3 Würfeln.", "Soignez-vous avec 3 dés."),
    ],
)
def test_numbers_have_their_forms(text: str, german: str, french: str) -> None:
    assert (there(text, "de"), there(text, "fr")) == (german, french)


def test_where_also_joins_costs_it_does_so_in_every_language(tmp_path: Path) -> None:
    (head,) = re.findall(
        r"edition: 17\n.*?(?=^conditions)", GERMAN.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    file = tmp_path / "13.de.yaml"
    file.write_text(f"{head.replace('17', '13', 1)}{THIRTEENTH}", encoding="utf-8")
    edition = find(13)
    words = read(file, edition)
    english, german = (Reader(each) for each in (EnglishVocabulary(edition), ForeignVocabulary(edition, words)))
    text = "Self-exhaust 1 resource, also self-bury 2 resources→ Draw 1 card."
    said = translate(text, english, words)
    assert said.text == "Erschöpfe 1 eigene Ressource, außerdem vergrabe 2 eigene Ressourcen→ Ziehe 1 Karte."
    assert translate(said.text, german, english.vocabulary.words).text == text


THIRTEENTH = """
costs:
- {text: "self-exhaust {x} resources", words: "erschöpfe {x} eigene [Ressource|Ressourcen]"}
- {text: "self-bury {x} resources", words: "vergrabe {x} eigene [Ressource|Ressourcen]"}
effects:
- {text: "draw {x} cards", words: "ziehe {x} [Karte|Karten]"}
"""


def test_older_wordings_come_back_in_the_words_of_the_guide() -> None:
    """With the number 1 older editions print a plural, which the other language does not keep apart."""
    assert back(there("Target up to 1 on-field minions; destroy the targets.", "de"), "de") == (
        "Target up to 1 on-field minion; destroy the targets."
    )
    assert back(there("See enemy’s hand and target 1 card therein; bury it.", "fr"), "fr") == (
        "See enemy's hand and target 1 card therein; bury it."
    )

"""An ability text in the words of another language, and the cards of a set in its language.

Every legal text is made of components with numbers (Card Building Guide, "Card Texts"). So a text is read as a tree in
one language and written in the other; names of abilities and tutorial texts are given by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Severity, quoted
from render.game import languages
from render.game.cards import place_of_key, place_within
from render.games.kotc.composing import AbilityWriter, read_ability
from render.games.kotc.editions.soundness import CALLED
from render.games.kotc.languages.finding import newest_words, vocabulary
from render.games.kotc.languages.vocabulary import ComponentUse, LanguageWords
from render.games.kotc.levels.rules import Rules
from render.games.kotc.levels.stretches import Reader
from render.games.kotc.model import ability
from render.games.kotc.model.cards import ENGLISH, Card, CardSet, CardWords, Kind, PrintedWords, WrittenWords, ordinal

NOT_GIVEN = CardWords(language="")


class Translation(NamedTuple):
    """A text in the other language. Words for which there are none stand in it as they were: `unknown` says which.

    `missing` are the names of abilities and the tutorial texts that are to be given by hand. `unused` are those that
    are given, and for which there is no place.
    """

    text: str
    unknown: list[ComponentUse]
    missing: list[str]
    unused: list[str]


def translate(text: str, source: Reader, target: LanguageWords, given: CardWords = NOT_GIVEN) -> Translation:
    """Return a text of an edition with sub-abilities in the words of the target language.

    Blank lines, arrows, capitals and full stops stay as they are.
    """
    writer = AbilityWriter(source.vocabulary.edition.grammar, target)
    abilities = ability.parse(text, writer.grammar, is_spell=False).abilities
    by_name, tutorials = dict(given.abilities), list(given.tutorials)
    said, at = "", 0
    unknown: list[ComponentUse] = []
    names: list[str] = []
    explained: list[str] = []
    for parts in abilities:
        plan = read_ability(text, parts, source)
        unknown += (use for use in plan.uses() if target.say(use) is None)
        if plan.name and plan.name not in by_name:
            names.append(f"name for {quoted(plan.name)}")
        plan = replace(plan, name=by_name.get(plan.name, plan.name))
        if plan.tutorial and tutorials:
            plan = replace(plan, tutorial=tutorials.pop(0)[1:-1])  # without the parentheses
        elif plan.tutorial:
            explained.append(f"words for {quoted(f'({plan.tutorial})')}")
        said, at = f"{said}{text[at : parts.start]}{writer.ability(plan)}", parts.end
    named = {each.name.text for each in abilities if each.name}
    unused = [quoted(each) for each in (*(name for name in by_name if name not in named), *tutorials)]
    return Translation(f"{said}{text[at:]}", unknown, [*names, *explained], unused)


# --- cards in the language of their set, with what is given by hand put in place -------------------------------------


class CardTranslator:
    """Puts the cards of one set into its language. The words of a language are found once."""

    def __init__(self, card_set: CardSet) -> None:
        self._set = card_set
        self._rules = Rules(card_set.folder)

    def translated(self, card: Card) -> Card | Sequence[Diagnostic]:
        """Return the card in the language of its set, or why it cannot be."""
        try:
            written = self._written(card)
            if written == self._set.language:
                return self._as_it_is(card)
            return self._by_words(card, written)
        except Refused as refused:
            return [_at_text(card, each) for each in refused.findings]

    # --- written and printed in one language -----

    def _as_it_is(self, card: Card) -> Card:
        language = self._set.language
        if language == ENGLISH:
            return card
        english = self._said(card, language, ENGLISH, NOT_GIVEN).text if _has_components(card) else card.text
        known = replace(card, text=english, written=WrittenWords(language, card.text))
        # Words for the language in which the card is written have no place.
        return self._printed(
            known, card.text, (), [f"`{each.language}`" for each in card.words if each.language == language]
        )

    # --- written in one language and printed in another -----

    def _by_words(self, card: Card, written: str) -> Card | list[Diagnostic]:
        language = self._set.language
        given = next((each for each in card.words if each.language == language), NOT_GIVEN)
        text, missing, unused = given.text, list(_not_given(card, given)), []
        if not text and card.kind is not Kind.TIP and card.text.strip():
            # Up to the 11th Edition there are no words in other languages, which is said here.
            found = self._said(card, written, language, given)
            if found.unknown:
                return [self._untranslated(card, each, written) for each in found.unknown]
            text, missing, unused = found.text, [*missing, *found.missing], found.unused
        elif not text and card.text.strip():
            text, missing = card.text, [*missing, "text"]
        english = card.text
        if written != ENGLISH and _has_components(card):
            english = self._said(card, written, ENGLISH, NOT_GIVEN).text
        by_hand = {"name": given.name, "flavor": given.flavor, "credit": given.credit}
        known = replace(card, **{key: words for key, words in by_hand.items() if words})
        source = None if written == ENGLISH else WrittenWords(written, card.text)
        return self._printed(replace(known, text=english, written=source), text, missing, unused)

    def _printed(self, card: Card, text: str, missing: Iterable[str], unused: Iterable[str]) -> Card:
        """Return the card with what is printed on it in the language of the set."""
        language = self._set.language
        printed = PrintedWords(language=language, text=text, missing=tuple(missing), unused=tuple(unused))
        if language == ENGLISH:
            return replace(card, printed=printed)
        words = newest_words(language, self._set.folder, card.era)
        printed = replace(
            printed,
            text=words.kept_together(text),
            indicator=words.edition_indicator(card.edition) if card.edition else "",
            terms=tuple(sorted(words.terms.items())),
        )
        return replace(
            card,
            printed=printed,
            name=words.kept_together(card.name),
            flavor=words.kept_together(card.flavor),
            credit=words.kept_together(card.credit),
        )

    # --- texts -----

    def _written(self, card: Card) -> str:
        """Return the language in which a card is written.

        In a set of another language whose file does not say it, a text that is legal in English, and not in the
        language of the set, is English, and so is a card without such a text that gives words in that language.
        """
        usual = self._set.written_in
        if self._set.written or usual == ENGLISH:
            return usual
        if not _has_components(card):
            return ENGLISH if any(each.language == usual for each in card.words) else usual
        if not self._said(card, usual, ENGLISH, NOT_GIVEN).unknown:
            return usual
        return usual if self._said(card, ENGLISH, usual, NOT_GIVEN).unknown else ENGLISH

    def _said(self, card: Card, written: str, language: str, given: CardWords) -> Translation:
        calculator = self._rules.of(card.era, written)
        if calculator is None:
            message = f"there are no rules of the {ordinal(card.era)} Edition to translate by"
            raise Refused([Diagnostic("W030", message, "give the text by hand, below `words`").at()])
        edition = calculator.edition
        target = vocabulary(edition, language, self._set.folder).words
        return translate(card.text, calculator.reader, target, given)

    def _untranslated(self, card: Card, each: ComponentUse, written: str) -> Diagnostic:
        assert each.words is not None, each  # it was read
        language, words, role = self._set.language, each.words, each.component.role
        why = f"there are no words for it in `{language}`"
        by_hand = f"give the whole text by hand as `words: {{{language}: {{text: ...}}}}`"
        hint = f"add a line for it to the words of the language, `{card.era}.{language}.yaml`; or {by_hand}"
        if not each.is_known:
            why = f"it is no {CALLED[role]} that the rules know"
            calculator = self._rules.of(card.era, written)
            near = calculator.vocabulary.nearest(role, words.text) if calculator else ""
            hint = f"{f'the nearest is `{near}`' if near else 'correct it'}; or {by_hand}"
        place = place_within(card, "text", words.start, words.end)
        message = f"{quoted(words.text)} cannot be translated into `{language}`: {why}"
        return Diagnostic("W041", message, hint).at(place, card.id, "text")


def _has_components(card: Card) -> bool:
    """Return whether a card has an ability text by the grammar that can be translated."""
    return card.kind is not Kind.TIP and card.grammar.has_sub_abilities and bool(card.text.strip())


def _at_text(card: Card, finding: Diagnostic) -> Diagnostic:
    if finding.span is not None:
        return finding
    return finding.at(place_of_key(card, "text"), card.id, "text")


# --- what is left to people -----------------------------------------------------------------------------------------


def _not_given(card: Card, given: CardWords) -> Iterator[str]:
    if not given.name:
        yield "name"
    if card.flavor and not given.flavor:
        yield "flavor"


def missing_words(card_set: CardSet) -> Iterator[Diagnostic]:
    """Yield warnings for cards that lack words which only people can give, or give words that have no place."""
    for card in card_set.cards:
        if card.printed and card.printed.unused:
            language, unused = card.printed.language, " and ".join(card.printed.unused)
            message = f"`{card.id}` gives words in `{language}` that are not used: for {unused}"
            hint = f"the card is written in `{language}`: write them there"
            if card.written_in != language:
                hint = "the text has no such name of an ability, or fewer tutorial texts"
            place = place_of_key(card, f"words.{language}")
            yield Diagnostic("W043", message, hint, Severity.WARNING).at(place, card.id, "words")
        if card.printed and card.printed.missing:
            yield languages.missing_words("W042", card, card.printed.language, card.printed.missing)

"""An ability text in the words of another language, worked out from its components.

Every legal text is made of components with numbers (Card Building Guide, "Card Texts"). So each component is read in
one language and said in the other, and what joins components is exchanged; names of abilities and tutorial texts are
given by hand. Line breaks, arrows and full stops stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from render.base.findings import Diagnostic, Refused, Severity, quoted
from render.game.cards import place_of_key, place_within
from render.games.kotc.editions.soundness import CALLED
from render.games.kotc.languages.finding import newest_words, vocabulary
from render.games.kotc.languages.notation import ANY
from render.games.kotc.languages.vocabulary import Vocabulary
from render.games.kotc.levels.rules import Rules
from render.games.kotc.levels.stretches import ComponentText, Reader, move_part
from render.games.kotc.model import ability
from render.games.kotc.model.ability import Ability, Part
from render.games.kotc.model.cards import ENGLISH, Card, CardSet, CardWords, Kind, PrintedWords, WrittenWords, ordinal
from render.games.kotc.model.edition import Grammar, Role


@dataclass(frozen=True, slots=True)
class TextReader:
    """What reads texts of a language: their components with their places, and what each of them says."""

    reader: Reader
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class GivenWords:
    """Words that no rule gives: of the names of abilities, by the name in the text, and of tutorial texts, in order."""

    abilities: Mapping[str, str] = field(default_factory=dict)
    tutorials: Sequence[str] = ()


NOTHING_GIVEN = GivenWords()


@dataclass(frozen=True, slots=True)
class Untranslated:
    """Words that are no component in their place, or, if they `is_read`, for which the language has none."""

    words: Part
    role: Role
    is_read: bool

    def __str__(self) -> str:
        return CALLED[self.role]


@dataclass(frozen=True, slots=True)
class Translation:
    """A text in the other language. Words for which there are none stand in it as they were.

    `unknown` are those of components, `names` and `tutorials` those that are to be given by hand. `unused` are names
    and tutorial texts that are given, and for which there is no place.
    """

    text: str
    unknown: tuple[Untranslated, ...]
    names: tuple[Part, ...]
    tutorials: tuple[Part, ...]
    unused: tuple[str, ...]


def translate(
    text: str, grammar: Grammar, source: TextReader, target: Vocabulary, given: GivenWords = NOTHING_GIVEN
) -> Translation:
    """Return a text of an edition with sub-abilities in the words of the target language."""
    work = _Work(text=text, source=source, target=target, given=given)
    abilities = ability.parse(text, grammar, is_spell=False).abilities
    for each in abilities:
        work.translate(each)
    named = {each.name.text for each in abilities if each.name}
    unused = (*(name for name in given.abilities if name not in named), *given.tutorials[work.seen :])
    return Translation(work.result(), tuple(work.unknown), tuple(work.names), tuple(work.tutorials), unused)


@dataclass(slots=True, kw_only=True)
class _Work:
    """A text being translated: `edits` are places in it and the words that come there."""

    text: str
    source: TextReader
    target: Vocabulary
    given: GivenWords
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    unknown: list[Untranslated] = field(default_factory=list)
    names: list[Part] = field(default_factory=list)
    tutorials: list[Part] = field(default_factory=list)
    seen: int = 0

    def result(self) -> str:
        """Return the text with all edits."""
        done, at = "", 0
        for start, end, words in sorted(self.edits):
            done += self.text[at:start] + words
            at = end
        return done + self.text[at:]

    def translate(self, each: Ability) -> None:
        """Translate an ability."""
        if each.name:
            self._by_hand(each.name, self.given.abilities.get(each.name.text), self.names)
            self._colon(each.name)
        if each.condition:
            for piece in self.source.reader.single(Role.CONDITION, each.condition.text).placed(each.condition.start):
                self._say(piece, starts=False)
            self._colon(each.condition)
        if each.costs:
            self._costs(each)
        for sentence in each.sub_abilities:
            self._sentence(sentence)
        if each.tutorial:
            words = self.given.tutorials[self.seen] if self.seen < len(self.given.tutorials) else None
            self._by_hand(each.tutorial, words, self.tutorials)
            self.seen += 1

    def _by_hand(self, part: Part, words: str | None, missing: list[Part]) -> None:
        if words is None:
            missing.append(part)
        else:
            self.edits.append((part.start, part.end, words))

    def _colon(self, part: Part) -> None:
        found = _COLON.match(self.text, part.end)
        if found:
            self.edits.append((found.start(), found.end(), self.target.joints.colon))

    def _costs(self, each: Ability) -> None:
        start, end = each.costs[0].start, each.costs[-1].end
        items = [move_part(cost, -start) for cost in each.costs]
        pieces = self.source.reader.costs(self.text[start:end], items).placed(start)
        joints = self.target.joints
        for number, piece in enumerate(pieces):
            self._say(piece, starts=not (each.condition or number))
            if number:
                last = number == len(pieces) - 1
                joint = ", " if not last else joints.and_ if len(pieces) == 2 else joints.last_and
                self.edits.append((pieces[number - 1].words.end, piece.words.start, joint))

    def _sentence(self, sentence: Part) -> None:
        pieces = self.source.reader.sub_ability(sentence.text).placed(sentence.start)
        gender = self._gender(pieces[0])
        before: ComponentText | None = None
        for piece in pieces:
            self._say(piece, gender, starts=before is None)
            if before:
                self.edits.append((before.words.end, piece.words.start, self._joint(before, piece)))
            before = piece

    def _gender(self, first: ComponentText) -> str:
        """Return the gender of the one target that a sentence may have, by its target selection."""
        is_known = first.role is Role.TARGET and first.found is not None
        return self.target.gender(first.found.component) if is_known and first.found else ANY

    def _joint(self, before: ComponentText, piece: ComponentText) -> str:
        if before.role is Role.TARGET:
            return self.target.joints.semicolon
        gap, ours = _plain(self.text[before.words.end : piece.words.start]), self.source.vocabulary.joints
        return self.target.joints.also if gap == _plain(ours.also) else self.target.joints.then

    def _say(self, piece: ComponentText, gender: str = ANY, *, starts: bool) -> None:
        """Translate a component; one that begins with a number has a capital in the other language if it `starts`."""
        said = self.source.vocabulary.read(piece.role, piece.words.text) if piece.found else None
        if said and said.capital is None:
            said = replace(said, capital=starts)
        words = self.target.say(said, gender) if said else None
        if words is None:
            self.unknown.append(Untranslated(piece.words, piece.role, said is not None))
        else:
            self.edits.append((piece.words.start, piece.words.end, words))


_COLON = re.compile(r"\s*:\s*")


def _plain(joint: str) -> str:
    return " ".join(joint.split())


# --- cards in the language of their set, with what is given by hand put in place -------------------------------------

NOT_GIVEN = CardWords(language="")


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
            text, missing = found.text, [*missing, *_not_given_in(found)]
            unused = [quoted(each) for each in found.unused]
        elif not text and card.text.strip():
            text, missing = card.text, [*missing, "text"]
        english = card.text
        if written != ENGLISH and _has_components(card):
            english = self._said(card, written, ENGLISH, NOT_GIVEN).text
        by_hand = {"name": given.name, "flavor": given.flavor, "credit": given.credit}
        known = replace(card, **{key: words for key, words in by_hand.items() if words})  # type: ignore[arg-type]
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
        source = TextReader(calculator.reader, self._vocabulary(card, written))
        by_hand = GivenWords(dict(given.abilities), given.tutorials)
        return translate(card.text, card.grammar, source, self._vocabulary(card, language), by_hand)

    def _vocabulary(self, card: Card, language: str) -> Vocabulary:
        return vocabulary(card.era, language, self._set.folder)

    def _untranslated(self, card: Card, each: Untranslated, written: str) -> Diagnostic:
        language, words = self._set.language, quoted(each.words.text)
        why = f"there are no words for it in `{language}`" if each.is_read else f"it is no {each} that the rules know"
        hint = f"give the whole text by hand as `words: {{{language}: {{text: ...}}}}`"
        calculator = None if each.is_read else self._rules.of(card.era, written)
        near = calculator.components.nearest(each.role, each.words.text) if calculator else ""
        if not each.is_read:
            hint = f"{f'the nearest is `{near}`' if near else 'correct it'}; or {hint}"
        place = place_within(card, "text", each.words.start, each.words.end)
        message = f"{words} cannot be translated into `{language}`: {why}"
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


def _not_given_in(found: Translation) -> Iterator[str]:
    for part in found.names:
        yield f"name for {quoted(part.text)}"
    for part in found.tutorials:
        yield f"words for {quoted(part.text)}"


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
            language = card.printed.language
            *first, last = (f"no {each}" for each in card.printed.missing)
            missing = f"{', '.join(first)} and {last}" if first else last
            hint = f"add them below `words:` and `{language}:`; what is missing is printed as it is"
            place = place_of_key(card, "words" if card.node.get("words") else "name")
            message = f"`{card.id}` has {missing} in `{language}`"
            yield Diagnostic("W042", message, hint, Severity.WARNING).at(place, card.id, "words")

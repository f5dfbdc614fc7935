"""Read the cards of *Keeper of the Cards*: what `game/card_reading` asks of a game, and what the rules of editions give.

A card is read by its edition, which tells the kinds of card, their keys and how abilities are written. Numbers left to
the rules, and words in another language, are worked out afterwards, since rules look at a whole card.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import asdict, replace

from render.base.findings import Diagnostic, Severity
from render.game import card_reading, ids
from render.game.card_reading import CardReader, CardReading, Surroundings
from render.game.cards import FlawedCard
from render.games.kotc.editions.finding import look_of
from render.games.kotc.files import keys
from render.games.kotc.files.keys import AUTO, NO_EDITION, is_auto
from render.games.kotc.model.cards import ENGLISH, OLD_NAMES, AnyKind, Card, CardWords, Kind, own_card, own_set
from render.games.kotc.model.declaration import declared_field
from render.games.kotc.model.edition import Grammar, NewKind
from render.source.fields import Fields
from render.source.key_tables import KeyTable
from render.source.nodes import Document, Scalar
from render.text.characters import MoreFonts
from render.text.font_book import FontBook

if TYPE_CHECKING:
    from render.games.kotc.levels.rules import Rules
    from render.games.kotc.translation import CardTranslator


class Design(NamedTuple):
    """What a card is: its kind, and the edition by which it is read and drawn with its grammar; None if it is unclear."""

    kind: AnyKind | None
    era: int | None
    grammar: Grammar | None


class KotcCardReader(CardReader[Design, Card]):
    """Reads the cards of one set, and calculates the numbers that they leave to the rules of their edition.

    What an edition says of cards, and its rules, are found once.
    """

    file = card_reading.card_files(
        {
            "kind": "minion", "edition": "17", "text": "Draw 1 card.", "file": "art/storm-hammer.jpg", "sp": "4", "hp": "6",
            "level": "9", "offense": "4", "defense": "6", "cost": "9",
        },
        keys.SYNONYMS,
    )  # fmt: skip
    card_type = Card
    shared_fields = ("grammar",)
    every_key = keys.CARD.names
    in_all_variants = (*CardReader.in_all_variants, "edition", "text", *keys.NUMBERS)  # which the rules judge
    texts = frozenset({*card_reading.TEXT_KEYS, "text", "flavor", "credit", "file", "author", "license", "alt"})

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._set = own_set(around.card_set)
        self.fonts = MoreFonts(FontBook((self._set.folder,)).has)
        self._rules: Rules | None = None
        self._looks: dict[int, tuple[Grammar, tuple[NewKind, ...]]] = {}
        self._shared: dict[tuple[str, int], MappingOf[str, Any]] = {}
        self._translator: CardTranslator | None = None

    def recognize(self, fields: Fields) -> tuple[Design, ids.Claim | None]:
        claim = card_reading.claimed_id(fields)
        given = self._given_edition(fields)
        kind = card_reading.read_kind(fields, [*Kind, *(self._look_of(given)[1] if given else ())])
        era = self._era(fields, kind)
        grammar = self._look_of(era)[0] if era else None
        return Design(_of_that_edition(fields, kind, era, grammar), era, grammar), claim

    def table(self, fields: Fields, what: Design) -> KeyTable:
        return keys.table_of(what.kind, what.grammar, fields.values)

    def misplaced(self, what: Design, key: str) -> tuple[str, str, str] | None:
        return keys.misplaced(key, *what)

    def card(self, fields: Fields, what: Design, given: MappingOf[str, Any]) -> Card | None:
        kind, era, grammar = what
        if not (kind and era and grammar):
            return None
        numbers = {stat: given.get(keys.stat_key(stat, grammar)) for stat in OLD_NAMES}
        values = {key: value for key, value in given.items() if key not in keys.NUMBERS}
        values = self.values(fields, kind, values, frame_of(kind, self._set.folder)) | numbers
        values["credit"] = self._set.credit if given["credit"] is None else given["credit"]
        language, by_file = self._set.foreign, self.around.words
        said = by_file.get(fields.card) or by_file.get(given["name"])
        if said:  # what the card itself says counts before it
            own = [asdict(each) for each in given["words"] if each.language == language]
            told = {**said, "language": language, **{key: word for each in own for key, word in each.items() if word}}
            values["words"] = (*(each for each in given["words"] if each.language != language), CardWords(**told))
        edition = None if _has_no_indicator(fields) else era
        return Card(**values, ultra_points=given.get("ultra_points") or 0, edition=edition, era=era, grammar=grammar)

    def shared(self, kind: str, values: MappingOf[str, Any]) -> MappingOf[str, Any]:
        key = kind, values["era"]
        if key not in self._shared:
            grammar, new_kinds = self._look_of(values["era"])
            kinds: dict[str, AnyKind] = {str(each.value): each for each in (*Kind, *new_kinds)}
            self._shared[key] = {"kind": kinds[kind], "grammar": grammar}
        return self._shared[key]

    def finish(self, fields: Fields, card: Card | None, claim: ids.Claim | None) -> CardReading:
        """Return the reading of a card: without its mistakes if there are any, and with what completes it."""
        reading, flawed = super().finish(fields, card, claim), None
        if card and reading.card is None:
            card = _without_mistakes(card, fields)
            flawed = FlawedCard(card, _is_judged(fields, card))
        auto = tuple(key for key in AUTO if is_auto(fields, key))
        complete = partial(self._completed, card, auto) if card and (auto or self._is_foreign) else None
        findings = tuple(self._with_level(each, flawed, fields.document) for each in reading.findings)
        return replace(reading, findings=findings, complete=complete, flawed=flawed)

    # --- its edition -----

    def _given_edition(self, fields: Fields) -> int | None:
        """Return the edition that a card or its set gives, before it is read: its kind may be one of that edition alone."""
        node = fields.values.get("edition")
        if isinstance(node, Scalar):
            return int(node.value) if node.value.isdecimal() and 0 < len(node.value) < 4 else None
        return self._set.edition

    def _era(self, fields: Fields, kind: AnyKind | None) -> int | None:
        """Return the edition by which the card is read and drawn; None, and a finding, if there is none."""
        if _has_no_indicator(fields):
            return keys.era(kind, fields.values, self._set.edition)
        if "edition" in fields.values:
            return fields.whole("edition", *declared_field("edition").limits, or_word=NO_EDITION)
        default = self._set.edition
        if default is None and self.around.sound and "edition" not in fields.node.lost:
            message = f"{fields.owner} has no `edition`, and neither has its set"
            hint = (
                "add `edition: 17` to the card or to `set.yaml`, or `edition: none` to a card without Edition Indicator"
            )
            fields.note("004", message, fields.start, hint, "edition")
        return default

    def _look_of(self, edition: int) -> tuple[Grammar, tuple[NewKind, ...]]:
        if edition not in self._looks:
            self._looks[edition] = look_of(edition, self._set.folder)
        return self._looks[edition]

    # --- what the rules give -----

    def _with_level(self, finding: Diagnostic, flawed: FlawedCard | None, document: Document) -> Diagnostic:
        """Return a finding; the one about a missing level names the level that the rules give, if they do."""
        if not _lacks_level(finding):
            return finding
        key, hint = finding.field, document.adding(finding.field, "")
        if flawed and flawed.judged and not self._names_another:
            found = self._worked_out(own_card(flawed.card), ("level",))
            if isinstance(found, Card) and found.level is not None:
                adding = document.adding(key, str(found.level))
                hint = f"{adding}, which is what the rules give; or `{key}: auto`, and kotc works it out"
        return replace(finding, hint=hint)

    @property
    def _is_foreign(self) -> bool:
        """Whether cards are written or printed in another language than English."""
        # A set whose own file is wrong may have no language, or one without words.
        return self.around.sound and self._names_another

    @property
    def _names_another(self) -> bool:
        return (self._set.language or ENGLISH, self._set.written_in) != (ENGLISH, ENGLISH)

    def _completed(self, card: Card, auto: tuple[str, ...]) -> Card | Sequence[Diagnostic]:
        """Return the card in the language of the set, with the numbers of these keys, or why that cannot be."""
        translated: Card | Sequence[Diagnostic] = card
        if self._is_foreign:
            from render.games.kotc.translation import CardTranslator

            self._translator = self._translator or CardTranslator(self._set)
            translated = self._translator.translated(card)
        # Nothing can be said of texts in a language without words, such as the one of a set whose own file is wrong.
        if not auto or not isinstance(translated, Card) or (self._names_another and not self.around.sound):
            return translated
        return self._worked_out(translated, auto)

    def _worked_out(self, card: Card, auto: tuple[str, ...]) -> Card | Sequence[Diagnostic]:
        from render.games.kotc.levels.rules import rules_of_set, work_out_numbers

        self._rules = self._rules or rules_of_set(self._set)
        return work_out_numbers(card, auto, self._rules)


def _without_mistakes(card: Card, fields: Fields) -> Card:
    """Return a card without the texts in which something is wrong: what else is said of them would be that again."""
    wrong = {*fields.node.lost, *(each.field for each in fields.findings if each.severity is Severity.ERROR)}
    texts = {key: "" for key in ("name", "text", "flavor", "credit") if key in wrong}
    return replace(card, **texts, art=None if "art" in wrong else card.art)


def _lacks_level(finding: Diagnostic) -> bool:
    return finding.code == "C004" and finding.field in ("level", OLD_NAMES["level"])


# What the rules of an edition look at.
_JUDGED = frozenset(("kind", "edition", "text", "words", *keys.NUMBERS))


def _is_judged(fields: Fields, card: Card) -> bool:
    """Return whether what is wrong with a card leaves alone everything that the rules look at."""
    wrong = {*fields.node.lost, *fields.meant}
    for finding in fields.findings:
        key = finding.field.partition(".")[0]
        if finding.code == f"{fields.family}002":
            # An unknown key may be the text, if there is no other; what it is nearest to is in `meant`.
            wrong.add("id" if "text" in fields.values or fields.meant else "text")
        elif _lacks_level(finding):
            continue
        elif finding.code != f"{fields.family}003" or keys.stats(card.kind)[1:]:
            wrong.add(key)
    return not wrong & _JUDGED


def frame_of(kind: AnyKind | None, folder: Path) -> str:
    """Return the template of a new kind of card, that of the nearest kind until the set has one; "" for other kinds."""
    if not isinstance(kind, NewKind):
        return ""
    own = (folder / place / f"{kind.name}.svg" for place in ("templates", ""))
    return "" if any(file.is_file() for file in own) else kind.nearest


def _has_no_indicator(fields: Fields) -> bool:
    node = fields.values.get("edition")
    return isinstance(node, Scalar) and node.value == NO_EDITION  # in quotes, too, as in JSON


def _of_that_edition(
    fields: Fields, kind: AnyKind | None, edition: int | None, grammar: Grammar | None
) -> AnyKind | None:
    """Return the kind; None, and a finding, if the edition does not have it."""
    wrong = keys.wrong_era(kind, edition, grammar) if kind and edition and grammar else None
    if wrong is None:
        return kind
    message, hint, right = wrong
    fields.note("008", message, fields.place("kind"), hint, "kind", instead=right.value)
    return None

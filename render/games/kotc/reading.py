"""Read the cards of a set: the keys that they must, may and must not have, their values, and numbers left to the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic, Severity, has_errors
from render.game import card_keys, ids
from render.game.card_keys import CardReading, Surroundings
from render.game.cards import FlawedCard
from render.games.kotc.editions.finding import look_of
from render.games.kotc.files import keys
from render.games.kotc.files.keys import AUTO, NO_EDITION, CardAround, is_auto
from render.games.kotc.model.cards import ENGLISH, OLD_NAMES, AnyKind, Card, Kind, own_card, own_set
from render.games.kotc.model.declaration import LAST_EDITION, declared_field
from render.games.kotc.model.edition import Grammar, NewKind
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.nodes import Document, Mapping, Scalar
from render.text.characters import MoreFonts
from render.text.font_book import FontBook

if TYPE_CHECKING:
    from render.games.kotc.levels.rules import Rules
    from render.games.kotc.translation import CardTranslator

CARD = FileKind(
    "C",
    "card",
    {
        "name": "Storm Hammer", "kind": "minion", "edition": "17", "text": "Draw 1 card.",
        "file": "art/storm-hammer.jpg", "sp": "4", "hp": "6", "level": "9", "offense": "4", "defense": "6", "cost": "9",
    },
    keys.SYNONYMS,
)  # fmt: skip
_TEXTS = frozenset({*card_keys.TEXT_KEYS, "text", "flavor", "credit", "file", "author", "license"})


@cached(16)
def _own_fonts(folder: Path) -> MoreFonts:
    """Return the fonts of a set's own."""
    return MoreFonts(FontBook((folder,)).has)


class CardReader:
    """Reads the cards of one set, and calculates the numbers that they leave to the rules of their edition.

    What an edition says of cards, and its rules, are found once.
    """

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._set = own_set(around.card_set)
        self._fonts = _own_fonts(self._set.folder)
        self._rules: Rules | None = None
        self._looks: dict[int, tuple[Grammar, tuple[NewKind, ...]]] = {}
        self._translator: CardTranslator | None = None

    def read(self, document: Document, node: Mapping) -> CardReading:
        """Return the result of reading the mapping of a card."""
        fields = Fields(document=document, node=node, kind=CARD, fonts=self._fonts)
        claim = card_keys.claimed_id(fields)
        fields.card = claim.id if claim and ids.is_id(claim.id) else ""
        given = self._given_edition(fields)
        kind = card_keys.read_kind(fields, [*Kind, *(self._look_of(given)[1] if given else ())])
        era = self._era(fields, kind)
        grammar = self._look_of(era)[0] if era else None
        kind = _of_that_edition(fields, kind, era, grammar)
        fields.check_keys(keys.of_card(kind, grammar), lambda key: keys.misplaced(key, kind, era, grammar))
        card = self._card(fields, kind, era, grammar)
        auto = tuple(key for key in AUTO if is_auto(fields, key))
        fields.note_cut_off(_TEXTS)
        findings, flawed = tuple(fields.findings), None
        is_sound = not (node.lost or has_errors(findings))
        if card and not is_sound:
            card = _without_mistakes(card, findings, node.lost)
            flawed = FlawedCard(card, _is_judged(fields, card))
        if any(map(_lacks_level, findings)):
            findings = _with_level(findings, self._right_level(flawed), document)
        complete = partial(self._completed, card, auto) if card and (auto or self._is_foreign) else None
        return CardReading(card if is_sound else None, claim, findings, complete, flawed)

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
        if default is None and self._around.sound and "edition" not in fields.node.lost:
            message = f"{fields.owner} has no `edition`, and neither has its set"
            hint = (
                "add `edition: 17` to the card or to `set.yaml`, or `edition: none` to a card without Edition Indicator"
            )
            fields.note("004", message, fields.start, hint, "edition")
        return default

    def _card(self, fields: Fields, kind: AnyKind | None, era: int | None, grammar: Grammar | None) -> Card | None:
        """Read every value, so that all findings come at once; None if it is unclear what the card is."""
        card_set, around = self._set, self._around
        table = keys.CARD.only(keys.of_card(kind, grammar), {*_needed(fields, kind, grammar)})
        given = table.read_values(fields, CardAround(kind, card_set, around.sound, around.home))
        numbers: dict[str, Any] = {stat: given.get(keys.stat_key(stat, grammar or Grammar())) for stat in OLD_NAMES}
        numbers["ultra_points"] = given.get("ultra_points") or 0
        given = {key: value for key, value in given.items() if key not in keys.NUMBERS}
        given["credit"] = card_set.credit if given["credit"] is None else given["credit"]
        given["template"] = given["template"] or frame_of(kind, card_set.folder)
        given["back"] = given["back"] or card_set.backs.of(kind or Kind.TIP)
        card = Card(
            id=fields.card,
            kind=kind or Kind.TIP,
            edition=None if _has_no_indicator(fields) else era,
            era=era or LAST_EDITION,
            grammar=grammar or Grammar(),
            document=fields.document,
            node=fields.node,
            **numbers,
            **given,
        )
        return card if kind and era else None

    # --- what the rules give -----

    def _look_of(self, edition: int) -> tuple[Grammar, tuple[NewKind, ...]]:
        if edition not in self._looks:
            self._looks[edition] = look_of(edition, self._set.folder)
        return self._looks[edition]

    def _right_level(self, flawed: FlawedCard | None) -> int | None:
        """Return the level of a card that gives none; None if the rules do not tell."""
        if not (flawed and flawed.judged) or self._names_another:
            return None
        from render.games.kotc.levels.rules import rules_of_set, work_out_numbers

        self._rules = self._rules or rules_of_set(self._set)
        found = work_out_numbers(own_card(flawed.card), ("level",), self._rules)
        return found.level if isinstance(found, Card) else None

    @property
    def _is_foreign(self) -> bool:
        """Whether cards are written or printed in another language than English."""
        # A set whose own file is wrong may have no language, or one without words.
        return self._around.sound and self._names_another

    @property
    def _names_another(self) -> bool:
        return (self._set.language or ENGLISH, self._set.written_in) != (ENGLISH, ENGLISH)

    def _completed(self, card: Card, auto: tuple[str, ...]) -> Card | Sequence[Diagnostic]:
        """Return the card in the language of the set, with the numbers of these keys, or why that cannot be."""
        from render.games.kotc.levels.rules import rules_of_set, work_out_numbers

        translated: Card | Sequence[Diagnostic] = card
        if self._is_foreign:
            from render.games.kotc.translation import CardTranslator

            self._translator = self._translator or CardTranslator(self._set)
            translated = self._translator.translated(card)
        # Nothing can be said of texts in a language without words, such as the one of a set whose own file is wrong.
        if not auto or not isinstance(translated, Card) or (self._names_another and not self._around.sound):
            return translated
        self._rules = self._rules or rules_of_set(self._set)
        return work_out_numbers(translated, auto, self._rules)


def _without_mistakes(card: Card, findings: Sequence[Diagnostic], lost: Sequence[str]) -> Card:
    """Return a card without the texts in which something is wrong: what else is said of them would be that again."""
    wrong = {*lost, *(finding.field for finding in findings if finding.severity is Severity.ERROR)}
    name, text, flavor, credit = (
        "" if key in wrong else words
        for key, words in (("name", card.name), ("text", card.text), ("flavor", card.flavor), ("credit", card.credit))
    )
    art = None if "art" in wrong else card.art
    return replace(card, name=name, text=text, flavor=flavor, credit=credit, art=art)


def _lacks_level(finding: Diagnostic) -> bool:
    return finding.code == "C004" and finding.field in ("level", OLD_NAMES["level"])


def _with_level(findings: Sequence[Diagnostic], level: int | None, document: Document) -> tuple[Diagnostic, ...]:
    """Return findings in which the one about a missing level names the level that the rules give, if they do."""

    def hint(key: str) -> str:
        if level is None:
            return document.adding(key, "")
        return (
            f"{document.adding(key, str(level))}, which is what the rules give; or `{key}: auto`, and kotc works it out"
        )

    return tuple(replace(each, hint=hint(each.field)) if _lacks_level(each) else each for each in findings)


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


def _needed(fields: Fields, kind: AnyKind | None, grammar: Grammar | None) -> Iterator[str]:
    """Yield the keys that a card must give. A key of the other game is noted as such, not as missing, too."""
    if keys.is_required(kind, "text"):
        yield "text"
    for stat in keys.stats(kind) if kind and grammar else ():
        # People write a pawn's numbers on it by hand.
        if keys.is_required(kind, stat) and not {stat, OLD_NAMES[stat]} & fields.values.keys():
            yield keys.stat_key(stat, grammar or Grammar())

"""*Keeper of the Cards* as the core asks for it. Each answer imports what it needs: most runs ask for few of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from render.base.resources import TEMPLATES

if TYPE_CHECKING:
    from render.base.findings import Diagnostic
    from render.game.card_keys import ReadCard, Surroundings
    from render.game.cards import CardFacts, CardKind, DeckCard
    from render.game.derivations import Derivation, Phrase
    from render.game.protocol import Game
    from render.games.kotc.model.cards import Card, CardSet
    from render.images.inspect import Artwork
    from render.source.fields import Fields
    from render.source.key_tables import KeyTable
    from render.source.shapes import Shape


class KeeperOfTheCards:
    """The game; `protocol.Game` says what each member is for."""

    name = "kotc"
    templates = TEMPLATES / "kotc"
    folder = None
    font_roles = ()
    size_keys: ClassVar[Mapping[str, str]] = {
        "text": "`text_size` or with `least_text` in set.yaml",
        "flavor": "`flavor_size`",
    }
    rank_word = "level"
    picture_keys = ("art",)
    two_sided = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        from render.games.kotc.files.card_table import KINDS

        return KINDS

    @property
    def columns(self) -> tuple[str, ...]:
        from render.games.kotc.model.declaration import declaration

        return declaration().table

    # --- reading a set -----

    def new_set(self, folder: Path, name: str) -> CardSet:
        from render.games.kotc.model.cards import CardSet

        return CardSet(folder=folder, name=name)

    @property
    def set_table(self) -> KeyTable:
        from render.games.kotc.files.set_file import SET_TABLE

        return SET_TABLE

    def read_set(self, fields: Fields, common: CardSet, given: Mapping[str, Any]) -> CardSet:
        from render.games.kotc.files.set_file import read_set

        return read_set(fields, common, given)

    def card_reader(self, around: Surroundings) -> ReadCard:
        from render.games.kotc.reading import CardReader

        return CardReader(around).read

    def ordered(self, cards: Sequence[Card]) -> Sequence[Card]:
        return cards

    def first_files(self, folder: Path, name: str, edition: int | None, paper: str) -> Mapping[str, bytes]:
        from render.games.kotc.new_cards import first_files

        return first_files(folder, name, edition, paper)

    def new_card(self, given: Mapping[str, str], card_set: CardSet) -> Mapping[str, str | int]:
        from render.games.kotc.new_cards import new_card

        return new_card(given, card_set)

    # --- laying cards out -----

    def values(
        self, card: Card, card_set: CardSet, artworks: Mapping[str, Artwork], least_type: float
    ) -> Mapping[str, object]:
        from render.game.cards import ART
        from render.games.kotc.drawing.card_values import template_values

        return template_values(card, card_set, artworks.get(ART), least_type)

    # --- words -----

    def about(self, card: Card) -> str:
        from render.games.kotc.drawing.card_words import about

        return about(card)

    def words(self, card: Card) -> str:
        from render.games.kotc.drawing.card_words import words

        return words(card)

    def description(self, card: Card) -> str:
        from render.games.kotc.drawing.card_words import description

        return description(card)

    def facts(self, card: Card) -> CardFacts:
        from render.games.kotc.drawing.card_words import facts

        return facts(card)

    def slug(self, cards: Sequence[Card]) -> str:
        from render.games.kotc.drawing.card_words import slug

        return slug(cards)

    def row(self, card: Card) -> tuple[object, ...]:
        from render.games.kotc.drawing.card_words import row

        return row(card)

    def indicator(self, card: Card) -> str:
        return card.indicator

    # --- what makes an output stale -----

    def place_of_template(self, card: Card, face: int) -> None:
        return None  # they are built in

    def place_of_back(self, card: Card) -> None:
        return None

    def parts(self, card: Card) -> Mapping[str, object]:
        from render.games.kotc.drawing.card_words import parts

        return parts(card)

    def shared_parts(self, card_set: CardSet) -> object:

        return card_set.red, card_set.least_text

    def rule_files(self, folder: Path) -> Sequence[tuple[object, Path]]:
        from render.games.kotc.editions.finding import known
        from render.games.kotc.languages.finding import known_words

        return [*known(folder), *((f"{number}.{language}", file) for number, language, file in known_words(folder))]

    def rule_places(self, card_set: CardSet) -> Sequence[Path]:
        from render.games.kotc.editions.finding import places
        from render.games.kotc.model.cards import ENGLISH

        editions = {card.edition for card in card_set.cards} | ({card_set.edition} if card_set.deck else set())
        numbers = sorted(number for number in editions if number)
        looked_at = [file for number in numbers for file in places(number, card_set.folder)]
        languages = sorted({card_set.language, card_set.written_in} - {ENGLISH, ""})
        if not languages:
            return looked_at
        from render.games.kotc.languages.finding import places_of_words

        asked = ((number, language) for language in languages for number in numbers)
        return looked_at + [file for each in asked for file in places_of_words(*each, card_set.folder)]

    def rule_folders(self) -> Sequence[Path]:
        from render.games.kotc.editions.finding import folders

        return folders()

    # --- checks -----

    def rules_of(self, card: Card) -> object:

        return card.edition

    def judge(self, sets: Sequence[CardSet], edition: int | None = None) -> list[Diagnostic]:
        from render.games.kotc.checking import findings_by_rules

        return findings_by_rules(sets, edition)

    def unshown(self, card_set: CardSet) -> Sequence[Diagnostic]:
        # A set's own template may leave out what the official cards show, such as the flavor text.
        return ()

    def derivation(self, card: Card, card_set: CardSet) -> Derivation | None:
        from render.games.kotc.levels.explain import derivation_of

        return derivation_of(card, card_set)

    def phrases(self, card_set: CardSet, values: Mapping[str, str]) -> Sequence[Phrase]:
        from render.games.kotc.lexicon.entries import phrases_for

        return phrases_for(card_set, values)

    # --- decks -----

    @property
    def deck_table(self) -> KeyTable:
        from render.games.kotc.deck import DECK_TABLE

        return DECK_TABLE

    def is_played(self, card: Card) -> bool:
        from render.games.kotc.files.keys import is_played

        return is_played(card.kind)

    def read_deck(self, common: CardSet, given: Mapping[str, Any]) -> CardSet:
        return replace(common, **given)

    def judge_deck(self, deck: CardSet, cards: Sequence[DeckCard[Card]]) -> list[Diagnostic]:
        from render.games.kotc.deck import judge, made

        return judge(made(deck, cards))

    # --- schemas for editors -----

    def card_file_schema(self, edition: int | None = None, kinds: Sequence[CardKind] = ()) -> Shape:
        from render.games.kotc.model.edition import NewKind
        from render.games.kotc.schemas.cards import card_file_schema

        return card_file_schema(edition, [kind for kind in kinds if isinstance(kind, NewKind)])

    def new_kinds(self, card_set: CardSet) -> Sequence[CardKind]:
        from render.games.kotc.editions.finding import new_kinds

        return new_kinds(card_set.folder)

    def edition_of(self, card_set: CardSet) -> int | None:

        return card_set.edition

    def other_schemas(self) -> Mapping[str, Shape]:
        from render.games.kotc.schemas.editions import edition_schema
        from render.games.kotc.schemas.languages import language_schema

        return {"edition": edition_schema(), "language": language_schema()}

    # --- blank cards -----

    def blank_set(
        self, sets: Sequence[CardSet], counts: Mapping[str, int], edition: int | None, *, chosen: bool
    ) -> tuple[CardSet, str]:
        from render.games.kotc.drawing.blanks import blank_set

        return blank_set(sets, counts, edition, chosen=chosen)


GAME: Game[Card, CardSet] = KeeperOfTheCards()

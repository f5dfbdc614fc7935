"""*Keeper of the Cards* as the core asks for it: what is said of a card beside its picture, and where the rest is done.

What most runs do not ask for is imported when it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from render.base.resources import TEMPLATES
from render.game.cards import ART, CardFacts, CardTrait, value_of_key
from render.game.derivations import Origin
from render.game.protocol import Game
from render.games.kotc.editions import finding
from render.games.kotc.files.keys import KINDS, is_played
from render.games.kotc.files.set_file import SET_TABLE, read_set
from render.games.kotc.model.cards import ENGLISH, OLD_NAMES, Card, CardSet, ordinal
from render.games.kotc.model.declaration import declaration
from render.source.nodes import Scalar

if TYPE_CHECKING:
    from render.base.findings import Diagnostic
    from render.game.card_reading import Surroundings
    from render.game.cards import CardKind, DeckCard
    from render.game.derivations import Derivation, Phrase, ShownCards, ShownFigures
    from render.games.kotc.card_reading import KotcCardReader
    from render.images.inspect import Artwork
    from render.source.fields import Fields
    from render.source.key_tables import KeyTable
    from render.source.shapes import Shape


class KeeperOfTheCards(Game[Card, CardSet]):
    """The game; `protocol.Game` says what each member is for."""

    name = "kotc"
    templates = TEMPLATES / "kotc"
    kinds = KINDS
    columns = declaration().table
    set_table = SET_TABLE
    size_keys: ClassVar[Mapping[str, str]] = {
        "text": "`text_size` or with `least_text` in set.yaml",
        "flavor": "`flavor_size`",
    }
    rank_word = "level"

    @property
    def set_words(self) -> KeyTable:
        from render.games.kotc.files.words_key import SET_WORDS

        return SET_WORDS

    @property
    def card_words(self) -> KeyTable:
        from render.games.kotc.files.words_key import WORDS

        return WORDS

    def known_languages(self) -> Iterable[str]:
        from render.games.kotc.languages.finding import known_words

        return {ENGLISH, *(spoken for _, spoken, _ in known_words())}

    # --- reading a set -----

    def new_set(self, folder: Path, name: str) -> CardSet:
        return CardSet(folder=folder, name=name)

    def read_set(self, fields: Fields, common: CardSet, given: Mapping[str, Any]) -> CardSet:
        return read_set(fields, common, given)

    def card_reader(self, around: Surroundings) -> KotcCardReader:
        from render.games.kotc.card_reading import KotcCardReader

        return KotcCardReader(around)

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
        from render.games.kotc.card_values import template_values

        return template_values(card, card_set, artworks.get(ART), least_type)

    def expression_values(self, card: Card) -> Mapping[str, object]:
        own = {key: getattr(card, key) for key in ("edition", "flavor", "credit", "ultra_points")}
        stats = {key: getattr(card, key) for key in OLD_NAMES}
        old = {name: stats[key] if card.grammar.of_creatures else None for key, name in OLD_NAMES.items()}
        return {**super().expression_values(card), **own, "text": card.shown_text, **stats, **old}

    # --- words -----

    def about(self, card: Card) -> str:
        return " · ".join(filter(None, (card.term(card.kind.value, card.kind.value), card.indicator)))

    def words(self, card: Card) -> str:
        kind = card.term(card.kind.value, card.kind.value)
        return " ".join(f"{card.name} {kind} {card.shown_text}".lower().split())

    def facts(self, card: Card) -> CardFacts:
        word = card.term("level", "cost" if card.grammar.of_creatures else "level")
        return CardFacts(
            kind=card.term(card.kind.value, card.kind.value),
            told=" ".join(self._told(card).split()),
            rank=card.level,
            ranked="" if card.level is None else f"{word} {card.level}",
            text="\n".join(filter(None, (card.shown_text.strip(), card.flavor.strip()))),
            credits=tuple(_credits(card)),
            traits=tuple(_traits(card)),
        )

    def _told(self, card: Card) -> str:
        """Return a card in the words of the game's own pages: `level 4 minion with 2 SP, 4 HP, and no abilities`."""
        text = card.shown_text.strip()
        if card.printed and card.printed.terms:  # the word order is that of English
            lines = self.description(replace(card, flavor="")).splitlines()
            return " ".join(line if line.endswith((".", "!", "?", ")")) else f"{line}." for line in lines if line)
        old = card.grammar.of_creatures
        level = "" if card.level is None else f"{'cost' if old else 'level'} {card.level} "
        words = ("offense", "defense") if old else ("SP", "HP")
        has = [f"{number} {word}" for word, number in zip(words, (card.sp, card.hp), strict=True) if number is not None]
        if card.ultra_points:
            has.append(f"{card.ultra_points} Ultra Point{'s' if card.ultra_points > 1 else ''}")
        if not text:
            has.append("no abilities")
        listed = " and ".join(has) if len(has) < 3 else f"{', '.join(has[:-1])}, and {has[-1]}"
        return f"{level}{card.kind.value}{' with ' if has else ''}{listed}{': ' if text else ''}{text}"

    def description(self, card: Card) -> str:
        words = ("Cost", "Offense", "Defense") if card.grammar.of_creatures else ("Level", "SP", "HP")
        if card.printed:
            words = (card.term("level", words[0]), card.term("sp", words[1]), card.term("hp", words[2]))
        ultra = card.term("ultra_points", "Ultra Points")
        numbers = zip((*words, ultra), (card.level, card.sp, card.hp, card.ultra_points or None), strict=True)
        shown = ", ".join(f"{word} {number}" for word, number in numbers if number is not None)
        kind = card.term(card.kind.value, card.kind.value)
        head = ", ".join(filter(None, (f"{kind[:1].upper()}{kind[1:]}", card.indicator)))
        return "\n".join(part for part in (head, shown, card.shown_text.strip(), card.flavor.strip()) if part)

    def slug(self, cards: Sequence[Card]) -> str:
        """Return the editions of cards: `11th and 17th Edition`; empty if none has any.

        Those of another language are listed: `11. Edition, 17. Edition`.
        """
        shown, is_foreign = dict[tuple[int, str], None](), False
        for card in cards:
            if card.edition:
                shown[card.edition, card.indicator] = None
            is_foreign = is_foreign or bool(card.printed and card.printed.indicator)
        ordered = sorted(shown, key=lambda each: each[0])
        if is_foreign:
            return ", ".join(dict.fromkeys(indicator for _, indicator in ordered))
        found = [ordinal(edition) for edition in dict.fromkeys(edition for edition, _ in ordered)]
        if not found:
            return ""
        return f"{' and '.join([', '.join(found[:-1]), found[-1]]) if len(found) > 1 else found[0]} Edition"

    def indicator(self, card: Card) -> str:
        return card.indicator

    # --- what makes an output stale -----

    def parts(self, card: Card) -> Mapping[str, object]:
        found: dict[str, object] = {
            "name": card.name,
            "kind": card.kind.value,
            "level": card.level,
            "ultra points": card.ultra_points,
            "sp": card.sp,
            "hp": card.hp,
            "flavor": card.flavor,
            "credit": card.credit,
            "text": card.shown_text,
            "name size": (card.name_size, card.name_spacing),
            "text size": card.text_size,
            "flavor size": card.flavor_size,
            "edition": (card.edition, card.era),
        }
        if card.printed:
            found["language"] = (card.printed.language, card.printed.indicator, card.written_in)
        if card.credit_font:
            found["credit font"] = card.credit_font
        if card.template:
            found["template"] = card.template
        if card.art:
            art = card.art
            found["art"] = (art.name, art.author, art.license, art.corner.value, art.color, art.fit.value)
        return found

    def shared_parts(self, card_set: CardSet) -> object:
        return card_set.red, card_set.least_text

    def rule_files(self, folder: Path) -> Sequence[tuple[object, Path]]:
        from render.games.kotc.languages.finding import known_words

        return [
            *finding.known(folder),
            *((f"{number}.{language}", file) for number, language, file in known_words(folder)),
        ]

    def rule_places(self, card_set: CardSet) -> Sequence[Path]:
        editions = {card.edition for card in card_set.cards} | ({card_set.edition} if card_set.deck else set())
        numbers = sorted(number for number in editions if number)
        names = [finding.file_name(number) for number in numbers]
        if languages := sorted({card_set.language, card_set.written_in} - {ENGLISH, ""}):
            from render.games.kotc.languages.finding import words_file

            names += [words_file(number, language) for language in languages for number in numbers]
        return [file for name in names for file in finding.places(name, card_set.folder)]

    def rule_folders(self) -> Sequence[Path]:
        return [*finding.searched_folders(None)]

    # --- checks -----

    def rules_of(self, card: Card) -> object:
        return card.edition

    def judge(self, sets: Sequence[CardSet], edition: int | None = None) -> list[Diagnostic]:
        from render.games.kotc.checking import findings_by_rules

        return findings_by_rules(sets, edition)

    def illegal_in(self, card_set: CardSet) -> Mapping[int, Mapping[str, str]]:
        from render.games.kotc.checking import illegal_in

        return illegal_in(card_set)

    def derivation(self, card: Card, card_set: CardSet) -> Derivation | None:
        from render.games.kotc.levels.explain import derivation_of

        return derivation_of(card, card_set)

    def explained(self, cards: Sequence[Card], card_set: CardSet) -> ShownCards:
        from render.games.kotc.levels.explain import explained

        return explained(cards, card_set)

    def origin(self, card: Card, card_set: CardSet, name: str) -> Origin | None:
        node = value_of_key(card, name)
        derived = self.derivation(card, card_set) if isinstance(node, Scalar) and node.value == "auto" else None
        return Origin(how=f"the rules: {derived.summary}", place=card.document.span(node)) if derived and node else None

    def phrases(self, card_set: CardSet, values: Mapping[str, str]) -> Sequence[Phrase]:
        from render.games.kotc.lexicon.entries import phrases_for

        return phrases_for(card_set, values)

    # --- figures -----

    hand = 5  # rulebook, "Setup and Deck Building", up to the 10th Edition "Setup"

    def counted(self, cards: Sequence[Card]) -> Mapping[str, Sequence[str]]:
        return dict.fromkeys(("level", "sp", "hp", "ultra_points"), ())

    def figures(self, card_set: CardSet, hand: int) -> ShownFigures:
        from render.games.kotc.balance import shown_figures

        return shown_figures(card_set, hand)

    # --- decks -----

    @property
    def deck_table(self) -> KeyTable:
        from render.games.kotc.deck import DECK_TABLE

        return DECK_TABLE

    def is_played(self, card: Card) -> bool:
        return is_played(card.kind)

    def judge_deck(self, deck: CardSet, cards: Sequence[DeckCard[Card]]) -> list[Diagnostic]:
        from render.games.kotc.deck import judge, made

        return judge(made(deck, cards))

    # --- schemas for editors -----

    def card_file_schema(self, edition: int | None = None, kinds: Sequence[CardKind] = ()) -> Shape:
        from render.games.kotc.files.card_schema import card_file_schema
        from render.games.kotc.model.edition import NewKind

        return card_file_schema(edition, [kind for kind in kinds if isinstance(kind, NewKind)])

    def new_kinds(self, card_set: CardSet) -> Sequence[CardKind]:
        return finding.new_kinds(card_set.folder)

    def edition_of(self, card_set: CardSet) -> int | None:
        return card_set.edition

    def other_schemas(self) -> Mapping[str, Shape]:
        from render.games.kotc.editions.reading import KEYS as OF_EDITIONS
        from render.games.kotc.languages.reading import KEYS as OF_LANGUAGES

        return {
            "edition": {"title": "Rules of an edition", **OF_EDITIONS.shape},
            "language": {"title": "Words of an edition in a language", **OF_LANGUAGES.shape},
        }

    # --- blank cards -----

    def blank_set(
        self, sets: Sequence[CardSet], counts: Mapping[str, int], edition: int | None, *, chosen: bool
    ) -> tuple[CardSet, str]:
        from render.games.kotc.new_cards import blank_set

        return blank_set(sets, counts, edition, chosen=chosen)


def _credits(card: Card) -> Iterator[str]:
    if card.credit.strip():
        yield " ".join(card.credit.split())
    by = ", ".join(filter(None, (card.art.author, card.art.license))) if card.art else ""
    if by:
        yield f"Picture: {by}"


def _traits(card: Card) -> Iterator[CardTrait]:
    """Yield the numbers of a card beside its level, by the names that they have in its edition."""
    old = card.grammar.of_creatures
    words = ("offense", "defense") if old else ("SP", "HP")
    numbers = [(card.term("sp", words[0]), card.sp), (card.term("hp", words[1]), card.hp)]
    numbers += [(card.term("ultra_points", "Ultra Points"), card.ultra_points or None), ("edition", card.edition)]
    for label, number in numbers:
        if number is not None:
            yield CardTrait(label, (str(number),), (float(number),))


GAME = KeeperOfTheCards()

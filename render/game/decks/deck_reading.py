"""Decks as sets: the cards that their lines mean, in the order of the deck and as often as it has them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import (
    Diagnostic,
    Span,
    has_errors,
    listed,
    nearest_word,
    quoted,
    sort_findings,
)
from render.base.patterns import regex
from render.game import ids
from render.game.cards import DeckCard, DeckLine, GameCard, GameSet, UnreadCard, home_of
from render.game.decks import deck_file
from render.game.decks.deck_file import DeckFile
from render.game.folder import SET_FILE
from render.game.sets.named_games import way_to_game
from render.game.sets.set_keys import checked_sheet


class ReadDeck(Struct, frozen=True):
    """A deck as a set of its cards, and these with their lines; and everything wrong but what its rules find.

    `card_set` is None if there is nothing of which it could be made.
    """

    card_set: GameSet | None
    cards: tuple[DeckCard[GameCard], ...]
    findings: tuple[Diagnostic, ...]


def deck_of(written: DeckFile, sets: Sequence[GameSet], of_sets: Sequence[Diagnostic]) -> ReadDeck:
    """Return the deck that a file describes, given the sets that it names, and what is wrong with these."""
    own = [each for each in sets if each.game_name == written.game.name]
    foreign = [_foreign(each, written) for each in sets if each not in own]
    # A card that is missing because of another error would be told twice.
    of_key = [finding for finding in written.fields.findings if finding.field == "sets"]
    is_whole = bool(own) and not has_errors([*of_sets, *foreign, *of_key])
    cards, unread, of_cards = _find_cards(written, own, is_whole=is_whole)
    card_set = replace(_as_set(written, own, cards), unread=tuple(unread))
    findings = [*of_sets, *foreign, *of_cards, *written.fields.findings]
    return ReadDeck(card_set if own else None, tuple(cards), tuple(sort_findings(findings)))


def translated(
    deck: ReadDeck, written: DeckFile, sets: Sequence[GameSet], of_language: Sequence[Diagnostic]
) -> ReadDeck:
    """Return a deck with the same cards in another language or variant, in which the sets that it names were read again.

    Of two cards with one id, it has that of the later set.
    """
    if deck.card_set is None:
        return deck
    own = [each for each in sets if each.game_name == written.game.name]
    there = {(each.folder, card.id): card for each in own for card in each.cards}
    cards = tuple(
        DeckCard(replace(card, copies=each.line.count, back=_back_of(card, each.card)), each.line)
        for each in deck.cards
        if (card := there.get((home_of(each.card), each.card.id)))
    )
    card_set = replace(_as_set(written, own, cards), unread=deck.card_set.unread)
    return ReadDeck(card_set if own else None, cards, tuple(sort_findings([*deck.findings, *of_language])))


def _back_of(card: GameCard, in_deck: GameCard) -> str:
    """Return the back of a card: that of its variant, else that which the deck has found."""
    return card.back if card.variant and card.gives_in_variant("back") else in_deck.back


def _foreign(card_set: GameSet, written: DeckFile) -> Diagnostic:
    game, of_deck = card_set.game_name, written.game.name
    message = f"`{card_set.folder}` is a set of the game `{game}`, and the deck is of `{of_deck}`"
    hint = (
        f"write `game: {way_to_game(card_set.folder, written.file.parent) or game}` in the deck, or leave the set out"
    )
    return Diagnostic("B030", message, hint).at(Span(file=card_set.folder / SET_FILE))


def _as_set(written: DeckFile, sets: Sequence[GameSet], cards: Sequence[DeckCard[GameCard]]) -> GameSet:
    """Return the deck as a set of these cards."""
    usual = written.game.new_set(written.file.parent, written.name)
    first, fields = next(iter(sets), usual), written.fields
    sheet, backs = fields.inner("sheet") if written.sheet else None, fields.values.get("back")
    used = {(home_of(each.card), each.card.variant) for each in cards}
    options = checked_sheet(sheet, written.sheet, first.sheet) if sheet else first.sheet
    deck = replace(
        usual,
        language=first.language,
        languages=first.languages,
        variants=first.variants,
        variant=next((each.variant for each in sets if each.variant.name), first.variant),
        layers=first.layers,
        source=(fields.document, fields.node),
        sheet=options,
        cards=tuple(each.card for each in cards),
        deck=written.file,
        parts=tuple(
            replace(
                each,
                sheet=replace(each.sheet, **written.sheet),
                deck_backs=(fields.document, backs) if backs else None,
            )
            for each in sets
            if (each.folder, each.variant.name) in used
        ),
    )
    if "outputs" in fields.values:
        from render.shops.declared_outputs import read_outputs

        deck = replace(deck, outputs=read_outputs(fields, options.card_size))
    whole: GameSet = written.game.read_deck(deck, written.of_game)
    return whole


# --- lines ----------------------------------------------------------------------------------------------------------


def _find_cards(
    written: DeckFile, sets: Sequence[GameSet], *, is_whole: bool
) -> tuple[list[DeckCard[GameCard]], list[UnreadCard], list[Diagnostic]]:
    """Return the cards of a deck, those that are none, and what is wrong with its lines.

    That a card is missing is said only if all sets could be read.
    """
    cards: dict[tuple[Path, str], DeckCard[GameCard]] = {}
    unread = [replace(each, number=None) for card_set in sets for each in card_set.unread]
    findings: list[Diagnostic] = []
    for number, line in enumerate(written.lines):
        meant = _meant(line, sets)
        if len(meant) != 1:
            findings += [_unclear(line, meant)] if meant else [_missing(line, sets)] if is_whole else []
            unread.append(_unread(line, number, unread, written))
            continue
        ((card, card_set),) = meant
        if not written.game.is_played(card):
            message = f"{quoted(line.card)} is a {card.kind.value}, and does not belong in a deck"
            findings.append(Diagnostic("B024", message, "remove it from the deck").at(line.span, card.id, "cards"))
            unread.append(_unread(line, number, (), written))
            continue
        # Its own back, else the deck's, else its set's.
        has_own_back = card.has_own_back or card.node.get("back") is not None
        back = card.back if has_own_back else written.backs.of(card.kind) or card.back
        entry = DeckCard(replace(card, copies=line.count, back=back), line)
        other = cards.setdefault((card_set.folder, card.id), entry)
        findings += [deck_file.twice(line, other.line.span)] if other is not entry else []
    return list(cards.values()), unread, findings


def _unread(line: DeckLine, number: int, unread: Sequence[UnreadCard], written: DeckFile) -> UnreadCard:
    """Return the card of a line as one of its set that could not be read, else as the line calls it."""
    name = line.card.rpartition("/")[2]
    meant = next((each for each in unread if name in (each.id, each.name)), None)
    if meant:
        return replace(meant, copies=line.count, number=number)
    return UnreadCard(written.fields.document, line.span, ids.slug(name), name, line.count, number)


def _meant(line: DeckLine, sets: Sequence[GameSet]) -> list[tuple[GameCard, GameSet]]:
    """Return the cards that a line may mean, with their sets: by id, else by name, else by that of a face.

    What is looked for is all of it, or what follows a set's folder.
    """
    everything = [(card, each) for each in sets for card in each.cards]
    folder, slash, rest = line.card.partition("/")
    inside = [(card, each) for card, each in everything if slash and each.output_name == folder]
    for key, among in ((line.card, everything), (rest, inside)):
        meant = (
            [(card, each) for card, each in among if card.id == key]
            or [(card, each) for card, each in among if card.name == key]
            or [(card, each) for card, each in among if key in card.names]
        )
        if meant:
            return meant
    return []


def _unclear(line: DeckLine, found: Sequence[tuple[GameCard, GameSet]]) -> Diagnostic:
    names = [f"{each.output_name}/{card.id}" for card, each in found]
    if found[0][0].id in (line.card, line.card.rpartition("/")[2]):
        message = f"{len(found)} sets have a card {quoted(line.card)}"
        return Diagnostic("B023", message, f"write {listed(names)}").at(line.span, found[0][0].id, "cards")
    if len({each.folder for _, each in found}) == 1:
        names = [card.id for card, _ in found]
    message = f"{len(found)} cards have the name {quoted(line.card)}"
    return Diagnostic("B029", message, f"write the id of one: {listed(names)}").at(line.span, field="cards")


# A card with its number as people write lists of decks: `2x Dog`, `2 Dog`, `Dog x2`.
_COUNTED = regex(r"(?P<number>[0-9]{1,3}) ?[x×]? +(?P<card>.+)|(?P<before>.+?) +[x×] ?(?P<last>[0-9]{1,3})")


def _missing(line: DeckLine, sets: Sequence[GameSet]) -> Diagnostic:
    ids = [card.id for each in sets for card in each.cards]
    names = [name for each in sets for card in each.cards for name in card.names]
    whole = [f"{each.output_name}/{card.id}" for each in sets for card in each.cards]
    alike = next((name for name in names if name.casefold() == line.card.casefold()), "")
    counted = _COUNTED.fullmatch(line.card)
    if counted and (card := counted["card"] or counted["before"]) in (*ids, *names):
        number = counted["number"] or counted["last"]
        hint = f"write {quoted(f'{card}: {number}')}"
        return Diagnostic("B022", f"no set has a card {quoted(line.card)}", hint).at(line.span, field="cards")
    near = alike or nearest_word(line.card, [*ids, *names, *whole])
    hint = f"did you mean `{near}`?" if near else f"the sets are {listed([each.name for each in sets], 'and')}"
    return Diagnostic("B022", f"no set has a card {quoted(line.card)}", hint, instead=near).at(line.span, field="cards")

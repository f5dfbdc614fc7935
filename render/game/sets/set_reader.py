"""Read a set: from its files to cards, with everything wrong on the way.

What `set.yaml` says for every game is read by `set_keys`; the set's game reads the rest of it, and the cards.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingOf
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from render.base.caches import Memory
from render.base.codes import EVERY_CODE
from render.base.findings import Diagnostic, Found, Span, did_you_mean, has_errors, quoted, sort_findings
from render.base.limits import SET_FILES
from render.base.progress import in_stage
from render.game import ids, registry
from render.game.card_reading import CARD, CardReader, CardReading, Surroundings
from render.game.cards import FlawedCard, GameCard, GameSet, UnreadCard
from render.game.folder import GAME_FILE, SET_FILE, Source, is_game, is_table, is_words
from render.game.home import Home
from render.game.known_cards import KnownCards
from render.game.languages import given_words
from render.game.packed_cards import put_to_rest
from render.game.registry import AnyGame
from render.game.sets.named_games import game_in, game_in_folder, game_of_file
from render.game.sets.set_keys import SET, declared_set
from render.source import reader as yaml
from render.source.at_rest import MappingAtRest, document_at_rest, mapping_at_rest
from render.source.fields import Fields
from render.source.items import KnownItem
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence

TextsOfFiles = MappingOf[Path, str]

_AT_ONCE = 64  # cards whose findings are told together


def read_set(
    source: Source,
    texts: TextsOfFiles | None = None,
    told: Found = lambda _: None,
    *,
    at_rest: bool = False,
    memory: Memory | None = None,
) -> tuple[GameSet | None, list[Diagnostic]]:
    """Return the set with its sound cards, and all findings; None if its own file cannot be read.

    Files with a text in `texts` are read as if they held that text. Findings are `told` some cards at a time. `at_rest`,
    sound cards keep their place alone, and no nodes to be edited; `memory` is what such cards are remembered in.
    """
    reader = _SetReader(source, texts or {}, told, at_rest=at_rest, memory=memory)
    card_set = reader.read()
    findings = card_set.codes.of_files(reader.findings) if card_set else reader.findings
    return card_set, sort_findings(findings)


def declare(source: Source) -> tuple[GameSet | None, list[Diagnostic]]:
    """Return a set without its cards, and what is wrong in its own file; None if that cannot be read."""
    reader = _SetReader(source, {})
    return reader.declared(), reader.findings


def read_some(card_set: GameSet, text: str, file: Path) -> list[GameCard]:
    """Return the cards that a text holds, as cards of a set, as far as each is sound by itself.

    The text need not be the whole file: this is for a first look, before `read_set` reads all. Refused if it cannot
    be read.
    """
    document = yaml.read_as(text, file)
    read = _reader_of(card_set).read
    readings = [read(document, node) for node in document.mappings]
    completed = (each.complete() if each.complete else each.card for each in readings if not has_errors(each.findings))
    return [card for card in completed if isinstance(card, GameCard) and _is_meant(card, card_set)]


def read_alone(card_set: GameSet) -> Callable[[Document, Mapping], GameCard | None]:
    """Return what reads a card of the set as it is alone; None for one with an error."""
    read = _reader_of(card_set).read

    def read_card(document: Document, node: Mapping) -> GameCard | None:
        reading = read(document, node)
        # Numbers that do not follow from the rules are left out; the card is there all the same.
        completed = reading.complete() if reading.card and reading.complete else reading.card
        return completed if isinstance(completed, GameCard) else reading.card

    return read_card


def _reader_of(card_set: GameSet) -> CardReader[Any, Any]:
    game = registry.game_of(card_set)
    return game.card_reader(Surroundings(card_set, Home(card_set.folder), sound=True, values_of=game.expression_values))


class _SetReader:
    """Reads one set. A file that cannot be read hides no mistake in the others."""

    def __init__(
        self,
        source: Source,
        texts: TextsOfFiles,
        told: Found = lambda _: None,
        *,
        at_rest: bool = False,
        memory: Memory | None = None,
    ) -> None:
        self.findings: list[Diagnostic] = []
        self._told, self._heard = told, 0
        self._source, self._folder, self._texts = source, source.folder, texts
        self._flawed: list[FlawedCard] = []
        self._unread: list[UnreadCard] = []
        self._home = Home(source.folder)
        self._game: AnyGame | None = None
        self._columns: tuple[tuple[str, str], ...] = ()
        self._published = False
        self._languages: tuple[str, ...] = ()
        self._unseen: set[str] = set()  # names in the file of a language that stand in no card file so far
        self._files = [file for file in source.cards if not is_words(file)]
        self._codes = EVERY_CODE
        self._at_rest, self._memory, self._is_complete = at_rest, memory, True

    def read(self) -> GameSet | None:
        """Return the set with its sound cards; None if its own file cannot be read."""
        declared = self.declared()
        if self._game is None:  # nothing can be said of cards of an unknown game
            return None
        # Another set stands in for one whose own file cannot be read: mistakes in its cards are found all the same.
        card_set = declared or self._game.new_set(self._folder, self._folder.name)
        self._columns, self._published = card_set.columns, bool(card_set.published)
        self._languages = card_set.languages
        if any(map(is_table, self._files)):  # which may say the same of each row
            self._told = lambda _: None
        self._codes = card_set.codes
        self._tell()
        is_sound, values_of = not has_errors(self.findings), self._game.expression_values
        around = Surroundings(card_set, self._home, is_sound, values_of=values_of)
        if root := self._file_of_words(card_set.foreign, self._game):
            of_cards = {name: inner for name in root.values if (inner := root.inner(name))}
            table, self._unseen = self._game.card_words, set(of_cards)
            around = replace(around, words={name: given_words(table, each, around) for name, each in of_cards.items()})
        reader = self._game.card_reader(around)
        cards = put_to_rest(self._cards(reader, around), reader)
        if root and not card_set.variant.name and not has_errors(self.findings):
            self._note_unmeant(root, {card.id for card in cards})
        if any(map(is_table, self._files)):
            from render.source.tables.documents import said_once

            self.findings = said_once(self.findings)
        noted = {"flawed": tuple(self._flawed), "unread": tuple(self._unread)}
        return replace(card_set, cards=self._game.ordered(cards), **noted) if declared else None

    def _tell(self) -> None:
        """Tell the findings since the last time."""
        self._told(self._codes.of_files(self.findings[self._heard :]))
        self._heard = len(self.findings)

    def declared(self) -> GameSet | None:
        """Return the set without its cards; None if its own file cannot be read."""
        document = self._document(self._folder / SET_FILE)
        if document is None or not isinstance(document.root, Mapping):
            self.findings += [SET.no_mapping(document, document.root)] if document else []
            if is_game(self._folder / GAME_FILE):
                # The game of a set whose own file cannot be read is that beside it; None if it has mistakes, too.
                self._game, findings = game_in_folder(self._folder)
                self.findings += findings
            else:
                self._game = game_in(self._source)
            return None
        fields = Fields(document=document, node=document.root, kind=SET, findings=self.findings)
        self._game = game = game_of_file(fields)
        return None if game is None else declared_set(fields, self._source, self._home, game)

    def _file_of_words(self, language: str, game: AnyGame) -> Fields | None:
        """Return what the file of a language gives, by the id or name of a card; None without one."""
        files = (self._folder / f"words.{language}{ending}" for ending in (".yaml", ".yml"))
        file = next((file for file in files if file.is_file()), None) if language else None
        document = self._document(file) if file else None
        if document is None or not isinstance(document.root, Mapping):
            self.findings += [CARD.no_mapping(document, document.root)] if document else []
            return None
        reader = game.card_reader(Surroundings(game.new_set(self._folder, ""), self._home, sound=True))
        return Fields(
            document=document, node=document.root, kind=reader.file, fonts=reader.fonts, findings=self.findings
        )

    def _note_unmeant(self, root: Fields, ids_of_cards: set[str]) -> None:
        """Note the words that are those of no card."""
        for key, _ in root.node.entries:
            if key.value in self._unseen - ids_of_cards:
                hint = did_you_mean(key.value, ids_of_cards) or "write the id or the name of a card"
                message = f"no card has the id or name {quoted(key.value)}"
                root.note("002", message, root.document.span(key), hint, key.value)

    def _cards(self, reader: CardReader[Any, Any], around: Surroundings) -> Iterator[GameCard]:
        known = None
        if self._memory and reader.card_type:
            known = KnownCards(self._memory, around, reader, self._files)
        claims: list[ids.Claim] = []
        claimed: set[str] = set()
        numbers, is_empty = count(), True
        for document in self._documents(known):
            at_rest = document_at_rest(document) if self._at_rest else document
            for node in in_stage("load", "cards", document.items):
                number = next(numbers)
                if number % _AT_ONCE == 0:
                    self._tell()
                if not isinstance(node, Mapping):
                    self.findings.append(CARD.no_mapping(document, node))
                    self._unread.append(_unread(document, node, number))
                    continue
                if node is document.root and (deck := _as_deck(document, node)):
                    self.findings.append(deck)
                    continue
                reading = known and isinstance(node, KnownItem) and known.reading(node, at_rest)
                if not reading:
                    node = mapping_at_rest(node, at_rest) if isinstance(node, KnownItem) else node
                    reading = reader.read(document, node)
                self.findings += document.findings_of_card(node, reading.findings)
                claims += [replace(reading.claim, document=at_rest)] if reading.claim else []
                # Of cards with one id, only the first is sound.
                is_sound = reading.card is not None and reading.card.id not in claimed
                card = self._complete(reading, is_sound=is_sound)
                if reading.card and is_sound:
                    claimed.add(reading.card.id)
                if card is not None:
                    is_new = not isinstance(node, KnownItem | MappingAtRest)
                    if known and is_new and not reading.findings and reader.is_variant_sound:
                        known.note(node, card, reading.claim)
                    if _is_meant(card, around.card_set):
                        is_empty = False
                        yield card if card.document is at_rest else card.at_rest(at_rest)
                else:
                    self._unread.append(_unread(document, node, number))
            self._tell()
            if known:
                known.keep()
        self.findings += [
            *reader.findings_of_variant(is_empty=is_empty and self._is_complete and not self._unread),
            *ids.collisions(claims),
        ]
        if next(numbers) == 0 and self._is_complete:  # a file that could not be read may hold cards
            self.findings.append(
                Diagnostic("S021", "the set has no cards", self._hint()).at(Span(file=self._folder / SET_FILE))
            )

    def _complete(self, reading: CardReading, *, is_sound: bool) -> GameCard | None:
        """Return a sound card with what it leaves to the rules; None, and findings, if these do not tell.

        A card with a mistake is remembered, so that its other mistakes are told in the same run.
        """
        if is_sound:
            result = reading.complete() if reading.complete else reading.card
            if isinstance(result, GameCard):
                return result
            self.findings += result or ()
            self._flawed += [FlawedCard(reading.card, judged=False)] if reading.card else []
            return None
        flawed = reading.flawed or (FlawedCard(reading.card, judged=True) if reading.card else None)
        if flawed and flawed.judged and reading.complete:
            result = reading.complete()
            if not isinstance(result, GameCard):
                self.findings += result
                return None
            flawed = replace(flawed, card=result)
        self._flawed += [flawed] if flawed else []
        return None

    def _hint(self) -> str:
        """Return what to do about a set without cards."""
        for table in filter(is_table, self._files):
            if self._document(table):
                return f"write a card into the second row of `{table}`, below the header"
            return (
                f"`{table}` holds no cards: its first row must have the headings, `name` among them, with nothing above"
            )
        if self._published:
            return "`kotc pull` fetches those of the sheet that `cards` in set.yaml names"
        usual = self._folder / "cards.yaml"
        for ending in (".txt", ".json", ".yaml.txt", ".yml.txt"):  # of files that are not seen as card files
            if (self._folder / f"cards{ending}").is_file():
                return f"card files end with `.yaml`: rename `{self._folder / f'cards{ending}'}` to `{usual}`"
        return f"write a card into a file such as `{usual}`"

    def _documents(self, known: KnownCards | None) -> Iterator[Document]:
        """Yield the card files as they are read, until together they are too large."""
        size = 0
        files = self._files
        for file in in_stage("read", "files" if len(files) > 1 else "", files):
            before = len(self.findings)
            if known and not is_table(file) and file not in self._texts:
                known.look_up(file)
                with yaml.remembering(known):
                    document = self._document(file)
            else:
                document = self._document(file)
            self._is_complete &= not has_errors(self.findings[before:])
            self._tell()
            size += len(document.text) if document else 0
            # Asked after each file: to read all of them first could take all memory.
            if size > SET_FILES.most:
                message = f"the card files of the set are larger than {SET_FILES} together"
                self.findings.append(Diagnostic("S022", message, "split the set into several").at(Span(file=file)))
                self._is_complete = False
                return
            if document:
                self._unseen = {name for name in self._unseen if name not in document.text}
                yield document

    def _document(self, file: Path) -> Document | None:
        """Return what can be read of a file."""
        if is_table(file):
            from render.source.tables.reading import read_table

            read = read_table(file, self._folder, self._columns, self._languages)
            document, findings = read.document, [*read.findings]
        elif file in self._texts:
            document, findings = yaml.read_as_partly(self._texts[file], file)
        else:
            document, findings = yaml.read_partly(file, self._folder)
        self.findings += findings
        if document and file.name != SET_FILE:
            document, findings = _without_heading(document)
            self.findings += findings
        return document


def _is_meant(card: GameCard, card_set: GameSet) -> bool:
    """Return whether a card is in the variant of its set, if that is one."""
    return card.variant == card_set.variant.name


def _unread(document: Document, node: Node, number: int) -> UnreadCard:
    """Return what can be told of a card that could not be read."""
    values = dict(_scalars(node))
    span, number_of_copies = document.span(node), values.get("copies", "")
    copies = int(number_of_copies) if re.fullmatch("[0-9]{1,3}", number_of_copies) else 1
    name = values.get("name") or values.get("id") or f"line {span.line}"
    return UnreadCard(document, span, values.get("id") or ids.slug(name), name, copies, number)


def _scalars(node: Node) -> Iterator[tuple[str, str]]:
    """Yield the keys of a card with their single values; what follows of them is first that of its faces."""
    if isinstance(node, Scalar):
        yield "name", node.value
    elif isinstance(node, Mapping):
        faces = node.get("faces")
        for face in reversed(faces.items) if isinstance(faces, Sequence) else ():
            yield from _scalars(face)
        yield from ((key.value, value.value.strip()) for key, value in node.entries if isinstance(value, Scalar))


def _as_deck(document: Document, node: Mapping) -> Diagnostic | None:
    """Return what is said of a deck among card files; None for anything else: decks have `cards`, and no `kind`."""
    cards = node.get("cards")
    if cards is None or node.get("kind") is not None or not isinstance(cards, Mapping | Sequence):
        return None
    folder = document.file.parent
    message = f"this is a deck, and in the folder of a set, `{folder}`, every file holds cards"
    name = os.path.normpath(folder / ".." / document.file.name)
    hint = f"move it to `{name}`, write `sets: [{folder.resolve().name}]` in it, and run `kotc check {name}`"
    key = next(key for key, value in node.entries if value is cards)
    return Diagnostic("C001", message, hint).at(document.span(key))


def _without_heading(document: Document) -> tuple[Document, list[Diagnostic]]:
    """Return a file without a key above its list of cards, such as `cards:`, and what is said of that key."""
    root = document.root
    if not isinstance(root, Mapping) or len(root.entries) != 1:
        return document, []
    key, cards = root.entries[0]
    if not isinstance(cards, Sequence) or not any(isinstance(item, Mapping) for item in cards.items):
        return document, []
    hint = f"remove the line `{key.value}:`; the file begins with the `- ` of its first card"
    message = f"a card file is a list of cards, without `{key.value}:` above it"
    return replace(document, root=cards), [Diagnostic("C001", message, hint).at(document.span(key))]

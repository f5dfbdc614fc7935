"""Decks of sets that go to another edition: they go along if their cards do, and what is wrong with each in the end."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from render.base.findings import Diagnostic, Refused, Severity, sort_findings
from render.base.reach import with_unsaved
from render.game.authoring.change_set import FileChange
from render.game.cards import home_of
from render.game.decks.deck_file import read_sets
from render.game.decks.deck_reading import ReadDeck
from render.game.folder import decks_near, find_sources
from render.game.sources import read_deck
from render.games.kotc import deck as decks
from render.games.kotc.editions.finding import find
from render.games.kotc.legality.legality import verdict
from render.games.kotc.model.cards import CardSet, ordinal, own_card
from render.games.kotc.workshop.migration.planning import shared_edition
from render.source import reader
from render.source.edit import edited, replace_scalar
from render.source.nodes import Scalar


class DeckAfter(Struct, frozen=True, kw_only=True):
    """A deck before and after: the editions by whose rules it is played, and all errors that it has in the end.

    `change` is what is to be written, if anything. `stays` says why it keeps an older edition, or, of a deck that is
    `unread` as nobody can tell its cards, what to do about it. `size` counts its cards,
    `playable` those that it may have. `others` are the folders of sets of which it has older cards, and that are not
    taken along; `drafts` are the ids of cards that nobody has judged yet.
    """

    file: Path
    name: str
    before: int | None
    edition: int | None
    change: FileChange | None
    errors: tuple[Diagnostic, ...]
    size: int = 0
    playable: int = 0
    unread: bool = False
    stays: str = ""
    lack: str = ""
    others: tuple[Path, ...] = ()
    drafts: tuple[str, ...] = ()


def decks_after(
    folders: Sequence[Path],
    files: Iterable[FileChange],
    number: int,
    given: Sequence[Path] = (),
    *,
    is_resumed: bool = False,
) -> list[DeckAfter]:
    """Return what becomes of the decks `given`, and of those near that use sets in these folders.

    They are read as if the changes of the sets were written. A deck near of which neither its file nor its sets' files
    change is left out, unless a stopped run is resumed; one that cannot be read is there if nobody can tell its sets.
    Refused if a given one is none of this game, or cannot be read.
    """
    texts = {os.path.realpath(change.file): change.after for change in files}
    homes = {folder.resolve() for folder in folders}
    with with_unsaved(texts):
        near = [file for file in decks_near(folders) if _may_use(file, homes)]
        named = {file.resolve() for file in given}
        everything = [
            *(_deck_after(file, number, homes, texts, is_given=True) for file in given),
            *(_deck_after(file, number, homes, texts) for file in near if file.resolve() not in named),
        ]
    kept = [each for each in everything if each.change or texts or is_resumed or each.file.resolve() in named]
    return sorted(kept, key=lambda each: each.file)


def _may_use(deck: Path, homes: set[Path]) -> bool:
    """Return whether a deck uses one of these sets, or may, as it cannot be read far enough to tell its sets."""
    named = read_sets(deck)
    if not named:
        return _is_unreadable(deck)
    return any(files.folder.resolve() in homes for files in find_sources(named)[0])  # it may name a folder of several


def _is_unreadable(file: Path) -> bool:
    try:
        reader.read(file)
    except Refused:
        return True
    return False


# --- one deck ---------------------------------------------------------------------------------------------------------


def _deck_after(
    file: Path, number: int, homes: set[Path], texts: Mapping[str, str], *, is_given: bool = False
) -> DeckAfter:
    read = read_deck(file)
    card_set = read.card_set
    if not isinstance(card_set, CardSet):
        if is_given:
            raise Refused(read.findings or [decks.of_another_game(file, card_set)])
        advice = f"mend it, and give `{file}` to the same command: it is not taken along now"
        stays, unread = (advice, True) if card_set is None else ("", False)
        return DeckAfter(
            file=file, name="", before=None, edition=None, change=None, errors=_errors(read), unread=unread, stays=stays
        )
    before = card_set.edition
    stays = _why_it_stays(read, card_set, number, is_given=is_given)
    change = _raised(card_set, number) if before is not None and before < number and not stays else None
    if change:
        with with_unsaved({**texts, os.path.realpath(file): change.after}):
            read = read_deck(file)
    assert isinstance(read.card_set, CardSet), "only its edition changed"
    errors = [*_errors(read), *_judged(read, read.card_set)]
    kept_out = {each.span for each in errors if each.code == "B027"}
    size = sum(each.line.count for each in read.cards)
    playable = sum(each.line.count for each in read.cards if each.line.span not in kept_out)
    older = {home_of(each.card) for each in read.cards if (own_card(each.card).edition or 0) < number}
    others = tuple(sorted(folder for folder in older if folder.resolve() not in homes)) if change else ()
    return DeckAfter(
        file=file,
        name=card_set.name,
        before=before,
        edition=read.card_set.edition,
        change=change,
        errors=tuple(sort_findings(errors)),
        size=size,
        playable=playable,
        stays=stays,
        lack=_lack(read.card_set, size, playable),
        others=others,
        drafts=tuple(each.card.id for each in read.cards if each.card.draft),
    )


def _why_it_stays(read: ReadDeck, deck: CardSet, number: int, *, is_given: bool) -> str:
    """Return why a deck does not go to an edition: it goes with its cards, and one that is given if any may be played."""
    if deck.edition is None or deck.edition >= number:
        return ""
    try:
        edition = find(number, deck.folder)
    except Refused as refused:
        return refused.findings[0].message
    cards = [own_card(each.card) for each in read.cards]
    if not any(verdict(card, edition).playable for card in cards):
        return f"none of its cards may be played by the rules of the {ordinal(number)} Edition"
    if is_given or any(card.edition == number for card in cards):
        return ""
    return f"none of its cards is of the {ordinal(number)} Edition"


def _raised(deck: CardSet, number: int) -> FileChange:
    assert deck.source is not None, "it was read from a file"
    document, node = deck.source
    edition = node.get("edition")
    assert isinstance(edition, Scalar), "it was read as a number"
    result = edited(document, [replace_scalar(edition, str(number))])
    if result is None:
        raise Refused([shared_edition(document, edition)])
    return FileChange(document.file, document.text, result.text)


def _errors(read: ReadDeck) -> tuple[Diagnostic, ...]:
    return tuple(each for each in read.findings if each.severity is Severity.ERROR)


def _judged(read: ReadDeck, deck: CardSet) -> Iterator[Diagnostic]:
    """Yield the errors that the rules find in those cards of a deck that are there, whatever else is wrong."""
    if deck.edition is None:
        return
    try:
        found = decks.judge(decks.made(deck, read.cards))
    except Refused as refused:  # there are no such rules, which was said when it was read
        found = [each for each in refused.findings if each not in read.findings]
    yield from (each for each in found if each.severity is Severity.ERROR)


def _lack(deck: CardSet, size: int, playable: int) -> str:
    """Return how many cards a deck lacks without those that it may not have; "" if it has enough of the others."""
    if deck.edition is None or playable == size:
        return ""
    with suppress(Refused):
        least = find(deck.edition, deck.folder).deck.least
        if playable < least <= size:
            return f"without the cards that it may not have, it has {playable}, and needs {least - playable} more"
    return ""

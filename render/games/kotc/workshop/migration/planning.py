"""What a way to another edition changes in files: worked out for a set.

A card may take its edition from `set.yaml`. If a card for decks does that and is migrated, the set's edition becomes
the new one, which new cards of the set should have; a card that is left alone then gets a line with its old edition. If
all such cards for decks are left alone, or only some files of the set are migrated, the set's edition stays, and
migrated cards get a line of their own. Of a draft, the name, id, flavor, picture, credits and copies stay, too.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from render.base.findings import Diagnostic, Refused, listed
from render.game.authoring.card_text import not_rewritten
from render.game.authoring.change_set import FileChange
from render.game.cards import place_of_key
from render.game.folder import SET_FILE, find_sources, is_table
from render.games.kotc.files.keys import stat_key
from render.games.kotc.legality.legality import design_of, doubts
from render.games.kotc.model.cards import OLD_NAMES, Card, CardSet, ordinal
from render.games.kotc.model.edition import Edition
from render.games.kotc.workshop.migration.cards import Fate, MigratedCard, Relevel, migrated_cards, numbers_of
from render.source import reader
from render.source.edit import AddItem, Edit, Remark, RemoveKey, Rewrite, SetKey, edited, replace_scalar
from render.source.nodes import Document, Mapping, Node, Scalar
from render.source.writing import Block, plain


class Migration(Struct, frozen=True):
    """A set before and after, card by card, and the files to write, all of them changed.

    `doubts` say why the rules of the new edition may not tell the truth about its cards. `numbers` are those that follow
    from them: "cost", "level", or "level or Ultra Points".
    """

    card_set: CardSet
    edition: int
    cards: tuple[MigratedCard, ...]
    files: tuple[FileChange, ...]
    doubts: tuple[Diagnostic, ...] = ()
    numbers: str = "level"

    @property
    def drafted(self) -> list[str]:
        """The ids of the cards that become drafts."""
        return [card.before.id for card in self.cards if card.fate is Fate.DRAFTED]

    @property
    def calls_for_drafts(self) -> bool:
        """Whether the rules forbid cards, so that they are to be designed anew."""
        return any(card.is_to_be_designed_anew and card.fate is not Fate.LEFT for card in self.cards)

    @property
    def told(self) -> list[MigratedCard]:
        """The cards about which there is more to say than that they are unchanged."""
        return [card for card in self.cards if card.is_changed or not card.fate.is_migrated]

    @property
    def pictured(self) -> tuple[set[str], set[str]]:
        """The ids of the cards that a page shows as they were, and as they are."""
        return {card.before.id for card in self.told}, {card.before.id for card in self.told if card.has_two_sides}

    @property
    def summary(self) -> str:
        """How many cards have which fate: `3 refurbished, 36 unchanged, 1 pruned`."""
        counts = Counter(card.fate for card in self.cards)
        return ", ".join(f"{counts[fate]} {fate.value}" for fate in Fate if counts[fate]) or "no cards"


def migrate(card_set: CardSet, edition: Edition, relevel: Relevel | None = None, *, draft: bool = False) -> Migration:
    """Work out the migration of a set; nothing is written.

    With `relevel`, a card whose level or Ultra Points the rules changed gets the new ones instead of being pruned. With
    `draft`, a card that is to be designed anew becomes a draft.
    Refused if a change cannot be written into its file.
    """
    cards = migrated_cards(card_set, edition, relevel, draft=draft)
    files = tuple(_files(card_set, edition.number, cards))
    return Migration(
        card_set, edition.number, cards, files, tuple(doubts(edition, card_set.folder)), numbers_of(edition)
    )


OLD_WORDS = "the old wording: write it anew, since `text` has changed"
"""The comment above a text in another language of which the English one has changed."""


# --- the files of a set ----------------------------------------------------------------------------------------------


def _files(card_set: CardSet, edition: int, cards: tuple[MigratedCard, ...]) -> Iterator[FileChange]:
    """Yield the files that change, `set.yaml` first; Refused with all changes that cannot be written."""
    set_moves = _set_moves(card_set, edition, cards)
    findings: list[Diagnostic] = []
    if set_moves:
        yield _set_file(card_set, edition)
    for document in _documents(cards):
        of_document = [card for card in cards if card.before.document is document]
        revisions = [(card, list(_revisions(card, edition, set_moves))) for card in of_document]
        flat = [each for _, some in revisions for each in some]
        if flat and is_table(document.file):
            findings.append(not_rewritten(document.file))
            continue
        result = edited(document, flat) if flat else document
        if result is None:
            alone = [(card, _with_shared(some, flat)) for card, some in revisions]
            to_blame = [each for each in alone if edited(document, each[1]) is None]
            findings += (_unwritable(card, some, document) for card, some in to_blame or alone)
        elif result.text != document.text:
            yield FileChange(document.file, document.text, result.text)
    if findings:
        raise Refused(findings)


def _documents(cards: Iterable[MigratedCard]) -> list[Document]:
    """Return the files of the cards in order, each once."""
    return list({id(card.before.document): card.before.document for card in cards}.values())


def _inherits(card: MigratedCard) -> bool:
    return card.before.node.get("edition") is None


def _set_moves(card_set: CardSet, edition: int, cards: tuple[MigratedCard, ...]) -> bool:
    """Return whether the set's own edition becomes the new one."""
    heirs = [card for card in cards if _inherits(card)]
    if card_set.edition in (None, edition) or not _is_whole(card_set):
        return False
    if not any(card.fate.is_migrated for card in heirs):
        return False
    played = [card for card in heirs if design_of(card.before).is_played]
    return not played or any(card.fate.is_migrated for card in played)


def _is_whole(card_set: CardSet) -> bool:
    """Return whether all card files of the set's folder were read."""
    found, _ = find_sources([card_set.folder])
    read = {card.document.file.resolve() for card in card_set.cards}
    return all(file.resolve() in read for files in found for file in files.cards)


def _set_file(card_set: CardSet, edition: int) -> FileChange:
    document = reader.read(card_set.folder / SET_FILE)
    node = document.root.get("edition") if isinstance(document.root, Mapping) else None
    assert isinstance(node, Scalar), "the set was loaded with an edition"
    result = edited(document, [replace_scalar(node, str(edition))])
    if result is None:
        raise Refused([shared_edition(document, node)])
    return FileChange(document.file, document.text, result.text)


def shared_edition(document: Document, edition: Scalar) -> Diagnostic:
    """Return what is said of a set or deck whose edition cannot become another, as another key has the same value."""
    message = "its edition cannot be written: another key shares the value"
    return Diagnostic("K009", message, "write `edition` without `&` and `*`").at(document.span(edition))


def _revisions(card: MigratedCard, edition: int, set_moves: bool) -> Iterator[Edit]:
    """Yield the revisions for one card; a card without its own edition has that of the set."""
    before, after = card.before, card.after
    given, text = before.node.get("edition"), before.node.get("text")
    if isinstance(given, Scalar):
        if after.edition != before.edition:
            yield replace_scalar(given, str(after.edition))
    elif after.edition != (edition if set_moves else before.edition):
        yield SetKey(before.node, "edition", plain(str(after.edition)), "kind")
    for language in card.old_words:
        own = words.get(language) if isinstance(words := before.node.get("words"), Mapping) else None
        if isinstance(own, Mapping) and own.get("text"):
            yield Remark(own, "text", (OLD_WORDS,))
    if card.fate is Fate.DRAFTED:
        yield from draft_edits(before, after, card.reasons)
        return
    if after.text != before.text and isinstance(text, Scalar):
        yield Rewrite(text, card.reworded.edits)
    yield from _new_numbers(before, after)


def _new_numbers(before: Card, after: Card) -> Iterator[Edit]:
    """Yield new values for level and Ultra Points; a value left to the rules stays so."""
    level, points = _level(before), before.node.get("ultra_points")
    if after.level != before.level and isinstance(level[1], Scalar) and level[1].value != "auto":
        yield replace_scalar(level[1], str(after.level))
    if after.ultra_points != before.ultra_points:
        if points is None:
            yield SetKey(before.node, "ultra_points", plain(str(after.ultra_points)), level[0])
        elif isinstance(points, Scalar) and points.value != "auto":
            yield replace_scalar(points, str(after.ultra_points))


def _level(card: Card) -> tuple[str, Node | None]:
    key = "level" if card.node.get("level") else OLD_NAMES["level"]
    return key, card.node.get(key)


def _with_shared(edits: Sequence[Edit], all_edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits of a card with those by which other cards change the values that they share with it."""
    scalars = {id(each.scalar) for each in edits if isinstance(each, Rewrite)}
    shared = (each for each in all_edits if isinstance(each, Rewrite) and id(each.scalar) in scalars)
    return [*shared, *(each for each in edits if not isinstance(each, Rewrite))]


def _unwritable(card: MigratedCard, edits: Iterable[Edit], document: Document) -> Diagnostic:
    """Return what is said of a card whose edits cannot be written, in its file."""
    places = [value.start for mapping in document.mappings for _, value in mapping.entries]
    own = {key.value: value.start for key, value in card.before.node.entries}
    edited_places = set(map(_place, edits))
    shared = [key for key, place in own.items() if place in edited_places and places.count(place) > 1]
    field = shared[0] if shared else "text"
    message = f"the new wording of `{card.before.id}` cannot be written where the old one stands"
    hint = "put the text in double quotes, or write it below `text: |`"
    if shared:
        is_own = all([*own.values()].count(own[key]) == places.count(own[key]) for key in shared)
        who = "two of its keys share a value" if is_own else "it shares keys or values with another card"
        message = f"what becomes of `{card.before.id}` cannot be written: {who}"
        hint = f"write them out for each of the {'keys' if is_own else 'cards'}, in place of `<<` and `*`"
    return Diagnostic("K009", message, hint).at(place_of_key(card.before, field), card.before.id, field)


def _place(edit: Edit) -> int:
    """Return where the value stands that an edit changes, or behind which it writes a key."""
    match edit:
        case Rewrite(scalar):
            return scalar.start
        case SetKey(mapping, key, after=after):
            value = mapping.get(key) or mapping.get(after)
        case RemoveKey(mapping, key) | Remark(mapping, key):
            value = mapping.get(key)
        case AddItem(items):
            value = items
    return value.start if value else -1


# --- drafts -----------------------------------------------------------------------------------------------------------


_WIDTH = 110  # characters of a line of the comment


def draft_edits(before: Card, after: Card, notes: Sequence[str]) -> Iterator[Edit]:
    """Yield the edits that make a draft of a card, but for its edition."""
    node, own = before.node, dict(before.node.entries)
    keys = {key.value: key for key in own}
    kind = node.get("kind")
    if after.kind is not before.kind and isinstance(kind, Scalar):
        yield replace_scalar(kind, after.kind.value)
    for stat in ("sp", "hp", "level"):
        name, value = stat_key(stat, before.grammar), getattr(after, stat)
        given, new_name = node.get(name), stat_key(stat, after.grammar)
        if value is None or not isinstance(given, Scalar):
            continue
        if new_name != name:
            yield replace_scalar(keys[name], new_name)
        if given.value not in ("auto", str(value)):
            yield replace_scalar(given, str(value))
    yield from _ultra_points(before, after)
    if after.text != before.text and "text" in keys:
        yield SetKey(node, "text", Block(after.text)) if after.text else RemoveKey(node, "text")
    size = node.get("text_size")
    if isinstance(size, Scalar) and size.value != "auto":
        yield replace_scalar(size, "auto")
    yield from _mark(before, notes)


def _ultra_points(before: Card, after: Card) -> Iterator[Edit]:
    points = before.node.get("ultra_points")
    if points is None:
        if after.ultra_points:
            level = stat_key("level", before.grammar)
            yield SetKey(before.node, "ultra_points", plain(str(after.ultra_points)), level)
    elif after.grammar.of_creatures:
        yield RemoveKey(before.node, "ultra_points")
    elif isinstance(points, Scalar) and points.value not in ("auto", str(after.ultra_points)):
        yield replace_scalar(points, str(after.ultra_points))


def _mark(before: Card, notes: Sequence[str]) -> Iterator[Edit]:
    """Yield the key `draft` with a comment; a draft that becomes another one has the key, and gets the comment above it."""
    comment = tuple(_comment(before, notes))
    mark = before.node.get("draft")
    if isinstance(mark, Scalar):
        if mark.value != "true":
            yield replace_scalar(mark, "true")
        return
    yield SetKey(before.node, "draft", plain("true"), "kind", comment)


def _comment(card: Card, notes: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the comment: the card as it was, and what became of its parts."""
    edition = f"the {ordinal(card.edition)} Edition" if card.edition else "a card without Edition Indicator"
    stats = [
        f"{stat_key(stat, card.grammar)} {value}"
        for stat in ("level", "sp", "hp")
        if (value := getattr(card, stat)) is not None
    ]
    points = f", ultra_points {card.ultra_points}" if card.ultra_points else ""
    yield f"`{card.id}` was of {edition}: {', '.join(stats)}{points}"
    for line in card.text.split("\n"):
        yield from _wrapped(line, "  | ", "  | ")
    for note in notes or ("nothing of its text was lost",):
        yield from _wrapped(note, "- ", "  ")
    if languages := [each.language for each in card.words if each.text]:
        note = f"its text in {listed(languages, 'and')} below `words` is the old one: write it anew"
        yield from _wrapped(note, "- ", "  ")


def _wrapped(words: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        words, _WIDTH, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )

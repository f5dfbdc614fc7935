"""What changed between two states of sets and decks, in words, numbers and pictures."""

from __future__ import annotations

import base64
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import chdir
from enum import Enum
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Finding, listed
from render.base.reach import read_bounded, sha256
from render.base.word_changes import ValueChange, value_changes
from render.build.compare import CardDigests, differences, paint_differences
from render.build.outputs import key_digest, png_of
from render.build.states import SetKey, SetState, State
from render.game.cards import GameCard, is_picture
from render.game.decks.deck_file import DeckFile
from render.game.folder import GAME_FILE, SET_FILE
from render.game.registry import game_of
from render.scene.items import Scene


class Fate(Enum):
    """What became of a card, a set or a deck; the value is the word for it."""

    CHANGED = "changed"
    RENAMED = "renamed"
    ADDED = "new"
    REMOVED = "removed"
    INDICATOR = "only another Edition Indicator"


Picture = Scene | str
"""A side of a card: as a scene, or the address of a picture."""


class CardChange(Struct, frozen=True, kw_only=True):
    """What became of a card, whose id `was` another one if it is renamed.

    `reasons` say what else differs. `why` are the sums from which its level followed and follows. `pictures` are the
    sides that look different, before and after. `alike` are the names of cards whose back alone changed in the same way.
    """

    id: str
    name: str
    fate: Fate
    was: str = ""
    values: tuple[ValueChange, ...] = ()
    reasons: tuple[str, ...] = ()
    why: tuple[str, str] = ("", "")
    pictures: tuple[tuple[Picture | None, Picture | None], ...] = ()
    alike: tuple[str, ...] = ()


class SetChanges(Struct, frozen=True):
    """What changed in a set, in one language, "" for its own, and one variant, "" for none; `width` is that of its cards in mm."""

    name: str
    folder: str
    language: str
    variant: str
    width: float
    cards: tuple[CardChange, ...]
    fate: Fate = Fate.CHANGED


class DeckChanges(Struct, frozen=True):
    """What changed in a deck itself, and the names of its cards that changed."""

    name: str
    file: str
    fate: Fate
    values: tuple[ValueChange, ...] = ()
    touched: tuple[str, ...] = ()


class Changes(Struct, frozen=True, kw_only=True):
    """Everything that changed from the state `base` to the state `head`. `notes` say what git did not tell."""

    base: str
    head: str
    sets: tuple[SetChanges, ...]
    decks: tuple[DeckChanges, ...]
    new: tuple[Finding, ...]
    mended: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.sets or self.decks or self.new or self.mended)


def changes_between(before: State, after: State, *, noticed_only: bool = False) -> Changes:
    """Return what changed: cards whose look or words did, decks, and findings.

    With `noticed_only`, cards on which nothing but the Edition Indicator changed are left out.
    """
    sets: dict[SetKey, SetChanges] = {}
    for key in sorted({**after.sets, **before.sets}):  # that in its own language comes first
        own = sets.get((key[0], ""))
        found = changes_of_set(key, before, after)
        cards = tuple(card for card in found.cards if not (noticed_only and card.fate is Fate.INDICATOR))
        if key[1]:  # what its own language says already is not said again
            told = {card.id: card for card in own.cards} if own else {}
            cards = tuple(card for card in cards if found.fate is Fate.CHANGED and _is_apart(card, told.get(card.id)))
        if cards or _is_news(key, found, before, after):
            sets[key] = replace(found, cards=cards)
    new, mended = _findings(before, after, {card.was: card.id for each in sets.values() for card in each.cards})
    return Changes(
        base=before.name,
        head=after.name,
        sets=tuple(sets.values()),
        decks=tuple(_decks(before, after, [each for key, each in sets.items() if not key[1]])),
        new=new,
        mended=mended,
        notes=tuple(f"{each.name}: {lack}" for each in (before, after) for lack in each.lacking),
    )


def changes_of_set(key: SetKey, before: State, after: State) -> SetChanges:
    """Return what changed in a set, which is in one of the two states at least."""
    old, new = before.sets.get(key), after.sets.get(key)
    one = new or old
    assert one and one.card_set, "what is remembered is of a set that is read"
    fate = Fate.CHANGED if old and new else Fate.ADDED if new else Fate.REMOVED
    if old and new:
        cards = list(_SetComparison(old, new, before, after).cards())
    else:
        cards = [_alone(card, one, fate) for card in one.cards.values()]
    width = one.card_set.sheet.card_size.width
    shown = one.card_set
    return SetChanges(shown.name, key[0], shown.foreign, shown.variant.name, width, tuple(cards), fate)


def _is_news(key: SetKey, found: SetChanges, before: State, after: State) -> bool:
    """Return whether a set is new or gone, or a language or a variant of one that stays, of which nothing else says so."""
    folder, version = key
    if found.fate is Fate.CHANGED:
        return False
    others = {"", *version.split("/")} - {version}
    return all((folder, each) in state.sets for each in others for state in (before, after))


def _is_apart(card: CardChange, own: CardChange | None) -> bool:
    if own is None:
        return True
    return own.fate is card.fate is Fate.CHANGED and not {*card.values} <= {*own.values}


def _alone(card: GameCard, state: SetState, fate: Fate) -> CardChange:
    front = _picture(state, card.id, FRONT)
    pair = (None, front) if fate is Fate.ADDED else (front, None)
    return CardChange(id=card.id, name=card.name or card.id, fate=fate, pictures=(pair,) if front else ())


# --- the cards of one set -----------------------------------------------------------------------------------------------

_DRAWN_FROM = (".svg", ".ttf", ".otf", ".ttc", ".woff", ".woff2")
_MAX_NAMED = 3  # files in one reason
_MOST_PAIRS = 100_000  # of a card that is gone and a new one, to be compared
_SO_NEAR = 2  # values, beside id and name, in which a renamed card may differ
_OWN_WORDS = ("edition", "language", "name", "kind", "copies")
"""Parts of a card's look that its values tell, or that are no change by themselves."""


FRONT, BACK = _SIDES = ("front", "back")


class _SetComparison:
    """Two states of a set in one language."""

    def __init__(self, old: SetState, new: SetState, before: State, after: State) -> None:
        self._old, self._new, self._before, self._after = old, new, before, after
        self._pixels = paint_differences(old.looks, new.looks)
        self._found = differences(old.looks, new.looks, self._pixels)

    def cards(self) -> Iterator[CardChange]:
        """Yield what became of each card that is not the same, in the order of the set, and then those that are gone."""
        earlier = {now: was for was, now in self._found.renamed}
        # A card that cannot be drawn is neither gone nor new.
        added = [name for name in self._found.added if name not in self._old.broken]
        gone = [name for name in self._found.removed if name not in self._new.broken]
        earlier |= self._renamed(gone, added)
        of_backs: dict[object, CardChange] = {}
        for name, card in self._new.cards.items():
            if name in added and name not in earlier:
                yield _alone(card, self._new, Fate.ADDED)
            elif change := self._changed(earlier.get(name, name), card):
                looks = [each.looks.cards.get(name) for each in (self._old, self._new)]
                is_back_alone = all(looks) and len({self._look(each, FRONT) for each in looks if each}) == 1
                if is_back_alone and change.pictures and not (change.values or change.was or card.has_own_back):
                    backs = (*(each.back for each in looks if each), change.reasons)
                    first = of_backs.setdefault(backs, change)
                    of_backs[backs] = change if first is change else replace(first, alike=(*first.alike, change.name))
                else:
                    yield change
        yield from of_backs.values()
        for name in gone:
            if name not in earlier.values():
                card_or_id = self._old.cards.get(name)
                picture = _picture(self._old, name, FRONT)
                called = card_or_id.name if card_or_id and card_or_id.name else name
                yield CardChange(
                    id=name, name=called, fate=Fate.REMOVED, pictures=((picture, None),) if picture else ()
                )

    def _renamed(self, gone: Sequence[str], added: Sequence[str]) -> dict[str, str]:
        """Return the earlier ids of cards that have another one now, and differ in little else."""
        before = {name: _values(self._old.cards[name]) for name in gone if name in self._old.cards}
        now = {name: _values(self._new.cards[name]) for name in added}
        if len(before) * len(now) > _MOST_PAIRS:
            return {}
        values = Counter(item for each in map(_values, self._old.cards.values()) for item in each.items())
        found: dict[str, str] = {}
        for name, mine in now.items():
            near = []
            for was, others in before.items():
                differing = {key for key in {*mine, *others} - {"id", "name"} if mine.get(key) != others.get(key)}
                # What no other card of the set has tells it: its text, its picture, its name.
                telling = any(mine.get(key) == value and values[key, value] == 1 for key, value in others.items())
                if telling and "kind" not in differing and len(differing) <= _SO_NEAR and was not in found.values():
                    near.append((len(differing), was))
            if near:
                found[name] = min(near)[1]
        return found

    def _changed(self, was: str, card: GameCard) -> CardChange | None:
        """Return what changed in a card that was there before; None if nothing did that counts."""
        name, before = card.id, self._old.cards.get(was)
        old, new = self._old.looks.cards.get(was), self._new.looks.cards.get(name)
        if before is None and old is None:
            return None  # it could not be read before
        sides = [side for side in _SIDES if old and new and self._look(old, side) != self._look(new, side)]
        changed = value_changes(_values(before), _values(card)) if before else ()
        values = [each for each in changed if each.key != "id"]
        told = [each for each in values if each.key != "edition"]
        reasons = list(self._reasons(before, card, {each.key for each in values}, sides)) if before else []
        if self._old.memory and sides:
            reasons += self._remembered(was, card)
        if bool(old) is not bool(new):
            reasons.append(f"it {'had an error and could not' if new else 'has an error and cannot'} be drawn")
        if not (told or reasons or sides or was != name):
            return None
        is_indicator = name in self._found.indicator and not (told or reasons)
        return CardChange(
            id=name,
            name=card.name or name,
            fate=Fate.RENAMED if was != name else Fate.INDICATOR if is_indicator else Fate.CHANGED,
            was=was if was != name else "",
            values=tuple(values),
            reasons=tuple(reasons),
            why=self._why(before, card) if before else ("", ""),
            pictures=tuple((_picture(self._old, was, side), _picture(self._new, name, side)) for side in sides),
        )

    def _look(self, looks: CardDigests, side: str) -> str:
        digest: str = getattr(looks, side)
        return self._pixels.get(digest, digest)

    def _reasons(self, before: GameCard, card: GameCard, told: set[str], sides: Sequence[str]) -> Iterator[str]:
        """Yield what changed in a card but its values, which were `told`, and why it looks different if these do not say."""
        told |= {key for key, other in card.other_keys.items() if other in told}
        old, new = (game_of(each).parts(each) for each in (before, card))
        others = [name for name in new if name not in _OWN_WORDS and old.get(name) != new[name]]
        others = [name for name in others if name.replace(" ", "_") not in told]
        if others:
            yield f"{listed(others, 'and')} changed"
        exchanged = [
            picture.name
            for key, picture in card.pictures.items()
            if (was := before.pictures.get(key))
            and was.name == picture.name
            and sha256(was.file) != sha256(picture.file)
        ]
        if exchanged:
            yield f"another picture in {listed(exchanged, 'and')}"
        if not sides:
            return
        files = [f"{each}.svg" for each in card.own_templates if FRONT in sides or card.has_own_back]
        files += [card.back if is_picture(card.back) else f"{card.back}.svg"] if BACK in sides else []
        own = [name for name in self._files if Path(name).name in files or name in files]
        # Other files are named if nothing else explains the look: they may be what a template asks for.
        if own or not (told or others or exchanged):
            names = own or self._files
            yield f"{listed(names[:_MAX_NAMED], 'and')} changed" if names else "it is drawn differently"

    @cached_property
    def _files(self) -> list[str]:
        """The files from which cards are drawn that are not the same, templates before others."""
        digests = [_digests(each) for each in (self._old, self._new)]
        names = sorted({*digests[0], *digests[1]}, key=lambda name: (not name.endswith(".svg"), name == SET_FILE, name))
        return [name for name in names if digests[0].get(name) != digests[1].get(name)]

    def _remembered(self, was: str, card: GameCard) -> Iterator[str]:
        """Yield which parts of a card a build remembers otherwise: of these it has digests alone."""
        record = self._old.memory and self._old.memory.outputs.get(png_of(was))
        parts = {name: key_digest(value) for name, value in game_of(card).parts(card).items()} if record else {}
        known = record.key if record else {}
        changed = [name for name, digest in parts.items() if known.get(name, digest) != digest]
        if record and card.art and not str(known.get("picture", "")).startswith(sha256(card.art.file)[:16]):
            changed.append("picture")
        yield f"{listed(changed, 'and')} changed" if changed else "it is drawn differently"

    def _why(self, before: GameCard, card: GameCard) -> tuple[str, str]:
        """Return the sums from which the level of a card followed and follows; "" and "" if its numbers are the same."""
        found = []
        for state, of_set, each in ((self._before, self._old, before), (self._after, self._new, card)):
            with chdir(state.here):  # where rules are looked for
                found.append(game_of(each).derivation(each, of_set.card_set) if of_set.card_set else None)
        old, new = found
        if not (old and new) or old.numbers == new.numbers:
            return "", ""
        return old.summary, new.summary


def _values(card: GameCard) -> dict[str, str]:
    """Return the values of a card in words, by key, each once; "" for none."""
    values = game_of(card).expression_values(card)
    # A game may call a number otherwise on some cards: these names take the place of its own.
    twice = {key for key, other in card.other_keys.items() if values.get(other) is not None and other in values}
    return {key: _in_words(value) for key, value in values.items() if key not in twice}


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(map(_in_words, value))
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _digests(state: SetState) -> dict[str, str]:
    """Return digests of the files from which the cards of a set are drawn, by their paths in its folder or its game's."""
    game = state.card_set and game_of(state.card_set).folder
    found: dict[str, str] = {}
    for home in (each for each in (game, state.card_set and state.folder) if each):
        for folder, _, names in os.walk(home):
            files = [
                Path(folder) / name for name in names if name.endswith(_DRAWN_FROM) or name in (SET_FILE, GAME_FILE)
            ]
            found |= {file.relative_to(home).as_posix(): sha256(file) for file in files}
    return found


_LARGEST = 16 << 20  # bytes of a PNG that a build made


def _picture(state: SetState, card: str, side: str) -> Picture | None:
    """Return the front or the back of a card; of a build's memory its PNG, if it is as the build made it."""
    looks = state.looks.cards.get(card)
    if looks is None or state.memory is None:
        return state.looks.scenes.get(getattr(looks, side)) if looks else None
    name = png_of(card)
    record = state.memory.outputs.get(name) if side == FRONT else None
    if record is None or sha256(state.folder / name, state.folder.parent) != record.files.get(name):
        return None
    data = read_bounded(state.folder / name, _LARGEST, state.folder.parent)
    return f"data:image/png;base64,{base64.b64encode(data).decode('ascii')}" if data else None


# --- findings and decks -------------------------------------------------------------------------------------------------


def _findings(
    before: State, after: State, new_ids: Mapping[str, str]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the findings that are new, and those that are mended. At another line, a finding is the same."""

    def identities(state: State) -> Counter[object]:
        return Counter(map(identity, state.findings))

    def identity(finding: Finding) -> object:
        card = new_ids.get(finding.card, finding.card)
        file = finding.span.file.name if finding.span else ""
        message = re.sub(r":\d+(:\d+)?", "", finding.message.replace(f"`{finding.card}`", f"`{card}`"))
        return finding.code, finding.severity, message, card, finding.field, file

    def left(some: State, others: State) -> tuple[Finding, ...]:
        known, kept = identities(others), []
        for finding in some.findings:
            if known[identity(finding)]:
                known[identity(finding)] -= 1
            else:
                kept.append(finding)
        return tuple(kept)

    return left(after, before), left(before, after)


def _decks(before: State, after: State, sets: Iterable[SetChanges]) -> Iterator[DeckChanges]:
    noticed = [(each.folder, card) for each in sets for card in each.cards if card.fate is not Fate.INDICATOR]
    for file in sorted({*before.decks, *after.decks}):
        old, new = before.decks.get(file), after.decks.get(file)
        deck, state = (new, after) if new else (old, before)
        assert deck, "it is one of these"
        fate = Fate.CHANGED if old and new else Fate.ADDED if new else Fate.REMOVED
        homes = {state.label(folder) for folder in deck.sets}
        lines = {line.card.rpartition("/")[2] for line in deck.lines}
        touched = dict.fromkeys(
            name
            for folder, card in noticed
            if (homes & {folder, Path(folder).parent.as_posix()} and lines & {card.id, card.name, card.was})
            for name in (card.name, *card.alike)
        )
        values = tuple(_deck_values(old, new)) if old and new else ()
        if values or touched or fate is not Fate.CHANGED:
            yield DeckChanges(deck.name, file, fate, values, tuple(touched) if fate is not Fate.REMOVED else ())


def _deck_values(old: DeckFile, new: DeckFile) -> Iterator[ValueChange]:
    def said(deck: DeckFile) -> dict[str, str]:
        own = {key: _in_words(value) for key, value in deck.of_game.items()}
        return {"name": deck.name, **own, **{line.card: str(line.count) for line in deck.lines}}

    was, now = said(old), said(new)
    for key in {**now, **was}:
        if was.get(key) != now.get(key):
            yield ValueChange(key, was.get(key, ""), now.get(key, ""))

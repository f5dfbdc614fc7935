"""Read the data file of an edition, `editions/NN.yaml`; `editions/README.md` describes the format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, Span, did_you_mean, nearest_word, quoted
from render.games.kotc.editions.soundness import EntryPlace, find_mistakes, normalize_quotes
from render.games.kotc.model import formula
from render.games.kotc.model.declaration import LAST_EDITION, declaration
from render.games.kotc.model.edition import (
    AbilityCount,
    Component,
    DeckRules,
    Edition,
    Grammar,
    LevelRules,
    NewKind,
    Revision,
    Rewording,
    Role,
    Rounding,
    Terms,
    UnknownWords,
)
from render.games.kotc.model.formula import Formula
from render.source import reader as source
from render.source.fields import Fields, fields_of
from render.source.file_kinds import FileKind
from render.source.nodes import Document, Mapping, Node, Scalar, Sequence, describe_node
from render.text.characters import flaws

KEYS = (
    "edition", "terms", "grammar", "clean_slate", "deck", "levels", "kinds", "reworded", "redacted", "revised_levels",
    "revised_ultra_points", "caveats", "conditions", "costs", "targets", "effects", "unknown",
)  # fmt: skip
GRAMMAR = {each.name: each.default for each in fields(Grammar)}  # its keys, and what holds without them
TERMS = ("minion", "sp", "hp", "level")
DECK = ("cards", "ultra_points")
LEVELS = ("hp_share", "round", "least_of_minion", "least_of_minion_ability", "least_of_spell_ability")
KIND = ("name", "sp_share", "hp_share", "abilities", "least", "least_of_ability", "frame")
FRAMES = ("minion", "spell")
NEEDED_LEVELS = ("hp_share", "least_of_minion_ability", "least_of_spell_ability")  # without them, no level follows
LIMITED = ("x", "y", "z")
REWORDING = ("old", "new")
REVISION = ("text", "edition")
UNKNOWN = ("section", "line", "words", "kind")
# The key of a list of components, and that of the formula of each: `t: x` says that the targets, t, are x.
ROLES = {
    "caveats": (Role.CAVEAT, "level"),
    "conditions": (Role.CONDITION, ""),
    "costs": (Role.COST, "level"),
    "targets": (Role.TARGET, "t"),
    "effects": (Role.EFFECT, "level"),
}
# The field of `Component` that each of these keys gives; a condition may have `level` or `a`, or neither.
MEASURES = {"level": "level", "t": "level", "a": "factor"}

EDITION = FileKind("D", "edition", {
    "edition": "17", "terms": "{minion: minion, sp: SP, hp: HP, level: level}", "deck": "{cards: 40-60}",
    "minion": "minion", "sp": "SP", "hp": "HP", "level": "x/2", "t": "x", "cards": "40-60", "hp_share": "1/2",
    "least_of_minion_ability": "1", "least_of_spell_ability": "0", "old": "in-play card", "new": "on-field minion",
    "text": "destroy the targets", "terms.level": "level", "round": "card", "least_of_minion": "1", "a": "1/2",
    "limits": "{x: 14}", "grammar": "{costs: and}", "name": "relic",
    "sp_share": "1", "section": "effects", "line": "812", "words": "“Frobnicate the targets.”",
})  # fmt: skip

_CARDS = re.compile(r"([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,3}))?")
_SHARE = re.compile(r"(0|[1-9][0-9]{0,3})(?:/([1-9][0-9]{0,3}))?")

T = TypeVar("T")
_ReadEntry: TypeAlias = Callable[[Fields], T | None]


SHIPPED = Path(__file__).parent / "data"


def read(file: Path, home: Path | None = None) -> Edition:
    """Return the rules in a data file; Refused with every mistake in it. `home` is as in `source.reader.read`."""
    document = source.read(file, home)
    reader = _Reader(fields_of(EDITION, document, document.root))
    edition = reader.edition()
    if reader.findings or edition is None:
        raise Refused(reader.findings)
    return edition


@cached(256)
def usual_grammar(number: int) -> Grammar:
    """Return the grammar of an edition whose file says none, or that has no file: that of the program's own files.

    An edition before the first of them is written as that one is, one behind the last as the last.
    """
    file = next((file for file in sorted(SHIPPED.glob("??.yaml")) if int(file.stem) >= number), None)
    return read(file).grammar if file else Grammar()


@dataclass(slots=True)
class _Reader:
    """Reads one data file, and remembers the place of each entry for mistakes between entries."""

    fields: Fields
    counts: Counter[str] = field(default_factory=Counter)
    places: dict[EntryPlace, Callable[[], Span]] = field(default_factory=dict)

    @property
    def findings(self) -> list[Diagnostic]:
        return self.fields.findings

    @property
    def document(self) -> Document:
        return self.fields.document

    def edition(self) -> Edition | None:
        """Return the edition; None if something indispensable is wrong. All mistakes are noted."""
        fields = self.fields
        fields.check_keys(KEYS)
        # What is missing has a stand-in below, so that mistakes in the rest are found, too; it is not returned.
        number, terms, deck = _whole(fields, "edition", 1), self._terms(), self._deck()
        edition = Edition(
            number=number or LAST_EDITION,
            terms=terms or Terms("", "", "", ""),
            deck=deck or DeckRules(0, 0),
            grammar=self._grammar(number),
            clean_slate=fields.whole("clean_slate", 1, LAST_EDITION),
            levels=self._levels(),
            kinds=self._entries("kinds", "kinds", KIND, _kind),
            rewordings=self._entries("reworded", "rewordings", REWORDING, _rewording),
            redacted=self._redacted(),
            revisions=self._entries("revised_levels", "revisions", REVISION, _revision),
            ultra_revisions=self._entries("revised_ultra_points", "ultra_revisions", REVISION, _revision),
            components=self._components(),
            unknown=self._entries("unknown", "unknown", UNKNOWN, _unknown),
        )
        for mistake in find_mistakes(edition):
            other = f", first at {self._place(mistake.other)}" if mistake.other else ""
            problem = mistake.problem
            fields.add(replace(problem, message=problem.message + other), self._place(mistake.entry))
        return edition if number and terms and deck else None

    def _place(self, entry: EntryPlace) -> Span:
        """Return the place of an entry, or of a value outside lists."""
        return self.places[entry]() if entry in self.places else self.fields.place(entry.section)

    # --- one value each -----

    def _terms(self) -> Terms | None:
        terms = _inner(self.fields, "terms", TERMS)
        if terms is None:
            return None
        minion, sp, hp, level = (terms.words(key) for key in TERMS)
        return Terms(minion, sp, hp, level) if minion and sp and hp and level else None

    def _grammar(self, number: int | None) -> Grammar:
        if "grammar" not in self.fields.values:
            return Grammar() if self.document.file.parent == SHIPPED or number is None else usual_grammar(number)
        inner = self.fields.inner("grammar")
        if inner is None:
            return Grammar()
        inner.check_keys(GRAMMAR)
        said: dict[str, Any] = {
            key: inner.choice(key, usual) if isinstance(usual, Enum) else inner.truth(key, usual)
            for key, usual in GRAMMAR.items()
        }
        return replace(Grammar(), **said)

    def _deck(self) -> DeckRules | None:
        deck = _inner(self.fields, "deck", DECK)
        if deck is None:
            return None
        size = _CARDS.fullmatch(deck.words("cards"))
        ultra_points = deck.whole("ultra_points")
        if size is None:
            # `words` has noted anything but a scalar already.
            if isinstance(deck.values.get("cards"), Scalar):
                deck.expected("cards", "a number of cards such as `40` or `40-60`")
            return None
        # Up to the 10th Edition a deck has exactly 40 cards (rulebook, "Setup and Deck Building").
        least, most = int(size[1]), int(size[2] or size[1])
        return DeckRules(least, most, ultra_points)

    def _levels(self) -> LevelRules | None:
        if "levels" not in self.fields.values:
            return None
        levels = _inner(self.fields, "levels", LEVELS)
        if levels is None:
            return None
        return LevelRules(
            _share(levels, "hp_share") or Fraction(0),
            levels.whole("least_of_minion_ability", 0, LAST_EDITION) or 0,
            levels.whole("least_of_spell_ability", 0, LAST_EDITION) or 0,
            levels.choice("round", Rounding.ABILITY),
            levels.whole("least_of_minion", 0, LAST_EDITION) or 0,
            frozenset(NEEDED_LEVELS) - frozenset(levels.values),
        )

    # --- lists -----

    def _items(self, key: str) -> tuple[Node, ...]:
        node = self.fields.values.get(key)
        if node is None or isinstance(node, Sequence):
            return node.items if node else ()
        self.fields.expected(key, "a list")
        return ()

    def _entries(self, key: str, section: str, known: tuple[str, ...], read: _ReadEntry[T]) -> tuple[T, ...]:
        """Return the entries of a list of mappings; the first known key marks an entry's place."""
        entries: list[T] = []
        for index, node in enumerate(self._items(key)):
            if not isinstance(node, Mapping):
                self._expected(key, node, f"keys and values such as `{known[0]}: {EDITION.examples[known[0]]}`")
                continue
            fields = self.fields.within(f"{key}.{index}", node)
            fields.check_keys(known)
            entry = read(fields)
            if entry is not None:
                self._remember(section, fields, known)
                entries.append(entry)
        return tuple(entries)

    def _remember(self, section: str, fields: Fields, known: tuple[str, ...]) -> None:
        """Note the places of an entry and its parts; the first known key stands for the whole."""
        index = self.counts[section]
        self.counts[section] += 1
        self.places[EntryPlace(section, index)] = partial(fields.place, known[0])
        for key in known:
            if key in fields.values:
                part = MEASURES.get(key, key)
                self.places[EntryPlace(section, index, part)] = partial(fields.place, key)

    def _redacted(self) -> tuple[str, ...]:
        texts: list[str] = []
        for node in self._items("redacted"):
            if not isinstance(node, Scalar) or not node.value.strip():
                self._expected("redacted", node, "a text")
                continue
            for flaw in flaws(node.value, self.fields.family, lines=False):
                place = self.document.locate(node, flaw.start, flaw.end)
                named = replace(flaw, message=f"{flaw.message}, in `redacted`")
                self.fields.add(named, place, "redacted")
            self.places[EntryPlace("redacted", len(texts))] = partial(self.document.span, node)
            texts.append(normalize_quotes(node.value))
        return tuple(texts)

    def _components(self) -> tuple[Component, ...]:
        components: list[Component] = []
        for key, (role, measure) in ROLES.items():
            known = ("text", *((measure,) if measure else ("level", "a")), "ultra_points", "limits")
            components += self._entries(key, "components", known, _component_reader(role, measure))
        return tuple(components)

    def _expected(self, key: str, node: Node, wanted: str) -> None:
        self.fields.note("005", f"expected {wanted}, found {describe_node(node)}", self.document.span(node), key=key)


# --- entries --------------------------------------------------------------------------------------------------------


def _rewording(fields: Fields) -> Rewording | None:
    old, new = normalize_quotes(fields.words("old")), normalize_quotes(fields.words("new"))
    return Rewording(old, new) if old and new else None


def _revision(fields: Fields) -> Revision | None:
    text, since = normalize_quotes(fields.words("text")), _whole(fields, "edition", 1, LAST_EDITION)
    return Revision(text, since) if text and since else None


def _kind(fields: Fields) -> NewKind | None:
    name = fields.words("name") if fields.given("name") else ""
    if name and (not NAME_OF_KIND.fullmatch(name) or name in declaration().kinds_by_name):
        fields.expected("name", "a word for a new kind of card, such as `relic`")
        return None
    found = NewKind(
        name=name,
        sp_share=_share(fields, "sp_share"),
        hp_share=_share(fields, "hp_share"),
        abilities=fields.choice("abilities", AbilityCount.ANY),
        least=fields.whole("least", 0, LAST_EDITION) or 0,
        least_of_ability=fields.whole("least_of_ability", 0, LAST_EDITION) or 0,
        frame=fields.word("frame", FRAMES, ""),
    )
    return found if name else None


NAME_OF_KIND = re.compile(r"[a-z][a-z-]{0,29}")


def _unknown(fields: Fields) -> UnknownWords | None:
    section = fields.words("section")
    if section and section not in SECTIONS:
        hint, near = did_you_mean(section, SECTIONS), nearest_word(section, SECTIONS)
        fields.expected("section", "a key of such a file, as `effects`", hint, instead=near)
    line = fields.whole("line", 1, LAST_LINE) if fields.given("line") else None
    words = fields.words("words", what="piece of the page")
    kind = fields.words("kind") if "kind" in fields.values else ""
    return UnknownWords(section, line, words, kind) if section and line and words else None


SECTIONS = tuple(key for key in KEYS if key not in ("edition", "unknown"))
LAST_LINE = 9_999_999  # the pages of the game have fewer than two thousand lines


def _component_reader(role: Role, measure: str) -> _ReadEntry[Component]:
    """Return a reader of components of a role; `measure` is the key of their formula, if they must have one."""

    def read_component(fields: Fields) -> Component | None:
        text = normalize_quotes(fields.words("text"))
        level = _formula(fields, measure or "level") if measure or "level" in fields.values else None
        factor = _formula(fields, "a") if not measure and "a" in fields.values else None
        ultra_points = fields.whole("ultra_points") or 0
        limits = _limits(fields)
        if not text:
            return None
        return Component(role=role, text=text, level=level, ultra_points=ultra_points, factor=factor, limits=limits)

    return read_component


def _limits(fields: Fields) -> tuple[tuple[str, int], ...]:
    """Return the greatest number of each variable that has one."""
    inner = fields.inner("limits")
    if inner is None:
        return ()
    inner.check_keys(LIMITED)
    given = ((variable, inner.whole(variable, 1)) for variable in LIMITED)
    return tuple((variable, most) for variable, most in given if most is not None)


# --- values ---------------------------------------------------------------------------------------------------------


def _inner(fields: Fields, key: str, known: tuple[str, ...]) -> Fields | None:
    """Return the fields of a required mapping; None, and a finding, if it is missing."""
    inner = fields.inner(key) if fields.given(key) else None
    if inner is not None:
        inner.check_keys(known)
    return inner


def _whole(fields: Fields, key: str, least: int, most: int = LAST_EDITION) -> int | None:
    return fields.whole(key, least, most) if fields.given(key) else None


def _share(fields: Fields, key: str) -> Fraction | None:
    """Return a share exactly, since the error of a float could round a whole level up; None if none is given."""
    share = _SHARE.fullmatch(fields.words(key)) if key in fields.values else None
    if share is None and isinstance(fields.values.get(key), Scalar):
        fields.expected(key, "a fraction such as `1/2`")
    return Fraction(int(share[1]), int(share[2] or 1)) if share else None


def _formula(fields: Fields, key: str) -> Formula | None:
    words = fields.words(key)
    try:
        return formula.parse(words) if words else None
    except ValueError as error:
        message = f"{quoted(words)} is no formula: {error}"
        fields.note("030", message, fields.place(key), "write one such as `x`, `2x`, `xt/2` or `(x + 4y)/5`", key)
        return None

"""Read the data file of an edition, `editions/NN.yaml`, by tables of its keys.

A row of a table says how a key is read, what editors may write there, and what the reference says of it;
`editions/README.md` describes the format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import structs
from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Refused, Span, did_you_mean, nearest_word, quoted
from render.base.patterns import regex
from render.base.resources import TEMPLATES
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
from render.source import shapes
from render.source.fields import HIGHEST, Fields, fields_of
from render.source.file_kinds import FileKind
from render.source.key_tables import FULL_LINE, Key, KeyTable, Value, choice, truth, whole, word
from render.source.nodes import Mapping, Node, Scalar, Sequence, describe_node
from render.text.characters import flaws

EDITION = FileKind("D", "edition", {
    "edition": "17", "terms": "{minion: minion, sp: SP, hp: HP, level: level}", "deck": "{cards: 40-60}",
    "minion": "minion", "sp": "SP", "hp": "HP", "level": "x/2", "t": "x", "cards": "40-60", "hp_share": "1/2",
    "least_of_minion_ability": "1", "least_of_spell_ability": "0", "old": "in-play card", "new": "on-field minion",
    "text": "destroy the targets", "terms.level": "level", "round": "card", "least_of_minion": "1", "a": "1/2",
    "limits": "{x: 14}", "grammar": "{costs: and}", "name": "relic",
    "sp_share": "1", "section": "effects", "line": "812", "words": "“Frobnicate the targets.”",
})  # fmt: skip

SHIPPED = Path(__file__).parent / "data"

T = TypeVar("T")

# --- values ---------------------------------------------------------------------------------------------------------

_SHARE = regex(r"(0|[1-9][0-9]{0,3})(/[1-9][0-9]{0,3})?")
_CARDS = regex(r"[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?")
_KIND_NAME = regex(r"[a-z][a-z-]{0,29}")
_NO_NAMES = ("auto", "none", "null", "true", "false", "yes", "no", "on", "off")
_A_SHARE, _A_SIZE = "a fraction such as `1/2`", "a number of cards such as `40` or `40-60`"
_A_KIND_NAME = "a word for a new kind of card, such as `relic`"


def _share(fields: Fields, key: str, _: object) -> Fraction | None:
    """Return a share exactly, since the error of a float could round a whole level up."""
    share = _SHARE.fullmatch(fields.words(key))
    if share is None and isinstance(fields.values[key], Scalar):
        fields.expected(key, _A_SHARE)
    return Fraction(share[0]) if share else None


def _size(fields: Fields, key: str, around: object) -> tuple[int, int] | None:
    size = _CARDS.fullmatch(fields.words(key))
    if size is None:
        if isinstance(fields.values[key], Scalar):
            fields.expected(key, _A_SIZE)
        return None
    # Up to the 10th Edition a deck has exactly 40 cards (rulebook, "Setup and Deck Building").
    least, _, most = size[0].partition("-")
    return int(least), int(most or least)


def _formula(fields: Fields, key: str, _: object) -> Formula | None:
    words = fields.words(key)
    try:
        return formula.parse(words) if words else None
    except ValueError as error:
        message = f"{quoted(words)} is no formula: {error}"
        fields.note("030", message, fields.place(key), "write one such as `x`, `2x`, `xt/2` or `(x + 4y)/5`", key)
        return None


def _kind_name(fields: Fields, key: str, _: object) -> str:
    name = fields.words(key)
    if not name:
        return ""
    taken = _taken_names().get(name, "")
    if taken or not _KIND_NAME.fullmatch(name):
        fields.expected(key, _A_KIND_NAME, taken and f"{taken}: give the new kind another name")
        return ""
    return name


@cached(1)
def _taken_names() -> dict[str, str]:
    """Return the names that no new kind can have, and what each is already."""
    drawn = {
        file.stem: f"the template `{file.stem}` draws something else" for file in (TEMPLATES / "kotc").glob("*.svg")
    }
    kinds = {name: f"`{name}` is a kind of card already" for name in declaration().kinds_by_name}
    words = {name: f"`{name}` says in YAML, or on a card, something else than a name" for name in _NO_NAMES}
    return {**drawn, **words, **kinds}


def _section(fields: Fields, key: str, _: object) -> str:
    section = fields.words(key)
    if section and section not in SECTIONS:
        hint, near = did_you_mean(section, SECTIONS), nearest_word(section, SECTIONS)
        fields.expected(key, "a key of such a file, as `effects`", hint, instead=near)
    return section


TEXT = Value(shapes.FULL_LINE, lambda fields, key, _: normalize_quotes(fields.words(key)))
FORMULA = Value(shapes.FULL_LINE, _formula)
NUMBER, LEAST = whole(1, LAST_EDITION), whole(0, LAST_EDITION)
SHARE = Value(shapes.either(shapes.whole(0, HIGHEST), shapes.matching(f"^{_SHARE.pattern}$", _A_SHARE)), _share)
SIZE = Value(shapes.either(shapes.whole(1, HIGHEST), shapes.matching(f"^{_CARDS.pattern}$", _A_SIZE)), _size)
KIND_NAME = Value(
    {
        **shapes.matching(f"^{_KIND_NAME.pattern}$", _A_KIND_NAME),
        "not": {"pattern": f"^({'|'.join(sorted(_taken_names()))})$"},
    },
    _kind_name,
)

# --- mappings within the file ---------------------------------------------------------------------------------------


def mapped(table: KeyTable, make: Callable[..., T]) -> Value:
    """Return a mapping; what is read is what `make` makes of its values."""

    def read(fields: Fields, key: str, _: object) -> T | None:
        within = fields.inner(key)
        return make(**table.read(within)) if within else None

    return Value(table.shape, read)


TERMS = KeyTable(*(Key(each, FULL_LINE, needed=True, default="") for each in ("minion", "sp", "hp", "level")))
GRAMMAR = KeyTable(*(
    Key(each.name, choice(usual) if isinstance(usual := each.default, Enum) else truth(default=True), default=usual)
    for each in structs.fields(Grammar)
))  # fmt: skip
DECK = KeyTable(Key("cards", SIZE, needed=True), Key("ultra_points", whole(0, HIGHEST)))
LEVELS = KeyTable(
    Key("hp_share", SHARE, default=Fraction(0)),
    Key("round", choice(Rounding.ABILITY), default=Rounding.ABILITY, attribute="rounding"),
    Key("least_of_minion", LEAST, default=0),
    Key("least_of_minion_ability", LEAST, default=0),
    Key("least_of_spell_ability", LEAST, default=0),
)
NEEDED_LEVELS = ("hp_share", "least_of_minion_ability", "least_of_spell_ability")  # without them, no level follows
LIMITS = KeyTable(*(Key(variable, whole(1, HIGHEST)) for variable in "xyz"))


def _terms(**words: str) -> Terms | None:
    return Terms(**words) if all(words.values()) else None


def _deck(cards: tuple[int, int] | None, ultra_points: int | None) -> DeckRules | None:
    return DeckRules(*cards, ultra_points) if cards else None


def _levels(fields: Fields, key: str, _: object) -> LevelRules | None:
    within = fields.inner(key)
    if within is None:
        return None
    return LevelRules(**LEVELS.read(within), missing=frozenset(NEEDED_LEVELS) - frozenset(within.values))


def _limits(**most: int | None) -> tuple[tuple[str, int], ...]:
    """Return the greatest number of each variable that has one."""
    return tuple((variable, number) for variable, number in most.items() if number is not None)


# --- lists ----------------------------------------------------------------------------------------------------------


class Entries:
    """Reads the lists of a file, and remembers the place of each entry for mistakes between entries."""

    def __init__(self) -> None:
        self.places: dict[EntryPlace, Callable[[], Span]] = {}
        self._counts: Counter[str] = Counter()

    def read(self, fields: Fields, key: str, section: str, table: KeyTable, make: Callable[..., T]) -> tuple[T, ...]:
        """Return the entries of a list of mappings; the first key of the table marks an entry's place."""
        found: list[T] = []
        first = table.names[0]
        needed = [each.attribute or each.name for each in table.keys if each.needed and each.value is not FORMULA]
        for index, node in enumerate(self._items(fields, key)):
            if not isinstance(node, Mapping):
                self._expected(fields, key, node, f"keys and values such as `{first}: {EDITION.examples[first]}`")
                continue
            within = fields.within(f"{key}.{index}", node)
            values = table.read(within)
            if all(values[name] for name in needed):
                number = self._counts[section]
                self._counts[section] += 1
                self.places[EntryPlace(section, number)] = partial(within.place, first)
                for each in table.keys:
                    if each.name in within.values:
                        place = EntryPlace(section, number, each.attribute or each.name)
                        self.places[place] = partial(within.place, each.name)
                found.append(make(**values))
        return tuple(found)

    def texts(self, fields: Fields, key: str) -> tuple[str, ...]:
        """Return the texts of a list."""
        texts: list[str] = []
        for node in self._items(fields, key):
            if not isinstance(node, Scalar) or not node.value.strip():
                self._expected(fields, key, node, "a text")
                continue
            for flaw in flaws(node.value, fields.family, lines=False):
                place = fields.document.locate(node, flaw.start, flaw.end)
                fields.add(replace(flaw, message=f"{flaw.message}, in `{key}`"), place, key)
            self.places[EntryPlace(key, len(texts))] = partial(fields.document.span, node)
            texts.append(normalize_quotes(node.value))
        return tuple(texts)

    def _items(self, fields: Fields, key: str) -> tuple[Node, ...]:
        node = fields.values[key]
        if isinstance(node, Sequence):
            return node.items
        first = f", such as `- {{name: {EDITION.examples['name']}, hp_share: 1/3}}`" if key == "kinds" else ""
        fields.expected(
            key, "a list", f"write below `{key}:` each entry behind `- `{first}; without any, remove `{key}`"
        )
        return ()

    def _expected(self, fields: Fields, key: str, node: Node, wanted: str) -> None:
        fields.note("005", f"expected {wanted}, found {describe_node(node)}", fields.document.span(node), key=key)


def _list(section: str, table: KeyTable, make: Callable[..., T]) -> Value:
    """Return a list of mappings; `section` is the field of `Edition` that has what `make` makes of each."""
    return Value(
        shapes.listing(table.shape), lambda fields, key, entries: entries.read(fields, key, section, table, make)
    )


KIND = KeyTable(
    Key("name", KIND_NAME, needed=True),
    Key("sp_share", SHARE),
    Key("hp_share", SHARE),
    Key("abilities", choice(AbilityCount.ANY), default=AbilityCount.ANY),
    Key("least", LEAST, default=0),
    Key("least_of_ability", LEAST, default=0),
    Key("frame", word(("minion", "spell"), ""), default=""),
)
REWORDING = KeyTable(Key("old", TEXT, needed=True), Key("new", TEXT, needed=True))
REVISION = KeyTable(Key("text", TEXT, needed=True), Key("edition", NUMBER, needed=True))
TEXTS = Value(
    shapes.listing({**shapes.WORD, "pattern": shapes.FULL_LINE["pattern"]}),
    lambda fields, key, entries: entries.texts(fields, key),
)


def _component_table(measure: str) -> KeyTable:
    """Return the keys of a component; one without a formula of its own may have `level` or `a`, or neither."""
    formulas = [Key(measure or "level", FORMULA, needed=bool(measure), attribute="level")]
    formulas += [] if measure else [Key("a", FORMULA, attribute="factor")]
    points, limits = (
        Key("ultra_points", whole(0, HIGHEST), default=0),
        Key("limits", mapped(LIMITS, _limits), default=()),
    )
    return KeyTable(Key("text", TEXT, needed=True), *formulas, points, limits)


# The key of the formula of each: `t: x` says that the targets, t, are x.
COMPONENTS = {
    Role.CAVEAT: _component_table("level"),
    Role.CONDITION: _component_table(""),
    Role.COST: _component_table("level"),
    Role.TARGET: _component_table("t"),
    Role.EFFECT: _component_table("level"),
}


def _components(role: Role, words: str) -> Key:
    listed = _list("components", COMPONENTS[role], partial(Component, role=role))
    return Key(role.plural, listed, words, default=())


# --- the file -------------------------------------------------------------------------------------------------------

_RULES = KeyTable(
    Key("edition", NUMBER, "its number, that of the file's name", needed=True, attribute="number"),
    Key(
        "terms",
        mapped(TERMS, _terms),
        "what it calls a card with SP and HP (`minion`), and its `sp`, `hp` and `level`: creature, "
        "offense, defense and cost up to the 10th Edition, and level in the 11th",
        needed=True,
    ),
    Key(
        "grammar",
        mapped(GRAMMAR, Grammar),
        "how its cards [are written](#how-cards-are-written), if it is not as in the newest edition; "
        "without it, as in the shipped file of that number",
    ),
    Key("clean_slate", NUMBER, "the oldest design edition that is legal; without it, all are"),
    Key(
        "deck",
        mapped(DECK, _deck),
        "`cards`: how many a deck has, `40` or `40-60`; `ultra_points`: at most how many, where they exist",
        needed=True,
    ),
    Key(
        "levels",
        Value(LEVELS.shape, _levels),
        "`hp_share`: what part of its HP is added to a minion's SP; `round`: `card` if only the sum of "
        "the whole card is rounded up, `ability`, which is the default, if SP and HP, and each ability, "
        "are; `least_of_minion`, `least_of_minion_ability` and `least_of_spell_ability`: the least "
        "level of a minion (0 by default) and of an ability. A level to which something is missing is "
        "not calculated",
    ),
    Key(
        "kinds",
        _list("kinds", KIND, NewKind),
        "kinds of card beside minions and spells: [their names, numbers and levels](#new-kinds-of-card)",
        default=(),
    ),
    Key(
        "reworded",
        _list("rewordings", REWORDING, Rewording),
        "`old` texts and the `new` ones that take their place, one after the other until nothing changes any more",
        default=(),
        attribute="rewordings",
    ),
    Key("redacted", TEXTS, "texts that may not be played", default=()),
    Key(
        "revised_levels",
        _list("revisions", REVISION, Revision),
        "a `text` whose level or cost was revised, and in which `edition`: older designs with it may not be played."
        " A new level or cost needs this entry, by which `kotc upgrade` tells why cards with it are wrong",
        default=(),
        attribute="revisions",
    ),
    Key(
        "revised_ultra_points",
        _list("ultra_revisions", REVISION, Revision),
        "the same of Ultra Points: those of older designs are worked out anew for a deck",
        default=(),
        attribute="ultra_revisions",
    ),
    _components(Role.CAVEAT, "caveats up to the 11th Edition, with the `level` that they take off SP and HP"),
    _components(
        Role.CONDITION,
        "activation conditions: up to the 10th Edition with the `level` that they take off the ability, "
        "in the 11th with `a`, a factor of its effects",
    ),
    _components(Role.COST, "activation costs, with the `level` they take off"),
    _components(Role.TARGET, "target selections, with `t`, what the targets count in effects"),
    _components(Role.EFFECT, "effects, with the `level` they add"),
)
SECTIONS = tuple(key for key in _RULES.names if key != "edition")
LAST_LINE = 9_999_999  # the pages of the game have fewer than two thousand lines
PIECE = Value(shapes.FULL_LINE, lambda fields, key, _: fields.words(key, what="piece of the page"))
UNKNOWN = KeyTable(
    Key("section", Value(shapes.word(SECTIONS), _section), needed=True),
    Key("line", whole(1, LAST_LINE), needed=True),
    Key("words", PIECE, needed=True),
    Key("kind", TEXT, default=""),
)
KEYS = _RULES + KeyTable(
    Key(
        "unknown",
        _list("unknown", UNKNOWN, UnknownWords),
        "what an import did not understand: the `section` of this file, the `line` of the page and its "
        "`words`. Write what they say into the list, and remove the entry: until then nothing is judged "
        "that they might change. `kind` is a new kind of card of which alone they speak: other cards "
        "are judged. A later import keeps your file as `NN.yaml.old`",
        default=(),
    )
)


def read(file: Path, home: Path | None = None) -> Edition:
    """Return the rules in a data file; Refused with every mistake in it. `home` is as in `source.reader.read`."""
    return _parsed(source.read_text(file, home), file)


@cached(16)  # a command asks for the rules of a set many times
def _parsed(text: str, file: Path) -> Edition:
    document = source.parse(text, file)
    fields, entries = fields_of(EDITION, document, document.root), Entries()
    values = KEYS.read(fields, entries)
    number, terms, deck, grammar = (values.pop(key) for key in ("number", "terms", "deck", "grammar"))
    if grammar is None:
        grammar = Grammar() if file.parent == SHIPPED or number is None else usual_grammar(number)
    # What is missing has a stand-in, so that mistakes between entries are found, too; it is not returned.
    edition = Edition(
        number=number or LAST_EDITION,
        terms=terms or Terms("", "", "", ""),
        deck=deck or DeckRules(0, 0),
        grammar=grammar,
        components=tuple(each for role in Role for each in values.pop(role.plural)),
        **values,
    )

    def place(entry: EntryPlace) -> Span:
        """Return the place of an entry, or of a value outside lists."""
        return entries.places[entry]() if entry in entries.places else fields.place(entry.section)

    for mistake in find_mistakes(edition):
        first = f", first at {place(mistake.other)}" if mistake.other else ""
        problem = replace(mistake.problem, message=f"{mistake.problem.message}{first}")
        fields.add(problem, place(mistake.entry))
    if fields.findings or not (number and terms and deck):
        raise Refused(fields.findings)
    return edition


@cached(256)
def usual_grammar(number: int) -> Grammar:
    """Return the grammar of an edition whose file says none, or that has no file: that of the program's own files.

    An edition before the first of them is written as that one is, one behind the last as the last.
    """
    file = next((file for file in sorted(SHIPPED.glob("??.yaml")) if int(file.stem) >= number), None)
    return read(file).grammar if file else Grammar()

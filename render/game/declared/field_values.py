"""The values of the fields of a card, or of one of the small cards that it shows: read, inherited and derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from render.base.findings import Problem, Severity, has_errors, quoted
from render.game import card_keys
from render.game.cards import CardPicture
from render.game.declared.cards import DeclaredCard
from render.game.declared.reading.derived import derive, why_not_derived
from render.game.declared.reading.field_keys import DeclaredField, FieldType, FieldValue, read_value
from render.game.declared.reading.game_rules import GameRules
from render.game.declared.reading.kind_keys import DeclaredKind
from render.game.home import Home
from render.layout.templates.mistakes import lacks_value
from render.source.fields import Fields
from render.source.nodes import Scalar
from render.source.scalar_values import ScalarStyle

EMPTY: Mapping[FieldType, FieldValue] = {FieldType.NUMBER: None, FieldType.FLAG: False, FieldType.LIST: ()}
"""The values of fields that are not given; of all others it is an empty text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValues:
    """The values of all fields, the pictures of those that have one, and the other names by which fields are given.

    `given` are the fields that are written, without those that have a default.
    """

    values: Mapping[str, FieldValue] = field(default_factory=dict)
    pictures: Mapping[str, CardPicture] = field(default_factory=dict)
    written_as: tuple[tuple[str, str], ...] = ()
    given: frozenset[str] = frozenset()


NOTHING = FieldValues()

BETWEEN = " // "
"""Stands between the names of the small cards that a card shows, and between their texts."""


def read_values(
    fields: Fields, rules: GameRules, kind: DeclaredKind, home: Home, above: FieldValues | None = NOTHING
) -> FieldValues:
    """Return the values that a mapping gives, with empty ones in place of mistakes, which are noted.

    What it leaves out comes from `above`, then from the defaults. Fields that must be given are missed unless `above`
    is None: then they may be given below.
    """
    written, inherited = written_as(fields, rules, kind), above or NOTHING
    own = dict(written)
    values: dict[str, FieldValue] = {}
    pictures: dict[str, CardPicture] = {}
    given = set(inherited.given)
    for each in rules.fields:
        key = own.get(each.name, each.name)
        if each.value:
            continue
        if each.name in kind.fields and key in fields.values:
            given.add(each.name)
            values[each.name] = read_value(fields, key, each, each.default)
            if each.type is FieldType.LIST:
                _note_commas(fields, key)
            if each.type in TEXTS:
                is_rich = each.type is FieldType.RICH
                lines = is_rich or each.type is FieldType.TEXT
                fields.note_marks(key, str(values[each.name]), lines=lines, rich=is_rich)
            if each.is_rich and (text := values[each.name]):
                from render.game.declared.reading.rich_fields import note_rich

                note_rich(fields, key, each, rules, str(text))
            if each.type is FieldType.PICTURE and (picture := read_picture(fields, key, str(values[each.name]), home)):
                pictures[each.name] = picture
            continue
        usual = each.default if each.name in kind.fields else EMPTY.get(each.type, "")
        values[each.name] = inherited.values.get(each.name, usual)
        if each.name in inherited.pictures:
            pictures[each.name] = inherited.pictures[each.name]
        if each.name in kind.required and each.name not in given and above is not None:
            _missing(fields, each)
    return FieldValues(values=values, pictures=pictures, written_as=written, given=frozenset(given))


def read_picture(fields: Fields, key: str, name: str, home: Home) -> CardPicture | None:
    """Return a picture by its path; None without a path, or one that cannot be in the set, which is noted."""
    file = card_keys.read_picture_file(fields, key, name, home) if name else None
    return CardPicture(name, file) if file else None


def with_derived(
    fields: Fields, rules: GameRules, kind: DeclaredKind, derived: list[DeclaredField], before: Mapping[str, FieldValue]
) -> Mapping[str, FieldValue]:
    """Return values with those of `derived` fields, in their order; what does not follow is noted.

    After an error nothing follows, nor from keys that could not be read. What any card of a kind may lack is told at the
    expression, and once.
    """
    if fields.node.lost or has_errors(fields.findings):
        return before
    found, wrong = derive(derived, before, kind)
    for each, failed in wrong:
        node = rules.node("fields", each.name, "value")
        place = rules.document.span(node) if node else fields.start
        problem = why_not_derived(rules, kind, each, failed)
        if not lacks_value(str(failed)):
            place, problem = fields.start, replace(problem, hint=problem.hint or f"it is written at {place}")
        fields.add(problem, place)
    return found


def joined_values(
    rules: GameRules, derived: Sequence[DeclaredField], card: DeclaredCard, given: FieldValues
) -> Mapping[str, FieldValue]:
    """Return the values of a card that shows several: those that it gives itself, and else those of the small cards.

    These are the texts and lists of all, else the value of the first; pictures are those of the small cards alone.
    What follows from texts of several may be more than an expression foresees: then it is what follows for the first.
    """
    faces = [dict(each.values) for each in card.small]
    values = {each.name: _as_one(each, [face[each.name] for face in faces]) for each in rules.fields}
    values |= {name: given.values[name] for name in given.given}
    art = card.art.name if card.art else ""
    own: Mapping[str, FieldValue] = {"name": card.name, "kind": card.kind.value, "copies": card.copies, "art": art}
    found, wrong = derive([*derived], {**values, **own}, card.kind)
    return values if wrong else found


def _as_one(declared: DeclaredField, values: Sequence[FieldValue]) -> FieldValue:
    if declared.type is FieldType.PICTURE:
        return ""
    if declared.type is FieldType.LIST:
        return tuple(dict.fromkeys(item for value in values if isinstance(value, tuple) for item in value))
    if declared.value or declared.type not in TEXTS:
        return values[0]
    said = [str(value) for value in values if value not in ("", None)]
    # A cost that both have is to be paid for each.
    return BETWEEN.join(said if declared.type is FieldType.ICONS else dict.fromkeys(said))


TEXTS = (FieldType.LINE, FieldType.TEXT, FieldType.RICH, FieldType.ICONS)
"""The types of fields that are texts."""


def _note_commas(fields: Fields, key: str) -> None:
    """Warn of one text with commas, such as `a, b`, in place of a list; quotes say that it is one."""
    node = fields.values[key]
    if not isinstance(node, Scalar) or node.style is not ScalarStyle.PLAIN or "," not in node.value:
        return
    items = [item.strip() for item in node.value.strip(" ,").split(",")]
    if len(items) < 2 or not all(0 < len(item.split()) <= MAX_ITEM for item in items):
        return
    message = f"`{fields.path}{key}` is a list, and {quoted(node.value)} is one text in it"
    problem = Problem("C023", message, fields.document.listing(key, items), Severity.WARNING)
    fields.add(problem, fields.place(key), key)


MAX_ITEM = 3  # words: longer ones between commas are parts of a sentence


def _missing(fields: Fields, declared: DeclaredField) -> None:
    """Note a field that is not given and must be, with the game's own hint if it has one."""
    before = len(fields.findings)
    fields.missing(declared.name)
    if declared.hint and len(fields.findings) > before:
        last = fields.findings[-1]
        fields.findings[-1] = replace(last, hint=f"{last.hint}: {declared.hint}")


def written_as(fields: Fields, rules: GameRules, kind: DeclaredKind) -> tuple[tuple[str, str], ...]:
    """Return the fields that are given by another name, each with that name; note those that are given twice."""
    found = {}
    for each in rules.fields:
        names = [name for name in (each.name, *each.aliases) if name in fields.values]
        if each.name not in kind.fields:
            continue
        for second in names[1:]:
            message = f"`{second}` is another name of `{each.name}`, which is given as `{names[0]}`"
            fields.note("022", message, fields.place(second), "remove one of the two", second)
        if names and names[0] != each.name:
            found[each.name] = names[0]
    return tuple(found.items())

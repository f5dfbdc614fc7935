"""Read a card by what its game declares: with the messages that every card gets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from render.base.findings import Diagnostic, has_errors, listed, quoted
from render.game import card_keys, ids
from render.game.card_keys import CardReading, Surroundings
from render.game.cards import CardPicture
from render.game.declared.card_table import (
    EXAMPLES,
    TEXTS,
    CardAround,
    KeysOfKind,
    file_of_cards,
    keys_of_kind,
    read_art,
)
from render.game.declared.cards import BETWEEN, DeclaredCard
from render.game.declared.reading.derived import derive, in_order
from render.game.declared.reading.field_keys import EMPTY, DeclaredField, FieldType, FieldValue
from render.game.declared.reading.game_rules import GameRules
from render.game.declared.reading.kind_keys import DeclaredKind, a_noun
from render.game.protocol import Game
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, fill_in, names_in
from render.layout.templates.mistakes import lacks_value
from render.source.fields import Fields
from render.source.nodes import Document, Scalar, Sequence, first_key
from render.source.nodes import Mapping as Nodes
from render.text.characters import NO_MORE, MoreFonts
from render.text.font_book import FontBook


class FieldValues(Struct, frozen=True, kw_only=True):
    """The values of all fields, the pictures of those that have one, and the other names by which fields are given.

    `given` are the fields that are written, without those that have a default.
    """

    values: Mapping[str, FieldValue] = field(default_factory=dict)
    pictures: Mapping[str, CardPicture] = field(default_factory=dict)
    written_as: tuple[tuple[str, str], ...] = ()
    given: frozenset[str] = frozenset()


NOTHING = FieldValues()


class DeclaredCardReader:
    """Reads the cards of one set."""

    def __init__(self, game: Game[Any, Any], rules: GameRules, around: Surroundings) -> None:
        self._game, self._rules, self._around = game, rules, around
        # Made once: games may have hundreds of fields.
        self._file, self._kinds, self._derived = file_of_cards(rules), rules.kinds_by_name, [*in_order(rules.fields)]
        self._keys = {name: keys_of_kind(rules, self._kinds.get(name)) for name in (*self._kinds, "")}
        self._values_around = CardAround(rules, around.home)
        self._to_derive = len(self._derived)
        self._id_overspends = False
        texts = [each for each in rules.fields if each.type in TEXTS]
        self._texts = {*card_keys.TEXT_KEYS, *(name for each in texts for name in (each.name, *each.aliases))}
        # What the set has in `fonts` counts, too.
        book = FontBook((around.card_set.folder, rules.folder), rules.fonts)
        self._fonts = MoreFonts(book.has, _NO_FONT, _WITH_FALLBACK) if book else NO_MORE

    def read(self, document: Document, node: Nodes) -> CardReading:
        """Return the result of reading the mapping of a card."""
        fields = Fields(document=document, node=node, kind=self._file, fonts=self._fonts)
        kind = self._kind(fields)
        keys = self._keys[kind.value if kind else ""]
        keys.check(fields)
        fields.note_cut_off(self._texts)
        name = self._name(fields, kind)
        claim = card_keys.claimed_id(fields) if "id" in fields.values or not self._rules.id_template else None
        if claim is None and kind and kind.faces > 1 and "id" not in fields.values:
            claim = card_keys.claim_of_name(fields, name, first_key(fields.node))
        fields.card = claim.id if claim and ids.is_id(claim.id) else ""
        # The keys of a name depend on the kind: what was found so far did not know of which card it is.
        fields.findings[:] = [replace(each, card=fields.card) for each in fields.findings]
        if kind is None:
            self._judge_values(fields)
            return CardReading(None, claim, tuple(fields.findings))
        card = self._card(fields, kind, keys, name)
        if kind.faces > 1 and not card.small:  # a slip in YAML may have cut them off, which was said
            return CardReading(None, claim, tuple(fields.findings))
        if self._rules.id_template and "id" not in fields.values and name:
            claim = self._made_id(fields, card)
            if claim is None:
                return CardReading(None, None, tuple(fields.findings))
            card = replace(card, id=claim.id)
        # A field that asks for too much is tried no more: without it, a card would be judged by what it is not.
        is_whole = len(self._derived) == self._to_derive and not has_errors(fields.findings) and not node.lost
        return CardReading(card if is_whole else None, claim, tuple(fields.findings))

    def _name(self, fields: Fields, kind: DeclaredKind | None) -> str:
        """Return the name of a card; that of one that shows several may be theirs together."""
        has_faces = kind.faces > 1 if kind else "faces" in fields.values
        if not has_faces or "name" in fields.values:
            return fields.words("name")
        node = fields.values.get("faces")
        items = node.items if isinstance(node, Sequence) else ()
        names = (item.get("name") for item in items if isinstance(item, Nodes))
        return BETWEEN.join(name.value.strip() for name in names if isinstance(name, Scalar))

    def _kind(self, fields: Fields) -> DeclaredKind | None:
        """Return the kind that a card gives; the only one of a game with one kind, if it gives none."""
        kinds = [*self._kinds]
        if "kind" not in fields.values and len(kinds) == 1:
            return self._kinds[kinds[0]]
        if not fields.given("kind", example=kinds[0]):
            return None
        word = fields.word("kind", kinds, "")
        return self._kinds[word] if word else None

    def _judge_values(self, fields: Fields) -> None:
        """Note what is wrong with the values of a card whose kind is not known: they mean the same in every kind."""
        kind = fields.values.get("kind")
        if isinstance(kind, Scalar) and kind.value.lower() == "kind":
            return  # a row of a table that repeats the header
        read_values(fields, self._keys[""], self._values_around)
        self._keys[""].common.read_values(fields, self._values_around)

    def _card(self, fields: Fields, kind: DeclaredKind, keys: KeysOfKind, name: str) -> DeclaredCard:
        """Return the card, with empty values in place of mistakes, which are noted."""
        found = read_values(fields, keys, self._values_around, NOTHING if kind.faces == 1 else None)
        given = keys.common.read_values(fields, self._values_around)
        given["template"] = given["template"] or kind.template
        own_back = kind.templates[1] if kind.has_two_sides else given["back"]
        given["back"] = own_back or self._around.card_set.backs.of(kind)
        card = DeclaredCard(
            id=fields.card,
            name=name,
            kind=kind,
            document=fields.document,
            node=fields.node,
            of_game=self._game,
            shown_pictures=tuple(found.pictures.items()),
            written_as=found.written_as,
            **given,
        )
        if kind.faces == 1:
            return self._whole(fields, card, found)
        small = tuple(self._small(fields, keys, card, found))
        if not small or has_errors(fields.findings):
            return card
        values = joined_values(self._rules, self._derived, replace(card, small=small), found)
        return replace(card, small=small, values=tuple((each.name, values[each.name]) for each in self._rules.fields))

    def _small(
        self, fields: Fields, keys: KeysOfKind, card: DeclaredCard, above: FieldValues
    ) -> Iterator[DeclaredCard]:
        """Yield the small cards that a card shows, which have what the card itself gives unless they give it."""
        kind, node = card.kind, fields.values.get("faces")
        if node is None:
            fields.missing("faces", "[{name: Day}, {name: Night}]")
            return
        items = node.items if isinstance(node, Sequence) else ()
        if len(items) != kind.faces or not all(isinstance(item, Nodes) for item in items):
            hint = fields.document.small_cards(kind.faces)
            if isinstance(node, Sequence) and len(items) != kind.faces:
                message = f"expected {kind.faces} small cards, found {len(items)}"
                fields.note("005", message, fields.place("faces"), hint, "faces")
            else:
                fields.expected("faces", f"{kind.faces} small cards", hint)
            return
        for number, item in enumerate(items):
            assert isinstance(item, Nodes)
            # What is lost of the card may have been meant for its faces, too.
            one = fields.within("faces", replace(item, lost=(*item.lost, *fields.node.lost)))
            one.path = f"faces.{number}."
            keys.check(one, is_face=True)
            found = read_values(one, keys, self._values_around, above)
            art = read_art(one, "art", self._values_around) or card.art
            if "art" in kind.required and art is None and not has_errors(one.findings):
                one.given("art", example=EXAMPLES["art"])
            small = replace(
                card,
                name=one.words("name"),
                art=art,
                node=item,
                shown_pictures=tuple(found.pictures.items()),
                written_as=found.written_as,
            )
            yield self._whole(one, small, found)

    def _whole(self, fields: Fields, card: DeclaredCard, found: FieldValues) -> DeclaredCard:
        """Return a card with its values, and those that follow from them."""
        before = {"name": card.name, "kind": card.kind.value, "copies": card.copies, "art": _path(card), **found.values}
        values = with_derived(fields, self._rules, card.kind, self._derived, before)
        return replace(card, values=tuple((each.name, values.get(each.name, "")) for each in self._rules.fields))

    def _made_id(self, fields: Fields, card: DeclaredCard) -> ids.Claim | None:
        """Return the id that follows by the rule of the game."""
        source, node = self._rules.id_template, fields.values.get("name", first_key(fields.node))
        if fields.node.lost or has_errors(fields.findings) or self._id_overspends:
            return None
        try:
            made = ids.slug(fill_in(source, in_expressions(card)))
        except ExpressionOverspent as failed:
            self._id_overspends = True
            self._note_id(fields, failed, f"{failed.hint}; it was not tried for other cards")
            return None
        except ExpressionFailed as failed:
            self._note_id(fields, failed, failed.hint)
            return None
        if not ids.is_id(made):
            what = quoted(made) if made else "no letters a to z and no digits"
            message = f"no id follows by {quoted(source)}: it gives {what}"
            fields.note("012", message, fields.start, "add a line such as `id: my-card`", "id")
            return None
        return ids.Claim(made, fields.document, node)

    def _note_id(self, fields: Fields, failed: ExpressionFailed, hint: str) -> None:
        """Note that no id follows for a card: at the card, with the place of the expression."""
        node = self._rules.node("id")
        where = f"; it is written at {self._rules.document.span(node)}" if node else ""
        message = f"the id does not follow: {failed}, in {quoted(self._rules.id_template)}"
        fields.note("021", message, fields.start, f"{hint}{where}".removeprefix("; "))


_NO_FONT = "neither a font of the game nor a bundled one has"
_WITH_FALLBACK = "or put a font that has it into `fonts`, and name its family in `fallback` of a role in game.yaml"


def _path(card: DeclaredCard) -> str:
    return card.art.name if card.art else ""


def in_expressions(card: DeclaredCard) -> dict[str, FieldValue]:
    """Return what expressions see of a card."""
    own: dict[str, FieldValue] = {"name": card.name, "kind": card.kind.value, "copies": card.copies, "art": _path(card)}
    return {**own, **dict(card.values)}


# --- values of fields ---


def read_values(
    fields: Fields, keys: KeysOfKind, around: CardAround, above: FieldValues | None = NOTHING
) -> FieldValues:
    """Return the values that a mapping gives, with empty ones in place of mistakes, which are noted.

    What it leaves out comes from `above`, then from the defaults. Fields that must be given are missed unless `above`
    is None: then they may be given below.
    """
    inherited, required = above or NOTHING, keys.kind.required if keys.kind else frozenset()
    values: dict[str, FieldValue] = {}
    pictures: dict[str, CardPicture] = {}
    given, written_as = set(inherited.given), dict[str, str]()
    rows = {row.name: row for row in keys.fields.keys}
    for each in keys.rules.fields:
        if each.value:
            continue
        row = rows.get(each.name)
        names = row.given_in(fields) if row else []
        for second in names[1:]:
            message = f"`{second}` is another name of `{each.name}`, which is given as `{names[0]}`"
            fields.note("022", message, fields.place(second), "remove one of the two", second)
        if row and row.value.read and names:
            given.add(each.name)
            values[each.name], picture = row.value.read(fields, names[0], around)
            if names[0] != each.name:
                written_as[each.name] = names[0]
        else:
            usual = each.default if row else EMPTY.get(each.type, "")
            values[each.name], picture = inherited.values.get(each.name, usual), inherited.pictures.get(each.name)
            if each.name in required and each.name not in given and above is not None:
                _missing(fields, each)
        if picture:
            pictures[each.name] = picture
    return FieldValues(values=values, pictures=pictures, written_as=tuple(written_as.items()), given=frozenset(given))


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
        problem = _why_not_derived(rules, kind, each, failed)
        if not lacks_value(str(failed)):
            place, problem = fields.start, replace(problem, hint=problem.hint or f"it is written at {place}")
        fields.add(problem, place)
    return found


def _why_not_derived(
    rules: GameRules, kind: DeclaredKind, declared: DeclaredField, failed: ExpressionFailed
) -> Diagnostic:
    """Return what is said of a derived field that does not follow for a card of a kind."""
    message = f"`{declared.name}` does not follow: {failed}, in `{declared.value}`"
    if isinstance(failed, ExpressionOverspent):
        return Diagnostic("C021", message, f"{failed.hint}; it was not tried for other cards")
    lacking = list(_may_lack(rules, kind, declared.value))
    if lacks_value(str(failed)) and lacking:
        named = listed(lacking, "and")
        message = f"`{declared.name}` does not follow without {named}, which {a_noun(kind.value)} may lack"
        asked = " and ".join(f"{name} is not none" for name in lacking)
        whole = f"({declared.value})" if " if " in declared.value else declared.value
        return Diagnostic("C021", message, f"write `value: {whole} if {asked} else none`")
    return Diagnostic("C021", message, failed.hint)


def _may_lack(rules: GameRules, kind: DeclaredKind, value: str) -> Iterator[str]:
    """Yield the numbers that an expression names and cards of a kind need not have."""
    named = names_in(value)
    for each in rules.fields:
        sure = each.name in kind.required or (each.name in kind.fields and each.default is not None)
        if each.name in named and (each.value or (each.type is FieldType.NUMBER and not sure)):
            yield each.name


def joined_values(
    rules: GameRules, derived: SequenceOf[DeclaredField], card: DeclaredCard, given: FieldValues
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


def _as_one(declared: DeclaredField, values: SequenceOf[FieldValue]) -> FieldValue:
    if declared.type is FieldType.PICTURE:
        return ""
    if declared.type is FieldType.LIST:
        return tuple(dict.fromkeys(item for value in values if isinstance(value, tuple) for item in value))
    if declared.value or declared.type not in TEXTS:
        return values[0]
    said = [str(value) for value in values if value not in ("", None)]
    # A cost that both have is to be paid for each.
    return BETWEEN.join(said if declared.type is FieldType.ICONS else dict.fromkeys(said))


def _missing(fields: Fields, declared: DeclaredField) -> None:
    """Note a field that is not given and must be, with the game's own hint if it has one."""
    before = len(fields.findings)
    fields.missing(declared.name)
    if declared.hint and len(fields.findings) > before:
        last = fields.findings[-1]
        fields.findings[-1] = replace(last, hint=f"{last.hint}: {declared.hint}")

"""Read the cards of a game in YAML: what `game/card_reading` asks of a game, by what its `game.yaml` declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from functools import partial
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from render.base.findings import Diagnostic, has_errors, listed, quoted
from render.game import card_reading, ids
from render.game.card_reading import CardReader, CardReading, Surroundings
from render.game.cards import CardPicture, is_given
from render.game.declared.card_table import (
    EXAMPLES,
    TEXTS,
    file_of_cards,
    misplaced,
    table_of,
    table_of_all,
    table_of_face,
)
from render.game.declared.cards import BETWEEN, DeclaredCard
from render.game.declared.reading.derived import derive, in_order
from render.game.declared.reading.field_keys import EMPTY, DeclaredField, FieldType, FieldValue
from render.game.declared.reading.game_keys import COMMON
from render.game.declared.reading.game_rules import GameRules
from render.game.declared.reading.kind_keys import DeclaredKind, a_noun
from render.game.protocol import Game
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, fill_in, names_in
from render.layout.templates.mistakes import lacks_value
from render.source.fields import Fields
from render.source.key_tables import KeyTable
from render.source.nodes import Mapping as Nodes
from render.source.nodes import Scalar, Sequence, first_key
from render.text.characters import MoreFonts
from render.text.font_book import FontBook


class NamedKind(NamedTuple):
    """What a card is: its kind, None if it is not known, and its name."""

    kind: DeclaredKind | None
    name: str


_Plain = str | int | float | bool | None


class DeclaredCardReader(CardReader[NamedKind, DeclaredCard]):
    """Reads the cards of one set."""

    card_type = DeclaredCard
    shared_fields = ("of_game",)
    in_all_variants = (*CardReader.in_all_variants, "faces")
    field_types: ClassVar = dict.fromkeys(("values", "said"), tuple[tuple[str, _Plain | tuple[_Plain, ...]], ...])

    def __init__(self, game: Game[Any, Any], rules: GameRules, around: Surroundings) -> None:
        super().__init__(around)
        self._game, self._rules = game, rules
        # Made once: games may have hundreds of fields.
        self.file, self._derived = file_of_cards(rules), [*in_order(rules.fields)]
        self._tables = {kind.value: table_of(rules, kind) for kind in rules.kinds}
        two_faced = (kind for kind in rules.kinds if kind.faces > 1)
        self._of_faces = {kind.value: table_of_face(rules, kind).needing(kind.required - {"art"}) for kind in two_faced}
        self._of_all = table_of_all(rules)
        self.every_key = self._of_all.every_name
        self._empty = {each.name: EMPTY.get(each.type, "") for each in rules.fields if not each.value}
        self._to_derive = len(self._derived)
        self._id_overspends = False
        texts = [each for each in rules.fields if each.type in TEXTS]
        self.texts = {*card_reading.TEXT_KEYS, *(name for each in texts for name in (each.name, *each.aliases))}
        # What the set has in `fonts` counts, too.
        book = FontBook((around.card_set.folder, rules.folder), rules.every_font)
        self.fonts = MoreFonts(book.has, _NO_FONT, _WITH_FALLBACK) if book else MoreFonts(book.has, hint=_WITH_FONT)

    def recognize(self, fields: Fields) -> tuple[NamedKind, ids.Claim | None]:
        kinds = self._rules.kinds
        is_sole = "kind" not in fields.values and len(kinds) == 1
        kind = kinds[0] if is_sole else card_reading.read_kind(fields, kinds, "`kinds` in game.yaml")
        name = self._name(fields, kind)
        claim = card_reading.claimed_id(fields) if "id" in fields.values or not self._rules.id_template else None
        if claim is None and kind and kind.faces > 1 and "id" not in fields.values:
            claim = card_reading.claimed_id(fields, name, first_key(fields.node))
        # The keys of a name depend on the kind: what was found so far did not know of which card it is.
        fields.findings[:] = [replace(each, card=fields.card) for each in fields.findings]
        return NamedKind(kind, name), claim

    def _name(self, fields: Fields, kind: DeclaredKind | None) -> str:
        """Return the name of a card; that of one that shows several may be theirs together."""
        has_faces = kind.faces > 1 if kind else "faces" in fields.values
        if not has_faces or "name" in fields.values:
            return fields.words("name")
        node = fields.values.get("faces")
        items = node.items if isinstance(node, Sequence) else ()
        names = (item.get("name") for item in items if isinstance(item, Nodes))
        return BETWEEN.join(name.value.strip() for name in names if isinstance(name, Scalar))

    def table(self, fields: Fields, what: NamedKind) -> KeyTable:
        if what.kind:
            return self._tables[what.kind.value]
        kind = fields.values.get("kind")
        repeats_header = isinstance(kind, Scalar) and kind.value.lower() == "kind"  # a row of a table
        return self._of_all.reading(()) if repeats_header else self._of_all

    def misplaced(self, what: NamedKind, key: str) -> tuple[str, str, str] | None:
        return misplaced(self._rules, what.kind, key)

    def card(self, fields: Fields, what: NamedKind, given: Mapping[str, Any]) -> DeclaredCard | None:
        kind, name = what
        if kind is None:
            return None
        table, own = self._tables[kind.value], {key: value for key, value in given.items() if key in self._empty}
        common = {key: value for key, value in given.items() if key not in own}
        card_set = self.around.card_set
        said = common.pop("words", {}).get(card_set.foreign, {}).items()
        if kind.has_two_sides:
            common["back"] = kind.templates[1]
        values = self.values(fields, kind, common, kind.template)
        values |= {"said": tuple(said), "language": card_set.language}
        card = DeclaredCard(**values, **_of_fields(fields, table, own), name=name, of_game=self._game)
        if kind.faces == 1:
            return self._whole(fields, card, own)
        above = {key.name: own[key.name] for key in table.keys if key.name in own and key.given_in(fields)}
        small = tuple(self._small(fields, card, above))
        if not small or has_errors(fields.findings):
            return card
        return self._joined(replace(card, small=small), self._plain(above))

    def shared(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"kind": {each.value: each for each in self._rules.kinds}[kind], "of_game": self._game}

    def finish(self, fields: Fields, card: DeclaredCard | None, claim: ids.Claim | None) -> CardReading:
        """Return the reading of a card, with the id that follows by the rule of the game."""
        if card and card.kind.faces > 1 and not card.small:  # a slip in YAML may have cut them off, which was said
            card = None
        elif card and self._rules.id_template and "id" not in fields.values and card.name:
            claim = self._made_id(fields, card)
            card = replace(card, id=claim.id) if claim else None
        # A field that asks for too much is tried no more: without it, a card would be judged by what it is not.
        reading = super().finish(fields, card if len(self._derived) == self._to_derive else None, claim)
        if not (isinstance(reading.card, DeclaredCard) and self.around.card_set.foreign):
            return reading
        return replace(reading, complete=partial(self._in_language, fields, reading.card))

    # --- in another language -----

    def _in_language(self, fields: Fields, card: DeclaredCard) -> DeclaredCard | SequenceOf[Diagnostic]:
        """Return a card with what it says in the language of its set, or what does not follow from that."""
        fields, by_file = replace(fields, findings=[]), self.around.words
        said = {**(by_file.get(card.id) or by_file.get(card.name) or {}), **dict(card.said)}
        printed = self._saying(fields, card, said)
        if card.small:
            keys = self._tables[card.kind.value].keys
            above = [key.name for key in keys if key.name in ("name", *self._empty) and key.given_in(fields)]
            of_each = [*(said.get("faces") or ()), *({} for _ in card.small)]
            # A small card says what the card itself says, but for what it gives in its place.
            small = tuple(
                self._saying(
                    fields,
                    each,
                    {**{key: said[key] for key in above if key in said and not is_given(each, key)}, **words},
                )
                for each, words in zip(card.small, of_each, strict=False)
            )
            name = (
                printed.name if "name" in {*above, *dict(printed.said)} else BETWEEN.join(each.name for each in small)
            )
            values = dict(printed.values)
            given = {key: values[key] for key in above if key in values}
            printed = self._joined(replace(printed, name=name, small=small), given)
        return fields.findings or printed

    def _saying(self, fields: Fields, card: DeclaredCard, words: Mapping[str, Any]) -> DeclaredCard:
        """Return a card, or a small one, that says these words in place of its own."""
        known = ("name", *card.kind.fields)
        said = {key: value for key, value in words.items() if key in known}
        own = {key: value for key, value in card.values if key in self._empty}
        card = replace(card, name=str(said.get("name", card.name)), said=tuple(said.items()))
        return self._whole(fields, card, {**own, **{key: value for key, value in said.items() if key != "name"}})

    # --- in a variant -----

    def varied(
        self, fields: Fields, card: DeclaredCard, values: Mapping[str, Any]
    ) -> DeclaredCard | SequenceOf[Diagnostic]:
        """Return a card with these values, which its small cards have, too, and with what follows from them."""
        own = {key: value for key, value in values.items() if key in self._empty}
        printed = self._valued(fields, replace(card, **{key: values[key] for key in values if key not in own}), own)
        if card.small:
            keys = self._tables[card.kind.value].keys
            small = tuple(self._valued(fields, replace(each, variant=card.variant), own) for each in card.small)
            above = {
                key: value
                for key, value in printed.values
                if key in own or any(key == each.name and each.given_in(fields) for each in keys)
            }
            printed = self._joined(replace(printed, small=small), above)
        return fields.findings or printed

    def _valued(self, fields: Fields, card: DeclaredCard, own: Mapping[str, Any]) -> DeclaredCard:
        pictures = {name: value for name, value in own.items() if isinstance(value, CardPicture)}
        card = replace(card, shown_pictures=tuple({**dict(card.shown_pictures), **pictures}.items()))
        return self._whole(fields, card, {**{key: value for key, value in card.values if key in self._empty}, **own})

    # --- several small cards -----

    def _joined(self, card: DeclaredCard, above: Mapping[str, FieldValue]) -> DeclaredCard:
        """Return a card with the values of its small cards, and those that it gives itself, `above` them."""
        joined = joined_values(self._rules, self._derived, card, above)
        return replace(card, values=tuple((each.name, joined[each.name]) for each in self._rules.fields))

    def _small(self, fields: Fields, card: DeclaredCard, above: Mapping[str, Any]) -> Iterator[DeclaredCard]:
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

        def of_whole_card(key: str) -> tuple[str, str, str] | None:
            if key in COMMON:
                return f"`{key}` is a key of the whole card", "move it out of `faces`", ""
            return misplaced(self._rules, kind, key)

        table = self._of_faces[kind.value]
        for number, item in enumerate(items):
            assert isinstance(item, Nodes)
            # What is lost of the card may have been meant for its faces, too.
            one = fields.within("faces", replace(item, lost=(*item.lost, *fields.node.lost)))
            one.path = f"faces.{number}."
            own = table.read(one, self.around, of_whole_card, above)
            name, art = own.pop("name"), own.pop("art") or card.art
            if "art" in kind.required and art is None and not has_errors(one.findings):
                one.given("art", example=EXAMPLES["art"])
            small = replace(card, name=name, art=art, node=item, **_of_fields(one, table, own))
            yield self._whole(one, small, own)

    def _whole(self, fields: Fields, card: DeclaredCard, own: Mapping[str, Any]) -> DeclaredCard:
        """Return a card with the values of its fields and those that follow from them; what does not follow is noted.

        After an error nothing follows, nor from keys that could not be read. What any card of a kind may lack is told at
        the expression, and once.
        """
        values: Mapping[str, FieldValue] = {**_own_values(card), **self._empty, **self._plain(own)}
        if not (fields.node.lost or has_errors(fields.findings)):
            values, wrong = derive(self._derived, values, card.kind)
            for each, failed in wrong:
                node = self._rules.node("fields", each.name, "value")
                place = self._rules.document.span(node) if node else fields.start
                problem = _why_not_derived(self._rules, card.kind, each, failed)
                if not lacks_value(str(failed)):
                    place, problem = fields.start, replace(problem, hint=problem.hint or f"it is written at {place}")
                fields.add(problem, place)
        return replace(card, values=tuple((each.name, values.get(each.name, "")) for each in self._rules.fields))

    def _plain(self, own: Mapping[str, Any]) -> dict[str, FieldValue]:
        """Return the values of fields as expressions see them: pictures as their paths."""
        return {
            name: value.name if isinstance(value, CardPicture) else self._empty[name] if value is None else value
            for name, value in own.items()
        }

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
            what = quoted(made) if made else "no letters and no digits"
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
_WITH_FONT = "or put a font that has it into `fonts`, and name its family in `font-family` of the templates, too"
_WITH_FALLBACK = "or put a font that has it into `fonts`, and name its family in `fallback` of a role in game.yaml"


def _own_values(card: DeclaredCard) -> dict[str, FieldValue]:
    """Return what expressions see of a card beside its fields."""
    art = card.art.name if card.art else ""
    return {"name": card.name, "kind": card.kind.value, "copies": card.copies, "art": art}


def in_expressions(card: DeclaredCard) -> dict[str, FieldValue]:
    """Return what expressions see of a card."""
    return {**_own_values(card), **dict(card.values)}


# --- values of fields ---


def _of_fields(fields: Fields, table: KeyTable, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a card has of its fields beside their values: their pictures, and other names by which it gives them."""
    pictures = ((name, value) for name, value in own.items() if isinstance(value, CardPicture))
    named = ((key.name, key.given_in(fields)) for key in table.keys if key.aliases)
    written_as = ((name, names[0]) for name, names in named if names and names[0] != name)
    return {"shown_pictures": tuple(pictures), "written_as": tuple(written_as)}


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
    rules: GameRules, derived: SequenceOf[DeclaredField], card: DeclaredCard, given: Mapping[str, FieldValue]
) -> Mapping[str, FieldValue]:
    """Return the values of a card that shows several: those that it gives itself, and else those of the small cards.

    These are the texts and lists of all, else the value of the first; pictures are those of the small cards alone.
    What follows from texts of several may be more than an expression foresees: then it is what follows for the first.
    """
    faces = [dict(each.values) for each in card.small]
    values = {each.name: _as_one(each, [face[each.name] for face in faces]) for each in rules.fields}
    values |= given
    found, wrong = derive([*derived], {**values, **_own_values(card)}, card.kind)
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

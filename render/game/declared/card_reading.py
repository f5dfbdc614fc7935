"""Read a card by what its game declares: with the messages that every card gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from render.base.findings import has_errors, quoted
from render.game import card_keys, ids
from render.game.card_keys import CardReading, Surroundings
from render.game.declared.cards import DeclaredCard
from render.game.declared.field_values import (
    BETWEEN,
    NOTHING,
    TEXTS,
    FieldValues,
    joined_values,
    read_picture,
    read_values,
    with_derived,
)
from render.game.declared.reading.derived import in_order
from render.game.declared.reading.field_keys import FieldValue, example_of
from render.game.declared.reading.game_keys import COMMON
from render.game.declared.reading.game_rules import GameRules
from render.game.declared.reading.kind_keys import DeclaredKind, a_noun
from render.game.protocol import Game
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, fill_in
from render.source.fields import Fields
from render.source.file_kinds import FileKind
from render.source.nodes import Document, Scalar, Sequence, first_key
from render.source.nodes import Mapping as Nodes
from render.text.characters import NO_MORE, MoreFonts
from render.text.font_book import FontBook

_SYNONYMS = {
    "title": ("name",), "class": ("kind",), "type": ("kind",), "image": ("art",), "picture": ("art",),
    "photo": ("art",), "img": ("art",), "illustration": ("art",), "count": ("copies",), "quantity": ("copies",),
    "qty": ("copies",), "amount": ("copies",),
}  # fmt: skip


class DeclaredCardReader:
    """Reads the cards of one set."""

    def __init__(self, game: Game[Any, Any], rules: GameRules, around: Surroundings) -> None:
        self._game, self._rules, self._around = game, rules, around
        # Made once: games may have hundreds of fields.
        self._file, self._kinds, self._derived = card_file(rules), rules.kinds_by_name, [*in_order(rules.fields)]
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
        _check_keys(fields, self._rules, kind)
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
        card = self._card(fields, kind, name)
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
        any_kind = DeclaredKind(value="", fields=tuple(each.name for each in self._rules.fields))
        read_values(fields, self._rules, any_kind, self._around.home)
        read_picture(fields, "art", fields.path_of_picture("art"), self._around.home)
        card_keys.read_copies(fields)

    def _card(self, fields: Fields, kind: DeclaredKind, name: str) -> DeclaredCard:
        """Return the card, with empty values in place of mistakes, which are noted."""
        home = self._around.home
        found = read_values(fields, self._rules, kind, home, NOTHING if kind.faces == 1 else None)
        art = read_picture(fields, "art", fields.path_of_picture("art"), home)
        for key in sorted(kind.required & {"art", "back", "copies"}):
            if key != "art" or kind.faces == 1:
                fields.given(key, example=_EXAMPLES[key])
        card = DeclaredCard(
            id=fields.card,
            name=name,
            kind=kind,
            template=fields.words("template", what="template") if "template" in fields.values else kind.template,
            back=kind.templates[1] if kind.has_two_sides else self._back(fields, kind),
            copies=card_keys.read_copies(fields),
            draft=_has_draft_key(self._rules) and card_keys.read_draft(fields),
            art=art,
            document=fields.document,
            node=fields.node,
            of_game=self._game,
            shown_pictures=tuple(found.pictures.items()),
            written_as=found.written_as,
        )
        if kind.faces == 1:
            return self._whole(fields, card, found)
        small = tuple(self._small(fields, card, found))
        if not small or has_errors(fields.findings):
            return card
        values = joined_values(self._rules, self._derived, replace(card, small=small), found)
        return replace(card, small=small, values=tuple((each.name, values[each.name]) for each in self._rules.fields))

    def _back(self, fields: Fields, kind: DeclaredKind) -> str:
        return card_keys.read_back(fields, "back", self._around.card_set.backs.of(kind), self._around.home)

    def _small(self, fields: Fields, card: DeclaredCard, above: FieldValues) -> Iterator[DeclaredCard]:
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
            _check_keys(one, self._rules, kind, _OF_SMALL)
            found = read_values(one, self._rules, kind, self._around.home, above)
            art = read_picture(one, "art", one.path_of_picture("art"), self._around.home) or card.art
            if "art" in kind.required and art is None and not has_errors(one.findings):
                one.given("art", example=_EXAMPLES["art"])
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
_EXAMPLES = {"art": "art/picture.png", "back": "back", "copies": "1", "id": "storm-hammer", "template": "my-frame"}
_OF_SMALL = ("name", "art")
"""The keys of every card that small cards have."""


def _path(card: DeclaredCard) -> str:
    return card.art.name if card.art else ""


def in_expressions(card: DeclaredCard) -> dict[str, FieldValue]:
    """Return what expressions see of a card."""
    own: dict[str, FieldValue] = {"name": card.name, "kind": card.kind.value, "copies": card.copies, "art": _path(card)}
    return {**own, **dict(card.values)}


def card_file(rules: GameRules) -> FileKind:
    """Return what the card files of a game are to messages."""
    examples, icons = {"name": "Storm Hammer", **_EXAMPLES}, rules.icon_names
    if rules.kinds:
        examples["kind"] = rules.kinds[0].value
    for each in rules.fields:
        examples[each.name] = example_of(each, icons)
    aliases = {alias: (each.name,) for each in rules.fields for alias in each.aliases}
    return FileKind("C", "card", examples, {**_SYNONYMS, **aliases})


def _check_keys(fields: Fields, rules: GameRules, kind: DeclaredKind | None, of_all: tuple[str, ...] = COMMON) -> None:
    """Note the keys that cards of the kind have not; of an unknown kind, those that no card has."""
    own = [each for each in rules.fields if not each.value and (kind is None or each.name in kind.fields)]
    common = [key for key in of_all if kind is None or key not in _not_of(kind)]
    aliases = {alias for each in own for alias in each.aliases}
    known = [*common, *(["draft"] if of_all is COMMON and _has_draft_key(rules) else []), *(each.name for each in own)]
    seen = [*known, *(key for key in fields.values if key in aliases)]
    fields.check_keys(seen, lambda key: _of_whole_card(key, of_all) or _misplaced(key, rules, kind))


def _has_draft_key(rules: GameRules) -> bool:
    """Whether `draft` is the key of every card; a game may have a field of that name, and then it is that."""
    return not any("draft" in (each.name, *each.aliases) for each in rules.fields)


def _not_of(kind: DeclaredKind) -> frozenset[str]:
    """Return the keys of every card that cards of a kind have not."""
    return frozenset({"faces"} if kind.faces == 1 else {"back"} if kind.has_two_sides else ())


def _of_whole_card(key: str, of_all: tuple[str, ...]) -> tuple[str, str, str] | None:
    """Return what is said of a key of every card that stands in one of its faces."""
    if of_all is COMMON or key not in COMMON:
        return None
    return f"`{key}` is a key of the whole card", "move it out of `faces`", ""


def _misplaced(key: str, rules: GameRules, kind: DeclaredKind | None) -> tuple[str, str, str] | None:
    """Return what is said of a key that other kinds have, or that no card gives."""
    declared = next((each for each in rules.fields if key == each.name or key in each.aliases), None)
    if kind is not None and key in kind.lacks:
        return f"{a_noun(kind.value)} has no `{key}`", "remove it", ""
    if declared is not None and declared.value:
        return f"`{key}` follows from other fields", f"remove it: `{declared.value}` gives it", ""
    if declared is not None and kind is not None:
        return f"{a_noun(kind.value)} has no `{key}`", "remove it, or change `kind`", ""
    if key == "faces" and kind is not None:
        return f"{a_noun(kind.value)} has no `faces`", "remove it, or change `kind`", ""
    if key == "back" and kind is not None and kind.has_two_sides:
        what = f"the back of {a_noun(kind.value)} is its second face, drawn by the template `{kind.templates[1]}`"
        return what, "remove it, or change `kind`", ""
    if key in ("sheet", "outputs", "game", "select", "ignore", "tables"):
        return f"`{key}` is a key of set.yaml", "move it there: it is for all cards of the set", ""
    return None

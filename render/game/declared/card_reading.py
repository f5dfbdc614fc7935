"""Read a card by what its game declares: with the messages that every card gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from render.base.caches import cached
from render.base.findings import has_errors, quoted
from render.game import card_keys, ids
from render.game.card_keys import CardReading, Surroundings
from render.game.cards import CardPicture
from render.game.declared.cards import DeclaredCard
from render.game.declared.reading.derived import derive
from render.game.declared.reading.field_keys import example_of, read_value
from render.game.declared.reading.game_keys import COMMON
from render.game.declared.reading.rules import DeclaredField, DeclaredKind, FieldType, FieldValue, GameRules
from render.game.protocol import Game
from render.layout.templates.expressions import ExpressionFailed, fill_in
from render.source.fields import Fields, FileKind
from render.source.nodes import Document, Scalar
from render.source.nodes import Mapping as Nodes
from render.text.font_book import FontBook

_SYNONYMS = {
    "title": ("name",), "class": ("kind",), "type": ("kind",), "image": ("art",), "picture": ("art",),
    "photo": ("art",),
    "img": ("art",), "illustration": ("art",), "count": ("copies",), "quantity": ("copies",), "qty": ("copies",),
    "amount": ("copies",),
}  # fmt: skip


class DeclaredCardReader:
    """Reads the cards of one set."""

    def __init__(self, game: Game[Any, Any], rules: GameRules, around: Surroundings) -> None:
        self._game, self._rules, self._around = game, rules, around
        # What the set has in `fonts` counts, too.
        book = FontBook((around.card_set.folder, rules.folder), rules.fonts)
        self._prints = book.has if book else None

    def read(self, document: Document, node: Nodes) -> CardReading:
        """Return the result of reading the mapping of a card."""
        fields = Fields(document=document, node=node, kind=card_file(self._rules), prints=self._prints)
        kind = self._kind(fields)
        written = _written_as(fields, self._rules, kind)
        _check_keys(fields, self._rules, kind)
        fields.note_cut_off()
        claim = card_keys.claimed_id(fields) if "id" in fields.values or not self._rules.id_template else None
        fields.card = claim.id if claim and ids.is_id(claim.id) else ""
        name = fields.words("name")
        if kind is None:
            return CardReading(None, claim, tuple(fields.findings))
        card = self._card(fields, kind, name, written)
        if claim is None and self._rules.id_template and "id" not in fields.values and name:
            claim = self._made_id(fields, card)
            card = replace(card, id=claim.id if claim else "")
        return CardReading(None if has_errors(fields.findings) else card, claim, tuple(fields.findings))

    def _kind(self, fields: Fields) -> DeclaredKind | None:
        """Return the kind that a card gives; the only one of a game with one kind, if it gives none."""
        kinds = [kind.value for kind in self._rules.kinds]
        if "kind" not in fields.values and len(kinds) == 1:
            return self._rules.kinds[0]
        if not fields.given("kind", example=kinds[0]):
            return None
        word = fields.word("kind", kinds, "")
        return self._rules.kind(word) if word else None

    def _card(
        self, fields: Fields, kind: DeclaredKind, name: str, written: tuple[tuple[str, str], ...]
    ) -> DeclaredCard:
        """Return the card, with empty values in place of mistakes, which are noted."""
        around, own = self._around, dict(written)
        values: dict[str, FieldValue] = {}
        pictures: list[tuple[str, CardPicture]] = []
        for each in self._rules.fields:
            key = own.get(each.name, each.name)
            if each.value:
                continue
            if each.name not in kind.fields or key not in fields.values:
                values[each.name] = each.default if each.name in kind.fields else _EMPTY.get(each.type, "")
                if each.name in kind.required:
                    _missing(fields, each)
                continue
            values[each.name] = read_value(fields, key, each, each.default)
            if each.type is FieldType.PICTURE and (picture := self._picture(fields, key, str(values[each.name]))):
                pictures.append((each.name, picture))
        art = self._picture(fields, "art", fields.text("art"))
        for key in sorted(kind.required & {"art", "back", "copies"}):
            fields.given(key, example="art/picture.png" if key == "art" else "1" if key == "copies" else "back")
        copies = card_keys.read_copies(fields)
        if not has_errors(fields.findings):
            values = self._derived(
                fields, {"name": name, "kind": kind.value, "copies": copies, "art": art.name if art else "", **values}
            )
        return DeclaredCard(
            id=fields.card,
            name=name,
            kind=kind,
            template=fields.words("template") if "template" in fields.values else kind.template,
            back=card_keys.read_back(fields, "back", around.card_set.backs.of(kind), around.home),
            copies=copies,
            art=art,
            document=fields.document,
            node=fields.node,
            of_game=self._game,
            values=tuple((each.name, values.get(each.name, "")) for each in self._rules.fields),
            shown_pictures=tuple(pictures),
            written_as=written,
        )

    def _picture(self, fields: Fields, key: str, name: str) -> CardPicture | None:
        file = card_keys.read_picture_file(fields, key, name, self._around.home) if name else None
        return CardPicture(name, file) if file else None

    def _derived(self, fields: Fields, values: Mapping[str, FieldValue]) -> dict[str, FieldValue]:
        found, wrong = derive(self._rules.fields, values)
        for each, problem in wrong:
            node = self._rules.node("fields", each.name, "value")
            where = f"it is written at {self._rules.document.span(node)}" if node else ""
            fields.add(replace(problem, hint=problem.hint or where), fields.start)
        return found

    def _made_id(self, fields: Fields, card: DeclaredCard) -> ids.Claim | None:
        """Return the id that follows by the rule of the game."""
        source, node = self._rules.id_template, fields.values["name"]
        if not isinstance(node, Scalar) or has_errors(fields.findings):
            return None
        try:
            made = ids.slug(fill_in(source, in_expressions(card)))
        except ExpressionFailed as failed:
            fields.note("021", f"the id does not follow: {failed}, in {quoted(source)}", fields.start, failed.hint)
            return None
        if not ids.is_id(made):
            what = quoted(made) if made else "no letters a to z and no digits"
            message = f"no id follows by {quoted(source)}: it gives {what}"
            fields.note("012", message, fields.start, "add a line such as `id: my-card`", "id")
            return None
        return ids.Claim(made, fields.document, node)


_EMPTY: Mapping[FieldType, FieldValue] = {FieldType.NUMBER: None, FieldType.FLAG: False, FieldType.LIST: ()}


def in_expressions(card: DeclaredCard) -> dict[str, FieldValue]:
    """Return what expressions see of a card."""
    art = card.art.name if card.art else ""
    return {"name": card.name, "kind": card.kind.value, "copies": card.copies, "art": art, **dict(card.values)}


@cached(16)
def card_file(rules: GameRules) -> FileKind:
    """Return what the card files of a game are to messages."""
    examples = {"name": "Storm Hammer"}
    for each in rules.fields:
        examples[each.name] = example_of(each)
    aliases = {alias: (each.name,) for each in rules.fields for alias in each.aliases}
    return FileKind("C", "card", examples, {**_SYNONYMS, **aliases})


def _missing(fields: Fields, declared: DeclaredField) -> None:
    """Note a field that is not given and must be, with the game's own hint if it has one."""
    before = len(fields.findings)
    fields.missing(declared.name)
    if declared.hint and len(fields.findings) > before:
        last = fields.findings[-1]
        fields.findings[-1] = last.saying(hint=f"{last.hint}: {declared.hint}")


def _written_as(fields: Fields, rules: GameRules, kind: DeclaredKind | None) -> tuple[tuple[str, str], ...]:
    """Return the fields that a card gives by another name, each with that name; note those that are given twice."""
    found = {}
    for each in rules.fields:
        names = [name for name in (each.name, *each.aliases) if name in fields.values]
        if kind is not None and each.name not in kind.fields:
            continue
        for second in names[1:]:
            message = f"`{second}` is another name of `{each.name}`, which is given as `{names[0]}`"
            fields.note("022", message, fields.place(second), "remove one of the two", second)
        if names and names[0] != each.name:
            found[each.name] = names[0]
    return tuple(found.items())


def _check_keys(fields: Fields, rules: GameRules, kind: DeclaredKind | None) -> None:
    """Note the keys that cards of the kind have not; of an unknown kind, those that no card has."""
    own = [each for each in rules.fields if not each.value and (kind is None or each.name in kind.fields)]
    common = [key for key in COMMON if key != "faces" or kind is None or kind.faces > 1]
    aliases = {alias for each in own for alias in each.aliases}
    known = [*common, *(each.name for each in own)]
    seen = [*known, *(key for key in fields.values if key in aliases)]
    fields.check_keys(seen, lambda key: _misplaced(key, rules, kind))


def _a_noun(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _misplaced(key: str, rules: GameRules, kind: DeclaredKind | None) -> tuple[str, str, str] | None:
    """Return what is said of a key that other kinds have, or that no card gives."""
    declared = next((each for each in rules.fields if key == each.name or key in each.aliases), None)
    if declared is not None and declared.value:
        return f"`{key}` follows from other fields", f"remove it: `{declared.value}` gives it", ""
    if declared is not None and kind is not None:
        return f"{_a_noun(kind.value)} has no `{key}`", "remove it, or change `kind`", ""
    if key == "faces" and kind is not None:
        return f"{_a_noun(kind.value)} has no `faces`", "remove it, or change `kind`", ""
    if key in ("sheet", "outputs", "game", "select", "ignore"):
        return f"`{key}` is a key of set.yaml", "move it there: it is for all cards of the set", ""
    return None

"""What `game.yaml` says, as values. cards/reference/games.md is the reference."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple, TypeAlias

from render.base.findings import Severity
from render.source.fields import HIGHEST
from render.source.nodes import Document, Node
from render.source.nodes import Mapping as Nodes
from render.text.font_roles import FontRole

MIN_ICON_SIZE, MAX_ICON_SIZE = 0.25, 4.0  # em: what `<icon height>` of a template may be


class FieldType(Enum):
    """What a field holds; the values are the words of `type:`."""

    LINE = "line"
    TEXT = "text"
    RICH = "rich"
    NUMBER = "number"
    CHOICE = "choice"
    ICONS = "icons"
    PICTURE = "picture"
    LIST = "list"
    FLAG = "flag"


FieldValue: TypeAlias = "str | int | float | bool | tuple[FieldValue, ...] | None"
"""The value of a field: a text, a number, a truth value or a list; None for a number that is not given."""


class DeclaredField(NamedTuple):
    """A field of the cards of a game.

    `default` is its value on a card that gives none. `limits` are the least and the most of a number. `value` is the
    expression that gives the value of a derived field; "" for one that authors write. `pattern` is as in `patterns`.
    """

    name: str
    type: FieldType = FieldType.LINE
    required: bool = False
    default: FieldValue = ""
    pattern: str = ""
    limits: tuple[int, int] = (0, HIGHEST)
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    hint: str = ""
    value: str = ""

    @property
    def is_rich(self) -> bool:
        """Whether it is in the notation of rich texts, icons included."""
        return self.type in (FieldType.RICH, FieldType.ICONS)

    @property
    def is_picture(self) -> bool:
        """Whether it names a picture."""
        return self.type is FieldType.PICTURE

    @property
    def example_number(self) -> int:
        """The number nearest to 1 that it may be."""
        return max(self.limits[0], min(1, self.limits[1]))


class DeclaredIcon(NamedTuple):
    """An icon by what stands in braces, `#` for any number: its file, and its height in em, 0 for the usual one."""

    name: str
    file: str
    size: float = 0.0


class CardRule(NamedTuple):
    """A rule that must hold for each card of a kind: the expression `that`, and what is said if it does not."""

    that: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredKind:
    """A kind of card: its fields by name, its templates, and its rules. `value` is its name.

    `required` are the fields that its cards must give. `faces` is the number of small cards that a card shows; it has
    one template for all of them, or two templates for its two sides. `copies` is how often a deck may have one of its
    cards, where that is another number than the game's: `inf` for any number. `lacks` are derived fields that only
    other kinds have.
    """

    value: str
    fields: tuple[str, ...] = ()
    required: frozenset[str] = frozenset()
    templates: tuple[str, ...] = ()
    back: str = ""
    faces: int = 1
    in_decks: bool = True
    copies: float | None = None
    rules: tuple[CardRule, ...] = ()
    lacks: frozenset[str] = frozenset()

    @property
    def has_two_sides(self) -> bool:
        """Whether the small cards of a card are its two sides, each with its template."""
        return self.faces > 1 and len(self.templates) > 1

    @property
    def template(self) -> str:
        """The template of the front."""
        return self.templates[0] if self.templates else self.value


class DeckLimits(NamedTuple):
    """How many cards a deck has, at least and at most, and how often it may have one; None where there is no limit."""

    least: int | None = None
    most: int | None = None
    copies: int | None = None


class GameWords(NamedTuple):
    """Keywords that rich texts set bold, and the reminders that are printed behind keywords where they fit."""

    bold: tuple[str, ...] = ()
    reminders: tuple[tuple[str, str], ...] = ()


_NO_LIMITS, _NO_WORDS = DeckLimits(), GameWords()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """All that `game.yaml` in `folder` says. `table` are the columns of tables, `order` is by what cards are sorted.

    `id_template` gives the id of a card that has none; "" for the slug of its name. `document` is the file.
    """

    folder: Path
    name: str
    fields: tuple[DeclaredField, ...] = ()
    kinds: tuple[DeclaredKind, ...] = ()
    icons: tuple[DeclaredIcon, ...] = ()
    colors: tuple[tuple[str, str], ...] = ()
    fonts: tuple[FontRole, ...] = ()
    words: GameWords = _NO_WORDS
    deck: DeckLimits = _NO_LIMITS
    table: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    id_template: str = ""
    document: Document = field(compare=False, repr=False)

    @property
    def is_rich(self) -> bool:
        """Whether texts of its cards are in the notation of rich texts."""
        return any(each.is_rich for each in self.fields)

    @property
    def icon_names(self) -> tuple[str, ...]:
        """The names of the icons, in their order."""
        return tuple(each.name for each in self.icons)

    @property
    def kinds_by_name(self) -> dict[str, DeclaredKind]:
        """The kinds by their names, in their order."""
        return {each.value: each for each in self.kinds}

    def field_named(self, name: str) -> DeclaredField | None:
        """Return the field of that name; None if there is none."""
        return next((each for each in self.fields if each.name == name), None)

    def node(self, *path: str) -> Node | None:
        """Return the value at a path of keys in the file; None if there is none."""
        node: Node | None = self.document.root
        for name in path:
            node = node.get(name) if isinstance(node, Nodes) else None
        return node


def a_noun(noun: str) -> str:
    """Return the name of a kind with its article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"

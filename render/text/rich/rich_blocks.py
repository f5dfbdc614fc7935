"""A rich text as values: its blocks, the room that it is set in, and what it is when it is set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self

from msgspec import Struct

from render.base.geometry import Rect
from render.scene.items import Stroke
from render.text.fitting import TextBox
from render.text.line_breaking import Paragraph, Styled
from render.text.line_setting import SetItem


class RichBox(TextBox, frozen=True, kw_only=True):
    """The room of a text with more to it: `shift` is the share of the free height that stands above it, 0 to 1.

    Lines beside a box of `around` are shorter. A part that is printed only where it fits, fits at `least_optional` mm.
    """

    shift: float = 0.0
    around: tuple[Rect, ...] = ()
    least_optional: float = 0.0

    @classmethod
    def of(
        cls, box: TextBox, *, shift: float = 0.0, around: tuple[Rect, ...] = (), least_optional: float = 0.0
    ) -> Self:
        """Return the room of a plain text with what a rich one has more."""
        plain = {name: getattr(box, name) for name in TextBox.__struct_fields__}
        return cls(**plain, shift=shift, around=around, least_optional=least_optional)


class RichRule(Struct, frozen=True):
    """A line between the parts of a text: `share` of the width, with its ends `at` the start, middle or end."""

    stroke: Stroke
    share: float = 1.0
    at: float = 0.5


class TextBlock(Struct, frozen=True):
    """Words that begin a line, or a rule: behind a gap between paragraphs, or `follows` the line before at once.

    `optional` numbers the parts that are printed only where they fit, from 1; 0 is for what is always printed.
    """

    words: tuple[tuple[Styled, int], ...] = ()
    follows: bool = False
    rule: RichRule | None = None

    def shown(self, parts: int) -> Paragraph:
        """Return the words with that many of the optional parts."""
        return tuple(styled for styled, optional in self.words if optional <= parts)


class RichParagraphs(tuple[Paragraph, ...]):
    """The paragraphs of a text with more to it than words, and its `blocks`: one for each."""

    blocks: tuple[TextBlock, ...]

    @classmethod
    def of(cls, blocks: Iterable[TextBlock]) -> RichParagraphs:
        made = tuple(blocks)
        result = cls(tuple(styled for styled, _ in block.words) for block in made)
        result.blocks = made
        return result

    @property
    def scales(self) -> tuple[float, float]:
        """The smallest and the largest size of words, by the size of the text."""
        scales = [1.0, *(style.scale for paragraph in self for _, style in paragraph)]
        return min(scales), max(scales)


class PlacedRule(Struct, frozen=True):
    """A rule where it stands: from `x` on, `width` mm long, at the height `y`."""

    rule: RichRule
    x: float
    y: float
    width: float


class SetRich(NamedTuple):
    """A rich text as set: its words and icons line by line, and its rules."""

    items: tuple[SetItem, ...] = ()
    rules: tuple[PlacedRule, ...] = ()

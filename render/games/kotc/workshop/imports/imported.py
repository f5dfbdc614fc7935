"""A card as another program's file shows it, before it is a card file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from render.base.findings import Diagnostic
from render.game import ids

Value = str | Mapping[str, str]
"""The value of a key, as its text; a mapping for the keys of a picture."""

ORDER = (
    "id", "name", "name_size", "name_spacing", "kind", "edition", "level", "cost", "ultra_points", "sp", "offense",
    "hp", "defense", "text", "text_size", "flavor", "flavor_size", "art", "credit",
    "credit_font",
)  # fmt: skip
"""The keys that an import writes, in the order in which they are written."""


class ImportedCard(Struct, frozen=True, kw_only=True):
    """What a file says of a card.

    `values` has the keys of card files; what the file does not say is missing, and so is what is not sure, but for the
    keys of `unsure`, which a card must have: each has a remark for the card file there. `complete` tells that nothing
    is unsure: a key that is missing then goes from the card, and the picture is the best there is. `art` has the keys
    of a picture but `file`. `picture` is a PNG, or nothing. `findings` are warnings: what was left out, and what
    differs from the rules.
    """

    source: Path
    values: Mapping[str, Value]
    complete: bool = True
    picture: bytes = b""
    findings: Sequence[Diagnostic] = field(default=())
    unsure: Mapping[str, str] = field(default_factory=dict)
    own_id: str = ""

    @property
    def id(self) -> str:
        """The id that the card gets: from its name, or, where that gives none, from the name of the file.

        `own_id` comes first: it is for a card that has the name of another.
        """
        if self.own_id:
            return self.own_id
        name = self.values.get("name", "")
        slugs = (ids.slug(each) for each in (name, self.source.stem) if isinstance(each, str))
        return next((slug for slug in slugs if ids.is_id(slug)), "card")


_SPACE = re.compile(r"[ \t\r\n\f\v\x1c-\x1f\x85\u2028\u2029]+")  # with all ends of lines


def unprintable(text: str) -> str:
    """Return the characters of a text that a card file must not have: control and format characters."""
    return "".join(dict.fromkeys(char for char in text if not (char.isprintable() or char.isspace())))


def one_line(text: str) -> str:
    """Return a text as one line, with single spaces, in Unicode's form NFC, without what cannot be printed."""
    words = text.translate(dict.fromkeys(map(ord, unprintable(text))))
    return unicodedata.normalize("NFC", _SPACE.sub(" ", words).strip())


def one_line_each(text: str) -> str:
    """Return a text with one line for each paragraph, as card files have it."""
    return "\n".join(line for line in map(one_line, text.splitlines()) if line)

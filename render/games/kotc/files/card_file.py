"""Read one card from its mapping: the keys that it must, may and must not have, and their values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from render.base.findings import Finding, has_errors, quoted
from render.games.kotc.files import ids, keys
from render.games.kotc.files.folder import Home
from render.games.kotc.model.cards import OLD_NAMES, Art, ArtFit, Card, CardSet, Corner, Kind
from render.source.fields import Fields, FileKind
from render.source.nodes import Document, Mapping, Scalar
from render.source.scalar_ranges import ScalarStyle

LAST_EDITION = 999
MAX_COPIES = 999
# Systems allow 4096 bytes at most, and each folder in the path is looked up.
LONGEST_PATH = 1000  # characters: systems take 4096 bytes at most, and each folder in it is looked up
# Of `edition`, for a card without Edition Indicator.
NO_EDITION = "none"  # what a card without Edition Indicator says of its edition
CARD = FileKind(
    "C",
    "card",
    {
        "name": "Storm Hammer", "kind": "minion", "edition": "17", "text": "Draw 1 card.",
        "file": "art/storm-hammer.jpg", "sp": "4", "hp": "6", "level": "9", "offense": "4", "defense": "6", "cost": "9",
    },
)  # fmt: skip
AUTO = ("level", "ultra_points")  # the numbers that the rules of an edition can give


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a card takes from its set.

    If the set's own file is not `sound`, a missing edition may be its fault, and no card is blamed.
    """

    card_set: CardSet
    home: Home
    sound: bool


@dataclass(frozen=True, slots=True)
class CardReading:
    """The result of reading a mapping: the card unless something is wrong, the id that it claims, and the findings.

    `auto` are the keys of numbers that the card leaves to the rules of its edition, still to be calculated.
    """

    card: Card | None
    claim: ids.Claim | None
    findings: tuple[Finding, ...]
    auto: tuple[str, ...] = ()


def read_card(document: Document, node: Mapping, around: Surroundings) -> CardReading:
    """Turn a mapping into a card of the set."""
    fields = Fields(document, node, CARD)
    claim = _claim(fields)
    fields.card = claim.id if claim and ids.is_id(claim.id) else ""
    kind = _kind(fields)
    era = _era(fields, around, kind)
    kind = _of_that_edition(fields, kind, era)
    fields.check_keys(keys.of_card(kind, era), lambda key: keys.misplaced(key, kind, era))
    card = _card(fields, around, kind, era)
    auto = tuple(key for key in AUTO if _is_auto(fields, key))
    fields.note_cut_off()
    return CardReading(None if has_errors(fields.findings) else card, claim, tuple(fields.findings), auto)


def _card(fields: Fields, around: Surroundings, kind: Kind | None, era: int | None) -> Card | None:
    """Read every value, so that all findings come at once; None if it is unclear what the card is."""
    numbers = _numbers(fields, kind, era)
    needs_text = kind in (Kind.SPELL, Kind.TIP)  # without one they would say nothing
    copies = fields.whole("copies", 0, MAX_COPIES)
    card = Card(
        id=fields.card,
        name=fields.words("name"),
        kind=kind or Kind.TIP,
        edition=None if _has_no_indicator(fields) else era,
        era=era or LAST_EDITION,
        level=numbers.get("level"),
        ultra_points=numbers.get("ultra_points") or 0,
        sp=numbers.get("sp"),
        hp=numbers.get("hp"),
        text=fields.words("text", lines=True) if needs_text else fields.text("text", lines=True),
        flavor=fields.text("flavor"),
        art=_art(fields, around.home),
        credit=fields.text("credit") if "credit" in fields.values else around.card_set.credit,
        back=back_of(fields, "back", around.card_set.backs.of(kind or Kind.TIP), around.home),
        copies=1 if copies is None else copies,
        document=fields.document,
        node=fields.node,
    )
    return card if kind and era else None


# --- id, kind, edition ----------------------------------------------------------------------------------------------


def _claim(fields: Fields) -> ids.Claim | None:
    """Return the id that is given or follows from the name; note an impossible one."""
    if "id" in fields.values:
        return _given_id(fields)
    name = fields.values.get("name")
    if not isinstance(name, Scalar) or not name.value.strip():
        return None  # a missing name is noted where it is read
    slug = ids.slug(name.value)
    if not ids.is_id(slug):
        why = f"Windows reserves `{slug}`" if slug else "it has no letters a to z and no digits"
        message = f"no id can be made of the name {quoted(name.value)}: {why}"
        fields.note("012", message, fields.place("name"), "add a line such as `id: my-card`", "id")
        return None
    return ids.Claim(slug, fields.document, name)


def _given_id(fields: Fields) -> ids.Claim | None:
    node = fields.values["id"]
    if not isinstance(node, Scalar) or not node.value:
        fields.expected("id", "an id")
        return None
    if ids.is_reserved(node.value):
        fields.note("011", f"Windows reserves the name `{node.value}`", fields.place("id"), "choose another id", "id")
    elif not ids.is_id(node.value):
        slug = ids.slug(node.value)
        hint = f"write `id: {slug}`" if ids.is_id(slug) else "write a word such as `storm-hammer`"
        message = f"an id is made of a-z, 0-9, `-` and `_`, found {quoted(node.value)}"
        if len(node.value) > ids.LONGEST:
            message = f"an id has at most {ids.LONGEST} characters, found {len(node.value)}"
        fields.note("011", message, fields.place("id"), hint, "id")
    return ids.Claim(node.value, fields.document, node)


def _kind(fields: Fields) -> Kind | None:
    if not fields.given("kind"):
        return None
    word = fields.word("kind", keys.KINDS, "")
    return Kind(word) if word else None


def _era(fields: Fields, around: Surroundings, kind: Kind | None) -> int | None:
    """Return the edition by which the card is read and drawn; None, and a finding, if there is none."""
    if _has_no_indicator(fields):
        return keys.era(kind, fields.values, around.card_set.edition)
    if "edition" in fields.values:
        return fields.whole("edition", 1, LAST_EDITION, or_word=NO_EDITION)
    default = around.card_set.edition
    if default is None and around.sound:
        message = f"{fields.owner} has no `edition`, and neither has its set"
        hint = "add `edition: 17` to the card or to `set.yaml`, or `edition: none` to a card without Edition Indicator"
        fields.note("004", message, fields.start, hint, "edition")
    return default


def _has_no_indicator(fields: Fields) -> bool:
    node = fields.values.get("edition")
    return isinstance(node, Scalar) and node.value == NO_EDITION and node.style is ScalarStyle.PLAIN


def _of_that_edition(fields: Fields, kind: Kind | None, edition: int | None) -> Kind | None:
    """Return the kind; None, and a finding, if the edition does not have it."""
    wrong = keys.wrong_era(kind, edition) if kind and edition else None
    if wrong is None:
        return kind
    fields.note("008", wrong[0], fields.place("kind"), wrong[1], "kind")
    return None


# --- numbers --------------------------------------------------------------------------------------------------------


def _numbers(fields: Fields, kind: Kind | None, edition: int | None) -> dict[str, int | None]:
    """Return those of `sp`, `hp`, `level` and `ultra_points` that the card has."""
    if kind is None or edition is None:
        return {key: _auto_or_whole(fields, key) for key in keys.NUMBERS}
    numbers = {stat: _stat(fields, stat, kind, edition) for stat in keys.stats(kind)}
    return numbers | {"ultra_points": _auto_or_whole(fields, "ultra_points")}


def _stat(fields: Fields, stat: str, kind: Kind, edition: int) -> int | None:
    key = keys.stat_key(stat, edition)
    if key in fields.values:
        return _auto_or_whole(fields, key)
    # People write a pawn's numbers on it by hand. A key of the other game is noted as such, not as missing, too.
    if kind is not Kind.PAWN and not {stat, OLD_NAMES[stat]} & fields.values.keys():
        fields.missing(key)
    return None


def _auto_or_whole(fields: Fields, key: str) -> int | None:
    return None if _is_auto(fields, key) else fields.whole(key, or_word="auto" if key in AUTO else "")


def _is_auto(fields: Fields, key: str) -> bool:
    return key in AUTO and isinstance(node := fields.values.get(key), Scalar) and node.value == "auto"


# --- pictures -------------------------------------------------------------------------------------------------------


def back_of(fields: Fields, key: str, default: str, home: Home) -> str:
    """Return the back as written, or the default; a picture must lie in the set's folder."""
    if key not in fields.values:
        return default
    name = fields.words(key, what="back")
    if re.search(r"[./\\:]", name) and _file(fields, key, name, home) is None:
        return default
    return name


def _art(fields: Fields, home: Home) -> Art | None:
    node = fields.values.get("art")
    if node is None:
        return None
    if isinstance(node, Scalar):
        return _plain_art(fields, node, home)
    inner = fields.inner("art")
    if inner is None:
        return None
    inner.check_keys(keys.ART)
    name = inner.words("file")
    file = _file(inner, "file", name, home) if name else None
    art = Art(
        name,
        file or Path(name),
        author=inner.text("author"),
        license=inner.text("license"),
        corner=inner.choice("corner", Corner.TOP_LEFT),
        color=inner.word("color", ("white", "black"), "white"),
        fit=inner.choice("fit", ArtFit.CONTAIN),
    )
    return art if file else None


def _plain_art(fields: Fields, node: Scalar, home: Home) -> Art | None:
    if not node.value and node.style is ScalarStyle.PLAIN:
        fields.expected("art", "a picture file", "remove the key if the card has no picture")
        return None
    file = _file(fields, "art", node.value, home)
    return Art(node.value, file) if file else None


def _file(fields: Fields, key: str, name: str, home: Home) -> Path | None:
    """Return the absolute path of a named picture; None, and a finding, if it cannot be in the set."""
    hint = ""
    if len(name) > LONGEST_PATH:
        message, hint = f"the path has {len(name):,} characters, and may have {LONGEST_PATH:,}", "shorten it"
    elif "\\" in name:
        message, hint = "folders are separated by `/`", f"write {quoted(name.replace(chr(92), '/'))}"
    elif PurePosixPath(name).is_absolute() or re.match("[A-Za-z]:", name):
        message, hint = f"{quoted(name)} is not relative to the set's folder", "write a path such as `art/storm.jpg`"
    elif (file := home.file(name)) is not None:
        return file
    else:
        message, hint = f"{quoted(name)} lies outside the set's folder", "copy the picture into the set's folder"
    fields.note("018", message, fields.place(key), hint, key)
    return None

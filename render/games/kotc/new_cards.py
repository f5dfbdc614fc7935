"""New sets and cards, as an author begins them. The rules of the edition give the levels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template

from render.base.resources import STARTER
from render.game.folder import SET_FILE, Source
from render.games.kotc.editions.finding import grammar_of, known, look_of
from render.games.kotc.files.keys import NO_EDITION, is_required, stat_key, stats
from render.games.kotc.levels.rules import Rules, of_card
from render.games.kotc.model.cards import AnyKind, CardSet, Kind, ordinal
from render.games.kotc.sets import read_set
from render.source.scalar_values import as_number, write_words

_TEXTS = Path(__file__).parent / "files" / "first_set"
_CARDS = "cards.yaml"
_ORDER = (
    "id", "name", "name_size", "name_spacing", "kind", "edition", "level", "cost", "ultra_points", "sp", "offense",
    "hp", "defense", "text", "text_size", "flavor", "flavor_size", "art", "credit", "credit_font", "back", "template",
    "copies", "words",
)  # fmt: skip
_WORDS = frozenset({"id", "name", "kind", "text", "flavor", "art", "credit", "back", "template", "words"})
_PICTURES = ("wharf-cat.svg", "tea-for-two.svg", "tin-soldier.svg")  # of the starter set


def first_files(folder: Path, name: str, edition: int | None, paper: str) -> dict[str, bytes]:
    """Return the files of a new set with three cards that show the usual keys, by their names in its folder.

    Without an edition it is the newest whose rules allow the cards. ValueError if there is none, or if those of the
    one asked for do not.
    """
    numbers = [number for number, _ in known(folder)]
    if edition is not None and edition not in numbers:
        said = ", ".join(map(ordinal, numbers))
        raise ValueError(f"there are no rules of the {ordinal(edition)} Edition; there are those of the {said}")
    for number in [edition] if edition is not None else reversed(numbers):
        files = _texts(folder, {"name": write_words(name), "edition": str(number), "paper": paper})
        if files:
            pictures = {f"art/{picture}": (STARTER / "art" / picture).read_bytes() for picture in _PICTURES}
            return {**{file: text.encode() for file, text in files.items()}, **pictures}
    raise ValueError("the rules of the edition do not allow the cards that a set begins with")


def _texts(folder: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Return the files of set and cards with the levels that the rules give; none if they do not allow the cards.

    ValueError if something given is wrong.
    """
    cards = _template("creatures.yaml" if grammar_of(int(given["edition"]), folder).of_creatures else "minions.yaml")
    own = _template(SET_FILE).substitute(given)
    drafts = {folder / SET_FILE: own, folder / _CARDS: cards.substitute(given, wharf_cat="auto", soldier="auto")}
    card_set, findings = read_set(Source(folder, (folder / _CARDS,)), drafts)
    wrong = [each for each in findings if each.span and each.span.file.name == SET_FILE and each.field == "name"]
    if wrong:
        raise ValueError(f"{wrong[0].message}: give another name with --name")
    if card_set is None or findings:
        return {}
    rules = Rules(folder)
    if any(finding for card in card_set.cards for finding in of_card(card, rules)):
        return {}
    levels = {card.id.replace("-", "_"): str(card.level) for card in card_set.cards}
    return {SET_FILE: own, _CARDS: cards.substitute(given, **levels)}


def _template(name: str) -> Template:
    return Template((_TEXTS / name).read_text(encoding="utf-8"))


_FIRST_TEXTS: dict[AnyKind, str] = {Kind.SPELL: "Draw 1 card.", Kind.TIP: "Write here what players should remember."}


def new_card(given: Mapping[str, str], card_set: CardSet) -> dict[str, str | int]:
    """Return the keys of a new card in the order of authors, with values that its kind and edition need."""
    values = {**_first_values(given, card_set), **given}
    ranks = {key: rank for rank, key in enumerate(_ORDER)}
    ordered = sorted(values, key=lambda key: ranks.get(key, len(ranks)))
    return {key: values[key] if key in _WORDS else as_number(values[key]) for key in ordered}


def _first_values(given: Mapping[str, str], card_set: CardSet) -> dict[str, str]:
    """Return what a card of the kind needs; nothing if there is no such kind, which is said when the card is read."""
    numbers = [number for number, _ in known(card_set.folder)]
    own = given.get("edition", "")
    edition = int(own) if own.isdecimal() else card_set.edition or max(numbers)
    grammar, new = look_of(edition, card_set.folder)
    kinds: dict[str, AnyKind] = {each.value: each for each in (*Kind, *new)}
    if given["kind"] not in kinds:
        return {}
    kind = kinds[given["kind"]]
    first = {"edition": str(edition)} if kind is not Kind.TIP and not (own or card_set.edition) else {}
    has_rules = edition in numbers and own != NO_EDITION
    for stat in stats(kind):
        first[stat_key(stat, grammar)] = "auto" if stat == "level" and has_rules else "1"
    text = _FIRST_TEXTS.get(kind) or ("Draw 1 card." if is_required(kind, "text") else "")
    return {**first, "text": text} if text else first

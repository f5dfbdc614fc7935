"""New sets and cards, as an author begins them, with the levels that the rules give; and blank cards, to be filled in by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Template

from msgspec.structs import replace

from render.base.findings import did_you_mean, listed
from render.base.resources import STARTER
from render.game.folder import SET_FILE, Source
from render.games.kotc.card_reading import frame_of
from render.games.kotc.editions.finding import grammar_of, known, look_of, new_kinds
from render.games.kotc.files import keys
from render.games.kotc.files.keys import KINDS, NO_EDITION, is_required, stat_key, stats
from render.games.kotc.levels.rules import Rules, of_card
from render.games.kotc.model.cards import AnyKind, Card, CardSet, Kind, indicator, ordinal
from render.games.kotc.model.edition import NewKind
from render.games.kotc.sets import read_set
from render.source.nodes import Document
from render.source.nodes import Mapping as Nodes
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


# --- blank cards ------------------------------------------------------------------------------------------------------


NO_SET = CardSet(folder=Path("blank"), name="Blank cards")
"""The set for blank cards without a set: built-in templates, the built-in back and the default sheets."""


def blank_set(
    sets: Sequence[CardSet], counts: Mapping[str, int], edition: int | None, *, chosen: bool
) -> tuple[CardSet, str]:
    """Return a set with so many blank cards of each kind in place of its own, and a word about whose frames it took.

    `sets` are those that may lend their frames; without one, the program's own are taken. ValueError if there is no
    such kind, or the edition lacks it.
    """
    own = [each for each in sets if isinstance(each, CardSet)]  # of the sets here some may be of other games
    new = {kind.name: kind for each in own or [NO_SET] for kind in new_kinds(each.folder)}
    kinds = {_kind(word, new): count for word, count in counts.items()}
    card_set, said = _frames(own, kinds, edition, chosen=chosen)
    return _filled(card_set, kinds, edition or card_set.edition or known()[-1][0]), said  # or the newest


def _kind(word: str, new: Mapping[str, NewKind]) -> AnyKind:
    names = (*KINDS, *new)
    if word not in names:
        hint = did_you_mean(word, names)
        raise ValueError(f"expected {listed(names)}, found `{word}`{f': {hint}' if hint else ''}")
    return new[word] if word in new else Kind(word)


def _frames(
    sets: Sequence[CardSet], kinds: Iterable[AnyKind], edition: int | None, *, chosen: bool
) -> tuple[CardSet, str]:
    """Return the first set whose edition has all kinds that are asked for, or ours; and which, if there is a choice."""
    if not sets:
        return NO_SET, ""
    if len(sets) == 1 and (chosen or edition):
        return sets[0], ""
    fitting = [each for each in sets if not (_lacks(kinds, edition, each) or _lacks(kinds, each.edition, each))]
    if fitting and len(sets) > 1:
        of = indicator(edition or fitting[0].edition)
        taken = f"`{fitting[0].folder}`{of and f', {of}'}"
        return fitting[0], f"frames, backs and sheets of {taken}; for those of another set, give its folder"
    if not fitting and not chosen and not edition and not _lacks(kinds, known()[-1][0], NO_SET):
        return NO_SET, "built-in frames, backs and sheets: no set here is of an edition with such cards"
    return (fitting or sets)[0], ""


def _lacks(kinds: Iterable[AnyKind], edition: int | None, card_set: CardSet) -> bool:
    """Whether an edition lacks one of the kinds; none is lacking where the edition is still to be chosen."""
    return edition is not None and any(_wrong(kind, edition, card_set) for kind in kinds)


def _wrong(kind: AnyKind, edition: int, card_set: CardSet) -> str:
    """Return why an edition has no cards of that kind, and what to ask for; "" if it has."""
    if isinstance(kind, NewKind):
        if kind.name in (each.name for each in look_of(edition, card_set.folder)[1]):
            return ""
        return f"the {ordinal(edition)} Edition has no cards of the kind `{kind.name}`: ask for another edition with --edition"
    if wrong := keys.wrong_era(kind, edition, grammar_of(edition)):
        return f"{wrong[0]}: ask for `{wrong[2].value}`, or for another edition with --edition"
    return ""


def _filled(card_set: CardSet, counts: Mapping[AnyKind, int], edition: int) -> CardSet:
    for wrong in (_wrong(kind, edition, card_set) for kind in counts):
        if wrong:
            raise ValueError(wrong)
    name = card_set.name if card_set.source is None else f"{card_set.name}, blank cards"
    return replace(card_set, name=name, cards=tuple(_blank(card_set, *each, edition) for each in counts.items()))


def _blank(card_set: CardSet, kind: AnyKind, copies: int, edition: int) -> Card:
    """Return a card that says nothing; templates recognize it by its missing name."""
    # A blank card stands in no file, so nothing can be said about a place of it.
    nowhere = Nodes((), 0, 0)
    return Card(
        id=f"blank-{kind.value}",
        name="",
        kind=kind,
        edition=edition,
        era=edition,
        grammar=grammar_of(edition, card_set.folder),
        level=None,
        ultra_points=0,
        sp=None,
        hp=None,
        text="",
        flavor="",
        art=None,
        credit="",
        back=card_set.backs.of(kind),
        template=frame_of(kind, card_set.folder),
        copies=copies,
        document=Document(card_set.folder / SET_FILE, "", nowhere),
        node=nowhere,
    )

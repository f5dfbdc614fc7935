"""What becomes of the cards of a set in another edition, and of their files.

Cards that the rules refurbish get the new text; these and unchanged ones get the new Edition Indicator. Cards that are
pruned or banned are left alone, and so are those with a component of which the new edition has no successor. A card
that is already of the edition has been migrated, and stays as it is.

Numbers that a card leaves to the rules are recalculated by those of the new edition; if they do not follow, the card is
left alone, since it could no longer be read.

A card may take its edition from `set.yaml`. If a card for decks does that and is migrated, the set's edition becomes
the new one, which new cards of the set should have; a card that is left alone then gets a line with its old edition. If
all such cards for decks are left alone, or only some files of the set are migrated, the set's edition stays, and
migrated cards get a line of their own.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from render.base.findings import Diagnostic, Refused
from render.game.authoring.card_text import not_rewritten
from render.game.cards import place_of_key
from render.game.folder import SET_FILE, find_sets, is_table
from render.games.kotc.files.card_file import AUTO
from render.games.kotc.files.keys import stat_key
from render.games.kotc.legality.doubts import doubts
from render.games.kotc.legality.legality import Judgement, Legality, Objection, design_of, judge_design, objection
from render.games.kotc.legality.rewording import Reworded
from render.games.kotc.levels.costing import obstacles as obstacles_to_numbers
from render.games.kotc.levels.levels import LevelCalculator
from render.games.kotc.model.ability import LAST_OLD_EDITION
from render.games.kotc.model.cards import OLD_NAMES, Card, CardSet, Kind, ordinal
from render.games.kotc.model.edition import Edition
from render.games.kotc.workshop.migration.edits import NewKey, NewWords, Revision, replace_scalar, revise
from render.games.kotc.workshop.migration.files import FileChange
from render.games.kotc.workshop.migration.way import Way
from render.source import reader
from render.source.nodes import Document, Mapping, Node, Scalar

Relevel = Callable[[Card, str], tuple[int, int] | None]
"""Returns level and Ultra Points of a card with another text by the rules of the new edition; None if unknown."""


class Fate(enum.Enum):
    """What becomes of a card. The last four are left alone."""

    REFURBISHED = "refurbished"
    RELEVELLED = "re-levelled"
    UNCHANGED = "unchanged"
    PRUNED = "pruned"
    BANNED = "banned"
    LEFT = "left alone"
    UNJUDGED = "not judged"

    @property
    def is_migrated(self) -> bool:
        """Whether the card has the new Edition Indicator."""
        return self in (Fate.REFURBISHED, Fate.RELEVELLED, Fate.UNCHANGED)


@dataclass(frozen=True, slots=True, kw_only=True)
class MigratedCard:
    """A card before and after. `reasons` say why it is left alone, `reworded` what became of its text if it is not.

    `advice` is what its author can do about the reasons. `lacks_numbers` says that the rules of the new edition give it
    another level or other Ultra Points, and, if it is left alone, that this is the only reason.
    """

    before: Card
    after: Card
    fate: Fate
    reworded: Reworded
    reasons: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    lacks_numbers: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether anything of the card changed. The era of a card without edition is that of its set."""
        return replace(self.before, era=self.after.era) != self.after


@dataclass(frozen=True, slots=True)
class Migration:
    """A set before and after, card by card, and the files to write, all of them changed.

    `doubts` say why the rules of the new edition may not tell the truth about its cards. `numbers` are those that follow
    from them: "cost", "level", or "level or Ultra Points".
    """

    card_set: CardSet
    edition: int
    cards: tuple[MigratedCard, ...]
    files: tuple[FileChange, ...]
    doubts: tuple[Diagnostic, ...] = ()
    numbers: str = "level"

    def of(self, fate: Fate) -> list[MigratedCard]:
        """Return the cards with that fate."""
        return [card for card in self.cards if card.fate is fate]


def migrate(card_set: CardSet, edition: Edition, relevel: Relevel | None = None) -> Migration:
    """Work out the migration of a set; nothing is written.

    With `relevel`, a card whose level or Ultra Points the rules changed gets the new ones instead of being pruned.
    Refused if a change cannot be written into its file.
    """
    cards = migrated_cards(card_set, edition, relevel)
    files = tuple(_files(card_set, edition.number, cards))
    return Migration(card_set, edition.number, cards, files, tuple(doubts(edition, card_set.folder)), _numbers(edition))


def _numbers(edition: Edition) -> str:
    has_ultra_points = edition.deck.ultra_points is not None or any(each.ultra_points for each in edition.components)
    return f"{stat_key('level', edition.number)}{' or Ultra Points' if has_ultra_points else ''}"


def migrated_cards(card_set: CardSet, edition: Edition, relevel: Relevel | None = None) -> tuple[MigratedCard, ...]:
    """Return what becomes of the cards of a set, whether or not that can be written into its files."""
    calculator = LevelCalculator(edition)
    way = Way(card_set.folder, calculator)
    migrated = (_migrated(card, calculator, relevel, way) for card in card_set.cards)
    return tuple(_if_judged(_without_losses(card, way), calculator) for card in migrated)


def by_rules(edition: Edition) -> Relevel:
    """Return a function that gives level and Ultra Points of cards by the rules."""
    calculator = LevelCalculator(edition)

    def numbers(card: Card, text: str) -> tuple[int, int] | None:
        derived = calculator.derive(replace(card, text=text, edition=edition.number))
        return (derived.level, derived.ultra_points) if derived and derived.is_sound else None

    return numbers


# --- cards ----------------------------------------------------------------------------------------------------------

_REVISED = ("K003", "K004", "K008")  # level, cost or Ultra Points of a text were revised: new numbers fix that


def _migrated(card: Card, calculator: LevelCalculator, relevel: Relevel | None, way: Way) -> MigratedCard:
    edition = calculator.edition
    if card.edition == edition.number:
        return MigratedCard(before=card, after=card, fate=Fate.UNCHANGED, reworded=Reworded(card.text))
    judged = design_of(card)
    judgement = judge_design(judged, edition)
    if card.written and judgement.reworded.text != card.text:
        return _left_in_its_language(card, card.written.language, edition)
    stale = [each for each in judgement.objections if each.problem.code in _REVISED]
    # Tips, and pawns without numbers, have no level that could change.
    numbers = relevel(card, judgement.reworded.text) if relevel and card.level is not None else None
    grounds = [each for each in _grounds(card, edition, judgement) if each not in stale or numbers is None]
    if grounds:
        told = [each.problem.message for each in grounds]
        reasons = tuple(filter(None, dict.fromkeys((*told, way.refusal(card, told)))))
        advice = tuple(dict.fromkeys(each.problem.hint for each in grounds if each.problem.hint))
        lacks_numbers = edition.levels is not None and all(each in stale for each in grounds)
        return MigratedCard(
            before=card,
            after=card,
            fate=_fate_of(grounds),
            reworded=Reworded(card.text),
            reasons=reasons,
            advice=advice,
            lacks_numbers=lacks_numbers,
        )
    after = replace(card, text=judgement.reworded.text)
    if card.edition is not None or judged.is_played:  # a tip needs no Edition Indicator
        after = replace(after, edition=edition.number, era=edition.number)
    if numbers is None:
        return _with_numbers_left_to_rules(card, after, judgement.reworded, calculator)
    after = replace(after, level=numbers[0], ultra_points=numbers[1])
    relevelled = bool(stale) or (after.level, after.ultra_points) != (card.level, card.ultra_points)
    return MigratedCard(before=card, after=after, fate=_fate(card, after, relevelled), reworded=judgement.reworded)


def _left_in_its_language(card: Card, language: str, edition: Edition) -> MigratedCard:
    """Return the card left alone: the new words of the rules are English, and its file is not."""
    reason = f"a text has new words in the {ordinal(edition.number)} Edition, and the card is written in `{language}`"
    advice = "write the new words by hand, and the new edition"
    return MigratedCard(
        before=card, after=card, fate=Fate.LEFT, reworded=Reworded(card.text), reasons=(reason,), advice=(advice,)
    )


def _without_losses(card: MigratedCard, way: Way) -> MigratedCard:
    """Return the card, left alone if it would lose the sense of a component: the new edition has no successor of it."""
    losses = way.losses(card.before) if card.fate.is_migrated and card.before.edition != way.number else []
    if not losses:
        return card
    return MigratedCard(
        before=card.before,
        after=card.before,
        fate=Fate.LEFT,
        reworded=Reworded(card.before.text),
        reasons=tuple(each.reason for each in losses),
        advice=tuple(dict.fromkeys(each.advice for each in losses)),
    )


def _if_judged(card: MigratedCard, calculator: LevelCalculator) -> MigratedCard:
    """Return the card, left alone if no level follows from it by the new rules: nobody knows whether it is one of them."""
    number = calculator.edition.number
    has_level = card.after.level is not None and (
        card.after.kind is Kind.SPELL or None not in (card.after.sp, card.after.hp)
    )
    if not (card.fate.is_migrated and has_level and card.after.edition == number) or card.before.edition == number:
        return card
    obstacles = obstacles_to_numbers(card.after, calculator)
    if not obstacles:
        return card
    return MigratedCard(
        before=card.before,
        after=card.before,
        fate=Fate.UNJUDGED,
        reworded=Reworded(card.before.text),
        reasons=tuple(dict.fromkeys(each.message for each in obstacles)),
        advice=tuple(dict.fromkeys(each.hint for each in obstacles if each.hint)),
    )


def _fate(before: Card, after: Card, relevelled: bool) -> Fate:
    if after.text != before.text:
        return Fate.REFURBISHED
    return Fate.RELEVELLED if relevelled else Fate.UNCHANGED


def _with_numbers_left_to_rules(
    card: Card, after: Card, reworded: Reworded, calculator: LevelCalculator
) -> MigratedCard:
    """Return the card with the numbers calculated that it leaves to the rules, or left alone if they do not follow."""
    auto = [key for key in AUTO if isinstance(node := card.node.get(key), Scalar) and node.value == "auto"]
    obstacles = obstacles_to_numbers(after, calculator) if auto and after.edition else ()
    if obstacles:
        what = " and ".join(f"`{key}: auto`" for key in auto)
        reasons = tuple(f"{what} cannot be worked out: {each.message}" for each in obstacles)
        general = f"write numbers in place of {what}, or words that the rules of the edition know"
        advice = tuple(dict.fromkeys(each.hint or general for each in obstacles))
        return MigratedCard(
            before=card, after=card, fate=Fate.LEFT, reworded=Reworded(card.text), reasons=reasons, advice=advice
        )
    derived = calculator.derive(after)
    numbers = (
        (derived.level, derived.ultra_points) if derived and derived.is_sound else (after.level, after.ultra_points)
    )
    if "level" in auto or OLD_NAMES["level"] in auto:
        after = replace(after, level=numbers[0])
    if "ultra_points" in auto:
        after = replace(after, ultra_points=numbers[1])
    is_new = (after.level, after.ultra_points) != (card.level, card.ultra_points)
    lacks_numbers = after.level is not None and (after.level, after.ultra_points) != numbers
    return MigratedCard(
        before=card, after=after, fate=_fate(card, after, is_new), reworded=reworded, lacks_numbers=lacks_numbers
    )


def _grounds(card: Card, edition: Edition, judgement: Judgement) -> list[Objection]:
    """Return why the card cannot be migrated: objections of the rules that new words do not remove."""
    found = [each for each in judgement.objections if not each.verdict.playable or each.problem.code in _REVISED]
    # Creatures became minions with the 12th Edition, and cards of one game have no level or cost in the other.
    other_game = (card.era > LAST_OLD_EDITION) != (edition.number > LAST_OLD_EDITION)
    if other_game or (card.edition is not None and card.edition > edition.number):
        origin = f"of the {ordinal(card.edition)} Edition" if card.edition else "without Edition Indicator"
        message = f"a {card.kind.value} {origin} has no way to the {ordinal(edition.number)}"
        found = found or [objection(Legality.INVALID, "K007", message)]
    if judgement.reworded.open:
        rules = " and ".join(f"`{rule.old}`" for rule in judgement.reworded.open)
        found.append(objection(Legality.INVALID, "K007", f"the rules would go on rewording {rules} for ever"))
    return found


def _fate_of(grounds: Iterable[Objection]) -> Fate:
    verdicts = {each.verdict for each in grounds}
    if Legality.PRUNED in verdicts:
        return Fate.PRUNED
    return Fate.BANNED if Legality.BANNED in verdicts else Fate.LEFT


# --- files ----------------------------------------------------------------------------------------------------------


def _files(card_set: CardSet, edition: int, cards: tuple[MigratedCard, ...]) -> Iterator[FileChange]:
    """Yield the files that change, `set.yaml` first; Refused with all changes that cannot be written."""
    set_moves = _set_moves(card_set, edition, cards)
    findings: list[Diagnostic] = []
    if set_moves:
        yield _set_file(card_set, edition)
    for document in _documents(cards):
        of_document = [card for card in cards if card.before.document is document]
        revisions = [(card, list(_revisions(card, edition, set_moves))) for card in of_document]
        flat = [each for _, some in revisions for each in some]
        if flat and is_table(document.file):
            findings.append(not_rewritten(document.file))
            continue
        text = revise(document, flat) if flat else document.text
        if text is None:
            to_blame = [card for card, some in revisions if revise(document, some) is None]
            findings += map(_unwritable, to_blame or of_document)
        elif text != document.text:
            yield FileChange(document.file, document.text, text)
    if findings:
        raise Refused(findings)


def _documents(cards: Iterable[MigratedCard]) -> list[Document]:
    """Return the files of the cards in order, each once."""
    return list({id(card.before.document): card.before.document for card in cards}.values())


def _inherits(card: MigratedCard) -> bool:
    return card.before.node.get("edition") is None


def _set_moves(card_set: CardSet, edition: int, cards: tuple[MigratedCard, ...]) -> bool:
    """Return whether the set's own edition becomes the new one."""
    heirs = [card for card in cards if _inherits(card)]
    if card_set.edition in (None, edition) or not _is_whole(card_set):
        return False
    if not any(card.fate.is_migrated for card in heirs):
        return False
    played = [card for card in heirs if design_of(card.before).is_played]
    return not played or any(card.fate.is_migrated for card in played)


def _is_whole(card_set: CardSet) -> bool:
    """Return whether all card files of the set's folder were read."""
    found, _ = find_sets([card_set.folder])
    read = {card.document.file.resolve() for card in card_set.cards}
    return all(file.resolve() in read for files in found for file in files.cards)


def _set_file(card_set: CardSet, edition: int) -> FileChange:
    document = reader.read(card_set.folder / SET_FILE)
    node = document.root.get("edition") if isinstance(document.root, Mapping) else None
    assert isinstance(node, Scalar), "the set was loaded with an edition"
    text = revise(document, [replace_scalar(node, str(edition))])
    assert text is not None, "a number can stand where a number stood"
    return FileChange(document.file, document.text, text)


def _revisions(card: MigratedCard, edition: int, set_moves: bool) -> Iterator[Revision]:
    """Yield the revisions for one card; a card without its own edition has that of the set."""
    before, after = card.before, card.after
    given, text = before.node.get("edition"), before.node.get("text")
    if isinstance(given, Scalar):
        if after.edition != before.edition:
            yield replace_scalar(given, str(after.edition))
    elif after.edition != (edition if set_moves else before.edition):
        yield NewKey(before.node, "kind", "edition", str(after.edition))
    if after.text != before.text and isinstance(text, Scalar):
        yield NewWords(text, card.reworded.edits)
    yield from _new_numbers(before, after)


def _new_numbers(before: Card, after: Card) -> Iterator[Revision]:
    """Yield new values for level and Ultra Points; a value left to the rules stays so."""
    level, points = _level(before), before.node.get("ultra_points")
    if after.level != before.level and isinstance(level[1], Scalar) and level[1].value != "auto":
        yield replace_scalar(level[1], str(after.level))
    if after.ultra_points != before.ultra_points:
        if points is None:
            yield NewKey(before.node, level[0], "ultra_points", str(after.ultra_points))
        elif isinstance(points, Scalar) and points.value != "auto":
            yield replace_scalar(points, str(after.ultra_points))


def _level(card: Card) -> tuple[str, Node | None]:
    key = "level" if card.node.get("level") else OLD_NAMES["level"]
    return key, card.node.get(key)


def _unwritable(card: MigratedCard) -> Diagnostic:
    message = f"the new wording of `{card.before.id}` cannot be written where the old one stands"
    hint = "put the text in double quotes, or write it below `text: |`"
    return Diagnostic("K009", message, hint).at(place_of_key(card.before, "text"), card.before.id, "text")

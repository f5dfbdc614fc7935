"""Whether a card may be played by the rules of an edition, and if not, because of which words.

From the 13th Edition on (rulebook, "Refurbished and Pruned Cards"): a card without Edition Indicator is invalid; one
designed before the clean slate edition is pruned, and so is one with a text whose level was revised after its design;
outdated texts are refurbished. Up to the 12th such cards are banned, also those without Edition Indicator if there is a
clean slate (rulebook of the 11th and 12th, "Revised and Banned Cards"). Up to the 10th ("Revised Ability Text",
"Redacted Ability Text", "Revised Costs") a card with a redacted text is banned, and so is one with a text whose cost
was revised, unless its Edition Indicator is of that edition or later; outdated texts are used in their new wording.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, Refused, Severity, listed, printable, quoted
from render.game.cards import place_of_key, place_within
from render.games.kotc.editions.finding import find, known
from render.games.kotc.editions.reading import NEEDED_LEVELS
from render.games.kotc.editions.wording import outside_longer, pattern
from render.games.kotc.legality.rewording import Change, Reworded, reword
from render.games.kotc.model import ability
from render.games.kotc.model.ability import AbilityText
from render.games.kotc.model.cards import AnyKind, Card, Kind, is_spell, ordinal
from render.games.kotc.model.edition import Edition, Grammar, NewKind, Revision, Role, UnknownWords, Verdict
from render.source.nodes import Scalar
from render.source.scalar_values import write_within


class Legality(enum.Enum):
    """The rules' words for a card. Pruned, banned and invalid cards may not be played."""

    # From the mildest to the gravest: `Judgement.verdict` goes by this order.
    LEGAL = "legal"
    REFURBISHED = "refurbished"
    PRUNED = "pruned"
    BANNED = "banned"
    INVALID = "invalid"

    @property
    def playable(self) -> bool:
        """Whether a deck may have the card."""
        return self in (Legality.LEGAL, Legality.REFURBISHED)


class Design(Struct, frozen=True):
    """What the rules judge of a card: its text, the edition on its Edition Indicator if it has one, and its kind.

    `grammar` is that of its edition, or of its game, if that is known.
    """

    text: str
    edition: int | None
    kind: AnyKind
    grammar: Grammar | None = None

    @property
    def is_of_minions(self) -> bool:
        """Whether it is known to be of the game of minions."""
        return self.grammar is not None and not self.grammar.of_creatures

    @property
    def is_played(self) -> bool:
        """Whether it belongs in decks: abilities make pawns, and tips remind of a rule."""
        # Rulebook, "Pawns".
        return self.kind not in (Kind.PAWN, Kind.TIP)


class Objection(Struct, frozen=True):
    """An objection of the rules to a design: `words` is its place in the text, None if the edition is the reason."""

    verdict: Legality
    problem: Diagnostic
    words: tuple[int, int] | None = None


class Judgement(Struct, frozen=True):
    """An edition's judgement of a design: all objections, and its text in the current wording."""

    objections: tuple[Objection, ...]
    reworded: Reworded

    @property
    def verdict(self) -> Legality:
        """The gravest verdict of all objections."""
        gravity = list(Legality)
        return max((each.verdict for each in self.objections), key=gravity.index, default=Legality.LEGAL)

    @property
    def grounds(self) -> tuple[Objection, ...]:
        """The objections for which the card may not be played."""
        return tuple(each for each in self.objections if not each.verdict.playable)


def design_of(card: Card) -> Design:
    """Return what the rules judge of a card."""
    return Design(card.text, card.edition, card.kind, card.grammar)


def judge_design(design: Design, edition: Edition) -> Judgement:
    """Return the judgement of the edition's rules on a design."""
    new = reword(design.text, edition.rewordings, edition.components)
    objections = [*_of_edition(design, edition), *_of_texts(design, edition, new)] if design.is_played else []
    objections += (_refurbished(change, edition) for change in new.changes)
    return Judgement(tuple(objections), new)


def verdict(card: Card, edition: Edition) -> Legality:
    """Return the verdict of the edition's rules on the card."""
    return judge_design(design_of(card), edition).verdict


def findings(card: Card, edition: Edition) -> list[Diagnostic]:
    """Return an error for each objection that keeps the card out of decks, a warning for each outdated text."""
    return [_finding(card, each) for each in judge_design(design_of(card), edition).objections]


def findings_without_edition(cards: Iterable[Card]) -> Iterator[Diagnostic]:
    """Yield findings about cards without Edition Indicator if no edition is asked for.

    Every edition from the 12th on calls such cards of its game invalid. Whether an older card may be played depends on
    the edition; one finding says so.
    """
    played = [card for card in cards if design_of(card).is_played]
    yield from (_finding(card, _NO_INDICATOR) for card in played if not card.grammar.of_creatures)
    for card in [card for card in played if card.grammar.of_creatures][:1]:
        message = "cards without Edition Indicator are not judged: they have no rules of their own"
        hint = "judge them by those of an edition with `--edition 10`"
        yield Diagnostic("K011", message, hint, severity=Severity.WARNING).at(
            place_of_key(card, "edition"), card.id, "edition"
        )


def objection(
    verdict: Legality, code: str, message: str, hint: str = "", words: tuple[int, int] | None = None
) -> Objection:
    """Return an objection; it is an error if the card may not be played because of it."""
    severity = Severity.WARNING if verdict.playable else Severity.ERROR
    return Objection(verdict, Diagnostic(code, message, hint, severity), words)


def _finding(card: Card, found: Objection) -> Diagnostic:
    field = "edition" if found.words is None else "text"
    # The words are those of the English text; in a file of another language they are in other places.
    if found.words is None or card.written is not None:
        return replace(found.problem, instead="").at(place_of_key(card, field), card.id, field)
    node = card.node.get(field)
    instead = write_within(found.problem.instead, node.style) if isinstance(node, Scalar) else ""
    return replace(found.problem, instead=instead).at(place_within(card, field, *found.words), card.id, field)


# --- objections -----------------------------------------------------------------------------------------------------


def _without_indicator(verdict: Legality) -> Objection:
    hint = "add the `edition` for whose rules it is designed"
    return objection(verdict, "K001", f"a card without Edition Indicator is {verdict.value}", hint)


_NO_INDICATOR = _without_indicator(Legality.INVALID)


def _of_edition(design: Design, edition: Edition) -> Iterator[Objection]:
    """Yield objections to the design edition itself."""
    the_edition = f"{ordinal(edition.number)} Edition"
    if design.edition is None:
        if edition.grammar.verdict is Verdict.PRUNED:
            yield _NO_INDICATOR
        elif edition.clean_slate is not None:
            yield _without_indicator(Legality.BANNED)
        elif design.is_of_minions:
            card = "a spell with a level" if design.kind is Kind.SPELL else f"a {design.kind.value}"
            yield _of_the_other_game(card, the_edition)
        return
    indicated = f"{ordinal(design.edition)} Edition"
    # Rulebook, "Clean Slate Edition": the 11th and 12th in their own, the 13th in those of the 13th to the 17th.
    if edition.clean_slate is not None and design.edition < edition.clean_slate:
        verdict = _forbidden(edition)
        message = f"a card of the {indicated} is {verdict.value} in the {the_edition}"
        hint = f"the {ordinal(edition.clean_slate)} Edition was a clean slate: design the card anew"
        yield objection(verdict, "K002", message, hint)
    elif design.is_of_minions is edition.grammar.of_creatures:
        yield _of_the_other_game(f"a card of the {indicated}", the_edition)
    elif isinstance(design.kind, NewKind) and design.kind.name not in [kind.name for kind in edition.kinds]:
        message = f"the {the_edition} has no cards of the kind `{design.kind.name}`"
        yield objection(Legality.INVALID, "K007", message, "design it anew as a card of a kind that there is")
    elif design.edition > edition.number:
        message = f"a card of the {indicated} cannot be judged by the rules of the {the_edition}"
        yield objection(Legality.INVALID, "K007", message, "ask for the edition of its design or a later one")


def _of_the_other_game(card: str, edition: str) -> Objection:
    message = f"{card} cannot be played by the rules of the {edition}"
    return objection(Legality.INVALID, "K007", message, "the game of creatures became that of minions with the 12th")


def _of_texts(design: Design, edition: Edition, new: Reworded) -> Iterator[Objection]:
    """Yield the redacted texts, and those that the design is too old for, from left to right."""
    if design.is_of_minions and edition.grammar.of_creatures:
        return  # its words are those of the other game
    found: list[Objection] = []
    # Rulebook, "Redacted Card Texts", up to the 12th Edition "Redacted Ability Text".
    for text in edition.redacted:
        found += (_redacted(text, place, design, edition) for place in _places(text, design, edition, new))
    # Rulebook, "Revised Levels", before the 16th Edition "Revised Cost Texts" and "Revised Costs".
    for revision in edition.revisions:
        if design.edition is None or design.edition < revision.edition:
            places = _places(revision.text, design, edition, new)
            found += (_outdated(revision, place, design, edition) for place in places)
    for revision in edition.ultra_revisions:
        if design.edition is None or design.edition < revision.edition:
            found += (_worth(revision, place, design) for place in _places(revision.text, design, edition, new))
    found += _above_limits(design, edition)
    # Each list goes through the whole text; people read it once.
    yield from sorted(found, key=lambda each: each.words or (0, 0))


def _redacted(text: str, place: tuple[int, int], design: Design, edition: Edition) -> Objection:
    return objection(
        _forbidden(edition),
        "K005",
        f"{quoted(design.text[slice(*place)])} is redacted",
        f"the {ordinal(edition.number)} Edition does not allow {quoted(text)} on any card",
        place,
    )


def _above_limits(design: Design, edition: Edition) -> Iterator[Objection]:
    """Yield the texts with a number above its limit (rulebook up to the 10th Edition, "Revised Variable Limits")."""
    for component in edition.components:
        if not component.limits:
            continue
        for match in pattern(component.text).finditer(design.text):
            for name, most in component.limits:
                number = match.numbers.get(name, 0)
                if number > most:
                    message = f"{quoted(match.words)} has the number {number}, and at most {most} is allowed"
                    hint = f"the {ordinal(edition.number)} Edition limits {quoted(component.text)}"
                    yield objection(_forbidden(edition), "K013", message, hint, (match.start, match.end))


def _outdated(revision: Revision, place: tuple[int, int], design: Design, edition: Edition) -> Objection:
    of_creatures = edition.grammar.of_creatures
    since = f"{ordinal(revision.edition)} Edition"
    has = f"the card is of the {ordinal(design.edition)}" if design.edition else "the card has no Edition Indicator"
    what = "cost" if of_creatures else "level"
    return objection(
        _forbidden(edition),
        "K004" if of_creatures else "K003",
        f"the {what} of {quoted(design.text[slice(*place)])} was revised in the {since}, {has}",
        f"design the card anew: only cards of the {since} or later may have {quoted(revision.text)}",
        place,
    )


def _worth(revision: Revision, place: tuple[int, int], design: Design) -> Objection:
    since = f"{ordinal(revision.edition)} Edition"
    message = f"the Ultra Points of {quoted(design.text[slice(*place)])} were revised in the {since}"
    return objection(Legality.LEGAL, "K008", message, "those of the card are worked out anew for a deck", place)


def _refurbished(change: Change, edition: Edition) -> Objection:
    done = "refurbished" if edition.grammar.verdict is Verdict.PRUNED else "revised"
    message = f"{quoted(change.old)} is {done} in the {ordinal(edition.number)} Edition"
    hint = f"it now reads `{printable(change.new)}`"
    found = Diagnostic("K006", message, hint, Severity.WARNING, instead=change.new)
    return Objection(Legality.REFURBISHED, found, (change.start, change.end))


def _forbidden(edition: Edition) -> Legality:
    return Legality.PRUNED if edition.grammar.verdict is Verdict.PRUNED else Legality.BANNED


# --- where a text of the rules stands in a card ---------------------------------------------------------------------


def _places(text: str, design: Design, edition: Edition, new: Reworded) -> list[tuple[int, int]]:
    """Return where the words of a card are a text of the rules, as written or in their new wording.

    A longer component that contains the text is another one. Tutorial text has no effect (rulebook, "Abilities") and
    forbids nothing.
    """
    found = set(_matches(text, design.text, edition))
    # A list may name the new wording of a text that the card has in the old one.
    if new.changes:
        found |= {new.original(*place) for place in _matches(text, new.text, edition)}
    if not found:
        return []
    tutorials = _read(design, edition).tutorials
    outer = (each for each in found if not any(part.start <= each[0] < part.end for part in tutorials))
    return sorted(outer)


def _matches(text: str, words: str, edition: Edition) -> Iterator[tuple[int, int]]:
    for match in outside_longer(pattern(text).finditer(words), words, edition.components):
        yield match.start, match.end


def _read(design: Design, edition: Edition) -> AbilityText:
    # The grammar is that of the card's own edition: later ones do not read "Activate when".
    return ability.parse(design.text, design.grammar or edition.grammar, is_spell=is_spell(design.kind))


# The parts of a data file on which every card depends; words of components are told card by card.
_DECISIVE = ("terms", "clean_slate", "deck", "levels", "reworded", "redacted", "revised_levels", "revised_ultra_points")
_MAX_NAMED = 3  # named in one message


def doubts(edition: Edition, set_folder: Path) -> Iterator[Diagnostic]:
    """Yield warnings: of rules that were not understood, and of those that the edition before has and this one lacks."""
    name = f"the {ordinal(edition.number)} Edition"
    decisive = [each for each in edition.unknown if each.section in _DECISIVE]
    unread, of_new_kinds = [[each for each in decisive if bool(each.kind) is new] for new in (False, True)]
    if unread:
        message = f"cards of {name} are judged with doubt: its import did not understand all rules"
        hint = f"see `unknown` in its file, {_where_they_stand(unread)}: write it where it belongs"
        yield Diagnostic("K012", message, hint, severity=Severity.WARNING)
    if of_new_kinds:
        kinds = listed([*dict.fromkeys(kind for each in of_new_kinds for kind in each.kind.split(", "))], "and")
        message = f"{name} has cards of a kind that is not known, {kinds}: only others are judged"
        hint = f"see `unknown` in its file, {_where_they_stand(of_new_kinds)}"
        yield Diagnostic("K012", message, hint, severity=Severity.WARNING)
    has_all = set(_prices(edition)).issuperset(_EVERY_PRICE)  # so that the edition before is not read
    before = None if has_all else _edition_before(edition, set_folder)
    lost = [key for key in _prices(before) if key not in _prices(edition)] if before else []
    if edition.levels is None:
        lost = [*dict.fromkeys(key.partition(".")[0] for key in lost)]
    if before and lost:
        message = f"the rules of {name} have no {listed(lost, 'and')}, which those of the {ordinal(before.number)} have"
        hint = "write into its file what the pages say of it: until then, levels that need it are not judged"
        yield Diagnostic("K012", message, hint, severity=Severity.WARNING)


def _edition_before(edition: Edition, set_folder: Path) -> Edition | None:
    numbers = [number for number, _ in known(set_folder) if number < edition.number]
    with suppress(Refused):  # mistakes in the rules of another edition are told where its cards are judged
        return find(numbers[-1], set_folder) if numbers else None
    return None


def _prices(edition: Edition) -> list[str]:
    """Return the keys of the data file from which levels follow, as far as the edition has them."""
    levels = edition.levels
    known = {f"levels.{key}" for key in NEEDED_LEVELS if key not in levels.missing} if levels else set()
    known |= {each.role.plural for each in edition.components}
    return [key for key in _EVERY_PRICE if key in known]


_EVERY_PRICE = (
    *(f"levels.{key}" for key in NEEDED_LEVELS),
    *(role.plural for role in Role if role is not Role.CAVEAT),  # of which there are none since the 12th Edition
)


def _where_they_stand(unread: Sequence[UnknownWords]) -> str:
    """Return `line 7 of the page for `redacted``, and so on, for a message."""
    places = [*dict.fromkeys(f"line {each.line} of the page for `{each.section}`" for each in unread)]
    shown = ", ".join(places[:_MAX_NAMED])
    return f"{shown} and {len(places) - _MAX_NAMED} more" if len(places) > _MAX_NAMED else shown

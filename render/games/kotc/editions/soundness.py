"""What must hold among the entries of an edition, whether they come from its data file or from the game's pages."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from render.base.findings import listed, quoted
from render.games.kotc.editions.loops import loop
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Component, Edition, Revision, Rewording, Role

# What stands behind a component in an ability (guide, "Card Texts"), and is not part of its text here.
ENDINGS = {Role.CONDITION: ":", Role.COST: "→", Role.TARGET: ";", Role.EFFECT: "."}
CALLED = {Role.CONDITION: "condition", Role.COST: "cost", Role.TARGET: "target selection", Role.EFFECT: "effect"}

_VARIABLE = re.compile(r"\{([xyz])\}")
_LEFT_OVER = re.compile(r"\{[^{}]*\}?|\}")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "‑": "-", "\xad": None})


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """Which entry of an edition is meant: the name of its field in `Edition`, its index there, and which part of it.

    The part is the name of one of its own fields; without one it is the entry as a whole, or its text.
    """

    section: str
    index: int = 0
    part: str = ""


@dataclass(frozen=True, slots=True)
class Unsound:
    """A mistake: the number of its code, the entry, what to say of it, and the entry it disagrees with, if any."""

    number: str
    entry: EntryPlace
    message: str
    hint: str
    other: EntryPlace | None = None


def straight(text: str) -> str:
    """Return a text with straight quotes and apostrophes, plain hyphens, `→` for `->` and single spaces."""
    return " ".join(text.translate(_STRAIGHT).replace("->", "→").split())


def a_role(role: Role) -> str:
    """Return `a cost`, `an effect`, for a message."""
    return f"{'an' if role is Role.EFFECT else 'a'} {CALLED[role]}"


def variables(text: str) -> frozenset[str]:
    """Return the variables for which a card puts in numbers."""
    return frozenset(_VARIABLE.findall(text))


def mistakes(edition: Edition) -> Iterator[Unsound]:
    """Yield every mistake among the entries of the edition."""
    for index, component in enumerate(edition.components):
        yield from _of_component(EntryPlace("components", index), component)
    for index, rewording in enumerate(edition.rewordings):
        yield from _of_rewording(EntryPlace("rewordings", index), rewording)
    for index, text in enumerate(edition.redacted):
        yield from _strange_braces(EntryPlace("redacted", index), text)
    for section, revisions in (("revisions", edition.revisions), ("ultra_revisions", edition.ultra_revisions)):
        for index, revision in enumerate(revisions):
            yield from _of_revision(EntryPlace(section, index), revision, edition.number)
    yield from _given_twice(edition)
    yield from _loops(edition)
    least, most = edition.deck.least, edition.deck.most
    if least > most:
        yield Unsound(
            "038", EntryPlace("deck"), f"a deck of {least} to {most} cards cannot be", f"write {most}-{least}"
        )
    if edition.clean_slate is not None and edition.clean_slate > edition.number:
        message = f"the {ordinal(edition.number)} Edition cannot know of the {ordinal(edition.clean_slate)}"
        yield Unsound("037", EntryPlace("clean_slate"), message, "write an edition that is not later")


def _of_component(entry: EntryPlace, component: Component) -> Iterator[Unsound]:
    yield from _strange_braces(entry, component.text)
    ending = ENDINGS[component.role]
    if component.text.endswith(ending):
        message = f"{quoted(component.text)} ends in `{ending}`, which is no part of {a_role(component.role)}"
        yield Unsound("031", entry, message, f"remove the `{ending}`")
    known = variables(component.text) | ({"t"} if component.role is Role.EFFECT else set())
    strange = sorted((component.level.variables if component.level else frozenset()) - known)
    if strange:
        message = f"the formula `{component.level}` speaks of {listed(strange, 'and')}, the text does not"
        entry = replace(entry, part="level")
        hint = "write `{" + strange[0] + "}` into the text" if strange[0] != "t" else "only effects have targets"
        yield Unsound("032", entry, message, hint)


def _of_rewording(entry: EntryPlace, rewording: Rewording) -> Iterator[Unsound]:
    in_new = replace(entry, part="new")
    yield from _strange_braces(entry, rewording.old)
    yield from _strange_braces(in_new, rewording.new)
    strange = sorted(variables(rewording.new) - variables(rewording.old))
    if strange:
        message = f"the new text speaks of {listed(strange, 'and')}, the old text {quoted(rewording.old)} does not"
        yield Unsound("032", in_new, message, "a new text has only numbers that the old one has")


def _of_revision(entry: EntryPlace, revision: Revision, number: int) -> Iterator[Unsound]:
    yield from _strange_braces(entry, revision.text)
    if revision.edition > number:
        message = f"the {ordinal(number)} Edition cannot know of the {ordinal(revision.edition)}"
        yield Unsound("037", replace(entry, part="edition"), message, "write the edition in which the text was revised")


def _strange_braces(entry: EntryPlace, text: str) -> Iterator[Unsound]:
    found = _LEFT_OVER.search(_VARIABLE.sub("", text))
    if found:
        message = f"{quoted(found[0])} is not a variable of a text"
        yield Unsound("031", entry, message, "write `{x}`, `{y}` or `{z}` where a card puts in a number")


def _given_twice(edition: Edition) -> Iterator[Unsound]:
    yield from _repeated("components", ((each.role, each.text) for each in edition.components))
    yield from _repeated("rewordings", (each.old for each in edition.rewordings))
    yield from _repeated("redacted", edition.redacted)
    yield from _repeated("revisions", (each.text for each in edition.revisions))
    yield from _repeated("ultra_revisions", (each.text for each in edition.ultra_revisions))


def _repeated(section: str, keys: Iterable[Hashable]) -> Iterator[Unsound]:
    first: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        other = first.setdefault(key, index)
        if other != index:
            text = key[1] if isinstance(key, tuple) else key
            message = f"{quoted(str(text))} is given twice"
            yield Unsound(
                "033", EntryPlace(section, index), message, "remove one of the two", EntryPlace(section, other)
            )


def _loops(edition: Edition) -> Iterator[Unsound]:
    steps = loop(edition.rewordings)
    if not steps:
        return
    olds = list(dict.fromkeys(quoted(edition.rewordings[step].old) for step in steps))
    if len(olds) == 1:
        message = f"the new text of {olds[0]} makes the old one again, without end"
    else:
        message = f"{', then '.join(olds)} bring the same text back, without end"
    yield Unsound("034", EntryPlace("rewordings", steps[0]), message, "change or remove one of the rewordings")

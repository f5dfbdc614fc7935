"""What must hold between the entries of an edition, whether from its data file or from the game's pages; rewordings without end."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from render.base.findings import Diagnostic, listed, quoted
from render.base.patterns import regex
from render.games.kotc.editions.wording import plain_text, variables
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Component, Edition, Grammar, Revision, Rewording, Role

CALLED = {
    Role.CAVEAT: "caveat", Role.CONDITION: "condition", Role.COST: "cost", Role.TARGET: "target selection",
    Role.EFFECT: "effect",
}  # fmt: skip

_LEFT_OVER = regex(r"\{[^{}]*\}?|\}")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "‑": "-", "\xad": None})


class EntryPlace(Struct, frozen=True):
    """An entry of an edition: the name of its field in `Edition`, its index there, and a part of it.

    The part is the name of one of the entry's fields; "" means the whole entry, or its text.
    """

    section: str
    index: int = 0
    part: str = ""


class Inconsistency(Struct, frozen=True):
    """A mistake, the entry that has it, and the entry that it contradicts, if any."""

    problem: Diagnostic
    entry: EntryPlace
    other: EntryPlace | None = None


def normalize_quotes(text: str) -> str:
    """Return a text with straight quotes and apostrophes, plain hyphens, `→` for `->` and single spaces."""
    return " ".join(text.translate(_STRAIGHT).replace("->", "→").split())


def is_sentence(role: Role, grammar: Grammar) -> bool:
    """Return whether a component is a whole sentence, and ends in its full stop."""
    return grammar.of_sentences or role is Role.CAVEAT


def a_role(role: Role) -> str:
    """Return `a cost`, `an effect`, for a message."""
    return f"{'an' if role is Role.EFFECT else 'a'} {CALLED[role]}"


def find_mistakes(edition: Edition) -> Iterator[Inconsistency]:
    """Yield every mistake between the entries of the edition."""
    for index, component in enumerate(edition.components):
        yield from _of_component(EntryPlace("components", index), component, edition)
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
        yield Inconsistency(
            Diagnostic("D038", f"a deck of {least} to {most} cards cannot be", f"write {most}-{least}"),
            EntryPlace("deck"),
        )
    if edition.clean_slate is not None and edition.clean_slate > edition.number:
        message = f"the {ordinal(edition.number)} Edition cannot know of the {ordinal(edition.clean_slate)}"
        yield Inconsistency(
            Diagnostic("D037", message, "write an edition that is not later"), EntryPlace("clean_slate")
        )


def _of_component(entry: EntryPlace, component: Component, edition: Edition) -> Iterator[Inconsistency]:
    yield from _strange_braces(entry, component.text)
    yield from _ending(entry, component, edition.grammar)
    known = variables(component.text) | (frozenset("at") if component.role is Role.EFFECT else frozenset())
    for part, formula in (("level", component.level), ("factor", component.factor)):
        strange = sorted((formula.variables if formula else frozenset()) - known)
        if strange:
            message = f"the formula `{formula}` speaks of {listed(strange, 'and')}, the text does not"
            hint = _ONLY_OF_EFFECTS.get(strange[0]) or "write `{" + strange[0] + "}` into the text"
            yield Inconsistency(Diagnostic("D032", message, hint), replace(entry, part=part))
    limited = sorted({variable for variable, _ in component.limits} - variables(component.text))
    if limited:
        message = f"the limits speak of {listed(limited, 'and')}, the text does not"
        hint = "write `{" + limited[0] + "}` into the text, or remove its limit"
        yield Inconsistency(Diagnostic("D032", message, hint), replace(entry, part="limits"))
    if component.level is not None and component.factor is not None:
        message = f"{quoted(component.text)} has both `level` and `a`"
        yield Inconsistency(Diagnostic("D039", message, "remove one of the two"), replace(entry, part="factor"))
    if component.role is Role.CAVEAT and not edition.grammar.of_creatures:
        message = f"the {ordinal(edition.number)} Edition has no caveats"
        hint = "they ended with the 11th: write it into the list that it belongs to"
        yield Inconsistency(Diagnostic("D040", message, hint), entry)


_ONLY_OF_EFFECTS = {"t": "only effects have targets", "a": "only effects follow a condition"}


def _ending(entry: EntryPlace, component: Component, grammar: Grammar) -> Iterator[Inconsistency]:
    """Yield an end of a component's text that is not its own, or the lack of its full stop."""
    behind = grammar.ending(component.role)
    if behind and component.text.endswith(behind):
        message = f"{quoted(component.text)} ends in `{behind}`, which is no part of {a_role(component.role)}"
        yield Inconsistency(Diagnostic("D031", message, f"remove the `{behind}`"), entry)
    elif is_sentence(component.role, grammar) and not component.text.endswith("."):
        message = f"{quoted(component.text)} does not end in `.`, as {a_role(component.role)} does"
        yield Inconsistency(Diagnostic("D031", message, "add the `.`"), entry)


def _of_rewording(entry: EntryPlace, rewording: Rewording) -> Iterator[Inconsistency]:
    in_new = replace(entry, part="new")
    yield from _strange_braces(entry, rewording.old)
    yield from _strange_braces(in_new, rewording.new)
    strange = sorted(variables(rewording.new) - variables(rewording.old))
    if strange:
        message = f"the new text speaks of {listed(strange, 'and')}, the old text {quoted(rewording.old)} does not"
        yield Inconsistency(Diagnostic("D032", message, "a new text has only numbers that the old one has"), in_new)


def _of_revision(entry: EntryPlace, revision: Revision, number: int) -> Iterator[Inconsistency]:
    yield from _strange_braces(entry, revision.text)
    if revision.edition > number:
        message = f"the {ordinal(number)} Edition cannot know of the {ordinal(revision.edition)}"
        yield Inconsistency(
            Diagnostic("D037", message, "write the edition in which the text was revised"),
            replace(entry, part="edition"),
        )


def _strange_braces(entry: EntryPlace, text: str) -> Iterator[Inconsistency]:
    found = _LEFT_OVER.search(plain_text(text))
    if found:
        message = f"{quoted(found[0])} is not a variable of a text"
        yield Inconsistency(
            Diagnostic("D031", message, "write `{x}`, `{y}` or `{z}` where a card puts in a number"), entry
        )


def _given_twice(edition: Edition) -> Iterator[Inconsistency]:
    yield from _repeated("components", ((each.role, each.text) for each in edition.components))
    yield from _repeated("kinds", (each.name for each in edition.kinds))
    yield from _repeated("rewordings", (each.old for each in edition.rewordings))
    yield from _repeated("redacted", edition.redacted)
    yield from _repeated("revisions", (each.text for each in edition.revisions))
    yield from _repeated("ultra_revisions", (each.text for each in edition.ultra_revisions))


def _repeated(section: str, keys: Iterable[Hashable]) -> Iterator[Inconsistency]:
    first: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        other = first.setdefault(key, index)
        if other != index:
            text = key[1] if isinstance(key, tuple) else key
            message = f"{quoted(str(text))} is given twice"
            yield Inconsistency(
                Diagnostic("D033", message, "remove one of the two"),
                EntryPlace(section, index),
                EntryPlace(section, other),
            )


def _loops(edition: Edition) -> Iterator[Inconsistency]:
    steps = loop(edition.rewordings)
    if not steps:
        return
    olds = list(dict.fromkeys(quoted(edition.rewordings[step].old) for step in steps))
    if len(olds) == 1:
        message = f"the new text of {olds[0]} makes the old one again, without end"
    else:
        message = f"{', then '.join(olds)} bring the same text back, without end"
    yield Inconsistency(
        Diagnostic("D034", message, "change or remove one of the rewordings"), EntryPlace("rewordings", steps[0])
    )


Words = tuple[str, ...]

MAX_CLOSURES = 2000  # the 23 rewordings of the 20th Edition have 31

_NUMBER = "{}"  # stands for a variable, which may be any number
_TARGETS = regex(r"\b(?:the targets?|each target|its?)\b")
_WORD = regex(r"\{[xyz]\}|[0-9]+|[^\W\d_]+(?:[-'][^\W\d_]+)*|→|->|[^\w\s]")


class _Rule(Struct, frozen=True):
    old: Words
    new: Words


class _Closure(Struct, frozen=True):
    """What `start` becomes by the rewordings with the numbers `steps`."""

    start: Words
    end: Words
    steps: tuple[int, ...]


def loop(rewordings: Sequence[Rewording]) -> tuple[int, ...]:
    """Return the indexes of rewordings that together bring a text back; () if none do.

    Texts are compared at least as freely as matching compares them: ignoring case and number, "it" for "the targets", a
    variable for every number.
    """
    rules = [_Rule(_words(each.old), _words(each.new)) for each in rewordings]
    waiting = deque(_Closure(rule.old, rule.new, (index,)) for index, rule in enumerate(rules) if rule.old)
    seen = {(closure.start, closure.end) for closure in waiting}
    while waiting and len(seen) < MAX_CLOSURES:
        closure = waiting.popleft()
        if _holds(closure.end, closure.start):
            return closure.steps
        for following in _longer(closure, rules):
            if (following.start, following.end) not in seen:
                seen.add((following.start, following.end))
                waiting.append(following)
    return ()


def _words(text: str) -> Words:
    words = _WORD.findall(_TARGETS.sub("the target", text.lower()))
    return tuple(_NUMBER if word.startswith("{") and len(word) > 1 else _singular(word) for word in words)


def _singular(word: str) -> str:
    return "→" if word == "->" else word.removesuffix("s")


def _holds(text: Words, part: Words) -> bool:
    return any(_same(text[at : at + len(part)], part) for at in range(len(text) - len(part) + 1))


def _same(one: Words, other: Words) -> bool:
    return all(map(_agree, one, other))


def _agree(word: str, other: str) -> bool:
    return word == other or (word == _NUMBER and _is_number(other)) or (other == _NUMBER and _is_number(word))


def _is_number(word: str) -> bool:
    return word == _NUMBER or word.isdigit()


def _longer(closure: _Closure, rules: Sequence[_Rule]) -> Iterator[_Closure]:
    """Yield what one more rewording makes of a closure, with the words around it that the rewording needs."""
    for index, rule in enumerate(rules):
        for at in _overlaps(closure.end, rule.old):
            before, behind = rule.old[: max(0, -at)], rule.old[max(0, len(closure.end) - at) :]
            left, right = closure.end[: max(0, at)], closure.end[max(0, at + len(rule.old)) :]
            start, end = before + closure.start + behind, left + rule.new + right
            yield _Closure(start, end, (*closure.steps, index))


def _overlaps(text: Words, old: Words) -> Iterator[int]:
    """Yield where `old` may begin, relative to the first word of `text`, so that they overlap and agree."""
    for at in range(1 - len(old), len(text)):
        first, last = max(at, 0), min(at + len(old), len(text))
        if _same(text[first:last], old[first - at : last - at]):
            yield at

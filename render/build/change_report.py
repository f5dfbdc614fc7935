"""What changed, told: as a page that needs nothing else, in lines or Markdown for people, as JSON for programs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from render.base.findings import Finding, plural, printable
from render.base.findings import as_json as as_findings
from render.base.word_changes import ValueChange
from render.build.changes import CardChange, Changes, DeckChanges, Fate, Picture, SetChanges
from render.layout.templates import rendering
from render.png.paint import data_uris
from render.scene.items import Scene

Values = dict[str, object]

_FATES = [*Fate]  # in the order in which they are told
_BRIEF = (Fate.ADDED, Fate.REMOVED, Fate.INDICATOR)  # cards of which there is little to read


def summary(changes: Changes) -> str:
    """Return the numbers of all that changed: `2 cards changed, 1 new, 1 deck touched, 1 finding mended`."""
    fates = Counter(card.fate for each in changes.sets for card in each.cards for _ in (card, *card.alike))
    told: list[str] = []
    for fate in _FATES:
        word = f"with {fate.value}" if fate is Fate.INDICATOR else fate.value
        told += [f"{fates[fate] if told else plural(fates[fate], 'card')} {word}"] if fates[fate] else []
    versions = [("variant" if each.variant else "language", each.fate) for each in changes.sets if _is_version(each)]
    told += [f"{plural(number, what)} {fate.value}" for (what, fate), number in Counter(versions).items()]
    told += [f"{plural(len(changes.decks), 'deck')} touched"] if changes.decks else []
    for findings, word in ((changes.new, "new"), (changes.mended, "mended")):
        told += [f"{plural(len(findings), 'finding')} {word}"] if findings else []
    return ", ".join(told) or "nothing changed"


def _is_version(each: SetChanges) -> bool:
    """Return whether this says that a language or a variant is new or gone."""
    return each.fate is not Fate.CHANGED and bool(each.language or each.variant)


def page(changes: Changes) -> str:
    """Return an HTML page with each card before and after, whose pictures are inside it."""
    cards = [card for each in changes.sets for card in each.cards]
    scenes = {id(side): side for card in cards for pair in card.pictures for side in pair if isinstance(side, Scene)}
    drawn = dict(zip(scenes, data_uris(list(scenes.values())), strict=True))

    def address(side: Picture | None) -> str:
        return drawn[id(side)] if isinstance(side, Scene) else side or ""

    def group(each: SetChanges, fate: Fate) -> Values:
        of_fate = [card for card in each.cards if card.fate is fate]
        shown = [
            _card(card)
            | {
                "words": _searched(card),
                "pictures": [[*map(address, pair)] for pair in card.pictures],
                "token": any(isinstance(side, Scene) and side.cut for pair in card.pictures for side in pair),
            }
            for card in of_fate
        ]
        title = f"{fate.value[0].upper()}{fate.value[1:]}"
        return {"key": fate.name.lower(), "title": title, "is_brief": fate in _BRIEF, "cards": shown}

    fates = Counter(card.fate for card in cards)
    values = {
        **_all(changes),
        "title": f"{changes.base} → {changes.head}",
        "summary": summary(changes),
        "count": len(cards),
        "fates": [
            {"key": fate.name.lower(), "name": fate.value, "count": fates[fate]} for fate in _FATES if fates[fate]
        ],
        "sets": [
            {**_set(each), "width": f"{each.width:g}", "groups": [group(each, fate) for fate in _FATES]}
            for each in changes.sets
        ],
        "found": [
            (title, [_finding(each) for each in some])
            for title, some in (("New findings", changes.new), ("Mended findings", changes.mended))
        ],
    }
    return rendering.page("report/changes", values)


def _searched(card: CardChange) -> str:
    """Return the words by which the search of the page finds a card."""
    words = (
        card.name,
        card.id,
        card.was,
        *card.alike,
        *(word for each in card.values for word in (each.old, each.new)),
    )
    return " ".join(" ".join(words).lower().split())


def _finding(finding: Finding) -> Values:
    place = f"{finding.span}: " if finding.span else ""
    said = {"severity": finding.severity.value, "message": finding.message, "hint": finding.hint, "code": finding.code}
    return {"place": place, **said}


def as_json(changes: Changes) -> str:
    """Return the same for programs, without pictures."""
    return json.dumps(_all(changes), ensure_ascii=False, indent=2)


def _all(changes: Changes) -> Values:
    return {
        "base": changes.base,
        "head": changes.head,
        "changed": not changes.is_empty,
        "sets": [_set(each) | {"cards": [_card(card) for card in each.cards]} for each in changes.sets],
        "decks": [_deck(each) for each in changes.decks],
        "findings": {"new": json.loads(as_findings(changes.new)), "mended": json.loads(as_findings(changes.mended))},
        "notes": changes.notes,
    }


def _set(each: SetChanges) -> Values:
    return {
        "name": each.name,
        "folder": each.folder,
        "language": each.language,
        "variant": each.variant,
        "fate": each.fate.value,
    }


def _card(card: CardChange) -> Values:
    return {
        "id": card.id,
        "name": card.name,
        "fate": card.fate.value,
        "was": card.was,
        "values": [_value(each) for each in card.values],
        "reasons": card.reasons,
        "why": [each for each in card.why if each],
        "alike": card.alike,
    }


def _value(each: ValueChange) -> Values:
    return {"key": each.key, "old": each.old, "new": each.new, "marked": each.runs}


def _deck(each: DeckChanges) -> Values:
    values = [_value(value) for value in each.values]
    return {"name": each.name, "file": each.file, "fate": each.fate.value, "values": values, "touched": each.touched}


# --- in words -----------------------------------------------------------------------------------------------------------


class _Style(NamedTuple):
    """How words of authors are written, and ids; what was and what is; and with what headings and items begin."""

    words: Callable[[str], str]
    id: str
    old: str
    new: str
    heading: str
    item: str


_MARKUP = r"([\\`*_\[\]~|$])"
_LINKED = r"(?<![\w/])([@#])(?=\w)|(?<=\w)(@)(?=\w)|(:)(?=//)|(?i:(\bwww))(?=\.)"  # by GitHub, wherever it stands


def _escaped(text: str) -> str:
    """Return words of anybody in Markdown: none is markup, a picture or a link, or notifies somebody."""
    lines = [escape(printable(line), quote=False) for line in text.strip("\n").split("\n")]
    apart = re.sub(_LINKED, r"\g<0><!-- -->", re.sub(_MARKUP, r"\\\1", "\n".join(lines)))
    return apart.replace("\n", "<br>")


def _in_one_line(text: str) -> str:
    return " / ".join(printable(line) for line in text.strip("\n").split("\n"))


_MARKDOWN = _Style(_escaped, "`{}`", "<del>{}</del>", "<ins>{}</ins>", "\n#### ", "- ")
_TEXT = _Style(_in_one_line, "{}", "[-{}-]", "{{+{}+}}", "", "  ")

_LONGEST = 60_000  # characters: a comment on GitHub may have 65,536


def as_markdown(changes: Changes) -> str:
    """Return the changes as Markdown for a pull request; what would not fit into a comment is counted."""
    lines = [f"### {_escaped(changes.base)} → {_escaped(changes.head)}\n\n**{summary(changes)}**"]
    lines += _lines(changes, _MARKDOWN)
    length = 0
    for number, line in enumerate(lines):
        length += len(line) + 1
        if length > _LONGEST:
            more = plural(len(lines) - number, "line")
            return "\n".join([*lines[:number], f"\nand {more} more, which do not fit here"])
    return "\n".join(lines)


def as_text(changes: Changes) -> str:
    """Return the changes in lines for people, the last of which has all numbers."""
    return "\n".join([*_lines(changes, _TEXT), f"{changes.base} → {changes.head}: {summary(changes)}"])


def _lines(changes: Changes, style: _Style) -> Iterator[str]:
    blank = [""] if style is _MARKDOWN else []
    for each in changes.sets:
        about = [each.folder, each.language, each.variant, each.fate.value if each.fate is not Fate.CHANGED else ""]
        yield f"{style.heading}{style.words(each.name)} ({style.words(', '.join(filter(None, about)))})"
        yield from blank
        for card in sorted(each.cards, key=lambda card: _FATES.index(card.fate)):
            yield style.item + _card_in_words(card, style)
    if changes.decks:
        yield from (f"{style.heading}Decks", *blank)
    for deck in changes.decks:
        said = [_value_in_words(each, style) for each in deck.values]
        said += [f"changed cards: {', '.join(map(style.words, deck.touched))}"] if deck.touched else []
        yield f"{style.item}{style.words(deck.name)} ({style.words(deck.file)}) {_ending(deck.fate, said)}"
    for title, findings in (("New findings", changes.new), ("Mended findings", changes.mended)):
        if findings:
            yield from (f"{style.heading}{title}", *blank)
            yield from (style.item + _finding_in_words(each, style) for each in findings)
    yield from (f"{style.item}{style.words(note)}" for note in changes.notes)


def _card_in_words(card: CardChange, style: _Style) -> str:
    said = [f"it was {style.id.format(card.was)}"] if card.was else []
    said += [_value_in_words(each, style) for each in card.values]
    said += [style.words(each) if style is _TEXT else _with_code(each) for each in card.reasons]
    if any(card.why):
        said.append(f"level: {style.words(card.why[0])} → {style.words(card.why[1])}")
    if card.alike:
        said.append(f"so did {', '.join(map(style.words, card.alike))}")
    return f"{style.words(card.name)} ({style.id.format(card.id)}) {_ending(card.fate, said)}"


def _ending(fate: Fate, said: Sequence[str]) -> str:
    return f"{fate.value}{': ' if said else ''}{'; '.join(said)}"


def _value_in_words(each: ValueChange, style: _Style) -> str:
    marks = {"": "{}", "old": style.old, "new": style.new}
    if each.runs:
        marked = "".join(marks[mark].format(style.words(words)) for words, mark in each.runs)
        return f"{style.words(each.label)}: {marked}"
    if each.old and each.new:
        return f"{style.words(each.label)} {style.words(each.old)} → {style.words(each.new)}"
    mark = style.new if each.new else style.old
    return f"{style.words(each.label)} {mark.format(style.words(each.new or each.old))}"


def _with_code(words: str) -> str:
    """Return a message in Markdown: what is between backticks stays so, as far as it can."""
    stretches = words.split("`")
    return "`".join(each if index % 2 else _escaped(each) for index, each in enumerate(stretches))


def _finding_in_words(finding: Finding, style: _Style) -> str:
    place = f"{finding.span}: " if finding.span else ""
    message = style.words(finding.message) if style is _TEXT else _with_code(finding.message)
    return f"{style.words(place)}{finding.severity.value}: {message} ({finding.code})"

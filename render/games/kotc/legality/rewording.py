"""Old texts of a card in their new wording (rulebook, "Refurbished Card Texts", up to the 11th "Revised Ability Text").

Replacements are applied until nothing changes any more, since one can enable another: "this in-play card is destroyed"
becomes "this on-field minion is destroyed", and that becomes "this card in your battlefield is destroyed".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from render.base.patterns import regex
from render.base.word_changes import Edit, edits_between
from render.games.kotc.editions.wording import Match, Sort, TargetForm, atoms, outside_longer, pattern
from render.games.kotc.languages.english import english_variants
from render.games.kotc.languages.notation import filled
from render.games.kotc.model.edition import Component, Rewording


class Change(NamedTuple):
    """The words from `start` to before `end` of the original text, what became of them, and by which rewordings."""

    start: int
    end: int
    old: str
    new: str
    rules: tuple[Rewording, ...]


class Reworded(Struct, frozen=True):
    """A text in its new wording: its changes from left to right, each with the words around it that belong to it.

    `open` are rewordings that would apply to their own results: a loop in the rules.
    """

    text: str
    changes: tuple[Change, ...] = ()
    open: tuple[Rewording, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The changes word by word, without the words that stay."""
        return tuple(edit for each in self.changes for edit in edits_between(each.old, each.new, each.start))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters `start` to before `end` of the new text come from in the original.

        Characters in a change come from all of that change.
        """
        first, last, shift = start, end, 0
        found_first = found_last = False
        for change in self.changes:
            new_start = change.start + shift
            new_end = new_start + len(change.new)
            if not found_first and start < new_end:
                first, found_first = (change.start if start > new_start else start - shift), True
            if not found_last and end <= new_end:
                last, found_last = (change.end if end > new_start else end - shift), True
            shift += len(change.new) - (change.end - change.start)
        return first if found_first else start - shift, last if found_last else end - shift


def reword(text: str, rewordings: Iterable[Rewording], components: Sequence[Component] = ()) -> Reworded:
    """Return the text in its new wording.

    If several rewordings apply, the longest words come first, then the leftmost, so the order of the rewordings does
    not matter. Each applies at most once per place. Words inside the text of a longer component of the edition stay.
    """
    rules = tuple(rewordings)
    # Most cards have no outdated text.
    if not any(pattern(rule.old).is_in(text) for rule in rules):
        return Reworded(text)
    return _Rewriter(text, sorted(set(rules), key=lambda rule: (rule.old, rule.new)), components).result()


Made = frozenset[int]


class _Letter(Struct, frozen=True):
    """A character of the current text, its range in the original, and the rewordings that made it."""

    char: str
    start: int
    end: int
    made: Made = frozenset()


class _Rewriter:
    """A text being reworded, with the history of each character."""

    def __init__(self, text: str, rules: Sequence[Rewording], components: Sequence[Component]) -> None:
        self.original = text
        self.text = text
        self.rules = rules
        self.components = components
        self.letters = [_Letter(char, at, at + 1) for at, char in enumerate(text)]

    def result(self) -> Reworded:
        """Apply every rewording as long as one applies. Each letter names those that made it, so this ends."""
        while found := self._next():
            self._apply(*found)
        left = sorted({index for index, _ in self._matches()})
        return Reworded(self.text, tuple(self._changes()), tuple(self.rules[index] for index in left))

    def _next(self) -> tuple[int, Match] | None:
        # A rewording leaves alone what it made itself, or two that undo each other would never end.
        free = [(index, match) for index, match in self._matches() if index not in self._made(match)]
        # The longest first, as its start minus its end is the least; then the leftmost.
        return min(free, key=lambda found: (found[1].start - found[1].end, found[1].start, found[0]), default=None)

    def _matches(self) -> Iterator[tuple[int, Match]]:
        for index, rule in enumerate(self.rules):
            for match in outside_longer(pattern(rule.old).finditer(self.text), self.text, self.components):
                yield index, match

    def _made(self, match: Match) -> Made:
        return frozenset().union(*(letter.made for letter in self.letters[match.start : match.end]))

    def _apply(self, index: int, match: Match) -> None:
        replaced = self.letters[match.start : match.end]
        start, end = min(letter.start for letter in replaced), max(letter.end for letter in replaced)
        made = self._made(match) | {index}
        words = render_words(self.rules[index].new, match.numbers, match.words, self.original, plural=match.plural)
        self.letters[match.start : match.end] = [_Letter(char, start, end, made) for char in words]
        self.text = "".join(letter.char for letter in self.letters)

    def _changes(self) -> Iterator[Change]:
        """Yield the stretches of the original that were replaced; overlapping ones are joined."""
        stretches: list[list[_Letter]] = []
        end = 0
        for letter in (each for each in self.letters if each.made):
            if stretches and letter.start < end:
                stretches[-1].append(letter)
            else:
                stretches.append([letter])
            end = max(end, letter.end)
        for letters in stretches:
            first, last = min(letter.start for letter in letters), max(letter.end for letter in letters)
            new = "".join(letter.char for letter in letters)
            rules = sorted(frozenset().union(*(letter.made for letter in letters)))
            yield Change(first, last, self.original[first:last], new, tuple(self.rules[index] for index in rules))


# --- a text of the rules in the manner of the card -------------------------------------------------------------------

_IT = regex(r"\bits?\b(?!['’‘])", re.IGNORECASE)
_THE_TARGET = regex(r"\bthe\s+target\b", re.IGNORECASE)


def render_words(
    text: str, numbers: Mapping[str, int], like: str = "", around: str = "", *, plural: bool = False
) -> str:
    """Return a text of the rules with its numbers filled in: singular for 1, "up to" only before more than 1.

    It begins with a capital, says "it" or "the target", and has curly quotes and `->` if the words `like` do, or, if
    those have no quote or arrow, if the text `around` does. `plural` puts a last noun in the plural.
    """
    form = TargetForm.ONE if _THE_TARGET.search(like) else TargetForm.IT if _IT.search(like) else TargetForm.MANY
    words = filled(english_variants(text), numbers, form, bare=True) or text
    if plural and atoms(text)[-1].sort is Sort.LAST_NOUN:
        words += "s"
    # Two capitals are an abbreviation such as "SP", and not the beginning of a sentence.
    if like[:1].isupper() and not like[1:2].isupper():
        words = words[:1].upper() + words[1:]
    if _has_curly(like, around):
        words = _curled(words)
    return words.replace("→", "->") if _has_ascii_arrow(like, around) else words


def _has_curly(like: str, around: str) -> bool:
    for words in (like, around):
        if re.search("[\"'“”‘’]", words):
            return bool(re.search("[“”‘’]", words)) and not re.search("[\"']", words)
    return False


def _curled(words: str) -> str:
    # A quote opens at the beginning, behind a space and behind a parenthesis; all others close.
    opening = re.sub(r'(?<![^\s(])"', "“", words)
    return opening.replace('"', "”").replace("'", "’")


def _has_ascii_arrow(like: str, around: str) -> bool:
    for words in (like, around):
        if "→" in words or "->" in words:
            return "→" not in words
    return False

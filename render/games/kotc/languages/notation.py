"""The notation in which a text of the rules stands in another language, and the variants that it means.

`ziehe {x} [Karte|Karten]`: in brackets stand the words for the number 1 and, behind a bar, those for more. They belong
to the only variable of the text, or to the one that they begin with: `[y: Karte|Karten]`. In `<bis zu >{x}` stand the
words for "up to", which a text may leave out before 1. Other words in braces, such as `{acc}`, stand for the targets;
the file says how an effect speaks of several, of one and of "it", which may depend on the gender of what was targeted.
Every text means a few variants, each of which is words and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from render.base.patterns import regex
from render.games.kotc.editions.wording import TargetForm

ANY = ""
"""The gender of words that are the same for all genders."""


class TargetWords(Struct, frozen=True):
    """The words that stand for the targets in one place: of several, of one, and "it" by gender."""

    many: str
    one: str
    it: Mapping[str, str]

    def variants(self) -> Iterator[tuple[TargetForm, str, str]]:
        """Yield form, gender and words."""
        yield TargetForm.MANY, ANY, self.many
        yield TargetForm.ONE, ANY, self.one
        for gender, words in self.it.items():
            yield TargetForm.IT, gender, words


class Variant(Struct, frozen=True, kw_only=True):
    """A text for certain numbers and one way to speak of the targets: `words` with `{x}` for a number.

    `ones` are the variables that are 1, `many` those that are more; others may be any number. `bare` says that "up to"
    is left out. `form` is None, and `gender` empty, if it says nothing of targets.
    """

    words: str
    ones: frozenset[str]
    many: frozenset[str]
    bare: bool
    form: TargetForm | None
    gender: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables in the order of their numbers; one may stand there twice."""
        return tuple(_VARIABLE.findall(self.words))

    def fits(self, numbers: Mapping[str, int]) -> bool:
        """Return whether it is the variant for these numbers."""
        return all(numbers[name] == 1 for name in self.ones) and all(numbers[name] > 1 for name in self.many)

    def filled(self, numbers: Mapping[str, int]) -> str:
        """Return the words with their numbers."""
        return _VARIABLE.sub(lambda found: str(numbers[found[1]]), self.words)


_VARIABLE = regex(r"\{([xyz])\}")
_BRACES = regex(r"[{}]")
_PIECE = regex(
    r"\[(?:(?P<counter>[xyz]):[ ]?)?(?P<one>[^\[\]|]*)\|(?P<more>[^\[\]|]*)\]"
    r"|<(?P<up_to>[^<>\[\]{}|]*)>(?=\{(?P<counted>[xyz])\})|\{(?P<slot>[a-z_]+)\}|(?P<stray>[\[\]{}<>|])"
)


def variants(text: str, targets: Mapping[str, TargetWords]) -> tuple[Variant, ...]:
    """Return every variant of a text in the notation; ValueError if it is not in the notation."""
    numbered = sorted(set(_VARIABLE.findall(text)))
    found = tuple(expand(tuple(_pieces(text, numbered, targets)), targets))
    if any(_BRACES.search(_VARIABLE.sub("", each.words)) for each in found):
        raise ValueError("words for the targets cannot stand within brackets")
    return found


class Piece(Struct, frozen=True):
    """A piece of a text: plain `more`, words that depend on the number of `counter`, or a `slot` for the targets.

    `up_to` says that `more` are the words for "up to" before that number.
    """

    more: str = ""
    one: str = ""
    counter: str = ""
    slot: str = ""
    up_to: bool = False

    def said(self, ones: frozenset[str], spoken: Mapping[str, str], *, bare: bool) -> str:
        """Return its words where some numbers are 1, with the words for each slot."""
        if self.slot:
            return spoken[self.slot]
        if self.up_to:
            return "" if bare and self.counter in ones else self.more
        return self.one if self.counter in ones else self.more


def expand(pieces: Sequence[Piece], targets: Mapping[str, TargetWords]) -> Iterator[Variant]:
    """Yield every variant of a text that is taken apart; `targets` are the words for each slot."""
    counters = sorted({piece.counter for piece in pieces if piece.counter})
    forms = list(_forms({piece.slot for piece in pieces if piece.slot}, targets))
    limited = {piece.counter for piece in pieces if piece.up_to}
    for chosen in product((True, False), repeat=len(counters)):
        ones = frozenset(name for name, is_one in zip(counters, chosen, strict=True) if is_one)
        many = frozenset(counters) - ones
        for bare in (True, False) if limited & ones else (False,):
            for form, gender, spoken in forms:
                words = "".join(piece.said(ones, spoken, bare=bare) for piece in pieces)
                yield Variant(words=words, ones=ones, many=many, bare=bare, form=form, gender=gender)


def filled(
    known: Iterable[Variant], numbers: Mapping[str, int], form: TargetForm, gender: str = ANY, *, bare: bool
) -> str | None:
    """Return the words of the variant for numbers and targets, with these numbers; None if there is none."""
    fitting = [each for each in known if each.form in (None, form) and each.fits(numbers)]
    # Where a language has no words for "up to", there is no other variant.
    fitting = [each for each in fitting if each.bare is bare] or fitting
    chosen = next((each for each in fitting if each.gender in (gender, ANY)), next(iter(fitting), None))
    return chosen.filled(numbers) if chosen else None


def _pieces(text: str, numbered: list[str], targets: Mapping[str, TargetWords]) -> Iterator[Piece]:
    at = 0
    for match in _PIECE.finditer(text):
        slot = match["slot"]
        if slot in ("x", "y", "z"):
            continue
        yield Piece(more=text[at : match.start()])
        at = match.end()
        if match["stray"]:
            raise ValueError(f"`{match['stray']}` at character {match.start() + 1} belongs to nothing")
        if slot and slot not in targets:
            raise ValueError(f"`{{{slot}}}` is neither a number nor words for the targets")
        if match["up_to"] is not None:
            yield Piece(more=match["up_to"], counter=match["counted"], up_to=True)
        else:
            yield Piece(slot=slot) if slot else _counted(match, numbered)
    yield Piece(more=text[at:])


def _counted(match: re.Match[str], numbered: list[str]) -> Piece:
    counter = match["counter"] or (numbered[0] if len(numbered) == 1 else "")
    if not counter:
        if not numbered:
            raise ValueError(f"`{match[0]}` belongs to no number: the text has none")
        hint = " or ".join(f"`[{name}: …|…]`" for name in numbered)
        raise ValueError(f"`{match[0]}` does not say which number it belongs to: write {hint}")
    if counter not in numbered:
        raise ValueError(f"`{match[0]}` belongs to a number that the text does not have")
    return Piece(more=match["more"], one=match["one"], counter=counter)


def _forms(
    slots: set[str], targets: Mapping[str, TargetWords]
) -> Iterator[tuple[TargetForm | None, str, Mapping[str, str]]]:
    """Yield each way to speak of the targets, with the words for each slot."""
    if not slots:
        yield None, ANY, {}
        return
    genders = sorted({gender for slot in slots for gender in targets[slot].it})
    for form, gender in (
        (TargetForm.MANY, ANY),
        (TargetForm.ONE, ANY),
        *((TargetForm.IT, gender) for gender in genders),
    ):
        said = {slot: _said(targets[slot], form, gender) for slot in slots}
        if None not in said.values():
            yield form, gender, {slot: words or "" for slot, words in said.items()}


def _said(words: TargetWords, form: TargetForm, gender: str) -> str | None:
    match form:
        case TargetForm.MANY:
            return words.many
        case TargetForm.ONE:
            return words.one
        case TargetForm.IT:
            return words.it.get(gender, words.it.get(ANY))

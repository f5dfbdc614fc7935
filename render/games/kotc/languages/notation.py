"""The notation in which a text of the rules stands in another language, and the variants that it means.

`ziehe {x} [Karte|Karten]`: in brackets stand the words for the number 1 and, behind a bar, those for more. They belong
to the only variable of the text, or to the one that they begin with: `[y: Karte|Karten]`. Other words in braces, such
as `{acc}`, stand for the targets; the file says how an effect speaks of several, of one and of "it", which may depend
on the gender of what was targeted. Every text means a few variants, each of which is words and numbers.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

ANY = ""
"""The gender of words that are the same for all genders."""


class TargetForm(enum.Enum):
    """How an effect speaks of its targets: "the targets" or "each target", "the target", or "it"."""

    MANY = "many"
    ONE = "one"
    IT = "it"


@dataclass(frozen=True, slots=True)
class TargetWords:
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


@dataclass(frozen=True, slots=True)
class Variant:
    """A text for certain numbers and one way to speak of the targets: `words` with `{x}` for a number.

    `ones` are the variables that are 1, `many` those that are more; others may be any number. `form` is None, and
    `gender` empty, if it says nothing of targets.
    """

    words: str
    ones: frozenset[str]
    many: frozenset[str]
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


_VARIABLE = re.compile(r"\{([xyz])\}")
_BRACES = re.compile(r"[{}]")
_PIECE = re.compile(
    r"\[(?:(?P<counter>[xyz]):[ ]?)?(?P<one>[^\[\]|]*)\|(?P<more>[^\[\]|]*)\]"
    r"|\{(?P<slot>[a-z_]+)\}|(?P<stray>[\[\]{}|])"
)


def variants(text: str, targets: Mapping[str, TargetWords]) -> tuple[Variant, ...]:
    """Return every variant of a text in the notation; ValueError if it is not in the notation."""
    numbered = sorted(set(_VARIABLE.findall(text)))
    pieces = tuple(_pieces(text, numbered, targets))
    counters = sorted({piece.counter for piece in pieces if piece.counter})
    forms = list(_forms({piece.slot for piece in pieces if piece.slot}, targets))
    found = []
    for chosen in product((True, False), repeat=len(counters)):
        ones = frozenset(name for name, is_one in zip(counters, chosen, strict=True) if is_one)
        for form, gender, spoken in forms:
            words = "".join(piece.said(ones, spoken) for piece in pieces)
            if _BRACES.search(_VARIABLE.sub("", words)):
                raise ValueError("words for the targets cannot stand within brackets")
            found.append(Variant(words, ones, frozenset(counters) - ones, form, gender))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a text: plain `more`, words that depend on the number of `counter`, or a `slot` for the targets."""

    more: str = ""
    one: str = ""
    counter: str = ""
    slot: str = ""

    def said(self, ones: frozenset[str], spoken: Mapping[str, str]) -> str:
        if self.slot:
            return spoken[self.slot]
        return self.one if self.counter in ones else self.more


def _pieces(text: str, numbered: list[str], targets: Mapping[str, TargetWords]) -> Iterator[_Piece]:
    at = 0
    for match in _PIECE.finditer(text):
        slot = match["slot"]
        if slot in ("x", "y", "z"):
            continue
        yield _Piece(more=text[at : match.start()])
        at = match.end()
        if match["stray"]:
            raise ValueError(f"`{match['stray']}` at character {match.start() + 1} belongs to nothing")
        if slot and slot not in targets:
            raise ValueError(f"`{{{slot}}}` is neither a number nor words for the targets")
        yield _Piece(slot=slot) if slot else _counted(match, numbered)
    yield _Piece(more=text[at:])


def _counted(match: re.Match[str], numbered: list[str]) -> _Piece:
    counter = match["counter"] or (numbered[0] if len(numbered) == 1 else "")
    if not counter:
        hint = " or ".join(f"`[{name}: …|…]`" for name in numbered)
        raise ValueError(f"`{match[0]}` does not say which number it belongs to: {hint or 'the text has none'}")
    if counter not in numbered:
        raise ValueError(f"`{match[0]}` belongs to a number that the text does not have")
    return _Piece(more=match["more"], one=match["one"], counter=counter)


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

"""Texts of the rules: the pieces that they are made of, and patterns of them for card texts.

The rules say how a text may look on a card. Rulebook, "Refurbished Card Texts": x, y and z are replaced with numbers,
and "the targets" might be replaced with "it". Card Building Guide, "Target Selections": if the number of targets can
never be greater than 1, words which refer to it are singular and "up to" is removed; "Effects": then "each target" and
"the targets" are "the target" or "it", "each target's" and "the targets'" are "the target's" or "its"; a first letter
may be capital. With the number 1, the plural and "up to" also match: older editions print "up to 1 card".
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from msgspec import Struct

from render.base.caches import cached
from render.base.patterns import regex
from render.games.kotc.model.edition import Component


class Sort(enum.Enum):
    """The kind of a piece of text, which says how a card may print it."""

    WORD = "word"
    SPACE = "space"
    OTHER = "other"
    QUOTE = "quote"
    ARROW = "arrow"
    VARIABLE = "variable"
    UP_TO = "up to"  # before a variable, with the space behind it
    COUNTED = "counted"  # a plural noun counted by its variable
    LAST_NOUN = "last noun"  # a singular noun at the end, which a card may have in the plural
    TARGETS = "targets"  # the targets, each target, the targets', each target's
    BATCH = "batch"  # "Batch add", which is "add" if there is one target (11th Edition)


class TargetForm(enum.Enum):
    """How an effect speaks of its targets: "the targets" or "each target", "the target", "it"."""

    MANY = "many"
    ONE = "one"
    IT = "it"


class Atom(Struct, frozen=True):
    """A piece of a text of the rules; `variable` is the variable that it is, or that counts it."""

    sort: Sort
    text: str
    variable: str = ""


_ATOM = regex(
    r"(?P<targets>\b(?:the targets'?|each target(?:'s)?)(?![\w-]))|(?P<up_to>\bup to )(?=\{[xyz]\})"
    r"|(?P<batch>\bBatch (?:add|subtract)\b)|\{(?P<variable>[xyz])\}|(?P<arrow>→|->)|(?P<space>\s+)"
    r"|(?P<quote>[\"'])|(?P<word>\w+(?:-\w+)*)|(?P<other>.)"
)
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


@cached(4096)
def atoms(text: str) -> tuple[Atom, ...]:
    """Return the pieces of a text of the rules, with straight quotes and single spaces."""
    found = list(_ATOM.finditer(" ".join(text.translate(_STRAIGHT).split())))
    counted = dict(_counted(found))
    singular_end = _may_be_plural(found)
    return tuple(_atom(found, index, counted, singular_end) for index in range(len(found)))


def _atom(found: list[re.Match[str]], index: int, counted: dict[int, str], singular_end: bool) -> Atom:
    match = found[index]
    kind = match.lastgroup or ""
    if kind == "variable":
        return Atom(Sort.VARIABLE, match[0], match["variable"])
    if kind == "up_to":
        return Atom(Sort.UP_TO, match[0], found[index + 1]["variable"])
    if index in counted:
        return Atom(Sort.COUNTED, match[0], counted[index])
    if singular_end and index == len(found) - 1:
        return Atom(Sort.LAST_NOUN, match[0])
    return Atom(Sort(kind), "→" if kind == "arrow" else match[0])


def has_targets(component: Component) -> bool:
    """Return whether a component speaks of the targets of its sentence."""
    return any(atom.sort is Sort.TARGETS for atom in atoms(component.text))


def needs_targets(component: Component) -> bool:
    """Return whether an effect means nothing without targets, by its words or its level."""
    return component.counts_targets or has_targets(component)


def variables(text: str) -> frozenset[str]:
    """Return the variables that a card replaces with numbers."""
    return frozenset(_VARIABLE.findall(text))


def plain_text(text: str) -> str:
    """Return a text of the rules as their pages print it: `draw x cards` for `draw {x} cards`."""
    return _VARIABLE.sub(r"\1", text)


_VARIABLE = regex(r"\{([xyz])\}")


# Words behind which a number does not count any more: "{x} of your resources" has resources for one of them, too.
_NO_LONGER_COUNTED = frozenset(
    "of on in to from by and or until for with at among damage therein is are per this that your any all".split()
)
_OF_COUNTERS = ("damage", "dice")  # they name counters, too, and then they are not what is counted
_ENDS_IN_S = frozenset("this its as is was has less each".split())


def _counted(found: list[re.Match[str]]) -> list[tuple[int, str]]:
    """Return the indexes of the counted nouns, with the variable that counts them.

    A number behind "level" counts nothing: "{x} level {y} pawns" are x pawns, and "level {x} or lower" is a level.
    """
    nouns = []
    for index, match in enumerate(found):
        if match.lastgroup != "variable" or (index > 1 and found[index - 2][0] == "level"):
            continue
        for at in range(index + 1, len(found)):
            kind, word = found[at].lastgroup, found[at][0]
            if word == "or" and found[at + 2 : at + 3] and found[at + 2][0] == "lower":
                continue  # "{x} level {y} or lower creatures" are x creatures
            if word in _OF_COUNTERS and found[at + 2 : at + 3] and found[at + 2][0] == "counters":
                continue  # "{x} dice counters" and "{x} damage counters" are x counters
            if kind not in ("space", "word", "variable") or word in _NO_LONGER_COUNTED:
                break
            if kind == "word" and singular(word) != word:
                nouns.append((at, match["variable"]))
                break
    return nouns + _counted_verbs(found)


def _counted_verbs(found: list[re.Match[str]]) -> list[tuple[int, str]]:
    """Return the indexes of "are" behind a number, which is "is" for one: "at least {x} of your cards are destroyed".

    Guide up to the 11th Edition, "Constructing Abilities": plural forms are singular for the number 1.
    """
    verbs, last = [], ""
    for index, match in enumerate(found):
        last = match["variable"] or last
        if last and match[0] == "are":
            verbs.append((index, last))
    return verbs


def singular(word: str) -> str:
    """Return a plural noun in the singular, and "is" for "are"; any other word unchanged."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith("s") or word.endswith("ss") or word in _ENDS_IN_S:
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


_IRREGULAR = {"dice": "die", "are": "is"}
_NOUNS = frozenset("card minion creature spell pawn resource counter player".split())
_OF_ONE = frozenset("a an this that each one any another".split())


def _may_be_plural(found: list[re.Match[str]]) -> bool:
    """Return whether the text ends in a noun that a card may have in the plural, as "in-play card"."""
    return found[-1][0] in _NOUNS and not any(match[0] in _OF_ONE for match in found) if found else False


# --- patterns ------------------------------------------------------------------------------------------------------


class Match(Struct, frozen=True, kw_only=True):
    """Where a text of the rules stands in a card text, and the numbers of its variables.

    `plural` says that its last word is in the plural (`in-play cards` for `in-play card`), `single` that it speaks of
    one target, as "it" or "the target".
    """

    start: int
    end: int
    words: str
    numbers: Mapping[str, int]
    plural: bool = False
    single: bool = False


class Pattern(Struct, frozen=True):
    """A text of the rules, ready to search for. `clue` are squeezed words of it that every match contains.

    Few texts of an edition have a card with their clue.
    """

    text: str
    clue: str
    _within: re.Pattern[str]
    _whole: re.Pattern[str]

    def finditer(self, text: str) -> Iterator[Match]:
        """Yield the matches at word boundaries, from left to right, none overlapping another."""
        if self.clue in squeezed(text):
            yield from map(_match, self._within.finditer(text))

    def match_whole(self, text: str) -> Match | None:
        """Return the match if the whole text is this one; None if it is not."""
        found = self._whole.fullmatch(text) if self.clue in squeezed(text) else None
        return _match(found) if found else None

    def is_in(self, text: str) -> bool:
        """Return whether there is a match; most texts do not even contain the clue."""
        return self.clue in squeezed(text) and self._within.search(text) is not None


@cached(64)
def squeezed(text: str) -> str:
    """Return the text in lower case with single spaces."""
    return " ".join(text.lower().split())


@cached(4096)
def pattern(text: str) -> Pattern:
    """Return the pattern of a text of the rules."""
    found = atoms(text)
    body = "".join(_regexes(found))
    return Pattern(text, _clue(found), regex(_start(found) + body + _end(found)), regex(body))


def outside_longer(matches: Iterable[Match], text: str, components: Iterable[Component]) -> list[Match]:
    """Return the matches that do not lie inside a match of a longer component."""
    found = list(matches)
    if not found:
        return []
    longer = [each for component in components for each in pattern(component.text).finditer(text)]
    return [match for match in found if not any(_inside(match, each) for each in longer)]


def _inside(match: Match, longer: Match) -> bool:
    return longer.start <= match.start and match.end <= longer.end and longer.end - longer.start > len(match.words)


def _match(found: re.Match[str]) -> Match:
    groups = found.groupdict()
    numbers = {name: int(groups[name]) for name in "xyz" if groups.get(name)}
    single = any(groups[name] for name in groups if name.startswith("single"))
    return Match(
        start=found.start(),
        end=found.end(),
        words=found[0],
        numbers=numbers,
        plural=bool(groups.get("plural")),
        single=single,
    )


# --- a text as a regular expression ---------------------------------------------------------------------------------

_SPACE = r"[^\S\n]+"  # an ability is one paragraph (guide, "Constructing Abilities"), so that no text runs over its end
_APOSTROPHE = "['’‘]"
_ANY_QUOTE = {"'": _APOSTROPHE, '"': '["“”„]'}


def _regexes(found: tuple[Atom, ...]) -> Iterator[str]:
    """Yield the expressions of the atoms; a variable that occurs again must have the same number."""
    seen: set[str] = set()
    for index, atom in enumerate(found):
        match atom.sort:
            case Sort.VARIABLE:
                yield f"(?P={atom.variable})" if atom.variable in seen else _number(atom.variable)
                if index and found[index - 1].sort is Sort.UP_TO:
                    # Only 1 may stand without its "up to" (guide, "Target Selections").
                    yield f"(?(up_to_{atom.variable})|(?(one_{atom.variable})|(?!)))"
                seen.add(atom.variable)
            case Sort.UP_TO:
                yield f"(?P<up_to_{atom.variable}>up{_SPACE}to{_SPACE})?"
            case Sort.TARGETS:
                yield _targets(atom, index)
            case Sort.BATCH:
                yield _batch(atom.text)
            case _:
                yield _capital(_simple(atom), atom.text) if index == 0 else _simple(atom)


def _simple(atom: Atom) -> str:
    match atom.sort:
        case Sort.SPACE:
            return _SPACE
        case Sort.QUOTE:
            return _ANY_QUOTE[atom.text]
        case Sort.ARROW:
            return "(?:→|->)"
        case Sort.COUNTED:
            one, many = re.escape(singular(atom.text)), re.escape(atom.text)
            return f"(?(one_{atom.variable})(?:{one}|{many})|{many})"
        case Sort.LAST_NOUN:
            return f"{re.escape(atom.text)}(?P<plural>s)?"
    return re.escape(atom.text)


def _number(variable: str) -> str:
    """Return an expression for a positive whole number, which records whether it is 1."""
    # Guide, "Constructing Abilities": a number is at least 1.
    return f"(?P<{variable}>(?P<one_{variable}>1(?![0-9]))|[1-9][0-9]*)"


def _targets(atom: Atom, index: int) -> str:
    """Return an expression for the targets, or the one target, not followed by a possessive unless it is one."""
    owning = "'" in atom.text
    many, *one = (
        _capital("".join(map(_simple, _plain(words))), words) if index == 0 else "".join(map(_simple, _plain(words)))
        for words in (atom.text, *(("the target's", "its") if owning else ("the target", "it")))
    )
    both = f"(?:{many}|(?P<single_{index}>{'|'.join(one)}))"
    return both if owning else rf"{both}(?![\w-]|{_APOSTROPHE})"


def _batch(words: str) -> str:
    """Return an expression for "Batch add", or "add" alone as for one target (guide of the 11th, "Effects")."""
    batch, verb = words.split()
    return f"(?:[{batch[0]}{batch[0].lower()}]{batch[1:]}{_SPACE}{verb}|[{verb[0].upper()}{verb[0]}]{verb[1:]})"


def _plain(words: str) -> Iterator[Atom]:
    """Yield the pieces of words that match literally."""
    for piece in re.findall(r"\w+|\s|'", words):
        yield Atom({" ": Sort.SPACE, "'": Sort.QUOTE}.get(piece, Sort.WORD), piece)


def _capital(expression: str, words: str) -> str:
    """Let the first letter also be a capital; a capital in the rules begins a sentence and stays one."""
    first = words[:1]
    return f"[{first.upper()}{first}]{expression[1:]}" if first.islower() else expression


def _start(found: tuple[Atom, ...]) -> str:
    first = found[0]
    if first.sort is Sort.VARIABLE:
        return r"(?<![\w-])(?<![0-9][.,])"  # the 5 of `1.5` is no number of its own
    return r"(?<![\w-])" if first.text[:1].isalnum() else ""


def _end(found: tuple[Atom, ...]) -> str:
    last = found[-1]
    return r"(?![\w-])" if last.sort is Sort.VARIABLE or last.text[-1:].isalnum() else ""


def _clue(found: tuple[Atom, ...]) -> str:
    """Return the longest stretch that every match contains, ignoring spaces and case."""
    stretches = [""]
    for atom in found:
        stem = _stem(atom)
        stretches[-1] += stem
        if stem != atom.text:
            stretches.append("")
    return max((stretch.lower().strip() for stretch in stretches), key=len)


def _stem(atom: Atom) -> str:
    """Return the beginning of the atom that every match contains."""
    if atom.sort is Sort.COUNTED:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(atom.text, singular(atom.text), strict=False))
        return "".join(char for char, _ in same)
    return atom.text if atom.sort in (Sort.WORD, Sort.SPACE, Sort.OTHER, Sort.LAST_NOUN) else ""

"""Texts of cards as the game's pages print them: in quotes, with marked variables, followed by editions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from render.base.findings import quoted
from render.base.limits import TEXT
from render.games.kotc.editions.soundness import normalize_quotes
from render.games.kotc.workshop.pages.sections import PageReading
from render.games.kotc.workshop.pages.tree import Element, Words, prose
from render.text.characters import flaws

FORMULA = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands for a formula among words

# Elements of mere style. `var` and `math` mean something, and whatever is not known may.
_PLAIN = frozenset("a abbr b cite dfn div em i p small span strong sup u".split())
_QUOTES = '“”"'
_QUOTED = re.compile(rf"[“\"]([^{_QUOTES}]*)[”\"]")
_EDITION = re.compile(r"\s*\(([1-9][0-9]{0,2})(?:st|nd|rd|th) Edition\)$")
_BRACKETED = re.compile(r"\[([xyz])\]")  # how pages that are no HTML mark a variable
_MARKED = re.compile(r"\{[xyz]\}")
_BRACES = re.compile(r"\{[^{}]*\}?|\}")
_GROWN = re.compile(r"[A-Za-z]*(?:[A-Za-z]\{[a-z]\}|\{[a-z]\}[A-Za-z])[A-Za-z]*")  # as in `card{y}s`
_BARE_VARIABLE = re.compile(r"(?<![\w{'-])[xyz](?![\w}'])")


@dataclass(frozen=True, slots=True)
class Cited:
    """A text of a card, and the edition named behind it."""

    text: str
    edition: int | None
    in_quotes: bool


def words_of_element(reading: PageReading, element: Element, marks: frozenset[str] = frozenset()) -> str | None:
    """Return the words of an element on one line, with `{x}` for a variable and FORMULA for a formula.

    `marks` are the elements allowed in it besides those of mere style; anything else is noted, and the result is None.
    """
    pieces: list[str] = []
    if not _collect(reading, element, marks, pieces):
        return None
    return " ".join("".join(pieces).split())


def _collect(reading: PageReading, element: Element, marks: frozenset[str], pieces: list[str]) -> bool:
    understood = True
    for child in element.children:
        if isinstance(child, Words):
            pieces.append(_BRACKETED.sub(r"{\1}", child.text))
        elif child.name == "var":
            understood &= _variable(reading, child)
            pieces.append(f"{{{prose(child)}}}")
        elif child.name == "math" and "math" in marks:
            pieces.append(FORMULA)
        elif child.name == "br":
            pieces.append(" ")  # a break within a text is no more than a space
        elif child.name == "sup" and any(char.isdigit() for char in prose(child)):
            pieces.append(f"^{prose(child)}")  # a power, and no number behind the one before it
        elif child.name == "p" and "".join(pieces).strip():
            reading.note("031", "a new paragraph within a text is not understood", child)
            understood = False
        elif child.name in _PLAIN | marks:
            understood &= _collect(reading, child, marks, pieces)
        else:
            reading.note("031", f"`<{child.name}>` in a text is not understood", child)
            understood = False
    return understood


def _variable(reading: PageReading, element: Element) -> bool:
    name = prose(element)
    if name in ("x", "y", "z"):
        return True
    reading.note("031", f"{quoted(name)} is not a variable", element, "texts have `x`, `y` and `z`")
    return False


def card_text(reading: PageReading, element: Element, words: str) -> str | None:
    """Return words as the text of a card, with straight quotes; whatever is not understood is noted."""
    text = normalize_quotes(words)
    if not text:
        reading.note("030", "expected a text, found nothing", element)
        return None
    message, hint = _doubt(text)
    if message:
        reading.note("031", message, element, hint)
        return None
    return text


def _doubt(text: str) -> tuple[str, str]:
    """Return what no text of a card has, in words, and what to do about it; empty words for a sound text."""
    unprintable = next(flaws(text, "G", lines=False), None)
    if unprintable:
        return f"{unprintable.message}, in {quoted(text)}", ""
    if len(text) > TEXT.most:
        return f"a text of {len(text)} characters fits no card, in {quoted(text)}", ""
    if strange := next((sign for sign in "^<>" if sign in text), None):  # a raised number, or a piece of a broken tag
        return f"`{strange}` in {quoted(text)} is not understood", ""
    if braces := _BRACES.search(_MARKED.sub("", text)):
        return f"{quoted(braces[0])} in {quoted(text)} is not a variable", ""
    if text.count('"') % 2:
        return f"a quote in {quoted(text)} has no other end", ""
    if grown := _GROWN.search(text):
        return f"a variable stands within a word, `{grown[0]}` in {quoted(text)}", ""
    if bare := _BARE_VARIABLE.search(text):
        hint = f"if it is a variable, it is written `<var>{bare[0]}</var>`"
        return f"`{bare[0]}` in {quoted(text)} is not marked as a variable", hint
    return "", ""


def strip_quotes(words: str) -> str | None:
    """Return what is between quotes, if the words are that and nothing else; else None."""
    match = _QUOTED.fullmatch(words)
    return match[1].strip() if match else None


def read_citation(reading: PageReading, element: Element) -> Cited | None:
    """Return the text of a list item such as `“Draw x cards.” (9th Edition)`; older pages omit the quotes."""
    words = words_of_element(reading, element)
    if words is None:
        return None
    edition = _EDITION.search(words)
    rest = words[: edition.start()] if edition else words
    inner = strip_quotes(rest)
    if inner is None and any(quote in rest for quote in _QUOTES):
        reading.note("030", f"expected a text in quotes, found {quoted(words)}", element)
        return None
    text = card_text(reading, element, rest if inner is None else inner)
    return Cited(text, int(edition[1]) if edition else None, inner is not None) if text else None

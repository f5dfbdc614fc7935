"""Texts and formulas of cards as the game's pages print them: in quotes, with marked variables and editions."""

from __future__ import annotations

import re

from render.base.findings import quoted
from render.base.limits import TEXT
from render.games.kotc.editions.soundness import normalize_quotes
from render.games.kotc.model import formula
from render.games.kotc.model.formula import Formula
from render.games.kotc.workshop.guide.pages import Element, PageReading, Words, formula_line, prose
from render.text.characters import flaws

FORMULA = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands for a formula among words

# Elements of mere style. `var` and `math` mean something, and whatever is not known may.
_PLAIN = frozenset("a abbr b cite dfn div em i p small span strong sup u".split())
_QUOTES = '“”"'
_QUOTED = re.compile(rf"[“\"]([^{_QUOTES}]*)[”\"]")
_EDITION = re.compile(r"\s*\(([1-9][0-9]{0,2})(?:st|nd|rd|th) Edition\)$")
_BRACKETED = re.compile(r"\[([xyz])\]")  # how pages that are no HTML mark a variable
_MARKED = re.compile(r"\{([xyz])\}")
_BRACES = re.compile(r"\{[^{}]*\}?|\}")
_GROWN = re.compile(r"[A-Za-z]*(?:[A-Za-z]\{[a-z]\}|\{[a-z]\}[A-Za-z])[A-Za-z]*")  # as in `card{y}s`
_BARE_VARIABLE = re.compile(r"(?<![\w{'-])[xyz](?![\w}'])")
_PRINTED = re.compile(r"\((?:\s*([a-z])\s*=)?(.*)\)")
_TWICE = re.compile(r"([a-z])\s*\1")


def words_of_element(reading: PageReading, element: Element, marks: frozenset[str] = frozenset()) -> str | None:
    """Return the words of an element on one line, with `{x}` for a variable and FORMULA for a formula.

    `marks` are the elements allowed in it besides those of mere style; anything else is noted, and the result is None.
    """
    pieces: list[str] = []
    is_understood = _collect(reading, element, marks, pieces)
    return " ".join("".join(pieces).split()) if is_understood else None


def _collect(reading: PageReading, element: Element, marks: frozenset[str], pieces: list[str]) -> bool:
    noted = len(reading.passages)
    for child in element.children:
        if isinstance(child, Words):
            pieces.append(_BRACKETED.sub(r"{\1}", child.text))
        elif child.name == "var":
            pieces.append(f"{{{prose(child)}}}")
            if prose(child) not in ("x", "y", "z"):
                reading.note("031", f"{quoted(prose(child))} is not a variable", child, "texts have `x`, `y` and `z`")
        elif child.name == "math" and "math" in marks:
            pieces.append(FORMULA)
        elif child.name == "br":
            pieces.append(" ")  # a break within a text is no more than a space
        elif child.name == "sup" and any(char.isdigit() for char in prose(child)):
            pieces.append(f"^{prose(child)}")  # a power, and no number behind the one before it
        elif child.name == "p" and "".join(pieces).strip():
            reading.note("031", "a new paragraph within a text is not understood", child)
        elif child.name in _PLAIN | marks:
            _collect(reading, child, marks, pieces)
        else:
            reading.note("031", f"`<{child.name}>` in a text is not understood", child)
    return len(reading.passages) == noted


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


def read_citation(reading: PageReading, element: Element) -> tuple[str, int | None, bool] | None:
    """Return the text of a list item such as `“Draw x cards.” (9th Edition)`, the edition, and whether it has quotes.

    Older pages omit the quotes.
    """
    words = words_of_element(reading, element)
    if words is None:
        return None
    edition = _EDITION.search(words)
    rest = words[: edition.start()] if edition else words
    in_quotes = _QUOTED.fullmatch(rest)
    if in_quotes is None and any(quote in rest for quote in _QUOTES):
        reading.note("030", f"expected a text in quotes, found {quoted(words)}", element)
        return None
    text = card_text(reading, element, in_quotes[1] if in_quotes else rest)
    return (text, int(edition[1]) if edition else None, in_quotes is not None) if text else None


def read_formula(written: Element | str) -> tuple[Formula, str]:
    """Return a formula in parentheses, such as `(2x)` or `(t = x/2)`, and the variable that it gives: "" for a level.

    It is a `<math>` element or text. ValueError says what is wrong.
    """
    line = formula_line(written) if isinstance(written, Element) else _MARKED.sub(r"\1", written)
    match = _PRINTED.fullmatch(line.strip())
    if match is None:
        raise ValueError("it is not in parentheses")
    twice = _TWICE.search(line)
    if twice is not None:  # likelier a slip than a square
        raise ValueError(f"`{twice[1]}` stands there twice: a square is written `{twice[1]}^2`")
    return formula.parse(match[2]), match[1] or ""

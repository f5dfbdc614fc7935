"""The components of abilities from the Card Building Guide, "Card Texts", and how pages print their texts and formulas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from render.base.findings import Span, listed, quoted
from render.base.limits import TEXT
from render.base.patterns import regex
from render.games.kotc.editions.soundness import CALLED, a_role, is_sentence, normalize_quotes
from render.games.kotc.editions.wording import variables
from render.games.kotc.editions.writing import figures_of
from render.games.kotc.model import formula
from render.games.kotc.model.edition import Component, Conditions, Grammar, Role
from render.games.kotc.model.formula import Formula
from render.games.kotc.workshop.guide.pages import Element, PageReading, Section, Words, formula_line, prose
from render.games.kotc.workshop.guide.sentences import check_sentences
from render.text.characters import flaws

CHAPTER = "card texts"
TITLES = {
    "caveats": Role.CAVEAT,
    "activation conditions": Role.CONDITION,
    "activation costs": Role.COST,
    "target selections": Role.TARGET,
    "effects": Role.EFFECT,
}
_ULTRA = "ultra "

FORMULA = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands for a formula among words
_ITEM = regex(r"(?P<head>[^“”\"]*)[“\"](?P<text>[^“”\"]*)[”\"](?P<tail>[^“”\"]*)")
_HEAD = regex(rf"(?:\[(?P<ultra>[^\]]*)\])?\s*(?P<formula>{FORMULA}|\(.*\))?\s*(?P<limits>\{{.*\}})?\s*")
_ULTRA_POINTS = regex(r"\+([0-9]{1,3})")
_LIMIT = regex(r"\{?([xyz])\}?\s*(?:≤|<=)\s*([1-9][0-9]{0,3})")
_EDITION = r"[1-9][0-9]{0,2}"
_REDACTED = regex(rf"\s*(?:Redacted \({_EDITION}(?:st|nd|rd|th) Edition\)\s*)?")
# What to write for one target, in the section on effects: "“Each target” ... should be replaced with ...".
_ADVICE = regex(r"[“\"].*[”\"] should be replaced with (?:just )?[“\"].*[”\"].*")
_TUTORIAL = "Suggested tutorial text:"
# What the guides up to the 10th Edition say below a component. What its cost was does not matter: older designs are
# banned.
_REVISED_FROM = regex(rf"Revised from: [“\"](?P<old>[^“”\"]*)[”\"] \((?P<edition>{_EDITION})\w\w Edition\)")
_COST_REVISED = regex(rf"Cost Revised \((?P<edition>{_EDITION})\w\w Edition\); was: [0-9a-z+*/().^ ²]{{1,40}}")

Annotation = tuple[str, str, int, Span]  # of a component: its text, the old one or "", the edition, the place


class CardTexts(Struct):
    """What a guide lists: components, those that are crossed out, and what it says below them, with their places."""

    components: dict[Component, Span] = field(default_factory=dict)
    redacted: dict[str, Span] = field(default_factory=dict)
    annotations: list[Annotation] = field(default_factory=list)


def read_components(reading: PageReading, grammar: Grammar) -> CardTexts:
    """Return all components of the guide, role by role; whatever is not understood is noted."""
    texts = CardTexts()
    known = {*TITLES, *(_ULTRA + title for title in TITLES)}
    hidden = known - {section.title.lower() for section in reading.sections}
    reading.sections = [part for section in reading.sections for part in _parted(section, hidden)]
    missing = []
    for title, role in TITLES.items():
        reading.topic = role.plural
        own = _sections_of(reading, title)
        is_expected = role is not Role.CAVEAT or grammar.of_creatures
        if is_expected and not any(section.title.lower() == title for section in own):
            missing.append(title)
        for section in own:
            _read_section(reading, section, role, grammar, texts)
    for title in missing:
        reading.topic = TITLES[title].plural
        tell = reading.note if texts.components else reading.refuse
        tell("020", f"the guide has no section {quoted(title.title())}", reading.title, "is this the whole guide?")
    for section in reading.behind(CHAPTER):
        if section.title.lower() not in known:
            # The list of the data file to which a new section may belong follows from its last word.
            last = section.title.lower().rpartition(" ")[2]
            keys = (role.plural for title, role in TITLES.items() if title.rpartition(" ")[2] == last)
            reading.topic = next(keys, "levels")
            reading.note_unknown(section)
    return texts


def _parted(section: Section, titles: set[str]) -> Iterator[Section]:
    """Yield a section, divided at paragraphs that are headings by their words and not by their markup."""
    blocks = section.blocks
    ends = [at for at, block in enumerate(blocks) if block.name == "p" and prose(block).lower() in titles]
    ends.append(len(blocks))
    yield replace(section, blocks=blocks[: ends[0]])
    for at, end in pairwise(ends):
        yield Section(prose(blocks[at]), section.rank, blocks[at], blocks[at + 1 : end])


def _sections_of(reading: PageReading, title: str) -> list[Section]:
    """Return the sections that list components; older guides explain caveats in a section of the same title."""
    own = [section for section in reading.sections if section.title.lower() in (title, _ULTRA + title)]
    # What lists nothing counts only if no section of its own title does.
    listing = {section.title.lower() for section in own if section.has_items}
    return [section for section in own if section.has_items or section.title.lower() not in listing]


def _read_section(reading: PageReading, section: Section, role: Role, grammar: Grammar, texts: CardTexts) -> None:
    if not section.has_items:
        reading.note("022", f"the section {quoted(section.title)} lists no texts", section.heading)
    is_ultra = section.title.lower().startswith(_ULTRA)
    last = ""  # the text to which the items below it belong
    for block in section.blocks:
        words = prose(block)
        if not words or _is_advice(reading, block, words):
            continue
        annotation = _read_annotation(reading, block, last) if last and block.name == "li" else None
        if annotation is not None:
            text, old, edition, _ = annotation
            texts.annotations.append(annotation)
            reading.understand(block, f"reworded: {old} → {text}" if old else f"revised in {edition}: {text}")
            continue
        reading.item = block
        item = _read_item(reading, block, role)
        component = _read_component(reading, item, role, grammar, is_ultra=is_ultra) if item else None
        reading.item = None
        last = component.text if component else ""
        place = reading.page.span(block)
        if item is not None and component is not None and item.is_redacted:
            texts.redacted.setdefault(component.text, place)
            reading.understand(block, f"redacted: {component.text}")
        elif component is not None and component not in texts.components:  # else it is twice on the page
            texts.components[component] = place
            figures = ", ".join(figures_of(component))
            reading.understand(block, f"{CALLED[role]}: {component.text}" + (f" ({figures})" if figures else ""))


def _is_advice(reading: PageReading, block: Element, words: str) -> bool:
    """Return whether a block explains components instead of being one; what is new in it is noted."""
    match = _ITEM.fullmatch(words)
    is_like_item = match is not None and _HEAD.fullmatch(match["head"]) is not None
    if block.name == "p" and not is_like_item and not _formulas(block):
        listed, reading.topic = reading.topic, "levels"  # which it may change for all components of the list
        check_sentences(reading, block)
        reading.topic = listed
        return True
    return block.name == "li" and (_ADVICE.fullmatch(words) is not None or words.startswith(_TUTORIAL))


def _formulas(block: Element) -> list[Element]:
    return [element for element in block.elements() if element.name == "math"]


def _read_annotation(reading: PageReading, item: Element, text: str) -> Annotation | None:
    """Return what an item says of the component above it; None if it is something else, which may be a component."""
    if not prose(item).startswith(("Revised from:", "Cost Revised")):
        return None
    words = words_of_element(reading, item) or ""
    if cost := _COST_REVISED.fullmatch(words):
        return text, "", int(cost["edition"]), reading.page.span(item)
    revised = _REVISED_FROM.fullmatch(words)
    old = card_text(reading, item, revised["old"]) if revised else None
    return (text, old, int(revised["edition"]), reading.page.span(item)) if revised and old else None


# --- items ----------------------------------------------------------------------------------------------------------


class _Item(Struct, frozen=True, kw_only=True):
    """The parts of an item, as they are written."""

    element: Element
    text: str
    ultra: str | None
    formula: str | None
    limits: str
    is_redacted: bool


def _read_item(reading: PageReading, element: Element, role: Role) -> _Item | None:
    """Return the parts of an item; None, and a note, if it has others."""
    marks = frozenset({"math", "del"})
    words = words_of_element(reading, element, marks) if element.name == "li" else prose(element)
    if words is None:
        return None
    match = _ITEM.fullmatch(words)
    head = _HEAD.fullmatch(match["head"]) if match else None
    if element.name != "li" or match is None or head is None or not _REDACTED.fullmatch(match["tail"]):
        shown = quoted(words.replace(FORMULA, "(…)"))
        reading.note("030", f"expected a text in quotes as item of a list, found {shown}", element)
        return None
    struck = "".join(_struck(element, "0"))
    tail = "".join(match["tail"].split())  # "Redacted (9th Edition)"
    of_item = {*struck[: len(struck) - len(tail)]}
    is_redacted = of_item == {"1"}
    if not is_redacted and (tail or "1" in of_item):
        message = f"only a part of {a_role(role)} is crossed out, or it is called redacted and is not crossed out"
        reading.note("030", message, element, "is it redacted?")
        return None
    return _Item(
        element=element,
        text=match["text"],
        ultra=head["ultra"],
        formula=head["formula"],
        limits=head["limits"] or "",
        is_redacted=is_redacted,
    )


def _struck(element: Element, sign: str) -> Iterator[str]:
    """Yield `1` for each character that is crossed out, `0` for the others, nothing for spaces."""
    for child in element.children:
        if isinstance(child, Words):
            yield sign * len("".join(child.text.split()))
        elif child.name == "math":
            yield sign
        else:
            yield from _struck(child, "1" if child.name == "del" else sign)


def _read_component(
    reading: PageReading, item: _Item, role: Role, grammar: Grammar, *, is_ultra: bool
) -> Component | None:
    printed = card_text(reading, item.element, item.text)
    figure = _read_figure(reading, item, role, grammar)
    ultra_points = _read_ultra_points(reading, item, is_ultra=is_ultra)
    limits = _read_limits(reading, item)
    if printed is None or ultra_points is None or limits is None or figure is None:
        return None
    behind = grammar.ending(role) or ("." if is_sentence(role, grammar) else "")
    if not printed.endswith(behind):
        message = f"expected {quoted(printed)} to end in `{behind}`, as every {CALLED[role]} does"
        reading.note("030", message, item.element)
        return None
    if behind not in ("", ".") and behind in printed[:-1]:
        reading.note("030", f"`{behind}` stands within {quoted(printed)}, and not only at its end", item.element)
        return None
    text = printed if is_sentence(role, grammar) else printed.removesuffix(behind).rstrip()
    level, of_variable = figure
    used = (level.variables if level else frozenset[str]()) | {variable for variable, _ in limits}
    of_effect = (
        frozenset("at" if grammar.conditions is Conditions.FACTOR else "t") if role is Role.EFFECT else frozenset[str]()
    )
    if strange := sorted(used - variables(text) - of_effect):
        message = f"the formula speaks of {listed(strange, 'and')}, the text {quoted(text)} does not"
        reading.note("032", message, item.element)
        return None
    factor, level = (level, None) if of_variable == "a" else (None, level)
    return Component(role=role, text=text, level=level, ultra_points=ultra_points, factor=factor, limits=limits)


# --- figures --------------------------------------------------------------------------------------------------------


def _read_figure(reading: PageReading, item: _Item, role: Role, grammar: Grammar) -> tuple[Formula | None, str] | None:
    """Return the formula of an item, and the variable that it gives, "" for a level.

    None, and a note, if it is not that of the role and edition.
    """
    formulas = _formulas(item.element)
    wanted, shown = _wanted(role, grammar)
    if item.formula is None and wanted is None:
        return None, ""
    if item.formula is None or wanted is None or len(formulas) > 1:
        count = len(formulas) or (1 if item.formula else "none")
        message = f"expected {'no formula' if wanted is None else 'one formula'} before {a_role(role)}, found {count}"
        reading.note("032", message, item.element)
        return None
    place = formulas[0] if formulas else item.element
    written = quoted(prose(formulas[0]) if formulas else item.formula)
    try:
        formula, variable = read_formula(formulas[0] if formulas else item.formula)
    except ValueError as error:
        reading.note("032", f"the formula {written} is not understood: {error}", place)
        return None
    if variable != wanted:
        reading.note("032", f"expected {shown} before {a_role(role)}, found {written}", place)
        return None
    return formula, variable


def _wanted(role: Role, grammar: Grammar) -> tuple[str | None, str]:
    """Return the variable that a formula gives, "" for a level, None for no formula; and how to say it."""
    # Where all components are sentences, targets have `(x)` and not `(t = x)` (guide of the 11th, "Target Selections").
    if role is Role.TARGET and not grammar.of_sentences:
        return "t", "a formula of `t`"
    if role is Role.CONDITION and grammar.conditions is Conditions.FACTOR:
        return "a", "a formula of `a`"
    if role is Role.CONDITION and grammar.conditions is Conditions.NOTHING:
        return None, "no formula"
    return "", "a formula without `=`"


def _read_ultra_points(reading: PageReading, item: _Item, *, is_ultra: bool) -> int | None:
    if match := _ULTRA_POINTS.fullmatch(item.ultra or ""):
        return int(match[1])
    if item.ultra is None and not is_ultra:
        return 0
    found = f"`[{item.ultra}]`" if item.ultra is not None else "none"
    reading.note("033", f"expected Ultra Points such as `[+1]`, found {found}", item.element)
    return None


def _read_limits(reading: PageReading, item: _Item) -> tuple[tuple[str, int], ...] | None:
    """Return the greatest number of each variable that has a limit, as `{x≤14}` and `{x≤14, y≤2}` say it."""
    parts = item.limits[1:-1].split(",") if item.limits else []
    matches = [match for part in parts if (match := _LIMIT.fullmatch(part.strip()))]
    limits = {match[1]: int(match[2]) for match in matches}
    if len(limits) != len(parts):
        reading.note("034", f"expected limits such as `{{x≤14}}`, found {quoted(item.limits)}", item.element)
        return None
    return tuple(sorted(limits.items()))


# --- texts and formulas -----------------------------------------------------------------------------------------------


# Elements of mere style. `var` and `math` mean something, and whatever is not known may.
_PLAIN = frozenset("a abbr b cite dfn div em i p small span strong sup u".split())
_QUOTES = '“”"'
_QUOTED = regex(rf"[“\"]([^{_QUOTES}]*)[”\"]")
_CITED_EDITION = regex(r"\s*\(([1-9][0-9]{0,2})(?:st|nd|rd|th) Edition\)$")
_BRACKETED = regex(r"\[([xyz])\]")  # how pages that are no HTML mark a variable
_MARKED = regex(r"\{([xyz])\}")
_BRACES = regex(r"\{[^{}]*\}?|\}")
_GROWN = regex(r"[A-Za-z]*(?:[A-Za-z]\{[a-z]\}|\{[a-z]\}[A-Za-z])[A-Za-z]*")  # as in `card{y}s`
_BARE_VARIABLE = regex(r"(?<![\w{'-])[xyz](?![\w}'])")
_PRINTED = regex(r"\((?:\s*([a-z])\s*=)?(.*)\)")
_TWICE = regex(r"([a-z])\s*\1")


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
    edition = _CITED_EDITION.search(words)
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

"""What a page of the game says, read by other means than the importer's: the oracle for damaged pages.

Nothing of `render` is used here. A page becomes a stream of lines: tags of mere style are dropped, all others begin a
line, headings are marked, formulas stand on one line. Texts in quotes are found in that stream with whatever stands
before them, and formulas are not parsed but evaluated for two sets of numbers. So the witness and the importer can only
agree on a figure that the page has at that text, below that heading.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree import ElementTree

KEYS = {
    "caveats": "caveats", "activation conditions": "conditions", "activation costs": "costs",
    "target selections": "targets", "effects": "effects",
}  # fmt: skip
LISTS = {
    "refurbished card texts": "reworded", "revised ability text": "reworded",
    "redacted card texts": "redacted", "redacted ability text": "redacted",
    "redacted ability text (banned cards)": "redacted",
    "revised levels": "revised_levels", "revised costs": "revised_levels", "revised cost texts": "revised_levels",
    "revised ultra points": "revised_ultra_points",
}  # fmt: skip
POINTS = ((3, 5, 7, 11, 13), (2, 4, 9, 5, 6))  # for x, y, z, t, a
HEADS = ("", "original text", "new text", "revised text")  # of the columns of a table of rewordings
HEADING, ITEM, CELL = "\x01", "\x02", "\x03"

Values = tuple[Fraction | None, ...]
Text = tuple[str, str, Values, int, str]
"""The key of its list, the text, the values of its formula, its Ultra Points and its limits as written."""


@dataclass(slots=True)
class Witness:
    """What a page says."""

    texts: set[Text] = field(default_factory=set)
    changed: set[tuple[str, str, str]] = field(default_factory=set)  # the key, the text, and the new one or the edition
    cells: list[str] = field(default_factory=list)  # of tables of rewordings, row by row
    decks: set[tuple[str, str]] = field(default_factory=set)
    ultra_points: set[str] = field(default_factory=set)
    slates: set[str] = field(default_factory=set)
    shares: set[str] = field(default_factory=set)
    leasts: set[str] = field(default_factory=set)


def witness(page: str, number: int) -> Witness:
    """Return what a page of that edition says."""
    is_xml = page.lstrip().startswith("<?xml")
    is_html = re.match(r"\s*<", page) is not None
    stream = list(_of_xml(page) if is_xml else _of_html(page) if is_html else _of_text(page))
    found = Witness()
    _figures(" ".join(" ".join(stream).split()), found)
    title = text = ""
    for line in stream:
        if line.startswith(HEADING):
            title, text = line[1:].strip().lower(), ""
        elif text and (below := _annotation(line.lstrip(ITEM))) is not None:
            found.changed.add(("revised_levels", text, below) if below.isdigit() else ("reworded", below, text))
        else:
            text = _text_of(line, number) or text
            _line(title, line, number, found)
    return found


# --- streams --------------------------------------------------------------------------------------------------------


def _of_html(page: str) -> Iterator[str]:
    page = re.sub(
        r"(?s)<!--.*?-->|</[^a-zA-Z>][^>]*>|<(script|style|nav)\b.*?</\1>|<head\b(?:(?!<body).)*?</head>", "", page
    )
    # A formula without end ends with its item; an end tag without formula says nothing.
    page = re.sub(r"(?s)<math\b[^>]*>((?:(?!</?li|<math).)*?)</math>", lambda match: f" {_math(match[1])} ", page)
    page = re.sub(r"<math\b[^>]*>", " ⟦?⟧ ", page)
    page = re.sub(r"</m[a-z]+\s*>", "", page)
    # A heading without end ends where a block begins.
    heading = r"(?s)<h[2-6]\b[^>]*>(.*?)(?:</h[2-6]>|(?=<(?:h[1-6]|p|ul|ol|li|table|main)\b))"
    page = re.sub(heading, lambda match: f"\n{HEADING}{' '.join(match[1].split())}\n", page)
    page = re.sub(r"<var>([^<]*)(?:</var>)?", lambda match: f"{{{match[1].strip()}}}", page)
    page = re.sub(r"(?s)<del>(.*?)</del>", r"\1", page)
    page = re.sub(r"</del\s*>|</>", "", page)  # an end without a beginning ends nothing (HTML, "In body")
    page = re.sub(r"(?i)</?(?:a|abbr|b|cite|dfn|div|em|i|ins|small|span|strong|sup|u|var)\b[^>]*>", "", page)
    page = re.sub(
        r"</(?:p|h[1-6])\s*>|(?<=\w)</li>(?=[^<]*</td>)", "", page
    )  # what comes next begins a line, if anything does
    # Lines of the file say nothing; what tags begin does.
    page = "\n".join(f"{line[:1]}" if line == HEADING else line for line in page.split("\n"))
    page = re.sub(r"[ \t]*\n[ \t]*(?!\x01)", " ", page).replace(" \x01", f"\n{HEADING}")
    page = re.sub(r"(\x01[^<]*?)(?=<|  )", r"\1\n", page)
    page = re.sub(r"(?i)<td\b[^>]*>", f"\n{CELL}", re.sub(r"(?i)<tr\b[^>]*>", f"\n{CELL}{CELL}\n", page))
    page = re.sub(r"(?i)<li\b[^>]*>", f"\n{ITEM}", page)
    page = re.sub(r"</?[a-zA-Z][^>]*>", "\n", page)
    yield from (html.unescape(line).strip() for line in page.split("\n") if line.strip())


def _math(inner: str) -> str:
    """Return a formula of MathML on one line, or `⟦?⟧`."""
    try:
        inner = re.sub(r"</\s*(m[a-z]+)\s*>", r"</\1>", re.sub(r"<(m[a-z]+)\b[^>]*>", r"<\1>", inner))
        tree = ElementTree.fromstring(f"<m>{html.unescape(inner)}</m>")
        return f"⟦{_row(tree)}⟧"
    except (ElementTree.ParseError, ValueError):
        return "⟦?⟧"


def _row(element: ElementTree.Element) -> str:
    if element.tag in ("mi", "mn", "mo", "mtext"):
        return f" {(element.text or '').strip()} "
    parts = [_row(child) for child in element]
    if element.tag == "mfrac" and len(parts) == 2:
        return f"(({parts[0]})/({parts[1]}))"
    if element.tag == "msup" and len(parts) == 2:
        return f"(({parts[0]})^({parts[1]}))"
    if element.tag not in ("m", "mrow"):
        raise ValueError(element.tag)
    return "".join(parts)


_OASIS = re.compile(r"\{[^}]*\}")


def _of_xml(page: str) -> Iterator[str]:
    root = ElementTree.fromstring(page)
    struck: dict[str, bool] = {}
    for style in root.iter():
        for inner in style:
            for name, value in inner.attrib.items():
                if _OASIS.sub("", name) == "text-line-through-style":
                    struck[_attribute(style, "name")] = value != "none"
    listed = {inner for element in root.iter() if element.tag.endswith("}list-item") for inner in element.iter()}
    for element in root.iter():
        name = _OASIS.sub("", element.tag)
        if name in ("p", "h") and "office" not in element.tag:
            pieces = list(_pieces(element, struck, is_struck=struck.get(_attribute(element, "style-name"), False)))
            text = "".join(piece for piece, _ in pieces).strip()
            if element not in listed and text.lower() in (*KEYS, "resource cost"):
                yield f"{HEADING}{text}"
            elif text:
                marks = {mark for piece, mark in pieces if piece.strip() and not _is_label(piece, text)}
                yield f"~{text}" if marks == {True} else f"?{text}" if len(marks) > 1 else f"{ITEM}{text}"


def _is_label(piece: str, text: str) -> bool:
    label = re.search(r"Redacted \(.*$", text)
    return label is not None and piece.strip() in label[0]


def _attribute(element: ElementTree.Element, wanted: str) -> str:
    return next((value for name, value in element.attrib.items() if _OASIS.sub("", name) == wanted), "")


def _pieces(element: ElementTree.Element, struck: dict[str, bool], *, is_struck: bool) -> Iterator[tuple[str, bool]]:
    yield element.text or "", is_struck
    for child in element:
        name = _OASIS.sub("", child.tag)
        if name in ("s", "tab", "line-break"):
            yield " ", is_struck
        elif name in ("span", "a"):
            own = struck.get(_attribute(child, "style-name"))
            yield from _pieces(child, struck, is_struck=is_struck if own is None else own)
        yield child.tail or "", is_struck


def _of_text(page: str) -> Iterator[str]:
    page = re.sub(r"\n +(?![-•])", " ", page).replace("**", "")
    for line in page.split("\n"):
        if line.strip().lower() in LISTS or re.fullmatch(r"[A-Z][\w ,/()'-]{0,58}[\w)]", line.strip()):
            yield f"{HEADING}{line.strip()}"
        elif line.strip():
            yield line.strip().lstrip("-•* ")


# --- lines ----------------------------------------------------------------------------------------------------------

_QUOTED = re.compile(r"([^“”\"]*)[“\"]([^“”\"]*)[”\"]([^“”\"]*)")
_PAIR = re.compile(r"[“\"]([^“”\"]*)[”\"]\s*(?:→|->)\s*[“\"]([^“”\"]*)[”\"]")


def plain(text: str) -> str:
    """Return a text in one way of writing it."""
    text = re.sub(r"\[([xyz])\]", r"{\1}", text)
    return " ".join(text.replace("’", "'").replace("‘", "'").replace("->", "→").replace("‑", "-").split())


def _line(title: str, line: str, number: int, found: Witness) -> None:
    key = KEYS.get(title.removeprefix("ultra "))
    if title in LISTS:
        _changed(LISTS[title], line.lstrip(ITEM), found)
    elif key is not None:
        _text(key, line, number, found)


def _annotation(line: str) -> str | None:
    """Return the old text of a component, or the edition that revised its cost; None if the line says neither."""
    revised = re.fullmatch(r"Revised from: [“\"]([^“”\"]*)[”\"] \([0-9]+\w\w Edition\)", line)
    cost = re.fullmatch(r"Cost Revised \(([0-9]+)\w\w Edition\); was: .*", line)
    return plain(revised[1]) if revised else cost[1] if cost else None


def _text_of(line: str, number: int) -> str:
    """Return the text of a card in a line of an old guide, to which the lines below it belong."""
    match = _QUOTED.fullmatch(line.lstrip(ITEM + "~?"))
    return plain(match[2]) if match and number <= 10 else ""


def _text(key: str, line: str, number: int, found: Witness) -> None:
    match = _QUOTED.fullmatch(line.lstrip(ITEM + "~"))
    if match is None or match[1].startswith(("Revised from", "Suggested", "?")):
        return
    if re.search(r"[A-Za-z]{4}", re.sub(r"⟦[^⟧]*⟧", "", match[1])):
        return  # a sentence that quotes something
    text = plain(match[2])
    if number > 10 and key != "caveats":
        text = text.rstrip(".:;→").rstrip()
    if line.startswith("~"):
        found.changed.add(("redacted", text, ""))
        return
    ultra = re.search(r"\[\+([0-9]+)\]", match[1])
    limits = re.search(r"\{[^{}]*(?:\{[xyz]\})?[^{}]*[≤<][^{}]*\}", match[1])
    written = re.sub(r"\[[^\]]*\]", "", match[1].replace(limits[0], "") if limits else match[1]).strip(" ⟦⟧")
    values = tuple(_value(written, point) for point in POINTS) if written else ()
    found.texts.add(
        (
            key,
            text,
            values,
            int(ultra[1]) if ultra else 0,
            "".join(re.findall(r"[xyz0-9]", limits[0])) if limits else "",
        )
    )


def _changed(key: str, line: str, found: Witness) -> None:
    pair = _PAIR.fullmatch(line)
    edition = re.fullmatch(r"(.*?)\s*\(([0-9]+)\w\w Edition\)", line)
    if pair:
        found.changed.add((key, plain(pair[1]), plain(pair[2])))
    elif line.startswith(CELL):
        if plain(line.lstrip(CELL)).lower() not in HEADS:
            found.cells.append(plain(line.lstrip(CELL)))
    elif key == "redacted" and line.startswith(("“", '"')):
        found.changed.add((key, plain((edition[1] if edition else line).strip('“”" ')), ""))
    elif edition:
        found.changed.add((key, plain(edition[1].strip('“”" ')), edition[2]))


def _figures(words: str, found: Witness) -> None:
    found.decks |= set(re.findall(r"must (?:contain|have) (?:exactly )?([0-9]+)(?:\s*[–-]\s*([0-9]+))? cards", words))
    for pattern in (
        r"no greater than ([0-9]+)",
        r"no more than ([0-9]+) Ultra",
        r"more than ([0-9]+) (?:total )?Ultra",
    ):
        found.ultra_points |= set(re.findall(pattern, words))
    found.slates |= set(re.findall(r"\b([0-9]+)\w\w Edition is considered", words))
    found.shares |= set(re.findall(r"(\w+ \w+) of its (?:HP|defense)", words))
    found.leasts |= set(re.findall(r"(?:less than|must always be at least level) ([0-9]+)(?:, set|\b)", words))


# --- formulas -------------------------------------------------------------------------------------------------------


def _value(written: str, point: tuple[int, ...]) -> Fraction | None:
    """Return the value of a formula for numbers of x, y, z, t and a; None if it has none."""
    line = written.strip().removeprefix("(").removesuffix(")") if written.startswith("(") else written.strip()
    line = re.sub(r"^\s*[ta]\s*=", "", line).replace("\N{INVISIBLE TIMES}", "*").replace("−", "-")
    line = (
        line.replace("²", "^2").replace("³", "^3").replace("·", "*").replace("×", "*").replace("{", "").replace("}", "")
    )
    tokens = re.findall(r"[0-9]+(?:\.[0-9]+)?|[a-z]|[-+*/^()]|\S", line)
    joined = ""
    for before, token in zip(["", *tokens], tokens, strict=False):
        times = (before.isalnum() or before == ")" or "." in before) and (token.isalnum() or token == "(")
        joined += f"{'*' if times else ''}{token}"
    try:
        powers = joined.replace("^", "**")
        tree = ast.parse(powers, mode="eval").body
        return evaluated(tree, dict(zip("xyzta", map(Fraction, point), strict=True)), powers)
    except (SyntaxError, ValueError, KeyError, ZeroDivisionError):
        return None


def evaluated(tree: ast.expr, numbers: Mapping[str, Fraction], written: str) -> Fraction:
    """Return the value of a sum, of which `written` is the source; ValueError if it is none."""
    match tree:
        case ast.Constant():
            return Fraction(ast.get_source_segment(written, tree) or "")
        case ast.Name():
            return numbers[tree.id]
        case ast.UnaryOp(op=ast.USub()):
            return -evaluated(tree.operand, numbers, written)
        case ast.BinOp():
            left, right = evaluated(tree.left, numbers, written), evaluated(tree.right, numbers, written)
            match tree.op:
                case ast.Add():
                    return left + right
                case ast.Sub():
                    return left - right
                case ast.Mult():
                    return left * right
                case ast.Div():
                    return left / right
                case ast.Pow() if right.denominator == 1 and abs(right) < 10:
                    return left ** int(right)
    raise ValueError(ast.dump(tree))

"""Read the components of a published Card Building Guide: what each text is worth, and how a level is added up.

HTML (11th Edition on) is taken apart by expressions, flat OpenDocument (9th and 10th) by the paragraphs of its XML.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

from msgspec import Struct

from proofs.page_witness import evaluated

SECTIONS = {
    "caveats": "caveat",
    "activation conditions": "condition",
    "activation costs": "cost",
    "target selections": "target",
    "effects": "effect",
}


class GuideText(Struct, frozen=True):
    """A text of the guide with the worth of one: `worth` is a sum in Python's words, `factor` whether it sets `a`."""

    role: str
    words: str
    worth: str
    ultra_points: int = 0
    factor: bool = False

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(sorted(set(re.findall(r"\[([xyz])\]", self.words))))

    def value(self, numbers: Mapping[str, Fraction]) -> Fraction:
        """Return what the text is worth with these numbers."""
        return evaluated(ast.parse(self.worth, mode="eval").body, numbers, self.worth)


class Guide(Struct, frozen=True):
    """A guide as the sum of a level needs it."""

    edition: int
    texts: tuple[GuideText, ...]
    hp_share: Fraction
    least_of_spell: int

    def of_role(self, role: str) -> list[GuideText]:
        return [text for text in self.texts if text.role == role]


def guide_file(folder: Path, edition: int) -> Path:
    """Return the file of an edition's guide."""
    return folder / f"cardbuilding-{edition}.{'fodt' if edition < 11 else 'html'}"


def read_guide(folder: Path, edition: int) -> Guide:
    """Return the guide of an edition."""
    file = guide_file(folder, edition)
    prose, texts = _of_document(file) if edition < 11 else _of_html(file.read_text(encoding="utf-8"))
    return _guide(edition, prose, texts)


def read_html(page: str, edition: int) -> Guide:
    """Return the guide in a page of HTML."""
    return _guide(edition, *_of_html(page))


def _guide(edition: int, prose: str, texts: list[GuideText]) -> Guide:
    share = re.search(r"(?:SP|offense) and one (half|third|fifth) of its (?:HP|defense)", prose)
    assert share, edition
    hp_share = Fraction(1, {"half": 2, "third": 3, "fifth": 5}[share[1]])
    least_of_spell = 0 if "spell abilities are allowed to be level 0" in prose else 1
    return Guide(edition, tuple(texts), hp_share, least_of_spell)


# --- flat OpenDocument ----------------------------------------------------------------------------------------------

_LINE = re.compile(r"\((?P<worth>[^“]*)\)\s*(?:\{[^}]*\}\s*)?“(?P<words>[^”]*)”(?P<rest>.*)")


def _of_document(file: Path) -> tuple[str, list[GuideText]]:
    paragraphs = [
        "".join(element.itertext()).strip()
        for element in ElementTree.parse(file).iter()
        if element.tag.endswith(("}p", "}h"))
    ]
    found, role = [], ""
    for words in paragraphs:
        role = SECTIONS.get(words.lower(), role)
        line = _LINE.fullmatch(words)
        if line and role and "Redacted" not in line["rest"]:
            found.append(GuideText(role, straight(line["words"]), in_python(line["worth"])))
    return " ".join(paragraphs), found


def in_python(worth: str) -> str:
    """Return a formula as printed, such as `3x/2` or `y²/x`, in Python's words."""
    return re.sub(r"(?<=[0-9a-z)])(?=[a-z(])", "*", worth.replace("²", "**2"))


# --- HTML -----------------------------------------------------------------------------------------------------------

_HEADING = re.compile(r"<h4[^>]*>(.*?)</h4>(.*?)(?=<h[234]|</main>|\Z)", re.DOTALL)
_ITEM = re.compile(
    r"<li>\s*(?:\[\+(?P<ultra>\d+)\]\s*)?(?P<math><math.*?</math>)?\s*(?:“|&ldquo;)(?P<words>.*?)(?:”|&rdquo;)",
    re.DOTALL,
)


def _of_html(page: str) -> tuple[str, list[GuideText]]:
    found: list[GuideText] = []
    for heading, body in _HEADING.findall(page):
        role = SECTIONS.get(_bare(heading).lower().removeprefix("ultra "))
        if role:
            found += _items(role, body)
    return _bare(page), found


def _items(role: str, body: str) -> Iterator[GuideText]:
    for item in _ITEM.finditer(body):
        if "should be replaced" in item["words"] or (not item["math"] and role != "condition"):
            continue  # advice on wording
        words = re.sub(r"<var>([a-z])</var>", r"[\1]", item["words"])
        worth = _of_math(item["math"]) if item["math"] else "0"
        yield GuideText(
            role,
            straight(_bare(words)),
            worth,
            int(item["ultra"] or 0),
            factor=role == "condition" and bool(item["math"]),
        )


def _bare(markup: str) -> str:
    """Return markup as plain words with single spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split()) if "<" in markup else html.unescape(markup)


def _of_math(markup: str) -> str:
    """Return MathML in Python's words, without its `t =` or `a =`."""
    root = ElementTree.fromstring(
        markup.replace("&InvisibleTimes;", "*").replace("&minus;", "-").replace("&times;", "*")
    )
    return in_python(_term(root).partition("=")[2] or _term(root))


def _term(element: ElementTree.Element) -> str:
    parts = [_term(child) for child in element]
    if element.tag == "mfrac":
        return f"(({parts[0]})/({parts[1]}))"
    if element.tag == "msup":
        return f"(({parts[0]})**({parts[1]}))"
    if parts:
        return "".join(parts) if element.tag in ("math", "mrow") else f"({''.join(parts)})"
    words = (element.text or "").strip().replace("\u2062", "*").replace("\u2212", "-")
    return "" if element.tag == "mtext" else words


def straight(words: str) -> str:
    """Return words with straight quotes, as people type them."""
    return " ".join(words.replace("’", "'").replace("‘", "'").split())

"""CSS as drawing programs write it: declarations, and rules for elements, classes and ids.

Of two declarations, that with the more exact selector wins, and then the later one (CSS 2.1, 6.4). Selectors are
compound ones, such as `.st0`, `#sky`, `rect` and `text.name`; anything else is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from render.base.caches import cached

Declaration = tuple[str, str, bool]
"""A property in small letters, its value, and whether it is important."""

MAX_RULES = 2000  # of a drawing; Illustrator writes one for each look

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_SELECTOR = re.compile(r"(?P<tag>\*|[A-Za-z][\w-]*)?(?P<parts>(?:[.#][\w-]+)*)")
_PART = re.compile(r"([.#])([\w-]+)")
_DECLARATION = re.compile(r"""(?:[^;"'()]|"[^"]*"|'[^']*'|\((?:[^()"']|"[^"]*"|'[^']*')*\))+""")
_IMPORTANT = re.compile(r"\s*!\s*important\s*$", re.IGNORECASE)


class StyleError(ValueError):
    """CSS that is not read; `words` are those at fault, as they are written, and `hint` what to do."""

    def __init__(self, message: str, words: str, hint: str = "") -> None:
        super().__init__(message)
        self.words, self.hint = words, hint


class StyleRule(NamedTuple):
    """What elements are given: those with this tag ("" for any), id ("" for any) and classes."""

    tag: str
    id: str
    classes: frozenset[str]
    declarations: tuple[Declaration, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        """How exact its selector is (CSS 2.1, 6.4.3)."""
        return bool(self.id), len(self.classes), bool(self.tag)

    def fits(self, tag: str, name: str, classes: frozenset[str]) -> bool:
        """Return whether the rule is for such an element."""
        return self.tag in ("", tag) and self.id in ("", name) and self.classes <= classes


@cached(4096)
def declarations(text: str) -> tuple[Declaration, ...]:
    """Return the properties of a `style` attribute, in order; StyleError for what is no declaration."""
    return tuple(_declarations(_COMMENT.sub(" ", text)))


def _declarations(text: str) -> Iterator[Declaration]:
    for found in _DECLARATION.findall(text):
        words = found.strip()
        if words:
            name, colon, value = words.partition(":")
            if not colon or not value.strip():
                raise StyleError(f"expected `property: value`, found `{words[:60]}`", words)
            plain = _IMPORTANT.sub("", value)
            yield name.strip().lower(), plain.strip(), plain != value


@cached(64)
def read_sheet(text: str) -> tuple[StyleRule, ...]:
    """Return the rules of a `<style>`, the least exact first; StyleError for what is not read."""
    found = sorted(_rules(_COMMENT.sub(" ", text)), key=lambda rule: rule.rank)
    if len(found) > MAX_RULES:
        raise StyleError(f"has {len(found)} rules, and at most {MAX_RULES} are read", "")
    return tuple(found)


def _rules(text: str) -> Iterator[StyleRule]:
    rest = text.strip()
    while rest:
        selectors, brace, behind = rest.partition("{")
        if rest.startswith("@"):
            raise StyleError(f"`{rest.split()[0]}` is not read", rest.split()[0], "remove it; fonts are of the set")
        inside, end, rest = behind.partition("}")
        if not brace or not end:
            raise StyleError("a rule is written `.name { fill: red }`", selectors.strip()[:60])
        given = tuple(_declarations(inside))
        for selector in selectors.split(","):
            yield _rule(selector.strip(), given)
        rest = rest.strip()


def _rule(selector: str, given: tuple[Declaration, ...]) -> StyleRule:
    match = _SELECTOR.fullmatch(selector)
    if not match or not selector:
        hint = "selectors are a class, an id, an element, or these together: `.st0`, `#sky`, `rect`, `text.name`"
        raise StyleError(f"the selector `{selector[:60]}` is not read", selector, hint)
    parts = _PART.findall(match["parts"])
    names = [name for sign, name in parts if sign == "#"]
    classes = frozenset(name for sign, name in parts if sign == ".")
    tag = match["tag"] or ""
    return StyleRule("" if tag == "*" else tag, names[-1] if names else "", classes, given)

"""Which values of a card a template asks for, in any of its branches, as far as its text tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import jinja2
from jinja2 import meta, nodes

from render.base.caches import cached
from render.base.findings import Refused
from render.base.resources import is_ours
from render.layout.templates.mistakes.wording import STOPS
from render.layout.templates.template import Templates

_OF_MAPPINGS = frozenset({"items", "values", "keys", "copy"})
_CARD = "card"
_EXTENDS = re.compile(r"\{%[-+]?\s*extends\s+[\"']([^\"']+)[\"']")


def asked_names(templates: Templates, names: Iterable[str]) -> frozenset[str] | None:
    """Return all names by which templates, and those that they extend, include and import, ask any value for a part.

    Words in quotes are among them. None if the text does not tell: if one of the templates goes through all that a card
    has, asks by a name that it works out, cannot be read, or extends itself.
    """
    found, seen, queue = set[str](), set[str](), [f"{name}.svg" for name in names]
    first, extended, parents = frozenset(queue), list[str](), dict[str, str]()
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        text = _text(templates, name)
        if text is None and name not in (*first, *extended):
            continue  # an `include` may name several, of which not all are there
        above = _EXTENDS.findall(text or "")
        extended += above
        if above:
            parents[name] = above[0]
        if _is_circular(parents, name):
            return None
        asked = None if text is None else _asked(text)
        if asked is None:
            return None
        parts, others = asked
        found |= parts
        queue += others
    return frozenset(found)


def _is_circular(parents: Mapping[str, str], name: str) -> bool:
    """Whether a template extends itself, by way of its parents."""
    above = set[str]()
    while name in parents and name not in above:
        above.add(name)
        name = parents[name]
    return name in above


def texts_of(templates: Templates, names: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Yield the files of templates, and of those that they extend, include and import by name, with their texts.

    Built-in ones and what cannot be read are left out.
    """
    seen, queue = set[str](), [f"{name}.svg" for name in names]
    loader = templates.environment.loader
    while queue:
        name = queue.pop()
        if name in seen or loader is None:
            continue
        seen.add(name)
        try:
            text, file, _ = loader.get_source(templates.environment, name)
        except (jinja2.TemplateNotFound, Refused, OSError, UnicodeDecodeError):
            continue
        if file and not is_ours(file):
            yield Path(file), text
            queue += _others(text)


@cached(128)
def _others(text: str) -> tuple[str, ...]:
    try:
        return tuple(filter(None, meta.find_referenced_templates(jinja2.Environment(autoescape=True).parse(text))))
    except STOPS:
        return ()


def _text(templates: Templates, name: str) -> str | None:
    """Return the text of a template; None of one that cannot be read, which is said where it is drawn."""
    try:
        return templates.environment.loader.get_source(templates.environment, name)[0]  # type: ignore[union-attr] # it has one
    except (jinja2.TemplateNotFound, Refused, OSError, UnicodeDecodeError):
        return None


@cached(128)
def _asked(text: str) -> tuple[frozenset[str], tuple[str, ...]] | None:
    """Return the names that the text of one template asks for, and the templates; None if it does not tell."""
    try:
        tree = jinja2.Environment(autoescape=True).parse(text)
    except STOPS:
        return None
    others = tuple(meta.find_referenced_templates(tree))
    cards = _names_of_cards(tree)
    if None in others or any(_goes_through(node, cards) for node in tree.find_all(nodes.Node)):
        return None
    parts = {node.attr for node in tree.find_all(nodes.Getattr)}
    words = {node.value for node in tree.find_all(nodes.Const) if isinstance(node.value, str)}
    return frozenset(parts | words), tuple(filter(None, others))


def _goes_through(node: nodes.Node, cards: frozenset[str]) -> bool:
    """Return whether a part of a template may ask a card for anything."""

    def is_card(asked: nodes.Node) -> bool:
        return _is_card(asked, cards)

    match node:
        case nodes.Getattr():
            return node.attr in _OF_MAPPINGS and is_card(node.node)
        case nodes.Getitem():
            return is_card(node.node) and not isinstance(node.arg, nodes.Const)
        case nodes.For():
            return is_card(node.iter)
        case nodes.Filter() if node.node is not None:
            worked_out = node.name in ("attr", "map") and not all(isinstance(each, nodes.Const) for each in node.args)
            return worked_out or is_card(node.node)
    return False


def _names_of_cards(tree: nodes.Template) -> frozenset[str]:
    """Return the names that may stand for a card or one of its faces: what macros are given is among them."""
    found = {_CARD, *(each.name for macro in tree.find_all(nodes.Macro) for each in macro.args)}
    for loop in tree.find_all(nodes.For):
        found |= {each.name for each in _names(loop.target)} if _is_faces(loop.iter) else set()
    for given in [*tree.find_all(nodes.Assign)] * 2:  # a name may be given to a name
        found |= {each.name for each in _names(given.target)} if _is_card(given.node, found) else set()
    return frozenset(found)


def _names(target: nodes.Node) -> Iterator[nodes.Name]:
    return iter([target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name))


def _is_card(node: nodes.Node, cards: Iterable[str]) -> bool:
    """Return whether an expression may be a card: a name of one, `card.face`, or an item of `card.faces`."""
    match node:
        case nodes.Name():
            return node.name in cards
        case nodes.Getattr():
            return node.attr == "face"
        case nodes.Getitem():
            return _is_faces(node.node)
    return False


def _is_faces(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Getattr) and node.attr == "faces"

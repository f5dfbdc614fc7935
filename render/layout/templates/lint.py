"""Lint templates: what they say in vain, values that no card has, and braces that are printed by mistake."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import jinja2
from jinja2 import nodes

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, Severity, did_you_mean, listed, quoted
from render.base.resources import is_ours
from render.layout.templates.filling import STOPS, Source
from render.layout.templates.mistakes import lost_template, syntax_mistake
from render.layout.templates.names import (
    OF_JINJA,
    UNREAD,
    as_number,
    asked_first,
    asked_of,
    compared_words,
    every,
    names_given,
    parsed,
    reached,
    referenced,
    sandbox,
)
from render.layout.templates.template import Templates
from render.source.nodes import span

_OF_CARDS = OF_JINJA | {"card", "face"}
_OF_MAPPINGS = frozenset(("items", "values", "keys", "copy"))


# --- which values of a card are asked for -----------------------------------------------------------------------------


def asked_names(templates: Templates, names: Iterable[str]) -> frozenset[str] | None:
    """Return all names by which templates, and those that they extend, include and import, ask any value for a part.

    Words in quotes are among them. None if the text does not tell: if one of the templates goes through all that a card
    has, asks by a name that it works out, cannot be read, or extends itself.
    """
    found, needed = set[str](), {f"{name}.svg" for name in names}
    parents = dict[str, str]()
    for name, source, tree in reached([*needed], templates.found):
        if source is None and name and name not in needed:
            continue  # an `include` may name several, of which not all are there
        if tree is None or _tells_not(tree):
            return None
        for above in every(tree, nodes.Extends):
            if isinstance(above.template, nodes.Const):
                needed.add(above.template.value)
                parents.setdefault(name, above.template.value)
        way = [name]
        while way[-1] in parents:
            if (above_it := parents[way[-1]]) in way:
                return None
            way.append(above_it)
        found |= _words_asked(tree)
    return frozenset(found)


@cached(128)
def _words_asked(tree: nodes.Template) -> frozenset[str]:
    texts = (each.value for each in every(tree, nodes.Const) if isinstance(each.value, str))
    return frozenset((*(each.attr for each in every(tree, nodes.Getattr)), *texts))


@cached(128)
def _tells_not(tree: nodes.Template) -> bool:
    """Return whether a template may ask a card for anything."""
    cards = _names_of_cards(tree)
    for node in every(tree, nodes.Getattr, nodes.Getitem, nodes.For, nodes.Filter):
        match node:
            case nodes.Getattr() if node.attr in _OF_MAPPINGS and _is_card(node.node, cards):
                return True
            case nodes.Getitem() if _is_card(node.node, cards) and not isinstance(node.arg, nodes.Const):
                return True
            case nodes.For() if _is_card(node.iter, cards):
                return True
            case nodes.Filter() if node.node is not None:
                worked_out = not all(isinstance(each, nodes.Const) for each in node.args)
                if (node.name in ("attr", "map") and worked_out) or _is_card(node.node, cards):
                    return True
    return False


def _names_of_cards(tree: nodes.Template) -> frozenset[str]:
    """Return the names that may stand for a card or one of its faces: what macros are given is among them."""
    found = {"card", *(each.name for macro in every(tree, nodes.Macro) for each in macro.args)}
    for loop in every(tree, nodes.For):
        found |= _names(loop.target) if _is_faces(loop.iter) else set()
    for given in [*every(tree, nodes.Assign)] * 2:  # a name may be given to a name
        found |= _names(given.target) if _is_card(given.node, found) else set()
    return frozenset(found)


def _names(target: nodes.Node) -> set[str]:
    return {target.name} if isinstance(target, nodes.Name) else {each.name for each in target.find_all(nodes.Name)}


def _is_card(node: nodes.Node, cards: Collection[str]) -> bool:
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


def texts_of(templates: Templates, names: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Yield the files of templates, and of those that they extend, include and import by name, with their texts.

    Built-in ones and what cannot be read are left out.
    """

    def find(name: str) -> Source:
        if is_ours((source := templates.found(name)).file):
            raise jinja2.TemplateNotFound(name)
        return source

    for _, source, _ in reached([f"{name}.svg" for name in names], find):
        if source:
            yield Path(source.file), source.text


# --- braces that are printed ------------------------------------------------------------------------------------------


@cached(128)
def printed_braces(source: str) -> tuple[tuple[str, str, tuple[int, int]], ...]:
    """Return the braces that a template prints in its texts, though they are no Jinja2; none if it cannot be read.

    They come with what to do, and the indexes of their characters.

    Braces elsewhere, as in a style sheet, are no texts. What `{% raw %}` holds is meant as it stands, and so is what a
    value gives: `{{ '{' }}`.
    """
    source = re.sub("\r\n?", "\n", source)
    plain, braces = re.sub(r"<!--.*?(?:-->|$)", _blank, _without_jinja(source), flags=re.DOTALL), []
    for text in re.finditer(r"<text\b[^>]*>(?P<words>.*?)</text\s*>", plain, re.DOTALL):
        words = re.sub(r"<[^>]*>", _blank, text["words"])
        for brace in re.finditer(r"\$?\{+[^{}\n]*\}+|[{}]+", words):
            start, end = (text.start("words") + index for index in brace.span())
            value = re.fullmatch(r"\$?\{\s*([\w.]+)\s*\}", brace[0])
            if value and (value[1].startswith("card.") or value[1] == "value"):
                hint = f"write two on each side: `{{{{ {value[1]} }}}}`"
            elif brace[0].strip("}") == "" and source[:start].endswith("}}"):
                hint = "remove it: `}}` ends what begins with `{{`"
            else:
                hint = f"remove it, or print it as a text: `{{{{ '{brace[0]}' }}}}`"
            braces.append((source[start:end], hint, (start, end)))
    return tuple(braces)


def _without_jinja(source: str) -> str:
    """Return a template with spaces for all that is not SVG, and for what `{% raw %}` holds; "" after a mistake."""
    shown, behind, is_raw = list(_blank(source)), 0, False
    try:
        for _, kind, words in jinja2.Environment(autoescape=True).lexer.tokeniter(source, None):
            start = max(source.find(words, behind), behind)  # white space may have been left out between two
            behind = start + len(words)
            is_raw = kind == "raw_begin" or (is_raw and kind == "data")
            if kind == "data" and not is_raw:
                shown[start:behind] = words
    except jinja2.TemplateSyntaxError:
        return ""
    return "".join(shown)


def _blank(words: str | re.Match[str]) -> str:
    return " " * len(words if isinstance(words, str) else words[0])


# --- what a template says in vain -------------------------------------------------------------------------------------


def unreached_parts(
    templates: Templates, names: Iterable[str], keys: Collection[str], words: Mapping[str, Sequence[str]]
) -> Iterator[Diagnostic]:
    """Yield warnings about templates of cards, and those that they extend, include and import.

    `keys` are all that any card has, `words` those of which a key is one, none for a number. What a card would stop at
    is told here of all ways through a template.
    """
    linted = [_Lint(templates, *each, tree) for each in texts_of(templates, names) if (tree := parsed(each[1]))]
    # What one template gives a name to, those that it extends and includes may see.
    given = {*sandbox().globals, *_OF_CARDS, *(name for each in linted for name in names_given(each.tree))}
    others = (name for each in linted for name in referenced(each.tree))
    shared = any(not name or name.startswith("kotc/") for name in others)  # then more names may be given
    for each in linted:
        own_card = "card" in names_given(each.tree)
        yield from each.undrawn()
        yield from each.unknown_names(given) if not shared else ()
        yield from each.unknown_macros()
        yield from each.unknown_keys(keys) if not own_card else ()
        yield from each.never_equal(words) if not own_card else ()
        yield from each.lost_templates()


class _Lint:
    """One template as it is linted."""

    def __init__(self, templates: Templates, file: Path, text: str, tree: nodes.Template) -> None:
        self.templates, self.file, self.text, self.tree = templates, file, text, tree

    def _warnings(self, code: str, message: str, hint: str, where: str, start: int = 0) -> Iterator[Diagnostic]:
        """Yield a warning at the first group of a pattern, if the text has it."""
        match = re.compile(where).search(self.text, start)
        if match:
            warning = Diagnostic(code, f"the template {message}", hint, Severity.WARNING)
            yield warning.at(span(self.file, self.text, match.span(1)))

    def _tree_of(self, name: object) -> nodes.Template | None:
        """Return the tree of another template; None if it is not known."""
        try:
            return parsed(self.templates.found(name).text) if isinstance(name, str) else None
        except UNREAD:
            return None

    def undrawn(self) -> Iterator[Diagnostic]:
        """Yield what a template that extends another one says, and that one does not draw."""
        parents = [each for each in self.tree.body if isinstance(each, nodes.Extends)]
        drawn = self._blocks_above(parents[0]) if len(parents) == 1 else None
        if drawn is None:
            return
        parent, blocks = drawn
        ways = f"`{parent}` has no blocks: write `{{% block words %}}{{% endblock %}}` there, and use this name here"
        if blocks:
            ways = f"`{parent}` draws the {'blocks' if len(blocks) > 1 else 'block'} {listed(sorted(blocks), 'and')}"
        called = asked_of(self.tree, "self")
        for block in self.tree.body:
            if isinstance(block, nodes.Block) and block.name not in {*blocks, *called}:
                message = f"`{self.file.stem}` has a block `{block.name}` that nothing draws"
                hint = did_you_mean(block.name, blocks) or ways
                yield from self._warnings("T016", message, hint, rf"\{{%[-+]?\s*block\s+({re.escape(block.name)})\b")
        behind = self.tree.body[self.tree.body.index(parents[0]) + 1 :]
        shown = (each for output in behind if isinstance(output, nodes.Output) for each in output.nodes)
        for data in (each.data for each in shown if isinstance(each, nodes.TemplateData)):
            words = re.sub("<!--.*?-->", "", data, flags=re.DOTALL).split()
            if words:
                message = f"`{self.file.stem}` has words outside of its blocks, which nothing draws"
                start = sum(map(len, self.text.splitlines(keepends=True)[: parents[0].lineno - 1]))
                yield from self._warnings("T016", message, ways, f"({re.escape(words[0])})", start)
                return

    def _blocks_above(self, extends: nodes.Extends) -> tuple[str, set[str]] | None:
        """Return the template that this one extends, and the blocks of it and all above; None if these are unknown."""
        first, found, seen = "", set[str](), set[str]()
        above: nodes.Extends | None = extends
        while above is not None:
            name = above.template.value if isinstance(above.template, nodes.Const) else None
            tree = self._tree_of(name) if name not in seen else None
            if tree is None or not isinstance(name, str):
                return None
            seen.add(name)
            first = first or name
            found |= {each.name for each in every(tree, nodes.Block)} | asked_of(tree, "self")
            higher = [*every(tree, nodes.Extends)]
            if len(higher) > 1:
                return None
            above = higher[0] if higher else None
        return first, found

    def unknown_keys(self, keys: Collection[str]) -> Iterator[Diagnostic]:
        """Yield the values that a template asks a card for and that no card has, but for those it asks about first."""
        first = {each.attr for each in asked_first(self.tree) if isinstance(each, nodes.Getattr)}
        for name in sorted(asked_of(self.tree, "card") - first - {*keys, *dir(dict)}):
            hint = did_you_mean(name, sorted(keys)) or f"a card has {listed(sorted(keys), 'and')}"
            message = f"`{self.file.stem}` asks for `card.{name}`, which no card has"
            yield from self._warnings("T003", message, hint, rf"\bcard\s*\.\s*({re.escape(name)})\b")

    def unknown_names(self, given: Collection[str]) -> Iterator[Diagnostic]:
        """Yield the names that a template uses and that nothing has, but for those that it asks about first."""
        first = {each.name for each in asked_first(self.tree) if isinstance(each, nodes.Name)}
        used = {each.name for each in every(self.tree, nodes.Name) if each.ctx == "load"}
        for name in sorted(used - first - {*given}):
            hint = did_you_mean(name, sorted({*given} - _OF_CARDS | {"card"})) or "a value of the card is `card.name`"
            where = rf"\{{[{{%][^}}]*?(?<![\w.\"'-])({re.escape(name)})\b"
            message = f"`{self.file.stem}` asks for `{name}`, which nothing gives"
            yield from self._warnings("T003", message, hint, where)

    def unknown_macros(self) -> Iterator[Diagnostic]:
        """Yield the macros that a template asks an imported one for, which does not have them."""
        asked = [
            (each.template, asked_of(self.tree, each.target), rf"\b{re.escape(each.target)}\s*\.\s*({{}})\b")
            for each in every(self.tree, nodes.Import)
        ]
        for each in every(self.tree, nodes.FromImport):
            names = {one if isinstance(one, str) else one[0] for one in each.names}
            asked.append((each.template, names, r"\bimport\b[^%]*?\b({})\b"))
        for template, macros, where in asked:
            name = template.value if isinstance(template, nodes.Const) else None
            tree = self._tree_of(name)
            given = names_given(tree) if tree else macros
            for macro in sorted(macros - given):
                hint = did_you_mean(macro, sorted(given)) or f"write `{{% macro {macro}() %}}` there"
                message = f"`{name}` has no macro `{macro}`"
                yield from self._warnings("T003", message, hint, where.replace("{}", re.escape(macro)))

    def never_equal(self, words: Mapping[str, Sequence[str]]) -> Iterator[Diagnostic]:
        """Yield the words with which a template compares a key of the card that is never that word."""
        for name, word in dict.fromkeys(compared_words(self.tree, of_card=True)):
            if name not in words or word in words[name]:
                continue
            message = f"`{self.file.stem}` compares `card.{name}`, a number, with the text {quoted(word)}"
            hint = as_number(word)
            if words[name]:
                hint = did_you_mean(word, words[name]) or f"`{name}` is {listed(words[name])}"
                message = f"`{self.file.stem}` compares `card.{name}` with {quoted(word)}, which it never is"
            yield from self._warnings("M031", message, hint, rf"[\"']({re.escape(word)})[\"']")

    def lost_templates(self) -> Iterator[Diagnostic]:
        """Yield the templates that one includes or imports and that are not there, or cannot be read."""
        asked = [each.template for each in every(self.tree, nodes.Include) if not each.ignore_missing]
        asked += [each.template for each in every(self.tree, nodes.Import)]
        asked += [each.template for each in every(self.tree, nodes.FromImport)]
        for name in (each.value for each in asked if isinstance(each, nodes.Const) and isinstance(each.value, str)):
            try:
                self.templates.source(name)
            except jinja2.TemplateNotFound:
                yield replace(
                    lost_template(self.templates.names(), name, self.file, self.text), severity=Severity.WARNING
                )
            except jinja2.TemplateSyntaxError as error:
                yield replace(syntax_mistake(error), severity=Severity.WARNING)
            except (*STOPS, Refused, OSError):
                continue  # told where it is drawn

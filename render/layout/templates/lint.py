"""Lint templates: what they say in vain, values that no card has, and braces that are printed by mistake."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2 import nodes
from msgspec.structs import replace

from render.base.caches import cached
from render.base.findings import Diagnostic, Refused, Severity, did_you_mean, listed, quoted
from render.base.resources import is_ours
from render.layout.templates import Source
from render.layout.templates.mistakes import lost_template
from render.layout.templates.syntax import (
    OF_JINJA,
    UNREAD,
    Syntax,
    WrongSyntax,
    as_number,
    raw_tokens,
    reached,
    read,
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
    for name, source, syntax in reached([*needed], templates.found):
        if source is None and name and name not in needed:
            continue  # an `include` may name several, of which not all are there
        if syntax is None or _tells_not(syntax):
            return None
        for above in syntax.every(nodes.Extends):
            if isinstance(above.template, nodes.Const):
                needed.add(above.template.value)
                parents.setdefault(name, above.template.value)
        way = [name]
        while way[-1] in parents:
            if (above_it := parents[way[-1]]) in way:
                return None
            way.append(above_it)
        found.update(each.attr for each in syntax.every(nodes.Getattr))
        found.update(each.value for each in syntax.every(nodes.Const) if isinstance(each.value, str))
    return frozenset(found)


def _tells_not(syntax: Syntax) -> bool:
    """Return whether a template may ask a card for anything."""
    cards = _names_of_cards(syntax)
    for node in syntax.every(nodes.Getattr, nodes.Getitem, nodes.For, nodes.Filter):
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


def _names_of_cards(syntax: Syntax) -> frozenset[str]:
    """Return the names that may stand for a card or one of its faces: what macros are given is among them."""
    found = {"card", *(each.name for macro in syntax.every(nodes.Macro) for each in macro.args)}
    for loop in syntax.every(nodes.For):
        found |= _names_in(loop.target) if _is_faces(loop.iter) else set()
    for given in [*syntax.every(nodes.Assign)] * 2:  # a name may be given to a name
        found |= _names_in(given.target) if _is_card(given.node, found) else set()
    return frozenset(found)


def _names_in(target: nodes.Node) -> set[str]:
    return {each.name for each in (target, *target.find_all(nodes.Name)) if isinstance(each, nodes.Name)}


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


def layer_names(templates: Templates, names: Iterable[str]) -> frozenset[str]:
    """Return the names of elements by which layers are switched, in templates and those that these ask for by name."""
    sources = (source for _, source, _ in reached([f"{name}.svg" for name in names], templates.found) if source)
    return frozenset(layer[1] for source in sources for layer in re.finditer(_LAYER, source.text))


_LAYER = r"""(?<=\s)(?:id|inkscape:label)\s*=\s*["']([^"'{}]+)["']"""


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
    shown, is_raw = list(_blank(source)), False
    try:
        for start, kind, words in raw_tokens(source):
            is_raw = kind == "raw_begin" or (is_raw and kind == "data")
            if kind == "data" and not is_raw:
                shown[start : start + len(words)] = words
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
    linted = list[_Lint]()
    for file, text in texts_of(templates, names):
        with suppress(WrongSyntax):  # told where it is drawn
            linted.append(_Lint(templates, file, read(text)))
    # What one template gives a name to, those that it extends and includes may see.
    given = {*sandbox().globals, *_OF_CARDS, *(name for each in linted for name in each.syntax.given)}
    others = (name for each in linted for name in each.syntax.referenced)
    shared = any(not name or name.startswith("kotc/") for name in others)  # then more names may be given
    for each in linted:
        yield from each.undrawn()
        yield from each.unknown_names(given) if not shared else ()
        yield from each.unknown_macros()
        if "card" not in each.syntax.given:
            yield from each.unknown_keys(keys)
            yield from each.never_equal(words)
        yield from each.lost_templates()


class _Lint:
    """One template as it is linted."""

    def __init__(self, templates: Templates, file: Path, syntax: Syntax) -> None:
        self.templates, self.file, self.syntax = templates, file, syntax

    def _warn(self, code: str, said: str, hint: str, at: int, word: str) -> Diagnostic:
        place = span(self.file, self.syntax.source, (at, at + len(word)))
        return Diagnostic(code, f"the template `{self.file.stem}` {said}", hint, Severity.WARNING).at(place)

    def _other(self, name: object) -> Syntax | None:
        """Return what another template says; None if it is not known."""
        with suppress(*UNREAD, WrongSyntax):
            return read(self.templates.found(name).text) if isinstance(name, str) else None
        return None

    def undrawn(self) -> Iterator[Diagnostic]:
        """Yield what a template that extends another one says, and that one does not draw."""
        body = self.syntax.tree.body
        parents = [each for each in body if isinstance(each, nodes.Extends)]
        drawn = self._blocks_above(parents[0]) if len(parents) == 1 else None
        if drawn is None:
            return
        parent, blocks = drawn
        ways = f"`{parent}` has no blocks: write `{{% block words %}}{{% endblock %}}` there, and use this name here"
        if blocks:
            ways = f"`{parent}` draws the {'blocks' if len(blocks) > 1 else 'block'} {listed(sorted(blocks), 'and')}"
        called = self.syntax.parts("self")
        for block in body:
            if isinstance(block, nodes.Block) and block.name not in {*blocks, *called}:
                hint = did_you_mean(block.name, blocks) or ways
                at = self.syntax.index(block.name, block)
                yield self._warn("T016", f"has a block `{block.name}` that nothing draws", hint, at, block.name)
        behind = body[body.index(parents[0]) + 1 :]
        shown = (each for output in behind if isinstance(output, nodes.Output) for each in output.nodes)
        for data in (each for each in shown if isinstance(each, nodes.TemplateData)):
            words = re.sub("<!--.*?-->", "", data.data, flags=re.DOTALL).split()
            if words:
                at = self.syntax.source.find(words[0], data.lineno)
                yield self._warn("T016", "has words outside of its blocks, which nothing draws", ways, at, words[0])
                return

    def _blocks_above(self, extends: nodes.Extends) -> tuple[str, set[str]] | None:
        """Return the template that this one extends, and the blocks of it and all above; None if these are unknown."""
        names, blocks, above = list[str](), set[str](), [extends]
        while above:
            name = above[0].template.value if isinstance(above[0].template, nodes.Const) else None
            syntax = self._other(name) if name not in names else None
            if syntax is None or name is None or len(above) > 1:
                return None
            names.append(name)
            blocks.update((block for block, _ in syntax.blocks), syntax.parts("self"))
            above = [*syntax.every(nodes.Extends)]
        return names[0], blocks

    def unknown_keys(self, keys: Collection[str]) -> Iterator[Diagnostic]:
        """Yield the values that a template asks a card for and that no card has, but for those it asks about first."""
        for name, at in sorted(self.syntax.parts("card").items()):
            if name not in keys and f"card.{name}" not in self.syntax.first and not hasattr(dict, name):
                hint = did_you_mean(name, sorted(keys)) or f"a card has {listed(sorted(keys), 'and')}"
                yield self._warn("T003", f"asks for `card.{name}`, which no card has", hint, at, name)

    def unknown_names(self, given: Collection[str]) -> Iterator[Diagnostic]:
        """Yield the names that a template uses and that nothing has, but for those that it asks about first."""
        known = sorted({*given} - _OF_CARDS | {"card"})
        for name, at in sorted(self.syntax.paths.items()):
            if "." not in name and name not in self.syntax.first and name not in given:
                hint = did_you_mean(name, known) or "a value of the card is `card.name`"
                yield self._warn("T003", f"asks for `{name}`, which nothing gives", hint, at, name)

    def unknown_macros(self) -> Iterator[Diagnostic]:
        """Yield the macros that a template asks an imported one for, which does not have them."""
        for each in self.syntax.every(nodes.Import, nodes.FromImport):
            if isinstance(each, nodes.Import):
                macros = self.syntax.parts(each.target)
            else:
                names = [name if isinstance(name, str) else name[0] for name in each.names]
                behind = self.syntax.source.find("import", each.lineno)
                macros = {name: self.syntax.source.find(name, behind) for name in names}
            name = each.template.value if isinstance(each.template, nodes.Const) else None
            if other := self._other(name):
                for macro, at in sorted(macros.items()):
                    if macro not in other.given:
                        hint = did_you_mean(macro, sorted(other.given)) or f"write `{{% macro {macro}() %}}` there"
                        warning = self._warn("T003", "", hint, at, macro)
                        yield replace(warning, message=f"the template `{name}` has no macro `{macro}`")

    def never_equal(self, words: Mapping[str, Sequence[str]]) -> Iterator[Diagnostic]:
        """Yield the words with which a template compares a key of the card that is never that word."""
        for (path, word), at in self.syntax.compared.items():
            name = path.removeprefix("card.")
            if name == path or name not in words or word in words[name]:
                continue
            said, hint = f"compares `{path}`, a number, with the text {quoted(word)}", as_number(word)
            if words[name]:
                said = f"compares `{path}` with {quoted(word)}, which it never is"
                hint = did_you_mean(word, words[name]) or f"`{name}` is {listed(words[name])}"
            yield self._warn("M031", said, hint, at, word)

    def lost_templates(self) -> Iterator[Diagnostic]:
        """Yield the templates that one includes or imports and that are not there, or cannot be read."""
        for each in self.syntax.every(nodes.Include, nodes.Import, nodes.FromImport):
            name = each.template.value if isinstance(each.template, nodes.Const) else None
            if isinstance(name, str) and not (isinstance(each, nodes.Include) and each.ignore_missing):
                try:
                    self.templates.source(name)
                except jinja2.TemplateNotFound:
                    lost = lost_template(self.templates.names(), name, self.file, self.syntax.source)
                    yield replace(lost, severity=Severity.WARNING)
                except (Refused, OSError, ValueError) as error:  # told where it is drawn, but for its syntax
                    findings = error.findings if isinstance(error, Refused) else ()
                    yield from (replace(one, severity=Severity.WARNING) for one in findings if one.code == "T002")

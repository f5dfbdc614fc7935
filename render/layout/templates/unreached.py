"""What a template says in vain: blocks and words that nothing draws; and, in branches that no card takes, values that
no card has and templates that do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import jinja2
from jinja2 import meta, nodes

from render.base.findings import Finding, Problem, Refused, Severity, did_you_mean, listed, quoted
from render.layout.templates.asked_names import texts_of
from render.layout.templates.compared_words import as_key_of_card, as_number, compared_words
from render.layout.templates.engine.unknown import names_given
from render.layout.templates.mistakes.places import span_of
from render.layout.templates.mistakes.wording import STOPS, lost_template, syntax_mistake
from render.layout.templates.template import Templates

_CARD = "card"
_OF_CARDS = frozenset(("card", "face", "loop", "self", "super", "caller", "varargs", "kwargs"))


def unreached_parts(
    templates: Templates, names: Iterable[str], keys: Collection[str], words: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    """Yield warnings about templates of cards, and those that they extend, include and import.

    `keys` are all that any card has, `words` those of which a key is one, none for a number. What a card would stop at
    is told here of all ways through a template.
    """
    trees = [(file, text, tree) for file, text in texts_of(templates, names) if (tree := _tree(text)) is not None]
    # What one template gives a name to, those that it extends and includes may see.
    given = {*templates.environment.globals, *_OF_CARDS, *(each for *_, tree in trees for each in names_given(tree))}
    others = (each or "" for *_, tree in trees for each in meta.find_referenced_templates(tree))
    shared = any(not each or each.startswith("kotc/") for each in others)  # then more names may be given
    for file, text, tree in trees:
        yield from _undrawn(templates, file, text, tree)
        yield from _unknown_names(file, text, tree, given) if not shared else ()
        yield from _unknown_macros(templates, file, text, tree)
        yield from _unknown_keys(file, text, tree, keys)
        yield from _never_equal(file, text, tree, words)
        yield from _lost_templates(templates, file, text, tree)


def _tree(text: str) -> nodes.Template | None:
    try:
        return jinja2.Environment(autoescape=True).parse(text)
    except STOPS:
        return None  # told where it is read


def _warning(problem: tuple[str, str, str], file: Path, found: re.Match[str]) -> Finding:
    """Return a warning (its code, message and hint) at the first group of what was found in a file's text."""
    return Problem(*problem, Severity.WARNING).at(span_of(file, found.string, *found.span(1)))


# --- what a template that extends another one says, and that one does not draw ----------------------------------------


def _undrawn(templates: Templates, file: Path, text: str, tree: nodes.Template) -> Iterator[Finding]:
    parents = [each for each in tree.body if isinstance(each, nodes.Extends)]
    drawn = _blocks_above(templates, parents[0]) if len(parents) == 1 else None
    if drawn is None:
        return
    parent, blocks = drawn
    called = _blocks_called(tree)
    for block in tree.body:
        if isinstance(block, nodes.Block) and block.name not in {*blocks, *called}:
            hint = did_you_mean(block.name, blocks) or _ways(parent, blocks)
            message = f"the template `{file.stem}` has a block `{block.name}` that nothing draws"
            found = re.search(rf"\{{%[-+]?\s*block\s+({re.escape(block.name)})\b", text)
            if found:
                yield _warning(("T016", message, hint), file, found)
    outside = _words_outside(text, tree, parents[0])
    if outside:
        message = f"the template `{file.stem}` has words outside of its blocks, which nothing draws"
        yield _warning(("T016", message, _ways(parent, blocks)), file, outside)


def _blocks_called(tree: nodes.Template) -> set[str]:
    """Return the blocks that a template draws as `self.name()`."""
    return {each.attr for each in tree.find_all(nodes.Getattr) if _is_name(each.node, "self")}


def _ways(parent: str, blocks: Collection[str]) -> str:
    """Say which blocks a template may draw."""
    if not blocks:
        return f"`{parent}` has no blocks: write `{{% block words %}}{{% endblock %}}` there, and use this name here"
    return f"`{parent}` draws the {'blocks' if len(blocks) > 1 else 'block'} {listed(sorted(blocks), 'and')}"


def _blocks_above(templates: Templates, extends: nodes.Extends) -> tuple[str, set[str]] | None:
    """Return the template that another one extends, and the blocks of it and all above; None if these are unknown."""
    first, found, seen = "", set[str](), set[str]()
    above: nodes.Extends | None = extends
    while above is not None:
        name = above.template.value if isinstance(above.template, nodes.Const) else None
        if not isinstance(name, str) or name in seen or templates.environment.loader is None:
            return None
        seen.add(name)
        first = first or name
        try:
            tree = _tree(templates.environment.loader.get_source(templates.environment, name)[0])
        except (jinja2.TemplateNotFound, Refused, OSError, UnicodeDecodeError):
            return None
        if tree is None:
            return None
        found |= {each.name for each in tree.find_all(nodes.Block)} | _blocks_called(tree)
        higher = [*tree.find_all(nodes.Extends)]
        if len(higher) > 1:
            return None
        above = higher[0] if higher else None
    return first, found


def _words_outside(text: str, tree: nodes.Template, extends: nodes.Extends) -> re.Match[str] | None:
    """Return the first words of a template that stand behind `extends` and in no block."""
    behind = tree.body[tree.body.index(extends) + 1 :]
    shown = (each for output in behind if isinstance(output, nodes.Output) for each in output.nodes)
    for each in shown:
        words = re.sub("<!--.*?-->", "", each.data, flags=re.DOTALL) if isinstance(each, nodes.TemplateData) else ""
        if words.strip():
            first = re.compile(f"({re.escape(words.split()[0])})")
            return first.search(text, _start_of(text, extends.lineno))
    return None


def _start_of(text: str, line: int) -> int:
    """Return the index at which a line begins, from 1."""
    return sum(len(each) for each in text.splitlines(keepends=True)[: line - 1])


def _is_name(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.name == name


# --- what no card has -------------------------------------------------------------------------------------------------


def _unknown_keys(file: Path, text: str, tree: nodes.Template, keys: Collection[str]) -> Iterator[Finding]:
    """Yield the values that a template asks a card for and that no card has, but for those that it asks about first."""
    if _CARD in names_given(tree):
        return
    asked = {each.attr for each in tree.find_all(nodes.Getattr) if _is_name(each.node, _CARD)}
    guards = [each for each in tree.find_all(nodes.Test) if each.name in ("defined", "undefined")]
    defaults = [each for each in tree.find_all(nodes.Filter) if each.name in ("default", "d")]
    guarded = {each.node.attr for each in (*guards, *defaults) if isinstance(each.node, nodes.Getattr)}
    for name in sorted(asked - guarded - {*keys, *dir(dict)}):
        found = re.search(rf"\b{_CARD}\s*\.\s*({re.escape(name)})\b", text)
        hint = did_you_mean(name, sorted(keys)) or f"a card has {listed(sorted(keys), 'and')}"
        message = f"the template `{file.stem}` asks for `{_CARD}.{name}`, which no card has"
        if found:
            yield _warning(("T003", message, hint), file, found)


def _unknown_names(file: Path, text: str, tree: nodes.Template, given: Collection[str]) -> Iterator[Finding]:
    """Yield the names that a template uses and that nothing has, but for those that it asks about first."""
    guards = [each.node for each in tree.find_all(nodes.Test) if each.name in ("defined", "undefined")]
    guards += [each.node for each in tree.find_all(nodes.Filter) if each.name in ("default", "d") and each.node]
    guarded = {each.name for each in guards if isinstance(each, nodes.Name)}
    used = {each.name for each in tree.find_all(nodes.Name) if each.ctx == "load"}
    for name in sorted(used - guarded - {*given}):
        found = re.search(rf"\{{[{{%][^}}]*?(?<![\w.\"'-])({re.escape(name)})\b", text)
        hint = did_you_mean(name, sorted({*given} - _OF_CARDS | {_CARD})) or "a value of the card is `card.name`"
        message = f"the template `{file.stem}` asks for `{name}`, which nothing gives"
        if found:
            yield _warning(("T003", message, hint), file, found)


def _unknown_macros(templates: Templates, file: Path, text: str, tree: nodes.Template) -> Iterator[Finding]:
    """Yield the macros that a template asks an imported one for, which does not have them."""
    for each in tree.find_all(nodes.Import):
        target = each.target
        asked = {one.attr for one in tree.find_all(nodes.Getattr) if _is_name(one.node, target)}
        way = rf"\b{re.escape(target)}\s*\.\s*({{}})\b"
        yield from _lost_macros(templates, each.template, asked, (file, text, way))
    for named in tree.find_all(nodes.FromImport):
        asked = {one if isinstance(one, str) else one[0] for one in named.names}
        yield from _lost_macros(templates, named.template, asked, (file, text, r"\bimport\b[^%]*?\b({})\b"))


def _lost_macros(
    templates: Templates, template: nodes.Expr, asked: Collection[str], where: tuple[Path, str, str]
) -> Iterator[Finding]:
    """Yield those of the macros that a template does not have; `where` they are asked for: file, text, and the way."""
    name = template.value if isinstance(template, nodes.Const) else None
    has = _given_by(templates, name) if isinstance(name, str) else None
    file, text, way = where
    for macro in sorted({*asked} - has) if has is not None else ():
        found = re.search(way.replace("{}", re.escape(macro)), text)
        hint = did_you_mean(macro, sorted(has or ())) or f"write `{{% macro {macro}() %}}` there"
        if found:
            yield _warning(("T003", f"the template `{name}` has no macro `{macro}`", hint), file, found)


def _given_by(templates: Templates, name: str) -> set[str] | None:
    """Return the names that a template gives to anything; None if that cannot be known."""
    try:
        assert templates.environment.loader is not None
        tree = _tree(templates.environment.loader.get_source(templates.environment, name)[0])
    except (jinja2.TemplateNotFound, Refused, OSError, UnicodeDecodeError):
        return None
    return names_given(tree) if tree is not None else None


def _never_equal(file: Path, text: str, tree: nodes.Template, words: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Yield the words with which a template compares a key of the card that is never that word."""
    if _CARD in names_given(tree):
        return
    for name, word in dict.fromkeys(compared_words(tree, as_key_of_card)):
        found = re.search(rf"[\"']({re.escape(word)})[\"']", text)
        if found and name in words and not words[name]:
            message = f"the template `{file.stem}` compares `{_CARD}.{name}`, a number, with the text {quoted(word)}"
            yield _warning(("M031", message, as_number(word)), file, found)
        elif found and name in words and word not in words[name]:
            hint = did_you_mean(word, words[name]) or f"`{name}` is {listed(words[name])}"
            message = f"the template `{file.stem}` compares `{_CARD}.{name}` with {quoted(word)}, which it never is"
            yield _warning(("M031", message, hint), file, found)


# --- templates that do not exist, or that cannot be read --------------------------------------------------------------


def _lost_templates(templates: Templates, file: Path, text: str, tree: nodes.Template) -> Iterator[Finding]:
    """Yield the templates that one includes or imports and that are not there, or cannot be read."""
    asked = [each.template for each in tree.find_all(nodes.Include) if not each.ignore_missing]
    asked += [each.template for each in tree.find_all(nodes.Import)]
    asked += [each.template for each in tree.find_all(nodes.FromImport)]
    for name in (each.value for each in asked if isinstance(each, nodes.Const) and isinstance(each.value, str)):
        try:
            templates.environment.get_template(name)
        except jinja2.TemplateNotFound:
            yield _doubt(lost_template(templates.environment, name, file, text))
        except jinja2.TemplateSyntaxError as error:
            yield _doubt(syntax_mistake(error, templates.environment))
        except (*STOPS, Refused, OSError):
            continue  # told where it is drawn


def _doubt(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.WARNING)

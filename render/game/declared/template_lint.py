"""What a second look finds in templates (`kotc check --templates`): places that no card fills, names that seem misspelt; and of
a game in YAML fields and icons that nothing uses, and boxes too small for what the game allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from contextlib import suppress
from pathlib import Path

from jinja2 import nodes
from msgspec.structs import replace

from render.base.findings import Diagnostic, Severity, Span, nearest_word
from render.base.patterns import regex
from render.game.cards import GameCard, GameSet
from render.game.declared.card_reading import in_expressions
from render.game.declared.cards import DeclaredCard, DeclaredSet
from render.game.declared.checks import braces_in_texts, given_fields, off_card, used_fields
from render.game.declared.own_files import place_of_file
from render.game.declared.reading.derived import derive, in_order
from render.game.declared.reading.field_keys import FieldType, FieldValue
from render.game.declared.reading.game_rules import GameRules
from render.game.folder import GAME_FILE
from render.game.registry import game_of
from render.game.side_layout import SetLayouter
from render.layout.lay_out import validate
from render.layout.templates.lint import asked_names, texts_of, unreached_parts
from render.layout.templates.syntax import Syntax, WrongSyntax, path_of, read
from render.source.fields import HIGHEST
from render.source.nodes import span

Drawn = Sequence[tuple[DeclaredSet, SetLayouter]]
"""The sets of a game, with what lays each out."""


def lint_templates(sets: Sequence[GameSet]) -> Iterator[Diagnostic]:
    """Yield warnings about the templates of sets, and about the games of these, by the cards of all sets together."""
    of_game: dict[str, list[tuple[DeclaredSet, SetLayouter]]] = {}
    shown: dict[tuple[Path, str], list[GameCard]] = {}
    for card_set in sets:
        layouter, before = SetLayouter(card_set, validate), len(shown)
        names = dict.fromkeys(name for card in card_set.cards for name in card.own_templates)
        for name in names:
            for source in texts_of(layouter.templates, [name]):
                shown.setdefault(source, []).extend(card for card in card_set.cards if name in card.own_templates)
        if isinstance(card_set, DeclaredSet):
            of_game.setdefault(card_set.game_name, []).append((card_set, layouter))
        elif len(shown) > before:  # games in YAML are told of this in any case
            of_kinds = {card.kind.value: card for card in card_set.cards}.values()
            keys = {key for card in of_kinds for key in game_of(card).values(card, card_set, {}, 0)}
            yield from unreached_parts(layouter.templates, names, keys, {})
            yield from braces_in_texts(layouter.templates, card_set)
            yield from off_card(card_set)
    for (file, text), cards in shown.items():
        with suppress(WrongSyntax):  # told where it is drawn
            yield from _unfilled(file, read(text), cards)
    yield from _misspelt(
        [*shown], {key for some in shown.values() for key in game_of(some[0]).expression_values(some[0])}
    )
    for drawn in of_game.values():
        rules: GameRules = drawn[0][0].of_game.rules  # type: ignore[attr-defined] # a game in YAML
        yield from _unused_fields(rules, drawn)
        yield from _unused_icons(rules, drawn)
        for each in drawn:
            yield from _too_small(rules, *each)


def _warn(code: str, message: str, hint: str, place: Span, field: str = "") -> Diagnostic:
    return Diagnostic(code, message, hint, Severity.WARNING).at(place, field=field)


# --- what cards give, and templates show ------------------------------------------------------------------------------


def _unfilled(file: Path, syntax: Syntax, cards: Sequence[GameCard]) -> Iterator[Diagnostic]:
    """Yield the values that a template shows, without asking about them first, and that none of its cards gives."""
    tests = [each.test for each in syntax.every(nodes.If, nodes.CondExpr)]
    tests += [each.left for each in syntax.every(nodes.Or)]
    first = syntax.first | {path_of(each) for test in tests for each in (test, *test.find_all(nodes.Getattr))}
    values = [game_of(card).expression_values(one) for card in cards for one in (card, *card.faces)]
    pictures = {key.split(".")[-2 if key.endswith(".file") else -1] for card in cards for key in card.pictures}
    for name, at in sorted(syntax.parts("card").items()):
        found = {each[name] for each in values if name in each}
        if found and found <= {None, "", ()} and f"card.{name}" not in first and name not in pictures:
            message = f"the template `{file.stem}` has a place for `{name}`, which no card gives"
            hint = f"give it on a card, write `{{% if card.{name} %}}` around the place, or take that out"
            yield _warn("T018", message, hint, span(file, syntax.source, (at, at + len(name))))


_STYLE = regex(r"<style\b[^>]*>(.*?)</style", re.DOTALL)
_SELECTED = regex(r"([.#])([A-Za-z_][\w-]*)(?=[^{};]*\{)")
_NAMED = regex(r"""(?<=\s)(class|id)\s*=\s*(?:"([^"{}]*)"|'([^'{}]*)')""")

_SHORT = 3  # characters, with the sign: such names, and those with a number, are made by drawing programs


def _misspelt(files: Sequence[tuple[Path, str]], keys: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield classes and ids for which a style sheet has another spelling, and ids of texts that are nearly a card's key."""
    named, ruled = dict[str, Span](), dict[str, Span]()
    texts = dict[str, tuple[Span, str]]()
    for file, text in files:
        for style in _STYLE.finditer(text):
            for each in _SELECTED.finditer(style[1]):
                at = style.start(1) + each.start()
                ruled.setdefault(each[0], span(file, text, (at, at + len(each[0]))))
        for each in _NAMED.finditer(text):
            words, place = each[2] or each[3] or "", span(file, text, each.span(2 if each[2] else 3))
            sign = "#" if each[1] == "id" else "."
            named |= {f"{sign}{word}": place for word in words.split()}
            if sign == "#" and text[text.rfind("<", 0, each.start()) :].startswith("<text"):
                texts.setdefault(words, (place, text))
    for word, place in ruled.items():
        near = nearest_word(word, [each for each in named if each not in ruled and each[0] == word[0]])
        if word not in named and near and len(word) > _SHORT and not word[-1].isdigit():
            yield _warn("T020", f"the style `{word}` is that of no element", f"did you mean `{near}`?", place)
    for word, (place, text) in texts.items():
        near = nearest_word(word, [key for key in keys if f"#{key}" not in named and f"card.{key}" in text])
        if near and word not in keys:
            message = f"the text `{word}` has the id of no value of a card"
            yield _warn("T020", message, f"did you mean `{near}`?", place)


# --- what a game in YAML declares -------------------------------------------------------------------------------------


def _unused_fields(rules: GameRules, drawn: Drawn) -> Iterator[Diagnostic]:
    """Yield the fields that no template of a kind shows and nothing else uses, but for those of which a card is told."""
    cards = [card for card_set, _ in drawn for card in card_set.cards]
    used = {*used_fields(rules), *(name for card in cards for name, _ in given_fields(card))}
    names = [name for kind in rules.kinds for name in kind.templates or (kind.value,)]
    for _, layouter in drawn:
        asked = asked_names(layouter.templates, names)
        if asked is None:
            return
        used |= asked
    for name in (each.name for each in rules.fields if each.name not in used):
        place = rules.document.span(rules.node("fields", name) or rules.document.root)
        hint = f"print `{{{{ card.{name} }}}}` in a template, or remove it from `{GAME_FILE}`"
        yield _warn("M036", f"no template shows the field `{name}`, and nothing else uses it", hint, place, "fields")


def _unused_icons(rules: GameRules, drawn: Drawn) -> Iterator[Diagnostic]:
    """Yield the icons that stand in no text of a card or of the game, and in no template."""
    words, shown = {rules.document.text}, set[str]()
    for card_set, layouter in drawn:
        for card in card_set.cards:
            words |= {card.document.text, *(str(in_expressions(one)) for one in (card, *card.faces))}
        names = {name for card in card_set.cards for name in (*card.own_templates, card.back)}
        shown |= {text for _, text in texts_of(layouter.templates, sorted(names))}
    if any(re.search(r"<icon\b[^>]*href=[\"'][^\"']*\{", text) for text in shown):
        return  # a template works out which
    said = "\n".join((*words, *shown))
    for icon in rules.icons:
        sign = r"\{[0-9]+\}" if icon.name == "#" else re.escape(f"{{{icon.name}}}")
        if not re.search(sign, said) and not any(icon.file in text for text in shown):
            place = place_of_file(rules, ("icons", icon.name), icon.file)
            hint = f"write `{{{icon.name}}}` where it is meant, or remove it"
            message = f"no card and no template uses the icon `{icon.name}`"
            yield _warn("M037", message, hint, place, f"icons.{icon.name}")


_NO_ROOM = ("L001", "L002", "L010")


def _too_small(rules: GameRules, card_set: DeclaredSet, layouter: SetLayouter) -> Iterator[Diagnostic]:
    """Yield the longest words of choices, and the longest numbers of ranges, for which a template has no room."""
    first = {(card.kind, card.own_templates): card for card in reversed(card_set.cards)}
    derived, told = [*in_order(rules.fields)], set[tuple[str, str]]()
    for card in first.values():
        known = {each.message for each in layouter.noted(layouter.sides, card)[1]}
        for name, value, key in _longest(rules, card):
            values, _ = derive(derived, {**in_expressions(card), name: value}, card.kind)
            tried = replace(card, values=tuple((each, values[each]) for each, _ in card.values))
            found = (each for each in layouter.noted(layouter.sides, tried)[1] if each.code in _NO_ROOM)
            wrong = next((each for each in found if each.message not in known), None)
            if wrong and (name, card.template_name) not in told:
                told.add((name, card.template_name))
                message = f"template `{card.template_name}`: with `{name}: {value}`, {wrong.message}"
                hint = f"make its box larger, or change `{key}` of `{name}`"
                place = rules.document.span(rules.node("fields", name, key) or rules.document.root)
                yield _warn("T019", message, hint, place, f"fields.{name}")


def _longest(rules: GameRules, card: DeclaredCard) -> Iterator[tuple[str, FieldValue, str]]:
    """Yield the fields of a card with the longest that each may say, and the key of `game.yaml` that allows it."""
    texts: MappingOf[str, str] = dict(rules.words.in_language(card.language).texts)
    for each in rules.fields if not card.small else ():
        if each.name not in card.kind.fields:
            continue
        if each.choices:
            yield each.name, max(each.choices, key=lambda word: len(texts.get(word, word))), "choices"
        elif each.type is FieldType.NUMBER and each.limits != (0, HIGHEST):
            yield each.name, max(each.limits, key=lambda number: len(str(number))), "range"

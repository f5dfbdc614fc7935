"""What cards give and nothing shows, neither their templates nor anything that the game makes of its fields; and what
templates print that no card gives: braces that are no Jinja2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from render.base.findings import Finding, Problem, Severity, listed, quoted
from render.base.resources import TEMPLATES
from render.game.cards import is_picture, key_of_face, place_of_key
from render.game.declared.cards import DeclaredCard, DeclaredSet
from render.game.declared.reading.rules import DeclaredKind, GameRules
from render.game.folder import GAME_FILE
from render.game.home import home_folders
from render.layout.templates.asked_names import asked_names, texts_of
from render.layout.templates.mistakes.places import span_of
from render.layout.templates.mistakes.printed_braces import PrintedBraces, printed_braces
from render.layout.templates.template import Templates

_Shown = tuple[DeclaredKind, tuple[str, ...]]
"""Cards that have the same fields and the same templates."""


def unshown_fields(rules: GameRules, card_set: DeclaredSet) -> Iterator[Finding]:
    """Yield a warning for each field that cards of a kind give and nothing shows, at the first card that gives it."""
    used = _used(rules)
    given: dict[_Shown, dict[str, list[tuple[DeclaredCard, str]]]] = {}
    for card in card_set.cards:
        of_kind = given.setdefault((card.kind, card.own_templates), {})
        for name, key in _given(card):
            if name not in used:
                of_kind.setdefault(name, []).append((card, key))
    templates = _templates(rules, card_set)
    tried = {word for _, _, found in _printed_braces(rules, card_set) for word in re.findall(r"\w+", found.words)}
    for (_, names), fields in given.items():
        asked = asked_names(templates, names) if fields else None
        for name, places in fields.items() if asked is not None else ():
            if asked is not None and name not in asked and name not in tried:
                yield _finding(name, names, places)


def braces_in_texts(rules: GameRules, card_set: DeclaredSet) -> Iterator[Finding]:
    """Yield a warning for braces that templates of cards, backs and icons print as they stand."""
    as_elements = {
        f"{{{icon.name}}}": f'in a template, an icon is `<icon href="{icon.file}"/>`' for icon in rules.icons
    }
    for file, text, found in _printed_braces(rules, card_set):
        message = f"the template `{file.stem}` prints {quoted(found.words)} as it stands"
        problem = Problem("T015", message, as_elements.get(found.words, found.hint), severity=Severity.WARNING)
        yield problem.at(span_of(file, text, found.start, found.end))


def _printed_braces(rules: GameRules, card_set: DeclaredSet) -> Iterator[tuple[Path, str, PrintedBraces]]:
    """Yield the braces that the templates of a set print, each with its file and the text of that."""
    names = dict.fromkeys(name for card in card_set.cards for name in (*card.own_templates, card.back))
    icons = [icon.file.removesuffix(".svg") for icon in rules.icons]
    shown = [*(name for name in names if not is_picture(name)), *icons]
    for file, text in texts_of(_templates(rules, card_set), shown):
        for found in printed_braces(text):
            yield file, text, found


def _given(card: DeclaredCard) -> Iterator[tuple[str, str]]:
    """Yield the fields that a card gives, or a face of it, each once, with their keys as `place_of_key` has them."""
    seen = set[str]()
    for number, each in (None, card), *enumerate(card.small):
        aliases = dict(each.written_as)
        for name in ("art", *(name for name, _ in card.values)):
            if name not in seen and (each.node.get(name) or each.node.get(aliases.get(name, name))):
                seen.add(name)
                yield name, name if number is None else key_of_face(number, name)


def _used(rules: GameRules) -> frozenset[str]:
    """Return the fields that tables, the order, ids, derived fields or rules use."""
    expressions = [each.value for each in rules.fields]
    expressions += [rule.that for kind in rules.kinds for rule in kind.rules]
    words = re.findall(r"\w+", " ".join([*expressions, rules.id_template]))
    return frozenset({*rules.table, *rules.order, *words})


def _templates(rules: GameRules, card_set: DeclaredSet) -> Templates:
    folders = home_folders(card_set, rules.folder)
    return Templates([place for folder in folders for place in (folder / "templates", folder)], [TEMPLATES])


def _finding(name: str, templates: Sequence[str], places: Sequence[tuple[DeclaredCard, str]]) -> Finding:
    card, key = places[0]
    named = listed(templates, "and")
    which = f"the template {named} never shows" if len(templates) == 1 else f"the templates {named} never show"
    others = f", which {len(places)} cards give" if len(places) > 1 else ""
    out = (
        f"remove it from `{card.kind.value}` in `{GAME_FILE}`" if name in card.kind.required else f"leave `{name}` out"
    )
    hint = f"print `{{{{ card.{name} }}}}` in it, or {out}"
    problem = Problem("T014", f"{which} `{name}`{others}", hint, severity=Severity.WARNING)
    return problem.at(place_of_key(card, key), card.id, key)

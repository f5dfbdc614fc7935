"""What is wrong or doubtful about cards of a game in YAML: what its `check` and its decks find; what cards give and nothing
shows; what templates print that no card gives, braces that are no Jinja2, what they draw off the card; and icons that
draw nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from render.base.findings import Diagnostic, Finding, Problem, Refused, Severity, Span, listed, quoted
from render.base.geometry import Rect, Size
from render.base.patterns import regex
from render.base.resources import TEMPLATES
from render.game.cards import NO_BACK, DeckCard, GameSet, is_picture, key_of_face, place_of_key
from render.game.declared.card_reading import in_expressions
from render.game.declared.cards import DeclaredCard, DeclaredSet
from render.game.declared.own_files import NOT_LOOKED_AT, no_picture, place_of_file
from render.game.declared.reading.derived import held_values
from render.game.declared.reading.field_keys import FieldType, FieldValue
from render.game.declared.reading.file_keys import DeclaredIcon
from render.game.declared.reading.game_keys import ALSO_IN_TEMPLATES, IN_TEMPLATES
from render.game.declared.reading.game_rules import GameRules, GameWords
from render.game.declared.reading.kind_keys import DeclaredKind
from render.game.folder import GAME_FILE
from render.game.home import home_folders
from render.game.languages import missing_words
from render.game.protocol import ShownIcon
from render.game.side_layout import SetLayouter
from render.layout.bounds import may_show
from render.layout.drawable import EVERYWHERE
from render.layout.lay_out import Doubts, DrawnElement, lay_out_elements, lay_out_icon
from render.layout.template_walk import Pictures
from render.layout.templates.expressions import ExpressionFailed, ExpressionOverspent, evaluate, fill_in, names_in
from render.layout.templates.lint import asked_names, printed_braces, texts_of, unreached_parts
from render.layout.templates.template import Template, Templates
from render.scene.items import Scene
from render.source.nodes import Mapping, Node, Scalar, span
from render.source.nodes import Sequence as Nodes
from render.text.font_book import FontBook

Stopped = dict[tuple[str, str], list[tuple[DeclaredCard, ExpressionFailed]]]
"""The rules that stop, by kind and expression, with the cards for which they do."""


def lacking_words(rules: GameRules, card_set: DeclaredSet) -> Iterator[Diagnostic]:
    """Yield a warning for each card that says something in the set's own language alone."""
    for card in card_set.cards if card_set.foreign else ():
        each_of = [(None, card)] if not card.small else enumerate(card.small)
        lacking = [
            name if number is None else f"`{name}` of `{each.name}`"
            for number, each in each_of
            for name in _unsaid(rules, each)
        ]
        if lacking:
            yield missing_words("C025", card, card_set.language, lacking)


_MAX_TEXTS = 6  # of a game to name


def lacking_texts(rules: GameRules, languages: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield a warning for each of the languages in which the game lacks texts that it has in its own or in another one."""
    for language in languages:
        given = dict(dict(rules.words.languages).get(language, GameWords()).texts)
        printed = dict(rules.words.in_language(language).texts)
        lacking = [name for name, text in printed.items() if name not in given and any(map(str.isalpha, text))]
        if lacking:
            more = len(lacking) - _MAX_TEXTS
            names = (
                f"{', '.join(map(quoted, lacking[:_MAX_TEXTS]))} and {more} more"
                if more > 0
                else listed(lacking, "and")
            )
            message = f"the game has no {'text' if len(lacking) == 1 else 'texts'} for {names} in `{language}`"
            hint = f"add them below `words:`, `languages:`, `{language}:` and `texts:`; what is missing is printed as it is"
            ways = (("languages", language, "texts"), ("languages", language), ("languages",), ())
            node = next(node for way in ways if (node := rules.node("words", *way)))
            yield Diagnostic("C025", message, hint, Severity.WARNING).at(rules.document.span(node), field="words")


def _unsaid(rules: GameRules, card: DeclaredCard) -> Iterator[str]:
    """Yield the keys whose words a card has in the set's own language alone."""
    said, values = dict(card.said), {"name": card.name, **dict(card.values)}
    for name in ("name", *(each.name for each in rules.fields if each.needs_words and each.name in card.kind.fields)):
        if name not in said and any(map(str.isalpha, re.sub(r"\{[^{}]*\}", "", str(values[name])))):
            yield name


def findings_by_rules(rules: GameRules, cards: Iterable[DeclaredCard]) -> Iterator[Diagnostic]:
    """Yield the rules that do not hold for cards, each at the field that it names first; then the rules that stop.

    What stops is told once, at its place in the file of the game.
    """
    stopped: Stopped = {}
    for card in cards:
        yield from _of_card(card, stopped)
    yield from (_as_stopped(rules, *rule, failures) for rule, failures in stopped.items())


def _of_card(card: DeclaredCard, stopped: Stopped) -> Iterator[Diagnostic]:
    if not card.kind.rules:
        return
    for each in card.small:
        yield from _of_card(each, stopped)
    if card.small:
        return
    values = in_expressions(card)
    for rule in card.kind.rules:
        failures = stopped.get((card.kind.value, rule.that), [])
        # A rule that asks for too much takes a while, and is not tried for other cards.
        if failures and isinstance(failures[-1][1], ExpressionOverspent):
            continue
        try:
            holds = evaluate(rule.that, values)
            message, hint = ("", "") if holds else (_filled(rule.message, values), _filled(rule.hint, values))
        except ExpressionFailed as failed:
            stopped.setdefault((card.kind.value, rule.that), []).append((card, failed))
            continue
        if not holds:
            key = next((name for name in values if name in names_in(rule.that) and card.node.get(name)), "name")
            yield Diagnostic("M040", message, hint, rule.severity).at(place_of_key(card, key), card.id, key)


def _filled(text: str, values: dict[str, FieldValue]) -> str:
    """Return a text of a rule with what its expressions in `{{ }}` give; ExpressionFailed."""
    return " ".join(fill_in(text, values).split()) if "{" in text else text


def _as_stopped(
    rules: GameRules, kind: str, that: str, failures: Sequence[tuple[DeclaredCard, ExpressionFailed]]
) -> Diagnostic:
    """Return what is said of a rule that stops: why, and what the fields that it names are on the first card."""
    card, failed = failures[0]
    values = in_expressions(card)
    others = len({each.id for each, _ in failures} - {card.id})
    more = f"; it also stops for {others} other card{'s' * (others > 1)}" if others else ""
    hint = failed.hint or _guarded(that, values) or "change the rule so that it fits this card, too"
    problem = Diagnostic("M041", f"`{that}` stops for `{card.id}`{held_values(that, values)}: {failed}{more}", hint)
    return problem.at(rules.document.span(_node_of(rules, kind, that)), field="check")


def _guarded(that: str, values: dict[str, FieldValue]) -> str:
    """Return a hint on how to make a rule hold without the values that are missing; "" if none is."""
    missing = [name for name in values if name in names_in(that) and values[name] is None]
    asked = " or ".join(f"{name} is none" for name in missing)
    return f"write `{asked} or {f'({that})' if ' if ' in that else that}`, so that it holds without" if missing else ""


def _node_of(rules: GameRules, kind: str, that: str) -> Node:
    """Return the expression of a rule as it stands in the file."""
    node = rules.node("kinds", kind, "check")
    items = node.items if isinstance(node, Nodes) else (node,)
    said = (item.get("that") for item in items if isinstance(item, Mapping))
    found = (each for each in said if isinstance(each, Scalar) and each.value.strip() == that.strip())
    return next(found, node or rules.document.root)


def findings_of_deck(rules: GameRules, cards: Sequence[DeckCard[DeclaredCard]]) -> list[Diagnostic]:
    """Return what is wrong with the size of a deck, and with how often it has a card."""
    limits, size = rules.deck, sum(each.line.count for each in cards)
    found = list(_too_often(rules, cards))
    too_few = limits.least is not None and size < limits.least
    too_many = limits.most is not None and size > limits.most
    if cards and (too_few or too_many):
        most = f"at most {limits.most}" if too_many else f"at least {limits.least}"
        both = limits.least == limits.most
        wanted = f"{limits.least}" if both else most
        hint = (
            f"add {limits.least - size}"
            if too_few and limits.least is not None
            else f"remove {size - (limits.most or 0)}"
        )
        problem = Diagnostic("M042", f"a deck of {rules.name} has {wanted} cards, found {size}", hint)
        found.append(problem.at(cards[0].line.span, field="cards"))
    return found


def _too_often(rules: GameRules, cards: Sequence[DeckCard[DeclaredCard]]) -> Iterator[Diagnostic]:
    """Yield the cards that a deck has more often than their kind allows, or the game if the kind says nothing."""
    for each in cards:
        kind = each.card.kind
        most = rules.deck.copies if kind.copies is None else kind.copies
        if most is not None and each.line.count > most:
            what = "a card" if kind.copies is None else f"a {kind.value}"
            times = "once" if most == 1 else f"{most} times"
            message = f"a deck of {rules.name} has {what} at most {times}, found {each.line.count}"
            problem = Diagnostic("M043", message, f"write `{each.line.card}: {most}`")
            yield problem.at(each.line.span, each.card.id, "cards")


# --- what is shown ----------------------------------------------------------------------------------------------------


_Shown = tuple[DeclaredKind, tuple[str, ...]]
"""Cards that have the same fields and the same templates."""


def unshown_fields(rules: GameRules, card_set: DeclaredSet) -> Iterator[Finding]:
    """Yield a warning for each field that cards of a kind give and nothing shows, at the first card that gives it."""
    used = used_fields(rules)
    given: dict[_Shown, dict[str, list[tuple[DeclaredCard, str]]]] = {}
    for card in card_set.cards:
        of_kind = given.setdefault((card.kind, card.own_templates), {})
        for name, key in given_fields(card):
            if name not in used:
                of_kind.setdefault(name, []).append((card, key))
    templates = templates_of(rules, card_set)
    printed = _printed_braces(templates, card_set, rules.icons)
    tried = {word for _, _, (words, _, _) in printed for word in re.findall(r"\w+", words)}
    for (_, names), fields in given.items():
        asked = asked_names(templates, names) if fields else None
        for name, places in fields.items() if asked is not None else ():
            if asked is not None and name not in asked and name not in tried:
                yield _finding(name, names, places)


def braces_in_texts(templates: Templates, card_set: GameSet, icons: Sequence[DeclaredIcon] = ()) -> Iterator[Finding]:
    """Yield a warning for braces that templates of cards, backs and icons print as they stand."""
    as_elements = {f"{{{icon.name}}}": f'in a template, an icon is `<icon href="{icon.file}"/>`' for icon in icons}
    for file, text, (words, hint, place) in _printed_braces(templates, card_set, icons):
        message = f"the template `{file.stem}` prints {quoted(words)} as it stands"
        problem = Problem("T015", message, as_elements.get(words, hint), severity=Severity.WARNING)
        yield problem.at(span(file, text, place))


_OF_EVERY_CARD = ("id", "name", "kind", "copies", "art", *IN_TEMPLATES, *ALSO_IN_TEMPLATES)


def unreached(rules: GameRules, card_set: DeclaredSet) -> Iterator[Finding]:
    """Yield a warning for what templates of cards say in vain, or where no card of the set comes that way."""
    names = dict.fromkeys(name for card in card_set.cards for name in card.own_templates)
    keys = (*_OF_EVERY_CARD, *(each.name for each in rules.fields))
    words = {each.name: each.choices for each in rules.fields if each.choices or each.type is FieldType.NUMBER}
    words["kind"] = tuple(each.value for each in rules.kinds)
    yield from unreached_parts(templates_of(rules, card_set), names, keys, words)


_OF_NUMBERS = "#"
_VALUE = "an icon has a `value` only if it is the one for numbers, `#`: write the sign itself"
_TRIED = ("3", "12", "0")  # numbers for which an icon of numbers is drawn
_DRAWN = regex(r"<(?:\w+:)?(?:path|rect|circle|ellipse|line|polyline|polygon|text|image|use)\b")
_EMPTY, _BESIDE, _UNSEEN = (
    ("{} is empty", "draw it, or save it once more with a program for drawings"),
    (
        "all of {} lies outside of what its `viewBox` shows",
        "write a `viewBox` around the drawing: in Inkscape, choose Edit, Resize Page to Selection",
    ),
    (
        "nothing in {} is seen",
        "give it a size, a `fill` or a `stroke`, and nothing that hides it, such as `opacity` or `clip-path`",
    ),
)


def blank_icons(rules: GameRules, card_set: DeclaredSet) -> Iterator[Finding]:
    """Yield a warning for each icon that draws nothing in its line, and for what is wrong in the files of icons."""
    templates = templates_of(rules, card_set) if rules.icons else None
    for icon in rules.icons if templates else ():
        assert templates is not None
        try:
            found = _why_blank(templates, icon)
        except Refused as error:  # an error where a card shows it; a text that does so may still be written
            told = (each for each in error.findings if each.code != NOT_LOOKED_AT)
            yield from (replace(each, severity=Severity.WARNING) for each in told)
            continue
        if found:
            why, hint = found[0].format(f"`{icon.file}`"), found[1]
            problem = Problem("M035", f"the icon `{icon.name}` draws nothing: {why}", hint, Severity.WARNING)
            yield problem.at(place_of_file(rules, ("icons", icon.name), icon.file), field=f"icons.{icon.name}")


def _why_blank(templates: Templates, icon: DeclaredIcon) -> tuple[str, str] | None:
    """Return why an icon draws nothing, and what to do; None for one that draws. Refused if it cannot be drawn."""
    name = icon.file.removesuffix(".svg")
    texts = [re.sub("<!--.*?-->", "", text, flags=re.DOTALL) for _, text in texts_of(templates, [name])]
    if texts and not any(map(str.strip, texts)):
        return _EMPTY
    scenes = _drawn(templates, icon)
    if any(may_show(item, scene.size.rect) for scene in scenes for item in scene.items):
        return None
    if not any(map(_DRAWN.search, texts)):
        return _EMPTY
    if any(may_show(item, EVERYWHERE) for scene in scenes for item in scene.items):
        return _BESIDE
    asks = icon.name != _OF_NUMBERS and any(re.search(r"\{\{[^}]*\bvalue\b", text) for text in texts)
    return (_UNSEEN[0], _VALUE) if asks else _UNSEEN


def _drawn(templates: Templates, icon: DeclaredIcon) -> list[Scene]:
    """Return what an icon draws by itself, that of numbers with some of them; Refused."""
    words = "{#}" if icon.name == _OF_NUMBERS else f"{{{icon.name}}}"
    shown = [{"value": number, "words": words, "color": "#000000"} for number in (_TRIED if words == "{#}" else ("",))]
    return [lay_out_icon(templates.get(icon.file.removesuffix(".svg")), each, no_picture) for each in shown]


def shown_icons(rules: GameRules, card_set: DeclaredSet) -> Iterator[ShownIcon]:
    """Yield the icons of the game by themselves."""
    templates = templates_of(rules, card_set) if rules.icons else None
    for icon in rules.icons if templates else ():
        assert templates is not None
        with suppress(Refused):
            told = re.sub(r"[-_]+", " ", Path(icon.file).stem)
            place = place_of_file(rules, ("icons", icon.name), icon.file)
            yield ShownIcon(icon.name, f"{{{icon.name}}}", told, place, _drawn(templates, icon)[0])


def _printed_braces(
    templates: Templates, card_set: GameSet, icons: Sequence[DeclaredIcon]
) -> Iterator[tuple[Path, str, tuple[str, str, tuple[int, int]]]]:
    """Yield the braces that the templates of a set print, each with its file and the text of that."""
    names = dict.fromkeys(name for card in card_set.cards for name in (*card.own_templates, card.back))
    shown = [*(name for name in names if not is_picture(name)), *(icon.file.removesuffix(".svg") for icon in icons)]
    for file, text in texts_of(templates, shown):
        for found in printed_braces(text):
            yield file, text, found


def given_fields(card: DeclaredCard) -> Iterator[tuple[str, str]]:
    """Yield the fields that a card gives, or a face of it, each once, with their keys as `place_of_key` has them."""
    seen = set[str]()
    for number, each in (None, card), *enumerate(card.small):
        aliases, keys = dict(each.written_as), {key.value for key, _ in each.node.entries}
        for name in ("art", *(name for name, _ in card.values)):
            if name not in seen and (name in keys or aliases.get(name) in keys):
                seen.add(name)
                yield name, name if number is None else key_of_face(number, name)


def used_fields(rules: GameRules) -> frozenset[str]:
    """Return the fields that tables, the order, ids, derived fields or rules use."""
    expressions = [each.value for each in rules.fields]
    expressions += [rule.that for kind in rules.kinds for rule in kind.rules]
    words = re.findall(r"\w+", " ".join([*expressions, rules.id_template]))
    return frozenset({*rules.table, *rules.order, *words})


def templates_of(rules: GameRules, card_set: DeclaredSet) -> Templates:
    folders = home_folders(card_set, rules.folder)
    places = [place for folder in folders for place in (folder / "templates", folder)]
    return Templates(places, [TEMPLATES], fonts=FontBook(folders, rules.fonts, card_set.language))


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


# --- what lies off the card -------------------------------------------------------------------------------------------


_SIDES_TRIED = (
    8  # sides of a template on which such elements are looked for; all others only tell what is seen after all
)


def off_card(card_set: GameSet) -> Iterator[Diagnostic]:
    """Yield a warning for each element of the set's own templates that no card shows though it draws it."""
    look = _Look()
    layouter = SetLayouter(card_set, look.lay_out)
    sides: dict[str, list[Callable[[], Scene]]] = {}
    for card in card_set.cards:
        for face, name in enumerate(card.own_templates):
            sides.setdefault(name, []).append(partial(layouter.side, card, face))
        if not card.has_own_back and card.back != NO_BACK and not is_picture(card.back):
            sides.setdefault(card.back, [partial(layouter.laid_out_back, card)])
    for name, some in sides.items():
        for element in look.at(some):
            where = _where(element.box, look.size)
            message = f"template `{name}`: `{element.name}` lies wholly off the card, {where}: nobody sees it"
            hint = f"move it onto the card, which is {look.size}, or remove it"
            yield Diagnostic("T017", message, hint, Severity.WARNING).at(element.place)


def _where(box: Rect, card: Size) -> str:
    """Return on which side of a card a box lies, and how far away."""
    sides = {
        "below it": box.y - card.height,
        "above it": -box.bottom,
        "to the right of it": box.x - card.width,
        "to the left of it": -box.right,
    }
    side = max(sides, key=lambda each: sides[each])
    return f"{sides[side]:.0f} mm {side}"


class _Look:
    """Looks for elements off the card, as what lays out sides."""

    def __init__(self) -> None:
        self.size = Size(0.0, 0.0)  # of the face that was laid out last, in mm
        self._for_those_in_sight = False
        self._off: MappingOf[Span, DrawnElement] = {}
        self._on: frozenset[Span] = frozenset()

    def at(self, sides: Sequence[Callable[[], Scene]]) -> Sequence[DrawnElement]:
        """Return the elements that these sides of one template draw, and none of them shows."""
        found: dict[Span, DrawnElement] = {}
        self._for_those_in_sight = False
        for _ in self._laid_out(sides[:: -(-len(sides) // _SIDES_TRIED)]):
            found |= self._off
        self._for_those_in_sight = True
        for _ in self._laid_out(sides if found else ()):
            found = {place: each for place, each in found.items() if place not in self._on}
        return [*found.values()]

    def _laid_out(self, sides: Sequence[Callable[[], Scene]]) -> Iterator[Scene]:
        for side in sides:
            with suppress(Refused):  # which is told as an error
                yield side()

    def lay_out(
        self, template: Template, values: MappingOf[str, object], pictures: Pictures, doubts: Doubts = None
    ) -> Scene:
        """Lay out a face as `SetLayouter` asks for it, and remember what lies off it."""
        del doubts  # told as warnings already
        scene, off, self._on = lay_out_elements(template, values, pictures, in_sight=self._for_those_in_sight)
        self.size = scene.size
        self._off = {each.place: each for each in off}
        return scene

"""Write the rules of an edition as a data file, or begin the one of the next; `editions/README.md` describes the format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec.structs import replace

from render.games.kotc.editions.edition_keys import GRAMMAR, KIND, ROLES
from render.games.kotc.editions.reading import usual_grammar
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import (
    Component,
    Edition,
    Grammar,
    LevelRules,
    NewKind,
    Revision,
    Rounding,
    UnknownWords,
)

MEASURE_OF = {role: measure or "level" for role, measure in ROLES.values()}


def write_edition(edition: Edition, missing: frozenset[str] = frozenset()) -> str:
    """Return the text of an edition's data file; reading it gives the same edition.

    `missing` are required keys whose values are not known, as `terms.minion`: they are left out, for a person to fill in,
    and until then the file cannot be used.
    """
    return "".join(f"{line}\n" for line in _lines(edition, missing))


def _lines(edition: Edition, missing: frozenset[str]) -> Iterator[str]:
    terms, deck, levels = edition.terms, edition.deck, edition.levels
    yield f"# Rules of the {ordinal(edition.number)} Edition of Keeper of the Cards."
    yield ""
    yield f"edition: {edition.number}"
    words = {"minion": terms.minion, "sp": terms.sp, "hp": terms.hp, "level": terms.level}
    yield from _inner("terms", words, missing)
    yield from _inner("grammar", _written_grammar(edition), missing)
    if edition.clean_slate is not None:
        yield f"clean_slate: {edition.clean_slate}"
    size = f"{deck.least}" if deck.least == deck.most else f"{deck.least}-{deck.most}"
    most = {} if deck.ultra_points is None else {"ultra_points": f"{deck.ultra_points}"}
    yield from _inner("deck", {"cards": size} | most, missing)
    if levels is not None:
        yield "levels:"
        yield from (f"  {key}: {value}" for key, value in level_values(levels).items())
    yield from _list("kinds", (f"- {{{', '.join(kind_values(each))}}}" for each in edition.kinds))
    reworded = (f"- old: {_quoted(each.old)}\n  new: {_quoted(each.new)}" for each in edition.rewordings)
    yield from _list("reworded", reworded)
    yield from _list("redacted", (f"- {_quoted(text)}" for text in edition.redacted))
    yield from _list("revised_levels", map(_revision, edition.revisions))
    yield from _list("revised_ultra_points", map(_revision, edition.ultra_revisions))
    for key, (role, _) in ROLES.items():
        yield from _list(key, (_component(each) for each in edition.components if each.role is role))
    if edition.unknown:
        yield ""
        yield "# What was not understood: write into its list what it says, then remove it here."
        yield from list(_list("unknown", map(_unknown, edition.unknown)))[1:]


def _inner(name: str, values: dict[str, str], missing: frozenset[str]) -> Iterator[str]:
    """Yield a key with its inner keys in one line, without those that are missing; nothing if all are."""
    given = [f"{key}: {value}" for key, value in values.items() if f"{name}.{key}" not in missing]
    if given:
        yield f"{name}: {{{', '.join(given)}}}"


def _written_grammar(edition: Edition) -> dict[str, str]:
    """Return what the grammar of an edition says otherwise; all of it if it would be another one without."""
    other = {key: value for key, value in grammar_values(edition.grammar).items() if value != _USUAL[key]}
    return other if other or usual_grammar(edition.number) == edition.grammar else grammar_values(edition.grammar)


def grammar_values(grammar: Grammar) -> dict[str, str]:
    """Return the keys of a grammar with their values as written."""
    values = {key: getattr(grammar, key) for key in GRAMMAR.names}
    return {key: value.value if isinstance(value, Enum) else str(value).lower() for key, value in values.items()}


_USUAL = grammar_values(Grammar())


def level_values(levels: LevelRules) -> dict[str, str]:
    """Return the keys of `levels` that differ from what holds without them, with their values as written."""
    values = {"hp_share": f"{levels.hp_share}"}
    if levels.rounding is not Rounding.ABILITY:
        values["round"] = levels.rounding.value
    if levels.least_of_minion:
        values["least_of_minion"] = f"{levels.least_of_minion}"
    values["least_of_minion_ability"] = f"{levels.least_of_minion_ability}"
    values["least_of_spell_ability"] = f"{levels.least_of_spell_ability}"
    return {key: value for key, value in values.items() if key not in levels.missing}


def kind_values(kind: NewKind) -> list[str]:
    """Return the keys and values of a new kind of card, as its data file has them: `hp_share: 1/3`."""
    usual = NewKind(name="")
    values = {key: getattr(kind, key) for key in KIND.names if getattr(kind, key) != getattr(usual, key)}
    return [f"{key}: {value.value if isinstance(value, Enum) else value}" for key, value in values.items()]


def _list(key: str, entries: Iterable[str]) -> Iterator[str]:
    lines = list(entries)
    if lines:
        yield from ("", f"{key}:", *lines)


def _revision(revision: Revision) -> str:
    return f"- {{text: {_quoted(revision.text)}, edition: {revision.edition}}}"


def _component(component: Component) -> str:
    return f"- {{{', '.join([f'text: {_quoted(component.text)}', *figures_of(component)])}}}"


def figures_of(component: Component) -> list[str]:
    """Return the keys and values of a component besides its text, as its data file has them: `level: x/2`."""
    parts = []
    if component.level is not None:
        parts.append(f"{MEASURE_OF[component.role]}: {component.level}")
    if component.factor is not None:
        parts.append(f"a: {component.factor}")
    if component.ultra_points:
        parts.append(f"ultra_points: {component.ultra_points}")
    if component.limits:
        parts.append(f"limits: {{{', '.join(f'{variable}: {most}' for variable, most in component.limits)}}}")
    return parts


def _unknown(unknown: UnknownWords) -> str:
    kind = f", kind: {_quoted(unknown.kind)}" if unknown.kind else ""
    return f"- {{section: {unknown.section}, line: {unknown.line}, words: {_quoted(unknown.words)}{kind}}}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_TO_DO = """\
# Begun from the {old} Edition: nothing of the {new} is known yet. Go through both pages of the game and change below
#
#   grammar                if cards are written otherwise: its keys are in editions/README.md
#   clean_slate            if the rulebook names another edition
#   deck                   the number of cards and of Ultra Points
#   levels                 the share of the HP, and the least levels
#   kinds                  kinds of card beside minions and spells
#   reworded               the table of the new rulebook, as a whole
#   redacted, revised_...  its lists, as a whole
#   conditions to effects  texts and formulas that came, went or changed
#
# or let `kotc edition import` write this file. Then remove this comment; `kotc edition diff {old_number} {new_number}`
# shows what you changed.
"""


def begin_edition(last: Edition, number: int) -> str:
    """Return the text of a data file with the rules of `last` under another number, and what to fill in."""
    text = write_edition(replace(last, number=number))
    title, _, rest = text.partition("\n")
    to_do = _TO_DO.format(old=ordinal(last.number), new=ordinal(number), old_number=last.number, new_number=number)
    return f"{title}\n#\n{to_do}{rest}"

"""Write the rules of an edition as a data file, or begin the one of the next; `editions/README.md` describes the format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec.structs import replace

from render.games.kotc.editions.reading import (
    COMPONENTS,
    GRAMMAR,
    KIND,
    LEVELS,
    NEEDED_LEVELS,
    PIECE,
    REVISION,
    TERMS,
    TEXT,
    UNKNOWN,
    usual_grammar,
)
from render.games.kotc.model.cards import ordinal
from render.games.kotc.model.edition import Component, Edition, Grammar, LevelRules, NewKind
from render.source.key_tables import KeyTable


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
    yield from _inner("terms", _given(TERMS, terms), missing)
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
    yield from _list("revised_levels", _entries(REVISION, edition.revisions))
    yield from _list("revised_ultra_points", _entries(REVISION, edition.ultra_revisions))
    for role, table in COMPONENTS.items():
        yield from _list(role.plural, _entries(table, (each for each in edition.components if each.role is role)))
    if edition.unknown:
        yield ""
        yield "# What was not understood: write into its list what it says, then remove it here."
        yield from list(_list("unknown", _entries(UNKNOWN, edition.unknown)))[1:]


def _inner(name: str, values: dict[str, str], missing: frozenset[str]) -> Iterator[str]:
    """Yield a key with its inner keys in one line, without those that are missing; nothing if all are."""
    given = _pairs({key: value for key, value in values.items() if f"{name}.{key}" not in missing})
    if given:
        yield f"{name}: {{{', '.join(given)}}}"


def _written_grammar(edition: Edition) -> dict[str, str]:
    """Return what the grammar of an edition says otherwise; all of it if it would be another one without."""
    other = _given(GRAMMAR, edition.grammar)
    return other if other or usual_grammar(edition.number) == edition.grammar else grammar_values(edition.grammar)


def grammar_values(grammar: Grammar) -> dict[str, str]:
    """Return the keys of a grammar with their values as written."""
    return {key: _written(getattr(grammar, key)) for key in GRAMMAR.names}


def level_values(levels: LevelRules) -> dict[str, str]:
    """Return the keys of `levels` that differ from what holds without them, with their values as written."""
    needed = {key: str(getattr(levels, key)) for key in NEEDED_LEVELS}
    values = needed | _given(LEVELS, levels)
    return {key: values[key] for key in LEVELS.names if key in values and key not in levels.missing}


def kind_values(kind: NewKind) -> list[str]:
    """Return the keys and values of a new kind of card, as its data file has them: `hp_share: 1/3`."""
    return _pairs(_given(KIND, kind))


def figures_of(component: Component) -> list[str]:
    """Return the keys and values of a component besides its text, as its data file has them: `level: x/2`."""
    return _pairs(_given(COMPONENTS[component.role], component))[1:]


def _given(table: KeyTable, entry: object) -> dict[str, str]:
    """Return what an entry has otherwise than one of which the file says no more than it must."""
    values = [(key, getattr(entry, key.attribute or key.name)) for key in table.keys]
    return {
        key.name: _quoted(value) if key.value in (TEXT, PIECE) else _written(value)
        for key, value in values
        if value is not None and (key.needed or value != key.default)
    }


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return f"{{{', '.join(f'{name}: {number}' for name, number in value)}}}"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.value if isinstance(value, Enum) else value)


def _pairs(values: dict[str, str]) -> list[str]:
    return [f"{key}: {value}" for key, value in values.items()]


def _entries(table: KeyTable, entries: Iterable[object]) -> Iterator[str]:
    return (f"- {{{', '.join(_pairs(_given(table, each)))}}}" for each in entries)


def _list(key: str, entries: Iterable[str]) -> Iterator[str]:
    lines = list(entries)
    if lines:
        yield from ("", f"{key}:", *lines)


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

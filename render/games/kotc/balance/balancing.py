"""Figures as text for people, as JSON for programs, and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from render.base.findings import plural, printable
from render.game.derivations import ShownFigures
from render.game.figures import as_odds, exact, expected, percent, share
from render.games.kotc.balance.figures import Figures
from render.games.kotc.model.cards import ordinal

_LONGEST_BAR = 40  # marks: with the numbers before it, a line keeps within 80 columns


def shown(each: Figures) -> ShownFigures:
    """Return the figures for people and for programs: as text a table of at most 80 columns."""
    return ShownFigures("\n".join(map(printable, _lines(each))), _value(each), _shown(each))


# --- text -----------------------------------------------------------------------------------------------------------


def _lines(each: Figures) -> Iterator[str]:
    yield f"{each.name}: {_heading(each)}"
    if not each.size:
        return
    level = _level_word(each)
    yield ""
    yield f"{level:<7} {_minion_word(each)}s  spells"
    widest = max(one.minions + one.spells for one in each.curve)
    scale = max(1, ceil(widest / _LONGEST_BAR))  # cards for each mark
    width = len(_minion_word(each)) + 1
    for one in each.curve:
        bar = "#" * ceil(one.minions / scale) + "+" * ceil(one.spells / scale)
        yield f"{one.level:<7} {one.minions or '':>{width}}  {one.spells or '':>6}  {bar}".rstrip()
    if each.counters:
        yield ""
        yield f"counters: {', '.join(f'{name} ({count})' for name, count in each.counters)}"
    yield ""
    yield f"opening hand of {each.hand} cards"
    for drawn, odds in enumerate(each.hand_of):
        yield f"  {plural(drawn, _minion_word(each)):<28} {percent(odds):>7}"
    for most, odds in each.early:
        yield f"  {f'a card up to {level} {most}':<28} {percent(odds):>7}"


def _heading(each: Figures) -> str:
    if not each.size:
        return "no cards that are played"
    parts = [
        f"{each.size} cards" if each.size != 1 else "1 card",
        plural(each.minions, _minion_word(each)),
        plural(each.spells, "spell"),
        f"{_level_word(each)} {float(each.mean_level):.2f} on average",
    ]
    if not each.of_creatures:
        most = f" of {each.most_ultra_points}" if each.is_deck and each.most_ultra_points is not None else ""
        parts.append(f"{each.ultra_points}{most} Ultra Point{'' if each.ultra_points == 1 and not most else 's'}")
    return ", ".join(parts)


def _minion_word(each: Figures) -> str:
    return "creature" if each.of_creatures else "minion"


def _level_word(each: Figures) -> str:
    return "cost" if each.of_creatures else "level"


# --- JSON -----------------------------------------------------------------------------------------------------------


def _value(each: Figures) -> dict[str, object]:
    return {
        "name": each.name,
        "deck": each.is_deck,
        "edition": each.edition,
        "cards": each.size,
        "minions": each.minions,
        "spells": each.spells,
        "mean_level": exact(each.mean_level),
        "ultra_points": each.ultra_points,
        "most_ultra_points": each.most_ultra_points,
        "curve": [{"level": one.level, "minions": one.minions, "spells": one.spells} for one in each.curve],
        "counters": [{"name": name, "cards": count} for name, count in each.counters],
        "hand": {
            "cards": each.hand,
            "mean_minions": exact(expected(each.size, each.minions, each.hand)),
            "minions": [{"minions": drawn, **as_odds(odds)} for drawn, odds in enumerate(each.hand_of)],
            "up_to_level": [{"level": level, **as_odds(odds)} for level, odds in each.early],
            "card": [
                {"id": one.card.id, **as_odds(odds)} for one, (_, odds) in zip(each.cards, each.drawn, strict=True)
            ],
        },
    }


# --- page -----------------------------------------------------------------------------------------------------------


def _shown(each: Figures) -> dict[str, object]:
    widest = max((one.minions + one.spells for one in each.curve), default=1)
    edition = f", {ordinal(each.edition)} Edition" if each.edition else ""
    return {
        "name": each.name,
        "about": f"{_heading(each)}{edition}",
        "minion": _minion_word(each),
        "level": _level_word(each),
        "hand": each.hand,
        "curve": [
            {
                "level": one.level,
                "minions": one.minions,
                "spells": one.spells,
                "minion_width": share(Fraction(one.minions, widest)),
                "spell_width": share(Fraction(one.spells, widest)),
            }
            for one in each.curve
        ],
        "tables": (),
        "counters": [{"name": name, "count": count} for name, count in each.counters],
        "minions": [{"count": drawn, **_bar(odds)} for drawn, odds in enumerate(each.hand_of)],
        "early": [{"level": level, **_bar(odds)} for level, odds in each.early],
        "cards": [
            {"name": name, "copies": one.count, "level": one.card.level, **_bar(odds)}
            for one, (name, odds) in zip(each.cards, each.drawn, strict=True)
        ],
    }


def _bar(odds: Fraction) -> dict[str, str]:
    return {"percent": percent(odds), "width": share(odds)}

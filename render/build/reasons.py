"""Why outputs are stale, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from render.build.state.keys import CARDS, ORDER, TEMPLATES
from render.build.state.manifest import Key

NEW = "new"
FORCED = "--force"
MISSING = "file is missing"
BY_HAND = "file was changed by hand"

_NESTED = (CARDS, TEMPLATES)
_MAX_NAMED = 3  # cards to name; more are counted


def differences(before: Key, now: Key) -> str:
    """Return how two keys differ: `text and level changed`, `thor changed, odin is new`."""
    if before == now:
        return ""
    parts = [name for name in {**now, **before} if name not in _NESTED and before.get(name) != now.get(name)]
    cards = list(_of_cards(before.get(CARDS, {}), now.get(CARDS, {})))
    # Cards that come and go change the order, too: that says nothing more.
    if cards:
        parts = [part for part in parts if part != ORDER]
    known = before.get(TEMPLATES, {})
    if any(known.get(name, digest) != digest for name, digest in now.get(TEMPLATES, {}).items()):
        parts.append("template")
    if not cards and not parts:
        parts = ["template"]  # a template was added or removed
    return ", ".join([*cards, *([f"{_and(parts)} changed"] if parts else [])])


def _of_cards(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yield which cards changed, are new or are gone."""
    for word, ids in (
        ("changed", [name for name in now if name in before and now[name] != before[name]]),
        ("new", [name for name in now if name not in before]),
        ("gone", [name for name in before if name not in now]),
    ):
        if ids:
            yield f"{_and(ids) if len(ids) <= _MAX_NAMED else f'{len(ids)} cards'} {word}"


def _and(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def explained(stale: Iterable[tuple[str, str, str]], counts: Mapping[str, int]) -> Iterator[str]:
    """Yield lines for outputs, each given as kind (`PNG`), name and reason.

    Outputs of a kind that are stale for the same reason share a line, if they are all of that kind (`counts`) or many.
    """
    by_reason = sorted(stale, key=lambda one: (one[0], one[2]))  # groupby groups neighbors only
    for (kind, reason), group in groupby(by_reason, key=lambda one: (one[0], one[2])):
        names = [name for _, name, _ in group]
        if len(names) == counts[kind] and len(names) > 1:
            yield f"all {kind}: {reason}"
        elif len(names) > _MAX_NAMED:
            yield f"{len(names)} {kind}, such as {names[0]}: {reason}"
        else:
            yield from (f"{name}: {reason}" for name in names)

"""What may be given to options: papers, printers, shops and so on, to be listed and to be completed by a shell.

What belongs to a game comes from its package `commands`, as its commands do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module

LISTED: Mapping[str, str] = {
    "--paper": "papers",
    "--card-size": "card sizes",
    "--printer": "printers",
    "--standard": "standards",
    "--as": "standards and shops",
    "--shop": "shops",
    "--edition": "editions",
    "--language": "languages",
    "--blank": "kinds",
    "--game": "games",
}
"""The options whose values can be listed, and what these are."""


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A value that an option may have, and what it means, which may be nothing."""

    value: str
    words: str = ""


def choices(thing: str) -> tuple[KnownValue, ...]:
    """Return all of a kind of thing, such as `papers`; none of a kind that no game has."""
    own = _OWN.get(thing)
    return tuple(own() if own else _of_games(thing))


def as_lists(things: Mapping[str, str]) -> str:
    """Return lists of things as text; each is headed by its name and by how it is given, such as `--paper`."""
    return "\n\n".join(_as_list(thing, choices(thing), given) for thing, given in things.items())


def _as_list(thing: str, found: Iterable[KnownValue], given: str) -> str:
    rows = list(found)
    widest = max((len(each.value) for each in rows), default=0)
    lines = [f"  {each.value:{widest}}  {each.words}".rstrip() for each in rows] or [_NONE.get(thing, "  none")]
    return "\n".join([f"{thing}{f' ({given})' if given else ''}:", *lines])


_NONE = {"printers": "  none yet; `kotc calibrate` measures yours"}


def _papers() -> Iterable[KnownValue]:
    from render.base.sizes import PAPERS

    return (KnownValue(name, f"{size.width:g} x {size.height:g} mm") for name, size in PAPERS.items())


def _card_sizes() -> Iterable[KnownValue]:
    from render.base.sizes import CARDS

    return (KnownValue(name, f"{size.width:g} x {size.height:g} mm") for name, size in CARDS.items())


def _printers() -> Iterable[KnownValue]:
    from render.sheets.calibration.printers import calibrations

    for one in calibrations():
        paper = f"{one.paper.width:g} x {one.paper.height:g} mm"
        yield KnownValue(one.printer, f"{paper}, {one.flip.value}, {'confirmed' if one.confirmed else 'not confirmed'}")


def _standards() -> Iterable[KnownValue]:
    from render.pdf.standards import STANDARDS

    return (KnownValue(name, each.title) for name, each in STANDARDS.items())


def _sheet_standards() -> Iterable[KnownValue]:
    from render.pdf.standards import A_2B

    return (each for each in _standards() if each.value != A_2B.name)  # an archive, for no press


def _shops() -> Iterable[KnownValue]:
    from render.shops.profiles import shops

    return (KnownValue(name, each.title) for name, each in shops().items())


def _games() -> Iterable[KnownValue]:
    from render.game import registry

    return (KnownValue(each.name, "the default" if each.name == registry.DEFAULT else "") for each in registry.games())


def _kinds() -> Iterable[KnownValue]:
    from render.game import registry

    games = list(registry.games())
    return (KnownValue(kind, f"of {each.name}" if len(games) > 1 else "") for each in games for kind in each.kinds)


def _of_games(thing: str) -> Iterable[KnownValue]:
    from render.game import registry

    for where in registry.choices(thing):
        module, _, name = where.partition(":")
        yield from (KnownValue(*each) for each in getattr(import_module(module), name)())


_OWN: Mapping[str, Callable[[], Iterable[KnownValue]]] = {
    "papers": _papers,
    "card sizes": _card_sizes,
    "printers": _printers,
    "standards": _sheet_standards,
    "standards and shops": lambda: (*_standards(), *_shops()),
    "shops": _shops,
    "games": _games,
    "kinds": _kinds,
}

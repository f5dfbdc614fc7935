"""Commands as people meet them: help with examples, `--quiet`, and `--list` of what options may be."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import click

from render.cli.console import QUIET
from render.cli.terminal.listing import list_option
from render.cli.terminal.wrong_usage import ranges_in_words

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


# --- Commands as people meet them: help with examples, `--quiet`, and `--list` ---


class KotcCommand(click.Command):
    """A command with `examples`, which its help shows before its options; each is a line that works as it is typed.

    It has `--quiet`, and `--list` if the values of an option can be listed.
    """

    def __init__(self, *arguments: object, examples: Sequence[str] = (), **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type] # what click gives
        self.examples = tuple(examples)
        flags = {flag for each in self.params for flag in each.opts}
        if "--list" not in flags and any(flag in LISTED for flag in flags):
            list_option(_show_choices, "List what the options of this command may be, and exit.")(self)
        if "--quiet" not in flags:
            self.params.append(_quiet_option())
        for each in self.params:
            if isinstance(each.type, click.IntRange | click.FloatRange) and isinstance(each, click.Option):
                each.metavar = each.metavar or "N"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command line, those that begin with `~/` as paths in the user's home folder."""
        return super().parse_args(ctx, [_from_home(each) for each in args])

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, with ranges of numbers in words."""
        return ranges_in_words(super().get_help(ctx))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, and examples."""
        super().format_help_text(ctx, formatter)
        write_examples(self.examples, formatter)


def _from_home(word: str) -> str:
    """Return a path such as `~/cards`, which shells leave as it is in quotes and behind `--out=`, as it is meant."""
    flag, equals, path = word.partition("=") if word.startswith("--") else ("", "", word)
    if not path.startswith("~/") or os.path.lexists(path):
        return word
    return f"{flag}{equals}{os.path.expanduser(path)}"  # noqa: PTH111 - a path may be no path, but words of a card


class KotcGroup(click.Group):
    """A group of commands of this kind, with whole lines about each in its help."""

    command_class = KotcCommand

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with the first sentence about each, which may take several lines."""
        rows = [(name, each.get_short_help_str(limit=1000)) for name, each in sorted(self.commands.items())]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    """Write lines to type; they are not broken, so that they can be copied."""
    if examples:
        with formatter.section("Examples"):
            for line in examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def _quiet_option() -> click.Option:
    return click.Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_hush,
        help="Print only errors and results; no progress.",
    )


def _hush(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.meta[QUIET] = True


def _show_choices(context: click.Context) -> None:

    things: dict[str, str] = {}
    for flag in (flag for each in context.command.params for flag in each.opts if flag in LISTED):
        things.setdefault(LISTED[flag], flag)
    click.echo(as_lists(things))


kotc_command = partial(click.command, cls=KotcCommand)
"""Return the decorator of a command, given its `examples`."""

"""Commands as people meet them: help with examples, `--quiet`, `--list`, and what is said of wrong usage."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import click

from render.base.findings import listed, nearest_word, quoted
from render.base.patterns import regex
from render.cli.console import QUIET, TIMED, reporting, show_wrong_usage, watching

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

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def list_option(show: Callable[[click.Context], object], words: str) -> Callable[[Decorated], Decorated]:
    """Return the decorator that adds `--list`, which calls `show` and ends the command; `words` are its help."""

    def listing(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            show(context)
            context.exit()

    # It is shown even if the rest of the line is wrong.
    return click.option("--list", is_flag=True, expose_value=False, is_eager=True, callback=listing, help=words)


def in_words(text: str) -> str:
    """Return a help text with `1 to 999` where click writes `1<=x<=999`."""
    return re.sub(r"\b(\d+)<=x<=(\d+)\b", r"\1 to \2", text)


class KotcCommand(click.Command):
    """A command with `examples`, which its help shows before its options; each is a line that works as it is typed.

    It has `--quiet`, `--list` if the values of an option can be listed, and `--timings` if it `is_timed`. Errors become
    messages and exit statuses.
    """

    def __init__(
        self, *arguments: object, examples: Sequence[str] = (), is_timed: bool = False, **named: object
    ) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type] # what click gives
        self.examples = tuple(examples)
        flags = {flag for each in self.params for flag in each.opts}
        if "--list" not in flags and any(flag in LISTED for flag in flags):
            list_option(_show_choices, "List what the options of this command may be, and exit.")(self)
        if is_timed:
            _noted(TIMED, "--timings", words="At the end, print how long each stage of the work took.")(self)
        if "--quiet" not in flags:
            _noted(QUIET, "-q", "--quiet", words="Print only errors and results; no progress.")(self)
        for each in self.params:
            if isinstance(each.type, click.IntRange | click.FloatRange) and isinstance(each, click.Option):
                each.metavar = each.metavar or "N"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command line, those that begin with `~/` as paths in the user's home folder."""
        for at, word in enumerate(args):  # shells leave `~/cards` as it is in quotes and behind `--out=`
            flag, equals, path = word.partition("=") if word.startswith("--") else ("", "", word)
            if path.startswith("~/") and not os.path.lexists(path):
                home = os.path.expanduser("~")  # noqa: PTH111 - the word may be no path, but words of a card
                args[at] = f"{flag}{equals}{home}{path[1:]}"
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with watching(ctx):
            return reporting(super().invoke)(ctx)

    def get_help(self, ctx: click.Context) -> str:
        return in_words(super().get_help(ctx))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, and examples; these are not broken, so that they can be copied."""
        super().format_help_text(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def _noted(key: str, *flags: str, words: str) -> Callable[[click.Command], click.Command]:
    """Return the decorator that gives a command a flag, and notes in the context's `meta` whether it was given."""

    def note(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        context.meta[key] = wanted

    return click.option(*flags, is_flag=True, expose_value=False, is_eager=True, callback=note, help=words)


class KotcGroup(click.Group):
    """A group of commands of this kind, with whole lines about each in its help."""

    command_class = KotcCommand

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with the first sentence about each, which may take several lines."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, each.get_short_help_str(limit=1000)) for name, each in sorted(self.commands.items())]
            )


kotc_command = partial(click.command, cls=KotcCommand)
"""Return the decorator of a command, given its `examples`."""


def _show_choices(context: click.Context) -> None:
    given: dict[str, str] = {}
    for flag in (flag for each in context.command.params for flag in each.opts if flag in LISTED):
        given.setdefault(LISTED[flag], flag)
    click.echo(as_lists(given))


def as_lists(things: Mapping[str, str]) -> str:
    """Return lists of things as text; each is headed by its name and by how it is given, such as `--paper`."""
    lists = []
    for thing, given in things.items():
        rows = choices(thing)
        widest = max((len(value) for value, _ in rows), default=0)
        lines = [f"  {value:{widest}}  {words}".rstrip() for value, words in rows]
        if not lines:
            lines = ["  none yet; `kotc calibrate` measures yours" if thing == "printers" else "  none"]
        lists.append("\n".join([f"{thing}{f' ({given})' if given else ''}:", *lines]))
    return "\n\n".join(lists)


def choices(thing: str) -> list[tuple[str, str]]:
    """Return the values of a kind of thing, such as `papers`, and what each means; none of a kind that no game has."""
    from render.game import registry

    match thing:
        case "papers" | "card sizes":
            from render.base.sizes import CARDS, PAPERS

            sizes = PAPERS if thing == "papers" else CARDS
            return [(name, str(size)) for name, size in sizes.items()]
        case "printers":
            from render.sheets.calibration.printers import calibrations

            confirmed = {True: "confirmed", False: "not confirmed"}
            known = calibrations()
            return [(one.printer, f"{one.paper}, {one.flip.value}, {confirmed[one.confirmed]}") for one in known]
        case "standards" | "standards and shops":
            from render.pdf.standards import STANDARDS

            standards = [(name, each.title) for name, each in STANDARDS.items()]
            if thing == "standards":
                return [each for each in standards if each[0] != "a-2b"]  # an archive, for no press
            return [*standards, *choices("shops")]
        case "shops":
            from render.shops.profiles import shops

            return [(name, each.title) for name, each in shops().items()]
        case "games":
            return [(each.name, "the default" if each.name == registry.DEFAULT else "") for each in registry.games()]
        case "error codes":
            from render.cli.explanations import words_of_codes

            return [*words_of_codes()]
        case "kinds":
            return kinds_in([Path()])
    values = []
    for module, _, name in (where.partition(":") for where in registry.choices(thing)):
        values += [(*each, "")[:2] for each in getattr(import_module(module), name)()]
    return values


def kinds_in(folders: Iterable[Path]) -> list[tuple[str, str]]:
    """Return the kinds of all games, with those that rules in these folders add, and the game of each if there are several."""
    from render.game import registry

    games, found = [*registry.games()], list[tuple[str, str]]()
    for each in games:
        new = [str(kind.value) for folder in folders for kind in each.new_kinds(each.new_set(folder, ""))]
        found += [(kind, f"of {each.name}" if len(games) > 1 else "") for kind in dict.fromkeys((*each.kinds, *new))]
    return found


# What other programs call the options and commands of this one.
_OPTIONS_ELSEWHERE = {
    "--output": "--out",
    "--outdir": "--out",
    "--jobs": "--workers",
    "--threads": "--workers",
    "--processes": "--workers",
    "--silent": "--quiet",
    "--resolution": "--dpi",
    "--edition-number": "--edition",
    "--lang": "--language",
    "--page-size": "--paper",
    "--paper-size": "--paper",
    "--rebuild": "--force",
    "--dryrun": "--dry-run",
}
_COMMANDS_ELSEWHERE = {
    "print": "pdf",
    "sheets": "pdf",
    "image": "png",
    "images": "png",
    "draw": "png",
    "render": "build",
    "make": "build",
    "lint": "check",
    "validate": "check",
    "create": "init",
    "serve": "preview",
}

Commands = Iterable[tuple[str, click.Command]]
"""Commands, and how each is typed, such as `kotc edition diff`."""


def explained(error: click.UsageError, commands: Callable[[], Commands]) -> click.UsageError:
    """Return an error that says what was meant where an option does not exist, and fits the terminal."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        error = click.UsageError(_unknown_option(error.ctx, error.option_name, commands()), error.ctx)
    if isinstance(error, click.BadParameter) and error.param is not None:
        if isinstance(error.param, click.Option) and not error.param_hint:
            error.param_hint = f"'{max(error.param.opts, key=len)}'"  # `--out`, without `-o`
        words = _in_plain_words(error.message, error.param.type)
        error = click.BadParameter(words, error.ctx, error.param, error.param_hint)
    error.show = partial(show_wrong_usage, error)  # type: ignore[method-assign] # whoever raised it knows no terminal
    return error


def _unknown_option(context: click.Context, flag: str, commands: Commands) -> str:
    """Return what is wrong with an option that the command of the context does not have, and others may have."""
    known, path = _flags(context.command), context.command_path
    meant = _OPTIONS_ELSEWHERE.get(flag, "")
    if meant in known:
        return f"there is no option `{flag}`: `{path}` calls it `{meant}`"
    others = [each for each, command in commands if each != path and flag in _flags(command)]
    if others:
        return f"`{flag}` is an option of {listed(others, 'and')}, not of `{path}`"
    if flag.startswith("--") and (near := mistyped_word(flag, [each for each in known if each.startswith("--")])):
        return f"there is no option `{flag}`: did you mean `{near}`?"
    return f"there is no option `{flag}`: `{path} --help` lists those of this command"


def _flags(command: click.Command) -> list[str]:
    return sorted({flag for each in command.params for flag in (*each.opts, *each.secondary_opts)})


def unknown_command(given: str, known: Collection[str]) -> str:
    """Return what is wrong with a command that does not exist."""
    meant = _COMMANDS_ELSEWHERE.get(given.lower(), "")
    near = meant if meant in known else mistyped_word(given.lower(), sorted(known))
    return f"there is no command `{given}`: {f'did you mean `{near}`?' if near else '`kotc --help` lists the commands'}"


# click's own words about a value that is none of those it may have; they speak of Python's types.
_NO_NUMBER = regex(r"'(?P<value>.*)' is not a valid (?:integer|float)(?: range)?\.", re.DOTALL)
_OUTSIDE = regex(r"(?P<value>\S+) is not in the range \S+\.")
_NO_CHOICE = regex(r"'(?P<value>.*)' is not (?:one of )?'[^']*'(?:, '[^']*')*\.", re.DOTALL)
_NOTHING_THERE = regex(r"(?:Path|File|Directory) '(?P<value>.*)' does not exist\.", re.DOTALL)
_COMMA = regex(r"(?P<whole>[0-9]{1,4}),(?P<part>[0-9]{1,3})(?: ?mm)?")


def _in_plain_words(message: str, kind: object) -> str:
    """Return what was expected of a value, what was found, and where possible what to write; else click's words."""
    if isinstance(kind, click.IntRange | click.FloatRange):
        if number := _NO_NUMBER.fullmatch(message) or _OUTSIDE.fullmatch(message):
            value = number["value"].removesuffix(".0")
            wanted = f"{'a whole number' if isinstance(kind, click.IntRange) else 'a number'} from {kind.min or 0:g}"
            wanted += f" to {kind.max:g}" if kind.max is not None else " on"
            comma = _COMMA.fullmatch(value)
            hint = f": write `{comma['whole']}.{comma['part']}`, with a point" if comma else ""
            return f"expected {wanted}, found {quoted(value)}{hint}"
    elif isinstance(kind, click.Choice):
        if word := _NO_CHOICE.fullmatch(message):
            known = [str(each) for each in kind.choices]
            near = mistyped_word(word["value"].lower(), known)
            hint = f": did you mean `{near}`?" if near else ""
            return f"expected {listed(known, 'or')}, found {quoted(word['value'])}{hint}"
    elif isinstance(kind, click.Path) and (path := _NOTHING_THERE.fullmatch(message)):
        return f"`{path['value']}` does not exist{nearest_beside(Path(path['value']))}"
    return message


def mistyped_word(word: str, known: Iterable[str]) -> str:
    """Return the known word of which this is the beginning, else the nearest one; "" if none is near."""
    by_letters = {each.lstrip("-"): each for each in known}
    bare = word.lstrip("-")
    begun = [each for each in by_letters if each.startswith(bare)]
    return by_letters.get(begun[0] if len(begun) == 1 and len(bare) > 2 else nearest_word(bare, by_letters), "")


def in_other_case(path: Path) -> str:
    """Return what exists in place of a missing path if only the case of its name differs; else ""."""
    # Sets move here from Windows and macOS, where `Cards` and `cards` are one folder.
    other = next((name for name in _names_beside(path) if name.lower() == path.name.lower()), "")
    return f", but there is `{other}` (mind upper and lower case)" if other else ""


def nearest_beside(path: Path) -> str:
    """Return what seems to be meant by a path at which there is nothing, for the end of a message; "" if nothing is."""
    near = mistyped_word(path.name, [name for name in _names_beside(path) if not name.startswith(".")])
    return in_other_case(path) or (f": did you mean `{path.parent / near}`?" if near else "")


def _names_beside(path: Path) -> list[str]:
    try:
        return sorted(each.name for each in path.parent.iterdir())
    except (OSError, ValueError):
        return []

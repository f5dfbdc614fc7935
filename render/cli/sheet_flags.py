"""The options of sheets on the command line: one flag for each, for every command that makes sheets."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import click
from click.core import ParameterSource

from render.cli.console import say_findings
from render.cli.terminal.command import KotcCommand
from render.sheets.option_table import OPTIONS, SECTIONS, SWITCH, Option
from render.sheets.options import SheetOptions, option_doubts

if TYPE_CHECKING:
    from render.build.session import BuildResult

P = ParamSpec("P")
R = TypeVar("R")

Asked = dict[str, object]
"""What the command line asks for: values of `SheetOptions` by name, only those that were given."""

_NO_BREAK = "\N{NO-BREAK SPACE}"  # textwrap breaks lines at ASCII white space only


class SheetCommand(KotcCommand):
    """A command with flags of sheets: its help has them in sections, after the command's own options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections, their columns aligned."""
        sections = list(self._sections(ctx))
        widest = max(len(flags) for _, rows in sections for flags, _ in rows)
        for title, rows in sections:
            with formatter.section(title):
                for flags, words in rows:
                    _write(formatter, f"{flags:{widest}}  ", words)

    def _sections(self, context: click.Context) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        flags = [flag for flag in self.get_params(context) if isinstance(flag, click.Option)]
        records = {flag.name: flag.get_help_record(context) for flag in flags}
        groups = {title: [option.key for option in options] for title, options in SECTIONS.items()}
        own = [name for name in records if not any(name in keys for keys in groups.values())]
        for title, names in {"Options": own, **groups}.items():
            rows = [record for name in names if (record := records.get(name))]
            if rows:
                yield title, rows


def _write(formatter: click.HelpFormatter, flags: str, words: str) -> None:
    """Write flags with their words beside them; values such as `long-edge` and defaults are not broken."""
    indent = " " * formatter.current_indent
    whole = words.replace("[default: ", f"[default:{_NO_BREAK}")
    lines = textwrap.wrap(
        whole,
        formatter.width,
        initial_indent=indent + flags,
        subsequent_indent=indent + " " * len(flags),
        break_on_hyphens=False,
    )
    formatter.write("".join(f"{line.replace(_NO_BREAK, ' ')}\n" for line in lines))


def sheet_flags(command: Callable[Concatenate[Asked, P], R]) -> Callable[P, R]:
    """Give a command a flag for every option of sheets; it gets what was asked for as its first argument."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        source = click.get_current_context().get_parameter_source
        given = {option.key: kwargs.pop(option.key) for option in OPTIONS}
        # A value may be None (`--grid auto`), so it does not tell whether it was given.
        asked = {key: value for key, value in given.items() if source(key) is not ParameterSource.DEFAULT}
        return command(asked, *args, **kwargs)

    flagged: Callable[P, R] = wrapped
    # The option that is applied last is the first in the help.
    for option in reversed(OPTIONS):
        flagged = _flag(option, _with_default(option))(flagged)
    return flagged


def sheet_flag(key: str, default: str | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return the decorator that gives a command one of the flags; its value is None if it was not given.

    `default` is the help's word for that, if it is not that of sheets; "" says that there is none.
    """
    option = next(option for option in OPTIONS if option.key == key)
    if default is None:
        return _flag(option, _with_default(option))
    return _flag(option, f"{option.help}  [default: {default}]" if default else option.help)


def options_of(asked: Asked) -> SheetOptions:
    """Return the options asked for, else the defaults."""
    return SheetOptions(**asked)  # type: ignore[arg-type] # each was read by its option


def say_doubts(options: SheetOptions, keys: Collection[str] | None = None) -> None:
    """Warn of options that are allowed but doubtful; with keys, only of those."""
    for doubt, of in option_doubts(options):
        if keys is None or any(key in keys for key in of):
            say_findings([doubt])


def flag_of(key: str) -> str:
    """Return the flag of an option of sheets."""
    return next(option.flag for option in OPTIONS if option.key == key)


def about_options(result: BuildResult) -> Iterator[str]:
    """Yield what to know of options that were given for this build alone, or for the one before."""
    if result.lost:
        yield f"  {result.lost}"
    if result.asked:
        yield f"  with {result.asked}, for this build alone: write it under `sheet` to keep it"
    if result.asked_before and result.asked != result.asked_before:
        now = "" if result.asked else ", and this one goes by `sheet` again"
        yield f"  the build before was made with {result.asked_before}{now}"


def _flag(option: Option, words: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    # Three answers: yes, no, and not given, which leaves it to `sheet:` of the set.
    if option.values == SWITCH:
        return click.option("/".join(_yes_and_no(option)), option.key, default=None, help=words)
    return click.option(option.flag, option.key, metavar=_form(option), callback=_read(option), help=words)


def _yes_and_no(option: Option) -> tuple[str, str]:
    return option.flag, f"--no-{option.flag[2:]}"


def _with_default(option: Option) -> str:
    default = option.default
    if option.values == SWITCH:
        yes, no = _yes_and_no(option)
        default = (yes if default == "true" else no)[2:]
    return f"{option.help}  [default: {default}]" if default else option.help


def _form(option: Option) -> str:
    """Return the help's placeholder for the value; if there are many words, the help lists them beside it."""
    if len(option.words) < 2:
        return option.values
    return "|".join(("WORD", *(value for value in option.values.split("|") if value not in option.words)))


def _read(option: Option) -> Callable[[click.Context, click.Parameter, str | None], object]:
    def read(context: click.Context, parameter: click.Parameter, text: str | None) -> object:
        if text is None:
            return None
        try:
            return option.read(text)
        except ValueError as error:
            raise click.BadParameter(_with_hint(str(error), text, option), context, parameter) from None

    return read


def _with_hint(message: str, text: str, option: Option) -> str:
    from render.base.findings import did_you_mean

    hint = did_you_mean(text, option.words)
    return f"{message}: {hint}" if hint else message

"""What to say of a command or an option that does not exist: what was meant, and whose option it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial

import click

from render.base.findings import listed, printable
from render.cli.terminal.looks import look_of
from render.cli.terminal.message_layout import lay_out_messages
from render.cli.terminal.nearest import mistyped_word
from render.cli.terminal.wrong_values import in_plain_words

# What other programs call the options and commands of this one.
_ELSEWHERE = {
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


def explained(error: click.UsageError, every: Callable[[], Commands]) -> click.UsageError:
    """Return an error that says what was meant where an option does not exist, and fits the terminal."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        error = click.UsageError(unknown_option(error.ctx, error.option_name, every()), error.ctx)
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option) and not error.param_hint:
        error.param_hint = f"'{max(error.param.opts, key=len)}'"  # `--out`, without `-o`
    if isinstance(error, click.BadParameter) and error.param is not None:
        words = in_plain_words(error.message, error.param.type)
        if words != error.message:
            error = click.BadParameter(words, error.ctx, error.param, error.param_hint)
    error.show = partial(show_wrong_usage, error)  # type: ignore[method-assign] # whoever raised it knows no terminal
    return error


def unknown_option(context: click.Context, flag: str, every: Commands) -> str:
    """Return what is wrong with an option that the command of the context does not have, and `every` one may have."""
    command = context.command
    known = sorted({flag for each in command.params for flag in (*each.opts, *each.secondary_opts)})
    name = f"`{context.command_path}`"
    meant = _ELSEWHERE.get(flag, "")
    if meant in known:
        return f"there is no option `{flag}`: {name} calls it `{meant}`"
    near = mistyped_word(flag, [each for each in known if each.startswith("--")]) if flag.startswith("--") else ""
    others = _commands_with(flag, context.command_path, every)
    if others:
        return f"`{flag}` is an option of {listed(others, 'and')}, not of {name}"
    if near:
        return f"there is no option `{flag}`: did you mean `{near}`?"
    return f"there is no option `{flag}`: `{context.command_path} --help` lists those of this command"


def unknown_command(given: str, known: Iterable[str]) -> str:
    """Return what is wrong with a command that does not exist."""
    names = sorted(known)
    meant = _COMMANDS_ELSEWHERE.get(given.lower(), "")
    near = meant if meant in names else mistyped_word(given.lower(), names)
    hint = f"did you mean `{near}`?" if near else "`kotc --help` lists the commands"
    return f"there is no command `{given}`: {hint}"


def _commands_with(flag: str, but: str, every: Commands) -> list[str]:
    """Return the commands that have an option of that name, as they are typed."""
    return [path for path, command in every if path != but and _has(command, flag)]


def _has(command: click.Command, flag: str) -> bool:
    return any(flag in (*each.opts, *each.secondary_opts) for each in command.params)


def show_wrong_usage(error: click.UsageError, file: object = None) -> None:
    """Print what is wrong, below how the command is used, as click does, but fitted to the terminal."""
    lines = []
    if error.ctx is not None:
        lines += [error.ctx.get_usage(), f"Try '{error.ctx.command_path} --help' for help.", ""]
    text = "\n".join(map(printable, "\n".join([*lines, f"Error: {error.format_message()}"]).split("\n")))
    click.echo(lay_out_messages(text, look_of(sys.stderr)), err=True, color=True)

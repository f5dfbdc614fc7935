"""What to say of a command, an option, a value or a path that does not exist: what was meant, and whose option it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import click

from render.base.findings import listed, quoted

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
    from render.cli.console import show_wrong_usage

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


# --- What to say of a value of an option that is none of those it may have; click's own words speak of Python's types ---


_NO_NUMBER = re.compile(r"'(?P<value>.*)' is not a valid (?:integer|float)(?: range)?\.", re.DOTALL)
_OUTSIDE = re.compile(r"(?P<value>\S+) is not in the range \S+\.")
_NO_CHOICE = re.compile(r"'(?P<value>.*)' is not (?:one of )?'[^']*'(?:, '[^']*')*\.", re.DOTALL)
_NOTHING_THERE = re.compile(r"(?:Path|File|Directory) '(?P<value>.*)' does not exist\.", re.DOTALL)
_COMMA = re.compile(r"(?P<whole>[0-9]{1,4}),(?P<part>[0-9]{1,3})(?: ?mm)?")
_RANGE = re.compile(r"\b(\d+)<=x<=(\d+)\b")


def ranges_in_words(help_text: str) -> str:
    """Return the help of a command with `1 to 999` for click's `1<=x<=999`."""
    return _RANGE.sub(r"\1 to \2", help_text)


def in_plain_words(message: str, wanted: object) -> str:
    """Return what is wrong with a value, given click's words and the type that is `wanted`.

    That is what is expected, what was found, and where possible what to write.
    """
    if isinstance(wanted, click.IntRange | click.FloatRange):
        number = _NO_NUMBER.fullmatch(message) or _OUTSIDE.fullmatch(message)
        if number:
            return _unexpected(_bounds(wanted), number["value"].removesuffix(".0"))
    if isinstance(wanted, click.Choice) and (word := _NO_CHOICE.fullmatch(message)):
        return _unexpected(listed([str(each) for each in wanted.choices], "or"), word["value"], wanted.choices)
    if isinstance(wanted, click.Path) and (path := _NOTHING_THERE.fullmatch(message)):
        return f"`{path['value']}` does not exist{nearest_beside(Path(path['value']))}"
    return message


def _bounds(wanted: click.IntRange | click.FloatRange) -> str:
    kind = "a whole number" if isinstance(wanted, click.IntRange) else "a number"
    bounds = f"from {wanted.min or 0:g}"
    return f"{kind} {bounds} to {wanted.max:g}" if wanted.max is not None else f"{kind} {bounds} on"


def _unexpected(wanted: str, found: str, known: object = ()) -> str:
    near = mistyped_word(found.lower(), [str(each) for each in known]) if isinstance(known, tuple | list) else ""
    hint = f": did you mean `{near}`?" if near else decimal_point(found)
    return f"expected {wanted}, found {quoted(found)}{hint}"


def decimal_point(found: str) -> str:
    """Return what to write for a number with a decimal comma, behind what is wrong with it; "" for anything else."""
    comma = _COMMA.fullmatch(found)
    return f": write `{comma['whole']}.{comma['part']}`, with a point" if comma else ""


# --- The word or the path that is meant by a mistyped one on the command line ---


_MIN_TYPO = 3  # letters: two short words differ in one letter without meaning the same
_LONG = 6  # letters: from here on, two letters may be wrong


def mistyped_word(word: str, known: Iterable[str]) -> str:
    """Return the known word that was mistyped as this one, or of which this is the beginning; "" if there is none.

    Words are alike only if a slip of the fingers lies between them: `--force` is not `--workers`, though they have
    most letters in common.
    """
    bare = word.lstrip("-")
    if len(bare) < _MIN_TYPO:
        return ""
    begun = [each for each in known if each.startswith(word)]
    if len(begun) == 1:
        return begun[0]
    slips = 2 if len(bare) >= _LONG else 1
    found = sorted((_slips_between(bare, each.lstrip("-")), each) for each in known if len(each.lstrip("-")) > 2)
    return found[0][1] if found and found[0][0] <= slips else ""


def _slips_between(one: str, other: str) -> int:
    """Return how many letters are wrong, missing, too many, or exchanged with their neighbor (Damerau, 1964)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            best = min(row[-1] + 1, before[j] + 1, before[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == wanted:
                best = min(best, earlier[j - 2] + 1)
            row.append(best)
    return row[-1]


def in_other_case(path: Path) -> str:
    """Return what exists in place of a missing path if only the case of its name differs; else ""."""
    try:
        # Sets move here from Windows and macOS, where `Cards` and `cards` are one folder.
        beside = sorted(each.name for each in path.parent.iterdir() if each.name.lower() == path.name.lower())
    except (OSError, ValueError):
        return ""
    return f", but there is `{beside[0]}` (mind upper and lower case)" if beside else ""


def nearest_beside(path: Path) -> str:
    """Return what seems to be meant by a path at which there is nothing, for the end of a message; "" if nothing is."""
    other = in_other_case(path)
    if other:
        return other
    try:
        beside = sorted(each.name for each in path.parent.iterdir() if not each.name.startswith("."))
    except (OSError, ValueError):
        return ""
    near = mistyped_word(path.name, beside)
    return f": did you mean `{path.parent / near}`?" if near else ""

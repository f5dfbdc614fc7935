"""What all commands share: output for people, exit statuses, and errors that become both.

Exit status: 0 done; 1 errors in the user's files; 2 wrong usage; 3 the environment (disk full, folder not writable,
unreadable font); 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from typing import ParamSpec, TextIO

import click

from render.base.findings import Finding, errors_and_warnings, plural
from render.base.interrupts import STOPPED
from render.cli import streams
from render.cli.terminal.command import is_quiet

DONE, ERRORS, USAGE, ENVIRONMENT = 0, 1, 2, 3  # 2 is also what click exits with (`UsageError.exit_code`)

P = ParamSpec("P")
Command = Callable[P, None]


class Number(click.FloatRange):
    """A number within bounds; `nan`, which passes any comparison with them, is refused."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


def reporting(command: Command[P]) -> Command[P]:
    """Turn errors that a user can cause into messages and exit statuses."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            _refusing(command, *args, **kwargs)
        # `kotc check | head` has read enough. That is nobody's mistake, so the status is not an error's.
        except streams.Unread:
            sys.exit(DONE)
        except OSError as error:
            streams.last_word(environment(error))
            sys.exit(ENVIRONMENT)
        except KeyboardInterrupt as stop:
            said = str(stop) or "stopped"
        else:
            return
        streams.last_word(said)  # only now: the error, and with it everything at work, has been released
        sys.exit(STOPPED)

    return wrapped


def _refusing(command: Command[P], *args: P.args, **kwargs: P.kwargs) -> None:
    from render.base.findings import Refused, as_text, has_errors

    try:
        command(*args, **kwargs)
        if click.get_current_context().meta.get(_HAS_ERRORS):
            sys.exit(ERRORS)
    except Refused as error:
        # What the command stops at is printed even with --quiet, warnings too if there is nothing else.
        speak = say if has_errors(error.findings) else _say_in_any_case
        speak(as_text(error.findings))
        speak(describe_counts(error.findings))
        if error.why:
            speak(error.why)
        sys.exit(ERRORS)


_HAS_ERRORS = "kotc.has_errors"


def end_with_errors() -> None:
    """Let the command go on, and end with the status of errors in the user's files."""
    click.get_current_context().meta[_HAS_ERRORS] = True


def say(text: str) -> None:
    """Print to the standard error stream, for people. The command continues even if nobody reads it any longer."""
    kept = _errors_in(text) if is_quiet() else text
    if kept or kept == text:
        _say_in_any_case(kept)


def _say_in_any_case(text: str) -> None:
    with suppress(streams.Unread):
        _print_to_reader(text)


def _errors_in(text: str) -> str:
    """Return the messages of a text that are errors, each with the lines that belong to it."""
    return "\n".join(each for each in _MESSAGE_END.split(text) if _ERROR.match(each))


_MESSAGE_END = re.compile(r"\n(?! )")  # indented lines belong to the message above
_ERROR = re.compile(r"(?:.*?: )?error: ")


def say_lines(lines: Iterable[str]) -> None:
    """Print each line to stderr."""
    for line in lines:
        say(line)


def say_to_reader(text: str) -> None:
    """Print to the standard error stream, as `say` does; Unread if nobody reads it any longer."""
    kept = _errors_in(text) if is_quiet() else text
    if kept or kept == text:
        _print_to_reader(kept)


def _print_to_reader(text: str) -> None:
    from render.base.findings import printable

    # Names of files and messages of libraries may hold escape sequences that steer a terminal.
    lines = "\n".join(map(printable, text.split("\n"))) if not text.isprintable() else text
    streams.write(sys.stderr, f"{_laid_out(lines, sys.stderr)}\n", "standard error")


def _laid_out(text: str, stream: TextIO) -> str:
    """Return messages as the stream shows them."""
    from render.cli.terminal.looks import PLAIN, look_of

    look = look_of(stream)
    if look == PLAIN:
        return text
    from render.cli.terminal.message_layout import lay_out_messages

    return lay_out_messages(text, look)


def tell_findings(findings: Iterable[Finding], *, strict: bool = False) -> None:
    """Print findings to the standard output stream, for people; see `show`."""
    from render.base.findings import as_text

    text = as_text(findings)
    if is_quiet() and not strict:
        text = _errors_in(text)
    if text:
        tell(_laid_out(text, sys.stdout))


def tell(text: str, end: str = "\n") -> None:
    """Print the command's result to the standard output stream. It continues even if nobody reads it any longer."""
    with suppress(streams.Unread):
        streams.write(sys.stdout, f"{text}{end}", "standard output")


_NOT_ASCII, _SURROGATES = "[^\x00-\x7f]+", "[\ud800-\udfff]+"


def tell_json(text: str) -> None:
    """Print JSON, in ASCII if the stream cannot show every character; bytes that are not UTF-8 are escaped."""
    import json

    # The streams' own escapes are not JSON's, which has no `\x` and no `\U` (RFC 8259, section 7).
    hidden = _SURROGATES if streams.is_utf8(sys.stdout) else _NOT_ASCII
    tell(re.sub(hidden, lambda match: json.dumps(match[0])[1:-1], text))


def format_option(words: str, *styles: str) -> Callable[[Command[P]], Command[P]]:
    """Return the option `--format` of a command that prints in these styles; the first is the default."""
    return click.option(
        "--format", "style", type=click.Choice(styles), default=styles[0], show_default=True, help=words
    )


FORMAT = format_option(
    "text is for people, json for programs, github for annotations on a pull request.", "text", "json", "github"
)
TEXT_OR_JSON = format_option("text is for people, json for programs.", "text", "json")


def show(findings: Sequence[Finding], style: str, *, strict: bool = False) -> None:
    """Print findings to the standard output, as `--format` asks; a program gets its list even if it is empty.

    With `--quiet`, people get only the errors, but if the command is `strict`, all that it stops at.
    """
    from render.base import findings as diag

    if style == "json":
        tell_json(diag.as_json(findings))
    elif findings:
        tell(diag.as_github(findings)) if style == "github" else tell_findings(findings, strict=strict)


def describe_counts(findings: Iterable[Finding]) -> str:
    """Return `2 errors, 1 warning, 1 cannot be judged`."""
    from render.base.findings import Severity, sort_findings

    listed = list(findings)
    unsure = sum(finding.severity is Severity.UNSURE for finding in sort_findings(listed))
    said = [in_numbers(*errors_and_warnings(listed)), f"{unsure} {Severity.UNSURE.value}" if unsure else ""]
    return ", ".join(filter(None, said)) or "nothing to report"


def in_numbers(errors: int, warnings: int) -> str:
    """Return `2 errors, 1 warning`; nothing if there are none."""
    return ", ".join(plural(number, kind) for number, kind in ((errors, "error"), (warnings, "warning")) if number)


def environment(error: OSError) -> str:
    """Return the message about an error of the system."""
    where = f" `{error.filename}`" if error.filename else ""
    reason = error.strerror or str(error)
    # Only the system's own words are replaced: errors that we raise say what is in the way.
    if error.errno == errno.EEXIST and reason == os.strerror(errno.EEXIST):
        reason = "it is a file, and a folder is needed there"
    hint = getattr(error, "hint", "")  # of our own ones, that know more than the system does
    if not hint and error.filename and reason == os.strerror(error.errno or 0):
        from pathlib import Path

        from render.base.files import permission_hint

        hint = permission_hint(error, Path(error.filename))
    said = f"{reason[:1].lower()}{reason[1:]}"
    return f"error: cannot use{where}: {said}{hint and '; '}{hint} [E001]"

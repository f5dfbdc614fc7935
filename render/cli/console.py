"""What all commands share: output for people and programs, exit statuses, and errors that become both.

Exit status: 0 done; 1 errors in the user's files; 2 wrong usage; 3 the environment (disk full, folder not writable,
unreadable font); 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import wraps
from typing import ParamSpec, TextIO

import click
from msgspec.structs import replace

from render.base import progress
from render.base.columns import wrap
from render.base.findings import (
    MAX_ALIKE,
    Diagnostic,
    Refused,
    Severity,
    as_github,
    as_json,
    as_text,
    counted,
    errors_and_warnings,
    has_errors,
    identity,
    more_like_these,
    paragraph,
    plural,
    printable,
    sort_findings,
)
from render.base.interrupts import end_stopped
from render.base.memory import lacks_memory
from render.cli import streams

DONE, ERRORS, USAGE, ENVIRONMENT = 0, 1, 2, 3  # 2 is also what click exits with (`UsageError.exit_code`)

QUIET, TIMED, _HAS_ERRORS = "kotc.quiet", "kotc.timed", "kotc.has_errors"  # keys in a context's `meta`

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
            try:
                command(*args, **kwargs)
                if click.get_current_context().meta.get(_HAS_ERRORS):
                    sys.exit(ERRORS)
            except Refused as error:
                # What the command stops at is printed even with --quiet, warnings too if there is nothing else.
                everything = not has_errors(error.findings)
                say(*counted(error.findings), always=everything)
                say(describe_counts(error.findings), always=everything)
                if error.why:
                    say(error.why, always=everything)
                sys.exit(ERRORS)
        # `kotc check | head` has read enough. That is nobody's mistake, so the status is not an error's.
        except streams.Unread:
            sys.exit(DONE)
        except (OSError, MemoryError, ImportError) as error:
            if isinstance(error, ImportError) and not lacks_memory(error):
                raise
            streams.last_word(as_text([environment(error)]))
            sys.exit(ENVIRONMENT)
        except RuntimeError as error:
            if "start new thread" not in str(error.__context__ or error):
                raise
            streams.last_word(as_text([Diagnostic("E001", "the system gives no more threads", _MORE)]))
            sys.exit(ENVIRONMENT)
        except KeyboardInterrupt as stop:
            stopped = str(stop) or "stopped"
        else:
            return
        # Only now: the error, and with it everything at work, has been released.
        end_stopped(lambda: streams.last_word(stopped))

    return wrapped


@contextmanager
def watching(context: click.Context) -> Iterator[None]:
    """Show on a terminal how far the command is, and at its end where its time went, if that was asked for."""
    with ExitStack() as stack:
        if not is_quiet() and streams.look_of(sys.stderr).width:
            stack.enter_context(progress.show_stages(progress.on_terminal(sys.stderr)))
        told = stack.enter_context(progress.time_stages()) if context.meta.get(TIMED) else None
        ended: SystemExit | None = None
        try:
            yield
        except SystemExit as end:
            ended = end
        if told and (ended is None or ended.code in (DONE, ERRORS)):
            say(_timings(*told(), as_json=context.params.get("style") == "json"), always=True)
        if ended:
            raise ended


def _timings(seconds: float, spent: progress.Spent, *, as_json: bool) -> str:
    """Return the stages, each with its count, its seconds and its share of the work, and the seconds of the clock."""
    work = sum(spent_by for _, spent_by in spent.values())
    rows = [(name, count, took, took / work) for name, (count, took) in spent.items()]
    if as_json:
        import json

        keys = ("stage", "count", "seconds", "share")
        stages = [dict(zip(keys, (*row[:2], *(round(each, 4) for each in row[2:])), strict=True)) for row in rows]
        return json.dumps({"timings": {"seconds": round(seconds, 4), "work": round(work, 4), "stages": stages}})
    lines = [f"{'stage':8}  {'count':>7}  {'seconds':>7}  share"]
    lines += [f"{name:8}  {count:7}  {took:7.2f}  {share:5.0%}" for name, count, took, share in rows]
    return "\n".join([*lines, f"{work:.2f} s of work in {seconds:.2f} s"])


def end_with_errors() -> None:
    """Let the command go on, and end with the status of errors in the user's files."""
    click.get_current_context().meta[_HAS_ERRORS] = True


def is_quiet() -> bool:
    """Return whether the command that runs was asked with `--quiet` to print only errors and results."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def say(*messages: str | Diagnostic, always: bool = False, to_reader: bool = False) -> None:
    """Print to the standard error stream, for people; with --quiet only errors, but what is printed `always`.

    The command continues even if nobody reads it any longer, unless it goes `to_reader`: then Unread is raised.
    """
    if is_quiet() and not always:
        messages = tuple(each for each in messages if _is_error(each))
    with suppress(*() if to_reader else (streams.Unread,)):
        for each in messages:
            streams.write(sys.stderr, f"{_laid_out(each, sys.stderr)}\n", "standard error")


def say_findings(findings: Iterable[Diagnostic]) -> None:
    """Print findings to the standard error stream in their order, the first 50 of each code, and drafts as one."""
    say(*counted(_drafts_as_one(list(findings))))


_MAX_DRAFTS = 3  # that are told one by one: their hints are the same


def _drafts_as_one(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Return findings with one for all drafts, at the first of them, if there are many."""
    from render.base.codes import DRAFT_CODE

    drafts = sort_findings(each for each in findings if each.code == DRAFT_CODE)
    if len(drafts) <= _MAX_DRAFTS:
        return findings
    names = ", ".join(f"`{each.card}`" for each in drafts[:_MAX_DRAFTS])
    message = f"{len(drafts)} cards are drafts: {names} and {len(drafts) - _MAX_DRAFTS} more"
    hint = drafts[0].hint.replace("judge the card", "judge each card")
    return [each for each in findings if each.code != DRAFT_CODE] + [replace(drafts[0], message=message, hint=hint)]


def _is_error(message: str | Diagnostic) -> bool:
    return isinstance(message, Diagnostic) and message.severity is Severity.ERROR


# Colors that are dark enough for white and light enough for black backgrounds. Yellow, blue and grey are not.
_STYLES = {
    "place": "1",
    "hint": "1;36",
    "bar": "36",
    "error": "31",
    "warning": "35",
    "cannot be judged": "36",
    "fixed:": "1;32",
    "Error:": "1;31",
}


def _painted(text: str, style: str) -> str:
    bold = style.startswith("bold ")
    return f"\x1b[{'1;' * bold}{_STYLES[style.removeprefix('bold ')]}m{text}\x1b[0m" if text else text


def _laid_out(message: str | Diagnostic, stream: TextIO) -> str:
    """Return a message as the stream shows it: fitted to its width and in color, as far as it has either."""
    look = streams.look_of(stream)
    if isinstance(message, Diagnostic):
        return "\n".join(paragraph(message, look.width, *((_painted,) if look.color else ())))
    lines: list[str] = []
    # Names of files and messages of libraries may hold escape sequences that steer a terminal.
    for line in map(printable, message.split("\n")):
        first, *rest = wrap(line, look.width, f"{line[: len(line) - len(line.lstrip(' '))]}  ")
        label = f"{line.partition(':')[0]}:"
        if look.color and label in _STYLES:
            first = first.replace(label, _painted(label, label), 1)
        lines += [first, *rest]
    return "\n".join(lines)


def show_wrong_usage(error: click.UsageError, file: object = None) -> None:
    """Print what is wrong, below how the command is used, as click does, but fitted to the terminal."""
    lines = [f"Error: {error.format_message()}"]
    if error.ctx is not None:
        lines = [error.ctx.get_usage(), f"Try '{error.ctx.command_path} --help' for help.", "", *lines]
    click.echo(_laid_out("\n".join(lines), sys.stderr), err=True, color=True)


def tell(text: str, end: str = "\n") -> None:
    """Print the command's result to the standard output stream. It continues even if nobody reads it any longer."""
    with suppress(streams.Unread):
        streams.write(sys.stdout, f"{text}{end}", "standard output")


def tell_json(text: str) -> None:
    """Print JSON, in ASCII if the stream cannot show every character; bytes that are not UTF-8 are escaped."""
    import json

    # The streams' own escapes are not JSON's, which has no `\x` and no `\U` (RFC 8259, section 7).
    is_utf8 = (sys.stdout.encoding or "utf-8").lower().replace("-", "").replace("_", "") == "utf8"
    hidden = "[\ud800-\udfff]+" if is_utf8 else "[^\x00-\x7f]+"
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


def show(findings: Sequence[Diagnostic], style: str, *, strict: bool = False) -> None:
    """Print findings to the standard output, as `--format` asks; a program gets its list even if it is empty.

    With `--quiet`, people get only the errors, but if the command is `strict`, all that it stops at.
    """
    if style == "json":
        tell_json(as_json(findings))
    elif style == "github":
        tell(as_github(findings), end="\n" if findings else "")
    else:
        shown = [
            each for each in counted(_drafts_as_one(list(findings))) if strict or not is_quiet() or _is_error(each)
        ]
        tell("".join(f"{_laid_out(each, sys.stdout)}\n" for each in shown), end="")


class ShownFindings:
    """Shows people findings as they come, those of a call in order, and the first 50 of each code.

    With `--quiet` that are only errors.
    """

    def __init__(self) -> None:
        self._seen: set[object] = set()
        self._counts: Counter[tuple[str, Severity]] = Counter()

    def more(self, findings: Iterable[Diagnostic]) -> None:
        """Show those that are new, but no drafts: once all are known, there may be too many."""
        from render.base.codes import DRAFT_CODE

        self._show(each for each in findings if each.code != DRAFT_CODE and (not is_quiet() or _is_error(each)))

    def rest(self, findings: Sequence[Diagnostic], *, strict: bool) -> None:
        """Show what is left of all findings, and count what was too much; with `strict`, also if it is to be quiet."""
        self._show(each for each in _drafts_as_one(list(findings)) if strict or not is_quiet() or _is_error(each))
        self._tell(more_like_these(self._counts))

    def _show(self, findings: Iterable[Diagnostic]) -> None:
        shown = []
        for each in sort_findings(findings):
            if (key := identity(each)) not in self._seen:
                self._seen.add(key)
                self._counts[each.code, each.severity] += 1
                if self._counts[each.code, each.severity] <= MAX_ALIKE:
                    shown.append(each)
        self._tell(shown)

    def _tell(self, findings: Sequence[Diagnostic]) -> None:
        if findings:
            tell("".join(f"{_laid_out(each, sys.stdout)}\n" for each in findings), end="")


def describe_counts(findings: Iterable[Diagnostic]) -> str:
    """Return `2 errors, 1 warning, 1 cannot be judged`."""
    once = sort_findings(findings)
    unsure = sum(finding.severity is Severity.UNSURE for finding in once)
    counts = [in_numbers(*errors_and_warnings(once)), f"{unsure} {Severity.UNSURE.value}" if unsure else ""]
    return ", ".join(filter(None, counts)) or "nothing to report"


def in_numbers(errors: int, warnings: int) -> str:
    """Return `2 errors, 1 warning`; nothing if there are none."""
    return ", ".join(plural(number, kind) for number, kind in ((errors, "error"), (warnings, "warning")) if number)


_MORE = "close other programs, or raise the limit of this one"


def environment(error: OSError | MemoryError | ImportError) -> Diagnostic:
    """Return the message about an error of the system; an ImportError is one for which there was no memory."""
    if not isinstance(error, OSError):
        return Diagnostic("E001", "there is not enough memory", _MORE)
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
    return Diagnostic("E001", f"cannot use{where}: {reason[:1].lower()}{reason[1:]}{hint and '; '}{hint}")

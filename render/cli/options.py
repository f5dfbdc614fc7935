"""Options that commands share: those of sheets, made of their table, workers and progress, and `--strict`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

import click
from click.core import ParameterSource
from msgspec.structs import replace

from render.base.findings import Diagnostic, did_you_mean, errors_and_warnings
from render.base.lazily import where
from render.cli.command import Decorated, KotcCommand
from render.cli.console import in_numbers, is_quiet, say, say_findings
from render.sheets.option_values import length
from render.sheets.options import KEYS, OPTIONS, SECTIONS, SheetOptions, option_doubts

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from render.base.addresses import Place
    from render.base.progress import Progress
    from render.build.session import BuildResult
    from render.game.cards import GameSet
    from render.game.faces import Drawn
    from render.png.workers import Workers

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Decorator = Callable[[Callable[P, R]], Callable[P, R]]


def gathered(
    make: Callable[..., T] | None, **options: Callable[[Callable[..., R]], Callable[..., R]]
) -> Callable[[Callable[Concatenate[T, P], R]], Callable[P, R]]:
    """Return a decorator that gives a command options, by their names; it gets what is made of them first.

    Without `make` that is a mapping of those that were given.
    """

    def decorate(command: Callable[Concatenate[T, P], R]) -> Callable[P, R]:
        @wraps(command)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
            values = {name: kwargs.pop(name) for name in options}
            if make:
                return command(make(**values), *args, **kwargs)
            source = click.get_current_context().get_parameter_source
            # A value may be None (`--grid auto`), so it does not tell whether it was given.
            given = {key: value for key, value in values.items() if source(key) is not ParameterSource.DEFAULT}
            return command(cast("T", given), *args, **kwargs)

        flagged: Callable[..., R] = wrapped
        # The option that is applied last is the first in the help.
        for option in reversed(options.values()):
            flagged = option(flagged)
        return flagged

    return decorate


class SheetCommand(KotcCommand):
    """A command with flags of sheets: its help has them in sections, after the command's own options."""

    def sections(self, ctx: click.Context) -> Mapping[str, list[tuple[str, str]]]:
        """Return what the help says of each option, flags and words, by the titles of its sections."""
        flags = [flag for flag in self.get_params(ctx) if isinstance(flag, click.Option)]
        records = {str(flag.name): record for flag in flags if (record := flag.get_help_record(ctx))}
        groups = {title: [option.key for option in options] for title, options in SECTIONS.items()}
        own = [name for name in records if not any(name in keys for keys in groups.values())]
        rows = {
            title: [records[name] for name in names if name in records]
            for title, names in {"Options": own, **groups}.items()
        }
        return {title: section for title, section in rows.items() if section}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections, their columns aligned; values such as `long-edge` and defaults are not broken."""
        sections = self.sections(ctx)
        widest, indent = max(len(flags) for rows in sections.values() for flags, _ in rows), " " * 2
        no_break = "\N{NO-BREAK SPACE}"  # textwrap breaks lines at ASCII white space only
        for title, rows in sections.items():
            with formatter.section(title):
                for shown, words in rows:
                    lines = textwrap.wrap(
                        words.replace("[default: ", f"[default:{no_break}"),
                        formatter.width,
                        initial_indent=f"{indent}{shown:{widest}}  ",
                        subsequent_indent=f"{indent}{'':{widest}}  ",
                        break_on_hyphens=False,
                    )
                    formatter.write("".join(f"{line.replace(no_break, ' ')}\n" for line in lines))


Asked = dict[str, Any]
"""What the command line asks for: values of `SheetOptions` by name, only those that were given."""


def sheet_flag(key: str, default: str | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return the decorator that gives a command one of the flags; its value is None if it was not given.

    `default` is the help's word for that, if it is not that of sheets; "" says that there is none.
    """
    option = next(option for option in OPTIONS if option.key == key)
    if default is None:
        default = option.default
        if option.is_switch:
            default = (option.flag if default == "true" else option.off_flag)[2:]
    words = f"{option.help}  [default: {default}]" if default else option.help
    # Three answers: yes, no, and not given, which leaves it to `sheet:` of the set.
    if option.is_switch:
        return click.option(f"{option.flag}/{option.off_flag}", key, default=None, help=words)
    form = option.values
    if len(option.words) > 1:  # which the help lists beside it
        form = "|".join(("WORD", *(value for value in form.split("|") if value not in option.words)))

    return click.option(option.flag, key, metavar=form, callback=_by(option.read, option.words), help=words)


def _by(read: Callable[[str], object], words: Sequence[str] = ()) -> Callable[..., object]:
    """Return the callback of an option whose values are read so; None stays None. Wrong usage may mean one of the words."""

    def take(context: click.Context, parameter: click.Parameter, text: str | None) -> object:
        try:
            return None if text is None else read(text)
        except ValueError as error:
            hint = did_you_mean(text or "", words)
            raise click.BadParameter(f"{error}: {hint}" if hint else str(error), context, parameter) from None

    return take


def sheet_flags_of(keys: Iterable[str]) -> Callable[[Callable[Concatenate[Asked, P], R]], Callable[P, R]]:
    """Return the decorator that gives a command flags for these options of sheets; it gets what was asked for first."""
    return gathered(None, **{key: sheet_flag(key) for key in keys})


def sheet_flags(command: Callable[Concatenate[Asked, P], R]) -> Callable[P, R]:
    """Give a command a flag for every option of sheets; it gets what was asked for as its first argument."""
    give: Callable[[Callable[Concatenate[Asked, P], R]], Callable[P, R]] = sheet_flags_of(KEYS)
    return give(command)


PIECE_KEYS = ("paper", "orientation", "card_size", "margin", "ruler", "slug", "date", "registration")
"""The options of the sheets on which boxes and dividers lie."""


def length_flag(flag: str, least: float, most: float, words: str) -> Callable[[Decorated], Decorated]:
    """Return an option that is a length in mm, and None if it is not given."""
    values = length(least, most)
    return click.option(flag, metavar=values.forms, callback=_by(values.read), help=words)


def say_doubts(options: SheetOptions, asked: Container[str]) -> None:
    """Warn of options that were asked for, and are allowed but doubtful."""
    say(*(doubt for doubt, keys in option_doubts(options) if any(key in asked for key in keys)))


def about_options(result: BuildResult) -> Iterator[str]:
    """Yield what to know of options that were given for this build alone, or for the one before."""
    if result.lost:
        yield f"  {result.lost}"
    if result.asked:
        keep = "" if result.asked == "--drafts" else ": write it under `sheet` to keep it"
        yield f"  with {result.asked}, for this build alone{keep}"
    if result.asked_before and result.asked != result.asked_before:
        now = "" if result.asked or result.asked_before == "--drafts" else ", and this one goes by `sheet` again"
        yield f"  the build before was made with {result.asked_before}{now}"


Hire = Callable[..., AbstractContextManager["Workers"]]
"""Gives workers for a number of PNGs, and counts these on the standard error stream."""


@contextmanager
def _hire(
    processes: int | None, scheduler: str | None, total: int, hint: str = "; run the command again to continue"
) -> Iterator[Workers]:
    """Give that many processes, or the workers of a Dask cluster; OSError if it does not answer.

    A KeyboardInterrupt is raised again with the number of PNGs made and the hint.
    """
    from render.base.interrupts import ending_with
    from render.png.workers import Workers

    with connected(scheduler) as executor:
        progress = count_progress(total, "PNGs")

        def words() -> str:
            return f"stopped after {progress.done} of {total} PNGs{hint}"

        try:
            with progress, ending_with(words):
                yield Workers(processes, executor, progress.more, anew=True)
        except KeyboardInterrupt:
            # `console.reporting` prints it, once the processes that draw have ended.
            raise KeyboardInterrupt(words()) from None


@contextmanager
def connected(scheduler: str | None, beside: Place | None = None) -> Iterator[Executor | None]:
    """Give the workers of a Dask cluster, if a scheduler is named; OSError if it does not answer.

    What they make, they leave `beside` an output until it is in there, if that is given.
    """
    if scheduler is None:
        yield None
        return
    try:
        from render.base.dask import connect
    except ModuleNotFoundError:
        raise click.UsageError("--scheduler needs the package `distributed`: pip install 'kotc[dask]'") from None
    from render.base.executors import leaving_beside

    with connect(scheduler) as executor, leaving_beside(beside, executor) if beside else nullcontext(executor) as by:
        yield by


def count_progress(total: int, thing: str) -> Progress:
    """Return the display of progress, which shows nothing with `--quiet`."""
    from render.base.progress import show_progress

    return show_progress(total, thing, None if is_quiet() else sys.stderr)


def _workers(processes: int | None, scheduler: str | None = None) -> Hire:
    if processes is not None and scheduler is not None:
        raise click.UsageError("use --scheduler or --workers, not both")
    return partial(_hire, processes, scheduler)


_PROCESSES = click.option(
    "--workers",
    "-j",
    "processes",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Draw PNGs in N processes; 1 disables multiprocessing.  [default: one per core, at most 8]",
)
_SCHEDULER = click.option("--scheduler", metavar="ADDRESS", help="Draw PNGs on the Dask cluster of this scheduler.")
SCHEDULER = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Lay cards out on the Dask cluster of this scheduler; its workers need the set's files in the same folders.",
)
worker_options = gathered(_workers, processes=_PROCESSES, scheduler=_SCHEDULER)
"""Give a command the flags for workers; it gets what hires them as its first argument."""
worked_here = gathered(_workers, processes=_PROCESSES)
"""Give a command the flags of work that only this machine does, as `worker_options` does."""

WHY = "nothing was made: --strict stops at errors and warnings from the rules"
STRICT = click.option(
    "--strict", is_flag=True, help="Stop at any error or warning from the rules of the cards' edition."
)


@contextmanager
def judge_meanwhile(chosen: Sequence[tuple[GameSet, Drawn]], *, strict: bool, worth: bool = True) -> Iterator[None]:
    """Let the rules judge cards while something is made from them, and print their findings at the end.

    A second process judges if that is `worth` its memory. With `strict` they judge first: Refused, and nothing is made,
    if they find anything.
    """
    from render.game.sets.checking import judge_in_background

    sets = [_of_drawn(card_set, drawn) for card_set, drawn in chosen]
    with judge_in_background(sets, strict=WHY if strict else "", worth=worth) as findings:
        yield
        by_rules = findings()
    say_rules(by_rules)


def _of_drawn(card_set: GameSet, drawn: Drawn) -> GameSet:
    """Return a set with the cards that are drawn: nothing is said of those that --card leaves out."""
    kept = {face.card.id for face in drawn.faces}
    return replace(card_set, cards=where(card_set.cards, lambda card: card.id in kept))


def say_rules(findings: Sequence[Diagnostic]) -> None:
    """Print what the rules found, and how much that is: `2 errors, 1 warning from the rules; --strict stops at them`."""
    if findings:
        say_findings(findings)
        say(count_of_rules(findings))


def count_of_rules(findings: Sequence[Diagnostic]) -> str:
    errors, warnings = errors_and_warnings(findings)
    them = "it" if errors + warnings == 1 else "them"
    return f"{in_numbers(errors, warnings)} from the rules; --strict stops at {them}"

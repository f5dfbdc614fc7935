"""What a shell offers for a word that is being typed: click knows commands, options and their choices; this adds cards,
papers, printers, shops, editions, languages, kinds and error codes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, get_completion_class

from render.cli.terminal.command import LISTED, KnownValue, choices

_COMPLETED = {
    "--card": "cards",
    "--fit": "cards",
    "--remove": "printers",
    "explain words": "cards and codes",
    "shop name": "shops",
    "edition show number": "editions",
    "edition diff old": "editions",
    "edition diff new": "editions",
    "migrate --to": "editions",
    "upgrade --to": "editions",
    "new kind": "kinds",
    "pdf --kind": "kinds",
    "png --kind": "kinds",
    "cut --kind": "kinds",
}
"""What is completed besides what can be listed: by option, or by command and argument."""


Here = Callable[[], Path | None]
Complete = Callable[[click.Context, str], list[CompletionItem]]


def attach(command: click.Command, path: str, here: Here) -> None:
    """Let the parameters of a command complete what they may be; `path` is how it is typed, such as `edition show`.

    `here` returns the path that is meant where none is given, if there is one.
    """
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            attach(below, f"{path} {name}", here)
    for parameter in command.params:
        thing = _thing(parameter, path)
        if thing:
            # click takes such a function only where a parameter is declared.
            setattr(parameter, "shell_complete", _completer(thing, parameter.shell_complete, here))  # noqa: B010


def _thing(parameter: click.Parameter, path: str) -> str:
    words = parameter.opts if isinstance(parameter, click.Option) else [parameter.name or ""]
    table = {**LISTED, **_COMPLETED}
    named = (f"{path} {word}" for word in words)
    return next((table[word] for word in (*named, *words) if word in table), "")


def _completer(thing: str, otherwise: Complete, here: Here) -> Complete:
    def complete(context: click.Context, incomplete: str) -> list[CompletionItem]:
        found = _matching(_known(thing, context, here), incomplete)
        return [CompletionItem(each.value, help=each.words or None) for each in found] or otherwise(context, incomplete)

    return complete


def _known(thing: str, context: click.Context, here: Here) -> Iterable[KnownValue]:
    if thing == "cards":
        return _cards(context, here)
    if thing == "cards and codes":
        return (*_cards(context, here), *choices("error codes"))
    return choices(thing)


def _cards(context: click.Context, here: Here) -> Iterable[KnownValue]:

    given = [Path(each) for each in (*context.params.get("paths", ()), *context.params.get("words", ()))]
    usual = here()
    paths = [each for each in given if each.exists()] or ([usual] if usual else [])
    return [KnownValue(card_id, name) for card_id, name in cards_of(paths)]


def _matching(known: Iterable[KnownValue], incomplete: str) -> list[KnownValue]:
    """Return the values that begin as the word does, in small letters or capitals; else those whose description does.

    So `Storm H` leads to the id of the card Storm Hammer.
    """
    begun = incomplete.lower()
    found = list(known)
    by_value = [each for each in found if each.value.lower().startswith(begun)]
    return by_value or [each for each in found if begun and each.words.lower().startswith(begun)]


# --- Ids and names of cards, read quickly for a shell that waits: lines are searched, and no YAML is read ---


_QUOTED = r"\"[^\"\n]*\"|'[^'\n]*'"
_BLOCK = re.compile(rf"^(?:- +|(?P<indent> *))(id|name): *({_QUOTED}|(?:(?! #).)*)", re.MULTILINE)
_FLOW = re.compile(rf"[{{,] *(id|name): *({_QUOTED}|[^,}}\n]*)")
_MAX_FILE = 1 << 20  # bytes: a larger card file is refused where it is read


def cards_of(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield id and name of the cards of sets, whose folders, files or parents the paths are; "" for a missing name."""
    from render.game.ids import slug

    for file in _files(paths):
        try:
            text = file.read_bytes()[:_MAX_FILE].decode("utf-8", "replace")
        except OSError:
            continue
        for block in _blocks(text):
            found = dict(_keys(block))
            name = found.get("name", "")
            if found:
                yield found.get("id") or slug(name), name


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    from render.game.folder import find_sets

    for files in find_sets(paths)[0]:
        yield from files.cards


def _blocks(text: str) -> Iterator[str]:
    """Yield each card's lines: an entry of the list, or the whole file if it holds one card."""
    starts = [match.start() for match in re.finditer("^- ", text, re.MULTILINE)] or [0]
    yield from (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True))


def _keys(block: str) -> Iterator[tuple[str, str]]:
    """Yield `id` and `name` of a card, and not those of what is nested in it."""
    first = block.split("\n", 1)[0]
    if "{" in first:
        found = _FLOW.findall(block)
    else:
        deep = re.match("(?:- +)?", block)
        indent = deep.end() if deep else 0
        found = [(each[2], each[3]) for each in _BLOCK.finditer(block) if len(each["indent"] or " " * indent) == indent]
    for key, value in reversed(found):  # the first of each key counts
        yield key, value.strip().strip("\"'")


# --- Scripts that let shells complete commands: click's for bash, zsh and fish, and one for PowerShell ---


SHELLS = ("bash", "zsh", "fish", "powershell")
VARIABLE = "_KOTC_COMPLETE"
"""The variable of the environment by which a script asks the program; click reads it."""

_POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.Extent.Text } }
    $env:COMP_WORDS = $words -join "`n"
    $env:COMP_WORD = $wordToComplete.Trim('"', "'")
    $env:%(complete_var)s = 'powershell_complete'
    try {
        & $commandAst.CommandElements[0].Extent.Text.Trim('"', "'") | ForEach-Object {
            $kind, $value, $words = $_ -split "`t", 3
            if ($kind -eq 'plain') {
                $typed = if ($value -match "[\\s']") { '"' + $value + '"' } else { $value }
                [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $words)
            }
        }
    } finally {
        Remove-Item Env:COMP_WORDS, Env:COMP_WORD, Env:%(complete_var)s
    }
}
"""


class PowerShellComplete(ShellComplete):
    """PowerShell, which completes names of files by itself where nothing is offered."""

    name = "powershell"
    source_template = _POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is typed, and that one, as the script hands them over."""
        words, incomplete = os.environ["COMP_WORDS"].split("\n")[1:], os.environ["COMP_WORD"]
        return (words[:-1] if incomplete and words else words), incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return kind, value and description with tabs between; PowerShell refuses an empty description."""
        return f"{item.type}\t{item.value}\t{item.help or item.value}"


def script_for(shell: str, program: click.Command, name: str) -> str:
    """Return the script that a shell runs at its start."""
    register()
    found = get_completion_class(shell)
    assert found is not None, shell
    # Of the base class: click's own one for bash starts bash, to warn of versions from before 2016.
    return ShellComplete.source(found(program, {}, name, VARIABLE))


def register() -> None:
    """Let click know PowerShell."""
    add_completion_class(PowerShellComplete)

"""The command `completion`, and what a shell offers for a word that is being typed.

click knows commands, options and their choices; this adds cards, papers, printers, shops, editions, languages, kinds
and error codes, and a script for PowerShell.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, get_completion_class

from render.cli.command import LISTED, choices, kinds_in, kotc_command
from render.cli.console import tell
from render.cli.selection import place_here

SHELLS = ("bash", "zsh", "fish", "powershell")


@kotc_command(examples=("kotc completion bash", "kotc completion powershell"))
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish|powershell")
def completion(shell: str) -> None:
    """Print a script that completes commands in your shell.

    A shell that runs it at its start completes commands, options, cards, papers, printers, shops, editions and
    languages with the Tab key. Put this line into its file of settings:

    \b
    bash, ~/.bashrc:        eval "$(kotc completion bash)"
    zsh, ~/.zshrc:          eval "$(kotc completion zsh)"
    fish, ~/.config/fish/config.fish:
                            kotc completion fish | source
    PowerShell, $PROFILE:   kotc completion powershell | Out-String | Invoke-Expression
    """
    register()
    found = get_completion_class(shell)
    assert found is not None, shell
    # Of the base class: click's own one for bash starts bash, to warn of versions from before 2016.
    script = ShellComplete.source(found(click.get_current_context().find_root().command, {}, "kotc", "_KOTC_COMPLETE"))
    tell(script.rstrip("\n"))


_COMPLETED = {
    **LISTED,
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
"""What is completed: by option, or by command and option or argument."""


def attach(command: click.Command, path: str) -> None:
    """Let the parameters of a command complete what they may be; `path` is how it is typed, such as `edition show`."""
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            attach(below, f"{path} {name}")
    for parameter in command.params:
        words = parameter.opts if isinstance(parameter, click.Option) else [parameter.name or ""]
        thing = next(
            (_COMPLETED[each] for each in (*(f"{path} {word}" for word in words), *words) if each in _COMPLETED), ""
        )
        if thing:
            # click takes such a function only where a parameter is declared.
            setattr(parameter, "shell_complete", _completer(thing, parameter.shell_complete))  # noqa: B010


Complete = Callable[[click.Context, str], list[CompletionItem]]


def _completer(thing: str, otherwise: Complete) -> Complete:
    """Return what offers the values that begin as the word does; else those whose description does.

    So `Storm H` leads to the id of the card Storm Hammer.
    """

    def complete(context: click.Context, incomplete: str) -> list[CompletionItem]:
        from render.game.folder import find_sources

        known: list[tuple[str, str]] = []
        given = [Path(each) for each in (*context.params.get("paths", ()), *context.params.get("words", ()))]
        usual = place_here() if thing == "kinds" or thing.startswith("cards") else None
        places = [each for each in given if each.exists()] or ([usual] if usual else [])
        if thing.startswith("cards"):
            known += cards_of(places)
        if thing == "kinds":
            known += kinds_in([Path(), *(files.folder for files in find_sources(places)[0])])
        elif thing != "cards":
            known += choices("error codes" if thing == "cards and codes" else thing)
        begun = incomplete.lower()
        matching = [each for each in known if each[0].lower().startswith(begun)]
        matching = matching or [each for each in known if begun and each[1].lower().startswith(begun)]
        return [CompletionItem(value, help=words or None) for value, words in matching] or otherwise(
            context, incomplete
        )

    return complete


def cards_of(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield id and name of the cards of sets, whose folders, files or parents the paths are; "" for a missing name."""
    from render.game.folder import find_sources, is_table
    from render.game.ids import slug
    from render.source.nodes import Scalar
    from render.source.reader import read_partly

    # Only their files are read, mistakes or not, and not their games: a shell waits for it.
    for file in (file for files in find_sources(paths)[0] for file in files.cards if not is_table(file)):
        document, _ = read_partly(file)
        for node in document.mappings if document else ():
            card, name = (value.value if isinstance(value := node.get(key), Scalar) else "" for key in ("id", "name"))
            if card or name:
                yield card or slug(name), name


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


def register() -> None:
    """Let click know PowerShell."""
    add_completion_class(PowerShellComplete)

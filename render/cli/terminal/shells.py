"""Scripts that let shells complete commands: click's for bash, zsh and fish, and one for PowerShell."""

from __future__ import annotations

import os

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, get_completion_class

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

"""The command `completion`: prints the script by which a shell completes commands."""

from __future__ import annotations

import click

from render.cli.console import reporting, tell
from render.cli.terminal.command import kotc_command
from render.cli.terminal.completion import SHELLS, script_for


@kotc_command(examples=("kotc completion bash", "kotc completion powershell"))
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish|powershell")
@reporting
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
    tell(script_for(shell, click.get_current_context().find_root().command, "kotc").rstrip("\n"))

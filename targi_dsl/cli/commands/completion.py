"""`targi completion`: prints the script with which a shell completes commands."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from targi_dsl.cli.output import put

SHELLS = {"bash": BashComplete, "fish": FishComplete, "zsh": ZshComplete}


@click.command("completion")
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes words in a shell.

    For bash: `targi completion bash > ~/.local/share/bash-completion/completions/targi`. For fish:
    `targi completion fish > ~/.config/fish/completions/targi.fish`. For zsh: put `eval "$(targi
    completion zsh)"` into ~/.zshrc.
    """
    whole = context.find_root().command
    put(SHELLS[shell](whole, {}, "targi", "_TARGI_COMPLETE").source())

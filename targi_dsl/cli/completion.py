"""`targi completion`: what a shell must know to complete the words of a command."""

from __future__ import annotations

import click

SHELLS = ("bash", "fish", "zsh")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that completes commands, games and options in a shell.

    For bash: `targi completion bash > ~/.local/share/bash-completion/completions/targi`. For fish:
    `targi completion fish > ~/.config/fish/completions/targi.fish`. For zsh: put `eval "$(targi
    completion zsh)"` into ~/.zshrc.
    """
    from click.shell_completion import get_completion_class

    from targi_dsl.cli import targi

    found = get_completion_class(shell)
    assert found is not None, shell
    click.echo(found(targi, {}, "targi", "_TARGI_COMPLETE").source())

"""`targi lsp`: the language server."""

from __future__ import annotations

import click

from targi_dsl.cli.extras import with_extra
from targi_dsl.cli.failures import DONE


@click.command("lsp")
def command() -> int:
    """Serve an editor by the language server protocol, on standard input and output.

    Editors start it themselves.
    """
    with_extra("targi_dsl.lsp.server", "lsp").server.start_io()
    return DONE

"""`targi explain`: what a message means."""

from __future__ import annotations

import re

import click

from targi_dsl.cli.failures import unknown
from targi_dsl.cli.output import put
from targi_dsl.text import resources

_PAGE = "docs/messages.md"
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
_ROW = re.compile(r"^\| ([EW]\d{3}) \| (\S.*?) \| (\S.*?) \|$", re.MULTILINE)


@click.command("explain")
@click.argument("code", metavar="CODE")
def command(code: str) -> None:
    """Tell what the message of a CODE means, such as W913, and how a warning is allowed."""
    page = (resources.read(_PAGE) or b"").decode()
    rows = {row[1]: row for row in _ROW.finditer(page)}
    if (row := rows.get(code.upper())) is None:
        raise unknown(f"there is no message {code}", code, rows)
    *_, heading = _HEADING.findall(page[: row.start()])
    put(f"{row[1]} {row[2]} ({heading.lower()})")
    put(f"  {row[3]}")
    if row[1].startswith("W"):
        put(f"  Allow it at one place, on its line or above it: # allow {row[1]}: WHY")
        put(f"  Make it an error everywhere, or say nothing: --level {row[1]}=error or =off")

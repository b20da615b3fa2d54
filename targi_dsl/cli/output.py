"""What the commands print: a document, or text and problems for people."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from targi_dsl.text.diagnostics import Problem, render


def emit(document: object) -> None:
    """One JSON document on standard output: sorted keys, one newline; ASCII, so that no encoding
    harms it.
    """
    click.echo(json.dumps(document, sort_keys=True))


def tell(problems: Iterable[Problem]) -> None:
    """The problems as text, on standard error."""
    click.echo(render(problems), err=True)

"""The blanks, in braces, of words for people."""

from __future__ import annotations

import re
from collections.abc import Iterator

from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Embedded

BLANK = re.compile(r"\{([^{}]*)\}")


def blanks(quoted: n.Quoted) -> Iterator[Embedded]:
    """The blanks of a text in quotes, each as a text that knows its place."""
    for found in BLANK.finditer(quoted.text):
        first = quoted.span.first + found.start(1)
        places = range(first, first + len(found[1]) + 1)
        yield Embedded(quoted.span.home, found[1], places)

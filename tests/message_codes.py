"""The table of message codes, docs/messages.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parent.parent / "docs/messages.md"
_ROW = re.compile(r"\| ([EW]\d{3}) \| (\S.*) \| (\S.*) \|")


class Row(NamedTuple):
    """A message code: under which heading, its title, and its meaning."""

    heading: str
    code: str
    title: str
    meaning: str


def rows() -> Iterator[Row]:
    """The rows of the table, in its order."""
    heading = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif found := _ROW.fullmatch(line):
            yield Row(heading, *found.groups())

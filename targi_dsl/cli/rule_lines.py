"""The lines of a rule as a person reads them."""

from __future__ import annotations

import re

from targi_dsl.api.naming import spoken

REMARK = re.compile(r'(?:"[^"]*"|[^"#])*# *(.+)')
"""A line with a remark behind it."""


def condition(lines: tuple[str, ...], number: int) -> tuple[int, ...]:
    """The line with the condition of a line; none if it is always carried out."""
    edge = indent(lines[number])
    for at in range(number - 1, 0, -1):
        if indent(lines[at]) < edge:
            edge = indent(lines[at])
            if re.match(r"(otherwise )?if ", lines[at].strip()):
                return (at,)
    return ()


def in_one_line(text: str) -> tuple[str, str]:
    """A line's own condition, if it has one, and the rest of it."""
    match = re.match(r"(?:otherwise )?(if .*?): (.+)", text)
    return (phrase(match[1]), phrase(match[2])) if match else ("", phrase(text))


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def phrase(text: str) -> str:
    """A line of the rules as one would read it aloud."""
    return spoken(re.sub(r"\bdo (?=\w)", "", text)).rstrip(":")

"""The lines of a rule as a person reads them."""

from __future__ import annotations

import re

from targi_dsl.api.naming import spoken


def in_one_line(text: str) -> tuple[str, str]:
    """A line's own condition, if it has one, and the rest of it."""
    match = re.match(r"(?:otherwise )?(if .*?): (.+)", text)
    return (phrase(match[1]), phrase(match[2])) if match else ("", phrase(text))


def phrase(text: str) -> str:
    """A line of the rules as one would read it aloud."""
    return spoken(re.sub(r"\bdo (?=\w)", "", text)).rstrip(":")

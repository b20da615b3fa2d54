"""Suggestions for misspelt words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

LONGEST = 60
"""The longest word for which a suggestion is sought."""

MOST = 5_000
"""The most known names that a word is compared with."""


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The closest known name, or None if none is close enough; the first of several. Case is
    ignored. One edit (insertion, deletion, substitution, transposition) is allowed for every three
    letters, and at least one; the words must have something in common.
    """
    return None if len(word) > LONGEST else _closest(word, tuple(islice(known, MOST)))


@lru_cache(maxsize=128)
def _closest(word: str, known: tuple[str, ...]) -> str | None:
    best: str | None = None
    most, size, folded = max(1, len(word) // 3), len(word), word.casefold()
    letters = frozenset(folded)
    for name in known:
        if abs(len(name) - size) > most:
            continue
        other, allowed = name.casefold(), min(most, max(size, len(name)) - 1)
        if len(letters.difference(other)) > allowed:
            continue  # at least one edit for each letter of difference in length
        distance = edit_distance(folded, other, allowed)
        if distance <= allowed:
            best, most = name, distance - 1
            if not distance:
                break
    return best


def suggestion(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint with the closest known name, or `otherwise`."""
    near = did_you_mean(word, known)
    return otherwise if near is None else f"Did you mean `{near}`?"


def edit_distance(a: str, b: str, most: int) -> int:
    """The edit distance of two words (optimal string alignment, after Damerau and Levenshtein).
    Returns `most + 1` if it is greater; only cells near the diagonal are computed.
    """
    beyond = most + 1
    if abs(len(a) - len(b)) > most:
        return beyond
    before = list[int]()
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        first, last = max(1, i - most), min(len(b), i + most)
        row: list[int] = [i, *[beyond] * len(b)]
        for j in range(first, last + 1):
            y = b[j - 1]
            slips = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                slips = min(slips, before[j - 2] + 1)
            row[j] = min(slips, beyond)
        if min(row[first - 1 : last + 1]) > most:
            return beyond
        before, above = above, row
    return above[-1]

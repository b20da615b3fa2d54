"""What builders of nodes share: the parts of a sentence frame, and how one is picked out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from targi_dsl.syntax.ast import Word
from targi_dsl.syntax.lexing import Misread
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span

# A builder gets the parts of its frame that carry meaning: words as `Word`, nodes, tuples, and None
# for a part in square brackets that was left out. Frame names are the aliases in grammar.lark.

Parts = list[Any]
Frames = dict[str, Callable[[Parts, Span], Any]]


class Trait(NamedTuple):
    """A part that is known by its kind, not by its position."""

    kind: str
    value: Any
    span: Span


_One = TypeVar("_One")


def traits(parts: Parts) -> dict[str, Any]:
    """The traits among the parts; a kind that is said twice is a mistake."""
    found: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, Trait):
            if part.kind in found:
                title, why = f"`{part.span.text}` comes second", "This can be said once;"
                raise Misread(Problem("E112", title, part.span, why, "keep one of the two"))
            found[part.kind] = part.value
    return found


def given(parts: Sequence[_One | None]) -> tuple[_One, ...]:
    return tuple(part for part in parts if part is not None)


def maybe(k: Parts, at: int) -> Any:
    return k[at] if len(k) > at else None


def title(word: Word | None) -> str | None:
    return None if word is None else word.text[1:-1]


def number(word: Word) -> int:
    return int(word.text)


def head(parts: Parts) -> Parts:
    return parts[:1]


def trait(kind: str) -> Callable[[Parts, Span], Trait]:
    return lambda k, s: Trait(kind, k[0] if k else True, s)


def every_part(k: Parts, s: Span) -> tuple[Any, ...]:
    return tuple(k)


def first_part(k: Parts, s: Span) -> Any:
    return k[0]


def text(k: Parts, s: Span) -> str:
    return str(k[0].text)

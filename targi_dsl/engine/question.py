"""Questions to players and to chance, compiled."""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.engine.alike import Distinct
from targi_dsl.engine.guards import ELEMENT
from targi_dsl.engine.run import Frame, Run, Vector
from targi_dsl.ir import types as t
from targi_dsl.text.light import dataclass

EXCHANGE = 1 << 2 * ELEMENT  # options from here on are free exchanges
WAITS = -2  # WAITS - n: question n waits

Options = Callable[[Vector, Frame], list[int]]
Take = Callable[[Vector, int, Run], int]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at a point. `options` changes nothing; `take` returns the address to continue
    at; `name` gives an option's id, or with True its words for people; `part` gives its label and
    the thing it names, if it names one. declines: the options that do nothing. distinct: the filter
    that removes interchangeable things.
    """

    title: str
    chance: bool
    options: Options
    take: Take
    name: Callable[[Vector, Frame, int, bool], str]
    weight: Callable[[Vector, Frame, int], int] | None = None
    declines: frozenset[int] = frozenset()
    part: Callable[[Vector, Frame, int], tuple[str, t.Type, int] | None] | None = None
    distinct: Distinct | None = None

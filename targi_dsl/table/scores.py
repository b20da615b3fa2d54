"""The scores as a seat can know them, part by part."""

from __future__ import annotations

from targi_dsl.api import Result, result
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Stream
from targi_dsl.information.determinization import sample
from targi_dsl.information.observation import Observation
from targi_dsl.text.structs import Frozen
from targi_dsl.view.words import Words

_DRAWS = 8


class ScoreTable(Frozen):
    """The points of each player, in the order of the seats: a row for each part that counts for
    anybody, and all together. What depends on hidden things is given from the lowest to the highest
    of some positions that the observer cannot tell apart.
    """

    parts: tuple[tuple[str, tuple[str, ...]], ...]
    totals: tuple[str, ...]


def score_table(observation: Observation, words: Words) -> ScoreTable | None:
    """The scores in a position; none in a game without scores."""
    if not observation.game.scores:
        return None
    stream = Stream(0)
    draws = _DRAWS if observation.unknown or observation.hidden else 1
    return _table([result(sample(observation, stream)) for _ in range(draws)], words)


def final_scores(state: State, words: Words) -> ScoreTable | None:
    """The scores of a game that is over, which hidden things have decided too."""
    return _table([result(state)], words) if state.game.scores else None


def _table(counted: list[Result], words: Words) -> ScoreTable:
    names = [name for name in counted[0].breakdown[0] if _counts(counted, name)]
    parts = tuple(
        (words.score(name), tuple(_range(counted, seat, name, words) for seat in _seats(counted)))
        for name in names
    )
    totals = tuple(_range(counted, seat, "", words) for seat in _seats(counted))
    return ScoreTable(parts, totals)


def _seats(counted: list[Result]) -> range:
    return range(len(counted[0].scores))


def _counts(counted: list[Result], name: str) -> bool:
    return any(row[name] for one in counted for row in one.breakdown)


def _range(counted: list[Result], seat: int, name: str, words: Words) -> str:
    numbers = [one.breakdown[seat][name] if name else one.scores[seat] for one in counted]
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else words.say("{first} to {last}", first=low, last=high)

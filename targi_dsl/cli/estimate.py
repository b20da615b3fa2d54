"""The position and the scores as far as one seat knows them: what is hidden from it is sampled,
never read.
"""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.api import result
from targi_dsl.api.state import State
from targi_dsl.engine.chance import Stream
from targi_dsl.information.observation import observe, sample
from targi_dsl.records.notation import write
from targi_dsl.text.languages import Language

_DRAWS = 8


def as_known(state: State, seat: str) -> Iterator[str]:
    """The position as text; what the seat does not know is as it might be."""
    observation = observe(state, seat)
    if hidden := len(observation.unknown) + len(observation.hidden):
        yield f"# {hidden} cards or values are hidden from {seat}: they are drawn here by chance"
        state = sample(observation, Stream(hidden))
    yield from write(state).splitlines()


def scores(
    state: State, seat: str, language: Language
) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Each player's score and its parts. A part that depends on what is hidden is given as a range
    from the lowest to the highest sampled.
    """
    observation = observe(state, seat)
    hidden = bool(observation.unknown or observation.hidden)
    stream = Stream(0)
    results = [
        result(sample(observation, stream) if hidden else state)
        for _ in range(_DRAWS if hidden else 1)
    ]
    for number, player in enumerate(state.game.players):
        parts = {
            part: _range([outcome.breakdown[number][part] for outcome in results], language)
            for part in results[0].breakdown[number]
        }
        yield (
            player,
            _range([outcome.scores[number] for outcome in results], language),
            {name: text for name, text in parts.items() if text != "0"},
        )


def _range(numbers: list[int], language: Language) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else language.say("{first} to {last}", first=low, last=high)

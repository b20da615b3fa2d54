"""Score tables as a viewer can know them, and outcomes in words."""

from __future__ import annotations

from targi_dsl.api import Result, result
from targi_dsl.engine.chance import Stream
from targi_dsl.information.determinization import sample
from targi_dsl.information.observation import Observation
from targi_dsl.view.shape import Outcome, ScoreTable
from targi_dsl.view.words import Words

_DRAWS = 8


def score_table(observation: Observation, words: Words) -> ScoreTable | None:
    """The scores in a position, None in a game without scores; ranges over sampled determinizations
    if they may depend on hidden information.
    """
    if not observation.game.scores:
        return None
    stream = Stream(0)
    draws = _DRAWS if observation.unknown or observation.hidden else 1
    return _table([result(sample(observation, stream)) for _ in range(draws)], words)


def outcome_of(ended: Result, words: Words) -> Outcome:
    """The outcome of a finished game; nothing is hidden then."""
    scores = _table([ended], words) if words.game.scores else None
    winners = ended.winners if _is_won(ended) else ()
    return Outcome(_decided(ended, words), winners, scores)


def _is_won(ended: Result) -> bool:
    """Whether somebody wins, and it is not a draw among the first."""
    return bool(ended.winner) or "won" in ended.outcomes


def _decided(ended: Result, words: Words) -> str:
    """Who has won, and by which tie-break."""
    if ended.winner and ended.tiebreak:
        text, tiebreak = "{seat} wins by {tiebreak}.", words.word(ended.tiebreak)
        return words.say(text, seat=words.seat(ended.winner), tiebreak=tiebreak)
    if not _is_won(ended):
        is_lost = {*ended.outcomes} == {"lost"}
        return words.say("Everybody loses.") if is_lost else words.say("Nobody wins.")
    *others, last = map(words.seat, ended.winners)
    if others:
        return words.say("{others} and {last} win.", others=", ".join(others), last=last)
    return words.say("{seat} wins.", seat=last)


def _table(counted: list[Result], words: Words) -> ScoreTable:
    rows = [row for one in counted for row in one.breakdown]
    names = [name for name in rows[0] if any(row[name] for row in rows)]
    seats = range(len(counted[0].scores))
    parts = tuple(
        (
            words.score(name),
            tuple(_range([one.breakdown[seat][name] for one in counted], words) for seat in seats),
        )
        for name in names
    )
    totals = (_range([one.scores[seat] for one in counted], words) for seat in seats)
    return ScoreTable(parts, tuple(totals))


def _range(numbers: list[int], words: Words) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else words.say("about {first} to {last}", first=low, last=high)

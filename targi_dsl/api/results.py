"""How a game stands, or how it ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from targi_dsl.api.events import rule_name
from targi_dsl.engine import Engine, engine_of
from targi_dsl.engine.state import State


@dataclass(frozen=True, slots=True)
class Result:
    """How a game stands or ended: by seat, the scores and their named parts.

    over: whether the game has ended; nobody has won before that. ranks: by seat, 1 is the best;
    players still level after all tie-breaks share a rank. winners: the seats that share the first
    rank. winner: the only one of them, if there is just one. tiebreak: the last tie-break needed to
    find the winner.
    """

    scores: tuple[int, ...]
    breakdown: tuple[dict[str, int], ...]
    over: bool
    ranks: tuple[int, ...]
    winners: tuple[str, ...]
    winner: str | None
    tiebreak: str | None
    ended_by: str | None

    def data(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        found = asdict(self)
        for name in ("scores", "breakdown", "ranks", "winners"):
            found[name] = list(found[name])
        return found


def result(state: State) -> Result:
    """The scores, part by part; after the end, also the winners and the text of the tie-break that
    decided.
    """
    game, engine, v = state.game, engine_of(state.game), list(state.vector)
    parts = engine.scores(v)
    scores = tuple([sum(row) for row in parts])
    names = [part.name for part in game.scores]
    breakdown = tuple([dict(zip(names, row, strict=True)) for row in parts])
    standing = _Standing(engine, v, scores)
    if state.seat is not None:
        return Result(scores, breakdown, False, standing.ranks(), (), None, None, None)
    leaders, tiebreak = standing.ahead(list(range(len(scores))))
    winners = tuple([game.players[seat] for seat in leaders])
    alone = winners[0] if len(winners) == 1 else None
    ended_by = rule_name(engine, state.position.ended_by)
    return Result(
        scores,
        breakdown,
        True,
        standing.ranks(),
        winners,
        alone,
        tiebreak if alone else None,
        ended_by,
    )


@dataclass(frozen=True, slots=True)
class _Standing:
    """Compares players by score and then by as many tie-breaks as needed."""

    engine: Engine
    vector: list[int]
    scores: tuple[int, ...]

    def ranks(self) -> tuple[int, ...]:
        """By seat, 1 for the best."""
        ranks, left = [0] * len(self.scores), list(range(len(self.scores)))
        while left:
            rank = 1 + len(ranks) - len(left)
            for seat in self.ahead(left)[0]:
                ranks[seat] = rank
                left.remove(seat)
        return tuple(ranks)

    def ahead(self, seats: list[int]) -> tuple[list[int], str | None]:
        """Which of these players share the lead after all tie-breaks that were needed, and the text
        of the last one.
        """
        best = max([self.scores[seat] for seat in seats])
        leaders = [seat for seat in seats if self.scores[seat] == best]
        tiebreak = None
        for number, tie in enumerate(self.engine.game.ties):
            if len(leaders) == 1:
                break
            counts = [self.engine.tie(self.vector, number, seat) for seat in leaders]
            best = max(counts) if tie.most else min(counts)
            leaders = [seat for seat, count in zip(leaders, counts, strict=True) if count == best]
            tiebreak = tie.text
        return leaders, tiebreak

"""The current standing of a game, or its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec import to_builtins

from targi_dsl.api.events import rule_name
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import DRAWN, LOST, OUT, OUTCOMES, PLAYING, WON
from targi_dsl.ir.game import Game
from targi_dsl.text.structs import Frozen, Noted

TieOf = Callable[[int, int], int]
"""The value of a tie-break by its number, for a player."""


class Result(Noted):
    """The standing or result of a game. scores: by seat. points: by seat, the parts of the score,
    in the order of the game; `breakdown` has them by name.

    over: whether the game has ended; nobody has won before that. ranks: by seat, 1 is the best;
    players still level after all tie-breaks share a rank. winners: the seats that share the first
    rank, unless they have lost. winner: the winner, if there is exactly one. tiebreak: the last
    tie-break needed to find the winner. outcomes: by seat playing, won, lost, out or drawn, as set
    by the rules; in a game that only counts scores everybody is playing. Those who have won or
    drawn by a rule rank first, and those who have lost or are out rank last.
    """

    notes = ("game",)
    game: Game
    scores: tuple[int, ...]
    points: Sequence[Sequence[int]]
    over: bool
    ranks: tuple[int, ...]
    winners: tuple[str, ...]
    winner: str | None
    tiebreak: str | None
    ended_by: str | None
    outcomes: tuple[str, ...]

    @property
    def breakdown(self) -> tuple[dict[str, int], ...]:
        """By seat, the parts of the score by name."""
        names = [part.name for part in self.game.scores]
        return tuple([dict(zip(names, row, strict=True)) for row in self.points])

    @property
    def returns(self) -> tuple[float, ...]:
        """What each seat gets: its score, negative if the lowest wins; in a game without scores 1
        for a winner and -1 for anybody else, or 0 for all in a draw and before the end.
        """
        if self.game.scores:
            return tuple([float(self.game.merit(score)) for score in self.scores])
        won = 0.0 if OUTCOMES[DRAWN] in self.outcomes else 1.0
        if not self.over or set(self.outcomes) == {OUTCOMES[PLAYING]}:
            return (0.0,) * len(self.scores)
        return tuple([won if rank == 1 and self.winners else -1.0 for rank in self.ranks])

    def data(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        names = [name for name in self.__struct_fields__ if name not in ("game", "points")]
        fields: dict[str, Any] = to_builtins({name: getattr(self, name) for name in names})
        return fields | {"breakdown": list(self.breakdown)}


def result(state: State) -> Result:
    """The scores, part by part; after the end, also the winners and the text of the tie-break that
    decided.
    """
    game, engine, compiled = state.game, engine_of(state.game), state.compiled()
    outcomes = outcomes_of(engine, () if engine.outcomes == NOTHING else state.vector)
    found = None if compiled is None else compiled[0].scores(compiled[1])
    tie_of: TieOf
    if found is None:
        v = list(state.vector)
        points, tie_of = engine.scores(v), partial(engine.tie, v)
    else:
        points, tie_of = found[0], lambda tie, seat: found[1][seat * len(game.ties) + tie]
    scores = tuple([sum(row) for row in points])
    standing = Standing(game, tie_of, game.merits(points), outcomes)
    words = tuple([OUTCOMES[outcome] for outcome in outcomes])
    if state.seat is not None:
        return Result(game, scores, points, False, standing.ranks(), (), None, None, None, words)
    seats, tie = standing.winners()
    winners = tuple([game.players[seat] for seat in seats])
    return Result(
        game,
        scores,
        points,
        True,
        standing.ranks(),
        winners,
        winners[0] if len(winners) == 1 else None,
        None if tie == NOTHING else game.ties[tie].text,
        rule_name(engine, state.position.ended_by),
        words,
    )


def outcomes_of(engine: Engine, vector: Sequence[int]) -> tuple[int, ...]:
    """The outcomes set by the rules, by seat; the position is not read if they name none."""
    base, players = engine.outcomes, len(engine.game.players)
    return (PLAYING,) * players if base == NOTHING else tuple(vector[base : base + players])


_ORDER = {WON: 0, DRAWN: 0, PLAYING: 1, LOST: 2, OUT: 2}


class Standing(Frozen):
    """Compares players by outcome, then by score and then by as many tie-breaks as needed. All who
    win or draw by a rule share the first rank. merits: the scores, as numbers of which the highest
    wins.
    """

    game: Game
    tie_of: TieOf
    merits: tuple[int, ...]
    outcomes: tuple[int, ...]

    def ranks(self) -> tuple[int, ...]:
        """By seat, 1 for the best."""
        order = sorted(self.merits, reverse=True)
        if len({*order}) == len(order) and not any(self.outcomes):
            return tuple([1 + order.index(merit) for merit in self.merits])
        ranks, left = [0] * len(self.merits), list(range(len(self.merits)))
        while left:
            rank = 1 + len(ranks) - len(left)
            for seat in self.ahead(left)[0]:
                ranks[seat] = rank
                left.remove(seat)
        return tuple(ranks)

    def winners(self) -> tuple[list[int], int]:
        """The players who share the first rank at the end, unless they have lost; and the number of
        the last tie-break needed to find the only one, or nothing.
        """
        leaders, tie = self.ahead(list(range(len(self.merits))))
        winners = [seat for seat in leaders if self.outcomes[seat] not in (LOST, OUT)]
        return winners, tie if len(winners) == 1 else NOTHING

    def ahead(self, seats: list[int]) -> tuple[list[int], int]:
        """The players among these who share the lead after all tie-breaks that were needed, and the
        number of the last one, or nothing.
        """
        first = min([_ORDER[self.outcomes[seat]] for seat in seats])
        seats = [seat for seat in seats if _ORDER[self.outcomes[seat]] == first]
        if first == _ORDER[WON]:
            return seats, NOTHING
        best = max([self.merits[seat] for seat in seats])
        leaders = [seat for seat in seats if self.merits[seat] == best]
        last = NOTHING
        for number, tie in enumerate(self.game.ties):
            if len(leaders) == 1:
                break
            counts = [self.tie_of(number, seat) for seat in leaders]
            best = max(counts) if tie.most else min(counts)
            leaders = [seat for seat, count in zip(leaders, counts, strict=True) if count == best]
            last = number
        return leaders, last

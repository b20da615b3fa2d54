"""The current standing of a game, or its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from operator import eq
from typing import Any

from msgspec import to_builtins

from targi_dsl.api.events import rule_name
from targi_dsl.api.state import State
from targi_dsl.codegen.row import slot_of, slots_of
from targi_dsl.engine import Engine
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import DRAWN, LOST, OUT, OUTCOMES, PLAYING, WON
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import ENDED
from targi_dsl.text.structs import Frozen, Noted

_GAMES = 16  # games whose forms of results are cached

TieOf = Callable[[int, int], int]
"""The value of a tie-break by its number, for a player."""


class Result(Noted):
    """The standing or result of a game. scores: by seat. parts: of all scores, in the order of the
    game, seat by seat; `points` has them by seat, and `breakdown` by name.

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
    parts: tuple[int, ...]
    over: bool
    ranks: tuple[int, ...]
    winners: tuple[str, ...]
    winner: str | None
    tiebreak: str | None
    ended_by: str | None
    outcomes: tuple[str, ...]

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        """By seat, the parts of the score in the order of the game."""
        parts = len(self.game.scores)
        firsts = [parts * seat for seat in range(len(self.scores))]
        return tuple([self.parts[first : first + parts] for first in firsts])

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
        names = [name for name in self.__struct_fields__ if name not in ("game", "parts")]
        fields: dict[str, Any] = to_builtins({name: getattr(self, name) for name in names})
        return fields | {"breakdown": list(self.breakdown)}


def result(state: State) -> Result:
    """The scores, part by part; after the end, also the winners and the text of the tie-break that
    decided.
    """
    game, engine, compiled = state.game, state._engine, state.compiled()
    form, found = _form(engine), None if compiled is None else compiled[0].scores(compiled[1])
    if compiled is None or found is None:
        v = [*state.vector]
        points, outcomes = engine.scores(v), outcomes_of(engine, v)
        keys = _keys(engine, v, game.merits(points), outcomes)
        parts = (*chain.from_iterable(points),)
    else:
        keys, parts = [found[one] for one in form.keys], found[form.keys[-1].stop :]
        outcomes = form.outcomes
        if engine.outcomes != NOTHING:
            outcomes = slots_of(compiled[1], engine.outcomes, len(outcomes))
    scores = tuple([key[0] for key in keys])
    if game.lowest_wins:
        scores = tuple([-score for score in scores])
    words, shift = form.words, 1
    if any(outcomes):
        words, shift = tuple([OUTCOMES[outcome] for outcome in outcomes]), 2
        order = [_ORDER[outcome] for outcome in outcomes]
        keys = [(-at, *key) if at else _SHARED for at, key in zip(order, keys, strict=True)]
    best = sorted(keys, reverse=True)
    ranks = tuple([1 + best.index(key) for key in keys])
    if state.seat is not None:
        return Result(game, scores, parts, False, ranks, (), None, None, None, words)
    leader, count = ranks.index(1), ranks.count(1)
    winners: tuple[str, ...] = (game.players[leader],)
    winner, text = winners[0] if count == 1 else None, None
    if outcomes[leader] in (LOST, OUT):
        winners, winner = (), None
    elif count > 1:
        winners = tuple([one for one, rank in zip(game.players, ranks, strict=True) if rank == 1])
    elif len(best) > 1 and best[0][:shift] == best[1][:shift]:
        text = game.ties[_decisive(*best[:2]) - shift].text
    by = rule_name(engine, state.vector[ENDED] if compiled is None else slot_of(compiled[1], ENDED))
    return Result(game, scores, parts, True, ranks, winners, winner, text, by, words)


class _Form(Frozen):
    """What the results of a game have in common: where C puts what ranks each player; the outcomes
    as long as nobody has one, and their words.
    """

    keys: list[slice]
    outcomes: tuple[int, ...]
    words: tuple[str, ...]


@lru_cache(_GAMES)
def _form(engine: Engine) -> _Form:
    game = engine.game
    size, players = 1 + len(game.ties), len(game.players)
    keys = [slice(size * seat, size * (seat + 1)) for seat in range(players)]
    return _Form(keys, (PLAYING,) * players, (OUTCOMES[PLAYING],) * players)


def _keys(
    engine: Engine, v: list[int], merits: tuple[int, ...], outcomes: tuple[int, ...]
) -> list[tuple[int, ...]]:
    """What ranks players who are still playing, by seat: the merit and, of those who are level, the
    values of the tie-breaks, as numbers of which the highest wins.
    """
    ties = [(number, 1 if tie.most else -1) for number, tie in enumerate(engine.game.ties)]
    return [
        (merit, *[sign * engine.tie(v, number, seat) for number, sign in ties])
        if merits.count(merit) > 1 and _ORDER[outcomes[seat]]
        else (merit,)
        for seat, merit in enumerate(merits)
    ]


def _decisive(one: Sequence[int], other: Sequence[int]) -> int:
    """The index of the first difference."""
    return [*map(eq, one, other)].index(False)


def outcomes_of(engine: Engine, vector: Sequence[int]) -> tuple[int, ...]:
    """The outcomes set by the rules, by seat; the position is not read if they name none."""
    base, players = engine.outcomes, len(engine.game.players)
    return (PLAYING,) * players if base == NOTHING else tuple(vector[base : base + players])


_ORDER = {WON: 0, DRAWN: 0, PLAYING: 1, LOST: 2, OUT: 2}
_SHARED = (0,)  # what ranks those who have won or drawn by a rule


class Standing(Frozen):
    """Compares players by outcome, then by score and then by as many tie-breaks as needed. All who
    win or draw by a rule share the first rank. merits: the scores, as numbers of which the highest
    wins.
    """

    game: Game
    tie_of: TieOf
    merits: tuple[int, ...]
    outcomes: tuple[int, ...]

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

"""Plays whole games on an engine, with an answer for each seat, and counts what happens."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

from targi_dsl.api import choices
from targi_dsl.api.results import Standing, outcomes_of
from targi_dsl.api.state import State
from targi_dsl.codegen.tally import CUT_OFF, MOST_DECISIONS, Layout
from targi_dsl.engine import Engine, Run
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.options import EXCHANGE, unpack
from targi_dsl.engine.run import Waiting, cards_on, pile
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import rounds_of
from targi_dsl.ir.slots import ENDED, METER
from targi_dsl.players import player_of
from targi_dsl.players.busy import Busy
from targi_dsl.players.lookahead import Lookahead
from targi_dsl.players.random import Random, own_stream
from targi_dsl.players.search import Search
from targi_dsl.text.diagnostics import Problems

Answer = Callable[[Waiting, Run], int]
"""Maps a waiting position and the run with its options to the option taken."""


def plays_in_c(kind: str) -> bool:
    """Whether C can make the decisions of a kind of player, so that it can play whole games."""
    return type(player_of(kind, 0, "")) in (Random, Busy, Lookahead, Search)


def answerer(engine: Engine, kind: str, seed: int, seat: str) -> Answer:
    """A player of this kind at a seat, the same that `targi play` would have with this seed."""
    if kind == Random.kind:
        return _random(seed, seat)
    if kind == Busy.kind:
        return _busy(engine, seed, seat)
    return _faced(engine, engine.game, kind, seed, seat)


def _random(seed: int, seat: str) -> Answer:
    below = own_stream(Random.kind, seed, seat).below

    def answer(at: Waiting, run: Run) -> int:
        return run.options[below(len(run.options))]

    return answer


def _busy(engine: Engine, seed: int, seat: str) -> Answer:
    below = own_stream(Busy.kind, seed, seat).below

    def answer(at: Waiting, run: Run) -> int:
        options, declining = run.options, engine.declining(at.point)
        if declining:
            options = [option for option in options if option not in declining] or options
        return options[below(len(options))]

    return answer


def _faced(engine: Engine, game: Game, kind: str, seed: int, seat: str) -> Answer:
    player = player_of(kind, seed, seat)

    def answer(at: Waiting, run: Run) -> int:
        state = State(game, engine.pack(at), run.after(), seat, tuple(run.options))
        return player.choose(observe(state, seat), choices(state)).code

    return answer


class GameLoop:
    """Plays games on one engine. The tally accumulates from game to game."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.layout = engine, Layout.of(engine.game)
        self.tally = array("q", bytes(8 * self.layout.size))
        self.counts_rounds = rounds_of(engine.game.program)
        self._owner_of = _owners(engine)
        self._meaning = cache(self._means)

    def play(self, seed: int, answers: Sequence[Answer]) -> array[int]:
        """Plays a game and returns its row. Raises Problems if the rules cannot continue."""
        game = GameRun(self, seed, answers)
        for _ in game.decisions():
            pass
        return game.row()

    # ---- options counted ----

    def offer(self, at: Waiting, options: list[int]) -> None:
        """Counts the options of an open question."""
        self._count(at, options, self.layout.offered, self.layout.card_offered)

    def take(self, at: Waiting, option: int) -> None:
        """Counts the option that is taken."""
        self._count(at, [option], self.layout.taken, self.layout.card_taken)

    def _count(self, at: Waiting, options: list[int], by_cell: int, by_card: int) -> None:
        tally, players, you = self.tally, self.layout.players, at.frame[YOU]
        question, cards = self.engine.program.points[at.point].question, set[int]()
        for option in options:
            cell, card, place = self._meaning(question, option)
            tally[by_cell + cell * players + you] += 1
            if place != NOTHING:
                card = self._top_card(at.v, place, you)
            if card != NOTHING:
                cards.add(card)
        for card in cards:
            tally[by_card + card * players + you] += 1

    def _means(self, question: int, option: int) -> tuple[int, int, int]:
        """The cell of an option, and the card or place that it names."""
        if option >= EXCHANGE:
            return self.layout.exchanges + option - EXCHANGE, NOTHING, NOTHING
        way, element = unpack(option)
        cell = self.layout.ways[question][way]
        card = element if cell.names_card else NOTHING
        return cell.cell_of(element), card, element if cell.names_place else NOTHING

    def _top_card(self, v: list[int], place: int, you: int) -> int:
        """The card that lies on top of a place, if you know it."""
        slots = self.engine.program.slots
        card = v[slots.place_top + place]
        return card if card != NOTHING and v[slots.card_known + card] >> 1 + you & 1 else NOTHING

    # ---- the end of a game ----

    def hold(self, v: list[int], scores: Sequence[int], winner: int) -> None:
        """Counts the cards that the players have at the end, and the contribution of each card."""
        layout, slots, tally = self.layout, self.engine.program.slots, self.tally
        for card in range(len(self.engine.program.cards)):
            owner = self._owner_of[v[slots.card_place + card]]
            if owner != NOTHING:
                pair = card * layout.players + owner
                tally[layout.held + pair] += 1
                tally[layout.won + pair] += owner == winner
                tally[layout.points + pair] += scores[owner] - self._without(v, card, owner, scores)

    def _without(self, v: list[int], card: int, player: int, scores: Sequence[int]) -> int:
        """A player's score if a card were on no place."""
        slots, w = self.engine.program.slots, v[:]
        place = v[slots.card_place + card]
        pile(slots, w, place, [other for other in cards_on(slots, v, place) if other != card])
        w[slots.card_place + card] = w[slots.card_next + card] = NOTHING
        try:
            return sum(self.engine.score(w, player))
        except Problems:  # the score cannot be computed without the card
            return scores[player]


def _owners(engine: Engine) -> list[int]:
    """The owner of each place; the last entry is for cards that lie nowhere. Only places with
    active abilities count, if any of those belongs to a player.
    """
    places = engine.program.places
    any_active = any(place.active and place.owner != NOTHING for place in places)
    owners = [place.owner if place.active or not any_active else NOTHING for place in places]
    return [*owners, NOTHING]


class GameRun:
    """One game: played decision by decision, then summarized in its row."""

    def __init__(self, loop: GameLoop, seed: int, answers: Sequence[Answer]) -> None:
        self.loop, self.engine, self.answers = loop, loop.engine, answers
        self.run = _CountingRun(loop.engine, seed)
        self.made = self.branching = self.rounds = 0
        self.left: Waiting | None = None

    def decisions(self) -> Iterator[int]:
        """Plays to the end; yields the number of decisions made: 0 at the first question, and then
        after each answer.
        """
        engine, run, loop = self.engine, self.run, self.loop
        at = self.left = engine.start(run)
        yield 0
        while at.point != NOTHING and self.made < MOST_DECISIONS:
            self.rounds = run.rounds
            self.branching += len(run.options)
            loop.offer(at, run.options)
            option = self.answers[at.frame[YOU]](at, run)
            loop.take(at, option)
            at = self.left = engine.answer(at, option, run)
            self.made += 1
            yield self.made

    def row(self) -> array[int]:
        """The row of a finished game; its calls and cards are added to the tally."""
        self.loop.tally = self.final_tally()
        assert self.left is not None, "a game that has not begun"
        parts = self.engine.scores(self.left.v)
        lead = self.run.lead.after(self.engine.program.merits(parts))
        ended_by, tie, winners = self._ending(self.left, parts)
        counts = self.loop.counts_rounds
        rounds = self.rounds if counts == NOTHING else self.left.v[counts]
        row = [self.made, self.branching, rounds, ended_by, tie]
        row += [sum(1 << seat for seat in winners), lead.changes, *map(sum, parts)]
        points, layout, tally = [*chain.from_iterable(parts)], self.loop.layout, self.loop.tally
        tally[layout.branching] += self.branching
        for at, number in enumerate(points, layout.part_sums):
            tally[at] += number
        return array("q", [*row, *points])

    def final_tally(self) -> array[int]:
        """The tally, including the rules that this game has called so far."""
        tally, first_begun = self.loop.tally[:], self.loop.layout.begun
        for rule, count in enumerate(self.run.called or ()):
            tally[first_begun + rule] += count
        return tally

    def _ending(self, left: Waiting, parts: list[list[int]]) -> tuple[int, int, list[int]]:
        """The rule that ended the game, the tie-break that decided it, and the winners."""
        if left.point != NOTHING:
            return CUT_OFF, NOTHING, []
        game, outcomes = self.engine.game, outcomes_of(self.engine, left.v)
        tie_of, merits = partial(self.engine.tie, left.v), game.merits(parts)
        winners, tie = Standing(game, tie_of, merits, outcomes).winners()
        self.loop.hold(left.v, [*map(sum, parts)], winners[0] if len(winners) == 1 else NOTHING)
        return left.v[ENDED], tie, winners


class _Lead(NamedTuple):
    """Who leads by score, and how often that has changed."""

    leader: int = NOTHING
    changes: int = 0

    def after(self, merits: tuple[int, ...]) -> _Lead:
        """The leader by these scores, of which the highest wins; a tie leaves the previous one."""
        best = max(merits)
        if merits.count(best) > 1:
            return self
        leader = merits.index(best)
        return _Lead(leader, self.changes + (self.leader not in (NOTHING, leader)))


class _CountingRun(Run):
    """A run that counts rounds and calls and follows the lead."""

    __slots__ = ("engine", "lead", "rounds")

    def __init__(self, engine: Engine, seed: int) -> None:
        super().__init__(Seed(seed))
        self.engine, self.rounds, self.lead = engine, 0, _Lead()
        self.called = [0] * len(engine.program.procedures)

    def new_round(self) -> None:
        """Counts a round and updates the lead."""
        self.rounds += 1
        program = self.engine.program
        if program.scores:
            self.lead = self.lead.after(program.merits(self.engine.scores(_unspent(self.v))))


def _unspent(v: list[int]) -> list[int]:
    """The position with its meter at 0, as seen from outside."""
    w = v[:]
    w[METER] = 0
    return w

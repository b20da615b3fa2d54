"""Playouts in plain Python, which match those of generated C without a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import combinations, product

from targi_dsl.api.results import result
from targi_dsl.api.state import State
from targi_dsl.codegen.search import FAILED, Evaluation, Task
from targi_dsl.codegen.tally import Layout
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.machine import Engine, useful
from targi_dsl.engine.run import Counting, Waiting
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import rounds_of
from targi_dsl.text.diagnostics import Problems

_DEALS = 1024  # cached


class ReferencePlayouts:
    """Playouts in the interpreter; deal: draws the deal with a number."""

    def __init__(self, engine: Engine, task: Task, deal: Callable[[int], State]) -> None:
        if task.grows:
            raise ValueError("without generated C no tree grows")
        self.ends = list[int]()
        self.merits = dict[tuple[int, int], tuple[int, int]]()
        self.task, self.engine, self.rounds = task, engine, task.rounds
        self._deal = lru_cache(_DEALS)(deal)

    def run(self, playouts: int) -> None:
        """Continues until there have been so many playouts."""
        options = self.task.options
        for number in range(len(self.ends), playouts):
            row, at = divmod(number, len(options))
            deal = self._deal(row)
            playout = _Playout(self, deal)
            try:
                if not self.ends:
                    self._begin_merits(deal)
                playout.play(self.engine.open(deal.vector), options[at])
                leads = leads_of(
                    State.from_run(self.engine, playout.left, playout.run), self.task.evaluation
                )
            except Problems:  # the rules are at fault
                self.ends.append(FAILED)
                continue
            self.ends.append(leads[self.task.seat])
            for cell, you in playout.taken:
                visits, sum_ = self.merits.get((cell, you), (0, 0))
                self.merits[cell, you] = visits + 1, sum_ + leads[you]

    def _begin_merits(self, deal: State) -> None:
        """Begins with what was learned about the game, of leads over the one in this deal."""
        leads, prior = leads_of(deal, self.task.evaluation), self.task.prior
        for number, (visits, more) in enumerate(zip(prior[::2], prior[1::2], strict=True)):
            cell, you = divmod(number, len(leads))
            self.merits[cell, you] = visits, more + visits * leads[you]

    def visits(self) -> tuple[int, ...]:
        """The number of playouts of each option."""
        return tuple(len(self.ends[at :: len(self.task.options)]) for at in self._every)

    def sums(self) -> tuple[int, ...]:
        """The sum of the final leads of each option's playouts."""
        return tuple(sum(self.ends[at :: len(self.task.options)]) for at in self._every)

    def proven(self) -> tuple[int, ...]:
        """Nothing is proven without a tree."""
        return tuple(0 for _ in self._every)

    @property
    def _every(self) -> range:
        return range(len(self.task.options))

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self.engine.game)

    def cell(self, point: int, option: int) -> int:
        """The cell of an option among all options of the game."""
        return self._layout.cell_of(self.engine.program.points[point].question, option)


class _Playout:
    """A playout from a deal. Each seat has a random stream of its own, so that an extra decision of
    one does not change what the others do. taken: the options taken, with the player of each.
    """

    def __init__(self, playouts: ReferencePlayouts, deal: State) -> None:
        assert isinstance(deal.chance, Seed)
        seed, players = deal.chance.number, len(deal.game.players)
        self._playouts, self._task, self._engine = playouts, playouts.task, playouts.engine
        self.run, self.taken = Counting(Seed(seed)), list[tuple[int, int]]()
        self._streams = [Stream(~seed - (seat << 32)) for seat in range(players)]

    def play(self, left: Waiting, option: int) -> None:
        """Plays on from an option for a number of rounds. The first playout finds that number,
        doubling it until it has made enough decisions.
        """
        rounds = self._playouts.rounds or 2
        self._take(left, option)
        self._choose_until(rounds)
        while not self._playouts.rounds and self._decided < self._task.enough and self._is_open:
            rounds *= 2
            self._choose_until(rounds)
        self._playouts.rounds = rounds

    @property
    def _decided(self) -> int:
        return len(self.taken) - 1

    @property
    def _is_open(self) -> bool:
        return self.left.point != NOTHING

    def _choose_until(self, rounds: int) -> None:
        while self._is_open and self._decided < self._task.farthest and self.run.rounds < rounds:
            self._take(self.left, self._choice())

    def _choice(self) -> int:
        """The best by mean lead of a few random useful options: four from each word drawn."""
        options = useful(self.run.options, self._engine.declining(self.left.point))
        stream, n = self._streams[self.left.frame[YOU]], len(options)
        if self._task.draws == 1:
            return options[stream.below(n)]
        words = [stream.word() for _ in range(0, self._task.draws, 4)]
        drawn = (words[at // 4] >> 16 * (at % 4) & 0xFFFF for at in range(self._task.draws))
        best, *others = (options[number * n >> 16] for number in drawn)
        for other in others:
            if self._is_better(other, best):
                best = other
        return best

    def _is_better(self, one: int, other: int) -> bool:
        """Whether an option has the better mean; one without visits beats any with visits."""
        you, point = self.left.frame[YOU], self.left.point
        merits, cell = self._playouts.merits, self._playouts.cell
        visits, sum_ = merits.get((cell(point, one), you), (0, 0))
        its_visits, its_sum = merits.get((cell(point, other), you), (0, 0))
        if not visits or not its_visits:
            return visits < its_visits
        return sum_ * its_visits > its_sum * visits

    def _take(self, at: Waiting, option: int) -> None:
        self.taken.append((self._playouts.cell(at.point, option), at.frame[YOU]))
        self.left = self._engine.answer(at, option, self.run)


def leads_of(state: State, evaluation: Evaluation) -> list[int]:
    """Each player's lead over the best opponent, in tenths of a point."""
    totals = [round(10 * number) for number in result(state).returns]
    if state.seat is not None:
        for player, more in enumerate(evaluations(state, evaluation)):
            totals[player] += more
    others = (totals[:seat] + totals[seat + 1 :] for seat in range(len(totals)))
    return [own - max(rest, default=0) for own, rest in zip(totals, others, strict=True)]


def evaluations(state: State, evaluation: Evaluation) -> list[int]:
    """The heuristic value of each player's position beside the score, in tenths of a point."""
    weights = evaluation.weights[min(round_of(state), len(evaluation.weights) - 1)]
    return [
        sum(weights[at] * number for at, number in units.items())
        for units in units_of(state, evaluation)
    ]


def round_of(state: State) -> int:
    """The number of the round, or 0 if the rules do not count them."""
    slot = rounds_of(state.game.program)
    return 0 if slot == NOTHING else max(0, state.vector[slot])


def units_of(state: State, evaluation: Evaluation) -> list[Counter[int]]:
    """Each player's units of everything that has a weight, by the number of the weight."""
    game, position = state.game, state.position
    found = [Counter[int]() for _ in game.players]
    for resource, (player, units) in product(range(len(game.resources)), enumerate(found)):
        amount, at = position.amount(resource, player), 3 * resource
        units[at] = int(amount <= 0)
        units[at + 1], units[at + 2] = min(amount, evaluation.few), max(0, amount - evaluation.few)
    places, cards = 3 * len(game.resources), 3 * len(game.resources) + len(game.places)
    for place, (owner, is_active) in enumerate(evaluation.places):
        for card in position.cards_on(place) if owner != NOTHING else ():
            found[owner][places + place] += 1
            found[owner][cards + card + (0 if is_active else len(game.cards))] += 1
    lines = cards + 2 * len(game.cards)
    for kind, sort, *line in evaluation.lines:
        top = [next(iter(position.cards_on(at)), NOTHING) for at in line]
        faces = [evaluation.faces[sort][card] for card in top if card != NOTHING]
        if len(faces) < len(line):
            for one, other in combinations([face for face in faces if face != NOTHING], 2):
                found[evaluation.places[line[0]][0]][lines + 2 * kind + (one != other)] += 1
    return found

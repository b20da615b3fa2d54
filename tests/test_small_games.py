"""Tic-tac-toe, Kuhn poker and the dice race have the sizes and values given in the literature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.engine import Run, engine_of, playout
from targi_dsl.engine.chance import Asked, Listed, Seed
from targi_dsl.information.observation import observe
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import outcome_base
from targi_dsl.ir.slots import ENDED
from tests.games import compiled

# ---- tic-tac-toe ----

GAMES = {1: 131_184, 0: 46_080, -1: 77_904}
"""Games of tic-tac-toe that cross wins, that are drawn, and that nought wins: 255,168."""
POSITIONS = 5_478
"""Positions of tic-tac-toe, the empty board among them."""
FORCED = 222
"""Those with one free square and no three in a row: the engine takes the last square without
asking.
"""

Board = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a board to cross, and how many games lead from it to each end."""

    best: int
    games: Mapping[int, int]


@cache
def boards() -> dict[Board, Value]:
    """Every board that occurs, each continued once: it makes no difference which of a player's
    marks is where.
    """
    game = load("tic_tac_toe")
    engine, run, known = engine_of(game), Run(Seed(0)), dict[Board, Value]()
    first, half = game.slots.piece_place, len(game.pieces) // 2
    first_outcome = outcome_base(game.variables)

    def board(v: list[int]) -> Board:
        return tuple(sorted(v[first : first + half])), tuple(
            sorted(v[first + half : first + 2 * half])
        )

    def value(v: list[int], options: list[int]) -> Value:
        key = board(v)
        if key not in known:
            known[key] = _of_end(v) if v[ENDED] != NOTHING else _of_ways(v, options)
        return known[key]

    def _of_end(v: list[int]) -> Value:
        cross, nought = v[first_outcome : first_outcome + 2]
        return Value(cross - nought, {cross - nought: 1})

    def _of_ways(v: list[int], options: list[int]) -> Value:
        found = []
        for option in options:
            after = engine.answer(engine.open(v), option, run)
            found.append(value(engine.pack(after), run.options))
        best = (max if engine.seat(v) == 0 else min)(one.best for one in found)
        return Value(best, sum((Counter(one.games) for one in found), Counter()))

    value(engine.pack(engine.start(run)), run.options)
    return known


def test_tic_tac_toe_has_its_games() -> None:
    empty = max(boards().values(), key=lambda one: sum(one.games.values()))
    assert empty.games == GAMES
    assert sum(GAMES.values()) == 255_168


def test_tic_tac_toe_has_its_positions() -> None:
    assert len(boards()) == POSITIONS - FORCED


def test_tic_tac_toe_is_a_draw() -> None:
    free = (NOTHING,) * 5
    assert boards()[free, free].best == 0


# ---- Kuhn poker ----

CARDS = ("jack", "queen", "king")


@dataclass(frozen=True, slots=True)
class Node:
    """A position of Kuhn poker: whose turn it is, the player's knowledge, and the results of each
    choice; ends have scores.
    """

    seat: str | None
    known: tuple[object, ...]
    public: tuple[str, ...]
    card: str
    after: Mapping[str, Node]
    weights: Mapping[str, float]
    scores: tuple[int, ...]


def tree(state: State, public: tuple[str, ...] = ()) -> Node:
    """Everything that may happen from here."""
    seat = state.seat
    if seat is None:
        return Node(None, (), public, "", {}, {}, result(state).scores)
    offered = choices(state)
    after = {
        one.id: tree(play(state, one)[0], public if seat == "chance" else (*public, one.id))
        for one in offered
    }
    weights = {one.id: one.weight for one in offered}
    if seat == "chance":
        return Node(seat, (), public, "", after, weights, ())
    seen = observe(state, seat)
    known = (seen.vector, seen.unknown, seen.question, seen.choices)
    return Node(seat, known, public, state.cards(f"hand of {seat}")[0], after, weights, ())


@cache
def kuhn() -> Node:
    return tree(start(load("kuhn_poker"), Asked()))


def under(node: Node) -> Iterator[Node]:
    yield node
    for one in node.after.values():
        yield from under(one)


def test_kuhn_poker_has_six_deals_of_five_endings() -> None:
    deals = [node for node in under(kuhn()) if node.seat == "ann" and not node.public]
    assert len(deals) == 6
    for deal in deals:
        endings = [node for node in under(deal) if node.seat is None]
        assert sorted(node.public for node in endings) == [
            ("bet", "call"),
            ("bet", "fold"),
            ("pass", "bet", "call"),
            ("pass", "bet", "fold"),
            ("pass", "pass"),
        ]
    assert sum(node.seat is None for node in under(kuhn())) == 30


def test_every_game_of_kuhn_poker_sums_to_nothing() -> None:
    endings = [node.scores for node in under(kuhn()) if node.seat is None]
    assert all(sum(scores) == 0 for scores in endings)
    assert {abs(scores[0]) for scores in endings} == {1, 2}


def test_kuhn_poker_has_twelve_information_sets() -> None:
    """A player observes their own card and the public actions, no more and no less."""
    asked = [node for node in under(kuhn()) if node.seat in ("ann", "ben")]
    told = {(node.seat, node.card, node.public) for node in asked}
    assert len({(node.seat, node.known) for node in asked}) == len(told) == 12
    assert len({(node.seat, node.known, node.card, node.public) for node in asked}) == 12
    assert len(asked) == 24  # two deals in each


# An equilibrium of Kuhn (1950), with the jack's bluff at a third: how often each card bets or
# calls, by what was said.
BOLD = {
    ("ann", ()): (Fraction(1, 3), Fraction(0), Fraction(1)),
    ("ann", ("pass", "bet")): (Fraction(0), Fraction(2, 3), Fraction(1)),
    ("ben", ("pass",)): (Fraction(1, 3), Fraction(0), Fraction(1)),
    ("ben", ("bet",)): (Fraction(0), Fraction(1, 3), Fraction(1)),
}
VALUE = Fraction(-1, 18)
"""Of the game for who begins."""

Strategy = Callable[[Node], Mapping[str, Fraction]]


def equilibrium(node: Node) -> Mapping[str, Fraction]:
    """How often each choice is made."""
    timid, bold = node.after
    often = BOLD[str(node.seat), node.public][CARDS.index(node.card)]
    return {timid: 1 - often, bold: often}


def worth(node: Node, strategies: Mapping[str, Strategy]) -> Fraction:
    """The value of the game to ann."""
    if node.seat is None:
        return Fraction(node.scores[0])
    if node.seat == "chance":
        often: Mapping[str, Fraction] = {
            name: Fraction(weight).limit_denominator(6) for name, weight in node.weights.items()
        }
    else:
        often = strategies[node.seat](node)
    return sum(
        (often[name] * worth(after, strategies) for name, after in node.after.items()), Fraction(0)
    )


def pure(seat: str) -> Iterator[Strategy]:
    """All 64 ways to decide once and for all."""
    sets = sorted({(node.card, node.public) for node in under(kuhn()) if node.seat == seat})
    for decided in product((0, 1), repeat=len(sets)):
        yield partial(_decided, dict(zip(sets, decided, strict=True)))


def _decided(bold: Mapping[tuple[str, tuple[str, ...]], int], node: Node) -> Mapping[str, Fraction]:
    often = Fraction(bold[node.card, node.public])
    return dict(zip(node.after, (1 - often, often), strict=True))


def test_kuhns_equilibrium_loses_an_eighteenth_and_nobody_can_better_it() -> None:
    both: dict[str, Strategy] = {"ann": equilibrium, "ben": equilibrium}
    assert worth(kuhn(), both) == VALUE
    assert max(worth(kuhn(), {**both, "ann": one}) for one in pure("ann")) == VALUE
    assert min(worth(kuhn(), {**both, "ben": one}) for one in pure("ben")) == VALUE


@pytest.mark.parametrize(
    ("deal", "said", "net"),
    [
        (("king", "jack"), ("bet", "call"), 2),
        (("jack", "king"), ("bet", "fold"), 1),
        (("queen", "king"), ("pass", "bet", "fold"), -1),
        (("queen", "king"), ("pass", "pass"), -1),
    ],
)
def test_a_game_of_kuhn_poker_by_a_list(
    deal: tuple[str, str], said: tuple[str, ...], net: int
) -> None:
    state = start(load("kuhn_poker"), Listed(tuple(f"shuffle {card}" for card in deal)))
    for choice in said:
        state, _ = play(state, choice)
    assert result(state).scores == (net, -net)


# ---- the dice race ----


@pytest.mark.parametrize("name", ["dice_race", "dice_race_rough"])
def test_a_dice_race_ends_with_one_runner_at_the_goal(name: str) -> None:
    game = compiled(name)
    engine = engine_of(game)
    firsts = set[int]()
    for seed in range(100):
        v, _ = playout(game, seed)
        distances = [sum(row) for row in engine.scores(v)]
        assert max(distances) == 24 and all(1 <= one <= 24 for one in distances)
        assert distances.count(24) == 1
        firsts.add(distances.index(24))
    assert firsts == {0, 1}


# ---- oh hell ----


@pytest.mark.parametrize(("players", "most"), [(3, 17), (4, 12), (5, 10)])
def test_chance_says_how_many_cards_there_are_as_far_as_the_pack_goes(
    players: int, most: int
) -> None:
    chance = choices(start(load("oh_hell", players=players), Asked()))
    assert [one.id for one in chance] == [f"roll {number}" for number in range(1, most + 1)]

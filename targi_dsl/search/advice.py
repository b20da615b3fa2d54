"""A search explained to people: how much better a choice is than another, and the likely reply."""

from __future__ import annotations

from collections import Counter

from targi_dsl.api import choices, step
from targi_dsl.api.state import State
from targi_dsl.codegen.search import FAILED
from targi_dsl.engine.chance import whole_number
from targi_dsl.information.observation import Observation, observe
from targi_dsl.search import Budget, Search, Settings
from targi_dsl.search.estimates import Interval, mean_of
from targi_dsl.text.structs import Frozen

REPLIES = 5
"""Deals in which the reply to a choice is searched for, each with a part of the budget."""


class Advice(Frozen):
    """choice: the best; other: the next best, or the same if it is the only one; difference: how
    much better the best is, in points, or in a game without scores in wins. reply: a position after
    the choice in which another seat is asked, and the id of its likely choice there; None if the
    seat itself is asked again.

    The difference is measured in other deals than those in which the best was chosen.
    """

    choice: str
    other: str
    difference: Interval
    reply: tuple[State, str] | None


def advice(observation: Observation, seed: int, budget: Budget) -> Advice:
    """The advice of a lookahead for the seat that is asked."""
    search = Search(observation, seed, Settings())
    search.run(budget)
    ranked = sorted(search.estimates(), key=lambda one: one.lead, reverse=True)
    best, other = ranked[0].id, ranked[:2][-1].id
    again = Search(observation, whole_number(seed, 1), Settings())  # other deals
    again.run(Budget(max(1, budget.playouts // 2), budget.seconds / 2))
    return Advice(best, other, difference(again, best, other), _reply(search, best, budget))


def difference(search: Search, choice: str, other: str, first: int = 0) -> Interval:
    """How much better a choice is than another, in the deals from `first` on."""
    unit = 10 if search.observation.game.scores else 20
    pairs = paired_leads(search, choice, other, first)
    return mean_of([(mine - yours) / unit for mine, yours in pairs])


def paired_leads(search: Search, choice: str, other: str, first: int = 0) -> list[tuple[int, int]]:
    """The final leads of two choices in the deals from `first` on, less the deals in which the
    rules were at fault.
    """
    pairs = zip(leads(search, choice)[first:], leads(search, other)[first:], strict=True)
    return [pair for pair in pairs if FAILED not in pair]


def leads(search: Search, choice: str) -> list[int]:
    """The final leads of a choice's playouts, deal by deal."""
    ids = search.observation.choices
    return search.ends[ids.index(choice) :: len(ids)]


def _reply(search: Search, choice: str, budget: Budget) -> tuple[State, str] | None:
    """What another seat most often chooses in deals in which it is asked next."""
    found, after = Counter[str](), dict[str, State]()
    part = Budget(budget.playouts // REPLIES, budget.seconds / REPLIES)
    for number in range(REPLIES):
        state = step(deal := search.deal(number), choice)
        if state.seat in (None, deal.seat):
            continue
        observation = observe(state, str(state.seat))
        answers = Search(observation, number, Settings())
        answers.run(part)
        best = answers.best([one.id for one in choices(state)])[0]
        found[best] += 1
        after[best] = state
    return next(((after[id_], id_) for id_, _ in found.most_common(1)), None)

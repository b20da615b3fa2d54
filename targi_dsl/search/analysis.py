"""What the choices of a game were worth, judged afterwards by what each seat knew."""

from __future__ import annotations

from targi_dsl.engine.chance import whole_number
from targi_dsl.information.observation import Observation
from targi_dsl.search import Budget, Search, Settings
from targi_dsl.search.advice import difference, leads, paired_leads
from targi_dsl.search.estimates import Interval, mean_of
from targi_dsl.text.structs import Frozen


class Judgement(Frozen):
    """What one choice was worth. best: the best choice there. lost: how much better the best would
    have been, in points; chance: the share of games that the seat wins after the best choice, where
    all go on as in playouts; lost_chance: how much greater that is than after the choice made.

    The best is found in other deals than those that tell how much better it is.
    """

    choice: str
    best: str
    lost: Interval
    chance: float
    lost_chance: Interval

    @property
    def is_mistake(self) -> bool:
        """Whether it has cost something beyond doubt."""
        return self.lost.low > 0

    @property
    def is_turning_point(self) -> bool:
        """Whether it has cost a chance to win beyond doubt."""
        return self.lost_chance.low > 0


def judgement(observation: Observation, choice: str, seed: int, budget: Budget) -> Judgement:
    """Judges a choice of the seat that is asked."""
    search = Search(observation, seed, Settings())
    search.run(budget)
    half = len(leads(search, choice)) // 2
    best = max(observation.choices, key=lambda one: sum(leads(search, one)[:half]))
    to_end = Search(observation, whole_number(seed, 1), Settings(to_end=True))  # other deals
    to_end.run(budget)
    wins = [(_win(one), _win(other)) for one, other in paired_leads(to_end, best, choice)]
    return Judgement(
        choice,
        best,
        difference(search, best, choice, half),
        mean_of([one for one, _ in wins]).value,
        mean_of([one - other for one, other in wins]),
    )


def _win(lead: int) -> float:
    """Whether a seat with a lead has won; a half if nobody is ahead."""
    return (lead > 0) + (lead == 0) / 2

"""What the choices of a game were worth, judged afterwards by what each seat knew."""

from __future__ import annotations

from targi_dsl.engine.chance import whole_number
from targi_dsl.information.observation import Observation
from targi_dsl.search import Budget, Search, Settings
from targi_dsl.search.advice import difference, leads, paired_leads
from targi_dsl.search.estimates import Interval, mean_of
from targi_dsl.text.structs import Frozen


class Judgement(Frozen):
    """The value of one choice. best: the best choice there. lost: how many points worse it was than
    that; chance: the seat's share of wins after the best choice, with playouts for everybody;
    lost_chance: how much smaller that is after the choice made.

    The losses are measured in other deals than those in which the best was chosen.
    """

    choice: str
    best: str
    lost: Interval
    chance: float
    lost_chance: Interval

    @property
    def is_mistake(self) -> bool:
        """Whether it has lost points beyond doubt."""
        return self.lost.low > 0

    @property
    def is_turning_point(self) -> bool:
        """Whether it has lost winning chances beyond doubt."""
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
    """1 for a win by a lead, a half for a tie, else 0."""
    return (lead > 0) + (lead == 0) / 2

"""The results of a simulation by name, as plain data: who won, how games went, and the use of
cards, spaces, options and rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from targi_dsl.codegen.tally import CUT_OFF, Cells
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import outcome_base
from targi_dsl.ir.domains import Domains
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import Question
from targi_dsl.ir.types import Resource, Type
from targi_dsl.search.estimates import (
    Interval,
    difference,
    histogram,
    mean,
    mean_interval,
    proportion,
    share,
    spread,
    sum_of,
)
from targi_dsl.simulation.chunk import ChunkResult, Plan, Summary
from targi_dsl.simulation.document import (
    CardUse,
    ChoiceUse,
    Distribution,
    Document,
    Ending,
    Paired,
    PlayerResult,
    SeatResult,
    SpaceUse,
    TieBreak,
    Used,
    Won,
)
from targi_dsl.text.structs import Frozen

CLASSES = 12
"""The number of classes of a histogram."""


class Report:
    """Adds up the results of chunks, in any order."""

    def __init__(self, plan: Plan, game: Game) -> None:
        self.plan, self.game = plan, game
        self.rotations: list[Summary] = []
        self.pairs = Counter[int]()

    @property
    def games(self) -> int:
        """The games that have been added."""
        return sum(summary.games for summary in self.rotations)

    def add(self, played: ChunkResult) -> None:
        """Adds a chunk."""
        self.pairs.update(played.pairs)
        if not self.rotations:
            self.rotations = [Summary(summary.layout) for summary in played.summaries]
        for mine, its in zip(self.rotations, played.summaries, strict=True):
            mine.merge(its)

    def document(self) -> Document:
        """The whole report."""
        total = self._total()
        decisions = sum(number * count for number, count in total.decisions.items())
        return {
            "game": self.game.name,
            "rules": self.game.hash,
            "options": dict(self.game.options),
            "decks": dict(self.plan.decks),
            "seed": self.plan.seed,
            "games": total.games,
            "players": self._players(),
            "seats": [self._seat(total, seat) for seat in range(len(self.game.players))],
            "first_seat_edge": self._edge(total),
            "paired": self._paired(),
            "rounds": _distribution(total.rounds),
            "decisions": _distribution(total.decisions),
            "branching": total.branching / max(1, decisions),
            "lead_changes": _distribution(total.lead_changes),
            "endings": self._endings(total),
            "ties": self._ties(total),
            **Usage(self.game, total, self._is_won).document(),
        }

    def _edge(self, total: Summary) -> Interval | None:
        """The edge of the first seat, if seats differ in nothing else and players do not always win
        or lose together.
        """
        alike = self.plan.rotations > 1 or len(set(self.plan.seats)) == 1
        together = {0, (1 << len(self.game.players)) - 1}.issuperset(total.winners)
        return _edge(total) if alike and not together else None

    def _total(self) -> Summary:
        """The sum of all rotations, seat by seat."""
        total = Summary(self.rotations[0].layout)
        for summary in self.rotations:
            total.merge(summary)
        return total

    def _players(self) -> list[PlayerResult]:
        """The results of each player of the plan, in all seats together."""
        seats, results = len(self.game.players), list[PlayerResult]()
        for number, kind in enumerate(self.plan.seats):
            shifts = enumerate(self.rotations, number)
            at = [(shifted % seats, summary) for shifted, summary in shifts]
            wins = sum(summary.wins(seat) for seat, summary in at)
            shared = sum(summary.among_winners(seat) for seat, summary in at)
            scores = sum_of(summary.scores[seat] for seat, summary in at)
            won = self._won(wins, shared, scores)
            results.append({"player": kind, "begins_as": self.game.players[number], **won})
        return results

    def _won(self, wins: int, shared: int, scores: Counter[int]) -> Won:
        """What a player or seat has won; all histograms of scores have the same classes."""
        every = [score for summary in self.rotations for of in summary.scores for score in of]
        return {
            "wins": wins if self._is_won else None,
            "shared": shared if self._is_won else None,
            "share": proportion(wins, self.games) if self._is_won else None,
            "score": _distribution(scores, every) if self.game.scores else None,
        }

    @property
    def _is_won(self) -> bool:
        """Whether there is something to win: others to beat, or an outcome of the rules."""
        game = self.game
        return len(game.players) > 1 or outcome_base(game.variables) != NOTHING

    def _seat(self, total: Summary, seat: int) -> SeatResult:
        names = [part.name for part in self.game.scores]
        means: Counter[str] = Counter()
        for name, points in zip(names, total.parts(seat), strict=True):
            means[name] += points
        return {
            "seat": self.game.players[seat],
            **self._won(total.wins(seat), total.among_winners(seat), total.scores[seat]),
            "parts": {name: points / total.games for name, points in means.items()},
        }

    def _paired(self) -> Paired | None:
        """The number of seeds by how many of their games the first player won."""
        if self.plan.rotations == 1:
            return None
        seeds, rotations = self.pairs.total(), self.plan.rotations
        wins = {str(number): self.pairs[number] for number in range(rotations + 1)}
        interval = mean_interval(self.pairs, 0, rotations)
        won = interval.over(rotations) if interval is not None else None
        return {"seeds": seeds, "wins_of_first_player": wins, "share": won}

    def _endings(self, total: Summary) -> list[Ending]:
        endings = sorted(total.endings.items(), key=lambda ending: (-ending[1], ending[0]))
        return [{"ended_by": self._ending(rule), "games": count} for rule, count in endings]

    def _ending(self, rule: int) -> str | None:
        if rule == CUT_OFF:
            return None
        return "" if rule == NOTHING else self.game.program.procedures[rule].declared

    def _ties(self, total: Summary) -> list[TieBreak]:
        """The tie-breaks that decided games."""
        ties = (
            (self.game.ties[one].text, n) for one, n in sorted(total.ties.items()) if one != NOTHING
        )
        return [{"tie": text, "games": count} for text, count in ties]


def _edge(total: Summary) -> Interval | None:
    """The wins of the first seat minus the mean of the other seats' wins, per game."""
    others = len(total.scores) - 1
    if not others or not total.games:
        return None
    counts = Counter({others: total.wins(0)})
    counts[-1] = sum(total.wins(seat) for seat in range(1, others + 1))
    counts[0] = total.games - counts[others] - counts[-1]
    edge = mean_interval(counts, -1, others)
    return edge.over(others) if edge is not None else None


def _distribution(counts: Mapping[int, int], beside: Iterable[int] = ()) -> Distribution:
    return {
        "mean": mean(counts),
        "spread": spread(counts),
        "least": min(counts, default=0),
        "most": max(counts, default=0),
        "histogram": histogram(counts, CLASSES, beside),
    }


class Cell(Frozen):
    """An option, by cell of the tally: the rule that asks, the label of the answer and the name of
    the thing it names. listed: whether it gets a line of its own, not only its label. pays: whether
    it says how a price is paid, which no rule has written.
    """

    number: int
    rule: str
    label: str
    name: str
    place: int
    listed: bool
    pays: bool = False

    @property
    def id(self) -> str:
        """The id of the option."""
        return f"{self.label} {self.name}".strip()

    @property
    def choice(self) -> str:
        """The option's name in the report."""
        return self.id if self.listed else self.label


class Usage:
    """Looks up the counts of a tally by name."""

    def __init__(self, game: Game, summary: Summary, is_won: bool = True) -> None:
        self.game, self.summary, self.layout = game, summary, summary.layout
        self.is_won = is_won
        self.domains = Domains.of_game(game)
        self.cells = [*self._cells()]

    def document(self) -> Used:
        """Cards, spaces and choices with their use, and what was never used."""
        cards, choices = self._cards(), self._choices()
        used = [card for card in cards if card["taken"] or card["in_play"]]
        return {
            "cards": [card for card in cards if card["offered"] or card["in_play"]],
            "spaces": self._spaces(),
            "choices": [choice for choice in choices if choice["offered"]],
            "never": {
                "rules": self._unused_rules(),
                "cards": [card["card"] for card in cards if card not in used],
                "choices": [
                    {"rule": choice["rule"], "label": choice["label"], "offered": choice["offered"]}
                    for choice in choices
                    if not choice["taken"]
                ],
            },
        }

    def times_named(self, name: str) -> int:
        """How often the rule, card or option of this name was begun, taken or chosen."""
        rules, layout = enumerate(self.game.program.procedures), self.layout
        begun = (layout.begun + rule for rule, one in rules if one.declared == name)
        cards = (number for number, card in enumerate(self.game.cards) if card.id == name)
        cells = (cell.number for cell in self.cells if name in (cell.label, cell.id))
        count = sum(self.summary.tally[cell] for cell in begun)
        count += sum(self._sum_of(layout.card_taken, card) for card in cards)
        return count + sum(self._sum_of(layout.taken, cell) for cell in cells)

    def names(self) -> list[str]:
        """All names that `times_named` accepts."""
        rules = [procedure.declared for procedure in self.game.program.procedures]
        options = [name for cell in self.cells for name in (cell.label, cell.id)]
        return [*dict.fromkeys([*rules, *(card.id for card in self.game.cards), *options])]

    def _sum_of(self, section: int, thing: int) -> int:
        """A count, summed over all players."""
        first = section + thing * self.layout.players
        return sum(self.summary.tally[first : first + self.layout.players])

    # ---- cards ----

    def _cards(self) -> list[CardUse]:
        """Every card, with copies counted together."""
        copies: dict[int, list[int]] = {}
        for number, card in enumerate(self.game.program.cards):
            copies.setdefault(card.same, []).append(number)
        return [self._card(numbers) for numbers in copies.values()]

    def _card(self, numbers: list[int]) -> CardUse:
        layout, game = self.layout, self.game.cards[numbers[0]]
        sections = layout.card_offered, layout.card_taken, layout.held, layout.won, layout.points
        offered, taken, held, won, points = (
            sum(self._sum_of(section, number) for number in numbers) for section in sections
        )
        ended = self.summary.games - self.summary.endings[CUT_OFF]
        chances = ended * layout.players * len(numbers)
        wins = sum(map(self.summary.wins, range(layout.players))) * len(numbers)
        with_ = share(won, held) if self.is_won else None
        without = share(wins - won, chances - held) if self.is_won else None
        return {
            "card": game.id,
            "name": game.names.get("en", game.id),
            "copies": len(numbers),
            "offered": offered,
            "taken": taken,
            "in_play": held,
            "won_with": with_,
            "won_without": without,
            "difference": difference(with_, without),
            "points": points / held if held else None,
        }

    # ---- choices ----

    def _spaces(self) -> list[SpaceUse]:
        offered, taken = Counter[int](), Counter[int]()
        for cell in self.cells:
            if cell.place != NOTHING:
                offered[cell.place] += self._sum_of(self.layout.offered, cell.number)
                taken[cell.place] += self._sum_of(self.layout.taken, cell.number)
        names = [place.name for place in self.game.places]
        return [
            {"space": names[place], "offered": count, "taken": taken[place]}
            for place, count in sorted(offered.items())
            if count
        ]

    def _choices(self) -> list[ChoiceUse]:
        """Choices by the rule that asks; those that name a card, a space or a number are merged by
        label, and of payments only those that were offered are included.
        """
        rows: dict[tuple[str, str], ChoiceUse] = {}
        for cell in self.cells:
            offered = self._sum_of(self.layout.offered, cell.number)
            if cell.pays and not offered:
                continue
            none = ChoiceUse(rule=cell.rule, label=cell.choice, offered=0, taken=0)
            row = rows.setdefault((cell.rule, cell.choice), none)
            row["offered"] += offered
            row["taken"] += self._sum_of(self.layout.taken, cell.number)
        return [*rows.values()]

    def _unused_rules(self) -> list[str]:
        starts = Counter[str]()
        for rule, procedure in enumerate(self.game.program.procedures[: len(self.game.rules)]):
            starts[procedure.declared] += self.summary.tally[self.layout.begun + rule]
        return [name for name, count in starts.items() if not count]

    def _cells(self) -> Iterator[Cell]:
        """All cells of the tally."""
        for number, question in enumerate(self.game.program.questions):
            rule = self.game.program.procedures[question.rule].declared
            for way, cells in enumerate(self.layout.ways[number]):
                yield from self._of_way(rule, question, way, cells)
        for number, exchange in enumerate(self.game.program.exchanges):
            yield Cell(self.layout.exchanges + number, "", exchange.id, "", NOTHING, True)

    def _of_way(self, rule: str, question: Question, way: int, cells: Cells) -> Iterator[Cell]:
        label, type_ = self._label_of(question, way)
        members = range(cells.low, cells.low + cells.size)
        domain = None if type_ is None else self.domains.of(type_)
        listed = domain is not None and bool(domain.ids) and not cells.names_thing
        for element in members:
            if domain is None or element in domain.members:
                name = "" if domain is None else domain.name(element)
                place = element if cells.names_place else NOTHING
                pays = question.kind != "ask"
                yield Cell(cells.cell_of(element), rule, label, name, place, listed, pays)

    def _label_of(self, question: Question, way: int) -> tuple[str, Type | None]:
        """The label of a way, and the type of what it chooses."""
        if question.kind == "ask":
            choice = question.ways[way].choice
            return question.ways[way].label, None if choice is None else choice.type
        return "pay", Resource() if question.kind == "unit" else None

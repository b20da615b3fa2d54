"""Thousands of random games with all invariants on, and how often everything in the rules came to
work in them.

    python bench/soak.py base --games 20000 --write

Half of the players choose uniformly, half are busy: they never decline, and never end a turn while
something is left. `tests.invariants.random_game` looks at every position of every game. Counted are

- rules, by how often they are begun (the engine's steps at which rules begin are listened to);
- prohibitions, by how often one bars an answer in one position of twenty, chosen or not;
- abilities, once a decision: what lifts a prohibition, changes a definition or offers more when it
is asked and at
  work, what changes a price when a payment is asked, what is stored when it is spent, what scores
  at the end of a game; what is done when it is begun.

The exit code is 1 when something never came to work, unless a directed test is named for it below;
or when an invariant broke.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import click

from targi_dsl.api import Choice, result
from targi_dsl.compiler.project import shipped
from targi_dsl.compiler.load import load
from targi_dsl.engine import Run, engine_of
from targi_dsl.engine.code import Code, Vector
from targi_dsl.engine.flow import flow_of
from targi_dsl.engine.plans import Plan
from targi_dsl.engine.state import State
from targi_dsl.explain.refusal import Refusal
from targi_dsl.ir.model import FP, NOTHING, PC, AbilityInfo, Ask, Do, Game, Terms
from targi_dsl.syntax import parse_file
from targi_dsl.syntax.ast import Sheet
from tests.invariants import random_game

ROOT = Path(__file__).parent.parent
DOC = ROOT / "docs/soak.md"
SAMPLE = 20
"""One position of so many is asked what bars each answer."""
PORTION = 50
"""Games that a process plays in one go."""

DIRECTED: dict[str, dict[str, str]] = {
    "base": {
        "faces_own": "targi_base/test_placement.py::test_with_the_option_nobody_may_face_any_figure",
        "room_in_hand": "targi_base/test_tribe_cards.py::test_with_the_option_a_card_may_be_discarded_only_if_the_hand_is_full",  # noqa: E501
        "display_full": "targi_base/test_tribe_cards.py::test_with_twelve_cards_no_more_can_be_displayed",
        "no_targi_left": "cannot be: three figures are placed three times (B21)",
        "no_marker_left": "cannot be: three figures have two crossings at most (B26)",
        "swap_two.other_card": "targi_base/test_abilities.py::test_camel_5_may_swap_two_displayed_cards",
        "move_two.cell": "targi_base/test_abilities.py::test_camel_5_may_move_two_cards_judged_together",
        "move_two.other_card": "targi_base/test_abilities.py::test_camel_5_may_move_two_cards_judged_together",
        "move_two.other_cell": "targi_base/test_abilities.py::test_camel_5_may_move_two_cards_judged_together",
        "move_one.cell": "targi_base/test_abilities.py::test_camel_5_may_move_one_card_or_none",
        "gap": "targi_base/test_abilities.py::test_camel_5_leaves_no_gap",
        "camel_4": "targi_base/test_abilities.py::test_camel_4_gives_two_points_at_the_right_end_of_a_full_row",
        "equal_rows": "targi_base/test_scoring.py::test_full_rows_of_one_symbol_give_4_and_of_four_symbols_2",
        "mixed_rows": "targi_base/test_scoring.py::test_full_rows_of_one_symbol_give_4_and_of_four_symbols_2",
        "camel_6": "targi_base/test_abilities.py::test_camel_6_turns_up_two_goods_cards_at_the_caravan",
        "display_without_noble": "targi_base/test_abilities.py::test_targia_7_displays_from_the_hand_without_the_noble",
        "smith": "targi_base/test_border_cards.py::test_the_silversmith_makes_one_of_four_exchanges",
    },
    "expansion": {
        "return_water": "targi_expansion/test_water.py::test_surplus_water_comes_before_goods_and_gold",
        "no_surplus": "targi_expansion/test_water.py::test_surplus_water_comes_before_goods_and_gold",
        "not_the_last_raid": "targi_expansion/test_border_cards.py::test_cards_are_given_in_the_last_raid_only",
        "camp_13": "targi_expansion/test_abilities.py::test_camp_13_gives_two_points_for_each_full_row_that_brings_none",  # noqa: E501
    },
    "mixed_border": {
        "give_last_card": "cannot be: its last raid is the one of the base game (X44)",
        "give_last_card.card": "cannot be: its last raid is the one of the base game (X44)",
        "free_smith": "cannot be: its Silversmith is the one of the base game (X44)",
    },
    "base_robber_returns": {"raid_3": "cannot be: he turns back before it"},
    "bazaar": {
        "no_room": "test_bazaar.py::test_a_full_street_takes_no_more_stalls",
        "sent_all": "cannot be: there it is one helper that the option allows",
    },
    "dice_race": {"no_runner_left": "cannot be: a runner is placed once"},
    "tic_tac_toe": {"no_mark_left": "cannot be: there are as many marks as turns"},
}
"""What random games need not come by, and the directed test that does: FILE::TEST below tests/, or
why nothing can. It holds for the games that are based on this one, too.
"""


@dataclass(slots=True)
class Met:
    """What came to work in some games."""

    games: int = 0
    decisions: int = 0
    positions: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    prohibitions: Counter[str] = field(default_factory=Counter)
    lifted: Counter[str] = field(default_factory=Counter)
    abilities: Counter[str] = field(default_factory=Counter)

    def add(self, other: Met) -> None:
        self.games, self.decisions = self.games + other.games, self.decisions + other.decisions
        self.positions += other.positions
        for mine, more in zip(self.counters, other.counters, strict=True):
            mine.update(more)

    def forget(self) -> None:
        self.games = self.decisions = self.positions = 0
        for mine in self.counters:
            mine.clear()

    @property
    def counters(self) -> tuple[Counter[str], ...]:
        return self.rules, self.prohibitions, self.lifted, self.abilities


# ---- listening ----


class Ear:
    """Listens to one game's engine: rules that begin, abilities that are at work when asked, prices
    they change.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.met = game, Met()
        self.heard: set[str] = set()  # abilities since the last decision
        self.done = {info.name: self._doing(number) for number, info in enumerate(game.abilities)}
        self.stored = {
            one.slot: game.abilities[one.ability].name
            for terms in game.terms
            for one in terms.stored
        }
        self.permits = {
            game.abilities[ability].name: one.name
            for one in game.forbids
            for ability, _ in one.permits
        }
        plain = Code._activity
        try:  # the engine is made while abilities are listened to
            setattr(Code, plain.__name__, lambda code, info: self._noting(plain(code, info), info))
            self.engine = engine_of(game)
        finally:
            setattr(Code, plain.__name__, plain)
        self._hear_rules()
        self._hear_prices()

    def _doing(self, number: int) -> str:
        """How an ability works: "asked", or by the rule that it does, or by what is looked at here."""
        game = self.game
        if any(number in _of_prices(terms) for terms in game.terms):
            return "price"
        if any(number == one.ability for terms in game.terms for one in terms.stored):
            return "stored"
        if any(number == one.ability for one in game.scores):
            return "score"
        return (
            "rule"
            if any(rule.name == game.abilities[number].name for rule in game.rules)
            else "asked"
        )

    def _noting(
        self, active: Callable[[Vector, int], bool], info: AbilityInfo
    ) -> Callable[[Vector, int], bool]:
        if self.done[info.name] != "asked":
            return active
        heard, name = self.heard, info.name

        def noted(v: Vector, player: int) -> bool:
            if active(v, player):
                heard.add(name)
                return True
            return False

        return noted

    def _hear_rules(self) -> None:
        steps, code, begun = self.engine.steps, self.engine.code, self.met.rules

        def noting(step: Callable[[Vector, Run], int], name: str) -> Callable[[Vector, Run], int]:
            def noted(v: Vector, run: Run) -> int:
                begun[name] += 1
                return step(v, run)

            return noted

        for number, entry in enumerate(code.entries[: len(self.game.rules)]):
            assert code.entries.count(entry) == 1, "two rules begin at one step"
            steps[entry] = noting(steps[entry], self.game.rules[number].name)

    def _hear_prices(self) -> None:
        planner, names, heard = (
            self.engine.code.planner,
            [info.name for info in self.game.abilities],
            self.heard,
        )
        plain = planner.plans

        def plans(*arguments: Any) -> tuple[Plan, ...]:
            found = plain(*arguments)
            if len(arguments) > 1:
                heard.update(names[ability] for plan in found for ability in plan.used)
            return found

        vars(planner)["plans"] = plans

    def play(self, seed: int) -> None:
        """One game, with what is heard in it."""
        kept: list[int] = []

        def look(state: State, offered: tuple[Choice, ...]) -> None:
            met = self.met
            self.heard.update(
                name
                for slot, name in self.stored.items()
                if kept and state.vector[slot] < kept[slot]
            )
            kept[:] = state.vector
            self._settle()
            met.decisions += 1
            if met.decisions % SAMPLE == 0:
                met.positions += 1
                met.prohibitions.update(set(self._barring(state)))
                self.heard.clear()

        end = random_game(self.game, seed, busy=seed % 2 == 1, look=look).end
        self._settle()
        self.met.games += 1
        self._scored(end)

    def _settle(self) -> None:
        """Counts what has been heard since the last decision."""
        self.met.abilities.update(self.heard)
        self.met.lifted.update({self.permits[name] for name in self.heard if name in self.permits})
        self.heard.clear()

    def _barring(self, state: State) -> Iterator[str]:
        """The names of the prohibitions that bar an answer to the open question."""
        v = list(state.vector)
        node = flow_of(self.engine).waiting[v[PC]].node
        for one in node.alternatives if isinstance(node, Ask) else ():
            for element in one.choice.domain if one.choice is not None else (NOTHING,):
                for reason in Refusal(self.engine, v).reasons(v[FP], one, element):
                    yield reason.name

    def _scored(self, end: State) -> None:
        names = {
            part.name: self.game.abilities[part.ability].name
            for part in self.game.scores
            if part.ability >= 0
        }
        for row in result(end).breakdown:
            for part, number in row.items():
                if number and part in names:
                    self.met.abilities[names[part]] += 1
                elif number:
                    self.met.rules[f"score {part}"] += 1


def _of_prices(terms: Terms) -> set[int]:
    """The abilities that may change a price."""
    return {one.ability for one in terms.reductions} | {one.ability for one in terms.substitutes}


_EARS: dict[str, Ear] = {}


def heard(name: str, first: int, games: int) -> Met:
    """What came to work in games of these seeds; in a worker's process."""
    if name not in _EARS:
        _EARS[name] = Ear(load(name))
    ear, found = _EARS[name], Met()
    for seed in range(first, first + games):
        ear.play(seed)
    found.add(ear.met)
    ear.met.forget()
    return found


# ---- the command ----


def rows(game: Game, met: Met) -> Iterator[tuple[str, str, int]]:
    """Everything that there is: its kind, its name, and how often it came to work."""
    actions = {game.rules[rule].name for rule in game.actions if rule != NOTHING}
    abilities = {info.name for info in game.abilities}
    triggers = {game.abilities[one.ability].name for one in game.triggers}
    for rule in game.rules:
        if rule.name not in abilities:
            yield "action" if rule.name in actions else "rule", rule.name, met.rules[rule.name]
    for one in game.forbids:
        yield "prohibition", one.name, met.prohibitions[one.name]
        if one.permits:
            yield "permission", one.name, met.lifted[one.name]
    for info in game.abilities:
        times = max(met.abilities[info.name], met.rules[info.name])
        yield "trigger" if info.name in triggers else "ability", info.name, times
    for part in game.scores:
        if part.ability == NOTHING:
            yield "score", part.name, met.rules[f"score {part.name}"]


def idle(game: Game) -> frozenset[str]:
    """The rules that nothing in this game does, and their prohibitions: what a game it is based on
    needs them for.
    """
    left = [game.setup, game.round, *game.actions, *(one.body for one in game.triggers)]
    left += [one.arrival for one in game.abilities]
    done = set[int]()
    while left:
        rule = left.pop()
        if rule != NOTHING and rule not in done:
            done.add(rule)
            left += [node.rule for node in _nodes(game.rules[rule].body) if isinstance(node, Do)]
    names = {info.name for number, info in enumerate(game.rules) if number not in done}
    return frozenset(names | {one.name for one in game.forbids if one.rule not in done})


def _nodes(node: object) -> Iterator[object]:
    if is_dataclass(node):
        yield node
        for part in fields(node):
            yield from _nodes(getattr(node, part.name))
    elif isinstance(node, tuple):
        for one in node:
            yield from _nodes(one)


def directed(name: str) -> dict[str, str]:
    """What is directed of a game, and of those that it is based on."""
    library, found = shipped(), dict[str, str]()
    while name:
        found = DIRECTED.get(name, {}) | found
        sheet = library.game(name)
        assert sheet is not None, name
        based_on = next(node.based_on for node in parse_file(sheet)[0] if isinstance(node, Sheet))
        name = based_on.text if based_on is not None else ""
    return found


HEAD = """\
# Soak

Random games with all invariants at every position, half of them uniform and half busy (nobody declines, or ends a turn
while something is left), and how often everything in the rules came to work. Of a prohibition it is told in how many of
the positions that were looked at it barred something. What never came to work has a directed test, or there is nothing
in the game that does it.
`python bench/soak.py GAME --games N --write` computes this anew.

"""


def document(name: str, met: Met, found: list[tuple[str, str, int]]) -> str:
    """The table of a game as Markdown."""
    lines = [
        f"## {name}",
        "",
        f"{met.games:,} games, {met.decisions:,} decisions; {met.positions:,} positions looked at for prohibitions.",
        "",
        "| what | times |",
        "|------|-------|",
    ]
    tests, unused = directed(name), idle(load(name))
    for kind, what, times in found:
        test = tests.get(what, "nothing in this game does it" if what in unused else "**never**")
        instead = f"`{test}`" if "::" in test else test
        lines.append(f"| {kind} `{what}` | {f'{times:,}' if times else instead} |")
    return "\n".join([*lines, ""])


def exists(test: str) -> bool:
    """Whether there is such a directed test; a reason why there need be none exists."""
    file, found, function = test.partition("::")
    path = ROOT / "tests" / file
    return not found or (path.is_file() and f"def {function}(" in path.read_text(encoding="utf-8"))


def write(name: str, table: str) -> None:
    """Puts the table of a game into the document, in place of its former one."""
    kept = DOC.read_text(encoding="utf-8") if DOC.exists() else ""
    sections = re.split(r"^(?=## )", kept, flags=re.MULTILINE)[1:]
    others = [one.strip() + "\n" for one in sections if not one.startswith(f"## {name}\n")]
    DOC.write_text(HEAD + "\n".join(sorted([*others, table])), encoding="utf-8")


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--games", default=1000, help="How many games.")
@click.option("--first", default=0, help="The seed of the first.")
@click.option("--jobs", default=2, help="How many processes.")
@click.option("--write", "writing", is_flag=True, help="Write the table to docs/soak.md.")
def command(name: str, games: int, first: int, jobs: int, writing: bool) -> None:
    """Play random games of GAME with all invariants on, and count what came to work."""
    began, met, game = time.perf_counter(), Met(), load(name)
    told = directed(name)
    if untested := [what for what, test in told.items() if not exists(test)]:
        raise click.ClickException(f"no such directed test: {', '.join(untested)}")
    with ProcessPoolExecutor(jobs) as pool:
        portions = [
            pool.submit(heard, name, seed, min(PORTION, first + games - seed))
            for seed in range(first, first + games, PORTION)
        ]
        for portion in portions:
            met.add(portion.result())
    found = list(rows(game, met))
    for kind, what, times in found:
        click.echo(f"{times:>10,}  {kind} {what}")
    seconds = time.perf_counter() - began
    click.echo(
        f"{met.games:,} games, {met.decisions:,} decisions, {seconds:.0f} s: no invariant broken"
    )
    if writing:
        write(name, document(name, met, found))
    missing = [
        f"{kind} {what}"
        for kind, what, times in found
        if not times and what not in told.keys() | idle(game)
    ]
    if missing:
        raise click.ClickException(f"never came to work: {', '.join(missing)}")


if __name__ == "__main__":
    command()

"""Measures of play: length, draws, decisions that matter, drama, and who decides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import exp, inf

import numpy as np

from targi_dsl.api import Choice, choices, start, step
from targi_dsl.api import result as result_of
from targi_dsl.api.state import State
from targi_dsl.codegen.tally import MOST_DECISIONS, Layout
from targi_dsl.engine.chance import Seed, Stream, whole_number
from targi_dsl.ir.game import Game
from targi_dsl.lab.findings import Finding, Result, Section, estimate, quantity, result
from targi_dsl.lab.interventions import outcome, play_out, policy
from targi_dsl.lab.measures import columns, is_seen, is_share, rows_of
from targi_dsl.lab.runner import Batch, Measurement, Runner, in_all_seats
from targi_dsl.lab.statistics.samples import Sums
from targi_dsl.lab.version import Version, game_of
from targi_dsl.players import thinks

AHEAD = 0x3C6EF372FE94F82B
"""The origin of the streams of playouts, apart from those of deals."""

COURSES = 200
"""The most games that are analysed by playouts."""

LOOKS, PLAYOUTS = 12, 24
"""Moments of a game, and playouts from each."""

DECISIONS, OPTIONS, PLAYOUTS_OF_OPTION = 4, 8, 32
"""Decisions of a game that are analysed, options of each, and playouts of each option."""

SETTLED = 0.8
"""The winning chance from which on a game is settled, if it never falls below it again."""

HOPELESS = 0.05
"""The winning chance below which a seat is hopeless, and may decide for others."""

SURE = 2.0
"""By how many standard errors two options, or the chances of two seats, must differ."""

CAUTION = "by chance alone, up to 3 % of decisions seem to matter"

NAMES = (
    "drama",
    "changes of who is likely to win",
    "share of the game that is left when settled",
    "share of decisions that matter",
    "share of decisions that make kings",
)
MEANS = {
    "drama": "how far the later winner was behind in the chance to win, on average",
    "share of decisions that matter": "the best and the worst option differ in who wins",
    "share of decisions that make kings": "a seat without hope decides who else wins",
}


def metrics(version: Version, kind: str, runner: Runner, command: str = "") -> Result:
    """The measures of games from outside, and of some by playouts. Raises Problems if the version
    has errors.
    """
    game = game_of(version)
    sums: dict[str, Sums] = {}
    taken = np.zeros(0)
    arm, half = in_all_seats(version, kind), runner.seconds / 2
    for (batch,) in runner.play([arm], seconds=half):
        if not batch.numbers:
            continue
        for name, values in columns(game, rows_of(game, batch)).items():
            sums.setdefault(name, Sums()).add(values)
        taken = _taken(game, batch) + (taken if len(taken) else 0)
    count = max((one.count for one in sums.values()), default=0)
    about = f"{kind} in all seats; {quantity(count, 'game')}"
    findings = [_finding(name, one) for name, one in sums.items() if is_seen(name, one.mean)]
    remarks: tuple[str, ...] = ()
    if taken.sum():
        parts = taken[taken > 0] / taken.sum()
        says = f"options as varied as {exp(-(parts * np.log(parts)).sum()):.1f} taken equally often"
        remarks = (f"strategies: {says}",)
    sections = [Section(about, tuple(findings), remarks, count)]
    if len(game.players) > 1:
        sections.append(_within(version, kind, runner, half))
    return result(f"What play of {version.arguments} is like", command, sections, runner)


def _taken(game: Game, batch: Batch) -> np.ndarray:
    """By cell of the tally, how often anybody took the option."""
    layout = Layout.of(game)
    tally = np.array(batch.tallies, dtype=float).sum(axis=0)
    found: np.ndarray = tally[layout.taken : layout.card_offered].reshape(-1, layout.players)
    sums: np.ndarray = found.sum(axis=1)
    return sums


def _finding(name: str, sums: Sums) -> Finding:
    found = sums.interval(of_share=is_share(name))
    found = found.within(0, inf) if name in NAMES else found
    meaning = f": {MEANS[name]}" if name in MEANS else ""
    told = estimate(name, found)
    return Finding(name, found, "", f"{name}: {told}{meaning}", told)


def _within(version: Version, kind: str, runner: Runner, seconds: float) -> Section:
    deals = Measurement(version, partial(_course, kind), thinks=thinks(kind))
    played = runner.play([deals], COURSES, seconds)
    rows = [np.array(batch.rows) for (batch,) in played if batch.numbers]
    rows = [row for row in rows if not np.isnan(row).any()]
    names = NAMES if len(game_of(version).players) > 2 else NAMES[:-1]
    findings = []
    for at, name in enumerate(names):
        values = np.array([row[at] for row in rows])
        sums = Sums()
        sums.add(values)
        if sums.count:
            findings.append(_finding(name, sums))
    remarks = (
        f"chances are counted in {PLAYOUTS} playouts by chance from each of {LOOKS} moments",
    )
    about = f"From within {quantity(len(rows), 'game')}"
    return Section(about, tuple(findings), remarks, len(rows), (CAUTION,))


def _course(kind: str, version: Version, number: int) -> list[float]:
    """Plays a deal and analyses it by playouts: the measures of `NAMES`."""
    game = game_of(version)
    state, play, states = start(game, Seed(number)), policy(game, kind, number), list[State]()
    while (offered := choices(state)) and len(states) < MOST_DECISIONS:
        states.append(state)
        state = step(state, play(state, offered))
    if state.seat is not None or not (winners := result_of(state).winners):
        return [np.nan] * len(NAMES)
    winner = game.players.index(winners[0])
    picked = np.unique(np.linspace(0, len(states) - 1, LOOKS).astype(int))
    tries = [_chances(states[at], number, PLAYOUTS) for at in picked]
    chances = np.array([one.mean(axis=0) for one in tries])
    behind = np.array([_behind(one, winner) for one in tries])
    likely = np.array([one for one in map(_leader, tries) if one is not None])
    open_ = np.flatnonzero(chances[:, winner] < SETTLED)
    left = 1 - (picked[open_[-1]] + 1) / len(states) if len(open_) else 1.0
    stream = Stream(whole_number(AHEAD, number))
    tried = [_tried(states[stream.below(len(states))], number, stream) for _ in range(DECISIONS)]
    real, kings = np.array(tried, dtype=float).mean(axis=0)
    return [behind.mean(), float((likely[1:] != likely[:-1]).sum()), left, real, kings]


def _chances(state: State, number: int, playouts: int) -> np.ndarray:
    """By playout and seat, the share of the win, from 0 to 1: cards stay, dice fall anew."""
    game, rows = state.game, list[list[float]]()
    for at in range(playouts):
        seed = whole_number(AHEAD, number * 1000 + at)
        end = play_out(state.with_chance(Seed(seed)), policy(game, "busy", seed))
        rows.append([outcome(end, seat)[0] for seat in range(len(game.players))])
    chances: np.ndarray = np.array(rows)
    return chances


def _behind(tries: np.ndarray, winner: int) -> float:
    """How far the winner was behind the leader. One half of the playouts finds the leader, the
    other measures the lead, as the highest estimate is biased upwards. tries: playouts by seats.
    """
    halves = [tries[half::2].mean(axis=0) for half in range(2)]
    ahead = [its[one.argmax()] - its[winner] for one, its in (halves, halves[::-1])]
    return float(np.mean(ahead))


def _leader(tries: np.ndarray) -> int | None:
    """The seat that is more likely to win than any other beyond doubt."""
    *_, second, best = tries.mean(axis=0).argsort()
    ahead = tries[:, best] - tries[:, second]
    is_sure = ahead.mean() > SURE * ahead.std(ddof=1) / np.sqrt(len(ahead))
    return int(best) if is_sure else None


def _tried(state: State, number: int, stream: Stream) -> tuple[bool, bool]:
    """Whether the options of a decision differ in whether the seat wins, and whether the seat is
    hopeless and they differ in who else wins. The options that differ most are found in one half of
    the playouts, and their difference measured in the other.
    """
    offered: Sequence[Choice] = choices(state)
    some = [offered[stream.below(len(offered))] for _ in range(min(OPTIONS, len(offered)))]
    some = [*{one.id: one for one in some}.values()]
    if len(some) < 2:
        return False, False
    tries = np.array([_chances(step(state, one), number, PLAYOUTS_OF_OPTION) for one in some])
    seat = state.game.players.index(str(state.seat))
    differ = [_differ(tries[:, :, at]) for at in range(tries.shape[2])]
    is_hopeless = tries[:, :, seat].mean() < HOPELESS
    others = any(one for at, one in enumerate(differ) if at != seat)
    return differ[seat], is_hopeless and others


def _differ(tries: np.ndarray) -> bool:
    """Whether the best option, by half of the playouts, beats the worst in the other half. tries:
    options by playouts.
    """
    half = tries.shape[1] // 2
    means = tries[:, :half].mean(axis=1)
    best, worst = tries[means.argmax(), half:], tries[means.argmin(), half:]
    change = best - worst
    error = change.std(ddof=1) / np.sqrt(len(change))
    return bool(change.mean() > SURE * error > 0)

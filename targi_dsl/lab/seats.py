"""The value of each seat, and what would make the seats even."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf, isfinite

import numpy as np
from msgspec.structs import replace

from targi_dsl.codegen.tally import Row
from targi_dsl.ir.game import Game
from targi_dsl.lab.findings import Finding, Result, Section, amount, estimate, quantity, result
from targi_dsl.lab.measures import columns, is_share, rows_of
from targi_dsl.lab.runner import Runner, in_all_seats
from targi_dsl.lab.statistics.samples import Sums
from targi_dsl.lab.version import Version, game_of
from targi_dsl.search.estimates import Interval, proportion
from targi_dsl.text.diagnostics import Problems

MOST_UNITS = 4
"""The most units of a resource that are tried."""

CAUTION = "points that make it even are counted in games in which nobody had them"


def seats(version: Version, kind: str, runner: Runner, command: str = "") -> Result:
    """The share and the points of each seat with the same player in all of them, how many points
    each would have to give for an even share, and how much of which resource the seat that is
    farthest behind would have to get. Raises Problems if the version has
    errors, and ValueError for a game with one seat.
    """
    game, seconds = game_of(version), runner.seconds / 2
    if len(game.players) < 2:
        raise ValueError(f"{game.title} has only one seat")
    sums: dict[str, Sums] = {}
    margins = [Counter[int]() for _ in game.players]
    for (batch,) in runner.play([in_all_seats(version, kind)], 0, seconds):
        rows = rows_of(game, batch)
        for name, values in columns(game, rows).items():
            if name.startswith(("share of ", "points of ", "draws")):
                sums.setdefault(name, Sums()).add(values)
        merits: np.ndarray = game.merit(1) * rows[:, Row.SCORES : Row.SCORES + len(game.players)]
        for seat, counter in enumerate(margins):
            others = np.delete(merits, seat, axis=1).max(axis=1)
            counter.update((merits[:, seat] - others).tolist())
    count = max((one.count for one in sums.values()), default=0)
    about = f"{kind} in all seats; {quantity(count, 'game')}"
    title = f"The seats of {version.arguments}"
    if not count:
        return result(title, command, [Section(f"{about}: none has ended.", ())], runner)
    even = 1 / len(game.players)
    findings = [_finding(name, one, even) for name, one in sums.items()]
    cautions: tuple[str, ...] = ()
    if game.scores:
        findings += [_compensation(game, seat, counter) for seat, counter in enumerate(margins)]
        cautions = (CAUTION,)
    sections = [Section(about, tuple(findings), (), count, cautions)]
    behind = [one for one in findings if one.measure.startswith("share ") and one.verdict == "less"]
    if behind and game.resources:
        last = min(behind, key=lambda one: one.interval.value)
        sections.append(_gains(version, kind, last, runner, count))
    return result(title, command, sections, runner)


def _finding(name: str, sums: Sums, even: float) -> Finding:
    found = sums.interval(of_share=is_share(name))
    told = estimate(name, found)
    says, verdict = f"{name}: {told}", ""
    if name.startswith("share of "):
        verdict = "even" if found.holds(even) else "more"
        if found.high < even:
            verdict = "less"
        words = "no edge is seen" if verdict == "even" else f"{verdict} than even"
        says = f"{says}: {words}, where even is {amount(name, even)}"
    return Finding(name, found, verdict, says, told)


def _compensation(game: Game, seat: int, margins: Counter[int]) -> Finding:
    """How many points a seat would have to give for an even share, by the games played; if the
    lowest score wins, to take. The interval has all numbers of points that an even share does not
    rule out.
    """
    even, count = 1 / len(game.players), margins.total()
    points = range(min(margins) - 1, max(margins) + 2)
    above, shares = count, list[float]()
    for given in points:
        above -= margins[given]
        shares.append((above + margins[given] * even) / count)
    fits = [
        given
        for given, one in zip(points, shares, strict=True)
        if proportion(one * count, count).holds(even)
    ]
    best = min(zip(points, shares, strict=True), key=lambda pair: abs(pair[1] - even))[0]
    low, high = min([*fits, best]), max([*fits, best])
    # too few games, if winning every one of them may be even
    ends = -inf if low == points[0] else low, inf if high == points[-1] else high
    name, told = f"compensation by {game.players[seat]}", f"({' to '.join(map(_whole, ends))})"
    found, says = Interval(best, *ends), f"{name}: {best} points make it even {told}"
    return Finding(name, found, "even" if found.holds(0) else "uneven", says, f"{best} {told}")


def _whole(points: float) -> str:
    return f"{points:g}" if isfinite(points) else "?"


def _gains(version: Version, kind: str, last: Finding, runner: Runner, deals: int) -> Section:
    """How many units of each resource, given after the setup, make a seat even: each number is a
    checked variant, played on the same deals.
    """
    game, refused = game_of(version), list[str]()
    seat, seconds = last.measure.removeprefix("share of "), runner.seconds / 2
    found = list[Finding]()
    for resource in game.resources:
        shares = [last.interval]
        try:
            for units in range(1, MOST_UNITS + 1):
                gain = f"{seat} gains {units} {resource}"
                other = replace(version, gains=(*version.gains, gain))
                part = seconds / (MOST_UNITS * len(game.resources))
                shares.append(_share(other, kind, last.measure, runner, deals, part))
                if shares[-1].low > 1 / len(game.players):
                    break
        except Problems:
            refused.append(resource)
        if len(shares) > 1:
            found.append(_gain(seat, resource, shares, 1 / len(game.players)))
    about = f"{kind} in all seats, on the same deals, where {seat} begins with more"
    remarks = tuple(f"{one} cannot be given" for one in refused)
    return Section(about, tuple(found), remarks, deals)


def _share(
    version: Version, kind: str, measure: str, runner: Runner, deals: int, seconds: float
) -> Interval:
    game, sums = game_of(version), Sums()
    for (batch,) in runner.play([in_all_seats(version, kind)], deals, seconds):
        sums.add(columns(game, rows_of(game, batch))[measure])
    return sums.interval(of_share=True) if sums.count else Interval(0, 0, 1)


def _gain(seat: str, resource: str, shares: Sequence[Interval], even: float) -> Finding:
    """The number of units that comes nearest to an even share, and all that it does not
    rule out.
    """
    name, every = f"{resource} for {seat}", range(len(shares))
    best = min(every, key=lambda units: abs(shares[units].value - even))
    fits = [units for units in every if shares[units].holds(even)]
    got = estimate("share of seat", shares[best])
    if fits:
        found, verdict = Interval(best, min(fits), max(fits)), "uneven"
        says = f"{best} make it even ({min(fits)} to {max(fits)}): {got} of the wins"
    elif shares[-1].low > even:
        found, verdict = Interval(best, best, best), "uneven"
        says = f"no number makes it even; {best} come nearest: {got} of the wins"
    else:
        found, verdict = Interval(best, MOST_UNITS, inf), "not known yet"
        says = f"{MOST_UNITS} are not enough; {best} come nearest: {got} of the wins"
    return Finding(name, found, verdict, f"{name}: {says}", says.partition(":")[0])

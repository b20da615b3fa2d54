"""What each seat is worth, and what would make a seat even."""

from __future__ import annotations

from collections import Counter

import numpy as np

from targi_dsl.codegen.tally import Row
from targi_dsl.ir.game import Game
from targi_dsl.lab.estimates import share
from targi_dsl.lab.findings import Finding, Result, Section, amount, between, result
from targi_dsl.lab.measures import columns, is_share, rows_of
from targi_dsl.lab.runner import Arm, Runner
from targi_dsl.lab.sums import Sums
from targi_dsl.lab.version import Version, loaded
from targi_dsl.simulation.document import Interval

CAUTION = "points that make it even are counted in games in which nobody had them"


def seats(version: Version, kind: str, runner: Runner, command: str = "") -> Result:
    """The share and the points of each seat with the same player in all of them, and how many
    points the first seat would have to give for an even share. Raises Problems if the version has
    errors, and ValueError for a game with one seat.
    """
    game = loaded(version)
    if len(game.players) < 2:
        raise ValueError(f"{game.title} has only one seat")
    sums: dict[str, Sums] = {}
    margins = [Counter[int]() for _ in game.players]
    for (batch,) in runner.play([Arm(version, (kind,) * len(game.players))]):
        rows = rows_of(game, batch)
        for name, values in columns(game, rows).items():
            if name.startswith(("share of ", "points of ", "draws")):
                sums.setdefault(name, Sums()).add(values)
        scores = rows[:, Row.SCORES : Row.SCORES + len(game.players)]
        for seat, counter in enumerate(margins):
            others = np.delete(scores, seat, axis=1).max(axis=1)
            counter.update((scores[:, seat] - others).tolist())
    count = max((one.count for one in sums.values()), default=0)
    about = f"{kind} in all seats; {count:,} games"
    title = f"The seats of {version.arguments}"
    if not count:
        return result(title, command, [Section(f"{about}: none has ended.", ())], runner)
    even = 1 / len(game.players)
    findings = [_finding(name, one, even) for name, one in sums.items()]
    cautions: tuple[str, ...] = ()
    if game.scores:
        findings += [_compensation(game, seat, counter) for seat, counter in enumerate(margins)]
        cautions = (CAUTION,)
    section = Section(about, tuple(findings), (), count, cautions)
    return result(title, command, [section], runner)


def _finding(name: str, sums: Sums, even: float) -> Finding:
    found = sums.interval(of_share=is_share(name))
    says, verdict = f"{name}: {between(name, found)}", ""
    if name.startswith("share of "):
        verdict = "even" if found.low <= even <= found.high else "more"
        if found.high < even:
            verdict = "less"
        words = "no edge is seen" if verdict == "even" else f"{verdict} than even"
        says = f"{says}: {words}, where even is {amount(name, even)}"
    return Finding(name, found, verdict, says)


def _compensation(game: Game, seat: int, margins: Counter[int]) -> Finding:
    """How many points a seat would have to give to win an even share, by the games as played. All
    numbers of points that an even share does not rule out are within the interval.
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
        if (found := share(round(one * count), count)).low <= even <= found.high
    ]
    best = min(zip(points, shares, strict=True), key=lambda pair: abs(pair[1] - even))[0]
    found = Interval(best, min([*fits, best]), max([*fits, best]))
    name = f"compensation by {game.players[seat]}"
    says = f"{name}: {best} points make it even ({found.low:g} to {found.high:g})"
    return Finding(name, found, "even" if found.low <= 0 <= found.high else "uneven", says)

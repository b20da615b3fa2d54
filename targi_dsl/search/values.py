"""Evaluations of unfinished games: learned from games, or else set by hand.

Learned values are in a file beside the sheet of the game, `GAME.values`, and are valid for exactly
these rules: another option or deck makes other rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import chain, product
from math import isfinite
from pathlib import Path

from msgspec.structs import replace

from targi_dsl.codegen.search import Evaluation
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.files import exists, read_file
from targi_dsl.text.structs import Frozen

ENDING = ".values"

FEW = 3

OF_AMOUNT = 0, 3, 1
"""By hand: having none of a resource, each of the first `FEW` units, and each further unit, in
tenths of a point.
"""

CARD, HELD = 10, 5
"""By hand: a card on one's own place, with active abilities or without."""

OTHERS = "It is for other rules: from before a change, or with another option or deck."
CHANGED = "It is not as `targi train` has written it."

MOST = 1000  # the greatest value in points, and the most rounds that differ

Weights = Mapping[str, tuple[float, float]]
"""Values in points, in the first round and in the last."""


class Values(Frozen):
    """Learned values. rules: the hash of the game; rounds: the last round, or 0 if the rules do not
    count them; games: how many they were learned from.
    """

    rules: str
    rounds: int
    games: int
    weights: Weights

    def evaluation(self, game: Game) -> Evaluation:
        """The evaluation for a search, with weights interpolated from round to round."""
        names, rows = names_of(game), []
        for number in range(self.rounds + 1):
            late = number / max(1, self.rounds)
            pairs = (self.weights.get(name, (0, 0)) for name in names)
            rows.append(tuple(round(10 * (a + late * (b - a))) for a, b in pairs))
        weighed = [self._weighs(name) for name in _line_names(game)]
        lines = tuple(line for line in _lines(game) if weighed[line[0]])
        return Evaluation(FEW, _places(game), tuple(rows), lines, _faces(game))

    def _weighs(self, names: tuple[str, str]) -> bool:
        return any(name in self.weights for name in names)

    def text(self, name: str) -> str:
        """The text of the file for a game of this name."""
        lines = [
            "# What things are worth in points while a game goes on: at the first round, and at",
            "# the last. Players that look ahead add it to the score. It is not used any more",
            "# after it has been changed by hand. Made by:",
            f"#     targi train {name}",
            f'rules: "{self.rules}"',
            f"rounds: {self.rounds}",
            f"games: {self.games}",
            "worth:",
        ]
        for one, (first, last) in self.weights.items():
            if max(abs(first), abs(last)) >= 0.05:  # less makes no difference
                lines.append(f"  {one}: [{first:.2f}, {last:.2f}]")
        body = "\n".join(lines) + "\n"
        return f"{body}check: {_check(body)}\n"


def _check(body: str) -> str:
    return sha256(body.encode()).hexdigest()[:16]


def names_of(game: Game) -> tuple[str, ...]:
    """What each weight of a game is for; weights with the same name are equal."""
    amounts = [
        name
        for one in game.resources
        for name in (f"no {one}", f"each {one}", f"each {one} beyond {FEW}")
    ]
    places = ["" if one.owner == NOTHING else f"card in {one.region}" for one in game.places]
    entries = [one.entry for one in game.cards]
    active, held = (f"{one} active" for one in entries), (f"{one} held" for one in entries)
    return (*amounts, *places, *active, *held, *chain(*_line_names(game)))


def by_hand(game: Game) -> Evaluation:
    """The evaluation of a game of which nothing was learned."""
    cards = (CARD if place.active else HELD for place in game.places)
    others = 2 * len(game.cards) + 2 * len(_line_names(game))
    weights = (*OF_AMOUNT * len(game.resources), *cards, *(0,) * others)
    return Evaluation(FEW, _places(game), (weights,))


# ---- lines: rows and columns of grids that players own, by each field of the cards there ----


def _sorts(game: Game) -> tuple[str, ...]:
    """The fields of cards whose values are from a declared list, such as a symbol."""
    words = {word for _, members in game.values for word in members}
    fields = ((name, word) for card in game.cards for name, word in card.fields.items())
    return tuple(dict.fromkeys(n for n, word in fields if isinstance(word, str) and word in words))


def _faces(game: Game) -> tuple[tuple[int, ...], ...]:
    """By field, the number of each card's value."""
    rows = [[card.fields.get(sort) for card in game.cards] for sort in _sorts(game)]
    numbers = [{word: at for at, word in enumerate(dict.fromkeys(row))} for row in rows]
    return tuple(
        tuple(NOTHING if word is None else of[word] for word in row)
        for row, of in zip(rows, numbers, strict=True)
    )


def _grids(game: Game) -> dict[tuple[str, str], list[list[int]]]:
    """By region and direction, the places of each row or column that a player owns."""
    found: dict[tuple[str, str, int, int], list[int]] = {}
    for number, one in enumerate(game.places):
        if one.owner != NOTHING:
            for way, at in (("row", one.row), ("column", one.column)):
                found.setdefault((one.region, way, one.owner, at), []).append(number)
    grids: dict[tuple[str, str], list[list[int]]] = {}
    for (region, way, _, _), places in found.items():
        if len(places) > 1:
            grids.setdefault((region, way), []).append(places)
    return grids


def _line_names(game: Game) -> list[tuple[str, str]]:
    """For each kind of line, the names of the weights of equal and of unequal faces."""
    kinds = product(_sorts(game), _grids(game))
    names = ((sort, f"in an open {way} of {region}") for sort, (region, way) in kinds)
    return [(f"equal {sort} {where}", f"unequal {sort} {where}") for sort, where in names]


def _lines(game: Game) -> Iterator[tuple[int, ...]]:
    """Every line as in `Evaluation`."""
    kinds = product(range(len(_sorts(game))), _grids(game).values())
    for kind, (sort, lines) in enumerate(kinds):
        for places in lines:
            yield kind, sort, *places


def _places(game: Game) -> tuple[tuple[int, bool], ...]:
    return tuple((place.owner, place.active) for place in game.places)


_EVALUATION = "evaluation"


def evaluation_of(game: Game) -> Evaluation:
    """The evaluation of a game, computed once: learned, unless `unused` says why not."""
    found = game.program.engines.get(_EVALUATION)
    if not isinstance(found, Evaluation):
        found = by_hand(game)
        with suppress(Problems):
            if learned := values_of(game):
                found = learned.evaluation(game)
        game.program.engines[_EVALUATION] = found
    return found


def unused(game: Game) -> tuple[Problem, ...]:
    """Why learned values are not used in a game; empty if they are, or there are none."""
    try:
        values_of(game)
    except Problems as error:
        return tuple(replace(one, level="warning") for one in error.problems)
    return ()


def foreign_evaluation(game: Game, other: Game) -> Evaluation:
    """The evaluation of a game by players who take it for another, matched by name. Raises Problems
    for a damaged file.
    """
    learned = own_values(other)
    return by_hand(game) if learned is None else learned.evaluation(game)


@contextmanager
def judged_by(game: Game, evaluation: Evaluation | None) -> Iterator[None]:
    """A context in which all searches of a game, in this process, use an evaluation;
    None: its own.
    """
    engines, own = game.program.engines, evaluation_of(game)
    engines[_EVALUATION] = evaluation or own
    try:
        yield
    finally:
        engines[_EVALUATION] = own


def values_of(game: Game) -> Values | None:
    """The values learned about these rules; None if there is no file. Raises Problems if it is
    damaged, or for other rules.
    """
    found = _written(game)
    if found and found.rules != game.hash:
        raise Problems([_not_used(str(file_of(game)), OTHERS)])
    return found


def own_values(game: Game) -> Values | None:
    """Like `values_of`, but None if the file is for other rules, as it is for every version of a
    game but the one that learned.
    """
    found = _written(game)
    return found if found and found.rules == game.hash else None


def _written(game: Game) -> Values | None:
    file = file_of(game)
    if file is None or not exists(file):
        return None
    return parse(str(file), read_file(str(file)).text)


def file_of(game: Game) -> Path | None:
    """The path of a game's file, beside its sheet; None for a sheet that is not on disk."""
    if not game.sheet:
        return None
    if "/" in game.sheet or game.sheet.endswith(".targi"):
        return Path(game.sheet).with_suffix(ENDING)
    shipped = resources.path(f"rules/games/{game.sheet}.targi")
    return (shipped or Path(game.sheet)).with_suffix(ENDING)


_LINE = re.compile(r'^(\w+): "?(\w+)"?$', re.MULTILINE)
_WEIGHT = re.compile(r"^  (.+): \[(-?\d+\.\d\d), (-?\d+\.\d\d)\]$", re.MULTILINE)


def parse(file: str, text: str) -> Values:
    """Parses a file. Raises Problems unless it is as it was written."""
    body, _, check = text.rpartition("check: ")
    if not body or check.strip() != _check(body):
        raise Problems([_not_used(file, CHANGED)])
    try:
        data = dict(_LINE.findall(body))
        weights = {name: (float(a), float(b)) for name, a, b in _WEIGHT.findall(body)}
        found = Values(data["rules"], int(data["rounds"]), int(data["games"]), weights)
    except (ValueError, KeyError):
        raise Problems([_not_used(file, "It is of another form.")]) from None
    numbers = [one for pair in weights.values() for one in pair]
    if not 0 <= found.rounds <= MOST or not all(isfinite(x) and abs(x) <= MOST for x in numbers):
        raise Problems([_not_used(file, "It has a number that is much too large.")])
    return found


def _not_used(file: str, why: str) -> Problem:
    hint = "Players think as if nothing had been learned. Remove it, or train again."
    return Problem("E623", "values that are not used", None, why, hint, file=file)

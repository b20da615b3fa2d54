"""Checks of a game as a whole. To add one, write a function here and add it to `CHECKS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from targi_dsl.compiler.lints import (
    deck_checks,
    endless,
    impossible_kinds,
    leaks,
    mandatory,
    nobodys_turn,
    ranges,
    unpayable,
    without_effect,
)
from targi_dsl.compiler.lowering.compilation import Compilation
from targi_dsl.ir import statements as s
from targi_dsl.ir.game import Game
from targi_dsl.ir.outcomes import OUTCOME
from targi_dsl.text.diagnostics import Problem


class Check(NamedTuple):
    """A check with the codes of its problems, and whether it is only meaningful for a game without
    errors: what seems to be missing may appear once an error is fixed.
    """

    codes: tuple[str, ...]
    run: Callable[[Compilation], Iterator[Problem]]
    of_sound_games: bool = False

    @property
    def warns(self) -> bool:
        """Whether its problems are warnings, which an error that is found first may explain."""
        return self.codes[0].startswith("W")


def abilities_without_effect(game: Compilation) -> Iterator[Problem]:
    """A card from another game's deck may refer to things that this game lacks."""
    ctx = game.context
    for ability, word in ctx.without_effect:
        card = ctx.cards.entries[ctx.tables.abilities[ability].card]
        text = f"`{word.text}` is not part of this game, so this ability never does anything."
        title = f"`{card.entry.id}` has no effect here"
        yield Problem("W901", title, word.span, text, severity="warning")


def never_ends(game: Compilation) -> Iterator[Problem]:
    """Rounds go on until a rule says `end game`."""
    rules = game.context.tables.rules
    if not any(rule.every(s.EndGame) for rule in rules if rule is not None):
        text = "Rounds are repeated until a rule says `end game`, and none does."
        title, span = "the game never ends", game.written.span
        yield Problem("W902", title, span, text, "end game", "warning")


def no_outcome(game: Compilation) -> Iterator[Problem]:
    """Reports a game in which nobody can win or lose (E214)."""
    if not game.scores and OUTCOME not in game.context.tables.variables:
        text = "There is no `score`, and no rule says who wins or loses."
        resources = game.symbols.resources
        hint = f"score points: your {resources[0]}" if resources else "everybody wins"
        yield Problem("E214", "the game has no outcome", game.written.span, text, hint)


def _of_finished(problems: Callable[[Game], Iterator[Problem]]) -> Callable[..., Iterator[Problem]]:
    """A check of the finished game; of a game with errors there is none."""
    return lambda game: iter(()) if game.finished is None else problems(game.finished)


CHECKS = (
    Check(("E529", "E531"), deck_checks.unknown_kinds),
    Check(("E532",), deck_checks.twins),
    Check(("E533",), deck_checks.check_numbers),
    Check(("E528", "E534"), deck_checks.too_small),
    Check(("E214",), no_outcome, of_sound_games=True),
    Check(("E216",), _of_finished(nobodys_turn.problems), of_sound_games=True),
    Check(("W901",), abilities_without_effect, of_sound_games=True),
    Check(("W902",), never_ends, of_sound_games=True),
    Check(("W902",), _of_finished(endless.warnings), of_sound_games=True),
    Check(("W903",), _of_finished(ranges.warnings), of_sound_games=True),
    Check(("W904",), _of_finished(leaks.warnings), of_sound_games=True),
    Check(("W905",), impossible_kinds.warnings, of_sound_games=True),
    Check(("W907",), _of_finished(without_effect.warnings), of_sound_games=True),
    Check(("W908",), mandatory.warnings, of_sound_games=True),
    Check(("W913", "W914"), _of_finished(unpayable.warnings), of_sound_games=True),
)

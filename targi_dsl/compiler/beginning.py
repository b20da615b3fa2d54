"""Selects the rules a game begins with and repeats, and draws the decks before setup."""

from __future__ import annotations

from targi_dsl.compiler.compilation import Compilation
from targi_dsl.compiler.context import Frame
from targi_dsl.compiler.error_symbols import Unresolved
from targi_dsl.compiler.zone_decks import box
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t

_FIRST_STEP = {"setup": "nothing", "round": "end game"}


def begin(game: Compilation) -> None:
    """Selects the rules that a game begins with and repeats; decks are drawn before setup."""
    numbers, written = game.context.tables.rule_numbers, game.written
    for name in ("setup", "round"):
        if not game.context.is_declared("rule", name):
            text = "A game does rule setup once, and then rule round until a rule says `end game`."
            title, hint = f"there is no rule `{name}`", f"rule {name}\n  {_FIRST_STEP[name]}"
            written.problems.append(Unresolved("E211", title, written.span, text, hint, name=name))
            return
    game.setup, game.round = numbers["setup"], numbers["round"]
    if any(one.draws for one in game.decks.values()):
        _draw_decks(game)


def _draw_decks(game: Compilation) -> None:
    """Makes the game begin with a rule that draws the decks and then does setup."""
    rules, regions = game.context.tables.rules, game.symbols.regions
    frame = Frame("draw decks", rule=len(rules))
    body: list[s.Statement] = []
    for zone, one in game.decks.items():
        for i, draw in enumerate(one.draws):
            place, target = (e.Const(regions[name].base) for name in (box(zone, i), zone))
            body.append(s.Shuffle(place, frame.slot(t.NUMBER)))
            top = e.MakeSet((e.TopCard(place),))
            body += [s.MoveCards(top, target, False, "")] * draw.count
    for zone, one in game.decks.items():
        for i in range(len(game.decks[one.rest].draws) if one.rest else 0):
            left = e.CardsOn(e.MakeSet((e.Const(regions[box(one.rest, i)].base),)))
            body.append(s.MoveCards(left, e.Const(regions[zone].base), False, ""))
    body.append(s.Do(game.setup, ()))
    rules.append(d.RuleInfo("draw decks", 0, tuple(frame.slots), tuple(body), (), ()))
    game.setup = frame.rule

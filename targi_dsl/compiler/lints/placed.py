"""Warns where any piece off the board is placed, and these differ in a variable of their own."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lints.asked import names_read
from targi_dsl.compiler.lints.flow import Bound, bindings
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem


def any_of_different(game: Compilation) -> Iterator[Problem]:
    """`place die on S` in play, where a variable of dice off the board has been set for some of
    them, or by rolls, and is asked for (W951).
    """
    differing = _differing(game.checked)
    if not differing:
        return
    for name, rule in game.context.nodes(n.Rule):
        for step in rule.every(n.Place) if name != "setup" else ():
            kind, to = step.piece.text, step.space.span.text
            variable = differing.get(kind, "")
            if not variable or any(variable in names_read(one) for one in rule.every(n.Assign)):
                continue
            own = f"your {kind}" if game.symbols.piece_kinds[kind].per_player else kind
            among = f"x in {own} where place of x is nothing"
            asked = [one for one in rule.every(n.Those) if variable in names_read(one)]
            asked = [one for one in asked if one.span.start < step.span.start]
            which = f"({among} and {variable} of x is ...)"
            which = asked[-1].span.text if asked else which
            text = f"It takes the first that is off the board, and these differ in `{variable}`. If"
            text += f" any will do, write `move first ({among}) to {to}`; if not:"
            hint = f"move first {which} to {to}"
            title = f"this is any `{kind}`, whatever its {variable}"
            yield Problem("W951", title, step.span, text, hint)


def _differing(game: Game) -> dict[str, str]:
    """By kind of piece, a variable in which pieces off the board can differ, and that is read."""
    read = {one.base for one in parts((game.rules, game.defines), e.Var)}
    found = dict[str, str]()
    for rule in game.rules:
        bound, loops = bindings(game, rule), rule.every(s.Each)
        of_all = [e.Local(one.slot) for one in loops if isinstance(one.within, e.Const | e.Pick)]
        for step in rule.every(s.Assign):
            variable = game.variables[step.variable]
            if isinstance(variable.each, t.Piece) and variable.base in read:
                piece = step.index.index if isinstance(step.index, e.Table) else step.index
                is_alike = isinstance(step.value, e.Const) and piece in of_all
                if not is_alike and not _is_on_board(game, piece, bound):
                    found.setdefault(variable.each.kind, variable.name)
    return found


def _is_on_board(game: Game, pieces: e.Expr, bound: Bound) -> bool:
    """Whether a piece, or all of a set, may be presumed to be on the board: it is asked where they
    are, or they are given to a rule.
    """
    match pieces:
        case e.Lying(_, _, places):
            return places != e.Const((NOTHING,))
        case e.Filter(slot, within, condition):
            place = e.Var(game.slots.piece_place, e.Local(slot), NOTHING)
            off = e.Compare("is", place, e.Const(NOTHING))
            asked = place in parts(condition, e.Var) and off not in parts(condition, e.Compare)
            return asked or _is_on_board(game, within, bound)
        case e.First(within) | e.SetOp("except", within):
            return _is_on_board(game, within, bound)
        case e.SetOp("within", left, right):
            return any(_is_on_board(game, one, bound) for one in (left, right))
        case e.Local(slot):
            values = bound.slots.get(slot, ())
            return all(_is_on_board(game, one, bound) for one in values)
        case e.Call(define):
            return _is_on_board(game, game.defines[define].value, Bound())
        case _:
            return False

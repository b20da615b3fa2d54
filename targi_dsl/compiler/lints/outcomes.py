"""Warns where the one who is left should win, and it can be a player who has just gone out."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lints.flow import ASKED, blocks, reached
from targi_dsl.compiler.lints.rounds import beginnings
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import OUT, WON, outcome_base
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_Slots = frozenset[int]
"""The slots of a frame that hold the player whose turn it is."""
_TURN: _Slots = frozenset((YOU,))


def winners_who_are_out(game: Game) -> Iterator[Problem]:
    """`if count of players is 1: you win`, where `you` can have gone out in this turn (W950)."""
    if (base := outcome_base(game.variables)) == NOTHING:
        return
    turns = _Turns(game, base)
    for rule in beginnings(game):
        turns.end_of(rule, _TURN, None)
    for win, out in turns.found.items():
        text = "`you` need not be one of those who are left: who has gone out in this turn wins all"
        text += " the same. If that is meant, write `if outcome of you is out: you win`; if not:"
        labels = (Label(out, "here you can go out"),)
        yield Problem("W950", "this can be a player who is out", win, text, "players win", labels)


class _Turns:
    """Follows each turn through its rules, to where the player can have gone out. found: wins on
    conditions that ask who is left, each with where the winner can have gone out before.
    """

    def __init__(self, game: Game, base: int) -> None:
        self.found: dict[Span, Span] = {}
        self._game, self._base = game, base
        self._ends: dict[tuple[int, _Slots, Span | None], Span | None] = {}
        self._stops: Span | None = None

    def end_of(self, rule: int, yours: _Slots, out: Span | None) -> Span | None:
        """Where the player can have gone out when a rule ends."""
        key = rule, yours, out
        if key not in self._ends:
            self._ends[key] = out
            before, self._stops = self._stops, None
            end = self._block(self._game.rules[rule].body, yours, out, False)
            self._ends[key], self._stops = end or self._stops, before
        return self._ends[key]

    def _block(self, block: s.Block, yours: _Slots, out: Span | None, asks: bool) -> Span | None:
        """The same for the end of a block. asks: whether it depends on who is left."""
        for node in block:
            match node:
                case s.Let(slot, e.Local(player)) if player in yours:
                    yours |= {slot}
                case s.Each(
                    _, e.MakeSet((e.Local(player),)), (s.Assign(span=Span() as at) as end,)
                ) if player in yours and self._game.variables[end.variable].base == self._base:
                    if end.value == e.Const(OUT):
                        out = at
                    elif end.value == e.Const(WON) and out is not None and asks:
                        self.found.setdefault(at, out)
                case s.If(condition, then, otherwise):
                    read = [*reached(self._game, (condition,), e.Var, ASKED)]
                    indices = [one.index for one in read if one.base == self._base]
                    named = {one.item for one in parts(condition, e.Member)}.union(indices)
                    if indices and any(_is_one(one, yours) for one in named):
                        self._block(node.then, yours, None, False)
                        self._block(node.otherwise, yours, None, False)
                        continue
                    ways = then, otherwise
                    ends = [self._block(one, yours, out, asks or bool(indices)) for one in ways]
                    out = ends[0] or ends[1]
                case s.EachPlayer() | s.TurnOf():
                    self._block(node.body, _TURN, None, False)
                case s.Do(rule, arguments):
                    of_you = {at for at, one in enumerate(arguments, 1) if _is_one(one, yours)}
                    out = self.end_of(rule, _TURN | of_you, out)
                case s.DoAction():
                    actions = {one for one in self._game.actions if one != NOTHING}
                    ends = [self.end_of(one, _TURN, out) for one in sorted(actions)]
                    out = next((one for one in ends if one is not None), out)
                case s.Stop() | s.EndGame():
                    self._stops = self._stops or (out if isinstance(node, s.Stop) else None)
                    return None
                case _:
                    ends = [self._block(one, yours, out, asks) for one in blocks(node)]
                    out = next((one for one in ends if one is not None), out)
        return out


def _is_one(player: e.Expr, slots: _Slots) -> bool:
    return isinstance(player, e.Local) and player.slot in slots

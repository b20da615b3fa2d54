"""Reports rules that use `you` where it is nobody's turn.

`setup` and `round` are nobody's turn: what they do without `each player`, `by turns` or `turn of`,
including rules called from there, has no player who could gain, pay or choose. Which action a card
has is only known during play, so actions are not examined.
"""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.lints.flow import Fold, blocks
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_Call = tuple[s.Statement, ...]
"""The first call that leads to a rule; empty for those that nobody calls."""


def problems(game: Game) -> Iterator[Problem]:
    """The first such statement of every rule."""
    nobodys = _Nobodys(game)
    nobodys.run()
    return iter(nobodys.found.values())


class _Nobodys(Fold[_Call]):
    """Visits what is done in nobody's turn. found: the first problem of each rule."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.found: dict[int, Problem] = {}
        self._personal = _personal(game)
        self.enter(game.round, ())
        self.enter(game.setup, ())

    def inside(self, node: s.Statement, fact: _Call) -> Iterator[tuple[s.Block, _Call]]:
        match node:
            case s.TurnOf(slot, _, body):
                for back in parts(body, s.TurnOf):
                    if back.player == e.Local(slot):
                        yield back.body, fact
            case s.Each() | s.Until() | s.If():
                yield from ((body, fact) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Call, ends: list[_Call]) -> _Call:
        if isinstance(node, s.Do):
            self.enter(node.rule, (node,))
        if node.span is not None and self.rule not in self.found and self._needs_a_player(node):
            self.found[self.rule] = _problem(node, node.span, fact)
        return fact

    def _needs_a_player(self, node: s.Statement) -> bool:
        match node:
            case s.Ask() | s.Pay() | s.Loop():
                return True
            case s.If(of) | s.Until(_, of) | s.Each(_, of) | s.EachPlayer(_, of) | s.TurnOf(_, of):
                return _asks_for_you(of, self._personal)
            case _:
                return _asks_for_you(node, self._personal)


def _personal(game: Game) -> set[int]:
    """The definitions that depend on `you`."""
    found, others = set[int](), dict(enumerate(game.defines))
    while more := {one for one, define in others.items() if _asks_for_you(define.value, found)}:
        found |= more
        others = {one: define for one, define in others.items() if one not in more}
    return found


def _asks_for_you(node: object, personal: set[int]) -> bool:
    """Whether an expression depends on `you`, other than by passing it on to a definition that does
    not.
    """
    read = 0
    for one in parts(node, (e.CanDo, e.CanPay, e.Local, e.Call)):
        match one:
            case e.Local(slot):
                read += slot == YOU
            case e.Call(define, arguments):
                read -= define not in personal and arguments[:1] == (e.Local(YOU),)
            case _:
                return True
    return read > 0


def _problem(node: s.Statement, span: Span, calls: _Call) -> Problem:
    """The problem of a statement, with a repair if the statement is a line by itself."""
    text = "It is nobody's turn here, so it is unclear who is meant: put it under `each player`, "
    text += "`by turns` or `turn of P`."
    labels = tuple(Label(one.span, "from here") for one in calls if one.span is not None)
    alone = not isinstance(node, s.Ask | s.Let) and "\n" not in span.text
    hint = f"each player: {span.text}" if alone else ""
    return Problem("E216", "whose?", span, text, hint, labels=labels)

"""Reports rules that use `you` where it is nobody's turn.

`setup` and `round` are nobody's turn: what they do without `each player`, `by turns` or `turn of`,
including rules called from there, has no player who could gain, pay or choose. Which action a card
has is only known during play, so actions are not examined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.declarations import DefineInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span


def problems(game: Game) -> Iterator[Problem]:
    """The first such statement of every rule."""
    return _Whose(game).problems()


class _Whose:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.personal = _personal(game)
        self.calls: dict[int, s.Statement | None] = {game.setup: None, game.round: None}
        self.left = [game.setup, game.round]

    def problems(self) -> Iterator[Problem]:
        while self.left:
            number = self.left.pop()
            found = list(self._of_nobody(self.game.rules[number].body))  # and in called rules
            if found:
                yield _problem(*found[0], self.calls[number])

    def _of_nobody(self, body: s.Block) -> Iterator[tuple[s.Statement, Span]]:
        """The statements of a block that need a player; rules that it calls are examined later."""
        for node in body:
            match node:
                case s.TurnOf(slot, _, inner):
                    for back in parts(inner, s.TurnOf):
                        if back.player == e.Local(slot):
                            yield from self._of_nobody(back.body)
                case s.EachPlayer():
                    pass
                case s.Each(_, _, inner) | s.Until(_, _, inner):
                    yield from self._of_nobody(inner)
                case s.If(_, then, otherwise):
                    yield from self._of_nobody((*then, *otherwise))
                case s.Do(rule, _):
                    self._call(rule, node)
            if node.span is not None and self._needs_a_player(node):
                yield node, node.span

    def _call(self, rule: int, node: s.Statement) -> None:
        if rule not in self.calls:
            self.calls[rule] = node
            self.left.append(rule)

    def _needs_a_player(self, node: s.Statement) -> bool:
        match node:
            case s.Ask() | s.Pay() | s.Loop():
                return True
            case s.If(of) | s.Until(_, of) | s.Each(_, of) | s.EachPlayer(_, of) | s.TurnOf(_, of):
                return _asks_for_you(of, self.personal)
            case _:
                return _asks_for_you(node, self.personal)


def _personal(game: Game) -> frozenset[int]:
    """The definitions that depend on `you`."""
    needs = [one.derived(_of_definition) for one in game.defines]
    found = frozenset[int]()
    while True:
        more = frozenset(number for number, one in enumerate(needs) if one.of_a_player(found))
        if more == found:
            return found
        found = more


def _asks_for_you(node: object, personal: frozenset[int]) -> bool:
    """Whether an expression, or one in a part, depends on `you`."""
    return _needs(node).of_a_player(personal)


class _Needs(NamedTuple):
    """How a part depends on `you`: it always does; it reads `you` a number of times; it passes
    `you` on to these definitions.
    """

    always: bool
    read: int
    passed_on: tuple[int, ...]

    def of_a_player(self, personal: frozenset[int]) -> bool:
        return self.always or self.read > sum(one not in personal for one in self.passed_on)


def _of_definition(define: DefineInfo) -> _Needs:
    return _needs(define.value)


def _needs(node: object) -> _Needs:
    always, read, passed_on = False, 0, []
    for one in parts(node, (e.CanDo, e.CanPay, e.Local, e.Call)):
        match one:
            case e.Local(slot):
                read += slot == YOU
            case e.Call(define, arguments):
                passed_on += [define] if arguments[:1] == (e.Local(YOU),) else []
            case _:
                always = True
    return _Needs(always, read, tuple(passed_on))


def _problem(node: s.Statement, span: Span, call: s.Statement | None) -> Problem:
    """The problem of a statement, with a repair if the statement is a line by itself."""
    text = "It is nobody's turn here, so it is unclear who is meant: put it under `each player`, "
    text += "`by turns` or `turn of P`."
    labels = (Label(call.span, "from here"),) if call is not None and call.span else ()
    alone = not isinstance(node, s.Ask | s.Let) and "\n" not in span.text
    hint = f"each player: {span.text}" if alone else ""
    return Problem("E216", "whose?", span, text, hint, labels=labels)

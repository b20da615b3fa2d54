"""How much a question can cost at worst, so that only what can multiply is counted while it is
asked.

Definitions, rules and sets that ask others, each several times, multiply: a few lines can ask more
than any machine answers. What an expression or a head costs at worst is worked out once, from the
rules alone. Where that is little, nothing is counted; where it is more, each call, and each element
of a set, is charged with what it costs by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import NamedTuple, NoReturn, TypeVar

from targi_dsl.engine.faults import PARTS, Fault
from targi_dsl.ir.model import (
    NOTHING,
    Alternative,
    Ask,
    Block,
    Call,
    CanDo,
    CanPay,
    CardsOn,
    Cond,
    Const,
    Counted,
    Do,
    DoAction,
    Exists,
    Expr,
    Filter,
    Fold,
    Forbid,
    Game,
    If,
    Let,
    Loop,
    Lying,
    MakeSet,
    Map,
    Pay,
    Pick,
    PriceExpr,
    Range,
    RuleInfo,
    SetOp,
    Use,
)

LITTLE = 5_000  # parts of rules looked at: what costs no more at worst is not counted
_HUGE = 1 << 60  # the cost of what may ask itself


class Cost(NamedTuple):
    """Parts of rules looked at: all in all at worst; and without what is charged where it is asked."""

    whole: int
    own: int

    def plus(self, *others: Cost) -> Cost:
        """This and others, one after the other."""
        whole = self.whole + sum(other.whole for other in others)
        return Cost(min(whole, _HUGE), self.own + sum(other.own for other in others))


_FREE = Cost(0, 0)
_ONE = Cost(1, 1)
_ENDLESS = Cost(_HUGE, 1)
_FRAME = Cost(4, 4)  # of a definition, by the time that it takes
_HEAD = Cost(50, 50)  # of a rule, with what is prepared for its head
_PAYMENT = Cost(50, 50)  # plans made, and purses compared
_Asked = TypeVar("_Asked")
Elements = tuple[int, ...] | list[int]
Closure = Callable[[list[int], int], _Asked]  # of a position and a frame


class Fuel:
    """What has been spent on the present decision, and what things of a game cost at worst."""

    def __init__(self, game: Game, rules: tuple[RuleInfo, ...]) -> None:
        self.spent = 0
        self._game = game
        self._rules = rules
        self._widest = max(
            len(game.cards), len(game.places), len(game.pieces), len(game.players), 256
        )
        self._defines: dict[int, Cost] = {}
        self._heads: dict[int, Cost] = {}
        self._sizes: dict[int, int] = {}

    def per_call(self, cost: Cost, asked: Closure[_Asked]) -> Closure[_Asked]:
        """A closure that asks what costs so much; if need be it is charged whenever it is called."""
        if cost.whole <= LITTLE:
            return asked

        own = cost.own

        def charged(v: list[int], fp: int) -> _Asked:
            self.spent += own
            if self.spent > PARTS:
                _too_much()
            return asked(v, fp)

        return charged

    def per_element(
        self, within: Expr, cost: Cost, elements: Closure[Elements]
    ) -> Closure[Elements]:
        """A closure of a set of which each element is asked what costs so much; if need be it is
        charged for them.
        """
        if not self._is_charged(within, cost):
            return elements
        own = cost.own

        def charged(v: list[int], fp: int) -> Elements:
            found = elements(v, fp)
            self.spent += len(found) * own
            if self.spent > PARTS:
                _too_much()
            return found

        return charged

    def of_expression(self, node: Expr) -> Cost:
        """What an expression costs."""
        match node:
            case Filter(_, within, inner) | Map(_, within, inner) | Exists(_, within, inner):
                return self._of_elements(within, self.of_expression(inner))
            case Fold(_, _, within, inner):
                return self._of_elements(within, self.of_expression(inner))
            case Call(define, arguments):
                return self._asking(_FRAME, self.of_define(define), arguments)
            case CanDo(rule, arguments):
                return self._asking(_HEAD, self.of_rule(rule), arguments)
            case CanPay(price, terms):
                return self._of_payment(price, terms)
            case CardsOn() | Lying() | SetOp():
                width = 1 + self._size(node) // 8
                return Cost(width, width).plus(*map(self.of_expression, _parts(node)))
            case _:
                return _ONE.plus(*map(self.of_expression, _parts(node)))

    def of_define(self, define: int) -> Cost:
        """What the value of a definition costs."""
        if define not in self._defines:
            self._defines[define] = _ENDLESS  # while it is worked out it may meet itself
            self._defines[define] = self.of_expression(self._game.defines[define].value)
        return self._defines[define]

    def of_rule(self, rule: int) -> Cost:
        """What the head of a rule costs."""
        if rule not in self._heads:
            self._heads[rule] = _ENDLESS
            self._heads[rule] = self.of_head(self._rules[rule].body)
        return self._heads[rule]

    def of_actions(self) -> Cost:
        """What the head of any rule that a card carries costs."""
        return _worst([self.of_rule(rule) for rule in {*self._game.actions} - {NOTHING}])

    def of_head(self, block: Block, rest: Cost = _FREE) -> Cost:
        """What the head of a block costs, with what comes after it."""
        for statement in reversed(block):
            match statement:
                case Let(_, value):
                    rest = self.of_expression(value).plus(rest)
                case Forbid(forbid, condition):
                    tests = [test for _, test in self._game.forbids[forbid].permits]
                    rest = self.of_expression(condition).plus(*map(self.of_expression, tests), rest)
                case Pay(price, terms, _, otherwise):
                    rest = (
                        rest if otherwise is not None else self._of_payment(price, terms).plus(rest)
                    )
                case If(test, then, otherwise):
                    ways = [self.of_head(then, rest), self.of_head(otherwise, rest)]
                    rest = self.of_expression(test).plus(_worst(ways))
                case Do(rule, arguments):
                    rest = self._asking(_HEAD, self.of_rule(rule), arguments).plus(rest)
                case DoAction(card):
                    rest = self._asking(_HEAD, self.of_actions(), (card,)).plus(rest)
                case Ask(_, alternatives, _):
                    rest = _ONE.plus(*map(self._of_alternative, alternatives))
                case Loop(_, limit, body):
                    rest = self.of_expression(limit).plus(self.of_head(body))
                case Use():
                    pass
                case _:
                    rest = _ONE
        return rest

    def _of_alternative(self, node: Alternative) -> Cost:
        head = self.of_head(node.body)
        return self.of_expression(node.guard).plus(
            self._of_elements(node.choice.within, head) if node.choice is not None else head
        )

    def _of_payment(self, price: PriceExpr, terms: int) -> Cost:
        asked = (
            [number for _, number in price.amounts]
            if isinstance(price, Counted)
            else [price.number]
        )
        if terms != NOTHING:
            changes = self._game.terms[terms]
            asked += [one.number for one in changes.reductions]
            asked += [one.condition for one in changes.reductions]
            asked += [one.condition for one in changes.substitutes]
        return _PAYMENT.plus(*map(self.of_expression, asked))

    def _asking(self, frame: Cost, asked: Cost, arguments: tuple[Expr, ...]) -> Cost:
        """The cost of asking something in a frame of its own."""
        return frame.plus(
            *map(self.of_expression, arguments),
            asked if asked.whole <= LITTLE else Cost(asked.whole, 0),
        )

    def _of_elements(self, within: Expr, each: Cost) -> Cost:
        """The cost of asking something of each element of a set."""
        number = self._size(within)
        own = 0 if self._is_charged(within, each) else number * each.own
        return self.of_expression(within).plus(_ONE, Cost(number * each.whole, own))

    def _is_charged(self, within: Expr, each: Cost) -> bool:
        return self._size(within) * each.whole > LITTLE

    def _size(self, node: Expr) -> int:
        """How many elements a set has at most."""
        match node:
            case Const(tuple(members)):
                return len(members)
            case Pick(sets):
                return max(map(len, sets))
            case MakeSet(items):
                return len(items)
            case Range(Const(int(low)), Const(int(high))):
                return max(high - low + 1, 0)
            case Filter(_, within) | Map(_, within) | Lying(_, within):
                return self._size(within)
            case SetOp("plus", left, right):
                return min(self._size(left) + self._size(right), self._widest)
            case SetOp("except", left):
                return self._size(left)
            case SetOp(_, left, right):
                return min(self._size(left), self._size(right))
            case Cond(_, then, otherwise):
                return max(self._size(then), self._size(otherwise))
            case CardsOn():
                return len(self._game.cards)
            case Call(define):
                if define not in self._sizes:
                    self._sizes[define] = self._widest
                    self._sizes[define] = self._size(self._game.defines[define].value)
                return self._sizes[define]
            case _:
                return self._widest


def _too_much() -> NoReturn:
    raise Fault(
        "E603",
        f"more than {PARTS} parts of rules to be looked at for one decision",
        "Definitions, rules or sets that are asked here ask others, each several times; this multiplies.",
        "Keep by `let` what is asked more than once, or narrow the sets.",
    )


def _worst(costs: list[Cost]) -> Cost:
    return Cost(
        max((cost.whole for cost in costs), default=0), max((cost.own for cost in costs), default=0)
    )


def _parts(node: Expr) -> list[Expr]:
    """The expressions that an expression is made of."""
    found = list[Expr]()
    for one in fields(node):
        value = getattr(node, one.name)
        found += [
            part
            for part in (value if isinstance(value, tuple) else (value,))
            if isinstance(part, Expr)
        ]
    return found

"""Dataflow analysis for lints: a fold over statements and calls of a game, and the origins of
expressions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Generic, NamedTuple, TypeVar, get_args

from msgspec.structs import replace

from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import DefineInfo, RuleInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, rewritten
from targi_dsl.text.structs import Frozen

Fact = TypeVar("Fact")
Part = TypeVar("Part")
Of = TypeVar("Of", Game, Compilation)
Found = TypeVar("Found")

_COMPOUND = frozenset(get_args(s.Compound))


class Fold(ABC, Generic[Fact]):
    """A forward dataflow analysis. Facts flow along each block, into nested blocks, and from rule
    to rule, until a fixpoint is reached.

    A subclass defines the fact that enters each nested block (`inside`) and the fact after a
    statement (`after`), where it also records its findings. `enter` gives a fact to a called rule,
    and `end_of` returns the fact at a rule's end. Facts must grow monotonically; a statement may be
    visited several times.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rule = NOTHING  # the rule being visited
        self._starts: dict[int, Fact] = {}
        self._ends: dict[int, Fact] = {}
        self._users = defaultdict[int, set[int]](set)
        self._pending: dict[int, None] = {}

    def inside(self, node: s.Statement, fact: Fact) -> Iterator[tuple[s.Block, Fact]]:
        """The blocks of a statement that may be executed, each with the fact at its start."""
        return ((body, fact) for body in blocks(node))

    @abstractmethod
    def after(self, node: s.Statement, fact: Fact, ends: list[Fact]) -> Fact:
        """The fact after a statement; `ends` are the facts at the ends of its blocks."""

    def join(self, fact: Fact, other: Fact) -> Fact:
        """The join of two facts at the start of a rule; by default the first."""
        return fact

    def enter(self, rule: int, fact: Fact) -> None:
        """Joins a fact into the one at the start of a rule."""
        before = self._starts.get(rule)
        start = fact if before is None else self.join(before, fact)
        if start != before:
            self._starts[rule] = start
            self._pending[rule] = None

    def end_of(self, rule: int) -> Fact | None:
        """The fact at the end of a rule; None until it is known, and then the caller is visited
        again.
        """
        self._users[rule].add(self.rule)
        return self._ends.get(rule)

    def run(self) -> None:
        """Visits entered rules until a fixpoint is reached."""
        while self._pending:
            self.rule = next(iter(self._pending))
            del self._pending[self.rule]
            end = self._block(self.game.rules[self.rule].body, self._starts[self.rule])
            if end != self._ends.get(self.rule):
                self._ends[self.rule] = end
                self._pending |= dict.fromkeys(self._users[self.rule])

    def _block(self, block: s.Block, fact: Fact) -> Fact:
        for node in block:
            ends: list[Fact] = []  # a generic alias takes long to call
            if type(node) in _COMPOUND:
                ends = [self._block(body, start) for body, start in self.inside(node, fact)]
            fact = self.after(node, fact, ends)
        return fact


def blocks(node: s.Statement) -> tuple[s.Block, ...]:
    """The nested blocks of a statement, in order."""
    match node:
        case s.If(_, then, otherwise):
            return then, otherwise
        case s.Ask(_, alternatives, otherwise):
            return *(one.body for one in alternatives), otherwise or ()
        case s.Pay(otherwise=otherwise):
            return () if otherwise is None else (otherwise,)
        case s.Each() | s.EachPlayer() | s.TurnOf() | s.Until() | s.Loop():
            return (node.body,)
        case _:
            return ()


# ---- the call graph ----


ASKED: tuple[type, ...] = (e.Call,)
"""Edges to the definitions that nodes evaluate."""
DONE: tuple[type, ...] = (s.Do,)
"""Edges to the rules that nodes call."""
CALLED = (*ASKED, *DONE, s.DoAction, e.CanDo)
"""Edges to all rules, actions and definitions that nodes call or test."""


def reached(
    game: Game, nodes: Iterable[object], of: type[Part] | tuple[type[Part], ...],
    calls: tuple[type, ...],
) -> Iterator[Part]:  # fmt: skip
    """All parts of a class in nodes, and in what is reachable from them by calls of these
    classes.
    """
    pending, entered = [*nodes], set[int]()
    wanted: tuple[type[object], ...] = (*(of if isinstance(of, tuple) else (of,)), *calls)
    for node in pending:
        for one in parts(node, wanted):
            if isinstance(one, of):
                yield one
            for called in _called(game, one) if isinstance(one, calls) else ():
                if id(called) not in entered:
                    entered.add(id(called))
                    pending.append(called)


def _called(game: Game, call: object) -> Iterator[object]:
    match call:
        case e.Call(define):
            yield game.defines[define].value
        case s.Do(rule) | e.CanDo(rule):
            yield game.rules[rule].body
        case s.DoAction():
            yield from (game.rules[one].body for one in game.actions if one != NOTHING)


def of_latest(make: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """A decorator that caches the result for the latest game, since several checks need it. The
    game must be complete and must not change.
    """
    cached = list[tuple[Of, Found]]()

    def found(game: Of) -> Found:
        for of, result in cached:
            if of is game:
                return result
        result_ = make(game)
        cached[:] = [(game, result_)]
        return result_

    return found


# ---- where values come from ----


class Bound(Frozen):
    """The expressions that slots may have as values, or as elements of a set; and the definitions,
    to look into calls.
    """

    slots: Mapping[int, tuple[e.Expr, ...]] = {}
    defines: tuple[DefineInfo, ...] = ()


def bindings(game: Game, rule: RuleInfo) -> Bound:
    """The expressions to which the slots of a rule are bound; parameters are unknown."""
    found: dict[int, tuple[e.Expr, ...]] = {}
    lets = [(one.slot, one.value) for one in rule.every(s.Let)]
    sets: list[s.Each | s.Binding] = [*rule.every(s.Each), *rule.every(s.Binding)]
    for slot, value in (*lets, *((one.slot, one.within) for one in sets)):
        if slot > rule.params:
            found[slot] = (*found.get(slot, ()), value)
    return Bound(found, game.defines)


def origins(node: e.Expr, bound: Bound) -> Iterator[e.Expr]:
    """The expressions from which a thing, or the elements of a set, may come: looks through local
    names, conditionals, filters, unions, and definitions.
    """
    match node:
        case (
            e.Filter(_, within)
            | e.First(within)
            | e.Lying(_, within)
            | e.SetOp("except" | "within", within)
        ):
            yield from origins(within, bound)
        case e.SetOp("plus", left, right) | e.Cond(_, left, right):
            yield from (*origins(left, bound), *origins(right, bound))
        case e.MakeSet(items):
            yield from (one for item in items for one in origins(item, bound))
        case e.Local(slot) if slot in bound.slots:
            rest = {one: values for one, values in bound.slots.items() if one != slot}
            inner = replace(bound, slots=rest)
            yield from (one for value in bound.slots[slot] for one in origins(value, inner))
        case e.Call(define, given) if bound.defines:
            found = (*origins(bound.defines[define].value, replace(bound, slots={})),)
            if any(one.slot >= len(given) for one in parts(found, e.Local)):
                yield node  # it depends on what is bound inside
                return
            for one in found:
                yield from origins(rewritten(one, partial(_given, given)), bound)
        case _:
            yield node


def _given(arguments: tuple[e.Expr, ...], node: e.Expr) -> e.Expr:
    """An argument in place of a parameter."""
    return arguments[node.slot] if isinstance(node, e.Local) else node


def constants(node: e.Expr) -> tuple[int, ...] | None:
    """The possible values of an expression, if they are constants, without NOTHING; or None."""
    match node:
        case e.Const(int(value)):
            values: Iterable[int] = (value,)
        case e.Table(many, e.Const(int(index))):
            values = many[index : index + 1]
        case e.Const(tuple(many)) | e.Table(many):
            values = many
        case e.Pick(sets) | e.Image(sets):
            values = (value for those in sets for value in those)
        case _:
            return None
    return tuple(value for value in values if value != NOTHING)


def places(node: e.Expr, bound: Bound) -> tuple[int, ...] | None:
    """The possible places of an expression; None if they are unknown."""
    found = [constants(one) for one in origins(node, bound)]
    return None if None in found else tuple(number for one in found for number in one or ())


def some_places(node: e.Expr, bound: Bound) -> Iterator[int]:
    """The places that an expression names, though it may be others."""
    return (place for one in origins(node, bound) for place in constants(one) or ())


def lies_on(card: e.Expr) -> e.Expr | None:
    """The place, or places, by which a card expression is given: the top of a pile, cards on
    places.
    """
    match card:
        case e.TopCard(place) | e.BottomCard(place) | e.CardsOn(place):
            return place
        case _:
            return None


# ---- dependence on `you` ----


_YOU = e.Local(YOU)


class UseOfYou(NamedTuple):
    """How an expression depends on `you`. reads: whether it does so except by passing `you` to
    definitions. passed_to: these definitions.
    """

    reads: bool
    passed_to: tuple[int, ...]

    @classmethod
    def by(cls, node: object, you: e.Local = _YOU) -> UseOfYou:
        """The dependence of all parts of a tree together. you: the slot that keeps `you` in a
        sentence about somebody else.
        """
        found = [*parts(node, (e.CanDo, e.CanPay, e.Local, e.Call))]
        calls = [one for one in found if isinstance(one, e.Call)]
        passed = tuple(one.define for one in calls if one.arguments[:1] == (you,))
        count = sum(one == you for one in found)
        count -= sum(one.player == you for one in parts(node, s.TurnOf)) if you != _YOU else 0
        others = you == _YOU and any(isinstance(one, e.CanDo | e.CanPay) for one in found)
        return cls(others or count > len(passed), passed)

    def passed_to_all(self, game: Game) -> set[int]:
        """The definitions to which `you` is passed, directly or by other definitions."""
        found, pending, definitions = set[int](), [self], _definitions(game)
        for one in pending:
            new = {*one.passed_to} - found
            found |= new
            pending += map(definitions, new)
        return found

    def is_personal(self, game: Game) -> bool:
        """Whether the value depends on `you`, directly or through definitions."""
        definitions = _definitions(game)
        return self.reads or any(definitions(one).reads for one in self.passed_to_all(game))


@of_latest
def _definitions(game: Game) -> Callable[[int], UseOfYou]:
    return cache(lambda define: UseOfYou.by(game.defines[define].value))

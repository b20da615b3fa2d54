"""From the checked rules to the program: every rule flat, with labels, guards and live slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from targi_dsl.compiler.guards import guard, of_rule
from targi_dsl.compiler.liveness import Liveness
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import program as p
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.game import Game
from targi_dsl.ir.prices import Amounts
from targi_dsl.ir.program import (
    Bill,
    Card,
    Exchange,
    Point,
    Procedure,
    Program,
    Prohibition,
    Question,
    Way,
)
from targi_dsl.text.source import Span

REFILL = d.RuleInfo(
    "refill",
    1,
    (t.Player(), t.Place(), t.Number()),
    (s.Shuffle(e.Local(1), 2),),
    (),
    (),
)
"""The rule by which a refilled place is shuffled; it stands behind all others."""


class Label:
    """An address that may not be known yet."""

    __slots__ = ("address", "other")

    def __init__(self, address: int = NOTHING) -> None:
        self.address = address
        self.other: Label | None = None

    def stands_for(self, other: Label) -> None:
        """This address is another one."""
        self.other = other

    def resolved(self) -> int:
        """The address, when all is placed."""
        if self.other is not None:
            return self.other.resolved()
        assert self.address != NOTHING, "a label that stands nowhere"
        return self.address


OVER, NEXT_ROUND, RETURN = (Label(at) for at in (p.OVER, p.NEXT_ROUND, p.RETURN))


@dataclass(frozen=True, slots=True)
class _Line:
    """An instruction whose addresses are still labels: those of its fields by name and the next."""

    operation: ins.Operation
    labels: tuple[tuple[str, Label], ...]
    next: Label | None
    rule: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where `Leave` goes on; `kept` is the slot of the player to give back before. `span` is the
    innermost place known.
    """

    leave: Label
    kept: int
    span: Span | None


@dataclass(frozen=True, slots=True)
class _Point:
    rule: int
    label: str
    at: Label
    question: int


@dataclass(slots=True)
class _Asked:
    """A question in the making."""

    name: str
    kind: str
    rule: int
    point: int
    ways: list[tuple[s.Alternative, g.Guard, Label]]
    bill: Bill | None


def linearize(game: Game) -> Program:
    """The program of a checked game."""
    return _Linearizer(game).program()


class _Linearizer:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = (*game.rules, REFILL)
        self.lines: list[_Line] = []
        self.points: list[_Point] = []
        self.asked: list[_Asked | None] = []
        self.numbers: dict[int, int] = {}  # the question that an Ask of the rule is, by identity
        self.ordinals: Counter[tuple[int, str]] = Counter()
        self.entries: list[Label] = [Label() for _ in self.rules]
        self.rule = NOTHING
        self.slots: list[t.Type] = []
        self.bill_at = NOTHING
        self.watches_pay = any(one.verb == "pay" for one in game.triggers)

    def program(self) -> Program:
        for operation in (ins.Over(), ins.NextRound(), ins.Return()):
            self.lines.append(_Line(operation, (), None, NOTHING, None))
        made = [self._procedure(number, info) for number, info in enumerate(self.rules)]
        game, code = self.game, tuple(self._resolved(line) for line in self.lines)
        questions = tuple(self._question(one) for one in self.asked if one is not None)
        permits = [one.permits for one in game.forbids]
        sizes = len(game.groups), len(game.resources)
        live = Liveness(code, questions, permits, game.terms, sizes).live
        return Program(
            name=game.name,
            players=game.players,
            resources=game.resources,
            groups=game.groups,
            values=game.values,
            kinds=game.kinds,
            places=game.places,
            cards=tuple(Card(one.id, one.kind, one.same, one.start) for one in game.cards),
            pieces=game.pieces,
            variables=game.variables,
            slots=game.slots,
            code=code,
            points=tuple(self._point(one, live) for one in self.points),
            questions=questions,
            procedures=tuple(
                Procedure(
                    info.name,
                    info.declared,
                    info.params,
                    slots,
                    entry.resolved(),
                    begin,
                    holds,
                    next((one.span for one in info.origins if one.span is not None), None),
                )
                for info, entry, (slots, begin, holds) in zip(
                    self.rules, self.entries, made, strict=True
                )
            ),
            defines=game.defines,
            prohibitions=tuple(
                Prohibition(one.name, one.rule, one.permits) for one in game.forbids
            ),
            abilities=game.abilities,
            triggers=tuple(sorted(game.triggers, key=lambda one: one.ability)),
            terms=game.terms,
            prices=game.prices,
            actions=game.actions,
            exchanges=tuple(_exchanges(game)),
            scores=game.scores,
            ties=game.ties,
            setup=game.setup,
            round=game.round,
            refill=len(game.rules),
        )

    # ---- rules ----

    def _procedure(self, number: int, info: d.RuleInfo) -> tuple[tuple[t.Type, ...], int, g.Guard]:
        """Emits a rule; its slots, the point at which it begins, and its guard."""
        self.rule, self.slots, self.bill_at = number, list(info.slots), NOTHING
        self.numbers.clear()
        body, entry = _distinct(info.body), self.entries[number]
        begin = self._wait("begin", entry)
        after = Label() if info.opens else entry
        if info.opens:
            self._emit(entry, ins.Open(info.opens), after, None)
        first = self._block(body, RETURN, _Scope(RETURN, NOTHING, None))
        after.stands_for(first)
        return tuple(self.slots), begin, of_rule(body, number, self._number)

    def _block(self, body: s.Block, after: Label, scope: _Scope) -> Label:
        """Emits a block that goes on at `after`; where it begins."""
        labels = [*(Label() for _ in body), after]
        for statement, here, following in zip(body, labels, labels[1:], strict=False):
            span = statement.span or scope.span
            self._statement(statement, here, following, replace(scope, span=span))
        return labels[0]

    def _statement(self, node: s.Statement, here: Label, after: Label, scope: _Scope) -> None:
        match node:
            case s.Stop():
                here.stands_for(RETURN)
            case s.Leave():
                self._leave(here, scope)
            case s.If(test, then, otherwise):
                paths = Label(), Label()
                self._emit(
                    here, ins.Branch(test, NOTHING), paths[0], scope.span, ("otherwise", paths[1])
                )
                for path, body in zip(paths, (then, otherwise), strict=True):
                    path.stands_for(self._block(body, after, scope))
            case s.Each():
                self._each(node, here, after, scope)
            case s.EachPlayer():
                self._each_player(node, here, after, scope)
            case s.Loop():
                self._loop(node, here, after, scope)
            case s.Ask():
                self._ask(node, here, after, scope)
            case s.Pay():
                self._pay(node, here, after, scope)
            case s.Shuffle(place, work):
                self._shuffle(place, work, here, after, scope.span)
            case s.Roll(slot, low, high):
                question = self._asks("roll", "roll", here)
                self._emit(here, ins.Roll(question, slot, low, high), after, scope.span)
            case _:
                self._emit(here, node, after, scope.span)
                if (label := self._calls(node)) is not None:
                    self._wait(f"after {label}", after)

    def _calls(self, node: s.Statement) -> str | None:
        """What an instruction is called that may begin rules; None for one that does not."""
        match node:
            case s.Do(rule):
                return self.rules[rule].name
            case s.DoAction():
                return "action"
            case s.Gain() | s.MoveCards() | s.Refresh() | s.Announce():
                return type(node).__name__.lower().removesuffix("cards")
            case _:
                return None

    def _leave(self, here: Label, scope: _Scope) -> None:
        if scope.kept == NOTHING:
            here.stands_for(scope.leave)
        else:
            self._emit(here, s.Let(YOU, e.Local(scope.kept)), scope.leave, scope.span)

    # ---- loops ----

    def _each(self, node: s.Each, here: Label, after: Label, scope: _Scope) -> None:
        turn, body = Label(), Label()
        self._emit(here, s.Let(node.slot, e.Const(NOTHING)), turn, scope.span)
        step = ins.NextElement(node.slot, node.within, NOTHING)
        self._emit(turn, step, body, scope.span, ("done", after))
        body.stands_for(self._block(node.body, turn, scope))

    def _each_player(self, node: s.EachPlayer, here: Label, after: Label, scope: _Scope) -> None:
        """Every player once: `slot` is the player, the next one counts, the third keeps `you`."""
        slot, players = node.slot, len(self.game.players)
        player, count, type_ = e.Local(slot), e.Local(slot + 1), t.Player()
        before = e.Table((*range(NOTHING, players - 1), NOTHING), node.start, type_)
        around = e.Table((*range(1, players), 0, 0), player, type_)
        turn, back = Label(), Label()
        lets = [
            s.Let(slot, before),
            s.Let(slot + 1, e.Const(0)),
            s.Let(slot + 2, e.Local(YOU)),
        ]
        here.stands_for(self._block(tuple(lets), turn, scope))
        next_player = (
            s.Let(slot, around),
            s.Let(YOU, player),
            s.Let(slot + 1, e.Arith("+", count, e.Const(1))),
        )
        test = ins.Branch(e.Compare("less_than", count, e.Const(players)), NOTHING)
        step = Label()
        self._emit(turn, test, step, scope.span, ("otherwise", back))
        self._emit(back, s.Let(YOU, e.Local(slot + 2)), after, scope.span)
        inside = scope if scope.kept != NOTHING else replace(scope, kept=slot + 2)
        body = Label()
        step.stands_for(self._block(next_player, body, scope))
        body.stands_for(self._block(node.body, turn, inside))

    def _loop(self, node: s.Loop, here: Label, after: Label, scope: _Scope) -> None:
        turn, count, test, body = Label(), Label(), Label(), Label()
        slot, span = e.Local(node.slot), scope.span
        self._emit(here, s.Let(node.slot, e.Const(0)), turn, span)
        more = ins.Branch(e.Compare("less_than", slot, node.limit), NOTHING)
        self._emit(turn, more, count, span, ("otherwise", after))
        self._emit(count, s.Let(node.slot, e.Arith("+", slot, e.Const(1))), test, span)
        holds = guard(node.body, self.rule, self._number)
        if holds:
            self._emit(test, ins.Test(holds, NOTHING), body, span, ("otherwise", after))
        else:
            test.stands_for(body)
        body.stands_for(self._block(node.body, turn, _Scope(after, NOTHING, span)))

    # ---- questions ----

    def _ask(self, node: s.Ask, here: Label, after: Label, scope: _Scope) -> None:
        number, otherwise = self._number(node), Label()
        point = self._wait("ask", here, number)
        asked = _Asked(node.name, "ask", self.rule, point, [], None)
        self.asked[number] = asked
        labels = [("otherwise", otherwise)] if node.otherwise else []
        self._emit(here, ins.Ask(number, NOTHING), None, scope.span, *labels)
        for one in node.alternatives:
            target = Label()
            asked.ways.append((one, guard(one.body, self.rule, self._number), target))
            target.stands_for(self._block(self._settled(one.body), after, scope))
        if node.otherwise:
            otherwise.stands_for(self._block(node.otherwise, after, scope))

    def _settled(self, body: s.Block) -> s.Block:
        """The body of an alternative without the prohibitions at its beginning that were asked
        when it was offered and leave no trace.
        """
        kept = list[s.Statement]()
        for number, statement in enumerate(body):
            if isinstance(statement, s.Forbid) and self._uses_nothing(statement):
                continue
            kept.append(statement)
            if not isinstance(statement, s.Let | s.Forbid):
                kept += body[number + 1 :]
                break
        return tuple(kept)

    def _uses_nothing(self, node: s.Forbid) -> bool:
        """Whether a prohibition leaves no trace when something lifts it."""
        return all(
            self.game.abilities[ability].window == NOTHING
            for ability, _ in self.game.forbids[node.forbid].permits
        )

    def _pay(self, node: s.Pay, here: Label, after: Label, scope: _Scope) -> None:
        bill = self._bill(node)
        units, settle, otherwise = Label(), Label(), Label()
        labels = [] if node.otherwise is None else [("otherwise", otherwise)]
        question = self._asks("pay", "pay", here, bill)
        self._emit(here, ins.Pay(question, NOTHING), units, scope.span, *labels)
        if self.game.groups:
            question = self._asks("pay", "unit", units, bill)
            self._emit(units, ins.PayUnit(question), settle, scope.span)
        else:
            units.stands_for(settle)
        self._emit(settle, ins.Settle(question), after, scope.span)
        self._wait("after pay", after)
        if node.otherwise is not None:
            otherwise.stands_for(self._block(node.otherwise, after, scope))

    def _bill(self, node: s.Pay) -> Bill:
        """A payment with slots for what is open; the payments of a rule share them."""
        if self.bill_at == NOTHING:
            self.bill_at = len(self.slots)
            self.slots += [t.Truth(), *[t.Number()] * len(self.game.groups)]
            self.slots += [t.Truth()] * (len(self.game.resources) if self.watches_pay else 0)
        owed = self.bill_at + 1
        paid = owed + len(self.game.groups) if self.watches_pay else NOTHING
        return Bill(node.price, node.terms, self.bill_at, owed, paid)

    def _shuffle(
        self, place: e.Expr, work: int, here: Label, after: Label, span: Span | None
    ) -> None:
        shuffle = Label()
        self._emit(here, s.Let(work, e.Const(0)), shuffle, span)
        question = self._asks("shuffle", "shuffle", shuffle)
        self._emit(shuffle, ins.Shuffle(question, place, work), after, span)

    def _asks(self, name: str, kind: str, here: Label, bill: Bill | None = None) -> int:
        """The number of a question that is no Ask."""
        number = len(self.asked)
        point = self._wait("pay unit" if kind == "unit" else kind, here, number)
        self.asked.append(_Asked(name, kind, self.rule, point, [], bill))
        return number

    def _number(self, node: s.Ask) -> int:
        if id(node) not in self.numbers:
            self.numbers[id(node)] = len(self.asked)
            self.asked.append(None)
        return self.numbers[id(node)]

    # ---- lines, points ----

    def _emit(
        self,
        here: Label,
        operation: ins.Operation,
        following: Label | None,
        span: Span | None,
        *labels: tuple[str, Label],
    ) -> None:
        here.address = len(self.lines)
        self.lines.append(_Line(operation, labels, following, self.rule, span))

    def _wait(self, label: str, at: Label, question: int = NOTHING) -> int:
        """A point of the rule; the second of a name has its number."""
        self.ordinals[self.rule, label] += 1
        count = self.ordinals[self.rule, label]
        self.points.append(
            _Point(self.rule, label if count == 1 else f"{label} {count}", at, question)
        )
        return len(self.points) - 1

    def _resolved(self, line: _Line) -> ins.Instruction:
        operation = line.operation
        for name, label in line.labels:
            operation = _going_to(operation, name, label.resolved())
        following = line.next.resolved() if line.next is not None else NOTHING
        return ins.Instruction(operation, following, line.rule, line.span)

    def _question(self, one: _Asked) -> Question:
        ways = tuple(
            Way(
                node.label,
                node.choice,
                node.guard,
                holds,
                target.resolved(),
                node.choice is None and node.body in ((), (s.Leave(),)),
            )
            for node, holds, target in one.ways
        )
        return Question(one.name, one.kind, one.rule, one.point, ways, one.bill)

    def _point(self, one: _Point, live: list[frozenset[int]]) -> Point:
        at = one.at.resolved()
        return Point(one.rule, one.label, at, tuple(sorted(live[at] | {YOU})), one.question)


def _going_to(operation: ins.Operation, name: str, address: int) -> ins.Operation:
    """The same operation with the address of that name."""
    match operation:
        case ins.Branch() | ins.Test() | ins.Ask() | ins.Pay() if name == "otherwise":
            return replace(operation, otherwise=address)
        case ins.NextElement() if name == "done":
            return replace(operation, done=address)
        case _:
            raise AssertionError(operation)


def _distinct(body: s.Block) -> s.Block:
    """The same block in which no two questions are one object."""
    return tuple(_copied(one) for one in body)


def _copied(node: s.Statement) -> s.Statement:
    span = node.span
    match node:
        case s.If(test, then, otherwise):
            made: s.Statement = s.If(test, _distinct(then), _distinct(otherwise))
        case s.Each(slot, within, body):
            made = s.Each(slot, within, _distinct(body))
        case s.EachPlayer(slot, start, body):
            made = s.EachPlayer(slot, start, _distinct(body))
        case s.Loop(slot, limit, body):
            made = s.Loop(slot, limit, _distinct(body))
        case s.Ask(name, alternatives, otherwise):
            ways = tuple(replace(one, body=_distinct(one.body)) for one in alternatives)
            made = s.Ask(name, ways, _distinct(otherwise))
        case s.Pay(price, terms, otherwise) if otherwise is not None:
            made = s.Pay(price, terms, _distinct(otherwise))
        case _:
            return node
    return made.at(span) if span is not None else made


def _exchanges(game: Game) -> Iterator[Exchange]:
    """Every free exchange for every resource that a group in it may stand for; none that gives
    nothing new.
    """
    resources = len(game.resources)
    for exchange in game.exchanges:
        items = [item for item, _ in (*exchange.give, *exchange.take)]
        members = [(i,) if i < resources else game.groups[i - resources][1] for i in items]
        for way in product(*members):
            give = _added(way, exchange.give)
            take = _added(way[len(exchange.give) :], exchange.take)
            if all(number <= dict(give).get(item, 0) for item, number in take):
                continue
            chosen = [
                game.resources[one]
                for one, item in zip(way, items, strict=True)
                if item >= resources
            ]
            yield Exchange(" ".join([exchange.name, *chosen]), give, take)


def _added(items: tuple[int, ...], amounts: Amounts) -> Amounts:
    total = Counter[int]()
    for item, (_, number) in zip(items, amounts, strict=False):
        total[item] += number
    return tuple(sorted(total.items()))

"""Linearizes checked rules into the program: flat code with labels, and the guards of blocks."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import TypeVar

from msgspec.structs import replace

from targi_dsl.compiler.emit.assembler import RETURN, Assembler, Label
from targi_dsl.compiler.emit.liveness import Liveness
from targi_dsl.compiler.lowering.turns import is_in
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import guards as g
from targi_dsl.ir import instructions as ins
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import Amounts, outcome_base
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import Bill, Card, Exchange, Procedure, Program, Prohibition, as_object
from targi_dsl.ir.wordings import Wording
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

QuestionOf = Callable[[s.Ask | s.Random], int]
DECIDED = g.Decided()


def guard(block: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    """The guard of a block, as a conjunction; empty if the block is always possible."""
    found = of_rule(block, rule, question_of)
    return () if always(found) else found


def of_rule(block: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    """The guard of a rule's body. Unlike `guard`, it keeps a trailing `Decided`, which matters to
    guards of its callers.
    """
    found = _conjuncts(block, rule, question_of)
    return tuple(one for one in found if one == DECIDED) if always(found) else found


def always(found: g.Guard) -> bool:
    """Whether a guard holds in every position."""
    return all(isinstance(one, g.Bind | g.Decided) for one in found)


def _conjuncts(block: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    found: list[g.Conjunct] = []
    for statement in block:
        found += _conjunct(statement, rule, question_of)
        if found and isinstance(found[-1], g.Answer | g.FirstTurn | g.Decided):
            break
    return tuple(found)


def _conjunct(node: s.Statement, rule: int, question_of: QuestionOf) -> g.Guard:
    match node:
        case s.Let(slot, value):
            return (g.Bind(slot, value),)
        case s.Forbid(forbid, condition):
            return (g.Need(rule, forbid, condition),)
        case s.Pay(price, terms, otherwise):
            return (g.Payable(rule, price, terms),) if otherwise is None else ()
        case s.If(test, then, otherwise):
            return _split_test(
                test, *(_conjuncts(one, rule, question_of) for one in (then, otherwise))
            )
        case s.TurnOf():
            return _turn(node, _conjuncts(node.body, rule, question_of))
        case s.Do(number, arguments):
            return (g.Perform(number, arguments),)
        case s.DoAction(card):
            return (g.PerformAction(card),)
        case s.Ask(_, alternatives, otherwise):
            if otherwise is not None:
                return (DECIDED,)
            return (g.Answer(rule, question_of(node), tuple(range(len(alternatives)))),)
        case s.Random():
            return (g.Answer(rule, question_of(node), (0,)),)
        case s.Loop(slot, limit, body):
            return (g.FirstTurn(rule, slot, limit, _first_turn(body, rule, question_of)),)
        case s.Use():
            return ()
        case _:
            return (DECIDED,)


def _turn(node: s.TurnOf, body: g.Guard) -> g.Guard:
    """The guard of another player's turn; it holds if there is no such player."""
    if not body or body == (DECIDED,):
        return body
    begin = g.Bind(node.slot, e.Local(YOU)), g.Bind(YOU, node.player)
    return _split_test(node.there, (*begin, *body, g.Bind(YOU, e.Local(node.slot))), ())


def _split_test(test: e.Expr, then: g.Guard, otherwise: g.Guard) -> g.Guard:
    if not then and not otherwise:
        return ()
    if then == otherwise == (DECIDED,):
        return then
    return (g.Split(test, then, otherwise),)


def _first_turn(body: s.Block, rule: int, question_of: QuestionOf) -> g.Guard:
    """The guard of the first iteration of a loop, without the answer that leaves it."""
    match body:
        case (s.Ask(_, alternatives, None) as node,):
            ways = [at for at, one in enumerate(alternatives) if one.body != (s.Leave(),)]
            return (g.Answer(rule, question_of(node), tuple(ways)),)
        case _:
            return _conjuncts(body, rule, question_of)


Copied = TypeVar("Copied", bound=s.Statement | s.Alternative)

REFILL = d.RuleInfo("refill", 1, (t.PLAYER, t.PLACE, t.NUMBER), (s.Shuffle(e.Local(1), 2),), (), ())
"""The rule that shuffles a refilled place; it has the number after all others."""


class _Scope(Frozen):
    """The context of a statement. `leave`: where `Leave` jumps to. `kept`: the slot from which
    `you` is restored before. `span`: of the innermost statement that has one. `turns`: the starts
    of enclosing repetitions, by slot.
    """

    leave: Label
    kept: int
    span: Span | None
    turns: tuple[tuple[int, Label], ...] = ()


_Emitted = tuple[tuple[t.Type, ...], int, g.Guard]
"""The slots of a rule, its first point, and its guard."""


def linearize(game: Game) -> Program:
    """The program of a checked game."""
    return _Linearizer(game).program()


class _Linearizer:
    def __init__(self, game: Game) -> None:
        self.game, self.out = game, Assembler()
        self.rules = (*game.rules, REFILL)
        self.entries: list[Label] = [Label() for _ in self.rules]
        self.slots: list[t.Type] = []
        self.bill_at = NOTHING
        self.watches_pay = any(one.verb == "pay" for one in game.triggers)

    def program(self) -> Program:
        emitted = [self._rule(number, info) for number, info in enumerate(self.rules)]
        game, code, questions = self.game, self.out.code(), self.out.questions()
        permits = [one.permits for one in game.forbids]
        sizes = len(game.groups), len(game.resources)
        words = [one.reads for one in (*game.wordings, Wording(None))]  # NOTHING is the last
        said = [words[one.wording] for one in self.rules]
        slots = Liveness(code, questions, permits, game.terms, sizes)
        kept = slots.with_words(words, said)
        return Program(
            **game.tables()
            | {
                "cards": tuple(Card(one.id, one.kind, one.same, one.start) for one in game.cards),
                "triggers": tuple(sorted(game.triggers, key=lambda one: one.ability)),
            },
            code=code,
            points=self.out.points(slots.live, kept),
            questions=questions,
            procedures=tuple(map(_procedure, self.rules, self.entries, emitted)),
            prohibitions=tuple(Prohibition(it.name, it.rule, it.permits) for it in game.forbids),
            exchanges=tuple(exchanges(game)),
            refill=len(game.rules),
        )

    # ---- rules ----

    def _rule(self, number: int, info: d.RuleInfo) -> _Emitted:
        """Emits a rule."""
        self.slots, self.bill_at = list(info.slots), NOTHING
        self.out.begin(number)
        body, entry = _distinct(info.body), self.entries[number]
        begin = self.out.wait("begin", entry)
        opening = _opening(info.opens, body)
        after = Label() if opening is not None else entry
        if opening is not None:
            self.out.emit(entry, opening, after, None)
        first = self._block(body, RETURN, _Scope(RETURN, NOTHING, None))
        after.stands_for(first)
        return tuple(self.slots), begin, of_rule(body, number, self.out.number)

    def _block(self, body: s.Block, after: Label, scope: _Scope) -> Label:
        """Emits a block that continues at `after`; returns the label of its start."""
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
            case s.NextTurn(slot):
                here.stands_for(dict(scope.turns)[slot])
            case s.If(test, then, otherwise):
                paths = Label(), Label()
                self.out.emit(
                    here, ins.Branch(test, NOTHING), paths[0], scope.span, ("otherwise", paths[1])
                )
                for path, body in zip(paths, (then, otherwise), strict=True):
                    path.stands_for(self._block(body, after, scope))
            case s.Each():
                self._each(node, here, after, scope)
            case s.EachPlayer():
                self._each_player(node, here, after, scope)
            case s.TurnOf():
                self._turn_of(node, here, after, scope)
            case s.Until():
                self._until(node, here, after, scope)
            case s.Loop():
                self._loop(node, here, after, scope)
            case s.Ask():
                self._ask(node, here, after, scope)
            case s.Pay():
                self._pay(node, here, after, scope)
            case s.Shuffle(place, work):
                self._shuffle(place, work, here, after, scope.span)
            case s.Random():
                question = self.out.draws(node, here, after)
                self.out.emit(here, ins.Random(question), after, scope.span)
            case s.Roll(slot, low, high, secret):
                question = self.out.asks("roll", "roll", here, secret=secret)
                self.out.emit(here, ins.Roll(question, slot, low, high), after, scope.span)
            case _:
                self.out.emit(here, node, after, scope.span)
                if (label := self._calls(node)) is not None:
                    self.out.wait(f"after {label}", after)

    def _calls(self, node: s.Statement) -> str | None:
        """The name of the point after an instruction that may call rules; None for other
        instructions.
        """
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
            self.out.emit(here, s.Let(YOU, e.Local(scope.kept)), scope.leave, scope.span)

    # ---- loops ----

    def _each(self, node: s.Each, here: Label, after: Label, scope: _Scope) -> None:
        turn, body = Label(), Label()
        self.out.emit(here, s.Let(node.slot, e.Const(NOTHING)), turn, scope.span)
        step = ins.NextElement(node.slot, node.within, NOTHING)
        self.out.emit(turn, step, body, scope.span, ("done", after))
        body.stands_for(self._block(node.body, turn, scope))

    def _each_player(self, node: s.EachPlayer, here: Label, after: Label, scope: _Scope) -> None:
        """Emits a loop over players. `slot` holds the player, the next a count, the third the saved
        `you`.
        """
        slot, players = node.slot, len(self.game.players)
        player, count, type_ = e.Local(slot), e.Local(slot + 1), t.Player()
        before = e.Table((*range(NOTHING, players - 1), NOTHING), node.start, type_)
        around = e.Table((*range(1, players), 0, 0), player, type_)
        turn, back = Label(), Label()
        counting, keeping = s.Let(slot + 1, e.Const(0)), s.Let(slot + 2, e.Local(YOU))
        here.stands_for(self._block((s.Let(slot, before), counting, keeping), turn, scope))
        counted = s.Let(slot + 1, e.Arith("+", count, e.Const(1)))
        next_player = (s.Let(slot, around), s.Let(YOU, player), counted)
        test = ins.Branch(e.Compare("less_than", count, e.Const(players)), NOTHING)
        step = Label()
        self.out.emit(turn, test, step, scope.span, ("otherwise", back))
        self.out.emit(back, s.Let(YOU, e.Local(slot + 2)), after, scope.span)
        inside = scope if scope.kept != NOTHING else replace(scope, kept=slot + 2)
        body = Label()
        step.stands_for(self._block(next_player, body, scope))
        block, base = self._block(node.body, turn, inside), outcome_base(self.game.variables)
        if base == NOTHING:
            body.stands_for(block)
        else:
            passed = ins.Branch(is_in(base, player), NOTHING)
            self.out.emit(body, passed, block, scope.span, ("otherwise", turn))

    def _turn_of(self, node: s.TurnOf, here: Label, after: Label, scope: _Scope) -> None:
        turn, back, test = Label(), Label(), Label()
        self.out.emit(here, s.Let(node.slot, e.Local(YOU)), test, scope.span)
        self.out.emit(test, ins.Branch(node.there, NOTHING), turn, scope.span, ("otherwise", after))
        self.out.emit(back, s.Let(YOU, e.Local(node.slot)), after, scope.span)
        inside = scope if scope.kept != NOTHING else replace(scope, kept=node.slot)
        body = self._block(node.body, back, inside)
        self.out.emit(turn, s.Let(YOU, node.player), body, scope.span)

    def _until(self, node: s.Until, here: Label, after: Label, scope: _Scope) -> None:
        continues = e.Not(node.condition)
        body = Label()
        self.out.emit(here, ins.Branch(continues, NOTHING), body, scope.span, ("otherwise", after))
        inside = replace(scope, turns=(*scope.turns, (node.slot, here)))
        body.stands_for(self._block(node.body, here, inside))

    def _loop(self, node: s.Loop, here: Label, after: Label, scope: _Scope) -> None:
        turn, count, test, body = Label(), Label(), Label(), Label()
        slot, span = e.Local(node.slot), scope.span
        self.out.emit(here, s.Let(node.slot, e.Const(0)), turn, span)
        more = ins.Branch(e.Compare("less_than", slot, node.limit), NOTHING)
        self.out.emit(turn, more, count, span, ("otherwise", after))
        self.out.emit(count, s.Let(node.slot, e.Arith("+", slot, e.Const(1))), test, span)
        holds = guard(node.body, self.out.rule, self.out.number)
        if holds:
            self.out.emit(test, ins.Test(holds, NOTHING), body, span, ("otherwise", after))
        else:
            test.stands_for(body)
        inside = replace(scope, leave=after, kept=NOTHING)
        body.stands_for(self._block(node.body, turn, inside))

    # ---- questions ----

    def _ask(self, node: s.Ask, here: Label, after: Label, scope: _Scope) -> None:
        number, otherwise = self.out.number(node), Label()
        point = self.out.wait("ask", here, number)
        ways = []
        labels = [("otherwise", otherwise)] if node.otherwise is not None else []
        self.out.emit(here, ins.Ask(number, NOTHING), None, scope.span, *labels)
        for one in node.alternatives:
            target = Label()
            ways.append((one, guard(one.body, self.out.rule, self.out.number), target))
            target.stands_for(self._block(self._without_prohibitions(one.body), after, scope))
        self.out.ask(node, point, ways)
        if node.otherwise is not None:
            otherwise.stands_for(self._block(node.otherwise, after, scope))

    def _without_prohibitions(self, body: s.Block) -> s.Block:
        """The body of an alternative without leading prohibitions that its guard has evaluated
        already, except those whose lifting uses up an ability.
        """
        rest = list[s.Statement]()
        for number, statement in enumerate(body):
            if isinstance(statement, s.Forbid) and self._uses_nothing(statement):
                continue
            rest.append(statement)
            if not isinstance(statement, s.Let | s.Forbid):
                rest += body[number + 1 :]
                break
        return tuple(rest)

    def _uses_nothing(self, node: s.Forbid) -> bool:
        """Whether no ability that lifts the prohibition is used up by that."""
        return all(
            self.game.abilities[ability].window == NOTHING
            for ability, _ in self.game.forbids[node.forbid].permits
        )

    def _pay(self, node: s.Pay, here: Label, after: Label, scope: _Scope) -> None:
        bill = self._bill(node)
        units, settle, otherwise = Label(), Label(), Label()
        labels = [] if node.otherwise is None else [("otherwise", otherwise)]
        question = self.out.asks("pay", "pay", here, bill)
        self.out.emit(here, ins.Pay(question, NOTHING), units, scope.span, *labels)
        if self.game.groups:
            question = self.out.asks("pay", "unit", units, bill)
            self.out.emit(units, ins.PayUnit(question), settle, scope.span)
        else:
            units.stands_for(settle)
        self.out.emit(settle, ins.Settle(question), after, scope.span)
        self.out.wait("after pay", after)
        if node.otherwise is not None:
            otherwise.stands_for(self._block(node.otherwise, after, scope))

    def _bill(self, node: s.Pay) -> Bill:
        """A payment with its slots for what remains to be paid, which all payments of a rule
        share.
        """
        if self.bill_at == NOTHING:
            self.bill_at = len(self.slots)
            self.slots += [t.Truth(), *[t.Number()] * len(self.game.groups)]
            self.slots += [t.Number()] * (len(self.game.resources) if self.watches_pay else 0)
        owed = self.bill_at + 1
        paid = owed + len(self.game.groups) if self.watches_pay else NOTHING
        if node.paid != NOTHING:
            paid = node.paid
        return Bill(node.price, node.terms, self.bill_at, owed, paid, node.is_loss)

    def _shuffle(
        self, place: e.Expr, work: int, here: Label, after: Label, span: Span | None
    ) -> None:
        shuffle = Label()
        self.out.emit(here, s.Let(work, e.Const(0)), shuffle, span)
        question = self.out.asks("shuffle", "shuffle", shuffle)
        self.out.emit(shuffle, ins.Shuffle(question, place, work), after, span)


def _procedure(info: d.RuleInfo, entry: Label, emitted: _Emitted) -> Procedure:
    """The entry of a rule in the program's table."""
    span = next((one.span for one in info.origins if one.span is not None), None)
    return Procedure(
        info.name, info.declared, info.params, emitted[0], entry.resolve(), *emitted[1:], span
    )


def _opening(opens: tuple[int, ...], body: s.Block) -> ins.Open | ins.Nop | None:
    """An instruction before the body of a rule, or None. A frame at the entry of its rule has not
    started it, so a question must not be at that address.
    """
    if opens:
        return ins.Open(opens)
    return ins.Nop() if body and isinstance(body[0], s.Ask | s.Pay | s.Roll | s.Random) else None


def _distinct(body: s.Block) -> s.Block:
    """The block in which every question is a distinct object, as questions are numbered by
    identity.
    """
    return tuple(_copy(one) for one in body)


def _copy(node: Copied) -> Copied:
    """A copy of a random choice or of a statement with blocks; any other statement itself."""
    values = {name: getattr(node, name, None) for name in _BLOCKS}
    blocks = {name: _distinct(part) for name, part in values.items() if isinstance(part, tuple)}
    return replace(node, **blocks) if blocks or isinstance(node, s.Random) else node


_BLOCKS = ("body", "then", "otherwise", "alternatives")
"""Fields of statements that contain blocks or alternatives."""


# ---- free exchanges ----


def exchanges(game: Game) -> Iterator[Exchange]:
    """The free exchanges, with groups expanded to resources, except those without effect."""
    for exchange in game.exchanges:
        items = [item for item, _ in (*exchange.give, *exchange.take)]
        for way in product(*map(game.members, items)):
            give = _total(way, exchange.give)
            take = _total(way[len(exchange.give) :], exchange.take)
            if all(number <= dict(give).get(item, 0) for item, number in take):
                continue
            pairs = zip(way, items, strict=True)
            chosen = [game.resources[one] for one, item in pairs if item >= len(game.resources)]
            yield Exchange(" ".join([exchange.name, *chosen]), give, take, exchange.when)


def _total(items: tuple[int, ...], amounts: Amounts) -> Amounts:
    total = Counter[int]()
    for item, (_, number) in zip(items, amounts, strict=False):
        total[item] += number
    return tuple(sorted(total.items()))


# ---- the rules hash ----


def rules_hash(program: Program) -> str:
    """A hash of the program. Titles, texts, reasons, the layout and spans are not part of it."""
    canonical = json.dumps(program, default=as_object, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]

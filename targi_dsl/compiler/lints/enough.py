"""Warns of questions for an exact number of things where fewer may be there, once it is too late to
offer something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

from msgspec.structs import replace

from targi_dsl.compiler.lints.flow import (
    ASKED,
    Bound,
    Fold,
    bindings,
    blocks,
    lies_on,
    origins,
    places,
    reached,
)
from targi_dsl.compiler.lints.rounds import beginnings
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.game import Game
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.walk import parts, rewritten, within
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen


def too_few(game: Game) -> Iterator[Problem]:
    """The questions for several things that nothing has examined, and that need not find as many,
    as far as the number of cards in each place tells, and what was asked before.
    """
    if any(_several(ask) > 1 for rule in game.rules for ask in rule.every(s.Ask)):
        for ask, done in _Flow(game).found.values():
            yield _problem(ask, done)


def _problem(ask: s.Ask, done: Span | None) -> Problem:
    number, said = _several(ask), " ".join(ask.span.text.split()) if ask.span is not None else ""
    text = "Nothing else is offered instead, so play would stop. Before it, ask how many there are"
    text += " by an `if`, or write:"
    hint = said.replace(f"choose {number} ", f"choose up to {number} ", 1)
    labels = () if done is None else (Label(done, "this has been done by then"),)
    return Problem("W944", f"fewer than {number} may be there", ask.span, text, hint, labels)


def _several(ask: s.Ask) -> int:
    """How many things are chosen, if no fewer can be."""
    match ask.alternatives:
        case (s.Alternative(choice=s.Binding(), body=body),) if ask.otherwise is None:
            inner = body[0] if body else None
            is_same = isinstance(inner, s.Ask) and inner.span == ask.span is not None
            return 1 + (_several(inner) if isinstance(inner, s.Ask) and is_same else 0)
        case _:
            return 0


_Counts = Mapping[e.Expr, int]
"""How many cards there are, at least, in a set of places; that of `you` stands for that of any
player.
"""


class _Known(Frozen):
    """What is known before a statement: whether it is ever reached, and is examined before it is
    offered, or else what has been done by then; what conditions have asked for; and how many cards
    are on nobody's places or yours, and on those of every other player.
    """

    is_reached: bool = True
    is_examined: bool = False
    done: Span | None = None
    asked: frozenset[object] = frozenset()
    here: Mapping[e.Expr, int] = {}
    others: Mapping[e.Expr, int] = {}

    def join(self, other: _Known) -> _Known:
        """Behind statements one of which is done."""
        if not (self.is_reached and other.is_reached):
            return self if self.is_reached else other
        return _Known(
            True,
            self.is_examined and other.is_examined,
            self.done or other.done,
            self.asked & other.asked,
            _least(self.here, other.here),
            _least(self.others, other.others),
        )

    def over(self, done: Span | None = None) -> _Known:
        """Behind a statement that ends what is examined."""
        return replace(self, is_examined=False, done=done or self.done)

    def by_anyone(self) -> _Known:
        """If `you` may be any player."""
        owned = _least({key: self.here.get(key, 0) for key in self.others}, self.others)
        return replace(self, here=_nobodys(self.here) | owned, others=owned)

    def by_another(self) -> _Known:
        """If `you` is another player than before."""
        return replace(self, here={**_nobodys(self.here), **self.others})

    def again(self, end: _Known) -> _Known:
        """Before something that has been done any number of times, with this at its end."""
        here, others = (
            {key: count for key, count in counts.items() if after.get(key, 0) >= count}
            for counts, after in ((self.here, end.here), (self.others, end.others))
        )
        return replace(self, here=here, others=others) if end.is_reached else self

    def with_cards(self, key: e.Expr | None, number: int) -> _Known:
        """With that many in these places, at least."""
        if key is None or self.here.get(key, 0) >= number:
            return self
        return replace(self, here={**self.here, key: number})


_UNREACHED = _Known(is_reached=False)


def _least(some: _Counts, others: _Counts) -> dict[e.Expr, int]:
    return {key: min(some[key], others[key]) for key in some.keys() & others.keys()}


def _nobodys(counts: _Counts) -> dict[e.Expr, int]:
    return {key: count for key, count in counts.items() if not _is_owned(key)}


def _is_owned(key: e.Expr) -> bool:
    return any(one.slot == YOU for one in parts(key, e.Local))


class _Flow(Fold[_Known]):
    """Follows the course of the game. found: by place, the questions of which it is not known that
    there is enough to choose from, and what has been done by then.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.found: dict[Span | None, tuple[s.Ask, Span | None]] = {}
        self._inner = set[int]()  # the questions for the second of several things, and so on
        self._bound: dict[int, Bound] = {}
        self._types = Inference(game)
        moves = (move for rule in game.rules for move in rule.every(s.MovePieces))
        self._stay = all(move.place != e.Const(NOTHING) for move in moves)
        laid = Counter(card.start for card in game.cards)
        there: dict[e.Expr, int] = {e.Const((place,)): number for place, number in laid.items()}
        for rule in beginnings(game):
            if rule not in game.actions and rule != game.round:
                self.enter(rule, _Known(here=there if rule == game.setup else {}))
        self.run()
        end = self._ends.get(game.setup, _UNREACHED)
        start, begun = _Known(here=end.here, others=end.others).by_anyone(), None
        while start != begun:
            self.enter(game.round, start)
            self.run()
            begun, start = start, start.again(self._ends[game.round].by_anyone())

    def join(self, fact: _Known, other: _Known) -> _Known:
        return fact.join(other)

    def inside(self, node: s.Statement, fact: _Known) -> Iterator[tuple[s.Block, _Known]]:
        match node:
            case s.If(condition, then, otherwise):
                known = self._asking(fact, condition)
                able = any(True for _ in reached(self.game, (condition,), e.CanDo, ASKED))
                allowed = replace(known, is_examined=able or fact.is_examined)
                holds = _holds(condition)
                yield then, _UNREACHED if holds is False else allowed
                yield otherwise, _UNREACHED if holds is True else known
            case s.Ask(_, ways, otherwise):
                self._check(node, fact)
                is_only = len(ways) == 1 and otherwise is None
                start = fact if is_only else replace(fact, is_examined=True)
                yield from ((way.body, self._chosen(node, way, start)) for way in ways)
                if otherwise is not None:
                    yield otherwise, replace(fact, is_examined=False)
            case s.TurnOf():
                yield node.body, fact.by_anyone()
            case s.Pay():
                yield from ((body, replace(fact, is_examined=False)) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Known, ends: list[_Known]) -> _Known:
        match node:
            case _ if not fact.is_reached:
                return fact
            case s.Let() | s.Use():
                return fact
            case s.Forbid(_, condition):
                return self._asking(fact, condition)
            case s.If():
                return reduce(_Known.join, ends)
            case s.Pay():
                return reduce(_Known.join, ends, fact)
            case s.TurnOf():
                return ends[0].by_anyone()
            case s.Ask():
                return reduce(_Known.join, ends).over()
            case s.EachPlayer() | s.Each() | s.Until() | s.Loop():
                return self._repeated(node, fact).over()
            case s.Do(rule):
                return self._done(fact, (rule,))
            case s.DoAction():
                rules = {one for one in self.game.actions if one != NOTHING}
                return self._done(fact, rules).over() if rules else fact
            case s.Stop() | s.Leave() | s.NextTurn() | s.EndGame():
                return _UNREACHED
            case s.MoveCards():
                return self._moved(node, fact).over(node.span)
            case _:
                return fact.over(node.span)

    def _done(self, fact: _Known, rules: Iterable[int]) -> _Known:
        """Behind one of several rules."""
        end = _UNREACHED
        for rule in rules:
            self.enter(rule, fact)
            end = end.join(self.end_of(rule) or _UNREACHED)
        is_examined, done = fact.is_examined and end.is_examined, end.done or fact.done
        return replace(end, is_examined=is_examined, done=done, asked=fact.asked | end.asked)

    def _repeated(self, node: s.EachPlayer | s.Each | s.Until | s.Loop, fact: _Known) -> _Known:
        """Behind a loop."""
        start = fact.by_anyone() if isinstance(node, s.EachPlayer) else fact
        match node:
            case s.Each(_, e.Range(e.Const(int(low)), e.Const(int(high)))) if high - low < 16:
                for _ in range(low, high + 1):
                    before, start = start, self._block(node.body, start.over())
                    if start == before:
                        break
                return start
            case s.Each(_, asked):
                start = self._asking(start, *(one.condition for one in parts(asked, e.Filter)))
            case s.Until(_, asked) | s.Loop(_, asked):
                start = replace(start, asked=start.asked | self._read(asked))
        is_offered, begun = isinstance(node, s.Loop), None
        end = start = replace(start, is_examined=is_offered)
        while start != begun:
            begun, end = start, self._block(node.body, start)
            is_next = isinstance(node, s.EachPlayer)
            start = start.again(end.by_another() if is_next else end)
        if isinstance(node, s.EachPlayer) and end.is_reached:  # everybody has done it
            return replace(end, others={key: end.here[key] for key in end.here if _is_owned(key)})
        match node:
            case s.Each(
                slot, e.Filter(_, spaces, e.Compare("is", e.Size(e.CardsOn()), e.Const(0)))
            ):
                moves = within(node.body, s.MoveCards)
                if any(move.place == e.Local(slot) for move in moves):  # `fill`
                    return start.with_cards(_key(spaces), self._size(spaces, start))
        return start

    # ---- what there is ----

    def _check(self, ask: s.Ask, fact: _Known) -> None:
        number = _several(ask)
        if number > 1 and id(ask) not in self._inner:
            inner = (one for one in within(ask.alternatives, s.Ask) if one.span == ask.span)
            self._inner |= {id(one) for one in inner}
            choice = ask.alternatives[0].choice
            assert choice is not None
            is_known = self._size(choice.within, fact) >= number
            is_known = is_known or not fact.asked.isdisjoint(self._read(choice.within))
            if fact.is_reached and not fact.is_examined and not is_known:
                self.found[ask.span] = ask, fact.done

    def _chosen(self, ask: s.Ask, way: s.Alternative, fact: _Known) -> _Known:
        """What is known once something has been chosen."""
        fact = self._asking(fact, way.guard)
        if way.choice is None:
            return fact
        fact = self._asking(fact, *(one.condition for one in parts(way.choice.within, e.Filter)))
        for one in origins(way.choice.within, Bound()):
            if isinstance(one, e.CardsOn):
                fact = fact.with_cards(_key(one.places), _several(ask) or 1)
        return fact

    def _size(self, node: e.Expr, fact: _Known) -> int:
        """How many elements a set has, at least, as far as that is known."""
        match node:
            case e.Const(tuple(value)):
                return len(value)
            case e.Range(e.Const(int(low)), e.Const(int(high))):
                return high - low + 1
            case e.MakeSet(items):
                return len(items) if all(map(self._is_there, items)) else 0
            case e.SetOp("plus", left, right):
                return max(self._size(left, fact), self._size(right, fact))
            case e.SetOp("except", left, right):
                return self._size(left, fact) - self._types.size(right)
            case e.Filter(slot, of, e.Compare("is_not", e.Local(tested), _)) if slot == tested:
                return self._size(of, fact) - 1
            case e.Filter(slot, e.Const() | e.Range() as of, condition) if _is_fixed(
                slot, condition
            ):
                return self._size(of, fact)  # or never, which every game on trial would tell
            case e.Pick(sets):
                return min(map(len, sets[:-1]), default=0)
            case e.Cond(_, then, otherwise):
                return min(self._size(then, fact), self._size(otherwise, fact))
            case e.Call(define, (e.Local(0),)):
                return self._size(self.game.defines[define].value, fact)
            case e.Lying(base, things) if self._stay and base == self.game.slots.piece_place:
                return self._size(things, fact)
            case e.CardsOn(there) if (key := _key(there)) is not None:
                counts = fact.here if _is_yours(there) else fact.by_anyone().here
                return counts.get(key, 0)
            case _:
                return 0

    def _is_there(self, node: e.Expr) -> bool:
        """Whether a slot of several things that were chosen is not left empty."""
        lets = self.game.rules[self.rule].every(s.Let)
        empty = {let.slot for let in lets if let.value == e.Const(NOTHING)}
        return isinstance(node, e.Local) and node.slot not in empty

    def _moved(self, move: s.MoveCards, fact: _Known) -> _Known:
        """Behind a move of cards."""
        match move.cards:
            case e.MakeSet(items):
                known = sum(isinstance(one, e.TopCard | e.BottomCard) or self._is_there(one)
                            for one in items)  # fmt: skip
                for one in items:
                    fact = self._taken(one, 1, fact)
            case _:
                known = self._size(move.cards, fact)
                fact = self._taken(move.cards, self._types.size(move.cards), fact)
        key = _key(move.place)
        if key is None or not _is_yours(move.place):
            return fact
        return fact.with_cards(key, fact.here.get(key, 0) + known)

    def _taken(self, cards: e.Expr, number: int, fact: _Known) -> _Known:
        """Without so many cards at most, wherever they come from."""
        found = [lies_on(one) for one in origins(cards, self._bindings())]
        there = [None if place is None else _key(place) for place in found]
        here, others = dict(fact.here), dict(fact.others)
        for key in [*here] if None in there else there:
            if key in here:
                here[key] = max(here[key] - number, 0)
        are_yours = all(place is not None and _is_yours(place) for place in found)
        for key in () if are_yours else [*others] if None in there else there:
            if key in others:
                others[key] = max(others[key] - number, 0)
        return replace(fact, here=here, others=others)

    # ---- what was asked ----

    def _asking(self, fact: _Known, *conditions: e.Expr) -> _Known:
        """Behind conditions; whether there is anything at all does not tell how many there are."""
        telling = (rewritten(one, _without_any) for one in conditions)
        return replace(fact, asked=fact.asked.union(*map(self._read, telling)))

    def _read(self, node: e.Expr) -> frozenset[object]:
        """The variables, pieces, zones and regions with cards that an expression depends on."""
        bound = self._bindings()
        named = (one.slot for one in parts(node, e.Local))
        nodes = (node, *(value for slot in named for value in bound.slots.get(slot, ())))
        found = set[object]()
        for one in reached(self.game, nodes, _DEPENDENT, ASKED):
            match one:
                case e.Var(base) | e.Lying(base) | e.Places(base):
                    found.add(base)
                case e.CardsOn(there) | e.TopCard(there) | e.BottomCard(there):
                    items = there.items if isinstance(there, e.MakeSet) else (there,)
                    known = (place for item in items for place in places(item, bound) or ())
                    found |= {self.game.places[place].region for place in known}
        return frozenset(found)

    def _bindings(self) -> Bound:
        if self.rule not in self._bound:
            self._bound[self.rule] = bindings(self.game, self.game.rules[self.rule])
        return self._bound[self.rule]


_DEPENDENT = (e.Var, e.Lying, e.Places, e.CardsOn, e.TopCard, e.BottomCard)


def _is_fixed(slot: int, condition: e.Expr) -> bool:
    """Whether a condition on what is in a slot depends on nothing else."""
    dynamic = next(parts(condition, (*_DEPENDENT, e.Call)), None)
    return dynamic is None and all(one.slot == slot for one in parts(condition, e.Local))


def _without_any(node: e.Expr) -> e.Expr:
    match node:
        case e.Exists(condition=e.Const()) | e.Compare(_, e.Size(), e.Const(0)):
            return e.Const(1)
        case _:
            return node


def _holds(node: e.Expr) -> bool | None:
    """Whether a condition holds, if the rules or the number of players say so."""
    match node:
        case e.Const(int(value)):
            return bool(value)
        case e.Compare(op, e.Size(e.Const(tuple(those))), e.Const(int(number))):
            return COMPARISONS[op].holds(len(those), number)
        case _:
            return None


def _key(there: e.Expr) -> e.Expr | None:
    """Places, by what they are for `you`; nothing if they depend on anything else."""
    match there:
        case e.Const(int(place)) | e.MakeSet((e.Const(int(place)),)):
            return e.Const((place,))
        case e.Table(values, _) | e.MakeSet((e.Table(values, _),)):
            return e.Pick(tuple((one,) for one in values[:-1]), e.Local(YOU))
        case e.Pick(sets, _):
            return e.Pick(sets[:-1], e.Local(YOU))
        case e.Const(tuple()):
            return there
        case _:
            return None


def _is_yours(there: e.Expr) -> bool:
    """Whether places are yours or nobody's, and not those of another player."""
    indices = [one.index for one in parts(there, e.Table)]
    indices += [one.index for one in parts(there, e.Pick)]
    return all(index == e.Local(YOU) for index in indices)

"""What prevents an answer: the conjuncts of its guard that do not hold, in words.

The conditions, prices and options are those of the engine; only the order in which they are
evaluated is that of `Obstacles`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from targi_dsl.api.naming import Naming, spoken
from targi_dsl.api.position import Position
from targi_dsl.engine import Engine
from targi_dsl.engine.code import Value
from targi_dsl.engine.faults import Fault, newest
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.explain.obstacles import Obstacles
from targi_dsl.ir import guards as g
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import ForbidInfo
from targi_dsl.ir.expressions import Active, CardsOn, Const, Expr, PriceExpr, SetOp
from targi_dsl.ir.program import Question, Way
from targi_dsl.ir.wordings import NoneLeft, NotAmong
from targi_dsl.text.light import dataclass
from targi_dsl.text.source import Span

MOST = 24
"""Reasons noted for one answer; a question within it may have very many."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One obstacle.

    name: the name of the prohibition; RULE.pay; RULE.WHAT if something is not in the set; or the
    ability that is not active. text: for people. file and line: where the rules say so ("" and 0 if
    nowhere). lifts: the abilities that lift the prohibition, or the card that must lie there.
    lasts: how long it holds, in words, where nothing lifts it.
    """

    name: str
    text: str
    file: str = ""
    line: int = 0
    lifts: tuple[str, ...] = ()
    lasts: str = ""


def placed(
    name: str, text: str, span: Span | None, lifts: tuple[str, ...] = (), lasts: str = ""
) -> Reason:
    """A reason with its place in the rules."""
    file, line = (span.source.name, span.line) if span is not None else ("", 0)
    return Reason(name, text, file, line, lifts, lasts)


class _Enough(Exception):
    """Enough reasons have been collected."""


class Refusal:
    """Collects from the guards the reasons why an answer to the open question is not offered."""

    def __init__(self, engine: Engine, v: Sequence[int], names: Naming) -> None:
        self.names = names
        self.engine, self.game, self.program = engine, engine.game, engine.program
        self.v, self.frame = list(v), engine.guards.code.frames.top(v)
        self.found: dict[Reason, None] = {}
        self.about: list[str] = []  # the answers of questions within, in words

    def reasons(self, rule: int, way: Way, element: int) -> tuple[Reason, ...]:
        """All reasons; none if the answer is offered. `element` is NOTHING if there is nothing to
        choose.
        """
        with suppress(_Enough, Fault):  # what cannot be evaluated is not a reason
            self._answer(rule, way, element)
        return tuple(self.found)

    def alike(self, question: Question, way: Way) -> Reason:
        """Why an answer is not offered although no conjunct prevents it."""
        name = f"{self._rule(question.rule)}.{self._what(question.rule, way)}"
        text = self.names.say("one that lies just like it is offered in its place")
        return placed(name, text, self._span(question.rule))

    def _answer(self, rule: int, way: Way, element: int) -> None:
        v, f = self.v, self.frame
        if way.choice is not None and self._value(way.when)(v, f):
            known = self._knows(way, element, f)
            if not known or element not in self._value(way.choice.within)(v, f):
                self._not_in(rule, way, element)
                return
        Obstacles(self.engine.guards, self).of_answer(rule, way, v, f, element)

    # ---- what guards tell ----

    def note(self, conjunct: g.Conjunct, v: Vector, f: Frame) -> None:
        """A conjunct that does not hold."""
        match conjunct:
            case g.Need(_, forbid, condition):
                info = self.game.forbids[forbid]
                lifts = tuple(self.game.abilities[ability].name for ability, _ in info.permits)
                span = newest(info.origins)
                text = self._reason(info)
                is_constant = isinstance(condition, Const)
                lasts = "" if lifts or is_constant else self._duration(info)
                self._add(info.name, text, span, lifts, lasts)
            case g.Payable(rule, price, terms):
                self._add(
                    f"{self._rule(rule)}.pay",
                    price_words(self.engine, self.names, price, terms, v, f),
                    self._span(rule),
                )
            case g.FirstTurn(rule):
                text = self.names.say("it may not be done even once")
                self._add(f"{self._rule(rule)}.times", text, self._span(rule))
            case _:
                raise AssertionError(conjunct)

    def not_now(self, way: Way, rule: int, v: Vector, f: Frame) -> None:
        """A way that is not open: its ability is not active, or has been used."""
        if not isinstance(way.when, Active):
            self._add(way.label, self.names.say("it cannot be chosen now"), self._span(rule))
            return
        ability, table = way.when.ability, self.engine.code.table
        info = self.game.abilities[ability]
        if not self._has(f[0], ability):
            text = self.names.say(
                "it works only while its card lies where your abilities are active"
            )
            card = (self.game.cards[info.card].id,) if info.card != NOTHING else ()
            self._add(way.label, text, info.span, card)
            return
        slot = table.window(ability, f[0])
        period = next((rule.name for rule in self.game.rules if slot in rule.opens), "")
        say, lasts = self.names.say, ""
        text = say("it has been used in this game")
        if period:
            called = self.names.word(period)
            text = say("it has been used in this {period}", period=called)
            lasts = say("until the next {period}", period=called)
        self._add(way.label, text, info.span, lasts=lasts)

    def _has(self, player: int, ability: int) -> bool:
        """Whether an ability is active for a player, whatever its window."""
        card = self.game.abilities[ability].card
        place = Position(self.game, self.v).place_of_card(card) if card != NOTHING else NOTHING
        return card == NOTHING or self.engine.code.table.owner_of[place] == player

    def nothing_to_choose(self, way: Way, rule: int, v: Vector, f: Frame) -> None:
        """An empty set."""
        assert way.choice is not None
        where = self._words(way.choice.within, v, f)
        text = self.names.say("there is nothing to choose")
        if where:
            text = self.names.say("there is nothing to choose in {place}", place=where)
        self._add(f"{self._rule(rule)}.{self._what(rule, way)}", text, self._span(rule))

    def looks(self, way: Way, rule: int, element: int, v: Vector, f: Frame) -> bool:
        """Enters an answer of a nested question. Reasons must not reveal a card the player does not
        know.
        """
        if way.choice is None or element == NOTHING:
            self.about.append(self.names.way(way.label, way.wording))
            return True
        if not self._knows(way, element, f):
            name = f"{self._rule(rule)}.{self._what(rule, way)}"
            self._add(name, self.names.say("not with a hidden card"), self._span(rule))
            return False
        self.about.append(self.names.of(way.choice.type, element))
        return True

    def looked(self) -> None:
        """Leaves the answer again."""
        self.about.pop()

    # ---- words ----

    def _not_in(self, rule: int, way: Way, element: int) -> None:
        assert way.choice is not None
        within, thing = way.choice.within, self.names.of(way.choice.type, element)
        text = self.names.say("{thing} is none of those that may be chosen", thing=thing)
        words = self._words(within, self.v, self.frame)
        offered = self._value(within)(self.v, self.frame)
        if words and all(self._knows(way, member, self.frame) for member in offered):
            text = self.names.say("{thing} is not in {place}", thing=thing, place=words)
        self._add(f"{self._rule(rule)}.{self._what(rule, way)}", text, self._span(rule))

    def _knows(self, way: Way, element: int, f: Frame) -> bool:
        """Whether the player knows what is chosen. Reasons must not reveal where an unknown card
        lies.
        """
        if way.choice is None or not isinstance(way.choice.type, t.Card):
            return True
        return Position(self.game, self.v).is_known(element, f[0])

    def _what(self, rule: int, way: Way) -> str:
        """What is chosen: its name if the answers have one, or else its type."""
        assert way.choice is not None
        named = way.label != self._rule(rule)
        return way.label if named else way.choice.type.name

    def _add(
        self,
        name: str,
        text: str,
        span: Span | None,
        lifts: tuple[str, ...] = (),
        lasts: str = "",
    ) -> None:
        about = " ".join(filter(None, self.about))
        self.found[placed(name, f"{about}: {text}" if about else text, span, lifts, lasts)] = None
        if len(self.found) == MOST:
            raise _Enough

    def _rule(self, rule: int) -> str:
        return self.program.procedures[rule].declared

    def _span(self, rule: int) -> Span | None:
        return self.program.procedures[rule].span

    def _words(self, node: Expr, v: Vector, f: Frame) -> str:
        """A set of cards in words; "" if it has no simple description."""
        match node:
            case CardsOn(places):
                return self._places(self._value(places)(v, f), f[0])
            case SetOp("plus", left, right):
                words = self._words(left, v, f), self._words(right, v, f)
                return self.names.either(words) if all(words) else ""
            case _:
                return ""

    def _places(self, places: tuple[int, ...], you: int) -> str:
        """Places by the names of their regions, those of the player as "your"."""
        return self.names.either(dict.fromkeys(self._place(place, you) for place in places))

    def _place(self, number: int, you: int) -> str:
        place, names = self.game.places[number], self.names
        if place.owner == you:
            return names.say("your {region}", region=names.region(number))
        return names.place(number) if place.is_zone else names.region(number)

    def _reason(self, info: ForbidInfo) -> str:
        """Why something is forbidden. Conditions are in the words of the rules, so only English
        repeats them.
        """
        names = self.names
        match info.reason:
            case NoneLeft(kind, yours):
                piece = names.called("piece", kind)
                if yours:
                    return names.say("you have no {piece} left", piece=piece)
                return names.say("no {piece} is left", piece=piece)
            case NotAmong(condition):
                if not names.language.is_english:
                    return names.say("it is none of those that may be chosen")
                return spoken(f"it can be chosen only if {condition}")
            case text:
                return names.language.word(text) or names.say("it is forbidden")

    def _duration(self, info: ForbidInfo) -> str:
        """How long a prohibition holds, as the rule says it; for prohibitions about the chosen
        thing, the text is enough.
        """
        is_told = info.condition and self.names.language.is_english
        return f"as long as {info.condition}" if is_told else ""

    def _value(self, node: Expr) -> Value:
        return self.engine.guards.expressions.value(node)


def price_words(
    engine: Engine, names: Naming, price: PriceExpr, terms: int, v: Vector, f: Frame
) -> str:
    """The amount due, after everything that changes the price, and how much of it the payer has."""
    code, invoice = engine.code, engine.guards.invoice(price, terms)
    plans, have = invoice.plans(v, f), invoice.purse(v, f)
    count = len(engine.program.resources)
    ways = [
        (*plan.needs, *((count + group, number) for group, number, _ in plan.wild))
        for plan in plans
    ]
    items = dict.fromkeys(item for way in ways for item, _ in way)
    groups = code.market.groups
    owned = {
        item: have[item]
        if item < count
        else sum(have[resource] for resource in groups[item - count])
        for item in items
    }
    yours = ", ".join(names.amount(code.domains.item(item), have) for item, have in owned.items())
    costs = names.either(dict.fromkeys(names.amounts(way) for way in ways))
    if f[0] == engine.seat(v):
        return names.say("costs {costs}; you have {have}", costs=costs, have=yours)
    who = names.player(f[0])
    return names.say("costs {costs}; {player} has {have}", costs=costs, player=who, have=yours)

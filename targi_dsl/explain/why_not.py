"""Why an answer is not offered now: all reasons by name, with their places in the rules and what
would lift them.

The engine stops at the first conjunct of a guard that fails; here evaluation continues after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import assert_never

from msgspec.structs import replace

from targi_dsl.api import choices
from targi_dsl.api.naming import Naming
from targi_dsl.api.position import Position
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.engine.expressions import Value
from targi_dsl.engine.faults import Fault, newest
from targi_dsl.engine.guards import BLOCKED, DECIDED, THROUGH
from targi_dsl.engine.payments import Invoice
from targi_dsl.engine.run import Frame, Vector
from targi_dsl.explain.answers import chosen_by, elements, ids_of, reason_of_thing, without_number
from targi_dsl.ir import guards as g
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import CHANCE, NOTHING
from targi_dsl.ir.declarations import ForbidInfo
from targi_dsl.ir.expressions import (
    Active,
    CardsOn,
    Compare,
    Const,
    Expr,
    Filter,
    Local,
    PriceExpr,
    SetOp,
)
from targi_dsl.ir.program import Question, Way
from targi_dsl.ir.slots import ENDED, METER
from targi_dsl.ir.wordings import NoneLeft, NotAmong
from targi_dsl.text.languages import words_of
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen


def why_not(state: State, id_or_words: str, names: Naming | None = None) -> tuple[Reason, ...]:
    """All reasons why a choice, given by its id or in words, is not offered; none if it is.

    For an answer to the open question: every prohibition and payment in the way. For anything else
    a single reason: `game_over`, `not_now` for an answer to another question, or `unknown`. Reasons
    are in the language of `names`, by default English.
    """
    if not isinstance(id_or_words, str):
        raise TypeError(f"a choice is named by its id or words, not {type(id_or_words).__name__}")
    names = names or Naming(state.game)
    engine, words = engine_of(state.game), " ".join(id_or_words.split())
    offered = choices(state)
    question = engine.open_question(state.vector)
    if question is None:
        rule = engine.program.procedures[state.vector[ENDED]]
        return (reason_at("game_over", names.say("the game is over"), rule.span),)
    is_id = words in ids_of(engine, question)  # an id comes before the words of something else
    if any(
        words == choice.id or (not is_id and _same(words, choice.id, choice.text))
        for choice in offered
    ):
        return ()
    name = without_number(words)
    plain = words if any(choice.id == name for choice in offered) else name
    inquiry = _Inquiry(engine, list(state.vector), question, names)
    for why in (inquiry.answer, inquiry.exchange, inquiry.payment, inquiry.elsewhere):
        if reasons := tuple(dict.fromkeys(why(plain))):
            return reasons
    known = [*(choice.id for choice in offered), *ids_of(engine, question)]
    text = "`{answer}` is not an answer to any question of {game}."
    text = names.say(text, answer=words, game=names.language.word(engine.game.title))
    ids = ", ".join(f"`{choice.id}`" for choice in offered)
    hint = names.nearest(words, known) or names.say("Possible are: {answers}.", answers=ids)
    return (Reason("unknown", f"{text} {hint}"),)


class _Inquiry(Frozen):
    """The search for an answer by its words; each method looks among answers of another sort."""

    engine: Engine
    v: list[int]
    question: Question
    names: Naming

    def answer(self, words: str) -> Iterator[Reason]:
        """The reasons of matching answers to the open question."""
        for way in self.question.ways:
            for element in _elements(self.engine, way, words):
                refusal = Refusal(self.engine, self.v, self.names)
                reasons = refusal.reasons(self.question.rule, way, element)
                if not reasons and way.choice is not None:
                    reasons = (refusal.alike(self.question, way),)
                yield from reasons

    def exchange(self, words: str) -> Iterator[Reason]:
        """The reason of a matching free exchange."""
        v, names, code = self.v, self.names, self.engine.code
        exchanges = self.engine.program.exchanges
        exchange = next((one for one in exchanges if _same(one.id, words)), None)
        if exchange is None or self.engine.seat(v) == CHANCE:
            return
        have, item = code.own(v, self.engine.top(v)[0]), code.domains.item
        if any(have[resource] < number for resource, number in exchange.give):
            given = (resource for resource, _ in exchange.give)
            yours = ", ".join(names.amount(item(one), have[one]) for one in given)
            costs = names.amounts(exchange.give)
            text = names.say("costs {costs}; you have {have}", costs=costs, have=yours)
            yield Reason(f"{exchange.id}.pay", text)
        elif code.after(have, exchange) is None:
            text = names.say("you cannot hold more of what you would get")
            yield Reason(f"{exchange.id}.full", text)
        elif len(self.engine.options(v)) == 1:
            text = names.say("nothing is exchanged where there is only one answer")
            yield Reason(f"{exchange.id}.only_one", text)
        else:
            text = names.say("it would not help to pay what is asked")
            yield Reason(f"{exchange.id}.no_use", text)

    def payment(self, words: str) -> Iterator[Reason]:
        """The reason of a payment."""
        engine, names, bill = self.engine, self.names, self.question.bill
        rule = engine.program.procedures[self.question.rule]
        if bill is None or not words.casefold().startswith("pay "):
            return
        text = names.say("units are given up one by one, of what is asked for and you have")
        if self.question.kind != "unit":
            frame = engine.top(self.v)
            text = price_words(engine, names, bill.price, bill.terms, self.v, frame)
        yield reason_at(f"{rule.declared}.pay", text, rule.span)

    def elsewhere(self, words: str) -> Iterator[Reason]:
        """The reason `not_now`, if it would answer another question."""
        program = self.engine.program
        for other in program.questions:
            if any(True for way in other.ways for _ in _elements(self.engine, way, words)):
                rule = program.procedures[other.rule]
                text = "it is not asked now, but in rule `{rule}`"
                text = self.names.say(text, rule=rule.declared)
                yield reason_at("not_now", text, rule.span)
                return


def _elements(engine: Engine, node: Way, words: str) -> Iterator[int]:
    """The elements of an alternative that these words name; NOTHING if the alternative itself is
    named.
    """
    if node.choice is None:
        if _same(words, node.label):
            yield NOTHING
        return
    label, rest = words[: len(node.label)], words[len(node.label) :]
    if not _same(label, node.label) or not rest.startswith(" "):
        return
    rest = rest.strip()
    if isinstance(node.choice.type, t.Number):
        if rest.removeprefix("-").isdecimal():
            yield int(rest)
        return
    # Several regions may contain the same name.
    domain, things = engine.code.domains.of(node.choice.type), elements(engine, node.choice)
    yield from [element for element in things if domain.name(element) == rest] or [
        element for element in things if _same(rest, domain.name(element), domain.word(element))
    ]


def _same(words: str, *names: str) -> bool:
    return words.casefold() in (name.casefold() for name in names)


MOST = 24
"""The most reasons of an answer; nested questions may have very many."""


class Reason(Frozen):
    """An obstacle to an answer.

    name: of a prohibition; RULE.pay; RULE.WHAT if something is not in the set; or of an inactive
    ability. text: for people. file and line: its place in the rules ("" and 0 if it has none).
    lifts: abilities that lift it, or the card that must be there. lasts: how long it holds, in
    words, if nothing lifts it.
    """

    name: str
    text: str
    file: str = ""
    line: int = 0
    lifts: tuple[str, ...] = ()
    lasts: str = ""


def reason_at(
    name: str, text: str, span: Span | None, lifts: tuple[str, ...] = (), lasts: str = ""
) -> Reason:
    """A reason with its place in the rules."""
    file, line = (span.source.name, span.line) if span is not None else ("", 0)
    return Reason(name, text, file, line, lifts, lasts)


class _Enough(Exception):
    """Raised when there are MOST reasons."""


class Refusal:
    """Evaluates the guards of an answer to the open question and collects the conjuncts that
    fail.
    """

    def __init__(self, engine: Engine, v: Sequence[int], names: Naming) -> None:
        self.names = names
        self.engine, self.game, self.program = engine, engine.game, engine.program
        self.guards = engine.guards
        self.v, self.frame = list(v), engine.top(v)
        self.found: dict[Reason, None] = {}
        self.about: list[str] = []  # the answers to nested questions, in words
        self.asked: Way | None = None

    def reasons(self, rule: int, way: Way, element: int) -> tuple[Reason, ...]:
        """All reasons; none if the answer is offered. `element` is NOTHING for an answer without a
        choice.
        """
        with suppress(_Enough, Fault):  # an evaluation that fails gives no reason
            self._answer(rule, way, element)
        return tuple(self.found)

    def alike(self, question: Question, way: Way) -> Reason:
        """The reason of an answer for which an interchangeable one is offered."""
        name = reason_of_thing(self.game, self._rule(question.rule), way)
        text = self.names.say("one that lies just like it is offered in its place")
        return reason_at(name, text, self._span(question.rule))

    def _answer(self, rule: int, way: Way, element: int) -> None:
        v, f, self.asked = self.v, self.frame, way
        if way.choice is not None and self._value(way.when)(v, f):
            known = self._knows(way, element, f)
            if not known or element not in self._value(way.choice.within)(v, f):
                self._not_in(rule, way, element if known else NOTHING)
                return
        self._refuse(rule, way, v, f, element)

    # ---- evaluation of a guard, which continues after a failing conjunct ----

    def _refuse(self, rule: int, way: Way, v: Vector, f: Frame, element: int) -> None:
        """Collects the reasons of one answer."""
        if not self._value(way.when)(v, f):
            self._not_now(way, rule, f)
            return
        f = list(f)
        if way.choice is not None:
            f[way.choice.slot] = element
        self._guard(way.guard, v, f)

    def _guard(self, guard: g.Guard, v: Vector, f: Frame) -> int:
        if not guard:
            return THROUGH
        node, rest = guard[0], guard[1:]
        match node:
            case g.Bind(slot, value):
                before, f[slot] = f[slot], self._value(value)(v, f)
                holds = self._guard(rest, v, f)
                f[slot] = before
                return holds
            case g.Need() | g.Payable():
                holds = self.guards.head((node,))(v, f)
                if holds == BLOCKED:
                    self._note(node, v, f)
                return self._followed(holds, rest, v, f)
            case g.Split(test, then, otherwise):
                branch = then if self._value(test)(v, f) else otherwise
                return self._guard((*branch, *rest), v, f)
            case g.Perform(rule, arguments):
                return self._followed(self._perform(rule, arguments, v, f), rest, v, f)
            case g.PerformAction(card):
                return self._followed(self._perform_action(card, v, f), rest, v, f)
            case g.Answer(rule, question, ways):
                asked = self.program.questions[question].ways
                return self._nested(node, rule, [asked[at] for at in ways], v, f)
            case g.FirstTurn():
                return self._first_turn(node, v, f)
            case g.Decided():
                return DECIDED
            case _:
                assert_never(node)

    def _followed(self, holds: int, rest: g.Guard, v: Vector, f: Frame) -> int:
        """Continues after a conjunct. If it failed, further values may be undefined."""
        if holds == THROUGH:
            return self._guard(rest, v, f)
        if holds == BLOCKED:
            with suppress(Fault):
                self._guard(rest, v, f)
        return holds

    def _perform(self, rule: int, arguments: tuple[Expr, ...], v: Vector, f: Frame) -> int:
        frame = self.guards.frame_of(rule, arguments)(v, f)
        return self._guard(self.program.procedures[rule].guard, v, frame)

    def _perform_action(self, card: Expr, v: Vector, f: Frame) -> int:
        this = self._value(card)(v, f)
        if (rule := self.guards.action(this)) == NOTHING:
            return THROUGH
        carried = self.guards.carried(rule, this)
        return self._perform(rule, tuple(map(Const, carried)), v, f)

    def _nested(self, node: g.Answer, rule: int, ways: list[Way], v: Vector, f: Frame) -> int:
        holds = self.guards.head((node,))(v, f)
        for way in ways if holds == BLOCKED else ():
            for element in self._elements(way, rule, v, f):
                if (about := self._about(way, rule, element, f)) is not None:
                    self.about.append(about)
                    self._refuse(rule, way, v, f, element)
                    self.about.pop()
        return holds

    def _elements(self, way: Way, rule: int, v: Vector, f: Frame) -> list[int]:
        """The elements of an alternative; NOTHING for one without a choice."""
        if way.choice is None or not self._value(way.when)(v, f):
            return [NOTHING]
        elements = list(self._value(way.choice.within)(v, f))
        if not elements:
            self._nothing_to_choose(way, rule, v, f)
        return elements

    def _first_turn(self, node: g.FirstTurn, v: Vector, f: Frame) -> int:
        before, f[node.slot] = f[node.slot], 1
        begins = self._value(node.limit)(v, f) > 0
        if not begins:
            self._note(node, v, f)
        holds = begins and self._guard(node.body, v, f) != BLOCKED
        f[node.slot] = before
        return DECIDED if holds else BLOCKED

    # ---- reasons ----

    def _note(self, conjunct: g.Conjunct, v: Vector, f: Frame) -> None:
        """Adds the reason of a failing conjunct."""
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
                self._at(rule, "pay", price_words(self.engine, self.names, price, terms, v, f))
            case g.FirstTurn(rule):
                text = self.names.say("it may not be done even once")
                self._at(rule, "times", text)
            case _:
                raise AssertionError(conjunct)

    def _not_now(self, way: Way, rule: int, f: Frame) -> None:
        """Adds the reason of an alternative whose ability is inactive or used up."""
        if not isinstance(way.when, Active):
            self._add(way.label, self.names.say("it cannot be chosen now"), self._span(rule))
            return
        ability = way.when.ability
        info = self.game.abilities[ability]
        if not self._has(f[0], ability):
            text = self.names.say(
                "it works only while its card lies where your abilities are active"
            )
            card = (self.game.cards[info.card].id,) if info.card != NOTHING else ()
            self._add(way.label, text, info.span, card)
            return
        slot = self.engine.code.window(ability, f[0])
        period = next((rule.name for rule in self.game.rules if slot in rule.opens), "")
        say, lasts = self.names.say, ""
        text = say("it has been used in this game")
        if period:
            called = self.names.word(period)
            text = say("it has been used in this {period}", period=called)
            lasts = say("until the next {period}", period=called)
        self._add(way.label, text, info.span, lasts=lasts)

    def _has(self, player: int, ability: int) -> bool:
        """Whether an ability is active for a player, even if it is used up."""
        card = self.game.abilities[ability].card
        place = Position(self.game, self.v).place_of_card(card) if card != NOTHING else NOTHING
        return card == NOTHING or self.engine.code.owner(place) == player

    def _nothing_to_choose(self, way: Way, rule: int, v: Vector, f: Frame) -> None:
        """An empty set."""
        assert way.choice is not None
        if self.asked is not None and self._follows(self.asked, way):
            text = self.names.say("several are chosen in order, and this one can only come later")
            about, self.about = self.about, []
            self._not_this(rule, self.asked, text)
            self.about = about
            return
        where = self._words(way.choice.within, v, f)
        text = self.names.say("there is nothing to choose")
        if where:
            text = self.names.say("there is nothing to choose in {place}", place=where)
        self._not_this(rule, way, text)

    def _follows(self, first: Way, later: Way) -> bool:
        """Whether the one is chosen after the other, of several in order."""
        one, other = chosen_by(self.game, first), chosen_by(self.game, later)
        if one is None or other is None or one.fewer:
            return False
        return one.at < other.at and replace(one, at=other.at) == other

    def _about(self, way: Way, rule: int, element: int, f: Frame) -> str | None:
        """An answer of a nested question in words; None if its reasons would reveal a card the
        player does not know.
        """
        if way.choice is None or element == NOTHING:
            return self.names.way(way.label, way.wording)
        if not self._knows(way, element, f):
            text = self.names.say("not with a hidden card")
            self._not_this(rule, way, text)
            return None
        return self.names.of(way.choice.type, element)

    # ---- words ----

    def _not_in(self, rule: int, way: Way, element: int) -> None:
        """The reason does not name the thing, so that many have it in common. element: the thing,
        or NOTHING if the player does not know it.
        """
        assert way.choice is not None
        within = way.choice.within
        text = self.names.say("not among those that may be chosen")
        words = self._words(within, self.v, self.frame)
        offered = self._value(within)(self.v, self.frame)
        if element == NOTHING:
            text = self.names.say("you cannot see where it lies")
            if words and all(self._knows(way, member, self.frame) for member in offered):
                text = self.names.say(
                    "it is not in {place}; you cannot see where it lies", place=words
                )
        elif words and all(self._knows(way, member, self.frame) for member in offered):
            text = self.names.say("it is not in {place}", place=words)
        match within:
            case Filter(slot, all_, Compare("more_than", Local(one), Local())) if slot == one:
                if element in self._value(all_)(self.v, self.frame):
                    text = self.names.say("several are chosen in order, and a later one already is")
        self._not_this(rule, way, text)

    def _knows(self, way: Way, element: int, f: Frame) -> bool:
        """Whether the player knows what is chosen. Reasons must not reveal where an unknown card
        lies.
        """
        if way.choice is None or not isinstance(way.choice.type, t.Card):
            return True
        return Position(self.game, self.v).is_known(element, f[0])

    def _add(
        self, name: str, text: str, span: Span | None, lifts: tuple[str, ...] = (), lasts: str = ""
    ) -> None:
        about = " ".join(filter(None, self.about))
        full_text = self.names.language.labelled(about, text) if about else text
        self.found[reason_at(name, full_text, span, lifts, lasts)] = None
        if len(self.found) == MOST:
            raise _Enough

    def _at(self, rule: int, what: str, text: str) -> None:
        """Adds a reason that is part of a rule."""
        self._add(f"{self._rule(rule)}.{what}", text, self._span(rule))

    def _not_this(self, rule: int, way: Way, text: str) -> None:
        """Adds that something cannot be chosen."""
        self._add(reason_of_thing(self.game, self._rule(rule), way), text, self._span(rule))

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
                    return names.say("not among those that may be chosen")
                return words_of(f"it can be chosen only if {condition}")
            case text:
                return names.language.word(text) or names.say("it is forbidden")

    def _duration(self, info: ForbidInfo) -> str:
        """How long a prohibition holds, as the rule says it; for prohibitions about the chosen
        thing, the text is enough.
        """
        is_told = info.condition and self.names.language.is_english
        return f"as long as {info.condition}" if is_told else ""

    def _value(self, node: Expr) -> Value:
        """A part of a guard, which may look at as many elements as a whole decision."""
        self.v[METER] = 0
        return self.guards.value(node)


def price_words(
    engine: Engine, names: Naming, price: PriceExpr, terms: int, v: Vector, f: Frame
) -> str:
    """The amount due, after everything that changes the price, and how much of it the payer has."""
    domains, invoice = engine.code.domains, Invoice(engine.guards, price, terms)
    plans, have = invoice.plans(v, f), invoice.purse(v, f)
    count = len(engine.program.resources)
    ways = [plan.items(count) for plan in plans]
    groups = (members for _, members in engine.program.groups)
    owned = [*have, *(sum(have[one] for one in members) for members in groups)]
    items = dict.fromkeys(item for way in ways for item, _ in way)
    yours = ", ".join(names.amount(domains.item(item), owned[item]) for item in items)
    costs = names.either(dict.fromkeys(names.amounts(way) for way in ways))
    if f[0] == engine.seat(v):
        return names.say("costs {costs}; you have {have}", costs=costs, have=yours)
    who = names.player(f[0])
    return names.say("costs {costs}; {player} has {have}", costs=costs, player=who, have=yours)

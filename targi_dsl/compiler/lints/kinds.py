"""Dataflow analysis of the kinds of cards in each place. Reports moves of cards into zones of
another kind, and cards that are secret except for their backs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import reduce
from typing import Literal

from targi_dsl.compiler.lints.flow import Fold, blocks, constants, of_latest
from targi_dsl.compiler.lints.rounds import beginnings
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import rewritten
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_Sort = Literal["card", "at", "place"]
"""A property of an expression: the kinds of cards, the places where cards are (`at`), or the places
themselves.
"""
_Values = frozenset[int]
"""A set of kinds or places, an upper bound of a property."""
_Known = dict[tuple[str, e.Expr], _Values | None]
"""The facts at a statement: properties of expressions; None if a property is unknown."""


def wrong_kinds(game: Compilation) -> Iterator[Problem]:
    """Reports moves of cards that are certainly of another kind than the zone's (E531) and
    assignments of such cards to a variable (E303), and warns of moves that may be (W923).
    """
    checked = game.checked
    if len(checked.kinds) < 2:
        return
    flow = _flow(game)
    for (span, number), found in flow.kept.items():
        variable = checked.variables[number]
        kinds = sorted(checked.kinds[one] for one in found)
        if kinds and (kind := t.kind(variable.type)) not in kinds:
            title, text = (
                f"this is not of the kind `{kind}`",
                f"`{variable.name}` holds only {kind}",
            )
            yield Problem("E303", title, span, f"{text} cards, and this is {' or '.join(kinds)}.")
    for span, (node, zone, found) in flow.wrong.items():
        names = " or ".join(sorted(checked.kinds[one] for one in found))
        kind, name = checked.kinds[flow.wanted[zone]], checked.places[zone].region
        if flow.wanted[zone] not in flow.moved[span]:
            title = f"`{name}` holds {kind}, not {names}"
            text = f"Only {names} can be moved here. Move another card, or declare the zone for any"
            yield Problem("E531", title, span, f"{text} kind: `card`.")
        else:
            text, hint = f"A {names} can lie there too.", _repair(node, span, kind)
            title, text = f"a {names} can get into `{name}`", text + " Leave it out:" * bool(hint)
            yield Problem("W923", title, span, text, hint)


def unlike_backs(game: Compilation) -> Iterator[Problem]:
    """Warns of zones where cards of several kinds are shuffled or put in secret, since their backs
    show their kinds (W941).
    """
    checked = game.checked
    if len(checked.kinds) < 2:
        return
    flow = _flow(game)
    for number, span in flow.unseen.items():
        region, kinds = checked.places[number].region, sorted(flow.there[number] - {NOTHING})
        zone = game.layers.effective.get(("zone", region))
        if zone is not None and len(kinds) > 1:
            names = [checked.kinds[one] for one in kinds]
            text = (
                f"Cards of the kinds {' and '.join(names)} can lie there at once, and the back of a"
                " card shows its kind. If nobody should know, declare one kind for all of them,"
                " with fields that `may be missing`. If it is meant, allow it:"
            )
            title = f"everybody sees which cards of `{region}` are of which kind"
            label = (Label(span, "which card is which is secret here"),)
            yield Problem("W941", title, zone.node.span, text, "# allow W941: WHY", label)


def given_kinds(game: Compilation, rule: int, card: e.Expr) -> Collection[int]:
    """The kinds that a parameter of a rule can have; empty if unknown."""
    return _flow(game).at_start(rule).get(("card", card)) or ()


@of_latest
def _flow(game: Compilation) -> _Flow:
    checked = game.checked
    wanted = {name: region.kind for name, region in game.symbols.regions.items()}
    kinds = {kind: number for number, kind in enumerate(checked.kinds)}
    regions = (one.region for one in checked.places)
    return _Flow(checked, [kinds.get(wanted.get(one, ""), NOTHING) for one in regions])


_PUT = re.compile(r"put (.+) (on|under) (.+)")


def _repair(node: s.MoveCards, span: Span, kind: str) -> str:
    """The statement restricted to cards of a kind; "" if it has another form."""
    if (match_ := _PUT.fullmatch(span.text)) is None:
        return ""
    if isinstance(node.cards, e.MakeSet):
        return f"if {match_[1]} is a {kind}: {span.text}"
    return f"put (c in {match_[1]} where c is a {kind}) {match_[2]} {match_[3]}"


class _Flow(Fold[_Known]):
    """Follows cards from place to place until a fixpoint is reached.

    there: the kinds in each place. wrong: by span, a move into a zone of another kind, with the
    zone and the wrong kinds. moved: by span, all kinds that are moved. kept: by span
    and variable, the kinds that an assignment gives it. unseen: zones that not everybody
    sees into, each with the span of a shuffle or secret move of its cards.
    """

    def __init__(self, game: Game, wanted: list[int]) -> None:
        super().__init__(game)
        self.wanted = wanted
        self.there = defaultdict[int, set[int]](set)
        self.moved = defaultdict[Span, set[int]](set)
        self.kept = defaultdict[tuple[Span, int], set[int]](set)
        self.wrong: dict[Span, tuple[s.MoveCards, int, set[int]]] = {}
        self.unseen: dict[int, Span] = {}
        for place, kind in enumerate(wanted):
            self.there[place] |= {kind} - {NOTHING}
        for card in game.cards:
            drawn_for = game.places[card.start].drawn_for if card.start != NOTHING else ""
            zones = [at for at, one in enumerate(game.places) if drawn_for == one.region]
            for place in zones or (card.start,):
                self.there[place].add(card.kind)
        self._asking = defaultdict[int, set[int]](set)  # place -> rules that depend on it
        self._calls: dict[tuple[int, tuple[e.Expr, ...]], e.Expr] = {}
        self._tested: dict[tuple[tuple[int, ...], e.Comparison, int, bool], _Values] = {}
        self._spaces = frozenset(at for at, one in enumerate(game.places) if not one.is_zone)
        kinds = {kind: number for number, kind in enumerate(game.kinds)}
        cards = [(one.base, one.type) for one in game.variables if isinstance(one.type, t.Card)]
        self._variables = {base: kinds[one.kind] for base, one in cards if one.kind}
        for rule in beginnings(game):
            if rule not in game.actions:
                self.enter(rule, {})
        self.run()

    def at_start(self, rule: int) -> _Known:
        """The facts at the start of a rule; empty if it is not called."""
        return self._starts.get(rule, {})

    def join(self, fact: _Known, other: _Known) -> _Known:
        return {key: _union((fact[key], other[key])) for key in fact.keys() & other.keys()}

    def inside(self, node: s.Statement, fact: _Known) -> Iterator[tuple[s.Block, _Known]]:
        match node:
            case s.If(condition, then, otherwise):
                for body, holds in ((then, True), (otherwise, False)):
                    if condition != e.Const(not holds):
                        yield body, self._narrowed(fact, condition, holds)
            case s.Ask(_, alternatives, otherwise):
                for way in alternatives:
                    chosen = way.choice
                    known = fact if chosen is None else self._with(fact, chosen.slot, chosen.within)
                    yield way.body, known
                yield otherwise or (), fact
            case s.Each(slot, within, body):
                yield body, self._with(fact, slot, within)
            case _:
                yield from ((body, fact) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Known, ends: list[_Known]) -> _Known:
        match node:
            case s.Let(slot, value):
                return self._with(fact, slot, value)
            case s.Random(_, choice):
                return self._with(fact, choice.slot, choice.within)
            case s.Forbid(_, condition):
                return self._narrowed(fact, condition, False)
            case s.Do(rule, arguments):
                types = self.game.rules[rule].slots[1:]
                given = dict(enumerate(zip(types, arguments, strict=False), 1))
                self.enter(rule, self._facts_of(given, fact))
            case s.DoAction(card):
                for kind, action in self._actions(self._kinds(card, fact)):
                    self.enter(action, {("card", e.Local(1)): frozenset((kind,))})
            case s.Assign(number, _, value):
                held = self._variables.get(self.game.variables[number].base)
                if node.span is not None and held is not None:
                    kinds = self._kinds(value, fact)
                    self.kept[node.span, number] |= {held} if kinds is None else kinds
            case s.Shuffle(place):
                self._note_unseen(node, self._places(place, fact))
            case s.MoveCards(cards, place):
                for target, known in self._ways(place, fact):
                    targets, kinds = self._places(target, known), self._kinds(cards, known)
                    self._move(node, kinds, targets)
                    is_known = kinds is not None and len(kinds) < 2  # from the rule's text
                    is_secret = not any(self._is_seen(one, node.facing) for one in targets or ())
                    if targets and is_secret and not is_known:
                        self._note_unseen(node, self._at(cards, known))
        return fact

    def _ways(self, node: e.Expr, fact: _Known) -> Iterator[tuple[e.Expr, _Known]]:
        """The branches of a conditional expression, each with the facts in it."""
        match node:
            case e.Cond(condition, then, otherwise):
                yield from self._ways(then, self._narrowed(fact, condition, True))
                yield from self._ways(otherwise, self._narrowed(fact, condition, False))
            case _:
                yield node, fact

    def _actions(self, kinds: _Values | None) -> set[tuple[int, int]]:
        every = zip(self.game.cards, self.game.actions, strict=True)
        return {
            (card.kind, action)
            for card, action in every
            if action != NOTHING and (kinds is None or card.kind in kinds)
        }

    def _move(self, node: s.MoveCards, kinds: _Values | None, places: _Values | None) -> None:
        for place in (places or ()) if kinds else ():
            wanted = self.wanted[place]
            if wanted == NOTHING:
                if kinds and not kinds <= self.there[place]:
                    self.there[place] |= kinds
                    self._pending |= dict.fromkeys(self._asking[place])
            elif node.span is not None and kinds and not isinstance(node.place, e.Local):
                self.moved[node.span] |= kinds
                if wrong := kinds - {wanted}:
                    self.wrong.setdefault(node.span, (node, place, set()))[2].update(wrong)

    def _note_unseen(self, node: s.Shuffle | s.MoveCards, places: _Values | None) -> None:
        for place in places or ():
            if node.span and self.game.places[place].is_zone and not self._is_seen(place):
                self.unseen.setdefault(place, node.span)

    def _is_seen(self, place: int, facing: str = "") -> bool:
        """Whether everybody sees a card that is put there."""
        info = self.game.places[place]
        return info.seen == "all" and (facing or info.facing) == "up"

    # ---- facts about slots ----

    def _with(self, fact: _Known, slot: int, value: e.Expr) -> _Known:
        """The facts after a slot is bound to a value or to an element of a set."""
        type_ = self.game.rules[self.rule].slots[slot]
        known = fact | self._facts_of({slot: (type_, value)}, fact)
        match value:
            case e.Filter(tested, _, condition):
                return self._narrowed(known, _substituted(condition, {tested: e.Local(slot)}), True)
            case _:
                return known

    def _facts_of(self, slots: Mapping[int, tuple[t.Type, e.Expr]], fact: _Known) -> _Known:
        """The facts about slots with such values, if these are cards or places."""
        found = _Known()
        for slot, (type_, value) in slots.items():
            sorts: dict[type, tuple[_Sort, ...]] = {t.Card: ("card", "at"), t.Place: ("place",)}
            for sort in sorts.get(type(t.element(type_)), ()):
                found[sort, e.Local(slot)] = self._read(sort, value, fact)
        return found

    def _narrowed(self, fact: _Known, condition: e.Expr, holds: bool) -> _Known:
        """The facts where a condition holds, or does not hold."""
        match condition:
            case e.Not(inner):
                return self._narrowed(fact, inner, not holds)
            case e.All(several) if holds:
                return reduce(lambda known, one: self._narrowed(known, one, True), several, fact)
            case e.AnyOf(several) if not holds:
                return reduce(lambda known, one: self._narrowed(known, one, False), several, fact)
            case e.Compare(op, e.Table(values, card), e.Const(int(value))):
                kinds = self._kinds_with(values, op, value, holds)
                before = self._kinds(card, fact)
                is_card = ("card", card) in fact or before is not None
                if not is_card or len(values) != len(self.game.cards) + 1:
                    return fact
                return {**fact, ("card", card): kinds if before is None else before & kinds}
            case e.Exists(slot, e.CardsOn(e.MakeSet((place,))) as lying, of_them) if holds:
                each = "card", e.Local(slot)
                found = self._narrowed({**fact, each: self._kinds(lying, fact)}, of_them, True)
                return {
                    **fact,
                    ("card", lying): found[each],
                    ("card", e.TopCard(place)): found[each],
                }
            case e.Call(define, arguments):
                return self._narrowed(fact, self._inlined(define, arguments), holds)
            case e.Member(item, e.Const(tuple(several))):
                places = fact.get(("place", item))
                if places is None:
                    return fact
                possible = places & {*several} if holds else places - {*several}
                return {**fact, ("place", item): possible}
            case _:
                return fact

    def _kinds_with(
        self, values: tuple[int, ...], op: e.Comparison, value: int, holds: bool
    ) -> _Values:
        """The kinds of cards with a field value, given by card, for which a comparison holds, or
        not; cached.
        """
        key = values, op, value, holds
        if key not in self._tested:
            cards, test = zip(self.game.cards, values, strict=False), COMPARISONS[op].holds
            found = frozenset(one.kind for one, of in cards if test(of, value) == holds)
            self._tested[key] = found
        return self._tested[key]

    def _inlined(self, define: int, arguments: tuple[e.Expr, ...]) -> e.Expr:
        """The value of a definition with its arguments substituted, if it binds no slots; else
        true.
        """
        key, called = (define, arguments), self.game.defines[define]
        if key not in self._calls:
            is_plain = len(called.slots) == len(arguments)
            given = dict(enumerate(arguments))
            self._calls[key] = _substituted(called.value, given) if is_plain else e.Const(1)
        return self._calls[key]

    # ---- properties of expressions ----

    def _read(self, sort: _Sort, node: e.Expr, fact: _Known) -> _Values | None:
        read = {"card": self._kinds, "at": self._at, "place": self._places}
        return read[sort](node, fact)

    def _at(self, node: e.Expr, fact: _Known) -> _Values | None:
        """The places where cards can be; None if unknown."""
        if ("at", node) in fact:
            return fact["at", node]
        match node:
            case e.TopCard(place) | e.BottomCard(place) | e.CardsOn(place) | e.Lying(_, _, place):
                return self._places(place, fact)
            case _:
                return self._through(node, fact, "at")

    def _kinds(self, node: e.Expr, fact: _Known) -> _Values | None:
        """The kinds that cards can have; None if unknown."""
        if ("card", node) in fact:
            return fact["card", node]
        match node:
            case e.Const():
                return frozenset(self.game.cards[one].kind for one in constants(node) or ())
            case e.TopCard(place) | e.BottomCard(place) | e.CardsOn(place):
                places = self._places(place, fact)
                return self._lying(places)
            case e.Lying(_, things, place):
                both = (self._kinds(things, fact), self._lying(self._places(place, fact)))
                return _intersection(both)
            case e.Var(base) if base in self._variables:
                return frozenset((self._variables[base],))
            case _:
                return self._through(node, fact, "card")

    def _lying(self, places: _Values | None) -> _Values | None:
        """The kinds of cards that can be on places; None if one of them is a zone for any kind."""
        if places is None or any(self.wanted[one] == NOTHING for one in places - self._spaces):
            return None
        for place in places:
            self._asking[place].add(self.rule)
        return frozenset(kind for place in places for kind in self.there[place])

    def _places(self, node: e.Expr, fact: _Known) -> _Values | None:
        """The possible places; None if unknown."""
        if ("place", node) in fact:
            return fact["place", node]
        match node:
            case e.Var(self.game.slots.card_place, card) | e.Places(
                self.game.slots.card_place, card
            ):
                return self._at(card, fact)
            case e.Var(self.game.slots.piece_place) | e.Places(self.game.slots.piece_place):
                return self._spaces
            case _ if (found := constants(node)) is not None:
                return frozenset(found)
            case _:
                return self._through(node, fact, "place")

    def _through(self, node: e.Expr, fact: _Known, sort: _Sort) -> _Values | None:
        """A property of an expression that follows from its operands."""

        def read(one: e.Expr) -> _Values | None:
            return self._read(sort, one, fact)

        match node:
            case e.Filter(slot, within, condition):
                sorts: tuple[_Sort, ...] = ("place",) if sort == "place" else ("card", "at")
                known = dict(fact)
                for one in sorts:
                    known[one, e.Local(slot)] = self._read(one, within, fact)
                return self._narrowed(known, condition, True)[sort, e.Local(slot)]
            case e.First(of) | e.SetOp("except", of):
                return read(of)
            case e.SetOp("within", left, right):
                return _intersection((read(left), read(right)))
            case e.SetOp("plus", left, right):
                return _union((read(left), read(right)))
            case e.Cond():
                return _union(self._read(sort, one, known) for one, known in self._ways(node, fact))
            case e.MakeSet(items):
                return _union(map(read, items))
            case e.Call(define, arguments):
                called = self.game.defines[define]
                slots = dict(enumerate(zip(called.slots, arguments, strict=False)))
                return self._read(sort, called.value, self._facts_of(slots, fact))
            case _:
                return None


def _substituted(node: e.Expr, slots: Mapping[int, e.Expr]) -> e.Expr:
    """The expression with slots replaced by other expressions."""

    def given(part: e.Expr) -> e.Expr:
        return slots.get(part.slot, part) if isinstance(part, e.Local) else part

    found: e.Expr = rewritten(node, given)
    return found


def _intersection(several: Iterable[_Values | None]) -> _Values | None:
    known = [one for one in several if one is not None]
    return reduce(frozenset.__and__, known) if known else None


def _union(several: Iterable[_Values | None]) -> _Values | None:
    found = [*several]
    return None if None in found else frozenset(one for each in found for one in each or ())

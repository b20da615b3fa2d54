"""Effects: everything that changes the position, except control flow."""

from __future__ import annotations

from typing import assert_never

from targi_dsl.codegen.python.expressions import Expressions
from targi_dsl.codegen.python.graph import Graph
from targi_dsl.codegen.python.lines import Lines, Scope
from targi_dsl.codegen.python.unit import Unit
from targi_dsl.engine.faults import FRAMES
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import OVER


class Effects:
    """Generates effects. An effect that may call rules returns if it does."""

    def __init__(self, unit: Unit, expressions: Expressions, graph: Graph) -> None:
        self.unit, self.program, self.slots = unit, unit.program, unit.slots
        self.expressions, self.sets, self.graph = expressions, expressions.sets, graph

    def effect(self, node: s.Effect, rule: int, after: int, scope: Scope, out: Lines) -> bool:
        """Generates an effect; returns False if nothing can follow."""
        match node:
            case s.Gain():
                self._gain(node, after, scope, out)
            case s.Store():
                self._store(node, scope, out)
            case s.MoveCards():
                self._move_cards(node, after, scope, out)
            case s.MovePieces():
                self._move_pieces(node, scope, out)
            case s.Turn():
                for_each = self.sets.each(node.cards, scope, out)
                card = out.fresh()
                out.add(f"for {card} in {for_each}: turn(v, {card}, {node.up})")
            case s.Reveal():
                self._reveal(node, scope, out)
            case s.Refresh(place):
                self._refresh(place, after, scope, out)
            case s.Assign():
                self._assign(node, scope, out)
            case s.DoAction(card):
                self._do_action(card, rule, after, scope, out)
            case s.Announce(done):
                if self.graph.is_watched("do", done):
                    call = f"fired(v, run, 'do', {done}, {scope.slot(YOU)}, {NOTHING})"
                    self._calls(call, after, out)
            case s.Use(ability):
                self._use(str(ability), scope, out)
            case s.EndGame(cause):
                out.add(f"v[2] = {cause}", "run.clear()", f"return {OVER}")
                return False
            case _:
                assert_never(node)
        return True

    def _calls(self, calls: str, after: int, out: Lines) -> None:
        out.add(f"calls = {calls}", f"if calls: return push(run, calls, {after})")

    def _use(self, ability: str, scope: Scope, out: Lines) -> None:
        out.add(f"use(v, run, {ability}, {scope.slot(YOU)})")

    # ---- amounts ----

    def _gain(self, node: s.Gain, after: int, scope: Scope, out: Lines) -> None:
        who = self.unit.simple(self.expressions.number(node.who, scope, out), out)
        what = self.unit.simple(self.expressions.number(node.resource, scope, out), out)
        number = self.unit.simple(self.expressions.number(node.number, scope, out), out)
        tests = [
            f"{text} {test}"
            for of, text, low, test in (
                (node.who, who, 0, ">= 0"),
                (node.resource, what, 0, ">= 0"),
                (node.number, number, 1, "> 0"),
            )
            if self.unit.span(of, scope)[0] < low and of != e.Local(YOU)
        ]
        if tests:
            with out.block(f"if {' and '.join(tests)}"):
                self._gained(node, (who, what, number), after, scope, out)
        else:
            self._gained(node, (who, what, number), after, scope, out)

    def _gained(
        self, node: s.Gain, texts: tuple[str, str, str], after: int, scope: Scope, out: Lines
    ) -> None:
        who, what, number = texts
        players, first = len(self.program.players), self.slots.amounts
        if isinstance(node.resource, e.Const):
            watched = self.graph.is_watched("gain", int(what))
            at = f"{first + int(what) * players} + {who}"
            high = str(self.slots.highs[first + int(what) * players])
        else:
            watched = self.graph.is_watched("gain")
            at, high = (
                f"{first} + {what} * {players} + {who}",
                f"HIGHS[{first} + {what} * {players}]",
            )
        slot = self.unit.simple(at, out, "slot")
        out.add(f"v[{slot}] += {number}", f"if v[{slot}] > {high}: in_doubt()")
        if watched:
            source = self.expressions.number(node.source, scope, out)
            self._calls(f"fired(v, run, 'gain', {what}, {who}, {source})", after, out)

    def _store(self, node: s.Store, scope: Scope, out: Lines) -> None:
        number = self.unit.simple(self.expressions.number(node.number, scope, out), out)
        with out.block(f"if {number} > 0"):
            high = self.slots.highs[node.slot]
            out.add(f"v[{node.slot}] += {number}", f"if v[{node.slot}] > {high}: in_doubt()")

    def _assign(self, node: s.Assign, scope: Scope, out: Lines) -> None:
        variable = self.program.variables[node.variable]
        index = self.unit.simple(self.expressions.number(node.index, scope, out), out)
        low, high = self.unit.span(node.index, scope)
        if (low >= 0 and high < variable.count) or (
            node.index == e.Local(YOU) and variable.count == len(self.program.players)
        ):
            self._assigned(node, index, scope, out)
        else:
            with out.block(f"if 0 <= {index} < {variable.count}"):
                self._assigned(node, index, scope, out)

    def _assigned(self, node: s.Assign, index: str, scope: Scope, out: Lines) -> None:
        variable = self.program.variables[node.variable]
        value = self.expressions.number(node.value, scope, out)
        low, high = self.slots.lows[variable.base], self.slots.highs[variable.base]
        span = self.unit.span(node.value, scope)
        if span[0] < low or span[1] > high:
            value = self.unit.simple(value, out)
            out.add(f"if not {low} <= {value} <= {high}: in_doubt()")
        out.add(f"v[{self._plus(variable.base, index)}] = {value}")
        if variable.secret != NOTHING:
            out.add(f"v[{self._plus(variable.secret, index)}] = {node.secret}")

    def _plus(self, base: int, index: str) -> str:
        return str(base + int(index)) if index.isdecimal() else f"{base} + {index}"

    # ---- cards and pieces ----

    def _move_cards(self, node: s.MoveCards, after: int, scope: Scope, out: Lines) -> None:
        place = self.unit.simple(self.expressions.number(node.place, scope, out), out)
        has_place = place.isdecimal() or self.unit.span(node.place, scope)[0] >= 0
        head = "if True" if has_place else f"if {place} >= 0"
        with out.block(head):
            rest = f"{place}, {node.under}, {node.facing!r}"
            match node.cards:
                case e.MakeSet((item,)):
                    card = self.unit.simple(self.expressions.number(item, scope, out), out)
                    with out.block(f"if {card} >= 0"):
                        self._calls(f"move(v, run, {card}, {rest})", after, out)
                case _:
                    cards, card = self.sets.each(node.cards, scope, out), out.fresh()
                    out.add("calls = []")
                    out.add(f"for {card} in {cards}: calls += move(v, run, {card}, {rest})")
                    out.add(f"if calls: return push(run, calls, {after})")

    def _move_pieces(self, node: s.MovePieces, scope: Scope, out: Lines) -> None:
        place = self.expressions.number(node.place, scope, out)
        match node.pieces:
            case e.Const((piece,)):
                out.add(self._put(str(piece), place))
            case e.MakeSet((item,)):
                this = self.unit.simple(self.expressions.number(item, scope, out), out)
                out.add(f"if {this} >= 0: {self._put(this, place)}")
            case _:
                place = self.unit.simple(place, out)
                pieces, one = self.sets.each(node.pieces, scope, out), out.fresh()
                out.add(f"for {one} in {pieces}: {self._put(one, place)}")

    def _put(self, piece: str, place: str) -> str:
        if self.unit.occupancy.sets:
            return f"put(v, {piece}, {place})"
        return f"v[{self._plus(self.slots.piece_place, piece)}] = {place}"

    def _reveal(self, node: s.Reveal, scope: Scope, out: Lines) -> None:
        known = self.slots.card_known
        knowing = str(self.unit.table.everybody)
        if node.to is not None:
            to = self.unit.simple(self.expressions.number(node.to, scope, out), out)
            knowing = self.unit.simple(f"2 << {to} if {to} >= 0 else 0", out)
        cards, card = self.sets.each(node.cards, scope, out), out.fresh()
        out.add(f"for {card} in {cards}: v[{known} + {card}] |= {knowing}")

    def _refresh(self, place: e.Expr, after: int, scope: Scope, out: Lines) -> None:
        at = self.unit.simple(self.expressions.number(place, scope, out), out)
        test = f"v[{self._plus(self.slots.place_top, at)}] < 0"
        if not at.isdecimal():
            test = f"{at} >= 0 and {test}"
        with out.block(f"if {test}"):
            self._calls(f"refill(v, run, {at})", after, out)

    def _do_action(self, card: e.Expr, rule: int, after: int, scope: Scope, out: Lines) -> None:
        """Carries out the rule on a card; `rule` is the calling rule."""
        table = [self._action(one, rule) for one, rule in enumerate(self.program.actions)]
        acts = self.unit.module.constant(repr((*table, None)), "ACTS")
        act = out.fresh("deed")
        out.add(f"{act} = {acts}[{self.expressions.number(card, scope, out)}]")
        with out.block(f"if {act}"):
            out.add(f"run.stack.append((f, {rule}, {after}))")
            out.add(f"if len(run.stack) >= {FRAMES}: in_doubt()")
            out.add(f"run.rule, entry, rest, bit = {act}")
            out.add("if run.called is not None: run.called[run.rule] += 1")
            out.add(f"run.frame = [{scope.slot(YOU)}, *rest, f[-1] | bit]")
            out.add("return entry")

    def _action(self, card: int, rule: int) -> tuple[int, int, tuple[int, ...], int] | None:
        """How the action of a card begins: its rule, its address, its slots except the first, its
        bit.
        """
        if rule == NOTHING:
            return None
        info, given = self.program.procedures[rule], self.unit.table.carried(rule, card)
        rest = (*given, *([0] * (len(info.slots) - len(given) - 1)))
        return rule, info.entry, rest, self.unit.table.bits[rule]

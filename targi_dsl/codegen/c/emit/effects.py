"""Writes the instructions that change the position, as C statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from targi_dsl.codegen.c.emit.expressions import Expressions
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.program import OVER

PUSHING = (s.Gain, s.MoveCards, s.Refresh, s.Announce)
"""The effects that may queue calls."""


class Effects:
    """Writes the effects of one program."""

    def __init__(self, unit: Unit, expressions: Expressions) -> None:
        self.unit, self.program, self.expressions = unit, unit.program, expressions

    def lines(self, node: s.Effect, scope: Scope) -> Iterator[str]:
        """The statements of an effect; the calls that it queues are not pushed yet."""
        number, you = self.expressions.number, scope.slot(YOU)
        match node:
            case s.Gain():
                yield from self._gain(node, scope)
            case s.Store(slot, resource, amount):
                yield f"{{ int n = {number(amount, scope)}; if (n > 0) {{"
                yield f"change(g, {slot}, (int64_t)g->v[{slot}] + n);"
                yield f"TELL(E_STORE, {you}, {resource}, n, NOTHING, NOTHING); }} }}"
            case s.MoveCards():
                yield from self._move_cards(node, scope)
            case s.MovePieces(pieces, place):
                yield from self._move_pieces(pieces, place, scope)
            case s.Turn(cards, up):
                yield from self._turn(cards, f"(g, x, {int(up)});", scope)
            case s.Reveal():
                yield from self._reveal(node, scope)
            case s.Refresh(place):
                top = self.program.slots.place_top
                yield f"{{ int p = {number(place, scope)};"
                yield f"if (p >= 0 && g->v[{top} + p] == NOTHING) refill(g, p); }}"
            case s.Assign():
                yield from self._assign(node, scope)
            case s.Announce(rule):
                yield f"TELL(E_DO, {you}, {rule}, 0, NOTHING, NOTHING);"
                yield f"fired(g, V_DO, {rule}, {you}, NOTHING);"
            case s.Use(ability):
                yield f"use(g, {ability}, {you});"
            case s.EndGame(rule):
                yield f"end_game(g, {rule}); goto L{OVER};"
            case s.DoAction():
                raise AssertionError(node)
            case _:
                assert_never(node)

    def _each(self, node: e.Expr, scope: Scope) -> tuple[str, str]:
        """A loop over the elements `x` of a set."""
        if isinstance(node, e.MakeSet) and len(node.items) == 1:
            item = self.expressions.number(node.items[0], scope)
            return f"{{ int x = {item}; if (x != NOTHING) {{", "}}"
        shape = self.unit.shape(node, scope.types)
        return shape.each("x", self.expressions.sets.own(node, scope))

    def _turn(self, cards: e.Expr, given: str, scope: Scope) -> Iterator[str]:
        """Turns cards; their order matters only to listeners."""
        loop, end = self._each(cards, scope)
        if isinstance(cards, e.CardsOn) and not isinstance(cards.places, e.MakeSet):
            silently = f"turn_silently{given}"
            at_once = self.expressions.sets.every_card(cards.places, "x", silently, scope)
            yield f"if (!g->listens) {{ {at_once} }} else"
        yield f"{{ {loop} turn_card{given} {end} }}"

    def _gain(self, node: s.Gain, scope: Scope) -> Iterator[str]:
        number = self.expressions.number
        yield f"{{ int w = {number(node.who, scope)}, r = {number(node.resource, scope)};"
        yield f"int n = {number(node.number, scope)}; if (w >= 0 && r >= 0 && n > 0)"
        yield f"gain(g, w, r, n, {number(node.source, scope)}); }}"

    def _move_cards(self, node: s.MoveCards, scope: Scope) -> Iterator[str]:
        up = str(int(node.facing == "up")) if node.facing else "FACING_UP[p]"
        move = f"move_card(g, x, p, {int(node.under)}, {up});"
        yield f"{{ int p = {self.expressions.number(node.place, scope)}; if (p >= 0) {{"
        match node.cards:
            case e.MakeSet((card,)):
                yield f"int x = {self.expressions.number(card, scope)}; if (x >= 0) {move}"
            case _:
                yield f"{self._each_as_it_lies(node.cards, node.under, scope)} {move} }}"
        yield "} }"

    def _each_as_it_lies(self, cards: e.Expr, under: bool, scope: Scope) -> str:
        """The head of a loop over some cards `x`: those on one place from the bottom up, or to be
        put under, from the top down.
        """
        shape, slots = self.unit.shape(cards, scope.types), self.program.slots
        name, among = shape.name, self.expressions.sets.own(cards, scope)
        found = "{ x = card; break; }" if under else "x = card;"
        return (
            f"{name} s = {among}; for (int x; (x = {name}_first(s)) >= 0; "
            f"s = {name}_less(s, {name}_one(x))) {{ int at = g->v[{slots.card_place} + x]; "
            f"for (int card = at < 0 ? at : g->v[{slots.place_top} + at]; card >= 0; "
            f"card = g->v[{slots.card_next} + card]) if ({name}_has(s, card)) {found}"
        )

    def _move_pieces(self, pieces: e.Expr, place: e.Expr | None, scope: Scope) -> Iterator[str]:
        loop, end = self._each(pieces, scope)
        place_now = f"g->v[{self.program.slots.piece_place} + x]"
        if place is None:
            yield f"{{ int p = NOTHING; {loop}"
        else:
            yield f"{{ int p = {self.expressions.number(place, scope)}; {loop}"
            yield "if (p < 0) stop(g, FAULT);"
        yield f"TELL(E_PIECE, {scope.slot(YOU)}, x, 1, {place_now}, p);"
        yield f"move_piece(g, x, p); {end} }}"

    def _reveal(self, node: s.Reveal, scope: Scope) -> Iterator[str]:
        loop, end = self._each(node.cards, scope)
        if node.to is None:
            everybody = (2 << len(self.unit.program.players)) - 2
            yield f"{loop} reveal_card(g, x, {everybody}, NOTHING); {end}"
            return
        yield f"{{ int w = {self.expressions.number(node.to, scope)}; if (w >= 0) {{"
        yield f"{loop} reveal_card(g, x, 2 << w, w); {end} }} }}"

    def _assign(self, node: s.Assign, scope: Scope) -> Iterator[str]:
        number, one = self.expressions.number, self.program.variables[node.variable]
        yield f"{{ int i = {number(node.index, scope)}; if (i >= 0 && i < {one.count}) {{"
        yield f"int s = {one.base} + i, b = g->v[s], h = {node.secret};"
        yield f"change(g, s, {number(node.value, scope)});"
        if t.kind(one.type):
            domain = self.unit.bounds.domains.of(one.type)
            held = [int(value in domain.members) for value in range(domain.high + 1)]
            yield f"if (g->v[s] != NOTHING && !{self.unit.numbers(held)}[g->v[s]]) stop(g, FAULT);"
        if one.secret != NOTHING:
            yield f"int32_t *k = &g->v[{one.secret} + i]; h |= *k; *k = {node.secret};"
        if one.is_hidden or not node.is_told:
            yield "(void)h; (void)b; } }"
            return
        if one.bits:
            told = f"E_TELL, {scope.slot(YOU)}, i, g->v[s], {node.variable}, NOTHING"
        else:
            told = f"E_SET, {scope.slot(YOU)}, {node.variable}, g->v[s], NOTHING, i"
        yield f"if (g->v[s] != b || h) TELL({told}); }} }}"

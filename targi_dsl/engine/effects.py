"""The steps of instructions that change the position; each continues at `after`."""

from __future__ import annotations

from typing import assert_never

from targi_dsl.engine.cards import Piles
from targi_dsl.engine.code import Code
from targi_dsl.engine.expressions import Expressions
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.run import Calls, Run, Step, Vector
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import OVER
from targi_dsl.ir.slots import ENDED


class Effects:
    """Compiles effects."""

    def __init__(self, code: Code, expressions: Expressions, happenings: Happenings) -> None:
        self.code, self.program, self.slots = code, code.program, code.slots
        self.value, self.happenings = expressions.value, happenings
        self.piles = Piles(code.table, happenings)
        self.push = code.frames.push

    def step(self, node: s.Effect, after: int) -> Step:
        """The step of an effect."""
        match node:
            case s.Gain():
                return self._gain(node, after)
            case s.Store():
                return self._store(node, after)
            case s.MoveCards():
                return self._move_cards(node, after)
            case s.MovePieces():
                return self._move_pieces(node, after)
            case s.Turn():
                return self._turn(node, after)
            case s.Reveal():
                return self._reveal(node, after)
            case s.Refresh(place):
                return self._refresh(place, after)
            case s.Assign():
                return self._assign(node, after)
            case s.DoAction(card):
                return self._do_action(card, after)
            case s.Announce(rule):
                return self._announce(rule, after)
            case s.Use(ability):
                return self._use(ability, after)
            case s.EndGame(rule):
                return _end_game(rule)
            case _:
                assert_never(node)

    def _gain(self, node: s.Gain, after: int) -> Step:
        who, resource = self.value(node.who), self.value(node.resource)
        number, source = self.value(node.number), self.value(node.source)
        gain, push = self.happenings.gain, self.push

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            player, what, count = who(v, f), resource(v, f), number(v, f)
            if player < 0 or what < 0 or count <= 0:
                return after
            return push(run, gain(v, run, player, what, count, source(v, f)), after)

        return step

    def _store(self, node: s.Store, after: int) -> Step:
        number, name = self.value(node.number), f"stored {self.code.domains.item(node.resource)}"

        def step(v: Vector, run: Run) -> int:
            count = number(v, run.frame)
            if count > 0:
                self.happenings.change(v, node.slot, count, name)
                if run.listener is not None:
                    run.tell(v, "store", run.frame[0], node.resource, count)
            return after

        return step

    def _move_cards(self, node: s.MoveCards, after: int) -> Step:
        moved, place, move = self.value(node.cards), self.value(node.place), self.piles.move

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            to = place(v, f)
            if to < 0:
                return after
            calls: Calls = []
            for card in moved(v, f):
                calls += move(v, run, card, to, node.under, node.facing)
            return self.push(run, calls, after)

        return step

    def _move_pieces(self, node: s.MovePieces, after: int) -> Step:
        moved, place = self.value(node.pieces), self.value(node.place)
        base = self.slots.piece_place

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            to = place(v, f)
            for piece in moved(v, f):
                if run.listener is not None:
                    run.tell(v, "piece", f[0], piece, 1, v[base + piece], to)
                v[base + piece] = to
            return after

        return step

    def _turn(self, node: s.Turn, after: int) -> Step:
        known, cards, up = self.slots.card_known, self.value(node.cards), node.up

        def step(v: Vector, run: Run) -> int:
            for card in cards(v, run.frame):
                is_turned = v[known + card] & 1 != up
                self.piles.turn(v, card, up)
                if is_turned and run.listener is not None:
                    run.tell(v, "turn", run.frame[0], card, up)
            return after

        return step

    def _reveal(self, node: s.Reveal, after: int) -> Step:
        known, cards = self.slots.card_known, self.value(node.cards)
        everybody = self.code.table.everybody
        to = self.value(node.to) if node.to is not None else None

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            who = to(v, f) if to is not None else NOTHING
            knowing = everybody if to is None else 2 << who if who >= 0 else 0
            for card in cards(v, f) if knowing else ():
                v[known + card] |= knowing
                if run.listener is not None and to is None:
                    run.tell(v, "reveal", f[0], card)
                elif run.listener is not None:
                    run.tell(v, "look", who, card)
            return after

        return step

    def _refresh(self, place: e.Expr, after: int) -> Step:
        where, tops = self.value(place), self.slots.place_top

        def step(v: Vector, run: Run) -> int:
            at = where(v, run.frame)
            if at < 0 or v[tops + at] != NOTHING:
                return after
            return self.push(run, self.piles.refill(v, run, at), after)

        return step

    def _assign(self, node: s.Assign, after: int) -> Step:
        variable, index = self.program.variables[node.variable], self.value(node.index)
        value, change = self.value(node.value), self.happenings.change
        base, count, name = variable.base, variable.count, variable.name
        secret, hides, is_hidden = variable.secret, node.secret, variable.is_hidden

        def step(v: Vector, run: Run) -> int:
            f = run.frame
            at = index(v, f)
            if not 0 <= at < count:
                return after
            slot, before = base + at, v[base + at]
            change(v, slot, value(v, f) - before, name)
            was_secret = secret != NOTHING and v[secret + at] != 0
            if secret != NOTHING:
                v[secret + at] = hides
            if run.listener is None or is_hidden or not (v[slot] != before or was_secret or hides):
                return after
            if variable.bits:
                run.tell(v, "tell", f[0], at, v[slot], node.variable)
            else:
                run.tell(v, "set", f[0], node.variable, v[slot], -1, at)
            return after

        return step

    def _do_action(self, card: e.Expr, after: int) -> Step:
        chosen, actions = self.value(card), self.program.actions

        def step(v: Vector, run: Run) -> int:
            this = chosen(v, run.frame)
            rule = actions[this] if this >= 0 else NOTHING
            if rule == NOTHING:
                return after
            return self.push(
                run, [(rule, run.frame[0], self.code.table.carried(rule, this))], after
            )

        return step

    def _announce(self, rule: int, after: int) -> Step:
        def step(v: Vector, run: Run) -> int:
            you = run.frame[0]
            if run.listener is not None:
                run.tell(v, "do", you, rule)
            return self.push(run, self.happenings.fired(v, run, "do", rule, you, NOTHING), after)

        return step

    def _use(self, ability: int, after: int) -> Step:
        def step(v: Vector, run: Run) -> int:
            self.happenings.use(v, run, ability, run.frame[0])
            return after

        return step


def _end_game(rule: int) -> Step:
    def step(v: Vector, run: Run) -> int:
        if run.listener is not None:
            run.tell(v, "end", run.frame[0], rule)
        v[ENDED] = rule
        run.clear()
        return OVER

    return step

"""Symmetry: of cards or pieces that are interchangeable and in the same situation, only the first
is offered; see docs/program.md, *Questions*.

Candidates are copies of a card, and pieces of one kind and owner. They are in the same situation
if everything about them is equal: their place, and for cards also who knows them, the uses and
stores of their abilities, and their values of every variable. A thing that a variable or a live
frame slot holds is never like another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from targi_dsl.engine.code import Code
from targi_dsl.engine.options import unpacked
from targi_dsl.engine.run import Run, Vector
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Question, Way

Distinct = Callable[[Vector, Run, list[int]], list[int]]
_Classes = dict[int, tuple[int, ...]]  # by thing: the slots that belong to it, its class first


class Alike:
    """The interchangeable things of a program, and the slots that may hold one of them."""

    def __init__(self, code: Code) -> None:
        self.code, self.program = code, code.program
        self.cards = self._several(dict(self._cards()))
        self.pieces = self._several(dict(self._pieces()))
        self.holding = {
            sort: [
                slot
                for variable in self.program.variables
                if isinstance(variable.type, sort)
                for slot in range(variable.base, variable.base + variable.count)
            ]
            for sort in (t.Card, t.Piece)
        }

    def distinct(self, question: Question) -> Distinct | None:
        """A filter that keeps the first of interchangeable things among a question's options;
        None if it would never remove anything.
        """
        ways = [self._way(way) for way in question.ways]
        if not any(classes for _, classes in ways):
            return None

        def first_of_each(v: Vector, run: Run, options: list[int]) -> list[int]:
            distinct, keys = [], set[tuple[int, ...]]()
            held = {sort: set(self._held(v, run, question.point, sort)) for sort, _ in ways}
            for option in options:
                place, thing = unpacked(option)
                sort, classes = ways[place] if place < len(ways) else (t.Card, {})
                if thing in classes and thing not in held[sort]:
                    class_, *slots = classes[thing]
                    key = place, class_, *[v[slot] for slot in slots]
                    if key in keys:
                        continue
                    keys.add(key)
                distinct.append(option)
            return distinct

        return first_of_each

    def _way(self, way: Way) -> tuple[type[t.Card] | type[t.Piece], _Classes]:
        match way.choice.type if way.choice is not None else None:
            case t.Card():
                return t.Card, self.cards
            case t.Piece():
                return t.Piece, self.pieces
            case _:
                return t.Card, {}

    def _held(
        self, v: Vector, run: Run, point: int, sort: type[t.Card] | type[t.Piece]
    ) -> Iterator[int]:
        """The things held by a variable or a live frame slot."""
        yield from (v[slot] for slot in self.holding[sort])
        frames, procedures = self.code.frames, self.program.procedures
        in_progress = [(f, rule, frames.point_at[rule, at]) for f, rule, at in run.stack[1:]]
        for f, rule, at in (*in_progress, (run.frame, run.rule, point)):
            for slot in self.program.points[at].live:
                if isinstance(procedures[rule].slots[slot], sort):
                    yield f[slot]

    def _several(self, classes: _Classes) -> _Classes:
        """The classes with more than one member."""
        of = [slots[0] for slots in classes.values()]
        return {thing: slots for thing, slots in classes.items() if of.count(slots[0]) > 1}

    def _cards(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        program, slots = self.program, self.program.slots
        stored = {(store.ability, store.slot) for terms in program.terms for store in terms.stored}
        for card, info in enumerate(program.cards):
            own = [slots.card_place + card, slots.card_known + card]
            for number, ability in enumerate(program.abilities):
                if ability.card == card:
                    own += [ability.window] if ability.window != NOTHING else []
                    own += sorted(slot for of, slot in stored if of == number)
            yield card, (info.same, *own, *self._values(t.Card, card))

    def _pieces(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        classes = sorted({(piece.kind, piece.owner) for piece in self.program.pieces})
        for piece, info in enumerate(self.program.pieces):
            place = self.program.slots.piece_place + piece
            of = classes.index((info.kind, info.owner))
            yield piece, (of, place, *self._values(t.Piece, piece))

    def _values(self, sort: type, thing: int) -> Iterator[int]:
        """The slots of all values that exist once for each thing of a sort."""
        for variable in self.program.variables:
            if variable.each is not None and isinstance(variable.each, sort):
                members = list(self.code.domains.of(variable.each).members)
                if thing in members:
                    yield variable.base + members.index(thing)

"""Interchangeable things, of which one is offered; see docs/program.md, *Questions*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from targi_dsl.engine.cards import Cards
from targi_dsl.engine.options import unpack
from targi_dsl.engine.run import Run
from targi_dsl.ir import types as t
from targi_dsl.ir.program import Question

Sort = type[t.Card] | type[t.Piece]
Classes = dict[int, tuple[int, ...]]  # by thing: its class, then the slots that belong to it


class Alike:
    """The interchangeable things of a program, and the slots that may hold one of them. classes: by
    sort, the things whose class has several members.
    """

    def __init__(self, rules: Cards) -> None:
        self.rules, self.program = rules, rules.program
        self.classes: dict[Sort, Classes] = {
            t.Card: _several(dict(self._cards())),
            t.Piece: _several(dict(self._pieces())),
        }
        self.holding: dict[Sort, list[int]] = {
            sort: [
                slot
                for variable in self.program.variables
                if isinstance(variable.type, sort)
                for slot in range(variable.base, variable.base + variable.count)
            ]
            for sort in self.classes
        }

    @cached_property
    def copies(self) -> list[list[int]]:
        """Groups of at least two cards that differ only in their numbers: copies without an
        ability, and with the same action.
        """
        program, groups = self.program, dict[tuple[int, ...], list[int]]()
        able = {ability.card for ability in program.abilities}
        for card, info in enumerate(program.cards):
            if card not in able:
                same = info.same, info.kind, program.actions[card]
                groups.setdefault(same, []).append(card)
        return [group for group in groups.values() if len(group) > 1]

    def belongings(self, card: int) -> tuple[int, ...]:
        """The slots that move with the number of a card: who knows it, what players have been told
        about it, its other values, its place, and the card below it.
        """
        slots, told = self.program.slots, [*self.rules.clue_slots(card)]
        values = [slot for slot in self._values(t.Card, card) if slot not in told]
        place, below = slots.card_place + card, slots.card_next + card
        return (slots.card_known + card, *told, *values, place, below)

    def distinct(self, run: Run, asked: Question, options: list[int]) -> list[int]:
        """The options, less all but the first of things that lie alike in one way."""
        distinct = dict[tuple[object, ...], int]()
        held = dict[Sort, set[int]]()
        for option in options:
            key: tuple[object, ...] = (option,)
            at, thing = unpack(option)
            choice = asked.ways[at].choice if at < len(asked.ways) else None
            sort: Any = type(choice and choice.type)
            if thing in (classes := self.classes.get(sort, {})):
                if sort not in held:
                    held[sort] = {*self._things_held(run, asked.point, sort)}
                if thing not in held[sort]:
                    class_, *slots = classes[thing]
                    key = at, class_, *[run.v[slot] for slot in slots]
            distinct.setdefault(key, option)
        return [*distinct.values()]

    def _things_held(self, run: Run, point: int, sort: Sort) -> Iterator[int]:
        """The things that a variable or a live frame slot holds."""
        yield from (run.v[slot] for slot in self.holding[sort])
        frames = [(f, rule, self.rules.point_at[rule, at]) for f, rule, at in run.stack[1:]]
        for f, rule, at in (*frames, (run.frame, run.rule, point)):
            for slot in self.program.points[at].live:
                if isinstance(self.program.procedures[rule].slots[slot], sort):
                    yield f[slot]

    def _cards(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        slots = self.program.slots
        for card, info in enumerate(self.program.cards):
            own = slots.card_place + card, slots.card_known + card
            belonging = sorted(self.rules.resets(card))
            yield card, (info.same, *own, *belonging, *self._values(t.Card, card))

    def _pieces(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        classes = sorted({(piece.kind, piece.owner) for piece in self.program.pieces})
        for piece, info in enumerate(self.program.pieces):
            place = self.program.slots.piece_place + piece
            of = classes.index((info.kind, info.owner))
            yield piece, (of, place, *self._values(t.Piece, piece))

    def _values(self, sort: Sort, thing: int) -> Iterator[int]:
        """The slots of a thing's own values."""
        for variable in self.program.variables:
            if variable.each is not None and isinstance(variable.each, sort):
                members = [*self.rules.domains.of(variable.each).members]
                if thing in members:
                    yield variable.base + members.index(thing)


def _several(classes: Classes) -> Classes:
    """The classes with more than one member."""
    of = [slots[0] for slots in classes.values()]
    return {thing: slots for thing, slots in classes.items() if of.count(slots[0]) > 1}

"""Generates questions whose options are bits of masks, from which random players pick one by its
number without listing them.
"""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.codegen.c.emit.guards import Guards
from targi_dsl.codegen.c.emit.shapes import WORD, Shape
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.engine.options import pack
from targi_dsl.ir.program import Question, Way
from targi_dsl.text.structs import Frozen

MOST = 8  # masks of a question: MENU in runtime/state.h


class Entry(Frozen):
    """A mask of options: a bit for each of several consecutive ways without a choice, or for some
    elements of the set of one way. low: the element of the first bit.
    """

    place: int
    ways: tuple[Way, ...]
    low: int = 0

    @property
    def slot(self) -> int:
        """The frame slot of the element; 0 if there is none."""
        choice = self.ways[0].choice
        return choice.slot if choice is not None else 0

    @property
    def is_chosen(self) -> bool:
        """Whether the bits are elements of a set."""
        return self.ways[0].choice is not None

    @property
    def first(self) -> int:
        """The option of the first bit."""
        return pack(self.place, self.low) if self.is_chosen else pack(self.place)

    def bits_of(self, places: int) -> int:
        """The mask of the options of these ways, themselves given as bits."""
        mine = places >> self.place
        if self.is_chosen:
            return (1 << WORD) - 1 if mine & 1 else 0
        return mine & ((1 << len(self.ways)) - 1)

    @property
    def declining(self) -> int:
        """The mask of the options that decline."""
        if self.is_chosen:
            return 0
        return sum(1 << at for at, way in enumerate(self.ways) if way.declines)


class Menus:
    """Generates the questions of one program whose options are masks."""

    def __init__(self, unit: Unit, guards: Guards) -> None:
        self.unit, self.guards, self.expressions = unit, guards, guards.expressions

    def masks_of(self, asked: Question, scope: Scope) -> tuple[Entry, ...]:
        """The masks of a question; none if its options are listed."""
        found = list[Entry]()
        for place, way in enumerate(asked.ways):
            before = found[-1] if found and not found[-1].is_chosen else None
            if way.choice is None and before is not None and len(before.ways) < WORD:
                found[-1] = Entry(before.place, (*before.ways, way))
            elif way.choice is None:
                found.append(Entry(place, (way,)))
            else:
                words = self._shape(way, scope).words
                if not words:
                    return ()
                found += [Entry(place, (way,), WORD * at) for at in range(words)]
        return tuple(found) if len(found) <= MOST else ()

    def _shape(self, way: Way, scope: Scope) -> Shape:
        assert way.choice is not None
        return self.unit.shape(way.choice.within, scope.types)

    # ---- options ----

    def fills(self, entries: tuple[Entry, ...], scope: Scope) -> Iterator[str]:
        """Fills the masks `m`, and counts their options."""
        for at, entry in enumerate(entries):
            if not entry.is_chosen:
                bits = (self._bit(bit, way, scope) for bit, way in enumerate(entry.ways))
                yield f"m[{at}] = {' | '.join(bits)};"
            elif not entry.low:
                yield from self._set(at, entry.ways[0], scope)
        sizes = (f"bits(m[{at}])" for at in range(len(entries)))
        yield f"int64_t n = {' + '.join(sizes) or '0'};"

    def _bit(self, bit: int, way: Way, scope: Scope) -> str:
        test = f" && {self.guards.test(way.guard, scope)}" if way.guard else ""
        return f"(uint64_t)({self.expressions.truth(way.when, scope)}{test}) << {bit}"

    def _set(self, at: int, way: Way, scope: Scope) -> Iterator[str]:
        when = self.expressions.truth(way.when, scope)
        shape, m = self._shape(way, scope), self.unit.fresh("m")
        yield f"{{ {shape.name} {m} = {shape.constant(())}; if ({when}) {{"
        yield from self._choose(way, shape, m, scope)
        words = [m] if shape.words == 1 else [f"{m}.w[{at}]" for at in range(shape.words)]
        stored = (f"m[{at + more}] = {word};" for more, word in enumerate(words))
        yield f"}} {' '.join(stored)} }}"

    def _choose(self, way: Way, shape: Shape, m: str, scope: Scope) -> Iterator[str]:
        assert way.choice is not None
        if not way.guard:
            yield f"{m} = {self.expressions.sets.own(way.choice.within, scope)};"
            return
        s, x = self.unit.fresh("s"), self.unit.fresh("x")
        _, head, left = self.guards.sifted(way.choice, way.guard, scope, s)
        if not left:
            yield f"{head} {m} = {s};"
            return
        test, name = self.guards.test(left, scope.bound(way.choice.slot, x)), shape.name
        doubted = self.guards.doubted(left, way.choice.slot)
        under = self.unit.occupancy.under(doubted[0]) if doubted else ""
        if not doubted or not under:
            loop, end = shape.each(x, s)
            yield f"{head} {loop} if ({test}) {name}_add(&{m}, {x}); {end}"
            return
        looked_at = self.expressions.sets.converted(under, self.unit.occupancy.of_places, shape)
        loop, end = shape.each(x, f"{name}_and({s}, {looked_at})")
        others = f"{name}_size({name}_less({s}, {looked_at}))"
        yield f"{head} {m} = {s}; count(g, {doubted[1]} * {others});"
        yield f"{loop} if (!{test}) {m} = {name}_less({m}, {name}_one({x})); {end}"

    def given(self, question: int, entries: tuple[Entry, ...]) -> str:
        """The arguments that describe the masks `m` of a question to the runtime."""
        firsts = ", ".join(str(one.first) for one in entries)
        return (
            f"{self.unit.constant('Menu', f'{{{{{question}, {len(entries)}, {{{firsts}}}}}}}')}, m"
        )

    def any_of(self, entries: tuple[Entry, ...], places: int) -> str:
        """The condition that one of these ways, given as bits, has an option."""
        bits = [one.bits_of(places) for one in entries]
        tests = (f"(m[{at}] & {one:#x}u)" for at, one in enumerate(bits) if one)
        return f"({' || '.join(tests) or '0'})"

    # ---- answers ----

    def declining(self, entries: tuple[Entry, ...]) -> Iterator[str]:
        """Clears the declining options for a player who declines only for want of anything else."""
        found = [(f"m[{at}]", one.declining) for at, one in enumerate(entries)]
        found = [(mask, bits) for mask, bits in found if bits]
        if found:
            sizes = (f"bits({mask} & {bits:#x}u)" for mask, bits in found)
            left_out = " ".join(f"{mask} &= ~(uint64_t){bits:#x}u;" for mask, bits in found)
            yield f"if (g->busy[f->s[0]]) {{ int d = {' + '.join(sizes)};"
            yield f"if (d < left) {{ left -= d; {left_out} }} }}"

    def takes(self, entries: tuple[Entry, ...], jumps: list[str], rest: str) -> Iterator[str]:
        """Takes option number `k`. jumps: where each way continues; rest: what takes any option
        after them, if there are any.
        """
        for at, entry in enumerate(entries):
            taken = self._take(entry, f"nth(m[{at}], k)", jumps[entry.place :])
            if entry is entries[-1] and not rest:
                yield taken
            else:
                yield f"{{ int d = bits(m[{at}]);"
                yield f"if (k < d) {{ {taken} }} k -= d; }}"
        yield rest

    def _take(self, entry: Entry, bit: str, jumps: list[str]) -> str:
        if len(entry.ways) > 1:
            cases = (f"case {at}: {jumps[at]}" for at in range(len(entry.ways)))
            return f"switch ({bit}) {{ {' '.join(cases)} default: IMPOSSIBLE; }}"
        bound = f"f->s[{entry.slot}] = {bit} + {entry.low}; " if entry.slot else ""
        return f"{bound}{jumps[0]}"

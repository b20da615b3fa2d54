"""What the generators of one C file share: constant tables, fresh names, functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Self

from msgspec.structs import replace

from targi_dsl.codegen.c.emit.bounds import SetBounds, Types
from targi_dsl.codegen.c.emit.occupancy import Occupancy
from targi_dsl.codegen.c.emit.references import References
from targi_dsl.codegen.c.emit.shapes import BYTE, EMPTY, Bounds, Shape, shape_of, unions
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.engine.instructions import Instructions
from targi_dsl.ir import types as t
from targi_dsl.ir.expressions import During, Expr
from targi_dsl.ir.program import with_expressions
from targi_dsl.ir.walk import parts
from targi_dsl.text.structs import Frozen

MOST_PLAYERS = 30  # bits for who knows a card, and one for face up
MOST_ASKED = 57  # rules that `during` asks about; the bits above are the nesting depth of guards
_NAME = re.compile(r"(?<![\w.>])[A-Za-z_]\w*")
MOST_BYTES = 2  # of a mask whose image is looked up


class Scope(Frozen):
    """A frame in which expressions are evaluated: the type of each slot, and its C text; slots
    without one are 0.
    """

    types: Types
    names: Mapping[int, str]

    def slot(self, slot: int) -> str:
        return self.names.get(slot, "0")

    @property
    def constants(self) -> Mapping[int, int]:
        """The slots whose values are constant."""
        return {slot: int(name) for slot, name in self.names.items() if name.isdigit()}

    def bound(self, slot: int, name: str) -> Self:
        """The same frame with a slot bound to something else."""
        return replace(self, names={**self.names, slot: name})


class Unit:
    """A C file under construction. bits: each rule's bit in the context, for rules that `during`
    asks about. ways: the number of words of each path cache.
    """

    def __init__(self, code: Instructions) -> None:
        self.code, self.program = code, code.program
        self.bounds = SetBounds(self.program, code.domains)
        self.references = References(self.program)
        self.occupancy = Occupancy(self.program)
        self.shapes = set[Shape]()
        self.functions = list[str]()
        self.heads = list[str]()
        self.ways = list[int]()
        self.words_kept = 0
        self._tables = dict[str, str]()
        self._numbers = count()
        asked = sorted({one.rule for one in parts(with_expressions(self.program), During)})
        rules = range(len(self.program.procedures))
        self.bits = [1 << asked.index(rule) if rule in asked else 0 for rule in rules]
        if len(self.program.players) > MOST_PLAYERS:
            raise NotInC(f"it has more than {MOST_PLAYERS} players")
        if len(asked) > MOST_ASKED:
            raise NotInC(f"more than {MOST_ASKED} rules are asked about by `during`")
        for one in self.program.procedures:
            if any(isinstance(type_, t.SetOf) for type_ in one.slots):
                raise NotInC(f"`{one.name}` is given a set of numbers")

    # ---- names ----

    def fresh(self, start: str) -> str:
        """A unique name."""
        return f"{start}{next(self._numbers)}"

    def function(self, head: str, body: str) -> None:
        """Adds a function."""
        self.heads.append(f"{head};")
        self.functions.append(f"{head} {{\n{body}\n}}")

    def call_of_new(self, type_: str, body: str, scope: Scope) -> str:
        """A call of a new function, whose body returns a value in a frame."""
        name, used = self.fresh("in_"), {*_NAME.findall(body)}
        found = {one for text in scope.names.values() for one in _NAME.findall(text)}
        given = sorted(found & used)
        kinds = {text: self.kind_of(scope.types[slot]) for slot, text in scope.names.items()}
        types = (
            f", Frame *{one}" if one == "f" else f", {kinds.get(one, 'int')} {one}" for one in given
        )
        head = f"static ALWAYS_INLINE {type_} {name}(Game *g, Context c{''.join(types)})"
        self.function(head, f"(void)c; {body}")
        return f"{name}({', '.join(['g', 'c', *given])})"

    def kind_of(self, type_: t.Type) -> str:
        """The C type of a slot."""
        is_set = isinstance(type_, t.SetOf)
        return self.use_shape(self.bounds.of_type(type_)).name if is_set else "int"

    # ---- sets ----

    def shape(self, node: Expr, types: Types) -> Shape:
        """The representation of a set."""
        return self.use_shape(self.bounds.bounds_of(node, types))

    def use_shape(self, bounds: Bounds = EMPTY) -> Shape:
        """The representation of sets within bounds, which is added to this file."""
        shape = shape_of(bounds)
        self.shapes.add(shape)
        return shape

    def way(self, words: int) -> int:
        """The number of a new cache of paths of so many words."""
        self.ways.append(words)
        return len(self.ways) - 1

    def keep(self, words: int) -> int:
        """Where so many words are kept beside a position."""
        self.words_kept += words
        return self.words_kept - words

    # ---- tables ----

    def numbers(self, values: Sequence[int]) -> str:
        """The name of a constant table of numbers."""
        return self.constant(_smallest(values), f"{{{', '.join(map(str, values)) or 0}}}")

    def sets(self, values: Sequence[Sequence[int]], shape: Shape) -> str:
        """The name of a constant table of sets."""
        return self.constant(shape.name, f"{{{', '.join(map(shape.literal, values))}}}")

    def masks(self, values: Sequence[int]) -> str:
        """The name of a constant table of masks of one word."""
        bits = next(bits for bits in (8, 16, 32, 64) if max(values) < 1 << bits)
        return self.constant(f"uint{bits}_t", f"{{{', '.join(f'{one}u' for one in values)}}}")

    def image(self, sets: Sequence[tuple[int, ...]], mask: str) -> list[str]:
        """The image of a mask, looked up byte by byte in tables; empty if the elements with an
        image are far apart.
        """
        having = [x for x, found in enumerate(sets) if found]
        if not having or having[-1] - having[0] >= MOST_BYTES * BYTE:
            return []
        tables = (
            (first, self.masks(unions(sets[first : first + BYTE])))
            for first in range(having[0], having[-1] + 1, BYTE)
        )
        return [f"{table}[{mask} >> {first} & 255]" for first, table in tables]

    def constant(self, type_: str, text: str) -> str:
        """The name of a constant table; the C type has no space."""
        key = f"{type_} {text}"
        if key not in self._tables:
            self._tables[key] = f"t{len(self._tables)}"
        return self._tables[key]

    def constants(self) -> str:
        """The definitions of all constant tables."""
        found = []
        for key, name in self._tables.items():
            type_, text = key.split(" ", 1)
            found.append(f"static const {type_} {name}[] = {text};")
        return "\n".join(found)


def _smallest(values: Iterable[int]) -> str:
    """The narrowest C type of some numbers."""
    found = [*values, 0]
    for bits in (8, 16):
        if -(2 ** (bits - 1)) <= min(found) and max(found) < 2 ** (bits - 1):
            return f"int{bits}_t"
    return "int32_t"

"""Generates the constant tables that the runtime reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from targi_dsl.codegen.c.emit.invoices import substitutes
from targi_dsl.codegen.c.emit.shapes import WORD, words
from targi_dsl.codegen.c.emit.unit import Unit
from targi_dsl.codegen.c.errors import NotInC
from targi_dsl.codegen.search import LEAST, OBSERVED, OFTEN
from targi_dsl.codegen.tally import Layout
from targi_dsl.engine.faults import OPTIONS
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts, Variable, outcome_base
from targi_dsl.ir.expressions import Active
from targi_dsl.ir.program import RETURN, Exchange, Way, rounds_of
from targi_dsl.ir.statements import Store
from targi_dsl.ir.types import HIGHEST, LOWEST

Row = Iterable[int]


def table(type_: str, name: str, values: Iterable[int]) -> str:
    """A table of numbers; an empty one has a single unused entry."""
    return f"static const {type_} {name}[] = {{{', '.join(map(str, values)) or NOTHING}}};"


def rows(type_: str, name: str, width: int, values: Iterable[Row]) -> str:
    """A table of rows of numbers."""
    text = ", ".join(map(_braced, values))
    return f"static const {type_} {name}[][{max(width, 1)}] = {{{text or '{0}'}}};"


def lists(name: str, values: Iterable[Row], type_: str = "int16_t") -> Iterator[str]:
    """A table of lists, each terminated by nothing, and a table of their offsets."""
    flat: list[int] = []
    begins = []
    for one in values:
        begins.append(len(flat))
        flat += [*one, NOTHING]
    yield table(type_, name, flat)
    yield table("int32_t", f"{name}_OF", begins)


class Tables:
    """Generates the tables of one program."""

    def __init__(self, unit: Unit, first: Row, room: int) -> None:
        self.unit, self.program, self.first, self.room = unit, unit.program, first, room

    def sizes(self) -> str:
        """The numbers of all entities, as macros."""
        program, slots = self.program, self.program.slots
        terms = program.terms
        found = {
            "STACK": slots.stack,
            "FRAME": max(len(one.slots) for one in program.procedures),
            "PLAYERS": len(program.players),
            "RESOURCES": len(program.resources),
            "GROUPS": len(program.groups),
            "ITEMS": len(program.resources) + len(program.groups),
            "CARDS": len(program.cards),
            "PIECES": len(program.pieces),
            "PLACES": len(program.places),
            "RULES": len(program.procedures),
            "POINTS": len(program.points),
            "AMOUNTS": slots.amounts,
            "CARD_PLACE": slots.card_place,
            "CARD_NEXT": slots.card_next,
            "CARD_KNOWN": slots.card_known,
            "PIECE_PLACE": slots.piece_place,
            "PLACE_TOP": slots.place_top,
            "SETUP": program.setup,
            "ROUND": program.round,
            "COUNTS_ROUNDS": rounds_of(program),
            "REFILL": program.refill,
            "OPTIONS": OPTIONS,
            "ALL_WAYS": OPTIONS + 1,
            "OPTIONS_ROOM": self.room + len(program.exchanges) + len(program.cards),
            "OUTCOMES": f"({outcome_base(program.variables)})",
            "SCORES": len(program.scores),
            "MERIT": f"({program.merit(1)})",
            "TIES": len(program.ties),
            "CUTS": max((len(one.reductions) for one in terms), default=0),
            "SUBSTITUTES": max((len(one.substitutes) for one in terms), default=0),
            "STORES": max((len(one.stored) for one in terms), default=0),
            "EXCHANGE_COUNT": len(program.exchanges),
            "EXCHANGE_WORDS": -(-len(program.exchanges) // WORD),
            "WAYS": max((len(one.ways) for one in program.questions), default=0),
            "TRADED": max((len(_traded(one)) for one in program.exchanges), default=0),
            "PRICE_COUNT": len(program.prices),
            "OCCUPANCIES": len(self.unit.occupancy.sets),
            "COVERS": len(self.unit.occupancy.covers),
            "MOST_INCLUDING": self._most_including,
            "IS_DEEP": int(self.unit.references.is_deep),
            "TOLD": sum(bool(one.bits) for one in program.variables),
            "VALUED": len(self._valued),
            "WORDS_KEPT": self.unit.words_kept,
            "WAYS_KEPT": len(self.unit.ways),
            "WAY_WORDS": max(self.unit.ways, default=0),
            "EVERYBODY": (1 << len(program.players)) - 1,
            "OBSERVED": OBSERVED,
            "LEAST": LEAST,
            "OFTEN": OFTEN,
        }
        return "\n".join(f"#define {name} {value}" for name, value in found.items())

    @property
    def _most_including(self) -> int:
        """The number of sets of places that a move may update."""
        return max(map(len, self.unit.occupancy.including()), default=0)

    def before(self) -> str:
        """The tables that the runtime reads."""
        parts = (
            *(self._slots(), self._rules(), self._cards(), self._knowledge()),
            *(self._payments(), self._alike()),
        )
        return "\n".join(line for part in parts for line in part)

    def after(self) -> str:
        """The tables of points, of ties, and of what seats know."""
        ties = table("int8_t", "TIE_MOST", (int(one.most) for one in self.program.ties))
        return "\n".join([*self._waiting(), ties, *self._knowable()])

    def tally(self, layout: Layout) -> str:
        """The layout of the counts."""
        program = self.program
        starts = {
            "AT_OFFERED": layout.offered,
            "AT_TAKEN": layout.taken,
            "AT_CARD_OFFERED": layout.card_offered,
            "AT_CARD_TAKEN": layout.card_taken,
            "AT_BRANCHING": layout.branching,
            "AT_PARTS": layout.part_sums,
            "AT_BEGUN": layout.begun,
            "AT_HELD": layout.held,
            "AT_WON": layout.won,
            "AT_POINTS": layout.points,
            "EXCHANGE_CELLS": layout.exchanges,
            "ROW_WIDTH": layout.width,
            "TALLY_SIZE": layout.size,
        }
        macros = [f"#define {name} {value}" for name, value in starts.items()]
        means = (
            (c.first, c.low, c.size, c.names_card + 2 * c.names_place + 4 * is_alone)
            for ways in layout.ways
            for is_alone in (sum(c.names_thing for c in ways) == 1,)
            for c in ways
        )
        begins = [sum(map(len, layout.ways[:at])) for at in range(len(layout.ways))]
        of_players = any(one.active and one.owner != NOTHING for one in program.places)
        holders = (one.owner if one.active or not of_players else NOTHING for one in program.places)
        return "\n".join(
            [
                *macros,
                rows("int32_t", "CELLS", 4, means),
                table("int32_t", "CELLS_OF", begins),
                table("int32_t", "HOLDERS", (NOTHING, *holders)),
            ]
        )

    def _slots(self) -> Iterator[str]:
        slots = self.program.slots
        yield table("int32_t", "LOWS", slots.lows)
        yield table("int32_t", "HIGHS", slots.highs)
        yield table("int32_t", "FIRST", self.first)

    def _rules(self) -> Iterator[str]:
        rules, program = self.program.procedures, self.program
        bodies = {one.body for one in program.triggers}
        inverses = (f"{-(-(1 << WORD) // n)}u" for n in range(2, WORD))
        yield _records("uint64_t", "INVERSES", ("0", "0", *inverses))
        yield table("uint64_t", "RULE_BITS", self.unit.bits)
        yield table("int32_t", "RULE_SIZES", (len(one.slots) for one in rules))
        yield table("int32_t", "RULE_PARAMS", (one.params for one in rules))
        yield table("int32_t", "RULE_ENTRIES", (one.entry for one in rules))
        yield table(
            "int8_t", "RULE_REACTS", (int(number in bodies) for number in range(len(rules)))
        )
        of = ((one.card, one.window) for one in program.abilities)
        yield rows("int32_t", "ABILITIES", 2, of)
        yield rows("int32_t", "TRIGGERS", 2, ((one.ability, one.body) for one in program.triggers))

        occupancy, size = self.unit.occupancy, len(program.pieces) // WORD + 1
        including = occupancy.including()
        most = self._most_including
        padded = ([*one, *[NOTHING] * (most - len(one))] for one in including)
        yield rows("int8_t", "INCLUDING", most, padded)
        sets = (word for one in occupancy.sets for word in words(one, size))
        yield _records("uint64_t", "PIECE_SETS", sets)
        yield table("uint32_t", "COVERING", occupancy.covering())

    def _cards(self) -> Iterator[str]:
        program, of = self.program, self.unit.code
        places, cards = range(len(program.places)), range(len(program.cards))
        yield table("int32_t", "OWNERS", map(of.owner, (NOTHING, *places)))
        yield rows(
            "int32_t", "REFILLS", 2, ((p.refill, int(p.refill_at_once)) for p in program.places)
        )
        masks = ((of.mask(place, False), of.mask(place, True)) for place in places)
        yield rows("int32_t", "MASKS", 2, masks)
        yield table("int8_t", "CLOSED", (int(one.closed) for one in program.places))
        yield table("int8_t", "FACING_UP", (int(one.facing == "up") for one in program.places))
        yield from lists("ARRIVALS", map(of.arrivals, cards))
        numbers = {id(one): number for number, one in enumerate(program.triggers)}
        recalled = [[(numbers[id(one)], one.memory) for one in of.recalled(card)] for card in cards]
        yield from lists("RECALLED", ([n for pair in card for n in pair] for card in recalled))
        yield from lists("RESETS", map(of.resets, cards))
        same = [card.same for card in program.cards]
        yield table("int16_t", "SAME", same)
        yield table("int8_t", "ALONE", (int(same.count(one) == 1) for one in same))
        yield table("int32_t", "TOLD_BASES", (one.base for one in program.variables if one.bits))

    # ---- events ----

    def _knowledge(self) -> Iterator[str]:
        program, members_of = self.program, self.unit.code.domains.of
        ways = ((one.ways[0] if one.ways else None) for one in program.questions)
        chosen = (way.choice.type if way is not None and way.choice else None for way in ways)
        yield table("int8_t", "CHOOSES_CARD", (int(isinstance(one, t.Card)) for one in chosen))
        of_cards, found = list[int](), list[Row]()
        for one in program.variables:
            seen = {"others": 1, "owner": 0}.get(one.seen, NOTHING)
            own = NOTHING if not isinstance(one.each, t.Card) else len(of_cards)
            of_cards += members_of(one.each).members if isinstance(one.each, t.Card) else ()
            each = one.count // len(program.players) or 1
            found.append((one.secret, seen, int(isinstance(one.type, t.Card)), own, each))
        yield rows("int32_t", "SEEING", 5, found)
        yield table("int16_t", "OF_CARDS", of_cards)

    # ---- payments ----

    def _payments(self) -> Iterator[str]:
        program, resources = self.program, len(self.program.resources)
        items = resources + len(program.groups)
        groups = [members for _, members in program.groups]
        yield from lists("MEMBERS", groups)
        inside = ([int(one in members) for one in range(resources)] for members in groups)
        yield rows("int8_t", "IN_GROUP", resources, inside)
        alternatives = [one for price in program.prices for one in price.alternatives]
        yield rows("int32_t", "ALTERNATIVES", items, (_row(one, items) for one in alternatives))
        yield self._prices(items)
        rewards = ([n for pair in price.reward for n in pair] for price in program.prices)
        yield from lists("REWARDS", rewards, "int32_t")
        changes = (
            f"{{{one.ability}, {_flat_row(one.paid, items)}, {_flat_row(one.owed, items)}}}"
            for one in substitutes(program)
        )
        yield _records("Substitute", "SUBSTITUTE", changes)
        exchanges = (_exchange(one) for one in program.exchanges)
        yield _records("Exchange", "EXCHANGES", exchanges)
        yield from self._possible_exchanges()
        bills = (one.bill for one in program.questions)
        held = (
            (b.bracket, b.owed, b.paid, int(b.is_loss)) if b is not None else (0,) for b in bills
        )
        yield _records("Bill", "BILLS", map(_braced, held))

    def _possible_exchanges(self) -> Iterator[str]:
        """Generates which exchanges a purse with a stride of `apart` can make and has room for: one
        word of their mask.
        """
        yield "static inline uint64_t exchanges(const int32_t *purse, int apart, int word) {"
        every = [*enumerate(self.program.exchanges)]
        for first in range(0, len(every), WORD):
            bits = (
                f"(uint64_t)({self._is_possible(one)}) << {number - first}"
                for number, one in every[first : first + WORD]
            )
            yield f"if (word == {first // WORD}) return {' | '.join(bits)};"
        yield "return 0; }"
        certain = (
            sum(
                1 << at for at, one in enumerate(every[first : first + WORD]) if one[1].when is None
            )
            for first in range(0, len(every), WORD)
        )
        words = ", ".join(f"{one}u" for one in certain) or 0
        yield f"static const uint64_t CERTAIN[] = {{{words}}};"

    def _is_possible(self, exchange: Exchange) -> str:
        slots, give, take = self.program.slots, dict(exchange.give), dict(exchange.take)
        tests = []
        for resource in _traded(exchange):
            least, more = give.get(resource, 0), take.get(resource, 0)
            highest = slots.highs[slots.amounts + resource * len(self.program.players)]
            tests.append(f"(purse[{resource} * apart] >= {least})")
            if more:
                tests.append(f"(purse[{resource} * apart] <= {highest + least - more})")
        return " & ".join(tests) or "1"

    def _prices(self, items: int) -> str:
        first, reward, found = 0, 0, []
        for price in self.program.prices:
            count, extra = len(price.alternatives), int(bool(price.extra))
            head = f"{first}, {count}, {extra}, {reward}"
            found.append(f"{{{head}, {_flat_row(price.extra, items)}}}")
            first, reward = first + count, reward + 2 * len(price.reward) + 1
        return _records("Price", "PRICES", found)

    # ---- interchangeable things ----

    def _alike(self) -> Iterator[str]:
        program, alike = self.program, self.unit.code.alike
        sorts = [(sort, classes, sort.__name__.upper()) for sort, classes in alike.classes.items()]
        yield from lists("HELD", (alike.holding[sort] for sort, _, _ in sorts), "int32_t")
        live, kept = zip(*((point.live, point.kept) for point in program.points), strict=True)
        for name, slots in (("LIVE", live), ("KEPT", kept)):
            held = [
                [slot for slot in those if isinstance(types[slot], sort)]
                for point, those in zip(program.points, slots, strict=True)
                for types in (program.procedures[point.rule].slots,)
                for sort, _, _ in sorts
            ]
            yield from lists(f"{name}_THINGS", held)
        for (_, classes, name), count in zip(
            sorts, (len(program.cards), len(program.pieces)), strict=True
        ):
            yield from _classes(name, classes, count)
        for what in ("CLASSES", "CLASS_SLOTS", "SLOTS_OF"):
            type_ = "int16_t" if what == "CLASSES" else "int32_t"
            both = ", ".join(f"{name}_{what}" for _, _, name in sorts)
            yield f"static const {type_} *const {what}[] = {{{both}}};"
        yield from self._points_at()

    def _points_at(self) -> Iterator[str]:
        """The point of a waiting frame, by the address at which it resumes."""
        at = [NOTHING] * len(self.program.code)
        returns = [NOTHING] * len(self.program.procedures)
        for (rule, address), point in self.unit.code.point_at.items():
            if address == RETURN:
                returns[rule] = point
            elif at[address] in (NOTHING, point):
                at[address] = point
            else:
                raise NotInC("two rules share an instruction")
        yield table("int32_t", "POINT_AT", at)
        yield table("int32_t", "RETURN_POINTS", returns)

    # ---- points ----

    def _waiting(self) -> Iterator[str]:
        program = self.program
        questions, points = program.questions, program.points
        chance = ("shuffle", "roll", "random")
        yield table("int8_t", "CHANCES", (int(one.kind in chance) for one in questions))
        yield table("int32_t", "QUESTION_POINTS", (one.point for one in questions))
        declining = [[int(way.declines) for way in one.ways] or [0] for one in questions]
        yield from lists("DECLINES", declining)
        yield table("int32_t", "POINT_RULES", (one.rule for one in points))
        yield table("int32_t", "POINT_ADDRESSES", (one.address for one in points))
        yield table("int32_t", "POINT_QUESTIONS", (one.question for one in points))
        yield from lists("KEPT", (one.kept for one in points))
        bounds = [[self._bounds(one) for one in rule.slots] for rule in program.procedures]
        begins = [sum(map(len, bounds[:at])) for at in range(len(bounds))]
        yield rows("int32_t", "FRAME_BOUNDS", 2, (one for rule in bounds for one in rule))
        yield table("int32_t", "FRAME_BOUNDS_OF", begins)

    # ---- knowledge ----

    @property
    def _valued(self) -> list[Variable]:
        """The variables of cards, without what records what players have been told."""
        variables = self.program.variables
        return [one for one in variables if isinstance(one.each, t.Card) and not one.bits]

    def _knowable(self) -> Iterator[str]:
        program, alike = self.program, self.unit.code.alike
        cards = range(len(program.cards))
        pieces: dict[int, list[int]] = {}
        for piece, (class_, *_) in alike.classes[t.Piece].items():
            pieces.setdefault(class_, []).append(piece)
        classes = [[*alike.copies], [*pieces.values()]]
        yield from lists("ALIKE", ([n for one in of for n in (len(one), *one)] for of in classes))
        yield from lists("BELONGINGS", map(alike.belongings, cards), "int32_t")
        yield from lists("EMPTIED", map(self._emptied, cards), "int32_t")
        kinds = [card.kind for card in program.cards]
        yield table("int16_t", "BEGINS", map(sorted(kinds).index, kinds))  # if they stood by kind
        yield table("int32_t", "CARD_STARTS", (card.start for card in program.cards))
        boxes = [number for number, place in enumerate(program.places) if place.is_box]
        yield table("int16_t", "BOXES", [*boxes, NOTHING])
        yield table("int32_t", "VALUED_BASES", (one.base for one in self._valued))
        of = self.unit.code.domains.of
        having = (of(one.each).members for one in self._valued if one.each is not None)
        yield from lists("VALUED_CARDS", having)
        secrets = (
            (one.base + at, one.secret + at, one.seeing(at, len(program.players)))
            for one in program.variables
            if one.secret != NOTHING
            for at in range(one.count)
        )
        yield rows("int32_t", "SECRETS", 3, [*secrets, [NOTHING] * 3])
        yield table("int32_t", "WAYS_OF", (len(one.ways) for one in program.questions))
        yield table("int8_t", "LEAST_ASKED", (2 - one.in_any_case for one in program.questions))
        offered = ([n for way in one.ways for n in self._offered(way)] for one in program.questions)
        yield from lists("OFFERED", offered)

    def _emptied(self, card: int) -> Iterator[int]:
        """The slots that would give a card away: what is reset or stored by its abilities."""
        program = self.program
        names = {one.name for one in program.abilities if one.card == card}
        yield from self.unit.code.resets(card)
        for line in program.code:
            if isinstance(line.operation, Store) and program.procedures[line.rule].name in names:
                yield line.operation.slot

    def _offered(self, way: Way) -> Row:
        """Whether a way offers cards, and the card whose ability it offers, or nothing."""
        chooses = way.choice is not None and isinstance(way.choice.type, t.Card)
        match way.when:
            case Active(ability):
                return int(chooses), self.program.abilities[ability].card
            case _:
                return int(chooses), NOTHING

    def _bounds(self, type_: t.Type) -> Row:
        """The domains of the slots of a frame."""
        if isinstance(type_, t.Number):
            return LOWEST, HIGHEST
        if isinstance(type_, t.Price):
            return NOTHING, len(self.program.prices) - 1
        domain = self.unit.code.domains.of(type_)
        return min(domain.low, NOTHING), max(domain.high, 1)


def _row(pairs: Amounts, width: int) -> list[int]:
    found = dict(pairs)
    return [found.get(item, 0) for item in range(width)]


def _flat_row(pairs: Iterable[tuple[int, int]], width: int) -> str:
    return _braced(_row(tuple(pairs), width))


def _braced(numbers: Row) -> str:
    return f"{{{', '.join(map(str, numbers)) or 0}}}"


def _traded(exchange: Exchange) -> list[int]:
    """The resources that an exchange gives or takes."""
    return sorted({resource for resource, _ in exchange.give + exchange.take})


def _exchange(one: Exchange) -> str:
    give, take, traded = dict(one.give), dict(one.take), _traded(one)
    named = ((r, give.get(r, 0), take.get(r, 0), int(r in give), int(r in take)) for r in traded)
    return f"{{{len(traded)}, {{{', '.join(map(_braced, named))}}}}}"


def _records(type_: str, name: str, values: Iterable[str]) -> str:
    return f"static const {type_} {name}[] = {{{', '.join(values) or '{0}'}}};"


def _classes(name: str, classes: Mapping[int, tuple[int, ...]], count: int) -> Iterator[str]:
    """For each thing of a sort, its class or nothing, and the slots that belong to it."""
    flat: list[int] = []
    begins = []
    for thing in range(count):
        begins.append(len(flat))
        flat += [*classes.get(thing, (NOTHING,))[1:], NOTHING]
    numbers = (classes.get(thing, (NOTHING,))[0] for thing in range(count))
    yield table("int16_t", f"{name}_CLASSES", numbers)
    yield table("int32_t", f"{name}_CLASS_SLOTS", flat)
    yield table("int32_t", f"{name}_SLOTS_OF", begins)

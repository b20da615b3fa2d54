"""Queries on a position of a program given as plain data: expressions, guards, options, plans,
scores. Written from docs/program.md alone; nothing here changes the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

Node = dict[str, Any]  # a dataclass of the program as plain data: its name under "is"
Amounts = dict[int, int]  # items with their numbers

NOTHING, POINT, ENDED = -1, 0, 2
BLOCKED, DECIDED, THROUGH = range(3)
METER, DEPTH, PURSES, WIDE = 200_000, 64, 2_000, 256


class Fault(Exception):
    """The rules cannot continue; its argument is the code."""


@dataclass
class Frame:
    """A rule in progress, or the evaluation of a guard, definition or score."""

    slots: list[int]
    context: frozenset[int] = frozenset()
    rule: int = NOTHING
    at: int = NOTHING
    begun: bool = False


@dataclass(frozen=True)
class Plan:
    """One way to pay."""

    needs: Amounts
    wild: Amounts
    bracket: bool
    used: tuple[int, ...]

    def key(self) -> object:
        """What two plans have in common if they count as the same."""
        return sorted(self.needs.items()), sorted(self.wild.items()), self.bracket


class Looker:
    """Queries on a position and the frames on its stack."""

    def __init__(self, program: Node) -> None:
        self.p = program
        self.players = len(program["players"])
        self.v = [0] * program["slots"]["stack"]
        self.frames: list[Frame] = []
        self.meter = self.depth = 0

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    # ---- the position ----

    def vector(self) -> list[int]:
        """The position as a list; slots that no frame will read are 0."""
        found = list(self.v)
        for frame in self.frames:
            point = self.point_of(frame)
            live = self.p["points"][point]["live"]
            kept = [one if slot in live else 0 for slot, one in enumerate(frame.slots)]
            found += [frame.rule, point, *kept]
        return found

    def point_of(self, frame: Frame) -> int:
        """The point of a frame."""
        if frame is self.frames[-1]:
            return self.v[POINT]
        if not frame.begun:
            return int(self.p["procedures"][frame.rule]["begin"])
        here = ((n, one) for n, one in enumerate(self.p["points"]) if one["rule"] == frame.rule)
        return next(n for n, one in here if one["address"] == frame.at)

    def amount(self, resource: int, player: int) -> int:
        """The slot of a player's amount."""
        return int(self.p["slots"]["amounts"]) + resource * self.players + player

    def amounts(self, player: int) -> list[int]:
        resources = range(len(self.p["resources"]))
        return [self.v[self.amount(resource, player)] for resource in resources]

    def place_of(self, card: int) -> int:
        return self.v[int(self.p["slots"]["card_place"]) + card]

    def known(self, card: int) -> int:
        return self.v[int(self.p["slots"]["card_known"]) + card]

    def top(self, place: int) -> int:
        return self.v[int(self.p["slots"]["place_top"]) + place]

    def pile(self, place: int) -> list[int]:
        """The cards of a place, the top one first."""
        found, card = [], self.top(place)
        while card != NOTHING:
            found.append(card)
            card = self.v[self.p["slots"]["card_next"] + card]
        return found

    def frame_of(self, rule: int, you: int, given: list[int], context: frozenset[int]) -> Frame:
        """A new frame of a rule."""
        slots = [you, *given] + [0] * len(self.p["procedures"][rule]["slots"])
        size = len(self.p["procedures"][rule]["slots"])
        return Frame(slots[:size], context | {rule}, rule)

    # ---- expressions ----

    def number(self, e: Node, f: Frame) -> int:
        return cast(int, self.value(e, f))

    def members(self, e: Node, f: Frame) -> list[int]:
        return cast("list[int]", self.value(e, f))

    def value(self, e: Node, f: Frame) -> int | list[int]:
        """The value of an expression: a number or a set."""
        found: int | list[int] = getattr(self, f"of_{e['is'].lower()}")(e, f)
        return found

    def each(self, e: Node, f: Frame) -> Iterator[int]:
        """The elements of a set, each bound to the slot in turn."""
        within, slot = self.members(e["within"], f), e["slot"]
        self.count(len(within))
        before = f.slots[slot]
        try:
            for f.slots[slot] in within:
                yield f.slots[slot]
        finally:
            f.slots[slot] = before

    def count(self, looked_at: int) -> None:
        self.meter += looked_at
        if self.meter > METER:
            raise Fault("E603")

    def deeper(self) -> int:
        """Evaluates a nested definition or guard; yields the depth outside."""
        self.count(1)
        if self.depth + 1 >= DEPTH:
            raise Fault("E607")
        self.depth += 1
        return self.depth - 1

    def of_const(self, e: Node, _: Frame) -> int | list[int]:
        return cast("int | list[int]", e["value"])

    def of_local(self, e: Node, f: Frame) -> int:
        return f.slots[e["slot"]]

    def of_var(self, e: Node, f: Frame) -> int:
        index = self.number(e["index"], f)
        return int(e["missing"]) if index < 0 else self.v[e["base"] + index]

    def of_table(self, e: Node, f: Frame) -> int:
        return int(entry(e["values"], self.number(e["index"], f)))

    def of_pick(self, e: Node, f: Frame) -> list[int]:
        return list(entry(e["sets"], self.number(e["index"], f)))

    def of_image(self, e: Node, f: Frame) -> list[int]:
        return sorted({one for number in self.members(e["of"], f) for one in e["sets"][number]})

    def of_makeset(self, e: Node, f: Frame) -> list[int]:
        return sorted({self.number(one, f) for one in e["items"]} - {NOTHING})

    def of_range(self, e: Node, f: Frame) -> list[int]:
        low, high = self.number(e["low"], f), self.number(e["high"], f)
        if high - low >= WIDE:
            raise Fault("E610")
        return list(range(low, high + 1))

    def of_setop(self, e: Node, f: Frame) -> list[int]:
        left, right = set(self.members(e["left"], f)), set(self.members(e["right"], f))
        op = e["op"]
        return sorted(
            left | right if op == "plus" else left - right if op == "except" else left & right
        )

    def of_filter(self, e: Node, f: Frame) -> list[int]:
        return [one for one in self.each(e, f) if self.number(e["condition"], f)]

    def of_map(self, e: Node, f: Frame) -> list[int]:
        return sorted({self.number(e["value"], f) for _ in self.each(e, f)} - {NOTHING})

    def of_fold(self, e: Node, f: Frame) -> int:
        values = [self.number(e["value"], f) for _ in self.each(e, f)]
        match e["op"]:
            case "sum":
                return in_bounds(sum(values))
            case "highest":
                return max(values, default=0)
            case "lowest":
                return min(values, default=0)
        return len(set(values) - {NOTHING})

    def of_size(self, e: Node, f: Frame) -> int:
        return len(self.members(e["of"], f))

    def of_first(self, e: Node, f: Frame) -> int:
        return min(self.members(e["of"], f), default=NOTHING)

    def of_exists(self, e: Node, f: Frame) -> int:
        if e["condition"]["is"] == "Const" and e["condition"]["value"] == 1:
            return int(bool(self.members(e["within"], f)))
        return int(any(self.number(e["condition"], f) for _ in self.each(e, f)))

    def of_arith(self, e: Node, f: Frame) -> int:
        left, right = self.number(e["left"], f), self.number(e["right"], f)
        match e["op"]:
            case "+":
                return in_bounds(left + right)
            case "-":
                return in_bounds(left - right)
            case "*":
                return in_bounds(left * right)
        return in_bounds(left // right) if right else 0

    def of_compare(self, e: Node, f: Frame) -> int:
        left, right = self.value(e["left"], f), self.value(e["right"], f)
        if e["op"] in ("is", "is_not"):
            return int((left == right) == (e["op"] == "is"))
        a, b = cast(int, left), cast(int, right)
        tests = {"less_than": a < b, "at_most": a <= b, "more_than": a > b, "at_least": a >= b}
        return int(tests[e["op"]])

    def of_member(self, e: Node, f: Frame) -> int:
        item = self.number(e["item"], f)
        return int(item in self.members(e["within"], f))

    def of_not(self, e: Node, f: Frame) -> int:
        return int(not self.number(e["of"], f))

    def of_all(self, e: Node, f: Frame) -> int:
        return int(all(self.number(one, f) for one in e["parts"]))

    def of_anyof(self, e: Node, f: Frame) -> int:
        return int(any(self.number(one, f) for one in e["parts"]))

    def of_cond(self, e: Node, f: Frame) -> int | list[int]:
        return self.value(e["then" if self.number(e["condition"], f) else "otherwise"], f)

    def of_cardson(self, e: Node, f: Frame) -> list[int]:
        places = self.members(e["places"], f)
        return [card for card in range(len(self.p["cards"])) if self.place_of(card) in places]

    def of_topcard(self, e: Node, f: Frame) -> int:
        place = self.number(e["place"], f)
        return NOTHING if place == NOTHING else self.top(place)

    def of_bottomcard(self, e: Node, f: Frame) -> int:
        place = self.number(e["place"], f)
        return NOTHING if place == NOTHING else [NOTHING, *self.pile(place)][-1]

    def of_lying(self, e: Node, f: Frame) -> list[int]:
        things, places = self.members(e["things"], f), self.members(e["places"], f)
        return [one for one in things if self.v[e["base"] + one] in places]

    def of_faceup(self, e: Node, f: Frame) -> int:
        card = self.number(e["card"], f)
        return 0 if card == NOTHING else self.known(card) & 1

    def of_call(self, e: Node, f: Frame) -> int | list[int]:
        define = self.p["defines"][e["define"]]
        arguments = [self.number(one, f) for one in e["arguments"]]
        slots = arguments + [0] * (len(define["slots"]) - len(arguments))
        with_depth = self.deeper()
        found = self.value(define["value"], Frame(slots, f.context))
        self.depth = with_depth
        return found

    def of_reached(self, e: Node, f: Frame) -> list[int]:
        among = set(self.members(e["within"], f))
        waiting, found, seen = self.members(e["start"], f), set[int](), set[int]()
        while waiting:
            place, *waiting = waiting
            if place not in seen:
                seen.add(place)
                found |= {place} & among
                waiting = [*waiting, *(among & {*self.steps(e, f, place)})]
        return sorted(found)

    def steps(self, e: Node, f: Frame, place: int) -> list[int]:
        """The places one step from a place."""
        self.count(1)
        before, f.slots[e["slot"]] = f.slots[e["slot"]], place
        found = self.members(e["step"], f)
        f.slots[e["slot"]] = before
        return found

    def of_longestline(self, e: Node, f: Frame) -> int:
        places = self.members(e["within"], f)
        self.count(len(places))
        lengths = [self.line(way, one, places) for way in e["ways"] for one in places]
        return max([*lengths, int(bool(places))])

    def line(self, way: list[int], first: int, places: list[int]) -> int:
        """The length of the longest row of such places, starting at the first."""
        number, place = 1, way[first]
        while place in places and place != first:
            number, place = number + 1, way[place]
        return number

    def of_places(self, e: Node, f: Frame) -> list[int]:
        places = {self.v[e["base"] + one] for one in self.members(e["things"], f)}
        return sorted(places - {NOTHING})

    def of_during(self, e: Node, f: Frame) -> int:
        return int(e["rule"] in f.context)

    def of_active(self, e: Node, f: Frame) -> int:
        return int(self.active(e["ability"], f.slots[0]))

    def of_cando(self, e: Node, f: Frame) -> int:
        return int(self.perform(e["rule"], self.arguments(e, f), f) != BLOCKED)

    def of_canpay(self, e: Node, f: Frame) -> int:
        plans = self.plans(e["price"], e["terms"], f)
        return int(plans is None or self.reachable(plans, e["terms"], f.slots[0]))

    def arguments(self, e: Node, f: Frame) -> list[int]:
        return [self.number(one, f) for one in e["arguments"]]

    def carried(self, rule: int, card: int) -> list[int]:
        """The arguments of a card's action."""
        return [card] if self.p["procedures"][rule]["params"] else []

    # ---- guards ----

    def perform(self, rule: int, arguments: list[int], f: Frame) -> int:
        """The guard of a rule, evaluated in a new frame."""
        outside = self.deeper()
        inner = self.frame_of(rule, f.slots[0], arguments, f.context)
        found = self.guard(self.p["procedures"][rule]["guard"], inner)
        self.depth = outside
        return found

    def guard(self, conjuncts: list[Node], f: Frame) -> int:
        """Whether a guard is blocked, decided or passed."""
        before = list(f.slots)
        found = THROUGH
        for one in conjuncts:
            found = self.conjunct(one, f)
            if found != THROUGH:
                break
        f.slots[:] = before
        return found

    def conjunct(self, one: Node, f: Frame) -> int:
        match one["is"]:
            case "Bind":
                f.slots[one["slot"]] = self.number(one["value"], f)
                return THROUGH
            case "Need":
                held = self.number(one["condition"], f)
                blocked = held and self.permit(one["forbid"], f) is None
                return BLOCKED if blocked else THROUGH
            case "Payable":
                return THROUGH if self.of_canpay(one, f) else BLOCKED
            case "Split":
                test = self.number(one["test"], f)
                return self.guard(one["then" if test else "otherwise"], f)
            case "Perform":
                return self.perform(one["rule"], self.arguments(one, f), f)
            case "PerformAction":
                card = self.number(one["card"], f)
                rule = self.p["actions"][card] if card >= 0 else NOTHING
                if rule == NOTHING:
                    return THROUGH
                return self.perform(rule, self.carried(rule, card), f)
            case "Answer":
                question = self.p["questions"][one["question"]]
                ways = [question["ways"][way] for way in one["ways"]]
                return DECIDED if any(self.elements(ways, f)) else BLOCKED
            case "FirstTurn":
                return self.first_turn(one, f)
        return DECIDED

    def first_turn(self, one: Node, f: Frame) -> int:
        before, f.slots[one["slot"]] = f.slots[one["slot"]], 1
        can = self.number(one["limit"], f) > 0 and self.guard(one["body"], f) != BLOCKED
        f.slots[one["slot"]] = before
        return DECIDED if can else BLOCKED

    # ---- abilities ----

    def active(self, ability: int, player: int) -> bool:
        """Whether an ability is active for a player."""
        one = self.p["abilities"][ability]
        if one["card"] == NOTHING:
            return bool(one["window"] == NOTHING) or self.v[one["window"] + player] == 0
        place = self.place_of(one["card"])
        info = self.p["places"][place]
        if place == NOTHING or not info["active"] or info["owner"] != player:
            return False
        return bool(one["window"] == NOTHING) or self.v[one["window"]] == 0

    def permit(self, forbid: int, f: Frame) -> int | None:
        """The first ability that lifts a prohibition."""
        for ability, condition in self.p["prohibitions"][forbid]["permits"]:
            if self.active(ability, f.slots[0]) and self.number(condition, f):
                return int(ability)
        return None

    # ---- questions ----

    def elements(self, ways: list[Node], f: Frame) -> Iterator[tuple[int, int | None]]:
        """The options of some ways: each way's number among them and the element."""
        for number, way in enumerate(ways):
            if not self.number(way["when"], f):
                continue
            choice = way["choice"]
            if choice is None:
                if self.guard(way["guard"], f) != BLOCKED:
                    yield number, None
                continue
            if way["guard"]:
                self.count(len(self.members(choice["within"], f)))
            before = f.slots[choice["slot"]]
            for element in self.members(choice["within"], f):
                f.slots[choice["slot"]] = element
                if self.guard(way["guard"], f) != BLOCKED:
                    yield number, element
            f.slots[choice["slot"]] = before

    def option_name(self, way: Node, element: int | None) -> str:
        if element is None:
            return str(way["label"])
        return f"{way['label']} {self.name(way['choice']['type'], element)}"

    def name(self, of_type: Node, element: int) -> str:
        """The name of an element in an id."""
        if element == NOTHING and of_type["is"] != "Number":
            return "nothing"
        match of_type["is"]:
            case "Player":
                return str(self.p["players"][element])
            case "Resource":
                return str(self.p["resources"][element])
            case "Piece":
                return str(self.p["pieces"][element]["name"])
            case "Card":
                return str(self.p["cards"][element]["id"])
            case "Value":
                return str(dict(self.p["values"])[of_type["of"]][element])
            case "Truth":
                return "yes" if element else "no"
            case "Place":
                place = self.p["places"][element]
                bare = of_type["region"] or place["is_zone"]
                return str(place["label"] if bare else f"{place['region']} {place['label']}")
        return str(element)

    # ---- things that lie alike ----

    def held(self, what: str, question: Node) -> set[int]:
        """The cards or pieces that a variable or a live frame slot holds."""
        found: set[int] = set()
        for one in self.p["variables"]:
            if one["type"]["is"] == what:
                found.update(self.v[one["base"] : one["base"] + one["count"]])
        for frame in self.frames:
            point = question["point"] if frame is self.frame else self.point_of(frame)
            types = self.p["procedures"][frame.rule]["slots"]
            live = self.p["points"][point]["live"]
            found.update(frame.slots[slot] for slot in live if types[slot]["is"] == what)
        return found

    def all_stored(self) -> Iterator[Node]:
        for terms in self.p["terms"]:
            yield from terms["stored"]

    def kept(self, what: str, thing: int) -> list[int]:
        """The values of this card or piece in the variables that have one for each: such a variable
        has a slot for each thing of its kind, in their order.
        """
        found = []
        for one in self.p["variables"]:
            if one["each"] and one["each"]["is"] == what:
                kind = one["each"]["kind"]
                things = [n for n in self.all_of(what) if kind in ("", self.kind(what, n))]
                if thing in things:
                    found.append(self.v[one["base"] + things.index(thing)])
        return found

    def all_of(self, what: str) -> range:
        return range(len(self.p["cards" if what == "Card" else "pieces"]))

    def kind(self, what: str, thing: int) -> str:
        """The name of the kind of a card or piece."""
        if what == "Piece":
            return str(self.p["pieces"][thing]["kind"])
        kind = self.p["cards"][thing]["kind"]
        return str(self.p["kinds"][kind]) if kind != NOTHING else " none"

    def like(self, what: str, thing: int) -> object:
        """What two cards, or two pieces, have in common if they are interchangeable."""
        kept = tuple(self.kept(what, thing))
        if what == "Piece":
            piece = self.p["pieces"][thing]
            place = self.v[self.p["slots"]["piece_place"] + thing]
            return piece["kind"], piece["owner"], place, kept
        numbers = [n for n, one in enumerate(self.p["abilities"]) if one["card"] == thing]
        windows = [self.p["abilities"][n]["window"] for n in numbers]
        stored = [one["slot"] for one in self.all_stored() if one["ability"] in numbers]
        used = tuple(self.v[slot] for slot in windows + stored if slot != NOTHING)
        same = self.p["cards"][thing]["same"]
        return same, self.place_of(thing), self.known(thing), used, kept

    # ---- payments ----

    def price(self, e: Node, f: Frame) -> Node | None:
        """A price with its alternatives; None if nothing is due."""
        if e["is"] == "Listed":
            number = self.number(e["number"], f)
            return None if number == NOTHING else cast(Node, self.p["prices"][number])
        amounts: Amounts = Counter()
        for item, number in [(item, self.number(one, f)) for item, one in e["amounts"]]:
            amounts[item] += max(number, 0)
        asked = sorted((item, number) for item, number in amounts.items() if number)
        return {"alternatives": [asked], "extra": [], "reward": []} if asked else None

    def terms(self, number: int) -> Node:
        none: Node = {"reductions": [], "substitutes": [], "stored": []}
        return none if number == NOTHING else cast(Node, self.p["terms"][number])

    def plans(self, e: Node, terms: int, f: Frame) -> list[Plan] | None:
        """The ways to pay a price; None if nothing is due."""
        price = self.price(e, f)
        if price is None:
            return None
        found: dict[str, Plan] = {}
        for alternative in price["alternatives"]:
            for extra in [[], price["extra"]] if price["extra"] else [[]]:
                for plan in self.plans_of(dict(alternative), extra, self.terms(terms), f):
                    found.setdefault(repr(plan.key()), plan)
        return list(found.values())

    def plans_of(self, asked: Amounts, extra: Any, terms: Node, f: Frame) -> Iterator[Plan]:
        def works(one: Node) -> bool:
            at_work = self.active(one["ability"], f.slots[0])
            return at_work and bool(self.number(one["condition"], f))

        substitutes = [one for one in terms["substitutes"] if works(one)]
        reductions = [
            (one["item"], self.number(one["number"], f), one["ability"])
            for one in terms["reductions"]
            if works(one)
        ]
        reductions.sort(key=lambda one: one[0] >= len(self.p["resources"]))
        for size in range(len(substitutes) + 1):
            for chosen in combinations(substitutes, size):
                owed = [pair for one in chosen for pair in one["owed"]]
                added = [pair for one in chosen for pair in one["paid"]] + list(extra)
                used = tuple(one["ability"] for one in chosen)
                for rest in self.taken(asked, owed):
                    for left, saving in self.reduced(rest, reductions):
                        yield self.plan(left, added, bool(extra), used + saving)

    def plan(self, left: Amounts, added: Any, bracket: bool, used: tuple[int, ...]) -> Plan:
        total = Counter(left)
        for item, number in added:
            total[item] += number
        resources = len(self.p["resources"])
        needs = {item: n for item, n in sorted(total.items()) if n and item < resources}
        wild = {item - resources: n for item, n in sorted(total.items()) if n and item >= resources}
        return Plan(needs, wild, bracket, used)

    def units(self, item: int) -> list[int]:
        """The items that units of an item can be taken from, in order."""
        group = item - len(self.p["resources"])
        return [item] if group < 0 else [*self.p["groups"][group][1], item]

    def taken(self, left: Amounts, pairs: list[list[int]]) -> Iterator[Amounts]:
        """The remainders after removing all these amounts, in every way."""
        if not pairs:
            yield left
            return
        (item, number), *others = pairs
        for less in take_from(left, self.units(item), number):
            yield from self.taken(less, others)

    def reduced(
        self, left: Amounts, reductions: list[tuple[int, int, int]]
    ) -> Iterator[tuple[Amounts, tuple[int, ...]]]:
        """The remainders after the reductions, each with the abilities that reduced something."""
        if not reductions:
            yield left, ()
            return
        (item, number, ability), *others = reductions
        number = min(number, sum(left.get(unit, 0) for unit in self.units(item)))
        for less in take_from(left, self.units(item), max(number, 0)):
            for rest, used in self.reduced(less, others):
                yield rest, ((ability, *used) if number > 0 else used)

    def stored(self, terms: int, player: int) -> list[Node]:
        every = self.terms(terms)["stored"]
        return [one for one in every if self.active(one["ability"], player)]

    def purse(self, amounts: list[int], terms: int, player: int) -> list[int]:
        """These amounts, and those that are stored."""
        found = list(amounts)
        for one in self.stored(terms, player):
            found[one["resource"]] += self.v[one["slot"]]
        return found

    def pays(self, purse: list[int], plan: Plan) -> bool:
        if any(purse[resource] < number for resource, number in plan.needs.items()):
            return False
        for group, number in plan.wild.items():
            members = self.p["groups"][group][1]
            needed = number + sum(plan.needs.get(one, 0) for one in members)
            if sum(purse[one] for one in members) < needed:
                return False
        return True

    def exchanged(self, amounts: list[int], one: Node, player: int) -> list[int] | None:
        """The amounts after a free exchange; None if it is impossible."""
        after = list(amounts)
        for resource, number in one["give"]:
            after[resource] -= number
        if min(after) < 0:
            return None
        for resource, number in one["take"]:
            after[resource] += number
        highs = self.p["slots"]["highs"]
        slots = [self.amount(resource, player) for resource in range(len(after))]
        fits = all(n <= highs[slot] for n, slot in zip(after, slots, strict=True))
        return after if fits else None

    def reachable(self, plans: list[Plan], terms: int, player: int) -> bool:
        """Whether free exchanges lead to a purse that pays one of the plans."""
        looked, number = [self.amounts(player)], 0
        while number < min(len(looked), PURSES):
            amounts, number = looked[number], number + 1
            if any(self.pays(self.purse(amounts, terms, player), plan) for plan in plans):
                return True
            for one in self.p["exchanges"]:
                after = self.exchanged(amounts, one, player)
                if after is not None and after not in looked:
                    looked.append(after)
        return False

    # ---- the end ----

    def scores(self) -> list[list[int]]:
        """For each player, the values of the score parts."""
        self.meter = 0
        return [
            [
                self.number(one["value"], Frame([you] + [0] * (len(one["slots"]) - 1)))
                if one["ability"] == NOTHING or self.active(one["ability"], you)
                else 0
                for one in self.p["scores"]
            ]
            for you in range(self.players)
        ]

    def outcome(self, player: int) -> int:
        """0 playing, 1 won, 2 lost, 3 out; 0 in a program without outcomes."""
        for one in self.p["variables"]:
            if one["name"] == "outcome" and one["type"] == {"is": "Value", "of": "outcome"}:
                return self.v[int(one["base"]) + player]
        return 0

    def winners(self) -> list[int]:
        """The players who share the lead after all tie-breaks."""
        sums = [sum(row) for row in self.scores()]
        outcomes = [self.outcome(player) for player in range(self.players)]
        if 1 in outcomes:
            return [player for player, outcome in enumerate(outcomes) if outcome == 1]
        left = [player for player, outcome in enumerate(outcomes) if outcome == 0]
        left = [player for player in left if sums[player] == max(sums[one] for one in left)]
        for tie in self.p["ties"]:
            if len(left) == 1:
                break
            size = len(tie["slots"])
            values = {p: self.number(tie["value"], Frame([p] + [0] * (size - 1))) for p in left}
            best = max(values.values()) if tie["most"] else min(values.values())
            left = [player for player in left if values[player] == best]
        return left


def entry(entries: list[Any], index: int) -> Any:
    """The entry at an index; the last one if the index is out of range."""
    return entries[index] if 0 <= index < len(entries) - 1 else entries[-1]


def in_bounds(number: int) -> int:
    """A number of 32 bits."""
    if not -(2**31) <= number < 2**31:
        raise Fault("E606")
    return number


def take_from(left: Amounts, units: Sequence[int], number: int) -> Iterator[Amounts]:
    """Removes this number of these items, in every way, taking most from the first before fewer."""
    if not units:
        if number == 0:
            yield left
        return
    first = units[0]
    for some in range(min(number, left.get(first, 0)), -1, -1):
        yield from take_from({**left, first: left.get(first, 0) - some}, units[1:], number - some)

"""A second engine, written from docs/program.md alone: it plays a program given as plain data.

It uses nothing of `targi_dsl`, and nothing in it is fast. If its result differs from the engine's,
one of the two or the page is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tests.naive_looks import (
    BLOCKED,
    ENDED,
    METER,
    NOTHING,
    POINT,
    Fault,
    Frame,
    Looker,
    Node,
    Plan,
)

Call = tuple[int, int, list[int]]  # a rule, you, arguments

CHANCE = -2
OUT = 3
MASK = 2**64 - 1
FRAMES, NESTED, OPTIONS = 200, 32, 1_024


@dataclass(frozen=True)
class Option:
    """One answer: way | exchange | plan | unit | class | roll, with its number, and the element
    chosen or the plan to be paid.
    """

    id: str
    kind: str
    number: int = 0
    element: int | None = None
    plan: Plan | None = None
    weight: int = 1


@dataclass
class Waiting:
    """A question and its options; `seat` answers."""

    question: int = NOTHING
    seat: int = NOTHING
    options: list[Option] = field(default_factory=list)


class NaiveEngine(Looker):
    """A game of a program. `seed` is the state of chance; without one, chance is a seat that is
    asked.
    """

    def __init__(self, program: Node, seed: int | None) -> None:
        super().__init__(program)
        self.seed = seed
        self.at = 1
        self.waiting = Waiting()
        self.begin()
        self.run()

    # ---- the position ----

    def begin(self) -> None:
        """The first position, with the setup to be run."""
        slots, cards = self.p["slots"], self.p["cards"]
        self.v[POINT] = self.v[ENDED] = NOTHING
        things = (("card_place", "cards"), ("card_next", "cards"))
        for name, what in (*things, ("piece_place", "pieces"), ("place_top", "places")):
            for number in range(len(self.p[what])):
                self.v[slots[name] + number] = NOTHING
        for variable in self.p["variables"]:
            for number in range(variable["count"]):
                self.v[variable["base"] + number] = variable["start"]
        for place, info in enumerate(self.p["places"]):
            pile = [n for n, card in enumerate(cards) if card["start"] == place]
            self.lay(place, pile[::-1])
            for card in pile:
                self.face(card, place, info["facing"] == "up", 0)
        self.push_first(self.p["setup"])

    def set(self, slot: int, value: int) -> None:
        """Changes a slot within its domain."""
        slots = self.p["slots"]
        if not slots["lows"][slot] <= value <= slots["highs"][slot]:
            raise Fault("E605")
        self.v[slot] = value

    def lay(self, place: int, pile: Sequence[int]) -> None:
        """Makes these cards, the top one first, the pile of a place."""
        slots = self.p["slots"]
        self.v[slots["place_top"] + place] = pile[0] if pile else NOTHING
        for card, below in zip(pile, [*pile, NOTHING][1:], strict=True):
            self.v[slots["card_next"] + card] = below
            self.v[slots["card_place"] + card] = place

    # ---- running ----

    def answer(self, option: Option) -> None:
        """Continues with an answer."""
        self.meter = 0
        self.take(option)
        self.run()

    def run(self) -> None:
        """Runs instructions until a question must be answered."""
        self.waiting, self.v[POINT] = Waiting(), NOTHING
        for _ in range(METER):
            line = self.p["code"][self.at]
            operation = line["operation"]
            if operation["is"] == "Over":
                self.frames = []
                return
            if self.frames:
                self.frames[-1].begun = True
            here, self.at = self.at, line["next"]
            self.push(getattr(self, f"do_{operation['is'].lower()}")(operation) or [])
            if self.waiting.options:
                if len(self.waiting.options) > OPTIONS:
                    raise Fault("E609")
                self.at, self.meter = here, 0
                if len(self.waiting.options) > 1:
                    if self.waiting.seat != CHANCE and self.outcome(self.waiting.seat) == OUT:
                        raise Fault("E616")
                    self.v[POINT] = self.p["questions"][self.waiting.question]["point"]
                    return
                self.take(self.waiting.options[0])
        raise Fault("E603")

    def push(self, calls: Sequence[Call]) -> None:
        """Calls rules, the first on top; the current frame continues afterwards."""
        if not calls:
            return
        caller = self.frames[-1]
        caller.at = self.at
        for rule, you, arguments in reversed(calls):
            frame = self.frame_of(rule, you, arguments, caller.context)
            frame.at = self.p["procedures"][rule]["entry"]
            self.frames.append(frame)
        if len(self.frames) > FRAMES:
            raise Fault("E604")
        self.at = self.frames[-1].at

    def push_first(self, rule: int) -> None:
        """Discards all frames and calls a rule."""
        self.frames = [Frame([])]
        self.push([(rule, 0, [])])
        del self.frames[0]

    @property
    def you(self) -> int:
        return self.frame.slots[0]

    def now(self, expression: Node) -> int:
        """The value of an expression in the top frame."""
        return self.number(expression, self.frame)

    def ask(self, question: int, options: list[Option], seat: int) -> None:
        self.waiting = Waiting(question, seat, options)

    # ---- instructions ----

    def do_nextround(self, _: Node) -> list[Call]:
        self.push_first(self.p["round"])
        return []

    def do_return(self, _: Node) -> None:
        self.frames.pop()
        self.at = self.frames[-1].at if self.frames else 1

    def do_nop(self, _: Node) -> None:
        pass

    def do_open(self, one: Node) -> None:
        for slot in one["slots"]:
            self.v[slot] = 0

    def do_branch(self, one: Node) -> None:
        if not self.now(one["condition"]):
            self.at = one["otherwise"]

    def do_test(self, one: Node) -> None:
        if self.guard(one["guard"], self.frame) == BLOCKED:
            self.at = one["otherwise"]

    def do_nextelement(self, one: Node) -> None:
        slots, slot = self.frame.slots, one["slot"]
        above = [e for e in self.members(one["within"], self.frame) if e > slots[slot]]
        if above:
            slots[slot] = above[0]
        else:
            self.at = one["done"]

    def do_let(self, one: Node) -> None:
        self.frame.slots[one["slot"]] = self.now(one["value"])

    def do_do(self, one: Node) -> list[Call]:
        return [(one["rule"], self.you, [self.now(e) for e in one["arguments"]])]

    def do_doaction(self, one: Node) -> list[Call]:
        card = self.now(one["card"])
        rule = self.p["actions"][card] if card >= 0 else NOTHING
        return [] if rule == NOTHING else [(rule, self.you, self.carried(rule, card))]

    def do_gain(self, one: Node) -> list[Call]:
        who, resource, number, source = [
            self.now(one[name]) for name in ("who", "resource", "number", "source")
        ]
        if who < 0 or resource < 0 or number < 1:
            return []
        return self.gain(who, resource, number, source)

    def do_store(self, one: Node) -> None:
        number = self.now(one["number"])
        if number > 0:
            self.set(one["slot"], self.v[one["slot"]] + number)

    def do_movecards(self, one: Node) -> list[Call]:
        cards, place = self.members(one["cards"], self.frame), self.now(one["place"])
        if place == NOTHING:
            return []
        return [c for card in cards for c in self.move(card, place, one["under"], one["facing"])]

    def do_movepieces(self, one: Node) -> None:
        pieces, place = self.members(one["pieces"], self.frame), self.now(one["place"])
        for piece in pieces:
            self.set(self.p["slots"]["piece_place"] + piece, place)

    def do_turn(self, one: Node) -> None:
        for card in self.members(one["cards"], self.frame):
            self.face(card, self.place_of(card), one["up"], self.known(card))

    def do_reveal(self, one: Node) -> None:
        knowing = 2 ** (self.players + 1) - 2
        if one["to"] is not None:
            who = self.now(one["to"])
            knowing = 2 ** (1 + who) if who >= 0 else 0
        for card in self.members(one["cards"], self.frame):
            self.v[self.p["slots"]["card_known"] + card] |= knowing

    def do_refresh(self, one: Node) -> list[Call]:
        place = self.now(one["place"])
        return [] if place == NOTHING or self.top(place) != NOTHING else self.refill(place)

    def do_assign(self, one: Node) -> None:
        variable = self.p["variables"][one["variable"]]
        index, value = self.now(one["index"]), self.now(one["value"])
        if 0 <= index < variable["count"]:
            self.set(variable["base"] + index, value)
            if variable["secret"] != NOTHING:
                self.set(variable["secret"] + index, one["secret"])

    def do_announce(self, one: Node) -> list[Call]:
        return self.event("do", one["rule"], self.you)

    def do_use(self, one: Node) -> None:
        self.use(one["ability"], self.you)

    def do_forbid(self, one: Node) -> None:
        if self.now(one["condition"]):
            lifting = self.permit(one["forbid"], self.frame)
            if lifting is None:
                raise Fault("E615")
            self.use(lifting, self.you)

    def do_endgame(self, one: Node) -> None:
        self.v[ENDED], self.frames, self.at = one["rule"], [], 0

    def use(self, ability: int, player: int) -> None:
        one = self.p["abilities"][ability]
        if one["window"] != NOTHING:
            slot = one["window"] + (player if one["card"] == NOTHING else 0)
            self.set(slot, self.v[slot] + 1)

    # ---- events ----

    def gain(self, who: int, resource: int, number: int, source: int = NOTHING) -> list[Call]:
        slot = self.amount(resource, who)
        self.set(slot, self.v[slot] + number)
        return self.event("gain", resource, who, source)

    def event(self, verb: str, subject: int, actor: int, source: int = NOTHING) -> list[Call]:
        """The calls that an event triggers."""
        calls: list[Call] = []
        for owner in ((actor + step) % self.players for step in range(self.players)):
            for one in self.p["triggers"]:
                if (one["verb"], one["subject"]) != (verb, subject):
                    continue
                if self.fits(one, owner, actor, source):
                    if one["memory"] != NOTHING:
                        self.v[one["memory"] + owner] = 1
                    calls += self.fire(one, owner)
        return calls

    def fits(self, one: Node, owner: int, actor: int, source: int) -> bool:
        if one["actor"] != "anyone" and (one["actor"] == "you") != (owner == actor):
            return False
        kind = self.p["cards"][source]["kind"] if source != NOTHING else NOTHING
        if one["kind"] not in (NOTHING, kind):
            return False
        frame = self.frame_of(one["body"], owner, [], frozenset())
        frame.context = self.frame.context
        return bool(self.number(one["condition"], frame))

    def fire(self, one: Node, owner: int) -> list[Call]:
        bodies = {trigger["body"] for trigger in self.p["triggers"]}
        done = [(frame.rule, frame.slots[0]) for frame in self.frames if frame.begun]
        if not self.active(one["ability"], owner) or (one["body"], owner) in done:
            return []
        if sum(rule in bodies for rule, _ in done) >= NESTED:
            raise Fault("E608")
        self.use(one["ability"], owner)
        return [(one["body"], owner, [])]

    # ---- cards ----

    def seeing(self, place: int, up: bool) -> int:
        """The players who learn a card that comes to a place this way, as bits of its knowledge."""
        info = self.p["places"][place]
        everybody, owner = 2 ** (self.players + 1) - 2, 2 << info["owner"] + 1 >> 1
        seeing = {"all": everybody * up, "owner": owner & everybody, "others": everybody & ~owner}
        return int(seeing.get(info["seen"], 0))

    def face(self, card: int, place: int, up: bool, before: int) -> None:
        """Turns a card face up or down; `before` is its former knowledge."""
        seeing = self.seeing(place, up) if place != NOTHING else 0
        self.v[self.p["slots"]["card_known"] + card] = before & ~1 | int(up) | seeing

    def forgotten(self, card: int) -> int:
        """Removes what players have been told about a card, and returns its knowledge after that:
        none.
        """
        for one in self.p["variables"]:
            if one["bits"]:
                self.v[one["base"] + card] = 0
        return 0

    def side(self, place: int) -> int | None:
        """The owner of a place with active abilities."""
        if place == NOTHING or not self.p["places"][place]["active"]:
            return None
        return int(self.p["places"][place]["owner"])

    def move(self, card: int, place: int, under: bool, facing: str) -> list[Call]:
        """Moves a card; returns the calls that this triggers."""
        before, calls = self.place_of(card), []
        if before != NOTHING:
            self.lay(before, [one for one in self.pile(before) if one != card])
            if self.p["places"][before]["refill_at_once"] and self.top(before) == NOTHING:
                calls += self.refill(before)
        pile = self.pile(place)
        self.lay(place, [*pile, card] if under else [card, *pile])
        up = (facing or self.p["places"][place]["facing"]) == "up"
        closed = self.p["places"][place]["closed"]
        self.face(card, place, up, self.forgotten(card) if closed else self.known(card))
        return calls + self.changed_sides(card, self.side(before), self.side(place))

    def changed_sides(self, card: int, old: int | None, new: int | None) -> list[Call]:
        numbers = [n for n, one in enumerate(self.p["abilities"]) if one["card"] == card]
        abilities = [self.p["abilities"][n] for n in numbers]
        if old == new:
            return []
        if old is not None:
            stored = [one["slot"] for one in self.all_stored() if one["ability"] in numbers]
            for slot in [one["window"] for one in abilities if one["window"] >= 0] + stored:
                self.v[slot] = 0
        if new is None:
            return []
        you = new if new != NOTHING else self.you
        calls = [(one["arrival"], you, list[int]()) for one in abilities if one["arrival"] >= 0]
        for one in self.p["triggers"]:
            if one["ability"] in numbers and one["memory"] != NOTHING and new != NOTHING:
                calls += self.fire(one, new) if self.v[one["memory"] + new] == 1 else []
        return calls

    def refill(self, place: int) -> list[Call]:
        info = self.p["places"][place]
        pile = self.pile(info["refill"]) if info["refill"] != NOTHING else []
        if not pile:
            return []
        self.lay(info["refill"], [])
        self.lay(place, sorted(pile))
        for card in pile:
            slot = self.p["slots"]["card_known"] + card
            self.v[slot] = self.v[slot] & ~1 | int(info["facing"] == "up")
        return [(self.p["refill"], self.you, [place])]

    # ---- chance ----

    def below(self, count: int) -> int:
        """A number below count, drawn from the seed."""
        assert self.seed is not None
        if count == 1:
            return 0
        while True:
            self.seed = self.seed + 0x9E3779B97F4A7C15 & MASK
            z = self.seed
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
            z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
            drawn = (z ^ z >> 31) >> 32
            if drawn < 2**32 // count * count:
                return drawn % count

    def do_shuffle(self, one: Node) -> None:
        place, work = self.now(one["place"]), one["work"]
        if place == NOTHING:
            return
        slots = self.frame.slots
        if slots[work] == 0:
            self.lay(place, sorted(self.pile(place)))
            for card in self.pile(place):
                self.face(card, place, bool(self.known(card) & 1), self.forgotten(card))
        if self.seed is not None:
            self.shuffle(place)
            return
        left = self.pile(place)[slots[work] :]
        classes = Counter(self.p["cards"][card]["same"] for card in left)
        if len(classes) < 2:
            slots[work] = 0
            return
        options = []
        for same, number in classes.items():
            card = min(card for card in left if self.p["cards"][card]["same"] == same)
            name = f"shuffle {self.p['cards'][card]['id']}"
            options.append(Option(name, "class", place, card, weight=number))
        options.sort(key=lambda option: option.element or 0)
        self.ask(one["question"], options, CHANCE)

    def shuffle(self, place: int) -> None:
        left, pile = self.pile(place), list[int]()
        while left:
            same = self.p["cards"][left[self.below(len(left))]]["same"]
            card = min(card for card in left if self.p["cards"][card]["same"] == same)
            left.remove(card)
            pile.append(card)
        self.lay(place, pile)

    def do_roll(self, one: Node) -> None:
        low, high = self.now(one["low"]), self.now(one["high"])
        count = high - low + 1
        if count < 1:
            raise Fault("E612")
        if self.seed is not None or count == 1:
            self.frame.slots[one["slot"]] = low + (self.below(count) if count > 1 else 0)
            return
        options = [Option(f"roll {n}", "roll", one["slot"], n) for n in range(low, high + 1)]
        self.ask(one["question"], options, CHANCE)

    def do_random(self, one: Node) -> None:
        ways = self.p["questions"][one["question"]]["ways"]
        choice = ways[0]["choice"]
        within, slot = self.members(choice["within"], self.frame), choice["slot"]
        if not within:
            raise Fault("E615")
        if self.seed is not None or len(within) == 1:
            self.frame.slots[slot] = within[self.below(len(within)) if len(within) > 1 else 0]
            return
        options = [
            Option(self.option_name(ways[number], element), "way", number, element)
            for number, element in self.elements(ways, self.frame)
        ]
        self.ask(one["question"], options, CHANCE)

    def possible(self, ways: list[Node]) -> bool:
        """Whether a question has an option of its own in the top frame, without exchanges."""
        before = list(self.frame.slots)
        found = any(self.elements(ways, self.frame))
        self.frame.slots[:] = before
        return found

    # ---- questions ----

    def do_ask(self, one: Node) -> None:
        question = self.p["questions"][one["question"]]
        ways = question["ways"]
        options = [
            Option(self.option_name(ways[number], element), "way", number, element)
            for number, element in self.elements(ways, self.frame)
        ]
        if not options:
            self.instead(one)
            return
        if len(options) > 1:
            options += self.exchanges(lambda: self.possible(ways))
        if len(options) > 1:
            options = self.unlike(question, options)
        self.ask(one["question"], different_names(options), self.you)

    def instead(self, one: Node) -> None:
        """Continues where no option is possible."""
        if one["otherwise"] == NOTHING:
            raise Fault("E615")
        self.at = one["otherwise"]

    def take(self, option: Option) -> None:
        """Takes an option at the instruction that asked."""
        line = self.p["code"][self.at]
        question = self.p["questions"][line["operation"]["question"]]
        slots = self.frame.slots
        self.waiting = Waiting()
        if option.kind == "way":
            way = question["ways"][option.number]
            if option.element is not None:
                slots[way["choice"]["slot"]] = option.element
            self.at = way["target"]
        elif option.kind == "exchange":
            self.push(self.exchange(option.number))
        elif option.kind == "plan" and option.plan is not None:
            self.pay(option.plan, question["bill"])
            self.at = line["next"]
        elif option.kind == "unit":
            bill = question["bill"]
            self.spend(option.number, 1, bill["terms"])
            slots[bill["owed"] + self.owing(bill)] -= 1
            if bill["paid"] != NOTHING:
                slots[bill["paid"] + option.number] = 1
        elif option.kind == "class" and option.element is not None:
            work = line["operation"]["work"]
            pile = self.pile(option.number)
            pile.remove(option.element)
            pile.insert(slots[work], option.element)
            self.lay(option.number, pile)
            slots[work] += 1
        elif option.element is not None:
            slots[option.number] = option.element
            self.at = line["next"]

    def unlike(self, question: Node, options: list[Option]) -> list[Option]:
        """The options, without those that are interchangeable with an earlier one."""
        found: dict[object, Option] = {}
        for option in options:
            key: object = option.id, option.kind, option.number, option.element
            if option.kind == "way" and option.element is not None:
                what = question["ways"][option.number]["choice"]["type"]["is"]
                if what in ("Card", "Piece") and option.element not in self.held(what, question):
                    key = option.number, self.like(what, option.element)
            found.setdefault(key, option)
        return list(found.values())

    # ---- free exchanges ----

    def exchanges(self, useful: Callable[[], bool]) -> list[Option]:
        """The free exchanges after which an option remains."""
        found, before = [], self.amounts(self.you)
        for number, one in enumerate(self.p["exchanges"]):
            after = self.exchanged(before, one, self.you)
            if after is None:
                continue
            self.put(after)
            if useful():
                found.append(Option(one["id"], "exchange", number))
            self.put(before)
        return found

    def put(self, amounts: list[int]) -> None:
        for resource, number in enumerate(amounts):
            self.v[self.amount(resource, self.you)] = number

    def exchange(self, number: int) -> list[Call]:
        """Makes a free exchange."""
        one, you, calls = self.p["exchanges"][number], self.you, list[Call]()
        for resource, count in one["give"]:
            slot = self.amount(resource, you)
            self.set(slot, self.v[slot] - count)
        for resource, _ in one["give"]:
            calls += self.event("pay", resource, you)
        for resource, count in one["take"]:
            calls += self.gain(you, resource, count)
        return calls

    # ---- payments ----

    def do_pay(self, one: Node) -> None:
        question = self.p["questions"][one["question"]]
        bill = question["bill"]
        plans = self.plans(bill["price"], bill["terms"], self.frame)
        if plans is None:
            self.pay(Plan({}, {}, False, ()), bill)
            return
        terms, you = bill["terms"], self.you
        purse = self.purse(self.amounts(you), terms, you)
        reached = [plan for plan in plans if self.reachable([plan], terms, you)]
        paid = [plan for plan in reached if self.pays(purse, plan)]
        names = [self.plan_name(plan, bill["price"]) for plan in paid]
        pairs = zip(names, paid, strict=True)
        options = [Option(name, "plan", plan=plan) for name, plan in pairs]
        if not (len(reached) == 1 and paid):
            options += self.exchanges(lambda: self.reachable(plans, terms, you))
        if options:
            self.ask(one["question"], different_names(options), you)
        else:
            self.instead(one)

    def plan_name(self, plan: Plan, price: Node) -> str:
        resources = len(self.p["resources"])
        items = [*plan.needs.items(), *((resources + g, n) for g, n in plan.wild.items())]
        name = f"pay {self.counted(items)}"
        if plan.bracket:
            name += f", for {self.counted((self.price(price, self.frame) or {})['reward'])}"
        return name

    def counted(self, items: Sequence[Sequence[int]]) -> str:
        names = [*self.p["resources"], *(name for name, _ in self.p["groups"])]
        return ", ".join(f"{number} {names[item]}" for item, number in items) or "nothing"

    def pay(self, plan: Plan, bill: Node) -> None:
        slots = self.frame.slots
        for resource, number in plan.needs.items():
            self.spend(resource, number, bill["terms"])
        for ability in plan.used:
            self.use(ability, self.you)
        slots[bill["bracket"]] = int(plan.bracket)
        for group in range(len(self.p["groups"])):
            slots[bill["owed"] + group] = plan.wild.get(group, 0)
        if bill["paid"] != NOTHING:
            for resource in range(len(self.p["resources"])):
                slots[bill["paid"] + resource] = int(resource in plan.needs)

    def spend(self, resource: int, number: int, terms: int) -> None:
        """Pays, using stored resources first."""
        for one in self.stored(terms, self.you):
            if one["resource"] == resource:
                part = min(number, self.v[one["slot"]])
                self.v[one["slot"]] -= part
                number -= part
        slot = self.amount(resource, self.you)
        self.set(slot, self.v[slot] - number)

    def owing(self, bill: Node) -> int:
        """The first group of which units are owed, or nothing."""
        groups = range(len(self.p["groups"]))
        owed = (group for group in groups if self.frame.slots[bill["owed"] + group] > 0)
        return next(owed, NOTHING)

    def do_payunit(self, one: Node) -> None:
        bill = self.p["questions"][one["question"]]["bill"]
        group, you, terms = self.owing(bill), self.you, bill["terms"]
        if group == NOTHING:
            return
        purse = self.purse(self.amounts(you), terms, you)
        options = [
            Option(f"pay {self.p['resources'][member]}", "unit", member)
            for member in self.p["groups"][group][1]
            if purse[member] > 0
        ]
        slots = self.frame.slots
        owed = {g: slots[bill["owed"] + g] for g in range(len(self.p["groups"]))}
        if len(options) > 1:
            plan = Plan({}, owed, False, ())
            options += self.exchanges(lambda: self.reachable([plan], terms, you))
        if not options:
            raise Fault("E615")
        self.ask(one["question"], options, you)

    def do_settle(self, one: Node) -> list[Call]:
        bill = self.p["questions"][one["question"]]["bill"]
        calls: list[Call] = []
        slots = self.frame.slots
        if slots[bill["bracket"]]:
            for item, number in (self.price(bill["price"], self.frame) or {})["reward"]:
                calls += self.gain(self.you, item, number)
        if bill["paid"] != NOTHING:
            for resource in range(len(self.p["resources"])):
                if slots[bill["paid"] + resource]:
                    calls += self.event("pay", resource, self.you)
        return calls


def different_names(options: list[Option]) -> list[Option]:
    """Repeated ids are numbered: the second is followed by (2), and so on."""
    seen: Counter[str] = Counter()
    found = []
    for option in options:
        seen[option.id] += 1
        again = f" ({seen[option.id]})" if seen[option.id] > 1 else ""
        found.append(replace(option, id=option.id + again))
    return found

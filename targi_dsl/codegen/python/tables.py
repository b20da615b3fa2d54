"""The runtime of generated Python for one game: cards, amounts and payments."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from targi_dsl.codegen.python.cards import Moves
from targi_dsl.codegen.python.runtime import in_doubt
from targi_dsl.engine.code import Code
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.options import EXCHANGE, packed, unpacked
from targi_dsl.engine.plans import Asked, Cut, Plan
from targi_dsl.engine.run import Calls, Frame, Run, Vector
from targi_dsl.engine.trading import Purse, covers
from targi_dsl.ir.constants import NOTHING, YOU

_KEPT = 20_000  # cached exchanges of purses, and cached answers for payments
Stored = tuple[tuple[int, int], ...]  # resource and slot of what pays first
Cuts = tuple[Cut, ...]
Substitutes = tuple[tuple[int, int], ...]  # terms, and index there


class Tables:
    """The functions of one game that generated Python calls."""

    def __init__(self, code: Code, happenings: Happenings) -> None:
        self.code, self.program, self.market = code, code.program, code.market
        self.happenings, self.cards = happenings, Moves(code.table, happenings)
        self.tops, self.below = code.slots.place_top, code.slots.card_next
        self.groups = [members for _, members in code.program.groups]
        self.exchanges = lru_cache(_KEPT)(self._exchanges)
        self._payable: dict[tuple[Asked, Cuts, Substitutes, Stored, Purse, Purse], bool] = {}

    def functions(self) -> dict[str, Any]:
        """The functions by the names that generated Python uses for them."""
        found: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "pile_of", "pile_on", "piles", "piles_on", "tops_of", "cards_on", "bottom_card",
                "plans", "can_pay",
                "payments", "units", "pay", "pay_unit", "settle", "with_exchanges",
                "and_exchanges",
            )
        }  # fmt: skip
        return found | {
            "EXCHANGE": EXCHANGE,
            "HIGHS": self.program.slots.highs,
            "carried": self.code.table.carried,
            "exchange": self.happenings.exchange,
            "fired": self.happenings.fired,
            "move": self.cards.move,
            "push": self.code.frames.push,
            "refill": self.cards.refill,
            "turn": self.cards.turn,
            "use": self.happenings.use,
        }

    # ---- cards ----

    def pile_of(self, v: Vector, top: int) -> int:
        """The mask of the cards on a place whose top card is in this slot."""
        found, card, below = 0, v[top], self.below
        while card >= 0:
            found |= 1 << card
            card = v[below + card]
        return found

    def pile_on(self, v: Vector, place: int) -> int:
        """The mask of the cards on a place; none on nothing."""
        return self.pile_of(v, self.tops + place) if place >= 0 else 0

    def piles(self, v: Vector, tops: list[int]) -> int:
        """The mask of the cards on and below these top cards."""
        found, below = 0, self.below
        for card in tops:
            while card >= 0:
                found |= 1 << card
                card = v[below + card]
        return found

    def piles_on(self, v: Vector, places: tuple[int, ...]) -> int:
        """The mask of the cards on any of some places."""
        return self.piles(v, [v[self.tops + place] for place in places])

    def tops_of(self, v: Vector, places: tuple[int, ...]) -> list[int]:
        """The top cards of some places."""
        return [v[self.tops + place] for place in places]

    def cards_on(self, v: Vector, tops: list[int]) -> list[int]:
        """These top cards and those below them, ascending."""
        found, below = [], self.below
        for card in tops:
            while card >= 0:
                found.append(card)
                card = v[below + card]
        found.sort()
        return found

    def bottom_card(self, v: Vector, place: int) -> int:
        """The bottom card of a place."""
        card = v[self.tops + place] if place >= 0 else NOTHING
        while card >= 0 and v[self.below + card] >= 0:
            card = v[self.below + card]
        return card

    # ---- payments ----

    def plans(self, asked: Asked, cuts: Cuts, substitutes: Substitutes) -> tuple[Plan, ...]:
        """The plans of a price; substitutes by their terms and their index there."""
        if not substitutes:
            return self.code.planner.plans(asked, cuts)
        standing = tuple([self.program.terms[of].substitutes[at] for of, at in substitutes])
        return self.code.planner.plans(asked, cuts, standing)

    def purse(self, v: Vector, you: int, stored: Stored) -> list[int]:
        """What you can pay with, by resource."""
        have = self.market.purse(v, you)
        for resource, slot in stored:
            have[resource] += v[slot]
        return have

    def can_pay(
        self, v: Vector, you: int, asked: Asked, cuts: Cuts, substitutes: Substitutes,
        stored: Stored,
    ) -> bool:  # fmt: skip
        """Whether a price can be paid, if necessary after exchanges."""
        own = tuple(self.market.purse(v, you))
        kept = tuple([v[slot] for _, slot in stored]) if stored else ()
        key = asked, cuts, substitutes, stored, kept, own
        found = self._payable.get(key)
        if found is None:
            if len(self._payable) > _KEPT:
                self._payable.clear()
            plans, have = self.plans(asked, cuts, substitutes), self.purse(v, you, stored)
            found = self._payable[key] = bool(self.market.reachable(plans, have, [*own])[1])
        return found

    def payments(self, v: Vector, you: int, plans: tuple[Plan, ...], stored: Stored) -> list[int]:
        """The options of a payment."""
        have = self.purse(v, you, stored)
        if not self.market.exchanges:
            return [at for at, plan in enumerate(plans, 1) if covers(have, plan, self.groups)]
        own = self.market.purse(v, you)
        payable, reach = self.market.reachable(plans, have, own)
        if len(reach) == 1 and payable:
            return [packed(0, payable[0])]
        found = [packed(0, at) for at in payable]
        if reach:
            found += [EXCHANGE + one for one in self.market.useful(plans, have, own)]
        return found

    def units(self, v: Vector, f: Frame, owed: int, stored: Stored) -> list[int]:
        """The resources that can pay for a wildcard unit of the first group that is
        still owed one.
        """
        group = self._owing(f, owed)
        if group == NOTHING:
            return []
        have = self.purse(v, f[YOU], stored)
        found = [packed(0, one) for one in self.groups[group] if have[one] > 0]
        if len(found) > 1 and self.market.exchanges:
            left = [(at, f[owed + at]) for at in range(len(self.groups))]
            plan = Plan((), tuple((at, count, count) for at, count in left if count), False, ())
            own = self.market.purse(v, f[YOU])
            found += [EXCHANGE + one for one in self.market.useful((plan,), have, own)]
        return found

    def _owing(self, f: Frame, owed: int) -> int:
        for at in range(len(self.groups)):
            if f[owed + at]:
                return at
        return NOTHING

    def spend(self, v: Vector, you: int, resource: int, number: int, stored: Stored) -> None:
        """You pay something, from what is stored first."""
        for kept, slot in stored:
            if kept == resource:
                part = min(v[slot], number)
                v[slot] -= part
                number -= part
        v[self.market.amounts + resource * self.market.players + you] -= number

    def pay(
        self, v: Vector, f: Frame, plan: Plan, stored: Stored, bracket: int, owed: int, paid: int
    ) -> None:
        """Pays by a plan; the frame then holds what the plan leaves open."""
        for resource, count in plan.needs:
            self.spend(v, f[YOU], resource, count, stored)
        for ability in plan.used:
            window = self.code.table.window(ability, f[YOU])
            if window != NOTHING:
                v[window] += 1
        f[bracket] = int(plan.bracket)
        for at in range(owed, owed + len(self.groups)):
            f[at] = 0
        for group, count, _ in plan.wild:
            f[owed + group] = count
        if paid != NOTHING:
            for at in range(paid, paid + len(self.program.resources)):
                f[at] = 0
            for resource, _ in plan.needs:
                f[paid + resource] = 1

    def pay_unit(
        self, v: Vector, f: Frame, resource: int, stored: Stored, owed: int, paid: int
    ) -> None:
        """Pays for a wildcard unit."""
        self.spend(v, f[YOU], resource, 1, stored)
        f[owed + self._owing(f, owed)] -= 1
        if paid != NOTHING:
            f[paid + resource] = 1

    def settle(self, v: Vector, run: Run, f: Frame, asked: Asked, bracket: int, paid: int) -> Calls:
        """The reward of a payment, then the triggers on it."""
        calls: Calls = []
        if f[bracket]:
            for item, count in self.code.planner.price(asked).reward:
                slot = self.market.amounts + item * self.market.players + f[YOU]
                v[slot] += count
                if v[slot] > self.program.slots.highs[slot]:
                    in_doubt()
                calls += self.happenings.fired(v, run, "gain", item, f[YOU], NOTHING)
        if paid != NOTHING:
            for resource in range(len(self.program.resources)):
                if f[paid + resource]:
                    calls += self.happenings.fired(v, run, "pay", resource, f[YOU], NOTHING)
        return calls

    def with_exchanges(
        self, v: Vector, f: Frame, own: Callable[[Vector, Frame], list[int]], steady: frozenset[int]
    ) -> list[int]:
        """The options of a question, and the exchanges after which it still has one of its own.
        The steady ways do not depend on amounts.
        """
        found = own(v, f)
        if len(found) < 2:
            return found
        for option in reversed(found):
            if unpacked(option)[0] in steady:
                return self.and_exchanges(v, f, found)
        market, options = self.market, []
        for option, after in self.exchanges(tuple(market.purse(v, f[YOU]))):
            w = v[:]
            w[market.amounts + f[YOU] : market.end : market.players] = after
            if own(w, f):
                options.append(option)
            v[1] = max(v[1], w[1])
        return found + options

    def and_exchanges(self, v: Vector, f: Frame, found: list[int]) -> list[int]:
        """Those options of a question that no exchange affects, and the exchanges."""
        if len(found) < 2:
            return found
        exchanges = self.exchanges(tuple(self.market.purse(v, f[YOU])))
        return found + [option for option, _ in exchanges]

    def _exchanges(self, purse: Purse) -> tuple[tuple[int, Purse], ...]:
        """The exchanges that a purse allows, as options, each with the purse after it."""
        allowed = [
            (number, self.market.after(purse, one))
            for number, one in enumerate(self.market.exchanges)
        ]
        return tuple((EXCHANGE + number, after) for number, after in allowed if after is not None)

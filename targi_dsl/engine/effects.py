"""The effects of docs/program.md, *Instructions*. Each has a method of its name, whose parameters
are its operands. A step evaluates the operands in their order and calls the method; the result is
the rules to be called next.
"""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.engine.cards import Piles
from targi_dsl.engine.code import Code
from targi_dsl.engine.faults import Fault
from targi_dsl.engine.happenings import Happenings
from targi_dsl.engine.run import Calls, Run, Vector
from targi_dsl.engine.sets import Set
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, Facing
from targi_dsl.ir.slots import ENDED

Function = Callable[..., Calls | None]  # of a position, a run and the operands of an effect


class Effects:
    """Changes positions. functions: for each kind of effect what carries it out."""

    def __init__(self, code: Code, happenings: Happenings) -> None:
        self.code, self.program, self.slots = code, code.program, code.slots
        self.happenings, self.piles = happenings, Piles(code.table, happenings)
        self.functions: dict[type[s.Effect], Function] = {
            s.Gain: self.gain,
            s.Store: self.store,
            s.MoveCards: self.move_cards,
            s.MovePieces: self.move_pieces,
            s.Turn: self.turn,
            s.Reveal: self.reveal,
            s.Refresh: self.refresh,
            s.Assign: self.assign,
            s.DoAction: self.do_action,
            s.Announce: self.announce,
            s.Use: self.use,
            s.EndGame: self.end_game,
        }

    def gain(self, v: Vector, run: Run, who: int, resource: int, number: int, source: int) -> Calls:
        """A player gains something."""
        if who < 0 or resource < 0 or number < 1:
            return []
        return self.happenings.gain(v, run, who, resource, number, source)

    def store(self, v: Vector, run: Run, slot: int, resource: int, number: int) -> None:
        """Puts resources into a slot."""
        if number > 0:
            name = f"stored {self.program.resources[resource]}"
            self.happenings.change(v, slot, number, name)
            run.tell(v, "store", run.frame[0], resource, number)

    def move_cards(
        self, v: Vector, run: Run, cards: Set, place: int, under: bool, facing: Facing
    ) -> Calls:
        """Moves cards to a place, one by one."""
        calls: Calls = []
        for card in cards if place != NOTHING else ():
            calls += self.piles.move(v, run, card, place, under, facing)
        return calls

    def move_pieces(self, v: Vector, run: Run, pieces: Set, place: int) -> None:
        """Moves pieces to a place."""
        base = self.slots.piece_place
        for piece in pieces:
            before, v[base + piece] = v[base + piece], place
            if run.listener is not None:
                run.tell(v, "piece", run.frame[0], piece, 1, before, place)

    def turn(self, v: Vector, run: Run, cards: Set, up: bool) -> None:
        """Turns cards face up or down."""
        known = self.slots.card_known
        for card in cards:
            before = v[known + card] & 1
            self.piles.turn(v, card, up)
            if before != up:
                run.tell(v, "turn", run.frame[0], card, up)

    def reveal(self, v: Vector, run: Run, cards: Set, to: int | None) -> None:
        """Lets a player know cards, or everybody."""
        if to == NOTHING:
            return
        knowing = self.code.table.everybody if to is None else 2 << to
        for card in cards:
            v[self.slots.card_known + card] |= knowing
            if to is None:
                run.tell(v, "reveal", run.frame[0], card)
            else:
                run.tell(v, "look", to, card)

    def refresh(self, v: Vector, run: Run, place: int) -> Calls:
        """Refills a place on which no card lies."""
        if place == NOTHING or v[self.slots.place_top + place] != NOTHING:
            return []
        return self.piles.refill(v, run, place)

    def assign(
        self, v: Vector, run: Run, variable: int, index: int, value: int, secret: int
    ) -> None:
        """Sets a variable at an index."""
        info = self.program.variables[variable]
        if not 0 <= index < info.count:
            return
        slot, changed = info.base + index, secret
        before = v[slot]
        self.happenings.change(v, slot, value - before, info.name)
        if info.secret != NOTHING:
            changed |= v[info.secret + index]
            v[info.secret + index] = secret
        if run.listener is None or info.is_hidden or not (changed or before != value):
            return
        if info.bits:
            run.tell(v, "tell", run.frame[0], index, value, variable)
        else:
            run.tell(v, "set", run.frame[0], variable, value, NOTHING, index)

    def do_action(self, v: Vector, run: Run, card: int) -> Calls:
        """The rule on a card."""
        rule = self.program.actions[card] if card >= 0 else NOTHING
        if rule == NOTHING:
            return []
        return [(rule, run.frame[0], self.code.table.carried(rule, card))]

    def announce(self, v: Vector, run: Run, rule: int) -> Calls:
        """You have carried out a rule."""
        you = run.frame[0]
        run.tell(v, "do", you, rule)
        return self.happenings.fired(v, run, "do", rule, you, NOTHING)

    def use(self, v: Vector, run: Run, ability: int) -> None:
        """Counts a use of an ability."""
        self.happenings.use(v, run, ability, run.frame[0])

    def lift(self, v: Vector, run: Run, forbid: int, ability: int) -> None:
        """Uses the ability that lifts a prohibition; a fault if there is none."""
        if ability == NOTHING:
            name = self.program.prohibitions[forbid].name
            text = "Nothing checked this beforehand, and now nothing lifts it."
            raise Fault("E615", f"`{name}` forbids this", text)
        self.use(v, run, ability)

    def end_game(self, v: Vector, run: Run, rule: int) -> None:
        """Ends the game."""
        run.tell(v, "end", run.frame[0], rule)
        v[ENDED] = rule
        run.clear()

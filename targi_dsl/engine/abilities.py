"""Which abilities are active, and how often they were used; see docs/program.md, *Abilities*."""

from __future__ import annotations

from targi_dsl.engine.run import Positions, Run, Vector
from targi_dsl.ir.constants import NOTHING

NOT_ACTIVE = -2  # owner of a place without active abilities


class Abilities(Positions):
    """The abilities of a program."""

    def owner(self, place: int) -> int:
        """The player whose abilities are active on a place, or NOT_ACTIVE."""
        is_active = place != NOTHING and self.program.places[place].active
        return self.program.places[place].owner if is_active else NOT_ACTIVE

    def window(self, ability: int, player: int) -> int:
        """The slot that counts a player's uses of an ability, or nothing."""
        info = self.program.abilities[ability]
        each = player if info.card == NOTHING and info.window != NOTHING else 0
        return info.window + each

    def is_active(self, v: Vector, ability: int, player: int) -> bool:
        """Whether an ability is active for a player and its window is open."""
        card, window = self.program.abilities[ability].card, self.window(ability, player)
        if window != NOTHING and v[window]:
            return False
        return card == NOTHING or self.owner(v[self.slots.card_place + card]) == player

    def use(self, run: Run, ability: int, player: int) -> None:
        """Counts one use of the ability's window, if it has one."""
        window = self.window(ability, player)
        if window != NOTHING:
            run.v[window] += 1
            run.tell("use", player, ability)

    def action(self, card: int) -> int:
        """The rule that a card carries, or nothing."""
        return self.program.actions[card] if card >= 0 else NOTHING

    def carried(self, rule: int, card: int) -> tuple[int, ...]:
        """The arguments of the rule on a card: the card itself, if the rule has a
        parameter for it.
        """
        params = self.program.procedures[rule].params
        return (card, *([0] * (params - 1))) if params else ()

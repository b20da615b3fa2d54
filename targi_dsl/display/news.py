"""What happened in a step, in words, as some seats may know it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from targi_dsl.api import Event
from targi_dsl.display.choosing import joined, meaning
from targi_dsl.display.ink import Ink, Line, line, words
from targi_dsl.display.view import View
from targi_dsl.display.words import Words, spoken
from targi_dsl.records import Step

QUIET = ("do", "set", "choose", "round")
"""Kinds of events that tell of the rules, not of the table."""


class News:
    """Tells steps to these seats; to nobody in particular, all of it."""

    def __init__(self, known: Words, seats: tuple[str, ...], columns: int) -> None:
        self.words, self.seats, self.columns = known, seats, columns

    def told(self, step: Step, before: str = "") -> list[Line]:
        """Who chose what, and below it what followed."""
        game, seat = step.before.game, step.before.seat or ""
        chosen = self.chosen(step)
        colour = (
            View(step.before, self.words).colour(game.players.index(seat))
            if seat in game.players
            else "strong"
        )
        said = "" if step.is_chance else f"{seat}: {chosen}"  # chance draws face down
        head = words(said, max(self.columns - len(before), 1), style=colour)
        lines = [
            line(before if number == 0 else " " * len(before), *part)
            for number, part in enumerate(head)
        ]
        events = "; ".join(self.events(step, chosen))
        indent = " " * min(len(before) + 4, self.columns // 4)
        inner = words(events, max(self.columns - len(indent), 1), style="faint")
        return lines + [(Ink(indent), *part) for part in inner]

    def chosen(self, step: Step) -> str:
        """The choice in words."""
        deed, thing, _ = meaning(self._seen(step), step.choice, brief=False)
        return joined(deed, thing)

    def events(self, step: Step, chosen: str = "") -> Iterator[str]:
        """What followed; not that a piece goes where it was chosen to go."""
        for event in step.events:
            said = (
                event.kind == "piece"
                and event.to
                and re.search(rf"{re.escape(spoken(event.to))}\b", chosen)
            )
            if event.kind not in QUIET and not said:
                yield self._in_words(step, event)

    def _in_words(self, step: Step, event: Event) -> str:
        number, what, by = event.number, spoken(event.what), ""
        if event.card:
            card = self._card(step, event.card)
            what, by = (
                (card, "") if event.kind in ("move", "turn", "reveal") else (what, f" ({card})")
            )
        source, to = spoken(event.source), spoken(event.to)
        match event.kind:
            case "gain" | "pay" | "store":
                return f"{event.seat} {event.kind}s {number} {what}{by}"
            case "move" | "piece" if event.to:
                return f"{what} to {to}"
            case "move" | "piece":
                return f"{what} off {source}" if source else f"{what} off the board"
            case _:
                return (
                    spoken(event.text)
                    if not event.card
                    else spoken(event.text).replace(event.what, what)
                )

    def _card(self, step: Step, card_id: str) -> str:
        """A card by its name, if it was known to all who listen before or is so afterwards."""
        return self._seen(step).card(self.words.numbers[card_id])

    def _seen(self, step: Step) -> View:
        return View(step.before, self.words, self.seats, self.columns, step.after)

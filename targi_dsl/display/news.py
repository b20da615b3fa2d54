"""News as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from targi_dsl.display.ink import Ink, Line, line, seat_colours, words
from targi_dsl.records import Step
from targi_dsl.view.equipment import equipment
from targi_dsl.view.news import Heard, Teller
from targi_dsl.view.words import Words


class News:
    """Renders steps for some seats; without seats, with everything visible."""

    def __init__(self, known: Words, seats: tuple[str, ...], columns: int) -> None:
        self.words, self.seats, self.columns = known, seats, columns
        self.teller = Teller(known, seats)

    def report(self, step: Step, before: str = "", later: Sequence[Step] = ()) -> list[Line]:
        """A step: the choice and its events. later: the following steps, which may reveal the
        chosen card.
        """
        return self._paragraphs([step], self.teller.events(step), before, later)

    def together(
        self, steps: Sequence[Step], *, consequences: bool = True, visible: bool = False
    ) -> list[Line]:
        """The choices of each seat in one paragraph, with their consequences, or only those that
        are not visible on the table, or with none but what has been revealed.
        """
        lines = list[Line]()
        for _, found in groupby(steps, lambda one: one.before.seat):
            run = list(found)
            events = (
                one
                for step in run
                for one in self.teller.events(step)
                if (consequences and (visible or not self.teller.is_visible(step, one.event)))
                or self.teller.is_revealed(step, one, steps[-1].after)
            )
            lines += self._paragraphs(run, events, "", ())
        return lines

    def latest(self, steps: Sequence[Step]) -> list[Line]:
        """The choices of others, and the last one of the listeners' own."""
        own = [number for number, step in enumerate(steps) if step.before.seat in self.seats]
        recent = [step for number, step in enumerate(steps) if number not in own[:-1]]
        return self.together(recent, consequences=False)

    def _paragraphs(
        self, run: Sequence[Step], events: Iterable[Heard], before: str, later: Sequence[Step]
    ) -> list[Line]:
        """The choices of one seat, and their events below."""
        state = run[0].before
        seat = state.seat or ""
        colour = seat_colours(equipment(self.words).players).get(seat, "")
        # Outcomes of chance are not described as choices.
        own = [(step, [*run[at:], *later]) for at, step in enumerate(run, 1) if not step.is_chance]
        reported = "; ".join(self.teller.choice_text(step, rest) for step, rest in own)
        text = self.words.language.labelled(self.words.seat(seat), reported) if reported else ""
        head = words(text, max(self.columns - len(before), 1), style=colour)
        lines = [line(" " * len(before) if at else before, *part) for at, part in enumerate(head)]
        indent = " " * min(len(before) + 4, self.columns // 4)
        room = max(self.columns - len(indent), 1)
        inner = words("; ".join(self.teller.in_words(events)), room, style="faint")
        return lines + [(Ink(indent), *part) for part in inner]

"""Everything a seat has seen since the beginning of a game: perfect recall.

An observation has no memory. Who was asked, and what was taken and put back, reveals something
that the table does not show afterwards; a history keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from targi_dsl.api.events import PUBLIC, Event
from targi_dsl.api.state import State
from targi_dsl.text.structs import Frozen


class History(Frozen):
    """Everything a seat has seen so far, in order, with what it knew at each moment; a value.

    public: what everybody has seen. private: what only this seat has seen, each entry with the
    number of public entries before it.
    """

    seat: str
    public: tuple[Event, ...] = ()
    private: tuple[tuple[int, Event], ...] = ()

    def after(self, before: State, events: Iterable[Event]) -> History:
        """The history after a step from this position, with everything that happened in it."""
        public, private = list(self.public), list(self.private)
        if before.seat == self.seat:
            offered = Event("offer", "", self.seat, ", ".join(before.option_ids))
            private.append((len(public), offered))
        for event in events:
            own, open_ = event.seen_by(self.seat), event.seen_by(PUBLIC)
            public.append(_without_audience(open_))
            if own.known_to is not None or own != open_:
                private.append((len(public), _without_audience(own)))
        return History(self.seat, tuple(public), tuple(private))

    def text(self) -> str:
        """The history in words, one line for each entry. Two texts are equal only if the
        histories are.
        """
        lines = [_line(event) for event in self.public]
        lines += [f"{number}: {_line(event)}" for number, event in self.private]
        return "\n".join(lines)

    def __deepcopy__(self, memo: object) -> History:
        return self


def history(state: State, seat: str, events: Iterable[Event] = ()) -> History:
    """What a seat, or "public", has seen before the first decision: the position and the events
    that `begin` returns. Raises ValueError if there is no such player.
    """
    if seat not in (*state.game.players, PUBLIC):
        raise ValueError(f"no player `{seat}` in {state.game.name}")
    if not (seen := tuple(events)):
        return History(seat)
    public = tuple(_without_audience(event.seen_by(PUBLIC)) for event in seen)
    private = tuple(
        (number + 1, _without_audience(event.seen_by(seat)))
        for number, event in enumerate(seen)
        if event.known_to is not None and seat in event.known_to
    )
    return History(seat, public, private)


def _line(event: Event) -> str:
    line = f"{event.kind}|{event.rule}|{event.seat}|{event.what}|{event.number}"
    return f"{line}|{event.source}|{event.to}|{event.card}"


def _without_audience(event: Event) -> Event:
    """The event without the note of who else knows it."""
    return replace(event, known_to=None, secrets=())

"""The complete tree of Leduc poker has the size given in the literature."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl import Asked, History, State, begin, choices, history, load, play

SEATS = ("ann", "ben")
Seen = dict[str, History]


def nodes(state: State, seen: Seen) -> Iterator[tuple[State, Seen]]:
    """Every position from here on, with what each seat has seen by then."""
    yield state, seen
    for choice in choices(state):
        after, events = play(state, choice)
        yield from nodes(after, {seat: one.after(state, events) for seat, one in seen.items()})


def test_leduc_poker_has_936_information_sets() -> None:
    state, events = begin(load("leduc_poker"), Asked())
    found = list(nodes(state, {seat: history(state, seat, events) for seat in SEATS}))
    asked = {(one.seat, seen[one.seat]) for one, seen in found if one.seat in SEATS}
    assert len(found) == 9_457
    assert len(asked) == 936

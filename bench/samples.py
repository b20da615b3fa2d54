"""Checks samples of what a seat does not know: is each possible, and are all equally likely?

    python -m bench.samples mixed --number 10000

Counts samples in which a box holds a card that never was in it, and compares how often each card is
left in its box with the expected frequency (chi-square; about as large as its degrees of freedom).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

import click

from targi_dsl import Game, State, Stream, load, observe, sample, start


def impossible(state: State) -> bool:
    """Whether a card lies in a box that it never was in."""
    return any(
        state.game.cards[card].start != box
        for box, place in enumerate(state.game.places)
        if place.is_box
        for card in state.position.cards_on(box)
    )


def left_in_boxes(state: State) -> Iterator[int]:
    """The cards that were not drawn."""
    for box, place in enumerate(state.game.places):
        if place.is_box:
            yield from state.position.cards_on(box)


def known(state: State, seat: int) -> set[int]:
    """The cards that a seat knows; whether they were left in their box is not random for it."""
    v, first = state.vector, state.game.slots.card_known
    return {at for at in range(len(state.game.cards)) if v[first + at] >> (1 + seat) & 1}


def spread(
    game: Game, counts: Counter[int], number: int, known: Container[int] = ()
) -> tuple[float, int]:
    """The chi-square of how often each unknown card was left in its box, and its degrees of
    freedom.
    """
    total, degrees = 0.0, 0
    for box in (at for at, place in enumerate(game.places) if place.is_box):
        cards = [at for at, card in enumerate(game.cards) if card.start == box and at not in known]
        if len(cards) < 2:
            continue
        expected = sum(counts[card] for card in cards) / len(cards)
        share = expected / number
        if 0 < share < 1:
            scale = expected * (1 - share) * len(cards) / (len(cards) - 1)
            total += sum((counts[card] - expected) ** 2 for card in cards) / scale
            degrees += len(cards) - 1
    return total, degrees


@click.command()
@click.argument("sheet")
@click.option("--number", default=10_000)
def main(sheet: str, number: int) -> None:
    state = start(load(sheet))
    seen, rng = observe(state, state.game.players[0]), Stream(1)
    counts, wrong = Counter[int](), 0
    for _ in range(number):
        possible = sample(seen, rng)
        wrong += impossible(possible)
        counts.update(left_in_boxes(possible))
    chi_square, degrees = spread(state.game, counts, number, known(state, 0))
    click.echo(f"{sheet}: {number} samples, {wrong} impossible, ", nl=False)
    click.echo(f"chi-square {chi_square:.1f} with {degrees} degrees of freedom")


if __name__ == "__main__":
    main()

"""Where everything is, by name, as one seat may see it: a line for each region, zone, player and variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from targi_dsl.engine.names import Names
from targi_dsl.model import NOTHING, Game, PlaceInfo, Variable
from targi_dsl.state import State


def position(state: State, people: tuple[str, ...] = ()) -> Iterator[str]:
    """The position, as it may be shown to these seats; if nobody is named, all of it."""
    game = state.game
    for (region, owner), places in groupby(game.places, lambda place: (place.region, place.owner)):
        whose = f" of {game.players[owner]}" if owner != NOTHING else ""
        yield f"  {region}{whose}: {'; '.join(_places(state, people, list(places), whose)) or 'empty'}"
    for player in game.players:
        amounts = [f"{state.amount(player, resource)} {resource}" for resource in game.resources]
        if amounts:
            yield f"  {player}: {', '.join(amounts)}"
    for variable in game.variables:
        yield f"  {variable.name}: {_values(game, state, variable)}"


def _places(state: State, people: tuple[str, ...], places: Iterable[PlaceInfo], whose: str) -> Iterator[str]:
    """What lies on each place that is not empty."""
    for place in places:
        things = [*_cards(state, people, place), *_pieces(state, place)]
        if things:
            name = "" if place.is_zone else place.name.removeprefix(f"{place.region} ").removesuffix(whose) + " "
            yield name + ", ".join(things)


def _cards(state: State, people: tuple[str, ...], place: PlaceInfo) -> Iterator[str]:
    """The cards on a place, top to bottom; by their backs those that somebody does not know."""
    game = state.game
    names = {card.id: card for card in game.cards}
    shown = [
        names[card].names.get("en", card)
        if all(state.knows(seat, card) for seat in people)
        else f"a hidden {game.kinds[names[card].kind]}"
        for card in state.cards(place.name)
    ]
    for name, alike in groupby(shown):
        count = len(list(alike))
        yield name if count == 1 else f"{count} times {name}"


def _pieces(state: State, place: PlaceInfo) -> Iterator[str]:
    """The pieces on a place, those that are alike counted."""
    game = state.game
    on = [piece for piece in game.pieces if state.place_of(piece.name) == place.name]
    for (kind, owner), alike in groupby(on, lambda piece: (piece.kind, piece.owner)):
        count = len(list(alike))
        whose = f" of {game.players[owner]}" if owner != NOTHING else ""
        yield f"{kind}{whose}" if count == 1 else f"{count} {kind}{whose}"


def _values(game: Game, state: State, variable: Variable) -> str:
    """The value of a variable, or its values one by one."""
    names = Names(game)
    values = [names.of(variable.type, state.value(variable.name, at)) for at in range(variable.count)]
    if variable.each == "player":
        return ", ".join(f"{player} {value}" for player, value in zip(game.players, values, strict=True))
    return ", ".join(values)

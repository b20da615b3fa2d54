"""The equipment of a game in one language."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from targi_dsl.codegen import engine_of
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Variable
from targi_dsl.ir.game import Game
from targi_dsl.ir.layout import places_of
from targi_dsl.ir.look import COLOURS, PLAIN, Look
from targi_dsl.ir.order import ordered_zones
from targi_dsl.view.shape import Equipment, Named, PieceInfo, PlaceInfo
from targi_dsl.view.words import ONE_OF_EACH_FORM, Words, letters

_USUAL = ("blue", "orange", "green", "violet", "red", "teal", "pink", "lime", "brown", "grey")
"""The default colours of players."""

_kept = WeakKeyDictionary[Words, Equipment]()


def equipment(words: Words) -> Equipment:
    """The equipment of a game; cached by words."""
    if words not in _kept:
        _kept[words] = _equipment(words)
    return _kept[words]


def _equipment(words: Words) -> Equipment:
    game, places = words.game, words.game.places
    laid = {*places_of(game.layout)}
    refills = {place.refill for place in places}
    ordered = ordered_zones(game)
    regions = {place.region: number for number, place in enumerate(places) if not place.is_box}
    backs = {game.kinds[card.kind]: card.kind for card in game.cards if card.kind >= 0}
    seats = letters(words, {name: words.seat(name) for name in game.players})
    unowned = {piece.kind for piece in game.pieces if piece.owner == NOTHING}
    kinds = {one.kind: words.called("piece", one.kind) for one in game.pieces}
    of_nobody = letters(words, {kind: kinds[kind] for kind in kinds if kind in unowned})
    return Equipment(
        words.title,
        words.language.code,
        tuple(
            Named(name, words.seat(name), short=seats[name], look=look)
            for name, look in _looks_of_players(game).items()
        ),
        tuple(_resource(words, name) for name in words.items),
        tuple(_named(game, name, words.word(name), short) for name, short in words.values.items()),
        tuple(_named(game, name, words.region(number)) for name, number in regions.items()),
        tuple(_named(game, name, words.kind(number)) for name, number in backs.items()),
        tuple(_named(game, *one, short=of_nobody.get(one[0], "")) for one in kinds.items()),
        {piece.name: _piece(words, number) for number, piece in enumerate(game.pieces)},
        {
            place.name: PlaceInfo(
                place.name,
                place.region,
                words.place(number),
                words.own_place(number),
                words.addresses[number],
                words.word(place.label),
                _player(game, place.owner),
                place.is_zone,
                place.active,
                place.facing == "down",
                place.name not in laid,
                number in refills,
                number in ordered or place.seen == "others",
            )
            for number, place in enumerate(places)
            if not place.is_box
        },
        {card.id: words.face(number) for number, card in enumerate(game.cards)},
        game.layout,
        {name: tuple(game.resources[one] for one in members) for name, members in game.groups},
        tuple(
            one.holds or one.name
            for one in game.variables
            if one.is_of_spaces or (one.holds and isinstance(one.each, t.Place))
        ),
        words.numbered,
        any(place.is_zone and place.seen in ("owner", "others") for place in places)
        or any(one.seen != "all" for one in game.variables)
        or any(one.secret for one in game.program.questions),
    )


def _looks_of_players(game: Game) -> dict[str, Look]:
    """The looks of players, each with a colour: declared, the one that is the player's name, or one
    that nobody else has.
    """
    looks = {name: game.look.get(name, PLAIN) for name in game.players}
    own = {name: one.colour or (name if name in COLOURS else "") for name, one in looks.items()}
    others = iter([one for one in _USUAL if one not in own.values()] * len(own))
    return {name: replace(one, colour=own[name] or next(others)) for name, one in looks.items()}


def _piece(words: Words, number: int) -> PieceInfo:
    one = words.game.pieces[number]
    name, owner = words.piece(one.kind, one.owner), _player(words.game, one.owner)
    return PieceInfo(one.name, one.kind, name, owner)


def _player(game: Game, number: int) -> str:
    return game.players[number] if number >= 0 else ""


def _named(game: Game, name: str, word: str, short: str = "") -> Named:
    return Named(name, word, short=short, look=game.look.get(name, PLAIN))


def _resource(words: Words, name: str) -> Named:
    """A resource or a group."""
    found = _named(words.game, name, words.called("resource", name), words.items[name])
    return replace(found, forms=tuple(words.item(name, number) for number in ONE_OF_EACH_FORM))


def slots_of_values(game: Game) -> Iterator[tuple[int, Variable, str]]:
    """The slots of variables that are not of cards or spaces, with their variables and keys in a
    view.
    """
    domains = engine_of(game).code.domains
    for one in game.variables:
        if not (one.bits or one.is_hidden or isinstance(one.each, t.Card | t.Place)):
            for at, key in enumerate(domains.keys(one.each)):
                yield one.base + at, one, one.wording_key(key)

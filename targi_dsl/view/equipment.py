"""The equipment of a game in one language, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from targi_dsl.codegen import engine_of
from targi_dsl.ir import layout as drawn
from targi_dsl.ir import types as t
from targi_dsl.ir.declarations import CardInfo, FieldValue, Variable
from targi_dsl.ir.game import Game
from targi_dsl.view.looks import colour_of, look_of
from targi_dsl.view.shape import (
    Amount,
    Equipment,
    Face,
    Field,
    Item,
    Items,
    Look,
    Named,
    PieceInfo,
    PlaceInfo,
    PlayerPart,
    Table,
)
from targi_dsl.view.words import Words, letters

_kept = WeakKeyDictionary[Words, Equipment]()


def equipment(words: Words) -> Equipment:
    """Everything that the game is played with; the same object for the same words."""
    if words not in _kept:
        _kept[words] = _equipment(words)
    return _kept[words]


def _equipment(words: Words) -> Equipment:
    game, places = words.game, words.game.places
    regions = {place.region: number for number, place in enumerate(places) if not place.is_box}
    backs = {game.kinds[card.kind]: card.kind for card in game.cards if card.kind >= 0}
    seats = letters(words, {name: words.seat(name) for name in game.players})
    kinds = dict.fromkeys(piece.kind for piece in game.pieces)
    return Equipment(
        words.title,
        words.language.code,
        tuple(_named(game, name, words.seat(name), short=seats[name]) for name in game.players),
        tuple(_resource(words, name) for name in words.items),
        tuple(
            _named(game, name, words.word(name), short=short)
            for name, short in words.values.items()
        ),
        tuple(_named(game, name, words.region(number)) for name, number in regions.items()),
        tuple(_named(game, name, words.kind(number)) for name, number in backs.items()),
        tuple(_named(game, name, words.called("piece", name)) for name in kinds),
        {
            piece.name: PieceInfo(
                piece.name,
                piece.kind,
                words.piece(piece.kind, piece.owner),
                _player(game, piece.owner),
            )
            for piece in game.pieces
        },
        {
            place.name: PlaceInfo(
                place.name,
                place.region,
                words.place(number),
                words.own_place(number),
                words.addresses[number],
                _player(game, place.owner),
                place.is_zone,
                place.active,
            )
            for number, place in enumerate(places)
            if not place.is_box
        },
        {card.id: _face(words, number, card) for number, card in enumerate(game.cards)},
        tuple(_parts(game, game.layout)),
    )


def _player(game: Game, number: int) -> str:
    return game.players[number] if number >= 0 else ""


def _named(game: Game, name: str, said: str, one: str = "", short: str = "") -> Named:
    found = look_of(game, name)
    colour = colour_of(game, name)
    return Named(
        name, said, one, short, Look(found.symbol, found.letter, colour, found.shape, found.shows)
    )


def _resource(words: Words, name: str) -> Named:
    """A resource or a group."""
    return _named(words.game, name, words.item(name, 2), words.item(name, 1), words.items[name])


def _face(words: Words, number: int, card: CardInfo) -> Face:
    brief = words.brief(number)
    return Face(
        card.id,
        words.card(number),
        words.short(number),
        words.game.kinds[card.kind] if card.kind >= 0 else "",
        words.text(number),
        brief.marks,
        brief.effect,
        brief.power,
        tuple(_field(words, number, key, card) for key in card.fields),
    )


def _field(words: Words, number: int, key: str, card: CardInfo) -> Field:
    value = card.fields[key]
    parts = words.parts(value) if isinstance(value, str) else None
    text = tuple(one if isinstance(one, str) else Amount(one[1], one[0]) for one in parts or ())
    return Field(key, words.word(key), _said(words, number, value), text, key in card.prices)


def _said(words: Words, number: int, value: FieldValue) -> str:
    match value:
        case bool():
            return words.say("yes") if value else words.say("no")
        case int():
            return str(value)
        case tuple():
            return "+".join(map(words.word, value))
        case _ if value in words.values:
            return words.word(value)
        case _:
            return next(iter(words.in_brief(number, [value])), "")


def _parts(game: Game, parts: Iterable[object]) -> Iterator[Table | Items | PlayerPart]:
    name = [place.name for place in game.places]
    slots = {slot: key for slot, _, key in slots_of_values(game)}
    for part in parts:
        match part:
            case drawn.LayoutTable(rows, is_staggered, joins):
                ids = tuple(tuple(name[one] if one >= 0 else "" for one in row) for row in rows)
                lines = tuple(sorted((name[one], name[other]) for one, other in joins))
                yield Table(ids, is_staggered, lines)
            case drawn.LayoutLine(items):
                yield Items(tuple(_item(game, slots, one) for one in items))
            case drawn.LayoutPlayer(player, lines):
                inner = [one for one in _parts(game, lines) if not isinstance(one, PlayerPart)]
                yield PlayerPart(game.players[player], tuple(inner))


def _item(game: Game, slots: dict[int, str], item: drawn.LayoutItem) -> Item:
    match item.what:
        case "resource":
            names = [game.resources[one] for one in item.of]
        case "variable":
            names = [slots[one] for one in item.of]
        case "places":
            names = [game.places[one].name for one in item.of]
        case "pieces":
            names = [game.pieces[one].name for one in item.of]
    return Item(item.name, item.what, tuple(names))


def slots_of_values(game: Game) -> Iterator[tuple[int, Variable, str]]:
    """The slots of variables that are not of cards or spaces, each with its variable and key."""
    domains = engine_of(game).code.domains
    for one in game.variables:
        if not (one.bits or one.is_hidden or isinstance(one.each, t.Card | t.Place)):
            for at, key in enumerate(domains.keys(one.each)):
                yield one.base + at, one, one.wording_key(key)

"""States: positions as immutable values, equal across processes and small when pickled."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Sequence

from targi_dsl.api.position import Position
from targi_dsl.api.relabel import canonical_key
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Asked, Chance, Listed, Seed
from targi_dsl.engine.run import Run, Waiting
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import POINT

_WIDTHS = "bhiq"  # array codes of signed integers, narrowest first
_FINGERPRINT = 8  # bytes of the rules hash that say whose position it is

_new = object.__new__


class State:
    """A position and its chance. It never changes: `play` returns a new one.

    Two states are equal if their rules, positions and chance are equal, whichever process or load
    of the sheet they come from. Queries by name raise ValueError if the game has no such name.
    """

    __slots__ = (
        "_chance",
        "_engine",
        "_game",
        "_hash",
        "_ids",
        "_options",
        "_seat",
        "_vector",
        "_waiting",
    )

    def __init__(
        self,
        game: Game,
        vector: Sequence[int] | Waiting,
        chance: Chance,
        seat: str | None,
        options: Sequence[int] | None = None,
    ) -> None:
        self._game = game
        # Either form is computed from the other when it is first needed.
        self._waiting: Waiting | None = None
        self._vector: tuple[int, ...] | None = None
        if isinstance(vector, Waiting):
            self._waiting = vector
        else:
            self._vector = tuple(vector)
        self._chance = chance
        self._seat = seat
        self._options = options
        self._ids: tuple[str, ...] | None = None
        self._hash: int | None = None
        self._engine: Engine | None = None

    @classmethod
    def left(cls, engine: Engine, at: Waiting, run: Run) -> State:
        """The position at which an engine has left a run."""
        seat = engine.code.seats[at.point][at.frame[YOU]]
        state = cls(engine.game, at, run.after(), seat, run.options if seat else ())
        state._engine = engine
        return state

    def after(self, option: int) -> State:
        """The position at the next question after an option of the open one. This is done for each
        step, so the engine is looked up only once in a game, and nothing is made but the state and
        the run that it waits in.
        """
        engine = self._engine or engine_of(self._game)
        run = Run(self._chance)
        engine.turn(self._waiting or self.waiting, option, run)
        state = _new(State)  # `__init__` takes what has several forms
        state._game = self._game
        state._engine = engine
        state._waiting = run
        state._vector = state._ids = state._hash = None
        state._chance = run.chance if run.drawn is None else run.after()
        state._seat = seat = engine.code.seats[run.point][run.frame[YOU]]
        state._options = run.options if seat else ()
        return state

    @property
    def game(self) -> Game:
        """The rules of the game."""
        return self._game

    @property
    def vector(self) -> tuple[int, ...]:
        """The position in the engine's flat form; `position` interprets it."""
        if self._vector is None:
            self._vector = tuple(engine_of(self._game).packed(self.waiting))
        return self._vector

    @property
    def waiting(self) -> Waiting:
        """The position in the form that the engine continues from."""
        if self._waiting is None:
            self._waiting = engine_of(self._game).opened(self.vector)
        return self._waiting

    @property
    def position(self) -> Position:
        """The position, for queries by number."""
        return Position(self._game, self.vector)

    @property
    def chance(self) -> Chance:
        """The source of all further outcomes of chance."""
        return self._chance

    @property
    def seat(self) -> str | None:
        """Who decides next: a player's name, "chance", or None when the game is over."""
        return self._seat

    @property
    def options(self) -> tuple[int, ...]:
        """The engine's options of the open question, in order; none when the game is over."""
        if self._options is None:
            self._options = engine_of(self._game).options(list(self.vector))
        self._options = tuple(self._options)
        return self._options

    @property
    def option_ids(self) -> tuple[str, ...]:
        """The ids of the options, in order and distinct."""
        if self._ids is None:
            self._ids = option_ids(engine_of(self._game), self.vector, self.options)
        return self._ids

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or (
            self.vector == other.vector
            and self._chance == other._chance
            and _same_rules(self._game, other._game)
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.vector, self._chance))
        return self._hash

    def __repr__(self) -> str:
        return f"<State of {self._game.name}: {self._seat or 'over'}>"

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    def key(self) -> bytes:
        """A key for transposition tables: equal for positions that differ only in which of
        several interchangeable pieces or cards is where. Chance is not part of it.
        """
        return _packed(canonical_key(engine_of(self._game), self.vector))

    def with_chance(self, chance: Chance) -> State:
        """The same position with another source of chance."""
        vector = self._waiting or self.vector
        return State(self._game, vector, chance, self._seat, self._options)

    def to_bytes(self) -> bytes:
        """The position as bytes, for `from_bytes` in any process with the same rules. To save a
        game, use a record instead.
        """
        match self._chance:
            case Seed(number):
                chance = f"seed {number}"
            case Listed(outcomes, used):
                chance = "\n".join([f"listed {used}", *outcomes])
            case Asked():
                chance = "asked"
        text = f"{self._seat or ''}\n{chance}".encode()
        stack = self._game.slots.stack
        below, above = _packed(self.vector[:stack]), _packed(self.vector[stack:])
        lengths = array("I", [len(text), len(below)])
        _portable(lengths)
        return _fingerprint(self._game) + lengths.tobytes() + text + below + above

    @staticmethod
    def from_bytes(game: Game, data: bytes) -> State:
        """The position that `to_bytes` wrote. The bytes are trusted; ValueError if they are not
        of this game.
        """
        lengths = array("I")
        head = _FINGERPRINT + 2 * lengths.itemsize
        if data[:_FINGERPRINT] != _fingerprint(game) or len(data) < head:
            raise ValueError(f"not a position of {game.name}")
        lengths.frombytes(data[_FINGERPRINT:head])
        _portable(lengths)
        middle, top = head + lengths[0], head + lengths[0] + lengths[1]
        seat, chance, *outcomes = data[head:middle].decode().split("\n")
        vector = (*_unpacked(data[middle:top]), *_unpacked(data[top:]))
        if len(vector) < game.slots.stack or (seat and seat not in (*game.players, "chance")):
            raise ValueError(f"not a position of {game.name}")
        kind, _, number = chance.partition(" ")
        source: Chance = Asked()
        if kind != "asked":
            source = Seed(int(number)) if kind == "seed" else Listed(tuple(outcomes), int(number))
        return State(game, vector, source, seat or None)

    def amount(self, holder: str, resource: str) -> int:
        """How much of a resource a player has, or a space, a card or a pool holds; these are given
        by their names in `observe(...).describe()`. ValueError if there is no such holder.
        """
        game = self._game
        number = _number(game, "resource", resource, game.resources)
        if holder in game.players:
            return self.position.amount(number, game.players.index(holder))
        keys = engine_of(game).code.domains.keys
        for info in game.variables:
            names = keys(info.each) if info.each else (info.pool,)
            if info.holds == resource and holder in names:
                return self.vector[info.base + names.index(holder)]
        raise ValueError(f"no player `{holder}` in {game.name}, and nothing else with {resource}")

    def cards(self, place: str) -> tuple[str, ...]:
        """The ids of the cards on a place, top to bottom."""
        game = self._game
        return tuple(
            game.cards[card].id for card in self.position.cards_on(place_number(game, place))
        )

    def pieces(self, place: str) -> tuple[str, ...]:
        """The names of the pieces on a place."""
        game = self._game
        return tuple(
            game.pieces[piece].name for piece in self.position.pieces_on(place_number(game, place))
        )

    def place_of(self, name: str) -> str | None:
        """The name of the place of a card (by id) or a piece (by name), or None if it has none."""
        game, pieces = self._game, [piece.name for piece in self._game.pieces]
        if name in pieces:
            place = self.position.place_of_piece(pieces.index(name))
        else:
            ids = [card.id for card in game.cards]
            place = self.position.place_of_card(_number(game, "card or piece", name, ids))
        return None if place < 0 else game.places[place].name

    def face_up(self, card: str) -> bool:
        """Whether a card is face up."""
        return self.position.is_face_up(_card(self._game, card))

    def knows(self, player: str, card: str) -> bool:
        """Whether a player knows a card."""
        game = self._game
        seat = _number(game, "player", player, game.players)
        return self.position.is_known(_card(game, card), seat)

    def value(self, variable: str, of: str | int = 0) -> int:
        """The value of a variable: a number; 0 and 1 for no and yes; for anything else its number
        from 0 in the order in which the rules name it, and -1 for nothing
        (`observe(...).describe()` has names instead). of: the name or number of what the value
        belongs to. ValueError if there is no such variable or thing.
        """
        game = self._game
        names = [known.name for known in game.variables]
        info = game.variables[_number(game, "variable", variable, names)]
        if isinstance(of, str):
            things = engine_of(game).code.domains.keys(info.each)
            of = _number(game, f"{variable} of", of, things)
        if not 0 <= of < info.count:
            raise ValueError(f"{variable} of {game.name} is for {info.count}, from 0: not {of}")
        return self.vector[info.base + of]

    @property
    def point(self) -> int:
        """The number of the point at which the position waits, or NOTHING."""
        return self.vector[POINT]


def _same_rules(first: Game, other: Game) -> bool:
    return first is other or (first.hash != "" and first.hash == other.hash)


def _fingerprint(game: Game) -> bytes:
    return game.hash.encode()[-_FINGERPRINT:].ljust(_FINGERPRINT)


def _packed(numbers: Sequence[int]) -> bytes:
    """Numbers as bytes: an array type code, then the numbers in the smallest width that fits."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    for code in _WIDTHS:
        limit = 1 << 8 * array(code).itemsize - 1
        if -limit <= low and high < limit:
            break
    packed = array(code, numbers)
    _portable(packed)
    return code.encode() + packed.tobytes()


def _unpacked(data: bytes) -> array[int]:
    packed = array(data[:1].decode())
    packed.frombytes(data[1:])
    _portable(packed)
    return packed


def _portable(numbers: array[int]) -> None:
    """Converts an array between this machine's byte order and little-endian."""
    if sys.byteorder == "big":
        numbers.byteswap()


def option_ids(engine: Engine, v: Sequence[int], options: Sequence[int]) -> tuple[str, ...]:
    """The ids of the options of the open question; repeated ids are numbered."""
    seen = Counter[str]()
    ids = []
    for name in engine.names(v, options):
        seen[name] += 1
        ids.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
    return tuple(ids)


def place_number(game: Game, name: str) -> int:
    """The number of a place; ValueError if there is no such place."""
    return _number(game, "place", name, [place.name for place in game.places])


def _card(game: Game, card_id: str) -> int:
    return _number(game, "card", card_id, [card.id for card in game.cards])


def _number(game: Game, sort: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise ValueError(f"no {sort} `{name}` in {game.name}")
    return names.index(name)

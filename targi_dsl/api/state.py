"""States: positions as immutable values, equal across processes and small when pickled."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from targi_dsl.api.events import Recorder
from targi_dsl.api.position import Position
from targi_dsl.api.renumbering import canonical_key
from targi_dsl.codegen import engine_of
from targi_dsl.codegen.row import SEAT, chance_of, options_of, question_of, rounds_of
from targi_dsl.engine import Engine
from targi_dsl.engine.chance import Asked, Chance, Listed, Seed
from targi_dsl.engine.run import Counting, Waiting
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import POINT

if TYPE_CHECKING:
    from targi_dsl.codegen.c.rows import Rows

_WIDTHS = "bhiq"  # array codes of signed integers, narrowest first
_FINGERPRINT = 8  # bytes of the rules hash that identify the game

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
        "_rounds",
        "_row",
        "_seat",
        "_vector",
    )

    _chance: Chance | None
    _row: bytes | None  # the position in the form of generated C, which never leaves the process

    def __init__(
        self,
        game: Game,
        vector: Sequence[int] | None,
        chance: Chance | None,
        seat: str | None,
        options: tuple[int, ...] | None = None,
        row: bytes | None = None,
    ) -> None:
        self._game, self._engine = game, engine_of(game)
        # Either form is computed from the other when it is first needed.
        self._vector = None if vector is None else tuple(vector)
        self._row = row
        self._chance = chance
        self._seat = seat
        self._options = options
        self._ids: tuple[str, ...] | None = None
        self._hash: int | None = None
        self._rounds: int | None = 0

    @classmethod
    def from_run(cls, engine: Engine, left: Waiting, run: Counting) -> State:
        """The position at which the interpreter left a run."""
        seat = engine.code.asked_seat(left)
        options = tuple(run.options) if seat else ()
        state = cls(engine.game, engine.pack(left), run.after(), seat, options)
        state._rounds = run.rounds
        return state

    @classmethod
    def from_row(cls, game: Game, row: bytes, chance: Chance | None = None) -> State:
        """The position of a row of generated C, with its chance or another one."""
        state = cls(game, None, chance, engine_of(game).seats[row[SEAT]], None, row)
        state._rounds = None
        return state

    def after(self, option: int, recorder: Recorder | None = None) -> State:
        """The position at the next question after an option of the open one. It is called for each
        step, so a state is filled here rather than by `__init__`.
        """
        engine = self._engine
        rows = engine.compiled or engine.warmed(1)
        if rows is None or (row := self._row or self.row(rows)) is None:
            return self._interpreted(option, recorder)
        if recorder is None:
            after = rows.step(row, option)
        else:
            told: list[bytes] = []
            after = rows.step(row, option, told)
            recorder.read(told)
        if type(after) is not bytes:
            return engine.without_fault(after, self._interpreted(option, recorder))
        state = _new(State)
        state._game = self._game
        state._engine = engine
        state._row = after
        state._vector = state._chance = state._options = state._ids = state._hash = None
        state._rounds = None
        state._seat = engine.seats[after[SEAT]]
        return state

    def _interpreted(self, option: int, recorder: Recorder | None) -> State:
        engine, run = self._engine, Counting(self.chance, recorder)
        left = engine.answer(engine.open(self.vector), option, run)
        return State.from_run(engine, left, run)

    def row(self, rows: Rows) -> bytes | None:
        """The position as a row; None if C does not play on from it."""
        if self._row is None and not isinstance(self._chance, Listed):
            seed = self._chance.number if isinstance(self._chance, Seed) else None
            row = rows.enter(self.vector, seed)
            self._row = row if isinstance(row, bytes) else None
        return self._row

    def compiled(self) -> tuple[Rows, bytes] | None:
        """The verbs in C, and the position as a row; None if C does not play."""
        rows = self._engine.compiled
        row = None if rows is None else self._row or self.row(rows)
        return None if rows is None or row is None else (rows, row)

    @property
    def game(self) -> Game:
        """The rules of the game."""
        return self._game

    @property
    def vector(self) -> tuple[int, ...]:
        """The position in the engine's flat form; `position` interprets it."""
        if self._vector is None:
            assert self._row is not None and self._engine.rows is not None
            self._vector = self._engine.rows.vector(self._row)
        return self._vector

    @property
    def position(self) -> Position:
        """The position, for queries by number."""
        return Position(self._game, self.vector)

    @property
    def chance(self) -> Chance:
        """The source of all further outcomes of chance."""
        if self._chance is None:
            assert self._row is not None
            seed = chance_of(self._row)
            self._chance = Asked() if seed is None else Seed(seed)
        return self._chance

    @property
    def seat(self) -> str | None:
        """Who decides next: a player's name, "chance", or None when the game is over."""
        return self._seat

    @property
    def options(self) -> tuple[int, ...]:
        """The engine's options of the open question, in order; none when the game is over."""
        if self._options is None:
            row = self._row
            found = self._engine.options(list(self.vector)) if row is None else options_of(row)
            self._options = tuple(found)
        return self._options

    def knowing(self, card: int) -> int:
        """The mask of the players who know a card, without computing the whole vector."""
        if self._vector is None and self._row is not None:
            return self._engine.knowing(self._row, card)
        return self.position.knowing(card)

    @property
    def question(self) -> int:
        """The number of the open question, or NOTHING."""
        if self._row is not None:
            return question_of(self._row)
        point = self.point
        return NOTHING if point == NOTHING else self._game.program.points[point].question

    @property
    def rounds_begun(self) -> int:
        """How many rounds have begun in the step that led here."""
        if self._rounds is None and self._row is not None:
            self._rounds = rounds_of(self._row)
        return self._rounds or 0

    @property
    def option_ids(self) -> tuple[str, ...]:
        """The ids of the options, in order and distinct."""
        if self._ids is None:
            engine, options = self._engine, self.options
            ids = engine.known_ids(self.question, options) if options else []
            self._ids = number_ids(engine.names(self.vector, options) if ids is None else ids)
        return self._ids

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or (
            self.vector == other.vector
            and self.chance == other.chance
            and _same_rules(self._game, other._game)
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.vector, *astuple(self.chance)))
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
        if (compiled := self.compiled()) is not None:
            rows, row = compiled
            return rows.key(row)
        return _pack(canonical_key(self._engine, self.vector))

    def with_chance(self, chance: Chance) -> State:
        """The same position with another source of chance."""
        return State(self._game, self.vector, chance, self._seat, self._options)

    def to_bytes(self) -> bytes:
        """The position as bytes, for `from_bytes` in any process with the same rules. To save a
        game, use a record instead.
        """
        match self.chance:
            case Seed(number):
                chance = f"seed {number}"
            case Listed(outcomes, used):
                chance = "\n".join([f"listed {used}", *outcomes])
            case Asked():
                chance = "asked"
        text = f"{self._seat or ''}\n{chance}".encode()
        stack = self._game.slots.stack
        below, above = _pack(self.vector[:stack]), _pack(self.vector[stack:])
        lengths = array("I", [len(text), len(below)])
        _portable(lengths)
        return _fingerprint(self._game) + lengths.tobytes() + text + below + above

    @staticmethod
    def from_bytes(game: Game, data: bytes) -> State:
        """The position that `to_bytes` wrote. ValueError if the bytes are no position of this
        game, whatever they are.
        """
        lengths = array("I")
        head = _FINGERPRINT + 2 * lengths.itemsize
        if data[:_FINGERPRINT] != _fingerprint(game) or len(data) < head:
            raise ValueError(f"not a position of {game.name}")
        lengths.frombytes(data[_FINGERPRINT:head])
        _portable(lengths)
        middle, top = head + lengths[0], head + lengths[0] + lengths[1]
        seat, chance, *outcomes = data[head:middle].decode().split("\n")
        vector = (*_unpack(data[middle:top]), *_unpack(data[top:]))
        code = engine_of(game).code
        if not code.is_valid(vector) or (seat or None) != code.asked_seat(code.open(vector)):
            raise ValueError(f"not a position of {game.name}")
        kind, _, number = chance.partition(" ")
        source: Chance = Asked()
        if kind != "asked":
            if kind != "seed" and not 0 <= int(number) <= len(outcomes):
                raise ValueError(f"not a position of {game.name}")
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


def _pack(numbers: Sequence[int]) -> bytes:
    """Numbers as bytes: an array type code, then the numbers in the smallest width that fits."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    for code in _WIDTHS:
        limit = 1 << 8 * array(code).itemsize - 1
        if -limit <= low and high < limit:
            break
    packed = array(code, numbers)
    _portable(packed)
    return code.encode() + packed.tobytes()


def _unpack(data: bytes) -> array[int]:
    if data[:1] not in {code.encode() for code in _WIDTHS}:
        raise ValueError("no numbers")
    packed = array(data[:1].decode())
    packed.frombytes(data[1:])
    _portable(packed)
    return packed


def _portable(numbers: array[int]) -> None:
    """Converts an array between this machine's byte order and little-endian."""
    if sys.byteorder == "big":
        numbers.byteswap()


def number_ids(names: Sequence[str]) -> tuple[str, ...]:
    """The ids of options of these names; repeated ones are numbered."""
    if len(set(names)) == len(names):
        return tuple(names)
    seen = Counter[str]()
    ids = []
    for name in names:
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

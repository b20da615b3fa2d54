"""One position as text: written, and read back.

A position is written as what differs from the start: all cards where their deck lies, the last listed on top, pieces
off the board, amounts 0, variables as they start. One line for each thing; `#` begins a comment.

    position of GAME
    after setup                                  the position to which the setup leads, instead of the start
    day: 3                                       a variable; `visits of anna: 2` one of many
    anna: 2 grey, 1 twigs                        all that a player has
    shore: 1 frog of anna; 4 heron, frog of bert the spaces of a region, those that are named
    shore 1: frog of anna, raft                  the same for one space: pieces, and cards from the top
    hand of anna: den face up (known to bert)    a zone, cards from the top
    plan_pile: raft, rest                        `rest`: all other cards that lie here; `rest of plan_pile` those there
    nowhere: den.2, frog 1 of anna               out of the game, off the board
    stored 1 grey on den
    used raft 2 times                            the window of an ability; `used NAME by anna` if it is no card's
    remembered raft of anna                      what such an ability remembers of this period
    do hop by anna, then build by bert with den  what is done from here; then comes the next round
    ended by round                               the game is over, and by which rule

Without the last two a round begins. A card that is named lies there and nowhere else; cards that a line leaves no room
for go back under the cards where they started. A card lies face up or down and is known as the place has it, unless
`face up`, `face down`, `(known to anna)`, `(known only to anna)` or `(known to nobody)` is said. A piece of a kind is
the first that is free. What is in the middle of being done has a line for each rule, the outermost first, and the
address that waits; these numbers hold for one version of the rules:

    in round, back to 1: anna, 0, 2
    waits at 57
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NoReturn

from targi_dsl.chance import Chance, Seed
from targi_dsl.engine import Engine, Run, engine_of
from targi_dsl.engine.cards import lying, pile
from targi_dsl.engine.faults import STEPS
from targi_dsl.engine.statements import NEXT_ROUND
from targi_dsl.flow import flow_of
from targi_dsl.model import CHANCE, ENDED, FP, FRAME_HEAD, NOTHING, PC, YOU, Game, Price, Type
from targi_dsl.problems import WIDTH, Problem, Problems, did_you_mean
from targi_dsl.source import Source, Span
from targi_dsl.state import State

NOWHERE = "nowhere"
_FACES = {" face up": True, " face down": False}


def write(state: State) -> str:
    """The position as text; the chance that waits beside it is no part of it."""
    return "".join(f"{line}\n" for line in _Writer(state).lines())


def read(game: Game, text: str | Source, chance: Chance = Seed(0)) -> State:  # noqa: B008 -- a frozen value
    """The position of a text, with this chance; it goes on to its first decision. A setup takes its chance from there.

    Raises Problems: E650 a line that says nothing known, E651 unknown names, E652 impossible values, E653 things twice
    or left over, E654 rules to be done that cannot be; others if the rules cannot go on.
    """
    return _Reader(game, text if isinstance(text, Source) else Source("position", text), chance).state()


class _Known:
    """The things of a game by the names they have in a position."""

    def __init__(self, game: Game) -> None:
        self.game, self.engine = game, engine_of(game)
        names, slots = self.engine.code.names, game.slots
        self.cards = {card.id: number for number, card in enumerate(game.cards)}
        self.pieces = {piece.name: number for number, piece in enumerate(game.pieces)}
        self.places = {place.name: number for number, place in enumerate(game.places)}
        self.alike: dict[str, list[int]] = {}
        for number in range(len(game.pieces)):
            self.alike.setdefault(self.kind_of(number), []).append(number)
        self.regions: dict[str, dict[str, int]] = {}
        for number, place in enumerate(game.places):
            if not place.is_zone:
                whose = f" of {game.players[place.owner]}" if place.owner != NOTHING else ""
                self.regions.setdefault(place.region + whose, {})[names.places[number]] = number
        self.variables = dict(self._variables())
        self.windows = {}
        for one in game.abilities:
            if one.window != NOTHING and one.card != NOTHING:
                self.windows[one.name] = one.window
            elif one.window != NOTHING:
                self.windows |= {f"{one.name} by {who}": one.window + p for p, who in enumerate(game.players)}
        self.memories = {
            f"{game.abilities[one.ability].name} of {player}": one.memory + number
            for one in game.triggers
            if one.memory != NOTHING
            for number, player in enumerate(game.players)
        }
        kept = sorted({(one.slot, one.resource, one.ability) for terms in game.terms for one in terms.stored})
        self.stored = {
            f"{game.resources[resource]} on {game.cards[game.abilities[ability].card].id}": slot
            for slot, resource, ability in kept
        }
        self.amounts = {
            (player, resource): slots.amounts + r * len(game.players) + p
            for p, player in enumerate(game.players)
            for r, resource in enumerate(game.resources)
        }
        self.rules: dict[str, int] = {}
        for number, rule in enumerate(self.engine.code.rules):
            name = rule.name
            while name in self.rules:
                name += " again"
            self.rules[name] = number

    def kind_of(self, piece: int) -> str:
        """A piece by its kind and owner."""
        info = self.game.pieces[piece]
        return info.kind + (f" of {self.game.players[info.owner]}" if info.owner != NOTHING else "")

    def _variables(self) -> Iterator[tuple[str, tuple[int, Type, int]]]:
        """Name, slot, type and start of every variable."""
        game = self.game
        values = dict(game.values)
        for one in game.variables:
            keys: Iterable[str]
            if not one.each:
                keys = [""]
            elif one.each == "player":
                keys = game.players
            elif one.each in values:
                keys = values[one.each]
            elif one.each in game.kinds:
                kind = game.kinds.index(one.each)
                keys = [card.id for card in game.cards if card.kind == kind]
            else:
                pieces = [piece.name for piece in game.pieces if piece.kind == one.each]
                keys = pieces or [place.name for place in game.places if place.region == one.each]
            for number, key in enumerate(keys):
                yield f"{one.name} of {key}" if key else one.name, (one.base + number, one.type, one.start)

    def worded(self, kind: Type, value: int) -> str:
        """A value of this type; as `number N` what is none."""
        if kind.kind in ("number", "price"):
            return str(value)
        if value == NOTHING:
            return "nothing"
        names = self.values(kind)
        return names[value] if 0 <= value < len(names) else f"number {value}"

    def values(self, kind: Type) -> list[str]:
        """What all values of a type are called, by number; nothing for numbers."""
        game = self.game
        match kind.kind:
            case "player":
                return list(game.players)
            case "resource":
                return [*game.resources, *(name for name, _ in game.groups)]
            case "place":
                return list(self.places)
            case "card":
                return list(self.cards)
            case "piece":
                return list(self.pieces)
            case "value":
                return list(dict(game.values)[kind.of])
            case "truth":
                return ["no", "yes"]
            case _:
                return []


# ---- writing ---------------------------------------------------------------------------------------------------------


class _Writer:
    def __init__(self, state: State) -> None:
        self.state, self.game, self.v = state, state.game, state.vector
        self.known = _Known(state.game)
        self.code = self.known.engine.code
        self.generic = {
            kind for kind, pieces in self.known.alike.items() if self._in_order(pieces)
        }  # kinds whose pieces need no number

    def lines(self) -> Iterator[str]:
        known, v = self.known, self.v
        yield f"position of {self.game.name}"
        for name, (slot, kind, start) in known.variables.items():
            if v[slot] != start:
                yield f"{name}: {known.worded(kind, v[slot])}"
        for player in self.game.players:
            has = [f"{v[known.amounts[player, one]]} {one}" for one in self.game.resources]
            if has := [one for one in has if not one.startswith("0 ")]:
                yield f"{player}: {', '.join(has)}"
        yield from self._regions()
        for name, slot in known.stored.items():
            if v[slot]:
                yield f"stored {v[slot]} {name}"
        for name, slot in known.windows.items():
            if v[slot]:
                yield f"used {name}" + (f" {v[slot]} times" if v[slot] > 1 else "")
        for name, slot in known.memories.items():
            if v[slot]:
                yield f"remembered {name}"
        yield from self._control()

    def _regions(self) -> Iterator[str]:
        """Spaces by region, zones one by one."""
        for region, spaces in self.known.regions.items():
            if found := [f"{name} {', '.join(on)}" for name, place in spaces.items() if (on := self._on(place))]:
                yield f"{region}: {'; '.join(found)}"
        for number, place in enumerate(self.game.places):
            if place.is_zone and (on := self._on(number)):
                yield f"{place.name}: {', '.join(on)}"
        slots = self.game.slots
        lost = [card for card, number in self.known.cards.items() if self.v[slots.card_place + number] == NOTHING]
        if lost:
            yield f"{NOWHERE}: {', '.join(lost)}"

    def _on(self, place: int) -> list[str]:
        base = self.game.slots.piece_place
        pieces = [
            self.known.kind_of(number) if self.known.kind_of(number) in self.generic else name
            for name, number in self.known.pieces.items()
            if self.v[base + number] == place
        ]
        return [*self._cards(place), *pieces]

    def _in_order(self, pieces: list[int]) -> bool:
        """Whether the pieces on the board are the first ones, met in their order."""
        base = self.game.slots.piece_place
        met = sorted((self.v[base + one], one) for one in pieces if self.v[base + one] != NOTHING)
        return [one for _, one in met] == pieces[: len(met)]

    def _cards(self, place: int) -> list[str]:
        """The cards on a place, unless they are those that started there, as they lay, without those that have gone."""
        lie, known = lying(self.code, self.v, place), self.game.slots.card_known
        at, masks = self.game.slots.card_place, self.code.table.masks[place]
        began = [n for n in lying(self.code, self.known.engine.first, place) if self.v[at + n] == place]
        usual = self.game.places[place].facing == "up"
        if lie == began and all(self.v[known + card] == masks[usual] for card in lie):
            return []
        return [self.game.cards[card].id + self._seen(self.v[known + card], usual, masks) for card in lie]

    def _seen(self, seen: int, usual: bool, masks: tuple[int, int]) -> str:
        """How a card lies and who knows it, as far as it is not usual there."""
        up = bool(seen & 1)
        face = "" if up == usual else " face up" if up else " face down"
        who, expected = seen >> 1, masks[up] >> 1
        if who == expected:
            return face
        if not who:
            return f"{face} (known to nobody)"
        only = bool(expected & ~who)
        told = who if only else who & ~expected
        players = " and ".join(name for p, name in enumerate(self.game.players) if told >> p & 1)
        return f"{face} (known only to {players})" if only else f"{face} (known to {players})"

    def _control(self) -> Iterator[str]:
        v, names = self.v, list(self.known.rules)
        if v[ENDED] != NOTHING:
            yield f"ended by {names[v[ENDED]]}"
            return
        frames, fp = [], v[FP]
        while fp > 0:
            rule = v[fp - 1]
            slots = zip(self.code.rules[rule].slots, v[fp : fp + self.code.sizes[rule]], strict=True)
            words = ", ".join(self.known.worded(kind, value) for kind, value in slots)
            frames.append(f"in {names[rule]}, back to {v[fp - FRAME_HEAD]}: {words}")
            fp = v[fp - 2]
        yield from reversed(frames)
        yield f"waits at {v[PC]}"


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Words:
    """A part of the text, without blanks around it."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def span(self) -> Span:
        return self.source.span(self.start, self.end)

    def part(self, start: int, end: int) -> _Words:
        """A part of it by offsets in it."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        return _Words(self.source, self.start + start, self.start + start + len(text.strip()))

    def after(self, prefix: str) -> _Words:
        return self.part(len(prefix), len(self.text))

    def split(self, by: str) -> list[_Words]:
        found, at = [], 0
        for one in re.finditer(re.escape(by), self.text):
            found.append(self.part(at, one.start()))
            at = one.end()
        return [*found, self.part(at, len(self.text))]

    def cut(self, at: str) -> tuple[_Words, _Words | None]:
        """What stands before and after the first of these words."""
        place = self.text.find(at)
        if place < 0:
            return self, None
        return self.part(0, place), self.part(place + len(at), len(self.text))

    def fail(self, code: str, title: str, text: str, hint: str = "") -> NoReturn:
        raise Problems([Problem(code, title, self.span, text, hint)])

    def unknown(self, what: str, known: Iterable[str]) -> NoReturn:
        names = list(known)
        near, all_ = did_you_mean(self.text, names), ", ".join(names)
        hint = f"Did you mean `{near}`?" if near else f"There are: {all_}." if names and len(all_) < WIDTH else ""
        self.fail("E651", f"unknown {what} `{self.text}`", "Nothing in this game has that name.", hint)

    def number(self) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", self.text):
            self.fail("E652", f"`{self.text}` is no number", "A whole number stands here.")
        return int(self.text)


@dataclass(frozen=True, slots=True)
class _Lying:
    """A card that is said to lie somewhere; how, if that is said."""

    card: int
    words: _Words
    up: bool | None
    known: int | None  # who knows it, in the place of those who would, or in addition
    only: bool


@dataclass(slots=True)
class _Lines:
    """What the lines say, by kind."""

    after_setup: bool = False
    slots: dict[int, tuple[int, _Words]] = field(default_factory=dict)
    cards: dict[int, list[_Lying | tuple[int, _Words]]] = field(default_factory=dict)  # or the rest of that place
    pieces: list[tuple[int, _Words]] = field(default_factory=list)
    frames: list[tuple[_Words, int, int, list[int]]] = field(default_factory=list)
    waits: _Words | None = None
    ended: int = NOTHING
    calls: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)


class _Reader:
    def __init__(self, game: Game, source: Source, chance: Chance) -> None:
        self.game, self.source = game, source
        self.known = _Known(game)
        self.engine: Engine = self.known.engine
        self.code = self.engine.code
        self.run = Run(chance)
        self.said = _Lines()
        self.problems: list[Problem] = []

    def state(self) -> State:
        for found in re.finditer(r"[^\n]+", self.source.text):
            text = found[0].partition("#")[0]
            line = _Words(self.source, found.start(), found.start() + len(text)).part(0, len(text))
            if line.text:
                self._tried(partial(self._line, line))
        v = self._base()
        self._tried(lambda: self._lay_cards(v))
        self._tried(lambda: self._lay_pieces(v))
        for slot, (value, words) in self.said.slots.items():
            low, high = self.game.slots.lows[slot], self.game.slots.highs[slot]
            if not low <= value <= high:
                text = f"It may be from {low} to {high}."
                self.problems.append(Problem("E652", f"{value} is out of its range", words.span, text))
            v[slot] = value
        if self.problems:
            raise Problems(self.problems)
        self._go_on(v)
        seat = self.engine.seat(v)
        name = None if seat == NOTHING else "chance" if seat == CHANCE else self.game.players[seat]
        return State(self.game, v, self.run.after(), name)

    def _tried(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Problems as error:
            self.problems += error.problems

    # -- lines --

    def _line(self, line: _Words) -> None:
        text = line.text
        if text == "after setup":
            self.said.after_setup = True
        elif text.startswith("position of "):
            name = line.after("position of ")
            if name.text != self.game.name:
                name.fail("E650", f"a position of `{name.text}`", f"The game is `{self.game.name}`.")
        elif text.startswith("do "):
            self.said.calls += [self._call(one) for one in line.after("do ").split(", then ")]
        elif text.startswith("waits at "):
            self.said.waits = line.after("waits at ")
        elif text.startswith("ended by "):
            self.said.ended = self._one(line.after("ended by "), "rule", self.known.rules)
        elif text.startswith("stored "):
            self._stored(line.after("stored "))
        elif text.startswith("used "):
            self._used(line.after("used "))
        elif text.startswith("remembered "):
            name = line.after("remembered ")
            self._set(self._one(name, "memory", self.known.memories), 1, name)
        else:
            key, rest = line.cut(":")
            if rest is None:
                line.fail(
                    "E650", "this line says nothing known", "A line names a thing, a colon, and what is said of it."
                )
            if key.text.startswith("in ") and ", back to " in key.text:
                self._frame(key, rest)
            else:
                self._thing(key, rest)

    def _thing(self, key: _Words, rest: _Words) -> None:
        known, name = self.known, key.text
        if name in self.game.players:
            self._amounts(name, rest)
        elif name in known.variables:
            slot, kind, _ = known.variables[name]
            self._set(slot, self._value(kind, rest), rest)
        elif name in known.places:
            self._things(known.places[name], rest)
        elif name == NOWHERE:
            self._things(NOTHING, rest)
        elif name in known.regions:
            for one in rest.split(";"):
                space, things = one.cut(" ")
                if things is None:
                    one.fail(
                        "E650",
                        f"what lies on `{one.text}`?",
                        "A space is named, and what lies there.",
                        f"{one.text} nothing",
                    )
                self._things(self._one(space, "space", known.regions[name]), things)
        else:
            key.unknown("thing", [*known.variables, *known.regions, *known.places, *self.game.players, NOWHERE])

    def _one(self, words: _Words, what: str, known: dict[str, int]) -> int:
        if words.text not in known:
            words.unknown(what, known)
        return known[words.text]

    def _set(self, slot: int, value: int, words: _Words) -> None:
        if slot in self.said.slots:
            words.fail("E653", "this is said twice", "One line is enough for one thing.")
        self.said.slots[slot] = value, words

    def _amounts(self, player: str, rest: _Words) -> None:
        for one in rest.split(",") if rest.text != "nothing" else ():
            number, resource = one.cut(" ")
            if resource is None:
                one.fail(
                    "E650", "how much of what?", "An amount is a number and a resource.", f"2 {self.game.resources[0]}"
                )
            if resource.text not in self.game.resources:
                resource.unknown("resource", self.game.resources)
            self._set(self.known.amounts[player, resource.text], number.number(), one)
        for name in self.game.resources:
            self.said.slots.setdefault(self.known.amounts[player, name], (0, rest))

    def _stored(self, words: _Words) -> None:
        number, where = words.cut(" ")
        if where is None:
            words.fail("E650", "how much is stored, and where?", "stored 1 RESOURCE on CARD")
        self._set(self._one(where, "store", self.known.stored), number.number(), words)

    def _used(self, words: _Words) -> None:
        found = re.fullmatch(r"(.*) (\d{1,4}) times", words.text)
        name = words.part(0, found.end(1)) if found else words
        self._set(self._one(name, "ability that is used up", self.known.windows), int(found[2]) if found else 1, words)

    def _value(self, kind: Type, words: _Words) -> int:
        if words.text.startswith("number "):
            return words.after("number ").number()
        if kind.kind in ("number", "price"):
            return words.number()
        names = self.known.values(kind)
        if words.text == "nothing":
            return NOTHING
        if words.text not in names:
            words.unknown(kind.kind, names)
        return names.index(words.text)

    def _things(self, place: int, rest: _Words) -> None:
        """Cards and pieces that lie on a place."""
        cards: list[_Lying | tuple[int, _Words]] = []
        emptied = False
        for words in rest.split(","):
            text = words.text
            if text == "nothing":
                emptied = True
            elif text == "rest" or text.startswith("rest of "):
                source = self._one(words.after("rest of "), "place", self.known.places) if text != "rest" else place
                cards.append((source, words))
            elif text in self.known.pieces or text in self.known.alike:
                self.said.pieces.append((place, words))
            else:
                cards.append(self._lying(words))
        if cards or emptied:
            self.said.cards.setdefault(place, []).extend(cards)

    def _lying(self, words: _Words) -> _Lying:
        name, known, only = words, None, False
        if found := re.fullmatch(r"(?P<card>.*?) *\(known (?P<only>only )?to (?P<who>.*)\)", words.text):
            name, only = words.part(*found.span("card")), bool(found["only"]) or found["who"] == "nobody"
            who = [] if found["who"] == "nobody" else words.part(*found.span("who")).split(" and ")
            seats = {player: number for number, player in enumerate(self.game.players)}
            known = sum(2 << self._one(one, "player", seats) for one in who)
        up = None
        for face, way in _FACES.items():
            if name.text.endswith(face):
                name, up = name.part(0, len(name.text) - len(face)), way
        if name.text not in self.known.cards:
            name.unknown("card or piece", [*self.known.cards, *self.known.alike, "rest", "nothing"])
        return _Lying(self.known.cards[name.text], name, up, known, only)

    # -- rules to be done --

    def _call(self, words: _Words) -> tuple[int, int, tuple[int, ...]]:
        head, given = words.cut(" with ")
        name, by = head.cut(" by ")
        rule = self._one(name, "rule", self.known.rules)
        seats = {player: number for number, player in enumerate(self.game.players)}
        you = YOU if by is None else self._one(by, "player", seats)
        info = self.code.rules[rule]
        kinds = info.slots[1 : 1 + info.params]
        if given is None and rule in self.game.actions and kinds:
            return rule, you, self.code.carried(rule, self.game.actions.index(rule))
        values = given.split(",") if given is not None else []
        if len(values) != len(kinds):
            words.fail("E654", f"`{info.name}` is told {len(kinds)} things", f"Here are {len(values)}.")
        return rule, you, tuple(self._argument(kind, one) for kind, one in zip(kinds, values, strict=True))

    def _argument(self, kind: Type, words: _Words) -> int:
        text = words.text
        if kind.kind != "price" or re.fullmatch(r"(number )?-?\d+", text) or text == "nothing":
            return NOTHING if text == "nothing" else self._value(kind, words)
        if text.startswith("cost of "):
            card = self._one(words.after("cost of "), "card", self.known.cards)
            text = str(self.game.cards[card].fields.get("cost", ""))
        wanted = self._price(text.strip("{} "), words)
        found = [number for number, price in enumerate(self.game.prices) if price == wanted]
        if wanted.alternatives == ((),):
            return NOTHING
        if not found:
            words.fail("E654", "no such price", "A price can be one that stands in the rules or on a card.")
        return found[0]

    def _price(self, text: str, words: _Words) -> Price:
        """A price of plain amounts."""
        ways, _, bracket = text.partition("(plus ")
        extra, _, reward = bracket.rstrip(") ").partition(" for ")
        return Price(
            tuple(self._pairs(way, words) for way in ways.split(" or ")),
            self._pairs(extra, words),
            self._pairs(reward, words),
        )

    def _pairs(self, text: str, words: _Words) -> tuple[tuple[int, int], ...]:
        items = [*self.game.resources, *(name for name, _ in self.game.groups)]
        found: dict[int, int] = {}
        for one in text.split(" and ") if text.strip() else []:
            number, _, item = one.strip().partition(" ")
            if not number.isdecimal() or item not in items:
                words.fail("E652", f"`{one.strip()}` is no amount", "An amount is a number and a resource.")
            found[items.index(item)] = found.get(items.index(item), 0) + int(number)
        return tuple(sorted((item, number) for item, number in found.items() if number))

    def _frame(self, key: _Words, rest: _Words) -> None:
        name, back = key.after("in ").cut(", back to ")
        assert back is not None
        rule = self._one(name, "rule", self.known.rules)
        kinds, values = self.code.rules[rule].slots, rest.split(",")
        if len(values) != len(kinds):
            rest.fail("E654", f"`{name.text}` keeps {len(kinds)} things", f"Here are {len(values)}.")
        address = back.number()
        if not 0 <= address < len(self.code.steps):
            back.fail(
                "E654", f"no address {address}", "These rules do not reach so far; it is of another version of them."
            )
        found = [self._value(kind, one) for kind, one in zip(kinds, values, strict=True)]
        self.said.frames.append((key, rule, address, found))

    # -- the position --

    def _base(self) -> list[int]:
        """The position that the lines begin with; nothing is being done."""
        v = list(self.engine.first)
        if self.said.after_setup:
            run = self.run if isinstance(self.run.chance, Seed) else Run(Seed(0))
            pc = self.code.push(v, [(self.game.setup, YOU, ())], NEXT_ROUND)
            for _ in range(STEPS):
                if pc == NEXT_ROUND or pc < 0:
                    break
                pc = self.engine.steps[pc](v, run)
            if pc != NEXT_ROUND:
                text = "Its setup asks somebody something; say where everything lies without `after setup`."
                raise Problems([Problem("E654", f"`{self.game.name}` cannot be set up alone", None, text)])
        v[PC], v[FP] = NEXT_ROUND, 0
        return v

    def _lay_cards(self, v: list[int]) -> None:
        said = self.said.cards
        named = self._named()
        left = {
            place: [card for card in lying(self.code, v, place) if card not in named]
            for place in range(len(self.game.places))
        }
        rests = {one[0] for on in said.values() for one in on if isinstance(one, tuple)}
        for place in said:
            if place != NOTHING and place not in rests:
                self._send_home(v, place, left)
        laid = dict(left) | {place: list[int]() for place in said}
        for place, on in said.items():
            for one in on:
                if isinstance(one, _Lying):
                    laid[place].append(one.card)
                    v[self.game.slots.card_known + one.card] = self._seen(place, one)
                    continue
                source = one[0]
                laid[place] += left[source]
                if source != place:
                    laid[source] = [card for card in laid[source] if card not in left[source]]
                    for card in left[source]:
                        v[self.game.slots.card_known + card] = self._mask(place, None)
                left[source] = []
        for card in laid.pop(NOTHING, []):
            v[self.game.slots.card_place + card] = v[self.game.slots.card_next + card] = NOTHING
        for place, cards in laid.items():
            pile(self.code, v, place, cards)

    def _named(self) -> set[int]:
        """The cards that lines name, each once."""
        named = set[int]()
        for on in self.said.cards.values():
            for one in on:
                if isinstance(one, _Lying):
                    if one.card in named:
                        one.words.fail("E653", f"`{one.words.text}` lies in two places", "A card lies in one place.")
                    named.add(one.card)
        return named

    def _send_home(self, v: list[int], place: int, left: dict[int, list[int]]) -> None:
        """Puts what a line leaves no room for under the cards where it started."""
        gone, left[place] = left[place], []
        for card in gone:
            home = self.game.cards[card].start
            if home in self.said.cards and not any(isinstance(one, tuple) for one in self.said.cards[home]):
                name = self.game.places[home].name
                words = next((one.words for one in self.said.cards[home] if isinstance(one, _Lying)), None)
                text = f"The line of {name} leaves no place for {self.game.cards[card].id}."
                hint = f"Add `rest`, or say where the `rest of {name}` lies."
                span = words.span if words is not None else None
                raise Problems([Problem("E653", "a card is left over", span, text, hint)])
            left[home].append(card)
            v[self.game.slots.card_known + card] = self._mask(home, None)

    def _mask(self, place: int, up: bool | None) -> int:
        if place == NOTHING:
            return 0
        usual = self.game.places[place].facing == "up"
        return self.code.table.masks[place][usual if up is None else up]

    def _seen(self, place: int, one: _Lying) -> int:
        seen = self._mask(place, one.up)
        if one.known is None:
            return seen
        return (seen & 1 if one.only else seen) | one.known

    def _lay_pieces(self, v: list[int]) -> None:
        base, free = self.game.slots.piece_place, {kind: list(all_) for kind, all_ in self.known.alike.items()}
        placed: set[int] = set()
        for by_name in (True, False):
            for place, words in self.said.pieces:
                text = words.text
                if (text in self.known.pieces) != by_name:
                    continue
                if by_name:
                    piece = self.known.pieces[text]
                else:
                    alike = [one for one in free[text] if one not in placed]
                    off = [one for one in alike if v[base + one] == NOTHING]
                    if not (off or alike):
                        words.fail("E653", f"no `{text}` is left", f"There are {len(free[text])}.")
                    piece = (off or alike)[0]
                if piece in placed:
                    words.fail("E653", f"`{text}` stands in two places", "Every piece stands in one place.")
                placed.add(piece)
                v[base + piece] = place

    def _go_on(self, v: list[int]) -> None:
        said = self.said
        if said.ended != NOTHING:
            v[ENDED], v[PC] = said.ended, 0
            return
        if said.frames or said.waits is not None:
            self._wait(v)
            return
        v[PC] = self.code.push(v, list(said.calls), NEXT_ROUND) if said.calls else NEXT_ROUND
        self.engine.advance(v, self.run)

    def _wait(self, v: list[int]) -> None:
        """In the middle of what is being done, where it waits for an answer."""
        said = self.said
        for _, rule, back, values in said.frames:
            v += (back, v[FP], rule, *values)
            v[FP] = len(v) - len(values)
        if said.waits is None or not said.frames:
            words = said.waits or said.frames[-1][0]
            words.fail("E654", "what is it that waits?", "Lines `in ...` and one `waits at ...` belong together.")
        address = said.waits.number()
        waiting = flow_of(self.engine).waiting.get(address)
        if waiting is None or waiting.rule != said.frames[-1][1]:
            said.waits.fail("E654", f"nothing waits at {address}", "It is of another version of the rules.")
        v[PC] = address

"""Reads the text of a position: its lines, and then the vector that they describe."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from msgspec import Struct, field

from targi_dsl.api.state import State
from targi_dsl.engine import Run
from targi_dsl.engine.chance import Chance, Seed
from targi_dsl.engine.run import cards_on, pile
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import CHANCE, NOTHING, YOU
from targi_dsl.ir.declarations import OUTCOMES, Amounts, Price
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import NEXT_ROUND, OVER
from targi_dsl.ir.slots import ENDED, POINT
from targi_dsl.records.notation.names import FACES, NOWHERE, Known, Words
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Span, Text
from targi_dsl.text.structs import Frozen

ANY = "any "
STOP = "stop"
REST_EMPTY = "rest nothing"
_KNOWN = re.compile(r"(?P<card>.*?) *\(known (?P<only>only )?to (?P<who>.*)\)")


class PlacedCard(Frozen):
    """A card on a place, or any of several copies, with its facing and knowledge if they are
    given.
    """

    copies: tuple[int, ...]
    words: Words
    up: bool | None
    known: int | None  # a mask of players: in addition to the default, or instead of it if `only`
    only: bool


class Lines(Struct):
    """The contents of the lines, by kind."""

    after_setup: bool = False
    slots: dict[int, tuple[int, Words]] = field(default_factory=dict)
    cards: dict[int, list[PlacedCard | tuple[int, Words]]] = field(
        default_factory=dict
    )  # or the rest of that place
    pieces: list[tuple[int, Words]] = field(default_factory=list)
    at: dict[int, Span] = field(default_factory=dict)  # the line of a place
    cleared: set[int] = field(default_factory=set)  # places without other pieces
    frames: list[tuple[Words, int, int, list[int]]] = field(default_factory=list)
    ended: int = NOTHING
    calls: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)
    behind: int = NEXT_ROUND  # the address after the calls


class Reader:
    """Parses the lines of a text into `lines`; collects `problems`."""

    def __init__(self, game: Game, source: Text) -> None:
        self.game, self.source = game, source
        self.known = Known(game)
        self.code = self.known.engine.code
        self.lines = Lines()
        self.problems: list[Problem] = []
        self.is_foreign = False
        self._lines: dict[str, Callable[[Words], None]] = {
            "position of ": self._game,
            "do ": self._calls,
            "ended by ": self._read_end,
            "secret ": self._secret,
            "stored ": self._read_stores,
            "used ": self._read_uses,
            "remembered ": self._remembered,
        }

    def read(self) -> None:
        """Parses all lines, unless they are of another game."""
        for match in re.finditer(r"[^\n]+", self.source.text):
            if self.is_foreign:
                return
            text = match[0].partition("#")[0]
            line = Words(self.source, match.start(), match.start() + len(text)).part(0, len(text))
            if line.text:
                self.attempt(partial(self._line, line))

    def attempt(self, step: Callable[[], None]) -> None:
        """Runs a step and collects its problems."""
        try:
            step()
        except Problems as error:
            self.problems += error.problems

    def _line(self, line: Words) -> None:
        if line.text == "after setup":
            self.lines.after_setup = True
            return
        is_thing = self.known.is_thing(line.text.partition(":")[0].rstrip())
        for prefix, read in self._lines.items():
            if line.text.startswith(prefix) and not is_thing:
                read(line.after(prefix))
                return
        text = "A line has a name, a colon, and what is true of it."
        key, rest = line.pair(":", "this line cannot be understood", text)
        is_frame = key.text.startswith("in ") and " at " in key.text
        (self._frame if is_frame else self._thing)(key, rest)

    def _game(self, name: Words) -> None:
        self.is_foreign = name.text != self.game.name
        if self.is_foreign:
            name.fail("E650", f"a position of `{name.text}`", f"The game is `{self.game.name}`.")

    def _calls(self, words: Words) -> None:
        calls = words.split(", then ")
        if len(calls) > 1 and calls[-1].text == STOP:
            self.lines.behind = OVER
            calls.pop()
        self.lines.calls += map(self._call, calls)

    def _read_end(self, words: Words) -> None:
        self.lines.ended = self._read_one(words, "rule", self.known.rules)

    def _remembered(self, name: Words) -> None:
        self._set(self._read_one(name, "memory", self.known.memories), 1, name)

    def _thing(self, key: Words, rest: Words) -> None:
        known, name = self.known, key.text
        if name in self.game.players:
            self._amounts(name, rest)
        elif name in known.variables:
            slot, kind, _ = known.variables[name]
            value = self._value(kind, rest)
            of = f"`{t.kind(kind)}`"
            if t.kind(kind) and value not in (NOTHING, *known.domains.of(kind).members):
                which = f"on {of}" if isinstance(kind, t.Place) else f"of the kind {of}"
                text = f"`{name}` holds only what is {which}."
                rest.fail("E652", f"this is not {which}", text)
            self._set(slot, value, rest)
        elif name in known.places:
            self._things(known.places[name], rest)
        elif name == NOWHERE:
            self._things(NOTHING, rest)
        elif name in known.regions:
            self._spaces(known.regions[name], rest)
        else:
            all_ = [*known.variables, *known.regions, *known.places, *self.game.players, NOWHERE]
            key.unknown("thing", all_)

    def _spaces(self, spaces: dict[str, int], rest: Words) -> None:
        """The spaces of a region with their contents; `rest nothing` empties the others."""
        self.lines.cleared |= set(spaces.values())
        named, others = set[int](), rest if rest.text == "nothing" else None
        for entry in rest.split(";") if others is None else ():
            title, hint = f"what lies on `{entry.text}`?", f"{entry.text} nothing"
            if entry.text == REST_EMPTY and "rest" not in spaces:
                others = entry.after("rest ")
                continue
            space, things = entry.pair(" ", title, "Name a space and what is on it.", hint)
            if space.text.endswith(","):
                text = "Name a space and what is on it, and put `;` before the next space."
                entry.fail("E650", f"what lies on `{space.text[:-1]}`?", text)
            named.add(place := self._read_one(space, "space", spaces))
            self._things(place, things)
        if others is not None:
            for place in spaces.values():
                if place not in named:
                    self._things(place, others)

    def _read_one(self, words: Words, what: str, known: dict[str, int]) -> int:
        if words.text not in known:
            words.unknown(what, known)
        return known[words.text]

    def _set(self, slot: int, value: int, words: Words) -> None:
        if slot in self.lines.slots:
            words.fail("E653", "this is given twice", "Write one line for each thing.")
        self.lines.slots[slot] = value, words

    def _amounts(self, player: str, rest: Words) -> None:
        text, hint = "This game has no resources.", f"{player}: nothing"
        if rest.text in OUTCOMES:
            text = "What has become of a player has a line of its own."
            hint = f"outcome of {player}: {rest.text}"
        elif self.game.resources:
            text, hint = "An amount is a number and a resource.", f"2 {self.game.resources[0]}"
        for amount in rest.split(",") if rest.text != "nothing" else ():
            number, resource = amount.pair(" ", "how much of what?", text, hint)
            name = self.game.item_of(resource.text)
            if name not in self.game.resources:
                resource.unknown("resource", self.game.resources)
            self._set(self.known.amounts[player, name], number.number(), amount)
        for name in self.game.resources:
            self.lines.slots.setdefault(self.known.amounts[player, name], (0, rest))

    def _secret(self, words: Words) -> None:
        number, name = words.pair(" ", "what is secret?", "secret 1 VARIABLE")
        self._set(self._read_one(name, "secret", self.known.secrets), number.number(), words)

    def _read_stores(self, words: Words) -> None:
        title, text = "how much is stored, and where?", "stored 1 RESOURCE on CARD"
        number, where = words.pair(" ", title, text)
        self._set(self._read_one(where, "store", self.known.stored), number.number(), words)

    def _read_uses(self, words: Words) -> None:
        match = re.fullmatch(r"(.*) (\d{1,4}) times", words.text)
        name = words.part(0, match.end(1)) if match else words
        slot = self._read_one(name, "ability that is used up", self.known.windows)
        self._set(slot, int(match[2]) if match else 1, words)

    def _value(self, kind: t.Type, words: Words) -> int:
        if words.text.startswith("number "):
            return words.after("number ").number()
        values = self.known.values(kind)
        if not values:
            return words.number()
        return NOTHING if words.text == "nothing" else self._read_one(words, kind.name, values)

    def _things(self, place: int, rest: Words) -> None:
        """The cards and pieces on a place."""
        cards: list[PlacedCard | tuple[int, Words]] = []
        emptied = False
        self.lines.cleared.add(place)
        for words in rest.split(","):
            text = words.text
            if text == "nothing":
                emptied = True
            elif text == "rest" or text.startswith("rest of "):
                of = words.after("rest of ")
                source = place if text == "rest" else self._read_one(of, "place", self.known.places)
                cards.append((source, words))
            elif text in self.known.pieces or text in self.known.alike:
                self.lines.pieces.append((place, words))
            else:
                cards.append(self._placed_card(words))
        self.lines.at[place] = rest.span
        if cards or emptied:
            self.lines.cards.setdefault(place, []).extend(cards)

    def _placed_card(self, words: Words) -> PlacedCard:
        name, known, only = words, None, False
        if match := _KNOWN.fullmatch(words.text):
            nobody, name = match["who"] == "nobody", words.part(*match.span("card"))
            who = [] if nobody else words.part(*match.span("who")).split(" and ")
            only = nobody or bool(match["only"])
            known = sum(2 << self._read_one(player, "player", self.known.seats) for player in who)
        up = None
        for face, way in FACES.items():
            if name.text.endswith(face):
                name, up = name.part(0, len(name.text) - len(face)), way
        return PlacedCard(self._copies(name), name, up, known, only)

    def _copies(self, name: Words) -> tuple[int, ...]:
        """The named card, or all equal ones for `any CARD`."""
        if any_ := name.text.startswith(ANY):
            name = name.after(ANY)
        if name.text not in self.known.cards:
            name.unknown("card or piece", [*self.known.cards, *self.known.alike, "rest", "nothing"])
        card, cards = self.known.cards[name.text], self.game.program.cards
        same = (number for number, one in enumerate(cards) if one.same == cards[card].same)
        return (*same,) if any_ else (card,)

    def mask(self, place: int, up: bool | None) -> int:
        """The facing and knowledge of a card on a place, with this or the default facing."""
        if place == NOTHING:
            return 0
        usual = self.game.places[place].facing == "up"
        return self.code.mask(place, usual if up is None else up)

    def seen(self, place: int, entry: PlacedCard) -> int:
        """The facing and knowledge of a card as its line says."""
        seen = self.mask(place, entry.up)
        if entry.known is None:
            return seen
        return (seen & 1 if entry.only else seen) | entry.known

    # -- rules in progress --

    def _call(self, words: Words) -> tuple[int, int, tuple[int, ...]]:
        head, arguments = words.partition(" with ")
        name, by = head.partition(" by ")
        rule = self._read_one(name, "rule", self.known.rules)
        you = YOU if by is None else self._read_one(by, "player", self.known.seats)
        info = self.code.program.procedures[rule]
        kinds = info.arguments
        if arguments is None and rule in self.game.actions and kinds:
            return rule, you, self.code.carried(rule, self.game.actions.index(rule))
        values = arguments.split(",") if arguments is not None else []
        if len(values) != len(kinds):
            title = f"`{info.name}` is told {len(kinds)} things"
            words.fail("E654", title, f"Here are {len(values)}.")
        return rule, you, tuple(map(self._argument, kinds, values))

    def _argument(self, kind: t.Type, words: Words) -> int:
        text = words.text
        if text == "nothing":
            return NOTHING
        if not isinstance(kind, t.Price) or re.fullmatch(r"(number )?-?\d+", text):
            return self._value(kind, words)
        field, of, _ = text.partition(" of ")
        if of and any(field in card.fields for card in self.game.cards):
            card = self._read_one(words.after(field + of), "card", self.known.cards)
            text = str(self.game.cards[card].fields.get(field, ""))
        wanted = self._price(text.strip("{} "), words)
        numbers = [number for number, price in enumerate(self.game.prices) if price == wanted]
        if wanted.alternatives == ((),):
            return NOTHING
        if not numbers:
            words.fail("E654", "no such price", "A price must be one of the rules or of a card.")
        return numbers[0]

    def _price(self, text: str, words: Words) -> Price:
        """A price of plain amounts."""
        ways, _, bracket = text.partition("(plus ")
        extra, _, reward = bracket.rstrip(") ").partition(" for ")
        return Price(
            tuple(self._pairs(way, words) for way in ways.split(" or ")),
            self._pairs(extra, words),
            self._pairs(reward, words),
        )

    def _pairs(self, text: str, words: Words) -> Amounts:
        items = [*self.game.resources, *(name for name, _ in self.game.groups)]
        amounts: dict[int, int] = {}
        for amount in text.split(" and ") if text.strip() else []:
            number, _, word = amount.strip().partition(" ")
            item = self.game.item_of(word)
            if not number.isdecimal() or item not in items:
                title = f"`{amount.strip()}` is not an amount"
                words.fail("E652", title, "An amount is a number and a resource.")
            amounts[items.index(item)] = amounts.get(items.index(item), 0) + int(number)
        return tuple(sorted((item, number) for item, number in amounts.items() if number))

    def _frame(self, key: Words, rest: Words) -> None:
        """A rule in progress: its point, and the values it will read."""
        program, (name, label) = self.code.program, key.after("in ").partition(" at ")
        assert label is not None
        rule = self._read_one(name, "rule", self.known.rules)
        at = self.known.point(rule, label.text)
        if at is None:
            labels = [point.label for point in program.points if point.rule == rule]
            label.unknown("point of the rule", labels)
        kept, kinds = program.points[at].kept, program.procedures[rule].slots
        values = rest.split(",")
        if len(values) != len(kept):
            text = f"Here are {len(values)}."
            rest.fail("E654", f"`{name.text}` keeps {len(kept)} things there", text)
        slots = [0] * len(kinds)
        for slot, value in zip(kept, values, strict=True):
            slots[slot] = self._value(kinds[slot], value)
        self.lines.frames.append((key, rule, at, slots))


class Loader:
    """Builds the position of one text."""

    def __init__(self, game: Game, source: Text, chance: Chance) -> None:
        self.game, self.reader = game, Reader(game, source)
        self.known, self.lines = self.reader.known, self.reader.lines
        self.engine, self.code = self.known.engine, self.reader.code
        self.run = Run(chance)

    def state(self) -> State:
        """The position. Raises Problems with everything that is wrong."""
        self.reader.read()
        v, problems = self._base(), self.reader.problems
        self.reader.attempt(lambda: self._place_cards(v))
        self.reader.attempt(lambda: self._place_pieces(v))
        for slot, (value, words) in self.lines.slots.items():
            low, high = self.game.slots.lows[slot], self.game.slots.highs[slot]
            if not low <= value <= high:
                text = f"It must be from {low} to {high}."
                problems.append(Problem("E652", f"{value} is out of its range", words.span, text))
            v[slot] = value
        if problems:
            raise Problems(problems)
        v = self._play_on(v)
        seat = self.engine.seat(v)
        name = None if seat == NOTHING else "chance" if seat == CHANCE else self.game.players[seat]
        return State(self.game, v, self.run.after(), name)

    def _base(self) -> list[int]:
        """The position that the lines modify, with no rule in progress."""
        if self.lines.after_setup:
            run = self.run if isinstance(self.run.chance, Seed) else Run(Seed(0))
            run.ends_with_round = True
            self.engine.set_up(run)
            run.ends_with_round = False
            if run.point != NOTHING:
                title = f"`{self.game.name}` cannot be set up without a choice"
                text = "Its setup asks a player; write the whole position without `after setup`."
                raise Problems([Problem("E654", title, None, text)])
            return run.v
        return self.code.first()

    def _place_cards(self, v: list[int]) -> None:
        entries = self.lines.cards
        named = self._cards_named()
        taken = {*named.values()}
        left = {
            place: [card for card in cards_on(self.game.slots, v, place) if card not in taken]
            for place in range(len(self.game.places))
        }
        rests = {entry[0] for on in entries.values() for entry in on if isinstance(entry, tuple)}
        for place in entries:
            if place != NOTHING and place not in rests:
                self._send_home(v, place, left)
        stacks = dict(left) | {place: list[int]() for place in entries}
        for place, on in entries.items():
            for entry in on:
                if isinstance(entry, PlacedCard):
                    card = named[entry.words.start]
                    stacks[place].append(card)
                    v[self.game.slots.card_known + card] = self.reader.seen(place, entry)
                    continue
                source = entry[0]
                stacks[place] += left[source]
                if source != place:
                    stacks[source] = [card for card in stacks[source] if card not in left[source]]
                    for card in left[source]:
                        v[self.game.slots.card_known + card] = self.reader.mask(place, None)
                left[source] = []
        for card in stacks.pop(NOTHING, []):
            v[self.game.slots.card_place + card] = v[self.game.slots.card_next + card] = NOTHING
        for place, cards in stacks.items():
            pile(self.game.slots, v, place, cards)

    def _cards_named(self) -> dict[int, int]:
        """The cards that are named, each once, by where: of those of which any copy will do, the
        first that no other line names.
        """
        lines = self.lines.cards.values()
        entries = [entry for on in lines for entry in on if isinstance(entry, PlacedCard)]
        named, taken = dict[int, int](), set[int]()
        for entry in sorted(entries, key=lambda one: len(one.copies)):
            card = next((one for one in entry.copies if one not in taken), None)
            if card is None:
                title = f"`{entry.words.text}` is in two places"
                text = "A card can only be in one place."
                if len(entry.copies) > 1:
                    what = entry.words.text.removeprefix(ANY)
                    title = f"no `{what}` is left"
                    text = f"There are {len(entry.copies)} of them, and all are named."
                entry.words.fail("E653", title, text)
            taken.add(card)
            named[entry.words.start] = card
        return named

    def _send_home(self, v: list[int], place: int, left: dict[int, list[int]]) -> None:
        """Puts cards for which a line leaves no room at the bottom of the place where they
        started.
        """
        displaced, left[place] = left[place], []
        for card in displaced:
            home = self.game.cards[card].start
            on = self.lines.cards.get(home)
            if on is not None and all(isinstance(entry, PlacedCard) for entry in on):
                self._left_over(card, place, home)
            left[home].append(card)
            v[self.game.slots.card_known + card] = self.reader.mask(home, None)

    def _left_over(self, card: int, place: int, home: int) -> NoReturn:
        """Tells that a card has no place: it lay on one, and started in another."""
        from_, name = self.game.places[place].name, self.game.places[home].name
        text = f"The line of {name} leaves no place for {self.game.cards[card].id}"
        text += "." if place == home else f", which lay in {from_}."
        hint = f"Add `rest` to a line, or a line for the others: {NOWHERE}: rest of {from_}"
        raise Problems([Problem("E653", "a card is left over", self.lines.at[place], text, hint)])

    def _place_pieces(self, v: list[int]) -> None:
        base, free, placed = self.game.slots.piece_place, self.known.alike, set[int]()
        for piece in range(len(self.game.pieces)):
            if v[base + piece] in self.lines.cleared:
                v[base + piece] = NOTHING
        for by_name in (True, False):
            for place, words in self.lines.pieces:
                text = words.text
                if (text in self.known.pieces) != by_name:
                    continue
                if by_name:
                    piece = self.known.pieces[text]
                else:
                    alike = [candidate for candidate in free[text] if candidate not in placed]
                    off = [candidate for candidate in alike if v[base + candidate] == NOTHING]
                    if not (off or alike):
                        words.fail("E653", f"no `{text}` is left", f"There are {len(free[text])}.")
                    piece = (off or alike)[0]
                if piece in placed:
                    title = f"`{text}` is in two places"
                    words.fail("E653", title, "A piece can only be in one place.")
                placed.add(piece)
                v[base + piece] = place

    def _play_on(self, v: list[int]) -> list[int]:
        """Plays on until a decision, or to the end."""
        lines, engine = self.lines, self.engine
        if lines.ended != NOTHING:
            v[ENDED] = lines.ended
            return v
        if lines.frames:
            return self._in_progress(v)
        self.run.v = v
        self.run.clear()
        engine.advance(self.run, self.code.push(self.run, list(lines.calls), lines.behind))
        return engine.pack(self.run)

    def _in_progress(self, v: list[int]) -> list[int]:
        """The position amid the rules in progress."""
        points = self.code.program.points
        for number, (words, rule, at, values) in enumerate(self.lines.frames, 1):
            if (points[at].question != NOTHING) != (number == len(self.lines.frames)):
                text = (
                    "The last rule waits for an answer, each of the others for the rule below it."
                )
                words.fail("E654", "which rule is waiting?", text)
            v += (rule, at, *values)
            v[POINT] = at
        return v

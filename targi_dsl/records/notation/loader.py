"""Turns the lines of a position into a vector: cards, pieces, values, and the rules in progress."""

from __future__ import annotations

from targi_dsl.api.state import State
from targi_dsl.engine import Run
from targi_dsl.engine.cards import lying, pile
from targi_dsl.engine.chance import Chance, Seed
from targi_dsl.ir.constants import CHANCE, NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import NEXT_ROUND
from targi_dsl.ir.slots import ENDED, POINT
from targi_dsl.records.notation.lines import PlacedCard, Reader
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Source


class Loader:
    """Builds the position of one text."""

    def __init__(self, game: Game, source: Source, chance: Chance) -> None:
        self.game, self.reader = game, Reader(game, source)
        self.known, self.lines = self.reader.known, self.reader.lines
        self.engine, self.code = self.known.engine, self.reader.code
        self.run = Run(chance)

    def state(self) -> State:
        """The position. Raises Problems with everything that is wrong."""
        self.reader.read()
        v, problems = self._base(), self.reader.problems
        self.reader.tried(lambda: self._place_cards(v))
        self.reader.tried(lambda: self._place_pieces(v))
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
        v = list(self.engine.first)
        if self.lines.after_setup:
            run = self.run if isinstance(self.run.chance, Seed) else Run(Seed(0))
            run.ends_with_round = True
            v, waits = self.engine.set_up(run)
            run.ends_with_round = False
            if waits:
                text = "Its setup asks a player; write the whole position without `after setup`."
                raise Problems(
                    [
                        Problem(
                            "E654",
                            f"`{self.game.name}` cannot be set up without a choice",
                            None,
                            text,
                        )
                    ]
                )
        return v

    def _place_cards(self, v: list[int]) -> None:
        entries = self.lines.cards
        named = self._named()
        left = {
            place: [card for card in lying(self.game.slots, v, place) if card not in named]
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
                    stacks[place].append(entry.card)
                    v[self.game.slots.card_known + entry.card] = self._seen(place, entry)
                    continue
                source = entry[0]
                stacks[place] += left[source]
                if source != place:
                    stacks[source] = [card for card in stacks[source] if card not in left[source]]
                    for card in left[source]:
                        v[self.game.slots.card_known + card] = self._mask(place, None)
                left[source] = []
        for card in stacks.pop(NOTHING, []):
            v[self.game.slots.card_place + card] = v[self.game.slots.card_next + card] = NOTHING
        for place, cards in stacks.items():
            pile(self.game.slots, v, place, cards)

    def _named(self) -> set[int]:
        """The cards that are named, each once."""
        named = set[int]()
        for on in self.lines.cards.values():
            for entry in on:
                if isinstance(entry, PlacedCard):
                    if entry.card in named:
                        entry.words.fail(
                            "E653",
                            f"`{entry.words.text}` is in two places",
                            "A card can only be in one place.",
                        )
                    named.add(entry.card)
        return named

    def _send_home(self, v: list[int], place: int, left: dict[int, list[int]]) -> None:
        """Puts cards for which a line leaves no room at the bottom of the place where they
        started.
        """
        displaced, left[place] = left[place], []
        for card in displaced:
            home = self.game.cards[card].start
            if home in self.lines.cards and not any(
                isinstance(entry, tuple) for entry in self.lines.cards[home]
            ):
                name = self.game.places[home].name
                words = next(
                    (
                        entry.words
                        for entry in self.lines.cards[home]
                        if isinstance(entry, PlacedCard)
                    ),
                    None,
                )
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

    def _seen(self, place: int, entry: PlacedCard) -> int:
        seen = self._mask(place, entry.up)
        if entry.known is None:
            return seen
        return (seen & 1 if entry.only else seen) | entry.known

    def _place_pieces(self, v: list[int]) -> None:
        base, free = (
            self.game.slots.piece_place,
            {kind: list(all_) for kind, all_ in self.known.alike.items()},
        )
        placed: set[int] = set()
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
                    words.fail(
                        "E653", f"`{text}` is in two places", "A piece can only be in one place."
                    )
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
        self.run.clear()
        first = engine.frames.push(self.run, list(lines.calls), NEXT_ROUND)
        return engine.frames.pack(v, self.run, engine.advance(v, self.run, first))

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

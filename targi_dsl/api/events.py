"""What happened in a step, and what each seat may know of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from targi_dsl.api.actorless import rules_without_actor
from targi_dsl.api.clues import clue_of
from targi_dsl.api.naming import in_english
from targi_dsl.api.position import Position
from targi_dsl.codegen.row import event_of, told_as
from targi_dsl.engine import Engine
from targi_dsl.engine.run import RawEvent
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, EventKind
from targi_dsl.ir.game import Game
from targi_dsl.ir.statements import Binding
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.text.structs import Noted

_AMOUNTS = ("gain", "pay", "lose", "store")
"""Kinds of events that can show which card an amount came from."""

PUBLIC = "public"
"""The observer who knows only what all seats know."""


Kind = EventKind | Literal["choose", "offer", "amount", "out", "pass"]
"""The events of engines, and those that tables tell of: a choice, what a seat is asked, an amount
that a thing holds, and who is out, of the game or of turns.
"""


class Event(Noted):
    """Something that happened, described by names; "" for whatever an event of its kind does not
    have.

    kind: choose gain pay lose exchange store move piece turn reveal look tell shuffle refill set
    amount roll random do use round end. rule: the rule that caused it. seat: who did it, "" if
    nobody did. what: the resource, card, piece, variable, rule or ability, which went from
    `source` to `to`.
    card: the id of the card that moves, or of the card the amount came from. For `set`, `to` is the
    thing the variable belongs to, and `source` is its new value unless that is a number that
    everybody may know. For `tell`, it is card `number` of the place `to`, and `source` is what
    everybody now knows of it. For `amount`, `to` is the space, card or pool that holds the
    resource, and `number` what it holds now.

    known_to: None, or the seats that know the card that the event names; `seen_by` returns the
    event as another seat sees it.
    """

    notes = (
        "card",
        "known_to",
        "secrets",
    )
    kind: Kind
    rule: str
    seat: str
    what: str
    number: int = 0
    source: str = ""
    to: str = ""
    card: str = ""
    known_to: tuple[str, ...] | None = None
    secrets: tuple[tuple[str, str], ...] = ()
    """The fields that name the card, each with its replacement for seats that do not know it."""

    @property
    def text(self) -> str:
        """The event in English, with the names of the rules."""
        return self.text_in(ENGLISH)

    def text_in(self, language: Language) -> str:
        """The event in words for people, with its names unchanged."""
        text = self._sentence(language)
        return f"{text} ({self.source})" if self.source and self.kind in _AMOUNTS else text

    def _sentence(self, language: Language) -> str:
        say, count = language.say, language.count
        seat, number, what, source, to = self.seat, self.number, self.what, self.source, self.to
        match self.kind:
            case "gain":
                return say("{seat} gains {number} {what}", seat=seat, number=number, what=what)
            case "pay":
                return say("{seat} pays {number} {what}", seat=seat, number=number, what=what)
            case "lose":
                return say("{seat} loses {number} {what}", seat=seat, number=number, what=what)
            case "store":
                return say("{seat} stores {number} {what}", seat=seat, number=number, what=what)
            case "move" | "piece":
                return self._journey(language)
            case "turn" if number:
                return say("{what} is turned face up", what=what)
            case "turn":
                return say("{what} is turned face down", what=what)
            case "reveal":
                return say("{what} is revealed", what=what)
            case "shuffle":
                one, many = "{to} is shuffled ({number} card)", "{to} is shuffled ({number} cards)"
                return count(one, many, number, to=to)
            case "refill":
                one = "{to} is refilled from {source} ({number} card)"
                many = "{to} is refilled from {source} ({number} cards)"
                return count(one, many, number, to=to, source=source)
            case "set" if to:
                return say("{what} of {to} is {value}", what=what, to=to, value=source or number)
            case "set":
                return say("{what} is {value}", what=what, value=source or number)
            case "amount":
                return say("{to} holds {number} {what}", to=to, number=number, what=what)
            case "roll" if seat:
                return say("{seat} rolls {number}", seat=seat, number=number)
            case "roll":
                return say("{number} is rolled", number=number)
            case "look":
                return say("{seat} looks at {what}", seat=seat, what=what)
            case "tell" if to:
                return (
                    say("{what}, {number} of {to}", what=what, number=number, to=to) + f": {source}"
                )
            case "tell":
                return f"{what}: {source}"
            case "random":
                return say("{what} is chosen at random", what=what)
            case "use":
                return say("{seat} uses {what}", seat=seat, what=what)
            case "out":
                return say("{seat} is out", seat=seat)
            case "pass":
                return say("{seat} passes", seat=seat)
            case "end":
                return say("the game ends")
            case _:
                return f"{seat}: {what}" if seat else what

    def _journey(self, language: Language) -> str:
        """Where a card or piece goes, or several of them."""
        what, source, to, number = self.what, self.source, self.to, max(self.number, 1)
        match bool(source), bool(to):
            case True, True:
                one = "{what} goes from {source} to {to}"
                many = "{what} go from {source} to {to}"
            case True, False:
                one = "{what} goes from {source} off the board"
                many = "{what} go from {source} off the board"
            case False, True:
                one, many = "{what} goes to {to}", "{what} go to {to}"
            case _:
                one, many = "{what} goes off the board", "{what} go off the board"
        return language.count(one, many, number, what=what, source=source, to=to)

    def seen_by(self, seat: str) -> Event:
        """The event as a seat may know it, according to what it knew at that moment; for "public",
        as a spectator may.
        """
        if self.known_to is None or seat in self.known_to:
            return self
        public = dict(self.secrets)
        return replace(
            self,
            rule=public.get("rule", self.rule),
            what=public.get("what", self.what),
            source=public.get("source", self.source),
            to=public.get("to", self.to),
            card="",
            known_to=None,
            secrets=(),
        )

    def data(self) -> dict[str, Any]:
        """The event as plain data for JSON. Call `seen_by` first for anybody who may not know
        everything.
        """
        fields = to_builtins(self)
        del fields["known_to"], fields["secrets"]
        return {**fields, "text": self.text}


class Recorder:
    """Records events by name, with who knew what at that moment. It is a listener to the
    interpreter, and reads the events of C afterwards.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine, self._events = engine, _events_of(engine)
        self.events: list[Event] = []

    def __call__(self, v: list[int], raw: RawEvent) -> None:
        """Records an event at its moment."""
        told = _KINDS.index(raw.kind), *raw[1:], *_moment(self._engine, v, raw)
        self.read([told_as(told)])

    def read(self, told: Iterable[bytes]) -> None:
        """Records events with their moments."""
        events, known = self.events, map(self._events.__getitem__, told)
        if not self._events.tells:
            events += known
            return
        for event in known:
            if event.kind == "tell":
                events.insert(_place_in(events, event), event)
            else:
                events.append(event)


_KINDS: tuple[EventKind, ...] = get_args(EventKind)
_GAMES = 16  # games whose events are cached,
_EVENTS = 10_000  # and at most so many of each, since most recur


class _Events(dict[bytes, Event]):
    """Events by name, by encoded event. tells: whether players may be told of cards."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.tells = any(variable.bits for variable in engine.game.variables)

    def __missing__(self, told: bytes) -> Event:
        if len(self) == _EVENTS:
            self.clear()
        kind, *numbers = event_of(told)
        event = self[told] = _event(
            self._engine, RawEvent(_KINDS[kind], *numbers[:6]), *numbers[6:]
        )
        return event


_events_of = lru_cache(_GAMES)(_Events)


def _moment(engine: Engine, v: list[int], raw: RawEvent) -> tuple[int, int, int]:
    """Facts at the moment of an event: the mask of the players who know all that it names, or -1;
    for a card that players are told about, its place and its depth there, from 1; and there, for a
    value, whether it is secret.
    """
    game, position, known, place, depth = engine.game, Position(engine.game, v), -1, NOTHING, 0
    for _, card in _cards(engine, raw):
        known &= position.knowing(card)
    if raw.kind == "set" and game.variables[raw.what].secret != NOTHING:
        depth = int(v[game.variables[raw.what].secret + raw.to] != 0)
        seeing = game.variables[raw.what].seeing(raw.to, len(game.players))
        known &= seeing if depth else -1
    if raw.kind == "tell":
        place = position.place_of_card(raw.what)
        lying = [] if place == NOTHING else [*position.cards_on(place)]
        depth = lying.index(raw.what) + 1 if lying else 0
    return known, place, depth


def _place_in(noted: list[Event], event: Event) -> int:
    """The index for a new event: the end, but events about cards are ordered by location."""
    at = len(noted)
    while event.kind == "tell" and at and noted[at - 1].kind == "tell":
        if (noted[at - 1].to, noted[at - 1].number) <= (event.to, event.number):
            break
        at -= 1
    return at


def rule_name(engine: Engine, rule: int) -> str:
    """The name of a rule as declared; "" for nothing."""
    return engine.program.procedures[rule].declared if rule != NOTHING else ""


def back_of(game: Game, card: int) -> str:
    """What an unknown card looks like: its kind."""
    return f"?{game.kinds[game.cards[card].kind]}"


def _event(engine: Engine, raw: RawEvent, known: int, lying: int, depth: int) -> Event:
    """An event by name, for all seats or for those in the mask `known`."""
    event, hidden = _event_by_name(engine, raw, lying, depth), dict[str, str]()
    players = engine.game.players
    seats = tuple(player for at, player in enumerate(players) if known < 0 or known >> at & 1)
    if len(seats) == len(players):
        return event
    hidden = {name: back_of(engine.game, card) for name, card in _cards(engine, raw)}
    if raw.kind == "use":
        hidden["rule"] = ""
    if raw.kind == "set" and depth:
        hidden["source"] = "?"
    return replace(event, known_to=seats, secrets=tuple(hidden.items()))


def _event_by_name(engine: Engine, raw: RawEvent, lying: int, depth: int) -> Event:
    """An event of the engine by name."""
    kind, rule, seat, what, number, source, to = raw
    game, domains = engine.game, engine.code.domains
    cards = domains.of(t.Card())

    def place(at: int) -> str:
        return "" if at == NOTHING else game.places[at].name

    thing, came, went, card = "", "", "", NOTHING
    shown: Kind = kind
    match kind:
        case "gain" | "pay" | "lose" | "store":
            thing, card = domains.item(what), source
            came = cards.word(source) if source != NOTHING else ""
        case "exchange":
            thing = engine.program.exchanges[what].id
        case "move" | "piece":
            thing = cards.word(what) if kind == "move" else game.pieces[what].name
            came, went, card = place(source), place(to), what if kind == "move" else NOTHING
        case "turn" | "reveal" | "look":
            thing, card = cards.word(what), what
        case "tell":
            came = clue_of(in_english(engine), game.variables[source], number)
            thing, card, number, went = cards.word(what), what, depth, place(lying)
        case "shuffle" | "refill":
            came, went = place(source), place(to)
        case "set":
            variable = game.variables[what]
            thing, went = variable.name, domains.keys(variable.each)[to]
            if variable.holds:
                shown, thing, went = "amount", variable.holds, went or variable.pool
            is_number = isinstance(variable.type, t.Number) and variable.secret == NOTHING
            is_place = isinstance(variable.type, t.Place)  # it is told with its region
            named = domains.of(t.PLACE if is_place else variable.type)
            came = "" if is_number else named.word(number)
            number = number if is_number else 0
        case "do" | "end" | "round":
            thing = rule_name(engine, what)
        case "random":
            choice = _random(engine, what)
            thing = domains.of(choice.type).word(number)
            number = 0
        case "use":
            thing = game.abilities[what].name
    card_id = game.cards[card].id if card != NOTHING else ""
    is_nobodys = shown in _NOBODYS or (shown in _ANYBODYS and rule in rules_without_actor(engine))
    doer = "" if is_nobodys or seat == NOTHING else game.players[seat]
    return Event(shown, rule_name(engine, rule), doer, thing, number, came, went, card_id)


def _random(engine: Engine, question: int) -> Binding:
    """What a question to chance chooses from."""
    (way,) = engine.program.questions[question].ways
    assert way.choice is not None
    return way.choice


_NOBODYS = ("round", "end", "shuffle", "refill", "random")
_ANYBODYS = ("move", "piece", "turn", "reveal", "tell", "set", "roll", "do")
"""Kinds of events that have an actor, if somebody carries out the rule."""


def _cards(engine: Engine, raw: RawEvent) -> Iterator[tuple[str, int]]:
    """The fields of an event that name a card."""
    game, (kind, _, _, what, number, source, to) = engine.game, raw
    match kind:
        case "move" | "turn" | "reveal" | "look" | "tell":
            yield "what", what
        case "gain" | "pay" | "store" if source != NOTHING:
            yield "source", source
        case "random" if isinstance(_random(engine, what).type, t.Card):
            yield "what", number
        case "use" if game.abilities[what].card != NOTHING:
            yield "what", game.abilities[what].card
        case "set":
            variable = game.variables[what]
            if isinstance(variable.type, t.Card) and number != NOTHING:
                yield "source", number
            if isinstance(variable.each, t.Card):
                yield "to", engine.code.domains.of(variable.each).members[to]

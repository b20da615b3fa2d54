"""News: the events of a step, as its listeners knew them at that time, as data and in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from msgspec.structs import replace

from targi_dsl.api import PUBLIC, Event
from targi_dsl.api.clues import clue_of
from targi_dsl.api.naming import in_english
from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.information.observation import HIDDEN, observe_together
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import places_of
from targi_dsl.records import Step
from targi_dsl.text.structs import Frozen
from targi_dsl.view import shape
from targi_dsl.view.offers import Answers, join_words
from targi_dsl.view.phrases import passed_by_turns, players_out
from targi_dsl.view.seen import Seen
from targi_dsl.view.words import Words

QUIET = ("do", "choose", "round")
"""Kinds of events that concern the rules, not the table."""

_SHOWN = ("move", "piece", "turn", "amount", "shuffle", "refill")
"""Kinds of events whose result is visible on the table."""

_GOING = ("move", "piece")
"""Kinds of events that move a thing."""

MOST_VIEWS = 64
"""The size of the cache of views. A step needs those of its two positions, which adjacent steps
share, and the news of a page are told in several lengths; a replay would otherwise keep all
positions of a game.
"""


def direct(events: Iterable[Event], shown: Collection[str]) -> list[Event]:
    """The events, with successive moves of a public card joined if it only passes through a place
    that is not shown.
    """
    found = list[Event]()
    stopped: dict[str, Event] = {}
    """The last move of each card to a place that is not shown."""
    for event in events:
        came = stopped.pop(event.card, None) if event.kind == "move" else None
        if event.kind == "move" and event.known_to is None:
            if came is not None:
                found.remove(came)
                event = replace(event, source=came.source)
            if event.to and event.to not in shown:
                stopped[event.card] = event
        found.append(event)
    return found


class Heard(Frozen):
    """An event as the listeners know it: by ids, and in words."""

    event: Event
    said: Event


class Teller:
    """Describes steps to some seats, together; without seats, to somebody who sees everything."""

    def __init__(self, known: Words, seats: tuple[str, ...]) -> None:
        self.words, self.seats = known, seats
        self._places = {place.name for place in known.game.places}
        of_spaces = (one for one in known.game.variables if one.is_of_spaces)
        self._of_spaces = {one.name: one for one in of_spaces if one.secret == NOTHING}
        secret = (one for one in known.game.variables if one.secret != NOTHING)
        self._nobodys = {one.name for one in secret if one.seen == "nobody"}
        self._view = lru_cache(MOST_VIEWS)(self._new_view)
        self._last: tuple[Seen, shape.Offer] | None = None

    def news(self, number: int, step: Step, later: Sequence[Step] = ()) -> shape.News:
        """A step as data. later: the following steps, which may reveal the chosen card."""
        is_told = not step.is_chance and not self._is_secret(step)
        acts_on = self._chosen(step, later).acts_on if is_told else ()
        happened = (
            shape.Happened(alike[0].event.kind, self._together(alike), tuple(self._refs(alike)))
            for alike in self._alike(self.events(step))
        )
        seat = step.before.seat or ""
        choice = self.choice_text(step, later) if not step.is_chance else ""
        return shape.News(number, seat, choice, acts_on, tuple(happened))

    def _refs(self, heard: Iterable[Heard]) -> Iterator[shape.Ref]:
        """References to the things in events, as far as the listeners know them."""
        for event in (one.event for one in heard):
            if event.card:
                yield shape.Ref("card", event.card)
            if event.kind == "piece":
                yield shape.Ref("piece", event.what)
            if event.kind in ("gain", "pay", "lose", "store"):
                yield shape.Ref("resource", event.what, number=event.number, of=event.seat)
            for name in (event.source, event.to):
                if name in self._places:
                    yield shape.Ref("place", name)

    def _is_secret(self, step: Step) -> bool:
        """Whether the choice is hidden from the listeners."""
        asked = engine_of(self.words.game).open_question(step.before.vector)
        return asked is not None and asked.secret and bool({*self.seats} - {step.before.seat})

    def choice_text(self, step: Step, later: Sequence[Step] = ()) -> str:
        """The choice in words; that it is hidden, if it was made in secret."""
        asked = engine_of(self.words.game).open_question(step.before.vector)
        if asked is not None and self._is_secret(step):
            return f"{self.words.answer(asked.ways[0].label)} {HIDDEN}"
        offer = self._chosen(step, later)
        return join_words(offer.label, offer.name)

    def _chosen(self, step: Step, later: Sequence[Step]) -> shape.Offer:
        """The choice as the listeners know it; cached for a step."""
        seen = self._known_before(step, later)
        if self._last is None or self._last[0] is not seen or self._last[1].id != step.choice.id:
            self._last = seen, Answers(seen).given(step.choice.id, step.choice.code)
        return self._last[1]

    def events(self, step: Step) -> Iterator[Heard]:
        """The events that are news, in words. Omitted is what the choice already says (a piece's
        move to the chosen place, an exchange). Amounts and values of spaces are reported once, with
        their final value; other variables only if the listeners learn the value. That what nobody
        sees is nothing again is no news.
        """
        chosen = "" if step.is_chance else self.choice_text(step)
        secrets = {*self._secrets(step.before)}
        last = {(one.what, one.to): one for one in step.events if self._is_value(step, one)}
        for event in direct(step.events, {*places_of(step.before.game.layout)}):
            is_said = (event.kind == "exchange" and event.what == step.choice.id) or (
                event.kind == "piece"
                and event.to
                and re.search(rf"{re.escape(self.words.thing_named(event.to))}\b", chosen)
            )
            if self._is_value(step, event):
                if at_last := last.pop((event.what, event.to), None):
                    yield self._event_in_words(step, at_last)
            elif event.kind == "set":
                value = event.what, event.to
                if not self._know(event):
                    secrets.add(value)
                elif value in secrets:
                    secrets.remove(value)
                    if event.source != "nothing" or event.what not in self._nobodys:
                        yield self._event_in_words(step, event)
            elif event.kind not in QUIET and not is_said:
                yield self._event_in_words(step, event)
        yield from self._gone(step)

    def is_visible(self, step: Step, event: Event) -> bool:
        """Whether the result of an event is visible on the table."""
        return event.kind in _SHOWN or self._is_value(step, event)

    def _is_value(self, step: Step, event: Event) -> bool:
        """Whether an event changes an amount, or a public value of a space."""
        variable = self._of_spaces.get(event.what)
        if event.kind != "set" or variable is None:
            return event.kind == "amount"
        slot = variable.base + self.words.domains.keys(variable.each).index(event.to)
        return bool(step.before.vector[slot] != step.after.vector[slot])

    def _gone(self, step: Step) -> Iterator[Heard]:
        """Events for players who go out of the game, or out of the turns in progress without being
        asked.
        """
        engine = engine_of(step.before.game)
        before, after = step.before.vector, step.after.vector
        out = {*players_out(engine, after)} - {*players_out(engine, before)}
        earlier = passed_by_turns(engine, before)
        now = passed_by_turns(engine, after).items()
        passed = set[str]().union(*({*seats} - {*earlier.get(one, ())} for one, seats in now))
        for seat in step.before.game.players:
            if seat in out:
                yield self._event_in_words(step, Event("out", "", seat, ""))
            if seat in passed and seat != step.before.seat:
                yield self._event_in_words(step, Event("pass", "", seat, ""))

    def reveals(self, step: Step, last: State) -> bool:
        """Whether the listeners learned something in this step that the table no longer shows."""
        return any(self.is_revealed(step, one, last) for one in self.events(step))

    def is_revealed(self, step: Step, heard: Heard, last: State) -> bool:
        """Whether an event told the listeners something new: a value, or the identity of a card, if
        the choice does not name it and it came from a player, or is gone or hidden again by now.
        """
        event, seats = heard.event, self.seats
        if event.kind == "set":
            return not self._is_value(step, event)
        if event.kind not in ("move", "turn", "reveal") or not event.card or event.known_to:
            return False
        came, went, now = (
            state.position.place_of_card(self.words.numbers[event.card])
            for state in (step.before, step.after, last)
        )
        is_gone = went != now or not all(last.knows(seat, event.card) for seat in seats)
        is_players = came != NOTHING and self.words.game.places[came].owner != NOTHING
        is_new = not all(step.before.knows(seat, event.card) for seat in seats)
        is_named = re.search(rf"\b{re.escape(heard.said.what)}\b", self.choice_text(step))
        return is_new and (is_gone or is_players) and not is_named

    def _secrets(self, state: State) -> Iterator[tuple[str, str]]:
        """The variables (name and key) whose value some listener does not know."""
        game, count = self.words.game, len(self.words.game.players)
        listeners = [game.players.index(seat) for seat in self.seats]
        for variable in game.variables:
            if variable.secret != NOTHING:
                for at, key in enumerate(self.words.domains.keys(variable.each)):
                    seeing = variable.seeing(at, count)
                    shown = all(seeing >> player & 1 for player in listeners)
                    if state.vector[variable.secret + at] and not shown:
                        yield variable.name, key

    def _event_in_words(self, step: Step, event: Event) -> Heard:
        """An event with the names of cards, as far as all listeners knew them at that time, or have
        learned since from a card that lay alone where it went. Of a card that was shown among
        others, say from a hand, they do not know when it came.
        """
        clue = self._told(step, event) if event.kind == "tell" else ""
        if not self._know(event):
            since = event.card and all(step.after.knows(seat, event.card) for seat in self.seats)
            is_told = since and all(_came_alone(step, one) for one in self._unseen(step, event))
            event = event if is_told else event.seen_by(PUBLIC)
        known = self.words.thing_named
        what, source = self._what(event), known(event.source)
        if clue:
            source = clue
        elif event.card:
            card = self.words.card(self.words.numbers[event.card])
            names_it = event.kind in ("move", "turn", "reveal")
            what, source = (card, source) if names_it else (what, card)
        named = replace(event, what=what, source=source, to=known(event.to))
        return Heard(event, replace(named, seat=self.words.seat(event.seat)))

    def _unseen(self, step: Step, event: Event) -> Iterator[Event]:
        """This event, and further moves of its card before the listeners knew it."""
        yield event
        later = step.events[step.events.index(event) + 1 :]
        moves = (one for one in later if one.kind == "move" and one.card == event.card)
        yield from takewhile(lambda one: not self._know(one), moves)

    def _what(self, event: Event) -> str:
        match event.kind:
            case "gain" | "pay" | "lose" | "store" | "amount":
                return self.words.item(event.what, event.number)
            case "exchange":
                return self.words.exchange(event.what)
            case "use":
                return self.words.ability(event.what)
            case _:
                return self.words.thing_named(event.what)

    def _told(self, step: Step, event: Event) -> str:
        """What a `tell` event says about a card: the value that it has, or does not have."""
        english = in_english(engine_of(self.words.game))
        for record in (one for one in self.words.game.variables if one.bits):
            slot = record.base + self.words.numbers[event.card]
            before, now = step.before.vector[slot], step.after.vector[slot]
            if now != before and clue_of(english, record, now) == event.source:
                is_found = (record.high ^ now).bit_count() == 1
                return clue_of(self.words, record, now if is_found else now & ~before)
        return event.source  # the clue has been lost since, as the card was hidden

    def _known_before(self, step: Step, later: Sequence[Step]) -> Seen:
        """The listeners' view before the step, with cards that they have learned since: in the
        step, or when a card that lay alone was shown.
        """
        before, after = self._view(step.before, frozenset()), self._view(step.after, frozenset())
        shown = {event.card for event in step.events if self._know(event)}
        moved = {event.card for one in later for event in one.events if event.kind == "move"}

        def is_learned(card: int) -> bool:
            id_ = self.words.game.cards[card].id
            is_known = id_ in shown or after.knows(card)
            return is_known or (id_ in moved and self._is_shown(card, step, later))

        learned = frozenset(filter(is_learned, before.observation.unknown))
        return self._view(step.before, learned)

    def _new_view(self, state: State, learned: frozenset[int]) -> Seen:
        """The listeners' view of a position, with cards that they have learned since."""
        return Seen(observe_together(state, self.seats, learned), self.words)

    def _know(self, event: Event) -> bool:
        """Whether the listeners knew the card of an event at that time."""
        return event.known_to is None or {*self.seats} <= {*event.known_to}

    def _is_shown(self, card: int, step: Step, later: Sequence[Step]) -> bool:
        """Whether a card that lies alone and does not move is later shown by leaving its place."""
        id_ = self.words.game.cards[card].id
        place = step.after.position.place_of_card(card)
        for one in later:
            if place == NOTHING or [*one.before.position.cards_on(place)] != [card]:
                return False
            if any(event.kind == "move" and event.card == id_ for event in one.events):
                return all(one.after.knows(seat, id_) for seat in self.seats)
        return False

    def in_words(self, events: Iterable[Heard]) -> Iterator[str]:
        """Events in words: equal moves are combined, repetitions at once are counted."""
        yield from map(self._together, self._alike(events))

    def _alike(self, events: Iterable[Heard]) -> list[list[Heard]]:
        """Groups of events that are described together."""
        groups: list[list[Heard]] = []
        group_of: dict[tuple[str, ...], int] = {}
        moved: dict[str, int] = {}
        """The group in which a thing moved last; a later move must not join an earlier group."""
        for one in events:
            event, is_going = one.said, one.said.kind in _GOING
            text = event.text_in(self.words.language)
            is_joined = is_going or event.kind == "tell"
            way = (event.kind, event.source, event.to) if is_joined else (text,)
            thing = event.card if event.kind == "move" else event.what
            since = moved.get(thing, -1) if is_going else -1 if is_joined else len(groups) - 1
            if way not in group_of or since > group_of[way]:
                group_of[way] = len(groups)
                groups.append([])
            groups[group_of[way]].append(one)
            if is_going and thing:
                moved[thing] = group_of[way]
        return groups

    def _together(self, alike: list[Heard]) -> str:
        first, number = alike[0].said, len(alike)
        if first.kind == "tell" and first.to:
            one, many = "card {numbers} of {to}", "cards {numbers} of {to}"
            numbers = ", ".join(str(each.said.number) for each in alike)
            cards = self.words.count(one, many, number, numbers=numbers, to=first.to)
            return self.words.language.labelled(cards, first.source)
        things = Counter(one.said.what for one in alike)
        if len(things) > 1:
            what = ", ".join(f"{many} {one}" if many > 1 else one for one, many in things.items())
            return replace(first, what=what, number=number).text_in(self.words.language)
        event, text = first.text_in(self.words.language), "{event} ({number} times)"
        return self.words.say(text, event=event, number=number) if number > 1 else event


def _came_alone(step: Step, event: Event) -> bool:
    """Whether a card moved to a place where no other card was as long as it stayed."""
    if event.kind != "move" or not event.to:
        return False
    lying = {*step.before.cards(event.to)}
    for one in step.events:
        if one.kind == "move" and one.source == event.to:
            lying.discard(one.card)
        if one.kind == "move" and one.to == event.to:
            lying.add(one.card)
        if event.card in lying and len(lying) > 1:
            return False
    return True

"""The choices of a viewer in words, with what they act on, lead to and cost; and answers that are
not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress

from msgspec.structs import replace

from targi_dsl.api.naming import amounts_dealt
from targi_dsl.api.state import number_ids
from targi_dsl.engine.options import unpack
from targi_dsl.explain.answers import elements
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Question, Way
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.languages import message
from targi_dsl.view.phrases import Phrases
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Amount, Offer

_EXCHANGE = message("exchange")
_Answer = tuple[Way | None, int]
"""An alternative of a question and the chosen element; no alternative for chance, a payment or an
exchange.
"""


def join_words(label: str, thing: str) -> str:
    """An action and its object; a word that ends the one and begins the other is not repeated."""
    first = thing.split(" ", 1)[0]
    rest = thing.removeprefix(first).strip() if label.endswith(f" {first}") else thing
    return f"{label} {rest}".strip()


def _noted(offer: Offer, note: str) -> Offer:
    """An answer with a note, inside its parentheses if it ends with some."""

    def noted(text: str) -> str:
        return f"{text[:-1]}; {note})" if text.endswith(")") else f"{text} ({note})"

    if not note:
        return offer
    if not offer.thing:
        return replace(offer, label=noted(offer.label))
    return replace(offer, thing=noted(offer.thing), name=noted(offer.name))


def _numbers(label: str, ids: Iterable[str]) -> Iterator[int]:
    """The numbers in ids with this label."""
    rests = (id_.removeprefix(label).strip() for id_ in ids if id_.startswith(label))
    return (int(rest) for rest in rests if rest.isdecimal())


def _paid(text: str) -> tuple[Amount, ...]:
    """The payment in an answer that is named after its amounts."""
    paid, gained = amounts_dealt(text)
    is_payment = bool(gained) or text.startswith("pay ")
    return tuple(Amount(*one) for one in paid) if is_payment else ()


class Answers:
    """The answers to the open question of an observation, in words."""

    def __init__(self, seen: Seen) -> None:
        self.seen, self.phrases = seen, Phrases(seen)
        self.engine, self.asked = self.phrases.engine, self.phrases.asked

    def offers(self) -> tuple[Offer, ...]:
        """The viewer's choices. Choices of cards that read alike get a note that distinguishes
        them: where the card lies, who else knows it.
        """
        found = [self.offer(id_, *answer) for id_, answer in self._offered()]
        alike: dict[str, list[Offer]] = {}
        for one in found:
            alike.setdefault(join_words(one.label, one.thing), []).append(one)
        notes = {one.id: note for each in alike.values() for one, note in self._told_apart(each)}
        return tuple(_noted(one, notes.get(one.id, "")) for one in found)

    def _told_apart(self, alike: list[Offer]) -> Iterator[tuple[Offer, str]]:
        notes = [self._place_and_others(one) for one in alike] if len(alike) > 1 else []
        differ = [len({*each}) > 1 for each in zip(*notes, strict=True)]
        for offer, note in zip(alike, notes, strict=False):
            yield offer, "; ".join(filter(None, compress(note, differ)))

    def _place_and_others(self, offer: Offer) -> tuple[str, str]:
        """Where the cards of an answer lie, and who else knows those that lie face down."""
        seen, words, position = self.seen, self.seen.words, self.seen.observation.position
        cards = [words.numbers[one.id] for one in offer.acts_on if one.sort == "card"]
        places = (words.place(at) for at in map(seen.place_of, cards) if at != NOTHING)
        down = (one for one in cards if not position.is_face_up(one))
        known = (one for card in down for one in position.known_to(card) if one != seen.owner)
        seats = ", ".join(words.seat(seen.game.players[one]) for one in known)
        return ", ".join(places), words.say("known to {seats}", seats=seats) if seats else ""

    def barred(self) -> Iterator[Offer]:
        """The answers to the open question that are not offered, including free exchanges and
        single units of a payment. One that reads like an offered one gets a note.
        """
        plain = [*self.seen.words.exchanges]
        if self.asked is not None and self.asked.bill is not None:
            plain += [f"pay {resource}" for resource in self.seen.game.resources]
        answers = [*((id_, None, NOTHING) for id_ in plain), *self._every(self.asked)]
        offered = {*self.seen.observation.choices}
        alike = {join_words(one.label, one.thing): one for one in self.offers()}
        for barred in (self.offer(*one) for one in answers if one[0] not in offered):
            other = alike.get(join_words(barred.label, barred.thing))
            notes = dict(self._told_apart([barred, other])) if other is not None else {}
            yield _noted(barred, notes.get(barred, ""))

    def elsewhere(self) -> Iterator[Offer]:
        """The answers to all other questions of the rules."""
        others = (one for one in self.engine.program.questions if one is not self.asked)
        yield from (self.offer(*one) for question in others for one in self._every(question))

    def given(self, id_: str, option: int) -> Offer:
        """The answer with this id and option number."""
        return self.offer(id_, *self._answer(option))

    # ---- answers by id ----

    def _offered(self) -> Iterator[tuple[str, _Answer]]:
        """The offered ids with their answers: from the options of the position as the viewer sees
        it, or by name if these differ.
        """
        ids, vector = self.seen.observation.choices, [*self.seen.observation.vector]
        try:
            options = self.engine.options(vector) if ids else []
            if number_ids(self.engine.names(vector, options)) == ids:
                yield from zip(ids, map(self._answer, options), strict=True)
                return
        except Problems:  # an observed position need not be reachable
            pass
        by_name = self._by_name(ids)
        for id_ in ids:
            name, _, number = id_.removesuffix(")").rpartition(" (")
            found = by_name.get(id_) or by_name.get(name, [(None, NOTHING)])
            at = int(number) - 1 if id_ not in by_name and number.isdecimal() else 0
            yield id_, found[min(at, len(found) - 1)]

    def _answer(self, option: int) -> _Answer:
        at, element = unpack(option)
        ways = self.asked.ways if self.asked is not None else ()
        return (ways[at], element) if at < len(ways) else (None, NOTHING)

    def _by_name(self, ids: Iterable[str]) -> dict[str, list[_Answer]]:
        """All answers to the open question by name; numbers are those in the ids."""
        found: dict[str, list[_Answer]] = {}
        for name, way, element in self._every(self.asked, ids):
            found.setdefault(name, []).append((way, element))
        return found

    def _every(
        self, question: Question | None, ids: Iterable[str] | None = None
    ) -> Iterator[tuple[str, Way, int]]:
        """All answers to a question with their names; numbers are those in the ids, if given."""
        for way in question.ways if question is not None else ():
            if way.choice is None:
                yield way.label, way, NOTHING
                continue
            domain = self.engine.code.domains.of(way.choice.type)
            is_listed = ids is not None and isinstance(way.choice.type, t.Number)
            listed = _numbers(way.label, ids or ()) if is_listed else None
            for one in elements(self.engine, way.choice) if listed is None else listed:
                yield f"{way.label} {domain.name(one)}".strip(), way, one

    # ---- in words ----

    def offer(self, id_: str, way: Way | None, element: int) -> Offer:
        """An answer in words."""
        if way is None:
            return self._payment_or_outcome(id_)
        seen, words, worded = self.seen, self.seen.words, self.phrases.answer(way, element)
        kind = way.choice.type if way.choice is not None else None
        card, group = self._card_and_group(kind, element)
        is_hidden = isinstance(kind, t.Card) and not seen.knows(element)
        if kind is None or (worded.label and not worded.names_thing):
            what = name = ""
        elif is_hidden:  # only its back may be shown
            what = name = f"?{words.back(element)}"
        else:
            what, name = (seen.thing(kind, element, brief) for brief in (True, False))
        found = Offer(
            id_,
            worded.label or words.answer(way.label, worded.chosen),
            what,
            name,
            group=group,
            leads=worded.leads,
            pays=_paid(way.label),
            declines=way.declines,
        )
        if is_hidden:
            return found
        things = [(kind, element)] if kind is not None else []
        cards = (card, words.card_of(way.label))
        things += [(t.Card(), one) for one in cards if one != NOTHING]
        refs = dict.fromkeys(seen.refs(things))
        short = words.short(card) if card != NOTHING and seen.knows(card) else ""
        english = self.engine.code.domains.word(kind, element) if kind is not None else ""
        also = f"{way.label} {english}" if kind is not None else way.label
        return replace(found, short=short, acts_on=tuple(refs), also=also)

    def _card_and_group(self, kind: t.Type | None, element: int) -> tuple[int, str]:
        """The chosen card, or the top card on the chosen space, or NOTHING; and the sort of
        object.
        """
        words = self.seen.words
        match kind:
            case t.Card() if element != NOTHING:
                return element, words.back(element)
            case t.Place() if element != NOTHING:
                return next(self.seen.cards(element), NOTHING), words.region(element)
            case t.Value():
                return NOTHING, words.word(kind.name)
            case _:
                return NOTHING, ""

    def _payment_or_outcome(self, id_: str) -> Offer:
        """The offer of an id without an alternative: a free exchange, a payment, an outcome of
        chance.
        """
        words = self.seen.words
        if exchange := words.exchanges.get(id_):
            item = words.domains.item
            given = tuple(Amount(item(one), number) for one, number in exchange.give)
            what = words.exchange(id_).removeprefix(words.say(_EXCHANGE)).strip()
            label = words.say(_EXCHANGE) if what != words.exchange(id_) else ""
            return Offer(id_, label, what, what, pays=given, is_exchange=True)
        verb, _, what = id_.partition(" ")
        if verb == "pay" and what in self.seen.game.resources:  # unit by unit
            bill = self.asked.bill if self.asked is not None else None
            one_unit, say = words.amount(what, 1), words.say
            label = say("pay {amounts}", amounts=one_unit)
            if bill is not None and bill.is_loss:
                label = say("lose {amounts}", amounts=one_unit)
            return Offer(id_, label, pays=(Amount(what, 1),))
        return Offer(id_, words.deal(id_) or words.word(id_), pays=_paid(id_))

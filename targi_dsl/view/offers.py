"""The choices of the viewer in words, with what each acts on, leads to and costs; and the other
answers that a question could have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.api.naming import amounts_dealt
from targi_dsl.api.state import number_ids
from targi_dsl.engine.options import unpack
from targi_dsl.explain.answers import elements
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import Amounts
from targi_dsl.ir.program import Question, Way
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.languages import message
from targi_dsl.view.phrases import Phrases
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Amount, Lead, Offer, Ref

_EXCHANGE = message("exchange")
_Answer = tuple[Way | None, int]
"""An alternative of a question and the element chosen; none for chance, a payment, an exchange."""


def join_words(label: str, thing: str) -> str:
    """An action and its object in words; a region that ends the one and begins the other appears
    once.
    """
    first = thing.split(" ", 1)[0]
    rest = thing.removeprefix(first).strip() if label.endswith(f" {first}") else thing
    return f"{label} {rest}".strip()


def _numbers(label: str, ids: Iterable[str]) -> Iterator[int]:
    """The numbers in ids with this action."""
    rests = (id_.removeprefix(label).strip() for id_ in ids if id_.startswith(label))
    return (int(rest) for rest in rests if rest.isdecimal())


class Answers:
    """The answers to the open question of an observation."""

    def __init__(self, seen: Seen) -> None:
        self.seen, self.phrases = seen, Phrases(seen)
        self.engine, self.asked = self.phrases.engine, self.phrases.asked

    def offers(self) -> tuple[Offer, ...]:
        """What the viewer can choose now."""
        return tuple(self.offer(id_, *answer) for id_, answer in self._offered())

    def barred(self) -> Iterator[Offer]:
        """Every other answer that the open question could have, including free exchanges; for a
        payment, unit by unit.
        """
        plain = [one.id for one in self.engine.program.exchanges]
        if self.asked is not None and self.asked.bill is not None:
            plain += [f"pay {resource}" for resource in self.seen.game.resources]
        answers = [self.offer(id_, None, NOTHING) for id_ in plain]
        answers += self._of(self.asked) if self.asked is not None else ()
        offered = {*self.seen.observation.choices}
        yield from (one for one in answers if one.id not in offered)

    def elsewhere(self) -> Iterator[Offer]:
        """Every answer to the other questions of the rules."""
        for question in self.engine.program.questions:
            if question is not self.asked:
                yield from self._of(question)

    def named(self, id_: str) -> Offer:
        """The answer with this id, whoever is asked."""
        found = self._by_name((id_,)).get(id_, [(None, NOTHING)])
        return self.offer(id_, *found[0])

    # ---- which answer an id means ----

    def _offered(self) -> Iterator[tuple[str, _Answer]]:
        """The ids of the choices, each with its answer. They are found in the position as the
        viewer sees it; if other choices are offered there, by name.
        """
        ids, vector = self.seen.observation.choices, [*self.seen.observation.vector]
        try:
            options = self.engine.options(vector) if ids else []
            if number_ids(self.engine.names(vector, options)) == ids:
                yield from zip(ids, map(self._answer, options), strict=True)
                return
        except Problems:  # the position as seen need not be one that play comes to
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
        """Every answer that the open question could have, by its name; numbers as in these ids."""
        found: dict[str, list[_Answer]] = {}
        for way in self.asked.ways if self.asked is not None else ():
            for name, element in self._names(way, ids):
                found.setdefault(name, []).append((way, element))
        return found

    def _names(self, way: Way, ids: Iterable[str]) -> Iterator[tuple[str, int]]:
        if way.choice is None:
            yield way.label, NOTHING
            return
        domain = self.engine.code.domains.of(way.choice.type)
        numbers = _numbers(way.label, ids)
        is_number = isinstance(way.choice.type, t.Number)
        for one in numbers if is_number else elements(self.engine, way.choice):
            yield f"{way.label} {domain.name(one)}".strip(), one

    def _of(self, question: Question) -> Iterator[Offer]:
        for way in question.ways:
            if way.choice is None:
                yield self.offer(way.label, way, NOTHING)
                continue
            for element in elements(self.engine, way.choice):
                domain = self.engine.code.domains.of(way.choice.type)
                yield self.offer(f"{way.label} {domain.name(element)}", way, element)

    # ---- in words ----

    def offer(self, id_: str, way: Way | None, element: int) -> Offer:
        """An answer in words."""
        if way is None:
            return self._payment_or_outcome(id_)
        seen, told = self.seen, self.phrases.answer(way, element)
        label, kind = seen.words.answer(way.label), way.choice.type if way.choice else None
        is_hidden = isinstance(kind, t.Card) and not seen.knows(element)
        if kind is None or (told is not None and told.label and not told.names_thing):
            what = name = ""
        elif is_hidden:  # of such a card an answer tells its back alone
            what = name = f"?{seen.words.back(element)}"
        else:
            what, name = (seen.thing(kind, element, brief) for brief in (True, False))
        paid, gained = self._dealt(way.label)
        leads: tuple[Lead, ...] = told.leads if told is not None else ()
        return Offer(
            id_,
            told.label if told is not None and told.label else label,
            what,
            name,
            "" if is_hidden else self._short(kind, element),
            self._group(kind, element) if kind is not None else "",
            () if is_hidden else tuple(self._acts_on(way, kind, element)),
            leads,
            paid,
            gained,
            also="" if is_hidden else self._also(way, kind, element),
            declines=way.declines,
        )

    def _acts_on(self, way: Way, kind: t.Type | None, element: int) -> Iterator[Ref]:
        """What is chosen, the card on it, and the card whose ability is used."""
        ref = self.seen.ref(kind, element) if kind is not None else None
        yield from [ref] if ref is not None else ()
        cards = [*self.seen.cards(element)][:1] if isinstance(kind, t.Place) and ref else []
        if (card := self.seen.words.card_of(way.label)) != NOTHING:
            cards.append(card)
        yield from filter(None, (self.seen.ref(t.Card(), card) for card in cards))

    def _also(self, way: Way, kind: t.Type | None, element: int) -> str:
        """The English name of a choice, which can be typed too."""
        if kind is None:
            return way.label
        return f"{way.label} {self.engine.code.domains.word(kind, element)}"

    def _short(self, kind: t.Type | None, element: int) -> str:
        """The short name of the card that is chosen, or of the one on the chosen space."""
        match kind:
            case t.Card():
                card = element
            case t.Place() if element != NOTHING:
                card = next(self.seen.cards(element), NOTHING)
            case _:
                return ""
        return self.seen.words.short(card) if card != NOTHING and self.seen.knows(card) else ""

    def _group(self, kind: t.Type, element: int) -> str:
        match kind:
            case t.Place() if element != NOTHING:
                return self.seen.words.region(element)
            case t.Card() if element != NOTHING:
                return self.seen.words.back(element)
            case t.Value():
                return self.seen.words.word(kind.name)
            case _:
                return ""

    def _payment_or_outcome(self, id_: str) -> Offer:
        """A free exchange; a payment, as whole amounts or unit by unit; or an outcome of chance."""
        words, exchanges = self.seen.words, self.engine.program.exchanges
        exchange = next((one for one in exchanges if one.id == id_), None)
        if exchange is not None:
            given, taken = self._amounts(exchange.give), self._amounts(exchange.take)
            what = words.exchange(id_).removeprefix(words.say(_EXCHANGE)).strip()
            label = words.say(_EXCHANGE) if what != words.exchange(id_) else ""
            return Offer(id_, label, what, what, pays=given, gains=taken, is_exchange=True)
        paid, gained = self._dealt(id_)
        verb, _, what = id_.partition(" ")
        if verb == "pay" and what in self.seen.game.resources:  # unit by unit
            one_unit = words.say("pay {amounts}", amounts=words.amount(what, 1))
            return Offer(id_, one_unit, pays=(Amount(what, 1),))
        return Offer(id_, words.deal(id_) or words.word(id_), pays=paid, gains=gained)

    def _dealt(self, text: str) -> tuple[tuple[Amount, ...], tuple[Amount, ...]]:
        """What an answer that is named after amounts pays, and what it gains."""
        paid, gained = (tuple(Amount(*one) for one in amounts) for amounts in amounts_dealt(text))
        return (paid, gained) if gained or text.startswith("pay ") else ((), paid)

    def _amounts(self, pairs: Amounts) -> tuple[Amount, ...]:
        return tuple(Amount(self.seen.words.domains.item(item), n) for item, n in pairs)

"""Words for people, filled in with what the observers know of a position, and the rules in
progress.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from targi_dsl.api.naming import words_of
from targi_dsl.api.relabel import renumber
from targi_dsl.codegen import engine_of
from targi_dsl.display.screen import card_words
from targi_dsl.display.view import View
from targi_dsl.engine import Engine
from targi_dsl.engine.faults import Fault
from targi_dsl.engine.run import Frame
from targi_dsl.information.information_sets import shifted
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.program import Program, Way
from targi_dsl.ir.statements import Binding
from targi_dsl.ir.types import Type
from targi_dsl.ir.wordings import Blank, Phrase, Wording
from targi_dsl.text.structs import Frozen


class RuleInProgress(Frozen):
    """A rule and its frame; `known` holds the slots of its frame that it will still read."""

    program: Program
    rule: int
    frame: Frame
    known: frozenset[int]

    @property
    def name(self) -> str:
        """The declared name of the rule."""
        return self.program.procedures[self.rule].declared

    @property
    def arguments(self) -> Iterator[tuple[Type, int]]:
        """The arguments that it will still read, each with its type."""
        kinds = enumerate(self.program.procedures[self.rule].arguments, 1)
        return ((kind, self.frame[at]) for at, kind in kinds if at in self.known)


def rules_in_progress(engine: Engine, v: Sequence[int]) -> Iterator[RuleInProgress]:
    """The rules in progress, innermost first, with frames for `Engine.guards`."""
    at = engine.open(v)
    in_progress = [*(frame for frame, _, _ in at.stack[1:]), at.frame]
    entries = zip(engine.code.frames(v), in_progress, strict=True)
    for (_, rule, point), frame in reversed([*entries]):
        yield RuleInProgress(
            engine.program, rule, frame, frozenset(engine.program.points[point].live)
        )


_BLANK = re.compile(r"\{([^{}]*)\}")
_SHIFTS = (1, 7)
"""How far unknown cards are shifted to see whether a text depends on which they are."""
_PLURAL = re.compile(r"(\d+)([^\d.;:]*?)\(s\)")


class Told(Frozen):
    """An answer in words: its action, its object, and its effects, in full and with spaces only by
    their addresses.
    """

    label: str
    thing: str
    leads: tuple[str, ...]
    brief_leads: tuple[str, ...]


class Phrases:
    """Fills in words for people; words with an unknown value are left out."""

    def __init__(self, view: View, brief: bool = False) -> None:
        self.view, self.brief = view, brief
        self.engine = engine_of(view.game)
        self._others: list[tuple[Mapping[int, int], list[int]]] | None = None

    def answer(self, way: Way, element: int) -> Told | None:
        """The words of an answer to the open question; None if it has none or they are empty."""
        asked = self.engine.asked(self.view.seen.vector)
        if way.wording == NOTHING or asked is None or way not in asked.ways:
            return None
        wording = self.view.game.wordings[way.wording]
        here = self._asking_rule(way, element)
        both = [*self._leads(wording, here)]
        leads, brief = tuple(lead for lead, _ in both), tuple(lead for _, lead in both)
        if wording.phrase is None:
            return Told("", "", leads, brief)
        text, rest = self._unfilled_text(wording.phrase), ""
        if way.choice is not None and _ends_in_choice(wording.phrase, text, way.choice):
            text = text[: text.rindex("{")].rstrip()
            rest = thing(self.view, way.choice.type, element, self.brief)
        label = self._fill(wording, text, wording.phrase.blanks, here)
        return Told(label, rest, leads, brief) if label is not None else None

    def rule(self, here: RuleInProgress, bare: bool) -> str | None:
        """The words of a rule in progress; None if it has none, or they cannot be filled in. bare:
        spaces without the cards on them, and cards by name; otherwise a card that lies on no space
        has its cost and values, for it is nowhere else to be seen.
        """
        rules, wordings = self.view.game.rules, self.view.game.wordings
        at = rules[here.rule].wording if here.rule < len(rules) else NOTHING
        if at == NOTHING or (wording := wordings[at]).phrase is None:
            return None
        name = self._alone if bare else self._in_full
        return self._fill(
            wording, self._unfilled_text(wording.phrase), wording.phrase.blanks, here, name
        )

    def _unfilled_text(self, phrase: Phrase) -> str:
        """The text in the reader's language, with blanks unfilled."""
        return self.view.words.language.word(phrase.text)

    def _asking_rule(self, way: Way, element: int) -> RuleInProgress:
        """The rule that asks, as if this answer had been chosen."""
        here = next(rules_in_progress(self.engine, self.view.seen.vector))
        if way.choice is None:
            return here
        frame, slot = [*here.frame], way.choice.slot
        frame[slot] = element
        return replace(here, frame=frame, known=here.known | {slot})

    def _leads(self, wording: Wording, here: RuleInProgress) -> Iterator[tuple[str, str]]:
        """The effects that hold now, each in full and as briefly as possible."""
        for lead in wording.leads:
            holds = lead.condition is None or self._value(wording, lead.condition, here)
            text = self._fill(wording, self._unfilled_text(lead.phrase), lead.phrase.blanks, here)
            if holds and text:
                yield text, self._addresses(wording, lead.phrase.blanks, here) or text

    def _addresses(self, wording: Wording, blanks: Sequence[Blank], here: RuleInProgress) -> str:
        """The spaces that a phrase names; "" if it names anything else."""
        if not all(isinstance(t.element(blank.type), t.Place) for blank in blanks):
            return ""
        values = [self._value(wording, blank, here) for blank in blanks]
        places = [
            one for value in values for one in ([value] if isinstance(value, int) else value or ())
        ]
        if NOTHING in places:
            return ""
        return ", ".join(self.view.words.addresses[place] for place in places)

    def _fill(
        self,
        wording: Wording,
        text: str,
        blanks: Sequence[Blank],
        here: RuleInProgress,
        name: Callable[[t.Type, int], str] | None = None,
    ) -> str | None:
        said: dict[str, str] = {}
        for blank in blanks:
            value = self._value(wording, blank, here)
            if value is None:
                return None
            said[blank.written] = self._value_text(blank.type, value, name or self._name)
        filled = _BLANK.sub(lambda found: said[found[1]], text)
        return _PLURAL.sub(lambda found: found[1] + found[2] + "s" * (found[1] != "1"), filled)

    def _value(
        self, wording: Wording, blank: Blank, here: RuleInProgress
    ) -> int | Sequence[int] | None:
        if not here.known.issuperset(blank.reads):
            return None
        *slots, context = here.frame
        frame = [*slots, *[0] * (wording.slots - len(slots)), context]
        value = self.view.words.value(blank)
        try:
            found: int | Sequence[int] = value([*self.view.seen.vector], [*frame])
            if isinstance(t.element(blank.type), t.Card):
                return found
            others = (
                value([*vector], [*self._renumber(here.rule, slots, numbers), *frame[len(slots) :]])
                for numbers, vector in self._otherwise()
            )
            return found if all(other == found for other in others) else None
        except Fault:
            return None

    def _renumber(self, rule: int, slots: list[int], numbers: Mapping[int, int]) -> list[int]:
        """The slots of a rule's frame with its cards renumbered."""
        types = self.engine.program.procedures[rule].slots
        return [
            numbers.get(value, value) if isinstance(type_, t.Card) else value
            for value, type_ in zip(slots, types, strict=False)
        ]

    def _otherwise(self) -> list[tuple[Mapping[int, int], list[int]]]:
        """Positions that the observer cannot tell from this one, with the numbers that its cards
        have there: what differs between them must not be told.
        """
        if self._others is None:
            seen = self.view.seen
            found = [shifted(self.view.game, seen.unknown, by) for by in _SHIFTS]
            self._others = [
                (numbers, renumber(self.engine, seen.vector, numbers))
                for numbers in found
                if seen.unknown
            ]
        return self._others

    def _value_text(
        self, type_: t.Type, value: int | Sequence[int], name: Callable[[t.Type, int], str]
    ) -> str:
        if isinstance(value, int):
            return name(type_, value)
        *before, last = [self._name(t.element(type_), one) for one in value] or [""]
        names = self.view.words
        if before:
            return names.say("{others} and {last}", others=", ".join(before), last=last)
        return last or names.say("nothing")

    def _name(self, type_: t.Type, value: int) -> str:
        return thing(self.view, type_, value, False)

    def _alone(self, type_: t.Type, value: int) -> str:
        is_place = isinstance(type_, t.Place) and value != NOTHING
        return self.view.words.place(value) if is_place else self._name(type_, value)

    def _in_full(self, type_: t.Type, value: int) -> str:
        if isinstance(type_, t.Card) and value != NOTHING and self.view.knows(value):
            place = self.view.place_of(value)
            if place == NOTHING or self.view.game.places[place].is_zone:
                return card_words(self.view, value)
        return self._name(type_, value)


def _ends_in_choice(phrase: Phrase, text: str, choice: Binding) -> bool:
    """Whether the text of a phrase ends in what is chosen."""
    chosen = (one for one in phrase.blanks if one.value == e.Local(choice.slot))
    return any(text.endswith(f"{{{one.written}}}") for one in chosen)


def thing(view: View, kind: t.Type, element: int, brief: bool) -> str:
    """A thing as the observers know it; a space with the card on it."""
    called = card_words if brief else View.card
    match kind:
        case t.Card() if element != NOTHING:
            return called(view, element)
        case t.Place() if element != NOTHING:
            on = [called(view, card) for card in view.cards(element)][:1]
            if brief:
                held = view.amounts_on(t.Place, element)
                on += [view.words.amount(name, have) for have, name in held]
            is_own = view.game.places[element].owner == view.owner
            name = view.words.own_place if is_own else view.words.place
            return ": ".join([name(element), *on])
        case t.Price():
            return view.words.price(element)
        case _:
            return view.words.of(kind, element)


def words_in_progress(view: View) -> dict[str, str]:
    """The rules in progress, outermost first: by name, their words for people. For rules without
    words, English uses the name, and other languages have nothing.
    """
    names, phrases = view.words, Phrases(view)
    is_english = names.language.is_english
    doing = reversed([*rules_in_progress(engine_of(view.game), view.seen.vector)])
    said = {
        one.name: phrases.rule(one, bare=False)
        or names.action(one.name)
        or (words_of(one.name) if is_english else "")
        for one in doing
    }
    return {name: words for name, words in said.items() if words}

"""Fills in wordings with what an observer knows; the rules in progress, and players who are out of
them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from msgspec.structs import replace

from targi_dsl.api.renumbering import renumber
from targi_dsl.api.results import outcomes_of
from targi_dsl.codegen import engine_of
from targi_dsl.engine import Engine
from targi_dsl.engine.faults import Fault
from targi_dsl.engine.run import Frame
from targi_dsl.information.information_sets import shifted
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.declarations import OUT
from targi_dsl.ir.program import Program, Way
from targi_dsl.ir.statements import Binding, EachPlayer, TurnOf, Until
from targi_dsl.ir.types import Type
from targi_dsl.ir.wordings import Blank, Phrase, Wording
from targi_dsl.text.languages import words_of
from targi_dsl.text.structs import Frozen
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Lead, Ref


class RuleInProgress(Frozen):
    """A frame of the call stack. `known`: the slots that are kept, whose values are defined;
    `room`: the slots that its wording needs.
    """

    program: Program
    rule: int
    frame: Frame
    known: frozenset[int]
    room: int = 0

    @property
    def name(self) -> str:
        """The declared name of the rule."""
        return self.program.procedures[self.rule].declared

    @property
    def arguments(self) -> Iterator[tuple[Type, int]]:
        """The arguments that are live, each with its type."""
        kinds = enumerate(self.program.procedures[self.rule].arguments, 1)
        return ((kind, self.frame[at]) for at, kind in kinds if at in self.known)


def rules_in_progress(engine: Engine, v: Sequence[int]) -> Iterator[RuleInProgress]:
    """The rules in progress, innermost first."""
    at = engine.open(v)
    in_progress = [*(frame for frame, _, _ in at.stack[1:]), at.frame]
    entries = zip(engine.code.frames(v), in_progress, strict=True)
    for (_, rule, point), frame in reversed([*entries]):
        yield RuleInProgress(
            engine.program, rule, frame, frozenset(engine.program.points[point].kept)
        )


def players_out(engine: Engine, v: Sequence[int]) -> tuple[str, ...]:
    """The players who are out of the game."""
    outcomes = zip(engine.game.players, outcomes_of(engine, v), strict=True)
    return tuple(player for player, outcome in outcomes if outcome == OUT)


def passed_by_turns(
    engine: Engine, v: Sequence[int]
) -> dict[tuple[int, int, int], tuple[str, ...]]:
    """The players who have passed in each `by turns` in progress, outermost first; keyed by call
    depth, rule and first slot.
    """
    game, found = engine.game, dict[tuple[int, int, int], tuple[str, ...]]()
    asked = rules_in_progress(engine, v) if engine.open_question(v) is not None else ()
    for depth, one in enumerate(reversed([*asked])):
        rule = game.rules[one.rule] if one.rule < len(game.rules) else None
        for turns in rule.every(Until) if rule is not None else ():
            slots = range(turns.left, turns.left + len(game.players))
            if turns.left != NOTHING and one.known.issuperset(slots):
                left = zip(game.players, slots, strict=True)
                passed = tuple(player for player, slot in left if one.frame[slot] == NOTHING)
                found[depth, one.rule, turns.left] = passed
    return found


_BLANK = re.compile(r"\{([^{}]*)\}")
_SHIFTS = (1, 7)
"""Offsets by which unknown cards are permuted, to detect texts that depend on them."""
_LAID = t.Card | t.Place | t.Piece
"""Types of things that are on the table."""
_PLURAL = re.compile(r"(\d+)([^\d.;:]*?)\(s\)")


class Told(Frozen):
    """An answer in words: its action; whether the text ends with the chosen thing; its
    consequences. chosen: the name of what is chosen, if there is no wording.
    """

    label: str = ""
    names_thing: bool = False
    leads: tuple[Lead, ...] = ()
    chosen: str = ""


Naming = Callable[[t.Type, int], str]
"""Gives the words for a thing."""


class Phrases:
    """Fills in the wordings of an observation; a wording with an unknown value is omitted."""

    def __init__(self, seen: Seen) -> None:
        self.seen, self.engine = seen, engine_of(seen.game)
        self.asked = self.engine.open_question(seen.observation.vector)
        vector = seen.observation.vector
        self.doing = [*rules_in_progress(self.engine, vector)] if self.asked else []
        """The rules in progress, innermost first."""

    def answer(self, way: Way, element: int) -> Told:
        """An answer to the open question in words, as far as it has a wording."""
        if way.wording == NOTHING or self.asked is None or way not in self.asked.ways:
            return Told()
        wording = self.seen.game.wordings[way.wording]
        here = replace(self._asking_rule(way, element), room=wording.slots)
        leads = tuple(self._leads(wording, here))
        if wording.phrase is None:
            chosen = wording.chosen
            return Told(leads=leads, chosen=chosen.name if chosen and chosen.is_said else "")
        text, ends = self._unfilled_text(wording.phrase), False
        if way.choice is not None and _ends_in_choice(wording.phrase, text, way.choice):
            text, ends = text[: text.rindex("{")].rstrip(), True
        label = self._fill(text, wording.phrase.blanks, here, self.seen.thing)
        return Told(label, ends, leads) if label is not None else Told()

    def rule(self, here: RuleInProgress, bare: bool) -> str | None:
        """The wording of a rule in progress; None if it has none or it cannot be filled in. bare:
        spaces and cards by name only; otherwise a card that is on no space has its cost, as it is
        not seen elsewhere.
        """
        phrase, here = self._said_by(here)
        if phrase is None:
            return None
        name = self._alone if bare else self._in_full
        return self._fill(self._unfilled_text(phrase), phrase.blanks, here, name)

    def speaks_to_asked(self, here: RuleInProgress) -> bool:
        """Whether the words of a rule in progress speak to the player who is asked: it asks itself,
        is done in no player's turn, or in theirs.
        """
        at = self.doing.index(here)
        if at == 0 or not any(map(self._turns, self.doing[at + 1 :])):
            return True
        addressed = next(iter(self._turns(here)), YOU)
        return here.frame[addressed] == self.doing[0].frame[YOU]

    def _turns(self, here: RuleInProgress) -> Sequence[int]:
        """The slots that keep whom a rule addresses while others have their turns in it, outermost
        first.
        """
        rules = self.seen.game.rules
        if here.rule >= len(rules):
            return ()
        kept = [turn.slot for turn in rules[here.rule].every(TurnOf)]
        kept += [turn.slot + 2 for turn in rules[here.rule].every(EachPlayer)]
        return sorted(here.known.intersection(kept))

    def about(self, here: RuleInProgress) -> Iterator[Ref]:
        """The things that a rule in progress is about: its arguments, and what its wording
        mentions.
        """
        phrase, here = self._said_by(here)
        things = [*here.arguments, *self._things(phrase.blanks if phrase else (), here)]
        return self.seen.refs((kind, one) for kind, one in things if isinstance(kind, _LAID))

    def _said_by(self, here: RuleInProgress) -> tuple[Phrase | None, RuleInProgress]:
        """The wording of a rule, if it has one, and the rule with room for its slots."""
        rules, wordings = self.seen.game.rules, self.seen.game.wordings
        at = rules[here.rule].wording if here.rule < len(rules) else NOTHING
        if at == NOTHING:
            return None, here
        return wordings[at].phrase, replace(here, room=wordings[at].slots)

    def _unfilled_text(self, phrase: Phrase) -> str:
        """The text in the observer's language, with blanks."""
        return self.seen.words.language.word(phrase.text)

    def _asking_rule(self, way: Way, element: int) -> RuleInProgress:
        """The asking rule's frame after this answer."""
        here = self.doing[0]
        if way.choice is None:
            return here
        frame, slot = [*here.frame], way.choice.slot
        frame[slot] = element
        return replace(here, frame=frame, known=here.known | {slot})

    def _leads(self, wording: Wording, here: RuleInProgress) -> Iterator[Lead]:
        """The consequences whose conditions hold."""
        for lead in wording.leads:
            if lead.condition is not None and not self._value(lead.condition, here):
                continue
            text, blanks = self._unfilled_text(lead.phrase), lead.phrase.blanks
            names = (partial(self.seen.thing, brief=True), self._by_address, self.seen.thing)
            versions = [self._fill(text, blanks, here, name) for name in names]
            things = [*self._things(blanks, here)]
            if things and all(isinstance(kind, t.Place) and one >= 0 for kind, one in things):
                versions.append(", ".join(self.seen.words.addresses[one] for _, one in things))
            if words := tuple(dict.fromkeys(filter(None, versions))):
                yield Lead(words, tuple(self.seen.refs(things)))

    def _things(self, blanks: Sequence[Blank], here: RuleInProgress) -> Iterator[tuple[Type, int]]:
        """The things in the blanks of a phrase."""
        for blank in blanks:
            value = self._value(blank, here)
            values = [value] if isinstance(value, int) else value or ()
            yield from ((t.element(blank.type), one) for one in values)

    def _fill(
        self, text: str, blanks: Sequence[Blank], here: RuleInProgress, name: Naming
    ) -> str | None:
        texts: dict[str, str] = {}
        for blank in blanks:
            value = self._value(blank, here)
            if value is None:
                return None
            texts[blank.written] = self._value_text(blank.type, value, name)
        filled = _BLANK.sub(lambda found: texts[found[1]], text)
        return _PLURAL.sub(lambda found: found[1] + found[2] + "s" * (found[1] != "1"), filled)

    def _value(self, blank: Blank, here: RuleInProgress) -> int | Sequence[int] | None:
        if not here.known.issuperset(blank.reads):
            return None
        *slots, context = here.frame
        frame = [*slots, *[0] * (here.room - len(slots)), context]
        value = self.seen.words.value(blank)
        try:
            found: int | Sequence[int] = value([*self.seen.observation.vector], [*frame])
            if isinstance(t.element(blank.type), t.Card):
                return found
            others = (
                value([*vector], [*self._renumber(here.rule, slots, numbers), *frame[len(slots) :]])
                for numbers, vector in self._otherwise
            )
            return found if all(other == found for other in others) else None
        except Fault:
            return None

    def _renumber(self, rule: int, slots: list[int], numbers: Mapping[int, int]) -> list[int]:
        """The slots of a frame with cards renumbered."""
        types = self.engine.program.procedures[rule].slots
        return [
            numbers.get(value, value) if isinstance(type_, t.Card) else value
            for value, type_ in zip(slots, types, strict=False)
        ]

    @cached_property
    def _otherwise(self) -> list[tuple[Mapping[int, int], list[int]]]:
        """Positions that the observer cannot distinguish from this one, with their renumbering of
        cards. A text is only shown if it is the same in all of them.
        """
        game, seen = self.seen.game, self.seen.observation
        found = [shifted(game, seen.unknown, by) for by in _SHIFTS if seen.unknown]
        return [(numbers, renumber(self.engine, seen.vector, numbers)) for numbers in found]

    def _value_text(self, type_: t.Type, value: int | Sequence[int], name: Naming) -> str:
        if isinstance(value, int):
            return name(type_, value)
        *before, last = [name(t.element(type_), one) for one in value] or [""]
        names = self.seen.words
        if before:
            return names.say("{others} and {last}", others=", ".join(before), last=last)
        return last or names.say("nothing")

    def _by_address(self, type_: t.Type, value: int) -> str:
        """A space by its address, with the card there by short name and cost."""
        if not isinstance(type_, t.Place) or value == NOTHING:
            return self.seen.thing(type_, value)
        on = [self.seen.short(card) for card in self.seen.cards(value)][:1]
        return ": ".join([self.seen.words.addresses[value], *on])

    def _alone(self, type_: t.Type, value: int) -> str:
        is_place = isinstance(type_, t.Place) and value != NOTHING
        return self.seen.words.place(value) if is_place else self.seen.thing(type_, value)

    def _in_full(self, type_: t.Type, value: int) -> str:
        if isinstance(type_, t.Card) and value != NOTHING and self.seen.knows(value):
            place = self.seen.place_of(value)
            if place == NOTHING or self.seen.game.places[place].is_zone:
                return self.seen.card_words(value)
        return self.seen.thing(type_, value)


def _ends_in_choice(phrase: Phrase, text: str, choice: Binding) -> bool:
    """Whether a phrase ends with the chosen thing."""
    chosen = (one for one in phrase.blanks if one.value == e.Local(choice.slot))
    return any(text.endswith(f"{{{one.written}}}") for one in chosen)


def words_in_progress(seen: Seen) -> dict[str, str]:
    """The rules in progress, outermost first, by name, in words. A rule without a wording is called
    by its name, if that is translated.
    """
    names, phrases, language = seen.words, Phrases(seen), seen.words.language
    worded = {
        one.name: phrases.rule(one, bare=False) or names.action(one.name) or names.word(one.name)
        for one in reversed(phrases.doing)
    }
    untranslated = () if language.is_english else {words_of(name) for name in worded}
    return {name: words for name, words in worded.items() if words and words not in untranslated}

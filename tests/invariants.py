"""Random games that search for a position or a step that violates an invariant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from targi_dsl.api import Choice, choices, play, start
from targi_dsl.api.naming import in_english
from targi_dsl.api.state import State
from targi_dsl.engine import engine_of
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.engine.options import pack
from targi_dsl.engine.payments import Invoice
from targi_dsl.explain.answers import elements
from targi_dsl.explain.why_not import Refusal, why_not
from targi_dsl.ir.constants import CHANCE, NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.slots import POINT
from targi_dsl.tools import invariants


def unrefused(state: State, offered: Sequence[Choice]) -> list[str]:
    """The possible answers to the open question that are neither offered nor refused with a named
    reason; and those that are both offered and refused. Answers to a question are tested one by
    one, since words alone would match several of them; exchanges and payments are tested by their
    words.
    """
    engine, v = engine_of(state.game), list(state.vector)
    asked, exchanges = engine.open_question(v), engine.program.exchanges
    names = in_english(engine)
    assert asked is not None
    at, question = engine.open(v), engine.code.question(engine.program.points[v[POINT]].question)
    codes = {*question.options(at.v, at.frame)}
    faults = []
    for place, way in enumerate(asked.ways):
        for element in elements(engine, way.choice) if way.choice is not None else (NOTHING,):
            reasons = Refusal(engine, v, names).reasons(asked.rule, way, element)
            if (pack(place, element) in codes) != (not reasons):
                faults.append(f"{way.label} {element}")
            faults += [
                f"{way.label} {element}: no name" for one in reasons if not (one.name and one.text)
            ]
    words = [one.id for one in exchanges] if engine.seat(v) != CHANCE else []
    if asked.kind == "unit":
        words += [f"pay {resource}" for resource in state.game.resources]
    elif asked.bill is not None:
        of = Invoice(engine.guards, asked.bill.price, asked.bill.terms)
        plans = of.plans(v, engine.top(v))
        words += [engine.name(v, pack(0, number), False) for number in range(len(plans))]
    ids = {one.id for one in offered}
    for one in words:
        reasons = why_not(state, one) if one not in ids else ()
        if one not in ids and (
            not reasons or any(reason.name in ("unknown", "not_now") for reason in reasons)
        ):
            faults.append(one)
    return faults


@dataclass(slots=True)
class Played:
    """One random game: its end, the number of its decisions, and how often each rule, ability and
    prohibition occurred.
    """

    end: State
    decisions: int
    choices: list[str] = field(default_factory=list)
    fired: Counter[str] = field(default_factory=Counter)


Look = Callable[[State, Sequence[Choice]], None]


def random_game(
    game: Game, seed: int, *, busy: bool = False, look: Look | None = None, every: int = 1
) -> Played:
    """A random game with all invariants; busy players never decline while something else is
    offered. `look` is called with one state in `every`, starting with a different one in each game.
    """
    stream = Stream(seed * 7919 + 13)
    state = start(game, Seed(seed))
    played = Played(state, 0)
    while state.seat is not None:
        offered = choices(state)
        assert len({one.id for one in offered}) == len(offered), "two options with one id"
        wanted = [one for one in offered if not one.declines] if busy else list(offered)
        if look is not None and (played.decisions + seed) % every == 0:
            look(state, offered)
        choice = (wanted or list(offered))[stream.below(len(wanted or offered))]
        kept = state.vector[:]
        after, events = play(state, choice)
        assert state.vector == kept, "play changed its argument"
        invariants.hold(state, events, after)
        assert all(event.rule for event in events), "an event without a rule"
        played.fired.update(event.rule for event in events)
        played.fired.update(event.source for event in events if event.source)
        state = after
        played.choices.append(choice.id)
        played.decisions += 1
        assert played.decisions < 5000, f"{game.name}, seed {seed}: no end in sight"
    played.end = state
    return played

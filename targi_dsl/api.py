"""A game as a few verbs: start, choices, play, result."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from targi_dsl.engine import Engine, Run, engine_of
from targi_dsl.engine.chance import Chance, Seed
from targi_dsl.engine.state import State
from targi_dsl.ir import types as t
from targi_dsl.ir.model import CHANCE, ENDED, NOTHING, Game
from targi_dsl.text.diagnostics import Problem, Problems, did_you_mean


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen. `id` is stable text, used in records; `text` is for people;
    `code` is the engine's.

    `weight` tells how likely an outcome of chance is, among the others; of a player's choice it is
    1. `declines`: by it nothing is done.
    """

    id: str
    text: str
    weight: int = 1
    code: int = 0
    declines: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, by name; "" for what an event of this kind does not have.

    kind: choose gain pay exchange store move piece turn reveal shuffle refill set roll do use round
    end. rule: the rule that caused it; seat: whose doing; what: the resource, card, piece,
    variable, rule or ability; from `source` to `to`. card: the id of the card that moves, or that
    is the source. When a variable is set, `to` is the thing whose it is, and `source` its new
    value, if that is no number.
    """

    kind: str
    rule: str
    seat: str
    what: str
    number: int = 0
    source: str = ""
    to: str = ""
    card: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The event for people."""
        number, what, source, to = self.number, self.what, self.source, self.to
        by = f" ({source})" if source else ""
        match self.kind:
            case "choose":
                return f"{self.seat}: {what}"
            case "gain" | "pay" | "store":
                return f"{self.seat} {self.kind}s {number} {what}{by}"
            case "move" | "piece":
                return (
                    f"{what} goes"
                    + (f" from {source}" if source else "")
                    + (f" to {to}" if to else " off the board")
                )
            case "turn":
                return f"{what} is turned face {'up' if number else 'down'}"
            case "reveal":
                return f"{what} is revealed"
            case "shuffle":
                return f"{to} is shuffled ({number} cards)"
            case "refill":
                return f"{to} is refilled from {source} ({number} cards)"
            case "set":
                return f"{what}{f' of {to}' if to else ''} is {source or number}"
            case "roll":
                return f"{self.seat} rolls {number}"
            case "use":
                return f"{self.seat} uses {what}"
            case "end":
                return f"the game ends ({what})"
            case _:
                return f"{self.seat}: {what}"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game stands or ended: by seat the scores and their named parts. Before the end there is
    no winner.
    """

    scores: tuple[int, ...]
    breakdown: tuple[dict[str, int], ...]
    winner: str | None
    tiebreak: str | None
    ended_by: str | None


def start(game: Game, chance: Chance = Seed(0)) -> State:  # noqa: B008 -- a frozen value
    """A new game, at its first decision. Raises Problems if the rules cannot go on."""
    run = Run(chance)
    engine = engine_of(game)
    return _state(engine, engine.start(run), run)


def choices(state: State) -> tuple[Choice, ...]:
    """What can be chosen now, in a fixed order, each id once; nothing when the game is over."""
    engine, v = (
        engine_of(state.game),
        state.vector[:],
    )  # a copy: what fails midway must not spoil the state
    question = engine.question(v)
    if question is None:
        return ()
    found, met = [], Counter[str]()
    for option in engine.options(v):
        name, text = question.name(v, option, False), question.name(v, option, True)
        met[name] += 1
        again = f" ({met[name]})" if met[name] > 1 else ""
        weight = question.weight(v, option) if question.weight is not None else 1
        found.append(Choice(name + again, text, weight, option, option in question.declines))
    return tuple(found)


def play(state: State, choice: Choice | str) -> tuple[State, tuple[Event, ...]]:
    """The position after a choice, or its id, up to the next decision, and what happened. The state
    stays as it is.

    Raises Problems: E601 if that is not offered, others if the rules cannot go on.
    """
    engine, chosen = engine_of(state.game), _offered(state, choice)
    seen: list[tuple[Any, ...]] = []
    v, run = state.vector[:], Run(state.chance, seen)
    first = Event("choose", _rule_name(engine, engine.rule(v)), state.seat or "", chosen.text)
    engine.answer(v, chosen.code, run)
    return _state(engine, v, run), (first, *(_event(engine, *one) for one in seen))


def result(state: State) -> Result:
    """The scores, part by part; after the end the winner, and the tie-break that decided (its
    text).
    """
    game, engine, v = state.game, engine_of(state.game), state.vector[:]
    parts = engine.scores(v)
    scores = tuple(sum(row) for row in parts)
    breakdown = tuple(
        {part.name: number for part, number in zip(game.scores, row, strict=True)} for row in parts
    )
    if state.seat is not None:
        return Result(scores, breakdown, None, None, None)
    leaders, tiebreak = _leaders(engine, v, scores)
    winner = game.players[leaders[0]] if len(leaders) == 1 else None
    return Result(
        scores, breakdown, winner, tiebreak if winner else None, _rule_name(engine, v[ENDED])
    )


def _leaders(engine: Engine, v: list[int], scores: tuple[int, ...]) -> tuple[list[int], str | None]:
    """The players who share the lead after all tie-breaks that were needed, and the text of the
    last one.
    """
    leaders = [player for player, score in enumerate(scores) if score == max(scores)]
    tiebreak = None
    for number, tie in enumerate(engine.game.ties):
        if len(leaders) == 1:
            break
        counts = [engine.tie(v, number, player) for player in leaders]
        best = max(counts) if tie.most else min(counts)
        leaders = [player for player, count in zip(leaders, counts, strict=True) if count == best]
        tiebreak = tie.text
    return leaders, tiebreak


def _state(engine: Engine, v: list[int], run: Run) -> State:
    seat = engine.seat(v)
    name = None if seat == NOTHING else "chance" if seat == CHANCE else engine.game.players[seat]
    return State(engine.game, v, run.after(), name)


def _offered(state: State, choice: Choice | str) -> Choice:
    wanted = choice if isinstance(choice, str) else choice.id
    offered = {one.id: one for one in choices(state)}
    if wanted in offered:
        return offered[wanted]
    if not offered:
        raise Problems(
            [Problem("E601", "the game is over", None, f'"{wanted}" cannot be chosen any more.')]
        )
    meant = did_you_mean(wanted, offered)
    hint = f'Did you mean "{meant}"?' if meant else f"Possible are: {', '.join(list(offered)[:8])}."
    raise Problems(
        [
            Problem(
                "E601",
                f'"{wanted}" cannot be chosen',
                None,
                f"It is not offered to {state.seat} now.",
                hint,
            )
        ]
    )


def _event(
    engine: Engine, kind: str, rule: int, seat: int, what: int, number: int, source: int, to: int
) -> Event:
    """An event of the engine by name."""
    game, domains = engine.game, engine.code.domains
    cards = domains.of(t.Card())

    def place(at: int) -> str:
        return "" if at == NOTHING else game.places[at].name

    thing, came, went, card = "", "", "", NOTHING
    match kind:
        case "gain" | "pay" | "store":
            thing, card = domains.item(what), source
            came = cards.word(source) if source != NOTHING else ""
        case "exchange":
            thing = engine.code.market.exchanges[what].id
        case "move" | "piece":
            thing = cards.word(what) if kind == "move" else game.pieces[what].name
            came, went, card = place(source), place(to), what if kind == "move" else NOTHING
        case "turn" | "reveal":
            thing, card = cards.word(what), what
        case "shuffle" | "refill":
            came, went = place(source), place(to)
        case "set":
            variable = game.variables[what]
            thing, went = variable.name, domains.keys(variable.each)[to]
            is_number = isinstance(variable.type, t.Number)
            came = "" if is_number else domains.word(variable.type, number)
        case "do" | "end" | "round":
            thing = _rule_name(engine, what)
        case "use":
            thing = game.abilities[what].name
    card_id = game.cards[card].id if card != NOTHING else ""
    return Event(
        kind, _rule_name(engine, rule), game.players[seat], thing, number, came, went, card_id
    )


def _rule_name(engine: Engine, rule: int) -> str:
    return engine.code.rules[rule].declared if rule != NOTHING else ""

"""The choices at a position, and the step that each of them leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from msgspec import to_builtins

from targi_dsl.api.state import State
from targi_dsl.codegen import engine_of
from targi_dsl.ir import types as t
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import did_you_mean

_SHOWN = 8  # how many choices a refusal lists


class Thing(Frozen):
    """What a choice is about: its kind, its id, and its name in the id of the choice."""

    kind: t.Sort
    id: str
    name: str


class Choice:
    """One choice at a position. Its parts are computed only when asked for."""

    __slots__ = ("_code", "_state")  # set by `Choices`, which is faster than `__init__`

    _code: int
    _state: State

    @property
    def id(self) -> str:
        """A stable id, used in records."""
        state = self._state
        return state.option_ids[state.options.index(self._code)]

    @property
    def text(self) -> str:
        """The choice in words for people."""
        state = self._state
        return engine_of(state.game).name(list(state.vector), self.code, telling=True)

    @property
    def code(self) -> int:
        """The engine's number of this option."""
        return self._code

    @property
    def label(self) -> str:
        """The action, without the thing it applies to."""
        return self._parts()[0]

    @property
    def thing(self) -> Thing | None:
        """The thing that the action applies to, if the choice names one."""
        return self._parts()[1]

    @property
    def weight(self) -> float:
        """The probability of an outcome of chance; 1.0 for a player's choice."""
        return weights(self._state)[self._state.options.index(self._code)]

    @property
    def declines(self) -> bool:
        """Whether taking it does nothing."""
        state = self._state
        return engine_of(state.game).declines(state.vector, self.code)

    def data(self) -> dict[str, Any]:
        """The choice as plain data for JSON."""
        return {
            "id": self.id,
            "text": self.text,
            "label": self.label,
            "thing": to_builtins(self.thing),
            "weight": self.weight,
            "declines": self.declines,
        }

    def __eq__(self, other: object) -> bool:
        return self.data() == other.data() if isinstance(other, Choice) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Choice {self.id!r}>"

    def _parts(self) -> tuple[str, Thing | None]:
        engine, state = engine_of(self._state.game), self._state
        label, type_, number = engine.parts_of(list(state.vector), self.code)
        if type_ is None:
            return label, None
        domain = engine.code.domains.of(type_)
        return label, Thing(t.sort_of(t.element(type_)), domain.id(number), domain.name(number))


class Choices(Sequence[Choice]):
    """The choices at a position. Each is built on demand: most positions have many, of which one is
    taken.
    """

    __slots__ = ("_options", "_state")  # set by `choices`

    _options: Sequence[int]
    _state: State

    def __len__(self) -> int:
        return len(self._options)

    @overload
    def __getitem__(self, at: int) -> Choice: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Choice, ...]: ...

    def __getitem__(self, at: int | slice) -> Choice | tuple[Choice, ...]:
        if type(at) is slice:
            return tuple(self)[at]
        choice = Choice()
        choice._state = self._state
        choice._code = self._options[at]
        return choice

    def __iter__(self) -> Iterator[Choice]:
        return map(self.__getitem__, range(len(self._options)))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (*other,) if isinstance(other, Choices | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<Choices {[choice.id for choice in self]}>"


def weights(state: State) -> list[float]:
    """The weight of each choice at a position, in their order."""
    if state.seat != "chance":
        return [1.0] * len(state.options)
    found = engine_of(state.game).weights(state.vector, state.options)
    whole = sum(found)
    return [one / whole for one in found]


def choices(state: State) -> Sequence[Choice]:
    """The choices at a position, in a fixed order, each id once; none when the game is over."""
    offered = Choices()
    offered._state = state
    offered._options = state._options or state.options  # faster than the property
    return offered


def step(state: State, choice: Choice | str) -> State:
    """The position at the next decision after a choice, which is given as a `Choice` or by its id:
    `play` without the events.
    """
    if type(choice) is Choice and choice._state is state:
        option = choice._code
    else:
        option = option_of(state, choice)
    return state.after(option)


def option_of(state: State, choice: Choice | str) -> int:
    """The option of this position that is meant. Raises Problems (E601) if it is not offered."""
    if isinstance(choice, Choice):
        if choice._state is state:
            return choice._code
        choice = choice.id
    if not isinstance(choice, str):
        raise TypeError(f"a choice or its id is played, not {type(choice).__name__}")
    if choice in state.option_ids:
        return state.options[state.option_ids.index(choice)]
    raise Problems([_not_offered(state, choice)])


def _not_offered(state: State, wanted: str) -> Problem:
    ids = state.option_ids
    if not ids:
        return Problem("E601", "the game is over", None, f'"{wanted}" cannot be chosen any more.')
    meant = did_you_mean(wanted, ids)
    hint = f'Did you mean "{meant}"?' if meant else f"Possible are: {', '.join(ids[:_SHOWN])}."
    text = f"It is not offered to {state.seat} now."
    return Problem("E601", f'"{wanted}" cannot be chosen', None, text, hint)

"""The rules in progress at a question, with what they will still read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from targi_dsl.engine import Engine, Run
from targi_dsl.engine.chance import Seed
from targi_dsl.engine.run import Frame
from targi_dsl.ir.program import Program
from targi_dsl.ir.types import Type
from targi_dsl.text.light import dataclass


@dataclass(frozen=True, slots=True)
class RuleInProgress:
    """A rule and its frame; `known` holds the slots of its frame that it will still read."""

    program: Program = field(repr=False)
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
    frames, run = engine.guards.code.frames, Run(Seed(0))
    frames.unpack(v, run)
    in_progress = [*(frame for frame, _, _ in run.stack[1:]), run.frame]
    entries = zip(frames.found(v), in_progress, strict=True)
    for (_, rule, point), frame in reversed([*entries]):
        yield RuleInProgress(engine.program, rule, frame, frames.live[point])

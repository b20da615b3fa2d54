"""The C source of a program: its tables, the runtime, and the functions generated from
the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from textwrap import fill
from typing import get_args

from targi_dsl.codegen.c.emit import shapes
from targi_dsl.codegen.c.emit.guards import Guards
from targi_dsl.codegen.c.emit.questions import Questions
from targi_dsl.codegen.c.emit.rules import Rules
from targi_dsl.codegen.c.emit.tables import Tables
from targi_dsl.codegen.c.emit.unit import Scope, Unit
from targi_dsl.codegen.tally import Layout
from targi_dsl.codegen.tiered import engine_of
from targi_dsl.engine.machine import Engine
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU, EventKind
from targi_dsl.ir.declarations import ScorePart, Tie, Trigger
from targi_dsl.ir.game import Game

_KEY = "source"  # of the text, in `Program.engines`


def source_of(game: Game) -> str:
    """The C source of a game's program, written once. Raises NotInC if C cannot play it."""
    found = game.program.engines.get(_KEY)
    if not isinstance(found, str):
        found = game.program.engines[_KEY] = source(engine_of(game))
    return found


def source(engine: Engine) -> str:
    """The C source of the program of an engine."""
    unit = Unit(engine.code)
    guards = Guards(unit)
    questions = Questions(unit, guards)
    rules = Rules(unit, guards, questions)
    guards.expressions.write_defines()
    guards.expressions.write_offers()
    questions.write()
    rules.write()
    _Ends(unit, guards).write()
    guards.write_rules()
    tables = Tables(unit, engine.code.first(), questions.room)
    return "\n\n".join(
        [
            runtime_text("host.h"),
            tables.sizes(),
            runtime_text("records.h"),
            tables.before(),
            runtime_text("state.h").replace("EVENTS", _events()),
            shapes.declarations(unit.shapes),
            unit.constants(),
            *map(
                runtime_text,
                (
                    "reachability.h",
                    "pieces.h",
                    "cards.h",
                    "plans.h",
                    "market.h",
                    "payments.h",
                    "alike.h",
                ),
            ),
            "\n".join(unit.heads),
            *unit.functions,
            tables.after(),
            runtime_text("play.h"),
            runtime_text("information.h"),
            tables.tally(Layout.of(engine.game)),
            runtime_text("bulk.h"),
            runtime_text("search.h"),
        ]
    )


def _events() -> str:
    """The kinds of events, whose numbers in C are those of this order."""
    names = ", ".join(f"E_{kind.upper()}" for kind in get_args(EventKind))
    return fill(names, width=96, subsequent_indent="    ")


def runtime_text(name: str) -> str:
    """A file of the runtime."""
    return files("targi_dsl.codegen.c").joinpath("runtime", name).read_text(encoding="utf-8")


class _Ends:
    """Generates the triggers, the parts of the score, and the ties."""

    def __init__(self, unit: Unit, guards: Guards) -> None:
        self.unit, self.program, self.expressions = unit, unit.program, guards.expressions

    def write(self) -> None:
        self._write_fired()
        self._write_values("score", self.program.scores)
        self._write_values("tie", self.program.ties)
        self._write_impossible()

    def _write_impossible(self) -> None:
        """Whether a position is impossible for a player."""
        scope = Scope((t.PLAYER,), {YOU: "player"})
        calls = [e.Call(number, (e.Local(YOU),)) for number in self.program.impossible]
        holds = " || ".join(self.expressions.truth(call, scope) for call in calls) or "0"
        self.unit.function(
            "static int is_impossible(Game *g, int player)",
            f"Context c = 0; (void)g; (void)c; (void)player; return {holds};",
        )

    def _write_fired(self) -> None:
        """The triggers of an event: the actor's first, then in seat order."""
        head = "static void fired(Game *g, int verb, int subject, int actor, int source)"
        verbs = {"gain": "V_GAIN", "pay": "V_PAY", "do": "V_DO"}
        watched: dict[tuple[str, int], list[int]] = {}
        for number, one in enumerate(self.program.triggers):
            watched.setdefault((verbs[one.verb], one.subject), []).append(number)
        lines = [*self._not_watched(verbs), "Context c = g->frames[g->depth].context; (void)c;"]
        for (verb, subject), numbers in watched.items():
            lines.append(f"if (verb == {verb} && subject == {subject})")
            lines.append("for (int turn = 0; turn < PLAYERS; turn++) {")
            lines.append("int owner = (actor + turn) % PLAYERS;")
            lines += [f"if ({self._fits(number)}) {self._fires(number)}" for number in numbers]
            lines.append("}")
        self.unit.function(head, "\n".join(lines))

    def _not_watched(self, verbs: Mapping[str, str]) -> Iterator[str]:
        """Returns early if all triggers of a verb ask for other kinds of source."""
        for verb, number in verbs.items():
            kinds = {one.kind for one in self.program.triggers if one.verb == verb}
            if NOTHING not in kinds:
                of = [int(card.kind in kinds) for card in self.program.cards]
                yield f"if (verb == {number} && !{self.unit.numbers([0, *of])}[source + 1]) return;"

    def _fits(self, number: int) -> str:
        one = self.program.triggers[number]
        actors = {"you": "!turn", "opponent": "turn", "anyone": "1"}
        tests = [actors[one.actor]]
        if one.kind != NOTHING:
            kinds = self.unit.numbers([card.kind for card in self.program.cards])
            tests.append(f"source >= 0 && {kinds}[source] == {one.kind}")
        if one.condition != e.Const(1):
            tests.append(self._condition(one))
        return " && ".join(tests)

    def _condition(self, one: Trigger) -> str:
        scope = Scope(self.program.procedures[one.body].slots, {YOU: "owner"})
        return self.expressions.truth(one.condition, scope)

    def _fires(self, number: int) -> str:
        memory = self.program.triggers[number].memory
        noted = f"g->v[{memory} + owner] = 1; " if memory != NOTHING else ""
        return f"{{ {noted}fire(g, {number}, owner); }}"

    def _write_values(self, name: str, values: Sequence[ScorePart | Tie]) -> None:
        body = " ".join(self._values(values))
        self.unit.function(
            f"static int {name}(Game *g, int number, int player)",
            f"Context c = 0; (void)c; switch (number) {{ {body} }} return 0;",
        )

    def _values(self, values: Sequence[ScorePart | Tie]) -> Iterator[str]:
        for number, one in enumerate(values):
            value = self.expressions.number(one.value, Scope(one.slots, {YOU: "player"}))
            if isinstance(one, ScorePart) and one.ability != NOTHING:
                value = f"{self.expressions.active(one.ability, 'player')} ? {value} : 0"
            yield f"case {number}: return {value};"

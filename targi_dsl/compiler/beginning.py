"""The rules a game begins with and repeats, with the decks that are drawn before them."""

from __future__ import annotations

import dataclasses

from targi_dsl.compiler.context import NUMBER, Context, Frame
from targi_dsl.compiler.decks import Deck
from targi_dsl.compiler.sheets import Written
from targi_dsl.compiler.zone_decks import box
from targi_dsl.ir import model as m
from targi_dsl.text.diagnostics import Problem


def begin(ctx: Context, written: Written, decks: dict[str, Deck]) -> tuple[int, int]:
    """The rules a game begins with and repeats; drawn decks are drawn before setup."""
    numbers = []
    for name in ("setup", "round"):
        if ("rule", name) not in ctx.declared:
            text = f"A game begins with rule setup and then does rule round until it ends; there is no `{name}`."
            ctx.problems.append(
                Problem("E211", f"no rule `{name}`", written.span, text, f"rule {name}")
            )
            return 0, 0
        numbers.append(ctx.tables.rule_numbers[name])
    faulty = any(
        one.severity == "error" for one in ctx.problems
    )  # then a rule may lack the line that ends it
    if not faulty and not any(_ends(rule.body) for rule in ctx.tables.rules if rule is not None):
        text = "Round follows round until a rule says `end game`; none does."
        ctx.problems.append(
            Problem("W902", "the game never ends", written.span, text, "end game", "warning")
        )
    drawn = [(zone, i, draw) for zone, one in decks.items() for i, draw in enumerate(one.draws)]
    if not drawn:
        return numbers[0], numbers[1]
    frame = Frame("draw decks", rule=len(ctx.tables.rules))
    body: list[m.Statement] = []
    for zone, i, draw in drawn:
        place = m.Const(ctx.world.regions[box(zone, i)].base)
        body.append(m.Shuffle(place, frame.slot(NUMBER)))
        put = m.MoveCards(
            m.MakeSet((m.TopCard(place),)), m.Const(ctx.world.regions[zone].base), False, ""
        )
        body.extend([put] * draw.count)
    body.append(m.Do(numbers[0], ()))
    ctx.tables.rules.append(m.RuleInfo("draw decks", 0, tuple(frame.slots), tuple(body), (), ()))
    return frame.rule, numbers[1]


def _ends(part: object) -> bool:
    """Whether a lowered block can end the game."""
    match part:
        case m.EndGame():
            return True
        case tuple():
            return any(_ends(one) for one in part)
        case m.If() | m.Each() | m.EachPlayer() | m.Loop() | m.Ask() | m.Alternative() | m.Pay():
            return any(_ends(getattr(part, one.name)) for one in dataclasses.fields(part))
        case _:
            return False

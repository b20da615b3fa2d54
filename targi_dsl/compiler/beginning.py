"""Selects the rules a game begins with and repeats, and draws the decks before setup."""

from __future__ import annotations

from targi_dsl.compiler.context import Context, Frame
from targi_dsl.compiler.decks import Deck
from targi_dsl.compiler.error_symbols import Unresolved
from targi_dsl.compiler.written import Written
from targi_dsl.compiler.zone_decks import box
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t


def begin(ctx: Context, written: Written, decks: dict[str, Deck]) -> tuple[int, int]:
    """The rules a game begins with and repeats; decks are drawn before setup."""
    numbers = []
    for name in ("setup", "round"):
        if ("rule", name) not in ctx.declared:
            _report_missing(written, name)
            return 0, 0
        numbers.append(ctx.tables.rule_numbers[name])
    drawn = [(zone, i, draw) for zone, one in decks.items() for i, draw in enumerate(one.draws)]
    if not drawn:
        return numbers[0], numbers[1]
    frame = Frame("draw decks", rule=len(ctx.tables.rules))
    body: list[s.Statement] = []
    for zone, i, draw in drawn:
        place = e.Const(ctx.symbols.regions[box(zone, i)].base)
        body.append(s.Shuffle(place, frame.slot(t.NUMBER)))
        put = s.MoveCards(
            e.MakeSet((e.TopCard(place),)), e.Const(ctx.symbols.regions[zone].base), False, ""
        )
        body.extend([put] * draw.count)
    for zone, one in decks.items():
        for i in range(len(decks[one.rest].draws) if one.rest else 0):
            left = e.CardsOn(e.MakeSet((e.Const(ctx.symbols.regions[box(one.rest, i)].base),)))
            place = e.Const(ctx.symbols.regions[zone].base)
            body.append(s.MoveCards(left, place, False, ""))
    body.append(s.Do(numbers[0], ()))
    ctx.tables.rules.append(d.RuleInfo("draw decks", 0, tuple(frame.slots), tuple(body), (), ()))
    return frame.rule, numbers[1]


def _report_missing(written: Written, rule: str) -> None:
    text = (
        "A game begins with rule setup and then does rule round until it ends; "
        f"there is no `{rule}`."
    )
    title, hint = f"no rule `{rule}`", f"rule {rule}"
    written.problems.append(Unresolved("E211", title, written.span, text, hint, name=rule))

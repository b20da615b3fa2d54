"""The passes of the compiler, in order. Each reads and fills a `Compilation`; problems accumulate
in it, and later passes run even if there are errors.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from targi_dsl.compiler.cards.decks import Words
from targi_dsl.compiler.emit.linearize import linearize, rules_hash
from targi_dsl.compiler.layers import combine
from targi_dsl.compiler.layers.changes import sort_named
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lints.checks import DECK_CHECKS, ERRORS, WARNINGS
from targi_dsl.compiler.lowering import (
    abilities,
    calls,
    expressions,
    layout,
    repetition,
    rules,
    secrets,
    statements,
    turns,
    variables,
    wordings,
)
from targi_dsl.compiler.lowering.card_fields import fill_fields
from targi_dsl.compiler.lowering.context import (
    MOST_FAULTS,
    Compilation,
    Frame,
    Recursion,
    TooManyFaults,
)
from targi_dsl.compiler.recovery import faults
from targi_dsl.compiler.recovery.faults import resolve
from targi_dsl.compiler.symbols import decks
from targi_dsl.compiler.symbols.decks import with_prices
from targi_dsl.compiler.symbols.enter import check_players, symbols_of
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.structs import FrozenMap

_FIRST_STEP = {"setup": "nothing", "round": "end game"}


def begin(game: Compilation) -> None:
    """Finds the rules `setup` and `round`, and prepends the drawing of decks to setup."""
    numbers, written = game.context.tables.rule_numbers, game.written
    for name in ("setup", "round"):
        if not game.context.is_declared("rule", name):
            text = "A game does rule setup once, and then rule round until a rule says `end game`."
            title, hint = f"there is no rule `{name}`", f"rule {name}\n  {_FIRST_STEP[name]}"
            written.problems.append(Unresolved("E211", title, written.span, text, hint, name=name))
            return
    game.setup, game.round = numbers["setup"], numbers["round"]
    if any(one.draws for one in game.decks.values()):
        _draw_decks(game)


def _draw_decks(game: Compilation) -> None:
    """Makes a rule that draws the decks and then calls setup, and lets the game begin with it."""
    rules, regions = game.context.tables.rules, game.symbols.regions
    frame = Frame("draw decks", rule=len(rules))
    body: list[s.Statement] = []
    numbers = decks.numbered(game.decks)
    for zone, one in game.decks.items():
        for i, draw in enumerate(one.draws):
            place, target = (e.Const(regions[name].base) for name in (decks.box(zone, i), zone))
            body.append(s.Shuffle(place, frame.slot(t.NUMBER)))
            step: tuple[s.Statement, ...] = (
                s.MoveCards(e.MakeSet((e.TopCard(place),)), target, False, ""),
            )
            if draw.displaced:
                gone: list[tuple[int, ...]] = [()] * (len(game.context.cards.entries) + 1)
                for at, those in zip(draw.positions, draw.displaced, strict=True):
                    gone[numbers[zone][at]] = tuple(sorted(numbers[zone][one] for one in those))
                away = e.Pick(tuple(gone), e.TopCard(place))
                step = (s.MoveCards(away, place, True, ""), *step)
            body += step * draw.count
    for zone, one in game.decks.items():
        for i in range(len(game.decks[one.rest].draws) if one.rest else 0):
            left = e.CardsOn(e.MakeSet((e.Const(regions[decks.box(one.rest, i)].base),)))
            body.append(s.MoveCards(left, e.Const(regions[zone].base), False, ""))
    body.append(s.Do(game.setup, ()))
    rules.append(d.RuleInfo("draw decks", 0, tuple(frame.slots), tuple(body), (), ()))
    game.setup = frame.rule


_THINGS = ("space", "zone", "piece", "values")
"""Sorts of declarations whose names no unreadable line elsewhere can have declared."""


def layer(game: Compilation) -> None:
    """Merges the declarations of the modules."""
    written = game.written
    modules = tuple(written.modules.values())
    game.layers, problems = combine.combine(modules, written.settled, written.cites)
    written.problems.extend(problems)
    own = {name for kind, name in game.layers.effective if kind in _THINGS}
    written.errors.refuse(own, game.layers.refused)


def lay_decks(game: Compilation) -> None:
    """Evaluates the deck expressions of the sheet."""
    game.words = Words.of(game.layers.effective)
    game.decks = decks.decks(game.written, game.layers, game.words)


def enter_symbols(game: Compilation) -> None:
    """Builds the symbol table, and drops decks of unknown zones."""
    cards = (card for one in game.decks.values() for card in one.cards)
    ids = {card.entry.id: card.entry.node.entries["id"].span for card in cards}
    boxes = decks.boxes(game.decks)
    game.symbols, problems = symbols_of(
        game.layers.effective, game.written.options, boxes, ids, game.written.errors
    )
    game.written.problems.extend(problems)
    check_players(game.symbols, game.written)
    game.decks = decks.in_known_zones(game.written, game.symbols, game.decks)


def declare(game: Compilation) -> None:
    """Numbers rules, allocates variables, evaluates the fields of cards and registers abilities."""
    ctx = game.context
    rules.number_rules(ctx)
    ctx.next_slot = variables.declare(ctx)
    fill_fields(ctx)
    game.actions = rules.number_actions(ctx)
    written = abilities.all_trees(ctx)
    turns.declare(ctx, written)
    secrets.declare_telling(ctx, written)
    repetition.declare(ctx, written)
    game.windows = ctx.next_slot
    abilities.collect(ctx)


def lower(game: Compilation) -> None:
    """Lowers rules, actions, definitions, scores and wordings, with names resolved and types
    checked.
    """
    ctx = game.context
    for name in ctx.names_of("rule"):
        game.checkpoint()
        rules.lower_rule(ctx, name)
    rules.lower_actions(ctx, game.actions, game.layers.cards)
    rules.lower_effects(ctx)
    rules.open_periods(ctx)
    calls.lower_definitions(ctx)
    game.scores, game.ties = rules.scores(ctx), rules.ties(ctx)
    game.exchanges, game.impossible = rules.exchanges(ctx), rules.impossible(ctx)
    game.wordings = wordings.lower(ctx)


def lower_layout(game: Compilation) -> None:
    """Lowers the layout of the table and the look of things."""
    game.layout = layout.lower(game.context)
    game.look = layout.look(game.context, game.layers.gone)


def finish(game: Compilation) -> None:
    """Assembles the `ir` game, unless there are errors."""
    game.finished = _finished_game(game) if game.sound else None


def check(game: Compilation) -> None:
    """Runs the checks for errors in the game as a whole."""
    if not game.written.errors.no_module:
        for one in (*DECK_CHECKS, *(ERRORS if game.sound else ())):
            game.written.problems.extend(one(game))


def warn(game: Compilation) -> None:
    """Runs the lints, if there are no errors. What they say of one place they say once, however
    many copies of its card there are.
    """
    told = set[tuple[object, ...]]()
    for one in WARNINGS if game.sound else ():
        with suppress(RecursionError):  # a warning refuses no game
            for problem in [*one(game)]:
                said = problem.code, problem.title, problem.span
                game.written.problems += [problem] if said not in told else []
                told.add(said)


def look_again(game: Compilation) -> None:
    """Reports unknown names in declarations that were not lowered because of other errors."""
    if not game.sound:
        faults.report_hidden(game)


def resolve_faults(game: Compilation) -> None:
    """Drops problems that are consequences of others, and explains unresolved names."""
    own = {name for _, name in game.layers.effective}
    written = game.written
    found = resolve(written.problems, written.errors, game.nearby(), game.layers.gone, own)
    written.problems[:] = list(found)


def generate(game: Compilation) -> None:
    """Linearizes the game into the program that every engine runs, and hashes it."""
    if game.finished is not None and game.sound:
        program = linearize(game.finished)
        cards = with_prices(game.context.cards)
        game.finished = replace(
            game.finished, cards=cards, hash=rules_hash(program), lowered=program
        )


Pass = Callable[[Compilation], None]

RECURSION = Recursion(expressions.lower, statements.block)

CHECKING: tuple[Pass, ...] = (
    layer,
    lay_decks,
    enter_symbols,
    declare,
    lower,
    lower_layout,
    begin,
    look_again,
    resolve_faults,
    finish,
    check,
    warn,
    resolve_faults,
)
"""The passes of a check, after discovery and parsing, which give the game as written."""

REFUSING = tuple(one for one in CHECKING if one is not warn)
"""The passes of a check for errors only."""

PASSES: tuple[Pass, ...] = (*CHECKING, generate)


def run(game: Compilation, passes: tuple[Pass, ...]) -> None:
    """Runs passes. Raises Stopped, between passes or rules, once the compilation is cancelled."""
    try:
        for one in passes:
            game.checkpoint()
            one(game)
    except TooManyFaults:
        problems = game.written.problems
        resolve_faults(game)
        del problems[MOST_FAULTS:]
        text = f"{MOST_FAULTS} faults are reported; the rest of the game has not been checked."
        problems.append(Problem("E113", "too many faults", game.written.span, text))


def _finished_game(game: Compilation) -> Game:
    ctx = game.context
    symbols, tables = ctx.symbols, ctx.tables
    return Game(
        name=game.written.name,
        title=game.written.title,
        options=tuple(sorted(symbols.options.items())),
        players=symbols.players,
        resources=tuple(symbols.resources),
        groups=tuple(symbols.groups.items()),
        values=tuple(symbols.values.items()),
        kinds=tuple(symbols.kinds),
        places=tuple(symbols.places),
        cards=tuple(ctx.cards.cards),
        pieces=tuple(symbols.pieces),
        variables=variables.all_variables(ctx),
        rules=tuple(rule for rule in tables.rules if rule is not None),
        defines=tuple(define for define in tables.defines if define is not None),
        forbids=tuple(tables.forbids),
        abilities=tuple(tables.abilities),
        triggers=tuple(tables.triggers),
        terms=tuple(tables.terms),
        prices=tuple(tables.prices),
        actions=tuple(
            game.actions.get(one.entry.id, NOTHING) if abilities.action_of(ctx, one) else NOTHING
            for one in ctx.cards.entries
        ),
        exchanges=tuple(game.exchanges),
        scores=tuple(game.scores),
        ties=tuple(game.ties),
        lowest_wins=bool(ctx.names_of("lowest")),
        impossible=tuple(game.impossible),
        layout=game.layout,
        look=game.look,
        wordings=game.wordings,
        called=wordings.words_of_declarations(ctx),
        modules=tuple(game.written.modules),
        singulars=FrozenMap({name: one for one, name in game.context.symbols.plurals.items()}),
        setup=game.setup,
        round=game.round,
        slots=variables.slots(ctx, game.windows),
        declared=_declarations(game),
        about=_about(game),
        sources=tuple(
            dict.fromkeys(
                cite
                for module in game.written.modules.values()
                for cite in game.written.cites(module.span)
            )
        ),
        decks=tuple(
            (zone, " ".join(line.deck.span.text.split()))
            for zone, line in game.written.decks.items()
        ),
    )


def _about(game: Compilation) -> str:
    about = game.layers.effective.get(("about", "about"))
    return about.node.text if about is not None and isinstance(about.node, n.About) else ""


def _declarations(game: Compilation) -> tuple[d.Declared, ...]:
    declared = {key: one.origins for key, one in game.layers.effective.items()}
    origins_of = declared | game.layers.removed
    return tuple(
        d.Declared(sort_named(sort), name, origins) for (sort, name), origins in origins_of.items()
    )

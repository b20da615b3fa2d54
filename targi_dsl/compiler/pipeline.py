"""The passes of the compiler, in order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from targi_dsl.compiler import (
    ability_effects,
    ability_texts,
    layers,
    layout,
    outcomes,
    overlooked,
    repetition,
    rules,
    scoring,
    telling,
    variables,
    wordings,
    zone_decks,
)
from targi_dsl.compiler.beginning import begin
from targi_dsl.compiler.card_fields import fill_fields
from targi_dsl.compiler.cards_in_play import with_prices
from targi_dsl.compiler.checks import CHECKS
from targi_dsl.compiler.compilation import Compilation
from targi_dsl.compiler.context import MOST_FAULTS, TooManyFaults
from targi_dsl.compiler.defines import lower_definitions
from targi_dsl.compiler.enter_symbols import check_players, symbols_of
from targi_dsl.compiler.linearize import linearize, rules_hash
from targi_dsl.compiler.sorts import sort_named
from targi_dsl.ir import declarations as d
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.frozen import FrozenMap
from targi_dsl.ir.game import Game
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem


def layer(game: Compilation) -> None:
    """Combines the modules: every name gets its effective declaration."""
    written = game.written
    modules = tuple(written.modules.values())
    game.layers, problems = layers.combine(modules, written.settled, written.cites)
    written.problems.extend(problems)
    written.errors.names.update(game.layers.refused)


def lay_decks(game: Compilation) -> None:
    """Evaluates deck expressions."""
    game.decks = zone_decks.decks(game.written, game.layers)


def enter_symbols(game: Compilation) -> None:
    """Numbers players, resources, places and pieces."""
    cards = (card for one in game.decks.values() for card in one.cards)
    ids = {card.entry.id: card.entry.node.entries["id"].span for card in cards}
    boxes = zone_decks.boxes(game.decks)
    game.symbols, problems = symbols_of(
        game.layers.effective, game.written.options, boxes, ids, game.written.errors
    )
    game.written.problems.extend(problems)
    check_players(game.symbols, game.written)
    game.decks = zone_decks.in_known_zones(game.written, game.symbols, game.decks)


def declare(game: Compilation) -> None:
    """Numbers rules, allocates variables, fills card fields and registers abilities."""
    ctx = game.context
    rules.number_rules(ctx)
    ctx.next_slot = variables.declare(ctx)
    fill_fields(ctx)
    game.actions = rules.number_actions(ctx)
    written = [*(one.node for one in ctx.declared.values()), *ability_texts.sentences(ctx)]
    outcomes.declare(ctx, written)
    telling.declare(ctx, written)
    repetition.declare(ctx, written)
    game.windows = ctx.next_slot
    ability_texts.collect(ctx)


def lower(game: Compilation) -> None:
    """Resolves names, checks types and lowers rules."""
    ctx = game.context
    for name in ctx.names_of("rule"):
        game.checkpoint()
        rules.lower_rule(ctx, name)
    rules.lower_actions(ctx, game.actions, game.layers.cards)
    ability_effects.lower_effects(ctx)
    rules.open_periods(ctx)
    lower_definitions(ctx)
    game.scores, game.ties = scoring.scores(ctx), scoring.ties(ctx)
    game.exchanges = scoring.exchanges(ctx)
    game.wordings = wordings.lower(ctx)


def lower_layout(game: Compilation) -> None:
    """Lowers the layout and the look."""
    game.layout = layout.lower(game.context)
    game.look = layout.look(game.context)


def finish(game: Compilation) -> None:
    """Assembles the game, if there are no errors."""
    game.made = _finished(game) if game.sound else None


def check(game: Compilation) -> None:
    """Checks the game as a whole; see `CHECKS`."""
    was_sound = game.sound  # an error keeps no other from being reported, only warnings
    for one in CHECKS if not game.written.errors.no_module else ():
        if not one.of_sound_games or (game.sound if one.warns else was_sound):
            game.written.problems.extend(list(one.run(game)))


def look_again(game: Compilation) -> None:
    """Reports the unknown names that other faults have hidden."""
    if not game.sound:
        overlooked.report(game)


def resolve_faults(game: Compilation) -> None:
    """Reports unresolved names that are not error symbols."""
    game.written.problems[:] = list(game.resolution().reported(game.written.problems))


def generate(game: Compilation) -> None:
    """Generates the program that every engine runs, and its hash."""
    if game.made is not None and game.sound:
        program = linearize(game.made)
        cards = with_prices(game.context.cards)
        game.made = dataclasses.replace(
            game.made, cards=cards, hash=rules_hash(program), lowered=program
        )


Pass = Callable[[Compilation], None]

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
    resolve_faults,
)
"""What a check needs. Discovery and parsing come before: they give the game as written."""

PASSES: tuple[Pass, ...] = (*CHECKING, generate)


def run(game: Compilation, passes: tuple[Pass, ...]) -> None:
    """Runs passes; raises Stopped between passes or rules once cancelled."""
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


def _finished(game: Compilation) -> Game:
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
        variables=variables.declared(ctx),
        rules=tuple(rule for rule in tables.rules if rule is not None),
        defines=tuple(define for define in tables.defines if define is not None),
        forbids=tuple(tables.forbids),
        abilities=tuple(tables.abilities),
        triggers=tuple(tables.triggers),
        terms=tuple(tables.terms),
        prices=tuple(tables.prices),
        actions=tuple(game.actions.get(card.entry.id, NOTHING) for card in ctx.cards.entries),
        exchanges=tuple(game.exchanges),
        scores=tuple(game.scores),
        ties=tuple(game.ties),
        layout=game.layout,
        look=game.look,
        wordings=game.wordings,
        called=wordings.called(ctx),
        modules=tuple(game.written.modules),
        singulars=FrozenMap({name: one for one, name in game.context.symbols.plurals.items()}),
        setup=game.setup,
        round=game.round,
        slots=variables.slots(ctx, game.windows),
        declared=_declared(game),
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


def _declared(game: Compilation) -> tuple[d.Declared, ...]:
    there = {key: one.origins for key, one in game.layers.effective.items()}
    every = there | game.layers.removed
    return tuple(
        d.Declared(sort_named(sort), name, origins) for (sort, name), origins in every.items()
    )

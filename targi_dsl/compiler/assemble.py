"""Everything of a game put together: the phases of lowering in their order, and the model that
comes out.
"""

from __future__ import annotations

import dataclasses

from targi_dsl.compiler import (
    ability_effects,
    ability_texts,
    beginning,
    layout,
    ranges,
    rules,
    scoring,
    variables,
    zone_decks,
)
from targi_dsl.compiler.card_fields import fill_fields
from targi_dsl.compiler.cards_in_play import lay_out, with_fields
from targi_dsl.compiler.changes import Layers
from targi_dsl.compiler.context import Context, Offsets, Wrong
from targi_dsl.compiler.decks import Deck
from targi_dsl.compiler.defines import define_number
from targi_dsl.compiler.echoes import NAMES, is_echo, with_removal, with_source
from targi_dsl.compiler.elsewhere import Elsewhere
from targi_dsl.compiler.fingerprint import rules_hash
from targi_dsl.compiler.layers import combine
from targi_dsl.compiler.sheets import Written
from targi_dsl.compiler.world import number_things
from targi_dsl.ir import model as m
from targi_dsl.text.diagnostics import Problem


def game(written: Written) -> m.Game | None:
    """The model of a game as written; None when so much is wrong that there is none. Problems go
    into `written`.
    """
    if written.blind:
        return None
    read = len(written.problems)
    made = _game(written)
    found = [one for one in written.problems[read:] if not is_echo(one, written)]
    if any(one.severity == "error" for one in written.problems[:read] + found):
        found = [
            one for one in found if one.code != "W901"
        ]  # what is missing may come back with the mending
    written.problems[read:] = found
    return made


def _game(written: Written) -> m.Game | None:
    layers, problems = combine(tuple(written.modules.values()), written.settled, written.cites)
    declared = layers.effective
    first = len(written.problems)
    written.problems.extend(problems)
    laid_out = zone_decks.decks(written, declared)
    ids = {card.entry.id for one in laid_out.values() for card in one.cards}
    elsewhere = Elsewhere(written, ids)
    try:
        return _lowered(written, layers, laid_out, elsewhere)
    finally:
        own = {name for _, name in declared}
        written.problems[first:] = [
            with_removal(with_source(one, elsewhere, own), layers.gone, own)
            for one in written.problems[first:]
        ]


def _lowered(
    written: Written, layers: Layers, decks: dict[str, Deck], elsewhere: Elsewhere
) -> m.Game | None:
    declared = layers.effective
    ids = {
        card.entry.id: card.entry.node.entries["id"].span
        for one in decks.values()
        for card in one.cards
    }
    refused = (
        name for one in written.problems if one.code == "E401" for name in NAMES.findall(one.title)
    )
    world, problems = number_things(
        declared, written.options, zone_decks.boxes(decks), ids, refused
    )
    written.problems.extend(problems)
    if not world.players:
        text = "A module must say who plays."
        written.problems.append(
            Problem("E210", "the game has no players", written.span, text, "players one, two")
        )
        return None
    laid = [
        zone
        for zone in decks
        if zone not in world.refused and zone_decks.is_zone(written, world, zone)
    ]
    written.cardless |= len(laid) < len(decks)
    decks = {zone: decks[zone] for zone in laid}
    zone_decks.unknown_kinds(written, world, decks)
    zone_decks.numbered(written, declared, decks, zone_decks.twins(written, decks))
    zone_decks.too_small(written, world, declared, decks)
    play = lay_out(world, zone_decks.in_boxes(decks))
    ctx = Context(world, declared, play, Offsets.of(world, len(play.cards)), elsewhere)
    ctx.modules = written.sources
    ctx.problems = written.problems
    rules.number_rules(ctx)
    ctx.next_slot = variables.declare(ctx)
    windows = ctx.next_slot
    fill_fields(ctx)
    play.cards[:] = with_fields(play)
    actions = rules.number_actions(ctx)
    ability_texts.collect(ctx)
    for name in ctx.names_of("rule"):
        rules.lower_rule(ctx, name)
    rules.lower_actions(ctx, actions)
    ability_effects.lower_effects(ctx)
    rules.open_periods(ctx)
    for name in ctx.names_of("define"):
        try:
            define_number(ctx, name, None)
        except Wrong:
            continue
    scores = scoring.scores(ctx)
    ties = scoring.ties(ctx)
    exchanges = scoring.exchanges(ctx)
    layout_ = layout.lower(ctx)
    setup, round_ = beginning.begin(ctx, written, decks)
    if any(one.severity == "error" for one in ctx.problems):
        return None
    return _finished(
        written,
        ctx,
        layers,
        _Parts(windows, actions, scores, ties, exchanges, layout_, setup, round_),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Parts:
    windows: int
    actions: dict[str, int]
    scores: list[m.ScorePart]
    ties: list[m.Tie]
    exchanges: list[m.FreeExchange]
    layout: tuple[m.LayoutTable | m.LayoutLine | m.LayoutPlayer, ...]
    setup: int
    round: int


def _finished(written: Written, ctx: Context, layers: Layers, parts: _Parts) -> m.Game:
    world, tables = ctx.world, ctx.tables
    cards = tuple(ctx.cards.cards)
    made = m.Game(
        name=written.name,
        title=written.title,
        options=tuple(sorted(world.options.items())),
        players=world.players,
        resources=tuple(world.resources),
        groups=tuple(world.groups.items()),
        values=tuple(world.values.items()),
        kinds=tuple(world.kinds),
        places=tuple(world.places),
        cards=cards,
        pieces=tuple(world.pieces),
        variables=tuple(tables.variables.values()),
        rules=tuple(rule for rule in tables.rules if rule is not None),
        defines=tuple(define for define in tables.defines if define is not None),
        forbids=tuple(tables.forbids),
        abilities=tuple(tables.abilities),
        triggers=tuple(tables.triggers),
        terms=tuple(tables.terms),
        prices=tuple(tables.prices),
        actions=tuple(parts.actions.get(card.entry.id, m.NOTHING) for card in ctx.cards.entries),
        exchanges=tuple(parts.exchanges),
        scores=tuple(parts.scores),
        ties=tuple(parts.ties),
        layout=parts.layout,
        setup=parts.setup,
        round=parts.round,
        slots=variables.slots(ctx, parts.windows),
        declared=_declared(layers),
    )
    ctx.problems.extend(ranges.warnings(made))
    return dataclasses.replace(made, hash=rules_hash(made))


def _declared(layers: Layers) -> tuple[m.Declared, ...]:
    there = {key: one.origins for key, one in layers.effective.items()}
    return tuple(m.Declared(*key, origins) for key, origins in (there | layers.removed).items())

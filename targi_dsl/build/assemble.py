"""Everything of a game put together: the phases of lowering in their order, and the model that comes out."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Container

from targi_dsl import model as m
from targi_dsl.build import abilities, calls, expressions, layout, statements, variables
from targi_dsl.build.card_fields import fill_fields
from targi_dsl.build.cards_in_play import CardsInPlay, lay_out
from targi_dsl.build.context import NUMBER, Context, Frame, Offsets, Wrong
from targi_dsl.build.decks import MOST_CARDS, Deck, DeckCard, deck
from targi_dsl.build.defines import define_number
from targi_dsl.build.layers import Effective, Key, Layers, combine
from targi_dsl.build.layers import blocks as all_blocks
from targi_dsl.build.sheets import Written, declared_elsewhere
from targi_dsl.build.world import World, number_things
from targi_dsl.problems import Label, Problem, did_you_mean
from targi_dsl.source import Span
from targi_dsl.syntax import nodes as n
from targi_dsl.syntax import parse_action


def game(written: Written) -> m.Game | None:
    """The model of a game as written; None when so much is wrong that there is none. Problems go into `written`."""
    if written.blind:
        return None
    read = len(written.problems)
    made = _game(written)
    found = [one for one in written.problems[read:] if not _is_echo(one, written)]
    if any(one.severity == "error" for one in written.problems[:read] + found):
        found = [one for one in found if one.code != "W901"]  # what is missing may come back with the mending
    written.problems[read:] = found
    return made


_UNKNOWN = ("E201", "E402", "E404", "E410", "E528", "E529")


def _with_source(problem: Problem, elsewhere: dict[str, str], own: Container[str]) -> Problem:
    """The problem of an unknown name with the module or card set that has it."""
    if problem.code in _UNKNOWN and problem.severity == "error":
        for name in re.findall(r"`([a-z][a-z0-9_]*)`", problem.title):
            if elsewhere.get(name) and name not in own:
                return dataclasses.replace(problem, hint=elsewhere[name])
    return problem


def _is_echo(problem: Problem, written: Written) -> bool:
    """Whether a problem only follows from something that could not be read, which has been told."""
    if written.cut and problem.code in ("E201", "E210", "E211", "E402", "W901"):
        return True
    if written.cardless and problem.title.startswith("unknown rule"):
        return True
    if not written.lost:
        return False
    names = set(re.findall(r"`([a-z][a-z0-9_]*)`", problem.title))
    return problem.code in ("E210", "E211") or bool(written.lost & names)


def _game(written: Written) -> m.Game | None:
    layers, problems = combine(tuple(written.modules.values()), written.settled, written.cites)
    declared = layers.effective
    first = len(written.problems)
    written.problems.extend(problems)
    laid_out = decks(written)
    ids = {card.entry.id for one in laid_out.values() for card in one.cards}
    elsewhere = declared_elsewhere(written, ids)
    try:
        return _lowered(written, layers, laid_out, elsewhere)
    finally:
        own = {name for _, name in declared}
        written.problems[first:] = [_with_source(one, elsewhere, own) for one in written.problems[first:]]


def _lowered(written: Written, layers: Layers, decks: dict[str, Deck], elsewhere: dict[str, str]) -> m.Game | None:
    declared = layers.effective
    world, problems = number_things(declared, written.options, _boxes(decks, declared))
    written.problems.extend(problems)
    if not world.players:
        return None
    decks = {zone: one for zone, one in decks.items() if _is_zone(written, world, zone)}
    _unknown_kinds(written, world, decks)
    _twins(written, decks)
    _numbered(written, declared, decks)
    play = lay_out(world, _in_boxes(decks))
    ctx = Context(world, declared, play, Offsets.of(world, len(play.cards)))
    ctx.modules = written.sources
    ctx.elsewhere = elsewhere
    ctx.problems = written.problems
    _number_rules(ctx)
    ctx.next_slot = variables.declare(ctx)
    windows = ctx.next_slot
    fill_fields(ctx)
    play.cards[:] = _with_fields(play)
    actions = _number_actions(ctx)
    abilities.collect(ctx)
    for name in ctx.names_of("rule"):
        _lower_rule(ctx, name)
    _lower_actions(ctx, actions)
    abilities.lower_effects(ctx)
    for name in ctx.names_of("define"):
        try:
            define_number(ctx, name, None)
        except Wrong:
            continue
    scores = _scores(ctx)
    ties = _ties(ctx)
    exchanges = _exchanges(ctx)
    layout_ = layout.lower(ctx)
    setup, round_ = _begin(ctx, written, decks)
    if any(one.severity == "error" for one in ctx.problems):
        return None
    return _finished(written, ctx, layers, _Parts(windows, actions, scores, ties, exchanges, layout_, setup, round_))


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


# ---- decks ------------------------------------------------------------------------------------------------------


def decks(written: Written) -> dict[str, Deck]:
    """The deck of each zone that the sheet has one for; problems go into `written`."""
    found = {}
    for zone, line in written.decks.items():
        made = deck(line.deck, written.card_set, written.problems)
        if len(made.cards) > MOST_CARDS:
            text = f"A deck has at most {MOST_CARDS} cards."
            written.problems.append(Problem("E527", f"{len(made.cards)} cards are too many", line.span, text))
            made = Deck(())
        found[zone] = made
    return found


def _is_zone(written: Written, world: World, zone: str) -> bool:
    region = world.regions.get(zone)
    if region is not None and region.is_zone and not region.owned:
        return True
    word = written.decks[zone].zone
    zones = [one.name for one in world.regions.values() if one.is_zone and not one.owned]
    text = "Cards are laid into a zone that belongs to nobody."
    near = did_you_mean(zone, zones)
    hint = f"Did you mean `{near}`?" if near else ""
    written.problems.append(Problem("E528", f"unknown zone `{zone}`", word.span, text, hint))
    return False


def _box(zone: str, number: int) -> str:
    return f"box of {zone} {number + 1}"


def _boxes(decks: dict[str, Deck], declared: dict[Key, Effective]) -> list[tuple[str, str]]:
    """A box beside each zone that is drawn for, one for each pile to draw from."""
    return [(_box(zone, i), "card") for zone, one in decks.items() for i in range(len(one.draws))]


def _in_boxes(decks: dict[str, Deck]) -> dict[str, Deck]:
    found: dict[str, Deck] = {}
    for zone, one in decks.items():
        if not one.draws:
            found[zone] = one
        for i, draw in enumerate(one.draws):
            found[_box(zone, i)] = Deck(tuple(one.cards[p] for p in draw.positions))
    return found


def _unknown_kinds(written: Written, world: World, decks: dict[str, Deck]) -> None:
    for zone, one in decks.items():
        wanted = world.regions[zone].kind
        for kind in dict.fromkeys(card.kind for card in one.cards):
            span = next(card.kind_span for card in one.cards if card.kind == kind)
            if kind not in world.kinds:
                near = did_you_mean(kind, world.kinds)
                text = f"The rules declare: {', '.join(world.kinds) or 'none'}."
                hint = f"Did you mean `{near}`?" if near else ""
                written.problems.append(Problem("E529", f"no kind of card `{kind}`", span, text, hint))
            elif wanted not in ("card", kind):
                title = f"`{zone}` holds {wanted}, not {kind}"
                label = (Label(span, "the cards say it here"),)
                text = "A zone says which kind of card lies in it."
                written.problems.append(Problem("E531", title, written.decks[zone].span, text, labels=label))


def _twins(written: Written, decks: dict[str, Deck]) -> None:
    """Two cards of two sets with one id."""
    first: dict[str, DeckCard] = {}
    for one in decks.values():
        for card in one.cards:
            other = first.setdefault(card.entry.id, card)
            if other.set != card.set:
                title = f"two cards `{card.entry.id}` in one game"
                text = f"One is of set {other.set}, the other of {card.set}; an id names one card of a game."
                label = (Label(other.entry.keys["id"], "the other one"),)
                written.problems.append(Problem("E532", title, card.entry.keys["id"], text, labels=label))


def _numbered(written: Written, declared: dict[Key, Effective], decks: dict[str, Deck]) -> None:
    """Zones that must hold each number of a range once."""
    for (_, name), effective in declared.items():
        node = effective.node
        if not isinstance(node, n.Zone) or node.numbered is None:
            continue
        low, high = node.numbered
        deck_ = decks.get(name, Deck(()))
        given = [card.entry.number for card in deck_.cards]
        counts = {number: given.count(number) for number in given if number is not None}
        faults = (
            ("missing", [k for k in range(low, min(high, low + MOST_CARDS) + 1) if k not in counts]),
            ("more than once", sorted(k for k, count in counts.items() if count > 1)),
            ("too many", sorted(k for k in counts if not low <= k <= high)),
        )
        told = [f"{what}: {', '.join(map(str, those))}" for what, those in faults if those]
        told += ["without a number: " + ", ".join(c.entry.id for c in deck_.cards if c.entry.number is None)] * (
            None in given
        )
        told += ["by chance: what is drawn may have any number"] * bool(deck_.draws)
        if told:
            line = written.decks.get(name)
            title = f"`{name}` needs each number from {low} to {high} once"
            label = (Label(node.name.span, "the rules say it here"),)
            text = "; ".join(told) + "."
            span = line.span if line is not None else written.span
            written.problems.append(Problem("E533", title, span, text[:1].upper() + text[1:], labels=label))


def _with_fields(play: CardsInPlay) -> list[m.CardInfo]:
    found = []
    for i, card in enumerate(play.cards):
        fields: dict[str, int | str] = {}
        for name, given in play.entries[i].entry.fields.items():
            value = getattr(given, "value", None)
            fields[name] = (
                value if isinstance(value, int | str) else str(getattr(given, "span", None) and given.span.text)
            )
        if play.entries[i].entry.number:
            fields["number"] = play.entries[i].entry.number or 0
        found.append(dataclasses.replace(card, fields=fields))
    return found


# ---- rules ------------------------------------------------------------------------------------------------------


def _number_rules(ctx: Context) -> None:
    for name in ctx.names_of("rule"):
        ctx.tables.rule_numbers[name] = len(ctx.tables.rules)
        ctx.tables.rules.append(None)


def _number_actions(ctx: Context) -> dict[str, int]:
    """A rule for each card that has an action, by the card's id; copies share it."""
    found: dict[str, int] = {}
    for card in ctx.cards.entries:
        name = card.entry.id
        if name in found or _action_field(ctx, card.kind) not in card.entry.fields:
            continue
        if name in ctx.tables.rule_numbers:
            text = "The action of a card is a rule of the card's id."
            title = f"`{name}` is a rule and a card"
            ctx.problems.append(Problem("E530", title, card.entry.keys["id"], text))
            continue
        found[name] = ctx.tables.rule_numbers[name] = len(ctx.tables.rules)
        ctx.tables.rules.append(None)
    return found


def _action_field(ctx: Context, kind: str) -> str:
    fields = ctx.world.kinds.get(kind, {})
    return next((name for name, one in fields.items() if one.type.name == "action"), "")


def _lower_rule(ctx: Context, name: str) -> None:
    effective = ctx.declared["rule", name]
    node = effective.node
    assert isinstance(node, n.Rule)
    frame = Frame(name, rule=ctx.tables.rule_numbers[name])
    for param in node.params:
        try:
            type_ = calls.param_type(ctx, param)
        except Wrong:
            type_ = NUMBER
        frame.bind(param.name, type_)
    _finish_rule(ctx, frame, node.body, len(node.params), effective.origins)


def _lower_actions(ctx: Context, actions: dict[str, int]) -> None:
    for name, rule in actions.items():
        card = ctx.cards.entries[ctx.cards.action_card(name)]
        given = card.entry.fields[_action_field(ctx, card.kind)]
        body, problems = parse_action(given.text) if hasattr(given, "text") else ((), ())
        ctx.problems.extend(problems)
        frame = Frame(name, rule=rule)
        kind = m.Type("card", card.kind)
        frame.this = m.Local(frame.slot(kind))
        origin = m.Origin("cards", given.span)
        _finish_rule(ctx, frame, body or (), 1, (origin,))


def _finish_rule(ctx: Context, frame: Frame, body: n.Block, params: int, origins: tuple[m.Origin, ...]) -> None:
    """Lowers the body; what abilities do instead of the rule or after it is laid around it."""
    name = frame.owner
    frame.chooses = sum(isinstance(part, n.Choose) for block in all_blocks(body) for part in block)
    # A rule with parameters is done inside others, where its own name would tell little.
    frame.chooses += 1 if params and frame.this is None else 0
    lowered = statements.block(ctx, frame, body)
    instead = abilities.replacements(ctx, name)
    if instead or abilities.announced(ctx, name):
        lowered = _wrapped(ctx, frame, lowered, params, origins, instead)
    opens = tuple(ctx.tables.opens.get(name, ()))
    ctx.tables.rules[frame.rule] = m.RuleInfo(name, params, tuple(frame.slots), lowered, opens, origins)


def _wrapped(
    ctx: Context,
    frame: Frame,
    body: m.Block,
    params: int,
    origins: tuple[m.Origin, ...],
    instead: list[abilities.Registered],
) -> m.Block:
    inner = len(ctx.tables.rules)
    ctx.tables.rules.append(m.RuleInfo(f"{frame.owner} itself", params, tuple(frame.slots), body, (), origins))
    done: m.Statement = m.Do(inner, tuple(m.Local(slot) for slot in range(1, params + 1)))
    if instead:
        ways = (
            m.Alternative(frame.owner, None, m.Const(1), (done,)),
            *(abilities.guarded(ctx, one) for one in instead),
        )
        done = m.Ask(frame.owner, ways, ())
    announce = (m.Announce(frame.rule),) if abilities.announced(ctx, frame.owner) else ()
    return (done, *announce)


# ---- scores, ties, exchanges, beginning -----------------------------------------------------------------------------


def _scores(ctx: Context) -> list[m.ScorePart]:
    found = []
    for name in ctx.names_of("score"):
        effective = ctx.declared["score", name]
        assert isinstance(effective.node, n.ScorePart)
        frame = Frame(name)
        try:
            value = expressions.number(ctx, frame, effective.node.value)
        except Wrong:
            continue
        found.append(m.ScorePart(name, value, tuple(frame.slots), m.NOTHING, effective.origins))
    return found + abilities.end_scores(ctx)


def _ties(ctx: Context) -> list[m.Tie]:
    found = []
    for name in ctx.names_of("tie"):
        node = ctx.node("tie", name)
        assert isinstance(node, n.Tie)
        for rank in node.ranks:
            frame = Frame("tie")
            try:
                value = expressions.number(ctx, frame, rank.value)
            except Wrong:
                continue
            found.append(m.Tie(rank.order == "most", value, tuple(frame.slots), f"{rank.order} {rank.value.span.text}"))
    return found


def _exchanges(ctx: Context) -> list[m.FreeExchange]:
    from targi_dsl.build import prices

    found = []
    for name in ctx.names_of("exchange"):
        node = ctx.node("exchange", name)
        assert isinstance(node, n.FreeExchange)
        try:
            give, take = prices.fixed(ctx, node.give), prices.fixed(ctx, node.take)
        except Wrong:
            continue
        if {item for item, _ in give} & {item for item, _ in take} or not give:
            text = "What is given must not be what is got, or it would never end."
            ctx.problems.append(Problem("E313", f"exchange `{name}` goes in a circle", node.span, text))
        found.append(m.FreeExchange(name, give, take))
    return found


def _begin(ctx: Context, written: Written, decks: dict[str, Deck]) -> tuple[int, int]:
    """The rules a game begins with and repeats; drawn decks are drawn before setup."""
    numbers = []
    for name in ("setup", "round"):
        if ("rule", name) not in ctx.declared:
            text = f"A game begins with rule setup and then does rule round until it ends; there is no `{name}`."
            ctx.problems.append(Problem("E211", f"no rule `{name}`", written.span, text, f"rule {name}"))
            return 0, 0
        numbers.append(ctx.tables.rule_numbers[name])
    faulty = any(one.severity == "error" for one in ctx.problems)  # then a rule may lack the line that ends it
    if not faulty and not any(_ends(rule.body) for rule in ctx.tables.rules if rule is not None):
        text = "Round follows round until a rule says `end game`; none does."
        ctx.problems.append(Problem("W902", "the game never ends", written.span, text, "end game", "warning"))
    drawn = [(zone, i, draw) for zone, one in decks.items() for i, draw in enumerate(one.draws)]
    if not drawn:
        return numbers[0], numbers[1]
    frame = Frame("draw decks", rule=len(ctx.tables.rules))
    body: list[m.Statement] = []
    for zone, i, draw in drawn:
        box = m.Const(ctx.world.regions[_box(zone, i)].base)
        body.append(m.Shuffle(box, frame.slot(NUMBER)))
        put = m.MoveCards(m.MakeSet((m.TopCard(box),)), m.Const(ctx.world.regions[zone].base), False, "")
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


# ---- the model ----------------------------------------------------------------------------------------------------


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
    return dataclasses.replace(made, hash=rules_hash(made))


def _declared(layers: Layers) -> tuple[m.Declared, ...]:
    there = {key: one.origins for key, one in layers.effective.items()}
    return tuple(m.Declared(*key, origins) for key, origins in (there | layers.removed).items())


def rules_hash(made: m.Game) -> str:
    """A fingerprint of what the rules mean: not of comments, layout, translations, titles or paths."""
    plain = dataclasses.replace(made, hash="", title="", layout=(), declared=())
    return hashlib.sha256(_plain(plain).encode()).hexdigest()[:16]


def _plain(value: object) -> str:
    match value:
        case m.Origin() | Span() | dict():
            return "_"
        case tuple():
            return "(" + ",".join(_plain(one) for one in value) + ")"
        case _ if dataclasses.is_dataclass(value):
            inner = ",".join(_plain(getattr(value, one.name)) for one in dataclasses.fields(value))
            return f"{type(value).__name__}({inner})"
        case _:
            return repr(value)

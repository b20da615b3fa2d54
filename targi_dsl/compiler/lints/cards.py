"""Warns of hands whose cards everybody knows, tests of kinds that never hold, abilities that never
take effect, and texts that describe replaced rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from msgspec.structs import replace

from targi_dsl.cardfiles import CardEntry, Scalar
from targi_dsl.compiler.layers.changes import Effective, Key
from targi_dsl.compiler.lints.flow import (
    CALLED,
    Bound,
    bindings,
    constants,
    lies_on,
    of_latest,
    origins,
    places,
    reached,
)
from targi_dsl.compiler.lints.kinds import given_kinds
from targi_dsl.compiler.lowering.abilities import action_of
from targi_dsl.compiler.lowering.coercion import set_of
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import PlaceInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, rewritten
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_action
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_BINDING = (e.Filter, e.Map, e.Fold, e.Reached, e.Exists)


def leaks(game: Game) -> Iterator[Problem]:
    """Warnings (W904) about secret hands into which cards are moved that everybody has seen."""
    for hand, (seen, moves) in cards_all_know(game).items():
        yield _leak(hand, seen, moves)


@of_latest
def cards_all_know(game: Game) -> Mapping[str, tuple[str, Mapping[Span, set[str]]]]:
    """The secret hands into which such cards are moved: who sees them, and the moves, each with
    where the cards come from.
    """
    found = dict[str, tuple[str, dict[Span, set[str]]]]()
    for rule in game.rules:
        moves = rule.every(s.MoveCards)
        bound = bindings(game, rule) if moves else Bound()
        hands = [(move, hand) for move in moves if (hand := _hand(game, move, bound)) is not None]
        shown = {_unnamed(one.cards) for one in rule.every(s.Reveal) if one.to is None}
        for move, hand in hands:
            is_shown = _is_among(move.cards, shown, bound)
            regions = _open_regions(game, move.cards, bound) if not is_shown else ()
            if regions and move.span is not None:
                _, known = found.setdefault(hand.region, (hand.seen, {}))
                known.setdefault(move.span, set()).update(regions)
    return found


def _is_among(cards: e.Expr, shown: set[e.Expr], bound: Bound) -> bool:
    """Whether cards are shown, by the same name or by one for which theirs stands."""
    match cards:
        case e.MakeSet((e.Local(slot),)):
            known = cards, *map(set_of, bound.slots.get(slot, ()))
        case _:
            known = (cards,)
    return not shown.isdisjoint(map(_unnamed, known))


def _unnamed(node: e.Expr) -> e.Expr:
    """An expression that is the same whatever the names bound within it are, as `c` is in
    `(c in ZONE where ...)`.
    """

    def rename(one: e.Expr) -> e.Expr:
        if not isinstance(one, _BINDING):
            return one
        own, new = e.Local(one.slot), e.Local(-1 - len(list(parts(one, _BINDING))))
        renamed: e.Expr = rewritten(one, lambda inner: new if inner == own else inner)
        return replace(renamed, slot=new.slot)

    alike: e.Expr = rewritten(node, rename)
    return alike


def _leak(hand: str, seen: str, known: Mapping[Span, set[str]]) -> Problem:
    first, *others = known
    these = "each of these" if others else "this"
    sources = " or ".join(f"`{one}`" for one in sorted(set().union(*known.values())))
    text = (
        f"It was face up in {sources}, and everybody remembers it. If all may see it here too,"
        f" leave out `seen by {seen}`; if nobody should see it there, make that zone `face down`;"
        f" if all should remember it, write `reveal CARD` before {these}."
        " If they should forget it, make the zone it goes to closed:"
    )
    hint = f"zone {hand} for each player: ..., seen by {seen}, closed"
    labels = tuple(Label(one, "and this one") for one in others)
    return Problem("W904", f"all know this card of `{hand}`", first, text, hint, labels)


def _hand(game: Game, move: s.MoveCards, bound: Bound) -> PlaceInfo | None:
    """The secret zone of a player into which cards are moved, such as that of the card with which
    they are swapped; None if it is not secret, or closed.
    """
    there: list[e.Expr | None] = [move.place]
    for one in origins(move.place, bound):
        if isinstance(one, e.Var) and one.base == game.slots.card_place:
            there = [lies_on(card) for card in origins(one.index, bound)]
    for number in (at for one in there if one is not None for at in places(one, Bound()) or ()):
        place = game.places[number]
        if place.seen in ("owner", "others") and not place.closed and move.facing != "up":
            return place
    return None


def _open_regions(game: Game, cards: e.Expr, bound: Bound) -> set[str]:
    """The zones from which the cards, or those of one side of a union, come, if everybody
    certainly sees them there; else empty.
    """
    if isinstance(cards, e.SetOp) and cards.op == "plus":
        return {*_open_regions(game, cards.left, bound), *_open_regions(game, cards.right, bound)}
    found = set[str]()
    for place in map(lies_on, origins(cards, bound)):
        known = places(place, bound) if place is not None else None
        infos = [game.places[one] for one in known or ()]
        if not infos or not all(_is_open(one) for one in infos):
            return set()
        found |= {one.region for one in infos}
    return found


def _is_open(place: PlaceInfo) -> bool:
    return place.is_zone and place.seen == "all" and place.facing == "up"


def impossible_kinds(game: Compilation) -> Iterator[Problem]:
    """Warnings (W905) about tests for a kind that no card in that place can have."""
    checked = game.checked
    for one in game.context.facts.kinds:
        bound = bindings(checked, checked.rules[one.rule])
        by_region = kinds_by_region(checked)
        kinds = given_kinds(game, one.rule, one.card) or by_region.kinds(one.card, bound)
        if one.kind not in kinds and kinds:
            names = " or ".join(sorted(checked.kinds[kind] for kind in kinds))
            text = f"Only a {names} can be there, so the condition is never true."
            yield Problem("W905", "this is never true", one.span, text)


class KindsByRegion:
    """The kinds of cards that can be in each region."""

    def __init__(self, game: Game) -> None:
        """Applies all moves until a fixpoint is reached."""
        self._game = game
        self._there = defaultdict[str, set[int]](set)
        for card in game.cards:
            if card.start != NOTHING:
                self._there[game.places[card.start].region].add(card.kind)
        refills = [(game.places[one.refill].region, one.region) for one in game.places
                   if one.refill != NOTHING]  # fmt: skip
        moves = [
            (move.cards, bound, self._regions(places(move.place, bound)))
            for rule in game.rules
            if (moved := rule.every(s.MoveCards))
            for bound in (bindings(game, rule),)
            for move in moved
        ]
        before = -1
        while before != (before := sum(map(len, self._there.values()))):
            for source, region in refills:
                self._there[region] |= self._there[source]
            for cards, bound, regions in moves:
                kinds = self.kinds(cards, bound)
                for region in regions:
                    self._there[region] |= kinds

    def at(self, region: str) -> set[int]:
        """The kinds of cards that can be in a region."""
        return self._there[region]

    def kinds(self, cards: e.Expr, bound: Bound) -> set[int]:
        """The kinds that these cards can have."""
        found = set[int]()
        for one in origins(cards, bound):
            place = lies_on(one)
            if place is not None:
                regions = self._regions(places(place, bound))
                found = found.union(*(self._there[region] for region in regions))
            elif isinstance(one, e.Const):
                found |= {self._game.cards[card].kind for card in constants(one) or ()}
            else:
                return {*range(len(self._game.kinds))}
        return found

    def _regions(self, known: tuple[int, ...] | None) -> set[str]:
        """The regions of places; all regions if the places are unknown."""
        every = range(len(self._game.places))
        return {self._game.places[one].region for one in (every if known is None else known)}


kinds_by_region = of_latest(KindsByRegion)
"""The analysis of a game, cached."""


def without_effect(game: Game) -> Iterator[Problem]:
    """Warnings (W907) about abilities that can never take effect."""
    found = (*_never_active(game), *_never_gained(game), *_never_asked(game))
    return of_abilities(game, ((ability, "has no effect", text, ()) for ability, text in found))


def of_abilities(
    game: Game, found: Iterable[tuple[int, str, str, tuple[Label, ...]]]
) -> Iterator[Problem]:
    """Turns findings about abilities into warnings (W907)."""
    for ability, title, text, labels in found:
        info = game.abilities[ability]
        if info.span is not None:
            name = info.name if info.card == NOTHING else game.cards[info.card].entry
            yield Problem("W907", f"`{name}` {title}", info.span, text, "", labels)


def _never_active(game: Game) -> Iterator[tuple[int, str]]:
    """Abilities of cards that never are where abilities are active."""
    regions = {one.region for one in game.places if one.active}
    active = {kind for region in regions for kind in kinds_by_region(game).at(region)}
    for number, ability in enumerate(game.abilities):
        if ability.card != NOTHING and game.cards[ability.card].kind not in active:
            text = "Such a card never lies on a space or in a zone with `abilities active`."
            yield number, text


# ---- `when you gain R from a KIND` ----


def _never_gained(game: Game) -> Iterator[tuple[int, str]]:
    """Triggers on gains from cards of a kind, if no such card gives the resource."""
    gains = list(_gains(game))
    watched = defaultdict[tuple[int, int], list[int]](list)
    for trigger in game.triggers:
        if trigger.verb == "gain" and trigger.kind != NOTHING:
            watched[trigger.ability, trigger.kind].append(trigger.subject)
    for (ability, kind), resources in watched.items():
        own = (one for kinds, one in gains if kind in kinds)
        given = [one.resource for one in own]
        if all(isinstance(one, e.Const) and one.value not in resources for one in given):
            yield ability, f"No {game.kinds[kind]} of this game gives that, so it never happens."


def _gains(game: Game) -> Iterator[tuple[set[int], s.Gain]]:
    """Each gain statement, with the kinds of the cards that may be its source."""
    every = set(range(len(game.kinds)))
    acting = defaultdict[int, set[int]](set)
    for card, action in zip(game.cards, game.actions, strict=True):
        acting[action].add(card.kind)
    for number, rule in enumerate(game.rules):
        for gain in rule.every(s.Gain):
            match gain.source:
                case e.Const(int(source)):
                    yield ({game.cards[source].kind} if source != NOTHING else set()), gain
                case _:
                    yield acting.get(number, every), gain


# ---- `becomes ... if during R` ----


def _never_asked(game: Game) -> Iterator[tuple[int, str]]:
    """Overrides of a definition during a rule that never evaluates it."""
    changes = [
        (define, ability, rule)
        for define, asked in conditions_in_definitions(game)
        for ability in [one.ability for one in asked if isinstance(one, e.Active)][:1]
        for rule in [one.rule for one in asked if isinstance(one, e.During)]
    ]
    if not changes:
        return
    # Triggers, prohibitions and terms of payment are evaluated during any rule.
    rules = {one.body for one in game.triggers}
    rules |= {one.arrival for one in game.abilities if one.arrival != NOTHING}
    anywhere = _asked(game, game.terms, game.forbids, *(game.rules[one] for one in rules))
    for define, ability, rule in changes:
        if define not in anywhere and define not in _asked(game, game.rules[rule]):
            name = game.rules[rule].declared
            text = f"Nothing in {name} uses {game.defines[define].name}, so it has no effect."
            yield ability, text


def _asked(game: Game, *nodes: object) -> set[int]:
    """The definitions that nodes may evaluate, directly or indirectly."""
    return {one.define for one in reached(game, nodes, e.Call, CALLED)}


@of_latest
def conditions_in_definitions(game: Game) -> tuple[tuple[int, tuple[e.Expr, ...]], ...]:
    """For each condition in a definition, the number of the definition and the condition's
    conjuncts.
    """
    return tuple(
        (number, tuple(conjuncts(one.condition)))
        for number, define in enumerate(game.defines)
        for one in parts(define.value, e.Cond)
    )


def conjuncts(condition: e.Expr) -> Iterator[e.Expr]:
    """The conjuncts of a condition."""
    match condition:
        case e.All(parts=several):
            for one in several:
                yield from conjuncts(one)
        case _:
            yield condition


# ---- texts of cards that do a rule ----


def stale_texts(game: Compilation) -> Iterator[Problem]:
    """Warnings (W910) about cards whose action is a single rule that a module has replaced, if
    their text has not been changed.
    """
    ctx = game.context
    for card in {one.key: one for one in ctx.cards.entries}.values():
        given = action_of(ctx, card)
        body = (
            ctx.project.sentence(parse_action, given.text)[0] if isinstance(given, Scalar) else None
        )
        match body:
            case (n.Do(rule),) if card.entry.texts and not _has_new_text(game, card.entry.id):
                yield from _stale(card.entry, rule.text, game.layers.effective)


def _has_new_text(game: Compilation, card: str) -> bool:
    changes = (one.node for one in game.layers.cards.get(card, ()))
    fields = (field for one in changes if isinstance(one, n.ChangeCard) for field in one.changes)
    return any(field.name.text == "text" for field in fields)


def _stale(card: CardEntry, name: str, declared: Mapping[Key, Effective]) -> Iterator[Problem]:
    """The warning about a card; none if it is in the folder of the module, for whose rule it is
    written.
    """
    for origin in declared["rule", name].origins if ("rule", name) in declared else ():
        if origin.how == "replaced" and not origin.forbid and origin.span is not None:
            if _folder(origin.span) != _folder(card.span):
                title = f"the text of `{card.id}` still describes the old rule {name}"
                text = "The card does this rule, which the module replaces. Change its text too:"
                hint = f'change card {card.id}\n  text "..."'
                labels = (Label(card.keys["text"], "described here"),)
                yield Problem("W910", title, origin.span, text, hint, labels)
            return


def _folder(span: Span) -> str:
    return PurePath(span.source.name).parent.name

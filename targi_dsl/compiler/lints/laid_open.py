"""Warns of questions whose answers show hidden cards to those who choose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from targi_dsl.compiler.lints.cards import cards_all_know
from targi_dsl.compiler.lints.flow import (
    Bound,
    bindings,
    constants,
    lies_on,
    of_latest,
    origins,
    some_places,
)
from targi_dsl.compiler.lowering.abilities import all_trees
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.declarations import PlaceInfo, RuleInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, within
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span

_YOU = e.Local(YOU)
_UNSEEN_OF = {"others": "yours", "owner": "other"}
"""Whose hand the chooser does not see, by who sees such hands."""


class _Hand(NamedTuple):
    """A hand. whose: `yours`, `other`, or both if it may be either; empty if that is unknown.
    is_named: answers are its cards.
    """

    place: PlaceInfo
    whose: tuple[str, ...]
    is_named: bool


def cards_laid_open(game: Compilation) -> Iterator[Problem]:
    """The warnings (W931), at most one for each question."""
    checked = game.checked
    for rule in checked.rules if len(checked.players) > 1 else ():
        for ask in rule.every(s.Ask):
            hand = hand_laid_open(checked, rule, ask)
            if hand is not None and ask.span is not None:
                yield _problem(game, ask.span, hand)


def hand_laid_open(game: Game, rule: RuleInfo, ask: s.Ask) -> _Hand | None:
    """The hand that the chooser does not see, if answers are its cards or depend on what these
    are. Nothing is said of face-up cards, and of hands whose cards some rule shows.
    """
    if any(ask in within(turn.body, s.Ask) for turn in rule.every(s.TurnOf)):
        return None  # `you` is another player here than where names were bound
    bound = _bound(game, rule, ask)
    for answers in map(_answers, ask.alternatives):
        named = [one for one in origins(answers, bound) if isinstance(one, e.CardsOn)]
        is_open = next(parts(answers, e.FaceUp), None) is not None
        for cards in (*named, *_read_in(answers)) if not is_open else ():
            for hand in origins(cards.places, Bound()):
                if isinstance(hand, e.Table) and (at := constants(hand)):
                    found = _Hand(game.places[at[0]], _whose(hand.index, bound), cards in named)
                    is_shown = found.place.region in _shown(game)
                    if _UNSEEN_OF.get(found.place.seen) in found.whose and not is_shown:
                        return found
    return None


def _bound(game: Game, rule: RuleInfo, ask: s.Ask) -> Bound:
    """What names are bound to, with the conditions under which they are chosen and `ask` is
    asked.
    """
    bound = bindings(game, rule)
    ways = [way for way in rule.every(s.Alternative) if way.choice is not None]
    chosen = {way.choice.slot: (_answers(way),) for way in ways if way.choice is not None}
    slots = {**bound.slots, **chosen}
    for test in rule.every(s.If):
        for block, holds in ((test.then, test.condition), (test.otherwise, _not(test.condition))):
            if ask in within(block, s.Ask):
                for at in {one.slot for one in parts(holds, e.Local)} & slots.keys():
                    slots[at] = tuple(e.Filter(at, one, holds) for one in slots[at])
    return replace(bound, slots=slots)


def _answers(way: s.Alternative) -> e.Expr:
    """The set of answers, with the conditions that are asked of each of them."""
    if way.choice is None:
        return e.Const(())
    slot, found = way.choice.slot, way.choice.within
    for head in (one for one in way.body if isinstance(one, s.Forbid)):
        if e.Local(slot) in parts(head.condition, e.Local):
            found = e.Filter(slot, found, _not(head.condition))
    return found


def _not(condition: e.Expr) -> e.Expr:
    return condition.of if isinstance(condition, e.Not) else e.Not(condition)


@of_latest
def _shown(game: Game) -> frozenset[str]:
    """The regions of which some cards are shown, turned or known to all."""
    found = {*cards_all_know(game)}
    for rule in game.rules:
        bound = bindings(game, rule)
        shown: list[s.Reveal | s.Turn] = [*rule.every(s.Reveal), *rule.every(s.Turn)]
        places = [lies_on(card) for one in shown for card in origins(one.cards, bound)]
        places += [one.place for one in rule.every(s.MoveCards) if one.facing == "up"]
        of_rule = (at for one in places if one is not None for at in some_places(one, bound))
        found.update(game.places[at].region for at in of_rule)
    return frozenset(found)


def _read_in(answers: e.Expr) -> Iterator[e.CardsOn]:
    """The cards by whose fields answers are distinguished."""
    tests: Iterator[e.Filter | e.Exists | e.Map | e.Fold]
    tests = parts(answers, (e.Filter, e.Exists, e.Map, e.Fold))
    for test in tests:
        is_read = not isinstance(test, e.Exists) or test.condition != e.Const(1)
        if is_read and isinstance(test.within, e.CardsOn):
            yield test.within


def _whose(player: e.Expr, bound: Bound) -> tuple[str, ...]:
    match player:
        case e.Local(slot) if slot == YOU:
            return ("yours",)
        case e.Table(values, e.Local(slot)) if slot == YOU:
            return () if any(one == at for at, one in enumerate(values)) else ("other",)
        case e.Cond(e.Compare("is", e.Local(slot))) if slot == YOU:  # the next player
            return ("other",)
        case e.Local(slot) if sets := bound.slots.get(slot):
            if all(map(_is_without_you, sets)):
                return ("other",)
            return ("yours", "other") if all(map(_is_of_all, sets)) else ()
        case _:
            return ()


def _is_without_you(players: e.Expr) -> bool:
    match players:
        case e.SetOp("except", _, e.MakeSet(items)):
            return _YOU in items
        case e.Filter(slot, among, condition):
            tests = condition.parts if isinstance(condition, e.All) else (condition,)
            one = e.Local(slot)
            others = (e.Compare("is_not", one, _YOU), e.Compare("is_not", _YOU, one))
            return any(test in others for test in tests) or _is_without_you(among)
        case _:
            return False


def _is_of_all(players: e.Expr) -> bool:
    """Whether these are all players, or those of whom something holds that has to do nothing with
    `you`.
    """
    match players:
        case e.Filter(_, among, condition):
            return _YOU not in parts(condition, e.Local) and _is_of_all(among)
        case _:
            return isinstance(players, e.Const)


def _problem(game: Compilation, asked: Span, hidden: _Hand) -> Problem:
    """The warning, with what to write: the position of a card that is chosen unseen."""
    place, whose, is_named = hidden
    every = [one for tree in all_trees(game.context) for one in tree.walk()]
    is_yours = whose == ("yours",)
    question = next(one for one in every if one.span == asked)
    hands = (one for one in question.walk() if isinstance(one, n.Your if is_yours else n.Of))
    hand = next((one for one in hands if one.name.text == place.region), None)
    called = place.region if hand is None else hand.span.text
    learns = "reads them in the answers" if is_named else "learns of them what is asked"
    text, hint = f"hoever chooses does not see the cards of `{called}`, but {learns}.", ""
    match question, hand:
        case _, n.Of(subject=n.Name(of)) if place.seen == "others":
            text = f"`{of}` can be who chooses, and w{text} Choose among the others:"
            is_each = any(isinstance(one, n.Each) and one.name.text == of for one in every)
            hint = f"{'each' if is_each else 'choose'} {of} in players except you"
        case n.Choose(None, name, n.Those(within=cards) | cards), n.Node() if cards == hand:
            text = f"W{text} If `look at {called}` is meant, write it above."
            by_chance = f" At random: `choose {name.text} in {called} at random`."
            text += f"{'' if is_yours else by_chance} To choose unseen, by position:"
            hint = f"choose spot in 1..count of {called}\nlet {name.text} be card spot of {called}"
        case _ if is_yours or hand is None:
            text = f"W{text} Let others choose, or ask for what everybody knows."
        case _:
            text, hint = f"W{text} If it is to be known, write above:", f"look at {called}"
    return Problem("W931", "the answers show hidden cards", asked, text, hint)

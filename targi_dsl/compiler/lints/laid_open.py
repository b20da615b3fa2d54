"""Warns of questions whose answers show hidden cards to those who choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from targi_dsl.compiler.lints.flow import Bound, bindings, constants, lies_on, of_latest, origins
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import YOU
from targi_dsl.ir.declarations import PlaceInfo, RuleInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, within
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span

_Whose = Literal["yours", "other", "any", ""]
_UNSEEN = {"others": ("yours", "any"), "owner": ("other", "any")}
"""Whose hand the chooser does not see, by who sees such hands."""
_YOU = e.Local(YOU)


def cards_laid_open(game: Game) -> Iterator[Problem]:
    """The warnings (W931), at most one for each question."""
    for rule in game.rules if len(game.players) > 1 else ():
        for ask in rule.every(s.Ask):
            problem = of_answers(game, rule, ask)
            if problem is not None:
                yield problem


def of_answers(game: Game, rule: RuleInfo, ask: s.Ask) -> Problem | None:
    """What is wrong if answers are cards of a hand that the chooser does not see, or depend on what
    these are. Nothing is said of hands that some rule lets a player look into.
    """
    if any(ask in within(turn.body, s.Ask) for turn in rule.every(s.TurnOf)):
        return None  # `you` is another player here than where names were bound
    bound = _bound(game, rule)
    for answers in map(_answers, ask.alternatives):
        named = [one for one in origins(answers, bound) if isinstance(one, e.CardsOn)]
        for cards in (*named, *_read_in(answers)):
            for hand in parts(cards.places, e.Table):
                place = next((game.places[at] for at in constants(hand) or ()), None)
                whose = _whose(hand.index, bound)
                if place is None or ask.span is None or place.region in _looked_into(game):
                    continue
                if whose in _UNSEEN.get(place.seen, ()):
                    return _problem(ask.span, place, whose, cards in named)
    return None


def _bound(game: Game, rule: RuleInfo) -> Bound:
    """What names are bound to, with the conditions under which they are chosen."""
    bound = bindings(game, rule)
    ways = [way for way in rule.every(s.Alternative) if way.choice is not None]
    chosen = {way.choice.slot: (_answers(way),) for way in ways if way.choice is not None}
    return replace(bound, slots={**bound.slots, **chosen})


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
def _looked_into(game: Game) -> frozenset[str]:
    """The regions whose cards some rule shows or turns."""
    found = set[str]()
    for rule in game.rules:
        bound = bindings(game, rule)
        shown: list[s.Reveal | s.Turn] = [*rule.every(s.Reveal), *rule.every(s.Turn)]
        for one in shown:
            for place in map(lies_on, origins(one.cards, bound)):
                tables: Iterator[e.Const | e.Table] = parts(place, (e.Const, e.Table))
                found |= {game.places[at].region for part in tables for at in constants(part) or ()}
    return frozenset(found)


def _read_in(answers: e.Expr) -> Iterator[e.CardsOn]:
    """The cards by whose fields answers are distinguished."""
    tests: Iterator[e.Filter | e.Exists | e.Map | e.Fold]
    tests = parts(answers, (e.Filter, e.Exists, e.Map, e.Fold))
    for test in tests:
        is_read = not isinstance(test, e.Exists) or test.condition != e.Const(1)
        if is_read and isinstance(test.within, e.CardsOn):
            yield test.within


def _whose(player: e.Expr, bound: Bound) -> _Whose:
    """Whether a player is `you`, certainly somebody else, or one of all; empty if unknown."""
    match player:
        case e.Local(slot) if slot == YOU:
            return "yours"
        case e.Table(values, e.Local(slot)) if slot == YOU:
            return "" if any(one == at for at, one in enumerate(values)) else "other"
        case e.Cond(e.Compare("is", e.Local(slot))) if slot == YOU:  # the next player
            return "other"
        case e.Local(slot):
            sets = bound.slots.get(slot, ())
            if not sets or all(map(_is_without_you, sets)):
                return "other" if sets else ""
            return "any" if all(map(_is_of_all, sets)) else ""
        case _:
            return ""


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


_CHOSEN = re.compile(r"(?:\w+ )?chooses? (\w+) in ")


def _problem(asked: Span, hidden: PlaceInfo, whose: _Whose, is_named: bool) -> Problem:
    """The warning, with what to write: the position of a card that is chosen unseen."""
    written, region, hint = asked.text, hidden.region, ""
    phrase = re.search(rf"\byour {region}\b|\b{region} of (\w+)(?: of \w+)*", written)
    hand, of = (phrase[0], phrase[1]) if phrase else (region, "")
    chosen = _CHOSEN.match(written)
    text = f"Whoever chooses does not see the cards of `{hand}`"
    text += (
        ", but reads them in the answers." if is_named else ", but learns of them what is asked."
    )
    if whose == "any" and hidden.seen == "others" and of:
        text = (
            f"`{of}` can be who chooses, and {text[0].lower()}{text[1:]} Choose among the others:"
        )
        hint = f"choose {of} in players except you"
    elif is_named and chosen and phrase:
        text += f" If `look at {hand}` is meant, write it above."
        text += f" At random: `choose {chosen[1]} in {hand} at random`." if whose != "yours" else ""
        text += " To choose unseen, by position:"
        hint = f"choose spot in 1..count of {hand}\nlet {chosen[1]} be card spot of {hand}"
    elif whose == "yours":
        text += " Let others choose, or ask for what everybody knows."
    else:
        text += " If it is to be known, write above:"
        hint = f"look at {hand}"
    return Problem("W931", "the answers show hidden cards", asked, text, hint)

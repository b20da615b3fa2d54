"""Warns of outcomes and questions that are evaluated player by player, repeated, or public, where
that seems not to be intended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice

from targi_dsl.compiler.lints import laid_open
from targi_dsl.compiler.lints.flow import (
    ASKED,
    DONE,
    Bound,
    bindings,
    constants,
    lies_on,
    origins,
    reached,
    some_places,
)
from targi_dsl.compiler.lowering.abilities import all_trees
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.lowering.statements import MOST_TIMES
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts, within
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem

# ---- player by player ----


def one_by_one(game: Game) -> Iterator[Problem]:
    """Loops over players (W920) that end with the first player whose outcome is decided, or in
    which all choose in secret in each iteration, or whose body is such a loop again.
    """
    for rule in game.rules if len(game.players) > 1 else ():
        loops: list[s.Each | s.EachPlayer] = [*rule.every(s.EachPlayer)]
        loops += [one for one in rule.every(s.Each) if rule.slots[one.slot] == t.PLAYER]
        for loop in loops:
            found = (*_first_outcome(game, loop), *_choices_again(game, loop))
            yield from islice((*found, *_each_for_each(game, loop)), 1)


_ASKING = (s.If, s.Let, s.Do, s.Each, s.EndGame, s.Stop)
"""Statements that a loop which only decides outcomes may contain."""
_OUTCOME = re.compile(r"if (.+): *you (?:win|lose)")


def _first_outcome(game: Game, loop: s.Each | s.EachPlayer) -> Iterator[Problem]:
    statements = [*reached(game, loop.body, s.Placed, DONE)]
    ends = any(isinstance(one, s.EndGame) for one in statements)
    outcomes = [one for one in statements if isinstance(one, s.Assign) and _is_outcome(game, one)]
    others = [one for one in statements if not isinstance(one, _ASKING) and one not in outcomes]
    for one in outcomes[:1] if ends and not others else ():
        text = "The players are looked at one by one, and the first ends the game. For all of them"
        text += " at once, write instead of the loop:"
        lines = loop.span.text.splitlines() if loop.span is not None else []
        outcome = "win" if one.value == e.Const(d.WON) else "lose"
        hint = f"(p in players where ...) {outcome}"
        if len(lines) == 2 and (match_ := _OUTCOME.fullmatch(lines[1].strip())):
            of_p = re.sub(r"\byour (\w+)", r"\1 of p", re.sub(r"\byou\b", "p", match_[1]))
            if of_p != match_[1]:  # else it depends on `you` through a definition
                hint = f"(p in players where {of_p}) {outcome}"
        title = "only the first player is meant"
        yield Problem("W920", title, one.span, text, hint)


def _each_for_each(game: Game, loop: s.Each | s.EachPlayer) -> Iterator[Problem]:
    """`each player: do R` where R only does something for each player."""
    body = loop.body if isinstance(loop, s.EachPlayer) else ()
    match body:
        case (s.Do(rule, ()),):
            inner, name = game.rules[rule].body, f"`{game.rules[rule].declared}`"
        case _:
            inner, name = body, "this"
    if inner and all(isinstance(one, s.EachPlayer) for one in inner):
        you = e.Local(YOU)
        if not any(one.start == you for one in inner if isinstance(one, s.EachPlayer)):
            text = (
                "Each player does it for all players, so it happens to everybody again and again."
            )
            text += " Say `each player` once."
            title = f"{name} says `each player`, and so does what does it"
            yield Problem("W920", title, inner[0].span, text)


def _is_outcome(game: Game, node: s.Assign) -> bool:
    """Whether an assignment makes a player win or lose, which ends the game."""
    is_outcome = game.variables[node.variable].type == t.Value(d.OUTCOME)
    return is_outcome and node.value != e.Const(d.OUT)


def _choices_again(game: Game, loop: s.Each | s.EachPlayer) -> Iterator[Problem]:
    inner = reached(game, loop.body, s.EachPlayer, DONE)
    for ask in (ask for one in inner for ask in within(one.body, s.Ask) if ask.manner.secret):
        hidden = {one.variable for one in within(ask.alternatives, s.Assign)}
        bases = {game.variables[one].base for one in hidden}
        if bases.isdisjoint(one.base for one in reached(game, loop.body, e.Var, ASKED + DONE)):
            text = "Everybody chooses once for each player, and only the last choice counts. Choose"
            text += " before the loop or behind it."
            yield Problem("W920", "all choose again and again", ask.span, text)


# ---- questions with one answer ----


def single_answers(game: Compilation) -> Iterator[Problem]:
    """`one of` with a single alternative, which is carried out without asking (W945)."""
    written = {one.span for tree in all_trees(game.context) for one in tree.every(n.OneOf)}
    for ask in (ask for rule in game.checked.rules for ask in rule.every(s.Ask)):
        match ask.alternatives:
            case (s.Alternative(label, None),) if ask.otherwise is None and ask.span in written:
                text = f"Nobody is asked, since `{label}` is all that can be done. Leave out `one"
                text += " of`, add an answer, or say `may` if it can be left undone."
                yield Problem("W945", "this question has one answer", ask.span, text)


# ---- repeated answers ----


def endless_offers(game: Game) -> Iterator[Problem]:
    """Alternatives that can be chosen any number of times, and duplicate alternatives (W921)."""
    for rule in game.rules:
        for loop in rule.every(s.Loop):
            asked = (one for one in loop.body if isinstance(one, s.Ask))
            for way in (way for ask in asked for way in ask.alternatives):
                if loop.limit == e.Const(MOST_TIMES) and _is_endless(game, way):
                    text = f"Nothing limits it, so it can be chosen {MOST_TIMES} times. Let it"
                    text += " cost something, forbid it, or say `up to 2 times` or `one of`."
                    title = f"`{way.label}` can be chosen again and again"
                    span = next((one.span for one in way.body if one.span), loop.span)
                    if isinstance(way.guard, e.Active):
                        span = game.abilities[way.guard.ability].span
                    yield Problem("W921", title, span, text)
        for ask in rule.every(s.Ask):
            for way, other in combinations(ask.alternatives, 2):
                if (way.label, way.choice, way.body) == (other.label, other.choice, other.body):
                    title, text = f"`{way.label}` is offered twice", "Leave one of them out."
                    span = next((one.span for one in other.body), ask.span)
                    yield Problem("W921", title, span, text)


_LEAVING = (s.Leave, s.Stop, s.EndGame, s.NextTurn)
_BOUND = (s.Forbid, s.Pay, s.If, s.Ask, s.Loop, s.TurnOf, s.DoAction)
"""Statements that may limit how often an alternative is offered."""


def _is_endless(game: Game, way: s.Alternative) -> bool:
    match way.guard:
        case e.Active(ability) if game.abilities[ability].window == NOTHING:
            pass  # for whoever has the card, or for everybody
        case e.Const(1):
            pass
        case _:
            return False
    if way.choice is not None or not _is_free(game, way.body):
        return False
    return next(reached(game, way.body, _LEAVING, DONE), None) is None


def _is_free(game: Game, block: s.Block) -> bool:
    """Whether a block has an empty guard."""
    for node in block:
        match node:
            case s.Let() | s.Use():
                continue
            case s.Do(rule):
                return _is_free(game, game.rules[rule].body)
            case _:
                return not isinstance(node, _BOUND)
    return True


# ---- secrets ----


def open_secrets(game: Game) -> Iterator[Problem]:
    """Secret variables that are set to a value which everybody has seen chosen or rolled (W922)."""
    for rule in game.rules:
        asks = (one for one in rule.every(s.Ask) if not one.manner.secret)
        ways = (way.choice for one in asks for way in one.alternatives)
        seen = {one.slot for one in ways if one is not None and not isinstance(one.type, t.Card)}
        seen |= {one.slot for one in rule.every(s.Roll) if not one.secret}
        for node in rule.every(s.Assign):
            variable = game.variables[node.variable]
            read = {one.slot for one in parts(node.value, e.Local)} - {YOU}
            others = next(parts(node.value, (e.Var, e.Call, e.TopCard, e.CardsOn)), None)
            if node.secret and read and read <= seen and others is None:
                text = (
                    f"Everybody sees what is chosen or rolled here, and so knows `{variable.name}`."
                )
                name, hint = variable.name, ""
                if variable.seen == "owner":
                    text += " To choose in secret, write for example:"
                    hint = f"all choose {name} in ... in secret"
                title = f"`{name}` is no secret"
                yield Problem("W922", title, node.span, text, hint)


_CHOOSES = re.compile(r"(.* )?chooses?\b")


def leaks_by_asking(game: Compilation) -> Iterator[Problem]:
    """Choices without `in any case`, where not being asked tells others something about what they
    do not see (W942): secret choices whose answers depend on it, and choices of cards from a hand
    that are put face down.
    """
    checked = game.checked
    asks = ((rule, one) for rule in checked.rules for one in rule.every(s.Ask))
    for rule, ask in asks if len(checked.players) > 1 else ():
        span, is_silent = ask.span, not ask.manner.in_any_case
        if is_silent and span is not None and _CHOOSES.match(span.text):
            if laid_open.hand_laid_open(checked, rule, ask) is not None:
                continue  # the question must be another one
            for why in islice(_what_asking_tells(game, rule, ask), 1):
                text = f"Whoever has one answer is not asked, and here {why}, which others do not"
                text += " see: they learn something about it. Ask all the same:"
                hint = re.sub(r"(?= as \"|$)", " in any case", span.text, count=1)
                yield Problem("W942", "being asked tells a secret", span, text, hint)


def _what_asking_tells(game: Compilation, rule: d.RuleInfo, ask: s.Ask) -> Iterator[str]:
    """What others learn from whether a question is asked."""
    (way, *stop), is_secret = ask.alternatives, ask.manner.secret
    choice, follows = way.choice, rule.body if stop else way.body
    if choice is None:
        return
    if is_secret:
        hidden = _hidden_from_others(game.checked, choice.within)
        yield from (f"its answers depend on `{one}`" for one in hidden)
    if is_secret or _is_laid_face_down(game.checked, follows, choice.slot):
        is_followed = any(one.span == ask.span for one in parts(way.body, s.Ask))
        for name, has_copies in _hands_chosen_from(game, choice):
            if has_copies and not stop:
                yield f"two cards can be alike in `{name}`"
            elif is_followed:
                yield f"what is chosen first decides what is left of `{name}`"


def _hidden_from_others(game: Game, within: e.Expr) -> Iterator[str]:
    """The hidden variables and zones on which the answers depend. A zone does not count if all its
    cards can be chosen, or if they are only counted, as everybody can do that.
    """
    found = [*reached(game, [within], (e.CardsOn, e.TopCard, e.Var, e.Filter), ASKED)]
    is_filtered = any(isinstance(one, e.Filter) for one in found)
    counted = {id(one.of) for one in reached(game, [within], e.Size, ASKED)}
    for one in found:
        match one:
            case e.CardsOn() if id(one) in counted:
                pass
            case e.Var(base):
                secret = (of for of in game.variables if of.secret != NOTHING)
                yield from (variable.name for variable in secret if variable.base == base)
            case e.TopCard(places):
                yield from (game.places[at].region for at in _hands(game, places))
            case e.CardsOn(places) if is_filtered:
                yield from (game.places[at].region for at in _hands(game, places))


def _hands_chosen_from(game: Compilation, choice: s.Binding) -> Iterator[tuple[str, bool]]:
    """The hands from which cards are chosen, and whether two cards there can be equal."""
    checked = game.checked
    is_card = isinstance(choice.type, t.Card)
    for cards_on in reached(checked, [choice.within], e.CardsOn, ASKED) if is_card else ():
        for hand in _hands(checked, cards_on.places):
            name = checked.places[hand].region
            kind = game.symbols.regions[name].kind
            cards = [checked.cards[one] for one in choice.domain]
            if kind in checked.kinds:
                cards = [one for one in cards if checked.kinds[one.kind] == kind]
            yield name, len({one.same for one in cards}) < len(cards)


def _is_laid_face_down(
    game: Game, block: s.Block, slot: int, callers: frozenset[int] = frozenset()
) -> bool:
    """Whether the card in a slot, or all cards except it, is put where others do not see it, in
    this block or in a rule that is called with it.
    """
    moves, card = parts(block, s.MoveCards), e.Local(slot)
    unseen = tuple(one.cards for one in moves if _is_unseen(game, one))
    if any(card in one.items for one in parts(unseen, e.MakeSet)):
        return True
    calls = (one for one in parts(block, s.Do) if one.rule not in callers)
    return any(
        _is_laid_face_down(game, game.rules[call.rule].body, param, callers | {call.rule})
        for call in calls
        for param, passed in enumerate(call.arguments, 1)
        if passed == card
    )


def _is_unseen(game: Game, move: s.MoveCards) -> bool:
    """Whether cards are put face down."""
    usual = {game.places[one].facing for one in some_places(move.place, Bound())}
    return "down" in (move.facing, *([] if move.facing else usual))


def _hands(game: Game, places: e.Expr) -> Iterator[int]:
    """The places, of those that an expression names, whose cards only some players see."""
    return (
        one for one in some_places(places, Bound()) if game.places[one].seen in ("owner", "others")
    )


# ---- unseen cards ----


def unseen_cards(game: Game) -> Iterator[Problem]:
    """Choices about a card from a pile that nobody has ever looked into (W931)."""
    hidden = _hidden_piles(game)
    for rule in game.rules if hidden else ():
        bound = bindings(game, rule)
        for let in rule.every(s.Let):
            card = e.Local(let.slot)
            piles = {*_piles(card, bound)}
            if piles and piles <= hidden and _is_left_to_choose(game, rule.body, card):
                zone = game.places[min(piles)].region
                text = f"It lies face down on `{zone}`, so whoever chooses what becomes of it does"
                text += " not know which card it is. Show it first:"
                named = re.match(r"let (\w+) be\b", let.span.text) if let.span else None
                hint = f"reveal {named[1]}" if named else ""
                yield Problem("W931", "nobody has seen this card", let.span, text, hint)


def _hidden_piles(game: Game) -> set[int]:
    """The zones whose cards nobody sees, to which nothing is moved and from which nothing is shown;
    none at all if cards are shown whose place is unknown.
    """
    hidden = {
        at for at, one in enumerate(game.places)
        if one.is_zone and one.facing == "down"
        and not any(one.shows(player, up=False) for player in range(len(game.players)))
    }  # fmt: skip
    for rule in game.rules:
        bound = bindings(game, rule)
        for put in rule.every(s.MoveCards):
            hidden -= _places(rule, put.place, bound, hidden)
        shown = [one.cards for one in rule.every(s.Reveal)]
        shown += [one.cards for one in rule.every(s.Turn)]
        for cards in shown:
            for place in map(lies_on, origins(cards, bound)):
                hidden -= hidden if place is None else _places(rule, place, bound, hidden)
    return hidden


def _places(rule: d.RuleInfo, place: e.Expr, bound: Bound, zones: set[int]) -> set[int]:
    """The possible places of an expression; all of the zones, if it is an unknown zone."""
    found = set[int]()
    for one in origins(place, bound):
        values = constants(one)
        kind = rule.slots[one.slot] if isinstance(one, e.Local) else None
        is_space = isinstance(kind, t.Place) and not kind.is_zone
        found |= {*values} if values is not None else set() if is_space else zones
    return found


def _piles(card: e.Expr, bound: Bound) -> Iterator[int]:
    """The places of whose top or bottom card an expression is certainly one; none if it may be
    another card.
    """
    found = [*origins(card, bound)]
    for one in found if all(isinstance(each, e.TopCard | e.BottomCard) for each in found) else ():
        if isinstance(one, e.TopCard | e.BottomCard):
            yield from (constants(one.place) or ())


def _is_left_to_choose(game: Game, body: s.Block, card: e.Expr) -> bool:
    """Whether everything that is done with a card is in one question with several ways to use
    it.
    """
    used = (s.MoveCards, s.Reveal, s.Turn, s.Do, s.DoAction)
    done = sum(_uses(one, card) for one in within(body, used))
    for ask in within(body, s.Ask):
        ways = [way.body for way in ask.alternatives if _uses(way.body, card)]
        if len(ways) > 1:
            return done == sum(_uses(one, card) for one in within(tuple(ways), used))
    return False


def _uses(node: object, card: e.Expr) -> bool:
    return any(one == card for one in parts(node, e.Local))

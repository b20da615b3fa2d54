"""Warns of what the steps of a loop change and the loop evaluates again: sets, shares of what is
divided, the numbers of cards, and cards that are handed round (W938).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from textwrap import dedent, indent

from targi_dsl.compiler.layers.changes import blocks
from targi_dsl.compiler.lints.asked import Asked, names_read, reads
from targi_dsl.compiler.symbols.mentions import mentions
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span


def warnings(tree: n.Node, asked: Asked, zones: Mapping[str, n.Zone]) -> Iterator[Problem]:
    """The warnings about the loops of a tree."""
    yield from _handed_round(tree, zones)
    yield from tree.derived(_moved_up)
    yield from _found_again(tree, asked)
    yield from _divided_anew(tree, asked)


def _moved_up(tree: n.Node) -> tuple[Problem, ...]:
    """`each i in 1..3: put card i of ZONE on ...`: each step renumbers the cards (W938)."""
    found = list[Problem]()
    for loop in tree.every(n.Each):
        cards = [one for one in loop.every(n.Of) if _is_card(one, loop.name.text)]
        lets = {one.name.text: one.value for one in loop.every(n.Let) if one.value in cards}
        last = [
            one
            for block in blocks(loop.body)
            for one, after in pairwise(block)
            if isinstance(after, n.Stop | n.EndGame)
        ]
        for step in (one for one in loop.every(n.Put) if one not in last):
            card = lets.get(step.card.span.text, step.card)
            if card in cards and isinstance(card, n.Of) and card.subject is not None:
                number, zone = loop.name.text, card.subject.span.text
                one = "d" if number == "c" else "c"
                which = f"any ({number} in {loop.within.span.text} where {card.span.text} is {one})"
                text = "The next card has this number then, and is left out. Move all at once,"
                text += f" with what else must hold of `{one}` behind an `and`:"
                hint = f"put ({one} in {zone} where {which}) {step.where} {step.place.span.text}"
                title = "the cards move up at each step"
                found.append(Problem("W938", title, step.span, text, hint))
    return tuple(found)


def _is_card(of: n.Of, number: str) -> bool:
    """Whether it is `card NUMBER of ZONE`."""
    return of.name.text == "card" and isinstance(of.index, n.Name) and of.index.text == number


def _handed_round(tree: n.Node, zones: Mapping[str, n.Zone]) -> Iterator[Problem]:
    """`each player: put top of your hand on hand of next of you`: each hands on the card that he
    has just got (W938); and so each may if a card is chosen for nothing else.
    """
    loops: list[n.Each | n.EachPlayer] = [*tree.every(n.EachPlayer), *tree.every(n.Each)]
    for loop in loops:
        name = "you" if isinstance(loop, n.EachPlayer) else loop.name.text
        moves: list[n.Put | n.Draw] = [*loop.every(n.Put), *loop.every(n.Draw)]
        for step in moves:
            match step.place:
                case n.Of(n.Word(to), None, n.Of(n.Word("next" | "previous"), None, whose)) if (
                    whose.span.text == name and to in zones
                ):
                    pass
                case n.Of(n.Word(to), None, n.Keyword("opponent")) if name == "you" and to in zones:
                    pass
                case _:
                    continue
            own = f"your {to}" if name == "you" else f"{to} of {name}"
            if own not in _lying_on_top(step, loop):
                continue
            kept = own.replace(to, "handed_on", 1)
            head, _, steps = loop.span.text.replace(step.place.span.text, kept).partition("\n")
            body = f"\n{indent(dedent(steps), '  ')}" if steps else ""
            zone = zones[to].span.text.replace(to, "handed_on", 1)
            text = f"Each has first got what the one before handed on. Declare `{zone}`, and write:"
            again = f"{head.partition(':')[0]}: put {kept} on {step.place.span.text}"
            title = "what is handed on here is handed on again"
            yield Problem("W938", title, step.span, text, f"{head}{body}\n{again}")


def _lying_on_top(step: n.Put | n.Draw, loop: n.Each | n.EachPlayer) -> Collection[str]:
    """The zone from which a step takes all cards, or those that were put there last, or where its
    card has been chosen for nothing else.
    """
    match step, loop.body:
        case n.Draw(), _:
            return (step.source.span.text,)
        case n.Put(n.Unary("top", zone), "on") | n.Put(n.Unary("bottom", zone), "under"), _:
            return (zone.span.text,)
        case n.Put(card), (n.Choose(name=n.Word(chosen), within=zone), _) if (
            card.span.text == chosen
        ):
            return (zone.span.text,)
        case n.Put(card), _:
            return (card.span.text,)


_CHANGING = (n.Gain, n.Lose, n.Pay, n.Transfer, n.Assign)


def _found_again(tree: n.Node, asked: Asked) -> Iterator[Problem]:
    """Loops over a set whose condition depends on what their steps change (W938): `each x in S
    where F of x is highest F of ...`, if F is changed.
    """
    loops: list[tuple[frozenset[str], tuple[n.Expr | None, ...], Collection[n.Node]]] = [
        (frozenset({one.name.text}), (one.within, one.condition), one.body)
        for one in tree.every(n.Each)
    ]
    for step in tree.every(n.Assign):
        match step.target:
            case n.Of(subject=n.Those() as within):
                loops.append((frozenset(), (within,), (step,)))
    for own, within_which, body in loops:
        changes = (step for part in body for kind in _CHANGING for step in part.every(kind))
        named = (name for step in changes for name in _written(step))
        several = frozenset(asked.plurals.get(name, name) for name in named)
        changed = several - own - asked.fields.keys()
        for part in (one for one in within_which if one is not None):
            bound_ = own.union(one.name.text for one in part.every(n.Those))
            for fold in part.every(n.Fold):
                is_free = bound_.isdisjoint(names_read(fold) - {fold.those.name.text})
                names = changed & asked.by(names_read(fold))
                yield from _compared_anew(fold.span, names, is_free)
            for one in part.derived(mentions):
                is_set = one.span == part.span  # no name can be given to it
                yield from _compared_anew(one.span, changed & asked.compared(one.name), not is_set)


def _compared_anew(span: Span, changed: frozenset[str], is_free: bool) -> Iterator[Problem]:
    """The warning about an expression that is evaluated again after these names change. `is_free`:
    whether it could be named before the loop.
    """
    if changed:
        text = f"Each step changes {' and '.join(sorted(changed))}, and then this is worked out"
        text, hint = f"{text} anew, so that others may be meant.", ""
        if is_free:
            text += " To do so once, write before it, and then `at_first` instead:"
            hint = f"let at_first be {span.text}"
        yield Problem("W938", "this changes at each step", span, text, hint)


_ALTERING = (n.Do, n.Draw, n.Move, n.Outcome, n.Place, n.Put, n.RemovePieces, n.Swap)
"""Statements after which there may be more or fewer of what a divisor counts."""


def _divided_anew(tree: n.Node, asked: Asked) -> Iterator[Problem]:
    """`each p in players: p takes (coins of pot / 2) coins from pot`: all but the first get a share
    of what is left.
    """
    found = dict[Span, Problem]()
    loops: list[n.Each | n.EachPlayer] = [*tree.every(n.Each), *tree.every(n.EachPlayer)]
    for loop in loops:
        moved = [(one, _held(one, loop)) for one in loop.every(n.Transfer)]
        for step, held in moved:
            others = [those for one, those in moved if one is not step]
            if step.quantity is None or any(held & those for those in others):
                continue
            names = asked.by(step.quantity.derived(names_read)) & asked.defines.keys()
            plain = (asked.defines[name] for name in names if not asked.defines[name].params)
            for value in (step.quantity, *(one.value for one in plain)):
                for share in value.every(n.Binary):
                    divided = held & {one.span.text for one in share.left.walk()}
                    if share.op == "/" and divided and _is_equal(share, step, loop, asked):
                        whole = step.quantity.span
                        named = min(divided) if _is_own(step.quantity, loop) else whole.text
                        found[whole] = _shared_anew(whole, min(divided), named)
    yield from found.values()


def _shared_anew(span: Span, held: str, named: str) -> Problem:
    text = f"Each step changes `{held}`, so that all but the first get a share of what is left."
    text += " If that is meant, give it a name in the loop; if not, write before the loop, and"
    text += " then `at_first` instead:"
    return Problem("W938", "this changes at each step", span, text, f"let at_first be {named}")


def _held(step: n.Transfer, loop: n.Each | n.EachPlayer) -> frozenset[str]:
    """The amounts that a transfer changes, as rules name them, where they are the same in each
    step of a loop.
    """
    ends = [one for one in (step.source, step.target) if one and not isinstance(one, n.Supply)]
    said = [one.span.text for one in ends if not _is_own(one, loop)]
    return frozenset(f"{step.resource.text} {word} {one}" for one in said for word in ("of", "on"))


def _is_equal(share: n.Binary, step: n.Transfer, loop: n.Each | n.EachPlayer, asked: Asked) -> bool:
    """Whether equal shares seem meant: the divisor is the same in each step of the loop, and if it
    is a number, each of the players takes a share in any case.
    """
    if isinstance(share.right, n.Number):
        always = [one.statement if isinstance(one, n.By) else one for one in loop.body]
        is_of_all = isinstance(loop, n.EachPlayer) or any(
            one.text == "players" for one in loop.within.every(n.Keyword)
        )
        return is_of_all and any(one is step for one in always)
    changes = [one for kind in _CHANGING for one in loop.every(kind)]
    changed = frozenset[str]().union(*map(_written, changes))
    is_altered = any(one for kind in _ALTERING for one in loop.every(kind))
    is_read = changed & asked.by(share.right.derived(names_read))
    return not (is_altered or is_read or _is_own(share.right, loop))


def _is_own(node: n.Node, loop: n.Each | n.EachPlayer) -> bool:
    """Whether something may be another in each step of a loop."""
    if isinstance(loop, n.Each):
        return reads((node,), loop.name)
    is_said = any(one.text in ("you", "opponent") for one in node.every(n.Keyword))
    return is_said or any(node.every(n.Your))


def _written(step: n.Node) -> frozenset[str]:
    """The names of what a statement changes."""
    match step:
        case n.Assign(target, _):
            return frozenset({target.name.text}) if isinstance(target, n.Of) else names_read(target)
        case n.Transfer(resource=resource):
            return frozenset({resource.text})
        case _:
            return frozenset(one.resource.text for one in step.every(n.Amount))

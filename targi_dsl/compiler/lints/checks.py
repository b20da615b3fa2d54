"""Checks of a game as a whole. To add one, write a function and add it to a list at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from targi_dsl.compiler.lints import (
    actorless,
    balance,
    cards,
    decks,
    kinds,
    options,
    payments,
    questions,
    rounds,
    unused,
)
from targi_dsl.compiler.lints import sentences as of_sentences
from targi_dsl.compiler.lowering import passing
from targi_dsl.compiler.lowering.abilities import sentences
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import OUTCOME, RuleInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span

_LEFT_TO_CHOOSE = (n.OneOf, n.AnyOrder, n.May, n.Times)
_ASKING = (n.Choose, n.Pay)


def mandatory(game: Compilation) -> Iterator[Problem]:
    """Each rule that is optional in all other calls, and that a module makes mandatory."""
    nodes = [*game.written.declarations]
    added = [
        step
        for node in nodes
        if isinstance(node, n.ExtendRule) and node.anchor is None
        for step in node.body
        if isinstance(step, n.Do) and _is_asking(game, step.rule.text)
    ]
    left, must = _calls((*nodes, *sentences(game.context)) if added else ())
    for step in added:
        name = step.rule.text
        if left.get(name) and must.get(name) == {step.span}:
            text = f"Elsewhere {name} is optional; here it is mandatory. To make it optional:"
            title, hint = f"`{name}` is mandatory here", f"may: {step.span.text}"
            yield Problem("W908", title, step.span, text, hint)


def _is_asking(game: Compilation, name: str) -> bool:
    """Whether a rule itself asks for a choice or a payment."""
    there = game.layers.effective.get(("rule", name))
    body = there.node.body if there is not None and isinstance(there.node, n.Rule) else ()
    return any(isinstance(one, _ASKING) for one in body)


def _calls(nodes: tuple[n.Node, ...]) -> tuple[dict[str, set[Span]], dict[str, set[Span]]]:
    """Where each rule is optional, and where it is mandatory."""
    left, must = dict[str, set[Span]](), dict[str, set[Span]]()
    for node in nodes:
        within = {
            part.span
            for one in node.walk()
            if isinstance(one, _LEFT_TO_CHOOSE) or _offers(one)
            for part in one.walk()
            if isinstance(part, n.Do)
        }
        for part in node.walk():
            if isinstance(part, n.Do):
                there = left if part.span in within else must
                there.setdefault(part.rule.text, set()).add(part.span)
    return left, must


def _offers(node: n.Node) -> bool:
    """`extend rule R after PART offering`"""
    return isinstance(node, n.ExtendRule) and any(
        isinstance(one, n.Alternative) for one in node.body
    )


def unused_parameters(game: Compilation) -> Iterator[Problem]:
    """Warns of parameters that are never read. A definition that only names something has them for
    modules that replace it.
    """
    made, numbers = game.checked, game.context.tables
    for (sort, name), one in game.layers.effective.items():
        match one.node:
            case n.Define(params=params, value=value) if params and not isinstance(value, n.Name):
                parted: object = made.defines[numbers.define_numbers[name]].value
            case n.Rule(params=params) if params:
                parted = _of_rule(made, made.rules[numbers.rule_numbers[name]])
            case _:
                continue
        read = {local.slot for local in parts(parted, e.Local)}
        slot = 1
        for param in params:
            width = passing.width(game.context, param) if sort == "rule" else 1
            slot += width
            if read.isdisjoint(range(slot - width, slot)):
                what = "the rule does" if sort == "rule" else "is defined"
                text = f"It makes no difference to what {what}. Use it, or leave it out."
                title = f"`{param.name.text}` is never used"
                yield Problem("W916", title, param.span, text)


def _of_rule(game: Game, rule: RuleInfo) -> object:
    """What reads the parameters of a rule: its body, its words, and what changes its payments."""
    numbers = (rule.wording, *(way.wording for way in rule.every(s.Alternative)))
    words = (game.wordings[one] for one in numbers if one != NOTHING)
    terms = (game.terms[one.terms] for one in rule.every(s.Pay) if one.terms != NOTHING)
    return rule.body, tuple(words), tuple(terms)


def endless_turns(game: Compilation) -> Iterator[Problem]:
    """Reports `by turns` that nothing can end (E324): no `pass` or `stop` in them, and no rule that
    is done there, no card and no standing ability ends the game or says who is out.
    """
    rules = dict(game.context.nodes(n.Rule))
    others = [*sentences(game.context), *(one for _, one in game.context.nodes(n.Standing))]
    leaving: tuple[type[n.Node], ...] = (n.Pass, n.Stop)
    ends: tuple[type[n.Node], ...] = (n.EndGame, n.Outcome, n.DoAction)
    for turns in (one for rule in rules.values() for one in rule.every(n.ByTurns)):
        if turns.until is not None or any(turns.every(kind) for kind in leaving):
            continue
        done, pending = set[str](), [*turns.body, *others]
        for part in pending:
            called = {one.rule.text for one in part.every(n.Do)} - done
            done |= called
            pending += [step for name in called if name in rules for step in rules[name].body]
        if not any(part.every(kind) for part in pending for kind in ends):
            text = "No `pass` stands in them, and no rule that they do ends the game. Write:"
            title, hint = "these turns never end", "by turns until ..."
            yield Problem("E324", title, turns.span, text, hint)


def abilities_without_effect(game: Compilation) -> Iterator[Problem]:
    """A card from another game's deck may refer to things that this game lacks."""
    ctx = game.context
    for ability, word in ctx.without_effect:
        card = ctx.cards.entries[ctx.tables.abilities[ability].card]
        text = f"`{word.text}` is not part of this game, so this ability never does anything."
        title = f"`{card.entry.id}` has no effect here"
        yield Problem("W901", title, word.span, text)


def no_outcome(game: Compilation) -> Iterator[Problem]:
    """Reports a game in which nobody can win or lose (E214)."""
    if not game.scores and OUTCOME not in game.context.tables.variables:
        text = "There is no `score`, and no rule says who wins or loses."
        resources = game.symbols.resources
        hint = f"score points: your {resources[0]}" if resources else "everybody wins"
        yield Problem("E214", "the game has no outcome", game.written.span, text, hint)


Check = Callable[[Compilation], Iterator[Problem]]


def _of_made(problems: Callable[[Game], Iterator[Problem]]) -> Check:
    """A check that needs nothing but the finished game."""
    return lambda game: problems(game.checked)


DECK_CHECKS: tuple[Check, ...] = (
    decks.unknown_kinds,
    decks.wrong_numbers,
    decks.too_small,
    decks.unmet_needs,
)
"""Checks of every game."""

ERRORS: tuple[Check, ...] = (
    no_outcome,
    endless_turns,
    _of_made(actorless.nobodys_turn),
    kinds.wrong_kinds,
)
"""Checks of a game without other errors: what seems to be missing may appear once one is fixed."""

WARNINGS: tuple[Check, ...] = (
    abilities_without_effect,
    rounds.endless,
    _of_made(rounds.out_of_range),
    _of_made(rounds.too_long),
    _of_made(cards.leaks),
    cards.impossible_kinds,
    kinds.unlike_backs,
    _of_made(cards.without_effect),
    _of_made(actorless.without_owner),
    mandatory,
    cards.stale_texts,
    _of_made(rounds.unreached),
    unused_parameters,
    _of_made(questions.one_by_one),
    questions.single_answers,
    _of_made(questions.endless_offers),
    _of_made(questions.open_secrets),
    questions.told_by_asking,
    _of_made(questions.unseen_cards),
    unused.in_vain,
    unused.nowhere,
    unused.shared_scores,
    unused.order_of_scores,
    options.idle,
    options.silenced,
    balance.worse_cards,
    payments.unpayable_prices,
    balance.uneven_decks,
    payments.exchanges_in_vain,
    payments.debts,
    decks.unshuffled,
    of_sentences.warnings,
    _of_made(payments.impossible),
)
"""Checks of a game without any error, which might explain what they warn of."""

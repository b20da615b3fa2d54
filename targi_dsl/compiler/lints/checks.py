"""The lists of checks of a whole game. To add one, write a function and add it to the list it
belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from targi_dsl.compiler.lints import (
    actorless,
    balance,
    cards,
    decks,
    edges,
    kinds,
    laid_open,
    options,
    outcomes,
    payments,
    placed,
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

_OPTIONAL = (n.OneOf, n.AnyOrder, n.May, n.Times)
_ASKING = (n.Choose, n.Pay)


def mandatory(game: Compilation) -> Iterator[Problem]:
    """Calls added by a module (W908) of rules that all other calls make optional."""
    nodes = [*game.written.declarations]
    added = [
        step
        for node in nodes
        if isinstance(node, n.ExtendRule) and node.anchor is None
        for step in node.body
        if isinstance(step, n.Do) and _is_asking(game, step.rule.text)
    ]
    optional, required = _calls((*nodes, *sentences(game.context)) if added else ())
    for step in added:
        name = step.rule.text
        if optional.get(name) and required.get(name) == {step.span}:
            text = f"Elsewhere {name} is optional; here it is mandatory. To make it optional:"
            title, hint = f"`{name}` is mandatory here", f"may: {step.span.text}"
            yield Problem("W908", title, step.span, text, hint)


def _is_asking(game: Compilation, name: str) -> bool:
    """Whether a rule asks for a choice or a payment itself."""
    there = game.layers.effective.get(("rule", name))
    body = there.node.body if there is not None and isinstance(there.node, n.Rule) else ()
    return any(isinstance(one, _ASKING) for one in body)


def _calls(nodes: tuple[n.Node, ...]) -> tuple[dict[str, set[Span]], dict[str, set[Span]]]:
    """The calls of each rule: where it is optional, and where it is mandatory."""
    optional, required = dict[str, set[Span]](), dict[str, set[Span]]()
    for node in nodes:
        left = (one for one in node.walk() if isinstance(one, _OPTIONAL) or _offers(one))
        within = {do.span for one in left for do in one.every(n.Do)}
        for do in node.every(n.Do):
            there = optional if do.span in within else required
            there.setdefault(do.rule.text, set()).add(do.span)
    return optional, required


def _offers(node: n.Node) -> bool:
    """Whether a node is `extend rule R after PART offering`."""
    return isinstance(node, n.ExtendRule) and any(
        isinstance(one, n.Alternative) for one in node.body
    )


def unused_parameters(game: Compilation) -> Iterator[Problem]:
    """Warnings (W916) about parameters that are never read. A definition that only returns a name
    may have them for modules that replace it.
    """
    checked, numbers = game.checked, game.context.tables
    for (sort, name), one in game.layers.effective.items():
        match one.node:
            case n.Define(params=params, value=value) if params and not isinstance(value, n.Name):
                tree: object = checked.defines[numbers.define_numbers[name]].value
            case n.Rule(params=params) if params:
                tree = _readers(checked, checked.rules[numbers.rule_numbers[name]])
            case _:
                continue
        read = {local.slot for local in parts(tree, e.Local)}
        slot = 1
        for param in params:
            width = passing.width(game.context, param) if sort == "rule" else 1
            slot += width
            if read.isdisjoint(range(slot - width, slot)):
                what = "the rule does" if sort == "rule" else "is defined"
                text = f"It makes no difference to what {what}. Use it, or leave it out."
                title = f"`{param.name.text}` is never used"
                yield Problem("W916", title, param.span, text)


def _readers(game: Game, rule: RuleInfo) -> object:
    """What can read parameters of a rule: its body, wordings, and terms of payment."""
    numbers = (rule.wording, *(way.wording for way in rule.every(s.Alternative)))
    words = (game.wordings[one] for one in numbers if one != NOTHING)
    terms = (game.terms[one.terms] for one in rule.every(s.Pay) if one.terms != NOTHING)
    return rule.body, tuple(words), tuple(terms)


def endless_turns(game: Compilation) -> Iterator[Problem]:
    """Reports `by turns` that nothing can end (E324): they contain no `pass` or `stop`, and no
    called rule, card or standing ability ends the game or lets a player be out.
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
    """Warnings (W901) about cards written for another game, whose abilities mention what this game
    lacks.
    """
    ctx = game.context
    for ability, word in ctx.without_effect:
        card = ctx.cards.entries[ctx.tables.abilities[ability].card]
        text = f"`{word.text}` is not part of this game, so this ability never does anything."
        title = f"`{card.entry.id}` has no effect here"
        yield Problem("W901", title, word.span, text)


def no_outcome(game: Compilation) -> Iterator[Problem]:
    """Reports a game without scores in which nobody can win or lose (E214)."""
    if not game.scores and OUTCOME not in game.context.tables.variables:
        text = "There is no `score`, and no rule says who wins or loses."
        resources = game.symbols.resources
        hint = f"score points: your {resources[0]}" if resources else "everybody wins"
        yield Problem("E214", "the game has no outcome", game.written.span, text, hint)


Check = Callable[[Compilation], Iterator[Problem]]


def _of_checked(problems: Callable[[Game], Iterator[Problem]]) -> Check:
    """A check that needs only the checked game."""
    return lambda game: problems(game.checked)


DECK_CHECKS: tuple[Check, ...] = (
    decks.unknown_kinds,
    decks.wrong_numbers,
    decks.too_small,
    decks.unmet_needs,
)
"""Checks that also run if there are other errors."""

ERRORS: tuple[Check, ...] = (
    no_outcome,
    endless_turns,
    _of_checked(actorless.nobodys_turn),
    kinds.wrong_kinds,
)
"""Checks that run if there are no other errors, since they report what is missing."""

WARNINGS: tuple[Check, ...] = (
    abilities_without_effect,
    rounds.endless,
    _of_checked(rounds.out_of_range),
    _of_checked(rounds.too_long),
    _of_checked(cards.leaks),
    cards.impossible_kinds,
    kinds.unlike_backs,
    _of_checked(cards.without_effect),
    _of_checked(actorless.without_owner),
    mandatory,
    cards.stale_texts,
    _of_checked(rounds.unreached),
    unused_parameters,
    _of_checked(questions.one_by_one),
    _of_checked(outcomes.winners_who_are_out),
    questions.single_answers,
    _of_checked(questions.endless_offers),
    _of_checked(questions.open_secrets),
    questions.leaks_by_asking,
    _of_checked(questions.unseen_cards),
    laid_open.cards_laid_open,
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
    decks.taken_twice,
    placed.any_of_different,
    decks.unshuffled,
    of_sentences.warnings,
    edges.off_the_board,
    _of_checked(payments.impossible),
)
"""Lints; they run if there are no errors, which might be the cause of what they report."""

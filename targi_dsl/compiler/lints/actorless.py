"""Checks what happens outside of any player's turn: statements that need an acting player are
errors, cards that do not act there get warnings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set

from msgspec.structs import replace

from targi_dsl.compiler.lints.cards import conditions_in_definitions, kinds_by_region, of_abilities
from targi_dsl.compiler.lints.flow import Fold, UseOfYou, bindings, blocks
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_Call = tuple[s.Statement, ...]
"""The call from which a rule is first entered; empty if nothing calls it."""


def nobodys_turn(game: Game) -> Iterator[Problem]:
    """The first statement of each rule that needs a player where it is nobody's turn (E216)."""
    nobodys = _OutsideTurns(game, (game.round, game.setup), follows_actions=True)
    nobodys.run()
    return iter(nobodys.found.values())


class _OutsideTurns(Fold[_Call]):
    """Visits the statements outside of turns. found: the first problem of each rule. asked, done:
    the definitions evaluated and the rules called there, each with the first statement that does
    so.
    """

    def __init__(self, game: Game, rules: tuple[int, ...], follows_actions: bool = False) -> None:
        super().__init__(game)
        self.found: dict[int, Problem] = {}
        self.asked: dict[int, s.Statement] = {}
        self.done: dict[int, s.Statement] = {}
        self._follows_actions = follows_actions
        for rule in rules:
            self.enter(rule, ())

    def inside(self, node: s.Statement, fact: _Call) -> Iterator[tuple[s.Block, _Call]]:
        match node:
            case s.TurnOf(slot, _, body):
                for back in parts(body, s.TurnOf):
                    if back.player == e.Local(slot):
                        yield back.body, fact
            case s.Ask(span=None, alternatives=(itself, *_)):  # offers replacements of a rule
                yield itself.body, fact
            case s.Each() | s.Until() | s.If():
                yield from ((body, fact) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Call, ends: list[_Call]) -> _Call:
        match node:
            case s.Do(rule):
                self.done.setdefault(rule, node)
                self.enter(rule, (node,))
            case s.DoAction(card) if self._follows_actions:
                bound = bindings(self.game, self.game.rules[self.rule])
                self._follow(node, kinds_by_region(self.game).kinds(card, bound))
        uses = [UseOfYou.by(_evaluated(node))]
        if isinstance(node, s.TurnOf):  # what somebody else does may ask for `your coins`
            uses.append(UseOfYou.by(node.body, e.Local(node.slot)))
        for define in {define for one in uses for define in one.passed_to_all(self.game)}:
            self.asked.setdefault(define, node)
        if node.span is not None and self.rule not in self.found:
            asks = isinstance(node, s.Ask | s.Pay | s.Loop)
            if asks or any(one.is_personal(self.game) for one in uses):
                self.found[self.rule] = _unclear_actor(node, node.span, fact)
        return fact

    def _follow(self, node: s.DoAction, kinds: Set[int]) -> None:
        """Enters the actions, of cards of these kinds, that need no player; reports those of the
        others if none is possible.
        """
        actions = zip(self.game.cards, self.game.actions, strict=True)
        found, is_possible = list[Problem](), False
        for action in {at for one, at in actions if one.kind in kinds and at != NOTHING}:
            nobodys = _OutsideTurns(self.game, (action,))
            nobodys.run()
            found += [*nobodys.found.values()]
            if not nobodys.found:
                is_possible = True
                self.done = dict.fromkeys((action, *nobodys.done), node) | self.done
        for one in sorted(found, key=lambda one: (bool(one.labels), found.count(one)))[-1:]:
            if not is_possible:
                labels = (*one.labels, *(Label(span, "from here") for span in (node.span,) if span))
                self.found.setdefault(self.rule, replace(one, labels=labels))


def _evaluated(node: s.Statement) -> object:
    """The expressions that a statement evaluates itself, without nested blocks."""
    match node:
        case s.If(of) | s.Until(_, of) | s.Each(_, of) | s.EachPlayer(_, of) | s.TurnOf(_, of):
            return of
        case s.Ask() | s.Pay() | s.Loop():
            return ()
        case _:
            return node


def without_owner(game: Game) -> Iterator[Problem]:
    """Warnings about abilities that depend on their owner but are used where it is nobody's turn.
    Setup is not considered, as nobody has cards then.
    """
    owned = defaultdict[int, list[int]](list)
    for define, asked in conditions_in_definitions(game):
        if not any(isinstance(one, e.During) for one in asked):
            abilities = [one.ability for one in asked if isinstance(one, e.Active)]
            owned[define] += [one for one in abilities if game.abilities[one].card != NOTHING]
    nobodys = _OutsideTurns(game, (game.round,), follows_actions=True)
    nobodys.run()
    yield from of_abilities(
        game,
        (
            (ability, title, f"Here it is nobody's turn: {text}", (Label(call, "from here"),))
            for ability, title, text, call in (
                *_definition_overrides(game, owned, nobodys.asked),
                *_triggers(game, nobodys.done),
                *_replacements(game, nobodys.done),
            )
            if call is not None
        ),
    )


_Ownerless = tuple[int, str, str, Span | None]
"""An ability, the title and text of its warning, and where it is nobody's turn."""


def _definition_overrides(
    game: Game, changed: Mapping[int, list[int]], asked: Mapping[int, s.Statement]
) -> Iterator[_Ownerless]:
    """Abilities that override, for their owner, a definition that is evaluated there."""
    for number in sorted(changed.keys() & asked.keys()):
        name = game.defines[number].name
        text = f"the card changes `{name}` only for its owner. Ask for it under `each player`, "
        text += "`by turns` or `turn of P`."
        for ability in changed[number]:
            yield ability, f"does not change `{name}` everywhere", text, asked[number].span


def _triggers(game: Game, done: Mapping[int, s.Statement]) -> Iterator[_Ownerless]:
    """Triggers on what their owner or the opponent does, of rules that are called there."""
    for one in game.triggers:
        if one.verb == "do" and one.actor != "anyone" and one.subject in done:
            name, call = game.rules[one.subject].declared, done[one.subject]
            text = f"no player does `{name}`, and the first one counts as having done it. To react "
            text += f"to it whoever has the card, write `when anyone does {name}`."
            yield one.ability, f"waits for `{name}`, which no player does", text, call.span


def _replacements(game: Game, done: Mapping[int, s.Statement]) -> Iterator[_Ownerless]:
    """Replacements of rules that are called there; only the player whose turn it is may choose
    them.
    """
    for rule, call in done.items():
        for ask in game.rules[rule].body[:1]:
            if isinstance(ask, s.Ask) and ask.span is None:
                name = game.rules[rule].declared
                text = f"no player does `{name}`, so only the first one is asked. Do it under "
                text += "`each player`, `by turns` or `turn of P`."
                for one in ask.alternatives[1:]:
                    for active in parts(one.guard, e.Active):
                        title = f"replaces `{name}`, which no player does"
                        yield active.ability, title, text, call.span


def _unclear_actor(node: s.Statement, span: Span, calls: _Call) -> Problem:
    """The problem of a statement, with a repair if it is a whole line."""
    text = "It is nobody's turn here, so it is unclear who is meant: put it under `each player`, "
    text += "`by turns` or `turn of P`."
    labels = tuple(Label(one.span, "from here") for one in calls if one.span is not None)
    alone = not isinstance(node, s.Ask | s.Let | s.TurnOf) and "\n" not in span.text
    before = span.source.line(span.line)[: span.column - 1].rpartition(":")[2].lstrip(' "')
    hint = f"each player: {before}{span.text}" if alone else ""
    if span.text in ("you win", "you lose"):  # `each player: you win` lets the first one win
        outcome = span.text[len("you ") :]
        text = "It is nobody's turn here, so it is unclear who is meant. Say who does, as in "
        text += f"`(p in players where ...) {outcome}`; or all:"
        hint = f"everybody {outcome}s"
    return Problem("E216", "whose?", span, text, hint, labels=labels)

"""Reports what needs a player where it is nobody's turn, and warns of cards that do not act
there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set

from msgspec.structs import replace

from targi_dsl.compiler.lints.cards import conditions_in_definitions, of_abilities, there_in
from targi_dsl.compiler.lints.flow import Fold, UseOfYou, bindings, blocks
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_Call = tuple[s.Statement, ...]
"""The first call that leads to a rule; empty for those that nobody calls."""


def nobodys_turn(game: Game) -> Iterator[Problem]:
    """The first such statement of every rule."""
    nobodys = _Nobodys(game, (game.round, game.setup), follows_actions=True)
    nobodys.run()
    return iter(nobodys.found.values())


class _Nobodys(Fold[_Call]):
    """Visits what is done in nobody's turn. found: the first problem of each rule. asked, done: the
    definitions that are asked for and the rules that are done, each with the first statement that
    does so.
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
            case s.Ask(span=None, alternatives=(itself, *_)):  # a rule that abilities replace
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
                self._follow(node, there_in(self.game).kinds(card, bound))
        uses = UseOfYou.by(_evaluated(node))
        for define in uses.passed_to_all(self.game):
            self.asked.setdefault(define, node)
        if node.span is not None and self.rule not in self.found:
            asks = isinstance(node, s.Ask | s.Pay | s.Loop)
            if asks or uses.is_personal(self.game):
                self.found[self.rule] = _whose(node, node.span, fact)
        return fact

    def _follow(self, node: s.DoAction, kinds: Set[int]) -> None:
        """Takes the actions of cards of some kinds that need no player for what is done here;
        reports them if there are none.
        """
        actions = zip(self.game.cards, self.game.actions, strict=True)
        found, is_possible = list[Problem](), False
        for action in {at for one, at in actions if one.kind in kinds and at != NOTHING}:
            nobodys = _Nobodys(self.game, (action,))
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
    """What a statement itself evaluates, without the blocks in it."""
    match node:
        case s.If(of) | s.Until(_, of) | s.Each(_, of) | s.EachPlayer(_, of) | s.TurnOf(_, of):
            return of
        case s.Ask() | s.Pay() | s.Loop():
            return ()
        case _:
            return node


def without_owner(game: Game) -> Iterator[Problem]:
    """A warning for each ability that means its owner where it is nobody's turn. During the setup
    nobody has a card yet.
    """
    changed = defaultdict[int, list[int]](list)
    for define, asked in conditions_in_definitions(game):
        if not any(isinstance(one, e.During) for one in asked):
            abilities = [one.ability for one in asked if isinstance(one, e.Active)]
            changed[define] += [one for one in abilities if game.abilities[one].card != NOTHING]
    nobodys = _Nobodys(game, (game.round,), follows_actions=True)
    nobodys.run()
    yield from of_abilities(
        game,
        (
            (ability, title, f"Here it is nobody's turn: {text}", (Label(call, "from here"),))
            for ability, title, text, call in (
                *_changing(game, changed, nobodys.asked),
                *_waiting(game, nobodys.done),
                *_replacing(game, nobodys.done),
            )
            if call is not None
        ),
    )


_Ownerless = tuple[int, str, str, Span | None]
"""An ability, what is to be told of it, and the place where it is nobody's turn."""


def _changing(
    game: Game, changed: Mapping[int, list[int]], asked: Mapping[int, s.Statement]
) -> Iterator[_Ownerless]:
    """Abilities that change what a definition is for their owner, and are asked for there."""
    for number in sorted(changed.keys() & asked.keys()):
        name = game.defines[number].name
        text = f"the card changes `{name}` only for its owner. Ask for it under `each player`, "
        text += "`by turns` or `turn of P`."
        for ability in changed[number]:
            yield ability, f"does not change `{name}` everywhere", text, asked[number].span


def _waiting(game: Game, done: Mapping[int, s.Statement]) -> Iterator[_Ownerless]:
    """Triggers on what their owner, or the opponent, does."""
    for one in game.triggers:
        if one.verb == "do" and one.actor != "anyone" and one.subject in done:
            name, call = game.rules[one.subject].declared, done[one.subject]
            text = f"no player does `{name}`, and the first one counts as having done it. To react "
            text += f"to it whoever has the card, write `when anyone does {name}`."
            yield one.ability, f"waits for `{name}`, which no player does", text, call.span


def _replacing(game: Game, done: Mapping[int, s.Statement]) -> Iterator[_Ownerless]:
    """Replacements of a rule, which only the player whose turn it is may choose."""
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


def _whose(node: s.Statement, span: Span, calls: _Call) -> Problem:
    """The problem of a statement, with a repair if the statement is a line by itself."""
    text = "It is nobody's turn here, so it is unclear who is meant: put it under `each player`, "
    text += "`by turns` or `turn of P`."
    labels = tuple(Label(one.span, "from here") for one in calls if one.span is not None)
    alone = not isinstance(node, s.Ask | s.Let) and "\n" not in span.text
    before = span.source.line(span.line)[: span.column - 1].rpartition(":")[2].lstrip(' "')
    hint = f"each player: {before}{span.text}" if alone else ""
    if span.text in ("you win", "you lose"):  # of each player, it would be the first one's
        outcome = span.text[len("you ") :]
        text = "It is nobody's turn here, so it is unclear who is meant. Say who does, as in "
        text += f"`(p in players where ...) {outcome}`; or all:"
        hint = f"everybody {outcome}s"
    return Problem("E216", "whose?", span, text, hint, labels=labels)

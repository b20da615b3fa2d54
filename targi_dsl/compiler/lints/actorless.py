"""Reports what needs a player where it is nobody's turn, and warns of cards that do not act
there.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from targi_dsl.compiler.lints.cards import There, conjuncts
from targi_dsl.compiler.lints.flow import Fold, bindings, blocks
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.game import Game
from targi_dsl.ir.walk import parts
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span

_Call = tuple[s.Statement, ...]
"""The first call that leads to a rule; empty for those that nobody calls."""


def nobodys_turn(game: Game) -> Iterator[Problem]:
    """The first such statement of every rule."""
    nobodys = _Nobodys(game)
    nobodys.run()
    return iter(nobodys.found.values())


class _Nobodys(Fold[_Call]):
    """Visits what is done in nobody's turn. found: the first problem of each rule. asked: the
    definitions that are asked for, each with the first statement that does so.
    """

    def __init__(self, game: Game, rules: tuple[int, ...] = ()) -> None:
        super().__init__(game)
        self.found: dict[int, Problem] = {}
        self.asked: dict[int, s.Statement] = {}
        self._personal = _personal(game)
        self._is_of_cards = bool(rules)
        for rule in rules or (game.round, game.setup):
            self.enter(rule, ())

    def inside(self, node: s.Statement, fact: _Call) -> Iterator[tuple[s.Block, _Call]]:
        match node:
            case s.TurnOf(slot, _, body):
                for back in parts(body, s.TurnOf):
                    if back.player == e.Local(slot):
                        yield back.body, fact
            case s.Each() | s.Until() | s.If():
                yield from ((body, fact) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Call, ends: list[_Call]) -> _Call:
        match node:
            case s.Do(rule):
                self.enter(rule, (node,))
            case s.DoAction(card) if not self._is_of_cards:
                self._follow(node, card)
        for define in _called(self.game, _evaluated(node)):
            self.asked.setdefault(define, node)
        if node.span is not None and self.rule not in self.found and self._needs_a_player(node):
            self.found[self.rule] = _whose(node, node.span, fact)
        return fact

    def _follow(self, node: s.DoAction, card: e.Expr) -> None:
        """Reports the actions of cards, if each that can be there needs a player."""
        kinds = There(self.game).kinds(card, bindings(self.game.rules[self.rule]))
        actions = zip(self.game.cards, self.game.actions, strict=True)
        found = list[Problem]()
        for action in {at for one, at in actions if one.kind in kinds and at != NOTHING}:
            nobodys = _Nobodys(self.game, (action,))
            nobodys.run()
            if not nobodys.found:
                return
            found += [*nobodys.found.values()]
        for one in sorted(found, key=lambda one: (bool(one.labels), found.count(one)))[-1:]:
            labels = (*one.labels, *(Label(span, "from here") for span in (node.span,) if span))
            self.found.setdefault(self.rule, replace(one, labels=labels))

    def _needs_a_player(self, node: s.Statement) -> bool:
        match node:
            case s.Ask() | s.Pay() | s.Loop():
                return True
            case _:
                return _asks_for_you(_evaluated(node), self._personal)


def _evaluated(node: s.Statement) -> object:
    """What a statement itself evaluates, without the blocks in it."""
    match node:
        case s.If(of) | s.Until(_, of) | s.Each(_, of) | s.EachPlayer(_, of) | s.TurnOf(_, of):
            return of
        case s.Ask() | s.Pay() | s.Loop():
            return ()
        case _:
            return node


def _called(game: Game, node: object) -> set[int]:
    """The definitions that are asked for where it is nobody's turn, by each other too."""
    found, pending = set[int](), [node]
    for one in pending:
        calls = parts(one, e.Call)
        new = {call.define for call in calls if call.arguments[:1] == (e.Local(YOU),)} - found
        found |= new
        pending += [game.defines[define].value for define in new]
    return found


def without_owner(game: Game) -> Iterator[Problem]:
    """A warning for each card that changes what is asked for where it is nobody's turn."""
    changed = {
        number: found for number in range(len(game.defines)) if (found := _cards(game, number))
    }
    if not changed:
        return
    nobodys, told = _Nobodys(game), set[Span]()
    nobodys.run()
    for number in sorted(changed.keys() & nobodys.asked.keys()):
        for ability in changed[number]:
            info, asking = game.abilities[ability], nobodys.asked[number].span
            if info.span is not None and asking is not None and info.span not in told:
                told.add(info.span)
                name = game.defines[number].name
                title = f"`{game.cards[info.card].entry}` does not change `{name}` everywhere"
                text = f"It does so for its owner, but `{name}` is asked for where it is nobody's"
                text += " turn. Ask for it under `each player`, `by turns` or `turn of P`."
                labels = (Label(asking, "asked for here"),)
                yield Problem("W907", title, info.span, text, "", "warning", labels)


def _cards(game: Game, define: int) -> list[int]:
    """The abilities of cards that change a definition whatever is being done."""
    found = list[int]()
    for change in parts(game.defines[define].value, e.Cond):
        asked = [*conjuncts(change.condition)]
        if not any(isinstance(one, e.During) for one in asked):
            found += [one.ability for one in asked if isinstance(one, e.Active)]
    return [one for one in found if game.abilities[one].card != NOTHING]


def _personal(game: Game) -> set[int]:
    """The definitions that depend on `you`."""
    found, others = set[int](), dict(enumerate(game.defines))
    while more := {one for one, define in others.items() if _asks_for_you(define.value, found)}:
        found |= more
        others = {one: define for one, define in others.items() if one not in more}
    return found


def _asks_for_you(node: object, personal: set[int]) -> bool:
    """Whether an expression depends on `you`, other than by passing it on to a definition that does
    not.
    """
    read = 0
    for one in parts(node, (e.CanDo, e.CanPay, e.Local, e.Call)):
        match one:
            case e.Local(slot):
                read += slot == YOU
            case e.Call(define, arguments):
                read -= define not in personal and arguments[:1] == (e.Local(YOU),)
            case _:
                return True
    return read > 0


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

"""Statements that stand on one line, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lines import NONE, Line, Lines
from targi_dsl.syntax.printer.expressions import (
    BREAK,
    CLAUSE,
    INNER,
    Level,
    bound,
    breakable,
    flat,
    price_or_reference,
    print_amounts,
    print_expression,
    print_price,
    quantity,
    reference,
    resource,
)

Head = n.EachPlayer | n.Each | n.TurnOf | n.ByTurns | n.Repeat | n.RepeatUntil | n.Times
Compound = Head | n.If | n.May | n.OneOf | n.AnyOrder


def wording(words: n.Wording | None) -> str:
    """Words for people, with a blank before them."""
    if words is None:
        return ""
    said = [f"{BREAK}as {words.text.text}"]
    for shown in words.shown:
        when = "" if shown.condition is None else f" if {_condition(shown.condition)}"
        said.append(f"{CLAUSE}shows {shown.text.text}{when}")
    return "".join(said)


def _condition(node: n.Expr) -> str:
    return print_expression(node, Level.DISJUNCTION)


def because(reason: str | None) -> str:
    """The reason of a prohibition, with a blank before it."""
    return "" if reason is None else f'{CLAUSE}because "{reason}"'


def one_line(statement: n.Statement) -> str:
    """A statement that stands on one line, with the words for people that follow it."""
    inner = statement.statement if isinstance(statement, n.By) else statement
    words = inner.wording if isinstance(inner, n.Worded) else None
    return simple(statement) + wording(words)


def simple(statement: n.Statement) -> str:
    """A statement without words for people. Raises ValueError for one that needs several lines."""
    match statement:
        case n.By(who, done):
            return f"{reference(who)} {_verb(done, 's')}"
        case n.Gain() | n.Pay() | n.Lose() | n.Do() | n.LookAt() | n.Choose():
            return _verb(statement, "")
        case n.Transfer():
            return _transfer(statement, "")
        case n.Let(name, value):
            return f"let {name.text} be {breakable(value)}"
        case n.ChooseInSecret(name, within, condition):
            return f"all choose {bound(name, within, condition)} in secret"
        case n.Roll(name, low, high):
            return f"roll {name.text} from {breakable(low)} to {breakable(high)}"
        case n.RollVariable(variable):
            return f"roll {breakable(variable)}"
        case n.Forbid(name, condition, reason):
            return f"forbid {name.text}: {breakable(condition)}{because(reason)}"
        case n.DoAction(card):
            return f"do action of {breakable(card, Level.SUM)}"
        case n.EndGame():
            return "end game"
        case n.Outcome():
            return _outcome(statement)
        case n.Stop():
            return "stop"
        case n.PassBy():
            return "nothing"
        case n.Pass():
            return "pass"
        case n.May(words, body):
            return f"may{wording(words)} ({print_body(body)})"
        case n.OneOf(alternatives, ()) if all(map(is_plain, alternatives)):
            ways = (one.body for one in alternatives if isinstance(one, n.Alternative))
            return f"one of ({' | '.join(map(print_body, ways))})"
        case n.If() | n.OneOf() | n.AnyOrder() | n.Governs():
            raise ValueError(f"{type(statement).__name__} does not fit on one line")
        case _:
            return _effect(statement)


def _verb(statement: n.Statement, ending: str) -> str:
    """What also another player can be said to do; the ending is that of the verb after a name."""
    es = f"e{ending}" if ending else ""
    match statement:
        case n.Gain(price):
            return f"gain{ending} {price_or_reference(price)}"
        case n.Pay(price, to, otherwise):
            rest = "" if to is None else f" to {_operand(to)}"
            rest += "" if otherwise is None else f" otherwise {simple(otherwise)}"
            return f"pay{ending} {price_or_reference(price)}{rest}"
        case n.Lose(amounts):
            return f"lose{ending} {print_amounts(amounts)}"
        case n.Do(rule, arguments):
            given = ", ".join(breakable(one, Level.SUM) for one in arguments)
            return f"do{es} {rule.text}" + (f" with {given}" if given else "")
        case n.LookAt(cards):
            return f"look{ending} at {breakable(cards, Level.SUM)}"
        case n.Choose(several, name, within, condition, at_random):
            count = "" if several is None else f"{'up to ' * several.fewer}{several.number} "
            chance = " at random" * at_random
            return f"choose{ending} {count}{bound(name, within, condition)}{chance}"
        case n.Transfer():
            return _transfer(statement, ending)
        case _:
            raise ValueError(f"nobody else can be said to do {type(statement).__name__}")


def _transfer(transfer: n.Transfer, ending: str) -> str:
    many, what = quantity(transfer.quantity), resource(transfer.resource)
    source, onto, target = transfer.source, transfer.onto, transfer.target
    if isinstance(source, n.Supply):
        assert target is not None
        return f"put {many} {what} {onto} {_operand(target)}"
    if target is None:
        assert source is not None
        return f"take{ending} {many} {what} from {_operand(source)}"
    if source is None:
        return f"put {many} of your {what} {onto} {_operand(target)}"
    return f"move {many} {what} from {_operand(source)} to {_operand(target)}"


def _operand(node: n.Expr) -> str:
    return breakable(node, Level.OPERAND)


def _sum(node: n.Expr) -> str:
    return breakable(node, Level.SUM)


_VERBS = {"won": ("win", "wins"), "lost": ("lose", "loses"), "out": ("are out", "is out")}


def _outcome(outcome: n.Outcome) -> str:
    who = outcome.who
    if outcome.outcome == "drawn":
        return "the game is a draw"
    several, alone = _VERBS[outcome.outcome]
    if who is None:
        return f"everybody {alone}"
    match who:
        case n.Those() | n.Keyword("you" | "players"):
            return f"{reference(who)} {several}"
    return f"{reference(who)} {alone}"


def _effect(effect: n.Effect) -> str:
    match effect:
        case n.Keep(amounts):
            return f"keep at most {print_amounts(amounts)}"
        case n.Exchange(give, take):
            return f"{print_amounts(give)} -> {print_price(take)}"
        case n.Store(amounts):
            return f"store {print_amounts(amounts)} on this"
        case n.Place(piece, space):
            return f"place {piece.text} on {_sum(space)}"
        case n.RemovePieces(pieces):
            return f"remove {_sum(pieces)}"
        case n.Move(piece, space):
            return f"move {_sum(piece)} to {_sum(space)}"
        case n.Swap(card, other):
            return f"swap {breakable(card, Level.LYING)} and {breakable(other, Level.LYING)}"
        case n.Put(n.On(things, places), "on", place, in_any_order, facing):
            way = " in any order" * in_any_order + _facing(facing)
            return f"put {_operand(things)} on {_operand(places)} on {_operand(place)}{way}"
        case n.Put(card, where, place, in_any_order, facing):
            level = Level.OPERAND if where == "on" else Level.PLACED
            way = " in any order" * in_any_order + _facing(facing)
            return f"put {breakable(card, level)} {where} {_operand(place)}{way}"
        case n.Draw(number, source, place, facing):
            way = f"from {_operand(source)} to {_operand(place)}"
            return f"draw {quantity(number)} {way}{_facing(facing)}"
        case n.Deal(number, source, zone, facing):
            way = f"from {_operand(source)} to each {zone.text}"
            return f"deal {quantity(number)} {way}{_facing(facing)}"
        case n.Fill(spaces, source, facing):
            return f"fill {_sum(spaces)} with cards from {_operand(source)}{_facing(facing)}"
        case n.Turn(cards, facing):
            return f"turn {_sum(cards)} face {facing}"
        case n.Shuffle(zone):
            return f"shuffle {_sum(zone)}"
        case n.Reveal(cards):
            return f"reveal {_sum(cards)}"
        case n.Tell(cards, field, value):
            return f"tell which cards in {_sum(cards)} have {field.text} {_operand(value)}"
        case n.Remember():
            return "remember the position"
        case n.Assign(target, value):
            return f"set {_operand(target)} to {breakable(value)}"
        case n.Gain() | n.Lose() | n.Transfer() | n.LookAt():
            return _verb(effect, "")
        case _:
            assert_never(effect)


def _facing(facing: n.Facing) -> str:
    return f", face {facing}" if facing else ""


# ---- what a condition or a repetition governs ----


def head(node: Head) -> str:
    """The head of a block."""
    match node:
        case n.EachPlayer(start, _):
            return "each player" + ("" if start is None else f" from {_sum(start)}")
        case n.Each(name, within, condition, _):
            return f"each {bound(name, within, condition)}"
        case n.TurnOf(player, _):
            return f"turn of {_operand(player)}"
        case n.ByTurns(start, until, _):
            begin = "" if start is None else f" from {_sum(start)}"
            return f"by turns{begin}" + ("" if until is None else f" until {breakable(until)}")
        case n.Repeat(times, _):
            return f"repeat {quantity(times)} times"
        case n.RepeatUntil(condition, _):
            return f"repeat until {breakable(condition)}"
        case n.Times(None, words, _):
            return f"any number of times{wording(words)}"
        case n.Times(limit, words, _):
            assert limit is not None
            return f"up to {breakable(limit)} times{wording(words)}"
        case _:
            assert_never(node)


def print_body(body: Sequence[n.Statement]) -> str:
    """The statements of a block on one line. Raises ValueError if they need several."""
    *most, last = body
    return flat(" then ".join([*map(_unworded, most), _last(last)]))


def _last(statement: n.Statement) -> str:
    match statement:
        case n.If(condition, then, ()):
            return f"if {breakable(condition)}: {print_body(then)}"
        case n.Governs():
            return f"{head(statement)}: {print_body(statement.body)}"
        case _:
            return _unworded(statement)


def _unworded(statement: n.Statement) -> str:
    inner = statement.statement if isinstance(statement, n.By) else statement
    if isinstance(inner, n.Worded) and inner.wording is not None:
        raise ValueError("words for people end a line")
    return simple(statement)


def is_plain(answer: n.Alternative | n.YourAbilities) -> bool:
    """Whether an answer is nothing but what is done."""
    return isinstance(answer, n.Alternative) and not (answer.label or answer.name or answer.wording)


def fits_on_line(body: Sequence[n.Statement]) -> bool:
    """Whether a block can be written on one line."""
    try:
        print_body(body)
    except ValueError:
        return False
    return True


# ---- blocks of statements, over as many lines as they need ----


Answers = Sequence[n.Alternative | n.YourAbilities]


def add_block(printed: Printed, depth: int, block: n.Block) -> None:
    """The statements of a block, each on its own lines."""
    for statement in block:
        add_statement(printed, depth, statement)


def add_statement(printed: Printed, depth: int, statement: n.Statement) -> None:
    """A statement with everything that it governs."""
    written = printed.line_of(statement)
    match statement:
        case n.If():
            _add_if(printed, depth, statement, "", written)
        case n.Governs():
            _add_governed(printed, depth, head(statement), statement.body, written)
        case n.May(words, body):
            _add_governed(printed, depth, f"may{wording(words)}", body, written)
        case n.OneOf(alternatives, otherwise) if _needs_lines(printed, statement):
            printed.add(depth, "one of", written)
            add_answers(printed, depth + 1, alternatives)
            if otherwise:
                _add_otherwise(printed, depth, otherwise)
        case n.AnyOrder(alternatives):
            printed.add(depth, "any of these in any order", written)
            add_answers(printed, depth + 1, alternatives)
        case _:
            printed.add(depth, one_line(statement), written)
    if written is not None:
        printed.note(depth, written.below)


def _add_governed(
    printed: Printed, depth: int, text: str, body: n.Block, written: Line | None, colon: str = ""
) -> None:
    """A head, and the block that it governs on its line or below it."""
    if _goes_on_line(printed, depth, text, body):
        printed.add(depth, f"{text}: {print_body(body)}", written)
    else:
        printed.add(depth, text + colon, written)
        add_block(printed, depth + 1, body)


def _goes_on_line(printed: Printed, depth: int, text: str, body: n.Block) -> bool:
    """Whether a block goes on the line of its head: as it was written, else if it is short."""
    if not fits_on_line(body):
        return False
    match printed.stands_alone(body):
        case None:
            fits = len(STEP * depth) + len(text) + len(": ") + len(print_body(body)) <= WIDTH
            return len(body) == 1 and not isinstance(body[0], Compound) and fits
        case alone:
            return not alone


def _add_if(printed: Printed, depth: int, node: n.If, before: str, written: Line | None) -> None:
    _add_governed(printed, depth, f"{before}if {breakable(node.condition)}", node.then, written)
    if node.otherwise:
        _add_otherwise(printed, depth, node.otherwise)


def _add_otherwise(printed: Printed, depth: int, body: n.Block) -> None:
    written, stands_alone = printed.written.at(body[0].span), printed.stands_alone(body)
    if written is not None and stands_alone:
        written = printed.written.before(written)
    match body:
        case (n.If() as chained,) if not stands_alone:
            _add_if(printed, depth, chained, "otherwise ", written)
        case _:
            _add_governed(printed, depth, "otherwise", body, written)
    if written is not None:
        printed.note(depth, written.below)


# ---- answers to a question ----


def _needs_lines(printed: Printed, question: n.OneOf) -> bool:
    """Whether the answers go on lines of their own."""
    if question.otherwise or not all(map(is_plain, question.alternatives)):
        return True
    bodies = [one.body for one in question.alternatives if isinstance(one, n.Alternative)]
    if any(len(body) > 1 or isinstance(body[0], n.If | n.Governs) for body in bodies):
        return False
    return printed.stands_alone(question.alternatives) is not False


def add_answers(printed: Printed, depth: int, answers: Answers) -> None:
    """The answers to a question, each on its own lines."""
    for answer in answers:
        written = printed.line_of(answer)
        match answer:
            case n.YourAbilities():
                printed.add(depth, "your abilities", written)
            case n.Alternative(label=n.Word(text), wording=words, body=body):
                _add_governed(printed, depth, text + wording(words), body, written, ":")
            case n.Alternative(_, n.Word() as name, within, condition, words, body):
                assert within is not None
                text = f"each {bound(name, within, condition)}{wording(words)}"
                printed.add(depth, f"{text}: {print_body(body)}", written)
            case n.Alternative(body=(done,), wording=words):
                printed.add(depth, one_line(done) + wording(words), written)
            case n.Alternative():
                raise ValueError("an answer of several steps needs a name")
            case _:
                assert_never(answer)
        if written is not None:
            printed.note(depth, written.below)


# ---- abilities as text ----


def print_ability(node: n.Ability) -> str:
    """The sentence of a card, on one line."""
    return f"{', '.join(map(_scope, node.scopes))}: {_ability_body(node.body)}"


def _scope(scope: n.Scope) -> str:
    match scope:
        case n.OnArrival():
            return "once"
        case n.Always():
            return "always"
        case n.AtEnd():
            return "at end"
        case n.OncePer(period):
            return f"once per {period.text}"
        case n.InsteadOf(rule):
            return f"instead of {rule.text}"
        case n.When(actor, verb, name, kind):
            ending = "" if actor == "you" else "es" if verb == "do" else "s"
            giver = "" if kind is None else f" from a {kind.text}"
            return f"when {actor} {verb}{ending} {name.text}{giver}"
        case n.EvenEarlier(period):
            return f"even earlier this {period.text}"
        case _:
            assert_never(scope)


def _ability_body(body: n.AbilityBody) -> str:
    match body:
        case n.EffectBody(block):
            return print_body(block)
        case n.ScoreBody(value):
            return f"score {print_expression(value)}"
        case n.Ignore(forbid, condition):
            return f"ignore {forbid.text}{_if(condition)}"
        case n.Reduce(rule, amounts, condition):
            return f"{rule.text} costs {print_amounts(amounts)} less{_if(condition)}"
        case n.Becomes(define, value, by, condition):
            change = f"{print_expression(value, Level.DISJUNCTION)} {by}".rstrip()
            return f"{define.text} becomes {change}{_if(condition)}"
        case n.AlsoOffers(rule, block):
            return f"{rule.text} also offers {print_body(block)}"
        case n.Substitute(rule, paid, owed, condition):
            change = f"{print_amounts(paid)} may replace {print_amounts(owed)}"
            return f"in {rule.text}, {change}{_if(condition)}"
        case n.StoredPays(resource, rule):
            return f"stored {resource.text} pays for {rule.text}"
        case _:
            assert_never(body)


def _if(condition: n.Expr | None) -> str:
    if condition is None:
        return ""
    return f" if {print_expression(condition, Level.DISJUNCTION)}"


# ---- lines: indentation, comments, and lines that are too long ----


WIDTH = 120
"""The most characters of a line that can be broken."""
STEP = "  "
_BEFORE_COMMENT = "   "


class Printed:
    """The lines of a declaration as they are printed. Comments, sources and the choice between one
    line and several come from the lines as written; without these there are none.
    """

    def __init__(self, written: Lines = NONE) -> None:
        self.written = written
        self.lines: list[str] = []

    def line_of(self, node: n.Node) -> Line | None:
        """The line that begins with a node, as written."""
        return self.written.begun_by(node.span)

    def stands_alone(self, body: tuple[n.Node, ...]) -> bool | None:
        """Whether the first part of a block begins a line as written; None if that is not known."""
        if self.written is NONE:
            return None
        return self.line_of(body[0]) is not None

    def add(self, depth: int, text: str, written: Line | None) -> None:
        """A line with the comments above and beside it, and its source."""
        indent = STEP * depth
        if written is not None:
            self.note(depth, written.above)
            *others, beside = ("", *written.beside)
            self.note(depth, filter(None, others))
            text += f"{CLAUSE}source {written.source}" if written.source else ""
            self.lines += broken(text, indent)
            self.lines[-1] += f"{_BEFORE_COMMENT}{beside}" if beside else ""
        else:
            self.lines += broken(text, indent)

    def note(self, depth: int, comments: Iterable[str]) -> None:
        """Comments on lines of their own, and blank lines."""
        self.lines += (f"{STEP * depth}{one}" if one else "" for one in comments)


def broken(text: str, indent: str) -> Iterator[str]:
    """A line, broken before some of its clauses if it is too long; within parentheses only if that
    is not enough.
    """
    if len(indent) + len(text) <= WIDTH:
        yield indent + flat(text)
        return
    deeper = indent + 2 * STEP
    for clause in text.split(CLAUSE):
        parts = clause.split(BREAK)
        if any(len(deeper) + len(part) > WIDTH for part in parts):
            parts = re.split(f"[{BREAK}{INNER}]", clause)
        line, *parts = parts
        for part in parts:
            if len(indent) + len(line) + 1 + len(part) <= WIDTH:
                line += f" {part}"
            else:
                yield indent + flat(line)
                line, indent = part, deeper
        yield indent + flat(line)
        indent = deeper

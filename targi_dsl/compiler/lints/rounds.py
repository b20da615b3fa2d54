"""Warns of games that never end, of unreachable statements, of variables that can leave their
range, and of ranges with too many numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from targi_dsl.compiler.lints.flow import ASKED, Bound, Fold, blocks, origins, reached
from targi_dsl.compiler.lowering.context import Compilation
from targi_dsl.compiler.lowering.questions import MOST_ANSWERS
from targi_dsl.ir import declarations as d
from targi_dsl.ir import expressions as e
from targi_dsl.ir import statements as s
from targi_dsl.ir import types as t
from targi_dsl.ir.expressions import COMPARISONS
from targi_dsl.ir.game import Game
from targi_dsl.ir.inference import Inference
from targi_dsl.ir.walk import parts, rewritten, within
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen


def endless(game: Compilation) -> Iterator[Problem]:
    """A warning (W902) if there is no `end game`, or if the rules cannot reach it."""
    title, ends = "the game never ends", [*parts(game.checked.rules, s.EndGame)]
    if not ends:
        text = "Rounds are repeated until a rule says `end game`, and none does."
        yield Problem("W902", title, game.written.span, text, "end game")
        return
    fold = _Reached(game.checked)
    fold.run()
    if fold.comes_to_an_end:
        return
    never = fold.never
    conditions = [one for one, skipped in never if any(within(skipped, s.EndGame))]
    conditions = conditions or [one for one, _ in never]
    read = [var.base for one in conditions for var in reached(game.checked, (one,), e.Var, ASKED)]
    asked = [fold.unchanged[base] for base in dict.fromkeys(read) if base in fold.unchanged]
    text = "The condition for it is never true."
    if asked:
        names = " or ".join(f"`{one.name}`" for one in asked)
        text = f"No rule sets {names}, so this never happens."
    truths = [one.name for one in asked if isinstance(one.type, t.Truth)]
    hint = f"set {truths[0]} to yes" if truths else ""
    yield Problem("W902", title, ends[0].span, text, hint)


class _Reached(Fold[bool]):
    """Visits everything except blocks whose condition is certainly false.

    never: these conditions, each with the block that it excludes. unchanged: the variables that are
    never set, by base.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        changed = {one.variable for rule in game.rules for one in rule.every(s.Assign)}
        self.unchanged = {
            variable.base: variable
            for number, variable in enumerate(game.variables)
            if number not in changed and not variable.holds
        }
        self.never: list[tuple[e.Expr, s.Block]] = []
        self.comes_to_an_end = False
        for number in beginnings(game):
            self.enter(number, True)

    def inside(self, node: s.Statement, fact: bool) -> Iterator[tuple[s.Block, bool]]:
        match node:
            case s.If(condition, then, otherwise):
                holds = self._holds(condition)
                ways = [(condition, then, holds is not False), (condition, otherwise, not holds)]
            case s.Ask(_, alternatives, otherwise):
                ways = [(one.guard, one.body, self._holds(one.guard) is not False)
                        for one in alternatives]  # fmt: skip
                ways.append((e.Const(1), otherwise or (), True))
            case _:
                yield from super().inside(node, fact)
                return
        for condition, body, is_entered in ways:
            if is_entered:
                yield body, fact
            elif body:
                self.never.append((condition, body))

    def after(self, node: s.Statement, fact: bool, ends: list[bool]) -> bool:
        match node:
            case s.EndGame():
                self.comes_to_an_end = True
            case s.Do(rule):
                self.enter(rule, fact)
        return fact

    def _holds(self, node: e.Expr) -> bool | None:
        """The constant value of a condition; None if it depends on the position."""
        match node:
            case e.Not(inner):
                holds = self._holds(inner)
                return None if holds is None else not holds
            case e.All(several):
                return _all([self._holds(one) for one in several])
            case e.AnyOf(several):
                return self._holds(e.Not(e.All(tuple(map(e.Not, several)))))
            case e.Compare(op, left, right):
                values = self._value(left), self._value(right)
                return None if None in values else COMPARISONS[op].holds(*values)
            case _:
                value = self._value(node)
                return None if value is None else bool(value)

    def _value(self, node: e.Expr) -> int | None:
        match node:
            case e.Const(int(value)):
                return value
            case e.Var(base, index, missing) if base in self.unchanged:
                start = self.unchanged[base].start
                return start if isinstance(index, e.Const) or missing == start else None
            case e.Call(define, _):
                called = self.game.defines[define].value
                return self._value(called) if isinstance(called, e.Const | e.Var) else None
            case _:
                return None


def beginnings(game: Game) -> list[int]:
    """The rules that no rule calls: setup, round, actions and effects of abilities."""
    declared = {one.name for one in game.declared if one.sort == "rule"}
    called = {one.rule for rule in game.rules for one in rule.every(s.Do)}
    # Undeclared rules belong to cards or abilities.
    others = {n for n, rule in enumerate(game.rules) if rule.name not in declared}
    return sorted({game.setup, game.round, *others} - called)


def _all(holds: list[bool | None]) -> bool | None:
    if False in holds:
        return False
    return None if None in holds else True


class _Course(Frozen):
    """The control flow before a statement. goes_on: whether it is reached. stops: whether the rule
    may have been left before. end: the statement because of which it is not reached.
    """

    goes_on: bool = True
    stops: bool = False
    end: s.Statement | None = None

    def then(self, goes_on: bool, ways: Iterable[_Course] = ()) -> _Course:
        """The control flow after a statement with these branches."""
        end = next((one.end for one in ways if one.end is not None), self.end)
        stops = self.stops or any(one.stops for one in ways)
        return _Course(self.goes_on and goes_on, stops, end)


def unreached(game: Game) -> Iterator[Problem]:
    """A warning (W915) about the first unreachable statement of each rule."""
    onward = _Onward(game)
    onward.run()
    reported = set[int]()
    for rule, node, end in onward.skipped.values():
        if end is not None and node.span not in onward.reached and rule not in reported:
            reported.add(rule)
            yield _behind(node, end)


class _Onward(Fold[_Course]):
    """Visits statements in order, following the control flow."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.reached = set[Span | None]((None,))
        self.skipped: dict[Span | None, tuple[int, s.Statement, s.Statement | None]] = {}
        for number in beginnings(game):
            self.enter(number, _Course())

    def inside(self, node: s.Statement, fact: _Course) -> Iterator[tuple[s.Block, _Course]]:
        return super().inside(node, fact) if fact.goes_on else iter(())

    def after(self, node: s.Statement, fact: _Course, ends: list[_Course]) -> _Course:
        if fact.goes_on:
            self.reached.add(node.span)
        else:
            self.skipped[node.span] = self.rule, node, fact.end
        match node:
            case s.EndGame():
                return _Course(False, fact.stops, node)
            case s.Stop():
                return _Course(False, fact.stops or fact.goes_on, node)
            case s.Leave() | s.NextTurn():
                return _Course(False, fact.stops, node)
            case s.Do(rule) if fact.goes_on:
                self.enter(rule, _Course())
                end = self.end_of(rule)
                comes_back = end is not None and (end.goes_on or end.stops)
                return fact if comes_back else _Course(False, fact.stops, node)
            case s.If():
                return fact.then(any(one.goes_on for one in ends), ends)
            case s.Ask(_, ways, otherwise):
                ends = ends if otherwise is not None else ends[: len(ways)]
                return fact.then(any(one.goes_on for one in ends), ends)
            case _:
                return fact.then(True, ends) if ends else fact


def _behind(node: s.Statement, end: s.Statement) -> Problem:
    spans = [one.span for one in (node, end) if one.span is not None]
    labels = (Label(one, "nothing is done after this") for one in spans[1:])
    hint = "\n".join(one.text for one in spans)
    if len({one.column for one in spans}) > 1 or hint.count("\n") > 1:
        hint = ""
    text = "Put it before what ends the rule" + (":" if hint else ".")
    title, place = "this is never reached", node.span
    return Problem("W915", title, place, text, hint, tuple(labels))


_DEEPEST = 60
"""The longest path of loops and calls that is followed, as more could not be explained."""
_UNLIMITED = 9999  # the bound of amounts and of what has no declared range


def out_of_range(game: Game) -> Iterator[Problem]:
    """A warning (W903) about each variable that can leave its range."""
    types, found = Inference(game), dict[int, Problem]()
    for rule in game.rules:
        for node in rule.every(s.Assign):
            if (problem := _beyond(game, types, rule, node)) is not None:
                found.setdefault(node.variable, problem)
    _Counting(game, types, found).run()
    found |= (certain := _never_in_range(game, types))
    compared = frozenset(_compared_variables(game)) - certain.keys() if found else ()
    return (problem for number, problem in found.items() if number not in compared)


def _never_in_range(game: Game, types: Inference) -> dict[int, Problem]:
    """Warnings about assignments that leave the range in any case: of values outside it, or by
    steps longer than it. They are given even if the variable is compared somewhere.
    """
    found = dict[int, Problem]()
    for rule in game.rules:
        for node in rule.every(s.Assign):
            variable, type_ = game.variables[node.variable], types.of(node.value, rule.slots)
            is_number = isinstance(variable.type, t.Number) and not variable.is_hidden
            if not isinstance(type_, t.Number) or not is_number or variable.bits:
                continue
            low, high = type_.low, type_.high
            match node.value:
                case e.Arith("+" | "-", e.Var(variable.base), e.Const(int(by))):
                    is_outside = abs(by) > variable.high - variable.low
                    low, high = variable.low, variable.high + abs(by)
                case _:
                    is_outside = low > variable.high or high < variable.low
            if is_outside:
                text = f"It leaves its range here: {_range(variable)}."
                low, high = min(low, variable.low), max(high, variable.high)
                found[node.variable] = _problem(variable, node, text, low, high)
    return found


class _Frequency(Frozen):
    """The most times that a statement is executed in one round, and the path of loops and calls to
    it.
    """

    times: int
    path: tuple[s.Statement, ...] = ()

    def within(self, node: s.Statement, times: int) -> _Frequency:
        return _Frequency(min(self.times * times, _UNLIMITED), (*self.path, node))


class _Counting(Fold[_Frequency]):
    """Sums up the steps of counters in one round."""

    def __init__(self, game: Game, types: Inference, found: dict[int, Problem]) -> None:
        super().__init__(game)
        self.types, self.found = types, found
        self.enter(game.round, _Frequency(1))

    def inside(self, node: s.Statement, fact: _Frequency) -> Iterator[tuple[s.Block, _Frequency]]:
        match node:
            case s.Each(_, within):
                fact = fact.within(node, self.types.size(within))
            case s.EachPlayer():
                fact = fact.within(node, len(self.game.players))
            case s.TurnOf():
                fact = fact.within(node, 1)
            case s.Until():
                fact = fact.within(node, _UNLIMITED)
            case s.Loop(_, limit):
                slots = self.game.rules[self.rule].slots
                fact = fact.within(node, self.types.number(limit, slots).high)
        return ((body, fact) for body in blocks(node))

    def after(self, node: s.Statement, fact: _Frequency, ends: list[_Frequency]) -> _Frequency:
        match node:
            case s.Assign(number, _, e.Arith("+" | "-" as op, e.Var(base), e.Const(int(by)))):
                variable, total = self.game.variables[number], fact.times * abs(by)
                too_often = variable.high - variable.low < total < _UNLIMITED
                if base == variable.base and variable.each is None and too_often:
                    total *= 1 if (op == "+") == (by > 0) else -1
                    problem = _too_often(variable, node, fact.path, total)
                    self.found.setdefault(number, problem)
            case s.Do(rule) if len(fact.path) < _DEEPEST and not self._is_within(rule, fact):
                self.enter(rule, fact.within(node, 1))
        return fact

    def _is_within(self, rule: int, fact: _Frequency) -> bool:
        calls = (one.rule for one in fact.path if isinstance(one, s.Do))
        return rule == self.game.round or rule in calls

    def join(self, fact: _Frequency, other: _Frequency) -> _Frequency:
        return other if other.times > fact.times else fact


def _compared_variables(game: Game) -> Iterator[int]:
    """The variables that some condition reads."""
    bases = {one.base: number for number, one in enumerate(game.variables)}
    for node in parts((game.rules, game.defines, game.forbids, game.terms), e.Compare):
        for var in parts(node, e.Var):
            if var.base in bases:
                yield bases[var.base]


def _beyond(game: Game, types: Inference, rule: d.RuleInfo, node: s.Assign) -> Problem | None:
    """A warning if the bounds of an assigned value exceed those of the variable; increments are not
    considered here.
    """
    variable, found = game.variables[node.variable], types.of(node.value, rule.slots)
    reads = {var.base for var in parts(node.value, e.Var)}
    if not isinstance(found, t.Number) or not isinstance(variable.type, t.Number):
        return None
    if variable.base in reads:
        return None
    fits = variable.low <= found.low and found.high <= variable.high
    if fits or found.low <= -_UNLIMITED or found.high >= _UNLIMITED:
        return None
    text = f"This is from {found.low} to {found.high}, but {_range(variable)}."
    low, high = min(found.low, variable.low), max(found.high, variable.high)
    return _problem(variable, node, text, low, high)


def _too_often(
    variable: d.Variable, node: s.Assign, path: tuple[s.Statement, ...], total: int
) -> Problem:
    way = "go up" if total > 0 else "go down"
    text = (
        f"In one round it can {way} by {abs(total)}, but {_range(variable)}."
        " Add a condition, or widen the range:"
    )
    labels = (Label(one.span, "on the way") for one in path if one.span is not None)
    low, high = variable.low + min(total, 0), variable.high + max(total, 0)
    return _problem(variable, node, text, low, high, *labels)


def _range(variable: d.Variable) -> str:
    return f"`{variable.name}` is from {variable.low} to {variable.high}"


def _problem(
    variable: d.Variable, node: s.Assign, text: str, low: int, high: int, *labels: Label
) -> Problem:
    each = f" for each {variable.each.name}" if variable.each is not None else ""
    hint = f"variable {variable.name}{each}: {low} to {high}"
    if low < 0:  # ranges cannot be negative
        text, hint = text.removesuffix(", or widen the range:").removesuffix(".") + ".", ""
    title = f"`{variable.name}` can leave its range"
    return Problem("W903", title, node.span, text, hint, labels)


# ---- ranges with too many numbers ----


def too_long(game: Game) -> Iterator[Problem]:
    """Warnings (W947) about ranges that always have more numbers than play allows; and about ranges
    in questions that can have, by the ranges of variables that are never compared.
    """
    types, told = Inference(game), "These are at least"
    for define in game.defines:
        for range_ in parts(define.value, e.Range):
            if (count := _length(game, types, range_, define.slots)[0]) > MOST_ANSWERS:
                span = next((one.span for one in reversed(define.origins) if one.span), None)
                yield _too_many(span, told, count)
    for rule in game.rules:
        rolled = {e.Range(one.low, one.high): one.span for one in rule.every(s.Roll)}
        lets = {one.slot: one.value for one in rule.every(s.Let)}
        for range_ in (*rolled, *parts(rule.body, e.Range)):
            bounds = (_value(one, lets) for one in (range_.low, range_.high))
            if (count := _length(game, types, e.Range(*bounds), rule.slots)[0]) > MOST_ANSWERS:
                yield _too_many(rolled.get(range_) or _place(rule, range_), told, count)
        for ask in rule.every(s.Ask):
            for range_ in _offered(game, ask):
                least, count = _length(game, types, range_, rule.slots)
                if least <= MOST_ANSWERS < count and not _is_compared(game, rule, range_):
                    yield _too_many(ask.span, "By what is declared, these can be", count)


def _value(bound: e.Expr, lets: Mapping[int, e.Expr]) -> e.Expr:
    """What a bound is set to that is worked out once."""
    return lets.get(bound.slot, bound) if isinstance(bound, e.Local) else bound


def _too_many(span: Span | None, said: str, count: int) -> Problem:
    text = f"{said} {count:,} numbers, and play stops if there are more than {MOST_ANSWERS:,}."
    text += " Narrow the range, or do it in two steps."
    return Problem("W947", "too many numbers", span, text)


def _length(
    game: Game, types: Inference, those: e.Range, slots: Sequence[t.Type]
) -> tuple[int, int]:
    """The least and the greatest count of numbers in a range; the latter is 0 if it is not limited
    by declarations.
    """
    low, high = (types.number(_inlined(game, one), slots) for one in (those.low, those.high))
    is_declared = low.low > -_UNLIMITED and high.high < _UNLIMITED
    return high.low - low.high + 1, (high.high - low.low + 1) * is_declared


def _inlined(game: Game, node: e.Expr) -> e.Expr:
    """The expression with definitions without parameters expanded."""

    def value(one: e.Expr) -> e.Expr:
        match one:
            case e.Call(define, (e.Local(0),)):
                return _inlined(game, game.defines[define].value)
            case _:
                return one

    inlined: e.Expr = rewritten(node, value)
    return inlined


def _place(rule: d.RuleInfo, those: e.Range) -> Span | None:
    """The span of the innermost statement that contains a range."""
    nodes = [*within(rule.body, s.Placed)]
    holds = (one for one in reversed(nodes) if any(part is those for part in parts(one, e.Range)))
    return next((one.span for one in holds), None)


def _offered(game: Game, ask: s.Ask) -> Iterator[e.Range]:
    """The ranges from which a question lets a number be chosen."""
    for way in ask.alternatives:
        if way.choice is not None:
            found = origins(way.choice.within, Bound(defines=game.defines))
            yield from (those for those in found if isinstance(those, e.Range))


def _is_compared(game: Game, rule: d.RuleInfo, those: e.Range) -> bool:
    """Whether a range may be kept short by other things than the ranges of variables and
    parameters: they are compared somewhere, or decide both its ends.
    """
    ends = _inlined(game, those)
    varying = [var.base for var in parts(ends, e.Var)]
    conditions = parts((game.rules, game.defines, game.forbids, game.terms), e.Compare)
    compared = {var.base for one in conditions for var in parts(one, e.Var)}
    is_free = len({*varying}) == len(varying) and compared.isdisjoint(varying)
    return not (is_free and _is_declared(rule, ends))


def _is_declared(rule: d.RuleInfo, node: e.Expr) -> bool:
    match node:
        case e.Range(left, right) | e.Arith(_, left, right):
            return _is_declared(rule, left) and _is_declared(rule, right)
        case e.Local(slot):
            return slot <= rule.params
        case _:
            return isinstance(node, e.Const | e.Var)

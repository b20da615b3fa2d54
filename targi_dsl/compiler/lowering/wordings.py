"""Lowers wordings, the words for people. This is done last, in copies of frames, so that the
program does not depend on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from targi_dsl.compiler.lowering import calls, coercion
from targi_dsl.compiler.lowering.context import Abandoned, Context, Frame, LocalName, Worded
from targi_dsl.ir import expressions as e
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING, YOU
from targi_dsl.ir.walk import parts
from targi_dsl.ir.wordings import Blank, Chosen, Lead, Phrase, Wording
from targi_dsl.syntax import BLANK, blanks, parse_value
from targi_dsl.syntax import ast as n
from targi_dsl.text.source import Span
from targi_dsl.text.structs import FrozenMap

_Binder = e.Filter | e.Map | e.Exists | e.Fold | e.Reached


def number(ctx: Context, node: n.Wording | None, done: n.Do | None = None) -> int:
    """Reserves the number of a wording. Its names are those in scope, or with `done` the parameters
    of the called rule.
    """
    return NOTHING if node is None else _enter(ctx, Worded(_copy(ctx.frame), node, done))


def _enter(ctx: Context, one: Worded) -> int:
    ctx.tables.worded.append(one)
    return len(ctx.tables.worded) - 1


def of_choice(ctx: Context, node: n.Choose, at: int, slot: int, type_: t.Single) -> int:
    """The number of a choice's wording, in which the chosen thing is in `slot`. at: which of
    several it is.
    """
    name, frame, how = node.name.text, _copy(ctx.frame), node.several
    frame.names[name] = LocalName((e.Local(slot), type_), node.name.span)
    is_labelled = frame.chooses != 1 or name in frame.owner.split("_") or len(name) == 1
    is_said = not is_labelled and frame.this is None
    of, fewer = (how.number, how.fewer) if how is not None else (1, False)
    return _enter(ctx, Worded(frame, node.wording, chosen=Chosen(name, is_said, at, of, fewer)))


def of_secret(ctx: Context, node: n.ChooseInSecret, slot: int, type_: t.Single) -> int:
    """The number of the wording of a secret choice, in which the chosen thing is in `slot`."""
    with ctx.within(_copy(ctx.frame)) as frame:
        frame.names[node.name.text] = LocalName((e.Local(slot), type_), None)
        return number(ctx, node.wording)


def _copy(frame: Frame) -> Frame:
    return replace(frame, slots=[*frame.slots], names={**frame.names})


def of_answer(ctx: Context, node: n.Wording | None, body: n.Block) -> int:
    """The number of an answer's wording: its own, or that of the rule that it calls."""
    done = body[0] if body else None
    if node is not None or not isinstance(done, n.Do):
        return number(ctx, node)
    if not ctx.is_declared("rule", done.rule.text):
        return NOTHING
    rule = ctx.node(n.Rule, done.rule.text)
    fits = len(rule.params) == len(done.arguments)
    return number(ctx, rule.wording, done) if fits else NOTHING


def lower(ctx: Context) -> tuple[Wording, ...]:
    """All wordings, by number."""
    return tuple(_lower(ctx, one) for one in ctx.tables.worded)


def words_of_declarations(ctx: Context) -> FrozenMap[str]:
    """The wordings of declarations, by sort and name."""
    nodes = ((" ".join(key), one.node) for key, one in ctx.declared.items())
    worded = ((key, one.wording) for key, one in nodes if isinstance(one, n.Worded))
    texts = ((key, one.text) for key, one in worded if one is not None)
    return FrozenMap((key, text.text[1:-1]) for key, text in texts)


def _lower(ctx: Context, one: Worded) -> Wording:
    before = len(ctx.problems)
    if one.node is None:
        return Wording(None, chosen=one.chosen)
    with ctx.within(_copy(one.frame)) as frame:
        try:
            if one.done is not None:
                frame.names = _arguments(ctx, one.done)
            phrase = _phrase(ctx, one.node.text)
            leads = tuple(_lead(ctx, lead) for lead in one.node.shown)
            return Wording(phrase, leads, len(frame.slots), one.chosen)
        except Abandoned:
            return Wording(None)
        finally:
            if one.done is not None:
                del ctx.problems[before:]  # reported once, with the rule


def _arguments(ctx: Context, done: n.Do) -> dict[str, LocalName]:
    """The parameters of a rule, bound to the arguments of a call."""
    rule = ctx.node(n.Rule, done.rule.text)
    arguments = calls.call_arguments(ctx, done.rule, done.arguments)
    return {
        param.name.text: LocalName((found, calls.param_type(ctx, param)), param.name.span)
        for param, found in zip(rule.params, arguments, strict=True)
    }


def _lead(ctx: Context, node: n.Shown) -> Lead:
    phrase = _phrase(ctx, node.text)
    if node.condition is None:
        return Lead(phrase, None)
    with _unchanged_prices(ctx, node.condition.span):
        value = coercion.truth(ctx, node.condition)
    return Lead(phrase, _blank(node.condition.span.text, value, t.Truth()))


def _phrase(ctx: Context, quoted: n.Quoted) -> Phrase:
    text = quoted.text[1:-1]
    if set("{}") & set(BLANK.sub("", text)):
        why = "Braces contain a value of the rules, for example:"
        ctx.fail("E336", "a brace without a partner", quoted.span, why, '"pay {price}"')
    return Phrase(text, tuple(_blanks(ctx, quoted)))


def _blanks(ctx: Context, quoted: n.Quoted) -> Iterator[Blank]:
    for source in blanks(quoted):
        node: n.Expr | None
        node, problems = ctx.project.sentence(parse_value, source)
        ctx.problems.extend(problems)
        if node is None:
            raise Abandoned
        with _unchanged_prices(ctx, node.span):
            value, type_ = coercion.read(ctx, node, ctx.lower)
        if isinstance(t.element(type_), t.Nothing):
            why = "Braces contain a value: a number, a card, a space ..."
            ctx.fail("E301", "there is nothing to say", node.span, why)
        yield _blank(source.text, value, type_)


def values_in_words(ctx: Context, tree: n.Node) -> Iterator[n.Expr]:
    """The values in braces in the wordings of a tree, as far as they can be parsed."""
    for wording in tree.every(n.Wording):
        for source in (source for quoted in wording.every(n.Quoted) for source in blanks(quoted)):
            node: n.Expr | None
            node, _ = ctx.project.sentence(parse_value, source)
            if node is not None:
                yield node


def _blank(written: str, value: e.Expr, type_: t.Type) -> Blank:
    bound = {one.slot for one in parts(value, object) if isinstance(one, _Binder)}
    read = {one.slot for one in parts(value, e.Local)}
    return Blank(written, value, type_, tuple(sorted(read - bound - {YOU})))


@contextmanager
def _unchanged_prices(ctx: Context, span: Span) -> Iterator[None]:
    """Refuses a wording that would add prices to the game: wordings must not change the program."""
    tables = ctx.tables
    before = len(tables.prices), len(tables.terms)
    yield
    if (len(tables.prices), len(tables.terms)) != before:
        del tables.prices[before[0] :], tables.terms[before[1] :]
        why = "A price that is used nowhere else must be written in words, or defined."
        ctx.fail("E336", "a price in words for people", span, why)

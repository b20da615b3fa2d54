"""From the parts of a statement, an ability or an expression to its node: one line a sentence
frame.
"""

from __future__ import annotations

from collections.abc import Callable

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.parts import (
    Frames,
    Parts,
    Trait,
    every_part,
    first_part,
    given,
    maybe,
    number,
    text,
    title,
    trait,
    traits,
)
from targi_dsl.text.source import Span


def _price(k: Parts, s: Span) -> n.Price:
    extra, reward = traits(k).get("bracket", ((), ()))
    return n.Price(tuple(part for part in k if not isinstance(part, Trait)), extra, reward, span=s)


def _alternative(body: n.Block) -> n.Alternative:
    return n.Alternative(None, None, None, None, body, span=body[0].span.cover(body[-1].span))


def _do(k: Parts, s: Span) -> n.Do | n.DoAction:
    call = k[0]
    if call.kind == "action":
        return n.DoAction(call.value, span=s)
    rule, arguments = call.value
    return n.Do(rule, arguments, span=s)


def _choose(k: Parts, s: Span) -> n.Choose:
    name, within, condition = k[0]
    return n.Choose(name, within, condition, span=s)


def _each(k: Parts, s: Span) -> n.Each:
    name, within, condition = k[0]
    return n.Each(name, within, condition, k[1], span=s)


def _each_alternative(k: Parts, s: Span) -> n.Alternative:
    name, within, condition = k[0]
    return n.Alternative(None, name, within, condition, k[1], span=s)


def _when(k: Parts, s: Span) -> n.When:
    verb, name, kind = k[1]
    return n.When(k[0], verb, name, kind, span=s)


def _otherwise(k: Parts, at: int) -> n.Block:
    return k[at] if len(k) > at else ()


def _binary(op: str) -> Callable[[Parts, Span], n.Expr]:
    return lambda k, s: n.Binary(op, k[0], k[1], span=s)


def _unary(op: str) -> Callable[[Parts, Span], n.Expr]:
    return lambda k, s: n.Unary(op, k[0], span=s)


def _fold(op: str) -> Callable[[Parts, Span], n.Expr]:
    return lambda k, s: n.Fold(op, k[0], k[1], span=s)


def _keyword(text: str) -> Callable[[Parts, Span], n.Expr]:
    return lambda k, s: n.Keyword(text, span=s)


STATEMENTS: Frames = {
    "gain": lambda k, s: n.Gain(None, k[0], span=s),
    "gives": lambda k, s: n.Gain(k[0], k[1], span=s),
    "pay": lambda k, s: n.Pay(k[0], k[1], span=s),
    "exchange": lambda k, s: n.Exchange(k[0], k[1], span=s),
    "store": lambda k, s: n.Store(k[0], span=s),
    "place": lambda k, s: n.Place(k[0], k[1], span=s),
    "take_back": lambda k, s: n.TakeBack(k[0], k[1], span=s),
    "move": lambda k, s: n.Move(k[0], k[1], span=s),
    "put": lambda k, s: n.Put(k[0], k[1], k[2], k[3] or "", span=s),
    "turn": lambda k, s: n.Turn(k[0], k[1], span=s),
    "shuffle": lambda k, s: n.Shuffle(k[0], span=s),
    "reveal": lambda k, s: n.Reveal(k[0], span=s),
    "assign": lambda k, s: n.Assign(k[0], k[1], span=s),
    "let": lambda k, s: n.Let(k[0], k[1], span=s),
    "choose": _choose,
    "roll": lambda k, s: n.Roll(k[0], k[1], k[2], span=s),
    "forbid": lambda k, s: n.Forbid(k[0], k[1], title(k[2]), span=s),
    "do": _do,
    "call_rule": lambda k, s: Trait("rule", (k[0], given(k[1:])), s),
    "call_action": trait("action"),
    "end_game": lambda k, s: n.EndGame(span=s),
    "stop": lambda k, s: n.Stop(span=s),
    "pass_by": lambda k, s: n.PassBy(span=s),
    "one_of_inline": lambda k, s: n.OneOf(tuple(map(_alternative, k)), (), span=s),
    "may_inline": lambda k, s: n.May(k[0], span=s),
    "if_block": lambda k, s: n.If(k[0], k[1], _otherwise(k, 2), span=s),
    "if_line": lambda k, s: n.If(k[0], k[1], (), span=s),
    "otherwise": first_part,
    "each_player": lambda k, s: n.EachPlayer(k[0], k[1], span=s),
    "binding": lambda k, s: (k[0], k[1], k[2]),
    "each": _each,
    "each_line": _each,
    "up_to": lambda k, s: n.Times(k[0], k[1], span=s),
    "any_times": lambda k, s: n.Times(None, k[0], span=s),
    "may": lambda k, s: n.May(k[0], span=s),
    "one_of": lambda k, s: n.OneOf(k[0], _otherwise(k, 1), span=s),
    "any_order": lambda k, s: n.AnyOrder(k[0], span=s),
    "alternatives": every_part,
    "named_alternative": lambda k, s: n.Alternative(k[0], None, None, None, k[1], span=s),
    "each_alternative": _each_alternative,
    "ability_alternatives": lambda k, s: n.YourAbilities(span=s),
    "plain_alternative": lambda k, s: n.Alternative(None, None, None, None, (k[0],), span=s),
    "inline": every_part,
    "action": first_part,
    "price": _price,
    "price_of": first_part,
    "cost": first_part,
    "bracket": lambda k, s: Trait("bracket", (k[0], k[1]), s),
    "amounts": every_part,
    "amount": lambda k, s: n.Amount(k[0], k[1], "", span=s),
    "amount_of_one": lambda k, s: n.Amount(k[0], k[1], "one", span=s),
    "amount_other": lambda k, s: n.Amount(k[0], k[1], "other", span=s),
}

ABILITIES: Frames = {
    "ability": lambda k, s: n.Ability(tuple(k[:-1]), k[-1], span=s),
    "on_arrival": lambda k, s: n.OnArrival(span=s),
    "always": lambda k, s: n.Always(span=s),
    "at_end": lambda k, s: n.AtEnd(span=s),
    "once_per": lambda k, s: n.OncePer(k[0], span=s),
    "instead_of": lambda k, s: n.InsteadOf(k[0], span=s),
    "even_earlier": lambda k, s: n.EvenEarlier(k[0], span=s),
    "when": _when,
    "actor": text,
    "on_gain": lambda k, s: ("gain", k[0], k[1]),
    "on_pay": lambda k, s: ("pay", k[0], None),
    "on_do": lambda k, s: ("do", k[0], None),
    "effect_body": lambda k, s: n.EffectBody(k[0], span=s),
    "score_body": lambda k, s: n.ScoreBody(k[0], span=s),
    "ignore": lambda k, s: n.Ignore(k[0], maybe(k, 1), span=s),
    "reduce": lambda k, s: n.Reduce(k[0], k[1], maybe(k, 2), span=s),
    "becomes": lambda k, s: n.Becomes(k[0], k[1], maybe(k, 2), span=s),
    "also_offers": lambda k, s: n.AlsoOffers(k[0], k[1], span=s),
    "substitute": lambda k, s: n.Substitute(k[0], k[1], k[2], maybe(k, 3), span=s),
    "stored_pays": lambda k, s: n.StoredPays(k[0], k[1], span=s),
    "condition": first_part,
}

EXPRESSIONS: Frames = {
    "conditional": lambda k, s: n.Conditional(k[0], k[1], k[2], span=s),
    "any_of": lambda k, s: n.Logic("or", tuple(k), span=s),
    "all_of": lambda k, s: n.Logic("and", tuple(k), span=s),
    "negate": _unary("not"),
    "some": _unary("any"),
    "none_of": _unary("no"),
    "top": _unary("top"),
    "bottom": _unary("bottom"),
    "count": _unary("count"),
    "first": _unary("first"),
    "equal": _binary("is"),
    "unequal": _binary("is_not"),
    "member": _binary("in"),
    "not_member": _binary("not_in"),
    "at_least": _binary("at_least"),
    "at_most": _binary("at_most"),
    "more_than": _binary("more_than"),
    "less_than": _binary("less_than"),
    "add": _binary("+"),
    "subtract": _binary("-"),
    "multiply": _binary("*"),
    "divide": _binary("/"),
    "union": _binary("plus"),
    "difference": _binary("except"),
    "intersection": _binary("within"),
    "span_of": _binary(".."),
    "different": _fold("different"),
    "sum_of": _fold("sum"),
    "highest": _fold("highest"),
    "lowest": _fold("lowest"),
    "is_kind": lambda k, s: n.IsKind(k[0], k[1], span=s),
    "is_facing": lambda k, s: n.IsFacing(k[0], k[1], span=s),
    "option_is": lambda k, s: n.OptionIs(k[0], k[1], span=s),
    "during": lambda k, s: n.During(k[0], span=s),
    "can_pay": lambda k, s: n.CanPay(k[0], span=s),
    "can_do": lambda k, s: n.CanDo(k[0], tuple(k[1:]), span=s),
    "every": lambda k, s: n.Every(k[0], k[1], span=s),
    "restricted": lambda k, s: n.Those(k[0], k[1], k[2], span=s),
    "on": lambda k, s: n.On(k[0], k[1], span=s),
    "of": lambda k, s: n.Of(k[0], None, k[1], span=s),
    "of_several": lambda k, s: n.Apply(k[0], tuple(k[1:]), span=s),
    "indexed": lambda k, s: n.Of(k[0], k[1], k[2], span=s),
    "number": lambda k, s: n.Number(number(k[0]), span=s),
    "name": lambda k, s: n.Name(k[0].text, span=s),
    "your": lambda k, s: n.Your(k[0], span=s),
    "price_value": lambda k, s: n.PriceValue(k[0], span=s),
    "you": _keyword("you"),
    "opponent": _keyword("opponent"),
    "this": _keyword("this"),
    "nothing": _keyword("nothing"),
    "yes": _keyword("yes"),
    "no": _keyword("no"),
    "all_players": _keyword("players"),
}

SENTENCES: Frames = {**STATEMENTS, **ABILITIES, **EXPRESSIONS}

"""Builds syntax trees from Lark's parse trees: a construct of the grammar becomes the node class of
its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from inspect import get_annotations
from typing import Any, NamedTuple

from lark import Token, Transformer_NonRecursive
from lark.tree import Meta
from msgspec.structs import replace

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lexer import LexicalError
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span, Text

Part = Any
# Only meaningful parts of a construct are kept: words as `Word`, nodes, tuples, and None for an
# omitted part in square brackets.
Parts = list[Part]


class Builder(Transformer_NonRecursive[Token, Any]):
    """Builds the nodes of one text, and collects the names that it introduces, its labels and its
    citations.
    """

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text
        self.new_names: list[n.Word] = []
        self.labels: list[n.Word] = []
        self.citations: list[n.Word] = []

    def __default__(self, data: str, children: Parts, meta: Meta) -> Part:
        if data in ("new_name", "label_name"):
            names = self.new_names if data == "new_name" else self.labels
            names += children
            return children[0]
        if data == "cited":
            self.citations += (
                n.Word(unquoted(one), span=one.span) for one in children if one is not None
            )
            return _LINE_END
        start, end = (0, 0) if meta.empty else (meta.start_pos, meta.end_pos)
        parts = [part for part in children if part is not _LINE_END]
        return _node(data, parts, self._text.span(start, end))

    def __default_token__(self, token: Part) -> n.Word:
        return n.Word(token.value, span=self._text.span(token.start_pos, token.end_pos))


_LINE_END = object()


class _Clause(NamedTuple):
    """A part that is identified by its kind rather than by its position."""

    kind: str
    value: Part
    span: Span


def _node(construct: str, parts: Parts, span: Span) -> Part:
    if construct in _BUILDERS:
        return _BUILDERS[construct](parts, span)
    cls, shapes, given = _construct(construct)
    return cls(**given, **values(shapes, parts), span=span)


# ---- nodes by the annotations of their fields ----


@cache
def _construct(construct: str) -> tuple[type[n.Node], Shapes, dict[str, Part]]:
    """The class of a construct, the annotations of the fields that its parts fill, and the values
    of its other fields.
    """
    cls, given = VARIANTS.get(construct) or (_classes()[construct], {})
    annotations = {
        name: str(one) for base in cls.__mro__ for name, one in get_annotations(base).items()
    }
    shapes = {
        name: MANY if annotations[name].startswith(("tuple[", "Block")) else annotations[name]
        for name in cls.__match_args__
        if name not in given
    }
    return cls, shapes, given


@cache
def _classes() -> dict[str, type[n.Node]]:
    """Node classes by the name of their construct."""
    classes = [one for one in vars(n).values() if isinstance(one, type) and issubclass(one, n.Node)]
    return {construct_name(one): one for one in classes}


@cache
def construct_name(of: type[n.Node]) -> str:
    """The name of the construct of a class: its own in snake case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", of.__name__).lower()


_OPERATORS = (
    ("equal", "is"), ("unequal", "is_not"), ("member", "in"), ("not_member", "not_in"),
    ("one_of_list", "one_of"), ("not_one_of_list", "not_one_of"), ("remainder", "remainder"),
    ("lies_on", "on"), ("lies_not_on", "not_on"),
    ("add", "+"), ("subtract", "-"), ("multiply", "*"), ("divide", "/"), ("interval", ".."),
    ("union", "plus"), ("difference", "except"), ("intersection", "within"),
)  # fmt: skip

# Constructs that share a class, with the values of fields that they fix.
VARIANTS: dict[str, tuple[type[n.Node], dict[str, Part]]] = {
    "resources": (n.Resources, {"group": None}),
    "resource_group": (n.Resources, {}),
    "named_type": (n.Type, {"form": "name", "low": 0, "high": 0}),
    "range_type": (n.Type, {"form": "range", "name": ""}),
    "list_type": (n.Type, {"form": "list", "low": 0, "high": 0}),
    "relation_between": (n.Relation, {"both_ways": False}),
    "changed_field": (n.FieldChange, {"language": None}),
    "changed_words": (n.FieldChange, {}),
    "field_left_out": (n.FieldChange, {"language": None, "values": ()}),
    "most": (n.Rank, {"order": "most"}),
    "least": (n.Rank, {"order": "least"}),
    "layout_region": (n.LayoutTable, {"rows": ()}),
    "layout_space": (n.LayoutCell, {}),
    "layout_gap": (n.LayoutCell, {"region": None, "element": None}),
    **{
        f"look_{what}": (n.LookTrait, {"what": what, "fields": ()})
        for what in ("symbol", "letter", "colour", "shape")
    },
    "look_shows": (n.LookTrait, {"what": "shows", "said": ""}),
    "put_on": (n.Put, {"where": "on"}),
    "put_under": (n.Put, {"where": "under"}),
    "transfer": (n.Transfer, {"onto": ""}),
    "take": (n.Transfer, {"onto": "", "target": None}),
    "give": (n.Transfer, {"source": None}),
    "wins": (n.Outcome, {"outcome": "won"}),
    "loses": (n.Outcome, {"outcome": "lost"}),
    "goes_out": (n.Outcome, {"outcome": "out"}),
    "everybody_wins": (n.Outcome, {"who": None, "outcome": "won"}),
    "everybody_loses": (n.Outcome, {"who": None, "outcome": "lost"}),
    "draw_game": (n.Outcome, {"who": None, "outcome": "drawn"}),
    "done_by": (n.By, {}),
    "any_times": (n.Times, {"limit": None}),
    "named_alternative": (n.Alternative, {"name": None, "within": None, "condition": None}),
    "each_alternative": (n.Alternative, {"label": None}),
    "amount": (n.Amount, {"how": ""}),
    "amount_of_one": (n.Amount, {"how": "one"}),
    "amount_other": (n.Amount, {"how": "other"}),
    **{f"when_{verb}": (n.When, {"verb": verb}) for verb in ("gain", "pay", "do")},
    "the_card": (n.CardNamed, {"all": False}),
    "the_cards": (n.CardNamed, {"all": True}),
    "of": (n.Of, {"index": None}),
    "indexed": (n.Of, {}),
    "any_of": (n.Logic, {"op": "or"}),
    "all_of": (n.Logic, {"op": "and"}),
    **{
        construct: (n.Unary, {"op": op})
        for construct, op in (("negate", "not"), ("some", "any"), ("none_of", "no"))
    },
    **{op: (n.Unary, {"op": op}) for op in ("top", "bottom", "count", "first")},
    **{construct: (n.Binary, {"op": op}) for construct, op in _OPERATORS},
    **{op: (n.Binary, {"op": op}) for op in ("at_least", "at_most", "more_than", "less_than")},
    **{op: (n.Fold, {"op": op}) for op in ("different", "highest", "lowest")},
    "sum_of": (n.Fold, {"op": "sum"}),
    **{
        word: (n.Keyword, {"text": word})
        for word in ("you", "opponent", "this", "nothing", "yes", "no")
    },
    "all_players": (n.Keyword, {"text": "players"}),
}


# ---- constructs that need more than their parts in order ----


def _first(parts: Parts, _: Span) -> Part:
    return parts[0]


def _all(parts: Parts, _: Span) -> tuple[Part, ...]:
    return present(parts)


def _text(parts: Parts, _: Span) -> str:
    return str(parts[0].text)


def _yes(_: Parts, __: Span) -> bool:
    return True


def _clause(kind: str) -> Callable[[Parts, Span], _Clause]:
    return lambda parts, span: _Clause(kind, parts[0] if parts else True, span)


def _clauses(parts: Parts) -> dict[str, Part]:
    """The values of the clauses among the parts, by kind; a repeated clause is an error."""
    values_: dict[str, Part] = {}
    for part in parts:
        if isinstance(part, _Clause):
            if part.kind in values_:
                title, text = f"`{part.span.text}` comes second", "This can be said once:"
                raise LexicalError(Problem("E112", title, part.span, text, "keep one of the two"))
            values_[part.kind] = part.value
    return values_


Shape = tuple[str, int, int, n.Word | None, n.Word | None]
"""A shape, its rows and columns, the grid it is part of, and the list of values it has spaces
for.
"""


def _line_shape(name: str) -> Callable[[Parts, Span], Shape]:
    """A shape with a single row."""
    return lambda parts, _: (name, 1, int(parts[0].text), None, None)


def _grid(shape: str, parts: Parts, of: n.Word | None = None) -> Shape:
    return shape, int(parts[0].text), int(parts[1].text), of, None


def _space(parts: Parts, span: Span) -> n.Space:
    name, each, (shape, rows, columns, of, by), *rest = parts
    active = "active" in _clauses(rest)
    return n.Space(name, each, shape, rows, columns, of, (), by, active, span=span)


def _named_spaces(parts: Parts, span: Span) -> n.Space:
    name, each, shape, *rest = parts
    names = tuple(one for one in rest if isinstance(one, n.Word))
    active = "active" in _clauses(rest)
    return n.Space(name, each, shape, 1, 0, None, names, None, active, span=span)


def _zone(parts: Parts, span: Span) -> n.Zone:
    name, each, kind, *rest = parts
    said = _clauses(rest)
    source, refill = said.get("refilled", (None, ""))
    return n.Zone(
        name, each, kind, said.get("face", ""), said.get("seen", ""), source, refill,
        "active" in said, said.get("numbered"), said.get("least", 0), "closed" in said, span=span,
    )  # fmt: skip


def _variable(parts: Parts, span: Span) -> n.Variable:
    name, each, type_, *rest = parts
    clauses = _clauses(rest)
    return n.Variable(name, each, type_, clauses.get("starts"), clauses.get("seen", ""), span=span)


def _named_values(parts: Parts, span: Span) -> n.Values:
    name, *members = parts
    words, numbers = zip(*members, strict=True)
    return n.Values(name, words, numbers, span=span)


def _price(parts: Parts, span: Span) -> n.Price:
    extra, reward = _clauses(parts).get("bracket", ((), ()))
    ways = tuple(part for part in parts if not isinstance(part, _Clause))
    return n.Price(ways, extra, reward, span=span)


def _can_do(parts: Parts, span: Span) -> n.CanDo:
    rule, *given = parts
    match given:
        case (n.List(items),):
            given = [*items]
    return n.CanDo(rule, present(given), span=span)


def _put_lying_on(parts: Parts, span: Span) -> n.Put:
    """`put A on B on C`, read as putting A, which lies on B, on C; lowering may choose another
    reading.
    """
    things, places, target, in_any_order, facing = parts
    lying = n.On(things, places, span=things.span.cover(places.span))
    return n.Put(lying, "on", target, bool(in_any_order), facing or "", span=span)


def _position(parts: Parts, span: Span) -> n.Number | n.Name:
    """The number or label of a space."""
    (element,) = parts
    return (
        n.Number(int(element.text), span=span)
        if element.text.isdecimal()
        else n.Name(element.text, span=span)
    )


def _supply(parts: Parts, span: Span) -> n.Transfer:
    """`put 4 coins on PLACE`, which come from the supply."""
    quantity, resource, onto, target = parts
    return n.Transfer(quantity, resource, n.Supply(span=span), onto, target, span=span)


def _plain_alternative(parts: Parts, span: Span) -> n.Alternative:
    done, wording = parts
    return n.Alternative(None, None, None, None, wording, (done,), span=span)


def _with_words(parts: Parts, _: Span) -> Part:
    """A node with the wording that follows it."""
    node, wording = parts
    if wording is None:
        return node
    whole = node.span.cover(wording.span)
    if isinstance(node, n.Worded):
        return replace(node, wording=wording, span=whole)
    if isinstance(node, n.By) and isinstance(node.statement, n.Worded):
        return replace(node, statement=_with_words([node.statement, wording], whole), span=whole)
    text = "They are never shown: this is not an answer, and nothing here is shown by name."
    title = "words for people that are never shown"
    raise LexicalError(Problem("E117", title, wording.span, text))


class _Head(NamedTuple):
    """The head of a block: a construct and its parts."""

    construct: str
    parts: Parts


def _head(construct: str) -> Callable[[Parts, Span], _Head]:
    """A builder for the head of a block, which keeps its construct until the block is known."""
    return lambda parts, _: _Head(construct, parts)


def _governed(parts: Parts, span: Span) -> n.Node:
    """The statement of a head and its block."""
    head, body = parts
    cls, shapes, given = _construct(head.construct)
    return cls(**given, **values(shapes, [*head.parts, body]), span=span)


def _otherwise(parts: Parts, _: Span) -> tuple[n.Statement, ...]:
    """The block after `otherwise`; a chained `if` is the only statement in it."""
    (part,) = parts
    return part if isinstance(part, tuple) else (part,)


def _may_inline(parts: Parts, span: Span) -> n.May:
    """`may (...)` on one line, whose wording has no conditions."""
    text, body = parts
    words = text and n.Wording(n.Quoted(text.text, span=text.span), (), span=text.span)
    return n.May(words, body, span=span)


def _one_of_inline(parts: Parts, span: Span) -> n.OneOf:
    ways = (
        n.Alternative(None, None, None, None, None, body, span=body[0].span.cover(body[-1].span))
        for body in parts
    )
    return n.OneOf(tuple(ways), (), span=span)


def _deck_sum(parts: Parts, span: Span) -> n.DeckSum:
    before = parts[0].parts if isinstance(parts[0], n.DeckSum) else (parts[0],)
    return n.DeckSum((*before, parts[1]), span=span)


_HEADS = (
    "each_player", "each", "turn_of", "by_turns", "repeat", "repeat_until", "times", "any_times",
)  # fmt: skip

_BUILDERS: dict[str, Callable[[Parts, Span], Part]] = {
    **dict.fromkeys(("action", "cost", "deck", "body", "value"), _first),
    **dict.fromkeys(("component", "statement"), _with_words),
    "plain_alternative": _plain_alternative,
    **dict.fromkeys(("element", "new_element", "for_each"), _first),
    **dict.fromkeys(("number_of_players", "resource", "yes_or_no"), _first),
    **dict.fromkeys(("block", "inline", "alternatives", "amounts", "elements"), _all),
    **dict.fromkeys(("based_on", "with_params", "layout_row", "lying_on"), _all),
    **dict.fromkeys(("facing", "seers", "actor", "by", "article", "indefinite", "onto"), _text),
    **dict.fromkeys(("colour", "outline", "parts_of_grid", "line"), _text),
    "you_like": lambda _, span: n.Keyword("you like", span=span),
    **dict.fromkeys(("optional", "both_ways", "diagonals", "up_to"), _yes),
    **dict.fromkeys(("at_random", "in_any_case", "in_any_order"), _yes),
    **{shape: _line_shape(shape) for shape in ("ring", "row", "spots")},
    **dict.fromkeys(("beside", "nameless"), lambda parts, _: " ".join(one.text for one in parts)),
    "grid": lambda parts, _: _grid("grid" if parts[2] is None else "grid with diagonals", parts),
    "hex": lambda parts, _: _grid("hex", parts),
    "parts_of": lambda parts, _: (parts[0], 0, 0, parts[1], None),
    "spaces_by": lambda parts, _: (parts[0], 1, 0, None, parts[1]),
    "blocks": lambda parts, _: _grid("blocks", parts, parts[2]),
    "space": _space,
    "named_spaces": _named_spaces,
    "zone": _zone,
    "variable": _variable,
    **{kind: _clause(kind) for kind in ("active", "closed", "face", "seen", "starts")},
    "zone_refill": lambda parts, span: _Clause("refilled", tuple(parts), span),
    "zone_numbered": lambda parts, span: _Clause(
        "numbered", tuple(int(one.text) for one in parts), span
    ),
    "zone_least": lambda parts, span: _Clause("least", int(parts[0].text), span),
    "refill_at_once": lambda parts, span: n.OptionIs(*parts, span=span) if parts else "at_once",
    "refill_when_needed": lambda _, __: "when_needed",
    "about": lambda parts, span: n.About(unquoted(parts[0]), span=span),
    "players": lambda parts, span: n.Players(parts[0], tuple(parts[1:]), span=span),
    "values": _named_values,
    "chosen": lambda parts, _: n.Chosen(parts[0].text, span=parts[0].span),
    "counted": lambda parts, _: n.Counted(parts[0].text, parts[1], span=parts[0].span),
    "valued": lambda parts, _: (parts[0], None if parts[1] is None else int(parts[1].text)),
    "range_of_players": lambda parts, _: (int(parts[0].text), int(parts[1].text)),
    "relation_on": lambda parts, span: n.Relation(
        parts[0], parts[1], parts[1], parts[2] is not None, tuple(parts[3:]), span=span
    ),
    "layout_table": lambda parts, span: n.LayoutTable(None, tuple(parts), span=span),
    "price": _price,
    "can_do": _can_do,
    "put_lying_on": _put_lying_on,
    "position": _position,
    "supply": _supply,
    "bracket": lambda parts, span: _Clause("bracket", tuple(parts), span),
    **{construct: _head(construct) for construct in _HEADS},
    "everything": lambda _, __: None,
    "governed": _governed,
    "otherwise": _otherwise,
    "may_inline": _may_inline,
    "one_of_inline": _one_of_inline,
    "deck_sum": _deck_sum,
}


# ---- fields from parts ----
Shapes = Mapping[str, str]
MANY = "many"


def values(shapes: Shapes, parts: Parts) -> dict[str, Part]:
    """The parts by field, in order; a tuple field takes all parts that later fields do not need."""
    values = {}
    at = 0
    for left, (name, shape) in zip(range(len(shapes) - 1, -1, -1), shapes.items(), strict=True):
        if shape == MANY:
            if at < len(parts) and isinstance(parts[at], tuple):
                values[name] = parts[at]
                at += 1
            else:
                end = max(at, len(parts) - left)
                values[name] = present(parts[at:end])
                at = end
        else:
            values[name] = _value(shape, parts[at] if at < len(parts) else None)
            at += 1
    return values


def _value(shape: str, part: Part) -> Part:
    return _CONVERTERS[shape](part) if shape in _CONVERTERS else part


def present(parts: Parts) -> tuple[Part, ...]:
    return tuple(part for part in parts if part is not None)


def unquoted(word: n.Word) -> str:
    return word.text[1:-1]


def _text_of(part: n.Word | str | None) -> str:
    return part.text if isinstance(part, n.Word) else part or ""


_CONVERTERS: Mapping[str, Callable[[Part], object]] = {
    "int": lambda part: int(part.text),
    "bool": lambda part: part is not None,
    **dict.fromkeys(("str", "Facing", "Actor", "Article", "Difference"), _text_of),
    "Quoted": lambda part: n.Quoted(part.text, span=part.span),
    "str | None": lambda part: None if part is None else unquoted(part),
}
"""Converts a part to the value of a field, by the field's annotation; other parts are used as they
are.
"""

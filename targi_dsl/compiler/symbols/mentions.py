"""The names that a syntax tree mentions, with the kinds of symbols that each may refer to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from targi_dsl.compiler.layers.changes import SORTS
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.grammar import is_cell
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen

THINGS = (
    "field", "variable", "definition", "zone", "space", "set", "piece", "resource",
    "group of resources", "pool", "relation", "player", "list of values", "kind of card", "value",
    "named space",
)  # fmt: skip
COUNTED = ("resource", "group of resources")
SINGULAR = "singular"
TYPES = ("list of values", "kind of card", "zone", "space", "group of resources", "piece")
_RULES = ("rule", "card")
_ELEMENTS = (
    (n.SpaceSet, "elements"), (n.Pair, "left"), (n.Pair, "right"), (n.LayoutCell, "element"),
)  # fmt: skip
"""Fields that name spaces of a region or have their numbers."""
_ROLES: dict[tuple[type[n.Node], str], tuple[str, ...]] = {
    **{
        (node, "rule"): _RULES
        for node in (
            n.Do, n.CanDo, n.During, n.InsteadOf, n.Reduce, n.AlsoOffers, n.Substitute,
            n.StoredPays, n.ExtendRule,
        )
    },
    (n.Amount, "resource"): (*COUNTED, SINGULAR),
    (n.Transfer, "resource"): (*COUNTED, SINGULAR),
    (n.OncePer, "period"): _RULES,
    (n.EvenEarlier, "period"): _RULES,
    (n.When, "name"): (*_RULES, *COUNTED),
    (n.Ignore, "forbid"): ("prohibition",),
    (n.Becomes, "define"): ("definition",),
    (n.ExtendRule, "anchor"): ("prohibition", *_RULES, "answer"),
    (n.Remove, "name"): (*THINGS, *_RULES, "prohibition", "score", "exchange", "standing ability"),
    (n.ExtendNames, "name"): THINGS,
    (n.CardNamed, "card"): ("card",),
    (n.HasField, "field"): ("field",),
    (n.FieldChange, "name"): ("field",),
    (n.LookTrait, "fields"): ("field",),
    (n.ReplaceForbid, "name"): ("prohibition",),
    (n.ExtendForbid, "name"): ("prohibition",),
    (n.ExtendAction, "card"): ("card",),
    (n.ExtendAction, "anchor"): ("prohibition", *_RULES, "answer"),
    (n.ChangeCard, "card"): ("card",),
    (n.SheetSettle, "name"): (*THINGS, *_RULES, "score"),
    (n.OptionIs, "option"): ("option",),
    (n.SheetOption, "option"): ("option",),
    (n.OptionIs, "value"): ("option value",),
    (n.SheetOption, "value"): ("option value",),
    (n.ModuleUse, "module"): ("module",),
    (n.SheetSettle, "modules"): ("module",),
    (n.Module, "based_on"): ("module",),
    (n.DeckSet, "name"): ("card set",),
    (n.DeckCopies, "of"): ("card set",),
    (n.DeckCards, "of"): ("card set",),
    (n.DeckCopies, "name"): ("card",),
    (n.DeckCards, "names"): ("card",),
    (n.DeckWithout, "names"): ("card",),
    (n.DeckRest, "zone"): ("zone",),
    (n.SheetNeeds, "zone"): ("zone",),
    (n.DeckNeed, "each"): ("field",),
    (n.DeckDraw, "each"): ("field",),
    (n.Space, "by"): ("list of values",),
    **{(node, "each"): TYPES for node in (n.Space, n.Zone, n.Piece, n.Variable)},
    **dict.fromkeys(_ELEMENTS, ("named space", "value")),
}  # fmt: skip
_NO_NAMES = {
    (n.ModuleUse, "chapters"),
    (n.FieldChange, "language"), (n.FieldChange, "values"),
    (n.Remove, "what"), (n.ExtendNames, "what"), (n.SpaceByName, "element"), (n.Reached, "word"),
    (n.Counted, "singular"),
}  # fmt: skip


class Mention(Frozen):
    """A mentioned name, and the kinds of symbols that it may refer to, in order of preference."""

    name: str
    span: Span
    kinds: tuple[str, ...]
    bound: Span | None = None  # where the tree itself binds the name, if it has no symbol
    only_known: bool = False  # a word of the language, unless there is such a symbol
    within: str = ""  # the option that a value belongs to
    of: Span | None = None  # what this is a property of
    is_field: bool = True  # whether it can be a field of a card


def bound(tree: n.Node) -> tuple[tuple[n.Binding, n.Word], ...]:
    """The binding nodes of a tree, each with the name that it binds."""
    binding = (node for node in tree.walk() if isinstance(node, n.Binding))
    return tuple((node, node.name) for node in binding if node.name is not None)


def mentions(tree: n.Node) -> tuple[Mention, ...]:
    """The names that a tree mentions."""
    bound_at = {word.text: word.span for _, word in tree.derived(bound)}
    of_cards = [deck.condition.span for deck in tree.every(n.DeckWhere)]
    cells = {  # `e5` of `land e5 of you`
        of.index.span
        for of in tree.every(n.Of)
        if isinstance(of.index, n.Name) and is_cell(of.index.text) and of.index.text not in bound_at
    }
    nodes = (one for one in tree.walk() if one.span not in cells)
    return tuple(one for node in nodes for one in _in_node(node, bound_at, of_cards))


def _in_node(
    node: n.Node, bound_at: Mapping[str, Span], of_cards: Sequence[Span]
) -> Iterator[Mention]:
    match node:
        case n.Name():
            is_field = any(one.contains(node.span) for one in of_cards)
            bound = bound_at.get(node.text)
            yield Mention(node.text, node.span, THINGS, bound, is_field=is_field)
        case n.Of(name=name, subject=subject):
            whose = subject.name if isinstance(subject, n.Of | n.Your) else subject
            yield Mention(name.text, name.span, THINGS, of=whose.span)
        case n.Your(name=name) | n.LookLine(name=name):
            yield Mention(name.text, name.span, THINGS, is_field=False)
        case n.Type(name=name) if name and name in node.span.text:
            at = node.span.first + node.span.text.rindex(name)
            span = Span(node.span.home, at, at + len(name))
            yield Mention(name, span, TYPES, only_known=True)
        case _:
            yield from _words_of(node)


def _words_of(node: n.Node) -> Iterator[Mention]:
    for field in n.field_names(type(node)):
        value = getattr(node, field)
        role = (type(node), field)
        words = value if isinstance(value, tuple) else (value,)
        for word in words if role not in _NO_NAMES else ():
            if not isinstance(word, n.Word) or word.text.isdecimal():
                continue
            if isinstance(node, n.Binding) and field == "name":
                yield Mention(word.text, word.span, (), word.span)
            elif not isinstance(node, n.Alternative):
                within, kinds = "", _ROLES.get(role, THINGS)
                if isinstance(node, n.OptionIs | n.SheetOption) and field == "value":
                    within = node.option.text
                if isinstance(node, n.Remove | n.ExtendNames) and field == "name":
                    own = tuple(one.kind for one in SORTS if one.word == node.what.text)
                    kinds = (*own, *kinds)
                # It may also be a property of every card, such as its name, or a label of a space.
                known = isinstance(node, n.FieldChange) or role in _ELEMENTS
                yield Mention(word.text, word.span, kinds, within=within, only_known=known)

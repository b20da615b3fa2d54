"""The sorts of declarations, and the changes that modules make to them: declare, replace, extend,
remove; with the rewriting of rule bodies by extensions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeGuard, TypeVar, get_args

from msgspec import field
from msgspec.structs import replace

from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.ir.declarations import DeclaredSort
from targi_dsl.ir.origins import Operation, Origin
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.source import Span
from targi_dsl.text.structs import Frozen
from targi_dsl.text.suggestions import suggestion

_ALTERNATIVE = n.Alternative | n.YourAbilities
_PART = n.Statement | _ALTERNATIVE

Part = TypeVar("Part", bound=n.Node)
Parts = tuple[Any, ...]
"""A block or a list of alternatives; extensions change both in the same way."""


def blocks(node: object) -> Iterator[Parts]:
    """All blocks and lists of alternatives in a body, outermost first."""
    if isinstance(node, tuple):
        if node and all(isinstance(part, _PART) for part in node):
            yield node
        for part in node:
            yield from blocks(part)
    elif isinstance(node, n.By):
        yield from blocks((node.statement,))
    elif isinstance(node, n.Statement | n.Alternative):
        for name in n.field_names(type(node)):
            yield from blocks(getattr(node, name))


def anchor_name(part: object) -> str | None:
    """The name by which an extension can refer to a part of a body, or None."""
    match part:
        case n.Do(rule=word) | n.Forbid(name=word) | n.Alternative(label=n.Word() as word):
            return word.text
        case n.Alternative(body=(n.Do(rule=word),)):
            return word.text
        case n.By(statement=statement):
            return anchor_name(statement)
        case _:
            return None


def anchors(body: Parts) -> set[str]:
    return {name for block in blocks(body) for part in block if (name := anchor_name(part))}


def extend_body(
    what: str, body: n.Block, layer: n.ExtendRule | n.ExtendAction, problems: list[Problem]
) -> n.Block:
    """The body of a rule or action with the additions of an extension."""
    anchor = layer.anchor
    if anchor is None:
        if isinstance(layer.body[0], _ALTERNATIVE):
            return _add_alternatives(what, body, layer, problems)
        return (*body, *layer.body)
    extended, is_inserted = _insert(body, layer, anchor.text)
    names = sorted(anchors(body))
    if not is_inserted and anchor.text in names:
        text = "No question contains it, so nothing can be offered there. To do it always:"
        title = f"`{anchor.text}` is in no question of {what[0].lower()}{what[1:]}"
        hint = f"extend {what[0].lower()}{what[1:]} {layer.beside} {anchor.text}"
        problems.append(Problem("E404", title, anchor.span, text, hint))
    elif not is_inserted:
        text = (
            f"{what} has no `do`, prohibition or alternative of that name."
            f" It has: {', '.join(names) or 'none'}."
        )
        title = f"no `{anchor.text}` in {what[0].lower()}{what[1:]}"
        hint = suggestion(anchor.text, names)
        problems.append(Unresolved("E404", title, anchor.span, text, hint, name=anchor.text))
    return extended


def _insert(body: Parts, layer: n.ExtendRule | n.ExtendAction, anchor: str) -> tuple[Parts, bool]:
    """The body with the additions next to the anchor, and whether the anchor was found.
    Alternatives are added next to the alternative that contains the anchor, in its innermost
    question.
    """
    offers = isinstance(layer.body[0], _ALTERNATIVE)
    for i, part in enumerate(body):
        if anchor_name(part) == anchor and (not offers or isinstance(part, n.Alternative)):
            return _beside(body, i, layer), True
    for i, part in enumerate(body):
        for name, inner in inner_blocks(part):
            extended, is_inserted = _insert(inner, layer, anchor)
            if is_inserted:
                return (*body[:i], replace(part, **{name: extended}), *body[i + 1 :]), True
        if offers and isinstance(part, n.Alternative) and anchor in anchors((part,)):
            return _beside(body, i, layer), True
    return body, False


def _beside(body: Parts, i: int, layer: n.ExtendRule | n.ExtendAction) -> Parts:
    at = i if layer.beside == "before" else i + 1
    new, part = layer.body, body[i]
    if isinstance(part, n.Alternative):
        if layer.beside == "instead of" and not isinstance(new[0], _ALTERNATIVE):
            return (*body[:i], replace(part, body=new), *body[at:])
        new = tuple(_as_alternative(one) for one in new)
    return body[: i if layer.beside == "instead of" else at] + new + body[at:]


def _add_alternatives(
    what: str, body: Parts, layer: n.ExtendRule | n.ExtendAction, problems: list[Problem]
) -> Parts:
    """The body with the alternatives appended to its only list of alternatives."""
    lists = [one for one in blocks(body) if isinstance(one[0], _ALTERNATIVE)]
    if len(lists) == 1:
        return _replace_block(body, lists[0], lists[0] + layer.body)
    names = ", ".join(sorted(anchors(body))) or "none"
    text = f"Write after which part of it `offering` adds something: {names}."
    title = f"{what[0].lower()}{what[1:]} asks {len(lists)} questions"
    if not lists:
        text = f"{what} has no `one of` and no `any of these in any order`."
        title = f"{what[0].lower()}{what[1:]} offers nothing"
    of = layer.rule if isinstance(layer, n.ExtendRule) else layer.card
    problems.append(Problem("E404", title, of.span, text))
    return body


def _replace_block(body: Parts, old: Parts, new: Parts) -> Parts:
    """The body with one nested block, compared by identity, replaced."""
    if body is old:
        return new
    return tuple(with_blocks(part, lambda inner: _replace_block(inner, old, new)) for part in body)


def inner_blocks(part: n.Node) -> Iterator[tuple[str, Parts]]:
    """The fields of a node that are blocks or lists of alternatives, by name."""
    for name in n.field_names(type(part)):
        value = getattr(part, name)
        if isinstance(value, tuple) and value and isinstance(value[0], _PART):
            yield name, value


def with_blocks(part: Part, rewrite: Callable[[Parts], Parts]) -> Part:
    """The node with each of these fields rewritten."""
    fields = {name: rewrite(inner) for name, inner in inner_blocks(part)}
    return replace(part, **fields) if fields else part


def _as_alternative(
    statement: n.Statement | n.Alternative | n.YourAbilities,
) -> n.Alternative | n.YourAbilities:
    match statement:
        case n.Alternative() | n.YourAbilities():
            return statement
        case n.Each():
            binding = statement.name, statement.within, statement.condition
            return n.Alternative(None, *binding, None, statement.body, span=statement.span)
        case _:
            return n.Alternative(None, None, None, None, None, (statement,), span=statement.span)


def forbids(node: n.Component) -> tuple[n.Forbid, ...]:
    """All prohibitions of a rule, at any depth."""
    return node.every(n.Forbid) if isinstance(node, n.Rule) else ()


def with_forbid(body: Parts, name: str, rewrite: Callable[[n.Forbid], n.Forbid | None]) -> Parts:
    """The body with each prohibition of that name rewritten; None removes it."""
    result = []
    for part in body:
        if isinstance(part, n.Forbid) and part.name.text == name:
            result += [rewritten] if (rewritten := rewrite(part)) is not None else []
        else:
            result.append(with_blocks(part, lambda inner: with_forbid(inner, name, rewrite)))
    return tuple(result)


class Sort(NamedTuple):
    """A sort of declaration: its node class, its first word, and what messages call the declared
    thing.
    """

    node: type[n.Component]
    word: DeclaredSort
    kind: str


SORTS = (
    Sort(n.About, "about", "description"),
    Sort(n.Players, "players", "player"),
    Sort(n.Resources, "resource", "resource"),
    Sort(n.Pool, "pool", "pool"),
    Sort(n.Values, "values", "list of values"),
    Sort(n.CardKind, "card", "kind of card"),
    Sort(n.Space, "space", "space"),
    Sort(n.Zone, "zone", "zone"),
    Sort(n.Piece, "piece", "piece"),
    Sort(n.Variable, "variable", "variable"),
    Sort(n.SpaceSet, "set", "set"),
    Sort(n.Relation, "relation", "relation"),
    Sort(n.Option, "option", "option"),
    Sort(n.FreeExchange, "exchange", "exchange"),
    Sort(n.ScorePart, "score", "score"),
    Sort(n.LowestWins, "lowest", "order of scores"),
    Sort(n.Tie, "tie", "tie-break"),
    Sort(n.Never, "never", "impossibility"),
    Sort(n.Standing, "standing", "standing ability"),
    Sort(n.Layout, "layout", "layout"),
    Sort(n.Look, "look", "look"),
    Sort(n.Rule, "rule", "rule"),
    Sort(n.Define, "define", "definition"),
)

_BY_NODE: dict[type[n.Node], Sort] = {one.node: one for one in SORTS}


def sort_of(node: n.Component) -> Sort:
    """The sort of a declaration."""
    return _BY_NODE[type(node)]


def is_component(node: n.Node) -> TypeGuard[n.Component]:
    """Whether a node is a declaration; faster than an `isinstance` test with so many classes."""
    return type(node) in _BY_NODE


_WORDS: dict[str, DeclaredSort] = {word: word for word in get_args(DeclaredSort)}


def sort_named(word: str) -> DeclaredSort:
    """The sort of declarations with this first word."""
    return _WORDS[word]


def word_of(node: type[n.Node]) -> DeclaredSort:
    """The first word of declarations of a class."""
    return _BY_NODE[node].word


def names(node: n.Component) -> tuple[tuple[str, n.Word], ...]:
    """The names that a declaration introduces, each with the kind of thing that it names."""
    return node.derived(_names)


def _names(node: n.Component) -> tuple[tuple[str, n.Word], ...]:
    return tuple(_names_of(node))


def _names_of(node: n.Component) -> Iterator[tuple[str, n.Word]]:
    match node:
        case n.Players():
            yield from (("player", word) for word in node.names)
        case n.Resources():
            if node.group is not None:
                yield "group of resources", node.group
            yield from (("resource", word) for word in node.names)
        case n.Values():
            yield "list of values", node.name
            yield from (("value", word) for word in node.members)
        case n.Space():
            yield "space", node.name
            yield from (("named space", word) for word in node.names)
        case n.CardKind():
            yield "kind of card", node.name
            yield from (("field", one.name) for one in node.fields)
        case n.Option():
            yield "option", node.name
            yield from (("option value", word) for word in node.values)
        case n.Rule():
            yield "rule", node.name
            yield from (("prohibition", part.name) for part in forbids(node))
        case n.About() | n.LowestWins() | n.Tie() | n.Layout() | n.Look():
            pass
        case _:
            yield sort_of(node).kind, node.name


Key = tuple[str, str]
"""Identifies a declaration: its sort ("rule", "zone", ...) and name."""


class ModuleText(Frozen):
    """A parsed module: the headers and declarations of all its files. `based_on`: its base
    modules.
    """

    name: str
    title: str | None
    based_on: tuple[n.Word, ...]
    declarations: tuple[n.Component | n.Layer, ...]
    span: Span


class Effective(Frozen):
    """A declaration after all layers, with its origins, newest first."""

    node: n.Component
    origins: tuple[Origin, ...]


class Layers(Frozen):
    """The merged layers of a game: effective and removed declarations.

    `cards`: the changes of single cards, by id. `gone`: each name that was lost by a removal or
    replacement (of the declaration or of what contained it), with that change. `refused`: names
    whose declaration is in error.
    """

    effective: dict[Key, Effective]
    removed: dict[Key, tuple[Origin, ...]]
    gone: dict[str, Origin]
    refused: set[str] = field(default_factory=set)
    cards: dict[str, tuple[CardChange, ...]] = field(default_factory=dict)


class CardChange(Frozen):
    """A module's change of a single card, with the attributes of a `Change` that messages need."""

    module: str
    card: n.Word
    node: n.ChangeCard | n.ExtendAction
    how: str = ""

    @property
    def span(self) -> Span:
        """The place of the card's name."""
        return self.card.span


class Change(Frozen):
    module: str
    how: Operation
    node: Any
    span: Span


Changed = TypeVar("Changed", Change, CardChange)

_OF_CARD = {
    "extended": "extend action of {}",
    "replaced": 'change card {}: action "..."',
    "removed": "change card {}: no action",
}
"""What to write to change a card's action, for those who tried to change a rule of that name."""

_TAKEN_AWAY = ("player", "resource", "value", "named space", "prohibition")
"""Kinds of names that are removed together with the declaration that introduces them."""


def keys(node: n.Component) -> tuple[Key, ...]:
    """The keys of a declaration; `resource coins, points` declares two."""
    return node.derived(_keys)


def _keys(node: n.Component) -> tuple[Key, ...]:
    sort = sort_of(node).word
    match node:
        case n.About() | n.Players() | n.LowestWins() | n.Tie() | n.Layout() | n.Look():
            return ((sort, sort),)
        case n.Resources(group=None):
            return tuple((sort, word.text) for word in node.names)
        case n.Resources(group=n.Word() as group):
            return ((sort, group.text),)
        case n.Resources():
            return ()
        case _:
            return ((sort, node.name.text),)


def changes_of(module: str, node: n.Component | n.Layer) -> Iterator[tuple[Key, Change]]:
    match node:
        case n.Replace():
            for key in keys(node.what):
                yield key, Change(module, "replaced", node.what, _name_span(node.what))
        case n.ExtendRule():
            yield ("rule", node.rule.text), Change(module, "extended", node, node.rule.span)
        case n.ExtendLayout():
            yield ("layout", "layout"), Change(module, "extended", node, node.span)
        case n.ExtendLook():
            yield ("look", "look"), Change(module, "extended", node, node.span)
        case n.ExtendNames(what, name) | n.Remove(what, name):
            how: Operation = "removed" if isinstance(node, n.Remove) else "extended"
            yield (what.text, name.text), Change(module, how, node, name.span)
        case n.RemoveNameless(what):
            sort, *_ = what.split()
            yield (sort, sort), Change(module, "removed", node, node.span)
        case n.ReplaceForbid(name) | n.ExtendForbid(name):
            how = "replaced" if isinstance(node, n.ReplaceForbid) else "extended"
            yield ("forbid", name.text), Change(module, how, node, name.span)
        case n.ChangeCard() | n.ExtendAction():
            pass  # a card is not a declaration
        case _:
            for key in keys(node):
                yield key, Change(module, "declared", _single(node, key), _name_span(node))


def card_changes(module: ModuleText) -> Iterator[CardChange]:
    """A module's changes of single cards."""
    for node in module.declarations:
        if isinstance(node, n.ChangeCard | n.ExtendAction):
            yield CardChange(module.name, node.card, node)


def ancestors(modules: Iterable[ModuleText]) -> dict[str, set[str]]:
    """For each module, the set of itself and its direct and indirect bases."""
    found: dict[str, set[str]] = {}
    for module in modules:  # in topological order, bases first
        found[module.name] = {module.name}.union(
            *(found.get(base.text, set()) for base in module.based_on)
        )
    return found


def _single(node: n.Component, key: Key) -> n.Component:
    # `resource coins, points` is two declarations, so that each can be removed or replaced.
    if isinstance(node, n.Resources) and node.group is None:
        return replace(node, names=tuple(word for word in node.names if word.text == key[1]))
    return node


def _name_span(node: n.Component) -> Span:
    name = getattr(node, "name", None)
    return name.span if isinstance(name, n.Word) else node.span


def names_of(node: n.Component) -> Iterator[str]:
    """The names that are lost if a declaration is removed: its own and those of its parts."""
    yield from (name for _, name in keys(node))
    yield from (word.text for kind, word in names(node) if kind in _TAKEN_AWAY)


def unknown(key: Key, change: Change, known: set[Key]) -> Problem:
    sort, name = key
    hint = suggestion(name, sorted(one for kind, one in known if kind == sort))
    other = sorted(kind for kind, one in known if one == name)
    text = f"No loaded module declares it, so it cannot be {change.how}."
    if other:
        text += f" `{name}` is declared, but as `{other[0]}`."
    title = f"unknown {sort} `{name}`"
    if isinstance(change.node, n.RemoveNameless):
        title = f"there is no `{change.node.what}`"
    of_card = _OF_CARD.get(change.how, "").format(name) if sort == "rule" else ""
    return Unresolved("E402", title, change.span, text, hint, name=name, of_card=of_card)


def clash(what: str, name: str, before: Changed, after: Changed) -> Problem:
    """The problem of two changes whose order is undefined."""
    text = (
        f"Modules {before.module} and {after.module} both change it, and neither is based on the"
        " other, so it is unclear which change comes last."
    )
    # What is removed cannot be changed any more, so removals come last.
    first, last = (after, before) if before.how == "removed" else (before, after)
    title, hint = f"two modules change {what}", f"settle {name}: {first.module} then {last.module}"
    return Problem("E403", title, after.span, text, hint, labels=(changed_here(before),))


def changed_here(change: Changed) -> Label:
    """A label at an earlier change."""
    return Label(change.span, f"{change.how} here, in module {change.module}".strip())


def in_settled_order(changes: list[Changed], order: Iterable[n.Word]) -> list[Changed]:
    """The changes in the order that the sheet settles; changes of other modules come first."""
    places = {word.text: at for at, word in enumerate(order)}
    return sorted(changes, key=lambda one: places.get(one.module, -1))


_DISCARDED = {
    "extended": ("extension", "Write it below that."),
    "replaced": ("replacement", "Leave one out."),
}


def discarded(what: str, changes: Sequence[Change]) -> Iterator[Problem]:
    """Warnings (W930) about changes that a later replacement or removal in the same module
    discards.
    """
    for at, one in enumerate(changes):
        rest = (after for after in changes[at + 1 :] if after.module == one.module)
        later = next((after for after in rest if after.how in ("replaced", "removed")), None)
        if one.how in _DISCARDED and later is not None:
            noun, advice = _DISCARDED[one.how]
            title, line = f"this {noun} of {what} is discarded", later.span.line
            text = f"The replacement in line {line} discards it. {advice}"
            if later.how == "removed":
                text = f"In line {line} the same module removes {what}. Leave it out."
            labels = (changed_here(later),)
            yield Problem("W930", title, one.span, text, labels=labels)


def removed_before(what: str, removal: Change | Origin, change: Change, verb: str) -> Problem:
    """The problem of changing something that another module has removed."""
    text = f"Module {removal.module} has removed it, so there is nothing to {verb}."
    label = (Label(removal.span, "removed here"),) if removal.span is not None else ()
    return Problem("E408", f"{what} was removed", change.span, text, labels=label)


def not_based(what: str, change: Change, home: str, place: Span) -> Problem:
    title = f"{what} belongs to module {home}"
    text = f"Module {change.module} is not based on {home}, so it cannot have it {change.how}."
    hint = f"module {change.module} based on {home}"
    return Problem("E407", title, change.span, text, hint, labels=(Label(place, "declared here"),))

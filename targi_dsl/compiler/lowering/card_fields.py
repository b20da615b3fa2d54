"""Evaluates the fields of the cards in play."""

from __future__ import annotations

import re

from targi_dsl.cardfiles import Mapping, Scalar, Sequence
from targi_dsl.compiler.cards.decks import SENTENCES, DeckCard
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lowering import calls, resources
from targi_dsl.compiler.lowering.context import Abandoned, Context
from targi_dsl.compiler.symbols.table import Region
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.syntax import ast as n
from targi_dsl.syntax import parse_cost
from targi_dsl.syntax.error_productions.phrases import NUMBERS
from targi_dsl.text.diagnostics import Label
from targi_dsl.text.suggestions import did_you_mean, suggestion

OWN_KEYS = ("for_each", "number", "copies", "name", "short", "text", "source")
"""Keys that every card may have, whatever its kind."""
_Column = tuple[list[int | tuple[int, ...]], t.Type]
"""The values of a field on all cards, and its type."""
_BOUNDS = -9999, 9999  # of a number without a range


def fill_fields(ctx: Context) -> None:
    """Evaluates the declared fields of all cards into the columns of `ctx.cards.fields`; sentences
    are only checked for presence and form.
    """
    play, kinds = ctx.cards, ctx.symbols.kinds
    numbers = tuple(card.entry.number or 0 for card in play.entries)
    play.fields["number"] = (numbers, t.NUMBER)
    for kind in kinds.values():
        _check_types(ctx, kind)
    columns: dict[str, _Column] = {}
    for number, card in enumerate(play.entries):
        if card.kind in kinds:
            _check_names(ctx, card)
            _check_source(ctx, card)
            for field in kinds[card.kind].values():
                _fill_field(ctx, number, field, columns)
    play.fields |= {name: (tuple(values), type_) for name, (values, type_) in columns.items()}
    for name, field in (pair for kind in kinds.values() for pair in kind.items()):
        if name in play.fields or field.type.name in SENTENCES:
            continue
        if (type_ := _field_type(ctx, field)) is not None:  # no card in play has it
            play.fields[name] = ((_default_value(type_),) * len(play.entries), type_)


def _fill_field(ctx: Context, number: int, field: n.Field, columns: dict[str, _Column]) -> None:
    """Evaluates one field of one card."""
    card, name = ctx.cards.entries[number], field.name.text
    if field.type.name in SENTENCES:
        _check_sentences(ctx, card, field)
        return
    type_ = _field_type(ctx, field)
    value = None if type_ is None else _value(ctx, card, field, type_)
    if type_ is None or value is None:
        return
    if name not in columns:
        columns[name] = [_default_value(type_)] * len(ctx.cards.entries), type_
    values, before = columns[name]
    are_sets = {isinstance(type_, t.SetOf), isinstance(before, t.SetOf)}
    if len(are_sets) == 1 and t.alike(t.element(before), t.element(type_)):
        values[number] = value
    else:
        text = f"Another kind of card has a field `{name}` of a different type."
        ctx.report("E306", f"`{name}` has two types", field.span, text)


def _check_names(ctx: Context, card: DeckCard) -> None:
    """Refuses fields, and fields in braces in texts, that cards of the kind do not have."""
    declared = ctx.symbols.kinds[card.kind]
    for name in card.entry.fields:
        if name not in declared:
            text = f"Kind {card.kind} has: {', '.join(declared) or 'no fields'}."
            hint = suggestion(name, (*declared, *OWN_KEYS))
            ctx.symbols.errors.names.add(card.entry.id)  # it may have been its action
            ctx.report("E510", f"unknown field `{name}`", card.entry.keys[name], text, hint)
    shown = ["number", *(key for key, one in declared.items() if one.type.name not in SENTENCES)]
    for name, span in card.entry.fields_in_words():
        if name not in shown:
            text = f"In a card's words, a field in braces is its value. Kind {card.kind} has:"
            text = f"{text} {', '.join(shown)}."
            ctx.report("E510", f"no field `{name}`", span, text, suggestion(name, shown))


def _default_value(type_: t.Type) -> int | tuple[int, ...]:
    """The value on a card without the field."""
    if isinstance(type_, t.SetOf):
        return ()
    return NOTHING if t.has_nothing(type_) else 0


def _check_source(ctx: Context, card: DeckCard) -> None:
    """Refuses keys of `source` that are not fields of the card."""
    declared = ctx.symbols.kinds[card.kind]
    source = card.entry.node.entries.get("source")
    for name, span in source.keys.items() if isinstance(source, Mapping) else ():
        if name == "source" or (name not in OWN_KEYS and name not in declared):
            known = [one for one in (*OWN_KEYS, *declared) if one != "source"]
            keys = f"Kind {card.kind} has: {', '.join(known)}."
            text = f"`source` says for each key where it comes from. {keys}"
            ctx.report("E510", f"no key `{name}`", span, text, suggestion(name, known))


def _field_type(ctx: Context, field: n.Field) -> t.Type | None:
    try:
        return calls.written_type(ctx, field.type)
    except Abandoned:
        return None


def _value(
    ctx: Context, card: DeckCard, field: n.Field, type_: t.Type
) -> int | tuple[int, ...] | None:
    given = _written_value(ctx, card, field)
    if given is None:
        return None
    if isinstance(type_, t.SetOf):
        items = given.items if isinstance(given, Sequence) else (given,)
        values = (_single(ctx, item, field, type_.of) for item in items)
        return tuple(sorted({value for value in values if value is not None}))
    if not isinstance(given, Scalar):
        title = f"`{field.name.text}` is one value"
        text, items = "A list is not allowed here.", getattr(given, "items", ())
        hint = items[0].text.text if len(items) == 1 and isinstance(items[0], Scalar) else ""
        ctx.report("E503", title, given.span, text, hint)
        return None
    return _single(ctx, given, field, type_)


def _written_value(ctx: Context, card: DeckCard, field: n.Field) -> Scalar | Sequence | None:
    """The field as written, or None; reports a missing field that is not optional."""
    name = field.name.text
    given = card.entry.fields.get(name)
    if given is None:
        misspelt = any(
            did_you_mean(one, [name])
            for one in card.entry.fields
            if one not in ctx.symbols.kinds[card.kind]
        )
        if not field.optional and name != "number" and not misspelt:
            keys, text = card.entry.keys, f"Every {card.kind} needs one."
            span = keys.get(name) or keys.get("id", card.entry.span)
            ctx.report("E511", f"`{name}` is missing", span, text, f"{name}: ...")
    return given


def _check_types(ctx: Context, kind: dict[str, n.Field]) -> None:
    """Refuses kinds with a second action field, which would never be carried out, and fields that
    are lists of sentences.
    """
    actions = [one for one in kind.values() if one.type.name == "action"]
    for one in actions[1:]:
        text = (
            "`do action of` carries out a card's only action. Write both in one text, joined by"
            " `then`."
        )
        label = (Label(actions[0].span, "the first one"),)
        title = f"`{one.name.text}` is a second action"
        ctx.report("E307", title, one.span, text, labels=label)
    for one in kind.values():
        if one.type.form == "list" and one.type.name in SENTENCES:
            text = (
                "Only values can be in a list. A card may have several abilities without one, but"
                " only one action."
            )
            title = f"`{one.name.text}` cannot be of that type"
            ctx.report("E307", title, one.type.span, text, f"Write `{one.type.name}`.")


def _check_sentences(ctx: Context, card: DeckCard, field: n.Field) -> None:
    """Refuses an action that is not a text, and an ability that is neither a text nor a list of
    texts.
    """
    given, name, type_ = _written_value(ctx, card, field), field.name.text, field.type.name
    items = given.items if isinstance(given, Sequence) else (given,)
    if faulty := [
        one for one in items if isinstance(one, Scalar) and not isinstance(one.value, str)
    ]:
        text = f"`{name}` is written in the rules language, in quotes."
        ctx.report("E503", "a text is needed here", faulty[0].span, text, f'{name}: "..."')
    elif isinstance(given, Sequence) and type_ == "action":
        text = "A list is not allowed here; join the steps by `then`."
        joined = (
            " then ".join(str(one.value) for one in given.items if isinstance(one, Scalar)) or "..."
        )
        ctx.report("E503", f"`{name}` is one text", given.span, text, f'{name}: "{joined}"')
    elif isinstance(given, Sequence) and not given.items:
        text = f"An empty list has no meaning. Omit `{name}`, or write:"
        ctx.report("E503", f"`{name}` is empty", given.span, text, f'{name}: "..."')


def _single(ctx: Context, given: object, field: n.Field, type_: t.Single) -> int | None:
    assert isinstance(given, Scalar)
    name = field.name.text
    match type_:
        case t.Number():
            return _number(ctx, given, field)
        case t.Truth() if isinstance(given.value, bool):
            return int(given.value)
        case t.Truth():
            text = f"`{name}` is either true or false; a rule file says yes or no."
            meant = {"yes": "true", "no": "false"}.get(str(given.value), "")
            hint = f"Did you mean `{meant}`?" if meant else ""
            ctx.report("E503", "true or false is needed here", given.span, text, hint)
        case t.Price():
            return _price(ctx, given, name)
        case t.Place() if (region := _common_spaces(ctx, field)) is not None:
            places = {label: region.base + at for at, label in enumerate(region.labels())}
            return _member(ctx, given, field, places)
        case t.Place() | t.Card() | t.Piece() | t.Nothing():
            text = (
                "A card's field is a number, yes or no, a value, a resource, a player, a space that"
                " belongs to nobody, a cost, an action or an ability."
            )
            ctx.report("E307", f"`{name}` cannot be of that type", field.type.span, text)
        case _:
            domain = ctx.domains.of(type_)
            return _member(ctx, given, field, {domain.name(one): one for one in domain.members})
    return None


def _common_spaces(ctx: Context, field: n.Field) -> Region | None:
    """The region of a field that names a space, unless it is owned by players or a zone."""
    region = ctx.symbols.regions.get(field.type.name)
    return None if region is None or region.is_zone or region.owned else region


def _number(ctx: Context, given: Scalar, field: n.Field) -> int | None:
    low, high = _BOUNDS
    if field.type.form == "range":
        low, high = field.type.low, field.type.high
    value, text = given.value, f"`{field.name.text}` is a number from {low} to {high}."
    if isinstance(value, bool) or not isinstance(value, int):
        digits = NUMBERS.get(str(value))
        hint = f"Did you mean `{digits}`?" if digits else ""
        ctx.report("E503", "a number is needed here", given.span, text, hint)
    elif not low <= value <= high:
        ctx.report("E512", f"{value} is out of range", given.span, text)
    else:
        return value
    return None


def _member(ctx: Context, given: Scalar, field: n.Field, numbers: dict[str, int]) -> int | None:
    """The number of the member with this name."""
    known, value = [*numbers], str(given.value)
    if value in numbers:
        return numbers[value]
    hint = _as_names(given, known, field) or suggestion(value, known)
    title, text = f"unknown {field.type.name} `{value}`", f"It can be: {', '.join(known)}."
    if not ctx.symbols.errors.no_module:  # which might declare it
        unknown = Unresolved("E513", title, given.span, text, hint, name=value)
        ctx.problems.append(unknown)
    return None


def _as_names(given: Scalar, known: list[str], field: n.Field) -> str:
    """What was meant by the number of one that has a name, by a space with its region, or by
    several in one text.
    """
    value = str(given.value)
    if value.isdecimal():
        return "".join(known[int(value) - 1 : int(value)]) if int(value) else ""
    words = [one for one in re.findall(r"\w+", value) if one not in (field.type.name, "to", "and")]
    if not words or not {*words} <= {*known}:
        return ""
    if len(words) == 2 and re.search(r"-|\.\.| to ", value):
        first, last = sorted(map(known.index, words))
        words = known[first : last + 1]
    several = ", ".join(words)
    if len(words) == 1 or field.type.form != "list":
        return several if len(words) == 1 else ""
    in_list = given.span.source.text[: given.span.start].rstrip().endswith(("[", ","))
    return several if in_list else f"[{several}]"


def _price(ctx: Context, given: Scalar, name: str) -> int | None:
    value, known = given.value, ctx.symbols.resources
    if not isinstance(value, str):
        text, hint = f"`{name}` is a text.", ""
        if isinstance(value, int) and not isinstance(value, bool) and known:
            text = "A cost says how much of which resources, for example:"
            hint = f"{max(value, 0)} {known[0]}"
        ctx.report("E503", "a text is needed here", given.span, text, hint)
        return None
    node, problems = ctx.project.sentence(parse_cost, given.text)
    ctx.problems.extend(problems)
    if node is None:
        return None
    if not isinstance(node, n.Price):
        text = "A cost names amounts, such as `2 coins`."
        ctx.report("E301", "amounts are needed here", given.span, text)
        return None
    try:
        return resources.constant_number(ctx, node)
    except Abandoned:
        return None

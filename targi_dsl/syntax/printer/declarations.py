"""Declarations, sheets and abilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lines import NONE, Line, lines_of
from targi_dsl.syntax.parser import File
from targi_dsl.syntax.printer.expressions import (
    BREAK,
    Level,
    breakable,
    listed,
    print_amounts,
    print_expression,
)
from targi_dsl.syntax.printer.statements import (
    Printed,
    add_answers,
    add_block,
    add_statement,
    because,
    print_ability,
    wording,
)

_Extension = n.Block | tuple[n.Alternative | n.YourAbilities, ...]


def print_declaration(node: n.Declaration, notes: bool = False) -> tuple[str, ...]:
    """The lines of a declaration. With `notes` it has its comments and sources, and what was
    written below its head stays there.
    """
    printed = Printed(lines_of(node.span) if notes else NONE)
    add_declaration(printed, node)
    return tuple(printed.lines)


def print_statement(
    node: n.Statement | n.Alternative | n.YourAbilities, notes: bool = False
) -> tuple[str, ...]:
    """The lines of a statement or an answer, with its comments and sources or without."""
    printed = Printed(lines_of(node.span) if notes else NONE)
    _add_part(printed, 0, node)
    return tuple(printed.lines)


def add_declaration(printed: Printed, node: n.Declaration) -> None:
    """A declaration with everything below it."""
    written = printed.line_of(node)
    _add(printed, node, "", written)
    if written is not None:
        printed.note(0, written.below)


def _add(printed: Printed, node: n.Declaration, before: str, written: Line | None) -> None:
    """A declaration; `before` are the words before it."""

    def line(text: str) -> None:
        printed.add(0, before + text, written)

    match node:
        case n.Replace(what):
            _add(printed, what, "replace ", written)
        case n.Rule(name, params, words, body):
            given = f" with {_params(params)}" if params else ""
            line(f"rule {name.text}{given}{wording(words)}")
            add_block(printed, 1, body)
        case n.ExtendRule(rule, beside, anchor, body):
            line(f"extend rule {rule.text}{_place(beside, anchor)}{_offering(body)}")
            _add_extension(printed, body)
        case n.ExtendAction(card, beside, anchor, body):
            line(f"extend action of {card.text}{_place(beside, anchor)}{_offering(body)}")
            _add_extension(printed, body)
        case n.CardKind(name, fields):
            line(f"card {name.text}")
            for field in fields:
                missing = ", may be missing" * field.optional
                _add_line(printed, 1, field, f"{field.name.text}: {_type(field.type)}{missing}")
        case n.Layout(lines):
            line("layout")
            _add_layout(printed, 1, lines)
        case n.ExtendLayout(lines):
            line("extend layout")
            _add_layout(printed, 1, lines)
        case n.Look(lines):
            line("look")
            _add_look(printed, lines)
        case n.ExtendLook(lines):
            line("extend look")
            _add_look(printed, lines)
        case n.ChangeCard(card, changes):
            if len(changes) == 1 and not printed.stands_alone(changes):
                line(f"change card {card.text}: {_change(changes[0])}")
            else:
                line(f"change card {card.text}")
                for change in changes:
                    _add_line(printed, 1, change, _change(change))
        case n.Sheet(name, title, based_on, lines):
            line(f"game {name.text}{_titled(title)}{_based_on(based_on)}")
            for one in lines:
                _add_line(printed, 1, one, _sheet_line(one))
        case _:
            line(_one_line(node))


def _add_extension(printed: Printed, body: _Extension) -> None:
    """What a rule is extended by: steps, or answers to a question."""
    for part in body:
        _add_part(printed, 1, part)


def _add_part(
    printed: Printed, depth: int, part: n.Statement | n.Alternative | n.YourAbilities
) -> None:
    if isinstance(part, n.Alternative | n.YourAbilities):
        add_answers(printed, depth, (part,))
    else:
        add_statement(printed, depth, part)


def _offering(body: _Extension) -> str:
    return " offering" if isinstance(body[0], n.Alternative | n.YourAbilities) else ""


def _add_line(printed: Printed, depth: int, node: n.Node, text: str) -> None:
    written = printed.line_of(node)
    printed.add(depth, text, written)
    if written is not None:
        printed.note(depth, written.below)


def _add_layout(printed: Printed, depth: int, lines: Iterable[n.LayoutLine]) -> None:
    for line in lines:
        match line:
            case n.LayoutTable(None, rows):
                _add_line(printed, depth, line, "table")
                for row in rows:
                    _add_line(printed, depth + 1, row[0], " | ".join(map(_cell, row)))
            case n.LayoutTable(n.Word(region)):
                _add_line(printed, depth, line, f"table {region}")
            case n.LayoutItems(items):
                _add_line(printed, depth, line, f"line {listed(items)}")
            case n.LayoutPlayers(inner):
                _add_line(printed, depth, line, "each player")
                _add_layout(printed, depth + 1, inner)
            case _:
                raise AssertionError(line)


def _cell(cell: n.LayoutCell) -> str:
    if cell.region is None or cell.element is None:
        return "-"
    return f"{cell.region.text} {cell.element.text}"


def _add_look(printed: Printed, lines: Iterable[n.LookLine]) -> None:
    for line in lines:
        traits = (f"{one.what} {one.said or _names(one.fields)}" for one in line.traits)
        _add_line(printed, 1, line, f"{line.name.text}: {_join(traits)}")


# ---- declarations on one line ----


def _one_line(node: n.Declaration) -> str:
    match node:
        case n.Language(version):
            return f"language {version}"
        case n.Module(name, title, based_on):
            return f"module {name.text}{_titled(title)}{_based_on(*based_on)}"
        case n.About(text):
            return f'about "{text}"'
        case n.Players(number, names):
            numbers = "" if number is None else f"{number[0]} to {number[1]}: "
            return f"players {numbers}{_list(one.text for one in names)}"
        case n.Resources(group, names, on):
            of = "" if group is None else f"{_print_counted(group)}: "
            lying = f" on {_names(on)}" if on else ""
            return f"resource {of}{_list(map(_print_counted, names))}{lying}"
        case n.Pool(name, resources):
            return f"pool {name.text}: {_names(resources)}"
        case n.Values(name, members, numbers):
            valued = (
                word.text if number is None else f"{word.text} {number}"
                for word, number in zip(members, numbers, strict=True)
            )
            return f"values {name.text}: {_list(valued)}"
        case n.SpaceSet(name, region, elements):
            return f"set {name.text}: {region.text} {_list(one.text for one in elements)}"
        case n.Relation():
            return _relation(node)
        case n.Tie(ranks):
            values = (f"{one.order} {breakable(one.value, Level.SUM)}" for one in ranks)
            return f"tie: {', then '.join(values)}"
        case n.Never(name, condition):
            return f"never {name.text}: {breakable(condition)}"
        case n.Standing(name, ability):
            return f"standing {name.text}: {print_ability(ability)}"
        case n.Define(name, params, value):
            of = f" of {_params(params)}" if params else ""
            return f"define {name.text}{of}: {breakable(value)}"
        case n.ReplaceForbid(name, condition, reason):
            return f"replace forbid {name.text}: {breakable(condition)}{because(reason)}"
        case n.ExtendForbid(name, condition):
            return f"extend forbid {name.text}: {breakable(condition)}"
        case n.ExtendNames(what, name, members):
            return f"extend {what.text} {name.text}: {_join(map(_new_name, members))}"
        case n.Remove(what, name):
            return f"remove {what.text} {name.text}"
        case n.Worded():
            return _component(node) + wording(node.wording)
        case _:
            raise AssertionError(node)


def _component(node: n.Worded) -> str:
    """A component that words for people can follow."""
    match node:
        case n.Space(name, each, shape, rows, columns, of, active):
            size = _SHAPES[shape].format(rows=rows, columns=columns, of=of and of.text)
            return f"space {name.text}{_each(each)}: {size}{_ACTIVE * active}"
        case n.Zone(name, each, kind):
            return f"zone {name.text}{_each(each)}: {_join([kind.text, *_zone_traits(node)])}"
        case n.Piece(name, number, each):
            return f"piece {name.text}: {number}{_each(each)}"
        case n.Variable(name, each, of, start, seen):
            begin = "" if start is None else f", starts as {breakable(start, Level.OPERAND)}"
            audience = f", seen by {seen}" if seen else ""
            return f"variable {name.text}{_each(each)}: {_type(of)}{begin}{audience}"
        case n.Option(name, values):
            return f"option {name.text}: {' or '.join(one.text for one in values)}"
        case n.FreeExchange(name, give, take, condition):
            amounts = f"{print_amounts(give)} -> {print_amounts(take)}"
            when = "" if condition is None else f" if {breakable(condition, Level.DISJUNCTION)}"
            return f"exchange {name.text}: {amounts}{when}"
        case n.ScorePart(name, value):
            return f"score {name.text}: {breakable(value)}"
        case _:
            raise AssertionError(node)


_ACTIVE = ", abilities active"
_SHAPES = {
    "ring": "ring of {columns}",
    "row": "row of {columns}",
    "spots": "{columns} spots",
    "grid": "grid {rows} by {columns}",
    "grid with diagonals": "grid {rows} by {columns} with diagonals",
    "hex": "hex {rows} by {columns}",
    "edges": "edges of {of}",
    "corners": "corners of {of}",
    "blocks": "blocks {rows} by {columns} of {of}",
}


def _zone_traits(zone: n.Zone) -> Iterator[str]:
    if zone.facing:
        yield f"face {zone.facing}"
    if zone.seen:
        yield f"seen by {zone.seen}"
    if zone.refilled_from is not None:
        when = zone.refill
        if isinstance(when, n.OptionIs):
            said = f"at once if {print_expression(when)} otherwise when needed"
        else:
            said = when.replace("_", " ")
        yield f"refilled from {zone.refilled_from.text} {said}"
    if zone.numbered is not None:
        yield f"numbered {zone.numbered[0]} to {zone.numbered[1]}"
    if zone.least:
        yield f"at least {zone.least}"
    if zone.closed:
        yield "closed"
    if zone.active:
        yield "abilities active"


def _relation(node: n.Relation) -> str:
    pairs = (f"{_elements(one.left)} to {_elements(one.right)}" for one in node.pairs)
    ends = f"from {node.source.text} to {node.target.text}"
    if node.source == node.target:
        ends = f"on {node.source.text}{' both ways' * node.both_ways}"
    return f"relation {node.name.text} {ends}: {_list(pairs)}"


def _sheet_line(line: n.SheetLine) -> str:
    match line:
        case n.SheetRules(uses):
            used = (
                f"{one.module.text} ({_names(one.chapters)})" if one.chapters else one.module.text
                for one in uses
            )
            return f"rules {' + '.join(used)}"
        case n.SheetDeck(zone, deck):
            return f"deck {zone.text}: {print_deck(deck)}"
        case n.SheetNeeds(zone, needs):
            return f"deck {zone.text} must have {', '.join(map(_need, needs))}"
        case n.SheetOption(option, value) if value.text.isdecimal():
            return f"{option.text} {value.text}"
        case n.SheetOption(option, value):
            return f"option {option.text}: {value.text}"
        case n.SheetSettle(name, modules):
            return f"settle {name.text}: {' then '.join(one.text for one in modules)}"
        case _:
            assert_never(line)


def _need(need: n.DeckNeed) -> str:
    return f"{need.count} {f'of each {need.each.text}' if need.each is not None else 'cards'}"


def _change(change: n.FieldChange) -> str:
    if not change.values:
        return f"no {change.name.text}"
    language = "" if change.language is None else f" {change.language.text}"
    return f"{change.name.text}{language} {_names(change.values)}"


# ---- parts ----


def _join(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def _list(parts: Iterable[str]) -> str:
    """The parts of a list that may be longer than a line."""
    return f",{BREAK}".join(parts)


def _names(words: Iterable[n.Word]) -> str:
    return _join(word.text for word in words)


def _elements(words: Iterable[n.Word]) -> str:
    return " ".join(word.text for word in words)


def _titled(title: str | None) -> str:
    return "" if title is None else f' "{title}"'


def _based_on(*names: n.Word | None) -> str:
    bases = _names(one for one in names if one is not None)
    return f" based on {bases}" if bases else ""


def _each(owner: n.Word | None) -> str:
    return "" if owner is None else f" for each {owner.text}"


def _place(beside: str, anchor: n.Word | None) -> str:
    return "" if anchor is None else f" {beside} {anchor.text}"


def _print_counted(word: n.Counted) -> str:
    return word.text if word.singular is None else f"{word.text} (one {word.singular.text})"


def _new_name(word: n.Word) -> str:
    return _print_counted(word) if isinstance(word, n.Counted) else word.text


def _params(params: Iterable[n.Param]) -> str:
    return _join(
        one.name.text if one.type is None else f"{one.name.text} ({_type(one.type)})"
        for one in params
    )


def _type(of: n.Type) -> str:
    match of.form:
        case "name":
            return of.name
        case "range":
            return f"{of.low} to {of.high}"
        case "list":
            return f"list of {of.name}"
        case _:
            assert_never(of.form)


# ---- deck expressions as text ----


_WHERE, _SUM, _TERM, _ATOM = range(4)


def print_deck(node: n.DeckExpr, level: int = _WHERE) -> str:
    """A deck as one line; in parentheses if it holds together less tightly than `level`."""
    text, own = _deck_and_level(node)
    return text if own >= level else f"({text})"


def _deck_and_level(node: n.DeckExpr) -> tuple[str, int]:
    match node:
        case n.DeckWhere(deck, condition):
            wanted = print_expression(condition, Level.DISJUNCTION)
            return f"{print_deck(deck, _SUM)} where {wanted}", _WHERE
        case n.DeckSum(parts):
            return " + ".join(print_deck(part, _TERM) for part in parts), _SUM
        case n.DeckWithout(deck, names):
            return f"{print_deck(deck, _TERM)} without {_names(names)}", _TERM
        case n.DeckOverlay(deck, over):
            return f"{print_deck(deck, _TERM)} overlaid by {print_deck(over, _ATOM)}", _TERM
        case n.DeckSet(name):
            return name.text, _ATOM
        case n.DeckCopies(count, name, of):
            return f"{count} x {name.text} of {of.text}", _ATOM
        case n.DeckCards(names, of):
            return f"cards {_names(names)} of {of.text}", _ATOM
        case n.DeckDraw(count, each, deck):
            field = "" if each is None else f" of each {each.text}"
            return f"draw {count}{field} from {print_deck(deck, _ATOM)}", _ATOM
        case n.DeckRest(zone):
            return f"the rest of {zone.text}", _ATOM
        case _:
            assert_never(node)


# ---- rule files and sheets as a whole ----


_APART = (n.Rule, n.ExtendRule, n.ExtendAction, n.Layout, n.Look)


def print_file(file: File) -> str:
    """The text of a file with its comments and sources. A declaration that could not be parsed
    stays as it is. A blank line stays where there was one, and is put above and below a rule.
    """
    lines = list[str]()
    was_apart = False
    for part in file.parts:
        if part.node is None:
            text = part.section.text
            printed = [*text.rstrip().split("\n"), *[""] * text.endswith("\n\n")]
        else:
            printed = [*print_declaration(part.node, notes=True)]
        is_apart = isinstance(part.node, _APART)
        if lines and lines[-1] and (is_apart or was_apart):
            lines.append("")
        lines += printed
        was_apart = is_apart
    return "\n".join(lines).strip("\n") + "\n"

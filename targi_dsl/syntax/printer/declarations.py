"""Prints declarations, sheets and whole files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.syntax import ast as n
from targi_dsl.syntax.lines import NONE, Line, lines_of
from targi_dsl.syntax.parser import File
from targi_dsl.syntax.printer.constructs import (
    BREAK,
    breakable,
    head,
    print_ability,
    print_expression,
    wording,
)
from targi_dsl.syntax.printer.statements import Printed, add_answers, add_block, add_statement

_Extension = n.Block | tuple[n.Alternative | n.YourAbilities, ...]


def print_declaration(node: n.Declaration, notes: bool = False) -> tuple[str, ...]:
    """The lines of a declaration. With `notes`, comments and sources are included, and bodies stay
    on the line of their head, or below it, as written.
    """
    printed = Printed(lines_of(node.span) if notes else NONE)
    add_declaration(printed, node)
    return tuple(printed.lines)


def print_statement(
    node: n.Statement | n.Alternative | n.YourAbilities, notes: bool = False
) -> tuple[str, ...]:
    """The lines of a statement or an answer; `notes` as of `print_declaration`."""
    printed = Printed(lines_of(node.span) if notes else NONE)
    _add_part(printed, 0, node)
    return tuple(printed.lines)


def add_declaration(printed: Printed, node: n.Declaration) -> None:
    written = printed.line_of(node)
    _add(printed, node, "", written)
    if written is not None:
        printed.note(0, written.below)


def _add(printed: Printed, node: n.Declaration, before: str, written: Line | None) -> None:
    """Adds a declaration after the words `before`."""

    def line(text: str) -> None:
        printed.add(0, before + text, written)

    match node:
        case n.Replace(what):
            _add(printed, what, "replace ", written)
        case n.Rule(body=body):
            line(head(node, "rule_decl"))
            add_block(printed, 1, body)
        case n.ExtendRule(body=body) | n.ExtendAction(body=body):
            line(head(node) + _offering(body))
            for part in body:
                _add_part(printed, 1, part)
        case n.CardKind(fields=parts) | n.Sheet(lines=parts):
            line(head(node))
            _add_lines(printed, 1, parts)
        case n.Layout(lines) | n.ExtendLayout(lines):
            line(head(node))
            _add_layout(printed, 1, lines)
        case n.Look(lines) | n.ExtendLook(lines):
            line(head(node))
            for one in lines:
                traits = ", ".join(map(breakable, one.traits))
                _add_line(printed, 1, one, f"{one.name.text}: {traits}")
        case n.ChangeCard(changes=changes) if len(changes) > 1 or printed.stands_alone(changes):
            line(head(node))
            _add_lines(printed, 1, changes)
        case _:
            line(_one_line(node))


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


def _add_lines(printed: Printed, depth: int, nodes: Iterable[n.Node]) -> None:
    for node in nodes:
        _add_line(printed, depth, node, breakable(node))


def _add_layout(printed: Printed, depth: int, lines: Iterable[n.LayoutLine]) -> None:
    for line in lines:
        match line:
            case n.LayoutTable(None, rows):
                _add_line(printed, depth, line, "table")
                for row in rows:
                    _add_line(printed, depth + 1, row[0], " | ".join(map(breakable, row)))
            case n.LayoutPlayers(inner):
                _add_line(printed, depth, line, head(line))
                _add_layout(printed, depth + 1, inner)
            case _:
                _add_line(printed, depth, line, breakable(line))


# ---- declarations on one line ----


def _one_line(node: n.Declaration) -> str:
    words = node.wording if isinstance(node, n.Worded) else None
    return _plain_line(node) + wording(words)


def _plain_line(node: n.Declaration) -> str:
    match node:
        case n.Values(name, members, numbers):
            valued = (
                word.text if number is None else f"{word.text} {number}"
                for word, number in zip(members, numbers, strict=True)
            )
            return f"values {name.text}: {f',{BREAK}'.join(valued)}"
        case n.Relation(name, source, target, both_ways, pairs):
            ends = f"from {source.text} to {target.text}"
            if source == target:
                ends = f"on {source.text}{' both ways' * both_ways}"
            return f"relation {name.text} {ends}: {f',{BREAK}'.join(map(breakable, pairs))}"
        case n.Space(name, each, shape, rows, columns, of, names, by, active):
            size = _SHAPES[shape].format(rows=rows, columns=columns, of=of and of.text)
            if by is not None:
                size = f"{shape} by {by.text}"
            elif names:
                listed = f",{BREAK}".join(word.text for word in names)
                size = f"{shape} named {listed}"
            return f"space {name.text}{_each(each)}: {size}{_ACTIVE * active}"
        case n.Zone(name, each, kind):
            return f"zone {name.text}{_each(each)}: {', '.join([kind.text, *_zone_traits(node)])}"
        case n.Variable(name, each, of, start, seen):
            begin = "" if start is None else f", starts as {breakable(start, 'operand')}"
            audience = f", seen by {seen}" if seen else ""
            return f"variable {name.text}{_each(each)}: {breakable(of)}{begin}{audience}"
        case n.Standing(name, ability):  # as on a card
            return f"standing {name.text}: {print_ability(ability)}"
        case _:
            return breakable(node)


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
            how = f"at once if {print_expression(when)} otherwise when needed"
        else:
            how = when.replace("_", " ")
        yield f"refilled from {zone.refilled_from.text} {how}"
    if zone.numbered is not None:
        yield f"numbered {zone.numbered[0]} to {zone.numbered[1]}"
    if zone.least:
        yield f"at least {zone.least}"
    if zone.closed:
        yield "closed"
    if zone.active:
        yield "abilities active"


def _each(owner: n.Word | None) -> str:
    return "" if owner is None else f" for each {owner.text}"


# ---- files ----


_APART = (n.Rule, n.ExtendRule, n.ExtendAction, n.Layout, n.Look)


def print_file(file: File) -> str:
    """The text of a file with its comments and sources. Declarations with syntax errors stay as
    they are. Blank lines are kept, and added around rules.
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

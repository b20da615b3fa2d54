"""`targi diff`: what one game changes in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.load import load
from targi_dsl.ir.declarations import CardInfo
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.tools.diff import CardChange, Differences, RuleChange, differences


@click.command("diff")
@click.argument("first", metavar="GAME", shell_complete=arguments.games)
@click.argument("second", metavar="OTHER", shell_complete=arguments.games)
@arguments.as_json
def command(first: str, second: str, as_json: bool) -> None:
    """Show what one game changes in another: how OTHER differs from GAME in options, rules, cards
    and decks.

    Of a rule, only the lines that differ are shown, marked with - and +.
    """
    a, b = load(first), load(second)
    found = differences(a, b)
    if as_json:
        put_document(_document(a, b, found))
        return
    for line in compared(a, b, found):
        put(line)


# ---- for people ----


def compared(a: Game, b: Game, found: Differences) -> Iterator[str]:
    """The differences of two games, line by line."""
    yield f"{b.title} ({b.name}) against {a.title} ({a.name})"
    if not found:
        yield "They do not differ."
    if found.options:
        yield from ("", "options")
    for option in found.options:
        yield f"  {option.name}: {option.before or 'not there'} -> {option.after or 'not there'}"
    if found.rules:
        yield from ("", "rules")
    for rule in found.rules:
        where = _where(rule.after or rule.before)
        yield f"  {_mark(rule.before, rule.after)} {rule.sort} {rule.name}{where}"
        if rule.before and rule.after:
            yield from (f"      {line}" for line in rule.lines)
    if found.cards:
        yield from ("", "cards")
    for card in found.cards:
        yield from _card(card)
    if found.decks:
        yield from ("", "decks")
    for deck in found.decks:
        drawn = [" drawn" if one else "" for one in deck.drawn]
        yield f"  {deck.zone}: {deck.before}{drawn[0]} -> {deck.after}{drawn[1]} cards"
        was, is_ = deck.said
        if was != is_:
            yield f"    {was or 'nothing'} -> {is_ or 'nothing'}"
        for sign, cards in (("+", deck.more), ("-", deck.less)):
            if cards:
                text = ", ".join(
                    id_ if count == 1 else f"{count} x {id_}" for id_, count in cards.items()
                )
                yield click.wrap_text(
                    text, initial_indent=f"    {sign} ", subsequent_indent="      ", width=100
                )


def _mark(before: object, after: object) -> str:
    return "~" if before and after else "+" if after else "-"


def _where(origins: tuple[Origin, ...]) -> str:
    newest = origins[0]
    return (
        f"  {newest.module}, {newest.span.source.name}:{newest.span.line}"
        if newest.span is not None
        else ""
    )


def _card(card: CardChange) -> Iterator[str]:
    info = card.after or card.before
    assert info is not None
    yield f"  {_mark(card.before, card.after)} {card.id}  {info.names.get('en', '')}, of {info.set}"
    for name, (before, after) in card.fields.items():
        was, is_ = ("nothing" if value is None else value for value in (before, after))
        yield f"      {name}: {was} -> {is_}"


# ---- as data ----


def _document(a: Game, b: Game, found: Differences) -> Mapping[str, object]:
    return {
        "first": {"game": a.name, "title": a.title, "rules": a.hash},
        "second": {"game": b.name, "title": b.title, "rules": b.hash},
        "options": [
            {"name": one.name, "first": one.before, "second": one.after} for one in found.options
        ],
        "rules": [_rule_document(one) for one in found.rules],
        "cards": [
            {
                "id": one.id,
                "first": _card_document(one.before),
                "second": _card_document(one.after),
                "fields": {
                    key: {"first": was, "second": is_} for key, (was, is_) in one.fields.items()
                },
            }
            for one in found.cards
        ],
        "decks": [
            {
                "zone": one.zone,
                "first": {"cards": one.before, "drawn": one.drawn[0], "said": one.said[0]},
                "second": {"cards": one.after, "drawn": one.drawn[1], "said": one.said[1]},
                "more": one.more,
                "less": one.less,
            }
            for one in found.decks
        ],
    }


def _rule_document(rule: RuleChange) -> Mapping[str, object]:
    origins = {
        key: [
            {
                "module": one.module,
                "how": one.text,
                "file": one.span.source.name if one.span else None,
                "line": one.span.line if one.span else None,
                "cites": list(one.cites),
            }
            for one in those
        ]
        for key, those in (("first", rule.before), ("second", rule.after))
    }
    return {"sort": rule.sort, "name": rule.name, "lines": list(rule.lines), **origins}


def _card_document(card: CardInfo | None) -> Mapping[str, object] | None:
    return (
        None
        if card is None
        else {"set": card.set, "names": dict(card.names), "fields": dict(card.fields)}
    )

"""`targi diff`: what one game changes in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import click

from targi_dsl.cli import arguments
from targi_dsl.cli.first_page import location
from targi_dsl.cli.output import put, put_document
from targi_dsl.compiler.load import load
from targi_dsl.ir.declarations import CardInfo, heading, in_one_line
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.tools.diff import CardChange, DeckChange, Differences, RuleChange, differences


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
    changes = differences(a, b)
    if as_json:
        put_document(_document(a, b, changes))
        return
    for line in comparison(a, b, changes):
        put(line)


# ---- for people ----


def comparison(a: Game, b: Game, changes: Differences) -> Iterator[str]:
    """The differences between two games, as lines."""
    yield f"{b.title} ({b.name}) against {a.title} ({a.name})"
    if not changes:
        yield "They do not differ."
    if changes.options:
        yield from ("", "options")
    for option in changes.options:
        yield f"  {option.name}: {option.before or 'not there'} -> {option.after or 'not there'}"
    if changes.rules:
        yield from ("", "rules")
    for rule in changes.rules:
        where = _where(rule.after or rule.before)
        yield f"  {_mark(rule.before, rule.after)} {heading(rule.sort, rule.name)}{where}"
        if rule.before and rule.after:
            yield from (f"      {line}" for line in rule.lines)
    if changes.cards:
        yield from ("", "cards")
    for card in changes.cards:
        yield from _card(card)
    if changes.decks:
        yield from ("", "decks")
    for deck in changes.decks:
        drawn = [" drawn" if is_drawn else "" for is_drawn in deck.drawn]
        yield f"  {deck.zone}: {deck.before}{drawn[0]} -> {deck.after}{drawn[1]} cards"
        was, is_ = deck.said
        if was != is_:
            yield f"    {was or 'nothing'} -> {is_ or 'nothing'}"
        for sign, cards in (("+", deck.more), ("-", deck.less)):
            if cards:
                counts = cards.items()
                text = ", ".join(one if count == 1 else f"{count} x {one}" for one, count in counts)
                yield click.wrap_text(text, 100, f"    {sign} ", " " * 6)


def _mark(before: object, after: object) -> str:
    return "~" if before and after else "+" if after else "-"


def _where(origins: tuple[Origin, ...]) -> str:
    newest = origins[0]
    return "" if newest.span is None else f"  {newest.module}, {location(newest.span)}"


def _card(card: CardChange) -> Iterator[str]:
    info = card.after or card.before
    assert info is not None
    yield f"  {_mark(card.before, card.after)} {card.id}  {info.names.get('en', '')}, of {info.set}"
    for name, (before, after) in card.fields.items():
        is_translation = name.startswith(("name (", "text ("))
        none = "as in English" if is_translation else "nothing"
        was, is_ = (none if one is None else in_one_line(one) for one in (before, after))
        yield f"      {name}: {was} -> {is_}"


# ---- as data ----


def _document(a: Game, b: Game, changes: Differences) -> Mapping[str, object]:
    return {
        **_both({"game": one.name, "title": one.title, "rules": one.hash} for one in (a, b)),
        "options": [
            {"name": option.name, **_both((option.before, option.after))}
            for option in changes.options
        ],
        "rules": [_rule_document(rule_change) for rule_change in changes.rules],
        "cards": [
            {
                "id": card.id,
                **_both(map(_card_document, (card.before, card.after))),
                "fields": {key: _both(values) for key, values in card.fields.items()},
            }
            for card in changes.cards
        ],
        "decks": [
            {"zone": deck.zone, **_both(_decks(deck)), "more": deck.more, "less": deck.less}
            for deck in changes.decks
        ],
    }


def _both(values: Iterable[object]) -> dict[str, object]:
    """A value in both games."""
    return dict(zip(("first", "second"), values, strict=True))


def _decks(deck: DeckChange) -> Iterator[Mapping[str, object]]:
    for cards, drawn, said in zip((deck.before, deck.after), deck.drawn, deck.said, strict=True):
        yield {"cards": cards, "drawn": drawn, "said": said}


def _rule_document(rule: RuleChange) -> Mapping[str, object]:
    origins = _both([*map(_origin_document, origins)] for origins in (rule.before, rule.after))
    return {"sort": rule.sort, "name": rule.name, "lines": list(rule.lines), **origins}


def _origin_document(origin: Origin) -> Mapping[str, object]:
    return {
        "module": origin.module,
        "how": origin.text,
        "file": origin.span.source.name if origin.span else None,
        "line": origin.span.line if origin.span else None,
        "cites": list(origin.cites),
    }


def _card_document(card: CardInfo | None) -> Mapping[str, object] | None:
    if card is None:
        return None
    return {"set": card.set, "names": dict(card.names), "fields": dict(card.fields)}

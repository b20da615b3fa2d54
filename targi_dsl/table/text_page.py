"""A table as a page of text, for browsers that run no scripts or have no WebSockets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from targi_dsl.table.client_words import client_words
from targi_dsl.table.hall import Link, Table
from targi_dsl.view.equipment import equipment
from targi_dsl.view.shape import (
    Contents,
    Equipment,
    Items,
    Offer,
    PlayerPart,
    Value,
    View,
)
from targi_dsl.view.shape import Table as Rows


def text_page(table: Table, link: Link, code: str, said: str) -> str:
    """What a page's viewers see now, and a form of what they can choose. said: why the last choice
    was refused; "" if it was not.
    """
    view = table.seen(link, code)
    language = table.words(code).language
    named, words = equipment(table.words(code)), client_words(language)
    key = f'<input type="hidden" name="key" value="{escape(link.key)}">'
    at = f'<input type="hidden" name="at" value="{table.game.number}">'
    choices = "".join(_choice(offer) for offer in view.offers)
    news = "".join(
        f"<li>{escape(' '.join((one.choice, '; '.join(event.text for event in one.events))))}</li>"
        for one in view.news
    )
    lines = "".join(f"<li>{escape(line)}</li>" for line in _lines(view, named))
    asked = view.question.text if view.question is not None else str(words["over"])
    turn = next((one.name for one in named.players if one.id == view.turn), "")
    return (
        f'<!doctype html><html lang="{escape(named.language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(named.title)}</title></head><body><main><h1>{escape(named.title)}</h1>"
        f"<p><b>{escape(language.labelled(turn, asked) if turn else asked)}</b></p>"
        f"{f'<p>{escape(said)}</p>' if said else ''}"
        f'<form method="post" action="text">{key}{at}<ol>{choices}</ol>'
        f'<p><button name="id" value="">{escape(str(words["now"]))}</button></p></form>'
        f"<h2>{escape(str(words['news']))}</h2><ol>{news}</ol>"
        f"<h2>{escape(str(words['table']))}</h2><ul>{lines}</ul></main></body></html>\n"
    )


def _choice(offer: Offer) -> str:
    leads = "".join(f" → {lead.words[0]}" for lead in offer.leads if lead.words)
    said = f"{offer.label} {offer.thing}".strip() + leads
    return f'<li><button name="id" value="{escape(offer.id)}">{escape(said)}</button></li>'


def _lines(view: View, named: Equipment) -> Iterator[str]:
    """What everybody has, all values, and what lies on each place."""
    items = {one.id: one.name for one in named.resources}
    for player in named.players:
        have = ", ".join(f"{n} {items[item]}" for item, n in view.amounts[player.id].items())
        yield f"{player.name}: {have}" if have else player.name
    yield from (_value(view.values[key]) for key in _laid(named.layout) if key in view.values)
    for place, found in view.places.items():
        yield f"{named.places[place].name}: {', '.join(_contents(found, named))}"


def _laid(parts: Iterable[Rows | Items | PlayerPart]) -> Iterator[str]:
    """The values that the layout of the game shows."""
    for part in parts:
        match part:
            case Items(items):
                yield from (key for item in items if item.what == "variable" for key in item.of)
            case PlayerPart(_, inner):
                yield from _laid(inner)
            case Rows():
                pass


def _value(value: Value) -> str:
    return f"{value.name} {value.text}".strip()


def _contents(found: Contents, named: Equipment) -> Iterator[str]:
    backs = {one.id: one.name for one in named.card_kinds}
    items = {one.id: one.name for one in named.resources}
    for card in found.cards:
        name = named.cards[card.id].name if card.id else f"?{backs.get(card.back, '')}"
        yield f"{card.count} {name}" if card.count > 1 else name
    yield from (named.pieces[piece].name for piece in found.pieces)
    yield from (f"{one.number} {items[one.item]}" for one in found.amounts)
    yield from map(_value, found.values)

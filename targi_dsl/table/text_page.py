"""A table as a page of text, for browsers without scripts or WebSockets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import chain

from targi_dsl.display.choosing import Keyed
from targi_dsl.display.ink import plain_text
from targi_dsl.display.parts import contents
from targi_dsl.display.scene import Scene
from targi_dsl.display.screen import item_lines
from targi_dsl.ir.layout import Items, Layout, PlayerPart
from targi_dsl.table.hall import Link, Table


def text_page(table: Table, link: Link, code: str, refusal: str) -> str:
    """The current view of a page's viewers, with a form of their choices. said: why the last choice
    was refused, or "".
    """
    view, words = table.view(table.viewers(link), code), table.words(code)
    scene, language, title = Scene(view, words), words.language, escape(words.title)
    asked = language.say("The game is over")
    if view.question is not None:
        asked = language.labelled(scene.seat(view.turn), view.question.text)
    choices = _items(
        f'<button name="id" value="{escape(one.id)}">{escape(Keyed("", one).words)}</button>'
        for one in view.offers
    )
    news = _items(
        escape(" ".join((one.choice, "; ".join(event.text for event in one.events))))
        for one in view.news
    )
    lying = (one for on in view.places for one in contents(scene, on))
    lines = _items(map(escape, chain(_lines(scene, scene.game.layout), lying)))
    return (
        f'<!doctype html><html lang="{escape(language.code)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title></head><body><main><h1>{title}</h1>"
        f"<p><b>{escape(asked)}</b></p>{f'<p>{escape(refusal)}</p>' if refusal else ''}"
        f'<form method="post" action="text"><input type="hidden" name="key" '
        f'value="{escape(link.key)}"><input type="hidden" name="at" value="{table.game.number}">'
        f'<ol>{choices}</ol><p><button name="id" value="">{escape(language.say("Now"))}</button>'
        "</p></form>"
        f"<h2>{escape(language.say('Since your last turn'))}</h2><ol>{news}</ol>"
        f"<h2>{escape(language.say('Table'))}</h2><ul>{lines}</ul>"
        "</main></body></html>\n"
    )


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{one}</li>" for one in texts)


def _lines(scene: Scene, parts: Layout, player: str = "") -> Iterator[str]:
    """The entries of the layout that are not places."""
    for part in parts:
        match part:
            case PlayerPart(owner, inner):
                yield scene.titled(owner)
                yield from _lines(scene, inner, owner)
            case Items(items):
                shown = (one for one in items if one.what != "places")
                yield from (
                    plain_text(one) for item in shown for one in item_lines(scene, item, player)
                )

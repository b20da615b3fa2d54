"""A part of the table in full: every card of a zone or of spaces, or who has how much."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.display.ink import Line, words
from targi_dsl.display.view import View
from targi_dsl.display.words import spoken
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.text.suggestions import suggestion


def is_part(game: Game, name: str) -> bool:
    """Whether a zone, or spaces, are called so."""
    return name.casefold() in _regions(game)


def part_of_table(view: View, name: str) -> list[Line]:
    """What lies there as those who look may know it, or how much everybody has of something."""
    game, wanted = view.game, name.casefold()
    resources = [(one, (number,)) for number, one in enumerate(game.resources)]
    amounts = {spoken(one): numbers for one, numbers in (*resources, *game.groups)}
    if wanted in _regions(game):
        said = list(_lying(view, wanted))
    elif wanted in amounts:
        said = [
            f"{player}: {sum(view.seen.position.amount(one, number) for one in amounts[wanted])}"
            for number, player in enumerate(game.players)
        ]
    else:
        known = [*_regions(game), *amounts]
        said = [f"Nothing on the table is called `{name}`. {suggestion(name, known)}".rstrip()]
    return [part for text in said for part in words(text, view.columns, "    ")]


def _regions(game: Game) -> list[str]:
    return list(dict.fromkeys(spoken(place.region) for place in game.places if not place.is_box))


def _lying(view: View, region: str) -> Iterator[str]:
    for number, place in enumerate(view.game.places):
        if spoken(place.region) != region or place.is_box:
            continue
        cards, pieces = list(view.cards(number)), view.pieces(number)
        if not cards and not pieces and not place.is_zone:
            continue
        hidden = [card for card in cards if not view.knows(card)]
        whose = view.words.place(number)
        counted = f"{len(cards)} cards" if len(cards) != 1 else "1 card"
        yield f"{whose}: {counted}" + (f", {len(hidden)} hidden" if hidden else "")
        owners = [view.game.pieces[piece] for piece in pieces]
        yield from (
            f"  {spoken(one.kind)}"
            + (f" of {view.game.players[one.owner]}" if one.owner != NOTHING else "")
            for one in owners
        )
        yield from (_card(view, card) for card in cards if view.knows(card))


def _card(view: View, card: int) -> str:
    """A card with all that is printed on it, in one paragraph."""
    brief = view.words.brief(card)
    down = "" if view.face_up(card) else " (face down)"
    said = [one[0] for one in (brief.deal, brief.power, brief.marks) if one and one[0]]
    return f"  {view.words.card(card)}{down}: " + "; ".join(said)

"""A part of the table in full: every card of a zone or region, or all players' amounts of a
resource.
"""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.api.naming import Naming, spoken
from targi_dsl.display.ink import Line, words
from targi_dsl.display.view import View
from targi_dsl.text.suggestions import did_you_mean


def is_part(names: Naming, name: str) -> bool:
    """Whether a zone or a region has this name."""
    return name.casefold() in _regions(names)


def part_of_table(view: View, name: str) -> list[Line]:
    """The contents of a place as the observers know them, or all players' amounts of a resource."""
    game, names, wanted = view.game, view.words, name.casefold()
    resources = [(one, (number,)) for number, one in enumerate(game.resources)]
    amounts = {
        said.casefold(): numbers
        for one, numbers in (*resources, *game.groups)
        for said in (spoken(one), names.called("resource", one))
    }
    if wanted in (regions := _regions(names)):
        said = list(_lying(view, regions[wanted]))
    elif wanted in amounts:
        said = [
            f"{names.player(number)}: "
            f"{sum(view.seen.position.amount(one, number) for one in amounts[wanted])}"
            for number in range(len(game.players))
        ]
    else:
        said = [names.say("Nothing on the table is called `{name}`.", name=name)]
        if meant := did_you_mean(name, [*regions, *amounts]):
            said = [f"{said[0]} {names.say('Did you mean `{meant}`?', meant=meant)}"]
    return [part for text in said for part in words(text, view.columns, "    ")]


def _regions(names: Naming) -> dict[str, str]:
    """The regions by the words people have for them, and by their names."""
    shown = [number for number, place in enumerate(names.game.places) if not place.is_box]
    region = {number: names.game.places[number].region for number in shown}
    called = {names.region(number).casefold(): region[number] for number in shown}
    return called | {spoken(one): one for one in region.values()}


def _lying(view: View, region: str) -> Iterator[str]:
    names = view.words
    for number, place in enumerate(view.game.places):
        if place.region != region or place.is_box:
            continue
        cards, pieces = list(view.cards(number)), view.pieces(number)
        if not cards and not pieces and not place.is_zone:
            continue
        hidden = sum(not view.knows(card) for card in cards)
        counted = names.count("{number} card", "{number} cards", len(cards))
        if hidden:
            counted += f", {names.say('{number} hidden', number=hidden)}"
        yield f"{names.place(number)}: {counted}"
        owners = [view.game.pieces[piece] for piece in pieces]
        yield from (f"  {names.piece(one.kind, one.owner)}" for one in owners)
        yield from (_card(view, card) for card in cards if view.knows(card))


def _card(view: View, card: int) -> str:
    """A card with everything printed on it, in one paragraph."""
    brief = view.words.brief(card)
    down = "" if view.face_up(card) else f" ({view.words.say('face down')})"
    said = [one[0] for one in (brief.deal, brief.power, brief.marks) if one and one[0]]
    return f"  {view.words.card(card)}{down}: " + "; ".join(said)

"""Parts of the table in words: a zone, the spaces of a region, or amounts of a resource."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from targi_dsl.display.ink import Line, words
from targi_dsl.display.scene import Scene, counted
from targi_dsl.text.languages import words_of
from targi_dsl.text.suggestions import did_you_mean
from targi_dsl.view.shape import Card, Equipment, Named


def is_part(game: Equipment, name: str) -> bool:
    """Whether a zone or a region has this name."""
    return name.casefold() in _by_name(game.regions)


def part_of_table(scene: Scene, name: str) -> list[Line]:
    """The contents of a place as the viewers know them, or all players' amounts of a resource."""
    game, wanted = scene.game, name.casefold()
    regions, amounts = _by_name(game.regions), _by_name(game.resources)
    called = {
        place: (place, info.label, info.address, info.name, info.own_name)
        for place, info in game.places.items()
        if not info.is_zone
    }
    spaces = [place for place, names in called.items() if wanted in map(str.casefold, names)]
    if wanted in regions:
        texts = [
            text
            for place, info in scene.game.places.items()
            if info.region == regions[wanted] and (info.is_zone or not scene.is_empty(place))
            for text in contents(scene, place)
        ]
    elif wanted in amounts:
        of = game.groups.get(amounts[wanted], (amounts[wanted],))
        labelled = scene.language.labelled
        texts = [labelled(one.name, str(scene.amount(one.id, of))) for one in game.players]
    elif spaces:
        texts = [text for place in spaces for text in contents(scene, place)]
    else:
        text = scene.say("Nothing on the table is called `{name}`.", name=name)
        near = did_you_mean(name, [*regions, *amounts])
        hint = scene.say("Did you mean `{meant}`?", meant=near) if near else ""
        texts = [f"{text} {hint}".rstrip()]
    return [part for text in texts for part in words(text, scene.columns, "    ")]


def _by_name(things: Iterable[Named]) -> dict[str, str]:
    """Ids of things by their words and by their names."""
    things = tuple(things)
    called = {one.name.casefold(): one.id for one in things}
    return called | {words_of(one.id): one.id for one in things}


def contents(scene: Scene, place: str) -> Iterator[str]:
    """The contents of a place: the number of cards and what else is there, then the known cards."""
    info, cards = scene.game.places[place], scene.cards(place)
    parts = [scene.count("{number} card", "{number} cards", len(cards))]
    parts *= bool(cards) or info.is_zone
    if hidden := sum(not card.id for card in cards):
        parts.append(scene.say("{number} hidden", number=hidden))
    parts += beside_cards(scene, place)
    yield scene.language.labelled(info.name, ", ".join(parts) or scene.say("nothing"))
    named = (_card(scene, card) for card in cards if card.id)
    for (_, printed), alike in groupby(named):
        (told,) = counted(name for name, _ in alike)
        yield f"  {scene.language.labelled(told, printed)}"


def beside_cards(scene: Scene, place: str) -> list[str]:
    """Pieces, amounts and values on a place."""
    on = scene.on(place)
    parts = [scene.game.pieces[one].name for one in on.pieces]
    parts += [one.text for one in on.amounts]
    return parts + [f"{one.name} {one.text}".strip() for one in on.values]


def _card(scene: Scene, card: Card) -> tuple[str, str]:
    """A card's name, and everything else printed on it, in one paragraph."""
    face, down = scene.face(card), f" ({scene.say('face down')})" if card.down else ""
    parts = [one[0] for one in (face.effect, face.power, face.marks) if one and one[0]]
    return f"{face.name}{down}", "; ".join([*parts, *scene.told(card)])

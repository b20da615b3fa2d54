"""The open question of a view, and what one must see to answer it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from targi_dsl.explain.answers import chosen_by
from targi_dsl.ir import types as t
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.layout import places_of
from targi_dsl.view.phrases import Phrases
from targi_dsl.view.seen import Seen
from targi_dsl.view.shape import Offer, Question, Ref

MOST_SHOWN = 6
"""Up to this many cards of a common zone are all shown; of a larger one only the top card."""


def question(phrases: Phrases, offers: Iterable[Offer]) -> Question | None:
    """The open question as the viewer sees it; None if the game is over."""
    seen, asked = phrases.seen, phrases.asked
    if asked is None or seen.observation.turn is None:
        return None
    about = dict.fromkeys(_about(phrases, offers))
    costs = _costs(seen, about, offers) if seen.owner != NOTHING else ()
    return Question(asked.name, seen.observation.turn, text(phrases), asked.kind, (*about, *costs))


def text(phrases: Phrases) -> str:
    """The question in words, with which of several it is."""
    ways = phrases.asked.ways if phrases.asked is not None else ()
    chosen, say = (chosen_by(phrases.seen.game, way) for way in ways), phrases.seen.words.say
    one = next((one for one in chosen if one is not None and one.of > 1), None)
    told = _rules_in_words(phrases)
    if one is None:
        return told
    number = say("{number} of {count}", number=one.at, count=one.of)
    if one.fewer:
        number = say("{number} of up to {count}", number=one.at, count=one.of)
    return f"{told} ({number})"


def _rules_in_words(phrases: Phrases) -> str:
    """The innermost rule with a wording and the one around it, unless that speaks to another
    player; or by the names of the rules.
    """
    seen, said = phrases.seen, list[str]()
    game, words = seen.game, seen.words
    for one in phrases.doing:
        part = phrases.rule(one, bare=bool(said)) if phrases.speaks_to_asked(one) else None
        part = part or words.action(one.name)
        said += [part] if part and part not in said else []
    doing = [one for one in phrases.doing if one.rule != game.round]
    if said or not doing:
        inner, *around = said[:2] or [words.word(game.rules[game.round].name)]
        return words.language.labelled(around[0], inner) if around else inner
    first = words.word(doing[0].name)
    with_ = "; ".join(
        seen.thing(kind, value, True)
        for kind, value in doing[0].arguments
        if isinstance(kind, t.Card | t.Place)
    )
    return f"{first} ({with_})" if with_ else first


def _about(phrases: Phrases, offers: Iterable[Offer]) -> Iterator[Ref]:
    """What the question is about, in order of importance: what the two innermost rules act on, what
    can be chosen and what that leads to, cards in zones that the layout omits, and the viewer's own
    hidden cards.
    """
    seen, game = phrases.seen, phrases.seen.game
    for rule in [one for one in phrases.doing if one.rule != game.round][:2]:
        yield from _with_cards(seen, phrases.about(rule))
    for offer in offers:
        yield from offer.acts_on
        for lead in offer.leads:
            yield from _with_cards(seen, lead.about)
    shown = {*places_of(game.layout)}
    chosen = (ref for offer in offers for ref in offer.acts_on if ref.sort == "place")
    spaces = (game.places[seen.numbers[ref.id]] for ref in chosen)
    regions = {(one.region, one.owner) for one in spaces if one.owner != NOTHING}
    for number, place in enumerate(game.places):
        is_left_out = place.is_zone and not place.is_box and place.name not in shown
        is_own_secret = place.seen == "owner" and place.owner == seen.owner
        is_pile = is_left_out and place.owner == NOTHING and len([*seen.cards(number)]) > MOST_SHOWN
        if is_left_out or is_own_secret or (place.region, place.owner) in regions:
            yield from [*_cards(seen, number)][: 1 if is_pile else None]


def _with_cards(seen: Seen, refs: Iterable[Ref]) -> Iterator[Ref]:
    """Things, each place followed by its top card."""
    for ref in refs:
        yield ref
        if ref.sort == "place":
            yield from [*_cards(seen, seen.numbers[ref.id])][:1]


def _cards(seen: Seen, place: int) -> Iterator[Ref]:
    """The cards on a place that the viewer knows."""
    return seen.refs((t.Card(), card) for card in seen.cards(place) if seen.knows(card))


def _costs(seen: Seen, about: Iterable[Ref], offers: Iterable[Offer]) -> Iterator[Ref]:
    """The viewer's amounts of each resource that a choice or a card in question costs."""
    game, numbers = seen.game, seen.words.numbers
    asked = {amount.item for offer in offers for amount in offer.pays}
    for ref in about:
        prices = game.cards[numbers[ref.id]].prices if ref.sort == "card" and ref.id else {}
        for number in prices.values():
            ways = game.prices[number].alternatives if number != NOTHING else ()
            asked |= {seen.words.domains.item(item) for way in ways for item, _ in way}
    for number, resource in enumerate(game.resources):
        if resource in asked:
            have = seen.observation.position.amount(number, seen.owner)
            yield Ref("resource", resource, number=have, of=game.players[seen.owner])

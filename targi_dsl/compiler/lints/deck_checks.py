"""Checks whether the cards of a sheet's decks belong where they are put."""

from __future__ import annotations

from collections.abc import Iterator

from targi_dsl.compiler.cards.decks import MOST_CARDS, Deck, DeckCard
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.compiler.lowering.compilation import Compilation
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.suggestions import suggestion


def unknown_kinds(game: Compilation) -> Iterator[Problem]:
    """Reports cards of a kind that is not declared, or not allowed in the zone."""
    written, symbols, decks = game.written, game.symbols, game.decks
    for zone, one in decks.items():
        wanted = symbols.regions[zone].kind
        cards = decks[one.rest].cards if one.rest in decks else one.cards
        for kind in dict.fromkeys(card.kind for card in cards):
            span = next(card.kind_span for card in cards if card.kind == kind)
            if kind not in symbols.kinds:
                text = f"The rules declare: {', '.join(symbols.kinds) or 'none'}."
                title, hint = f"no kind of card `{kind}`", suggestion(kind, symbols.kinds)
                yield Unresolved("E529", title, span, text, hint, name=kind)
            elif wanted not in ("card", kind):
                title = f"`{zone}` holds {wanted}, not {kind}"
                label = (Label(span, "the cards say it here"),)
                text = "Put these cards in another zone, or declare the zone for any kind: `card`."
                yield Problem("E531", title, written.decks[zone].span, text, labels=label)


Pair = tuple[DeckCard, DeckCard]


def _of_two_sets(game: Compilation) -> tuple[dict[tuple[str, str], list[Pair]], set[str]]:
    """The cards of two sets that share an id, for each pair of sets, and their zones."""
    first: dict[str, tuple[DeckCard, str]] = {}
    found: dict[tuple[str, str], list[Pair]] = {}
    zones = set[str]()
    for zone, one in game.decks.items():
        for card in () if one.wrong else one.cards:
            other, there = first.setdefault(card.entry.id, (card, zone))
            if other.set != card.set:
                found.setdefault((other.set, card.set), []).append((other, card))
                zones.update((zone, there))
    return found, zones


def twins(game: Compilation) -> Iterator[Problem]:
    """Reports cards of two sets that share an id, once for each pair of sets."""
    for (set_, other_set), pairs in _of_two_sets(game)[0].items():
        other, card = pairs[0]
        more = len({one.entry.id for one, _ in pairs}) - 1
        title = f"two cards `{card.entry.id}` in one game"
        text = f"One is in set {set_}, the other in {other_set}; in a game an id must be unique."
        text += f" The same applies to {more} more." if more else ""
        same = any(one.entry.number and one.entry.number == two.entry.number for one, two in pairs)
        text += (
            " To replace the cards of the first set by those of the second, write:" if same else ""
        )
        hint = f"{set_} overlaid by {other_set}" if same else ""
        label = (Label(other.entry.keys["id"], "the other one"),)
        yield Problem("E532", title, card.entry.keys["id"], text, hint, labels=label)


def check_numbers(game: Compilation) -> Iterator[Problem]:
    """Reports zones that should contain each number of a range once and do not."""
    twice = _of_two_sets(game)[1]
    for zone in _zones(game):
        deck = game.decks.get(zone.name.text, Deck(()))
        if zone.numbered is None or deck.wrong or zone.name.text in twice:
            continue
        if game.written.errors.no_cards and zone.name.text not in game.written.decks:
            continue
        if faults := list(_wrong_numbers(deck, *zone.numbered)):
            line = game.written.decks.get(zone.name.text)
            low, high = zone.numbered
            title = f"`{zone.name.text}` needs each number from {low} to {high} once"
            label = (Label(zone.name.span, "the rules say it here"),)
            text = "; ".join(faults) + "."
            span = line.span if line is not None else game.written.span
            yield Problem("E533", title, span, text[:1].upper() + text[1:], labels=label)


def _wrong_numbers(deck: Deck, low: int, high: int) -> Iterator[str]:
    """The problems with the cards' numbers, each of which must occur once."""
    given = [card.entry.number for card in deck.cards]
    counts = {number: given.count(number) for number in given if number is not None}
    wanted = range(low, min(high, low + MOST_CARDS) + 1)
    for what, those in (
        ("missing", [number for number in wanted if number not in counts]),
        ("more than once", sorted(number for number, count in counts.items() if count > 1)),
        ("too many", sorted(number for number in counts if not low <= number <= high)),
        ("without a number", [card.entry.id for card in deck.cards if card.entry.number is None]),
    ):
        if those:
            yield f"{what}: {', '.join(map(str, those))}"
    if deck.draws:
        yield "drawn by chance, so its number is not known"


def too_small(game: Compilation) -> Iterator[Problem]:
    """Reports zones with fewer cards than the rules require."""
    for zone in _zones(game):
        name = zone.name.text
        line, laid = game.written.decks.get(name), game.decks.get(name, Deck(()))
        count = game.decks[laid.rest].left if laid.rest in game.decks else laid.drawn
        elsewhere = game.written.errors.no_cards if line is None else name not in game.decks
        if count >= zone.least or laid.wrong or elsewhere or name in game.written.errors:
            continue
        if zone.each is not None:
            title = f"`{name}` belongs to the players"
            text = "A deck can only be put in a zone without an owner."
            yield Problem(
                "E528", title, zone.name.span, text, f"Leave out `at least {zone.least}`."
            )
            continue
        title = f"too few cards for `{name}`"
        text = f"The rules need {zone.least} at least; the sheet lays {count} there."
        hint = f"{line.span.text} + ..." if line is not None else f"deck {name}: ..."
        label = (Label(zone.name.span, "the rules say it here"),)
        span = line.span if line is not None else game.written.span
        yield Problem("E534", title, span, text, hint, labels=label)


def _zones(game: Compilation) -> Iterator[n.Zone]:
    """The zones that the rules declare."""
    for one in game.layers.effective.values():
        if isinstance(one.node, n.Zone):
            yield one.node

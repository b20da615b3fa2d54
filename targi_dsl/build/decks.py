"""Deck expressions of a sheet, from written to the cards they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import assert_never

from targi_dsl.cards import CardEntry, Scalar
from targi_dsl.problems import Problem, did_you_mean
from targi_dsl.source import Span
from targi_dsl.syntax import nodes as n

MOST_CARDS = 1000


@dataclass(frozen=True, slots=True)
class DeckCard:
    """One card of a deck: its entry, its kind and the set it comes from."""

    entry: CardEntry
    kind: str
    set: str
    kind_span: Span


@dataclass(frozen=True, slots=True)
class Draw:
    """`count` cards drawn by chance, before setup, from the cards at these positions of the deck."""

    count: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of one zone; with draws only those drawn lie in it, the others stay in the box."""

    cards: tuple[DeckCard, ...]
    draws: tuple[Draw, ...] = ()


Sets = Callable[[n.Word], tuple[DeckCard, ...]]
"""Gives the cards of a set, each as often as it has copies; unknown sets are told and give none."""


def deck(node: n.DeckExpr, sets: Sets, problems: list[Problem]) -> Deck:
    """The deck that an expression names."""
    match node:
        case n.DeckSet():
            return Deck(sets(node.name))
        case n.DeckSum():
            cards: tuple[DeckCard, ...] = ()
            draws: tuple[Draw, ...] = ()
            for part in node.parts:
                other = deck(part, sets, problems)
                fixed = () if other.draws else (Draw(len(other.cards), tuple(range(len(other.cards)))),)
                moved = (Draw(d.count, tuple(p + len(cards) for p in d.positions)) for d in (*other.draws, *fixed))
                draws += tuple(moved)
                cards += other.cards
            certain = all(d.count == len(d.positions) for d in draws)
            return Deck(cards, () if certain else draws)
        case n.DeckWithout():
            inner = _plain(node.deck, sets, problems)
            names = {word.text for word in node.names}
            for word in node.names:
                _must_have(inner, word, problems)
            return Deck(tuple(card for card in inner if card.entry.id not in names))
        case n.DeckOverlay():
            return Deck(_overlaid(node, sets, problems))
        case n.DeckWhere():
            inner = _plain(node.deck, sets, problems)
            if inner and not any(node.field.text in _fields(card) for card in inner):
                known = sorted({name for card in inner for name in _fields(card)})
                text = f"The cards have: {', '.join(known)}."
                title = f"no card has a `{node.field.text}`"
                problems.append(Problem("E520", title, node.field.span, text, _near(node.field.text, known)))
            return Deck(tuple(card for card in inner if _holds(card, node)))
        case n.DeckCopies():
            inner = sets(node.of) if node.of else ()
            if node.of is None:
                text = "Say which set the card is in."
                problems.append(Problem("E521", "of which set?", node.span, text, f"{node.span.text} of ..."))
            else:
                _must_have(inner, node.name, problems)
            return Deck(tuple(card for card in _once(inner) if card.entry.id == node.name.text) * node.count)
        case n.DeckCards():
            inner = _once(sets(node.of))
            for word in node.names:
                _must_have(inner, word, problems)
            return Deck(tuple(card for word in node.names for card in inner if card.entry.id == word.text))
        case n.DeckDraw():
            told = len(problems)
            cards = _plain(node.deck, sets, problems)
            return Deck(()) if len(problems) > told and not cards else _drawn(node, cards, problems)
        case _:
            assert_never(node)


def _plain(node: n.DeckExpr, sets: Sets, problems: list[Problem]) -> tuple[DeckCard, ...]:
    found = deck(node, sets, problems)
    if found.draws:
        text = "What is drawn is known only in play, so nothing more can be said of it here."
        problems.append(Problem("E522", "a draw comes last", node.span, text))
    return found.cards


def _once(cards: Iterable[DeckCard]) -> tuple[DeckCard, ...]:
    return tuple({card.entry.id: card for card in cards}.values())


def _must_have(cards: tuple[DeckCard, ...], word: n.Word, problems: list[Problem]) -> None:
    known = sorted({card.entry.id for card in cards})
    if word.text not in known and cards:
        title = f"no card `{word.text}` here"
        text = f"The deck has {len(known)} different cards, none of that name."
        problems.append(Problem("E523", title, word.span, text, _near(word.text, known)))


def _near(word: str, known: Iterable[str]) -> str:
    found = did_you_mean(word, tuple(known))
    return f"Did you mean `{found}`?" if found else ""


def _overlaid(node: n.DeckOverlay, sets: Sets, problems: list[Problem]) -> tuple[DeckCard, ...]:
    under, over = _plain(node.deck, sets, problems), _plain(node.over, sets, problems)
    by_number = {card.entry.number: card for card in over}
    if over and None in by_number:
        text = "An overlay goes by number, so every card of it needs one."
        problems.append(Problem("E524", "a card without a number", node.over.span, text))
    own = {card.entry.number for card in under}
    extra = tuple(card for card in over if card.entry.number not in own)
    return tuple(by_number.get(card.entry.number, card) if card.entry.number else card for card in under) + extra


def _fields(card: DeckCard) -> set[str]:
    return {*card.entry.fields, *(["number"] if card.entry.number else [])}


def _holds(card: DeckCard, node: n.DeckWhere) -> bool:
    given = card.entry.fields.get(node.field.text)
    value = card.entry.number if node.field.text == "number" else given.value if isinstance(given, Scalar) else None
    match node.op:
        case "is":
            return str(value) == node.value.text
        case "is_not":
            return str(value) != node.value.text
        case "has":
            return node.value.text in str(value).split()
        case _:
            return node.value.text not in str(value).split()


def _drawn(node: n.DeckDraw, cards: tuple[DeckCard, ...], problems: list[Problem]) -> Deck:
    if node.each is None:
        piles = {"": tuple(range(len(cards)))}
    else:
        piles = {}
        for i, card in enumerate(cards):
            given = card.entry.fields.get(node.each.text)
            key = str(given.value) if isinstance(given, Scalar) else ""
            piles[key] = (*piles.get(key, ()), i)
        if cards and set(piles) == {""}:
            known = sorted({name for card in cards for name in _fields(card)})
            text = f"The cards have: {', '.join(known)}."
            hint = _near(node.each.text, known)
            problems.append(Problem("E520", f"no card has a `{node.each.text}`", node.each.span, text, hint))
            return Deck(())
    for key, positions in piles.items():
        if len(positions) < node.count:
            what = f"{len(positions)} cards" + (f" with {node.each.text} {key}" if node.each else "")
            title = f"{node.count} cannot be drawn from {len(positions)}"
            problems.append(Problem("E525", title, node.span, f"There are only {what}."))
            return Deck(())
    return Deck(cards, tuple(Draw(node.count, positions) for positions in piles.values()))

"""Draws the random decks of a game in advance: a sheet of the drawn cards, and one of the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from targi_dsl.compiler.cards.decks import Deck, DeckCard, Words
from targi_dsl.compiler.layers.combine import combine
from targi_dsl.compiler.load import read, require
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.compiler.project.written import Written
from targi_dsl.compiler.symbols.decks import decks
from targi_dsl.engine.chance import Stream
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.grammar import is_name, language
from targi_dsl.syntax.printer import print_deck
from targi_dsl.text.diagnostics import WIDTH, Problem, Problems
from targi_dsl.text.structs import Frozen


class Sheet(Frozen):
    """A game sheet: its name and text."""

    name: str
    text: str


def mix_sheets(
    name_or_path: str, seed: int, names: Sequence[str], changed: Mapping[str, str] | None = None
) -> tuple[Sheet, ...]:
    """Draws the decks of a sheet with a seed; returns a sheet based on it with the drawn cards and,
    given a second name, one with the remaining cards.

    `names`: of the new games. `changed`: deck expressions that override those of the sheet. Raises
    Problems if the sheet has errors, a deck cannot be filled, nothing is drawn, or nothing remains
    for the second sheet.
    """
    require(name_or_path, decks=changed)
    sheet = read(name_or_path, decks=changed)
    layers, _ = combine(tuple(sheet.modules.values()), sheet.settled, sheet.cites)
    planned = decks(sheet, layers, Words.of(layers.effective))
    if not any(deck.draws for deck in planned.values()):
        zone = next(iter(sheet.decks), "ZONE")
        cards = print_deck(sheet.decks[zone].deck) if zone in sheet.decks else "SET"
        text = f"No deck of {sheet.title} is drawn by chance. Say which one is, such as:"
        hint = f'--deck "{zone}=draw 9 from {cards}"'
        raise Problems([Problem("E540", "nothing is drawn", None, text, hint)])
    stream = Stream(seed)
    piles = {zone: _draw(deck, stream) for zone, deck in planned.items() if deck.draws}
    for (_, zone), one in layers.effective.items():
        if isinstance(one.node, n.Zone) and one.node.numbered and zone in piles:
            drawn, left = piles[zone]
            piles[zone] = drawn, _with_each_number(drawn, left)
    others = [zone for zone in changed or () if zone not in piles and zone in sheet.decks]
    lines = [f"  deck {zone}: {print_deck(sheet.decks[zone].deck)}" for zone in others]
    sheets = []
    for part, wanted in enumerate(names):
        what = ("drawn with", "what is left by")[part]
        own = {zone: both[part] for zone, both in piles.items()}
        own |= {zone: piles[deck.rest][1 - part] for zone, deck in planned.items() if deck.rest}
        title = f"{sheet.title}, {what} seed {seed}"
        # A game with the name of its base would hide it.
        name = f"{wanted}_mix" if wanted in (sheet.name, *shipped().games()) else wanted
        sheets.append(Sheet(name, "\n".join(_sheet(sheet, name, title, lines, own))))
    return tuple(sheets)


def game_name(file_name: str) -> str:
    """A file name as the name of a game, with `_` for impossible characters."""
    name = re.sub("[^a-z0-9_]+", "_", file_name.partition(".")[0].lower())
    return name if is_name(name) and name not in language().reserved else f"game_{name}".rstrip("_")


def _draw(deck: Deck, stream: Stream) -> tuple[list[DeckCard], list[DeckCard]]:
    """The drawn and the remaining cards, in the order of the deck."""
    drawn = set[int]()
    for draw in deck.draws:
        left = list(range(len(draw.positions)))
        for _ in range(draw.count):
            at = left.pop(stream.below(len(left)))
            drawn.add(draw.positions[at])
            drawn -= {*draw.displaced[at]} if draw.displaced else set()
    wanted: tuple[Callable[[int], bool], ...] = (lambda i: i in drawn, lambda i: i not in drawn)
    chosen, rest = ([card for i, card in enumerate(deck.cards) if which(i)] for which in wanted)
    return chosen, rest


def _with_each_number(drawn: list[DeckCard], left: list[DeckCard]) -> list[DeckCard]:
    """The remaining cards, with drawn ones of numbers that none of them has."""
    numbers = {card.entry.number for card in left}
    return [*(card for card in drawn if card.entry.number not in numbers), *left]


def _sheet(
    sheet: Written, name: str, title: str, lines: list[str], piles: Mapping[str, list[DeckCard]]
) -> Iterator[str]:
    yield "language 2"
    yield f"# {title}."
    yield "# Written by `targi mix`. Each deck below may be edited; `targi validate` checks it."
    yield f'game {name} "{title}" based on {sheet.name}'
    yield from lines
    for zone, cards in piles.items():
        if not cards:
            text = f"All cards for {zone} are drawn, so no sheet can be made of the rest."
            span, hint = sheet.decks[zone].span, "Leave out the rest."
            raise Problems([Problem("E541", "nothing is left", span, text, hint)])
        yield f"  deck {zone}: ("
        for number, part in enumerate(_terms(cards)):
            yield from _wrap(("+ " if number else "") + part)
        yield "  )"
    yield ""


def _terms(cards: Iterable[DeckCard]) -> Iterator[str]:
    """The terms of a deck expression for exactly these cards."""
    counts = Counter((card.set, card.entry.id) for card in cards)
    for set_ in dict.fromkeys(name for name, _ in counts):
        single = [id_ for (name, id_), count in counts.items() if name == set_ and count == 1]
        if single:
            yield f"cards {', '.join(single)} of {set_}"
        many = (entry for entry in counts.items() if entry[0][0] == set_ and entry[1] > 1)
        yield from (f"{count} x {id_} of {name}" for (name, id_), count in many)


def _wrap(text: str) -> Iterator[str]:
    line = "    "
    for word in text.split(" "):
        if len(line) + len(word) > WIDTH:
            yield line.rstrip()
            line = "      "
        line += word + " "
    yield line.rstrip()

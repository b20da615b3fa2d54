"""The differences between two games: options, declarations, cards and decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from targi_dsl.compiler.layers.declarations import declaration_at, effective_lines
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.declarations import CardInfo, FieldValue
from targi_dsl.ir.expressions import Const, Pick
from targi_dsl.ir.game import Game
from targi_dsl.ir.origins import Origin
from targi_dsl.ir.statements import MoveCards
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.printer import print_statement
from targi_dsl.text.structs import Frozen


class OptionChange(Frozen):
    """An option and its value in each game; None where it does not exist."""

    name: str
    before: str | None
    after: str | None


class RuleChange(Frozen):
    """A declaration that differs: its origins in each game (empty where it is missing), and a
    unified diff with the heads of changed lines.
    """

    sort: str
    name: str
    before: tuple[Origin, ...]
    after: tuple[Origin, ...]
    lines: tuple[str, ...]


class CardChange(Frozen):
    """A card that differs. `fields`: values that differ, before and after; None for a missing
    field.
    """

    id: str
    before: CardInfo | None
    after: CardInfo | None
    fields: Mapping[str, tuple[FieldValue | None, FieldValue | None]]


class DeckChange(Frozen):
    """The cards with which a zone starts: their numbers, and the ids of which it has more or fewer.
    `drawn`: whether, before and after, they are drawn from a larger deck; `said`: the deck
    expression in each sheet.
    """

    zone: str
    before: int
    after: int
    more: Mapping[str, int]
    less: Mapping[str, int]
    drawn: tuple[bool, bool]
    said: tuple[str, str]


class Differences(Frozen):
    """All differences between two games; false if there are none."""

    options: tuple[OptionChange, ...]
    rules: tuple[RuleChange, ...]
    cards: tuple[CardChange, ...]
    decks: tuple[DeckChange, ...]

    def __bool__(self) -> bool:
        return bool(self.options or self.rules or self.cards or self.decks)


def differences(a: Game, b: Game) -> Differences:
    """The changes from a to b."""
    return Differences(
        tuple(_options(a, b)), tuple(_rules(a, b)), tuple(_cards(a, b)), tuple(_decks(a, b))
    )


def _options(a: Game, b: Game) -> Iterator[OptionChange]:
    before, after = dict(a.options), dict(b.options)
    for name in before | after:
        if before.get(name) != after.get(name):
            yield OptionChange(name, before.get(name), after.get(name))


# ---- declarations ----


def _rules(a: Game, b: Game) -> Iterator[RuleChange]:
    before, after = _declarations(a), _declarations(b)
    for sort, name in before | after:
        old, new = before.get((sort, name), ()), after.get((sort, name), ())
        changed = tuple(_changed(effective_lines(old), effective_lines(new)))
        if changed or bool(old) != bool(new):
            yield RuleChange(sort, name, old, new, changed)


def _changed(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    """A diff with one line of context, and the heads of the changed lines."""
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(1):
        if group[0][0] == "equal":
            yield from (f" {line}" for line in _around(old, group[0][1]))
        for how, start, end, other_start, other_end in group:
            if how == "equal":
                yield from (f" {line}" for line in old[start:end])
            else:
                yield from (f"-{line}" for line in old[start:end])
                yield from (f"+{line}" for line in new[other_start:other_end])


def _around(lines: tuple[str, ...], at: int) -> list[str]:
    """The lines that govern a line, except the first of all."""
    found, edge = list[str](), _indent(lines[at])
    for line in reversed(lines[1:at]):
        if _indent(line) < edge:
            found.insert(0, line)
            edge = _indent(line)
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _declarations(game: Game) -> dict[tuple[str, str], tuple[Origin, ...]]:
    """The declarations that are not removed; prohibitions are part of their rules."""
    return {
        (declared.sort, declared.name): declared.origins
        for declared in game.declared
        if not declared.origins[0].is_removal
    }


# ---- cards ----


def _cards(a: Game, b: Game) -> Iterator[CardChange]:
    before, after = _by_id(a), _by_id(b)
    for id_ in before | after:
        old, new = before.get(id_), after.get(id_)
        was, is_ = _fields_of(a, old), _fields_of(b, new)
        fields = {
            key: (was.get(key), is_.get(key)) for key in was | is_ if was.get(key) != is_.get(key)
        }
        if old is None or new is None or fields:
            yield CardChange(id_, old, new, fields if old and new else {})


def _by_id(game: Game) -> dict[str, CardInfo]:
    """The first copy of each card, by id."""
    by_id: dict[str, CardInfo] = {}
    for card in game.cards:
        by_id.setdefault(card.entry, card)
    return by_id


def _fields_of(game: Game, card: CardInfo | None) -> dict[str, FieldValue]:
    if card is None:
        return {}
    names = {f"name ({language})": name for language, name in card.names.items()}
    texts = {f"text ({language})": text for language, text in card.texts.items()}
    values = {"kind": game.kinds[card.kind], "set": card.set, **names, **card.fields, **texts}
    if added := " then ".join(_added(game, card)):
        values["added to its action"] = added
    return values


def _added(game: Game, card: CardInfo) -> Iterator[str]:
    """What modules add to the action of a card, in order."""
    rule = game.actions[game.cards.index(card)]
    origins = game.rules[rule].origins if rule != NOTHING else ()
    for origin in reversed(origins):
        if origin.how == "extended" and not origin.forbid and origin.span is not None:
            match declaration_at(origin.span):
                case n.ExtendAction(body=body):
                    lines = (line.strip() for one in body for line in print_statement(one))
                    yield " then ".join(lines)


# ---- decks ----


def _decks(a: Game, b: Game) -> Iterator[DeckChange]:
    before, after = _by_zone(a), _by_zone(b)
    was, is_ = _cards_drawn(a), _cards_drawn(b)
    for zone in before | after:
        old, new = before.get(zone, Counter()), after.get(zone, Counter())
        counts = was.get(zone, old.total()), is_.get(zone, new.total())
        written = dict(a.decks).get(zone, ""), dict(b.decks).get(zone, "")
        if old != new or counts[0] != counts[1]:
            yield DeckChange(
                zone, *counts, new - old, old - new, (zone in was, zone in is_), written
            )


def _cards_drawn(game: Game) -> dict[str, int]:
    """The number of cards that each zone gets before setup, without those that drawn cards
    displace.
    """
    rule = game.rules[game.setup]
    counts, displaced = Counter[str](), 0
    for statement in rule.body if not rule.origins else ():  # not written by any module
        match statement:
            case MoveCards(cards=Pick(sets=those)):
                displaced = max(map(len, those))  # by the card that is moved next
            case MoveCards(place=Const(int(place))):
                counts[game.places[place].name] += 1 - displaced
                displaced = 0
    return counts


def _by_zone(game: Game) -> dict[str, Counter[str]]:
    """The cards of each zone, including those that may not be drawn."""
    zones: dict[str, Counter[str]] = {}
    for card in game.cards:
        start = game.places[card.start]
        zone = start.drawn_for or start.name
        zones.setdefault(zone, Counter())[card.entry] += 1
    return zones

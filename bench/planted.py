"""Planted truths: variants with one known change each, and whether experiments name it.

python -m bench.planted [--each N] [--games N] [--deals N]
    of both games and each sort of change, so many variants: in how many the change is named, how
    many false alarms there are, and how many changed cards raw rates would have named

A card that scores 3 points more or less is named if what it is worth given is another than in the
game without the change (its interval in points has nothing in common with that of the game); four
cards beside it must not be. Everything else is named if `compare` tells it; of what changes
nothing, everything that is told is a false alarm.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from targi_dsl.lab.compare import compare
from targi_dsl.lab.effects import effects
from targi_dsl.lab.findings import Finding
from targi_dsl.lab.runner import Runner
from targi_dsl.lab.version import Version, game_of
from targi_dsl.search.estimates import Interval

NOTHING_TOLD = ("same", "not known yet")
BESIDE = 4
"""Cards that are judged beside one that has changed."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is planted in a game. cards: the set of those that change; shown: where they score;
    price: what nobody can pay; money, rule: what may be had where; swap: two resources.
    """

    name: str
    cards: str
    shown: str
    price: str
    money: str
    rule: str
    swap: tuple[str, str]
    pile: str


SHEETS = (
    Sheet(
        "base",
        "base_tribe",
        "cards on your display",
        "9 dates and 9 salt and 9 pepper",
        "gold",
        "uncovering",
        ("dates", "salt"),
        "tribe_pile",
    ),
    Sheet(
        "bazaar",
        "bazaar_stalls",
        "stalls of you",
        "30 silk and 30 tin",
        "coins",
        "crier_walks",
        ("silk", "tin"),
        "favour_pile",
    ),
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A change in a game. expected: measures of which one must be told; card: the one that has
    changed; silent: whether nothing else may be told.
    """

    sheet: Sheet
    text: str
    expected: tuple[str, ...] = ()
    card: str = ""
    silent: bool = False


def card_points(sheet: Sheet, number: int) -> Planted:
    """A card scores 3 points more or less."""
    card, points = _card(sheet, number), ("3", "0 - 3")[number % 2]
    score = f"score planted: {points} * count of (c in {sheet.shown} where c is the card {card})"
    return Planted(sheet, score, card=card)


def money_for_a_seat(sheet: Sheet, number: int) -> Planted:
    """A seat begins with a unit of money more."""
    seats = game_of(Version(sheet.name)).players
    seat = seats[number % len(seats)]
    text = f"extend rule setup\n  {seat} gains {1 + number // len(seats)} {sheet.money}"
    opening = f"{sheet.money} of {seat} at the opening"
    return Planted(sheet, text, (f"share of {seat}", f"points of {seat}", opening))


def dead_card(sheet: Sheet, number: int) -> Planted:
    """A card has a price that nobody can pay."""
    card = _card(sheet, number)
    text = f'change card {card}: cost "{sheet.price}"'
    return Planted(sheet, text, (f"card {card}, uses a game", f"card {card}, had at the end"))


def unused_rule(sheet: Sheet, number: int) -> Planted:
    """A rule for what never comes."""
    text = (
        f"rule planted\n  gain {number + 1} {sheet.money}\n\nextend rule {sheet.rule}\n"
        f"  each player\n    if your {sheet.money} is more than 90: do planted"
    )
    return Planted(sheet, text, ("rule planted, uses a game",), silent=True)


def loop(sheet: Sheet, number: int) -> Planted:
    """A trade to and fro, as often as one likes."""
    one, other = sheet.swap if number % 2 else sheet.swap[::-1]
    text = (
        f"extend rule {sheet.rule}\n  each player\n    up to {4 + 2 * number} times\n"
        f"      1 {one} -> 1 {other}\n      1 {other} -> 1 {one}"
    )
    return Planted(sheet, text, ("decisions", "cut off"))


def harmless(sheet: Sheet, number: int) -> Planted:
    """Luck falls otherwise, and the same happens."""
    text = "extend rule setup\n" + f"  shuffle {sheet.pile}\n" * (number + 1)
    return Planted(sheet, text, silent=True)


SORTS: tuple[Callable[[Sheet, int], Planted], ...] = (
    card_points,
    money_for_a_seat,
    dead_card,
    unused_rule,
    loop,
    harmless,
)


@dataclass(slots=True)
class Count:
    """Variants of a sort: how many were named; how many things that have not changed were judged,
    and told; and how many changed cards raw rates name.
    """

    variants: int = 0
    named: int = 0
    judged: int = 0
    alarms: int = 0
    raw: int = 0


def planted(each: int, games: int, deals: int) -> Iterator[tuple[str, Count]]:
    """All sorts with what has come of them."""
    for sort in SORTS:
        count = Count()
        for sheet in SHEETS:
            for number in range(each):
                count_one(sort(sheet, number), games, deals, count)
        yield (sort.__doc__ or "").strip().rstrip("."), count


def count_one(one: Planted, games: int, deals: int, count: Count) -> None:
    """Counts what comes of one variant."""
    count.variants += 1
    with TemporaryDirectory() as folder:
        version = _version(one, Path(folder))
        if one.card:
            _count_cards(one, version, deals, count)
        else:
            _count_changes(one, version, games, count)


def _version(one: Planted, folder: Path) -> Version:
    path = folder / "planted_variant.targi"
    head = f'language 2\ngame planted_variant "Planted" based on {one.sheet.name}\n\n'
    path.write_text(f"{head}{one.text}\n", encoding="utf-8")
    return Version(str(path))


@cache
def _cards(sheet: Sheet) -> tuple[str, ...]:
    """Cards of the kind in an order of chance."""
    game = game_of(Version(sheet.name))
    names = [card.id for card in game.cards if card.set == sheet.cards and card.id == card.entry]
    random.Random(0).shuffle(names)
    return tuple(names)


def _card(sheet: Sheet, number: int) -> str:
    return _cards(sheet)[number]


def _count_changes(one: Planted, version: Version, games: int, count: Count) -> None:
    found = compare(Version(one.sheet.name), version, ["busy"], Runner(games)).sections[0]
    told = {each.measure for each in found.findings if each.verdict not in NOTHING_TOLD}
    count.named += bool(told & {*one.expected}) or not one.expected
    if one.silent:
        count.judged += len(found.findings)
        count.alarms += len(told - {*one.expected})


def _count_cards(one: Planted, version: Version, deals: int, count: Count) -> None:
    names = [one.card, *[name for name in _cards(one.sheet) if name != one.card][-BESIDE:]]
    before, after = (_judged(each, names, deals) for each in (Version(one.sheet.name), version))
    for name in names:
        first, second = before[f"with card {name}"], after[f"with card {name}"]
        given = _apart(_beside(first, "points"), _beside(second, "points"))
        if name == one.card:
            count.named += given
        else:
            count.judged += 1
            count.alarms += given
    raw = [
        _beside(_judged(each, [one.card], deals * len(names), 1)[f"with card {one.card}"], "raw")
        for each in (Version(one.sheet.name), version)
    ]
    count.raw += _apart(*raw)


def _judged(
    version: Version, names: list[str], games: int, within: float = 0.001
) -> dict[str, Finding]:
    found = effects(version, "cards", "busy", Runner(games), within, only=names).sections[0]
    return {one.measure: one for one in found.findings}


def _beside(one: Finding, name: str) -> Interval:
    return dict(one.beside)[name]


def _apart(one: Interval, other: Interval) -> bool:
    return one.high < other.low or other.high < one.low


@click.command()
@click.option("--each", default=5, show_default=True, help="Variants of a sort of each game.")
@click.option("--games", default=4_000, show_default=True, help="Games of each comparison.")
@click.option("--deals", default=200, show_default=True, help="Deals in which cards are given.")
def main(each: int, games: int, deals: int) -> None:
    """Print what is named."""
    total = Count()
    for name, one in planted(each, games, deals):
        click.echo(f"{name}: named {one.named} of {one.variants}; {_alarms(one)}")
        if name == (card_points.__doc__ or "").rstrip("."):
            click.echo(f"  by raw rates of as many games: {one.raw} of {one.variants}")
        total.variants += one.variants
        total.named += one.named
        total.judged += one.judged
        total.alarms += one.alarms
    click.echo(f"all: named {total.named} of {total.variants}; {_alarms(total)}")


def _alarms(one: Count) -> str:
    return f"{one.alarms} false alarms of {one.judged}" if one.judged else "all may change"


if __name__ == "__main__":
    main()

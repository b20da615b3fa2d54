"""Warnings of options that change nothing, cards that are worse than others, prices that nobody can
pay and uneven decks.
"""

from __future__ import annotations

import pytest

from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts

SHEET = 'language 2\ngame hops "Hops"\n  rules hops\n  deck shop: frogs\n'
RULES = """\
language 2
module hops
players ann, ben
resource coins, seeds
option hats: plain or tall
card frog
  cost: cost
  legs: number
zone shop: frog, face up

rule setup
  each player: gain 9 coins and 9 seeds

rule round
  each player
    choose frog in cards on shop
    forbid too_dear: not can pay cost of frog
    pay cost of frog
    put frog on shop
    if option hats is tall: gain 1 coins
  if your_end: end game

define your_end: any (p in players where coins of p is 0)

score coins: your coins
"""
CARDS = """\
language: 2
set: frogs
kind: frog
cards:
  - {id: green, name: {en: Green}, cost: 2 coins, legs: 4}
  - {id: red, name: {en: Red}, cost: %s, legs: %s}
"""


WARNINGS = ("W924", "W925", "W928", "W929")


def warnings(rules: str, cost: str, legs: int = 4) -> list[str]:
    files = {"hops.targi": SHEET, "hops/01.targi": rules, "hops/frogs.yaml": CARDS % (cost, legs)}
    _, problems = check("hops", of_texts(files))
    assert not [one for one in problems if one.severity == "error"], problems
    return [f"{one.code} {one.title}" for one in problems if one.code in WARNINGS]


def test_an_option_that_nothing_asks_for_changes_nothing() -> None:
    idle = RULES.replace("    if option hats is tall: gain 1 coins\n", "")
    assert warnings(idle, "1 seeds") == ["W924 the option `hats` changes nothing"]
    assert warnings(RULES, "1 seeds") == []


def test_an_option_that_only_a_replaced_definition_asks_for_changes_nothing() -> None:
    head = "language 2\ngame jumps based on expansion\n  option targia_corners: visited\n"
    stop = "replace define her_next_stop: next of ahead_of_her if ahead_of_her is in corners"
    stop += " otherwise ahead_of_her\n"
    asking = stop.replace("in corners", "in corners and option targia_corners is jumped")
    for text, lines in {"": [], stop: [3], asking: []}.items():
        _, problems = check("jumps", of_texts({"jumps.targi": head + text}))
        told = [one.span.line for one in problems if one.code == "W924" and one.span]
        assert told == lines, text


def test_an_option_that_only_a_definition_asks_for_that_nothing_uses_changes_nothing() -> None:
    head = "language 2\ngame gifts based on expansion\n  option opening: easier\n"
    rule = "replace rule opening_goods\n  gain 2 dates and 1 salt\n"
    asking = rule + "  if of_each_good is 2: gain 1 salt\n"
    for text, lines in {"": [], rule: [3], asking: []}.items():
        _, problems = check("gifts", of_texts({"gifts.targi": head + text}))
        told = [one.span.line for one in problems if one.code == "W924" and one.span]
        assert told == lines, text


@pytest.mark.parametrize(
    ("cost", "worse"),
    [
        ("3 coins", "red"),
        ("2 coins and 1 seeds", "red"),
        ("1 coins", "green"),
        ("1 coins or 5 seeds", "green"),
        ("3 coins or 4 coins", "red"),
        ("2 coins", ""),
        ("1 seeds", ""),
        ("1 coins and 1 seeds", ""),
        ("3 coins or 1 seeds", ""),
    ],
)
def test_a_card_that_costs_more_and_says_the_same_is_worse(cost: str, worse: str) -> None:
    better = "green" if worse == "red" else "red"
    told = f"W925 `{worse}` is worse than `{better}` in every way"
    assert warnings(RULES, cost) == ([told] if worse else [])


def test_a_card_that_says_something_else_is_not() -> None:
    assert warnings(RULES, "3 coins", 5) == []


# ---- prices that nobody can pay ----

NEVER = "W928 nobody can ever pay this"


@pytest.mark.parametrize("cost", ["1 pearls", "1 coins and 1 pearls", "1 pearls or 2 pearls"])
def test_what_nobody_ever_gains_can_never_be_paid(cost: str) -> None:
    rules = RULES.replace("coins, seeds", "coins, seeds, pearls")
    assert warnings(rules, cost, 5) == [NEVER]
    paid = rules.replace("    put frog on shop\n", f"    put frog on shop\n    pay {cost}\n")
    if " or " not in cost:
        assert warnings(paid, "1 seeds", 5) == [NEVER]


@pytest.mark.parametrize(
    ("cost", "added"),
    [
        ("1 coins or 1 pearls", ""),
        ("1 pearls", "\nexchange dive: 1 coins -> 1 pearls\n"),
        ("1 pearls", "\nrule dive\n  gain 1 pearls\n"),
        ("1 pearls", "\nrule dive\n  choose find in goods\n  gain 1 of find\n"),
        ("1 pearls", "\nrule dive with find (resource)\n  gain 1 of find\n"),
    ],
)
def test_what_somebody_may_gain_or_replace_can_be_paid(cost: str, added: str) -> None:
    rules = RULES.replace("coins, seeds", "coins, goods: seeds, pearls") + added
    rules = RULES.replace("resource coins, seeds", "resource coins\nresource goods: seeds, pearls")
    assert warnings(rules + added, cost, 5) == []


# ---- uneven decks ----

PACK = """\
language 2
module pack
players ann, ben
values suit: oak, elm, ash, fir
card leaf
  suit: suit
  rank: 1 to 9
zone pile: leaf

rule setup
  shuffle pile

rule round
  everybody wins
"""


def pack(changed: dict[int, tuple[str, int]], ranks: int, left_out: int = -1) -> list[str]:
    """The warnings of a deck of four suits, in which some cards are others and one is left out."""
    cards = [(suit, rank) for suit in ("oak", "elm", "ash", "fir") for rank in range(1, ranks + 1)]
    cards = [changed.get(at, card) for at, card in enumerate(cards) if at != left_out]
    text = "language: 2\nset: leaves\nkind: leaf\ncards:\n" + "".join(
        f"  - {{id: leaf_{at}, name: {{en: L{at}}}, suit: {suit}, rank: {rank}}}\n"
        for at, (suit, rank) in enumerate(cards)
    )
    sheet = 'language 2\ngame wood "Wood"\n  rules pack\n  deck pile: leaves\n'
    files = {"wood.targi": sheet, "pack/01.targi": PACK, "pack/leaves.yaml": text}
    _, problems = check("wood", of_texts(files))
    return [f"{one.span.line}: {one.title}" for one in problems if one.code == "W929" and one.span]


def test_a_deck_with_a_card_too_few_or_too_many_is_uneven() -> None:
    assert pack({}, 4) == []
    assert pack({}, 4, left_out=5) == ["2: `leaves` has no card with suit elm and rank 2"]
    twice = "`leaves` has 2 cards with suit oak and rank 3 and no card with suit oak and rank 4"
    assert pack({3: ("oak", 3)}, 4) == [f"8: {twice}"]
    suits = "`leaves` has 3 cards with suit oak and 5 cards with suit elm"
    assert pack({3: ("elm", 1)}, 4) == [f"2: {suits}"]
    assert pack({3: ("oak", 3), 9: ("ash", 1)}, 4) == []
    assert pack({}, 2, left_out=1) == []  # too few to be sure

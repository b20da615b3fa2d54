"""What is offered is carried out whole: small games in which players make every free exchange, pay
in the midst of actions and lose what lowers a price. A game that can reach a payment which is
impossible gives a warning; all others are played without a fault.
"""

from __future__ import annotations

import pytest

from bench.soak import PLAYERS, Soak
from targi_dsl import Problems, Seed, Stream, choices, play, start
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.game import Game
from targi_dsl.text.diagnostics import render
from targi_dsl.tools.invariants import hold

EXCHANGES = "exchange sell: 2 flour -> 1 coins\nexchange grind: 1 coins -> 1 flour\n"
BAKERY = """\
language 2
module bakery
players ann, bob
resource flour, coins, loaves
card thing
  ability: ability, may be missing
space shelf for each player: row of 3, abilities active
zone pile: thing
zone bin: thing
variable day: 0 to 9
score loaves: your loaves

rule setup
  each player
    gain 3 flour and 2 coins
    put top of pile on first your shelf

rule rest
  gain 2 flour and 1 coins

rule round
  set day to day + 1
  each player
    one of
      bake: do bake
      rest: do rest
  if day is at least 5
    end game

"""
CARDS = """\
language: 2
set: bakery_cards
kind: thing
source: nobody
cards:
  - id: tin
    copies: 2
    name: {{en: Tin}}
    ability: {ability}
"""
SHEET = "language 2\ngame bakery\n  rules bakery\n  deck pile: bakery_cards\n"
NO_ABILITY = '"once: nothing"'
PRICE = "rule bake\n  choose m in 1..2\n  pay 2 flour and 1 coins\n  gain (m) loaves\n"


def bakery(
    rules: str, ability: str = NO_ABILITY, exchanges: str = EXCHANGES
) -> tuple[Game, list[str]]:
    """The game with these rules, and the codes of its warnings."""
    files = {
        "bakery/bakery.targi": BAKERY + exchanges + rules,
        "bakery/bakery_cards.yaml": CARDS.format(ability=ability),
        "bakery.targi": SHEET,
    }
    game, problems = check("bakery", of_texts(files))
    assert game is not None, render(problems)
    return game, [one.code for one in problems]


def faults(game: Game, games: int) -> list[str]:
    """The codes of the faults in some games of players who like exchanges and rare choices."""
    soak, found = Soak(game), list[str]()
    for seed in range(games):
        stream, state = Stream(seed), start(game, Seed(seed))
        try:
            while offered := choices(state):
                after, events = play(state, soak.choose(PLAYERS[seed % 4], offered, stream))
                hold(state, events, after)
                state = after
        except Problems as problems:
            found += [one.code for one in problems.problems]
    return found


CARRIED_OUT = {
    "an amount that was chosen": "rule bake\n  choose n in 1..3\n  choose m in 1..2\n"
    "  pay (n) flour and (m) coins\n  gain 1 loaves\n",
    "an amount that one has": "rule bake\n  choose n in 1..your flour\n  choose m in 1..your coins\n"
    "  pay (n) flour and (m) coins\n  gain 1 loaves\n",
    "all that one has": "rule bake\n  let n be your flour\n  choose m in 1..2\n  pay (n) flour\n"
    "  gain (m) loaves\n",
    "a prohibition of amounts": "rule bake\n  choose m in 1..2\n  choose n in 1..2\n"
    '  forbid poor: your coins is less than m because "m coins are needed"\n  pay (n) flour\n'
    "  gain 1 loaves\n",
    "a price within rules": "rule bake\n  do shop with {2 flour and 1 coins or 3 coins}\n"
    "rule shop with toll (cost)\n  choose m in 1..2\n  do pay_it with toll, m\n"
    "rule pay_it with toll (cost), m (1 to 2)\n  choose n in 1..2\n  pay toll\n  gain 1 loaves\n",
    "a condition on amounts": "rule bake\n  choose m in 1..2\n  if your coins is at least 2\n"
    "    pay (m) flour\n  otherwise\n    pay (m) coins\n  gain 1 loaves\n",
    "can pay": "rule bake\n  choose n in 1..3\n  if can pay {4 flour}: pay 4 flour\n"
    "  otherwise: pay (n) coins\n  gain 1 loaves\n",
    "can do": "rule bake\n  choose n in 1..3 where can do buy with n\n  choose m in 1..2\n"
    "  do buy with n\nrule buy with n (1 to 3)\n  choose m in 1..2\n"
    "  pay (n) flour and (m) coins\n  gain 1 loaves\n",
    "the other pays": "rule bake\n  choose m in 1..2\n  opponent pays (m) flour\n  gain 1 loaves\n",
    "the other chooses": "rule bake\n  opponent chooses n in 1..3\n  pay (n) flour\n"
    "  gain 1 loaves\n",
    "a turn of the other": "rule bake\n  choose n in 1..3\n  turn of opponent\n"
    "    choose m in 1..2\n    pay (n) flour\n  gain 1 loaves\n",
    "several at once": "rule bake\n  choose 2 m in 1..4\n  pay (count of m + first m) flour\n"
    "  gain 1 loaves\n",
    "again and again": "rule bake\n  up to 3 times\n    choose m in 1..2\n"
    "    pay (m) flour and (m) coins\n    gain 1 loaves\n",
    "optional parts": "rule bake\n  may\n    pay 1 flour\n    may\n      pay 2 flour\n"
    "      gain 1 loaves\n    gain 1 coins\n",
    "in any order": "rule bake\n  any of these in any order\n"
    "    small: choose m in 1..2 then pay (m) flour then gain 1 loaves\n"
    "    large: pay 3 flour and 1 coins then gain 2 loaves\n",
    "two prices, one with another way": "rule bake\n  pay 2 flour\n"
    "  pay 2 flour otherwise gain 1 coins\n  gain 1 loaves\n",
    "a bid": "variable bid for each player: 0 to 20\nrule bake\n  choose n in 1..your coins\n"
    "  set bid of you to n\n  each player: pay (bid of you) coins\n  each player\n"
    "    set bid of you to 0\n",
    "keep what one may": "rule bake\n  choose n in 1..3\n  keep at most (n) flour\n"
    "  gain 1 loaves\n",
}  # fmt: skip

ABILITIES = {
    "a reduction": '"always: bake costs 1 flour less"',
    "a substitute": '"always: in bake, 2 coins may replace 1 flour"',
    "a substitute and a reduction": '["always: in bake, 2 coins may replace 1 flour",'
    ' "always: bake costs 1 coins less"]',
    "stored": '["once: store 2 flour on this", "always: stored flour pays for bake",'
    ' "always, when you pay flour: put this on bin"]',
    "a card that leaves": '"always, when you pay flour: put this on bin"',
    "something else instead": '"always, instead of bake: choose m in 1..2 then pay (m) coins"',
    "a reduction during a rule": '"always: bake costs 1 coins less if during rest"',
    "another substitute": '"always: in bake, 1 flour may replace 1 coins"',
}

IMPOSSIBLE = {
    "two prices": ("rule bake\n  pay 2 flour\n  pay 2 flour\n  gain 1 loaves\n", "W913"),
    "behind a gain": ("rule bake\n  gain 1 loaves\n  pay 3 flour\n", "W913"),
    "two prices, one of them in a rule": (
        "rule bake\n  pay 2 flour\n  do pay_more\nrule pay_more\n  pay 2 flour\n",
        "W913",
    ),
    "a price behind a rule with one": (
        "rule bake\n  do pay_more\n  pay 2 flour\nrule pay_more\n  pay 2 flour\n",
        "W913",
    ),
    "a rule with a price twice": (
        "rule bake\n  do pay_more\n  do pay_more\nrule pay_more\n  pay 2 flour\n",
        "W913",
    ),
    "two prices, the first under a condition": (
        "rule bake\n  if your flour is at least 2: pay 2 flour\n  pay 2 flour\n",
        "W913",
    ),
    "the other pays behind alternatives": (
        "rule bake\n  one of\n    dark: pay 1 flour\n    light: pay 1 coins\n"
        "  opponent pays 3 flour\n",
        "W913",
    ),
    "a listed price that depends on coins": (
        "define toll: {4 flour} if your coins is at least 2 otherwise {9 flour}\nrule bake\n"
        "  pay toll\n  gain 1 loaves\n",
        "W914",
    ),
    "behind a rule that asks": (
        "rule bake\n  do pick\n  pay 3 flour\n  gain 1 loaves\n"
        "rule pick\n  choose m in 1..2\n  choose n in 1..2\n",
        "W913",
    ),
    "behind a condition with a question": (
        "rule bake\n  choose n in 1..3\n  if n is at least 2\n    choose m in 1..2\n"
        "  pay (n) flour\n  gain 1 loaves\n",
        "W913",
    ),
    "behind alternatives": (
        "rule bake\n  one of\n    dark: pay 1 flour\n    light: pay 1 coins\n  pay 3 flour\n",
        "W913",
    ),
    "behind what is optional": ("rule bake\n  may: gain 1 loaves\n  pay 3 flour\n", "W913"),
    "behind several or fewer": (
        "rule bake\n  choose up to 2 m in 1..3\n  pay (count of m * 2) flour\n  gain 1 loaves\n",
        "W913",
    ),
    "behind a roll": ("rule bake\n  roll m from 1 to 3\n  pay (m) flour\n", "W913"),
    "an exchange behind a gain": (
        "rule bake\n  gain 1 loaves\n  4 flour and 1 coins -> 1 loaves\n", "W913",
    ),
    "an exchange of one of several behind a gain": (
        "rule bake\n  gain 1 loaves\n  one of\n    4 flour -> 1 loaves\n"
        "    4 coins -> 1 loaves\n", "W913",
    ),
    "an exchange in a rule behind a price": (
        "rule bake\n  pay 2 flour\n  do sell_more\nrule sell_more\n  2 flour -> 1 loaves\n",
        "W913",
    ),
    "a count that a loop raises": (
        "variable sold: 0 to 20\nrule bake\n  set sold to 0\n  up to 3 times\n"
        "    set sold to sold + 1\n    pay (sold) coins\n    gain 1 loaves\n", "W913",
    ),
    "a count that was raised before the loop": (
        "variable sold: 0 to 20\nrule bake\n  set sold to sold + 1\n  up to 3 times\n"
        "    gain 1 loaves\n    pay (sold) flour\n", "W913",
    ),
    "under a condition that says nothing of flour": (
        "rule bake\n  gain 1 loaves\n  if day is at least 2: pay 3 flour\n", "W913",
    ),
    "under another such condition, twice": (
        "rule bake\n  pay 1 flour\n  if day is at least 2: pay 2 flour\n", "W913",
    ),
    "instead of another price": (
        "rule bake\n  pay 3 coins otherwise pay 3 flour\n  gain 1 loaves\n", "W913",
    ),
    "by each player": ("rule bake\n  each player: pay 2 flour\n  gain 1 loaves\n", "W913"),
    "in a loop": ("rule bake\n  choose n in 2..3\n  repeat (n) times\n    pay 1 flour\n", "W913"),
    "a price that depends on coins": (
        "define fee: 5 - your coins\nrule bake\n  pay (fee) flour\n  gain 1 loaves\n",
        "W914",
    ),
}  # fmt: skip

SET_OFF = {
    "an exchange": '"always, when you gain loaves: 3 flour -> 1 coins"',
    "an exchange under a condition": (
        '"always, when you gain loaves: if day is at least 1: 3 flour -> 1 coins"'
    ),
}

COSTLY = {
    "a reduction that depends on coins": (
        '"always: bake costs 1 flour less if your coins is at least 2"'
    ),
    "an exchange that costs more": '"always, when you pay flour: lose 1 coins"',
    "a gain that costs": '"always, when you gain coins: pay 1 flour otherwise lose 1 coins"',
}


@pytest.mark.parametrize("rules", CARRIED_OUT.values(), ids=CARRIED_OUT)
def test_what_is_offered_is_carried_out(rules: str) -> None:
    game, codes = bakery(rules)
    assert codes == []
    assert faults(game, 12) == []


@pytest.mark.parametrize("ability", ABILITIES.values(), ids=ABILITIES)
def test_no_ability_prevents_a_payment(ability: str) -> None:
    game, codes = bakery(PRICE, ability)
    assert set(codes) <= {"W907"}
    assert faults(game, 12) == []


@pytest.mark.parametrize(("rules", "code"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_payment_that_may_be_impossible_is_warned_of(rules: str, code: str) -> None:
    game, codes = bakery(rules)
    assert codes == [code]
    assert {*faults(game, 16)} == {"E615"}, "the warning is true"


@pytest.mark.parametrize("ability", SET_OFF.values(), ids=SET_OFF)
def test_an_ability_that_sets_off_an_impossible_exchange_is_warned_of(ability: str) -> None:
    game, codes = bakery("rule bake\n  gain 1 loaves\n", ability, exchanges="")
    assert codes == ["W913"]
    assert {*faults(game, 40)} == {"E615"}, "the warning is true"


@pytest.mark.parametrize("ability", COSTLY.values(), ids=COSTLY)
def test_an_ability_that_makes_an_exchange_costly_is_warned_of(ability: str) -> None:
    game, codes = bakery(PRICE, ability)
    assert codes == ["W914"]
    assert {*faults(game, 40)} == {"E615"}, "the warning is true"


def test_the_line_that_is_offered_mends_it() -> None:
    rules = IMPOSSIBLE["behind a rule that asks"][0]
    assert bakery(rules.replace("pay 3 flour", "pay 3 flour otherwise stop"))[1] == []


@pytest.mark.parametrize("end", ["", "\n", "  # the price\n"])
def test_the_line_is_offered_wherever_the_payment_ends_one(end: str) -> None:
    rules = f"rule bake\n  gain 1 loaves\n  pay 3 flour{end}"
    files = {"bakery/bakery.targi": BAKERY + EXCHANGES + rules, "bakery.targi": SHEET}
    files |= {"bakery/bakery_cards.yaml": CARDS.format(ability=NO_ABILITY)}
    _, (problem,) = check("bakery", of_texts(files))
    assert (problem.code, problem.hint) == ("W913", "pay 3 flour otherwise stop")


def test_prices_of_different_resources_are_independent_without_exchanges() -> None:
    rules = "rule bake\n  pay 2 flour\n  pay 1 coins\n  gain 1 loaves\n"
    assert bakery(rules, exchanges="")[1] == []
    assert bakery(rules)[1] == ["W913"]

"""Every refusal has reasons: each has a name, a location, and what would lift it."""

from __future__ import annotations

import pytest

from targi_dsl.api import choices, play, start
from targi_dsl.api.naming import Naming
from targi_dsl.api.state import State
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.compiler.translations import of_program
from targi_dsl.engine import Engine, engine_of
from targi_dsl.engine.chance import Asked, Seed, Stream
from targi_dsl.explain.why_not import Reason, Refusal, why_not
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.ir.program import Question, Way
from tests.games import VARIED, compiled
from tests.texts import game_text

RULES = game_text("errands.targi")

CARDS = """\
language: 2
set: tools
kind: tool
cards:
  - id: whistle
    name: {en: Tin whistle}
    cost: 2 wares and 1 coins or 3 coins
  - id: pass
    name: {en: Pass}
    cost: 1 wool
    ability: "always: ignore barred"
  - id: purse
    name: {en: Purse}
    cost: 1 wool
    ability: "once per game: gain 1 coins"
"""

SHEET = 'language 2\ngame errands "Errands"\n  rules errands\n  deck stock: tools\n'
FILES = {"errands/errands.targi": RULES, "tools.yaml": CARDS, "errands.targi": SHEET}


@pytest.fixture(scope="module")
def errands() -> Game:
    return load("errands", of_texts(FILES))


@pytest.fixture
def state(errands: Game) -> State:
    return start(errands)


def named(reasons: tuple[Reason, ...]) -> list[str]:
    return [reason.name for reason in reasons]


def played(state: State, *ids: str) -> State:
    for one in ids:
        state, _ = play(state, one)
    return state


def line(reason: Reason) -> str:
    """The line of the rules that a reason points to."""
    assert reason.file == "errands/errands.targi"
    return RULES.splitlines()[reason.line - 1].strip()


# ---- what is in the way ----


def test_the_abilities_of_a_card_are_numbered_from_one_if_there_are_several() -> None:
    cards = CARDS.replace('"always: ignore barred"', '["always: ignore barred", "once: nothing"]')
    game = load("errands", of_texts({**FILES, "tools.yaml": cards}))
    assert [ability.name for ability in game.abilities] == ["pass.1", "pass.2", "purse"]


def test_what_is_offered_has_no_reasons(state: State) -> None:
    assert [why_not(state, choice.id) for choice in choices(state)] == [()] * len(choices(state))
    assert why_not(state, "  REST ") == ()


def test_every_payment_and_prohibition_in_the_way_is_named(state: State) -> None:
    pay, stingy = why_not(state, "lend")
    assert (pay.name, pay.text) == ("lend.pay", "costs 1 wax, 3 coins; you have 0 wax, 1 coins")
    assert line(pay) == "rule lend"
    assert (stingy.name, stingy.text) == ("stingy", "your wool is more than 1")
    assert stingy.lasts == "as long as your wool is more than 1"
    assert line(stingy).startswith("forbid stingy")


@pytest.mark.parametrize(
    ("change", "condition"),
    [
        ("replace forbid stingy: your coins is 1", "your coins is 1"),
        ("extend forbid stingy: your coins is 1", "your wool is more than 1 or your coins is 1"),
    ],
)
def test_a_prohibition_that_a_layer_has_changed_is_told_as_it_is_now(
    change: str, condition: str
) -> None:
    sheet = SHEET.replace("game errands", "game strict_errands") + f"\n{change}\n"
    state = start(load("strict_errands", of_texts({**FILES, "strict_errands.targi": sheet})))
    *_, stingy = why_not(state, "lend")
    assert (stingy.text, stingy.lasts) == (condition, f"as long as {condition}")


def test_what_is_always_forbidden_is_not_forbidden_as_long_as_something_holds(
    errands: Game,
) -> None:
    forbid = "forbid stingy: your wool is more than 1"
    assert RULES.count(forbid) == 1
    rules = RULES.replace(forbid, 'forbid stingy: yes because "nobody lends here"')
    state = start(load("errands", of_texts({**FILES, "errands/errands.targi": rules})))
    *_, stingy = why_not(state, "lend")
    assert (stingy.text, stingy.lasts) == ("nobody lends here", "")


def test_who_pays_for_it_is_named(errands: Game) -> None:
    rules = RULES.replace("    rest: gain 1 wool\n", "    rest: gain 1 wool\n    beg: do beg\n")
    rules += "\nrule beg\n  opponent pays 3 coins\n"
    state = start(load("errands", of_texts({**FILES, "errands/errands.targi": rules})))
    (reason,) = why_not(state, "beg")
    assert reason.text == "costs 3 coins; ben has 1 coins"


def test_a_prohibition_is_quoted_with_the_cards_that_lift_it(state: State) -> None:
    (barred,) = why_not(played(state, "send"), "send 1")
    assert (barred.name, barred.text, barred.lifts) == ("barred", "the ends are barred", ("pass",))
    assert line(barred).startswith("forbid barred")


def test_who_has_a_card_that_lifts_it_is_not_refused(state: State) -> None:
    at_lane = played(state, "rest", "shop", "rest", "send")  # ben has laid out the pass
    assert at_lane.seat == "ben" and why_not(at_lane, "send 1") == ()


def test_all_that_holds_is_named_of_one_element(state: State) -> None:
    at_lane = played(state, "rest", "shop", "rest", "send", "send 1", "send")
    assert at_lane.seat == "ann" and named(why_not(at_lane, "send 1")) == ["barred", "full"]


def test_a_condition_of_a_choice_is_a_reason(state: State) -> None:
    (spot,) = why_not(played(state, "send"), "send 2")
    assert (spot.name, spot.lasts) == ("send.spot", "")
    assert spot.text == "it can be chosen only if it is not space 2 of lane"


def test_of_a_question_within_it_is_said_what_is_in_the_way_of_each_answer(state: State) -> None:
    after = played(state, "barter")
    (pay,) = why_not(after, "shop")
    assert (pay.name, pay.text) == (
        "shop.pay", "Tin whistle: costs 1 coins, 2 wares or 3 coins; you have 2 coins, 0 wares"
    )  # fmt: skip


def test_of_a_question_within_without_answers_it_is_said_where_there_is_nothing(
    state: State,
) -> None:
    (nothing,) = why_not(played(state, "shop", "rest"), "shop")
    assert (nothing.name, nothing.text) == ("shop.card", "there is nothing to choose in your sack")


def test_what_is_not_in_the_set_is_said_to_be_elsewhere() -> None:
    state = played(start(compiled("bazaar"), Seed(1)), "decline", "decline", "decline")
    mine, theirs = state.cards(f"hand of {state.seat}"), state.cards("hand of emerald")
    assert state.seat == "crimson" and not set(mine) & set(theirs)
    (reason,) = why_not(state, f"secret_choice {theirs[0]}")
    assert reason.name == "secret_choice.card" and reason.text == "it is not in your hand"


def test_all_that_is_none_of_what_may_be_chosen_has_one_reason() -> None:
    state = start(compiled("mu_torere"))
    ((reason,), *others) = (why_not(state, f"from_spot {spot}") for spot in (2, 3, 9))
    assert reason.text == "not among those that may be chosen"
    assert others == [(reason,), (reason,)]


def test_an_ability_that_is_not_yours_or_used_up_is_refused(state: State) -> None:
    theirs = played(state, "rest")
    (reason,) = why_not(theirs, "purse")
    assert reason.name == "purse" and reason.file == "tools.yaml" and reason.lifts == ("purse",)
    assert reason.text == "it works only while its card lies where your abilities are active"
    (used,) = why_not(played(state, "purse", "rest"), "purse")
    assert (used.name, used.text, used.lifts) == ("purse", "it has been used in this game", ())


def test_an_exchange_that_cannot_be_paid_is_refused(state: State) -> None:
    assert why_not(played(state, "barter"), "barter") == (
        Reason("barter.pay", "costs 2 wool; you have 0 wool"),
    )


# ---- what is no answer ----


def test_an_answer_to_another_question_is_not_for_now(state: State) -> None:
    (reason,) = why_not(state, "send 3")
    assert reason.name == "not_now"
    assert reason.text == "it is not asked now, but in rule `send`"
    assert line(reason) == "rule send"


def test_pieces_of_nobody_are_placed_until_none_is_left() -> None:
    park = "    park: place cart on space 3 of lane\n    shop: do shop\n"
    rules = RULES.replace("    shop: do shop\n", park).replace(
        "zone stock", "piece cart: 2\nzone stock"
    )
    state = start(load("errands", of_texts(FILES | {"errands/errands.targi": rules})))
    state, _ = play(play(state, "park")[0], "park")
    assert len(state.pieces("lane 3")) == 2
    (reason,) = why_not(state, "park")
    assert (reason.name, reason.text) == ("no_cart_left", "no cart is left")
    spanish = Naming(state.game, of_program("es"))
    assert why_not(state, "park", spanish)[0].text == "ya no queda: cart"


def test_what_nobody_asks_is_unknown_and_something_near_is_meant(state: State) -> None:
    (reason,) = why_not(state, "sned")
    assert reason.name == "unknown" and "Did you mean `send`?" in reason.text
    assert named(why_not(state, "send3")) == ["unknown"]
    assert named(why_not(state, "")) == ["unknown"]


def test_after_the_end_there_is_one_reason(state: State) -> None:
    (reason,) = why_not(played(state, "finish"), "rest")
    assert (reason.name, reason.text) == ("game_over", "the game is over")
    assert line(reason) == "rule finish"


def test_chance_is_not_asked_for_a_players_answer() -> None:
    state = start(compiled("kuhn_poker"), Asked())
    assert state.seat == "chance"
    assert named(why_not(state, "bet")) == ["not_now"]
    assert why_not(state, "shuffle jack") == ()
    assert named(why_not(state, "shuffle ace")) == ["unknown"]


def test_a_payment_in_another_way_is_refused(state: State) -> None:
    paying = played(state, "purse", "rest", "rest", "rest", "rest", "rest", "barter", "shop")
    assert why_not(paying, "pay 1 coins, 2 wares") == why_not(paying, "pay 3 coins") == ()
    (reason,) = why_not(paying, "pay 9 wax")
    assert reason.name == "shop.pay" and reason.text.startswith(
        "costs 1 coins, 2 wares or 3 coins; you have 3 coins"
    )


# ---- what always holds ----


def ids(engine: Engine, waiting: Question) -> dict[str, list[tuple[Way, int]]]:
    """Every answer that the open question could have, by id."""
    found: dict[str, list[tuple[Way, int]]] = {}
    for way in waiting.ways:
        for element in way.choice.domain if way.choice is not None else (NOTHING,):
            words = (
                f" {engine.code.domains.name(way.choice.type, element)}"
                if way.choice is not None
                else ""
            )
            found.setdefault(way.label + words, []).append((way, element))
    return found


@pytest.mark.parametrize("name", VARIED)
def test_what_is_offered_is_never_refused_and_the_rest_always_with_a_name(name: str) -> None:
    game, below = compiled(name), Stream(len(name)).below
    engine = engine_of(game)
    for seed in range(2):
        state = start(game, Seed(seed))
        while state.seat is not None:
            offered = choices(state)
            waiting = engine.open_question(state.vector)
            assert waiting is not None
            if below(20) == 0 and waiting.ways:
                before = state.vector[:]
                all_ids = {choice.id for choice in offered}
                assert not [
                    one for one in offered if why_not(state, one.id) or why_not(state, one.text)
                ]
                for words, ways in ids(engine, waiting).items():
                    reasons = why_not(state, words)
                    assert (words in all_ids) == (not reasons), words
                    assert all(one.name and one.text for one in reasons)
                    assert not {"unknown", "not_now"} & set(named(reasons)), words
                    if (
                        words in all_ids and len(ways) == 1
                    ):  # and reading the head to its end finds nothing either
                        assert not Refusal(engine, state.vector, Naming(state.game)).reasons(
                            waiting.rule, *ways[0]
                        ), words
                assert state.vector == before
            state, _ = play(state, offered[below(len(offered))])


def test_of_several_things_chosen_in_order_an_earlier_one_says_that_it_comes_too_late() -> None:
    rules = """language 2
game three "Three"
players ann, ben
space box: row of 6
resource coins

rule setup
  nothing

rule round
  each player
    choose 3 b in box
    gain (count of b) coins
  end game

score coins: your coins
"""
    game = load("three", of_texts({"three.targi": rules}))
    state = start(game, Seed(1))
    third = next(one for one in choices(state) if one.id.endswith(" 3"))
    state, _ = play(state, third)
    (reason,) = why_not(state, third.id.replace(" 3", " 1"))
    assert reason.text == "several are chosen in order, and a later one already is"
    (reason,) = why_not(state, third.id.replace(" 3", " 6"))
    assert "order" not in reason.text, "one more comes after it"

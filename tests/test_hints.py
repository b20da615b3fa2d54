"""Cards that all players but their holder see, and hints about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations

import pytest

from targi_dsl import PUBLIC, Seed, State, Stream, choices, history, load, observe, play, sample
from targi_dsl import start as started
from targi_dsl.api.position import Position
from targi_dsl.compiler.project.discovery import of_texts
from tests.texts import game_text

RULES = game_text("glow.targi")
CARDS = "language: 2\nset: lamps\nkind: lamp\nsource: x\ncards:\n" + "".join(
    f"  - {{id: {hue}{step}, name: {{en: {hue} {step}}}, hue: {hue}, step: {step}, marks: [{hue}]}}\n"
    for hue in ("blue", "green", "red")
    for step in (2, 1)
)
SHEET = "language 2\ngame glow\n  rules glow\n  deck crate: lamps\n"


def files(line: str) -> dict[str, str]:
    return {
        "glow/glow.targi": RULES.replace("LINE", line.replace("\n", "\n    ")),
        "glow/lamps.yaml": CARDS,
        "glow.targi": SHEET,
    }


def begun(line: str) -> State:
    """After ann has done this, at the question behind it. Ann holds blue 1 and blue 2, bob green 1
    and green 2, from the top; the crate has red 1 and red 2.
    """
    return started(load("glow", of_texts(files(line))), Seed(0))


def hand(state: State, seat: str) -> tuple[str, ...]:
    """The hand of ann as another player sees it."""
    return observe(state, seat).cards("hand of ann")


def test_all_but_the_owner_see_a_hand() -> None:
    state = begun("nothing")
    assert hand(state, "ann") == hand(state, PUBLIC) == ("?lamp", "?lamp")
    assert hand(state, "bob") == ("blue1", "blue2")
    assert observe(state, "ann").cards("hand of bob") == ("green1", "green2")


TOLD = [
    ("hue blue", ("?lamp blue", "?lamp blue")),
    ("hue red", ("?lamp not red", "?lamp not red")),
    ("step 2", ("?lamp step 1", "?lamp step 2")),
]


@pytest.mark.parametrize(("what", "seen"), TOLD)
def test_all_know_what_is_told_of_a_card(what: str, seen: tuple[str, ...]) -> None:
    state = begun(f"tell which cards in hand of ann have {what}")
    assert hand(state, "ann") == hand(state, PUBLIC) == seen
    assert hand(state, "bob") == ("blue1", "blue2")


def test_what_is_told_adds_up() -> None:
    said = "tell which cards in hand of ann have hue"
    excluded = begun(f"{said} red\n{said} green\n{said} red")
    assert hand(excluded, "ann") == ("?lamp blue", "?lamp blue")


def test_a_value_that_is_chosen_is_told() -> None:
    state = begun(
        "choose asked in (h in hue where h is not blue)\n"
        + "tell which cards in hand of ann have hue asked"
    )
    state, _ = play(state, "round green")
    assert hand(state, "ann") == ("?lamp not green", "?lamp not green")


def test_what_is_told_is_seen_where_the_cards_lie_and_in_that_order() -> None:
    """The order of the numbers of the cards would tell which is which."""
    line = "put top of your hand under your hand\nmay (set shown to 1)\ntell which cards in your hand have step 1"
    state, events = play(begun(line), "decline")
    seen = [one.seen_by("ann").text for one in events if one.kind == "tell"]
    assert seen == ["?lamp, 1 of hand of ann: step 2", "?lamp, 2 of hand of ann: step 1"]
    first, second = (one for one in events if one.kind == "tell")
    assert (first.card, second.card) == ("blue2", "blue1")
    assert first.seen_by("bob").text == "blue 2, 1 of hand of ann: step 2"
    assert "blue" not in history(state, "ann").after(state, events).text()


def test_what_was_told_goes_with_the_card() -> None:
    told = "tell which cards in hand of ann have step 1"
    state = begun(f"{told}\nput top of your hand under your hand")
    assert hand(state, "ann") == ("?lamp step 2", "?lamp step 1")
    moved = begun(f"{told}\nput top of your hand on crate\nput top of crate on your hand")
    assert hand(moved, "ann") == ("?lamp step 1", "?lamp step 2")


@pytest.mark.parametrize(
    "line",
    [
        "put your hand on crate\nshuffle crate\ndraw 2 from crate to your hand",
        "put your hand on your drawer",
    ],
)
def test_a_shuffle_and_a_closed_zone_make_it_forgotten(line: str) -> None:
    state = begun(f"tell which cards in hand of ann have step 1\n{line}")
    seen = observe(state, PUBLIC)
    assert seen.cards("hand of ann") + seen.cards("drawer of ann") == ("?lamp", "?lamp")


def fits(*told: tuple[str, bool, bool]) -> Callable[[tuple[str, ...]], bool]:
    """Whether the first two cards of a deal have this in their ids, or have it not."""
    return lambda deal: all(
        (what in deal[0]) == first and (what in deal[1]) == second for what, first, second in told
    )


SAMPLES = [
    ("hue blue", fits(("blue", True, True))),
    ("hue red", fits(("red", False, False))),
    ("step 1", fits(("1", True, False))),
    (
        "step 2\ntell which cards in hand of ann have hue red",
        fits(("1", True, False), ("red", False, False)),
    ),
]


@pytest.mark.parametrize(("what", "possible"), SAMPLES)
def test_samples_agree_with_what_was_told_and_are_uniform(
    what: str, possible: Callable[[tuple[str, ...]], bool]
) -> None:
    state = begun(f"tell which cards in hand of ann have {what}")
    seen, number, rng = observe(state, "ann"), 1_200, Stream(1)
    wanted = [deal for deal in permutations(("blue1", "blue2", "red1", "red2")) if possible(deal)]
    counts: Counter[tuple[str, ...]] = Counter()
    for _ in range(number):
        one = sample(seen, rng)
        assert observe(one, "ann") == seen
        position = Position(one.game, one.vector)
        lying = [list(position.cards_on(place)) for place in (1, 0)]
        counts[tuple(one.game.cards[card].id for those in lying for card in those)] += 1
    assert sorted(counts) == sorted(wanted)
    expected = number / len(wanted)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


@pytest.mark.parametrize("seat", ["ann", "bob", PUBLIC])
def test_a_deal_that_is_put_together_fits_as_well(
    seat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("targi_dsl.information.deals.TRIES", 0)
    told = (
        "tell which cards in hand of ann have hue blue\ntell which cards in hand of bob have step 1"
    )
    seen = observe(begun(told), seat)
    assert all(observe(sample(seen, Stream(seed)), seat) == seen for seed in range(20))


@pytest.mark.parametrize(
    ("line", "top"),
    [
        ("put card 2 of your hand on street of blue", "blue2"),
        ("put card (1 + 0) of hand of bob on street of blue", "green1"),
        (
            "choose spot in 1..count of your hand where spot is more than 1\nput card spot of your hand on street of blue",
            "blue2",
        ),
        ("put card 3 of your hand on street of blue", ""),
    ],
)
def test_a_card_is_named_by_where_it_lies_from_the_top(line: str, top: str) -> None:
    assert observe(begun(line), "bob").cards("street of blue")[:1] == ((top,) if top else ())


def test_choosing_by_place_tells_nothing_of_the_cards() -> None:
    line = "choose spot in 1..count of your hand\nput card spot of your hand on street of red"
    state = begun(line)
    assert [one.id for one in choices(state)] == ["round 1", "round 2"]
    assert observe(state, "ann").choices == ("round 1", "round 2")
    assert hand(state, "ann") == ("?lamp", "?lamp")


def test_a_zone_for_each_value_is_one_zone_for_each_and_all_of_them() -> None:
    line = "put top of your hand on street of hue of top of your hand\nput top of hand of bob on street of red"
    state = begun(f"{line}\nset shown to count of street + 3 * count of street of red")
    seen = observe(state, "ann")
    assert [seen.cards(f"street of {hue}") for hue in ("red", "green", "blue")] == [
        ("green1",),
        (),
        ("blue1",),
    ]
    assert seen.describe()["variables"]["shown"] == 5


def test_a_value_is_seen_by_others_only() -> None:
    state = begun("roll your pips")
    pips = [
        observe(state, seat).describe()["variables"]["pips"]["ann"]
        for seat in ("ann", PUBLIC, "bob")
    ]
    assert pips[:2] == ["?", "?"]
    assert pips[2] in range(1, 7)
    drawn = {sample(observe(state, "ann"), Stream(seed)).vector for seed in range(40)}
    assert len(drawn) > 3

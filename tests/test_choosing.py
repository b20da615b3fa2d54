"""Several things chosen at once, and choices left to chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from targi_dsl import Asked, Seed, State, choices, load, play, start, step, traits
from targi_dsl.compiler.lowering import moves
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text.diagnostics import Problems
from tests.mail_game import texts

FULL = "draw 5 from bag to sack\n  "
LETTERS = "abcde"


def begun(setup: str, each: str = "nothing") -> State:
    """A game after its setup, which ann does."""
    body, *rules = setup.split("\n\n", 1)
    lines = [f"{FULL}turn of ann", *body.split("\n  ")]
    setup = "\n\n".join(["\n    ".join(lines), *rules])
    return start(load("mail", of_texts(texts(setup, each))), Asked())


def ids(state: State) -> tuple[str, ...]:
    return tuple(choice.id for choice in choices(state))


def endings(state: State) -> Iterator[State]:
    """The ends of all games from here."""
    if state.seat is None:
        yield state
    for choice in choices(state):
        yield from endings(step(state, choice))


def kept(state: State) -> str:
    return "".join(sorted(state.cards("hand of ann")))


def ways(setup: str) -> Counter[str]:
    """How often each set is taken, in all games."""
    return Counter(kept(end) for end in endings(begun(f"{setup}\n  put c on your hand")))


def test_of_more_cards_the_last_are_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "MOST_CHOSEN", 2)
    state = begun("put sack on bin in any order")
    for one in ("put e", "put a"):
        state = play(state, one)[0]
    assert "".join(state.cards("bin")) == "aebcd"


def test_chance_is_asked_for_one_of_a_set() -> None:
    state = begun(
        "choose c in sack where number of c is more than 2 at random\n  put c on your hand"
    )
    assert state.seat == "chance"
    assert ids(state) == ("random c e", "random c d", "random c c")
    assert {choice.weight for choice in choices(state)} == {1 / 3}
    assert traits(state.game).chance


def test_of_several_chance_takes_none_twice_and_as_many_as_there_are() -> None:
    found = ways("choose 2 c in sack at random")
    assert set(found) == {one + two for one in LETTERS for two in LETTERS if one < two}
    assert set(found.values()) == {2}
    assert set(ways("choose 9 c in sack at random")) == {LETTERS}
    assert set(ways("choose 2 c in bag at random")) == {""}


def test_a_seed_chooses_each_alike() -> None:
    game = begun("choose c in sack at random\n  put c on your hand").game
    found = Counter(kept(start(game, Seed(seed))) for seed in range(1_000))
    assert set(found) == set(LETTERS)
    assert all(150 <= count <= 250 for count in found.values())


def test_only_what_is_chosen_from_several_is_told() -> None:
    state = begun("choose c in sack at random\n  choose d in (sack within c) at random")
    _, events = play(state, "random c d")
    assert [one.text for one in events if one.kind == "random"] == ["D is chosen at random"]


def test_a_hidden_card_that_chance_has_chosen_is_told_to_who_knows_it() -> None:
    mixed = "put sack on bag\n  shuffle bag\n  deal 2 from bag to each hand\n  "
    state = begun(mixed + "choose c in hand of bob at random")
    while choices(state)[0].label == "shuffle":
        state = step(state, choices(state)[0])
    _, events = play(state, choices(state)[0])
    (told,) = (one for one in events if one.kind == "random")
    assert told.seen_by("ann").text == "?letter is chosen at random"
    assert told.seen_by("bob").text == told.text == "D is chosen at random"


def test_chance_has_nothing_to_choose_from() -> None:
    with pytest.raises(Problems) as caught:
        begun("choose c in bag at random\n  put c on your hand")
    (problem,) = caught.value.problems
    assert problem.code == "E615"

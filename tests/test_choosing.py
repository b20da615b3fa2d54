"""Several things chosen at once, and choices left to chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from targi_dsl import Asked, Listed, Seed, State, choices, load, play, start, step, traits
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


def test_each_set_of_two_is_chosen_in_one_way() -> None:
    found = ways("choose 2 c in sack")
    assert set(found) == {one + two for one in LETTERS for two in LETTERS if one < two}
    assert set(found.values()) == {1}


def test_each_set_of_up_to_two_is_chosen_in_one_way() -> None:
    found = ways("choose up to 2 c in sack")
    assert len(found) == 1 + 5 + 10
    assert set(found.values()) == {1}


def test_where_is_asked_of_each() -> None:
    assert set(ways("choose 2 c in sack where number of c is at least 3")) == {"cd", "ce", "de"}
    assert set(ways("choose up to 1 c in sack where number of c is 6")) == {""}


def test_an_answer_after_which_too_few_are_left_is_not_offered() -> None:
    assert ids(begun("choose 3 c in sack\n  put c on your hand")) == (
        "setup e",
        "setup d",
        "setup c",
    )


def test_what_follows_is_looked_at_for_the_whole_set() -> None:
    state = begun("choose 2 c in sack\n  forbid odd: sum of number of x for (x in c) is not 4")
    assert state.seat is None  # a and c are all that fits


def test_with_too_few_it_cannot_be_begun() -> None:
    taking = "\n\nrule taking\n  choose 2 c in your hand\n  put c on sack"
    state = begun("deal 1 from sack to each hand" + taking, "may (do taking)")
    assert state.seat is None  # nobody had a second letter, so nobody was asked


@pytest.mark.parametrize(
    ("where", "said", "lying"),
    [
        ("on bin", ["put c", "put a"], "bac"),
        ("under bin", ["put c", "put a"], "cab"),
        ("on sack", ["put b", "put c"], "acbde"),
    ],
)
def test_cards_are_put_in_the_order_that_one_says(where: str, said: list[str], lying: str) -> None:
    state = begun(f"put (the card c, the cards a, top of sack, the card b) {where} in any order")
    assert ids(state) == ("put c", "put b", "put a")
    for one in said:
        assert "".join(state.cards("sack")) == "abcde", "no card moves before all are named"
        state = play(state, one)[0]
    assert "".join(state.cards(where.split()[1])) == lying


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


def test_a_list_names_what_chance_has_chosen() -> None:
    game = load("mail", of_texts(texts(FULL + "choose p in players at random\n  p gains 1 fame")))
    assert start(game, Listed(("random p bob",))).amount("bob", "fame") == 1


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


def test_nothing_may_be_done_where_no_answer_is_possible() -> None:
    luck = "\n\nrule luck\n  one of\n    each c in bag: put c on your hand\n  otherwise: nothing"
    state = begun(f"do luck\n  gain 1 fame{luck}")
    assert state.seat is None and kept(state) == "" and state.amount("ann", "fame") == 1


def test_what_chance_cannot_choose_is_not_offered() -> None:
    state = begun("may (do luck)\n\nrule luck\n  choose c in bag at random\n  put c on your hand")
    assert state.seat is None

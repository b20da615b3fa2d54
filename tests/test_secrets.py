"""Values that not all players know: chosen in secret, rolled under a cup, revealed."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest

from targi_dsl import (
    PUBLIC,
    Asked,
    Event,
    History,
    Problems,
    Seed,
    State,
    Stream,
    choices,
    encode,
    history,
    load,
    observe,
    play,
    sample,
    start,
    step,
    traits,
)
from targi_dsl.codegen.tiered import INTERPRETER, TCC, TieredEngine, use_c
from targi_dsl.compiler.load import Find
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.choosing import offers
from targi_dsl.display.scene import scene_of
from targi_dsl.engine.machine import ENGINE
from targi_dsl.ir.constants import NOTHING
from targi_dsl.ir.game import Game
from targi_dsl.records.notation import read, write
from targi_dsl.tools.invariants import unreported
from targi_dsl.view.words import Words
from tests.same_knowledge import check
from tests.texts import game_text

RULES = game_text("cups.targi")
BIDS = "all choose bid in 0..your fame in secret"


def game_of(setup: str, round_: str = "nothing") -> dict[str, str]:
    rules = RULES.replace("SETUP", setup).replace("ROUND", round_)
    sheet = 'language 2\ngame cups "Cups"\n  rules cups\n'
    return {"cups/cups.targi": rules, "cups.targi": sheet}


def begun(setup: str, round_: str = "nothing") -> State:
    return start(load("cups", of_texts(game_of(setup, round_))), Seed(4))


def played(state: State, *ids: str) -> State:
    for one in ids:
        state = step(state, one)
    return state


def seen(state: State, seat: str, variable: str = "bid") -> object:
    return observe(state, seat).describe()["variables"][variable]


def test_all_are_asked_and_only_the_owner_sees_what_he_has_chosen() -> None:
    state = played(begun(BIDS), "bid 2")
    assert state.seat == "bob"
    assert seen(state, "ann") == {"ann": 2, "bob": 0, "cid": 0}
    assert seen(state, "bob") == seen(state, "cid") == {"ann": "?", "bob": 0, "cid": 0}
    assert seen(state, PUBLIC) == seen(state, "bob")
    state = played(state, "bid 0", "bid 1")
    assert seen(state, "bob") == {"ann": "?", "bob": 0, "cid": "?"}


def test_a_sample_has_no_secret_that_another_forbids() -> None:
    free = "b in 0..3 where count of (p in players where bid of p is b) is 0"
    state = played(begun(f"all choose bid in ({free}) in secret"), "bid 2", "bid 1")
    assert state.seat == "ann"  # nothing but 3 is left for cid
    seen_by_cid = observe(state, "cid")
    bids = {
        tuple(sample(seen_by_cid, Stream(seed)).value("bid", at) for at in range(3))
        for seed in range(60)
    }
    assert bids == {(1, 2, 3), (2, 1, 3)}


def test_what_is_chosen_makes_no_difference_to_the_others() -> None:
    ends = [played(begun(BIDS), "bid 2", one, "bid 1") for one in ("bid 0", "bid 1", "bid 2")]
    for seat in ("ann", "cid", PUBLIC):
        assert len({observe(one, seat) for one in ends}) == 1
        assert len({encode(observe(one, seat)) for one in ends}) == 1
    assert len({observe(one, "bob") for one in ends}) == 3


def told(state: State, choice: str) -> tuple[State, tuple[Event, ...]]:
    return play(state, choice)


def test_events_and_histories_keep_the_secret() -> None:
    first = begun(BIDS)
    found: dict[str, set[History]] = {seat: set() for seat in ("ann", "bob", PUBLIC)}
    for choice in ("bid 0", "bid 1", "bid 2"):
        _, events = told(first, choice)
        assert [one.seen_by("bob").text for one in events] == ["ann: bid ?", "bid of ann is ?"]
        assert [one.text for one in events] == [f"ann: {choice}", f"bid of ann is {choice[-1]}"]
        for seat, of in found.items():
            of.add(history(first, seat).after(first, events))
    assert [len(found[seat]) for seat in ("ann", "bob", PUBLIC)] == [3, 1, 1]


def test_reveal_shows_the_values_of_all_and_a_new_choice_is_secret_again() -> None:
    state = played(begun("nothing", f"{BIDS}\n  reveal bid"), "bid 2", "bid 1")
    state, events = told(state, "bid 0")
    assert [one.seen_by(PUBLIC).text for one in events[2:5]] == [
        "bid of ann is 2", "bid of bob is 1", "bid of cid is 0",
    ]  # fmt: skip
    assert seen(state, PUBLIC) == {"ann": 2, "bob": 1, "cid": 0}
    state = played(state, "on", "bid 1")
    assert seen(state, PUBLIC) == {"ann": "?", "bob": 0, "cid": 0}


def test_one_value_can_be_revealed() -> None:
    state = played(begun(f"{BIDS}\n  reveal bid of bob"), "bid 2", "bid 1", "bid 0")
    assert seen(state, PUBLIC) == {"ann": "?", "bob": 1, "cid": "?"}


def test_who_has_nothing_to_choose_from_is_passed_over() -> None:
    state = begun("all choose bid in 1..your fame where your fame is 2 in secret", "nothing")
    assert state.seat == "ann"
    rich = "each player\n    if you is bob: pay 2 fame\n  "
    state = played(begun(rich + "all choose bid in 1..your fame in secret"), "bid 1")
    assert state.seat == "cid"


def test_who_is_passed_over_has_not_chosen_what_he_chose_before() -> None:
    bids = "all choose bid in 1..2 where your fame is 2 in secret\n  reveal bid"
    state = begun("nothing", f"{bids}\n  turn of bob: pay 1 fame")
    state = played(state, "bid 1", "bid 2", "bid 2")
    assert seen(state, PUBLIC) == {"ann": 1, "bob": 2, "cid": 2}
    state = played(state, "on", "bid 1", "bid 2")
    assert seen(state, PUBLIC) == {"ann": 1, "bob": 0, "cid": 2}


def test_that_a_secret_choice_begins_anew_is_no_news() -> None:
    """Whoever heard "bid of ann is 0" would believe that it had been revealed."""
    state = played(begun("nothing", BIDS), "bid 1", "bid 1", "bid 1")
    after, events = play(state, "on")
    assert seen(after, PUBLIC) == {"ann": 0, "bob": 0, "cid": 0}
    assert not [event for event in events if event.kind == "set"]
    assert not unreported(state, events, after)


def test_samples_are_what_the_owner_could_choose_each_as_likely() -> None:
    rich = "each player\n    if you is bob: gain 1 fame\n  "
    state = played(begun(rich + BIDS), "bid 2", "bid 3")
    known, rng, found = observe(state, "cid"), Stream(1), Counter[tuple[int, int]]()
    for _ in range(1_200):
        drawn = sample(known, rng)
        assert observe(drawn, "cid") == known
        found[drawn.value("bid", 0), drawn.value("bid", 1)] += 1
    assert set(found) == set(product(range(3), range(4)))
    assert all(60 <= count <= 140 for count in found.values())


def test_a_value_of_a_list_is_chosen_in_secret_too() -> None:
    state = played(begun("all choose mark in colour where mark is not blue in secret"), "mark red")
    assert seen(state, "ann", "mark") == {"ann": "red", "bob": None, "cid": None}
    known = observe(state, "bob")
    assert {sample(known, Stream(n)).value("mark") for n in range(20)} == {0, 2}


DENS = game_text("dens.targi")


def dens(was: str = "", now: str = "") -> dict[str, str]:
    sheet = 'language 2\ngame dens "Dens"\n  rules dens\n'
    return {"dens/dens.targi": DENS.replace(was, now), "dens.targi": sheet}


def moods(state: State) -> list[int]:
    """What the mood of ann may be, as bob sees it."""
    known = observe(played(state, "m calm"), "bob")
    return [sample(known, Stream(n)).value("mood", 0) for n in range(60)]


def test_a_secret_space_may_be_any_of_its_region_and_no_other() -> None:
    game, compiled = (load("dens", of_texts(dens())) for _ in range(2))
    use_c(compiled, level=0)
    found = moods(start(game, Seed(1)))
    assert set(found) == {NOTHING, 2, 3}
    assert moods(start(compiled, Seed(1))) == found


@pytest.mark.parametrize("other", ["shore near", "coast low", "number 0"])
def test_a_position_with_a_space_of_another_region_is_refused(other: str) -> None:
    state = played(start(load("dens", of_texts(dens())), Seed(1)), "m calm")
    text = write(state)
    assert read(state.game, text).vector == state.vector
    with pytest.raises(Problems, match="this is not on `dial`"):
        read(state.game, text.replace("dial calm", other))


@pytest.mark.parametrize(
    ("said", "repaired"),
    [
        ("choose mood in dial in secret", "all choose mood in dial in secret"),
        ("you choose mood in dial in secret", "all choose mood in dial in secret"),
        (
            "ann chooses mood in dial in secret",
            "all choose mood in dial where you is ann in secret",
        ),
        (
            "ann chooses mood in dial where mood is not calm in secret in any case",
            "all choose mood in dial where (mood is not calm) and you is ann in secret in any case",
        ),
    ],
)
def test_who_lets_one_player_choose_in_secret_is_told_how(said: str, repaired: str) -> None:
    with pytest.raises(Problems) as refused:
        load("dens", of_texts(dens("  each player\n", f"  {said}\n  each player\n")))
    (problem,) = refused.value.problems
    assert (problem.code, problem.hint) == ("E110", repaired)
    game = load("dens", of_texts(dens("  each player\n", f"  {repaired}\n  each player\n")))
    if "ann" in said:
        state = step(start(game, Seed(1)), "mood angry")
        assert state.option_ids == ("m calm", "m angry")  # bob was not asked


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("to m", "to near"),
        ("dial, seen", "dial, starts as low, seen"),
        ("to m", "to first shore"),
        ("  each player\n", "  all choose mood in shore in secret\n  each player\n"),
    ],
)
def test_a_variable_is_not_given_a_space_of_another_region(was: str, now: str) -> None:
    with pytest.raises(Problems, match="not on `dial`"):
        load("dens", of_texts(dens(was, now)))


LOVES = game_text("loves.targi")
CHOSEN_LOVE = "set your love to prize"


def loves(said: str = CHOSEN_LOVE) -> Game:
    """A game in which players choose what they love, or in which this is done instead."""
    sheet = 'language 2\ngame loves "Loves"\n  rules loves\n  deck chest: scrolls + coins\n'
    texts = {
        "loves.targi": sheet + "  deck purse: cents\n",
        "loves/loves.targi": LOVES.replace(CHOSEN_LOVE, said),
    }
    for name, kind, ids in (
        ("scrolls", "scroll", "ab"),
        ("coins", "coin", "c"),
        ("cents", "coin", "d"),
    ):
        cards = "".join(f"  - {{id: {one}, name: {{en: {one}}}}}\n" for one in ids)
        texts[f"loves/{name}.yaml"] = f"language: 2\nset: {name}\nkind: {kind}\ncards:\n{cards}"
    return load("loves", of_texts(texts))


@pytest.mark.parametrize("by_c", [False, True])
def test_a_variable_of_a_kind_of_cards_holds_no_other(by_c: bool) -> None:
    game = loves()
    if by_c:
        use_c(game, level=0)
    state = step(start(game, Seed(1)), "round b")
    known = observe(state, "bob")
    assert {sample(known, Stream(n)).value("love", 0) for n in range(40)} == {NOTHING, 0, 1}
    with pytest.raises(Problems, match="love would become c"):
        step(state, "round c")
    with pytest.raises(Problems, match="this is not of the kind `scroll`"):
        read(game, write(state).replace("love of ann: b", "love of ann: d"))


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("set your love to the card c", "scroll"),
        ("set your love to top of purse", "scroll"),
        ("set your love to first (d in chest where d is a coin)", "scroll"),
        ("all choose love in (the card a, the card c) in secret", "scroll"),
        ("all choose love in purse in secret", "scroll"),
        ("set mine to first oar", "boat"),
    ],
)
def test_a_card_or_piece_that_is_certainly_of_another_kind_is_refused(said: str, kind: str) -> None:
    with pytest.raises(Problems, match=f"of the kind `{kind}`") as refused:
        loves(said)
    assert [one.code for one in refused.value.problems] == ["E303"]


@pytest.mark.parametrize(
    "said",
    [
        "set your love to the card a if any your love otherwise first chest",
        "set your love to top of chest",
        "all choose love in (c in (the card a, the card c) where c is a scroll) in secret",
        "set mine to first ((oar plus boat) within boat)",
        "set mine to nothing",
    ],
)
def test_a_card_or_piece_that_may_be_of_that_kind_is_not_refused(said: str) -> None:
    assert loves(said).variables


CODES = game_text("codes.targi")
CHOSEN = 'all choose peg in unused in secret as "{peg} in {hole}"'
DRAWN = "each player: each h in your hole: choose c in dye at random then set peg of h to c"


def codes(seen: str = "seen by owner", setup: str = CHOSEN) -> Find:
    rules = CODES.replace("SEEN", seen).replace("SETUP", setup)
    sheet = 'language 2\ngame codes "Codes"\n  rules codes\n'
    return of_texts({"codes/codes.targi": rules, "codes.targi": sheet})


@pytest.mark.parametrize("engine", [INTERPRETER, TCC])
def test_a_secret_list_is_chosen_space_by_space_and_seen_by_its_owner(engine: str) -> None:
    game = load("codes", codes())
    game.program.engines[ENGINE] = TieredEngine(game, engine)
    state = start(game, Seed(1))
    state = played(state, "peg red", "peg blue")
    assert (state.seat, len(choices(state))) == ("bob", 3)  # the last of ann is the only one left
    before, state = state, played(state, "peg green", "peg red")
    _, events = play(before, "peg green")
    (chosen,) = (one for one in events if one.kind == "set")
    assert chosen.seen_by("ann").text == "peg of hole 1 of bob is ?"
    assert chosen.seen_by("bob").text == "peg of hole 1 of bob is green"
    mine = {f"hole {n} of ann": dye for n, dye in enumerate(("red", "blue", "green"), 1)}
    hidden = {f"hole {n} of bob": "?" for n in (1, 2, 3)}
    assert seen(state, "ann", "peg") == mine | hidden
    known, drawn = observe(state, "bob"), Counter[tuple[int, ...]]()
    for n in range(300):
        code = sample(known, Stream(n))
        assert [code.value("peg", at) for at in (3, 4, 5)] == [1, 0, 2]
        drawn[tuple(code.value("peg", at) for at in (0, 1, 2))] += 1
    assert set(drawn) == set(permutations(range(3))) and min(drawn.values()) > 25
    state = played(state, "show")
    assert seen(state, "bob", "peg") == {
        **mine, "hole 2 of ann": "?", "hole 3 of ann": "?",
        "hole 1 of bob": "green", "hole 2 of bob": "red", "hole 3 of bob": "blue",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        (CHOSEN, ["green in hole 2", "blue in hole 2"]),
        ("all choose peg in unused in secret", ["hole 2: peg green", "hole 2: peg blue"]),
    ],
)
def test_a_secret_choice_for_each_space_says_for_which(chosen: str, told: list[str]) -> None:
    state = played(start(load("codes", codes(setup=chosen)), Seed(1)), "peg red")
    scene = scene_of(state, Words(state.game), ("ann",))
    assert [f"{one.offer.label} {one.offer.name}".strip() for one in offers(scene)] == told


@pytest.mark.parametrize(("seen_by", "setup"), [("owner", CHOSEN), ("others", DRAWN)])
def test_a_secret_list_is_the_same_in_c(seen_by: str, setup: str) -> None:
    for chance in (Seed(3), Asked()):
        check("codes", chance, every=1, find=codes(f"seen by {seen_by}", setup))


def test_what_hides_a_space_of_nobody_has_no_owner() -> None:
    with pytest.raises(Problems, match="Spaces have one where their region is `for each player`"):
        load(
            "dens", of_texts(dens("variable mood for each player", "variable mood for each shore"))
        )
    with pytest.raises(Problems, match="variable peg for each hole: dye, seen by owner"):
        load("codes", codes("seen by others"))


def test_dice_are_rolled_under_a_cup() -> None:
    game = load("cups", of_texts(game_of("each player\n    roll your die")))
    state = start(game, Asked())
    assert [choice.id for choice in choices(state)] == [f"roll {n}" for n in range(1, 7)]
    state, events = told(state, "roll 5")
    assert [one.seen_by("ann").text for one in events if one.kind == "set"] == ["die of ann is 5"]
    assert "5" not in "".join(one.seen_by("bob").text for one in events)
    state = played(state, "roll 2", "roll 6")
    assert seen(state, "bob", "die") == {"ann": "?", "bob": 2, "cid": "?"}
    drawn = Counter(sample(observe(state, "bob"), Stream(n)).value("die") for n in range(300))
    assert set(drawn) == set(range(1, 7))


def test_nobody_sees_what_is_seen_by_nobody() -> None:
    state = begun("roll omen")
    assert {seen(state, seat, "omen") for seat in ("ann", "bob", "cid", PUBLIC)} == {"?"}
    assert seen(begun("roll omen\n  reveal omen"), PUBLIC, "omen") != "?"


def test_a_value_that_a_rule_names_is_no_secret_and_one_worked_out_is() -> None:
    state = played(
        begun(f"{BIDS}\n  each player\n    set your bid to 3"), "bid 2", "bid 1", "bid 0"
    )
    assert seen(state, PUBLIC) == {"ann": 3, "bob": 3, "cid": 3}
    state = played(begun(f"{BIDS}\n  set last to bid of ann"), "bid 2", "bid 1", "bid 0")
    assert seen(state, "ann", "last") == "?"


def test_an_open_variable_is_rolled_for_all_to_see() -> None:
    game = load("cups", of_texts(game_of("roll rounds\n  set rounds to 0")))
    _, events = play(start(game, Asked()), "roll 3")
    assert "rounds is 3" in [one.seen_by(PUBLIC).text for one in events]


@pytest.mark.parametrize("by_c", [False, True])
def test_a_secret_that_nobody_chose_is_any_of_its_type_or_nothing(by_c: bool) -> None:
    kinds = "piece oar: 2\npiece boat: 2\nspace pier: row of 2\nzone hat for each player: lot\ncard lot\n"
    more = kinds + "variable owed for each player: boat, seen by owner\n"
    more += "variable berth for each player: pier, seen by owner\n"
    texts = game_of(
        "each player\n    set your owed to first boat\n    set your berth to next of first pier"
    )
    texts["cups/cups.targi"] = texts["cups/cups.targi"].replace(
        "rule setup", more + "\nrule setup", 1
    )
    game = load("cups", of_texts(texts))
    if by_c:
        use_c(game, level=0)
    known = observe(start(game, Seed(4)), "ann")
    drawn = [sample(known, Stream(seed)) for seed in range(80)]
    assert {one.value("owed", 1) for one in drawn} == {-1, 2, 3}
    assert {one.value("berth", 1) for one in drawn} == {-1, 0, 1}


def test_a_position_keeps_what_is_secret() -> None:
    state = played(begun(BIDS), "bid 2", "bid 1")
    text = write(state)
    assert "secret 2 bid of ann" in text
    assert read(state.game, text).vector == state.vector


def test_a_game_in_which_all_choose_at_once_says_so() -> None:
    secret = traits(begun(BIDS).game)
    assert secret.simultaneous and secret.hidden
    assert not traits(load("tic_tac_toe")).simultaneous

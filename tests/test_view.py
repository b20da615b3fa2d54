"""A view is one plain value, with a schema, and a function of what its viewer knows alone."""

from __future__ import annotations

import inspect
import json

import jsonschema
import msgspec
import pytest

from targi_dsl import PUBLIC, Seed, State, Stream, choices, observe, play, sample, start, step
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.layout import Items, PlayerPart, Table
from targi_dsl.ir.order import ordered_zones
from targi_dsl.records import Step, step_by
from targi_dsl.text import resources
from targi_dsl.view import views
from targi_dsl.view.equipment import equipment
from targi_dsl.view.news import Teller
from targi_dsl.view.offers import join_words
from targi_dsl.view.shape import Ref, View
from targi_dsl.view.views import view
from targi_dsl.view.words import Words
from tests import view_schema
from tests.architecture import PACKAGE, imported, text_of, tree_of
from tests.games import ALL, QUICK, compiled
from tests.small_game import FILES
from tests.texts import game_file, game_text

OF_POSITIONS = {"State", "Choice", "Step", "choices", "play", "step", "begin", "start", "sample"}
"""Names of what holds, takes or gives whole positions; a view is gathered without them."""


def positions(name: str, most: int, seed: int = 1) -> list[State]:
    state, stream, found = start(compiled(name), Seed(seed)), Stream(seed), list[State]()
    while len(found) < most and state.seat is not None:
        found.append(state)
        offered = choices(state)
        state = step(state, offered[stream.below(len(offered))])
    return found


def test_the_schema_is_that_of_the_classes() -> None:
    """`python -m tests.view_schema` writes it."""
    assert view_schema.FILE.read_text(encoding="utf-8") == view_schema.text()


@pytest.mark.parametrize("name", QUICK)
def test_a_view_is_plain_data_that_conforms_to_the_schema_and_can_be_read_back(name: str) -> None:
    data = resources.read("schema/view.json")
    assert data is not None
    validator = jsonschema.Draft202012Validator(json.loads(data))
    words = Words(compiled(name))
    for state in positions(name, 8)[::3]:
        for seat in (*state.game.players[:2], PUBLIC):
            seen = view(observe(state, seat), words)
            sent = msgspec.json.encode(seen)
            validator.validate(json.loads(sent))
            assert msgspec.json.decode(sent, type=View) == seen


def test_a_view_is_gathered_from_observations_and_never_from_positions() -> None:
    of_steps = ("news.py", "outcomes.py")  # these tell what happened, and count in samples
    gatherers = [one for one in (PACKAGE / "view").glob("*.py") if one.name not in of_steps]
    for file in gatherers:
        names = {name for _, name in imported(tree_of(text_of(file)), ("targi_dsl", "view"))}
        assert not {name.rpartition(".")[2] for name in names} & OF_POSITIONS, file.name
    first, *_ = inspect.signature(views.view, eval_str=True).parameters.values()
    assert first.annotation.__name__ == "Observation"
    assert len(gatherers) > 6


def test_a_card_that_the_viewer_does_not_know_has_a_back_and_no_identity() -> None:
    (state,) = positions("lamplighters", 1)
    ann, ben = (view(observe(state, seat), Words(state.game)) for seat in state.game.players)
    assert [(card.id, card.count) for card in ann.places["hand of ann"].cards] == [("", 5)]
    assert all(card.id for card in ben.places["hand of ann"].cards)
    public = view(observe(state, PUBLIC), Words(state.game))
    assert public.viewers == () and public.offers == ()
    assert not any(card.id for place in public.places.values() for card in place.cards)


def test_a_choice_names_what_it_acts_on_and_what_it_leads_to() -> None:
    state = start(compiled("base"), Seed(3))
    for id_ in ("place_targi 7", "place_targi 6"):
        state = step(state, id_)
    seen = view(observe(state, "blue"), Words(state.game))
    offer = next(one for one in seen.offers if one.id == "place_targi 2")
    assert offer.acts_on == (Ref("place", "border 2"), Ref("card", "dates_2"))
    (lead,) = offer.leads
    (crossing,) = lead.about
    assert crossing.sort == "place" and seen.places[crossing.id].cards
    assert seen.question is not None
    asked = {(ref.sort, ref.id) for ref in seen.question.about}
    card = seen.places[crossing.id].cards[0].id
    assert {("place", "border 2"), ("card", "dates_2"), ("card", card)} <= asked
    assert any(ref.sort == "resource" and ref.of == "blue" for ref in seen.question.about)


@pytest.mark.parametrize("name", ALL)
def test_resources_and_players_are_told_apart_by_their_marks(name: str) -> None:
    game = equipment(Words(compiled(name)))
    for those in (game.resources, game.players, game.values):
        marks = [one.look.symbol or one.look.letter for one in those]
        assert len({*marks} - {""}) == len([mark for mark in marks if mark])


def test_the_cards_of_a_pile_that_comes_back_are_told_from_those_on_display() -> None:
    places = equipment(Words(compiled("base"))).places
    assert {one.region for one in places.values() if one.refills} == {
        "tribe_discard",
        "goods_discard",
    }


def test_a_group_shows_each_of_its_resources_and_a_board_its_blocks() -> None:
    items = [
        item.of
        for part in equipment(Words(compiled("gem_market"))).layout
        if isinstance(part, PlayerPart) and part.player == "ann"
        for line in part.parts
        if isinstance(line, Items)
        for item in line.items
        if item.what == "resource"
    ]
    assert items == [("rubies",), ("topazes",), ("emeralds",), ("sapphires",), ("opals",)]
    layout = equipment(Words(compiled("ultimate_tic_tac_toe"))).layout
    assert [part.blocks for part in layout if isinstance(part, Table)] == [(0, 0), (3, 3)]


@pytest.mark.parametrize("name", ["base", "lamplighters", "goofspiel", "blind_bluff", "who_is_it"])
def test_positions_that_a_viewer_cannot_tell_apart_have_equal_views(name: str) -> None:
    words, stream = Words(compiled(name)), Stream(7)
    for state in positions(name, 14)[::3]:
        for seat in (*state.game.players, PUBLIC):
            seen = observe(state, seat)
            mine = msgspec.json.encode(view(seen, words))
            other = sample(seen, stream)
            assert msgspec.json.encode(view(observe(other, seat), words)) == mine


def test_news_are_told_as_their_listener_knew_them_then() -> None:
    state = start(compiled("base"), Seed(3))
    before, events = state, play(state, "place_targi 7")[1]
    stepped = Step(before, choices(before)[0], tuple(events), play(state, "place_targi 7")[0])
    told = Teller(Words(state.game), ("white",)).news(0, stepped)
    assert (told.step, told.seat) == (0, "blue") and told.choice.startswith("stand on border")
    assert told.acts_on[0].sort == "place"


def test_what_everybody_sees_of_a_space_is_told_when_it_is_another_and_only_its_last_value() -> (
    None
):
    """A wave lowers the dyke where it hits, and there it may be mended in the same step."""
    state, stream = start(compiled("the_dyke"), Seed(3)), Stream(3)
    words = Words(state.game)
    while offered := choices(state):
        one = step_by(state, offered[stream.below(len(offered))])
        teller = Teller(words, ("ann",))
        told = [heard for heard in teller.events(one) if heard.event.kind == "set"]
        assert all(teller.is_visible(one, heard.event) for heard in told)
        assert not any(teller.is_revealed(one, heard, one.after) for heard in told)
        now = {
            place: one.after.value("height", place)
            for place in (info.name for info in state.game.places if info.region == "dyke")
            if one.after.value("height", place) != state.value("height", place)
        }
        found = [(heard.event.to, heard.event.number) for heard in told]
        assert sorted(found) == sorted(now.items())
        state = one.after


@pytest.mark.parametrize(
    ("offered", "told"),
    [
        ("your cell", ["spot cell 3 of ann", "spot cell 3 of ben"]),
        ("cell of ann plus cell of ben", ["spot cell 3 of ben", "spot cell 2 of ben"]),
    ],
)
def test_of_spaces_that_every_player_has_the_one_that_was_chosen_is_told(
    offered: str, told: list[str]
) -> None:
    rules = f"""language 2
game cells "Cells"
players ann, ben
space cell for each player: row of 3
piece mark: 6
rule setup
  nothing
rule round
  each player
    choose spot in (s in {offered} where no mark on s)
    place mark on spot
score marks: count of mark on your cell
"""
    state = start(load("cells.targi", of_texts({"cells.targi": rules})), Seed(1))
    teller, said = Teller(Words(state.game), ()), list[str]()
    for _ in range(2):
        stepped = step_by(state, choices(state)[-1])
        said.append(teller.choice_text(stepped))
        state = stepped.after
    assert said == told


def test_an_exchange_that_was_chosen_is_told_once() -> None:
    state = start(compiled("expansion"), Seed(7))
    chosen = next(one for one in choices(state) if one.id == "water_for_goods salt")
    told = Teller(Words(state.game), ("white",)).news(0, step_by(state, chosen))
    assert told.choice.startswith("exchange")
    assert [one.kind for one in told.events] == ["pay", "gain"]


def test_a_loss_is_told_as_a_loss() -> None:
    """docs/language.md, lose, keep at most."""
    state = start(load(game_file("market")), Seed(0))
    chosen = next(one for one in choices(state) if one.id == "pay figs")
    told = Teller(Words(state.game), ("ann",)).news(0, step_by(state, chosen))
    assert told.choice == "lose 1 fig"
    found = [(one.kind, one.text) for one in told.events]
    assert found == [
        ("lose", "ann loses 1 fig (2 times)"),
        ("lose", "ann loses 1 nut"),
        ("pay", "ann pays 1 fig"),
    ]


GAINS = (
    game_text("market.targi").partition("rule round")[0]
    + """rule round
  turn of ann
    one of
      take:
        gain 1 figs
        gain 1 figs
        gain 1 nuts
        gain 1 figs
      leave: nothing
  end game
score fruits: your figs
"""
)


def test_only_what_is_repeated_at_once_is_counted() -> None:
    state = start(load("market", of_texts({"market.targi": GAINS})), Seed(0))
    told = Teller(Words(state.game), ("ann",)).news(0, step_by(state, choices(state)[0]))
    texts = [one.text for one in told.events]
    assert texts[:3] == ["ann gains 1 fig (2 times)", "ann gains 1 nut", "ann gains 1 fig"]


@pytest.mark.parametrize("name", ["goofspiel", "auction"])
def test_what_was_chosen_in_secret_is_in_nobody_elses_news(name: str) -> None:
    state = start(compiled(name), Seed(5))
    other = next(seat for seat in state.game.players if seat != state.seat)
    told = set()
    for choice in choices(state):
        after, events = play(state, choice)
        teller = Teller(Words(state.game), (other,))
        told.add(msgspec.json.encode(teller.news(0, Step(state, choice, tuple(events), after))))
    assert len(told) == 1 < len(choices(state))


def test_what_a_pool_holds_is_known_by_its_resource() -> None:
    (state,) = positions("gem_market", 1)
    held = view(observe(state, PUBLIC), Words(state.game)).values.values()
    pools = [one for one in held if one.sort == "resource"]
    assert {one.id for one in pools} == {*state.game.resources}
    assert all(str(one.number) == one.text for one in pools)


def test_a_hint_says_what_was_told_and_of_which_cards() -> None:
    """To who holds the cards, and to who sees them."""
    steps = list[Step]()
    state = start(compiled("lamplighters"), Seed(1))
    for chosen in ("tell_hue", "told azure"):
        steps.append(step_by(state, next(one for one in choices(state) if one.id == chosen)))
        state = steps[-1].after
    told = "cards 1, 3, 4 of hand of ben: not azure; cards 2, 5 of hand of ben: azure"
    words = Words(state.game)
    for seat in state.game.players:
        teller = Teller(words, (seat,))
        assert "; ".join(teller.in_words(teller.events(steps[-1]))) == told
    for seat, known in (("ann", True), ("ben", False)):
        held = view(observe(state, seat), words).places["hand of ben"].cards
        assert [bool(one.id) for one in held] == [known] * len(held)
        said = [one.said for one in held for _ in range(one.count)]
        assert said == ["not azure", "azure", "not azure", "not azure", "azure"]


def test_the_order_of_a_zone_is_read_by_scores_too() -> None:
    game = load("pond", of_texts(FILES))
    plain = {game.places[one].name for one in ordered_zones(game)}
    score = "\nscore held: worth of top of your hand\n"
    texts = {**FILES, "pond/pond.targi": FILES["pond/pond.targi"] + score}
    longer = load("pond", of_texts(texts))
    found = {longer.places[one].name for one in ordered_zones(longer)}
    assert {one.partition(" of ")[0] for one in found - plain} == {"hand"}


TWINS = {
    "twins.targi": """language 2
game twins "Twins"
  deck nest: birds
players ann, ben

card bird
  age: 1 to 3
zone nest: bird, face down
zone hand for each player: bird, seen by owner
zone sky: bird

rule setup
  shuffle nest
  deal 1 from nest to each hand

rule round
  each player
    reveal top of nest
    put top of nest on your hand
    choose flown in your hand as "WORDS"
    put flown on sky
  everybody wins
""",
    "twins/birds.yaml": """language: 2
set: birds
kind: bird
cards:
  - {id: owl, copies: 4, name: {en: owl}, age: 1}
""",
}


@pytest.mark.parametrize("words", ["let {flown} fly", "let fly {flown}"])
def test_of_cards_that_read_alike_it_is_told_who_else_knows_them(words: str) -> None:
    texts = {name: text.replace("WORDS", words) for name, text in TWINS.items()}
    state, said = start(load("twins", of_texts(texts)), Seed(1)), words.replace("{flown}", "owl")
    offered = view(observe(state, "ann"), Words(state.game)).offers
    told = sorted(join_words(one.label, one.name) for one in offered)
    assert told == [said, f"{said} (known to ben)"]


def test_of_open_cards_that_read_alike_it_is_told_where_they_lie() -> None:
    sheet = TWINS["twins.targi"].replace("zone sky: bird", "zone sky: bird\nzone sea: bird")
    sheet = sheet.replace("reveal top of nest", "put top of nest on sky")
    sheet = sheet.replace("put top of nest on your hand", "put top of nest on sea")
    sheet = sheet.replace("in your hand as", "in your hand plus sky plus sea as")
    sheet = sheet.replace("WORDS", "take {flown}")
    state = start(load("twins", of_texts(TWINS | {"twins.targi": sheet})), Seed(1))
    offered = view(observe(state, "ann"), Words(state.game)).offers
    assert sorted(one.name for one in offered) == ["owl (hand of ann)", "owl (sea)", "owl (sky)"]
    assert "owl (age 1; sky)" in {one.thing for one in offered}

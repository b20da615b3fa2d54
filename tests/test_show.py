"""The drawn table: its appearance, that it fits, and that no player sees on it what they do not
know.
"""

from __future__ import annotations

import gc
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, groupby, islice
from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from targi_dsl.api import choices, play, start
from targi_dsl.api.state import State
from targi_dsl.display.choosing import offers, offers_meant
from targi_dsl.display.ink import Line, fit, line, render_line, width, words
from targi_dsl.display.news import News
from targi_dsl.display.page import menu, menus
from targi_dsl.display.scene import Scene, scene_of
from targi_dsl.display.screen import screen
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.information.determinization import sample
from targi_dsl.information.observation import observe
from targi_dsl.records import Step
from targi_dsl.text.languages import Language
from targi_dsl.text.width import truncate
from targi_dsl.view.news import MOST_VIEWS, Teller
from targi_dsl.view.seen import Seen
from targi_dsl.view.words import Words
from tests.games import QUICK, VARIED, compiled
from tests.looking import question_of

SNAPSHOTS = Path(__file__).parent / "snapshots"
GAMES = QUICK
WIDTHS = (20, 80, 33, 119, 60, 200)
"""Columns of terminals, one after the other in a game."""


@cache
def words_of(name: str) -> Words:
    """The English words of a game."""
    return Words(compiled(name))


def steps_of(name: str, seed: int) -> Iterator[Step]:
    """A random game in which no player stops early."""
    stream, state = Stream(seed), start(compiled(name), Seed(seed))
    while state.seat is not None:
        offered = [one for one in choices(state) if one.id != "done"]
        choice = offered[stream.below(len(offered))]
        after, events = play(state, choice)
        yield Step(state, choice, tuple(events), after)
        state = after


@cache
def states_of(name: str, seed: int) -> tuple[State, ...]:
    return tuple(step.before for step in steps_of(name, seed))


def all_of(view: Scene) -> list[Line]:
    offered = offers(view)
    chosen = menu(view, offered) if offered else []
    return [*screen(view), *words(question_of(view), view.columns), *chosen]


def text_of(lines: list[Line], *, plain: bool = False) -> str:
    return "".join(render_line(one, colour=False, plain=plain) + "\n" for one in lines)


# ---- what it looks like ----


def test_a_question_is_of_what_its_rule_still_reads() -> None:
    """The card whose text is being carried out is not part of the question that the text asks."""
    asked = {
        question_of(scene_of(one, words_of("bazaar"), (one.seat,), 80))
        for one in states_of("bazaar", 2)
        if one.seat is not None
    }
    assert {"your day: Errand boy", "your day: Inheritance"} <= asked


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_the_table_of_the_base_game_looks_as_it_did(columns: int) -> None:
    state = states_of("base", 3)[100]
    assert state.seat is not None
    shown = text_of(all_of(scene_of(state, Words(state.game), (state.seat,), columns)))
    path = SNAPSHOTS / f"screen_base_{columns}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8"), "UPDATE_SNAPSHOTS=1 writes it anew"


@pytest.mark.parametrize("name", GAMES)
def test_no_line_is_wider_than_the_terminal(name: str) -> None:
    known, steps = words_of(name), list(steps_of(name, 1))
    for number, step in enumerate([*steps[::4], steps[-1]]):
        columns = WIDTHS[number % len(WIDTHS)]
        lines = all_of(scene_of(step.before, known, (), columns))
        lines += News(known, (), columns).report(step)
        assert [part for part in lines if width(part) > columns] == [], columns


def test_in_ascii_nothing_else_is_written_and_nothing_moves() -> None:
    state = states_of("base", 2)[60]
    for language in ("de", "es", "fr", "pl"):
        lines = all_of(scene_of(state, Words(state.game, Language(language)), (), 80))
        plain = text_of(lines, plain=True)
        assert plain.isascii()
        assert "?" not in plain.replace("?tribe", "").replace("?goods", "")
    assert "Kupiec" in plain


def test_colour_adds_nothing_but_colour() -> None:
    for one in states_of("base", 4)[::20]:
        for part in all_of(scene_of(one, words_of("base"), (), 90)):
            coloured = render_line(part, colour=True, plain=False)
            assert click.unstyle(coloured).rstrip() == render_line(part, colour=False, plain=False)


def test_cards_have_the_names_of_the_language_and_else_english_ones() -> None:
    state = states_of("base", 2)[0]
    shown = text_of(screen(scene_of(state, Words(state.game, Language("de")), (), 120)))
    assert "Händler" in shown
    assert "Handel" not in text_of(screen(scene_of(state, Words(state.game), (), 120)))
    kuhn = states_of("kuhn_poker", 2)[0]
    assert "Jack" in "".join(Words(kuhn.game, Language("de")).card(number) for number in range(3))


def test_a_text_that_would_move_the_cursor_is_shown_harmlessly() -> None:
    assert render_line(line("a\033[2Jb\nc"), colour=False, plain=False) == "a?[2Jb c"


def test_texts_are_cut_and_broken_by_columns_not_by_letters() -> None:
    assert truncate("日本語", 5) == "日本…"
    assert width(fit(line("日本語"), 5)) == 5
    assert [text_of([part]) for part in words("aaa bb 1234567", 6)] == [
        "aaa bb\n",
        "123456\n",
        "7\n",
    ]


# ---- what nobody may see ----


@pytest.mark.parametrize("name", VARIED)
def test_the_table_shows_a_seat_nothing_that_it_does_not_know(name: str) -> None:
    game, known = compiled(name), words_of(name)
    for number, state in enumerate(states_of(name, 5)[::5]):
        for seat in game.players:
            other = sample(observe(state, seat), Stream(number))
            one, two = (scene_of(found, known, (seat,), 100) for found in (state, other))
            assert text_of(screen(one)) == text_of(screen(two))
            if state.seat == seat:
                assert text_of(menu(one, offers(one))) == text_of(menu(two, offers(two)))


def test_news_name_no_card_that_a_seat_does_not_know() -> None:
    """A drawn card of which another copy lies open is not taken for it; `1 salt` is no card in
    `gains 1 salt`.
    """
    english = words_of("base")
    for step in steps_of("base", 6):
        for seat in step.before.game.players:
            news = Teller(english, (seat,))
            for event, said in zip(
                (one for one in step.events if one.kind == "move"), _moves(news, step), strict=True
            ):
                known = step.before.knows(seat, event.card) or step.after.knows(seat, event.card)
                assert said.startswith("?") != known
    whole = "".join(
        text_of(News(english, ("blue",), 300).report(step)) for step in steps_of("base", 6)
    )
    assert "gains 1 salt" in whole


def _moves(news: Teller, step: Step) -> list[str]:
    return [
        news._event_in_words(step, event).said.text for event in step.events if event.kind == "move"
    ]


# ---- answers ----


def first_offers() -> Scene:
    state = start(compiled("base"), Seed(3))
    return scene_of(state, Words(state.game), ("blue",), 80)


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("a", ["place_targi 2"]),
        ("B)", ["place_targi 3"]),
        ("1", []),
        ("2", ["place_targi 2"]),
        ("place_targi 5", ["place_targi 5"]),
        ("place targi border 5", ["place_targi 5"]),
        ("trader", ["place_targi 5"]),
        ("TRAD", ["place_targi 5"]),
        ("border 5", ["place_targi 5"]),
        (
            "border 1",
            [],
        ),  # which the robber bars; that border 2 gives 1 of something is another thing
        ("place targi 1", []),
        ("1 dates", []),
        ("often", ["place_targi 5"]),
        ("fata", ["place_targi 9"]),
        ("dates", ["place_targi 2", "place_targi 7"]),
        ("zzz", []),
        ("l", []),  # no key, and not the beginning of "like"
        ("0", []),
        ("99", []),
        ("-1", []),
        ("007", []),
        ("--", []),
        ("", []),
    ],
)
def test_a_key_or_words_mean_the_choices_they_fit(said: str, ids: list[str]) -> None:
    assert [one.offer.id for one in offers_meant(said, offers(first_offers()))] == ids


@pytest.mark.parametrize("name", GAMES)
def test_every_choice_can_be_said_by_its_key_and_by_its_name(name: str) -> None:
    for state in states_of(name, 8)[::4]:
        offered = offers(scene_of(state, words_of(name), (), 80))
        for one in offered:
            assert offers_meant(one.key, offered) == (one,)
            if not one.offer.id.isdecimal():
                assert one in offers_meant(one.offer.id, offered)


def after(*said: str) -> Scene:
    state = start(compiled("base"), Seed(3))
    for id_ in said:
        state, _ = play(state, next(one for one in choices(state) if one.id == id_))
    return scene_of(state, Words(state.game), (state.seat or "",), 80)


def test_where_there_is_little_room_what_a_choice_leads_to_is_told_before_what_it_costs() -> None:
    view = after("place_targi 2", "place_targi 7", "place_targi 14", "place_targi 9")
    whole, *shorter = (text_of(lines) for lines in menus(view, offers(view)))
    leads = whole.count("→")
    assert leads > 2 and "(+1 pepper) →" in whole
    assert [text.count("→") for text in shorter] == [leads, leads, 0]
    assert "Trader → crossing at b1: Oasis7 (1sal 1gol/1sal 2pep)" in shorter[0]
    assert "Trader → b1 " in shorter[1], "a space by its address"


def test_the_places_that_can_be_chosen_are_marked_for_who_is_asked() -> None:
    view = after("place_targi 2")
    other = text_of(screen(Scene(replace(view.view, offers=()), words_of("base"))))
    asked = text_of(screen(view))
    assert {place for place in range(1, 17) if f"│{place}>" in asked} == {
        int(one.offer.id.removeprefix("place_targi ")) for one in offers(view)
    }
    assert asked.replace(">", " ") == other.replace(">", " ") and "│3 Salt" in other


def test_what_happens_several_times_at_once_is_told_once() -> None:
    news = News(words_of("two_traders"), ("tarik",), 300)
    said = "".join(text_of(news.report(step)) for step in steps_of("two_traders", 2))
    assert "cotton goes from hold of mira to sold (3 times); mira gains 1 profit (2 times)" in said


def test_a_whole_game_is_told_with_few_views_kept() -> None:
    known = words_of("base")
    news, steps = News(known, (), 300), [*steps_of("base", 6)]
    gc.collect()
    before = views_there_are()
    told = [text_of(news.report(step)) for step in steps]
    gc.collect()
    assert len(steps) > MOST_VIEWS and 0 < views_there_are() - before <= MOST_VIEWS
    assert told == [text_of(News(known, (), 300).report(step)) for step in steps]


def views_there_are() -> int:
    return sum(isinstance(one, Seen) for one in gc.get_objects())


def test_what_only_stops_at_a_place_that_is_not_shown_is_told_as_one_way() -> None:
    known = words_of("base")
    said = "".join(
        text_of(News(known, ("blue",), 300).report(step)) for step in steps_of("base", 6)
    )
    assert " goes from goods pile to goods discard" in said
    assert " goes from tribe pile to selection of " in said, "who does not know it is told so"


def test_where_there_is_little_room_each_seat_is_told_of_in_one_paragraph() -> None:
    news = News(words_of("base"), ("blue",), 300)
    steps = [*islice(steps_of("base", 6), 30)]
    told, together = text_of([*chain(*map(news.report, steps))]), text_of(news.together(steps))
    assert " off the board" in told and " off the board" not in together
    heads = [text for text in together.split("\n") if text and not text.startswith(" ")]
    assert len(heads) == len([*groupby(step.before.seat for step in steps)])
    assert all(news.teller.choice_text(step) in together for step in steps)
    alone = text_of(news.together(steps, consequences=False)).splitlines()
    assert [text for text in alone if not text.startswith(" ")] == heads
    assert "    Camp 7 is turned face up" in alone, "a card that has gone since"


def test_where_there_is_least_room_others_are_told_of_and_ones_own_last_choice() -> None:
    news = News(words_of("base"), ("blue",), 3000)
    steps = [*islice(steps_of("base", 6), 30)]
    own = [step for step in steps if step.before.seat == "blue"]
    white = [step for step in steps if step.before.seat == "white"]
    assert len(own) > 3 and white
    latest = text_of(news.latest(steps))
    assert latest.count("blue: ") == 1 and news.teller.choice_text(own[-1]) in latest
    assert all(news.teller.choice_text(step) in latest for step in white)


def test_what_a_space_holds_is_told_in_the_order_in_which_it_changes() -> None:
    news = News(words_of("oware"), ("south",), 300)
    first, *_ = steps_of("oware", 2)
    start = int(first.choice.id.split()[-1])
    said = re.findall(r"house (\d+) holds", text_of(news.report(first)))
    assert said == [str((start - 1 + ahead) % 12 + 1) for ahead in range(5)]


def test_what_goes_the_same_way_is_told_together() -> None:
    news = News(words_of("foretold"), ("ann",), 300)
    said = " ".join("".join(text_of(news.report(step)) for step in steps_of("foretold", 2)).split())
    assert "?playing card goes from pack to hand of ben (5 times)" in said
    assert re.search(r"(\w+ of \w+, )+\w+ of \w+ go from pack to hand of ann;", said)


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_the_price_of_a_card_is_told_when_the_card_is_known(name: str) -> None:
    """To a seat that does not see the card yet, neither its price nor that of another card."""
    words, told = words_of(name), Counter[tuple[bool, bool]]()
    for seed in (3, 11):
        found = [*steps_of(name, seed)]
        for at, step in enumerate(found):
            if not step.choice.id.startswith("display"):
                continue
            (seat,) = {*step.before.game.players} - {step.before.seat}
            true = Teller(words, ()).choice_text(step)
            alone = Teller(words, (seat,)).choice_text(step)
            after = Teller(words, (seat,)).choice_text(step, found[at + 1 :])
            assert alone == true or " for " not in alone
            told[alone == true, after == true] += 1
    assert told[True, True] and told[False, True], told
    assert not told[True, False]


def test_a_card_that_was_played_openly_is_named_though_it_was_shuffled_at_once() -> None:
    """The last card of a deal goes back into the pack in the same step."""
    news = News(words_of("foretold"), ("ann",), 300)
    played = [step for step in steps_of("foretold", 2) if step.choice.id.startswith("play")]
    assert any(not step.after.cards("played of ben") for step in played)
    assert not [step for step in played if "?" in news.teller.choice_text(step)]

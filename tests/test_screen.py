"""The table on a terminal as a person sees it, inspected through a terminal emulator.

Bytes drawn per question, median of a game of each against the random player at 80 by 24: 7,083 in
base and 8,737 in expansion when every question printed the whole table; 982 and 905 since pages are
drawn in place.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from targi_dsl.api import choices, play, result, start
from targi_dsl.cli.summary import ending
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.display.choosing import offers
from targi_dsl.display.ink import line, plain_text, render_line, width, wrap_parts
from targi_dsl.display.news import News
from targi_dsl.display.page import fitting, menus, page, paged
from targi_dsl.display.parts import part_of_table
from targi_dsl.display.scene import scene_of
from targi_dsl.display.screen import Form, screen
from targi_dsl.engine.chance import Seed, Stream
from targi_dsl.records import Step, step_by
from targi_dsl.view.news import Teller
from targi_dsl.view.words import Words
from tests.games import QUICK, compiled
from tests.small_game import FILES
from tests.terminal import Watched, use_folder, watched
from tests.texts import game_file, game_text

BEFORE = {"base": 7083, "expansion": 8737}
"""Bytes drawn a question in the median when each printed the whole table."""


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_folder(tmp_path, monkeypatch)


def has_all(seen: Watched, corner: str) -> bool:
    """Whether the board's first cell, the question, and the prompt below it are on the screen."""
    rows = seen.rows
    asked = rows.index(seen.question)
    return corner in rows[0] and rows[seen.screen.cursor.y].startswith(">") and asked > 4


@pytest.mark.parametrize("name", BEFORE)
def test_in_a_whole_game_nothing_leaves_the_screen_and_little_is_drawn(name: str) -> None:
    stream = Stream(3)
    with watched(name, "--seed", "3", "--seat", "white=random") as seen:
        while not seen.is_over:
            assert has_all(seen, "16 Raid"), seen.text
            assert f"{seen.question}\n{seen.question}" not in seen.text, (
                "what was chosen last is not told twice"
            )
            if len(seen.drawn) > 1:
                assert re.search(r"^(blue|white): |`log` tells more", seen.text, re.MULTILINE)
            seen.choose_by_chance(stream)
            assert not seen.has_scrolled
        assert "wins" in seen.text or "Nobody" in seen.text
        assert len(seen.drawn) > 40
        assert median(seen.drawn) <= BEFORE[name] / 3


@pytest.mark.parametrize("name", ["hex_5", "five_trails", "bazaar"])
def test_on_forty_columns_a_game_can_be_played(name: str) -> None:
    stream = Stream(1)
    with watched(name, "--seed", "1", columns=40) as seen:
        for _ in range(4):
            seen.choose_by_chance(stream)
            assert seen.rows[seen.screen.cursor.y].startswith(">"), seen.text
        assert not seen.has_scrolled


def test_what_is_typed_in_between_stands_beside_the_table_or_below_it() -> None:
    with watched("base", "--seed", "3", "--seat", "white=random") as seen:
        seen.say("tradr")
        assert "Did you mean `Trader`?" in seen.text and has_all(seen, "16 Raid")
        seen.say("show gold")
        assert "blue: 1" in seen.text and "white: 1" in seen.text and has_all(seen, "16 Raid")
        for said in ("", "hand", ""):
            seen.say(said)
        assert not seen.has_scrolled and has_all(seen, "16 Raid")
        seen.say("centre")
        assert seen.has_scrolled and "b1: 1 card" in seen.text
        seen.say("display")
        assert has_all(seen, "16 Raid") and "display of" not in seen.text.split("blue: ")[0]


@pytest.mark.parametrize("name", QUICK)
def test_a_page_of_every_game_has_the_size_of_the_terminal(name: str) -> None:
    game, stream, number = compiled(name), Stream(2), 0
    known, state = Words(game), start(game, Seed(2))
    while state.seat in game.players and number < 24:
        for columns, rows in ((80, 22), (40, 22), (40, 8)) if number % 8 == 0 else ():
            view = scene_of(state, known, (state.seat,), columns)
            every = [*menus(view, offers(view))]
            top, fitted = fitting(view, [], [line("?")], every, rows)
            shown = page(top, [[]], [line("?")], fitted, rows)
            assert len(shown.lines) <= rows
            assert all(width(one) <= columns for one in shown.lines)
            shortest = min(map(len, menus(view, offers(view))))
            assert len(shown.foot) > min(shortest, rows // 4), "enough to choose by"
        offered = choices(state)
        state, _ = play(state, offered[stream.below(len(offered))])
        number += 1


def test_the_end_is_a_table_of_parts_by_players_and_lines_where_that_is_too_wide() -> None:
    state, stream = start(compiled("base_short"), Seed(3)), Stream(3)
    while state.seat is not None:
        offered = choices(state)
        state, _ = play(state, offered[stream.below(len(offered))])
    wide, narrow = (list(ending(Words(state.game), state, room)) for room in (80, 12))
    ended = result(state)
    assert wide[1].split() == list(state.game.players)
    assert wide[-2].split() == ["in", "all", *map(str, ended.scores)]
    assert len({len(row) for row in wide[1:-1]}) == 1
    assert wide[-1] == narrow[-1] and narrow[1].startswith(f"blue: {ended.scores[0]}")


def test_who_comes_back_is_told_what_happened_since_the_last_turn(tmp_path: Path) -> None:
    file = str(tmp_path / "game.yaml")
    with watched("base", "--seed", "3", "--seat", "white=random", "--save", file) as seen:
        seen.say("a")
        news = [row for row in seen.rows if row.startswith("white: stand on")]
        seen.say("quit")
    with watched("--resume", file) as again:
        assert news and news[0] in again.rows
        assert "goes on after 2 choices" in again.text


def test_more_turns_the_pages_of_choices_round() -> None:
    lines = [line(str(number)) for number in range(10)]
    pages = [paged(lines, 5, number) for number in range(4)]
    assert [len(one) for one in pages] == [5, 5, 3, 5]
    assert pages[3] == pages[0]
    assert [part for one in pages[:3] for part in one[:-1]] == lines
    assert paged(lines, 10, 1) == lines


def test_a_reply_is_shown_whole_beside_a_table_that_leaves_little_room() -> None:
    with watched("expansion", "--seed", "5", "--seat", "white=random") as seen:
        for said, first, last in (
            ("card dunes 2", "Gold for goods, a dune", "lies: dunes 2"),
            ("why raid", "border 4: Raid", "no Targi stands on a raid card"),
            ("card camp 13", "Camp 13, a tribe card", "lies: centre a1"),
        ):
            seen.say(said)
            assert first in seen.text and last in seen.text, seen.text
            assert seen.rows[seen.screen.cursor.y].startswith(">")


def test_news_are_cut_before_choices_tell_less_and_notes_are_kept() -> None:
    news, long, short = ([line(what)] * many for what, many in (("n", 5), ("l", 9), ("s", 4)))
    game = compiled("tic_tac_toe")
    view, asked = scene_of(start(game, Seed(2)), Words(game), (game.players[0],)), [line("?")]
    high = len(screen(view))
    for more, menu, told in ((15, long, 5), (14, long, 4), (12, long, 2), (11, short, 5)):
        top, fitted = fitting(view, news, asked, [long, short, short[:2]], high + more)
        shown = page(top, [news], asked, fitted, high + more)
        assert shown.foot == [*asked, *menu] and len(shown.news) == told
    noted = page([line("table")] * 12, [news], asked, short, 22, notes=[line("!")] * 4)
    assert noted.news[-4:] == [line("!")] * 4


def test_the_latest_news_are_kept_and_the_table_gives_way_last() -> None:
    news = [line(str(number)) for number in range(30)]
    shown = page([line("table")] * 5, [news], [line("?")], [line("1) a")], 12)
    assert len(shown.lines) == 12
    assert shown.news[-1] == news[-1] and shown.news[0] != news[0]
    assert shown.foot == [line("?"), line("1) a")]
    cut = page([line("table")] * 50, [news], [line("?")], [line("1) a")], 12)
    assert len(cut.lines) == 12 and len(cut.news) >= 2


def test_an_ending_longer_than_the_screen_is_told_whole() -> None:
    news, ending = [line(str(number)) for number in range(30)], [line("wins")] * 14
    shown = page([line("table")] * 5, [news], [], ending, 12, None)
    assert shown.foot == ending and shown.news[-1] == news[-1] and len(shown.news) == 2
    stream = Stream(3)
    with watched("bazaar_short", "--seed", "3", rows=12) as seen:
        while not seen.is_over:
            seen.choose_by_chance(stream)
        assert "stalls" in seen.text and "emerald wins" in seen.text


def test_equal_cards_in_a_row_are_counted_and_a_known_hand_is_in_the_order_of_the_game() -> None:
    def shown(name: str) -> str:
        state = start(compiled(name), Seed(1))
        assert state.seat is not None
        view = scene_of(state, Words(state.game), (state.seat,))
        lines = screen(view, Form.FULL)
        return "\n".join(render_line(part, colour=False, plain=False) for part in lines)

    assert "hand ?trek \xd78" in shown("five_trails")
    assert "hand ?lamp \xd75" in shown("lamplighters")
    hand = re.search(r"hand (\d.*)  points", shown("stairs"))
    assert hand is not None
    steps = [int(one.split()[0]) for one in hand[1].split(", ")]
    assert steps == sorted({*steps})


def test_cards_that_are_named_by_position_stand_in_their_order() -> None:
    game = compiled("lamplighters")
    known, mixed = Words(game), 0
    for seed in range(1, 30):
        state = start(game, Seed(seed))
        scene = scene_of(state, known, ("ann",), 60)
        text = " ".join(plain_text(part) for part in screen(scene, Form.FULL))
        told = text.split(" ben ")[1].split("hand ")[1].split("  ")[0]
        found = [
            name
            for one in told.split(", ")
            for name, _, many in [one.partition(" \xd7")]
            for _ in range(int(many or 1))
        ]
        held = [scene.game.cards[card].name for card in state.cards("hand of ben")]
        assert found[: len(held)] == held, told
        mixed += sum(a != b for a, b in pairwise(held)) > len({*held}) - 1
    assert mixed, "equal cards that do not lie together"


def test_the_cards_of_an_open_zone_are_listed_while_they_are_few() -> None:
    game = compiled("lamplighters")
    state = start(game, Seed(1))
    while state.seat is not None and len(state.cards("broken")) < 3:
        found = [one for one in choices(state) if one.label in ("break", "tell_hue")]
        ids = [one.id for one in found] or [choices(state)[0].id]
        state = play(state, ids[-1] if "break" not in ids else "break")[0]
    view = scene_of(state, Words(game), ("ann",))
    told = [render_line(part, colour=False, plain=False) for part in screen(view, Form.FULL)]
    names = ", ".join(view.game.cards[one].name for one in state.cards("broken"))
    assert f"broken 3 ({names})" in " ".join(told)


@pytest.mark.parametrize("name", QUICK)
def test_an_address_names_spaces_of_one_region(name: str) -> None:
    game = compiled(name)
    words = Words(game)
    named = zip(words.addresses, (place.region for place in game.places), strict=True)
    regions = dict(zip(words.addresses, (place.region for place in game.places), strict=True))
    assert all(regions[address] == region for address, region in named)


def test_an_address_of_the_screen_can_be_typed() -> None:
    with watched("base", "--seed", "3", "--seat", "white=random", rows=60) as seen:
        seen.say("card a1")
        assert seen.text.count("lies: ") == 1 and "lies: centre a1" in seen.text
    game = compiled("base")
    addresses = zip((place.name for place in game.places), Words(game).addresses, strict=True)
    expected = {"centre a1": "a1", "display a1 of blue": "d a1", "display d1 of blue": "d d1"}
    assert expected.items() <= dict(addresses).items()


def test_the_only_space_of_a_region_has_no_number() -> None:
    game = compiled("bazaar")
    words = Words(game)
    cellars = [words.place(n) for n, one in enumerate(game.places) if one.region == "cellar"]
    assert cellars == [f"cellar of {player}" for player in game.players]


def test_what_is_too_long_for_a_line_is_broken_between_its_words() -> None:
    said = line("a) use the card → you cannot pay for it, so it is discarded")
    lines = wrap_parts([said, line("b) nothing more")], 40, "  ", "  ")
    assert [render_line(one, colour=False, plain=False) for one in lines] == [
        "a) use the card → you cannot pay for it,",
        "  so it is discarded",
        "  b) nothing more",
    ]


def test_all_cards_that_lie_open_on_a_space_are_named_where_there_is_room() -> None:
    """Four tiles lie on each of five kilns, and cells for ten kilns have room for one letter."""
    game = compiled("tile_layers")
    state = start(game, Seed(5))
    for columns, form in ((80, Form.FULL), (80, Form.ASKED), (120, Form.FULL)):
        scene = scene_of(state, Words(game), ("ann",), columns)
        text = "\n".join(render_line(one, colour=False, plain=True) for one in screen(scene, form))
        for number in range(1, 6):
            (said,) = re.findall(rf"kiln {number}(.*?)(?=  |$)", text, re.MULTILINE)
            named = [
                (name, int(count or 1))
                for name, count in re.findall(r"(\w+) tile(?: x(\d))?", said)
            ]
            assert sum(count for _, count in named) == 4, said
            kinds = {
                card.split(".")[0].removeprefix("tile_") for card in state.cards(f"kiln {number}")
            }
            assert {name for name, _ in named} == kinds


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_equal_cards_on_a_space_hide_nothing_of_the_top_one(columns: int) -> None:
    game = compiled("small_estate")
    scene = scene_of(start(game, Seed(3)), Words(game), ("greta",), columns)
    text = "\n".join(render_line(one, colour=False, plain=True) for one in screen(scene))
    assert all(said in text for said in ("Penny x16", "0 money", "glint 1", "esteem 6", "Draw"))


def test_equal_cards_in_a_part_of_the_table_are_told_once() -> None:
    game = compiled("small_estate")
    scene = scene_of(start(game, Seed(3)), Words(game), ("greta",), 80)
    told = [render_line(one, colour=False, plain=True) for one in part_of_table(scene, "shelves")]
    assert told[:2] == ["shelves a1: 16 cards", "Penny x16: 0 money; glint 1"]
    assert sum("Penny" in one for one in told) == 1


def test_where_cards_that_were_not_drawn_lie_is_on_no_screen() -> None:
    drawn = "draw 5 from pond_plans\n  deck plan_waste: the rest of plan_pile"
    sheet = FILES["pond.targi"].replace("deck plan_pile: pond_plans", f"deck plan_pile: {drawn}")
    game = load("pond", of_texts({**FILES, "pond.targi": sheet}))
    scene = scene_of(start(game, Seed(3)), Words(game), ("anna",), 80)
    text = "\n".join(render_line(one, colour=False, plain=True) for one in screen(scene))
    assert "plan pile 5" in text and "box" not in text


def test_the_cards_of_a_hand_are_a_list() -> None:
    parts = [line("hand Seven,"), line("Nine"), line("tricks 3")]
    (told,) = wrap_parts(parts, 40)
    assert render_line(told, colour=False, plain=True) == "hand Seven, Nine  tricks 3"


def test_a_number_on_a_space_is_not_hidden_by_a_truth_beside_it() -> None:
    game = load(game_file("sheet"))
    scene = scene_of(start(game, Seed(1)), Words(game), ("ann",), 80)
    rows = [plain_text(one) for one in screen(scene, Form.FULL) if "│" in plain_text(one)]
    boxes = [[row.split("│")[at].strip() for row in rows[:3]] for at in (1, 2, 3)]
    assert boxes == [["1", "fil", ""], ["2", "ent 1", "fil"], ["3>", "", ""]]  # of ann
    beside = "\n".join(
        render_line(one, colour=False, plain=True) for one in screen(scene, Form.TWO_LINES)
    )
    assert re.search("box 1 +filled", beside) and re.search("box 2 +entry 1 filled", beside)


def test_a_sheet_of_a_player_is_drawn_before_anything_is_written_on_it() -> None:
    text = game_text("sheet.targi").replace("at most 2", "at most 0")
    game = load("sheet", of_texts({"sheet.targi": text}))
    scene = scene_of(start(game, Seed(1)), Words(game), ("ann",), 80)
    text = "\n".join(map(plain_text, screen(scene)))
    assert "│1>   │2>   │3>   │" in text and "│1    │2    │3    │" in text


def test_every_open_card_of_a_trail_can_be_read_at_80_by_24() -> None:
    game, stream = compiled("five_trails"), Stream(3)
    known, state, stacks = Words(game), start(game, Seed(7)), 0
    while state.seat in game.players:
        view, asked = scene_of(state, known, (state.seat,)), [line("?")]
        top, menu = fitting(view, [], asked, [*menus(view, offers(view))], 22)
        rows = [plain_text(one) for one in page(top, [[]], asked, menu, 22).lines]
        text = " ".join(" ".join(rows).split())
        for place, info in view.game.places.items():
            faces = [view.face(card) for card in view.cards(place) if not info.is_zone]
            unread = [one for one in faces if not re.search(rf"\b({one.name}|{one.short})\b", text)]
            assert not unread, f"{unread[0].name} of {place}\n" + "\n".join(rows)
            stacks += len(faces) > 1
        offered = choices(state)
        state, _ = play(state, offered[stream.below(len(offered))])
    assert stacks > 20


def test_cards_of_zones_that_the_layout_leaves_out_stand_behind_their_names() -> None:
    game, stream = compiled("goofspiel"), Stream(3)
    known, state = Words(game), start(game, Seed(7))
    for _ in range(9):
        offered = choices(state)
        state, _ = play(state, offered[stream.below(len(offered))])
    assert state.seat in game.players
    view = scene_of(state, known, (state.seat,))
    top, _ = fitting(view, [], [line("?")], [*menus(view, offers(view))], 22)
    assert "played of ann 4  4h  5h  8h  3h  played of ben 4" in plain_text(top[-1])


def test_the_whole_board_of_quoridor_is_seen_at_80_by_24() -> None:
    game, stream = compiled("quoridor"), Stream(3)
    known, state = Words(game), start(game, Seed(7))
    for _ in range(20):
        assert state.seat in game.players
        view, asked = scene_of(state, known, (state.seat,)), [line("?")]
        top, menu = fitting(view, [], asked, [*menus(view, offers(view))], 22)
        rows = [plain_text(one) for one in page(top, [[]], asked, menu, 22).lines]
        assert [row[1] for row in rows if re.match(r" \d ", row)] == [*"123456789"]
        assert all(f"[{letter}]" in " ".join(rows) for letter in "WB")
        offered = choices(state)
        state, _ = play(state, offered[stream.below(len(offered))])


def test_open_cards_have_the_faces_that_their_look_shows_where_there_is_room() -> None:
    game = load(game_file("fair"))
    state = start(game, Seed(1))
    scene = scene_of(state, Words(game), ("ann",), 80)

    def drawn(form: Form) -> str:
        return " ".join(plain_text(one) for one in screen(scene, form))

    for form in (Form.FULL, Form.FACES):
        for card in (*state.cards("stall"), *state.cards("hand of ann")):
            at = int(card[1:])
            assert f"Ware {at} ({at + 4}we {at + 8}wo)" in drawn(form)
    assert "stall 2 (Ware" in drawn(Form.TWO_LINES) and "wo)" not in drawn(Form.TWO_LINES)


def test_what_was_revealed_is_in_the_shortest_news() -> None:
    game = load(game_file("fair"))
    for chosen, is_told in (("show", True), ("sell", False), ("wait", False)):
        state, steps = start(game, Seed(1)), list[Step]()
        for id_ in ("wait", chosen):
            choice = next(one for one in choices(state) if one.id == id_)
            steps.append(step_by(state, choice))
            state = steps[-1].after
        (card,) = steps[0].after.cards("hand of ben")
        news = News(Words(game), ("ann",), 80)
        assert (f"Ware {card[1:]} goes" in str(news.latest(steps))) == is_told
        assert Teller(Words(game), ("ann",)).reveals(steps[1], steps[1].after) == is_told


def test_what_came_of_ones_own_last_choice_is_told_where_there_is_room() -> None:
    with watched(game_file("own"), "--seed", "1", "--seat", "ben=random") as seen:
        seen.say("dare")
        assert "ann rolls" in seen.text, seen.text


@pytest.mark.parametrize("name", ["Mill", "dyke mill", "West end", "dyke west_end"])
def test_a_single_space_is_shown_by_any_of_its_names(name: str) -> None:
    game = compiled("the_dyke")
    scene = scene_of(start(game, Seed(3)), Words(game), ("ann",), 80)
    told = [render_line(one, colour=False, plain=True) for one in part_of_table(scene, name)]
    assert told == [f"dyke {'mill' if 'ill' in name else 'west end'}: height 4"]

"""Tables in a browser: the server is the only authority, and lets in only what it should."""

from __future__ import annotations

import hmac
import json
import re
import sys
import time
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from pathlib import Path
from socket import create_server

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode

import targi_dsl.cli as commands
from bench import cuts
from targi_dsl import Choice, choices
from targi_dsl.cli.hosting import Shelf
from targi_dsl.engine.chance import Stream
from targi_dsl.information.observation import Observation
from targi_dsl.players import PLAYERS, USUAL, Thinker
from targi_dsl.players.random import Random
from targi_dsl.records import Autosave, Step, read, read_record_file, replay, step_by, write
from targi_dsl.search import Budget
from targi_dsl.table import messages, server
from targi_dsl.table.game import NOT_NOW, NOT_OFFERED, NOT_YOURS, TableGame
from targi_dsl.table.serving import DeflateFactory, listen
from targi_dsl.table.sharing import page, record_in
from targi_dsl.text.diagnostics import Problems
from targi_dsl.text.languages import ENGLISH
from targi_dsl.text.source import Source
from tests.games import VARIED, compiled
from tests.tables import (
    HOST,
    ORIGIN,
    PATIENCE,
    Closed,
    Seat,
    client,
    host,
    new_record,
    new_table,
    sitting,
)
from tests.texts import wild

# ---- playing ----


def test_a_choice_is_played_and_everybody_sees_it() -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    with sitting(browser, "cross") as cross, sitting(browser, "nought") as nought:
        cross.choose(cross.offers[4])
        assert cross.wait_until(1)["view"]["turn"] == "nought"
        assert nought.wait_until(1)["view"]["places"] == cross.now["view"]["places"] != {}
        assert nought.offers and not cross.offers


def test_a_program_answers_and_a_person_is_asked_again() -> None:
    browser = client(new_table(new_record("tic_tac_toe", {"nought": USUAL})))
    with sitting(browser, "cross") as cross:
        cross.choose(cross.offers[0])
        assert cross.wait_until(2)["view"]["turn"] == "cross"
        assert [one["seat"] for one in cross.now["view"]["news"]] == ["nought"]


@pytest.mark.parametrize(
    ("key", "at", "index", "reason"),
    [("cross", 5, 0, NOT_NOW), ("nought", 0, 0, NOT_YOURS), ("watch", 0, 0, NOT_YOURS)],
)
def test_a_choice_for_another_position_or_seat_is_refused(
    key: str, at: int, index: int, reason: str
) -> None:
    table = new_table(new_record("tic_tac_toe"))
    first = choices(table.game.state)[index].id
    with sitting(client(table), key) as seat:
        seat.choose(first, at)
        assert seat.hear("refused")["text"] == reason
    assert table.game.number == 0


def test_what_is_not_offered_is_refused() -> None:
    table = new_table(new_record("tic_tac_toe"))
    with sitting(client(table), "cross") as seat:
        seat.choose("fly to the moon")
        assert seat.hear("refused")["text"] == NOT_OFFERED


def test_a_choice_is_saved_before_anybody_is_told(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    table = new_table(new_record("tic_tac_toe"))
    table.game.autosave = Autosave(file, print)
    with sitting(client(table), "cross") as cross:
        cross.choose(cross.offers[2])
        cross.wait_until(1)
        record = read(read_record_file(str(file)))
    assert replay(compiled("tic_tac_toe"), record) == table.game.state


def test_arriving_again_shows_the_same_table() -> None:
    browser = client(new_table(new_record("connect_four")))
    with sitting(browser, "amber") as seat:
        seat.choose(seat.offers[3])
        before = seat.wait_until(1)["view"]
    with sitting(browser, "amber") as seat:
        assert seat.now["view"] == before


def test_several_at_one_screen_see_with_the_eyes_of_whoever_is_to_move() -> None:
    with sitting(client(new_table(new_record("tic_tac_toe"))), "all") as seat:
        assert seat.now["view"]["viewers"] == ["cross"]
        seat.choose(seat.offers[0])
        assert seat.wait_until(1)["view"]["viewers"] == ["nought"]


def test_to_whoever_speaks_another_language_english_is_spoken() -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    seat = Seat(browser)
    seat.say(**{"is": "join", "key": "cross", "language": "xx"})
    assert seat.hear()["edition"]["words"] == {}


def test_earlier_positions_are_shown_as_they_were_seen() -> None:
    with sitting(client(new_table(new_record("tic_tac_toe"))), "all") as seat:
        first = seat.now["view"]["places"]
        seat.choose(seat.offers[0])
        seat.wait_until(1)
        seat.say(**{"is": "look", "step": 0})
        past = seat.hear("earlier")
        assert (past["number"], past["of"]) == (0, 1) and past["view"]["places"] == first
        seat.say(**{"is": "look", "step": 99})
        assert seat.hear("earlier")["number"] == 1


def test_why_not_names_the_rule_of_a_place_or_of_words() -> None:
    browser = client(new_table(new_record("base", {"white": "random"})))
    with sitting(browser, "blue") as seat:
        for asked in ({"sort": "place", "id": "border 1"}, {"words": "noble"}):
            seat.say(**{"is": "why", **asked})
            (answer,) = seat.hear("why")["reasons"]
            assert "the robber stands there" in answer["reasons"][0]["text"]


@pytest.mark.parametrize("asked", [{"sort": "place", "id": "post f9"}, {}])
def test_why_not_needs_no_names_for_what_can_never_be_chosen(asked: dict[str, str]) -> None:
    with sitting(client(new_table(new_record("quoridor"))), "white") as seat:
        seat.say(**{"is": "why", **asked})
        (answer,) = seat.hear("why")["reasons"]
        assert answer == {"answer": "", "reasons": [{"text": NOT_OFFERED}]}


def test_a_hint_is_a_choice() -> None:
    with sitting(client(new_table(new_record("tic_tac_toe"))), "cross") as seat:
        seat.say(**{"is": "hint"})
        assert seat.hear("hint")["id"] in seat.offers


@pytest.mark.parametrize("name", VARIED)
def test_a_whole_game_ends_where_the_engine_ends(name: str) -> None:
    """Every seat takes a choice of its own view; the record leads to the same position."""
    table = new_table(new_record(name))
    game = table.game
    for turn in range(60):
        while not game.waits:
            assert game.go_on(game.thinking()()) == ""
        if game.state.seat is None:
            break
        link = next(one for one in table.links if one.seats == (game.state.seat,))
        view = json.loads(table.now(link, "en"))["view"]
        assert [one["id"] for one in view["offers"]] == [one.id for one in choices(game.state)]
        chosen = view["offers"][turn * 7 % len(view["offers"])]["id"]
        assert game.choose(link.seats, game.number, chosen) == ""
    assert replay(compiled(name), game.record) == game.state


def test_a_view_is_sent_as_what_differs_from_the_last_one_and_no_compressor_is_kept() -> None:
    answer, ours = DeflateFactory().process_request_params([("client_max_window_bits", None)], [])
    theirs = ClientPerMessageDeflateFactory(client_max_window_bits=True).process_response_params(
        answer, []
    )
    stream = Stream(5)
    view = bytes(65 + stream.below(60) for _ in range(9_000))
    for number, said in enumerate((view, b"short", view + b"!", view * 3, view)):
        sent = ours.encode(Frame(Opcode.TEXT, said))
        assert theirs.decode(sent).data == said
        assert number in (0, 3) or len(sent.data) < 200
        assert "encoder" not in vars(ours)
    assert ours.decode(theirs.encode(Frame(Opcode.TEXT, view))).data == view
    _, strict = DeflateFactory().process_request_params([("server_no_context_takeover", None)], [])
    assert len({bytes(strict.encode(Frame(Opcode.TEXT, view)).data) for _ in range(3)}) == 1


def test_a_step_is_made_again_from_few_bytes() -> None:
    playing, stream, made = new_table(new_record("five_trails")).game, Stream(3), list[Step]()
    while len(made) < 40:
        made.append(step_by(playing.state, (of := choices(playing.state))[stream.below(len(of))]))
        assert playing.go_on(made[-1:]) == ""
    assert [playing.step(number) for number in range(40)] == made
    assert [playing.position(number) for number in range(41)][1:] == [one.after for one in made]
    assert max(len(one.before) for one in playing.steps) < 1_000


# ---- undo, seats, and once more ----


def test_who_chose_last_may_take_it_back_at_once() -> None:
    with sitting(client(new_table(new_record("tic_tac_toe"))), "cross") as cross:
        cross.choose(cross.offers[4])
        assert cross.wait_until(1)["table"]["can_undo"]
        cross.say(**{"is": "undo"})
        assert cross.wait_until(2)["view"]["turn"] == "cross" and len(cross.offers) == 9


def test_once_another_has_acted_all_must_agree() -> None:
    table = new_table(new_record("tic_tac_toe"))
    browser = client(table)
    with sitting(browser, "cross") as cross, sitting(browser, "nought") as nought:
        cross.choose(cross.offers[0])
        nought.wait_until(1)
        nought.choose(nought.offers[0])
        cross.wait_until(2)
        cross.say(**{"is": "undo"})
        while not nought.now["table"]["request"]:
            nought.hear("now")
        request = nought.now["table"]["request"]
        assert (request["seat"], request["agreed"]) == ("cross", ["cross"])
        nought.say(**{"is": "agree", "yes": True})
        assert len(cross.wait_until(3)["view"]["offers"]) == 9


def test_alone_nothing_that_became_known_is_taken_back() -> None:
    table = new_table(new_record("pig", dict.fromkeys(compiled("pig").players[1:], "random")))
    game = table.game
    seat = game.game.players[0]
    assert game.choose((seat,), game.number, choices(game.state)[0].id) == ""
    assert game.undo(seat) and len(game.steps) == 1


def test_a_number_is_of_one_position_only() -> None:
    table = new_table(new_record("tic_tac_toe"))
    game, first = table.game, choices(table.game.state)[0].id
    assert game.choose(("cross",), 0, first) == "" and game.undo("cross") == ""
    assert game.choose(("cross",), 0, first) == NOT_NOW and game.number == 2


def test_a_program_takes_the_seat_of_somebody_who_is_away_and_gives_it_back() -> None:
    table = new_table(new_record("tic_tac_toe"))
    with sitting(client(table), "cross") as cross:
        cross.say(**{"is": "seat", "seat": "nought", "player": USUAL})
        assert cross.wait_until(1)["table"]["players"]["nought"] == USUAL
        cross.choose(cross.offers[0])
        cross.wait_until(3)
        cross.say(**{"is": "seat", "seat": "nought", "player": "human"})
        assert cross.wait_until(4)["table"]["players"]["nought"] == "human"


def test_nobody_takes_the_seat_of_somebody_who_is_there() -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    with sitting(browser, "nought"), sitting(browser, "cross") as cross:
        cross.say(**{"is": "seat", "seat": "nought", "player": USUAL})
        assert cross.hear("refused")["text"] == NOT_OFFERED


def test_a_program_that_fails_halts_its_table_until_somebody_else_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Failing(Random):
        def choose(self, observation: Observation, choices: Sequence[Choice]) -> Choice:
            raise ZeroDivisionError("nothing left")

    monkeypatch.setitem(PLAYERS, "failing", Failing)
    browser = client(new_table(new_record("tic_tac_toe", {"nought": "failing"})))
    with sitting(browser, "cross") as cross:
        cross.choose(cross.offers[0])
        assert cross.wait_until(2)["table"]["halted"] == "ZeroDivisionError: nothing left"
        cross.say(**{"is": "seat", "seat": "nought", "player": "random"})
        assert cross.wait_until(4)["view"]["turn"] == "cross"
        assert cross.now["table"]["halted"] == ""


def test_programs_think_as_long_as_a_server_is_told(tmp_path: Path) -> None:
    games = Shelf(8642, "", 0, tmp_path, lan=True, budget=Budget(3))
    game = games.begin("tic_tac_toe", {"cross": USUAL}, {}).game
    game.thinking()()
    assert [one.budget for one in game._players.values() if isinstance(one, Thinker)] == [Budget(3)]


def test_the_game_begins_anew_once_it_is_over() -> None:
    table = new_table(new_record("tic_tac_toe"))
    table._renew = lambda before: TableGame(
        before.game, replace(before.record, choices=()), Autosave(None, print)
    )
    assert table.again() == NOT_NOW
    while table.game.state.seat is not None:
        table.game.take(choices(table.game.state)[0])
    number = table.game.number
    assert table.again() == "" and (table.game.number, table.game.steps) == (number + 1, [])


# ---- the start page ----


def test_a_game_is_begun_at_the_start_page(tmp_path: Path) -> None:
    browser, hall = host(tmp_path)
    with sitting(browser, "host") as page:
        page.say(**{"is": "form", "game": "tic_tac_toe", "options": {}})
        usual = page.hear("form")["form"]["usual"]
        assert usual == {"cross": "human", "nought": USUAL}
        seats = {"cross": USUAL, "nought": "human", "stranger": "human"}
        page.say(**{"is": "begin", "game": "tic_tac_toe", "seats": seats, "options": {}})
        key = page.hear("go")["key"]
        with sitting(browser, key) as seat:
            assert seat.wait_until(1)["view"]["turn"] == "nought"
            seat.choose(seat.offers[0])
            seat.wait_until(3)
    (file,) = tmp_path.glob("*.yaml")
    (table,) = hall.tables.values()
    assert read(read_record_file(str(file))) == table.game.record
    assert table.game.record.seats == {"cross": USUAL, "nought": "human"}


def test_the_start_page_shows_who_is_where(tmp_path: Path) -> None:
    browser, _ = host(tmp_path, lan=True)
    with sitting(browser, "host") as page:
        page.say(**{"is": "begin", "game": "tic_tac_toe", "seats": {}, "options": {}})
        with sitting(browser, page.hear("go")["key"]):
            (shown,) = page.hear("tables")["tables"]
            while not shown["seats"][0]["present"]:
                (shown,) = page.hear("tables")["tables"]
    assert [one["seats"] for one in shown["links"]] == [["cross"], ["nought"], []]
    assert all(one["code"]["path"].startswith("M") for one in shown["links"])
    assert shown["seats"][0]["asked"] and not shown["seats"][1]["present"]


def test_a_game_is_begun_in_the_language_of_the_page(tmp_path: Path) -> None:
    games = Shelf(8642, "", 0, tmp_path, lan=False)
    form = games.form("base", {}, "pl")
    assert form.title == "Tuareg" and form.seats == {"blue": "niebieski", "white": "biały"}
    assert form.about.startswith("Dwoje przywódców") and "Tuareg" in {
        one.title for one in games.titles("pl")
    }
    assert not [one for one in form.options if "allow W" in one.about]
    assert (form.language, games.form("base", {}, "de").language) == ("pl", "en")
    refill = next(one for one in form.options if one.name == "centre_refill")
    assert (
        refill.words == "uzupełnianie środka" and refill.values["after_ability"] == "po zdolności"
    )


def test_what_chance_does_unseen_is_no_news(tmp_path: Path) -> None:
    table = Shelf(8642, "", 0, tmp_path, lan=True).begin("base", {}, {})
    assert table.game.go_on(table.game.thinking()()) == ""
    assert table.game.waits and table.game.number == 1  # all of it is drawn and saved at once
    seen = table.view(table.links[0].seats[:1], "en")
    assert len(table.game.steps) > 20 > len(seen.news)
    assert all(one.choice or one.events for one in seen.news)


def test_the_number_of_players_changes_the_seats(tmp_path: Path) -> None:
    games = Shelf(1, "", 0, tmp_path, lan=False)
    (players,) = (
        one for one in games.form("liars_dice", {}, "en").options if one.name == "players"
    )
    assert [*players.values] == ["2", "3", "4"]
    assert len(games.form("liars_dice", {"players": "4"}, "en").usual) == 4


@pytest.mark.parametrize(
    "asked",
    [
        {"is": "form", "game": "no_such_game", "options": {}},
        {"is": "form", "game": "../../etc/passwd", "options": {}},
        {"is": "begin", "game": "base", "seats": {}, "options": {"nothing": "1"}},
    ],
)
def test_what_cannot_be_begun_is_refused(tmp_path: Path, asked: dict[str, object]) -> None:
    browser, hall = host(tmp_path)
    with sitting(browser, "host") as page:
        page.say(**asked)
        assert page.hear("refused")["text"]
    assert not hall.tables


def test_games_are_begun_by_the_host_alone(tmp_path: Path) -> None:
    browser, hall = host(tmp_path)
    hall.add(new_table(new_record("tic_tac_toe")))
    with sitting(browser, "cross") as seat:
        seat.say(**{"is": "begin", "game": "nim", "seats": {}, "options": {}})
        seat.choose(seat.offers[0])
        seat.wait_until(1)
    assert len(hall.tables) == 1


def test_a_game_has_a_thumbnail_and_a_stranger_none(tmp_path: Path) -> None:
    browser, _ = host(tmp_path)
    status, headers, body = browser.get("/game/connect_four.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml") and b"<svg" in body
    assert "script" not in headers["content-security-policy"]
    for name in ("no_such_game", "..%2fsecret"):
        assert browser.get(f"/game/{name}.svg")[0] == 404


def test_all_tables_of_a_server_go_on_under_their_links(tmp_path: Path) -> None:
    games = Shelf(8642, "host", 0, tmp_path, lan=True)
    first, second = (games.begin(name, {}, {}) for name in ("tic_tac_toe", "nim"))
    second.game.take(choices(second.game.state)[0])
    file = first.game.autosave.file
    assert file is not None
    again = Shelf(8642, "host", 0, tmp_path, lan=True)
    (found,) = again.under_way(file)
    assert [one.key for one in found.links] == [one.key for one in second.links]
    assert found.game.record == second.game.record
    assert not [*Shelf(8642, "another", 0, tmp_path, lan=True).under_way(file)]


# ---- what others see ----


def test_a_secret_choice_shows_who_is_asked_next_and_nothing_else() -> None:
    browser = client(new_table(new_record("goofspiel")))
    with sitting(browser, "ann") as ann, sitting(browser, "ben") as ben:
        frames = []
        for number in (0, 1):
            ann.choose(ann.offers[number])
            frames.append(ben.wait_until(ann.wait_until(ann.now["at"] + 1)["at"]))
            ann.say(**{"is": "undo"})
            ben.wait_until(ann.wait_until(ann.now["at"] + 1)["at"])
        one, other = ({**frame, "at": 0} for frame in frames)
        assert one == other


# ---- bad input ----


@pytest.mark.parametrize("key", ["", "cros", "crosss", "ключ", "x" * 500])
def test_a_wrong_key_opens_nothing(key: str) -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    seat = Seat(browser)
    seat.say(**{"is": "join", "key": key})
    assert seat.hear() == {"is": "closed"}
    with pytest.raises(Closed):
        seat.hear()


def test_keys_have_128_bits_are_all_compared_and_are_in_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    games = Shelf(8642, "", 0, tmp_path, lan=True)
    table = games.begin("tic_tac_toe", {}, {})
    keys = [link.key for link in table.links]
    assert len({*keys}) == 3 and all(len(urlsafe_b64decode(f"{one}==")) == 16 for one in keys)
    browser, hall = host(tmp_path)
    hall.add(table)
    compared, compare = list[bytes](), hmac.compare_digest

    def counted(known: bytes, given: bytes) -> bool:
        compared.append(known)
        return compare(known, given)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    with caplog.at_level("DEBUG"), sitting(browser, keys[0]) as cross:
        cross.choose(cross.offers[0])
        cross.wait_until(1)
        assert browser.post("/text", {"key": keys[0]})[0] == 200
    assert compared[:4] == [b"host", *(one.encode() for one in keys)]
    assert not [one for one in keys if one in caplog.text]


def test_only_with_lan_others_of_the_network_are_let_in() -> None:
    for lan, address in ((False, "127.0.0.1"), (True, "0.0.0.0")):
        with listen(0, lan=lan) as listening:
            assert listening.getsockname()[0] == address


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "{",
        "[" * 10_000,
        '{"is":"choose"}',
        '{"is":"choose","at":"0","id":"x"}',
        '{"is":"choose","at":0,"id":"x","more":1}',
        '{"is":"go"}',
        "[]",
        "\ud83d",
        json.dumps({"is": "why", "words": "x" * 600}),
        "x" * (messages.LARGEST + 1),
    ],
)
def test_nonsense_closes_only_the_page_that_says_it(sent: str) -> None:
    table = new_table(new_record("tic_tac_toe"))
    browser = client(table)
    with sitting(browser, "cross") as cross:
        with sitting(browser, "nought") as nought:
            nought.send(sent.encode("utf-8", "surrogatepass"))
            with pytest.raises(Closed):
                nought.hear_until_closed()
        cross.choose(cross.offers[0])
        assert cross.wait_until(1)


def test_too_many_messages_close_the_page() -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    with sitting(browser, "watch") as seat:
        for _ in range(server.AT_ONCE + 20):
            seat.say(**{"is": "look", "step": 0})
        with pytest.raises(Closed):
            seat.hear_until_closed()


def test_other_hosts_and_other_pages_are_turned_away() -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    assert browser.get("/")[0] == 200
    assert browser.get("/", "rebound.example")[0] == 421
    for at, origin in ((HOST, "http://evil.example"), (HOST, "null"), (HOST, ""), ("a", ORIGIN)):
        with pytest.raises(Closed):
            Seat(browser, at, origin)


def test_pages_run_nothing_but_their_own_scripts() -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    _, headers, body = browser.get("/")
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "set-cookie" not in headers and HOST.encode() not in body
    for path in ("/nothing.js", "/../server.py", "/server.py", "/socket", "/lit-html.LICENSE.txt"):
        assert browser.get(path)[0] == 404, path


def test_no_page_asks_another_host() -> None:
    for path in Path(server.__file__).with_name("client").glob("*.*"):
        if path.suffix in (".js", ".css", ".html") and path.name != "lit-html.js":
            text = path.read_text(encoding="utf-8")
            assert "http:" not in text and "https://" not in text, path


def test_all_modules_of_the_page_are_on_their_way_at_once() -> None:
    folder = Path(server.__file__).with_name("client")
    page = (folder / "index.html").read_text(encoding="utf-8")
    named = re.findall(
        r'<(?:script type="module" src|link rel="modulepreload" href)="([^"]+)"', page
    )
    assert sorted(named) == sorted(path.name for path in folder.glob("*.js"))


def test_the_page_is_short() -> None:
    folder = Path(server.__file__).with_name("client")
    own = [path for path in folder.glob("*.js") if path.name != "lit-html.js"]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in own) <= 1_500


def test_a_choice_of_yesterday_is_not_played_again() -> None:
    table = new_table(new_record("tic_tac_toe"))
    browser = client(table)
    with sitting(browser, "cross") as cross:
        first = cross.offers[0]
        cross.choose(first)
        cross.choose(first, 0)
        assert cross.hear("refused")["text"] == NOT_NOW
    with sitting(browser, "cross") as cross:
        cross.choose(first, 0)
        assert cross.hear("refused")["text"] == NOT_NOW
    assert table.game.record.choices == (first,)


def test_a_reader_that_never_reads_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is sent nothing but the newest view, and is let go after a while."""
    monkeypatch.setattr(server, "SLOWEST", 0.2)
    table = new_table(new_record("connect_four"))
    browser = client(table)
    deaf = Seat(browser, reads=False)
    deaf.say(**{"is": "join", "key": "watch"})
    with sitting(browser, "amber") as amber, sitting(browser, "ruby") as ruby:
        for number in range(8):
            seat = (amber, ruby)[number % 2]
            seat.wait_until(number)
            seat.choose(seat.offers[number % 3])
        amber.wait_until(8)
    deaf.ended.result(PATIENCE)
    assert not table.pages


def test_more_pages_than_a_server_can_have_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_open", set())  # pages of other tests may still be leaving
    monkeypatch.setattr(server, "MOST_SOCKETS", 5)
    browser = client(new_table(new_record("tic_tac_toe")))
    seats = [Seat(browser) for _ in range(5)]
    for _ in range(500):
        with pytest.raises(Closed):
            Seat(browser)
    for seat in seats:
        seat.close()
    with sitting(browser, "cross") as cross:
        assert cross.offers


def test_a_clock_that_jumps_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = client(new_table(new_record("tic_tac_toe", {"nought": "random"})))
    with sitting(browser, "cross") as cross:
        for number, now in enumerate((4e9, 0.0, -1e9)):
            monkeypatch.setattr(time, "time", lambda now=now: now)
            cross.choose(cross.wait_until(2 * number)["view"]["offers"][0]["id"])
        assert cross.wait_until(5)


def test_two_programs_that_go_on_with_one_saved_game_lose_nothing(tmp_path: Path) -> None:
    games = Shelf(8642, "", 0, tmp_path, lan=False)
    file = games.begin("tic_tac_toe", {"nought": "human"}, {}).game.autosave.file
    assert file is not None
    source = read_record_file(str(file))
    record, game = read(source), compiled("tic_tac_toe")
    both = [games.table(record, game, file, source.text).game for _ in range(2)]
    for number, playing in enumerate(both):
        playing.take(choices(playing.state)[number])
        playing.take(choices(playing.state)[number])
    files = {one.autosave.file for one in both}
    assert len(files) == 2
    kept = {read(read_record_file(str(one))).choices for one in files}
    assert kept == {one.record.choices for one in both}


def test_without_scripts_a_table_is_played_as_text() -> None:
    table = new_table(new_record("tic_tac_toe"))
    browser = client(table)
    status, headers, body = browser.post("/text", {"key": "cross"})
    assert status == 200 and headers["cache-control"] == "no-store"
    assert "cross: your mark" in body and body.count('name="id"') == 10
    taken = choices(table.game.state)[4].id
    _, _, body = browser.post("/text", {"key": "cross", "at": "0", "id": taken})
    assert "board b2: mark of cross" in body and body.count('name="id"') == 1
    _, _, body = browser.post("/text", {"key": "nought", "at": "0", "id": taken})
    assert NOT_NOW in body and len(table.game.steps) == 1


def test_a_form_of_another_page_or_with_another_key_is_turned_away() -> None:
    browser = client(new_table(new_record("tic_tac_toe")))
    assert browser.post("/text", {"key": "cross"}, origin="http://evil.example")[0] == 421
    assert browser.post("/text", {"key": "cross"}, origin="null")[0] == 421
    for fields in ({}, {"key": "x"}, {"key": "cross", "id": "x" * messages.LARGEST}):
        assert browser.post("/text", fields)[0] == 404


# ---- games that nobody should write ----


def test_a_game_with_a_thousand_choices_and_a_hundred_cards_is_played(tmp_path: Path) -> None:
    games = Shelf(8642, "", 0, tmp_path, lan=True)
    browser = client(table := games.begin(wild(tmp_path), {}, {}))
    with sitting(browser, table.links[0].key) as ann:
        assert len(ann.offers) == 1_017
        assert len(ann.now["view"]["places"]["hand of ann"]["cards"]) == 100
        ann.choose(ann.offers[3])
        assert ann.wait_until(1)


def test_more_choices_than_a_question_can_have_are_told_and_not_begun(tmp_path: Path) -> None:
    sheet = wild(tmp_path)
    rules = tmp_path / "wild" / "wild.targi"
    text = rules.read_text(encoding="utf-8").replace("8 by 7", "32 by 32")
    rules.write_text(text, encoding="utf-8")
    browser, hall = host(tmp_path)
    with sitting(browser, "host") as page:
        page.say(**{"is": "begin", "game": sheet, "seats": {}, "options": {}})
        assert "at most 1024 options" in page.hear("refused")["text"]
    assert not hall.tables


def test_a_rule_that_never_ends_halts_its_own_table_alone(tmp_path: Path) -> None:
    games = Shelf(8642, "", 0, tmp_path, lan=True)
    table, other = (games.begin(name, {}, {}) for name in (wild(tmp_path), "tic_tac_toe"))
    browser, hall = host(tmp_path)
    for one in (table, other):
        hall.add(one)
    with sitting(browser, table.links[0].key) as ann:
        ann.choose(ann.offers[-1])
        assert "E603" in ann.hear("refused")["text"]
        assert "E603" in ann.wait_until(1)["table"]["halted"]
        assert ann.now["table"]["can_undo"] is False and not table.game.steps
    with sitting(browser, other.links[0].key) as cross:
        cross.choose(cross.offers[0])
        assert cross.wait_until(1)


# ---- sharing ----


def test_a_shared_page_holds_the_record_and_all_eyes(tmp_path: Path) -> None:
    record = new_record("goofspiel", dict.fromkeys(compiled("goofspiel").players, "random"))
    table = new_table(record)
    while table.game.state.seat is not None:
        table.game.take(choices(table.game.state)[0])
    text = page(table.game.game, table.game.record, ENGLISH)
    kept = record_in(text)
    assert kept is not None and read(Source("", kept)) == table.game.record
    assert record_in("<html>") is None and record_in(text.replace("H4s", "H5s")) is None
    assert "http:" not in text.partition("<script id")[0]
    (tmp_path / "game.html").write_text(text, encoding="utf-8")
    answer = CliRunner().invoke(commands.targi, ["table", f"{tmp_path}/game.html", "--at", "9999"])
    assert f"this game has {len(table.game.record.choices)} choices" in answer.output


def test_a_shared_page_of_a_whole_game_is_small() -> None:
    game, stream = new_table(new_record("base")).game, Stream(5)
    while game.state.seat is not None:
        offered = choices(game.state)
        game.take(offered[stream.below(len(offered))])
    text = page(game.game, game.record, ENGLISH)
    assert len(game.steps) > 150 and len(text.encode()) <= 80_000


def test_a_step_beyond_the_end_is_wrong_usage(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(write(new_record("tic_tac_toe")), encoding="utf-8")
    answer = CliRunner().invoke(commands.targi, ["table", str(file), "--at", "3"])
    assert answer.exit_code == 2 and "has 0 choices" in answer.output


# ---- the command ----


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        arguments = ["--port", str(taken.getsockname()[1]), "--save", str(tmp_path / "game.yaml")]
        with pytest.raises(Problems, match="E714"):
            commands.targi.main(["table", "tic_tac_toe", *arguments], standalone_mode=False)


def test_without_the_extra_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "targi_dsl.table.serving", raising=False)
    answer = CliRunner().invoke(commands.targi, ["table", "tic_tac_toe"])
    assert answer.exit_code == 2 and "pip install 'targi_dsl[web]'" in answer.output


def test_after_cuts_and_kills_nothing_is_lost_or_played_twice(tmp_path: Path) -> None:
    made, back = cuts.play(2, 6, "connect_four", tmp_path)
    assert made and len(back) == 2 * 8

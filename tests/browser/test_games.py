"""Games played in a browser from the page alone, to the position and the score of the engine.

    pytest tests/browser/test_games.py --every-game

plays every game of the library in every way.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from targi_dsl import load
from targi_dsl.compiler.project.discovery import shipped
from targi_dsl.engine.chance import Stream
from tests.browser.playing import ENDED, PLAYERS, arrive, check_end, moved, serving

SELECTED = {
    "clicks": ("tic_tac_toe", "connect_four", "hex_5", "bazaar_short", "base"),
    "keys": ("tic_tac_toe", "goofspiel", "two_traders"),
    "touch": ("tic_tac_toe", "mu_torere", "small_estate"),
    "ear": ("nim", "kuhn_poker", "auction"),
}
SHARED = ("connect_four", "goofspiel")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = metafunc.config.getoption("--every-game")
    games = sorted(shipped().games())
    if "way" in metafunc.fixturenames:
        found = [(one, way) for way in PLAYERS for one in (games if every else SELECTED[way])]
        metafunc.parametrize(("name", "way"), found)
    elif "name" in metafunc.fixturenames:
        metafunc.parametrize("name", games if every else SHARED)


def test_a_game_is_played_to_its_end(browser: Browser, tmp_path: Path, name: str, way: str) -> None:
    seats = [f"--seat={seat}=random" for seat in load(name).players[1:]]
    with serving(tmp_path, name, *seats) as (address,):
        size = (390, 844) if way == "touch" else (1366, 768)
        page = arrive(browser, address, *size, touch=way == "touch")
        PLAYERS[way](page, Stream(5))
        check_end(page, tmp_path, name)
        page.context.close()


def test_all_seats_play_in_browsers_of_their_own_and_others_watch(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    with serving(tmp_path, name, "--lan") as addresses:
        *pages, watching = (arrive(browser, address) for address in addresses)
        stream = Stream(2)
        while watching.query_selector(ENDED) is None:
            page = next((one for one in pages if one.query_selector(".choice:visible")), None)
            if page is None:  # chance is drawn, or the end is about to be shown
                watching.wait_for_timeout(20)
                continue
            at, listed = (
                page.get_attribute("body", "data-at"),
                page.query_selector_all(".choice:visible"),
            )
            listed[stream.below(len(listed))].click()
            for one in (*pages, watching):
                moved(one, at)
        for one in (*pages, watching):
            check_end(one, tmp_path, name)
            one.context.close()

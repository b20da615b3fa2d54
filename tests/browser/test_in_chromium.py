"""Games played in a browser from the page alone. They need Chromium and Playwright, and are run by
their names: `pytest tests/browser`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from targi_dsl import choices, load, result
from targi_dsl.engine.chance import Stream
from targi_dsl.records import read, read_record_file, replay

PATIENCE = 15_000  # milliseconds
ENDED = "body[data-over=yes]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    assert found, "these tests need Chromium"
    with sync_playwright() as tools:
        running = tools.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[list[str]]:
    """The addresses of a table; the game is saved as game.yaml in the folder."""
    start = "from targi_dsl.cli import main; main()"
    command = [sys.executable, "-c", start, "table", *arguments, "--no-open"]
    file = folder / "game.yaml"
    told = ["--resume", str(file)] if file.exists() else ["--save", str(file)] * bool(arguments)
    environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    with subprocess.Popen(
        [*command, "--pace", "0", *told], stdout=subprocess.PIPE, text=True, env=environment
    ) as running:
        assert running.stdout is not None
        addresses = []
        for line in running.stdout:
            addresses += re.findall(r"^(?!All games and).*(http://\S+)", line)
            if line.startswith("Ctrl-C"):
                break
        try:
            yield addresses
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(10)


def arrive(browser: Browser, address: str, wide: int = 1366, high: int = 768) -> Page:
    page = browser.new_page(viewport={"width": wide, "height": high})
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(address)
    page.wait_for_selector("body[data-at]", timeout=PATIENCE)
    return page


def moved(page: Page, at: str | None) -> None:
    """Waits until the position is another."""
    page.wait_for_selector(f'body:not([data-at="{at}"])', timeout=PATIENCE)


def asked(page: Page) -> bool:
    """Waits for one's own question or the end; whether it is a question."""
    page.wait_for_selector(f".choice:visible, details, {ENDED}", timeout=PATIENCE)
    return page.query_selector(ENDED) is None


def play_by_clicks(page: Page, stream: Stream) -> None:
    """Plays to the end: on the table where that makes a choice, else in the list."""
    while asked(page):
        at = page.get_attribute("body", "data-at")
        spaces = page.query_selector_all(".space.open")
        if spaces and stream.below(2):
            spaces[stream.below(len(spaces))].click()
            if page.query_selector(".space.picked") is None:
                moved(page, at)
            continue
        listed = page.query_selector_all(".choice:visible")
        listed[stream.below(len(listed))].click()
        moved(page, at)


def play_by_keys(page: Page, stream: Stream) -> None:
    """Plays to the end with digits and Enter."""
    while asked(page):
        at, count = page.get_attribute("body", "data-at"), len(page.query_selector_all(".choice"))
        page.keyboard.press("Escape")
        for digit in str(1 + stream.below(count)):
            page.keyboard.press(digit)
        if page.get_attribute("body", "data-at") == at and page.query_selector("#answer:focus"):
            page.keyboard.press("Enter")
        moved(page, at)


def check_end(page: Page, folder: Path, name: str) -> None:
    """The record leads to the end, and the page shows its scores."""
    game = load(name)
    state = replay(game, read(read_record_file(str(folder / "game.yaml"))))
    assert not choices(state)
    for total in result(state).scores if game.scores else ():
        assert str(total) in page.inner_text("tfoot")


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "connect_four", "hex_5", "goofspiel", "bazaar_short", "base"]
)
def test_a_game_is_played_to_its_end_by_clicks(browser: Browser, tmp_path: Path, name: str) -> None:
    seats = [f"--seat={seat}=random" for seat in load(name).players[1:]]
    with serving(tmp_path, name, *seats) as (address,):
        page = arrive(browser, address)
        play_by_clicks(page, Stream(5))
        check_end(page, tmp_path, name)
        page.close()


@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "two_traders"])
def test_a_game_is_played_to_its_end_by_keys(browser: Browser, tmp_path: Path, name: str) -> None:
    seats = [f"--seat={seat}=random" for seat in load(name).players[1:]]
    with serving(tmp_path, name, *seats) as (address,):
        page = arrive(browser, address)
        play_by_keys(page, Stream(6))
        check_end(page, tmp_path, name)
        page.close()


def test_a_game_is_begun_at_the_start_page_and_played(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as (address,):
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(address)
        page.fill(".find", "tic-tac")
        page.wait_for_function("() => document.querySelector('.game img').naturalWidth > 0")
        check_everybody_can_use(page)
        page.click("[data-game=tic_tac_toe]")
        page.select_option("[data-seat=nought]", "random")
        check_everybody_can_use(page)
        page.click("button[type=submit]")
        page.wait_for_selector("body[data-at]", timeout=PATIENCE)
        play_by_clicks(page, Stream(4))
        page.goto(address)
        page.wait_for_selector("[data-table=tic_tac_toe]", timeout=PATIENCE)
        page.close()


def check_everybody_can_use(page: Page) -> None:
    """The page has no fault that axe knows, and nothing to be scrolled to the side."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    across = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert across <= 0


def test_two_play_and_others_watch(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, "connect_four", "--lan") as addresses:
        amber, ruby, watching = (arrive(browser, address) for address in addresses)
        pages, stream = [amber, ruby], Stream(2)
        while amber.query_selector(ENDED) is None:
            page = next(one for one in pages if one.query_selector(".choice"))
            at, listed = page.get_attribute("body", "data-at"), page.query_selector_all(".choice")
            listed[stream.below(len(listed))].click()
            for one in (*pages, watching):
                moved(one, at)
        words = {one.inner_text(".result") for one in (amber, ruby, watching)}
        assert len(words) == 1
        for one in (*pages, watching):
            one.close()


def test_after_the_death_of_the_server_the_same_link_goes_on(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, "tic_tac_toe", "--seat=nought=human") as (address,):
        page = arrive(browser, address)
        page.click(".choice >> nth=4")
        moved(page, "0")
    page.wait_for_selector(".offline", timeout=PATIENCE)
    with serving(tmp_path) as (again,):
        assert again == address
        page.wait_for_selector(".bar:not(:has(.offline))", timeout=PATIENCE)
        assert len(page.query_selector_all(".choice")) == 8
        page.close()


@pytest.mark.parametrize("name", ["base", "connect_four", "hex", "goofspiel", "bazaar"])
def test_a_page_fits_and_can_be_used_by_everybody(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    with serving(tmp_path, name) as (address,):
        for wide, high in ((1366, 768), (390, 844), (360, 640)):
            page = arrive(browser, address, wide, high)
            down = page.evaluate("() => document.documentElement.scrollHeight")
            assert down <= high or wide < 1000 or name == "bazaar"
            check_everybody_can_use(page)
            page.close()


def test_a_shared_game_needs_no_server(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, "tic_tac_toe", "--seat=nought=random") as (address,):
        page = arrive(browser, address)
        play_by_clicks(page, Stream(1))
        page.close()
    out = tmp_path / "shared.html"
    program = [sys.executable, "-c", "from targi_dsl.cli import main; main()"]
    subprocess.run([*program, "share", tmp_path / "game.yaml", "--out", out], check=True)
    page = arrive(browser, out.as_uri())
    page.wait_for_selector(ENDED)
    page.click(".history button >> nth=0")
    page.wait_for_selector(".table.past")
    page.close()

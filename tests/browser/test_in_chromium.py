"""Pages in a browser. They need Chromium and Playwright, and are run by their names:
`pytest tests/browser`.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from msgspec import json
from playwright.sync_api import Browser, Page

from targi_dsl.compiler import translations
from targi_dsl.engine.chance import Stream
from targi_dsl.table.editions import Edition
from tests.browser.playing import (
    ENDED,
    PATIENCE,
    arrive,
    check_everybody_can_use,
    moved,
    play_by_clicks,
    serving,
)
from tests.games import compiled
from tests.texts import wild


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


def test_after_the_death_of_the_server_the_same_link_goes_on(
    browser: Browser, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:  # no other test may take it meanwhile
        port = free.getsockname()[1]
    table = ["tic_tac_toe", "--seat=nought=human", f"--port={port}"]
    with serving(tmp_path, *table) as (address,):
        page = arrive(browser, address)
        page.click(".choice >> nth=4")
        moved(page, "0")
    page.wait_for_selector(".offline", timeout=PATIENCE)
    with serving(tmp_path) as (again,):
        assert again == address
        page.wait_for_selector(".bar:not(:has(.offline))", timeout=PATIENCE)
        assert len(page.query_selector_all(".choice")) == 8
        page.close()


_MARKS = """async ([begin, id]) => {
    const {face, useCards} = await import("/faces.js"), {useEquipment} = await import("/marks.js");
    useEquipment(begin);
    useCards(begin.equipment);
    return face(id).values.map((one) => one.id);
}"""


@pytest.mark.parametrize(
    ("name", "card", "values"),
    [
        ("bazaar", "carpet_gallery", ["weaver", "potter", "dyer"]),
        ("gem_market", "ruby_pin", ["rubies"]),
    ],
)
def test_each_value_that_a_card_names_has_its_mark(
    browser: Browser, tmp_path: Path, name: str, card: str, values: list[str]
) -> None:
    game = compiled(name)
    edition = Edition(game, partial(translations.of_game, game, name))
    with serving(tmp_path, "tic_tac_toe") as (address,):
        page = arrive(browser, address)
        found = page.evaluate(_MARKS, [json.decode(edition.begin("en")), card])
        page.close()
    assert found == values


@pytest.mark.parametrize(
    "name",
    ["base", "connect_four", "ultimate_tic_tac_toe", "quoridor", "hex", "goofspiel", "bazaar"],
)
def test_a_page_fits_and_can_be_used_by_everybody(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    with serving(tmp_path, name) as (address,):
        for wide, high in ((1366, 768), (390, 844), (360, 640)):
            page = arrive(browser, address, wide, high)
            down = page.evaluate("() => document.documentElement.scrollHeight")
            assert down <= high or wide < 1000 or name == "bazaar"
            check_everybody_can_use(page)
            page.context.close()


@pytest.mark.parametrize(("dark", "language"), [(True, "fr"), (False, "en")])
def test_whatever_is_open_can_be_used_by_everybody(
    browser: Browser, tmp_path: Path, dark: bool, language: str
) -> None:
    with serving(tmp_path, "base") as (address,):
        page = arrive(browser, address, 390, 844, dark=dark, language=language)
        for button in range(page.locator(".bar nav button").count()):
            page.click(f".bar nav button >> nth={button}")
            page.wait_for_selector("dialog[open]", timeout=PATIENCE)
            check_everybody_can_use(page)
            if text := page.query_selector("dialog .rules"):
                assert text.get_attribute("lang") == language
                assert page.query_selector("dialog p") is None
            page.click("dialog .close")
        page.type("#answer", "what is not offered")
        page.keyboard.press("Escape")
        assert page.input_value("#answer") == ""
        page.focus(".space:has(.card)")
        page.keyboard.press("+")
        page.wait_for_selector("dialog .large", timeout=PATIENCE)
        check_everybody_can_use(page)
        page.keyboard.press("Escape")
        page.click(".space:not(.open) >> nth=0")
        page.wait_for_selector("dialog .reason", timeout=PATIENCE)
        check_everybody_can_use(page)
        page.click("dialog .close")
        at = page.get_attribute("body", "data-at")
        page.click(".choice >> nth=0")
        moved(page, at)
        page.click(".history button >> nth=0")
        page.wait_for_selector(".table.past", timeout=PATIENCE)
        check_everybody_can_use(page)
        page.context.close()


def test_whatever_comes_between_can_be_used_by_everybody(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, "goofspiel", "--seat=ben=human") as (address,):
        page = arrive(browser, address, 390, 844, language="es")
        page.wait_for_selector(".curtain", timeout=PATIENCE)
        check_everybody_can_use(page)
        page.context.close()


def take_turns(*pages: Page) -> None:
    """Each page makes the first choice that it has, unless the game is over before."""
    for page in pages:
        page.wait_for_selector(f".choice, {ENDED}", timeout=PATIENCE)
        if page.query_selector(".choice"):
            page.click(".choice >> nth=0")
            page.wait_for_selector(f"body:not(:has(.choice)), {ENDED}", timeout=PATIENCE)


def test_together_and_without_a_server_it_can_be_used_by_everybody(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, "tic_tac_toe", "--lan") as addresses:
        cross = arrive(browser, addresses[0], 390, 844, language="es", still=True)
        nought = arrive(browser, addresses[1], 390, 844, language="pl")
        take_turns(cross, nought)
        cross.click(".bar nav button >> nth=0")
        nought.wait_for_selector(".request", timeout=PATIENCE)
        check_everybody_can_use(nought)
        nought.click(".request .primary")
        cross.wait_for_selector(".choice", timeout=PATIENCE)
        while not cross.query_selector(ENDED):
            take_turns(cross, nought)
        for page in (cross, nought):
            page.wait_for_selector(ENDED, timeout=PATIENCE)
            check_everybody_can_use(page)
        nought.context.close()
    cross.wait_for_selector(".offline", timeout=PATIENCE)
    check_everybody_can_use(cross)
    cross.context.close()


def test_without_scripts_or_sockets_a_table_is_played_as_text(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, "tic_tac_toe", "--seat=nought=human") as (address,):
        bare = browser.new_context(java_script_enabled=False).new_page()
        bare.goto(address)
        bare.fill("input[name=key]", address.partition("#")[2])
        bare.click("button")
        bare.click("ol button >> nth=4")
        assert "board b2: mark of cross" in bare.inner_text("ul")
        page = browser.new_page()
        page.add_init_script("delete window.WebSocket")
        page.goto(address)
        page.click("button")
        assert "board b2: mark of cross" in page.inner_text("ul")
        check_everybody_can_use(page)
        bare.context.close()
        page.close()


def test_a_card_that_is_placed_unseen_is_a_back_in_its_cell(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, "capture_the_flag", "--lan") as addresses:
        red, blue, watching = (arrive(browser, one) for one in addresses)
        for page in (red, red, red, blue, blue, blue):
            page.wait_for_selector(".choice", timeout=PATIENCE)
            at = page.get_attribute("body", "data-at")
            page.click(".choice >> nth=0")
            for one in (red, blue, watching):
                moved(one, at)
        for page, own, backs in ((red, "4", 4), (blue, "1", 4), (watching, "", 8)):
            assert len(page.query_selector_all("[data-place^=field] .card.back")) == backs
            faces = page.query_selector_all("[data-place^=field]:has(.card:not(.back))")
            assert [one.get_attribute("data-place") for one in faces] == [
                f"field {column}{own}" for column in "abcd" if own
            ]
            said = page.get_attribute(f"[data-place='field a{own or 1}']", "aria-label") or ""
            assert ("flag" in said) == bool(own) and "face down" in said
            page.context.close()


def test_what_a_holder_was_told_stands_on_the_card_for_all(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, "lamplighters", "--seat=ben=human", "--lan", "--seed=1") as addresses:
        ann, ben = (arrive(browser, one) for one in addresses[:2])
        for choice in (":has-text('tell a colour')", " >> nth=0"):
            at = ann.get_attribute("body", "data-at")
            ann.click(f".choice{choice}")
            moved(ann, at)
            moved(ben, at)
        for page, card, begins in ((ann, "card:not(.back)", "told "), (ben, "back", "")):
            told = page.query_selector_all(f".held .{card} .told")
            assert len(told) == 5
            for one in told:
                (said, label, is_inside, is_seen) = one.evaluate(
                    """(one) => {
                        const inner = one.getBoundingClientRect(), style = getComputedStyle(one);
                        const outer = one.closest(".card").getBoundingClientRect();
                        return [
                            one.textContent, one.closest("[aria-label]").ariaLabel,
                            inner.top > outer.top && inner.width <= outer.width,
                            inner.height > 10 && style.color !== style.backgroundColor,
                        ];
                    }"""
                )
                assert said.startswith(begins) and said in label and is_inside and is_seen
            page.context.close()


def test_lines_of_a_grid_are_drawn_as_lines_and_can_be_clicked(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, "dots_and_boxes", "--seat=ben=human") as (address,):
        page = arrive(browser, address)
        edge, field = "[data-place='dot_line ha1']", "[data-place='box a1']"
        wide, high, field_high = page.evaluate(
            """([edge, field]) => {
                const [line, box] = [edge, field].map((one) =>
                    document.querySelector(one).getBoundingClientRect());
                return [line.width, line.height, box.height];
            }""",
            [edge, field],
        )
        assert wide > 2 * high and field_high > 2 * high
        colour = f"getComputedStyle(document.querySelector(\"{edge}\"), '::before').backgroundColor"
        before, at = page.evaluate(colour), page.get_attribute("body", "data-at")
        page.click(edge)
        moved(page, at)
        assert page.evaluate(colour) != before
        page.close()


def test_arrows_go_from_square_to_square_over_the_lines_between(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, "quoridor") as (address,):
        page = arrive(browser, address)
        page.focus('[data-place="board e9"]')
        for key, expected in (("ArrowRight", "board f9"), ("ArrowLeft", "board e9")):
            page.keyboard.press(key)
            focused = "() => document.activeElement.dataset.place"
            assert page.evaluate(focused) == expected
        page.context.close()


def test_no_name_of_a_game_is_markup(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, wild(tmp_path), "--seat=bob=random") as (address,):
        for wide, high in ((1366, 768), (360, 640)):
            page = arrive(browser, address, wide, high)
            page.on("dialog", lambda _: pytest.fail("a name was run as a script"))
            assert page.query_selector("main :is(script, i, b) :is(script, i)") is None
            assert page.query_selector("main img") is None
            assert "<img src=x onerror=alert(1)>" in page.inner_text("h1")
            at = page.get_attribute("body", "data-at")
            page.locator(".cells").first.locator(".space.open >> nth=-1").click()
            moved(page, at)  # a piece stands in the corner
            check_everybody_can_use(page)
            page.context.close()


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

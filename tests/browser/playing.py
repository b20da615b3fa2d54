"""Players that see nothing but a page, and tables for them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ElementHandle, Page, Playwright

from targi_dsl import choices, load, result
from targi_dsl.engine.chance import Stream
from targi_dsl.records import read, read_record_file, replay

PATIENCE = 15_000  # milliseconds
ENDED = "body[data-over=yes]"


@contextmanager
def chromium(tools: Playwright, **environment: str) -> Iterator[Browser]:
    """A browser, with these changes of its environment."""
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    assert found, "these tests need Chromium"
    changed = {**os.environ, **environment}
    running = tools.chromium.launch(executable_path=found, args=["--no-sandbox"], env=changed)
    try:
        yield running
    finally:
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


def arrive(
    browser: Browser,
    address: str,
    wide: int = 1366,
    high: int = 768,
    *,
    touch: bool = False,
    dark: bool = False,
    still: bool = False,
    language: str = "en",
) -> Page:
    """A page that shows the table, in a browser of its own."""
    context = browser.new_context(
        viewport={"width": wide, "height": high},
        has_touch=touch,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if still else "no-preference",
        locale=language,
    )
    page = context.new_page()
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
    """Plays to the end with a mouse: on the table where that makes a choice, else in the list."""
    _play_by_pointing(page, stream, ElementHandle.click)


def play_by_touch(page: Page, stream: Stream) -> None:
    """Plays to the end with a finger, as with a mouse."""
    _play_by_pointing(page, stream, ElementHandle.tap)


def _play_by_pointing(page: Page, stream: Stream, press: Callable[[ElementHandle], None]) -> None:
    while asked(page):
        at = page.get_attribute("body", "data-at")
        spaces = page.query_selector_all(".space.open:not(.picked)")
        if spaces and stream.below(2):
            press(spaces[stream.below(len(spaces))])
            if page.query_selector(".space.picked") is None:
                moved(page, at)
            continue
        listed = page.query_selector_all(".choice:visible")
        press(listed[stream.below(len(listed))])
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


_STICKING_OUT = """() => {
    const {scrollWidth, clientWidth} = document.documentElement;
    return scrollWidth <= clientWidth ? [] : [`${scrollWidth} of ${clientWidth}`, ...[...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > clientWidth)
        .map((one) => `${innerWidth}: ${one.outerHTML.slice(0, 200)}`).slice(0, 20)];
}"""
"""What makes a page wider than its window, and at which width of it."""


_SMALL = """() => innerWidth > 760 ? [] : [...document.querySelectorAll("button:not(.space), input, select, summary, a")]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.type === "checkbox" ? one.closest("label") : one, one])
    .filter(([room]) => room.offsetHeight < 44 || room.offsetWidth < 44)
    .map(([room, one]) => `${room.offsetWidth} by ${room.offsetHeight}: ${one.outerHTML.slice(0, 200)}`)"""
"""What of a page's controls is too small for a finger."""

_MOVING = """() => matchMedia("(prefers-reduced-motion: reduce)").matches
    ? [...document.querySelectorAll("*")].flatMap((one) => [null, "::before", "::after"]
        .filter((part) => parseFloat(getComputedStyle(one, part).transitionDuration) > 0).map((part) => `${one.className} ${part}`))
    : []"""
"""What moves though its reader wishes that nothing does."""


def check_everybody_can_use(page: Page) -> None:
    """The page has no fault that axe knows, nothing to be scrolled to the side, and nothing too
    small for a finger where it is shown on a phone.
    """
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    for fault in (_STICKING_OUT, _SMALL, _MOVING):
        told = page.evaluate(fault)
        assert not told, "\n".join(told)


_BUTTON = re.compile(r'^ *- \'?button "((?:[^"\\]|\\.)*)"', re.MULTILINE)


def play_by_ear(page: Page, stream: Stream) -> None:
    """Plays to the end knowing the accessibility tree alone: the buttons of the question."""
    while asked(page):
        at = page.get_attribute("body", "data-at")
        question = page.get_by_role("region", name="Question", exact=True)
        named = [one for one in _BUTTON.findall(question.aria_snapshot()) if one[:1].isdigit()]
        name = re.sub(r"\\(.)", r"\1", named[stream.below(len(named))])
        question.get_by_role("button", name=name, exact=True).first.press("Enter")
        moved(page, at)


PLAYERS: dict[str, Callable[[Page, Stream], None]] = {
    "clicks": play_by_clicks,
    "keys": play_by_keys,
    "touch": play_by_touch,
    "ear": play_by_ear,
}
"""The ways to play from a page."""

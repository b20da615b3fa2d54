"""A browser for these tests, and the option to play every game of the library."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.playing import chromium


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-game", action="store_true", help="Play every game of the library.")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as tools, chromium(tools) as running:
        yield running

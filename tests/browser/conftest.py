"""A browser for these tests, and the option to play every game of the library."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import which

import pytest
from playwright.sync_api import Browser, sync_playwright


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-game", action="store_true", help="Play every game of the library.")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    assert found, "these tests need Chromium"
    with sync_playwright() as tools:
        running = tools.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()

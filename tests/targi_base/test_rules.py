"""The rule tests beside the rules, one by one, so that the facts they cite are found with them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from targi_dsl.records.testing import Games, RuleTest, TestFile, read_tests, run_test
from targi_dsl.text import resources
from targi_dsl.text.source import Source


class Stated(NamedTuple):
    """A rule test, and the file it is in."""

    file: TestFile
    test: RuleTest

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts that it cites."""
        return self.test.cites


@cache
def games() -> Games:
    return Games()


def stated(folder: str) -> list[Stated]:
    """All rule tests of a shipped folder."""
    names = resources.names(f"rules/{folder}", resources.TESTS)
    texts = {name: resources.read(f"rules/{folder}/{name}") or b"" for name in names}
    files = [read_tests(Source(name, text.decode())) for name, text in texts.items()]
    return [Stated(file, test) for file in files for test in file.tests]


@pytest.mark.parametrize("one", stated("base"), ids=lambda one: one.test.full_name)
def test_a_rule_test_holds(one: Stated) -> None:
    assert run_test(one.file, one.test, games()).problems == ()

"""Prohibitions that a module replaces or extends, and definitions with `becomes ... more` or
`less`.
"""

from __future__ import annotations

import pytest

from targi_dsl.api import choices, start
from targi_dsl.compiler.load import load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.engine.chance import Seed
from targi_dsl.information.observation import observe
from tests.small_game import FILES, pond


def hops(files: dict[str, str]) -> list[str]:
    """The spaces offered at the first question."""
    game = load("pond", of_texts(files))
    return [str(one) for one in choices(start(game, Seed(3)))]


def test_a_prohibition_is_replaced() -> None:
    plain = hops(pond({}))
    mine = "replace forbid heron_waits: spot is in reeds"
    assert len(plain) == 6
    assert len(hops(pond({"mill": mine + "\n"}))) == 4


def test_a_prohibition_is_extended_and_keeps_what_it_forbade() -> None:
    files = pond({"mill": "extend forbid taken: spot is in reeds\n"})
    assert len(hops(files)) == 4


def test_both_are_done_in_the_order_of_the_modules() -> None:
    files = pond(
        {
            "mill": "replace forbid taken: spot is in reeds\n",
            "dam": "extend forbid taken: number of spot is 2\n",
        },
        dam="mill",
    )
    assert len(hops(files)) == 3


def test_two_changes_of_a_prohibition_are_settled() -> None:
    modules = {
        "mill": "replace forbid taken: spot is in reeds\n",
        "dam": "replace forbid taken: number of spot is 2\n",
    }
    assert len(hops(pond(modules, "  settle taken: mill then dam\n"))) == 5
    assert len(hops(pond(modules, "  settle taken: dam then mill\n"))) == 4


# ---- more and less ----


def purse(*abilities: str) -> dict[str, str]:
    """The small game with standing abilities that change how much each begins with."""
    rules = FILES["pond/pond.targi"].replace("define most_plans: 2", "define most_plans: 2\n")
    rules = rules.replace("gain 2 grey", "gain (most_plans) grey")
    standing = "".join(f"standing s{i}: {one}\n" for i, one in enumerate(abilities))
    return {**FILES, "pond/pond.targi": rules + standing}


def greys(*abilities: str) -> int:
    game = load("pond", of_texts(purse(*abilities)))
    return int(observe(start(game, Seed(1)), "anna").describe()["amounts"]["anna"]["grey"])


@pytest.mark.parametrize(
    ("abilities", "amount"),
    [
        (["always: most_plans becomes 1 more"], 3),
        (["always: most_plans becomes 1 less"], 1),
        (["always: most_plans becomes 1 more", "always: most_plans becomes 3 more"], 6),
        (["always: most_plans becomes 7", "always: most_plans becomes 3 more"], 10),
        (["always: most_plans becomes 3 more", "always: most_plans becomes 7"], 7),
        (["always: most_plans becomes 5 more if day is 3"], 2),
    ],
)
def test_what_becomes_more_or_less_adds_up(abilities: list[str], amount: int) -> None:
    assert greys(*abilities) == amount

"""A game whose `end game` waits for what no rule ever changes."""

from __future__ import annotations

from tests.small_game import FILES, RULES, told

LATE = "variable late: truth\n"


def test_rules_that_call_each_other_a_thousand_times_are_followed() -> None:
    chain = "".join(f"rule r{n}\n  do r{n + 1}\n" for n in range(1_000))
    more = f"{RULES}{LATE}{chain}rule r1000\n  if late: end game\n"
    end = "  if day is at least 6\n    end game\n"
    assert RULES.count(end) == 1
    (found,) = told({**FILES, "pond/pond.targi": more.replace(end, "  do r0\n")})
    assert found.code == "W902"

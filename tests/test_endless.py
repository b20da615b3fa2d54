"""A game whose `end game` waits for what no rule ever changes."""

from __future__ import annotations

import pytest

from tests.small_game import RULES, pond, told

END = "  if day is at least 6\n    end game\n"
LATE = "variable late: truth\nvariable done for each player: truth\nvariable last: player\n"


def warnings(end: str, more: str = "") -> list[tuple[str, str, str]]:
    """The warnings of the small game with another end."""
    assert END in RULES
    files = {**pond({}), "pond/pond.targi": RULES.replace(END, end) + LATE + more}
    found = told(files)
    assert all(one.severity == "warning" for one in found)
    return [(one.code, one.text, one.hint) for one in found]


@pytest.mark.parametrize(
    ("end", "names", "hint"),
    [
        ("  if late: end game\n", "`late`", "set late to yes"),
        ("  each player\n    if your done: end game\n", "`done`", "set done to yes"),
        ("  if last is anna\n    do finish\n", "`last`", ""),
        ("  if late and day is 6: end game\n", "`late`", "set late to yes"),
        ("  if not (not late): end game\n", "`late`", "set late to yes"),
        ("  if late or last is anna: end game\n", "`late` or `last`", "set late to yes"),
        ("  if over_now: end game\n", "`late`", "set late to yes"),
        ("  if last is nothing: stop\n  otherwise: end game\n", "`last`", ""),
    ],
)
def test_an_end_that_waits_for_what_no_rule_sets_is_a_warning(
    end: str, names: str, hint: str
) -> None:
    more = "rule finish\n  end game\ndefine over_now: late\n"
    text = f"No rule sets {names}, so this never happens."
    assert warnings(end, more) == [("W902", text, hint)]


def test_an_end_that_an_option_rules_out_is_a_warning() -> None:
    text = "The condition for it is never true."
    assert warnings("  if option flood is always: end game\n") == [("W902", text, "")]


@pytest.mark.parametrize(
    ("end", "more"),
    [
        ("  if late: end game\n", "rule finish\n  set late to yes\n"),
        ("  if late: stop\n  otherwise: end game\n", ""),
        ("  if late or day is 6: end game\n", ""),
        ("  if last is nothing: end game\n", ""),
        ("  if late: end game\n  otherwise if day is 6: end game\n", ""),
        ("  if late: end game\n  do finish\n", "rule finish\n  if day is 6: end game\n"),
    ],
)
def test_an_end_that_can_come_is_none(end: str, more: str) -> None:
    assert not warnings(end, more)


def test_rules_that_call_each_other_a_thousand_times_are_followed() -> None:
    chain = "".join(f"rule r{n}\n  do r{n + 1}\n" for n in range(1_000))
    more = f"{chain}rule r1000\n  if late: end game\n"
    assert [code for code, _, _ in warnings("  do r0\n", more)] == ["W902"]

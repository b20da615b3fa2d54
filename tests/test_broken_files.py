"""Files broken on purpose: each gets one message with the right code and line, and a hint that mends it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from targi_dsl.build.library import of_texts
from targi_dsl.build.load import check
from targi_dsl.problems import Problem, render
from tests.small_game import FILES, with_change

SNAPSHOT = Path(__file__).parent / "snapshots" / "broken_files.txt"

MODULE, PLANS, SHEET = "pond/pond.targi", "pond/plans.yaml", "pond.targi"
# file, what stood there, what stands there now, code
BROKEN = [
    (MODULE, "  shuffle plan_pile\n", "  shufle plan_pile\n", "E110"),
    (MODULE, "set reeds: shore 1, 4", "set reeds: shor 1, 4", "E201"),
    (MODULE, "  do draw_plan\n", "  do draw_plans\n", "E201"),
    (MODULE, "  if day is at least 6\n", "  if dya is at least 6\n", "E201"),
    (MODULE, "  pay cost of plan\n", "  pay cots of plan\n", "E201"),
    (MODULE, "players anna, bert", "players anna bert", "E110"),
    (MODULE, "forbid heron_waits: place", "forbid heron_waits place", "E110"),
    (MODULE, "forbid taken: any frog on spot", "forbid taken: frog on spot", "E301"),
    (MODULE, "  gain 1 pebbles\n", "  gain 1 peebles\n", "E201"),
    (MODULE, "zone hand for each player: plan", "zone hand for each player: plam", "E201"),
    (MODULE, "option flood: never or always", "option floood: never or always", "E410"),
    (MODULE, "  place frog on spot\n", "  place frogg on spot\n", "E201"),
    (PLANS, "    sort: lily\n", "    sort: lilly\n", "E513"),
    (PLANS, "    worth: 2\n", "    worth: two\n", "E503"),
    (PLANS, "    worth: 3\n", "    worth: 30\n", "E512"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1 gray\n", "E201"),
    (PLANS, "    cost: 3 pebbles\n", "    cots: 3 pebbles\n", "E510"),
    (PLANS, "  - id: raft\n", "  - id: bridge\n", "E508"),
    (PLANS, '    ability: "once: gain 1 fame"\n', '    ability: "onec: gain 1 fame"\n', "E110"),
    (PLANS, "build costs 1 pebbles less", "biuld costs 1 pebbles less", "E201"),
    (PLANS, "  - id: raft\n    copies: 3\n", "  - id: raft\n    copeis: 3\n", "E510"),
    (PLANS, "kind: plan\n", "kind: plans\n", "E529"),
    (PLANS, "    cost: 1 grey and 1 red or 1 twigs\n", "    cost: 1 grey adn 1 red or 1 twigs\n", "E110"),
    (SHEET, "  rules pond\n", "  rules pnod\n", "E406"),
    (SHEET, "  deck plan_pile: pond_plans\n", "  deck plan_pile: pond_plan\n", "E526"),
    (SHEET, "  deck plan_pile: pond_plans\n", "  deck plan_pill: pond_plans\n", "E528"),
    (SHEET, "  option flood: never\n", "  option flood: nevr\n", "E411"),
    (SHEET, "  option flood: never\n", "  option flod: never\n", "E410"),
    (SHEET, "language 1\n", "", "E102"),
    (SHEET, "language 1\n", "language 2\n", "E103"),
    (SHEET, "  rules pond\n", "  ruels pond\n", "E110"),
    (SHEET, "pond_plans\n", "pond_plans without rafft\n", "E523"),
    (SHEET, "pond_plans\n", "draw 2 of each srot from pond_plans\n", "E520"),
    (SHEET, "pond_plans\n", "draw 4 of each sort from pond_plans\n", "E525"),
]
NO_PASTE = ("E503", "E512", "E508", "E525", "E103")
"""Faults for which nobody can know what was meant: there the text says what is possible."""


def problems_of(files: dict[str, str]) -> tuple[Problem, ...]:
    return check("pond", of_texts(files))[1]


def test_the_unbroken_game_has_no_problems() -> None:
    game, problems = check("pond", of_texts(FILES))
    assert problems == ()
    assert game is not None


@pytest.mark.parametrize(
    ("name", "old", "new", "code"), BROKEN, ids=[f"{row[3]}-{row[2].strip()[:40]}" for row in BROKEN]
)
def test_one_fault_is_one_message_on_the_right_line(name: str, old: str, new: str, code: str) -> None:
    files = with_change(name, old, new)
    found = problems_of(files)
    assert [one.code for one in found] == [code], render(found)
    span = found[0].span
    assert span is not None
    place = found[0].file or span.source.name
    if code in ("E410", "E529"):  # told where the name is used, not where it is declared
        return
    assert place == name
    if new:
        assert span.line == FILES[name][: FILES[name].find(old)].count("\n") + 1 + new.rstrip().count("\n")


@pytest.mark.parametrize(
    ("name", "old", "new", "code"), BROKEN, ids=[f"{row[3]}-{row[2].strip()[:40]}" for row in BROKEN]
)
def test_the_hint_pasted_mends_it(name: str, old: str, new: str, code: str) -> None:
    files = with_change(name, old, new)
    (problem,) = problems_of(files)
    if not problem.hint:
        assert code in NO_PASTE, render([problem])
        return
    if code in NO_PASTE:
        return
    assert any(not problems_of(mended) for mended in _pasted(files, problem)), render([problem])


def _pasted(files: dict[str, str], problem: Problem) -> list[dict[str, str]]:
    """The files with the hint in place of what is underlined, of its line, or before it."""
    assert problem.span is not None
    name, text = problem.span.source.name, problem.span.source.text
    words = re.findall(r"`([^`]*)`", problem.hint) or [problem.hint]
    found = []
    for word in words:
        line_start = text.rfind("\n", 0, problem.span.start) + 1
        line_end = (text + "\n").find("\n", problem.span.start)
        indent = re.match(" *", text[line_start:]).group()  # type: ignore[union-attr]  # it matches everything
        found.append(text[: problem.span.start] + word + text[problem.span.end :])
        found.append(text[:line_start] + indent + word + text[line_end:])
        line = text[line_start:line_end]
        whole = re.sub('"[^"]*"', f'"{word}"', line) if '"' in line else re.sub("(?<=cost: ).*", word, line)
        found.append(text[:line_start] + whole + text[line_end:])
        found.append(text[:line_start] + indent + word + "\n" + text[line_start:])
    return [{**files, name: one} for one in found]


def test_the_messages_are_as_they_were() -> None:
    parts = []
    for name, old, new, _ in BROKEN:
        told = render(problems_of(with_change(name, old, new)))
        parts.append(f"---- {name}: {new.strip() or 'without ' + old.strip()}\n{told}\n")
    text = "\n".join(parts)
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(text, encoding="utf-8")
    assert text == SNAPSHOT.read_text(encoding="utf-8")


def test_many_faults_in_many_files_are_told_in_one_run_in_order_of_place() -> None:
    files = dict(FILES)
    files[MODULE] = (
        files[MODULE].replace("do draw_plan\n", "do drow_plan\n").replace("gain 1 pebbles", "gain 1 peebles")
    )
    files[PLANS] = files[PLANS].replace("sort: lily", "sort: lilly").replace("onec", "once")
    files[SHEET] = files[SHEET].replace("option flood: never", "option flood: nevr")
    found = problems_of(files)
    assert [one.code for one in found] == ["E411", "E513", "E201", "E201"], render(found)
    assert [one.span.source.name for one in found if one.span] == [SHEET, PLANS, MODULE, MODULE]

"""Files broken on purpose: each gets one message with the right code and line, and a hint that
fixes it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from targi_dsl.compiler.load import check, load
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.ir.game import Game
from targi_dsl.records import read, replay
from targi_dsl.text.diagnostics import Problem, Problems, render
from targi_dsl.text.source import Source
from tests.small_game import FILES, with_change

SNAPSHOT = Path(__file__).parent / "snapshots" / "broken_files.txt"

MODULE, PLANS, SHEET, SAVED = "pond/pond.targi", "pond/pond_plans.yaml", "pond.targi", "saved.yaml"
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
    (MODULE, "refilled from plan_waste", "refilled from plan_wast", "E201"),
    (MODULE, "refilled from plan_waste", "refilled from plan_pile", "E203"),
    (MODULE, "option flood: never or always", "option floood: never or always", "E410"),
    (MODULE, "  place frog on spot\n", "  place frogg on spot\n", "E201"),
    (MODULE, "variable day: 0 to 20", "variable day: -5 to 20", "E110"),
    (MODULE, "define most_plans: 2", "define most_plans: -2", "E110"),
    (MODULE, "  set day to day + 1\n", "  day = day + 1\n", "E110"),
    (MODULE, "  set day to day + 1\n", "  day += 1\n", "E110"),
    (MODULE, "  set day to day + 1\n", "  set day + 1\n", "E110"),
    (MODULE, "  gain 1 pebbles\n", "  gain 2 grey, 1 red\n", "E110"),
    (MODULE, "  gain 1 pebbles\n", "  gain -1 pebbles\n", "E110"),
    (MODULE, "  gain 1 pebbles\n", "  gain a pebbles\n", "E110"),
    (MODULE, "  gain 1 pebbles\n", "  gain pebbles\n", "E301"),
    (MODULE, "  place frog on spot\n", "  place your frog on spot\n", "E110"),
    (MODULE, "  if day is at least 6\n", "  if day is 6 or more\n", "E301"),
    (MODULE, "  if day is at least 6\n", "  if day is greater than 5\n", "E110"),
    (MODULE, "  if day is at least 6\n", "  if day more than 5\n", "E110"),
    (MODULE, "score fame: your fame", "score fame: fame", "E301"),
    (MODULE, "score fame: your fame", "score pebbled: pebbles", "E302"),
    (MODULE, "space shore: ring of 6\n", "card token\nspace shore: ring of 6\n", "E110"),
    (
        MODULE,
        "  let found be top of plan_pile\n",
        "  let twigs be 3\n  let found be top of plan_pile\n",
        "E212",
    ),
    (PLANS, "    sort: lily\n", "    sort: lilly\n", "E513"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1\n", "E503"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1 grey, 1 red\n", "E110"),
    (PLANS, "    cost: 3 pebbles\n", "    cost: -3 pebbles\n", "E110"),
    (PLANS, '    ability: "once: gain 1 fame"\n', '    ability: "once, gain 1 fame"\n', "E110"),
    (PLANS, "  - id: raft\n    copies: 3\n", "  - id: raft\n    copies: 0\n", "E506"),
    (PLANS, "kind: plan\n", "knid: plan\n", "E502"),
    (PLANS, "language: 2\n", "", "E501"),
    (PLANS, "    worth: 2\n", "    worth: two\n", "E503"),
    (PLANS, "    worth: 3\n", "    worth: 30\n", "E512"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1 gray\n", "E201"),
    (PLANS, "    cost: 3 pebbles\n", "    cots: 3 pebbles\n", "E510"),
    (PLANS, "  - id: raft\n", "  - id: bridge\n", "E508"),
    (PLANS, '    ability: "once: gain 1 fame"\n', '    ability: "onec: gain 1 fame"\n', "E110"),
    (PLANS, "build costs 1 pebbles less", "biuld costs 1 pebbles less", "E201"),
    (PLANS, "  - id: raft\n    copies: 3\n", "  - id: raft\n    copeis: 3\n", "E510"),
    (PLANS, "kind: plan\n", "kind: plans\n", "E529"),
    (PLANS, "    cost: 3 pebbles\n", '    cost: 3 pebbles\n    action: ["gain 1 fame"]\n', "E503"),
    (PLANS, "    cost: 3 pebbles\n", "    cost: 3 pebbles\n    action: 3\n", "E503"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1 grey\n    ability: 3\n", "E503"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1 grey\n    ability: true\n", "E503"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1 grey\n    ability: []\n", "E503"),
    (PLANS, "    cost: 1 grey\n", "    cost: 1 grey\n    source: {cots: seed}\n", "E510"),
    (
        MODULE,
        "action: action, may be missing\n",
        "action: list of action, may be missing\n",
        "E307",
    ),
    (
        PLANS,
        "    cost: 1 grey and 1 red or 1 twigs\n",
        "    cost: 1 grey adn 1 red or 1 twigs\n",
        "E110",
    ),
    (SHEET, "  rules pond\n", "  rules pnod\n", "E406"),
    (SHEET, "  deck plan_pile: pond_plans\n", "  deck plan_pile: pond_plan\n", "E526"),
    (SHEET, "  deck plan_pile: pond_plans\n", "  deck plan_pill: pond_plans\n", "E528"),
    (SHEET, "  option flood: never\n", "  option flood: nevr\n", "E411"),
    (SHEET, "  option flood: never\n", "  option flod: never\n", "E410"),
    (SHEET, "language 2\n", "", "E102"),
    (SHEET, "language 2\n", "language 3\n", "E103"),
    (SHEET, "  rules pond\n", "  ruels pond\n", "E110"),
    (SHEET, "  option flood: never\n", "  option flood: never\n  option flood: always\n", "E430"),
    (
        SHEET,
        "  option flood: never\n",
        "  option flood: never\n  deck plan_pile: 2 x raft of pond_plans\n",
        "E430",
    ),
    (SHEET, "  rules pond\n", "  rules pond + pond\n", "E430"),
    (SHEET, "  rules pond\n", "  rules pond\n  rules pond\n", "E430"),
    (
        SHEET,
        "  option flood: never\n",
        "  option flood: never\n  settle hop: pond then pond\n",
        "E430",
    ),
    (SHEET, "  option flood: never\n", "  option flood: never\n  settle hopp: pond\n", "E402"),
    (SHEET, "  option flood: never\n", "  option flood: never\n  settle hop: pnod\n", "E431"),
    (MODULE, 'module pond "At the pond"\n', 'module pond "At the pond"\nmodule pool\n', "E429"),
    (SHEET, "pond_plans\n", "pond_plans without rafft\n", "E523"),
    (SHEET, "pond_plans\n", "draw 2 of each srot from pond_plans\n", "E520"),
    (SHEET, "pond_plans\n", "draw 4 of each sort from pond_plans\n", "E525"),
    (SHEET, "pond_plans\n", "pond_plans where srot is reed\n", "E520"),
    (SHEET, "pond_plans\n", "3 x rfat of pond_plans\n", "E523"),
    (SHEET, "  deck plan_pile: pond_plans\n", "  deck plan_pile pond_plans\n", "E110"),
    (SHEET, "  option flood: never\n", "  option flood = never\n", "E110"),
    (SHEET, 'game pond "At the pond"\n', 'game pond "At the pond\n', "E110"),
]
NO_PASTE = (
    "refilled from plan_pile",
    "    worth: two\n",
    "    worth: 30\n",
    "  - id: bridge\n",
    "draw 4 of each sort from pond_plans\n",
    "language 3\n",
    "  option flood: never\n  option flood: always\n",
    "  option flood: never\n  deck plan_pile: 2 x raft of pond_plans\n",
    "  rules pond + pond\n",
    "  rules pond\n  rules pond\n",
    "  option flood: never\n  settle hop: pond then pond\n",
    'module pond "At the pond"\nmodule pool\n',
    "    cost: 3 pebbles\n    action: 3\n",
    "    cost: 1 grey\n    ability: 3\n",
    "    cost: 1 grey\n    ability: true\n",
    "    cost: 1 grey\n    ability: []\n",
)
"""Faults whose intention cannot be known: their texts list what is possible."""
TOLD_AT = {"option floood: never or always": (SHEET, "  option flood: never")}
"""Faults that are reported where a name is used, not where it is declared in another way."""

RECORD = """\
format: 2
language: 2
game: pond
rules: HASH
options: {flood: never}
seed: 0
seats: {anna: human, bert: random}
length: 4
choices:
- hop 3
- gain grey
- build
- bed a1
"""
BROKEN_RECORDS = [
    ("- hop 3\n", "- hpo 3\n", "E706"),
    ("- build\n", "- Build\n", "E706"),
    ("- gain grey\n", "- gain gray\n", "E706"),
    ("length: 4\n", "length: 3\n", "E702"),
    ("rules: HASH\n", "rules: 0123456789abcdef\n", "E704"),
    ("seats: {anna: human, bert: random}\n", "seats: {anna: human, bret: random}\n", "E705"),
    ("seats: {anna: human, bert: random}\n", "seats: {bert: random, anna: human}\n", "E705"),
    ("seats: {anna: human, bert: random}\n", "seats: {anna: human}\n", "E705"),
    ("seed: 0\n", "sede: 0\n", "E702"),
    ("seed: 0\n", "seed: -3\n", "E702"),
    ("format: 2\n", "format: 0\n", "E702"),
    ("language: 2\n", "", "E702"),
    ("choices:\n", "Choices:\n", "E702"),
    ("length: 4\n", "length: 4\ncheck: 0badc0de0badc0de\n", "E702"),
    ("format: 2\n", "format: 3\n", "E703"),
    ("format: 2\n", "format: 1\n", "E708"),
    ("- hop 3\n", "- wait\n", "E706"),
]
NO_PASTE_RECORDS = ("format: 3\n", "format: 1\n", "- wait\n")


def problems_of(files: dict[str, str]) -> tuple[Problem, ...]:
    return _problems_of(tuple(files.items()))


@cache
def _problems_of(files: tuple[tuple[str, str], ...]) -> tuple[Problem, ...]:
    return check("pond", of_texts(dict(files)))[1]


def test_the_unbroken_game_has_no_problems() -> None:
    game, problems = check("pond", of_texts(FILES))
    assert problems == ()
    assert game is not None


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    BROKEN,
    ids=[f"{row[3]}-{row[2].strip()[:40]}" for row in BROKEN],
)
def test_one_fault_is_one_message_on_the_right_line(
    name: str, old: str, new: str, code: str
) -> None:
    files = with_change(name, old, new)
    found = problems_of(files)
    assert [one.code for one in found] == [code], render(found)
    span = found[0].span
    assert span is not None
    told, line = TOLD_AT.get(new, (name, ""))
    assert (found[0].file or span.source.name) == told
    if line:
        assert span.source.line(span.line) == line
    elif new:
        assert span.line == _line(FILES[name], old, new)


def _line(text: str, old: str, new: str) -> int:
    """The first line that differs from the original."""
    lines = zip(old.split("\n"), new.split("\n"), strict=False)
    same = next((at for at, (was, now) in enumerate(lines) if was != now), 0)
    return text[: text.find(old)].count("\n") + 1 + same


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    BROKEN,
    ids=[f"{row[3]}-{row[2].strip()[:40]}" for row in BROKEN],
)
def test_the_hint_pasted_mends_it(name: str, old: str, new: str, code: str) -> None:
    files = with_change(name, old, new)
    (problem,) = problems_of(files)
    assert not problem.text[:1].islower(), "a text is made of sentences"
    if new in NO_PASTE:
        return
    pasted = [problems_of(mended) for mended in _pasted(files, problem)]
    assert any(all(one.severity == "warning" for one in told) for told in pasted), render([problem])


def test_ten_of_each_kind_are_mended() -> None:
    mended = Counter(name for name, _, new, _ in BROKEN if new not in NO_PASTE)
    mended[SAVED] = sum(new not in NO_PASTE_RECORDS for _, new, _ in BROKEN_RECORDS)
    assert min(mended[name] for name in (MODULE, PLANS, SHEET, SAVED)) >= 10, mended


def _pasted(files: dict[str, str], problem: Problem) -> list[dict[str, str]]:
    """The files with the hint in place of the underlined part, of its line, before it, or after it."""
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
        whole = (
            re.sub('"[^"]*"', f'"{word}"', line)
            if '"' in line
            else re.sub("(?<=cost: ).*", word, line)
        )
        found.append(text[:line_start] + whole + text[line_end:])
        found.append(text[:line_start] + indent + word + "\n" + text[line_start:])
        found.append(text[:line_end] + "\n" + word + text[line_end:])
    return [{**files, name: one} for one in found]


# ---- records ----


@pytest.fixture(scope="module")
def pond() -> Game:
    return load("pond", of_texts(FILES))


def record_with(pond: Game, old: str, new: str) -> str:
    assert RECORD.count(old) == 1, old
    return RECORD.replace(old, new).replace("HASH", pond.hash)


def faults_of(pond: Game, text: str) -> tuple[Problem, ...]:
    try:
        replay(pond, read(Source(SAVED, text)))
    except Problems as error:
        return error.problems
    return ()


def test_the_unbroken_record_is_replayed(pond: Game) -> None:
    assert faults_of(pond, RECORD.replace("HASH", pond.hash)) == ()


@pytest.mark.parametrize(
    ("old", "new", "code"), BROKEN_RECORDS, ids=[row[1].strip() or "gone" for row in BROKEN_RECORDS]
)
def test_a_broken_record_is_told_where_and_mended_by_the_hint(
    pond: Game, old: str, new: str, code: str
) -> None:
    text = record_with(pond, old, new)
    (problem,) = faults_of(pond, text)
    assert problem.code == code, render([problem])
    assert problem.span is not None and problem.span.source.name == SAVED
    assert not new or problem.span.line == _line(RECORD, old, new)
    if new not in NO_PASTE_RECORDS:
        pasted = _pasted({SAVED: text}, problem)
        assert any(not faults_of(pond, mended[SAVED]) for mended in pasted), render([problem])


def test_the_messages_are_as_they_were(pond: Game) -> None:
    parts = []
    for name, old, new, _ in BROKEN:
        told = render(problems_of(with_change(name, old, new)))
        parts.append(f"---- {name}: {new.strip() or 'without ' + old.strip()}\n{told}\n")
    for old, new, _ in BROKEN_RECORDS:
        told = render(faults_of(pond, record_with(pond, old, new))).replace(pond.hash, "HASH")
        told = re.sub("check: [0-9a-f]{16}`", "check: CHECK`", told)
        parts.append(f"---- {SAVED}: {new.strip() or 'without ' + old.strip()}\n{told}\n")
    text = "\n".join(parts)
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(text, encoding="utf-8")
    assert text == SNAPSHOT.read_text(encoding="utf-8")


def test_many_faults_in_many_files_are_told_in_one_run_in_order_of_place() -> None:
    files = dict(FILES)
    files[MODULE] = (
        files[MODULE]
        .replace("do draw_plan\n", "do drow_plan\n")
        .replace("gain 1 pebbles", "gain 1 peebles")
    )
    files[PLANS] = files[PLANS].replace("sort: lily", "sort: lilly").replace("onec", "once")
    files[SHEET] = files[SHEET].replace("option flood: never", "option flood: nevr")
    found = problems_of(files)
    assert [one.code for one in found] == ["E411", "E201", "E201", "E513"], render(found)
    assert [one.span.source.name for one in found if one.span] == [SHEET, MODULE, MODULE, PLANS]

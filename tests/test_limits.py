"""The limits of a game: a game at a limit is accepted, and one above it is refused before memory is
used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from targi_dsl.compiler import pipeline
from targi_dsl.compiler.load import check
from targi_dsl.compiler.lowering import layout
from targi_dsl.compiler.lowering.context import MOST_FAULTS, Compilation
from targi_dsl.compiler.lowering.variables import MOST_VALUES
from targi_dsl.compiler.project import discovery, written
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.compiler.project.sheets import DEEPEST_BASES
from targi_dsl.compiler.symbols import enter
from targi_dsl.compiler.symbols.enter import LARGEST_REGION, MOST_PLACES, MOST_PLAYERS
from targi_dsl.compiler.symbols.table import Region
from targi_dsl.text.diagnostics import Problem
from tests.work import work_of


def codes(rules: str, players: str = "players ann, ben\n") -> list[str]:
    """The problems of a game with these declarations, which nothing need use."""
    module = f"language 2\nmodule small\n{players}rule setup\n  nothing\nrule round\n  everybody wins\n{rules}"
    files = {"small/small.targi": module, "small.targi": "language 2\ngame small\n  rules small\n"}
    return [one.code for one in check("small", of_texts(files))[1] if one.code != "W919"]


def parts(count: int, declaration: str) -> str:
    """This number of spaces or pieces in all: declarations of the largest size, and one for the
    rest.
    """
    whole, rest = divmod(count, LARGEST_REGION)
    sizes = [LARGEST_REGION] * whole + [rest] * bool(rest)
    return "".join(declaration.format(number, size) for number, size in enumerate(sizes))


SPACE, PIECE = "space s{}: row of {}\n", "piece p{}: {}\n"


CASES = {
    "a region": (f"space s: row of {LARGEST_REGION}\n", f"space s: row of {LARGEST_REGION + 1}\n"),
    "all places": (parts(MOST_PLACES, SPACE), parts(MOST_PLACES + 1, SPACE)),
    "pieces": (f"piece p: {LARGEST_REGION}\n", f"piece p: {LARGEST_REGION + 1}\n"),
    "all pieces": (parts(MOST_PLACES, PIECE), parts(MOST_PLACES + 1, PIECE)),
    "values of variables": (
        "space s: row of 1000\n"
        + "".join(f"variable v{k} for each s: 0 to 9\n" for k in range(MOST_VALUES // 1000)),
        "space s: row of 1000\nvariable single: 0 to 9\n"
        + "".join(f"variable v{k} for each s: 0 to 9\n" for k in range(MOST_VALUES // 1000)),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_limit_is_reached_and_not_passed(case: tuple[str, str]) -> None:
    at, above = case
    assert codes(at) == []
    assert codes(above) == ["E303"]


def test_a_board_of_19_by_19_is_one_region() -> None:
    assert codes("space board: grid 19 by 19\n") == []


def test_so_many_players_and_no_more() -> None:
    for count, expected in ((MOST_PLAYERS, []), (MOST_PLAYERS + 1, ["E303"])):
        names = ", ".join(f"p{number}" for number in range(count))
        assert codes("", f"players {names}\n") == expected


def test_chains_of_sheets_and_modules_have_a_limit() -> None:
    for length, expected in ((DEEPEST_BASES - 1, []), (1500, ["E432"])):
        texts = {f"g{k}.targi": f"language 2\ngame g{k} based on g{k + 1}\n" for k in range(length)}
        texts[f"g{length}.targi"] = "language 2\ngame kuhn based on kuhn_poker\n"
        assert [one.code for one in check("g0", of_texts(texts))[1]] == expected
        modules = {
            f"m{k}/m.targi": f"language 2\nmodule m{k} based on m{k + 1}\n" for k in range(length)
        }
        modules[f"m{length}/m.targi"] = (
            f"language 2\nmodule m{length}\nplayers ann, ben\n"
            "rule setup\n  nothing\nrule round\n  everybody wins\n"
        )
        modules["g.targi"] = "language 2\ngame g\n  rules m0\n"
        assert [one.code for one in check("g", of_texts(modules))[1]] == expected


def test_the_lines_of_a_game_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "MOST_LINES", 10)
    assert codes("") == []
    assert codes("\n") == ["E024"]


def test_the_characters_of_a_game_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written, "MOST_CHARACTERS", 1_000)
    for length, expected in ((500, []), (1_000, ["E024"])):
        assert codes(f"# {'x' * length}\n") == expected


def test_the_files_of_a_folder_have_a_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mine.targi").write_text("language 2\ngame mine based on kuhn_poker\n")
    (tmp_path / "notes.txt").write_text("")
    monkeypatch.setattr(discovery, "MOST_FILES", 2)
    assert check(f"{tmp_path}/mine.targi")[1] == ()
    (tmp_path / "more.txt").write_text("")
    assert [one.code for one in check(f"{tmp_path}/mine.targi")[1]] == ["E023"]


def test_a_table_has_so_many_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "MOST_CELLS", 4)
    for columns, expected in ((2, []), (3, ["E303"])):
        row = "    " + " | ".join(["s 1"] * columns) + "\n"
        assert codes(f"space s: row of 3\nlayout\n  table\n{row}{row}") == expected


def test_all_relations_have_so_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enter, "MOST_RELATED", 4)
    for count, expected in ((3, []), (4, ["E303"])):
        pairs = ", ".join(f"{number} to {number + 1}" for number in range(1, count + 1))
        relations = f"relation one_pair on s: 1 to 2\nrelation others on s: {pairs}\n"
        assert codes(f"space s: row of 9\n{relations}") == expected


def test_the_spaces_of_a_region_are_named_once_for_a_relation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labels = Region.labels
    named: list[Region] = []

    def counted(region: Region) -> list[str]:
        named.append(region)
        return labels(region)

    monkeypatch.setattr(Region, "labels", counted)
    for count in (1, 8):
        named.clear()
        pairs = ", ".join(f"{number} to {number + 1}" for number in range(1, count + 1))
        assert codes(f"space s: row of 9\nrelation r on s: {pairs}\nset t: s {pairs[0]}\n") == []
        assert len(named) == 4


@pytest.mark.parametrize(
    "faulty",
    [
        lambda count: "".join(f"define q{number}: z{number}\n" for number in range(count)),
        lambda count: f"values mood: {', '.join(['a'] * count)}\n",
    ],
    ids=["of many declarations", "of one declaration"],
)
def test_faults_stop_at_a_number_and_twice_as_many_are_twice_the_work(
    faulty: Callable[[int], str],
) -> None:
    found: list[list[str]] = []

    def check_of(count: int) -> None:
        found.append(codes(faulty(count)))

    one, two = (work_of(partial(check_of, count)) for count in (250, 500))
    assert {(part.count("E113"), len(part)) for part in found} == {(1, MOST_FAULTS + 1)}
    assert two < 2.2 * one


@pytest.mark.parametrize(("zones", "found"), [(10, []), (11, ["E527"])])
def test_all_decks_together_have_a_limit(zones: int, found: list[str]) -> None:
    """200 zones of 1,000 cards took 10 seconds and 289 MB."""
    cards = "".join(
        f"  - {{id: c{n}, number: {n}, name: {{en: C}}, worth: 1}}\n" for n in range(1, 1001)
    )
    named = [f"pile{number}" for number in range(zones)]
    rules = "card counter\n  worth: 0 to 9\n" + "".join(f"zone {zone}: counter\n" for zone in named)
    module = f"language 2\nmodule big\nplayers ann, ben\n{rules}rule setup\n  nothing\n"
    decks = "".join(f"  deck {zone}: counters\n" for zone in named)
    files = {
        "counters.yaml": f"language: 2\nset: counters\nkind: counter\ncards:\n{cards}",
        "big/big.targi": f"{module}rule round\n  everybody wins\n",
        "big.targi": f"language 2\ngame big\n  rules big\n{decks}",
    }
    problems = check("big", of_texts(files))[1]
    assert [one.code for one in problems if one.severity == "error"] == found


@pytest.mark.parametrize(("checks", "is_refused"), [("WARNINGS", False), ("ERRORS", True)])
def test_a_warning_that_goes_too_deep_refuses_no_game(
    monkeypatch: pytest.MonkeyPatch, checks: str, is_refused: bool
) -> None:
    def nested(game: Compilation) -> Iterator[Problem]:
        raise RecursionError

    monkeypatch.setattr(pipeline, checks, (nested,))
    game, problems = check("pig")
    assert (game is None) == is_refused
    assert [one.code for one in problems] == ["E106"] * is_refused

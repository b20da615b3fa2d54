"""Rule tests: the shipped ones hold on either engine, and what is wrong with one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from targi_dsl.records.testing import Games, read_tests, run_test
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, Problems
from targi_dsl.text.source import Source
from tests.commands import targi
from tests.documents import DOCS
from tests.games import VARIED

HEAD = "language 2\ntests of nim\n"
SHORT = """\
language 2
tests of base

test "a raid" source "B58"
  given
    after setup
    starter: blue
    blue: 9 dates, 9 points
    white: 9 points
    do raid_1
"""


def problems(text: str) -> list[Problem]:
    """Everything that is wrong with the tests of a file."""
    try:
        file = read_tests(Source("x.test.targi", text))
    except Problems as error:
        return list(error.problems)
    games = Games()
    return [problem for test in file.tests for problem in run_test(file, test, games).problems]


def told(text: str) -> list[tuple[str, int, str]]:
    """The code, line and title of every problem."""
    return [(one.code, one.span.line if one.span else 0, one.title) for one in problems(text)]


TESTED = sorted(
    {
        (resources.read(f"rules/{name}") or b"").decode().partition("tests of ")[2].split()[0]
        for name in resources.names("rules", resources.TESTS)
    }
)
"""The shipped games with rule tests."""

COVERED = {"base": set[object](), "expansion": {("rule", "display_without_noble")}}
"""What the rule tests of a game do not use: a rule that no card of the expansion allows, and which
those of the game with the cards of both boxes use.
"""


@pytest.mark.parametrize("engine", ["interpreter", "tcc"])
def test_those_shipped_hold(engine: str) -> None:
    """With the interpreter those of base and expansion run below, where they are traced; C plays
    every sheet as the interpreter does, so that a few are enough.
    """
    names = [one for one in TESTED if (one in VARIED if engine == "tcc" else one not in COVERED)]
    done = targi("test", *names, "--engine", engine, "--workers", "1")
    assert done.code == 0, done.out
    assert "none failed" in done.out


@pytest.mark.parametrize("engine", ["interpreter", "tcc"])
def test_those_of_the_language_hold(engine: str) -> None:
    """What statements, expressions, payments and abilities do, in games made for it."""
    folder = str(Path(__file__).parent / "language")
    done = targi("test", folder, "--engine", engine, "--workers", "1")
    assert done.code == 0 and "none failed" in done.out, done.out


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_those_of_targi_hold_and_use_every_rule_prohibition_and_ability(name: str) -> None:
    done = targi("test", name, "--coverage", "--json", "--workers", "1")
    assert done.code == 0
    unused = {
        (one["sort"], one["name"])
        for one in done.document["coverage"]["items"]
        if one["sort"] in ("rule", "prohibition", "ability") and not one["times"]
    }
    assert unused == COVERED[name]


def test_each_choice_of_a_line_may_name_its_player() -> None:
    line = "  when ann: s 3; n 2; ben: s 3; n 1; ben: s 3\n"
    assert told(f'{HEAD}test "x"\n{line}') == [("E662", 4, "ben is not asked")]


def test_a_faulty_test_is_told_and_the_others_of_its_file_run(tmp_path: Path) -> None:
    head = "language 2\ntests of pig\n"
    said = 'test "1"\n  given ben: 3 points\ntest "2"\n  hen ben: 3 points\n'
    true = "\n  given\n    ben: 3 points\n    do setup, then stop\n  then ben: {} points\n"
    tests = f'{said}test "3"{true.format(3)}test "4"{true.format(2)}'
    file = tmp_path / "pig.test.targi"
    file.write_text(head + tests, encoding="utf-8")
    out = targi("test", str(tmp_path), "--workers", "1").out
    assert "this test states nothing" in out and "`hen` begins no step" in out
    assert "It is: ben: 3 points" in out and "3 tests: 2 failed" in out
    file.write_text(f"{head}before each\n  ben: {{n}} points\n{tests}", encoding="utf-8")
    out = targi("test", str(tmp_path), "--workers", "1").out
    assert "no column `n`" in out and "1 test: 1 failed" in out


def test_a_rule_can_be_done_alone(tmp_path: Path) -> None:
    """No round begins behind it, and nobody has won unless the rule ends the game."""
    (tmp_path / "pig.test.targi").write_text(
        """language 2
tests of pig
test "kept"
  with points | winners | ended
    7 | nobody | not ended by bank
    100 | ben | ended by bank
  given
    ben: nothing
    points of kitty: {points}
    do bank by ben, then stop
  then
    asked: nobody
    ben: {points} points
    points of kitty: 0
    winners: {winners}
    {ended}
test "no rule"
  given do stop
  then asked: nobody
""",
        encoding="utf-8",
    )
    out = targi("test", str(tmp_path), "--workers", "1").out
    assert "3 tests: 1 failed" in out and "unknown rule `stop`" in out, out


def test_names_of_the_game_come_before_words_of_tests(tmp_path: Path) -> None:
    """Where a line could be about either."""
    rules = """language 2
game heaps
players ann, bob
space heap: row of 2
variable used for each heap: truth
variable offered: 0 to 9
rule setup
  nothing
rule round
  each player: do mark
rule mark
  choose h in heap where not used of h
  set used of h to yes
  set offered to offered + 1
  if offered is at least 4: end game
score s: offered
"""
    text = """language 2
tests of heaps
test "marked"
  given
    used of heap 1: yes
    offered: 3
    do mark by ann, then stop
  then
    used of heap 2: yes
    offered: 4
    asked: nobody
    not offered: 5
"""
    (tmp_path / "heaps.targi").write_text(rules, encoding="utf-8")
    (tmp_path / "heaps.test.targi").write_text(text, encoding="utf-8")
    assert "1 test: none failed" in targi("test", str(tmp_path), "--workers", "1").out


def test_what_has_become_of_a_player_is_no_amount(tmp_path: Path) -> None:
    """Also in a game that has no resources, where `nothing` is still what everybody has."""
    lines = ("black: nothing", "black: out", "black: marble", "outcome of black: out")
    for number, line in enumerate(lines):
        text = f'language 2\ntests of hex_5\ntest "{number}"\n  given\n    {line}\n  then asked: black\n'
        (tmp_path / f"{number}.test.targi").write_text(text, encoding="utf-8")
    out = targi("test", str(tmp_path), "--workers", "1").out
    assert out.count("E650 how much of what?") == 2 and "4 tests: 3 failed" in out
    assert "has a line of its own. Write: outcome of black: out" in out
    assert "This game has no resources. Write: black: nothing" in out
    assert "It is: white." in out


def test_the_example_of_the_page_holds() -> None:
    page = (DOCS / "rule-tests.md").read_text(encoding="utf-8")
    example = page.split("```\n")[1]
    assert len(read_tests(Source("x", example)).tests) == 2
    assert problems(example) == []


def test_a_failure_tells_what_there_is_instead_and_which_rules_acted() -> None:
    (problem,) = problems(f"{SHORT}  when pay 1 goods\n  then blue: 9 dates\n")
    assert problem.code == "E661"
    assert problem.span is not None
    assert problem.span.text == "blue: 9 dates"
    assert problem.text == (
        "It is: blue: 8 dates, 9 points. "
        "The rules that acted: pay_toll, round, robber_moves, count_round, placement, place_targi. "
        "Made at once, since there was no other choice: white: give_toll."
    )


MEN = """\
language 2
tests of breakthrough

test "a board of one's own"
  given
    after setup
    {board}
    do round
"""
"""A game whose setup puts men on two rows of each side."""


def test_a_given_region_has_no_other_pieces_than_those_that_are_named() -> None:
    board = "board: d4 man of black; c5 man of white; h7 man of white"
    others = "; ".join(f"{column}{row} nothing" for column in "abcdefgh" for row in "1268")
    assert not told(MEN.format(board=board) + f"  then board: {others}\n")
    assert not told(MEN.format(board=board) + f"  then {board}; rest nothing\n")
    assert told(MEN.format(board=board) + "  then board: d4 man of black; rest nothing\n")


def test_a_given_space_has_no_other_pieces_than_those_that_are_named() -> None:
    given = MEN.format(board="board a1: man of white")
    assert not told(f"{given}  then board a1: man of white\n")
    assert not told(f"{given}  then board a2: man of black\n")


def test_rest_nothing_also_takes_the_cards_from_other_spaces() -> None:
    line = "centre: a1 camp_3; rest nothing"
    then = f"  then {line}\n"
    assert told(f"{SHORT}    centre: a1 camp_3\n{then}") == [("E661", 12, "this is not so")]
    assert not told(f"{SHORT}    {line}\n{then}")


def test_a_failure_tells_which_answers_nobody_was_asked_for() -> None:
    given = "board: d4 man of black; c5 man of white; d8 man of white; h4 man of black"
    made = " Made at once, since there was no other choice: white: from_square {}."
    chosen = MEN.format(board=given) + "  when from_square d4; to_square c5\n"
    (untrue,) = problems(f"{chosen}  then board: d8 nothing\n")
    (unoffered,) = problems(f"{chosen}  when white: from_square c5\n")
    (unasked,) = problems(f"{chosen}  when black: from_square h4\n")
    for one in (untrue, unoffered, unasked):
        assert one.text.endswith(made.format("d8")), one.text
    begun = MEN.format(board="board: d4 man of black; c5 man of white")
    (problem,) = problems(f"{begun}  then board: d4 nothing\n")
    assert problem.text.endswith(made.format("d4").replace("white:", "black:"))


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("asked: white", "blue"),
        ("choices: pay 1 goods", "pay 1 goods; pay 1 points"),
        ("offered: pay 2 goods", "pay 1 goods; pay 1 points"),
        ("not offered: pay 1 goods", "pay 1 goods is offered"),
        ("refused: pay 1 goods by pay_toll.pay", "offered"),
        ("paid by blue: 1 gold", "nothing"),
        ("acted: raid", "no rule"),
        ("score of blue: 3", "9 (tokens 9)"),
        ("score tokens of blue: 3", "9"),
        ("winners: blue", "nobody"),
        ("ended by finish", "no ended"),
        ("not blue: 9 dates, 9 points", "blue: 9 dates, 9 points"),
        ("border 4: robber", "raid_1"),
        ("display a1 of blue: camp_3", "nothing"),
        ("starter: white", "starter: blue"),
        ("not asked: blue", "asked: blue"),
        ("not winners: nobody", "winners: nobody"),
    ],
)
def test_each_line_of_then_tells_what_there_is_instead(line: str, instead: str) -> None:
    (problem,) = problems(f"{SHORT}  then {line}\n")
    assert problem.code == "E661"
    assert problem.text.startswith(f"It is: {instead}"), problem.text


@pytest.mark.parametrize("line", ["choices: pay 1 goods", "offered: pay 1 goods"])
def test_where_the_game_is_over_nothing_is_offered(line: str) -> None:
    (problem,) = problems(f"{SHORT}  given ended by finish\n  then {line}\n")
    assert problem.text.startswith("It is: no choice."), problem.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("E660", 1, "the beginning is missing")),
        ("language 3\ntests of nim\n", ("E660", 1, "another version of the language")),
        ("language\ntests of nim\n", ("E660", 1, "the beginning is missing")),
        ("language 2\n", ("E660", 1, "tests of no game")),
        (f"{HEAD}tset x\n", ("E660", 3, "this is no part of a file of tests")),
        (f'{HEAD}test "x"\n  thn asked: anna\n', ("E660", 4, "`thn` begins no step")),
        (f'{HEAD}test "x"\n  then a\n    b\n', ("E660", 4, "a step in two places")),
        (f'{HEAD}test "x"\n  with a | b\n    1\n', ("E660", 5, "this row has 1 values")),
        (f'{HEAD}test "x"\n  then {{a}}\n', ("E660", 4, "no column `a`")),
        (f'{HEAD}test "x"\n  with a\n    1\n  with b\n    2\n', ("E660", 6, "a second table")),
        (f'{HEAD}test "x"\n  given after setup\n', ("E660", 3, "this test states nothing")),
        (f'{HEAD}test "x"\n  then asked: ann\n  given after setup\n',
         ("E660", 5, "this is given too late")),
        (f'{HEAD}test "x"\n  then after setup\n', ("E660", 4, "this begins a position")),
        (f'{HEAD}test "x"\n  then asked: nina\n', ("E651", 4, "unknown player `nina`")),
        (
            f'{HEAD}test "x"\n  then not paid by ann: 1 pearl\n',
            ("E651", 4, "unknown resource `pearl`"),
        ),
        (f'{HEAD}test "x"\n  then not offered: s 3; t 3\n', ("E651", 4, "unknown answer `t 3`")),
        (f'{HEAD}test "x"\n  then not choices: s 5\n', ("E651", 4, "unknown answer `s 5`")),
        (f'{HEAD}test "x"\n  then not offered: pay 1 goods\n',
         ("E651", 4, "unknown answer `pay 1 goods`")),
        (f'{SHORT}  then not offered: pay 9 gods; pay 9 goods; pay 1 dates, 1 salt\n',
         ("E651", 11, "unknown answer `pay 9 gods`")),
        (f'{SHORT}  then not refused: hop by game_over\n', ("E651", 11, "unknown answer `hop`")),
        (f'{SHORT}  then not refused: place_targi 1 by occupid, not_now\n',
         ("E651", 11, "unknown reason `occupid`")),
        (f'{HEAD}test "x"\n  when hop\n', ("E662", 4, "`hop` cannot be chosen here")),
        (f'{HEAD}test "x"\n  given chance: roll 7\n  then asked: ann\n',
         ("E662", 4, "`roll 7` did not happen")),
        ('language 2\ntests of pig\ntest "x"\n  then asked: anna\n', ("E662", 2, "this does not end")),
        (f'{HEAD}test "x"\n  given annna: 3\n  then asked: x\n',
         ("E651", 4, "unknown thing `annna`")),
        ('language 2\ntests of pgi\ntest "x"\n  when hop\n', ("E422", 2, "unknown game `pgi`")),
        (f'{HEAD}test "x"\n  given option speed: 3\n  when hop\n', ("E410", 1, "unknown option `speed`")),
    ],
)  # fmt: skip
def test_a_test_that_cannot_be_read_or_carried_out_is_told(
    text: str, expected: tuple[str, int, str]
) -> None:
    assert told(text) == [expected]


def test_a_name_that_can_be_no_choice_is_told_with_what_was_meant() -> None:
    text = f"{SHORT}  then not offered: pay 3 goods; place_tragi 2\n"
    (problem,) = problems(text)
    assert problem.code == "E651"
    assert problem.hint == "Did you mean `place_targi 2`?"


TILES = 'language 2\ntests of tile_layers\ntest "x"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  given kiln: 1, 2\n  then asked: ann\n", "what lies on `1`?"),
        ("  given\n    bag: nothing\n  then asked: ann\n", "nowhere: rest of bag"),
        ("  given bag: nothing\n  then asked: ann\n", "The line of bag leaves no place for"),
        ("  given chance: shuffle tile_jade, tile_ivory\n  then asked: ann\n",
         "Write: chance: shuffle tile_jade; shuffle tile_ivory"),
        ("  given chance: roll 7\n  then asked: ann\n", "It decided last: shuffle tile_"),
        ("  given\n    after setup\n    chance: roll 7\n  then asked: ann\n",
         "The setup before `after setup` takes none from the list."),
        ("  then count of bags: 3\n", "unknown place `bags`"),
        ("  then outcome of ann: fun\n", "There are: playing, won, lost, out, drawn."),
        ("  then outcome of ann: won\n", "It is: playing."),
        ("  then count of kiln 3: 3\n", "It is: 4."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line_is_said_with_what_to_write(text: str, said: str) -> None:
    (problem,) = problems(TILES + text)
    assert said in f"{problem.title}\n{problem.text}\n{problem.hint}"


def test_a_name_that_says_less_than_a_line_needs_is_told_with_the_whole_one() -> None:
    begin = 'language 2\ntests of {}\ntest "x"\n  given {}: 1\n  then asked: nobody\n'
    (pool,) = problems(begin.format("kuhn_poker", "pot"))
    assert pool.hint == "There is: chips of pot."


def test_any_copy_of_a_card_will_do() -> None:
    given = "  given shards: any tile_jade, tile_jade, any tile_jade\n"
    then = "  then\n    shards: any tile_jade, tile_jade, tile_jade.3\n    count of shards: 3\n"
    assert not told(f"{TILES}{given}{then}")
    ((_, _, title),) = told(f"{TILES}  then shards: any tile_jad\n")
    assert title == "unknown card or piece `tile_jad`"
    all_ = ", ".join(["any tile_jade"] * 101)
    assert told(f"{TILES}  given shards: {all_}\n{then}")[0][2] == "no `tile_jade` is left"


def test_winners_are_told_as_a_test_has_them() -> None:
    moves = "; ".join(
        f"round {square}" for square in ("a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3")
    )
    test = f'language 2\ntests of tic_tac_toe\ntest "x"\n  when {moves}\n  then winners: '
    (problem,) = problems(f"{test}nobody\n")
    assert problem.text.startswith("It is: cross, nought. ")
    assert not told(f"{test}cross, nought\n")


def test_the_name_of_a_test_is_filled_in_from_its_row() -> None:
    text = f'{HEAD}test "{{n}} is said"\n  with n | m\n    1 | 2\n  then asked: {{m}}\n'
    (test,) = read_tests(Source("x.test.targi", text)).tests
    assert test.full_name == "1 is said [2]"
    (test,) = read_tests(Source("x.test.targi", text.replace("said", "said, {n}"))).tests
    assert test.full_name == "1 is said, 1 [2]"


def test_a_game_without_tests_and_a_file_that_is_none_are_told(tmp_path: Path) -> None:
    (tmp_path / "untested.targi").write_text("language 2\ngame untested based on nim\n")
    assert "E664" in targi("test", str(tmp_path)).err
    assert "E664" in targi("test", "schema").err
    assert "E422" in targi("test", "hexx").err
    (tmp_path / "x.test.targi").write_text("nonsense\n")
    done = targi("test", str(tmp_path))
    assert done.code == 1
    assert "E660" in done.out


def test_every_test_is_in_the_document(tmp_path: Path) -> None:
    file = tmp_path / "x.test.targi"
    file.write_text(f'{SHORT}  then asked: blue\ntest "b"\n  when hop\n')
    tests = targi("test", str(file), "--json").document["tests"]
    assert [(one["test"], one["cites"], len(one["problems"])) for one in tests] == [
        ("a raid", ["B58"], 0),
        ("b", [], 1),
    ]

"""Problems as values, as terminal text and as JSON."""

from __future__ import annotations

import json
import pickle

import pytest

from targi_dsl.text.diagnostics import Edit, Label, Problem, Problems, render, to_json
from targi_dsl.text.source import Source

SHEET = Source("rules/dry.targi", 'game dry\n\n    without "Silversmit"\n    without "Well"\n')


def unknown(hint: str = 'Did you mean "Silversmith"?') -> Problem:
    start = SHEET.text.index('"Silversmit"')
    span = SHEET.span(start, start + 12)
    return Problem("E204", "unknown card", span, "no card of that name in base.", hint)


def at(source: Source, start: int, end: int, code: str = "E100") -> Problem:
    return Problem(code, "title", source.span(start, end), "text.")


def carets(rendered: str, number: int = 1) -> tuple[str, str]:
    """The text above the carets of an excerpt, and the carets."""
    above, below = rendered.splitlines()[2 * number - 1 : 2 * number + 1]
    start = below.index("^")
    end = start + below.count("^")
    return above[start:end], below.strip()


def test_a_problem_is_shown_with_place_excerpt_carets_and_hint() -> None:
    assert render([unknown()]) == (
        "E204 unknown card\n"
        '  rules/dry.targi:3:13    without "Silversmit"\n'
        "                                  ^^^^^^^^^^^^\n"
        '  no card of that name in base. Did you mean "Silversmith"?'
    )


def test_further_places_are_shown_likewise_with_their_words() -> None:
    problem = Problem(
        "E016",
        "key given twice",
        SHEET.span(33, 39),
        "it has a value already.",
        labels=(Label(SHEET.span(0, 4), "first given here"),),
    )
    lines = render([problem]).splitlines()
    assert lines[3] == "  rules/dry.targi:1:1     game dry"
    assert lines[4] == "                          ^^^^ first given here"
    assert lines[1].index("without") == lines[3].index("game")


def test_a_hint_of_several_lines_can_be_pasted() -> None:
    assert render([unknown("one: 1\ntwo: 2")]).endswith(
        "\n  no card of that name in base. Write:\n  one: 1\n  two: 2"
    )


def test_a_long_hint_has_a_line_of_its_own() -> None:
    hint = "long " * 15 + "hint"
    assert render([unknown(hint)]).splitlines()[-2:] == [
        "  no card of that name in base. Write:",
        f"  {hint}",
    ]


def test_what_is_to_be_written_is_led_over_to() -> None:
    for text, hint, shown in (
        ("There is one.", "day", "There is one. Write: day"),
        ("There is one.", "2 day", "There is one. Write: 2 day"),
        ("There is one.", "rule a\n  stop", "There is one. Write:\n  rule a\n    stop"),
        ("There is one:", "day", "There is one: day"),
        ("There is one.", "Did you mean `day`?", "There is one. Did you mean `day`?"),
        ("There is one.", "`day` is meant.", "There is one. `day` is meant."),
        ("There is one.", "", "There is one."),
    ):
        problem = Problem("E001", "title", None, text, hint, file="b")
        assert render([problem]).endswith(f"b\n  {shown}")


def test_a_problem_without_span_names_its_file() -> None:
    problem = Problem("E001", "file too large", None, "too many bytes.", file="big.yaml")
    assert render([problem]) == "E001 file too large\n  big.yaml\n  too many bytes."


def test_an_empty_span_at_the_end_of_a_file_gets_one_caret() -> None:
    source = Source("a", "x\n")
    assert render([at(source, 2, 2)]).splitlines()[1:3] == ["  a:2:1", "           ^"]


def test_a_span_of_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    source = Source("a", "  one two\nthree")
    assert carets(render([at(source, 6, 12)])) == ("two", "^^^")


def test_a_tab_is_one_column_and_controls_reach_no_terminal() -> None:
    source = Source("a\x1b[2J", "x\ty\x1b[31m\u202e bad\ud800 here")
    start = source.text.index("bad")
    rendered = render([at(source, start, start + 3)])
    assert carets(rendered) == ("bad", "^^^")
    assert rendered.replace("\n", "").isprintable()


def test_an_indented_tab_is_still_above_its_caret() -> None:
    lines = render([at(Source("a", "  \tx: 1"), 2, 3)]).splitlines()
    assert lines[1].index("x") == lines[2].index("^") + 1


@pytest.mark.parametrize("start", [0, 30, 500, 960, 990])
def test_a_long_line_is_cut_around_the_span(start: int) -> None:
    text = "".join(f"{number:04} " for number in range(200))
    rendered = render([at(Source("a", text), start, start + 9)])
    assert carets(rendered) == (text[start : start + 9].rstrip(), "^" * 9)
    assert all(len(line) <= 106 for line in rendered.splitlines())
    assert ("..." in rendered) and (rendered.count("...") == 2) == (0 < start - 50 < 850)


def test_a_span_longer_than_the_screen_is_shown_from_its_begin() -> None:
    rendered = render([at(Source("a", "x" * 50 + "y" * 300), 50, 350)])
    above, below = carets(rendered)
    assert set(above) == {"y"}
    assert len(below) < 100


def test_problems_are_kept_once_and_in_order_of_place() -> None:
    a, b = Source("a", "one\ntwo"), Source("b", "one")
    fileless = Problem("E001", "title", None, "text.", file="b")
    wanted = [
        at(a, 1, 2),
        at(a, 4, 5),
        at(a, 5, 6, "E100"),
        at(a, 5, 6, "E101"),
        fileless,
        at(b, 0, 1),
    ]
    assert Problems([*reversed(wanted), at(a, 4, 5)]).problems == tuple(wanted)


def test_two_faults_at_one_place_are_both_kept() -> None:
    one = at(SHEET, 0, 4)
    other = Problem(one.code, "other title", one.span, one.text)
    assert len(Problems([one, other]).problems) == 2


def test_raised_problems_print_as_the_text_for_people() -> None:
    with pytest.raises(Problems, match="E204 unknown card"):
        raise Problems([unknown()])
    assert str(Problems([unknown()])) == render([unknown()])


def test_problems_survive_pickling() -> None:
    copy = pickle.loads(pickle.dumps(Problems([unknown()])))
    assert str(copy) == render([unknown()])


def test_json_has_every_key_and_places_count_from_one() -> None:
    problem = Problem(
        "W901",
        "unused",
        SHEET.span(10, 10),
        "text.",
        "hint",
        (Label(SHEET.span(0, 9), "here"),),
        "see",
        edits=(Edit(SHEET.span(0, 9), "new"),),
    )
    place = {"file": "rules/dry.targi"}
    assert json.loads(json.dumps(to_json([problem]))) == {
        "problems": [
            {
                "code": "W901",
                "severity": "warning",
                "title": "unused",
                **place,
                "line": 3,
                "column": 1,
                "end_line": 3,
                "end_column": 1,
                "labels": [
                    {
                        **place,
                        "line": 1,
                        "column": 1,
                        "end_line": 2,
                        "end_column": 1,
                        "text": "here",
                    }
                ],
                "text": "text.",
                "hint": "hint",
                "edits": [
                    {**place, "line": 1, "column": 1, "end_line": 2, "end_column": 1, "new": "new"}
                ],
                "help": "see",
            }
        ]
    }


def test_json_of_a_problem_without_span_has_the_file_and_no_place() -> None:
    found = to_json([Problem("E001", "title", None, "text.", file="big.yaml")])["problems"]
    assert isinstance(found, list)
    assert (found[0]["file"], found[0]["line"], found[0]["end_column"]) == ("big.yaml", None, None)

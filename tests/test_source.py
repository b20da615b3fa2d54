"""Sources, spans, and bytes turned into sources."""

from __future__ import annotations

import tracemalloc

import pytest

from targi_dsl.text.decoding import LARGEST_FILE, LONGEST_LINE, check_size, decode
from targi_dsl.text.diagnostics import Edit, Problem, Problems, apply_edits
from targi_dsl.text.source import Embedded, Section, Source, Span, Unit


def refusal(name: str, data: bytes) -> Problem:
    with pytest.raises(Problems) as caught:
        decode(name, data)
    (problem,) = caught.value.problems
    return problem


def place(problem: Problem) -> tuple[int, int]:
    assert problem.span is not None
    return problem.span.line, problem.span.column


def test_every_offset_has_the_line_and_column_that_counting_gives() -> None:
    source = Source("a", "ä😀\n\nxyz\nq")
    line, column = 1, 1
    for offset, character in enumerate(source.text):
        assert source.position(offset) == (line, column)
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
    assert source.position(len(source.text)) == (4, 2)


def test_an_offset_outside_the_text_counts_as_its_nearest_end() -> None:
    source = Source("a", "x\nyz")
    assert source.position(-5) == (1, 1)
    assert source.position(99) == (2, 3)


def test_only_a_line_feed_ends_a_line() -> None:
    assert Source("a", "x\u2028y\x0bz\n").position(4) == (1, 5)


def test_lines_come_without_their_line_feed() -> None:
    source = Source("a", "one\n\nthree")
    assert [source.line(number) for number in (1, 2, 3)] == ["one", "", "three"]
    for number in (0, 4):
        with pytest.raises(IndexError):
            source.line(number)


def test_an_empty_text_has_one_empty_line() -> None:
    source = Source("a", "")
    assert source.position(0) == (1, 1)
    assert source.line(1) == ""


def test_a_span_knows_where_it_begins_and_ends() -> None:
    span = Source("a", "one\ntwo three").span(8, 13)
    assert span.text == "three"
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 5, 2, 10)


def test_a_span_covers_another_from_either_side() -> None:
    source = Source("a", "one two three")
    one, three = source.span(0, 3), source.span(8, 13)
    assert one.cover(three) == three.cover(one) == source.span(0, 13)
    assert source.span(0, 13).cover(source.span(4, 7)) == source.span(0, 13)


def test_spans_of_two_sources_cannot_be_covered() -> None:
    with pytest.raises(ValueError, match="two sources"):
        Source("a", "x").span(0, 1).cover(Source("b", "x").span(0, 1))


def test_spans_are_equal_by_place_and_sources_by_identity() -> None:
    source, twin = Source("a", "x"), Source("a", "x")
    assert source.span(0, 1) == Span(source, 0, 1)
    assert source.span(0, 1) != twin.span(0, 1)
    assert len({source, twin, source}) == 2


def test_an_embedded_text_says_where_its_characters_stand() -> None:
    source = Source("a", "k: 'it''s'")
    inner = Embedded(source, "it's", (4, 5, 6, 8, 9))
    assert inner.span(0, 2).text == "it"
    assert inner.span(2, 3).text == "''"
    assert inner.span(3, 4).text == "s"
    assert inner.span(4, 4) == source.span(9, 9)


def test_an_embedded_span_leaves_out_the_indentation_of_the_next_line() -> None:
    source = Source("a", "k: one\n   two")
    inner = Embedded(source, "one two", (3, 4, 5, 6, 10, 11, 12, 13))
    assert inner.span(0, 4).text == "one\n"
    assert inner.span(0, 7).text == "one\n   two"


def test_an_empty_embedded_text_has_a_place() -> None:
    source = Source("a", 'k: ""')
    assert Embedded(source, "", (4,)).span(0, 0) == source.span(4, 4)


def test_an_embedded_text_needs_an_offset_for_its_end() -> None:
    with pytest.raises(ValueError, match="2 offsets for 2 characters"):
        Embedded(Source("a", "xy"), "xy", (0, 1))


def test_every_kind_of_line_end_becomes_a_line_feed() -> None:
    assert decode("a", b"1\r\n2\r3\n\r\n4").text == "1\n2\n3\n\n4"


def test_a_byte_order_mark_is_dropped_once() -> None:
    assert decode("a", "\ufeffx".encode()).text == "x"
    assert decode("a", "\ufeff\ufeffx".encode()).text == "\ufeffx"


def test_an_empty_file_is_an_empty_text() -> None:
    assert decode("a", b"").text == ""


def test_a_file_over_the_size_is_refused_unread() -> None:
    check_size("a", LARGEST_FILE)
    with pytest.raises(Problems) as caught:
        check_size("a", LARGEST_FILE + 1)
    (problem,) = caught.value.problems
    assert (problem.code, problem.file, problem.span) == ("E001", "a", None)
    assert refusal("a", b"\n" * (LARGEST_FILE + 1)).code == "E001"


@pytest.mark.parametrize(
    ("data", "code", "expected"),
    [
        (b"one\r\nt\xc3\xa4 \xff", "E002", (2, 4)),
        (b"\xe2\x82", "E002", (1, 1)),
        (b"\xed\xa0\x80", "E002", (1, 1)),
        ("text".encode("utf-16"), "E002", (1, 1)),
        (b"ab\nc\0d", "E003", (2, 2)),
        (b"\x89PNG\r\n\x1a\n\0\0", "E003", (3, 1)),
    ],
)
def test_bytes_that_are_no_text_are_refused_at_their_place(
    data: bytes, code: str, expected: tuple[int, int]
) -> None:
    problem = refusal("a", data)
    assert (problem.code, place(problem)) == (code, expected)
    assert problem.hint


def test_every_line_too_long_is_refused_where_it_is_too_long() -> None:
    longest = "x" * LONGEST_LINE
    assert decode("a", f"{longest}\n{longest}".encode()).text == f"{longest}\n{longest}"
    with pytest.raises(Problems) as caught:
        decode("a", f"{longest}y\nz\n{longest}yy\n".encode())
    found = [(one.code, place(one)) for one in caught.value.problems]
    assert found == [("E004", (1, LONGEST_LINE + 1)), ("E004", (3, LONGEST_LINE + 1))]


@pytest.mark.parametrize("unit", ["code point", "utf-8", "utf-16"])
def test_columns_are_counted_in_each_unit_and_found_again(unit: Unit) -> None:
    source = Source("a", "ä😀x\n\ny😀\n")
    sizes = {"code point": 0, "utf-8": 8, "utf-16": 16}
    for offset in range(len(source.text) + 1):
        line, column = source.position(offset, unit)
        before = source.line(line)[: source.position(offset)[1] - 1]
        if unit == "code point":
            assert column == len(before) + 1
        else:
            encoded = before.encode("utf-8" if unit == "utf-8" else "utf-16-le")
            assert column == len(encoded) * 8 // sizes[unit] + 1
        assert source.offset(line, column, unit) == offset


def test_a_place_outside_the_text_is_its_nearest_end() -> None:
    source = Source("a", "ab\ncd")
    assert [source.offset(*place) for place in ((0, 5), (1, 9), (2, 0), (9, 1))] == [0, 2, 3, 5]


def test_a_column_inside_a_character_is_that_character() -> None:
    assert Source("a", "😀x").offset(1, 2, "utf-16") == 0
    assert Source("a", "äx").offset(1, 2, "utf-8") == 0


def test_spans_of_a_section_move_with_it() -> None:
    before = Source("a", "one\ntwo three\n")
    section = Section(before, 4, 14)
    span = section.span(4, 9)
    assert (span.text, span.line, span.column, span.start) == ("three", 2, 5, 8)
    after = Source("a", "one\nand a half\n\ntwo three\n")
    section.move(after, 16)
    assert (span.text, span.line, span.column, span.source) == ("three", 4, 5, after)
    assert span.cover(section.span(0, 3)) == section.span(0, 9)
    assert span.cover(after.span(0, 3)) == after.span(0, 25)


def test_edits_are_applied_together() -> None:
    source = Source("a", "one\n  gains a, b\nthree\n")
    edits = [Edit(source.span(6, 11), "gain"), Edit(source.span(13, 14), " and")]
    assert apply_edits(edits) == "one\n  gain a and b\nthree\n"


def test_a_text_of_line_feeds_costs_little_more_than_itself() -> None:
    text = "\n" * 1_000_000
    tracemalloc.start()
    source = Source("a", text)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert source.position(len(text)) == (1_000_001, 1)
    assert most < 10_000_000

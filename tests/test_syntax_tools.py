"""The services of the syntax for tools: completion, incremental parsing, repairs, sources, limits."""

from __future__ import annotations

from functools import partial
from textwrap import indent

import pytest

from targi_dsl.cardfiles import CardCache, read_cards, scalar_at
from targi_dsl.syntax import ParseCache, expected_at, parse_ability, parse_file, parser, read_file
from targi_dsl.syntax import ast as n
from targi_dsl.syntax.completion import Start
from targi_dsl.syntax.lexer import LONGEST_NAME
from targi_dsl.text.diagnostics import Problem, apply_edits
from targi_dsl.text.source import Source
from tests.work import work_of

RULE = "language 2\nrule r\n  "

# ---- what can be written at a place ----


@pytest.mark.parametrize(
    ("text", "start", "kinds"),
    [
        (RULE + "do ", "file", {"rule"}),
        (RULE + "gain 2 ", "file", {"resource"}),
        (RULE + "place ", "file", {"piece"}),
        (RULE + "let ", "file", {"new"}),
        (RULE + "choose x in ", "file", {"any", "property"}),
        (RULE + "if x is a ", "file", {"kind"}),
        ("language 2\nzone hand: ", "file", {"kind"}),
        ("language 2\nset corners: ", "file", {"region"}),
        ("language 2\nrelation r on ", "file", {"region"}),
        ("language 2\ngame g\n  rules ", "file", {"module"}),
        ("language 2\ngame g\n  deck pile: ", "file", {"set"}),
        ("language 2\nzone ", "file", {"new"}),
        ("language 2\nrul", "file", set()),
        ("always: ignore ", "ability", {"forbid"}),
        ("always, when you gain ", "ability", {"resource"}),
        ("2 ", "cost", {"resource"}),
        ("base where ", "deck", {"property", "any"}),
        ("do ", "action", {"rule"}),
    ],
)
def test_the_kind_of_name_that_is_expected(text: str, start: Start, kinds: set[str]) -> None:
    assert expected_at(text, len(text), start).kinds == kinds


def test_the_words_that_are_expected_and_what_is_begun() -> None:
    text = RULE + "gai\n  stop\n"
    expected = expected_at(text, text.index("gai") + 3)
    assert expected.prefix == "gai"
    assert {"gain", "choose", "if"} <= set(expected.words)
    after = RULE + "stop\n  "
    assert expected_at(after, len(after)).words == expected.words
    assert "rule" in expected_at(text, len(text)).words
    assert expected_at(RULE + "gain ", len(RULE) + 5).number
    assert expected_at("language 2\nmodule m ", 20).text


@pytest.mark.parametrize(
    "text", ["# ga", RULE + 'forbid x: no because "ga', RULE + "gain ) ", RULE + "stop # ga"]
)
def test_nothing_is_expected_in_comments_and_texts_and_after_a_fault(text: str) -> None:
    expected = expected_at(text, len(text))
    assert not expected.words and not expected.kinds


@pytest.mark.parametrize("quote", ['"', "'", ""])
@pytest.mark.parametrize("cache", [None, CardCache()])
def test_what_can_be_written_in_a_string_of_a_card(quote: str, cache: CardCache | None) -> None:
    text = (
        "language: 2\nset: s\nkind: k\ncards:\n  - id: a\n    name: {en: A}\n"
        f"    action: {quote}gain 2 gold then do raid{quote}\n"
    )
    file, _ = read_cards(Source("a.yaml", text), cache)
    assert file is not None
    for word, kind in (("gold", "resource"), ("raid", "rule")):
        found = scalar_at(file.node, text.index(word) + 2)
        assert found is not None
        scalar, offset = found
        expected = expected_at(str(scalar.value), offset, "action")
        assert (set(expected.kinds), expected.prefix) == ({kind}, word[:2])
    assert scalar_at(file.node, 0) is None


# ---- reading again after an edit ----

FILE = "language 2\n\n# B1\nrule a\n  stop\n\nrule b\n  gain 1 gold  # yes\n\ndefine c: 3\n"


def test_what_did_not_change_is_the_same_object_at_its_new_place() -> None:
    cache = ParseCache()
    before = read_file(Source("x", FILE), cache)
    after = read_file(Source("x", FILE.replace("  stop", "  nothing\n  stop")), cache)
    assert [old.node is new.node for old, new in zip(before.parts, after.parts, strict=True)] == [
        True,
        False,
        True,
        True,
    ]
    fresh = read_file(Source("x", after.source.text))
    assert [node.span.line for node in after.declarations] == [
        node.span.line for node in fresh.declarations
    ]
    for kept, new in zip(after.declarations, fresh.declarations, strict=True):
        assert kept == new
        places = [(one.span.start, one.span.end, one.span.text) for one in kept.walk()]
        assert places == [(one.span.start, one.span.end, one.span.text) for one in new.walk()]


def test_two_declarations_of_one_text_stay_two() -> None:
    cache = ParseCache()
    text = "language 2\nrule a\n  stop\nrule a\n  stop\n"
    read_file(Source("x", text), cache)
    file = read_file(Source("x", "\n" + text), cache)
    assert [node.span.line for node in file.declarations] == [2, 3, 5]


def test_a_fault_is_told_again_where_it_stands_now() -> None:
    cache = ParseCache()
    text = "language 2\nrule a\n  stopp\nrule b\n  stop\n"
    read_file(Source("x", text), cache)
    (problem,) = read_file(Source("x", "# new\n" + text), cache).problems
    assert problem.span is not None and problem.span.line == 4


def test_nodes_say_what_is_below_them() -> None:
    (_, rule), _ = parse_file(Source("x", RULE + "if a is b: gain 1 gold\n"))
    (statement,) = (one for one in rule.walk() if isinstance(one, n.If))
    assert [type(one).__name__ for one in statement.walk()] == [
        *("If", "Binary", "Name", "Name", "Gain", "Price", "Amount", "Number", "Word")
    ]
    assert [type(one).__name__ for one in statement.children()] == ["Binary", "Gain"]


# ---- sources ----


def test_any_line_may_say_where_it_comes_from() -> None:
    text = (
        'language 2\nmodule m "M" source "cover"\nrule r source "B1, B2"\n'
        '  if a is b source "B3"\n    stop source "B4"\n  otherwise: stop source "B5"\n'
        'define d: 3 source "B6"  # and why\nresource gold source "B7"\n'
        'card k source "B8"\n  worth: number source "B9"\n'
    )
    file = read_file(Source("x", text))
    assert file.problems == ()
    assert sorted(word.text for word in file.citations) == [
        *("B1, B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "cover")
    ]
    assert {word.span.line for word in file.citations} == set(range(2, 11))
    plain = parse_file(Source("x", text.replace(' source "', ' # "')))[0]
    assert file.declarations == plain


# ---- repairs ----

PHRASES = [
    ("spend 1 gold", "unknown instruction `spend`", "pay 1 gold"),
    ("loses 1 gold", "unknown instruction `loses`", "lose 1 gold"),
    ("draw 2 cards from pile", "`draw` is written differently here", ""),
    (
        "draw 2 cards from pile to sack",
        "`draw` is written differently here",
        "draw 2 from pile to sack",
    ),
    ("deal 2 to each player", "`deal` is written differently here", ""),
    ("discard hand", "unknown instruction `discard`", ""),
    ("while day is 3", "unknown instruction `while`", ""),
    ("win", "unknown instruction `win`", "you win"),
    (
        "opponent draws 1 from pile to sack",
        "`opponent` is written differently here",
        "turn of opponent: draw 1 from pile to sack",
    ),
    ("you gain 1 gold", "`you` is written differently here", "gain 1 gold"),
    ("do raid with 1 gold or 1 tea, 1", "a price needs braces here", None),
    ("gain gold and 2 tea", "how many `gold`?", "gain 1 gold and 2 tea"),
    ("if a is b && c is d: stop", "unknown symbol `&&`", "if a is b and c is d: stop"),
    ("foreach x in hand: stop", "unknown instruction `foreach`", "each x in hand: stop"),
    ("gain 1 gold source B22", "a source needs quotes", 'gain 1 gold source "B22"'),
    ("one of: stop", "`one of` takes no `:` here", "one of\n  stop"),
]


def repaired(problem: Problem) -> str:
    """The text after the repair, which must parse."""
    text = apply_edits(problem.edits)
    assert parse_file(Source("x", text))[1] == ()
    return text


@pytest.mark.parametrize(("line", "title", "hint"), PHRASES)
def test_what_other_languages_say_gets_the_phrase_of_this_one(
    line: str, title: str, hint: str | None
) -> None:
    (problem,) = parse_file(Source("x", RULE + line + "\n"))[1]
    assert problem.title == title
    if hint:
        assert problem.hint == hint
        assert f"\n{indent(hint, '  ')}\n" in repaired(problem)
    elif problem.edits:
        repaired(problem)


@pytest.mark.parametrize("word", ["elif", "else if"])
@pytest.mark.parametrize("then", [": stop", "\n    stop"])
def test_a_second_condition_is_otherwise_if(word: str, then: str) -> None:
    lines = f"if a is b\n    stop\n  {word} c is d{then}\n"
    (problem,) = parse_file(Source("x", RULE + lines))[1]
    assert problem.title == f"unknown instruction `{word}`"
    assert repaired(problem).splitlines()[4] == f"  otherwise if c is d{then}".splitlines()[0]


@pytest.mark.parametrize("written", ["gold limit", "gold-limit"])
def test_a_name_is_one_word(written: str) -> None:
    (problem,) = parse_file(Source("x", f"language 2\ndefine {written}: 3\n"))[1]
    assert repaired(problem) == "language 2\ndefine gold_limit: 3\n"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("at end: gain 2 points if a is b", "at end: score 2 if a is b"),
        ("always: x becomes 2 when during raid", "always: x becomes 2 if during raid"),
        ("once, gain 1 gold", "once: gain 1 gold"),
    ],
)
def test_a_repair_of_an_ability(text: str, hint: str) -> None:
    source = Source("x", text)
    (problem,) = parse_ability(source)[1]
    assert problem.hint == hint == apply_edits(problem.edits)
    assert parse_ability(Source("x", hint))[1] == ()


# ---- limits and time ----


def codes(text: str) -> list[str]:
    return [problem.code for problem in parse_file(Source("x", text))[1]]


def test_a_name_has_at_most_so_many_letters() -> None:
    assert codes(f"language 2\nresource {'a' * LONGEST_NAME}\n") == []
    assert codes(f"language 2\nresource {'a' * (LONGEST_NAME + 1)}\n") == ["E114"]


def test_a_declaration_has_at_most_so_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MOST_WORDS", 30)
    fits = "language 2\nrule r\n" + "  stop\n" * 12
    assert codes(fits) == []
    assert codes(fits + "  stop\n") == ["E115"]


def test_a_file_has_at_most_so_many_declarations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MOST_DECLARATIONS", 5)
    fits = "language 2\n" + "".join(f"define d{at}: 1\n" for at in range(4))
    assert codes(fits) == []
    assert codes(fits + "define e: 1\n" * 3) == ["E116"]


@pytest.mark.parametrize(
    ("head", "line"),
    [("rule r\n", "  stop\n"), ("", "# c\n"), ("", "define d: 1\n")],
    ids=["a long rule", "comments", "declarations"],
)
def test_a_text_twice_as_large_is_twice_the_work(head: str, line: str) -> None:
    text = f"language 2\n{head}{line}"
    small, large = (text + line * size for size in (500, 1000))
    assert codes(small) == codes(large) == []  # the first text also builds the parser
    one, two = (work_of(partial(codes, whole)) for whole in (small, large))
    assert 1.5 * one < two < 2.2 * one

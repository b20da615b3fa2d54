"""The language as written: every sentence, and every error in words."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import GrammarError, Lark
from msgspec import Struct

from targi_dsl.syntax import ast as n
from targi_dsl.syntax import (
    builder,
    grammar,
    parse_ability,
    parse_action,
    parse_cost,
    parse_deck,
    parse_file,
    parse_value,
    read_file,
)
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Embedded, Source, Span
from tests.grammar_use import SAMPLES, SNAPSHOT
from tests.texts import game_text

Found = tuple[Problem, ...]

STRINGS = {
    "ability": parse_ability,
    "action": parse_action,
    "cost": parse_cost,
    "deck": parse_deck,
    "value": parse_value,
}

EXAMPLE = game_text("sentences.targi")


def _is_said(node: object, field: str) -> bool:
    """Whether a field belongs to the sentence: it is neither the location nor an omitted wording."""
    left_out = field == "wording" and getattr(node, field) is None
    return field != "span" and not left_out


def shape(node: Any) -> str:
    """A node without its places."""
    if isinstance(node, n.Word | n.Name | n.Quoted):
        return node.text
    if isinstance(node, n.Number):
        return str(node.value)
    if isinstance(node, n.Amount):
        return " ".join(
            part for part in (shape(node.quantity), node.how, node.resource.text) if part
        )
    if isinstance(node, n.Price):
        ways = " or ".join(" and ".join(map(shape, way)) for way in node.alternatives)
        return (
            f"{{{ways} plus {shape(node.extra)} for {shape(node.reward)}}}"
            if node.extra
            else f"{{{ways}}}"
        )
    if isinstance(node, tuple):
        return "[" + ", ".join(map(shape, node)) + "]"
    if isinstance(node, Struct):
        said = (name for name in node.__struct_fields__ if _is_said(node, name))
        parts = [shape(getattr(node, name)) for name in said]
        return f"{type(node).__name__}({', '.join(parts)})"
    return f"'{node}'" if isinstance(node, str) else repr(node)


def parse_sample(where: str, sample: str) -> tuple[Any, Found, str]:
    """The node of a sample, the problems, and the whole text it was read in."""
    if where in STRINGS:
        node, problems = STRINGS[where](Source("sample", sample))
        return node, problems, sample
    if where == "rule":
        sample = "rule r\n" + "".join(f"  {line}\n" for line in sample.split("\n"))
    elif where == "expr":
        sample = f"define d: {sample}"
    text = sample if sample.startswith("language") else f"language 2\n{sample}"
    declarations, problems = parse_file(Source("sample", text))
    last = declarations[-1]
    part = last.body if where == "rule" and isinstance(last, n.Rule) else last
    return (part.value if where == "expr" and isinstance(part, n.Define) else part), problems, text


def walk(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        for one in node:
            yield from walk(one)
    elif isinstance(node, Struct) and not isinstance(node, Span):
        yield node
        for name in node.__struct_fields__:
            yield from walk(getattr(node, name))


def problems_of(text: str) -> Found:
    return parse_file(Source("x.targi", text))[1]


def test_every_construct_becomes_its_node() -> None:
    """A new sample needs no node: UPDATE_SNAPSHOTS=1 writes it."""
    nodes = []
    for where, sample in SAMPLES:
        node, problems, _ = parse_sample(where, sample)
        assert problems == (), sample
        nodes.append(f"## {where}\n{sample}\n=> {shape(node)}\n")
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text("\n".join(nodes), encoding="utf-8")
    assert "\n".join(nodes) == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize(("where", "sample"), SAMPLES)
def test_spans_hold_what_the_nodes_say(where: str, sample: str) -> None:
    node, _, text = parse_sample(where, sample)
    for one in walk(node):
        said = text[one.span.start : one.span.end]
        assert said == said.strip() != ""
        if isinstance(one, n.Word | n.Name | n.Keyword):
            assert said == one.text
        elif isinstance(one, n.Number):
            assert int(said) == one.value
        for part in walk(
            tuple(getattr(one, name) for name in one.__struct_fields__ if name != "span")
        ):
            assert one.span.start <= part.span.start <= part.span.end <= one.span.end


def test_a_node_covers_its_sentence_and_nothing_after_it() -> None:
    declarations, _ = parse_file(Source("x", EXAMPLE))
    rule = declarations[6]
    assert isinstance(rule, n.Rule)
    assert [one.span.text.split("\n")[0] for one in rule.body] == [
        line[2:] for line in EXAMPLE.split("\n")[10:16]
    ]
    assert rule.span.text.startswith("rule place_targi\n") and rule.span.text.endswith("do limits")


def test_the_samples_use_every_construct_of_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()

    build = builder.Builder.__default__

    def recorded(self: builder.Builder, data: str, children: list[Any], meta: Any) -> Any:
        used.add(data)
        return build(self, data, children, meta)

    monkeypatch.setattr(builder.Builder, "__default__", recorded)
    for where, sample in SAMPLES:
        parse_sample(where, sample)
    rules = [rule for rule in grammar.language().parser.rules if rule.origin.name[0] != "_"]
    inlined = {rule.origin.name for rule in rules if rule.options.expand1 and not rule.alias}
    constructs = {str(rule.alias or rule.origin.name) for rule in rules}
    assert used >= constructs - inlined


def test_a_character_that_cannot_be_seen_is_told() -> None:
    (problem,) = problems_of("language 2\nrule r\n  gain 1 gold\u200b\n")
    assert problem.span is not None
    assert (problem.code, problem.span.column, problem.hint) == ("E111", 14, "gain 1 gold")


@pytest.mark.parametrize("seed", range(60))
def test_one_broken_word_is_at_most_one_problem_in_its_declaration(seed: int) -> None:
    chance = random.Random(seed)
    lines = EXAMPLE.split("\n")
    words = [
        (at, found)
        for at, line in enumerate(lines[1:], 1)
        for found in re.finditer(
            r"[a-z_]+|[0-9]+|->|[:,()]", re.sub(r"#.*|\".*?\"", lambda m: " " * len(m[0]), line)
        )
    ]
    at, found = chance.choice(words)
    word = found.group()
    letter = chance.randrange(len(word))
    broken = chance.choice(
        [
            "",
            word[:letter] + word[letter + 1 :],
            word[:letter] + chance.choice("qxz;=@A") + word[letter:],
            word + word,
        ]
    )
    lines[at] = lines[at][: found.start()] + broken + lines[at][found.end() :]
    starts = [number for number, line in enumerate(lines) if re.match("[a-zA-Z]", line)]
    begin = max(number for number in starts if number <= at) if starts and starts[0] <= at else 0
    end = min((number for number in starts if number > at), default=len(lines))
    problems = problems_of("\n".join(lines))
    assert len(problems) <= 1
    for problem in problems:
        assert problem.span is not None
        assert begin < problem.span.line <= end


def test_random_text_is_never_an_exception() -> None:
    chance = random.Random(7)
    pieces = [
        *re.findall(r"\S+|\s+", EXAMPLE),
        "(",
        ")",
        "{",
        '"',
        "\t",
        "é",
        "_x",
        "\n",
        "\n   ",
        "1" * 5000,
        "\0",
    ]
    for _ in range(60):
        text = "".join(chance.choices(pieces, k=40))
        parse_file(Source("x", text))
        for parse in STRINGS.values():
            parse(Source("x", text))


@pytest.mark.parametrize(
    "expression",
    ["(" * 65 + "x" + ")" * 65, "not " * 5000 + "x", "y of " * 5000 + "x", "1" + " + 1" * 5000],
)
def test_what_goes_too_deep_is_refused(expression: str) -> None:
    assert [one.code for one in problems_of(f"language 2\ndefine d: {expression}\n")] == ["E106"]


def test_lines_may_go_64_deep() -> None:
    def nested(depth: int) -> str:
        return (
            "language 2\nrule r\n"
            + "".join(" " * level + "may\n" for level in range(1, depth))
            + " " * depth
            + "stop"
        )

    assert problems_of(nested(64)) == ()
    assert [one.code for one in problems_of(nested(65))] == ["E106"]


def test_a_card_string_points_into_its_file() -> None:
    file = Source("cards.yaml", 'action: "gain 1\n  godl or"\n')
    text = "gain 1 godl or"
    offsets = [file.text.index("gain") + at for at in range(7)] + [
        file.text.index("godl") + at for at in range(8)
    ]
    node, (problem,) = parse_action(Embedded(file, text, offsets))
    assert node is None and problem.span is not None
    assert (problem.span.line, problem.span.column, problem.span.text) == (2, 8, "or")


def test_a_card_string_may_have_several_lines() -> None:
    node, problems = parse_ability(Source("x", "always:\n  gain 1 gold\n"))
    assert problems == () and node is not None
    assert shape(node.body) == "EffectBody([Gain({1 gold})])"
    assert [one.code for one in parse_cost(Source("x", " \n"))[1]] == ["E101"]


def test_a_line_goes_on_with_a_word_that_begins_no_sentence() -> None:
    one_line = """\
rule leave with s as "leave {s}" shows "alone" if a or b source "B1"
  forbid gap: a is b and b is c because "a gap"
  stop
"""
    lines = """\
rule leave with s as "leave {s}"
    shows "alone" if a
      or b
    source "B1"
  forbid gap: a is b
    and b is c
    because "a gap"
  stop
"""
    read = [parse_file(Source("x", f"language 2\n{text}")) for text in (one_line, lines)]
    assert [problems for _, problems in read] == [(), ()]
    assert shape(read[0][0]) == shape(read[1][0])


def test_words_of_the_language_can_be_names_where_they_mean_nothing_else() -> None:
    text = (
        "language 2\nrule show with card, row, space\n"
        "  choose piece in row row of your display\n  stop\n"
    )
    assert problems_of(text) == ()
    reserved = grammar.language().reserved
    assert {"first", "your", "any", "of", "is", "where", "if", "nothing"} <= reserved
    assert (
        not {"action", "card", "cards", "player", "row", "space", "place", "gain", "move"}
        & reserved
    )


def test_comments_are_kept_with_their_declaration() -> None:
    text = (
        "language 2 # B1 B2\n# alone\n\n# above\n# both\n"
        'rule r\n  forbid x: no because "# no" # yes\n'
    )
    file = read_file(Source("x", text))
    comments = [[one.text for one in part.comments] for part in file.parts]
    assert comments == [["B1 B2", "alone"], ["above", "both", "yes"]]
    assert [one.span.line for one in file.comments] == [1, 2, 4, 5, 7]
    assert [one.span.text for one in file.comments][:2] == ["# B1 B2", "# alone"]


def test_line_ends_and_blank_ends_make_no_difference() -> None:
    assert problems_of("\n# c\nlanguage 2\r\nrule r\r\n  stop   \r\n\r\n  # c\r\n") == ()
    assert problems_of("language 2\nrule r\n\n      # c\n  stop") == ()


def grammar_text() -> str:
    return Path(grammar.__file__).with_name("grammar.lark").read_text(encoding="utf-8")


def test_the_grammar_has_no_conflicts() -> None:
    grammar.make_parser(grammar_text())
    with pytest.raises(GrammarError):
        grammar.make_parser(grammar_text().replace("action: inline", "action: inline | simple"))


@pytest.mark.parametrize("given", ["sentences", "faults"])
def test_lark_reads_the_language(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    parse = Lark.parse

    def recorded(self: Lark, text: Any, start: str | None = None) -> Any:
        read.append(start or "")
        return parse(self, text, start)

    monkeypatch.setattr(Lark, "parse", recorded)
    parse_cost(Source("x", "1 gold" if given == "sentences" else "1 1"))
    assert read == ["cost"]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A parser that has not been loaded yet, with its table in a separate folder."""
    file = tmp_path / "grammar.table"
    monkeypatch.setattr(grammar, "TABLE", file)
    read = grammar._data
    monkeypatch.setattr(
        grammar, "_data", lambda name: file.read_bytes() if name == file.name else read(name)
    )
    grammar.language.cache_clear()
    yield file
    grammar.language.cache_clear()


def cost() -> str:
    grammar.language.cache_clear()
    return shape(parse_cost(Source("x", "1 gold or 2 salt"))[0])


def test_the_parser_is_read_from_its_table(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cost() == "{1 gold or 2 salt}"
    assert fresh.exists()
    reserved = grammar.language().reserved
    monkeypatch.delattr(grammar, "make_parser")
    assert cost() == "{1 gold or 2 salt}"
    assert grammar.language().reserved == reserved


def test_a_table_of_another_grammar_is_made_anew(fresh: Path) -> None:
    fresh.write_bytes(b"\0" * 100)
    assert cost() == "{1 gold or 2 salt}"
    assert fresh.stat().st_size > 10_000


def test_without_a_place_for_the_table_the_parser_is_made_each_time(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grammar, "TABLE", fresh.parent / "nowhere" / "grammar.table")
    assert cost() == "{1 gold or 2 salt}"
    assert not fresh.exists()


def test_a_line_of_thousands_of_words_is_explained_in_time() -> None:
    (problem,) = problems_of("language 2\nresource " + "abc, " * 1500 + "abc abd")
    assert problem.title == "`,` is missing after `abc`"


@pytest.mark.parametrize("step", [1, 2, 3, 6])
def test_a_block_begins_as_far_in_as_one_likes(step: int) -> None:
    lines = (
        "rule pause", "+if gold is 1", "++gain 1 gold", "++gain 1 points", "+otherwise", "++stop",
        "+stop",
    )  # fmt: skip
    (_, said), problems = parse_file(
        Source("a.targi", "language 2\n" + "\n".join(lines).replace("+", " " * step))
    )
    assert problems == ()
    (_, usual), _ = parse_file(
        Source("a.targi", "language 2\n" + "\n".join(lines).replace("+", "  "))
    )
    assert shape(said) == shape(usual)


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("define cost: 3 if day is 1\n    otherwise 2 if day is 2\n    otherwise 1",
         "define cost: 3 if day is 1 otherwise 2 if day is 2 otherwise 1"),
        ("define cost:\n  day\n  + 2 * day\n  if day is 1", "define cost: day + 2 * day if day is 1"),
        ("replace score fame: day\n  - 1", "replace score fame: day - 1"),
        ("rule r\n  set day to 3 if day is 1\n    otherwise 2",
         "rule r\n  set day to 3 if day is 1 otherwise 2"),
        ("rule r\n  ann pays 1 coins\n    otherwise stop", "rule r\n  ann pays 1 coins otherwise stop"),
        ("values rank:\n  two 2, three 3,\n  four 4", "values rank: two 2, three 3, four 4"),
        ("extend values rank:\n  five", "extend values rank: five"),
        ("relation way on board: a1 to b1,\n  b1 to c1", "relation way on board: a1 to b1, b1 to c1"),
        ("rule r\n  choose n in (1,\n    2)", "rule r\n  choose n in (1, 2)"),
    ],
)  # fmt: skip
def test_a_value_continues_on_lines_below_it(lines: str, line: str) -> None:
    said, usual = (parse_file(Source("a.targi", f"language 2\n{text}\n")) for text in (lines, line))
    assert (said[1], said[0]) == ((), usual[0])

"""The reader of YAML, with locations, and card files."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

import targi_dsl.cardfiles.yaml_files as yaml_files
from targi_dsl.cardfiles import (
    CardCache,
    CardFile,
    Mapping,
    Node,
    Scalar,
    Sequence,
    plain,
    read_cards,
    read_yaml,
    validate,
)
from targi_dsl.compiler.load import check
from targi_dsl.compiler.project.discovery import of_texts
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem, apply_edits, render
from targi_dsl.text.source import Source
from tests.corpus import FOLDER, Trial, cases, written
from tests.small_game import FILES

LOADERS: list[Any] = [yaml.SafeLoader]
if yaml.__with_libyaml__:
    LOADERS.append(yaml.CSafeLoader)


@pytest.fixture(params=LOADERS, ids=lambda loader: str(loader.__name__), autouse=True)
def both_loaders(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result must not depend on whether libyaml is installed."""
    monkeypatch.setattr(yaml_files, "LOADER", request.param)


# What other readers of YAML take for true, numbers of all kinds, dates or nothing.
TEXTS = """
yes no on off y n True FALSE Null ~
010 -0 +1 1_000 1:30 1e3 1.5 .5 0x1F 0o7 ١٢ 2024-01-02 .inf .nan =
"""


def places(problems: list[Problem]) -> list[tuple[str, int, int]]:
    return [
        (one.code, one.span.line if one.span else 0, one.span.column if one.span else 0)
        for one in sorted(problems, key=lambda one: (one.span.start if one.span else 0, one.code))
    ]


def node_of(text: str) -> Node:
    node, problems = read_yaml(Source("a.yaml", text))
    assert not problems, render(problems)
    assert node is not None
    return node


def value_of(text: str) -> Scalar:
    """The value of the only key of a mapping."""
    node = node_of(text)
    assert isinstance(node, Mapping)
    (value,) = node.entries.values()
    assert isinstance(value, Scalar)
    return value


def scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Mapping():
            for value in node.entries.values():
                yield from scalars(value)
        case _:
            for item in node.items:
                yield from scalars(item)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("0", 0),
        ("7", 7),
        ("-12", -12),
        ("2147483647", 2147483647),
        ("-2147483648", -2147483648),
        ("'7'", "7"),
        ('"true"', "true"),
        ("''", ""),
        *((word, word) for word in TEXTS.split()),
    ],
)
def test_a_value_is_what_it_looks_like(written: str, value: object) -> None:
    found = value_of(f"key: {written}\n").value
    assert (found, type(found)) == (value, type(value))


def test_a_node_gives_the_same_as_ordinary_data() -> None:
    text = "a: [1, {b: true}]\nc:\n- x\n- \nd: {}\n"
    assert plain(node_of(text)) == {"a": [1, {"b": True}], "c": ["x", None], "d": {}}


def test_a_block_ends_with_its_last_value_and_not_with_what_follows() -> None:
    node = node_of("a:\n  b: 1\n  c: |\n    text\n\n# remark\nd: [1, 2] # remark\n")
    assert isinstance(node, Mapping)
    assert node.entries["a"].span.text == "b: 1\n  c: |\n    text"
    assert node.entries["d"].span.text == "[1, 2]"
    assert node.keys["d"].text == "d"
    assert (node.span.start, node.span.end_line) == (0, 7)


BAD = [
    (f"a: {'9' * 9000}\n", "E018", 1, 4),
    ("é: \x1b[31m\n", "E019", 1, 4),
    ("a: 1\rb: 2\n", "E019", 1, 5),
    ("a: x\u2028y\n", "E019", 1, 5),
    ("a: x\u202ey\n", "E019", 1, 5),
    ("a: \ud800\n", "E019", 1, 4),
    ("\ufeffa: 1\n", "E019", 1, 1),
    ("a: [1, [2,\n\n", "E010", 1, 8),
    ("[" * 100_000, "E011", 1, 65),
    ("{a: " * 30_000, "E011", 1, 257),
    ("- " * 50_000, "E011", 1, 129),
]
"""Those that can be written in tests/corpus/yaml.txt are there."""


@pytest.mark.parametrize("name", ["yaml", "cards"])
def test_what_is_told_of_a_file_does_not_depend_on_the_library(name: str) -> None:
    assert written(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("text", "code", "line", "column"), BAD, ids=lambda value: str(value)[:24])
def test_bad_yaml_is_one_problem_at_its_place(text: str, code: str, line: int, column: int) -> None:
    _, problems = read_yaml(Source("a.yaml", text))
    assert places(problems) == [(code, line, column)]


def test_a_file_has_so_many_values_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "- 1\n" * 100
    read = 100 + 6  # also the beginnings and ends of the stream, the document and the list
    monkeypatch.setattr(yaml_files, "MOST", read)
    assert read_yaml(Source("a.yaml", text))[1] == []
    monkeypatch.setattr(yaml_files, "MOST", read - 1)
    assert places(read_yaml(Source("a.yaml", text))[1]) == [("E022", 101, 1)]


def test_a_syntax_problem_speaks_plainly() -> None:
    said = [one.said for one in cases("yaml") if one.said.startswith("E010")]
    assert len(said) > 25
    for word in ("token", "scalar", "block end", "stream", "node", "flow", "mapping", "context"):
        assert word not in "\n".join(said)


@pytest.mark.parametrize("escape", [r"\q", r"\xZZ", r"\ud800", r"\UFFFFFFFF", r"\U00110000"])
def test_an_escape_that_is_none_is_a_problem(escape: str) -> None:
    # Where exactly, the two loaders say differently.
    _, problems = read_yaml(Source("a.yaml", f'a: "{escape}"\n'))
    assert [(one.code, one.span is not None and one.span.line) for one in problems] in (
        [("E010", 1)],
        [("E019", 1)],
    )


def test_64_lists_inside_each_other_are_read() -> None:
    assert read_yaml(Source("a.yaml", "[" * 64 + "]" * 64))[1] == []


def test_depth_counts_what_is_open_and_not_what_there_is() -> None:
    assert read_yaml(Source("a.yaml", "- [[[[]]]]\n" * 100))[1] == []


def test_a_key_in_quotes_may_look_like_anything() -> None:
    text = "'1': a\n'<<': b\n'null': c\n"
    assert plain(node_of(text)) == {"1": "a", "<<": "b", "null": "c"}


def test_all_faults_of_a_file_are_told_at_once() -> None:
    text = "a: 1\na: *x\n2: !t y\n<<: 99999999999\nb: [\n"
    _, problems = read_yaml(Source("a.yaml", text))
    assert places(problems) == [
        ("E016", 2, 1),
        ("E012", 2, 4),
        ("E017", 3, 1),
        ("E014", 3, 4),
        ("E013", 4, 1),
        ("E018", 4, 5),
        ("E010", 5, 4),
    ]


def test_of_a_key_given_twice_the_first_counts_and_is_shown() -> None:
    node, (problem,) = read_yaml(Source("a.yaml", "a: 1\na: 2\n"))
    assert node is not None
    assert plain(node) == {"a": 1}
    assert [label.span.line for label in problem.labels] == [1]


@pytest.mark.parametrize("text", ["", "\n\n", "# only a remark\n"])
def test_an_empty_file_has_no_node_and_no_problem(text: str) -> None:
    assert read_yaml(Source("a.yaml", text)) == (None, [])


SPELLINGS = [
    ("a: plain text\n", "plain text", "plain text"),
    ("a: ü😀 text # remark\n", "ü😀 text", "ü😀 text"),
    ("ä😀: [é, plain text]\n", None, None),
    ("a: one\n  two\n\n\n  three\n", "one two\n\nthree", "one\ntwo\n\nthree"),
    ("a: one  \n   two\n", "one two", "one\ntwo"),
    ("a: 'one \t \n \t two'\n", "one two", "one\ntwo"),
    ("a: 'it''s ''so'''\n", "it's 'so'", "it's 'so'"),
    ("a: 'one\n\n   two  x'\n", "one\ntwo  x", "one\ntwo  x"),
    ("a: ' x '\n", " x ", " x "),
    ('a: "x y"\n', "x y", "x y"),
    ('a: "one\n  two"\n', "one two", "one\ntwo"),
    ("a: |\n  one\n   two\n\n  three ü\n", "one\n two\n\nthree ü\n", "one\n two\n\nthree ü\n"),
    ("a: |-\n\n  one\n  two", "\none\ntwo", "\none\ntwo"),
    ("a: |2+ # remark\n    one\n\n\nb: 1\n", "  one\n\n\n", "  one\n\n\n"),
    ("a: |\n  one\n\n# remark\n", "one\n", "one\n"),
    ("a: >\n  one\n  two\n\n  three\n", "one two\nthree\n", "one\ntwo\nthree\n"),
    ("a: >-\n  one\n\n    two\n    x\n  three\n", "one\n\n  two\n  x\nthree", None),
    ("a: >+\n\n  one\n  two\n\n\n", "\none two\n\n\n", None),
    ("a: >2\n    one\n  two\n", "  one\ntwo\n", None),
    ("- >\n one\n two\n", None, None),
]


@pytest.mark.parametrize(("text", "value", "shown"), SPELLINGS)
def test_every_character_of_a_text_has_its_place(
    text: str, value: str | None, shown: str | None
) -> None:
    first, *rest = scalars(node_of(text))
    if value is not None:
        assert first.value == value
    for scalar in (first, *rest):
        inner = scalar.text
        source = inner.home.text
        assert sorted(inner.offsets) == list(inner.offsets)
        assert len(set(inner.offsets)) == len(inner.offsets), "no two characters at one place"
        for character, offset in zip(inner.text, inner.offsets, strict=False):
            folded = character == " " and source[offset] == "\n"
            assert folded or source[offset : offset + 1] in (character, "")
    if shown is not None:
        written = "".join(text[offset : offset + 1] for offset in first.text.offsets[:-1])
        assert written == shown


@pytest.mark.parametrize(
    ("written", "value", "part", "where"),
    [
        (r'"a\tb"', "a\tb", "\t", r"\t"),
        (r'"a\x41b"', "aAb", "A", r"\x41"),
        (r'"a\u00e9b"', "aéb", "é", r"\u00e9"),
        (r'"a\U0001F600b"', "a😀b", "😀", r"\U0001F600"),
        (r'"a\"b"', 'a"b', '"', r"\""),
        (r'"a\\b"', r"a\b", "\\", r"\\"),
        (r'"\x41\u00e9 end"', "Aé end", "end", "end"),
        ('"one \\\n    two"', "one two", "two", "two"),
        ('"one\\\n\n    two"', "one\ntwo", "two", "two"),
        ('"one\\\n   \\ two"', "one two", " ", "\\ "),
        ("'it''s'", "it's", "'", "''"),
        ("'it''s'", "it's", "t'", "t''"),
    ],
)
def test_a_span_in_an_escaped_text_covers_the_escape(
    written: str, value: str, part: str, where: str
) -> None:
    inner = value_of(f"a: {written}\n").text
    assert inner.text == value
    start = value.index(part)
    assert inner.span(start, start + len(part)).text == where


def test_the_end_of_a_text_has_a_place_also_when_it_is_empty() -> None:
    for text, column in (("a: ''\n", 5), ("a: x\n", 5), ("a:\n", 3), ('a: "x"\n', 6)):
        inner = value_of(text).text
        assert inner.span(len(inner.text), len(inner.text)).column == column


@pytest.mark.parametrize("style", ["", "'", '"', "|", ">"])
def test_any_text_that_yaml_can_write_is_found_again(style: str) -> None:
    """Texts written by PyYAML in each style: every visible character is where its offset says."""
    chance = random.Random(7)
    for _ in range(300):
        length = chance.randrange(1, 60)
        text = "".join(chance.choice("abc'é😀#:-  \n") for _ in range(length))
        written = yaml.dump(
            {"a": [text]}, default_style=style, allow_unicode=True, width=chance.choice((12, 80))
        ).replace("!!str ", "")
        node, problems = read_yaml(Source("a.yaml", written))
        assert node is not None, render(problems)
        (scalar,) = scalars(node)
        # Not always the text itself: what PyYAML writes as `>` it does not always read back.
        text = yaml.safe_load(written)["a"][0]
        assert scalar.value == text
        offsets = list(scalar.text.offsets)
        assert offsets == sorted(set(offsets)), written
        for character, offset in zip(text, offsets, strict=False):
            if character not in " \n":
                assert written[offset] in (character, "\\"), written


def test_a_long_file_of_folded_lines_is_read_in_reasonable_time() -> None:
    # A walk that copies the rest of the text for each line would take minutes.
    inner = value_of("a: >\n" + "  x y\n" * 30_000).text
    assert len(inner.text) == 120_000
    assert inner.offsets[-2] == 5 + 30_000 * 6 - 1


SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["size"],
    "additionalProperties": False,
    "properties": {
        "size": {"type": "integer", "minimum": 1},
        "colour": {"enum": ["red", "green"]},
        "names": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[a-z]+$"},
            "maxItems": 2,
        },
        "either": {"anyOf": [{"type": "integer"}, {"type": "object", "required": ["x"]}]},
        "word": {"type": ["string", "integer"]},
        "title": {"type": "object", "required": ["en"]},
    },
}


@pytest.mark.parametrize(
    ("text", "code", "column", "words"),
    [
        ("size: two", "E503", 7, "A number is needed here, not the text 'two'."),
        ("size: true", "E503", 7, "A number is needed here, not true."),
        ("size: [1]", "E503", 7, "A number is needed here, not a list."),
        ("size:", "E503", 6, "Nothing follows the colon; a number belongs there."),
        ("size: 0", "E506", 7, "The number must be at least 1."),
        ("{size: 1, word: [a]}", "E503", 17, "A text or a number is needed here, not a list."),
        ("{size: 1, names: [a, 1]}", "E503", 22, "A text is needed here, not the number 1."),
        ("{size: 1, names: [a, b, c]}", "E506", 18, "The list must have at most 2 entries, not 3."),
        ("{size: 1, names: [A]}", "E506", 19, "'A' does not have the right form."),
        ("{size: 1, colour: gren}", "E504", 19, 'Only "red", "green" may stand here.'),
        (
            "{size: 1, color: red}",
            "E502",
            11,
            "Possible keys are: size, colour, names, either, word, title.",
        ),
        ("{size: 1, either: x}", "E506", 19, "This has none of the allowed forms."),
        ("{}", "E501", 1, '"size" is needed here.'),
        ("[1]", "E503", 1, "A block of keys is needed here, not a list."),
    ],
)
def test_what_does_not_fit_a_schema_is_said_plainly_at_its_place(
    text: str, code: str, column: int, words: str
) -> None:
    (problem,) = validate(node_of(text), SCHEMA)
    assert problem.span is not None
    assert (problem.code, problem.span.column, problem.text) == (code, column, words)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("{size: 1, color: red}", "Did you mean `colour`?"),
        ("{size: 1, colour: gren}", "Did you mean `green`?"),
        ("{size: 1, colour: blue}", ""),
        ("{size: 1, names: [1]}", 'Write `"1"` in quotes for a text.'),
        ("{size: 1, title: Pie}", "Texts are given by language. Write `{en: Pie}`."),
        ("{size: 1, title: 'No: pie'}", 'Texts are given by language. Write `{en: "No: pie"}`.'),
    ],
)
def test_a_hint_says_what_was_probably_meant(text: str, hint: str) -> None:
    (problem,) = validate(node_of(text), SCHEMA)
    assert problem.hint == hint


def test_each_unknown_key_and_each_missing_one_is_its_own_problem() -> None:
    schema = {"type": "object", "required": ["a", "b"], "additionalProperties": False}
    problems = validate(node_of("x: 1\ny: 2\n"), schema)
    assert sorted((one.code, one.title) for one in problems) == [
        ("E501", '"a" is missing'),
        ("E501", '"b" is missing'),
        ("E502", 'unknown key "x"'),
        ("E502", 'unknown key "y"'),
    ]


def test_a_misspelt_key_is_not_reported_as_missing_too() -> None:
    assert [one.code for one in validate(node_of("sise: 1"), SCHEMA)] == ["E502"]


def test_a_pattern_does_not_overlook_a_last_line_feed() -> None:
    node = node_of("size: 1\nnames:\n- |\n  abc\n")
    assert [one.code for one in validate(node, SCHEMA)] == ["E506"]


def test_what_fits_gives_no_problem() -> None:
    text = "{size: 3, colour: red, names: [a, b], either: {x: 1}, word: w}"
    assert validate(node_of(text), SCHEMA) == []


HEAD = "language: 2\nset: base\nkind: plain_card\n"
FULL = (
    HEAD
    + """\
source: public
cards:
  - id: well_1
    number: 1
    copies: 2
    name: {en: Well, de: Brunnen}
    short: Wel
    text: {en: "Fresh: water"}
    source: {cost: public, ability: reconstructed}
    symbol: well
    points: 3
    open: true
    cost: "2 blue and 1 red"
    ability: [draw one, keep it]
  - id: camp_1
    name: {en: Camp}
    short: {en: Cmp, es: Tda}
    source: reconstructed
"""
)


def cards_of(text: str) -> CardFile:
    file, problems = read_cards(Source("a.yaml", text))
    assert not problems, render(problems)
    assert file is not None
    return file


def card(lines: str) -> str:
    """A file of one card; the tested part begins in line 7."""
    return HEAD + "cards:\n- " + f"id: a\nname: {{en: A}}\n{lines}".replace("\n", "\n  ") + "\n"


def test_a_card_file_is_read_as_written() -> None:
    file = cards_of(FULL)
    assert (file.set, file.kind, file.source) == ("base", "plain_card", "public")
    well, camp = file.cards
    assert (well.id, well.number, well.copies, well.shorts) == ("well_1", 1, 2, {"en": "Wel"})
    assert well.names == {"en": "Well", "de": "Brunnen"}
    assert well.texts == {"en": "Fresh: water"}
    assert well.sources == {"cost": "public", "ability": "reconstructed"}
    assert {key: plain(value) for key, value in well.fields.items()} == {
        "symbol": "well",
        "points": 3,
        "open": True,
        "cost": "2 blue and 1 red",
        "ability": ["draw one", "keep it"],
    }
    assert (camp.number, camp.copies, camp.shorts, camp.texts) == (
        None,
        1,
        {"en": "Cmp", "es": "Tda"},
        {},
    )
    assert (camp.sources, camp.fields) == ("reconstructed", {})


def test_everything_of_a_card_has_its_place() -> None:
    file = cards_of(FULL)
    well, camp = file.cards
    assert file.span.start == 0
    assert (well.span.line, well.span.column, well.span.end_line) == (6, 5, 17)
    assert (camp.keys["id"].line, camp.node.entries["id"].span.column) == (18, 9)
    cost = well.fields["cost"]
    assert isinstance(cost, Scalar)
    found = cost.text.span(7, 11)
    assert (cost.text.text[7:11], found.text, found.line, found.column) == ("and ", "and ", 16, 19)


def test_the_file_may_be_written_as_json() -> None:
    data = plain(cards_of(FULL).node)
    assert plain(cards_of(json.dumps(data, indent=1)).node) == data


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ("E500", 1, 1)),
        (HEAD + "cards: [" + "{id: a, name: {en: A}}, " * 1001 + "]", ("E506", 4, 8)),
    ],
    ids=["empty", "1,001 cards"],
)
def test_a_bad_card_file_is_one_problem_at_its_place(
    text: str, place: tuple[str, int, int]
) -> None:
    file, problems = read_cards(Source("a.yaml", text))
    assert file is None
    assert places(problems) == [place]


def test_a_file_at_fault_has_no_cards() -> None:
    """tests/corpus/cards.txt has what is told of each."""
    for case in cases("cards"):
        assert read_cards(Source("a.yaml", Trial.of(case).files["a.yaml"]))[0] is None


def test_a_newer_language_is_named_with_the_one_that_is_read() -> None:
    _, (problem,) = read_cards(Source("a.yaml", FULL.replace("language: 2", "language: 3")))
    assert problem.text == "This file is written in language 3; this program reads language 2."


def test_the_hint_for_an_empty_file_is_a_card_file() -> None:
    _, (problem,) = read_cards(Source("a.yaml", ""))
    assert cards_of(problem.hint).cards == ()


@pytest.mark.parametrize("missing", ["language", "set", "kind", "cards"])
def test_the_hint_for_a_missing_key_mends_the_file(missing: str) -> None:
    lines = [*HEAD.splitlines(), "cards: []"]
    kept = [line for line in lines if not line.startswith(missing)]
    _, (problem,) = read_cards(Source("a.yaml", "\n".join(kept)))
    added = problem.hint.removeprefix("Add `").removesuffix("`.")
    assert cards_of("\n".join([*kept, added])).cards == ()


def test_a_value_refused_as_yaml_is_not_reported_again_as_a_card() -> None:
    _, problems = read_cards(Source("a.yaml", card("number: *x\nshort: 1")))
    assert places(problems) == [("E012", 7, 11), ("E503", 8, 10)]


@pytest.mark.parametrize(("key", "code"), [("id", "E508"), ("number", "E509")])
def test_an_id_or_number_given_twice_names_both_places(key: str, code: str) -> None:
    second = "- id: b\n  number: 1\n  name: {en: B}\n"
    if key == "id":
        second = "- id: a\n  number: 2\n  name: {en: B}\n"
    file, (problem,) = read_cards(Source("a.yaml", card("number: 1") + second))
    assert file is not None
    assert len(file.cards) == 2
    line = 8 if key == "id" else 9
    assert places([problem]) == [(code, line, 7 if key == "id" else 11)]
    assert [label.span.line for label in problem.labels] == [line - (3 if key == "id" else 2)]


def test_the_schema_is_itself_a_valid_schema() -> None:
    from jsonschema import Draft202012Validator

    data = resources.read("schema/cards.json")
    assert data is not None
    Draft202012Validator.check_schema(json.loads(data))


def test_a_source_is_free_text_for_the_card_or_key_by_key() -> None:
    assert cards_of(card('source: "rulebook, page 4"')).cards[0].sources == "rulebook, page 4"
    assert cards_of(card("source: {name: by hand}")).cards[0].sources == {"name": "by hand"}
    assert cards_of(card("")).cards[0].sources == {}
    _, problems = read_cards(Source("a.yaml", card('source: ""')))
    assert places(problems) == [("E506", 7, 11)]


@pytest.mark.parametrize(("length", "codes"), [(5000, []), (5001, ["E506"])])
def test_a_text_has_a_length(length: int, codes: list[str]) -> None:
    text = card(f"text: {{en: {'a' * length}}}")
    assert [one.code for one in read_cards(Source("a.yaml", text))[1]] == codes


def test_a_text_without_its_end_quote_is_told_where_it_begins() -> None:
    text = FULL.replace('"2 blue and 1 red"', '"2 blue').replace("[draw one, keep it]", '"once"')
    (problem,) = read_cards(Source("a.yaml", text))[1]
    assert places([problem]) == [("E010", 16, 11)]
    assert problem.hint == '"2 blue"'
    assert read_cards(Source("a.yaml", apply_edits(problem.edits)))[1] == []


# ---- reading again after an edit ----

SETS = sorted(name for name in resources.names("cards", ".yaml"))


@pytest.mark.parametrize("name", SETS)
def test_entry_by_entry_a_file_says_the_same(name: str) -> None:
    source = Source(name, (resources.read(f"cards/{name}") or b"").decode())
    cache = CardCache()
    file, problems = read_cards(source, cache)
    whole, _ = read_cards(source)
    assert file is not None and whole is not None and problems == []
    assert cache.files[name]
    assert plain(file.node) == plain(whole.node)
    for one, other in zip(_nodes(file.node), _nodes(whole.node), strict=True):
        assert (one.span.start, one.span.end) == (other.span.start, other.span.end)
        assert type(one) is type(other)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Sequence():
            for item in node.items:
                yield from _nodes(item)
        case Mapping():
            for value in node.entries.values():
                yield from _nodes(value)


def test_an_entry_that_did_not_change_is_the_same_object_at_its_new_place() -> None:
    cache = CardCache()
    before, _ = read_cards(Source("a.yaml", FULL), cache)
    changed = FULL.replace("points: 3", "points: 3\n    more: 1")
    after, _ = read_cards(Source("a.yaml", changed), cache)
    assert before is not None and after is not None
    assert [old.node is new.node for old, new in zip(before.cards, after.cards, strict=True)] == [
        False,
        True,
    ]
    assert after.cards[1].span.line == 19
    assert after.cards[1].node.entries["id"].span.text == "camp_1"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("points: 3", "points: {a: 1}"),
        ("symbol: well", "symbol: 'well"),
        ("id: camp_1", "id: well_1"),
        ("cards:", "cards: # all\n\n  # of them"),
        ("cards:", "- cards"),
        ("source: public\n", "sauce: public\n"),
        ("short: Wel", 'short: "We\n  - l"'),
    ],
)
def test_with_a_cache_the_same_is_told(old: str, new: str) -> None:
    text = FULL.replace(old, new)
    cache = CardCache()
    read_cards(Source("a.yaml", FULL), cache)
    told = [render(read_cards(Source("a.yaml", text), one)[1]) for one in (cache, None)]
    assert told[0] == told[1]


# ---- sentences of cards ----


def test_several_abilities_are_a_list_of_texts() -> None:
    one = '    ability: "once: gain 1 fame"\n'
    two = '    ability: ["once: gain 1 fame", "once: gain 1 twigs"]\n'
    cards = FILES["pond/pond_plans.yaml"].replace(one, two)
    game, problems = check("pond", of_texts({**FILES, "pond/pond_plans.yaml": cards}))
    assert game is not None and problems == ()
    assert [ability.name for ability in game.abilities][:2] == ["raft.1", "raft.2"]

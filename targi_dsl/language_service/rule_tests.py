"""Names in rule tests: which symbols the words of a line refer to, and which words may stand
there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from targi_dsl.compiler.index import Index, Occurrence, Symbol
from targi_dsl.compiler.symbols.mentions import COUNTED, SINGULAR, THINGS
from targi_dsl.records.testing import FIELD, Phase, RuleTest, TestFile, cells
from targi_dsl.text.source import Embedded, Source, Span
from targi_dsl.text.structs import Frozen

_RULES = ("rule", "card")
CHOICE = ("answer", *_RULES, "exchange", "standing ability", *COUNTED, *THINGS)
"""Kinds of symbols in the ids of choices."""
_AMOUNT = (*COUNTED, SINGULAR)
_REASON = ("prohibition", *_RULES, "answer", "standing ability")
_KEY = ("player", "variable", "zone", "space", *_AMOUNT, "piece", "card", *THINGS)
_THING = ("card", "piece", "player", *_AMOUNT, "zone", "value", *THINGS)
_KINDS = {
    "rule": _RULES,
    "player": ("player",),
    "option": ("option",),
    "setting": ("option value",),
    "score": ("score", "card"),
    "offer": CHOICE,
    "outcome": _THING,
    "reason": _REASON,
    "amount": (*_AMOUNT, "player"),
    "key": _KEY,
    "thing": _THING,
    "argument": (*_THING, *_RULES),
}
"""The kinds of symbols for each part of a line, in order of preference."""
CHOSEN = ("offer", "outcome")
"""The parts of lines that begin with the label of a question."""
_ANY = {
    "given": (
        r"option (?P<option>[^:]*)(?::(?P<setting>.*))?",
        r"(?:players:|seed\b|after setup).*",
        r"chance:(?P<outcome>.*)",
    ),
    "when": (r"chance:(?P<outcome>.*)", r"(?:(?P<player>[\w ]+):)?(?P<offer>.*)"),
    "then": (
        r"asked:(?P<player>.*)",
        r"winners:(?P<player>.*)",
        r"outcome of (?P<player>[^:]*):.*",
        r"count of (?P<key>[^:]*):.*",
        r"(?:choices|offered|not offered):(?P<offer>.*)",
        r"refused:(?P<offer>.*?)(?: by (?P<reason>.*))?",
        r"score (?:(?P<score>.*) )?of (?P<player>[^:]*):.*",
        r"score (?P<score>\w+)",
        r"paid by (?P<player>[^:]*):(?P<amount>.*)",
        r"(?:acted|not acted):(?P<rule>.*)",
    ),
}
_POSITION = (
    r"(?:not )?ended by (?P<rule>.*)",
    r"(?:not )?do (?P<rule>\w*)(?P<argument>.*)",
    r"(?:not )?(?:used|remembered) (?P<offer>.*)",
    r"(?:not )?stored \d* (?P<amount>\w*)(?: on (?P<thing>.*))?",
    r"(?:not )?secret \d* (?P<key>.*)",
    r"(?:not )?in (?P<rule>\w*) at (?P<argument>[^:]*:.*)",
    r"(?:not )?(?P<key>[^:]*)(?::(?P<thing>.*))?",
)
_FORMS = {
    kind: tuple(map(re.compile, (*forms, *(_POSITION if kind != "when" else ()))))
    for kind, forms in _ANY.items()
}
"""The forms of lines of each step; named groups are the parts with names."""
_WORD = re.compile(r"[a-z]\w*")
_CHOSEN = re.compile(r" (?!by )\w")
"""What follows a rule that asks for one thing; an answer of the same name stands alone."""
_OF_POSITIONS = ("ended by ", "in ", "remembered ", "secret ", "stored ", "used ")
BEGINNINGS = {
    "": ("language 2", "tests of ", "before each", 'test "'),
    "test": ("given", "when", "then", "again", "with"),
    "given": ("after setup", "chance: ", "do ", "option ", "players: ", "seed ", *_OF_POSITIONS),
    "when": ("chance: ",),
    "then": (
        "asked: ", "choices: ", "offered: ", "not offered: ", "refused: ", "paid by ", "acted: ",
        "not acted: ", "score of ", "count of ", "winners: ", "outcome of ", "not ",
        *_OF_POSITIONS,
    ),
}  # fmt: skip
"""Beginnings of lines, by step."""


class Word(Frozen):
    """A word of a line, with the kinds of symbols that it can refer to. within: the option of a
    value.
    """

    start: int
    end: int
    kinds: tuple[str, ...]
    part: str
    within: str = ""


def words_of(kind: str, line: str) -> Iterator[Word]:
    """The words of a line of a step that may be names."""
    found = next((one for form in _FORMS[kind] if (one := form.fullmatch(line))), None)
    for part, text in found.groupdict().items() if found else ():
        start = found.start(part) if found and text else 0
        for word in _WORD.finditer(text or ""):
            within = (found["option"] or "").strip() if found and part == "setting" else ""
            at = start + word.start()
            yield Word(at, start + word.end(), _KINDS[part], part, within)


def names_in(file: TestFile, index: Index) -> tuple[Occurrence, ...]:
    """The names in the tests of a file. A word composed of columns of a table has one span for all
    rows, with a different name in each.
    """
    found = dict[tuple[int, int, str], Occurrence]()
    for test in file.tests:
        for phase in test.phases:
            for line in phase.lines:
                for name, start, end, symbol in _in_line(phase, line, index):
                    span = _place(test, line, start, end)
                    found.setdefault((span.start, span.end, name), Occurrence(name, span, symbol))
    return tuple(found.values())


def _in_line(
    phase: Phase, line: Embedded, index: Index
) -> Iterator[tuple[str, int, int, Symbol | None]]:
    question: Symbol | None = None
    for word in words_of(phase.kind, line.text):
        name = line.text[word.start : word.end]
        symbol = index.symbol(index.chosen_kinds(question) or word.kinds, name, word.within)
        if symbol is not None and symbol.kind == "answer" and _CHOSEN.match(line.text, word.end):
            symbol = index.symbol(_RULES, name) or symbol
        asked = index.questions.get(name, ()) if word.part in CHOSEN else ()
        if asked and symbol is not None and symbol.kind == "field":
            symbol = None  # the local name of the question, not the field
        if len(asked) == 1 and (symbol is None or line.text[: word.start].endswith("random ")):
            (symbol,) = asked
        question = symbol if symbol in index.questions.get(name, ()) else None
        if symbol is not None:
            yield name, word.start, word.end, symbol
        elif word.part == "offer" and "_" in name:
            yield from _joined(name, word.start, index)


def _joined(name: str, start: int, index: Index) -> Iterator[tuple[str, int, int, Symbol | None]]:
    """The names in an id that is a sentence joined by `_`; the longest matches are taken."""
    parts, at = name.split("_"), 0
    while at < len(parts):
        for end in range(len(parts), at, -1):
            own = "_".join(parts[at:end])
            if own == "action" and parts[at - 1 : at] == ["do"]:
                continue  # the action of a card, whatever its field is called
            symbol = index.symbol(CHOICE, own) or index.local(own, name)
            if symbol is not None and end - at < len(parts):
                begin = start + sum(len(one) + 1 for one in parts[:at])
                yield own, begin, begin + len(own), symbol
                break
        else:
            end = at + 1
        at = end


def _place(test: RuleTest, line: Embedded, start: int, end: int) -> Span:
    """The span of a word of a line: in the line, or in a cell of a table."""
    source = line.home.source
    offsets = line.offsets[start:end]
    fields = {at: field for at in offsets if (field := _field(source, at))}
    if not fields:
        return line.span(start, end)
    if len({*offsets}) == 1:
        (field,) = fields.values()
        cell = test.cells[field[1]]
        at = start - list(line.offsets).index(offsets[0])
        return Span(cell.home, cell.first + at, cell.first + at + end - start)
    last = fields.get(offsets[-1])
    return source.span(offsets[0], last.end() if last else offsets[-1] + 1)


def _field(source: Source, at: int) -> re.Match[str] | None:
    return FIELD.match(source.text, at) if source.text[at] == "{" else None


def is_put_together(span: Span) -> bool:
    """Whether a name in a test is composed of columns of a table."""
    return "{" in span.text


def step_at(text: str, offset: int) -> tuple[str, str]:
    """The step at an offset of a file of tests, "" outside of tests and "test" where a step can
    begin, and the line before the offset. In a table: the line in which the column is used, up to
    it.
    """
    before = text[:offset].rpartition("\n")[2]
    own = _STEP.fullmatch(before)
    if own is not None:
        return own[1], own[2]
    if not before[:1].isspace():
        return "", before
    indent = len(before) - len(before.lstrip())
    above = text[: offset - len(before)].split("\n")
    for at in range(len(above) - 1, -1, -1):
        line = above[at]
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            words = line.split()
            step = "given" if line.startswith("before each") else words[0]
            if step == "with":
                return _in_column(text, len("\n".join(above[:at])) + 1, before)
            return (step if step in _FORMS else "test"), before.lstrip()
    return "", before.lstrip()


def _in_column(text: str, start: int, row: str) -> tuple[str, str]:
    """The step in which a column is used, and its line up to it with the beginning of the cell;
    `start`: where the table begins.
    """
    head = text[start:].partition("\n")[0].strip()
    columns, values = cells(head.removeprefix("with ")), row.split("|")
    begin = text.index("\n", text.rfind("\ntest ", 0, start) + 1)
    test = _BLOCK.findall(text[begin:])[0] if len(values) <= len(columns) else ""
    at = test.find(f"{{{columns[len(values) - 1]}}}") if test else -1
    step, before = step_at(test, at) if at >= 0 else ("with", "")
    return step, before + values[-1].lstrip()


_BLOCK = re.compile(r"\A(?:[ \t].*\n|\n)*(?:[ \t].*)?")
_STEP = re.compile(r"\s+(given|when|then) +(.*)")

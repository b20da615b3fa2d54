"""Looks up phrases from rulebooks and other languages in the table `phrases.txt`, with their
equivalents. The first equivalent that parses is the repair; if none does, only the phrase is
reported.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from targi_dsl.syntax.errors import SyntaxFault, repaired
from targi_dsl.syntax.grammar import language
from targi_dsl.text.diagnostics import Problem

LONGEST = 300
"""The most characters of a sentence that is looked up."""

_NUMBER_WORDS = "one two three four five six seven eight nine ten"
NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split(), 1)}
"""Digits by number words."""

_PLACES = {
    "<n>": r"(?P<n>\d+)",
    "<m>": r"(?P<m>\d+)",
    "<w>": r"(?P<w>(?!RESERVED)[a-z]\w*)",
    "<v>": r"(?P<v>(?!RESERVED)[a-z]\w*)",
    "<x>": r"(?P<x>.+?)",
    "<y>": r"(?P<y>.+?)",
    "<z>": r"(?P<z>.+?)",
}
_BEFORE_A_STEP = r"(?P<before>(?:.*(?::|\bthen\b|[(|])\s*)?)"
_HERE = r"(?P<before>.*?)(?<!\w)"


_HEADINGS = {"declarations": {"rule", "zone"}, "sheets": {"deck", "settle"}}
"""Headings of the table, with words that identify the context to which they apply."""


class Phrase(NamedTuple):
    """A row of the table. written: the phrase. here: candidates for the repair. told: the text of
    the problem. whole: whether the phrase is a whole sentence. words: the literal words of the
    phrase. is_guess: whether a candidate is only shown, since it may mean something else.
    """

    written: re.Pattern[str]
    here: tuple[str, ...]
    told: str
    whole: bool
    words: frozenset[str]
    is_guess: bool


@cache
def table() -> Mapping[str, tuple[Phrase, ...]]:
    """The rows of the table by heading."""
    return {heading: tuple(_rows(heading, rows)) for heading, rows in sections("phrases.txt")}


def sections(name: str) -> Iterator[tuple[str, Iterator[list[str]]]]:
    """The headings of a table, each with its rows."""
    text = (pkgutil.get_data(__package__, name) or b"").decode()
    parts = re.split(r"^== (\w+).*\n", text, flags=re.MULTILINE)[1:]
    for heading, lines in zip(parts[::2], parts[1::2], strict=True):
        rows = filter(None, lines.splitlines())
        yield heading, ([part.strip() for part in row.split("=>")] for row in rows)


def _rows(heading: str, rows: Iterator[list[str]]) -> Iterator[Phrase]:
    whole = heading != "passages"
    before, end = (_BEFORE_A_STEP, "$") if whole else (_HERE, r"(?!\w)")
    for written, here, text in rows:
        found = pattern(f"{before}(?P<all>{written}){end}")
        words = frozenset(re.findall("[a-z]{2,}", written))
        news = tuple(filter(None, here.removeprefix("~ ").split(" ;; ")))
        yield Phrase(found, news, text, whole, words, is_guess=here.startswith("~"))


def phrase(fault: SyntaxFault) -> Problem | None:
    """The problem of the first row that matches the sentence."""
    begins = set(fault.expected(fault.begin))
    heading = next((one for one, words in _HEADINGS.items() if words <= begins), "steps")
    return _match(fault, heading, "passages")


def word_alone(fault: SyntaxFault) -> Problem | None:
    """The problem of a statement that is only the name of a rule."""
    if fault.lexemes[fault.begin].text in fault.language.keywords or not fault.is_step:
        return None
    return _match(fault, "alone")


def _match(fault: SyntaxFault, *headings: str) -> Problem | None:
    if fault.begin >= fault.end or len(fault.words(fault.begin, fault.end)) > LONGEST:
        return None
    rows = (row for heading in headings for row in table()[heading])
    return next((problem for row in rows if (problem := _problem_of(fault, row))), None)


def _problem_of(fault: SyntaxFault, row: Phrase) -> Problem | None:
    sentence = fault.words(fault.begin, fault.end)
    if (found := row.written.match(sentence)) is None:
        return None
    parts = {name: Words(text or "") for name, text in found.groupdict().items()}
    after = sentence[found.end() :]
    news = [found["before"] + new.format_map(parts) + after for new in row.here]
    repairs = fault.repairs(fault.begin, fault.end, (new.partition(" // ")[0] for new in news))
    start = fault.lexemes[fault.begin].start + found.start("all")
    at = next(at for at in range(fault.begin, fault.end) if fault.lexemes[at].end > start)
    where = fault.lexemes[at]
    words = fault.expected(at) if fault.is_step else fault.language.keywords
    known = where.text in words or not row.whole
    if not repairs and not (row.whole and _is_meant(fault, row, at, known)):
        return None
    title = f"`{where.text}` is written differently here"
    sort = "instruction" if fault.is_step else "word"
    title = title if known else f"unknown {sort} `{where.text}`"
    problem = repaired(fault, where, title, row.told.format_map(parts), *repairs)
    if row.is_guess and repairs:
        text, hint = problem.text.removesuffix(" Write:"), news[0].replace(" // ", "\n")
        problem = replace(problem, text=text, hint=hint, edits=())
    return problem


def _is_meant(fault: SyntaxFault, row: Phrase, at: int, known: bool) -> bool:
    """Whether a row without a repair explains the error: the error must be at one of its words."""
    if fault.index == at or fault.at.text in row.words:
        return True
    early = fault.is_at_end or fault.index == at + 1
    if at == fault.begin and early and fault.lexemes[at].text in row.words:
        return True
    return not (known and row.here) and at <= fault.index <= at + 2


class Words(str):
    """A matched part of a sentence, which format specifiers convert."""

    __slots__ = ()

    def __format__(self, how: str) -> str:
        return _FORMATS[how](self)


_COMPARED = {
    **dict.fromkeys(("=", "=="), "is"),
    "!=": "is not",
    ">": "is more than",
    "<": "is less than",
    ">=": "is at least",
    "<=": "is at most",
}

_FORMATS: Mapping[str, Callable[[str], str]] = {
    "": str,
    "root": lambda verb: verb.removesuffix("s"),  # the imperative of a verb
    "digits": lambda word: NUMBERS.get(word, "1" if word == "a" else word),
    "compared": lambda symbol: _COMPARED[symbol],
    "names": lambda number: ", ".join(list(NUMBERS)[: int(number)]),
    "listed": lambda names: re.sub(r"\s*(?:,|\||/|\band\b|\bor\b)\s*", ", ", names),
    "pairs": lambda pairs: re.sub(r"\s*(?:->|-|/)\s*", " to ", pairs),
    "amounts": lambda listed: re.sub(r",\s*(?=[0-9(])", " and ", listed),
    "spaces": lambda listed: " plus ".join(
        f"{listed.split()[0]} {number}" for number in re.findall(r"\b\d+", listed)
    ),
}


def pattern(written: str) -> re.Pattern[str]:
    """The regular expression of a row, with its placeholders."""
    for place, group in _PLACES.items():
        written = re.sub(f"(?<!P){place}", group.replace("\\", r"\\"), written)
    written = written.replace("RESERVED", rf"(?:{'|'.join(language().reserved)})\b")
    return re.compile(re.sub(r" (?!\?)", r"\\s+", written), re.DOTALL)

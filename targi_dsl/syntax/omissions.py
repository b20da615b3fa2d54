"""Error productions for what is left out: a name, a number, quotes, when an ability works."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from targi_dsl.syntax.errors import SyntaxFault, mended, repaired
from targi_dsl.syntax.lexer import NUMBER, TEXT, WORD
from targi_dsl.syntax.phrases import NUMBERS
from targi_dsl.text.diagnostics import Problem

_AFTER = ("as", "source")
_NAMES = tuple(NUMBERS)


class _Omission(NamedTuple):
    """What a sentence says up to the error; the title and text; and what replaces its last words,
    of which there are `replaced`.
    """

    written: str
    title: str
    text: str
    new: Callable[[re.Match[str]], str]
    replaced: int = 0


_OMISSIONS = (
    _Omission(
        r"piece (\w+)",
        "how many `{0}`?",
        "Write the number of pieces after a colon.",
        lambda _: ": 1",
    ),
    _Omission(
        r"space \w+(?: for each player)?: (ring|row)",
        "how many spaces?",
        "Write how many spaces there are.",
        lambda _: " of 12",
    ),
    _Omission(
        r"\w+: (\d+)",
        "from which number to which?",
        "A field with numbers has a lowest and a highest.",
        lambda found: f"0 to {found[1]}",
        1,
    ),
    _Omission(
        r"players (\d)",
        "the players have no names",
        "Name each player.",
        lambda found: ", ".join(_NAMES[: int(found[1])]),
        1,
    ),
    _Omission(
        r"(game|module|score|define|variable|zone|space|piece|option|exchange|set)",
        "the {0} has no name",
        "A name comes first.",
        lambda found: f" my_{found[1]}",
    ),
    _Omission(
        r"pool (\w+)",
        "what does `{0}` hold?",
        "Write its resources after a colon.",
        lambda _: ": points",
    ),
    _Omission(
        r"tie:",
        "the most, or the least?",
        "A tie-break says whether the most or the least decides.",
        lambda _: " most",
    ),
)


def part_of_declaration(fault: SyntaxFault) -> Problem | None:
    """`piece frog`, `space shore: ring`, `players 2`, `tie: your coins`"""
    said = " ".join(fault.words(fault.begin, fault.index).split())
    ends = fault.ended or fault.at.text in _AFTER
    for one in _OMISSIONS:
        found = re.fullmatch(one.written, said)
        if found is None or (one.replaced and not ends):
            continue
        begin = fault.index - one.replaced
        if repair := fault.repair(begin, fault.index, one.new(found)):
            title = one.title.format(*found.groups())
            return repaired(fault, fault.lexemes[fault.index - 1], title, one.text, repair)
    return None


def name_of_prohibition(fault: SyntaxFault) -> Problem | None:
    """`forbid: day is 3`"""
    begin = fault.begin
    if fault.index != begin + 1 or fault.at.kind != ":" or fault.lexemes[begin].text != "forbid":
        return None
    text = "A name follows `forbid`, by which cards and variants can refer to the prohibition."
    repair = fault.repair(begin, begin + 1, "forbid not_allowed")
    return repaired(fault, fault.lexemes[begin], "the prohibition has no name", text, repair)


def when_it_works(fault: SyntaxFault) -> Problem | None:
    """`gain 2 coins`, an ability"""
    if not {"once", "always"} <= set(fault.expected(fault.index)):
        return None
    if fault.lexemes[fault.index - 1].kind == "," or not fault.is_instruction(fault.index):
        return None
    text = "An ability begins with when it works: `once`, `always`, `when ...` or `at end`."
    repair = fault.repair(fault.index, fault.index + 1, f"once: {fault.at.text}")
    return repaired(fault, fault.at, "when does this work?", text, repair)


def quotes_of_words(fault: SyntaxFault) -> Problem | None:
    """`rule hop as jump ahead`"""
    at, words = fault.index, fault.lexemes
    if at <= fault.begin or words[at - 1].text not in ("as", "shows"):
        return None
    if words[at].kind not in (WORD, "{") or TEXT not in fault.expected(at):
        return None
    line = words[at].start + len(fault.text.text[words[at].start :].partition("\n")[0])
    end = at
    while end < fault.end and words[end].start < line and words[end].text != "source":
        end += 1
    repair = fault.repair(at, end, f'"{fault.words(at, end)}"')
    text = "Words for people are a text in quotes."
    return repaired(
        fault, words[at], f"the words after `{words[at - 1].text}` need quotes", text, repair
    )


def amounts_without_and(fault: SyntaxFault) -> Problem | None:
    """`gain 1 coins 2 tea`"""
    before = fault.lexemes[fault.index - 1]
    if fault.at.kind != NUMBER or fault.index <= fault.begin or before.kind != WORD:
        return None
    if not {"and", "or"} <= set(fault.expected(fault.index)):
        return None
    repair = fault.repair(fault.index, fault.index, " and")
    text = "Join amounts by `and`, and other ways to pay by `or`."
    return mended(fault, before, f"`and` is missing after `{before.text}`", text, repair)


OMISSIONS = (
    part_of_declaration,
    name_of_prohibition,
    when_it_works,
    quotes_of_words,
    amounts_without_and,
)

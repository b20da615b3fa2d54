"""Slips of those who write as they calculate, talk or programme elsewhere, each with the line
mended.
"""

from __future__ import annotations

import re

from targi_dsl.syntax.faults import NEAR, Fault, told
from targi_dsl.syntax.lexing import NUMBER, WORD
from targi_dsl.text.diagnostics import Problem

_NUMBERS = {"a": "1", "an": "1", "one": "1", "two": "2"}
_OPPOSITE = {"gain": "pay", "pay": "gain"}
_FILTERS = ("with", "whose", "having")
_OPERATORS = ("+", "-", "*", "/")


def assigned(fault: Fault) -> Problem | None:
    """`day = day + 1`, `day += 1`, `set day + 1`"""
    begin, end, words = fault.begin, fault.end, fault.lexemes
    signs = (
        at
        for at in range(begin + 1, min(end, begin + NEAR))
        if words[at].kind in ("=", ":=", *_OPERATORS)
    )
    if (at := next(signs, None)) is None or at > fault.index:
        return None
    first = begin + (words[begin].text == "set")
    target, operator = fault.words(first, at), words[at].kind
    last = at + 1 if at + 1 < end and operator in _OPERATORS and words[at + 1].kind == "=" else at
    before = f"{target} {operator} " if operator in _OPERATORS else ""
    line = fault.mended(begin, last + 1, f"set {target} to {before}".rstrip()) if target else None
    if line is None:
        return None
    sign = words[at]._replace(text=fault.words(at, last + 1), end=words[last].end)
    text = "A variable gets another value by `set ... to ...`."
    return told(fault, sign, f"`{sign.text}` sets nothing", text, line)


def below_nothing(fault: Fault) -> Problem | None:
    """`gain -1 coins`, `from -5 to 5`, `set day to -1`"""
    at, words = fault.index, fault.lexemes
    if words[at].kind != "-" or words[at + 1].kind != NUMBER:
        return None
    number, before, after = (
        words[at + 1].text,
        words[at - 1] if at > fault.begin else None,
        words[at + 2],
    )
    sign = words[at]._replace(text=f"-{number}", end=words[at + 1].end)
    title = f"`-{number}` is no number of the language"
    if before is not None and at - 1 == fault.begin and before.text in _OPPOSITE:
        new = _OPPOSITE[before.text]
        text = f"No amount is less than nothing; the other way round it is `{new}`."
        return told(fault, sign, title, text, fault.mended(at - 1, at + 2, f"{new} {number}"))
    if after.kind == WORD and (before is None or before.text in ("and", "or")):
        return told(
            fault, sign, title, "No amount is less than nothing.", fault.mended(at, at + 1, "")
        )
    if after.text == "to" and (line := fault.mended(at, at + 2, "0")) is not None:
        return told(fault, sign, title, "A range begins with 0 or more.", line)
    ways = [f"0 - {number}", f"(0 - {number})"]
    for new in reversed(ways) if before is not None and before.kind in _OPERATORS else ways:
        if (line := fault.mended(at, at + 2, new)) is not None:
            return told(fault, sign, title, f"What is less than nothing is said as `{new}`.", line)
    return None


def listed_amounts(fault: Fault) -> Problem | None:
    """`gain 2 coins, 1 tea`"""
    if fault.at.kind != "," or fault.lexemes[fault.index + 1].kind not in (NUMBER, "("):
        return None
    rest = re.sub(r",\s*(?=[0-9(])", " and ", fault.words(fault.index, fault.end))
    line = fault.mended(fault.index, fault.end, rest)
    return (
        told(fault, fault.at, "`,` joins no amounts", "They are joined by `and`.", line)
        if line
        else None
    )


def number_in_words(fault: Fault) -> Problem | None:
    """`gain a coins`, `pay two coins`"""
    for at in (fault.index, fault.index - 1):
        word = fault.lexemes[at]
        if not fault.begin <= at < fault.end or word.text not in _NUMBERS:
            continue
        if (line := fault.mended(at, at + 1, _NUMBERS[word.text])) is not None:
            return told(
                fault, word, f"`{word.text}` is no number", "How many is said in digits.", line
            )
    return None


def comma_before_what_is_done(fault: Fault) -> Problem | None:
    """`once, gain 1 coins`"""
    at = fault.index - 1
    if (
        at <= fault.begin
        or fault.lexemes[at].kind != ","
        or (line := fault.mended(at, at + 1, ":")) is None
    ):
        return None
    before = fault.lexemes[at - 1]
    title = f"a `:` is missing after `{before.text}`"
    return told(
        fault, fault.lexemes[at], title, "It stands between when something is done and what.", line
    )


def filtered(fault: Fault) -> Problem | None:
    """`SET with worth 3`, `SET whose cost has no tea`"""
    at, word = fault.index, fault.at
    if word.text not in _FILTERS:
        return None
    line = fault.mended(at, at + 1, "where")
    if line is None and at + 2 <= fault.end:
        line = fault.mended(at, at + 2, f"where {fault.lexemes[at + 1].text} is")
    if line is None:
        return None
    return told(
        fault, word, f"`{word.text}` filters nothing", "A filter begins with `where`.", line
    )


HABITS = (
    assigned,
    below_nothing,
    listed_amounts,
    number_in_words,
    comma_before_what_is_done,
    filtered,
)

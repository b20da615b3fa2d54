"""Habits from rulebooks, arithmetic, programming languages and word processors, and what is left
out: error productions, each with the phrase of this language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from targi_dsl.syntax.errors import (
    NEAR,
    Repair,
    SyntaxFault,
    mended,
    repaired,
    syntax_error,
)
from targi_dsl.syntax.grammar import is_name
from targi_dsl.syntax.lexer import (
    INDENT,
    NEWLINE,
    NUMBER,
    TEXT,
    WORD,
)
from targi_dsl.syntax.sayings import habit
from targi_dsl.text.diagnostics import Problem

SYMBOLS = {
    "=": ("is", "be", "to", ":"),
    "==": ("is",),
    ":=": ("be", "to"),
    "!=": ("is not",),
    "<>": ("is not",),
    ">=": ("is at least", "at least"),
    "<=": ("is at most", "at most"),
    ">": ("is more than", "more than", "->"),
    "<": ("is less than", "less than"),
    "=>": ("->",),
    "&&": ("and",),
    "&": ("and", "+"),
    "||": ("or", "|"),
    "!": ("not",),
    ";": ("", "then"),
    ".": ("",),
    "\u2013": ("-",),
    "\u2014": ("-",),
    "\u2212": ("-",),
    "→": ("->",),
    "≥": ("is at least",),
    "≤": ("is at most",),
    "≠": ("is not",),
    "\u00d7": ("x", "*"),
    "…": ("..",),
    "\u00a0": (" ",),
}
QUOTES = dict.fromkeys(map(ord, "“”„«»'\u2018\u2019`"), '"')
WORDS = {
    "else": ("otherwise",),
    "for": ("", "each"),
    "foreach": ("each",),
    "equals": ("is",),
    "isnt": ("is not",),
    "when": ("if",),
    "while": ("if", "during"),
    **dict.fromkeys(("greater", "larger", "bigger", "higher"), ("more",)),
    **dict.fromkeys(("smaller", "lower", "fewer"), ("less",)),
    "var": ("let",),
}


# ---- what is left out: a name, a number, quotes, when an ability works ----


_NUMBER_WORDS = "one two three four five six seven eight nine ten"
NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split(), 1)}
"""Numbers as words, and as digits."""
_AFTER = ("as", "source")


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
        lambda found: ", ".join(list(NUMBERS)[: int(found[1])]),
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
    ends = fault.is_at_end or fault.at.text in _AFTER
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


# ---- habits from rulebooks, arithmetic and programming languages ----


_AMOUNTS = {**NUMBERS, "a": "1", "an": "1"}
_GIVING = ("gain", "gains", "pay", "pays", "lose", "loses")
_OPPOSITE = {"gain": "pay", "pay": "gain"}
_FILTERS = ("with", "whose", "having", "that", "which")
_OPERATORS = ("+", "-", "*", "/")
_NO_LABELS = ("if", "each", "repeat", "forbid", "may", "unless", "while", "for", "when", "turn")


def otherwise_if(fault: SyntaxFault) -> Problem | None:
    """`elif C`, `else if C`"""
    words, begin = fault.lexemes, fault.begin
    length = 2 if (words[begin].text, words[begin + 1].text) == ("else", "if") else 1
    if length == 1 and words[begin].text not in ("elif", "elseif", "elsif"):
        return None
    repair = fault.repair(begin, begin + length, "otherwise if")
    title = f"unknown instruction `{fault.words(begin, begin + length)}`"
    return repaired(fault, words[begin], title, "Use `otherwise if`.", repair)


def score_at_the_end(fault: SyntaxFault) -> Problem | None:
    """`at end: gain 2 points if C`"""
    words = fault.lexemes
    at = next((one for one in range(fault.begin, fault.index) if words[one].text == "gain"), None)
    if at is None or words[at + 1].kind != NUMBER:
        return None
    if [one.text for one in words[at - 3 : at]] != ["at", "end", ":"]:
        return None
    repair = fault.repair(at, at + 3, f"score {words[at + 1].text}")
    return repaired(fault, words[at], "at the end there is only `score`", "", repair)


def label_of_words(fault: SyntaxFault) -> Problem | None:
    """`take one: gain 1 coins`, an alternative"""
    begin, words = fault.begin, fault.lexemes
    last = min(fault.end, begin + 4)
    colon = next((at for at in range(begin + 1, last) if words[at].kind == ":"), begin)
    label = [one.text for one in words[begin:colon]]
    several = colon > begin + 1 and all(map(is_name, label)) and label[0] not in _NO_LABELS
    if several and (repair := fault.repair(begin, colon, "_".join(label))):
        title, text = "a label is one word", "Join the words by `_`."
        return repaired(fault, words[begin], title, text, repair)
    if colon == begin + 1 == fault.index and _is_unknown_instruction(fault):
        text = "Choices belong under `one of` or `any of these in any order`."
        return syntax_error(fault, words[begin], f"`{label[0]}:` is not an instruction", text)
    return None


def _is_unknown_instruction(fault: SyntaxFault) -> bool:
    word = fault.lexemes[fault.begin].text
    return fault.is_step and word != "else" and fault.is_name(fault.begin)


def missing_number(fault: SyntaxFault) -> Problem | None:
    """`gain coins and 2 tea`, `cost: coins`"""
    for at in (fault.index, fault.index - 1):
        word = fault.lexemes[at]
        if at < fault.begin or word.kind != WORD or word.text in fault.language.reserved:
            continue
        if at == fault.begin and fault.expected(at) != ["(", NUMBER]:
            continue
        before = fault.lexemes[at - 1].text
        if at > fault.begin and before not in (*_GIVING, "and", "or"):
            continue
        repair = fault.repair(at, at + 1, f"1 {word.text}")
        if repair := repair or _all_numbered(fault):
            text = "An amount begins with a number."
            return repaired(fault, word, f"how many `{word.text}`?", text, repair)
    return None


def _all_numbered(fault: SyntaxFault) -> Repair | None:
    """A 1 before each amount of the sentence that has no number."""
    said = fault.words(fault.begin, fault.end)
    numbered = re.sub(rf"\b({'|'.join(_GIVING)}|and) (?=[a-z])", r"\1 1 ", said)
    return fault.repair(fault.begin, fault.end, numbered) if numbered != said else None


def price_without_braces(fault: SyntaxFault) -> Problem | None:
    """`do visit with 1 coins or 1 tea, 1`"""
    begin, words = fault.index - 1, fault.lexemes
    if begin <= fault.begin or words[begin].kind != NUMBER or fault.at.kind != WORD:
        return None
    if fault.at.text in fault.language.keywords:
        return None
    end = begin + 2
    while (
        end + 3 <= fault.end
        and words[end].text in ("and", "or")
        and words[end + 1].kind == NUMBER
        and words[end + 2].kind == WORD
    ):
        end += 3
    repair = fault.repair(begin, end, f"{{{fault.words(begin, end)}}}")
    title = "a price needs braces here"
    return mended(fault, words[begin], title, "", repair)


def name_of_two_words(fault: SyntaxFault) -> Problem | None:
    """`define hand limit: 3`, `define hand-limit: 3`"""
    at, words = fault.index, fault.lexemes
    if at == fault.begin or words[at - 1].kind != WORD or words[at - 2].kind == ",":
        return None
    end = at + 1 + (fault.at.kind == "-")
    if end > fault.end or words[end - 1].kind not in (WORD, NUMBER):
        return None
    if "new" not in fault.language.kinds(fault.parser(at - 1)) or fault.repair(at, at, ","):
        return None
    name = f"{words[at - 1].text}_{words[end - 1].text}"
    title, text = "a name is one word", "Join the words by `_`."
    return mended(fault, words[at - 1], title, text, fault.repair(at - 1, end, name))


def assignment(fault: SyntaxFault) -> Problem | None:
    """`day = day + 1`, `day += 1`, `set day + 1`"""
    begin, end, words = fault.begin, fault.end, fault.lexemes
    near = range(begin + 1, min(end, begin + NEAR))
    at = next((at for at in near if words[at].kind in ("=", ":=", *_OPERATORS)), None)
    if at is None or at > fault.index:
        return None
    first = begin + (words[begin].text == "set")
    target, operator = fault.words(first, at), words[at].kind
    last = at + 1 if at + 1 < end and operator in _OPERATORS and words[at + 1].kind == "=" else at
    before = f"{target} {operator} " if operator in _OPERATORS else ""
    new = f"set {target} to {before}".rstrip()
    repair = fault.repair(begin, last + 1, new) if target else None
    sign = words[at]._replace(text=fault.words(at, last + 1), end=words[last].end)
    text = "Use `set ... to ...` to change a variable."
    return mended(fault, sign, f"`{sign.text}` changes nothing", text, repair)


def negative_number(fault: SyntaxFault) -> Problem | None:
    """`gain -1 coins`, `from -5 to 5`, `set day to -1`"""
    at, words = fault.index, fault.lexemes
    if words[at].kind != "-" or words[at + 1].kind != NUMBER:
        return None
    number, after = words[at + 1].text, words[at + 2]
    before = words[at - 1] if at > fault.begin else None
    sign = words[at]._replace(text=f"-{number}", end=words[at + 1].end)
    title = f"`-{number}` is written differently here"
    if before is not None and at - 1 == fault.begin and before.text in _OPPOSITE:
        new = _OPPOSITE[before.text]
        text = f"An amount is never negative; the opposite is `{new}`."
        return repaired(fault, sign, title, text, fault.repair(at - 1, at + 2, f"{new} {number}"))
    if after.kind == WORD and (before is None or before.text in ("and", "or")):
        text = "An amount is never negative."
        return repaired(fault, sign, title, text, fault.repair(at, at + 1, ""))
    if after.text == "to" and (repair := fault.repair(at, at + 2, "0")):
        return repaired(fault, sign, title, "A range begins at 0 or above.", repair)
    ways = [f"0 - {number}", f"(0 - {number})"]
    if before is not None and before.kind in _OPERATORS:
        ways.reverse()
    repair = fault.first_repair(at, at + 2, ways)
    return mended(fault, sign, title, f"It is `0 - {number}`.", repair)


_LISTED = re.compile(r"(?P<one>\w+) is (?:in )?(?P<all>\d+(?:, ?\d+)+)(?P<rest>.*)")


def numbers_in_a_list(fault: SyntaxFault) -> Problem | None:
    """`if day is in 3, 6, 9`"""
    at = fault.index - (4 if fault.lexemes[fault.index - 2].text == "in" else 3)
    if fault.at.kind != "," or at < fault.begin:
        return None
    found = _LISTED.fullmatch(fault.words(at, fault.end))
    if found is None:
        return None
    ways = " or ".join(f"{found['one']} is {one}" for one in re.findall(r"\d+", found["all"]))
    repair = fault.repair(at, fault.end, f"{ways}{found['rest']}")
    title, text = "a `,` between numbers", "Compare with each number by itself."
    return mended(fault, fault.at, title, text, repair)


def amounts_with_commas(fault: SyntaxFault) -> Problem | None:
    """`gain 2 coins, 1 tea`"""
    if fault.at.kind != "," or fault.lexemes[fault.index + 1].kind not in (NUMBER, "("):
        return None
    rest = re.sub(r",\s*(?=[0-9(])", " and ", fault.words(fault.index, fault.end))
    repair = fault.repair(fault.index, fault.end, rest)
    title, text = "a `,` between amounts", "Join amounts by `and`."
    return mended(fault, fault.at, title, text, repair)


def number_in_words(fault: SyntaxFault) -> Problem | None:
    """`gain a coins`, `pay two coins`"""
    for at in (fault.index, fault.index - 1):
        word = fault.lexemes[at]
        if not fault.begin <= at < fault.end or word.text not in _AMOUNTS:
            continue
        if fault.lexemes[at - 1].text == "choose" and word.text not in NUMBERS:
            continue  # an article: what is chosen has a name
        if repair := fault.repair(at, at + 1, _AMOUNTS[word.text]):
            title, text = f"`{word.text}` is not a number", "Numbers are written in digits."
            return repaired(fault, word, title, text, repair)
    return None


def number_in_quotes(fault: SyntaxFault) -> Problem | None:
    """`define most: "3"`"""
    word = fault.at.text
    if fault.at.kind != TEXT or not word.strip('"').isdecimal():
        return None
    repair = fault.repair(fault.index, fault.index + 1, word.strip('"'))
    text = "A number has no quotes."
    return mended(fault, fault.at, f"{word} is a text", text, repair)


def joined_steps(fault: SyntaxFault) -> Problem | None:
    """`gain 1 coins and draw 1 from pile to hand`, `gain 1 coins, stop`"""
    words = fault.lexemes
    at = fault.index + (fault.at.text in ("and", ",", ";"))
    if at <= fault.begin or words[at - 1].text not in ("and", ",", ";"):
        return None
    if at >= fault.end or not fault.is_instruction(at):
        return None
    if not fault.is_step and ":" not in [one.kind for one in words[fault.begin : at]]:
        return None
    title, rest = f"`{words[at - 1].text}` does not join steps", fault.words(at, fault.end)
    if fault.repair(at - 1, fault.end, "then stop") is None:
        text = "Write each step on a line of its own:"
        return syntax_error(fault, words[at - 1], title, text, rest)
    new = "then" if words[at - 1].kind == WORD else " then"
    if repair := fault.repair(at - 1, at, new):
        return repaired(fault, words[at - 1], title, "Join steps by `then`.", repair)
    text = "Join steps by `then`:"
    return syntax_error(fault, words[at - 1], title, text, f"then {rest}")


def glued_words(fault: SyntaxFault) -> Problem | None:
    """`anyof these in any order`, `upto 3 times`"""
    keywords = fault.language.keywords
    for at in fault.sentence():
        word = fault.lexemes[at].text
        for cut in range(2, len(word) - 1) if word not in keywords else ():
            pair = word[:cut], word[cut:]
            if keywords.issuperset(pair) and (repair := fault.repair(at, at + 1, " ".join(pair))):
                return repaired(fault, fault.lexemes[at], f"`{word}` is two words", "", repair)
    return None


def comma_for_colon(fault: SyntaxFault) -> Problem | None:
    """`once, gain 1 coins`"""
    at = fault.index - 1
    if at <= fault.begin or fault.lexemes[at].kind != ",":
        return None
    title = f"`:` is missing after `{fault.lexemes[at - 1].text}`"
    text = "It separates the condition from what is done."
    return mended(fault, fault.lexemes[at], title, text, fault.repair(at, at + 1, ":"))


def other_filter(fault: SyntaxFault) -> Problem | None:
    """`SET with worth 3`, `SET whose cost has no tea`"""
    for at in (fault.index, fault.index - 1):
        word = fault.lexemes[at]
        if at <= fault.begin or word.text not in _FILTERS:
            continue
        repair = fault.repair(at, at + 1, "where")
        if at + 2 <= fault.end:
            compared = f"where {fault.lexemes[at + 1].text} is"
            repair = fault.repair(at, at + 2, compared) or repair
        if repair is not None:
            title, text = f"unexpected `{word.text}`", "A condition on a set begins with `where`."
            return repaired(fault, word, title, text, repair)
    return None


def source_without_quotes(fault: SyntaxFault) -> Problem | None:
    """`gain 1 coins source B22`"""
    at = fault.index
    if at <= fault.begin or fault.lexemes[at - 1].text != "source" or fault.at.kind != WORD:
        return None
    repair = fault.repair(at, fault.end, f'"{fault.words(at, fault.end)}"')
    text = "A source is a text in quotes."
    return repaired(fault, fault.at, "a source needs quotes", text, repair)


def block_on_one_line(fault: SyntaxFault) -> Problem | None:
    """`one of: gain 1 coins`"""
    if fault.at.kind != ":" or NEWLINE not in fault.expected(fault.index):
        return None
    if INDENT not in fault.expected_after(NEWLINE):
        return None
    head = fault.words(fault.begin, fault.index)
    text = "What is done goes on the lines below, indented by two more spaces."
    return syntax_error(fault, fault.at, f"`{head}` has no `:`", text)


PHRASES = (
    otherwise_if,
    score_at_the_end,
    assignment,
    negative_number,
    numbers_in_a_list,
    amounts_with_commas,
    number_in_words,
    number_in_quotes,
    joined_steps,
    label_of_words,
    missing_number,
    price_without_braces,
    glued_words,
    habit,
    name_of_two_words,
    comma_for_colon,
    other_filter,
)

"""Error productions for sentences of rulebooks and programming languages that no table row
describes, and for foreign symbols and words.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from targi_dsl.syntax.error_productions.patterns import patterns
from targi_dsl.syntax.error_productions.phrases import phrase
from targi_dsl.syntax.errors import Repair, SyntaxFault, mended, repaired, syntax_error
from targi_dsl.syntax.grammar import is_name
from targi_dsl.syntax.lexer import INDENT, NEWLINE, NUMBER, WORD, Lexeme
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


# ---- sentences of rulebooks, arithmetic and programming languages ----


_GIVING = ("gain", "gains", "pay", "pays", "lose", "loses")
_NO_LABELS = ("if", "each", "repeat", "forbid", "may", "unless", "while", "for", "when", "turn")


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
    """The repair that puts a 1 before each amount without a number."""
    sentence = fault.words(fault.begin, fault.end)
    numbered = re.sub(rf"\b({'|'.join(_GIVING)}|and) (?=[a-z])", r"\1 1 ", sentence)
    return fault.repair(fault.begin, fault.end, numbered) if numbered != sentence else None


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


def joined_steps(fault: SyntaxFault) -> Problem | None:
    """`gain 1 coins and draw 1 from pile to hand`, `gain 1 coins, stop`"""
    words = fault.lexemes
    at = fault.index + (fault.at.text in ("and", ",", ";"))
    if at <= fault.begin or words[at - 1].text not in ("and", ",", ";"):
        return None
    if at >= fault.end or not fault.is_instruction(at):
        return None
    kinds = [one.kind for one in words[fault.begin : at]]
    is_condition = words[fault.begin].text == "if" and words[at - 1].text == ","
    if ":" not in kinds and (is_condition or not fault.is_step):
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


def then_without_colon(fault: SyntaxFault) -> Problem | None:
    """`gain 1 coins then draw 1 from pile to hand` on a line of a rule."""
    words = fault.lexemes
    before = [one.kind for one in words[fault.begin : fault.index]]
    if fault.at.text != "then" or ":" in before or not fault.is_step:
        return None
    text = "`then` joins steps behind a colon, as in `if CONDITION: A then B`, and on cards. In a"
    text += " rule each step has a line of its own:"
    first, rest = fault.words(fault.begin, fault.index), fault.words(fault.index + 1, fault.end)
    alone = replace(fault, lexemes=(*words[: fault.index], *words[fault.end :]), end=fault.index)
    if (wrong := phrase(alone)) is not None and wrong.hint:
        first = wrong.hint.removesuffix(fault.words(fault.index, fault.end)).rstrip()
    return syntax_error(fault, fault.at, "`then` has no place here", text, f"{first}\n{rest}")


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


def block_on_one_line(fault: SyntaxFault) -> Problem | None:
    """`one of: gain 1 coins`"""
    if fault.at.kind != ":" or NEWLINE not in fault.expected(fault.index):
        return None
    if INDENT not in fault.expected_after(NEWLINE):
        return None
    head, below = fault.words(fault.begin, fault.index), fault.lexemes[fault.index + 1 : fault.end]
    repair = fault.on_lines(fault.index, [below]) if below else None
    text = "What belongs to it goes on the lines below, indented by two more spaces."
    return repaired(fault, fault.at, f"`{head}` takes no `:` here", text, repair)


def words_amid_a_line(fault: SyntaxFault) -> Problem | None:
    """`up to 2 times: choose c in hand as "take {c}"`, `one of (rest as "rest": nothing | hop)`"""
    words, spelt = fault.lexemes, [one.text for one in fault.lexemes[: fault.index]]
    if fault.at.text != "as" or not fault.is_step:
        return None
    parts: list[list[Lexeme]] = [[]]
    if spelt[fault.begin : fault.begin + 3] == ["one", "of", "("]:
        below = fault.begin + 2
        for one in words[below + 1 : fault.end - 1]:
            parts.append([]) if one.kind == "|" else parts[-1].append(one)
    elif ":" in spelt[fault.begin :]:
        below = max(at for at, one in enumerate(spelt) if one == ":")
        parts = [list(words[below + 1 : fault.end])]
    else:
        return None
    title, text = "words for people need a line of their own", "It begins below, indented."
    repair = fault.on_lines(below, parts) if all(parts) else None
    return mended(fault, fault.at, title, text, repair)


SENTENCES = (
    numbers_in_a_list,
    words_amid_a_line,
    patterns("phrases"),
    joined_steps,
    then_without_colon,
    label_of_words,
    missing_number,
    glued_words,
    phrase,
    name_of_two_words,
    patterns("links"),
)

"""The error productions in order: known mistakes, each with an explanation and a repair."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps

from msgspec.structs import replace

from targi_dsl.syntax.error_productions.patterns import patterns
from targi_dsl.syntax.error_productions.phrases import phrase, word_alone
from targi_dsl.syntax.error_productions.sentences import (
    QUOTES,
    SENTENCES,
    SYMBOLS,
    WORDS,
    block_on_one_line,
)
from targi_dsl.syntax.errors import (
    NEAR,
    IndentedTooFar,
    NothingUnder,
    Repair,
    ReservedName,
    SyntaxFault,
    expectation,
    mended,
    repaired,
    syntax_error,
)
from targi_dsl.syntax.grammar import is_name
from targi_dsl.syntax.lexer import (
    CONTINUING,
    END,
    INDENT,
    LAYOUT,
    NEWLINE,
    STRANGE,
    TEXT,
    UNCLOSED,
    WORD,
    Lexeme,
)
from targi_dsl.text.diagnostics import Edit, Problem
from targi_dsl.text.suggestions import did_you_mean

Production = Callable[[SyntaxFault], Problem | None]

SHORT = 2
"""Words of at most this length are never taken for misspelt, as most pairs of them are similar."""

_FILLERS = ("the", "a", "an")
_NO_ARTICLES = "The language has no articles."
_ENDS_A_NAME = ("with", "as", "source", "then")
_LINKS = {"plus", "except", "within", "and", "or", "on", "if", "source"}


def explain(fault: SyntaxFault) -> Problem:
    """The problem of a syntax error: a known mistake if possible, or else what was found and what
    was expected.
    """
    for production in PRODUCTIONS:
        if (problem := production(fault)) is not None:
            return problem
    return _unexpected(fault)


def _unexpected(fault: SyntaxFault) -> Problem:
    """What was found, and what was expected."""
    expected = expectation(fault, fault.index)
    first, before = fault.lexemes[fault.begin], fault.lexemes[fault.index - 1]
    if fault.is_at_end:
        title = f"the line ends too early, after `{fault.previous.text}`"
        return syntax_error(fault, fault.previous, title, expected)
    for word in (fault.at, before) if fault.index > fault.begin else ():
        if word.text in _FILLERS:
            return syntax_error(fault, word, f"unexpected `{word.text}`", _NO_ARTICLES)
    if fault.index == fault.begin + 1 and fault.is_step and not fault.is_instruction(fault.begin):
        text = "A step begins with an instruction such as `gain`, `choose` or `if`."
        return syntax_error(fault, first, f"unknown instruction `{first.text}`", text)
    return syntax_error(fault, fault.at, f"unexpected `{fault.at.text}`", expected)


def _otherwise(fault: SyntaxFault) -> Problem:
    """The problem to report if a guess turns out to be wrong."""
    return rule_of_several_words(fault) or _first_of_two(fault) or _unexpected(fault)


def guess(production: Production) -> Production:
    """A decorator for a production that guesses: if its repair does not work, `_otherwise`
    applies.
    """

    @wraps(production)
    def guessed(fault: SyntaxFault) -> Problem | None:
        problem = production(fault)
        if problem is None or not problem.edits:
            return problem
        return replace(problem, unrepaired=_otherwise(fault))

    return guessed


# ---- names ----

_BINDINGS = (("choose", "in"), ("each", "in"), ("let", "be"), ("roll", "from"), ("(", "in"))


def reserved_name(fault: SyntaxFault) -> Problem | None:
    """`let top be 3`, where `top` then stands as a name"""
    used, words = fault.previous, fault.lexemes
    if used.text not in fault.language.reserved:
        return None
    head = next(at for at, one in enumerate(words) if one.kind in LAYOUT or one.kind == ":")
    for at in range(1, fault.index):
        before, word, after = words[at - 1], words[at], words[at + 1]
        bound = (before.text, after.text) in _BINDINGS
        given = at < head and before.text in ("of", "with", ",") and after.kind == "("
        if word.text == used.text and (bound or given):
            place = fault.text.span(word.start, word.end)
            title, text = f"`{word.text}` is a word of the language", "It cannot name anything:"
            return ReservedName("E108", title, place, text, "choose another name")
    return None


# ---- characters, texts and parentheses ----


def strange_character(fault: SyntaxFault) -> Problem | None:
    """A character that is not part of the language."""
    if fault.at.kind != STRANGE:
        return None
    symbol = fault.at.text
    title = f"unknown symbol `{symbol}`"
    if not symbol.isprintable():
        title = f"an invisible character (U+{ord(symbol):04X})"
    if ord(symbol) in QUOTES:
        straight = fault.words(fault.begin, fault.end).translate(QUOTES)
        repair = fault.repair(fault.begin, fault.end, straight)
        text = "Texts need straight double quotes."
        return repaired(fault, fault.at, title, text, repair, code="E111")
    news = SYMBOLS.get(symbol, ("",))
    text = f"Use `{news[0]}`." if news[0].strip() else "Remove it."
    repairs = fault.repairs(fault.index, fault.index + 1, news)
    return repaired(fault, fault.at, title, text, *repairs, code="E111")


def unclosed_text(fault: SyntaxFault) -> Problem | None:
    """An opening quotation mark without a closing one."""
    if fault.at.kind != UNCLOSED:
        return None
    repair = fault.repair(fault.index, fault.index + 1, fault.at.text.rstrip() + '"')
    text = 'A text must end with a `"` on the same line.'
    return repaired(fault, fault.at, "the text is not closed", text, repair)


def unclosed_parenthesis(fault: SyntaxFault) -> Problem | None:
    """An opening parenthesis in this sentence without a closing one."""
    if not fault.begin <= fault.unclosed <= fault.index:
        return None
    opening = fault.lexemes[fault.unclosed]
    closing = ")" if opening.text == "(" else "}"
    line_end = fault.text.text.find("\n", opening.start)
    line_end = len(fault.text.text) if line_end < 0 else line_end
    rest = fault.lexemes[fault.begin :]
    words = [one for one in rest if one.start < line_end and one.kind not in LAYOUT]
    last = NEWLINE if any(one.kind == NEWLINE for one in fault.lexemes) else END
    repair: Repair | None = None
    for gap in range(len(words), max(fault.unclosed - fault.begin + 1, len(words) - NEAR), -1):
        added, stop = Lexeme(closing, closing, 0, 0), Lexeme(last, "", 0, 0)
        if fault.fits([*words[:gap], added, *words[gap:], stop]):
            place = words[gap - 1].end
            repair = fault.replacement(place, place, closing)
            break
    title = f"`{opening.text}` is never closed"
    return repaired(fault, opening, title, f"`{closing}` is missing.", repair)


# ---- words and symbols ----


def capital_letters(fault: SyntaxFault) -> Problem | None:
    """A word with capital letters, which names cannot have."""
    word = fault.at.text
    if fault.at.kind != WORD or is_name(word):
        return None
    if TEXT in fault.expected(fault.index):
        return phrase(fault)  # a title
    small = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
    if not is_name(small):
        text = "A name has the letters a to z, digits and `_`, and begins with a letter."
        return syntax_error(fault, fault.at, f"`{word}` cannot be a name", text)
    repair = fault.repair(fault.index, fault.index + 1, small)
    if repair is None:  # perhaps more than one word of the line has capitals
        rest = fault.words(fault.index, fault.end)
        if '"' not in rest:
            repair = fault.repair(fault.index, fault.end, rest.lower())
    text = "Names and words are written in lower case."
    return repaired(fault, fault.at, f"capital letters in `{word}`", text, repair)


def foreign_symbol(fault: SyntaxFault) -> Problem | None:
    """`a == b`, `a && b`, `gain 1 coins;`"""
    news = SYMBOLS.get(fault.at.kind)
    if news is None:
        return None
    tried = ((new, fault.repair(fault.index, fault.index + 1, new)) for new in news)
    new, repair = next(((new, one) for new, one in tried if one), (news[0], None))
    text = f"Use `{new}`." if new else "Remove it."
    if not new and fault.at.kind == ";":
        text = "A line needs no mark at its end."
    return repaired(fault, fault.at, f"unknown symbol `{fault.at.text}`", text, repair)


def foreign_word(fault: SyntaxFault) -> Problem | None:
    """`else`, `foreach card in hand`, `becomes 2 when ...`"""
    for at in fault.sentence():
        word = fault.lexemes[at]
        if word.kind != WORD or word.text not in WORDS or at < fault.index - 3:
            continue
        for new in WORDS[word.text]:
            repair = fault.repair(at, at + 1, new)
            if repair is None and fault.lexemes[fault.end - 1].kind == ":":
                middle = fault.text.text[word.end : fault.lexemes[fault.end - 2].end]
                repair = fault.repair(at, fault.end, new + middle)
            if repair is not None:
                text = f"Use `{new or 'each'}`."
                return repaired(fault, word, f"unexpected `{word.text}`", text, repair)
        if word.text == "else" and at == fault.begin:
            text = "Use `otherwise`, after an `if`."
            return syntax_error(fault, word, "unexpected `else`", text)
    return None


def doubled_word(fault: SyntaxFault) -> Problem | None:
    """`put card on on space`"""
    for at in fault.sentence():
        word = fault.lexemes[at]
        if at == fault.begin or word.kind != WORD or fault.lexemes[at - 1].text != word.text:
            continue
        if repair := fault.repair(at, at + 1, ""):
            return _superfluous(fault, word, repair)
    return None


@guess
def misspelt(fault: SyntaxFault) -> Problem | None:
    """A word that is close to one that fits."""
    # A word unknown to the language is more likely misspelt than a known one.
    keywords = fault.language.keywords
    for at in sorted(fault.sentence(), key=lambda at: fault.lexemes[at].text in keywords):
        word = fault.lexemes[at]
        if not _may_be_misspelt(fault, word):
            continue
        known = [one for one in fault.expected_words(at) if one != word.text]
        for _ in range(4):
            near = did_you_mean(word.text, known)
            if near is None:
                break
            if repair := fault.repair(at, at + 1, near):
                text = f"Did you mean `{near}`?"
                return repaired(fault, word, f"unknown word `{word.text}`", text, repair)
            known.remove(near)
    return _first_of_two(fault)


def _may_be_misspelt(fault: SyntaxFault, word: Lexeme) -> bool:
    """Whether a word may be a misspelling: it is not reserved and not too short."""
    reserved = fault.language.reserved
    return word.kind == WORD and word.text not in reserved and len(word.text) > SHORT


def _first_of_two(fault: SyntaxFault) -> Problem | None:
    """The first of two mistakes on one line, which no single replacement repairs."""
    for at in (fault.begin, fault.index):
        word = fault.lexemes[at]
        unknown = word.text not in fault.language.keywords
        if unknown and at >= fault.index - 1 and _may_be_misspelt(fault, word):
            near = did_you_mean(word.text, fault.expected_words(at))
            if near is not None:
                title, hint = f"unknown word `{word.text}`", f"Did you mean `{near}`?"
                return syntax_error(fault, word, title, "", hint)
    return None


@guess
def word_as_name(fault: SyntaxFault) -> Problem | None:
    """`place targi on because "x"`: `because` was read as a name, as only a name could stand
    there.
    """
    at = fault.index - 1
    if at < fault.begin:
        return None
    word = fault.lexemes[at]
    if word.text not in fault.language.reserved or not fault.is_name(at):
        return None
    if word.text in (*_FILLERS, "your") and (repair := fault.repair(at, at + 1, "")):
        return _superfluous(fault, word, repair)
    for new in ("is", "on") if at > fault.begin else ():
        if repair := fault.repair(at, at, f" {new}"):
            return repaired(fault, word, f"`{new}` is missing before `{word.text}`", "", repair)
    before = fault.lexemes[at - 1]
    if at > fault.begin and (repair := fault.repair(at, at, ":")):
        return repaired(fault, before, f"`:` is missing after `{before.text}`", "", repair)
    text = _NO_ARTICLES if word.text in _FILLERS else expectation(fault, at)
    return syntax_error(fault, word, f"unexpected `{word.text}`", text)


def rule_of_several_words(fault: SyntaxFault) -> Problem | None:
    """`do draw card`, `draw card`, if there is a rule `draw_card`"""
    begin, words = fault.begin + (fault.lexemes[fault.begin].text == "do"), fault.lexemes
    end = begin
    while end < fault.end and words[end].kind == WORD and words[end].text not in _ENDS_A_NAME:
        end += 1
    is_deed = begin > fault.begin or not fault.is_instruction(begin)
    if end < begin + 2 or not is_deed or not fault.is_step:
        return None
    repair = fault.repair(fault.begin, end, f"do {'_'.join(one.text for one in words[begin:end])}")
    if repair is None:
        return None
    title, text = "a name is one word", "Join the words by `_`."
    problem = repaired(fault, words[begin], title, text, repair)
    return replace(problem, unrepaired=_first_of_two(fault) or _unexpected(fault))


@guess
def missing_colon(fault: SyntaxFault) -> Problem | None:
    """`if C gain 1 coins`"""
    for gap in range(min(fault.index, fault.end), max(fault.begin, fault.index - NEAR), -1):
        if repair := fault.repair(gap, gap, ":"):
            before = fault.lexemes[gap - 1]
            return repaired(fault, before, f"`:` is missing after `{before.text}`", "", repair)
    return None


def label_over_lines(fault: SyntaxFault) -> Problem | None:
    """`rest`, an alternative with its steps below"""
    below = {one.kind for one in fault.lexemes[fault.end : fault.end + 2]}
    return missing_colon(fault) if fault.end == fault.begin + 1 and INDENT in below else None


def _superfluous(fault: SyntaxFault, word: Lexeme, repair: Repair) -> Problem:
    text = "The line says the same without it."
    return repaired(fault, word, f"`{word.text}` is one word too many", text, repair)


@guess
def missing_word(fault: SyntaxFault) -> Problem | None:
    """A missing word, if there is exactly one that would repair the line."""
    if fault.index == fault.begin or fault.index > fault.end:
        return None
    found: list[tuple[str, Repair]] = []
    last = fault.lexemes[fault.index - 1]
    if last.text.endswith("_of"):
        new = f"{last.text[:-3]} of"
        if repair := fault.repair(fault.index - 1, fault.index, new):
            return repaired(fault, last, "`of` is a word of its own", "", repair)
    for new in fault.expected(fault.index):
        blank = "" if new in (":", ",", ")", "}") else " "
        if blank and (new not in fault.language.keywords or new in _LINKS):
            continue
        if repair := fault.repair(fault.index, fault.index, blank + new):
            found.append((new, repair))
    after = fault.lexemes[fault.index - 1]
    for new in ("on", "to", "in", "from") if not found else ():
        if repair := fault.repair(fault.index - 1, fault.index - 1, f" {new}"):
            return repaired(fault, after, f"`{new}` is missing before `{after.text}`", "", repair)
    if len(found) != 1:
        return None
    before = fault.lexemes[fault.index - 1]
    where = before if fault.is_at_end else fault.at
    ((new, repair),) = found
    return repaired(fault, where, f"`{new}` is missing after `{before.text}`", "", repair)


# ---- lines that are indented too little or too far ----


_OF_A_GAME = ("deck", "rules", "settle")


def lines_missing(fault: SyntaxFault) -> Problem | None:
    """A head without its indented lines."""
    if fault.at.kind == INDENT or fault.index != fault.begin:
        return None
    if INDENT not in fault.expected(fault.index):
        return None
    deep = _indent(fault) + 2
    text = "What belongs to it goes on the lines below, indented by two more spaces:"
    hint = f"begin the next line with {deep} spaces"
    span = fault.text.span(fault.previous.start, fault.previous.end)
    return NothingUnder("E110", "nothing follows under this line", span, text, hint)


def _indent(fault: SyntaxFault) -> int:
    """The indentation of the line of the last word before the error."""
    line = fault.text.text[: fault.previous.end].rsplit("\n", 1)[-1]
    return len(line) - len(line.lstrip())


_QUESTIONS = ("one of", "any of these")


def _governing(lines: Sequence[str]) -> str:
    """The head of the last of these lines."""

    def indent(line: str) -> int:
        return len(line) - len(line.lstrip())

    outer = (one for one in reversed(lines) if one.strip() and indent(one) < indent(lines[-1]))
    return next(outer, "").strip()


def not_indented(fault: SyntaxFault) -> Problem | None:
    """A statement, or a line of a sheet, in the first column, where declarations begin."""
    at = fault.at
    if fault.index != fault.begin or not {"rule", "zone"} <= set(fault.expected(fault.index)):
        return None
    if at.text in _OF_A_GAME:
        text = f"`{at.text}` is a line of a game, and belongs below the first line of its sheet:"
    elif at.kind == WORD and fault.is_instruction(fault.index):
        text = f"`{at.text}` is an instruction, and belongs below the first line of a rule:"
    else:
        return None
    title, hint = "this line is not indented", "begin it with 2 spaces"
    return phrase(fault) or syntax_error(fault, at, title, text, hint)


def lines_unexpected(fault: SyntaxFault) -> Problem | None:
    """A line that is indented further than the one above allows."""
    if fault.at.kind != INDENT:
        return None
    first = fault.lexemes[fault.index + 1]
    if fault.index == 0:
        text, hint = "A file begins at the left edge:", "begin it there"
        return syntax_error(fault, first, "this line is indented", text, hint)
    title = "this line is indented too far"
    if first.text == "otherwise":
        text = "`otherwise` goes on with no line above it. Begin it where its `if` begins."
        return syntax_error(fault, first, title, text)
    if (problem := _belongs_above(fault, first)) is not None:
        return problem
    deep = _indent(fault)
    deep_as = f"with {deep} space{'s' * (deep != 1)}, like the line above"
    hint = f"begin it {deep_as if deep else 'at the left edge'}"
    text = "No lines belong under the one above it:"
    above = fault.text.text[: fault.previous.end].splitlines()
    edits: tuple[Edit, ...] = ()
    label = above[-1].strip().partition(" as ")[0]
    if label.isidentifier() and _governing(above).startswith(_QUESTIONS):
        text = f"If `{label}` names an answer, a colon stands behind it. Write:"
        repair = fault.replacement(fault.previous.end, fault.previous.end, ":")
        hint, edits = repair.line, repair.edits
    place = fault.text.span(first.start, first.end)
    return IndentedTooFar("E110", title, place, text, hint, edits=edits)


def _belongs_above(fault: SyntaxFault, first: Lexeme) -> Problem | None:
    """A line that would continue the line above if it began with another word."""
    for new in ("because", "as", "source") if first.kind == TEXT else ():
        if repair := fault.joined(new):
            return repaired(fault, first, f"`{new}` is missing before this text", "", repair)
    title = f"no line continues with `{first.text}`"
    words = ", ".join(f"`{word}`" for word in sorted(CONTINUING))
    text = f"A line goes on below if what follows begins with one of these: {words}."
    return mended(fault, first, title, text, fault.joined())


LEVELS = (lines_missing, lines_unexpected, not_indented)


PRODUCTIONS: tuple[Production, ...] = (
    strange_character,
    unclosed_text,
    unclosed_parenthesis,
    reserved_name,
    *LEVELS,
    patterns("omissions"),
    capital_letters,
    doubled_word,
    *SENTENCES,
    foreign_symbol,
    foreign_word,
    label_over_lines,
    misspelt,
    word_alone,
    word_as_name,
    patterns("colons"),
    block_on_one_line,
    missing_colon,
    patterns("superfluous"),
    missing_word,
    rule_of_several_words,
)

"""Slips that are known: each looks at a fault and says what was meant, with the line mended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from targi_dsl.syntax.faults import NEAR, Fault, accepted_words, listed, problem_at, told
from targi_dsl.syntax.grammar import is_name
from targi_dsl.syntax.habits import HABITS
from targi_dsl.syntax.lexing import (
    DEDENT,
    END,
    INDENT,
    LAYOUT,
    NEWLINE,
    NUMBER,
    STRANGE,
    TEXT,
    UNCLOSED,
    WORD,
    Lexeme,
    cut,
)
from targi_dsl.text.diagnostics import Problem, did_you_mean
from targi_dsl.text.source import Source

NOTHING_UNDER = "nothing stands under this line"

_SIGNS = {
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
}  # fmt: skip
_QUOTES = dict.fromkeys(map(ord, "“”„«»'\u2018\u2019`"), '"')
_FOREIGN = {
    "else": ("otherwise",),
    "elif": ("otherwise",),
    "elseif": ("otherwise",),
    "for": ("", "each"),
    "foreach": ("each",),
    "equals": ("is",),
    "isnt": ("is not",),
    **dict.fromkeys(("greater", "larger", "bigger", "higher"), ("more",)),
    **dict.fromkeys(("smaller", "lower", "fewer"), ("less",)),
    "var": ("let",),
}
_FILLERS = ("the", "a", "an")
_FIELD = "worth: number"
_LINKS = {"plus", "except", "within", "and", "or", "on", "if"}


def strange_character(fault: Fault) -> Problem | None:
    if fault.at.kind != STRANGE:
        return None
    sign = fault.at.text
    title = (
        f"`{sign}` is no sign of the language"
        if sign.isprintable()
        else f"an unseen character (U+{ord(sign):04X})"
    )
    if ord(sign) in _QUOTES:
        whole = fault.text.text[fault.lexemes[fault.begin].start : fault.lexemes[fault.end - 1].end]
        line = fault.mended(fault.begin, fault.end, whole.translate(_QUOTES))
        return told(fault, fault.at, title, "Texts stand in straight double quotes.", line, "E111")
    new = _SIGNS.get(sign, ("",))
    say = f"Say `{new[0]}`." if new[0].strip() else "It can go."
    return told(
        fault, fault.at, title, say, _first_mended(fault, fault.index, fault.index + 1, new), "E111"
    )


def unclosed_text(fault: Fault) -> Problem | None:
    if fault.at.kind != UNCLOSED:
        return None
    line = fault.mended(fault.index, fault.index + 1, fault.at.text.rstrip() + '"')
    return told(
        fault, fault.at, "a text is not closed", 'It ends with a second `"` on the same line.', line
    )


def unclosed_parenthesis(fault: Fault) -> Problem | None:
    if not fault.begin <= fault.unclosed <= fault.index:
        return None
    opening = fault.lexemes[fault.unclosed]
    closing = ")" if opening.text == "(" else "}"
    whole = fault.text.text
    line_end = whole.find("\n", opening.start)
    line_end = len(whole) if line_end < 0 else line_end
    words = [
        one
        for one in fault.lexemes[fault.begin :]
        if one.start < line_end and one.kind not in LAYOUT
    ]
    last = NEWLINE if any(one.kind == NEWLINE for one in fault.lexemes) else END
    line = None
    for gap in range(len(words), max(fault.unclosed - fault.begin + 1, len(words) - NEAR), -1):
        sign, stop = Lexeme(closing, closing, 0, 0), Lexeme(last, "", 0, 0)
        if fault.is_right([*words[:gap], sign, *words[gap:], stop]):
            place = words[gap - 1].end
            line = (
                whole[whole.rfind("\n", 0, place) + 1 : place] + closing + whole[place:line_end]
            ).strip()
            break
    return told(
        fault, opening, f"`{opening.text}` is never closed", f"A `{closing}` is missing.", line
    )


def lines_missing(fault: Fault) -> Problem | None:
    if (
        fault.at.kind == INDENT
        or fault.index != fault.begin
        or INDENT not in fault.expected(fault.index)
    ):
        return None
    line = fault.text.text[: fault.previous.end].rsplit("\n", 1)[-1]
    deep = len(line) - len(line.lstrip()) + 2
    text = "What belongs to it stands on the lines below, two spaces further in:"
    if fault.is_right(_under(_FIELD)):
        text = "A kind of card has a field at least, on the lines below, two spaces further in:"
        return problem_at(fault, fault.previous, NOTHING_UNDER, text, " " * deep + _FIELD)
    return problem_at(
        fault, fault.previous, NOTHING_UNDER, text, f"begin the next line with {deep} spaces"
    )


def _under(line: str) -> list[Lexeme]:
    """The words of one line that stands further in than the one before it, and nothing after it."""
    inner = cut(Source("", line), 0, len(line), lined=False).all[:-1]
    begin, *end = (Lexeme(kind, "", 0, 0) for kind in (INDENT, NEWLINE, DEDENT))
    return [begin, *inner, *end]


def lines_unexpected(fault: Fault) -> Problem | None:
    if fault.at.kind != INDENT:
        return None
    first = fault.lexemes[fault.index + 1]
    if fault.index == 0:
        hint = "begin it there"
        return problem_at(
            fault, first, "this line is indented", "A file begins at the left edge;", hint
        )
    line = fault.text.text[: fault.previous.end].rsplit("\n", 1)[-1]
    deep = len(line) - len(line.lstrip())
    hint = (
        f"begin it with {deep} space{'s' * (deep != 1)}, like the line above"
        if deep
        else "begin it at the left edge"
    )
    return problem_at(
        fault,
        first,
        "this line stands too far in",
        "No lines can stand under the one above it;",
        hint,
    )


def wrong_letters(fault: Fault) -> Problem | None:
    word = fault.at.text
    if fault.at.kind != WORD or is_name(word):
        return None
    small = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
    if not is_name(small):
        text = "A name has the letters a to z, digits and `_`, and begins with a letter."
        return problem_at(fault, fault.at, f"`{word}` cannot be a name", text)
    line = fault.mended(fault.index, fault.index + 1, small)
    if line is None:  # perhaps more than one word of the line has capitals
        place = slice(fault.index, fault.end)
        rest = fault.text.text[fault.at.start : fault.lexemes[fault.end - 1].end]
        if not any('"' in one.text for one in fault.lexemes[place]):
            line = fault.mended(fault.index, fault.end, rest.lower())
    text = "Names and words are written in small letters."
    return told(fault, fault.at, f"capital letters in `{word}`", text, line)


def foreign_sign(fault: Fault) -> Problem | None:
    new = _SIGNS.get(fault.at.kind)
    if new is None:
        return None
    line = _first_mended(fault, fault.index, fault.index + 1, new)
    said = next(
        (one for one in new if line == fault.mended(fault.index, fault.index + 1, one)), new[0]
    )
    text = (
        f"Say `{said}`."
        if said
        else "A line ends by itself."
        if fault.at.kind == ";"
        else "It can go."
    )
    return told(fault, fault.at, f"`{fault.at.text}` is no sign of the language", text, line)


def foreign_word(fault: Fault) -> Problem | None:
    for at in fault.sentence():
        word = fault.lexemes[at]
        if word.kind != WORD or word.text not in _FOREIGN or at < fault.index - 3:
            continue
        for new in _FOREIGN[word.text]:
            line = fault.mended(at, at + 1, new)
            if line is None and fault.lexemes[fault.end - 1].kind == ":":
                middle = fault.text.text[word.end : fault.lexemes[fault.end - 2].end]
                line = fault.mended(at, fault.end, new + middle)
            if line is not None:
                say = new or "each"
                return told(
                    fault, word, f"`{word.text}` is no word for this", f"Say `{say}`.", line
                )
        if word.text == "else" and at == fault.begin:
            text = "It is `otherwise` here, and follows an `if` that has its own lines under it."
            return problem_at(fault, word, "`else` is no word of the language", text)
        if word.text.startswith("el") and at == fault.begin:
            text = "Say `otherwise`, and put a new `if` on the lines under it."
            return problem_at(
                fault, word, f"`{word.text}` is no word of the language", text, "otherwise"
            )
    return None


def misspelt(fault: Fault) -> Problem | None:
    # A word that the language does not know is more likely misspelt than one that it does.
    for at in sorted(
        fault.sentence(), key=lambda at: fault.lexemes[at].text in fault.language.keywords
    ):
        word = fault.lexemes[at]
        if word.kind != WORD:
            continue
        known = [one for one in accepted_words(fault, at) if one != word.text]
        for _ in range(4):
            near = did_you_mean(word.text, known)
            if near is None:
                break
            line = fault.mended(at, at + 1, near)
            if line is not None:
                return told(
                    fault, word, f"unknown word `{word.text}`", f"Did you mean `{near}`?", line
                )
            known.remove(near)
    # Two slips on one line: no single word mends it, but the first can be named.
    for at in (fault.begin, fault.index):
        word = fault.lexemes[at]
        if word.kind == WORD and word.text not in fault.language.keywords:
            near = did_you_mean(word.text, accepted_words(fault, at))
            if near is not None:
                return problem_at(
                    fault, word, f"unknown word `{word.text}`", f"Did you mean `{near}`?", near
                )
    return None


def word_for_name(fault: Fault) -> Problem | None:
    """`place targi on because "x"`: `because` was taken for a name, as only a name could stand
    there.
    """
    at = fault.index - 1
    if at < fault.begin:
        return None
    word = fault.lexemes[at]
    if word.text not in fault.language.reserved or not fault.is_name(at):
        return None
    if word.text in (*_FILLERS, "your") and (line := fault.mended(at, at + 1, "")) is not None:
        return told(
            fault,
            word,
            f"`{word.text}` is too many here",
            "The line says the same without it.",
            line,
        )
    if (line := fault.mended(at, at, " is")) is not None:
        return told(fault, word, f"`is` is missing before `{word.text}`", "", line)
    return problem_at(fault, word, f"`{word.text}` cannot stand here", listed(fault, at))


def colon_too_many(fault: Fault) -> Problem | None:
    last = fault.end - 1
    if (
        last < fault.begin
        or fault.lexemes[last].kind != ":"
        or (line := fault.mended(last, last + 1, "")) is None
    ):
        return None
    text = "What stands on lines below needs none."
    return told(fault, fault.lexemes[last], "a `:` too many", text, line)


def colon_missing(fault: Fault) -> Problem | None:
    for gap in range(min(fault.index, fault.end), max(fault.begin, fault.index - NEAR), -1):
        if (line := fault.mended(gap, gap, ":")) is not None:
            before = fault.lexemes[gap - 1]
            return told(fault, before, f"a `:` is missing after `{before.text}`", "", line)
    return None


def word_too_many(fault: Fault) -> Problem | None:
    for at in (fault.index, fault.index - 1):
        if not fault.begin <= at < fault.end:
            continue
        word = fault.lexemes[at]
        twice = at > fault.begin and fault.lexemes[at - 1].text == word.text
        if twice or word.text in _FILLERS or word.kind not in (WORD, NUMBER, TEXT, "-", *LAYOUT):
            line = fault.mended(at, at + 1, "")
            if line is not None:
                return told(
                    fault,
                    word,
                    f"`{word.text}` is too many here",
                    "The line says the same without it.",
                    line,
                )
    return None


def word_missing(fault: Fault) -> Problem | None:
    """Only if there is just one that would mend the line."""
    if fault.index == fault.begin or fault.index > fault.end:
        return None
    found: list[tuple[str, str]] = []
    for new in fault.expected(fault.index):
        if new in (":", ",", ")", "}"):
            line = fault.mended(fault.index, fault.index, new)
        elif new in fault.language.keywords and new not in _LINKS:
            line = fault.mended(fault.index, fault.index, " " + new)
        else:
            continue
        if line is not None:
            found.append((new, line))
    if len(found) != 1:
        return None
    before = fault.lexemes[fault.index - 1]
    where = before if fault.ended else fault.at
    ((new, line),) = found
    return told(fault, where, f"`{new}` is missing after `{before.text}`", "", line)


SLIPS: tuple[Callable[[Fault], Problem | None], ...] = (
    strange_character,
    unclosed_text,
    unclosed_parenthesis,
    lines_missing,
    lines_unexpected,
    wrong_letters,
    *HABITS,
    foreign_sign,
    foreign_word,
    misspelt,
    word_for_name,
    colon_too_many,
    colon_missing,
    word_too_many,
    word_missing,
)


def _first_mended(fault: Fault, begin: int, end: int, new: Iterable[str]) -> str | None:
    return next((line for one in new if (line := fault.mended(begin, end, one)) is not None), None)

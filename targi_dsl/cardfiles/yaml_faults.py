"""Explains the YAML parser's errors in plain words, at the place where they can be corrected."""

from __future__ import annotations

import yaml

from targi_dsl.text.diagnostics import Label, Problem
from targi_dsl.text.edits import Edit
from targi_dsl.text.source import Section, Source, Span

# Both parsers of PyYAML use nearly the same words; a row matches if it contains the first text.
# The first matching row is used.
_WORDS = (
    (
        "mapping values",
        "A `:` makes a key, and no key can begin here: the text before it goes on.",
        "Put the text in quotes, or indent this line like the ones above.",
    ),
    (
        "sequence entries",
        "A `- ` begins a list, and no list can begin here.",
        "Begin the list on a line of its own, or put the text in quotes.",
    ),
    (
        "could not find expected ':'",
        "The `:` after a key is missing.",
        "Put a `:` and a blank after the key, or indent the line if it belongs to the text above.",
    ),
    (
        "unknown escape",
        "A backslash inside double quotes begins an escape, and this is none.",
        r"Write \\ for a backslash, or use single quotes.",
    ),
    ("escape", "This escape names no character.", ""),
    (
        "hexdecimal",
        "This escape needs more digits.",
        r"Write \\ for a backslash, or use single quotes.",
    ),
    (
        "block scalar",
        "After `|` or `>` only a comment may follow on the line.",
        "Put the text in quotes, or on the lines below.",
    ),
    ("<document start>", "The file goes on after its end mark.", "Remove the line `...`."),
    ("unexpected document", "There is a line of `---` or `...` inside a text.", "Indent it."),
    (
        "incompatible YAML",
        "This file asks for a version of YAML that is not read.",
        "Remove the line.",
    ),
    ("directive", "A line that begins with `%` is not read.", "Remove the line."),
    ("alias", "`*` begins an alias, which is not supported.", "Put the text in quotes."),
    ("anchor", "`&` begins an anchor, which is not supported.", "Put the text in quotes."),
    ("tag", "`!` begins a tag, which is not supported.", "Put the text in quotes."),
    ("node content", "A value is missing here.", "Put the text in quotes if it begins with this."),
    ("expected ','", "A `,` is missing here, or the end of the list or block.", ""),
    (
        "expected",
        "This does not fit the lines above: neither one more entry nor the end of it.",
        "Indent this line like the ones above, or put the whole of the text in quotes.",
    ),
)
_CLOSING = {"[": "]", "{": "}"}
_TAB = ("There is a tab here; YAML is indented with spaces.", "Use spaces instead.")


def syntax_problem(
    source: Source | Section, fault: yaml.MarkedYAMLError, bracket: Span | None = None
) -> Problem:
    """A parser's error as a problem; `bracket` is the innermost open bracket."""
    complaint = f"{fault.context or ''}: {fault.problem or ''}"
    here = _place(source, fault.problem_mark)
    context = _place(source, fault.context_mark)
    opened = context if "quoted" in complaint else bracket
    if opened is not None and (here is None or not source.text[here.first :].strip()):
        mark = source.text[opened.first]
        text = f"What `{mark}` opens here is not closed before the end of the file."
        hint = f"Close it with `{_CLOSING.get(mark, mark)}`."
        return Problem("E010", "not YAML", source.span(opened.first, opened.first + 1), text, hint)
    if "simple key" in complaint and context is not None:
        here = context  # the parser notices only on the next line
    text, hint = _words(here, complaint)
    labels = () if bracket is None else (Label(bracket, "opened here"),)
    return Problem("E010", "not YAML", here, text, hint, labels=labels, file=source.name)


def unclosed_text_problem(source: Source | Section, text: Span) -> Problem:
    """A quoted text without its closing quote."""
    mark, line_end = text.text[0], text.first + text.text.index("\n")
    place = source.span(text.first, line_end)
    end = source.span(line_end, line_end)
    why = f"This text is not closed on its line. It ends with a second `{mark}`:"
    hint = f"{place.text}{mark}"
    title = "the text is not closed"
    return Problem("E010", title, place, why, hint, edits=(Edit(end, mark),), file=source.name)


def _place(source: Source | Section, mark: yaml.Mark | None) -> Span | None:
    """The character at a mark, or the end of the last line that is not blank."""
    if mark is None:
        return None
    at = min(mark.index, len(source.text.rstrip()))
    return source.span(at, min(at + 1, len(source.text)))


def _words(here: Span | None, complaint: str) -> tuple[str, str]:
    written = here.text if here is not None else ""
    if written == "\t":
        return _TAB
    if "cannot start any token" in complaint:
        text = f"No text begins with `{written}` unless it is in quotes."
        return text, "Put the text in quotes."
    for wanted, text, hint in _WORDS:
        if wanted in complaint:
            return text, hint
    return f"This cannot be read as YAML: {complaint.strip(': ')}.", ""

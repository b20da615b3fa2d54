"""Reads YAML into nodes with spans; only a small, safe subset is accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from targi_dsl.cardfiles.nodes import Mapping, Node, Scalar, Sequence
from targi_dsl.cardfiles.scalars import embed
from targi_dsl.text.diagnostics import Edit, Label, Problem
from targi_dsl.text.source import Section, Source, Span

DEEPEST = 64
"""The deepest nesting of lists and mappings."""
MOST = 100_000
"""The most nodes of a file: enough for more than a thousand cards, read in about a second."""

# The C loader is about ten times faster. Its marks count code points too, as a test checks.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Event = Any
"""An event of PyYAML, which is untyped."""

_NUMBER = re.compile(r"0|-?[1-9][0-9]*")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}

# Control characters, invisible direction marks, and line ends that only some programs know.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


def read_yaml(source: Source | Section) -> tuple[Node | None, list[Problem]]:
    """The nodes of a YAML file, None if it is empty, and all problems. Aliases, anchors, merge
    keys, tags, several documents, duplicate keys, keys that are not text, and deep nesting are
    refused. true, false, null, nothing and decimal 32-bit integers are values; everything else is
    text, as are quoted values.
    """
    if hidden := _HIDDEN.search(source.text):
        return None, [_hidden_character(source.span(*hidden.span()), hidden.group())]
    reader = _Reader(source, LOADER)
    try:
        return reader.document(), reader.problems
    except _TooDeepError:
        reader = _Reader(source, yaml.SafeLoader)
        return reader.document(), reader.problems


class _UnreadableError(Exception):
    """Raised if the rest of the file cannot be read; a problem has been recorded."""


class _TooDeepError(Exception):
    """The C loader has read ahead to where it gives up, before it told where nesting begins."""


class _Reader:
    """Reads the events of one file in a single pass, without PyYAML's nodes."""

    def __init__(self, source: Source | Section, loader: type) -> None:
        self.read = 0
        self.source = source
        self.problems: list[Problem] = []
        self.events: Iterator[Event] = yaml.parse(source.text, Loader=loader)
        self.open: list[Event] = []
        self.quoted: Event = None  # the last text in quotes
        self.reached = 0

    def document(self) -> Node | None:
        node: Node | None = None
        try:
            while not isinstance(event := self.next(), yaml.StreamEndEvent):
                if not isinstance(event, yaml.DocumentStartEvent):
                    continue
                if node is not None:
                    self.problem("E015", "second document", self.span_of(event), *_SECOND_DOCUMENT)
                    return None
                node = self.node(self.next())
        except _UnreadableError:
            return None
        except yaml.MarkedYAMLError as fault:
            if "nesting depth" in (fault.problem or ""):
                raise _TooDeepError from None
            brackets = [self.span_of(event) for event in self.open if event.flow_style]
            if (unclosed := self.unclosed_text(fault)) is not None:
                within = [one.text[0] for one in brackets if one.start < unclosed.start]
                self.problems.append(unclosed_text_problem(self.source, unclosed, within))
                return None
            innermost = brackets[-1] if brackets else None
            self.problems.append(syntax_problem(self.source, fault, innermost))
            return None
        except (ValueError, OverflowError):
            # PyYAML's own scanner stumbles over "\UFFFFFFFF".
            place = self.source.span(self.reached, self.reached)
            self.problem("E010", "not YAML", place, "An escape after this names no character.")
            return None
        return node

    def unclosed_text(self, fault: yaml.MarkedYAMLError) -> Span | None:
        """The quoted text that extends to the line of the fault, if any: it usually took the
        opening quote of the next text for its end.
        """
        text, mark = self.quoted, fault.problem_mark
        if text is None or mark is None or text.start_mark.line == text.end_mark.line:
            return None
        return self.span_of(text) if text.end_mark.line == mark.line else None

    def next(self) -> Event:
        event = next(self.events)
        if isinstance(event, yaml.ScalarEvent) and event.style in ("'", '"'):
            self.quoted = event
        self.reached = event.end_mark.index
        self.read += 1
        if self.read > MOST:
            text = f"A file has at most {MOST} values, keys and lists; put the rest into another."
            self.problem("E022", "too much in one file", self.span_of(event), text)
            raise _UnreadableError
        return event

    def span_of(self, event: Event) -> Span:
        return self.source.span(event.start_mark.index, event.end_mark.index)

    def problem(self, code: str, title: str, span: Span, text: str, hint: str = "") -> None:
        self.problems.append(Problem(code, title, span, text, hint))

    def node(self, event: Event) -> Node:
        """The node that this event begins."""
        if isinstance(event, yaml.AliasEvent):
            span = self.span_of(event)
            self.problem("E012", "alias", span, *_ALIAS)
            return Scalar(None, span, embed(self.source, span.first, span.last, "", ""))
        self.refuse_properties(event)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        self.open.append(event)
        if len(self.open) > DEEPEST:
            text = f"Lists and keys are nested more than {DEEPEST} deep here."
            self.problem("E011", "nested too deeply", self.span_of(event), text)
            raise _UnreadableError
        build: Callable[[Event], Node] = (
            self.mapping if isinstance(event, yaml.MappingStartEvent) else self.sequence
        )
        node = build(event)
        self.open.pop()
        return node

    def refuse_properties(self, event: Event) -> None:
        """Reports anchors and tags; the value is read as if they were absent."""
        for written, code, title, words in (
            (event.anchor and "&" + event.anchor, "E012", "anchor", _ALIAS),
            (event.tag and "!", "E014", "tag", _TAG),
        ):
            if written:
                at = self.source.text.find(written, event.start_mark.index)
                self.problem(code, title, self.source.span(at, at + len(written)), *words)

    def scalar(self, event: Event) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        style = event.style or ""
        if style in ("|", ">"):
            # The parser's end is the next line that is not part of it.
            end = start + len(self.source.text[start:end].rstrip())
        span = self.source.span(start, end)
        text = embed(self.source, start, end, style, event.value)
        if hidden := _HIDDEN.search(event.value):
            self.problems.append(_hidden_character(text.span(*hidden.span()), hidden.group()))
        return Scalar(self.value(event.value, span) if not style else event.value, span, text)

    def value(self, written: str, span: Span) -> str | int | bool | None:
        """The value of an unquoted text."""
        if written in _WORDS:
            return _WORDS[written]
        if not _NUMBER.fullmatch(written):
            return written
        # Check the length first: Python refuses to parse numbers of thousands of digits.
        if len(written) <= 11 and -(2**31) <= int(written) < 2**31:
            return int(written)
        text = f"Numbers go from {-(2**31)} to {2**31 - 1}."
        self.problem("E018", "number too large", span, text)
        return 0

    def sequence(self, start: Event) -> Sequence:
        items = []
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            items.append(self.node(event))
        return Sequence(tuple(items), self.collection(start, event, [item.span for item in items]))

    def mapping(self, start: Event) -> Mapping:
        entries: dict[str, Node] = {}
        keys: dict[str, Span] = {}
        parts: list[Span] = []
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            known = len(self.problems)
            key, value = self.node(event), self.node(self.next())
            parts += (key.span, value.span)
            name = key.value if isinstance(key, Scalar) else None
            if len(self.problems) > known and isinstance(event, yaml.AliasEvent):
                continue
            if not isinstance(name, str):
                self.problem("E017", "key is not a text", key.span, *_KEY_IS_NO_TEXT)
            elif name == "<<" and not event.style:
                self.problem("E013", "merge key", key.span, *_MERGE_KEY)
            elif name in entries:
                self.problems.append(_given_twice(name, key.span, keys[name]))
            else:
                entries[name], keys[name] = value, key.span
        return Mapping(entries, keys, self.collection(start, event, parts))

    def collection(self, start: Event, end: Event, parts: list[Span]) -> Span:
        # A block ends for the parser where the next thing begins, comments and all.
        last = end.end_mark.index
        if parts and not start.flow_style:
            last = max(part.last for part in parts)
        return self.source.span(start.start_mark.index, last)


_ALIAS = (
    "Write values out; `&` and `*` are not supported.",
    "Put the text in quotes.",
)
_TAG = ("Tags are not supported.", "Put the text in quotes, or remove the `!`.")
_MERGE_KEY = ("Write keys out; `<<` is not supported.",)
_KEY_IS_NO_TEXT = ("A key must be a text here.", "Put the key in quotes.")
_SECOND_DOCUMENT = (
    "A file holds one document; this line begins another.",
    "Put what follows in a file of its own.",
)


def _given_twice(key: str, second: Span, first: Span) -> Problem:
    text, hint = f'"{key}" has a value already.', "Remove one of the two."
    labels = (Label(first, "first given here"),)
    return Problem("E016", "key given twice", second, text, hint, labels=labels)


def _hidden_character(span: Span, character: str) -> Problem:
    text = f"The character U+{ord(character):04X} here is invisible."
    return Problem("E019", "invisible character", span, text, hint="Delete it.")


# ---- the YAML parser's errors in plain words, where they can be corrected ----


# Both parsers of PyYAML use nearly the same words; a row matches if it contains the first text.
# The first matching row is used.
_EXPLANATIONS = (
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


def unclosed_text_problem(source: Source | Section, text: Span, within: list[str]) -> Problem:
    """A quoted text without its closing quote, inside these brackets."""
    mark, line = text.text[0], text.text[: text.text.index("\n")].rstrip()
    for at in range(len(within) + 1):  # all of them end on this line, or only inner ones
        closing = [_CLOSING[bracket] for bracket in reversed(within[at:])]
        end = r"\s*".join(["", *map(re.escape, closing)]) + (",?" if at else "")
        own = re.fullmatch(f"(.*?){end}", line)
        if own and all(own[1].count(one) == own[1].count(_CLOSING[one]) for one in _CLOSING):
            line = own[1]
            break
    place = source.span(text.first, text.first + len(line))
    why = f"This text is not closed on its line. It ends with a second `{mark}`:"
    hint = f"{place.text}{mark}"
    edit = Edit(source.span(place.last, place.last), mark)
    title = "the text is not closed"
    return Problem("E010", title, place, why, hint, edits=(edit,), file=source.name)


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
    for wanted, text, hint in _EXPLANATIONS:
        if wanted in complaint:
            return text, hint
    return f"This cannot be read as YAML: {complaint.strip(': ')}.", ""
